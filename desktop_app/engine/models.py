"""Lists, adds and removes models, and switches a library from one model to another."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.errors import AppError, Cancelled, NotFound, UsageError, VectorNotFinite
from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps, Waiting
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.models import NO_CHANGES, ModelChanges, ModelEntry, RejectedDocument
from desktop_app.engine import embedding
from desktop_app.engine.model_loading import run_in_thread
from desktop_app.engine.model_switch import Reembedder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from desktop_app.core.library import Library
    from desktop_app.core.models import AffectedDocument
    from desktop_app.core.ports import Encoder, ModelCatalogue
    from desktop_app.core.records import ModelInfo
    from desktop_app.engine.context import EngineContext

T = TypeVar("T")

_LIST_JOB = "models"
_IMPORT_CHAIN = "import"  # the chain of all imports
_SWITCH_JOB = "switch model"
# A few odd sentences are left out; a model that refuses more than this number and share of them is damaged.
_MAX_FEW_REFUSED, _MAX_REFUSED_SHARE = 16, 0.01


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model that a person has, and the library's vectors of it.

    Attributes:
        active: whether it is the library's own.
        vectors: how many of the library's sentences have a vector of it.
        switching: `under way` or `stopped` while the library switches to it; else empty.
    """

    entry: ModelEntry
    active: bool
    vectors: int
    switching: str = ""


@dataclass(frozen=True, slots=True)
class ModelList:
    """All models, the number of the library's sentences, and the model that the library had before its own."""

    models: tuple[ModelState, ...]
    sentences: int
    previous: ModelInfo | None = None

    @property
    def target(self) -> ModelState | None:
        """The model that the library switches to."""
        return next((state for state in self.models if state.switching), None)


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


