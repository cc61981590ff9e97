"""What the card of a model (its README) says of the languages that it knows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_MOST_CHARACTERS = 20_000
_HEAD = re.compile(r"\A---\s*\n(.*?)\n---", re.DOTALL)
_LANGUAGE = re.compile(r"^languages?:[ \t]*(\[[^\]]*\]|[^\n]*)\n?((?:[ \t]*-[ \t]*\S+[ \t]*(?:\n|\Z))*)", re.MULTILINE)
_CODE = re.compile(r"[a-z]{2}(?![a-z])")


def card_languages(folder: Path) -> tuple[str, ...]:
    """Return the languages of the model in a folder, by two letters; nothing where its card names none of them."""
    try:
        text = (folder / "README.md").read_text("utf-8", errors="replace")[:_MOST_CHARACTERS]
    except OSError:
        return ()
    head = _HEAD.match(text.replace("\r\n", "\n"))
    named = _LANGUAGE.search(head[1] + "\n") if head is not None else None
    if named is None:
        return ()
    words = re.findall(r"[\w-]+", f"{named[1]} {named[2]}".lower())
    codes = [word for word in words if word != "-"]
    # "multilingual", or a language by its whole name: nothing is known to be missing.
    if any(_CODE.match(code) is None for code in codes):
        return ()
    return tuple(dict.fromkeys(code[:2] for code in codes))
