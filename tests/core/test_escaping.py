"""Whatever a document says, files written from it are read by others as exactly that."""

from __future__ import annotations

import codecs
import csv
import io
import json
import os
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import rispy
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pybtex.database import parse_string

from desktop_app.cli.sentence_files import open_occurrence_writer
from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.bibliography import Reference
from desktop_app.core.citation import CitedSentence, format_citations
from desktop_app.core.cluster_files import cluster_writer
from desktop_app.core.duplicates import Pair, PairLabel
from desktop_app.core.errors import StorageFull
from desktop_app.core.escaping import (
    escape_bibtex,
    escape_html,
    escape_markdown,
    flatten_text,
    protect_cell,
    restore_cell,
    to_json_line,
)
from desktop_app.core.evaluation_files import write_scores
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.labelled_data import write_pair_labels
from desktop_app.core.pair_tables import read_pair_table, write_pair_table
from desktop_app.core.records import Hit, Occurrence, Place
from desktop_app.core.result_files import pair_writer, write_hits
from desktop_app.core.trace import Diff, DiffRow, Trace, TracedSentence
from desktop_app.core.trace_files import write_diff_in_steps, write_trace_in_steps
from tests.any_text import LETTERS

CRAFTED = (
    "an open { brace",
    "a closed } brace}, author = {Nobody",
    "back\\slash \\} \\{ at the end\\",
    "@misc{other, title = {x}}",
    "![x](http://example.org/x.png) <img src=x onerror=alert(1)>",
    "[link]: http://example.org",
    "1) a list",
    "- a list",
    "---",
    ":-: ",
    "===",
    "~~~",
    "a | b",
    "&lt;b&gt; &#65; &copy",
    "</title><script>alert(1)</script>",
    "*strong* _weak_ `code`",
    "=1+1",
    "+49 170",
    "-5",
    "-",
    "@SUM(A1)",
    "'=quoted",
    "\t=tab",
    "line\nbreak\r\n\r\n# heading",
    "line\u2028break\x85there",
    "\x00nul \x1bescape",
    "$a$ 100% #1 x_1 a^b ~c",
    "ends in a blank\N{NO-BREAK SPACE}",
    "\udcff",
)
ANYTHING = st.one_of(
    st.sampled_from(CRAFTED),
    st.text(LETTERS, max_size=40),
    st.lists(st.sampled_from([*"\\{}[]()<>&;#*_`~|-+=:.!\"'@%$^,1a \n\t", "lt", "--"]), max_size=14).map("".join),
)
FAST = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def hit(text: str, name: str = "paper", number: int = 1, page_label: str = "") -> Hit:
    place = (Place(number, 0, 9, "pdfium"),)
    return Hit(
        1, 0.9, number, text, "", "", 1, name, f"/papers/{name}", "pdf", number, "body", place, page_label=page_label
    )


def saved(text: str) -> str:
    """The text as a file has it: what is no character there is written as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def parse_bibtex(source: str) -> list[tuple[str, dict[str, str]]]:
    """Read entries by BibTeX's own rules: a brace counts, whatever stands before it."""
    entries = []
    place = 0
    while (start := source.find("@", place)) >= 0:
        assert not source[place:start].strip(), "text between two entries"
        head = re.compile(r"@misc\{([a-z0-9-]+)").match(source, start)
        assert head
        place, fields = head.end(), {}
        while source[place] == ",":
            name = re.compile(r",\s*([a-z]+) = \{").match(source, place)
            assert name
            begin = place = name.end()
            depth = 1
            while depth:
                depth += {"{": 1, "}": -1}.get(source[place], 0)
                place += 1
            assert name[1] not in fields
            fields[name[1]] = source[begin : place - 1]
        end = re.compile(r"\s*\}").match(source, place)
        assert end
        place = end.end()
        entries.append((head[1], fields))
    assert not source[place:].strip()
    return entries


_COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
} | {"\\" + letter: letter for letter in "%&#_$"}


def typeset(field: str) -> str:
    """Return what TeX prints for a field; no command and no sign with a meaning of its own may remain."""
    pieces = re.split(r"(\\[a-z]+\{\}|\\.)", field)
    assert not re.search(r"[{}%&#$^~\\]", "".join(pieces[::2]))
    return "".join(_COMMANDS[piece] if at % 2 else piece for at, piece in enumerate(pieces))


@FAST
@given(text=ANYTHING, name=ANYTHING, place=ANYTHING)
def test_bibtex_keeps_every_text_in_its_field(text: str, name: str, place: str) -> None:
    sources = [CitedSentence(text, Reference(title=name), f"/x/{number}{name}", place) for number in range(2)]
    entries = parse_bibtex(format_citations(sources, "bibtex"))
    assert len({key for key, _ in entries}) == 2, "no key occurs twice"
    for _, fields in entries:
        assert set(fields) <= {"title", "howpublished", "note"}
        assert typeset(fields.get("note", "")) == flatten_text((f"{place}: {text}" if place else text) if text else "")
        assert typeset(fields.get("title", "")) == flatten_text(name)
    assert typeset(escape_bibtex(text)) == flatten_text(text)


