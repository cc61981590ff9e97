"""Writes a traced draft as a document: its whole text, with footnotes that cite the sources of its sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from desktop_app.core.citation import quote_text
from desktop_app.core.citation_styles import NOTE_STYLES, StyledReferences
from desktop_app.core.docx_writer import DocxWriter
from desktop_app.core.escaping import escape_html
from desktop_app.core.trace import TracedSentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop_app.core.docx_writer import ParagraphStyle
    from desktop_app.core.records import Hit, SpanKind
    from desktop_app.core.trace import SkippedLine, Trace
    from desktop_app.core.trace_texts import TraceTexts

_STYLES: dict[SpanKind, ParagraphStyle] = {
    "heading": "Heading1",
    "list": "ListParagraph",
    "code": "Code",
    "reference": "Bibliography",
}
_LINE_BY_LINE: frozenset[SpanKind] = frozenset({"heading", "code", "table", "reference"})

_CLOSING, _ENDS = "”“", (".", "?", "!")  # a quotation that ends a sentence ends its footnote too

_HTML_HEAD = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }}
.verbatim, .paraphrased, .related, .unsupported {{ text-decoration: underline 2px; text-underline-offset: 0.25em; }}
.verbatim {{ text-decoration-color: #2e7d4f; }}
.paraphrased {{ text-decoration-color: #2f6fb3; }}
.related {{ text-decoration-color: #b07a1e; text-decoration-style: dashed; }}
.unsupported {{ text-decoration-color: #b3402f; text-decoration-style: dotted; }}
.entry {{ padding-left: 2em; text-indent: -2em; }}
:target {{ background: color-mix(in srgb, currentColor 12%, transparent); }}
</style>
</head>
<body>
"""


@dataclass(slots=True)
class DraftParagraph:
    """A paragraph of a draft: its kind, and its sentences and skipped lines in reading order."""

    kind: SpanKind
    pieces: list[TracedSentence | SkippedLine] = field(default_factory=list)


def iter_paragraphs(trace: Trace) -> Iterator[DraftParagraph]:
    """Yield the paragraphs of a draft. Headings, code, references and rows of tables are paragraphs of their own."""
    current, number = DraftParagraph("body"), -1
    for piece in _merge(trace):
        if piece.paragraph != number or piece.kind != current.kind or piece.kind in _LINE_BY_LINE:
            if current.pieces:
                yield current
            current, number = DraftParagraph(piece.kind), piece.paragraph
        current.pieces.append(piece)
    if current.pieces:
        yield current


def _merge(trace: Trace) -> Iterator[TracedSentence | SkippedLine]:
    skipped = iter(trace.skipped_lines)
    line = next(skipped, None)
    for number, sentence in enumerate(trace.sentences):
        while line is not None and line.before <= number:
            yield line
            line = next(skipped, None)
        yield sentence
    while line is not None and not trace.left:
        yield line
        line = next(skipped, None)


class FootnoteTexts:
    """The footnotes of one draft, and the list of what they cite.

    Args:
        trace: the draft.
        words: the texts, the references and the style.
    """

    def __init__(self, trace: Trace, words: TraceTexts) -> None:
        self._words = words
        hits = {id(hit): hit for sentence in trace.sentences for hit in sentence.sources}
        self._cited = {key: words.cite_hit(hit) for key, hit in hits.items()}
        self._styled = StyledReferences(
            [cited.reference for cited in self._cited.values()], words.style, words.language
        )

    def format_note(self, sentence: TracedSentence) -> str:
        """Return the footnote of a sentence; empty without a source.

        A source with other words is quoted, so that a reader sees what it says.
        """
        if not sentence.sources:
            return ""
        is_verbatim = sentence.support == "verbatim"
        first, *others = [self._format_source(hit, quoted=not is_verbatim) for hit in sentence.sources]
        if sentence.badges:  # of the draft and its best source
            first += f" ({self._words.differs(sentence.badges)})"
        note = "; ".join([first, *others])
        if sentence.support == "related":
            note = f"{self._words.see_also} {note}"
        return note if note.rstrip(_CLOSING).endswith(_ENDS) else f"{note}."

    def list_entries(self) -> Iterator[str]:
        """Yield the list of references; nothing if nothing is cited."""
        return self._styled.list_entries()

    def _format_source(self, hit: Hit, *, quoted: bool) -> str:
        cited = self._cited[id(hit)]
        source = self._styled.cite(cited.reference, cited.unit, cited.number).rstrip(".")
        if self._words.style not in NOTE_STYLES and source.startswith("(") and source.endswith(")"):
            source = source[1:-1]
        return f"{source}: {quote_text(cited.text, self._words.language)}" if quoted else source


