"""Tells queries that the model can embed from nonsense and from languages that it does not know.

The model embeds any text, and the nearest sentences to a vector that means nothing are no answer. A tokenizer has the
frequent words of the model's languages as one piece each; nonsense and foreign words fall into many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.english_inflection import list_base_forms
from desktop_app.core.language_detection import LANGUAGE_NAMES, guess_language, guess_script_language
from desktop_app.core.stop_words import ENGLISH_HOMOGRAPHS, count_stop_words, stop_words_of
from desktop_app.text.query_language import detect_language

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from desktop_app.core.library import KeywordSearch
    from desktop_app.core.ports import Encoder

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_FIRST_IDEOGRAPH = "\u2e80"
"""From here on scripts do not put blanks between words."""

_MIN_LETTERS = 4
"""Shorter words are abbreviations as often as nonsense, or are still being typed."""

_MIN_PIECE_LETTERS = 3
"""Letters per piece below which a word is unlike those of any language the tokenizer was made for."""

_UNFINISHED_LETTERS = 3
"""At most so many letters at the end of the last word may change: "sleepin" becomes "sleeping", stored as "sleep"."""

_ER = "er"
_ER_LANGUAGES = frozenset({"da", "de", "fr"})
"""Languages in which -er ends verbs and adjectives, often behind a word that English has too: "retirer", "kleiner"."""

# A logistic regression on shares of a query's words: 2,359 English questions, captions and keywords (Quora, SNLI)
# against 2,700 texts of Qt's windows in 18 languages and 600 made words; no library was consulted. It recognises 96% of
# the foreign texts, 99.8% of the made words, and errs on 4.7% of the English ones, mostly with names alone. Since then
# inflected English words count as whole; new weights were no better (RESULTS.md, `understanding`).
_IN_PIECES, _OWN_STOP_WORDS, _FOREIGN_STOP_WORDS, _FOREIGN_LETTERS, _ACCENTED, _BIAS = 6.5, -1.2, 8.5, 1.6, 8.0, -4.6


@dataclass(frozen=True, slots=True)
class QueryUnderstanding:
    """Whether the model can embed a query, and the query's language (two letters) if the model does not know it."""

    is_known: bool
    language: str = ""


def understand_query(texts: Sequence[str], encoder: Encoder, words: KeywordSearch | None) -> QueryUnderstanding:
    """Judge a query by its words, the model's tokenizer and the library, whose own words count as known.

    Args:
        texts: what to search for by meaning.
        encoder: the model.
        words: of the library; None without one.
    """
    text = " ".join(texts)
    languages = frozenset(encoder.model.languages)
    script = guess_script_language(text)
    if languages and script and script not in languages:
        return QueryUnderstanding(False, script)
    if not encoder.knows_words(texts).any():
        return QueryUnderstanding(False)
    found = [word for word in _WORD.findall(text.lower().replace("\u2019", "'")) if word[0] < _FIRST_IDEOGRAPH]
    if not found:
        return QueryUnderstanding(True)
    own_stop_words = stop_words_of(languages)
    strange = [
        (word, count)
        for at, (word, count) in enumerate(zip(found, count_pieces(found, encoder), strict=True))
        if count > 1
        and len(word) >= _MIN_LETTERS
        and word not in own_stop_words
        and not _is_in_library(word, words, is_last=at == len(found) - 1)
    ]
    if len(languages) != 1 or not own_stop_words:
        # The words of further languages fall into pieces too, but into longer ones than nonsense.
        is_nonsense = len(strange) == len(found) and all(
            len(word) < _MIN_PIECE_LETTERS * count for word, count in strange
        )
        return QueryUnderstanding(not is_nonsense)
    detected = detect_language(text)
    if "en" in languages:
        strange = _without_inflected(strange, encoder, is_er_foreign=detected in _ER_LANGUAGES)
    accented = sum(not word.isascii() and word not in own_stop_words for word in found)
    # One or two letters alone are a name, as in "x y", not Spanish.
    least = 1 if len(found) > 2 else 2
    foreign = [word for word in found if word not in own_stop_words and len(word) >= least]
    others = count_stop_words(word for word in foreign if "en" not in languages or word not in ENGLISH_HOMOGRAPHS)
    if others or strange or accented:  # "sea level" is English, "sea quien sea" is not
        others = count_stop_words(foreign)
    has_word = words.has_word if words is not None else lambda _word: False
    if max(others.values(), default=0) == 1 and all(word in own_stop_words or has_word(word) for word in found):
        others.clear()  # a single one may be a word or a name of the library
    score = (
        _BIAS
        + _FOREIGN_LETTERS * (detected not in languages)
        + (
            _IN_PIECES * len(strange)
            + _OWN_STOP_WORDS * sum(word in own_stop_words for word in found)
            + _FOREIGN_STOP_WORDS * max(others.values(), default=0)
            + _ACCENTED * accented
        )
        / len(found)
    )
    if score <= 0:
        return QueryUnderstanding(True)
    likeliest, count = others.most_common(1)[0] if others else ("", 0)
    # Function words tell a language more surely than the letters of a short query.
    if count > others[detected] and count > 1:
        return QueryUnderstanding(False, likeliest)
    # Accents alone are no evidence against them: the letters of "Der Vertrag endet am 31. März" look Swedish.
    if detected in LANGUAGE_NAMES and detected not in languages and (detected in others or (accented and not others)):
        return QueryUnderstanding(False, detected)
    return QueryUnderstanding(False, _guess_among(text, others))


def _guess_among(text: str, others: Counter[str]) -> str:
    """Return the language of most function words of a text; of several, the one that all its function words suggest."""
    most = [language for language, count in others.items() if count == max(others.values())]
    guessed = guess_language(text)
    return guessed if len(most) > 1 and guessed in most else next(iter(most), "")


def count_pieces(words: Sequence[str], encoder: Encoder) -> list[int]:
    """Return into how many pieces the model's tokenizer divides each word: 1 for the words that it has."""
    if not words:
        return []
    found: list[int] = (encoder.count_tokens(words) - encoder.count_tokens([""])[0]).tolist()
    return found


def _without_inflected(
    strange: list[tuple[str, int]], encoder: Encoder, *, is_er_foreign: bool
) -> list[tuple[str, int]]:
    """Return the words, with their pieces, that are no inflected forms of an English word that is one piece.

    Only for a model of English alone: the words of other languages have other forms, and the tokenizer of a model of
    several languages has pieces for foreign words.

    Args:
        strange: words and their pieces.
        encoder: the model.
        is_er_foreign: whether -er is no ending of English here.
    """
    forms = {word: [] if is_er_foreign and word.endswith(_ER) else list_base_forms(word) for word, _ in strange}
    distinct = list({form for of_word in forms.values() for form in of_word})
    if not distinct:
        return strange
    whole = {form for form, count in zip(distinct, count_pieces(distinct, encoder), strict=True) if count == 1}
    return [each for each in strange if whole.isdisjoint(forms[each[0]])]


def _is_in_library(word: str, words: KeywordSearch | None, *, is_last: bool) -> bool:
    """Return whether the library has a word; of the last one, which may still be typed, its beginning is enough."""
    if words is None:
        return False
    if words.has_word(word):
        return True
    shortest = max(_MIN_LETTERS, len(word) - _UNFINISHED_LETTERS)
    return is_last and any(
        words.has_word(word[:length], is_beginning=True) for length in range(len(word), shortest - 1, -1)
    )
