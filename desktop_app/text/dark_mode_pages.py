"""Recolours a page image for dark mode: swaps paper and ink, keeps hues and pictures."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from desktop_app.core.pages import DarkPageColors

    Pixels = NDArray[np.uint8]

_MAX_PICTURES = 400
_MIN_PICTURE_PX = 8
_STRIP_ROWS = 256
_PAPER_SHARE, _PAPER_LIGHT = 0.2, 215
"""A picture that covers this share of the page and is mostly this light is a scan or a drawing: it counts as paper."""


def darken_page(page: Any, pixels: Pixels, dark: DarkPageColors) -> None:
    """Recolour a rendered page for dark mode.

    Args:
        page: pypdfium2's page, for the places of its pictures.
        pixels: uint8 [height, width, 4], blue, green, red and an unused channel; changed in place.
        dark: colours of paper and ink.
    """
    pictures = [(rows, columns, pixels[rows, columns].copy()) for rows, columns in _iter_pictures(page, pixels)]
    table = _build_colour_table(dark)
    blue, green, red = table[:, ::-1].astype(np.uint32)
    turned_grey = blue | green << 8 | red << 16
    for top in range(0, len(pixels), _STRIP_ROWS):
        strip = pixels[top : top + _STRIP_ROWS]
        whole = strip.view(np.uint32)[:, :, 0]
        colours = whole & 0xFFFFFF
        coloured = colours != strip[:, :, 0] * np.uint32(0x010101)
        hues = strip[coloured]  # uint8 [n, 4]
        whole[:] = turned_grey[strip[:, :, 0]]
        if len(hues):
            strip[coloured] = _swap_lightness(hues, table)
    for rows, columns, original in pictures:
        pixels[rows, columns] = original


def _swap_lightness(colours: Pixels, table: Pixels) -> Pixels:
    """Swap light and dark and keep the hue: shift every channel by the change of lightness; uint8 [n, 4]."""
    channels = colours[:, :3]
    shift = 255 - channels.max(axis=1).astype(np.int16) - channels.min(axis=1)
    moved = channels + shift[:, None]
    result = colours.copy()
    for channel in range(3):
        result[:, channel] = table[channel][moved[:, channel]]
    return result


def _build_colour_table(dark: DarkPageColors) -> NDArray[np.uint8]:
    """Return the new values of 0 (paper) to 255 (ink) for blue, green and red: uint8 [3, 256]."""
    steps = np.linspace(0.0, 1.0, 256)
    channels = []
    for shift in (0, 8, 16):
        paper, ink = (dark.paper >> shift) & 255, (dark.ink >> shift) & 255
        channels.append(np.round(paper + (ink - paper) * steps).astype(np.uint8))
    return np.stack(channels)


def _iter_pictures(page: Any, pixels: Pixels) -> Iterator[tuple[slice, slice]]:
    """Yield the rows and columns, in pixels, of the page's pictures."""
    height, width = pixels.shape[:2]
    with contextlib.suppress(pypdfium2.PdfiumError):
        for number, picture in enumerate(page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=6)):
            if number == _MAX_PICTURES:
                return
            box = _picture_box_px(page, picture, width, height)
            if box is None or _is_line_art(page, picture):
                continue
            rows, columns = box
            share = (rows.stop - rows.start) * (columns.stop - columns.start) / (width * height)
            if share > _PAPER_SHARE and np.median(pixels[rows, columns, 1]) > _PAPER_LIGHT:
                continue
            yield box


def _picture_box_px(page: Any, picture: Any, width: int, height: int) -> tuple[slice, slice] | None:
    """Return the part of the page that a picture covers; None if it is barely visible."""
    matrix = picture.get_matrix()
    container = picture.container
    while container is not None:
        matrix = matrix.multiply(container.get_matrix())
        container = container.container
    corners = [matrix.on_point(x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
    places = [_to_pixels(page, x, y, width, height) for x, y in corners]
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    rows = slice(max(top, 0), min(bottom, height))
    columns = slice(max(left, 0), min(right, width))
    if rows.stop - rows.start < _MIN_PICTURE_PX or columns.stop - columns.start < _MIN_PICTURE_PX:
        return None
    return rows, columns


def _to_pixels(page: Any, x: float, y: float, width: int, height: int) -> tuple[int, int]:
    across, down = pdfium.c_int(), pdfium.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, x, y, across, down)
    return across.value, down.value


def _is_line_art(page: Any, picture: Any) -> bool:
    """Return whether a picture has one bit per pixel: drawings, stamps, scanned text."""
    about = pdfium.FPDF_IMAGEOBJ_METADATA()
    found = pdfium.FPDFImageObj_GetImageMetadata(picture.raw, page.raw, about)
    return bool(found and about.bits_per_pixel == 1)
