"""Draw the program's icon from its SVG in the sizes and formats that systems need. Needs PySide6."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from pathlib import Path

SIZES_PX = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_ICO_PX = (16, 24, 32, 48, 64, 128, 256)
# Apple's names of the images inside an .icns with their sizes; each is a PNG.
_ICNS = {"icp4": 16, "icp5": 32, "icp6": 64, "ic07": 128, "ic08": 256, "ic09": 512, "ic10": 1024}
_ICO_HEADER, _ICO_ENTRY, _ICNS_ENTRY = "<HHH", "<BBBBHHII", ">4sI"


def png(svg: Path, size_px: int) -> bytes:
    """Return `svg` as a PNG, `size_px` wide and high."""
    image = QImage(size_px, size_px, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg.read_bytes())).render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs expect bytes, the function a name
    return bytes(content.data())


def ico(svg: Path) -> bytes:
    """Return a Windows icon: PNGs of all sizes in one file."""
    pictures = [png(svg, size) for size in _ICO_PX]
    at = struct.calcsize(_ICO_HEADER) + len(pictures) * struct.calcsize(_ICO_ENTRY)
    entries = b""
    for size, picture in zip(_ICO_PX, pictures, strict=True):
        edge = size % 256  # 0 means 256
        entries += struct.pack(_ICO_ENTRY, edge, edge, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return struct.pack(_ICO_HEADER, 0, 1, len(pictures)) + entries + b"".join(pictures)


def icns(svg: Path) -> bytes:
    """Return a macOS icon: PNGs of all sizes in one file."""
    head = struct.calcsize(_ICNS_ENTRY)
    body = b""
    for kind, size in _ICNS.items():
        picture = png(svg, size)
        body += struct.pack(_ICNS_ENTRY, kind.encode(), head + len(picture)) + picture
    return struct.pack(_ICNS_ENTRY, b"icns", head + len(body)) + body
