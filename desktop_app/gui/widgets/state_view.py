"""The message that is shown in place of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.widgets.buttons import ActionButton
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOW_PX = 250
_MARGINS, _LOW_MARGINS = (32, 24, 32, 64), (16, 4, 16, 4)


@dataclass(frozen=True, slots=True)
class StateContent:
    """A message: an icon, a title, a text, and the ids of actions that help."""

    kind: str
    icon: str
    title: str
    text: str = ""
    actions: tuple[str, ...] = ()
    tone: str = "muted"


class StateView(QWidget):
    """Shows the current state in place of results, and what to do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("State"))
        self._icon = QLabel()
        self._icon.setAccessibleName(self.tr("Picture"))
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.title = make_label(factor=1.45, weight=QFont.Weight.DemiBold, wrap=True)
        self.text = make_label(tone="muted", wrap=True)
        for each, name in ((self.title, self.tr("State")), (self.text, self.tr("What to do"))):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
            each.setAccessibleName(name)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(10)
        self._inner = inner = QWidget(self)
        inner.setAccessibleName(self.tr("State"))
        inner.setMaximumWidth(520)
        inner.installEventFilter(self)
        self._across = make_row("stretch", (inner, 1000), "stretch", parent=self, margins=_MARGINS)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addStretch(2)
        column.addWidget(self._icon)
        column.addSpacing(12)
        column.addWidget(self.title)
        column.addSpacing(4)
        column.addWidget(self.text)
        column.addSpacing(16)
        column.addLayout(self._buttons)
        column.addStretch(3)
        self._view: StateContent | None = None

    def show_view(self, view: StateContent, actions: Sequence[QAction]) -> None:
        """Show a state, with a button for each of `actions`; the first is the one that helps most."""
        if view == self._view:
            return
        self._view = view
        self._paint_icon()
        self.title.setText(view.title)
        self.text.setText(view.text)
        self.text.setVisible(bool(view.text))
        while item := self._buttons.takeAt(0):
            if button := item.widget():
                button.hide()
                button.deleteLater()
        self._buttons.addStretch()
        for nth, action in enumerate(actions):
            button = ActionButton(action)
            if nth == 0:
                button.setProperty("tone", "primary")
            self._buttons.addWidget(button)
        self._buttons.addStretch()
        self._turn()
        self._across.activate()  # at once: on a busy computer the new text would be painted in the place of the old one
        self._adopt_lost_focus()

    def focus_offer(self) -> None:
        """Focus the first button, if there is one."""
        items = (self._buttons.itemAt(at) for at in range(self._buttons.count()))
        offer = next((button for item in items if item is not None and (button := item.widget()) is not None), None)
        if offer is not None:
            offer.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the icon if there is little height."""
        super().resizeEvent(event)
        is_low = self.height() < _LOW_PX
        self._icon.setVisible(not is_low)
        self._across.setContentsMargins(*(_LOW_MARGINS if is_low else _MARGINS))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard focus from a widget that is no longer visible."""
        super().showEvent(event)
        self._adopt_lost_focus()

    def _adopt_lost_focus(self) -> None:
        focus = self.window().focusWidget()
        if self.isVisible() and focus is not None and not focus.isVisible():
            self.focus_offer()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stack the buttons if they do not fit side by side."""
        if event.type() == QEvent.Type.Resize:
            self._turn()
        return False

    def _turn(self) -> None:
        widgets = [item.widget() for at in range(self._buttons.count()) if (item := self._buttons.itemAt(at))]
        needed = sum(button.sizeHint().width() + self._buttons.spacing() for button in widgets if button is not None)
        is_narrow = needed > self._inner.width()
        kind = QBoxLayout.Direction
        self._buttons.setDirection(kind.TopToBottom if is_narrow else kind.LeftToRight)

    def changeEvent(self, event: QEvent) -> None:
        """Tint the icon again when the theme changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "_view"):
            self._paint_icon()

    def _paint_icon(self) -> None:
        if self._view is not None:
            role = Role.Accent if self._view.tone == "accent" else Role.PlaceholderText
            self._icon.setPixmap(make_icon(self._view.icon, role).pixmap(QSize(44, 44), self.devicePixelRatio()))
