"""Progress of a long task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.buttons import make_icon_button
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QToolButton

    from desktop_app.core.jobs import Progress

_KNOWN_STEPS = 1000


class ProgressBar(QProgressBar):
    """A bar that is empty and still while the progress is unknown.

    Qt's own bar runs to and fro then. Here nothing moves by itself, which respects the system setting for reduced
    motion: the text next to the bar says what happens.

    Args:
        name: for screen readers.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(name or self.tr("Progress"))

    def setRange(self, minimum: int, maximum: int) -> None:
        """Set the values for nothing and everything; equal ones mean that the whole is unknown."""
        super().setRange(minimum, max(maximum, minimum + 1))
        if maximum <= minimum:
            self.setValue(minimum)

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress of a job; None if it is unknown."""
        total = (progress.total if progress is not None else None) or 0
        self.setRange(0, total)
        if progress is not None and total:
            self.setValue(progress.done)

    def show_fraction(self, fraction: float | None) -> None:
        """Show how much is done, 0 to 1; None if that is unknown."""
        self.setRange(0, _KNOWN_STEPS if fraction is not None else 0)
        if fraction is not None:
            self.setValue(round(_KNOWN_STEPS * fraction))


class ProgressCard(QFrame):
    """Shows a task that runs: its title, what it works on, a bar, details, and buttons to pause and stop it.

    Args:
        name: of the card, for screen readers.
        title_name: of its title.
        detail_name: of its details.
        stop_tip: what the stop button does.
        buttons: further buttons, left of the others.

    Attributes:
        pause_toggled: the person pressed the button that pauses and resumes.
        stop_requested: the person pressed the button that stops.
        title: one line, such as "Importing 3 of 8".
        subject: one line that says what the task works on; hidden while it is empty. See `show_subject`.
        bar: the progress.
        detail: rate and time left.
        column: the column below the title, to which further rows can be added.
        buttons: the buttons of the title.
    """

    pause_toggled = Signal()
    stop_requested = Signal()

    def __init__(
        self,
        name: str,
        *,
        title_name: str,
        detail_name: str,
        stop_tip: str,
        buttons: Sequence[QToolButton] = (),
    ) -> None:
        super().__init__()
        self.setProperty("surface", "card")
        self.setAccessibleName(name)
        self.title = ElidedLabel(title_name)
        self.title.setFont(scale_font(self.title.font(), 1.0, QFont.Weight.Medium))
        self.subject = ElidedLabel(self.tr("Current document"), "muted", Qt.TextElideMode.ElideMiddle)
        self.subject.setFont(scale_font(self.subject.font(), 0.9))
        self.subject.hide()
        self.bar = ProgressBar()
        self.detail = make_label(tone="muted", factor=0.9, wrap=True, name=detail_name)
        self.pause = make_icon_button("pause", self.tr("Pause"))
        self.stop = make_icon_button("x", stop_tip)
        self.buttons = make_row(*buttons, self.pause, self.stop, spacing=2)
        inner = QWidget()
        inner.setAccessibleName(name)
        self.column = make_column(self.subject, self.bar, self.detail, parent=inner, margins=(0, 0, 4, 0), spacing=6)
        head = make_row((self.title, 1), self.buttons, spacing=2)
        make_column(head, inner, parent=self, margins=(12, 8, 8, 12), spacing=6)
        self.pause.clicked.connect(self.pause_toggled)
        self.stop.clicked.connect(self.stop_requested)

    def show_paused(self, is_paused: bool) -> None:
        """Let the button pause or resume."""
        name = self.tr("Resume") if is_paused else self.tr("Pause")
        self.pause.setIcon(make_icon("play" if is_paused else "pause"))
        self.pause.setToolTip(name)
        self.pause.setAccessibleName(name)

    def show_subject(self, text: str) -> None:
        """Show what the task works on; nothing if the text is empty."""
        self.subject.setText(text)
        self.subject.setVisible(bool(text))

    def show_progress(self, fraction: float | None, detail: str) -> None:
        """Show how much is done, 0 to 1 or None if that is unknown, and say more about it."""
        self.bar.show_fraction(fraction)
        self.detail.setText(detail)
