"""Texts as the server accepts them."""

from __future__ import annotations

from desktop_app.core.sentence_corrections import hash_text
from desktop_app.core.stored_text import to_storable_text


def clean_text(text: str) -> str:
    """Return a text without NUL and lone surrogates, which the server refuses."""
    return to_storable_text(text).replace("\0", "\N{REPLACEMENT CHARACTER}")


def key_of(text: str) -> bytes:
    """Return the hash by which a text is found."""
    return hash_text(clean_text(text))
