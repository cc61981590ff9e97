"""The siamese encoder: maps texts to vectors that are close when the texts mean the same."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional as F

from desktop_app.core.errors import ModelMissing
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.records import TokenVectors
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.classification_head import judge_pairs, load_head
from desktop_app.encoder.device import choose_device, cpu_fallback, device_error
from desktop_app.encoder.inference.backend import (
    EncodeOptions,
    InferenceBackend,
    refuse_non_finite_rows,
)
from desktop_app.encoder.inference.batching import slice_texts, tokenize_slices, tokenize_slices_ahead
from desktop_app.encoder.inference.encode_run import EncodeRun
from desktop_app.encoder.inference.network import load_network, refuse_unknown_tokens
from desktop_app.encoder.inference.precision import load_precision_choice
from desktop_app.encoder.inference.precision_benchmark import measure_precision
from desktop_app.encoder.models.bundled import resolve_model
from desktop_app.encoder.pair_reader import WordPairReader
from desktop_app.encoder.tokenizing import PART_TEXTS, SLICE_TEXTS, TextTokenizer, max_token_count
from desktop_app.encoder.training_notes import read_training_notes
from desktop_app.encoder.word_alignment import WordEmbedder
from desktop_app.encoder.word_judge import load_word_judge

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from desktop_app.core.duplicates import PairVerdict
    from desktop_app.core.foreground_gate import ForegroundGate
    from desktop_app.core.records import DeviceInfo, ModelInfo
    from desktop_app.encoder.classification_head import ClassificationHead
    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.tokenizing import TokenIds
    from desktop_app.encoder.word_alignment import PairWords
    from desktop_app.encoder.word_judge import WordJudge
    from desktop_app.encoder.word_rarity import WordRarity

INPUT_KINDS = ("document", "query")
_PAIRS_PER_STEP = 256  # that are judged at once

_PARALLELISM_VARIABLE = "TOKENIZERS_PARALLELISM"  # read by `tokenizers` at each call


class SiameseEncoder:
    """Embeds texts with a sentence-transformers model, on torch.

    One body embeds both sides of a pair, so that vectors can be stored and compared later (Reimers & Gurevych
    2019, section 3). Use one instance from one thread: tokenizer and model are not locked. The computing threads
    belong to an `encode_batches` and end with it; each has one thread of torch (`torch.set_num_threads(1)`, a
    setting of the process; `ThreadPipeline` in `pipelines.py` gives the reason).

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
            is fp16 on CUDA; on a processor the precision in `memory`, else fp32 until `measure_precision` has run.
        threads: batches that the processor computes at once; 0 for all cores.
        pooling: `mean`, `cls`, `max`, `attention` (untrained it is `mean`) or `pooler` in place of the model's own.
            Another pooling is another model, with another fingerprint.
        memory: the file in which the measured precision is saved; None: nowhere.

    Raises:
        ModelMissing: the model is missing, damaged or of an unsupported kind.
        DeviceUnavailable: the device or precision is not available, or there is too little memory.

    Attributes:
        backend: the network at work.
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
        if self.checkpoint.is_cross:
            raise ModelMissing(
                "{folder} is a cross-encoder: it scores pairs and gives no vectors",
                "Use it to re-rank results: search QUERY --rerank MODEL.",
                folder=self.checkpoint.folder,
            )
        self.memory = memory
        self._model = self.checkpoint.info()
        # A head was trained on the vectors of the model's own pooling.
        self._head_folder = self.checkpoint.folder if pooling is None else None
        self._head: ClassificationHead | None = None
        self._judge: WordJudge | None = None
        self._threshold: float | None = None
        chosen = choose_device(device, precision, threads)
        torch.set_num_threads(1)
        self.tokenizer = TextTokenizer(self.checkpoint)
        self._spare_tokenizers: list[TextTokenizer] = []
        network = load_network(self.checkpoint)
        refuse_unknown_tokens(self.checkpoint, network, self.tokenizer.largest_id())

        def compute(info: DeviceInfo) -> InferenceBackend:
            return InferenceBackend(
                network,
                self.tokenizer.pad_id,
                info,
                auto_precision=precision == "auto",
                load_choice=lambda device: load_precision_choice(memory, self._model.fingerprint, device),
            )

        try:
            self.backend = compute(chosen)
        except RuntimeError as error:
            if device != "auto" or chosen.device == "cpu":
                raise device_error(chosen.device, error) from error
            self.backend = compute(cpu_fallback(chosen, error))
        self._parallelism: str | None = None  # the setting of tokenizing before a GPU left the cores idle
        self.backend.on_cpu_fallback = self._restore_tokenizer_parallelism

    def __repr__(self) -> str:
        return (
            f"SiameseEncoder({self._model.name!r}, dim={self._model.dim}, pooling={self._model.pooling!r}, "
            f"max_length={self._model.max_length}, device={self.device.device!r}, "
            f"precision={self.device.precision!r})"
        )

    @property
    def mapped_files(self) -> set[Path]:
        """The files that a process reads only once, to load an encoder: its weights."""
        return set(self.checkpoint.weights)

    @property
    def model(self) -> ModelInfo:
        """Which model this is."""
        return self._model

    @property
    def device(self) -> DeviceInfo:
        """The device, precision and threads."""
        return self.backend.device

    @property
    def network(self) -> Network:
        """The model in fp32 on the processor: this is what `save` writes.

        The prepared model shares memory with it, so a training works on a copy (`copy.deepcopy`). To use the copy,
        assign it here and call `refresh`.
        """
        return self.backend.network

    @network.setter
    def network(self, network: Network) -> None:
        self.backend.network = network

    @property
    def needs_measuring(self) -> bool:
        """Whether `measure_precision` would find something new."""
        return not self.backend.is_precision_known

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._model.dim

    def set_threads(self, threads: int = 0) -> None:
        """Compute `threads` batches at once on the processor from now on, also in a running `encode_batches`.

        Costs nothing. While a person types, one fewer than `device.threads` is suitable.

        Args:
            threads: at least 1; 0 for `device.threads`.
        """
        self.backend.threads = threads or self.device.threads

    def set_precision(self, precision: str, note: Message = NOTHING) -> None:
        """Compute in another precision from now on; vectors of different precisions may be compared.

        Args:
            precision: `fp32`, `bf16` or `fp16`.
            note: why, for `device.note`.
        """
        self.backend.set_precision(precision, note)

    def tune(self) -> Iterator[None]:
        """Find the best precision for the machine and use it from then on. Does nothing when it is known.

        See `measure_precision`; about 2 s of short steps. Another `encode` or `encode_batches` may run in between.
        Without `memory` nothing is measured: the result would be lost with this object.
        """
        if self.needs_measuring and self.memory is not None:
            yield from measure_precision(self)

    def set_foreground_gate(self, foreground_gate: ForegroundGate) -> None:
        """Pause background computation while the gate is taken.

        It pauses between two products of a network, so within some milliseconds (a model that is not a BERT, between
        two layers). An `encode_batches` without a timeout does not pause.
        """
        self.backend.foreground_gate = foreground_gate

    def refresh(self) -> None:
        """Compute with another `network` from now on."""
        self.backend.refresh()

    def encode(
        self, texts: Sequence[str], *, normalize: bool = True, kind: str = "document", exact: bool = False
    ) -> NDArray[np.float32]:
        """Embed `texts`.

        Args:
            texts: any strings: empty ones, control characters and lone surrogates (read as U+FFFD) too. The
                part beyond the model's length is ignored.
            normalize: rows of length 1; False returns the model's own output, which also has length 1 if the
                model ends in a normalisation.
            kind: `document` or `query`: selects the model's prompt, if it has one.
            exact: in fp32 even if a faster precision is faithful, for a score whose every digit a person reads.
                Has no effect if a precision was requested by name.

        Returns:
            float32 [n, dim], one row for each text, in order; [0, dim] for no texts; [dim] when `texts` is one
            string.

        Raises:
            VectorNotFinite: the vector of a text is not finite, or zero although its length should be 1.
        """
        alone = isinstance(texts, str)
        batch = [texts] if isinstance(texts, str) else texts
        vectors = np.empty((len(batch), self.dim), dtype=np.float32)
        for indices, rows in self.encode_batches(batch, normalize=normalize, kind=kind, exact=exact):
            vectors[indices] = rows
        return vectors[0] if alone else vectors

    def encode_batches(
        self,
        texts: Sequence[str],
        *,
        normalize: bool = True,
        kind: str = "document",
        exact: bool = False,
        batch_tokens: int | None = None,
        timeout_s: float | None = None,
    ) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        """Embed `texts` one batch at a time, so that the caller can do other things, or stop, in between.

        Texts are tokenized along with the batches, a few thousand ahead, and the longest waiting texts are batched
        first. If there is more than one batch, threads or the GPU compute some of them ahead; they end when the
        generator is closed or exhausted. If memory runs out, batches become half as large and the work continues.
        If a GPU fails, the work continues on the processor, and `device` says so.

        Args:
            texts: as for `encode`; do not change them until it ends.
            normalize: as for `encode`.
            kind: as for `encode`.
            exact: as for `encode`.
            batch_tokens: maximum number of tokens of a forward pass, with padding; a longer text has a pass of its
                own. Below 512 a step is kept short too, to 20 ms if the machine can. None: what suits the device.
            timeout_s: how long a step waits for a batch; then it yields an empty one. None: without limit.

        Yields:
            (indices into `texts` int64 [b], their vectors float32 [b, dim]); every index once.

        Raises:
            DeviceUnavailable: there is not enough memory for one text.
            VectorNotFinite: the vector of a text is not finite, or zero although its length should be 1.
        """
        if isinstance(texts, str):
            raise TypeError("encode_batches takes a sequence of strings, not one string")
        if kind not in INPUT_KINDS:
            raise ValueError(f"kind is one of {', '.join(INPUT_KINDS)}, not {kind!r}")
        if batch_tokens is not None and batch_tokens < 1:
            raise ValueError(f"batch_tokens is at least 1, not {batch_tokens}")
        prompt = self.checkpoint.prompt(kind)
        prompt_tokens = 0 if self.checkpoint.include_prompt or not prompt else self.tokenizer.prompt_length(prompt)
        options = EncodeOptions(
            prompt,
            prompt_tokens,
            normalize and not self._model.normalised,
            exact,
            is_single_query=kind == "query" and len(texts) == 1,
            expects_unit_length=normalize,
        )
        return self._batches(texts, options, batch_tokens, timeout_s)

    def count_tokens(self, texts: Sequence[str], *, kind: str = "document") -> NDArray[np.int64]:
        """Return how many tokens of each text the model sees, including special tokens and prompt: int64 [n]."""
        found = tokenize_slices(self.tokenizer, texts, self.checkpoint.prompt(kind))
        return np.array([len(ids) for _, rows in found for ids in rows], dtype=np.int64)

    def knows_words(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Return for each text whether the model knows a word of it: bool [n]. Others have nearly the same vector."""
        found = [self.tokenizer.knows(texts[start:stop]) for start, stop in slice_texts(texts)]
        return np.array([known for part in found for known in part], dtype=np.bool_)

    @property
    def judges_pairs(self) -> bool:
        """Whether a head, a threshold or a word judge was trained with this model.

        Raises:
            ModelMissing: the head or the judge is damaged.
        """
        if self._head_folder is not None:
            self._threshold = read_training_notes(self._head_folder).threshold
            self._judge = load_word_judge(self._head_folder)
            self._head, self._head_folder = load_head(self._head_folder), None
        return not (self._head is None and self._threshold is None and self._judge is None)

    def judge_pairs(
        self, u: NDArray[np.float32], v: NDArray[np.float32], first: Sequence[str], second: Sequence[str]
    ) -> Generator[int, None, list[PairVerdict]]:
        """Return what was trained with this model says of pairs of sentences; see `judges_pairs`, `Encoder`.

        Raises:
            ModelMissing: the head or the judge is damaged.
        """
        assert self.judges_pairs, "nothing was trained to judge pairs"
        words = None
        if self._judge is not None:
            _, _, words = yield from self.embed_pairs(first, second, self._judge.rarity)
        return (yield from self._judge_by_words(u, v, words))

    def read_pairs(self) -> WordPairReader | None:
        """Return what embeds sentences and judges pairs of them in one pass; see `Encoder`.

        Raises:
            ModelMissing: the head or the judge is damaged.
        """
        if not self.judges_pairs or self._judge is None or not self.backend.is_exact_in_fp32:
            return None
        return WordPairReader(self._word_embedder(), self._judge.rarity, self._judge_by_words, self._model.name)

    def embed_pairs(
        self, first: Sequence[str], second: Sequence[str], rarity: WordRarity
    ) -> Generator[int, None, tuple[NDArray[np.float32], NDArray[np.float32], PairWords]]:
        """Embed pairs of texts together with their words, in fp32 on the processor; see `WordEmbedder.embed_pairs`.

        Raises:
            VectorNotFinite: the vector of a text is not finite; the texts of both sides count as one list.
        """
        u, v, words = yield from self._word_embedder().embed_pairs(first, second, rarity)
        refuse_non_finite_rows(u, self.model.name)
        refuse_non_finite_rows(v, self.model.name, len(first))
        return u, v, words

    def _judge_by_words(
        self, u: NDArray[np.float32], v: NDArray[np.float32], words: PairWords | None
    ) -> Generator[int, None, list[PairVerdict]]:
        found: list[PairVerdict] = []
        for start in range(0, len(u), _PAIRS_PER_STEP):
            rows = slice(start, start + _PAIRS_PER_STEP)
            part = None if words is None else words.part(rows)
            found += judge_pairs(u[rows], v[rows], self._head, self._threshold, self._judge, part)
            yield len(found)
        return found

    def _word_embedder(self) -> WordEmbedder:
        prompt = self.checkpoint.prompt("document")
        return WordEmbedder(self.network, self.tokenizer, prompt, "cpu", lambda: max(1, self.backend.threads))

    def token_vectors(self, texts: Sequence[str], *, kind: str = "document") -> list[TokenVectors]:
        """Return the word vectors of each text from the body's last layer, in fp32 on the processor.

        The cosine of two words measures how similar they are in their contexts (Zhang et al. 2020, BERTScore).
        """
        prompt = self.checkpoint.prompt(kind)
        return [embed_words(self.network, *self.tokenizer.words(text, prompt)) for text in texts]

    def count_truncated(self, texts: Sequence[str], *, kind: str = "document") -> NDArray[np.int64]:
        """Return how many tokens of each text are beyond the model's length, so that it ignores them: int64 [n].

        Takes less than a hundredth of the time of embedding: only long texts are tokenized. Tokens after the first
        100,000 characters of a text are not counted.
        """
        prompt = self.checkpoint.prompt(kind)
        counts = np.zeros(len(texts), dtype=np.int64)
        most = self.checkpoint.max_length
        long = [i for i, text in enumerate(texts) if max_token_count(prompt) + max_token_count(text) > most]
        for start, stop in slice_texts([texts[i] for i in long]):
            places = long[start:stop]
            counts[places] = self.tokenizer.count_truncated_tokens([texts[i] for i in places], prompt)
        return counts

    def _batches(
        self, texts: Sequence[str], options: EncodeOptions, requested_tokens: int | None, timeout_s: float | None
    ) -> Generator[tuple[NDArray[np.int64], NDArray[np.float32]], None, None]:
        found = self._tokenize_slices(texts, options.prompt)
        yield from EncodeRun(
            self.backend, found, options, requested_tokens, timeout_s, self.dim, self._model.name
        ).run()

    def _tokenize_slices(self, texts: Sequence[str], prompt: str) -> Generator[tuple[int, list[TokenIds]]]:
        """Tokenize in this thread while others compute; for a GPU, which computes alone, in another thread."""
        if self.device.device == "cpu" or len(texts) <= SLICE_TEXTS:
            yield from tokenize_slices(self.tokenizer, texts, prompt, PART_TEXTS)
            return
        if os.environ.get(_PARALLELISM_VARIABLE) != "true":
            self._parallelism = os.environ.get(_PARALLELISM_VARIABLE, "")
            os.environ[_PARALLELISM_VARIABLE] = "true"  # the cores have nothing else to do
        tokenizer = self._spare_tokenizers.pop() if self._spare_tokenizers else TextTokenizer(self.checkpoint)
        try:
            yield from tokenize_slices_ahead(tokenizer, texts, prompt)
        finally:
            self._spare_tokenizers.append(tokenizer)

    def _restore_tokenizer_parallelism(self) -> None:
        """Restore the tokenizer's setting for computation on the cores."""
        if self._parallelism is None:
            return
        if self._parallelism:
            os.environ[_PARALLELISM_VARIABLE] = self._parallelism
        else:
            os.environ.pop(_PARALLELISM_VARIABLE, None)
        self._parallelism = None


def embed_words(network: Network, ids: TokenIds, words: Sequence[tuple[str, int, int]]) -> TokenVectors:
    """Return the vectors of words.

    Args:
        network: fp32 on the processor.
        ids: int32 [tokens] of one text.
        words: (text, first token, one past the last) of each.
    """
    if not words:
        return TokenVectors((), np.empty((0, 0), np.float32))
    with torch.inference_mode():
        hidden, _ = network.body(torch.from_numpy(ids.astype(np.int64))[None], None)
        means = torch.stack([hidden[0, start:stop].float().mean(0) for _, start, stop in words])
        vectors = F.normalize(means, dim=-1).numpy()
    return TokenVectors(tuple(text for text, _, _ in words), vectors)
