"""What a person does with hits: cite, export, quote, judge."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from desktop_app.gui.base import display_text
from desktop_app.gui.base.overwrite_guard import warn_of_overwrite

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.records import Hit
    from desktop_app.gui.results.citation import CitationForm
    from desktop_app.gui.shell.main_window import MainWindow

JUDGEMENT_ACTIONS = ("hit.relevant", "hit.not_relevant")
HIT_ACTION_IDS = ("hit.copy_markdown", "hit.copy_bibtex", "hit.pin", *JUDGEMENT_ACTIONS)
HIT_EXPORT_FORMATS = (".csv", ".jsonl", ".md", ".html")
PAIR_LABEL_EXPORT_FORMATS = (".tsv", ".csv", ".jsonl")


class HitController(QObject):
    """The actions on the hits of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        actions = window.action_table
        actions.bind(
            {
                "hit.copy_markdown": partial(self.copy, "markdown"),
                "hit.copy_bibtex": partial(self.copy, "bibtex"),
                "hit.pin": self.pin,
                "hit.relevant": partial(self.judge, True),
                "hit.not_relevant": partial(self.judge, False),
                "hits.export": self.choose_export,
                "marks.export": self.choose_marks_export,
                "quotes.show": self.show_quotes,
            }
        )
        window.search_pane.chosen.connect(self._on_chosen)
        window.search.answered.connect(lambda _again: self._on_chosen(window.search_pane.current))
        self._on_chosen(None)

    def copy(self, form: CitationForm) -> None:
        """Copy the chosen sentence with its place."""
        from desktop_app.gui.results.citation import cite_hits

        if (hit := self._window.search_pane.current) is not None:
            QGuiApplication.clipboard().setText(cite_hits([hit], form))

    # Quotes

    def pin(self) -> None:
        """Put the chosen sentence aside."""
        window = self._window
        if (hit := window.search_pane.current) is None:
            return

        def told(added: int) -> None:
            window.tell(
                self.tr("Put aside. All quotes: Edit > Quotes.")
                if added
                else self.tr("This sentence is among the quotes already.")
            )

        job = window.session.workspace.user_data.add_quotes([hit])
        window.session.bridge.call(job, self, told, on_error=window.tell_error)

    def show_quotes(self) -> None:
        """Show what was put aside."""
        from desktop_app.gui.search.quotes_dialog import QuotesDialog

        dialog = QuotesDialog(self._window)
        dialog.opened.connect(self._window.navigator.open_hit)
        dialog.show()

    # Judging

    def judge(self, is_relevant: bool) -> None:
        """Say whether the chosen hit answers the query; saying it again takes it back. The list is ranked anew."""
        window = self._window
        hit, result = window.search_pane.current, window.hits.result
        if hit is None or result is None:
            return
        verdict = None if result.judged.get(hit.sentence_id) is is_relevant else is_relevant
        job = window.session.workspace.user_data.judge(result.query, hit.sentence_id, verdict)
        window.session.bridge.call(
            job, self, lambda _nothing: window.search.repeat_search(), on_error=window.tell_error
        )

    def _on_chosen(self, hit: Hit | None) -> None:
        window, result = self._window, self._window.hits.result
        actions = window.action_table
        actions.enable(HIT_ACTION_IDS, hit is not None)
        actions.enable(JUDGEMENT_ACTIONS, hit is not None and result is not None and result.mode != "words")
        actions.enable(("hits.export",), result is not None and bool(result.found))
        verdict = result.judged.get(hit.sentence_id) if hit is not None and result is not None else None
        for action, meaning in zip(JUDGEMENT_ACTIONS, (True, False), strict=True):
            actions[action].setChecked(verdict is meaning)

    # Export

    def choose_export(self) -> None:
        """Let the person choose a file for all hits."""
        self._choose_file(self.tr("Export all hits"), HIT_EXPORT_FORMATS, self.export)

    def choose_marks_export(self) -> None:
        """Let the person choose a file for what was said of hits and pairs."""
        self._choose_file(self.tr("Export marks"), PAIR_LABEL_EXPORT_FORMATS, self.export_marks)

    def _choose_file(self, title: str, suffixes: tuple[str, ...], chosen: Callable[[str], None]) -> None:
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(self._window, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        names = {
            ".csv": self.tr("Table"),
            ".tsv": self.tr("Table with tabs"),
            ".jsonl": self.tr("JSON lines"),
            ".md": "Markdown",
            ".html": "HTML",
        }
        dialog.setNameFilters([f"{names[suffix]} (*{suffix})" for suffix in suffixes])
        dialog.setDefaultSuffix(suffixes[0].lstrip("."))
        # The suffix follows the form that is chosen.
        dialog.filterSelected.connect(lambda form: dialog.setDefaultSuffix(form.rpartition("*.")[2].rstrip(")")))
        dialog.fileSelected.connect(chosen)
        dialog.open()

    def export(self, file: str) -> None:
        """Write all hits to a file, in the form of its ending."""
        window, result = self._window, self._window.hits.result
        if result is None or warn_of_overwrite(window, file):
            return

        def told(count: int) -> None:
            text = self.tr("{sentences} written to {name}.")
            window.tell(text.format(sentences=display_text.count_sentences(count), name=Path(file).name))

        job = window.session.workspace.finding.export(result, file)
        window.session.bridge.call(job, self, told, on_error=window.tell_error)

    def export_marks(self, file: str) -> None:
        """Write what was said of hits and pairs to a file, in the form of its ending."""
        window = self._window
        if warn_of_overwrite(window, file):
            return

        def told(count: int) -> None:
            text = self.tr("Nothing is marked yet: say of hits whether they answer, of pairs whether they are one.")
            if count:
                text = self.tr("Marks written to {name}: {count}.")
            window.tell(text.format(name=Path(file).name, count=display_text.format_number(count)))

        job = window.session.workspace.marking.export(file)
        window.session.bridge.call(job, self, told, on_error=window.tell_error)
