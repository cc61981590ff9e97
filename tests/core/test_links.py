"""Links to places in a library: what is copied is read back, and nothing else is accepted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.errors import UsageError
from desktop_app.core.links import LibraryLink, format_link, hash_sentence, is_link, parse_link
from tests.any_text import LETTERS

LIBRARY = "0123456789abcdef"
NUMBERS = st.integers(0, 2**31 - 1)


def test_links_are_as_the_manual_shows_them() -> None:
    assert format_link(LibraryLink(LIBRARY, 5)) == f"kindred://{LIBRARY}/document/5"
    assert format_link(LibraryLink(LIBRARY, 5, page=3)) == f"kindred://{LIBRARY}/document/5?page=3"
    sentence = LibraryLink(LIBRARY, 5, sentence=17, text_hash=hash_sentence("The ice melts."))
    assert format_link(sentence) == f"kindred://{LIBRARY}/document/5?sentence=17&text={sentence.text_hash}"
    query = LibraryLink(LIBRARY, query='"sea level" | ice', mode="words")
    assert format_link(query) == f"kindred://{LIBRARY}/search?q=%22sea%20level%22%20%7C%20ice&mode=words"


@given(document=st.integers(1, 2**31 - 1), sentence=st.none() | NUMBERS, text=st.text(LETTERS))
def test_a_link_to_a_document_comes_back(document: int, sentence: int | None, text: str) -> None:
    text_hash = "" if sentence is None else hash_sentence(text)
    link = LibraryLink(LIBRARY, document, sentence=sentence, text_hash=text_hash)
    assert parse_link(format_link(link)) == link


@given(text=st.text(LETTERS))
def test_a_query_comes_back_in_characters_that_every_program_keeps(text: str) -> None:
    written = format_link(LibraryLink(LIBRARY, query=text))
    assert written.isascii()
    assert not set(written) & set(" \"'<>[]()\\`\n")
    try:
        assert (
            parse_link(written).query.split()
            == LibraryLink(LIBRARY, query=text)
            .query.translate({code: " " for code in (*range(32), *range(127, 160))})[:2000]
            .encode("utf-8", "replace")
            .decode()
            .split()
        )
    except UsageError:
        assert not text.translate({code: None for code in (*range(32), *range(127, 160))}).strip()


def test_programs_may_change_letters_of_scheme_and_library_and_add_a_slash() -> None:
    assert parse_link(f"KINDRED://{LIBRARY.upper()}/document/5/\n") == LibraryLink(LIBRARY, 5)
    assert parse_link(f"kindred://{LIBRARY}/document/5?page=3&new=1") == LibraryLink(LIBRARY, 5, page=3)


@given(st.text(LETTERS))
def test_any_text_is_a_link_or_refused(text: str) -> None:
    for hostile in (text, f"kindred://{text}", f"kindred://{LIBRARY}/{text}", f"kindred://{LIBRARY}/document/1?{text}"):
        try:
            link = parse_link(hostile)
        except UsageError:
            continue
        assert link.library == LIBRARY
        assert link.query or link.document_id == 1 or (link.document_id or 0) > 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kindred:",
        "kindred://",
        f"kindred://{LIBRARY}",
        f"kindred://{LIBRARY}/../../etc/passwd",
        f"kindred://{LIBRARY}/document/../../x",
        f"kindred://{LIBRARY}/document/0",
        f"kindred://{LIBRARY}/document/-1",
        f"kindred://{LIBRARY}/document/99999999999999999999",
        f"kindred://{LIBRARY}/document/５",
        f"kindred://{LIBRARY}/document/1?page=0",
        f"kindred://{LIBRARY}/document/1?page=1e9",
        f"kindred://{LIBRARY}/document/1?sentence=-1",
        f"kindred://{LIBRARY}/search?q=%00%0a",
        f"kindred://{LIBRARY}/search",
        f"kindred://{LIBRARY}@evil.example/document/1",
        "kindred://0123456789abcde/document/1",
        "kindred://[::1/document/1",
        "http://0123456789abcdef/document/1",
        f"kindred://{LIBRARY}/search?q=" + "a" * 9000,
        f"kindred://{LIBRARY}/search?q=a&" + "&".join("b=1" for _ in range(50)),
    ],
)
def test_hostile_links_are_refused_in_words(text: str) -> None:
    with pytest.raises(UsageError, match="not a link to a Kindred library"):
        parse_link(text)


def test_what_is_meant_as_a_link_is_not_taken_for_a_file() -> None:
    assert [is_link(word) for word in ("kindred:x", "KINDRED://x", "kindred", "kindred.pdf", "/kindred:x")] == [
        *(True, True, False, False, False)
    ]
