"""Messages for a person as data: a template and its values, from where they arise to where they are shown.

Errors, remarks on documents and findings of the doctor are made, stored and passed between processes as `Message`. Only
the place that shows one makes a sentence of it: the command line in English (`str`), the window in the person's
language, by translating the template before it is filled. `packaging/translate.py` collects the templates from the
source, so each is written as a literal where it is used.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from numbers import Integral, Real
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Value: TypeAlias = "str | int | float | Message | tuple[Message, ...]"
"""What fills a place. A tuple of messages is shown as a list, with semicolons between them."""

SYSTEM_TEXTS = (
    "attempt to write a readonly database",
    "database disk image is malformed",
    "database is locked",
    "database or disk is full",
    "database schema has changed",
    "database table is locked",
    "disk I/O error",
    "file is not a database",
    "unable to open database file",
    "Bad file descriptor",
    "Device or resource busy",
    "Disk quota exceeded",
    "File exists",
    "File name too long",
    "File too large",
    "Input/output error",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Stale file handle",
    "Too many open files",
    "Transport endpoint is not connected",
)
"""Texts of SQLite and the operating system that have translations.

Those of the system come in its own language as soon as Qt has asked for that; these are the texts of a system that has
no other.
"""

SEPARATOR = "; "


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """A template and the values that fill it; false where it says nothing.

    `str()` is the English text.

    Attributes:
        template: in the style of `str.format`, with format specs where numbers need them: `{count:,}`.
        values: by the names of their places.
        code: a stable word for scripts (`--json`); may be empty.
    """

    template: str
    values: Mapping[str, Value] = field(hash=False)
    code: str

    def __init__(self, template: str = "", /, *, code: str = "", **values: object) -> None:
        """Keep the values that the template has places for; other than numbers and messages, they are kept as text."""
        self._set(template, values, code)

    @classmethod
    def of(cls, template: str, values: Mapping[str, object], code: str = "") -> Message:
        """Return a message whose values are given as a mapping."""
        message = cls.__new__(cls)
        message._set(template, values, code)
        return message

    def _set(self, template: str, values: Mapping[str, object], code: str) -> None:
        kept = {name: _kept(values[name]) for _, name, _, _ in _parsed(template) if name is not None and name in values}
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "values", kept)
        object.__setattr__(self, "code", code)

    def __bool__(self) -> bool:
        """Say whether there is a text."""
        return bool(self.template)

    def __str__(self) -> str:
        """Return the English text."""
        return fill(self.template, self.values, format_value)

    def with_code(self, code: str) -> Message:
        """Return the same message with a code."""
        return Message.of(self.template, self.values, code)

    def parts(self) -> tuple[Message, ...]:
        """Return the messages that `join_messages` joined; any other message is its only part."""
        parts = self.values.get("parts") if self.template == "{parts}" else None
        return parts if isinstance(parts, tuple) else (self,) if self else ()

    def to_json(self) -> dict[str, Any]:
        """Return plain values for JSON; empty values and codes are left out."""
        data: dict[str, Any] = {"template": self.template}
        if self.values:
            data["values"] = {name: _plain(value) for name, value in self.values.items()}
        if self.code:
            data["code"] = self.code
        return data

    @staticmethod
    def from_json(data: object) -> Message:
        """Return the message that `to_json` was called on; a plain text, as earlier versions wrote it, is kept."""
        if isinstance(data, str):
            return verbatim(data)
        if not isinstance(data, dict) or not isinstance(data.get("template"), str):
            return NOTHING
        values = data.get("values")
        values = {name: _revived(value) for name, value in values.items()} if isinstance(values, dict) else {}
        return Message.of(data["template"], values, str(data.get("code", "")))

    def to_text(self) -> str:
        """Return the message as one text, for a column of a database; plain text is stored as such."""
        if self.template == "{text}" and not self.code and not str(self).startswith("{"):
            return str(self)
        return json.dumps(self.to_json(), ensure_ascii=False) if self else ""

    @staticmethod
    def from_text(text: str) -> Message:
        """Return the message that `to_text` was called on; any other text becomes a message that shows it unchanged."""
        if not text.startswith("{"):
            return verbatim(text)
        try:
            return Message.from_json(json.loads(text)) or verbatim(text)
        except ValueError:
            return verbatim(text)


def verbatim(text: str, *, code: str = "") -> Message:
    """Return a message that shows `text` unchanged in every language."""
    return Message("{text}", code=code, text=text) if text else NOTHING


def join_messages(*messages: Message) -> Message:
    """Return one message for several, shown with semicolons between them; empty ones are left out."""
    parts = tuple(part for message in messages for part in message.parts())
    return parts[0] if len(parts) == 1 else Message("{parts}", parts=parts) if parts else NOTHING


def system_text(text: object) -> Message:
    """Return an error of the system or of SQLite, or its text, as a message; known texts have translations."""
    text = str(text)
    return Message.of(text, {}) if text in SYSTEM_TEXTS else verbatim(text)


def fill(template: str, values: Mapping[str, Value], show: Callable[[Value, str], str]) -> str:
    """Return a template with its places filled; a place without a value is left unchanged.

    Args:
        template: English or translated.
        values: by the names of the places.
        show: returns the text of a value under a format spec.
    """
    texts = []
    for text, name, spec, conversion in _parsed(template):
        texts.append(text)
        if name is None:
            continue
        if name not in values:
            texts.append(f"{{{name}}}")
        elif conversion == "r":
            texts.append(repr(values[name]))
        else:
            texts.append(show(values[name], spec or ""))
    return "".join(texts)


def format_value(value: Value, spec: str = "") -> str:
    """Return the English text of a value."""
    if isinstance(value, tuple):
        return SEPARATOR.join(map(str, value))
    if isinstance(value, Message):
        return str(value)
    try:
        return format(value, spec)
    except ValueError:  # the value is of another kind than the spec, in a library of another version
        return str(value)


@lru_cache(1024)
def _parsed(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """Return (text, name, spec, conversion) of each piece; a text with stray braces is one piece."""
    try:
        return tuple(Formatter().parse(template))
    except ValueError:
        return ((template, None, None, None),)


def _kept(value: object) -> Value:
    if isinstance(value, tuple | list) and all(isinstance(each, Message) for each in value):
        return tuple(value)
    if isinstance(value, str | Message):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else str(value)


def _plain(value: Value) -> Any:
    if isinstance(value, tuple):
        return [each.to_json() for each in value]
    return value.to_json() if isinstance(value, Message) else value


def _revived(value: object) -> object:
    if isinstance(value, list):
        return tuple(map(Message.from_json, value))
    return Message.from_json(value) if isinstance(value, dict) else value


NOTHING = Message()
"""The message that says nothing."""
