"""Lays out a hit as a card, and paints the ground of cards."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPixmap, QTextLayout

from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.text_layout import LINE_HEIGHT, flatten_lines, wrap_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor

    from desktop_app.core.records import Hit
    from desktop_app.gui.results.hit_context import HitContext

PAD_X_PX = 16
PAD_Y_PX = 12
SPACE_PX = 3  # between the sentence and its neighbours
_SOURCE_SPACE_PX = 7  # above the line that names the document
_MAX_UNFOLDED_LINES = 8
_LEAST_NAME_PX, _NAME_SHARE = 110, 0.5  # of a document's name that is elided

_RADIUS_PX = 10
_EDGE_PX = _RADIUS_PX + 3
"""Distance from the top and bottom of a card at which its sides are straight, with the pen."""

_STRIP_PX = 2 * _EDGE_PX + 1
_MAX_CACHED_STRIPS = 16


@dataclass(slots=True)
class HitCardLayout:
    """One hit laid out for one width; heights in pixels. The lines are the part of folded neighbours that fits."""

    before: QTextLayout | None
    text: QTextLayout
    after: QTextLayout | None
    before_height: float
    text_height: float
    after_height: float
    height: float
    before_line: str = ""
    after_line: str = ""


class HitCardFonts:
    """The fonts of a card and their metrics; made again only when the font of the view changes."""

    def __init__(self, font: QFont) -> None:
        self.text_font = scale_font(font, 1.07)
        self.small_font = scale_font(font, 0.93)
        self.name_font = scale_font(font, 0.93, QFont.Weight.Medium)
        self.score_font = scale_font(font, 1.0, QFont.Weight.DemiBold)
        self.score_font.setFeature(QFont.Tag("tnum"), 1)
        self.small = QFontMetricsF(self.small_font)
        self.name = QFontMetricsF(self.name_font)
        self.small_height = self.small.height() * LINE_HEIGHT
        text = QFontMetricsF(self.text_font)
        self.text_ascent = text.ascent()
        self.least_height = 2 * PAD_Y_PX + text.height() * LINE_HEIGHT + _SOURCE_SPACE_PX + self.small_height
        self.score_width = QFontMetricsF(self.score_font).horizontalAdvance("\N{MINUS SIGN}0.00") + 10


def lay_out_hit_card(
    hit: Hit, kind: HitCardFonts, width: float, unfolded: bool, context: HitContext | None
) -> HitCardLayout:
    """Return a hit laid out for a card `width` pixels wide."""
    inner = width - 2 * PAD_X_PX - kind.score_width
    text, text_height = wrap_text(flatten_lines(hit.text), kind.text_font, inner)
    around: list[QTextLayout | None] = [None, None]
    heights = [kind.small_height if hit.before else 0.0, kind.small_height if hit.after else 0.0]
    for side, short in enumerate((hit.before, hit.after)):
        if context is not None:
            whole = (context.before, context.after)[side]
            around[side], heights[side] = wrap_text(whole, kind.small_font, inner) if whole else (None, 0.0)
        elif unfolded and short:
            around[side], heights[side] = wrap_text(flatten_lines(short), kind.small_font, inner, _MAX_UNFOLDED_LINES)
    spaces = SPACE_PX * sum(height > 0 for height in heights)
    height = 2 * PAD_Y_PX + text_height + sum(heights) + spaces + _SOURCE_SPACE_PX + kind.small_height
    return HitCardLayout(around[0], text, around[1], heights[0], text_height, heights[1], height)


def fit_hit_facts(parts: Sequence[str], found_by: str, name_px: float, measure: QFontMetricsF, room_px: float) -> str:
    """Return as many facts about a hit as fit after the name of its document.

    The search method is added only if the whole name fits too. For all other facts a long name is elided, but only to
    a length that still identifies the document: it is the first fact about a hit.

    Args:
        parts: the facts, the most important first.
        found_by: the search method; empty to leave it out.
        name_px: how wide the name is.
        measure: metrics of the facts' font.
        room_px: how wide the line is.
    """
    kept = min(name_px, max(_LEAST_NAME_PX, room_px * _NAME_SHARE))
    choices = [([*parts, found_by], name_px)] if found_by else []
    choices += [(list(parts[:count]), kept) for count in range(len(parts), 0, -1)]
    for some, taken in choices:
        text = "".join(f" · {part}" for part in some)
        if measure.horizontalAdvance(text) <= room_px - taken:
            return text
    return ""


class CardBackground:
    """Paints rounded rectangles from cached pictures: a smooth edge takes as long to draw as the text inside.

    For each width and colour, a picture of the lowest possible card is cached; the line in its middle is repeated
    for the height. At a fractional scale a copy would be blurred, so each card is drawn.
    """

    def __init__(self) -> None:
        self._strips: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()

    def paint(self, painter: QPainter, rect: QRectF, line: QColor, width: float, ground: QColor) -> None:
        """Paint one with an outline of a colour and width."""
        left, top = math.floor(rect.left()) - 1, math.floor(rect.top()) - 1
        right, bottom = math.ceil(rect.right()) + 1, math.ceil(rect.bottom()) + 1
        ratio = painter.device().devicePixelRatio()
        spared = bottom - top - _STRIP_PX
        if spared < 1 or ratio != round(ratio):
            _draw_background(painter, rect, line, width, ground)
            return
        low = QRectF(rect.left() - left, rect.top() - top, rect.width(), rect.height() - spared)
        key = (low.x(), low.y(), low.width(), low.height(), line.rgba(), width, ground.rgba(), ratio)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = _background_strip(low, right - left, line, width, ground, ratio)
            if len(self._strips) > _MAX_CACHED_STRIPS:
                self._strips.popitem(last=False)
        across, edge = right - left, _EDGE_PX
        for at, height, source, source_height in (
            (top, edge, 0, edge),
            (top + edge, spared + 1, edge, 1),
            (bottom - edge, edge, edge + 1, edge),
        ):
            part = QRectF(0, source * ratio, across * ratio, source_height * ratio)
            painter.drawPixmap(QRectF(left, at, across, height), strip, part)


def _background_strip(rect: QRectF, across: int, line: QColor, width: float, ground: QColor, ratio: float) -> QPixmap:
    strip = QPixmap(round(across * ratio), round(_STRIP_PX * ratio))
    strip.setDevicePixelRatio(ratio)
    strip.fill(Qt.GlobalColor.transparent)
    painter = QPainter(strip)
    _draw_background(painter, rect, line, width, ground)
    painter.end()
    return strip


def _draw_background(painter: QPainter, rect: QRectF, line: QColor, width: float, ground: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, width))
    painter.setBrush(ground)
    painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
