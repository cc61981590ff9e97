"""How stored sentences become lines of a text: letters of each kind, and what lies between two sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QFontDatabase, QTextCharFormat, QTextCursor

from desktop_app.gui.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from desktop_app.core.records import Occurrence

_BY_LINE = ("code", "table")
_GAPS = {"gap": 0.55, "wide_gap": 1.0}
"""Heights of the blank lines between paragraphs, and above headings; a line is 1."""
_KIND = QTextCharFormat.Property.UserProperty


def form_of(kind: str, base: QFont, zoom: float) -> QTextCharFormat:
    """Return how letters of a kind look.

    Args:
        kind: of a sentence, or `gap` and `wide_gap` for the blank lines between paragraphs.
        base: the font of the window.
        zoom: how large the text is.
    """
    form = QTextCharFormat()
    form.setProperty(_KIND, kind)
    size = 1.1 * zoom
    if kind == "heading":
        form.setFont(scaled(base, 1.3 * size, QFont.Weight.DemiBold))
    elif kind == "code":
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        mono.setPointSizeF(base.pointSizeF() * 0.95 * size)
        form.setFont(mono)
    else:
        form.setFont(scaled(base, _GAPS.get(kind, 1.0) * size))
    return form


def part(
    cursor: QTextCursor, before: Occurrence, sentence: Occurrence, form: QTextCharFormat, base: QFont, zoom: float
) -> None:
    """Put between two sentences what belongs there: a blank, a line, or the end of a paragraph.

    Args:
        cursor: stands behind `before`.
        before: the sentence that was put in last.
        sentence: the one that is to follow.
        form: how its letters look.
        base: the font of the window.
        zoom: how large the text is.
    """
    if before.paragraph != sentence.paragraph:
        together = before.kind == sentence.kind and sentence.kind in ("list", *_BY_LINE)
        if not together:
            cursor.insertBlock()
            cursor.insertText(" ", form_of("wide_gap" if sentence.kind == "heading" else "gap", base, zoom))
        cursor.insertBlock()
    elif sentence.kind in _BY_LINE:
        cursor.insertBlock()
    else:
        cursor.insertText(" ", form)


def resize(document: QTextDocument, base: QFont, zoom: float) -> None:
    """Show a whole text in another size."""
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
            cursor.setCharFormat(formats.setdefault(kind, form_of(kind, base, zoom)))
        block = block.next()
    cursor.endEditBlock()
