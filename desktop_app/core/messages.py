"""Messages other than errors that a person may see, marked for translation."""

from __future__ import annotations


def remark(text: str) -> str:
    """Return `text`, marked as one that the window shows in the person's language.

    Messages and hints of errors need no mark. `packaging/patterns.py` collects both, the window's `messages.py`
    translates.
    """
    return text
