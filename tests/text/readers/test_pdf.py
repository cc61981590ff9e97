"""PDF files to sentences with their places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pypdf
import pypdfium2
import pytest

from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import PageRead, SentencesRead
from desktop_app.core.records import Place
from desktop_app.text import page_tasks
from desktop_app.text.readers import read_document
from desktop_app.text.readers.pdf import clean_metadata_title
from desktop_app.text.readers.pdf_engines import PdfiumEngine, PdfPageText, drop_trivial_labels
from desktop_app.text.readers.pdfium_page import PdfiumPage, prepare_forms
from desktop_app.text.readers.reader_steps import Heartbeat
from desktop_app.text.readers.vertical_writing import CharacterBox, find_written_lines, is_written_vertically
from desktop_app.text.sentence_location import PageLetters
from tests.text.helpers import (
    HELVETICA,
    PDFS,
    At,
    Result,
    annotated_pdf,
    letters,
    made_pdf,
    one_line,
    paragraph,
    pdf_bytes,
    read_here,
    reading,
    stream,
    unicode_pdf,
)

EXPECTED: list[dict[str, Any]] = [
    json.loads(line) for line in (PDFS / "expected.jsonl").read_text(encoding="utf-8").splitlines()
]
BY_NAME = {expected["file"]: expected for expected in EXPECTED}


@contextmanager
def pdfium_pages(path: Path, password: str | None = None) -> Iterator[dict[int, list[str]]]:
    """Give for each page PDFium's characters by their index."""
    with pypdfium2.PdfDocument(path, password=password) as document:
        pages: dict[int, list[str]] = {}
        prepare_forms(document)
        for number in range(len(document)):
            page = PdfiumPage(document[number])
            page.draw_annotations(document, number)
            pages[number + 1] = [chr(code) for code in page.codes]
            page.close()
        yield pages


def at(pages: dict[int, list[str]], place: Place) -> str:
    raw = "".join(pages[place.page or 0][place.start : place.stop])
    return raw.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")


def read_bytes(data: bytes, folder: Path, name: str = "made.pdf") -> Result:
    path = folder / name
    path.write_bytes(data)
    return read_here(path)


# --- The evaluation files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: expected["file"])
def test_each_file_ends_in_the_state_that_it_should(expected: dict[str, Any]) -> None:
    assert reading(expected["file"]).state == expected["state"]


@pytest.mark.parametrize("expected", [e for e in EXPECTED if e["state"] == "ready"], ids=lambda e: e["file"])
def test_known_sentences_are_found_whole(expected: dict[str, Any]) -> None:
    result = reading(expected["file"])
    assert result.head.page_count == expected["pages"]
    assert result.pages_read == list(range(1, expected["pages"] + 1))
    for wanted in expected["must_contain"]:
        assert any(wanted in one_line(text) for text in result.texts), wanted


def test_the_chinese_file_of_the_full_data_is_read(full_data: Path) -> None:
    result = read_here(full_data / "pdf" / "chinese.pdf")
    assert any(text.startswith("关于红军作战的原则") for text in result.texts)


NOTES = ("This is a text annotation.", "Line 1 Line 2", "Highlight comment", "Hello world!")
"""What is marked and written in `annotations.pdf`."""


@pytest.mark.parametrize("expected", [e for e in EXPECTED if e["state"] == "ready"], ids=lambda e: e["file"])
def test_the_text_at_the_places_is_the_sentence(expected: dict[str, Any]) -> None:
    result = reading(expected["file"])
    with pdfium_pages(PDFS / expected["file"]) as pages:
        for span in result.spans:
            assert span.places
            if span.text in NOTES:
                assert [place.unit for place in span.places] == ["text"]
                continue
            assert {place.unit for place in span.places} == {"pdfium"}
            # An accent may be a character of its own on the page, beside its letter or elsewhere in the line.
            shown = " ".join(at(pages, place) for place in span.places)
            assert letters(normalize("NFD", shown)) == letters(normalize("NFD", span.text))


@pytest.mark.parametrize("expected", [e for e in EXPECTED if e["state"] == "ready"], ids=lambda e: e["file"])
def test_places_start_and_end_at_visible_characters_and_never_overlap(expected: dict[str, Any]) -> None:
    result = reading(expected["file"])
    taken: dict[int, set[int]] = {}
    with pdfium_pages(PDFS / expected["file"]) as pages:
        for place in (place for span in result.spans for place in span.places if place.unit == "pdfium"):
            raw = at(pages, place)
            assert raw == raw.strip()
            indices = set(range(place.start, place.stop))
            assert indices
            assert not indices & taken.setdefault(place.page or 0, set())
            taken[place.page or 0] |= indices


