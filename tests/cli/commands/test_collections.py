"""Collections on the command line, and searches limited to them."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Kindred


def test_a_collection_of_documents_is_searched_alone(kindred: Kindred, imported: Path) -> None:
    assert "no collections" in kindred("collections").out
    answer = kindred("collections", "add", "Baking", imported / "bread.md", "--json")
    assert answer.status == 0
    (row,) = answer.json["collections"]
    assert (row["name"], len(row["document_ids"])) == ("Baking", 1)

    hits = kindred("search", "ice that melts", "--collection", "baking", "--json").json["hits"]
    assert {Path(hit["path"]).name for hit in hits} == {"bread.md"}
    hits = kindred("search", "ice that melts collection:Baking", "--json").json["hits"]
    assert {Path(hit["path"]).name for hit in hits} == {"bread.md"}

    kindred("collections", "add", "baking", "sea.txt")
    assert kindred("collections").out.splitlines() == ["Baking  (2 documents)"]
    kindred("collections", "take", "Baking", "bread.md")
    kindred("collections", "rename", "Baking", "Sea and shore")
    assert kindred("collections").out.splitlines() == ["Sea and shore  (1 document)"]
    kindred("collections", "delete", "Sea and shore")
    assert kindred("collections", "--json").json == {"collections": []}
    assert len(kindred("documents", "--json").json["documents"]) == 2


def test_mistakes_are_reported(kindred: Kindred, imported: Path) -> None:
    for arguments, status, message in (
        (("collections", "add"), 2, "needs a collection"),
        (("collections", "add", "Baking"), 2, "needs documents"),
        (("collections", "add", "Baking", "nothing.pdf"), 3, "nothing.pdf"),
        (("collections", "take", "Baking", "sea.txt"), 3, "no collection Baking"),
        (("search", "ice", "--collection", "Baking"), 3, "no collection Baking"),
    ):
        answer = kindred(*arguments)
        assert (answer.status, message in answer.err) == (status, True), answer
