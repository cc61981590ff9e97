"""The objectives of fine-tuning, one row each.

To add an objective:

1. add its name to `Objective` and a row to `OBJECTIVES`;
2. add its preset to `core/training_settings.py`;
3. write its class in `encoder/training/objectives.py`, and name it in `make_objective`'s table;
4. test its formula in `tests/encoder/training/test_objectives.py`;
5. run `packaging/translate.py` and translate the row's texts in `resources/translations/kindred_de.ts`.

The training, the command line and the window read this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from desktop_app.core.labelled_data import DataKind

Objective = Literal["softmax", "binary", "cosine", "cosent", "contrastive", "triplet", "ranking"]

Mining = Literal["none", "semi-hard", "hard", "library"]
FROM_LIBRARY: Final = "library"
MINING: tuple[Mining, ...] = get_args(Mining)
"""Where pairs or negatives may come from: those given, those of the batch, or the library."""

HeadOutput = Literal["none", "classes", "probability"]


def _tr(text: str) -> str:
    """Mark a text of the window for translation."""
    return text


@dataclass(frozen=True, slots=True)
class ObjectiveDiagram:
    """The window's picture of an objective: a branch of the network for each name.

    The texts may hold `{layer}`, `{measure}` (of distance), `{margin}` and `{temperature}`.

    Attributes:
        names: of the texts of a row.
        vectors: symbols of their vectors.
        joined: what is computed from the vectors.
        target: what that is compared with.
    """

    names: tuple[str, ...]
    vectors: tuple[str, ...]
    joined: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveSpec:
    """An objective, as the window, the command line and the training know it.

    Attributes:
        title: in the window; the field's word stays in it.
        explanation: a sentence for the window on what is minimised.
        diagram: for the window.
        summary: a line for the command line's help.
        kinds: of data that it learns from.
        default_for: kinds of data that are learnt with it unless a person chooses.
        preset: the name of its usual settings.
        settings: of `TrainingSettings` that only some objectives have, and it among them.
        mining: the values of `mining` that it takes; empty where there is no choice.
        head: a layer on the two vectors that is trained with the encoder: it gives the classes, or the probability
            that both sentences are the same.
        learns_from_partners: it learns only from sentences that belong together. Of duplicates it takes the rows that
            are the same, of inference the entailments.
    """

    title: str
    explanation: str
    diagram: ObjectiveDiagram
    summary: str
    kinds: tuple[DataKind, ...]
    default_for: tuple[DataKind, ...] = ()
    preset: str
    settings: frozenset[str] = frozenset()
    mining: tuple[Mining, ...] = ()
    head: HeadOutput = "none"
    learns_from_partners: bool = False


_PAIR = (_tr("sentence A"), _tr("sentence B"))
_HEAD_SETTINGS = frozenset({"concat", "head", "hidden", "dropout", "head_learning_rate"})

OBJECTIVES: dict[Objective, ObjectiveSpec] = {
    "softmax": ObjectiveSpec(
        title=_tr("Tell classes apart (softmax)"),
        explanation=_tr(
            "A small layer predicts the class from both vectors and their difference; its error adjusts the vectors"
            " (Sentence-BERT)."
        ),
        diagram=ObjectiveDiagram(_PAIR, ("u", "v"), "{layer}", _tr("softmax: one of the classes")),
        summary="a layer on u, v and |u-v| predicts the class of the pair (inference; same or different)",
        kinds=("nli", "duplicates"),
        default_for=("nli",),
        preset="nli",
        settings=_HEAD_SETTINGS,
        head="classes",
    ),
    "binary": ObjectiveSpec(
        title=_tr("Same or not (binary)"),
        explanation=_tr(
            "A small head predicts from both vectors how likely the sentences are the same; its error adjusts the"
            " vectors."
        ),
        diagram=ObjectiveDiagram(_PAIR, ("u", "v"), "{layer}", _tr("probability of “same”")),
        summary="a head on both vectors predicts how likely the two are the same (duplicates)",
        kinds=("duplicates",),
        default_for=("duplicates",),
        preset="duplicates",
        settings=_HEAD_SETTINGS | {"class_weight", "order", "words"},
        head="probability",
    ),
    "cosine": ObjectiveSpec(
        title=_tr("Match the scores (cosine)"),
        explanation=_tr("Trains the cosine similarity to match the score in your data (mean squared error)."),
        diagram=ObjectiveDiagram(_PAIR, ("u", "v"), "cos(u, v)", _tr("the score in the data")),
        summary="the cosine of u and v is trained to match the score of the pair (similarity)",
        kinds=("similarity", "duplicates"),
        default_for=("similarity",),
        preset="similarity",
        settings=frozenset({"order", "words"}),
    ),
    "cosent": ObjectiveSpec(
        title=_tr("Match the order of the scores (CoSENT)"),
        explanation=_tr(
            "Trains pairs with a higher score to have a higher cosine similarity than those with a lower one."
        ),
        diagram=ObjectiveDiagram(_PAIR, ("u", "v"), "cos(u, v)", _tr("higher than that of pairs with lower scores")),
        summary="pairs with a higher score get a higher cosine than those with a lower one (similarity)",
        kinds=("similarity", "duplicates"),
        preset="cosent",
        settings=frozenset({"words"}),
    ),
    "contrastive": ObjectiveSpec(
        title=_tr("Pull and push pairs (contrastive)"),
        explanation=_tr("Matching pairs are pulled together; other pairs are pushed apart to at least the margin."),
        diagram=ObjectiveDiagram(_PAIR, ("u", "v"), "d = {measure}", _tr("same: 0 · other: at least {margin}")),
        summary="matching pairs are pulled together, others pushed a margin apart (duplicates)",
        kinds=("duplicates",),
        preset="contrastive",
        settings=frozenset({"distance", "margin", "mining"}),
        mining=("none", "hard"),
    ),
    "triplet": ObjectiveSpec(
        title=_tr("Closer than the other (triplet)"),
        explanation=_tr("The anchor must be closer to its positive than to its negative, by at least the margin."),
        diagram=ObjectiveDiagram(
            (_tr("anchor"), _tr("positive"), _tr("negative")),
            ("a", "p", "n"),
            "d(a, p) + {margin} ≤ d(a, n)",
            "d = {measure}",
        ),
        summary="the anchor must be closer to its positive than to its negative, by a margin (triplets, pairs)",
        kinds=("triplets", "pairs", "duplicates"),
        default_for=("triplets",),
        preset="triplet",
        settings=frozenset({"distance", "margin", "mining"}),
        mining=MINING,
        learns_from_partners=True,
    ),
    "ranking": ObjectiveSpec(
        title=_tr("Find the partner (ranking)"),
        explanation=_tr(
            "Each sentence must find its own partner among all partners in the batch. Larger batches are harder and"
            " train better."
        ),
        diagram=ObjectiveDiagram(
            (_tr("sentence"), _tr("all partners")), ("u", "V"), "u · V / {temperature}", _tr("its own partner")
        ),
        summary="each sentence must find its own partner among those in the batch (pairs, triplets)",
        kinds=("pairs", "triplets", "duplicates", "nli"),
        default_for=("pairs",),
        preset="ranking",
        settings=frozenset({"distance", "temperature", "mining"}),
        mining=("none", FROM_LIBRARY),
        learns_from_partners=True,
    ),
}


def default_objective(kind: DataKind) -> Objective:
    """Return the objective with which data of a kind is learnt unless a person chooses."""
    return next(name for name, spec in OBJECTIVES.items() if kind in spec.default_for)


def list_objectives_with(setting: str) -> str:
    """Return the names of the objectives that have a setting, separated by commas."""
    return ", ".join(name for name, spec in OBJECTIVES.items() if setting in spec.settings)
