"""From the typed query to the hits: by meaning, by words, by both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.query import KeywordQuery
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.core.scope import Scope
from desktop_app.core.score_fusion import fuse_document_scores, fuse_sentence_scores
from desktop_app.core.stop_words import content_words
from desktop_app.engine.calibration import Calibrator
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import DocumentSearchResult, SearchRequest, SearchResult
from desktop_app.engine.search_run import Searcher
from desktop_app.store.library import LocalLibrary

from .fakes import HashingEncoder
from .filled_library import open_filled

ENCODER = HashingEncoder()

DOCUMENTS = {
    "alpha.txt": ["The quick fox runs over the hill.", "Serial number XK-4711 was sold.", "Rain falls on the roof."],
    "beta.md": ["A slow fox sleeps under the hill.", "The roof leaks when rain falls."],
    "gamma.txt": ["Nothing about animals.", "The hill is green."],
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalLibrary]:
    with open_filled(tmp_path_factory.mktemp("words") / "library", DOCUMENTS) as opened:
        yield opened


def filled(folder: Path, texts: list[str]) -> LocalLibrary:
    """A library with a document for each of these sentences."""
    return open_filled(folder / "library", {f"{number}.txt": [text] for number, text in enumerate(texts)})


def finder(library: LocalLibrary, query: str, mode: str, **more: object) -> Searcher:
    return Searcher(library, lambda: ENCODER, QueryVectors(), SearchRequest(query, mode=mode, **more))


def search(library: LocalLibrary, query: str, mode: str = "both", **more: object) -> SearchResult:
    return finder(library, query, mode, **more).search()


def by_document(library: LocalLibrary, query: str, mode: str = "both", **more: object) -> DocumentSearchResult:
    return run_to_completion(finder(library, query, mode, **more).document_search_steps())


def texts(result: SearchResult) -> list[str]:
    return [hit.text for hit in result.hits]


class TestModes:
    def test_words_need_no_encoder(self, library: LocalLibrary) -> None:
        def none() -> HashingEncoder:
            raise AssertionError("no encoder is needed")

        result = Searcher(library, none, QueryVectors(), SearchRequest("4711", mode="words")).search()
        assert texts(result) == ["Serial number XK-4711 was sold."]
        assert result.hits[0].matched_by == ("words",)
        assert result.hits[0].score > 0

    def test_each_hit_has_what_matched_it(self, library: LocalLibrary) -> None:
        result = search(library, "fox", top_k=7)
        ways = {hit.text: hit.matched_by for hit in result.hits}
        assert ways["The quick fox runs over the hill."] == ("meaning", "words")
        assert ways["Nothing about animals."] == ("meaning",)
        assert all(hit.matched_by == ("meaning",) for hit in search(library, "fox", "meaning").hits)

    def test_common_words_count_only_among_hits_by_meaning(
        self, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = search(library, "fox")
        monkeypatch.setattr("desktop_app.store.keyword_index.MAX_RANKED_ROWS", 0)
        assert library.keyword_search.is_common(KeywordQuery(("fox",)))
        result = search(library, "fox")
        assert texts(result) == texts(whole)
        assert [hit.matched_by for hit in result.hits] == [hit.matched_by for hit in whole.hits]

    def test_an_exact_number_comes_first_and_the_score_stays_the_cosine(self, library: LocalLibrary) -> None:
        result = search(library, "4711 sold")
        assert texts(result)[0] == "Serial number XK-4711 was sold."
        vector = ENCODER.encode(["4711 sold"])[0]
        for hit in result.hits:
            assert hit.score == pytest.approx(float(vector @ ENCODER.encode([hit.text])[0]), abs=5e-4)

    def test_a_hit_above_a_higher_cosine_has_the_words_that_put_it_there(self, library: LocalLibrary) -> None:
        result = search(library, "4711 sold again over the hill")
        scores = [hit.score for hit in result.hits]
        lifted = {hit.text: hit.lifted_by for hit in result.hits if hit.lifted_by}
        for place, hit in enumerate(result.hits):
            is_below_higher = hit.score < max(scores[place:])
            assert bool(hit.lifted_by) == (is_below_higher and "words" in hit.matched_by)
        assert lifted["Serial number XK-4711 was sold."] == ("4711", "sold")
        assert not any(hit.lifted_by for hit in search(library, "4711 sold", "meaning").hits)

    def test_the_lowest_score_is_one_of_meaning(self, library: LocalLibrary) -> None:
        for mode in ("meaning", "both"):
            assert all(hit.score >= 0.3 for hit in search(library, "fox hill", mode, min_score=0.3).hits)
        assert len(search(library, "fox", "words", min_score=0.99).hits) == 2

    def test_documents(self, library: LocalLibrary) -> None:
        assert [hit.title for hit in by_document(library, "4711", "words").hits] == ["alpha.txt"]
        both = by_document(library, "rain on the roof")
        assert {hit.title for hit in both.hits} == set(DOCUMENTS)
        assert both.hits[-1].title == "gamma.txt"
        assert [hit.score for hit in both.hits] == sorted((hit.score for hit in both.hits), reverse=True)
        assert all(hit.best for hit in both.hits)

    def test_the_best_documents_raise_others_with_the_same_meaning(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Feedback: it has no word of the query, but those of the documents that answer it."""
        answers = ["Tides follow the moon twice daily.", "The moon pulls tides along daily.", "Daily tides: the moon."]
        other = "Twice daily water follows the coast along."
        unlike = [f"Stone{n} number{n} lies{n} under{n} house{n}." for n in range(40)]
        with filled(tmp_path, [*unlike[:20], other, *answers, *unlike[20:]]) as library:

            def found() -> list[str]:
                return [hit.best[0].text for hit in by_document(library, "tides moon", top_k=44).hits]

            with_feedback = found()
            assert set(with_feedback[:3]) == set(answers)
            monkeypatch.setattr("desktop_app.engine.part_search.MIN_DOCUMENTS_FOR_FEEDBACK", 1000)
            assert with_feedback.index(other) < found().index(other)

    def test_words_that_must_be_there_may_be_anywhere_in_a_document(self, library: LocalLibrary) -> None:
        for mode in ("meaning", "words", "both"):
            titles = {hit.title for hit in by_document(library, "hill +rain -green", mode).hits}
            assert titles == {"alpha.txt", "beta.md"}


