"""Lists, adds and removes models, and switches a library from one model to another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import AppError, NotFound, UsageError
from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps, Waiting
from desktop_app.core.messages import Message
from desktop_app.core.models import NO_CHANGES, ModelChanges, ModelEntry
from desktop_app.core.training_checkpoints import find_unfinished_trainings
from desktop_app.engine.model_sharing import SharedModel, describe_shared_model, fetch_model, share_model
from desktop_app.engine.model_switch import SWITCH_JOB, ModelSwitcher, SwitchReport

if TYPE_CHECKING:
    from desktop_app.core.ports import ModelCatalogue
    from desktop_app.core.records import ModelInfo
    from desktop_app.engine.context import EngineContext

_LIST_JOB = "models"


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


class ModelService:
    """Lists, adds and removes models, and switches the library to another one.

    Args:
        context: the library, its encoder and the models that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._switch = ModelSwitcher(context)

    def list(self) -> Job[ModelList]:
        """Return the models."""
        return self._context.engine.submit(_LIST_JOB, self._list, lane=Lane.FRONT, key=_LIST_JOB, by_person=False)

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Job[ModelEntry]:
        """Add a model: link a folder, or download a name. A stopped download continues the next time.

        With `changes` to its prompts or length it becomes a variant; the original stays.
        """
        return self._context.engine.submit(
            "add model",
            lambda: self._models().add(name_or_folder, changes),
            chain=None if Path(name_or_folder).is_absolute() else "add model",  # a folder waits for no download
        )

    def describe_shared(self) -> Job[SharedModel | None]:
        """Return where the model of the library is; None while it has none."""
        return self._context.engine.submit(
            "shared model",
            lambda: describe_shared_model(self._context.open_library(), self._models()),
            lane=Lane.FRONT,
            by_person=False,
        )

    def fetch(self) -> Job[ModelEntry]:
        """Fetch the model of a shared library from the library. What a stopped job has fetched is kept."""
        return self._context.engine.submit(
            "fetch model", lambda: fetch_model(self._context.open_library(), self._models()), chain="add model"
        )

    def share(self) -> Job[None]:
        """Store the files of the loaded model in a shared library, unless they are there."""

        def steps() -> Steps[None]:
            encoder, library = self._context.loaded_encoder, self._context.open_library()
            own = library.models.current
            if encoder is not None and own is not None and own.fingerprint == encoder.model.fingerprint:
                yield from share_model(library, encoder.model, self._models())

        return self._context.engine.submit("share model", steps, key="share model")

    def remove(self, name: str) -> Job[ModelEntry]:
        """Remove a model from the list and delete its download. The active model stays."""
        return self._context.engine.submit("remove model", lambda: self._remove(name), lane=Lane.FRONT)

    def switch(self, name_or_folder: str) -> Job[SwitchReport]:
        """Re-embed the library with another model while its own answers, then switch; continues a stopped switch."""
        return self._context.engine.submit(
            SWITCH_JOB,
            lambda: self._switch.run(lambda: self._models().find(name_or_folder)),
            key=SWITCH_JOB,
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
            return (yield from self._switch.run(lambda: self._find_folder_of(model.fingerprint, model.folder)))

        return self._context.engine.submit(SWITCH_JOB, steps, key=SWITCH_JOB)

    def go_back(self) -> Job[SwitchReport]:
        """Switch to the model that the library had before its own."""

        def steps() -> Steps[SwitchReport]:
            before = self._context.open_library().model_switch.previous
            if before is None:
                raise NotFound("This library has no previous model", "Select one from the list.")
            return (yield from self._switch.run(lambda: self._find_folder_of(before.fingerprint, before.folder)))

        return self._context.engine.submit(SWITCH_JOB, steps, key=SWITCH_JOB)

    def give_up(self) -> Job[None]:
        """Abandon an unfinished switch, and erase what was embedded for it."""

        def steps() -> Steps[None]:
            library = self._context.open_library()
            library.model_switch.give_up()
            yield ChangeSet(encoder=True)
            for step in library.maintenance.run():
                yield WAITING if isinstance(step, Waiting) else Progress("indexing")

        return self._context.engine.submit("give up switch", steps, key=SWITCH_JOB)

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
            entry, used = state.entry, state.active or state.switching
            if name not in (entry.name, entry.name.rpartition("/")[2]):
                continue
            is_deleted = entry.origin in ("downloaded", "adapted")  # the folder of a linked one stays
            if is_deleted and not {entry.name, entry.info.folder}.isdisjoint(self._context.training_models):
                raise UsageError(
                    Message("A training starts from the model {name}", name=entry.name),
                    "Wait until it ends, or stop it.",
                )
            if is_deleted and not {entry.name, entry.info.folder}.isdisjoint(self._models_of_stopped_trainings()):
                raise UsageError(
                    Message("A stopped training starts from the model {name}", name=entry.name),
                    "Resume or discard the training first, in the window: it cannot be resumed without its model.",
                )
            if used:
                raise UsageError(
                    Message("The library uses the model {name}", name=entry.name)
                    if state.active
                    else Message("The library is switching to the model {name}", name=entry.name),
                    "Switch to another model first: `models use NAME`.",
                )
        return self._models().remove(name)

    def _models_of_stopped_trainings(self) -> set[str]:
        """Return the names or folders of the models from which the window's stopped trainings start."""
        folder = self._context.setup.trained_folder
        if folder is None:
            return set()
        return {(each.stages or (each.request,))[0].model for each in find_unfinished_trainings(folder)}

    def _find_folder_of(self, fingerprint: str, folder: str) -> Path:
        """Return the folder of the model of an interrupted switch, even if it has moved."""
        for entry in self._models().entries():
            if entry.info.fingerprint == fingerprint and not entry.problem:
                return self._models().find(entry.name)
        return self._models().find(folder)
