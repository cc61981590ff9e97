"""A traced draft and two aligned documents in files: CSV, JSON lines or Markdown."""

from __future__ import annotations

import csv
import json
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_app.core.errors import UsageError
from desktop_app.core.json_rows import hit_json
from desktop_app.core.pair_files import escaped
from desktop_app.core.writing import text_written_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from typing import IO

    from desktop_app.core.records import Hit
    from desktop_app.core.tracing import Diff, DiffRow, Trace, TracedSentence

T = TypeVar("T")
_AT_ONCE = 200  # rows

TRACING_SUFFIXES = (".csv", ".jsonl", ".md")
"""Endings of files that drafts and alignments are written to; `.markdown` is taken too."""

_PLACE = ("text", "title", "path", "page", "start", "stop", "unit")


def traced_json(sentence: TracedSentence) -> dict[str, Any]:
    """Return a sentence of a draft as the command line's contract names it."""
    return {
        "text": sentence.text,
        "page": sentence.page,
        "support": sentence.support,
        "score": sentence.score,
        "badges": list(sentence.badges),
        "source": hit_json(sentence.sources[0]) if sentence.sources else None,
        "sources": [hit_json(hit) for hit in sentence.sources],
    }


def diff_json(row: DiffRow) -> dict[str, Any]:
    """Return a row of two aligned documents as the command line's contract names it."""
    return {
        "change": row.change,
        "reworded": row.is_reworded,
        "score": row.score,
        "badges": list(row.badges),
        "a": hit_json(row.a) if row.a else None,
        "b": hit_json(row.b) if row.b else None,
    }


def write_trace(file: str, trace: Trace) -> None:
    """Write a traced draft in the form that the file's ending asks for.

    Raises:
        UsageError: the ending is none of ours.
        StorageFull: the file cannot be written.
    """
    deque(writing_trace(file, trace), maxlen=0)


def write_diff(file: str, diff: Diff) -> None:
    """Write two aligned documents in the form that the file's ending asks for.

    Raises:
        UsageError: the ending is none of ours.
        StorageFull: the file cannot be written.
    """
    deque(writing_diff(file, diff), maxlen=0)


def writing_trace(file: str, trace: Trace) -> Generator[int, None, None]:
    """Write a traced draft piece by piece; yields how many sentences are done. Who stops leaves no file."""
    suffix = _suffix(file)
    with text_written_whole(file) as out:
        if suffix == ".jsonl":
            yield from _lines(out, trace.sentences, traced_json)
        elif suffix == ".csv":
            columns = ("text", "page", "support", "score", "badges", *(f"source_{name}" for name in _PLACE))
            yield from _table(out, columns, trace.sentences, _traced_cells)
        else:
            yield from _trace_markdown(out, trace)


def writing_diff(file: str, diff: Diff) -> Generator[int, None, None]:
    """Write two aligned documents piece by piece; yields how many rows are done. Who stops leaves no file."""
    suffix = _suffix(file)
    with text_written_whole(file) as out:
        if suffix == ".jsonl":
            yield from _lines(out, diff.rows, diff_json)
        elif suffix == ".csv":
            columns = ("change", "score", "badges", *(f"{name}_{side}" for side in "ab" for name in _PLACE))
            yield from _table(out, columns, diff.rows, _diff_cells)
        else:
            yield from _diff_markdown(out, diff)


def _lines(out: IO[str], rows: Sequence[T], told: Callable[[T], dict[str, Any]]) -> Iterator[int]:
    for done, row in enumerate(rows, start=1):
        out.write(json.dumps(told(row), ensure_ascii=False) + "\n")
        if done % _AT_ONCE == 0:
            yield done


def _table(
    out: IO[str], columns: Sequence[str], rows: Sequence[T], cells: Callable[[T], Sequence[object]]
) -> Iterator[int]:
    table = csv.writer(out)
    table.writerow(columns)
    for done, row in enumerate(rows, start=1):
        table.writerow(cells(row))
        if done % _AT_ONCE == 0:
            yield done


def _traced_cells(each: TracedSentence) -> Sequence[object]:
    source = _place(each.sources[0] if each.sources else None)
    return (each.text, each.page, each.support, each.score, " ".join(each.badges), *source)


def _diff_cells(row: DiffRow) -> Sequence[object]:
    return (row.change, row.score, " ".join(row.badges), *_place(row.a), *_place(row.b))


def source_of(hit: Hit) -> str:
    """Return where a sentence stands, as it is cited: title and page."""
    page = hit.places[0].page
    return f"{hit.title}, p. {hit.page_label or page}" if page else hit.title


def check_tracing_suffix(file: str) -> None:
    """Refuse a file that nothing can be written to, before the work is done.

    Raises:
        UsageError: the ending is none of ours.
    """
    _suffix(file)


def _suffix(file: str) -> str:
    suffix = Path(file).suffix.lower()
    if suffix not in (*TRACING_SUFFIXES, ".markdown"):
        raise UsageError(f"{file} ends in {suffix or 'nothing'}", "This is written to .csv, .jsonl or .md.")
    return suffix


def _place(hit: Hit | None) -> tuple[object, ...]:
    if hit is None:
        return ("",) * len(_PLACE)
    first = hit.places[0]
    return hit.text, hit.title, hit.path, first.page, first.start, first.stop, first.unit


def _trace_markdown(out: IO[str], trace: Trace) -> Iterator[int]:
    """Write the draft with a note at each sentence that has a source, and the sources below."""
    out.write(", ".join(f"{count} {support}" for support, count in trace.coverage.items()) + "\n\n")
    if trace.left:
        out.write(f"Tracing was stopped: {trace.left} more sentences of the draft were not looked for.\n\n")
    if trace.skipped:
        out.write(
            f"Not looked for, being no sentences: {trace.skipped} headings, rows of tables, code, references.\n\n"
        )
    if trace.own:
        out.write(f"No source, for it is the draft itself: {escaped(', '.join(trace.own))}.\n\n")
    notes: list[TracedSentence] = []
    for done, sentence in enumerate(trace.sentences, start=1):
        mark = ""
        if sentence.sources:
            notes.append(sentence)
            mark = f" [^{len(notes)}]"
        out.write(f"{escaped(sentence.text)}{mark}\n")
        if done % _AT_ONCE == 0:
            yield done
    for number, sentence in enumerate(notes, start=1):
        best = sentence.sources[0]
        badges = "".join(f", differs in {badge}" for badge in sentence.badges)
        about = f"{sentence.support}, {sentence.score:.3f}{badges}"
        out.write(f"\n[^{number}]: {escaped(source_of(best))} ({about}): “{escaped(best.text)}”\n")
        if number % _AT_ONCE == 0:
            yield len(trace.sentences)


def _diff_markdown(out: IO[str], diff: Diff) -> Iterator[int]:
    out.write(", ".join(f"{count} {change}" for change, count in diff.counts.items()) + "\n")
    for done, row in enumerate(diff.rows, start=1):
        score = f" {row.score:.3f}" if row.score is not None else ""
        badges = "".join(f", differs in {badge}" for badge in row.badges)
        out.write(f"\n**{row.change}**{score}{badges}\n")
        same = row.a is not None and row.b is not None and row.a.text == row.b.text
        for hit in (row.a, None if same else row.b):
            if hit is not None:
                out.write(f"\n> {escaped(hit.text)} ({escaped(source_of(hit))})\n")
        if done % _AT_ONCE == 0:
            yield done