class ModelService:
    """Lists, adds and removes models, and switches the library to another one.

    Args:
        context: the library, its encoder and the models that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def list(self) -> Job[ModelList]:
        """Return the models."""
        return self._context.engine.submit(_LIST_JOB, self._list, lane=Lane.FRONT, key=_LIST_JOB, by_person=False)

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Job[ModelEntry]:
        """Add a model: link a folder, or download a name. A stopped download continues the next time.

        With `changes` to its prompts or length it is a further model beside the original.
        """
        return self._context.engine.submit(
            "add model", lambda: self._models().add(name_or_folder, changes), chain="add model"
        )

    def remove(self, name: str) -> Job[ModelEntry]:
        """Remove a model from the list and delete its download. The active model stays."""
        return self._context.engine.submit("remove model", lambda: self._remove(name), lane=Lane.FRONT)

    def switch(self, name_or_folder: str) -> Job[SwitchReport]:
        """Re-embed the library with another model while its own answers, then switch; continues a stopped switch."""
        return self._context.engine.submit(
            _SWITCH_JOB, lambda: self._switch(lambda: self._models().find(name_or_folder)), key=_SWITCH_JOB
        )

    def resume(self) -> Job[SwitchReport | None]:
        """Continue a switch that closing the program interrupted; None when there is none."""

        def steps() -> Steps[SwitchReport | None]:
            if self._context.setup.open_models is None:
                return None
            library = self._context.open_library()
            target = library.model_switch.target if library.writable else None
            if target is None or target.is_stopped:
                return None
            model = target.model
            return (yield from self._switch(lambda: self._find_folder_of(model.fingerprint, model.folder)))

        return self._context.engine.submit(_SWITCH_JOB, steps, key=_SWITCH_JOB)

    def go_back(self) -> Job[SwitchReport]:
        """Switch to the model that the library had before its own."""

        def steps() -> Steps[SwitchReport]:
            before = self._context.open_library().model_switch.previous
            if before is None:
                raise NotFound("This library has had no other model", "Choose one from the list.")
            return (yield from self._switch(lambda: self._find_folder_of(before.fingerprint, before.folder)))

        return self._context.engine.submit(_SWITCH_JOB, steps, key=_SWITCH_JOB)

    def give_up(self) -> Job[None]:
        """Abandon an unfinished switch, and erase what was embedded for it."""

        def steps() -> Steps[None]:
            library = self._context.open_library()
            library.model_switch.give_up()
            yield ChangeSet(encoder=True)
            for step in library.maintenance.run():
                yield WAITING if isinstance(step, Waiting) else Progress("indexing")

        return self._context.engine.submit("give up switch", steps, key=_SWITCH_JOB)

    # On the engine's thread

    def _models(self) -> ModelCatalogue:
        if self._context.setup.open_models is None:
            raise AppError("No other models are available here", "Open a library with Kindred itself.")
        return self._context.setup.open_models()

    def _list(self) -> ModelList:
        entries = self._models().entries()
        try:
            library = self._context.open_library()
        except NotFound:
            return ModelList(tuple(ModelState(entry, False, 0) for entry in entries), 0)
        own, target = library.models.current, library.model_switch.target
        vectors = library.models.count_vectors()
        known = {entry.info.fingerprint for entry in entries}
        for model in (own, target.model if target else None):
            if model is not None and model.fingerprint not in known:
                entries.append(ModelEntry(model.name, model, "library"))
                known.add(model.fingerprint)
        return ModelList(
            tuple(
                ModelState(
                    entry,
                    own is not None and entry.info.fingerprint == own.fingerprint,
                    vectors.get(entry.info.fingerprint, 0),
                    ""
                    if target is None or target.model.fingerprint != entry.info.fingerprint
                    else ("stopped" if target.is_stopped else "under way"),
                )
                for entry in entries
            ),
            library.info().sentences,
            library.model_switch.previous,
        )

    def _remove(self, name: str) -> ModelEntry:
        for state in self._list().models:
            used = state.active or state.switching
            if used and name in (state.entry.name, state.entry.name.rpartition("/")[2]):
                raise UsageError(
                    Message("The library uses the model {name}", name=state.entry.name)
                    if state.active
                    else Message("The library is switching to the model {name}", name=state.entry.name),
                    "Switch to another one first: `models use NAME`.",
                )
        return self._models().remove(name)

    def _find_folder_of(self, fingerprint: str, folder: str) -> Path:
        """Return the folder of the model of an interrupted switch, even if it has moved."""
        for entry in self._models().entries():
            if entry.info.fingerprint == fingerprint and not entry.problem:
                return self._models().find(entry.name)
        return self._models().find(folder)

    def _switch(self, find: Callable[[], Path]) -> Steps[SwitchReport]:
        library = self._context.open_library()
        yield Progress("opening")
        load = self._context.load_model
        # The weights are hashed first to verify them: for a large model that takes seconds.
        encoder = yield from run_in_thread(lambda: load(find()))
        started = time.monotonic()
        renewals: list[Reembedder] = []
        left_out: tuple[RejectedDocument, ...] = ()
        name = encoder.model.name
        library.model_switch.begin(encoder.model)
        yield ChangeSet(encoder=True)
        try:
            while library.model_switch.target is not None:
                renewal = Reembedder(library, encoder, self._context.engine.is_user_active)
                renewals.append(renewal)
                yield from self._reembed(library, encoder, renewal)
                # An import adds sentences as fast as they can be re-embedded.
                while self._context.engine.has_other_job(_SWITCH_JOB, _IMPORT_CHAIN):
                    yield WAITING
                yield from self._prepare(library, renewal.refused)
                # No yield from here on: the documents that fail must be those that were checked.
                failures = self._list_failures(library, renewal.refused, name)
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
            return SwitchReport(name, _count_embedded(renewals), time.monotonic() - started, True)
        except AppError:
            with contextlib.suppress(AppError):  # the disk may be full: then this cannot be noted either
                library.model_switch.stop()
            yield ChangeSet(encoder=True)
            raise
        if library.models.current is not None and library.models.current.fingerprint == encoder.model.fingerprint:
            self._context.loaded_encoder = encoder  # a library without vectors was bound at once
        report = SwitchReport(name, _count_embedded(renewals), time.monotonic() - started, left_out=left_out)
        try:
            failed = frozenset(each.document_id for each in left_out)
            yield ChangeSet(documents=failed, sentences=True, encoder=True)
            for step in library.maintenance.run():
                yield WAITING if isinstance(step, Waiting) else Progress("indexing")
        except Cancelled:
            pass  # the old model's vectors are erased another time
        return report

    def _prepare(self, library: Library, refused: Collection[int]) -> Steps[None]:
        for step in library.model_switch.prepare(refused):
            yield WAITING if isinstance(step, Waiting) else Progress("indexing")

    def _reembed(self, library: Library, encoder: Encoder, renewal: Reembedder) -> Steps[None]:
        """Give every sentence a vector of the new model.

        Raises:
            VectorNotFinite: the model refuses more sentences than can be the sentences' fault, or too many documents
                would fail because of them.
        """
        sentences = library.info().sentences
        if sentences - library.model_switch.count_done() >= embedding.MIN_TEXTS_TO_TUNE:
            yield from embedding.tune_encoder(encoder)
        most = max(_MAX_FEW_REFUSED, int(sentences * _MAX_REFUSED_SHARE))
        steps = self._take_turns(renewal.run())
        for step in steps:
            yield step
            if len(renewal.refused) > most:
                steps.close()
                raise self._make_refusal_error(library, encoder.model.name, renewal.refused)
        if renewal.refused and not library.model_switch.count_done():
            raise self._make_refusal_error(library, encoder.model.name, renewal.refused)
        self._check_failing_documents(library, renewal.refused, encoder.model.name)

    def _check_failing_documents(
        self, library: Library, refused: dict[int, str], model: str
    ) -> Sequence[AffectedDocument]:
        """Return the documents that fail when the library switches: never all, and few of many.

        A single line that occurs in every file may be refused: nobody wants all of them to fail.

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
            told = Message(
                "{message}, in {path}",
                message=embedding.make_no_vector_failure(model, text, holders[0].place).message,
                path=holders[0].path,
            )
        else:
            told = _unusable(model, text)
        if len(refused) > 1:
            told = Message("{message}, and for {count} others so far", message=told, count=len(refused) - 1)
        if documents > 1:
            told = Message("{message}; {documents:,} documents would fail for it", message=told, documents=documents)
        return VectorNotFinite(
            told, "Its weights may be damaged: copy the model again, or use another. The library answers as before."
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
                "Wait for the import or stop it, then switch; or use another model.",
                busy=busy,
            )
        return failures

    def _take_turns(self, steps: Steps[T]) -> Steps[T]:
        """Run the steps, and let another background job have a turn after each: an import need not wait for the end."""
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            try:
                yield step
                if self._context.engine.has_other_job(_SWITCH_JOB):
                    yield WAITING
            except BaseException:
                steps.close()
                raise


def _count_embedded(renewals: Iterable[Reembedder]) -> int:
    """Return how many sentences were embedded in one switch: not by what is stored, which purges reduce."""
    return sum(renewal.embedded for renewal in renewals)


def _unusable(model: str, text: str) -> Message:
    return Message("The model {model} gives no usable vector for a sentence: “{text}”", model=model, text=text)
