"""The cross-encoder: reads both sentences in one pass (Reimers & Gurevych 2019, section 1).

It judges a pair better than two vectors do, but needs a pass for every pair: it can reorder a few hits, not search
a library. Its folder is a `BertForSequenceClassification` of transformers; sentence-transformers' CrossEncoder loads
it too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from desktop_app.core.errors import ModelMissing
from desktop_app.core.labelled_data import DUPLICATE_LABELS
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.device import choose_device, fastest_cpu_precision
from desktop_app.encoder.inference.batching import divide_by_length
from desktop_app.encoder.inference.network import load_network, refuse_unknown_tokens
from desktop_app.encoder.tokenizing import SLICE_TEXTS, TextTokenizer
from desktop_app.encoder.training.forward_pass import ThreadedForwardPass
from desktop_app.encoder.training_notes import read_training_notes

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray

    from desktop_app.encoder.checkpoint import Checkpoint
    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.tokenizing import PairIds

ARCHITECTURE = "BertForSequenceClassification"
_BATCH_TOKENS = 2048
_SHORT_BATCH_TOKENS = 512  # of a pass while a person waits: quick to stop, and hardly slower
_CLASSIFIER = ("classifier.weight", "classifier.bias")


def is_cross_encoder(checkpoint: Checkpoint) -> bool:
    """Return whether a model's folder has a cross-encoder."""
    return checkpoint.is_cross


class CrossEncoderHead(nn.Module):
    """Maps the output of the body's pooler to log odds: dropout and a linear layer.

    Args:
        hidden: length of the pooler's output.
        classes: names of the classes.
        single: one output, the log odds of the last class, or of a score of 1.
        dropout: during training.
    """

    def __init__(self, hidden: int, classes: tuple[str, ...], *, single: bool, dropout: float = 0.0) -> None:
        super().__init__()
        self.classes, self.single = classes, single
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(hidden, 1 if single else len(classes))
        nn.init.normal_(self.output.weight, std=0.02)
        nn.init.zeros_(self.output.bias)

    def forward(self, pooled: torch.Tensor) -> torch.Tensor:
        """Return logits float32 [n, outputs] of float32 [n, hidden]."""
        logits: torch.Tensor = self.output(self.dropout(pooled))
        return logits

    def probabilities(self, pooled: NDArray[Any]) -> NDArray[np.float64]:
        """Return float64 [n, classes] (with a single output [n, 2]) of float32 [n, hidden]. Leaves it in eval mode."""
        with torch.inference_mode():
            self.eval()
            logits = self(torch.from_numpy(pooled)).double()
            if self.single:
                yes = torch.sigmoid(logits)
                return torch.cat([1 - yes, yes], dim=1).numpy()
            return torch.softmax(logits, dim=1).numpy()


def read_pair_checkpoint(folder: Path, max_length: int = 0) -> Checkpoint:
    """Return the checkpoint of a folder, set up for reading two texts at once.

    Args:
        folder: of an encoder or a cross-encoder.
        max_length: tokens of a pair; 0: room for two texts, up to the body's number of positions.

    Raises:
        ModelMissing: the body cannot read pairs.
    """
    checkpoint = read_checkpoint(folder, "pooler")
    if checkpoint.config.get("model_type") != "bert":
        raise ModelMissing(
            "{folder} is a {model_type} model, but a cross-encoder needs a BERT model",
            "Start from a BERT model, such as the bundled one.",
            folder=folder,
            model_type=checkpoint.config.get("model_type"),
        )
    positions = int(checkpoint.config.get("max_position_embeddings") or 512)
    own = checkpoint.max_length if is_cross_encoder(checkpoint) else 2 * checkpoint.max_length
    return replace(
        checkpoint, head=(), dim=checkpoint.hidden, max_length=min(max_length or own, positions), attention=None
    )


@dataclass(frozen=True, slots=True)
class CrossEncoderParts:
    """A body that reads pairs, with its tokenizer: a `CrossEncoder` computes with it, and a training changes it."""

    checkpoint: Checkpoint
    network: Network
    tokenizer: TextTokenizer


def embed_pairs(
    network: Network, pad_id: int, rows: Sequence[PairIds], *, precision: str, threads: int, batch_tokens: int = 0
) -> Generator[tuple[list[int], NDArray[np.float32]], None, None]:
    """Yield (places, float32 [n, hidden]) of pairs: the pooler's output, batch by batch, the longest first."""
    most = batch_tokens or _BATCH_TOKENS * threads
    network.eval()
    forward = ThreadedForwardPass(network, pad_id, precision=precision, threads=threads, seed=0, training=False)
    try:
        for places in divide_by_length([len(row.ids) for row in rows], most):
            chosen = [rows[place] for place in places]
            found = forward.embed([row.ids for row in chosen], 0, [row.segments for row in chosen])
            yield places, found.detach().numpy()
    finally:
        forward.close()


