"""Numbers in a sentence, each with what it counts or measures.

Two sentences contradict each other in a number only if both have one in the same role: "a rent of 36 pounds" and "a
rent of 38 pounds" do, "36 pounds" and "23 families" do not, and a number that only one of them has is no contradiction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop_app.core.stop_words import stop_words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_TOKEN = re.compile(
    r"(?P<clock>(?<![\d.,:])(?:[01]?\d|2[0-4])[:.][0-5]\d(?![\d.,:]\d|\d))"
    r"|(?P<number>\d+(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)|(?P<sign>[£€$¥%‰°])|(?P<dash>[-–])|(?P<end>[^\w\s])"
)
_ONE_GROUP = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_GROUPED = re.compile(r"(?<=\d)[.,'’\u00a0\u202f ](?=\d{3}(?!\d))")


def _list_number_words() -> dict[str, int]:
    small = """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen"""
    klein = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    words = {word: at for at, word in enumerate(small.split(), start=2)}
    words |= {word: at for at, word in enumerate([*klein.split(), "achtzehn", "neunzehn"], start=2)}
    units = ["ein", *klein.split()[:8]]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    zehner = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
    for at, (ten, zehn) in enumerate(zip(tens, zehner, strict=True), start=2):
        words[ten] = words[zehn] = 10 * at
        words |= {f"{unit}und{zehn}": 10 * at + of for of, unit in enumerate(units, start=1)}
    return words | {"viertelmillion": 250_000, "dreiviertelmillion": 750_000}


_NUMBER_WORDS = _list_number_words()
_TENS = frozenset(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
_UNITS_AFTER_TENS = {
    word: at for at, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], 1)
}
_MULTIPLIERS = {
    word: value
    for words, value in (
        ("hundred hundert", 1e2),
        ("thousand tausend", 1e3),
        ("million millions millionen mio", 1e6),
        ("billion billions milliarde milliarden bn mrd", 1e9),
        ("lakh lakhs", 1e5),
        ("crore crores", 1e7),
        ("dozen dutzend", 12.0),
    )
    for word in words.split()
}
_SHORT_MULTIPLIERS = {"k": 1e3, "m": 1e6, "b": 1e9}
"""Written right after the digits; `m` and `b` only of money."""
_SHORT_FORMS = frozenset(("mio", "mrd", "bn"))
_HUNDRED = 100.0
_HALVES = frozenset(("half", "halbe", "halben", "halbes"))
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_QUARTERS = {"quarter": ["quarter", "of"], "three": ["three", "quarters", "of"]}
_POINTS = frozenset(("point", "komma"))
_DIGITS = {
    word: str(at)
    for words in (
        "zero one two three four five six seven eight nine",
        "null eins zwei drei vier fünf sechs sieben acht neun",
    )
    for at, word in enumerate(words.split())
}
_AND_A_HALF, _ONE_AND_A_HALF = ("einhalb", "anderthalb"), frozenset(("eineinhalb", "anderthalb"))
_BETWEEN = frozenset(("between", "zwischen"))
"""What comes after these words is two numbers with "and" between them."""
_ONE = frozenset(("a", "an", "one", "ein", "eine", "einer", "einem", "einen"))
_SAYS_ROUGH = """
    about above around roughly approximately nearly almost over some circa ca than up under least most
    etwa rund ungefähr fast knapp über gut bis unter mindestens höchstens
