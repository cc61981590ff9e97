"""Numbers contradict each other only in the same role."""

from __future__ import annotations

import pytest

from desktop_app.core.quantities import are_contradictory, find_quantities
from tests.core.number_pairs import (
    AGREEING,
    CONTRADICTORY,
    HELD_OUT_AGREEING,
    HELD_OUT_CONTRADICTORY,
    split_pairs,
)


def is_contradiction(a: str, b: str) -> bool:
    one, other = find_quantities(a), find_quantities(b)
    assert are_contradictory(one, other) == are_contradictory(other, one)
    return are_contradictory(one, other)


@pytest.mark.parametrize(("a", "b"), split_pairs(CONTRADICTORY + HELD_OUT_CONTRADICTORY.lstrip()))
def test_another_number_in_the_same_role_is_a_contradiction(a: str, b: str) -> None:
    assert is_contradiction(a, b)


@pytest.mark.parametrize(("a", "b"), split_pairs(AGREEING + HELD_OUT_AGREEING.lstrip()))
def test_one_more_number_another_role_or_spelling_is_none(a: str, b: str) -> None:
    assert not is_contradiction(a, b)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("two thousand and 3,500", [2000, 3500]),
        ("twenty-five or a million", [25, 1e6]),
        ("one of a few", []),
        ("a hundred and fifty people", [150]),
        ("two thousand five hundred and twenty-one of two hundred", [2521, 200]),
        ("zweihundertfünfzig oder hunderteins oder dreitausendvierhundert", [250, 101, 3400]),
        ("three hundred and forty-one thousand and five", [341_005]),
        ("five thousand one hundred and seventy-two", [5172]),
        ("two million five hundred thousand", [2.5e6]),
        ("a thousand and one, two hundred and three hundred", [1001, 200, 300]),
        ("between two thousand and five hundred", [2000, 500]),
        ("five hundred one people, one thousand one hundred one", [501, 1101]),
        ("of five hundred one of them left with two hundred one-way tickets", [500, 200]),
        ("a million and a half, two million and a half people", [1.5e6, 2.5e6]),
        ("half a million, a half dozen, half of them, half a day", [5e5, 6]),
        ("eine halbe Million, ein halbes Dutzend", [5e5, 6]),
        ("two and a half, 2 and a half, one and a half million", [2.5, 2.5, 1.5e6]),
        ("zweieinhalb, anderthalb Millionen, eineinhalb", [2.5, 1.5e6, 1.5]),
        ("2 million and a half, 2½ million, ¾ million of 2½", [2.5e6, 2.5e6, 7.5e5, 2.5]),
        ("a quarter of a million, three quarters of a million, a quarter of them", [2.5e5, 7.5e5]),
        ("eine Viertelmillion oder hunderttausend", [2.5e5, 1e5]),
        ("two point five million, zero point two five, one point five percent", [2.5e6, 0.25, 1.5]),
        ("zwei Komma fünf Millionen, eins Komma null fünf, null Komma drei", [2.5e6, 1.05, 0.3]),
        ("At one point five of these two point out seven.", [5, 2, 7]),
        ("two kilos and a half, 3 metres and a half", [2.5, 3.5]),
        ("3 metres and a half litre", [3]),
        (2000 * "tausend", []),
        ("Hunderte im Jahrtausend, hundertprozentig", []),
        ("$38bn and 15k", [38e9, 15e3]),
        ("It is 5 m long.", [5]),
        ("at 7.30 p.m.", [450]),
        ("vom 3. bis 1.000,50", [3, 1000.5]),
    ],
)
def test_numbers_are_read_in_words_and_digits(text: str, values: list[float]) -> None:
    assert [each.value for each in find_quantities(text)] == values


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("It rose by 0.7 percent.", "It rose by 0.66 percent.", False),
        ("It rose by 0.7 percent.", "It rose by 0.76 percent.", True),
        ("It paid $85.6 million.", "It paid $85.6m.", False),
        ("Es kostet 3 Mio. Euro in 5 Jahren.", "Es kostet 5 Millionen Euro in 5 Jahren.", True),
        ("Es kostet 3 Mio. Euro in 5 Jahren.", "Es sind 4 Jahre.", True),
        ("He ran 42.195 km.", "He ran 42.2 km.", False),
        ("Er lief 42,195 km.", "He ran 42.2 km.", False),
        ("He ran 42.195 km.", "He ran 43 km.", True),
        ("It weighs 1,500 kg.", "It weighs 1500 kg.", False),
        ("It weighs 1,500 kg.", "It weighs 2,500 kg.", True),
        ("It costs 1,500 euros.", "It costs 1.5 euros.", True),
    ],
)
def test_a_rounded_number_agrees(a: str, b: str, expected: bool) -> None:
    assert is_contradiction(a, b) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("3 days", "72 hours"),
        ("2 weeks", "14 days"),
        ("2 hours", "120 minutes"),
        ("3 minutes", "180 seconds"),
        ("2 years", "24 months"),
        ("3 km", "3000 m"),
        ("2 m", "200 cm"),
        ("4 kg", "4000 g"),
        ("3 tonnes", "3000 kg"),
        ("2 litres", "2000 ml"),
    ],
)
def test_the_same_amount_in_another_unit_agrees_and_one_more_does_not(a: str, b: str) -> None:
    number, unit = b.split()
    assert not is_contradiction(f"It took {a}.", f"It took {b}.")
    assert is_contradiction(f"It took {b}.", f"It took {2 * int(number)} {unit}.")
    (one,), (other,) = find_quantities(f"It took {a}."), find_quantities(f"It took {b}.")
    assert one.value == pytest.approx(other.value, rel=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("It opens at 10 am.", "It opens at 10 pm.", True),
        ("It opens at 5:30 pm.", "It opens at 17:30.", False),
        ("It opens at 5:30 am.", "It opens at 17:30.", True),
        ("It opens at 5:30.", "It opens at 17:30.", False),
        ("It was −5 °C.", "It was 5 °C.", True),
        ("Es waren -5 Grad.", "Es waren 5 Grad.", True),
        ("It was −5 °C.", "It was 5 degrees below zero.", False),
        ("It was minus 5 degrees.", "It was -5 °C.", False),
        ("It was 3-5 °C.", "It was 5 °C.", False),
    ],
)
def test_half_of_the_day_and_the_sign_of_a_temperature_count(a: str, b: str, expected: bool) -> None:
    assert is_contradiction(a, b) == expected
