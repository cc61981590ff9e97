"""Typeset a text as the PDF of a book: lines, paragraphs, a running head, page numbers."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QApplication

_DPI = 300
_MARGIN_MM = 20
_HEAD_PX = 120


def typeset(text: str, file: Path, pages: int) -> None:
    """Write the first `pages` pages of a novel as A5 in 10 points."""
    _application()
    writer = QPdfWriter(str(file))
    writer.setResolution(_DPI)
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A5), QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter
        )
    )
    writer.setTitle(file.stem)
    area = QRectF(0, 0, writer.width(), writer.height() - 2 * _HEAD_PX)
    font = QFont("Inter")
    font.setPointSizeF(10)
    document = QTextDocument()
    document.documentLayout().setPaintDevice(writer)
    document.setDefaultFont(font)
    document.setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignJustify))
    document.setPageSize(area.size())
    # A little more text than needed; laying out the rest of the novel would be wasted.
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", text[: 3000 * pages])]
    document.setPlainText("\n".join(part for part in paragraphs if part))
    painter = QPainter(writer)
    painter.setFont(font)
    for page in range(min(pages, document.pageCount())):
        if page:
            writer.newPage()
        painter.drawText(QRectF(0, 0, area.width(), _HEAD_PX), Qt.AlignmentFlag.AlignHCenter, file.stem)
        foot = QRectF(0, area.height() + _HEAD_PX, area.width(), _HEAD_PX)
        painter.drawText(foot, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, str(page + 1))
        painter.save()
        painter.translate(0, _HEAD_PX - page * area.height())
        document.drawContents(painter, QRectF(0, page * area.height(), area.width(), area.height()))
        painter.restore()
    painter.end()


def _application() -> QGuiApplication:
    existing = QApplication.instance()
    return existing if isinstance(existing, QGuiApplication) else QApplication(["bench"])