"""
_ROUGH = frozenset(_SAYS_ROUGH.split())
_ROUGH_SHARE = 0.1
_ROUNDING = 1e-6
_LONGEST_NUMBER_WORD = 70
"""Letters of the longest number below a million in German, and a few more."""

_CLOCK, _HALF_DAY, _LABEL, _TEMPERATURE = "clock", 720, "label", "temperature"
_FIRST_HOUR_OF_PM = 13
_MINUS = ("-", "–", "−")

_UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, factor)
    for dimension, factor, words in (
        ("share", 1, "% percent prozent pct"),
        ("share", 0.1, "‰ promille"),
        (
            "money",
            1,
            "£ € $ ¥ pound pounds euro euros eur usd gbp dollar dollars franc francs chf yen inr rs cent cents",
        ),
        ("length", 0.001, "mm millimetre millimetres millimeter millimeters"),
        ("length", 0.01, "cm centimetre centimetres centimeter centimeters zentimeter"),
        ("length", 1, "m metre metres meter meters metern"),
        ("length", 1000, "km kilometre kilometres kilometer kilometers kilometern"),
        ("length", 0.3048, "ft foot feet"),
        ("length", 0.0254, "inch inches"),
        ("length", 1609, "mile miles meilen"),
        ("mass", 1e-6, "mg milligram milligrams milligramm"),
        ("mass", 1e-3, "g gram grams gramm"),
        ("mass", 1, "kg kilo kilos kilogram kilograms kilogramm"),
        ("mass", 1000, "t ton tons tonne tonnes tonnen"),
        ("volume", 0.001, "ml millilitre millilitres milliliter"),
        ("volume", 1, "l litre litres liter liters litern"),
        ("time", 1, "s sec second seconds sekunde sekunden"),
        ("time", 60, "min minute minutes minuten"),
        ("time", 3600, "h hour hours stunde stunden"),
        ("time", 86400, "day days tag tage tagen"),
        ("time", 604800, "week weeks woche wochen"),
        ("time", 2629800, "month months monat monate monaten"),
        ("time", 31557600, "year years jahr jahre jahren"),
        ("temperature", 1, "° degree degrees grad celsius"),
    )
    for word in words.split()
}
_SAYS_ONE_TIME = "sec second sekunde min minute hour stunde day tag week woche month monat year jahr"
_SINGULAR_TIMES = frozenset(_SAYS_ONE_TIME.split())
_SIZES = frozenset(dimension for dimension, _ in _UNITS.values())
MEASURES = frozenset(word for word in _UNITS if (len(word) > 1 or not word.isalpha()) and word not in _SINGULAR_TIMES)
"""Units that after a number of four digits say that it is no year; "the 2019 day" and "1990 m" may have one."""
_MANY_SIZED, _MAX_RATIO = ("time", "length"), 30
"""Times and lengths that differ by more, after different words, are of different things: a nap of minutes, a rest of
days.
"""

_LABELS = {
    word: group
    for group in (
        ("chapter", "kapitel", "ch"),
        ("figure", "fig", "abbildung", "abb"),
        ("table", "tabelle", "tab"),
        ("section", "abschnitt", "sec"),
        ("page", "pages", "seite", "p", "pp", "s"),
        ("line", "zeile"),
        ("number", "no", "nr", "nummer"),
        ("part", "teil", "volume", "vol", "band"),
        ("room", "zimmer", "platform", "gate", "version", "step", "item", "article", "artikel", "level"),
    )
    for word in group
}
_DAYTIME = frozenset(("am", "pm", "uhr", "o'clock", "o’clock"))
_WORDS_BEFORE, _WORDS_AFTER = 2, 3

_ORDINAL, _FREQUENCY = "ordinal", "frequency"
_SET_APART = frozenset((_ORDINAL, _FREQUENCY))
_SHARE_AND_MONEY = frozenset(("share", "money"))
_FREQUENCY_SHARE = 0.03
"""Seven times a week is daily."""


def _list_ordinals() -> dict[str, int]:
    small = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth"""
    tens = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth"
    words = {word: at for at, word in enumerate(small.split(), start=1)}
    return words | {word: 10 * at for at, word in enumerate(tens.split(), start=2)}


def _list_german_ordinals() -> dict[str, int]:
    small = "erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt"
    words = {
        word: at for at, word in enumerate([*small.split(), "sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt"], 1)
    }
    words |= {f"{word}st": value for word, value in _NUMBER_WORDS.items() if word.endswith(("zig", "ßig"))}
    words |= {"siebent": 7, "hundertst": 100}
    return {stem + ending: value for stem, value in words.items() for ending in ("e", "en", "er", "es", "em")}


