"""The commands on two texts beside each other: `trace` and `diff`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.insights import one_document
from desktop_app.cli.output import answer, counted, say
from desktop_app.cli.searches import where, within
from desktop_app.core.errors import UsageError
from desktop_app.core.tracing_files import (
    SOURCES_SUFFIX,
    check_tracing_suffix,
    diff_json,
    traced_json,
    write_diff,
    write_trace,
)

if TYPE_CHECKING:
    from desktop_app.cli.session import Session

_SIGNS = {"kept": "=", "reworded": "~", "moved": ">", "new": "+", "dropped": "-"}


def trace(session: Session) -> int:
    """Say of each sentence of a draft what of the library it rests on."""
    options = session.options
    if options.output:
        check_tracing_suffix(options.output, SOURCES_SUFFIX)
    tracing = session.workspace.tracing
    found = session.wait(
        tracing.trace(options.file, password=_password(session), sources=options.top_k, scope=within(session))
    )
    if options.output:
        write_trace(options.output, found)
    if options.json:
        answer(
            {
                "sentences": [traced_json(sentence) for sentence in found.sentences],
                "coverage": found.coverage,
                "skipped": found.skipped,
                "own": list(found.own),
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    if options.output:
        say(f"{counted(len(found.sentences), 'sentence')} to {options.output}")
    else:
        for sentence in found.sentences:
            score = f" {sentence.score:.3f}" if sentence.score is not None else ""
            differs = "".join(f", differs in {badge}" for badge in sentence.badges)
            say(f"{sentence.support}{score}{differs}: {sentence.text}")
            for hit in sentence.sources:
                say(f"    {hit.score:.3f}  {hit.text}\n           {where(hit)}")
    say(", ".join(f"{count:,} {support}" for support, count in found.coverage.items()))
    if found.skipped:
        say(f"{counted(found.skipped, 'line')} not looked for: headings, rows of tables, code and references")
    if found.own:
        say(f"no source, for it is the draft itself: {', '.join(found.own)}")
    return 0


def diff(session: Session) -> int:
    """Say how two documents of the library, or files that are in none, differ in what they say."""
    options = session.options
    if options.output:
        check_tracing_suffix(options.output)
    a, b = _side(session, options.first), _side(session, options.second)
    if a == b:
        raise UsageError("Both are the same document", "Name two: `documents` lists them.")
    found = session.wait(session.workspace.tracing.diff(a, b, password=_password(session)))
    if options.output:
        write_diff(options.output, found)
    if options.json:
        answer(
            {
                "rows": [diff_json(row) for row in found.rows],
                "counts": found.counts,
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    if options.output:
        say(f"{counted(len(found.rows), 'row')} to {options.output}")
    else:
        for row in found.rows:
            differs = "".join(f"  (differs in {badge})" for badge in row.badges)
            if row.change in ("reworded", "moved") and row.a is not None and row.b is not None:
                say(f"{_SIGNS[row.change]} {row.score:.3f}  {row.a.text}{differs}\n         {row.b.text}")
            else:
                hit = row.b or row.a
                say(f"{_SIGNS[row.change]}        {hit.text if hit else ''}")
    say(", ".join(f"{count:,} {change}" for change, count in found.counts.items()))
    return 0


def _password(session: Session) -> str | None:
    return session.options.password or os.environ.get("KINDRED_PDF_PASSWORD")


def _side(session: Session, name: str) -> int | str:
    """Return a document: an existing path is that file, as the library has it or as it is; else what a name means."""
    if os.path.isfile(name):
        path = os.path.abspath(name)
        known = session.wait(session.workspace.find_documents(path))
        same = [each.document_id for each in known if each.path == path and each.sentences]
        return same[0] if same else path
    return one_document(session, name)
