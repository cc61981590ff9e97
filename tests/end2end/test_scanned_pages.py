"""Scans in the real window: nothing is found before OCR; afterwards the words are highlighted on the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QDialog

from desktop_app.engine.requests import SearchRequest
from desktop_app.gui.library.ocr_dialog import OcrDialog
from tests.end2end.conftest import DATA, Program
from tests.end2end.test_reader import is_tinted, shot, show
from tests.gui.conftest import rows_below
from tests.patience import PATIENCE_S
from tests.text.scans import needs_tesseract, picture, scan

pytestmark = pytest.mark.as_copies

Start = Callable[..., Program]
SENTENCE = "They push the human race forward."


@pytest.fixture
def scanned(tmp_path: Path) -> Path:
    file = tmp_path / "scan.pdf"
    file.write_bytes(scan([picture(DATA / "pdf" / "pdfa_one_page.pdf")]))
    return file


def is_done(program: Program, text: str) -> bool:
    window = program.window
    is_quiet = window.session.phase == "ready" and not window.imports.is_running
    return is_quiet and any(text in state for state in program.states.values())


def assert_marked(program: Program, qtbot) -> None:
    """The sentence is found, and highlighted at its words on the picture."""
    hit = program.workspace.search.find_sentences(SearchRequest(SENTENCE, top_k=1), key=None).wait(PATIENCE_S).hits[0]
    assert (hit.text, hit.is_recognised) == (SENTENCE, True)
    program.window.resize(1300, 860)
    reader = show(program, qtbot, hit)
    assert reader.mode == "pages"
    assert reader.header.recognised.isVisible()
    (rect,) = reader.pages.current_rects()
    image = shot(reader)
    inside = [
        image.pixelColor(x, y)
        for x in range(int(rect.left()) + 1, int(rect.right()))
        for y in range(int(rect.top()) + 1, int(rect.bottom()))
    ]
    tinted = sum(map(is_tinted, inside)) / len(inside)
    ink = sum(colour.lightness() < 100 for colour in inside) / len(inside)
    assert tinted > 0.5
    assert ink > 0.02, "there are letters under the highlight"


@pytest.mark.from_scratch
@needs_tesseract
def test_a_scan_is_read_on_request(start: Start, scanned: Path, qtbot) -> None:
    program = start(files=[str(scanned)])
    window = program.window
    qtbot.waitUntil(lambda: is_done(program, "No text"))
    view = window.library_pane.view
    (row,) = [index for index in rows_below(view.model()) if str(index.data()).startswith("scan")]
    view.selectionModel().setCurrentIndex(row, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    window.action_table["document.recognise"].trigger()
    qtbot.waitUntil(lambda: window.findChild(OcrDialog) is not None)
    dialog = window.findChild(OcrDialog)
    assert isinstance(dialog, QDialog)
    for code, tick in dialog.ticks.items():
        tick.setChecked(code == "eng")
    qtbot.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: is_done(program, "sentences"))
    assert_marked(program, qtbot)
    (document,) = program.workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
    (note,) = program.workspace.read(lambda library: library.documents.page_notes(document.document_id)).wait(
        PATIENCE_S
    )
    assert (note.state, note.engine) == ("ocr", "tesseract")


@needs_tesseract
def test_scans_are_always_read_if_set_in_the_preferences(start: Start, scanned: Path, qtbot) -> None:
    program = start(files=[str(scanned)], settings={"ocr": "always", "ocr_languages": "eng"})
    qtbot.waitUntil(lambda: is_done(program, "sentences"))
    assert_marked(program, qtbot)
