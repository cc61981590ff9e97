"""The minimum score of hits: a slider, the number, and its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.cosine_scale import judged_pair_bands
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent

ANY_SCORE = -1.0
_SLIDER_STEPS = 100
_MAX_SCORE = 95
_SLIDER_DELAY_MS = 150
_WIDTH_PX = 92


class _ThresholdSlider(QSlider):
    """A slider that ignores the wheel unless it has the focus, so that the list below scrolls."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Handle the wheel only with the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ThresholdBar(QWidget):
    """Sets the minimum score of hits.

    Attributes:
        chosen: the minimum score changed; carries it, `ANY_SCORE` for none.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._model = ""
        self._chance: float | None = None
        self._is_compact = False
        self.setAccessibleName(self.tr("Minimum similarity"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.slider = _ThresholdSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _MAX_SCORE)
        self.slider.setPageStep(5)
        self.slider.setFixedWidth(_WIDTH_PX)
        self.slider.setAccessibleName(self.tr("Minimum similarity of results"))
        self.text = make_label(tone="muted", factor=0.9, name=self.tr("Minimum similarity"))
        make_row(self.text, self.slider, parent=self, spacing=8)
        self._pause = QTimer(self, singleShot=True, interval=_SLIDER_DELAY_MS)
        self._pause.timeout.connect(self._emit_score)
        self.slider.valueChanged.connect(self._on_moved)
        self._refresh_text()

    @property
    def min_score(self) -> float:
        """The minimum score; `ANY_SCORE` to show every hit."""
        value = self.slider.value()
        return value / _SLIDER_STEPS if value else ANY_SCORE

    def set_min_score(self, score: float) -> None:
        """Set the minimum score."""
        self.slider.setValue(max(round(score * _SLIDER_STEPS), 0))
        self._pause.stop()
        self._emit_score()

    def explain(self, model: str, chance: float | None) -> None:
        """Set the model of the scores, and the score below which similarity may be chance."""
        if (model, chance) != (self._model, self._chance):
            self._model, self._chance = model, chance
            self._refresh_text()

    def set_compact(self, compact: bool) -> None:
        """Show the number only if there is no room for its meaning."""
        if compact != self._is_compact:
            self._is_compact = compact
            self._refresh_text()

    def stop(self) -> None:
        """Cancel what is pending."""
        self._pause.stop()

    def sizeHint(self) -> QSize:
        """Return a size with room for the longest text."""
        words_px = 0 if self.text.isHidden() else self.text.sizeHint().width() + 8
        return QSize(words_px + _WIDTH_PX, self.slider.sizeHint().height())

    def _on_moved(self, _value: int) -> None:
        self._refresh_text()
        self._pause.start()

    def _refresh_text(self) -> None:
        description = describe_threshold(self.min_score, self._model, self._chance)
        self.text.setText(description.partition(" · ")[0] if self._is_compact else description)
        self.text.setVisible(not self._is_compact or self.slider.value() > 0)  # "any score" needs no text
        self.slider.setAccessibleDescription(description)
        self.slider.setToolTip(
            display_text.make_tooltip(
                self.tr("Minimum similarity: {what}.").format(what=description)
                + "\n"
                + self.tr("Bands are based on human ratings (STS-B), measured with this model.")
                if judged_pair_bands(self._model)
                else self.tr("Minimum similarity: {what}.").format(what=description)
            )
        )
        self.updateGeometry()

    def _emit_score(self) -> None:
        self.chosen.emit(self.min_score)


def describe_threshold(score: float, model: str, chance: float | None) -> str:
    """Return a minimum score with its meaning, which comes from pairs that people judged, and from chance."""
    if score <= 0:
        return display_text.translate("threshold", "any")
    number = display_text.translate("threshold", "{score} or higher").format(
        score=display_text.format_decimal(score, 2)
    )
    bands = judged_pair_bands(model)
    if bands and score >= bands[2].low:
        meaning = display_text.translate("threshold", "means the same")
    elif bands and score >= bands[1].low:
        meaning = display_text.translate("threshold", "related")
    elif chance is not None and score < chance:
        meaning = display_text.translate("threshold", "weak")
    elif chance is not None or bands:
        meaning = display_text.translate("threshold", "loosely related")
    else:
        return number
    return f"{number} · {meaning}"
