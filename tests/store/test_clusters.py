"""Clusters and the map are stored, and contain nothing that was erased."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.clusters import StoredCluster, StoredDivision
from desktop_app.core.errors import NotFound
from desktop_app.core.jobs import run_to_completion
from desktop_app.store import clusters

from .conftest import Open
from .helpers import MODEL, drain, files_with, take_in, texts
from .test_analysis_reader import ids_of

pytestmark = pytest.mark.every_library

LOOK = StoredDivision(2.0, True, 5, 100, 50)


def cluster(name: str, members: list[int], cluster_id: int | None = None, **more: object) -> StoredCluster:
    closeness = np.linspace(1, 0.5, len(members)).astype(np.float32)
    return StoredCluster(cluster_id, name, np.array(members, np.int64), closeness, **more)


def test_clusters_are_stored_and_their_texts_go_with_an_erased_sentence(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    document_id = take_in(library, "b.txt", ["Three."])
    one, two, three = ids_of(library, ["One.", "Two.", "Three."])
    facts = {"keywords": ("private-word",), "keys": 2}
    first, second = library.clusters.save(
        [cluster("private-name", [three, two], **facts), cluster("numbers", [one])], LOOK
    )
    mine = cluster("my-own-name", [two, three], own_name=True, pinned=True, dormant=True)
    broad = cluster("my-field", [two, three], own_name=True, dormant=True, broad=7, is_broad=True)
    again = [cluster("private-name", [three, two], first, **facts), mine, cluster("numbers", [one], second), broad]
    assert library.clusters.save(again, LOOK) == [first, second + 1, second, second + 2]
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    kept = {each.cluster_id: each for each in library.clusters.clusters()}
    assert {key: (each.name, each.members.tolist(), each.keywords) for key, each in kept.items()} == {
        first: ("", [two], ()),
        second: ("numbers", [one], ()),
        second + 1: ("my-own-name", [two], ()),
        second + 2: ("my-field", [two], ()),
    }
    assert {key: (each.is_broad, each.keys, each.broad) for key, each in kept.items() if each.broad} == {
        second + 2: (True, 0, 7)
    }
    assert kept[first].keys == 1
    assert kept[first].closeness.tolist() == [0.5]
    assert (kept[second + 1].own_name, kept[second + 1].pinned, kept[second + 1].dormant) == (True, True, True)
    assert files_with(tmp_path, b"private-name", b"private-word") == []
    (new,) = library.clusters.save([cluster("x", [one])], LOOK)
    assert new > second + 2, "an id is never reused for another cluster"


def test_clusters_from_before_a_purge_are_stored_without_what_it_has_erased(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["The ice is old.", "Old snow."])
    document_id = take_in(library, "b.txt", ["Secret glacier ice."])
    ice, snow, secret = ids_of(library, ["The ice is old.", "Old snow.", "Secret glacier ice."])
    words = {"keywords": ("ice", "glacier", "snow"), "keys": 1}
    before = [cluster("ice, glacier", [secret, ice, snow], **words), cluster("glacier", [secret])]
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    key, _ = library.clusters.save(before, LOOK)
    (kept,) = library.clusters.clusters()
    assert (kept.cluster_id, kept.name, kept.keywords) == (key, "ice, snow", ("ice", "snow"))
    assert (kept.members.tolist(), kept.keys) == ([ice, snow], 0)
    assert files_with(tmp_path, b"glacier") == []


def test_a_sentence_erased_while_clusters_are_being_stored_is_not_in_them(
    open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_CLUSTERS_PER_STEP", 1)
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    one, two = ids_of(library, ["One.", "Two."])
    for moment in itertools.count():
        document_id = take_in(library, "b.txt", ["Three."])
        (three,) = ids_of(library, ["Three."])
        storing = library.clusters.save_in_steps([cluster("a", [one, three]), cluster("b", [two, three])], LOOK)
        if len(list(itertools.islice(storing, moment))) < moment:
            break
        library.documents.remove([document_id])
        drain(library.maintenance.purge())
        drain(storing)
        assert [each.members.tolist() for each in library.clusters.clusters()] == [[one], [two]], moment
    assert moment > 0


def test_an_erased_sentence_takes_only_its_own_words_out_of_a_name(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["The ice is old.", "Old snow."])
    document_id = take_in(library, "b.txt", ["Secret glacier ice.", "A secret."])
    ice, snow, secret, other = ids_of(library, ["The ice is old.", "Old snow.", "Secret glacier ice.", "A secret."])
    words = {"keywords": ("ice", "glacier", "secret", "snow"), "keys": 1}
    old = cluster("ice, glacier, secret", [secret, ice, snow], **words)
    first, _ = library.clusters.save([old, cluster("secret", [other])], LOOK)
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    (kept,) = library.clusters.clusters()  # the cluster that lost all its members is gone
    assert (kept.cluster_id, kept.name, kept.keywords) == (first, "ice, snow", ("ice", "snow"))
    assert (kept.members.tolist(), kept.keys) == ([ice, snow], 0)
    assert files_with(tmp_path, b"glacier") == []
    assert files_with(tmp_path, b"ecret") == []


def test_what_a_person_decides_while_erased_sentences_are_forgotten_stays(
    open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_CLUSTERS_PER_STEP", 1)
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    one, two = ids_of(library, ["One.", "Two."])
    for moment in itertools.count():
        document_id = take_in(library, "b.txt", ["Three."])
        (three,) = ids_of(library, ["Three."])
        key, *_ = library.clusters.save(
            [cluster("a", [one, three]), cluster("b", [two, three]), cluster("c", [three])], LOOK
        )
        library.documents.remove([document_id])
        with monkeypatch.context() as patch:
            patch.setattr(type(library.clusters), "forget_erased", lambda _: iter(()))
            drain(library.maintenance.purge())
        forgetting = library.clusters.forget_erased()
        if len(list(itertools.islice(forgetting, moment))) < moment:
            break
        library.clusters.change(key, name="Mine")
        drain(forgetting)
        kept = library.clusters.clusters()
        assert [(each.name, each.members.tolist()) for each in kept] == [("Mine", [one]), ("", [two])], moment
    assert moment > 4


def test_a_person_names_and_pins_clusters(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One."])
    (key,) = library.clusters.save([cluster("one", ids_of(library, ["One."]))], LOOK)
    library.clusters.change(key, name="Numbers")
    library.clusters.change(key, pinned=True)
    (kept,) = library.clusters.clusters()
    assert (kept.name, kept.own_name, kept.pinned) == ("Numbers", True, True)
    library.clusters.change(key, name="")
    library.clusters.change(key, pinned=False)
    (kept,) = library.clusters.clusters()
    assert (kept.name, kept.own_name, kept.pinned) == ("", False, False)
    with pytest.raises(NotFound, match="no longer exists"):
        library.clusters.change(key + 1, name="x")


def test_clusters_belong_to_a_model(open_library: Open) -> None:
    library = open_library()
    assert library.clusters.last_division() is None
    library.clusters.save([], LOOK)
    assert library.clusters.last_division() is None, "a library without a model has no clusters"
    library.models.bind(MODEL)
    library.clusters.save([], LOOK)
    assert library.clusters.last_division() == LOOK
    library.close()
    assert open_library(writable=False).clusters.last_division() == LOOK


def test_visible_sentences_added_since_are_counted(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    seen = max(ids_of(library, ["One.", "Two."]))
    document_id = take_in(library, "b.txt", ["Three.", "Four.", "One."])
    assert library.clusters.count_arrived(seen) == 2
    assert library.clusters.count_arrived(0) == 4
    library.documents.remove([document_id])
    assert library.clusters.count_arrived(seen) == 0


@pytest.mark.only_local
def test_positions_on_the_map_are_stored_and_go_with_their_sentences(open_library: Open, tmp_path: Path) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    document_id = take_in(library, "b.txt", ["Three."])
    ids = np.array(ids_of(library, ["One.", "Three.", "Two."]))
    places = np.array([[1, 2], [3.5, 4.5], [5, 6]], np.float32)
    drain(library.clusters.save_positions(ids, places))
    np.testing.assert_array_equal(library.clusters.positions()[1], places)
    assert files_with(tmp_path, places[1].tobytes())
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    left, left_places = library.clusters.positions()
    assert left.tolist() == ids[[0, 2]].tolist()
    np.testing.assert_array_equal(left_places, places[[0, 2]])
    assert files_with(tmp_path, places[1].tobytes()) == []


@pytest.mark.only_local
def test_clusters_that_change_while_they_are_read_are_read_again(
    open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_CLUSTERS_PER_STEP", 2)
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", texts("a", 5))
    ids = ids_of(library, texts("a", 5))
    library.clusters.save([cluster(f"old {number}", [key]) for number, key in enumerate(ids, 1)], LOOK)
    reading = library.clusters.clusters_in_steps()
    next(reading)
    library.clusters.save([cluster(f"new {number}", [key]) for number, key in enumerate(ids[:4], 1)], LOOK)
    found = run_to_completion(reading)
    assert [each.name for each in found] == ["new 1", "new 2", "new 3", "new 4"]
    assert [each.cluster_id for each in found] == [each.cluster_id for each in library.clusters.clusters()]


@pytest.mark.only_local
def test_a_large_map_is_stored_in_parts_and_counts_once_it_is_whole(
    open_library: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "_SENTENCES_OF_MAP_ROW", 2)
    monkeypatch.setattr(clusters, "_IDS_PER_STEP", 1)
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two.", "Three."])
    document_id = take_in(library, "b.txt", ["Four.", "Five."])
    ids = np.array(ids_of(library, ["Four.", "One.", "Three.", "Five.", "Two."]))
    former, places = (np.arange(10, dtype=np.float32).reshape(5, 2) + more for more in (0, 100))
    drain(library.clusters.save_positions(ids, former))
    np.testing.assert_array_equal(library.clusters.positions()[0], ids)
    np.testing.assert_array_equal(library.clusters.positions()[1], former)
    stopped = library.clusters.save_positions(ids, places)
    next(stopped)
    next(stopped)
    np.testing.assert_array_equal(library.clusters.positions()[1], former)
    stopped.close()
    drain(library.clusters.save_positions(ids, places))
    np.testing.assert_array_equal(library.clusters.positions()[1], places)
    with library._database.read_transaction() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM map").scalar_one() == 3, "nothing else is left"
    library.documents.remove([document_id])
    drain(library.maintenance.purge())
    left, left_places = library.clusters.positions()
    assert left.tolist() == ids[[1, 2, 4]].tolist()
    np.testing.assert_array_equal(left_places, places[[1, 2, 4]])


@pytest.mark.only_local
def test_a_map_that_an_earlier_program_stored_in_one_row_is_read_and_replaced(open_library: Open) -> None:
    library = open_library()
    library.models.bind(MODEL)
    take_in(library, "a.txt", ["One.", "Two."])
    ids, places = np.array(ids_of(library, ["One.", "Two."])), np.array([[1, 2], [3, 4]], np.float32)
    with library._database.write_transaction() as connection:
        connection.exec_driver_sql(
            "INSERT INTO map SELECT 1, id, ?, ? FROM model WHERE current", (ids.tobytes(), places.tobytes())
        )
    np.testing.assert_array_equal(library.clusters.positions()[1], places)
    drain(library.clusters.save_positions(ids, places + 1))
    np.testing.assert_array_equal(library.clusters.positions()[1], places + 1)
    with library._database.read_transaction() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM map").scalar_one() == 1
