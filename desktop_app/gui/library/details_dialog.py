"""Everything that is known about one document."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QScrollArea, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.reader_events import Omissions, PageNote
    from desktop_app.core.records import Document

_POOR_CONFIDENCE = 0.5  # below this share the text of a page is likely to be garbled
_MAX_PAGES_NAMED = 12
_MAX_TEXTS = 500


class DocumentDetailsDialog(QDialog):
    """Shows a document's record as text that can be selected and copied.

    Attributes:
        opened: the person opens the file in its program; carries the path.
        shown_in_folder: the person opens its folder; carries the path.
    """

    opened = Signal(object)
    shown_in_folder = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None, *, tags: Sequence[str] = ()) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        name = display_text.document_name(document.title, document.path)
        self.setWindowTitle(self.tr("Details"))
        self.setAccessibleName(self.tr("Details of a document"))
        title = ElidedLabel(self.tr("Title"), mode=Qt.TextElideMode.ElideMiddle)
        title.setFont(make_label(factor=1.25, weight=QFont.Weight.DemiBold).font())
        title.setText(name)
        title.setToolTip(display_text.make_tooltip(name))
        state = make_label(
            _document_state_text(document),
            tone="bad" if document.state == "failed" else "muted",
            wrap=True,
            name=self.tr("State"),
        )
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

        copy = make_push_button(self.tr("Copy &Path"), picture="copy")
        show = make_push_button(self.tr("Show in &Folder"), picture="folder-open")
        outside = make_push_button(self.tr("&Open"), self.tr("Open in default app"), "external-link")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(document.path))
        show.clicked.connect(lambda: self.shown_in_folder.emit(document.path))
        outside.clicked.connect(lambda: self.opened.emit(document.path))
        row = make_row(copy, show, outside, "stretch", make_close_button(self), spacing=8)
        make_column(title, state, 10, (area, 1), 8, row, parent=self, margins=(22, 18, 22, 16), spacing=4)
        set_initial_size(self, 600, 440)

    def show_notes(self, notes: Sequence[PageNote]) -> None:
        """Add how the pages were read."""
        if not notes:
            return
        engines = Counter(note.engine for note in notes if note.engine)
        read = [
            self.tr("{engine} ({pages})").format(engine=_ocr_engine_name(engine), pages=display_text.count_pages(count))
            for engine, count in engines.most_common()
        ]
        if read:
            self._add(self.tr("Read with"), ", ".join(read))
        if recognised := [note for note in notes if note.state == "ocr"]:
            sure = sum(note.quality for note in recognised) / len(recognised)
            text = self.tr("{pages}, word confidence {sure}")
            self._add(
                self.tr("OCR"),
                text.format(
                    pages=format_page_ranges(note.page for note in recognised),
                    sure=display_text.format_percent(100 * sure),
                ),
            )
        if without := [note.page for note in notes if note.state == "none"]:
            self._add(self.tr("Pages without text"), format_page_ranges(without))
        if poor := [
            note.page for note in notes if note.state == "poor" or (note.state == "text" and _has_poor_text(note))
        ]:
            self._add(self.tr("Poorly read pages"), format_page_ranges(poor))

    def show_omissions(self, omissions: Omissions) -> None:
        """Add what was left out on purpose."""
        if omissions.words:
            words = self.tr("%Ln words", "", omissions.words)
            listed = display_text.list_omissions(omissions.texts[:_MAX_TEXTS])
            self._add(self.tr("Skipped on purpose"), f"{words}\n{listed}")

    def _facts(self, document: Document, tags: Sequence[str]) -> list[tuple[str, str]]:
        added = QDateTime.fromSecsSinceEpoch(int(document.added_at))
        changed = QDateTime.fromMSecsSinceEpoch(document.mtime_ns // 1_000_000)
        locale = QLocale()
        long = QLocale.FormatType.ShortFormat
        facts = [
            (self.tr("Path"), document.path),
            (self.tr("Also at"), "\n".join(copy.path for copy in document.copies)),
            (self.tr("Type"), display_text.document_type_name(document.type) if document.type else ""),
            (self.tr("Author"), document.author),
            (self.tr("Date"), display_text.format_date(document.dated)),
            (self.tr("Tags"), ", ".join(tags)),
            (self.tr("Length"), display_text.count_pages(document.pages, document.type) if document.pages else ""),
            (self.tr("Sentences"), display_text.format_number(document.sentences) if document.sentences else ""),
            (self.tr("Truncated sentences"), self._cut(document)),
            (self.tr("Size"), display_text.format_size(document.size_bytes)),
            (self.tr("Added"), locale.toString(added, long) if document.added_at else ""),
            (self.tr("File changed"), locale.toString(changed, long) if document.mtime_ns else ""),
            (self.tr("Encoding"), document.encoding or ""),
            (self.tr("Warnings"), "\n".join(map(display_text.translate_message, document.warnings))),
        ]
        return [(heading, value) for heading, value in facts if value]

    def _cut(self, document: Document) -> str:
        if not document.truncated:
            return ""
        text = self.tr("{count}: too long for the model; the ends can't be searched by meaning")
        return text.format(count=display_text.format_number(document.truncated))

    def _add(self, heading: str, value: str) -> None:
        row = len(self.values)
        left = make_label(heading, tone="muted", name=heading)
        left.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        right = make_label(_make_path_breakable(value), wrap=True, name=heading)
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


def format_page_ranges(pages: Iterable[int]) -> str:
    """Return "3, 7–9" for 3, 7, 8, 9."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    return ", ".join([*parts[:_MAX_PAGES_NAMED], *(["…"] if len(parts) > _MAX_PAGES_NAMED else [])])


def _has_poor_text(note: PageNote) -> bool:
    return note.quality < _POOR_CONFIDENCE


def _ocr_engine_name(name: str) -> str:
    return {"pdfium": "PDFium", "pypdf": "pypdf", "tesseract": "Tesseract"}.get(name, name)


def _document_state_text(document: Document) -> str:
    if document.state != "failed":
        return display_text.describe_document_state(document)
    reason = display_text.describe_failure(document.reason, document.path)
    happened = f"{reason}: {display_text.translate_message(document.message)}".rstrip(": ")
    hint = display_text.describe_failure_remedy(document.reason, document.path)
    return f"{happened}. {hint}".replace("..", ".") if hint else happened


def _make_path_breakable(text: str) -> str:
    """Return `text` with break opportunities in long paths."""
    return text.replace("/", "/\N{ZERO WIDTH SPACE}").replace("\\", "\\\N{ZERO WIDTH SPACE}")
