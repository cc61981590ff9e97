"""Reranking: the first hits are shown as found, then in the order of a cross-encoder."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import ModelMissing
from desktop_app.gui.preferences.dialog import PreferencesDialog
from tests.gui.conftest import Kindred, search
from tests.gui.fakes import Gate


class Judge:
    """Prefers short sentences for any query, as soon as its gate is open."""

    name = "judge"

    def __init__(self) -> None:
        self.gate = Gate()
        self.queries: list[str] = []

    def score_batches(
        self, pairs: list[tuple[str, str]]
    ) -> Generator[tuple[list[int], NDArray[np.float64]], None, None]:
        self.queries.append(pairs[0][0])
        self.gate.pass_through()
        yield list(range(len(pairs))), np.array([1 / len(text) for _, text in pairs])


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def judged(make: Callable[..., Kindred], judge: Judge, files: Path, qtbot: QtBot) -> Generator[Kindred, None, None]:
    """A window with two documents and a reranking model."""

    def load(name: str) -> Judge:
        if name != "judge":
            raise ModelMissing(f"there is no model {name!r}", "Add it.")
        return judge

    made = make(load_scorer=load)
    qtbot.waitUntil(lambda: made.window.session.phase == "ready" and made.kind == "no_documents")
    made.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: made.is_quiet and len(made.documents) == 2)
    qtbot.waitUntil(lambda: all("sentences" in state for state in made.documents.values()))
    yield made
    judge.gate.open()


def info(kindred: Kindred) -> str:
    return kindred.window.search_pane.info.text()


def test_hits_are_shown_as_found_and_then_reranked(judged: Kindred, judge: Judge, qtbot: QtBot) -> None:
    window = judged.window
    window.context.change_settings(reranker="judge")
    search(judged, qtbot, "sea walls")
    plain = judged.hits
    by_length = sorted(plain, key=len)
    assert plain != by_length
    judge.gate.shut()
    window.search_pane.query_bar.rerank.click()
    qtbot.waitUntil(lambda: info(judged).startswith("Re-ranking the top results…"))
    assert judged.hits == plain
    judge.gate.open()
    qtbot.waitUntil(lambda: "re-ranked by judge" in info(judged))
    assert judged.hits == by_length
    assert window.search_pane.current.text == by_length[0]  # the selection had not moved
    scores = {hit.text: hit.score for hit in window.search_pane.model._hits}
    assert scores[plain[0]] == max(scores.values())  # the cosine does not change
    # A selection further down is kept while more hits arrive and are reranked.
    window.search_pane.step(2)
    chosen = window.search_pane.current.text
    window.search.controller.repeat_search()
    qtbot.waitUntil(lambda: not window.search.controller.is_waiting and not window.search.controller.is_ordering)
    assert judge.queries == ["sea walls"]  # scored hits are not scored again
    assert (window.search_pane.current.text, judged.hits) == (chosen, by_length)
    window.action_table["search.rerank"].trigger()
    qtbot.waitUntil(lambda: judged.hits == plain)
    assert "rank" not in info(judged)


def test_a_new_query_does_not_wait_for_the_last_reranking(judged: Kindred, judge: Judge, qtbot: QtBot) -> None:
    judged.window.context.change_settings(reranker="judge")
    judged.window.action_table["search.rerank"].setChecked(True)
    judge.gate.shut()
    search(judged, qtbot, "sea walls")
    qtbot.waitUntil(lambda: judge.queries == ["sea walls"])
    search(judged, qtbot, "bread")  # returns although the model is busy
    assert judged.hits[0].startswith("Bread")
    judge.gate.open()
    qtbot.waitUntil(lambda: "re-ranked by" in info(judged))
    assert judge.queries == ["sea walls", "bread"]
    assert judged.hits == sorted(judged.hits, key=len)


def test_an_import_does_not_end_the_reranking(judged: Kindred, judge: Judge, qtbot: QtBot) -> None:
    controller = judged.window.search.controller
    judged.window.context.change_settings(reranker="judge")
    judged.window.action_table["search.rerank"].setChecked(True)
    judge.gate.shut()
    search(judged, qtbot, "sea walls")
    qtbot.waitUntil(lambda: judge.queries == ["sea walls"])
    answers: list[bool] = []
    controller.answered.connect(lambda again: answers.append(bool(again)))
    controller._refresh()  # as after each change of the library
    assert controller.is_ordering
    assert not controller.is_waiting
    judge.gate.open()
    qtbot.waitUntil(lambda: answers == [True, True])  # the reranked hits, and those of the search that is repeated then
    assert "re-ranked by judge" in info(judged)


def test_a_missing_model_is_reported_and_the_hits_stay(judged: Kindred, qtbot: QtBot) -> None:
    window = judged.window
    search(judged, qtbot, "sea walls")
    plain = judged.hits
    window.context.change_settings(reranker="gone")
    window.search_pane.query_bar.rerank.click()
    qtbot.waitUntil(lambda: "no model 'gone'" in window.notice.text)
    assert not window.search_pane.query_bar.rerank.isChecked()
    qtbot.waitUntil(lambda: not window.search.controller.is_waiting)
    assert judged.hits == plain


def test_without_a_model_the_preferences_are_shown(judged: Kindred, qtbot: QtBot) -> None:
    button = judged.window.search_pane.query_bar.rerank
    button.click()
    assert not button.isChecked()
    (dialog,) = judged.window.findChildren(PreferencesDialog)
    assert dialog.pages.currentItem().data(Qt.ItemDataRole.UserRole) == "models"
    dialog.close()


def test_the_next_window_reranks_like_the_last_one(judged: Kindred, make: Callable[..., Kindred]) -> None:
    judged.window.context.change_settings(reranker="judge")
    judged.window.action_table["search.rerank"].setChecked(True)
    judged.window.save_state()
    # Without a model it cannot be turned on.
    assert not make(show=False).window.action_table["search.rerank"].isChecked()
