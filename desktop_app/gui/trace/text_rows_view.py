"""Sentences in one or two columns, each marked by its kind; bands join related sentences.

Only visible sentences are laid out; the height of the others is estimated from their length. So fifty thousand
sentences appear at once. As they become visible the heights become exact, while the visible part stays in place.

Two columns share a scroll path from top to bottom, on which each row takes its height. Where the sentences
of a row are next to each other, both columns are tied to the path, and between two such rows they move evenly. The
sentence at `share` of the path is at `share` of the view's height, in both columns.
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
from desktop_app.gui.widgets.item_views import reserve_scroll_bar
from desktop_app.gui.widgets.text_layout import flatten_lines, wrap_text

if TYPE_CHECKING:
    from collections.abc import Collection

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
    """Shows rows of sentences; both columns scroll together, so that related sentences are visible together.

    Attributes:
        chosen: another row is current; carries its number, None for none.
        opened: a sentence is to be opened; carries row and column.
        menu_wanted: a menu for the current row is to be shown; carries its place on the screen.
    """

    chosen = Signal(object)
    opened = Signal(object, object)
    menu_wanted = Signal(object)

    def __init__(self, themes: ThemeManager, name: str) -> None:
        super().__init__()
        self._themes = themes
        self._texts: TextRows | None = None
        self._geometry: TextsLayout | None = None
        self._share = 0.0  # of the scroll path that lies above the visible part
        self._current: int | None = None
        self._highlighted: frozenset[str] = frozenset()
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reserve_scroll_bar(self)
        self.verticalScrollBar().setSingleStep(_SCROLL_STEP_PX)
        self.viewport().setAccessibleName(name)

    # Display

    def show_texts(self, texts: TextRows | None) -> None:
        """Show texts from their beginning; None for no texts."""
        self._texts, self._geometry, self._share = texts, None, 0.0
        self._highlighted = frozenset()
        self._choose(None)
        self._measure()

    def show_more(self, texts: TextRows) -> None:
        """Show texts in one column that continue the current ones; scroll position and current row stay."""
        before = self._geometry
        if before is None:
            self.show_texts(texts)
            return
        top = self._offset(0)
        self._texts, self._geometry = texts, before.extended(texts)
        self._share = top / max(self._geometry.height - self.viewport().height(), 1.0)
        self._place_bar()
        self.viewport().update()

    @property
    def current(self) -> int | None:
        """The current row."""
        return self._current

    def highlight(self, kinds: Collection[str]) -> None:
        """Highlight the rows of some kinds and step through them only; with no kinds, all rows look alike."""
        self._highlighted = frozenset(kinds)
        self.viewport().update()

    def pick(self, kinds: Collection[str]) -> None:
        """Highlight the rows of some kinds, and go to one of them."""
        self.highlight(kinds)
        current, texts = self._current, self._texts
        is_highlighted = current is not None and texts is not None and texts.kinds[current] in kinds
        if kinds and not is_highlighted and not self.step(1):
            self.step(-1)

    def step(self, by: int) -> bool:
        """Move to the next row (1) or the previous one (-1) of the kinds to step through; return if there is one."""
        if self._texts is None:
            return False
        texts, kinds = self._texts, self._highlighted
        rows = [row for row, kind in enumerate(texts.kinds) if (kind in kinds if kinds else texts.is_notable(row))]
        now = self._current
        if by > 0:
            row = next((row for row in rows if now is None or row > now), None)
        else:
            row = next((row for row in reversed(rows) if now is None or row < now), None)
        if row is not None:
            self.choose(row)
        return row is not None

    def choose(self, row: int) -> None:
        """Make a row current, and scroll to it."""
        self._choose(row)
        self._reveal(row)

    def _choose(self, row: int | None) -> None:
        if row != self._current:
            self._current = row
            description = self._texts.describe_row(row) if self._texts is not None and row is not None else ""
            self.setAccessibleDescription(description)
            self.chosen.emit(row)
        self.viewport().update()

    def _reveal(self, row: int) -> None:
        geometry = self._geometry
        if geometry is None:
            return
        self._settle()
        if all(self._is_row_visible(row, side) for side in self._sides_of(row)):
            return
        # The same share of the row as of the whole keeps the row visible while heights on the way are measured.
        for _ in range(8):
            begin, end = float(geometry.scroll_positions[row]), float(geometry.scroll_positions[row + 1])
            self._share = begin / max(float(geometry.scroll_positions[-1]) - (end - begin), 1.0)
            if not self._settle_once():
                break
        self._place_bar()
        self.viewport().update()

    def _sides_of(self, row: int) -> list[int]:
        """Return the columns in which to show a row: a moved sentence cannot be visible in both."""
        assert self._geometry is not None
        texts = self._geometry.texts
        sides = [side for side, places in enumerate(texts.places) if places[row] >= 0]
        return sides if texts.anchors[row] else sides[-1:]

    def _is_row_visible(self, row: int, side: int) -> bool:
        rect = self.rect_of(row, side)
        return rect.top() >= 0 and rect.bottom() <= self.viewport().height()

    # Geometry

    def sizeHint(self) -> QSize:
        """Return a size for a few sentences."""
        return QSize(480, 360)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest readable size."""
        return QSize(220, 120)

    def _measure(self) -> None:
        """Lay everything out for the current width and font; the scroll position stays."""
        if self._texts is None:
            self._geometry = None
            self._place_bar()
            self.viewport().update()
            return
        before = self._geometry
        width, columns = self.viewport().width(), len(self._texts.places)
        room = width - 2 * _MARGIN_PX - (columns - 1) * _GUTTER_PX
        column = max(min(room / columns, _MAX_COLUMN_PX), 120.0)
        row, share = before.row_at(self._share * float(before.scroll_positions[-1])) if before is not None else (0, 0.0)
        self._geometry = geometry = TextsLayout(self._texts, self.font(), column)
        self._share = geometry.scroll_position_of(row, share) / max(float(geometry.scroll_positions[-1]), 1.0)
        self._place_bar()
        self.viewport().update()

    def _lefts(self) -> list[float]:
        """Return the left edge of each column."""
        geometry = self._geometry
        assert geometry is not None
        count = len(geometry.tops)
        whole = count * geometry.width + (count - 1) * _GUTTER_PX
        left = max((self.viewport().width() - whole) / 2, _MARGIN_PX)
        return [left + side * (geometry.width + _GUTTER_PX) for side in range(count)]

    def _offset(self, side: int) -> float:
        """Return the height of a column at the upper edge of the view."""
        geometry = self._geometry
        assert geometry is not None
        if not self.verticalScrollBar().maximum():
            return 0.0
        return (
            geometry.height_at(side, self._share * float(geometry.scroll_positions[-1]))
            - self._share * self.viewport().height()
        )

    def _settle(self) -> None:
        """Measure the visible sentences, which keep their place."""
        for _ in range(12):
            if not self._settle_once():
                break
        self._place_bar()

    def _settle_once(self) -> bool:
        geometry = self._geometry
        if geometry is None:
            return False
        row, share = geometry.row_at(self._share * float(geometry.scroll_positions[-1]))
        changed = False
        for side in range(len(geometry.tops)):
            first, last = geometry.visible_range(side, self._offset(side), self.viewport().height())
            changed |= geometry.measure(side, first, last)
        if changed:
            if 0.0 < self._share < 1.0:
                self._share = geometry.scroll_position_of(row, share) / max(float(geometry.scroll_positions[-1]), 1.0)
            self._place_bar()
        return changed

    def _place_bar(self) -> None:
        """Update the scroll bar, which follows the visible part, not the other way round."""
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
        """Paint the visible sentences."""
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
        seen = [geometry.visible_range(side, offset, height) for side, offset in enumerate(offsets)]
        kinds = geometry.texts.kinds
        if len(lefts) > 1:
            rows = {int(row) for side, (first, last) in enumerate(seen) for row in geometry.rows_of[side][first:last]}
            # Slanted bands lie above straight ones, and the current one above all.
            anchors = geometry.texts.anchors
            for row in sorted(rows, key=lambda row: (row == self._current, not anchors[row], row)):
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
        return bool(self._highlighted) and kind not in self._highlighted

    def _ends(self, row: int, offsets: list[float]) -> list[Span]:
        """Return the top and bottom of a row in each column; of the place for a sentence where it has none."""
        geometry = self._geometry
        assert geometry is not None
        ends: list[Span] = []
        for side, offset in enumerate(offsets):
            place = int(geometry.texts.places[side][row])
            if place >= 0:
                tops = geometry.tops[side]
                ends.append((tops[place] - offset + GAP_PX / 2 + 2, tops[place + 1] - offset - GAP_PX / 2 - 2))
            else:
                at = geometry.height_at(side, float(geometry.scroll_positions[row])) - offset
                ends.append((at, at))
        return ends

    # Mouse and keyboard

    def row_hit_at(self, at: QPointF) -> tuple[int, int] | None:
        """Return row and column of the sentence at a point of the viewport; or None."""
        geometry = self._geometry
        if geometry is None:
            return None
        for side, left in enumerate(self._lefts()):
            height = at.y() + self._offset(side)
            if left <= at.x() <= left + geometry.width and 0 <= height < geometry.tops[side][-1]:
                first, _ = geometry.visible_range(side, height, 0.0)
                return int(geometry.rows_of[side][first]), side
        return None

    def rect_of(self, row: int, side: int) -> QRectF:
        """Return the rectangle of a row's sentence in the viewport; empty if it has none on that side."""
        geometry = self._geometry
        place = int(geometry.texts.places[side][row]) if geometry is not None else -1
        if geometry is None or place < 0:
            return QRectF()
        tops = geometry.tops[side]
        return QRectF(
            self._lefts()[side], tops[place] - self._offset(side), geometry.width, tops[place + 1] - tops[place]
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make the clicked row current, without scrolling."""
        found = self.row_hit_at(event.position())
        if found is not None:
            self._choose(found[0])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Accept the release, which does nothing."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the double-clicked sentence."""
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
            self._choose(found[0])
        self.menu_wanted.emit(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by row with the arrows, step through notable rows with N and P, open with Enter."""
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
        """Show the current row."""
        super().focusInEvent(event)
        if self._current is None and self._texts is not None and len(self._texts.kinds):
            self._choose(0)

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the meaning of a sentence's kind as a tooltip."""
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
    """Heights and positions of sentences for one width and font.

    Args:
        texts: the texts.
        font: of the view.
        width: of a column, in pixels.

    Attributes:
        text_font: of the sentences; `small_font` of the captions below them.
        tops: for each column float64 [sentences + 1], the top of each sentence, and the end of the column.
        scroll_positions: float64 [rows + 1], the start of each row on the scroll path.
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

    def extended(self, texts: TextRows) -> TextsLayout:
        """Return the layout of texts in one column that continue these; measured heights are kept."""
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
            # A moved sentence takes its room at its place in the last column.
            rows = np.where(self.texts.anchors, np.maximum(rows, own), np.where(there, own, rows))
        self.scroll_positions = np.concatenate([[0.0], np.cumsum(rows)])
        self._knots: list[tuple[Floats, Floats]] = []
        anchors = np.flatnonzero(self.texts.anchors)
        at = np.stack([self.scroll_positions[anchors], self.scroll_positions[anchors + 1]], axis=1).ravel()
        for places, tops in zip(self.texts.places, self.tops, strict=True):
            there = np.stack([tops[places[anchors]], tops[places[anchors] + 1]], axis=1).ravel()
            ends = (
                np.concatenate([[0.0], at, [self.scroll_positions[-1]]]),
                np.concatenate([[0.0], there, [tops[-1]]]),
            )
            self._knots.append(ends)

    @property
    def height(self) -> float:
        """The height of everything."""
        return float(max(self.scroll_positions[-1], *(tops[-1] for tops in self.tops)))

    def block(self, side: int, place: int) -> tuple[SentenceBlock, QTextLayout, float]:
        """Return a sentence, its layout, and the height of its text. `measure` makes its position exact."""
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

    def measure(self, side: int, first: int, last: int) -> bool:
        """Measure sentences from `first` to before `last`; return whether any height differs from its estimate."""
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

    def height_at(self, side: int, position: float) -> float:
        """Return the height in a column that belongs to a scroll position."""
        return float(np.interp(position, *self._knots[side]))

    def visible_range(self, side: int, top: float, height: float) -> tuple[int, int]:
        """Return the range of sentences of a column between two heights: the first, and the one after the last."""
        tops = self.tops[side]
        first = int(np.searchsorted(tops, top, "right")) - 1
        last = int(np.searchsorted(tops, top + height, "left"))
        return max(first, 0), max(min(last, len(tops) - 1), 0)

    def row_at(self, position: float) -> tuple[int, float]:
        """Return the row at a scroll position, and the share of the row (0 to 1) before it."""
        row = min(max(int(np.searchsorted(self.scroll_positions, position, "right")) - 1, 0), max(len(self) - 1, 0))
        high = self.scroll_positions[row + 1] - self.scroll_positions[row] if len(self) else 0.0
        return row, float((position - self.scroll_positions[row]) / high) if high else 0.0

    def scroll_position_of(self, row: int, share: float) -> float:
        """Return the scroll position at a share of a row."""
        row = min(row, len(self) - 1)
        return (
            float(self.scroll_positions[row] + share * (self.scroll_positions[row + 1] - self.scroll_positions[row]))
            if row >= 0
            else 0.0
        )


def _map_places_to_rows(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64 [sentences]: the row of each sentence of a column."""
    there = np.flatnonzero(places >= 0)
    rows = np.empty(len(there), np.int64)
    rows[places[there]] = there
    return rows


class SentencePainter:
    """Paints sentences and bands of one frame."""

    def __init__(self, painter: QPainter, geometry: TextsLayout, theme: Theme) -> None:
        self._painter = painter
        self._geometry = geometry
        self._theme = theme

    def sentence(self, rect: QRectF, side: int, place: int, *, is_dim: bool, is_current: bool) -> None:
        """Paint a sentence of a column with the colour, sign and word of its kind.

        Args:
            rect: its box.
            side: its column.
            place: its index there.
            is_dim: whether other kinds are highlighted.
            is_current: whether it is the current row.
        """
        painter, geometry, theme = self._painter, self._geometry, self._theme
        block, layout, text_height = geometry.block(side, place)
        style = geometry.texts.styles[block.kind]
        ink = theme.color("muted") if is_dim else style.color(theme)
        painter.setPen(QPen(theme.color("accent"), 1.5) if is_current else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("panel") if is_dim else style.fill(theme))
        painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        if style.ground and not is_dim:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            edge = QRectF(rect.left() + 3, rect.top() + 5, _EDGE_PX, rect.height() - 10)
            painter.drawRoundedRect(edge, _EDGE_PX / 2, _EDGE_PX / 2)
        top = rect.top() + PAD_PX
        painter.setFont(geometry.sign_font)
        painter.setPen(ink)
        line = layout.lineAt(0).height() if layout.lineCount() else geometry.small.height()
        painter.drawText(QRectF(rect.left() + 8, top, 22, line), Qt.AlignmentFlag.AlignCenter, style.sign)
        painter.setPen(theme.color("muted" if is_dim else "text"))
        marks = difference_formats(block.text, block.marks, "near", theme) if block.marks and not is_dim else []
        layout.draw(painter, QPointF(rect.left() + LEFT_PX, top), marks)
        if block.about is not None:
            self._caption(QPointF(rect.left() + LEFT_PX, top + text_height), block, block.about, is_dim)

    def _caption(self, at: QPointF, block: SentenceBlock, about: tuple[str, ...], is_dim: bool) -> None:
        """Paint the name of the kind, a warning, and further facts."""
        painter, geometry, theme = self._painter, self._geometry, self._theme
        measure, room = geometry.small, geometry.width - LEFT_PX - RIGHT_PX
        painter.setFont(geometry.small_font)
        base = at + QPointF(0, measure.ascent())
        parts = [(sentence_kind_name(block.kind), geometry.texts.styles[block.kind].ink), (block.warning, "bad")]
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
        """Paint the band that joins the two sentences of a row, or points to the place of a missing one.

        Args:
            kind: of the row.
            across: the left and the right end of the band.
            left: its top and bottom at the left end.
            right: likewise on the right side.
            is_dim: whether other kinds are highlighted.
            is_current: whether it is the current row.
        """
        theme, (start, end) = self._theme, across
        middle = (start + end) / 2
        path = QPainterPath(QPointF(start, left[0]))
        path.cubicTo(QPointF(middle, left[0]), QPointF(middle, right[0]), QPointF(end, right[0]))
        path.lineTo(QPointF(end, right[1]))
        path.cubicTo(QPointF(middle, right[1]), QPointF(middle, left[1]), QPointF(start, left[1]))
        path.closeSubpath()
        self._painter.setPen(QPen(theme.color("accent"), 1.5) if is_current else Qt.PenStyle.NoPen)
        style = self._geometry.texts.styles[kind]
        self._painter.setBrush(theme.color("hover") if is_dim else style.band(theme))
        self._painter.drawPath(path)
