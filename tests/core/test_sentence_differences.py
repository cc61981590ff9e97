"""Differences that a high score hides: a negation, another number, another day."""

from __future__ import annotations

import pytest

from desktop_app.core.sentence_differences import find_badges, find_facts, is_negated


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("It is safe to drink.", "It is not safe to drink.", ("negation",)),
        ("He won’t come.", "He will come.", ("negation",)),
        ("Das ist kein Problem.", "Das ist ein Problem.", ("negation",)),
        ("The knot is tight.", "The rope is tight.", ()),
        ("Nurses who napped recalled more.", "Nurses who napped recalled more than those who did not.", ()),
        ("It is safe and cheap.", "It is not only safe but cheap.", ()),
        ("It is more than I wanted.", "It is not more than I wanted.", ("negation",)),
        ("No one came.", "Nobody came.", ()),
        ("Take 20 mg a day.", "Take 200 mg a day.", ("numbers",)),
        ("It rose by twenty percent.", "It rose by 20 percent.", ()),
        ("It cost 1,000 dollars.", "It cost 1000 dollars.", ()),
        ("It cost 1.000,50 euros.", "It cost 1000.50 euros.", ()),
        ("It cost 1,000 dollars.", "It cost 2,000 dollars.", ("numbers",)),
        ("Signed on 5 March 2024.", "Signed on March 5th, 2024.", ()),
        ("Signed on 2024-03-05.", "Signed on 05.03.2024.", ()),
        ("Signed on 5 March 2024.", "Signed on 6 March 2024.", ("dates",)),
        ("We meet on Monday.", "We meet on Tuesday.", ("dates",)),
        ("In 1999 there were 12.", "In 2001 there were not 13.", ("negation", "numbers", "dates")),
        ("The works were never copyrighted.4", "The works were never copyrighted.", ()),
        ("It now holds in eleven states.12,13", "It now holds in eleven states.", ()),
        ("It holds in eleven states ¹² now.", "It holds in eleven states now.", ()),
        ("The rent rose to £36.", "The rent was raised from £30 to £36 in 2024.", ()),
        ("Signed in 2024.", "Signed on 5 March 2024.", ()),
        ("Signed on 5 March.", "Signed on 5 March 2024.", ()),
        ("Signed on 5 March.", "Signed in 2024.", ()),
        ("Signed on Monday.", "Signed on 5 March.", ()),
        ("Signed in 2023.", "Signed on 5 March 2024.", ("dates",)),
        ("Sleep helps [12].", "Sleep helps [3, 4].", ()),
        ("See No.4 of it.", "See No.5 of it.", ("numbers",)),
        ("Is it not safe to drink?", "It is safe to drink.", ()),
        ("why is it not safe", "It is safe to drink.", ()),
        ("Das Treffen ist im Mai.", "Das Treffen ist bald.", ()),
        ("La porta non è mai chiusa.", "La porta è chiusa.", ("negation",)),
        ("Sie halfen Menschen in Not.", "Sie halfen armen Menschen.", ()),
        ("Please Do Not Enter.", "Please enter.", ("negation",)),
        ("Not all birds fly.", "All birds fly.", ("negation",)),
        ("See Table No. 5.", "See Table 5.", ()),
        ("Er half niemandem.", "Er half allen.", ("negation",)),
        ("Er sah niemanden.", "Er sah alle.", ("negation",)),
        ("Type 2 may need insulin.", "Type 1 may need insulin.", ("numbers",)),
        ("Signed on 5 may 2024.", "Signed on 6 May 2024.", ("dates",)),
        ("Am 03.10.90 war es so.", "It was so on 3 October 1990.", ()),
        ("Signed on 3/5/90.", "Signed on 3/5/1990.", ()),
        ("Signed on 3/5/91.", "Signed on 3/5/1990.", ("dates",)),
        ("Signed on 03.10.91.", "Signed on 3 October 1990.", ("dates",)),
        ("They paid €1500.", "They paid €16.", ("numbers",)),
        ("Die Straße ist 1900 km lang.", "Die Straße ist 90 km lang.", ("numbers",)),
        ("It cost 90 cents in 1990 dollars.", "It cost 90 cents in 1995 dollars.", ("dates",)),
        ("The 2019 day was long.", "The 2018 day was long.", ("dates",)),
        ("Wir kommen am Sonnabend.", "Wir kommen am Samstag.", ()),
        ("Im Jänner 2019 kam er.", "Im Januar 2019 kam er.", ()),
        ("Im Jänner 2019 kam er.", "Im März 2019 kam er.", ("dates",)),
        ("The flow is uniform.", "The flow is non-uniform.", ("opposites",)),
        ("A non-alcoholic drink.", "An alcoholic drink.", ("opposites",)),
        ("A non- alcoholic drink.", "A nonalcoholic drink.", ()),
        ("Non-linear systems are hard.", "Nonlinear systems are hard.", ()),
        ("The non-residents pay for it.", "The visitors pay for it.", ()),
        ("The residents and non-residents pay.", "The residents pay.", ()),
        ("The flow is not uniform.", "The flow is non-uniform.", ("negation",)),
        ("No more than five people fit in.", "At most five people fit in.", ()),
        ("The app dont work.", "The app does work.", ("negation",)),
        ("The dog bit the man.", "The man bit the dog.", ("swapped",)),
        ("The tenant shall pay the fee.", "The tenant may pay the fee.", ("opposites",)),
        ("The tenant shall not pay the fee.", "The tenant may not pay the fee.", ()),
        ("The tenant must not pay the fee.", "The tenant may pay the fee.", ("negation",)),
        ("Der Mieter muss zahlen.", "Der Mieter kann zahlen.", ("opposites",)),
        ("The tenant must file the report in 2020.", "The tenant filed the report in May 2020.", ()),
        ("", "", ()),
    ],
)
def test_each_kind_of_difference_is_found(a: str, b: str, expected: tuple[str, ...]) -> None:
    assert find_badges(a, b) == expected
    assert find_badges(b, a) == expected


