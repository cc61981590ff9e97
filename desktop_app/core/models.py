"""The models that a person has, and switching a library from one model to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
