"""What two sentences measure: a scale, and each measure with what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout

from desktop_app.gui.comparing.measures import figures, meanings, share, standing
from desktop_app.gui.scale import ScaleView, judged_pairs
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from desktop_app.engine.requests import Comparison, Explanation
    from desktop_app.gui.theme import ThemeManager


class ResultCard(QFrame):
    """Shows the answer to one question at a time; what is stale is dim.

    Attributes:
        figures: by measure, its figure and what that says.
        said: how things stand while there is no answer.
        note: what one should know to read the figures.
    """

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Result"))
        self.scale = ScaleView(themes)
        self.source = label(self.scale.source, tone="muted", factor=0.86, wrap=True)
        self.said = label(tone="muted", wrap=True)
        self.said.setAccessibleName(self.tr("State"))
        self.note = label(tone="muted", wrap=True)
        self.note.setAccessibleName(self.tr("How the measures belong together"))
        self.figures: dict[str, tuple[QLabel, QLabel]] = {}
        names = {
            "cosine": self.tr("Cosine similarity"),
            "dot": self.tr("Dot product"),
            "euclidean": self.tr("Euclidean distance"),
            "percentile": self.tr("In this library"),
        }
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(2, 1)
        for row, (key, name) in enumerate(names.items()):
            figure, meaning = label(weight=QFont.Weight.DemiBold), label(tone="muted", wrap=True)
            font = figure.font()
            font.setFeature(QFont.Tag("tnum"), 1)
            figure.setFont(font)
            figure.setAlignment(Qt.AlignmentFlag.AlignRight)
            figure.setMinimumWidth(figure.fontMetrics().horizontalAdvance("\N{MINUS SIGN}0.0000") + 4)
            figure.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            figure.setAccessibleName(name)
            meaning.setAccessibleName(self.tr("What it says"))
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(label(name), row, 0, top)
            grid.addWidget(figure, row, 1, top)
            grid.addWidget(meaning, row, 2, top)
            self.figures[key] = figure, meaning
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 12, 18, 14)
        column.setSpacing(8)
        column.addWidget(self.scale)
        column.addWidget(self.source)
        column.addWidget(self.said)
        column.addLayout(grid)
        column.addWidget(self.note)

    def show_bands(self, model: str) -> None:
        """Show what was measured of a model, by its name; empty: nothing."""
        bands = judged_pairs(model)
        self.scale.show_bands(bands)
        self.source.setVisible(bool(bands))

    def say(self, text: str) -> None:
        """Say how things stand; empty: nothing."""
        self.said.setText(text)
        self.said.setVisible(bool(text))

    def show_answer(self, answer: Comparison | None, *, is_stale: bool) -> None:
        """Show the three measures; None: there is no answer."""
        self.scale.show_value(answer.score.cosine if answer is not None else None, dim=is_stale)
        values = figures(answer)
        for key, meant in meanings(answer).items():
            self._put(key, values.get(key, "–"), meant, is_live=answer is not None and not is_stale)

    def show_standing(self, found: Explanation | None, *, is_stale: bool, is_own: bool) -> None:
        """Show how the pair stands among random ones of the library, as far as that is known: of its own model."""
        percentile = found.percentile if found is not None else None
        value = share(percentile) if percentile is not None else "–"
        meant = standing(percentile, is_known=found is not None)
        if not is_own:
            meant = self.tr("How it stands among random pairs: known of the library's model alone.")
        self._put("percentile", value, meant, is_live=percentile is not None and not is_stale)

    def _put(self, key: str, value: str, meant: str, *, is_live: bool) -> None:
        figure, meaning = self.figures[key]
        figure.setText(value)
        figure.setEnabled(is_live)
        figure.setAccessibleDescription(value)
        meaning.setText(meant)
        meaning.setAccessibleDescription(meant)
