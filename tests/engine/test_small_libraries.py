"""Every analysis on nearly nothing, on identical sentences, and cancelled at any step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_app.analysis import neighbour_graph
from desktop_app.analysis.neighbour_graph import NEIGHBOURS
from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.duplicates import PairsRequest
from desktop_app.core.errors import Cancelled, UsageError
from desktop_app.core.jobs import WAITING
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place
from desktop_app.engine import neighbour_graph as engine_neighbour_graph
from desktop_app.engine.clusters import ClusterService
from desktop_app.engine.context import EngineContext
from desktop_app.engine.duplicates import DuplicateService
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder, make_context
from .test_clusters import talk

ICE = "The old ice of the north melts faster every year."
SAME = [ICE + "." * number for number in range(30)]  # other texts, the same vector
ONE_THEME = [text for text in talk(1, 24) if "/0/" in text]

LIBRARIES: dict[str, list[Sequence[str]]] = {
    "no document": [],
    "one document of one sentence": [("One.",)],
    "one document": [("One.", "Two.")],
    "two documents": [("One.",), ("Two.",)],
    "twenty times the same sentence": [[ICE] * 20],
    "the same sentence in three documents": [[ICE] * 20, [ICE] * 3, [ICE]],
    "sentences that are all alike": [SAME[:15], SAME[15:]],
    "one theme": [ONE_THEME],
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_analysis_returns_a_result(analysed: AnalysedLibrary, name: str) -> None:
    documents = LIBRARIES[name]
    for number, texts in enumerate(documents):
        analysed.put(f"{number}.txt", *texts)
    distinct = {text for texts in documents for text in texts}
    for across in (True, False):
        pairs = analysed.pairs(where="across" if across else "anywhere", top_k=50)
        assert all(0.0 < pair.score <= 1.0 for pair in pairs)
        assert all((pair.a.document_id != pair.b.document_id) or not across for pair in pairs)
    themes = analysed.clusters
    for granularity in (None, 16.0):
        found = themes.find(ClustersRequest(granularity)).wait(PATIENCE_S)
        placed = [key for cluster in found.clusters for key in cluster.sentence_ids]
        assert len(placed) + len(found.unclustered) == len({*placed, *found.unclustered}) == len(distinct)
        assert all(cluster.name and cluster.key_sentences for cluster in found.clusters)
        assert themes.load_last().wait(PATIENCE_S).clusters == found.clusters
    for force in (False, True):
        drawn = themes.build_map(force=force).wait(PATIENCE_S)
        assert drawn.places.shape == (len(distinct), 2)
        assert np.isfinite(drawn.places).all()
    keys = themes.find_key_sentences(10).wait(PATIENCE_S).sentences
    assert bool(keys) == bool(distinct)
    assert len({hit.text for hit in keys}) == len(keys)


def test_identical_sentences_are_one_cluster_with_one_key_sentence_that_is_not_split(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *SAME)
    found = analysed.clusters.find(ClustersRequest()).wait(PATIENCE_S)
    (cluster,) = found.clusters
    assert (cluster.size, found.unclustered) == (30, ())
    assert len(cluster.key_sentences) == 1
    with pytest.raises(UsageError, match="can't be split"):
        analysed.clusters.split(cluster.cluster_id).wait(PATIENCE_S)
    (pair,) = analysed.pairs(where="anywhere")
    assert pair.kind == "exact"
    assert pair.folded > 0, "the others differ in punctuation only"


class Steps:
    """Runs a job when it is submitted, on this thread; after so many steps it is cancelled.

    Steps in which it waits for a thread do not count: how many there are depends on the machine.
    """

    def __init__(self) -> None:
        self.most: int | None = None
        self.taken = 0

    def is_user_active(self) -> bool:
        return False

    def at_rest(self, release: Callable[[], None]) -> None:
        """It never rests."""

    def cancel_jobs(self, _key: str) -> None:
        """No other job runs."""

    def submit(self, _name: str, begin: Callable[[], Any], **_options: object) -> Any:
        steps, self.taken = begin(), 0
        try:
            while self.taken != self.most:
                self.taken += next(steps) is not WAITING
            steps.throw(Cancelled())
        except StopIteration as end:
            return end.value
        raise AssertionError("it went on when it was cancelled")


@pytest.fixture
def stepped(tmp_path: Path) -> Iterator[tuple[Steps, LocalLibrary, Callable[[], EngineContext]]]:
    """A library of three topics in two documents, and the functions that restart its analyses."""
    engine = Steps()
    with LocalLibrary.open(tmp_path / "library") as library:
        library.models.bind(HashingEncoder.model)
        for number in (1, 2):
            _put(library, f"{number}.txt", [*talk(number), ICE])
        yield engine, library, lambda: make_context(engine, lambda: library)


def _put(library: LocalLibrary, name: str, texts: list[str]) -> None:
    document = library.documents.add([FileRef(f"/papers/{name}", 1, 1)])[0]
    library.ingest.begin(document.document_id, DocumentHead("text", name))
    spans = [SentenceSpan(text, (Place(None, at, at + 1, "char"),), at) for at, text in enumerate(texts)]
    new = library.ingest.without_vector(texts)
    library.ingest.append(document.document_id, spans, new, HashingEncoder().encode(new))
    library.ingest.finish(document.document_id, ReadingDone())


def _kept(library: LocalLibrary) -> tuple[Any, ...]:
    """The stored clusters and map of a library."""
    clusters = [
        (each.cluster_id, each.name, each.members.tolist(), each.pinned) for each in library.clusters.clusters()
    ]
    ids, places = library.clusters.positions()
    return clusters, library.clusters.last_division(), ids.tolist(), places.tolist()


def _partition(kept: tuple[Any, ...]) -> tuple[object, ...]:
    clusters, _, ids, places = kept
    return sorted(sorted(members) for _, _, members, _ in clusters), ids, places


@pytest.mark.parametrize("what", ["clusters", "map", "merged", "split"])
def test_cancelling_at_any_step_leaves_the_former_clusters_and_map(
    stepped: tuple[Steps, LocalLibrary, Callable[[], EngineContext]], what: str, request: pytest.FixtureRequest
) -> None:
    """With `--slow` at every step; otherwise at the first ones, and then at ever larger intervals."""
    interval = 0 if request.config.getoption("--slow") else 1 / 2
    engine, library, begin = stepped
    before = ClusterService(begin())
    first = before.find(ClustersRequest(2.0))
    before.build_map()
    mixed = (
        before.merge([cluster.cluster_id for cluster in first.clusters[:2]]).clusters[0].cluster_id
        if (what == "split")
        else 0
    )
    _put(library, "late.txt", talk(3))
    kept = _kept(library)

    def work() -> object:
        themes = ClusterService(begin())
        if what == "map":
            return themes.build_map(force=True)
        if what == "merged":
            return themes.merge([cluster.cluster_id for cluster in first.clusters[:2]])
        if what == "split":
            return themes.split(mixed)
        return themes.find(ClustersRequest(4.0))

    stopped = 0
    while True:
        engine.most = stopped
        try:
            work()
            break
        except Cancelled:
            stopped += 1 + int(interval * stopped)
        if _kept(library) != kept:
            break  # it was stored at once, before the last steps, which report it
    assert stopped > 10, "it has many steps"
    engine.most, now = None, _kept(library)
    if what in ("merged", "split"):
        assert len(now[0]) == len(kept[0]) + (1 if what == "split" else -1)
    else:
        work()
        assert _partition(_kept(library)) == _partition(now), "the stored result is complete"


def test_pairs_cancelled_at_any_step_are_complete_the_next_time(
    stepped: tuple[Steps, LocalLibrary, Callable[[], EngineContext]],
) -> None:
    engine, library, begin = stepped
    request = PairsRequest(top_k=40, min_score=0.2)
    whole = DuplicateService(begin()).find_pairs(request).pairs
    assert len(whole) == 40
    with library._database.write_transaction() as connection:
        connection.exec_driver_sql("DELETE FROM neighbour")
    again = DuplicateService(begin())
    stopped = 0
    while True:
        engine.most = stopped
        try:
            found = again.find_pairs(request)
            break
        except Cancelled:
            stopped += 1
            lists = {key for ids, _, _ in library.analysis_reader.neighbours(NEIGHBOURS) for key in ids.tolist()}
            assert len(lists) in (0, 73), "a small one is kept at its end"
    assert stopped > 5
    assert found.pairs == whole


def test_a_cancelled_graph_continues_even_in_another_session(
    stepped: tuple[Steps, LocalLibrary, Callable[[], EngineContext]], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, library, begin = stepped
    request = PairsRequest(top_k=40, min_score=0.2)
    monkeypatch.setattr(neighbour_graph, "_ROWS", 8)
    monkeypatch.setattr(engine_neighbour_graph, "_MAX_INTERIM_SAVES", 20)

    def forget() -> None:
        with library._database.write_transaction() as connection:
            connection.exec_driver_sql("DELETE FROM neighbour")

    def kept() -> int:
        return sum(len(ids) for ids, _, _ in library.analysis_reader.neighbours(NEIGHBOURS))

    for is_same_session in (True, False):
        forget()
        monkeypatch.setattr(engine_neighbour_graph, "_SAVE_AFTER_PRODUCTS", 10**12 if is_same_session else 1)
        engine.most = None
        whole = DuplicateService(begin()).find_pairs(request).pairs
        some = engine.taken * 3 // 4 if is_same_session else engine.taken // 3
        forget()
        ours = DuplicateService(begin())
        found = None
        grown: list[int] = []
        engine.most = some
        for _ in range(40):
            try:
                found = ours.find_pairs(request)
                break
            except Cancelled:
                grown.append(kept())
                ours = ours if is_same_session else DuplicateService(begin())
        assert grown, "it was stopped"
        assert found is not None, "it went on from there"
        assert found.pairs == whole, "a part was never taken for the whole"
        assert grown == sorted(grown)
        if not is_same_session:
            assert len({count for count in grown if 0 < count < 73}) > 1, "it is kept as it grows"


def test_cancelling_the_continuation_of_a_list_loses_nothing(
    stepped: tuple[Steps, LocalLibrary, Callable[[], EngineContext]],
) -> None:
    engine, _, begin = stepped
    ours = DuplicateService(begin())
    whole = ours.find_pairs(PairsRequest(top_k=60, min_score=0.2)).pairs
    began = ours.find_pairs(PairsRequest(top_k=10, min_score=0.2))
    stopped = 0
    while True:
        engine.most = stopped
        try:
            more = ours.find_more_pairs(began, 50)
            break
        except Cancelled:
            stopped += 1
    assert stopped
    found = [(pair.a.text, pair.b.text) for pair in (*began.pairs, *more.pairs)]
    assert found == [(pair.a.text, pair.b.text) for pair in whole]