_LONG = (
    "Because of its viscosity, the flow in a real pipe is not one-dimensional, and a layer grows on its inner walls."
)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("A layer grows on the walls.", ()),
        ("A one-dimensional layer grows on the walls.", ("negation",)),
        ("A layer grows on the walls of the pipe.", ("negation",)),
        (_LONG.replace("not ", ""), ("negation",)),
        ("It is not known how the layer grows.", ()),
    ],
)
def test_what_a_long_sentence_denies_counts_only_if_the_other_mentions_it(
    other: str, expected: tuple[str, ...]
) -> None:
    assert find_badges(_LONG, other) == find_badges(other, _LONG) == expected


def dates_and_numbers(text: str) -> tuple[frozenset[str], list[float]]:
    facts = find_facts(text)
    return facts.dates, [each.value for each in facts.numbers]


def test_a_verb_spelled_like_a_month_is_no_date() -> None:
    assert find_facts("You may march in august company.").dates == frozenset()
    assert dates_and_numbers("You may go in 2 groups on your march.") == (frozenset(), [2])


def test_a_year_is_a_date_and_not_a_number() -> None:
    assert dates_and_numbers("Since 1900 it rose by 20 m.") == ({"1900"}, [20])


def test_parts_of_words_are_no_negation() -> None:
    assert not is_negated("Another notable nose.")
    assert is_negated("I cannot, and I don't.")


@pytest.mark.parametrize(
    "text",
    [
        "The wall is non-conducting.",
        "A non- linear equation of a do-not-call list.",
        "A no-fly zone, and forget-me-not.",
        "NO2 falls while the NO rises.",
        "The NO rises.",
        "See Table No 5.",
        "It is nothing but rain.",
        "No matter how late, it works.",
        "I couldn't help laughing.",
        "It is a sin and a faux pas to waste it.",
        "SEM images of the grains.",
        "SEM images.",
        "Set it in Open Sans.",
    ],
)
def test_prefixes_idioms_and_words_of_other_languages_are_no_negation(text: str) -> None:
    assert not is_negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "No-one came.",
        "He said no--he was late.",
        "It is NOT safe.",
        "There is NO reason.",
        "You cannot help him.",
        "It is no better than that.",
        "Il ne dort pas.",
        "Sin agua no hay vida.",
        "Sem pressa.",
        "La flotta non parte.",
        "Das war nie so.",
        "Nie wieder.",
    ],
)
def test_negations_stay_negations(text: str) -> None:
    assert is_negated(text)
