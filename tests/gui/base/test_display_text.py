"""Messages from below the window are shown in the person's language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from desktop_app.core.errors import FileFailure, StorageFull
from desktop_app.core.language_detection import language_name
from desktop_app.core.messages import NOTHING, Message, join_messages, system_text, verbatim
from desktop_app.core.ocr import make_missing_error
from desktop_app.core.records import DeviceInfo, Document, Hit, LibraryInfo, Place
from desktop_app.engine.requests import WorkspaceStatus
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate_message
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.shell import window_language
from desktop_app.store.legacy_messages import FORMER_TEMPLATES, recognise_text


@pytest.fixture
def german(qapp: QApplication, themes: ThemeManager) -> Iterator[None]:
    assert window_language.install_language(qapp, "de") == "de"
    yield
    window_language.install_language(qapp, "en")


def test_an_english_message_equals_that_of_the_command_line(themes: ThemeManager) -> None:
    for message in (
        NOTHING,
        verbatim("{braces} stay; so do semicolons"),
        Message("What nobody knows: {count:,} of {share:.2f}", count=20001, share=0.5),
        join_messages(Message("The file is empty"), Message("Page {page} cannot be drawn", page=3)),
    ):
        assert translate_message(message) == str(message)


def test_values_stay_unchanged_and_numbers_follow_the_language(german: None) -> None:
    document = Message("There is no document {document_id} in the library", document_id=7)
    assert translate_message(document) == "In der Bibliothek gibt es kein Dokument 7"
    # A path that reads like a sentence of the program is a path.
    folder = Message("There is no library in {folder}", folder="The file is empty")
    assert translate_message(folder) == "In The file is empty gibt es keine Bibliothek"
    members = "The ZIP file has {count:,} members; the limit is {most_members:,}"
    assert translate_message(Message(members, count=20001, most_members=10000)).count("20.001") == 1
    speed = "{best}: {speed:.1f} times as fast as fp32 here, cosine {cosine:.4f}"
    assert "1,8-mal" in translate_message(Message(speed, best="bf16", speed=1.8, cosine=0.9998))
    assert translate_message(Message("Tesseract took more than {page_s:g} seconds", page_s=2.5)).count("2,5") == 1


@pytest.mark.parametrize(
    ("date", "english", "german"),
    [
        ("1902-04-28", "April 28, 1902", "28. April 1902"),
        ("2024-05", "May 2024", "Mai 2024"),
        ("1883", "1883", "1883"),
        ("", "", ""),
    ],
)
def test_the_date_of_a_document_is_written_as_in_the_language(date: str, english: str, german: str) -> None:
    before = QLocale()
    try:
        for locale, text in (("en_US", english), ("de_DE", german)):
            QLocale.setDefault(QLocale(locale))
            assert display_text.format_date(date) == text
    finally:
        QLocale.setDefault(before)


def test_messages_inside_a_message_are_translated_too(german: None) -> None:
    kind = Message("The file is {kind}", kind=Message("a PNG picture"))
    assert translate_message(kind) == "Die Datei ist ein PNG-Bild"
    pages = Message("{pages} were read by OCR", pages=Message("Pages {numbers}", numbers="3-5, 9"))
    assert translate_message(pages) == "Seiten 3-5, 9 wurden mit OCR gelesen"
    text = "Looks like {spoken}. The model {name} was not trained for it, so search by meaning may not work well here"
    assert "Französisch" in translate_message(Message(text, spoken=language_name("fr"), name="m"))
    busy = Message("The library in {folder} is in use: {why}", folder="/l", why=system_text("database is locked"))
    assert "locked" not in translate_message(busy)


def test_several_messages_are_translated_one_by_one(german: None) -> None:
    fastest = Message("fp32: the fastest accurate precision here")
    slower = Message(
        "{name}: {speed:.1f} times as fast as fp32, cosine {cosine:.4f}", name="bf16", speed=0.7, cosine=0.9998
    )
    first, second = translate_message(join_messages(fastest, slower)).split("; ")
    assert first.startswith("fp32: ")
    assert "0,7" in second
    assert "times" not in first + second


def test_an_error_is_shown_in_german(german: None, tmp_path: Path) -> None:
    error = StorageFull("{file} cannot be written: {why}", "Free some disk space.", file=tmp_path, why="full")
    message, hint = display_text.describe_error(error)
    assert message == f"{tmp_path} kann nicht geschrieben werden: full"
    assert hint == "Schaffen Sie Platz auf der Platte."
    assert display_text.describe_error(make_missing_error())[0].startswith("Tesseract")
    assert "not installed" not in display_text.describe_error(make_missing_error())[0]
    # The advice about a file is worded for the window, not for the command line.
    assert display_text.describe_error(FileFailure("encrypted", "The file needs a password")) == (
        "Die Datei braucht ein Passwort",
        display_text.describe_failure_remedy("encrypted"),
    )


def test_a_failed_document_of_an_older_library_is_shown_in_german(german: None) -> None:
    message = recognise_text("The file has no pages")
    assert message is not None
    document = Document(1, "/a.pdf", "a", "pdf", None, 0, "failed", reason="damaged", message=message)
    assert "Die Datei hat keine Seiten" in display_text.describe_document(document)


@pytest.mark.parametrize("template", FORMER_TEMPLATES)
def test_a_message_that_is_worded_differently_now_is_still_shown_in_german(german: None, template: str) -> None:
    stored = Message.from_text(Message(template).to_text())
    assert translate_message(stored) != str(stored)


def test_the_reasons_for_the_precision_are_in_the_tooltip_alone() -> None:
    note = Message("{precision}: faster modes have not been measured yet", precision="fp32")
    device = DeviceInfo("cpu", "fp32", 2, note=join_messages(note, verbatim("and more")))
    assert display_text.describe_device(device) == "CPU (fp32)"
    status = WorkspaceStatus(LibraryInfo(1, 2, 2, 2, 2, None, ""), None, device)
    assert display_text.explain_status(status).splitlines()[-3:] == [
        "Running on: CPU (fp32)",
        str(note),
        "and more",
    ]


def test_percent_follows_the_language(qapp: QApplication, themes: ThemeManager) -> None:
    assert display_text.format_percent(99.94, 1) == "99.9%"
    window_language.install_language(qapp, "de")
    try:
        assert display_text.format_percent(99.94, 1) == "99,9\N{NO-BREAK SPACE}%"
    finally:
        window_language.install_language(qapp, "en")


def test_remaining_time_is_rounded_and_never_a_moment(themes: ThemeManager) -> None:
    texts = [display_text.format_remaining_time(seconds) for seconds in (0.2, 5, 12, 43, 170)]
    assert texts == [
        "a few seconds left",
        "a few seconds left",
        "about 10 seconds left",
        "about 40 seconds left",
        "about 3 minutes left",
    ]


def test_one_thing_is_counted_in_the_singular(themes: ThemeManager) -> None:
    counts = (display_text.count_pairs, display_text.count_topics, display_text.count_rows, display_text.count_lines)
    assert [count(1) for count in counts] == ["1 pair", "1 topic", "1 row", "1 line"]
    assert [count(1000) for count in counts] == ["1,000 pairs", "1,000 topics", "1,000 rows", "1,000 lines"]


def test_a_rank_is_a_percentage_as_the_language_writes_it(german: None) -> None:
    assert display_text.describe_percentile(None) == ""
    assert display_text.format_percentile(99.97) == "99,9\N{NO-BREAK SPACE}%", "not all pairs were sampled"
    assert "99\N{NO-BREAK SPACE}%" in display_text.describe_percentile(99.04)


def test_sizes_and_quotation_marks_follow_the_language(german: None, qapp: QApplication) -> None:
    hit = Hit(1, 0.9, 1, "The sea rises.", "", "", 1, "sea", "/sea.txt", "txt", 0, "prose", ())

    def shown() -> tuple[str, str]:
        return display_text.format_size(1_390_000), display_text.cite_hit(hit)

    assert shown() == ("1,39 MB", "„The sea rises.“ (sea)")
    window_language.install_language(qapp, "en")
    assert shown() == ("1.39 MB", "“The sea rises.” (sea)")


def hit_at(*places: Place, kind: str = "text", label: str | None = None) -> Hit:
    return Hit(1, 0.9, 1, "One.", "", "", 1, "T", "/t", kind, 0, "body", places, page_label=label)  # type: ignore[arg-type]


def lines(first: int, last: int | None) -> Place:
    return Place(None, 0, 9, "char", first, last)


@pytest.mark.parametrize(
    ("hit", "text"),
    [
        (hit_at(), ""),
        (hit_at(Place(None, 0, 9, "char")), ""),
        (hit_at(lines(7, 7)), "line 7"),
        (hit_at(lines(7, None)), "line 7"),
        (hit_at(lines(7, 8), lines(9, 1012)), "lines 7–1,012"),
        (hit_at(Place(4, 0, 9, "pdfium"), kind="pdf"), "p. 4"),
        (hit_at(Place(4, 0, 9, "pdfium"), kind="pdf", label="iv"), "p. iv"),
        (hit_at(Place(4, 0, 9, "char"), kind="epub"), "chapter 4"),
        (hit_at(Place(4, 0, 9, "char"), kind="presentation"), "slide 4"),
        (hit_at(Place(1004, 0, 9, "char"), kind="email"), "message 1,004"),
        (hit_at(Place(None, 5, 6, "row"), kind="csv"), "row 5"),
        (hit_at(Place(1, 5, 6, "row"), kind="spreadsheet", label="Costs"), "Costs, row 5"),
        (hit_at(Place(None, 3_723_000, 3_725_000, "ms"), kind="subtitles"), "1:02:03"),
    ],
)
def test_each_kind_of_place_has_its_words(themes: ThemeManager, hit: Hit, text: str) -> None:
    assert display_text.format_location(hit) == text


def test_a_passage_is_located_by_its_ends(themes: ThemeManager) -> None:
    assert display_text.format_extent(hit_at(lines(3, 3)), hit_at(lines(38, 40))) == "lines 3–40"
    page = [hit_at(Place(number, 0, 9, "pdfium"), kind="pdf") for number in (4, 6)]
    assert display_text.format_extent(page[0], page[1]) == "p. 4 – p. 6"
    assert display_text.format_extent(page[0], page[0]) == "p. 4"
    assert display_text.format_extent(hit_at(lines(3, 3)), page[0]) == "line 3 – p. 4"


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0:00"),
        (59_999, "0:59"),
        (60_000, "1:00"),
        (3_599_000, "59:59"),
        (3_600_000, "1:00:00"),
        (7_261_000, "2:01:01"),
    ],
)
def test_a_clock_has_hours_from_the_first_hour_on(milliseconds: int, text: str) -> None:
    assert display_text.format_clock(milliseconds) == text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("pdf", "2 pages"),
        ("epub", "2 chapters"),
        ("presentation", "2 slides"),
        ("spreadsheet", "2 sheets"),
        ("email", "2 messages"),
    ],
)
def test_pages_of_each_format_have_their_name(themes: ThemeManager, kind: str, text: str) -> None:
    assert display_text.count_pages(2, kind) == text


def test_scores_of_the_parts_of_a_query(themes: ThemeManager) -> None:
    assert display_text.describe_part_score(None, is_cosine=True) == "–"
    assert display_text.describe_part_score(7.31, is_cosine=False) == "7.3"
    assert display_text.describe_part_score(0.5, is_cosine=True) == display_text.format_score(0.5)


def test_an_error_is_told_in_sentences(themes: ThemeManager) -> None:
    told = display_text.describe_error_in_sentences(StorageFull("the disk is full", "Free some space."))
    assert told == "The disk is full. Free some space."


@pytest.mark.parametrize(
    ("path", "text"), [("/a/b", "/\u2060a/\u200bb"), ("a/b", "a/\u200bb"), ("C:\\a", "C:\\\u200ba"), ("", "")]
)
def test_lines_break_after_the_separators_of_a_path(path: str, text: str) -> None:
    assert display_text.make_path_wrappable(path) == text
