"""What the kinds of sentences in two compared texts are called, and how they look: a colour, a sign and a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.gui.theme import Theme


@dataclass(frozen=True, slots=True)
class Tone:
    """How a kind looks.

    Attributes:
        sign: one character that tells it from the others without colour.
        ink: name of the theme's colour of sign and word; at a contrast of 4.5 on `fill`.
        ground: name of the theme's colour behind the sentence; empty for none.
        strength: share of it in what is behind the sentence.
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


CHANGE_TONES = {
    "kept": Tone("=", "muted", ""),
    "reworded": Tone("≈", "accent", "accent"),
    "moved": Tone("↕", "warn", "warn"),
    "new": Tone("+", "good", "good"),
    "dropped": Tone("\N{MINUS SIGN}", "bad", "bad"),
}
SUPPORT_TONES = {
    "verbatim": Tone("=", "accent", "accent"),
    "close": Tone("≈", "good", "good"),
    "related": Tone("~", "warn", "warn"),
    "unsupported": Tone("?", "bad", "bad"),
}


def kind_name(kind: str) -> str:
    """Return what a kind is called."""
    return {
        "kept": translate("tracing", "kept"),
        "reworded": translate("tracing", "reworded"),
        "moved": translate("tracing", "moved"),
        "new": translate("tracing", "new"),
        "dropped": translate("tracing", "dropped"),
        "verbatim": translate("tracing", "verbatim"),
        "close": translate("tracing", "close"),
        "related": translate("tracing", "only related"),
        "unsupported": translate("tracing", "unsupported"),
    }[kind]


def kind_meaning(kind: str) -> str:
    """Return in one sentence what a kind means."""
    return {
        "kept": translate("tracing", "The same words stand in both, in the same order of sentences."),
        "reworded": translate("tracing", "Both say the same in other words."),
        "moved": translate("tracing", "The sentence stands elsewhere in the other document."),
        "new": translate("tracing", "Only the second document says this."),
        "dropped": translate("tracing", "Only the first document says this."),
        "verbatim": translate("tracing", "The library has the same words, whatever their case and punctuation."),
        "close": translate("tracing", "The library says the same in other words."),
        "related": translate("tracing", "The library speaks of the same, but does not say this."),
        "unsupported": translate("tracing", "Nothing in the library is near to it."),
    }[kind]
