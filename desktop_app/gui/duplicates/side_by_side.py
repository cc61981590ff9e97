"""Both sentences of a pair in their documents, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QToolButton, QWidget

from desktop_app.core.same_names import tell_hits_apart
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from desktop_app.core.duplicates import Pair
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.window_context import EmbeddedReader


class SideBySideReader(QWidget):
    """Two readers, one for each sentence.

    Args:
        make_reader: makes a reader with a name in a widget.

    Attributes:
        closed: the person closes the readers.
        readers: of the first sentence and of the second.
    """

    closed = Signal()

    def __init__(self, make_reader: Callable[[str, QWidget], EmbeddedReader], parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Side by side"))
        names = (self.tr("First sentence in its document"), self.tr("Second sentence in its document"))
        self.splitter = QSplitter(self)  # with a parent before it is filled, as in the pane
        self.splitter.setAccessibleName(self.tr("Side by side"))
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.readers = tuple(make_reader(side, self.splitter) for side in ("a", "b"))
        for reader, name in zip(self.readers, names, strict=True):
            reader.widget.setAccessibleName(name)
            self.splitter.addWidget(reader.widget)
        self._pair: Pair | None = None
        title = ElidedLabel(self.tr("Side by side"), "muted")
        title.setText(self.tr("Both documents, side by side"))
        close = QToolButton()
        close.setIcon(make_icon("x"))
        close.setToolTip(self.tr("Close side-by-side view (Esc)"))
        close.setAccessibleName(self.tr("Close side-by-side view"))
        close.clicked.connect(self.closed)
        head = make_row((title, 1), close, margins=(16, 3, 8, 0))
        make_column(head, (self.splitter, 1), parent=self, spacing=0)

    @property
    def pair(self) -> Pair | None:
        """The pair that is shown."""
        return self._pair

    def show_pair(self, pair: Pair) -> None:
        """Show a pair."""
        self.show_hits(pair.a, pair.b)
        self._pair = pair

    def show_hits(self, first: Hit, second: Hit) -> None:
        """Show two sentences that are no pair of the list: the beginnings of a repeated passage."""
        self._pair = None
        for reader, hit in zip(self.readers, tell_hits_apart((first, second)), strict=True):
            reader.show_hit(hit)

    def clear(self) -> None:
        """Show nothing."""
        self._pair = None
        for reader in self.readers:
            reader.clear()

    def focus(self, side: int) -> None:
        """Move the keyboard focus to one of the readers."""
        self.readers[side].take_focus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
