"""One or more files of every format: the tests that hold for all formats read this table."""

from __future__ import annotations

from typing import NamedTuple

from desktop_app.core.formats import DocumentType
from tests.text import makers
from tests.text.helpers import PDFS

SRT = "1\n00:00:05,000 --> 00:00:07,500\nNobody has seen the captain since noon.\n"
VTT = "WEBVTT\n\n01:02:03.000 --> 01:02:04.000\nThe engine stopped by itself.\n"
CHAPTERS = {"one.xhtml": "<p>The winter began early.</p>", "two.xhtml": "<p>Snow covered the railway for a week.</p>"}


class Sample(NamedTuple):
    """A file: its bytes, its format, a sentence in it, and the location that the window shows for that sentence."""

    data: bytes
    kind: DocumentType
    text: str
    place: str = ""


SAMPLES = {
    "bay.txt": Sample(
        "The bay empties twice a day.\n\nGulls wait for the\nlowest water of all.\n".encode("utf-16"),
        "text",
        "Gulls wait for the lowest water of all.",
        "lines 3–4",
    ),
    "bread.md": Sample(
        b"# Bread\n\nDough rests *overnight* in the cold.\n", "markdown", "Dough rests overnight in the cold.", "line 3"
    ),
    "bees.html": Sample(
        b"<!DOCTYPE html><html><p>Bees sleep in the flowers they visit.</p>",
        "html",
        "Bees sleep in the flowers they visit.",
    ),
    "ferry.docx": Sample(
        makers.docx(makers.paragraph("The ferry no longer stops at the island.")),
        "docx",
        "The ferry no longer stops at the island.",
    ),
    "mill.odt": Sample(
        makers.odt("<text:p>The mill grinds only when the wind is strong.</text:p>"),
        "odt",
        "The mill grinds only when the wind is strong.",
    ),
    "tower.rtf": Sample(
        rb"{\rtf1\ansi The lighthouse was sold to a painter.\par}", "rtf", "The lighthouse was sold to a painter."
    ),
    "bridge.pptx": Sample(
        makers.pptx({"slide1.xml": makers.shape("Bridges"), "slide2.xml": makers.shape("The bridge opens at noon.")}),
        "presentation",
        "The bridge opens at noon.",
        "slide 2",
    ),
    "lock.odp": Sample(
        makers.odp(f"<draw:page>{makers.frame('The lock closes at night.')}</draw:page>"),
        "presentation",
        "The lock closes at night.",
        "slide 1",
    ),
    "quays.xlsx": Sample(
        makers.xlsx({"Ports": makers.cells("port", "note") + makers.cells("Cork", "Fog closes it in March")}),
        "spreadsheet",
        "port: Cork · note: Fog closes it in March",
        "Ports, row 2",
    ),
    "wells.ods": Sample(
        makers.ods(f'<table:table table:name="Wells">{makers.open_row("The deep well fell dry.")}</table:table>'),
        "spreadsheet",
        "The deep well fell dry.",
        "Wells, row 1",
    ),
    "winter.epub": Sample(makers.epub(CHAPTERS), "epub", "Snow covered the railway for a week.", "chapter 2"),
    "ports.csv": Sample(
        b"port,note\nEmden,It has three cranes\nHusum,Storms flood its quay\n",
        "csv",
        "port: Husum \u00b7 note: Storms flood its quay",
        "row 3",
    ),
    "hives.tsv": Sample(
        b"hive\tyield\nsouthern\tforty jars of honey\n",
        "csv",
        "hive: southern \u00b7 yield: forty jars of honey",
        "row 2",
    ),
    "coast.tex": Sample(
        b"\\documentclass{article}\n\\begin{document}\nThe \\emph{coast} is\nsteep~\\cite{a}.\n\\end{document}\n",
        "latex",
        "The coast is steep.",
        "lines 3–4",
    ),
    "harbour.tmx": Sample(
        makers.tmx(("The harbour is full.", "Der Hafen ist voll."), ("The pier is new.", "Die Mole ist neu.")).encode(),
        "translation",
        "The pier is new.",
        "row 2",
    ),
    "saved.mhtml": Sample(
        makers.saved_page("<p>Crabs walk to the shore at night.</p>").encode(),
        "html",
        "Crabs walk to the shore at night.",
    ),
    "cafe.eml": Sample(makers.MAIL.encode(), "email", "The caf\u00e9 is open again."),
    "letters.mbox": Sample(makers.BOX.encode(), "email", "The second one answers.", "message 2"),
    "film.srt": Sample(SRT.encode(), "subtitles", "Nobody has seen the captain since noon.", "0:05"),
    "talk.vtt": Sample(VTT.encode(), "subtitles", "The engine stopped by itself.", "1:02:03"),
    "packed.zip": Sample(
        makers.zipped({"garden/soil.txt": "Worms turn the soil every year.\n"}),
        "text",
        "Worms turn the soil every year.",
        "line 1",
    ),
    "paper.pdf": Sample(
        (PDFS / "pdfa_one_page.pdf").read_bytes(), "pdf", "They push the human race forward.", "page 1 of 1"
    ),
    # The content decides, not the name.
    "letter.txt": Sample(
        makers.docx(makers.paragraph("A wrong name hides a letter from nobody.")),
        "docx",
        "A wrong name hides a letter from nobody.",
    ),
    "film.md": Sample(
        SRT.replace("captain", "cook").encode(), "subtitles", "Nobody has seen the cook since noon.", "0:05"
    ),
    "ports.txt": Sample(makers.RTF.encode(), "rtf", "The sea rises twice a day."),
}
