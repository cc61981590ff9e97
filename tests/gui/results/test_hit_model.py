"""Ranked documents, each with its best sentences."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop_app.gui.results.hit_model import DOCUMENT_ROLE, NAME_ROLE
from tests.gui.conftest import Kindred, search


@pytest.fixture
def ranked(shared: Kindred, qtbot: QtBot) -> Kindred:
    """A window that ranks documents, after a search."""
    shared.window.search_pane.query_bar.by_document.click()
    search(shared, qtbot, "sea walls")
    return shared


def heads(kindred: Kindred) -> dict[int, str]:
    """Return the names of documents by the row where they begin."""
    model = kindred.window.search_pane.model
    found = {row: model.index(row).data(DOCUMENT_ROLE) for row in range(model.rowCount())}
    return {row: Path(head.path).name for row, head in found.items() if head is not None}


def test_hits_are_listed_below_their_documents_best_first(ranked: Kindred) -> None:
    assert heads(ranked) == {0: "tags.md", 2: "sea.txt"}
    assert ranked.hits[0] == "Sea walls cost money."
    assert len(ranked.hits) == 2 + 3, "three of the five sentences of the other document"
    assert ranked.window.search_pane.info.text() == "2 documents, best match first"
    assert [hit.matched_by for hit in ranked.window.search_pane.model._hits[:2]] == [("meaning", "words"), ("meaning",)]
    text = ranked.window.search_pane.model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("document 2, ")
    assert not ranked.window.search_pane.model.index(1).data(Qt.ItemDataRole.AccessibleTextRole).startswith("document")


def test_a_document_name_is_painted_above_its_first_hit(ranked: Kindred, qtbot: QtBot) -> None:
    view = ranked.window.search_pane.view
    qtbot.waitUntil(lambda: view.visualRect(view.model().index(0)).height() > 0)
    first, second = (view.visualRect(view.model().index(row)) for row in (2, 3))
    above = view.itemDelegate()._head_height()
    assert first.height() > above
    picture: QImage = view.viewport().grab(first.adjusted(0, 0, 0, above - first.height())).toImage()
    tones = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
    assert len(tones) > 5, "letters"
    assert second.top() == first.bottom() + 1


def test_keys_move_between_hits_and_open_them_in_their_document(ranked: Kindred, qtbot: QtBot) -> None:
    window = ranked.window
    for _ in range(2):
        qtbot.keyClick(window.search.box, Qt.Key.Key_Down)
    assert window.search_pane.view.currentIndex().row() == 2
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    assert window.reader.current is not None
    assert window.reader.current.path.endswith("sea.txt")


def test_sentences_are_ranked_again_when_ranking_documents_is_turned_off(ranked: Kindred, qtbot: QtBot) -> None:
    ranked.window.action_table["search.by_document"].trigger()
    qtbot.waitUntil(lambda: len(ranked.hits) == 7)
    assert heads(ranked) == {}
    assert not ranked.window.search_pane.query_bar.by_document.isChecked()


@pytest.mark.parametrize("mode", ["meaning", "words"])
def test_each_way_of_searching_ranks_documents(ranked: Kindred, qtbot: QtBot, mode: str) -> None:
    ranked.window.action_table["search.concordance"].setChecked(True)  # is for sentences; names would be lost in it
    ranked.window.action_table[f"search.mode.{mode}"].trigger()
    qtbot.waitUntil(lambda: ranked.window.search.controller.is_answered)
    assert heads(ranked)[0] == "tags.md"


def test_documents_of_one_name_are_told_apart_as_soon_as_both_are_listed(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "sea walls")
    model = shared.window.search_pane.model
    assert model.result is not None
    years = zip(model.result.hits, ("2022", "2023"), strict=False)
    hits = [replace(hit, title="Report", path=f"/{year}/report.txt") for hit, year in years]
    model.show(replace(model.result, hits=tuple(hits[:1])))
    assert model.index(0).data(NAME_ROLE) == "Report"
    with qtbot.waitSignal(model.dataChanged):
        model.add(model.result, hits[1:])
    assert [model.index(row).data(NAME_ROLE) for row in (0, 1)] == ["Report (2022)", "Report (2023)"]
    assert "Report (2023)" in model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)


def test_an_export_contains_what_is_shown(ranked: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "hits.jsonl"
    ranked.window.search.hits.export(str(file))
    qtbot.waitUntil(lambda: "Exported" in ranked.window.notice.text)
    assert [json.loads(line)["text"] for line in file.read_text("utf-8").splitlines()] == ranked.hits
