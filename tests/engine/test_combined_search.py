"""Several queries at once: good for any of them, or for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.jobs import run_to_completion
from desktop_app.core.query import parse_query
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.engine.calibration import Calibrator
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import DocumentSearchResult, SearchRequest, SearchResult
from desktop_app.engine.search_run import Searcher
from desktop_app.store.library import LocalLibrary

from .fakes import HashingEncoder
from .filled_library import open_filled

ENCODER = HashingEncoder()

DOCUMENTS = {
    "fox.txt": ["The quick fox runs over the hill.", "A fox sleeps.", "Foxes hunt at night."],
    "rain.txt": ["Rain falls on the roof.", "The roof leaks when rain falls."],
    "both.txt": ["A fox runs from the rain.", "The hill is green."],
    "mixed.txt": ["Snow covers the fox.", "Rain washes the snow away."],
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalLibrary]:
    with open_filled(tmp_path_factory.mktemp("parts") / "library", DOCUMENTS) as opened:
        yield opened


def searcher(
    library: LocalLibrary, query: str, mode: str = "both", encoder: object = ENCODER, **more: object
) -> Searcher:
    return Searcher(library, lambda: encoder, QueryVectors(), SearchRequest(query, mode=mode, **more))


def search(library: LocalLibrary, query: str, mode: str = "both", **more: object) -> SearchResult:
    return searcher(library, query, mode, **more).search()


def by_document(library: LocalLibrary, query: str, mode: str = "both", **more: object) -> DocumentSearchResult:
    return run_to_completion(searcher(library, query, mode, **more).document_search_steps())


def texts(result: SearchResult) -> list[str]:
    return [hit.text for hit in result.hits]


def cosine(query: str, text: str) -> float:
    a, b = ENCODER.encode([query, text])
    return float(a @ b)


@pytest.mark.parametrize("mode", ["meaning", "both"])
@pytest.mark.parametrize(("match", "combine"), [("any", max), ("all", min)])
def test_each_result_has_its_score_for_each_query(
    library: LocalLibrary, mode: str, match: str, combine: object
) -> None:
    result = search(library, f"fox hill | rain match:{match}", mode, top_k=20)
    assert len(result.hits) == 9
    for hit in result.hits:
        expected = [cosine("fox hill", hit.text), cosine("rain", hit.text)]
        assert hit.part_scores == pytest.approx(expected, abs=5e-4)
        assert hit.score == pytest.approx(combine(expected), abs=5e-4)
    if mode == "meaning":
        assert all(a.score >= b.score for a, b in pairwise(result.hits))


def test_any_is_the_union_ranked_by_the_best(library: LocalLibrary) -> None:
    alone = [search(library, query, top_k=2).hits for query in ("fox sleeps", "roof leaks")]
    result = search(library, "fox sleeps | roof leaks", top_k=4)
    assert {hit.text for hits in alone for hit in hits} == set(texts(result))
    assert set(texts(result)[:2]) == {alone[0][0].text, alone[1][0].text}


def test_all_is_ranked_by_the_weakest(library: LocalLibrary) -> None:
    assert texts(search(library, "fox sleeps | rain", "meaning"))[0] == "A fox sleeps."
    for mode in ("meaning", "both", "words"):
        assert texts(search(library, "fox sleeps | rain match:all", mode))[0] == "A fox runs from the rain."
    assert texts(search(library, "fox sleeps | rain", is_match_all=True))[0] == "A fox runs from the rain."


def test_words_must_be_there_for_each_query_or_for_any(library: LocalLibrary) -> None:
    assert texts(search(library, "fox | rain match:all", "words")) == ["A fox runs from the rain."]
    found = search(library, "sleeps | leaks", "words")
    assert set(texts(found)) == {"A fox sleeps.", "The roof leaks when rain falls."}
    assert all(sum(score > 0 for score in hit.part_scores) == 1 for hit in found.hits)
    assert search(library, "fox | sleeps | green match:all", "words").hits == ()


def test_conditions_on_words_count_for_their_query_and_on_documents_for_all(library: LocalLibrary) -> None:
    found = texts(search(library, "fox -sleeps | rain -roof", "words", top_k=20))
    assert set(found) == {
        *("The quick fox runs over the hill.", "Foxes hunt at night.", "Snow covers the fox."),
        *("A fox runs from the rain.", "Rain washes the snow away."),
    }
    by_meaning = search(library, "fox +sleeps | rain +roof", "meaning", top_k=20)
    assert set(texts(by_meaning)) == {"A fox sleeps.", "Rain falls on the roof.", "The roof leaks when rain falls."}
    assert by_meaning.hits[0].score == pytest.approx(by_meaning.hits[0].part_scores[0])
    assert set(texts(search(library, "fox | rain in:rain.txt", top_k=20))) == set(DOCUMENTS["rain.txt"])
    assert texts(search(library, "fox -runs | rain match:all", "words")) == [], "for all, conditions count for all"


def test_a_minimum_counts_for_the_score_that_ranks(library: LocalLibrary) -> None:
    for match, combine in (("any", max), ("all", min)):
        for mode in ("meaning", "both"):
            kept = search(library, f"fox | rain match:{match}", mode, min_score=0.2, top_k=20).hits
            whole = search(library, f"fox | rain match:{match}", mode, top_k=20).hits
            assert [hit.text for hit in kept] == [hit.text for hit in whole if combine(hit.part_scores) >= 0.2]
            assert 0 < len(kept) < len(whole)


def test_documents_are_good_for_any_or_for_each(library: LocalLibrary) -> None:
    for mode in ("meaning", "words", "both"):
        for_any = by_document(library, "fox sleeps | roof leaks", mode).hits
        assert {hit.title for hit in for_any[:2]} == {"fox.txt", "rain.txt"}
        for_all = by_document(library, "fox snow | rain washes match:all", mode).hits
        assert for_all[0].title == "mixed.txt", "different sentences may answer different queries"
        assert {best.text for best in for_all[0].best} == set(DOCUMENTS["mixed.txt"])
        assert all(len(hit.part_scores) == 2 and len(best.part_scores) == 2 for hit in for_all for best in hit.best)
        assert [hit.score for hit in for_all] == pytest.approx([min(hit.part_scores) for hit in for_all])
    assert [hit.title for hit in by_document(library, "sleeps | leaks match:all", "words").hits] == []
    assert {hit.title for hit in by_document(library, "fox +sleeps | rain +leaks").hits} == {"fox.txt", "rain.txt"}


class _KnowsNoGibberish(HashingEncoder):
    def knows_words(self, texts: list[str]) -> np.ndarray:
        return np.array(["zzz" not in text for text in texts])


def test_a_query_that_the_model_does_not_know_is_said_and_searched_by_words(library: LocalLibrary) -> None:
    encoder = _KnowsNoGibberish()
    result = search(library, "fox sleeps | zzz rain", encoder=encoder, top_k=20)
    assert result.is_query_known
    assert result.mode == "both"
    assert any("“zzz rain”" in str(remark) for remark in result.remarks)
    assert texts(result)[0] == "A fox sleeps."
    assert all(hit.part_scores[1] is None for hit in result.hits)
    for_all = search(library, "fox | zzz rain match:all", encoder=encoder)
    assert texts(for_all)[0] == "A fox runs from the rain."
    assert all("ain" in text for text in texts(for_all)), "without a word of it nothing is good for the query"
    assert search(library, "fox | zzz rain match:all", "meaning", encoder=encoder).hits == ()
    assert not search(library, "zzz | zzz fox", encoder=encoder).is_query_known


def test_the_beginning_of_a_word_need_not_be_a_word_that_the_model_knows(library: LocalLibrary) -> None:
    encoder = _KnowsNoGibberish()
    assert search(library, "zzz* fox", encoder=encoder).mode == "both"
    assert search(library, "(zzz* OR fox) sleeps", encoder=encoder).is_query_known
    assert not search(library, "zzz*", encoder=encoder).is_query_known
    assert not search(library, "zzz fox*", encoder=encoder).is_query_known


def test_chance_grows_with_the_queries_that_a_result_may_be_near_to(library: LocalLibrary, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    words = [f"w{n}" for n in range(60)]
    with LocalLibrary.open(tmp_path / "library") as large:
        large.models.bind(ENCODER.model)
        (document,) = large.documents.add([FileRef("/many.txt", 1, 1)])
        large.ingest.begin(document.document_id, DocumentHead("text", "m" * 64))
        lines = [" ".join(rng.choice(words, 6)) for _ in range(120)]
        spans = [SentenceSpan(line, (Place(None, 0, 1, "char"),), at) for at, line in enumerate(lines)]
        large.ingest.append(document.document_id, spans, lines, ENCODER.encode(lines))
        large.ingest.finish(document.document_id, ReadingDone())

        def answer(query: str) -> SearchResult:
            request = SearchRequest(query, mode="meaning")
            return Searcher(large, lambda: ENCODER, QueryVectors(), request, Calibrator()).search()

        one, several, each = answer("w1 w2"), answer("w1 w2 | w3 w4 | w5 w6"), answer("w1 w2 | w3 w4 match:all")
        assert one.chance < several.chance
        assert each.chance == one.chance
        by_text = {hit.text: hit for hit in one.hits}
        shared = [hit for hit in several.hits if hit.text in by_text and hit.score == by_text[hit.text].score]
        assert shared
        assert all(hit.percentile <= by_text[hit.text].percentile for hit in shared)


def test_a_judged_result_is_ranked_with_the_whole_query(library: LocalLibrary) -> None:
    query = "fox sleeps | roof leaks"
    first = search(library, query, use_feedback=True).hits[0]
    library.user_data.judge(parse_query(query).text, first.sentence_id, False)
    try:
        assert texts(search(library, query, use_feedback=True))[-1] == first.text
    finally:
        library.user_data.judge(parse_query(query).text, first.sentence_id, None)


def test_more_rows_have_their_scores_too(library: LocalLibrary) -> None:
    result = search(library, "fox | rain", top_k=9, page_size=2)
    assert len(result.found) == 9
    assert all(len(near.part_scores) == 2 for near in result.found)


def test_differences_are_those_from_the_query_that_a_result_is_nearest_to(library: LocalLibrary) -> None:
    result = search(library, "the fox does not run over the hill | the roof leaks when rain falls", fold_copies=True)
    badges = {hit.text: hit.badges for hit in result.hits}
    assert badges["The quick fox runs over the hill."] == ("negation",)
    assert badges["The roof leaks when rain falls."] == ()


def test_documents_have_a_score_for_each_query(library: LocalLibrary) -> None:
    """By meaning it is that of a search for this query alone; with words, those raise the documents that have them."""
    query = "fox hill | rain"
    for mode in ("meaning", "both"):
        alone = [
            {hit.document_id: hit.score for hit in by_document(library, each, mode, top_k=9).hits}
            for each in ("fox hill", "rain")
        ]
        for hit in by_document(library, query, mode, top_k=9).hits:
            assert len(hit.part_scores) == 2
            if mode == "meaning":
                assert hit.part_scores == pytest.approx([each[hit.document_id] for each in alone], abs=1e-5)
    with_words = by_document(library, query, "both", top_k=9).hits
    assert {hit.title for hit in with_words} == set(DOCUMENTS)
    assert with_words[0].title == "mixed.txt" or with_words[0].score >= with_words[1].score
