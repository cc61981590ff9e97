"""Texts and paths in the form in which a library stores them."""

from __future__ import annotations

import os
import re
import unicodedata

_SURROGATES = re.compile("[\ud800-\udfff]")
# They change the direction of everything after them, also of what the window writes after a name.
_DIRECTION_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LATIN_MARKS = re.compile("[\u0300-\u036f]+")  # accents, apart from their letters
# A file name from the operating system need not be valid text: stray bytes (POSIX) and lone surrogates (Windows) arrive
# as surrogates of two different kinds.
_PATH_ERRORS = "surrogatepass" if os.name == "nt" else "surrogateescape"


def to_storable_text(text: str) -> str:
    """Return `text` with everything that is not valid Unicode (lone surrogates, stray bytes of names) replaced."""
    return text if text.isascii() else _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def drop_direction_controls(name: str) -> str:
    """Return a name without the characters that change the direction of the whole line; letters keep their own."""
    return name if name.isascii() else _DIRECTION_CONTROLS.sub("", name)


def display_title(own_title: str, title: str | None, name: str) -> str:
    """Return a document's title: the person's own, else the file's, else the file's name."""
    return drop_direction_controls(own_title or title or to_storable_text(name))


def fold_text(text: str | bytes | None) -> str:
    """Return a text without case and accents; a path (given as bytes) with `/` as the separator."""
    if text is None:
        return ""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace").replace(os.sep, "/")
    if text.isascii():
        return text.lower()
    plain = _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", text))
    if plain.isascii():  # nearly every name with accents: a quarter of the time
        return plain.lower()
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


def encode_path(path: str) -> bytes:
    """Return the stored bytes of any path that the operating system can return."""
    return path.encode("utf-8", _PATH_ERRORS)


def decode_path(stored: bytes) -> str:
    """Return the path of stored bytes."""
    return bytes(stored).decode("utf-8", _PATH_ERRORS)