@FAST
@given(
    texts=st.fixed_dictionaries({name: ANYTHING for name in ("title", "container", "pages", "url", "key", "language")}),
    names=st.lists(st.tuples(ANYTHING, ANYTHING), max_size=3),
)
@example(texts={"title": "T", "key": "a\x1b&"}, names=[("Panel on Climate and Sea, The", "A and B"), ("", ", and ")])
def test_a_reference_of_anything_is_one_entry(texts: dict[str, str], names: list[tuple[str, str]]) -> None:
    authors = tuple(f"{family}, {given}" for family, given in names)
    cited = [CitedSentence("x", Reference(authors=authors, **texts), f"/{number}", "p. 3") for number in range(2)]
    bibtex, ris = format_citations(cited, "bibtex"), format_citations(cited, "ris")
    entries = parse_string(bibtex, "bibtex").entries.values()
    assert len(entries) == len(rispy.loads(ris, skip_unknown_tags=True)) == 2
    assert all(len(entry.persons.get("author", ())) <= len(authors) for entry in entries)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", bibtex + ris)


def _shown(tokens: Sequence[Token]) -> str:
    """Return the text of inline tokens."""
    texts = (" " if token.type == "softbreak" else token.content + _shown(token.children or ()) for token in tokens)
    return "".join(texts)


