"""Web pages: the text that a browser shows, in order, in the declared encoding."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
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
<noscript><p>Without scripts this is seen.</p></noscript>
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
        "Without scripts this is seen.",
    ]
    assert result.of_kind("heading") == ["Tides of the bay", "Notes"]
    assert result.of_kind("list") == ["First item of a list.", "Second item."]
    assert result.of_kind("table") == ["Port Height", "Emden 3.2 m"]
    assert result.of_kind("code") == ["x = 1", "y = 2"]


def test_a_paper_on_the_web_says_where_it_was_published(tmp_path: Path) -> None:
    names = {
        "citation_author": "Berg, Anna",
        "citation_journal_title": "Nature",
        "citation_volume": "12",
        "citation_firstpage": "12",
        "citation_lastpage": "34",
        "citation_doi": "10.1000/xyz",
        "citation_publication_date": "1898/05/03",
    }
    meta = "".join(f'<meta name="{name}" content="{value}">' for name, value in names.items())
    meta += '<meta name="citation_author" content="George Darwin"><link rel="canonical" href="https://example.org/1">'
    page = f"<html><head>{meta}</head><body><p>The sea rises twice a day.</p></body></html>"
    assert read(tmp_path, page.encode()).head.reference == Reference(
        kind="article-journal",
        authors=("Berg, Anna", "Darwin, George"),
        date="1898-05-03",
        container="Nature",
        volume="12",
        pages="12-34",
        doi="10.1000/xyz",
        url="https://example.org/1",
    )


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


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        (
            "<p style='visibility:hidden'>No <b style='visibility: visible'>Seen.</b> no</p>After.",
            ["Seen.", "After."],
        ),
        ("<div style='backface-visibility:hidden'>Seen.</div><p style='DISPLAY : None !important'>No.</p>", ["Seen."]),
        ("<p style='display:none;display:block'>Seen.</p><p hidden style='display:block'>Too.</p>", ["Seen.", "Too."]),
        ("<p hidden=until-found>Seen.</p><div style='display:none'><p style='display:block'>No.</p></div>", ["Seen."]),
        ("<span style='display:block'>One</span><span style='display:block'>Two</span>", ["One", "Two"]),
        ("<button>Send</button><button>Cancel</button>", ["Send Cancel"]),
        ("<select><optgroup><option>Red</option></optgroup><option>Blue</select>", ["Red", "Blue"]),
        ("<textarea>First line\ngoes on.\n\nA <b> paragraph.</textarea>", ["First line goes on.", "A <b> paragraph."]),
        ("<input value='Anna'><input type=hidden value=no><input type=Password value=no>", ["Anna"]),
        ("An <img src=a alt='image of a boat'> floats<img alt=''>.", ["An image of a boat floats."]),
        ("<object data=a><p>Instead of it.</p></object><map><p>In a map.</p></map>", ["Instead of it.", "In a map."]),
        (
            "<svg><title>No</title><g><text>A <tspan>label</tspan><tspan>here</tspan></text></g>no</svg>",
            ["A label here"],
        ),
        ("<svg><foreignObject><p>In a box.</p></foreignObject></svg>", ["In a box."]),
        ("So <math><mi>E</mi><mo>=</mo><mi>m</mi><annotation>no</annotation></math> holds.", ["So E=m holds."]),
        ("<iframe srcdoc='&lt;p>Inside.&lt;/p>'>no</iframe><iframe src=a>no</iframe>After.", ["Inside.", "After."]),
        ("<frameset><frame src=a><noframes><body><p>Old frames.</p></body></noframes></frameset>", ["Old frames."]),
        ("<div><template shadowrootmode=open><p>In the shade.</p></template></div><template>no</template>", None),
        ("<xmp><b> is bold</xmp><listing>a  b</listing>", ["<b> is bold", "a b"]),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む。", ["漢字を読む。"]),
        ("<ruby><rb>漢</rb><rb>字</rb><rtc><rt>かん</rt><rt>じ</rt></rtc></ruby>を読む。", ["漢字を読む。"]),
        ("<p>Before. <![CDATA[a < b]]> After.</p>", ["Before.", "a < b After."]),
    ],
)
def test_text_that_a_browser_without_scripts_shows_is_read(tmp_path: Path, page: str, texts: list[str] | None) -> None:
    result = read(tmp_path, f"<!doctype html><meta charset=utf-8>{page}".encode())
    assert result.texts == (["In the shade."] if texts is None else texts)


def test_pages_within_pages_are_read_eight_levels_down(tmp_path: Path) -> None:
    page = "<p>Level 12.</p>"
    for level in range(11, -1, -1):
        page = f'<p>Level {level}.</p><iframe srcdoc="{html.escape(page)}"></iframe>'
    assert read(tmp_path, f"<!doctype html>{page}".encode()).texts == [f"Level {level}." for level in range(9)]


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("<nav><article><h1>Tides</h1><p>The sea rises twice.</p></article></nav>", ["Tides", "The sea rises twice."]),
        ("<nav><p>The whole text of the page stands in here, as some pages do.</p><a>Home</a></nav>", None),
        ("<nav><h2>Contents</h2><ul><li><a href=a>Tides</a><li><a href=b>Winds</a></ul></nav><p>Text.</p>", ["Text."]),
        (
            "<nav><nav><a href=a>Home</a></nav><p>A short article.</p></nav>Text.",
            ["A short article.", "Text."],
        ),
        ("<nav><button>Menu</button> <a href=a>Home</a> or</nav><nav>" * 40 + "<p>Text.</p>", ["Text."]),
    ],
)
def test_navigation_is_left_out_unless_it_wraps_an_article(tmp_path: Path, page: str, texts: list[str] | None) -> None:
    result = read(tmp_path, f"<!doctype html>{page}".encode())
    assert result.texts == (
        ["The whole text of the page stands in here, as some pages do.", "Home"] if texts is None else texts
    )
    assert [entry.title for entry in result.head.outline] == (["Tides"] if "<h1>" in page else [])


@pytest.mark.parametrize("head", ["<?xml version='1.0'?>", "<!doctype html>", ""])
@pytest.mark.parametrize(
    "tag", ["title", "script", "style", "iframe", "textarea", "noscript", "template", "object", "video", "nav", "rt"]
)
def test_a_self_closed_tag_does_not_swallow_the_text_after_it(tmp_path: Path, head: str, tag: str) -> None:
    page = f"{head}<html xmlns='http://www.w3.org/1999/xhtml'><body><{tag} class='a'/><p>One &nbsp;two.</p>"
    page += f"<{tag}/><p>Three.</p>"
    for end in ("</body></html>", "<br></body></html>"):  # as XML, and as HTML because it is no XML
        assert read(tmp_path, (page + end).encode()).texts == ["One two.", "Three."]


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("<p><![CDATA[a < b & c]]> &eacute;</p>", ["a < b & c é"]),
        ("<x:p xmlns:x='http://www.w3.org/1999/xhtml'>A prefix.</x:p>", ["A prefix."]),
        ("<script>//<![CDATA[\nif (a < b) { no() }\n//]]></script><p>Text.</p>", ["Text."]),
        ("<iframe>No.</iframe><noframes><p>Old.</p></noframes><xmp>As it is.</xmp>", ["Old.", "As it is."]),
    ],
)
def test_xhtml_is_read_as_xml(tmp_path: Path, page: str, texts: list[str]) -> None:
    head = (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>'
    )
    assert read(tmp_path, f"{head}{page}</body></html>".encode()).texts == texts


def test_entities_of_a_page_are_known_but_cannot_multiply_it(tmp_path: Path) -> None:
    few = (
        '<!DOCTYPE html [<!ENTITY sea "the sea">]><html xmlns="http://www.w3.org/1999/xhtml"><p>Near &sea;.</p></html>'
    )
    assert read(tmp_path, few.encode(), "a.xhtml").texts == ["Near the sea."]
    bomb = few.replace("the sea", "the sea " * 1000).replace("&sea;", "&sea; " * 1000)
    assert "the sea" not in " ".join(read(tmp_path, bomb.encode(), "a.xhtml").texts)


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
    down, up = ([f"{way} to {n}." for n in range(1500)] for way in ("Down", "Up"))
    page = "<html><div>" + "<div>".join(down) + "</div>" + "</div>".join(up)
    assert read(tmp_path, page.encode()).texts == down + up


def test_readings_of_ruby_text_are_left_out_however_many_there_are(tmp_path: Path) -> None:
    page = "<html><meta charset=utf-8>" + "<ruby>漢<rt>かん</ruby>" * 1000
    assert "".join(read(tmp_path, page.encode()).texts) == "漢" * 1000


def test_what_is_left_out_on_purpose_is_named(tmp_path: Path) -> None:
    page = (
        "<!doctype html><meta charset=utf-8><nav><a href=a>Home</a> <a href=b>News</a></nav><p>The text.</p>"
        "<div hidden><script>no()</script><p>Not <b hidden>seen</b> here.</p><p>Nor here.</p></div>"
        "<p style='visibility:hidden'>Unseen.</p><audio>No sound.</audio><template><i>Unused</i>.</template>"
        "<ruby>漢<rt>かん</rt></ruby>"
    )
    assert [(each.kind, each.text) for each in read(tmp_path, page.encode()).done.omitted] == [
        ("navigation", "Home News"),
        ("hidden", "Not seen here."),
        ("hidden", "Nor here."),
        ("hidden", "Unseen."),
        ("alternative", "No sound."),
        ("hidden", "Unused ."),
        ("reading", "かん"),
    ]


def test_a_note_of_what_is_left_out_is_bounded(tmp_path: Path) -> None:
    page = "<html><p>The text.</p>" + "<p hidden>A text that nobody sees, with number 4.</p>" * 10_000
    assert 100_000 < sum(len(each.text) for each in read(tmp_path, page.encode()).done.omitted) <= 200_000
    deep = "<html><p>The text.</p>" + "<span hidden>In it. " * 3000
    assert read(tmp_path, deep.encode()).texts == ["The text."]


def test_raised_numbers_are_set_apart_from_words(tmp_path: Path) -> None:
    page = (
        "<p>The work was never copyrighted.<sup>4</sup> It holds in eleven states<sup><a href='#n'>[12]</a></sup> on"
        " 5 km<sup>2</sup>, the 1<sup>st</sup> of them.</p>"
    )
    assert read(tmp_path, page.encode()).texts == [
        "The work was never copyrighted.⁴",
        "It holds in eleven states ¹² on 5 km², the 1st of them.",
    ]


@pytest.mark.parametrize(
    ("meta", "dated"),
    [
        (
            '<meta property="article:published_time" content="2019-05-03T10:00"><meta name=date content=1>',
            "2019-05-03",
        ),
        ('<meta name="DC.Date" content="2019-05">', "2019-05"),
        ('<meta name="citation_publication_date" content="2019/05/03">', "2019-05-03"),
        ('<meta name="date" content="yesterday">', ""),
        ("", ""),
    ],
)
def test_the_date_of_publication_is_that_of_the_page(tmp_path: Path, meta: str, dated: str) -> None:
    file = tmp_path / "a.html"
    file.write_text(f"<html><head>{meta}</head><body><p>The sea rises.</p></body></html>", "utf-8")
    assert read_here(file).head.dated == dated
