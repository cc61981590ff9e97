"""What lists and tables share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea


def reserve_scroll_bar(view: QAbstractScrollArea) -> None:
    """Leave a vertical scroll bar its place, so that lines keep their width; where all is in sight it is not seen."""
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar = view.verticalScrollBar()
    bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
    bar.setEnabled(bar.maximum() > bar.minimum())


def edit_row_in_place(view: QAbstractItemView, index: QModelIndex) -> None:
    """Let a row of a view be typed, unless one is being typed already or it is not for typing."""
    if view.state() != view.State.EditingState and index.flags() & Qt.ItemFlag.ItemIsEditable:
        view.edit(index)
