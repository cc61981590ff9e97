"""How strong a result is, in one word: what a cosine means differs from model to model."""

from __future__ import annotations

from enum import IntEnum

from desktop_app.core.duplicates import CLOSE, RELATED
from desktop_app.gui.base.display_text import translate

_USUAL_CHANCE = 0.3
"""Cosine below which similarity may be chance, while it is not measured: a new or small library."""

_JUDGED_STRONG, _JUDGED_CHANCE = 0.61, 0.33
"""Cosines of all-MiniLM-L6-v2 on the development part of STS-B (1,500 pairs, judged from 0 to 5), as the benchmark
`similarity` prints them: the one that best tells pairs judged at least 3, "roughly equivalent", from the others
(F1 0.82; 0.60 on the test part, F1 0.84), and the one that 99 % of pairs put together at random stay below."""

_STRONG_SHARE = (_JUDGED_STRONG - _JUDGED_CHANCE) / (1 - _JUDGED_CHANCE)
"""Of the way from chance to 1. Chance is measured for each model and library. Other models have no judged pairs here:
for them the same share is assumed, which follows where their cosines begin."""


class Strength(IntEnum):
    """How strong a result is; the value is the number of filled parts of its bar."""

    WEAK = 1
    RELATED = 2
    STRONG = 3


def rate_score(score: float, chance: float | None) -> Strength:
    """Return the strength of a cosine.

    Args:
        score: the cosine.
        chance: the cosine below which similarity may be chance; None if unknown.
    """
    base = _USUAL_CHANCE if chance is None else chance
    if score < base:
        return Strength.WEAK
    return Strength.STRONG if score >= base + _STRONG_SHARE * (1 - base) else Strength.RELATED


def rate_source(score: float, chance: float | None) -> Strength:
    """Return the strength of a source of a draft's sentence, by the cosines that decide what the draft says."""
    return Strength.STRONG if score >= CLOSE else Strength.RELATED if score >= RELATED else Strength.WEAK


def strength_name(strength: Strength) -> str:
    """Return the word for a strength."""
    return {
        Strength.WEAK: translate("strength", "weak"),
        Strength.RELATED: translate("strength", "related"),
        Strength.STRONG: translate("strength", "strong"),
    }[strength]
