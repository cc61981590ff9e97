"""Every format in the real window: each file is told by its content, and its sentence is found, opened and marked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from desktop_app.engine.requests import SearchRequest
from tests.end2end.conftest import DATA, Program
from tests.end2end.test_reader import show
from tests.text import makers

SRT = "1\n00:00:05,000 --> 00:00:07,500\nNobody has seen the captain since noon.\n"
VTT = "WEBVTT\n\n01:02:03.000 --> 01:02:04.000\nThe engine stopped by itself.\n"
CHAPTERS = {"one.xhtml": "<p>The winter began early.</p>", "two.xhtml": "<p>Snow covered the railway for a week.</p>"}


class Made(NamedTuple):
    """A file: its bytes, what it is, a sentence in it, and where that is said to stand."""

    data: bytes
    kind: str
    text: str
    place: str = ""


FILES = {
    "bay.txt": Made(
        "The bay empties twice a day.\n\nGulls wait for the\nlowest water of all.\n".encode("utf-16"),
        "text",
        "Gulls wait for the lowest water of all.",
        "lines 3–4",
    ),
    "bread.md": Made(
        b"# Bread\n\nDough rests *overnight* in the cold.\n", "markdown", "Dough rests overnight in the cold.", "line 3"
    ),
    "bees.html": Made(
        b"<!DOCTYPE html><html><p>Bees sleep in the flowers they visit.</p>",
        "html",
        "Bees sleep in the flowers they visit.",
    ),
    "ferry.docx": Made(
        makers.docx(makers.paragraph("The ferry no longer stops at the island.")),
        "docx",
        "The ferry no longer stops at the island.",
    ),
    "mill.odt": Made(
        makers.odt("<text:p>The mill grinds only when the wind is strong.</text:p>"),
        "odt",
        "The mill grinds only when the wind is strong.",
    ),
    "tower.rtf": Made(
        rb"{\rtf1\ansi The lighthouse was sold to a painter.\par}", "rtf", "The lighthouse was sold to a painter."
    ),
    "winter.epub": Made(makers.epub(CHAPTERS), "epub", "Snow covered the railway for a week.", "chapter 2"),
    "ports.csv": Made(
        b"port,note\nEmden,It has three cranes\nHusum,Storms flood its quay\n",
        "csv",
        "port: Husum \u00b7 note: Storms flood its quay",
        "row 3",
    ),
    "hives.tsv": Made(
        b"hive\tyield\nsouthern\tforty jars of honey\n",
        "csv",
        "hive: southern \u00b7 yield: forty jars of honey",
        "row 2",
    ),
    "cafe.eml": Made(makers.MAIL.encode(), "email", "The caf\u00e9 is open again."),
    "letters.mbox": Made(makers.BOX.encode(), "email", "The second one answers.", "message 2"),
    "film.srt": Made(SRT.encode(), "subtitles", "Nobody has seen the captain since noon.", "0:05"),
    "talk.vtt": Made(VTT.encode(), "subtitles", "The engine stopped by itself.", "1:02:03"),
    "packed.zip": Made(
        makers.zipped({"garden/soil.txt": "Worms turn the soil every year.\n"}),
        "text",
        "Worms turn the soil every year.",
        "line 1",
    ),
    "paper.pdf": Made(
        (DATA / "pdf" / "pdfa_one_page.pdf").read_bytes(), "pdf", "They push the human race forward.", "page 1 of 1"
    ),
    # What they are is seen by their content, whatever they are called.
    "letter.txt": Made(
        makers.docx(makers.paragraph("A wrong name hides a letter from nobody.")),
        "docx",
        "A wrong name hides a letter from nobody.",
    ),
    "film.md": Made(
        SRT.replace("captain", "cook").encode(), "subtitles", "Nobody has seen the cook since noon.", "0:05"
    ),
    "ports.txt": Made(makers.RTF.encode(), "rtf", "The sea rises twice a day."),
}


def shown(program: Program, qtbot, made: Made) -> str:
    """Find the sentence of a file, show and check its mark; returns where it is said to stand."""
    hit = program.workspace.search(SearchRequest(made.text, top_k=5), key=None).wait(120).hits[0]
    assert hit.text == made.text
    reader = show(program, qtbot, hit)
    if made.kind == "pdf":
        assert reader.pages.current_rects()
        return reader.head.place.text()
    assert reader.mode == "text"
    qtbot.waitUntil(lambda: reader.text.sentence_place(hit.ordinal) is not None)
    (mark,) = reader.text.extraSelections()
    assert mark.cursor.selectedText() == made.text
    assert reader.text.viewport().rect().contains(reader.text.cursorRect(mark.cursor).center())
    return reader.head.place.text()


def test_a_sentence_of_every_format_is_found_opened_and_marked(
    start: Callable[..., Program], tmp_path: Path, qtbot
) -> None:
    folder = tmp_path / "all kinds"
    folder.mkdir()
    for name, made in FILES.items():
        (folder / name).write_bytes(made.data)
    program = start(files=[str(folder)])
    session = program.window.session
    qtbot.waitUntil(lambda: session.phase == "ready")
    qtbot.waitUntil(lambda: session.status.library.states == {"ready": len(FILES)})
    documents = program.workspace.documents().wait(120)
    kinds = {Path(each.path).relative_to(folder).parts[0]: each.type for each in documents}
    assert kinds == {name: made.kind for name, made in FILES.items()}
    assert {name: shown(program, qtbot, made) for name, made in FILES.items()} == {
        name: made.place for name, made in FILES.items()
    }
