"""Which conditions no document satisfies is said when nothing is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.core.query import parse_query
from desktop_app.engine.unmet_conditions import find_unmet_conditions
from desktop_app.store.library import LocalLibrary

from .filled_library import open_filled


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalLibrary]:
    """Two documents; one is in a collection and has a tag."""
    with open_filled(
        tmp_path_factory.mktemp("unmet") / "library", {"sea.txt": ["The sea rises."], "bread.md": ["Bread rises."]}
    ) as opened:
        first = next(iter(opened.documents.fetch())).document_id
        opened.collections.add(opened.collections.create("Coast thesis"), [first])
        opened.collections.tag([first], ["unread", "harbour"])
        yield opened


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sea collection:nope", ["There is no collection “nope”."]),
        ("sea collection:thesis", ["There is no collection “thesis”. Similar: “Coast thesis”."]),
        ("sea tag:harbor", ["There is no tag “harbor”. Similar: “harbour”."]),
        ("sea tag:nope", ["There is no tag “nope”."]),
        ("sea tag:unread,harbour", ["A condition has one name; for several write tag:unread tag:harbour."]),
        ("sea type:docx,pdf", ["No document matches type:docx,pdf."]),
        ("sea title:nowhere", ["No document matches title:nowhere."]),
        ('sea author:"V. Woolf"', ['No document matches author:"V. Woolf".']),
        ("sea in:papers/nope", ["No document matches in:papers/nope."]),
        ("sea after:2999", ["No document matches after:2999."]),
        ("sea year:1999", ["No document matches year:1999."]),
        ("sea year:1999-2001", ["No document matches year:1999-2001."]),
        ("sea after:1990 before:1999-05", ["No document matches after:1990 before:1999-05."]),
        (
            'collection:"coast thesis" title:bread sea',
            ["Each condition matches documents, but no document matches all of them."],
        ),
        ("sea tag:UNREAD", []),
        ("sea type:md", []),
        ("sea", []),
    ],
)
def test_each_condition_that_no_document_satisfies_is_named(library: LocalLibrary, typed: str, said: list[str]) -> None:
    assert list(map(str, find_unmet_conditions(library, parse_query(typed)))) == said
