"""The underlined letters of a menu: each stands for one entry, in every language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QMenu, QMenuBar


def settle(menu: QMenu | QMenuBar) -> None:
    """Give each entry of a menu a letter of its own, as far as there are letters."""
    actions = [action for action in menu.actions() if not action.isSeparator()]
    for action, text in zip(actions, distinct([action.text() for action in actions]), strict=True):
        if text != action.text():
            action.setText(text)


def distinct(texts: Sequence[str]) -> list[str]:
    """Return the texts with `&` before letters of which none is used twice.

    The letter that a text comes with stays its own, unless an earlier text has it. Of the others each gets the first
    letter of a word, else any letter, that is still free; none where all are taken.
    """
    letters: dict[str, int] = {}
    for nth, text in enumerate(texts):
        if letter := mnemonic(text):
            letters.setdefault(letter, nth)
    result = []
    for nth, text in enumerate(texts):
        if letters.get(mnemonic(text)) == nth:
            result.append(text)
            continue
        bare = text.replace("&", "")
        place = next((at for at in _candidates(bare) if bare[at].lower() not in letters), None)
        if place is not None:
            letters[bare[place].lower()] = nth
            bare = f"{bare[:place]}&{bare[place:]}"
        result.append(bare)
    return result


def mnemonic(text: str) -> str:
    """Return the letter, in lower case, that stands for a text; empty where there is none."""
    return text.partition("&")[2][:1].lower()


def _candidates(text: str) -> Iterable[int]:
    """Return the places of a text's letters, those that begin words first."""
    begins = [match.start() for match in re.finditer(r"\b[^\W\d_]", text)]
    return [*begins, *(at for at, char in enumerate(text) if char.isalpha() and at not in begins)]
