"""The Duplicates pane: the most similar pairs, and both places of one side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QToolButton,
    QWidget,
)

from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.actions import ShortcutTip
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.base.window_context import ComparisonRequest, DuplicatesRequest
from desktop_app.gui.duplicates.actions import DUPLICATES_ACTION_IDS, PAIR_ACTION_IDS
from desktop_app.gui.duplicates.controller import MAX_EXPORTED_PAIRS, DuplicatesController
from desktop_app.gui.duplicates.delegate import DuplicatesDelegate
from desktop_app.gui.duplicates.filters import DuplicatesFilterBar
from desktop_app.gui.duplicates.model import DuplicatesModel, cite_pair
from desktop_app.gui.duplicates.passages import PassagesView
from desktop_app.gui.duplicates.side_by_side import SideBySideReader
from desktop_app.gui.results.hit_list import HitListView
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.page_stack import PageStack
from desktop_app.gui.widgets.pane import Pane
from desktop_app.gui.widgets.pane_splitter import PaneSplitter
from desktop_app.gui.widgets.progress_card import ProgressBar
from desktop_app.gui.widgets.state_view import StateContent, StateView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_app.core.duplicates import Pair, PairsPlace, PairsRequest
    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Hit
    from desktop_app.core.scope import Scope
    from desktop_app.gui.base.window_context import WindowContext

_MIN_WIDTH_PX = 556  # the filters fit in every language, and the library next to them into a window of 760 pixels
_PAIRS_SHARE = 0.46  # of the pane; the rest is for their documents


class DuplicatesPane(Pane):
    """Filters, the list, and below it both places of an opened pair."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._actions = context.actions
        self._former_position: tuple[Pair | None, int] = (None, 0)  # selected pair and scroll position before a reset
        self._restored: Pair | None = None  # a hidden pair that is about to be listed again
        self._parts: dict[tuple[frozenset[int] | None, Scope], str] = {}  # names of parts of the library
        self._had_focus = False
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Duplicates"))
        self.setMinimumWidth(_MIN_WIDTH_PX)
        self.model = DuplicatesModel(self)
        self.controller = DuplicatesController(context.session, self.model, self)
        self._lay_out()
        self._connect()
        self.setFocusProxy(self.view)
        self._enable()
        self._refresh()

    @cached_property
    def passages(self) -> PassagesView:
        """The list of repeated passages; made when it is first needed."""
        view = PassagesView(self._context, self.stack)
        self.stack.addWidget(view)
        view.changed.connect(self._refresh)
        view.failed.connect(self._context.tell_error)
        view.opened.connect(self._open_passage)
        view.list.installEventFilter(self)
        return view

    @cached_property
    def places(self) -> SideBySideReader:
        """Both places of a pair; made when they are first shown: two readers take as long as the rest of the pane."""
        places = SideBySideReader(self._context.make_reader, self.splitter)
        places.setMinimumHeight(150)  # so that the readers do not enlarge a small window
        places.closed.connect(self.close_places)
        places.hide()
        self.splitter.addWidget(places)
        self.splitter.divide("pairs", _PAIRS_SHARE)
        return places

    @property
    def _shows_places(self) -> bool:
        return "places" in self.__dict__ and self.places.isVisible()

    def _list(self) -> HitListView:
        view = HitListView(self.tr("Pairs"), self.stack)
        view.setModel(self.model)
        exact_scores = self._context.actions["search.exact_scores"]
        view.setItemDelegate(DuplicatesDelegate(view, self._context.themes, exact_scores))
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.setMinimumHeight(90)
        return view

    def _lay_out(self) -> None:
        # Each widget has its parent before it is filled: Qt styles everything inside anew with each new parent.
        self.splitter = PaneSplitter(self._context, Qt.Orientation.Vertical, self)
        self.splitter.setAccessibleName(self.tr("Pairs and their documents"))
        make_column(self.splitter, parent=self)
        upper = QWidget(self.splitter)
        upper.setAccessibleName(self.tr("Pairs"))
        self.splitter.addWidget(upper)
        self.filters = DuplicatesFilterBar(upper)
        self.info = ElidedLabel(self.tr("About these pairs"), "muted")
        self.info.setFont(scale_font(self.info.font(), 0.9))
        self.progress = ProgressBar()
        self.progress.setFixedWidth(120)
        self.cancel = QToolButton()
        self.cancel.setIcon(make_icon("square"))
        self.cancel.setToolTip(self.tr("Stop finding duplicates (Esc)"))
        self.cancel.setAccessibleName(self.tr("Stop finding duplicates"))
        self.again = QToolButton()
        self.again.setIcon(make_icon("rotate-ccw"))
        self.again.setToolTip(self.tr("Find duplicates again"))
        self.again.setAccessibleName(self.tr("Find duplicates again"))
        self.save = QToolButton()
        self.save.setIcon(make_icon("save"))
        ShortcutTip(self.save, self._actions["pair.export"])
        self.save.setAccessibleName(self.tr("Export pairs"))
        self.save.clicked.connect(self._actions["pair.export"].trigger)
        line = make_row(self.progress, self.cancel, self.again, self.save, margins=(16, 4, 12, 2), spacing=6)
        line.insertWidget(0, self.info, 1)
        self.stack = PageStack()
        self.stack.setAccessibleName(self.tr("Pairs"))
        make_column(self.filters, line, (self.stack, 1), parent=upper, spacing=0)
        self.state = StateView(self.stack)
        self.view = self._list()
        for each in (self.state, self.view):
            self.stack.addWidget(each)
        self._reset = QAction(self.tr("Show All Pairs"), self)
        self._reset.triggered.connect(self.controller.reset_request)
        self._anywhere = QAction(self.tr("Include Pairs Within One Document"), self)
        self._anywhere.triggered.connect(lambda: self.controller.change_request(where="anywhere"))
        self._retry = QAction(self.tr("Find Duplicates"), self)
        self._retry.triggered.connect(self.find_again)

    def _connect(self) -> None:
        controller, model = self.controller, self.model
        controller.changed.connect(self._refresh)
        self._context.session.changed.connect(self._refresh)  # whether there are documents
        controller.arrived.connect(self._on_arrived)
        controller.failed.connect(self._context.tell_error)
        model.modelAboutToBeReset.connect(self._save_position)
        model.rowsRemoved.connect(self._on_removed)
        model.dataChanged.connect(self._enable)
        self.filters.request_changed.connect(lambda changes: controller.change_request(**changes))
        self.filters.passages_wanted.connect(self._on_passages_wanted)
        self.cancel.clicked.connect(self.cancel_job)
        self.again.clicked.connect(self.find_again)
        self.view.activated.connect(lambda _index: self.open_places())
        self.view.customContextMenuRequested.connect(self._show_menu)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.view.installEventFilter(self)
        self._context.pair_judged.connect(self._on_judged)
        # Not to the whole pane: single letters belong to the list.
        self._actions.add_to_pane("pairs", self.view)

    # Visibility

    def showEvent(self, event: QShowEvent) -> None:
        """Find pairs when the pane becomes visible."""
        super().showEvent(event)
        if not self._shows_passages:
            self.controller.activate()
        self._refresh()  # the library may have changed meanwhile
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:
        """Find nothing while the pane is hidden."""
        super().hideEvent(event)
        self.controller.deactivate()
        self._actions.enable(DUPLICATES_ACTION_IDS, False)

    # Display

    @property
    def current(self) -> Pair | None:
        """The selected pair."""
        index = self.view.currentIndex()
        return self.model.pair(index) if index.isValid() else None

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions of the actions on pairs."""
        return {
            "pair.open": self.open_places,
            "pair.compare": self.compare,
            "pair.reviewed": self.toggle_reviewed,
            "pair.same": lambda: self.judge(True),
            "pair.different": lambda: self.judge(False),
            "pair.copy": self.copy,
            "pair.export": self.export,
        }

    def show_part(self, request: DuplicatesRequest) -> None:
        """Show only the pairs of a part of the library, and name the part above them."""
        self._parts[request.touching, request.scope] = request.name
        scope = replace(request.scope, all_passages=self.controller.request.scope.all_passages)
        self.controller.change_request(touching=request.touching, scope=scope)

    def _part_name(self, request: PairsRequest) -> str:
        """Return the name of the part of the library that limits a request; empty for the whole library."""
        return self._parts.get((request.touching, replace(request.scope, all_passages=False)), "")

    @property
    def _shows_passages(self) -> bool:
        return self.filters.passages.isChecked()

    @property
    def _is_busy(self) -> bool:
        """Whether what is listed is being found or written."""
        if self._shows_passages:
            return self.passages.is_working
        return self.controller.is_working or self.controller.is_exporting

    def _on_passages_wanted(self, on: object) -> None:
        if self._shows_places:
            self.close_places()
        # Both compare the same sentences: in the engine, the later search takes the place of the earlier one.
        if on:
            self.controller.pause()
        else:
            self.passages.pause()
            if self.isVisible():
                self.controller.activate()
        self._refresh()
        self._enable()
        if on:
            self.passages.list.setFocus()

    def _open_passage(self, first: Hit, second: Hit) -> None:
        self.places.show()
        self.places.show_hits(first, second)

    def find_again(self) -> None:
        """Find pairs or passages again."""
        if self._shows_passages:
            self.passages.find_passages(self.controller.request, again=True)
        else:
            self.controller.refresh()

    def cancel_job(self) -> None:
        """Stop what is being found or written."""
        if self._shows_passages:
            self.passages.cancel()
        else:
            self.controller.cancel()

    def _refresh(self) -> None:
        controller, rows = self.controller, self.model.rowCount()
        request = controller.request
        self.filters.show_request(request, self._part_name(request))
        passages = self.passages if self._shows_passages else None
        if passages is not None and self._context.session.status is not None and self.isVisible():
            passages.find_passages(request)
        progress = passages.progress if passages is not None else controller.progress
        is_slow = progress is not None
        is_busy = self._is_busy
        self.progress.setVisible(is_slow)
        self.cancel.setVisible(is_busy)
        is_finding = controller.is_working if passages is None else passages.is_finding
        stop = self.tr("Stop finding duplicates (Esc)") if is_finding else self.tr("Stop export (Esc)")
        self.cancel.setToolTip(stop)
        self.cancel.setAccessibleName(stop.partition(" (")[0])
        if progress is not None:
            self.progress.show_progress(progress)
        status = self._context.session.status
        sentences = status.library.visible_searchable if status is not None else 0
        view = (
            duplicates_state(controller, rows, sentences)
            if passages is None
            else passages_state(passages, sentences, request.where)
        )
        if passages is not None and view is None:
            self.stack.setCurrentWidget(passages)
        elif view is None:
            self.stack.setCurrentWidget(self.view)
            if self._had_focus:
                self._had_focus = False
                self.view.setFocus()
        else:
            # A hidden list or button loses the focus: the list gets it with the next pairs.
            focus = QApplication.focusWidget()
            is_offered = focus is not None and self.state.isAncestorOf(focus)
            self._had_focus = self._had_focus or self.view.hasFocus() or is_offered
            own = {"pairs.reset": self._reset, "pairs.retry": self._retry, "pairs.anywhere": self._anywhere}
            self.state.show_view(view, [own.get(name) or self._actions[name] for name in view.actions])
            self.stack.setCurrentWidget(self.state)
        has_documents = view is None or view.kind != "pairs_empty"
        for part in (self.filters, self.info, self.save):
            part.setVisible(has_documents)
        self.again.setVisible(has_documents and not is_busy)
        if is_slow:
            line = describe_progress(progress)
        elif passages is not None:
            line = passages.describe()
        else:
            line = describe_duplicates(controller, rows, self.model.is_complete)
        self.info.setText(line)
        listed = rows if passages is None else passages.list.count()
        can_export = listed > 0 and self.isVisible() and not is_busy
        self._actions.enable(("pair.export",), can_export)
        self.save.setEnabled(can_export)

    def _save_position(self) -> None:
        self._former_position = self.current, self.view.verticalScrollBar().value()

    def _on_arrived(self, is_same_request: object) -> None:
        """Restore selection and scroll position, if the arrived pairs answer the same request as those before."""
        pair, scroll = self._former_position
        row = self.model.row_of(pair) if is_same_request and pair is not None else None
        if self._restored is not None:
            pair, self._restored = self._restored, None
            row = self.model.row_of(pair)
        if self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(row or 0))
        else:
            self._enable()
        if is_same_request:
            self.view.verticalScrollBar().setValue(scroll)
        else:
            self.view.scrollToTop()
        if is_same_request and pair is not None and row is None and self._shows_places and self.places.pair is pair:
            self.close_places()  # one of its documents was removed

    def _on_removed(self) -> None:
        if not self.model.rowCount() and self.model.canFetchMore(QModelIndex()):
            self.model.fetchMore(QModelIndex())
        self._refresh()

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self._enable()
        if current.isValid():
            self.view.scrollTo(current)
            if self._shows_places:
                self.places.show_pair(self.model.pair(current))

    def _enable(self) -> None:
        self._actions.enable(
            PAIR_ACTION_IDS, self.current is not None and self.isVisible() and not self._shows_passages
        )

    # Actions

    def open_places(self) -> None:
        """Show both places of the selected pair; the focus stays in the list."""
        pair = self.current
        if pair is not None:
            self.places.show()
            self.places.show_pair(pair)
            # The list becomes lower in the next turn of the event loop.
            QTimer.singleShot(0, self.view, lambda: self.view.scrollTo(self.view.currentIndex()))

    def close_places(self) -> None:
        """Hide both places."""
        if "places" in self.__dict__:
            self.places.hide()
            self.places.clear()
        (self.passages.list if self._shows_passages else self.view).setFocus()

    def compare(self) -> None:
        """Compare the sentences of the selected pair."""
        pair = self.current
        if pair is not None:
            self._context.navigator.compare.emit(ComparisonRequest(pair.a.text, pair.b.text, pair))

    def toggle_reviewed(self) -> None:
        """Mark the selected pair as reviewed and select the next one, or remove the mark."""
        pair = self.current
        if pair is not None:
            self.controller.review(pair, not pair.reviewed)
            if pair.reviewed:
                return
            if self.controller.request.unreviewed:
                text = self.tr("Marked as reviewed and hidden.")
                self._context.offer(text, self.tr("Undo"), lambda: self._restore(pair))
            else:
                self._select_next_pair()

    def _restore(self, pair: Pair) -> None:
        """List a pair again that was hidden when it was reviewed, and select it."""
        self._restored = pair
        self.controller.restore(pair)

    def judge(self, same: bool) -> None:
        """Record whether the selected pair means the same; the same judgement again removes it."""
        pair = self.current
        if pair is not None:
            self.controller.judge(pair, None if pair.same is same else same)

    def _on_judged(self, judgement: tuple[str, str, bool | None]) -> None:
        """Show a judgement that was made elsewhere."""
        first, second, same = judgement
        for row in self.model.rows_with(first, second):
            self.model.change(row, same=same)

    def _select_next_pair(self) -> None:
        row = self.view.currentIndex().row() + 1
        if row < self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(row))

    def copy(self) -> None:
        """Copy both sentences with their documents and pages."""
        pair = self.current
        if pair is not None:
            self._context.copy(cite_pair(pair))

    def export(self) -> None:
        """Ask where to save the listed pairs."""
        formats = {
            "xlsx": self.tr("Excel workbook (*.xlsx)"),
            "csv": self.tr("Table (*.csv)"),
            "jsonl": self.tr("JSON lines (*.jsonl)"),
            "md": self.tr("Markdown (*.md)"),
        }
        if self._shows_passages:
            formats = {"html": self.tr("Web page (*.html)"), **formats}
            name = self.tr("repeated passages")
            file_dialogs.choose_save_file(self, self.tr("Export passages"), formats, self.export_to, suggestion=name)
            return
        request = self.controller.request
        part = self._part_name(request)
        name = self.tr("{name} - duplicates").format(name=part) if part else self.tr("duplicates")
        file_dialogs.choose_save_file(self, self.tr("Export pairs"), formats, self.export_to, suggestion=name)

    def export_to(self, file: str) -> None:
        """Write the pairs of the list to a file; only the best ones if there are very many."""
        if self._context.refuse_overwrite(file):
            return
        if self._shows_passages:
            done = self.tr("Exported {passages} to {file}.")
            self.passages.export(
                file,
                lambda count: self._context.tell(done.format(passages=display_text.count_passages(count), file=file)),
            )
            return

        def tell(count: int | None) -> None:
            if count is None:
                self._context.tell(self.tr("Export stopped. No file was written."))
                return
            text = self.tr("Exported the top {pairs} to {file}. For others, filter by document or similarity.")
            if count < MAX_EXPORTED_PAIRS:
                text = self.tr("Exported {pairs} to {file}.")
            self._context.tell(text.format(pairs=display_text.count_pairs(count), file=file))

        self.controller.export(file, tell)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Open with Enter; with Esc close both places or cancel the running job."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
            if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and watched is self.view:
                self.open_places()
                return True
            if plain and event.key() == Qt.Key.Key_Escape and (self._shows_places or self._is_busy):
                if self._shows_places:
                    self.close_places()
                else:
                    self.cancel_job()
                return True
            if plain and event.key() == Qt.Key.Key_F6 and self._shows_places:
                self.places.focus(0)
                return True
        return False

    def choose_place(self, pair: Pair, side: int) -> None:
        """Offer the other places of a sentence of a pair: the first (0) or the second."""
        other = pair.a if side else pair.b

        def show(hits: list[Hit]) -> None:
            menu = make_popup_menu(self, self.tr("Occurrences of the sentence"))
            for hit in hits:
                if pair.a.text == pair.b.text and hit.document_id == other.document_id:
                    continue  # the place of the other sentence
                parts = (display_text.document_name(hit.title, hit.path), display_text.format_location(hit))
                action = menu.addAction(" · ".join(part for part in parts if part).replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(hit.document_id == (pair.b if side else pair.a).document_id)
                action.triggered.connect(partial(self._go_to_place, pair, side, hit))
            # Below the pair, because the keyboard may have opened it, wherever the pointer is.
            below = self.view.visualRect(self.view.currentIndex()).bottomLeft()
            menu.popup(self.view.viewport().mapToGlobal(below))

        self.controller.load_places(pair, side, show)

    def _go_to_place(self, pair: Pair, side: int, hit: Hit, _checked: bool = False) -> None:
        shown = self.model.replace_place(pair, side, hit)
        if shown is not None:
            self.places.show()
            self.places.show_pair(shown)

    def _show_menu(self, at: QPoint) -> None:
        pair = self.current
        if pair is None or not self.view.indexAt(at).isValid():
            return
        menu = make_popup_menu(self, self.tr("Pair"))
        for name in ("pair.open", "pair.compare", "pair.copy"):
            menu.addAction(self._actions[name])
        menu.addSeparator()
        for name in ("pair.reviewed", "pair.same", "pair.different"):
            menu.addAction(self._actions[name])
        menu.addSeparator()
        if self.model.folded_position(pair) is not None:
            text = self.tr("Show {count} More That Differ Only in Numbers").format(
                count=display_text.format_number(pair.folded)
            )
            menu.addAction(text, partial(self.controller.unfold, pair))
        which = (
            self.tr("Other Occurrences of the First Sentence…"),
            self.tr("Other Occurrences of the Second Sentence…"),
        )
        for side, hit in enumerate((pair.a, pair.b)):
            if hit.also_in:
                menu.addAction(which[side], partial(self.choose_place, pair, side))
        hits: dict[int, Hit] = {hit.document_id: hit for hit in (pair.a, pair.b)}
        for document_id, hit in hits.items():
            name = display_text.document_name(hit.title, hit.path)
            text = self.tr("Only Pairs with {name}").format(name=name.replace("&", "&&"))
            request = DuplicatesRequest(name, touching=frozenset({document_id}))
            menu.addAction(text, partial(self.show_part, request))
        menu.popup(self.view.viewport().mapToGlobal(at))


def duplicates_state(controller: DuplicatesController, rows: int, sentences: int) -> StateContent | None:
    """Return the state to show in place of pairs; None if there are pairs."""
    if rows:
        return None
    if controller.state == "failed" and controller.error is not None:
        message, hint = display_text.describe_error(controller.error)
        return StateContent("pairs_failed", "triangle-alert", message, hint, ("pairs.retry",))
    if controller.state in ("nothing", "opening"):
        return StateContent("pairs_opening", "hourglass", translate("pairs", "Opening the library…"))
    if controller.state == "stopped":
        return StateContent(
            "pairs_stopped",
            "pause",
            translate("pairs", "Stopped"),
            translate("pairs", "Progress is saved. The search can resume from here."),
            ("pairs.retry",),
        )
    if sentences < 2:
        return StateContent(
            "pairs_empty",
            "inbox",
            translate("pairs", "Import documents to find duplicates"),
            translate("pairs", "Kindred finds identical sentences, near-duplicates and paraphrases."),
            ("library.import", "library.samples"),
        )
    if controller.is_working or controller.is_due:
        return StateContent(
            "pairs_finding",
            "hourglass",
            translate("pairs", "Finding duplicates…"),
            translate("pairs", "Every sentence is compared only once; results are saved."),
        )
    if controller.is_filtered:
        return StateContent(
            "pairs_filtered",
            "list-filter",
            translate("pairs", "No matching pairs"),
            translate("pairs", "Change the similarity or type, or show all pairs."),
            ("pairs.reset", *(("pairs.anywhere",) if controller.request.where == "across" else ())),
        )
    return StateContent(
        "pairs_none",
        "circle-check",
        translate("pairs", "No duplicates found"),
        translate(
            "pairs",
            "No two documents contain similar sentences. Include pairs within one document, or try a lower similarity.",
        ),
        ("pairs.anywhere",),
    )


def passages_state(passages: PassagesView, sentences: int, where: PairsPlace) -> StateContent | None:
    """Return the state to show in place of passages, which are wanted from there; None if there are some."""
    if passages.list.count():
        return None
    if passages.found is None and not passages.is_working and sentences > 1:
        return StateContent(
            "passages_stopped",
            "pause",
            translate("pairs", "Stopped"),
            translate("pairs", "Progress is saved. The search can resume from here."),
            ("pairs.retry",),
        )
    if passages.is_working:
        return StateContent(
            "passages_finding",
            "hourglass",
            translate("pairs", "Finding repeated passages…"),
            translate("pairs", "Every sentence is compared only once; results are saved."),
        )
    return StateContent(
        "passages_none",
        "circle-check",
        translate("pairs", "No repeated passages found"),
        translate("pairs", "A passage is two or more consecutive sentences that occur in several places."),
        ("pairs.anywhere",) if where == "across" and sentences > 1 else (),
    )


def describe_duplicates(controller: DuplicatesController, rows: int, is_complete: bool) -> str:
    """Return the line about all pairs."""
    if not rows:
        return ""
    if controller.is_stale:
        return translate("pairs", "Library changed. Duplicates will update when imports finish.")
    if is_complete:
        return translate("pairs", "{pairs}, most similar first").format(pairs=display_text.count_pairs(rows))
    if controller.total is not None:
        text = translate("pairs", "Top {count} of {pairs}; scroll for more")
        return text.format(count=display_text.format_number(rows), pairs=display_text.count_pairs(controller.total))
    return translate("pairs", "Top {pairs}; scroll for more").format(pairs=display_text.count_pairs(rows))


def describe_progress(progress: Progress | None) -> str:
    """Return the text of a progress."""
    if progress is None:
        return ""
    if progress.phase == "comparing" and progress.total:
        text = translate("pairs", "Comparing sentences: {done} of {total}")
        return text.format(
            done=display_text.format_number(progress.done), total=display_text.format_number(progress.total)
        )
    if progress.phase == "storing":
        return translate("pairs", "Saving results…")
    if progress.phase == "exporting" and progress.total:
        text = translate("pairs", "Exporting pairs: {done} of {total}")
        return text.format(
            done=display_text.format_number(progress.done), total=display_text.format_number(progress.total)
        )
    return translate("pairs", "Checking pairs: {count} so far").format(count=display_text.format_number(progress.done))
