"""Judges from two sentences' score and their words whether they are the same, or how similar they are.

A vector hardly shows which single word differs: "in 2010" and "in 2012" lie close together. A judge adds what the words
say. The log odds of "same" are a line in the model's score and in how well the words correspond by their own vectors
(`word_alignment`), and the sum of up to 150 small decision trees on some thirty numbers about the pair. The trees are
fitted by gradient boosting (Friedman 2001, "Greedy function approximation", section 4.5.1) with Newton steps, as in
XGBoost (Chen & Guestrin 2016, section 2).

A label between 0 and 1, as people's mean score is, counts as so much of "same" and so much of "different": what the
judge then says is the score to expect.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from desktop_app.core.errors import ModelMissing
from desktop_app.core.messages import system_text
from desktop_app.encoder.word_alignment import ALIGNMENT_FEATURES, PairWords
from desktop_app.encoder.word_rarity import HASHES, WORD, WordRarity

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


JudgedKind = Literal["duplicates", "similarity"]

WORDS_FOLDER = "kindred_words"
FEATURES = (
    "score",
    "words in common",
    "words in common, without common function words",
    "words in common, by rarity",
    "words in common, by rarity, of the side with less",
    "the same without common function words",
    "words without common function words on both sides",
    "on one side only, fewer",
    "on one side only, more",
    "pairs of words in common",
    "three letters in common",
    "four letters in common",
    "first word",
    "last word",
    "numbers differ",
    "names on both sides",
    "names on one side",
    "difference of lengths",
    "longer length",
    "shorter length",
    "rarity on one side only, less",
    "rarity on one side only, more",
    "rarest word on one side only",
    "words on one side only",
    *ALIGNMENT_FEATURES,
)
_KINDS: tuple[JudgedKind, ...] = get_args(JudgedKind)
_BINS = 64
_DEPTH = 3
_INNER = (1 << _DEPTH) - 1  # nodes of a tree with a split
_MOST_ROUNDS, _ROWS_PER_ROUND, _RATE, _RIDGE, _FEWEST_ROWS = 150, 20, 0.05, 1.0, 20
_ALIGNMENT_RIDGE = 30.0  # of the line's factors of the alignment, which say much the same as the score
_BLOCK = 4096  # rows
_ROWS_PER_STEP = 250
_NEWTON_STEPS = 20
_LINE = len(ALIGNMENT_FEATURES) + 2  # factors of score and alignment, and an offset


class WordJudge:
    """Maps scores and texts of pairs to the label to expect: the probability of "same", or a score; see the module.

    Args:
        rarity: of words, in the texts that it learnt from.
        edges: float32 [features, bins - 1]: where the bins of each feature end.
        kind: of the data that it learnt from.

    Attributes:
        rarity: see above.
        kind: see above.
    """

    def __init__(self, rarity: WordRarity, edges: NDArray[np.float32], kind: JudgedKind = "duplicates") -> None:
        self.rarity, self.kind = rarity, kind
        self._edges = edges
        self._line = np.zeros(_LINE)  # log odds without a tree
        self._splits = np.zeros((0, 2, _INNER), np.int32)  # feature and last bin on the left of each inner node
        self._values = np.zeros((0, _INNER + 1), np.float32)  # log odds of each leaf

    @classmethod
    def fit(
        cls,
        scores: NDArray[np.float64],
        words: PairWords,
        labels: NDArray[np.float64],
        rarity: WordRarity,
        kind: JudgedKind = "duplicates",
    ) -> Generator[None, None, tuple[WordJudge, NDArray[np.float64]]]:
        """Return a judge for the scores of a model, and what it says of these pairs.

        Args:
            scores: [n], of pairs that the model was not trained on: those of its own rows are too sure.
            words: of the pairs.
            labels: float64 [n], from 0 to 1: of duplicates 1 for "same" and 0 for "different", of similarity the score.
            rarity: of words, in the texts of these pairs.
            kind: what the labels are.
        """
        judge = cls(rarity, np.zeros((len(FEATURES), _BINS - 1), np.float32), kind)
        values = np.zeros((len(scores), len(FEATURES)), np.float32)
        for start in range(0, len(scores), _ROWS_PER_STEP):
            piece = slice(start, start + _ROWS_PER_STEP)
            values[piece] = judge._describe(scores[piece], words.part(piece))
            yield
        edges = np.quantile(values, np.arange(1, _BINS) / _BINS, axis=0).T
        judge._edges = np.ascontiguousarray(edges, np.float32)  # the file would have the memory's order
        judge._line = _fit_line(_join(scores, words), labels)
        odds = yield from judge._boost(judge._find_bins(values), judge._start(scores, words), labels)
        return judge, _sigmoid(odds)

    def predict(self, scores: NDArray[np.float64], words: PairWords) -> NDArray[np.float64]:
        """Return the probability of "same" or the score to expect for each pair: float64 [n], 0 to 1."""
        bins = self._find_bins(self._describe(scores, words))
        return _sigmoid(self._start(scores, words) + self._add_trees(bins))

    def save(self, folder: Path) -> None:
        """Write the judge into its model's folder."""
        place = folder / WORDS_FOLDER
        place.mkdir()
        tensors = {
            "counts": self.rarity.counts,
            "texts": np.array([self.rarity.texts]),
            "kind": np.array([_KINDS.index(self.kind)]),
            "edges": self._edges,
            "line": self._line,
            "splits": self._splits,
            "values": self._values,
        }
        save_file(tensors, place / "model.safetensors")

    def _describe(self, scores: NDArray[np.float64], words: PairWords) -> NDArray[np.float32]:
        """Return float32 [n, features]."""
        found = [self._compare(a, b) for a, b in zip(words.first, words.second, strict=True)]
        table = np.array(found, np.float32).reshape(len(found), len(FEATURES) - 1 - len(ALIGNMENT_FEATURES))
        return np.concatenate([np.asarray(scores, np.float32)[:, None], table, words.alignment], axis=1)

    def _compare(self, a: str, b: str) -> list[float]:
        """Return what the words of two texts say, without their vectors. The order of the texts does not matter."""
        words_a, words_b = WORD.findall(a), WORD.findall(b)
        low_a, low_b = [word.lower() for word in words_a], [word.lower() for word in words_b]
        all_a, all_b = set(low_a), set(low_b)
        rare_a, rare_b = self.rarity.weigh(all_a), self.rarity.weigh(all_b)
        only_a, only_b = self.rarity.weigh(all_a - all_b), self.rarity.weigh(all_b - all_a)
        common = self.rarity.weigh(all_a & all_b)
        content_a, content_b = self.rarity.drop_common(all_a), self.rarity.drop_common(all_b)
        content_rarity = min(self.rarity.weigh(content_a), self.rarity.weigh(content_b))
        content_only = sorted((len(content_a - content_b), len(content_b - content_a)))
        names_a = any(word[0].isupper() and word.lower() not in all_b for word in words_a[1:])
        names_b = any(word[0].isupper() and word.lower() not in all_a for word in words_b[1:])
        numbers_a, numbers_b = ({word for word in each if word.isdigit()} for each in (all_a, all_b))
        one_side = all_a ^ all_b
        return [
            _overlap(all_a, all_b),
            _overlap(content_a, content_b),
            common / max(0.1, common + only_a + only_b),
            common / max(0.1, min(rare_a, rare_b)),
            self.rarity.weigh(content_a & content_b) / max(0.1, content_rarity),
            float(len(content_a & content_b)),
            *map(float, content_only),
            _overlap(set(itertools.pairwise(low_a)), set(itertools.pairwise(low_b))),
            _overlap(_letters(low_a, 3), _letters(low_b, 3)),
            _overlap(_letters(low_a, 4), _letters(low_b, 4)),
            float(low_a[:1] == low_b[:1]),
            float(low_a[-1:] == low_b[-1:]),
            float(numbers_a != numbers_b),
            float(names_a and names_b),
            float(names_a != names_b),
            float(abs(len(low_a) - len(low_b))),
            float(max(len(low_a), len(low_b))),
            float(min(len(low_a), len(low_b))),
            min(only_a, only_b),
            max(only_a, only_b),
            max((self.rarity.weigh([word]) for word in one_side), default=0.0),
            float(len(one_side)),
        ]

    def _find_bins(self, values: NDArray[np.float32]) -> NDArray[np.int64]:
        """Return int64 [n, features]."""
        columns = [np.searchsorted(edges, column) for edges, column in zip(self._edges, values.T, strict=True)]
        return np.stack(columns, axis=1).astype(np.int64)

    def _start(self, scores: NDArray[np.float64], words: PairWords) -> NDArray[np.float64]:
        """Return the log odds by scores and alignment, without a tree: float64 [n]."""
        odds: NDArray[np.float64] = _join(scores, words) @ self._line[:-1] + self._line[-1]
        return odds

    def _boost(
        self, bins: NDArray[np.int64], odds: NDArray[np.float64], labels: NDArray[np.float64]
    ) -> Generator[None, None, NDArray[np.float64]]:
        """Fit the trees to what the log odds `odds` leave open, and return those with the trees: float64 [n]."""
        count, features = bins.shape
        rounds = min(_MOST_ROUNDS, count // _ROWS_PER_ROUND)
        self._splits = np.zeros((rounds, 2, _INNER), np.int32)
        self._values = np.zeros((rounds, _INNER + 1), np.float32)
        cells = bins + np.arange(features) * _BINS

        def sum_left(nodes: NDArray[np.int64], size: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
            """Return the sums left of each edge in each node: float64 [size, features, edges + 1]; the last is all."""
            places = (nodes[:, None] * (features * _BINS) + cells).ravel()
            sums = np.bincount(places, np.repeat(weights, features), size * features * _BINS)
            found: NDArray[np.float64] = sums.reshape(size, features, _BINS).cumsum(axis=2)
            return found

        for number in range(rounds):
            probability = _sigmoid(odds)
            missing, weight = labels - probability, probability * (1 - probability)
            nodes = np.zeros(count, np.int64)  # within their level
            for level in range(_DEPTH):
                size = 1 << level
                rows, left, left_weight = (sum_left(nodes, size, each) for each in (np.ones(count), missing, weight))
                low = left / (left_weight + _RIDGE)
                right, right_weight = left[..., -1:] - left, left_weight[..., -1:] - left_weight
                high = right / (right_weight + _RIDGE)
                gain = left * low + right * high
                gain[np.minimum(rows, rows[..., -1:] - rows) < _FEWEST_ROWS] = -np.inf
                gain[:, 0][low[:, 0] > high[:, 0]] = -np.inf  # a split by score only speaks for the higher one
                best = gain.reshape(size, -1).argmax(axis=1)
                feature, edge = np.divmod(best, _BINS)
                # A node without a split sends all its rows to the left.
                edge[~np.isfinite(gain.reshape(size, -1).max(axis=1))] = _BINS
                self._splits[number, :, size - 1 : 2 * size - 1] = feature, edge
                nodes = 2 * nodes + (bins[np.arange(count), feature[nodes]] > edge[nodes])
            leaves = _INNER + 1
            value = np.bincount(nodes, missing, leaves) / (np.bincount(nodes, weight, leaves) + _RIDGE)
            self._values[number] = _RATE * value
            odds = odds + self._values[number][nodes]
            yield
        return odds

    def _add_trees(self, bins: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what the trees add to the log odds of rows: float64 [n]."""
        odds = np.zeros(len(bins))
        trees = np.arange(len(self._values))
        for start in range(0, len(bins), _BLOCK):
            block = bins[start : start + _BLOCK]
            nodes = np.zeros((len(block), len(trees)), np.int64)  # counted through all levels
            for _ in range(_DEPTH):
                feature, edge = self._splits[trees, 0, nodes], self._splits[trees, 1, nodes]
                nodes = 2 * nodes + 1 + (np.take_along_axis(block, feature, axis=1) > edge)
            odds[start : start + _BLOCK] += self._values[trees, nodes - _INNER].sum(axis=1, dtype=np.float64)
        return odds


def load_word_judge(folder: Path) -> WordJudge | None:
    """Return the judge in a model's folder; None if there is none.

    Raises:
        ModelMissing: it is damaged.
    """
    place = folder / WORDS_FOLDER
    if not place.is_dir():
        return None
    try:
        found = load_file(place / "model.safetensors")
        if "kind" not in found:
            raise ValueError("an earlier version of Kindred trained it")
        kind = _KINDS[int(found["kind"][0])]
        judge = WordJudge(WordRarity(found["counts"], int(found["texts"][0])), found["edges"], kind)
        judge._line, judge._splits, judge._values = found["line"], found["splits"], found["values"]
        shapes = [found[name].shape for name in ("counts", "edges", "line", "splits", "values")]
        trees = len(judge._values)
        if shapes != [(HASHES,), (len(FEATURES), _BINS - 1), (_LINE,), (trees, 2, _INNER), (trees, _INNER + 1)]:
            raise ValueError("its tables have another shape")
        features, edges = judge._splits[:, 0], judge._splits[:, 1]
        numbers = (judge._edges, judge._line, judge._values)
        if not (
            all(np.isfinite(each).all() for each in numbers)
            and ((features >= 0) & (features < len(FEATURES))).all()
            and ((edges >= 0) & (edges <= _BINS)).all()
        ):
            raise ValueError("its tables have impossible numbers")
        return judge
    except (OSError, KeyError, IndexError, ValueError, SafetensorError) as error:
        raise ModelMissing(
            "The word judge in {place} cannot be loaded ({why})",
            "Train it again.",
            place=place,
            why=system_text(error),
        ) from error


def _fit_line(values: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a logistic regression of labels on scores and alignment, float64 [n, columns]: its factors, and an offset.

    The factor of the score, which is the first column, is not negative.
    """
    middle, spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-6)
    rows = np.concatenate([(values - middle) / spread, np.ones((len(values), 1))], axis=1)
    ridge = np.full(rows.shape[1], _RIDGE)
    ridge[1:-1] = _ALIGNMENT_RIDGE
    found = np.zeros(rows.shape[1])
    for _ in range(_NEWTON_STEPS):
        probability = _sigmoid(rows @ found)
        curvature = (rows * (probability * (1 - probability))[:, None]).T @ rows + np.diag(ridge)
        found += np.linalg.solve(curvature, rows.T @ (labels - probability) - ridge * found)
    factors = found[:-1] / spread
    factors[0] = max(factors[0], 0.0)
    return np.array([*factors, found[-1] - factors @ middle])


def _join(scores: NDArray[np.float64], words: PairWords) -> NDArray[np.float64]:
    """Return scores and alignment: float64 [n, 1 + ALIGNMENT_FEATURES]."""
    return np.concatenate([scores[:, None], words.alignment], axis=1).astype(np.float64)


def _letters(words: Sequence[str], length: int) -> set[str]:
    text = f" {' '.join(words)} "
    return {text[start : start + length] for start in range(len(text) - length + 1)}


def _overlap(a: set[Any], b: set[Any]) -> float:
    """Return the share of what both have in what either has (Jaccard 1901)."""
    return len(a & b) / max(1, len(a | b))


def _sigmoid(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return found
