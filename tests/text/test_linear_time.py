"""Readers and the query parser take steps in proportion to the text, whatever it repeats.

A step is a line of Python that runs, or a character that a pattern is given. The patterns themselves are tested by the
reader's own limit, with files that once took minutes.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import pkgutil
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

import desktop_app.core.language_detection
import desktop_app.core.query
import desktop_app.text
import desktop_app.text.readers
from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import FORMATS, type_by_name
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.query import parse_query
from desktop_app.core.reader_events import ReaderLimits
from desktop_app.text.reader_process import ProcessReader
from desktop_app.text.readers import read_document
from desktop_app.text.readers.pdf_running_lines import find_running_lines
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS
from desktop_app.text.splitter import split_sentences
from tests.text import makers
from tests.text.helpers import At, finish, made_pdf, read_here

UNITS = (
    *(". ", ".", "-", "- ", "。", "「", "«", "!", '?"', "Mr. ", " ", "\t", "\n", "a\n", "a\n\n", "a\n---\n", "a b\n"),
    *("| a | b |\n", "|", "<", "<b>", "<b ", "<!--", "<!-- x -->", "&", "&amp;", "&amp;\n", "&#1", "[", "[a](b) "),
    *("[a]: b\n", "](", "*", "**a", "_", "`", "~", "# a\n", "> ", "- a\n", "1. a\n", "\\", "{", "}", "(", "“", "'"),
    *("0", "1 ", '"', '"a",', "a,", ",", ";", "From a\n", "a@b.c, ", "=?utf-8?q?a?= ", "--x\n", "-->", "é", "中", "😀"),
    *("a OR ", "(a OR b) ", "a* "),
    *(
        "[[",
        "[[a|b]] ",
        "![[a",
        "==",
        "==a== ",
        "%%",
        " %% ",
        "^[",
        "^[a] ",
        "[^1] ",
        "#a ",
        "> [!a] ",
        "\\a{",
        "\\a{}",
        "\\a[",
        "\\footnote{a} ",
        "\\begin{verbatim}",
        "\\begin{a}\\end{a}",
        "\\[",
        "$a$ ",
        "\\\\",
        "\\item a\n",
        "\\'e",
        "%\n",
        "- [ ] a\n",
        " ^ab\n",
    ),
    *("\u0301", "x", "word ", "Word word. ", "http://a.b/ ", "<p>", "<script>", "\x0c", "```\n", "\r\n", "a-\n"),
    *(
        "00:01.000 --> 00:02.000\na\n\n",
        "title:x ",
        '-"a" ',
        "a OR ",
        "(a OR b) ",
        "a* ",
        "From a@b Mon Jan 1 00:00:00 2020\nSubject: x\n\n",
    ),
)


def _to_xml(text: str) -> str:
    return escape(text).replace("\x0c", " ")


def _to_pdf(text: str) -> bytes:
    """Make pages of fifty lines of sixty characters."""
    text = text.encode("cp1252", "replace").decode("cp1252")
    lines = textwrap.wrap(text, 60, drop_whitespace=False, replace_whitespace=False, expand_tabs=False) or [""]
    lines = [part for line in lines for part in line.splitlines() or [""]]
    pages = [lines[at : at + 50] for at in range(0, len(lines), 50)]
    return made_pdf([[At(50, 750 - 14 * row, line) for row, line in enumerate(page)] for page in pages])


MAKERS: dict[str, Callable[[str], bytes]] = {
    "a.txt": str.encode,
    "a.md": str.encode,
    "a.csv": str.encode,
    "a.tsv": str.encode,
    "a.html": lambda text: f"<!doctype html><body>{text}".encode(),
    "a.rtf": lambda text: f"{{\\rtf1 {text}".encode(),
    "a.srt": lambda text: f"1\n00:00:01,000 --> 00:00:02,000\n{text}".encode(),
    "a.vtt": lambda text: f"WEBVTT\n\n00:01.000 --> 00:02.000\n{text}".encode(),
    "a.eml": lambda text: f"Message-ID: <a>\nSubject: a\n\n{text}".encode(),
    "b.eml": lambda text: f"Message-ID: <a>\nTo: {text}".encode(),
    "c.eml": lambda text: f"Message-ID: <a>\nContent-Type: text/html\n\n{text}".encode(),
    "a.mbox": lambda text: f"From a@b Mon Jan 1 00:00:00 2020\nSubject: a\n\n{text}".encode(),
    "a.docx": lambda text: makers.docx(makers.paragraph(escape(text).replace("\x0c", " "))),
    "a.odt": lambda text: makers.odt(f"<text:p>{escape(text)}</text:p>".replace("\x0c", " ")),
    "a.epub": lambda text: makers.epub({"a.xhtml": text}),
    "a.tex": str.encode,
    "b.tex": lambda text: f"\\documentclass{{a}}\\title{{{text}}}\\begin{{document}}\\footnote{{{text}".encode(),
    "a.tmx": lambda text: makers.tmx((_to_xml(text), "a")).encode(),
    "a.xlf": lambda text: makers.xliff((_to_xml(text), "a")).encode(),
    "a.xlsx": lambda text: makers.xlsx({"a": makers.cells(_to_xml(text))}),
    "a.ods": lambda text: makers.ods(f'<table:table table:name="a">{makers.open_row(_to_xml(text))}</table:table>'),
    "b.xlf": lambda text: makers.xliff((_to_xml(text), "a"), version="2.0").encode(),
    "a.pptx": lambda text: makers.pptx({"a.xml": makers.shape(_to_xml(text))}),
    "a.odp": lambda text: makers.odp(f"<draw:page>{makers.frame(_to_xml(text))}</draw:page>"),
    "a.pdf": _to_pdf,
    "a.mhtml": lambda text: makers.saved_page(text).encode(),
}
SHORT = 150
"""Characters; patterns and loops that take squared time show it from there on."""
FEW = 5 * SHORT
"""Steps; fewer may come and go with a text of any length."""
MOST_GROWTH = 7
"""Four times the text takes four times the steps, besides those of an empty file; squared time would take sixteen."""


class Steps:
    """Counts steps."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Steps:
        self.count = lines = 0
        gc.disable()  # what the garbage of other tests does at its end is no step
        before = sys.gettrace()

        def trace(_frame: FrameType, event: str, _value: object) -> Callable[..., Any]:
            nonlocal lines  # a variable: an attribute would take twice the time
            if event == "line":
                lines += 1
            return trace

        def end() -> None:
            sys.settrace(before)
            self.count += lines

        self._end = end
        sys.settrace(trace)
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        gc.enable()


