"""Letters that are pressed with Alt, each for one entry of a menu or one button of a dialog."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QWidget


def assign_button_mnemonics(dialog: QWidget) -> None:
    """Give each button of a dialog its own mnemonic: in other languages too, and beside other shortcuts."""
    buttons = [button for button in dialog.findChildren(QAbstractButton) if button.text() or button.shortcut()]
    texts = [button.text() or button.shortcut().toString().replace("Alt+", "&") for button in buttons]
    order = sorted(range(len(buttons)), key=lambda nth: bool(buttons[nth].text()))  # a fixed shortcut keeps its letter
    for nth, text in zip(order, choose_mnemonics([texts[nth] for nth in order]), strict=True):
        if buttons[nth].text() and text != texts[nth]:
            buttons[nth].setText(text)


def choose_mnemonics(texts: Sequence[str]) -> list[str]:
    """Return the texts with `&` before unique letters.

    A text keeps its letter unless an earlier text has it. The others get the first free initial of a word, else any
    free letter, else none.
    """
    letters: dict[str, int] = {}
    for nth, text in enumerate(texts):
        if letter := find_mnemonic(text):
            letters.setdefault(letter, nth)
    result = []
    for nth, text in enumerate(texts):
        if letters.get(find_mnemonic(text)) == nth:
            result.append(text)
            continue
        plain = text.replace("&", "")
        position = next((at for at in _mnemonic_candidates(plain) if plain[at].lower() not in letters), None)
        if position is not None:
            letters[plain[position].lower()] = nth
            plain = f"{plain[:position]}&{plain[position:]}"
        result.append(plain)
    return result


def find_mnemonic(text: str) -> str:
    """Return the mnemonic of a text in lower case; empty for none."""
    return text.partition("&")[2][:1].lower()


def _mnemonic_candidates(text: str) -> Iterable[int]:
    """Return the positions of letters, initials first."""
    begins = [match.start() for match in re.finditer(r"\b[^\W\d_]", text)]
    return [*begins, *(at for at, char in enumerate(text) if char.isalpha() and at not in begins)]
