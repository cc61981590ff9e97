"""Hits painted as cards: laid out once, painted often."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from desktop_app.gui import words
from desktop_app.gui.hits import HIT_ROLE
from desktop_app.gui.icons import paint_icon
from desktop_app.gui.marking import in_utf16, matches, query_words
from desktop_app.gui.theme import Theme, ThemeManager, scaled

if TYPE_CHECKING:
    from desktop_app.core.records import Hit
    from desktop_app.gui.context import Context

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
_ICON_PX = 14
_KEPT = 4000  # layouts; of what is on the screen there are some ten


@dataclass(slots=True)
class _Card:
    """One hit laid out for one width; heights in pixels."""

    before: QTextLayout | None
    text: QTextLayout
    after: QTextLayout | None
    before_height: float
    text_height: float
    after_height: float
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

    Attributes:
        more_wanted: more is to be shown around the unfolded hit.
        less_wanted: no more than its neighbours.
        context: what is shown around the unfolded hit; None for its neighbours alone.
    """

    more_wanted = Signal()
    less_wanted = Signal()

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._words: frozenset[str] = frozenset()
        self._cards: OrderedDict[tuple[object, ...], _Card] = OrderedDict()
        self._unfolded: int | None = None
        self._heights: dict[int, int] = {}
        self._width = 0
        self._pressed: int | None = None  # row whose offer of context the mouse button went down on
        self.context: Context | None = None
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
        hit: Hit | None = index.data(HIT_ROLE) if index.isValid() else None
        self._unfolded = hit.sentence_id if hit is not None else None
        if hit is not None and self.context is not None and self.context.sentence_id != hit.sentence_id:
            self.context = None
        return self._changed_heights([each for each in (index, previous) if each.isValid()])

    def show_context(self, context: Context | None, index: AnyIndex) -> bool:
        """Show more around the unfolded hit, which is at `index`; returns whether its card's height is another."""
        self.context = context
        return self._changed_heights([index])

    def _changed_heights(self, indexes: list[AnyIndex]) -> bool:
        before = [self._heights.pop(index.row(), None) for index in indexes]
        return before != [self._height(index) for index in indexes]

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
        return QSize(_MARGIN_PX, self._height(index))

    def forget_heights(self, *_: object) -> None:
        """Other hits stand in the rows now."""
        self._heights.clear()

    def _height(self, index: AnyIndex) -> int:
        """Return a row's height; the list asks for all of them whenever one has changed."""
        width = self._view.viewport().width()
        key = self._view.font().key() if self._typed is None else self._typed[0]
        if width != self._width or self._typed is None or key != self._view.font().key():
            self._width = width
            self._heights.clear()
        row = index.row()
        height = self._heights.get(row)
        if height is None:
            hit: Hit = index.data(HIT_ROLE)
            height = self._heights[row] = round(self._card(hit, self._card_width()).height) + _GAP_PX + 1
        return height

    def _card_width(self) -> float:
        return min(self._view.viewport().width() - 2 * _MARGIN_PX, _WIDEST_PX) - 1

    def _card(self, hit: Hit, width: float) -> _Card:
        kind = self._type
        unfolded = hit.sentence_id == self._unfolded
        context = self.context if unfolded else None
        if context is not None and context.sentence_id != hit.sentence_id:
            context = None
        key = (hit.text, hit.before, hit.after, round(width), unfolded, context)
        card = self._cards.get(key)
        if card is None:
            card = _lay_out(hit, kind, width, unfolded, context)
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
        if card.before_height:
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
        if card.after_height:
            self._paint_around(painter, QPointF(left, top), inner, card.after, hit.after, Qt.TextElideMode.ElideRight)
        at = QPointF(left, rect.bottom() - _PAD_Y_PX - kind.small.descent())
        if hit.sentence_id == self._unfolded:
            inner -= self._paint_offer(painter, rect, theme)
        self._paint_source(painter, at, inner, hit, theme)

    def _paint_offer(self, painter: QPainter, rect: QRectF, theme: Theme) -> float:
        """Paint what shows more or less of the context; returns how much room it takes."""
        text, area = self._offer(rect)
        painter.setFont(self._type.name_font)
        painter.setPen(theme.color("accent"))
        painter.drawText(area.adjusted(_ICON_PX + 5, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        at = QRect(round(area.left()), round(area.center().y() - _ICON_PX / 2), _ICON_PX, _ICON_PX)
        paint_icon(painter, at, "fold-vertical" if self._is_whole else "unfold-vertical", theme.color("accent"))
        return area.width() + _PAD_X_PX

    @property
    def _is_whole(self) -> bool:
        return self.context is not None and self.context.is_whole

    def _offer(self, rect: QRectF) -> tuple[str, QRectF]:
        """Return what the card offers to do about its context, and where."""
        text = words.translate("cards", "Less") if self._is_whole else words.translate("cards", "More context")
        kind = self._type
        width = kind.name.horizontalAdvance(text) + _ICON_PX + 6
        top = rect.bottom() - _PAD_Y_PX - kind.small_height
        return text, QRectF(rect.right() - _PAD_X_PX - width, top, width, kind.small_height + 2)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show more or less of the context when that is clicked."""
        hit: Hit | None = index.data(HIT_ROLE)
        if not isinstance(event, QMouseEvent) or hit is None or event.button() != Qt.MouseButton.LeftButton:
            return super().editorEvent(event, model, option, index)
        _, area = self._offer(self._card_rect(option.rect))
        inside = hit.sentence_id == self._unfolded and area.adjusted(-6, -6, 6, 6).contains(event.position())
        if event.type() == QEvent.Type.MouseButtonPress:
            # A press elsewhere may unfold this card under the pointer: its release is no click on the offer.
            self._pressed = index.row() if inside else None
        elif event.type() == QEvent.Type.MouseButtonRelease and inside and self._pressed == index.row():
            self._pressed = None
            (self.less_wanted if self._is_whole else self.more_wanted).emit()
            return True
        return super().editorEvent(event, model, option, index)

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


def _lay_out(hit: Hit, kind: _Type, width: float, unfolded: bool, context: Context | None) -> _Card:
    inner = width - 2 * _PAD_X_PX - kind.score_width
    text, text_height = _laid_out(one_line(hit.text), kind.text_font, inner)
    around: list[QTextLayout | None] = [None, None]
    heights = [kind.small_height if hit.before else 0.0, kind.small_height if hit.after else 0.0]
    for side, short in enumerate((hit.before, hit.after)):
        if context is not None:
            whole = (context.before, context.after)[side]
            around[side], heights[side] = _laid_out(whole, kind.small_font, inner) if whole else (None, 0.0)
        elif unfolded and short:
            around[side], heights[side] = _laid_out(one_line(short), kind.small_font, inner, _UNFOLDED_LINES)
    spaces = _SPACE_PX * sum(height > 0 for height in heights)
    height = 2 * _PAD_Y_PX + text_height + sum(heights) + spaces + _SOURCE_SPACE_PX + kind.small_height
    return _Card(around[0], text, around[1], heights[0], text_height, heights[1], height)


def one_line(text: str) -> str:
    """Return `text` with every break turned into a blank; its length stays."""
    return "".join(" " if character in "\n\r\t\v\f\u2028\u2029\x85" else character for character in text)


def _laid_out(text: str, font: QFont, width: float, most_lines: int | None = None) -> tuple[QTextLayout, float]:
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
