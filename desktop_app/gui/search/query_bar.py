"""How a search is done: its mode, the operators of the query as chips, and help on them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from desktop_app.core.query import clean_query, find_operators, parse_query, set_match, split_list
from desktop_app.core.word_conditions import ExactPhrase
from desktop_app.gui.base.actions import ShortcutTip
from desktop_app.gui.base.display_text import format_number, language_name, make_tooltip, translate
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.results.scope_bar import ScopeChip, count_fitting_chips
from desktop_app.gui.search.actions import MATCH_ACTIONS, SEARCH_MODES
from desktop_app.gui.widgets.buttons import make_choice_button, make_close_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from desktop_app.core.query import QueryOperator
    from desktop_app.gui.base.actions import ActionTable

_MAX_CHIPS = 12
_MORE_PX = 34  # for the number of conditions without a chip
_MARGINS = QMargins(16, 8, 12, 0)


class QueryBar(QWidget):
    """A line above the hits, with a second one while the query has operators.

    Attributes:
        rewritten: an operator was added to the query or removed; carries the new text.
        match: the choice whether results are good for any of several queries or for all; hidden for one query.
    """

    rewritten = Signal(object)

    def __init__(self, actions: ActionTable) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("How to search"))
        self._text = ""
        self._actions = actions
        self._shown: tuple[str, int, int] | None = None
        line = QWidget()
        line.setAccessibleName(self.tr("How to search"))
        self._row = QHBoxLayout(line)
        self._row.setContentsMargins(_MARGINS)
        self._row.setSpacing(4)
        self._buttons: list[QToolButton] = []
        names = {"both": self.tr("Both"), "meaning": self.tr("Meaning"), "words": self.tr("Words")}
        for mode in SEARCH_MODES:
            action = actions[f"search.mode.{mode}"]
            button = make_choice_button(action, names[mode])
            button.setAccessibleName(action.text().replace("&", ""))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            self._row.addWidget(button)
            self._buttons.append(button)
        self.by_document = self._add_switch(actions["search.by_document"], "file-text")
        self.rerank = self._add_switch(actions["search.rerank"], "rank")
        self._row.addStretch(1)
        self.help = QToolButton()
        self.help.setText("?")
        self.help.setAccessibleName(self.tr("Search operators"))
        ShortcutTip(self.help, actions["search.notation"])
        self.help.clicked.connect(actions["search.notation"].trigger)
        self._row.addWidget(self.help)
        line.setFixedHeight(self._buttons[0].sizeHint().height() + 12)
        self._conditions = QWidget()
        self._conditions.setAccessibleName(self.tr("Active conditions"))
        self._chip_row = QHBoxLayout(self._conditions)
        self._chip_row.setContentsMargins(_MARGINS)
        self._chip_row.setSpacing(4)
        self.match = QWidget()
        self.match.setAccessibleName(self.tr("Match"))
        label = make_label(self.tr("Match"), tone="muted", factor=0.9, name=self.tr("Match"))
        make_row(label, *self._make_match_buttons(), parent=self.match, spacing=4)
        self._chip_row.addWidget(self.match)
        self.match.hide()
        self.more = make_label(tone="muted", factor=0.9)
        self.more.setContentsMargins(4, 0, 0, 0)
        self.more.hide()
        self._chip_row.addWidget(self.more)
        self._chip_row.addStretch(1)
        self._conditions.hide()
        make_column(line, self._conditions, parent=self, spacing=0)
        for row in (self._row, self._chip_row):
            row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # keeps the pane from growing with its chips
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chips: list[ScopeChip] = []

    def _make_match_buttons(self) -> list[QToolButton]:
        names = {"search.match.any": self.tr("Any"), "search.match.all": self.tr("All")}
        buttons = []
        for name in MATCH_ACTIONS:
            action = self._actions[name]
            button = make_choice_button(action, names[name])
            button.setAccessibleName(action.text().replace("&", ""))
            is_all = name == "search.match.all"
            action.triggered.connect(partial(self._set_match, is_all))
            buttons.append(button)
        return buttons

    def _set_match(self, is_match_all: bool, _checked: bool = False) -> None:
        self.rewritten.emit(set_match(self._text, is_match_all=is_match_all))

    def _add_switch(self, action: QAction, picture: str) -> QToolButton:
        button = make_choice_button(action, action.text().replace("&", ""))
        button.setAutoExclusive(False)
        button.setIcon(make_icon(picture))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(button.text())
        self._row.addWidget(button)  # before it is visible: without a parent it would be a window
        button.setVisible(action.isVisible())
        action.visibleChanged.connect(lambda: button.setVisible(action.isVisible()))
        self._buttons.append(button)
        return button

    def show_query(self, text: str) -> None:
        """Show the operators of a query."""
        self._text = clean_query(text)
        query = parse_query(self._text)
        self._actions.enable(MATCH_ACTIONS, bool(query.parts))
        self._actions[MATCH_ACTIONS[query.is_match_all]].setChecked(True)
        self.match.setVisible(bool(query.parts))
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more chips, or fewer."""
        super().resizeEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        has_parts = not self.match.isHidden()
        every = [each for each in find_operators(self._text) if each.kind != "match" or not has_parts]
        chips = [self._chip(operator) for operator in every[:_MAX_CHIPS]]
        room = self.width() - _MARGINS.left() - _MARGINS.right()
        if has_parts:
            room -= self.match.sizeHint().width() + self._chip_row.spacing()
        widths = [chip.sizeHint().width() for chip in chips]
        if len(every) > 1 and count_fitting_chips(widths, room) < len(every):
            room -= _MORE_PX
        if chips and widths[0] > room:
            chips[0].shorten(room)
        count = count_fitting_chips(widths, room)
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
            self._chip_row.insertWidget(nth + 1, chip)  # after the choice between any and all
        rest = "\n".join(describe_operator(operator) for operator in every[count:])
        self.more.setText(f"+{format_number(len(every) - count)}")
        self.more.setToolTip(make_tooltip(rest))
        self.more.setAccessibleName(self.tr("More conditions: {what}").format(what=", ".join(rest.splitlines())))
        self.more.setVisible(bool(rest))
        heights = [*(chip.sizeHint().height() for chip in chips[:1]), *[self.match.sizeHint().height()] * has_parts]
        if heights:
            self._conditions.setFixedHeight(max(heights) + _MARGINS.top())
        self._conditions.setVisible(bool(heights))

    def _chip(self, operator: QueryOperator) -> ScopeChip:
        says = describe_operator(operator)
        chip = ScopeChip(says, self.tr("Remove: {what}").format(what=says), "list-filter", self.tr("Click to remove"))
        text = self._text
        rest = " ".join(f"{text[: operator.start]} {text[operator.stop :]}".split())
        # Queued, because the chip is deleted: not before its click is handled.
        chip.clicked.connect(lambda: self.rewritten.emit(rest), Qt.ConnectionType.QueuedConnection)
        return chip