@pytest.mark.parametrize("expected", [e for e in EXPECTED if e["state"] == "ready"], ids=lambda e: e["file"])
def test_sentences_are_one_clean_line(expected: dict[str, Any]) -> None:
    result = reading(expected["file"])
    paragraphs = [span.paragraph for span in result.spans]
    assert paragraphs == sorted(paragraphs)
    for text in result.texts:
        assert text
        assert text == " ".join(text.split())
        assert all(char.isprintable() for char in text if char not in "\u200e\u200f\u200c\u200d")
        text.encode("utf-8")


def test_an_encrypted_file_opens_with_its_password_only() -> None:
    path = PDFS / "encrypted_openpassword.pdf"
    result = read_here(path, password=BY_NAME[path.name]["password"])
    assert result.state == "ready"
    assert any(BY_NAME[path.name]["must_contain"][0] in text for text in result.texts)
    assert read_here(path, password="wrong").state == "encrypted"


def test_a_file_that_only_forbids_changes_needs_no_password(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=PDFS / "pdfa_one_page.pdf")
    writer.encrypt("", "owner", algorithm="AES-256")
    writer.write(tmp_path / "owner.pdf")
    assert read_here(tmp_path / "owner.pdf").state == "ready"
    assert read_here(tmp_path / "owner.pdf", password="some other one").state == "ready"
    assert read_here(tmp_path / "owner.pdf", password="some other one", engine="pypdf").state == "ready"


def test_a_file_that_only_pypdf_opens_without_password_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise FileFailure("encrypted", "The file needs a password")

    monkeypatch.setattr(PdfiumEngine, "__init__", refuse)
    assert read_here(PDFS / "pdfa_one_page.pdf").state == "ready"
    assert read_here(PDFS / "encrypted_openpassword.pdf").state == "encrypted"


def test_a_password_that_is_not_needed_does_no_harm() -> None:
    assert read_here(PDFS / "pdfa_one_page.pdf", password="unneeded").state == "ready"


def test_both_engines_find_the_same_book() -> None:
    ours = reading("four_pages_english.pdf")
    theirs = read_here(PDFS / "four_pages_english.pdf", engine="pypdf")
    assert {place.unit for span in theirs.spans for place in span.places} == {"text"}
    assert {note.engine for note in theirs.done.pages} == {"pypdf"}
    shared = {letters(text) for text in ours.texts} & {letters(text) for text in theirs.texts}
    assert len(shared) > 0.8 * len({letters(text) for text in ours.texts})


def test_the_places_of_pypdfs_text_count_its_characters() -> None:
    result = read_here(PDFS / "four_pages_english.pdf", engine="pypdf")
    document = pypdf.PdfReader(PDFS / "four_pages_english.pdf")
    pages = [page.extract_text() for page in document.pages]
    for span in result.spans:
        found = "".join(pages[(place.page or 0) - 1][place.start : place.stop] for place in span.places)
        assert letters(found) == letters(span.text)


def test_the_columns_of_a_paper_are_not_mixed() -> None:
    """No sentence takes words of both columns from one row."""
    result = reading("two_column_paper_clinc.pdf")
    assert not any("need to know users may reasonably" in text for text in result.texts)
    whole = " ".join(result.texts)
    assert "The system correctly identifies the user’s query in 1" in whole
    assert "relatively few public datasets exist for evaluating performance on this task, and those that do exist" in (
        whole.lower()
    )


def test_columns_written_row_by_row_are_separated(tmp_path: Path) -> None:
    left = paragraph(60, 700, FILLER * 2, width=44)
    right = paragraph(330, 700, OTHER * 2, width=44)
    woven = [line for row in zip(left, right, strict=False) for line in row]
    result = read_bytes(made_pdf([woven]), tmp_path)
    assert one_line(FILLER).split(". ")[1] + "." in result.texts
    assert one_line(OTHER).split(". ")[1] + "." in result.texts


def test_a_table_stays_in_rows(tmp_path: Path) -> None:
    rows = [
        At(72 + 150 * column, 700 - 12 * row, f"{'abc'[column]}{row} {row * 37}.5")
        for row in range(8)
        for column in range(3)
    ]
    result = read_bytes(made_pdf([rows]), tmp_path)
    assert {span.kind for span in result.spans} == {"table"}
    assert "a0 0.5 b0 0.5 c0 0.5" in " ".join(result.texts)


def test_hyphens_at_line_ends_are_joined_or_kept() -> None:
    texts = " ".join(reading("two_column_paper_clinc.pdf").texts)
    assert "supported intents" in texts
    assert "out-of-scope" in texts
    assert "sup- ported" not in texts
    assert "sup-ported" not in texts
    assert "task-driven" in texts


def test_a_suspended_hyphen_at_the_end_of_a_line_keeps_its_blank(tmp_path: Path) -> None:
    lines = (
        "Wir haben lange darüber gesprochen, dass die Nord-",
        "und die Südseite des alten Hauses verschieden sind.",
    )
    data = made_pdf([[At(72, 700 - 12 * number, line) for number, line in enumerate(lines)]])
    assert read_bytes(data, tmp_path).texts == [" ".join(lines)]


