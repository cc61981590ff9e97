"""An encoder that hashes words and a reader that plays scripts, for tests of order, not of meaning."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from desktop_app.core.duplicates import PairVerdict
from desktop_app.core.errors import FileFailure, VectorNotFinite
from desktop_app.core.foreground_gate import ForegroundGate
from desktop_app.core.jobs import Job, Lane
from desktop_app.core.messages import verbatim
from desktop_app.core.pages import RecognisedPage
from desktop_app.core.reader_events import (
    DocumentHead,
    PageRead,
    ReaderEvent,
    ReadingDone,
    SentenceSpan,
    SentencesRead,
)
from desktop_app.core.records import DeviceInfo, ModelInfo, Occurrence, Place, TokenVectors
from desktop_app.core.sentence_corrections import Correction
from desktop_app.engine.context import EngineContext, EngineSetup
from desktop_app.engine.engine import Engine
from tests.patience import PATIENCE_S

T = TypeVar("T")

DIM = 32


@functools.lru_cache(20_000)
def _hash_word(word: str) -> NDArray[np.float32]:
    """Return a vector of random numbers, the same for the same word."""
    seed = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace")).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)


class HashingEncoder:
    """Texts that share words are near each other; `embedded` records every text."""

    model = ModelInfo("hashing", "f" * 64, DIM, 256, "mean", normalised=True)
    device = DeviceInfo("cpu", "fp32", 1)
    verdict: PairVerdict | None = None  # what it says of every pair

    def __init__(self, batch: int = 16) -> None:
        self.embedded: list[str] = []
        self.timeout_s: list[float | None] = []
        self.refused: set[str] = set()
        self.gives_zeros = False  # for those that are refused
        self.threads: list[int] = []
        self.exact: list[bool] = []
        self._batch = batch

    def encode(
        self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document", exact: bool = False
    ) -> NDArray[np.float32]:
        self.exact.append(exact)
        rows = np.zeros((len(texts), DIM), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split() or [""]:
                row += _hash_word(word.strip(".,"))
            row /= np.linalg.norm(row)
        return rows

    def encode_batches(
        self,
        texts: Sequence[str],
        *,
        normalize: bool = True,
        kind: str = "document",
        exact: bool = False,
        batch_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        self.timeout_s.append(timeout_s)
        for start in range(0, len(texts), self._batch):
            if timeout_s is not None:
                yield np.empty(0, np.int64), np.empty((0, DIM), np.float32)
            part = list(texts[start : start + self._batch])
            for index, text in enumerate(part, start):
                if text in self.refused:
                    raise VectorNotFinite("There is no vector", "", index, is_zero=self.gives_zeros)
            self.embedded += part
            yield np.arange(start, start + len(part)), self.encode(part, exact=exact)

    def tune(self) -> Iterator[None]:
        yield from (None for _ in range(0))

    def knows_words(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([any(map(str.isalnum, text)) for text in texts], np.bool_)

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [TokenVectors(tuple(text.split()), self.encode(text.split())) for text in texts]

    def count_truncated(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([max(0, len(text.split()) - 254) for text in texts], np.int64)

    @property
    def judges_pairs(self) -> bool:
        return self.verdict is not None

    def read_pairs(self) -> None:
        return None

    def judge_pairs(self, u: NDArray[np.float32], *_: object) -> Generator[int, None, list[PairVerdict]]:
        assert self.verdict is not None
        yield len(u)
        return [self.verdict] * len(u)

    def set_threads(self, threads: int) -> None:
        self.threads.append(threads)

    def set_foreground_gate(self, foreground_gate: ForegroundGate) -> None:
        pass

    def count_tokens(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([len(text.split()) + 2 for text in texts], np.int64)


class FakeContext(EngineContext):
    """A context whose encoder is made by a function each time a service asks for it."""

    def __init__(self, engine: Engine, setup: EngineSetup, make_encoder: Callable[[], Any]) -> None:
        super().__init__(engine, setup)
        self._make_encoder = make_encoder

    def load_encoder(self) -> Any:
        return self._make_encoder()

    def library_encoder(self) -> Any:
        return self._make_encoder()

    def open_library(self) -> Any:
        return self.setup.open_library()


def make_context(
    engine: Engine,
    open_library: Callable[[], Any] | None = None,
    encoder: Callable[[], Any] = HashingEncoder,
    **setup: Any,
) -> FakeContext:
    """A context for one service; only the named parts exist."""

    def missing(*_: object) -> Any:
        raise AssertionError("this test opens no such thing")

    required = {
        "open_library": open_library or missing,
        "load_encoder": missing,
        "start_reader": missing,
        "is_supported": missing,
        "choose_device": missing,
    }
    return FakeContext(engine, EngineSetup(**{**required, **setup}), encoder)


class SlowModels:
    """A list of models in which nothing is found before `go` is set: weights are read for their hash."""

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()

    def open(self) -> Any:
        return self

    def find(self, name: str) -> Path:
        self.asked.set()
        assert self.go.wait(PATIENCE_S)
        return Path(name)

    def check_others_go_on(self, engine: Engine, job: Job[T]) -> T:
        """Check that a job that a person waits for is done while `job` looks for a model; return the job's result."""
        try:
            assert self.asked.wait(PATIENCE_S)
            assert engine.submit("typed", lambda: "answered", lane=Lane.FRONT).wait(PATIENCE_S) == "answered"
            assert not job.is_finished
        finally:
            self.go.set()
        return job.wait(PATIENCE_S)


