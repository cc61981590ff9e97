"""The types of options: what each takes at its limits, and what it refuses in words."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import pytest

from desktop_app.cli import argument_types as types

_NO_NUMBER = ["", "x", "nan", "1,5", "0x1"]
_NO_COUNT = ["", "x", "-1", "+1", "1.5", "²", "٣", "9" * 19]


@pytest.mark.parametrize(
    ("convert", "taken"),
    [
        (types.as_nonempty, {"a": "a", " ": " "}),
        (types.as_nonnegative_int, {"0": 0, "7": 7, "007": 7, "9" * 18: 10**18 - 1}),
        (types.as_positive_int, {"1": 1, "7": 7, "9" * 18: 10**18 - 1}),
        (types.as_language_code, {"de": "de", "German": "de"}),
        (
            types.as_ocr_languages,
            {"eng": "eng", "eng+deu": "eng+deu", "eng,deu,chi_sim": "eng+deu+chi_sim", "a" * 20: "a" * 20},
        ),
        (types.as_positive_float, {"0.001": 0.001, "2": 2.0, "1e9": 1e9}),
        (types.as_nonnegative_float, {"0": 0.0, "0.5": 0.5, "1e9": 1e9}),
        (types.as_score, {"-1": -1.0, "0": 0.0, "1": 1.0}),
        (types.as_fraction, {"0": 0.0, "0.999": 0.999}),
    ],
)
def test_the_limits_are_taken(convert: Callable[[str], object], taken: dict[str, object]) -> None:
    assert {text: convert(text) for text in taken} == taken


@pytest.mark.parametrize(
    ("convert", "texts", "message"),
    [
        (types.as_nonempty, [""], "the name is empty"),
        (types.as_nonnegative_int, _NO_COUNT, "{text!r} is not a whole number"),
        (types.as_positive_int, [*_NO_COUNT, "0", "00"], "{text!r} is not a whole number above 0"),
        (types.as_language_code, ["", "klingon"], "{text!r} is not a supported language; supported: "),
        (
            types.as_ocr_languages,
            ["", "e", "eng+", "+eng", "eng deu", "eng++deu", "en1", "../eng", "a" * 21],
            "{text!r} is not a list of languages, such as eng or eng+deu",
        ),
        (types.as_positive_float, [*_NO_NUMBER, "0", "-0.1", "inf"], "{text!r} is not a number above 0"),
        (types.as_nonnegative_float, [*_NO_NUMBER, "-0.1", "inf"], "{text!r} is not a number of at least 0"),
        (types.as_score, [*_NO_NUMBER, "-1.01", "1.01", "inf"], "{text!r} is not a number from -1 to 1"),
        (types.as_fraction, [*_NO_NUMBER, "-0.1", "1"], "{text!r} is not a number of at least 0 and below 1"),
    ],
)
def test_what_is_beyond_is_refused_in_words(convert: Callable[[str], object], texts: list[str], message: str) -> None:
    for text in texts:
        with pytest.raises(argparse.ArgumentTypeError) as refused:
            convert(text)
        assert str(refused.value).startswith(message.format(text=text))
