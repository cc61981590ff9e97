"""Tells by word vectors how well the words of two sentences correspond.

For each word of one sentence the nearest word of the other counts, by the cosine of their vectors in context (Zhang et
al. 2020, "BERTScore"). Words without a counterpart, above all rare ones, are what one sentence says and the other does
not. One pass through the body gives the vectors of the words and that of their sentence.
"""

from __future__ import annotations

import contextlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from desktop_app.encoder.inference.batching import divide_by_length
from desktop_app.encoder.inference.prepared_model import PreparedModel, pad_rows
from desktop_app.encoder.word_rarity import WORD

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from desktop_app.core.arrays import Vectors
    from desktop_app.encoder.inference.network import Network
    from desktop_app.encoder.tokenizing import TextTokenizer, TokenIds
    from desktop_app.encoder.word_rarity import WordRarity


ALIGNMENT_FEATURES = (
    "nearest words, mean of the side with less",
    "nearest words, mean of the side with more",
    "nearest words, by rarity, of the side with less",
    "nearest words, by rarity, of the side with more",
    "rarest word without a counterpart, less",
    "rarest word without a counterpart, more",
    "rarity without a counterpart, less",
    "rarity without a counterpart, more",
)
_PAIRS = 128  # whose word vectors are in memory at once, with those that are kept
_BATCH_TOKENS = 2048
_KEPT_BYTES = 256 << 20  # some 10,900 sentences of 15 words with 384 dimensions
_PATIENCE_S = 0.01  # how long a step waits for a batch


class EmbeddedText(NamedTuple):
    """A text's vector, the model's own output, float32 [dim]; its words, and their vectors float32 [n, hidden]."""

    vector: Vectors
    words: list[str]
    word_vectors: Vectors


