"""Errors that a person can act on; every other exception is a bug."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, ClassVar, Literal

from desktop_app.core.messages import Message

FailureReason = Literal[
    "encrypted", "locked", "no_text", "damaged", "unsupported", "too_large", "timeout", "unreadable", "no_vector"
]
"""Why a file could not be imported; `file_failure_hint` has what to do about each.

An `encrypted` file opens with its password; a `locked` one opens in another program at best.
"""


_MAX_SHOWN_CHARACTERS = 80  # characters of a sentence


class Cancelled(Exception):
    """A person stopped a job. Never shown as a fault."""


class AppError(Exception):
    """Something happened that the person can act on.

    Attributes:
        message: what happened, a sentence without a full stop at its end; its code is `kind`, or a more precise word.
        hint: what to do, a sentence; empty where there is nothing to say.
        kind: a stable word for scripts (`--json`).
        exit_status: what the command line ends with.
    """

    kind: ClassVar[str] = "failed"
    exit_status: ClassVar[int] = 3

    def __init__(
        self, template: str | Message, hint: str | Message = "", /, *, code: str = "", **values: object
    ) -> None:
        """Make both messages from the templates and their values; a `Message` is used unchanged."""
        self.message = _message(template, values)
        if code or not self.message.code:
            self.message = self.message.with_code(code or self.kind)
        self.hint = _message(hint, values)
        super().__init__(str(self.message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle both messages as data: errors cross from other processes."""
        return _restored, (type(self), self.args, self.__dict__)


def _message(template: str | Message, values: dict[str, object]) -> Message:
    return template if isinstance(template, Message) else Message.of(template, values)


def _restored(kind: type[AppError], args: tuple[object, ...], state: dict[str, Any]) -> AppError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(AppError):
    """The command or its arguments were wrong."""

    kind = "usage"
    exit_status = 2


class NotFound(AppError):
    """A document, file, model or library that was named does not exist."""

    kind = "not_found"


class TakenOver(NotFound):
    """The import of a document was lost with the connection to a shared library: another session may have it now."""


class LibraryBusy(AppError):
    """Another process is writing this library."""

    kind = "library_busy"


class LibraryRearranged(LibraryBusy):
    """Another session of a shared library was in the way: it has replaced tables, or waits for this one.

    The server has undone the statement or transaction: to try again helps.
    """


class LibraryUnreachable(AppError):
    """The server of a shared library does not answer, refuses the user, or cannot hold a library."""

    kind = "library_unreachable"


class RightMissing(AppError):
    """The user of a shared library has no right to do this."""

    kind = "right_missing"


class LibraryTooNew(AppError):
    """The library was written by a newer version whose format this one cannot read."""

    kind = "library_too_new"


class LibraryDamaged(AppError):
    """The database itself cannot be read (a bad index file is rebuilt and is not an error)."""

    kind = "library_damaged"


class ModelMissing(AppError):
    """The encoder's files are missing, changed or of an unsupported kind."""

    kind = "model_missing"


class ModelMismatch(AppError):
    """A library was asked through another encoder than its own."""

    kind = "model_mismatch"


