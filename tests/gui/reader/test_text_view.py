"""The text of a document: its formats."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from desktop_app.gui.reader.text_view import character_format


@pytest.mark.parametrize("kind", ["heading", "body", "code", "gap", "wide_gap"])
def test_the_size_of_the_text_follows_the_zoom(qapp: QApplication, kind: str) -> None:
    base = QFont()
    base.setPointSizeF(10)
    sizes = [character_format(kind, base, zoom).font().pointSizeF() for zoom in (0.5, 1.0, 2.0)]
    assert sizes[0] == pytest.approx(sizes[1] / 2, rel=0.02)
    assert sizes[2] == pytest.approx(sizes[1] * 2, rel=0.02)


def test_a_heading_is_larger_and_bolder_and_code_has_letters_of_one_width(qapp: QApplication) -> None:
    base = QFont()
    base.setPointSizeF(10)
    body, heading, code = (character_format(kind, base, 1.0).font() for kind in ("body", "heading", "code"))
    assert heading.pointSizeF() > body.pointSizeF() > base.pointSizeF()
    assert heading.weight() > body.weight()
    assert code.pointSizeF() < body.pointSizeF() * 1.05
