"""Which notes of the library link to a note, with a real library and reader."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.watched_home import Home
from tests.patience import PATIENCE_S


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    (home.folder / ".obsidian").mkdir()
    yield home
    home.workspace.close()


def linking(home: Home, name: str) -> list[str]:
    found = home.workspace.note_links.find_linking(home.ids()[name]).wait(PATIENCE_S)
    return [os.path.relpath(each.path, home.folder) for each in found]


def test_notes_that_link_to_a_note_are_found_also_in_circles(home: Home) -> None:
    home.write("Tides.md", "---\naliases: [Ebb and flow]\n---\nThe sea rises, see [[Harbour]] and [[Tides]].")
    home.write("sea/Harbour.md", "It dries out with the [[Tides#Low water|tide]].")
    home.write("Boats.md", "They rest when there is [[Ebb and flow]].")
    home.write("Bread.md", "It needs time.")
    home.watch()
    home.sync()
    assert linking(home, "Tides.md") == ["Boats.md", os.path.join("sea", "Harbour.md")]
    assert linking(home, os.path.join("sea", "Harbour.md")) == ["Tides.md"]
    assert linking(home, "Bread.md") == []
    home.write("Bread.md", "It rises like the sea, as [[Tides]] says.")
    assert "Bread.md" in linking(home, "Tides.md")
    (home.folder / "Boats.md").unlink()
    assert "Boats.md" not in linking(home, "Tides.md")


def test_a_note_outside_of_a_vault_has_no_links(home: Home) -> None:
    (home.folder / ".obsidian").rmdir()
    home.write("a.md", "See [[b]].")
    home.write("b.md", "It needs time.")
    home.watch()
    home.sync()
    assert linking(home, "b.md") == []


def test_each_reader_gets_the_notes_that_link_to_its_own(home: Home) -> None:
    home.write("a.md", "See [[b]].")
    home.write("b.md", "See [[a]].")
    home.watch()
    home.sync()
    ids, find = home.ids(), home.workspace.note_links.find_linking
    jobs = [find(ids[name], reader=reader) for name, reader in (("a.md", "main"), ("b.md", "preview"))]
    assert [[os.path.basename(each.path) for each in job.wait(PATIENCE_S)] for job in jobs] == [["b.md"], ["a.md"]]
