"""Suggests another spelling of a query with words that nobody knows."""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import TYPE_CHECKING

from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.query import parse_query
from desktop_app.engine.query_understanding import count_pieces, understand_query
from desktop_app.text.dictionary import has_dictionary, load_dictionary
from desktop_app.text.query_language import detect_language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from desktop_app.core.jobs import Steps
    from desktop_app.core.library import KeywordSearch
    from desktop_app.core.ports import Encoder

_WORD = re.compile(r"(?<![^\W_]|['’-])[^\W\d_]{5,}(?![^\W_]|['’-])")
_MOST_WORDS = 5
_MIN_SENTENCES = 3
"""In how many sentences a word must be that is in no dictionary: the library may have misspelt ones too."""


def suggest_spelling(text: str, encoder: Encoder, words: KeywordSearch) -> Steps[str]:
    """Return a query with unknown words replaced by ones that differ in one letter; empty if there are none.

    A word is unknown if neither the dictionary of the query's language nor the library has it, nor the model's
    tokenizer as one piece. It is replaced by a word of the library with one letter more, less or another behind the
    first one, or with two letters exchanged (P. Norvig: How to Write a Spelling Corrector, 2007): by the most frequent
    one of the dictionary, or else of the others, which are names. A query with operators is left alone.

    Args:
        text: the query.
        encoder: the library's.
        words: of the library.
    """
    query = parse_query(text)
    if query.is_conditional or query.unlike or query.parts:
        return ""
    typed = query.text.lower() if query.text.isupper() else query.text
    languages = encoder.model.languages
    language = languages[0] if len(languages) == 1 else detect_language(typed)
    found = [each for each in _list_words(typed) if not words.has_word(each)] if has_dictionary(language) else []
    found = [each for each, pieces in zip(found, count_pieces(found, encoder), strict=True) if pieces > 1]
    if not found:
        return ""
    dictionary = yield from run_in_thread(lambda: load_dictionary(language), may_outlast_job=True)
    letters = [each for each in sorted(dictionary.word_frequency.letters) if each.isalpha()]
    if language == "en":  # where foreign words have others
        letters = list(ascii_lowercase)
    corrected: dict[str, str] = {}
    for word in [each for each in found if each.lower() not in dictionary][:_MOST_WORDS]:
        is_name = word[0].isupper() and not (typed.istitle() or typed.startswith(word))
        counts = words.count_words(_list_edits(word.lower(), letters))
        yield None
        if other := _choose_word(counts, {each for each in counts if each in dictionary}, is_name=is_name):
            corrected[word] = other.capitalize() if word[0].isupper() else other
    if not corrected:
        return ""
    suggested = _WORD.sub(lambda match: corrected.get(match.group(), match.group()), typed)
    return suggested if understand_query(parse_query(suggested).like, encoder, words).is_known else ""


def _list_words(text: str) -> list[str]:
    """Return the words of a text that may be misspelt, each once: no abbreviations."""
    found = dict.fromkeys(match.group() for match in _WORD.finditer(text))
    return [word for word in found if word[1:].islower()]


def _choose_word(counts: Mapping[str, int], in_dictionary: Collection[str], *, is_name: bool) -> str:
    """Return the likeliest of some words of the library, those that are likely mistakes first; empty for none.

    Args:
        counts: in how many sentences each of them is.
        in_dictionary: those of the dictionary.
        is_name: the word seems to be a name, and so must be the one in its place.
    """

    def most_frequent(some: Iterable[str]) -> str:
        return max(some, key=lambda each: counts[each], default="")

    names = [each for each in counts if each not in in_dictionary and counts[each] >= _MIN_SENTENCES]
    if is_name:
        return most_frequent(names)
    return most_frequent(each for each in counts if each in in_dictionary) or most_frequent(names)


def _list_edits(word: str, letters: Iterable[str]) -> list[str]:
    """Return all texts that differ from a word by the order of two letters, or by one letter behind the first."""
    splits = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    exchanged = [left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1]
    more = [left + letter + right for left, right in splits[1:] for letter in letters]
    less = [left + right[1:] for left, right in splits[1:] if right]
    others = [left + letter + right[1:] for left, right in splits[1:] if right for letter in letters]
    return [each for each in dict.fromkeys([*exchanged, *more, *less, *others]) if each != word]
