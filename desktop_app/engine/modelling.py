"""Models: what there is, bringing one in, taking one away, and a library's way from one to another."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.errors import AppError, Cancelled, NotFound, UsageError, VectorNotFinite
from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps, Waiting
from desktop_app.core.models import NO_CHANGES, ModelChanges, ModelEntry
from desktop_app.engine import embedding, passes
from desktop_app.engine.beside import beside
from desktop_app.engine.renewing import Renewal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop_app.core.library_ports import Library
    from desktop_app.core.models import LeftOut, ModelSource
    from desktop_app.core.ports import Encoder
    from desktop_app.core.records import ModelInfo, Place
    from desktop_app.engine.engine import Engine

T = TypeVar("T")

_LIST = "models"
_IMPORTS = "import"  # the chain of everything that takes documents in
_SWITCH = "switch model"
# A few odd sentences are left out; a model that refuses more than these, and than one of a hundred, is damaged.
_FEW_REFUSED, _SHARE_REFUSED = 16, 0.01


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model that a person has, and what the library has of it.

    Attributes:
        active: whether it is the library's own.
        vectors: how many of the library's sentences have a vector of it.
        switching: `under way` or `stopped` while the library is on its way to it; else empty.
    """

    entry: ModelEntry
    active: bool
    vectors: int
    switching: str = ""


@dataclass(frozen=True, slots=True)
class ModelList:
    """All models, how many sentences the library has, and which model it answered to before its own."""

    models: tuple[ModelState, ...]
    sentences: int
    previous: ModelInfo | None = None

    @property
    def target(self) -> ModelState | None:
        """The model that the library is on its way to."""
        return next((state for state in self.models if state.switching), None)


@dataclass(frozen=True, slots=True)
class SwitchReport:
    """What became of a switch.

    Attributes:
        name: of the model that was switched to.
        embedded: sentences that had to be embedded for it.
        stopped: a person stopped it; what was embedded is kept.
        left_out: documents that failed, for the model gives no finite vector for one of their sentences.
    """

    name: str
    embedded: int
    seconds: float
    stopped: bool = False
    left_out: tuple[LeftOut, ...] = ()