def test_a_paragraph_continues_after_a_footnote() -> None:
    texts = reading("two_column_paper_clinc.pdf").texts
    assert any("whose content, style, and structure" in text for text in texts) or any(
        "We defined the intents with guidance" in text for text in texts
    )


def test_headings_references_and_tables_are_marked() -> None:
    result = reading("two_column_paper_clinc.pdf")
    assert "1 Introduction" in result.of_kind("heading")
    assert "References" in result.of_kind("heading")
    assert any("Bag of tricks for efficient text classification" in text for text in result.of_kind("reference"))
    assert any("FastText" in text for text in result.of_kind("table"))
    assert any("We find that while the classifiers" in text for text in result.of_kind("body"))


def test_a_pdf_under_an_odd_name_is_read(tmp_path: Path) -> None:
    path = tmp_path / "Ünïcödé 'quoted' 文書 \U0001f600.pdf"
    path.write_bytes((PDFS / "pdfa_one_page.pdf").read_bytes())
    assert read_here(path).state == "ready"
    assert read_here(path, engine="pypdf").state == "ready"


# --- Made files: one behaviour each -------------------------------------------------------------------------


FILLER = (
    "The harbour was quiet in the morning and the boats lay close to the wall. Nobody had come down yet to look at "
    "them, and the tide was still far out. A dog ran along the sand and barked at the gulls above it. "
)


HALF = "When the last of the boats had come in at evening and all of the nets and all of the sails were"
OTHER = (
    "On the hill above the town a single house was built of grey stone, and its windows looked over the bay. Smoke "
    "rose from one of its chimneys in the evening, and a lamp was lit beside the door. "
)

_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven"]


def page_of(number: int, top: str = "", bottom: str = "") -> list[At]:
    lines = paragraph(72, 700, f"Page {_NUMBERS[number]} begins here. " + FILLER * 2, width=70)
    if top:
        lines.insert(0, At(72, 760, top))
    if bottom:
        lines.append(At(300, 40, bottom))
    return lines


def test_a_sentence_that_crosses_a_page_has_a_place_on_both(tmp_path: Path) -> None:
    first = paragraph(72, 700, FILLER + HALF, width=70)
    second = paragraph(72, 700, "hanging in the yard he went home along the shore. " + FILLER, width=70)
    result = read_bytes(made_pdf([first, second]), tmp_path)
    crossing = [span for span in result.spans if len(span.places) == 2]
    assert [span.text for span in crossing] == [HALF + " hanging in the yard he went home along the shore."]
    assert [place.page for place in crossing[0].places] == [1, 2]


def test_running_heads_and_page_numbers_are_not_in_sentences(tmp_path: Path) -> None:
    pages = [page_of(n, top=f"The Harbour Gazette, vol. {n}", bottom=str(n)) for n in range(1, 6)]
    result = read_bytes(made_pdf(pages), tmp_path)
    assert not any("Gazette" in text for text in result.texts)
    assert not any(text.isdigit() for text in result.texts)
    assert sum("begins here." in text for text in result.texts) == 5


def test_what_is_left_out_comes_with_the_end(tmp_path: Path) -> None:
    pages = [page_of(n, top=f"The Harbour Gazette, vol. {n}", bottom=str(n)) for n in range(1, 6)]
    omitted = read_bytes(made_pdf(pages), tmp_path).done.omitted
    assert [(each.kind, each.page, each.text) for each in omitted[:2]] == [
        ("running", 1, "The Harbour Gazette, vol. 1"),
        ("running", 1, "1"),
    ]
    assert len(omitted) == 10  # the same last lines of a paragraph on each page are text


def test_columns_of_characters_on_their_own_are_found() -> None:
    boxes = [
        CharacterBox(20 * column + row, char, 100 + 20 * column, 690 - 10 * row, 110 + 20 * column, 700 - 10 * row)
        for column, line in enumerate(VERSE[::-1])
        for row, char in enumerate(line)
    ]
    number = [CharacterBox(90 + at, char, 110 + 5 * at, 50, 115 + 5 * at, 60) for at, char in enumerate("12")]
    assert is_written_vertically(boxes)
    lines = find_written_lines([*number, *boxes])
    assert ["".join(box.char for box in line.boxes) for line in lines] == [*VERSE, "12"]
    assert [line.angle for line in lines] == [1, 1, 1, 0]


def test_totals_at_the_feet_of_pages_are_read(tmp_path: Path) -> None:
    totals = ["Total 310.50 EUR", "Total 87.20 EUR", "Total 1,204.00 EUR", "Total 66.10 EUR"]
    pages = [page_of(n, top="Invoice of the yard", bottom=total) for n, total in enumerate(totals)]
    result = read_bytes(made_pdf(pages), tmp_path)
    assert [total for total in totals if any(total in text for text in result.texts)] == totals
    assert "Invoice of the yard" not in result.texts


