"""A library on the engine's thread, with the services of analyses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.core.duplicates import Pair, PairsRequest
from desktop_app.core.jobs import Job, Lane
from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place, SpanKind
from desktop_app.engine.clusters import ClusterService
from desktop_app.engine.duplicates import DuplicateService
from desktop_app.engine.engine import Engine
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S
from tests.steps import go_through

from .fakes import DIM, HashingEncoder, make_context

_NO_NUMBERS = np.full(DIM, np.nan, "<f4").tobytes()


class AnalysedLibrary:
    """A library on the engine's thread, filled with texts whose vectors share words."""

    def __init__(self, folder: Path, start_work: Callable[[str, object], Any] | None = None) -> None:
        self.engine = Engine()
        self._folder = folder
        self._library: LocalLibrary | None = None
        self.context = make_context(self.engine, self.library, start_task=start_work)
        self.duplicates = DuplicateService(self.context)
        self.clusters = ClusterService(self.context)
        self.engine.at_exit(lambda: self.library().close())
        self.engine.start()

    def library(self) -> LocalLibrary:
        if self._library is None:
            self._library = LocalLibrary.open(self._folder)
            self._library.models.bind(HashingEncoder.model)
        return self._library

    def do(self, work: Callable[[], Any]) -> Any:
        return self.engine.submit("test", work).wait(PATIENCE_S)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Block the engine's thread: requests made meanwhile do not start before their caller listens."""
        go = threading.Event()
        self.engine.submit("held", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
        try:
            yield
        finally:
            go.set()

    def put(self, name: str, *texts: str, layout: SpanKind | None = None) -> int:
        """Import sentences; with `layout` what they are is decided like by a reader."""

        def work() -> int:
            library = self.library()
            document = library.documents.add([FileRef(f"/papers/{name}", 1, 1)])[0]
            library.ingest.begin(document.document_id, DocumentHead("text", name))
            spans = [SentenceSpan(text, (Place(None, at, at + 1, "char"),), at) for at, text in enumerate(texts)]
            if layout is not None:
                decided = [decide_kind(layout, text) for text in texts]
                spans = [
                    replace(span, kind=layout, passage=passage, reason=reason)
                    for span, (passage, reason) in zip(spans, decided, strict=True)
                ]
            new = library.ingest.without_vector(texts)
            library.ingest.append(document.document_id, spans, new, HashingEncoder().encode(new))
            library.ingest.finish(document.document_id, ReadingDone())
            return document.document_id

        return self.do(work)

    def damage(self, text: str, stored: bytes = _NO_NUMBERS) -> None:
        """Replace the vector of a sentence, by NaN as in some old libraries if nothing else is given."""

        def work() -> None:
            with self.library()._database.write_transaction() as connection:
                connection.exec_driver_sql(
                    "UPDATE embedding SET vector = ? WHERE sentence_id = (SELECT id FROM sentence WHERE text = ?)",
                    (stored, text),
                )

        self.do(work)

    def forget_neighbours(self) -> None:
        """Delete the stored neighbours: the next graph is a new one."""

        def work() -> None:
            with self.library()._database.write_transaction() as connection:
                connection.exec_driver_sql("DELETE FROM neighbour")

        self.do(work)

    def switch(self, encoder: HashingEncoder, lane: Lane = Lane.BACKGROUND) -> Job[None]:
        """Give every sentence a vector of another model, and switch the library to it."""

        def work() -> None:
            switching = self.library().model_switch
            switching.begin(encoder.model)
            pending, _ = switching.without_new_vector(0, 100_000)
            switching.append([key for key, _ in pending], encoder.encode([text for _, text in pending]))
            for _ in go_through(switching.prepare()):
                pass
            assert switching.complete()

        return self.engine.submit("switch", work, lane=lane)

    def pairs(self, **request: object) -> list[Pair]:
        return list(self.duplicates.find_pairs(PairsRequest(**request)).wait(PATIENCE_S).pairs)

    def pair_texts(self, **request: object) -> list[tuple[str, str, str]]:
        return [(pair.kind, pair.a.text, pair.b.text) for pair in self.pairs(**request)]
