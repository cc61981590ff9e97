"""How well a few typed letters fit a name: pure functions, no Qt."""

from __future__ import annotations

import unicodedata

_START_OF_WORD = 8
_NEXT_TO_LAST = 9  # a piece typed as it stands fits better than first letters of many words
_ANYWHERE = 1
_GAP = 0.2  # for each letter between two that fit: "imp" is nearer to "Import" than to "in my paper"
_LATE = 0.05  # for each letter before the first that fits


def fit(typed: str, name: str) -> tuple[float, tuple[int, ...]] | None:
    """Say how well `typed` fits `name`.

    The letters of `typed` have to stand in `name` in their order, not necessarily side by side; case, accents and
    blanks do not count. Letters that begin a word or follow one that fits count more.

    Returns:
        a score (higher fits better) and the places in `name` that fit; None when it does not fit. Nothing typed fits
        everything equally.
    """
    wanted = [letter for letter in map(_plain, typed) if letter.strip()]
    letters = [_plain(letter) for letter in name]
    if not wanted:
        return 0.0, ()
    # best[i]: score and places of the letters so far when the last of them stands at i
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for nth, want in enumerate(wanted):
        found: dict[int, tuple[float, tuple[int, ...]]] = {}
        for at, letter in enumerate(letters):
            if letter != want:
                continue
            own = _START_OF_WORD if _starts_word(name, at) else _ANYWHERE
            if nth == 0:
                found[at] = (own - _LATE * at, (at,))
                continue
            choices = [
                (score + max(own, _NEXT_TO_LAST if before == at - 1 else 0) - _GAP * (at - before - 1), (*places, at))
                for before, (score, places) in best.items()
                if before < at
            ]
            if choices:
                found[at] = max(choices, key=lambda choice: choice[0])
        if not found:
            return None
        best = found
    return max(best.values(), key=lambda choice: choice[0])


def _plain(letter: str) -> str:
    """Return a letter without case and accent: one place of the name stays one place."""
    return unicodedata.normalize("NFD", letter)[:1].casefold()[:1]


def _starts_word(name: str, at: int) -> bool:
    return at == 0 or not name[at - 1].isalnum()