def test_pages_that_are_mostly_alike_keep_their_lines(tmp_path: Path) -> None:
    pages = [
        [At(72, 700, "Speed of the wind at sea"), At(72, 650, "Height of the waves"), At(72, 600, f"Sample {word}")]
        for word in ("one", "two", "three", "four")
    ]
    result = read_bytes(made_pdf(pages), tmp_path)
    assert sum(" ".join(result.texts).count(text) for text in ("Speed of the wind", "Height of the waves")) == 8
    assert result.done.omitted == ()


def test_text_in_forms_within_forms_is_read(tmp_path: Path) -> None:
    resources = b"<</Font<</F1 3 0 R>>/XObject<</X %d 0 R>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
        HELVETICA,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources%s>>" % (resources % 6),
        stream(b"BT /F1 10 Tf 1 0 0 1 72 700 Tm (The page itself speaks first.) Tj ET /X Do"),
        stream(
            b"BT /F1 10 Tf 1 0 0 1 72 600 Tm (A form speaks next.) Tj ET /X Do",
            b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources%s" % (resources % 7),
        ),
        stream(
            b"BT /F1 10 Tf 1 0 0 1 72 500 Tm (A form in the form speaks last.) Tj ET",
            b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>",
        ),
    ]
    assert read_bytes(pdf_bytes(objects), tmp_path).texts == [
        "The page itself speaks first.",
        "A form speaks next.",
        "A form in the form speaks last.",
    ]


FIELD = b"/Subtype/Widget/FT/Tx/T(name)/F 4/Rect[72 600 472 620]"


@pytest.mark.parametrize(
    ("annotation", "form"),
    [
        (b"/Subtype/FreeText/F 4/Rect[72 600 472 620]/AP<</N 6 0 R>>", b""),
        (b"/Subtype/Stamp/F 4/Rect[72 600 472 620]/AP<</N 6 0 R>>", b""),
        (FIELD + b"/V(Ann Miller sails.)/AP<</N 6 0 R>>", b""),
        (FIELD + b"/V(Ann Miller sails.)/DA(/Helv 10 Tf 0 g)", b"/NeedAppearances true"),
        (b"/Subtype/Widget/FT/Ch/T(who)/F 4/Rect[72 600 472 620]/Ff 131072/V(Ann Miller sails.)/AP<</N 6 0 R>>", b""),
    ],
)
def test_free_text_and_form_fields_are_read_where_they_stand(tmp_path: Path, annotation: bytes, form: bytes) -> None:
    path = tmp_path / "form.pdf"
    path.write_bytes(annotated_pdf("The applicant signs here.", [annotation], form=form, shown="Ann Miller sails."))
    result = read_here(path)
    assert result.texts == ["The applicant signs here.", "Ann Miller sails."]
    place = result.spans[1].places[0]
    assert (place.page, place.unit) == (1, "pdfium")


def test_notes_are_read_after_their_page_and_found_by_their_words(tmp_path: Path) -> None:
    notes = [
        b"/Subtype/Text/Rect[72 600 92 620]/Contents(Who signs here? \\341nd when?)",
        b"/Subtype/Highlight/Rect[72 600 92 620]/Contents(applicant)",
        b"/Subtype/Highlight/Rect[72 600 92 620]/Contents(This word is unclear.)",
        b"/Subtype/Popup/Rect[72 600 92 620]/Contents(This word is unclear.)",
        b"/Subtype/Text/Rect[72 600 92 620]/StateModel(Review)/State(Accepted)/Contents(Accepted set by Ann)",
        b"/Subtype/Text/F 2/Rect[72 600 92 620]/Contents(Nobody sees it.)",
        b"/Subtype/Link/Rect[72 600 92 620]/Contents(To the next page)",
    ]
    result = read_bytes(annotated_pdf("The applicant signs here.", notes), tmp_path)
    assert result.texts == ["The applicant signs here.", "Who signs here?", "ánd when?", "This word is unclear."]
    assert [[(place.page, place.unit) for place in span.places] for span in result.spans] == [
        [(1, "pdfium")],
        *[[(1, "text")]] * 3,
    ]
    assert [span.paragraph for span in result.spans] == [0, 1, 1, 2]


def test_marked_words_are_notes_too(tmp_path: Path) -> None:
    # The line begins at 72, 700; a letter is about five points wide.
    corners = b"/QuadPoints[72 712 200 712 72 697 200 697]"
    marks = [
        b"/Subtype/Highlight/Rect[72 697 200 712]" + corners + b"/Contents(Is that so?)",
        b"/Subtype/Underline/Rect[72 697 200 712]" + corners,
        b"/Subtype/StrikeOut/Rect[72 697 200 712]" + corners,
    ]
    result = read_bytes(annotated_pdf("The applicant signs here.", marks), tmp_path)
    assert [(span.text, span.passage) for span in result.spans] == [
        ("The applicant signs here.", "body"),
        ("The applicant signs here.", "note"),
        ("Is that so?", "note"),
    ]


