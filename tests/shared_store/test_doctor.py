"""What the doctor repairs in a shared library."""

from __future__ import annotations

from desktop_app.analysis.neighbour_graph import NeighbourGraph
from desktop_app.engine.neighbour_graph import NeighbourGraphCache
from desktop_app.shared_store.documents import find_versions
from desktop_app.shared_store.library import SharedLibrary
from tests.steps import run_steps
from tests.store.helpers import faults, run_checks, take_in, texts

from .conftest import Open


def find(library: SharedLibrary, graphs: NeighbourGraphCache) -> NeighbourGraph:
    found: NeighbourGraph = run_steps(graphs.graph(library))
    return found


def neighbours_of(graph: NeighbourGraph) -> dict[int, list[int]]:
    return {
        key: [int(graph.ids[row]) for row in near if row >= 0]
        for key, near in zip(graph.ids.tolist(), graph.lists.neighbours, strict=True)
    }


def test_another_session_stores_no_neighbours_of_vectors_that_were_repaired(
    library: SharedLibrary, open_session: Open
) -> None:
    take_in(library, "a.txt", texts("a", 40))
    other, graphs = open_session(), NeighbourGraphCache()
    with library._database.write_transaction():
        library._database.run(
            "UPDATE vector_1 v SET vector = o.vector FROM vector_1 o WHERE (v.sentence_id, o.sentence_id) = (7, 8)"
        )
    find(other, graphs)
    run_checks(library, repair=True)
    take_in(library, "again.txt", [*texts("a", 40), "One more."])
    found = find(other, graphs)
    stored = find(library, NeighbourGraphCache())
    with library._database.write_transaction():
        library._database.run("DELETE FROM neighbour")
    fresh = find(library, NeighbourGraphCache())
    assert neighbours_of(found) == neighbours_of(stored) == neighbours_of(fresh)


def test_wrong_counts_are_repaired_while_others_import(library: SharedLibrary, open_session: Open) -> None:
    document_id, other = take_in(library, "a.txt", texts("a", 3)), open_session("writer")
    library._database.run("INSERT INTO tally (name, change) VALUES ('sentences', 7)")
    library._database.run("SET lock_timeout = '2s'")
    with other._database.write_transaction():
        find_versions(other._database, document_id)  # as an importer does before it waits for the repair
        results = run_checks(library, repair=True)
    assert [each.name for each in results if each.detail] == ["counters"]
    assert faults(library) == []
