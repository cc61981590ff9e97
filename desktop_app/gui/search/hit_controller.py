"""The actions on hits: cite, export, quote, judge."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop_app.core.links import format_link, link_hit
from desktop_app.core.query import EMPTY_QUERY
from desktop_app.gui.base import desktop, display_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.citation import CitationForm
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.search.controller import SearchController
    from desktop_app.gui.search.pane import SearchPane

JUDGEMENT_ACTIONS = ("hit.relevant", "hit.not_relevant")
HIT_ACTION_IDS = ("hit.copy_markdown", "hit.copy_bibtex", "hit.cite", "hit.copy_link", "hit.pin", *JUDGEMENT_ACTIONS)
HIT_EXPORT_FORMATS = (".xlsx", ".csv", ".jsonl", ".md", ".html")
PAIR_LABEL_EXPORT_FORMATS = (".tsv", ".csv", ".jsonl")


class HitController(QObject):
    """The actions on the hits of one window."""

    def __init__(self, context: WindowContext, search: SearchController, pane: SearchPane) -> None:
        super().__init__(pane)
        self._context, self._search, self._pane = context, search, pane
        actions = context.actions
        actions.bind(
            {
                "hit.copy": lambda: self.copy_text(with_citation=False),
                "hit.copy_citation": lambda: self.copy_text(with_citation=True),
                "hit.keys": self.show_keys,
                "hit.open": self.open_outside,
                "hit.show_in_folder": self.show_in_folder,
                "hit.more": pane.show_more_context,
                "hit.less": pane.show_less_context,
                "hit.copy_markdown": partial(self.copy, "markdown"),
                "hit.copy_bibtex": partial(self.copy, "bibtex"),
                "hit.cite": self.cite,
                "hit.copy_link": self.copy_link,
                "hit.compare": self.compare,
                "hit.pin": self.pin,
                "hit.relevant": partial(self.judge, True),
                "hit.not_relevant": partial(self.judge, False),
                "hits.export": self.choose_export,
                "marks.export": self.choose_marks_export,
                "quotes.show": self.show_quotes,
            }
        )
        pane.chosen.connect(self._on_chosen)
        search.answered.connect(lambda _again: self._on_chosen(pane.current))
        self._on_chosen(None)

    def copy_text(self, *, with_citation: bool) -> None:
        """Copy the selected sentence, alone or with its document and page."""
        if (hit := self._pane.current) is not None:
            self._context.copy(display_text.cite_hit(hit) if with_citation else hit.text)

    def copy(self, form: CitationForm) -> None:
        """Copy the selected sentence with its location."""
        from desktop_app.gui.results.citation import read_citations

        if (hit := self._pane.current) is not None:
            read_citations(self._context, [hit], form, self._context.copy)

    def cite(self) -> None:
        """Show the citation of the selected sentence in the styles there are."""
        from desktop_app.gui.results.citation_dialog import CitationDialog

        if (hit := self._pane.current) is not None:
            CitationDialog(self._context, [hit.document_id], [hit]).show()

    def copy_link(self) -> None:
        """Copy a link to the selected sentence."""
        if (hit := self._pane.current) is not None:
            self._context.copy(format_link(link_hit(self._context.library_identity, hit)))

    def compare(self) -> None:
        """Compare the selected hit with something else: with the next hit that is selected, for example."""
        if (hit := self._pane.current) is not None:
            self._context.navigator.compare_with.emit(hit.text)

    def open_outside(self) -> None:
        """Open the document of the selected hit in the program that the system has for it."""
        hit = self._pane.current
        if hit is not None and not desktop.open_file(hit.path):
            self._context.tell(display_text.describe_unopened_file(hit.path))

    def show_in_folder(self) -> None:
        """Show the document of the selected hit in the file manager."""
        hit = self._pane.current
        if hit is not None and not desktop.show_in_folder(hit.path):
            self._context.tell(display_text.describe_unopened_file(hit.path))

    def show_keys(self) -> None:
        """Show the key sentences of the best hits."""
        result = self._pane.model.result
        if result is None or not result.found:
            return
        from desktop_app.core.clusters import MAX_KEY_SENTENCE_HITS
        from desktop_app.gui.results.key_sentences_dialog import KeySentencesDialog

        best = [each.sentence_id for each in result.answers[:MAX_KEY_SENTENCE_HITS]]
        query = result.understood if result.is_query_known else EMPTY_QUERY  # the others were found by words
        dialog = KeySentencesDialog(self._context, result.query, among=best, query=query)
        dialog.opened.connect(self._context.navigator.open_hit)
        dialog.show()

    # Quotes

    def pin(self) -> None:
        """Save the selected sentence as a quote."""
        if (hit := self._pane.current) is None:
            return

        def report(added: int) -> None:
            self._context.tell(
                self.tr("Quote saved. View all in Edit > Quotes.") if added else self.tr("Already in your quotes.")
            )

        job = self._context.session.workspace.change(
            lambda library: library.user_data.add_quotes([hit]), by_person=False
        )
        self._context.session.bridge.call(job, self, report, on_error=self._context.tell_error)

    def show_quotes(self) -> None:
        """Show the saved quotes."""
        from desktop_app.gui.search.quotes_dialog import QuotesDialog

        dialog = QuotesDialog(self._context)
        dialog.opened.connect(self._context.navigator.open_hit)
        dialog.show()

    # Judging

    def judge(self, is_relevant: bool) -> None:
        """Note whether the selected hit answers the query, or undo the same judgement; then rank the hits again."""
        hit, result = self._pane.current, self._pane.model.result
        if hit is None or result is None:
            return
        verdict = None if result.judged.get(hit.sentence_id) is is_relevant else is_relevant
        job = self._context.session.workspace.change(
            lambda library: library.user_data.judge(result.query, hit.sentence_id, verdict), by_person=False
        )
        self._context.session.bridge.call(
            job, self, lambda _nothing: self._search.repeat_search(), on_error=self._context.tell_error
        )

    def _on_chosen(self, hit: Hit | None) -> None:
        result = self._pane.model.result
        actions = self._context.actions
        actions.enable(HIT_ACTION_IDS, hit is not None)
        actions.enable(JUDGEMENT_ACTIONS, hit is not None and result is not None and result.mode != "words")
        actions.enable(("hits.export",), result is not None and bool(result.found))
        verdict = result.judged.get(hit.sentence_id) if hit is not None and result is not None else None
        for action, meaning in zip(JUDGEMENT_ACTIONS, (True, False), strict=True):
            actions[action].setChecked(verdict is meaning)

    # Export

    def choose_export(self) -> None:
        """Ask for a file for all hits."""
        self._choose_file(self.tr("Export results"), HIT_EXPORT_FORMATS, self.export, self._context.search.query)

    def choose_marks_export(self) -> None:
        """Ask for a file for the judgements of hits and pairs."""
        self._choose_file(self.tr("Export ratings"), PAIR_LABEL_EXPORT_FORMATS, self.export_marks, self.tr("ratings"))

    def _choose_file(self, title: str, suffixes: tuple[str, ...], on_chosen: Callable[[str], None], name: str) -> None:
        from desktop_app.gui.base.file_dialogs import choose_save_file

        names = {
            ".xlsx": self.tr("Excel workbook"),
            ".csv": self.tr("Table"),
            ".tsv": self.tr("Table with tabs"),
            ".jsonl": self.tr("JSON lines"),
            ".md": "Markdown",
            ".html": "HTML",
        }
        formats = {suffix.lstrip("."): names[suffix] for suffix in suffixes}
        choose_save_file(self._context.widget, title, formats, on_chosen, suggestion=name)

    def export(self, file: str) -> None:
        """Write all hits to a file in the format of its suffix."""
        result = self._pane.model.result
        if result is None or self._context.refuse_overwrite(file):
            return

        def report(count: int) -> None:
            text = self.tr("Exported {sentences} to {name}.")
            self._context.tell(text.format(sentences=display_text.count_sentences(count), name=Path(file).name))

        job = self._context.session.workspace.export.export_result(result, file)
        self._context.session.bridge.call(job, self, report, on_error=self._context.tell_error)

    def export_marks(self, file: str) -> None:
        """Write the judgements of hits and pairs to a file in the format of its suffix."""
        if self._context.refuse_overwrite(file):
            return

        def report(count: int) -> None:
            text = self.tr("No ratings yet. Mark results as a good match or not, and pairs as the same or not.")
            if count:
                text = self.tr("Exported {count} ratings to {name}.")
            self._context.tell(text.format(name=Path(file).name, count=display_text.format_number(count)))

        job = self._context.session.workspace.export.export_pair_labels(file)
        self._context.session.bridge.call(job, self, report, on_error=self._context.tell_error)