def test_hidden_annotations_are_not_read(tmp_path: Path) -> None:
    hidden = b"/Subtype/FreeText/F 2/Rect[72 600 472 620]/AP<</N 6 0 R>>"
    assert read_bytes(annotated_pdf("Seen by all.", [hidden], shown="Seen by none."), tmp_path).texts == [
        "Seen by all."
    ]


VERSE = ("その朝の港は静かで、船は", "石の壁のそばに並んでいた。", "まだ誰も来ていなかった。")


@pytest.mark.parametrize("step", [1, -1])
def test_columns_of_vertical_japanese_become_sentences(tmp_path: Path, step: int) -> None:
    # A file may hold its columns in either order; they are read from right to left.
    path = tmp_path / "verse.pdf"
    path.write_bytes(unicode_pdf(VERSE[::-1], columns=True, step=step))
    result = read_here(path)
    assert result.texts == ["その朝の港は静かで、船は石の壁のそばに並んでいた。", "まだ誰も来ていなかった。"]
    with pdfium_pages(path) as pages:
        assert at(pages, result.spans[1].places[0]) == "まだ誰も来ていなかった。"


def test_a_sentence_across_pages_steps_over_head_and_number(tmp_path: Path) -> None:
    pages = [page_of(n, top="The Harbour Gazette", bottom=str(n)) for n in range(1, 5)]
    rest = "hanging in the yard he went home along the whole of the shore. "
    pages[1][-1:] = [*paragraph(72, 500, FILLER + HALF, width=70), At(300, 40, "2")]
    pages[2] = [pages[2][0], *paragraph(72, 700, rest + FILLER, width=70), pages[2][-1]]
    result = read_bytes(made_pdf(pages), tmp_path)
    assert HALF + " " + rest.strip() in result.texts


def test_a_sentence_that_a_footnote_interrupts_has_two_places(tmp_path: Path) -> None:
    left = paragraph(60, 700, FILLER + "He said that the old lighthouse keeper of all of the far", width=44)
    note = paragraph(60, 120, "1 See the harbour register of that year.", width=60, size=7)
    right = paragraph(330, 700, "northern island had never once let the lamp go out. " + FILLER, width=44)
    result = read_bytes(made_pdf([[*left, *note, *right]]), tmp_path)
    joined = [span for span in result.spans if span.text.startswith("He said that")]
    assert [span.text for span in joined] == [
        "He said that the old lighthouse keeper of all of the far northern island had never once let the lamp go out."
    ]
    assert len(joined[0].places) == 2
    assert any("harbour register" in text for text in result.texts)


def test_indents_and_gaps_start_paragraphs(tmp_path: Path) -> None:
    first = paragraph(72, 700, FILLER, width=70)
    second = paragraph(72, 700 - 12 * len(first), FILLER, width=70, indent=14)
    third = paragraph(72, 660 - 12 * (len(first) + len(second)), FILLER, width=70)
    result = read_bytes(made_pdf([[*first, *second, *third]]), tmp_path)
    assert len(result.paragraph_texts()) == 3


def test_large_lines_are_headings_and_the_title_if_the_file_has_none(tmp_path: Path) -> None:
    lines = [At(72, 740, "On Harbours", 20), *paragraph(72, 700, FILLER, width=70)]
    result = read_bytes(made_pdf([lines]), tmp_path)
    assert result.of_kind("heading") == ["On Harbours"]
    assert result.head.title == "On Harbours"


def test_list_items_are_sentences_of_their_own(tmp_path: Path) -> None:
    items = ["- one apple from the garden", "- two pears from the market", "- three plums"]
    lines = [*paragraph(72, 700, FILLER, width=70), *(At(72, 600 - 12 * n, item) for n, item in enumerate(items))]
    result = read_bytes(made_pdf([lines]), tmp_path)
    assert result.of_kind("list") == items


def test_references_are_marked_only_below_their_heading(tmp_path: Path) -> None:
    entry = "Smith, J. and Jones, K. 2014. Harbours of the north. Journal of Tides, 3:1-9."
    lines = [
        *paragraph(72, 740, FILLER, width=70),
        At(72, 640, "References", 12),
        *paragraph(72, 610, entry, width=50),
    ]
    result = read_bytes(made_pdf([lines]), tmp_path)
    assert " ".join(result.of_kind("reference")) == entry
    assert len(result.of_kind("body")) >= 3


def test_pages_without_text_are_named(tmp_path: Path) -> None:
    pages: list[list[At]] = [page_of(1), [], [], page_of(4), []]
    result = read_bytes(made_pdf(pages), tmp_path)
    assert [str(each) for each in result.done.warnings] == ["Pages 2-3, 5 have no text (scanned?)"]
    assert [note.state for note in result.done.pages] == ["text", "none", "none", "text", "none"]


