"""Sentences in one column or two, each with the colour, sign and word of its kind; bands join what belongs together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from desktop_app.gui import words
from desktop_app.gui.tracing.geometry import GAP_PX, Geometry
from desktop_app.gui.tracing.painting import SentencePainter
from desktop_app.gui.tracing.texts import explained
from desktop_app.gui.widgets import keep_scroll_bar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from desktop_app.gui.theme import ThemeManager
    from desktop_app.gui.tracing.painting import Span
    from desktop_app.gui.tracing.texts import Texts

_MARGIN_PX = 12
_GUTTER_PX = 64  # between two columns, for the bands
_WIDEST_PX = 780
_STEP_PX = 28


class TextsView(QAbstractScrollArea):
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
        self._texts: Texts | None = None
        self._geometry: Geometry | None = None
        self._share = 0.0  # of the way that lies above what is looked at
        self._current: int | None = None
        self._lit: frozenset[str] = frozenset()
        self.side = 0  # the column of the sentence that was pointed at last
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_scroll_bar(self)
        self.verticalScrollBar().setSingleStep(_STEP_PX)
        self.viewport().setAccessibleName(name)

    # What is shown

    def show_texts(self, texts: Texts | None) -> None:
        """Show other texts, from their beginning; None for none."""
        self._texts, self._geometry, self._share = texts, None, 0.0
        self._lit = frozenset()
        self._choose(None)
        self._measure()

    def show_more(self, texts: Texts) -> None:
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
        if all(self._is_seen(row, side) for side in self._sides_of(row)):
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

    def _is_seen(self, row: int, side: int) -> bool:
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
        column = max(min(room / columns, _WIDEST_PX), 120.0)
        row, share = before.row_at(self._share * float(before.way[-1])) if before is not None else (0, 0.0)
        self._geometry = geometry = Geometry(self._texts, self.font(), column)
        self._share = geometry.way_of(row, share) / max(float(geometry.way[-1]), 1.0)
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
                self._share = geometry.way_of(row, share) / max(float(geometry.way[-1]), 1.0)
            self._place_bar()
        return changed

    def _place_bar(self) -> None:
        """Bring the scroll bar in order; it follows what is looked at, not the other way round."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        most = max(0, math.ceil(self._geometry.height - height)) if self._geometry is not None else 0
        bar.blockSignals(True)
        bar.setPageStep(max(height - _STEP_PX, 1))
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

    def hit_at(self, at: QPointF) -> tuple[int, int] | None:
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
        found = self.hit_at(event.position())
        if found is not None:
            row, self.side = found
            self._choose(row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End what was begun by pressing."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what is double-clicked."""
        found = self.hit_at(event.position())
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
            found = self.hit_at(QPointF(self.viewport().mapFromGlobal(at)))
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
            found = self.hit_at(QPointF(event.pos()))
            if found is not None and self._texts is not None:
                QToolTip.showText(event.globalPos(), words.tooltip(explained(self._texts, found[0])), self.viewport())
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)
