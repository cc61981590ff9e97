"""A model in training: built from a folder, evaluated, written to another folder."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from desktop_app.encoder.checkpoint import Checkpoint, DenseSpec, HeadStep, read_checkpoint
from desktop_app.encoder.device import fastest_training_precision
from desktop_app.encoder.inference.batching import divide_by_length
from desktop_app.encoder.inference.bert import BertBody
from desktop_app.encoder.inference.network import Network, load_network
from desktop_app.encoder.inference.prepared_model import PreparedModel, pad_rows
from desktop_app.encoder.models.bundled import resolve_model
from desktop_app.encoder.tokenizing import SLICE_TEXTS, TextTokenizer
from desktop_app.encoder.training.compute_plan import ComputePlan
from desktop_app.encoder.training.forward_pass import AutocastForwardPass, ForwardPass, ThreadedForwardPass
from desktop_app.encoder.training.validation import evaluate_validation, fit_threshold
from desktop_app.encoder.word_alignment import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from numpy.typing import NDArray
    from torch import nn

    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.datasets.dataset import DataSet
    from desktop_app.encoder.tokenizing import TokenIds
    from desktop_app.encoder.word_alignment import PairWords
    from desktop_app.encoder.word_judge import WordJudge
    from desktop_app.encoder.word_rarity import WordRarity

_BATCH_TOKENS = 2048


@dataclass(slots=True)
class TrainedModel:
    """A network with its checkpoint and tokenizer; implements `checkpoint_writer.WritableModel`.

    Attributes:
        precision: of the products: `fp32` or `bf16`.
        threads: number of computing threads.
        shares: parts of a batch. Each draws its own dropout, so the result depends on their number.
        judge: by score and words; fitted after the training.
    """

    checkpoint: Checkpoint
    network: Network
    tokenizer: TextTokenizer
    device: str
    precision: str
    threads: int
    shares: int
    judge: WordJudge | None = None

    def forward(self, seed: int, *, drops: bool = True) -> ForwardPass:
        """Return the forward pass of its training steps; `drops`: with dropout."""
        pad_id, precision = self.tokenizer.pad_id, self.precision
        if isinstance(self.network.body, BertBody) and self.device == "cpu":
            threads, shares = self.threads, self.shares
            return ThreadedForwardPass(
                self.network, pad_id, precision=precision, threads=threads, seed=seed, shares=shares, drops=drops
            )
        return AutocastForwardPass(
            self.network, pad_id, precision=precision, device=self.device, seed=seed, drops=drops
        )

    @property
    def compute_plan(self) -> ComputePlan:
        """The device, precision, threads and shares."""
        return ComputePlan(self.device, self.precision, self.threads, self.shares)

    def columns(self, data: DataSet) -> Generator[None, None, list[list[Any]]]:
        """Return the input of `embed` for each column of a data set's texts."""
        columns = []
        for column in data.texts:
            columns.append((yield from self.tokenize(column)))
        return columns

    def embed_step(self, forward: ForwardPass, rows: Sequence[Any], number: int) -> torch.Tensor:
        """Return the pooled vectors of a training step's rows; see `ForwardPass.embed`."""
        return forward.embed(rows, number)

    def evaluate(
        self,
        data: DataSet,
        vectors: list[NDArray[np.float32]],
        head: Any,
        threshold: float | None,
        worst: int,
        words: PairWords | None = None,
    ) -> Evaluation:
        """Evaluate the model on rows; see `evaluate_validation`. With a judge it needs their words."""
        return evaluate_validation(data, vectors, head, threshold, worst, self.judge, words)

    def fit_threshold(
        self, data: DataSet, vectors: list[NDArray[np.float32]], head: Any, words: PairWords | None = None
    ) -> float | None:
        """Return the threshold with the best accuracy on duplicates; None for other data."""
        return fit_threshold(data, vectors, head, self.judge, words)

    def embed_pairs(
        self, data: DataSet, rarity: WordRarity
    ) -> Generator[int, None, tuple[NDArray[np.float32], NDArray[np.float32], PairWords]]:
        """Return the vectors of both sides of rows, and their words, with the present weights; see `WordEmbedder`."""
        self.network.eval()
        prompt = self.checkpoint.prompt("document")
        embedder = WordEmbedder(self.network, self.tokenizer, prompt, self.device, lambda: self.threads)
        return (yield from embedder.embed_pairs(data.texts[0], data.texts[1], rarity))

    def tokenize(self, texts: Sequence[str]) -> Generator[None, None, list[TokenIds]]:
        """Return the token ids of each text, with the prompt of documents."""
        prompt = self.checkpoint.prompt("document")
        rows: list[TokenIds] = []
        for start in range(0, len(texts), SLICE_TEXTS):
            rows += self.tokenizer.encode(texts[start : start + SLICE_TEXTS], prompt)
            yield
        return rows

    def finish(self, pooled: torch.Tensor) -> torch.Tensor:
        """Return sentence vectors: apply the layers after the pooling."""
        for step in self.network.head:
            pooled = step(pooled)
        return pooled

    def embed(self, rows: Sequence[TokenIds]) -> Generator[None, None, NDArray[np.float32]]:
        """Return float32 [n, dim] of tokenized texts, with the present weights."""
        batches = divide_by_length([len(row) for row in rows], _BATCH_TOKENS, self.network.pad_to_tokens)
        vectors = np.empty((len(rows), self.checkpoint.dim), np.float32)
        on_cpu = self.device == "cpu"
        inference = PreparedModel(self.network, self.precision, "cpu") if on_cpu else None

        def compute(places: list[int]) -> None:
            with torch.inference_mode():
                ids, mask = pad_rows([rows[place] for place in places], self.tokenizer.pad_id)
                if inference is not None:
                    found = inference(ids, mask, 0, normalize=False)
                else:
                    found = self.network(ids.to(self.device), None if mask is None else mask.to(self.device))
                vectors[places] = found.float().cpu().numpy()

        self.network.eval()
        with ThreadPoolExecutor(
            self.threads if on_cpu else 1, "embedding", initializer=torch.set_num_threads, initargs=(1,)
        ) as pool:
            for future in [pool.submit(compute, places) for places in batches]:
                future.result()
                yield
        return vectors