def test_metadata_outline_and_labels_come_with_the_head(tmp_path: Path) -> None:
    pages = [page_of(1), page_of(2), page_of(3)]
    extra = [
        b"<</First 11 0 R/Last 12 0 R/Count 2>>",
        b"<</Title(Beginning)/Parent 10 0 R/Next 12 0 R/Dest[4 0 R/Fit]>>",
        b"<</Title(End)/Parent 10 0 R/Prev 11 0 R/Dest[8 0 R/Fit]/First 13 0 R/Last 13 0 R/Count 1>>",
        b"<</Title(Very end)/Parent 12 0 R/Dest[8 0 R/Fit]>>",
        b"<</Title(About harbours)/Author(A. Writer)/CreationDate(D:20190503120000Z)>>",
    ]
    data = made_pdf(
        pages,
        catalogue=b"/Outlines 10 0 R/PageLabels<</Nums[0<</S/r>>2<</S/D>>]>>",
        trailer=b"/Info 14 0 R",
        extra=extra,
    )
    head = read_bytes(data, tmp_path).head
    assert (head.title, head.author, head.dated, head.page_count) == ("About harbours", "A. Writer", "2019-05-03", 3)
    assert head.page_labels == ("i", "ii", "1")
    assert head.outline == (OutlineEntry("Beginning", 1, 0), OutlineEntry("End", 3, 0), OutlineEntry("Very end", 3, 1))


def test_bookmarks_in_a_ring_end(tmp_path: Path) -> None:
    extra = [
        b"<</First 7 0 R/Last 7 0 R/Count 1>>",
        b"<</Title(a)/Next 7 0 R/First 7 0 R/Parent 6 0 R/Dest[4 0 R/Fit]>>",
    ]
    result = read_bytes(made_pdf([page_of(1)], catalogue=b"/Outlines 6 0 R", extra=extra), tmp_path)
    assert len(result.head.outline) == 1


def test_page_labels_that_only_count_are_ignored() -> None:
    assert drop_trivial_labels(("1", "2", "3")) == ()
    assert drop_trivial_labels(("", "", "")) == ()
    assert drop_trivial_labels(("i", "1")) == ("i", "1")


def test_damaged_letters_of_the_title_and_of_page_labels_cost_no_text(tmp_path: Path) -> None:
    half = b"<feff" + "On Harbours".encode("utf-16-be").hex().encode() + b"d800>"
    labels = b"/PageLabels<</Nums[0<</P%s/S/D>>]>>" % half
    about = b"<</Title%s/Author%s>>" % (half, half)
    data = made_pdf([[At(72, 700, "A sentence stands here.")]], catalogue=labels, trailer=b"/Info 6 0 R", extra=[about])
    (tmp_path / "a.pdf").write_bytes(data)
    result = read_here(tmp_path / "a.pdf")
    assert (result.state, result.head.title, result.head.author) == ("ready", "On Harbours", "On Harbours")
    assert result.head.page_labels == ("On Harbours1",)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Microsoft Word - Annual report", "Annual report"),
        ("untitled", ""),
        ("paper_final.dvi", ""),
        ("Harbours", "Harbours"),
    ],
)
def test_titles_written_by_programs_are_ignored(written: str, title: str) -> None:
    assert clean_metadata_title(written) == title


CHINESE = ["他们在早上来到了港口。船都停在墙边，", "没有人下来看它们。潮水还很远。"]


def test_chinese_lines_join_without_blanks(tmp_path: Path) -> None:
    result = read_bytes(unicode_pdf(CHINESE), tmp_path)
    assert result.texts == ["他们在早上来到了港口。", "船都停在墙边，没有人下来看它们。", "潮水还很远。"]


def test_invisible_blanks_between_chinese_characters_are_dropped(tmp_path: Path) -> None:
    spaced = [" ".join(line) for line in CHINESE]
    result = read_bytes(unicode_pdf(spaced, unseen_blanks=True), tmp_path)
    assert result.texts == ["他们在早上来到了港口。", "船都停在墙边，没有人下来看它们。", "潮水还很远。"]
    with pdfium_pages(tmp_path / "made.pdf") as pages:
        stands = ["".join(at(pages, place) for place in span.places) for span in result.spans]
    assert [letters(text) for text in stands] == [letters(text) for text in result.texts]


def test_a_visible_blank_between_chinese_characters_stays(tmp_path: Path) -> None:
    assert read_bytes(unicode_pdf(["目 录 在 这 里。"]), tmp_path).texts == ["目 录 在 这 里。"]


def _as_seen(line: str) -> str:
    """A logical line as seen on the page from left to right; text read rightwards is between bars."""
    parts = line.split("|")
    return "".join(part if nth % 2 else part[::-1] for nth, part in reversed(list(enumerate(parts))))


HEBREW = [
    "המים החמים תופסים מקום רב יותר מן המים הקרים,",
    "ולכן בשנת |1900| הגיעו אל |Old Town Harbour| של העיר.",
    "המפלס עלה ב-|20| סנטימטר, |3.5%| מן הגובה.",
    "מכון |Meteo Office| פרסם על כך דו״ח ארוך מאוד אמש",
    "ובו |35| עמודים של טבלאות.",
]


