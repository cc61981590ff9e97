"""Filters with counts, the least score, and folded near copies."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.records import DocumentCollection, DocumentCount
from desktop_app.gui.results.filter_popup import FilterPopup, count_choices
from desktop_app.gui.results.scope import collection_part, days_part, folder_part, language_part, type_part, year_part
from desktop_app.gui.search.threshold import ANY_SCORE, describe_threshold
from tests.gui.conftest import Kindred, search


def popup_of(kindred: Kindred, qtbot: QtBot) -> FilterPopup:
    kindred.window.action_table["search.filters"].trigger()
    popup = next(each for each in kindred.window.findChildren(FilterPopup) if each.isVisible())
    qtbot.waitUntil(lambda: "Counting" not in popup.note.text())
    return popup


def rows(popup: FilterPopup) -> dict[str, str]:
    tops = [popup.tree.topLevelItem(nth) for nth in range(popup.tree.topLevelItemCount())]
    items = [top.child(nth) for top in tops for nth in range(top.childCount())]
    return {item.text(0): item.text(1) for item in items}


def tick(popup: FilterPopup, name: str) -> None:
    (item,) = popup.tree.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive, 0)
    item.setCheckState(0, Qt.CheckState.Unchecked if item.checkState(0) == Qt.CheckState.Checked else
                       Qt.CheckState.Checked)  # fmt: skip


class TestFilters:
    def test_each_filter_shows_its_number_of_hits_and_filters_combine(self, shared: Kindred, qtbot: QtBot) -> None:
        window = shared.window
        search(shared, qtbot, "sea")
        popup = popup_of(shared, qtbot)
        counts = rows(popup)
        assert (counts["Text"], counts["Markdown"], counts["papers"], counts["sea"]) == ("5", "2", "7", "5")
        assert counts["in the last 7 days"] == "7"
        tick(popup, "Markdown")
        qtbot.waitUntil(lambda: len(shared.hits) == 2)
        tick(popup, "papers")
        tick(popup, "in the last 30 days")
        qtbot.waitUntil(lambda: not window.search.controller.is_waiting)
        assert {part.kind for part in window.search_pane.scope.parts} == {"type", "folder", "date"}
        assert len(shared.hits) == 2
        popup.close()
        qtbot.waitUntil(lambda: any("2" in chip.text() for chip in window.search_pane.scope_bar.chips))
        popup = popup_of(shared, qtbot)
        assert rows(popup)["Text"] == "5", "what a filter leaves out can still be chosen"
        popup.clear_button.click()
        qtbot.waitUntil(lambda: len(shared.hits) == 7)
        assert window.search_pane.scope.parts == ()

    def test_a_sentence_in_several_documents_is_one_hit_and_folders_include_those_below(self) -> None:
        papers = os.path.abspath(os.path.join(os.sep, "papers"))
        found = [
            DocumentCount(at, os.path.join(papers, name), name, "pdf", 0.0, len(ids), "en", ids)
            for at, (name, ids) in enumerate(
                [("a.pdf", (1, 2)), ("b.pdf", (2,)), (os.path.join("new", "c.pdf"), (2, 3))]
            )
        ]
        elsewhere = os.path.join(papers, "copies")
        found.append(
            replace(found[0], document_id=4, path=papers + "d.pdf", copies=(os.path.join(elsewhere, "d.pdf"),))
        )
        counts = count_choices(found, [DocumentCollection(1, "thesis", frozenset({0, 1, 7}))])
        assert counts[type_part("pdf")] == counts[language_part("en")] == 3
        assert counts[folder_part(papers)] == 3
        assert counts[folder_part(os.path.join(papers, "new"))] == 2
        assert counts[folder_part(elsewhere)] == 2
        assert counts[collection_part("thesis")] == 2

    def test_languages_can_be_chosen(self, filled: Kindred, files: Path, qtbot: QtBot) -> None:
        (files / "deutsch").mkdir()
        (files / "deutsch" / "meer.txt").write_text("Das sea steigt.\nDie Küste sinkt.", "utf-8")
        filled.window.imports.start([str(files / "deutsch")])
        qtbot.waitUntil(lambda: filled.is_quiet and len(filled.documents) == 3)
        popup = popup_of(filled, qtbot)
        assert {"English", "German"} < set(rows(popup)), "also without a query"
        popup.close()
        search(filled, qtbot, "sea")
        popup = popup_of(filled, qtbot)
        assert (rows(popup)["English"], rows(popup)["German"]) == ("7", "2")
        tick(popup, "German")
        qtbot.waitUntil(lambda: sorted(filled.hits) == ["Das sea steigt.", "Die Küste sinkt."])
        popup.close()
        (chip,) = filled.window.search_pane.scope_bar.chips
        assert "German" in chip.text()
        assert "German" in chip.accessibleName()
        search(filled, qtbot, "sea lang:en")
        qtbot.waitUntil(lambda: filled.hits == [])
        (operator,) = filled.window.search_pane.query_bar.chips
        assert "in English" in operator.accessibleName()

    def test_only_one_date_filter_is_active(self, shared: Kindred) -> None:
        scope = shared.window.search_pane.scope
        scope.toggle(year_part(2001))
        scope.toggle(days_part(30))
        assert scope.parts == (days_part(30),)
        assert scope.scope.before is None
        scope.toggle(year_part(2001))
        after, before = scope.scope.after, scope.scope.before
        assert 365 * 86400 <= before - after <= 366 * 86400
        scope.toggle(year_part(2001))
        assert scope.scope.is_everything

    def test_a_filter_that_excludes_everything_says_so(self, shared: Kindred, qtbot: QtBot) -> None:
        search(shared, qtbot, "sea")
        shared.window.search_pane.scope.set_parts([type_part("pdf"), folder_part("/nowhere")])
        qtbot.waitUntil(lambda: shared.kind == "nothing_here")
        shared.window.action_table["search.everywhere"].trigger()
        qtbot.waitUntil(lambda: len(shared.hits) == 7)

    def test_without_a_query_filters_cover_the_whole_library(self, shared: Kindred, qtbot: QtBot) -> None:
        popup = popup_of(shared, qtbot)
        assert {"Text", "Markdown", "papers"} <= set(rows(popup))
        qtbot.keyClick(popup, Qt.Key.Key_Escape)
        assert QApplication.activePopupWidget() is None


class TestLeastScore:
    def test_hits_below_the_least_score_are_not_shown(self, shared: Kindred, qtbot: QtBot) -> None:
        window = shared.window
        search(shared, qtbot, "the sea rises because")
        threshold = window.search_pane.threshold
        assert len(shared.hits) == 7
        threshold.slider.setValue(40)
        qtbot.waitUntil(lambda: len(shared.hits) < 7)
        assert all(hit.score >= 0.4 for hit in window.search_pane.model.result.hits)
        assert threshold.text.text().startswith("0.40 or higher")
        threshold.slider.setValue(95)
        qtbot.waitUntil(lambda: shared.kind == "nothing_near")
        assert threshold.isVisible(), "it can be undone"
        window.action_table["search.any_score"].trigger()
        qtbot.waitUntil(lambda: len(shared.hits) == 7)
        assert window.search.controller.min_score == ANY_SCORE

    def test_the_least_score_does_not_apply_to_a_search_by_words(self, shared: Kindred, qtbot: QtBot) -> None:
        search(shared, qtbot, "sea")
        shared.window.search_pane.threshold.set_min_score(0.95)
        shared.window.action_table["search.mode.words"].trigger()
        qtbot.waitUntil(lambda: len(shared.hits) == 2)
        assert not shared.window.search_pane.threshold.isVisible(), "a search by words has no such score"

    @pytest.mark.parametrize(
        ("score", "model", "chance", "text"),
        [
            (-1.0, "all-MiniLM-L6-v2", 0.2, "any"),
            (0.1, "all-MiniLM-L6-v2", 0.2, "0.10 or higher · weak"),
            (0.3, "all-MiniLM-L6-v2", 0.2, "0.30 or higher · loosely related"),
            (0.5, "all-MiniLM-L6-v2", 0.2, "0.50 or higher · related"),
            (0.9, "all-MiniLM-L6-v2", 0.2, "0.90 or higher · means the same"),
            (0.9, "other", None, "0.90 or higher"),
        ],
    )
    def test_the_least_score_is_shown_as_number_and_words(
        self, score: float, model: str, chance: float | None, text: str
    ) -> None:
        assert describe_threshold(score, model, chance) == text


def test_near_copies_fold_and_unfold(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    for name, of in (("one", "of"), ("two", "for")):
        text = f"The committee met on Monday to discuss the budget {of} the town.\nOnly in {name}."
        (tmp_path / f"{name}.txt").write_text(text)
    window = kindred.window
    window.imports.start([str(tmp_path / "one.txt"), str(tmp_path / "two.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    search(kindred, qtbot, "the committee met to discuss the budget of the town")
    assert len(kindred.hits) == 3
    assert window.search_pane.model.result.hits[0].also_in == 1
    window.action_table["search.collapse"].setChecked(False)
    qtbot.waitUntil(lambda: len(kindred.hits) == 4)
    assert window.search_pane.model.result.hits[0].also_in == 0