def build_siamese_model(
    model: str, name: str, settings: TrainingSettings, device: str, precision: str, threads: int, shares: int = 0
) -> TrainedModel:
    """Prepare a model for training; new layers are drawn from the settings' seed.

    Args:
        model: name or folder of the base model.
        name: of the new model.
        settings: of the training.
        device: where it is trained.
        precision: `auto`: the faster one.
        threads: number of computing threads.
        shares: parts of a batch; 0: one for each thread.

    Raises:
        ModelMissing: the model cannot be loaded, or has no such pooling.
    """
    checkpoint = read_checkpoint(resolve_model(model), settings.pooling or None)
    torch.manual_seed(settings.seed)
    loaded = load_network(checkpoint)
    if settings.max_length:
        checkpoint = replace(checkpoint, max_length=min(settings.max_length, checkpoint.max_length))
    network = loaded
    network.pad_to_tokens = checkpoint.max_length if network.pad_to_tokens else 0
    own_layers = checkpoint.head[:-1] if checkpoint.normalised else checkpoint.head
    own_head, checkpoint = checkpoint.head, _change_head(checkpoint, own_layers, settings)
    if checkpoint.head != own_head:
        network = Network(checkpoint, loaded.body)  # knows the length at which texts are cut
        network.attention = loaded.attention
        for place in range(len(own_layers)):
            network.head[place] = loaded.head[place]
    network.to(device).requires_grad_(True)
    precision = fastest_training_precision(device) if precision == "auto" else precision
    checkpoint = replace(checkpoint, name=name)
    return TrainedModel(checkpoint, network, TextTokenizer(checkpoint), device, precision, threads, shares or threads)


def new_parameters(model: TrainedModel, settings: TrainingSettings) -> list[nn.Parameter]:
    """Return the parameters of the model's new layers."""
    attention = model.network.attention
    is_new = attention is not None and model.checkpoint.attention is None
    fresh = list(attention.parameters()) if attention is not None and is_new else []
    if settings.projection:
        place = len(model.network.head) - 1 - int(model.checkpoint.normalised)
        fresh += list(model.network.head[place].parameters())
    return fresh


def _change_head(checkpoint: Checkpoint, own_layers: tuple[HeadStep, ...], settings: TrainingSettings) -> Checkpoint:
    """Return the checkpoint with the layers that settings ask for.

    A linear layer for a projection comes after the model's own layers, but before a final normalisation.
    """
    head, dim = own_layers, checkpoint.dim
    if settings.projection:
        layer = DenseSpec(Path(), dim, settings.projection, bias=True, activation="Identity", residual=False)
        head, dim = (*head, layer), settings.projection
    if checkpoint.normalised and settings.normalize:
        head = (*head, "normalize")
    return replace(checkpoint, head=head, dim=dim)
