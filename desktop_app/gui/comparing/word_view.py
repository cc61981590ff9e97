"""The words of two sentences: which differ, and which belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.gui import words
from desktop_app.gui.card_layout import laid_out, one_line
from desktop_app.gui.comparing.heat_map import HeatMap
from desktop_app.gui.pairing.marks import difference_marks
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from desktop_app.engine.requests import Explanation
    from desktop_app.gui.theme import ThemeManager


class MarkedText(QWidget):
    """A sentence with the words marked that are not in the other one."""

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
        self._text, self._spans, self._kind = one_line(text), spans, kind
        self.setAccessibleDescription(", ".join(self._text[start:stop] for start, stop in spans))
        self._lay_out()

    def _lay_out(self) -> None:
        self._layout, height = laid_out(self._text, self.font(), self.width() or 200)
        self.setFixedHeight(round(height) + 4)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def sizeHint(self) -> QSize:
        """Return the height that the text needs."""
        return QSize(200, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sentence."""
        if self._layout is not None:
            painter = QPainter(self)
            painter.setPen(self._themes.theme.color("text"))
            marks = difference_marks(self._text, self._spans, self._kind, self._themes.theme)
            self._layout.draw(painter, QPointF(0, 1), marks)


class WordView(QWidget):
    """Both sentences with what differs marked, and below them the table of their words."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Words"))
        self.texts = (
            MarkedText(themes, self.tr("Words of the first sentence alone")),
            MarkedText(themes, self.tr("Words of the second sentence alone")),
        )
        self.map = HeatMap(themes)
        self.said = label(tone="muted", wrap=True, factor=0.92)
        self.said.setAccessibleName(self.tr("What the table shows"))
        area = QScrollArea()
        area.setAccessibleName(self.tr("How the words belong together"))
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.map)
        area.setMinimumHeight(80)
        # It takes what there is: a large table, also while another part is shown, makes the dialog no higher.
        area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.map.reached.connect(lambda at: area.ensureVisible(at.x(), at.y()))
        beside = QHBoxLayout()
        beside.setSpacing(24)
        for text in self.texts:
            beside.addWidget(text, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addLayout(beside)
        column.addWidget(self.said)
        column.addWidget(area, 1)
        self.show_explanation(None)

    def show_explanation(self, found: Explanation | None) -> None:
        """Show what was found out about two sentences; None: nothing yet."""
        for text, shown in zip(self.texts, (("", ()), ("", ())) if found is None else _marked(found), strict=True):
            text.show_text(*shown, found.kind if found is not None else "")
        self.map.show_words(found.words if found is not None else None)
        if found is None:
            self.said.setText(self.tr("Here appears which words of the two sentences belong together."))
        elif found.words is None:
            self.said.setText(self.tr("One of the sentences has no word that the model reads."))
        else:
            said = self.tr("The table has the first {count} words of each sentence.") if found.words.is_cut else ""
            said = said.format(count=words.number(max(len(found.words.a), len(found.words.b))))
            about = self.tr(
                "The stronger the colour of a cell, the more alike the model finds two words where they stand. "
                "Frames join the words that belong together best; each word has one partner at most."
            )
            self.said.setText(f"{said} {about}".strip())


def _marked(found: Explanation) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
    return (found.a, found.differs_a), (found.b, found.differs_b)
