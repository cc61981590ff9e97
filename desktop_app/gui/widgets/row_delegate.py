"""Paints rows of two lines: an icon, a name, and below it a state with chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.base.theme import Theme, ThemeManager, scale_font
from desktop_app.gui.widgets.text_layout import name_elide_mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.gui.widgets.item_views import AnyIndex


MARGIN_PX = 6
PAD_PX = 6
ICON_PX = 18
_PAD_Y_PX = 7
_RADIUS_PX = 7
_CHIP_PAD_PX, _CHIP_GAP_PX, _MAX_CHIP_WIDTH_PX = 6, 4, 90
_MIN_CHIP_WIDTH_PX = 40  # of a tag that is elided
_CHIPS_SHARE = 0.62  # at most, of the line


def paint_row_background(
    painter: QPainter, rect: QRectF, theme: Theme, *, selected: bool, hovered: bool, framed: bool
) -> None:
    """Paint the rounded background of a row that is selected, hovered or framed; the others have none."""
    if not (selected or hovered or framed):
        return
    painter.setPen(theme.color("accent") if framed else Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("soft" if selected else "hover" if hovered else "panel"))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)


class RowDelegate(QStyledItemDelegate):
    """Paints the parts of a row; subclasses implement `paint`."""

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._fonts: tuple[str, QFont, QFontMetricsF, QFontMetricsF] | None = None

    def _measures(self) -> tuple[QFont, QFontMetricsF, QFontMetricsF]:
        """Return the small font, and the metrics of the view's font and of the small one."""
        font = self._view.font()
        if self._fonts is None or self._fonts[0] != font.key():
            small = scale_font(font, 0.88)
            self._fonts = font.key(), small, QFontMetricsF(font), QFontMetricsF(small)
        return self._fonts[1:]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row: the same for all."""
        _, measure, small = self._measures()
        return QSize(160, round(measure.height() + small.height()) + 2 * _PAD_Y_PX + 1)

    def paint_ground(self, painter: QPainter, row: QRect, state: tuple[bool, bool, bool]) -> None:
        """Paint the background of a row that is selected, hovered or focused."""
        if not any(state):
            return
        selected, hovered, focused = state
        rect = QRectF(row).adjusted(MARGIN_PX, 1, -MARGIN_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_background(painter, rect, self._themes.theme, selected=selected, hovered=hovered, framed=focused)
        painter.restore()

    def paint_lines(
        self,
        painter: QPainter,
        rect: QRect,
        icon: str,
        tone: str,
        name: str,
        state: str,
        tags: Sequence[str] = (),
    ) -> QRect:
        """Paint icon, name and state, and tags after the state; return the rectangle of the text."""
        theme = self._themes.theme
        at = QRect(rect.left() + PAD_PX, rect.center().y() - ICON_PX // 2, ICON_PX, ICON_PX)
        paint_icon(painter, at, icon, theme.color(tone))
        small_font, measure, small = self._measures()
        left = at.right() + 1 + PAD_PX
        inner = rect.right() - PAD_PX - left
        baseline = rect.center().y() + 0.5 - (measure.height() + small.height()) / 2 + measure.ascent()
        painter.setFont(self._view.font())
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(left, baseline), measure.elidedText(name, name_elide_mode(name), inner))
        painter.setFont(small_font)
        painter.setPen(theme.color("bad" if tone == "bad" else "accent" if tone == "accent" else "muted"))
        below = baseline + measure.descent() + small.ascent() + 1
        line, chips = fit_state_and_chips(state, tags, small, inner)
        painter.drawText(QPointF(left, below), line)
        self._paint_chips(painter, chips, QPointF(left + small.horizontalAdvance(line) + 2 * _CHIP_GAP_PX, below))
        return QRect(left, rect.top(), inner, rect.height())

    def _paint_chips(self, painter: QPainter, chips: Sequence[tuple[str, float]], at: QPointF) -> None:
        """Paint small chips side by side, their text on the baseline of `at`."""
        theme = self._themes.theme
        _, _, small = self._measures()
        for text, width in chips:
            box = QRectF(at.x(), at.y() - small.ascent() - 0.5, width, small.height() + 1)
            painter.setPen(theme.color("line"))
            painter.setBrush(theme.color("raised"))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(at.x() + _CHIP_PAD_PX, at.y()), text)
            at += QPointF(width + _CHIP_GAP_PX, 0)


def fit_state_and_chips(
    state: str, tags: Sequence[str], measure: QFontMetricsF, room: float
) -> tuple[str, list[tuple[str, float]]]:
    """Return the line below a document's name, and the chips after it.

    With tags, only the first part of the state is shown, but never cut: "47 sentences" must not become "47 s…".
    """
    if not tags:
        return measure.elidedText(state, Qt.TextElideMode.ElideRight, room), []
    short = state.partition(" · ")[0]
    beside = room - measure.horizontalAdvance(short) - 3 * _CHIP_GAP_PX
    chips = fit_chips(tags, measure, min(room * _CHIPS_SHARE, beside))
    left = room - sum(width + _CHIP_GAP_PX for _, width in chips) - _CHIP_GAP_PX
    if measure.horizontalAdvance(state) > left:
        state = short
    return measure.elidedText(state, Qt.TextElideMode.ElideRight, left), chips


def fit_chips(tags: Sequence[str], measure: QFontMetricsF, room: float) -> list[tuple[str, float]]:
    """Return the texts and widths of the chips that fit; the last one may count the rest."""
    chips: list[tuple[str, float]] = []
    taken = 0.0
    for nth, tag in enumerate(tags):
        rest = len(tags) - nth
        more = measure.horizontalAdvance(f"+{rest}") + 2 * _CHIP_PAD_PX + _CHIP_GAP_PX
        widest = min(_MAX_CHIP_WIDTH_PX, room - taken - 2 * _CHIP_PAD_PX - (more if rest > 1 else 0))
        text = measure.elidedText(tag, Qt.TextElideMode.ElideRight, widest)
        width = measure.horizontalAdvance(text) + 2 * _CHIP_PAD_PX
        if widest < measure.horizontalAdvance(tag) and widest < _MIN_CHIP_WIDTH_PX:
            return [*chips, (f"+{rest}", more - _CHIP_GAP_PX)]
        chips.append((text, width))
        taken += width + _CHIP_GAP_PX
    return chips
