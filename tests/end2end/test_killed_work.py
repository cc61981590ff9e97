"""Any work on a library is killed: afterwards all is as it was before, or as it is after it, and nothing is left."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.end2end.killed_work import kill_work

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the runs are forked")


def test_a_backup_and_a_purge_survive_kills(tmp_path: Path) -> None:
    outcome = kill_work(tmp_path / "work", 3, seed=1, tasks=("backup", "purge"))
    assert outcome.kills.total() == 3


@pytest.mark.slow
def test_all_kinds_of_work_survive_many_kills(tmp_path: Path) -> None:
    outcome = kill_work(tmp_path / "work", 60, seed=7)
    assert outcome.kills.total() == 60
