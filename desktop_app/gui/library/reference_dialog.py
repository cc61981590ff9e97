"""The reference of a document: who wrote it, when and where it was published."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QLineEdit, QPlainTextEdit, QScrollArea, QWidget

from desktop_app.core.bibliography import REFERENCE_KINDS, Reference, find_doi, to_family_first
from desktop_app.core.document_dates import normalise_date
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.forms import fill_choices
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

_AUTHOR_LINES = 3


class ReferenceDialog(QDialog):
    """Edits a reference.

    Attributes:
        accepted_reference: the person saves; carries the Reference, or None to go back to what the file says.
    """

    accepted_reference = Signal(object)

    def __init__(self, reference: Reference, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reference = reference
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Reference"))
        self.setAccessibleName(self.tr("Reference of a document"))
        self.kind = ChoiceBox()
        fill_choices(self.kind, self._kinds(), reference.kind)
        self.authors = QPlainTextEdit("\n".join(reference.authors))
        self.authors.setPlaceholderText(self.tr("One author per line, e.g. Woolf, Virginia"))
        self.authors.setTabChangesFocus(True)
        self.authors.setFixedHeight((_AUTHOR_LINES + 1) * self.fontMetrics().lineSpacing())
        self.fields = {name: QLineEdit(getattr(reference, name)) for name in self._labels() if name != "authors"}
        self.fields["date"].setPlaceholderText(self.tr("e.g. 1931, 1931-10 or 1931-10-08"))
        inside = QWidget()
        inside.setAccessibleName(self.windowTitle())
        form = QFormLayout(inside)
        form.setContentsMargins(0, 0, 8, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._add(form, self.tr("Type"), self.kind)
        for name, label in self._labels().items():
            self._add(form, label, self.authors if name == "authors" else self.fields[name])
        area = QScrollArea()
        area.setAccessibleName(self.windowTitle())
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self.about = make_label(tone="bad", wrap=True, name=self.tr("About the reference"))
        self.about.hide()
        self.reset = make_push_button(
            self.tr("&From the File"), self.tr("Discard your changes and use the reference in the file"), "rotate-ccw"
        )
        leave = make_push_button(self.tr("Cancel"))
        self.save = make_push_button(self.tr("&Save"), tone="primary")
        self.save.setDefault(True)
        self.reset.clicked.connect(self._reset)
        leave.clicked.connect(self.reject)
        self.save.clicked.connect(self._save)
        buttons = make_row(self.reset, "stretch", leave, self.save, spacing=10)
        make_column((area, 1), self.about, buttons, parent=self, margins=(20, 18, 20, 16), spacing=10)
        set_initial_size(self, 560, 560)
        self.fields["title"].setFocus()

    def _labels(self) -> dict[str, str]:
        return {
            "title": self.tr("Title"),
            "authors": self.tr("Authors"),
            "date": self.tr("Date"),
            "container": self.tr("Published in"),
            "volume": self.tr("Volume"),
            "issue": self.tr("Issue"),
            "pages": self.tr("Pages"),
            "publisher": self.tr("Publisher"),
            "place": self.tr("Place"),
            "doi": self.tr("DOI"),
            "isbn": self.tr("ISBN"),
            "url": self.tr("Web address"),
            "language": self.tr("Language"),
            "key": self.tr("Citation key"),
        }

    def _kinds(self) -> list[tuple[str, str]]:
        names = {
            "document": self.tr("Document"),
            "article-journal": self.tr("Journal article"),
            "article-magazine": self.tr("Magazine article"),
            "article-newspaper": self.tr("Newspaper article"),
            "book": self.tr("Book"),
            "chapter": self.tr("Chapter of a book"),
            "paper-conference": self.tr("Conference paper"),
            "thesis": self.tr("Thesis"),
            "report": self.tr("Report"),
            "webpage": self.tr("Web page"),
            "manuscript": self.tr("Manuscript"),
            "personal_communication": self.tr("Letter or email"),
        }
        # A type from a reference manager that has no name here stays as it is.
        return [(names.get(kind, kind), kind) for kind in dict.fromkeys((*REFERENCE_KINDS, self._reference.kind))]

    def _add(self, form: QFormLayout, label: str, field: QWidget) -> None:
        field.setAccessibleName(label)
        name = make_label(label, tone="muted")
        name.setBuddy(field)
        form.addRow(name, field)

    def _save(self) -> None:
        values = {name: " ".join(field.text().split()) for name, field in self.fields.items()}
        date = normalise_date(values["date"])
        if values["date"] and not date:
            self._refuse("date", self.tr("Enter the date as 1931, 1931-10 or 1931-10-08."))
            return
        doi = find_doi(values["doi"])
        if values["doi"] and not doi:
            self._refuse("doi", self.tr("A DOI starts with “10.” and contains a slash, e.g. 10.1000/xyz."))
            return
        lines = self.authors.toPlainText().splitlines()
        # A name that was not changed stays: an organisation may look like a person.
        kept = frozenset(self._reference.authors)
        names = (" ".join(line.split()) for line in lines if line.strip())
        authors = tuple(dict.fromkeys(name if name in kept else to_family_first(name) for name in names))
        kind = self.kind.currentData()
        changed: dict[str, Any] = values | {"date": date, "doi": doi}
        self.accepted_reference.emit(replace(self._reference, kind=kind, authors=authors, **changed))
        self.accept()

    def _refuse(self, name: str, reason: str) -> None:
        self.about.setText(reason)
        self.about.show()
        self.fields[name].setFocus()

    def _reset(self) -> None:
        self.accepted_reference.emit(None)
        self.accept()
