"""What stands below the measures of two sentences: the nearest ones, their words, and earlier pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QListView,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.gui.comparing.word_view import WordView

if TYPE_CHECKING:
    from desktop_app.gui.comparing.history import PairHistory
    from desktop_app.gui.sides import Side
    from desktop_app.gui.theme import ThemeManager


class Parts(QWidget):
    """Shows one of three parts; a button for each stands above.

    Attributes:
        changed: another part is shown.
        taken_up: an earlier pair is to be compared again; carries a Compared.
        tabs: the buttons.
        words: which words differ, and which belong together.
        earlier: the list of earlier pairs.
    """

    changed = Signal()
    taken_up = Signal(object)

    def __init__(self, sides: tuple[Side, Side], history: PairHistory, themes: ThemeManager) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Below the measures"))
        self._history = history
        self.words = WordView(themes)
        self.earlier = self._list(history)
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(self.tr("Below the measures"))
        self.tabs: list[QToolButton] = []
        row = QHBoxLayout()
        row.setSpacing(4)
        for nth, (part, name, tip) in enumerate(
            (
                (_nearest(sides), self.tr("N&earest"), self.tr("The sentences of the library nearest to each")),
                (self.words, self.tr("&Words"), self.tr("Which words differ, and which belong together")),
                (self.earlier, self.tr("Ear&lier Pairs"), self.tr("What was compared before, until the program ends")),
            )
        ):
            button = QToolButton()
            button.setText(name)
            button.setAccessibleName(name.replace("&", ""))
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.toggled.connect(lambda on, nth=nth: self._on_tab(nth, on))
            row.addWidget(button)
            self.tabs.append(button)
            self.stack.addWidget(part)
        row.addStretch(1)
        self.tabs[0].setChecked(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.stack, 1)

    def _list(self, history: PairHistory) -> QListView:
        view = QListView()
        view.setObjectName("near")
        view.setAccessibleName(self.tr("Earlier pairs"))
        view.setModel(history)
        view.setUniformItemSizes(True)
        view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.activated.connect(self._take_up)
        view.clicked.connect(self._take_up)
        return view

    def _take_up(self, index: QModelIndex) -> None:
        if index.isValid():
            self.taken_up.emit(self._history.pair(index))

    def _on_tab(self, nth: int, on: bool) -> None:
        if on:
            self.stack.setCurrentIndex(nth)
            self.changed.emit()

    @property
    def needs_room(self) -> bool:
        """Whether the part that is shown is high."""
        return self.stack.currentWidget() is self.words


def _nearest(sides: tuple[Side, Side]) -> QWidget:
    part = QWidget()
    part.setAccessibleName(sides[0].near_title.text())
    grid = QGridLayout(part)
    grid.setContentsMargins(0, 4, 0, 0)
    grid.setHorizontalSpacing(24)
    grid.setRowStretch(1, 1)
    for column, side in enumerate(sides):
        grid.setColumnStretch(column, 1)
        grid.addWidget(side.near_title, 0, column)
        grid.addWidget(side.near, 1, column)
    return part
