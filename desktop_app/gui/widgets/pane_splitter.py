"""A divider between two parts of a pane that stays where the person has put it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.base.window_context import WindowContext

_GROUP = "dividers"
_WHOLE = 1000
_MIN_SHARE, _MAX_SHARE = 0.05, 0.95


class PaneSplitter(QSplitter):
    """Holds two parts. Their shares are kept under a name, for the next window too, once the person has changed them.

    Args:
        context: the window's services.
        orientation: the direction in which the parts follow each other.
        parent: its parent.
    """

    def __init__(
        self,
        context: WindowContext,
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(orientation, parent)
        self._state_file = context.state_file
        self._name = ""
        self._chosen: dict[str, float] = {}  # shares of the first part
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._on_moved)
        context.closing.connect(self._save)

    def divide(self, name: str, share: float) -> None:
        """Divide the room between both parts, which it must have already.

        Args:
            name: of the share that the person may have chosen.
            share: the usual one of the first part.
        """
        self._name = name
        if (chosen := self._chosen.get(name)) is None:
            chosen = self._read(name)
        share = chosen if chosen is not None else share
        whole = sum(self.sizes()) or _WHOLE
        self.setSizes([round(whole * share), round(whole * (1 - share))])

    def _on_moved(self) -> None:
        first, *others = self.sizes()
        if first + sum(others):
            self._chosen[self._name] = min(max(first / (first + sum(others)), _MIN_SHARE), _MAX_SHARE)

    def _read(self, name: str) -> float | None:
        stored = self._open_state_file().value(f"{_GROUP}/{name}")
        with contextlib.suppress(ValueError):
            share = float(str(stored))
            if _MIN_SHARE <= share <= _MAX_SHARE:
                return share
        return None

    def _save(self) -> None:
        state = self._open_state_file()
        for name, share in self._chosen.items():
            state.setValue(f"{_GROUP}/{name}", round(share, 4))

    def _open_state_file(self) -> QSettings:
        return QSettings(str(self._state_file), QSettings.Format.IniFormat)