_ORDINALS, _GERMAN_ORDINALS = _list_ordinals(), _list_german_ordinals()
_UNTIL_TENTH = 10
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_SAYS_ARTICLES = "der die das den dem des im am vom zum zur ins ans beim ab bis seit und oder"
_BEFORE_GERMAN_ORDINALS = frozenset(_SAYS_ARTICLES.split())
"""Before "18. Jahrhundert": elsewhere the full stop may end a sentence."""
_BEFORE_FRACTIONS = frozenset((*_NUMBER_WORDS, "one", "per", "pro"))
"""Before "third" and "second" they make a part or a time of them: "one third", "a ten-second pause"."""
_JOINS_ORDINALS = frozenset(("and", "or", "to", "und", "oder", "bis"))

_TIMES_A_YEAR = {
    word: times
    for times, words in (
        (8766, "hour stunde"),
        (365.25, "day tag"),
        (52.18, "week woche"),
        (12, "month monat"),
        (4, "quarter quartal"),
        (1, "year jahr"),
    )
    for word in words.split()
}
_SAYS_HOW_OFTEN = {
    word: times
    for times, words in (
        (8766, "hourly stündlich"),
        (365.25, "daily täglich"),
        (52.18, "weekly wöchentlich"),
        (26.09, "fortnightly"),
        (12, "monthly monatlich"),
        (4, "quarterly vierteljährlich"),
        (2, "halbjährlich"),
        (1, "yearly annual annually jährlich alljährlich"),
    )
    for stem in words.split()
    for word in ([stem + ending for ending in ("", "e", "en", "er", "es", "em")] if stem.endswith("lich") else [stem])
}
_TIMES = {"once": 1, "twice": 2, "thrice": 3, "einmal": 1}
_EVERY = frozenset(("every", "each", "jeden", "jede", "jedes"))
_PER = _EVERY | {"a", "an", "per", "pro", "im", "am"}
_STEM = 5
_LANGUAGES = frozenset(("en", "de"))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a sentence.

    Attributes:
        value: in the base unit of its dimension.
        dimension: what is measured, `label ...` for a number of a chapter and the like, `clock` for a time of day in
            minutes, `ordinal` for "third", `frequency` for how often a year; empty for a count.
        before: beginnings of the content words before it.
        after: beginnings of the content words after it: what is counted; of an ordinal only the next word.
        is_rough: whether the sentence says "about" and the like.
        step: the amount of the last digit; 0 for a number in words.
        half: of the day, `am` or `pm`, if a time of day says so.
        as_decimal: whether the value may be a thousandth: 42.195 km are 42 in English, 42,195 km in German.
    """

    value: float
    dimension: str = ""
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    is_rough: bool = False
    step: float = 0.0
    half: str = ""
    as_decimal: bool = False

    def agrees_with(self, other: Quantity) -> bool:
        """Return whether both can be the same amount: one may be rounded, or of a clock without morning and evening."""
        if self.dimension and other.dimension and self.dimension != other.dimension:
            return False
        apart, larger = abs(self.value - other.value), max(abs(self.value), abs(other.value))
        if self.dimension == other.dimension == _CLOCK:
            return apart % _HALF_DAY == 0 and not (self.half and other.half and self.half != other.half)
        if self.as_decimal != other.as_decimal and self.dimension == other.dimension:
            bare, exact = (self, other) if self.as_decimal else (other, self)
            if replace(bare, value=bare.value / 1000, step=bare.step / 1000, as_decimal=False).agrees_with(exact):
                return True
        if self.dimension == other.dimension == _FREQUENCY:
            return apart <= larger * (_ROUGH_SHARE if self.is_rough or other.is_rough else _FREQUENCY_SHARE)
        least = larger * (_ROUGH_SHARE if self.is_rough or other.is_rough else _ROUNDING)
        rounding = max(self.step, other.step) / 2 if self.step != other.step else 0.0
        return apart <= least + rounding

    def is_comparable(self, other: Quantity) -> bool:
        """Return whether both are in the same role, as far as the words around them tell."""
        if self.dimension in _SET_APART or other.dimension in _SET_APART:
            is_same = bool(self.after & other.after)
            if self.dimension == _FREQUENCY:
                words = self.before | self.after | other.before | other.after
                is_same = is_same or bool(self.before & other.before) or not words
            return is_same and self.dimension == other.dimension
        if self.dimension != other.dimension:
            if {self.dimension, other.dimension} == _SHARE_AND_MONEY:  # 5% may be 3 euros, but hardly 5
                is_rough = self.is_rough or other.is_rough
                return self.value == other.value and not is_rough and bool(self.before & other.before)
            bare = self if not self.dimension else other
            return not (self.dimension and other.dimension) and not bare.after and bool(self.before & other.before)
        if self.dimension:
            low, high = sorted((abs(self.value), abs(other.value)))
            is_any_size = self.dimension not in _MANY_SIZED or bool(self.before & other.before)
            return is_any_size or high <= _MAX_RATIO * low
        if self.after and other.after:
            return bool(self.after & other.after)
        return bool(self.before & other.before) or not (self.after or other.after)


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Return the numbers of a text, in its order; a word such as `twenty-five` is one, `a` and `one` alone are none."""
    return tuple(_iter_quantities(list(_TOKEN.finditer(text))))


