"""Errors that a person can act on; every other exception is a bug."""

from __future__ import annotations

from typing import ClassVar, Literal

FailureReason = Literal[
    "encrypted", "locked", "no_text", "damaged", "unsupported", "too_large", "timeout", "unreadable", "no_vector"
]
"""Why a file could not be imported; `file_failure_hint` has what to do about each.

What is `encrypted` opens with its password; what is `locked` opens in another program at best.
"""


_MAX_SHOWN_CHARACTERS = 80  # characters of a sentence


class Cancelled(Exception):
    """A person stopped a job. Never shown as a fault."""


class AppError(Exception):
    """Something happened that the person can act on.

    Attributes:
        message: what happened, a sentence without a full stop at its end.
        hint: what to do, a sentence; empty where there is nothing to say.
        kind: a stable word for scripts (`--json`).
        exit_status: what the command line ends with.
    """

    kind: ClassVar[str] = "failed"
    exit_status: ClassVar[int] = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[AppError], tuple[str, str]]:
        """Pickle both texts: errors cross from the reader's process."""
        return type(self), (self.message, self.hint)


class UsageError(AppError):
    """The command or its arguments were wrong."""

    kind = "usage"
    exit_status = 2


class NotFound(AppError):
    """A document, file, model or library that was named does not exist."""

    kind = "not_found"


class LibraryBusy(AppError):
    """Another process is writing this library."""

    kind = "library_busy"


class LibraryTooNew(AppError):
    """The library was written by a newer version whose format this one cannot read."""

    kind = "library_too_new"


class LibraryDamaged(AppError):
    """The database itself cannot be read (a bad index file is rebuilt and is not an error)."""

    kind = "library_damaged"


class ModelMissing(AppError):
    """The encoder's files are missing, changed or not of a kind that is loaded."""

    kind = "model_missing"


class ModelMismatch(AppError):
    """A library was asked through another encoder than its own."""

    kind = "model_mismatch"


class Offline(AppError):
    """The network cannot be reached, and a person asked for something from it."""

    kind = "offline"


class DeviceUnavailable(AppError):
    """The device or precision that was asked for is not there."""

    kind = "device_unavailable"


class VectorNotFinite(AppError):
    """A model's vector of a text has a number that is none, or is nothing but zeros where it should have a direction.

    Attributes:
        text: the text's index among those that were to be embedded.
        model: what the model is called.
        is_zero: whether it is zeros.
        sentence: the text, where that is known.
    """

    kind = "vector_not_finite"

    def __init__(
        self,
        message: str,
        hint: str = "",
        text: int = 0,
        *,
        model: str = "",
        is_zero: bool = False,
        sentence: str = "",
    ) -> None:
        super().__init__(message, hint)
        self.text = text
        self.model = model
        self.is_zero = is_zero
        self.sentence = sentence

    def of(self, sentence: str, text: int) -> VectorNotFinite:
        """Return the same of a text, with its index among those that a person has given."""
        fault = "a vector of zeros" if self.is_zero else "no finite vector"
        shown = _shorten_sentence(sentence)
        return VectorNotFinite(
            "The model {model} gives {fault} for “{shown}”",
            self.hint,
            text,
            model=self.model,
            is_zero=self.is_zero,
            sentence=sentence,
            fault=fault,
            shown=shown,
        )

    def in_line(self, number: int, file: str) -> VectorNotFinite:
        """Return the same, with the line of a file that the text stands in."""
        fault = "a vector of zeros" if self.is_zero else "no finite vector"
        shown = _shorten_sentence(self.sentence)
        return VectorNotFinite(
            "The model {model} gives {fault} for line {number} of {file}: “{shown}”",
            self.hint,
            self.text,
            model=self.model,
            fault=fault,
            number=number,
            file=file,
            shown=shown,
        )

    def in_sentence(self, number: int, name: str) -> VectorNotFinite:
        """Return the same, with the sentence of a document that the text is, counted from 1."""
        fault = "a vector of zeros" if self.is_zero else "no finite vector"
        shown = _shorten_sentence(self.sentence)
        return VectorNotFinite(
            "The model {model} gives {fault} for sentence {number} of {name}: “{shown}”",
            self.hint,
            self.text,
            model=self.model,
            fault=fault,
            number=number,
            name=name,
            shown=shown,
        )


def _shorten_sentence(sentence: str) -> str:
    """Return as much of a sentence as a message has room for."""
    return sentence if len(sentence) <= _MAX_SHOWN_CHARACTERS else f"{sentence[:_MAX_SHOWN_CHARACTERS]}…"


class StorageFull(AppError):
    """The disk is full or the folder cannot be written."""

    kind = "storage"


class BadData(AppError):
    """A file of sentences or labels does not have the form that it should."""

    kind = "bad_data"


class FileFailure(AppError):
    """One file could not be imported; the others go on.

    Attributes:
        reason: the stable word that is stored beside the document.
    """

    kind = "file"

    def __init__(self, reason: FailureReason, message: str) -> None:
        super().__init__(message, file_failure_hint(reason))
        self.reason = reason

    def __reduce__(self) -> tuple[type[FileFailure], tuple[FailureReason, str]]:
        """Pickle the reason: failures cross from the reader's process."""
        return type(self), (self.reason, self.message)


def file_failure_hint(reason: FailureReason) -> str:
    """Return what a person can do about a file that failed for `reason`."""
    return {
        "encrypted": "Give its password (--password or KINDRED_PDF_PASSWORD; in the window, Enter password).",
        "locked": "No password opens it here. Where you may, save it without protection in the program that it is for.",
        "no_text": "Its pages are pictures or empty: have them read by OCR (--ocr always; in the window, Read by OCR).",
        "damaged": "Try to open it in another program and save it anew.",
        "unsupported": "Convert it to a format that is read, such as PDF or plain text.",
        "too_large": "Split it, or raise the limit (--max-memory).",
        "timeout": "Raise the limit (--timeout), or save the file anew with another program.",
        "unreadable": "Check that it is still there and that you may read it.",
        "no_vector": "Use another model; where many texts fail, its weights may be damaged.",
    }[reason]
