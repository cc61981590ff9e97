"""Keywords of clusters: words that are frequent in one cluster and rare in the others."""

from __future__ import annotations

import heapq
import math
import re
import unicodedata
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from desktop_app.core.cluster_words import list_written_words
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.stop_words import DIALOGUE_WORDS, find_stop_words

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

_REPEATED_LETTER = re.compile(r"(.)\1\1")
_LETTERS = ("LATIN", "GREEK", "CYRILLIC")  # scripts whose words have vowels and more than two letters
_VOWELS = frozenset("aeiouyæœøıəαεηιουωаеёиоуыэюяієї")
_MIN_SENTENCES = 2  # of a cluster with a word that names it, unless all its words are in one
_COMMON_SHARE = 0.2
_FEW_SENTENCES = 50
_STEP_WORDS = 2000


class ClusterWords:
    """Counts the words of clusters sentence by sentence, without keeping the texts.

    Args:
        clusters: how many.
        weights: for how many sentences of its cluster each of the counted ones stands; None: for itself.
    """

    def __init__(self, clusters: int, weights: Sequence[float] | None = None) -> None:
        self._counts: list[Counter[str]] = [Counter() for _ in range(clusters)]
        self._totals = [0] * clusters
        self._sentences = [0] * clusters
        self._written: Counter[str] = Counter()  # how often words are written in each way
        self._weights = weights or [1] * clusters

    def add(self, texts: Iterable[tuple[int, str, str]]) -> None:
        """Count the words of (cluster, text, language); a word counts once per sentence.

        Stop words are those of the language (two letters): "war" and "sea" are stop words elsewhere, not in English.
        For an unknown language they are those of English; see `find_stop_words`. Words of dialogue do not count either:
        every conversation of a novel has them.
        """
        for cluster, text, language in texts:
            written = list_written_words(text)
            self._count_written(written, text, language)
            words = set(map(str.lower, written))
            words -= find_stop_words(words, language or "en") | DIALOGUE_WORDS
            words = {word for word in words if _is_word(word, text)}
            self._counts[cluster].update(words)
            self._totals[cluster] += len(words)
            self._sentences[cluster] += 1

    def _count_written(self, words: list[str], text: str, language: str) -> None:
        """Count how words are written, except in capitals, and for the first word, which has one at least.

        In German the first word counts too: a noun may be there alone, as in a heading.
        """
        if not text.isupper():
            self._written.update(words if language == "de" else words[1:])

    def _find_written(self, words: set[str]) -> Generator[None, None, dict[str, str]]:
        """Return how each of `words` (in lower case) is written most often, of those for which that is known."""
        best: dict[str, tuple[int, bool, str]] = {}
        ways, self._written = iter(self._written.items()), Counter()
        while some := list(islice(ways, _STEP_WORDS)):
            for way, times in some:
                if (word := way.lower()) in words:
                    best[word] = max(best.get(word, (0, False, "")), (times, way == word, way))
            yield
        return {word: way for word, (_, _, way) in best.items()}

    def keywords(self, count: int = 8) -> list[list[str]]:
        """Return the most characteristic words of each cluster as they are written most often, best first.

        Call it once: counts are given back.
        """
        return run_to_completion(self.keywords_in_steps(count))

    def keywords_in_steps(self, count: int = 8) -> Generator[None, None, list[list[str]]]:
        """Like `keywords`, in short steps.

        Class-based TF-IDF (M. Grootendorst: BERTopic, 2022, eq. 2): tf(word, cluster) * log(1 + A / f(word)), where
        A is the mean number of words in a cluster and f the frequency of the word in all. A word of a fifth of all
        sentences characterises none.
        """
        if not self._counts:
            return []
        mean = _sum_products(self._totals, self._weights) / len(self._counts)
        common = max(_FEW_SENTENCES, _COMMON_SHARE * _sum_products(self._sentences, self._weights))
        everywhere_of: defaultdict[str, float] = defaultdict(int)
        weighed = 0
        for counter, weight in zip(self._counts, self._weights, strict=True):
            for word, times in counter.items():
                everywhere_of[word] += weight * times
            weighed += len(counter)
            if weighed >= _STEP_WORDS:
                weighed = 0
                yield
        named: list[list[str]] = []
        for at, total in enumerate(self._totals):
            counter, self._counts[at] = self._counts[at], Counter()  # given back one by one: together it takes long
            best: list[tuple[float, str]] = []
            least = min(_MIN_SENTENCES, max(counter.values(), default=0))
            words = iter(counter.items())
            while some := list(islice(words, _STEP_WORDS)):
                weights = (
                    (-(times / total) * math.log1p(mean / everywhere), word)
                    for word, times in some
                    if times >= least and (everywhere := everywhere_of[word]) <= common
                )
                best = heapq.nsmallest(count, chain(best, weights))
                weighed += len(some)
                if weighed >= _STEP_WORDS:
                    weighed = 0
                    yield
            named.append([word for _, word in best])
        written = yield from self._find_written(set(chain.from_iterable(named)))
        return [[written.get(word, word) for word in words] for words in named]


def _sum_products(numbers: Sequence[int], weights: Sequence[float]) -> float:
    return sum(number * weight for number, weight in zip(numbers, weights, strict=True))


def _is_word(word: str, text: str) -> bool:
    """Whether a string of letters of a text is a word rather than debris of ciphers, formulas or bad OCR.

    Words of two letters and words without a vowel are abbreviations ("EU", "PDF") if they are written in capitals.
    """
    form = _classify_form(word)
    return form == "word" or (form == "short" and word.upper() in text)


@lru_cache(100_000)
def _classify_form(word: str) -> Literal["word", "short", "debris"]:
    if len(word) < 2 or _REPEATED_LETTER.search(word):
        return "debris"
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}
    if not scripts & set(_LETTERS):
        return "word"
    if len(scripts) > 1:
        return "debris"
    return "word" if len(word) > 2 and not _VOWELS.isdisjoint(unicodedata.normalize("NFD", word)) else "short"