class TestConditions:
    @pytest.mark.parametrize("mode", ["meaning", "words", "both"])
    def test_documents_show_only_passages_that_are_searched(self, tmp_path: Path, mode: str) -> None:
        documents = {"a.txt": ["Tides rise.", "Smith, Tides of the sea, 1990."], "b.txt": ["Jones, Tides, 1991."]}
        with open_filled(tmp_path / "library", documents, kinds={"Tides rise.": "note"}, kind="reference") as library:
            found = by_document(library, "tides of the sea", mode).hits
            assert [[hit.text for hit in each.best] for each in found] == [["Tides rise."]]
            found = by_document(library, "tides of the sea kind:note", mode).hits
            assert [[hit.text for hit in each.best] for each in found] == [["Tides rise."]]
            found = by_document(library, "tides of the sea | rise", mode).hits
            assert [[hit.text for hit in each.best] for each in found] == [["Tides rise."]]
            found = by_document(library, "tides of the sea with:references", mode).hits
            assert sorted(len(each.best) for each in found) == [1, 2]

    def test_a_document_with_required_words_alone_shows_them(self, library: LocalLibrary) -> None:
        found = by_document(library, 'giraffe "over the"', "words").hits
        assert [[hit.text for hit in each.best] for each in found] == [["The quick fox runs over the hill."]]

    def test_every_mode_applies_them(self, library: LocalLibrary) -> None:
        for mode in ("meaning", "words", "both"):
            assert set(texts(search(library, "hill -slow -green", mode))) >= {"The quick fox runs over the hill."}
            assert not any("slow" in text for text in texts(search(library, "hill -slow", mode, top_k=7)))
            assert texts(search(library, '"over the hill"', mode)) == ["The quick fox runs over the hill."]
            assert all(hit.title == "beta.md" for hit in search(library, "hill type:md", mode).hits)
            assert all(hit.title == "beta.md" for hit in search(library, "hill title:beta", mode).hits)
            assert search(library, "hill after:2024", mode).hits == ()

    def test_a_filter_ranks_everything_that_passes(self, library: LocalLibrary) -> None:
        result = search(library, "fox in:beta.md", top_k=50)
        assert set(texts(result)) == set(DOCUMENTS["beta.md"])
        assert not result.scope.is_everything

    def test_only_conditions_find_nothing(self, library: LocalLibrary) -> None:
        result = search(library, "-fox in:papers")
        assert (result.hits, result.understood.is_empty) == ((), True)

    def test_a_sentence_without_notation_is_taken_as_it_is(self, library: LocalLibrary) -> None:
        result = search(library, 'A slow fox - not "quick" -hill', "meaning", has_operators=False)
        assert len(result.hits) == 7

    def test_a_meaning_is_taken_away(self, library: LocalLibrary) -> None:
        plain = {hit.text: hit.score for hit in search(library, "fox", "meaning", top_k=7).hits}
        less = {hit.text: hit.score for hit in search(library, "fox - slow sleeps", "meaning", top_k=7).hits}
        slow = "A slow fox sleeps under the hill."
        assert less[slow] < plain[slow]
        assert search(library, "fox - fox", "meaning").hits


