"""Helpers for lists and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea


def reserve_scroll_bar(view: QAbstractScrollArea) -> None:
    """Reserve room for a vertical scroll bar, so that lines keep their width; it is invisible if everything fits."""
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar = view.verticalScrollBar()
    bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
    bar.setEnabled(bar.maximum() > bar.minimum())


def edit_row_in_place(view: QAbstractItemView, index: QModelIndex) -> None:
    """Edit a row of a view, unless one is being edited or the row is read-only."""
    if view.state() != view.State.EditingState and index.flags() & Qt.ItemFlag.ItemIsEditable:
        view.edit(index)
