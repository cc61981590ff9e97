"""A first question after an import."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.core.records import Hit
from desktop_app.gui.search.suggestion import choose_question
from tests.gui.conftest import SEA, Kindred


def hit(text: str, score: float) -> Hit:
    return Hit(1, score, 1, text, "", "", 1, "", "/d.txt", "text", 0, "body", ())


def test_an_import_suggests_a_sentence_of_the_new_documents(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    box = kindred.window.search.box
    before = box.placeholderText()
    kindred.window.imports.start([str(files / "sea.txt")])
    qtbot.waitUntil(lambda: bool(box.suggestion))
    # The document's name in place of a sentence if none is found; its title if the list of documents has it already.
    assert box.suggestion in (*(line.rstrip(".") for line in SEA.splitlines()), "sea", "sea.txt")
    assert box.text() == "", "nothing is typed for the person"
    assert box.suggestion in box.accessibleDescription()
    suggested = box.suggestion
    qtbot.keyClick(box, Qt.Key.Key_Right)
    assert box.text() == suggested
    qtbot.waitUntil(lambda: bool(kindred.hits))
    box.clear()
    assert box.placeholderText() == before, "it is made once"


def test_nothing_is_suggested_to_a_person_who_searches(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    box = kindred.window.search.box
    box.setText("bread")
    kindred.window.imports.start([str(files / "sea.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.hits) > 1)
    box.clear()
    assert not box.suggestion


def test_the_most_central_sentence_that_fits_is_chosen() -> None:
    good, better = "Salt marshes break the force of waves.", "Coastal towns have to adapt their drains."
    long, heading = "word " * 40, "Introduction"
    assert choose_question([hit(good, 0.5), hit(better, 0.7), hit(long, 0.9), hit(heading, 0.95)]) == better[:-1]
    assert choose_question([hit(long, 0.9)]) == ""
