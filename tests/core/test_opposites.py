"""Opposite words of two sentences."""

from __future__ import annotations

import pytest

from desktop_app.core import opposites
from desktop_app.core.opposites import are_opposite, find_sides
from desktop_app.core.sentence_differences import find_badges


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Sales rose by 5% in 2023.", "Sales fell by 5% in 2023."),
        ("Profits grew in spring.", "In spring profits were dropping."),
        ("The rent increases every year.", "The rent decreased every year."),
        ("At most ten guests are allowed.", "At least ten guests are allowed."),
        ("The landlord pays for repairs.", "The tenant pays for repairs."),
        ("Smoking is permitted here.", "Smoking is prohibited here."),
        ("The result is significant.", "The result is insignificant."),
        ("The difference was linear.", "The difference was nonlinear."),
        ("Both parties agree.", "Both parties disagree."),
        ("She was unable to pay.", "She was able to pay."),
        ("The drug prevents fever.", "The drug causes fever."),
        ("Her brother signed the letter.", "Her sister signed the letter."),
        ("Turn left at the church.", "Turn right at the church."),
        ("Turbulent flow past a plate.", "Laminar flow past a plate."),
        ("A compressible fluid is heated.", "An incompressible fluid is heated."),
        ("The drug treats chronic pain.", "The drug treats acute pain."),
        ("Two sisters own it.", "Two brothers own it."),
        ("The building was demolished in May.", "The building was built in May."),
        ("Die Preise sind gestiegen.", "Die Preise sind gesunken."),
        ("Der Vermieter zahlt die Reparatur.", "Der Mieter zahlt die Reparatur."),
        ("Das ist eine zulässige Änderung.", "Das ist eine unzulässige Änderung."),
        ("Die höhere Zahl gilt.", "Die niedrigere Zahl gilt."),
        ("Es dauert mindestens drei Tage.", "Es dauert höchstens drei Tage."),
    ],
)
def test_opposite_words_are_found_in_either_order(a: str, b: str) -> None:
    assert find_badges(a, b) == ("opposites",)
    assert find_badges(b, a) == ("opposites",)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Sales rose by 5%.", "Sales grew by 5%."),
        ("Sales rose by 5%.", "Revenue was stable."),
        ("Prices rose in the north and fell in the south.", "Prices fell in the south."),
        ("The landlord sues the tenant.", "The tenant is sued by the landlord."),
        ("He stood up.", "He sat down."),
        ("The underground was closed.", "The ground was closed."),
        ("Er ist sicher.", "Er ist sich dessen sicher."),
    ],
)
def test_other_words_are_no_opposites(a: str, b: str) -> None:
    assert "opposites" not in find_badges(a, b)


def test_the_opposite_of_what_is_denied_is_the_same() -> None:
    assert find_badges("Sales did not rise.", "Sales fell.") == ("negation",)
    assert find_badges("Sales did not rise.", "Sales did not fall.") == ("opposites",)


def test_opposites_are_beside_other_differences() -> None:
    assert find_badges("Sales rose by 5% in 2022.", "Sales fell by 7% in 2023.") == ("opposites", "numbers", "dates")


def test_no_row_has_a_word_on_both_sides() -> None:
    both = [word for word, sides in opposites._sides_by_word().items() for side in sides if side.opposite in sides]
    assert both == []


def test_words_in_no_row_have_no_side() -> None:
    assert find_sides(["the", "house", "at", "home"]) == frozenset()
    assert not are_opposite(frozenset(), find_sides(["high"]))
