"""The neighbour graph of a library too large for an exact one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from desktop_app.analysis.approximate_neighbours import ApproximateNeighbours, ApproximationSettings
from desktop_app.analysis.neighbour_graph import NEIGHBOURS
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.engine import neighbour_graph
from desktop_app.engine.neighbour_graph import NeighbourGraphCache
from desktop_app.store.library import LocalLibrary
from tests.steps import go_through

from .fakes import HashingEncoder

WORDS = [f"word{number}" for number in range(60)]
Lists = dict[str, list[str]]


def some_texts(count: int, seed: int = 0) -> list[str]:
    """Distinct sentences that share words."""
    chance = random.Random(seed)
    return list({" ".join(chance.choices(WORDS, k=6)): None for _ in range(count)})


@pytest.fixture
def open_library(tmp_path: Path) -> Iterator[Callable[[str], LocalLibrary]]:
    """Opens new libraries."""
    opened: list[LocalLibrary] = []

    def open_new(name: str) -> LocalLibrary:
        library = LocalLibrary.open(tmp_path / name)
        library.models.bind(HashingEncoder.model)
        opened.append(library)
        return library

    yield open_new
    for library in opened:
        library.close()


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of 250 sentences is a large one."""
    monkeypatch.setattr(neighbour_graph, "_MAX_EXACT_PRODUCTS", 250**2 // 2)
    few = ApproximationSettings(leaf_rows=8, probed=2, columns=300, width=15)
    monkeypatch.setattr(neighbour_graph, "ApproximateNeighbours", partial(ApproximateNeighbours, settings=few))


def put(library: LocalLibrary, name: str, texts: list[str]) -> None:
    document = library.documents.add([FileRef(f"/papers/{name}", 1, 1)])[0]
    library.ingest.begin(document.document_id, DocumentHead("text", name))
    spans = [SentenceSpan(text, (Place(None, at, at + 1, "char"),), at) for at, text in enumerate(texts)]
    library.ingest.append(document.document_id, spans, texts, HashingEncoder().encode(texts))
    library.ingest.finish(document.document_id, ReadingDone())


def find(library: LocalLibrary, cache: NeighbourGraphCache | None = None) -> Lists:
    """Return the texts of each sentence's neighbours."""
    graph = run_to_completion((cache or NeighbourGraphCache()).graph(library))
    texts = library.analysis_reader.texts(graph.ids.tolist())
    rows = [texts[sentence_id] for sentence_id in graph.ids.tolist()]
    return {rows[at]: [rows[other] for other in near if other >= 0] for at, near in enumerate(graph.lists.neighbours)}


def measure(found: Lists, texts: list[str]) -> float:
    """Return the share of true neighbours in the lists."""
    vectors = HashingEncoder().encode(texts)
    row = {text: at for at, text in enumerate(texts)}
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -1)
    floor = np.sort(scores, axis=1)[:, -NEIGHBOURS] - 1e-5
    hits = sum((scores[at, [row[near] for near in found[text]]] >= floor[at]).sum() for text, at in row.items())
    return float(hits / (NEIGHBOURS * len(texts)))


def test_it_is_nearly_complete_and_the_same_in_any_order_of_import(open_library: Callable[[str], LocalLibrary]) -> None:
    texts = some_texts(450)
    forth, back = open_library("forth"), open_library("back")
    put(forth, "a", texts[:150])
    put(forth, "b", texts[150:])
    put(back, "b", texts[:149:-1])
    put(back, "a", texts[149::-1])
    found = find(forth)
    assert measure(found, texts) >= 0.97
    assert find(back) == found


@pytest.mark.parametrize("many", [100, 1_000_000])
def test_a_few_new_sentences_are_compared_with_all_others(
    many: int, open_library: Callable[[str], LocalLibrary], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbour_graph, "_MANY", many)
    texts = some_texts(450)
    library = open_library("library")
    put(library, "a", texts[20:])
    find(library)
    put(library, "b", texts[:20])
    found = find(library)
    vectors = HashingEncoder().encode(texts)
    for at, text in enumerate(texts[:20]):
        scores = vectors @ vectors[at]
        scores[at] = -1
        near = [scores[texts.index(other)] for other in found[text]]
        np.testing.assert_allclose(near, np.sort(scores)[::-1][:NEIGHBOURS], atol=1e-4)
    assert measure(found, texts) >= 0.97