def are_contradictory(a: Sequence[Quantity], b: Sequence[Quantity]) -> bool:
    """Return whether two sentences give different numbers in the same role."""
    only_a = [one for one in a if not any(one.agrees_with(other) for other in b)]
    if not only_a:
        return False
    only_b = [other for other in b if not any(other.agrees_with(one) for one in a)]
    return any(one.is_comparable(other) for one in only_a for other in only_b)


def _iter_quantities(tokens: list[re.Match[str]]) -> Iterator[Quantity]:
    at = 0
    while at < len(tokens):
        found = _read_number(tokens, at)
        special = _read_ordinal(tokens, at) or _read_frequency(tokens, at, found)
        if special is not None:
            quantity, at = special
            yield quantity
            continue
        if found is None:
            at += 1
            continue
        value, step, stop = found
        dimension, factor, after = _find_role(tokens, at, stop)
        # "Two years and a half", but not "two years and a half day".
        after_unit = dimension in _SIZES and _is_and_a_half(tokens, stop + 1) and _word(tokens, stop + 4) not in _UNITS
        if after_unit:
            value, step = value + 0.5, 0.0
        if dimension == _TEMPERATURE and _is_below_zero(tokens, at, stop):
            value = -value
        yield Quantity(
            value * factor,
            dimension,
            _find_words_before(tokens, at),
            after,
            _is_rough(tokens, at),
            step * factor,
            _find_half_day(tokens, at, stop) if dimension == _CLOCK else "",
            dimension not in ("", "money") and _ONE_GROUP.fullmatch(tokens[at][0]) is not None,
        )
        at = stop + 4 * after_unit


def _find_words_before(tokens: list[re.Match[str]], at: int) -> frozenset[str]:
    return frozenset(_stems(_word(tokens, each) for each in range(at - 1, at - 6, -1))[:_WORDS_BEFORE])


def _is_rough(tokens: list[re.Match[str]], at: int) -> bool:
    return _word(tokens, at - 1) in _ROUGH or _word(tokens, at - 2) in _ROUGH


