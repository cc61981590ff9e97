"""The models that a person has, and the records of a switch to another model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from desktop_app.core.records import ModelInfo, Place


@dataclass(frozen=True, slots=True)
class ModelChanges:
    """A person's changes to a model; None: the model's own value; an empty prompt: none.

    Attributes:
        query_prompt: put before a query.
        passage_prompt: put before a sentence of the library.
        max_length: tokens beyond which a text is cut.
    """

    query_prompt: str | None = None
    passage_prompt: str | None = None
    max_length: int | None = None

    def __bool__(self) -> bool:
        """Whether anything is changed."""
        return (self.query_prompt, self.passage_prompt, self.max_length) != (None, None, None)

    def over(self, others: ModelChanges) -> ModelChanges:
        """Return these changes, completed by `others`."""
        return ModelChanges(
            others.query_prompt if self.query_prompt is None else self.query_prompt,
            others.passage_prompt if self.passage_prompt is None else self.passage_prompt,
            others.max_length if self.max_length is None else self.max_length,
        )


NO_CHANGES = ModelChanges()


MODEL_NOT_HERE = "shared_model_missing"
"""The code of the error that a shared library's model is not on this computer."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model that a person has.

    Attributes:
        name: the name to select it by.
        origin: `bundled`, `linked` (a folder of the person's own), `downloaded`, `adapted` (another model with changed
            prompts or length), or `library` (the library's own, in no list).
        problem: why it cannot be used; empty if it can.
    """

    name: str
    info: ModelInfo
    origin: str
    problem: Message = NOTHING


@dataclass(frozen=True, slots=True)
class ModelSwitch:
    """A switch of a library to another model; `is_stopped` by a person, so it does not continue by itself."""

    model: ModelInfo
    is_stopped: bool


@dataclass(frozen=True, slots=True)
class RejectedDocument:
    """A document that failed because a model gives no vector for one of its sentences; `message` says which."""

    document_id: int
    path: str
    message: Message


@dataclass(frozen=True, slots=True)
class AffectedDocument:
    """A document with a sentence that a model gives no vector for, and the first place of that sentence.

    Attributes:
        is_removed: it is removed, and can perhaps be restored.
        is_busy: an import is working on it.
    """

    document_id: int
    path: str
    sentence_id: int
    place: Place
    is_removed: bool
    is_busy: bool
