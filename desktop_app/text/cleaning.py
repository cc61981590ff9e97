"""Cleans extracted text: characters and line-end hyphens; rates its quality.

Pure functions; every format uses the same ones.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from unicodedata import east_asian_width, normalize

from desktop_app.core.stop_words import stop_words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",  # U+FB05 is long s + t
    "\ufb06": "st",
}
SOFT_HYPHEN = "\u00ad"
LINE_END_HYPHENS = frozenset("\u0002\ufffe")
"""PDFium's character for a hyphen at the end of a line."""

HYPHENS = frozenset("-\u2010")

SENTENCE_END = re.compile(
    r"(?:[.!?:;。！？…؟۔।][\"'”’»)\]」』]*(?:[⁰¹²³⁴-⁹,–-]*[⁰¹²³⁴-⁹])?|(?<=[^\W\d])[.!?][\"'”’»)\]]*\d{1,2})$",
)
"""The end of a sentence, perhaps with the digits of a footnote."""

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_REFERENCE_NUMBERS = re.compile(r"\s*[\[(]?\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*[\])]?\s*")
MIN_RISE = 0.15
"""In font sizes: how much higher than its line a raised number stands at least."""
_UNIT_LETTERS = 2
"""Letters of a unit or variable (km, x), whose raised number is an exponent."""

WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")

_MIN_HALF = 4
"""Letters of half a compound: shorter ones (in, under) start and end too many words."""
_MIN_USES = 2
"""Occurrences from which a word counts as used in the document."""
_MIN_SECOND_HALF = 3
"""Letters of either half of a second word: shorter ones are mostly words (day-to-day)."""
_ENDS_OF_COMPOUNDS = frozenset(("old",))
"""In a short text, "ten-year-|old" may be the only "year"."""
_LANGUAGES = frozenset(("en", "de"))

_CONJUNCTIONS = frozenset(("und", "oder", "bzw", "beziehungsweise", "sowie", "and", "or"))
_ENDS_OF_WORDS = frozenset(("and", "or"))
"""Conjunctions that are also how a word may end: `col-|or`, `brig-|and`."""
_COMPOUND_FOLLOWS = re.compile(r"[a-z]+\s+(?:\w+\s+)?\w+[-\u2010]\w")

_WORD_AT_END = re.compile(WORD.pattern + r"\Z")
_WHITE_SPACE = re.compile(r"\s+")
_BAD_CHARACTERS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]|/g\d{2,4}|\(cid:\d+\)|/[A-Z]\d{2,3}(?=/)"
)
_GLUED_WORDS = re.compile(r"[A-Za-z]{26,}")
_WIDE = re.compile("[\u3000-\u9fff\uff00-\uffef]")
_NOT_CLEAN = re.compile(
    "  |[\0-\x1f\x7f-\xa0\xad\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ud800-\uf8ff\ufb00-\ufb06"
    "\ufdd0-\ufdef\ufeff\ufffe\uffff\u0300-\u036f\u0653-\u0655\u1161-\u11ff\u3099\u309a"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0xF0000, 0x10000))
    + "\U000f0000-\U0010ffff]"
)
"""What `clean_character` changes, marks that may belong to the letter before, and two blanks in a row."""
_COMBINING = re.compile("[\u0300-\u036f\u0653-\u0655\u1161-\u11ff\u3099\u309a]")
"""Accents, parts of Korean syllables and Japanese sound marks: Unicode also has letters with them."""


def clean_character(char: str) -> str:
    """Return what a character of a file becomes in a sentence: itself, other letters, a blank or nothing.

    Lone surrogates, control and private-use characters, non-characters and invisible marks are dropped; all
    white space becomes a blank; ligatures become letters.
    """
    if "!" <= char <= "~":
        return char
    if char in LIGATURES:
        return LIGATURES[char]
    if char.isspace():
        return " "
    if char == SOFT_HYPHEN or char == "\ufeff" or char == "\u200b" or char == "\u2060":
        return ""
    code = ord(char)
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or (code & 0xFFFE) == 0xFFFE:
        return ""
    if 0xFDD0 <= code <= 0xFDEF or 0xE000 <= code <= 0xF8FF or code >= 0xF0000:
        return ""
    return char


def is_combining(char: str) -> bool:
    """Return whether a character may be one with the letter before it."""
    return char > "\u02ff" and _COMBINING.match(char) is not None


def compose_letter(letter: str, mark: str) -> str:
    """Return a letter with a mark as one character, so that a text is the same however a file writes it; or nothing."""
    composed = normalize("NFC", letter + mark)
    return composed if len(composed) == 1 else ""


def is_clean(text: str) -> bool:
    """Return whether cleaning changes nothing in a text but blanks at its ends: so it is with most lines."""
    return _NOT_CLEAN.search(text) is None


def raise_numbers(before: str, text: str) -> str:
    """Return text that is set as a superscript, as it is read after other text.

    Numbers become superscript digits: "copyrighted.⁴", "states ¹²,¹³", "km²". They are no numbers of the sentence, and
    those after a word are separated from it, so that the word is found. Other text stays as it is: "1st".
    """
    if _REFERENCE_NUMBERS.fullmatch(text) is None:
        return text
    raised = "".join(text.split()).strip("[]()").translate(_RAISED)
    word = _WORD_AT_END.search(before[-60:])
    return f" {raised}" if word is not None and len(word.group()) > _UNIT_LETTERS else raised


