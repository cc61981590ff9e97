"""Maps two sentence vectors to classes: a head that is trained with an encoder and saved in its folder.

Sentence-BERT's classifier (Reimers & Gurevych 2019, section 3, "Classification Objective Function") is a linear layer
on (u, v, |u - v|). The parts that are joined can be chosen (their table 6), and there may be a hidden layer.
A third kind is logistic regression on the cosine alone: it has two parameters, so the vectors do the learning.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, assert_never, cast

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F

from desktop_app.core.duplicates import PairVerdict
from desktop_app.core.errors import ModelMissing, UsageError
from desktop_app.core.labelled_data import DUPLICATE_LABELS
from desktop_app.core.messages import system_text
from desktop_app.core.training_settings import HEADS
from desktop_app.encoder.models.model_files import read_json
from desktop_app.encoder.similarity import rowwise_cosines

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.core.training_settings import HeadKind
    from desktop_app.encoder.word_alignment import PairWords
    from desktop_app.encoder.word_judge import WordJudge

HEAD_FOLDER = "kindred_head"
VECTOR_PARTS = ("u", "v", "abs(u-v)", "u*v")
_INITIAL_SLOPE, _INITIAL_MIDDLE = 20.0, 0.75  # the cosine that separates like and unlike pairs of a good encoder


@dataclass(frozen=True, slots=True)
class ClassificationHeadSpec:
    """The shape of a head.

    Attributes:
        kind: `linear`, `mlp` or `cosine`.
        classes: their names, in the order of their numbers.
        parts: some of PARTS, which are concatenated.
        dim: length of a sentence vector.
        scale: factor of the vectors; the root of `dim` for vectors of length 1, so that a number in them is about 1
            and the layer learns at the usual speed.
        single: one output, the log odds of class 1 against class 0, instead of one for each class.
        hidden: size of the hidden layer of `mlp`.
        dropout: after the hidden layer.
    """

    kind: HeadKind
    classes: tuple[str, ...]
    parts: tuple[str, ...]
    dim: int
    scale: float = 1.0
    single: bool = False
    hidden: int = 512
    dropout: float = 0.0


def parse_parts(text: str) -> tuple[str, ...]:
    """Return the parts that `u,v,abs(u-v)` names.

    Raises:
        UsageError: a part is not in PARTS.
    """
    parts = tuple(part.strip().replace(" ", "").replace("|u-v|", "abs(u-v)") for part in text.split(","))
    unknown = [part for part in parts if part not in VECTOR_PARTS]
    if unknown or len(set(parts)) != len(parts):
        raise UsageError(
            "{text!r} is not a valid combination of vectors",
            "Combine some of {vector_parts}, each at most once.",
            text=text,
            vector_parts=", ".join(VECTOR_PARTS),
        )
    return parts


def choose_vector_scale(dim: int, *, normalised: bool) -> float:
    """Return the `scale` of a head on a model's vectors."""
    return math.sqrt(dim) if normalised else 1.0


