"""Workers that are killed at any moment: nothing is lost, doubled or half visible."""

from __future__ import annotations

import pytest

from desktop_app.shared_store.library import SharedLibrary
from tests.postgres_server import SharedLibraries

from .killed_workers import kill_workers


@pytest.mark.parametrize(
    ("documents", "kills"), [(36, 4), pytest.param(400, 100, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_killed_workers_lose_and_double_nothing(
    library: SharedLibrary, shared_libraries: SharedLibraries, documents: int, kills: int
) -> None:
    at_a_time = 2 if kills < 10 else 4
    outcome = kill_workers(library, shared_libraries, documents=documents, kills=kills, at_a_time=at_a_time, seed=5)
    assert outcome.killed + outcome.cut >= kills
