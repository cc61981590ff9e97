"""How the search looks for things: its mode, the operators of the query as chips, and help on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop_app.core.query import clean_query, operators
from desktop_app.gui.icons import icon
from desktop_app.gui.names import language
from desktop_app.gui.panes.scope_bar import Chip, fitting
from desktop_app.gui.search_actions import MODES
from desktop_app.gui.widgets import choice_button, label
from desktop_app.gui.words import number, tooltip, translate

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from desktop_app.core.query import Operator
    from desktop_app.gui.actions import Actions

_MOST_CHIPS = 12
_MORE_PX = 34  # for how many conditions have no chip
_MARGINS = QMargins(16, 8, 12, 0)


class QueryBar(QWidget):
    """A line above the hits, and below it a second one while the query has operators.

    Attributes:
        rewritten: an operator was taken out of the query; carries the new text.
    """

    rewritten = Signal(object)

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("How to search"))
        self._text = ""
        self._shown: tuple[str, int, int] | None = None
        line = QWidget()
        line.setAccessibleName(self.tr("How to search"))
        self._row = QHBoxLayout(line)
        self._row.setContentsMargins(_MARGINS)
        self._row.setSpacing(4)
        self._buttons: list[QToolButton] = []
        names = {"both": self.tr("Both"), "meaning": self.tr("Meaning"), "words": self.tr("Words")}
        for mode in MODES:
            action = actions[f"search.mode.{mode}"]
            button = choice_button(action, names[mode])
            button.setAccessibleName(action.text().replace("&", ""))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            self._row.addWidget(button)
            self._buttons.append(button)
        self.by_document = self._add_switch(actions["search.by_document"], "file-text")
        self.rerank = self._add_switch(actions["search.rerank"], "rank")
        self._row.addStretch(1)
        self.help = QToolButton()
        self.help.setText("?")
        self.help.setAccessibleName(self.tr("Search notation"))
        self.help.setToolTip(actions["search.notation"].toolTip())
        self.help.clicked.connect(actions["search.notation"].trigger)
        self._row.addWidget(self.help)
        line.setFixedHeight(self._buttons[0].sizeHint().height() + 12)
        self._conditions = QWidget()
        self._conditions.setAccessibleName(self.tr("Conditions of the query"))
        self._chip_row = QHBoxLayout(self._conditions)
        self._chip_row.setContentsMargins(_MARGINS)
        self._chip_row.setSpacing(4)
        self.more = label(tone="muted", factor=0.9)
        self.more.setContentsMargins(4, 0, 0, 0)
        self.more.hide()
        self._chip_row.addWidget(self.more)
        self._chip_row.addStretch(1)
        self._conditions.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(line)
        column.addWidget(self._conditions)
        for row in (self._row, self._chip_row):
            row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # the pane does not grow with its chips
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chips: list[Chip] = []

    def _add_switch(self, action: QAction, picture: str) -> QToolButton:
        button = choice_button(action, action.text().replace("&", ""))
        button.setAutoExclusive(False)
        button.setIcon(icon(picture))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(button.text())
        self._row.addWidget(button)
        self._buttons.append(button)
        return button

    def show_query(self, text: str) -> None:
        """Show the operators of a query."""
        self._text = clean_query(text)
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more chips, or fewer."""
        super().resizeEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        every = operators(self._text)
        chips = [self._chip(operator) for operator in every[:_MOST_CHIPS]]
        room = self.width() - _MARGINS.left() - _MARGINS.right()
        widths = [chip.sizeHint().width() for chip in chips]
        if len(every) > 1 and fitting(widths, room) < len(every):
            room -= _MORE_PX
        if chips and widths[0] > room:
            chips[0].shorten(room)
        count = fitting(widths, room)
        shown = (self._text, count, room if count == 1 else 0)
        if shown == self._shown:
            return
        self._shown = shown
        for chip in self.chips:
            self._chip_row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = chips[:count]
        for nth, chip in enumerate(self.chips):
            self._chip_row.insertWidget(nth, chip)
        rest = "\n".join(operator_in_words(operator) for operator in every[count:])
        self.more.setText(f"+{number(len(every) - count)}")
        self.more.setToolTip(tooltip(rest))
        self.more.setAccessibleName(self.tr("Further conditions: {what}").format(what=", ".join(rest.splitlines())))
        self.more.setVisible(bool(rest))
        if chips:
            self._conditions.setFixedHeight(chips[0].sizeHint().height() + _MARGINS.top())
        self._conditions.setVisible(bool(chips))

    def _chip(self, operator: Operator) -> Chip:
        says = operator_in_words(operator)
        chip = Chip(says, self.tr("Take out: {what}").format(what=says), "list-filter", self.tr("Click to take it out"))
        text = self._text
        rest = " ".join(f"{text[: operator.start]} {text[operator.stop :]}".split())
        # The chip is deleted on the way: not before its own click is through.
        chip.clicked.connect(lambda: self.rewritten.emit(rest), Qt.ConnectionType.QueuedConnection)
        return chip


def operator_in_words(operator: Operator) -> str:
    """Return what an operator asks for."""
    texts = {
        "must": translate("query", "with “{value}”"),
        "without": translate("query", "without “{value}”"),
        "title": translate("query", "title has “{value}”"),
        "in": translate("query", "in {value}"),
        "collection": translate("query", "in the collection {value}"),
        "tag": translate("query", "with the tag {value}"),
        "type": translate("query", "type {value}"),
        "language": translate("query", "in the language {value}"),
        "after": translate("query", "from {value} on"),
        "before": translate("query", "before {value}"),
        "with": translate("query", "also in lists of references"),
    }
    value = language(operator.value) if operator.kind == "language" else operator.value
    return texts[operator.kind].format(value=value)