class TestBadInput:
    @pytest.mark.parametrize(
        "query",
        [
            "x" * 10_000,
            "the of and to",
            '+ - "" -" title: +',
            'an "unbalanced quote -"here',
            "text: NEAR(a b) ^start col:umn* {a b}: x OR AND NOT",
            "'; DROP TABLE sentence; --",
            "<b>hill</b><script>alert(1)</script>",
            "🦊🏔️",
            "שלום עולם",
            "丘の上の狐",
            "\ud83d \0 \x1b[31m",
            "in:/nowhere/at/all hill",
            "   ",
        ],
    )
    def test_nothing_raises(self, library: LocalLibrary, query: str) -> None:
        for mode in ("meaning", "words", "both"):
            search(library, query, mode)
            by_document(library, query, mode)

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(query=st.text(st.sampled_from(list("\"+-*:()^{}'ahx ñ狐\0\u202e")), max_size=25))
    def test_no_mixture_of_signs_raises(self, library: LocalLibrary, query: str) -> None:
        for mode in ("words", "both"):
            search(library, query, mode)

    def test_erased_sentences_are_left_out(self, library: LocalLibrary) -> None:
        found = search(library, "hill", top_k=7)
        library.documents.remove([3])
        rows = library.search.hits(found.found, scope=found.scope)
        assert {hit.document_id for hit in rows} == {1, 2}
        assert 3 not in {hit.document_id for hit in by_document(library, "hill green").hits}
        library.documents.restore([3])

    def test_a_scope_of_nothing(self, library: LocalLibrary) -> None:
        for mode in ("meaning", "words", "both"):
            assert search(library, "hill", mode, scope=Scope(document_ids=frozenset())).hits == ()
            assert by_document(library, "hill", mode, scope=Scope(document_ids=frozenset({99}))).hits == ()


class TestFusion:
    def test_a_word_that_is_rare_outweighs_a_small_gain_in_meaning(self) -> None:
        meaning, words = np.linspace(0.2, 0.4, 20), np.zeros(20)
        words[5] = 9.0
        assert int(np.argmax(fuse_document_scores(meaning, words))) == 5
        assert int(np.argmax(fuse_sentence_scores(meaning, words / 9.0))) == 5

    def test_a_word_out_of_many_does_not_outweigh_a_meaning_that_is_much_nearer(self) -> None:
        meaning, words = [0.53, *np.linspace(0.1, 0.3, 199)], np.zeros(200)
        words[40] = 1 / 3
        assert int(np.argmax(fuse_sentence_scores(meaning, words))) == 0

    def test_scores_that_are_all_the_same_decide_nothing(self) -> None:
        assert fuse_document_scores([0.5, 0.5], [0.0, 0.0]).tolist() == [0.0, 0.0]
        assert fuse_document_scores([0.1, 0.5], [3.0, 3.0]).argmax() == 1
        assert fuse_document_scores([], []).tolist() == []
        assert fuse_sentence_scores([0.5, 0.5], [0.0, 0.0]).tolist() == [0.5, 0.5]
        assert fuse_sentence_scores([], []).tolist() == []


