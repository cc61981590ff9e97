"""Exact copies of files, imported and followed in watched folders: one document with several places."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.records import Document
from desktop_app.engine.requests import ImportReport, ImportRequest
from tests.engine.watched_home import Home
from tests.patience import PATIENCE_S
from tests.text.makers import mail_with, zipped

TEA = "Green tea wants water that does not boil."


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.workspace.close()


def take_in(home: Home, *names: str, **options: object) -> ImportReport:
    paths = tuple(str(home.folder / name) for name in names) or (str(home.folder),)
    return home.workspace.imports.start(ImportRequest(paths, **options)).wait(PATIENCE_S)


def places(home: Home) -> list[list[str]]:
    """The paths of the files of each document, the main one first."""
    rows = home.workspace.read(lambda library: library.documents.fetch()).wait(PATIENCE_S)
    return [[os.path.relpath(path, home.folder) for path in row.paths] for row in rows]


def only(home: Home) -> Document:
    (document,) = home.documents().values()
    return document


def names(paths: list[str]) -> list[str]:
    return [os.path.basename(path) for path in paths]


@pytest.fixture
def twice(home: Home) -> Home:
    """A watched folder with a document in two places, `a.txt` and `b.txt`."""
    home.put(a=TEA, b=TEA)
    home.watch()
    home.sync()
    return home


def test_equal_files_are_one_document_that_is_read_once(home: Home) -> None:
    home.put(a=TEA, b=TEA, c="Bread needs time.", d=TEA + " ")
    home.write("e.md", TEA)
    report = take_in(home)
    assert places(home) == [["a.txt", "b.txt"], ["c.txt"], ["d.txt"], ["e.md"]], "other bytes, or another format"
    assert [(Path(each.path).name, each.document_id) for each in report.copies] == [("b.txt", only_id(home, "a.txt"))]
    assert [Path(each.path).name for each in report.imported] == ["a.txt", "c.txt", "d.txt", "e.md"]
    report = take_in(home)
    assert (names(report.unchanged), report.copies, report.imported) == (
        ["a.txt", "b.txt", "c.txt", "d.txt", "e.md"],
        [],
        [],
    )


def only_id(home: Home, name: str) -> int:
    return home.documents()[name].document_id


def test_a_deleted_file_leaves_its_document_to_the_others(twice: Home) -> None:
    tea = only(twice).document_id
    twice.tag("a.txt", "green")
    (twice.folder / "a.txt").unlink()
    report = twice.sync()
    assert ([Path(each.path).name for each in report.removed_copies], report.removed) == (["a.txt"], [])
    assert places(twice) == [["b.txt"]]
    assert twice.texts() == {"b.txt": TEA}
    assert twice.tags() == {"green": frozenset({tea})}
    (twice.folder / "b.txt").unlink()
    report = twice.sync()
    assert ([each.document_id for each in report.removed], report.removed_copies) == ([tea], [])
    assert places(twice) == []


def test_a_document_goes_when_all_its_files_go_at_once(twice: Home) -> None:
    tea = only(twice).document_id
    for name in "ab":
        (twice.folder / f"{name}.txt").unlink()
    report = twice.sync()
    assert ([each.document_id for each in report.removed], report.removed_copies) == ([tea], [])


def test_deleted_copies_are_not_many_deleted_documents(home: Home) -> None:
    for at in range(4):
        home.put(**{f"x{at}": f"Text number {at} is here.", f"y{at}": f"Text number {at} is here."})
    home.watch()
    home.sync()
    for at in range(4):
        (home.folder / f"x{at}.txt").unlink()
    report = home.sync()
    assert (len(report.removed_copies), report.unconfirmed) == (4, [])
    assert places(home) == [[f"y{at}.txt"] for at in range(4)]
    for at in range(4):
        (home.folder / f"y{at}.txt").unlink()
    assert len(home.sync().unconfirmed) == 4


@pytest.mark.parametrize(("changed", "other"), [("a", "b"), ("b", "a")])
def test_a_changed_file_is_a_document_of_its_own(twice: Home, changed: str, other: str) -> None:
    tea = only(twice).document_id
    twice.tag("a.txt", "green")
    twice.write(f"{changed}.txt", "Black tea wants boiling water.")
    twice.sync()
    assert twice.texts() == {f"{changed}.txt": "Black tea wants boiling water.", f"{other}.txt": TEA}
    assert twice.ids()[f"{other}.txt"] == tea, "highlights, quotes and links stay with the old text"
    assert twice.tags() == {"green": frozenset(twice.ids().values())}
    twice.write(f"{changed}.txt", TEA)
    twice.sync()
    assert twice.texts() == {f"{changed}.txt": TEA, f"{other}.txt": TEA}, "a document that was read stays one"


def test_files_that_change_alike_stay_one_document(twice: Home) -> None:
    tea = only(twice).document_id
    twice.put(a="Black tea wants boiling water.", b="Black tea wants boiling water.")
    twice.sync()
    assert places(twice) == [["a.txt", "b.txt"]]
    assert (only(twice).document_id, twice.texts()) == (tea, {"a.txt": "Black tea wants boiling water."})


@pytest.mark.parametrize("name", ["a.txt", "b.txt"])
def test_a_touched_file_stays_a_copy(twice: Home, name: str) -> None:
    tea = only(twice).document_id
    os.utime(twice.folder / name, (5_000, 5_000))
    embedded = len(twice.encoder.embedded)
    twice.sync()
    assert sorted(places(twice)[0]) == ["a.txt", "b.txt"]
    assert (only(twice).document_id, len(twice.encoder.embedded)) == (tea, embedded)
    assert twice.sync() == ImportReport()


@pytest.mark.parametrize("name", ["a.txt", "b.txt"])
def test_a_renamed_file_stays_with_its_document(twice: Home, name: str) -> None:
    tea = only(twice).document_id
    (twice.folder / name).rename(twice.folder / "c.txt")
    report = twice.sync()
    assert [(Path(each.old_path).name, Path(each.path).name) for each in report.moved] == [(name, "c.txt")]
    assert sorted(places(twice)[0]) == sorted({"a.txt", "b.txt", "c.txt"} - {name})
    assert only(twice).document_id == tea


def test_a_file_that_gets_another_suffix_is_read_by_itself(twice: Home) -> None:
    (twice.folder / "b.txt").rename(twice.folder / "b.md")
    twice.sync()
    assert places(twice) == [["a.txt"], ["b.md"]]
    assert {row.type for row in twice.documents().values()} == {"text", "markdown"}


def test_a_main_file_that_is_gone_outside_of_watched_folders_is_replaced(home: Home) -> None:
    home.put(a=TEA, b=TEA)
    take_in(home)
    (home.folder / "a.txt").unlink()
    assert home.workspace.watched_folders.find_missing_files().wait(PATIENCE_S) == frozenset()
    assert places(home) == [["b.txt", "a.txt"]]
    (home.folder / "b.txt").unlink()
    assert home.workspace.watched_folders.find_missing_files().wait(PATIENCE_S) == {only(home).document_id}


def test_a_changed_file_keeps_its_document_when_the_copy_is_gone(home: Home) -> None:
    home.put(a=TEA, b=TEA)
    take_in(home)
    tea = only(home).document_id
    (home.folder / "b.txt").unlink()
    home.put(a="Black tea wants boiling water.")
    take_in(home)
    assert (places(home), only(home).document_id) == ([["a.txt"]], tea)


def test_folders_and_files_with_copies_are_relinked(home: Home) -> None:
    home.write("old/a.txt", TEA)
    home.write("b.txt", TEA)
    take_in(home)
    (home.folder / "old").rename(home.folder / "new")
    folders = home.workspace.watched_folders
    report = folders.relink_folder(str(home.folder / "old"), str(home.folder / "new")).wait(PATIENCE_S)
    assert (report.moved, places(home)) == (1, [["b.txt", os.path.join("new", "a.txt")]])
    folders.relink(only(home).document_id, str(home.folder / "new" / "a.txt")).wait(PATIENCE_S)
    assert places(home) == [[os.path.join("new", "a.txt")]]


def test_members_of_archives_and_attached_files_are_copies_too(home: Home) -> None:
    home.put(a=TEA)
    (home.folder / "p.zip").write_bytes(zipped({"in/b.txt": TEA}))
    for name in ("m.eml", "n.eml"):
        (home.folder / name).write_bytes(mail_with({"menu.txt": TEA}))
    home.watch()
    home.sync()
    in_mail, in_copy, member = (
        os.path.join(*parts) for parts in (("m.eml", "menu.txt"), ("n.eml", "menu.txt"), ("p.zip", "in", "b.txt"))
    )
    tea, mail = places(home)
    assert (set(tea), mail) == ({"a.txt", in_mail, in_copy, member}, ["m.eml", "n.eml"])
    assert home.sync() == ImportReport()
    for name in ("m.eml", "a.txt", "p.zip"):
        (home.folder / name).unlink()
    home.sync()
    assert places(home) == [[in_copy], ["n.eml"]]
    assert home.texts()[in_copy] == TEA


def test_reading_a_copy_again_reads_its_document(twice: Home) -> None:
    report = take_in(twice, "b.txt", force=True)
    assert ([Path(each.path).name for each in report.imported], report.copies) == (["a.txt"], [])
    (twice.folder / "a.txt").unlink()
    report = take_in(twice, "b.txt", force=True)
    assert [Path(each.path).name for each in report.imported] == ["b.txt"]
    assert sorted(places(twice)[0]) == ["a.txt", "b.txt"]


def test_a_copy_that_is_restored_after_its_document_has_changed_is_set_apart(home: Home) -> None:
    home.put(a=TEA, b=TEA)
    take_in(home)
    path = str(home.folder / "b.txt")
    removed = home.workspace.change(lambda library: library.copies.remove([path])).wait(PATIENCE_S)
    home.put(a="Milk goes in last.")
    take_in(home, "a.txt")
    home.workspace.change(lambda library: library.copies.restore(removed)).wait(PATIENCE_S)
    take_in(home, "b.txt")
    assert home.texts() == {"a.txt": "Milk goes in last.", "b.txt": TEA}
    assert places(home) == [["a.txt"], ["b.txt"]]
