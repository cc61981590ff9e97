"""How a card is laid out: where its texts stand and how high it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextOption

from desktop_app.gui.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.records import Hit
    from desktop_app.gui.context import Context

PAD_X_PX = 16
PAD_Y_PX = 12
SPACE_PX = 3  # between the sentence and its neighbours
_SOURCE_SPACE_PX = 7  # above the line that names the document
_LINE_HEIGHT = 1.18
_UNFOLDED_LINES = 8
_MAY_FIT = 8  # letters of which a blank may be as wide as all
_LEAST_NAME_PX, _NAME_SHARE = 110, 0.5  # of a document's name that is cut
_BREAKS = str.maketrans(dict.fromkeys("\n\r\t\v\f\u2028\u2029\x85", " "))


@dataclass(slots=True)
class Card:
    """One hit laid out for one width; heights in pixels. The lines are what fits of neighbours that are not in full."""

    before: QTextLayout | None
    text: QTextLayout
    after: QTextLayout | None
    before_height: float
    text_height: float
    after_height: float
    height: float
    before_line: str = ""
    after_line: str = ""


class Type:
    """The fonts of a card and their measures; made anew only when the view's font changes."""

    def __init__(self, font: QFont) -> None:
        self.text_font = scaled(font, 1.07)
        self.small_font = scaled(font, 0.93)
        self.name_font = scaled(font, 0.93, QFont.Weight.Medium)
        self.score_font = scaled(font, 1.0, QFont.Weight.DemiBold)
        self.score_font.setFeature(QFont.Tag("tnum"), 1)
        self.small = QFontMetricsF(self.small_font)
        self.name = QFontMetricsF(self.name_font)
        self.small_height = self.small.height() * _LINE_HEIGHT
        text = QFontMetricsF(self.text_font)
        self.text_ascent = text.ascent()
        self.least_height = 2 * PAD_Y_PX + text.height() * _LINE_HEIGHT + _SOURCE_SPACE_PX + self.small_height
        self.score_width = QFontMetricsF(self.score_font).horizontalAdvance("\N{MINUS SIGN}0.00") + 10


def lay_out(hit: Hit, kind: Type, width: float, unfolded: bool, context: Context | None) -> Card:
    """Return a hit laid out for a card `width` pixels wide."""
    inner = width - 2 * PAD_X_PX - kind.score_width
    text, text_height = laid_out(one_line(hit.text), kind.text_font, inner)
    around: list[QTextLayout | None] = [None, None]
    heights = [kind.small_height if hit.before else 0.0, kind.small_height if hit.after else 0.0]
    for side, short in enumerate((hit.before, hit.after)):
        if context is not None:
            whole = (context.before, context.after)[side]
            around[side], heights[side] = laid_out(whole, kind.small_font, inner) if whole else (None, 0.0)
        elif unfolded and short:
            around[side], heights[side] = laid_out(one_line(short), kind.small_font, inner, _UNFOLDED_LINES)
    spaces = SPACE_PX * sum(height > 0 for height in heights)
    height = 2 * PAD_Y_PX + text_height + sum(heights) + spaces + _SOURCE_SPACE_PX + kind.small_height
    return Card(around[0], text, around[1], heights[0], text_height, heights[1], height)


def one_line(text: str) -> str:
    """Return `text` with every break turned into a blank; its length stays."""
    return text.translate(_BREAKS)


def elided(metrics: QFontMetricsF, text: str, mode: Qt.TextElideMode, width: float) -> str:
    """Return what of `text` fits into `width` pixels, cut between words at its beginning or end."""
    cut = metrics.elidedText(text, mode, width - metrics.horizontalAdvance(" "))
    # To measure takes as long as to cut: only what lacks so little is looked at whether it fits without the blank.
    if cut == text or (len(text) - len(cut) < _MAY_FIT and metrics.horizontalAdvance(text) <= width):
        return text
    if len(cut) < 2:
        return cut
    if mode == Qt.TextElideMode.ElideLeft:
        part = cut[1:] if text[-len(cut)].isspace() else cut[1:].partition(" ")[2]
        return f"… {part.lstrip()}" if part.strip() else cut
    part = cut[:-1] if text[len(cut) - 1].isspace() else cut[:-1].rpartition(" ")[0]
    return f"{part.rstrip()} …" if part.strip() else cut


def name_mode(name: str) -> Qt.TextElideMode:
    """Return where a document's name that is too long gives way: a file's keeps its end, a title its beginning."""
    is_file = " " not in name or name[-6:].rfind(".") > 0
    return Qt.TextElideMode.ElideMiddle if is_file else Qt.TextElideMode.ElideRight


def behind_name(parts: Sequence[str], found_by: str, name_px: float, measure: QFontMetricsF, room_px: float) -> str:
    """Return as many facts about a hit as there is room for behind the name of its document.

    How it was found is said where the whole name has room beside it. For all else a long name gives way, but only down
    to a length by which it is known: it is the first fact about a hit.

    Args:
        parts: the facts, the most telling first.
        found_by: how it was found; empty where that need not be said.
        name_px: how wide the name is.
        measure: of the facts' font.
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


def laid_out(text: str, font: QFont, width: float, most_lines: int | None = None) -> tuple[QTextLayout, float]:
    """Return `text` wrapped to `width`, and its height."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    layout.beginLayout()
    height = 0.0
    while most_lines is None or layout.lineCount() < most_lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(width, 50.0))
        line.setPosition(QPointF(0, height))
        height += line.height() * _LINE_HEIGHT
    layout.endLayout()
    return layout, height
