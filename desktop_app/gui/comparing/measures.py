"""What the measures of two sentences are and say, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui import words
from desktop_app.gui.training.explaining import class_name

if TYPE_CHECKING:
    from desktop_app.engine.requests import Comparison, Explanation

_WORDS_PER_TOKEN = 0.7  # a little below what English has: rather a hint too many than one too few


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


def note_on(shown: Comparison | None, found: Explanation | None, max_length: int | None) -> str:
    """Return how the measures belong together, and what else one should know to read them.

    Args:
        shown: the comparison; None: there is nothing to say.
        found: what explains it, as far as it is there.
        max_length: tokens that the model reads of a text; None: not known.
    """
    if shown is None:
        return ""
    notes = []
    if shown.label is not None and shown.probability is not None:
        said = words.translate(
            "compare", "What this model was trained to say: {label}, with a probability of {probability}."
        )
        notes.append(said.format(label=class_name(shown.label), probability=words.decimal(shown.probability, 2)))
    if shown.normalised:
        notes.append(
            words.translate(
                "compare",
                "The three measures agree: this model ends in a normalisation, which gives every sentence a vector of "
                "length 1, so all three put pairs into the same order.",
            )
        )
    else:
        notes.append(
            words.translate(
                "compare",
                "This model does not end in a normalisation: vectors differ in length, and the three measures can put "
                "pairs into different orders. Searching uses the cosine.",
            )
        )
    if found is not None and not all(found.known):
        notes.append(
            words.translate(
                "compare", "The model knows no word of one of the sentences: the figures say nothing about it."
            )
        )
    if max_length is not None:
        read = round(max_length * _WORDS_PER_TOKEN)
        if max(len(shown.a.split()), len(shown.b.split())) > read:
            said = words.translate("compare", "The model reads only the beginning of a long text: about {count} words.")
            notes.append(said.format(count=words.number(read)))
    return " ".join(notes)
