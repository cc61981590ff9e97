"""Exported files: the format follows from the suffix; tables are CSV or Excel workbooks."""

from __future__ import annotations

import csv
import math
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import numpy as np
import pytest

from desktop_app.core import export_files
from desktop_app.core.errors import UsageError
from desktop_app.core.export_files import TableWriter, check_suffix, open_table, write_export, write_in_steps
from desktop_app.core.jobs import run_to_completion
from tests.core.workbook import read_workbook
from tests.patience import PATIENCE_S

COLUMNS = ("rank", "score", "text", "page")
ROWS = [
    (1, 0.91234, "The tide comes in twice a day.", None),
    (2, np.float32(0.5), '=HYPERLINK("http://example.org")', 7),
    (3, math.nan, "007", ""),
]


@contextmanager
def _folder_in(parent: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=parent) as folder:
        yield Path(folder)


def write_rows(file: Path) -> None:
    with open_table(str(file)) as table:
        for row in (COLUMNS, *ROWS):
            table.write_row(row)


def test_a_workbook_has_numbers_as_numbers_and_texts_as_texts(tmp_path: Path) -> None:
    write_rows(tmp_path / "hits.xlsx")
    assert read_workbook(tmp_path / "hits.xlsx") == [
        list(COLUMNS),
        [1, pytest.approx(0.91234), "The tide comes in twice a day.", None],
        [2, 0.5, '=HYPERLINK("http://example.org")', 7],
        [3, None, "007", None],
    ]


def test_the_same_rows_are_written_as_csv(tmp_path: Path) -> None:
    write_rows(tmp_path / "hits.CSV")
    with (tmp_path / "hits.CSV").open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))
    assert rows[:2] == [list(COLUMNS), ["1", "0.91234", "The tide comes in twice a day.", ""]]
    assert rows[2][2].startswith("'=")


def test_a_cell_takes_any_text(tmp_path: Path) -> None:
    texts = ["bell \x07, path \udcff", "long " * 10_000, "two\nlines", "_x0041_", " "]
    with open_table(str(tmp_path / "texts.xlsx")) as table:
        table.write_row(texts)
    ((bell, long, lines, escaped, blank),) = read_workbook(tmp_path / "texts.xlsx")
    assert bell == "bell \x07, path \\udcff"
    assert (len(long), long[-1]) == (32_767, "…")
    assert (lines, escaped, blank) == ("two\nlines", "_x0041_", " ")


def test_a_table_without_rows_is_a_workbook(tmp_path: Path) -> None:
    with open_table(str(tmp_path / "empty.xlsx")):
        pass
    assert read_workbook(tmp_path / "empty.xlsx") == []


def test_a_workbook_that_would_be_too_long_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_files, "_MAX_ROWS", 3)
    with pytest.raises(UsageError, match="no more than 3 rows") as failure:
        write_rows(tmp_path / "hits.xlsx")
    assert ".csv" in str(failure.value.hint)
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_are_deleted_even_if_the_work_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(export_files, "make_temporary_folder", lambda: _folder_in(temporary))
    with suppress(KeyError), open_table(str(tmp_path / "hits.xlsx")) as table:
        table.write_row(COLUMNS)
        assert list(temporary.rglob("*"))
        raise KeyError
    assert list(temporary.iterdir()) == []
    write_rows(tmp_path / "hits.xlsx")
    assert list(temporary.iterdir()) == []


def test_the_suffix_chooses_the_writer(tmp_path: Path) -> None:
    def write_text(out: IO[str], word: str) -> None:
        out.write(f"text {word}")

    def write_table(table: TableWriter, word: str) -> None:
        table.write_row(("table", word))

    for name in ("a.md", "a.markdown", "a.xlsx"):
        write_export(str(tmp_path / name), {".md": write_text}, write_table, "word")
    assert (tmp_path / "a.md").read_text() == (tmp_path / "a.markdown").read_text() == "text word"
    assert read_workbook(tmp_path / "a.xlsx") == [["table", "word"]]
    with pytest.raises(UsageError, match="has the extension") as failure:
        write_export(str(tmp_path / "a.html"), {".md": write_text}, write_table, "word")
    assert "to .xlsx, .csv or .md" in str(failure.value.hint)


def test_the_only_suffix_is_named() -> None:
    with pytest.raises(UsageError, match="no file extension"):
        check_suffix("copy", (".pdf",))


def test_a_file_is_completed_in_a_thread_of_its_own() -> None:
    completed: list[bool] = []

    @contextmanager
    def open_slowly(_is_abandoned: Callable[[], bool]) -> Iterator[list[str]]:
        yield []
        completed.append(threading.current_thread() is not threading.main_thread())

    def write(rows: list[str]) -> Generator[int, None, str]:
        rows.append("row")
        yield 1
        return "written"

    assert run_to_completion(write_in_steps(open_slowly, write)) == "written"
    assert completed == [True]


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_an_export_that_is_stopped_leaves_no_file(tmp_path: Path, suffix: str) -> None:
    def write(table: TableWriter) -> Generator[int, None, None]:
        table.write_row(COLUMNS)
        yield 1
        table.write_row(ROWS[0])

    steps = write_in_steps(partial(open_table, str(tmp_path / f"hits.{suffix}")), write)
    assert next(steps) == 1
    steps.close()
    assert list(tmp_path.iterdir()) == []


def test_a_workbook_that_is_stopped_while_it_is_packed_replaces_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hits.xlsx"
    file.write_bytes(b"former")
    packing = threading.Event()
    questions: list[Callable[[], bool]] = []
    pack = export_files._WorkbookWriter.complete

    def pack_until_stopped(workbook: export_files._WorkbookWriter) -> Path:
        packing.set()
        until = time.monotonic() + PATIENCE_S
        while not questions[0]() and time.monotonic() < until:
            pass
        return pack(workbook)

    def open_hits(is_abandoned: Callable[[], bool]) -> AbstractContextManager[TableWriter]:
        questions.append(is_abandoned)
        return open_table(str(file), is_abandoned)

    def write(table: TableWriter) -> Generator[int, None, None]:
        table.write_row(COLUMNS)
        yield 1

    monkeypatch.setattr(export_files._WorkbookWriter, "complete", pack_until_stopped)
    steps = write_in_steps(open_hits, write)
    assert next(steps) == 1
    next(steps)
    assert packing.wait(PATIENCE_S)
    steps.close()
    assert file.read_bytes() == b"former"
    assert list(tmp_path.iterdir()) == [file]
