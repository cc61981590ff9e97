"""A library on the engine's thread, with what analyses are asked through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_app.core.insight import Pair, PairsRequest
from desktop_app.core.reading import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.engine.analysing import Analysing
from desktop_app.engine.engine import Engine
from desktop_app.store.local_library import LocalLibrary

from .fakes import HashingEncoder

WAIT_S = 30


class Shelf:
    """A library on the engine's thread, filled with texts whose vectors share words."""

    def __init__(self, folder: Path, start_work: Callable[[str, object], Any] | None = None) -> None:
        self.engine = Engine()
        self._folder = folder
        self._library: LocalLibrary | None = None
        self.analysing = Analysing(
            self.engine, self.library, start_work=start_work, embed=lambda text: HashingEncoder().encode([text])[0]
        )
        self.engine.at_exit(lambda: self.library().close())
        self.engine.start()

    def library(self) -> LocalLibrary:
        if self._library is None:
            self._library = LocalLibrary.open(self._folder)
            self._library.bind_model(HashingEncoder.model)
        return self._library

    def do(self, work: Callable[[], Any]) -> Any:
        return self.engine.submit("test", work).wait(WAIT_S)

    def put(self, name: str, *texts: str) -> int:
        def work() -> int:
            library = self.library()
            document = library.add_files([FileRef(f"/papers/{name}", 1, 1)])[0]
            library.begin_document(document.document_id, DocumentHead("text", name, 1))
            spans = [SentenceSpan(text, (Place(None, at, at + 1, "char"),), at) for at, text in enumerate(texts)]
            new = library.without_vector(texts)
            library.append(document.document_id, spans, new, HashingEncoder().encode(new))
            library.finish_document(document.document_id, ReadingDone())
            return document.document_id

        return self.do(work)

    def pairs(self, **request: object) -> list[Pair]:
        return list(self.analysing.pairs(PairsRequest(**request)).wait(WAIT_S).pairs)

    def told(self, **request: object) -> list[tuple[str, str, str]]:
        return [(pair.kind, pair.a.text, pair.b.text) for pair in self.pairs(**request)]