def test_right_to_left_words_are_in_reading_order(tmp_path: Path) -> None:
    result = read_bytes(unicode_pdf([_as_seen(line) for line in HEBREW], right=560), tmp_path)
    logical = [line.replace("|", "") for line in HEBREW]
    assert result.texts == [" ".join(logical[:2]), logical[2], " ".join(logical[3:])]
    assert [span.paragraph for span in result.spans] == [0, 0, 1], (
        "a line that ends early ends its paragraph, at the left"
    )
    with pdfium_pages(tmp_path / "made.pdf") as pages:
        for span in result.spans:
            stands = "".join(at(pages, place) for place in span.places)
            assert sorted(letters(stands)) == sorted(letters(span.text))


def test_a_right_to_left_word_does_not_change_the_direction_of_a_page(tmp_path: Path) -> None:
    line = f"The word {'שלום'[::-1]} stands in an English line, and so does {'ים'[::-1]} here."
    assert read_bytes(unicode_pdf([line]), tmp_path).texts == [
        "The word שלום stands in an English line, and so does ים here."
    ]


def test_a_paragraph_continues_after_a_figure_or_table() -> None:
    texts = [one_line(text) for text in reading("two_column_paper_clinc.pdf").texts]
    for whole in (
        "such queries are predicted as in-scope, as this would mean a system gives",
        "which has 7 intents).",
        "much higher on Full, but several models suffer greatly on the limited datasets.",
        "user-system exchange",
        "bag-of-words sentence representations",
    ):
        assert any(whole in text for text in texts), whole
    assert "intents)." not in texts
    assert any(text.startswith("Table 2: Benchmark classifier results") for text in texts)


def test_letters_beyond_the_basic_plane_keep_their_places(tmp_path: Path) -> None:
    data = unicode_pdf(["A smile \U0001f600 in the text. And one at the end \U0001f600"])
    result = read_bytes(data, tmp_path)
    assert result.texts[0] == "A smile \U0001f600 in the text."
    assert result.texts[-1].endswith("\U0001f600")
    with pdfium_pages(tmp_path / "made.pdf") as pages:
        assert [at(pages, span.places[0]) for span in result.spans] == result.texts


def test_characters_that_are_not_text_are_dropped(tmp_path: Path) -> None:
    result = read_bytes(unicode_pdf(["Some\u0007thing \ue000with od\u200bd marks in all of it here."]), tmp_path)
    assert result.texts == ["Something with odd marks in all of it here."]


def test_a_page_of_unreadable_characters_has_no_text(tmp_path: Path) -> None:
    assert read_bytes(unicode_pdf(["\ue001\ue002\ue003\ue004 \ue005\ue006\ue007"]), tmp_path).state == "no_text"


def test_pages_whose_fonts_do_not_say_their_letters_are_left_out_and_named(tmp_path: Path) -> None:
    # A font whose table of letters is off by one: the page shows the text of the page before it.
    wrong = "".join(char if char in " " else chr(ord(char) + 1) for char in FILLER)
    right = page_of(1)
    pages = [right, paragraph(72, 700, wrong, width=70), page_of(3)]
    result = read_bytes(made_pdf(pages), tmp_path)
    assert [note.state for note in result.done.pages] == ["text", "none", "text"]
    assert not any("ibscpvs" in text for text in result.texts)
    assert list(map(str, result.done.warnings)) == [
        "Page 2 was left out: its fonts do not say which letters they show; OCR can read it"
    ]


def test_a_file_whose_fonts_do_not_say_their_letters_says_so(tmp_path: Path) -> None:
    wrong = "".join(char if char in " " else chr(ord(char) + 1) for char in FILLER)
    failure = read_bytes(made_pdf([paragraph(72, 700, wrong, width=70)]), tmp_path).failure
    assert failure is not None
    assert (failure.reason, "OCR" in str(failure)) == ("no_text", True)


def test_a_page_that_pdfium_reads_badly_comes_from_pypdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = PdfiumEngine.page

    def page(self: PdfiumEngine, number: int) -> PdfPageText:
        read = good(self, number)
        return PdfPageText(read.lines, 0.6) if number == 2 else read

    monkeypatch.setattr(PdfiumEngine, "page", page)
    result = read_bytes(made_pdf([page_of(1), page_of(2), page_of(3)]), tmp_path)
    assert [(note.engine, note.state) for note in result.done.pages] == [
        ("pdfium", "text"),
        ("pypdf", "text"),
        ("pdfium", "text"),
    ]
    units = {(place.page, place.unit) for span in result.spans for place in span.places}
    assert units == {(1, "pdfium"), (2, "text"), (3, "pdfium")}
    assert "Page two begins here." in result.texts


def test_an_exception_on_a_page_affects_only_that_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def page(self: PdfiumEngine, number: int) -> PdfPageText:
        raise RecursionError

    monkeypatch.setattr(PdfiumEngine, "page", page)
    result = read_bytes(made_pdf([page_of(1), page_of(2)]), tmp_path)
    assert [note.engine for note in result.done.pages] == ["pypdf", "pypdf"]