class TestSmallWords:
    def test_stop_words_are_not_searched_for(self, library: LocalLibrary) -> None:
        found = texts(search(library, "what is it about the fox", "words"))
        assert set(found) == {"The quick fox runs over the hill.", "A slow fox sleeps under the hill."}

    def test_unless_there_is_nothing_else_or_it_is_quoted(self, library: LocalLibrary) -> None:
        assert "The hill is green." in texts(search(library, "is the", "words"))
        assert texts(search(library, '"over the"', "words")) == ["The quick fox runs over the hill."]

    def test_a_word_of_the_querys_language_counts_whatever_it_is_in_another(self) -> None:
        assert content_words(["the", "war", "at", "sea"]) == ["war", "sea"]
        assert content_words(["wie", "war", "die", "Stimmung"]) == ["Stimmung"]
        assert content_words(["not", "Not"]) == ["not", "Not"]
        assert content_words([]) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalLibrary]:
    with LocalLibrary.open(tmp_path_factory.mktemp("large") / "library") as opened:
        opened.models.bind(ENCODER.model)
        texts = [f"word{at} and thing{at + 1} with part{at % 7}" for at in range(120)]
        (document,) = opened.documents.add([FileRef("/papers/large.txt", 1, 1)])
        opened.ingest.begin(document.document_id, DocumentHead("text", "l" * 64))
        spans = [SentenceSpan(text, (Place(None, 0, 1, "char"),), 0) for text in texts]
        opened.ingest.append(document.document_id, spans, texts, ENCODER.encode(texts))
        opened.ingest.finish(document.document_id, ReadingDone())
        yield opened


class TestDepth:
    @pytest.mark.parametrize("mode", ["meaning", "words", "both"])
    def test_the_nearest_are_the_same_however_many_are_asked_for(self, large: LocalLibrary, mode: str) -> None:
        few, many = (search(large, "word5 and thing6 with part5", mode, top_k=top_k) for top_k in (20, 1000))
        assert (few.has_more, many.has_more) == (len(many.found) >= 20, False)
        assert few.found == many.found[: len(few.found)]
        assert few.request is not None
        assert few.request.top_k == 20


