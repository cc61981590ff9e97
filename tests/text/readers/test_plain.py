"""Plain text to paragraphs and sentences."""

from __future__ import annotations

import textwrap
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.text.readers.plain import parse_plain_text, text_unit
from tests.text.helpers import Result, letters, read_here


def texts(source: str) -> list[str]:
    return [passage.text for passage in parse_plain_text(source)]


def kinds(source: str) -> list[tuple[str, str]]:
    return [(passage.kind, passage.text) for passage in parse_plain_text(source)]


def read_text(folder: Path, source: str, encoding: str = "utf-8", name: str = "made.txt") -> Result:
    path = folder / name
    path.write_bytes(source.encode(encoding))
    return read_here(path)


WRAPPED = (
    "The harbour was quiet in the morning and the boats lay close\n"
    "to the wall. Nobody had come down yet to look at them, and\n"
    "the tide was still far out. A dog ran along the sand and it\n"
    "barked at the gulls.\n"
)
JOINED = " ".join(WRAPPED.split())


def test_hard_wrapped_lines_are_one_paragraph() -> None:
    assert texts(WRAPPED + "\n" + WRAPPED) == [JOINED, JOINED]


def test_two_wrapped_lines_are_joined_too() -> None:
    assert texts(WRAPPED + "\nShe had come all the way from the northern islands in a boat\nthat leaked.\n") == [
        JOINED,
        "She had come all the way from the northern islands in a boat that leaked.",
    ]


def test_a_blank_line_after_every_line_divides_no_sentence() -> None:
    assert texts(WRAPPED.replace("\n", "\n\n")) == [
        "The harbour was quiet in the morning and the boats lay close to the wall. Nobody had come down yet to look at "
        "them, and the tide was still far out. A dog ran along the sand and it barked at the gulls."
    ]


def test_an_indent_starts_a_paragraph() -> None:
    source = "".join(
        ("    " if n == 0 else "") + line + "\n" for _ in range(2) for n, line in enumerate(WRAPPED.splitlines())
    )
    assert texts(source) == [JOINED, JOINED]


def test_a_short_line_that_ends_a_sentence_ends_its_paragraph() -> None:
    assert texts(WRAPPED + WRAPPED) == [JOINED, JOINED]


def test_one_line_per_paragraph_stays_so() -> None:
    long = "One paragraph in one long line that no editor has wrapped. " * 5
    assert texts(f"{long}\n{long}\n") == [long.strip(), long.strip()]


def test_verse_is_not_run_together() -> None:
    verse = [
        "If sailor tales to sailor tunes,",
        "Storm and adventure, heat and cold,",
        "If schooners, islands, and maroons,",
    ]
    assert texts(WRAPPED + "\n" + "\n".join(verse)) == [JOINED, *verse]


def test_one_sentence_a_line_is_one_sentence_each() -> None:
    lines = ["Beautiful is better than ugly.", "Explicit is better than implicit", "Simple is better than complex."]
    assert texts("\n".join(lines)) == lines


@pytest.mark.parametrize("mark", ["-", "*", "•", "1.", "(a)"])
def test_list_items_stay_apart_and_their_lines_together(mark: str) -> None:
    source = f"{mark} milk from the farm\n{mark} bread, which the\n  baker leaves at the door\n{mark} eggs\n"
    assert kinds(source) == [
        ("list", f"{mark} milk from the farm"),
        ("list", f"{mark} bread, which the baker leaves at the door"),
        ("list", f"{mark} eggs"),
    ]


def test_words_divided_at_a_line_end_are_joined() -> None:
    source = (
        "The lighthouse keeper had an extraordinary amount of infor-\n"
        "mation about the well-known ships, and of the other well-\n"
        "known boats that came in at night from 1914-\n"
        "18 he had written down every single one of their fine names.\n"
    )
    assert "of information about" in texts(source)[0]
    assert "other well-known boats" in texts(source)[0]
    assert "1914-18 he" in texts(source)[0]