class CrossEncoder:
    """Judges pairs of sentences. Use it from one thread.

    Args:
        folder: of a cross-encoder.
        precision: of the products: `fp32`, `bf16`, or `auto`: bf16 if it is faster on this processor.
        threads: number of computing threads; 0 for all cores.

    Raises:
        ModelMissing: it is missing, damaged, or not a cross-encoder.

    Attributes:
        name: of the model.
        classes: names of the classes; empty if it returns a score.
        threshold: probability from which two sentences are the same; None if unknown.
    """

    def __init__(self, folder: str | Path, precision: str = "auto", threads: int = 0) -> None:
        folder = Path(folder)
        checkpoint = read_pair_checkpoint(folder)
        if not is_cross_encoder(checkpoint):
            raise ModelMissing(
                "{folder} is not a cross-encoder",
                "Train one: `train DATA --architecture cross`.",
                folder=folder,
            )
        self._network = load_network(checkpoint)
        self._tokenizer = TextTokenizer(checkpoint)
        refuse_unknown_tokens(checkpoint, self._network, self._tokenizer.largest_id())
        self._head = _load_head(checkpoint)
        self._threads = max(1, choose_device("cpu", "fp32", threads).threads)
        torch.set_num_threads(1)
        self._precision = (
            fastest_cpu_precision() if precision == "auto" else "bf16" if precision == "fp16" else precision
        )
        self.name = checkpoint.name
        self.classes = self._head.classes
        self.threshold = read_training_notes(checkpoint.folder).threshold

    @property
    def single(self) -> bool:
        """Whether it returns one number: a score, or the probability that two sentences are the same."""
        return self._head.single

    @property
    def match_column(self) -> int:
        """The column of `probability_batches` that says how well two texts match; for inference, entailment."""
        return self.classes.index("entailment") if "entailment" in self.classes else -1

    @property
    def rates_matches(self) -> bool:
        """Whether one of its answers says that two texts match; of many classes only entailment does."""
        return len(self.classes) <= 2 or "entailment" in self.classes

    def probability_batches(
        self, pairs: Sequence[tuple[str, str]], batch_tokens: int = 0
    ) -> Generator[tuple[list[int], NDArray[np.float64]], None, None]:
        """Yield (places, float64 [n, classes]) of pairs; for a single output [n, 2], the answer in column 1."""
        rows: list[PairIds] = []
        for start in range(0, len(pairs), SLICE_TEXTS):
            rows += self._tokenizer.encode_pairs(pairs[start : start + SLICE_TEXTS])
        steps = embed_pairs(
            self._network,
            self._tokenizer.pad_id,
            rows,
            precision=self._precision,
            threads=self._threads,
            batch_tokens=batch_tokens,
        )
        try:
            for places, pooled in steps:
                yield places, self._head.probabilities(pooled)
        finally:
            steps.close()

    def score_batches(
        self, pairs: Sequence[tuple[str, str]]
    ) -> Generator[tuple[list[int], NDArray[np.float64]], None, None]:
        """Yield (places, float64 [n]), 0 to 1: how well the second text of a pair fits the first.

        For inference it is the probability of entailment.
        """
        for places, found in self.probability_batches(pairs, batch_tokens=_SHORT_BATCH_TOKENS):
            yield places, found[:, self.match_column]

    def scores(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return float64 [n]; see `score_batches`."""
        scores = np.empty(len(pairs))
        for places, found in self.score_batches(pairs):
            scores[places] = found
        return scores


def write_cross_encoder(model: CrossEncoderParts, head: CrossEncoderHead, folder: Path) -> None:
    """Write weights, configuration and tokenizer into an existing folder."""
    checkpoint = model.checkpoint
    names = head.classes[-1:] if head.single else head.classes
    config = {key: value for key, value in checkpoint.config.items() if key not in ("dtype", "torch_dtype")}
    config |= {
        "architectures": [ARCHITECTURE],
        "id2label": {str(place): name for place, name in enumerate(names or ("score",))},
        "label2id": {name: place for place, name in enumerate(names or ("score",))},
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2), "utf-8")
    tensors = {f"bert.{name}": tensor for name, tensor in model.network.body_tensors().items()}
    for name, parameter in zip(_CLASSIFIER, (head.output.weight, head.output.bias), strict=True):
        tensors[name] = parameter.detach().float().cpu().clone()
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    for file in checkpoint.tokenizer_files:
        (folder / file.name).write_bytes(file.read_bytes())
    if not (folder / "tokenizer.json").is_file():
        model.tokenizer.save(folder / "tokenizer.json")
    place = folder / "tokenizer_config.json"
    settings = json.loads(place.read_text("utf-8")) if place.is_file() else {"tokenizer_class": "BertTokenizer"}
    place.write_text(json.dumps(settings | {"model_max_length": checkpoint.max_length}, indent=2), "utf-8")


def _load_head(checkpoint: Checkpoint) -> CrossEncoderHead:
    tensors: dict[str, torch.Tensor] = {}
    for file in checkpoint.weights:
        tensors |= {name: tensor for name, tensor in load_file(file).items() if name in _CLASSIFIER}
    if set(tensors) != set(_CLASSIFIER):
        raise ModelMissing(
            "The cross-encoder in {folder} lacks its classifier", "Copy the model again.", folder=checkpoint.folder
        )
    outputs, hidden = tensors[_CLASSIFIER[0]].shape
    labels = checkpoint.config.get("id2label") or {}
    names = tuple(str(labels.get(str(place), place)).lower() for place in range(outputs))
    single = outputs == 1
    if single:
        names = DUPLICATE_LABELS if names == ("same",) else ()
    head = CrossEncoderHead(hidden, names, single=single)
    head.output.load_state_dict({"weight": tensors[_CLASSIFIER[0]].float(), "bias": tensors[_CLASSIFIER[1]].float()})
    return head.eval()
