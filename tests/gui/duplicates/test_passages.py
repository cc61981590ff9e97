"""How the places of a repeated passage are described."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.core.duplicates import PassagePlace, RepeatedPassage
from desktop_app.core.records import Hit, Place
from desktop_app.gui.duplicates.passages import describe_extents, describe_passage, describe_places, make_passage_texts
from desktop_app.gui.shell import window_language


def hit(at: int, *, page: int | None = None, line: int | None = None) -> Hit:
    place = Place(page, 100 * at, 100 * at + 9, "text" if page else "char", line=line, last_line=line)
    text = f"Sentence {at}."
    return Hit(1, 1.0, at, text, "", "", 1, "On tides", "/papers/tides.pdf", "pdf", at, "body", (place,))


def place(*sentences: Hit, overlap: float = 1.0) -> PassagePlace:
    return PassagePlace(sentences, overlap)


@pytest.mark.parametrize(
    ("sentences", "where"),
    [
        ([hit(1, page=4)], "p. 4"),
        ([hit(1, page=4), hit(2, page=4)], "p. 4"),
        ([hit(1, page=4), hit(2, page=5)], "p. 4 – p. 5"),
        ([hit(1, page=4), hit(2, page=5), hit(3, page=6), hit(4, page=9)], "p. 4 – p. 9"),
        ([hit(1, line=3)], "line 3"),
        ([hit(1, line=3), hit(2, line=1040)], "lines 3–1,040"),
        ([hit(1, line=3), hit(2, line=5), hit(3, line=8)], "lines 3–8"),
    ],
)
def test_a_place_reaches_from_its_first_sentence_to_its_last(
    qapp: QApplication, sentences: list[Hit], where: str
) -> None:
    assert describe_extents(RepeatedPassage((place(*sentences),))) == [f"On tides · {where}"]


def test_documents_of_the_same_name_are_told_apart(qapp: QApplication) -> None:
    later = replace(hit(7, line=9), document_id=2, path="/papers/2023/tides.pdf")
    passage = RepeatedPassage((place(hit(1, line=3)), place(later)))
    assert describe_places(passage) == "On tides (papers) · line 3 | On tides (2023) · line 9 | Sentence 1."


def test_a_passage_is_as_alike_as_the_place_that_differs_most(qapp: QApplication) -> None:
    places = (place(hit(1, page=1), hit(2, page=2)), place(hit(7, page=7), hit(8, page=8), overlap=0.876))
    passage = RepeatedPassage(places)
    assert describe_passage(passage) == "2 sentences in 2 places, 87% of the words identical"
    assert describe_places(passage) == "On tides · p. 1 – p. 2 | On tides · p. 7 – p. 8 | Sentence 1."


def test_exported_passages_are_in_the_language_of_the_window(qapp: QApplication) -> None:
    places = (place(hit(1, line=1), hit(2, line=2)), place(hit(7, line=7), hit(8, line=8), overlap=0.876))
    passage = RepeatedPassage(places)
    window_language.install_language(qapp, "de")
    try:
        words = make_passage_texts()
        assert words.title == "Wiederholte Passagen"
        assert words.describe(passage) == "2 Sätze an 2 Stellen"
        assert words.describe_overlap(places[0]) == ""
        assert words.locate(*places[0].sentences) == "Zeilen 1–2"
    finally:
        window_language.install_language(qapp, "en")
