"""Progress of a long task."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class ProgressBar(QProgressBar):
    """A bar that shows a share, and is empty and still while none is known.

    Qt's own runs to and fro then. Here nothing moves by itself, as systems ask for where persons cannot bear it
    (reduced motion): what is going on is said in the words beside it.
    """

    def setRange(self, minimum: int, maximum: int) -> None:
        """Set what is none and all of it; both alike: nobody knows how much all is."""
        super().setRange(minimum, max(maximum, minimum + 1))
        if maximum <= minimum:
            self.setValue(minimum)
