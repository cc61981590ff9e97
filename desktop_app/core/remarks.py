"""What is told beside errors: a mark for texts that a person may see."""

from __future__ import annotations


def remark(text: str) -> str:
    """Return `text`, marked as one that the window shows in the person's language.

    Messages and hints of errors need no mark. `packaging/patterns.py` collects both, the window's `told.py` translates.
    """
    return text
