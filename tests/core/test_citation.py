"""A sentence with its source, in three forms."""

from __future__ import annotations

import pytest

from desktop_app.core.citation import format_citation, join_citations

SOURCE = ("The sea rises.", "Öland & the sea level of the Baltic", "/papers/sea.pdf")


def test_plain_text_quotes_the_sentence() -> None:
    assert format_citation(*SOURCE, "p. 7") == "“The sea rises.” (Öland & the sea level of the Baltic, p. 7)"
    assert format_citation(*SOURCE, "") == "“The sea rises.” (Öland & the sea level of the Baltic)"


def test_markdown_is_a_quotation() -> None:
    assert format_citation("Stars *shine*.", "Sky", "sky.md", "lines 3–4", "markdown") == (
        "> Stars \\*shine\\*.\n>\n> — *Sky*, lines 3–4"
    )
    assert format_citation("Stars.", "Sky", "sky.md", "", "markdown") == "> Stars.\n>\n> — *Sky*"


def test_bibtex_has_a_key_of_plain_letters_and_the_page_alone() -> None:
    assert format_citation(*SOURCE, "p. 7", "bibtex") == (
        "@misc{oland-the-sea-level,\n"
        "  title = {Öland \\& the sea level of the Baltic},\n"
        "  howpublished = {sea.pdf},\n"
        "  pages = {7},\n"
        "  note = {The sea rises.}\n}"
    )


@pytest.mark.parametrize(
    ("place", "pages"), [("p. vii", "vii"), ("S.\N{NO-BREAK SPACE}12", "12"), ("lines 3–4", "lines 3–4")]
)
def test_a_place_that_is_no_page_stays_in_words(place: str, pages: str) -> None:
    assert f"  pages = {{{pages}}},\n" in format_citation(*SOURCE, place, "bibtex")


def test_a_title_without_latin_letters_still_gets_a_key() -> None:
    assert format_citation("x", "海", "sea.txt", "", "bibtex").startswith("@misc{document,\n")
    assert "pages" not in format_citation("x", "海", "sea.txt", "", "bibtex")


def test_several_entries_have_different_keys() -> None:
    entries = [
        format_citation("x", "Sea, again", "s", "", "bibtex"),
        format_citation("y", "Sea, again", "s", "", "bibtex"),
    ]
    joined = join_citations(entries, "bibtex")
    assert joined.startswith("@misc{sea-again-1,\n")
    assert "\n}\n\n@misc{sea-again-2,\n" in joined
    assert join_citations(entries[:1], "bibtex") == entries[0]
    assert join_citations(["a", "b"], "plain") == "a\nb"
    assert join_citations(["a", "b"], "markdown") == "a\n\nb"
