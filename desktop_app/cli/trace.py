"""The commands `trace` and `diff`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.clusters import find_one_document
from desktop_app.cli.output import format_count, print_json, print_line
from desktop_app.cli.search import build_scope, format_location
from desktop_app.core.errors import UsageError
from desktop_app.core.trace_files import (
    BIBTEX_SUFFIX,
    check_trace_suffix,
    diff_row_json,
    traced_sentence_json,
    write_diff,
    write_trace,
)

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession

_CHANGE_SIGNS = {"kept": "=", "reworded": "~", "moved": ">", "new": "+", "dropped": "-"}


def run_trace(session: CommandSession) -> int:
    """Say of each sentence of a draft what of the library it rests on."""
    options = session.options
    if options.output:
        check_trace_suffix(options.output, BIBTEX_SUFFIX)
    found = session.wait(
        session.workspace.trace.trace_file(
            options.file, password=_read_password(session), sources=options.top_k, scope=build_scope(session)
        )
    )
    if options.output:
        write_trace(options.output, found)
    if options.json:
        print_json(
            {
                "sentences": [traced_sentence_json(sentence) for sentence in found.sentences],
                "coverage": found.coverage,
                "skipped": found.skipped,
                "own": list(found.own),
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    if options.output:
        print_line(f"{format_count(len(found.sentences), 'sentence')} to {options.output}")
    else:
        for sentence in found.sentences:
            score = f" {sentence.score:.3f}" if sentence.score is not None else ""
            differs = "".join(f", differs in {badge}" for badge in sentence.badges)
            print_line(f"{sentence.support}{score}{differs}: {sentence.text}")
            for hit in sentence.sources:
                print_line(f"    {hit.score:.3f}  {hit.text}\n           {format_location(hit)}")
    print_line(", ".join(f"{count:,} {support}" for support, count in found.coverage.items()))
    if found.skipped:
        print_line(
            f"{format_count(found.skipped, 'line')} not looked for: headings, rows of tables, code and references"
        )
    if found.own:
        print_line(f"no source, for it is the draft itself: {', '.join(found.own)}")
    return 0


def run_diff(session: CommandSession) -> int:
    """Say how two documents of the library, or files that are in none, differ in what they say."""
    options = session.options
    if options.output:
        check_trace_suffix(options.output)
    a, b = _find_side(session, options.first), _find_side(session, options.second)
    if a == b:
        raise UsageError("Both are the same document", "Name two: `documents` lists them.")
    found = session.wait(session.workspace.trace.diff(a, b, password=_read_password(session)))
    if options.output:
        write_diff(options.output, found)
    if options.json:
        print_json(
            {
                "rows": [diff_row_json(row) for row in found.rows],
                "counts": found.counts,
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    if options.output:
        print_line(f"{format_count(len(found.rows), 'row')} to {options.output}")
    else:
        for row in found.rows:
            differs = "".join(f"  (differs in {badge})" for badge in row.badges)
            if row.change in ("reworded", "moved") and row.a is not None and row.b is not None:
                print_line(f"{_CHANGE_SIGNS[row.change]} {row.score:.3f}  {row.a.text}{differs}\n         {row.b.text}")
            else:
                hit = row.b or row.a
                print_line(f"{_CHANGE_SIGNS[row.change]}        {hit.text if hit else ''}")
    print_line(", ".join(f"{count:,} {change}" for change, count in found.counts.items()))
    return 0


def _read_password(session: CommandSession) -> str | None:
    return session.options.password or os.environ.get("KINDRED_PDF_PASSWORD")


def _find_side(session: CommandSession, name: str) -> int | str:
    """Return a document: an existing path is that file, as the library has it or as it is; else what a name means."""
    if os.path.isfile(name):
        path = os.path.abspath(name)
        known = session.find_documents(path)
        same = [each.document_id for each in known if each.path == path and each.sentences]
        return same[0] if same else path
    return find_one_document(session, name)
