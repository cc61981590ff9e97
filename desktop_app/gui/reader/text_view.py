"""Shows the stored text of a document, paragraph by paragraph, with marked sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QKeySequence, QPainter, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop_app.core.annotations import DEFAULT_COLOUR
from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import mix_colours, scale_font
from desktop_app.gui.reader import page_painting
from desktop_app.gui.reader.model import ReadingPosition
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms, find_matches, to_utf16_spans
from desktop_app.gui.widgets.item_views import reserve_scroll_bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import (
        QColor,
        QContextMenuEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
        QTextDocument,
        QWheelEvent,
    )

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.records import Occurrence
    from desktop_app.core.records import Place as PlaceRecords
    from desktop_app.gui.base.theme import Theme, ThemeManager

    Place = tuple[int, int]
    Mark = tuple[Place, QColor, QColor | None]

_MAX_FOUND_MARKS = 1000
_MAX_WIDTH_EM = 38
"""Longer lines are tiring to read."""
_SIDE_PX, _TOP_PX = 26, 18
_MIN_ZOOM, _MAX_ZOOM = 0.6, 3.0

_LABEL_DISTANCE_PX = 10
_LABEL_SIZE_FACTOR = 0.85

_LINE_KINDS = ("code", "table")
_PARAGRAPH_GAPS = {"gap": 0.55, "wide_gap": 1.0}
"""Heights of the blank lines between paragraphs and above headings, in lines."""
_KIND = QTextCharFormat.Property.UserProperty


class StoredTextView(QPlainTextEdit):
    """Shows plain text only: nothing in it is loaded, run or drawn as anything else.

    Attributes:
        zoom_changed: the size of the text has changed.
        menu_wanted: open the context menu; carries the position on the screen.
        resized: the positions of lines have changed.
        located: the view has scrolled to the current sentence; carries True.
        sentence_pressed: a sentence was clicked in the extraction view; carries the Occurrence.
        word_chosen: a word of it was clicked; carries the number of letters before it.
        annotation_pressed: a highlight was clicked; carries the Annotation and the position on the screen.
        gutter: rows or times to the left of the text.
    """

    zoom_changed = Signal()
    menu_wanted = Signal(object)
    located = Signal(object)
    resized = Signal()
    sentence_pressed = Signal(object)
    word_chosen = Signal(object)
    annotation_pressed = Signal(object, object)

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._zoom = 1.0
        self._places: dict[int, tuple[int, int]] = {}
        self._headings: list[tuple[str, int]] = []
        self._pages: dict[int, int] = {}
        self._last: Occurrence | None = None
        self._rows: dict[int, Occurrence] = {}
        self._marks = TextMarks()
        self._is_sought = False
        self._top: int | None = None  # characters above the position to restore, once they are loaded
        self.setObjectName("stored_text")
        self.setAccessibleName(self.tr("Text of the document"))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reserve_scroll_bar(self)
        self.document().setDocumentMargin(4)
        self.gutter = TextGutter(self, themes)
        themes.changed.connect(self._paint_marks)
        # Not while Qt scrolls: it scrolls while it sets a cursor, and new selections at that moment crash the process.
        self._scrolled = QTimer(self, singleShot=True, interval=0)
        self._scrolled.timeout.connect(self._paint_marks)
        self._arriving = QTimer(self, singleShot=True, interval=0)
        self._arriving.timeout.connect(self._restore_position)
        self.verticalScrollBar().valueChanged.connect(
            lambda _value: self._marks.is_extraction_shown and self._scrolled.start()
        )

    # What is shown

    def begin(self) -> None:
        """Show nothing, ready for the first slice of another text."""
        # First the data about the text: while the text is cleared, others ask for positions in it.
        self._places.clear()
        self._rows.clear()
        self._headings.clear()
        self._pages.clear()
        self._last = None
        self._marks.forget()
        self._is_sought, self._top = False, None
        self.clear()
        self.gutter.clear()
        self._paint_marks()

    def add(self, sentences: Sequence[Occurrence]) -> None:
        """Append sentences in reading order."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        formats: dict[str, QTextCharFormat] = {}
        for sentence in sentences:
            if sentence.reason == "library":
                continue  # what is written on highlights is shown with them
            if (form := formats.get(sentence.kind)) is None:
                form = formats[sentence.kind] = character_format(sentence.kind, self.font(), self._zoom)
            begins = self._last is None or self._last.paragraph != sentence.paragraph
            if self._last is not None:
                insert_separator(cursor, self._last, sentence, form, self.font(), self._zoom)
            if begins and sentence.places:
                self.gutter.label(cursor.blockNumber(), sentence.places[0])
            start = cursor.position()
            cursor.insertText(sentence.text, form)
            self._places[sentence.ordinal] = (start, cursor.position())
            self._rows[sentence.ordinal] = sentence
            if sentence.kind == "heading":
                self._headings.append((sentence.text, sentence.ordinal))
            if sentence.places and (page := sentence.places[0].page) is not None:
                self._pages.setdefault(page, sentence.ordinal)
            self._last = sentence
        cursor.endEditBlock()
        self._fit()
        self._paint_marks()
        if self._is_sought:
            self._seek()
        self._go_back()

    def mark(
        self,
        ordinals: Sequence[int],
        current: int | None,
        *,
        sought: HighlightTerms = NO_HIGHLIGHTS,
        seeks: bool = True,
    ) -> None:
        """Mark sentences, and words in them; with `seeks`, scroll to the current one as soon as it is loaded."""
        self._marks.marked, self._marks.current, self._marks.sought = tuple(ordinals), current, sought
        self._is_sought, self._top = seeks and current is not None, None
        self._paint_marks()
        if self._is_sought:
            self._seek()

    def position(self) -> ReadingPosition:
        """Return the reading position."""
        top = self._top
        is_there = not self._arriving.isActive()
        if top is None or (is_there and self.verticalScrollBar().value() < self.verticalScrollBar().maximum()):
            top = self.cursorForPosition(self.viewport().rect().topLeft()).position()
        return ReadingPosition("text", self._zoom, "", 0, top)

    def return_to(self, place: ReadingPosition) -> None:
        """Go to a reading position as soon as its text is loaded."""
        self.set_zoom(place.zoom)
        self._top = round(place.down)
        self._go_back()

    def _go_back(self) -> None:
        if self._top is not None and self._top < self.document().characterCount():
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._top)
            self.verticalScrollBar().setValue(_cursor_line(cursor))
            self._arriving.start()  # Qt breaks the lines for another size only after this

    def _restore_position(self) -> None:
        self._go_back()
        self._arriving.stop()
        if self.verticalScrollBar().value() < self.verticalScrollBar().maximum():
            self._top = None  # otherwise it moves up when more of the text arrives

    @property
    def headings(self) -> list[str]:
        """The headings loaded so far, in order."""
        return [text for text, _ in self._headings]

    def find_heading(self, title: str) -> bool:
        """Scroll to a heading; return whether it is loaded."""
        wanted = " ".join(title.split())
        for text, ordinal in self._headings:
            if text == wanted:
                self._reveal(self._places[ordinal])
                return True
        return False

    def find_page(self, page: int) -> bool:
        """Scroll to the start of a chapter or message; return whether it is loaded."""
        ordinal = self._pages.get(page)
        if ordinal is not None:
            self._reveal(self._places[ordinal])
        return ordinal is not None

    def sentence_place(self, ordinal: int) -> tuple[int, int] | None:
        """Return the start and end of a sentence in the text; None while it is not loaded."""
        return self._places.get(ordinal)

    @property
    def length(self) -> int:
        """Number of sentences loaded so far."""
        return len(self._places)

    def sentence_under_cursor(self) -> str:
        """Return the sentence under the cursor; empty between two sentences."""
        at = self.textCursor().position()
        place = next((place for place in self._places.values() if place[0] <= at <= place[1]), None)
        if place is None:
            return ""
        cursor = QTextCursor(self.document())
        cursor.setPosition(place[0])
        cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
        return " ".join(cursor.selectedText().split())

    def shares(self, ordinals: Sequence[int]) -> list[float]:
        """Return the positions of sentences in the text, 0 to 1; those not loaded yet are at the end."""
        bar = self.verticalScrollBar()
        lines = max(bar.maximum() + bar.pageStep(), 1)
        found: list[float] = []
        for ordinal in ordinals:
            place = self._places.get(ordinal)
            line = self.document().findBlock(place[0]).firstLineNumber() if place is not None else lines
            found.append(min(line / lines, 1.0))
        return found

    def plain_selection(self) -> str:
        """Return the selected text as one line."""
        return " ".join(self.textCursor().selectedText().split())

    # Zoom

    @property
    def zoom(self) -> float:
        """The size of the text; 1 is a tenth larger than the text of the window."""
        return self._zoom

    def set_zoom(self, zoom: float) -> None:
        """Set the size of the text."""
        zoom = min(max(zoom, _MIN_ZOOM), _MAX_ZOOM)
        if zoom == self._zoom:
            return
        self._zoom = zoom
        top = self.cursorForPosition(self.viewport().rect().topLeft()).position()
        resize_text(self.document(), self.font(), self._zoom)
        self._fit()
        cursor = QTextCursor(self.document())
        cursor.setPosition(top)
        self._scroll_to(cursor, 0.0)
        self.zoom_changed.emit()

    def step_zoom(self, direction: int) -> None:
        """Make the text larger or smaller."""
        self.set_zoom(round(self._zoom * (1.1 if direction > 0 else 1 / 1.1), 3))

    # Marks

    def _paint_marks(self) -> None:
        theme, marks = self._themes.theme, self._marks
        noted = [*marks.annotation_marks(theme)]
        found = [*noted, *marks.hit_marks(theme, self._places, self._rows), *marks.found_marks(theme)]
        if marks.is_extraction_shown:
            area = self.viewport().rect()
            first, last = (self.cursorForPosition(end).position() for end in (area.topLeft(), area.bottomRight()))
            found = [*marks.extraction_marks(theme, self._places, self._rows, (first, last)), *found]
        self.setExtraSelections([make_extra_selection(self.document(), mark) for mark in found])

    # Highlights and notes

    @property
    def rows(self) -> Mapping[int, Occurrence]:
        """The sentences loaded so far, by ordinal in reading order."""
        return self._rows

    @property
    def first_of_pages(self) -> Mapping[int, int]:
        """The first sentence of each page, chapter or message, by its number."""
        return self._pages

    def show_annotations(self, found: Sequence[tuple[Annotation, Place, Place]]) -> None:
        """Mark highlights: each with the sentence and character where it begins, and those where it ends."""
        self._marks.annotations = [
            (each, (self._position_of(*first), self._position_of(*last)))
            for each, first, last in found
            if first[0] in self._places and last[0] in self._places
        ]
        self._paint_marks()

    def _position_of(self, ordinal: int, character: int) -> int:
        """Return the position in the text of a character of a sentence."""
        before = self._rows[ordinal].text[:character]
        return self._places[ordinal][0] + len(before.encode("utf-16-le")) // 2

    def annotation_at(self, point: QPoint) -> Annotation | None:
        """Return the highlight at a point of the viewport; of several the shortest."""
        at = self.cursorForPosition(point).position()
        found = [
            (stop - start, nth, each)
            for nth, (each, (start, stop)) in enumerate(self._marks.annotations)
            if start <= at < stop
        ]
        return min(found)[2] if found else None

    def selected_range(self) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the first selected sentence, the characters before the selection in it, and all selected sentences.

        Without a selection, the sentence under the cursor is taken; None if there is none.
        """
        cursor = self.textCursor()
        start, stop = cursor.selectionStart(), cursor.selectionEnd()
        if start == stop:
            start, stop = start, start + 1
        chosen = tuple(key for key, (first, last) in self._places.items() if first < stop and start < last)
        if not chosen:
            return None
        units = max(start - self._places[chosen[0]][0], 0) if cursor.hasSelection() else 0
        return chosen[0], len(_text_before(self._rows[chosen[0]].text, units)), chosen

    # Find in document

    def first_visible_position(self) -> int:
        """Return the position of the first visible character."""
        return self.cursorForPosition(self.viewport().rect().topLeft()).position()

    def mark_found(self, matches: Sequence[tuple[int, int]], current: int) -> None:
        """Mark the matches of a find; `current` is the index of one, -1 for none."""
        self._marks.found = tuple(matches)
        self._marks.found_now = matches[current] if 0 <= current < len(matches) else None
        self._paint_marks()

    def reveal_found(self, place: Place) -> None:
        """Scroll to a match."""
        self._reveal(place)

    # Extraction view

    def set_extraction_shown(self, shown: bool, chosen: int | None = None) -> None:
        """Show or hide the boundaries of sentences; the selected one stands out."""
        self._marks.is_extraction_shown, self._marks.extraction_selection = shown, chosen
        self._paint_marks()

    def reveal_sentence(self, ordinal: int) -> None:
        """Scroll to a sentence if it is not visible."""
        if (place := self._places.get(ordinal)) is not None and not self._is_in_view(place, self.viewport().height()):
            self._reveal(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report the clicked sentence while the boundaries are shown."""
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        if self._marks.is_extraction_shown:
            self._press(point)
        elif not self.textCursor().hasSelection() and (annotation := self.annotation_at(point)) is not None:
            self.annotation_pressed.emit(annotation, event.globalPosition().toPoint())

    def _press(self, point: QPoint) -> None:
        """Report the sentence, and the word of it, at a point of the viewport."""
        at = self.cursorForPosition(point).position()
        for ordinal, (start, stop) in self._places.items():
            if start <= at <= stop:
                row = self._rows[ordinal]
                self.sentence_pressed.emit(row)
                self.word_chosen.emit(sum(map(str.isalnum, _text_before(row.text, at - start))))
                break

    def _seek(self) -> None:
        place = self._places.get(self._marks.current) if self._marks.current is not None else None
        if place is not None:
            self._is_sought = False
            self._reveal(place)
            self.located.emit(True)

    def _reveal(self, place: tuple[int, int]) -> None:
        cursor = QTextCursor(self.document())
        cursor.setPosition(place[0])
        self.setTextCursor(cursor)
        self._show_place(place)

    def _show_place(self, place: tuple[int, int]) -> None:
        """Scroll to a place; the cursor and the selection stay."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(place[0])
        seen = self.cursorRect(cursor)
        height = self.viewport().height()
        if not (height * 0.12 <= seen.top() and seen.bottom() <= height * 0.86):
            self._scroll_to(cursor, 0.28)

    def _is_in_view(self, place: tuple[int, int], height_px: int) -> bool:
        cursor = QTextCursor(self.document())
        cursor.setPosition(place[0])
        seen = self.cursorRect(cursor)
        return seen.bottom() >= 0 and seen.top() < height_px

    def _scroll_to(self, cursor: QTextCursor, share: float) -> None:
        """Scroll until `cursor` is at a share of the height; the scroll bar counts lines, whose heights differ."""
        bar = self.verticalScrollBar()
        bar.setValue(_cursor_line(cursor))
        goal = self.viewport().height() * share
        while bar.value() > 0 and self.cursorRect(cursor).top() < goal:
            bar.setValue(bar.value() - 1)

    # Events

    def _fit(self) -> None:
        """Keep lines short enough to read, and centre the column."""
        widest = round(_MAX_WIDTH_EM * self.fontMetrics().height() * self._zoom)
        room = self.width() - self.verticalScrollBar().width()
        side = max(_SIDE_PX, (room - widest) // 2)
        self.setViewportMargins(max(side, self.gutter.room), _TOP_PX, side, 8)
        self.gutter.align_to_viewport(self.viewport().geometry())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Centre the column again, and keep the current sentence visible."""
        place = self._places.get(self._marks.current) if self._marks.current is not None else None
        was_seen = place is not None and self._is_in_view(place, event.oldSize().height())
        self._fit()
        super().resizeEvent(event)
        self.gutter.align_to_viewport(self.viewport().geometry())
        if was_seen and place is not None:
            self._show_place(place)
        self._go_back()
        self.resized.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, otherwise scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if turned := event.angleDelta().y():
                self.step_zoom(turned)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom, and scroll by pages with the space bar."""
        bar = self.verticalScrollBar()
        if event.matches(QKeySequence.StandardKey.ZoomIn) or event.matches(QKeySequence.StandardKey.ZoomOut):
            self.step_zoom(1 if event.matches(QKeySequence.StandardKey.ZoomIn) else -1)
        elif event.key() == Qt.Key.Key_0 and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(1.0)
        elif event.matches(QKeySequence.StandardKey.Copy) and not self.textCursor().hasSelection():
            event.ignore()  # the pane copies the current hit
        elif event.key() == Qt.Key.Key_Space:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            bar.setValue(bar.value() + (-bar.pageStep() if back else bar.pageStep()))
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the context menu; in the extraction view, select the sentence under the pointer first."""
        if self._marks.is_extraction_shown and event.reason() == event.Reason.Mouse:
            self._press(event.pos())
        self.menu_wanted.emit(event.globalPos())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selection as plain text."""
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText())
        return data

    def loadResource(self, type: int, name: QUrl | str) -> object:
        """Load nothing, whatever the text contains."""
        return None


def _text_before(text: str, units: int) -> str:
    """Return the beginning of a text up to a position of Qt, which counts UTF-16 units."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore")


