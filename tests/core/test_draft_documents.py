"""A checked draft as a document: its own text in its own paragraphs, with footnotes that cite the sources."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from desktop_app.core.bibliography import Reference
from desktop_app.core.draft_documents import iter_paragraphs
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.trace import SkippedLine, Trace, TracedSentence
from desktop_app.core.trace_files import write_trace_in_steps
from desktop_app.core.trace_texts import ENGLISH_TEXTS, TraceTexts
from tests.core.test_docx_writer import W, read_parts, read_text
from tests.core.test_trace_files import ONE, OTHER

if TYPE_CHECKING:
    from desktop_app.core.citation_styles import CitationStyle

SEA = replace(ONE, document_id=2, text="The sea rises.", title="Sea", path="/sea.md", places=(), type="markdown")
DRAFT = Trace(
    (
        TracedSentence("The ice will melt.", None, "paraphrased", 0.9, (ONE, OTHER), ("numbers",), 1),
        TracedSentence("Salt is <b>salt</b>.", None, "unsupported", 0.1, (), (), 1),
        TracedSentence("The ice melts!", None, "verbatim", 1.0, (ONE,), (), 2),
        TracedSentence("Water is wet.", None, "related", 0.5, (SEA,), (), 3, "list"),
    ),
    0.1,
    skipped=3,
    skipped_lines=(
        SkippedLine("On ice", "heading", 0, 0),
        SkippedLine("See", "body", 2, 2),
        SkippedLine("x = 1", "code", 4, 4),
    ),
)
REFERENCES = {
    1: Reference(kind="book", title="Ice", authors=("Li, Ann",), date="1999", publisher="Cold"),
    2: Reference(title="Sea", authors=("Roe, Jim",), date="2001"),
}


def words(style: CitationStyle = "chicago-notes", language: str = "en") -> TraceTexts:
    return TraceTexts(references=REFERENCES, style=style, language=language)


def test_headings_paragraphs_and_lines_are_those_of_the_draft() -> None:
    paragraphs = [(each.kind, [piece.text for piece in each.pieces]) for each in iter_paragraphs(DRAFT)]
    assert paragraphs == [
        ("heading", ["On ice"]),
        ("body", ["The ice will melt.", "Salt is <b>salt</b>."]),
        ("body", ["See", "The ice melts!"]),
        ("list", ["Water is wet."]),
        ("code", ["x = 1"]),
    ]


def test_of_a_draft_that_was_not_checked_to_its_end_nothing_else_follows() -> None:
    part = replace(DRAFT, sentences=DRAFT.sentences[:1], left=3)
    assert [piece.text for each in iter_paragraphs(part) for piece in each.pieces] == ["On ice", "The ice will melt."]


def test_one_skipped_line_is_in_the_singular() -> None:
    assert ENGLISH_TEXTS.list_remarks(replace(DRAFT, left=1, skipped=1))[2:4] == [
        "Stopped early: 1 sentence of the draft not checked.",
        "Skipped 1 line: headings, fragments, table rows, code and references.",
    ]


def test_word_footnotes_cite_every_source_and_the_list_names_each_once(tmp_path: Path) -> None:
    file = tmp_path / "draft.docx"
    run_to_completion(write_trace_in_steps(str(file), DRAFT, words()))
    parts = read_parts(file.read_bytes())
    notes = [read_text(each).strip() for each in parts["word/footnotes.xml"]][2:]
    assert notes == [
        "Ann Li, Ice (Cold, 1999), 3 [PDF]: “The ice melts.” (differs in numbers); Li, Ice, 4 [PDF]: “Ice is melting.”",
        "Li, Ice, 3 [PDF].",
        "See also Jim Roe, “Sea,” 2001: “The sea rises.”",
    ]
    shown = [
        (style[0].get(f"{W}val") if (style := list(each.iter(f"{W}pStyle"))) else "", read_text(each))
        for each in parts["word/document.xml"].iter(f"{W}p")
    ]
    assert shown[:5] == [
        ("Heading1", "On ice"),
        ("", "The ice will melt. Salt is <b>salt</b>."),
        ("", "See The ice melts!"),
        ("ListParagraph", "Water is wet."),
        ("Code", "x = 1"),
    ]
    assert shown[5:8] == [
        ("Heading1", "Sources"),
        ("Bibliography", "Li, Ann. Ice. Cold, 1999."),
        ("Bibliography", "Jim Roe, “Sea,” 2001."),
    ]
    assert shown[8:] == [
        ("Heading1", "About this check"),
        ("", "1 verbatim, 1 paraphrased, 1 related, 1 unsupported"),
        ("", "Facts differ from the source in 1 sentence."),
        ("", "Skipped 3 lines: headings, fragments, table rows, code and references."),
    ]


def test_a_web_page_links_each_mark_with_its_note_and_shows_the_support(tmp_path: Path) -> None:
    file = tmp_path / "draft.html"
    run_to_completion(write_trace_in_steps(str(file), DRAFT, words("apa", "de")))
    text = file.read_text("utf-8")
    page = LexborHTMLParser(text)
    assert page.css_first("html").attributes == {"lang": "de"}
    assert [each.attributes["class"] for each in page.css("p span")] == [
        *("paraphrased", "unsupported", "verbatim"),
        "related",
    ]
    for mark in page.css("sup a"):
        note = page.css_first(mark.attributes["href"] or "")
        assert note.css_first("a").attributes["href"] == f"#{mark.attributes['id']}"
    notes = [each.text() for each in page.css("li")]
    assert notes[1] == "Li, 1999, S. 3 [PDF]. ↩"
    assert "Salt is &lt;b&gt;salt&lt;/b&gt;." in text
    assert [each.text() for each in page.css("h2")] == ["On ice", "Sources", "About this check"]
    assert [each.text() for each in page.css(".entry")] == ["Li, A. (1999). Ice. Cold.", "Roe, J. (2001). Sea."]


@pytest.mark.parametrize("suffix", [".docx", ".html"])
def test_a_draft_without_sources_has_no_list_of_them(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"draft{suffix}"
    run_to_completion(
        write_trace_in_steps(str(file), Trace((TracedSentence("Salt.", None, "unsupported", None),), 0.1), words())
    )
    content = file.read_bytes()
    text = read_text(read_parts(content)["word/document.xml"]) if suffix == ".docx" else content.decode()
    assert "Salt." in text
    assert "Sources" not in text
