"""Documents in several languages, and a query in one that the model does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Kindred

GERMAN = "Der Vertrag endet nicht mit dem Tod des Mieters. Die Erben treten in das Verhältnis ein und zahlen weiter.\n"


@pytest.fixture
def filled(kindred: Kindred, papers: Path) -> Kindred:
    (papers / "mietrecht.txt").write_text(GERMAN, "utf-8")
    kindred("import", papers)
    return kindred


def test_a_search_is_limited_to_documents_in_a_language(filled: Kindred) -> None:
    for arguments in (
        ("Mieter water bread", "--language", "de"),
        ("Mieter water bread", "--language", "German"),
        ("Mieter water bread lang:de",),
    ):
        hits = filled("search", *arguments, "--json").json["hits"]
        assert {Path(hit["path"]).name for hit in hits} == {"mietrecht.txt"}, arguments
    both = filled("search", "Mieter water", "--language", "de", "--language", "en", "--json").json["hits"]
    assert len({hit["path"] for hit in both}) == 3
    assert "part of the library" in filled("search", "water", "--language", "fr").out
    wrong = filled("search", "water", "--language", "klingon")
    assert (wrong.status, "not a supported language" in wrong.err) == (2, True)
    assert "language:de" in filled("search", "--help").out
    themes = filled("clusters", "--language", "de", "--min-size", 2, "--json")
    assert themes.status == 0


def test_a_note_says_that_the_model_may_not_know_the_language_of_a_query(kindred: Kindred, tmp_path: Path) -> None:
    """The bundled model was made for English: its card says so."""
    lines = [f"The {noun} {verb} near the {place} in the {time}." for noun in ("ferry", "baker", "judge", "river")
             for verb in ("waits", "rests", "turns") for place in ("harbour", "market", "old wall")
             for time in ("morning", "winter")]  # fmt: skip
    (tmp_path / "lines.txt").write_text("\n\n".join(lines), "utf-8")
    kindred("import", tmp_path / "lines.txt")
    found = kindred("search", "明日の天気はどうなりますか", "--json")
    assert found.status == 0
    (note,) = found.json["notes"]
    assert "Japanese" in note
    assert "does not know" in note
    answer = kindred("search", "明日の天気はどうなりますか")
    assert "Japanese" in answer.err
    assert kindred("search", "Where does the ferry wait?", "--json").json["notes"] == []
    by_words = kindred("search", "明日の天気はどうなりますか", "--mode", "words", "--json").json
    assert by_words["notes"] == []
    documents = kindred("search", "明日の天気はどうなりますか", "--by", "document", "--json").json
    assert "Japanese" in documents["notes"][0]


def test_short_queries_are_recognized_by_their_words(kindred: Kindred, tmp_path: Path) -> None:
    """With the bundled tokenizer, which has "depart" and "bark", but neither "departs" nor "barks"."""
    lines = ["The train to Leeds is late.", "A dog ran along the platform.", "My dog likes to sleep on the sofa."]
    (tmp_path / "lines.txt").write_text("\n\n".join(lines), "utf-8")
    kindred("import", tmp_path / "lines.txt")
    understood = (
        "boat departs",
        "train departs",
        "ferries departing",
        "dog barks",
        "terriers digging",
        "captain's hat",
    )
    refused = ("asdkjhs qweoiued", "lkjhgfing", "zxcvbly", "perros ladrando", "trens partindo", "Züge abfahren")
    for query in (*understood, *refused):
        notes = kindred("search", query, "--json").json["notes"]
        assert any("does not" in note for note in notes) == (query in refused), (query, notes)
