"""Guesses the language of a text from its script or its function words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from desktop_app.core.messages import Message, verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LANGUAGE_NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "pl": "Polish", "sv": "Swedish", "da": "Danish", "fi": "Finnish", "cs": "Czech", "tr": "Turkish",
    "ja": "Japanese", "ko": "Korean", "zh": "Chinese", "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "th": "Thai",
    "el": "Greek", "ru": "Russian", "uk": "Ukrainian",
}  # fmt: skip
"""The languages that are distinguished, by their two letters."""


SAMPLE_SENTENCES = 40
"""Sentences to sample, starting a third into the document: the beginning is often names and a table of contents."""

_PROSE_KINDS = ("body", "list", "heading")


def language_name(code: str) -> Message:
    """Return what a language is called, to be filled into messages."""
    return Message.of(LANGUAGE_NAMES[code], {}) if code in LANGUAGE_NAMES else verbatim(code)


def name_languages(codes: Iterable[str]) -> str:
    """Return the English names of languages, given by two letters each."""
    return ", ".join(LANGUAGE_NAMES.get(code, code) for code in codes)


_OWN_NAMES = {
    "deutsch": "de", "français": "fr", "francais": "fr", "español": "es", "espanol": "es", "italiano": "it",
    "português": "pt", "portugues": "pt", "nederlands": "nl", "polski": "pl", "svenska": "sv", "dansk": "da",
    "suomi": "fi", "čeština": "cs", "cestina": "cs", "türkçe": "tr", "turkce": "tr", "日本語": "ja", "한국어": "ko",
    "中文": "zh", "العربية": "ar", "עברית": "he", "हिन्दी": "hi", "ไทย": "th", "ελληνικά": "el", "русский": "ru",
    "українська": "uk",
}  # fmt: skip
_STOP_WORDS = {
    "en": "the of and to in is that was it for with as his on be at by had not are but from or have an they which",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec",
    "es": "de la que el en y a los se del las un por con no una su para es al lo como más pero sus le ha",
    "it": "di e il la che in un a per è una del non sono con si da come le dei nel alla più anche della",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das",
    "nl": "de van een en het in is dat op te zijn met voor niet aan er om ook als dan maar bij uit nog naar",
    "pl": "w i na z się nie do to że jest o jak po co tak za od przez ale był już przy dla tym być",
    "sv": "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi",
    "da": "og i at det er en til af på for med de den som ikke der har et han om vi var jeg fra men",
    "fi": "ja on ei se että oli hän mutta myös ovat joka kun niin ole kuin tai sen jos vain mitä olla hänen",
    "cs": "a se v na je že o s z do i to k ve pro za by ale si po jako podle od jsem jsou který",
    "tr": "ve bir bu da de için ile çok daha olarak gibi sonra kadar olan ne ama o var değil mi her en",
}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]"), 0.03),
    ("ko", re.compile(r"[\uac00-\ud7af]"), 0.2),
    ("zh", re.compile(r"[\u4e00-\u9fff]"), 0.2),
    ("ar", re.compile(r"[\u0600-\u06ff]"), 0.3),
    ("he", re.compile(r"[\u0590-\u05ff]"), 0.3),
    ("hi", re.compile(r"[\u0900-\u097f]"), 0.3),
    ("th", re.compile(r"[\u0e00-\u0e7f]"), 0.3),
    ("el", re.compile(r"[\u0370-\u03ff]"), 0.3),
    ("ru", re.compile(r"[\u0400-\u04ff]"), 0.3),
)
_LETTERS = re.compile(r"[^\W\d_]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def language_code(name: str) -> str:
    """Return the two-letter code of a language given as code, locale ("pt-BR") or name; empty if it is unknown."""
    name = name.strip().casefold()
    if (code := name.replace("_", "-").partition("-")[0]) in LANGUAGE_NAMES:
        return code
    named = {english.casefold(): code for code, english in LANGUAGE_NAMES.items()}
    return named.get(name) or _OWN_NAMES.get(name, "")


@cache
def _stop_word_sets() -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in _STOP_WORDS.items()}


def guess_script_language(text: str) -> str:
    """Guess the language of a text from its script; empty if several languages use it."""
    rare = "".join(_NOT_ASCII.findall(text))  # the letters of all these scripts, of an English text a few quotes
    if not rare:
        return ""
    letters = sum(map(len, _LETTERS.findall(text)))
    for language, pattern, share in _SCRIPTS:
        if letters and len(pattern.findall(rare)) > share * letters:
            return "uk" if language == "ru" and re.search(r"[іїєґ]", text) else language
    return ""


def guess_language(text: str) -> str:
    """Guess a text's language from its script, else from its function words; `en` if there is no evidence."""
    sample = text[:20_000]
    words = _LETTERS.findall(sample.lower())
    letters = sum(map(len, words))
    if not letters:
        return "en"
    if language := guess_script_language(sample):
        return language
    count = Counter(words).get
    scores = {language: sum(count(word, 0) for word in known) for language, known in _stop_word_sets().items()}
    best = max(scores, key=lambda language: (scores[language], language == "en"))
    # Another language needs clear evidence: a wrong guess costs more than English rules on a foreign text.
    return best if scores[best] > 1.15 * scores["en"] and scores[best] >= 0.08 * len(words) else "en"


@cache
def _all_stop_words() -> frozenset[str]:
    return frozenset().union(*_stop_word_sets().values())


def count_function_words(words: Iterable[str]) -> Counter[str]:
    """Count the function words of the language that has most of them among `words`."""
    counted = Counter(word.lower() for word in words)
    hits = {word: counted[word] for word in counted.keys() & _all_stop_words()}
    best: Counter[str] = Counter()
    for known in _stop_word_sets().values():
        found = Counter({word: times for word, times in hits.items() if word in known})
        if found.total() > best.total():
            best = found
    return best


def count_distinct_function_words(words: Iterable[str]) -> int:
    """Count how many different function words of any language are among words in lower case."""
    return len(_all_stop_words().intersection(words))


def guess_sample_language(sample: Sequence[tuple[str, str]]) -> str:
    """Return the language of sentences of a document, given as (text, kind); of those in running text, if any."""
    running = [text for text, kind in sample if kind in _PROSE_KINDS]
    return guess_language("\n".join(running or [text for text, _ in sample]))