def test_a_new_sentence_with_a_damaged_vector_has_no_neighbours(
    open_library: Callable[[str], LocalLibrary], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbour_graph, "_MANY", 100)
    texts = some_texts(400)
    library = open_library("library")
    put(library, "a", texts[20:])
    find(library)
    put(library, "b", texts[:20])
    with library._database.write_transaction() as connection:
        connection.exec_driver_sql(
            "UPDATE embedding SET vector = CAST(replace(hex(zeroblob(length(vector) / 2)), '00', x'007e') AS BLOB)"
            " WHERE sentence_id = (SELECT id FROM sentence WHERE text = ?)",
            (texts[3],),
        )
    library.close()
    library = open_library("library")
    found = find(library)
    assert found[texts[3]] == []
    assert not any(texts[3] in near for near in found.values())
    assert measure({**found, texts[3]: found[texts[4]]}, texts) > 0.9


def test_a_graph_in_memory_is_extended_without_reading_it_again(
    open_library: Callable[[str], LocalLibrary], monkeypatch: pytest.MonkeyPatch
) -> None:
    # All lists stay exact: approximate ones would be found anew, and the graph in memory would not matter.
    monkeypatch.setattr(neighbour_graph, "_MAX_EXACT_PRODUCTS", 500**2 // 2)
    texts = some_texts(400)
    library = open_library("library")
    put(library, "gone", texts[300:310])
    put(library, "a", texts[20:300])
    cache = NeighbourGraphCache()
    find(library, cache)
    put(library, "b", texts[:20])
    library.documents.remove([library.documents.fetch(limit=10)[0].document_id])
    list(go_through(library.maintenance.purge()))
    with monkeypatch.context() as patch:
        patch.setattr(type(library.analysis_reader), "neighbours", None)
        found = find(library, cache)
    assert found.keys() == set(texts[:300])
    assert find(library) == found, "the stored one"
    other = open_library("other")
    put(other, "all", texts[:300])
    assert find(other) == found


def test_a_large_graph_is_in_a_mapped_file_which_nobody_finds(
    open_library: Callable[[str], LocalLibrary], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbour_graph, "_MAPPED_ROWS", 100)
    texts = some_texts(200)
    library = open_library("library")
    put(library, "a", texts[20:])
    cache = NeighbourGraphCache(folder=tmp_path / "cache")
    first = find(library, cache)
    assert first == find(library)
    cache.release_memory()
    assert find(library, cache) == first
    put(library, "b", texts[:20])
    assert find(library, cache) == find(library) != first
    cache.forget()
    assert not list((tmp_path / "cache").iterdir()), "at the latest now: some systems keep the file's name that long"
    put(library, "c", ["and one more"])
    (tmp_path / "file").touch()
    assert find(library, NeighbourGraphCache(folder=tmp_path / "file")) == find(library), "it cannot be written"


def test_many_new_sentences_give_the_graph_of_a_library_that_had_all_of_them(
    open_library: Callable[[str], LocalLibrary],
) -> None:
    texts = some_texts(500)
    grown, at_once = open_library("grown"), open_library("at once")
    put(grown, "a", texts[:300])
    find(grown)
    put(grown, "b", texts[300:])
    put(at_once, "all", texts)
    assert find(grown) == find(at_once)


def test_it_continues_where_it_was_stopped_and_is_stored(open_library: Callable[[str], LocalLibrary]) -> None:
    texts = some_texts(400)
    library, other = open_library("library"), open_library("other")
    put(library, "a", texts)
    put(other, "a", texts)
    cache = NeighbourGraphCache()
    for steps in (50, 200, 50, 100):
        running = cache.graph(library)
        assert len(list(islice(running, steps))) == steps
        running.close()
        assert not list(library.analysis_reader.neighbours(NEIGHBOURS)), "a part is not stored as the whole"
    found = find(library, cache)
    assert found == find(other)
    assert find(library) == found, "the stored one"
    assert sum(len(ids) for ids, _, _ in library.analysis_reader.neighbours(NEIGHBOURS)) == len(texts)
