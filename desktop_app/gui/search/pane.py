"""The Search pane: the results below the search box."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QBoxLayout,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop_app.core.vaults import make_obsidian_link
from desktop_app.gui.base import desktop
from desktop_app.gui.base.actions import ShortcutTip
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.results.hit_delegate import CARD_MARGIN_PX, MAX_CARD_WIDTH_PX, DocumentHitCardDelegate
from desktop_app.gui.results.hit_list import HitListView
from desktop_app.gui.results.hit_model import HitModel
from desktop_app.gui.results.scope import SearchScope
from desktop_app.gui.results.scope_bar import ScopeBar
from desktop_app.gui.search.query_bar import QueryBar
from desktop_app.gui.search.threshold import ThresholdBar
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.pane import Pane
from desktop_app.gui.widgets.state_view import StateView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop_app.core.records import Hit
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.results.concordance import ConcordanceDelegate
    from desktop_app.gui.results.highlighting import HighlightTerms, WordShade
    from desktop_app.gui.results.hit_context import HitContext
    from desktop_app.gui.widgets.state_view import StateContent

HIT_ACTIONS = (
    "hit.open",
    "hit.show_in_folder",
    "hit.copy",
    "hit.copy_citation",
    "hit.compare",
    "hit.more",
    "hit.less",
    "hit.next",
    "hit.previous",
    "hit.keys",
)
_MENU_ACTIONS = (
    ("hit.copy_markdown", "hit.copy_bibtex", "hit.cite", "hit.copy_link"),
    ("hit.pin", "hit.relevant", "hit.not_relevant"),
    ("hit.more", "hit.compare"),
)
_PAGE_STEP = 5
_MAX_CONCORDANCE_LINES = 50  # of a concordance
_NARROW_PANE_PX = 560
_NARROWED = ("nothing_near", "nothing_here", "nothing_left", "nothing_found", "searching")


class SearchPane(Pane):
    """Shows the hits as cards, or a message in their place.

    Attributes:
        activated: the person opens a hit; carries the Hit.
        chosen: the current hit changed; carries the Hit or None. The reader follows it.
        context_wanted: the person asks for more text around a hit; carries the Hit.
        filters_wanted: the person asks for the filters.
        context_closed: the person asks for the neighbours of a hit only.
        spelling_accepted: the person wants to search for the suggested spelling.
        model: the hits.
        scope: the parts of the library that are searched.
    """

    activated = Signal(object)
    chosen = Signal(object)
    context_wanted = Signal(object)
    context_closed = Signal()
    filters_wanted = Signal()
    spelling_accepted = Signal()

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.model = self._model = model = HitModel(self)
        self.scope = SearchScope(self)
        self.scope.follow_library(context)
        self._actions = actions = context.actions
        self._themes = context.themes
        # Before a reset: the current sentence, whether it is the first, and the scroll position.
        self._place: tuple[int | None, bool, int] | None = None
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Search results"))
        self.setMinimumWidth(320)
        self.info = ElidedLabel(self.tr("About these results"), "muted")
        self.info.setFont(scale_font(self.info.font(), 0.9))
        self.info.setContentsMargins(0, 0, 0, 0)
        self.view = HitListView(self.tr("Results"))
        self.view.setModel(model)
        self._cards = DocumentHitCardDelegate(self.view, self._themes)
        self._cards.follow_scores(actions["search.exact_scores"])
        self.view.setItemDelegate(self._cards)
        self._lines: ConcordanceDelegate | None = None
        actions["search.concordance"].toggled.connect(lambda _checked: self._choose_view())
        self._cards.more_wanted.connect(self.show_more_context)
        self._cards.less_context_wanted.connect(self.show_less_context)
        for signal in (model.modelReset, model.dataChanged):
            signal.connect(self._cards.clear_sizes)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.activated.connect(lambda index: self.activated.emit(model.hit(index)))
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        model.modelAboutToBeReset.connect(self._keep_place)
        model.modelReset.connect(self._on_reset)
        self.state = StateView()
        results = QWidget()
        results.setAccessibleName(self.tr("Search results"))
        self._line = QWidget()
        self._line.setAccessibleName(self.tr("About these results"))
        self.threshold = ThresholdBar()
        self.filters = QToolButton()
        self.filters.setIcon(make_icon("list-filter"))
        ShortcutTip(self.filters, actions["search.filters"])
        self.filters.setAccessibleName(self.tr("Filters"))
        self.filters.clicked.connect(self.filters_wanted)
        make_row((self.info, 1), self.threshold, self.filters, parent=self._line, margins=(16, 6, 16, 2), spacing=10)
        self.remark = make_label(weight=QFont.Weight.Medium, wrap=True)
        self.remark.setProperty("surface", "banner")
        self.remark.setAccessibleName(self.tr("Quality of these results"))
        self._banner = QWidget()
        self._banner.setAccessibleName(self.remark.accessibleName())
        self.remark.setMaximumWidth(MAX_CARD_WIDTH_PX)
        self.get_model = make_push_button(self._actions["models.multilingual"].text().replace("&", ""))
        self.get_model.clicked.connect(self._actions["models.multilingual"].trigger)
        self.get_model.hide()
        self.correct = make_push_button(self.tr("Search for This"))
        self.correct.clicked.connect(self.spelling_accepted)
        self.correct.hide()
        buttons = ((button, 0, Qt.AlignmentFlag.AlignLeft) for button in (self.correct, self.get_model))
        self._banner_row = make_row((self.remark, 1), *buttons, parent=self._banner, spacing=10)
        self._banner.hide()
        make_column((self.view, 1), parent=results, spacing=0)
        self._stack = QStackedWidget()
        self._stack.setAccessibleName(self.tr("Search results"))
        self._stack.addWidget(self.state)
        self._stack.addWidget(results)
        self.query_bar = QueryBar(actions)
        self.scope_bar = ScopeBar(self.scope, clear_action=actions["search.everywhere"])
        make_column(self.query_bar, self.scope_bar, self._line, self._banner, (self._stack, 1), parent=self, spacing=0)
        actions.add_to_pane("search", self)
        self._actions.enable(HIT_ACTIONS, False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave room for the line about the hits."""
        super().resizeEvent(event)
        beside = self.view.verticalScrollBar().sizeHint().width()  # the banner is as wide as the cards
        self._banner_row.setContentsMargins(CARD_MARGIN_PX, 4, CARD_MARGIN_PX + beside, 6)
        is_narrow = self.width() < _NARROW_PANE_PX
        # In a narrow pane a long button would leave the remark a column of single words.
        self._banner_row.setDirection(
            QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        )
        self.threshold.set_compact(is_narrow)

    def filter_button_position(self) -> QPoint:
        """Return the point of the screen at which the filters open: the upper right corner of their list."""
        button = self.filters
        if not button.isVisible():
            return self.mapToGlobal(QPoint(self.width() - 16, self.query_bar.height()))
        return button.mapToGlobal(button.rect().bottomRight() + QPoint(0, 4))

    # What is shown

    def show_info(self, line: str, remark: str, *, needs_model: bool = False, question: str = "") -> None:
        """Show a line about all hits, and a warning about them, if any.

        Args:
            line: about the hits.
            remark: the warning; empty for none. A message in place of hits says as much.
            needs_model: whether another model would help.
            question: whether another spelling was meant; empty for none.
        """
        has_hits = self._stack.currentIndex() == 1
        said = " ".join(filter(None, (question, remark if has_hits else "")))
        self.info.setText(line)
        self.remark.setText(said)
        self.get_model.setVisible(needs_model and not question)
        self.correct.setVisible(bool(question))
        self._banner.setVisible(bool(said))

    def show_view(self, view: StateContent | None) -> None:
        """Show a message in place of hits; None shows the hits.

        The filters stay visible if they are the reason that there are no hits.
        """
        self._line.setVisible(view is None or view.kind in _NARROWED)
        if view is None:
            self._stack.setCurrentIndex(1)
        else:
            self.info.setText("")
            self._banner.hide()
            self.state.show_view(view, [self._actions[action] for action in view.actions])
            self._stack.setCurrentIndex(0)

    def visible_row_count(self) -> int:
        """Return how many hits the list can show at once, or more: it has no height before it is shown."""
        return (
            _MAX_CONCORDANCE_LINES
            if self.view.itemDelegate() is not self._cards
            else self._cards.max_rows_within(self.height())
        )

    def show_answer(self, again: bool) -> None:
        """Restore selection and position after new hits; `again`: they answer the same query as before."""
        result = self._model.result
        self._cards.set_result(result)
        self._choose_view()
        if self._place is not None:
            (sentence_id, was_first, scroll), self._place = self._place, None
            row = self._model.row_of(sentence_id) if again and sentence_id is not None else None
            if was_first and result is not None and result.reranked:
                row = 0  # the first hit was current: the first one of the new order becomes current
            if self._model.rowCount():
                chosen = self._model.index(row or 0)
                self._cards.set_expected_unfolded(self._model.hit(chosen))
                self.view.setCurrentIndex(chosen)
            else:
                self._on_current_changed(QModelIndex(), QModelIndex())
            if again:
                self.view.verticalScrollBar().setValue(scroll)
            else:
                self.view.scrollToTop()
        elif self._model.rowCount() and self.current is None:
            self.view.setCurrentIndex(self._model.index(0))
        self.view.viewport().update()

    def _choose_view(self) -> None:
        """Show hits as cards, or hits of a search by words as a concordance."""
        result = self._model.result
        in_lines = result is not None and result.mode == "words" and not result.documents
        wanted = in_lines and self._actions["search.concordance"].isChecked()
        if wanted and self._lines is None:
            from desktop_app.gui.results.concordance import ConcordanceDelegate

            self._lines = ConcordanceDelegate(self.view, self._themes)
        if self._lines is not None:
            self._lines.set_highlight_terms(self._cards.highlight_terms)
        delegate = self._lines if wanted and self._lines is not None else self._cards
        if self.view.itemDelegate() is not delegate:
            self.view.setItemDelegate(delegate)
            self.view.doItemsLayout()
            self.view.scrollTo(self.view.currentIndex())

    def _keep_place(self) -> None:
        hit = self.current
        sentence_id = hit.sentence_id if hit is not None else None
        self._place = sentence_id, self.view.currentIndex().row() == 0, self.view.verticalScrollBar().value()

    @property
    def current(self) -> Hit | None:
        """The current hit."""
        index = self.view.currentIndex()
        return self._model.hit(index) if index.isValid() else None

    @property
    def sought(self) -> HighlightTerms:
        """The words that are marked in the hits."""
        return self._cards.highlight_terms

    # What is done

    def step(self, by: int) -> None:
        """Select a hit further down or up; the focus does not move."""
        rows = self._model.rowCount()
        if not rows:
            return
        current = self.view.currentIndex().row()
        row = min(max(current + by, 0), rows - 1)
        self.view.setCurrentIndex(self._model.index(row))
        if row >= rows - _PAGE_STEP and self._model.canFetchMore(QModelIndex()):
            self._model.fetchMore(QModelIndex())

    def show_more_context(self) -> None:
        """Show more text around the current hit."""
        hit = self.current
        context = self._cards.context
        if hit is not None and (context is None or context.sentence_id != hit.sentence_id or not context.is_whole):
            self.context_wanted.emit(hit)

    def show_less_context(self) -> None:
        """Show only the neighbours of the current hit."""
        self.context_closed.emit()
        self.show_context(None)

    def show_shades(self, sentence_id: int, shades: Sequence[WordShade]) -> None:
        """Shade the words that make a hit similar to the query."""
        self._cards.show_shades(sentence_id, shades)
        self.view.viewport().update()

    def show_context(self, context: HitContext | None) -> None:
        """Show the text around a hit if it is still the current one."""
        index = self.view.currentIndex()
        hit = self.current
        if hit is None or (context is not None and context.sentence_id != hit.sentence_id):
            return
        if self._cards.show_context(context, index):
            self.view.doItemsLayout()
        self.view.viewport().update()
        self.view.scrollTo(index)

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        hit = self._model.hit(current) if current.isValid() else None
        if self._cards.unfold(current, previous):
            self.view.doItemsLayout()
        if current.isValid():
            self.view.scrollTo(current)
        self._actions.enable(HIT_ACTIONS, hit is not None)
        self.chosen.emit(hit)

    def _on_reset(self) -> None:
        if not self._model.rowCount():
            self._on_current_changed(QModelIndex(), QModelIndex())  # Qt emits no signal for it

    def _show_menu(self, at: QPoint) -> None:
        if not self.view.indexAt(at).isValid():
            return
        menu = make_popup_menu(self, self.tr("Result"))
        for action in ("hit.copy_citation", "hit.copy"):
            menu.addAction(self._actions[action])
        for group in _MENU_ACTIONS:
            menu.addSeparator()
            for action in group:
                menu.addAction(self._actions[action])
        menu.addSeparator()
        menu.addAction(self._actions["reader.open_tab"])
        for action in ("hit.open", "hit.show_in_folder", "hit.keys"):
            menu.addAction(self._actions[action])
        if (hit := self.current) is not None and make_obsidian_link(hit.path):
            text = self.tr("Open in Obsidian")
            menu.addAction(make_icon("external-link"), text, partial(desktop.open_in_obsidian, hit.path))
        menu.popup(self.view.viewport().mapToGlobal(at))
