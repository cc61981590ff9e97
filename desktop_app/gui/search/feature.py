"""The search of one window: builds its parts and connects them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from desktop_app.core.messages import Message
from desktop_app.core.query import parse_query
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate_message
from desktop_app.gui.results.hit_context import HitContextController
from desktop_app.gui.search.actions import SEARCH_MODES
from desktop_app.gui.search.controller import SearchController
from desktop_app.gui.search.history import SearchHistoryController
from desktop_app.gui.search.hit_controller import HitController
from desktop_app.gui.search.remarks import QueryRemarks
from desktop_app.gui.search.result_filters import SearchFilterController
from desktop_app.gui.search.search_box import SearchBox
from desktop_app.gui.search.spelling import SpellingController
from desktop_app.gui.search.state import (
    SearchSituation,
    choose_empty_state,
    describe_order,
    describe_relevance,
    describe_result,
    is_system_english,
)
from desktop_app.gui.search.suggestion import SuggestionController
from desktop_app.gui.search.word_relevance import WordRelevanceController

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.scope import ScopePart
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.search.pane import SearchPane


class SearchFeature(QObject):
    """The search box, the results below it, and everything that refines a search.

    Args:
        context: the services of the window.
        pane: the results.

    Attributes:
        box: the search box.
        controller: asks the engine.
        filters: limits the search.
        hits: the actions on hits.
        history: earlier queries and saved searches.
    """

    def __init__(self, context: WindowContext, pane: SearchPane) -> None:
        super().__init__(pane)
        self._context, self._pane = context, pane
        self._error: BaseException | None = None
        self._is_repeated = False  # the latest search failed, and is repeated once the library is open again
        self._is_system_english = is_system_english()
        self._is_listed = self._is_importing = False
        self.box = SearchBox()
        self.controller = SearchController(context.session, pane.model, self)
        self.controller.visible_row_count = pane.visible_row_count
        self.filters = SearchFilterController(context, self.controller, pane)
        self._word_relevance = WordRelevanceController(context, self.controller, pane)
        self.hits = HitController(context, self.controller, pane)
        self.history = SearchHistoryController(context, self.controller, pane, self.box)
        self.suggestion = SuggestionController(context, self.box)
        self._hit_contexts = HitContextController(context.session, self)
        self._remarks = QueryRemarks(self)
        self._spelling = SpellingController(context.session, self)
        self._connect()
        self._share_state()

    def _connect(self) -> None:
        context, box, pane, search = self._context, self.box, self._pane, self.controller
        actions, navigator = context.actions, context.navigator
        box.query_changed.connect(search.set_query)
        box.query_changed.connect(self._on_query)
        box.query_changed.connect(pane.query_bar.show_query)
        box.moved.connect(pane.step)
        box.opened.connect(self._on_enter)
        box.pasted.connect(navigator.import_files)
        box.copied.connect(actions["hit.copy_citation"].trigger)
        search.answered.connect(self._on_answered)
        search.failed.connect(self._on_failed)
        context.session.opened.connect(self._on_opened)
        pane.activated.connect(navigator.open_hit)
        pane.context_wanted.connect(self._hit_contexts.load_more)
        pane.context_closed.connect(self._hit_contexts.reset)
        pane.query_bar.rewritten.connect(box.setText)
        self._hit_contexts.arrived.connect(pane.show_context)
        self._hit_contexts.failed.connect(context.tell_error)
        for mode in SEARCH_MODES:
            actions[f"search.mode.{mode}"].triggered.connect(partial(search.set_mode, mode))
        actions[f"search.mode.{search.mode}"].setChecked(True)
        actions["search.concordance"].triggered.connect(self._on_concordance)
        actions.bind({"search.focus": self.focus, "search.notation": self.show_notation})
        for signal in (context.session.changed, search.changed, pane.scope.changed, self._remarks.settled):
            signal.connect(self._refresh)
        for signal in (self._remarks.settled, search.changed):  # the first answer may come later
            signal.connect(self._look_up_spelling)
        self._spelling.found.connect(self._refresh)
        pane.spelling_accepted.connect(lambda: box.setText(self._spelling.choose_shown(search.query)))

    def _share_state(self) -> None:
        """Tell the features that follow the search what it shows."""
        state, search, model = self._context.search, self.controller, self._pane.model

        def note_result() -> None:
            if model.result is None:
                state.clear(search.query)
            else:
                state.query, state.result = search.query, model.result

        model.modelReset.connect(note_result)
        search.answered.connect(lambda again: state.show_result(search.query, model.result, is_refresh=bool(again)))

    def stop(self) -> None:
        """Cancel what is pending; the history notes the query that stands."""
        self.history.stop()
        self.suggestion.stop()
        self.filters.stop()
        self._word_relevance.stop()
        self._remarks.stop()
        self._spelling.stop()
        self.controller.stop()

    # What a person does

    def _on_concordance(self, is_wanted: bool) -> None:
        """Search for sentences by words: only their results can be shown with the words aligned."""
        if is_wanted:
            self._context.actions["search.by_document"].setChecked(False)
            self._context.actions["search.mode.words"].trigger()

    def focus(self) -> None:
        """Move the keyboard focus to the search box, and select its text."""
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def limit_to(self, parts: Sequence[ScopePart]) -> None:
        """Search only in parts of the library, and go to the search box."""
        self._pane.scope.limit_to(parts)
        self.focus()

    def show_notation(self) -> None:
        """Show the operators of the query language."""
        from desktop_app.gui.search.query_bar import SearchOperatorsDialog

        SearchOperatorsDialog(self._context.widget).open()

    def _on_query(self, text: str) -> None:
        if text:
            self._context.navigator.show_pane.emit("search")

    def _on_enter(self) -> None:
        # The hits may still be those of an earlier text if a person types and presses Enter at once.
        if self.controller.is_answered and (hit := self._pane.current) is not None:
            self._context.navigator.open_hit.emit(hit)

    def _look_up_spelling(self) -> None:
        is_answered = self._pane.model.result is not None
        if is_answered and self._remarks.is_settled and self.controller.mode != "words":
            self._spelling.look_up(self.controller.query)

    # What is shown

    def show_library_state(self, *, is_listed: bool, is_importing: bool) -> None:
        """Show what the state of the library means for the search.

        Args:
            is_listed: whether the list of documents is complete.
            is_importing: whether documents are coming in.
        """
        self._is_listed, self._is_importing = is_listed, is_importing
        self._refresh()

    def forget_error(self) -> None:
        """Show the error of the latest search no longer; the search is repeated once the library is open again."""
        self._is_repeated = self._error is not None
        self._error = None

    def _on_opened(self) -> None:
        if self._is_repeated:
            self._is_repeated = False
            self.controller.repeat_search()

    def _on_answered(self, again: object) -> None:
        self._error = None
        self._pane.show_answer(bool(again))  # `changed`, which comes with every answer, refreshes the rest

    def _on_failed(self, error: BaseException) -> None:
        # The session already reports an error that keeps the library from opening.
        self._error = error if self._context.session.phase == "ready" else None
        self._refresh()

    def _refresh(self) -> None:
        session, search, pane = self._context.session, self.controller, self._pane
        status, result = session.status, pane.model.result
        searchable = status.library.visible_searchable if status is not None else 0
        if result is not None:
            searchable = max(searchable, result.searchable)
        query = parse_query(search.query)
        is_conditional = query.is_conditional
        remarks = self._remarks.choose_shown(search.query, () if result is None else result.remarks)
        spelling = self._spelling.choose_shown(search.query)
        question = translate_message(Message("Did you mean “{query}”?", query=spelling)) if spelling else ""
        now = SearchSituation(
            phase=session.phase,
            error=session.error or self._error,
            is_listed=self._is_listed,
            folder=status.library.folder if status is not None else "",
            documents=self._context.documents.count,
            searchable=searchable,
            query=search.query,
            is_searching=search.is_waiting,
            hits=pane.model.rowCount(),
            is_importing=self._is_importing,
            is_scoped=bool(pane.scope.parts),
            is_bounded=search.min_score > 0 and search.mode != "words",
            is_conditional=is_conditional,
            is_only_conditions=is_conditional and query.is_empty,
            unknown=""
            if result is None or result.is_query_known
            else display_text.describe_unknown_query(result.foreign_language),
            remarks=" ".join(map(translate_message, remarks)),
            needs_model=result is not None and not result.is_query_known and bool(result.foreign_language),
            is_system_english=self._is_system_english,
            is_shared=status is not None and status.library.is_shared,
            is_writable=session.is_writable,
        )
        view = choose_empty_state(now)
        # An answer mostly arrives before anyone could read that it is pending: what is there stays until then.
        if view is None or view.kind != "searching" or search.is_slow:
            pane.show_view(view)
        if result is not None:
            line, order = describe_result(result, now.is_importing), describe_order(result, search.is_ordering)
            # A narrow pane cuts off the end of the line, so what is unusual about the order comes first.
            needs_model = not result.is_query_known and bool(result.foreign_language)
            line = f"{order} · {line}" if order else line
            remark = describe_relevance(result, remarks)
            pane.show_info(line, remark, needs_model=needs_model, question=question)
