"""Pasted and dropped files and texts: nothing becomes a document by accident."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.mime_data import mime_text
from desktop_app.gui.imports.drop_and_paste import PASTED_TEXTS_FOLDER, PastedTextDialog
from tests.gui.conftest import Kindred


def pasted(kindred: Kindred, qtbot: QtBot) -> PastedTextDialog | None:
    """Press Ctrl+V in the list of documents; return the dialog that opens."""
    kindred.window.library_pane.view.setFocus()
    qtbot.keySequence(kindred.window.library_pane.view, QKeySequence(QKeySequence.StandardKey.Paste))
    return kindred.window.findChild(PastedTextDialog)


def kept_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "base" / "data" / PASTED_TEXTS_FOLDER).glob("*"))


def test_files_are_imported(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(files))])
    data.setText(str(files))
    QGuiApplication.clipboard().setMimeData(data)
    assert pasted(kindred, qtbot) is None
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)


def test_a_pasted_text_is_saved_after_confirmation(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setText("# On bread\n\nBread is mostly waiting.\n\n- flour\n- water")
    dialog = pasted(kindred, qtbot)
    assert dialog is not None
    assert dialog.markdown.isChecked()
    assert kept_files(tmp_path) == []
    qtbot.mouseClick(dialog.keep, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)
    (file,) = kept_files(tmp_path)
    assert file.name.startswith("On bread 2")
    assert file.suffix == ".md"
    assert file.read_text("utf-8").startswith("# On bread\n\nBread")
    assert kindred.row(PASTED_TEXTS_FOLDER).data() == PASTED_TEXTS_FOLDER


def test_a_declined_text_leaves_nothing(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setText("A sentence. Nothing more.")
    dialog = pasted(kindred, qtbot)
    assert dialog is not None
    assert not dialog.markdown.isChecked()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert (kept_files(tmp_path), kindred.documents) == ([], {})


def test_a_text_can_be_searched_for_instead(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setText("Bread is mostly waiting.")
    dialog = pasted(filled, qtbot)
    assert dialog is not None
    qtbot.mouseClick(dialog.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: filled.hits[:1] == ["Bread is mostly waiting."])
    assert kept_files(tmp_path) == []


def test_an_empty_clipboard_is_reported(kindred: Kindred, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText(" \n")
    assert pasted(kindred, qtbot) is None
    assert "no files or text" in kindred.window.notice.text


def test_a_read_only_folder_is_reported(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "base" / "data").mkdir(parents=True, exist_ok=True)
    (tmp_path / "base" / "data" / PASTED_TEXTS_FOLDER).write_text("")
    QGuiApplication.clipboard().setText("A sentence.")
    dialog = pasted(kindred, qtbot)
    assert dialog is not None
    dialog.keep.click()
    qtbot.waitUntil(lambda: "could not be written" in kindred.window.notice.text)


def dropped(kindred: Kindred, data: QMimeData, *, let_go: bool = True) -> bool:
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
    entering.ignore()
    QApplication.sendEvent(kindred.window, entering)
    if entering.isAccepted() and let_go:
        QApplication.sendEvent(kindred.window, QDropEvent(QPoint(5, 5).toPointF(), copy, data, left, none))
    return entering.isAccepted()


def test_a_dropped_text_is_offered_in_the_same_way(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    data = QMimeData()
    data.setText("Salt marshes break the force of the waves.")
    assert dropped(kindred, data, let_go=False)
    assert kindred.window.drop_and_paste.hint._text == "Drop to save this text"
    assert dropped(kindred, data)
    assert not kindred.window.drop_and_paste.hint.isVisible()
    dialog = kindred.window.findChild(PastedTextDialog)
    assert kept_files(tmp_path) == []
    dialog.keep.click()
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)


def test_a_web_address_is_no_text(kindred: Kindred) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/paper.pdf")])
    data.setText("https://example.org/paper.pdf")
    assert mime_text(data) == ""
    assert not dropped(kindred, data)


def test_a_hit_dragged_over_its_own_window_is_not_accepted(kindred: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QDragEnterEvent, "source", lambda _event: QObject(), raising=False)
    data = QMimeData()
    data.setText("“Bread is mostly waiting.” (sea)")
    assert not dropped(kindred, data)
