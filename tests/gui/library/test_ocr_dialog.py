"""Scanned pages in the window: read from the menu, set in the preferences, shown in the details."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import Message, verbatim
from desktop_app.core.ocr import OcrChoice, OcrEngine
from desktop_app.core.reader_events import PageNote
from desktop_app.core.records import Document
from desktop_app.engine.requests import FailedFile, ImportReport
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.imports.report_dialog import ImportReportDialog
from desktop_app.gui.library.details_dialog import DocumentDetailsDialog
from desktop_app.gui.library.ocr_dialog import OcrDialog, ocr_language_name
from tests.gui.conftest import Kindred, choose, drop

ENGINE = OcrEngine("5.3.0", "tesseract", ("chi_sim", "deu", "eng", "osd"))


def test_the_menu_explains_how_to_install_a_missing_tesseract(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_text("What a paper says.")
    drop(kindred.window, [tmp_path / "paper.pdf"])
    qtbot.waitUntil(lambda: kindred.is_quiet and "paper" in kindred.documents)
    action = kindred.window.action_table["document.recognise"]
    choose(kindred, "paper")
    assert not action.isEnabled(), "every page has text"
    (document,) = kindred.window.documents.all_documents()
    warning = Message("Page 3 has no text (scanned?)", code="pages_without_text")
    kindred.window.documents.update([replace(document, warnings=(warning,))])
    kindred.window.library_pane.view.clearSelection()
    choose(kindred, "paper")
    assert action.isEnabled()
    action.trigger()
    qtbot.waitUntil(lambda: kindred.window.findChild(OcrDialog) is not None)
    dialog = kindred.window.findChild(OcrDialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("apt-get install tesseract-ocr" in text for text in texts)
    assert not dialog.ticks
    dialog.close()


def test_languages_are_ticked_and_shown(qtbot: QtBot) -> None:
    dialog = OcrDialog(ENGINE, "deu+eng", 2)
    qtbot.addWidget(dialog)
    ticked = {code: tick.isChecked() for code, tick in dialog.ticks.items()}
    assert ticked == {"deu": True, "eng": True, "chi_sim": False}
    dialog.ticks["eng"].setChecked(False)
    dialog.ticks["deu"].setChecked(False)
    assert not dialog.read.isEnabled()
    dialog.ticks["deu"].setChecked(True)
    with qtbot.waitSignal(dialog.chosen) as caught:
        qtbot.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    assert caught.args == ["deu"]


@pytest.mark.parametrize(("code", "name"), [("deu", "Deutsch"), ("eng", "English"), ("xyz", "xyz (xyz)")])
def test_languages_have_their_own_names(code: str, name: str) -> None:
    assert ocr_language_name(code) == name


def test_a_choice_in_the_preferences_applies_from_the_next_import(kindred: Kindred) -> None:
    kindred.window.context.change_settings(ocr="always", ocr_languages="deu")
    assert kindred.window.session.workspace.context.ocr == OcrChoice("always", "deu")
    assert kindred.window.session.workspace.context.ocr.requested_languages == "deu"


def test_details_show_what_was_read_by_ocr(qtbot: QtBot) -> None:
    dialog = DocumentDetailsDialog(Document(1, "/d/scan.pdf", "Scan", "pdf", 3, 40, "ready"))
    qtbot.addWidget(dialog)
    dialog.show_notes([PageNote(1, "ocr", "tesseract", 0.9), PageNote(2, "ocr", "tesseract", 0.8),
                       PageNote(3, "text", "pdfium", 1.0)])  # fmt: skip
    assert dialog.values["OCR"].text() == "1–2, word confidence 85%"
    assert "Tesseract (2 pages)" in dialog.values["Read with"].text()


def test_the_report_offers_ocr_for_files_without_text(qtbot: QtBot, themes: ThemeManager) -> None:
    report = ImportReport(failed=[FailedFile("/d/scan.pdf", "no_text", verbatim("No page has text"), 1)])
    dialog = ImportReportDialog(report, themes)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.recognise_button.isVisible()
    with qtbot.waitSignal(dialog.recognise) as caught:
        qtbot.mouseClick(dialog.recognise_button, Qt.MouseButton.LeftButton)
    assert caught.args == [["/d/scan.pdf"]]
    dialog.offer_ocr(False)
    assert not dialog.recognise_button.isVisible()


def test_no_button_clips_its_text(language: str, qtbot: QtBot) -> None:
    dialog = OcrDialog(ENGINE, "deu+eng", 2)
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    for button in dialog.findChildren(QPushButton):
        assert button.width() >= button.fontMetrics().horizontalAdvance(button.text().replace("&", "")) + 28
    bottom = max(tick.mapTo(dialog, tick.rect().bottomLeft()).y() for tick in dialog.ticks.values())
    assert bottom <= min(button.y() for button in dialog.findChildren(QPushButton))
