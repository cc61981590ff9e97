"""What clusters are called: the words that are frequent in one and rare in the others."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from desktop_app.core.stepping import at_once
from desktop_app.core.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHORTEST = 2
_COMMON = 0.2
_FEW = 50
_WEIGHED_AT_ONCE = 5000


class ClusterWords:
    """Counts the words of clusters, sentence by sentence: nothing holds all texts."""

    def __init__(self, clusters: int) -> None:
        self._counts: list[Counter[str]] = [Counter() for _ in range(clusters)]
        self._sentences_with: Counter[str] = Counter()
        self._sentences = 0

    def add(self, texts: Iterable[tuple[int, str]]) -> None:
        """Count the words of (cluster, text); a word counts once in a sentence."""
        for cluster, text in texts:
            words = {word for found in _WORD.findall(text.lower()) if _tells(word := found.replace("’", "'"))}
            self._counts[cluster].update(words)
            self._sentences_with.update(words)
            self._sentences += 1

    def keywords(self, count: int = 8) -> list[list[str]]:
        """Return the most telling words of each cluster, best first."""
        return at_once(self.weighing(count))

    def weighing(self, count: int = 8) -> Generator[None, None, list[list[str]]]:
        """Return what `keywords` does, in short steps.

        Class-based TF-IDF (M. Grootendorst: BERTopic, 2022, eq. 2): tf(word, cluster) * log(1 + A / f(word)), where
        A is the mean number of words in a cluster and f the word's frequency in all. A word of a fifth of all
        sentences says nothing in any of them.
        """
        if not self._counts:
            return []
        mean = sum(counter.total() for counter in self._counts) / len(self._counts)
        common = {word for word, times in self._sentences_with.items() if times > max(_FEW, _COMMON * self._sentences)}
        named: list[list[str]] = []
        weighed = 0
        for counter in self._counts:
            total = max(counter.total(), 1)
            weights: dict[str, float] = {}
            for word, times in counter.items():
                weighed += 1
                if weighed % _WEIGHED_AT_ONCE == 0:
                    yield
                if word not in common:
                    weights[word] = times / total * math.log1p(mean / self._sentences_with[word])
            named.append(heapq.nsmallest(count, weights, key=lambda word: (-weights[word], word)))
        return named


def names(keywords: list[list[str]], words: int = 3) -> list[str]:
    """Return a name for each cluster: its first words, those that only repeat another's stem left out."""
    found: list[str] = []
    for own in keywords:
        chosen: list[str] = []
        for word in own:
            if not any(_one_stem(word, other) for other in chosen):
                chosen.append(word)
            if len(chosen) == words:
                break
        found.append(", ".join(chosen))
    return found


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in STOP_WORDS


def _one_stem(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return len(short) > 3 and long.startswith(short[: max(4, len(short) - 1)]) and len(long) - len(short) <= 3
