"""Columns of Chinese and Japanese text that is written from top to bottom, columns from right to left.

PDFium may end a line after every character of such a column. Where most of the characters of a page stand below each
other, lines are found by position instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from desktop_app.text.cleaning import is_full_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MIN_STEPS = 4
"""Steps downwards from one character to the next in a page of vertical writing."""
_SAME_COLUMN = 0.6
"""In font sizes: the largest distance between the middles of two characters of a column."""
_MAX_BLANK = 1.3
"""In font sizes: the largest blank between two characters of a line."""
_OVERLAP = 0.5
"""Share of a column that stands beside another one of its tier."""


@dataclass(frozen=True, slots=True)
class CharacterBox:
    """A character and its box on the page, in points upwards and to the right."""

    index: int
    char: str
    left: float
    bottom: float
    right: float
    top: float


@dataclass(slots=True)
class WrittenLine:
    """The characters of a line or column; `angle` is 1 for a column, as for text that is turned by a quarter."""

    boxes: list[CharacterBox] = field(default_factory=list)
    angle: int | None = None

    @property
    def top(self) -> float:
        """Height of its upper edge."""
        return max(box.top for box in self.boxes)

    @property
    def bottom(self) -> float:
        """Height of its lower edge."""
        return min(box.bottom for box in self.boxes)

    @property
    def middle(self) -> float:
        """Its middle from left to right."""
        return (min(box.left for box in self.boxes) + max(box.right for box in self.boxes)) / 2


def is_written_vertically(boxes: Sequence[CharacterBox]) -> bool:
    """Return whether the characters of a page stand below each other rather than side by side."""
    down = across = 0
    for before, box in pairwise(boxes):
        if is_full_width(before.char) and is_full_width(box.char):
            down += _step_angle(before, box) == 1
            across += _step_angle(before, box) == 0
    return down >= _MIN_STEPS and down > across


def find_written_lines(boxes: Iterable[CharacterBox]) -> list[WrittenLine]:
    """Return the lines and columns of a page in reading order."""
    lines: list[WrittenLine] = []
    for box in boxes:
        line = lines[-1] if lines else None
        angle = _step_angle(line.boxes[-1], box) if line is not None else None
        if line is None or angle is None or line.angle not in (None, angle):
            lines.append(WrittenLine([box]))
            continue
        line.angle = angle
        line.boxes.append(box)
    for line in lines:
        if line.angle is None:
            line.angle = 1 if is_full_width(line.boxes[0].char) else 0
    return _order_lines(lines)


def _step_angle(before: CharacterBox, box: CharacterBox) -> int | None:
    """Return 1 if a character stands below the one before, 0 if it stands to its right, None if it does neither."""
    height, width = box.top - box.bottom, box.right - box.left
    size = max(min(height, width), 1.0)
    apart = abs((before.left + before.right) - (box.left + box.right)) / 2
    if apart < _SAME_COLUMN * size and -0.5 * height < before.bottom - box.top < _MAX_BLANK * height:
        return 1
    raised = abs((before.bottom + before.top) - (box.bottom + box.top)) / 2
    if raised < 0.5 * height and -0.5 * width < box.left - before.right < _MAX_BLANK * max(width, height):
        return 0
    return None


def _order_lines(lines: Sequence[WrittenLine]) -> list[WrittenLine]:
    """Return the lines in reading order: tiers from top to bottom, the columns of a tier from right to left."""
    tiers: list[list[WrittenLine]] = []
    for line in sorted(lines, key=lambda line: line.bottom - line.top):
        tier = next((tier for tier in tiers if _stands_beside(line, tier[0])), None)
        if tier is None:
            tiers.append([line])
        else:
            tier.append(line)
    tiers.sort(key=lambda tier: -max(line.top for line in tier))
    return [line for tier in tiers for line in sorted(tier, key=lambda line: -line.middle)]


def _stands_beside(line: WrittenLine, longest: WrittenLine) -> bool:
    """Return whether a column stands beside the longest one of a tier."""
    if line.angle != 1 or longest.angle != 1:
        return False
    overlap = min(line.top, longest.top) - max(line.bottom, longest.bottom)
    return overlap > _OVERLAP * (line.top - line.bottom)
