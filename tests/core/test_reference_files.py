"""Lists of references as reference managers export them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.core.bibliography import Reference
from desktop_app.core.citation import CitedSentence, format_citations
from desktop_app.core.errors import BadData, UsageError
from desktop_app.core.reference_files import ListedReference, ReferenceFile, read_reference_file

BIBTEX = r"""
@comment{made by hand}
@string{jmlr = {Journal of Machine Learning Research}}
@article{bengio_neural_2003,
  title = {A {Neural} Probabilistic Language Model \& more},
  author = {Bengio, Yoshua and Ducharme, R{\'e}jean and {Max Planck Institute}},
  journal = jmlr,
  year = 2003, month = feb, volume = 3, number = {2}, pages = {1137--1155},
  doi = {10.1000/abc},
  file = {Full Text PDF:files/12/Bengio.pdf:application/pdf;Snapshot:files/13/page.html:text/html},
}
@book{woolf, title={The Waves}, author={Virginia Woolf}, date={1931-10-08}, publisher={Hogarth}, location={London}}
@phdthesis{beethoven, title={Tides}, author={van Beethoven, Ludwig}, school={Bonn}}
"""
RIS = """TY  - JOUR
AU  - Bengio, Yoshua
AU  - Ducharme, Réjean
TI  - A Neural Probabilistic Language Model
T2  - Journal of Machine Learning Research
PY  - 2003
DA  - 2003/02//
VL  - 3
IS  - 2
SP  - 1137
EP  - 1155
DO  - 10.1000/abc
L1  - files/12/Bengio.pdf
ER  -

TY  - BOOK
A1  - Woolf, Virginia
T1  - The Waves
Y1  - 1931
PB  - Hogarth
CY  - London
SN  - 9780000000000
ER  -
"""


def read(tmp_path: Path, name: str, text: str) -> list[ListedReference]:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return list(read_reference_file(file).entries)


def read_bytes(tmp_path: Path, name: str, data: bytes) -> ReferenceFile:
    file = tmp_path / name
    file.write_bytes(data)
    return read_reference_file(file)


def test_bibtex_is_read_with_its_files(tmp_path: Path) -> None:
    paper, book, thesis = read(tmp_path, "refs.bib", BIBTEX)
    assert paper.reference == Reference(
        kind="article-journal",
        title="A Neural Probabilistic Language Model & more",
        authors=("Bengio, Yoshua", "Ducharme, Réjean", "Max Planck Institute"),
        date="2003-02",
        container="Journal of Machine Learning Research",
        volume="3",
        issue="2",
        pages="1137-1155",
        doi="10.1000/abc",
        key="bengio_neural_2003",
    )
    assert paper.files == (tmp_path / "files/12/Bengio.pdf", tmp_path / "files/13/page.html")
    assert (book.reference.date, book.reference.place) == ("1931-10-08", "London")
    assert book.reference.authors == ("Woolf, Virginia",)
    assert (thesis.reference.authors, thesis.reference.publisher) == (("van Beethoven, Ludwig",), "Bonn")


@pytest.mark.parametrize(
    ("field", "files"),
    [
        (":papers/x.pdf:PDF", ["papers/x.pdf"]),
        ("papers/Bengio et al. - 2003.pdf", ["papers/Bengio et al. - 2003.pdf"]),
        (r"Full\: text:papers/a\;b.pdf:application/pdf", ["papers/a;b.pdf"]),
        ("file:///papers/My%20paper.pdf", ["/papers/My paper.pdf"]),
        ("https://example.org/x.pdf", []),
        ("", []),
    ],
)
def test_linked_files_are_found_as_each_program_writes_them(tmp_path: Path, field: str, files: list[str]) -> None:
    (entry,) = read(tmp_path, "refs.bib", f"@misc{{a, title={{T}}, file={{{field}}}}}")
    assert entry.files == tuple(tmp_path / name for name in files)


def test_a_path_without_its_first_slash_is_found(tmp_path: Path) -> None:
    paper = tmp_path / "x.pdf"
    paper.touch()
    (entry,) = read(tmp_path, "refs.bib", f"@misc{{a, title={{T}}, file={{:{str(paper)[1:]}:pdf}}}}")
    assert entry.files == (paper,)


def test_a_key_that_occurs_twice_loses_no_entry(tmp_path: Path) -> None:
    entries = read(tmp_path, "refs.bib", "@misc{a, title={One}}\n@misc{A, title={Two}}\n@misc{b, title={Three}}")
    assert [entry.reference.title for entry in entries] == ["One", "Two", "Three"]
    assert [entry.reference.key.lower() for entry in entries] == ["a", "a", "b"]


def test_ris_is_read_with_its_files(tmp_path: Path) -> None:
    paper, book = read(tmp_path, "refs.ris", RIS)
    assert paper.reference == Reference(
        kind="article-journal",
        title="A Neural Probabilistic Language Model",
        authors=("Bengio, Yoshua", "Ducharme, Réjean"),
        date="2003-02",
        container="Journal of Machine Learning Research",
        volume="3",
        issue="2",
        pages="1137-1155",
        doi="10.1000/abc",
    )
    assert paper.files == (tmp_path / "files/12/Bengio.pdf",)
    assert book.reference == Reference(
        kind="book",
        title="The Waves",
        authors=("Woolf, Virginia",),
        date="1931",
        publisher="Hogarth",
        place="London",
        isbn="9780000000000",
    )


@pytest.mark.parametrize("wrapped", [False, True])
def test_csl_json_is_read(tmp_path: Path, wrapped: bool) -> None:
    items = [{"id": "x", "type": "book", "title": "The Waves", "author": [{"family": "Woolf", "given": "Virginia"}]}]
    (entry,) = read(tmp_path, "refs.json", json.dumps({"items": items} if wrapped else items))
    assert entry.reference == Reference(kind="book", title="The Waves", authors=("Woolf, Virginia",))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("refs.bib", "@article{a, title={never closed", "damaged"),
        ("refs.bib", "just some words", "damaged"),
        ("refs.bib", "@@@", "damaged"),
        ("refs.ris", "just some words", "damaged"),
        ("refs.json", "{", "damaged"),
        ("refs.json", "[1, 2]", "damaged"),
        ("refs.docx", "x", "not a BibTeX, RIS or CSL-JSON file"),
    ],
)
def test_what_is_no_list_of_references_is_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(tmp_path, name, text)


def test_a_missing_file_says_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_reference_file(tmp_path / "none.bib")


@pytest.mark.parametrize("name", ["refs.bib", "refs.ris"])
def test_an_empty_list_has_no_entries(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, "\n") == []


GOOD = "@book{b, title={The Waves}}\n"


@pytest.mark.parametrize(
    "damaged",
    [
        "@book{x, title={Never closed}\n",
        "@book{x, title={Never closed\n",
        "@book{x title={No comma}}\n",
        "@book{x, title={One}, title={Two}}\n",
        "@book{x, title={Month}, month=augustus}\n",
        "@book{x, title={A}}\n@book{x, title={Same key, not closed\n",
    ],
)
def test_a_damaged_entry_does_not_cost_the_others(tmp_path: Path, damaged: str) -> None:
    found = read_bytes(tmp_path, "refs.bib", (GOOD + damaged + GOOD.replace("Waves", "Years")).encode())
    titles = [entry.reference.title for entry in found.entries]
    assert (titles[0], titles[-1]) == ("The Waves", "The Years")


def test_the_lines_of_damaged_entries_are_named(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "refs.bib", f"{GOOD}@book{{x, title={{open\n{GOOD}".encode()).damaged_lines == (2,)
    assert read_bytes(tmp_path, "refs.bib", f"\n\n{GOOD}\n@book{{x}}\n@book{{\n".encode()).damaged_lines == (7,)
    assert read_bytes(tmp_path, "refs.bib", GOOD.encode()).damaged_lines == ()


def test_an_entry_of_ris_without_its_end_is_no_part_of_the_next(tmp_path: Path) -> None:
    text = "TY  - BOOK\nTI  - The Waves\nTY  - BOOK\nTI  - The Years\nER  -\nTY  - BOOK\nTI  - Orlando\n"
    assert [each.reference.title for each in read(tmp_path, "refs.ris", text)] == ["The Waves", "The Years", "Orlando"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_files_of_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    bibtex = read_bytes(tmp_path, "refs.bib", "@book{b, title={Über Brücken}}\r\n".encode(encoding))
    ris = read_bytes(tmp_path, "refs.ris", "TY  - BOOK\r\nTI  - Über Brücken\r\nER  - \r\n".encode(encoding))
    assert [each.reference.title for each in bibtex.entries + ris.entries] == ["Über Brücken"] * 2


def test_a_percent_sign_hides_nothing(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, "refs.bib", "@book{b, title={50% of all, 20\\% of these}}")
    assert entry.reference.title == "50% of all, 20% of these"


@pytest.mark.parametrize(
    "name", ["~nobody-here/x.pdf", "x" * 5000 + ".pdf", "file://[half/x.pdf", "file:///a%00b.pdf", "a\0b.pdf"]
)
def test_a_name_that_can_be_no_path_links_nothing(tmp_path: Path, name: str) -> None:
    bibtex = read(tmp_path, "refs.bib", f"@book{{b, title={{The Waves}}, file={{{name}}}}}")
    ris = read(tmp_path, "refs.ris", f"TY  - BOOK\nTI  - The Waves\nL1  - {name}\nER  - ")
    assert [each.reference.title for each in bibtex + ris] == ["The Waves"] * 2
    assert not any(path.exists() for each in bibtex + ris for path in each.files)


def test_half_a_character_in_json_is_replaced(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, "refs.json", r'[{"title": "The \ud83d Waves", "author": [{"family": "Wo\ud800lf"}]}]')
    assert (entry.reference.title, entry.reference.authors) == ("The \ufffd Waves", ("Wo\ufffdlf",))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without end")
def test_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").symlink_to("/dev/zero")
    with pytest.raises(BadData, match="device"):
        read_reference_file(tmp_path / "refs.bib")


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"In \emph{Drosophila} and \textit{in vitro}", "In Drosophila and in vitro"),
        (r"{\it Homo sapiens} and {\bfseries bold}", "Homo sapiens and bold"),
        (r"Na\"{\i}ve \'{\i}le, \'\i le", "Naïve íle, íle"),
        (r"It costs \$5", "It costs $5"),
        (r"CO\textsubscript{2} \url{http://x.y/z}", "CO2 http://x.y/z"),
        (r"{\itemize}", r"\itemize"),
    ],
)
def test_commands_of_latex_in_a_title_are_not_shown(tmp_path: Path, latex: str, shown: str) -> None:
    (entry,) = read(tmp_path, "refs.bib", f"@book{{b, title={{{latex}}}}}")
    assert entry.reference.title == shown


def test_what_is_written_as_bibtex_reads_the_same(tmp_path: Path) -> None:
    reference = Reference(
        kind="book",
        title=r"A {b} <c> d|e ~ ^ \f $5 & 6% #7_8",
        authors=("King, Martin Luther Jr.", "Royal Society"),
        key="k",
    )
    text = format_citations([CitedSentence("", reference, "/x.pdf")], "bibtex")
    assert [entry.reference for entry in read(tmp_path, "refs.bib", text)] == [reference]


def test_an_organisation_with_a_comma_is_one_name(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, "refs.bib", "@book{b, author={{GitHub, Inc.} and Woolf, Virginia}}")
    assert entry.reference.authors == ("GitHub Inc.", "Woolf, Virginia")
    (entry,) = read(tmp_path, "refs.ris", "TY  - BOOK\nAU  - World Health Organization\nER  - ")
    assert entry.reference.authors == ("World Health Organization",)


def test_the_title_of_a_book_in_an_older_ris_file(tmp_path: Path) -> None:
    text = "TY  - BOOK\nBT  - The Waves\nER  - \nTY  - CHAP\nTI  - Dawn\nBT  - The Waves\nER  - "
    book, chapter = (entry.reference for entry in read(tmp_path, "refs.ris", text))
    assert (book.title, book.container) == ("The Waves", "")
    assert (chapter.title, chapter.container) == ("Dawn", "The Waves")