def _read_ordinal(tokens: list[re.Match[str]], at: int) -> tuple[Quantity, int] | None:
    """Return "third day", "18th century" or "18. Jahrhundert" that begins at a token, and the token of its noun.

    Without a word after it that can be one it is none: "he came first", "a third of them", "one of the first".
    """
    found = _read_ordinal_number(tokens, at)
    if found is None:
        return None
    before = at - 1 - (at > 0 and bool(tokens[at - 1]["dash"]))
    if (before >= 0 and tokens[before]["number"]) or _word(tokens, before) in _BEFORE_FRACTIONS:
        return None
    value, stop = found
    noun = stop + (stop < len(tokens) and bool(tokens[stop]["dash"]))
    while _word(tokens, noun) in _JOINS_ORDINALS and (more := _read_ordinal_number(tokens, noun + 1)) is not None:
        noun = more[1]  # "the 18th and 19th centuries"
    stems = _stems([_word(tokens, noun)])
    return (Quantity(value, _ORDINAL, after=frozenset(stems)), stop) if stems else None


def _read_ordinal_number(tokens: list[re.Match[str]], at: int) -> tuple[int, int] | None:
    """Return the number of an ordinal that begins at a token, and the token after it."""
    word, after = _word(tokens, at), at + 1
    if word in _TENS:
        after += after < len(tokens) and bool(tokens[after]["dash"])
        unit = _ORDINALS.get(_word(tokens, after), _UNTIL_TENTH)
        return (_NUMBER_WORDS[word] + unit, after + 1) if unit < _UNTIL_TENTH else None
    if word in _ORDINALS:
        return _ORDINALS[word], after
    if word in _GERMAN_ORDINALS:
        return (_GERMAN_ORDINALS[word], after) if _is_capitalized(tokens, after) else None
    if at >= len(tokens) or not (tokens[at]["number"] or "").isdecimal() or after >= len(tokens):
        return None
    value, is_joined = int(tokens[at][0]), tokens[at].end() == tokens[after].start()
    if is_joined and _word(tokens, after) in _ORDINAL_ENDINGS:
        return value, after + 1
    if is_joined and tokens[after][0] == "." and _word(tokens, at - 1) in _BEFORE_GERMAN_ORDINALS:
        return (value, after + 1) if _is_capitalized(tokens, after + 1) else None
    return None


def _is_capitalized(tokens: list[re.Match[str]], at: int) -> bool:
    return at < len(tokens) and (tokens[at]["word"] or "")[:1].isupper()


def _read_frequency(
    tokens: list[re.Match[str]], at: int, number: tuple[float, float, int] | None
) -> tuple[Quantity, int] | None:
    """Return "monthly", "every week" or "three times a day" that begins at a token, and the token after it.

    Args:
        tokens: of the text.
        at: the token where it may begin.
        number: what `_read_number` found there.
    """
    word, stop = _word(tokens, at), at + 1
    times: float | None = _TIMES.get(word)
    if word in _SAYS_HOW_OFTEN or word in _EVERY:
        times, stop = 1, at
    elif number is not None and _word(tokens, number[2]) in ("times", "mal"):
        times, stop = number[0], number[2] + 1
    elif times is None and word.endswith("mal"):
        times = _read_number_word(word.removesuffix("mal"))
    if times is None:
        return None
    if (a_year := _SAYS_HOW_OFTEN.get(_word(tokens, stop))) is None:
        in_a = [_word(tokens, stop), _word(tokens, stop + 1)] in (["in", "der"], ["in", "einer"])
        if _word(tokens, stop) not in _PER and not in_a:
            return None
        stop += 1 + in_a
        if (a_year := _TIMES_A_YEAR.get(_word(tokens, stop))) is None:
            return None
    before, after = _find_words_before(tokens, at), frozenset(_list_counted(tokens, stop + 1)[:1])
    return Quantity(times * a_year, _FREQUENCY, before, after, _is_rough(tokens, at)), stop + 1


