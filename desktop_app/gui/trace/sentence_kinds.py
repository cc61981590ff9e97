"""The kinds of sentences in drafts and compared documents: name, colour and sign, and a bar of their shares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.theme import scale_font

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from desktop_app.gui.base.theme import Theme, ThemeManager

_SPACE_PX = 6
_PAD_PX = 9
_SIGN_PX = 18
_BAR_PX = 8


@dataclass(frozen=True, slots=True)
class SentenceKindStyle:
    """The style of a kind.

    Attributes:
        sign: one character that distinguishes it without colour.
        ink: name of the theme's colour for sign and word, with a contrast of at least 4.5 on `fill`.
        ground: name of the theme's colour behind the sentence; empty for none.
        strength: share of that colour in the mixed background.
    """

    sign: str
    ink: str
    ground: str
    strength: float = 0.10

    def color(self, theme: Theme) -> QColor:
        """Return the colour of sign, word and edge."""
        return theme.color(self.ink)

    def fill(self, theme: Theme) -> QColor:
        """Return the colour behind the sentence, mixed with the panel's."""
        return self._mixed(theme, self.strength) if self.ground else theme.color("panel")

    def band(self, theme: Theme) -> QColor:
        """Return the colour of the band between two sentences."""
        return self._mixed(theme, min(2 * self.strength, 1.0)) if self.ground else theme.color("hover")

    def _mixed(self, theme: Theme, share: float) -> QColor:
        above, below = theme.color(self.ground), theme.color("panel")
        parts = zip(above.getRgb()[:3], below.getRgb()[:3], strict=True)  # type: ignore[index]
        return QColor(*(round(share * over + (1 - share) * under) for over, under in parts))


CHANGE_STYLES = {
    "kept": SentenceKindStyle("=", "muted", ""),
    "reworded": SentenceKindStyle("≈", "accent", "accent"),
    "moved": SentenceKindStyle("↕", "warn", "warn"),
    "new": SentenceKindStyle("+", "good", "good"),
    "dropped": SentenceKindStyle("\N{MINUS SIGN}", "bad", "bad"),
}
SUPPORT_STYLES = {
    "verbatim": SentenceKindStyle("=", "accent", "accent"),
    "paraphrased": SentenceKindStyle("≈", "good", "good"),
    "related": SentenceKindStyle("~", "warn", "warn"),
    "unsupported": SentenceKindStyle("?", "bad", "bad"),
}


def sentence_kind_name(kind: str) -> str:
    """Return the displayed name of a kind."""
    return {
        "kept": translate("tracing", "kept"),
        "reworded": translate("tracing", "reworded"),
        "moved": translate("tracing", "moved"),
        "new": translate("tracing", "new"),
        "dropped": translate("tracing", "dropped"),
        "verbatim": translate("tracing", "verbatim"),
        "paraphrased": translate("tracing", "paraphrased"),
        "related": translate("tracing", "related"),
        "unsupported": translate("tracing", "unsupported"),
    }[kind]


def explain_sentence_kind(kind: str) -> str:
    """Return the meaning of a kind in one sentence."""
    return {
        "kept": translate("tracing", "Same words in both documents, in the same order."),
        "reworded": translate("tracing", "Similar sentences in other words. A red note names facts that differ."),
        "moved": translate("tracing", "The sentence is in a different place in the other document."),
        "new": translate("tracing", "Only the second document says this."),
        "dropped": translate("tracing", "Only the first document says this."),
        "verbatim": translate("tracing", "The library contains the same words, ignoring case and punctuation."),
        "paraphrased": translate(
            "tracing", "The library says the same in other words, unless a red note names a difference."
        ),
        "related": translate("tracing", "The library covers the subject, but doesn't support this."),
        "unsupported": translate("tracing", "Nothing similar in your library."),
    }[kind]


