"""Training and evaluation in words: what is asked for, what was found. Plain values that cross between processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Task = Literal["similarity", "duplicates", "nli", "retrieval"]
DataKind = Literal["similarity", "duplicates", "nli", "triplets", "pairs"]
"""What the rows of a file are; `pairs` are anchors with their positives and no labels."""
Architecture = Literal["siamese", "cross"]
Objective = Literal["softmax", "binary", "cosine", "contrastive", "triplet", "ranking"]
ThresholdFrom = Literal["given", "stored", "best"]

TASKS: tuple[Task, ...] = ("similarity", "duplicates", "nli", "retrieval")
POOLINGS = ("mean", "max", "cls", "attention", "pooler", "mean-padded")
NLI_LABELS = ("contradiction", "entailment", "neutral")
"""The classes of natural language inference; a class's number is its place here."""


MARKS = "marks:"
"""In place of a file: the pairs of which a person has said whether they mean the same."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of labelled sentences, and how to read it where its header does not say.

    Attributes:
        path: TSV, CSV or JSONL; for retrieval a folder; or MARKS.
        columns: names (or numbers, from 1) of the columns to use, in order; empty: by the header.
        score_range: lowest and highest similarity score; None: 0-5 or 0-1 by the largest value.
    """

    path: str
    columns: tuple[str, ...] = ()
    score_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class DataPreview:
    """What was understood of a file.

    Attributes:
        kind: what its rows are.
        columns: the columns used, in order: texts, then the label if there is one.
        rows: how many.
        labels: how often each class stands there; empty for scores and where there are no labels.
        scores: lowest, mean and highest similarity, 0 to 1; None where there are none.
        sentences: distinct texts.
        characters: median, 95th percentile and maximum of the texts' lengths.
        repeated: rows whose texts stand in an earlier row too.
        contradicting: those of them whose label is another one.
        examples: some first rows, as text.
    """

    kind: DataKind
    columns: tuple[str, ...]
    rows: int
    labels: dict[str, int]
    scores: tuple[float, float, float] | None
    sentences: int
    characters: tuple[int, int, int]
    repeated: int
    contradicting: int
    examples: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair that the model judges most wrongly.

    Attributes:
        line: where it stands in its file, from 1.
        expected: the label or score in words.
        found: likewise, by the model.
        score: the model's own number: a cosine, or a probability.
    """

    line: int
    a: str
    b: str
    expected: str
    found: str
    score: float


@dataclass(frozen=True, slots=True)
class CurvePoints:
    """Points of a curve: recall and precision, or false and true positive rate."""

    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good a model is at a task.

    Attributes:
        task: which one.
        measures: names and values as the command line's contract has them, ready for JSON.
        worst: the pairs judged most wrongly, the worst first.
        curves: `precision-recall` and `roc`, of duplicates.
        model: name of what was measured; empty where a training judges what it makes.
        folder: where that lies.
    """

    task: Task
    measures: dict[str, object]
    worst: tuple[JudgedPair, ...] = ()
    curves: dict[str, CurvePoints] = field(default_factory=dict)
    model: str = ""
    folder: str = ""


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """What to measure.

    Attributes:
        data: the file, or a folder for retrieval.
        model: name or folder; empty for the bundled model.
        task: None: from the columns.
        architecture: which kind of model the folder holds; None: what is found there.
        pooling: in place of the model's own; empty: its own.
        threshold: a number, `stored`, `best`; empty: stored if there is one, else best.
        device: as the encoder takes it.
        precision: likewise.
        threads: likewise.
        worst: how many of the most wrongly judged pairs to return.
        reranker: of retrieval: name or folder of a cross-encoder that orders the first documents of each query anew, to
            see what that gains; empty: none.
    """

    data: DataFile
    model: str = ""
    task: Task | None = None
    architecture: Architecture | None = None
    pooling: str = ""
    threshold: str = ""
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0
    worst: int = 20
    reranker: str = ""


