"""Compares two models on the library: runs the same searches with both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.training import labels
from desktop_app.gui.training.result_card import UseModelRow
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.forms import FormGrid, TitledCard, WheelFilter, clear_layout, fill_choices
from desktop_app.gui.widgets.item_views import ResultTable
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QShowEvent

    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.core.user_data import SavedSearch
    from desktop_app.engine.model_comparison import ModelComparisonReport, QueryResults
    from desktop_app.engine.requests import SearchRequest
    from desktop_app.gui.base.window_context import WindowContext

_SEARCH_LINES = 4


class ModelComparisonPage(QWidget):
    """Takes a model and searches, and shows how their hits change."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        session, models = context.session, context.models
        self._context = context
        self.setAccessibleName(self.tr("Compare models"))
        self._session = session
        self._models = models
        self._comparison: LatestJob[ModelComparisonReport] = LatestJob(session, self)
        self._asked_model = ""
        self._guard = WheelFilter(self)
        self._saved: list[SavedSearch] = []
        self._within: dict[SearchRequest, str] = {}  # the name of the part of the library
        self._word_searches_note = ""
        self.tables: list[ResultTable] = []
        card = TitledCard(self.tr("Compare models"))
        about = card.text(
            self.tr("About the comparison"),
            self.tr(
                "Runs your searches with your library's model and with another one, and shows how the results"
                " differ. Nothing is saved, and you can keep searching."
            ),
        )
        self.model = ChoiceBox()
        self.model.setAccessibleName(self.tr("Other model"))
        self.model.installEventFilter(self._guard)
        self.queries = QPlainTextEdit()
        self.queries.setAccessibleName(self.tr("Searches, one per line"))
        self.queries.setPlaceholderText(self.tr("One search per line, as in the search box"))
        self.queries.setTabChangesFocus(True)
        self.queries.setFixedHeight(self.queries.fontMetrics().lineSpacing() * _SEARCH_LINES + 22)
        self.compare = make_push_button(self.tr("&Compare"), tone="primary")
        self.saved = make_push_button(self.tr("Sa&ved Searches"), self.tr("Use your saved searches"), "search")
        self.saved.hide()
        self.stop = make_push_button(self.tr("&Stop"), self.tr("Stop the comparison"), "x")
        self.detail = card.text(self.tr("Comparison status"))
        self.bar = ProgressBar(self.tr("Progress of the comparison"))
        self.problem = card.text(self.tr("Problem"), tone="bad")
        form = FormGrid()
        form.add_field(self.tr("Other &model"), self.model)
        card.column.addWidget(about)
        card.column.addLayout(form)
        card.column.addWidget(self.queries)
        self.limits = card.text(self.tr("Not compared"))
        card.column.addWidget(self.limits)
        card.column.addLayout(make_row(self.compare, self.saved, self.stop, (self.detail, 1), spacing=12))
        card.column.addWidget(self.bar)
        card.column.addWidget(self.problem)
        self.outcome = TitledCard(self.tr("Result of the comparison"))
        self.summary = self.outcome.text(self.tr("Results in common, all searches"))
        self.use_row = UseModelRow(models)
        self.use_row.row.addStretch(1)
        self.outcome.column.addWidget(self.summary)
        self.outcome.column.addWidget(self.use_row)
        self.results = QVBoxLayout()
        self.results.setSpacing(14)
        make_column(card, self.outcome, self.results, parent=self, spacing=14)
        for hidden in (self.stop, self.bar, self.problem, self.outcome):
            hidden.hide()
        self.compare.clicked.connect(self.start)
        self.stop.clicked.connect(self._on_stop)
        self.saved.clicked.connect(lambda: self.queries.setPlainText("\n".join(each.text for each in self._saved)))
        self.queries.textChanged.connect(self._enable)
        models.changed.connect(self._refresh)
        # The last query is the one that people want to try with another model.
        search = context.search
        search.answered.connect(lambda _is_refresh: self.set_searches([search.query]))
        self.set_searches([search.query] if search.query else [])
        self._refresh()

    @property
    def asked(self) -> list[str]:
        """The typed searches."""
        return [line.strip() for line in self.queries.toPlainText().splitlines() if line.strip()]

    def set_searches(self, queries: Sequence[str]) -> None:
        """Fill in searches if none were typed."""
        if not self.asked and queries:
            self.queries.setPlainText("\n".join(queries))

    def showEvent(self, event: QShowEvent) -> None:
        """Load the saved searches."""
        super().showEvent(event)
        self._session.bridge.call(
            self._session.workspace.read(lambda library: library.user_data.saved_searches(), by_person=False),
            self,
            self._on_saved_searches,
        )

    def _on_saved_searches(self, searches: Sequence[SavedSearch]) -> None:
        asked = [each for each in searches if each.text.strip()]
        self._saved = [each for each in asked if each.mode != "words"]
        words_alone = ", ".join(each.name for each in asked if each.mode == "words")
        self._word_searches_note = words_alone and self.tr(
            "Keyword searches don't depend on the model: {names}."
        ).format(names=words_alone)
        self.saved.setVisible(bool(self._saved))
        self.set_searches([each.text for each in self._saved])
        self._enable()

    @property
    def _mode(self) -> SearchMode:
        """The mode of typed searches: that of the search in the window, unless it uses no model."""
        result = self._context.search.result
        return result.mode if result is not None and result.mode != "words" else "both"

    def choose_model(self, name: str) -> None:
        """Choose the other model."""
        self._refresh()
        self.model.setCurrentIndex(max(self.model.findData(name), 0))

    def _refresh(self) -> None:
        listed = self._models.listed
        if listed is None:
            return
        others = [state.entry for state in listed.models if not state.active and not state.entry.problem]
        names = [entry.name for entry in others if not entry.info.is_cross]
        fill_choices(self.model, [(name.rpartition("/")[2], name) for name in names])
        self._enable()

    def _show_limits(self) -> None:
        """Show which parts of the searches are not compared."""
        limited = [each for _, each in self._lines() if each is not None and each.min_score > -1]
        limits = [self._word_searches_note]
        if limited:
            text = self.tr("Compared without their minimum similarity: {names}.")
            limits.append(text.format(names=", ".join(each.name for each in limited)))
        self.limits.setText(" ".join(filter(None, limits)))
        self.limits.setVisible(bool(self.limits.text()))

    def _enable(self) -> None:
        self._show_limits()
        has_model = self.model.count() > 0
        self.compare.setEnabled(has_model and bool(self.asked) and not self._comparison.is_running)
        if not self._comparison.is_running:
            missing = "" if has_model else self.tr("No other model yet. Train one, or add one in Preferences > Models.")
            self.detail.setText(missing)

    def start(self) -> None:
        """Run the searches with both models."""
        if self._comparison.is_running or not self.asked:
            return
        self._asked_model = self.model.currentData()
        self._comparison.start(
            self._session.workspace.model_comparison.run(self._searches(), self._asked_model),
            self._on_compared,
            on_error=self._on_failed,
            on_cancelled=self._end,
            on_progress=self._on_progress,
        )
        self.problem.hide()
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop.show()
        self.detail.setText(self.tr("Loading model…"))
        self.compare.setEnabled(False)

    def _lines(self) -> list[tuple[str, SavedSearch | None]]:
        """Return each typed line with its saved search; of several with the same text, the first one not yet used."""
        saved, lines = list(self._saved), []
        for text in self.asked:
            one = next((each for each in saved if each.text.strip() == text), None)
            if one is not None:
                saved.remove(one)
            lines.append((text, one))
        return lines

    def _searches(self) -> list[SearchRequest]:
        """Return a request for each line; a saved search keeps its part of the library."""
        from desktop_app.engine.requests import SearchRequest

        self._within = {}
        searches = []
        for text, saved in self._lines():
            searches.append(
                SearchRequest(text, mode=self._mode)
                if saved is None
                else SearchRequest(text, scope=saved.scope, mode=saved.mode)
            )
            if saved is not None and saved.parts:
                self._within[searches[-1]] = ", ".join(part.name for part in saved.parts)
        return searches

    def _on_progress(self, progress: Progress) -> None:
        if progress.total:
            self.bar.show_progress(progress)
            text = self.tr("{done} of {total} sentences").format(
                done=display_text.format_number(progress.done), total=display_text.format_number(progress.total)
            )
            if progress.remaining_s is not None:
                text += " · " + display_text.format_remaining_time(progress.remaining_s)
            self.detail.setText(text)

    def _on_stop(self) -> None:
        self._comparison.cancel()

    def _on_failed(self, error: BaseException) -> None:
        self.problem.setText(labels.format_error_line(error))
        self.problem.show()
        self._end()

    def _end(self) -> None:
        self.bar.hide()
        self.stop.hide()
        self._enable()

    def _on_compared(self, found: ModelComparisonReport) -> None:
        self._end()
        clear_layout(self.results)
        self.tables = []
        self._show_outcome(found)
        for each in found.queries:
            self.results.addWidget(self._card(found, each))

    def _show_outcome(self, found: ModelComparisonReport) -> None:
        if found.shared_fraction is None:
            self.summary.setText(_nothing_found_row())
        else:
            text = self.tr(
                "{share} of all results stay the same with {name}. If you switch, your library will be re-indexed"
                " in the background; the current model stays active until then."
            )
            self.summary.setText(
                text.format(share=display_text.format_percent(100 * found.shared_fraction), name=found.after)
            )
        self.use_row.show_model(self._asked_model)
        self.outcome.show()

    def _card(self, found: ModelComparisonReport, each: QueryResults) -> TitledCard:
        within = self._within.get(each.search)
        card = TitledCard(f"{each.query} · {within}" if within else each.query)
        card.heading.setWordWrap(True)
        card.head.setStretch(0, 1)
        stays = self.tr("{share} of results stay the same").format(
            share=display_text.format_percent(100 * each.shared_fraction)
        )
        if each.is_empty:
            stays = _nothing_found_row()
        card.column.addWidget(card.text(self.tr("Results in common"), stays))
        table = ResultTable(self.tr("Results of both models"), most_rows=10)
        lost_ids = {hit.sentence_id for hit in each.lost_hits}
        rows = []
        for place in range(max(len(each.before), len(each.after))):
            before = each.before[place] if place < len(each.before) else None
            after = each.after[place] if place < len(each.after) else None
            rows.append(
                [
                    display_text.format_number(place + 1),
                    _hit_row(before, "  ✕" if before is not None and before.sentence_id in lost_ids else ""),
                    _hit_row(after),
                    "" if after is None else self._describe_move(each.rank_change(after)),
                ]
            )
        table.show_rows(["", found.before, found.after, self.tr("moved")], rows, wide=(1, 2))
        table.cellActivated.connect(lambda row, column: self._on_activated(each, row, column))
        self.tables.append(table)
        card.column.addWidget(table)
        if lost_ids:
            note = self.tr("✕ No longer in the top {count}.").format(count=display_text.format_number(len(each.before)))
            card.column.addWidget(card.text(self.tr("Meaning of the cross"), note))
        return card

    def _describe_move(self, places: int | None) -> str:
        if places is None:
            return self.tr("new")
        if places == 0:
            return "="
        return ("↑ " if places > 0 else "↓ ") + display_text.format_number(abs(places))

    def _on_activated(self, each: QueryResults, row: int, column: int) -> None:
        hits = each.before if column <= 1 else each.after
        if row < len(hits):
            self._context.navigator.open_hit.emit(hits[row])


def _hit_row(hit: Hit | None, sign: str = "") -> str:
    return "" if hit is None else f"{display_text.format_decimal(hit.score, 2)}{sign}  {hit.text}"


def _nothing_found_row() -> str:
    return display_text.translate("training", "No results with either model.")
