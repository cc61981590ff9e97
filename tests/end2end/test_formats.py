"""Every format in the real window: the content decides the reader; its sentence is found, opened and highlighted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.engine.requests import SearchRequest
from tests.end2end.conftest import Program
from tests.end2end.test_reader import show
from tests.patience import PATIENCE_S
from tests.text.samples import SAMPLES, Sample

pytestmark = pytest.mark.as_copies


def shown(program: Program, qtbot, sample: Sample) -> str:
    """Find the sentence of a file, show it and check its highlight; return the location in the window."""
    hit = (
        program.workspace.search.find_sentences(SearchRequest(sample.text, top_k=5), key=None).wait(PATIENCE_S).hits[0]
    )
    assert hit.text == sample.text
    reader = show(program, qtbot, hit)
    if sample.kind == "pdf":
        assert reader.pages.current_rects()
        return reader.header.place.text()
    assert reader.mode == "text"
    qtbot.waitUntil(lambda: reader.text.sentence_place(hit.ordinal) is not None)
    (mark,) = reader.text.extraSelections()
    assert mark.cursor.selectedText() == sample.text
    assert reader.text.viewport().rect().contains(reader.text.cursorRect(mark.cursor).center())
    return reader.header.place.text()


def test_a_sentence_of_every_format_is_found_opened_and_marked(
    start: Callable[..., Program], tmp_path: Path, qtbot
) -> None:
    folder = tmp_path / "all kinds"
    folder.mkdir()
    for name, sample in SAMPLES.items():
        (folder / name).write_bytes(sample.data)
    program = start(files=[str(folder)])
    session = program.window.session
    qtbot.waitUntil(lambda: session.phase == "ready")
    # The message has a file that only has the name of a PDF.
    qtbot.waitUntil(lambda: session.status.library.states == {"ready": len(SAMPLES), "failed": 1})
    documents = program.workspace.read(lambda library: library.documents.fetch(state="ready")).wait(PATIENCE_S)
    kinds = {Path(each.path).relative_to(folder).parts[0]: each.type for each in documents}
    assert kinds == {name: sample.kind for name, sample in SAMPLES.items()}
    assert {name: shown(program, qtbot, sample) for name, sample in SAMPLES.items()} == {
        name: sample.place for name, sample in SAMPLES.items()
    }
