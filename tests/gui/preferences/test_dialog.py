"""Preferences: saved at once, never invalid, and clear about changes that wait for the next start."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QPushButton, QScrollArea, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.__main__ import _start_again
from desktop_app.core.paths import LIBRARY_DATABASE, Paths
from desktop_app.core.settings import Settings
from desktop_app.gui.base.theme import DARK, ThemeManager
from desktop_app.gui.preferences.dialog import PreferencesDialog
from desktop_app.gui.shell import window_language
from tests.gui.conftest import Kindred
from tests.gui.shell.test_main_window import run_python

AGAIN = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop_app.core.paths import Paths
from desktop_app.core.settings import Settings
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.shell import app as gui
from desktop_app.gui.shell.main_window import MainWindow
from tests.gui.fakes import FakeEncoder, FakeLibrary, FakeReader, Gate
library = FakeLibrary()
def make():
    return Workspace(EngineSetup(open_library=lambda: library, load_encoder=lambda _: FakeEncoder(),
                     is_supported=lambda _: True, start_reader=lambda: FakeReader(Gate()),
                     choose_device=lambda _: FakeEncoder.device))
first = MainWindow.paintEvent
def paint(self, event):
    first(self, event)
    restart = self.preferences.restart
    self.session.changed.connect(lambda: self.session.phase == "ready" and QTimer.singleShot(0, restart))
MainWindow.paintEvent = paint
def again():
    print("library closed:", library.closed)
print("status:", gui.run_window(make, Settings(theme="light"), Paths.under(Path(sys.argv[1])), [], lambda _: None,
                         restart=again))
"""


def opened(kindred: Kindred) -> PreferencesDialog:
    kindred.window.action_table["app.preferences"].trigger()
    (dialog,) = [each for each in kindred.window.findChildren(PreferencesDialog) if each.isVisible()]
    return dialog


def choose(combo: QComboBox, value: str) -> None:
    combo.setCurrentIndex(combo.findData(value))


@pytest.fixture
def alone(themes: ThemeManager, qtbot: QtBot, tmp_path: Path) -> Callable[[Settings], PreferencesDialog]:
    """Create dialogs without a window."""

    def build(settings: Settings) -> PreferencesDialog:
        dialog = PreferencesDialog(settings, settings, Paths.under(tmp_path), None)
        qtbot.addWidget(dialog)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        return dialog

    return build


def test_ctrl_comma_opens_preferences_with_the_current_settings(shared: Kindred, qtbot: QtBot) -> None:
    qtbot.keySequence(shared.window, QKeySequence("Ctrl+,"))
    dialog = shared.window.findChild(PreferencesDialog)
    assert dialog.theme.currentData() == "light"
    assert dialog.device.currentData() == "auto"
    assert dialog.threads.text() == "Automatic"
    assert dialog.silence_limit.value() == Settings().reader_timeout_s
    assert dialog.memory.value() == Settings().reader_memory_mb
    assert dialog.undo.value() == 30
    assert shared.saved == []
    dialog.close()


def test_each_page_can_be_opened_directly(shared: Kindred, qtbot: QtBot) -> None:
    for action, title in (
        ("app.preferences", "General"),
        ("library.models", "Models"),
        ("library.watched", "Watched folders"),
    ):
        shared.window.action_table[action].trigger()
        (dialog,) = [each for each in shared.window.findChildren(PreferencesDialog) if each.isVisible()]
        assert dialog.pages.currentItem().text() == title
        assert dialog.stack.currentWidget().accessibleName() == title
        qtbot.keyClick(dialog.pages, Qt.Key.Key_End)
        assert dialog.stack.currentWidget().accessibleName() == "Keyboard"
        dialog.close()


def test_arrow_keys_go_through_the_pages_and_change_no_setting(shared: Kindred, qtbot: QtBot) -> None:
    dialog = opened(shared)
    qtbot.waitUntil(lambda: dialog.focusWidget() is dialog.pages)
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Down)
    assert dialog.stack.currentWidget().accessibleName() == "Library"
    assert shared.saved == []
    dialog.close()


