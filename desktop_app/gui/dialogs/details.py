"""All there is to know of one document."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_app.gui import names, words
from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import ElidedLabel, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.reading import PageNote
    from desktop_app.core.records import Document

_POOR = 0.5  # below this a page's text is likely to be garbled
_MOST_PAGES_NAMED = 12


class DetailsDialog(QDialog):
    """Shows a document's record: text that can be chosen and copied.

    Attributes:
        opened: it is to be opened in the system's program; carries its path.
        shown_in_folder: its folder is to be shown; carries its path.
    """

    opened = Signal(object)
    shown_in_folder = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None, *, tags: Sequence[str] = ()) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        name = words.document_name(document.title, document.path)
        self.setWindowTitle(self.tr("Details"))
        self.setAccessibleName(self.tr("Details of a document"))
        title = ElidedLabel(self.tr("Title"), mode=Qt.TextElideMode.ElideMiddle)
        title.setFont(label(factor=1.25, weight=QFont.Weight.DemiBold).font())
        title.setText(name)
        title.setToolTip(words.tooltip(name))
        state = label(_state(document), tone="bad" if document.state == "failed" else "muted", wrap=True)
        state.setAccessibleName(self.tr("State"))
        form = QWidget()
        form.setAccessibleName(self.tr("Details"))
        self._grid = QGridLayout(form)
        self._grid.setContentsMargins(0, 0, 8, 0)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self.values: dict[str, QLabel] = {}
        for heading, value in self._facts(document, tags):
            self._add(heading, value)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Details"))
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(form)

        copy = push_button(self.tr("Copy &Path"), picture="copy")
        show = push_button(self.tr("Show in &Folder"), picture="folder-open")
        outside = push_button(self.tr("&Open"), self.tr("Open in system viewer"), "external-link")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(document.path))
        show.clicked.connect(lambda: self.shown_in_folder.emit(document.path))
        outside.clicked.connect(lambda: self.opened.emit(document.path))
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (copy, show, outside):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 16)
        column.setSpacing(4)
        column.addWidget(title)
        column.addWidget(state)
        column.addSpacing(10)
        column.addWidget(area, 1)
        column.addSpacing(8)
        column.addLayout(row)
        give_size(self, 600, 440)

    def show_notes(self, notes: Sequence[PageNote]) -> None:
        """Add what became of the pages."""
        if not notes:
            return
        engines = Counter(note.engine for note in notes if note.engine)
        read = [
            self.tr("{engine} ({pages})").format(engine=_engine(engine), pages=words.pages(count))
            for engine, count in engines.most_common()
        ]
        if read:
            self._add(self.tr("Read with"), ", ".join(read))
        if recognised := [note for note in notes if note.state == "ocr"]:
            sure = sum(note.quality for note in recognised) / len(recognised)
            text = self.tr("{pages}, {sure} sure of the words")
            percent = self.tr("{n} %").format(n=words.number(round(100 * sure)))
            self._add(self.tr("Read by OCR"), text.format(pages=ranges(note.page for note in recognised), sure=percent))
        if without := [note.page for note in notes if note.state == "none"]:
            self._add(self.tr("Pages without text"), ranges(without))
        if poor := [note.page for note in notes if note.state == "poor" or (note.state == "text" and _is_poor(note))]:
            self._add(self.tr("Pages read badly"), ranges(poor))

    def _facts(self, document: Document, tags: Sequence[str]) -> list[tuple[str, str]]:
        added = QDateTime.fromSecsSinceEpoch(int(document.added_at))
        changed = QDateTime.fromMSecsSinceEpoch(document.mtime_ns // 1_000_000)
        locale = QLocale()
        long = QLocale.FormatType.ShortFormat
        facts = [
            (self.tr("Path"), document.path),
            (self.tr("Type"), names.document_type(document.type) if document.type else ""),
            (self.tr("Author"), document.author),
            (self.tr("Tags"), ", ".join(tags)),
            (self.tr("Length"), words.pages(document.pages, document.type) if document.pages else ""),
            (self.tr("Sentences"), words.number(document.sentences) if document.sentences else ""),
            (self.tr("Cut sentences"), self._cut(document)),
            (self.tr("Size"), locale.formattedDataSize(document.size_bytes)),
            (self.tr("Added"), locale.toString(added, long) if document.added_at else ""),
            (self.tr("File changed"), locale.toString(changed, long) if document.mtime_ns else ""),
            (self.tr("Encoding"), document.encoding or ""),
            (self.tr("Remarks"), "\n".join(map(words.told, document.warnings))),
        ]
        return [(heading, value) for heading, value in facts if value]

    def _cut(self, document: Document) -> str:
        if not document.truncated:
            return ""
        text = self.tr("{count}: longer than the model reads, so their ends are not found")
        return text.format(count=words.number(document.truncated))

    def _add(self, heading: str, value: str) -> None:
        row = len(self.values)
        left = label(heading, tone="muted")
        left.setAccessibleName(heading)
        left.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        right = label(_breakable(value), wrap=True)
        right.setAccessibleName(heading)
        right.setAccessibleDescription(value)
        right.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        right.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._grid.setRowStretch(row, 0)
        self._grid.addWidget(left, row, 0)
        self._grid.addWidget(right, row, 1)
        self._grid.setRowStretch(row + 1, 1)
        self.values[heading] = right


def ranges(pages: Iterable[int]) -> str:
    """Return "3, 7–9" for 3, 7, 8, 9."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    return ", ".join([*parts[:_MOST_PAGES_NAMED], *(["…"] if len(parts) > _MOST_PAGES_NAMED else [])])


def _is_poor(note: PageNote) -> bool:
    return note.quality < _POOR


def _engine(name: str) -> str:
    return {"pdfium": "PDFium", "pypdf": "pypdf", "tesseract": "Tesseract"}.get(name, name)


def _state(document: Document) -> str:
    if document.state != "failed":
        return words.document_state(document)
    happened = f"{words.failure(document.reason)}: {words.told(document.message)}".rstrip(": ")
    hint = words.failure_hint(document.reason)
    return f"{happened}. {hint}".replace("..", ".") if hint else happened


def _breakable(text: str) -> str:
    """Return `text` with places to break a long path at."""
    return text.replace("/", "/\N{ZERO WIDTH SPACE}").replace("\\", "\\\N{ZERO WIDTH SPACE}")
