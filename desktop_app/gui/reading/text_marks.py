"""What is marked in a stored text: sentences that were found, words in them, and where sentences begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit

from desktop_app.gui.marking import NOTHING_SOUGHT, Sought, in_utf16, matches
from desktop_app.gui.reading import painting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from PySide6.QtGui import QColor, QTextDocument

    from desktop_app.core.records import Occurrence
    from desktop_app.gui.theme import Theme

    Place = tuple[int, int]
    Mark = tuple[Place, QColor, QColor | None]


class TextMarks:
    """What is to be marked.

    Attributes:
        marked: ordinals of the sentences that were found.
        current: that of the one in question.
        sought: words that are marked in them.
        cuts_shown: every sentence has a tint, so that one sees where it begins and ends.
        cut_chosen: ordinal of the one whose tint stands out.
    """

    def __init__(self) -> None:
        self.marked: tuple[int, ...] = ()
        self.current: int | None = None
        self.sought: Sought = NOTHING_SOUGHT
        self.cuts_shown = False
        self.cut_chosen: int | None = None

    def forget(self) -> None:
        """Mark no sentence."""
        self.marked, self.current = (), None

    def of_hits(self, theme: Theme, places: Mapping[int, Place], rows: Mapping[int, Occurrence]) -> Iterator[Mark]:
        """Yield marks of the sentences that were found, the current one last, and of words in them.

        Args:
            theme: the colours.
            places: where sentences stand in the text, by their ordinals, in order.
            rows: what they are.
        """
        paper = theme.color("panel")
        for ordinal in [*(other for other in self.marked if other != self.current), self.current]:
            place = places.get(ordinal) if ordinal is not None else None
            if ordinal is None or place is None:
                continue
            strength = painting.STRENGTHS["current" if ordinal == self.current else "other"][theme.dark]
            yield place, painting.mixed(paper, theme.color("accent"), strength * 0.8), theme.color("text")
            text = rows[ordinal].text
            for start, length in in_utf16(text, matches(text, self.sought)):
                word = (place[0] + start, place[0] + start + length)
                yield word, theme.color("mark"), theme.color("on_mark")

    def of_cuts(
        self, theme: Theme, places: Mapping[int, Place], rows: Mapping[int, Occurrence], in_sight: Place
    ) -> Iterator[Mark]:
        """Yield a tint for each sentence between the first and the last character in sight."""
        for nth, (ordinal, place) in enumerate(places.items()):
            if place[1] < in_sight[0]:
                continue
            if place[0] > in_sight[1]:
                break
            is_chosen = ordinal == self.cut_chosen
            yield place, painting.text_tint(theme, rows[ordinal].kind, nth, chosen=is_chosen), None


def selection(document: QTextDocument, mark: Mark) -> QTextEdit.ExtraSelection:
    """Return a mark as Qt paints it."""
    place, back, front = mark
    found = QTextEdit.ExtraSelection()
    found.format.setBackground(back)
    if front is not None:
        found.format.setForeground(front)
    found.cursor = QTextCursor(document)
    found.cursor.setPosition(place[0])
    found.cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
    return found
