"""Hits as a concordance: one line each, the query words below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import ThemeManager, scale_font
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms, find_first_phrase, find_matches
from desktop_app.gui.results.hit_model import HIT_ROLE, NAME_ROLE
from desktop_app.gui.widgets.row_delegate import paint_row_background
from desktop_app.gui.widgets.text_layout import elide_at_word, flatten_lines, name_elide_mode

if TYPE_CHECKING:
    from desktop_app.core.records import Hit
    from desktop_app.gui.widgets.item_views import AnyIndex


_PAD_X_PX, _PAD_Y_PX = 14, 6
_SOURCE_WIDTH_SHARE, _KEYWORD_POSITION_SHARE = 0.24, 0.42
_MIN_NAME_PX = 40  # of a document's name that is elided


def find_keyword(text: str, terms: HighlightTerms) -> tuple[int, int]:
    """Return the first match of the query as (start, length): a phrase, else a word.

    Without a match the sentence starts at the right side.
    """
    return find_first_phrase(text, terms) or next(iter(find_matches(text, terms)), (0, 0))


class ConcordanceDelegate(QStyledItemDelegate):
    """Paints a hit on one line: text before the word, the word in its column, text after it, and the location."""

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._terms = NO_HIGHLIGHTS

    def set_highlight_terms(self, terms: HighlightTerms) -> None:
        """Set the words of the column."""
        self._terms = terms

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row: the same for all."""
        return QSize(100, round(QFontMetricsF(self._view.font()).height()) + 2 * _PAD_Y_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        hit: Hit = index.data(HIT_ROLE)
        theme, font = self._themes.theme, self._view.font()
        bold, small = scale_font(font, 1.0, font.Weight.DemiBold), scale_font(font, 0.9)
        measure, strong, tight = QFontMetricsF(font), QFontMetricsF(bold), QFontMetricsF(small)
        row = QRectF(option.rect).adjusted(_PAD_X_PX / 2, 1, -_PAD_X_PX / 2, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        paint_row_background(painter, row, theme, selected=selected, hovered=hovered, framed=selected)
        inner = row.adjusted(_PAD_X_PX / 2, 0, -_PAD_X_PX / 2, 0)
        source_width = inner.width() * _SOURCE_WIDTH_SHARE
        text = flatten_lines(hit.text)
        start, length = find_keyword(text, self._terms)
        before, word, after = text[:start], text[start : start + length], text[start + length :]
        middle = inner.left() + (inner.width() - source_width) * _KEYWORD_POSITION_SHARE
        baseline = row.center().y() + measure.ascent() / 2 - 1.5
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        left = elide_at_word(measure, before, Qt.TextElideMode.ElideLeft, middle - inner.left())
        painter.drawText(QPointF(middle - measure.horizontalAdvance(left), baseline), left)
        painter.setFont(bold)
        painter.setPen(theme.color("accent"))
        painter.drawText(QPointF(middle, baseline), word)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        at = middle + strong.horizontalAdvance(word)
        right = elide_at_word(measure, after, Qt.TextElideMode.ElideRight, inner.right() - source_width - at - 8)
        painter.drawText(QPointF(at, baseline), right)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        # The name is elided first: the location distinguishes the lines.
        parts = [display_text.format_location(hit), display_text.ocr_badge_text() if hit.is_recognised else ""]
        rest = "".join(f" · {part}" for part in parts if part)
        name, room = index.data(NAME_ROLE), source_width - tight.horizontalAdvance(rest)
        shown = tight.elidedText(name, name_elide_mode(name), room) if room >= _MIN_NAME_PX or not rest else ""
        place = shown + rest if shown else rest.removeprefix(" · ")
        painter.drawText(QPointF(inner.right() - tight.horizontalAdvance(place), baseline), place)
        painter.restore()

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Show the whole sentence in a tip."""
        if event.type() != QHelpEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(
            event.globalPos(), display_text.make_tooltip(display_text.cite_hit(index.data(HIT_ROLE))), view
        )
        return True
