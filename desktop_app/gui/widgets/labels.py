"""Labels, notices and empty states that several panes show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QFont,
    QHelpEvent,
    QHideEvent,
    QIcon,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.text_layout import name_elide_mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex
    from PySide6.QtWidgets import QAbstractItemView

    from desktop_app.gui.widgets.state_view import StateContent


_MIN_NOTICE_MS, _NOTICE_MS_PER_CHARACTER = 4000, 60
_OFFER_NOTICE_MS = 10_000
_LOW_PX = 250
_MARGINS, _LOW_MARGINS = (32, 24, 32, 64), (16, 4, 16, 4)


def make_label(
    text: str = "",
    *,
    tone: str = "",
    factor: float = 1.0,
    weight: QFont.Weight = QFont.Weight.Normal,
    wrap: bool = False,
) -> QLabel:
    """Return a label that shows its text as it is."""
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setWordWrap(wrap)
    if tone:
        result.setProperty("tone", tone)
    if factor != 1.0 or weight != QFont.Weight.Normal:
        result.setFont(scale_font(result.font(), factor, weight))
    return result


class ElidedLabel(QLabel):
    """One line of plain text that gives way: it ends in … where there is no room.

    Args:
        name: for screen readers.
        tone: of its colour.
        mode: where it gives way; None: as the name of a document does.
    """

    def __init__(self, name: str, tone: str = "", mode: Qt.TextElideMode | None = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._full = ""
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if tone:
            self.setProperty("tone", tone)

    def setText(self, text: str) -> None:
        """Show `text`."""
        if text == self._full:
            return
        self._full = text
        super().setText(text)
        self.setAccessibleDescription(text)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show all of it to a pointer that rests on what is cut, unless there is another tip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            is_cut = self.fontMetrics().horizontalAdvance(self._full) > self.contentsRect().width()
            QToolTip.showText(event.globalPos(), display_text.make_tooltip(self._full) if is_cut else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.setFont(self.font())
        inner = self.contentsRect()
        mode = self._mode if self._mode is not None else name_elide_mode(self._full)
        text = self.fontMetrics().elidedText(self._full, mode, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class StateView(QWidget):
    """What stands where results would be: says how things are and what to do."""

    def __init__(self) -> None:
        super().__init__()
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
        self._inner = inner = QWidget()
        inner.setAccessibleName(self.tr("State"))
        inner.setMaximumWidth(520)
        inner.installEventFilter(self)
        across = self._across = QHBoxLayout(self)
        across.setContentsMargins(*_MARGINS)
        across.addStretch(1)
        across.addWidget(inner, 1000)
        across.addStretch(1)
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
            button = QPushButton(action.text().replace("&", ""))
            button.setToolTip(action.toolTip())
            button.setAccessibleName(button.text())
            if nth == 0:
                button.setProperty("tone", "primary")
            button.clicked.connect(action.trigger)
            self._buttons.addWidget(button)
        self._buttons.addStretch()
        self._turn()
        self._adopt_lost_focus()

    def focus_offer(self) -> None:
        """Bring the keyboard to what helps most, if there is such a button."""
        items = (self._buttons.itemAt(at) for at in range(self._buttons.count()))
        offer = next((button for item in items if item is not None and (button := item.widget()) is not None), None)
        if offer is not None:
            offer.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep to the words where there is little height."""
        super().resizeEvent(event)
        is_low = self.height() < _LOW_PX
        self._icon.setVisible(not is_low)
        self._across.setContentsMargins(*(_LOW_MARGINS if is_low else _MARGINS))

    def showEvent(self, event: QShowEvent) -> None:
        """Take the keyboard where it is with what has gone."""
        super().showEvent(event)
        self._adopt_lost_focus()

    def _adopt_lost_focus(self) -> None:
        focus = self.window().focusWidget()
        if self.isVisible() and focus is not None and not focus.isVisible():
            self.focus_offer()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put the buttons below each other where they have no room side by side."""
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
        """Tint the picture anew when the theme changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange) and hasattr(self, "_view"):
            self._paint_icon()

    def _paint_icon(self) -> None:
        if self._view is not None:
            role = Role.Accent if self._view.tone == "accent" else Role.PlaceholderText
            self._icon.setPixmap(make_icon(self._view.icon, role).pixmap(QSize(44, 44), self.devicePixelRatio()))