def _read_number(tokens: list[re.Match[str]], at: int) -> tuple[float, float, int] | None:
    """Return the number that begins at a token, the amount of its last digit, and the token after it; or None."""
    token = tokens[at]
    is_money = _UNITS.get(_word(tokens, at - 1), ("", 0))[0] == "money"
    step = 0.0
    if _is_clock(tokens, at):
        hours, minutes = re.split("[:.]", token["clock"])
        return 60.0 * int(hours) + int(minutes), 0.0, at + 1
    if token["number"] or token["clock"]:
        digits = _GROUPED.sub("", token[0]).replace(",", ".")
        value, step = float(digits), 10.0 ** -len(digits.partition(".")[2])
        value, at = _add_half(tokens, value, at + 1)
    else:
        return _read_words(tokens, at)
    least = 0.0
    while (multiplier := _multiplier_at(tokens, at, is_money=is_money)) is not None:
        value, step, at, least = value * multiplier, step * multiplier, _skip_multiplier(tokens, at), multiplier
    if least and _is_and_a_half(tokens, at):  # "2 million and a half"
        return value + least / 2, 0.0, at + 3
    return value, step, at


def _read_words(tokens: list[re.Match[str]], at: int, *, is_rest: bool = False) -> tuple[float, float, int] | None:
    """Return what `_read_number` does for a number in words: "three hundred and forty-one thousand and five".

    Args:
        tokens: of the text.
        at: the token where the number begins.
        is_rest: whether it follows a thousand or more: there "one" is a number, too.
    """
    has_rest = _word(tokens, at - 1) not in _BETWEEN
    found = _read_below_hundred(tokens, at, is_rest=is_rest)
    if found is None:
        return None
    value, at = _add_decimals(tokens, *_add_half(tokens, *found))
    if value < _HUNDRED and _MULTIPLIERS.get(_word(tokens, at)) == _HUNDRED:
        value, at = value * _HUNDRED, at + 1
        rest = _read_below_hundred(tokens, at + (_word(tokens, at) == "and"), is_rest=True) if has_rest else None
        # "Two hundred and three hundred" are two numbers.
        if rest is not None and rest[0] < _HUNDRED and _MULTIPLIERS.get(_word(tokens, rest[1])) != _HUNDRED:
            value, at = value + rest[0], rest[1]
    least = 0.0
    while (multiplier := _MULTIPLIERS.get(_word(tokens, at))) is not None:
        value, at, least = value * multiplier, _skip_multiplier(tokens, at), multiplier
    if least and _is_and_a_half(tokens, at):  # "a million and a half"
        return value + least / 2, 0.0, at + 3
    if least >= _MULTIPLIERS["thousand"] and has_rest:
        more = _read_words(tokens, at + (_word(tokens, at) == "and"), is_rest=True)
        if more is not None and more[0] < least:
            value, at = value + more[0], more[2]
    return value, 0.0, at


def _read_below_hundred(tokens: list[re.Match[str]], at: int, *, is_rest: bool) -> tuple[float, int] | None:
    """Return a number of one word, or of tens and units, and the token after it; German writes longer ones as a word.

    "One" is a number only before a hundred and the like, or as the last part of a larger number.
    """
    word = _word(tokens, at)
    if word in _HALVES:
        after = at + 1 + (_word(tokens, at + 1) in _ONE)
        return (0.5, after) if _word(tokens, after) in _MULTIPLIERS else None
    if word.endswith(_AND_A_HALF):
        whole = 1 if word in _ONE_AND_A_HALF else _read_number_word(word.removesuffix(_AND_A_HALF[0]))
        return None if whole is None else (whole + 0.5, at + 1)
    if word in _QUARTERS and (quarters := _read_quarters(tokens, at)) is not None:
        return quarters
    if word in _FRACTIONS and _word(tokens, at + 1) in _MULTIPLIERS:
        return _FRACTIONS[word], at + 1
    if (whole := _read_number_word(word)) is not None:
        value, at = float(whole), at + 1
        if word in _TENS:
            after = at + (at < len(tokens) and bool(tokens[at]["dash"]))
            if (unit := _UNITS_AFTER_TENS.get(_word(tokens, after))) is not None:
                value, at = value + unit, after + 1
        return value, at
    if (is_rest and _is_last_one(tokens, at)) or (
        word in _ONE and (_word(tokens, at + 1) in _MULTIPLIERS or _is_and_a_half(tokens, at + 1))
    ):
        return 1.0, at + 1
    if (word in _ONE or word in _DIGITS) and _has_decimals(tokens, at):  # "zero point five", "eins Komma fünf"
        return float(_DIGITS.get(word, "1")), at + 1
    return None