def ends_hyphenated(text: str) -> bool:
    """Return whether a line ends in a hyphen after a letter or digit."""
    return len(text) > 1 and text[-1] in HYPHENS and text[-2].isalnum()


def is_wide(char: str) -> bool:
    """Return whether a character belongs to a script without blanks between words."""
    return _WIDE.match(char) is not None


def has_wide_characters(text: str) -> bool:
    """Return whether a text has characters of a script without blanks between words."""
    return _WIDE.search(text) is not None


def is_full_width(char: str) -> bool:
    """Return whether a character is as wide as a Chinese one: such a character, or a dash, ellipsis or quote there."""
    return is_wide(char) or (not char.isalnum() and east_asian_width(char) == "A")


def is_suspended_hyphen(left: str, right: str, words: Counter[str]) -> bool:
    """Return whether the hyphen between two lines stands for the end of a word: `Nord-|und Südseite`.

    Args:
        left: the text before the hyphen.
        right: the text of the next line.
        words: as for `should_keep_hyphen`.
    """
    after = WORD.match(right)
    conjunction = after.group() if after is not None else ""
    if conjunction not in _CONJUNCTIONS or not left or not left[-1].isalnum():
        return False
    if conjunction not in _ENDS_OF_WORDS:
        return True
    before = _last_word(left)
    if not before:
        return True
    is_part = words[before] > 0 or _COMPOUND_FOLLOWS.match(right) is not None
    return is_part and words[before + conjunction] == 0


def should_keep_hyphen(left: str, right: str, words: Counter[str]) -> bool:
    """Return whether the hyphen between two lines belongs to the word.

    Args:
        left: the text before the hyphen.
        right: the text of the next line.
        words: how often each word occurs in the document, lower case, hyphenated compounds included.

    Returns:
        True for `Anglo-|Saxon`, `1914-|18`, if the document has "a-b" more often than "ab", or has neither but both
        halves as words of their own (`user-|system`, `bag-|of-words`).
    """
    if is_suspended_hyphen(left, right, words):
        return True
    first = right[:1]
    if not first or not first.isalpha() or first.isupper():
        return True
    if not left or not left[-1].isalpha():
        return True
    before = _last_word(left)
    after = WORD.match(right)
    assert after is not None, "it begins with a letter"
    first_part = after.group().lower()
    joined, hyphenated = words[before + first_part], words[f"{before}-{first_part}"]
    if joined != hyphenated:
        return hyphenated > joined
    if "-" in before:
        return not _is_in_second_word(before, first_part, words)
    # Two words that the document has are a compound; "exam-|ple" is one word.
    return joined == 0 and _are_words(before, first_part, words)


def _is_in_second_word(before: str, after: str, words: Counter[str]) -> bool:
    """Return whether a line ends within the second word of a compound: `flat-bot-|tomed`, but not `state-of-the-|art`.

    Of compounds of two words in 98 English novels, each divided in the second word, 91% are recognised (93% with only
    1,500 words of text around them); of those of three words, divided between two of them, 2% are joined wrongly (4%).
    """
    _, second, *more = before.split("-")
    if more or "-" in after or after in _ENDS_OF_COMPOUNDS or min(len(second), len(after)) < _MIN_SECOND_HALF:
        return False
    if joined := words[second + after]:
        return words[second] <= joined or words[after] < _MIN_USES
    return words[second] == 0 and words[after] < _MIN_USES and second not in stop_words_of(_LANGUAGES)


def _are_words(before: str, after: str, words: Counter[str]) -> bool:
    """Return whether both halves of a word are words that the document uses, and long enough for that to count."""
    after, hyphen, _ = after.partition("-")
    if hyphen and words[after] >= _MIN_USES:
        return True  # the middle of three: bag-of-words
    return min(len(before), len(after)) >= _MIN_HALF and min(words[before], words[after]) >= _MIN_USES


def _last_word(text: str) -> str:
    match = _WORD_AT_END.search(text[-60:])
    return match.group().lower().replace("\u2010", "-") if match else ""


def count_words(lines: Iterable[str]) -> Counter[str]:
    """Count the words of lines, lower case, without half words at hyphenated ends."""
    words: Counter[str] = Counter()
    for line in lines:
        found = WORD.findall(line.lower().replace("\u2010", "-"))
        if found and line[-1:] in HYPHENS:
            found.pop()
        words.update(found)
    return words


def rate_text_quality(text: str) -> float:
    """Return the readable share of a page's text, from 0 to 1.

    1 - (control + private-use + U+FFFD + `/gNN` + `(cid:n)` + letters in words longer than 25) divided by
    the number of characters other than white space. Long words alone do not lower it below 0.5: they are text whose
    blanks are missing, a compound or an address. An empty text has quality 0.
    """
    total = len(_WHITE_SPACE.sub("", text))
    if total == 0:
        return 0.0
    bad = sum(len(match) for match in _BAD_CHARACTERS.findall(text))
    glued = sum(len(word) for word in _GLUED_WORDS.findall(text))
    return max(0.0, 1.0 - (bad + glued) / total, min(0.5, 1.0 - bad / total))
