"""Bad input: every query gets an honest answer, and the library stays unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_queries import BAD_QUERIES
from tests.cli.conftest import Kindred

TEXT = "The sea level has risen by twenty centimetres since 1900."


@pytest.fixture
def filled(kindred: Kindred, papers: Path) -> Kindred:
    kindred("import", papers)
    return kindred


def asked(kindred: Kindred, query: str, *options: str) -> list[dict]:
    answer = kindred("search", *options, "--json", "--", query)
    assert answer.status == 0
    assert answer.json["query"] == query
    hits = answer.json["hits"]
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert len({hit.get("sentence_id", hit["document_id"]) for hit in hits}) == len(hits)
    return hits


def test_a_query_of_any_kind_is_answered_and_the_library_stays_sound(filled: Kindred) -> None:
    before = filled("info", "--json").json
    found: dict[str, dict[str, list[str]]] = {}
    for name, query in BAD_QUERIES.items():
        if "\x00" in query:
            query = query.replace("\x00", "")  # no system hands that over
        found[name] = {
            mode: [hit["text"] for hit in asked(filled, query, "--mode", mode)] for mode in ("both", "words")
        }
        asked(filled, query, "--by", "document")
    for name in ("HTML", "right to left", "control characters"):
        answer = filled("search", "--", BAD_QUERIES[name].replace("\x00", ""))
        assert answer.status == 0, name
        assert not {"\x1b", "\u202e"} & set(answer.out + answer.err), "a query is no command to the terminal"
    # A query with a word finds that word, whatever surrounds it; a query without any matches nothing by words.
    for name in ("ten thousand characters", "unbalanced quotes", "FTS5", "SQL", "HTML", "control characters"):
        assert TEXT in found[name]["both"], name
    for name in ("ten thousand characters", "SQL", "control characters"):
        assert found[name]["words"][0] == TEXT, name
    for name in ("emoji", "right to left", "another language", "only conditions", "only operators"):
        assert found[name]["words"] == [], name
    assert found["one word of ten thousand letters"] == {"both": [], "words": []}
    assert found["only stop words"]["words"], "they are looked for where there is nothing else"
    assert filled("info", "--json").json["sentences"] == before["sentences"]
    assert filled("doctor").status == 0
    assert asked(filled, "how far the sea has risen")[0]["text"] == TEXT


def test_a_filter_that_excludes_everything_is_reported(filled: Kindred) -> None:
    for options in (["--type", "pdf"], ["--in", "sea.txt", "--type", "markdown"]):
        for mode in ("both", "meaning", "words"):
            assert "Nothing found in this part of the library." in filled("search", "sea", *options, "--mode", mode).out
            assert asked(filled, "sea", *options, "--mode", mode) == []
    assert "Nothing found in this part of the library." in filled("search", "sea in:/nowhere/at/all").out
    assert asked(filled, "sea after:2999", "--by", "document") == []
    for query in ("type:text", "--", "sea after:2999", "+xqzv"):
        said = filled("search", "--mode", "words", "--", query).out
        assert filled("search", "--mode", "words", "--by", "document", "--", query).out == said, query


def test_a_hit_whose_document_has_vanished_stays_readable_until_it_is_removed(filled: Kindred, papers: Path) -> None:
    (papers / "sea.txt").unlink()
    assert asked(filled, "how far the sea has risen")[0]["text"] == TEXT
    assert filled("search", "how far the sea has risen").out.count(TEXT) == 1
    assert filled("remove", papers / "sea.txt").status == 0
    for mode in ("both", "meaning", "words"):
        assert TEXT not in [hit["text"] for hit in asked(filled, "how far the sea has risen", "--mode", mode)]


def test_hits_no_nearer_than_chance_are_marked(kindred: Kindred, tmp_path: Path) -> None:
    lines = [f"The {noun} {verb} near the {place} in the {time}." for noun in ("ferry", "baker", "judge", "river")
             for verb in ("waits", "rests", "turns") for place in ("harbour", "market", "old wall")
             for time in ("morning", "winter")]  # fmt: skip
    (tmp_path / "lines.txt").write_text("\n\n".join(lines), "utf-8")
    imported = kindred("import", tmp_path / "lines.txt")
    assert imported.status == 0, imported
    query = "quantum chromodynamics on a lattice"
    found = kindred("search", query, "--json").json
    assert any("No good matches" in note for note in found["notes"]), found
    answer = kindred("search", query)
    assert answer.out.startswith("No good matches")
    assert "chance" not in answer.err
    found = kindred("search", "Where does the ferry wait?", "--json").json
    assert found["notes"] == [], found