def _read_quarters(tokens: list[re.Match[str]], at: int) -> tuple[float, int] | None:
    """Return the quarters of "a quarter of a million" or "three quarters of a million", and the token of a million."""
    words = _QUARTERS[_word(tokens, at)]
    after = at + len(words)
    if [_word(tokens, each) for each in range(at, after)] != words or _word(tokens, after) not in _ONE:
        return None
    return (0.25 if words[0] == "quarter" else 0.75, after + 1) if _word(tokens, after + 1) in _MULTIPLIERS else None


def _has_decimals(tokens: list[re.Match[str]], at: int) -> bool:
    """Return whether "point five" and the like follow a digit; "at one point five of them" is no number."""
    if _word(tokens, at + 1) not in _POINTS or _word(tokens, at + 2) not in _DIGITS:
        return False
    if _word(tokens, at) != "one":
        return True
    after = _word(tokens, _add_decimals(tokens, 0, at + 1)[1])
    return after in _MULTIPLIERS or after in MEASURES


def _add_decimals(tokens: list[re.Match[str]], value: float, at: int) -> tuple[float, int]:
    """Return a number and the token after it, with the digits of "point five" or "Komma fünf" if they follow."""
    digits = ""
    if _word(tokens, at) in _POINTS:
        while (digit := _DIGITS.get(_word(tokens, at + 1 + len(digits)))) is not None:
            digits += digit
    return (value + float(f"0.{digits}"), at + 1 + len(digits)) if digits else (value, at)


def _is_last_one(tokens: list[re.Match[str]], at: int) -> bool:
    """Return whether the "one" of "five hundred one" is at a token; American English leaves out the "and".

    Without it, "one" may begin something else: "of five hundred one of them", "five hundred one-way tickets".
    """
    if _word(tokens, at) != "one":
        return False
    is_joined = at + 1 < len(tokens) and bool(tokens[at + 1]["dash"])
    return _word(tokens, at - 1) == "and" or not (is_joined or _word(tokens, at + 1) == "of")


def _add_half(tokens: list[re.Match[str]], value: float, at: int) -> tuple[float, int]:
    """Return a number and the token after it, with "and a half" or the like if that follows."""
    if (fraction := _FRACTIONS.get(_word(tokens, at))) is not None:
        return value + fraction, at + 1
    return (value + 0.5, at + 3) if _is_and_a_half(tokens, at) else (value, at)


def _is_and_a_half(tokens: list[re.Match[str]], at: int) -> bool:
    return [_word(tokens, each) for each in range(at, at + 3)] == ["and", "a", "half"]


def _read_number_word(word: str) -> int | None:
    """Return the number that a word says, from two on; German writes "zweihundertfünfzig" as one."""
    if word in _NUMBER_WORDS:
        return _NUMBER_WORDS[word]
    if len(word) > _LONGEST_NUMBER_WORD:
        return None
    for power, factor in (("tausend", 1000), ("hundert", 100)):
        head, found, tail = word.partition(power)
        if found and head + tail:
            first = 1 if head in ("", "ein") else 100 if head == "hundert" else _read_number_word(head)
            tail = tail.removeprefix("und") or tail
            rest = 0 if not tail else 1 if tail == "eins" else _read_number_word(tail)
            return None if first is None or rest is None else first * factor + rest
    return None


def _multiplier_at(tokens: list[re.Match[str]], at: int, *, is_money: bool) -> float | None:
    word = _word(tokens, at)
    if word in _SHORT_MULTIPLIERS and tokens[at].start() == tokens[at - 1].end() and (is_money or word == "k"):
        return _SHORT_MULTIPLIERS[word]
    return _MULTIPLIERS.get(word)


