"""A large import waits for an answer; a small one starts at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_app.engine.file_walk import FileListing
from desktop_app.engine.import_forecast import ImportForecast
from tests.gui.conftest import Kindred

LARGE = (20_000, 5 * 10**9, 7200.0, 3 * 10**9, 100 * 10**9)


def button(kindred: Kindred, name: str) -> QAbstractButton:
    (box,) = visible_boxes(kindred)
    return next(each for each in box.buttons() if each.accessibleName() == name)


def visible_boxes(kindred: Kindred) -> list[QMessageBox]:
    return [each for each in kindred.window.findChildren(QMessageBox) if each.isVisible()]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every forecast is that of a large import."""
    make = ImportForecast.__init__

    def make_large(self: ImportForecast, *, listing: FileListing, **_: object) -> None:
        make(self, *LARGE, listing=listing)

    monkeypatch.setattr(ImportForecast, "__init__", make_large)


def begin(kindred: Kindred, files: Path, qtbot: QtBot) -> QMessageBox:
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: bool(visible_boxes(kindred)))
    (box,) = visible_boxes(kindred)
    return box


@pytest.mark.usefixtures("large")
def test_time_and_space_are_shown_before_a_large_import_starts(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    box = begin(kindred, files, qtbot)
    assert "20,000 documents" in box.text()
    assert "2 hours" in box.text()
    assert "100.00 GB free" in box.informativeText()
    assert kindred.window.imports.is_running
    assert kindred.documents == {}, "nothing has started"
    button(kindred, "Import").click()
    qtbot.waitUntil(lambda: kindred.is_quiet and all("sentences" in state for state in kindred.documents.values()))


@pytest.mark.usefixtures("large")
def test_a_declined_import_leaves_nothing(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    begin(kindred, files, qtbot)
    button(kindred, "Cancel").click()
    qtbot.waitUntil(lambda: kindred.is_quiet and not kindred.documents)
    assert not kindred.window.imports.is_running


@pytest.mark.usefixtures("large")
def test_an_answer_after_the_import_was_stopped_starts_nothing(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    begin(kindred, files, qtbot)
    kindred.window.imports.cancel()
    assert not kindred.window.imports.is_running
    button(kindred, "Import").click()
    kindred.bridge.call(kindred.workspace.read(lambda _library: None), kindred.window, (done := []).append)
    qtbot.waitUntil(lambda: bool(done))
    assert kindred.is_quiet
    assert kindred.documents == {}


def test_a_small_import_starts_without_a_question(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    assert not visible_boxes(kindred)
