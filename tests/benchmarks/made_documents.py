"""A generated library of many short documents, with everything that a list of documents shows.

Names, titles, authors, folders, types, tags and collections vary; some documents failed, and some files are missing.
`python -m tests.benchmarks.made_documents FOLDER COUNT [DATA]` generates one; `library` runs that at the lowest
priority.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.messages import Message
from desktop_app.core.paths import Paths
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.encoder import SiameseEncoder
from desktop_app.store.library import LocalLibrary
from tests.benchmarks import made
from tests.benchmarks.harness import Bench

SENTENCES = 4
"""In each document that was read."""
_DONE = "made.txt"
_TYPES = {"pdf": "pdf", "txt": "text", "md": "markdown", "docx": "docx", "html": "html", "epub": "epub"}
_FAILED_EACH, _MISSING_EACH, _TITLED_EACH, _TAGGED_EACH = 97, 61, 2, 3
_TAGS, _COLLECTIONS, _FOLDERS = 40, 12, 180
_NAMES = ("Müller", "O'Brien", "García", "Nowak", "Andersen", "Kowalczyk", "Schmidt", "Ito", "Okafor", "Rossi")


def library(bench: Bench, count: int) -> Path:
    """Return the basedir of a library of `count` documents, generated if missing."""
    base = bench.libraries / f"documents{count}"
    if not (base / _DONE).exists():
        data = [str(bench.data)] if bench.data is not None else []
        module = "tests.benchmarks.made_documents"
        subprocess.run(["nice", "-n", "19", sys.executable, "-m", module, str(base), str(count), *data], check=True)
    return base


def random_vectors(count: int, dim: int, seed: int) -> NDArray[np.float32]:
    """Return unit rows, float32 [count, dim]."""
    rows = np.random.default_rng(seed).standard_normal((count, dim), np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _make(bench: Bench, base: Path, count: int) -> None:
    chance, texts = random.Random(0), made.sentences(bench, 20_000)
    words = sorted({word.strip(".,;:!?\"'()").lower() for text in texts[:3000] for word in text.split()})
    words = [word for word in words if word.isalpha() and len(word) > 3]
    files = list(_write_files(base / "documents", count, words, chance))
    made_library = LocalLibrary.open(Paths.under(base).default_library, writable=True, create=True)
    model = SiameseEncoder().model
    made_library.models.bind(model)
    ids = [each.document_id for each in made_library.documents.add(files)]
    for number, (document_id, file) in enumerate(zip(ids, files, strict=True)):
        if number % _FAILED_EACH == 0:
            made_library.ingest.fail(document_id, "no_text", Message("This document has no text"))
            continue
        title = " ".join(chance.sample(words, 6)).capitalize() if number % _TITLED_EACH == 0 else ""
        head = DocumentHead(
            _TYPES[file.path.rpartition(".")[2]],
            hashlib.sha256(file.path.encode()).hexdigest(),
            title,
            author=f"{chance.choice(_NAMES)}, {chance.choice('ABCDEFG')}.",
            dated=str(chance.randrange(1950, 2026)),
        )
        made_library.ingest.begin(document_id, head)
        of_document = [f"{chance.choice(texts)} {number}.{row}" for row in range(SENTENCES)]
        spans = [
            SentenceSpan(text, (Place(None, 50 * row, 50 * row + 40, "char"),), row // 2)
            for row, text in enumerate(of_document)
        ]
        made_library.ingest.append(document_id, spans, of_document, random_vectors(SENTENCES, model.dim, number))
        made_library.ingest.finish(document_id, ReadingDone())
    for tag in range(_TAGS):
        made_library.collections.tag(chance.sample(ids, len(ids) // _TAGGED_EACH // 10), [f"{words[97 * tag]}"])
    for collection in range(_COLLECTIONS):
        number = made_library.collections.create(f"Collection of {words[31 * collection]}")
        made_library.collections.add(number, chance.sample(ids, len(ids) // 20))
    for _ in made_library.maintenance.run():
        pass
    made_library.close()
    (base / _DONE).write_text(str(count), "utf-8")


def _write_files(folder: Path, count: int, words: list[str], chance: random.Random) -> list[FileRef]:
    """Write small files below a folder, and return all of them; some are missing afterwards."""
    places = [folder]
    for _ in range(_FOLDERS):
        above = chance.choice(places)
        name = f"{chance.choice(words).capitalize()} {chance.randrange(1900, 2026)}"
        places.append(above / name if len(above.relative_to(folder).parts) < 4 else folder / name)
    found: dict[str, FileRef] = {}
    while len(found) < count:
        number = len(found)
        name = " ".join(chance.sample(words, chance.randrange(1, 6)))
        suffix = chance.choice(list(_TYPES))
        file = chance.choice(places) / f"{chance.choice(_NAMES)} {name} {number}.{suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{name}.\n", "utf-8")
        found[str(file)] = FileRef.on_disk(str(file), os.stat(file))
        if number % _MISSING_EACH == 1:
            file.unlink()
    return list(found.values())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        data = Path(sys.argv[3]) if len(sys.argv) > 3 else None
        _make(Bench(data, Path(work)), Path(sys.argv[1]), int(sys.argv[2]))
