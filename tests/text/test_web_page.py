"""Web pages: the text that a browser shows, in order, in the declared encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import Result, read_here

PAGE = """<!DOCTYPE html><html><head><title>The  tide
 table</title><meta name="Author" content="A. Writer"><style>p { color: red }</style>
<script>var hidden = "never shown";</script></head><body>
<nav><a href="/">Home is navigation.</a></nav>
<h1>Tides of the bay</h1>
<p>The sea rises <b>twice</b> a day.<!-- unseen --> It falls&nbsp;as often.</p>
<div>A loose line<br>goes on here.<br><br>Another paragraph stands apart.</div>
<h2>Notes</h2><ul><li>First item of a list.</li><li>Second item.</li></ul>
<table><tr><th>Port</th><th>Height</th></tr><tr><td>Emden</td><td>3.2 m</td></tr></table>
<pre>x = 1
y = 2</pre>
<p hidden>Nobody sees this one.</p><p style="display: none">Nor this one.</p>
<noscript>Please enable scripts.</noscript>
</body></html>"""


def read(tmp_path: Path, data: bytes, name: str = "page.html") -> Result:
    path = tmp_path / name
    path.write_bytes(data)
    return read_here(path)


def test_a_page_is_read_as_a_browser_shows_it(tmp_path: Path) -> None:
    result = read(tmp_path, PAGE.encode())
    assert result.texts == [
        "Tides of the bay",
        "The sea rises twice a day.",
        "It falls as often.",
        "A loose line goes on here.",
        "Another paragraph stands apart.",
        "Notes",
        "First item of a list.",
        "Second item.",
        "Port Height",
        "Emden 3.2 m",
        "x = 1",
        "y = 2",
    ]
    assert result.of_kind("heading") == ["Tides of the bay", "Notes"]
    assert result.of_kind("list") == ["First item of a list.", "Second item."]
    assert result.of_kind("table") == ["Port Height", "Emden 3.2 m"]
    assert result.of_kind("code") == ["x = 1", "y = 2"]


def test_title_author_and_headings_are_known(tmp_path: Path) -> None:
    head = read(tmp_path, PAGE.encode()).head
    assert (head.type, head.title, head.author) == ("html", "The tide table", "A. Writer")
    assert [(entry.title, entry.level) for entry in head.outline] == [("Tides of the bay", 0), ("Notes", 1)]


def test_places_count_the_characters_of_the_read_text(tmp_path: Path) -> None:
    result = read(tmp_path, PAGE.encode())
    text = "".join(f"{paragraph}\n" for paragraph in result.paragraph_texts())
    for span in result.spans:
        (place,) = span.places
        assert (place.page, place.unit) == (None, "text")
        assert text[place.start : place.stop] == span.text


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="iso-8859-2">', "iso-8859-2"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">', "cp1250"),
        ("", "utf-8"),
        ('<meta charset="no-such-code">', "utf-8"),
        ('<meta charset="utf-16">', "utf-8"),
        ("", "utf-16"),
    ],
)
def test_the_declared_encoding_is_used_if_it_is_correct(tmp_path: Path, head: str, encoding: str) -> None:
    page = f"<html><head>{head}</head><body><p>Žluťoučký kůň úpěl ďábelské ódy o moři.</p></body></html>"
    assert read(tmp_path, page.encode(encoding)).texts == ["Žluťoučký kůň úpěl ďábelské ódy o moři."]


def test_an_encoding_that_is_declared_late_is_used(tmp_path: Path) -> None:
    script = "x = 1;\n" * 20_000
    page = (
        f"<html><head><script>{script}</script><meta charset=windows-1251></head><body><p>Море тихо.</p></body></html>"
    )
    assert read(tmp_path, page.encode("cp1251")).texts == ["Море тихо."]


def test_a_page_is_recognised_under_any_name(tmp_path: Path) -> None:
    page = b"<!-- saved --><!doctype HTML><title>T</title><p>Seen by its content."
    for name in ("page", "page.txt", "page.html"):
        assert read(tmp_path, page, name).head.type == "html"
    assert read(tmp_path, b"<body> is a tag of pages.", "about.txt").head.type == "text"


def test_prose_in_the_cells_of_a_table_is_prose(tmp_path: Path) -> None:
    long = "A cell that only holds the layout of a page has whole paragraphs. " * 5
    result = read(tmp_path, f"<html><table><tr><td>{long}<td>Aside.</table>".encode())
    assert result.of_kind("table") == []
    assert result.texts[-1] == "Aside."


def test_entries_of_a_list_of_references_are_marked(tmp_path: Path) -> None:
    page = "<html><h2>References</h2><p>[1] Adams, J. (1999). On tides. doi:10.1/x</p><h2>After</h2><p>Text again.</p>"
    assert read(tmp_path, page.encode()).of_kind("reference")
    assert read(tmp_path, page.encode()).of_kind("body") == ["Text again."]


def test_a_page_without_text_is_refused(tmp_path: Path) -> None:
    assert read(tmp_path, b"<html><script>only()</script></html>").state == "no_text"


def test_a_deeply_nested_page_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, b"<html>" + b"<div>" * 3000 + b"The very core.").texts == ["The very core."]
