"""The highlights and notes of a document or of the library: to search, open, edit, copy, export and delete."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QLocale, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QDialog, QLineEdit, QListWidget, QListWidgetItem

from desktop_app.core.annotations import (
    COLOURS,
    annotation_to_hit,
    colour_name,
    contains_words,
)
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_save_file
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.reader.annotations import AnnotationModel, AnnotationPopup, colour_title, make_colour_icon
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.bibliography import Reference
    from desktop_app.core.citation_styles import CitationStyle
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.reader.model import ShownDocument

_ANNOTATION_ROLE = Qt.ItemDataRole.UserRole
_STYLES: dict[CitationStyle, str] = {"apa": "APA", "mla": "MLA", "chicago": "Chicago", "iso690": "DIN ISO 690"}
_MAX_SHOWN = 600
"""Characters of a highlight or note in the list."""


class AnnotationsDialog(QDialog):
    """Lists highlights and notes: the person's own, those of Zotero, and those in the files themselves.

    Attributes:
        opened: the person opens one in its document; carries the Annotation.
        copy_wanted: the person wants a copy of the PDF in the reader with its highlights.
    """

    opened = Signal(object)
    copy_wanted = Signal()

    def __init__(self, context: WindowContext, shown: ShownDocument | None) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self._shown = shown
        self._found: list[Annotation] = []
        self._deletions: list[tuple[str, Callable[[], None]]] = []  # made here: each with what brings it back
        self._model = AnnotationModel(context.session, self)
        self._model.failed.connect(self._fail)
        self._model.deleted.connect(self._offer_undo)
        self._latest: LatestJob[list[Annotation]] = LatestJob(context.session, self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Highlights and Notes"))
        self.setAccessibleName(self.windowTitle())
        title = make_heading(self.tr("Highlights and notes"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search highlights and notes"))
        self.search.setAccessibleName(self.tr("Search highlights and notes"))
        self.search.setClearButtonEnabled(True)
        self.where = ChoiceBox()
        self.where.setAccessibleName(self.tr("Search in"))
        if shown is not None:
            self.where.addItem(self.tr("This document"), shown.document_id)
        self.where.addItem(self.tr("All documents"), None)
        self.colour = ChoiceBox()
        self.colour.setAccessibleName(self.tr("Colour"))
        self.colour.addItem(self.tr("All colours"), "")
        for name, colour in COLOURS.items():
            self.colour.addItem(make_colour_icon(colour), colour_title(name), name)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Highlights and notes"))
        self.list.setObjectName("quotes")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setWordWrap(True)
        self.list.setSpacing(3)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.about = make_label(tone="muted", wrap=True, name=self.tr("About the highlights"))
        self.undo = make_push_button(self.tr("&Undo"), self.tr("Undo the deletion"), "undo-2")
        self.undo.hide()
        self.read = make_push_button(self.tr("&Open"), self.tr("Open it in the reader"), "book-open")
        self.edit = make_push_button(self.tr("&Edit…"), self.tr("Edit note and colour"), "pencil")
        self.copy = make_push_button(self.tr("&Copy"), self.tr("Copy the selected highlights, or all of them"), "copy")
        self.export = make_push_button(self.tr("E&xport…"), self.tr("Export the listed highlights"), "download")
        self.remove = make_push_button(self.tr("&Delete"), self.tr("Delete the selected highlights"), "trash-2")
        buttons = make_row(
            *(self.read, self.edit, self.copy, self.export, self.remove),
            "stretch",
            make_close_button(self),
            spacing=10,
        )
        filters = make_row((self.search, 1), self.where, self.colour, spacing=8)
        foot = make_row((self.about, 1), self.undo, spacing=8)
        make_column(title, filters, (self.list, 1), foot, buttons, parent=self, margins=(20, 18, 20, 16), spacing=10)
        set_initial_size(self, 760, 560)
        self._connect()
        self._load()

    def _connect(self) -> None:
        self.search.textChanged.connect(self._fill)
        self.colour.currentIndexChanged.connect(self._fill)
        self.where.currentIndexChanged.connect(self._load)
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda _item: self.open_chosen())
        self.read.clicked.connect(self.open_chosen)
        self.edit.clicked.connect(self.edit_chosen)
        self.copy.clicked.connect(self.copy_chosen)
        self.export.clicked.connect(self._choose_export)
        self.remove.clicked.connect(self.delete_chosen)
        self.undo.clicked.connect(self.undo_deletion)
        self._session.bridge.changed.connect(self._on_library_changed)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.annotations or changes.listing:
            self._load()

    # The list

    def _load(self) -> None:
        job = self._session.workspace.annotations.fetch(self.where.currentData(), with_file=True)
        self._latest.start(job, self._take, on_error=self._fail)

    def _take(self, found: list[Annotation]) -> None:
        self._found = found
        self._fill()

    def _fill(self) -> None:
        current, scrolled = self.list.currentItem(), self.list.verticalScrollBar().value()
        chosen = {_identity(each) for each in self._chosen()}
        current_one = _identity(current.data(_ANNOTATION_ROLE)) if current is not None else None
        self.list.clear()
        words, colour = self.search.text(), self.colour.currentData()
        for each in self._found:
            if contains_words(each, words) and (not colour or colour_name(each.colour) == colour):
                item = QListWidgetItem(make_colour_icon(each.colour or "#aaaaaa"), self._describe(each))
                item.setData(_ANNOTATION_ROLE, each)
                item.setToolTip(display_text.make_tooltip(each.path))
                self.list.addItem(item)
                if _identity(each) == current_one:
                    self.list.setCurrentItem(item, QItemSelectionModel.SelectionFlag.NoUpdate)
                item.setSelected(_identity(each) in chosen)
        if not self.list.selectedItems() and self.list.count():
            self.list.setCurrentRow(0)
        else:
            self.list.doItemsLayout()  # now, or there is nothing yet to scroll
            self.list.verticalScrollBar().setValue(scrolled)
        count = self.list.count()
        if count:
            self.about.setText(display_text.count_highlights(count))
        elif self._found:
            self.about.setText(self.tr("No highlights match your search."))
        else:
            self.about.setText(self.tr("No highlights yet. Select text in the reader, then choose Edit > Highlight."))
        self._enable()

    def _describe(self, each: Annotation) -> str:
        hit = annotation_to_hit(each)
        origin = {"zotero": "Zotero", "file": self.tr("in the file")}.get(each.origin, "")
        name = display_text.document_name(each.title, each.path)
        source = " · ".join(filter(None, (name, display_text.format_location(hit), origin)))
        texts = (QLocale().quoteString(each.text) if each.text else "", each.comment)
        lines = [text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…" for text in texts if text]
        return "\n".join((*lines, source))

    def _fail(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self.about.setText(f"{message}. {hint}".strip())

    def _enable(self) -> None:
        chosen = self._chosen()
        can_change = [each for each in chosen if each.origin == "own"]
        self.read.setEnabled(bool(chosen))
        self.edit.setEnabled(len(chosen) == 1 and chosen[0].origin != "file")
        self.remove.setEnabled(bool(can_change))
        for button in (self.copy, self.export):
            button.setEnabled(self.list.count() > 0)

    def _chosen(self) -> list[Annotation]:
        return [item.data(_ANNOTATION_ROLE) for item in self.list.selectedItems()]

    def listed(self) -> list[Annotation]:
        """Return the highlights in the list."""
        items = (self.list.item(nth) for nth in range(self.list.count()))
        return [item.data(_ANNOTATION_ROLE) for item in items if item is not None]

    # What is done

    def open_chosen(self) -> None:
        """Open the selected highlight in its document."""
        if chosen := self._chosen():
            self.opened.emit(chosen[0])

    def edit_chosen(self) -> None:
        """Edit the note and the colour of the selected highlight."""
        chosen, items = self._chosen(), self.list.selectedItems()
        if len(chosen) != 1 or chosen[0].origin == "file":
            return
        annotation = chosen[0]
        popup = AnnotationPopup(self, annotation, self._model.unsaved.get(annotation.annotation_id))
        popup.colour_chosen.connect(lambda colour: self._model.change(annotation, colour=colour))
        popup.comment_changed.connect(lambda text: self._model.change(annotation, comment=text))
        # Not the selected one: the list may have changed with the colour, or by another window.
        popup.delete_wanted.connect(lambda: self._model.delete([annotation.annotation_id]))
        show_in_zotero = self._context.navigator.show_in_zotero
        popup.source_wanted.connect(
            lambda: show_in_zotero.emit(annotation.document_id, annotation.key, annotation.page)
        )
        rect = self.list.visualItemRect(items[0])
        popup.pop_up(self.list.viewport().mapToGlobal(rect.bottomLeft() + QPoint(24, 2)))

    def delete_chosen(self) -> None:
        """Delete those of the selected highlights that are the person's own."""
        self._model.delete([each.annotation_id for each in self._chosen() if each.origin == "own"])

    def _offer_undo(self, count: int, restore: Callable[[], None]) -> None:
        text = self.tr("Deleted {highlights}.").format(highlights=display_text.count_highlights(count))
        self._deletions.append((text, restore))
        self._show_undo()

    def _show_undo(self) -> None:
        self.undo.setVisible(bool(self._deletions))
        if self._deletions:
            self.undo.setToolTip(self._deletions[-1][0])

    def undo_deletion(self) -> None:
        """Bring back what was deleted here last."""
        if self._deletions:
            _, restore = self._deletions.pop()
            restore()
        self._show_undo()

    def copy_chosen(self) -> None:
        """Copy the selected highlights, or all of them that are listed, as Markdown."""
        wanted = self._chosen() or self.listed()
        message = self.tr("Copied {highlights}.").format(highlights=display_text.count_highlights(len(wanted)))

        def copy(references: Mapping[int, Reference]) -> None:
            from desktop_app.core.annotation_files import format_markdown

            locate = display_text.format_cited_location
            text = format_markdown(wanted, references, language=_language(), locate=locate)
            QGuiApplication.clipboard().setText(text)
            self.about.setText(message)

        self._read_references(wanted, copy)

    def _choose_export(self) -> None:
        menu = make_popup_menu(self, self.tr("Export as"))
        menu.addAction(self.tr("&Markdown, Excel, CSV or JSON Lines…"), self._choose_file)
        cited = menu.addMenu(self.tr("Markdown with &Citations"))
        for style, name in _STYLES.items():
            cited.addAction(f"{name}…", partial(self._choose_file, style))
        menu.addSeparator()
        pdf = menu.addAction(make_icon("save"), self.tr("Copy of the &PDF with Highlights…"), self.copy_wanted.emit)
        pdf.setEnabled(self._shown is not None and self._shown.type == "pdf")
        menu.popup(self.export.mapToGlobal(self.export.rect().bottomLeft()))

    def _choose_file(self, style: CitationStyle | None = None) -> None:
        formats = {"md": "Markdown"}
        if not style:
            formats |= {"xlsx": self.tr("Excel workbook"), "csv": "CSV", "jsonl": "JSON Lines"}
        choose_save_file(
            self,
            self.tr("Export highlights"),
            formats,
            lambda file: self.export_to(file, style),
            suggestion=self.tr("highlights"),
        )

    def export_to(self, file: str, style: CitationStyle | None = None) -> None:
        """Write the listed highlights to a file in the format of its suffix, unless that would overwrite a document."""
        if reason := self._context.overwrite_refusal(file):
            self.about.setText(reason)
            return
        wanted = self.listed()
        message = self.tr("Exported {highlights} to {name}.").format(
            highlights=display_text.count_highlights(len(wanted)), name=file
        )
        job = self._session.workspace.annotations.export(wanted, file, style=style, language=_language())
        self._session.bridge.call(job, self, lambda _nothing: self.about.setText(message), on_error=self._fail)

    def _read_references(self, wanted: list[Annotation], then: Callable[[Mapping[int, Reference]], None]) -> None:
        ids = sorted({each.document_id for each in wanted})
        job = self._session.workspace.read(lambda library: library.documents.references(ids), by_person=False)
        self._session.bridge.call(job, self, then, on_error=self._fail)


def _identity(annotation: Annotation) -> tuple[object, ...]:
    """Return what an annotation keeps while its note and colour change; one in a file has no id."""
    if annotation.annotation_id:
        return (annotation.annotation_id,)
    return annotation.document_id, annotation.page, annotation.text, annotation.comment


def _language() -> str:
    return QLocale().name()[:2]
