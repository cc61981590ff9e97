"""The saved quotes: to open, copy, export and remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QListWidget,
    QListWidgetItem,
    QPushButton,
)

from desktop_app.core.records import Hit
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_save_file
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.results.citation import read_citations
from desktop_app.gui.results.citation_dialog import CitationDialog
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.citation import CitationForm
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.user_data import Quote
    from desktop_app.gui.base.window_context import WindowContext

QUOTE_FORMS: dict[str, CitationForm] = {
    ".md": "markdown",
    ".txt": "plain",
    ".bib": "bibtex",
    ".ris": "ris",
    ".json": "csl",
}
_QUOTE_ROLE = Qt.ItemDataRole.UserRole


class QuotesDialog(QDialog):
    """Lists the quotes of a library. Copies the selected ones, or all.

    Attributes:
        opened: the person opens a quote in its document; carries a Hit.
    """

    opened = Signal(object)

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Quotes"))
        self.setAccessibleName(self.windowTitle())
        title = make_heading(self.tr("Saved quotes"))
        self.about = make_label(tone="muted", wrap=True, name=self.tr("About the quotes"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Quotes"))
        self.list.setObjectName("quotes")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setWordWrap(True)
        self.list.setSpacing(3)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(lambda _item: self.open_chosen())
        self.read = make_push_button(self.tr("&Open"), self.tr("Open it in the reader"), "book-open")
        self.copy = make_push_button(self.tr("&Copy"), self.tr("Copy the selected quotes, or all"), "copy")
        self.export = make_push_button(self.tr("&Export…"), self.tr("Export all quotes"), "file-plus")
        self.remove = make_push_button(self.tr("Re&move"), self.tr("Remove the selected quotes"), "trash-2")
        self.read.clicked.connect(self.open_chosen)
        self.copy.clicked.connect(self._choose_form)
        self.export.clicked.connect(self._choose_file)
        self.remove.clicked.connect(self._remove)
        buttons = make_row(
            self.read, self.copy, self.export, self.remove, "stretch", make_close_button(self), spacing=10
        )
        make_column(title, self.about, (self.list, 1), buttons, parent=self, margins=(20, 18, 20, 16), spacing=10)
        set_initial_size(self, 680, 520)
        self.list.itemSelectionChanged.connect(self._enable)
        self._session.bridge.changed.connect(self._on_library_changed)
        self._load()

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.quotes or changes.listing:
            self._load()

    def _load(self) -> None:
        job = self._session.workspace.read(lambda library: library.user_data.quotes(), by_person=False)
        self._session.bridge.call(job, self, self._show, on_error=self._fail)

    def _show(self, quotes: list[Quote]) -> None:
        chosen = {item.data(_QUOTE_ROLE).quote_id for item in self.list.selectedItems()}
        self.list.clear()
        for quote in quotes:
            source = ", ".join(
                part for part in (display_text.document_name(quote.title, quote.path), quote_location(quote)) if part
            )
            item = QListWidgetItem(make_icon("quote"), f"{quote.text}\n{source}")
            item.setData(_QUOTE_ROLE, quote)
            item.setToolTip(display_text.make_tooltip(quote.path))
            self.list.addItem(item)
        self.about.setText(
            self.tr("Quotes are kept until you remove them or erase their document from the library.")
            if quotes
            else self.tr("No quotes yet. Select a result, then Edit > Save Quote.")
        )
        rows = [row for row, quote in enumerate(quotes) if quote.quote_id in chosen] or [0]
        self.list.setCurrentRow(rows[0])
        for row in rows[1:]:
            self.list.item(row).setSelected(True)
        self._enable()

    def _fail(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self.about.setText(f"{message}. {hint}".strip())

    def _enable(self) -> None:
        chosen = bool(self.list.selectedItems())
        for button in (self.read, self.remove):
            button.setEnabled(chosen)
        for button in (self.copy, self.export):
            button.setEnabled(self.list.count() > 0)

    def _quotes(self, *, chosen: bool) -> list[Quote]:
        items = [item for nth in range(self.list.count()) if (item := self.list.item(nth)) is not None]
        some = [item for item in items if item.isSelected()] if chosen else []
        return [item.data(_QUOTE_ROLE) for item in some or items]

    # What is done

    def open_chosen(self) -> None:
        """Open the selected quote in its document."""
        if not self.list.selectedItems():
            return
        quote = self._quotes(chosen=True)[0]
        self.opened.emit(quote_to_hit(quote))

    def copy_as(self, form: CitationForm) -> None:
        """Copy the selected quotes, or all."""
        self._cite(self._quotes(chosen=True), form, QGuiApplication.clipboard().setText)

    def export_to(self, file: str) -> None:
        """Write all quotes to a file in the format of its suffix, unless that would overwrite a document."""
        if reason := self._context.overwrite_refusal(file):
            self.about.setText(reason)
            return
        forms: list[CitationForm] = [form for suffix, form in QUOTE_FORMS.items() if file.lower().endswith(suffix)]
        form = forms[0] if forms else "plain"
        quotes = self._quotes(chosen=False)
        message = self.tr("Exported {sentences} to {name}.").format(
            sentences=display_text.count_sentences(len(quotes)), name=file
        )

        def write(text: str) -> None:
            job = self._session.workspace.export.write_text(file, text + "\n")
            self._session.bridge.call(job, self, lambda _nothing: self.about.setText(message), on_error=self._fail)

        self._cite(quotes, form, write)

    def _cite(self, quotes: list[Quote], form: CitationForm, then: Callable[[str], None]) -> None:
        read_citations(self._context, [quote_to_hit(quote) for quote in quotes], form, then)

    def _show_citations(self) -> None:
        hits = [quote_to_hit(quote) for quote in self._quotes(chosen=True)]
        CitationDialog(self._context, sorted({hit.document_id for hit in hits}), hits).show()

    def _choose_form(self) -> None:
        menu = make_popup_menu(self, self.tr("Copy as"))
        menu.addAction(self.tr("&Plain Text"), lambda: self.copy_as("plain"))
        menu.addAction("&Markdown", lambda: self.copy_as("markdown"))
        menu.addAction("&BibTeX", lambda: self.copy_as("bibtex"))
        menu.addAction(self.tr("&Cite…"), self._show_citations)
        menu.popup(_menu_position(self.copy))

    def _choose_file(self) -> None:
        formats = {"md": "Markdown", "txt": self.tr("Plain text"), "bib": "BibTeX", "ris": "RIS", "json": "CSL-JSON"}
        choose_save_file(self, self.tr("Export all quotes"), formats, self.export_to, suggestion=self.tr("quotes"))

    def _remove(self) -> None:
        if not self.list.selectedItems():
            return
        ids = [quote.quote_id for quote in self._quotes(chosen=True)]
        job = self._session.workspace.change(lambda library: library.user_data.delete_quotes(ids), by_person=False)
        self._session.bridge.call(job, self, lambda _nothing: self._load(), on_error=self._fail)


def _menu_position(button: QPushButton) -> QPoint:
    return button.mapToGlobal(button.rect().bottomLeft())


def quote_to_hit(quote: Quote) -> Hit:
    """Return a quote as a hit, which the reader can show."""
    return Hit(
        rank=1,
        score=1.0,
        sentence_id=0,
        text=quote.text,
        before="",
        after="",
        document_id=quote.document_id,
        title=quote.title,
        path=quote.path,
        type=quote.type,  # type: ignore[arg-type]
        ordinal=quote.ordinal,
        kind="body",
        places=(quote.place,) if quote.place is not None else (),
        page_label=quote.page_label,
    )


def quote_location(quote: Quote) -> str:
    """Return the location of a quote as text."""
    return display_text.format_location(quote_to_hit(quote))
