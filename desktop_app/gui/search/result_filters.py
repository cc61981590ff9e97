"""Filters, minimum similarity and near copies of the current search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from desktop_app.gui.results.word_relevance import WordRelevanceController
from desktop_app.gui.search.threshold import ANY_SCORE

if TYPE_CHECKING:
    from desktop_app.core.records import DocumentCount
    from desktop_app.gui.shell.main_window import MainWindow


class SearchFilterController(QObject):
    """What narrows the search of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        pane = window.search_pane
        pane.filters_wanted.connect(self.show_filters)
        pane.threshold.chosen.connect(window.search.set_min_score)
        window.search.answered.connect(self._on_answered)
        window.search.rows_in_sight = pane.rows_in_sight
        self._shading = WordRelevanceController(window)
        actions = window.action_table
        actions["search.collapse"].setChecked(window.search.fold_copies)
        actions["search.collapse"].toggled.connect(window.search.set_fold_copies)
        actions["search.by_document"].toggled.connect(window.search.set_by_document)
        window.search.reranking_failed.connect(self._on_not_ordered)
        actions["search.rerank"].toggled.connect(self._on_rerank)
        actions.bind({"search.filters": self.show_filters, "search.any_score": self.show_any_score})

    def stop(self) -> None:
        """Ask for nothing any more."""
        self._window.search_pane.threshold.stop()
        self._shading.stop()

    def save(self, state: QSettings) -> None:
        """Remember how one searches; what one looks for is another time's business."""
        state.setValue("collapse", self._window.search.fold_copies)
        state.setValue("rerank", self._window.action_table["search.rerank"].isChecked())
        state.setValue("by_document", self._window.search.by_document)
        state.setValue("concordance", self._window.action_table["search.concordance"].isChecked())

    def restore(self, state: QSettings) -> None:
        """Search as the last time."""
        actions = self._window.action_table
        actions["search.collapse"].setChecked(state.value("collapse", True, bool) is not False)
        if self._window.settings.reranker:
            actions["search.rerank"].setChecked(state.value("rerank", False, bool) is True)
        actions["search.by_document"].setChecked(state.value("by_document", False, bool) is True)
        actions["search.concordance"].setChecked(state.value("concordance", False, bool) is True)

    def choose_reranker(self, model: str) -> None:
        """Have hits ordered anew by a model from now on, and say where that is turned off."""
        window = self._window
        window.change_settings(reranker=model)
        window.action_table["search.rerank"].setChecked(True)
        name = model.rpartition("/")[2]
        window.tell(self.tr("{name} orders the first hits of a search anew from now on.").format(name=name))

    def show_reranker(self) -> None:
        """Have the hits ordered by the model that the preferences name now, if they are to be ordered anew."""
        model, action = self._window.settings.reranker, self._window.action_table["search.rerank"]
        if not model:
            action.setChecked(False)
        self._window.search.set_reranker(model if action.isChecked() else "")

    def _on_rerank(self, is_wanted: bool) -> None:
        window = self._window
        if is_wanted and not window.settings.reranker:
            window.action_table["search.rerank"].setChecked(False)
            window.tell(
                self.tr("Re-ranking needs a cross-encoder: add or train one, then choose it under Preferences, Models.")
            )
            window.tools.show_preferences("models")
            return
        self.show_reranker()

    def _on_not_ordered(self, error: BaseException) -> None:
        self._window.action_table["search.rerank"].setChecked(False)
        self._window.tell_error(error)

    def show_any_score(self) -> None:
        """Show every hit, however far."""
        self._window.search_pane.threshold.set_threshold_score(ANY_SCORE)

    def show_filters(self) -> None:
        """Let the person choose what the search is kept to."""
        from desktop_app.gui.results.filter_popup import FilterPopup, count_choices, list_all_choices

        window = self._window
        window.panes.show_pane("search")
        popup = FilterPopup(window.search_pane, window.scope.parts)
        popup.toggled.connect(window.scope.toggle)
        popup.cleared.connect(window.scope.clear)
        popup.pop_up(window.search_pane.filter_button_position())

        def show(found: list[DocumentCount], *, is_search: bool) -> None:
            popup.show_counts(count_choices(found, window.collections.items), is_search=is_search)

        session, query = window.session, window.search.query
        if query:
            job = session.workspace.finding.spread(window.search.request())
            session.bridge.call(job, popup, partial(show, is_search=True), on_error=window.tell_error)
        else:
            list_all_choices(window.context, popup)  # without a query there is still a library to choose from

    def _on_answered(self, _again: object) -> None:
        window, result = self._window, self._window.hits.result
        if result is None:
            return
        status = window.session.status
        model = status.model.name if status is not None and status.model is not None else ""
        window.search_pane.threshold.explain(model, result.chance)
        window.search_pane.threshold.setVisible(result.mode != "words")
        if window.scope.parts:
            from desktop_app.gui.results.filter_popup import count_choices

            job = window.session.workspace.finding.count(result)

            def show(found: list[DocumentCount]) -> None:
                window.search_pane.scope_bar.show_counts(count_choices(found, window.collections.items))

            window.session.bridge.call(job, self, show)
