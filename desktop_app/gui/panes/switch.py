"""Shows one pane at a time, and a row of buttons to choose it by."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from desktop_app.gui.action_spec import shown
from desktop_app.gui.panes.table import PANES
from desktop_app.gui.widgets import StateView, choice_button, show_picture

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QLineEdit, QToolButton

    from desktop_app.gui.actions import Actions
    from desktop_app.gui.main_window import MainWindow
    from desktop_app.gui.panes.table import PaneSpec

_LEAST_BOX_PX = 380  # for the search box, with its margins


class PaneStack(QStackedWidget):
    """The panes of a window, in one place.

    Attributes:
        shown_pane: another pane is in sight; carries its PaneSpec.
    """

    shown_pane = Signal(object)

    def __init__(self, window: MainWindow, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Panes"))
        self._window = window
        self._actions = actions
        self._built: dict[str, QWidget] = {}
        self.current: PaneSpec = PANES[0]
        for spec in PANES:
            actions[spec.action.id].triggered.connect(partial(self.show_pane, spec.name))
        self.show_pane(self.current.name)

    def pane(self, name: str) -> QWidget:
        """Return a pane; it is built when it is first asked for."""
        if name not in self._built:
            spec = next(spec for spec in PANES if spec.name == name)
            self._built[name] = pane = spec.build(self._window)
            self.addWidget(pane)
        return self._built[name]

    def show_pane(self, name: str) -> None:
        """Bring a pane into sight, and the keyboard to it, unless it is there."""
        pane = self.pane(name)
        self._actions[f"pane.{name}"].setChecked(True)
        if pane is self.currentWidget() and self.current.name == name:
            return
        focus = self._window.focusWidget()
        had_focus = focus is not None and self.isAncestorOf(focus)
        self.current = next(spec for spec in PANES if spec.name == name)
        self.setCurrentWidget(pane)
        if had_focus or name != PANES[0].name:
            pane.setFocus(Qt.FocusReason.ShortcutFocusReason)
            for state in pane.findChildren(StateView):
                if state.isVisible():
                    state.focus_offer()
        self.shown_pane.emit(self.current)


class PaneSwitch(QWidget):
    """A button for each pane; nothing where there is but one."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Panes"))
        self._buttons: list[QToolButton] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(2)
        for spec in PANES:
            action = actions[spec.action.id]
            button = choice_button(action, shown(spec.title))
            button.setAccessibleName(button.text())
            show_picture(button, action.icon())
            button.setProperty("tone", "tab")
            row.addWidget(button)
            self._buttons.append(button)
        self.setVisible(len(PANES) > 1)
        self.ensurePolished()
        self.whole_px = self.sizeHint().width()

    def set_compact(self, compact: bool) -> None:
        """Show pictures alone, where words would leave the search box no room."""
        style = Qt.ToolButtonStyle
        for button in self._buttons:
            button.setToolButtonStyle(style.ToolButtonIconOnly if compact else style.ToolButtonTextBesideIcon)


class TopBar(QWidget):
    """The line above everything: the panes, and the search box."""

    def __init__(self, switch: PaneSwitch, box: QLineEdit) -> None:
        super().__init__()
        self.setObjectName("top")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._switch = switch
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 12)
        row.addWidget(switch)
        row.addWidget(box)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the search box room for some words."""
        super().resizeEvent(event)
        self._switch.set_compact(self.width() - self._switch.whole_px < _LEAST_BOX_PX)
