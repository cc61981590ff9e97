"""Files that a person exports: the format follows from the suffix, and tables are CSV or Excel workbooks."""

from __future__ import annotations

import math
import numbers
import shutil
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeVar

from desktop_app.core.atomic_files import open_atomic, open_atomic_text
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.errors import Cancelled, UsageError
from desktop_app.core.escaping import CsvWriter
from desktop_app.core.jobs import WAITING
from desktop_app.core.messages import Message
from desktop_app.core.unfinished_files import explain_temporary_errors, make_temporary_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from desktop_app.core.jobs import Waiting

Done = TypeVar("Done")
T = TypeVar("T")
Writer = TypeVar("Writer")

_WORKBOOK = ".xlsx"
TABLE_SUFFIXES = (_WORKBOOK, ".csv")

_SAME_FORMAT = {".markdown": ".md", ".htm": ".html"}

_MAX_ROWS, _MAX_CELL = 1_048_576, 32_767
"""What Excel takes: rows of a sheet, and characters of a cell."""

_MIN_WIDTH, _MAX_WIDTH = 8, 60
"""Of a column, in characters."""


class TableWriter(Protocol):
    """Writes the rows of a table, the names of its columns first."""

    def write_row(self, cells: Iterable[object], /) -> None:
        """Write one row."""


@contextmanager
def open_export(
    file: str,
    writers: Mapping[str, Callable[[IO[str]], Writer]],
    table: Callable[[TableWriter], Writer],
    is_abandoned: Callable[[], bool] = lambda: False,
) -> Iterator[Writer]:
    """Yield the writer of a file that replaces `file` when the block succeeds.

    Args:
        file: its name.
        writers: what makes the writer of a text file (UTF-8), by suffix.
        table: makes the writer of a table.
        is_abandoned: as of `open_table`.

    Raises:
        UsageError: the suffix is not supported, or the table too long for it.
        StorageFull: it cannot be written.
    """
    suffix = check_suffix(file, (*TABLE_SUFFIXES, *writers))
    if suffix in TABLE_SUFFIXES:
        with open_table(file, is_abandoned) as rows:
            yield table(rows)
        return
    with open_atomic_text(file) as out:
        yield writers[suffix](out)


def write_in_steps(
    open_writer: Callable[[Callable[[], bool]], AbstractContextManager[Writer]],
    write: Callable[[Writer], Generator[Done, None, T]],
) -> Generator[Done | Waiting, None, T]:
    """Return what `write` returns, step by step; then the file is completed in a thread of its own.

    To pack a workbook takes seconds if it is large. Stopping leaves no file.

    Args:
        open_writer: returns `open_export` or `open_table`; called with `is_abandoned` of these.
        write: writes everything.

    Raises:
        UsageError: as `open_writer` does.
        StorageFull: likewise.
    """
    abandoned = threading.Event()
    with ExitStack() as stack:
        result = yield from write(stack.enter_context(open_writer(abandoned.is_set)))
        for _ in run_in_thread(stack.pop_all().close, abandoned.set):
            yield WAITING
    return result


def write_export(
    file: str, writers: Mapping[str, Callable[..., None]], table: Callable[..., None], *content: object
) -> None:
    """Write content to a file in the format of its suffix.

    Args:
        file: its name.
        writers: what writes a text file (UTF-8), by suffix; called with the open file and the content.
        table: writes a table; called with its `TableWriter` and the content.
        content: what to write.

    Raises:
        UsageError: the suffix is not supported, or the table too long for it.
        StorageFull: the file cannot be written.
    """

    def give(write: Callable[..., None]) -> Callable[[Any], Callable[[], None]]:
        return lambda out: lambda: write(out, *content)

    with open_export(file, {suffix: give(write) for suffix, write in writers.items()}, give(table)) as write:
        write()


def check_suffix(file: str, suffixes: Collection[str], hint: Message | None = None) -> str:
    """Return the suffix of a file to be written, in lower case; `.md` for `.markdown`, `.html` for `.htm`.

    Args:
        file: its name.
        suffixes: the supported ones.
        hint: a sentence that names them; None for the usual one.

    Raises:
        UsageError: the suffix is not supported.
    """
    suffix = Path(file).suffix.lower()
    suffix = _SAME_FORMAT.get(suffix, suffix)
    if suffix not in suffixes:
        if hint is None:
            *others, last = suffixes
            hint = Message("This can be exported to {endings} or {ending}.", endings=", ".join(others), ending=last)
        raise UsageError(
            "{file} has the extension {suffix}" if suffix else "{file} has no file extension",
            hint,
            file=file,
            suffix=suffix,
        )
    return suffix