def test_a_theme_is_applied_and_saved_at_once(shared: Kindred, themes: ThemeManager) -> None:
    dialog = opened(shared)
    choose(dialog.theme, "dark")
    assert themes.theme is DARK
    assert shared.saved[-1].theme == "dark"
    assert shared.window.action_table["view.theme.dark"].isChecked()
    choose(dialog.theme, "light")
    assert "saved automatically" in dialog.pending.text()
    dialog.close()


def test_each_choice_is_saved_without_changing_the_others(shared: Kindred) -> None:
    dialog = opened(shared)
    choose(dialog.device, "cpu")
    choose(dialog.precision, "bf16")
    dialog.threads.setValue(1)
    dialog.silence_limit.setValue(45)
    dialog.memory.setValue(3000)
    dialog.undo.setValue(90)
    assert shared.saved[-1] == replace(
        Settings(theme="light"),
        device="cpu",
        precision="bf16",
        threads=1,
        reader_timeout_s=45.0,
        reader_memory_mb=3000,
        undo_s=90.0,
    )
    assert type(shared.saved[-1].reader_timeout_s) is float
    dialog.close()
    again = opened(shared)
    assert again.memory.value() == 3000
    again.close()


def test_settings_that_apply_at_the_next_start_are_named(shared: Kindred) -> None:
    dialog = opened(shared)
    choose(dialog.device, "cpu")
    dialog.threads.setValue(1)
    assert dialog.pending.text() == "Saved. Takes effect after a restart: device, threads."
    dialog.close()
    dialog = opened(shared)
    assert "device, threads" in dialog.pending.text(), "it is still pending when the dialog is opened again"
    choose(dialog.device, "auto")
    dialog.threads.setValue(0)
    dialog.undo.setValue(31)
    assert dialog.pending.text() == "Changes are saved automatically."
    dialog.close()


def test_the_undo_time_applies_at_once(filled: Kindred, qtbot: QtBot) -> None:
    dialog = opened(filled)
    dialog.undo.setValue(45)
    dialog.close()
    filled.window.removals.remove([1])
    qtbot.waitUntil(filled.window.undo_bar.isVisible)
    assert filled.window.removals._timer.interval() == 45_000
    filled.window.removals.undo()
    qtbot.waitUntil(lambda: not filled.window.undo_bar.isVisible())


@pytest.mark.parametrize(("typed", "kept"), [("999999999", 64_000), ("0", 200), ("", 2000), ("abc", 2000)])
def test_an_invalid_number_cannot_be_saved(shared: Kindred, qtbot: QtBot, typed: str, kept: int) -> None:
    dialog = opened(shared)
    dialog.memory.setFocus()
    dialog.memory.selectAll()
    qtbot.keyClick(dialog.memory, Qt.Key.Key_Delete)
    qtbot.keyClicks(dialog.memory, typed)
    qtbot.keyClick(dialog.memory, Qt.Key.Key_Tab)
    assert dialog.memory.value() == kept or 200 <= dialog.memory.value() <= 64_000
    assert all(200 <= settings.reader_memory_mb <= 64_000 for settings in shared.saved)
    assert dialog.isVisible()
    dialog.close()


def test_settings_changed_elsewhere_are_shown_unchanged(alone: Callable[[Settings], PreferencesDialog]) -> None:
    settings = Settings(reader_memory_mb=100_000, reader_timeout_s=0.5, undo_s=5000.0, threads=512, device="mps")
    dialog = alone(settings)
    assert dialog.memory.value() == 100_000
    assert dialog.silence_limit.value() == 0.5
    assert dialog.undo.value() == 5000.0
    assert dialog.threads.value() == 512
    assert dialog.device.currentData() == "mps"


