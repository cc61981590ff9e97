"""The models that a person has, and switching a library from one model to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.jobs import Step, Steps
    from desktop_app.core.records import ModelInfo, Place


@dataclass(frozen=True, slots=True)
class ModelChanges:
    """What a person sets of a model; None: as the model says, an empty prompt: none.

    Attributes:
        query_prompt: put before a query.
        passage_prompt: put before a sentence of the library.
        max_length: tokens beyond which a text is cut.
    """

    query_prompt: str | None = None
    passage_prompt: str | None = None
    max_length: int | None = None

    def __bool__(self) -> bool:
        """Whether anything is set."""
        return (self.query_prompt, self.passage_prompt, self.max_length) != (None, None, None)

    def over(self, others: ModelChanges) -> ModelChanges:
        """Return these, and where nothing is said what `others` say."""
        return ModelChanges(
            others.query_prompt if self.query_prompt is None else self.query_prompt,
            others.passage_prompt if self.passage_prompt is None else self.passage_prompt,
            others.max_length if self.max_length is None else self.max_length,
        )


NO_CHANGES = ModelChanges()


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model that a person has.

    Attributes:
        name: by which it is asked for.
        origin: `bundled`, `linked` (a folder of the person's own), `downloaded`, `adapted` (another one's parts with
            prompts or a length that a person set), or `library` (the library's own, in no list).
        problem: why it cannot be used; empty when it can.
    """

    name: str
    info: ModelInfo
    origin: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelSwitch:
    """A library's way to another model; `is_stopped` by a person, so that it does not go on by itself."""

    model: ModelInfo
    is_stopped: bool


@dataclass(frozen=True, slots=True)
class RejectedDocument:
    """A document that failed because a model gives no vector for one of its sentences; `message` says which."""

    document_id: int
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class AffectedDocument:
    """A document with a sentence that a model gives no vector for, and where that stands in it first.

    Attributes:
        is_removed: it is not in the list, and can perhaps be restored.
        is_busy: an import is at it.
    """

    document_id: int
    path: str
    sentence_id: int
    place: Place
    is_removed: bool
    is_busy: bool


class ModelSwitching(Protocol):
    """A library's way from one model to another.

    New vectors are stored beside the old ones, which answer until `complete`. All that was stored stays when the
    program ends, however it does, and is taken up by the next `begin` with the same model.
    """

    @property
    def target(self) -> ModelSwitch | None:
        """The switch that was begun and is neither complete nor given up."""
        ...

    @property
    def previous(self) -> ModelInfo | None:
        """The model that the library answered to before its own; None where there was none. It has no vectors of it."""
        ...

    def begin(self, model: ModelInfo) -> None:
        """Begin to switch to `model`, or go on; a switch to another one is given up.

        A library without vectors is bound to it at once, and one whose own model it is stays so: then there is no
        `target` afterwards.
        """
        ...

    def stop(self) -> None:
        """Note that a person stopped the switch."""
        ...

    def give_up(self) -> None:
        """Have no switch any more; the next purge erases what was stored for it."""
        ...

    def done(self) -> int:
        """Return how many sentences have a vector of the new model."""
        ...

    def bare(self, after: int, limit: int) -> tuple[list[tuple[int, str]], int | None]:
        """Look at the next `limit` sentences with ids above `after`.

        Returns:
            (id, text) of those without a vector of the new model, and the last id looked at; None at the end.
        """
        ...

    def append(
        self, sentence_ids: Sequence[int], vectors: NDArray[np.float32], truncated: Collection[int] = ()
    ) -> None:
        """Store vectors of the new model, float32 [len(sentence_ids), dim], rows of length 1.

        `truncated` are those of `sentence_ids` of which the model does not see the end.
        """
        ...

    def holders(self, sentence_ids: Collection[int]) -> list[AffectedDocument]:
        """Return the documents in which any of these sentences stands, each once."""
        ...

    def needed_by_imports(self, sentence_ids: Collection[int]) -> set[int]:
        """Return those of these sentences that an import under way counts on."""
        ...

    def prepare(self, refused: Collection[int] = ()) -> Iterator[Step]:
        """Make ready what the new model needs beside its vectors, step by step.

        `refused` are sentences that it gives no vector for. They do not hold the switch up, but go with it.
        """
        ...

    def complete(self, told: Mapping[int, str] | None = None) -> bool:
        """Switch in one transaction; False when sentences came in, or went, since `prepare`: nothing was done.

        In the same transaction the documents fail that hold a refused sentence.

        Args:
            told: what to note of each of those documents, by its id.
        """
        ...


class ModelCatalogue(Protocol):
    """The models that a person has. Used from one thread."""

    def entries(self) -> list[ModelEntry]:
        """Return all of them, the bundled one first."""
        ...

    def find(self, name_or_folder: str) -> Path:
        """Return the folder of a model, by its name or as it is.

        Raises:
            ModelMissing: there is no such model, or it is not what it was.
        """
        ...

    def add(self, name_or_folder: str, changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        """Link a folder, or download a name; a model is tried before it is listed.

        With `changes` it is another model, beside the one that it is made of.

        Raises:
            AppError: it cannot be had or is of no use; nothing has changed.
        """
        ...

    def remove(self, name: str) -> ModelEntry:
        """Take a model off the list; what was downloaded is deleted.

        Raises:
            AppError: there is none of that name, or it is the bundled one.
        """
        ...
