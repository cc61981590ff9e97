"""Pages with marked sentences and text selection by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QToolTip

from desktop_app.core.annotations import DEFAULT_COLOUR
from desktop_app.gui.base import display_text
from desktop_app.gui.reader import page_painting
from desktop_app.gui.reader.page_canvas import LINE_PX, TARGET_TOP_SHARE, PageCanvas
from desktop_app.gui.reader.page_selection import PageSelection
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms, find_matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.pages import Box, PagedFile, SentenceToLocate
    from desktop_app.core.records import Occurrence
    from desktop_app.engine.pages import PageService
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.reader.annotations import AnnotationModel
    from desktop_app.gui.reader.model import ExtractionModel
    from desktop_app.gui.reader.page_loader import PageLoader
    from desktop_app.gui.reader.page_selection import SelectionUnit
    from desktop_app.gui.reader.page_text import PageTextIndex

_CALM_TOP, _CALM_BOTTOM = 0.12, 0.86
"""A sentence between these shares of the height is not scrolled."""
_PAD_PX = 2.0

_SOFT_HYPHEN = "\u00ad"


class PageView(PageCanvas):
    """Shows the pages of a file.

    Attributes:
        menu_wanted: open the context menu; carries the position on the screen.
        located: the search for the current sentence on its page has ended; carries whether it was found.
        word_chosen: a word was clicked in the extraction view; carries the number of letters before it in its sentence.
        annotation_pressed: a highlight was clicked; carries the Annotation and the position on the screen.
        selection: the selected text.
        extraction: the extracted sentences; None if they are not shown here.
        annotations: the highlights; None if they are not shown here.
    """

    menu_wanted = Signal(object)
    located = Signal(object)
    word_chosen = Signal(object)
    annotation_pressed = Signal(object, object)

    def __init__(self, viewing: PageService, bridge: Bridge, themes: ThemeManager, reader: str = "") -> None:
        super().__init__(viewing, bridge, themes, reader)
        self.selection = PageSelection(self.loader.text)
        self._words = PageWordMarks(self.loader)
        self.extraction: ExtractionModel | None = None
        self.annotations: AnnotationModel | None = None
        self._sentences: tuple[SentenceToLocate, ...] = ()
        self._current: int | None = None
        self._is_sought = False
        self._press: tuple[int, QPointF] | None = None
        self._matches: dict[int, list[tuple[int, int]]] = {}  # of a find, by page
        self._current_match: tuple[int, int, int] | None = None
        self._revealed_match: tuple[int, int, int] | None = None  # to scroll to once its page is read
        self.viewport().setMouseTracking(True)
        self.viewport().setAccessibleName(self.tr("Page"))
        self.setAccessibleName(self.tr("Pages"))
        self.loader.page_text_loaded.connect(self._on_page_text)
        self.loader.marked.connect(self._on_marked)

    # What is shown

    def show_file(self, path: str, file: PagedFile) -> None:
        """Show a file, starting at its first page."""
        self._forget(path)
        self.show_sizes(file.sizes)

    def close_file(self) -> None:
        """Show nothing and free the memory of the pages."""
        self._forget("")
        self.show_sizes(())
        self._settle.stop()

    def _forget(self, path: str) -> None:
        self.loader.open(path)
        self.selection.clear()
        self._sentences, self._current, self._is_sought = (), None, False
        self._revealed_match = None

    def mark(
        self,
        sentences: Sequence[SentenceToLocate],
        current: int | None,
        *,
        sought: HighlightTerms = NO_HIGHLIGHTS,
        seeks: bool = True,
    ) -> None:
        """Mark sentences, and words in them; with `seeks`, scroll to the current one."""
        self._sentences, self._current = tuple(sentences), current
        self.loader.mark(self._sentences)
        self._words.seek(sought)
        self._is_sought = seeks and current is not None
        if self._is_sought:
            self._seek()
        self._ask()
        self.viewport().update()

    def mark_found(self, matches: Sequence[tuple[int, int, int]], current: int) -> None:
        """Mark the matches of a find: page, start and end in its text. `current` is the index of one; -1 for none."""
        self._matches = {}
        for page, start, stop in matches:
            self._matches.setdefault(page, []).append((start, stop))
        self._current_match = matches[current] if 0 <= current < len(matches) else None
        self.viewport().update()

    def reveal_found(self, page: int, start: int, stop: int) -> None:
        """Scroll to a match, once the characters of its page are known."""
        self._revealed_match = None
        if self.loader.text(page) is None:
            self._revealed_match = page, start, stop
            self.loader.request_text(page)
            self.go_to(page)
        elif rects := self._match_rects(page, start, stop):
            self._reveal(rects[0].translated(self._offset()))

    def _match_rects(self, page: int, start: int, stop: int) -> list[QRectF]:
        text, offset = self.loader.text(page), self._offset()
        boxes = text.boxes(start, stop) if text is not None else []
        return [self._layout.from_page(page, box).translated(-offset) for box in boxes]

    def _on_page_text(self, page: int) -> None:
        if self._revealed_match is not None and self._revealed_match[0] == page:
            self.reveal_found(*self._revealed_match)
        self.viewport().update()

    def current_rects(self) -> list[QRectF]:
        """Return the boxes of the current sentence, in pixels of the viewport."""
        if self._current is None:
            return []
        rects = []
        for page in dict.fromkeys(place.page for place in self._sentences[self._current].places):
            if page is not None and page <= len(self._sizes):
                found = (self.loader.boxes(page) or {}).get(self._current, ())
                rects += [self._layout.from_page(page, box).translated(-self._offset()) for box in found]
        return rects

    def selection_rects(self) -> list[QRectF]:
        """Return the boxes of the selected text, in pixels of the viewport."""
        offset = self._offset()
        return [
            self._layout.from_page(page, box).translated(-offset)
            for page in self.selection.pages
            if page <= len(self._sizes)
            for box in self.selection.boxes(page)
        ]

    def word_rects(self, page: int) -> list[QRectF]:
        """Return the boxes of the highlighted words of a page, in pixels of the viewport."""
        offset = self._offset()
        rects = (self._layout.from_page(page, box).translated(-offset) for box in self._words.boxes(page))
        return [rect.adjusted(-1, -1, 1, 1) for rect in rects]

    def shares(self, pages: Sequence[int]) -> list[float]:
        """Return the positions of sentences on these pages, 0 to 1; those of one page are spread over it."""
        found: list[float] = []
        for at, page in enumerate(pages):
            if not 1 <= page <= len(self._layout.rects):
                found.append(0.0)
                continue
            rect = self._layout.rect(page)
            before, on_page = pages[:at].count(page), pages.count(page)
            y = rect.top() + rect.height() * (before + 1) / (on_page + 1)
            found.append(y / max(self._layout.height, 1.0))
        return found

    def _held(self, size: QSize) -> QPointF:
        """Keep the current sentence in place while it is visible."""
        seen = self._seen(size)
        return seen[0].center() if seen else super()._held(size)

    def _seen(self, size: QSize) -> list[QRectF]:
        """Return the visible boxes of the current sentence in a viewport of this size."""
        viewport = QRectF(QPointF(), size.toSizeF())
        return [rect for rect in self.current_rects() if viewport.intersects(rect)]

    def _on_marked(self, _page: int) -> None:
        if self._is_sought:
            self._seek()
        self.viewport().update()

    def _seek(self) -> None:
        """Scroll to the current sentence once its boxes are known."""
        if self._current is None:
            return
        pages = [place.page for place in self._sentences[self._current].places]
        page = next((page for page in pages if page is not None), None)
        if page is None or page > len(self._sizes):
            self._is_sought = False
            self.located.emit(False)
            return
        boxes = self.loader.boxes(page)
        if boxes is None:
            return
        self._is_sought = False
        found = boxes.get(self._current, ())
        if not found:
            self.go_to(page)
        else:
            self._reveal(self._layout.from_page(page, found[0]))
        self.located.emit(bool(found))

    def _reveal(self, box: QRectF) -> None:
        down, across, size = self.verticalScrollBar(), self.horizontalScrollBar(), self.viewport().size()
        seen = box.translated(-self._offset())
        if not size.height() * _CALM_TOP <= seen.top() <= seen.bottom() <= size.height() * _CALM_BOTTOM:
            down.setValue(round(box.top() - size.height() * TARGET_TOP_SHARE))
        if seen.left() < 0 or seen.right() > size.width():
            across.setValue(round(box.left() - size.width() * 0.1))

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pages again; a visible current sentence stays visible."""
        was_seen = bool(self._seen(event.oldSize()))
        super().resizeEvent(event)
        if was_seen:
            self._reveal(self.current_rects()[0].translated(self._offset()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible pages."""
        theme, dark = self._themes.theme, self._is_dark
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.color("ground"))
        offset, ratio = self._offset(), self.devicePixelRatioF()
        for page in self._visible_pages():
            rect = self._layout.rect(page).translated(-offset)
            # On whole physical pixels; otherwise pictures blur.
            rect.moveTo(round(rect.left() * ratio) / ratio, round(rect.top() * ratio) / ratio)
            picture = self.loader.picture(page)
            page_painting.paint_page(painter, rect, picture, theme, dark=dark)
            if failure := self.loader.failure(page):
                page_painting.paint_failure(painter, rect, failure, theme, dark=dark)
            if self.extraction is not None and self.extraction.is_on:
                self._paint_extraction(painter, page, rect, offset)
            self._paint_annotations(painter, page, offset, dark=dark)
            others, current = self._marks(page, offset)
            found = self.word_rects(page)
            for rects, strength in ((others, "other"), (current, "current")):
                colour = page_painting.highlight_tint(theme, strength, dark=dark)
                page_painting.paint_boxes(painter, rects, colour, dark=dark, round_px=3, without=found)
            page_painting.paint_boxes(
                painter, found, page_painting.word_highlight_tint(dark=dark), dark=dark, round_px=3
            )
            self._paint_matches(painter, page, dark=dark)
            chosen = [self._layout.from_page(page, box).translated(-offset) for box in self.selection.boxes(page)]
            colour = page_painting.selection_tint(dark=dark)
            page_painting.paint_boxes(painter, chosen, colour, dark=dark, round_px=0)

    def _paint_annotations(self, painter: QPainter, page: int, offset: QPointF, *, dark: bool) -> None:
        """Paint the highlights and notes of a page."""
        if self.annotations is None:
            return
        self.annotations.request_page(page)
        for each, found in self.annotations.on_page(page):
            boxes = [self._layout.from_page(page, box).translated(-offset) for box in found]
            colour, has_comment = each.colour or DEFAULT_COLOUR, bool(each.comment)
            page_painting.paint_annotation(painter, boxes, colour, each.kind, dark=dark, has_comment=has_comment)

    def annotation_at(self, at: QPointF) -> Annotation | None:
        """Return the highlight at a point of the viewport."""
        if self.annotations is None or not self._sizes:
            return None
        page, point = self._position_at_pointer(at)
        return self.annotations.at(page, point.x(), point.y())

    def _paint_matches(self, painter: QPainter, page: int, *, dark: bool) -> None:
        """Paint the matches of a find."""
        for start, stop in self._matches.get(page, ()):
            is_current = self._current_match == (page, start, stop)
            colour = page_painting.match_tint(dark=dark, is_current=is_current)
            page_painting.paint_boxes(painter, self._match_rects(page, start, stop), colour, dark=dark, round_px=2)

    def _paint_extraction(self, painter: QPainter, page: int, rect: QRectF, offset: QPointF) -> None:
        """Paint the boundaries of the sentences of a page, and the state of the page."""
        assert self.extraction is not None
        self.extraction.request_page(page)
        theme, dark = self._themes.theme, self._is_dark
        chosen = self.extraction.chosen
        for nth, (row, found) in enumerate(self.extraction.sentences(page)):
            boxes = [self._layout.from_page(page, box).translated(-offset) for box in found]
            colour = page_painting.sentence_tint(theme, row.passage_kind, nth, dark=dark)
            page_painting.paint_boxes(painter, boxes, colour, dark=dark, round_px=3)
            is_chosen = chosen is not None and chosen.ordinal == row.ordinal
            page_painting.paint_sentence_outline(painter, boxes, theme, dark=dark, chosen=is_chosen)
        if (note := self.extraction.note(page)) is not None:
            page_painting.paint_page_state(painter, rect, display_text.describe_page_state(note), theme)

    def count_letters_before(self, page: int, point: QPointF, sentence: Occurrence) -> int:
        """Return the number of letters and digits of a sentence before the word at a point of a page."""
        assert self.extraction is not None
        text = self.loader.text(page)
        boxes = next((found for row, found in self.extraction.sentences(page) if row.ordinal == sentence.ordinal), ())
        index = text.index_at(point.x(), point.y()) if text is not None else None
        if text is None or index is None or not boxes:
            return 0
        word = text.word_at(index)[0]
        first, last = boxes[0], boxes[-1]
        if sentence.places[0].page == page:
            begin = text.position_at(first.left + 0.5, (first.top + first.bottom) / 2)
            return _count_letters(text.plain(begin, word))
        end = text.position_at(last.right - 0.5, (last.top + last.bottom) / 2)
        return _count_letters(sentence.text) - _count_letters(text.plain(word, end))

    def _marks(self, page: int, offset: QPointF) -> tuple[list[QRectF], list[QRectF]]:
        """Return the boxes of the other sentences, and of the current one, in pixels of the viewport."""
        others: list[QRectF] = []
        current: list[QRectF] = []
        for number, boxes in (self.loader.boxes(page) or {}).items():
            for box in boxes:
                rect = self._layout.from_page(page, box).translated(-offset)
                rects = current if number == self._current else others
                rects.append(rect.adjusted(-_PAD_PX, -1, _PAD_PX, 1))
        return others, current

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move through the pages."""
        if not handle_reader_key(self, event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start a selection; a third click in a row selects the line."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(event.position(), "line" if self._is_triple_click(event) else "character")
        if self.extraction is not None and self.extraction.is_on and self._sizes:
            page, point = self._position_at_pointer(event.position())
            if (row := self.extraction.at(page, point.x(), point.y())) is not None:
                self.extraction.choose(row)
                self.word_chosen.emit(self.count_letters_before(page, point, row))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Report a click on a highlight."""
        super().mouseReleaseEvent(event)
        if self.extraction is not None and self.extraction.is_on:
            return
        is_click = event.button() == Qt.MouseButton.LeftButton and self.selection.is_empty
        if is_click and (annotation := self.annotation_at(event.position())) is not None:
            self.annotation_pressed.emit(annotation, event.globalPosition().toPoint())

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the note on a highlight under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            annotation = self.annotation_at(QPointF(event.pos()))
            text = annotation.comment if annotation is not None else ""
            QToolTip.showText(event.globalPos(), display_text.make_tooltip(text) if text else "", self.viewport())
            return True
        return super().viewportEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._press = (int(event.timestamp()), event.position())
            self._choose(event.position(), "word")

    def _is_triple_click(self, event: QMouseEvent) -> bool:
        if self._press is None:
            return False
        (at_ms, place), self._press = self._press, None
        hints = QGuiApplication.styleHints()
        near = (event.position() - place).manhattanLength() <= hints.mouseDoubleClickDistance()
        return near and int(event.timestamp()) - at_ms <= hints.mouseDoubleClickInterval()

    def _choose(self, at: QPointF, grain: SelectionUnit) -> None:
        page, point = self._position_at_pointer(at)
        self.selection.begin(page, point, grain)
        self.viewport().update()

    def _position_at_pointer(self, at: QPointF) -> tuple[int, QPointF]:
        """Return the page and the point on it."""
        place = at + self._offset()
        page = max(self._layout.nearest(place.y()), 1)
        return page, self._layout.to_page(page, place) if self._sizes else place

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection, scrolling at the edges; over text the pointer is a bar."""
        page, point = self._position_at_pointer(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton and self.selection.is_in_progress:
            self.selection.extend(page, point)
            beyond = event.position().y() - min(max(event.position().y(), 0), self.viewport().height())
            if beyond:
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + round(beyond))
            self.viewport().update()
            return
        text = self.loader.text(page) if self._sizes else None
        over = text is not None and text.is_over_text(point.x(), point.y())
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the context menu."""
        at = event.globalPos()
        if event.reason() == event.Reason.Keyboard:
            rects = self.current_rects()
            at = self.viewport().mapToGlobal(rects[0].center().toPoint() if rects else QPoint(40, 40))
        self.menu_wanted.emit(at)


def _count_letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def handle_reader_key(view: PageView, event: QKeyEvent) -> bool:
    """Handle a key; return whether it has a meaning here."""
    keys, bar = Qt.Key, view.verticalScrollBar()
    key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    screen = round(view.viewport().height() * 0.9)
    scrolls = {
        keys.Key_Down: bar.value() + LINE_PX,
        keys.Key_Up: bar.value() - LINE_PX,
        keys.Key_PageDown: bar.value() + screen,
        keys.Key_PageUp: bar.value() - screen,
        keys.Key_Space: bar.value() + (-screen if shift else screen),
        keys.Key_Home: 0,
        keys.Key_End: bar.maximum(),
    }
    if event.matches(QKeySequence.StandardKey.SelectAll):
        view.selection.choose_page(view.page)
        view.viewport().update()
    elif event.matches(QKeySequence.StandardKey.ZoomIn) or event.matches(QKeySequence.StandardKey.ZoomOut):
        view.step_zoom(1 if event.matches(QKeySequence.StandardKey.ZoomIn) else -1)
    elif key == keys.Key_0 and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        view.set_zoom(1.0)
    elif keys(key) in scrolls:
        bar.setValue(scrolls[keys(key)])
    elif key in (keys.Key_Left, keys.Key_Right) and not view.horizontalScrollBar().maximum():
        view.go_to(view.page + (1 if key == keys.Key_Right else -1))
    elif key == keys.Key_Escape and not view.selection.is_empty:
        view.selection.clear()
        view.viewport().update()
    else:
        return False
    return True


class PageWordMarks:
    """The boxes of highlighted words, found once per page because a page is painted at every turn of the wheel.

    Args:
        loader: knows the characters of pages, and the boxes of sentences.
    """

    def __init__(self, loader: PageLoader) -> None:
        self._loader = loader
        self._sought = NO_HIGHLIGHTS
        self._found: dict[int, list[Box]] = {}
        for signal in (loader.page_text_loaded, loader.marked):
            signal.connect(lambda page: self._found.pop(page, None))

    def seek(self, wanted: HighlightTerms) -> None:
        """Highlight these words from now on, in the sentences that are marked now."""
        self._sought = wanted
        self._found.clear()

    def boxes(self, page: int) -> Sequence[Box]:
        """Return the boxes of the words on a page; none while its characters are unknown."""
        text, sentences = self._loader.text(page), self._loader.boxes(page)
        if self._sought == NO_HIGHLIGHTS or text is None or not sentences:
            return ()
        if page not in self._found:
            self._found[page] = [
                box for found in sentences.values() for box in find_word_boxes(text, found, self._sought)
            ]
        return self._found[page]


def find_word_boxes(text: PageTextIndex, sentence: Sequence[Box], wanted: HighlightTerms) -> list[Box]:
    """Return the boxes of the highlighted words in a sentence, given the boxes of its lines."""
    if not sentence:
        return []
    first, last = sentence[0], sentence[-1]
    start = text.position_at(first.left + 0.5, (first.top + first.bottom) / 2)
    stop = text.position_at(last.right - 0.5, (last.top + last.bottom) / 2)
    places = _word_positions(text.text, start, stop)
    whole = "".join(text.text[place] for place in places)
    return [
        box
        for begin, length in find_matches(whole, wanted)
        for box in text.boxes(places[begin], places[begin + length - 1] + 1)
    ]


def _word_positions(text: str, start: int, stop: int) -> list[int]:
    """Return the positions of the characters of a range, without hyphens that divide a word at the end of a line."""
    return [
        place
        for place in range(start, stop)
        if text[place] != _SOFT_HYPHEN and not (text[place] == "\n" and text[place - 1 : place] == _SOFT_HYPHEN)
    ]
