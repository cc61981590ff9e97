"""Vectors move from the tail into partitions with graphs, which split, and lose every trace of what is erased."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.core.jobs import run_to_completion
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.vectors import part_table, read_parts
from tests.store.helpers import drain, faults, found, take_in, texts, vector_of, vectors_of

from .conftest import Open


def part_rows(library: SharedLibrary) -> dict[tuple[int, int], int]:
    """The partitions by modulus and remainder, with their rows."""
    database = library._database
    return {
        (part.modulus, part.remainder): database.value(f"SELECT count(*) FROM {part_table(1, part.number)}")
        for part in read_parts(database, 1)
    }


def tail_rows(library: SharedLibrary) -> int:
    return int(library._database.value(f"SELECT count(*) FROM {part_table(1, 0)}"))


@pytest.fixture
def small(library: SharedLibrary, open_session: Open) -> SharedLibrary:
    """The library in a session that makes small partitions."""
    return open_session(tail_rows=100, part_rows=100)


def test_the_tail_moves_into_partitions_that_split(small: SharedLibrary) -> None:
    take_in(small, "a.txt", texts("a", 90))
    drain(small.maintenance.run())
    assert part_rows(small) == {}, "the tail is still small"
    take_in(small, "b.txt", texts("b", 100))
    drain(small.maintenance.run())
    assert part_rows(small) == {(1, 0): 190}
    assert tail_rows(small) == 0
    take_in(small, "c.txt", texts("c", 500))
    drain(small.maintenance.run())
    rows = part_rows(small)
    assert set(rows) == {(4, 0), (4, 1), (4, 2), (4, 3)}
    assert sum(rows.values()) == 690
    everything = [text for name, count in (("a", 90), ("b", 100), ("c", 500)) for text in texts(name, count)]
    query = vector_of("a question")
    near = small.search.nearest(query, 10)
    exact = np.sort(vectors_of(everything) @ query)[::-1][:10]
    assert [each.score for each in near] == pytest.approx(exact.tolist(), abs=1e-5)
    assert all(found(small, text) == [text] for text in everything[::60])
    assert small.info().searchable == 690
    assert small.info().recall is not None
    assert faults(small) == []


def test_a_few_new_vectors_enter_the_graphs(small: SharedLibrary) -> None:
    take_in(small, "a.txt", texts("a", 150))
    drain(small.maintenance.run())
    before = [part.number for part in read_parts(small._database, 1)]
    take_in(small, "b.txt", texts("b", 20))
    run_to_completion(small.maintenance._sealer.seal(1, 32, force=True))
    assert [part.number for part in read_parts(small._database, 1)] == before
    assert part_rows(small) == {(1, 0): 170}
    assert found(small, texts("b", 20)[7]) == texts("b", 20)[7:8]
    assert faults(small) == []


def test_erased_vectors_are_in_no_table_and_no_graph(small: SharedLibrary) -> None:
    gone = take_in(small, "gone.txt", texts("gone", 40))
    take_in(small, "a.txt", texts("a", 150))
    drain(small.maintenance.run())
    before = [part.number for part in read_parts(small._database, 1)]
    small.documents.remove([gone])
    drain(small.maintenance.purge())
    assert part_rows(small) == {(1, 0): 150}
    assert [part.number for part in read_parts(small._database, 1)] != before, "the graph is new"
    for table in ("sentence", "occurrence", "passage", "document"):
        assert not small._database.value(f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%%gone%%'"), table
    assert small.info().vectors == 150
    assert faults(small) == []


def test_sentences_erased_while_a_graph_is_built_do_not_come_back(small: SharedLibrary, open_session: Open) -> None:
    other = open_session()
    gone = take_in(small, "gone.txt", texts("gone", 40))
    take_in(small, "a.txt", texts("a", 150))
    steps = small.maintenance._sealer.seal(1, 32)
    next(steps)
    other.documents.remove([gone])
    drain(other.maintenance.purge())
    drain(steps)
    assert part_rows(small) == {(1, 0): 150}
    assert faults(small) == []
