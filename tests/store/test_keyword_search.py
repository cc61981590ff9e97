"""The words of documents in the library, and only those, are found and stored."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from desktop_app.core.jobs import Steps
from desktop_app.core.library import Library
from desktop_app.core.query import NO_KEYWORDS, KeywordQuery
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.records import ScoredSentence
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.word_conditions import ExactPhrase, WordCondition, WordGroup, WordStart, has_words
from desktop_app.shared_store import keyword_index as shared_keyword_index
from desktop_app.store import keyword_index, sentence_lengths
from desktop_app.store.database import Database
from desktop_app.store.keyword_index import KeywordIndex
from desktop_app.store.library import LocalLibrary
from desktop_app.store.migrations import MIGRATIONS, PASSAGE_CHARACTERS, WORDS, migrate

from .conftest import Open
from .helpers import (
    MODEL,
    add,
    drain,
    faults,
    files_with,
    found,
    head,
    path,
    run_checks,
    store,
    take_in,
    texts,
    unit,
    vector_of,
    vectors_of,
)

pytestmark = pytest.mark.every_library

_WORDS = next(migration for migration in MIGRATIONS if set(WORDS) <= set(migration.statements))


def matching(
    library: Library, *words: str, top_k: int = 50, scope: Scope = EVERYTHING, **more: tuple[WordCondition, ...]
) -> set[str]:
    ids = library.keyword_search.find_sentences(KeywordQuery(words, **more), top_k, scope=scope)
    return {hit.text for hit in library.search.hits(ids, scope=scope)}


def documents(library: Library, *words: str, **more: tuple[WordCondition, ...]) -> list[int]:
    return [document_id for document_id, _ in library.keyword_search.rank_documents(KeywordQuery(words, **more), 50)]


def limits_of(library: Library) -> ModuleType:
    """The module with the limits of this kind of library."""
    return keyword_index if isinstance(library, LocalLibrary) else shared_keyword_index


@pytest.fixture
def three(library: Library) -> Library:
    take_in(library, "a.txt", ["The cats were sleeping.", "A naïve Café owner.", "Nothing here."], title="On Càts")
    take_in(library, "b.txt", ["A cat sleeps.", "Dogs bark at the moon.", "Nothing here."])
    take_in(library, "c.md", ["The moon is far; the moon, the moon!", "sleep"])
    return library


class TestSentences:
    def test_stems_case_and_accents_do_not_matter(self, three: Library) -> None:
        assert matching(three, "CAT") == {"The cats were sleeping.", "A cat sleeps."}
        assert matching(three, "cafe", "naive") == {"A naïve Café owner."}
        assert matching(three, "CAFÉ") == {"A naïve Café owner."}

    def test_a_word_in_two_forms_counts_once(self, three: Library) -> None:
        words, cat = three.keyword_search, KeywordQuery(("cat", "moon"))
        (ids,) = (sorted(three.analysis_reader.ids(["A cat sleeps.", "Dogs bark at the moon."]).values()),)
        for twice in (KeywordQuery(("CATS", "moon", "cat")), KeywordQuery(("cats", "moon"), must=())):
            assert words.weight(twice) == pytest.approx(words.weight(cat))
            assert words.score_among(twice, ids) == pytest.approx(words.score_among(cat, ids))
        once, again = KeywordQuery(("cat", "moon"), must=("cat",)), KeywordQuery(("cat", "moon"), must=("cats",))
        assert words.weight(again) == pytest.approx(words.weight(once))
        found = [[near.score for near in words.find_sentences(each, 9)] for each in (once, again)]
        assert found[0] == pytest.approx(found[1])
        assert len(found[0]) == 2

    def test_vowel_signs_are_parts_of_words(self, library: Library) -> None:
        own = [
            "\u0932\u0921\u093c\u0915\u0940 \u0915\u0940 \u0915\u093f\u0924\u093e\u092c",
            "\u0932\u0921\u093c\u0915\u093e \u0915\u093e \u0915\u0924\u092c",
        ]
        take_in(library, "hindi.txt", own)
        for nth, word in enumerate(("\u0915\u0940", "\u0915\u093e")):
            assert matching(library, word) == {own[nth]}
            assert matching(library, must=(word,)) == {own[nth]}
            assert matching(library, must=(ExactPhrase(word),)) == {own[nth]}
        assert matching(library, must=(WordStart("\u0915\u093f\u0924"),)) == {own[0]}
        assert documents(library, "\u0915\u0947") == []
        assert faults(library) == []

    def test_sentences_that_match_better_come_first(self, three: Library) -> None:
        ids = three.keyword_search.find_sentences(KeywordQuery(("moon",)), 10)
        assert [hit.text for hit in three.search.hits(ids)] == [
            "The moon is far; the moon, the moon!",
            "Dogs bark at the moon.",
        ]
        assert ids[0].score > ids[1].score > 0

    def test_very_common_words_count_only_if_requested(self, three: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        keyword_query = KeywordQuery(("moon", "absent"))
        every = {near.sentence_id: near.score for near in three.keyword_search.find_sentences(keyword_query, 10)}
        assert len(every) == 2
        assert not three.keyword_search.is_common(keyword_query)
        monkeypatch.setattr(limits_of(three), "MAX_RANKED_ROWS", 1)
        assert three.keyword_search.is_common(keyword_query)
        assert not three.keyword_search.is_common(KeywordQuery(("moon", "bark"))), "one of them is rare"
        assert not three.keyword_search.is_common(KeywordQuery(("absent",)))
        assert not three.keyword_search.is_common(KeywordQuery(("moon",), must=("moon",)))
        one, other = every
        assert three.keyword_search.score_among(keyword_query, [one, 9999]) == {
            one: pytest.approx(every[one], abs=1e-5)
        }
        assert three.keyword_search.score_among(KeywordQuery(("moon",), without=("far",)), [one, other]).keys() == {
            other
        }
        monkeypatch.setattr(limits_of(three), "MAX_SCANNED_ROWS", 1)
        assert three.keyword_search.score_among(keyword_query, [one, other]) == {}

    def test_required_and_excluded_words_are_respected(self, three: Library) -> None:
        assert matching(three, "cat", must=("sleeping",)) == {"The cats were sleeping.", "A cat sleeps.", "sleep"}
        assert matching(three, "cat", must=("were sleeping",)) == {"The cats were sleeping."}
        assert matching(three, "sleep", without=("cat",)) == {"sleep"}
        assert matching(three, without=("cat",)) == set()

    def test_several_required_and_excluded_words_count_together(self, three: Library) -> None:
        assert matching(three, must=("sleep", "cat")) == {"The cats were sleeping.", "A cat sleeps."}
        assert (
            matching(three, must=("cat", "were"))
            == matching(three, must=("were", "cat"))
            == {"The cats were sleeping."}
        )
        assert matching(three, must=("sleep",), without=("were",)) == {"A cat sleeps.", "sleep"}
        assert matching(three, must=("sleep",), without=("cafe", "were", "moon")) == {"A cat sleeps.", "sleep"}
        assert matching(three, "sleep", "moon", without=("far", "cat")) == {"Dogs bark at the moon.", "sleep"}
        assert matching(three, "sleep", "moon", must=("cat", "sleep"), without=("far", "were")) == {"A cat sleeps."}

    def test_an_exact_phrase_has_these_letters(self, three: Library) -> None:
        assert matching(three, must=(ExactPhrase("cat"),)) == {"A cat sleeps."}
        assert matching(three, must=(ExactPhrase("CATS were"),)) == {"The cats were sleeping."}
        assert matching(three, must=(ExactPhrase("naive cafe"),)) == {"A naïve Café owner."}
        assert matching(three, must=(ExactPhrase("cat sleep"),)) == set()
        assert matching(three, "sleep", without=(ExactPhrase("sleeps"),)) == {"The cats were sleeping.", "sleep"}
        assert documents(three, must=(ExactPhrase("cats"),)) == [1]
        assert documents(three, "sleep", without=(ExactPhrase("cats"),)) == [3, 2]

    @pytest.mark.only_local
    def test_required_words_are_looked_up_once_until_something_is_written(
        self, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        take_in(library, "a.txt", ["The cat sat.", "Sat the cat.", "Cats sit."])
        assert isinstance(library, LocalLibrary)
        checked: list[str] = []

        def check(text: str, folded: str) -> bool:
            checked.append(text)
            return has_words(text, folded)

        library._database._raw.create_function("has_words", 2, check)
        phrase, begun = ExactPhrase("the cat"), WordStart("sat")
        assert matching(library, "sat", must=(phrase,), without=(WordStart("sit"),)) == {"The cat sat.", "Sat the cat."}
        before = len(checked)
        assert matching(library, "cat", must=(phrase,), without=(WordStart("sit"),)) == {"The cat sat.", "Sat the cat."}
        assert len(checked) == before
        take_in(library, "b.txt", ["There the cat was."])
        assert matching(library, must=(phrase,), without=(begun,)) == {"There the cat was."}
        monkeypatch.setattr(keyword_index, "_MOST_KEPT_ROWS", 2)
        assert matching(library, must=(phrase,), without=(begun,)) == {"There the cat was."}

    def test_the_beginning_of_a_word_is_enough(self, three: Library) -> None:
        assert matching(three, must=(WordStart("slee"),)) == {"The cats were sleeping.", "A cat sleeps.", "sleep"}
        assert matching(three, must=(WordStart("sleepin"),)) == {"The cats were sleeping."}
        assert matching(three, must=(WordStart("caf"),)) == {"A naïve Café owner."}
        assert matching(three, must=(WordStart("leep"),)) == set()
        assert documents(three, must=(WordStart("sleepi"),)) == [1]

    def test_groups_are_any_or_all_of_their_parts(self, three: Library) -> None:
        either = WordGroup(("moon", ExactPhrase("cat")), is_any=True)
        assert matching(three, must=(either,)) == {
            "A cat sleeps.",
            "Dogs bark at the moon.",
            "The moon is far; the moon, the moon!",
        }
        both = WordGroup((either, WordStart("ba")), is_any=False)
        assert matching(three, must=(both,)) == {"Dogs bark at the moon."}
        assert matching(three, "moon", without=(WordGroup(("far", "bark"), is_any=True),)) == set()
        assert three.keyword_search.filter_documents(KeywordQuery(must=(either,))) == {2, 3}
        spread = WordGroup(("cat", "moon"), is_any=False)
        assert documents(three, must=(spread,)) == [2], "the words may be in different sentences"
        near = three.search.nearest(vector_of("sleep"), 10, keyword_query=KeywordQuery(must=(both,)))
        assert {hit.text for hit in three.search.hits(near)} == {"Dogs bark at the moon."}

    def test_a_search_by_meaning_respects_them_too(self, three: Library) -> None:
        wanted = three.search.nearest(vector_of("sleep"), 10, keyword_query=KeywordQuery(must=("cat",)))
        assert {hit.text for hit in three.search.hits(wanted)} == {"The cats were sleeping.", "A cat sleeps."}
        rest = three.search.nearest(vector_of("sleep"), 10, keyword_query=KeywordQuery(without=("cat", "moon")))
        assert {hit.text for hit in three.search.hits(rest)} == {"A naïve Café owner.", "Nothing here.", "sleep"}

    def test_only_sentences_in_scope_are_found(self, three: Library) -> None:
        b = Scope(paths=(path("b.txt"),))
        assert matching(three, "cat", "moon", "nothing", scope=b) == {
            "A cat sleeps.",
            "Dogs bark at the moon.",
            "Nothing here.",
        }
        three.documents.remove([1])
        assert matching(three, "cat") == {"A cat sleeps."}
        three.documents.restore([1])
        assert matching(three, "cafe") == {"A naïve Café owner."}

    def test_the_worst_of_many_matches_is_found_if_only_it_is_in_scope(
        self, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("desktop_app.store.keyword_search.EXACT_SENTENCES", 0)
        last = "a cat that sat between many longer words about everything else"
        chosen = take_in(library, "chosen.txt", [*(f"bird {number}" for number in range(300)), last])
        take_in(library, "other.txt", [f"cat {number}" for number in range(300)])
        scope = Scope(document_ids=frozenset({chosen}))
        assert matching(library, "cat", top_k=5, scope=scope) == {last}

    @pytest.mark.only_local
    @pytest.mark.parametrize("share", [0.2, 0.6])
    def test_cached_visibility_finds_the_same(self, library: Library, share: float) -> None:
        count = int(500 * share)
        sentences = [f"{'cat ' * (at % 3)}moon {at} {'and more words ' * (at % 7)}" for at in range(500)]
        chosen = take_in(library, "chosen.txt", sentences[:count])
        take_in(library, "other.txt", sentences[count:])
        scope, words = Scope(document_ids=frozenset({chosen})), KeywordQuery(("cat", "moon"))
        by_sqlite = library.keyword_search.find_sentences(words, 20, scope=scope)
        drain(library.visibility.fill())
        assert library.keyword_search.find_sentences(words, 20, scope=scope) == by_sqlite
        assert len(by_sqlite) == 20

    @pytest.mark.only_local
    def test_known_lengths_give_the_ranking_of_the_index(
        self, open_library: Open, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rng = np.random.default_rng(3)

        def sentences(first: int, count: int) -> list[str]:
            words = [
                rng.choice(["cat", "cats", "moon", "sleep", "far", "bread"], rng.integers(1, 30)) for _ in range(count)
            ]
            longest = "cat " + "word " * 300 + f"moon {first}"
            return [*(f"{' '.join(own)} {first + at}" for at, own in enumerate(words)), longest]

        library = open_library()
        library.models.bind(MODEL)
        scope = Scope(document_ids=frozenset({take_in(library, "a.txt", sentences(0, 100))}))
        gone = take_in(library, "b.txt", sentences(1000, 100))
        queries = (KeywordQuery(("cats", "moon")), KeywordQuery(("bread",)), KeywordQuery(("far", "moon", "nowhere")))

        def ranked(library: Library) -> list[list[ScoredSentence]]:
            search = library.keyword_search
            return [search.find_sentences(each, 150, scope=own) for each in queries for own in (EVERYTHING, scope)]

        by_index = ranked(library)
        assert all(by_index)
        library.maintenance.keep_index_loaded()
        drain(library.maintenance.run())
        rank_by_index = KeywordIndex._rank_by_index
        with monkeypatch.context() as patch:
            patch.setattr(KeywordIndex, "_rank_by_index", None)
            assert ranked(library) == by_index
            library.documents.remove([gone])
            drain(library.maintenance.purge())
            take_in(library, "c.txt", sentences(2000, 100))
            changed = ranked(library)
            patch.setattr(KeywordIndex, "_rank_by_index", rank_by_index)
            assert ranked(open_library(writable=False)) == changed
        assert changed != by_index

    @pytest.mark.only_local
    def test_many_new_sentences_do_not_delay_a_search(self, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sentence_lengths, "_MOST_NEW", 5)
        take_in(library, "a.txt", ["A cat sleeps.", "The moon."])
        library.maintenance.keep_index_loaded()
        drain(library.maintenance.run())
        take_in(library, "b.txt", [f"cat {at}" for at in range(20)])
        with monkeypatch.context() as patch:
            patch.setattr(sentence_lengths.SentenceLengths, "_read", None)
            assert len(matching(library, "cat")) == 21, "the index ranks them"
        drain(library.maintenance.run())
        monkeypatch.setattr(KeywordIndex, "_rank_by_index", None)
        assert len(matching(library, "cat")) == 21

    @pytest.mark.only_local
    def test_phrases_and_beginnings_are_ranked_by_the_index(self, library: Library) -> None:
        take_in(library, "a.txt", ["The cat sat.", "Sat the cat.", "Catch it."])
        library.maintenance.keep_index_loaded()
        drain(library.maintenance.run())
        assert matching(library, "cat sat") == {"The cat sat."}
        assert matching(library, must=(WordStart("cat*"),)) == {"The cat sat.", "Sat the cat.", "Catch it."}

    def test_the_most_common_words_are_searched_if_little_else_is_found(self, library: Library) -> None:
        take_in(library, "many.txt", [f"common filler {at}" for at in range(9000)])
        take_in(library, "few.txt", ["common ground", "rare bird"])
        few = Scope(paths=(path("few.txt"),))
        assert matching(library, "common", "rare", scope=few) == {"common ground", "rare bird"}
        assert matching(library, "common", "rare") == {"rare bird"}
        assert len(matching(library, "common", top_k=50)) == 50

    def test_any_query_is_accepted(self, three: Library) -> None:
        for text in ('"', "*", "NEAR(", "a AND", "text:x", "^", "-", "'; DROP TABLE sentence", "\0", "🙂", "שלום", ""):
            matching(three, text)
            matching(three, text, must=(text,), without=(text,))


class TestDocuments:
    def test_words_are_found_anywhere_in_a_document(self, three: Library) -> None:
        assert documents(three, "cat", "dog") == [2, 1]
        assert set(documents(three, "cat", must=("moon",))) == {2, 3}
        assert set(documents(three, "nothing", without=("moon",))) == {1}
        assert three.keyword_search.filter_documents(KeywordQuery(must=("cat", "café"))) == {1}
        assert three.keyword_search.filter_documents(KeywordQuery(without=("moon",))) == {1}
        assert three.keyword_search.filter_documents(NO_KEYWORDS) is None

    def test_several_required_and_excluded_words_count_together(self, three: Library) -> None:
        def left(**words: tuple[WordCondition, ...]) -> frozenset[int] | None:
            return three.keyword_search.filter_documents(KeywordQuery(**words))

        assert left(must=("nothing", "dog")) == left(must=("dog", "nothing")) == {2}
        assert left(must=("sleep",), without=("dog",)) == {1, 3}
        assert left(must=("sleep",), without=("dog", "far")) == left(must=("sleep",), without=("far", "dog")) == {1}
        assert left(without=("dog", "far")) == left(without=("far", "dog")) == {1}
        assert documents(three, "sleep", must=("cat",), without=("café", "far")) == [2]

    def test_a_long_document_is_indexed_by_passages(self, library: Library) -> None:
        document_id = add(library, "book.txt")
        library.ingest.begin(document_id, head("book"))
        whole = texts("book", 2 * PASSAGE_CHARACTERS + 50)
        for at in range(0, len(whole), 700):
            store(library, document_id, whole[at : at + 700])
        library.ingest.finish(document_id, ReadingDone())
        for number in (0, PASSAGE_CHARACTERS - 1, PASSAGE_CHARACTERS, 2 * PASSAGE_CHARACTERS, len(whole) - 1):
            assert documents(library, must=(str(number),)) == [document_id]
        assert library.keyword_search.filter_documents(KeywordQuery(must=("0", str(2 * PASSAGE_CHARACTERS)))) == {
            document_id
        }
        assert faults(library) == []

    def test_a_new_version_replaces_the_old_one(self, library: Library) -> None:
        document_id = take_in(library, "a.txt", ["old words"])
        library.ingest.begin(document_id, head("new"))
        store(library, document_id, ["new words"])
        assert documents(library, "old") == [document_id]
        assert documents(library, "new") == []
        library.ingest.finish(document_id, ReadingDone())
        assert documents(library, "old") == []
        assert documents(library, "new") == [document_id]
        assert matching(library, "old") == set()
        assert faults(library) == []

    def test_best_sentences_of_given_documents_are_exact(self, three: Library) -> None:
        every = {
            i: (score, best) for i, score, best in three.document_ranking.nearest_documents(vector_of("sleep"), 10)
        }
        for document_id, score, best in three.document_ranking.score_documents(vector_of("sleep"), [3, 1]):
            assert score == pytest.approx(every[document_id][0], abs=1e-6)
            assert [near.sentence_id for near in best] == [near.sentence_id for near in every[document_id][1]]

    def test_the_mean_of_a_document_covers_all_its_sentences(self, three: Library) -> None:
        means = three.document_ranking.mean_vectors([2, 99, 1])
        for row, of_one in ((0, ["A cat sleeps.", "Dogs bark at the moon.", "Nothing here."]),
                           (2, ["The cats were sleeping.", "A naïve Café owner.", "Nothing here."])):  # fmt: skip
            assert means[row] == pytest.approx(unit(vectors_of(of_one).sum(axis=0)), abs=1e-5)
        assert not means[1].any()

    def test_the_mean_of_a_document_stored_in_several_batches_covers_them_all(self, library: Library) -> None:
        document_id = add(library, "long.txt")
        library.ingest.begin(document_id, head("long"))
        parts = [texts("begin", 5), texts("middle", 3), [*texts("end", 1), *texts("end", 1), *texts("begin", 1)]]
        for part in parts:
            store(library, document_id, part)
        library.ingest.finish(document_id, ReadingDone())
        (mean,) = library.document_ranking.mean_vectors([document_id])
        assert mean == pytest.approx(unit(vectors_of([text for part in parts for text in part]).sum(axis=0)), abs=1e-5)


class TestScopes:
    def test_a_scope_limits_titles_folders_kinds_and_dates(self, three: Library) -> None:
        def ids(**more: object) -> list[int]:
            return [document.document_id for document in three.documents.fetch(scope=Scope(**more))]

        assert ids(titles=("CATS",)) == [1]
        assert ids(titles=("b.t",)) == [2]
        assert ids(titles=("cats", "dogs")) == []
        assert ids(folders=("Papers",)) == [1, 2, 3]
        assert ids(folders=("paper",)) == []
        assert ids(folders=("b.txt",)) == [2]
        assert ids(folders=(path(""),)) == [1, 2, 3]
        assert ids(kinds=frozenset({"md"})) == [3]
        assert ids(kinds=frozenset({"text"})) == [1, 2, 3]
        assert ids(kinds=frozenset({"pdf", "%"})) == []
        assert ids(after=1.0) == []
        assert ids(before=1.0) == [1, 2, 3]


class TestCare:
    def test_no_file_contains_a_purged_word(self, open_library: Open, tmp_path: Path) -> None:
        library = open_library(tail_rows=200)
        library.models.bind(MODEL)
        rng = np.random.default_rng(5)
        gone: list[bytes] = []
        kept: list[str] = []
        for step in range(12):
            own = [f"{'zq' if step % 3 else 'kx'}{rng.integers(10**9):09d}word stands in {step}" for _ in range(80)]
            document_id = take_in(library, f"{step:02}.txt", own)
            if step % 3:
                library.documents.remove([document_id])
                gone += [text.split()[0].encode() for text in own]
                if step % 2:
                    drain(library.maintenance.purge())
            else:
                kept.append(own[7])
        drain(library.maintenance.purge())
        assert files_with(tmp_path, *gone, b"zq") == []
        assert all(matching(library, text.split()[0]) == {text} for text in kept)
        assert faults(library) == []
        library.close()
        assert files_with(tmp_path, *gone) == []

    @pytest.mark.only_local
    def test_a_library_of_an_earlier_version_gets_its_word_index(self, open_library: Open, tmp_path: Path) -> None:
        library = open_library()
        library.models.bind(MODEL)
        take_in(library, "a.txt", texts("old", 30))
        library.close()
        with closing(sqlite3.connect(tmp_path / "library" / "library.db", isolation_level=None)) as connection:
            for kind, name in (
                ("TRIGGER", "sentence_erased"),
                ("TRIGGER", "passage_added"),
                ("TRIGGER", "passage_erased"),
                ("TABLE", "sentence_words"),
                ("TABLE", "passage_words"),
                ("VIEW", "passage_text"),
                ("TABLE", "passage"),
            ):
                connection.execute(f"DROP {kind} {name}")
            connection.execute(f"PRAGMA user_version = {_WORDS.version - 1}")
        database = Database(tmp_path / "library" / "library.db", writable=True)
        migrate(database, (_WORDS,))
        database.close()
        with closing(sqlite3.connect(tmp_path / "library" / "library.db", isolation_level=None)) as connection:
            connection.execute(f"PRAGMA user_version = {MIGRATIONS[-1].version}")
        library = open_library()
        assert matching(library, must=("number 17",)) == {"old has a sentence with the number 17."}
        assert documents(library, "17") == [1]
        assert faults(library) == []

    @pytest.mark.parametrize(
        "statement",
        [
            "INSERT INTO sentence_words (sentence_words, rowid, text) SELECT 'delete', 3, text FROM sentence LIMIT 1",
            "INSERT INTO sentence_words (rowid, text) VALUES (99, 'ghost')",
            "UPDATE sentence SET text = 'changed behind its back' WHERE id = 4",
            "INSERT INTO passage_words (passage_words) VALUES ('delete-all')",
        ],
    )
    @pytest.mark.only_local
    def test_the_doctor_finds_and_repairs_faults(self, open_library: Open, tmp_path: Path, statement: str) -> None:
        library = open_library()
        library.models.bind(MODEL)
        take_in(library, "a.txt", texts("a", 20))
        library.close()
        with closing(sqlite3.connect(tmp_path / "library" / "library.db", isolation_level=None)) as connection:
            connection.execute(statement)
        library = open_library()
        assert any(fault.startswith("words") for fault in faults(library))
        run_checks(library, repair=True)
        assert faults(library) == []
        assert found(library, texts("a", 20)[5])
        assert matching(library, must=("number 5",)) == {texts("a", 20)[5]}


def test_a_sentence_with_every_word_comes_before_a_short_one_with_a_single_word(library: Library) -> None:
    long = (
        "The treasure of the old captain had been buried on the far side of the island, and nobody knew where it lay."
    )
    take_in(
        library, "a.txt", ["Treasure!", "A small island.", *(f"Boat {number} sails." for number in range(50)), long]
    )
    words = KeywordQuery(("treasure", "island", "captain"))
    found = library.keyword_search.find_sentences(words, 3)
    assert library.search.hits(found)[0].text == long
    scores = {near.sentence_id: near.score for near in found}
    assert library.keyword_search.score_among(words, list(scores)) == pytest.approx(scores)
    assert max(scores.values()) < library.keyword_search.weight(words), "the sentence is longer than others"


def test_the_weight_of_words_is_twice_their_rarity(library: Library) -> None:
    take_in(library, "a.txt", ["Ice melts.", "Ice breaks.", "Bread bakes.", "Salt is salt.", "Water runs."])
    search = library.keyword_search

    def rarity(count: int) -> float:
        return 2 * float(np.log((5 - count + 0.5) / (count + 0.5)))

    assert search.weight(KeywordQuery(("melts",))) == pytest.approx(rarity(1))
    assert search.weight(KeywordQuery(("ice", "melts"))) == pytest.approx(rarity(2) + rarity(1))
    assert search.weight(KeywordQuery(("melts", "melts"))) == pytest.approx(rarity(1)), "each word once"
    assert search.weight(KeywordQuery(("unheard",))) == pytest.approx(rarity(0))


def test_a_word_of_one_passage_has_no_rarity(library: Library) -> None:
    for name in "abcde":
        take_in(library, f"{name}.txt", [f"Ice melts in {name}{name}{name}.", "Salt." if name in "ab" else "Bread."])
    found = library.keyword_search.document_rarities(["salt", "bread", "ccc", "unheard"])
    assert found.keys() == {"salt", "bread"}
    assert found["salt"] == pytest.approx(np.log(3.5 / 2.5))
    assert 0 < found["bread"] < 0.01, "in more than half of them: almost nothing, but above 0"


@pytest.mark.only_local
def test_merging_moves_the_log_before_a_commit_has_to(open_library: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyword_index, "_MERGE_PAGES", 1)
    library = open_library()
    assert isinstance(library, LocalLibrary)
    library.models.bind(MODEL)
    database = library._database
    moving: list[bool] = []
    moved: list[bool] = []
    move_log = database.move_log

    def note_move() -> Steps[None]:
        moving.append(True)
        yield from move_log()
        moved.append(moving.pop())

    monkeypatch.setattr(database, "move_log", note_move)
    rng = np.random.default_rng(4)
    for number in range(12):
        sentences = [" ".join(f"w{each}" for each in rng.integers(0, 40_000, 300)) for _ in range(8)]
        take_in(library, f"{number}.txt", sentences)
    merges = sum(1 for _ in KeywordIndex(database).merge() if not moving)
    assert merges > 8
    assert merges // 4 - 1 <= len(moved) <= merges // 4


def test_a_sentence_has_a_share_of_the_words_by_their_rarity(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ["Ice melts in the spring of the year.", "Ice!", "Ice, ice and more ice breaks.", "Bread bakes.", "Salt."]
    take_in(library, "a.txt", own)
    words = library.keyword_search
    ids = library.analysis_reader.ids(own)
    rarest, rarer, common = (words.weight(KeywordQuery((word,))) for word in ("unheard", "melts", "ice"))

    def shares(*any_words: str, **more: tuple[WordCondition, ...]) -> dict[str, float]:
        found = words.word_shares(KeywordQuery(any_words, **more), [*ids.values(), 9999])
        return {text: found[sentence_id] for text, sentence_id in ids.items() if sentence_id in found}

    assert shares("ice") == {own[0]: 1.0, own[1]: 1.0, own[2]: 1.0}, "short sentences and repeated words count alike"
    assert shares("ice", "melts") == {
        own[0]: pytest.approx(1.0),
        own[1]: pytest.approx(common / (common + rarer)),
        own[2]: pytest.approx(common / (common + rarer)),
    }
    assert shares("melts", "melting") == {own[0]: 1.0}, "two forms of a word are one"
    assert shares("melts", "unheard") == {own[0]: pytest.approx(rarer / (rarer + rarest))}
    assert shares("unheard") == shares() == {}
    must = shares("bread", must=("ice",), without=("melts",))
    assert must.keys() == {*own[:4]}, "required and excluded words rule none out"
    assert must[own[0]] == pytest.approx(common / (common + rarer))
    for limit, rows in (("MAX_RANKED_ROWS", 3), ("MAX_SCANNED_ROWS", 2)):
        with monkeypatch.context() as limited:
            limited.setattr(limits_of(library), limit, rows)
            assert shares("ice", "melts") == {own[0]: pytest.approx(rarer / (common + rarer))}, "without common words"


def test_shares_know_sentences_that_are_added(library: Library) -> None:
    take_in(library, "a.txt", ["Ice melts.", "Bread bakes."])
    words, melts = library.keyword_search, KeywordQuery(("melts",))
    ids = library.analysis_reader.ids(["Ice melts."])
    assert words.word_shares(melts, [*ids.values()]) == {ids["Ice melts."]: 1.0}
    take_in(library, "b.txt", ["Snow melts."])
    ids |= library.analysis_reader.ids(["Snow melts."])
    assert words.word_shares(melts, [*ids.values()]).keys() == {*ids.values()}


@pytest.mark.only_local
def test_shares_are_the_same_before_and_after_a_search_by_words(library: Library) -> None:
    own = ["Ice melts and ice breaks.", "Bread bakes.", "Salt melts."]
    take_in(library, "a.txt", own)
    library.maintenance.keep_index_loaded()
    drain(library.maintenance.run())
    words, asked = library.keyword_search, KeywordQuery(("ice", "melts"))
    ids = list(library.analysis_reader.ids(own).values())
    before = words.word_shares(asked, ids)
    assert len(before) == len(words.find_sentences(asked, 9)) == 2
    assert words.word_shares(asked, ids) == before
    take_in(library, "b.txt", ["Ice is cold."])
    assert words.word_shares(asked, ids).keys() == before.keys()


def test_words_are_counted_in_any_form(library: Library) -> None:
    take_in(library, "a.txt", ["Ice melts.", "The ices melted.", "Bread bakes."])
    counted = library.keyword_search.count_words(["ice", "ices", "melting", "unheard", 'b"d', "bread"])
    assert counted == {"ice": 2, "ices": 2, "melting": 2, "bread": 1}
    assert library.keyword_search.count_words([]) == {}
