"""Words that swapped places, and sentences that say the same either way."""

from __future__ import annotations

import pytest

from desktop_app.core.swapped_words import have_swapped_words


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("John loves Mary.", "Mary loved John."),
        ("The man was bitten by the dog.", "The dog was bitten by the man."),
        ("We went from Paris to Rome.", "We went from Rome to Paris."),
        ("How do I move my number from Jio to Airtel?", "How do I move from Airtel to Jio?"),
        ("The landlord must give the tenant 30 days' notice.", "The tenant must give the landlord 30 days' notice."),
        ("The landlord must tell the tenant.", "The tenant must tell the landlord."),
        ("Five is greater than three.", "Three is greater than five."),
        ("Why is India so hostile towards China?", "Is China hostile towards India? Why?"),
        ("Anna left because Peter came.", "Peter came because Anna left."),
        ("Smoking causes a lot of stress.", "A lot of stress causes smoking."),
        ("A and B were 3 and 5, respectively.", "A and B were 5 and 3, respectively."),
        ("Der Hund beißt den Mann.", "Der Mann beißt den Hund."),
        ("Hans schlug Maria.", "Maria schlug Hans."),
        ("Wir fuhren von Bonn nach Köln.", "Wir fuhren von Köln nach Bonn."),
        ("Die Miete ist vor dem Einzug fällig.", "Der Einzug ist vor der Miete fällig."),
    ],
)
def test_swapped_words_are_found(a: str, b: str) -> None:
    assert have_swapped_words(a, b)
    assert have_swapped_words(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The dog bit the man.", "The dog bit the man!"),
        ("The dog bit the man.", "The man was bitten by the dog."),
        ("Apples and pears are sold.", "Pears and apples are sold."),
        ("A and B were 3 and 5.", "A and B were 5 and 3."),
        ("In 2020 sales rose.", "Sales rose in 2020."),
        ("On the table lay a book.", "A book lay on the table."),
        ("We went from Paris to Rome.", "We went to Rome from Paris."),
        ("Paris is the capital of France.", "The capital of France is Paris."),
        ("Today the court met.", "The court met today."),
        ("Yesterday Ann ran home.", "Home Ann ran yesterday."),
        ("Iron is similar to nickel.", "Nickel is similar to iron."),
        ("How do muscles differ from tendons?", "How are tendons different from muscles?"),
        ('"Stop at once," said John.', 'John said: "Stop at once."'),
        ("Fire in a hospital kills 38", "38 feared dead in a hospital fire"),
        ("The dog bit the man.", "The man bit the dog, and the neighbours, who had heard it, ran to help him."),
        ("Den Mann beißt der Hund.", "Der Hund beißt den Mann."),
        ("Das Kind liebt die Mutter.", "Die Mutter liebt das Kind."),
        ("Tabelle 2 zeigt die Ergebnisse.", "Die Ergebnisse zeigt Tabelle 2."),
        ("Gestern verlor Bayern.", "Bayern verlor gestern."),
        ("In Berlin wohnt Anna.", "Anna wohnt in Berlin."),
        ("", ""),
        ("one", "two"),
    ],
)
def test_sentences_that_say_the_same_either_way_have_none(a: str, b: str) -> None:
    assert not have_swapped_words(a, b)
    assert not have_swapped_words(b, a)


def test_a_very_long_sentence_is_not_compared() -> None:
    words = " ".join(f"w{number}" for number in range(80))
    assert not have_swapped_words(f"dogs bite {words} men", f"men bite {words} dogs")
