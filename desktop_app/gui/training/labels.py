"""Names and explanations of objectives, poolings, presets, measures and kinds of data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError
from desktop_app.core.evaluation import similarity_that_counts
from desktop_app.core.objectives import FROM_LIBRARY, OBJECTIVES
from desktop_app.core.training_settings import PRESET_TITLES, is_used
from desktop_app.gui.base.actions import translate_marked
from desktop_app.gui.base.display_text import (
    count_pairs,
    describe_error_in_sentences,
    format_decimal,
    format_number,
    translate,
)

if TYPE_CHECKING:
    from desktop_app.core.labelled_data import DataKind, DataPreview
    from desktop_app.core.objectives import Objective
    from desktop_app.core.training_settings import TrainingSettings


def preset_name(name: str) -> str:
    """Return the display name of a preset."""
    return translate_marked(PRESET_TITLES[name])


def objective_name(name: Objective) -> str:
    """Return the display name of an objective, with its technical term."""
    return translate_marked(OBJECTIVES[name].title)


def explain_objective(settings: TrainingSettings) -> str:
    """Return a sentence that says what the objective minimises."""
    if settings.architecture == "cross":
        return translate(
            "training",
            "Reads both sentences together and returns one score or label. It is the most accurate for single pairs"
            " but makes no vectors: every pair is computed from scratch, so it can re-rank top results but not"
            " search a library.",
        )
    return translate_marked(OBJECTIVES[settings.objective].explanation)


def pooling_name(name: str) -> str:
    """Return the display name of a pooling."""
    return {
        "": translate("training", "Model default"),
        "mean": translate("training", "Mean of all tokens"),
        "max": translate("training", "Maximum of all tokens"),
        "cls": translate("training", "First token (CLS)"),
        "attention": translate("training", "Learned weight per token"),
        "pooler": translate("training", "The model's pooler layer"),
        "mean-padded": translate("training", "Mean including padding"),
    }[name]


def describe_vector_features(concat: str) -> str:
    """Return the parts of two vectors that a head sees, in the usual notation."""
    return concat.replace("abs(u-v)", "|u−v|").replace("u*v", "u∗v").replace(",", ", ")


def advise_on_settings(settings: TrainingSettings, preview: DataPreview | None, model_pooling: str = "") -> list[str]:
    """Return advice on settings, one sentence each."""
    found = []
    used = settings.pooling or model_pooling
    if settings.architecture == "siamese":
        if used == "max" and settings.objective == "cosine":
            found.append(
                translate(
                    "training",
                    "Maximum pooling works poorly with the cosine objective: Spearman 69.9 against 87.4 with the"
                    " mean (Sentence-BERT paper, table 6). A cosine of maxima is rarely close to 0.",
                )
            )
        elif settings.pooling in ("max", "cls") and model_pooling == "mean":
            found.append(
                translate(
                    "training",
                    "This model was trained with mean pooling. Another pooling starts much lower and rarely catches"
                    " up; the mean was best in the Sentence-BERT paper.",
                )
            )
        elif settings.pooling == "attention":
            found.append(
                translate(
                    "training",
                    "Starts as the mean and learns a weight per token. Other programs can't load such a model.",
                )
            )
        elif settings.pooling == "mean-padded":
            found.append(
                translate(
                    "training",
                    "Averages padding too, up to the longest text: slower and no more accurate, but some published"
                    " figures were computed this way. Other programs can't load such a model.",
                )
            )
        elif settings.pooling == "pooler":
            found.append(
                translate("training", "Few models train this layer for sentences; it starts far below the mean.")
            )
    if (
        is_used("distance", settings)
        and settings.distance == "euclidean"
        and settings.margin >= 1
        and settings.normalize
    ):
        found.append(
            translate(
                "training",
                "Vectors of length 1 are at most 2 apart, so this margin is wide for them. Free vectors leave room:"
                " Vector length, under More.",
            )
        )
    if settings.mining == FROM_LIBRARY and FROM_LIBRARY in OBJECTIVES[settings.objective].mining:
        found.append(
            translate(
                "training",
                "Each row gets the most similar sentence in your library as its negative. Sentences as similar as"
                " the positive are skipped, because they may mean the same.",
            )
        )
    if preview is None:
        return found
    if settings.objective == "triplet" and preview.kind == "pairs" and settings.mining == "none":
        found.append(
            translate("training", "These rows have no negatives, so semi-hard ones are taken from each batch.")
        )
    if settings.batch_size > preview.rows:
        found.append(translate("training", "The batch is larger than the data: each epoch is a single step."))
    if 0 < preview.rows < 100:
        found.append(translate("training", "Very few rows: the model may overfit. Check the validation score."))
    present = [name for name, count in preview.labels.items() if count]
    if len(present) == 1:
        found.append(_advise_on_single_label(settings, belongs=present[0] in ("same", "entailment")))
        return found
    shares = sorted(preview.labels.values())
    is_uneven = bool(shares) and shares[0] * 5 < shares[-1]
    if OBJECTIVES[settings.objective].head == "probability" and is_uneven and settings.class_weight == 1:
        found.append(translate("training", "One class is rare. A weight for “same” may help (under More)."))
    return found


def _advise_on_single_label(settings: TrainingSettings, *, belongs: bool) -> str:
    """Return advice on data whose rows all have the same label."""
    takes_partners = settings.architecture == "siamese" and OBJECTIVES[settings.objective].learns_from_partners
    if not belongs:
        return translate("training", "No row has two matching sentences, so there is nothing to train on.")
    if takes_partners:
        return translate(
            "training",
            "All pairs match, so epochs are compared by how often a sentence finds its partner.",
        )
    return translate(
        "training",
        "All rows have the same label, so there is nothing to distinguish. The objective “Find the partner"
        " (ranking)” works with such pairs.",
    )


def describe_rows(name: DataKind, rows: int) -> str:
    """Describe the rows of a file, with their number."""
    return {
        "similarity": translate("training", "{pairs} with a similarity score"),
        "duplicates": translate("training", "{pairs}, labelled same or different"),
        "nli": translate("training", "{pairs} for natural language inference"),
        "triplets": translate("training", "Triplets of anchor, positive and negative: {rows}"),
        "pairs": translate("training", "Matching pairs without labels: {rows}"),
    }[name].format(rows=format_number(rows), pairs=count_pairs(rows))


def describe_preview(preview: DataPreview) -> list[str]:
    """Describe the content of a file, in lines."""
    lines = []
    if preview.unlabelled:
        lines.append(
            translate("training", "Skipped rows without an agreed label (-): {count}").format(
                count=format_number(preview.unlabelled)
            )
        )
    if preview.scores is not None:
        low, mean, high = (format_decimal(value, 2) for value in preview.scores)
        lines.append(
            translate("training", "Scores from {low} to {high}, mean {mean} (scaled to 0–1)").format(
                low=low, high=high, mean=mean
            )
        )
    middle, long, longest = map(format_number, preview.characters)
    lines.append(
        translate(
            "training",
            "{count} unique sentences; length: median {middle}, 95th percentile {long}, max {longest} characters",
        ).format(count=format_number(preview.sentences), middle=middle, long=long, longest=longest)
    )
    if preview.repeated:
        text = translate("training", "Duplicate rows: {repeated}").format(repeated=format_number(preview.repeated))
        if preview.contradicting:
            text += "; " + translate("training", "with different labels: {count}").format(
                count=format_number(preview.contradicting)
            )
        lines.append(text)
    else:
        lines.append(translate("training", "No duplicate rows"))
    return lines


def _measure_name(key: str) -> str:
    """Return the display name of a measure."""
    names = {
        "spearman": "Spearman",
        "pearson": "Pearson",
        "accuracy": translate("training", "accuracy"),
        "f1": "F1",
        "precision": translate("training", "precision"),
        "recall": translate("training", "recall"),
        "average_precision": translate("training", "average precision"),
        "roc_auc": translate("training", "area under the ROC curve"),
        "accuracy@1": "accuracy@1",
        "mrr@10": "MRR@10",
        "ndcg@10": "nDCG@10",
        "recall@100": "recall@100",
        "threshold": translate("training", "threshold"),
        "f1_threshold": translate("training", "F1 threshold"),
        "pairs_per_s": translate("training", "pairs per second"),
        "all_pairs_10000_s": translate("training", "all pairs of 10,000 sentences, in seconds"),
    }
    return names.get(key, key)


def label_measures(found: dict[str, Any]) -> dict[str, float]:
    """Return the numbers among measures by their display names; counts and tables are left out."""
    flat: dict[str, float] = {}
    for key, value in found.items():
        if isinstance(value, dict) and key != "confusion":
            flat |= {f"{_measure_name(key)}, {part}": each for part, each in value.items() if isinstance(each, float)}
        elif isinstance(value, float):
            flat[_measure_name(key)] = value
    return flat


def label_intervals(found: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the 95% intervals of measures by the names that `label_measures` gives these."""
    return {label_measure(key, found): (low, high) for key, (low, high) in found.get("intervals", {}).items()}


def label_measure(key: str, found: dict[str, Any]) -> str:
    """Return the name that `label_measures` gives a measure; of similarities, the one that counts."""
    parts = found.get(key)
    if not isinstance(parts, dict):
        return _measure_name(key)
    return f"{_measure_name(key)}, {similarity_that_counts(parts)}"


def find_key_measure(found: dict[str, Any]) -> tuple[str, float] | None:
    """Return name and value of the measure that compares epochs, or None."""
    correlation = found.get("spearman")
    if isinstance(correlation, dict):
        value = correlation.get(similarity_that_counts(correlation))
        return None if value is None else ("Spearman", float(value))
    for key in ("average_precision", "mrr@10", "accuracy"):
        if isinstance(found.get(key), float):
            return _measure_name(key), float(found[key])
    return None


def format_error_line(error: BaseException) -> str:
    """Describe an error in one line."""
    if isinstance(error, AppError):
        return describe_error_in_sentences(error)
    return str(error)
