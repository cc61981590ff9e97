"""Random keys, clicks, drops and resizes: no exception, no warning from Qt, no widget more than before.

Short here; `--slow` has the monkey do some thousand things from each of six seeds.
"""

from __future__ import annotations

import contextlib
import logging
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QDialog, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import BadData
from desktop_app.gui.base import desktop
from desktop_app.gui.duplicates.pane import DuplicatesPane
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.command_palette import CommandPalette
from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import Kindred, drop

_KEYS = [
    getattr(Qt.Key, f"Key_{name}")
    for name in "Up Down Left Right PageUp PageDown Home End Tab Backtab Return Escape Delete Backspace Space A E S".split()  # noqa: E501, SIM905 - a list of keys reads best so
]
_MODIFIERS = [
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
]
_QUERIES = ["sea", "the", "bread waits overnight", "<b>", "🌊", "x" * 3000, "\x00", ""]
_A_FEW = 5
_LEFT_OUT = {"app.quit"}  # ends the window and the test


class NoWork:
    """Work that fails at once: the monkey need not train models in another process."""

    is_finished = False

    def poll(self) -> None:
        raise BadData("There are no pairs in it", "Choose another file.")

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


class Monkey:
    """Does one random thing at a time."""

    def __init__(self, kindred: Kindred, files: list[Path], seed: int) -> None:
        self._kindred = kindred
        self._window = kindred.window
        self._files = files
        self._random = random.Random(seed)
        self._deeds: list[Callable[[], object]] = [
            self._type,
            self._press,
            self._press,
            self._click,
            self._click,
            self._drop,
            self._resize,
            self._act,
            self._hold,
            self._push,
        ]

    def do(self) -> str:
        deed = self._random.choice(self._deeds)
        deed()
        for _ in range(3):
            QApplication.processEvents()
        self._leave_dialogs()
        return deed.__name__

    def do_everything_once(self) -> None:
        """Trigger each action."""
        for spec in ACTION_SPECS:
            if spec.id not in _LEFT_OUT:
                self._window.action_table[spec.id].trigger()
                for _ in range(3):
                    QApplication.processEvents()
                while popup := QApplication.activePopupWidget():
                    popup.close()
                for dialog in self._window.findChildren(QDialog):
                    dialog.close()

    def _leave_dialogs(self) -> None:
        while popup := QApplication.activePopupWidget():
            popup.close()
        for dialog in self._window.findChildren(QDialog):
            if self._random.random() < 0.5 or isinstance(dialog, QFileDialog):
                dialog.close()

    def _type(self) -> None:
        self._window.search.box.setText(self._random.choice(_QUERIES))

    def _press(self) -> None:
        target = QApplication.focusWidget() or self._window
        key, modifier = self._random.choice(_KEYS), self._random.choice(_MODIFIERS)
        QTest.keyClick(target, key, modifier)

    def _click(self) -> None:
        visible = [each for each in self._window.findChildren(QWidget) if each.isVisible() and each.width() > 1]
        if not visible:
            return
        widget = self._random.choice(visible)
        if isinstance(widget, QAbstractItemView):
            widget = widget.viewport()
        at = QPoint(self._random.randrange(widget.width()), self._random.randrange(max(widget.height(), 1)))
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, self._random.choice(_MODIFIERS), at)

    def _drop(self) -> None:
        files = self._random.sample(self._files, self._random.randint(1, 3))
        drop(self._window, files, let_go=self._random.random() < 0.8)

    def _resize(self) -> None:
        self._window.resize(self._random.randint(300, 1400), self._random.randint(200, 1000))

    def _act(self) -> None:
        spec = self._random.choice([spec for spec in ACTION_SPECS if spec.id not in _LEFT_OUT])
        self._window.action_table[spec.id].trigger()

    def _hold(self) -> None:
        gate = self._kindred.reading
        if gate.is_open:
            gate.shut()
        else:
            gate.open()

    def _push(self) -> None:
        buttons = [each for each in self._window.findChildren(QAbstractButton) if each.isVisible()]
        if buttons:
            self._random.choice(buttons).click()


@pytest.mark.parametrize(
    ("seed", "deeds"), [(1, 150), *[pytest.param(n, 3000, marks=pytest.mark.slow) for n in range(2, 9)]]
)
def test_random_input_breaks_nothing(
    make: Callable[..., Kindred],
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    seed: int,
    deeds: int,
) -> None:
    monkeypatch.setattr(desktop, "open_file", lambda _path: True)
    monkeypatch.setattr(desktop, "show_in_folder", lambda _path: True)
    files = []
    for n in range(12):
        name = {0: f"broken {n}.pdf", 1: f"secret {n}.pdf"}.get(n % 5, f"book {n}.txt")
        files.append(tmp_path / name)
        files[-1].write_text("\n".join(f"Sentence {line} of book {n} is on the sea." for line in range(n * 12 + 1)))
    # A real library: the panes ask for more than one in memory can answer.
    kindred = make(
        undo_s=0.05,
        open_library=lambda: LocalLibrary.open(tmp_path / "library", writable=True, create=True),
        start_work=lambda _task, _request: NoWork(),
    )
    monkey = Monkey(kindred, files, seed)
    monkey.do_everything_once()  # widgets that are built on first use and then kept are no leak
    for pane in kindred.window.findChildren(DuplicatesPane):  # no action opens a pair where there is none
        assert pane.places is not None
        assert pane.passages is not None
    widgets = _widgets(kindred)
    for _ in range(deeds):
        monkey.do()
        assert kindred.window.isVisible()
    kindred.reading.open()
    kindred.window.imports.pause(False)
    kindred.window.search.box.setText("")
    kindred.window.search_pane.scope.clear()
    qtbot.waitUntil(lambda: kindred.is_quiet and not kindred.window.search.controller.is_waiting)
    for dialog in kindred.window.findChildren(QDialog):
        dialog.close()
    for palette in kindred.window.findChildren(CommandPalette):
        palette.leave()

    def lost() -> dict[str, int]:
        # A chip or an editor may be open that was not open at the beginning; a repeated leak would be many.
        return {kind: count for kind, count in (_widgets(kindred) - widgets).items() if count > _A_FEW}

    with contextlib.suppress(qtbot.TimeoutError):  # leftovers are reported below
        qtbot.waitUntil(lambda: not lost())
    assert not lost()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def _widgets(kindred: Kindred) -> Counter[str]:
    """The number of widgets of each kind in the window."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return Counter(type(widget).__name__ for widget in kindred.window.findChildren(QWidget))
