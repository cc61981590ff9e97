"""PDFium's functions for each character or object of a page, called for all of them in one go.

A page has thousands of characters, and a PDF printed by a Qt program has an object for each of them. A call with plain
addresses from a loop in C takes half the time of one whose arguments ctypes has to convert.
"""

from __future__ import annotations

from array import array
from collections import deque
from ctypes import PYFUNCTYPE, c_int, c_uint, c_void_p, cast
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import pypdfium2.raw as pdfium

if TYPE_CHECKING:
    from collections.abc import Sequence

_FLOAT_BYTES = 4


def _address(pointer: Any) -> int:
    return cast(pointer, c_void_p).value or 0


# ctypes passes a pointer or a small number as it is. An address needs `c_void_p`, or it is cut to 32 bits.
_get_unicode = PYFUNCTYPE(c_uint)(_address(pdfium.FPDFText_GetUnicode))
_get_object = PYFUNCTYPE(c_void_p)(_address(pdfium.FPDFPage_GetObject))
_get_loose_box = PYFUNCTYPE(c_int, c_void_p, c_int, c_void_p)(_address(pdfium.FPDFText_GetLooseCharBox))
_get_bounds = PYFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)(
    _address(pdfium.FPDFPageObj_GetBounds)
)


def read_codes(text_page: Any) -> list[int]:
    """Return the code point of each character of a page's text."""
    return list(map(_get_unicode, repeat(text_page), range(pdfium.FPDFText_CountChars(text_page))))


class BoxEdges(NamedTuple):
    """The edges of boxes of characters or objects, in points to the right and upwards; zeros for no box."""

    lefts: Sequence[float]
    bottoms: Sequence[float]
    rights: Sequence[float]
    tops: Sequence[float]


def read_loose_boxes(text_page: Any, count: int) -> BoxEdges:
    """Return the boxes of the first `count` characters of a page's text, as high as their font."""
    boxes = array("f", bytes(4 * _FLOAT_BYTES * count))
    addresses = range(*_span(boxes), 4 * _FLOAT_BYTES)
    deque(map(_get_loose_box, repeat(_address(text_page)), range(count), addresses), maxlen=0)
    left, top, right, bottom = (boxes[edge::4] for edge in range(4))  # the order of FS_RECTF
    return BoxEdges(left, bottom, right, top)


def read_object_bounds(page: Any) -> BoxEdges:
    """Return the bounds of the objects of a page."""
    objects = list(map(_get_object, repeat(page), range(pdfium.FPDFPage_CountObjects(page))))
    edges = [array("f", bytes(_FLOAT_BYTES * len(objects))) for _ in range(4)]
    deque(map(_get_bounds, objects, *(range(*_span(edge), _FLOAT_BYTES) for edge in edges)), maxlen=0)
    return BoxEdges(*edges)


def _span(values: array[float]) -> tuple[int, int]:
    """Return the addresses where the values begin and end."""
    start, length = values.buffer_info()
    return start, start + _FLOAT_BYTES * length
