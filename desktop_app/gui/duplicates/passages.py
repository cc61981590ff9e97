"""Repeated passages in the Duplicates pane: a list, and below it two copies of one side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QTextCharFormat, QTextCursor, QTextLength, QTextTableFormat
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStyle,
    QStyleOptionViewItem,
    QTextEdit,
    QWidget,
)

from desktop_app.core.duplicates import MIN_PASSAGE_CHARACTERS, PassagesRequest
from desktop_app.core.passage_files import PassageTexts, mark_differences
from desktop_app.gui.base import display_text
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.results.highlighting import to_utf16_spans
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.item_views import reserve_scroll_bar
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.row_delegate import MARGIN_PX, RowDelegate

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.duplicates import PairsRequest, PassageList, PassagePlace, RepeatedPassage
    from desktop_app.core.jobs import ChangeSet, Progress
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.widgets.item_views import AnyIndex

_MAX_PASSAGES = 500
_PASSAGE_ROLE = Qt.ItemDataRole.UserRole
_MIN_PLACE_LETTERS = 8  # of the place that is compared with the first; a tip shows all of it
_CELL_PADDING_PX = 6
_LIBRARY_CHANGE_DELAY_MS = 700  # documents arrive one after the other


class PassagesView(QWidget):
    """The repeated passages of the library, the longest first, and the text of the selected one.

    Attributes:
        changed: a search has begun, has made progress or has ended.
        opened: the person opens two places of a passage; carries the first sentence of each, as hits.
        failed: a search or an export failed; carries the exception.
        found: the passages; None before the first search.
    """

    changed = Signal()
    opened = Signal(object, object)
    failed = Signal(object)

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._search: LatestJob[PassageList] = LatestJob(context.session, self)
        self._export: LatestJob[int] = LatestJob(context.session, self)
        self._shown: PassagesRequest | None = None  # what the filters ask for
        self._listed: PassagesRequest | None = None  # what the list answers
        self.found: PassageList | None = None
        self.setAccessibleName(self.tr("Repeated passages"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Repeated passages"))
        self.list.setItemDelegate(_PassageDelegate(self.list, context.themes))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(80)
        reserve_scroll_bar(self.list)
        self.list.currentItemChanged.connect(lambda _now, _before: self._show_current())
        self.list.itemActivated.connect(lambda _item: self.open_places())
        self.places = ChoiceBox()
        self.places.setAccessibleName(self.tr("Compare the first copy with"))
        self.places.view().setAccessibleName(self.places.accessibleName())
        # The names of documents may be long: the pane does not grow with them.
        self.places.setMinimumContentsLength(_MIN_PLACE_LETTERS)
        self.places.currentIndexChanged.connect(lambda _at: self._show_texts())
        self._label = make_label(
            self.places.accessibleName(), tone="muted", factor=0.9, name=self.places.accessibleName()
        )
        self.open = make_push_button(self.tr("Show Side by Side"))
        self.open.setToolTip(self.tr("Show both places in their documents (Enter)"))
        self.open.clicked.connect(self.open_places)
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setAccessibleName(self.tr("Both copies, differences marked"))
        self.text.setMinimumHeight(80)
        below = QWidget()
        below.setAccessibleName(self.text.accessibleName())
        head = make_row(self._label, (self.places, 1), self.open, margins=(16, 4, 12, 4), spacing=8)
        make_column(head, (self.text, 1), parent=below, spacing=0)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setAccessibleName(self.tr("Repeated passages"))
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(below)
        splitter.setSizes([220, 320])
        make_column(splitter, parent=self)
        self._staleness = QTimer(self, singleShot=True, interval=_LIBRARY_CHANGE_DELAY_MS)
        self._staleness.timeout.connect(self._on_stale)
        context.session.bridge.changed.connect(self._on_library_changed)
        context.themes.changed.connect(self._show_texts)
        self._show_current()

    @property
    def is_working(self) -> bool:
        """Whether passages are being found or written."""
        return self._search.is_running or self._export.is_running

    @property
    def is_finding(self) -> bool:
        """Whether passages are being found."""
        return self._search.is_running

    @property
    def progress(self) -> Progress | None:
        """The progress of the search; None without one."""
        return self._search.progress

    @property
    def current(self) -> RepeatedPassage | None:
        """The selected passage."""
        item = self.list.currentItem()
        passage: RepeatedPassage | None = item.data(_PASSAGE_ROLE) if item is not None else None
        return passage

    def find_passages(self, pairs: PairsRequest, *, again: bool = False) -> None:
        """Find the passages of the part of the library that a request for pairs is about, unless they are shown.

        Args:
            pairs: the request; its places, scope and least length count.
            again: find them even if they are shown.
        """
        length = pairs.min_length or MIN_PASSAGE_CHARACTERS
        request = PassagesRequest(_MAX_PASSAGES, pairs.where, pairs.scope, pairs.touching, min_length=length)
        if request == self._shown and not again:
            return
        self._shown = request
        self._search.start(
            self._context.session.workspace.repeated_passages.find_passages(request),
            lambda found: self._on_found(request, found),
            on_error=self._on_not_found,
            on_cancelled=self._on_not_found,
            on_progress=lambda _progress: self.changed.emit(),
        )
        self.changed.emit()

    def pause(self) -> None:
        """Stop a search, which `find_passages` begins again."""
        if self._search.is_running:
            self._search.cancel()
            self._search.drop()
            self._shown = None

    def cancel(self) -> None:
        """Cancel the search, or else the export."""
        (self._search if self._search.is_running else self._export).cancel()

    def export(self, file: str, on_written: Callable[[int], None]) -> None:
        """Write the passages to a file in the format of its suffix; calls `on_written` with how many."""
        assert self._shown is not None, "passages are shown"

        def end(count: int) -> None:
            self.changed.emit()
            on_written(count)

        self._export.start(
            self._context.session.workspace.repeated_passages.export_passages(self._shown, file, make_passage_texts()),
            end,
            on_error=self._on_failed,
            on_cancelled=self.changed.emit,
        )
        self.changed.emit()

    def open_places(self) -> None:
        """Open the places that are compared at their beginnings."""
        place = self._compared
        if place is not None and self.current is not None:
            self.opened.emit(self.current.places[0].sentences[0], place.sentences[0])

    def describe(self) -> str:
        """Return a line about all passages."""
        if self.found is None:
            return ""
        count = len(self.found.passages)
        text = self.tr("{passages}, longest first")
        if count < self.found.total:
            text = self.tr("The longest {passages}")
        return text.format(passages=display_text.count_passages(count))

    def _on_found(self, request: PassagesRequest, found: PassageList) -> None:
        self._listed, self.found = request, found
        self.list.clear()
        for passage in found.passages:
            item = QListWidgetItem(describe_passage(passage))
            item.setData(_PASSAGE_ROLE, passage)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{describe_passage(passage)}, {describe_places(passage)}")
            self.list.addItem(item)
        self.list.setCurrentRow(0 if found.passages else -1)
        self._show_current()
        self.changed.emit()

    def _on_not_found(self, error: BaseException | None = None) -> None:
        """Keep the passages only if they are those that the filters ask for."""
        if self._listed != self._shown:
            self._listed = self.found = None
            self.list.clear()
            self._show_current()
        self.changed.emit()
        if error is not None:
            self.failed.emit(error)

    def _on_failed(self, error: BaseException) -> None:
        self.changed.emit()
        self.failed.emit(error)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.sentences or changes.listing) and self._shown is not None:
            self._staleness.start()

    def _on_stale(self) -> None:
        """Let the passages be found again."""
        self._shown = None
        self.changed.emit()

    # The selected passage

    @property
    def _compared(self) -> PassagePlace | None:
        passage, at = self.current, self.places.currentIndex()
        return passage.places[at + 1] if passage is not None and 0 <= at < len(passage.places) - 1 else None

    def _show_current(self) -> None:
        passage = self.current
        self.places.blockSignals(True)
        self.places.clear()
        if passage is not None:
            places = zip(describe_extents(passage), passage.places, strict=True)
            self.places.addItems([f"{extent} · {describe_overlap(place)}" for extent, place in places][1:])
        self.places.blockSignals(False)
        self.open.setEnabled(passage is not None)
        self._show_texts()

    def _show_texts(self) -> None:
        """Show two copies as the columns of a table, a row for each sentence, differing words marked."""
        passage, place = self.current, self._compared
        self.text.clear()
        if passage is None or place is None:
            return
        theme = self._context.themes.theme
        plain, marked, muted = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        plain.setForeground(theme.color("text"))
        muted.setForeground(theme.color("muted"))
        marked.setBackground(theme.color("mark"))
        marked.setForeground(theme.color("on_mark"))
        layout = QTextTableFormat()
        layout.setBorder(0)
        layout.setCellPadding(_CELL_PADDING_PX)
        half = QTextLength(QTextLength.Type.PercentageLength, 50)
        layout.setColumnWidthConstraints([half, half])
        layout.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        document = self.text.document()
        cursor = QTextCursor(document)
        table = cursor.insertTable(len(place.rows) + 1, 2, layout)
        extents = describe_extents(passage)
        for column, extent in enumerate((extents[0], extents[self.places.currentIndex() + 1])):
            table.cellAt(0, column).firstCursorPosition().insertText(extent, muted)
        for number, row in enumerate(place.rows, start=1):
            for column, (hit, spans) in enumerate(mark_differences(row)):
                if hit is not None:
                    _insert_marked(table.cellAt(number, column).firstCursorPosition(), hit, spans, plain, marked)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)


def _insert_marked(
    cursor: QTextCursor,
    hit: Hit,
    spans: tuple[tuple[int, int], ...],
    plain: QTextCharFormat,
    marked: QTextCharFormat,
) -> None:
    """Insert a sentence as plain text with words marked."""
    cursor.insertText(hit.text, plain)
    start = cursor.position() - len(hit.text.encode("utf-16-le")) // 2
    for first, length in to_utf16_spans(hit.text, [(first, stop - first) for first, stop in spans]):
        cursor.setPosition(start + first)
        cursor.setPosition(start + first + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(marked)


def describe_extents(passage: RepeatedPassage) -> list[str]:
    """Return the document of each place, told apart from others of its name, and where the passage begins and ends."""
    names = display_text.name_documents(place.sentences[0] for place in passage.places)
    found = []
    for place in passage.places:
        first, last = place.sentences[0], place.sentences[-1]
        found.append(" · ".join(filter(None, (names[first.path], display_text.format_extent(first, last)))))
    return found


def describe_overlap(place: PassagePlace) -> str:
    """Return how many words a place has in common with the first, rounded down: 100% are all."""
    share = display_text.format_percent(int(100 * place.overlap))
    return display_text.translate("passages", "{share} of the words identical").format(share=share)


def describe_passage(passage: RepeatedPassage) -> str:
    """Return how long a passage is, in how many places, and how similar these are."""
    text = display_text.translate("passages", "{sentences} in {places}, {share} of the words identical")
    return text.format(
        sentences=display_text.count_sentences(passage.sentences),
        places=display_text.count_places(len(passage.places)),
        share=display_text.format_percent(int(100 * passage.least_overlap)),
    )


def make_passage_texts() -> PassageTexts:
    """Return the texts of passages in an exported file, in the language of the window."""

    def describe(passage: RepeatedPassage) -> str:
        return display_text.translate("passages", "{sentences} in {places}").format(
            sentences=display_text.count_sentences(passage.sentences),
            places=display_text.count_places(len(passage.places)),
        )

    return PassageTexts(
        display_text.translate("passages", "Repeated passages"),
        describe,
        lambda place: describe_overlap(place) if place.rows else "",  # the first place is compared with none
        display_text.format_extent,
    )


def describe_places(passage: RepeatedPassage) -> str:
    """Return the places of a passage and how it begins."""
    places = " | ".join(describe_extents(passage))
    return f"{places} | {passage.places[0].sentences[0].text}"


class _PassageDelegate(RowDelegate):
    """Paints the length of a passage above its places."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row."""
        return super().sizeHint(option, index) + QSize(0, 4)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        state = QStyle.StateFlag
        flags = [bool(option.state & each) for each in (state.State_Selected, state.State_MouseOver)]
        self.paint_ground(painter, option.rect, (flags[0], flags[1], False))
        passage: RepeatedPassage = index.data(_PASSAGE_ROLE)
        rect = option.rect.adjusted(MARGIN_PX + 4, 0, -MARGIN_PX, 0)
        self.paint_lines(painter, rect, "copy", "muted", describe_passage(passage), describe_places(passage))