class Modelling:
    """Use cases over the models that a person has and the library's own.

    Args:
        engine: runs the jobs.
        open_library: returns the library; called on the engine's thread.
        source: the models; None where none but the library's own is to be had.
        load: loads the encoder in a folder.
        use: makes an encoder the one that answers, at the moment when the library has become its own.
    """

    def __init__(
        self,
        engine: Engine,
        open_library: Callable[[], Library],
        source: Callable[[], ModelSource] | None,
        load: Callable[[Path], Encoder] | None,
        use: Callable[[Encoder], None],
    ) -> None:
        self._engine = engine
        self._open_library = open_library
        self._source = source
        self._load = load
        self._use = use

    def list(self) -> Job[ModelList]:
        """Return the models."""
        return self._engine.submit(_LIST, self._list, lane=Lane.FRONT, key=_LIST, by_person=False)

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Job[ModelEntry]:
        """Bring a model in: link a folder, or download a name. Stopped, what was fetched stays for the next time.

        With `changes` to its prompts or length it is another model, beside the one that it is made of.
        """
        return self._engine.submit("add model", lambda: self._models().add(name_or_folder, changes), chain="add model")

    def remove(self, name: str) -> Job[ModelEntry]:
        """Take a model off the list; what was downloaded is deleted. The one in use stays."""
        return self._engine.submit("remove model", lambda: self._remove(name), lane=Lane.FRONT)

    def switch(self, name_or_folder: str) -> Job[SwitchReport]:
        """Re-embed the library with another model while its own answers, then switch; goes on where it was stopped."""
        return self._engine.submit(
            _SWITCH, lambda: self._switch(lambda: self._models().find(name_or_folder)), key=_SWITCH
        )

    def resume(self) -> Job[SwitchReport | None]:
        """Go on with a switch that the end of the program broke off; None when there is none."""

        def steps() -> Steps[SwitchReport | None]:
            if self._source is None:
                return None
            library = self._open_library()
            target = library.switching.target if library.writable else None
            if target is None or target.is_stopped:
                return None
            model = target.model
            return (yield from self._switch(lambda: self._folder_of(model.fingerprint, model.folder)))

        return self._engine.submit(_SWITCH, steps, key=_SWITCH)

    def go_back(self) -> Job[SwitchReport]:
        """Switch to the model that the library answered to before its own."""

        def steps() -> Steps[SwitchReport]:
            before = self._open_library().switching.previous
            if before is None:
                raise NotFound("This library has had no other model", "Choose one of the list.")
            return (yield from self._switch(lambda: self._folder_of(before.fingerprint, before.folder)))

        return self._engine.submit(_SWITCH, steps, key=_SWITCH)

    def give_up(self) -> Job[None]:
        """Forget a switch that is not done, and erase what was embedded for it."""

        def steps() -> Steps[None]:
            library = self._open_library()
            library.switching.give_up()
            yield ChangeSet(encoder=True)
            for step in library.maintain():
                yield WAITING if isinstance(step, Waiting) else Progress("indexing")

        return self._engine.submit("give up switch", steps, key=_SWITCH)

    # On the engine's thread

    def _models(self) -> ModelSource:
        if self._source is None:
            raise AppError("No other models are to be had here", "Open a library with Kindred itself.")
        return self._source()

    def _list(self) -> ModelList:
        entries = self._models().entries()
        try:
            library = self._open_library()
        except NotFound:
            return ModelList(tuple(ModelState(entry, False, 0) for entry in entries), 0)
        own, target = library.model, library.switching.target
        vectors = library.vectors_by_model()
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
            library.switching.previous,
        )

    def _remove(self, name: str) -> ModelEntry:
        for state in self._list().models:
            used = state.active or state.switching
            if used and name in (state.entry.name, state.entry.name.rpartition("/")[2]):
                raise UsageError(
                    f"The library answers to the model {state.entry.name}"
                    if state.active
                    else f"The library is on its way to the model {state.entry.name}",
                    "Switch to another one first: `models use NAME`.",
                )
        return self._models().remove(name)

    def _folder_of(self, fingerprint: str, folder: str) -> Path:
        """Return the folder of a model that was begun with, also when it has moved on the shelf."""
        for entry in self._models().entries():
            if entry.info.fingerprint == fingerprint and not entry.problem:
                return self._models().find(entry.name)
        return self._models().find(folder)

    def _switch(self, find: Callable[[], Path]) -> Steps[SwitchReport]:
        library = self._open_library()
        yield Progress("opening")
        assert self._load is not None, "where there are models they can be loaded"
        load = self._load
        # The weights are hashed before they are believed: of a large model that takes seconds.
        encoder = yield from beside(lambda: load(find()))
        started = time.monotonic()
        embedded = 0
        left_out: tuple[LeftOut, ...] = ()
        name = encoder.model.name
        library.switching.begin(encoder.model)
        had = library.switching.done()
        yield ChangeSet(encoder=True)
        try:
            while library.switching.target is not None:
                renewal = yield from self._re_embed(library, encoder)
                embedded += renewal.embedded
                # The sentences of an import would come as fast as they are caught up with.
                while self._engine.has_other_work(_SWITCH, _IMPORTS):
                    yield WAITING
                yield from self._prepare(library)
                if renewal.refused:
                    left_out += yield from self._leave_out(library, renewal.refused, name)
                    yield from self._prepare(library)
                if library.switching.complete():
                    self._use(encoder)
        except Cancelled:
            embedded = library.switching.done() - had
            library.switching.stop()
            yield ChangeSet(encoder=True)
            return SwitchReport(name, embedded, time.monotonic() - started, True, left_out)
        except AppError:
            with contextlib.suppress(AppError):  # the disk may be full: then this cannot be noted either
                library.switching.stop()
            yield ChangeSet(encoder=True)
            raise
        if library.model is not None and library.model.fingerprint == encoder.model.fingerprint:
            self._use(encoder)  # a library without vectors was bound at once
        yield ChangeSet(sentences=True, encoder=True)
        report = SwitchReport(name, embedded, time.monotonic() - started, left_out=left_out)
        try:
            for step in library.maintain():
                yield WAITING if isinstance(step, Waiting) else Progress("indexing")
        except Cancelled:
            pass  # the old model's vectors are erased another time
        return report

    def _prepare(self, library: Library) -> Steps[None]:
        for step in library.switching.prepare():
            yield WAITING if isinstance(step, Waiting) else Progress("indexing")

    def _re_embed(self, library: Library, encoder: Encoder) -> Steps[Renewal]:
        """Give every sentence a vector of the new model; returns what became of them.

        Raises:
            VectorNotFinite: the model refuses more of them than can be the sentences' fault.
        """
        sentences = library.info().sentences
        if sentences - library.switching.done() >= embedding.WORTH_TUNING:
            yield from embedding.tune(encoder)
        renewal = Renewal(library, encoder, lambda: self._engine.someone_waits)
        most = max(_FEW_REFUSED, int(sentences * _SHARE_REFUSED))
        steps = self._in_turns(renewal.run())
        for step in steps:
            yield step
            if len(renewal.refused) > most:
                steps.close()
                raise self._too_many(library, encoder.model.name, renewal.refused)
        if renewal.refused and not library.switching.done():
            raise self._too_many(library, encoder.model.name, renewal.refused)
        return renewal

    def _too_many(self, library: Library, model: str, refused: dict[int, str]) -> VectorNotFinite:
        sentence_id, text = next(iter(refused.items()))
        told = f"The model {model} gives no finite vector for a sentence: “{text}”"
        if holders := library.switching.holders(sentence_id):
            _, path, place = holders[0]
            told = f"{passes.no_vector(model, text, place).message}, in {path}"
        return VectorNotFinite(
            f"{told}, and for {len(refused) - 1} others so far" if len(refused) > 1 else told,
            "Its weights may be damaged: copy the model anew, or use another. The library answers as before.",
        )

    def _leave_out(self, library: Library, refused: dict[int, str], model: str) -> Steps[tuple[LeftOut, ...]]:
        """Have the documents fail that hold sentences without a vector, as they would in an import.

        Raises:
            VectorNotFinite: an import that is held is at such a document.
        """
        left_out: tuple[LeftOut, ...] = ()
        for sentence_id, text in refused.items():

            def told(place: Place, text: str = text) -> str:
                return passes.no_vector(model, text, place).message

            left_out += tuple((yield from library.switching.leave_out(sentence_id, told)))
            if holders := library.switching.holders(sentence_id):
                _, path, place = holders[0]
                raise VectorNotFinite(
                    f"{told(place)}, in {path}, which is being imported",
                    "Let the import go on, or stop it, and switch then; or use another model.",
                )
        yield ChangeSet(documents=frozenset(each.document_id for each in left_out), sentences=True)
        return left_out

    def _in_turns(self, steps: Steps[T]) -> Steps[T]:
        """Do the steps, and let another background job have one after each: an import need not wait for the end."""
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            try:
                yield step
                if self._engine.has_other_work(_SWITCH):
                    yield WAITING
            except BaseException:
                steps.close()
                raise
