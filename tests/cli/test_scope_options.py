"""Parts of the library: documents, collections and tags by their names."""

from __future__ import annotations

from pathlib import Path

from desktop_app.cli.scope_options import filter_by_kind, find_by_name
from desktop_app.core.records import DocumentCollection
from tests.cli.conftest import Kindred

_THERE = [
    DocumentCollection(1, "Sea level", kind="collection"),
    DocumentCollection(2, "STRASSE", kind="tag"),
    DocumentCollection(3, "sea", kind="tag"),
]


def test_a_name_is_found_in_any_case_spacing_and_accents_but_only_whole() -> None:
    assert find_by_name(_THERE, "  sea   LEVEL ") is _THERE[0]
    assert find_by_name(_THERE, "straße") is _THERE[1]
    assert find_by_name(_THERE, "Sea") is _THERE[2]
    assert find_by_name(_THERE, "séa") is _THERE[2], "the library has one of both"
    assert find_by_name(_THERE, "se\N{COMBINING ACUTE ACCENT}a") is _THERE[2], "as macOS types it"
    assert find_by_name(_THERE, "level") is None
    assert [filter_by_kind(_THERE, kind) for kind in ("collection", "tag")] == [_THERE[:1], _THERE[1:]]


def test_parts_of_the_library_join_documents_and_cut_by_collections_and_tags(kindred: Kindred, imported: Path) -> None:
    def documents(*part: str | Path) -> set[str]:
        hits = kindred("search", "ice bread", "--json", *part).json["hits"]
        return {Path(hit["path"]).name for hit in hits}

    for kind, name, file in (
        ("collections", "Sea", "sea.txt"),
        ("collections", "Baking", "bread.md"),
        ("tags", "wet", "sea.txt"),
        ("tags", "warm", "bread.md"),
    ):
        made = kindred(kind, "add", name, imported / file)
        assert made.status == 0, made.err
    assert documents() == {"sea.txt", "bread.md"}
    assert documents("--in", "sea.txt", "--in", "bread.md") == {"sea.txt", "bread.md"}
    assert documents("--in", imported) == {"sea.txt", "bread.md"}
    assert documents("--in", "bread.md") == {"bread.md"}
    for part in (("--collection", "sea"), ("--tag", "WET"), ("--tag", "wet", "--collection", "Sea")):
        assert documents(*part) == {"sea.txt"}, part
        assert documents("--in", "bread.md", *part) == set(), part
    assert documents("--collection", "Sea", "--collection", "Baking") == set(), "in all of them"
    assert documents("--tag", "wet", "--tag", "warm") == set(), "with all of them"
    # A tag is no collection, nor the other way round; an empty name is none.
    for part, message in (
        (("--collection", "wet"), "There is no collection wet. `collections` lists all collections."),
        (("--tag", "Sea"), "There is no tag Sea. `tags` lists all tags."),
        (("--in", "sea.txt", "--in", "moon"), "The library has no document or folder moon. `documents` lists"),
    ):
        answer = kindred("search", "ice", *part)
        assert answer.status == 3
        assert message in answer.err
    for option in ("--in", "--collection", "--tag"):
        answer = kindred("search", "ice", option, "")
        assert answer.status == 2
        assert "the name is empty" in answer.err.lower()


def test_one_document_is_meant_or_none(kindred: Kindred, imported: Path) -> None:
    (imported / "more").mkdir()
    (imported / "more" / "sea.txt").write_text("Salt marshes break the force of the waves.", "utf-8")
    assert kindred("import", imported / "more").status == 0
    several = kindred("keys", "sea.txt", "--json")
    assert (several.status, several.json["error"]["code"]) == (2, "ambiguous")
    assert several.json["error"]["message"] == "sea.txt matches 2 documents: #2, #3"
    assert kindred("keys", "bread.md").status == 0
    none = kindred("keys", "moon.txt")
    assert none.status == 3
    assert "There is no document moon.txt. `documents` lists all documents." in none.err
