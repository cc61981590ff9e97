"""Files of sentences that commands read and write."""

from __future__ import annotations

import contextlib
import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from desktop_app.cli.output import escape_unprintable
from desktop_app.core.errors import UsageError, VectorNotFinite
from desktop_app.core.escaping import escape_markdown, to_json_line
from desktop_app.core.export_files import open_export
from desktop_app.core.formats import type_by_name
from desktop_app.core.input_files import read_text_file
from desktop_app.core.locations import format_page
from desktop_app.core.result_files import places_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import IO

    from desktop_app.core.export_files import TableWriter
    from desktop_app.core.records import Occurrence

    OccurrenceWriter = Callable[[Sequence[Occurrence]], None]
    """Writes the next sentences of a library in reading order."""


def read_lines(file: str) -> list[str]:
    """Return the lines of a UTF-8 file without line ends and byte-order mark.

    Raises:
        NotFound: it does not exist or cannot be read.
        BadData: it is not UTF-8 (the message names the line), or a device or too large.
    """
    lines = [line.removesuffix("\r") for line in read_text_file(file).split("\n")]
    return lines if lines[-1] else lines[:-1]


@contextlib.contextmanager
def add_line_numbers_to_errors(file: str, lines: Callable[[], Sequence[int]]) -> Iterator[None]:
    """Add the line number to an error about a text.

    Args:
        file: the file of the texts.
        lines: returns the line number of each text.
    """
    try:
        yield
    except VectorNotFinite as error:
        raise error.in_line(lines()[error.text], file) from error


def refuse_to_overwrite(output: str, *sources: str) -> None:
    """Refuse to overwrite a file that is read or kept.

    Raises:
        UsageError: `output` is one of `sources`.
    """
    for source in sources:
        with contextlib.suppress(OSError, ValueError):
            if os.path.samefile(output, source):
                raise UsageError("{output} would overwrite its own source", "Give another --output.", output=output)


def open_occurrence_writer(file: str) -> AbstractContextManager[OccurrenceWriter]:
    """Open a writer of sentences to `file`, in the format of its suffix.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    return open_export(file, {".jsonl": _make_jsonl_writer, ".md": _make_markdown_writer}, _make_table_writer)


def occurrence_json(occurrence: Occurrence) -> dict[str, object]:
    """Return an occurrence with the documented JSON keys."""
    return {
        "sentence_id": occurrence.sentence_id,
        "text": occurrence.text,
        "document_id": occurrence.document_id,
        "path": occurrence.path,
        **places_json(occurrence.places),
        "kind": occurrence.kind,
    }


def _make_jsonl_writer(out: IO[str]) -> OccurrenceWriter:
    def write(batch: Sequence[Occurrence]) -> None:
        out.writelines(to_json_line(occurrence_json(row)) for row in batch)

    return write


def _make_table_writer(table: TableWriter) -> OccurrenceWriter:
    columns = ("sentence_id", "text", "document_id", "path", "page", "start", "stop", "unit", "kind")
    table.write_row(columns)

    def write(batch: Sequence[Occurrence]) -> None:
        for row in batch:
            first = row.places[0]
            table.write_row(
                (
                    row.sentence_id,
                    row.text,
                    row.document_id,
                    row.path,
                    first.page,
                    first.start,
                    first.stop,
                    first.unit,
                    row.kind,
                )
            )

    return write


def _make_markdown_writer(out: IO[str]) -> OccurrenceWriter:
    document_id: int | None = None

    def write(batch: Sequence[Occurrence]) -> None:
        nonlocal document_id
        for row in batch:
            if row.document_id != document_id:
                out.write(
                    f"{'' if document_id is None else chr(10)}"
                    f"## {escape_markdown(escape_unprintable(os.path.basename(row.path)))}\n\n"
                )
                document_id = row.document_id
            page = row.places[0].page
            where = f" ({format_page(page, type_by_name(PurePath(row.path)))})" if page else ""
            out.write(f"- {escape_markdown(row.text)}{where}\n")

    return write
