"""How rare words are in the texts that a judge learnt from. It keeps no word, only counts by hash."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

HASHES = 1 << 16  # of words: the folder of a model lists no words of the data that it was trained on
WORD = re.compile(r"\w+")

_FEWEST_TEXTS = 3  # that contain a word: rarer ones, such as names of persons, leave no trace
_COMMON_SHARE = 0.03  # "how" and "what" of questions; rarer ones, such as "make" and "without", say something


class WordRarity:
    """The rarity of lower-case words, as inverse document frequencies.

    Args:
        counts: in how many texts a word occurs, by the word's hash: int32 [65536].
        texts: the number of these texts.

    Attributes:
        counts: see above.
        texts: see above.
    """

    def __init__(self, counts: NDArray[np.int32], texts: int) -> None:
        self.counts, self.texts = counts, texts
        self._rarity = np.log((texts + 1) / (counts + 0.5))

    @classmethod
    def count(cls, *columns: Iterable[str]) -> WordRarity:
        """Return the rarity of words in texts."""
        counts, texts = np.zeros(HASHES, np.int32), 0
        for column in columns:
            for text in column:
                counts[[*{_hash(word) for word in WORD.findall(text.lower())}]] += 1
                texts += 1
        counts[counts < _FEWEST_TEXTS] = 0
        return cls(counts, texts)

    def of(self, word: str) -> float:
        """Return the rarity of a word."""
        return float(self._rarity[_hash(word)])

    def weigh(self, words: Iterable[str]) -> float:
        """Return the sum of the rarities of words."""
        return float(sum(self._rarity[_hash(word)] for word in words))

    def drop_common(self, words: set[str]) -> set[str]:
        """Return words without the function words that many of the texts contain."""
        most = _COMMON_SHARE * self.texts
        return {word for word in words if word not in STOP_WORDS or self.counts[_hash(word)] <= most}


def _hash(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass")) % HASHES