OBJECTIVES: tuple[Objective, ...] = ("softmax", "binary", "cosine", "contrastive", "triplet", "ranking")
DISTANCES = ("cosine", "euclidean", "dot")
HEADS = ("linear", "mlp", "cosine")
FROM_LIBRARY = "library"
MINING = ("none", "semi-hard", "hard", FROM_LIBRARY)
MINING_OF: dict[Objective, tuple[str, ...]] = {
    "contrastive": ("none", "semi-hard", "hard"),
    "triplet": MINING,
    "ranking": ("none", FROM_LIBRARY),
}
"""Where each objective may take pairs or negatives from; others have no choice."""
OPTIMIZERS = ("adamw", "adam")


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How to fine-tune.

    Attributes:
        objective: what is minimised.
        pooling: in place of the model's own; empty: its own.
        concat: which parts of two vectors a head sees, such as `u,v,abs(u-v)`.
        head: `linear`, `mlp` or `cosine` (logistic regression on the cosine).
        hidden: of the hidden layer of `mlp`.
        dropout: after it.
        class_weight: of pairs that are the same, for `binary`; 1: as they are.
        distance: of `contrastive` and `triplet`; the similarity of `ranking`.
        margin: of `contrastive` and `triplet`.
        temperature: of `ranking`.
        mining: which pairs or negatives of a batch count: `none` (those given), `semi-hard`, `hard`; or `library`: each
            row gets the nearest sentence of the library that does not belong to it.
        projection: length of the vectors of a layer added after the pooling; 0: none.
        max_length: tokens at which texts are cut; 0: the model's own.
        optimizer: `adamw` or `adam`.
        learning_rate: the highest, after the warm-up.
        head_learning_rate: of head and projection, which begin from nothing; 0: as `learning_rate`.
        warmup: share of the steps in which the learning rate rises from 0.
        weight_decay: of matrices.
        epochs: how often every row is seen.
        batch_size: rows of a step.
        accumulation: batches whose gradients make a step.
        clip: longest gradient.
        averaging: share of the steps over which a moving average of the weights is taken; of it and the last weights
            what is better on the validation rows is kept. 0: none is taken.
        seed: of order, dropout and new layers.
        validation: share of the rows that are held back to choose the best epoch; 0: none.
        patience: epochs without a better one after which the training ends; 0: never.
        threshold: from which two sentences are the same; None: the best on the validation rows.
        architecture: `siamese`: a vector for each sentence; `cross`: both are read at once.
    """

    objective: Objective = "cosine"
    pooling: str = ""
    concat: str = "u,v,abs(u-v)"
    head: str = "linear"
    hidden: int = 512
    dropout: float = 0.0
    class_weight: float = 1.0
    distance: str = "cosine"
    margin: float = 0.5
    temperature: float = 0.05
    mining: str = "none"
    projection: int = 0
    max_length: int = 0
    optimizer: str = "adamw"
    learning_rate: float = 2e-5
    head_learning_rate: float = 1e-3
    warmup: float = 0.1
    weight_decay: float = 0.01
    epochs: int = 3
    batch_size: int = 32
    accumulation: int = 1
    clip: float = 1.0
    averaging: float = 0.0
    seed: int = 42
    validation: float = 0.1
    patience: int = 0
    threshold: float | None = None
    architecture: Architecture = "siamese"


_BINARY = TrainingSettings(
    objective="binary",
    optimizer="adam",
    weight_decay=0.0,
    warmup=0.0,
    head_learning_rate=0.0,
    max_length=32,
    validation=0.2,
    threshold=0.5,
)
PRESETS: dict[str, TrainingSettings] = {
    "nli": TrainingSettings(objective="softmax", learning_rate=2e-5, batch_size=16, epochs=2),
    "similarity": TrainingSettings(objective="cosine", learning_rate=5e-5, batch_size=16, epochs=4, averaging=0.5),
    "duplicates": TrainingSettings(objective="binary", head="cosine", learning_rate=3e-5, head_learning_rate=1e-2),
    "marks": TrainingSettings(
        objective="binary", head="cosine", learning_rate=2e-5, head_learning_rate=1e-2, patience=2
    ),
    "contrastive": TrainingSettings(objective="contrastive", mining="hard", margin=0.5, learning_rate=2e-5, epochs=2),
    "triplet": TrainingSettings(
        objective="triplet",
        margin=0.2,
        mining="semi-hard",
        learning_rate=5e-5,
        batch_size=64,
        epochs=3,
        averaging=0.25,
    ),
    "ranking": TrainingSettings(objective="ranking", learning_rate=2e-5, epochs=2),
    "binary-1": replace(_BINARY, pooling="mean", learning_rate=2e-5),
    "binary-2": replace(_BINARY, pooling="cls", head="mlp", learning_rate=1e-5, class_weight=2.0),
    "binary-3": replace(_BINARY, pooling="attention", head="mlp", dropout=0.1, learning_rate=5e-6, class_weight=2.0),
}
"""Settings by name. `binary-1` to `-3` reproduce a published series on Quora's pairs (its batch of 32, 3 epochs)."""

MARGIN_OF_DISTANCE = {"cosine": 0.2, "euclidean": 1.0, "dot": 0.2}
"""The usual margin of triplets (Sentence-BERT's is 1, Euclidean; vectors of length 1 lie 0 to 2 apart by cosine)."""


def with_distance(settings: TrainingSettings, distance: str) -> TrainingSettings:
    """Return settings with another distance; the margin of triplets goes with it where it was the usual one."""
    is_usual = settings.objective == "triplet" and settings.margin == MARGIN_OF_DISTANCE[settings.distance]
    margin = MARGIN_OF_DISTANCE[distance] if is_usual else settings.margin
    return replace(settings, distance=distance, margin=margin)


