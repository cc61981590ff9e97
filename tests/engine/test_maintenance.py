"""Statistics of a library, and jobs on it as a whole."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_app.analysis.neighbour_graph import NEIGHBOURS, NeighbourGraph
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import WAITING, Waiting
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone
from desktop_app.core.records import BackupInfo
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine.maintenance import MaintenanceService
from desktop_app.engine.neighbour_graph import NeighbourGraphCache
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S
from tests.steps import run_steps

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder, make_context


class NoOcr:
    def find_ocr(self) -> Iterator[None]:
        yield None


@pytest.fixture
def service(analysed: AnalysedLibrary) -> MaintenanceService:
    analysed.context.page_source = NoOcr()
    return MaintenanceService(analysed.context)


def test_documents_pages_failures_and_bytes_are_counted(analysed: AnalysedLibrary, service: MaintenanceService) -> None:
    analysed.put("a.txt", "The old ice melts.", "Rivers rise.")

    def add() -> None:
        library = analysed.library()
        for name, pages in (("b.pdf", 3), ("c.pdf", 4)):
            (document,) = library.documents.add([FileRef(f"/papers/{name}", 100, 1)])
            library.ingest.begin(document.document_id, DocumentHead("pdf", name, page_count=pages))
            library.ingest.finish(document.document_id, ReadingDone())
        (document,) = library.documents.add([FileRef("/papers/locked.pdf", 1000, 1)])
        library.ingest.fail(document.document_id, "encrypted", verbatim("It is locked"))

    analysed.do(add)
    found = service.count_statistics().wait(PATIENCE_S)
    assert found.types == {"text": 1, "pdf": 2}
    assert found.failed == {"encrypted": 1}
    assert found.pages == 7
    assert found.documents_bytes == 1201
    assert (found.info.documents, found.info.sentences) == (4, 2)
    folder = Path(found.info.folder)
    assert found.size_bytes == sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) > 0


def test_an_empty_library_has_no_counts(service: MaintenanceService) -> None:
    found = service.count_statistics().wait(PATIENCE_S)
    assert (found.types, found.failed, found.pages, found.documents_bytes) == ({}, {}, 0, 0)


def test_a_backup_is_restored_elsewhere(analysed: AnalysedLibrary, tmp_path: Path) -> None:
    asked: list[tuple[Path, Path]] = []

    def restore(file: Path, folder: Path) -> Iterator[None]:
        yield None
        asked.append((file, folder))
        return written

    service = MaintenanceService(make_context(analysed.engine, analysed.library, restore_backup=restore))
    analysed.put("a.txt", "The old ice melts.")
    file = tmp_path / "kept.kindred"
    written: BackupInfo = service.back_up(file).wait(PATIENCE_S)
    assert (written.documents, file.exists()) == (1, True)
    with pytest.raises(UsageError):
        service.back_up(file).wait(PATIENCE_S)
    assert service.back_up(file, replace=True).wait(PATIENCE_S).documents == 1
    assert service.restore(file, tmp_path / "new").wait(PATIENCE_S) is written
    assert asked == [(file, tmp_path / "new")]


def test_a_backup_and_a_restore_wait_for_no_import(analysed: AnalysedLibrary, tmp_path: Path) -> None:
    done = threading.Event()

    def restore(_file: Path, _folder: Path) -> Iterator[Waiting]:
        yield WAITING
        return written

    def work() -> Iterator[None]:  # always has something to do
        while not done.is_set():
            yield None

    service = MaintenanceService(make_context(analysed.engine, analysed.library, restore_backup=restore))
    analysed.put("a.txt", "The old ice melts.")
    running = analysed.engine.submit("import", work)
    written = service.back_up(tmp_path / "kept.zip").wait(PATIENCE_S)
    assert service.restore(tmp_path / "kept.zip", tmp_path / "new").wait(PATIENCE_S) is written
    assert not running.is_finished
    done.set()
    running.wait(PATIENCE_S)


def test_removed_documents_are_erased_from_the_files(
    analysed: AnalysedLibrary, service: MaintenanceService, tmp_path: Path
) -> None:
    number = analysed.put("a.txt", "Xylophones hum quietly.")
    analysed.put("b.txt", "Rivers rise.")
    analysed.do(lambda: analysed.library().documents.remove([number]))
    service.purge().wait(PATIENCE_S)
    service.maintain().wait(PATIENCE_S)
    analysed.engine.stop()
    files = [file for file in (tmp_path / "library").rglob("*") if file.is_file()]
    assert not [file for file in files if b"Xylophones" in file.read_bytes()]
    with LocalLibrary.open(tmp_path / "library") as library:
        assert [row.text for rows in library.sentences.occurrences() for row in rows] == ["Rivers rise."]


def test_windows_learn_that_a_saved_search_was_erased_with_its_sentence(
    analysed: AnalysedLibrary, service: MaintenanceService
) -> None:
    number = analysed.put("a.txt", "Xylophones hum quietly.")
    user_data = analysed.library().user_data
    analysed.do(lambda: user_data.save_search(SavedSearch("Xylophones", "Xylophones hum quietly.", "both")))
    analysed.do(lambda: analysed.library().documents.remove([number]))
    told = threading.Event()
    analysed.engine.listen(lambda changes: told.set() if changes.searches else None)
    service.purge().wait(PATIENCE_S)
    assert told.wait(PATIENCE_S)
    assert analysed.do(user_data.saved_searches) == []


@pytest.mark.parametrize("repair", [False, True])
def test_a_check_ends_with_ocr(analysed: AnalysedLibrary, service: MaintenanceService, repair: bool) -> None:
    analysed.put("a.txt", "The old ice melts.")
    checks = service.check_library(repair=repair).wait(PATIENCE_S)
    assert all(check.ok for check in checks)
    assert {"database", "index"} < {check.name for check in checks}
    assert checks[-1].name == "ocr"
    assert "Tesseract" in str(checks[-1].detail)


def test_a_repaired_sentence_gets_its_true_neighbours(analysed: AnalysedLibrary, service: MaintenanceService) -> None:
    texts = [f"The {word} ice {number} melts." for word in ("old", "new", "far") for number in range(20)]
    analysed.put("a.txt", *texts)
    other = HashingEncoder().encode(["The old far new ice melts."])[0]
    analysed.damage(texts[7], other.astype("<f2").tobytes())

    def damage_text() -> None:
        with analysed.library()._database.write_transaction() as connection:
            connection.exec_driver_sql("UPDATE sentence SET text = 'Damaged.' WHERE text = ?", (texts[30],))

    analysed.do(damage_text)
    analysed.pairs()
    service.check_library(repair=True).wait(PATIENCE_S)
    analysed.put("again.txt", *texts, "The newest ice melts.")

    def find(graphs: NeighbourGraphCache) -> NeighbourGraph:
        return analysed.do(lambda: graphs.graph(analysed.library()))

    found = find(analysed.context.neighbour_graphs)
    stored = find(NeighbourGraphCache())
    analysed.forget_neighbours()
    fresh = find(NeighbourGraphCache())
    assert len(fresh.ids) == 62
    for graph in (found, stored):
        np.testing.assert_array_equal(graph.ids, fresh.ids)
        np.testing.assert_allclose(graph.lists.scores, fresh.lists.scores, atol=1e-4)


def test_a_search_for_neighbours_begins_anew_after_a_repair(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *(f"The ice {number} melts." for number in range(30)))

    def begin_and_forget() -> NeighbourGraph:
        graphs = NeighbourGraphCache()
        running, library = graphs.graph(analysed.library()), analysed.library()
        for _ in range(4):
            next(running)
        with library._database.write_transaction() as connection:
            connection.exec_driver_sql("UPDATE sentence SET hash = randomblob(32)")
        graphs.forget()
        return run_steps(running)

    found = analysed.do(begin_and_forget)
    fresh = analysed.do(lambda: NeighbourGraphCache().graph(analysed.library()))
    np.testing.assert_array_equal(found.ids, fresh.ids)


def test_a_check_says_how_complete_the_neighbours_are(analysed: AnalysedLibrary, service: MaintenanceService) -> None:
    def check() -> list[str]:
        found = service.check_library(repair=False).wait(PATIENCE_S)
        return [str(check.detail) for check in found if check.name == "neighbours"]

    texts = [f"The {word} ice {number} melts." for word in ("old", "new", "far") for number in range(20)]
    analysed.put("a.txt", *texts)
    assert check() == [], "nothing has looked for them"
    analysed.pairs()
    assert check() == ["duplicates and topics know 100.0% of the 15 nearest neighbours of 60 sentences"]
    analysed.put("b.txt", "The newest ice melts.")
    assert "100.0%" in check()[0], "the neighbours of new sentences are still to be found"

    def lose_some() -> None:
        reader = analysed.library().analysis_reader
        for ids, near, scores in list(reader.neighbours(NEIGHBOURS)):
            kept = np.arange(NEIGHBOURS) < 12
            reader.save_neighbours(ids, np.where(kept, near, 0), np.where(kept, scores, 0).astype(np.float32))

    analysed.do(lose_some)
    assert "80.0%" in check()[0]
