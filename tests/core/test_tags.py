"""Tags as typed and as stored."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import UsageError
from desktop_app.core.tags import MAX_TAG_CHARACTERS, clean_tag, make_tags, parse_tags


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("unread", "unread"), ("  #to   read ", "to read"), ("C#", "C#"), ('"quoted"', "quoted"), ("Ä" * 40, "Ä" * 40)],
)
def test_a_tag_is_one_line_without_quotes(typed: str, kept: str) -> None:
    assert clean_tag(typed) == kept
    assert clean_tag(kept) == kept


@pytest.mark.parametrize("typed", ["", "  ", "#", '""', "one, two", "x" * (MAX_TAG_CHARACTERS + 1)])
def test_an_invalid_tag_is_refused_with_a_hint(typed: str) -> None:
    with pytest.raises(UsageError) as caught:
        clean_tag(typed)
    assert str(caught.value.hint)


def test_a_line_holds_several_tags() -> None:
    assert parse_tags(" unread, #to  read;draft,, unread\n") == ["unread", "to read", "draft"]
    assert parse_tags(" , # ;") == []
    (cut,) = parse_tags("x" * 100)
    assert clean_tag(cut) == cut


def test_tags_of_other_programs_lose_their_commas_and_are_cut_at_a_word() -> None:
    assert make_tags(["Ethics, Medical", "ethics;medical", "", "#sea", "sea"]) == (
        "Ethics Medical",
        "ethics medical",
        "sea",
    )
    (cut,) = make_tags(["a rather long tag about the history of engineering"])
    assert clean_tag(cut) == cut == "a rather long tag about the history of"
