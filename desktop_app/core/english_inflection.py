"""English words without their endings: what "departs", "hopping", "ferries" and "captain's" may be forms of.

Where the full-text index wants one stem for all forms of a word, right or wrong (`index_terms`), this names real words.
"""

from __future__ import annotations

import re

_POSSESSIVE = "'s"
_VOWEL_ENDINGS = ("ings", "ers", "ing", "est", "ed", "er")
"""Endings before which "e" is dropped, a consonant doubled and "y" becomes "i"."""

_PLURAL_WITH_E = re.compile(r"(?:[sxzo]|[cs]h)es\Z")
_PLURAL = re.compile(r"[^isxz]s\Z")
_ADVERB = "ly"
_MIN_LETTERS = 3
_VOWEL = re.compile("[aeiouy]")


def list_base_forms(word: str) -> list[str]:
    """Return the words that `word` may be an inflected form of, by English spelling; most are no words at all.

    Covers plurals and possessives, third persons, past tenses, -ing, -er, -est and -ly. Forms have at least three
    letters and a vowel. Takes a word in lower case with straight apostrophes.
    """
    if word.endswith(_POSSESSIVE):
        found = [word.removesuffix(_POSSESSIVE)]
    else:
        found = [*_without_s(word), *_without_ly(word)]
        for ending in _VOWEL_ENDINGS:
            if word.endswith(ending):
                found += _before_vowel(word.removesuffix(ending))
    return [form for form in dict.fromkeys(found) if len(form) >= _MIN_LETTERS and _VOWEL.search(form)]


def _without_s(word: str) -> list[str]:
    found = []
    if word.endswith("ies"):
        found.append(f"{word[:-3]}y")  # ferries
    if _PLURAL_WITH_E.search(word):
        found.append(word[:-2])  # boxes
    if _PLURAL.search(word):
        found.append(word[:-1])  # departs
    return found


def _without_ly(word: str) -> list[str]:
    if not word.endswith(_ADVERB):
        return []
    found = [word[:-2]]  # quickly
    if word.endswith("ily"):
        found.append(f"{word[:-3]}y")  # happily
    if word.endswith("bly"):
        found.append(f"{word[:-1]}e")  # comfortably
    if word.endswith("ally"):
        found.append(word[:-4])  # basically
    return found


def _before_vowel(rest: str) -> list[str]:
    found = [rest]  # barking
    if rest.endswith("i"):
        found.append(f"{rest[:-1]}y")  # carried
    else:
        found.append(f"{rest}e")  # hoping
    if rest[-2:-1] == rest[-1:]:
        found.append(rest[:-1])  # hopping
    return found
