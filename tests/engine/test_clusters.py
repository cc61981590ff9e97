"""Clusters of a whole library: found, stored, edited by a person, and cancelled."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.core.cluster_words import find_words
from desktop_app.core.clusters import Clusters, ClustersRequest
from desktop_app.core.errors import Cancelled, NotFound, UsageError
from desktop_app.core.jobs import Job, Lane
from desktop_app.core.query import parse_query
from desktop_app.core.reader_events import FileRef
from desktop_app.core.scope import Scope
from desktop_app.engine import cluster_division
from desktop_app.engine.cluster_map import read_change_times
from desktop_app.engine.clusters import ClusterService
from tests.patience import PATIENCE_S
from tests.steps import run_steps

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder

T = TypeVar("T")

ICE = "The old ice of the north melts faster every year."
TALK = {
    "ice": ["glacier", "ice", "snow", "melting", "frozen", "arctic"],
    "bread": ["dough", "flour", "oven", "yeast", "baking", "crust"],
    "money": ["bank", "account", "transfer", "card", "payment", "balance"],
}


def talk(seed: int, each: int = 12) -> list[str]:
    """Sentences on three topics that share the words of their topic."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(rng.permutation(words)[:5]) + f" {seed}/{number}/{at}."
        for at in range(each)
        for number, words in enumerate(TALK.values())
    ]


class ByParity(HashingEncoder):
    """Sees of a sentence whether its last number is even, and hardly anything else."""

    model = replace(HashingEncoder.model, name="parity", fingerprint="e" * 64)

    def encode(self, texts: Sequence[str], **options: object) -> NDArray[np.float32]:
        return super().encode([f"{parity(text)} {parity(text)} {text.split()[0]}" for text in texts], **options)


def parity(text: str) -> str:
    return ("even", "odd")[int(text.rpartition("/")[2].rstrip(".")) % 2]


def only(document_id: int) -> Scope:
    return Scope(document_ids=frozenset({document_id}))


def clustered(analysed: AnalysedLibrary, **request: object) -> Clusters:
    return analysed.clusters.find(ClustersRequest(**request)).wait(PATIENCE_S)


