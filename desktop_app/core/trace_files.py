"""Writes traces and document differences to files: tables, JSON lines, Markdown or BibTeX; drafts also as documents."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_app.core.atomic_files import open_atomic, open_atomic_text
from desktop_app.core.citation import format_citations
from desktop_app.core.draft_documents import write_draft_docx, write_draft_html
from desktop_app.core.escaping import escape_markdown, to_json_line
from desktop_app.core.export_files import TABLE_SUFFIXES, check_suffix, open_table, write_in_steps
from desktop_app.core.result_files import PLACE_COLUMNS, hit_json, place_cells
from desktop_app.core.same_names import tell_names_apart
from desktop_app.core.trace_texts import ENGLISH_TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from typing import IO

    from desktop_app.core.export_files import TableWriter
    from desktop_app.core.jobs import Waiting
    from desktop_app.core.records import Hit
    from desktop_app.core.trace import Diff, DiffRow, Trace, TracedSentence
    from desktop_app.core.trace_texts import TraceTexts

    Pieces = Generator[int | Waiting, None, None]
    """Yields how many rows are done, or that it waits."""

T = TypeVar("T")
_AT_ONCE = 200  # rows

TRACE_SUFFIXES = (*TABLE_SUFFIXES, ".jsonl", ".md")
"""Suffixes of files that traces and differences can be written to; `.markdown` is accepted too."""

BIBTEX_SUFFIX = ".bib"
"""The suffix of a file with only the sources of a draft."""

DRAFT_SUFFIXES = (*TRACE_SUFFIXES, ".docx", ".html", BIBTEX_SUFFIX)
"""Suffixes of files that a traced draft can be written to."""


def traced_sentence_json(sentence: TracedSentence) -> dict[str, Any]:
    """Return a sentence of a draft as in the command line's JSON."""
    return {
        "text": sentence.text,
        "page": sentence.page,
        "support": sentence.support,
        "score": sentence.score,
        "badges": list(sentence.badges),
        "source": hit_json(sentence.sources[0]) if sentence.sources else None,
        "sources": [hit_json(hit) for hit in sentence.sources],
    }


def diff_row_json(row: DiffRow) -> dict[str, Any]:
    """Return a row of a difference as in the command line's JSON."""
    return {
        "change": row.change,
        "reworded": row.is_reworded,
        "score": row.score,
        "badges": list(row.badges),
        "a": hit_json(row.a) if row.a else None,
        "b": hit_json(row.b) if row.b else None,
    }


