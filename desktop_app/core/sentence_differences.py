"""Finds how two sentences with nearly the same meaning differ: negation, opposite or swapped words, numbers, dates.

An encoder puts "It is safe" and "It is not safe" close together. Plain rules on the words find the differences that a
person must not overlook next to a high score.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from desktop_app.core.opposites import Side, are_opposite, find_sides
from desktop_app.core.quantities import MEASURES, Quantity, are_contradictory, find_quantities
from desktop_app.core.stop_words import stop_words_of
from desktop_app.core.swapped_words import have_swapped_words

if TYPE_CHECKING:
    from collections.abc import Sequence

Badge = Literal["negation", "opposites", "swapped", "numbers", "dates"]
BADGES: tuple[Badge, ...] = get_args(Badge)

_NEGATING = """
    no not never none nobody nothing neither nor nowhere without cannot
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt couldnt wouldnt shouldnt
    nicht kein keine keinen keinem keiner keines keins keinerlei nie niemals nichts niemand niemanden niemandem ohne
    weder nirgends nirgendwo
    pas jamais aucun aucune sans rien nunca jamás ningún ninguna ninguno sin nada nadie non mai senza nessuno
    nessuna niente não sem nenhum nenhuma niet geen nooit zonder
"""
_NEGATIONS = frozenset(_NEGATING.split())
"""English (also words ending in n't), German, French, Spanish, Italian, Portuguese, Dutch."""

_HOMOGRAPHS = frozenset(("sin", "sem", "non", "pas", "sans", "mai", "nie", "nada", "rien"))
"""These deny nothing in an English sentence, nor with a capital within one: "a sin", "faux pas", "SEM", "Open Sans"."""
_SURELY = "the and to that with it by from this you how what they have she his"
_SURELY_ENGLISH = frozenset(_SURELY.split())

_AUXILIARY = "do|does|did|is|are|was|were|has|have|had|can|could|will|would"
_DENIES_NOTHING = re.compile(
    r"\bnos?\.\s?\d|\bnot (?:only|just|least)\b|\b(?:whether )?or not\b|\bif not\b"
    r"|\bnicht (?:nur|zuletzt)\b|\bob oder nicht\b"
    r"|\bno (?:doubt|matter|wonder|sooner(?: than)?|(?:more|less|fewer|later|earlier) than)\b|\bno \w+er than (?=\d)"
    r"|\bnothing (?:but|less than|short of)\b|\bnone (?:other than|the less)\b|\bnot to mention\b"
    r"|\b(?:cannot|can['’]t|couldn['’]t|could not) help (?:but\b|(?=\w+ing\b))"
    r"|\b(?!no-one\b)n(?:o|ot|on|ever|othing|icht)[-\u2011](?=[^\W\d_])|\bnon- (?=[^\W\d_])|(?<=[^\W\d_]-)not\b"
    r"|(?-i:\bNO(?=\d)|\b[Tt]he NO\b|(?<=\w )No (?=\d))"
    rf"|\bthan (?:\w+ ){{1,4}}?(?:(?:{_AUXILIARY})(?: not|n['’]t)|without)\b",
    re.IGNORECASE,
)
"""Idioms, the other side of a comparison ("more than those who did not"), prefixes ("non-uniform", "no-fly zone"),
nitrogen oxide ("NO2", "the NO"), and numbers: "No. 5".
"""

_GERMAN_NOUN = re.compile(
    rf"\bMai\b|(?<![^\W\d_])(?!(?:{_AUXILIARY}|should|must|may|might|shall|and|or|but|if|why) )[a-zäöüß]+ Not\b"
)
"""The month, and distress: written with a capital letter they are neither Italian "never" nor English "not"."""
_MAY_AS_NAME = re.compile(r"\bMay\b")
"""The month, or a person: no permission."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_WITH_NON = re.compile(r"\bnon(?:[-\u2011] ?| )?([^\W\d_]{4,})", re.IGNORECASE)

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier enero gennaio",
            "february feb februar feber février febrero febbraio",
            "march mar märz mars marzo",
            "april apr avril abril aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet julio luglio",
            "august aug août agosto",
            "september sep sept septembre septiembre settembre",
            "october oct oktober octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember décembre diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi lunes",
            "tuesday dienstag mardi martes",
            "wednesday mittwoch mercredi miércoles",
            "thursday donnerstag jeudi jueves",
            "friday freitag vendredi viernes",
            "saturday samstag sonnabend samedi sábado",
            "sunday sonntag dimanche domingo",
        )
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_MEASURE = "|".join(sorted(map(re.escape, MEASURES), key=len, reverse=True))
"""After these a number is no year, but for "in 1990 dollars"."""
_DATES = re.compile(
    rf"""
      (?P<iso>\b(?P<y1>\d{{4}})-(?P<m1>\d{{1,2}})-(?P<d1>\d{{1,2}})\b)
    | (?P<dotted>\b(?P<d2>\d{{1,2}})\.\s?(?P<m2>\d{{1,2}})\.\s?(?P<y2>\d{{4}}|\d{{2}})\b)
    | (?P<slashed>\b(?P<a3>\d{{1,2}})/(?P<b3>\d{{1,2}})/(?P<y3>\d{{4}}|\d{{2}})\b)
    | (?P<daymonth>\b(?P<d4>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?(?P<n4>{_MONTH})\b
                   \.?,?(?:\s+(?:de\s+)?(?P<y4>\d{{4}}))?)
    | (?P<monthday>\b(?P<n5>{_MONTH})\b\.?\s+(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:),?(?:\s+(?P<y5>\d{{4}}))?)
    | (?P<monthyear>\b(?P<n6>{_MONTH})\b\.?,?\s+(?P<y6>\d{{4}})\b)
    | (?P<year>(?<![£€$¥])\b(?P<y7>1[5-9]\d\d|20\d\d)\b(?![.,]?\d)(?:(?<=\bin\s....)|(?!\s?(?:{_MEASURE})(?!\w))))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
# "copyrighted.4", "states.12,13": the number of a footnote, where a text does not say that it is raised.
_GLUED_REFERENCE = re.compile(r"(?<=[^\W\d_]{4}[.,;!?”’])[”’\"')]?\d{1,3}(?:,\d{1,3})*(?=\s|$)")
_QUESTION_END = re.compile(r"[?？؟;][\"'”’»)\]」』\d⁰¹²³⁴-⁹]*$")
_ASKING = "what why how when where who which was warum wie wann wo wer pourquoi comment quand où qui qué cómo dónde"
_QUESTION_WORDS = frozenset(_ASKING.split())


_LONG_SENTENCE_WORDS = 20
_CLAUSE_END = re.compile(r"[,;:()–—](?=\s)|(?<=\s)[(–—-]")
_DENIED_WORDS_BEFORE, _DENIED_WORDS_AFTER = 1, 3
_STEM = 5
_LANGUAGES = frozenset(("en", "de"))
_CITATION = re.compile(r"\[\d+(?:\s?[,;–-]\s?\d+)*\]")


class SentenceFacts(NamedTuple):
    """The numbers and dates of a sentence, which can contradict those of another one.

    Attributes:
        numbers: those that are not part of a date.
        dates: each in one form however it is written: `2024-3-5`, `-3-5`, `2024`, `day 1`.
    """

    numbers: tuple[Quantity, ...]
    dates: frozenset[str]


@lru_cache(maxsize=4096)
def find_facts(text: str) -> SentenceFacts:
    """Return the facts of a sentence; cached, because the same hits come up again whenever a library grows."""
    found, rest = _split_off_dates(_CITATION.sub("", _GLUED_REFERENCE.sub("", text)))
    return SentenceFacts(find_quantities(rest), found)


@lru_cache(maxsize=4096)
def is_negated(text: str) -> bool:
    """Return whether a sentence contains a negation in one of these languages; cached as facts are."""
    return bool(_find_negations(text)[1])


def differ_in_negation(a: str, b: str) -> bool:
    """Return whether one of two sentences denies what the other says. A question denies nothing.

    A long sentence has many clauses: what it denies counts only if the other mentions it. Of 228 pairs of sentences of
    papers that had this warning 146 keep it, and a "not" put into 4,337 long sentences is still found in 4,317.
    """
    if is_negated(a) == is_negated(b) or is_question(a) or is_question(b):
        return False
    denying, other = (a, b) if is_negated(a) else (b, a)
    words = _find_words(other)
    if max(len(words), len(_find_words(denying))) <= _LONG_SENTENCE_WORDS:
        return True
    denied = _find_denied_stems(denying)
    return not denied or not denied.isdisjoint(_list_stems(words))


def _find_negations(text: str) -> tuple[list[str], list[int]]:
    """Return the words of a text in lower case, without idioms, and the places of its negations; none without any."""
    if not any(map(_is_negation, _find_words(text))):  # most sentences: the rest takes ten times as long
        return [], []
    spelled = _WORD.findall(_GERMAN_NOUN.sub("", _DENIES_NOTHING.sub("", text)))
    words = [word.lower() for word in spelled]

    def denies(at: int) -> bool:
        if words[at] not in _HOMOGRAPHS:
            return _is_negation(words[at])
        is_name = spelled[at].isupper() or (at > 0 and not spelled[at].islower())
        return not is_name and _SURELY_ENGLISH.isdisjoint(words)

    return words, list(filter(denies, range(len(words))))


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or word.endswith(("n't", "n’t"))


@lru_cache(maxsize=4096)
def _find_denied_stems(text: str) -> frozenset[str]:
    """Return the beginnings of the content words next to the negations of a text, within their clauses."""
    stems: set[str] = set()
    for clause in _CLAUSE_END.split(text):
        words, found = _find_negations(clause)
        for at in found:
            stems.update(_list_stems(words[at + 1 :])[:_DENIED_WORDS_AFTER])
            stems.update(_list_stems(words[:at])[-_DENIED_WORDS_BEFORE:])
    return frozenset(stems)


def _list_stems(words: Sequence[str]) -> list[str]:
    """Return the beginnings of the content words among words in lower case."""
    stop_words = stop_words_of(_LANGUAGES)
    return [word[:_STEM] for word in words if len(word) > 1 and word not in stop_words and word not in _NEGATIONS]


@lru_cache(maxsize=4096)
def find_opposite_sides(text: str) -> frozenset[Side]:
    """Return the sides of opposites that a sentence has words of; cached as facts are."""
    return find_sides(_find_words(_MAY_AS_NAME.sub("", _WITH_NON.sub(r"non\1", text))))


def _find_words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def is_question(text: str) -> bool:
    """Return whether a text ends in a question mark, or begins like a question and has no end mark."""
    text = text.rstrip()
    if text.endswith((".", "!", "…", "。", "！")):
        return False
    first = _WORD.match(text)
    return _QUESTION_END.search(text) is not None or (first is not None and first.group().lower() in _QUESTION_WORDS)


def find_badges(a: str, b: str) -> tuple[Badge, ...]:
    """Return the differences of two sentences that an encoder easily overlooks.

    A question denies nothing. Opposite words, numbers and dates differ only if both sentences have one, in the same
    role: one that only one of them has is no difference.
    """
    found: list[Badge] = []
    if differ_in_negation(a, b):
        found.append("negation")
    if have_opposites(a, b):
        found.append("opposites")
    if have_swapped_words(a, b):
        found.append("swapped")
    return (*found, *find_contradictions(find_facts(a), find_facts(b)))


def have_opposites(a: str, b: str) -> bool:
    """Return whether two sentences have words of opposite meaning.

    With a negation in one of them, opposites say the same: "did not rise", "fell".
    """
    if not are_opposite(find_opposite_sides(a), find_opposite_sides(b)) and not _is_opposite_by_prefix(a, b):
        return False
    return is_negated(a) == is_negated(b)


def _is_opposite_by_prefix(a: str, b: str) -> bool:
    """Return whether one sentence has only "non-uniform" or "nonuniform", and the other only "uniform"."""
    if "non" not in (a + b).lower():
        return False
    ours, theirs = _find_words_with_non(a), _find_words_with_non(b)
    ours_without, theirs_without = (frozenset(_find_words(_WITH_NON.sub("", text))) for text in (a, b))
    return bool((ours & theirs_without) - theirs - ours_without or (theirs & ours_without) - ours - theirs_without)


@lru_cache(maxsize=4096)
def _find_words_with_non(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WITH_NON.findall(text))


def describe_badge(badge: Badge | str) -> str:
    """Return a difference in words, to follow "differs in"."""
    return {"opposites": "opposite words", "swapped": "swapped words"}.get(badge, badge)


def find_contradictions(one: SentenceFacts, other: SentenceFacts) -> list[Badge]:
    """Return whether two sentences contradict each other in numbers, and in dates."""
    found: list[Badge] = []
    if one.numbers != other.numbers and are_contradictory(one.numbers, other.numbers):
        found.append("numbers")
    if _are_dates_contradictory(one.dates, other.dates):
        found.append("dates")
    return found


def _are_dates_contradictory(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether each side has a date that agrees with none of the other side, both of the same kind."""
    if one == other or not one or not other:
        return False
    ours = [date for date in one if not any(_do_dates_agree(date, each) for each in other)]
    theirs = [date for date in other if not any(_do_dates_agree(date, each) for each in one)]
    return any(_are_dates_comparable(a, b) for a in ours for b in theirs)


def _split_date(date: str) -> tuple[str, ...]:
    """Return year, month and day, those that a date has."""
    return tuple(date.split("/" if "/" in date else "-"))


def _do_dates_agree(a: str, b: str) -> bool:
    """Return whether both can be the same day: a year agrees with each of its days, a day without year with any."""
    if a == b:
        return True
    if "day " in a or "day " in b or not _are_dates_comparable(a, b):
        return False
    (year, *rest), (other_year, *other_rest) = _split_date(a), _split_date(b)
    if "/" in a:
        return rest == other_rest and _do_years_agree(year, other_year)
    return (not year or not other_year or _do_years_agree(year, other_year)) and all(
        x == y for x, y in zip(rest, other_rest, strict=False)
    )


def _do_years_agree(a: str, b: str) -> bool:
    """Return whether both can be the same year: one may have only its last two digits."""
    return a == b or (len(a) != len(b) and a[-2:] == b[-2:])


def _are_dates_comparable(a: str, b: str) -> bool:
    """Return whether two dates have a part in common: a day of the week says nothing about a year."""
    if ("day " in a) != ("day " in b) or ("/" in a) != ("/" in b):
        return False
    return "day " in a or "/" in a or any(x and y for x, y in zip(_split_date(a), _split_date(b), strict=False))


def _split_off_dates(text: str) -> tuple[frozenset[str], str]:
    """Return the dates, and the text without them."""
    found: set[str] = {f"day {_WEEKDAYS[word]}" for w in _WORD.findall(text) if (word := w.lower()) in _WEEKDAYS}

    def take(match: re.Match[str]) -> str:
        part = match.groupdict()
        if match["iso"]:
            date = f"{part['y1']}-{int(part['m1'])}-{int(part['d1'])}"
        elif match["dotted"]:
            date = f"{part['y2']}-{int(part['m2'])}-{int(part['d2'])}"
        elif match["slashed"]:  # day and month may be in either order: they are not distinguished
            low, high = sorted((int(part["a3"]), int(part["b3"])))
            date = f"{part['y3']}/{low}/{high}"
        elif (part["n4"] == "may" and not part["y4"]) or (part["n5"] == "may" and not part["y5"]):
            return match[0]  # "type 2 may need it": in small letters it is mostly the verb
        elif match["daymonth"]:
            date = f"{part['y4'] or ''}-{_MONTHS[part['n4'].lower()]}-{int(part['d4'])}"
        elif match["monthday"]:
            date = f"{part['y5'] or ''}-{_MONTHS[part['n5'].lower()]}-{int(part['d5'])}"
        elif match["monthyear"]:
            date = f"{part['y6']}-{_MONTHS[part['n6'].lower()]}"
        else:
            date = part["y7"]
        found.add(date)
        return " "

    rest = _DATES.sub(take, text) if _DIGIT.search(text) else text  # every date other than a weekday contains a digit
    return frozenset(found), rest
