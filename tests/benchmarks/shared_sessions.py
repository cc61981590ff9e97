"""Sessions of a shared library in processes of their own: `read` or `write` for some seconds, then print what was done.

`python -m tests.benchmarks.shared_sessions read|write ADDRESS PASSWORD SECONDS NUMBER`
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.core.shared_address import parse_shared_address
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_run import Searcher
from desktop_app.shared_store.library import SharedLibrary
from tests.benchmarks.known_vectors import KnownVectors

_QUERIES, _WORDS = 60, 9
_PER_DOCUMENT, _BATCH = 500, 250
_TAIL_ROWS = 2000  # so that upkeep moves vectors into graphs meanwhile


def read(library: SharedLibrary, seconds: float, number: int) -> dict[str, object]:
    """Search as the window does, by meaning and words; returns the seconds of each search."""
    rng = np.random.default_rng(number)
    texts = library._database.column(
        "SELECT text FROM sentence WHERE id %% 7 = 5 AND text ~ '^([A-Za-z]+,? ){6,}[A-Za-z]+\\.$' LIMIT 400"
    )
    chosen = [" ".join(text.split()[:_WORDS]) for text in rng.permutation(texts)[:_QUERIES].tolist()]
    known = KnownVectors.near(library.models.current, library.search.sample_vectors(len(chosen)), chosen, number)
    vectors, taken = QueryVectors(), []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        request = SearchRequest(
            chosen[len(taken) % len(chosen)], top_k=200, page_size=20, mode="both", fold_copies=True
        )
        began = time.perf_counter()
        result = Searcher(library, lambda: known, vectors, request).search()
        taken.append(time.perf_counter() - began)
        assert result.hits, "a search finds something"
    return {"seconds": taken[3:]}


def write(library: SharedLibrary, seconds: float, number: int) -> dict[str, object]:
    """Import made documents, with upkeep after some of them; returns how many sentences were stored."""
    model = library.models.current
    assert model is not None, "the library has a model"
    rng, stored, at = np.random.default_rng(number), 0, 0
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        document = library.documents.add([FileRef(f"/written/{number}/{at}.txt", 1, 1)])[0]
        library.ingest.begin(document.document_id, DocumentHead("text", f"{number:032x}{at:032x}"))
        for top in range(0, _PER_DOCUMENT, _BATCH):
            own = [f"Importer {number} wrote sentence {row} of document {at}." for row in range(top, top + _BATCH)]
            rows = rng.standard_normal((_BATCH, model.dim), np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            spans = [SentenceSpan(text, (Place(None, 0, 40, "char"),), row) for row, text in enumerate(own)]
            library.ingest.append(document.document_id, spans, own, rows)
            stored += _BATCH
        library.ingest.finish(document.document_id, ReadingDone())
        at += 1
        for _ in library.maintenance.run() if at % 3 == 0 else ():
            if time.monotonic() > ends:
                break
    return {"stored": stored}


def main() -> None:
    """Run one session."""
    what, address, password, seconds, number = sys.argv[1:]
    more = {"tail_rows": _TAIL_ROWS} if what == "write" else {}
    with SharedLibrary.open(parse_shared_address(address), password, **more) as library:
        sys.stdout.write(json.dumps({"read": read, "write": write}[what](library, float(seconds), int(number))))


if __name__ == "__main__":
    main()
