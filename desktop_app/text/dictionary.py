"""The words of a language, to tell misspelt ones: pyspellchecker's lists of words."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spellchecker import SpellChecker

_LANGUAGES = frozenset(("de", "en", "es", "fr", "it", "nl", "pt"))


def has_dictionary(language: str) -> bool:
    """Return whether the words of a language (two letters) are known."""
    return language in _LANGUAGES


@lru_cache(maxsize=1)
def load_dictionary(language: str) -> SpellChecker:
    """Return the words of a language, in lower case: `word in dictionary`. The first call takes up to a second."""
    from spellchecker import SpellChecker

    return SpellChecker(language=language)
