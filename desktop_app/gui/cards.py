"""Hits painted as cards: laid out once, painted often."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from desktop_app.gui import words
from desktop_app.gui.card_ground import CardGround
from desktop_app.gui.card_layout import (
    PAD_X_PX,
    PAD_Y_PX,
    SPACE_PX,
    Card,
    Type,
    behind_name,
    elided,
    lay_out,
    name_mode,
    one_line,
)
from desktop_app.gui.hit_words import score_explained
from desktop_app.gui.hits import HIT_ROLE
from desktop_app.gui.icons import paint_icon
from desktop_app.gui.marking import NOTHING_SOUGHT, Sought, in_utf16, matches, sought
from desktop_app.gui.reading.painting import mixed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QColor

    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.engine.requests import SearchResult
    from desktop_app.gui.context import Context
    from desktop_app.gui.shading import Shade
    from desktop_app.gui.theme import Theme, ThemeManager

AnyIndex = QModelIndex | QPersistentModelIndex

_MARGIN_PX = 12  # left and right of a card
_GAP_PX = 8  # between two cards
_WIDEST_PX = 900  # lines longer than this are hard to read
_ICON_PX = 14
_LEAST_SOURCE_PX = 190  # for the document's name beside the offer of more context
_BADGE_PAD_PX = 7  # left and right of its words
_FAINTEST_SHADE, _STRONGEST_SHADE = 0.06, 0.24  # of the accent behind a word: its text keeps a contrast of 4.5
_KEPT = 4000  # layouts; of what is on the screen there are some ten


class CardDelegate(QStyledItemDelegate):
    """Paints a hit: score, sentence with the query's words marked, the sentences around it, and where it stands.

    Layouts depend on sentence, width, font and whether the card is unfolded; marks are laid over them when they are
    painted, so a new query does not lay out anything anew.

    Attributes:
        more_wanted: more is to be shown around the unfolded hit.
        less_wanted: no more than its neighbours.
        context: what is shown around the unfolded hit; None for its neighbours alone.
        has_scores: whether the hits' scores say something.
    """

    more_wanted = Signal()
    less_wanted = Signal()

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._sought = NOTHING_SOUGHT
        self._mode: SearchMode = "meaning"
        self._cards: OrderedDict[tuple[object, ...], Card] = OrderedDict()
        self._unfolded: int | None = None
        self._sizes: dict[int, QSize] = {}
        self._viewport = view.viewport()
        self._viewport.installEventFilter(self)
        self._pressed: int | None = None  # row whose offer of context the mouse button went down on
        self.context: Context | None = None
        self.has_scores = True
        self._typed: Type | None = None
        self._ground = CardGround()
        self._shades: tuple[int, Sequence[Shade]] = (-1, ())
        self._judged: Mapping[int, bool] = {}

    def show_shades(self, sentence_id: int, shades: Sequence[Shade]) -> None:
        """Shade the words of one sentence that carry its likeness."""
        self._shades = sentence_id, shades

    def set_result(self, result: SearchResult | None) -> None:
        """Mark the words of a search from now on, and tell what its scores are."""
        self._mode = result.mode if result is not None else "meaning"
        self._sought = sought(result.understood) if result is not None else NOTHING_SOUGHT
        self._judged = result.judged if result is not None else {}

    @property
    def sought(self) -> Sought:
        """What is marked."""
        return self._sought

    def expect_unfolded(self, hit: Hit) -> None:
        """Measure the card of a hit as unfolded from now on: `unfold` is to follow, and nothing is laid out twice."""
        self._unfolded = hit.sentence_id

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
        return self._changed_sizes([each for each in (index, previous) if each.isValid()])

    def show_context(self, context: Context | None, index: AnyIndex) -> bool:
        """Show more around the unfolded hit, which is at `index`; returns whether its card's height is another."""
        self.context = context
        return self._changed_sizes([index])

    def _changed_sizes(self, indexes: list[AnyIndex]) -> bool:
        before = [self._sizes.pop(index.row(), None) for index in indexes]
        return before != [self._size(index) for index in indexes]

    # Geometry

    def _card_rect(self, row: QRect) -> QRectF:
        width = min(row.width() - 2 * _MARGIN_PX, _WIDEST_PX)
        left = row.left() + (row.width() - width) / 2
        return QRectF(left + 0.5, row.top() + _GAP_PX / 2 + 0.5, width - 1, row.height() - _GAP_PX - 1)

    @property
    def _type(self) -> Type:
        if self._typed is None:
            self._typed = Type(self._view.font())
            self._cards.clear()
        return self._typed

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a card; the list asks for that of every row whenever one has changed."""
        return self._sizes.get(index.row()) or self._size(index)

    def _size(self, index: AnyIndex) -> QSize:
        hit: Hit = index.data(HIT_ROLE)
        height = round(self._card(hit, self._card_width()).height) + _GAP_PX + 1
        size = self._sizes[index.row()] = QSize(_MARGIN_PX, height)
        return size

    def most_within(self, height_px: int) -> int:
        """Return how many cards there is room for at most, one that is cut off included."""
        return math.ceil(height_px / (self._type.least_height + _GAP_PX + 1))

    def forget_sizes(self, *_: object) -> None:
        """Other hits stand in the rows now."""
        self._sizes.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Measure the cards anew when the list has another width or font."""
        if watched is self._viewport:
            if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.StyleChange):
                self._sizes.clear()
                if event.type() != QEvent.Type.Resize:
                    self._typed = None
            return False
        return super().eventFilter(watched, event)

    def _card_width(self) -> float:
        return min(self._view.viewport().width() - 2 * _MARGIN_PX, _WIDEST_PX) - 1

    def _card(self, hit: Hit, width: float) -> Card:
        kind = self._type
        unfolded = hit.sentence_id == self._unfolded
        context = self.context if unfolded else None
        if context is not None and context.sentence_id != hit.sentence_id:
            context = None
        key = (hit.text, hit.before, hit.after, round(width), unfolded, context)
        card = self._cards.get(key)
        if card is None:
            card = lay_out(hit, kind, width, unfolded, context)
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
        line = theme.color("accent" if selected else "line")
        ground = theme.color("soft" if selected else "hover" if hovered else "raised")
        self._ground.paint(painter, rect, line, 1.5 if selected else 1.0, ground)
        self._paint_content(painter, rect, hit, theme)
        painter.restore()

    def _paint_content(self, painter: QPainter, rect: QRectF, hit: Hit, theme: Theme) -> None:
        kind = self._type
        card = self._card(hit, rect.width())
        left = rect.left() + PAD_X_PX + kind.score_width
        inner = rect.right() - PAD_X_PX - left
        top = rect.top() + PAD_Y_PX
        painter.setPen(theme.color("muted"))
        painter.setFont(kind.small_font)
        if card.before_height:
            if card.before is None and not card.before_line:
                card.before_line = elided(kind.small, one_line(hit.before), Qt.TextElideMode.ElideLeft, inner)
            self._paint_around(painter, QPointF(left, top), card.before, card.before_line)
            top += card.before_height + SPACE_PX
        painter.setPen(theme.color("text"))
        card.text.draw(painter, QPointF(left, top), self._marks(hit, theme))
        if self.has_scores:
            painter.setFont(kind.score_font)
            painter.setPen(theme.color("accent"))
            painter.drawText(QPointF(rect.left() + PAD_X_PX, top + kind.text_ascent), words.score(hit.score))
        if (verdict := self._judged.get(hit.sentence_id)) is not None:
            below = QRect(round(rect.left()) + PAD_X_PX, round(top + 1.5 * kind.text_ascent), _ICON_PX, _ICON_PX)
            paint_icon(painter, below, "check" if verdict else "x", theme.color("accent" if verdict else "bad"))
        top += card.text_height + SPACE_PX
        painter.setPen(theme.color("muted"))
        painter.setFont(kind.small_font)
        if card.after_height:
            if card.after is None and not card.after_line:
                card.after_line = elided(kind.small, one_line(hit.after), Qt.TextElideMode.ElideRight, inner)
            self._paint_around(painter, QPointF(left, top), card.after, card.after_line)
        at = QPointF(left, rect.bottom() - PAD_Y_PX - kind.small.descent())
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
        return area.width() + PAD_X_PX

    @property
    def _is_whole(self) -> bool:
        return self.context is not None and self.context.is_whole

    def _offer(self, rect: QRectF) -> tuple[str, QRectF]:
        """Return what the card offers to do about its context, and where."""
        text = words.translate("cards", "Less") if self._is_whole else words.translate("cards", "More context")
        kind = self._type
        width = kind.name.horizontalAdvance(text) + _ICON_PX + 6
        if rect.width() - 3 * PAD_X_PX - kind.score_width - width < _LEAST_SOURCE_PX:
            text, width = "", _ICON_PX  # its picture says it too, and the document's name is wanted more
        top = rect.bottom() - PAD_Y_PX - kind.small_height
        return text, QRectF(rect.right() - PAD_X_PX - width, top, width, kind.small_height + 2)

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

    def _paint_around(self, painter: QPainter, at: QPointF, unfolded: QTextLayout | None, line: str) -> None:
        """Paint a neighbouring sentence: in full where it is laid out, else what fits on one line."""
        if unfolded is not None:
            unfolded.draw(painter, at)
        else:
            painter.drawText(at + QPointF(0, self._type.small.ascent()), line)

    def _paint_source(self, painter: QPainter, at: QPointF, inner: float, hit: Hit, theme: Theme) -> None:
        """Paint the last line: document, page, further documents, standing of the score."""
        kind = self._type
        if differing := words.differing(hit):
            # What must not be overlooked comes first, and is never left out for want of room.
            painter.setFont(kind.name_font)
            painter.setPen(theme.color("bad"))
            painter.drawText(at, differing)
            taken = kind.name.horizontalAdvance(differing) + 2 * SPACE_PX + kind.small.horizontalAdvance("·")
            painter.drawText(at + QPointF(taken - SPACE_PX - kind.small.horizontalAdvance("·"), 0), "·")
            at, inner = at + QPointF(taken, 0), inner - taken
        if hit.is_recognised:
            taken = self._paint_badge(painter, at, words.recognised(), theme)
            at, inner = at + QPointF(taken, 0), inner - taken
        name = words.document_name(hit.title, hit.path)
        rest = self._about(hit, name, inner)
        room = inner - kind.small.horizontalAdvance(rest)
        name = kind.name.elidedText(name, name_mode(name), room)
        painter.setFont(kind.name_font)
        painter.setPen(theme.color("text"))
        painter.drawText(at, name)
        painter.setFont(kind.small_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(at + QPointF(kind.name.horizontalAdvance(name), 0), rest)

    def _paint_badge(self, painter: QPainter, at: QPointF, text: str, theme: Theme) -> float:
        """Paint a badge whose words stand on a line with `at`; returns how much room it takes."""
        small = self._type.small
        box = QRectF(at.x(), at.y() - small.ascent() - 1, small.horizontalAdvance(text) + 2 * _BADGE_PAD_PX, 0)
        box.setHeight(small.height() + 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("mark"))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setFont(self._type.small_font)
        painter.setPen(theme.color("on_mark"))
        painter.drawText(QPointF(at.x() + _BADGE_PAD_PX, at.y()), text)
        return box.width() + 2 * SPACE_PX

    def _about(self, hit: Hit, name: str, room: float) -> str:
        """Return what fits behind a document's name: page, further documents, standing of the score, what found it."""
        found_by = words.found_by(hit) if self._mode == "both" else ""
        parts = [part for part in (words.place(hit), words.also_in(hit), words.standing(hit)) if part]
        return behind_name(parts, found_by, self._type.name.horizontalAdvance(name), self._type.small, room)

    def _marks(self, hit: Hit, theme: Theme) -> list[QTextLayout.FormatRange]:
        """Return the formats of words: those of the query marked, and behind others how much likeness they carry."""
        marked = matches(hit.text, self._sought)
        ranges = []
        shades = self._shades[1] if self._shades[0] == hit.sentence_id else ()
        for (start, length), (_, _, strength) in zip(
            in_utf16(hit.text, [(start, length) for start, length, _ in shades]), shades, strict=True
        ):
            share = _FAINTEST_SHADE + (_STRONGEST_SHADE - _FAINTEST_SHADE) * strength
            ranges.append(_range(start, length, mixed(theme.color("soft"), theme.color("accent"), share)))
        for start, length in in_utf16(hit.text, marked):
            ranges.append(_range(start, length, theme.color("mark"), theme.color("on_mark")))
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
        if event.pos().x() < rect.left() + PAD_X_PX + kind.score_width:
            said = words.judged(self._judged.get(hit.sentence_id))
            text = "\n\n".join(part for part in (said, score_explained(hit, self._mode)) if part)
        elif event.pos().y() > rect.bottom() - PAD_Y_PX - kind.small.height():
            lines = [hit.path]
            if self._mode == "both":
                lines.append(words.translate("cards", "Found by: {ways}").format(ways=words.found_by(hit)))
            if hit.is_recognised:
                lines.append(words.recognised_tip())
            text = "\n".join(lines)
        QToolTip.showText(event.globalPos(), words.tooltip(text), view)
        return True


def _range(start: int, length: int, back: QColor, front: QColor | None = None) -> QTextLayout.FormatRange:
    found, style = QTextLayout.FormatRange(), QTextCharFormat()
    style.setBackground(back)
    if front is not None:
        style.setForeground(front)
    found.start, found.length, found.format = start, length, style
    return found
