"""The base of the panes, which the window shows one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Pane(QWidget):
    """A pane; its focus proxy receives the focus when the pane is shown."""

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions that the pane's own actions call, by action id."""
        return {}
