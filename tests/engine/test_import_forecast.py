"""The forecast of an import, from the speed of earlier imports on this machine."""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.formats import is_supported
from desktop_app.engine import import_forecast, import_queue
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.import_forecast import ImportForecast, ImportRates, read_rates
from desktop_app.engine.requests import ImportRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.store.library import LocalLibrary
from desktop_app.text.reader_process import ProcessReader
from tests.engine.fakes import HashingEncoder
from tests.patience import PATIENCE_S
from tests.text import makers


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    encoder = HashingEncoder()
    workspace = Workspace(
        EngineSetup(
            open_library=lambda: LocalLibrary.open(tmp_path / "library", writable=True, create=True),
            load_encoder=lambda _model: encoder,
            start_reader=ProcessReader,
            is_supported=lambda path: is_supported(Path(path)),
            choose_device=lambda _model: encoder.device,
            rates_file=tmp_path / "cache" / "imports.json",
        )
    )
    yield workspace
    workspace.close()


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"Document {number} says this. It ends here.\n" * 20, "utf-8")
    (folder / "photo.jpg").write_bytes(b"x" * 10_000_000)
    return folder


def test_only_new_and_changed_files_are_counted(workspace: Workspace, papers: Path) -> None:
    def forecast() -> ImportForecast:
        return workspace.import_forecast.forecast([str(papers)]).wait(PATIENCE_S)

    size = sum(file.stat().st_size for file in papers.glob("*.txt"))
    assert (forecast().files, forecast().size_bytes) == (3, size)
    assert forecast().seconds == pytest.approx(size * ImportRates().other / ImportRates().sentences_per_s)
    assert not forecast().is_large
    workspace.imports.start(ImportRequest((str(papers / "0.txt"),))).wait(PATIENCE_S)
    assert forecast().files == 2


def test_an_import_is_large_if_it_is_long_or_space_is_short(
    workspace: Workspace, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_forecast, "LONG_IMPORT_S", 0.0)
    found = workspace.import_forecast.forecast([str(papers)]).wait(PATIENCE_S)
    assert found.is_large
    assert not found.is_short_of_space
    monkeypatch.setattr(import_forecast, "LONG_IMPORT_S", 600.0)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(import_forecast.shutil, "disk_usage", lambda _folder: usage(10**9, 9 * 10**8, 10**8))
    found = workspace.import_forecast.forecast([str(papers)]).wait(PATIENCE_S)
    assert (found.is_large, found.is_short_of_space, found.free_bytes) == (True, True, 10**8)
    nothing = workspace.import_forecast.forecast([]).wait(PATIENCE_S)
    assert not nothing.is_large, "nothing needs no room"


def test_an_import_that_passes_the_memory_or_what_suits_one_computer_says_so_once() -> None:
    def texts(before: int, new: int, memory: int | None) -> list[str]:
        forecast = ImportForecast(1, 1, 1.0, 1, 10**12, new, before, memory)
        assert forecast.is_large == bool(forecast.warnings)
        return [str(warning) for warning in forecast.warnings]

    assert texts(1_000_000, 1_000_000, 8 * 10**9) == []
    assert texts(1_000_000, 3_600_000, 8 * 10**9) == [
        "A library of 4,600,000 sentences needs about 7.4 GB of memory; this computer has 8.0 GB. Kindred may become"
        " slow."
    ]
    assert texts(4_600_000, 100, 8 * 10**9) == [], "it was told before"
    assert texts(4_000_000, 2_000_000, 32 * 10**9) == [
        "The library will have more than 5,000,000 sentences. A shared library on a server is better for so many."
    ]
    assert texts(4_000_000, 2_000_000, None) == [], "it is on a server"


def test_the_forecast_knows_the_library_and_the_machine(
    workspace: Workspace, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.imports.start(ImportRequest((str(papers / "0.txt"),))).wait(PATIENCE_S)
    found = workspace.import_forecast.forecast([str(papers)]).wait(PATIENCE_S)
    size = sum((papers / f"{number}.txt").stat().st_size for number in (1, 2))
    assert found.sentences == pytest.approx(size * read_rates(None).other, abs=1)
    assert found.sentences_before > 0
    assert found.memory_bytes is not None
    assert found.memory_bytes > 10**9


def test_pictures_make_no_forecast_longer(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "albums"
    folder.mkdir()
    (folder / "a.docx").write_bytes(makers.docx("", more={"word/media/a.png": os.urandom(4_000_000)}))
    found = workspace.import_forecast.forecast([str(folder)]).wait(PATIENCE_S)
    assert found.size_bytes > 4_000_000
    assert found.seconds < 2


def test_an_import_improves_the_next_forecast(
    workspace: Workspace, papers: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(import_forecast, "_MIN_MEASURED_BYTES", 1)
    report = workspace.imports.start(ImportRequest((str(papers),))).wait(PATIENCE_S)
    size = sum(file.stat().st_size for file in papers.glob("*.txt"))
    rates = read_rates(tmp_path / "cache" / "imports.json")
    assert rates.other == pytest.approx((ImportRates().other + report.sentences / size) / 2)
    assert rates.pdf == ImportRates().pdf, "no PDF was read"
    assert rates.sentences_per_s != ImportRates().sentences_per_s
    for broken in ("no json", "[]", '{"pdf": "x"}', '{"other": 0}', '{"unknown": 1}'):
        (tmp_path / "cache" / "imports.json").write_text(broken)
        assert read_rates(tmp_path / "cache" / "imports.json") == ImportRates(), broken


def test_an_import_uses_the_listing_of_its_forecast_without_a_second_walk(
    workspace: Workspace, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = papers / "missing.txt"
    paths = (str(papers), str(missing))
    listing = workspace.import_forecast.forecast(paths).wait(PATIENCE_S).listing

    def walk(*_: object) -> None:
        raise AssertionError("the folder is walked again")

    monkeypatch.setattr(import_queue, "walk_files", walk)
    report = workspace.imports.start(ImportRequest(paths, listing=listing)).wait(PATIENCE_S)
    assert {Path(file.path) for file in report.imported} == set(papers.glob("*.txt"))
    assert [Path(path).name for path in report.ignored] == ["photo.jpg"]
    assert [(Path(file.path).name, file.reason) for file in report.failed] == [("missing.txt", "unreadable")]
