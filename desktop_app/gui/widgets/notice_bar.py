"""A line that says what has happened and offers one thing to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QToolButton

from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.buttons import PushButton
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent

_MIN_NOTICE_MS, _NOTICE_MS_PER_CHARACTER = 4000, 60
_OFFER_NOTICE_MS = 10_000


class NoticeBar(QFrame):
    """A line that says what has happened and offers one thing to do about it.

    Args:
        name: for screen readers.
        passing: whether it disappears once there was time to read it, unless the pointer was moved onto it.

    Attributes:
        pressed: the button was pressed.
        dismissed: it was closed.
    """

    pressed = Signal()
    dismissed = Signal()

    def __init__(self, name: str, *, passing: bool = False) -> None:
        super().__init__()
        self._passing = QTimer(self, singleShot=True) if passing else None
        self._pointer = QPoint()  # where it was when the message came
        if self._passing is not None:
            self._passing.timeout.connect(self._pass)
        self.setProperty("surface", "notice")
        self.setAccessibleName(name)
        self._text = make_label(wrap=True, name=name)
        self._button = PushButton()
        self._button.setAccessibleName(name)
        self._button.clicked.connect(self.pressed)
        close = QToolButton()
        close.setIcon(make_icon("x"))
        close.setToolTip(self.tr("Close"))
        close.setAccessibleName(self.tr("Close this message"))
        close.clicked.connect(self.hide)
        close.clicked.connect(self.dismissed)
        make_row((self._text, 1), self._button, close, parent=self, margins=(16, 8, 10, 8))
        self.hide()

    @property
    def text(self) -> str:
        """The message."""
        return self._text.text()

    def say(self, text: str, offer: str = "") -> None:
        """Show a message, with a button if there is an offer."""
        self._text.setText(text)
        self._button.setText(offer)
        self._button.setAccessibleName(offer or self.accessibleName())
        self._button.setVisible(bool(offer))
        self._pointer = QCursor.pos()
        self.show()
        if self._passing is not None:
            self._passing.start(
                _MIN_NOTICE_MS + _NOTICE_MS_PER_CHARACTER * len(text + offer) + (_OFFER_NOTICE_MS if offer else 0)
            )

    def _pass(self) -> None:
        # A message that comes up under a resting pointer must not stay for good.
        is_held = self.underMouse() and QCursor.pos() != self._pointer
        if is_held or self._button.hasFocus():
            assert self._passing is not None
            self._passing.start(_MIN_NOTICE_MS)
        else:
            self.hide()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the timer while nothing is shown."""
        super().hideEvent(event)
        if self._passing is not None:
            self._passing.stop()
