"""Languages of longer texts that the model was not trained for."""

from __future__ import annotations

import pytest

from desktop_app.engine.unknown_languages import find_languages_except
from tests.steps import run_steps

GERMAN = [
    "Der Mieter zahlt die Miete am ersten Tag jedes Monats.",
    "Der Vermieter hält das Gebäude in gutem Zustand.",
    "Haustiere sind in der Wohnung nicht erlaubt.",
    "Der Mietvertrag endet am 31. März 2024.",
]
ENGLISH = [
    "The tenant pays the rent on the first day of each month.",
    "I do not know why I did it, and I do not want to pay for it.",
    "Die hard fans were in the hall, and so was I.",
    "Que sera, sera is a song by Livingston and Evans.",
]


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (GERMAN, ("de",)),
        (ENGLISH, ()),
        ([*ENGLISH * 3, *GERMAN * 2], ("de",)),
        ([*ENGLISH * 500, *GERMAN[:2]], ()),
        (["桜の花が咲いています。"], ("ja",)),
        (["1899", "..."], ()),
        ([], ()),
    ],
)
def test_languages_other_than_those_of_the_model_are_found(texts: list[str], found: tuple[str, ...]) -> None:
    assert run_steps(find_languages_except(("en",), texts)) == found


def test_a_language_of_the_model_is_none() -> None:
    assert run_steps(find_languages_except(("en", "de"), GERMAN)) == ()
    assert run_steps(find_languages_except((), GERMAN)) == (), "it is unknown which it knows"


def test_a_long_text_is_judged_in_steps() -> None:
    steps = find_languages_except(("en",), GERMAN * 2000)
    assert 5 < sum(1 for _ in steps) < 50
