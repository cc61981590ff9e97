"""Paints a page with its marks and selection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from desktop_app.gui.base.theme import DARK, LIGHT, mix_colours

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QImage

    from desktop_app.gui.base.theme import Theme

TINT_STRENGTHS = {
    # (light page, dark page): share of the accent colour
    "current": (0.30, 0.44),
    "other": (0.11, 0.17),
}


def paper_colour(theme: Theme, *, dark: bool) -> QColor:
    """Return the colour of a page's paper."""
    if not dark:
        return QColor("#ffffff")
    return theme.color("panel") if theme.dark else QColor("#24262d")


def ink_colour(theme: Theme, *, dark: bool) -> QColor:
    """Return the colour of a page's text."""
    if not dark:
        return QColor("#20222b")
    return theme.color("text") if theme.dark else QColor("#e4e6ee")


def highlight_tint(theme: Theme, strength: str, *, dark: bool) -> QColor:
    """Return the colour of a mark: it is multiplied with a light page, and lightens a dark one."""
    share = TINT_STRENGTHS[strength][dark]
    if dark:
        return mix_colours(QColor("#000000"), QColor("#7482f0") if not theme.dark else QColor("#7f8cf0"), share)
    return mix_colours(QColor("#ffffff"), theme.color("accent") if not theme.dark else QColor("#4453c4"), share)


def word_highlight_tint(*, dark: bool) -> QColor:
    """Return the colour of highlighted words on a page, as in the list of hits."""
    # It lightens a dark page, whose paper is not black.
    return mix_colours(DARK.color("mark"), QColor("#000000"), 0.15) if dark else LIGHT.color("mark")


def selection_tint(*, dark: bool) -> QColor:
    """Return the colour of selected text on a page; no result and no highlighted word has it."""
    return mix_colours(DARK.color("selected"), QColor("#000000"), 0.1) if dark else LIGHT.color("selected")


def match_tint(*, dark: bool, is_current: bool) -> QColor:
    """Return the colour of a match of a find on a page."""
    name = "found_now" if is_current else "found"
    return mix_colours(DARK.color(name), QColor("#000000"), 0.15) if dark else LIGHT.color(name)


def annotation_tint(colour: str, *, dark: bool) -> QColor:
    """Return the colour of a highlight on a page."""
    if dark:
        return mix_colours(QColor("#000000"), QColor(colour), 0.40)
    return mix_colours(QColor("#ffffff"), QColor(colour), 0.45)


def text_annotation_tint(theme: Theme, colour: str) -> QColor:
    """Return the background of a highlight in a text."""
    return mix_colours(theme.color("panel"), QColor(colour), 0.34 if theme.dark else 0.42)


_NOTE_SIGN_PX = 7.0


def paint_annotation(
    painter: QPainter, boxes: Sequence[QRectF], colour: str, kind: str, *, dark: bool, has_comment: bool
) -> None:
    """Paint a highlight, an underline or the sign of a note; a square at its end says that something is written on it.

    Args:
        painter: of the page.
        boxes: of its lines, at least one.
        colour: its own.
        kind: `highlight`, `underline` or `note`.
        dark: whether the page is dark.
        has_comment: whether something is written on it.
    """
    if kind == "highlight":
        paint_boxes(painter, boxes, annotation_tint(colour, dark=dark), dark=dark, round_px=2)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    strong = QColor(colour) if dark else QColor(colour).darker(118)
    if kind == "underline":
        painter.setPen(QPen(strong, 2.0))
        for box in boxes:
            painter.drawLine(box.bottomLeft(), box.bottomRight())
    if has_comment or kind == "note":
        last = boxes[-1]
        corner = last.topLeft() if kind == "note" else last.topRight() - QPointF(1, _NOTE_SIGN_PX / 2)
        size = 2 * _NOTE_SIGN_PX if kind == "note" else _NOTE_SIGN_PX
        painter.setPen(QPen(QColor("#20222b") if dark else QColor("#ffffff"), 1.0))
        painter.setBrush(strong)
        painter.drawRoundedRect(QRectF(corner.x(), corner.y(), size, size), 2, 2)
    painter.restore()


_KIND_COLOURS = {
    "heading": "good",
    "table": "mark",
    "code": "mark",
    "note": "warn",
    **dict.fromkeys(("reference", "stub", "form", "garbled", "boilerplate"), "muted"),
}


