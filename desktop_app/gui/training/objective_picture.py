"""A picture of an objective: the branches of the network and the sentences that they encode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.core.objectives import OBJECTIVES, ObjectiveDiagram
from desktop_app.gui.base.actions import translate_marked
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.training import labels

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QPaintEvent

    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.gui.base.theme import ThemeManager

_BOX_PX = 30
_GAP_PX = 20
_SIDE_PX = 6
_MOST_PX = 320
_HEAD_PX = 4  # size of an arrowhead


_DISTANCE_FORMULAS = {"cosine": "1 − cos", "euclidean": "‖u − v‖", "dot": "−u·v"}


def _make_diagram(settings: TrainingSettings) -> ObjectiveDiagram:
    if settings.architecture == "cross":
        both = translate("training", "sentence A + sentence B")
        return ObjectiveDiagram(
            (both,), ("h",), translate("training", "linear layer"), translate("training", "label or score")
        )
    spec = OBJECTIVES[settings.objective]
    if spec.head == "probability" and settings.head == "cosine":
        layer = "a · cos(u, v) + b"
    else:
        hidden = translate("training", "hidden layer") if settings.head == "mlp" else ""
        parts = labels.describe_vector_features(settings.concat)
        layer = f"({parts}) → " + (hidden or translate("training", "linear layer"))

    def fill(text: str) -> str:
        return translate_marked(text).format(
            layer=layer,
            measure=_DISTANCE_FORMULAS[settings.distance],
            margin=f"{settings.margin:g}",
            temperature=f"{settings.temperature:g}",
        )

    diagram = spec.diagram
    names = tuple(map(fill, diagram.names))
    return ObjectiveDiagram(names, diagram.vectors, fill(diagram.joined), fill(diagram.target))


class ObjectivePicture(QWidget):
    """Draws the branches bottom-up, as is usual: sentences below, the target on top."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._settings: TrainingSettings | None = None
        self.setAccessibleName(self.tr("Picture of the objective"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_settings(self, settings: TrainingSettings) -> None:
        """Draw another objective."""
        self._settings = settings
        drawing = _make_diagram(settings)
        self.setAccessibleDescription(f"{', '.join(drawing.names)}; {drawing.joined}; {drawing.target}")
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of five rows of boxes."""
        return QSize(_MOST_PX, 5 * _BOX_PX + 4 * _GAP_PX + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the picture."""
        if self._settings is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scale_font(self.font(), 0.86))
        drawing = _make_diagram(self._settings)
        theme = self._themes.theme
        rows = [4 + row * (_BOX_PX + _GAP_PX) for row in range(5)]
        whole = self.width() - 2 * _SIDE_PX
        count = len(drawing.names)
        gap = 16 if count > 1 else 0
        width = (whole - gap * (count - 1)) / count if count > 1 else whole * 0.8
        start = _SIDE_PX + (0 if count > 1 else whole * 0.1)
        lefts = [start + number * (width + gap) for number in range(count)]
        joined = QRectF(_SIDE_PX + whole * 0.06, rows[1], whole * 0.88, _BOX_PX)
        self._text(painter, QRectF(_SIDE_PX, rows[0], whole, _BOX_PX), drawing.target, theme.color("text"), bold=True)
        self._arrow(painter, joined.center().x(), rows[1], rows[0] + _BOX_PX - 5)
        self._box(painter, joined, drawing.joined, "soft", accent=True)
        pooled = labels.pooling_name(self._settings.pooling)
        for number, (left, name, vector) in enumerate(zip(lefts, drawing.names, drawing.vectors, strict=True)):
            middle = left + width / 2
            above = min(max(middle, joined.left() + 14), joined.right() - 14)
            self._arrow(painter, middle, rows[2], rows[1] + _BOX_PX, towards=above)
            painter.setPen(theme.color("accent"))
            painter.drawText(QPointF(middle + 8, rows[2] - _GAP_PX / 2 + 4), vector)
            self._box(painter, QRectF(left, rows[2], width, _BOX_PX), pooled, "hover")
            self._arrow(painter, middle, rows[3], rows[2] + _BOX_PX)
            self._box(painter, QRectF(left, rows[3], width, _BOX_PX), translate("training", "encoder"), "hover")
            if number:
                # One encoder: the branches share their weights.
                y = rows[3] + _BOX_PX / 2
                painter.setPen(QPen(theme.color("accent"), 1.5, Qt.PenStyle.DotLine))
                painter.drawLine(QPointF(left - gap, y), QPointF(left, y))
            self._arrow(painter, middle, rows[4] + 4, rows[3] + _BOX_PX)
            self._text(painter, QRectF(left - 4, rows[4], width + 8, _BOX_PX - 4), name, theme.color("muted"))
        if count > 1:
            shared = translate("training", "same weights")
            font = scale_font(self.font(), 0.75)
            painter.setFont(font)
            size = QFontMetricsF(font)
            box = QRectF(0, 0, size.horizontalAdvance(shared) + 8, size.height())
            box.moveCenter(QPointF(_SIDE_PX + whole / 2, rows[3] + _BOX_PX + size.height() / 2 + 2))
            painter.setPen(theme.color("muted"))
            if count == 2:
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shared)

    def _box(self, painter: QPainter, rect: QRectF, text: str, ground: str, *, accent: bool = False) -> None:
        theme = self._themes.theme
        painter.setPen(QPen(theme.color("accent" if accent else "line"), 1))
        painter.setBrush(theme.color(ground))
        painter.drawRoundedRect(rect, 7, 7)
        self._text(painter, rect.adjusted(5, 0, -5, 0), text, theme.color("text"))

    def _text(self, painter: QPainter, rect: QRectF, text: str, colour: QColor, *, bold: bool = False) -> None:
        painter.save()
        if bold:
            painter.setFont(scale_font(self.font(), 0.86, QFont.Weight.DemiBold))
        painter.setPen(colour)
        shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, shown)
        painter.restore()

    def _arrow(self, painter: QPainter, x: float, start: float, stop: float, towards: float | None = None) -> None:
        """Paint an arrow upwards, from `start` to `stop`."""
        colour = self._themes.theme.color("muted")
        end = QPointF(x if towards is None else towards, stop + 1)
        painter.setPen(QPen(colour, 1.2))
        painter.drawLine(QPointF(x, start - 1), end)
        painter.setBrush(colour)
        painter.setPen(Qt.PenStyle.NoPen)
        head = [end, end + QPointF(-_HEAD_PX, _HEAD_PX + 2), end + QPointF(_HEAD_PX, _HEAD_PX + 2)]
        painter.drawPolygon(QPolygonF(head))
