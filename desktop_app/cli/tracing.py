"""The commands on two texts beside each other: `trace` and `diff`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.insights import one_document
from desktop_app.cli.output import answer, counted, say
from desktop_app.cli.searches import where, within
from desktop_app.core.errors import UsageError
from desktop_app.core.tracing_files import check_tracing_suffix, diff_json, traced_json, write_diff, write_trace

if TYPE_CHECKING:
    from desktop_app.cli.session import Session

_SIGNS = {"kept": "=", "reworded": "~", "moved": ">", "new": "+", "dropped": "-"}


def trace(session: Session) -> int:
    """Say of each sentence of a draft what of the library it rests on."""
    options = session.options
    if options.output:
        check_tracing_suffix(options.output)
    password = options.password or os.environ.get("KINDRED_PDF_PASSWORD")
    job = session.workspace.tracing.trace(options.file, password=password, sources=options.top_k, scope=within(session))
    found = session.wait(job)
    if options.output:
        write_trace(options.output, found)
    if options.json:
        answer(
            {
                "sentences": [traced_json(sentence) for sentence in found.sentences],
                "coverage": found.coverage,
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
    return 0


def diff(session: Session) -> int:
    """Say how two documents of the library differ in what they say."""
    options = session.options
    if options.output:
        check_tracing_suffix(options.output)
    a, b = one_document(session, options.first), one_document(session, options.second)
    if a == b:
        raise UsageError("Both are the same document", "Name two: `documents` lists them.")
    found = session.wait(session.workspace.tracing.diff(a, b))
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
