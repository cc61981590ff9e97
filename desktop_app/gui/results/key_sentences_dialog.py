"""Shows the key sentences of a document, a search result or a cluster, in reading order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QSlider

from desktop_app.core.query import EMPTY_QUERY
from desktop_app.core.scope import EVERYTHING
from desktop_app.engine.requests import SearchResult
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_save_file
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.results.hit_delegate import HitCardDelegate
from desktop_app.gui.results.hit_list import HitListView
from desktop_app.gui.results.hit_model import HitModel
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.fields import CheckBox
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.clusters import KeySentences
    from desktop_app.core.jobs import Progress
    from desktop_app.core.query import Query
    from desktop_app.core.scope import Scope
    from desktop_app.gui.base.window_context import WindowContext

_MIN_SENTENCES, _MAX_SENTENCES, _INITIAL_SENTENCES = 3, 40, 10
_SLIDER_DELAY_MS = 150


class KeySentencesDialog(QDialog):
    """Shows the sentences that sum up a text; a slider sets their number. Stays open next to the window.

    Args:
        context: the services of the window.
        title: the name of the text.
        scope: a document or another part of the library.
        among: ids of the sentences to choose from; None for all in the scope.
        query: what they were found for, if they are results.

    Attributes:
        opened: the person opens a sentence in its document; carries the Hit.
    """

    opened = Signal(object)

    def __init__(
        self,
        context: WindowContext,
        title: str,
        *,
        scope: Scope = EVERYTHING,
        among: Sequence[int] | None = None,
        query: Query = EMPTY_QUERY,
    ) -> None:
        super().__init__(context.widget)
        self._context, self._session = context, context.session
        self._scope = scope
        self._among, self._query = among, query
        self._title = title
        self._request: LatestJob[KeySentences] = LatestJob(context.session, self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Key sentences"))
        self.setAccessibleName(self.windowTitle())
        heading = make_label(title, factor=1.15, weight=QFont.Weight.DemiBold, wrap=True, name=self.tr("Source"))
        self.message = make_label(tone="muted", wrap=True, name=self.tr("State"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(_MIN_SENTENCES, _MAX_SENTENCES)
        self.slider.setValue(_INITIAL_SENTENCES)
        self.slider.setAccessibleName(self.tr("How many sentences"))
        self.slider.setMaximumWidth(320)
        self._slider_rest = QTimer(self, singleShot=True, interval=_SLIDER_DELAY_MS)
        self._slider_rest.timeout.connect(self._ask)
        self.slider.valueChanged.connect(lambda _value: self._slider_rest.start())
        self.all_passages = CheckBox(self.tr("All passages"))
        self.all_passages.setToolTip(self.tr("Include headings, fragments, table rows and repeated text"))
        self.all_passages.toggled.connect(self._ask)
        self.model = HitModel(self)
        self.view = HitListView(self.tr("Key sentences"))
        self.view.setModel(self.model)
        cards = HitCardDelegate(self.view, context.themes)
        cards.follow_scores(context.actions["search.exact_scores"])
        self.view.setItemDelegate(cards)
        self.model.modelReset.connect(cards.clear_sizes)
        self.view.activated.connect(lambda index: self.opened.emit(self.model.hit(index)))
        self.copy_button = make_push_button(self.tr("&Copy"), "", "copy", self.tr("Copy them with their sources"))
        self.copy_button.clicked.connect(self.copy)
        self.export_button = make_push_button(self.tr("E&xport…"), "", "save", self.tr("Save them to a file"))
        self.export_button.clicked.connect(self.choose_export)
        self.progress = ProgressBar()
        self.progress.setFixedWidth(100)
        self.stop_button = make_push_button(
            self.tr("&Stop"), "", "square", self.tr("Stop the search for key sentences")
        )
        self.stop_button.clicked.connect(self.cancel)
        fewer, more = (make_label(text, tone="muted", factor=0.9) for text in (self.tr("Short"), self.tr("Long")))
        for each in (fewer, more):
            each.setAccessibleName(each.text())
        length = make_row(fewer, (self.slider, 1), more, 8, self.all_passages, 8, (self.message, 2), spacing=8)
        foot = make_row(
            self.copy_button, self.export_button, "stretch", self.progress, self.stop_button, make_close_button(self)
        )
        make_column(heading, length, (self.view, 1), foot, parent=self, margins=(16, 16, 16, 14), spacing=10)
        set_initial_size(self, 680, 560)
        self.view.setFocus()
        self._ask()

    def copy(self) -> None:
        """Copy the sentences with their locations."""
        hits = [self.model.hit(self.model.index(row)) for row in range(self.model.rowCount())]
        QGuiApplication.clipboard().setText("\n".join(display_text.cite_hit(hit) for hit in hits))

    def choose_export(self) -> None:
        """Ask for a file for the sentences."""
        formats = {
            "md": self.tr("Markdown"),
            "xlsx": self.tr("Excel workbook"),
            "csv": self.tr("Table"),
            "jsonl": self.tr("JSON lines"),
            "html": "HTML",
        }
        name = self.tr("{name} - key sentences").format(name=self._title)
        choose_save_file(self, self.tr("Export key sentences"), formats, self.export_to, suggestion=name)

    def export_to(self, file: str) -> None:
        """Write the sentences with their locations to a file, unless that would overwrite a document."""
        if reason := self._context.overwrite_refusal(file):
            self.message.setText(reason)
            return
        hits = [self.model.hit(self.model.index(row)) for row in range(self.model.rowCount())]

        def tell(count: int) -> None:
            text = self.tr("Exported {sentences} to {name}.")
            self.message.setText(text.format(sentences=display_text.count_sentences(count), name=Path(file).name))

        job = self._session.workspace.export.export_hits(self._title, hits, file)
        self._session.bridge.call(job, self, tell, on_error=self._show_job_error)

    # Finding

    def cancel(self) -> None:
        """Cancel the request; the sentences that are shown stay."""
        self._request.cancel()

    def _ask(self) -> None:
        clusters = self._session.workspace.clusters
        self._request.start(
            clusters.find_key_sentences(
                self.slider.value(),
                scope=replace(self._scope, all_passages=self.all_passages.isChecked()),
                among=self._among,
                query=self._query,
                asker=f"dialog {id(self)}",
            ),
            self._show,
            on_error=lambda error: self._end(_describe_error(error)),
            on_cancelled=lambda: self._end(self.tr("Stopped.")),
            on_progress=self._on_progress,
        )
        self.message.setText(self.tr("Finding them…"))
        self._enable()

    def _show(self, found: KeySentences) -> None:
        hits = found.sentences
        self.model.show(SearchResult("", "meaning", (), hits, len(hits), 0.0))
        message = display_text.count_sentences(len(hits))
        if not hits and self.all_passages.isChecked():
            message = self.tr("Nothing found.")
        elif not hits:
            message = self.tr("No whole sentences. Turn on All passages to include headings and fragments.")
        if hits and not self._query.is_empty:
            message = self.tr("{count} of {total} close to the query").format(
                count=display_text.format_number(len(hits)), total=display_text.format_number(found.total)
            )
        elif 0 < len(hits) < self.slider.value():
            message = self.tr("{sentences}; the rest is similar").format(
                sentences=display_text.count_sentences(len(hits))
            )
        self._end(message)

    def _end(self, message: str) -> None:
        self.message.setText(message)
        self._enable()

    def _on_progress(self, progress: Progress) -> None:
        self.progress.show_progress(progress)

    def _enable(self) -> None:
        self.progress.setVisible(self._request.is_running)
        self.stop_button.setVisible(self._request.is_running)
        for button in (self.copy_button, self.export_button):
            button.setEnabled(self.model.rowCount() > 0)

    def _show_job_error(self, error: BaseException) -> None:
        self.message.setText(_describe_error(error))

    def _stop(self) -> None:
        self._slider_rest.stop()
        self.cancel()
        self._request.drop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel pending requests."""
        self._stop()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Do the same for Esc."""
        self._stop()
        super().done(result)


def _describe_error(error: BaseException) -> str:
    return ". ".join(part for part in display_text.describe_error(error) if part)
