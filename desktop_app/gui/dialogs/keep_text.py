"""Asks what is to become of a text that was pasted or dropped."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_app.gui import words
from desktop_app.gui.dialogs.buttons import push_button
from desktop_app.gui.fields import TickBox
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import ElidedLabel, label

_SHOWN = 20_000  # characters; nobody reads more of it here
_LONGEST_QUERY = 2000
_MARKDOWN = re.compile(r"^(#{1,6} \S|```|\s*[-*] \S|\d+\. \S|> )|\[[^\]\n]+\]\([^)\n]+\)", re.MULTILINE)


class KeepTextDialog(QDialog):
    """Shows the text and offers to keep it as a document, or to search for it.

    Attributes:
        kept: it is to be a document; carries whether it is Markdown.
        searched: it is to be searched for; carries the text.
    """

    kept = Signal(object)
    searched = Signal(object)

    def __init__(self, text: str, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keep text"))
        self.setAccessibleName(self.tr("Keep text"))
        title = label(self.tr("Keep this text as a document?"), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(self.tr("Question"))
        count = self.tr("%Ln words", "", len(text.split()))
        about = label(count, tone="muted", factor=0.93)
        about.setAccessibleName(self.tr("Length"))
        self.preview = QPlainTextEdit()
        self.preview.setAccessibleName(self.tr("The text"))
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        self.preview.setPlainText(text[:_SHOWN] + (" …" if len(text) > _SHOWN else ""))
        self.markdown = TickBox(self.tr("It is written in &Markdown: headings, lists, links"))
        self.markdown.setAccessibleName(self.tr("It is written in Markdown"))
        self.markdown.setChecked(len(_MARKDOWN.findall(text[:_SHOWN])) >= 2)
        place = ElidedLabel(self.tr("Where it is kept"), "muted", Qt.TextElideMode.ElideMiddle)
        place.setText(self.tr("It is written to a file in {folder}").format(folder=folder))
        place.setToolTip(words.tooltip(folder))

        self.keep = push_button(self.tr("&Keep as Document"))
        self.keep.setProperty("tone", "primary")
        self.keep.setDefault(True)
        self.search = push_button(self.tr("&Search for It"), picture="search")
        self.search.setVisible(len(text) <= _LONGEST_QUERY)
        self.leave = push_button(self.tr("Cancel"))
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.search)
        row.addStretch(1)
        row.addWidget(self.leave)
        row.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(about)
        column.addWidget(self.preview, 1)
        column.addWidget(self.markdown)
        column.addWidget(place)
        column.addSpacing(4)
        column.addLayout(row)
        give_size(self, 560, 400)
        self.keep.clicked.connect(self._on_keep)
        self.search.clicked.connect(self._on_search)
        self.leave.clicked.connect(self.reject)
        self.keep.setFocus()

    def _on_keep(self) -> None:
        self.kept.emit(self.markdown.isChecked())
        self.accept()

    def _on_search(self) -> None:
        self.searched.emit(self._text)
        self.accept()
