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
_SPACE_PX = 3  # between the sentence and its neighbours
_SOURCE_SPACE_PX = 7  # above the line that names the document
_LINE_HEIGHT = 1.18
_UNFOLDED_LINES = 8
_KEPT = 4000  # layouts; of what is on the screen there are some ten


@dataclass(slots=True)
class _Card:
    """One hit laid out for one width; heights in pixels."""

    before: QTextLayout | None
    text: QTextLayout
    after: QTextLayout | None
    before_height: float
    text_height: float
    height: float


class _Type:
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
        self.text_ascent = QFontMetricsF(self.text_font).ascent()
        self.score_width = QFontMetricsF(self.score_font).horizontalAdvance("\N{MINUS SIGN}0.00") + 10


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
        self._typed: tuple[str, _Type] | None = None

    def set_query(self, query: str) -> None:
        """Mark the words of `query` from now on."""
        self._words = query_words(query)

    def unfold(self, index: AnyIndex, previous: AnyIndex) -> bool:
        """Show the context of the hit at `index` in full, that of all others in one line.

        Args:
            index: the hit; not valid for none.
            previous: the hit that was unfolded until now.

        Returns:
            whether a card is higher or lower than before, so that the list has to be laid out anew.
        """
        hits: list[Hit] = [each.data(HIT_ROLE) for each in (index, previous) if each.isValid()]
        width = self._card_width()
        before = [self._card(hit, width).height for hit in hits]
        self._unfolded = hits[0].sentence_id if index.isValid() else None
        return before != [self._card(hit, width).height for hit in hits]

    # Geometry

    def _card_rect(self, row: QRect) -> QRectF:
        width = min(row.width() - 2 * _MARGIN_PX, _WIDEST_PX)
        left = row.left() + (row.width() - width) / 2
        return QRectF(left + 0.5, row.top() + _GAP_PX / 2 + 0.5, width - 1, row.height() - _GAP_PX - 1)

    @property
    def _type(self) -> _Type:
        key = self._view.font().key()
        if self._typed is None or self._typed[0] != key:
            self._typed = key, _Type(self._view.font())
            self._cards.clear()
        return self._typed[1]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a card."""
        hit: Hit = index.data(HIT_ROLE)
        return QSize(_MARGIN_PX, round(self._card(hit, self._card_width()).height) + _GAP_PX + 1)

    def _card_width(self) -> float:
        return min(self._view.viewport().width() - 2 * _MARGIN_PX, _WIDEST_PX) - 1

    def _card(self, hit: Hit, width: float) -> _Card:
        kind = self._type
        unfolded = hit.sentence_id == self._unfolded
        key = (hit.text, hit.before, hit.after, round(width), unfolded)
        card = self._cards.get(key)
        if card is None:
            card = _lay_out(hit, kind, width, unfolded)
            self._cards[key] = card
            if len(self._cards) > _KEPT:
                self._cards.popitem(last=False)
        return card

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
        kind = self._type
        card = self._card(hit, rect.width())
        left = rect.left() + _PAD_X_PX + kind.score_width
        inner = rect.right() - _PAD_X_PX - left
        top = rect.top() + _PAD_Y_PX
        painter.setPen(theme.color("muted"))
        painter.setFont(kind.small_font)
        if hit.before:
            self._paint_around(painter, QPointF(left, top), inner, card.before, hit.before, Qt.TextElideMode.ElideLeft)
            top += card.before_height + _SPACE_PX
        painter.setPen(theme.color("text"))
        card.text.draw(painter, QPointF(left, top), self._marks(hit.text, theme))
        painter.setFont(kind.score_font)
        painter.setPen(theme.color("accent"))
        painter.drawText(QPointF(rect.left() + _PAD_X_PX, top + kind.text_ascent), words.score(hit.score))
        top += card.text_height + _SPACE_PX
        painter.setPen(theme.color("muted"))
        painter.setFont(kind.small_font)
        if hit.after:
            self._paint_around(painter, QPointF(left, top), inner, card.after, hit.after, Qt.TextElideMode.ElideRight)
        at = QPointF(left, rect.bottom() - _PAD_Y_PX - kind.small.descent())
        self._paint_source(painter, at, inner, hit, theme)

    def _paint_around(
        self,
        painter: QPainter,
        at: QPointF,
        inner: float,
        unfolded: QTextLayout | None,
        text: str,
        mode: Qt.TextElideMode,
    ) -> None:
        """Paint a neighbouring sentence: in full where it is laid out, else what fits on one line."""
        if unfolded is not None:
            unfolded.draw(painter, at)
        else:
            line = self._type.small.elidedText(one_line(text), mode, inner)
            painter.drawText(at + QPointF(0, self._type.small.ascent()), line)

    def _paint_source(self, painter: QPainter, at: QPointF, inner: float, hit: Hit, theme: Theme) -> None:
        """Paint the last line: document, page, further documents, standing of the score."""
        kind = self._type
        rest = "".join(f" · {part}" for part in (words.page(hit), words.also_in(hit), words.standing(hit)) if part)
        room = inner - kind.small.horizontalAdvance(rest)
        name = words.document_name(hit.title, hit.path)
        name = kind.name.elidedText(name, Qt.TextElideMode.ElideMiddle, max(room, 60.0))
        painter.setFont(kind.name_font)
        painter.setPen(theme.color("text"))
        painter.drawText(at, name)
        painter.setFont(kind.small_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(at + QPointF(kind.name.horizontalAdvance(name), 0), rest)

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
        kind = self._type
        text = ""
        if event.pos().x() < rect.left() + _PAD_X_PX + kind.score_width:
            text = score_explained(hit)
        elif event.pos().y() > rect.bottom() - _PAD_Y_PX - kind.small.height():
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


def _lay_out(hit: Hit, kind: _Type, width: float, unfolded: bool) -> _Card:
    inner = width - 2 * _PAD_X_PX - kind.score_width
    text, text_height = _laid_out(hit.text, kind.text_font, inner)
    before = after = None
    before_height = kind.small_height if hit.before else 0.0
    after_height = kind.small_height if hit.after else 0.0
    if unfolded and hit.before:
        before, before_height = _laid_out(hit.before, kind.small_font, inner, _UNFOLDED_LINES)
    if unfolded and hit.after:
        after, after_height = _laid_out(hit.after, kind.small_font, inner, _UNFOLDED_LINES)
    around = before_height + after_height + _SPACE_PX * (bool(hit.before) + bool(hit.after))
    height = 2 * _PAD_Y_PX + text_height + around + _SOURCE_SPACE_PX + kind.small_height
    return _Card(before, text, after, before_height, text_height, height)


def one_line(text: str) -> str:
    """Return `text` with every break turned into a blank; its length stays."""
    return "".join(" " if character in "\n\r\t\v\f\u2028\u2029\x85" else character for character in text)


def _laid_out(text: str, font: QFont, width: float, most_lines: int | None = None) -> tuple[QTextLayout, float]:
    """Return `text` wrapped to `width`, and its height."""
    layout = QTextLayout(one_line(text), font)
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
