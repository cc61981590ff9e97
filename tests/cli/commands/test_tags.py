"""Tags on the command line, and searches limited to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Kindred


def test_documents_are_tagged_and_searched_by_their_tags(kindred: Kindred, imported: Path) -> None:
    assert "no tags" in kindred("tags").out
    answer = kindred("tags", "add", "unread", imported / "bread.md", "sea.txt", "--json")
    assert answer.status == 0
    assert [(row["tag"], len(row["document_ids"])) for row in answer.json["tags"]] == [("unread", 2)]
    kindred("tags", "add", "#Draft", "bread.md")
    assert kindred("tags").out.splitlines() == ["Draft  (1 document)", "unread  (2 documents)"]
    listed = {Path(row["path"]).name: row["tags"] for row in kindred("documents", "--json").json["documents"]}
    assert listed == {"bread.md": ["Draft", "unread"], "sea.txt": ["unread"]}

    for asked in (("ice that melts", "--tag", "draft"), ("ice that melts tag:Draft",)):
        hits = kindred("search", *asked, "--json").json["hits"]
        assert {Path(hit["path"]).name for hit in hits} == {"bread.md"}

    kindred("tags", "rename", "draft", "final")
    kindred("tags", "remove", "unread", "bread.md")
    assert kindred("tags").out.splitlines() == ["final  (1 document)", "unread  (1 document)"]
    kindred("tags", "remove", "unread")
    kindred("tags", "remove", "final", "bread.md")
    assert kindred("tags", "--json").json == {"tags": []}
    assert kindred("collections", "--json").json == {"collections": []}
    assert len(kindred("documents", "--json").json["documents"]) == 2


def test_a_tag_that_gets_the_name_of_another_is_merged_into_it(kindred: Kindred, imported: Path) -> None:
    kindred("tags", "add", "to-read", "bread.md")
    kindred("tags", "add", "unread", "sea.txt")
    assert kindred("tags", "rename", "to-read", "Unread").out.splitlines() == ["unread  (2 documents)"]


def test_a_tag_and_a_collection_may_have_one_name(kindred: Kindred, imported: Path) -> None:
    kindred("collections", "add", "thesis", "bread.md")
    kindred("tags", "add", "thesis", "sea.txt")
    assert kindred("collections").out.splitlines() == ["thesis  (1 document)"]
    for option, name in (("--collection", "bread.md"), ("--tag", "sea.txt")):
        hits = kindred("search", "water", option, "thesis", "--json").json["hits"]
        assert {Path(hit["path"]).name for hit in hits} == {name}


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("tags", "add"), 2, "needs a tag"),
        (("tags", "add", "unread"), 2, "needs documents"),
        (("tags", "add", "one, two", "sea.txt"), 2, "several tags"),
        (("tags", "add", "unread", "nothing.pdf"), 3, "nothing.pdf"),
        (("tags", "remove", "unread"), 3, "no tag unread"),
        (("search", "ice", "--tag", "unread"), 3, "no tag unread"),
    ],
)
def test_mistakes_are_reported(
    kindred: Kindred, imported: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    answer = kindred(*arguments)
    assert (answer.status, message in answer.err) == (status, True), answer
