"""Names for the facts about a pair of sentences: its kind, its differences, its class."""

from __future__ import annotations

from desktop_app.gui.base.display_text import format_decimal, format_number, translate


def pair_kind_name(kind: str) -> str:
    """Return the name of a kind of pairs."""
    return {
        "exact": translate("pairs", "exact"),
        "near": translate("pairs", "near-duplicate"),
        "paraphrase": translate("pairs", "paraphrase"),
        "related": translate("pairs", "related"),
        "unrelated": translate("pairs", "unrelated"),
    }[kind]


def badge_name(badge: str) -> str:
    """Return the name of a difference that is easily overlooked."""
    return {
        "negation": translate("pairs", "negation differs"),
        "opposites": translate("pairs", "opposite words"),
        "swapped": translate("pairs", "swapped words"),
        "numbers": translate("pairs", "numbers differ"),
        "dates": translate("pairs", "dates differ"),
    }[badge]


def judgement_name(same: bool) -> str:
    """Return the judgement of a pair."""
    return translate("pairs", "means the same") if same else translate("pairs", "not the same")


def class_name(name: str) -> str:
    """Return the name of a class or of a model's answer to a row; a score with two decimals, as in the language."""
    known = {
        "same": translate("training", "same"),
        "different": translate("training", "different"),
        "entailment": translate("training", "entailment"),
        "neutral": translate("training", "neutral"),
        "contradiction": translate("training", "contradiction"),
        "too similar": translate("training", "too similar"),
        "too different": translate("training", "too different"),
        "positive nearer": translate("training", "positive nearer"),
        "negative nearer": translate("training", "negative nearer"),
    }
    if name.startswith("rank "):
        return translate("training", "rank {rank}").format(rank=format_number(int(name.removeprefix("rank "))))
    if name in known:
        return known[name]
    try:
        return format_decimal(float(name), 2)
    except ValueError:
        return name