class ClassificationHead(nn.Module):
    """Maps vectors of two sentences to logits; see the module."""

    def __init__(self, spec: ClassificationHeadSpec) -> None:
        super().__init__()
        self.spec = spec
        width, outputs = spec.dim * len(spec.parts), 1 if spec.single else len(spec.classes)
        if spec.kind == "cosine":
            self.layers = nn.ModuleDict()
            self.slope = nn.Parameter(torch.tensor(_INITIAL_SLOPE))
            self.offset = nn.Parameter(torch.tensor(-_INITIAL_SLOPE * _INITIAL_MIDDLE))
        elif spec.kind == "mlp":
            self.layers = nn.ModuleDict(
                {"inner": nn.Linear(width, spec.hidden), "output": nn.Linear(spec.hidden, outputs)}
            )
        elif spec.kind == "linear":
            self.layers = nn.ModuleDict({"output": nn.Linear(width, outputs)})
        else:
            assert_never(spec.kind)
        self.dropout = nn.Dropout(spec.dropout)

    def forward(self, u: Tensor, v: Tensor) -> Tensor:
        """Return logits float32 [n, outputs] of vectors float32 [n, dim] each."""
        if self.spec.kind == "cosine":
            return (self.slope * F.cosine_similarity(u, v) + self.offset)[:, None]
        u, v = u * self.spec.scale, v * self.spec.scale
        made = {"u": u, "v": v, "abs(u-v)": (u - v).abs(), "u*v": u * v}
        joined = torch.cat([made[part] for part in self.spec.parts], dim=1)
        if "inner" in self.layers:
            joined = self.dropout(F.relu(self.layers["inner"](joined)))
        return cast("Tensor", self.layers["output"](joined))

    def probabilities(self, u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
        """Return float64 [n, classes] of float32 [n, dim] each; rows sum to 1. Leaves the module in eval mode."""
        with torch.inference_mode():
            self.eval()
            logits = self(torch.from_numpy(u), torch.from_numpy(v)).double()
            found = torch.softmax(logits, dim=1)
            if self.spec.single:
                yes = torch.sigmoid(logits)
                found = torch.cat([1 - yes, yes], dim=1)
        probabilities: NDArray[Any] = found.numpy()
        return probabilities


def score_pairs(
    u: NDArray[Any],
    v: NDArray[Any],
    head: ClassificationHead | None,
    judge: WordJudge | None = None,
    words: PairWords | None = None,
) -> NDArray[Any]:
    """Return a score for each pair, of duplicates to compare with a model's own threshold: float64 [n].

    It is the probability of a linear or hidden-layer head for same and different, else the cosine: a head on the
    cosine does not change the order. With a judge it is what the judge says, which needs the words of the pairs.
    """
    if head is not None and head.spec.kind != "cosine" and head.spec.classes == DUPLICATE_LABELS:
        scores = head.probabilities(u, v)[:, 1]
    else:
        scores = rowwise_cosines(u, v)
    if judge is None:
        return scores
    assert words is not None, "a judge needs the words"
    return judge.predict(scores, words)


def judge_similarity(
    u: NDArray[Any], v: NDArray[Any], judge: WordJudge | None, words: PairWords | None
) -> NDArray[np.float64] | None:
    """Return the scores that a judge of similarity expects for pairs, float64 [n]; None without such a judge."""
    if judge is None or judge.kind != "similarity":
        return None
    assert words is not None, "a judge needs the words"
    return judge.predict(rowwise_cosines(u, v), words)


def judge_pairs(
    u: NDArray[Any],
    v: NDArray[Any],
    head: ClassificationHead | None,
    threshold: float | None,
    judge: WordJudge | None = None,
    words: PairWords | None = None,
) -> list[PairVerdict]:
    """Return what a model says of pairs by at least one of head, threshold and judge. A judge needs their words.

    A judge of similarity says which score to expect, and no class.

    If the model has a threshold of its own, it decides between same and different, as in an evaluation. The threshold
    need not lie where both are equally probable, so the class may be the less probable one. Otherwise the class is
    the most probable one.

    Args:
        u: float32 [n, dim], the model's own output.
        v: likewise.
        head: of the model.
        threshold: that is stored with the model.
        judge: of the model.
        words: of the pairs.
    """
    scores = score_pairs(u, v, head, judge, words).tolist()
    if judge is not None and judge.kind == "similarity":
        return [PairVerdict(score=score) for score in scores]
    compares = judge is not None or head is None or head.spec.classes == DUPLICATE_LABELS
    margins = [score - threshold if compares and threshold is not None else None for score in scores]
    classes: tuple[str, ...] = DUPLICATE_LABELS
    if judge is not None:
        probabilities = [[1 - score, score] for score in scores]
    elif head is not None:
        classes, probabilities = head.spec.classes, head.probabilities(u, v).tolist()
    else:
        assert threshold is not None, "a head, a threshold or a judge was trained"
        return [PairVerdict(DUPLICATE_LABELS[int(score >= threshold)], margin=score - threshold) for score in scores]
    found = []
    for each, margin in zip(probabilities, margins, strict=True):
        best = int(np.argmax(each)) if margin is None else int(margin >= 0)
        found.append(PairVerdict(classes[best], each[best], margin))
    return found


def save_head(head: ClassificationHead, folder: Path) -> None:
    """Write a head into its model's folder."""
    place = folder / HEAD_FOLDER
    place.mkdir()
    (place / "config.json").write_text(json.dumps(asdict(head.spec), indent=2), "utf-8")
    tensors = {name: tensor.detach().float().cpu().clone() for name, tensor in head.state_dict().items()}
    save_file(tensors, place / "model.safetensors", metadata={"format": "pt"})


def load_head(folder: Path) -> ClassificationHead | None:
    """Return the head in a model's folder; None if there is none.

    Raises:
        ModelMissing: it is damaged.
    """
    place = folder / HEAD_FOLDER
    if not place.is_dir():
        return None
    try:
        spec = ClassificationHeadSpec(**read_json(place / "config.json"))
        if spec.kind not in HEADS:
            raise ValueError(f"unknown kind {spec.kind!r}")
        head = ClassificationHead(replace(spec, classes=tuple(spec.classes), parts=tuple(spec.parts)))
        head.load_state_dict(load_file(place / "model.safetensors"))
    except (OSError, TypeError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
        raise ModelMissing(
            "The head in {place} cannot be loaded ({why})", "Train it again.", place=place, why=system_text(error)
        ) from error
    return head.eval()