def _blocks(source: str) -> list[tuple[str, str]]:
    """Return the type of every block of a Markdown file, with its text."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source)
    return [(token.type, _shown(token.children or ())) for token in tokens]


_HARMLESS = {"text", "text_special", "softbreak"}


@FAST
@given(text=ANYTHING)
def test_markdown_shows_a_text_unchanged_wherever_it_stands(text: str) -> None:
    escaped, plain = escape_markdown(text), flatten_text(text)
    for before in ("", "> ", "- ", "# ", "an earlier line \\| of text\n"):
        tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(before + escaped + "\n")
        inline = [token for token in tokens if token.type == "inline"]
        assert {child.type for token in inline for child in token.children or ()} <= _HARMLESS
        allowed = {"inline", "paragraph", "blockquote", "bullet_list", "list_item", "heading"}
        assert {token.type.removesuffix("_open").removesuffix("_close") for token in tokens} <= allowed
        assert len(inline) == bool(plain or before.startswith("an")) or before == "# "
        shown = "".join(_shown(token.children or ()) for token in inline)
        assert shown.removeprefix("an earlier line | of text").strip() == plain


class _Page(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@FAST
@given(text=ANYTHING)
def test_html_and_xml_hold_a_text_unchanged(text: str) -> None:
    escaped = saved(escape_html(text))
    plain = saved(flatten_text(text))
    page = _Page(f"<p title='{escaped}'>{escaped}</p>")
    assert page.tags == ["p"]
    assert "".join(page.texts) == plain
    node = ElementTree.fromstring(f'<text x="{escaped}">{escaped}</text>')
    assert (node.text or "", node.get("x")) == (plain, plain)


@FAST
@given(text=ANYTHING)
@example("＝1+1")
def test_no_cell_is_a_formula_and_each_can_be_restored(text: str) -> None:
    cell = protect_cell(text)
    assert isinstance(cell, str)
    assert restore_cell(cell) == text
    is_number = re.fullmatch(r"[-+][\d.,]+(e[-+]?\d+)?\s?%?", cell, re.I)
    assert len(cell) < 2 or cell[0] not in "=+-@\t\r\n＝＋－＠" or is_number


def test_numbers_in_a_table_stay_numbers() -> None:
    assert [protect_cell(cell) for cell in (-0.5, -3, None, "-0.5", "+3 %", "-1e-7", "-")] == [
        *(-0.5, -3, None),
        *("-0.5", "+3 %", "-1e-7", "-"),
    ]


@FAST
@given(text=ANYTHING)
def test_a_line_of_json_is_one_line(text: str) -> None:
    line = saved(to_json_line({"text": text}))
    assert line.splitlines() == [line[:-1]]
    assert json.loads(line)["text"] == text


def _write_all(folder: Path, text: str, name: str) -> None:
    """Write `text` of a document with this name by every writer that a person can choose."""
    one, other = hit(text, name, 1, text), hit(text + " again", name, 2)
    for suffix in (".md", ".csv", ".jsonl", ".html"):
        write_hits(str(folder / f"hits{suffix}"), text, [one, other])
    row = DiffRow("changed", 0.81, one, other, ("numbers",))
    sources = (
        TracedSentence(text, None, "paraphrased", 0.9, (one, other)),
        TracedSentence(text, None, "unsupported", 0.1),
    )
    for suffix in (".md", ".csv", ".jsonl"):
        with pair_writer(str(folder / f"pairs{suffix}")) as write_pairs:
            write_pairs([Pair(0.9, "paraphrase", (), one, other)])
        with cluster_writer(str(folder / f"clusters{suffix}")) as write_cluster:
            write_cluster(None, [one, other])
        with open_occurrence_writer(str(folder / f"sentences{suffix}")) as write_sentences:
            write_sentences([Occurrence(1, text, 1, f"/papers/{name}", 0, 0, "body", one.places)])
        run_to_completion(write_trace_in_steps(str(folder / f"trace{suffix}"), Trace(sources, 0.1, own=(name,))))
        run_to_completion(write_diff_in_steps(str(folder / f"diff{suffix}"), Diff((row,), 0.1)))
    run_to_completion(write_trace_in_steps(str(folder / "trace.bib"), Trace(sources, 0.1)))
    write_scores(folder / "scores.csv", [(text, {"accuracy": -0.5}, None)])
    for suffix in (".tsv", ".csv", ".jsonl"):
        write_pair_labels(str(folder / f"marks{suffix}"), [PairLabel(text, text, same=True)])


@pytest.mark.parametrize("text", CRAFTED)
def test_every_file_is_read_as_what_was_written(tmp_path: Path, text: str) -> None:
    _write_all(tmp_path, text, "paper")
    quoted = _write_and_list(tmp_path)
    calm = tmp_path / "calm"
    calm.mkdir()
    _write_all(calm, "words", "paper")
    for file in quoted:
        source, usual = (saved_text(folder / file.name) for folder in (tmp_path, calm))
        if file.suffix == ".md":
            assert [kind for kind, _ in _blocks(source)] == [kind for kind, _ in _blocks(usual)], file.name
            assert flatten_text(saved(text)) in " ".join(shown for _, shown in _blocks(source)), file.name
        elif file.suffix == ".html":
            assert _Page(source).tags == _Page(usual).tags
        elif file.suffix == ".bib":
            ((_, fields),) = parse_bibtex(source)
            assert all(saved(flatten_text(each)) in typeset(fields["note"]) for each in (text, text + " again"))
        elif file.suffix in (".csv", ".tsv"):
            dialect = "excel" if file.suffix == ".csv" else "excel-tab"
            quoting = csv.QUOTE_MINIMAL if file.suffix == ".csv" else csv.QUOTE_NONE
            rows = list(csv.reader(io.StringIO(source, newline=""), dialect, quoting=quoting))
            assert len({len(cells) for cells in rows}) == 1
            assert len(rows) == len(list(csv.reader(io.StringIO(usual, newline=""), dialect))), file.name
            for cell in (cell for cells in rows for cell in cells):
                assert protect_cell(cell) in (cell, "'" + cell if cell.startswith("'") else cell), file.name
        else:
            assert [set(json.loads(line)) for line in source.splitlines()] == [
                set(json.loads(line)) for line in usual.splitlines()
            ]


def saved_text(file: Path) -> str:
    return file.read_bytes().decode("utf-8")


def _write_and_list(folder: Path) -> list[Path]:
    files = sorted(each for each in folder.iterdir() if each.is_file())
    assert len(files) == 24
    return files


@pytest.mark.parametrize("suffix", [".tsv", ".csv", ".jsonl"])
@pytest.mark.parametrize("text", [each for each in CRAFTED if each.isprintable()])
def test_a_table_of_pairs_is_read_as_it_was_written(tmp_path: Path, text: str, suffix: str) -> None:
    file = tmp_path / f"pairs{suffix}"
    write_pair_table(str(file), ("sentence1", "sentence2", "score"), [(text, f"{text}.", "-0.5")])
    assert read_pair_table(str(file)).rows == ((text, f"{text}.", "-0.5"),)


def test_a_file_with_a_long_name_is_written_and_a_folder_is_not(tmp_path: Path) -> None:
    file = tmp_path / ("n" * 250 + ".md")
    with open_atomic(str(file)) as out:
        out.write(b"text")
    assert file.read_bytes() == b"text"
    with pytest.raises(StorageFull), open_atomic(str(tmp_path)) as out:
        out.write(b"text")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes in folders, as POSIX has them")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with open_atomic(str(pipe)) as out:
            out.write(b"text")
        assert os.read(reader, 99) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_csv_file_begins_with_the_mark_by_which_excel_knows_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    write_pair_table(str(file), ("sentence1", "sentence2"), [("Größe", "Maß")])
    assert file.read_bytes() == codecs.BOM_UTF8 + "sentence1,sentence2\r\nGröße,Maß\r\n".encode()
    assert read_pair_table(str(file)).header == ("sentence1", "sentence2")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes in folders, as POSIX has them")
def test_csv_on_a_pipe_begins_with_the_first_column(tmp_path: Path) -> None:
    pipe = tmp_path / "pairs.csv"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_pair_table(str(pipe), ("sentence1", "sentence2"), [("Größe", "Maß")])
        assert os.read(reader, 99).startswith(b"sentence1,")
    finally:
        os.close(reader)
