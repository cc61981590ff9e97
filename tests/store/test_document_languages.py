"""The languages of documents: guessed from stored text, for searches limited to one."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from desktop_app.core.language_detection import LANGUAGE_NAMES, guess_script_language, language_code
from desktop_app.core.library import Library
from desktop_app.core.query import parse_query
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.scope import EVERYTHING, Scope

from .conftest import Open
from .helpers import add, drain, head, store, take_in, vector_of

pytestmark = pytest.mark.every_library

GERMAN = [
    "Der Vertrag endet mit dem Tod des Mieters nicht von selbst.",
    "Die Erben treten in das Verhältnis ein, wenn sie nicht kündigen.",
    "Das gilt auch für die Räume, die nicht zum Wohnen bestimmt sind.",
]
ENGLISH = [
    "The contract does not end with the death of the tenant.",
    "The heirs take over the lease unless they give notice.",
    "This holds for rooms that are not meant to be lived in as well.",
]
JAPANESE = ["猫は窓のそばで眠っています。", "雨が降っているので、庭は静かです。", "パンを焼くには時間がかかります。"]


@pytest.fixture
def mixed(library: Library) -> Library:
    for name, lines in (("de.txt", GERMAN), ("en.txt", ENGLISH), ("ja.txt", JAPANESE)):
        take_in(library, name, lines)
    return library


def found(library: Library, scope: Scope, query: str = "anything") -> set[str]:
    nearest = library.search.nearest(vector_of(query), 100, scope=scope)
    return {hit.title for hit in library.search.hits(nearest, scope=scope)}


def test_a_search_is_limited_to_languages(mixed: Library) -> None:
    assert found(mixed, Scope(languages=frozenset({"de"}))) == {"de.txt"}
    assert found(mixed, Scope(languages=frozenset({"de", "ja"}))) == {"de.txt", "ja.txt"}
    assert found(mixed, Scope(languages=frozenset())) == set()
    assert found(mixed, parse_query("x lang:japanese").within(EVERYTHING)) == {"ja.txt"}
    assert found(mixed, parse_query("x language:de").within(Scope(languages=frozenset({"en"})))) == set()
    words = mixed.keyword_search.find_sentences(
        parse_query("contract vertrag").keyword_query, 10, scope=Scope(languages=frozenset({"de"}))
    )
    assert [hit.title for hit in mixed.search.hits(words)] == ["de.txt"]
    assert [each.path[-6:] for each in mixed.documents.fetch(scope=Scope(languages=frozenset({"ja"})))] == ["ja.txt"]


def test_languages_are_told_of_all_documents_or_some(mixed: Library) -> None:
    of = {document.title: document.document_id for document in mixed.documents.fetch()}
    assert mixed.analysis_reader.languages() == {of["de.txt"]: "de", of["en.txt"]: "en", of["ja.txt"]: "ja"}
    assert mixed.analysis_reader.languages([of["ja.txt"], 10**9]) == {of["ja.txt"]: "ja"}
    assert mixed.analysis_reader.languages([]) == {}


def test_hits_are_counted_by_language(mixed: Library) -> None:
    ids = [near.sentence_id for near in mixed.search.nearest(vector_of("anything"), 100)]
    assert {each.title[:2]: each.language for each in mixed.analysis_reader.documents_of(ids)} == {
        "de": "de",
        "en": "en",
        "ja": "ja",
    }
    assert sorted(mixed.analysis_reader.languages().values()) == ["de", "en", "ja"]


def test_the_language_of_a_growing_document_is_guessed_again(library: Library) -> None:
    document_id = add(library, "growing.txt")
    assert library.analysis_reader.languages() == {}, "nothing of it is stored"
    library.ingest.begin(document_id, head("g"))
    store(library, document_id, ["ISBN 978"])
    assert library.analysis_reader.languages() == {document_id: "en"}
    store(library, document_id, GERMAN)
    assert library.analysis_reader.languages() == {document_id: "de"}
    library.ingest.finish(document_id, ReadingDone())
    library.documents.remove([document_id])
    assert library.analysis_reader.languages() == {}


def test_languages_are_known_without_a_request_and_after_reopening(mixed: Library, open_library: Open) -> None:
    drain(mixed.maintenance.run())
    mixed.close()
    reader = open_library(writable=False)
    assert found(reader, Scope(languages=frozenset({"ja"}))) == {"ja.txt"}


@pytest.mark.parametrize(
    ("name", "code"),
    [("de", "de"), ("DE", "de"), ("German", "de"), ("deutsch", "de"), ("pt-BR", "pt"), ("zh_CN", "zh"),
     ("日本語", "ja"), ("klingon", ""), ("", ""), ("x", "")],
)  # fmt: skip
def test_a_language_is_given_by_code_or_name(name: str, code: str) -> None:
    assert language_code(name) == code


def test_a_language_is_guessed_from_a_script_but_not_from_a_few_words() -> None:
    assert guess_script_language("die hard") == guess_script_language("4711") == ""
    assert guess_script_language("明日の天気") == "ja"
    assert guess_script_language("де їжак") == "uk"
    assert guess_script_language("the end of the lease") == ""
    assert set(LANGUAGE_NAMES) >= {"de", "ja", "en"}


def test_guesses_outlive_the_erasure_of_another_document(mixed: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    german, english, japanese = (mixed.documents.find(f"{name}.txt")[0].document_id for name in ("de", "en", "ja"))
    assert mixed.analysis_reader.languages() == {german: "de", english: "en", japanese: "ja"}
    mixed.documents.remove([english])
    drain(mixed.maintenance.purge())
    monkeypatch.setattr("desktop_app.store.database.guess_sample_language", Mock(side_effect=AssertionError))
    assert mixed.analysis_reader.languages() == {german: "de", japanese: "ja"}