def test_a_broken_page_does_not_affect_the_others(tmp_path: Path) -> None:
    data = made_pdf([page_of(1), page_of(2)])
    broken = data.replace(b"/Contents 7 0 R", b"/Contents 99 0 R")
    result = read_bytes(broken, tmp_path)
    assert result.state == "ready"
    assert result.done.pages[1].state == "none"


def test_embedded_files_of_a_pdf_are_reported_as_not_read(tmp_path: Path) -> None:
    file = tmp_path / "packed.pdf"
    with pypdfium2.PdfDocument(PDFS / "four_pages_english.pdf") as document:
        for name in ("data.csv", "notes\nof mine.txt"):
            document.new_attachment(name)
        document.save(file)
    warnings = tuple(map(str, read_here(file).done.warnings))
    assert "2 attachments were not read: data.csv, notes of mine.txt" in warnings
    assert not any("attachment" in str(warning) for warning in reading("four_pages_english.pdf").done.warnings)


def test_raised_numbers_are_set_apart_from_words(tmp_path: Path) -> None:
    up, down = b" 4 Ts /F1 6 Tf ", b" 0 Ts /F1 10 Tf "
    line = (
        b"BT /F1 10 Tf 1 0 0 1 72 700 Tm (The work was never copyrighted.) Tj" + up + b"(4) Tj" + down
        + b"( It holds in eleven states) Tj" + up + b"(12,13) Tj" + down + b"( on 5 km) Tj" + up + b"(2) Tj" + down
        + b"( of land in 1999.) Tj ET"
    )  # fmt: skip
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[4 0 R]/Count 1>>",
        HELVETICA,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
        stream(line),
    ]
    path = tmp_path / "made.pdf"
    path.write_bytes(pdf_bytes(objects))
    result = read_here(path)
    assert result.texts == [
        "The work was never copyrighted.⁴",
        "It holds in eleven states ¹²,¹³ on 5 km² of land in 1999.",
    ]
    with pdfium_pages(path) as pages:
        assert [letters(at(pages, span.places[0])) for span in result.spans] == [
            "Theworkwasnevercopyrighted4",
            "Itholdsinelevenstates1213on5km2oflandin1999",
        ]


def test_the_layout_of_many_pages_reports_progress(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(made_pdf([[At(72, 700, f"The sea rises on day {number}.")] for number in range(450)]))
    steps = list(read_document(path))
    last_page = max(at for at, step in enumerate(steps) if isinstance(step, PageRead))
    first_sentence = next(at for at, step in enumerate(steps) if isinstance(step, SentencesRead))
    assert sum(isinstance(step, Heartbeat) for step in steps[last_page:first_sentence]) >= 5


def accented_pdf(*lines: bytes) -> bytes:
    """Make a PDF with the accents of TeX's old fonts: `lines` are operators that show text, one line each."""
    content = b"".join(
        b"BT /F1 10 Tf 1 0 0 1 72 %d Tm %s ET\n" % (700 - 40 * number, line) for number, line in enumerate(lines)
    )
    return pdf_bytes(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            stream(content),
            HELVETICA,
        ]
    )


# The octal codes are a diaeresis, an acute accent and a sharp s.
@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"[(Es gilt f)-111(\\250)444(ur Gr)-111(\\250)444(u\\337e.)] TJ", "Es gilt für Grüße."),
        (b"[(Er kam aus)-278] TJ 2 Ts [-194(\\250)527] TJ 0 Ts [(Osterreich.)] TJ", "Er kam aus Österreich."),
        (b"[(Th)(e)444(\\264)111(odore wrote this.)] TJ", "Théodore wrote this."),
        (b"(Theodore and Mael came) Tj ET BT /F1 10 Tf 1 0 0 1 84.8 700 Tm (\\264) Tj", "Théodore and Mael came"),
        (b"(The `code` is x ~ y ^ z here.) Tj", "The `code` is x ~ y ^ z here."),
    ],
)
def test_an_accent_over_a_letter_is_part_of_it(tmp_path: Path, line: bytes, text: str) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(accented_pdf(line))
    assert read_here(path).texts == [text]
    with pdfium_pages(path) as pages:
        assert PageLetters([ord(char) for char in pages[1]]).find(text) is not None
    (shown,) = page_tasks.page_characters(str(path), (), 1)
    assert shown.text.strip() == text, "the find bar and a selection have it too"
    assert len(shown.boxes) == 4 * len(shown.text)


def test_a_page_with_many_accents_of_their_own_is_not_taken_for_one_with_wrong_letters(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(accented_pdf(*[b"[(pr)-111(\\250)444(uf t)-111(\\250)444(ur gr)-111(\\250)444(un)] TJ"] * 6))
    result = read_here(path)
    assert result.state == "ready"
    assert result.texts[0].startswith("prüf tür grün")
