"""Pages as a reader shows them: their sizes, pictures, characters and boxes.

Lengths are in points (1/72 inch) from the upper left corner of the page as it is seen: rotated and cropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from array import array

    from desktop_app.core.reading import OutlineEntry
    from desktop_app.core.records import Document, Occurrence, Place


class Box(NamedTuple):
    """A rectangle on a page."""

    left: float
    top: float
    right: float
    bottom: float


class PageSize(NamedTuple):
    """Width and height of a page."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PagedFile:
    """A file that can be shown page by page.

    Attributes:
        sizes: one for each page.
        labels: the pages' own labels ("iv", "A-3") where the file has them, else empty.
        outline: the table of contents.
    """

    sizes: tuple[PageSize, ...]
    labels: tuple[str, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Dark:
    """How a page is drawn in the dark: colours as 0xRRGGBB. Its pictures stay as they are."""

    paper: int
    ink: int


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as pixels of four bytes: blue, green, red, and one without meaning."""

    page: int
    width_px: int
    height_px: int
    stride_bytes: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PageCharacters:
    """The characters of a page in reading order.

    Attributes:
        text: a line ends in a line feed; one that only parts a word ends in a soft hyphen and a line feed.
        boxes: left, top, right, bottom of each character: float32 [4 * len(text)]; zeros where it has none.
    """

    page: int
    text: str
    boxes: array[float] = field(repr=False)


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence that is to be found on a page, with all places where it stands."""

    text: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class TextSlice:
    """A part of what is stored of a document, in reading order.

    Attributes:
        first: ordinal of the first sentence.
        is_last: nothing follows.
    """

    document: Document
    first: int
    sentences: tuple[Occurrence, ...]
    is_last: bool
