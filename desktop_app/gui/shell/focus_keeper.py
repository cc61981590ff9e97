"""Keeps the keyboard focus where the person works when the focused control disappears.

Qt gives the focus of a control that is hidden or disabled to the next one in the tab order, mostly a button at the top
of the window: what is typed there is lost, and Space presses that button.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_REMEMBERED = 8


class FocusKeeper(QObject):
    """Watches the focus of one window.

    Args:
        window: the window.
        focus_default: moves the focus to where the person works now, and returns whether anything there can have it;
            called when no earlier place can.
        is_transient: whether a widget lies in a part of the window in which nobody works for long, such as a bar with
            an offer. After such a part the focus returns to its last place outside of it.
        last_resort: gets the focus if nothing can have it where the person works.
    """

    def __init__(
        self,
        window: QWidget,
        focus_default: Callable[[], bool],
        is_transient: Callable[[QWidget], bool],
        last_resort: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._focus_default = focus_default
        self._is_transient = is_transient
        self._last_resort = last_resort
        self._is_restoring = False
        self._stray: QWidget | None = None  # what Qt chose, while nothing better could have the focus
        self._before: list[weakref.ref[QWidget]] = []
        QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        # A control that is deleted leaves no focus at all. One that disappears while its part of the window changes may
        # find nothing there that can have the focus yet: its successors come later in the same turn of the event loop.
        self._check = QTimer(self, singleShot=True, interval=0)
        self._check.timeout.connect(self._on_turn_end)

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if self._is_restoring or (new is not None and new.window() is not self._window):
            return
        if old is not None and isValid(old) and old.window() is self._window:
            if new is not None and _is_gone(old):
                if not self._restore(was_transient=self._is_transient(old)) and QApplication.focusWidget() is new:
                    self._stray = new
                    self._check.start()
                return
            if not self._is_transient(old):
                self._remember(old)
        if new is None:
            self._check.start()

    def _on_turn_end(self) -> None:
        focus, stray, self._stray = QApplication.focusWidget(), self._stray, None
        is_lost = focus is None or focus is stray
        if (
            is_lost
            and self._window.isActiveWindow()
            and not QApplication.activePopupWidget()
            and not self._restore(was_transient=False)
        ):
            self._last_resort.setFocus(Qt.FocusReason.OtherFocusReason)

    def _restore(self, *, was_transient: bool) -> bool:
        """Move the focus, and return whether anything could have it."""
        self._is_restoring = True
        try:
            return self._move_focus(was_transient=was_transient)
        finally:
            self._is_restoring = False

    def _move_focus(self, *, was_transient: bool) -> bool:
        if was_transient:
            for reference in reversed(self._before):
                widget = reference()
                if widget is not None and isValid(widget) and not _is_gone(widget):
                    widget.setFocus()
                    return True
        return self._focus_default()

    def _remember(self, widget: QWidget) -> None:
        self._before = [each for each in self._before if each() is not None and each() is not widget]
        self._before = [*self._before, weakref.ref(widget)][-_MAX_REMEMBERED:]


def _is_gone(widget: QWidget) -> bool:
    """Return whether a widget can no longer have the focus."""
    return not widget.isVisible() or not widget.isEnabled()
