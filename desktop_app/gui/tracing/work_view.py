"""What stands where two texts would be: how things are, what to do, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.gui.share_bar import ShareBar
from desktop_app.gui.theme import scaled
from desktop_app.gui.tracing.states import progress_line
from desktop_app.gui.widgets import ElidedLabel, StateView, icon_button

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress

_WIDTH_PX = 260


class WorkView(StateView):
    """A state with a bar of progress, and a button that stops.

    Attributes:
        cancelled: it is to be stopped.
    """

    cancelled = Signal()

    def __init__(self, stop: str) -> None:
        super().__init__()
        self.bar = ShareBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(_WIDTH_PX)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.stop = icon_button("square", stop)
        self.stop.setAccessibleName(stop.partition(" (")[0])
        self.stop.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.bar)
        row.addWidget(self.stop)
        row.addStretch(1)
        column = self._inner.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertLayout(column.count() - 1, row)
        self.show_progress(None, False)

    def show_progress(self, progress: Progress | None, is_working: bool) -> None:
        """Show how far it is; nothing while nothing is under way."""
        self.bar.setVisible(is_working)
        self.stop.setVisible(is_working)
        total = progress.total if progress is not None else None
        self.bar.setRange(0, total or 0)
        if progress is not None and total:
            self.bar.setValue(progress.done)


class WorkRow(QWidget):
    """One line above texts of which more are to come: how far that is, and a button that stops.

    Attributes:
        cancelled: it is to be stopped.
    """

    cancelled = Signal()

    def __init__(self, stop: str) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What runs"))
        self.text = ElidedLabel(self.tr("What runs"), "muted")
        self.text.setFont(scaled(self.text.font(), 0.92))
        self.bar = ShareBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.stop = icon_button("square", stop)
        self.stop.setAccessibleName(stop.partition(" (")[0])
        self.stop.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.text, 3)
        row.addWidget(self.bar, 2)
        row.addWidget(self.stop)
        self.hide()

    def show_progress(self, progress: Progress | None) -> None:
        """Show how far it is."""
        total = progress.total if progress is not None else None
        self.text.setText(progress_line(progress))
        self.bar.setRange(0, total or 0)
        if progress is not None and total:
            self.bar.setValue(progress.done)