@contextmanager
def open_table(file: str, is_abandoned: Callable[[], bool] = lambda: False) -> Iterator[TableWriter]:
    """Yield the writer of a table with one of TABLE_SUFFIXES, which replaces `file` when the block succeeds.

    Args:
        file: its name.
        is_abandoned: whether the file is no longer wanted; asked when a workbook is packed.

    Raises:
        Cancelled: it is not.
        UsageError: the table has too many rows for a workbook.
        StorageFull: it cannot be written.
    """
    if Path(file).suffix.lower() != _WORKBOOK:
        with open_atomic_text(file) as out:
            yield CsvWriter(out)
        return
    with open_atomic(file) as raw, make_temporary_folder() as folder:
        workbook = _WorkbookWriter(folder)
        try:
            yield workbook
            written = workbook.complete()
        finally:
            workbook.close()
        if is_abandoned():
            raise Cancelled
        with written.open("rb") as whole:
            shutil.copyfileobj(whole, raw)


class _WorkbookWriter:
    """Writes rows as the sheet of an Excel workbook: the first is bold and stays in view, texts wrap.

    Unlike in CSV, a text is never taken for a formula or a number.
    """

    def __init__(self, folder: Path) -> None:
        from xlsxwriter import Workbook

        # Rows go to a temporary file: a library has more sentences than fit into memory as cells.
        self._file = folder / "workbook.xlsx"
        self._workbook = Workbook(str(self._file), {"constant_memory": True, "tmpdir": str(folder)})
        self._sheet = self._workbook.add_worksheet()
        self._sheet.freeze_panes(1, 0)
        top = {"valign": "top"}
        self._heading = self._workbook.add_format({**top, "bold": True})
        self._text = self._workbook.add_format({**top, "text_wrap": True})
        self._count = self._workbook.add_format(top)
        self._measure = self._workbook.add_format({**top, "num_format": "0.000"})
        self._widths: list[int] = []
        self._rows = 0

    def write_row(self, cells: Iterable[object], /) -> None:
        """Write one row; an absent value leaves its cell empty.

        Raises:
            UsageError: the sheet is full.
        """
        if self._rows >= _MAX_ROWS:
            raise UsageError("An Excel workbook takes no more than {count} rows", "Use .csv.", count=f"{_MAX_ROWS:,}")
        with explain_temporary_errors():
            for column, cell in enumerate(cells):
                self._write_cell(column, cell)
        self._rows += 1

    def _write_cell(self, column: int, cell: object) -> None:
        if cell is None or cell == "":
            shown = ""
        elif isinstance(cell, numbers.Integral):
            self._sheet.write_number(self._rows, column, int(cell), self._count)
            shown = str(cell)
        elif isinstance(cell, numbers.Real):
            shown = f"{cell:.3f}"
            if math.isfinite(cell):
                self._sheet.write_number(self._rows, column, float(cell), self._measure)
        else:
            shown = _fit_text(str(cell))
            self._sheet.write_string(self._rows, column, shown, self._text if self._rows else self._heading)
        self._widths += [_MIN_WIDTH] * (column + 1 - len(self._widths))
        self._widths[column] = min(_MAX_WIDTH, max(self._widths[column], len(shown) + 2))

    def complete(self) -> Path:
        """Write the workbook to a temporary file, and return its path."""
        for column, width in enumerate(self._widths):
            self._sheet.set_column(column, column, width)
        if self._rows:
            self._sheet.autofilter(0, 0, self._rows - 1, max(0, len(self._widths) - 1))
        with explain_temporary_errors():
            self._workbook.close()
        return self._file

    def close(self) -> None:
        """Close the temporary file, which Windows does not delete while it is open."""
        self._sheet.row_data_fh.close()


def _fit_text(text: str) -> str:
    """Return a text that a cell takes. A document's path may contain bytes that are not valid text."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _MAX_CELL else f"{text[: _MAX_CELL - 1]}…"