def test_the_wheel_scrolls_the_page_and_changes_nothing(shared: Kindred) -> None:
    dialog = opened(shared)
    for field in (dialog.theme, dialog.memory, dialog.silence_limit):
        middle = QPointF(field.rect().center())
        event = QWheelEvent(
            middle,
            field.mapToGlobal(middle),
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(field, event)
    assert shared.saved == []
    dialog.close()


# Model


def test_a_model_is_a_folder_with_one_in_it(shared: Kindred, tmp_path: Path) -> None:
    dialog = opened(shared)
    assert "included with Kindred" in dialog.library_page.model.text()
    assert not dialog.library_page.bundled.isEnabled()
    dialog.library_page.set_model_folder(str(tmp_path))
    assert "No model in" in dialog.library_page.model_problem.text()
    assert shared.saved == []
    folder = tmp_path / "my-model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    dialog.library_page.set_model_folder(str(folder))
    assert shared.saved[-1].model == str(folder)
    assert dialog.library_page.model.text() == "my-model"
    assert not dialog.library_page.model_problem.isVisible()
    assert dialog.pending.text().endswith("model.")
    dialog.library_page.bundled.click()
    assert shared.saved[-1].model == ""
    dialog.close()


def test_a_note_says_that_libraries_keep_their_model(shared: Kindred, qtbot: QtBot) -> None:
    session = shared.window.session
    qtbot.waitUntil(lambda: session.status is not None and session.status.library.model is not None)
    dialog = opened(shared)
    texts = [each.text() for each in dialog.findChildren(type(dialog.pending))]
    assert any("The open library uses all-MiniLM-L6-v2." in text for text in texts)
    assert any("Currently: CPU (fp32), 1 thread." in text for text in texts)
    dialog.close()


# Library


def test_another_library_can_be_opened_once_it_is_possible(kindred: Kindred, tmp_path: Path) -> None:
    library_switch, wanted = kindred.window.library_switch, []
    kindred.window.library_switch.wanted.connect(wanted.append)
    empty, other, full = tmp_path / "empty", tmp_path / "other", tmp_path / "full"
    for folder in (empty, other, full):
        folder.mkdir()
    (other / LIBRARY_DATABASE).touch()
    (full / "letter.txt").touch()
    (empty / ".DS_Store").touch()  # the Finder writes it when a person looks into a folder

    library_switch.use_library(empty, new=False)
    assert "No Kindred library" in kindred.window.notice.text
    library_switch.use_library(full, new=True)
    assert "not empty" in kindred.window.notice.text
    assert wanted == []

    library_switch.use_library(other, new=False)
    library_switch.use_library(empty, new=True)
    assert wanted == [other, empty]
    assert kindred.saved == [], "it is saved once it is open"


def test_preferences_go_back_to_the_default_library(kindred: Kindred, tmp_path: Path) -> None:
    wanted: list[Path] = []
    kindred.window.library_switch.wanted.connect(wanted.append)
    kindred.window.context.change_settings(library=str(tmp_path / "other"))
    dialog = opened(kindred)
    dialog.library_page.default_library.click()
    assert wanted == [Paths.under(tmp_path / "base").default_library]
    assert not dialog.isVisible(), "its window closes"


def test_data_can_be_in_another_folder(kindred: Kindred, tmp_path: Path) -> None:
    dialog = opened(kindred)
    default = Paths.under(tmp_path / "base")
    assert dialog.library_page.data.text() == str(default.data)
    dialog.library_page.set_data_folder(str(tmp_path / "disk"))
    assert kindred.saved[-1].data_folder == str(tmp_path / "disk")
    assert dialog.library_page.data.text() == str(tmp_path / "disk")
    assert dialog.library_page.library.text() == str(tmp_path / "disk" / "library"), "the default library is there"
    assert "data folder" in dialog.pending.text()
    dialog.library_page.default_data.click()
    assert kindred.saved[-1].data_folder == ""
    assert dialog.library_page.data.text() == str(default.data)
    assert not dialog.library_page.default_data.isEnabled()
    dialog.close()


def test_a_restart_is_offered_if_possible(kindred: Kindred, tmp_path: Path) -> None:
    preferences = kindred.window.preferences
    dialog = opened(kindred)
    dialog.threads.setValue(1)
    assert not dialog.restart_button.isVisible(), "a temporary library could not be found again"
    dialog.close()
    preferences.can_restart = True
    dialog = opened(kindred)
    assert dialog.restart_button.isVisible()
    dialog.threads.setValue(0)
    assert not dialog.restart_button.isVisible()
    dialog.close()
    dialog = opened(kindred)
    dialog.threads.setValue(1)
    dialog.restart_button.click()
    assert preferences.wants_restart
    assert not kindred.window.isVisible()


def test_the_program_restarts_after_everything_is_closed(tmp_path: Path) -> None:
    lines = run_python(AGAIN, str(tmp_path)).splitlines()
    assert lines == ["library closed: True", "status: 0"]


def test_a_restart_keeps_the_arguments_but_uses_the_saved_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", started.append)
    monkeypatch.setattr(sys, "argv", ["main", "--library", "old", "--basedir", "base", "a.txt"])
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "desktop_app", *sys.argv[1:]])
    _start_again(Namespace(basedir="base", debug=True))
    assert started == [["python", "-m", "desktop_app", "--basedir", "base", "--debug"]]


