"""Filters, minimum similarity and near copies of the current search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from desktop_app.core.formats import TYPES
from desktop_app.gui.results.scope import notes_part
from desktop_app.gui.search.threshold import ANY_SCORE

if TYPE_CHECKING:
    from desktop_app.core.records import DocumentCount
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.search.controller import SearchController
    from desktop_app.gui.search.pane import SearchPane


class SearchFilterController(QObject):
    """The filters of the search of one window."""

    def __init__(self, context: WindowContext, search: SearchController, pane: SearchPane) -> None:
        super().__init__(pane)
        self._context, self._search, self._pane = context, search, pane
        pane.filters_wanted.connect(self.show_filters)
        pane.threshold.chosen.connect(search.set_min_score)
        search.answered.connect(self._on_answered)
        context.settings_changed.connect(lambda _settings: self.show_reranker())
        actions = context.actions
        actions["search.collapse"].setChecked(self._search.fold_copies)
        actions["search.collapse"].toggled.connect(self._search.set_fold_copies)
        actions["search.by_document"].toggled.connect(self._search.set_by_document)
        self._search.reranking_failed.connect(self._on_not_ordered)
        actions["search.rerank"].toggled.connect(self._on_rerank)
        context.models.changed.connect(self._offer_reranking)
        context.settings_changed.connect(lambda _settings: self._offer_reranking())
        context.session.opened.connect(lambda: context.models.refresh(is_wanted=False))
        self._offer_reranking()
        pane.scope.changed.connect(self._on_scope_changed)
        for kind in TYPES:
            actions[f"search.type.{kind}"].triggered.connect(partial(pane.scope.toggle_type, kind))
        actions.enable(("search.everywhere",), False)
        actions.bind(
            {
                "search.filters": self.show_filters,
                "search.any_score": self.show_any_score,
                "search.everywhere": pane.scope.clear,
            }
        )

    def stop(self) -> None:
        """Cancel what is pending."""
        self._pane.threshold.stop()

    def save(self, state: QSettings) -> None:
        """Save the search settings, but not the query."""
        state.setValue("collapse", self._search.fold_copies)
        state.setValue("rerank", self._context.actions["search.rerank"].isChecked())
        state.setValue("by_document", self._search.by_document)
        state.setValue("exact_scores", self._context.actions["search.exact_scores"].isChecked())
        state.setValue("concordance", self._context.actions["search.concordance"].isChecked())

    def restore(self, state: QSettings) -> None:
        """Restore the search settings."""
        actions = self._context.actions
        actions["search.collapse"].setChecked(state.value("collapse", True, bool) is not False)
        if self._context.settings.reranker:
            actions["search.rerank"].setChecked(state.value("rerank", False, bool) is True)
        actions["search.exact_scores"].setChecked(state.value("exact_scores", False, bool) is True)
        actions["search.by_document"].setChecked(state.value("by_document", False, bool) is True)
        actions["search.concordance"].setChecked(state.value("concordance", False, bool) is True)

    def _offer_reranking(self) -> None:
        """Offer to re-rank only if there is a cross-encoder."""
        context = self._context
        context.actions["search.rerank"].setVisible(bool(context.settings.reranker) or context.models.has_cross_encoder)

    def choose_reranker(self, model: str) -> None:
        """Rerank hits with a model from now on, and say so."""
        context = self._context
        context.change_settings(reranker=model)
        self._context.actions["search.rerank"].setChecked(True)
        name = model.rpartition("/")[2]
        self._context.tell(self.tr("{name} now re-ranks the top results of every search.").format(name=name))

    def show_reranker(self) -> None:
        """Rerank the hits with the model of the preferences if reranking is on."""
        model, action = self._context.settings.reranker, self._context.actions["search.rerank"]
        if not model:
            action.setChecked(False)
        self._search.set_reranker(model if action.isChecked() else "")

    def _on_rerank(self, is_wanted: bool) -> None:
        if is_wanted and not self._context.settings.reranker:
            self._context.actions["search.rerank"].setChecked(False)
            self._context.tell(
                self.tr(
                    "Re-ranking requires a cross-encoder. Add or train one, then select it in Preferences > Models."
                )
            )
            self._context.navigator.show_preferences.emit("models")
            return
        self.show_reranker()

    def _on_not_ordered(self, error: BaseException) -> None:
        self._context.actions["search.rerank"].setChecked(False)
        self._context.tell_error(error)

    def _on_scope_changed(self) -> None:
        actions, parts = self._context.actions, self._pane.scope.parts
        self._search.set_scope(self._pane.scope.scope)
        types = {part.key for part in parts if part.kind == "type"}
        for kind in TYPES:
            actions[f"search.type.{kind}"].setChecked(kind in types)
        actions.enable(("search.everywhere",), bool(parts))
        self._context.navigator.show_pane.emit("search")

    def show_any_score(self) -> None:
        """Show hits of every score."""
        self._pane.threshold.set_min_score(ANY_SCORE)

    def show_filters(self) -> None:
        """Open the list of filters."""
        from desktop_app.gui.results.filter_popup import FilterPopup, count_choices, list_all_choices

        self._context.navigator.show_pane.emit("search")
        popup = FilterPopup(self._pane, self._pane.scope.parts)
        popup.toggled.connect(self._pane.scope.toggle)
        popup.cleared.connect(self._pane.scope.clear)
        popup.pop_up(self._pane.filter_button_position())

        def show(found: list[DocumentCount], *, is_search: bool) -> None:
            counts = count_choices(found, self._context.collections) | {notes_part(): 1}
            popup.show_counts(counts, is_search=is_search)

        session, query = self._context.session, self._search.query
        if query:
            job = session.workspace.search.count_everywhere(self._search.request())
            session.bridge.call(job, popup, partial(show, is_search=True), on_error=self._context.tell_error)
        else:
            list_all_choices(self._context, popup)  # without a query, list the parts of the whole library

    def _on_answered(self, _again: object) -> None:
        result = self._pane.model.result
        if result is None:
            return
        status = self._context.session.status
        model = status.model.name if status is not None and status.model is not None else ""
        self._pane.threshold.explain(model, result.chance)
        self._pane.threshold.setVisible(result.mode != "words")
        if self._pane.scope.parts:
            from desktop_app.gui.results.filter_popup import count_choices

            job = self._context.session.workspace.search.count_by_document(result)

            def show(found: list[DocumentCount]) -> None:
                self._pane.scope_bar.show_counts(count_choices(found, self._context.collections))

            self._context.session.bridge.call(job, self, show)
