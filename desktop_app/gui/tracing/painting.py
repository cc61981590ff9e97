"""How a sentence of a kind is painted, and what joins it with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from desktop_app.gui.pairing.marks import difference_marks
from desktop_app.gui.tracing.geometry import LEFT_PX, PAD_PX, RIGHT_PX
from desktop_app.gui.tracing.tones import kind_name

if TYPE_CHECKING:
    from desktop_app.gui.theme import Theme
    from desktop_app.gui.tracing.geometry import Geometry
    from desktop_app.gui.tracing.texts import Block

    Span = tuple[float, float]

_RADIUS_PX = 7
_EDGE_PX = 3


class SentencePainter:
    """Paints with one painter, for one frame."""

    def __init__(self, painter: QPainter, geometry: Geometry, theme: Theme) -> None:
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
        marks = difference_marks(block.text, block.marks, "near", theme) if block.marks and not is_dim else []
        layout.draw(painter, QPointF(rect.left() + LEFT_PX, top), marks)
        if block.about is not None:
            self._caption(QPointF(rect.left() + LEFT_PX, top + text_height), block, block.about, is_dim)

    def _caption(self, at: QPointF, block: Block, about: tuple[str, ...], is_dim: bool) -> None:
        """Paint the word for the kind, what is easily overlooked, and what is known beside."""
        painter, geometry, theme = self._painter, self._geometry, self._theme
        measure, room = geometry.small, geometry.width - LEFT_PX - RIGHT_PX
        painter.setFont(geometry.small_font)
        base = at + QPointF(0, measure.ascent())
        parts = [(kind_name(block.kind), geometry.texts.tones[block.kind].ink), (block.warning, "bad")]
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