class NoticeBar(QFrame):
    """A line that says what has happened and offers one thing to do about it.

    Args:
        name: for screen readers.
        passing: it goes by itself once there was time to read it, unless the pointer rests on it.

    Attributes:
        pressed: the offer was taken.
        dismissed: it was closed.
    """

    pressed = Signal()
    dismissed = Signal()

    def __init__(self, name: str, *, passing: bool = False) -> None:
        super().__init__()
        self._passing = QTimer(self, singleShot=True) if passing else None
        if self._passing is not None:
            self._passing.timeout.connect(self._pass)
        self.setProperty("surface", "notice")
        self.setAccessibleName(name)
        self._text = make_label(wrap=True)
        self._text.setAccessibleName(name)
        self._button = QPushButton()
        self._button.setAccessibleName(name)
        self._button.clicked.connect(self.pressed)
        close = QToolButton()
        close.setIcon(make_icon("x"))
        close.setToolTip(self.tr("Close"))
        close.setAccessibleName(self.tr("Close this message"))
        close.clicked.connect(self.hide)
        close.clicked.connect(self.dismissed)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 10, 8)
        row.addWidget(self._text, 1)
        row.addWidget(self._button)
        row.addWidget(close)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def say(self, text: str, offer: str = "") -> None:
        """Show a message, and a button when there is something to offer."""
        self._text.setText(text)
        self._button.setText(offer)
        self._button.setAccessibleName(offer or self.accessibleName())
        self._button.setVisible(bool(offer))
        self.show()
        if self._passing is not None:
            self._passing.start(
                _MIN_NOTICE_MS + _NOTICE_MS_PER_CHARACTER * len(text + offer) + (_OFFER_NOTICE_MS if offer else 0)
            )

    def _pass(self) -> None:
        if self.underMouse() or self._button.hasFocus():
            assert self._passing is not None
            self._passing.start(_MIN_NOTICE_MS)
        else:
            self.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        """Let no time run when there is nothing to read."""
        super().hideEvent(event)
        if self._passing is not None:
            self._passing.stop()


class DropOverlay(QWidget):
    """Lies over the window while files are held above it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Drop to import"))
        over.installEventFilter(self)
        self._text = ""
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the window."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def show_overlay(self, text: str = "") -> None:
        """Show it above everything; `text` says what letting go does."""
        self._text = text or self.tr("Drop to import")
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a veil, a dashed frame and the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = self.palette().color(QPalette.ColorRole.Window)
        veil.setAlphaF(0.94)
        painter.fillRect(self.rect(), veil)
        accent = self.palette().color(QPalette.ColorRole.Accent)
        pen = QPen(accent, 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(16, 16, -16, -16), 14, 14)
        middle = self.rect().center()
        make_icon("inbox", Role.Accent).paint(painter, middle.x() - 24, middle.y() - 56, 48, 48)
        painter.setFont(scale_font(self.font(), 1.45, QFont.Weight.DemiBold))
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        below = self.rect().adjusted(0, 44, 0, 44)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._text)


def reserve_scroll_bar(view: QAbstractScrollArea) -> None:
    """Leave a vertical scroll bar its place, so that lines keep their width; where all is in sight it is not seen."""
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar = view.verticalScrollBar()
    bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
    bar.setEnabled(bar.maximum() > bar.minimum())


def make_icon_button(picture: str, text: str) -> QToolButton:
    """Return a small button with a picture alone; `text` is its tip and its name."""
    button = QToolButton()
    button.setIcon(make_icon(picture))
    button.setIconSize(QSize(16, 16))
    button.setToolTip(text)
    button.setAccessibleName(text)
    return button


def make_choice_button(action: QAction, text: str) -> QToolButton:
    """Return a button for one of a set of choices; its siblings are the others.

    It is not the action's own button: that would bring the menu's longer text with it.
    """
    button = QToolButton()
    button.setText(text)
    button.setToolTip(action.toolTip())
    button.setCheckable(True)
    button.setAutoExclusive(True)  # or a click on what is chosen would unchoose it here alone
    button.setChecked(action.isChecked())
    button.clicked.connect(action.trigger)
    action.toggled.connect(button.setChecked)
    return button


def set_button_icon(button: QToolButton, picture: QIcon) -> None:
    """Show a picture before a button's text."""
    button.setIcon(picture)
    button.setText(f" {button.text()}")  # Qt leaves hardly any space between the two
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def edit_row_in_place(view: QAbstractItemView, index: QModelIndex) -> None:
    """Let a row of a view be typed, unless one is being typed already or it is not for typing."""
    if view.state() != view.State.EditingState and index.flags() & Qt.ItemFlag.ItemIsEditable:
        view.edit(index)