def test_buttons_and_menus_ask_for_a_folder(shared: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, QWidget]] = []
    monkeypatch.setattr(QFileDialog, "open", lambda self: asked.append((self.windowTitle(), self.parent())))
    dialog = opened(shared)
    dialog.open_library.emit()
    dialog.new_library.emit()
    for name in ("Select the folder of a model", "Select the data folder"):
        next(button for button in dialog.findChildren(QPushButton) if button.accessibleName() == name).click()
    dialog.close()
    shared.window.action_table["library.open"].trigger()
    shared.window.action_table["library.new"].trigger()
    assert [title.split()[0] for title, _ in asked] == ["Open", "Select", "Select", "Select", "Open", "Select"]
    for each in shared.window.findChildren(QFileDialog):
        each.deleteLater()


def test_fields_do_not_stretch(shared: Kindred) -> None:
    dialog = opened(shared)
    dialog.resize(1400, 900)
    QApplication.processEvents()
    for field in (*dialog.findChildren(QComboBox), *dialog.findChildren(QSpinBox)):
        assert field.width() < 250
    dialog.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_has_room_for_its_texts(
    qapp: QApplication, make: Callable[..., Kindred], qtbot: QtBot, language: str
) -> None:
    window_language.install_language(qapp, language)
    try:
        kindred = make()
        qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
        dialog = opened(kindred)
        assert not dialog.pages.horizontalScrollBar().maximum()
        for row in range(dialog.pages.count()):
            dialog.pages.setCurrentRow(row)
            page = dialog.stack.currentWidget()
            if isinstance(page, QScrollArea):
                assert page.widget().minimumSizeHint().width() <= page.viewport().width(), page.accessibleName()
        dialog.close()
    finally:
        window_language.install_language(qapp, "en")


@pytest.mark.parametrize(("typed", "kept"), [("deu+", "deu"), ("deu+f", "deu"), ("deu+fra", "deu+fra"), ("d", "")])
def test_incomplete_languages_are_left_out_and_the_others_kept(
    alone: Callable[[Settings], PreferencesDialog], qtbot: QtBot, typed: str, kept: str
) -> None:
    dialog = alone(replace(Settings(), ocr_languages="eng"))
    changes: list[dict[str, object]] = []
    dialog.changed.connect(changes.append)
    dialog.ocr_languages.clear()
    qtbot.keyClicks(dialog.ocr_languages, typed)
    qtbot.keyClick(dialog.ocr_languages, Qt.Key.Key_Return)
    assert changes[-1] == {"ocr_languages": kept}
    assert dialog.ocr_languages.text() == kept
