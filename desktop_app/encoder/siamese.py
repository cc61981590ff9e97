"""The siamese encoder: texts to vectors that lie near each other when the texts mean the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.errors import AppError, DeviceUnavailable
from desktop_app.encoder.bundled import resolve_model
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.device import choose_device, default_batch_tokens, torch_dtype
from desktop_app.encoder.network import load_network
from desktop_app.encoder.tokenizing import SLICE_CHARACTERS, SLICE_TEXTS, TextTokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo, ModelInfo
    from desktop_app.encoder.tokenizing import TokenIds

KINDS = ("document", "query")

_POOL_TEXTS = 4096  # tokenized texts that wait to be batched: enough for rows of one batch to be of one length


class SiameseEncoder:
    """Embeds texts with a sentence-transformers model, on torch.

    One body embeds both sides of a pair, so that vectors can be stored and compared later (Reimers & Gurevych
    2019, section 3). Use one instance from one thread: tokenizer and model are not locked.

    Example:
        >>> encoder = SiameseEncoder()
        >>> vectors = encoder.encode(["The cat sits outside", "The cat plays in the garden"])
        >>> vectors.shape
        (2, 384)
        >>> round(float(vectors[0] @ vectors[1]), 4)
        0.6788

    Args:
        folder: a model's folder, in the sentence-transformers format or a plain transformers model; empty for the
            bundled all-MiniLM-L6-v2, whose weights are checked against their known hash.
        device: `auto`, `cpu`, `cuda` or `mps`.
        precision: of the body: `auto`, `fp32`, `bf16` or `fp16`. Pooling, head and lengths are always fp32.
        threads: of torch on the processor, for the whole process (`torch.set_num_threads`); 0 leaves one core to
            the window.
        pooling: `mean`, `cls`, `max` or `pooler` in place of the model's own. Another pooling is another model,
            with another fingerprint.

    Raises:
        ModelMissing: the model is missing, damaged or of a kind that is not loaded.
        DeviceUnavailable: the device or precision is not there, or has too little memory.
    """

    def __init__(
        self,
        folder: str | Path = "",
        device: str = "auto",
        precision: str = "auto",
        threads: int = 0,
        pooling: str | None = None,
    ) -> None:
        self.checkpoint = read_checkpoint(resolve_model(folder), pooling)
        self._model = self.checkpoint.info()
        self._device = choose_device(device, precision, threads)
        torch.set_num_threads(self._device.threads)
        self.tokenizer = TextTokenizer(self.checkpoint)
        network = load_network(self.checkpoint)
        try:
            self.network = network.to_device(self._device.device, torch_dtype(self._device.precision))
        except RuntimeError as error:
            raise _too_little_memory(self._device.device, "the model") from error

    def __repr__(self) -> str:
        return (
            f"SiameseEncoder({self._model.name!r}, dim={self._model.dim}, pooling={self._model.pooling!r}, "
            f"max_length={self._model.max_length}, device={self._device.device!r}, "
            f"precision={self._device.precision!r})"
        )

    @property
    def model(self) -> ModelInfo:
        """Which model this is."""
        return self._model

    @property
    def device(self) -> DeviceInfo:
        """Where and how it computes."""
        return self._device

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._model.dim

    def encode(self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document") -> NDArray[np.float32]:
        """Embed `texts`.

        Args:
            texts: any strings: empty ones, control characters and lone surrogates (read as U+FFFD) too. What lies
                beyond the model's length is not looked at.
            normalize: rows of length 1 (a zero vector stays zero); False gives what the model's own parts give,
                which are rows of length 1 too where the model ends in a normalisation.
            kind: `document` or `query`: picks the model's prompt where it has one.

        Returns:
            float32 [n, dim], one row for each text, in order; [0, dim] for no texts; [dim] when `texts` is one
            string.
        """
        alone = isinstance(texts, str)
        batch = [texts] if isinstance(texts, str) else texts
        vectors = np.empty((len(batch), self.dim), dtype=np.float32)
        for indices, rows in self.encode_batches(batch, normalize=normalize, kind=kind):
            vectors[indices] = rows
        return vectors[0] if alone else vectors

    def encode_batches(
        self,
        texts: Sequence[str],
        *,
        normalize: bool = True,
        kind: str = "document",
        batch_tokens: int | None = None,
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Embed `texts` a batch at a time, so that the caller can do other things, or stop, in between.

        Between two yields lie the tokenizing of a bounded slice of texts and one forward pass, never more: texts
        are tokenized as the batches go, a few thousand ahead, and the longest that wait are batched first. Short
        of memory, batches become half as large and the work goes on.

        Args:
            texts: as for `encode`.
            normalize: as for `encode`.
            kind: as for `encode`.
            batch_tokens: tokens of a forward pass, with padding; a longer text has a pass of its own. None for
                what suits the device.

        Yields:
            (indices into `texts` int64 [b], their vectors float32 [b, dim]), b at least 1; every index once.

        Raises:
            DeviceUnavailable: there is not the memory for one text.
        """
        if isinstance(texts, str):
            raise TypeError("encode_batches takes a sequence of strings, not one string")
        if kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
        if batch_tokens is not None and batch_tokens < 1:
            raise ValueError(f"batch_tokens is at least 1, not {batch_tokens}")
        return self._batches(texts, normalize, kind, batch_tokens or default_batch_tokens(self._device.device))

    def count_tokens(self, texts: Sequence[str], *, kind: str = "document") -> NDArray[np.int64]:
        """Return how many tokens of each text the model sees, special tokens and prompt counted: int64 [n]."""
        prompt = self.checkpoint.prompt(kind)
        counts = [
            len(ids) for start, stop in _slices(texts) for ids in self.tokenizer.encode(texts[start:stop], prompt)
        ]
        return np.array(counts, dtype=np.int64)

    def _batches(
        self, texts: Sequence[str], normalize: bool, kind: str, budget: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        prompt = self.checkpoint.prompt(kind)
        skipped = 0 if self.checkpoint.include_prompt or not prompt else self.tokenizer.prompt_length(prompt)
        slices = _slices(texts)
        waiting: list[tuple[int, int]] = []  # (tokens, index), the longest last
        ids: dict[int, TokenIds] = {}
        exhausted = False
        while waiting or not exhausted:
            while not exhausted and len(waiting) < _POOL_TEXTS:
                start, stop = next(slices, (0, 0))
                exhausted = stop == 0
                for index, row in enumerate(self.tokenizer.encode(texts[start:stop], prompt), start):
                    ids[index] = row
                    waiting.append((len(row), index))
                waiting.sort()
                if sum(length for length, _ in waiting) >= budget:
                    break
            if not waiting:
                return
            count = max(1, budget // waiting[-1][0])
            batch = [index for _, index in reversed(waiting[-count:])]
            vectors = self._compute([ids[index] for index in batch], skipped, normalize)
            if vectors is None:
                budget = max(1, min(budget, len(batch) * waiting[-1][0]) // 2)
                continue
            del waiting[-count:]
            for index in batch:
                del ids[index]
            yield np.array(batch, dtype=np.int64), vectors

    def _compute(self, rows: list[TokenIds], skipped: int, normalize: bool) -> NDArray[np.float32] | None:
        """Return float32 [b, dim] for token ids, longest first; None when memory was short for more than one text."""
        # inference_mode belongs to the thread and must not stay on while a generator rests at a yield.
        try:
            with torch.inference_mode():
                return self._forward(rows, skipped, normalize)
        except (RuntimeError, MemoryError) as error:
            if not _is_out_of_memory(error):
                raise
            if len(rows) == 1:
                raise _too_little_memory(self._device.device, "one text") from error
        # Out here the error, and with it the tensors of the failed pass, is gone.
        if self._device.device == "cuda":
            torch.cuda.empty_cache()
        elif self._device.device == "mps":
            torch.mps.empty_cache()
        return None

    def _forward(self, rows: list[TokenIds], skipped: int, normalize: bool) -> NDArray[np.float32]:
        longest = len(rows[0])
        ids = np.full((len(rows), longest), self.tokenizer.pad_id, dtype=np.int64)
        lengths = np.array([len(row) for row in rows])
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
        device = self._device.device
        mask = None
        if lengths.min() < longest:
            mask = torch.from_numpy(np.arange(longest) < lengths[:, None]).to(device)
        vectors: torch.Tensor = self.network(torch.from_numpy(ids).to(device), mask, skipped)
        if normalize and not self._model.normalised:
            vectors = F.normalize(vectors, dim=-1)
        out: NDArray[np.float32] = vectors.cpu().numpy()
        return out


def _slices(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (start, stop) of what is tokenized in one go, bounded in texts and (one text aside) in characters."""
    start, characters = 0, 0
    for index, text in enumerate(texts):
        if index > start and (index - start >= SLICE_TEXTS or characters + len(text) > SLICE_CHARACTERS):
            yield start, index
            start, characters = index, 0
        characters += len(text)
    if len(texts) > start:
        yield start, len(texts)


def _is_out_of_memory(error: BaseException) -> bool:
    # torch has a type for the memory of CUDA; MPS and the processor's allocator raise RuntimeError.
    message = str(error)
    return (
        isinstance(error, (MemoryError, torch.OutOfMemoryError))
        or "allocate memory" in message
        or "out of memory" in message
    )


def _too_little_memory(device: str, what: str) -> AppError:
    return DeviceUnavailable(
        f"the memory of {device} is too small for {what}", "Close other programs, or use --device cpu."
    )
