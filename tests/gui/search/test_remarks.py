"""Remarks on a query wait until it is finished: at the end of a text, a phrase may still be being typed."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.jobs import Job, Lane
from desktop_app.core.messages import Message
from desktop_app.gui.search import remarks
from desktop_app.gui.search.remarks import QueryRemarks
from tests.gui.conftest import Kindred, search
from tests.patience import PATIENCE_S

UNCLOSED, NEAR = Message("A quotation mark has no partner"), Message("no near/3")


@pytest.fixture
def typed(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueryRemarks]:
    """The remarks of a query that is being typed; a pause is made by the test."""
    monkeypatch.setattr(remarks, "PAUSE_MS", 1_000_000)
    parent = QObject()
    yield (held := QueryRemarks(parent))
    held.stop()
    parent.deleteLater()


def test_a_new_remark_waits_and_a_shown_one_stays(typed: QueryRemarks, qtbot: QtBot) -> None:
    assert typed.choose_shown('near/3 "flo', [NEAR, UNCLOSED]) == []
    typed.stop()  # a pause
    assert typed.choose_shown('near/3 "flo', [NEAR]) == [NEAR]
    assert typed.choose_shown('near/3 "floo', [NEAR, UNCLOSED]) == [NEAR]
    assert typed.choose_shown('near/3 "flood"', [NEAR]) == [NEAR]
    assert typed.choose_shown("flood", []) == []


def test_a_pause_shows_what_was_held_back(qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remarks, "PAUSE_MS", 1)
    parent = QObject()
    held = QueryRemarks(parent)
    with qtbot.waitSignal(held.settled):
        held.choose_shown('"flood', [UNCLOSED])
    assert held.choose_shown('"flood', [UNCLOSED]) == [UNCLOSED]
    parent.deleteLater()


def test_an_unclosed_phrase_is_said_in_the_window_once_typing_pauses(filled: Kindred, qtbot: QtBot) -> None:
    pane = filled.window.search_pane
    search(filled, qtbot, '"sea walls')
    qtbot.waitUntil(lambda: "no partner" in pane.remark.text())


def test_a_condition_that_no_document_satisfies_is_named_in_place_of_results(filled: Kindred, qtbot: QtBot) -> None:
    filled.window.search.box.setText("sea in:nowhere")
    qtbot.waitUntil(lambda: "No document matches in:nowhere." in filled.window.search_pane.state.text.text())


def test_another_spelling_is_looked_up_too_if_the_first_answer_takes_longer_than_a_pause(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, feature = filled.workspace.engine, filled.window.search
    asked: list[str] = []
    monkeypatch.setattr(
        filled.workspace.search,
        "suggest_spelling",
        lambda query: (asked.append(query), engine.submit("spelling", lambda: "", lane=Lane.FRONT))[1],
    )
    monkeypatch.setattr(feature._remarks._pause, "start", lambda: QTimer.start(feature._remarks._pause, 1))
    answered = threading.Event()
    engine.submit("slow", lambda: answered.wait(PATIENCE_S), lane=Lane.FRONT)
    with qtbot.waitSignal(feature._remarks.settled):
        feature.box.setText("see wals")
    assert not asked
    answered.set()
    qtbot.waitUntil(lambda: asked == ["see wals"])


def test_another_spelling_is_offered_once_typing_pauses(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, pane, box = filled.workspace.search, filled.window.search_pane, filled.window.search.box
    spellings = {"see wals": "sea walls"}
    asked: list[str] = []

    def suggest(query: str) -> Job[str]:
        asked.append(query)
        return service._context.engine.submit("spelling", lambda: spellings.get(query, ""), lane=Lane.FRONT)

    monkeypatch.setattr(service, "suggest_spelling", suggest)
    search(filled, qtbot, "see wals")
    qtbot.waitUntil(lambda: "Did you mean “sea walls”?" in pane.remark.text())
    assert pane.correct.isVisible()
    qtbot.mouseClick(pane.correct, Qt.MouseButton.LeftButton)
    assert box.text() == "sea walls"
    qtbot.waitUntil(lambda: not pane.correct.isVisible() and "Did you mean" not in pane.remark.text())
    qtbot.waitUntil(lambda: asked == ["see wals", "sea walls"])


def test_another_spelling_is_offered_also_where_nothing_was_found(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, pane, box = filled.workspace.search, filled.window.search_pane, filled.window.search.box
    submit = service._context.engine.submit
    monkeypatch.setattr(
        service,
        "suggest_spelling",
        lambda query: submit("spelling", lambda: "sea" if query == "sea in:nowhere" else "", lane=Lane.FRONT),
    )
    box.setText("sea in:nowhere")
    qtbot.waitUntil(lambda: pane.state.isVisible() and pane.correct.isVisible())
    assert pane.remark.text() == "Did you mean “sea”?", "the message in place of hits says the rest"
    qtbot.mouseClick(pane.correct, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: pane.model.rowCount() > 0 and not pane.correct.isVisible())
    box.setText("sea in:nowhere")
    qtbot.waitUntil(lambda: pane.state.isVisible() and pane.correct.isVisible())
    box.setText("")
    qtbot.waitUntil(lambda: not pane.correct.isVisible())
