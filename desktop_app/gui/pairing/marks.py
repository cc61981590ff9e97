"""How words that differ are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextLayout

from desktop_app.gui.marking import in_utf16

if TYPE_CHECKING:
    from desktop_app.gui.theme import Theme


def difference_marks(
    text: str, spans: tuple[tuple[int, int], ...], kind: str, theme: Theme
) -> list[QTextLayout.FormatRange]:
    """Return how (start, stop) of a text are shown: marked in a copy, underlined where most words differ."""
    style = QTextCharFormat()
    if kind == "paraphrase":
        style.setFontUnderline(True)
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        style.setUnderlineColor(theme.color("accent"))
    else:
        style.setBackground(theme.color("mark"))
        style.setForeground(theme.color("on_mark"))
    ranges = []
    for start, length in in_utf16(text, [(start, stop - start) for start, stop in spans]):
        each = QTextLayout.FormatRange()
        each.start, each.length, each.format = start, length, style
        ranges.append(each)
    return ranges