def describe_operator(operator: QueryOperator) -> str:
    """Return the meaning of an operator."""
    if isinstance(operator.condition, ExactPhrase) and operator.kind == "must":
        return translate("query", "with exactly “{value}”").format(value=operator.value)
    texts = {
        "must": translate("query", "with “{value}”"),
        "start": translate("query", "with “{value}…”"),
        "group": translate("query", "with {value}"),
        "without": translate("query", "without “{value}”"),
        "title": translate("query", "title contains “{value}”"),
        "author": translate("query", "by {value}"),
        "year": translate("query", "of {value}"),
        "in": translate("query", "in {value}"),
        "collection": translate("query", "in collection {value}"),
        "tag": translate("query", "tagged {value}"),
        "type": translate("query", "type {value}"),
        "language": translate("query", "in {value}"),
        "after": translate("query", "since {value}"),
        "before": translate("query", "before {value}"),
        "with": translate("query", "including references"),
        "match": translate("query", "matching {value}"),
        "kind": translate("query", "only highlights and notes")
        if operator.value == "note"
        else translate("query", "only sentences"),
    }
    value = operator.value
    if operator.kind in ("language", "type"):
        parts = split_list(value)
        value = ", ".join(language_name(each) for each in parts) if operator.kind == "language" else ", ".join(parts)
    return texts[operator.kind].format(value=value)


def list_search_operators() -> list[tuple[str, str]]:
    """Return (example, meaning) of every operator."""
    return [
        ('"exact phrase"', translate("notation", "exactly these words, in this order")),
        ('~"rising sea"', translate("notation", "these words in any form (rise, rises, seas)")),
        ("flood*", translate("notation", "a word that begins like this")),
        (
            "(port OR quay) tide",
            translate("notation", "must include one of these (also AND, NOT)"),
        ),
        ("+word", translate("notation", "must include this word")),
        ("-word", translate("notation", "must not include this word or phrase")),
        ("title:waves", translate("notation", "the title of the document contains this word")),
        ("author:woolf", translate("notation", "the author's name contains this word")),
        ("year:1925", translate("notation", "documents of this year (also 1920-1929)")),
        ("in:papers", translate("notation", "only in this folder or file")),
        ("collection:thesis", translate("notation", "only in this collection")),
        ("tag:unread", translate("notation", "only documents with this tag")),
        ("type:pdf", translate("notation", "only documents of this type or file extension (also pdf,docx)")),
        ("language:de", translate("notation", "documents in this language (short: lang:)")),
        ("after:2024-05", translate("notation", "documents of this date or later (before: for earlier)")),
        ("kind:note", translate("notation", "only highlights and notes (kind:sentence: only sentences)")),
        ("with:references", translate("notation", "include reference lists (excluded by default)")),
        ("bank - river", translate("notation", "results about the first but not the second")),
        ("king + woman", translate("notation", "results about both")),
        ("sea level | high tide", translate("notation", "several searches at once: results match at least one")),
        ("sea | town match:all", translate("notation", "results match all of them, ranked by their weakest match")),
    ]


class SearchOperatorsDialog(QDialog):
    """Shows the operators, each with an example."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Search operators"))
        self.setAccessibleName(self.tr("Search operators"))
        title = make_label(
            self.tr("Search operators"), factor=1.2, weight=QFont.Weight.DemiBold, name=self.tr("Heading")
        )
        about = make_label(
            self.tr("A question, a sentence or a few words are enough. For more precise results:"),
            tone="muted",
            factor=0.95,
            name=self.tr("Introduction"),
        )
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        for row, (example, what) in enumerate(list_search_operators()):
            sample = make_label(example)
            sample.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            sample.setAccessibleName(example)
            says = make_label(what, tone="muted", name=what)
            grid.addWidget(sample, row, 0)
            grid.addWidget(says, row, 1)
        grid.setColumnStretch(1, 1)
        area = QScrollArea()  # at 200 % a screen is too low for all rows
        area.setWidget(rows)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setSizeAdjustPolicy(QScrollArea.SizeAdjustPolicy.AdjustToContents)
        area.setMinimumWidth(rows.minimumSizeHint().width())
        area.setAccessibleName(self.tr("Search operators"))
        end = make_row("stretch", make_close_button(self))
        make_column(title, about, area, end, parent=self, margins=(24, 20, 24, 18), spacing=12)
        self.resize(self.sizeHint().width(), rows.sizeHint().height() + 180)