class SentenceKindButton(QAbstractButton):
    """The count of a kind with its sign. While it is pressed, sentences of the kind stand out."""

    def __init__(self, kind: str, style: SentenceKindStyle, themes: ThemeManager) -> None:
        super().__init__()
        self.kind = kind
        self._style = style
        self._themes = themes
        self._count = 0
        self.is_short = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFont(scale_font(self.font(), 0.95))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setToolTip(
            display_text.make_tooltip(
                explain_sentence_kind(kind) + "\n" + translate("tracing", "Click to step through these sentences.")
            )
        )
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """Show the count."""
        self._count = count
        self.setText(f"{display_text.format_number(count)} {sentence_kind_name(self.kind)}")
        self.setAccessibleName(self.text())
        self.setEnabled(count > 0)
        self.updateGeometry()
        self.update()

    @property
    def _label(self) -> str:
        return display_text.format_number(self._count) if self.is_short else self.text()

    def width_px(self, *, short: bool) -> int:
        """Return the width of the button, with or without the name of the kind."""
        text = display_text.format_number(self._count) if short else self.text()
        return round(2 * _PAD_PX + _SIGN_PX + QFontMetricsF(self.font()).horizontalAdvance(text))

    def sizeHint(self) -> QSize:
        """Return the size of sign and text."""
        return QSize(self.width_px(short=self.is_short), round(QFontMetricsF(self.font()).height()) + 9)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a rounded box with the sign in the kind's colour."""
        painter, theme = QPainter(self), self._themes.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        is_active = self.isChecked() or self.underMouse() or self.hasFocus()
        painter.setPen(theme.color("accent" if self.isChecked() or self.hasFocus() else "line"))
        ground = "soft" if self.isChecked() else "hover" if is_active and self.isEnabled() else "raised"
        painter.setBrush(theme.color(ground))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setFont(scale_font(self.font(), 1.05, self.font().Weight.Bold))
        painter.setPen(self._style.color(theme) if self.isEnabled() else theme.color("muted"))
        sign = QRectF(_PAD_PX - 2, 0, _SIGN_PX, self.height())
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, self._style.sign)
        painter.setFont(self.font())
        painter.setPen(theme.color("text" if self.isEnabled() else "muted"))
        text = QRectF(_PAD_PX + _SIGN_PX, 0, self.width(), self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._label)


class SentenceKindBar(QWidget):
    """The shares of the kinds as one bar, and a button for each below it.

    Attributes:
        picked: the selected kinds have changed; carries a list of them, empty if all look alike.
    """

    picked = Signal(object)

    def __init__(self, styles: Mapping[str, SentenceKindStyle], themes: ThemeManager, name: str) -> None:
        super().__init__()
        self._styles = styles
        self._themes = themes
        self._counts: dict[str, int] = dict.fromkeys(styles, 0)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.buttons: dict[str, SentenceKindButton] = {}
        for kind, style in styles.items():
            button = self.buttons[kind] = SentenceKindButton(kind, style, themes)
            button.setParent(self)
            button.toggled.connect(partial(self._on_toggled, kind))
        self._line_px = max(button.sizeHint().height() for button in self.buttons.values())
        self.setFixedHeight(_BAR_PX + 7 + self._line_px)

    def show_counts(self, counts: Mapping[Any, int]) -> None:
        """Show the count of each kind, and release all buttons."""
        self._counts = dict(counts)
        for kind, button in self.buttons.items():
            button.blockSignals(True)
            button.setChecked(False)
            button.blockSignals(False)
            button.show_count(counts[kind])
        description = ", ".join(button.text() for button in self.buttons.values())
        self.setAccessibleDescription(description)
        self._arrange()
        self.update()

    def _on_toggled(self, kind: str, on: bool) -> None:
        self.picked.emit([each for each, button in self.buttons.items() if button.isChecked()])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the names if there is no room."""
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
                color = self._styles[kind].color(theme)
                # A hairline between two kinds, because some people cannot tell the colours apart.
                painter.fillRect(QRectF(left, 0, max(width - 1.5, 1.0), _BAR_PX), color)
            left += width