def sentence_tint(theme: Theme, kind: str, nth: int, *, dark: bool) -> QColor:
    """Return the tint of the `nth` sentence of a page in the extraction view; each kind has its own colour."""
    name = _KIND_COLOURS.get(kind, "accent")
    colour = theme.color(name)
    if dark:
        return mix_colours(QColor("#000000"), colour, 0.42 if nth % 2 else 0.24)
    if name == "mark":
        return mix_colours(QColor("#ffffff"), QColor("#e0a800"), 0.40 if nth % 2 else 0.22)
    return mix_colours(QColor("#ffffff"), colour if not theme.dark else colour.darker(160), 0.26 if nth % 2 else 0.13)


def text_sentence_tint(theme: Theme, kind: str, nth: int, *, chosen: bool) -> QColor:
    """Return the background of a sentence of a text in the extraction view."""
    name = _KIND_COLOURS.get(kind, "accent")
    share = 0.40 if chosen else 0.20 if nth % 2 else 0.09
    return mix_colours(theme.color("panel"), theme.color(name), share)


def paint_sentence_outline(
    painter: QPainter, boxes: Iterable[QRectF], theme: Theme, *, dark: bool, chosen: bool
) -> None:
    """Outline the boxes of a sentence; strongly if it is selected."""
    colour = mix_colours(ink_colour(theme, dark=dark), paper_colour(theme, dark=dark), 0.0 if chosen else 0.55)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 2.0 if chosen else 1.0))
    for box in boxes:
        painter.drawRoundedRect(box, 3, 3)


def paint_page_state(painter: QPainter, rect: QRectF, text: str, theme: Theme) -> None:
    """Paint the state of a page in its upper left corner."""
    size = painter.fontMetrics().size(0, text)
    chip = QRectF(rect.left() + 8, rect.top() + 8, min(size.width() + 16, rect.width() - 16), size.height() + 8)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.setBrush(theme.color("raised"))
    painter.drawRoundedRect(chip, 6, 6)
    painter.setPen(theme.color("text"))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(chip.width()) - 14)
    painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), shown)


def paint_page(painter: QPainter, rect: QRectF, picture: QImage | None, theme: Theme, *, dark: bool) -> None:
    """Paint the paper and the picture of a page."""
    painter.fillRect(rect, paper_colour(theme, dark=dark))
    if picture is not None:
        ratio = painter.device().devicePixelRatio()
        exact = abs(rect.width() * ratio - picture.width()) < 1 and abs(rect.height() * ratio - picture.height()) < 1
        if exact:
            # Pixel for pixel: rounding the rectangle must not stretch the picture.
            rect = QRectF(rect.left(), rect.top(), picture.width() / ratio, picture.height() / ratio)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not exact)
        painter.drawImage(rect, picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    edge = mix_colours(paper_colour(theme, dark=dark), theme.color("line"), 1.0 if dark == theme.dark else 0.5)
    painter.setPen(QPen(edge, 0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0, 0, -1, -1))


def paint_boxes(
    painter: QPainter,
    boxes: Iterable[QRectF],
    colour: QColor,
    *,
    dark: bool,
    round_px: float,
    without: Sequence[QRectF] = (),
) -> None:
    """Tint boxes except where others cover them; where boxes overlap, they are tinted once."""
    path = _path_around(boxes, round_px)
    if path.isEmpty():
        return
    if without:
        path = path.simplified().subtracted(_path_around(without, round_px))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    mode = QPainter.CompositionMode
    painter.setCompositionMode(mode.CompositionMode_Screen if dark else mode.CompositionMode_Multiply)
    painter.fillPath(path, colour)
    painter.restore()


def _path_around(boxes: Iterable[QRectF], round_px: float) -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for box in boxes:
        path.addRoundedRect(box, round_px, round_px)
    return path


def paint_failure(painter: QPainter, rect: QRectF, text: str, theme: Theme, *, dark: bool) -> None:
    """Paint the reason why a page cannot be shown."""
    painter.setPen(ink_colour(theme, dark=dark))
    inner = rect.adjusted(24, 24, -24, -24)
    painter.drawText(inner, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), text)
