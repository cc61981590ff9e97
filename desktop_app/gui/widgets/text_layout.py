"""Wraps and cuts text that delegates paint."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextOption

LINE_HEIGHT = 1.18
_ELIDE_SLACK_FACTOR = 8  # a space may be as wide as this many letters
_BREAKS = str.maketrans(dict.fromkeys("\n\r\t\v\f\u2028\u2029\x85", " "))


def flatten_lines(text: str) -> str:
    """Return `text` with every line break replaced by a space, at the same length."""
    return text.translate(_BREAKS)


def elide_at_word(metrics: QFontMetricsF, text: str, mode: Qt.TextElideMode, width: float) -> str:
    """Return the part of `text` that fits into `width` pixels, cut between words at its start or end."""
    cut = metrics.elidedText(text, mode, width - metrics.horizontalAdvance(" "))
    # Measuring takes as long as cutting, so only a text that lacks little is measured without the space.
    if cut == text or (len(text) - len(cut) < _ELIDE_SLACK_FACTOR and metrics.horizontalAdvance(text) <= width):
        return text
    if len(cut) < 2:
        return cut
    if mode == Qt.TextElideMode.ElideLeft:
        part = cut[1:] if text[-len(cut)].isspace() else cut[1:].partition(" ")[2]
        return f"… {part.lstrip()}" if part.strip() else cut
    part = cut[:-1] if text[len(cut) - 1].isspace() else cut[:-1].rpartition(" ")[0]
    return f"{part.rstrip()} …" if part.strip() else cut


def name_elide_mode(name: str) -> Qt.TextElideMode:
    """Return where to elide a document's name: a file name keeps its end, a title its start."""
    is_file = " " not in name or name[-6:].rfind(".") > 0
    return Qt.TextElideMode.ElideMiddle if is_file else Qt.TextElideMode.ElideRight


def wrap_text(text: str, font: QFont, width: float, most_lines: int | None = None) -> tuple[QTextLayout, float]:
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
        height += line.height() * LINE_HEIGHT
    layout.endLayout()
    return layout, height
