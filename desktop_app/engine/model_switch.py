"""Switches a library to another model: re-embeds every sentence in short steps, then switches.

While the last sentences of a batch are computed, the next batch starts, and finished vectors are stored in small
chunks. So the cores or the GPU never pause, and typing never waits for a long step.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import AppError, Cancelled, VectorNotFinite
from desktop_app.core.jobs import WAITING, ChangeSet, Progress, Steps, Waiting
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.models import RejectedDocument
from desktop_app.engine import embedding
from desktop_app.engine.embedding import (
    BATCH_SIZE,
    CHUNK_SIZE,
    GPU_BATCH_SIZE,
    PATIENCE_S,
    SMALL_CHUNK_SIZE,
    EmbeddingBatch,
)
from desktop_app.engine.model_sharing import share_model
from desktop_app.engine.throughput import ThroughputMeter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from desktop_app.core.arrays import Vector
    from desktop_app.core.library import Library
    from desktop_app.core.models import AffectedDocument
    from desktop_app.core.ports import Encoder
    from desktop_app.engine.context import EngineContext

T = TypeVar("T")

SWITCH_JOB = "switch model"
"""The name and key of every job that switches models."""

LOOKUP_SIZE = 256
"""Sentences that are looked at in one step: some milliseconds."""

_IMPORT_CHAIN = "import"  # the chain of all imports
# A few odd sentences are left out; a model that refuses more than this number and share of them is damaged.
_MAX_FEW_REFUSED, _MAX_REFUSED_SHARE = 16, 0.01


@dataclass(frozen=True, slots=True)
class SwitchReport:
    """The result of a switch.

    Attributes:
        name: of the new model.
        embedded: sentences that had to be embedded for it.
        stopped: whether a person stopped it; what was embedded is kept.
        left_out: documents that failed because the model has no usable vector for one of their sentences.
    """

    name: str
    embedded: int
    seconds: float
    stopped: bool = False
    left_out: tuple[RejectedDocument, ...] = ()


class ModelSwitcher:
    """Switches a library to another model: re-embeds it while its own model answers, then switches.

    Args:
        context: the library, its encoder and the loader of models.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def run(self, find_folder: Callable[[], Path]) -> Steps[SwitchReport]:
        """Re-embed the library and switch; a switch that was stopped continues.

        Args:
            find_folder: returns the folder of the new model; called in another thread.
        """
        library = self._context.open_library()
        yield Progress("opening")
        load = self._context.load_model
        # The weights are hashed to verify them: for a large model that takes seconds.
        folder = yield from run_in_thread(find_folder, may_outlast_job=True)
        encoder = yield from run_in_thread(lambda: load(folder))
        started = time.monotonic()
        reembedders: list[Reembedder] = []
        left_out: tuple[RejectedDocument, ...] = ()
        name = encoder.model.name
        library.model_switch.begin(encoder.model)
        yield ChangeSet(encoder=True)
        try:
            while library.model_switch.target is not None:
                reembedder = Reembedder(library, encoder, self._context.engine.is_user_active)
                reembedders.append(reembedder)
                yield from self._reembed(library, encoder, reembedder)
                # An import adds sentences as fast as they can be re-embedded.
                while self._context.engine.has_other_job(SWITCH_JOB, _IMPORT_CHAIN):
                    yield WAITING
                yield from self._prepare(library, reembedder.refused)
                # No yield from here on: the documents that fail must be those that were checked.
                failures = self._list_failures(library, reembedder.refused, name)
                if library.model_switch.complete({holder.document_id: message for holder, message in failures}):
                    left_out = tuple(
                        RejectedDocument(holder.document_id, holder.path, message)
                        for holder, message in failures
                        if not holder.is_removed
                    )
                    self._context.loaded_encoder = encoder
        except Cancelled:
            library.model_switch.stop()
            yield ChangeSet(encoder=True)
            return SwitchReport(name, _count_embedded(reembedders), time.monotonic() - started, True)
        except AppError:
            with contextlib.suppress(AppError):  # the disk may be full: then this cannot be saved either
                library.model_switch.stop()
            yield ChangeSet(encoder=True)
            raise
        if library.models.current is not None and library.models.current.fingerprint == encoder.model.fingerprint:
            self._context.loaded_encoder = encoder  # a library without vectors was bound at once
        report = SwitchReport(name, _count_embedded(reembedders), time.monotonic() - started, left_out=left_out)
        try:
            failed = frozenset(each.document_id for each in left_out)
            yield ChangeSet(documents=failed, sentences=True, encoder=True)
            for step in library.maintenance.run():
                yield WAITING if isinstance(step, Waiting) else Progress("indexing")
            if self._context.setup.open_models is not None:
                yield from share_model(library, encoder.model, self._context.setup.open_models())
        except Cancelled:
            pass  # the old model's vectors are erased another time
        return report

    def _prepare(self, library: Library, refused: Collection[int]) -> Steps[None]:
        for step in library.model_switch.prepare(refused):
            yield WAITING if isinstance(step, Waiting) else Progress("indexing")

    def _reembed(self, library: Library, encoder: Encoder, reembedder: Reembedder) -> Steps[None]:
        """Give every sentence a vector of the new model.

        Raises:
            VectorNotFinite: the model refuses more sentences than can be the sentences' fault, or too many documents
                would fail because of them.
        """
        sentences = library.info().sentences
        done = yield from library.model_switch.count_done()
        if sentences - done >= embedding.MIN_TEXTS_TO_TUNE:
            yield None
            yield from embedding.tune_encoder(encoder)
        yield None
        limit = max(_MAX_FEW_REFUSED, int(sentences * _MAX_REFUSED_SHARE))
        steps = self._take_turns(reembedder.run(done))
        for step in steps:
            yield step
            if len(reembedder.refused) > limit:
                steps.close()
                raise self._make_refusal_error(library, encoder.model.name, reembedder.refused)
        if reembedder.refused and not (yield from library.model_switch.count_done()):
            raise self._make_refusal_error(library, encoder.model.name, reembedder.refused)
        self._check_failing_documents(library, reembedder.refused, encoder.model.name)

    def _check_failing_documents(
        self, library: Library, refused: dict[int, str], model: str
    ) -> Sequence[AffectedDocument]:
        """Return the documents that fail when the library switches: never all, and few of many.

        If the model refuses a line that occurs in every file, not all of them may fail.

        Raises:
            VectorNotFinite: too many would fail.
        """
        if not refused:
            return []
        holders = library.model_switch.affected_documents(refused)
        failing = sum(not holder.is_removed for holder in holders)
        info = library.info()
        whole = info.documents - info.states.get("failed", 0)
        if failing > max(_MAX_FEW_REFUSED, int(whole * _MAX_REFUSED_SHARE)) or (failing and failing >= whole):
            raise self._make_refusal_error(library, model, refused, failing)
        return holders

    def _make_refusal_error(
        self, library: Library, model: str, refused: dict[int, str], documents: int = 0
    ) -> VectorNotFinite:
        """Return an error that names the first refused sentence, and a document that contains it."""
        sentence_id, text = next(iter(refused.items()))
        if holders := library.model_switch.affected_documents([sentence_id]):
            message = Message(
                "{message}, in {path}",
                message=embedding.make_no_vector_failure(model, text, holders[0].place).message,
                path=holders[0].path,
            )
        else:
            message = _unusable(model, text)
        if len(refused) > 1:
            message = Message("{message}, and {count} others so far", message=message, count=len(refused) - 1)
        if documents > 1:
            message = Message(
                "{message}; {documents:,} documents would fail with this model", message=message, documents=documents
            )
        return VectorNotFinite(
            message,
            ("Its weights may be damaged: copy the model again, or use another. The library keeps its current model."),
        )

    def _list_failures(
        self, library: Library, refused: dict[int, str], model: str
    ) -> Sequence[tuple[AffectedDocument, Message]]:
        """Return each document that fails with the switch and its message, as in an import.

        Raises:
            VectorNotFinite: too many would fail, or a paused import is at such a document.
        """
        failures = [
            (holder, embedding.make_no_vector_failure(model, refused[holder.sentence_id], holder.place).message)
            for holder in self._check_failing_documents(library, refused, model)
        ]
        busy = next(
            (
                Message("{message}, in {path}", message=message, path=holder.path)
                for holder, message in failures
                if holder.is_busy
            ),
            NOTHING,
        )
        if not busy and (needed_by_imports := library.model_switch.needed_by_imports(refused)):
            busy = _unusable(model, refused[min(needed_by_imports)])
        if busy:
            raise VectorNotFinite(
                "{busy}, which is being imported",
                "Wait until the import ends, or stop it, then switch; or use another model.",
                busy=busy,
            )
        return failures

    def _take_turns(self, steps: Steps[T]) -> Steps[T]:
        """Run the steps, and let another background job run after each, so that an import need not wait for the end."""
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            try:
                yield step
                if self._context.engine.has_other_job(SWITCH_JOB):
                    yield WAITING
            except BaseException:
                steps.close()
                raise