PRESET_OF_OBJECTIVE: dict[Objective, str] = {
    "softmax": "nli",
    "cosine": "similarity",
    "binary": "duplicates",
    "contrastive": "contrastive",
    "triplet": "triplet",
    "ranking": "ranking",
}
OBJECTIVE_OF_KIND: dict[DataKind, Objective] = {
    "similarity": "cosine",
    "duplicates": "binary",
    "nli": "softmax",
    "triplets": "triplet",
    "pairs": "ranking",
}
KINDS_OF_OBJECTIVE: dict[Objective, tuple[DataKind, ...]] = {
    "softmax": ("nli", "duplicates"),
    "binary": ("duplicates",),
    "cosine": ("similarity", "duplicates"),
    "contrastive": ("duplicates",),
    "triplet": ("triplets", "pairs", "duplicates"),
    "ranking": ("pairs", "triplets", "duplicates", "nli"),
}
"""What each objective learns from. Of duplicates `triplet` and `ranking` take the rows that are the same, and of
inference `ranking` takes the entailments."""


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """A training.

    Attributes:
        data: files of one kind, whose rows are joined.
        output: the folder of the trained model; nothing may be there yet.
        settings: how.
        model: what to begin with: name or folder; empty for the bundled model.
        validation_file: rows to choose the best epoch by, in place of a share of `data`.
        resume: go on from the checkpoint beside `output`, if there is one.
        device: as the encoder takes it.
        precision: of the products; `auto`: bf16 where the machine is quick in it.
        threads: that compute; 0 for all cores.
        gentle: leave a core to others: somebody works at the machine.
        negatives: a file of `core.negatives`, gathered from the library; empty: none were.
    """

    data: tuple[DataFile, ...]
    output: str
    settings: TrainingSettings
    model: str = ""
    validation_file: DataFile | None = None
    resume: bool = False
    device: str = "auto"
    precision: str = "auto"
    threads: int = 0
    gentle: bool = False
    negatives: str = ""


@dataclass(frozen=True, slots=True)
class Anchors:
    """What negatives are wanted for.

    Attributes:
        pairs: anchor and positive of every training row, each pair once.
        held: texts of the validation rows: nothing of them may be learnt from.
    """

    pairs: tuple[tuple[str, str], ...]
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StageBegins:
    """One of several trainings begins: its number from 1, of how many; `alone`: the last one without the others."""

    number: int
    stages: int
    alone: bool = False


@dataclass(frozen=True, slots=True)
class StepReport:
    """A step of a training: its number from 1, of how many, loss, learning rate and pace."""

    step: int
    steps: int
    epoch: int
    loss: float
    learning_rate: float
    steps_per_s: float
    remaining_s: float | None


@dataclass(frozen=True, slots=True)
class EpochReport:
    """An epoch of a training: its number from 1, mean loss, and measures of the validation rows (None without any)."""

    epoch: int
    loss: float
    validation: dict[str, object] | None


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What came of a training.

    Attributes:
        output: the model's folder.
        epochs: in order, those of an earlier run that was resumed too.
        before: measures of the validation rows by the model as it was; None without such rows.
        after: by the model that was saved.
        best_epoch: from 1; the one that was saved.
        threshold: that was stored with the model.
        rows: for training; `validation_rows` to choose the epoch; `left_out`: shared a sentence with those.
        seconds: of this run.
        steps_per_s: of the training steps alone.
        resumed_at: the step that this run began at.
        stopped: why it ended before its last epoch; empty otherwise.
        warnings: what a person should know.
        judged: the validation rows by the model that was saved, with the pairs that it judges most wrongly and its
            curves; None without such rows.
        judged_before: likewise by the model as it was; None also after a run was resumed.
        averaged: whether the average of the weights was saved rather than the last ones.
    """

    output: str
    epochs: tuple[EpochReport, ...]
    before: dict[str, object] | None
    after: dict[str, object] | None
    best_epoch: int
    threshold: float | None
    rows: int
    validation_rows: int
    left_out: int
    seconds: float
    steps_per_s: float
    resumed_at: int = 0
    stopped: str = ""
    warnings: tuple[str, ...] = ()
    judged: Evaluation | None = None
    judged_before: Evaluation | None = None
    averaged: bool = False


@dataclass(frozen=True, slots=True)
class UnfinishedTraining:
    """A training that was stopped, or broken off, and left a checkpoint.

    Attributes:
        request: as it was asked for; of several stages the last one.
        stopped_at: when its last checkpoint was written, seconds since 1970.
        stages: of one training after another all of them, in order; else none.
        alone: whether the last of them is trained without the others too.
    """

    request: TrainingRequest
    stopped_at: float
    stages: tuple[TrainingRequest, ...] = ()
    alone: bool = False