class CountedPattern:
    """A pattern that counts the characters it is given."""

    def __init__(self, pattern: re.Pattern[Any], steps: Steps) -> None:
        self._pattern = pattern
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def _given(self, text: Any, pos: int = 0, endpos: int = sys.maxsize) -> tuple[Any, int, int]:
        self._steps.count += max(min(len(text), endpos) - pos, 0)
        return text, pos, endpos

    def search(self, *arguments: Any) -> Any:
        found = self._pattern.search(*arguments)
        if found is None:
            self._given(*arguments)
        else:
            self._steps.count += found.end() - found.pos
        return found

    def match(self, *arguments: Any) -> Any:
        found = self._pattern.match(*arguments)
        self._steps.count += 1 if found is None else found.end() - found.pos
        return found

    def finditer(self, *arguments: Any) -> Any:
        return self._pattern.finditer(*self._given(*arguments))

    def findall(self, *arguments: Any) -> Any:
        return self._pattern.findall(*self._given(*arguments))

    def sub(self, new: Any, text: Any) -> Any:
        return self._pattern.sub(new, self._given(text)[0])

    def split(self, text: Any) -> Any:
        return self._pattern.split(self._given(text)[0])


@functools.cache
def _text_modules() -> list[ModuleType]:
    packages = (desktop_app.text, desktop_app.text.readers)
    names = [f"{each.__name__}.{info.name}" for each in packages for info in pkgutil.iter_modules(each.__path__)]
    return [importlib.import_module(name) for name in names]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """A counter of steps; the patterns of the readers and of the query parser count too."""
    steps = Steps()
    for module in (*_text_modules(), desktop_app.core.query, desktop_app.core.language_detection):
        for attribute, value in vars(module).items():
            if isinstance(value, re.Pattern):
                monkeypatch.setattr(module, attribute, CountedPattern(value, steps))
    return steps


