"""How strong a result is, in one word: what a cosine means differs from model to model."""

from __future__ import annotations

from enum import IntEnum

from desktop_app.gui.base.display_text import translate

_USUAL_CHANCE = 0.3
"""Cosine below which similarity may be chance, while it is not measured: a new or small library."""

_STRONG_SHARE = 0.4
"""Of the way from chance to 1. all-MiniLM-L6-v2, whose chance is near 0.3, gives 0.6 to a sentence that answers a
question, and 0.4 to one that is about the same."""


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


def strength_name(strength: Strength) -> str:
    """Return the word for a strength."""
    return {
        Strength.WEAK: translate("strength", "weak"),
        Strength.RELATED: translate("strength", "related"),
        Strength.STRONG: translate("strength", "strong"),
    }[strength]
