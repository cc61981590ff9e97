"""Comparing two models on one library: which hits stay, which move; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.errors import ModelMissing, NotFound, UsageError
from desktop_app.core.scope import Scope
from desktop_app.engine.model_comparison import ModelComparisonReport
from desktop_app.engine.requests import SearchRequest
from desktop_app.store.analysis_reader import LocalAnalysisReader
from tests.engine.test_models import LATE, TEXTS, World
from tests.patience import PATIENCE_S


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.workspace.close()


def asked(world: World, *searches: SearchRequest) -> ModelComparisonReport:
    return world.workspace.model_comparison.run(searches, "turned", 5).wait(PATIENCE_S)


def test_results_under_both_models_are_compared(world: World) -> None:
    world.take_in("a").wait(PATIENCE_S)
    found = asked(world, *map(SearchRequest, (TEXTS[7], "  ", TEXTS[9])))
    assert (found.before, found.after, found.sentences) == ("hashing", "turned", len(TEXTS))
    assert [each.query for each in found.queries] == [TEXTS[7], TEXTS[9]]
    # The same as a search by meaning finds now, and the same as one would find after a switch.
    first = found.queries[0]
    before = [hit.sentence_id for hit in first.before]
    assert {hit.text for hit in first.after} == set(nearest(world, TEXTS[7], TEXTS, 5))
    assert len(before) == 5
    assert first.after[0].text == TEXTS[7]
    assert first.rank_change(first.after[0]) == 0
    for hit in first.after:
        moved = first.rank_change(hit)
        assert (moved is None) == (hit.sentence_id not in before)
        assert moved is None or before.index(hit.sentence_id) + 1 - hit.rank == moved
    assert first.shared_fraction == 1 - len(first.lost_hits) / 5
    (of_first,) = asked(world, SearchRequest(TEXTS[0])).queries
    assert of_first.after[0].text == TEXTS[0], "also the first sentence of the library"
    # A look: nothing of the other model is kept.
    assert world.states()["turned"] == (False, 0, "")


def nearest(world: World, query: str, texts: list[str], count: int) -> list[str]:
    """The texts that are nearest to a query by the other model."""
    vectors = world.turned.encode([query, *texts])
    return [texts[place] for place in np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:count]]


def test_a_search_keeps_its_scope_under_both_models(world: World) -> None:
    for name in ("a", "late"):
        world.take_in(name).wait(PATIENCE_S)
    where = Scope(paths=(str(world.folder / "late.txt"),))
    kept, open_to_all = asked(world, SearchRequest(TEXTS[7], scope=where), SearchRequest(TEXTS[7])).queries
    for hits in (kept.before, kept.after):
        assert len(hits) == 5
        assert {Path(hit.path).name for hit in hits} == {"late.txt"}
    assert {hit.text for hit in kept.after} == set(nearest(world, TEXTS[7], LATE, 5))
    assert open_to_all.after[0].text == TEXTS[7]


def test_operators_of_a_search_apply_under_both_models(world: World) -> None:
    world.take_in("a").wait(PATIENCE_S)
    texts = (f"{TEXTS[7]} type:pdf", f'{TEXTS[7]} -"7"', f'{TEXTS[7]} "number 3"', "type:text")
    elsewhere, without, must = asked(world, *map(SearchRequest, texts)).queries  # the last looks for nothing
    assert elsewhere.query == f"{TEXTS[7]} type:pdf"
    assert (elsewhere.before, elsewhere.after) == ((), ())
    others = [text for text in TEXTS if text != TEXTS[7]]
    assert {hit.text for hit in without.after} == set(nearest(world, TEXTS[7], others, 5))
    assert TEXTS[7] not in {hit.text for hit in without.before}
    for hits in (must.before, must.after):
        assert [hit.text for hit in hits] == [TEXTS[3]]


def test_several_queries_are_compared_one_by_one(world: World) -> None:
    world.take_in("a").wait(PATIENCE_S)
    first, second = asked(world, SearchRequest(f"{TEXTS[7]} | {TEXTS[3]} type:text")).queries
    assert (first.query, second.query) == (TEXTS[7], f"{TEXTS[3]} type:text")
    assert [each.after[0].text for each in (first, second)] == [TEXTS[7], TEXTS[3]]
    (elsewhere, _) = asked(world, SearchRequest(f"{TEXTS[7]} | {TEXTS[3]} type:pdf")).queries
    assert elsewhere.is_empty, "conditions on documents count for each"


def test_words_count_under_both_models(world: World) -> None:
    world.take_in("a").wait(PATIENCE_S)
    query = "of the number 7"
    modes = ("both", "words", "meaning")
    both, alone, meaning = asked(world, *(SearchRequest(query, mode=mode) for mode in modes)).queries
    now = world.workspace.search.find_sentences(SearchRequest(query, 5, mode="both")).wait(PATIENCE_S)
    assert [hit.sentence_id for hit in both.before] == [hit.sentence_id for hit in now.hits]
    assert [hit.score for hit in both.before] == [hit.score for hit in now.hits]
    assert both.after[0].text == TEXTS[7]
    assert both.after[0].matched_by == ("meaning", "words")
    assert all(hit.matched_by == ("meaning",) for hit in (*meaning.before, *meaning.after))
    # A search for words alone uses no model.
    assert alone.after == alone.before != ()


def test_the_order_by_both_is_that_of_a_search_with_the_model(world: World) -> None:
    for name in ("a", "late"):
        world.take_in(name).wait(PATIENCE_S)
    by_both, by_meaning = (SearchRequest("came late number document", mode=mode) for mode in ("both", "meaning"))
    found = world.workspace.model_comparison.run([by_both, by_meaning], "hashing").wait(PATIENCE_S)
    both, meaning = ([hit.text for hit in each.after] for each in found.queries)
    assert both[0] in LATE, "for its rare words"
    assert meaning[0] in TEXTS
    assert both == [hit.text for hit in found.queries[0].before]


def test_the_library_answers_during_the_comparison(world: World) -> None:
    world.take_in("a").wait(PATIENCE_S)
    asked = []
    world.turned.hook = lambda: asked.append(world.workspace.search)
    found = world.workspace.model_comparison.run([SearchRequest("Sentence number 3")], "turned").wait(PATIENCE_S)
    assert asked
    assert world.found(TEXTS[3])[0] == TEXTS[3]
    assert len(found.queries[0].after) == 10


def test_all_sentences_are_compared_while_their_vectors_are_erased(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.take_in("a").wait(PATIENCE_S)
    (whole,) = asked(world, SearchRequest(TEXTS[7])).queries
    # As in a library that has switched models: what reads the old vectors finds only some of them.
    monkeypatch.setattr(LocalAnalysisReader, "vectors", lambda _self: iter(()))
    (found,) = asked(world, SearchRequest(TEXTS[7])).queries
    assert [hit.text for hit in found.after] == [hit.text for hit in whole.after] == nearest(world, TEXTS[7], TEXTS, 5)


def test_impossible_comparisons_are_explained(world: World) -> None:
    with pytest.raises(NotFound, match="is empty"):
        world.workspace.model_comparison.run([SearchRequest("a")], "turned").wait(PATIENCE_S)
    world.take_in("a").wait(PATIENCE_S)
    with pytest.raises(UsageError, match="no query"):
        world.workspace.model_comparison.run([SearchRequest(" ")], "turned").wait(PATIENCE_S)
    with pytest.raises(ModelMissing):
        world.workspace.model_comparison.run([SearchRequest("a")], "nobody").wait(PATIENCE_S)


# A pair by another model


def test_two_sentences_are_compared_by_another_model_that_is_loaded_once(world: World) -> None:
    loaded: list[str] = []
    load = world.workspace.context.load_model
    world.workspace.context.load_model = lambda folder: loaded.append(folder.name) or load(folder)
    comparing, explaining = world.workspace.comparison, world.workspace.comparison
    own = comparing.compare(TEXTS[0], TEXTS[1]).wait(PATIENCE_S)
    other = comparing.compare(TEXTS[0], LATE[0], model="turned").wait(PATIENCE_S)
    u, v = world.turned.encode([TEXTS[0], LATE[0]], normalize=False)
    assert other.score.cosine == pytest.approx(float(u @ v / np.linalg.norm(u) / np.linalg.norm(v)), abs=1e-6)
    explanation = explaining.explain(TEXTS[0], LATE[0], other.score.cosine, model="turned").wait(PATIENCE_S)
    assert explanation.percentile is None  # known of the library's model alone
    assert loaded == ["turned"]
    comparing.release_model()
    comparing.compare(TEXTS[0], LATE[0], model="turned").wait(PATIENCE_S)
    assert loaded == ["turned", "turned"]
    assert comparing.compare(TEXTS[0], TEXTS[1]).wait(PATIENCE_S) == own
    with pytest.raises(ModelMissing):
        comparing.compare(TEXTS[0], TEXTS[1], model="nobody").wait(PATIENCE_S)
