"""The strength of a result: a word and a bar on its card; the number on request and in the tip."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_app.analysis.duplicates import classify_pair
from desktop_app.core.duplicates import CLOSE, RELATED
from desktop_app.engine.requests import SearchResult
from desktop_app.gui.results.hit_delegate import explain_score
from desktop_app.gui.results.hit_model import HIT_ROLE
from desktop_app.gui.results.strength import Strength, rate_score, rate_source
from desktop_app.gui.search.pane import SearchPane
from tests.gui.conftest import Kindred, search


@pytest.mark.parametrize(
    ("score", "chance", "strength"),
    [
        (0.87, 0.32, Strength.STRONG),
        (0.62, 0.32, Strength.STRONG),
        (0.45, 0.32, Strength.RELATED),
        (0.31, 0.32, Strength.WEAK),
        (0.85, 0.83, Strength.RELATED),  # a model whose random pairs are all alike
        (0.20, None, Strength.WEAK),
        (0.70, None, Strength.STRONG),
    ],
)
def test_strength_is_measured_from_chance(score: float, chance: float | None, strength: Strength) -> None:
    assert rate_score(score, chance) == strength


def test_the_bundled_model_calls_strong_what_people_judged_as_equivalent() -> None:
    assert rate_score(0.61, 0.33) == Strength.STRONG
    assert rate_score(0.60, 0.33) == Strength.RELATED


def test_a_card_of_a_search_by_words_shows_its_rank_and_bm25_only_in_the_tip(shared: Kindred, qtbot: QtBot) -> None:
    shared.window.action_table["search.mode.words"].trigger()
    search(shared, qtbot, "the")
    pane, exact = shared.window.search_pane, shared.window.action_table["search.exact_scores"]
    qtbot.waitUntil(lambda: pane.model.result is not None and pane.model.result.mode == "words")
    painted: list[str] = []

    class Recorder(QPainter):
        def drawText(self, *given: object) -> None:
            painted.append(str(given[-1]))

    image = QImage(pane.view.size(), QImage.Format.Format_RGB32)
    hit = replace(pane.model.index(0).data(HIT_ROLE), score=7.31, rank=4)
    for is_exact, shown in ((False, "4"), (True, "7.31")):
        exact.setChecked(is_exact)
        painter = Recorder(image)
        pane._cards._paint_score(painter, QPointF(0, 20), hit, shared.window.context.themes.theme)
        painter.end()
        assert painted.pop() == shown
    exact.setChecked(False)
    assert "7.31" in explain_score(hit, "words")
    spoken = pane.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "score" not in spoken


def test_a_card_shows_numbers_only_on_request(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    pane, exact = shared.window.search_pane, shared.window.action_table["search.exact_scores"]
    assert not exact.isChecked()
    words = pane.view.grab().toImage()
    exact.trigger()
    assert pane.view.grab().toImage() != words
    assert pane._cards.shows_numbers
    exact.trigger()
    assert pane.view.grab().toImage() == words
    index = pane.model.index(0)
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert any(f", {word}, " in spoken for word in ("strong", "related", "weak"))


def test_the_number_and_the_percentile_are_in_the_tip_and_not_on_the_card(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    pane = shared.window.search_pane
    hit = replace(pane.model.index(0).data(HIT_ROLE), percentile=99.8)
    assert "99.8" in explain_score(hit)
    assert "99.8" not in pane._cards._about(hit, "sea", 900)


def test_where_nothing_is_better_than_chance_a_banner_says_so_first(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    pane = shared.window.search_pane
    pane.show_info("Top 7 results", "No good matches. This model isn't trained for German.")
    banner = pane.remark
    assert banner.isVisible()
    assert banner.mapTo(pane, banner.rect().topLeft()).y() < pane.view.mapTo(pane, pane.view.rect().topLeft()).y()
    assert banner.fontInfo().pointSizeF() >= pane.font().pointSizeF(), "no small print"
    for width in (1300, 2400):
        shared.window.resize(width, 800)
        # The list is laid out again a moment after the window has its new size.
        qtbot.waitUntil(lambda: _is_as_wide_as_cards(banner, pane))
    pane.show_info("Top 7 results", "")
    assert not banner.isVisible()


def _is_as_wide_as_cards(banner: QWidget, pane: SearchPane) -> bool:
    card = pane._cards._card_rect(pane.view.visualRect(pane.model.index(0)))
    left = pane.view.viewport().mapTo(pane, card.topLeft().toPoint()).x()
    return abs(banner.mapTo(pane, QPoint()).x() - left) <= 2 and abs(banner.width() - card.width()) <= 3


def test_re_ranking_is_offered_only_with_a_cross_encoder(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    action, button = window.action_table["search.rerank"], window.search_pane.query_bar.rerank
    search(shared, qtbot, "bread")
    assert isinstance(window.search_pane.model.result, SearchResult)
    assert not action.isVisible()
    assert not button.isVisible()
    window.context.change_settings(reranker="judge")
    assert action.isVisible()
    assert button.isVisible()


@pytest.mark.parametrize("score", [0.0, RELATED - 0.01, RELATED, 0.67, CLOSE - 0.01, CLOSE, 1.0])
def test_a_source_of_a_draft_is_as_strong_as_the_draft_says(score: float) -> None:
    words = {"paraphrase": Strength.STRONG, "related": Strength.RELATED, "unrelated": Strength.WEAK}
    kind = classify_pair("The ice melts faster every year.", "Year after year glaciers vanish.", score)
    assert rate_source(score, 0.3) == words[kind]