def _cursor_line(cursor: QTextCursor) -> int:
    """Return the line of a cursor in the text, from 0."""
    block = cursor.block()
    line = block.layout().lineForTextPosition(cursor.positionInBlock())
    return block.firstLineNumber() + (line.lineNumber() if line.isValid() else 0)


class TextGutter(QWidget):
    """Labels of paragraphs, painted in the left margin of the text."""

    def __init__(self, view: QPlainTextEdit, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._labels: dict[int, str] = {}
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Rows or times"))
        view.updateRequest.connect(self.update)
        themes.changed.connect(self.update)

    def clear(self) -> None:
        """Remove the labels."""
        self._labels.clear()
        self.update()

    def label(self, block: int, place: PlaceRecords) -> None:
        """Label a block of the text with its position in its file: a row or a time."""
        if place.unit == "row":
            self._labels[block] = display_text.format_number(place.start)
        elif place.unit == "ms":
            self._labels[block] = display_text.format_clock(place.start)

    def text_at(self, block: int) -> str:
        """Return the label of a block."""
        return self._labels.get(block, "")

    @property
    def room(self) -> int:
        """Pixels that the labels need; 0 if there are none."""
        if not self._labels:
            return 0
        measure = QFontMetricsF(scale_font(self._view.font(), _LABEL_SIZE_FACTOR))
        return round(max(map(measure.horizontalAdvance, self._labels.values()))) + 2 * _LABEL_DISTANCE_PX

    def align_to_viewport(self, viewport: QRect) -> None:
        """Move to the left of the text."""
        self.setGeometry(QRect(0, viewport.top(), viewport.left(), viewport.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the labels of the visible blocks."""
        if not self._labels:
            return
        view = self._view
        painter = QPainter(self)
        font = scale_font(view.font(), _LABEL_SIZE_FACTOR)
        painter.setFont(font)
        painter.setPen(self._themes.theme.color("muted"))
        measure = QFontMetricsF(font)
        block = view.firstVisibleBlock()
        while block.isValid():
            rect = view.blockBoundingGeometry(block).translated(view.contentOffset())
            if rect.top() > self.height():
                break
            if text := self._labels.get(block.blockNumber()):
                line = block.layout().lineAt(0)
                ascent = line.ascent() if line.isValid() else measure.ascent()
                left = self.width() - _LABEL_DISTANCE_PX - measure.horizontalAdvance(text)
                painter.drawText(QPointF(left, rect.top() + ascent), text)
            block = block.next()
        painter.end()


def character_format(kind: str, base: QFont, zoom: float) -> QTextCharFormat:
    """Return the format of the text of a kind.

    Args:
        kind: the kind of a sentence, or `gap` or `wide_gap` for the blank lines between paragraphs.
        base: the font of the window.
        zoom: the size of the text.
    """
    form = QTextCharFormat()
    form.setProperty(_KIND, kind)
    size = 1.1 * zoom
    if kind == "heading":
        form.setFont(scale_font(base, 1.3 * size, QFont.Weight.DemiBold))
    elif kind == "code":
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        mono.setPointSizeF(base.pointSizeF() * 0.95 * size)
        form.setFont(mono)
    else:
        form.setFont(scale_font(base, _PARAGRAPH_GAPS.get(kind, 1.0) * size))
    return form


def insert_separator(
    cursor: QTextCursor, before: Occurrence, sentence: Occurrence, form: QTextCharFormat, base: QFont, zoom: float
) -> None:
    """Insert a blank, a line break or the end of a paragraph between two sentences.

    Args:
        cursor: is after `before`.
        before: the sentence inserted last.
        sentence: the next sentence.
        form: the format of its text.
        base: the font of the window.
        zoom: the size of the text.
    """
    if before.paragraph != sentence.paragraph:
        together = before.kind == sentence.kind and sentence.kind in ("list", *_LINE_KINDS)
        if not together:
            cursor.insertBlock()
            cursor.insertText(" ", character_format("wide_gap" if sentence.kind == "heading" else "gap", base, zoom))
        cursor.insertBlock()
    elif sentence.kind in _LINE_KINDS:
        cursor.insertBlock()
    else:
        cursor.insertText(" ", form)


def resize_text(document: QTextDocument, base: QFont, zoom: float) -> None:
    """Change the size of a whole text."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    formats: dict[str, QTextCharFormat] = {}
    block = document.begin()
    while block.isValid():
        cursor.setPosition(block.position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        iterator = block.begin()
        if not iterator.atEnd():
            kind = str(iterator.fragment().charFormat().property(_KIND) or "body")
            cursor.setCharFormat(formats.setdefault(kind, character_format(kind, base, zoom)))
        block = block.next()
    cursor.endEditBlock()


class TextMarks:
    """The marks of a stored text.

    Attributes:
        marked: ordinals of the hits.
        current: the ordinal of the current hit.
        sought: words that are highlighted in the hits.
        is_extraction_shown: every sentence has a tint, which shows its boundaries.
        extraction_selection: the ordinal of the selected sentence, whose tint stands out.
        found: the matches of a find; `found_now` is the current one.
        annotations: highlights, and where they stand.
    """

    def __init__(self) -> None:
        self.marked: tuple[int, ...] = ()
        self.current: int | None = None
        self.sought: HighlightTerms = NO_HIGHLIGHTS
        self.is_extraction_shown = False
        self.extraction_selection: int | None = None
        self.found: tuple[Place, ...] = ()
        self.found_now: Place | None = None
        self.annotations: list[tuple[Annotation, Place]] = []

    def forget(self) -> None:
        """Remove the marks of hits and matches."""
        self.marked, self.current = (), None
        self.found, self.found_now = (), None
        self.annotations = []

    def annotation_marks(self, theme: Theme) -> Iterator[Mark]:
        """Yield the marks of highlights."""
        for each, place in self.annotations:
            colour = page_painting.text_annotation_tint(theme, each.colour or DEFAULT_COLOUR)
            yield place, colour, theme.color("text")

    def found_marks(self, theme: Theme) -> Iterator[Mark]:
        """Yield the marks of the matches of a find, as many as Qt paints quickly; the current one last."""
        for place in self.found[:_MAX_FOUND_MARKS]:
            if place != self.found_now:
                yield place, theme.color("found"), None
        if self.found_now is not None:
            yield self.found_now, theme.color("found_now"), None

    def hit_marks(self, theme: Theme, places: Mapping[int, Place], rows: Mapping[int, Occurrence]) -> Iterator[Mark]:
        """Yield the marks of the hits, the current one last, and of words in them.

        Args:
            theme: the colours.
            places: the start and end of sentences in the text, by ordinal, in order.
            rows: the sentences.
        """
        paper = theme.color("panel")
        for ordinal in [*(other for other in self.marked if other != self.current), self.current]:
            place = places.get(ordinal) if ordinal is not None else None
            if ordinal is None or place is None:
                continue
            strength = page_painting.TINT_STRENGTHS["current" if ordinal == self.current else "other"][theme.dark]
            yield place, mix_colours(paper, theme.color("accent"), strength * 0.8), theme.color("text")
            text = rows[ordinal].text
            for start, length in to_utf16_spans(text, find_matches(text, self.sought)):
                word = (place[0] + start, place[0] + start + length)
                yield word, theme.color("mark"), theme.color("on_mark")

    def extraction_marks(
        self, theme: Theme, places: Mapping[int, Place], rows: Mapping[int, Occurrence], visible: Place
    ) -> Iterator[Mark]:
        """Yield a tint for each sentence between the first and the last visible character."""
        for nth, (ordinal, place) in enumerate(places.items()):
            if place[1] < visible[0]:
                continue
            if place[0] > visible[1]:
                break
            is_chosen = ordinal == self.extraction_selection
            yield (
                place,
                page_painting.text_sentence_tint(theme, rows[ordinal].passage_kind, nth, chosen=is_chosen),
                None,
            )


def make_extra_selection(document: QTextDocument, mark: Mark) -> QTextEdit.ExtraSelection:
    """Convert a mark to a selection that Qt paints."""
    place, back, front = mark
    found = QTextEdit.ExtraSelection()
    found.format.setBackground(back)
    if front is not None:
        found.format.setForeground(front)
    found.cursor = QTextCursor(document)
    found.cursor.setPosition(place[0])
    found.cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
    return found
