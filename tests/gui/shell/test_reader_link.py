"""What a click on a document of the library does."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Kindred


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
