"""Libraries for tests: texts with vectors derived from them, and documents added like an import does."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.jobs import Waiting
from desktop_app.core.library import Library
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import CheckResult, ModelInfo, Place
from desktop_app.store.vector_index import VectorIndex
from tests.steps import go_through

DIM = 32
MODEL = ModelInfo("made", "f1", DIM, 128, "mean", True)


def vector_of(text: str, dim: int = DIM) -> NDArray[np.float32]:
    """A unit vector derived from the text, of values that are stored as they are."""
    return _make_vector(text, dim).copy()


@functools.lru_cache(20_000)
def _make_vector(text: str, dim: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    return stored_unit(np.random.default_rng(seed).standard_normal(dim))


def unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    rows = np.asarray(rows, np.float32)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def stored_unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows of length 1, rounded as the library rounds them: what is stored is equal to what was given."""
    return unit(rows).astype(np.float16).astype(np.float32)


def stored_bytes(vector: NDArray[np.float32]) -> bytes:
    """The bytes of a vector in the library's files."""
    return vector.astype("<f2").tobytes()


def vectors_of(texts: Sequence[str], dim: int = DIM) -> NDArray[np.float32]:
    return np.stack([vector_of(text, dim) for text in texts]) if texts else np.empty((0, dim), np.float32)


def spans_of(texts: Sequence[str]) -> list[SentenceSpan]:
    return [
        SentenceSpan(text, (Place(1 + at // 10, 100 * at, 100 * at + len(text), "pdfium"),), at // 3)
        for at, text in enumerate(texts)
    ]


def head(content: str = "h", **more: object) -> DocumentHead:
    return DocumentHead("text", content, **more)


def path(name: str) -> str:
    return os.path.abspath(os.path.join(os.sep, "papers", name))


def add(library: Library, name: str) -> int:
    (document,) = library.documents.add([FileRef(path(name), 100, 1)])
    return document.document_id


def store(library: Library, document_id: int, texts: Sequence[str]) -> None:
    """Append like an import: only sentences without a vector get one."""
    new = library.ingest.without_vector(texts)
    library.ingest.append(document_id, spans_of(texts), new, vectors_of(new))


def take_in(library: Library, name: str, texts: Sequence[str], **more: object) -> int:
    """Import a generated document."""
    document_id = add(library, name)
    library.ingest.begin(document_id, head(hashlib.sha256("\n".join(texts).encode()).hexdigest(), **more))
    store(library, document_id, texts)
    library.ingest.finish(document_id, ReadingDone())
    return document_id


def texts(name: str, count: int) -> list[str]:
    return [f"{name} has a sentence with the number {at}." for at in range(count)]


def drain(steps: Iterable[object], limit: int = 100_000) -> int:
    """Run steps to the end; return how many waited."""
    waited = 0
    for at, step in enumerate(go_through(steps)):
        assert at < limit, "the steps do not end"
        waited += isinstance(step, Waiting)
    return waited


def found(library: Library, text: str, top_k: int = 1, **more: object) -> list[str]:
    """Texts nearest to a text's own vector."""
    return [hit.text for hit in library.search.hits(library.search.nearest(vector_of(text), top_k, **more), **more)]


def shown(library: Library, document_id: int | None = None) -> list[str]:
    return [row.text for batch in library.sentences.occurrences(document_id=document_id) for row in batch]


def run_checks(library: Library, *, repair: bool = False) -> list[CheckResult]:
    """The results of the doctor's checks, without the progress."""
    return [step for step in go_through(library.maintenance.check(repair=repair)) if isinstance(step, CheckResult)]


def faults(library: Library) -> list[str]:
    return [f"{check.name}: {check.detail}" for check in run_checks(library) if not check.ok]


def files_with(folder: Path, *needles: bytes) -> list[tuple[str, bytes]]:
    """The files below a folder that contain some bytes; of a log, its index has only numbers of pages."""
    held = []
    for file in folder.rglob("*"):
        if file.is_file() and not file.name.endswith("-shm"):
            content = file.read_bytes()
            held += [(file.name, needle) for needle in _plausible(content, needles) if needle in content]
    return held


def _plausible(content: bytes, needles: Sequence[bytes]) -> Iterator[bytes]:
    """Leave out most of what is not in `content`, by its first and last eight bytes: thousands are looked for."""
    if len(needles) < 100:
        yield from needles
        return
    ends = np.array([[int.from_bytes(n[:8], "little"), int.from_bytes(n[-8:], "little")] for n in needles], np.uint64)
    sought, places = np.unique(ends, return_inverse=True)
    is_there = np.zeros(len(sought), np.bool_)
    for shift in range(8):
        words = np.frombuffer(content[shift : shift + max(len(content) - shift, 0) // 8 * 8], "<u8")
        at = np.minimum(np.searchsorted(sought, words), len(sought) - 1)
        is_there[at[sought[at] == words]] = True
    for needle, may_be in zip(needles, is_there[places.reshape(ends.shape)].all(axis=1), strict=True):
        if may_be or len(needle) < 8:
            yield needle


# Switching to another model

OTHER = ModelInfo("other", "f2", 24, 128, "mean", True)


def vectors_by(model: ModelInfo, texts: Sequence[str]) -> NDArray[np.float32]:
    """The vectors of a model; those of the other model are unrelated to the first one's."""
    return vectors_of([f"{model.fingerprint} {text}" for text in texts] if model == OTHER else texts, model.dim)


def re_embed(library: Library, limit: int = 50) -> Iterator[int]:
    """Give sentences their new vectors like a switch, one batch at a time."""
    assert library.model_switch.target is not None
    model = library.model_switch.target.model
    after: int | None = 0
    while after is not None:
        pending, after = library.model_switch.without_new_vector(after, limit)
        if pending:
            library.model_switch.append([i for i, _ in pending], vectors_by(model, [text for _, text in pending]))
            yield len(pending)


def switch_steps(library: Library, model: ModelInfo = OTHER) -> Generator[object, None, None]:
    """Switch to a model, resuming where an earlier attempt stopped."""
    library.model_switch.begin(model)
    while library.model_switch.target is not None:
        yield from re_embed(library)
        yield from library.model_switch.prepare()
        library.model_switch.complete()


def switch(library: Library, model: ModelInfo = OTHER) -> None:
    """Switch to a model at once."""
    drain(switch_steps(library, model))


def found_by(model: ModelInfo, library: Library, text: str, top_k: int = 1) -> list[str]:
    """Texts nearest to a text's own vector of a model."""
    return [hit.text for hit in library.search.hits(library.search.nearest(vectors_by(model, [text])[0], top_k))]


def search_index(
    index: VectorIndex, query: NDArray[np.float32], top_k: int, ef: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Ids and cosines of the `top_k` nearest rows."""
    ids, scores = index.scores(query, index.find_candidates(query, top_k, ef))
    return ids[:top_k], scores[:top_k]
