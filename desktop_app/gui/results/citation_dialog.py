"""Cites sentences or documents in a style or format that a person selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit

from desktop_app.core.citation import REFERENCE_SUFFIXES, CitedSentence, cite_hit
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_save_file
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.results.citation import format_cited
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.forms import fill_choices
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.citation import CitationForm
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.window_context import WindowContext

_MAX_AT_ONCE = 3
"""More citations are formatted while the window is alive."""

_SUFFIXES = {form: suffix for suffix, form in REFERENCE_SUFFIXES.items()} | {"markdown": ".md"}


class CitationDialog(QDialog):
    """Shows the citations of hits, or the references of documents, in a form to select; copies or saves them.

    Args:
        context: the services of the window.
        document_ids: the documents to cite.
        hits: the sentences to cite in them; none to cite the documents themselves.
    """

    def __init__(self, context: WindowContext, document_ids: Sequence[int], hits: Sequence[Hit] = ()) -> None:
        super().__init__(context.widget)
        self._context, self._ids, self._hits = context, list(document_ids), hits
        self._cited: list[CitedSentence] = []
        self._formatting: LatestJob[str] = LatestJob(context.session, self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Cite"))
        self.setAccessibleName(self.windowTitle())
        self.form = ChoiceBox()
        self.form.setAccessibleName(self.tr("Citation style"))
        fill_choices(self.form, self._forms(), context.settings.citation_form)
        label = make_label(self.tr("&Style"))
        label.setBuddy(self.form)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Citation"))
        self._advice = self.tr(
            "Something missing or wrong? Correct it with Library > Title and Reference > Edit Reference."
        )
        self.about = make_label(self._advice, tone="muted", wrap=True, name=self.tr("About the citation"))
        self.copy = make_push_button(self.tr("&Copy"), self.tr("Copy the citation"), tone="primary")
        self.copy.setDefault(True)
        self.save = make_push_button(self.tr("&Save…"), self.tr("Save the citation to a file"), "file-plus")
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._choose_file)
        self.form.currentIndexChanged.connect(self._select)
        make_column(
            make_row(label, (self.form, 1), spacing=10),
            (self.text, 1),
            self.about,
            make_row(self.copy, self.save, "stretch", make_close_button(self), spacing=10),
            parent=self,
            margins=(20, 18, 20, 16),
            spacing=10,
        )
        set_initial_size(self, 620, 400)
        self._show()
        session = context.session
        session.bridge.call(
            session.workspace.read(lambda library: library.documents.references(self._ids), by_person=False),
            self,
            self._receive,
            on_error=context.tell_error,
        )

    @property
    def selected_form(self) -> CitationForm:
        """The selected style or format."""
        form: CitationForm = self.form.currentData()
        return form

    def save_to(self, file: str) -> None:
        """Write the citations to a file, unless that would overwrite a document."""
        if reason := self._context.overwrite_refusal(file):
            self.about.setText(reason)
            return
        session = self._context.session
        message = self.tr("Saved to {name}.").format(name=file)
        session.bridge.call(
            session.workspace.export.write_text(file, self.text.toPlainText() + "\n"),
            self,
            lambda _nothing: self.about.setText(message),
            on_error=self._fail,
        )

    def _forms(self) -> list[tuple[str, str]]:
        return [
            ("APA", "apa"),
            ("MLA", "mla"),
            (self.tr("Chicago (author and date)"), "chicago"),
            (self.tr("Chicago (notes)"), "chicago-notes"),
            ("DIN ISO 690", "iso690"),
            ("BibTeX", "bibtex"),
            (self.tr("RIS (EndNote, Zotero and others)"), "ris"),
            ("CSL-JSON", "csl"),
            ("Markdown", "markdown"),
            (self.tr("Plain text"), "plain"),
        ]

    def _receive(self, references: dict[int, Reference]) -> None:
        if self._hits:
            self._cited = [
                cite_hit(hit, references.get(hit.document_id), display_text.format_cited_location(hit))
                for hit in self._hits
            ]
        else:
            documents = self._context.documents
            found = [(documents.document(each), references[each]) for each in self._ids if each in references]
            self._cited = [
                CitedSentence("", reference, document.path if document is not None else "")
                for document, reference in found
            ]
        self._show()

    def _select(self) -> None:
        self._context.change_settings(citation_form=self.selected_form)
        self._show()

    def _show(self) -> None:
        self._formatting.cancel()
        self._formatting.drop()
        if len(self._cited) <= _MAX_AT_ONCE:
            self._show_text(format_cited(self._cited, self.selected_form) if self._cited else "")
            return
        self._show_text("")
        self.about.setText(self.tr("Formatting %Ln citations…", "", len(self._cited)))
        self._formatting.start(
            self._context.session.workspace.references.format_citations(
                self._cited, self.selected_form, QLocale().name()[:2]
            ),
            self._show_text,
            on_error=self._fail,
        )

    def _show_text(self, text: str) -> None:
        self.text.setPlainText(text)
        self.about.setText(self._advice)
        for button in (self.copy, self.save):
            button.setEnabled(bool(text))

    def done(self, result: int) -> None:
        """Stop formatting."""
        self._formatting.cancel()
        self._formatting.drop()
        super().done(result)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.about.setText(self.tr("Copied."))

    def _choose_file(self) -> None:
        suffix = _SUFFIXES.get(self.selected_form, ".txt").removeprefix(".")
        formats = {suffix: self.form.currentText() if suffix != "txt" else self.tr("Plain text")}
        choose_save_file(self, self.tr("Save Citation"), formats, self.save_to, suggestion=self.tr("references"))

    def _fail(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self.about.setText(f"{message}. {hint}".strip())
