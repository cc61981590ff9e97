"""Hits painted as cards: laid out once, painted often."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from desktop_app.gui import words
from desktop_app.gui.hits import HIT_ROLE
from desktop_app.gui.marking import in_utf16, matches, query_words
from desktop_app.gui.theme import Theme, ThemeManager, scaled

if TYPE_CHECKING:
    from desktop_app.core.records import Hit

AnyIndex = QModelIndex | QPersistentModelIndex

_MARGIN_PX = 12  # left and right of a card
_GAP_PX = 8  # between two cards
_PAD_X_PX = 16
_PAD_Y_PX = 12
_RADIUS_PX = 10
_WIDEST_PX = 900  # lines longer than this are hard to read
_LINE_HEIGHT = 1.18
_UNFOLDED_LINES = 8
_KEPT = 4000


@dataclass(slots=True)
class _Card:
    """One hit laid out for one width; heights in pixels."""

    before: QTextLayout | None
    text: QTextLayout
    after: QTextLayout | None
    before_height: float
    text_height: float
    height: float


class CardDelegate(QStyledItemDelegate):
    """Paints a hit: score, sentence with the query's words marked, the sentences around it, and where it stands.

    Layouts depend on sentence, width, font and whether the card is unfolded; marks are laid over them when they are
    painted, so a new query does not lay out anything anew.
    """

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._words: frozenset[str] = frozenset()
        self._cards: OrderedDict[tuple[object, ...], _Card] = OrderedDict()
        self._unfolded: int | None = None

    def set_query(self, query: str) -> None:
        """Mark the words of `query` from now on."""
        self._words = query_words(query)

    def unfold(self, sentence_id: int | None) -> None:
        """Show the context of this sentence in full, that of all others in one line."""
        self._unfolded = sentence_id

    # Geometry

    def _card_rect(self, row: QRect) -> QRectF:
        width = min(row.width() - 2 * _MARGIN_PX, _WIDEST_PX)
        left = row.left() + (row.width() - width) / 2
        return QRectF(left + 0.5, row.top() + _GAP_PX / 2 + 0.5, width - 1, row.height() - _GAP_PX - 1)

    def _fonts(self, font: QFont) -> tuple[QFont, QFont, QFont]:
        score = scaled(font, 1.0, QFont.Weight.DemiBold)
        score.setFeature(QFont.Tag("tnum"), 1)
        return scaled(font, 1.07), scaled(font, 0.93), score

    def _score_width(self, score_font: QFont) -> float:
        return QFontMetricsF(score_font).horizontalAdvance("\N{MINUS SIGN}0.00") + 10

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a card."""
        hit: Hit = index.data(HIT_ROLE)
        width = self._view.viewport().width()
        card = self._card(hit, self._view.font(), min(width - 2 * _MARGIN_PX, _WIDEST_PX) - 1)
        return QSize(min(width, 400), round(card.height) + _GAP_PX + 1)

    def _card(self, hit: Hit, font: QFont, width: float) -> _Card:
        unfolded = hit.sentence_id == self._unfolded
        key = (hit.text, hit.before, hit.after, round(width), unfolded, font.key())
        card = self._cards.get(key)
        if card is None:
            card = self._lay_out(hit, font, width, unfolded)
            self._cards[key] = card
            if len(self._cards) > _KEPT:
                self._cards.popitem(last=False)
        return card

    def _lay_out(self, hit: Hit, font: QFont, width: float, unfolded: bool) -> _Card:
        text_font, small_font, score_font = self._fonts(font)
        inner = width - 2 * _PAD_X_PX - self._score_width(score_font)
        text, text_height = _laid_out(hit.text, text_font, inner)
        small_height = QFontMetricsF(small_font).height() * _LINE_HEIGHT
        before = after = None
        before_height = small_height if hit.before else 0.0
        after_height = small_height if hit.after else 0.0
        if unfolded and hit.before:
            before, before_height = _laid_out(hit.before, small_font, inner, _UNFOLDED_LINES)
        if unfolded and hit.after:
            after, after_height = _laid_out(hit.after, small_font, inner, _UNFOLDED_LINES)
        around = before_height + after_height + 3 * bool(hit.before) + 3 * bool(hit.after)
        height = 2 * _PAD_Y_PX + text_height + around + 7 + small_height
        return _Card(before, text, after, before_height, text_height, height)

    # Painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a card."""
        hit: Hit = index.data(HIT_ROLE)
        theme = self._themes.theme
        state = QStyle.StateFlag
        selected = bool(option.state & state.State_Selected)
        hovered = bool(option.state & state.State_MouseOver)
        rect = self._card_rect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent" if selected else "line"), 1.5 if selected else 1.0))
        painter.setBrush(theme.color("soft" if selected else "hover" if hovered else "raised"))
        painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        self._paint_content(painter, rect, hit, theme)
        painter.restore()

    def _paint_content(self, painter: QPainter, rect: QRectF, hit: Hit, theme: Theme) -> None:
        font = self._view.font()
        text_font, small_font, score_font = self._fonts(font)
        card = self._card(hit, font, rect.width())
        small = QFontMetricsF(small_font)
        left = rect.left() + _PAD_X_PX + self._score_width(score_font)
        inner = rect.right() - _PAD_X_PX - left
        top = rect.top() + _PAD_Y_PX

        if hit.before:
            painter.setPen(theme.color("muted"))
            painter.setFont(small_font)
            if card.before is not None:
                card.before.draw(painter, QPointF(left, top))
            else:
                line = small.elidedText(_one_line(hit.before), Qt.TextElideMode.ElideLeft, inner)
                painter.drawText(QPointF(left, top + small.ascent()), line)
            top += card.before_height + 3

        painter.setPen(theme.color("text"))
        card.text.draw(painter, QPointF(left, top), self._marks(hit.text, theme))
        painter.setFont(score_font)
        painter.setPen(theme.color("accent"))
        baseline = top + QFontMetricsF(text_font).ascent()
        painter.drawText(QPointF(rect.left() + _PAD_X_PX, baseline), words.score(hit.score))
        top += card.text_height

        painter.setPen(theme.color("muted"))
        painter.setFont(small_font)
        if hit.after:
            top += 3
            if card.after is not None:
                card.after.draw(painter, QPointF(left, top))
            else:
                line = small.elidedText(_one_line(hit.after), Qt.TextElideMode.ElideRight, inner)
                painter.drawText(QPointF(left, top + small.ascent()), line)
        self._paint_source(painter, QPointF(left, rect.bottom() - _PAD_Y_PX - small.descent()), inner, hit, theme)

    def _paint_source(self, painter: QPainter, at: QPointF, inner: float, hit: Hit, theme: Theme) -> None:
        """Paint the last line: document, page, further documents, standing of the score."""
        small_font = self._fonts(self._view.font())[1]
        medium = QFont(small_font)
        medium.setWeight(QFont.Weight.Medium)
        rest = "".join(f" · {part}" for part in (words.page(hit), words.also_in(hit), words.standing(hit)) if part)
        rest_width = QFontMetricsF(small_font).horizontalAdvance(rest)
        measure = QFontMetricsF(medium)
        name = words.document_name(hit.title, hit.path)
        name = measure.elidedText(name, Qt.TextElideMode.ElideMiddle, max(inner - rest_width, 60.0))
        painter.setFont(medium)
        painter.setPen(theme.color("text"))
        painter.drawText(at, name)
        painter.setFont(small_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(at + QPointF(measure.horizontalAdvance(name), 0), rest)

    def _marks(self, text: str, theme: Theme) -> list[QTextLayout.FormatRange]:
        found = matches(text, self._words)
        if not found:
            return []
        style = QTextCharFormat()
        style.setBackground(theme.color("mark"))
        style.setForeground(theme.color("on_mark"))
        ranges = []
        for start, length in in_utf16(text, found):
            each = QTextLayout.FormatRange()
            each.start, each.length, each.format = start, length, style
            ranges.append(each)
        return ranges

    # Explaining

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Explain the score, or tell where the document lies, to a pointer that rests there."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        hit: Hit = index.data(HIT_ROLE)
        rect = self._card_rect(option.rect)
        small = QFontMetricsF(self._fonts(self._view.font())[1])
        text = ""
        if event.pos().x() < rect.left() + _PAD_X_PX + self._score_width(self._fonts(self._view.font())[2]):
            text = score_explained(hit)
        elif event.pos().y() > rect.bottom() - _PAD_Y_PX - small.height():
            text = hit.path
        QToolTip.showText(event.globalPos(), words.tooltip(text), view)
        return True


def score_explained(hit: Hit) -> str:
    """Return what a score means."""
    lines = [
        words.translate("cards", "Cosine similarity {score}.").format(score=f"{hit.score:.4f}"),
        words.translate(
            "cards",
            "How alike the model finds the two sentences: 1 means the same, about 0 means nothing to do with each "
            "other. It is not a percentage.",
        ),
    ]
    if standing := words.standing(hit):
        lines.append(words.translate("cards", "{standing} of random pairs in this library.").format(standing=standing))
    return "\n".join(lines)


def _one_line(text: str) -> str:
    """Return `text` with every break turned into a blank; its length stays."""
    return "".join(" " if character in "\n\r\t\v\f\u2028\u2029\x85" else character for character in text)


def _laid_out(text: str, font: QFont, width: float, most_lines: int | None = None) -> tuple[QTextLayout, float]:
    """Return `text` wrapped to `width`, and its height."""
    layout = QTextLayout(_one_line(text), font)
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
