"""The contents of the library and results of a search, written to files."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core import result_files
from desktop_app.core.errors import StorageFull
from desktop_app.core.records import Occurrence
from desktop_app.core.scope import Scope
from desktop_app.engine.export import ExportService
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search import SearchService
from tests.patience import PATIENCE_S

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder

ICE = [f"Old ice melts in place number{at}." for at in range(130)]


@pytest.fixture
def service(analysed: AnalysedLibrary) -> ExportService:
    return ExportService(analysed.context)


def test_a_text_is_written_whole_or_not_at_all(service: ExportService, tmp_path: Path) -> None:
    service.write_text(str(tmp_path / "a.txt"), "Ice \u6c37\ud800").wait(PATIENCE_S)
    assert (tmp_path / "a.txt").read_text("utf-8") == "Ice \u6c37\\ud800"
    with pytest.raises(StorageFull):
        service.write_text(str(tmp_path / "no" / "a.txt"), "Ice").wait(PATIENCE_S)


def test_sentences_are_written_in_reading_order(analysed: AnalysedLibrary, service: ExportService) -> None:
    first, second = analysed.put("a.txt", *ICE[:3]), analysed.put("b.txt", "Rivers rise.", ICE[0])
    got: list[Occurrence] = []

    def write(rows: Sequence[Occurrence]) -> None:
        got.extend(rows)

    assert service.export_occurrences(write).wait(PATIENCE_S) == 5
    assert [row.text for row in got] == [*ICE[:3], "Rivers rise.", ICE[0]]
    vectors = service.read_vectors().wait(PATIENCE_S)
    assert vectors.shape == (5, HashingEncoder.model.dim)
    wanted = HashingEncoder().encode([row.text for row in got])
    assert np.allclose(vectors, wanted, atol=1e-3), "a row for each occurrence, in the same order"
    got.clear()
    part = Scope(document_ids=frozenset([second]))
    assert service.export_occurrences(write, part).wait(PATIENCE_S) == 2
    assert [(row.text, row.document_id) for row in got] == [("Rivers rise.", second), (ICE[0], second)]
    assert np.allclose(service.read_vectors(part).wait(PATIENCE_S), wanted[3:], atol=1e-3)
    assert first != second


def test_a_long_export_lets_searches_in_between(
    analysed: AnalysedLibrary, service: ExportService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        analysed.put(f"{number}.txt", *ICE)
    sizes: list[int] = []
    assert service.export_occurrences(lambda rows: sizes.append(len(rows))).wait(PATIENCE_S) == 3 * len(ICE)
    assert max(sizes) == 100

    def note_thread(*_values: object) -> None:
        threads.append(threading.current_thread().name)

    threads: list[str] = []
    monkeypatch.setattr(result_files, "write_hits", note_thread)
    search = SearchService(analysed.context).find_sentences(SearchRequest("Old ice", 200, page_size=10))
    found = search.wait(PATIENCE_S)
    assert service.export_result(found, str(tmp_path / "a.csv")).wait(PATIENCE_S) == len(ICE)
    assert threads == ["beside the engine"]


def test_labelled_pairs_are_written_if_there_are_any(
    analysed: AnalysedLibrary, service: ExportService, tmp_path: Path
) -> None:
    file = tmp_path / "pairs.tsv"
    assert service.export_pair_labels(str(file)).wait(PATIENCE_S) == 0
    assert not file.exists()
    analysed.do(lambda: analysed.library().pair_labels.judge("Ice melts.", "Ice thaws.", True))
    assert service.export_pair_labels(str(file)).wait(PATIENCE_S) == 1
    assert sorted(file.read_text("utf-8").splitlines()[1].split("\t")) == ["1", "Ice melts.", "Ice thaws."]
