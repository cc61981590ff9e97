"""Paints pairs as cards: two sentences side by side, differences marked."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPen,
    QTextLayout,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.duplicates.model import PAIR_ROLE, describe_folded_pairs, name_documents
from desktop_app.gui.results.highlighting import difference_formats
from desktop_app.gui.results.pair_text import badge_name, judgement_name, pair_kind_name
from desktop_app.gui.widgets.text_layout import flatten_lines, wrap_text

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from desktop_app.core.duplicates import Pair
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.theme import Theme, ThemeManager
    from desktop_app.gui.widgets.item_views import AnyIndex


_MARGIN_PX = 12  # left and right of a card
_GAP_PX = 8  # between two cards
_RADIUS_PX = 10
_MAX_CARD_WIDTH_PX = 1180
_PAD_X_PX, _PAD_Y_PX = 16, 11
_COLUMN_GAP_PX = 28  # the two sentences
_SPACE_PX = 6
_TWO_COLUMNS_PX = 620  # cards narrower than this have one sentence above the other
_CHIP_PX = 8  # left and right of the words on a chip
_ICON_PX = 14
_MAX_CACHED_CARDS = 2000


@dataclass(slots=True)
class _PairCardLayout:
    """A pair laid out for one width, in pixels relative to the inside of the card."""

    texts: tuple[QTextLayout, QTextLayout]
    tops: tuple[float, float]  # of the sentences
    lefts: tuple[float, float]
    ends: tuple[float, float]  # the end of a sentence, where its source follows
    column: float
    height: float


class _PairCardFonts:
    """The fonts of a card and their measures."""

    def __init__(self, font: QFont) -> None:
        self.text_font = scale_font(font, 1.05)
        self.small_font = scale_font(font, 0.9)
        self.name_font = scale_font(font, 0.9, QFont.Weight.Medium)
        self.score_font = scale_font(font, 1.05, QFont.Weight.DemiBold)
        self.score_font.setFeature(QFont.Tag("tnum"), 1)
        self.small, self.name = QFontMetricsF(self.small_font), QFontMetricsF(self.name_font)
        self.score = QFontMetricsF(self.score_font)
        self.head_height = max(self.score.height(), self.small.height() + 6)
        self.source_height = self.small.height() * 1.15


class DuplicatesDelegate(QStyledItemDelegate):
    """Paints a pair: kind, differences, both sentences and their places; the score on request and in the tip.

    Args:
        view: the list.
        themes: the colours.
        exact_scores: the score is shown while it is checked.
    """

    def __init__(self, view: QAbstractItemView, themes: ThemeManager, exact_scores: QAction) -> None:
        super().__init__(view)
        self._exact_scores = exact_scores
        exact_scores.toggled.connect(lambda _on: view.viewport().update())
        self._view = view
        self._themes = themes
        self._cards: OrderedDict[tuple[object, ...], _PairCardLayout] = OrderedDict()
        self._cached_fonts: tuple[str, _PairCardFonts] | None = None

    # Geometry

    @property
    def _fonts(self) -> _PairCardFonts:
        key = self._view.font().key()
        if self._cached_fonts is None or self._cached_fonts[0] != key:
            self._cached_fonts = key, _PairCardFonts(self._view.font())
            self._cards.clear()
        return self._cached_fonts[1]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the height of a card; its width is that of the list."""
        pair: Pair = index.data(PAIR_ROLE)
        width = min(self._view.viewport().width() - 2 * _MARGIN_PX, _MAX_CARD_WIDTH_PX) - 1
        return QSize(_MARGIN_PX, round(self._card(pair, width).height) + _GAP_PX + 1)

    def _card_rect(self, row: QRect) -> QRectF:
        width = min(row.width() - 2 * _MARGIN_PX, _MAX_CARD_WIDTH_PX)
        left = row.left() + (row.width() - width) / 2
        return QRectF(left + 0.5, row.top() + _GAP_PX / 2 + 0.5, width - 1, row.height() - _GAP_PX - 1)

    def _card(self, pair: Pair, width: float) -> _PairCardLayout:
        fonts = self._fonts  # a new font clears the cards
        key = (pair.a.text, pair.b.text, round(width))
        card = self._cards.get(key)
        if card is None:
            card = self._cards[key] = _lay_out_pair(pair, fonts, width)
            if len(self._cards) > _MAX_CACHED_CARDS:
                self._cards.popitem(last=False)
        return card

    # Painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a card."""
        pair: Pair = index.data(PAIR_ROLE)
        theme, state = self._themes.theme, QStyle.StateFlag
        selected = bool(option.state & state.State_Selected)
        hovered = bool(option.state & state.State_MouseOver)
        rect = self._card_rect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent" if selected else "line"), 1.5 if selected else 1.0))
        painter.setBrush(theme.color("soft" if selected else "hover" if hovered else "raised"))
        painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        inner = rect.adjusted(_PAD_X_PX, _PAD_Y_PX, -_PAD_X_PX, -_PAD_Y_PX)
        self._paint_head(painter, inner, pair, theme)
        card = self._card(pair, rect.width())
        names = name_documents(pair)
        for side, (hit, spans) in enumerate(((pair.a, pair.differs_a), (pair.b, pair.differs_b))):
            at = QPointF(inner.left() + card.lefts[side], inner.top() + card.tops[side])
            painter.setPen(theme.color("text"))
            card.texts[side].draw(painter, at, difference_formats(hit.text, spans, pair.kind, theme))
            base = QPointF(at.x(), inner.top() + card.ends[side] + self._fonts.small.ascent() + 2)
            self._paint_source(painter, base, card.column, hit, names[side], theme)
        painter.restore()

    def _paint_head(self, painter: QPainter, inner: QRectF, pair: Pair, theme: Theme) -> None:
        """Paint the score if it is wanted, a chip for each difference, the kind, and the judgement."""
        fonts = self._fonts
        middle = inner.top() + fonts.head_height / 2
        painter.setFont(fonts.score_font)
        painter.setPen(theme.color("accent"))
        left = inner.left()
        if self._exact_scores.isChecked():
            score = display_text.format_score(pair.score)
            painter.drawText(QPointF(left, middle + _baseline_offset(fonts.score)), score)
            left += fonts.score.horizontalAdvance(score) + 10
        right = self._paint_judgement(painter, inner.right(), middle, pair, theme)
        painter.setFont(fonts.small_font)
        for name in map(badge_name, pair.badges):
            width = fonts.small.horizontalAdvance(name) + 2 * _CHIP_PX
            if left + width > right:
                break
            box = QRectF(left, middle - fonts.head_height / 2 + 1, width, fonts.head_height - 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("mark"))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            painter.setPen(theme.color("on_mark"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
            left += width + 6
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(left, middle + _baseline_offset(fonts.small)), self._about(pair, right - left))

    def _paint_judgement(self, painter: QPainter, right: float, middle: float, pair: Pair, theme: Theme) -> float:
        """Paint the judgement of a pair at the right, and return its left edge."""
        fonts = self._fonts
        painter.setFont(fonts.name_font)
        marks = [("check", display_text.translate("pairs", "reviewed"), "muted")] if pair.reviewed else []
        if pair.same is not None:
            marks.append(
                ("equal" if pair.same else "equal-not", judgement_name(pair.same), "good" if pair.same else "bad")
            )
        for picture, text, tone in marks:
            right -= fonts.name.horizontalAdvance(text)
            painter.setPen(theme.color(tone))
            painter.drawText(QPointF(right, middle + _baseline_offset(fonts.name)), text)
            right -= _ICON_PX + 4
            where = QRect(round(right), round(middle - _ICON_PX / 2), _ICON_PX, _ICON_PX)
            paint_icon(painter, where, picture, theme.color(tone))
            right -= 12
        return right

    def _about(self, pair: Pair, room: float) -> str:
        """Return as much of kind and folded pairs as fits."""
        parts = [pair_kind_name(pair.kind), describe_folded_pairs(pair)]
        parts = [part for part in parts if part]
        for count in range(len(parts), 0, -1):
            text = " · ".join(parts[:count])
            if self._fonts.small.horizontalAdvance(text) <= room:
                return text
        return ""

    def _paint_source(self, painter: QPainter, at: QPointF, room: float, hit: Hit, name: str, theme: Theme) -> None:
        fonts = self._fonts
        place = display_text.format_location(hit)
        rest = "".join(f" · {part}" for part in (place, display_text.describe_other_documents(hit)) if part)
        name = fonts.name.elidedText(name, Qt.TextElideMode.ElideMiddle, room - fonts.small.horizontalAdvance(rest))
        painter.setFont(fonts.name_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(at, name)
        painter.setFont(fonts.small_font)
        painter.drawText(at + QPointF(fonts.name.horizontalAdvance(name), 0), rest)

    # Explaining

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show a tooltip with the meaning of the score, or with the paths of the documents."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        pair: Pair = index.data(PAIR_ROLE)
        in_head = event.pos().y() < self._card_rect(option.rect).top() + _PAD_Y_PX + self._fonts.head_height
        text = explain_pair(pair) if in_head else "\n".join(dict.fromkeys((pair.a.path, pair.b.path)))
        QToolTip.showText(event.globalPos(), display_text.make_tooltip(text), view)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ignore the events of editors: there are none."""
        return False


def _lay_out_pair(pair: Pair, fonts: _PairCardFonts, width: float) -> _PairCardLayout:
    inner = width - 2 * _PAD_X_PX
    has_two_columns = inner >= _TWO_COLUMNS_PX
    column = (inner - _COLUMN_GAP_PX) / 2 if has_two_columns else inner
    texts, heights = zip(
        *(wrap_text(flatten_lines(hit.text), fonts.text_font, column) for hit in (pair.a, pair.b)), strict=True
    )
    top = fonts.head_height + _SPACE_PX
    if has_two_columns:
        end = top + max(heights)
        tops, lefts, ends = (top, top), (0.0, column + _COLUMN_GAP_PX), (end, end)
        height = end + fonts.source_height
    else:
        second = top + heights[0] + fonts.source_height + 1.5 * _SPACE_PX
        tops, lefts, ends = (top, second), (0.0, 0.0), (top + heights[0], second + heights[1])
        height = ends[1] + fonts.source_height
    return _PairCardLayout((texts[0], texts[1]), tops, lefts, ends, column, height + 2 * _PAD_Y_PX)


def _baseline_offset(metrics: QFontMetricsF) -> float:
    """Return the distance of the baseline below the middle of a line."""
    return (metrics.ascent() - metrics.descent()) / 2


def explain_pair(pair: Pair) -> str:
    """Return the explanation of the head of a card."""
    kinds = {
        "exact": display_text.translate("pairs", "Same words, ignoring case and punctuation."),
        "near": display_text.translate(
            "pairs", "Near-duplicate: at least three quarters of the words are the same, in the same order."
        ),
        "paraphrase": display_text.translate("pairs", "Paraphrase: similar meaning in other words."),
        "related": display_text.translate("pairs", "Related: about the same subject, not saying the same."),
        "unrelated": display_text.translate("pairs", "Unrelated: less similar than people call related."),
    }
    lines = [
        display_text.translate("cards", "Cosine similarity {score}.").format(
            score=display_text.format_decimal(pair.score, 4)
        ),
        kinds[pair.kind],
    ]
    lines.append(display_text.describe_percentile(pair.percentile))
    return "\n".join(filter(None, lines))
