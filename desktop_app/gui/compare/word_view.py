"""The words of two sentences: those that differ, and those that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from desktop_app.engine.requests import EXPLAINED_CHARACTERS
from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import ThemeManager, scale_font
from desktop_app.gui.results.highlighting import difference_formats
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.text_layout import flatten_lines, wrap_text

if TYPE_CHECKING:
    from desktop_app.core.records import WordComparison
    from desktop_app.engine.requests import Explanation

_CELL_PX = (34, 24)
_GAP_PX = 2
_PAD_PX = 8
_MAX_WORD_PX = 120  # of a word next to the table or above it
_TILT_DEG = -50.0
_ALIKE_COSINE = 0.35  # at least for a frame around two words
_UNRELATED_COSINE = 0.2  # about the cosine of unrelated words


class MarkedTextView(QWidget):
    """A sentence, with the words marked that the other one does not have."""

    def __init__(self, themes: ThemeManager, name: str) -> None:
        super().__init__()
        self._themes = themes
        self._text, self._kind = "", ""
        self._spans: tuple[tuple[int, int], ...] = ()
        self._layout: QTextLayout | None = None
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str, spans: tuple[tuple[int, int], ...], kind: str) -> None:
        """Show a sentence and mark (start, stop) in it."""
        self._text, self._spans, self._kind = flatten_lines(text), spans, kind
        self.setAccessibleDescription(", ".join(self._text[start:stop] for start, stop in spans))
        self._lay_out()

    def _lay_out(self) -> None:
        self._layout, height = wrap_text(self._text, self.font(), self.width() or 200)
        self.setFixedHeight(round(height) + 4)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines for the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def sizeHint(self) -> QSize:
        """Return the height of the text."""
        return QSize(200, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sentence."""
        if self._layout is not None:
            painter = QPainter(self)
            painter.setPen(self._themes.theme.color("text"))
            marks = difference_formats(self._text, self._spans, self._kind, self._themes.theme)
            self._layout.draw(painter, QPointF(0, 1), marks)


