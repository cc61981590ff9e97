"""The library as a whole: its counts, the check, and repairs."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop_app.core.jobs import Lane
from desktop_app.core.messages import NOTHING, verbatim
from desktop_app.core.records import BackupInfo, CheckResult
from desktop_app.gui.library.backup_dialog import BackupDialog
from desktop_app.gui.library.maintenance_dialog import MaintenanceDialog
from tests.gui.conftest import Kindred
from tests.patience import PATIENCE_S


def opened(kindred: Kindred) -> MaintenanceDialog:
    kindred.window.action_table["library.about"].trigger()
    dialog = kindred.window.findChild(MaintenanceDialog)
    assert dialog is not None
    return dialog


def test_counts_are_shown(filled: Kindred, qtbot: QtBot) -> None:
    dialog = opened(filled)
    qtbot.waitUntil(lambda: "Documents" in dialog.values)
    details = {heading: value.text() for heading, value in dialog.values.items()}
    assert details["Documents"] == "2"
    assert details["Types"] == "Markdown 1 · Text 1"
    assert details["Sentences"].startswith("7 (7")
    assert "Failed" not in details


def test_no_count_is_cut_while_the_checks_are_listed(filled: Kindred, qtbot: QtBot) -> None:
    dialog = opened(filled)
    qtbot.waitUntil(lambda: "Documents" in dialog.values)
    for heading in ("Failed", "Search recall"):  # of a library with many kinds of failures
        dialog._show_fact(heading, "Damaged 1 · Password-protected 1 · No text found 1 · Unknown type 12 · Not found 3")
    qtbot.mouseClick(dialog.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.list.count() > 0 and dialog.check.isEnabled())
    QApplication.processEvents()
    for heading, value in dialog.values.items():
        assert value.height() >= value.heightForWidth(value.width()), heading


def test_esc_cancels_a_backup_like_its_button(kindred: Kindred, qtbot: QtBot) -> None:
    go = threading.Event()
    kindred.workspace.engine.submit("held", lambda: go.wait(PATIENCE_S), lane=Lane.FRONT)
    job = kindred.workspace.engine.submit("back up", lambda: BackupInfo("", 0, 0, 0))
    dialog = BackupDialog(kindred.window.session, job, kindred.window)
    dialog.open()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    go.set()
    qtbot.waitUntil(lambda: job.is_finished)
    assert job.was_cancelled
    qtbot.waitUntil(lambda: not isValid(dialog))


def test_a_library_is_checked_and_repaired(filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = True

    def check(*, repair: bool = False) -> Iterator[CheckResult]:
        nonlocal broken
        broken = broken and not repair
        yield CheckResult("database", True, NOTHING)
        yield CheckResult("index", not broken, verbatim("3 vectors are missing" if broken else "mended"))

    monkeypatch.setattr(filled.library, "check", check)
    dialog = opened(filled)
    qtbot.mouseClick(dialog.check, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.list.count() == 3 and dialog.repair_button.isVisible())
    assert dialog.list.item(1).text() == "Index: 3 vectors are missing"
    assert "1 of 3" in dialog.summary.text()
    repaired: list[bool] = []
    filled.window.maintenance.repaired.connect(lambda: repaired.append(True))
    qtbot.mouseClick(dialog.repair_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "No problems" in dialog.summary.text())
    assert not dialog.repair_button.isVisible()
    assert repaired == [True]


def test_what_a_repair_leaves_to_read_is_read_although_the_dialog_is_closed(filled: Kindred, qtbot: QtBot) -> None:
    dialog = opened(filled)
    with qtbot.waitSignal(filled.window.maintenance.repaired):
        dialog._run(repair=True)
        dialog.close()