def repeated(unit: str, length: int) -> str:
    return unit * (length // len(unit)) + "end"


def count_reading(steps: Steps, path: Path, data: bytes) -> int:
    path.write_bytes(data)
    with steps:
        try:
            for _ in read_document(path):
                pass
        except FileFailure:
            pass
    return steps.count


def test_every_format_is_tried() -> None:
    """Texts of images come from another program, a page at a time."""
    assert {type_by_name(Path(name)) for name in MAKERS} == {*FORMATS} - {"image"}


def _grows_in_proportion(count: Callable[[str], int], unit: str, size: int, without: int) -> bool:
    """Compare a text with one of a quarter of its length; both besides a file of the unit alone (at most `without`).

    Most pass by the longer text alone, or by both.
    """
    long = count(repeated(unit, 4 * size))
    if long <= MOST_GROWTH * FEW:
        return True
    short = count(repeated(unit, size))
    if long <= short + (MOST_GROWTH - 1) * max(short - without, FEW):
        return True
    empty = min(without, count(f"{unit}end"))  # one unit may make it a file of another format
    most = empty + MOST_GROWTH * max(short - empty, FEW)
    # A text of another length may import more modules; the second reading imports none.
    return long <= most or count(repeated(unit, 4 * size)) <= most


@pytest.mark.parametrize("name", MAKERS)
def test_four_times_the_text_takes_four_times_the_steps(
    name: str, steps: Steps, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    make = MAKERS[name]
    # By default each format is given a third of the units, and every unit to a third of the formats.
    units = UNITS if pytestconfig.getoption("--slow") else UNITS[list(MAKERS).index(name) % 3 :: 3]
    # A short row of a table is one sentence, whatever it holds.
    least = 6 * SHORT if name.endswith(("sv", "tmx", "xlf", "xlsx", "ods")) else SHORT

    def count(text: str) -> int:
        return count_reading(steps, tmp_path / name, make(text))

    count("end")  # modules are imported
    without = count("end")
    grown = {}
    # A page takes long, and what it repeats makes little difference to most of the steps.
    for unit in units[::4] if name == "a.pdf" else units:
        size = max(least, 6 * len(unit))
        # Some lines are treated in another way from a length on: then longer ones tell.
        if not any(_grows_in_proportion(count, unit, each, without) for each in (size, 4 * size)):
            grown[unit] = size
    assert grown == {}


@pytest.mark.parametrize("parse", [parse_query, split_sentences, lambda text: parse_query(text).keyword_query])
def test_queries_and_sentences_take_steps_in_proportion(parse: Callable[[str], object], steps: Steps) -> None:
    grown = {}
    for unit in UNITS:
        counts = []
        for size in (10 * SHORT, 40 * SHORT):
            with steps:
                parse(repeated(unit, size))
            counts.append(steps.count)
        if counts[1] > MOST_GROWTH * counts[0]:
            grown[unit] = counts
    assert grown == {}


@pytest.mark.parametrize("spread", [0.0, 0.5], ids=["at one height", "at any height"])
def test_running_heads_of_many_pages_take_steps_in_proportion(spread: float, steps: Steps) -> None:
    counts = []
    for count in (200, 800):
        pages = [[("The Hound of the Baskervilles", 780.0 - spread * page), (f"{page}", 20.0)] for page in range(count)]
        with steps:
            run_to_completion(find_running_lines(pages, 12.0))
        counts.append(steps.count)
    assert counts[1] <= MOST_GROWTH * counts[0]


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("unit", ["Word word. ", "x"])
@pytest.mark.parametrize("every", [5_000, pytest.param(PROGRESS_CHARACTERS, marks=pytest.mark.slow)])
def test_progress_is_reported_after_so_many_characters(
    name: str, unit: str, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in _text_modules():
        if hasattr(module, "PROGRESS_CHARACTERS"):
            monkeypatch.setattr(module, "PROGRESS_CHARACTERS", every)

    def count_reports(text: str) -> int:
        (tmp_path / name).write_bytes(MAKERS[name](text))
        count = 0
        with contextlib.suppress(FileFailure):  # a single word is no text of a table
            for _ in read_document(tmp_path / name):
                count += 1
        return count

    assert count_reports(repeated(unit, 4 * every)) >= count_reports("end") + 4


ONCE_SLOW = {
    "comments.md": "<!-- badge -->\n" * 30 + "A sentence stands here.",
    "comments.html": "<!-- badge -->\n" * 30 + "<p>A sentence stands here.",
    "comments.pdf": "<!-- badge -->\n" * 30 + "A sentence stands here.",
    "dashes.txt": " -" * 20_000 + " end",
    "dots.md": "." * 60_000,
    "dots.txt": ". " * 40_000 + "end",
    "stops.txt": "。" * 60_000,
    "quotes.txt": "«" * 60_000,
    "brackets.txt": "「" * 60_000,
    "titles.txt": "Mr. " * 30_000,
    "asked.txt": '?"' * 40_000,
    "subject.eml": f"Message-ID: <a>\nSubject: {'.' * 30_000}\n\nA sentence stands here.",
    "people.eml": f"Message-ID: <a>\nTo: {', '.join(f'a{n}@example.org' for n in range(10_000))}\n\nA sentence.",
    "brackets.eml": f"Message-ID: <a>\nTo: {'(' * 30_000}\n\nA sentence stands here.",
    "underlined.txt": "".join(f"Row {n}\n--------\n" for n in range(3000)),
    "table.md": "| a | b |\n|---|---|\n" + "".join(f"| cell {n} | words |\n" for n in range(5000)),
}


@pytest.fixture
def limited() -> Iterator[ProcessReader]:
    """A reader that may compute for two seconds without progress."""
    reader = ProcessReader(ReaderLimits(silence_s=2.0, memory_bytes=700_000_000))
    yield reader
    reader.close()


def test_files_that_once_took_minutes_are_read(limited: ProcessReader, tmp_path: Path) -> None:
    states = {}
    for name, text in ONCE_SLOW.items():
        (tmp_path / name).write_text(text, "utf-8")
        states[name] = finish(limited.start(tmp_path / name)).state
    assert {name: state for name, state in states.items() if state != "ready"} == {"comments.pdf": "damaged"}


PATIENCE_S = 3600
"""The reader ends by its own limit, which counts the processor's time; on a busy machine that takes much longer."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_a_megabyte_of_anything_ends_within_the_limits(name: str, tmp_path: Path) -> None:
    reader = ProcessReader(ReaderLimits(silence_s=20.0, memory_bytes=1_000_000_000))
    states = {}
    for unit in UNITS:
        (tmp_path / name).write_bytes(MAKERS[name](repeated(unit, 1_000_000)))
        states[unit] = finish(reader.start(tmp_path / name), PATIENCE_S).state
    reader.close()
    assert {unit: state for unit, state in states.items() if state in ("timeout", "too_large")} == {}


def test_a_sentence_repeated_for_ever_is_kept_a_thousand_times(tmp_path: Path) -> None:
    path = tmp_path / "again.txt"
    path.write_text("The same line comes again.\n\n" * 5000 + "The last line is another one.\n", "utf-8")
    result = read_here(path)
    assert result.texts.count("The same line comes again.") == 1000
    assert result.texts[-1] == "The last line is another one."
    assert [str(each) for each in result.done.warnings] == [
        "4,000 repetitions of sentences that occur more than 1,000 times were skipped"
    ]


@pytest.mark.parametrize("text", [" ".join(f"word{n}" for n in range(30_000)), "x" * 200_000])
def test_an_endless_paragraph_is_divided_with_a_remark_and_loses_nothing(text: str, tmp_path: Path) -> None:
    path = tmp_path / "endless.txt"
    path.write_text(text, "utf-8")
    result = read_here(path)
    assert "".join("".join(each.split()) for each in result.texts) == "".join(text.split())
    assert [each.code for each in result.done.warnings] == ["paragraphs_divided"]
