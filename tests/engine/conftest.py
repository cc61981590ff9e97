"""Fixtures of several tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.analysis import cluster_map
from desktop_app.engine import watched_folders

from .analysed_library import AnalysedLibrary
from .watched_home import Disks, Home


@pytest.fixture(autouse=True)
def _short_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay maps out in few moves: how well that is done is tested in `analysis/test_cluster_map.py`."""
    monkeypatch.setattr(cluster_map, "_EPOCHS", (60, 60))


@pytest.fixture
def analysed(tmp_path: Path) -> Iterator[AnalysedLibrary]:
    """An empty library."""
    analysed = AnalysedLibrary(tmp_path / "library")
    yield analysed
    analysed.engine.stop()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.workspace.close()


@pytest.fixture
def disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disks:
    folder = tmp_path / "disks"
    folder.mkdir()
    disks = Disks(folder, {tmp_path.anchor: "system"})
    monkeypatch.setattr(watched_folders, "read_mounts", disks.read)
    return disks