def write_trace_in_steps(file: str, trace: Trace, words: TraceTexts = ENGLISH_TEXTS) -> Pieces:
    """Write a traced draft in the format of the file's suffix; yields how many sentences are done.

    Stopping leaves no file.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    suffix = check_suffix(file, DRAFT_SUFFIXES)
    if suffix == ".docx":
        with open_atomic(file) as raw:
            yield from write_draft_docx(raw, trace, words, Path(file).stem)
        return
    if suffix in TABLE_SUFFIXES:
        most = max((len(sentence.sources) for sentence in trace.sentences), default=0)
        numbers = ("", *(f"{number}_" for number in range(2, most + 1)))
        of_sources = [f"source_{number}{name}" for number in numbers for name in (*PLACE_COLUMNS, "score", "citation")]
        columns = ("text", "page", "support", "score", "badges", *of_sources)
        yield from write_in_steps(
            partial(open_table, file),
            lambda table: _write_table(
                table, columns, trace.sentences, lambda each: _traced_cells(each, len(numbers), words)
            ),
        )
        return
    with open_atomic_text(file) as out:
        if suffix == ".html":
            yield from write_draft_html(out, trace, words, Path(file).stem)
        elif suffix == ".jsonl":
            yield from _write_json_lines(out, trace.sentences, traced_sentence_json)
        elif suffix == BIBTEX_SUFFIX:
            yield from _write_bibtex(out, trace, words)
        else:
            yield from _write_trace_markdown(out, trace, words)


def write_diff_in_steps(file: str, diff: Diff, words: TraceTexts = ENGLISH_TEXTS) -> Pieces:
    """Write the difference of two documents in steps; yields how many rows are done. Stopping leaves no file."""
    suffix = check_suffix(file, TRACE_SUFFIXES)
    if suffix in TABLE_SUFFIXES:
        columns = ("change", "score", "badges", *(f"{name}_{side}" for side in "ab" for name in PLACE_COLUMNS))
        yield from write_in_steps(
            partial(open_table, file), lambda table: _write_table(table, columns, diff.rows, _diff_cells)
        )
        return
    with open_atomic_text(file) as out:
        if suffix == ".jsonl":
            yield from _write_json_lines(out, diff.rows, diff_row_json)
        else:
            yield from _write_diff_markdown(out, diff, words)


def _write_json_lines(out: IO[str], rows: Sequence[T], to_json: Callable[[T], dict[str, Any]]) -> Iterator[int]:
    for done, row in enumerate(rows, start=1):
        out.write(to_json_line(to_json(row)))
        if done % _AT_ONCE == 0:
            yield done


def _write_table(
    table: TableWriter, columns: Sequence[str], rows: Sequence[T], cells: Callable[[T], Sequence[object]]
) -> Generator[int, None, None]:
    table.write_row(columns)
    for done, row in enumerate(rows, start=1):
        table.write_row(cells(row))
        if done % _AT_ONCE == 0:
            yield done


def _traced_cells(each: TracedSentence, most: int, words: TraceTexts) -> Sequence[object]:
    cells: list[object] = [each.text, each.page, each.support, each.score, " ".join(each.badges)]
    for hit in (*each.sources, *([None] * (most - len(each.sources)))):
        about = ("", "") if hit is None else (hit.score, words.cite([hit], "plain"))
        cells += [*_source_cells(hit), *about]
    return cells


def _write_bibtex(out: IO[str], trace: Trace, words: TraceTexts) -> Iterator[int]:
    """Write the documents of all sources, each once."""
    sources = {hit.sentence_id: hit for sentence in trace.sentences for hit in sentence.sources}
    if sources:
        out.write(words.cite(list(sources.values()), "bibtex") + "\n")
    yield len(trace.sentences)


def _diff_cells(row: DiffRow) -> Sequence[object]:
    return (row.change, row.score, " ".join(row.badges), *_source_cells(row.a), *_source_cells(row.b))


def _source_cells(hit: Hit | None) -> tuple[object, ...]:
    return ("",) * len(PLACE_COLUMNS) if hit is None else place_cells(hit)


def _write_trace_markdown(out: IO[str], trace: Trace, words: TraceTexts) -> Iterator[int]:
    """Write the draft with a note at each sentence that has sources, and all sources below."""
    out.writelines(escape_markdown(note) + "\n\n" for note in words.list_remarks(trace))
    notes: list[TracedSentence] = []
    for done, sentence in enumerate(trace.sentences, start=1):
        mark = ""
        if sentence.sources:
            notes.append(sentence)
            mark = f" [^{len(notes)}]"
        out.write(f"{escape_markdown(sentence.text)}{mark}\n")
        if done % _AT_ONCE == 0:
            yield done
    for number, sentence in enumerate(notes, start=1):
        about = [words.kind(sentence.support), f"{sentence.score:.3f}", words.differs(sentence.badges)]
        out.write(f"\n[^{number}]: {', '.join(part for part in about if part)}\n")
        for hit in sentence.sources:
            quoted = words.cite([hit], "markdown").replace("\n", "\n    ")
            out.write(f"\n    {quoted}\n")
        if number % _AT_ONCE == 0:
            yield len(trace.sentences)


def _write_diff_markdown(out: IO[str], diff: Diff, words: TraceTexts) -> Iterator[int]:
    out.write(", ".join(f"{count} {words.kind(change)}" for change, count in diff.counts.items()) + "\n")
    names = {hit.path: hit.title for row in diff.rows for hit in (row.a, row.b) if hit is not None}
    titles = {path: title for path, title in tell_names_apart(names).items() if title != names[path]}
    for done, row in enumerate(diff.rows, start=1):
        score = f" {row.score:.3f}" if row.score is not None else ""
        differs = f", {words.differs(row.badges)}" if row.badges else ""
        also = f", {words.kind('reworded')}" if row.change == "moved" and row.is_reworded else ""
        out.write(f"\n**{words.kind(row.change)}**{also}{score}{differs}\n")
        same = row.a is not None and row.b is not None and row.a.text == row.b.text
        for hit in (row.a, None if same else row.b):
            if hit is not None:
                cited = words.cite_hit(hit)
                if title := titles.get(hit.path):  # both documents have the same
                    cited = replace(cited, reference=replace(cited.reference, title=title))
                out.write(f"\n{format_citations([cited], 'markdown')}\n")
        if done % _AT_ONCE == 0:
            yield done