def write_draft_docx(file: IO[bytes], trace: Trace, words: TraceTexts, title: str) -> Iterator[int]:
    """Write a draft as a Word document with real footnotes; yields how many sentences are done."""
    notes = FootnoteTexts(trace, words)
    done = 0
    with DocxWriter(file, title, words.language) as document:
        for paragraph in iter_paragraphs(trace):
            runs = []
            for number, piece in enumerate(paragraph.pieces):
                note = ""
                if isinstance(piece, TracedSentence):
                    note = notes.format_note(piece)
                    done += 1
                    yield done
                runs.append((f" {piece.text}" if number else piece.text, note))
            document.write_paragraph(runs, _STYLES.get(paragraph.kind, "Normal"))
        for number, entry in enumerate(notes.list_entries()):
            if not number:
                document.write_paragraph([(words.sources, "")], "Heading1")
            document.write_paragraph([(entry, "")], "Bibliography")
            yield done
        document.write_paragraph([(words.remarks, "")], "Heading1")
        for remark in words.list_remarks(trace):
            document.write_paragraph([(remark, "")])


def write_draft_html(out: IO[str], trace: Trace, words: TraceTexts, title: str) -> Iterator[int]:
    """Write a draft as a web page: each sentence is marked with its support; yields how many sentences are done.

    The page needs no other file and contains no script.
    """
    texts = FootnoteTexts(trace, words)
    notes: list[str] = []
    done = 0
    out.write(_HTML_HEAD.format(language=escape_html(words.language), title=escape_html(title)))
    for paragraph in iter_paragraphs(trace):
        tag = {"heading": "h2", "code": "pre"}.get(paragraph.kind, "p")
        out.write(f"<{tag}>")
        for number, piece in enumerate(paragraph.pieces):
            out.write(" " if number else "")
            if not isinstance(piece, TracedSentence):
                out.write(escape_html(piece.text))
                continue
            kind = escape_html(words.kind(piece.support))
            out.write(f'<span class="{piece.support}" title="{kind}">{escape_html(piece.text)}</span>')
            if note := texts.format_note(piece):
                notes.append(note)
                nth = len(notes)
                out.write(f'<sup><a id="ref{nth}" href="#note{nth}" role="doc-noteref">{nth}</a></sup>')
            done += 1
            yield done
        out.write(f"</{tag}>\n")
    if notes:
        out.write('<hr>\n<section role="doc-endnotes">\n<ol>\n')
        for nth, note in enumerate(notes, start=1):
            back = f'<a href="#ref{nth}" role="doc-backlink">\N{LEFTWARDS ARROW WITH HOOK}</a>'
            out.write(f'<li id="note{nth}">{escape_html(note)} {back}</li>\n')
        out.write(f"</ol>\n</section>\n<h2>{escape_html(words.sources)}</h2>\n")
        for entry in texts.list_entries():
            out.write(f'<p class="entry">{escape_html(entry)}</p>\n')
            yield done
    out.write(f"<h2>{escape_html(words.remarks)}</h2>\n")
    out.writelines(f"<p>{escape_html(remark)}</p>\n" for remark in words.list_remarks(trace))
    out.write("</body>\n</html>\n")
