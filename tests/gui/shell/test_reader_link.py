"""What a click on a document of the library does."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Kindred, search


def test_a_click_on_a_document_that_failed_says_why_and_offers_what_helps(
    kindred: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("Hidden.", "utf-8")
    window = kindred.window
    window.imports.start([str(tmp_path / "secret.txt")])
    qtbot.waitUntil(lambda: not window.imports.is_running and len(kindred.documents) == 1)
    (document,) = window.context.documents.all_documents()
    window.action_table["document.password"].setEnabled(True)  # as if it were selected
    window.library_pane.clicked.emit(document)
    assert window.notice.text == "secret.txt: Password-protected. Select the file, then enter its password."
    assert "Enter Password…" in {button.text() for button in window.notice.findChildren(QPushButton)}


def test_the_hits_of_the_open_document_are_counted_as_the_list_reads_more(
    kindred: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    text = "\n".join(f"They baked bread on day{n}." for n in range(200))
    (tmp_path / "long.txt").write_text(text, "utf-8")
    window = kindred.window
    window.imports.start([str(tmp_path / "long.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)
    search(kindred, qtbot, "they baked bread")
    window.search_pane.step(1)
    qtbot.waitUntil(lambda: window.reader.shown is not None)
    model, reader = window.search_pane.model, window.reader
    read, place = model.rowCount(), reader.text.position()
    assert reader.header.count.text().endswith(f" of {read}")
    model.fetchMore(QModelIndex())
    qtbot.waitUntil(lambda: model.rowCount() > read)
    assert reader.header.count.text().endswith(f" of {model.rowCount()}")
    assert reader.text.position() == place


def test_a_hit_in_a_new_tab_is_not_replaced_by_the_one_selected_just_before(filled: Kindred, qtbot: QtBot) -> None:
    """The reader follows the selection a moment later."""
    window = filled.window
    search(filled, qtbot, "bread")
    qtbot.waitUntil(lambda: len(filled.hits) > 3 and window.reader.shown is not None)
    result, selected = window.search_pane.model.result, window.search_pane.current
    assert result is not None
    assert selected is not None
    other = next(hit for hit in result.hits if hit.document_id != selected.document_id)
    window.search_pane.step(1)
    window.context.navigator.open_hit_in_tab.emit(other)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in window.reader_link.findChildren(QTimer)))
    qtbot.waitUntil(lambda: filled.is_quiet and window.reader.shown is not None)
    assert window.reader.shown is not None
    assert window.reader.shown.document_id == other.document_id
    assert window.reader.current == other