class EmbeddedTexts:
    """Keeps texts that were embedded with their words, up to a size; the oldest are dropped first.

    Args:
        max_bytes: of the vectors.
    """

    def __init__(self, max_bytes: int = _KEPT_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: dict[str, EmbeddedText] = {}

    def find(self, text: str) -> EmbeddedText | None:
        """Return a text, if it is kept."""
        return self._kept.get(text)

    def add(self, text: str, embedded: EmbeddedText) -> None:
        """Keep a text that is not kept yet."""
        self._kept[text] = embedded
        self._bytes += _count_bytes(embedded)
        while self._bytes > self._max_bytes:
            self._bytes -= _count_bytes(self._kept.pop(next(iter(self._kept))))


def _count_bytes(embedded: EmbeddedText) -> int:
    return embedded.vector.nbytes + embedded.word_vectors.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class PairWords:
    """The words of pairs of sentences.

    Attributes:
        first: texts.
        second: the other texts.
        alignment: float32 [n, ALIGNMENT_FEATURES].
    """

    first: Sequence[str]
    second: Sequence[str]
    alignment: NDArray[np.float32]

    def part(self, rows: slice) -> PairWords:
        """Return the words of some of the pairs."""
        return PairWords(self.first[rows], self.second[rows], self.alignment[rows])


@dataclass(frozen=True, slots=True)
class WordEmbedder:
    """Embeds sentences together with their words, in fp32.

    Attributes:
        network: the model.
        tokenizer: of it.
        prompt: is put before each text.
        device: of the network.
        threads: returns how many batches a processor may compute at once now; called before each batch.
    """

    network: Network
    tokenizer: TextTokenizer
    prompt: str
    device: str
    threads: Callable[[], int]

    def embed_pairs(
        self, first: Sequence[str], second: Sequence[str], rarity: WordRarity, kept: EmbeddedTexts | None = None
    ) -> Generator[int, None, tuple[Vectors, Vectors, PairWords]]:
        """Return the vectors of both sides, the model's own output, float32 [n, dim] each, and the pairs' words.

        Args:
            first: texts.
            second: the other text of each pair.
            rarity: of words.
            kept: texts that need not be embedded again; others are added. None: nothing is kept.

        Yields:
            the number of pairs so far.
        """
        kept = EmbeddedTexts(max_bytes=0) if kept is None else kept
        pieces: list[tuple[Vectors, Vectors]] = []
        alignment = np.zeros((len(first), len(ALIGNMENT_FEATURES)), np.float32)
        with self._computing(len(first)) as (prepared, pool):
            for start in range(0, len(first), _PAIRS):
                sides = first[start : start + _PAIRS], second[start : start + _PAIRS]
                found = yield from self._embed([*sides[0], *sides[1]], kept, prepared, pool, start)
                for at, (a, b) in enumerate(zip(*sides, strict=True), start):
                    alignment[at] = align_words(found[a][1:], found[b][1:], rarity)
                pieces.append((_stack(sides[0], found), _stack(sides[1], found)))
                yield start + len(sides[0])
        u, v = (np.concatenate(side) for side in zip(*pieces, strict=True))
        return u, v, PairWords(first, second, alignment)

    def embed_texts(self, texts: Sequence[str], kept: EmbeddedTexts) -> Generator[int, None, Vectors]:
        """Return the vectors of distinct texts, the model's own output, float32 [n, dim]; keeps them with their words.

        Yields:
            the number of texts so far.
        """
        pieces: list[Vectors] = []
        with self._computing(len(texts)) as (prepared, pool):
            for start in range(0, len(texts), 2 * _PAIRS):
                part = texts[start : start + 2 * _PAIRS]
                pieces.append(_stack(part, (yield from self._embed(part, kept, prepared, pool, start))))
                yield start + len(part)
        return np.concatenate(pieces)

    @contextlib.contextmanager
    def _computing(self, count: int) -> Iterator[tuple[PreparedModel | None, ThreadPoolExecutor]]:
        """Give the model and the threads that compute `count` texts or pairs."""
        # To prepare it takes longer than to compute a single pair.
        prepared = PreparedModel(self.network, "fp32", "cpu") if self.device == "cpu" and count > 1 else None
        threads = self.threads() if self.device == "cpu" else 1
        pool = ThreadPoolExecutor(threads, "embedding", torch.set_num_threads, (1,))
        try:
            yield prepared, pool
        finally:
            pool.shutdown(cancel_futures=True)

    def _embed(
        self,
        texts: Sequence[str],
        kept: EmbeddedTexts,
        prepared: PreparedModel | None,
        pool: ThreadPoolExecutor,
        done: int,
    ) -> Generator[int, None, dict[str, EmbeddedText]]:
        """Return each of the texts with its vector and words; those that are not kept are embedded."""
        known = {text: kept.find(text) for text in texts}
        found = {text: each for text, each in known.items() if each is not None}
        new = [text for text in known if text not in found]
        read = [self.tokenizer.words(text, self.prompt) for text in new]
        batches = divide_by_length([len(ids) for ids, _ in read], _BATCH_TOKENS, self.network.pad_to_tokens)
        prompt_tokens = self.tokenizer.prompt_length(self.prompt) if self.prompt else 0

        def compute(places: list[int]) -> tuple[Vectors, Vectors]:
            return self._run([read[place][0] for place in places], prepared, prompt_tokens)

        waiting = deque(batches)
        running: deque[tuple[list[int], Future[tuple[Vectors, Vectors]]]] = deque()
        while waiting or running:
            # Only what may be computed now is submitted, so that a core can be left free from the next batch on.
            while waiting and sum(not future.done() for _, future in running) < max(1, self.threads()):
                running.append((waiting[0], pool.submit(compute, waiting.popleft())))
            places, future = running[0]
            if not wait([future], _PATIENCE_S).done:
                yield done
                continue
            running.popleft()
            rows, hidden = future.result()
            for place, row, tokens in zip(places, rows, hidden, strict=True):
                # A copy: a row of the batch would keep all of the batch in memory.
                found[new[place]] = EmbeddedText(row.copy(), *_sum_words(tokens, read[place][1]))
                kept.add(new[place], found[new[place]])
            yield done
        return found

    def _run(self, rows: list[TokenIds], prepared: PreparedModel | None, prompt_tokens: int) -> tuple[Vectors, Vectors]:
        """Return the vectors of texts, float32 [b, dim], and of their tokens, float32 [b, tokens, hidden]."""
        kept: list[Tensor] = []
        network = self.network
        body = network.body if prepared is None else prepared.body

        def keep_hidden(ids: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
            hidden, pooled = body(ids, mask)
            kept.append(hidden)
            return hidden, pooled

        with torch.inference_mode():
            ids, mask = pad_rows(rows, self.tokenizer.pad_id)
            ids, mask = ids.to(self.device), None if mask is None else mask.to(self.device)
            vectors = network.embed(keep_hidden, network.attention, network.head, ids, mask, prompt_tokens)
            return vectors.float().cpu().numpy(), kept[0].float().cpu().numpy()


def _stack(texts: Sequence[str], found: dict[str, EmbeddedText]) -> Vectors:
    return np.stack([found[text].vector for text in texts])


def align_words(a: tuple[Sequence[str], Vectors], b: tuple[Sequence[str], Vectors], rarity: WordRarity) -> list[float]:
    """Return how well the words of two texts correspond, ALIGNMENT_FEATURES; the order of the texts does not matter.

    Args:
        a: lower-case words of a text, and their vectors float32 [n, hidden] of length 1.
        b: likewise.
        rarity: of words.
    """
    if a[0] and b[0]:
        cosines = a[1] @ b[1].T
        both = (a[0], cosines.max(axis=1)), (b[0], cosines.max(axis=0))
    else:  # no word has a counterpart
        both = (a[0], np.zeros(len(a[0]), np.float32)), (b[0], np.zeros(len(b[0]), np.float32))
    sides = []
    for words, nearest in both:
        if not words:
            sides.append((0.0, 0.0, 0.0, 0.0))
            continue
        weights = np.array([rarity.of(word) for word in words])
        gaps = (1 - nearest) * weights
        sides.append((nearest.mean(), nearest @ weights / max(weights.sum(), 1e-6), gaps.max(), gaps.sum()))
    return [float(value) for both in zip(*sides, strict=True) for value in sorted(both)]


def _sum_words(tokens: Vectors, spans: Sequence[tuple[str, int, int]]) -> tuple[list[str], Vectors]:
    """Return the words of a text without its punctuation, in lower case, and their vectors of length 1."""
    found = [(WORD.search(text.lower()), start, stop) for text, start, stop in spans]
    spans = [(word.group(), start, stop) for word, start, stop in found if word is not None]
    if not spans:
        return [], np.empty((0, 0), np.float32)
    sums = np.stack([tokens[start:stop].sum(axis=0) for _, start, stop in spans])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return [word for word, _, _ in spans], (sums / np.maximum(lengths, 1e-9)).astype(np.float32)