class TunableEncoder(HashingEncoder):
    """Needs three steps to find out that bf16 is fast; `before` has the texts embedded before that."""

    def __init__(self) -> None:
        super().__init__()
        self.device = DeviceInfo("cpu", "fp32", 1)
        self.steps = 0
        self.before: list[str] = []

    def tune(self) -> Iterator[None]:
        while self.steps < 3:
            self.steps += 1
            yield
        if self.device.precision == "fp32":
            self.before = list(self.embedded)
            self.device = DeviceInfo("cpu", "bf16", 1, verbatim("bf16: twice as fast"))


class NoScans:
    """A library without OCR results; remembers the requests."""

    def __init__(self) -> None:
        self.wanted: dict[int, str] = {}

    def request(self, document_ids: Sequence[int], languages: str) -> None:
        self.wanted |= dict.fromkeys(document_ids, languages)

    def save(self, document_id: int, page: RecognisedPage) -> None:
        pass

    def page(self, path: str, page: int) -> RecognisedPage | None:
        return None

    def has_unread(self, document_id: int) -> bool:
        return False


class NoCorrections:
    """A library in which nothing was corrected."""

    def find(self, document_id: int) -> list[Correction]:
        return []

    def on_page(self, document_id: int, page: int) -> list[Occurrence]:
        return []


Script = list[ReaderEvent | FileFailure | None]


def script(*paragraphs: Sequence[str], content_hash: str = "0" * 64, pause: bool = True) -> Script:
    """The events of a reader for a text file with these paragraphs of sentences, with a pause after each event."""
    spans: list[SentenceSpan] = []
    start = 0
    for number, sentences in enumerate(paragraphs):
        for text in sentences:
            spans.append(SentenceSpan(text, (Place(None, start, start + len(text), "char"),), number))
            start += len(text) + 1
    events: Script = [
        DocumentHead("text", content_hash),
        PageRead(1, 1),
        SentencesRead(tuple(spans)),
        ReadingDone(),
    ]
    return [step for event in events for step in ([event, None] if pause else [event])]


class ScriptedReader:
    """Plays a script for each file name; `started` remembers (name, password, known hash)."""

    def __init__(self, scripts: dict[str, Script | list[Script]]) -> None:
        self._scripts = {name: deque(s if s and isinstance(s[0], list) else [s]) for name, s in scripts.items()}
        self.started: list[tuple[str, str | None, str | None]] = []
        self.cancelled: list[str] = []
        self.ocr: list[str] = []
        self.polled = 0

    def start(
        self, path: Path, *, password: str | None = None, known_hashes: Collection[str] = (), ocr: str = ""
    ) -> _Playing:
        self.started.append((path.name, password, min(known_hashes, default=None)))
        self.ocr.append(ocr)
        scripts = self._scripts[path.name]
        return _Playing(self, path.name, scripts.popleft() if len(scripts) > 1 else scripts[0])

    def close(self) -> None:
        pass


class _Playing:
    def __init__(self, reader: ScriptedReader, name: str, events: Script) -> None:
        self._reader = reader
        self._name = name
        self._events = deque(events)

    def poll(self) -> ReaderEvent | None:
        self._reader.polled += 1
        event = self._events.popleft() if self._events else None
        if isinstance(event, FileFailure):
            raise event
        return event

    def cancel(self) -> None:
        self._reader.cancelled.append(self._name)
