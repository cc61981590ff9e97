"""The siamese encoder: texts to vectors that lie near each other when the texts mean the same."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.errors import AppError, DeviceUnavailable
from desktop_app.encoder.batching import Window, slices, tokenized, tokenized_ahead
from desktop_app.encoder.bundled import resolve_model
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.device import Pace, choose_device, default_batch_tokens
from desktop_app.encoder.inference import Inference, padded
from desktop_app.encoder.network import load_network
from desktop_app.encoder.pipelines import Card, Inline, Link, Threads
from desktop_app.encoder.precision import remembered
from desktop_app.encoder.tokenizing import SLICE_TEXTS, TextTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.records import DeviceInfo, ModelInfo
    from desktop_app.encoder.batching import Batch
    from desktop_app.encoder.pipelines import Pipeline
    from desktop_app.encoder.tokenizing import TokenIds

KINDS = ("document", "query")

log = logging.getLogger(__name__)


class VectorNotFinite(AppError):
    """A model's vector has a number that is none."""

    kind = "vector_not_finite"


class SiameseEncoder:
    """Embeds texts with a sentence-transformers model, on torch.

    One body embeds both sides of a pair, so that vectors can be stored and compared later (Reimers & Gurevych
    2019, section 3). Use one instance from one thread: tokenizer and model are not locked. The threads that compute
    belong to an `encode_batches` and end with it; each has one thread of torch (`torch.set_num_threads(1)`, a
    setting of the process: see `Threads` in `pipelines.py` for why).

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
        precision: of the body: `auto`, `fp32`, `bf16` or `fp16`. Pooling, head and lengths are always fp32. `auto`
            is fp16 on CUDA; on a processor it is what `memory` says, else fp32 until `measure_precision` has run.
        threads: batches that the processor computes at once; 0 for all cores.
        pooling: `mean`, `cls`, `max` or `pooler` in place of the model's own. Another pooling is another model,
            with another fingerprint.
        memory: the file in which the measured precision is remembered; None: it is not.

    Raises:
        ModelMissing: the model is missing, damaged or of a kind that is not loaded.
        DeviceUnavailable: the device or precision is not there, or has too little memory.

    Attributes:
        network: the model in fp32 on the processor; what is saved. `inference` shares memory with it, so a training
            works on a copy (`copy.deepcopy`), which may be put here afterwards: then call `refresh`.
        inference: what computes.
        needs_measuring: whether `measure_precision` would tell something new.
    """

    def __init__(
        self,
        folder: str | Path = "",
        device: str = "auto",
        precision: str = "auto",
        threads: int = 0,
        pooling: str | None = None,
        memory: Path | None = None,
    ) -> None:
        self.checkpoint = read_checkpoint(resolve_model(folder), pooling)
        self.memory = memory
        self._model = self.checkpoint.info()
        self._device = choose_device(device, precision, threads)
        self._threads = self._device.threads
        self.needs_measuring = False
        if precision == "auto" and self._device.device == "cpu":
            known = remembered(memory, self._model.fingerprint)
            self.needs_measuring = known is None
            if known is not None:
                self._device = replace(self._device, precision=known.precision, note=known.note)
        torch.set_num_threads(1)
        self._pace = Pace()
        self.tokenizer = TextTokenizer(self.checkpoint)
        self._spare_tokenizers: list[TextTokenizer] = []
        self.network = load_network(self.checkpoint)
        try:
            self.inference = self._ready(self._device)
        except RuntimeError as error:
            if device != "auto" or self._device.device == "cpu":
                raise _too_little_memory(self._device.device, "the model") from error
            self._fall_back(error)

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

    def set_threads(self, threads: int = 0) -> None:
        """Compute `threads` batches at once on the processor from now on, also in an `encode_batches` under way.

        Costs nothing. One fewer than `device.threads` suits a machine at which somebody types.

        Args:
            threads: at least 1; 0 for `device.threads`.
        """
        self._threads = threads or self._device.threads

    def set_precision(self, precision: str, note: str = "") -> None:
        """Compute in another precision from now on; vectors of different precisions may be compared.

        Args:
            precision: `fp32`, `bf16` or `fp16`.
            note: why, for `device.note`.
        """
        device = replace(self._device, precision=precision, note=note)
        if precision != self.inference.precision:
            self.inference = self._ready(device)
            self._pace.forget()
        self._device = device

    def refresh(self) -> None:
        """Compute with another `network` from now on."""
        self.inference = self._ready(self._device)

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

        Raises:
            VectorNotFinite: the model's vector of a text is not made of numbers.
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
    ) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        """Embed `texts` a batch at a time, so that the caller can do other things, or stop, in between.

        Texts are tokenized as the batches go, a few thousand ahead, and the longest that wait are batched first.
        Where there is more than one batch, some are computed meanwhile: in threads, or on the card. They end when
        the generator is closed or exhausted. Short of memory, batches become half as large and the work goes on;
        where a graphics processor fails, it goes on on the processor, and `device` says so.

        Args:
            texts: as for `encode`; not changed meanwhile.
            normalize: as for `encode`.
            kind: as for `encode`.
            batch_tokens: most tokens of a forward pass, with padding; a longer text has a pass of its own. Below
                512 a step is kept short too, to 20 ms where the machine can. None for what suits the device.

        Yields:
            (indices into `texts` int64 [b], their vectors float32 [b, dim]), b at least 1; every index once.

        Raises:
            DeviceUnavailable: there is not the memory for one text.
            VectorNotFinite: the model's vector of a text is not made of numbers.
        """
        if isinstance(texts, str):
            raise TypeError("encode_batches takes a sequence of strings, not one string")
        if kind not in KINDS:
            raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
        if batch_tokens is not None and batch_tokens < 1:
            raise ValueError(f"batch_tokens is at least 1, not {batch_tokens}")
        return self._batches(texts, normalize and not self._model.normalised, kind, batch_tokens)

    def count_tokens(self, texts: Sequence[str], *, kind: str = "document") -> NDArray[np.int64]:
        """Return how many tokens of each text the model sees, special tokens and prompt counted: int64 [n]."""
        found = tokenized(self.tokenizer, texts, self.checkpoint.prompt(kind))
        return np.array([len(ids) for _, rows in found for ids in rows], dtype=np.int64)

    def count_truncated(self, texts: Sequence[str], *, kind: str = "document") -> NDArray[np.int64]:
        """Return how many tokens of each text lie beyond the model's length, so that it does not see them: int64 [n].

        About a thirtieth of the time that embedding takes; short texts cost nothing. Of a text of more than 100,000
        characters those beyond are not counted.
        """
        prompt = self.checkpoint.prompt(kind)
        counts = np.zeros(len(texts), dtype=np.int64)
        # No normaliser in use makes more than four tokens of a character, so these are not worth a look.
        long = [i for i, text in enumerate(texts) if 4 * (len(prompt) + len(text)) + 4 > self.checkpoint.max_length]
        for start, stop in slices([texts[i] for i in long]):
            places = long[start:stop]
            counts[places] = self.tokenizer.count_beyond([texts[i] for i in places], prompt)
        return counts

    def _batches(
        self, texts: Sequence[str], normalize: bool, kind: str, asked: int | None
    ) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        prompt = self.checkpoint.prompt(kind)
        skipped = 0 if self.checkpoint.include_prompt or not prompt else self.tokenizer.prompt_length(prompt)
        ceiling = 1 << 60  # falls when memory is short
        found = self._tokenized(texts, prompt)
        window = Window(found)
        pipeline: Pipeline = Inline(lambda batch: self._compute(batch, skipped, normalize))
        try:
            if self._device.device != "cpu" or not window.fits(self._budget(asked)):
                pipeline = self._pipeline(skipped, normalize)
            while True:
                while pipeline.has_room and (batch := window.take(min(ceiling, self._budget(asked)))):
                    pipeline.put(batch)
                if not pipeline.in_flight:
                    return
                batch, outcome = pipeline.take()
                if isinstance(outcome, BaseException):
                    window.give_back(batch)
                    if _is_out_of_memory(outcome) and len(batch.rows) > 1:
                        self._free_memory()
                        ceiling = max(1, min(ceiling, batch.tokens) // 2)
                    elif self._device.device == "cpu" and _is_out_of_memory(outcome):
                        raise _too_little_memory("cpu", "one text") from outcome
                    elif self._device.device == "cpu" or not isinstance(outcome, (RuntimeError, MemoryError)):
                        raise outcome
                    else:
                        while pipeline.in_flight:
                            window.give_back(pipeline.take()[0])
                        self._fall_back(outcome)
                        pipeline = self._pipeline(skipped, normalize)
                    continue
                yield np.array(batch.indices, dtype=np.int64), self._checked(batch, outcome, skipped, normalize)
        finally:
            pipeline.close()
            found.close()

    def _tokenized(self, texts: Sequence[str], prompt: str) -> Generator[tuple[int, list[TokenIds]]]:
        """Tokenize in this thread while others compute, or for a card, which computes alone, in another thread."""
        if self._device.device == "cpu" or len(texts) <= SLICE_TEXTS:
            yield from tokenized(self.tokenizer, texts, prompt)
            return
        tokenizer = self._spare_tokenizers.pop() if self._spare_tokenizers else TextTokenizer(self.checkpoint)
        try:
            yield from tokenized_ahead(tokenizer, texts, prompt)
        finally:
            self._spare_tokenizers.append(tokenizer)

    def _budget(self, asked: int | None) -> int:
        if self._device.device == "cpu":
            return self._pace.tokens(asked)
        return asked or default_batch_tokens(self._device.device)

    def _pipeline(self, skipped: int, normalize: bool) -> Pipeline:
        if self._device.device == "cpu":
            return Threads(lambda batch: self._compute(batch, skipped, normalize), lambda: self._threads)
        link = self._link(self._device.device)
        return Card(lambda batch: self._launch(batch, link, skipped, normalize))

    def _link(self, device: str) -> Link:
        return Link(device)

    def _compute(self, batch: Batch, skipped: int, normalize: bool) -> NDArray[np.float32]:
        """Return float32 [b, dim] of a batch, on the processor; called from any thread."""
        started = time.perf_counter()
        # inference_mode belongs to the thread and must not stay on while a generator rests at a yield.
        with torch.inference_mode():
            ids, mask = padded(batch.rows, self.tokenizer.pad_id)
            vectors: NDArray[np.float32] = self.inference(ids, mask, skipped, normalize=normalize).numpy()
        self._pace.note(batch.tokens, time.perf_counter() - started)
        return vectors

    def _launch(self, batch: Batch, link: Link, skipped: int, normalize: bool) -> Callable[[], NDArray[np.float32]]:
        """Start a batch on the device and return what waits for float32 [b, dim]."""
        with torch.inference_mode():
            ids, mask = padded(batch.rows, self.tokenizer.pad_id)
            on_device = None if mask is None else link.send(mask)
            return link.fetch(self.inference(link.send(ids), on_device, skipped, normalize=normalize))

    def _checked(
        self, batch: Batch, vectors: NDArray[np.float32], skipped: int, normalize: bool
    ) -> NDArray[np.float32]:
        """Return `vectors`, those that are not finite computed once more, plainly and in fp32.

        A text may be beyond the range of fp16, or of the powers that `LeanBert` takes.
        """
        lost = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if not len(lost):
            return vectors
        log.warning("%d of %d texts are computed once more in fp32: not finite", len(lost), len(vectors))
        vectors = vectors.copy()
        for place in lost:
            with torch.inference_mode():
                ids, mask = padded([batch.rows[place]], self.tokenizer.pad_id)
                vector = self.network(ids, mask, skipped)[0]
                vectors[place] = F.normalize(vector, dim=-1) if normalize else vector
            if not np.isfinite(vectors[place]).all():
                raise VectorNotFinite(
                    f"the model {self._model.name} gives no finite vector for text {batch.indices[place]} "
                    "(counted from 0)",
                    "Its weights may be damaged: copy the model anew, or use another.",
                )
        return vectors

    def _ready(self, device: DeviceInfo) -> Inference:
        return Inference(self.network, device.precision, device.device)

    def _fall_back(self, error: BaseException) -> None:
        """Compute on the processor from now on."""
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        log.warning("%s failed (%s): computing on the processor", self._device.device, reason)
        note = f"{self._device.device} failed ({reason}): on the processor"
        self._device = replace(self._device, device="cpu", precision="fp32", note=note)
        self.inference = self._ready(self._device)

    def _free_memory(self) -> None:
        if self._device.device == "cuda":
            torch.cuda.empty_cache()
        elif self._device.device == "mps":
            torch.mps.empty_cache()


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
