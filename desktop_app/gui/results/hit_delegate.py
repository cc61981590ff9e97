"""Paints hits as cards: laid out once, painted often."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.base.theme import mix_colours, scale_font
from desktop_app.gui.results.highlighting import (
    NO_HIGHLIGHTS,
    HighlightTerms,
    WordShade,
    find_highlight_terms,
    find_matches,
    to_utf16_spans,
)
from desktop_app.gui.results.hit_model import DOCUMENT_ROLE, HIT_ROLE, NAME_ROLE
from desktop_app.gui.results.strength import Strength, rate_score, strength_name
from desktop_app.gui.widgets.text_layout import LINE_HEIGHT, elide_at_word, flatten_lines, name_elide_mode, wrap_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QAction

    from desktop_app.core.records import DocumentHit, Hit, SearchMode
    from desktop_app.engine.requests import SearchResult
    from desktop_app.gui.base.theme import Theme, ThemeManager
    from desktop_app.gui.results.hit_context import HitContext
    from desktop_app.gui.widgets.item_views import AnyIndex


CARD_MARGIN_PX = 12  # left and right of a card
_CARD_GAP_PX = 8  # between two cards
MAX_CARD_WIDTH_PX = 900  # lines longer than this are hard to read
_ICON_PX = 14
_MIN_SOURCE_PX = 190  # for the document's name next to the button for more context
_BADGE_PAD_PX = 7  # left and right of the text
_MIN_SHADE, _MAX_SHADE = 0.06, 0.24  # of the accent behind a word: its text keeps a contrast of 4.5
_MAX_CACHED_CARDS = 4000  # layouts; about ten are on the screen

_HEADER_ABOVE_PX, _HEADER_BELOW_PX = 14, 4  # the name of a document
_HEADER_SIDE_PX = 16
_RANK_GAP_PX = 8

_PAD_X_PX = 16
_PAD_Y_PX = 12
_SCORE_GAP_PX = 12  # between a score and the sentence
_PART_BAR_PX, _PART_GAP_PX = 7, 14  # a third of the bar of one of several queries; the distance to the next
_BAR_PX, _BAR_GAP_PX, _BAR_BELOW_PX = 3, 3, 6  # the bar below the word for a score: height, gap, distance
_GAP_PX = 3  # between the sentence and its neighbours
_SOURCE_SPACE_PX = 7  # above the line that names the document
_MAX_UNFOLDED_LINES = 8
_MIN_NAME_PX, _NAME_SHARE = 110, 0.5  # of a document's name that is elided

_RADIUS_PX = 10
_EDGE_PX = _RADIUS_PX + 3
"""Distance from the top and bottom of a card at which its sides are straight, with the pen."""

_STRIP_PX = 2 * _EDGE_PX + 1
_MAX_CACHED_STRIPS = 16


class HitCardDelegate(QStyledItemDelegate):
    """Paints a hit: score, sentence with marked query words, the sentences around it, and its location.

    Layouts depend on the sentence, the width, the font and whether the card is unfolded. Marks are added when a card
    is painted, so a new query needs no new layout.

    Attributes:
        more_wanted: the person asks for more text around the unfolded hit.
        less_context_wanted: the person asks for its neighbours only.
        context: the text around the unfolded hit; None for its neighbours only.
        has_scores: whether the scores of the hits are meaningful.
        shows_numbers: whether a score is shown as a number; otherwise as a word and a bar, or as a rank.
    """

    more_wanted = Signal()
    less_context_wanted = Signal()

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._highlight_terms = NO_HIGHLIGHTS
        self._mode: SearchMode = "meaning"
        self._cards: OrderedDict[tuple[object, ...], HitCardLayout] = OrderedDict()
        self._unfolded: int | None = None
        self._sizes: dict[int, QSize] = {}
        self._viewport = view.viewport()
        self._viewport.installEventFilter(self)
        self._pressed: int | None = None  # row on whose context button the mouse was pressed
        self.context: HitContext | None = None
        self.has_scores = True
        self.shows_numbers = False
        self.rate_score = rate_score
        self._chance: float | None = None
        self._cached_fonts: HitCardFonts | None = None
        self._ground = CardBackground()
        self._shades: tuple[int, Sequence[WordShade]] = (-1, ())
        self._judged: Mapping[int, bool] = {}
        self._queries: tuple[str, ...] = ()  # several at once

    def follow_scores(self, exact: QAction) -> None:
        """Show scores as numbers while an action is checked."""
        exact.toggled.connect(self._show_numbers)  # a method: Qt disconnects it from a list that is deleted
        self._show_numbers(exact.isChecked())

    def _show_numbers(self, shown: bool) -> None:
        self.shows_numbers = shown
        self._viewport.update()

    def show_shades(self, sentence_id: int, shades: Sequence[WordShade]) -> None:
        """Shade the words that make one sentence similar to the query."""
        self._shades = sentence_id, shades

    def set_result(self, result: SearchResult | None) -> None:
        """Mark the words of a search, and set the meaning of its scores."""
        self._mode = result.mode if result is not None else "meaning"
        self._highlight_terms = find_highlight_terms(result.understood) if result is not None else NO_HIGHLIGHTS
        self._judged = result.judged if result is not None else {}
        self._chance = result.chance if result is not None else None
        self._queries = tuple(part.plain_text for part in result.understood.parts) if result is not None else ()

    @property
    def highlight_terms(self) -> HighlightTerms:
        """The marked words."""
        return self._highlight_terms

    def set_expected_unfolded(self, hit: Hit) -> None:
        """Measure the card of a hit as unfolded, so that the `unfold` that follows lays nothing out twice."""
        self._unfolded = hit.sentence_id

    def unfold(self, index: AnyIndex, previous: AnyIndex) -> bool:
        """Show the context of the hit at `index` in full, that of all others in one line.

        Args:
            index: the hit; not valid for none.
            previous: the hit that was unfolded until now.

        Returns:
            whether the height of a card changed, so that the list needs a new layout.
        """
        hit: Hit | None = index.data(HIT_ROLE) if index.isValid() else None
        self._unfolded = hit.sentence_id if hit is not None else None
        if hit is not None and self.context is not None and self.context.sentence_id != hit.sentence_id:
            self.context = None
        return self._relayout_rows([each for each in (index, previous) if each.isValid()])

    def show_context(self, context: HitContext | None, index: AnyIndex) -> bool:
        """Show more text around the unfolded hit at `index`; return whether the height of its card changed."""
        self.context = context
        return self._relayout_rows([index])

    def _relayout_rows(self, indexes: list[AnyIndex]) -> bool:
        before = [self._sizes.pop(index.row(), None) for index in indexes]
        return before != [self._size(index) for index in indexes]

    # Geometry

    def _card_rect(self, row: QRect) -> QRectF:
        width = min(row.width() - 2 * CARD_MARGIN_PX, MAX_CARD_WIDTH_PX)
        left = row.left() + (row.width() - width) / 2
        return QRectF(left + 0.5, row.top() + _CARD_GAP_PX / 2 + 0.5, width - 1, row.height() - _CARD_GAP_PX - 1)

    @property
    def _fonts(self) -> HitCardFonts:
        if self._cached_fonts is None:
            self._cached_fonts = HitCardFonts(self._view.font())
            self._cards.clear()
        return self._cached_fonts

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a card; the list requests it for every row whenever one changed."""
        return self._sizes.get(index.row()) or self._size(index)

    def _size(self, index: AnyIndex) -> QSize:
        hit: Hit = index.data(HIT_ROLE)
        height = round(self._card(hit, self._card_width()).height) + _CARD_GAP_PX + 1
        size = self._sizes[index.row()] = QSize(CARD_MARGIN_PX, height)
        return size

    def max_rows_within(self, height_px: int) -> int:
        """Return how many cards fit at most, counting one that is cut off."""
        return math.ceil(height_px / (self._fonts.least_height + _CARD_GAP_PX + 1))

    def clear_sizes(self, *_: object) -> None:
        """Forget the sizes, because the rows hold other hits."""
        self._sizes.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Measure the cards again when the width or font of the list changes."""
        if watched is self._viewport:
            if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.StyleChange):
                self._sizes.clear()
                if event.type() != QEvent.Type.Resize:
                    self._cached_fonts = None
            return False
        return super().eventFilter(watched, event)

    def _card_width(self) -> float:
        return min(self._view.viewport().width() - 2 * CARD_MARGIN_PX, MAX_CARD_WIDTH_PX) - 1

    def _card(self, hit: Hit, width: float) -> HitCardLayout:
        fonts = self._fonts
        unfolded = hit.sentence_id == self._unfolded
        context = self.context if unfolded else None
        if context is not None and context.sentence_id != hit.sentence_id:
            context = None
        key = (hit.text, hit.before, hit.after, round(width), unfolded, context, bool(hit.part_scores))
        card = self._cards.get(key)
        if card is None:
            card = lay_out_hit_card(hit, fonts, width, unfolded, context)
            self._cards[key] = card
            if len(self._cards) > _MAX_CACHED_CARDS:
                self._cards.popitem(last=False)
        return card

    # Painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a card."""
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
        self._paint_content(painter, rect, index, theme)
        painter.restore()

    def _paint_content(self, painter: QPainter, rect: QRectF, index: AnyIndex, theme: Theme) -> None:
        hit: Hit = index.data(HIT_ROLE)
        fonts = self._fonts
        card = self._card(hit, rect.width())
        left = rect.left() + _PAD_X_PX + fonts.score_width
        inner = rect.right() - _PAD_X_PX - left
        top = rect.top() + _PAD_Y_PX
        painter.setPen(theme.color("muted"))
        painter.setFont(fonts.small_font)
        if card.before_height:
            if card.before is None and not card.before_line:
                card.before_line = elide_at_word(
                    fonts.small, flatten_lines(hit.before), Qt.TextElideMode.ElideLeft, inner
                )
            self._paint_context(painter, QPointF(left, top), card.before, card.before_line)
            top += card.before_height + _GAP_PX
        painter.setPen(theme.color("text"))
        card.text.draw(painter, QPointF(left, top), self._marks(hit, theme))
        if self.has_scores:
            self._paint_score(painter, QPointF(rect.left() + _PAD_X_PX, top + fonts.text_ascent), hit, theme)
        if (verdict := self._judged.get(hit.sentence_id)) is not None:
            below = QRect(round(rect.left()) + _PAD_X_PX, round(top + 1.7 * fonts.text_ascent), _ICON_PX, _ICON_PX)
            paint_icon(painter, below, "check" if verdict else "x", theme.color("accent" if verdict else "bad"))
        top += card.text_height + _GAP_PX
        painter.setPen(theme.color("muted"))
        painter.setFont(fonts.small_font)
        if card.after_height:
            if card.after is None and not card.after_line:
                card.after_line = elide_at_word(
                    fonts.small, flatten_lines(hit.after), Qt.TextElideMode.ElideRight, inner
                )
            self._paint_context(painter, QPointF(left, top), card.after, card.after_line)
        if len(hit.part_scores) == len(self._queries) > 1:
            base = rect.bottom() - _PAD_Y_PX - fonts.small.descent() - fonts.small_height - _GAP_PX
            self._paint_part_scores(painter, QPointF(left, base), inner, hit, theme)
        at = QPointF(left, rect.bottom() - _PAD_Y_PX - fonts.small.descent())
        if hit.sentence_id == self._unfolded:
            inner -= self._paint_context_button(painter, rect, theme)
        self._paint_source(painter, at, inner, hit, index.data(NAME_ROLE), theme)

    def _paint_score(self, painter: QPainter, at: QPointF, hit: Hit, theme: Theme) -> None:
        """Paint a score with its baseline at `at`: a number, or a word above a bar of three parts.

        BM25 says nothing but the order of a search by words, so its card shows the rank.
        """
        fonts = self._fonts
        if self._mode == "words" and not self.shows_numbers:
            painter.setFont(fonts.small_font)
            painter.setPen(theme.color("muted"))
            painter.drawText(at, display_text.format_number(hit.rank))
            return
        if self.shows_numbers:
            painter.setFont(fonts.score_font)
            painter.setPen(theme.color("accent"))
            painter.drawText(at, display_text.format_score(hit.score))
            return
        strength = self.rate_score(hit.score, self._chance)
        painter.setFont(fonts.small_font)
        painter.setPen(theme.color("muted" if strength == Strength.WEAK else "accent"))
        painter.drawText(at, strength_name(strength))
        painter.setPen(Qt.PenStyle.NoPen)
        width = (fonts.score_width - _SCORE_GAP_PX - 2 * _BAR_GAP_PX) / len(Strength)
        for part in Strength:
            painter.setBrush(theme.color("accent" if part <= strength else "track"))
            left = at.x() + (part - 1) * (width + _BAR_GAP_PX)
            painter.drawRoundedRect(QRectF(left, at.y() + _BAR_BELOW_PX, width, _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)

    def _paint_part_scores(self, painter: QPainter, at: QPointF, inner: float, hit: Hit, theme: Theme) -> None:
        """Paint the score of each of several queries before its text: a bar of three parts, or a number."""
        fonts = self._fonts
        painter.setFont(fonts.small_font)
        room = (inner + _PART_GAP_PX) / len(self._queries) - _PART_GAP_PX
        left = at.x()
        for query, score in zip(self._queries, hit.part_scores, strict=True):
            if self.shows_numbers or self._mode == "words" or score is None:
                number = display_text.describe_part_score(score, is_cosine=self._mode != "words")
                painter.setPen(theme.color("accent"))
                painter.drawText(QPointF(left, at.y()), number)
                taken = fonts.small.horizontalAdvance(number) + 2 * _GAP_PX
            else:
                strength = self.rate_score(score, self._chance)
                painter.setPen(Qt.PenStyle.NoPen)
                for part in Strength:
                    painter.setBrush(theme.color("accent" if part <= strength else "track"))
                    at_x = left + (part - 1) * (_PART_BAR_PX + 2)
                    top = at.y() - fonts.small.xHeight() / 2 - _BAR_PX / 2
                    painter.drawRoundedRect(QRectF(at_x, top, _PART_BAR_PX, _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)
                taken = len(Strength) * (_PART_BAR_PX + 2) + 2 * _GAP_PX
            painter.setPen(theme.color("muted"))
            text = fonts.small.elidedText(query, Qt.TextElideMode.ElideRight, max(room - taken, 0))
            painter.drawText(QPointF(left + taken, at.y()), text)
            left += taken + fonts.small.horizontalAdvance(text) + _PART_GAP_PX

    def _paint_context_button(self, painter: QPainter, rect: QRectF, theme: Theme) -> float:
        """Paint the button that shows more or less context; return its width."""
        text, area = self._context_button(rect)
        painter.setFont(self._fonts.name_font)
        painter.setPen(theme.color("accent"))
        painter.drawText(area.adjusted(_ICON_PX + 5, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        at = QRect(round(area.left()), round(area.center().y() - _ICON_PX / 2), _ICON_PX, _ICON_PX)
        paint_icon(painter, at, "fold-vertical" if self._is_whole else "unfold-vertical", theme.color("accent"))
        return area.width() + _PAD_X_PX

    @property
    def _is_whole(self) -> bool:
        return self.context is not None and self.context.is_whole

    def _context_button(self, rect: QRectF) -> tuple[str, QRectF]:
        """Return the text and rectangle of the button for the context."""
        text = (
            display_text.translate("cards", "Less")
            if self._is_whole
            else display_text.translate("cards", "More context")
        )
        fonts = self._fonts
        width = fonts.name.horizontalAdvance(text) + _ICON_PX + 6
        if rect.width() - 3 * _PAD_X_PX - fonts.score_width - width < _MIN_SOURCE_PX:
            text, width = "", _ICON_PX  # its icon says it too, and the document's name matters more
        top = rect.bottom() - _PAD_Y_PX - fonts.small_height
        return text, QRectF(rect.right() - _PAD_X_PX - width, top, width, fonts.small_height + 2)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show more or less context when its button is clicked."""
        hit: Hit | None = index.data(HIT_ROLE)
        if not isinstance(event, QMouseEvent) or hit is None or event.button() != Qt.MouseButton.LeftButton:
            return super().editorEvent(event, model, option, index)
        _, area = self._context_button(self._card_rect(option.rect))
        inside = hit.sentence_id == self._unfolded and area.adjusted(-6, -6, 6, 6).contains(event.position())
        if event.type() == QEvent.Type.MouseButtonPress:
            # A press elsewhere may unfold this card under the pointer; its release is no click on the button.
            self._pressed = index.row() if inside else None
        elif event.type() == QEvent.Type.MouseButtonRelease and inside and self._pressed == index.row():
            self._pressed = None
            (self.less_context_wanted if self._is_whole else self.more_wanted).emit()
            return True
        return super().editorEvent(event, model, option, index)

    def _paint_context(self, painter: QPainter, at: QPointF, unfolded: QTextLayout | None, line: str) -> None:
        """Paint a neighbouring sentence: in full if it is laid out, else the part that fits on one line."""
        if unfolded is not None:
            unfolded.draw(painter, at)
        else:
            painter.drawText(at + QPointF(0, self._fonts.small.ascent()), line)

    def _paint_source(self, painter: QPainter, at: QPointF, inner: float, hit: Hit, name: str, theme: Theme) -> None:
        """Paint the last line: document, page, further documents, rank of the score."""
        fonts = self._fonts
        if differing := display_text.describe_hit_differences(hit):
            # Important facts come first and are never left out.
            painter.setFont(fonts.name_font)
            painter.setPen(theme.color("bad"))
            painter.drawText(at, differing)
            taken = fonts.name.horizontalAdvance(differing) + 2 * _GAP_PX + fonts.small.horizontalAdvance("·")
            painter.drawText(at + QPointF(taken - _GAP_PX - fonts.small.horizontalAdvance("·"), 0), "·")
            at, inner = at + QPointF(taken, 0), inner - taken
        if hit.is_recognised:
            taken = self._paint_badge(painter, at, display_text.ocr_badge_text(), theme)
            at, inner = at + QPointF(taken, 0), inner - taken
        if hit.kind == "note":
            back = mix_colours(theme.color("raised"), QColor(hit.colour), 0.5) if hit.colour else theme.color("soft")
            taken = self._paint_badge(painter, at, display_text.passage_kind_name("note"), theme, back)
            at, inner = at + QPointF(taken, 0), inner - taken
        rest = self._about(hit, name, inner)
        room = inner - fonts.small.horizontalAdvance(rest)
        name = fonts.name.elidedText(name, name_elide_mode(name), room)
        painter.setFont(fonts.name_font)
        painter.setPen(theme.color("text"))
        painter.drawText(at, name)
        painter.setFont(fonts.small_font)
        painter.setPen(theme.color("muted"))
        painter.drawText(at + QPointF(fonts.name.horizontalAdvance(name), 0), rest)

    def _paint_badge(
        self, painter: QPainter, at: QPointF, text: str, theme: Theme, back: QColor | None = None
    ) -> float:
        """Paint a badge with its text on the baseline of `at`; return its width."""
        small = self._fonts.small
        box = QRectF(at.x(), at.y() - small.ascent() - 1, small.horizontalAdvance(text) + 2 * _BADGE_PAD_PX, 0)
        box.setHeight(small.height() + 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("mark") if back is None else back)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setFont(self._fonts.small_font)
        painter.setPen(theme.color("on_mark" if back is None else "text"))
        painter.drawText(QPointF(at.x() + _BADGE_PAD_PX, at.y()), text)
        return box.width() + 2 * _GAP_PX

    def _about(self, hit: Hit, name: str, room: float) -> str:
        """Return the facts that fit after a document's name: page, other documents, rank, search method."""
        found_by = display_text.describe_search_method(hit) if self._mode == "both" and not hit.lifted_by else ""
        parts = [
            part
            for part in (
                display_text.format_location(hit),
                display_text.describe_lifting_words(hit),
                display_text.describe_other_documents(hit),
            )
            if part
        ]
        return fit_hit_facts(parts, found_by, self._fonts.name.horizontalAdvance(name), self._fonts.small, room)

    def _marks(self, hit: Hit, theme: Theme) -> list[QTextLayout.FormatRange]:
        """Return the formats of words: query words marked, others shaded by their share of the similarity."""
        marked = find_matches(hit.text, self._highlight_terms)
        ranges = []
        shades = self._shades[1] if self._shades[0] == hit.sentence_id else ()
        for (start, length), (_, _, strength) in zip(
            to_utf16_spans(hit.text, [(start, length) for start, length, _ in shades]), shades, strict=True
        ):
            share = _MIN_SHADE + (_MAX_SHADE - _MIN_SHADE) * strength
            ranges.append(_format_range(start, length, mix_colours(theme.color("soft"), theme.color("accent"), share)))
        for start, length in to_utf16_spans(hit.text, marked):
            ranges.append(_format_range(start, length, theme.color("mark"), theme.color("on_mark")))
        return ranges

    # Explaining

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show a tip that explains the score, or names the path of the document."""
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        hit: Hit = index.data(HIT_ROLE)
        rect = self._card_rect(option.rect)
        fonts = self._fonts
        text = ""
        if event.pos().x() < rect.left() + _PAD_X_PX + fonts.score_width:
            judgement = display_text.describe_judgement(self._judged.get(hit.sentence_id))
            parts = "\n".join(
                f"{query}: {display_text.describe_part_score(score, is_cosine=self._mode != 'words')}"
                for query, score in zip(self._queries, hit.part_scores, strict=False)
            )
            text = "\n\n".join(part for part in (judgement, explain_score(hit, self._mode), parts) if part)
        elif event.pos().y() > rect.bottom() - _PAD_Y_PX - fonts.small.height():
            lines = [hit.path]
            if self._mode == "both":
                lines.append(
                    display_text.translate("cards", "Matched by {ways}").format(
                        ways=display_text.describe_search_method(hit)
                    )
                )
            if hit.lifted_by:
                lines.append(
                    display_text.translate("cards", "Above a higher score because of these words: {words}").format(
                        words=", ".join(hit.lifted_by)
                    )
                )
            if hit.is_recognised:
                lines.append(display_text.ocr_badge_tooltip())
            text = "\n".join(lines)
        QToolTip.showText(event.globalPos(), display_text.make_tooltip(text), view)
        return True


def _format_range(start: int, length: int, back: QColor, front: QColor | None = None) -> QTextLayout.FormatRange:
    found, style = QTextLayout.FormatRange(), QTextCharFormat()
    style.setBackground(back)
    if front is not None:
        style.setForeground(front)
    found.start, found.length, found.format = start, length, style
    return found


def explain_score(hit: Hit, mode: SearchMode = "meaning") -> str:
    """Return an explanation of a score."""
    if mode == "words":
        return display_text.translate(
            "cards",
            "Keyword score (BM25): {score}. Rarer words and shorter sentences score higher. Comparable only"
            " within this search.",
        ).format(score=display_text.format_decimal(hit.score, 2))
    lines = [
        display_text.translate("cards", "Cosine similarity {score}.").format(
            score=display_text.format_decimal(hit.score, 4)
        ),
        display_text.translate(
            "cards",
            "Similarity to your query: 1 = same meaning, 0 = unrelated.",
        ),
    ]
    if standing := display_text.describe_percentile(hit.percentile):
        lines.append(standing)
    return "\n".join(lines)


def fit_hit_facts(parts: Sequence[str], found_by: str, name_px: float, measure: QFontMetricsF, room_px: float) -> str:
    """Return as many facts about a hit as fit after the name of its document.

    The search method is added only if the whole name fits too. For all other facts a long name is elided, but only to
    a length that still identifies the document: it is the first fact about a hit.

    Args:
        parts: the facts, the most important first.
        found_by: the search method; empty to leave it out.
        name_px: how wide the name is.
        measure: metrics of the facts' font.
        room_px: how wide the line is.
    """
    name_room = min(name_px, max(_MIN_NAME_PX, room_px * _NAME_SHARE))
    choices = [([*parts, found_by], name_px)] if found_by else []
    choices += [(list(parts[:count]), name_room) for count in range(len(parts), 0, -1)]
    for some, name_width in choices:
        text = "".join(f" · {part}" for part in some)
        if measure.horizontalAdvance(text) <= room_px - name_width:
            return text
    return ""


def lay_out_hit_card(
    hit: Hit, fonts: HitCardFonts, width: float, unfolded: bool, context: HitContext | None
) -> HitCardLayout:
    """Return a hit laid out for a card `width` pixels wide."""
    inner = width - 2 * _PAD_X_PX - fonts.score_width
    text, text_height = wrap_text(flatten_lines(hit.text), fonts.text_font, inner)
    around: list[QTextLayout | None] = [None, None]
    heights = [fonts.small_height if hit.before else 0.0, fonts.small_height if hit.after else 0.0]
    for side, short in enumerate((hit.before, hit.after)):
        if context is not None:
            whole = (context.before, context.after)[side]
            around[side], heights[side] = wrap_text(whole, fonts.small_font, inner) if whole else (None, 0.0)
        elif unfolded and short:
            around[side], heights[side] = wrap_text(flatten_lines(short), fonts.small_font, inner, _MAX_UNFOLDED_LINES)
    spaces = _GAP_PX * sum(height > 0 for height in heights)
    height = 2 * _PAD_Y_PX + text_height + sum(heights) + spaces + _SOURCE_SPACE_PX + fonts.small_height
    if hit.part_scores:
        height += fonts.small_height + _GAP_PX
    return HitCardLayout(around[0], text, around[1], heights[0], text_height, heights[1], height)


@dataclass(slots=True)
class HitCardLayout:
    """One hit laid out for one width; heights in pixels. The lines are the part of folded neighbours that fits."""

    before: QTextLayout | None
    text: QTextLayout
    after: QTextLayout | None
    before_height: float
    text_height: float
    after_height: float
    height: float
    before_line: str = ""
    after_line: str = ""


class HitCardFonts:
    """The fonts of a card and their metrics; made again only when the font of the view changes."""

    def __init__(self, font: QFont) -> None:
        self.text_font = scale_font(font, 1.07)
        self.small_font = scale_font(font, 0.93)
        self.name_font = scale_font(font, 0.93, QFont.Weight.Medium)
        self.score_font = scale_font(font, 1.0, QFont.Weight.DemiBold)
        self.score_font.setFeature(QFont.Tag("tnum"), 1)
        self.small = QFontMetricsF(self.small_font)
        self.name = QFontMetricsF(self.name_font)
        self.small_height = self.small.height() * LINE_HEIGHT
        text = QFontMetricsF(self.text_font)
        self.text_ascent = text.ascent()
        self.least_height = 2 * _PAD_Y_PX + text.height() * LINE_HEIGHT + _SOURCE_SPACE_PX + self.small_height
        number = QFontMetricsF(self.score_font).horizontalAdvance("\N{MINUS SIGN}0.00")
        words = (self.small.horizontalAdvance(strength_name(strength)) for strength in Strength)
        self.score_width = max(number, *words) + _SCORE_GAP_PX


class CardBackground:
    """Paints rounded rectangles from cached pictures: a smooth edge takes as long to draw as the text inside.

    For each width and colour, a picture of the lowest possible card is cached; the line in its middle is repeated
    for the height. At a fractional scale a copy would be blurred, so each card is drawn.
    """

    def __init__(self) -> None:
        self._strips: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()

    def paint(self, painter: QPainter, rect: QRectF, line: QColor, width: float, ground: QColor) -> None:
        """Paint one with an outline of a colour and width."""
        left, top = math.floor(rect.left()) - 1, math.floor(rect.top()) - 1
        right, bottom = math.ceil(rect.right()) + 1, math.ceil(rect.bottom()) + 1
        ratio = painter.device().devicePixelRatio()
        repeated = bottom - top - _STRIP_PX
        if repeated < 1 or ratio != round(ratio):
            _draw_background(painter, rect, line, width, ground)
            return
        low = QRectF(rect.left() - left, rect.top() - top, rect.width(), rect.height() - repeated)
        key = (low.x(), low.y(), low.width(), low.height(), line.rgba(), width, ground.rgba(), ratio)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = _background_strip(low, right - left, line, width, ground, ratio)
            if len(self._strips) > _MAX_CACHED_STRIPS:
                self._strips.popitem(last=False)
        # A view asks for smooth pictures: to repeat a line would take seven times as long, and look the same.
        smooth = QPainter.RenderHint.SmoothPixmapTransform
        is_smooth = painter.testRenderHint(smooth)
        painter.setRenderHint(smooth, False)
        across, edge = right - left, _EDGE_PX
        for at, height, source, source_height in (
            (top, edge, 0, edge),
            (top + edge, repeated + 1, edge, 1),
            (bottom - edge, edge, edge + 1, edge),
        ):
            part = QRectF(0, source * ratio, across * ratio, source_height * ratio)
            painter.drawPixmap(QRectF(left, at, across, height), strip, part)
        painter.setRenderHint(smooth, is_smooth)


def _background_strip(rect: QRectF, across: int, line: QColor, width: float, ground: QColor, ratio: float) -> QPixmap:
    strip = QPixmap(round(across * ratio), round(_STRIP_PX * ratio))
    strip.setDevicePixelRatio(ratio)
    strip.fill(Qt.GlobalColor.transparent)
    painter = QPainter(strip)
    _draw_background(painter, rect, line, width, ground)
    painter.end()
    return strip


def _draw_background(painter: QPainter, rect: QRectF, line: QColor, width: float, ground: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, width))
    painter.setBrush(ground)
    painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)


class DocumentHitCardDelegate(HitCardDelegate):
    """Paints a document's rank, name and folder above the first of its hits."""

    def _size(self, index: AnyIndex) -> QSize:
        size = super()._size(index)
        if index.data(DOCUMENT_ROLE) is not None:
            size = self._sizes[index.row()] = QSize(size.width(), size.height() + self._head_height())
        return size

    def _head_height(self) -> int:
        return round(QFontMetricsF(self._name_font()).height()) + _HEADER_ABOVE_PX + _HEADER_BELOW_PX

    def _name_font(self) -> QFont:
        font = scale_font(self._view.font(), 1.07)
        font.setWeight(font.Weight.DemiBold)
        return font

    def _split_document_header(
        self, option: QStyleOptionViewItem, index: AnyIndex
    ) -> tuple[QRect, QStyleOptionViewItem]:
        """Return the rectangle of a document's name (empty for none), and the option for the card below it."""
        if index.data(DOCUMENT_ROLE) is None:
            return QRect(), option
        below = QStyleOptionViewItem(option)
        head = QRect(option.rect)
        head.setHeight(self._head_height())
        below.rect = option.rect.adjusted(0, head.height(), 0, 0)
        return head, below

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a card; the first card of a document has its name above it."""
        head, below = self._split_document_header(option, index)
        if not head.isEmpty():
            self._paint_head(painter, head, index.data(DOCUMENT_ROLE), index.data(NAME_ROLE))
        super().paint(painter, below, index)

    def _paint_head(self, painter: QPainter, head: QRect, document: DocumentHit, name: str) -> None:
        theme = self._themes.theme
        card = self._card_rect(head)
        font, small = self._name_font(), scale_font(self._view.font(), 0.93)
        name_measure, measure = QFontMetricsF(font), QFontMetricsF(small)
        left, right = card.left() + _HEADER_SIDE_PX, card.right() - _HEADER_SIDE_PX
        base = head.top() + _HEADER_ABOVE_PX + name_measure.ascent()
        painter.save()
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        rank = display_text.format_number(document.rank)
        painter.drawText(round(left), round(base), rank)
        left += measure.horizontalAdvance(rank) + _RANK_GAP_PX
        name = name_measure.elidedText(name, Qt.TextElideMode.ElideMiddle, right - left)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(round(left), round(base), name)
        painter.restore()

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Handle clicks relative to the card without the name."""
        return super().editorEvent(event, model, self._split_document_header(option, index)[1], index)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show the path of a document in a tip on its name."""
        head, below = self._split_document_header(option, index)
        if event.type() == event.Type.ToolTip and head.contains(event.pos()):
            QToolTip.showText(event.globalPos(), display_text.make_tooltip(index.data(DOCUMENT_ROLE).path), view)
            return True
        return super().helpEvent(event, view, below, index)
