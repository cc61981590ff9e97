"""Messages translated into the language of the window: first the template, then what fills it.

Numbers are written as the language writes them, messages within a message are translated as well, and all other values
stay as they are: names, paths, sentences of documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_app.core.messages import SEPARATOR, Message, fill, format_value

if TYPE_CHECKING:
    from desktop_app.core.messages import Value

CONTEXT = "messages"
"""Under which the templates stand in the translations."""


def translate_message(message: Message) -> str:
    """Return a message in the person's language; in English where a template has no translation."""
    if not message:
        return ""
    return fill(QCoreApplication.translate(CONTEXT, message.template), message.values, _shown)


def _shown(value: Value, spec: str) -> str:
    if isinstance(value, Message):
        return translate_message(value)
    if isinstance(value, tuple):
        return SEPARATOR.join(map(translate_message, value))
    text = format_value(value, spec)
    if isinstance(value, str) or not spec:
        return text
    decimals = text.partition(".")[2]
    if decimals.isdecimal():
        return QLocale().toString(float(value), "f", len(decimals))
    return QLocale().toString(round(value)) if "," in spec else text
