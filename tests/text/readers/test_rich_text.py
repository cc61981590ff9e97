"""RTF: every text that a word processor shows or prints, in the encoding of its font."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text.helpers import Result, read_here


def read(tmp_path: Path, body: str | bytes, head: str = r"\ansi", name: str = "a.rtf") -> Result:
    path = tmp_path / name
    body = body.encode("latin-1") if isinstance(body, str) else body
    path.write_bytes(rb"{\rtf1" + head.encode("ascii") + b" " + body + b"}")
    return read_here(path)


def escaped(text: str, encoding: str) -> str:
    return "".join(f"\\'{byte:02x}" for byte in text.encode(encoding))


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (
            r"Start C:\\Tools\\bin64\\tool.exe for it, and all of this text stays as it is, to the very end.\par",
            ["Start C:\\Tools\\bin64\\tool.exe for it, and all of this text stays as it is, to the very end."],
        ),
        (r"Text with \bin12 a wrong control word.\par", ["Text with a wrong control word."]),
        (r"A run {\*\cs7 in a style} is read.\par", ["A run in a style is read."]),
        (r"A {\*\unknown hidden one} is not.\par", ["A is not."]),
        (
            r"A \{brace\}, a \\ and a\~blank, non\_breaking, op\-tional.\par",
            [r"A {brace}, a \ and a blank, non-breaking, optional."],
        ),
        (
            r"First.\line Second.\page Third.\sect Fourth.\column Fifth.",
            ["First.", "Second.", "Third.", "Fourth.", "Fifth."],
        ),
        ("First.\\\nSecond.\\\r\nThird.", ["First.", "Second.", "Third."]),
        ("One wo\nrd over two lines.", ["One word over two lines."]),
        (r"It is {\v not seen}{\deleted or gone} here.\v no\v0\par Next.", ["It is here.", "Next."]),
        (r"{\xe index}{\tc contents}{\*\bkmkstart a}The text.{\*\bkmkend a}", ["The text."]),
        (
            r"{\field{\*\fldinst HYPERLINK x}{\fldrslt The link}} and {\field{\fldinst PAGE}{\fldrslt 3}}.",
            ["The link and 3."],
        ),
        (r'From {\field{\*\fldinst SYMBOL 97 \\f "Symbol" \\s 12}{\fldrslt\f3\fs24}} to z.', ["From α to z."]),
        (r'{\field{\*\fldinst {\b SYMBOL 97 }\\f "Symbol"}{\fldrslt a}} to z.', ["a to z."]),
        (r"{\field{\*\fldinst EQ \\o\\ad(\\s\\up 10(kan ji),The base)}{\fldrslt }} goes on.", ["The base goes on."]),
        (r"It ends.}\pard Not yet, \b no\b0\par}", ["It ends.", "Not yet, no"]),
        (r"{\object\objemb{\*\objdata 0102}{\result The table.}}", ["The table."]),
        (r"Unclosed {\b and {\i nested", ["Unclosed and nested"]),
        (r"It ends.}} not text {\par", ["It ends."]),
        (r"It ends.\par}{\rtf1 Another document.\par", ["It ends.", "Another document."]),
        (r"{\mmath{\*\moMath{\mf{\mfPr{\mctrlPr x}}{\mnum{\mr a}}{\mden{\mr b}}}}}\par", ["ab"]),
        (r"{\fonttbl\deff1 Arial;\fcharset204\plain\fcharset204 x}The text.\par", ["The text."]),
        (r"{\upr{Old form}{\*\ud New form \u960?}}.\par", ["New form π."]),
    ],
)
def test_text_is_what_a_word_processor_shows(tmp_path: Path, body: str, texts: list[str]) -> None:
    assert read(tmp_path, body).texts == texts


def test_headers_footers_notes_and_annotations_are_read_once(tmp_path: Path) -> None:
    body = (
        r"{\header The head of all pages.\par}{\footerr Page \chpgn  of the report.}\pard The text{\footnote A note on"
        r" it.}{\*\annotation{\*\atnid x}{\*\atndate 3}A remark on it.} goes on.\par\sect"
        r"{\header The head of all pages.\par}{\headerf Another head.}The end.\par"
    )
    result = read(tmp_path, body)
    assert [(each.kind, each.text) for each in result.done.omitted] == [("running", "The head of all pages.")]
    assert result.texts == [
        "The text goes on.",
        "The end.",
        "A note on it.",
        "A remark on it.",
        "The head of all pages.",
        "Page of the report.",
        "Another head.",
    ]


def test_hidden_and_deleted_text_is_named(tmp_path: Path) -> None:
    result = read(tmp_path, r"It is {\v not seen}{\deleted or gone} here.\par")
    assert [(each.kind, each.text) for each in result.done.omitted] == [("hidden", "not seen or gone")]


def test_text_boxes_follow_the_paragraph_that_holds_them(tmp_path: Path) -> None:
    shape = (
        r"{\shp{\*\shpinst\shpleft0{\sp{\sn shapeType}{\sv 202}}{\shptxt In the box.\par And below.\par}}"
        r"{\shprslt{\*\do\dobxpage{\dptxbx{\dptxbxtext In the box.\par And below.\par}}}}}"
    )
    old = r"{\*\do\dobxpage{\dptxbx{\dptxbxtext In an old box.\par}}}"
    assert read(tmp_path, rf"Before{shape} it.\par Between.\par After{old} it.\par").texts == [
        "Before it.",
        "In the box.",
        "And below.",
        "Between.",
        "After it.",
        "In an old box.",
    ]


@pytest.mark.parametrize(
    ("text", "encoding", "code_page", "charset"),
    [
        ("Žluťoučký kůň pěl ódy.", "cp1250", 1250, 238),
        ("Море тихо.", "cp1251", 1251, 204),
        ("Η θάλασσα είναι ήρεμη.", "cp1253", 1253, 161),
        ("Deniz çok ışıklı.", "cp1254", 1254, 162),
        ("הים רגוע.", "cp1255", 1255, 177),
        ("البحر هادئ.", "cp1256", 1256, 178),
        ("Jūra šodien ir mierīga.", "cp1257", 1257, 186),
        ("ทะเลสงบ", "cp874", 874, 222),
        ("海は静かです。表示能力。", "cp932", 932, 128),
        ("바다는 고요하다.", "cp949", 949, 129),
        ("大海很平静。", "gb18030", 936, 134),
        ("大海很平靜。", "big5", 950, 136),
        ("Café à côté.", "mac_roman", 10000, 77),
        ("Café à côté.", "cp850", 850, 255),
        ("Море тихо.", "utf-8", 65001, 204),
    ],
)
def test_bytes_are_in_the_encoding_of_the_font_or_of_the_file(
    tmp_path: Path, text: str, encoding: str, code_page: int, charset: int
) -> None:
    whole = escaped(text, encoding)
    by_file = read(tmp_path, whole + r"\par", rf"\ansi\ansicpg{code_page}{{\fonttbl{{\f0\fcharset0 Arial;}}}}\f0")
    raw = read(tmp_path, text.encode(encoding).replace(b"\\", b"\\\\"), rf"\ansi\ansicpg{code_page}")
    fonts = rf"{{\fonttbl{{\f0\fcharset0 Arial;}}{{\f1\fnil\fcharset{charset}{{\*\panose 02}} Other;}}}}"
    results = [by_file, raw]
    if encoding != "utf-8":
        results.append(read(tmp_path, rf"\f1 {whole}\par", rf"\ansi\ansicpg1252\deff0{fonts}"))
        results.append(read(tmp_path, rf"{whole}\par \plain", rf"\ansi\ansicpg1252\deff1{fonts}"))
        results.append(read(tmp_path, rf"\loch\af0\hich\af0\dbch\af1 {whole}\par", rf"\ansi\ansicpg1252{fonts}"))
    for result in results:
        assert result.texts == [text] or "".join(result.texts) == text.replace(" ", "")


def test_fonts_of_several_encodings_stand_side_by_side(tmp_path: Path) -> None:
    fonts = (
        r"{\fonttbl\f0\fswiss\fcharset0 Arial;\f1\fcharset204 Arial;{\f2\fcharset2 Symbol;}{\f3\fcharset2 Wingdings;}}"
    )
    body = r"Caf\'e9, {\f1 \'cc\'ee\'f0\'e5}, {\f2 a\'b3b}, {\f3 \'6c}, \u-3913? caf\'e9.\par"
    assert read(tmp_path, body, rf"\ansi\ansicpg1252\deff0{fonts}").texts == ["Café, Море, α≥β, •, • café."]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\uc1 na\u239\'efve", "naïve"),
        (r"\uc2 na\u239\'ef\'efve", "naïve"),
        (r"\uc0 na\u239 ve", "naïve"),
        (r"na{\uc0\u239}ve \u8211\endash  it", "naïve – it"),
        (r"\u55357?\u56832? smiles", "😀 smiles"),
        (r"\u-10179?\u-8704? smiles", "😀 smiles"),
        (r"one \u8212\par", "one —"),
    ],
)
def test_characters_by_number(tmp_path: Path, body: str, text: str) -> None:
    assert read(tmp_path, body).texts == [text]


def test_headings_lists_and_tables_have_their_kinds(tmp_path: Path) -> None:
    styles = (
        r"{\stylesheet{\ql Normal;}{\s1\sbasedon0 heading 1;}{\*\cs10 heading 2;}{\s2 Heading 2;}"
        r"{\s3\outlinelevel2 X;}}"
    )
    body = (
        r"\pard\s1 One\par\pard\s2 Two\par\pard\s3 Three\par\pard\outlinelevel3 Four\par\pard\s0 Some text.\par"
        r"{\listtext\tab 1.\tab}\ls1 An item.\par\pard{\pntext\'b7\tab}Another item.\par\pard "
        r"\trowd\cellx1\cellx2\pard\intbl Port\cell Height\cell\row\pard\intbl Emden\cell {\nesttableprops}3.2 m\cell"
        r"\row\pard\intbl First paragraph.\par Second one.\cell Aside.\cell\row\pard After.\par"
    )
    result = read(tmp_path, body, rf"\ansi{styles}")
    assert [(entry.title, entry.level) for entry in result.head.outline] == [
        ("One", 0),
        ("Two", 1),
        ("Three", 2),
        ("Four", 3),
    ]
    assert result.of_kind("list") == ["1. An item.", "· Another item."]
    assert result.of_kind("table") == ["Port Height", "Emden 3.2 m"]
    assert result.of_kind("body") == ["Some text.", "First paragraph.", "Second one.", "Aside.", "After."]


def test_title_and_author_are_in_the_encoding_of_the_file(tmp_path: Path) -> None:
    info = rf"{{\info{{\title {escaped('Море', 'cp1251')}}}{{\subject No}}{{\author \u1040?. B.}}{{\company No}}}}"
    head = read(tmp_path, rf"{info}Text.\par", r"\ansi\ansicpg1251").head
    assert (head.title, head.author) == ("Море", "А. B.")


@pytest.mark.parametrize("name", ["a.rtf", "a.txt", "a.md", "a"])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\r\n  "])
def test_rtf_is_recognised_under_any_name(tmp_path: Path, name: str, before: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(before + rb"{\rtf1\ansi The text.\par}")
    result = read_here(path)
    assert (result.head.type, result.texts) == ("rtf", ["The text."])


def test_rtf_that_a_text_editor_saved_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    for encoding in ("utf-16", "utf-8-sig"):
        path.write_bytes("{\\rtf1\\ansi\\ansicpg1252 The café.\\par}".encode(encoding))
        assert read_here(path).texts == ["The café."]


def test_a_fragment_without_a_header_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.rtf"
    path.write_bytes(
        b"{\\pard Table:\\par}\n{\n\\trowd\\cellx1\\cellx2\\intbl\n{{\\pard\\intbl One\\par}\n\\cell}\n"
        b"{{\\pard\\intbl Two\\par}\n\\cell}\n\\intbl\\row}\n{\\pard After.\\par}\n"
    )
    assert read_here(path).texts == ["Table:", "One Two", "After."]


def test_boxes_and_groups_at_any_depth_are_read(tmp_path: Path) -> None:
    source = "".join(rf"{{\shp{{\shptxt a{number}" for number in range(3000))
    assert read(tmp_path, source).texts == [f"a{number}" for number in range(3000)]
    assert read(tmp_path, "{" * 3000 + "deep" + "}" * 3000).texts == ["deep"]


@pytest.mark.parametrize(
    "raised", [r"{\super %s}", r"\super %s\nosupersub ", r"\super %s\super0 ", r"{\up6 %s}", r"\super %s\plain "]
)
def test_raised_numbers_are_set_apart_from_words(tmp_path: Path, raised: str) -> None:
    body = (
        r"It was never copyrighted." + raised % "4" + r" It holds in eleven states" + raised % "12,13" + r" now, where"
        r" H{\sub 2}O counts on the 1" + raised % "st" + r" day.{\super\chftn{\footnote 1984}}\par"
    )
    assert read(tmp_path, body).texts == [
        "It was never copyrighted.⁴",
        "It holds in eleven states ¹²,¹³ now, where H2O counts on the 1st day.",
        "1984",
    ]