def test_a_library_is_divided_into_clusters(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    analysed.put("b.txt", *talk(2))
    found = clustered(analysed)
    assert [(cluster.size, cluster.documents) for cluster in found.clusters] == [(24, 2)] * 3
    assert found.unclustered == ()
    for cluster in found.clusters:
        assert any(set(cluster.keywords) == set(words) for words in TALK.values())
        assert set(cluster.name.split(", ")) <= set(cluster.keywords)
        assert len(cluster.key_sentences) == 3
    finer = clustered(analysed, granularity=6.0, min_size=2)
    assert len(finer.clusters) > 3
    assert finer.granularity == 6.0


def test_a_stop_word_of_another_language_can_name_an_english_cluster(analysed: AnalysedLibrary) -> None:
    sea, war = ["The ships left the sea in the storm", "A sea has its tides"], ["They lost the war", "No war is short"]
    analysed.put("a.txt", *(f"{text} {at}." for texts in (sea, war) for text in texts for at in range(4)))
    words = {word for cluster in clustered(analysed, min_size=3).clusters for word in cluster.name.split(", ")}
    assert {"sea", "war"} <= words
    assert not words & {"the", "its", "they", "is"}


def test_clusters_keep_their_identity_when_documents_are_added_and_one_document_has_its_own(
    analysed: AnalysedLibrary,
) -> None:
    a = analysed.put("a.txt", *talk(1))
    before = clustered(analysed)
    analysed.put("b.txt", *talk(2))
    after = clustered(analysed)
    assert {(c.cluster_id, c.name) for c in after.clusters} == {(c.cluster_id, c.name) for c in before.clusters}
    for cluster in before.clusters:
        grown = next(other for other in after.clusters if other.cluster_id == cluster.cluster_id)
        assert set(cluster.sentence_ids) < set(grown.sentence_ids)
    alone = clustered(analysed, scope=only(a))
    assert sum(cluster.size for cluster in alone.clusters) + len(alone.unclustered) == 36
    assert len(clustered(analysed).clusters) == 3, "a look at a part changes nothing"


def test_the_order_of_import_changes_no_cluster(tmp_path: Path) -> None:
    partitions = []
    for number, order in enumerate(((1, 2, 3), (3, 1, 2))):
        analysed = AnalysedLibrary(tmp_path / str(number))
        try:
            for seed in order:
                analysed.put(f"{seed}.txt", *talk(seed, each=20))
            found = clustered(analysed, granularity=4.0)
            texts = analysed.do(lambda of=analysed: of.library().analysis_reader.texts(range(1, 200)))
            partitions.append([sorted(texts[i] for i in cluster.sentence_ids) for cluster in found.clusters])
        finally:
            analysed.engine.stop()
    assert sorted(partitions[0]) == sorted(partitions[1])


def test_a_grown_library_has_the_clusters_of_one_imported_at_once(tmp_path: Path) -> None:
    """The program's promise for any library without pinned clusters; names may be former ones."""
    found: list[Clusters] = []
    partitions = []
    for number, looks in enumerate((False, True)):
        analysed = AnalysedLibrary(tmp_path / str(number))
        try:
            analysed.put("1.txt", *talk(1, each=20), ICE)
            first = clustered(analysed) if looks else None
            analysed.put("2.txt", *talk(2, each=30))
            analysed.put("3.txt", *talk(3, each=9), "Alone it stands.")
            found.append(clustered(analysed))
            texts = analysed.do(lambda of=analysed: of.library().analysis_reader.texts(range(1, 300)))
            partitions.append([sorted(texts[key] for key in cluster.sentence_ids) for cluster in found[-1].clusters])
        finally:
            analysed.engine.stop()
    assert sorted(partitions[0]) == sorted(partitions[1])
    assert found[0].granularity == found[1].granularity
    assert first is not None
    assert {cluster.cluster_id for cluster in first.clusters} <= {cluster.cluster_id for cluster in found[1].clusters}


@pytest.mark.parametrize("texts", [(), ("One.",), ("One.", "Two."), (ICE,) * 20])
def test_a_tiny_library_has_no_clusters(analysed: AnalysedLibrary, texts: tuple[str, ...]) -> None:
    if texts:
        analysed.put("a.txt", *texts)
    found = clustered(analysed)
    assert found.clusters == ()
    assert len(found.unclustered) == len(set(texts))


def test_a_cancelled_clustering_leaves_the_former_result(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    before = clustered(analysed)
    analysed.put("b.txt", *talk(2))
    with analysed.held():
        job = analysed.clusters.find(ClustersRequest())
        job.on_progress(lambda progress: job.cancel())
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    kept_ids = analysed.do(lambda: [kept.cluster_id for kept in analysed.library().clusters.clusters()])
    assert sorted(kept_ids) == sorted(cluster.cluster_id for cluster in before.clusters)


def test_key_sentences_are_central_distinct_and_in_reading_order(analysed: AnalysedLibrary) -> None:
    document_id = analysed.put("a.txt", *talk(1), "Entirely unrelated words stand alone here.", ICE, ICE)
    found = analysed.clusters.find_key_sentences(5, scope=only(document_id)).wait(PATIENCE_S).sentences
    assert len(found) == 5
    assert [hit.ordinal for hit in found] == sorted(hit.ordinal for hit in found)
    assert len({hit.sentence_id for hit in found}) == 5
    assert all(hit.document_id == document_id for hit in found)
    empty = analysed.do(lambda: analysed.library().documents.add([FileRef("/papers/empty.txt", 1, 1)])[0].document_id)
    assert analysed.clusters.find_key_sentences(5, scope=only(empty)).wait(PATIENCE_S).sentences == ()


def test_headings_and_fragments_are_no_key_sentences(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1), "See below.", layout="body")
    analysed.put("b.txt", *talk(1)[:2], "The title of all that", layout="heading")
    for all_passages in (False, True):
        scope = Scope(all_passages=all_passages)
        found = analysed.clusters.find_key_sentences(40, scope=scope).wait(PATIENCE_S).sentences
        assert ("See below." in {hit.text for hit in found}) == all_passages
        assert ("The title of all that" in {hit.text for hit in found}) == all_passages


def themes(found: Clusters) -> dict[int, set[int]]:
    return {cluster.cluster_id: set(cluster.sentence_ids) for cluster in found.clusters}


def test_the_last_clusters_are_shown_again_without_clustering(analysed: AnalysedLibrary) -> None:
    assert analysed.clusters.load_last().wait(PATIENCE_S) is None
    analysed.put("a.txt", *talk(1))
    gone = analysed.put("b.txt", *talk(2), "Alone it stands here.")
    found = clustered(analysed)
    last = analysed.clusters.load_last().wait(PATIENCE_S)
    assert last is not None
    assert last.clusters == found.clusters
    assert (last.unclustered, last.granularity, last.arrived) == (found.unclustered, found.granularity, 0)
    analysed.put("c.txt", *talk(3, each=4), *talk(1))
    assert analysed.clusters.count_new().wait(PATIENCE_S) == 12
    last = analysed.clusters.load_last().wait(PATIENCE_S)
    assert last is not None
    assert last.arrived == 12
    assert themes(last) == themes(found), "sentences added since are in no cluster yet"
    assert last.unclustered == found.unclustered
    analysed.do(lambda: analysed.library().documents.remove([gone]))
    last = analysed.clusters.load_last().wait(PATIENCE_S)
    assert last is not None
    assert [cluster.size for cluster in last.clusters] == [12, 12, 12]
    assert last.unclustered == ()


def last(analysed: AnalysedLibrary) -> Clusters:
    found = analysed.clusters.load_last().wait(PATIENCE_S)
    assert found is not None
    return found


def texts_of(analysed: AnalysedLibrary, found: Clusters) -> dict[int, list[str]]:
    texts = analysed.do(
        lambda: analysed.library().analysis_reader.texts([i for c in found.clusters for i in c.sentence_ids])
    )
    return {cluster.cluster_id: [texts[key] for key in cluster.sentence_ids] for cluster in found.clusters}


def remove(analysed: AnalysedLibrary, document_id: int) -> None:
    analysed.do(lambda: analysed.library().documents.remove([document_id]))


def purge(analysed: AnalysedLibrary) -> None:
    analysed.do(lambda: list(analysed.library().maintenance.purge()))


@pytest.mark.parametrize("is_purged", [False, True])
def test_a_cluster_that_loses_sentences_is_named_by_those_that_are_left(
    analysed: AnalysedLibrary, is_purged: bool
) -> None:
    gone = analysed.put("a.txt", *(f"rye loaf oven yeast {number}." for number in range(8)))
    ice = [text for text in talk(2) if "ice" in text.split()]
    analysed.put("b.txt", *(f"flour oven yeast {number}." for number in range(4)), *ice)
    found = clustered(analysed, granularity=0.5)
    bread = next(cluster for cluster in found.clusters if "oven" in cluster.keywords)
    assert (bread.size, bread.name) == (12, "oven, yeast, loaf")
    remove(analysed, gone)
    if is_purged:
        purge(analysed)
    left = next(cluster for cluster in last(analysed).clusters if cluster.cluster_id == bread.cluster_id)
    assert (left.size, left.name) == (4, "oven, yeast, flour")
    assert not {"rye", "loaf"} & set(left.keywords)
    assert left.key_sentences
    assert next(c.name for c in last(analysed).clusters if "ice" in c.keywords) == next(
        c.name for c in found.clusters if "ice" in c.keywords
    ), "another cluster keeps its name"


def test_a_cluster_without_distinctive_words_is_named_by_a_sentence(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *(f"It is what it is, {number}." for number in range(6)), *talk(1, each=6))
    found = clustered(analysed, min_size=3)
    nameless = next(cluster for cluster in found.clusters if not cluster.keywords)
    assert nameless.name.startswith("It is what it is")
    assert all(cluster.name for cluster in last(analysed).clusters)


@pytest.mark.parametrize("changes", [16, pytest.param(100, marks=pytest.mark.slow)])
def test_names_and_identities_survive_changes_of_documents(analysed: AnalysedLibrary, changes: int) -> None:
    """As in watched folders: documents are edited, rewritten, removed and added; topics are updated now and then."""
    topics = TALK | {"stars": ["comet", "orbit", "telescope", "galaxy", "moon", "eclipse"]}
    rng = np.random.default_rng(19)
    number = 0

    def sentence(topic: str, place: str) -> str:
        nonlocal number
        number += 1
        return " ".join([*rng.permutation(topics[topic])[:4], place]) + f" {number}."

    def document(place: str) -> list[str]:
        return [sentence(topic, place) for topic in topics for _ in range(6)]

    def topic_of(texts: list[str]) -> str:
        words = [word for text in texts for word in text.split()]
        return max(topics, key=lambda topic: sum(word in topics[topic] for word in words))

    documents = {f"{at}.txt": document(f"place{chr(97 + at)}") for at in range(6)}
    ids = {name: analysed.put(name, *texts) for name, texts in documents.items()}
    found = clustered(analysed)
    identity = {topic_of(texts): cluster_id for cluster_id, texts in texts_of(analysed, found).items()}
    assert set(identity) == set(topics)
    analysed.clusters.rename(identity["ice"], "My ice").wait(PATIENCE_S)
    for step in range(changes):
        name = f"{rng.integers(8)}.txt"
        what = rng.choice(["edit", "edit", "rewrite", "remove"])
        if name not in documents or what == "rewrite":
            documents[name] = document(f"place{chr(97 + rng.integers(26))}")
        elif what == "remove" and len(documents) > 3:
            del documents[name]
            remove(analysed, ids[name])
        else:
            for at in rng.integers(len(documents[name]), size=3):
                topic = topic_of([documents[name][at]])
                documents[name][at] = sentence(topic, "somewhere")
        if name in documents:
            ids[name] = analysed.put(name, *documents[name])
        if rng.random() < 0.5:
            purge(analysed)
        shown = clustered(analysed) if step % 4 == 3 else last(analysed)
        texts = texts_of(analysed, shown)
        assert {topic_of(texts[c.cluster_id]): c.cluster_id for c in shown.clusters} == identity, step
        for cluster in shown.clusters:
            assert cluster.key_sentences, step
            if cluster.cluster_id == identity["ice"]:
                assert (cluster.name, cluster.own_name) == ("My ice", True), step
            else:
                assert cluster.name, step
                assert find_words(cluster.name) <= set().union(*map(find_words, texts[cluster.cluster_id])), step


def test_many_clusters_are_divided_into_broad_ones_that_keep_their_identity(
    analysed: AnalysedLibrary, tmp_path: Path
) -> None:
    def word(topic: int) -> str:
        return "w" + chr(97 + topic // 26) + "o" + chr(97 + topic % 26)

    def document(seed: int) -> list[str]:
        rng = np.random.default_rng(seed)
        return [
            " ".join(
                ["field" + chr(97 + topic % 9), *rng.permutation([word(topic) + end for end in ("ing", "ed", "er")])]
            )
            for topic in range(45)
            for _ in range(6)
        ]

    analysed.put("a.txt", *(f"{text} {at}." for at, text in enumerate(document(1))))
    found = clustered(analysed, granularity=24.0, min_size=3)
    assert len(found.clusters) > 30
    assert 8 <= len(found.broad) <= 30
    assert [broad.size for broad in found.broad] == sorted((broad.size for broad in found.broad), reverse=True)
    sizes = {cluster.cluster_id: cluster.size for cluster in found.clusters}
    listed = [cluster_id for broad in found.broad for cluster_id in broad.cluster_ids]
    assert sorted(listed) == sorted(sizes)
    for broad in found.broad:
        assert broad.size == sum(sizes[cluster_id] for cluster_id in broad.cluster_ids)
        assert broad.name
        assert {cluster.broad for cluster in found.clusters if cluster.cluster_id in broad.cluster_ids} == {
            broad.broad_id
        }
    assert last(analysed).broad == found.broad
    before = {broad.broad_id: {i for c in broad.cluster_ids for i in themes(found)[c]} for broad in found.broad}
    analysed.put("b.txt", *(f"{text} {at}." for at, text in enumerate(document(2), 1000)))
    after = clustered(analysed, granularity=24.0, min_size=3)
    kept = 0
    for broad in after.broad:
        members = {i for c in broad.cluster_ids for i in themes(after)[c]}
        kept += broad.broad_id in before and 2 * len(members & before[broad.broad_id]) > len(before[broad.broad_id])
    assert kept >= len(found.broad) - 2

    # A name of one's own stays with the sentences, also while there are no broad clusters, and can be undone.
    named = after.broad[1]
    renamed = analysed.clusters.rename_broad(named.broad_id, "  My  fields ").wait(PATIENCE_S)
    assert broad_names(renamed) == {**broad_names(after), named.broad_id: "My fields"}
    assert [each.broad_id for each in renamed.broad if each.own_name] == [named.broad_id]
    assert [each.cluster_id for each in renamed.clusters] == [each.cluster_id for each in after.clusters]
    analysed.clusters.export(renamed, str(tmp_path / "topics.md")).wait(PATIENCE_S)
    lines = (tmp_path / "topics.md").read_text("utf-8").splitlines()
    headings = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
    assert headings[: len(renamed.broad)] == [each.name for each in renamed.broad], "each once, with its topics below"
    undone = analysed.clusters.undo().wait(PATIENCE_S)
    assert broad_names(undone) == broad_names(after)
    analysed.clusters.rename_broad(named.broad_id, "My fields").wait(PATIENCE_S)
    assert clustered(analysed, granularity=0.5, min_size=3).broad == ()
    again = clustered(analysed, granularity=24.0, min_size=3)
    assert [(each.broad_id, each.name) for each in again.broad if each.own_name] == [(named.broad_id, "My fields")]
    assert last(analysed).broad == again.broad
    members = {i for c in named.cluster_ids for i in themes(after)[c]}
    found_again = {i for each in again.broad if each.own_name for c in each.cluster_ids for i in themes(again)[c]}
    assert 2 * len(members & found_again) > len(members)
    unnamed = analysed.clusters.rename_broad(named.broad_id, "").wait(PATIENCE_S)
    assert not any(each.own_name for each in unnamed.broad)
    assert all(each.name for each in unnamed.broad)
    with pytest.raises(NotFound, match="no longer exists"):
        analysed.clusters.rename_broad(999, "Gone").wait(PATIENCE_S)


def broad_names(found: Clusters) -> dict[int, str]:
    return {each.broad_id: each.name for each in found.broad}


def test_sentences_added_since_the_last_clusters_are_counted(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    assert [cluster.new for cluster in clustered(analysed).clusters] == [0, 0, 0]
    analysed.put("b.txt", *talk(2, each=5))
    after = clustered(analysed)
    assert [cluster.new for cluster in after.clusters] == [5, 5, 5]
    assert after.arrived == 0
    finer = clustered(analysed, granularity=4.0)
    assert sum(cluster.new for cluster in finer.clusters) + sum(i > after.new_after for i in finer.unclustered) == 15
    analysed.put("c.txt", *talk(3, each=1))
    assert sum(cluster.new for cluster in clustered(analysed).clusters) == 3


def test_members_are_listed_key_sentences_first_then_the_nearest(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    for cluster in clustered(analysed).clusters:
        assert [hit.sentence_id for hit in cluster.key_sentences] == list(cluster.sentence_ids[:3])
        rest = list(cluster.closeness[3:])
        assert rest == sorted(rest, reverse=True)
        assert len(set(cluster.sentence_ids)) == cluster.size == len(cluster.closeness)


def test_a_persons_own_name_survives_other_granularities(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed, granularity=1.0)
    ice = next(cluster for cluster in first.clusters if "ice" in cluster.keywords)
    named = analysed.clusters.rename(ice.cluster_id, "  All about\nice ").wait(PATIENCE_S)
    assert [cluster.name for cluster in named.clusters if cluster.own_name] == ["All about ice"]
    clustered(analysed, granularity=24.0, min_size=2)
    everything = clustered(analysed, granularity=0.01, min_size=2)
    assert len(everything.clusters) < 3
    back = clustered(analysed, granularity=1.0)
    again = next(cluster for cluster in back.clusters if cluster.own_name)
    assert (again.name, set(again.sentence_ids)) == ("All about ice", set(ice.sentence_ids))
    made = analysed.clusters.rename(again.cluster_id, "").wait(PATIENCE_S)
    assert {cluster.name for cluster in made.clusters} == {cluster.name for cluster in first.clusters}


def test_changes_that_follow_each_other_quickly_are_all_kept(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first, second, third = clustered(analysed).clusters
    with analysed.held():
        analysed.clusters.rename(first.cluster_id, "First")
        analysed.clusters.merge([second.cluster_id, third.cluster_id])
        last = analysed.clusters.rename(second.cluster_id, "Second")
    changed = last.wait(PATIENCE_S).clusters
    assert {cluster.name: cluster.size for cluster in changed} == {"First": 12, "Second": 24}


def test_a_change_ends_a_search_for_clusters(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed).clusters[0]
    with analysed.held():
        finding = analysed.clusters.find(ClustersRequest(24.0))
        renamed = analysed.clusters.rename(first.cluster_id, "Mine")
    assert "Mine" in {cluster.name for cluster in renamed.wait(PATIENCE_S).clusters}
    with pytest.raises(Cancelled):
        finding.wait(PATIENCE_S)


def test_merged_clusters_are_pinned_and_stay_one(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed)
    a, b, c = first.clusters
    merged = analysed.clusters.merge([a.cluster_id, c.cluster_id]).wait(PATIENCE_S)
    assert [cluster.size for cluster in merged.clusters] == [24, 12]
    one = merged.clusters[0]
    assert one.pinned
    assert set(one.sentence_ids) == set(a.sentence_ids) | set(c.sentence_ids)
    assert one.name
    assert one.name not in (a.name, c.name), "it is named by the words of both"
    analysed.put("b.txt", *talk(2, each=6))
    for granularity in (1.0, 16.0):
        later = clustered(analysed, granularity=granularity)
        pinned = next(cluster for cluster in later.clusters if cluster.pinned)
        assert (pinned.cluster_id, pinned.name) == (one.cluster_id, one.name)
        assert set(one.sentence_ids) <= set(pinned.sentence_ids)
        assert pinned.size == 36, "sentences added since join the cluster they belong to"
        assert set(b.sentence_ids).isdisjoint(pinned.sentence_ids)
    analysed.clusters.pin(one.cluster_id, False).wait(PATIENCE_S)
    assert [cluster.size for cluster in clustered(analysed).clusters] == [18, 18, 18]


def test_one_cluster_alone_is_not_merged(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    a = clustered(analysed).clusters[0].cluster_id
    with pytest.raises(UsageError, match="at least two topics"):
        analysed.clusters.merge([a, a]).wait(PATIENCE_S)
    with pytest.raises(NotFound):
        analysed.clusters.merge([a, 999]).wait(PATIENCE_S)


def test_a_cluster_is_split_completely_and_that_is_undone(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed)
    a, _, c = first.clusters
    both = analysed.clusters.merge([a.cluster_id, c.cluster_id]).wait(PATIENCE_S).clusters[0]
    split = analysed.clusters.split(both.cluster_id).wait(PATIENCE_S)
    assert sorted(map(sorted, themes(split).values())) == sorted(map(sorted, themes(first).values()))
    assert sum(cluster.pinned for cluster in split.clusters) == 2
    undone = analysed.clusters.undo().wait(PATIENCE_S)
    assert undone.clusters[0].sentence_ids == both.sentence_ids
    assert undone.clusters[0].cluster_id == both.cluster_id


def test_a_uniform_cluster_is_not_split(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *[f"The old glacier ice of the north keeps melting in year {year}." for year in range(4)])
    (one,) = clustered(analysed, min_size=3).clusters
    with pytest.raises(UsageError, match="can't be split"):
        analysed.clusters.split(one.cluster_id).wait(PATIENCE_S)
    assert len(analysed.clusters.load_last().wait(PATIENCE_S).clusters) == 1


def test_search_within_a_cluster_and_key_sentences_of_some(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    cluster = clustered(analysed).clusters[0]
    wanted = cluster.key_sentences[2]
    found = analysed.clusters.search_within(wanted.text, cluster.sentence_ids).wait(PATIENCE_S)
    assert found[0].sentence_id == wanted.sentence_id
    assert {each.sentence_id for each in found} == set(cluster.sentence_ids)
    keys = analysed.clusters.find_key_sentences(2, among=cluster.sentence_ids).wait(PATIENCE_S).sentences
    assert len(keys) == 2
    assert {hit.sentence_id for hit in keys} <= set(cluster.sentence_ids)
    # Those of a query are near to it: the nearest is always among them.
    query = parse_query(wanted.text)
    (nearest,) = (
        analysed.clusters.find_key_sentences(1, among=cluster.sentence_ids, query=query).wait(PATIENCE_S).sentences
    )
    assert nearest.sentence_id == wanted.sentence_id
    hits = analysed.do(lambda: analysed.library().search.hits(found[:2], first_rank=5))
    assert [(hit.rank, hit.sentence_id) for hit in hits] == [(5 + at, found[at].sentence_id) for at in range(2)]


def test_of_results_as_near_to_a_query_the_better_one_is_the_key_sentence(analysed: AnalysedLibrary) -> None:
    analysed.put(
        "a.txt", "The ice of the north melts now.", "The ice of the south melts now.", "Bread is mostly waiting."
    )
    query = parse_query("the ice melts now")
    ids = [
        hit.sentence_id for hit in analysed.do(lambda: analysed.library().search.hits_at([(1, 0, 1.0), (1, 1, 1.0)]))
    ]
    for among in (ids, ids[::-1]):
        (best,) = analysed.clusters.find_key_sentences(1, among=among, query=query).wait(PATIENCE_S).sentences
        assert best.sentence_id == among[0], "the search knows the words too"


def test_only_sentences_that_answer_the_query_are_its_key_sentences(analysed: AnalysedLibrary) -> None:
    analysed.put(
        "a.txt",
        "The ice of the north melts now.",
        "Bread is mostly waiting.",
        "The ice of the south melts now.",
        "Trains leave at noon every day.",
        "The rent of the flat is due.",
    )
    everything = [
        hit.sentence_id
        for hit in analysed.do(lambda: analysed.library().search.hits_at([(1, at, 1.0) for at in (0, 2, 1, 3, 4)]))
    ]
    query = parse_query("the ice melts now")
    found = analysed.clusters.find_key_sentences(10, among=everything, query=query).wait(PATIENCE_S)
    assert found.total == 2
    assert {hit.text for hit in found.sentences} <= {
        "The ice of the north melts now.",
        "The ice of the south melts now.",
    }


@pytest.mark.parametrize("ending", ["csv", "jsonl", "md"])
def test_clusters_are_written_as_read_and_whole_or_not_at_all(
    analysed: AnalysedLibrary, tmp_path: Path, ending: str
) -> None:
    analysed.put("a.txt", *talk(1, each=150), ICE)
    found = clustered(analysed)
    file = tmp_path / f"themes.{ending}"
    file.write_text("what was here before", "utf-8")
    seen: list[tuple[int, int | None]] = []
    with analysed.held():
        job = analysed.clusters.export(found, str(file))
        job.on_progress(lambda progress: (seen.append((progress.done, progress.total)), job.cancel()))
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    assert seen[0][0] < 451
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == [file.name]
    assert file.read_text("utf-8") == "what was here before"
    assert analysed.clusters.export(found, str(file)).wait(PATIENCE_S) == 451
    text = file.read_text("utf-8-sig")
    about = {(cluster.cluster_id, cluster.size, cluster.documents, cluster.new, False) for cluster in found.clusters}
    if ending == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        written = {tuple(row[name] for name in ("cluster_id", "size", "documents", "new", "pinned")) for row in rows}
        assert written - {(None,) * 5} == about
        assert rows[0]["keywords"] == list(found.clusters[0].keywords)
    if ending == "csv":
        rows = list(csv.DictReader(text.splitlines()))
        written = {tuple(row[name] for name in ("cluster_id", "size", "documents", "new", "pinned")) for row in rows}
        assert written - {("",) * 5} == {tuple(str(int(each)) for each in row) for row in about}
        assert rows[0]["keywords"] == ", ".join(found.clusters[0].keywords)
    assert text.count("glacier") >= 100
    assert ICE in text
    if ending == "md":
        assert text.count("## ") == len(found.clusters) + bool(found.unclustered)
    with pytest.raises(UsageError):
        analysed.clusters.export(found, str(tmp_path / "themes.doc")).wait(PATIENCE_S)


def test_the_map_is_saved_and_places_new_sentences_without_moving_the_rest(analysed: AnalysedLibrary) -> None:
    assert len(analysed.clusters.build_map().wait(PATIENCE_S).ids) == 0
    a = analysed.put("a.txt", *talk(1), ICE)
    first = analysed.clusters.build_map().wait(PATIENCE_S)
    assert first.is_new
    assert first.places.shape == (37, 2)
    assert set(first.documents.tolist()) == {a}
    analysed.put("b.txt", *talk(2, each=3), ICE)
    second = analysed.clusters.build_map().wait(PATIENCE_S)
    assert not second.is_new
    before = dict(zip(first.ids.tolist(), map(tuple, first.places), strict=True))
    after = dict(zip(second.ids.tolist(), map(tuple, second.places), strict=True))
    assert len(after) == 46
    assert {key: after[key] for key in before} == before
    assert analysed.clusters.build_map(force=True).wait(PATIENCE_S).is_new
    analysed.put("c.txt", *talk(3, each=60))
    assert analysed.clusters.build_map().wait(PATIENCE_S).is_new, "most sentences have no place yet"


def test_a_stored_map_is_shown_without_reading_vectors(
    analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed.put("a.txt", *talk(1))
    drawn = analysed.clusters.build_map().wait(PATIENCE_S)
    library = analysed.do(analysed.library)
    monkeypatch.setattr(library.analysis_reader, "vectors", lambda: pytest.fail("nothing needs them"))
    again = ClusterService(analysed.context).build_map().wait(PATIENCE_S)
    np.testing.assert_array_equal(again.places, drawn.places)


@pytest.mark.parametrize("many", [1, 1_000_000])
def test_topics_can_be_divided_again_when_their_vectors_were_dropped(
    many: int, analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_division, "_MOST_FLOAT_ROWS", many)
    analysed.put("a.txt", *talk(1))
    first, _, again = (clustered(analysed, granularity=granularity) for granularity in (1.0, 8.0, 1.0))
    assert [*themes(first).values()] == [*themes(again).values()]
    assert [cluster.closeness for cluster in first.clusters] == [cluster.closeness for cluster in again.clusters]


def test_a_cancelled_map_leaves_the_former_one(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = analysed.clusters.build_map().wait(PATIENCE_S)
    with analysed.held():
        job = analysed.clusters.build_map(force=True)
        job.on_progress(lambda _progress: job.cancel())
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    again = analysed.clusters.build_map().wait(PATIENCE_S)
    np.testing.assert_array_equal(again.places, first.places)


def parities(analysed: AnalysedLibrary, found: Clusters) -> list[set[str]]:
    texts = analysed.do(lambda: analysed.library().analysis_reader.texts(range(1, 200)))
    return [{parity(texts[key]) for key in cluster.sentence_ids} for cluster in found.clusters]


def test_clusters_and_map_belong_to_one_model(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    words = clustered(analysed)
    ice = next(cluster for cluster in words.clusters if "ice" in cluster.keywords)
    analysed.clusters.rename(ice.cluster_id, "All about ice").wait(PATIENCE_S)
    places = analysed.clusters.build_map().wait(PATIENCE_S).places
    analysed.switch(ByParity()).wait(PATIENCE_S)
    assert analysed.clusters.load_last().wait(PATIENCE_S) is None, "no clusters were found with this model yet"
    assert sorted(map(sorted, parities(analysed, clustered(analysed)))) == [["even"], ["odd"]]
    drawn = analysed.clusters.build_map().wait(PATIENCE_S)
    assert drawn.is_new
    assert not np.array_equal(drawn.places, places)
    analysed.switch(HashingEncoder()).wait(PATIENCE_S)
    back = clustered(analysed)
    assert {frozenset(each.sentence_ids) for each in back.clusters} == {
        frozenset(each.sentence_ids) for each in words.clusters
    }
    assert [cluster.name for cluster in back.clusters if cluster.own_name] == ["All about ice"], (
        "a name outlives models"
    )


def test_clusters_of_another_model_are_not_restored(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed)
    analysed.clusters.rename(first.clusters[0].cluster_id, "Mine").wait(PATIENCE_S)
    analysed.switch(ByParity()).wait(PATIENCE_S)
    with pytest.raises(NotFound, match="nothing to undo"):
        analysed.clusters.undo().wait(PATIENCE_S)
    assert analysed.clusters.load_last().wait(PATIENCE_S) is None
    found = clustered(analysed)
    with pytest.raises(NotFound):
        analysed.clusters.undo().wait(PATIENCE_S)
    assert analysed.clusters.load_last().wait(PATIENCE_S).clusters == found.clusters


def test_clusters_that_were_found_again_are_not_replaced_by_an_undo(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed)
    analysed.clusters.rename(first.clusters[0].cluster_id, "Mine").wait(PATIENCE_S)
    found = clustered(analysed)
    with pytest.raises(NotFound, match="nothing to undo"):
        analysed.clusters.undo().wait(PATIENCE_S)
    assert analysed.clusters.load_last().wait(PATIENCE_S).clusters == found.clusters


def test_a_change_that_fails_leaves_the_undo_of_the_last_one(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    first = clustered(analysed).clusters[0]
    analysed.clusters.rename(first.cluster_id, "Mine").wait(PATIENCE_S)
    with pytest.raises(NotFound):
        analysed.clusters.pin(999, True).wait(PATIENCE_S)
    undone = analysed.clusters.undo().wait(PATIENCE_S)
    assert [cluster.name for cluster in undone.clusters if cluster.cluster_id == first.cluster_id] == [first.name]


def switched_at_once(analysed: AnalysedLibrary, begin: Callable[[], Job[T]]) -> T:
    """Switch the library's model at the first progress report of a job; return the job's result."""
    switching: list[Job[None]] = []
    with analysed.held():
        job = begin()
        job.on_progress(lambda _progress: switching or switching.append(analysed.switch(ByParity(), Lane.FRONT)))
    found = job.wait(PATIENCE_S)
    switching[0].wait(PATIENCE_S)
    return found


def test_a_switch_of_models_while_clusters_are_found_is_noticed(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    clustered(analysed)
    found = switched_at_once(analysed, lambda: analysed.clusters.find(ClustersRequest(granularity=2.0)))
    assert found.clusters
    assert all(len(each) == 1 for each in parities(analysed, found)), "they are those of the new model"
    last = analysed.clusters.load_last().wait(PATIENCE_S)
    assert last is not None
    assert last.clusters == found.clusters


def test_a_switch_of_models_while_the_map_is_drawn_is_noticed(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1))
    analysed.clusters.build_map().wait(PATIENCE_S)
    drawn = switched_at_once(analysed, lambda: analysed.clusters.build_map(force=True)).places
    np.testing.assert_array_equal(analysed.clusters.build_map().wait(PATIENCE_S).places, drawn)
    np.testing.assert_array_equal(analysed.clusters.build_map(force=True).wait(PATIENCE_S).places, drawn)


def test_clusters_that_a_switch_of_models_removes_are_reported_as_gone(
    analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed.put("a.txt", *talk(1))
    cluster = clustered(analysed).clusters[0]
    kept = type(analysed.do(lambda: analysed.library().clusters))
    change = kept.change

    def changed(self: object, *args: object, **options: object) -> None:
        change(self, *args, **options)
        analysed.switch(ByParity(), Lane.FRONT)

    monkeypatch.setattr(kept, "change", changed)
    with pytest.raises(NotFound, match="no longer exist"):
        analysed.clusters.rename(cluster.cluster_id, "Mine").wait(PATIENCE_S)


def test_a_damaged_vector_is_in_no_cluster_and_moves_nothing(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *talk(1), ICE)
    analysed.damage(ICE)
    found = clustered(analysed)
    assert [cluster.size for cluster in found.clusters] == [12, 12, 12]
    assert len(found.unclustered) == 1
    drawn = analysed.clusters.build_map().wait(PATIENCE_S)
    assert np.isfinite(drawn.places).all()
    assert len(analysed.clusters.find_key_sentences(5).wait(PATIENCE_S).sentences) == 5


def test_a_large_graph_is_divided_and_laid_out_in_a_process_of_its_own(tmp_path: Path) -> None:
    from desktop_app.analysis.clusters import Communities
    from desktop_app.encoder.training_process import WorkProcess

    tasks: list[str] = []

    def start(task: str, request: object) -> WorkProcess:
        tasks.append(task)
        return WorkProcess(task, request)

    analysed = AnalysedLibrary(tmp_path / "library", start)
    try:
        analysed.put("a.txt", *talk(1, each=520))
        found = clustered(analysed, granularity=2.0)
        graph = analysed.clusters._prepared.graph
        labels = Communities(graph).at(2.0, 5)
        parts = [set(graph.ids[labels == label].tolist()) for label in range(labels.max() + 1)]
        assert [set(cluster.sentence_ids) for cluster in found.clusters] == parts
        assert clustered(analysed, granularity=2.0).clusters == found.clusters
        places = analysed.clusters.build_map().wait(PATIENCE_S).places
        assert np.isfinite(places).all()
        assert tasks == ["communities", "layout"], "a level that was found is kept"
        whole = analysed.clusters.merge([cluster.cluster_id for cluster in found.clusters]).wait(PATIENCE_S)
        reports: list[str] = []
        with analysed.held():
            job = analysed.clusters.split(whole.clusters[0].cluster_id)
            job.on_progress(lambda progress: reports.append(progress.phase))
        assert sum(cluster.size for cluster in job.wait(PATIENCE_S).clusters) == whole.clusters[0].size
        assert tasks[2:] == ["communities"], "a large cluster is split there too"
    finally:
        analysed.engine.stop()


def test_the_map_knows_when_a_document_changed_also_while_others_come(analysed: AnalysedLibrary) -> None:
    first, _later = analysed.put("a.txt", "The sea rises."), analysed.put("b.txt", "Bread bakes.")
    documents = np.array([first, 0, first])  # 0: a sentence that has no document any more
    dates = analysed.do(lambda: run_steps(read_change_times(analysed.library(), documents)))
    assert dates.tolist() == [1e-9, 0.0, 1e-9]
