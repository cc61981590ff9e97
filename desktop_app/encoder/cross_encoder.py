"""The cross-encoder: reads both sentences in one pass (Reimers & Gurevych 2019, section 1).

It judges a pair better than two vectors do and costs a pass for every pair: it can order a few hits anew, not search
a library. Its folder is a `BertForSequenceClassification` as transformers has it, which sentence-transformers'
CrossEncoder loads too.
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
_SHORT_BATCH_TOKENS = 512  # of a pass while somebody looks on: soon stopped, and hardly slower
_CLASSIFIER = ("classifier.weight", "classifier.bias")


def is_cross_encoder(checkpoint: Checkpoint) -> bool:
    """Whether a model's folder holds a cross-encoder."""
    return checkpoint.is_cross


class CrossEncoderHead(nn.Module):
    """What the body's pooler gives to log odds: a linear layer behind dropout.

    Args:
        hidden: length of the pooler's output.
        classes: their names; with `single` one output, the log odds of the last of them, or of a score of 1.
        single: see there.
        dropout: while it is trained.
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
    """Return what a folder says, for reading two texts at once.

    Args:
        folder: an encoder or a cross-encoder.
        max_length: tokens of a pair; 0: room for two texts, as far as the body has positions.

    Raises:
        ModelMissing: the body is none that reads pairs.
    """
    checkpoint = read_checkpoint(folder, "pooler")
    if checkpoint.config.get("model_type") != "bert":
        raise ModelMissing(
            "{folder} is a {model_type}, and a cross-encoder reads pairs with a BERT",
            "Begin with a BERT, such as the bundled model.",
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
    """A body that reads pairs, with its tokenizer; what a `CrossEncoder` computes with and a training changes."""

    checkpoint: Checkpoint
    network: Network
    tokenizer: TextTokenizer


def embed_pairs(
    network: Network, pad_id: int, rows: Sequence[PairIds], *, precision: str, threads: int, batch_tokens: int = 0
) -> Generator[tuple[list[int], NDArray[np.float32]], None, None]:
    """Yield (places, float32 [n, hidden]) of pairs: what the pooler gives, batch by batch, the longest first."""
    most = batch_tokens or _BATCH_TOKENS * threads
    order = sorted(range(len(rows)), key=lambda place: -len(rows[place].ids))
    batches: list[list[int]] = []
    for place in order:
        if not batches or (len(batches[-1]) + 1) * len(rows[batches[-1][0]].ids) > most:
            batches.append([])
        batches[-1].append(place)
    network.eval()
    forward = ThreadedForwardPass(network, pad_id, precision=precision, threads=threads, seed=0, training=False)
    try:
        for places in batches:
            chosen = [rows[place] for place in places]
            found = forward.embed([row.ids for row in chosen], 0, [row.segments for row in chosen])
            yield places, found.detach().numpy()
    finally:
        forward.close()


class CrossEncoder:
    """Judges pairs of sentences. Used from one thread.

    Args:
        folder: a cross-encoder's.
        precision: of the products: `auto`: bf16 where this processor is quick in it; `fp32`, `bf16`.
        threads: that compute; 0 for all cores.

    Raises:
        ModelMissing: it is missing, damaged, or no cross-encoder.

    Attributes:
        name: of the model.
        classes: names of what it tells apart; empty where it gives a score.
        threshold: probability from which two sentences are the same; None where nothing is known.
    """

    def __init__(self, folder: str | Path, precision: str = "auto", threads: int = 0) -> None:
        folder = Path(folder)
        checkpoint = read_pair_checkpoint(folder)
        if not is_cross_encoder(checkpoint):
            raise ModelMissing(
                "{folder} is no cross-encoder: it makes vectors",
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
        """Whether it gives one number: a score, or how much two sentences are the same."""
        return self._head.single

    def probability_batches(
        self, pairs: Sequence[tuple[str, str]], batch_tokens: int = 0
    ) -> Generator[tuple[list[int], NDArray[np.float64]], None, None]:
        """Yield (places, float64 [n, classes]) of pairs; of a single output [n, 2], the last column the answer."""
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
        """Yield (places, float64 [n]), 0 to 1: how much the second text of a pair belongs to the first.

        Of inference that is the probability of entailment.
        """
        wanted = self.classes.index("entailment") if "entailment" in self.classes else -1
        for places, found in self.probability_batches(pairs, batch_tokens=_SHORT_BATCH_TOKENS):
            yield places, found[:, wanted]

    def scores(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return float64 [n]; see `score_batches`."""
        scores = np.empty(len(pairs))
        for places, found in self.score_batches(pairs):
            scores[places] = found
        return scores


def write_cross_encoder(model: CrossEncoderParts, head: CrossEncoderHead, folder: Path) -> None:
    """Write weights, configuration and tokenizer into a folder that is there."""
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
        model.tokenizer.save(str(folder / "tokenizer.json"))
    place = folder / "tokenizer_config.json"
    settings = json.loads(place.read_text("utf-8")) if place.is_file() else {"tokenizer_class": "BertTokenizer"}
    place.write_text(json.dumps(settings | {"model_max_length": checkpoint.max_length}, indent=2), "utf-8")


def _load_head(checkpoint: Checkpoint) -> CrossEncoderHead:
    tensors: dict[str, torch.Tensor] = {}
    for file in checkpoint.weights:
        tensors |= {name: tensor for name, tensor in load_file(file).items() if name in _CLASSIFIER}
    if set(tensors) != set(_CLASSIFIER):
        raise ModelMissing(
            "the cross-encoder in {folder} lacks its classifier", "Copy the model anew.", folder=checkpoint.folder
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
