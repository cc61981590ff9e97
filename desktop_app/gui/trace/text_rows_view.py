"""Sentences in one or two columns, each marked by its kind; bands join what belongs together.

Only what comes into sight is laid out; how high the rest is follows from its length. So fifty thousand sentences are
there at once, and as they come into sight the numbers become exact, while what one looks at stays where it is.

Two columns have a way of their own from top to bottom, between their rows: each row lies as far along it as it is
high. Where the row's sentences stand beside each other, both columns are tied to it, and between two such places they
move evenly; what is at `share` of the way stands at `share` of the view's height, in both.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QFontMetricsF, QHelpEvent, QPainter, QPainterPath, QPen, QTextLayout
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.results.highlighting import difference_formats
from desktop_app.gui.trace.model import explain_row_kind
from desktop_app.gui.trace.sentence_kinds import sentence_kind_name
from desktop_app.gui.widgets.labels import reserve_scroll_bar
from desktop_app.gui.widgets.text_layout import flatten_lines, wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from desktop_app.gui.base.theme import Theme, ThemeManager
    from desktop_app.gui.trace.model import SentenceBlock, TextRows

    Floats = NDArray[np.float64]
    Span = tuple[float, float]

_MARGIN_PX = 12
_GUTTER_PX = 64  # between two columns, for the bands
_MAX_COLUMN_PX = 780
_SCROLL_STEP_PX = 28

LEFT_PX = 34  # for the sign
RIGHT_PX = 12
PAD_PX = 7  # above and below the text
GAP_PX = 4  # between two sentences
_MAX_CACHED_BLOCKS = 800
_LINE_HEIGHT = 1.18

_RADIUS_PX = 7
_EDGE_PX = 3


class TextRowsView(QAbstractScrollArea):
    """Shows rows of sentences; both columns scroll together, so that what belongs together is in sight together.

    Attributes:
        chosen: another row is the current one; carries its number, None for none.
        opened: a sentence is to be read in its place; carries row and column.
        menu_wanted: carries the place on the screen; the row under the pointer is the current one.
    """

    chosen = Signal(object)
    opened = Signal(object, object)
    menu_wanted = Signal(object)

    def __init__(self, themes: ThemeManager, name: str) -> None:
        super().__init__()
        self._themes = themes
        self._texts: TextRows | None = None
        self._geometry: TextsLayout | None = None
        self._share = 0.0  # of the way that lies above what is looked at
        self._current: int | None = None
        self._lit: frozenset[str] = frozenset()
        self.side = 0  # the column of the sentence that was pointed at last
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reserve_scroll_bar(self)
        self.verticalScrollBar().setSingleStep(_SCROLL_STEP_PX)
        self.viewport().setAccessibleName(name)

    # What is shown

    def show_texts(self, texts: TextRows | None) -> None:
        """Show other texts, from their beginning; None for none."""
        self._texts, self._geometry, self._share = texts, None, 0.0
        self._lit = frozenset()
        self._choose(None)
        self._measure()

    def show_more(self, texts: TextRows) -> None:
        """Show texts in one column that begin as those shown do: what is looked at stays, and so does the choice."""
        before = self._geometry
        if before is None:
            self.show_texts(texts)
            return
        top = self._offset(0)
        self._texts, self._geometry = texts, before.longer(texts)
        self._share = top / max(self._geometry.height - self.viewport().height(), 1.0)
        self._place_bar()
        self.viewport().update()

    @property
    def current(self) -> int | None:
        """The chosen row."""
        return self._current

    def light(self, kinds: Iterable[str]) -> None:
        """Let the rows of some kinds stand out and be gone through; of none: all are alike."""
        self._lit = frozenset(kinds)
        self.viewport().update()

    def step(self, by: int) -> bool:
        """Choose the next row (1) or the one before (-1) of the kinds that are gone through; whether there is one."""
        if self._texts is None:
            return False
        kinds = self._lit or self._texts.notable
        rows = [row for row, kind in enumerate(self._texts.kinds) if kind in kinds]
        now = self._current
        if by > 0:
            row = next((row for row in rows if now is None or row > now), None)
        else:
            row = next((row for row in reversed(rows) if now is None or row < now), None)
        if row is not None:
            self.choose(row)
        return row is not None

    def choose(self, row: int) -> None:
        """Make a row the current one, and bring it into sight."""
        self._choose(row)
        self._reveal(row)

    def _choose(self, row: int | None) -> None:
        if row != self._current:
            self._current = row
            told = self._texts.in_words(row) if self._texts is not None and row is not None else ""
            self.setAccessibleDescription(told)
            self.chosen.emit(row)
        self.viewport().update()

    def _reveal(self, row: int) -> None:
        geometry = self._geometry
        if geometry is None:
            return
        self._settle()
        if all(self._is_row_visible(row, side) for side in self._sides_of(row)):
            return
        # So far into the row as into the whole: then it lies inside the view, whatever is measured on the way there.
        for _ in range(8):
            begin, end = float(geometry.way[row]), float(geometry.way[row + 1])
            self._share = begin / max(float(geometry.way[-1]) - (end - begin), 1.0)
            if not self._settle_once():
                break
        self._place_bar()
        self.viewport().update()

    def _sides_of(self, row: int) -> list[int]:
        """Return the columns in which a row is to be in sight: what has moved cannot be so in both."""
        assert self._geometry is not None
        texts = self._geometry.texts
        sides = [side for side, places in enumerate(texts.places) if places[row] >= 0]
        return sides if texts.anchors[row] else sides[-1:]

    def _is_row_visible(self, row: int, side: int) -> bool:
        rect = self.rect_of(row, side)
        return rect.top() >= 0 and rect.bottom() <= self.viewport().height()

    # Geometry

    def sizeHint(self) -> QSize:
        """Return room for a few sentences."""
        return QSize(480, 360)

    def minimumSizeHint(self) -> QSize:
        """Return a size in which something can still be read."""
        return QSize(220, 120)

    def _measure(self) -> None:
        """Lay everything out for the present width and font; what is looked at stays."""
        if self._texts is None:
            self._geometry = None
            self._place_bar()
            self.viewport().update()
            return
        before = self._geometry
        width, columns = self.viewport().width(), len(self._texts.places)
        room = width - 2 * _MARGIN_PX - (columns - 1) * _GUTTER_PX
        column = max(min(room / columns, _MAX_COLUMN_PX), 120.0)
        row, share = before.row_at(self._share * float(before.way[-1])) if before is not None else (0, 0.0)
        self._geometry = geometry = TextsLayout(self._texts, self.font(), column)
        self._share = geometry.scroll_position_of(row, share) / max(float(geometry.way[-1]), 1.0)
        self._place_bar()
        self.viewport().update()

    def _lefts(self) -> list[float]:
        """Return where each column begins."""
        geometry = self._geometry
        assert geometry is not None
        count = len(geometry.tops)
        whole = count * geometry.width + (count - 1) * _GUTTER_PX
        left = max((self.viewport().width() - whole) / 2, _MARGIN_PX)
        return [left + side * (geometry.width + _GUTTER_PX) for side in range(count)]

    def _offset(self, side: int) -> float:
        """Return which height of a column lies at the upper edge of the view."""
        geometry = self._geometry
        assert geometry is not None
        if not self.verticalScrollBar().maximum():
            return 0.0
        return geometry.at(side, self._share * float(geometry.way[-1])) - self._share * self.viewport().height()

    def _settle(self) -> None:
        """Measure what is in sight; it stays where it is."""
        for _ in range(12):
            if not self._settle_once():
                break
        self._place_bar()

    def _settle_once(self) -> bool:
        geometry = self._geometry
        if geometry is None:
            return False
        row, share = geometry.row_at(self._share * float(geometry.way[-1]))
        changed = False
        for side in range(len(geometry.tops)):
            first, last = geometry.seen(side, self._offset(side), self.viewport().height())
            changed |= geometry.settle(side, first, last)
        if changed:
            if 0.0 < self._share < 1.0:
                self._share = geometry.scroll_position_of(row, share) / max(float(geometry.way[-1]), 1.0)
            self._place_bar()
        return changed

    def _place_bar(self) -> None:
        """Bring the scroll bar in order; it follows what is looked at, not the other way round."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        most = max(0, math.ceil(self._geometry.height - height)) if self._geometry is not None else 0
        bar.blockSignals(True)
        bar.setPageStep(max(height - _SCROLL_STEP_PX, 1))
        bar.setRange(0, most)
        if not most:
            self._share = 0.0
        bar.setValue(round(self._share * most))
        bar.blockSignals(False)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Follow the scroll bar."""
        bar = self.verticalScrollBar()
        self._share = bar.value() / bar.maximum() if bar.maximum() else 0.0
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the texts out for another width."""
        super().resizeEvent(event)
        self._measure()

    def changeEvent(self, event: QEvent) -> None:
        """Lay the texts out for another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_texts"):
            self._measure()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is in sight."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.viewport().rect(), self._themes.theme.color("panel"))
        geometry = self._geometry
        if geometry is None:
            return
        self._settle()
        paint = SentencePainter(painter, geometry, self._themes.theme)
        height, lefts = self.viewport().height(), self._lefts()
        offsets = [self._offset(side) for side in range(len(lefts))]
        seen = [geometry.seen(side, offset, height) for side, offset in enumerate(offsets)]
        kinds = geometry.texts.kinds
        if len(lefts) > 1:
            rows = {int(row) for side, (first, last) in enumerate(seen) for row in geometry.rows_of[side][first:last]}
            # What goes across lies above what stands beside each other, and the chosen one above all.
            is_beside = geometry.texts.anchors
            for row in sorted(rows, key=lambda row: (row == self._current, not is_beside[row], row)):
                left, right = self._ends(row, offsets)
                ends = (lefts[0] + geometry.width + 1, lefts[1] - 1)
                is_dim = self._is_dim(kinds[row])
                paint.band(kinds[row], ends, left, right, is_dim=is_dim, is_current=row == self._current)
        for side, (first, last) in enumerate(seen):
            for place in range(first, last):
                row = int(geometry.rows_of[side][place])
                top = geometry.tops[side][place] - offsets[side]
                high = geometry.tops[side][place + 1] - geometry.tops[side][place]
                rect = QRectF(lefts[side], top + GAP_PX / 2, geometry.width, high - GAP_PX)
                is_dim = self._is_dim(kinds[row])
                paint.sentence(rect, side, place, is_dim=is_dim, is_current=row == self._current)
        painter.end()

    def _is_dim(self, kind: str) -> bool:
        return bool(self._lit) and kind not in self._lit

    def _ends(self, row: int, offsets: list[float]) -> list[Span]:
        """Return from where to where a row reaches in each column; where it has no sentence, the place for one."""
        geometry = self._geometry
        assert geometry is not None
        ends: list[Span] = []
        for side, offset in enumerate(offsets):
            place = int(geometry.texts.places[side][row])
            if place >= 0:
                tops = geometry.tops[side]
                ends.append((tops[place] - offset + GAP_PX / 2 + 2, tops[place + 1] - offset - GAP_PX / 2 - 2))
            else:
                at = geometry.at(side, float(geometry.way[row])) - offset
                ends.append((at, at))
        return ends

    # Pointing and typing

    def row_hit_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return row and column of the sentence under a place of the viewport; None where there is none."""
        geometry = self._geometry
        if geometry is None:
            return None
        for side, left in enumerate(self._lefts()):
            height = at.y() + self._offset(side)
            if left <= at.x() <= left + geometry.width and 0 <= height < geometry.tops[side][-1]:
                first, _ = geometry.seen(side, height, 0.0)
                return int(geometry.rows_of[side][first]), side
        return None

    def rect_of(self, row: int, side: int) -> QRectF:
        """Return where a row's sentence lies in the viewport; empty where it has none on that side."""
        geometry = self._geometry
        place = int(geometry.texts.places[side][row]) if geometry is not None else -1
        if geometry is None or place < 0:
            return QRectF()
        tops = geometry.tops[side]
        return QRectF(
            self._lefts()[side], tops[place] - self._offset(side), geometry.width, tops[place + 1] - tops[place]
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what is pressed; it stays where it is."""
        found = self.row_hit_at(event.position())
        if found is not None:
            row, self.side = found
            self._choose(row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End what was begun by pressing."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what is double-clicked."""
        found = self.row_hit_at(event.position())
        if found is not None:
            self.opened.emit(*found)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for a menu of the row under the pointer, or of the current one."""
        at = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            if self._current is None:
                return
            side = next(s for s in (1, 0) if s < len(self._lefts()) and not self.rect_of(self._current, s).isNull())
            at = self.viewport().mapToGlobal(self.rect_of(self._current, side).center().toPoint())
        else:
            found = self.row_hit_at(QPointF(self.viewport().mapFromGlobal(at)))
            if found is None:
                return
            row, self.side = found
            self._choose(row)
        self.menu_wanted.emit(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from row to row with the arrows, from one that matters to the next with N and P, open with Enter."""
        key, count = event.key(), len(self._texts.kinds) if self._texts is not None else 0
        last = count - 1
        now = self._current if self._current is not None else -1
        if not count or event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            event.ignore()
        elif key == Qt.Key.Key_Down:
            self.choose(min(now + 1, last))
        elif key == Qt.Key.Key_Up:
            self.choose(max(now - 1, 0))
        elif key == Qt.Key.Key_Home:
            self.choose(0)
        elif key == Qt.Key.Key_End:
            self.choose(last)
        elif key in (Qt.Key.Key_N, Qt.Key.Key_P):
            self.step(1 if key == Qt.Key.Key_N else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.opened.emit(self._current, None)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        super().focusInEvent(event)
        if self._current is None and self._texts is not None and len(self._texts.kinds):
            self._choose(0)

    def viewportEvent(self, event: QEvent) -> bool:
        """Explain the kind of a sentence to a pointer that rests there."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.row_hit_at(QPointF(event.pos()))
            if found is not None and self._texts is not None:
                QToolTip.showText(
                    event.globalPos(),
                    display_text.make_tooltip(explain_row_kind(self._texts, found[0])),
                    self.viewport(),
                )
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)


class TextsLayout:
    """Heights and places of sentences for one width and font.

    Args:
        texts: what is shown.
        font: of the view.
        width: of a column, in pixels.

    Attributes:
        text_font: of the sentences; `small_font` of what stands below them.
        tops: for each column float64 [sentences + 1]: where each begins; at last where the column ends.
        way: float64 [rows + 1]: how far along the way each row begins.
    """

    def __init__(self, texts: TextRows, font: QFont, width: float) -> None:
        self.texts = texts
        self.width = width
        self._font = font
        self.text_font, self.small_font = scale_font(font, 1.03), scale_font(font, 0.86)
        self.sign_font = scale_font(font, 1.1, QFont.Weight.Bold)
        self.small = QFontMetricsF(self.small_font)
        self.caption_height = self.small.height() * 1.1
        self._layouts: OrderedDict[tuple[int, int], tuple[SentenceBlock, QTextLayout, float]] = OrderedDict()
        self.rows_of = tuple(_map_places_to_rows(places) for places in texts.places)
        self._measured = [np.zeros(len(rows), np.bool_) for rows in self.rows_of]
        measures = QFontMetricsF(self.text_font)
        line = measures.height() * _LINE_HEIGHT
        per_line = max(1.0, (width - LEFT_PX - RIGHT_PX) / max(measures.averageCharWidth(), 1.0))
        frame = 2 * PAD_PX + GAP_PX + self.caption_height
        self._heights = [np.ceil(np.maximum(lengths, 1) / per_line) * line + frame for lengths in texts.lengths]
        self._place()

    def __len__(self) -> int:
        return len(self.texts.kinds)

    def longer(self, texts: TextRows) -> TextsLayout:
        """Return the geometry of texts in one column that begin as these do: what is measured stays so."""
        whole = TextsLayout(texts, self._font, self.width)
        (heights,), (measured,) = self._heights, self._measured
        whole._heights[0][: len(heights)] = heights
        whole._measured[0][: len(measured)] = measured
        whole._layouts = self._layouts
        whole._place()
        return whole

    def _place(self) -> None:
        self.tops = [np.concatenate([[0.0], np.cumsum(heights)]) for heights in self._heights]
        rows = np.zeros(len(self))
        for places, heights in zip(self.texts.places, self._heights, strict=True):
            there = places >= 0
            own = np.zeros(len(self))
            own[there] = heights[places[there]]
            # What has moved takes its room where it stands in the last column.
            rows = np.where(self.texts.anchors, np.maximum(rows, own), np.where(there, own, rows))
        self.way = np.concatenate([[0.0], np.cumsum(rows)])
        self._knots: list[tuple[Floats, Floats]] = []
        anchors = np.flatnonzero(self.texts.anchors)
        at = np.stack([self.way[anchors], self.way[anchors + 1]], axis=1).ravel()
        for places, tops in zip(self.texts.places, self.tops, strict=True):
            there = np.stack([tops[places[anchors]], tops[places[anchors] + 1]], axis=1).ravel()
            ends = (np.concatenate([[0.0], at, [self.way[-1]]]), np.concatenate([[0.0], there, [tops[-1]]]))
            self._knots.append(ends)

    @property
    def height(self) -> float:
        """How high all of it is."""
        return float(max(self.way[-1], *(tops[-1] for tops in self.tops)))

    def block(self, side: int, place: int) -> tuple[SentenceBlock, QTextLayout, float]:
        """Return a sentence, its layout, and the height of its text; from then on its place is exact after `settle`."""
        key = (side, place)
        found = self._layouts.get(key)
        if found is None:
            block = self.texts.block(side, int(self.rows_of[side][place]))
            layout, height = wrap_text(flatten_lines(block.text), self.text_font, self.width - LEFT_PX - RIGHT_PX)
            found = self._layouts[key] = (block, layout, height)
            if len(self._layouts) > _MAX_CACHED_BLOCKS:
                self._layouts.popitem(last=False)
        else:
            self._layouts.move_to_end(key)
        return found

    def settle(self, side: int, first: int, last: int) -> bool:
        """Measure sentences from `first` to before `last`; returns whether any has another height than was thought."""
        changed = False
        for place in np.flatnonzero(~self._measured[side][first:last]) + first:
            block, _, text_height = self.block(side, int(place))
            height = text_height + 2 * PAD_PX + GAP_PX + (self.caption_height if block.about is not None else 0.0)
            changed |= bool(abs(height - self._heights[side][place]) > 0.01)
            self._heights[side][place] = height
            self._measured[side][place] = True
        if changed:
            self._place()
        return changed

    def at(self, side: int, way: float) -> float:
        """Return which height of a column belongs to a place of the way."""
        return float(np.interp(way, *self._knots[side]))

    def seen(self, side: int, top: float, height: float) -> tuple[int, int]:
        """Return which sentences of a column lie between two heights: the first, and the one after the last."""
        tops = self.tops[side]
        first = int(np.searchsorted(tops, top, "right")) - 1
        last = int(np.searchsorted(tops, top + height, "left"))
        return max(first, 0), max(min(last, len(tops) - 1), 0)

    def row_at(self, way: float) -> tuple[int, float]:
        """Return which row lies at a place of the way, and how far into it that is (0 to 1)."""
        row = min(max(int(np.searchsorted(self.way, way, "right")) - 1, 0), max(len(self) - 1, 0))
        high = self.way[row + 1] - self.way[row] if len(self) else 0.0
        return row, float((way - self.way[row]) / high) if high else 0.0

    def scroll_position_of(self, row: int, share: float) -> float:
        """Return the place of the way that lies so far into a row."""
        row = min(row, len(self) - 1)
        return float(self.way[row] + share * (self.way[row + 1] - self.way[row])) if row >= 0 else 0.0


def _map_places_to_rows(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64 [sentences]: the row that each sentence of a column stands in."""
    there = np.flatnonzero(places >= 0)
    rows = np.empty(len(there), np.int64)
    rows[places[there]] = there
    return rows


class SentencePainter:
    """Paints with one painter, for one frame."""

    def __init__(self, painter: QPainter, geometry: TextsLayout, theme: Theme) -> None:
        self._painter = painter
        self._geometry = geometry
        self._theme = theme

    def sentence(self, rect: QRectF, side: int, place: int, *, is_dim: bool, is_current: bool) -> None:
        """Paint a sentence of a column with the colour, sign and word of its kind.

        Args:
            rect: its box.
            side: its column.
            place: its number there.
            is_dim: others stand out.
            is_current: it is the chosen one.
        """
        painter, geometry, theme = self._painter, self._geometry, self._theme
        block, layout, text_height = geometry.block(side, place)
        tone = geometry.texts.tones[block.kind]
        ink = theme.color("muted") if is_dim else tone.color(theme)
        painter.setPen(QPen(theme.color("accent"), 1.5) if is_current else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("panel") if is_dim else tone.fill(theme))
        painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        if tone.ground and not is_dim:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            edge = QRectF(rect.left() + 3, rect.top() + 5, _EDGE_PX, rect.height() - 10)
            painter.drawRoundedRect(edge, _EDGE_PX / 2, _EDGE_PX / 2)
        top = rect.top() + PAD_PX
        painter.setFont(geometry.sign_font)
        painter.setPen(ink)
        line = layout.lineAt(0).height() if layout.lineCount() else geometry.small.height()
        painter.drawText(QRectF(rect.left() + 8, top, 22, line), Qt.AlignmentFlag.AlignCenter, tone.sign)
        painter.setPen(theme.color("muted" if is_dim else "text"))
        marks = difference_formats(block.text, block.marks, "near", theme) if block.marks and not is_dim else []
        layout.draw(painter, QPointF(rect.left() + LEFT_PX, top), marks)
        if block.about is not None:
            self._caption(QPointF(rect.left() + LEFT_PX, top + text_height), block, block.about, is_dim)

    def _caption(self, at: QPointF, block: SentenceBlock, about: tuple[str, ...], is_dim: bool) -> None:
        """Paint the word for the kind, what is easily overlooked, and what is known beside."""
        painter, geometry, theme = self._painter, self._geometry, self._theme
        measure, room = geometry.small, geometry.width - LEFT_PX - RIGHT_PX
        painter.setFont(geometry.small_font)
        base = at + QPointF(0, measure.ascent())
        parts = [(sentence_kind_name(block.kind), geometry.texts.tones[block.kind].ink), (block.warning, "bad")]
        parts += [(text, "muted") for text in about]
        for number, (text, color) in enumerate(part for part in parts if part[0]):
            shown = measure.elidedText(f" · {text}" if number else text, Qt.TextElideMode.ElideMiddle, room)
            painter.setPen(theme.color("muted" if is_dim else color))
            painter.drawText(base, shown)
            width = measure.horizontalAdvance(shown)
            base, room = base + QPointF(width, 0), room - width
            if room < 3 * measure.averageCharWidth():
                break

    def band(self, kind: str, across: Span, left: Span, right: Span, *, is_dim: bool, is_current: bool) -> None:
        """Paint what joins the two sentences of a row, or points at where the other one would stand.

        Args:
            kind: of the row.
            across: from where to where the band goes from left to right.
            left: from where to where it reaches on the left side, from top to bottom.
            right: likewise on the right side.
            is_dim: others stand out.
            is_current: it is the chosen one.
        """
        theme, (start, end) = self._theme, across
        middle = (start + end) / 2
        path = QPainterPath(QPointF(start, left[0]))
        path.cubicTo(QPointF(middle, left[0]), QPointF(middle, right[0]), QPointF(end, right[0]))
        path.lineTo(QPointF(end, right[1]))
        path.cubicTo(QPointF(middle, right[1]), QPointF(middle, left[1]), QPointF(start, left[1]))
        path.closeSubpath()
        self._painter.setPen(QPen(theme.color("accent"), 1.5) if is_current else Qt.PenStyle.NoPen)
        tone = self._geometry.texts.tones[kind]
        self._painter.setBrush(theme.color("hover") if is_dim else tone.band(theme))
        self._painter.drawPath(path)
