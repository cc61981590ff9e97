"""A large import waits for an answer; a small one just goes on."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_app.engine.import_forecast import ImportForecast
from tests.gui.conftest import Kindred

LARGE = ImportForecast(20_000, 5 * 10**9, 7200.0, 3 * 10**9, 100 * 10**9)


def button(kindred: Kindred, name: str) -> QAbstractButton:
    (box,) = [each for each in kindred.window.findChildren(QMessageBox) if each.isVisible()]
    return next(each for each in box.buttons() if each.accessibleName() == name)


def begin(kindred: Kindred, files: Path, qtbot: QtBot) -> QMessageBox:
    kindred.reading.shut()
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: len(kindred.documents) == 2)
    kindred.window.import_forecast_controller.judge(LARGE)
    (box,) = [each for each in kindred.window.findChildren(QMessageBox) if each.isVisible()]
    return box


def test_time_and_room_are_told_and_the_import_waits(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    box = begin(kindred, files, qtbot)
    assert "20,000 documents" in box.text()
    assert "2 hours" in box.text()
    assert "93.13 GiB are free" in box.informativeText()
    assert kindred.window.imports.is_paused
    button(kindred, "Import").click()
    kindred.reading.open()
    qtbot.waitUntil(lambda: kindred.is_quiet and all("sentences" in state for state in kindred.documents.values()))


def test_an_import_that_was_not_meant_leaves_nothing(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    begin(kindred, files, qtbot)
    button(kindred, "Do Not Import").click()
    kindred.reading.open()
    qtbot.waitUntil(lambda: kindred.is_quiet and not kindred.documents)


def test_a_small_import_is_not_asked_about(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    assert not [each for each in kindred.window.findChildren(QMessageBox) if each.isVisible()]