class PackageMissing(AppError):
    """A package that only this feature needs is not installed."""

    kind = "package_missing"


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
        template: str | Message,
        hint: str | Message = "",
        text: int = 0,
        /,
        *,
        model: str = "",
        is_zero: bool = False,
        sentence: str = "",
        **values: object,
    ) -> None:
        super().__init__(_message(template, {"model": model, **values}), _message(hint, {"model": model, **values}))
        self.text = text
        self.model = model
        self.is_zero = is_zero
        self.sentence = sentence

    def of(self, sentence: str, text: int) -> VectorNotFinite:
        """Return the same of a text, with its index among those that a person has given."""
        return VectorNotFinite(
            "The model {model} cannot embed “{shown}”: it gives {fault}",
            self.hint,
            text,
            model=self.model,
            is_zero=self.is_zero,
            sentence=sentence,
            fault=self._fault,
            shown=_shorten_sentence(sentence),
        )

    def in_line(self, number: int, file: str) -> VectorNotFinite:
        """Return the same, with the line of a file that the text stands in."""
        return VectorNotFinite(
            "The model {model} cannot embed line {number} of {file}: it gives {fault} for “{shown}”",
            self.hint,
            self.text,
            model=self.model,
            fault=self._fault,
            number=number,
            file=file,
            shown=_shorten_sentence(self.sentence),
        )

    def in_sentence(self, number: int, name: str) -> VectorNotFinite:
        """Return the same, with the sentence of a document that the text is, counted from 1."""
        return VectorNotFinite(
            "The model {model} cannot embed sentence {number} of {name}: it gives {fault} for “{shown}”",
            self.hint,
            self.text,
            model=self.model,
            fault=self._fault,
            number=number,
            name=name,
            shown=_shorten_sentence(self.sentence),
        )

    @property
    def _fault(self) -> Message:
        return Message("a vector of zeros") if self.is_zero else Message("no finite vector")


def _shorten_sentence(sentence: str) -> str:
    """Return as much of a sentence as a message has room for."""
    return sentence if len(sentence) <= _MAX_SHOWN_CHARACTERS else f"{sentence[:_MAX_SHOWN_CHARACTERS]}…"


class StorageFull(AppError):
    """The disk is full or the folder cannot be written."""

    kind = "storage"


class LibraryReadOnly(StorageFull):
    """There is a library in the folder, which cannot be written: it can only be read."""


class BadData(AppError):
    """A file of sentences or labels does not have the form that it should."""

    kind = "bad_data"


def make_missing_file_error(path: str) -> NotFound:
    """Return the error that no document has a file."""
    return NotFound(
        "No document in the library has the file {path}", "It may have been removed in the meantime.", path=path
    )


class FileFailure(AppError):
    """One file could not be imported; the others go on.

    Attributes:
        reason: the stable word that is stored with the document.
    """

    kind = "file"

    def __init__(self, reason: FailureReason, template: str | Message, /, **values: object) -> None:
        super().__init__(template, file_failure_hint(reason), code=reason, **values)
        self.reason = reason

    def in_file(self, path: str) -> FileFailure:
        """Return this failure with the name of the file, and what to do about a file that is only read."""
        named = FileFailure(self.reason, "{file}: {why}", file=path, why=self.message)
        hint = file_failure_hint(self.reason, path)
        if hint == file_failure_hint(self.reason):  # only an import has the options that these name
            hint = _HINTS_WITHOUT_IMPORT.get(self.reason, hint)
        named.hint = hint
        return named


_HINTS_WITHOUT_IMPORT: dict[FailureReason, Message] = {
    "no_text": Message("Its pages are scanned or empty. Use a copy that contains text."),
    "too_large": Message("Split it."),
    "timeout": Message("Save a new copy with another app."),
}


def file_failure_hint(reason: FailureReason, path: str = "") -> Message:
    """Return what a person can do about a file that failed for `reason`; a text without text is no scan."""
    if path and reason == "no_text":
        from desktop_app.core.formats import find_format, type_by_name

        if not find_format(type_by_name(PurePath(path))).shows_pages:
            return Message("Add text to it, then try again.")
    return {
        "encrypted": Message(
            "Give its password with --password or KINDRED_PDF_PASSWORD; in the window, use Enter Password."
        ),
        "locked": Message("This protection is not supported. Save an unprotected copy if you are allowed to."),
        "no_text": Message("Its pages are scanned or empty. Run OCR (--ocr always; in the window, Run OCR)."),
        "damaged": Message("Try opening it in another app and saving a new copy."),
        "unsupported": Message("Convert it to a supported format, such as PDF or plain text."),
        "too_large": Message("Split it, or raise the limit (--max-memory)."),
        "timeout": Message("Raise the limit (--timeout), or save a new copy with another app."),
        "unreadable": Message("Check that it still exists and that you have permission to read it."),
        "no_vector": Message("Use another model. If many texts fail, the model's files may be damaged."),
    }[reason]
