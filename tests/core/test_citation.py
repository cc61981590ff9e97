"""Sentences with their sources, in every form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import rispy
from pybtex.database import parse_string

from desktop_app.core.bibliography import Reference, reference_from_csl
from desktop_app.core.citation import (
    CitedSentence,
    cite_hit,
    format_citations,
    format_cited_location,
    format_reference_list,
)
from desktop_app.core.citation_styles import CITATION_STYLES
from desktop_app.core.records import Hit, Place
from desktop_app.core.reference_files import read_reference_file

SEA = Reference(title="Öland & the sea level of the Baltic")
PAPER = Reference(
    kind="article-journal",
    title="A neural probabilistic language model",
    authors=("Bengio, Yoshua", "Ducharme, Réjean"),
    date="2003-02",
    container="Journal of Machine Learning Research",
    volume="3",
    pages="1137-1155",
    doi="10.1000/abc",
)
BOOK = Reference(
    kind="book",
    title="The Voyage Out",
    authors=("Woolf, Virginia",),
    date="1915",
    publisher="Duckworth",
    place="London",
    isbn="9780000000000",
)


def cited(
    text: str = "The sea rises.", reference: Reference = SEA, place: str = "p. 7", path: str = "/papers/sea.pdf"
) -> CitedSentence:
    return CitedSentence(text, reference, path, place, "page", place.rpartition(" ")[2])


def test_plain_text_quotes_the_sentence() -> None:
    assert format_citations([cited()], "plain") == "“The sea rises.” (Öland & the sea level of the Baltic, p. 7)"
    assert format_citations([cited(place="")], "plain") == "“The sea rises.” (Öland & the sea level of the Baltic)"
    assert format_citations([cited(reference=BOOK)] * 2, "plain") == "\n".join(
        ["“The sea rises.” (Virginia Woolf, The Voyage Out, 1915, p. 7)"] * 2
    )


def test_markdown_is_a_quotation() -> None:
    sky = cited("Stars *shine*.", Reference(title="Sky_map", authors=("_", "Li, J.")), "lines 3–4")
    assert format_citations([sky], "markdown") == "> Stars \\*shine\\*.\n>\n> — \\_, J. Li, *Sky\\_map*, lines 3–4"
    assert format_citations([cited("Stars.", Reference(title="Sky"), "")] * 2, "markdown") == "\n\n".join(
        ["> Stars.\n>\n> — *Sky*"] * 2
    )


def test_a_document_of_which_nothing_is_known_is_its_file_in_bibtex() -> None:
    assert format_citations([cited()], "bibtex") == (
        "@misc{oland-the-sea-level,\n"
        "  title = {Öland \\& the sea level of the Baltic},\n"
        "  howpublished = {sea.pdf},\n"
        "  note = {p. 7: The sea rises.}\n}"
    )


def test_bibtex_is_read_back_by_another_program() -> None:
    (entry,) = parse_string(format_citations([cited(reference=PAPER)], "bibtex"), "bibtex").entries.values()
    assert (entry.key, entry.type) == ("bengio2003", "article")
    assert [str(person) for person in entry.persons["author"]] == ["Bengio, Yoshua", "Ducharme, Réjean"]
    assert dict(entry.fields) == {
        "title": PAPER.title,
        "journal": PAPER.container,
        "year": "2003",
        "month": "2",
        "volume": "3",
        "pages": "1137--1155",
        "doi": "10.1000/abc",
        "note": "p. 7: The sea rises.",
    }


@pytest.mark.parametrize(
    ("kind", "entry", "publisher"),
    [
        ("book", "book", "publisher"),
        ("thesis", "phdthesis", "school"),
        ("report", "techreport", "institution"),
        ("paper-conference", "inproceedings", "publisher"),
        ("entry-encyclopedia", "misc", "publisher"),
    ],
)
def test_each_kind_has_its_entry(kind: str, entry: str, publisher: str) -> None:
    reference = Reference(kind=kind, title="T", publisher="P", container="C")
    (found,) = parse_string(format_citations([cited(reference=reference)], "bibtex"), "bibtex").entries.values()
    assert (found.type, found.fields[publisher]) == (entry, "P")
    assert found.fields["booktitle" if entry == "inproceedings" else "journal"] == "C"


def test_an_organisation_is_one_name_in_bibtex() -> None:
    reference = Reference(title="T", authors=("Panel on Climate and Sea",))
    (found,) = parse_string(format_citations([cited(reference=reference)], "bibtex"), "bibtex").entries.values()
    assert len(found.persons["author"]) == 1


def test_sentences_of_one_document_share_an_entry() -> None:
    both = format_citations([cited(), cited("It falls.", place="p. 9")], "bibtex")
    assert both.count("@misc") == 1
    assert "note = {p. 7: The sea rises.; p. 9: It falls.}" in both


def test_documents_with_the_same_key_are_told_apart() -> None:
    both = format_citations([cited(reference=BOOK), cited(reference=BOOK, path="/other.pdf")], "bibtex")
    assert list(parse_string(both, "bibtex").entries) == ["woolf1915", "woolf1915-2"]


def test_the_persons_own_key_is_kept_if_bibtex_can_read_it() -> None:
    assert format_citations([cited(reference=Reference(title="T", key="Woolf:1915"))], "bibtex").startswith(
        "@misc{Woolf:1915,"
    )
    assert format_citations([cited(reference=Reference(title="T", key="a b"))], "bibtex").startswith("@misc{t,")


def test_a_title_without_latin_letters_still_gets_a_key() -> None:
    assert format_citations([cited(reference=Reference(title="海"))], "bibtex").startswith("@misc{document,\n")


def test_ris_is_read_back_by_another_program() -> None:
    (entry,) = rispy.loads(format_citations([cited(reference=PAPER)], "ris"))
    assert entry["type_of_reference"] == "JOUR"
    assert entry["authors"] == ["Bengio, Yoshua", "Ducharme, Réjean"]
    assert (entry["title"], entry["secondary_title"]) == (PAPER.title, PAPER.container)
    assert (entry["year"], entry["date"]) == ("2003", "2003/02//")
    assert (entry["volume"], entry["start_page"], entry["end_page"]) == ("3", "1137", "1155")
    assert (entry["doi"], entry["notes"]) == ("10.1000/abc", ["p. 7: The sea rises."])


def test_csl_json_has_the_whole_reference() -> None:
    items = json.loads(format_citations([cited(reference=PAPER), cited(reference=BOOK)], "csl"))
    keyed = [replace(each, key=item["id"]) for each, item in zip((PAPER, BOOK), items, strict=True)]
    assert [reference_from_csl(item) for item in items] == keyed
    assert [item["id"] for item in items] == ["bengio2003", "woolf1915"]
    assert items[0]["note"] == "p. 7: The sea rises."


@pytest.mark.parametrize(
    ("style", "language", "text"),
    [
        (
            "apa",
            "en",
            "“The sea rises.” (Woolf, 1915, p. 44)\n\nWoolf, V. (1915). The Voyage Out. Duckworth.",
        ),
        ("apa", "de", "„The sea rises.“ (Woolf, 1915, S. 44)\n\nWoolf, V. (1915). The Voyage Out. Duckworth."),
        (
            "mla",
            "en",
            "“The sea rises.” (Woolf 44)\n\nWoolf, Virginia. The Voyage Out. Duckworth, 1915.",
        ),
        ("chicago", "en", "“The sea rises.” (Woolf 1915, 44)\n\nWoolf, Virginia. 1915. The Voyage Out. Duckworth."),
        ("chicago-notes", "en", "“The sea rises.”\nVirginia Woolf, The Voyage Out (Duckworth, 1915), 44."),
        (
            "iso690",
            "de",
            "„The sea rises.“ (Woolf 1915, S. 44)\n\nWOOLF, Virginia, 1915. The Voyage Out. London: Duckworth. "
            "ISBN 9780000000000",
        ),
    ],
)
def test_a_style_cites_the_printed_page(style: str, language: str, text: str) -> None:
    assert format_citations([cited(reference=BOOK, place="p. 44")], style, language) == text


@pytest.mark.parametrize(
    ("style", "unit", "number", "where"),
    [
        ("apa", "chapter", "3", "(Woolf, 1915, Chapter 3)"),
        ("apa", "line", "12-14", "(Woolf, 1915, Lines 12–14)"),
        ("mla", "chapter", "3", "(Woolf, ch. 3)"),
        ("chicago", "chapter", "3", "(Woolf 1915, chap. 3)"),
    ],
)
def test_a_style_names_what_is_no_page(style: str, unit: str, number: str, where: str) -> None:
    sentence = CitedSentence("The sea rises.", BOOK, "/b", "", unit, number)
    assert format_citations([sentence], style).splitlines()[0] == f"“The sea rises.” {where}"


def test_mla_names_the_title_only_where_an_author_has_several() -> None:
    other = replace(BOOK, title="Night and Day", date="1919")
    both = [cited(reference=BOOK, place="p. 44"), cited(reference=other), cited(reference=PAPER)]
    citations = [line.partition("”")[2].strip() for line in format_citations(both, "mla").splitlines()]
    assert [each for each in citations if each.startswith("(")] == [
        "(Woolf, The Voyage Out 44)",
        "(Woolf, Night and Day 7)",
        "(Bengio and Ducharme 7)",
    ]


def test_bibtex_has_the_day_and_it_is_read_back(tmp_path: Path) -> None:
    reference = replace(BOOK, date="1915-03-26")
    written = format_citations([cited(reference=reference)], "bibtex")
    assert "  month = {3},\n  day = {26},\n" in written
    file = tmp_path / "own.bib"
    file.write_text(written, "utf-8")
    (entry,) = read_reference_file(file).entries
    assert entry.reference.date == "1915-03-26"


def test_a_paper_in_a_style() -> None:
    assert format_reference_list([PAPER], "apa") == [
        "Bengio, Y., & Ducharme, R. (2003). A neural probabilistic language model. Journal of Machine Learning "
        "Research, 3, 1137–1155. https://doi.org/10.1000/abc"
    ]
    assert format_reference_list([PAPER], "mla") == [
        "Bengio, Yoshua, and Réjean Ducharme. “A Neural Probabilistic Language Model.” Journal of Machine Learning "
        "Research, vol. 3, Feb. 2003, pp. 1137–55, https://doi.org/10.1000/abc."
    ]


def test_full_stops_and_commas_are_inside_of_american_quotation_marks() -> None:
    reference = Reference(title="Tide Notes", authors=("Woolf, Virginia",), date="1931")
    asking = Reference(title="What Is a Tide?", authors=("Woolf, Virginia",), date="1931")
    assert format_reference_list([reference], "mla") == ["Woolf, Virginia. “Tide Notes.” 1931."]
    assert format_reference_list([asking], "mla") == ["Woolf, Virginia. “What Is a Tide?” 1931."]
    assert format_reference_list([reference], "mla", "de") == ["Woolf, Virginia. „Tide Notes“. 1931."]
    assert "“Tide Notes,” 1931" in format_citations([cited(reference=reference)], "chicago-notes")


def test_a_year_stands_once_in_place_of_missing_authors() -> None:
    for language, end in (("en", "."), ("de", "")):
        assert format_reference_list([Reference(title="Tide notes", date="1931")], "iso690", language) == [
            f"TIDE NOTES, 1931{end}"
        ]


def test_control_characters_are_in_no_style() -> None:
    reference = Reference(title="Sea\x1b[31m\n level", authors=("Woolf\x00, V",))
    written = [format_citations([cited(reference=reference)], "apa"), *format_reference_list([reference], "mla")]
    assert not any(char < " " and char != "\n" for text in written for char in text)


def test_a_list_of_references_is_sorted_and_has_each_once() -> None:
    three = [cited(reference=BOOK), cited(reference=PAPER), cited("It falls.", BOOK)]
    entries = format_citations(three, "apa").split("\n\n")[3:]
    assert [entry.partition(",")[0] for entry in entries] == ["Bengio", "Woolf"]


@pytest.mark.parametrize("style", CITATION_STYLES)
def test_a_title_alone_is_cited_once(style: str) -> None:
    text = format_citations([cited(reference=Reference(title="Tide notes"), place="p. 3")], style)
    assert text.partition("\n")[2].casefold().count("tide notes") == 1


def hit(unit: str, page: int | None, *, kind: str = "pdf", label: str | None = None, line: int | None = None) -> Hit:
    place = Place(page, 0, 9, unit, line, line)
    return Hit(1, 0.9, 1, "One.", "", "", 1, "T", "/t", kind, 0, "body", (place,), page_label=label)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "place", "words"),
    [
        (hit("pdfium", 9, label="vii"), ("page", "vii"), "p. vii"),
        (hit("pdfium", 9), ("page", "9 [PDF]"), "PDF p. 9"),
        (hit("text", 2, kind="epub"), ("chapter", "2"), "chapter 2"),
        (hit("char", None, kind="text", line=12), ("line", "12"), "line 12"),
        (hit("row", None, kind="csv"), ("", ""), "row 0"),
        (hit("text", 3, kind="email"), ("", ""), "message 3"),
    ],
)
def test_a_place_is_what_styles_have_for_it(found: Hit, place: tuple[str, str], words: str) -> None:
    sentence = cite_hit(found, None, format_cited_location(found))
    assert (sentence.unit, sentence.number) == place
    assert (sentence.reference.title, sentence.place) == ("T", words)


def test_a_name_with_a_suffix_in_every_format() -> None:
    reference = Reference(title="Letter", authors=("King, Martin Luther Jr.",), date="1963")
    sentence = cited("", reference)
    assert "author = {King, Jr., Martin Luther}" in format_citations([sentence], "bibtex")
    assert "AU  - King, Martin Luther, Jr." in format_citations([sentence], "ris")
    assert format_reference_list([reference], "apa") == ["King, M. L., Jr. (1963). Letter."]
