"""Zotero's library is taken over, and what has changed in it."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from desktop_app.core.errors import StorageFull
from desktop_app.core.library import Library
from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.engine.zotero import ZoteroReport
from desktop_app.store.database import Database
from tests.engine.watched_home import Home
from tests.patience import PATIENCE_S
from tests.postgres_server import SharedLibraries
from tests.zotero_folder import ZoteroFolder


def _take_over(home: Home, zotero: ZoteroFolder) -> ZoteroReport:
    listing = home.workspace.zotero.read(str(zotero.folder)).wait(PATIENCE_S)
    if listing.new_files:
        home.workspace.imports.start(ImportRequest(listing.new_files)).wait(PATIENCE_S)
    return home.workspace.zotero.apply(listing).wait(PATIENCE_S)


def _find_notes(home: Home, query: str) -> list[str]:
    found = home.workspace.search.find_sentences(SearchRequest(f"kind:note {query}", 10)).wait(PATIENCE_S)
    return [hit.text for hit in found.hits]


def test_words_of_annotations_are_found_and_follow_their_changes(home: Home, tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    article = zotero.add_item("journalArticle", "ART1", title="On tides")
    pdf = zotero.add_pdf("PDF1", article)
    zotero.annotate("ANN1", pdf, "very long waves", "Compare with Laplace.")
    report = _take_over(home, zotero)
    assert (report.documents, report.annotations) == (1, 1)
    assert _find_notes(home, "Laplace")[0] == "Compare with Laplace."
    embedded = len(home.encoder.embedded)
    _take_over(home, zotero)
    assert len(home.encoder.embedded) == embedded
    zotero.run("UPDATE itemAnnotations SET comment = 'Newton knew this.'")
    _take_over(home, zotero)
    assert _find_notes(home, "knew")[0] == "Newton knew this."
    assert "Compare with Laplace." not in _find_notes(home, "Laplace")


def test_what_was_not_taken_over_on_a_full_disk_is_the_next_time(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    article = zotero.add_item("journalArticle", "ART1", title="On tides")
    zotero.add_tag(article, "Waves")
    zotero.annotate("ANN1", zotero.add_pdf("PDF1", article), "very long waves", "Compare with Laplace.")
    before = Database.write_transaction
    for failing in itertools.count(1):
        listing = home.workspace.zotero.read(str(zotero.folder)).wait(PATIENCE_S)
        if listing.new_files:
            home.workspace.imports.start(ImportRequest(listing.new_files)).wait(PATIENCE_S)
        begun = itertools.count(1)

        @contextmanager
        def fill_up(
            database: Database, *, is_aside: bool = False, begun: Iterator[int] = begun, failing: int = failing
        ) -> Iterator[Connection]:
            if not database._connection.in_transaction() and next(begun) >= failing:
                raise StorageFull("The disk is full", "Free some space.")
            with before(database, is_aside=is_aside) as connection:
                yield connection

        with monkeypatch.context() as full:
            full.setattr(Database, "write_transaction", fill_up)
            try:
                home.workspace.zotero.apply(listing).wait(PATIENCE_S)
                break
            except StorageFull:
                pass
        _take_over(home, zotero)
        assert _find_notes(home, "Laplace")[0] == "Compare with Laplace.", failing
        (document_id,) = home.ids().values()
        assert home.tags()["Waves"] == {document_id}, failing
        home.workspace.change(lambda library, gone=document_id: library.documents.remove([gone])).wait(PATIENCE_S)
        home.workspace.maintenance.purge().wait(PATIENCE_S)
    assert failing > 4


def test_a_file_that_is_in_zotero_twice_has_the_reference_of_the_item(home: Home, tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    zotero.add_pdf("LOOSE", None)
    article = zotero.add_item("journalArticle", "ART1", title="On tides")
    zotero.add_pdf("PDF1", article)
    storage = zotero.folder / "storage"
    shutil.copyfile(storage / "LOOSE" / "paper.pdf", storage / "PDF1" / "paper.pdf")
    assert _take_over(home, zotero).documents == 1
    (number,) = {document.document_id for document in home.documents().values()}
    found = home.workspace.read(lambda library: library.documents.references([number])[number]).wait(PATIENCE_S)
    assert (found.title, found.source) == ("On tides", "zotero:library:ART1:PDF1")


def _read_collections(home: Home) -> dict[str, set[str]]:
    names = {document.document_id: Path(document.path).name for document in home.documents().values()}
    return {name: {names[each] for each in members} for name, members in home.tags().items()}


def _fill(folder: Path, owner: str) -> ZoteroFolder:
    """Make a data folder with a document in a collection of its owner, and one in a collection that others have too."""
    zotero = ZoteroFolder(folder)
    for number, name in enumerate((owner, "Common"), 1):
        item = zotero.add_item("journalArticle", f"ITEM{number}", title=f"{owner}, {name}")
        zotero.add_pdf(f"{owner}{number}".upper(), item, f"{owner}-{name}.pdf".lower())
        zotero.add_collection(number, name, f"COL{number}", item)
    return zotero


@pytest.fixture
def colleagues(shared_libraries: SharedLibraries, tmp_path: Path) -> Iterator[tuple[Home, Home]]:
    """Two computers with one shared library."""
    homes = [
        Home(tmp_path / name, partial(shared_libraries.open, "sessions", machine=name)) for name in ("anna", "bert")
    ]
    yield homes[0], homes[1]
    for home in homes:
        home.workspace.close()
    shared_libraries.reset()


def test_the_zotero_of_one_person_leaves_the_collections_of_others_alone(
    colleagues: tuple[Home, Home], tmp_path: Path
) -> None:
    anna, bert = colleagues
    hers, his = _fill(tmp_path / "anna" / "Zotero", "Anna"), _fill(tmp_path / "bert" / "Zotero", "Bert")
    for home, zotero in ((anna, hers), (bert, his), (anna, hers)):
        _take_over(home, zotero)
    assert _read_collections(anna) == {
        "Zotero / Anna": {"anna-anna.pdf"},
        "Zotero / Bert": {"bert-bert.pdf"},
        "Zotero / Common": {"anna-common.pdf", "bert-common.pdf"},
    }
    hers.run("DELETE FROM collectionItems")
    hers.run("DELETE FROM collections WHERE collectionName = 'Anna'")
    _take_over(anna, hers)
    assert _read_collections(bert) == {"Zotero / Bert": {"bert-bert.pdf"}, "Zotero / Common": {"bert-common.pdf"}}


def test_a_document_that_two_people_have_stays_in_their_collection(
    colleagues: tuple[Home, Home], tmp_path: Path
) -> None:
    anna, bert = colleagues
    hers, his = _fill(tmp_path / "anna" / "Zotero", "Anna"), _fill(tmp_path / "bert" / "Zotero", "Bert")
    (file,) = (hers.folder / "storage").glob("*/anna-common.pdf")
    (copy,) = (his.folder / "storage").glob("*/bert-common.pdf")
    copy.write_bytes(file.read_bytes())
    for home, zotero in ((anna, hers), (bert, his)):
        _take_over(home, zotero)
    both = _read_collections(anna)["Zotero / Common"]
    assert len(both) == 1
    hers.run("DELETE FROM collections WHERE collectionName = 'Common'")
    _take_over(anna, hers)
    assert _read_collections(anna)["Zotero / Common"] == both


def test_two_data_folders_fill_one_collection(home: Home, tmp_path: Path) -> None:
    first, second = _fill(tmp_path / "first", "Anna"), _fill(tmp_path / "second", "Bert")
    for zotero in (first, second, first):
        _take_over(home, zotero)
    assert _read_collections(home)["Zotero / Common"] == {"anna-common.pdf", "bert-common.pdf"}


def test_a_collection_is_recognized_whose_name_was_written_in_another_way(home: Home, tmp_path: Path) -> None:
    zotero = ZoteroFolder(tmp_path / "Zotero")
    item = zotero.add_item("journalArticle", "ITEM1", title="On tides")
    zotero.add_pdf("PDF1", item)
    zotero.add_collection(1, "\N{RIGHT-TO-LEFT EMBEDDING}Ebbe\N{POP DIRECTIONAL FORMATTING}", "COL1", item)
    for _ in range(2):
        _take_over(home, zotero)
    assert _read_collections(home) == {"Zotero / Ebbe": {"paper.pdf"}}

    def rename(library: Library) -> None:
        (collection,) = library.collections.collections()
        library.collections.rename(collection.collection_id, "zotero / ebbe")

    home.workspace.change(rename).wait(PATIENCE_S)
    _take_over(home, zotero)
    assert _read_collections(home) == {"zotero / ebbe": {"paper.pdf"}}
