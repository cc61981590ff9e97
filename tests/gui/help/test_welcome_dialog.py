"""The first minutes: the window says what it does, where data is, and that nothing leaves the machine."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.display_text import make_path_wrappable
from desktop_app.gui.help.welcome_dialog import FIRST_STEPS, WelcomeDialog
from tests.gui.conftest import Kindred


def _open(kindred: Kindred) -> WelcomeDialog:
    kindred.window.action_table["app.welcome"].trigger()
    return next(each for each in kindred.window.findChildren(WelcomeDialog) if each.isVisible())


def _read(text: str) -> str:
    """Return the visible text."""
    return text.replace("\N{ZERO WIDTH SPACE}", "").replace("\N{WORD JOINER}", "")


@pytest.mark.parametrize("path", ["/home/ada/.local/share/Kindred/library", "C:\\Users\\ada\\Kindred\\library"])
def test_a_path_in_a_sentence_fits_a_narrow_column_and_keeps_its_beginning(qapp: QApplication, path: str) -> None:
    text = f"It lies in {make_path_wrappable(path)}"
    font = QApplication.font()
    for width in range(90, 320, 7):
        layout = QTextLayout(text, font)
        layout.beginLayout()
        lines = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            lines.append(_read(text[line.textStart() :][: line.textLength()]).strip())
            assert line.naturalTextWidth() <= width + 1
        layout.endLayout()
        assert not any(line == path[0] or line.endswith(f" {path[0]}") for line in lines), lines
    assert _read(text) == f"It lies in {path}"


def test_the_empty_window_shows_a_welcome_with_files_folders_and_samples(kindred: Kindred) -> None:
    state = kindred.window.search_pane.state
    status = kindred.window.session.status
    assert status is not None
    assert state.title.text() == "Welcome to Kindred"
    for phrase in ("finds sentences by meaning", "Everything stays on this computer", status.library.folder):
        assert phrase in _read(state.text.text())
    assert state._view is not None
    assert state._view.actions == ("library.import", "library.import_folder", "library.samples")


def test_the_welcome_can_be_opened_again_when_there_are_documents(filled: Kindred) -> None:
    dialog = _open(filled)
    status = filled.window.session.status
    assert status is not None
    texts = "\n".join(_read(each.text()) for each in dialog.findChildren(QLabel))
    for phrase in ("mean the same", status.library.folder, "Nothing leaves this computer", "online"):
        assert phrase in texts
    dialog.close()


@pytest.mark.parametrize("nth", range(len(FIRST_STEPS)))
def test_each_button_runs_its_menu_entry_and_closes_the_welcome(kindred: Kindred, qtbot: QtBot, nth: int) -> None:
    action = kindred.window.action_table[FIRST_STEPS[nth]]
    action.triggered.disconnect()  # other tests check what the entries do
    dialog = _open(kindred)
    assert dialog.buttons[nth].text() == action.text().replace("&", "")
    with qtbot.waitSignal(action.triggered):
        dialog.buttons[nth].click()
    assert not dialog.isVisible()


def test_the_welcome_opens_before_the_library(make, qtbot: QtBot) -> None:
    kindred = make(show=False)
    dialog = _open(kindred)
    assert any("the folder shown in Preferences" in each.text() for each in dialog.findChildren(QLabel))
    dialog.close()