def _skip_multiplier(tokens: list[re.Match[str]], at: int) -> int:
    """Return the token after a multiplier and the full stop of its short form: "3 Mio. Euro"."""
    is_short = _word(tokens, at) in _SHORT_FORMS and at + 2 < len(tokens) and tokens[at + 1][0] == "."
    return at + 1 + is_short


def _word(tokens: list[re.Match[str]], at: int) -> str:
    return (tokens[at]["word"] or tokens[at]["sign"] or "").lower() if 0 <= at < len(tokens) else ""


def _is_clock(tokens: list[re.Match[str]], at: int) -> bool:
    """Return whether a token is a time with minutes; "7.30" is one only before "p.m." and the like."""
    clock = tokens[at]["clock"]
    return bool(clock) and (":" in clock or _is_daytime(tokens, at + 1))


def _is_daytime(tokens: list[re.Match[str]], at: int) -> bool:
    word = _word(tokens, at)
    return word in _DAYTIME or (word in ("a", "p") and _word(tokens, at + 2) == "m" and tokens[at + 1][0] == ".")


def _find_half_day(tokens: list[re.Match[str]], start: int, stop: int) -> str:
    """Return `am` or `pm` for a time of day of some tokens; empty if it can be either."""
    hour = re.match(r"\d+", tokens[start][0])
    if hour is not None and int(hour[0]) >= _FIRST_HOUR_OF_PM:
        return "pm"
    return {"a": "am", "p": "pm"}.get(_word(tokens, stop)[:1], "") if _is_daytime(tokens, stop) else ""


def _is_below_zero(tokens: list[re.Match[str]], start: int, stop: int) -> bool:
    """Return whether a temperature has a minus sign, the word, or is so many degrees "below zero" or "unter null"."""
    if start and tokens[start - 1][0] in _MINUS:
        sign = tokens[start - 1]
        return sign.end() == tokens[start].start() and not sign.string[: sign.start()][-1:].isalnum()
    after = [_word(tokens, at) for at in range(stop, stop + 4)]
    return _word(tokens, start - 1) == "minus" or any(
        pair in (("below", "zero"), ("below", "freezing"), ("unter", "null")) for pair in pairwise(after)
    )


def _find_role(tokens: list[re.Match[str]], start: int, stop: int) -> tuple[str, float, frozenset[str]]:
    """Return the dimension of the number of some tokens, the factor of its unit, and what it counts."""
    if _is_clock(tokens, start):
        return _CLOCK, 1.0, frozenset()
    if _is_daytime(tokens, stop):
        return _CLOCK, 60.0, frozenset()
    previous = _word(tokens, start - 1 - (start > 0 and tokens[start - 1][0] == "."))
    stop += stop < len(tokens) and bool(tokens[stop]["dash"])
    unit = _word(tokens, stop)
    if previous in _LABELS and unit not in _UNITS:
        return f"{_LABEL} {_LABELS[previous][0]}", 1.0, frozenset()
    if _UNITS.get(previous, ("", 0))[0] == "money":
        unit = previous
    elif unit == "per" and _word(tokens, stop + 1) == "cent":
        unit = "percent"
    if unit in _UNITS:
        return *_UNITS[unit], frozenset()
    return "", 1.0, frozenset(_list_counted(tokens, stop)[:_WORDS_AFTER])


def _list_counted(tokens: list[re.Match[str]], at: int) -> list[str]:
    """Return the beginnings of the content words from a token on, up to a mark or a number."""
    counted: list[str] = []
    for token in tokens[at:]:
        if token["end"] or token["number"] or token["clock"]:
            break
        counted.append(token[0])
    return _stems(counted)


def _stems(words: Iterable[str]) -> list[str]:
    """Return the beginnings of content words: those of one word in its forms are mostly the same."""
    stop_words = stop_words_of(_LANGUAGES)
    return [small[:_STEM] for word in words if len(small := word.lower()) > 1 and small not in stop_words]
