"""A first question after an import."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.core.records import Hit
from desktop_app.engine.requests import ImportReport
from desktop_app.gui.search.suggestion import choose_question
from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import SEA, Kindred


@pytest.fixture
def real(make: Callable[..., Kindred], qtbot: QtBot, tmp_path: Path) -> Kindred:
    """A window with a real library, which can find key sentences."""
    kindred = make(open_library=lambda: LocalLibrary.open(tmp_path / "library"))
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready" and kindred.kind == "no_documents")
    return kindred


def hit(text: str, score: float) -> Hit:
    return Hit(1, score, 1, text, "", "", 1, "", "/d.txt", "text", 0, "body", ())


def test_an_import_suggests_a_sentence_of_the_new_documents(real: Kindred, qtbot: QtBot, files: Path) -> None:
    box = real.window.search.box
    before = box.placeholderText()
    real.window.imports.start([str(files / "sea.txt")])
    qtbot.waitUntil(lambda: bool(box.suggestion))
    assert box.suggestion in [line.rstrip(".") for line in SEA.splitlines()]
    assert box.text() == "", "nothing is typed for the person"
    assert box.suggestion in box.accessibleDescription()
    suggested = box.suggestion
    qtbot.keyClick(box, Qt.Key.Key_Right)
    assert box.text() == suggested
    qtbot.waitUntil(lambda: bool(real.hits))
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
    long, heading = "word " * 40 + ".", "Two ways to keep the sea out"
    quoted, form = (
        'He said that "the sea" would rise.',
        replace(hit("Name of the child and place of birth.", 1), kind="form"),
    )
    others = [hit(long, 0.9), hit(heading, 0.95), hit(quoted, 0.97), form]
    assert choose_question([hit(good, 0.5), hit(better, 0.7), *others]) == better[:-1]
    assert choose_question([hit(long, 0.9)]) == ""


def test_a_document_without_a_sentence_that_fits_suggests_its_title_but_no_file_name(
    real: Kindred, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = real.window.search.box
    (tmp_path / "a.txt").write_text("Sea.\n", "utf-8")
    reports: list[ImportReport] = []
    real.window.imports.finished.connect(reports.append)
    real.window.imports.start([str(tmp_path / "a.txt")])
    documents = real.window.documents
    # The list of documents may be read after the suggestion is sought.
    qtbot.waitUntil(lambda: bool(reports) and any(documents.all_documents()))
    qtbot.waitUntil(lambda: not real.window.search.suggestion._request.is_running)
    assert box.suggestion == ""
    with_title = [replace(each, title='Rising "seas"') for each in documents.all_documents()]
    monkeypatch.setattr(documents, "document", lambda _id: with_title[0])
    real.window.search.suggestion.follow_import(reports[0])
    qtbot.waitUntil(lambda: bool(box.suggestion))
    assert box.suggestion == "Rising seas"


def test_a_sentence_that_somebody_says_is_suggested_without_its_quotation_marks() -> None:
    spoken = hit('"You know the story of the hound?"', 0.6)
    interrupted = hit('"You know it," said Holmes, "as well as I do."', 0.9)
    assert choose_question([interrupted, spoken]) == "You know the story of the hound?"
    assert choose_question([hit("“Look at the noises on the moor at night.", 0.5)]) == (
        "Look at the noises on the moor at night"
    )
