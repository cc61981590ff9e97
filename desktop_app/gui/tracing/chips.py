"""How many sentences there are of which kind: one button each, and a bar of their shares."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_app.gui import words
from desktop_app.gui.theme import scaled
from desktop_app.gui.tracing.tones import kind_meaning, kind_name
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from desktop_app.gui.theme import ThemeManager
    from desktop_app.gui.tracing.tones import Tone

_SPACE_PX = 6
_PAD_PX = 9
_SIGN_PX = 18
_BAR_PX = 8


class KindButton(QAbstractButton):
    """The count of a kind with its sign; pressed, its sentences stand out."""

    def __init__(self, kind: str, tone: Tone, themes: ThemeManager) -> None:
        super().__init__()
        self.kind = kind
        self._tone = tone
        self._themes = themes
        self._count = 0
        self.is_short = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(scaled(self.font(), 0.95))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setToolTip(words.tooltip(kind_meaning(kind) + "\n" + translate("tracing", "Click to go through these.")))
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """Show how many there are."""
        self._count = count
        self.setText(f"{words.number(count)} {kind_name(self.kind)}")
        self.setAccessibleName(self.text())
        self.setEnabled(count > 0)
        self.updateGeometry()
        self.update()

    @property
    def _label(self) -> str:
        return words.number(self._count) if self.is_short else self.text()

    def width_px(self, *, short: bool) -> int:
        """Return how wide it is, with or without the kind's name."""
        text = words.number(self._count) if short else self.text()
        return round(2 * _PAD_PX + _SIGN_PX + QFontMetricsF(self.font()).horizontalAdvance(text))

    def sizeHint(self) -> QSize:
        """Return room for sign and text."""
        return QSize(self.width_px(short=self.is_short), round(QFontMetricsF(self.font()).height()) + 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a rounded box with the sign in the kind's colour."""
        painter, theme = QPainter(self), self._themes.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        is_lively = self.isChecked() or self.underMouse() or self.hasFocus()
        painter.setPen(theme.color("accent" if self.isChecked() or self.hasFocus() else "line"))
        ground = "soft" if self.isChecked() else "hover" if is_lively and self.isEnabled() else "raised"
        painter.setBrush(theme.color(ground))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setFont(scaled(self.font(), 1.05, self.font().Weight.Bold))
        painter.setPen(self._tone.color(theme) if self.isEnabled() else theme.color("muted"))
        sign = QRectF(_PAD_PX - 2, 0, _SIGN_PX, self.height())
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, self._tone.sign)
        painter.setFont(self.font())
        painter.setPen(theme.color("text" if self.isEnabled() else "muted"))
        text = QRectF(_PAD_PX + _SIGN_PX, 0, self.width(), self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._label)


class KindBar(QWidget):
    """The shares of the kinds as one bar, and a button for each below it.

    Attributes:
        picked: other kinds are to stand out; carries them, none: all are alike.
    """

    picked = Signal(object)

    def __init__(self, tones: Mapping[str, Tone], themes: ThemeManager, name: str) -> None:
        super().__init__()
        self._tones = tones
        self._themes = themes
        self._counts: dict[str, int] = dict.fromkeys(tones, 0)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.buttons: dict[str, KindButton] = {}
        for kind, tone in tones.items():
            button = self.buttons[kind] = KindButton(kind, tone, themes)
            button.setParent(self)
            button.toggled.connect(partial(self._on_toggled, kind))
        self._line_px = max(button.sizeHint().height() for button in self.buttons.values())
        self.setFixedHeight(_BAR_PX + 7 + self._line_px)

    def show_counts(self, counts: Mapping[Any, int]) -> None:
        """Show how many there are of each kind, none of them pressed."""
        self._counts = dict(counts)
        for kind, button in self.buttons.items():
            button.blockSignals(True)
            button.setChecked(False)
            button.blockSignals(False)
            button.show_count(counts[kind])
        said = ", ".join(button.text() for button in self.buttons.values())
        self.setAccessibleDescription(said)
        self._arrange()
        self.update()

    def _on_toggled(self, kind: str, on: bool) -> None:
        self.picked.emit([each for each, button in self.buttons.items() if button.isChecked()])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the names away where there is no room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        buttons = list(self.buttons.values())
        whole = sum(button.width_px(short=False) for button in buttons) + _SPACE_PX * (len(buttons) - 1)
        left = 0
        for button in buttons:
            button.is_short = whole > self.width()
            width = button.sizeHint().width()
            button.setGeometry(left, _BAR_PX + 7, width, self._line_px)
            left += width + _SPACE_PX

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shares."""
        painter, theme = QPainter(self), self._themes.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(0, 0, self.width(), _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)
        painter.setClipPath(shape)
        painter.fillRect(QRectF(0, 0, self.width(), _BAR_PX), theme.color("track"))
        total, left = sum(self._counts.values()), 0.0
        for kind, count in self._counts.items():
            width = self.width() * count / total if total else 0.0
            if width:
                color = self._tones[kind].color(theme)
                # A hairline between two kinds: the colours alone would not do for everybody.
                painter.fillRect(QRectF(left, 0, max(width - 1.5, 1.0), _BAR_PX), color)
            left += width
