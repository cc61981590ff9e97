"""Help: all licences, and a report without any text of documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.core import licences
from desktop_app.gui.help import shortcuts_dialog
from desktop_app.gui.help.about_dialog import LicencesDialog
from desktop_app.gui.help.problem_report import ProblemReportDialog, make_problem_report
from desktop_app.gui.help.shortcuts_dialog import ShortcutsDialog
from desktop_app.gui.shell import window_language
from tests.gui.conftest import Kindred


def test_every_component_has_a_licence(shared: Kindred) -> None:
    shared.window.action_table["app.licences"].trigger()
    (dialog,) = shared.window.findChildren(LicencesDialog)
    rows = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    for name in ("Inter", "Lucide", "torch", "PySide6", "numpy", "SQLAlchemy"):
        assert any(name in row for row in rows), name
    for row in range(dialog.list.count()):
        dialog.list.setCurrentRow(row)
        assert dialog.text.toPlainText()
    dialog.close()


def test_licences_that_a_component_only_names_are_shown_in_full() -> None:
    named = ("PySide6_Essentials", "shiboken6", "pypdfium2", "tokenizers")
    texts = {part.name: licences.licence_text(part) for part in licences.list_packages() if part.name in named}
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts["PySide6_Essentials"]
    assert "GNU GENERAL PUBLIC LICENSE" in texts["shiboken6"], "the file that the former one depends on"
    assert "pdfium" in texts["pypdfium2"].lower(), "those of the parts of a component"
    assert "Apache License" in texts["tokenizers"]


def test_a_bundle_lists_its_other_components(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "licences").mkdir()
    listed = [{"name": "libexample", "version": "1.2", "licence": "MIT", "text": "Do what you like."}]
    (tmp_path / "licences" / "bundle.json").write_text(json.dumps(listed), "utf-8")
    monkeypatch.setattr(licences, "resources_folder", lambda: tmp_path)
    (part,) = [each for each in licences.list_packages() if each.name == "libexample"]
    assert (part.version, part.licence, licences.licence_text(part)) == ("1.2", "MIT", "Do what you like.")


def test_the_listed_components_are_the_required_ones() -> None:
    packages = licences.list_packages()
    names = {part.name for part in packages}
    assert {"torch", "pypdfium2", "tokenizers"} <= names
    assert {"kindred", "pytest", "sentence-transformers"}.isdisjoint(names)
    assert all(part.version for part in packages)


def test_a_problem_report_contains_nothing_of_documents(shared: Kindred, tmp_path: Path) -> None:
    file = tmp_path / "kindred.log"
    file.write_text(
        "2026-11-21 09:00:00,000 ERROR engine desktop_app.engine: job import failed on /home/lovelace/Love.pdf\n"
        "Traceback (most recent call last):\n"
        '  File "/home/lovelace/kindred/desktop_app/engine/engine.py", line 12, in _step\n'
        "    step = next(job.steps)\n"
        "ValueError: My dearest, the sea rises\n",
        "utf-8",
    )
    report = make_problem_report(shared.window.session.status, file)
    assert "job" not in report
    for secret in ("Love", "lovelace", "dearest", "sea.txt"):
        assert secret not in report
    assert "engine.py:12 in _step" in report
    assert "ValueError" in report
    assert "searchable sentences" in report
    assert "torch" in report


def test_the_problem_report_can_be_copied(shared: Kindred, qtbot: QtBot) -> None:
    shared.window.action_table["app.problem"].trigger()
    (dialog,) = shared.window.findChildren(ProblemReportDialog)
    next(each for each in dialog.findChildren(QPushButton) if "Copy" in each.text()).click()
    assert QGuiApplication.clipboard().text() == dialog.report.toPlainText()
    assert "Kindred" in dialog.report.toPlainText()
    dialog.close()


@pytest.mark.parametrize("room_px", [660, 1400])
def test_the_shortcuts_fit_the_screen(shared: Kindred, monkeypatch: pytest.MonkeyPatch, room_px: int) -> None:
    monkeypatch.setattr(shortcuts_dialog, "_available_width_px", lambda _dialog: room_px)
    shared.window.action_table["app.shortcuts"].trigger()
    (dialog,) = shared.window.findChildren(ShortcutsDialog)
    assert dialog.area.widget().sizeHint().width() <= room_px
    assert (dialog.area.widget().layout().count() == 2) is (room_px > 1000), "two columns where there is room"
    dialog.close()


def test_the_shortcuts_are_not_cut_off_in_any_language(shared: Kindred, qapp: QApplication) -> None:
    for language in ("en", "de"):
        window_language.install_language(qapp, language)
        try:
            shared.window.action_table["app.shortcuts"].trigger()
            (dialog,) = shared.window.findChildren(ShortcutsDialog)
            assert dialog.area.widget().minimumSizeHint().width() <= dialog.area.viewport().width(), language
            dialog.close()
            qapp.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)
        finally:
            window_language.install_language(qapp, "en")
