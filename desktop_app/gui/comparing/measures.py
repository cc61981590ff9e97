"""What the measures of two sentences are and say, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui import words

if TYPE_CHECKING:
    from desktop_app.engine.requests import Comparison


def figures(answer: Comparison | None) -> dict[str, str]:
    """Return the three figures with four decimals."""
    if answer is None:
        return {}
    score = answer.score
    values = {"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean}
    # Adding 0 after rounding turns -0.0 into 0.0.
    return {key: words.decimal(round(value, 4) + 0.0, 4) for key, value in values.items()}


def share(percentile: float) -> str:
    """Return "99.8 %"; never 100, for one has not seen all pairs."""
    value = round(min(percentile, 99.9), 1)
    return f"{words.decimal(value, 0 if value == int(value) else 1)}\N{NO-BREAK SPACE}%"


def standing(percentile: float | None, *, is_known: bool) -> str:
    """Return what a percentile says."""
    if percentile is None and is_known:
        return words.translate("compare", "How it stands among random pairs: known from 50 sentences on.")
    if percentile is None:
        return words.translate("compare", "How it stands among random pairs of the library.")
    if percentile >= 99:
        return words.translate("compare", "of random pairs are less alike: hardly by chance.")
    if percentile >= 90:
        return words.translate("compare", "of random pairs are less alike: but chance does so too.")
    return words.translate("compare", "of random pairs are less alike: as alike as sentences are by chance.")


def meanings(answer: Comparison | None) -> dict[str, str]:
    """Return what each measure says."""
    cosine = words.translate("compare", "How alike in direction: 1 is the same, 0 is unrelated, below 0 is rare.")
    if answer is not None and answer.normalised:
        dot = words.translate("compare", "The cosine times both lengths. Both are 1 here, so it is the cosine.")
        euclidean = words.translate(
            "compare",
            "How far apart: 0 is the same place, 2 the most. Here it is {formula}.",
        ).format(formula=f"√(2 − 2 × {figures(answer)['cosine']})".replace(" ", "\N{NO-BREAK SPACE}"))
    else:
        dot = words.translate("compare", "The cosine times both lengths: long vectors make it larger.")
        euclidean = words.translate("compare", "How far apart: 0 is the same place.")
    return {"cosine": cosine, "dot": dot, "euclidean": euclidean}