class WordAlignmentView(QWidget):
    """Both sentences with their differences marked, and below them the table of their words."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Words"))
        self.texts = (
            MarkedTextView(themes, self.tr("Words only in the first sentence")),
            MarkedTextView(themes, self.tr("Words only in the second sentence")),
        )
        self.map = AlignmentHeatMap(themes)
        self.message = make_label(tone="muted", wrap=True, factor=0.92, name=self.tr("About the table"))
        area = QScrollArea()
        area.setAccessibleName(self.tr("Word alignment"))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.map)
        area.setMinimumHeight(80)
        # Takes the room that is left: a large table must not make the dialog higher, even while another part is shown.
        area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.map.reached.connect(lambda at: area.ensureVisible(at.x(), at.y()))
        texts_row = make_row(spacing=24)
        for text in self.texts:
            texts_row.addWidget(text, 1)
        make_column(texts_row, self.message, (area, 1), parent=self, margins=(0, 4, 0, 0), spacing=4)
        self.show_explanation(None)

    def show_explanation(self, found: Explanation | None, *, is_complete: bool = True) -> None:
        """Show the words of two sentences.

        Args:
            found: what is known of them; None for nothing yet.
            is_complete: whether it says how their words belong together, not only which differ.
        """
        for text, shown in zip(
            self.texts, (("", ()), ("", ())) if found is None else _marked_ranges(found), strict=True
        ):
            text.show_text(*shown, found.kind if found is not None else "")
        self.map.show_words(found.words if found is not None else None)
        if found is None or not is_complete:
            self.message.setText(self.tr("Word-by-word alignment appears here."))
        elif found.words is None:
            self.message.setText(self.tr("One of the sentences has no words that the model can read."))
        else:
            summary = self.tr("Showing the first {count} words of each sentence.") if found.words.is_cut else ""
            summary = summary.format(count=display_text.format_number(max(len(found.words.a), len(found.words.b))))
            if found.is_cut:
                cut = self.tr("Differences are shown in the first {count} characters of each text.")
                summary = f"{cut.format(count=display_text.format_number(EXPLAINED_CHARACTERS))} {summary}"
            about = self.tr(
                "The stronger the colour, the more similar two words are in their context. Frames mark the best "
                "matches; each word has at most one."
            )
            self.message.setText(f"{summary} {about}".strip())


def _marked_ranges(found: Explanation) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    """Return the beginning of each text with the words (start, stop) that the other one does not have."""
    texts = ((found.a, found.differs_a), (found.b, found.differs_b))
    return tuple(
        (
            text if len(text) <= EXPLAINED_CHARACTERS else text[:EXPLAINED_CHARACTERS] + "\N{HORIZONTAL ELLIPSIS}",
            tuple(span for span in spans if span[1] <= EXPLAINED_CHARACTERS),
        )
        for text, spans in texts
    )


class AlignmentHeatMap(QWidget):
    """A row for each word of the first sentence, a column for each of the second; arrow keys move between the cells.

    Attributes:
        reached: the keyboard is at another cell; carries the QPoint of its centre.
    """

    reached = Signal(object)

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._words: WordComparison | None = None
        self._aligned: frozenset[tuple[int, int]] = frozenset()
        self._at: tuple[int, int] | None = None
        self.setAccessibleName(self.tr("Word alignment"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def chosen(self) -> tuple[int, int] | None:
        """The row and column of the current cell."""
        return self._at

    def show_words(self, found: WordComparison | None) -> None:
        """Show words; None shows nothing."""
        if found is self._words:
            return
        self._words = found
        self._aligned = (
            frozenset()
            if found is None
            else frozenset(
                (row, column) for row, column in found.alignment if found.similarity[row, column] >= _ALIKE_COSINE
            )
        )
        self._at = None
        self._update_description()
        self.updateGeometry()
        self.resize(self.sizeHint())
        self.update()

    # Geometry

    def _left_margin(self) -> float:
        assert self._words is not None
        measure = QFontMetricsF(self._font())
        return min(max(map(measure.horizontalAdvance, self._words.a)), _MAX_WORD_PX) + 2 * _PAD_PX

    def _top_margin(self) -> float:
        assert self._words is not None
        measure = QFontMetricsF(self._font())
        longest = min(max(map(measure.horizontalAdvance, self._words.b)), _MAX_WORD_PX)
        return 0.77 * longest + measure.height() + _PAD_PX

    def _font(self) -> QFont:
        return scale_font(self.font(), 0.92)

    def sizeHint(self) -> QSize:
        """Return the size of the table."""
        if self._words is None:
            return QSize(0, 0)
        width = self._left_margin() + len(self._words.b) * _CELL_PX[0] + 0.64 * _MAX_WORD_PX
        return QSize(round(width), round(self._top_margin() + len(self._words.a) * _CELL_PX[1] + _PAD_PX))

    def cell(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell."""
        left, top = self._left_margin() + column * _CELL_PX[0], self._top_margin() + row * _CELL_PX[1]
        return QRectF(left, top, _CELL_PX[0] - _GAP_PX, _CELL_PX[1] - _GAP_PX)

    def cell_at(self, at: QPoint) -> tuple[int, int] | None:
        """Return the row and column of the cell at a point."""
        if self._words is None:
            return None
        column = int((at.x() - self._left_margin()) // _CELL_PX[0])
        row = int((at.y() - self._top_margin()) // _CELL_PX[1])
        inside = 0 <= row < len(self._words.a) and 0 <= column < len(self._words.b)
        return (row, column) if inside else None

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the words and the cells."""
        if self._words is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font())
        self._paint_words(painter)
        theme = self._themes.theme
        for row, line in enumerate(self._words.similarity.tolist()):
            for column, value in enumerate(line):
                heat = theme.color("accent")
                heat.setAlphaF(min(max((value - _UNRELATED_COSINE) / (1 - _UNRELATED_COSINE), 0.0), 1.0) ** 1.5)
                box = self.cell(row, column)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("track"))
                painter.drawRoundedRect(box, 3, 3)
                painter.setBrush(heat)
                painter.drawRoundedRect(box, 3, 3)
                if (row, column) in self._aligned:
                    painter.setPen(QPen(theme.color("text"), 2))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 3, 3)
        if self._at is not None and self.hasFocus():
            painter.setPen(QPen(theme.color("bad"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.cell(*self._at).adjusted(-1, -1, 1, 1), 4, 4)

    def _paint_words(self, painter: QPainter) -> None:
        assert self._words is not None
        theme, measure = self._themes.theme, QFontMetricsF(self._font())
        strong = (set(), set()) if self._at is None else ({self._at[0]}, {self._at[1]})
        for row, word in enumerate(self._words.a):
            painter.setPen(theme.color("accent" if row in strong[0] else "text"))
            text = measure.elidedText(word, Qt.TextElideMode.ElideRight, _MAX_WORD_PX)
            box = self.cell(row, 0)
            baseline = box.center().y() + (measure.ascent() - measure.descent()) / 2
            painter.drawText(QPointF(self._left_margin() - _PAD_PX - measure.horizontalAdvance(text), baseline), text)
        for column, word in enumerate(self._words.b):
            painter.setPen(theme.color("accent" if column in strong[1] else "text"))
            text = measure.elidedText(word, Qt.TextElideMode.ElideRight, _MAX_WORD_PX)
            painter.save()
            painter.translate(self.cell(0, column).center().x() + measure.ascent() / 2 - 2, self._top_margin() - 6)
            painter.rotate(_TILT_DEG)
            painter.drawText(QPointF(0, 0), text)
            painter.restore()

    # Interaction

    def _describe_cell(self, row: int, column: int) -> str:
        assert self._words is not None
        text = self.tr("“{a}” and “{b}”: {score}").format(
            a=self._words.a[row],
            b=self._words.b[column],
            score=display_text.format_score(float(self._words.similarity[row, column])),
        )
        together = self.tr("best match")
        return f"{text}, {together}" if (row, column) in self._aligned else text

    def _update_description(self) -> None:
        found = self._words
        if found is None:
            text = ""
        elif self._at is not None:
            text = self._describe_cell(*self._at)
        else:
            text = "; ".join(f"{found.a[row]} – {found.b[column]}" for row, column in sorted(self._aligned))
        self.setAccessibleDescription(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a cell."""
        self._move_cell(self.cell_at(event.position().toPoint()))
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between the cells."""
        key = Qt.Key
        steps = {key.Key_Left: (0, -1), key.Key_Right: (0, 1), key.Key_Up: (-1, 0), key.Key_Down: (1, 0)}
        step = steps.get(key(event.key()))
        if step is None or self._words is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        row, column = (self._at[0] + step[0], self._at[1] + step[1]) if self._at is not None else (0, 0)
        self._move_cell((min(max(row, 0), len(self._words.a) - 1), min(max(column, 0), len(self._words.b) - 1)))

    def _move_cell(self, cell: tuple[int, int] | None) -> None:
        self._at = cell
        self._update_description()
        self.update()
        if cell is not None:
            self.reached.emit(self.cell(*cell).center().toPoint())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the current cell."""
        super().focusInEvent(event)
        if self._at is None and self._words is not None and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._move_cell((0, 0))
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of a cell."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.cell_at(event.pos())
            QToolTip.showText(
                event.globalPos(), display_text.make_tooltip(self._describe_cell(*cell)) if cell else "", self
            )
            return True
        return super().event(event)