class Reembedder:
    """Gives every sentence a vector of the model that the library switches to.

    Args:
        library: switches to the encoder's model.
        encoder: computes the vectors.
        is_user_active: whether to leave a core free at the moment, and keep steps short.

    Attributes:
        refused: sentences (text by id) that the model has no usable vector for.
        embedded: number of sentences that got a vector.
    """

    def __init__(self, library: Library, encoder: Encoder, is_user_active: Callable[[], bool]) -> None:
        self.refused: dict[int, str] = {}
        self.embedded = 0
        self._library = library
        self._switching = library.model_switch
        self._encoder = encoder
        self._is_user_active = is_user_active
        self._batch = BATCH_SIZE if encoder.device.device == "cpu" else GPU_BATCH_SIZE
        self._ids: dict[str, int] = {}  # of texts that are not stored yet
        self._found: dict[str, None] = {}  # texts that are in no batch yet
        self._batches: deque[EmbeddingBatch] = deque()
        self._ready: dict[str, Vector] = {}

    def run(self, before: int) -> Steps[None]:
        """Embed all sentences, step by step. If stopped, stored vectors stay; they are not computed again.

        `before` is how many sentences have a vector already.
        """
        total = self._library.info().sentences
        meter = ThroughputMeter(0)
        after: int | None = 0
        try:
            while after is not None or self._ids:
                embedding.reserve_core(self._encoder, self._is_user_active())
                if after is not None and self._wants_more():
                    after = self._read_next(after)
                    yield None
                self._begin_batch(at_the_end=after is None)
                self._embed()
                yield self._progress(before, total, meter)
                while self._store():  # until few are left: a fast encoder gives more in one step than a chunk
                    total = self._library.info().sentences
                    yield self._progress(before, total, meter)
                    yield from self._switching.flush()
        finally:
            for each in self._batches:
                each.interrupt()
            self._batches.clear()
            embedding.reserve_core(self._encoder, False)

    def _wants_more(self) -> bool:
        return len(self._found) < self._batch and len(self._batches) < 2

    def _read_next(self, after: int) -> int | None:
        """Read the next sentences; returns the last one's id, None at the end."""
        rows, last = self._switching.without_new_vector(after, min(LOOKUP_SIZE, self._batch - len(self._found)))
        for sentence_id, text in rows:
            if sentence_id not in self.refused:
                self._ids[text] = sentence_id
                self._found[text] = None
        return last

    def _begin_batch(self, *, at_the_end: bool) -> None:
        """Start a batch once it is full and the one before is nearly done."""
        if not self._found or (len(self._found) < self._batch and not at_the_end):
            return
        if len(self._batches) < 2 and (not self._batches or len(self._batches[-1].remaining) <= self._batch // 4):
            self._batches.append(EmbeddingBatch(self._found))
            self._found = {}

    def _embed(self) -> None:
        """Collect vectors that are ready."""
        for each in list(self._batches):
            found = each.take(self._encoder, PATIENCE_S)
            if isinstance(found, str):
                del each.remaining[found]
                self.refused[self._ids.pop(found)] = found
            else:
                self._ready |= found
            if not each.remaining:
                self._batches.remove(each)

    def _store(self) -> bool:
        """Store a chunk of vectors, if it is full or no more are expected soon."""
        limit = SMALL_CHUNK_SIZE if self._is_user_active() else CHUNK_SIZE
        if not self._ready or (len(self._ready) < limit and self._batches):
            return False
        texts = list(islice(self._ready, limit))
        beyond = self._encoder.count_truncated(texts).tolist()
        ids = [self._ids.pop(text) for text in texts]
        vectors = np.stack([self._ready.pop(text) for text in texts])
        self._switching.append(ids, vectors, {i for i, count in zip(ids, beyond, strict=True) if count})
        self.embedded += len(ids)
        return True

    def _progress(self, before: int, total: int, meter: ThroughputMeter) -> Progress:
        done = self.embedded + len(self._ready)
        rate = meter.rate(done)
        return Progress(
            "switching",
            min(before + done, total),
            total,
            "sentences",
            sentences=done,
            sentences_per_s=rate,
            remaining_s=max(total - before - done, 0) / rate if rate else None,
        )


def _count_embedded(reembedders: Iterable[Reembedder]) -> int:
    """Return how many sentences were embedded in one switch: not by what is stored, which purges reduce."""
    return sum(reembedder.embedded for reembedder in reembedders)


def _unusable(model: str, text: str) -> Message:
    return Message("The model {model} cannot embed a sentence: “{text}”", model=model, text=text)
