"""Rows and columns of widgets, and the first size of windows and dialogs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    Margins = int | tuple[int, int, int, int] | None
    LayoutItem = (
        QWidget
        | QLayout
        | int
        | Literal["stretch"]
        | tuple[QWidget | QLayout, int]
        | tuple[QWidget, int, Qt.AlignmentFlag]
    )

LayoutT = TypeVar("LayoutT", bound=QBoxLayout)

_FRAME = QSize(16, 48)  # about what a window manager adds around a window


def make_row(
    *items: LayoutItem, parent: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Return a row of items; see `fill_layout`.

    Args:
        items: from left to right.
        parent: the widget that the row lays out; None for a row inside another layout.
        margins: in pixels, one for all sides or left, top, right, bottom; None for those of the style.
        spacing: pixels between items; None for that of the style.
    """
    return fill_layout(QHBoxLayout(), items, parent, margins, spacing)


def make_column(
    *items: LayoutItem, parent: QWidget | None = None, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Return a column of items, from top to bottom; see `make_row`."""
    return fill_layout(QVBoxLayout(), items, parent, margins, spacing)


def fill_layout(
    layout: LayoutT, items: tuple[LayoutItem, ...], parent: QWidget | None, margins: Margins, spacing: int | None
) -> LayoutT:
    """Add items to a layout and return it.

    An item is a widget, a layout, a number of pixels to leave free, `"stretch"` for all the room that is left, or a
    tuple of a widget (or layout) and its stretch factor, with an alignment if the widget has one.
    """
    if parent is not None:
        parent.setLayout(layout)
    if isinstance(margins, int):
        layout.setContentsMargins(margins, margins, margins, margins)
    elif margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        if isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, str):
            layout.addStretch(1)
        else:
            part, stretch, *alignment = item if isinstance(item, tuple) else (item, 0)
            if isinstance(part, QWidget):
                layout.addWidget(part, stretch, *alignment)
            else:
                layout.addLayout(part, stretch)
    return layout


def set_initial_size(window: QWidget, width: int, height: int) -> None:
    """Set the size of a window, limited to its screen: at 200 % there is less room than expected."""
    size = QSize(width, height)
    if QGuiApplication.platformName() != "offscreen":  # its screen is not real
        size = fit_to_screen(size, window.screen().availableGeometry().size())
    window.resize(size)


def grow_to_contents(window: QWidget) -> None:
    """Make a window as high as its contents need at its width, limited to its screen; never lower than it is."""
    layout = window.layout()
    if layout is not None:
        layout.activate()
        needed = layout.totalHeightForWidth(window.width())
        if needed > window.height():
            set_initial_size(window, window.width(), needed)


def fit_to_screen(size: QSize, screen: QSize) -> QSize:
    """Return a size limited to a screen, minus the frame of a window."""
    return size.boundedTo(screen - _FRAME)


def order_tabs(columns: Sequence[QWidget]) -> None:
    """Let Tab go through one column after the other: Qt goes through widgets in the order in which they were made."""
    first = columns[0]
    chain, widget = [first], first.nextInFocusChain()
    while widget is not None and widget is not first:
        chain.append(widget)
        widget = widget.nextInFocusChain()
    stops = [each for each in chain if each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.focusProxy() is None]
    ordered = [each for column in columns for each in stops if column.isAncestorOf(each)]
    for before, after in pairwise(ordered):
        QWidget.setTabOrder(before, after)