class TestPercentiles:
    def asked(self, library: LocalLibrary, query: str, mode: str = "both") -> SearchResult:
        request = SearchRequest(query, mode=mode)
        return Searcher(library, lambda: ENCODER, QueryVectors(), request, Calibrator()).search()

    def test_each_cosine_has_a_percentile(self, large: LocalLibrary) -> None:
        best, *others = self.asked(large, "word5 and thing6 with part5", "meaning").hits
        assert best.percentile is not None
        assert best.percentile > 99
        assert [hit.percentile for hit in others] == sorted((hit.percentile for hit in others), reverse=True)

    def test_bm25_and_small_libraries_have_no_percentile(self, large: LocalLibrary, library: LocalLibrary) -> None:
        assert {hit.percentile for hit in self.asked(large, "word5", "words").hits} == {None}
        result = self.asked(library, "fox")
        assert ({hit.percentile for hit in result.hits}, result.chance) == ({None}, None)

    def test_a_library_that_grows_is_measured_again_when_nobody_waits(self, large: LocalLibrary) -> None:
        notes: list[str] = []
        calibrating = Calibrator(lambda: notes.append("later"))
        count = large.info().searchable
        measured = calibrating.calibration_of(large, count)
        assert measured is not None
        assert (calibrating.calibration_of(large, count + 1), notes) == (measured, [])
        assert calibrating.calibration_of(large, 2 * count) is measured
        assert notes == ["later"]
        calibrating.recalibrate(large)
        again = calibrating.calibration_of(large, count)
        assert again is not measured
        assert calibrating.calibration_of(large, 5 * count) is not again, "results this far away are useless"
        assert notes == ["later"]

    def test_percentiles_are_those_of_the_present_model(
        self, large: LocalLibrary, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calibrating = Calibrator(lambda: None)
        count, model = large.info().searchable, large.models.current
        assert model is not None
        measured = calibrating.calibration_of(large, count)
        switched = replace(model, fingerprint="another model's")
        monkeypatch.setattr(type(large.models), "current", property(lambda _models: switched))
        assert calibrating.calibration_of(large, count) is not measured
        assert calibrating.calibration_of(large, 2 * count) is not measured

    def test_results_no_better_than_chance_are_recognised(self, large: LocalLibrary) -> None:
        result = self.asked(large, "zzz")
        assert result.chance is not None
        assert result.is_chance_level == all(hit.score < result.chance for hit in result.hits)
        assert not self.asked(large, "word5 and thing6").is_chance_level
        assert not self.asked(large, "part3", "words").is_chance_level

    def test_a_sample_is_spread_over_existing_sentences(self, large: LocalLibrary) -> None:
        rows = large.search.sample_vectors(1000)
        assert rows.shape == (120, ENCODER.model.dim)
        assert large.search.sample_vectors(10).shape == (10, ENCODER.model.dim)
        assert (large.search.sample_vectors(10) == large.search.sample_vectors(10)).all()


COPIES = [
    "The committee met on Monday to discuss the budget of the town.",
    "The committee met on Monday to discuss the budget for the town.",
    "The committee did not meet on Monday to discuss the budget of the town.",
    "The committee met on Friday to discuss the budget of the town.",
    "Bread rises slowly in a cold kitchen.",
]


@pytest.fixture
def repeated(tmp_path: Path) -> Iterator[LocalLibrary]:
    with LocalLibrary.open(tmp_path / "library") as opened:
        opened.models.bind(ENCODER.model)
        for at, text in enumerate(COPIES):
            (document,) = opened.documents.add([FileRef(f"/papers/{at}.txt", 1, 1)])
            opened.ingest.begin(document.document_id, DocumentHead("text", f"{at}" * 64))
            own = [text, f"Only here: {at}."]
            spans = [SentenceSpan(each, (Place(None, 0, 1, "char"),), 0) for each in own]
            opened.ingest.append(document.document_id, spans, own, ENCODER.encode(own))
            opened.ingest.finish(document.document_id, ReadingDone())
        yield opened


def test_garbled_text_does_not_lead_but_is_found_by_its_letters(tmp_path: Path) -> None:
    cipher, sound = "KXRMT QWPLF ZBNTV HJKCD WRTPL", "Bread rises slowly in a cold kitchen like WRTPL."
    with LocalLibrary.open(tmp_path / "library") as opened:
        opened.models.bind(ENCODER.model)
        (document,) = opened.documents.add([FileRef("/papers/a.txt", 1, 1)])
        opened.ingest.begin(document.document_id, DocumentHead("text", "a" * 64))
        spans = [
            SentenceSpan(text, (Place(None, 0, 1, "char"),), 0, "body", *decide_kind("body", text))
            for text in (cipher, sound)
        ]
        opened.ingest.append(document.document_id, spans, [cipher, sound], ENCODER.encode([cipher, sound]))
        opened.ingest.finish(document.document_id, ReadingDone())
        for mode in ("meaning", "both"):
            assert texts(search(opened, "zbntv hjkcd wrtpl", mode=mode)) == [sound, cipher]
        assert texts(search(opened, "zbntv hjkcd", mode="words")) == [cipher]
        assert texts(search(opened, "zbntv hjkcd", mode="meaning")) == [sound, cipher]
        assert texts(search(opened, "zbntv hjkcd", mode="both")) == [cipher, sound], "only it has these words"


class TestNearCopies:
    QUERY = "The committee met on Monday to discuss the budget of the town."

    def test_they_fold_into_the_best_of_them(self, repeated: LocalLibrary) -> None:
        result = search(repeated, self.QUERY, fold_copies=True)
        first = result.hits[0]
        assert (first.text, first.copies, first.also_in) == (COPIES[0], 1, 1)
        assert COPIES[1] not in texts(result)
        assert len(result.found) == 9
        assert [len(each) for each in result.copies.values()] == [1]

    def test_a_negation_or_another_date_is_no_copy(self, repeated: LocalLibrary) -> None:
        assert set(texts(search(repeated, self.QUERY, fold_copies=True))) >= {COPIES[2], COPIES[3]}

    def test_nothing_is_folded_unless_requested(self, repeated: LocalLibrary) -> None:
        result = search(repeated, self.QUERY)
        assert len(result.found) == 10
        assert {hit.copies for hit in result.hits} == {0}

    def test_a_close_hit_shows_its_differences(self, repeated: LocalLibrary) -> None:
        differing = {hit.text: hit.badges for hit in search(repeated, self.QUERY).hits}
        assert differing[COPIES[0]] == ()
        assert differing[COPIES[3]] == ("dates",)

    def test_a_negation_differs_only_from_a_query_that_has_it_and_is_no_question(self, repeated: LocalLibrary) -> None:
        def badges(query: str) -> dict[str, tuple[str, ...]]:
            return {hit.text: hit.badges for hit in search(repeated, query).hits}

        assert badges(self.QUERY)[COPIES[2]] == ()
        denied = badges(COPIES[2])
        assert (denied[COPIES[0]], denied[COPIES[2]]) == (("negation",), ())
        assert badges(COPIES[2][:-1] + "?")[COPIES[0]] == ()

    def test_a_few_words_have_no_differences(self, repeated: LocalLibrary) -> None:
        assert {hit.badges for hit in search(repeated, "committee budget").hits} == {()}

    @pytest.mark.parametrize("operator", ["NOT zebra", "in:/", "-zebra", '-"never ever"'])
    def test_operators_of_a_query_are_no_differences(self, repeated: LocalLibrary, operator: str) -> None:
        plain = {hit.text: hit.badges for hit in search(repeated, self.QUERY).hits}
        assert {hit.text: hit.badges for hit in search(repeated, f"{self.QUERY} {operator}").hits} == plain

    def test_further_numbers_of_a_sentence_are_no_difference(self, tmp_path: Path) -> None:
        same, other = "Number 4711 was sold again for 20 pounds.", "Number 4712 was sold again for 20 pounds."
        with filled(tmp_path, [same, other]) as numbered:
            found = {hit.text: hit.badges for hit in search(numbered, "Number 4711 was sold again").hits}
        assert found == {same: (), other: ("numbers",)}

    def test_a_hit_with_opposite_words_shows_that_and_is_no_copy(self, tmp_path: Path) -> None:
        up = "Sales of new cars in the town rose by a half."
        down = "Sales of new cars in the town fell by a half."
        with filled(tmp_path, [up, down]) as market:
            found = {hit.text: hit.badges for hit in search(market, up, fold_copies=True).hits}
        assert found == {up: (), down: ("opposites",)}

    def test_a_hit_with_swapped_words_shows_that_and_is_no_copy(self, tmp_path: Path) -> None:
        there, back = "The ferry sails from Calais to Dover twice.", "The ferry sails from Dover to Calais twice."
        with filled(tmp_path, [there, back]) as port:
            found = {hit.text: hit.badges for hit in search(port, there, fold_copies=True).hits}
        assert found == {there: (), back: ("swapped",)}


class TestJudgements:
    def ranks(self, library: LocalLibrary, **more: object) -> list[str]:
        return texts(search(library, "roof", "meaning", top_k=7, use_feedback=True, **more))

    def test_relevant_hits_rise_and_rejected_ones_come_last(self, library: LocalLibrary) -> None:
        before = self.ranks(library)
        by_text = {hit.text: hit for hit in search(library, "roof", "meaning", top_k=7).hits}
        liked, disliked = before[-1], before[0]
        library.user_data.judge("roof", by_text[liked].sentence_id, is_relevant=True)
        library.user_data.judge("roof", by_text[disliked].sentence_id, is_relevant=False)
        result = search(library, "roof", "meaning", top_k=7, use_feedback=True)
        after = texts(result)
        assert after.index(liked) < before.index(liked)
        assert after[-1] == disliked
        assert result.judged == {by_text[liked].sentence_id: True, by_text[disliked].sentence_id: False}
        for hit in result.hits:
            assert hit.score == pytest.approx(by_text[hit.text].score, abs=1e-6), "the score is that of the typed query"
        both = texts(search(library, "roof", "both", top_k=7, use_feedback=True))
        assert both[-1] == disliked
        assert texts(search(library, "roof", "meaning", top_k=7)) == before, "it is opt-in"
        for hit in by_text.values():
            library.user_data.judge("roof", hit.sentence_id, is_relevant=None)
        assert self.ranks(library) == before


class TestPastBadInput:
    def test_a_time_in_which_nothing_changed_leaves_nothing(self, library: LocalLibrary) -> None:
        for mode in ("meaning", "words", "both"):
            assert search(library, "hill", mode, scope=Scope(after=3.1e7, before=6.3e7)).hits == ()

    @pytest.mark.parametrize("query", ["hill after:2999", "hill after:9999-12-31"])
    def test_a_time_beyond_what_a_database_holds_is_a_time(self, library: LocalLibrary, query: str) -> None:
        for mode in ("meaning", "words", "both"):
            assert search(library, query, mode).hits == ()
        assert search(library, "hill before:2999 after:1000").hits

    def test_an_unknown_language_is_not_a_similarity(self, large: LocalLibrary) -> None:
        """Hits no nearer than random sentences are marked so, and stay listed."""
        request = SearchRequest("меня зовут кошка", mode="both", min_score=-1.0)
        result = Searcher(large, lambda: ENCODER, QueryVectors(), request, Calibrator()).search()
        assert result.chance is not None
        assert result.is_chance_level == all(near.score < result.chance for near in result.found)

    def test_a_query_in_a_language_unknown_to_the_model_is_recognised(self, large: LocalLibrary) -> None:
        class English(HashingEncoder):
            model = replace(ENCODER.model, languages=("en",))

        def asked(query: str, encoder: HashingEncoder, mode: str = "both") -> str:
            return (
                Searcher(large, lambda: encoder, QueryVectors(), SearchRequest(query, mode=mode))
                .search()
                .foreign_language
            )

        assert asked("меня зовут кошка", English()) == "ru"
        assert asked("猫はどこにいますか lang:en", English()) == "ja"
        assert asked("where is the cat and what is it doing", English()) == ""
        assert asked("меня зовут кошка", English(), "words") == "", "words are words in any language"
        assert asked("меня зовут кошка", ENCODER) == "", "the model states no languages"

    def test_a_hit_erased_between_search_and_row_is_left_out(self, repeated: LocalLibrary) -> None:
        found = search(repeated, "committee budget town", fold_copies=True)
        gone = found.hits[0].document_id
        repeated.documents.remove([gone])
        rows = repeated.search.hits(found.found, scope=found.scope)
        assert gone not in {hit.document_id for hit in rows}
        assert search(repeated, "committee budget town", fold_copies=True).hits


def test_a_search_without_results_names_the_condition_that_no_document_satisfies(library: LocalLibrary) -> None:
    (remark,) = search(library, "fox collection:nope").remarks
    assert str(remark) == "There is no collection “nope”."
    assert [str(each) for each in by_document(library, "fox type:docx").remarks] == ["No document matches type:docx."]
    assert search(library, "fox type:docx,md").remarks == (), "one of several types is enough"
    assert {hit.title for hit in search(library, "fox type:docx,md").hits} == {"beta.md"}
