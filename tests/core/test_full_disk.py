"""A full or read-only disk while settings and results are written: a clear message, and the old file stays."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_app.cli.sentence_files import open_occurrence_writer
from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.cluster_files import cluster_writer
from desktop_app.core.duplicates import Pair, PairLabel
from desktop_app.core.errors import StorageFull
from desktop_app.core.evaluation_files import write_scores
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.labelled_data import write_pair_labels
from desktop_app.core.pair_tables import write_pair_table
from desktop_app.core.private_files import write_private
from desktop_app.core.records import Hit, Occurrence, Place
from desktop_app.core.result_files import pair_writer, write_hits
from desktop_app.core.settings import Settings, SettingsKeeper, load_settings, save_settings
from desktop_app.core.trace import Diff, DiffRow, Trace, TracedSentence
from desktop_app.core.trace_files import write_diff_in_steps, write_trace_in_steps
from tests.disks import fill, needs_mount, read_only, small_disk

OLD = "What the file held before.\n"
ROWS = 1200
ROOM = (0, 4096, 40_000)
"""Bytes that are free, fewer than each of the files needs."""
TEXT = "The sea rises twice a day, and it falls as often."
PLACES = (Place(1, 0, 9, "pdfium"),)
HITS = [
    Hit(number, 0.9, number, TEXT, "", "", 1, "Tides", "/papers/tides.pdf", "pdf", number, "body", PLACES)
    for number in range(1, ROWS)
]


def write_pairs(file: str) -> None:
    with pair_writer(file) as write:
        write([Pair(0.9, "paraphrase", (), each, each) for each in HITS])


def write_sentences(file: str) -> None:
    with open_occurrence_writer(file) as write:
        write([Occurrence(n, TEXT, 1, "/papers/tides.pdf", n, n, "body", PLACES) for n in range(ROWS)])


def write_clusters(file: str) -> None:
    with cluster_writer(file) as write:
        write(None, HITS)


def write_bytes(file: str) -> None:
    with open_atomic(file) as out:
        out.write(b"0" * 1_000_000)


TRACE = Trace(tuple(TracedSentence(TEXT, None, "paraphrased", 0.9, (hit,)) for hit in HITS), 0.1)
_TEXTS = [hashlib.sha512(str(number).encode()).hexdigest() for number in range(2 * ROWS)]  # hard to compress
LONG_DRAFT = Trace(tuple(TracedSentence(text, None, "unsupported", 0.1) for text in _TEXTS), 0.1)
DIFF = Diff(tuple(DiffRow("kept", 0.9, hit, hit) for hit in HITS), 0.1)
LABELS = [PairLabel(TEXT, f"The sea rises {number} times.", same=True) for number in range(ROWS)]
MEASURES = {f"measure number {number} of a model": 0.5 for number in range(2 * ROWS)}

WRITERS: dict[str, tuple[str, Callable[[str], None]]] = {
    "hits": ("csv xlsx jsonl md html", lambda file: write_hits(file, "tides", HITS)),
    "pairs": ("csv xlsx jsonl md", write_pairs),
    "sentences": ("csv xlsx jsonl md", write_sentences),
    "clusters": ("xlsx csv jsonl md", write_clusters),
    "labels": ("tsv csv jsonl", lambda file: write_pair_labels(file, LABELS)),
    "table": ("tsv csv jsonl", lambda file: write_pair_table(file, ("a", "b"), [(TEXT, TEXT)] * ROWS)),
    "trace": ("xlsx csv jsonl md html", lambda file: run_to_completion(write_trace_in_steps(file, TRACE))),
    "draft": ("docx", lambda file: run_to_completion(write_trace_in_steps(file, LONG_DRAFT))),
    "diff": ("csv xlsx jsonl md", lambda file: run_to_completion(write_diff_in_steps(file, DIFF))),
    "scores": ("csv json", lambda file: write_scores(Path(file), [("model", MEASURES, None)])),
    "vectors": ("npy", write_bytes),
}


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with small_disk(tmp_path_factory.mktemp("disk") / "small") as disk:
        yield disk


@needs_mount
@pytest.mark.parametrize("name", WRITERS)
def test_results_on_a_full_disk_are_not_written_and_the_old_file_stays(disk: Path, name: str) -> None:
    suffixes, write = WRITERS[name]
    for suffix in suffixes.split():
        file = disk / f"{name}.{suffix}"
        for room in ROOM:
            file.write_text(OLD)
            fill(disk, room)
            with pytest.raises(StorageFull, match="No space left") as failure:
                write(str(file))
            assert str(file) in str(failure.value)
            assert "Free some disk space" in str(failure.value.hint)
            assert file.read_text() == OLD
            (disk / "filler").unlink()
            assert list(disk.iterdir()) == [file]
        write(str(file))
        assert file.read_bytes() != OLD.encode()
        file.unlink()


@needs_mount
@pytest.mark.parametrize("name", WRITERS)
def test_results_on_a_read_only_disk_are_not_written_and_the_old_file_stays(disk: Path, name: str) -> None:
    suffixes, write = WRITERS[name]
    file = disk / f"{name}.{suffixes.split()[0]}"
    file.write_text(OLD)
    with read_only(disk), pytest.raises(StorageFull, match="Read-only file system") as failure:
        write(str(file))
    assert "where you can write" in str(failure.value.hint)
    assert file.read_text() == OLD
    assert list(disk.iterdir()) == [file]
    file.unlink()


@needs_mount
def test_settings_on_a_full_or_read_only_disk_stay_as_they_were(disk: Path) -> None:
    file = disk / "settings.toml"
    save_settings(file, Settings(threads=30))
    keeper = SettingsKeeper(file, Settings(threads=30), Settings(threads=30))
    fill(disk, 0)
    with pytest.raises(OSError, match="No space left"):
        keeper.save(Settings(threads=40))
    assert load_settings(file).threads == 30
    (disk / "filler").unlink()
    with read_only(disk), pytest.raises(OSError, match="Read-only"):
        keeper.save(Settings(threads=40))
    assert load_settings(file).threads == 30
    assert list(disk.iterdir()) == [file]
    keeper.save(Settings(threads=40))
    assert load_settings(file).threads == 40
    file.unlink()


@needs_mount
def test_private_files_on_a_full_disk_are_written_whole_or_not_at_all(disk: Path) -> None:
    file = disk / "own" / "history.json"
    write_private(file, OLD)
    for room in ROOM:
        fill(disk, room)
        with pytest.raises(OSError, match="No space left"):
            write_private(file, b"0" * 1_000_000)
        (disk / "filler").unlink()
    assert file.read_text() == OLD
    assert list(file.parent.iterdir()) == [file]
