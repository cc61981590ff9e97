"""Where sentences lie in columns that are scrolled together.

Only what comes into sight is laid out; how high the rest is follows from its length. So fifty thousand sentences are
there at once, and as they come into sight the numbers become exact, while what one looks at stays where it is.

Two columns have a way of their own from top to bottom, between their rows: each row lies as far along it as it is
high. Where the row's sentences stand beside each other, both columns are tied to it, and between two such places they
move evenly; what is at `share` of the way stands at `share` of the view's height, in both.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout

from desktop_app.gui.card_layout import laid_out, one_line
from desktop_app.gui.theme import scaled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.gui.tracing.texts import Block, Texts

    Floats = NDArray[np.float64]

LEFT_PX = 34  # for the sign
RIGHT_PX = 12
PAD_PX = 7  # above and below the text
GAP_PX = 4  # between two sentences
_KEPT = 800
_LINE_HEIGHT = 1.18


class Geometry:
    """Heights and places of sentences for one width and font.

    Args:
        texts: what is shown.
        font: of the view.
        width: of a column, in pixels.

    Attributes:
        text_font: of the sentences; `small_font` of what stands below them.
        tops: for each column float64 [sentences + 1]: where each begins; at last where the column ends.
        way: float64 [rows + 1]: how far along the way each row begins.
    """

    def __init__(self, texts: Texts, font: QFont, width: float) -> None:
        self.texts = texts
        self.width = width
        self._font = font
        self.text_font, self.small_font = scaled(font, 1.03), scaled(font, 0.86)
        self.sign_font = scaled(font, 1.1, QFont.Weight.Bold)
        self.small = QFontMetricsF(self.small_font)
        self.caption_height = self.small.height() * 1.1
        self._layouts: OrderedDict[tuple[int, int], tuple[Block, QTextLayout, float]] = OrderedDict()
        self.rows_of = tuple(_rows_of(places) for places in texts.places)
        self._measured = [np.zeros(len(rows), np.bool_) for rows in self.rows_of]
        measures = QFontMetricsF(self.text_font)
        line = measures.height() * _LINE_HEIGHT
        per_line = max(1.0, (width - LEFT_PX - RIGHT_PX) / max(measures.averageCharWidth(), 1.0))
        frame = 2 * PAD_PX + GAP_PX + self.caption_height
        self._heights = [np.ceil(np.maximum(lengths, 1) / per_line) * line + frame for lengths in texts.lengths]
        self._place()

    def __len__(self) -> int:
        return len(self.texts.kinds)

    def longer(self, texts: Texts) -> Geometry:
        """Return the geometry of texts in one column that begin as these do: what is measured stays so."""
        whole = Geometry(texts, self._font, self.width)
        (heights,), (measured,) = self._heights, self._measured
        whole._heights[0][: len(heights)] = heights
        whole._measured[0][: len(measured)] = measured
        whole._layouts = self._layouts
        whole._place()
        return whole

    def _place(self) -> None:
        self.tops = [np.concatenate([[0.0], np.cumsum(heights)]) for heights in self._heights]
        rows = np.zeros(len(self))
        for places, heights in zip(self.texts.places, self._heights, strict=True):
            there = places >= 0
            own = np.zeros(len(self))
            own[there] = heights[places[there]]
            # What has moved takes its room where it stands in the last column.
            rows = np.where(self.texts.anchors, np.maximum(rows, own), np.where(there, own, rows))
        self.way = np.concatenate([[0.0], np.cumsum(rows)])
        self._knots: list[tuple[Floats, Floats]] = []
        anchors = np.flatnonzero(self.texts.anchors)
        at = np.stack([self.way[anchors], self.way[anchors + 1]], axis=1).ravel()
        for places, tops in zip(self.texts.places, self.tops, strict=True):
            there = np.stack([tops[places[anchors]], tops[places[anchors] + 1]], axis=1).ravel()
            ends = (np.concatenate([[0.0], at, [self.way[-1]]]), np.concatenate([[0.0], there, [tops[-1]]]))
            self._knots.append(ends)

    @property
    def height(self) -> float:
        """How high all of it is."""
        return float(max(self.way[-1], *(tops[-1] for tops in self.tops)))

    def block(self, side: int, place: int) -> tuple[Block, QTextLayout, float]:
        """Return a sentence, its layout, and the height of its text; from then on its place is exact after `settle`."""
        key = (side, place)
        found = self._layouts.get(key)
        if found is None:
            block = self.texts.block(side, int(self.rows_of[side][place]))
            layout, height = laid_out(one_line(block.text), self.text_font, self.width - LEFT_PX - RIGHT_PX)
            found = self._layouts[key] = (block, layout, height)
            if len(self._layouts) > _KEPT:
                self._layouts.popitem(last=False)
        else:
            self._layouts.move_to_end(key)
        return found

    def settle(self, side: int, first: int, last: int) -> bool:
        """Measure sentences from `first` to before `last`; returns whether any has another height than was thought."""
        changed = False
        for place in np.flatnonzero(~self._measured[side][first:last]) + first:
            block, _, text_height = self.block(side, int(place))
            height = text_height + 2 * PAD_PX + GAP_PX + (self.caption_height if block.about is not None else 0.0)
            changed |= bool(abs(height - self._heights[side][place]) > 0.01)
            self._heights[side][place] = height
            self._measured[side][place] = True
        if changed:
            self._place()
        return changed

    def at(self, side: int, way: float) -> float:
        """Return which height of a column belongs to a place of the way."""
        return float(np.interp(way, *self._knots[side]))

    def seen(self, side: int, top: float, height: float) -> tuple[int, int]:
        """Return which sentences of a column lie between two heights: the first, and the one after the last."""
        tops = self.tops[side]
        first = int(np.searchsorted(tops, top, "right")) - 1
        last = int(np.searchsorted(tops, top + height, "left"))
        return max(first, 0), max(min(last, len(tops) - 1), 0)

    def row_at(self, way: float) -> tuple[int, float]:
        """Return which row lies at a place of the way, and how far into it that is (0 to 1)."""
        row = min(max(int(np.searchsorted(self.way, way, "right")) - 1, 0), max(len(self) - 1, 0))
        high = self.way[row + 1] - self.way[row] if len(self) else 0.0
        return row, float((way - self.way[row]) / high) if high else 0.0

    def way_of(self, row: int, share: float) -> float:
        """Return the place of the way that lies so far into a row."""
        row = min(row, len(self) - 1)
        return float(self.way[row] + share * (self.way[row + 1] - self.way[row])) if row >= 0 else 0.0


def _rows_of(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return int64 [sentences]: the row that each sentence of a column stands in."""
    there = np.flatnonzero(places >= 0)
    rows = np.empty(len(there), np.int64)
    rows[places[there]] = there
    return rows
