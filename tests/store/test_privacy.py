"""Removed and purged text is in no byte of any file."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.core.errors import StorageFull
from desktop_app.core.messages import verbatim
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import PageNote, ReadingDone
from desktop_app.store.library import LocalLibrary

from .conftest import Open
from .helpers import MODEL, add, drain, faults, files_with, head, path, shown, store, stored_bytes, take_in, vector_of


def long_texts(name: str, count: int, seed: int) -> list[str]:
    """Sentences of very different length, some longer than a page of the database."""
    rng = np.random.default_rng(seed)
    middles = ["word " * int(rng.geometric(0.02)) + "x" * 9000 * (at % 37 == 0) for at in range(count)]
    return [f"<{name} {at} {middle} {at} {name}>" for at, middle in enumerate(middles)]


def traces(text: str) -> list[bytes]:
    """Pieces that would identify a text: its start, its end, its vector and a part of the vector."""
    raw = text.encode()
    vector = stored_bytes(vector_of(text))
    return [raw[:24] if len(raw) > 24 else raw, raw[-24:], vector, vector[16:48]]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_no_file_contains_purged_text(open_library: Open, tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    library = open_library(tail_rows=150)
    library.models.bind(MODEL)
    kept: dict[int, list[str]] = {}
    gone: list[str] = []
    names: list[str] = []
    for step in range(24):
        # Names of equal length, so that none is a prefix of another.
        name = f"doc{step:03d}"
        own = long_texts(name, int(rng.integers(5, 60)), seed)
        kept[take_in(library, f"secret-{name}.txt", own, title=f"Title of {name}")] = own
        if step % 6 == 5:
            drain(library.maintenance.run())
        if step % 3 == 2:
            chosen = [int(i) for i in rng.choice(list(kept), 2, replace=False)]
            for document_id in chosen:
                document = library.documents.get(document_id)
                names += [Path(document.path).name, document.title]
                library.documents.set_title(document_id, f"Own {document.title}")
                gone += kept.pop(document_id)
            library.documents.remove(chosen)
            if step % 2:
                drain(library.maintenance.purge())
    drain(library.maintenance.purge())
    needles = [needle for text in gone for needle in traces(text)] + [name.encode() for name in names]
    assert files_with(tmp_path, *needles) == []
    assert shown(library) == [text for document_id in sorted(kept) for text in kept[document_id]]
    assert faults(library) == []
    library.close()
    assert files_with(tmp_path, *needles) == []


def test_everything_known_about_a_document_is_purged(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = add(library, "private-name.pdf")
    outline = (OutlineEntry("private-heading", 1, 0),)
    library.ingest.begin(
        document_id,
        head(
            "private-hash",
            title="private-title",
            author="private-author",
            page_labels=("private-label",),
            outline=outline,
        ),
    )
    store(library, document_id, ["private-sentence."])
    library.ingest.finish(
        document_id, ReadingDone((verbatim("private-warning"),), (PageNote(1, "text", "private-engine", 1.0),))
    )
    library.documents.set_title(document_id, "private-own")
    failed = add(library, "private-failed.pdf")
    library.ingest.fail(failed, "damaged", verbatim(f"private-message {path('private-failed.pdf')}"))
    assert files_with(tmp_path, b"private-")
    library.documents.remove([document_id, failed])
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"private-") == []


def test_a_failed_and_a_repeated_import_leave_nothing_after_a_purge(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = take_in(library, "a.txt", ["private-old.", "Stays."])
    library.ingest.begin(document_id, head("x", title="private-failed-title"))
    store(library, document_id, ["private-failed.", "Stays."])
    library.ingest.fail(document_id, "timeout", verbatim("slow"))
    library.ingest.begin(document_id, head("y"))
    store(library, document_id, ["Stays.", "New."])
    library.ingest.finish(document_id, ReadingDone())
    drain(library.maintenance.purge())
    assert files_with(tmp_path, b"private-") == []
    assert shown(library) == ["Stays.", "New."]


def test_a_reader_only_delays_emptying_the_log(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    document_id = take_in(library, "a.txt", ["private-sentence."])
    reader = open_library(writable=False)
    library.documents.remove([document_id])
    with reader._database.read_transaction() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM sentence").all()
        drain(library.maintenance.purge())
        assert files_with(tmp_path, b"private-")
    drain(library.maintenance.run())
    assert files_with(tmp_path, b"private-") == []


def connect_except(failing: int, missing: Path) -> Callable[..., sqlite3.Connection]:
    """Return `sqlite3.connect` that fails once, as SQLite does: at the `failing`-th call."""
    attempts, real = itertools.count(1), sqlite3.connect

    def connect(database: str | Path, **more: Any) -> sqlite3.Connection:
        return real(missing if next(attempts) == failing else database, **more)

    return connect


def test_a_purge_that_cannot_open_the_file_again_does_not_end_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalLibrary.open(tmp_path / "library") as library:
        library.models.bind(MODEL)
        kept = take_in(library, "kept.txt", ["A kept sentence."])
        for failing in (1, 2):  # before the unused bytes are overwritten, and after
            gone = take_in(library, "gone.txt", ["A secret sentence."])
            library.documents.remove([gone])
            with monkeypatch.context() as patch:
                patch.setattr(sqlite3, "connect", connect_except(failing, tmp_path / "missing" / "file"))
                with pytest.raises(StorageFull, match="unable to open database file"):
                    drain(library.maintenance.purge())
            assert shown(library) == ["A kept sentence."]
            assert [each.document_id for each in library.documents.fetch()] == [kept]
            drain(library.maintenance.purge())
            assert files_with(tmp_path, b"secret") == []
        assert take_in(library, "new.txt", ["A new sentence."]) > kept
        assert faults(library) == []