def test_headings_are_marked() -> None:
    source = (
        f"CHAPTER ONE\n\n{WRAPPED}\nThe Second Part\n===============\n\n{WRAPPED}\n"
        "References\n\nSmith, J. 2014. Harbours. Tides 3.\n"
    )
    assert kinds(source) == [
        ("heading", "CHAPTER ONE"),
        ("body", JOINED),
        ("heading", "The Second Part"),
        ("body", JOINED),
        ("heading", "References"),
        ("reference", "Smith, J. 2014. Harbours. Tides 3."),
    ]


def test_rules_are_not_text() -> None:
    assert texts("One sentence stands here.\n* * *\nAnother stands there.\n-----\n\n=====\n") == [
        "One sentence stands here.",
        "Another stands there.",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_recognised(end: str) -> None:
    assert texts((WRAPPED + "\n" + WRAPPED).replace("\n", end)) == [JOINED, JOINED]


def test_a_page_break_does_not_divide_a_sentence() -> None:
    assert texts(WRAPPED.replace("and it\n", "and it\n\f")) == [JOINED]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_places_count_characters_of_the_decoded_file(tmp_path: Path, encoding: str) -> None:
    source = (
        "CAFÉ\r\n\r\n" + WRAPPED.replace("\n", "\r\n") + "\r\n\r\nNaïve  words\twith   blanks, and exam-\r\nples. End."
    )
    result = read_text(tmp_path, source, encoding)
    assert len(result.spans) >= 5
    for span in result.spans:
        (place,) = span.places
        assert (place.page, place.unit) == (None, "char")
        found = source[place.start : place.stop]
        assert found == found.strip()
        assert letters(found) == letters(span.text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["made.txt", "made.md"])
def test_sentences_know_their_lines(tmp_path: Path, end: str, name: str) -> None:
    source = "# On Harbours\n\n" + WRAPPED + "\n\nA later line. And one more.\nIt goes on here. The end.\n"
    spans = read_text(tmp_path, source.replace("\n", end), "utf-8-sig", name).spans
    lines = {span.text: (span.places[0].line, span.places[-1].last_line) for span in spans}
    assert list(lines.values()) == [(1, 1), (3, 4), (4, 5), (5, 6), (9, 9), (9, 9), (10, 10), (10, 10)]
    assert lines["A later line."] == (9, 9)


@given(st.text(alphabet=st.sampled_from("aB .-\n\r\té1(*#ﬁ\u00ad\ufffe中\x00"), max_size=200))
def test_any_text_gives_clean_passages_whose_letters_are_the_files(source: str) -> None:
    passages = list(parse_plain_text(source))
    for passage in passages:
        text = passage.text
        assert text
        assert text == " ".join(text.split())
        assert "\x00" not in text
        assert len(passage.indices) == len(text)
        for char, index in zip(text, passage.indices, strict=True):
            assert char == " " or source[index] == char or source[index] == "ﬁ"
    assert letters(" ".join(passage.text for passage in passages)) == letters(source.replace("\u00ad", ""))


def test_a_line_after_the_first_paragraph_is_no_title(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    text = "It goes on here\nin several lines of text.\n\nA Lonely Line\n\nJohn Smith\n\nMore text stands\nhere too.\n"
    file.write_text(text)
    head = read_here(file).head
    assert (head.title, head.author) == ("", "")


def test_the_first_line_is_the_title_when_it_stands_alone(tmp_path: Path) -> None:
    assert read_text(tmp_path, "On Harbours\n\n" + WRAPPED).head.title == "On Harbours"
    assert read_text(tmp_path, WRAPPED).head.title == ""


HOUND = ("The Hound of the Baskervilles", "Arthur Conan Doyle")


@pytest.mark.parametrize(
    ("beginning", "title", "author"),
    [
        ("Arthur Conan Doyle\n\nThe Hound of the Baskervilles\n\nChapter 1", *HOUND),
        ("The Hound of the Baskervilles\n\nby Arthur Conan Doyle\n\nChapter 1", *HOUND),
        (f"The Project Gutenberg eBook of X\n\nTitle: {HOUND[0]}\n\nAuthor: {HOUND[1]}", *HOUND),
        ("Imperial Palace\n\nArnold Bennett", "Imperial Palace: Arnold Bennett", ""),
        ("Will Warburton\n\nChapter 1", "Will Warburton", ""),
        ("Annual Report\n\nThe year in numbers", "Annual Report", ""),
        ("The Lost World\n\nCHAPTER I", "The Lost World", ""),
    ],
)
def test_the_author_is_not_taken_for_the_title(tmp_path: Path, beginning: str, title: str, author: str) -> None:
    head = read_text(tmp_path, f"{beginning}\n\n{WRAPPED}").head
    assert (head.title, head.author) == (title, author)


def test_the_encoding_is_recorded_and_a_guess_is_a_warning(tmp_path: Path) -> None:
    assert read_text(tmp_path, WRAPPED, "utf-16").head.encoding == "utf-16-le"
    path = tmp_path / "odd.txt"
    path.write_bytes(b"\xef\xbb\xbfA text whose \xff byte is no UTF-8 at all.")
    result = read_here(path)
    assert result.state == "ready"
    assert len(result.done.warnings) == 1


@pytest.mark.parametrize("source", ["   \n\n \t\n", "----\n****\n", "\ufeff"])
def test_a_file_of_blanks_or_rules_has_no_text(tmp_path: Path, source: str) -> None:
    assert read_text(tmp_path, source).state == "no_text"


def test_a_novel_is_read_as_sentences(full_data: Path) -> None:
    result = read_here(full_data / "books" / "Doyle_Hound_1902.txt")
    assert 3000 < len(result.spans) < 5000
    assert "That is what I have come to do." in result.texts or len(result.spans) > 3000


@pytest.mark.parametrize(
    "start",
    [
        "2024-03-{n} 12:00:{n} ",
        "[12:00:{n}] ",
        "Nov {n} 22:58:57 host kernel: ",
        "I1123 22:{n}:57.123456 17 server.cc:12] ",
        '{{"number": {n}, "text": "',
        "127.0.0.{n} - - ",
        "time=2024-03-{n}T12:00 level=info ",
    ],
)
def test_records_of_one_width_are_lines(start: str) -> None:
    rest = "the harbour master wrote the height of the tide into the book that lies here"
    lines = [f"{start.format(n=number)}{rest}"[:78].strip() for number in range(10, 40)]
    assert texts("\n".join(lines)) == lines


def test_levels_begin_records_and_longer_entries_stay_below_them() -> None:
    levels = ["INFO", "WARN", "ERROR", "INFO"]
    lines = [f"{level} the harbour is open to all ships that come from the south and west" for level in levels]
    assert texts("\n".join(lines)) == lines
    entries = [f"2024-03-{number} 12:00:00 It failed.\n  in harbour.py\n  in quay.py" for number in range(10, 20)]
    found = texts("\n".join(entries))
    assert [text for text in found if "It failed." in text] == [entry.partition("\n")[0] for entry in entries]


def test_wrapped_prose_with_numbers_is_prose() -> None:
    text = "In 1883 the book was written. It has 34 chapters and was printed in 1883, 1884 and 1885, as 12:30:11 says."
    (passage,) = parse_plain_text(textwrap.fill(" ".join([text] * 9), 70))
    assert passage.text == " ".join([text] * 9)


def test_letters_and_their_accents_become_one_character_each() -> None:
    composed = "Für Grüße, ế, 한국어 und が: 10 µm."
    apart = unicodedata.normalize("NFD", composed)
    assert len(apart) > len(composed)
    (passage,) = parse_plain_text(f"{apart} Ende.")
    assert passage.text == f"{composed} Ende."
    (place,) = passage.places(passage.text.index("Ende"), len(passage.text), lambda _: text_unit())
    assert (place.start, place.stop) == (len(apart) + 1, len(apart) + 6)


def test_a_suspended_hyphen_at_the_end_of_a_line_keeps_its_blank() -> None:
    (text,) = texts("Die Nord-\nund die Südseite des Hauses liegen im Schatten.")
    assert text == "Die Nord- und die Südseite des Hauses liegen im Schatten."
