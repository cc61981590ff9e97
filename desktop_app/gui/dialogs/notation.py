"""What may be written into the search box beside plain words."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.gui.dialogs.buttons import close_button
from desktop_app.gui.widgets import label
from desktop_app.gui.words import translate


def notation() -> list[tuple[str, str]]:
    """Return (example, what it does) of every operator."""
    return [
        ('"exact phrase"', translate("notation", "these words, one after the other")),
        ("+word", translate("notation", "the word has to be there")),
        ("-word", translate("notation", "the word must not be there; also before a phrase")),
        ("title:waves", translate("notation", "the document's title has it")),
        ("in:papers", translate("notation", "the document lies in this folder, or is this file")),
        ("collection:thesis", translate("notation", "the document is in this collection")),
        ("tag:unread", translate("notation", "the document has this tag")),
        ("type:pdf", translate("notation", "documents of this type, or files with this ending")),
        ("language:de", translate("notation", "documents that seem to be in this language; lang: for short")),
        ("after:2024-05", translate("notation", "files changed then or later; before: for earlier ones")),
        ("with:references", translate("notation", "also in lists of references, which are left out otherwise")),
        ("bank - river", translate("notation", "means the first, and not the second")),
        ("king + woman", translate("notation", "means both together")),
    ]


class NotationDialog(QDialog):
    """Shows the operators, each with an example."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Search notation"))
        self.setAccessibleName(self.tr("Search notation"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 18)
        column.setSpacing(12)
        title = label(self.tr("What you can write into the search box"), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(self.tr("Heading"))
        about = label(
            self.tr("A question, a sentence or a few words are enough. To be more exact:"), tone="muted", factor=0.95
        )
        about.setAccessibleName(self.tr("Introduction"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        for row, (example, what) in enumerate(notation()):
            sample = label(example)
            sample.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            sample.setAccessibleName(example)
            says = label(what, tone="muted")
            says.setAccessibleName(what)
            grid.addWidget(sample, row, 0)
            grid.addWidget(says, row, 1)
        grid.setColumnStretch(1, 1)
        end = QHBoxLayout()
        end.addStretch(1)
        end.addWidget(close_button(self))
        column.addWidget(title)
        column.addWidget(about)
        column.addLayout(grid)
        column.addLayout(end)
