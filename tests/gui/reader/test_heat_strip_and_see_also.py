"""Aids next to the document: the heat strip of hits, and the "see also" panel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.reader.heat_strip import HeatStrip
from desktop_app.gui.reader.menus import ReaderMenus
from desktop_app.gui.reader.model import HeatStripMark, ShownDocument
from desktop_app.gui.reader.see_also import SeeAlsoPanel
from tests.gui.conftest import Kindred, search


def test_a_click_on_the_heat_strip_goes_to_the_nearest_mark(qtbot: QtBot, themes: ThemeManager) -> None:
    strip = HeatStrip(themes)
    qtbot.addWidget(strip)
    strip.resize(10, 400)
    strip.show_marks(
        [HeatStripMark(0.0, 1.0, "First."), HeatStripMark(0.5, 0.2, "Middle.", True), HeatStripMark(1.0, 0.5, "Last.")]
    )
    assert not strip.isHidden()
    gone_to: list[int] = []
    strip.chosen.connect(gone_to.append)
    for at in (2, 199, 397, 300):
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(5, at))
    assert gone_to == [0, 1, 2], "there is no target between marks"
    assert strip.grab().toImage().pixelColor(5, 200) == themes.theme.color("accent")
    strip.show_marks([HeatStripMark(0.3, 1.0, "Alone.")])
    assert strip.isHidden()


def test_the_heat_strip_shows_the_hits_of_a_document(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    lines = [f"Line {n} speaks of bread and other things." for n in range(120)]
    for at in (10, 60, 110):
        lines[at] = f"Rivers carry silt down to the sea, line {at}."
    (tmp_path / "long.txt").write_text("\n".join(lines))
    window = kindred.window
    window.imports.start([str(tmp_path / "long.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)
    search(kindred, qtbot, "rivers carry silt down to the sea")
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    strip = window.reader.heat_strip
    qtbot.waitUntil(lambda: len(strip.marks) == 3)
    shares = [mark.share for mark in strip.marks]
    assert shares == sorted(shares)
    assert abs(shares[1] - 0.5) < 0.08
    assert [mark.is_current for mark in strip.marks].count(True) == 1
    strip.chosen.emit(2)
    qtbot.waitUntil(lambda: window.reader.current.text.endswith("line 110."))
    assert strip.marks[2].is_current


class TestSeeAlso:
    def reading(self, filled: Kindred, qtbot: QtBot) -> None:
        window = filled.window
        search(filled, qtbot, "salt marshes waves")
        qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: window.reader.mode == "text")

    def test_see_also_shows_sentences_similar_to_the_current_one(self, filled: Kindred, qtbot: QtBot) -> None:
        window = filled.window
        self.reading(filled, qtbot)
        window.action_table["reader.see_also"].trigger()
        panel = window.see_also.panel
        assert panel is not None
        qtbot.waitUntil(lambda: panel.near.model.rowCount() > 0)
        texts = [panel.near.model.index(row).data() for row in range(panel.near.model.rowCount())]
        assert "Salt marshes break the force of the waves." not in texts
        text = window.reader.text
        place = text.toPlainText().index("The sea rises") + 3
        cursor = QTextCursor(text.document())
        cursor.setPosition(place)
        text.setTextCursor(cursor)
        assert window.reader.text_under_cursor == "The sea rises because warm water takes more room."
        qtbot.waitUntil(lambda: panel.near.model.result is not None
                        and panel.near.model.result.query == window.reader.text_under_cursor)  # fmt: skip
        panel.near.chosen.emit(panel.near.model.hit(panel.near.model.index(0)))
        qtbot.waitUntil(lambda: window.reader.current is not None)
        window.action_table["reader.see_also"].trigger()
        assert not panel.isVisible()

    def test_see_also_sends_no_request_while_hidden(self, filled: Kindred, qtbot: QtBot) -> None:
        self.reading(filled, qtbot)
        assert filled.window.see_also.panel is None
        asked = len(filled.querying.passed)
        text = filled.window.reader.text
        qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=QPointF(60, 30).toPoint())
        assert len(filled.querying.passed) == asked


def test_similar_sentences_are_asked_for_again_after_the_panel_was_hidden(filled: Kindred, qtbot: QtBot) -> None:
    panel = SeeAlsoPanel(filled.window.session, filled.window.context.themes)
    qtbot.addWidget(panel)
    panel.show_for("The sea rises")
    panel.stop()
    panel.show_for("The sea rises")
    qtbot.waitUntil(lambda: panel.question.state == "answered")


def test_a_mark_of_the_strip_leads_to_its_hit_also_while_words_are_found(
    kindred: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    lines = [f"Line {n} speaks of bread and other things." for n in range(120)]
    for at in (10, 60, 110):
        lines[at] = f"Rivers carry silt down to the sea, line {at}."
    (tmp_path / "long.txt").write_text("\n".join(lines))
    window = kindred.window
    window.imports.start([str(tmp_path / "long.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)
    search(kindred, qtbot, "rivers carry silt down to the sea")
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    reader = window.reader
    qtbot.waitUntil(lambda: len(reader.heat_strip.marks) == 3)
    reader.find_bar.start()
    reader.find_bar.field.setText("bread")
    qtbot.waitUntil(lambda: reader.find_bar.is_active)
    match = reader.find_bar._current
    reader.heat_strip.chosen.emit(2)
    assert reader.current.text.endswith("line 110.")
    assert reader.find_bar._current == match


def test_a_quote_of_the_reader_has_the_marks_of_the_language(language: str, qtbot: QtBot) -> None:
    shown = ShownDocument(1, "/d/sea.txt", "Sea", "text")
    owner = QWidget()
    qtbot.addWidget(owner)
    menus = ReaderMenus(owner, lambda: shown, lambda: "It rises.", lambda: "p. 4")
    menus.copy_cited()
    quoted = {"en": "“It rises.”", "de": "„It rises.“"}[language]
    assert QGuiApplication.clipboard().text() == f"{quoted} (Sea, p. 4)"


def test_a_sentence_in_a_language_that_the_model_does_not_know_has_no_similar_ones(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = SeeAlsoPanel(filled.window.session, filled.window.context.themes)
    qtbot.addWidget(panel)
    panel.show_for("The sea rises")
    qtbot.waitUntil(lambda: panel.question.state == "answered")
    unknown = replace(panel.question.answer, hits=(), found=(), is_query_known=False, foreign_language="de")
    monkeypatch.setattr(panel.question, "answer", unknown)
    panel.question.changed.emit()
    assert panel.near.message.text() == "This model isn't trained for German."
