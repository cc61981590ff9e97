"""Generated libraries: sentences of novels, and vectors scattered around those of real sentences.

Embedded sentences are harder to index than generated clusters, and embedding a million takes half an hour.
`python -m tests.benchmarks.made FOLDER SIZE [DATA]` generates one; `library` runs that at the lowest priority.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.library import Library
from desktop_app.core.paths import Paths
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.encoder import SiameseEncoder
from desktop_app.store.library import LocalLibrary
from desktop_app.text.splitter import split_sentences
from tests.benchmarks.harness import Bench

_EMBEDDED = 6000
_MOST_TEXTS = 400_000
PER_DOCUMENT = 2500
# A folder of papers, notes and a few books: 25 documents of together PER_DOCUMENT sentences.
SIZES = (500, 350, 300, 250, 200, 150, 120, 100, 90, 80, 70, 60, 50, 40, 30, 25, 20, 15, 12, 10, 8, 6, 5, 5, 4)
_BATCH = 250
_BUILDING_S = 25 * 60
_FACTS = "made.json"
_NOISE = 0.6

Vectors = NDArray[np.float32]


def library(bench: Bench, size: int) -> tuple[Path, dict[str, float]]:
    """Return the basedir of a library of `size` sentences, and the facts of its generation.

    It is generated if it is missing, or if texts are split into other sentences now: vectors are made from them again.
    """
    base = bench.libraries / f"made{size}"
    facts = json.loads((base / _FACTS).read_text("utf-8")) if (base / _FACTS).exists() else {}
    if facts.get("texts") != _digest(bench, size):
        shutil.rmtree(base, ignore_errors=True)
        data = [str(bench.data)] if bench.data is not None else []
        subprocess.run(
            ["nice", "-n", "19", sys.executable, "-m", "tests.benchmarks.made", str(base), str(size), *data], check=True
        )
    return base, json.loads((base / _FACTS).read_text("utf-8"))


def _digest(bench: Bench, size: int) -> str:
    """Return a hash of the sentences whose vectors the others are scattered around."""
    return hashlib.sha256("\n".join(sentences(bench, min(size, _EMBEDDED))).encode()).hexdigest()[:12]


def sentences(bench: Bench, count: int) -> list[str]:
    """Return distinct sentences, split as an import splits them: from many novels if available, otherwise from one."""
    found: dict[str, None] = {}
    for text in _texts(bench):
        found.update(dict.fromkeys(" ".join(text[start:stop].split()) for start, stop in split_sentences(text)))
        if len(found) >= min(count, _MOST_TEXTS):
            break
    return [each for each in found if each][: min(count, _MOST_TEXTS)]


def _texts(bench: Bench) -> Iterator[str]:
    if bench.data is None:
        yield bench.novel().read_text("utf-8", "replace")
        return
    with tarfile.open(bench.data / "books" / "english_novels.tar.xz") as archive:
        for member in archive:
            if (file := archive.extractfile(member)) is not None:
                yield file.read().decode("utf-8", "replace")


def vectors(encoder: SiameseEncoder, texts: list[str], size: int) -> Iterator[Vectors]:
    """Yield the unit vectors of a library's sentences, one document at a time, the same on every call.

    The first sentence has the id 1.
    """
    real = encoder.encode(texts[:_EMBEDDED])
    for top in range(0, size, PER_DOCUMENT):
        count = min(PER_DOCUMENT, size - top)
        base = real[[at % len(real) for at in range(top, top + count)]]
        noise = np.random.default_rng(top).standard_normal(base.shape, np.float32)
        moved = base + noise * np.float32(_NOISE / np.sqrt(base.shape[1]))
        yield moved / np.linalg.norm(moved, axis=1, keepdims=True)


def _make(bench: Bench, base: Path, size: int) -> None:
    began = time.perf_counter()
    encoder, texts = SiameseEncoder(), sentences(bench, size)
    made = LocalLibrary.open(Paths.under(base).default_library, writable=True, create=True)
    made.models.bind(encoder.model)
    top = 0
    for part in vectors(encoder, texts, size):
        for piece in np.split(part, np.cumsum(SIZES)[:-1]):
            if len(piece):  # the last part of a library may be short
                add_document(made, top, texts, piece)
                top += len(piece)
    filled = time.perf_counter()
    for step in made.maintenance.run():
        if time.perf_counter() - filled > _BUILDING_S:
            break  # sentences without a graph by now are compared row by row
        if step is not None:
            time.sleep(0.01)  # another process builds; this thread has no other work
    graphs = len(list((made.folder / "segments").glob("*.hnsw")))
    made.close()
    disk = sum(file.stat().st_size for file in base.rglob("*") if file.is_file()) / 1e6
    facts = {
        "sentences": size,
        "texts": _digest(bench, size),
        "filled_s": round(filled - began, 1),
        "built_s": round(time.perf_counter() - filled, 1),
        "graphs": graphs,
        "disk_mb": round(disk),
    }
    (base / _FACTS).write_text(json.dumps(facts), "utf-8")


def text_at(distinct: list[str], at: int) -> str:
    """Return the text of a row; beyond the available sentences, a number makes each text unique."""
    count = len(distinct)
    return distinct[at] if at < count else f"{distinct[at % count]} {at}"


def add_document(made: Library, top: int, distinct: list[str], part: Vectors) -> None:
    """Store one document of a generated library."""
    texts = [text_at(distinct, at) for at in range(top, top + len(part))]
    document = made.documents.add([FileRef(f"/made/{top}.txt", 1, 1)])[0]
    made.ingest.begin(document.document_id, DocumentHead("text", f"{top:064x}"))
    spans = [
        SentenceSpan(text, (Place(None, 50 * row, 50 * row + 40, "char"),), row // 5) for row, text in enumerate(texts)
    ]
    for at in range(0, len(texts), _BATCH):
        piece = slice(at, at + _BATCH)
        made.ingest.append(document.document_id, spans[piece], texts[piece], part[piece])
    made.ingest.finish(document.document_id, ReadingDone())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        data = Path(sys.argv[3]) if len(sys.argv) > 3 else None
        _make(Bench(data, Path(work)), Path(sys.argv[1]), int(sys.argv[2]))
