"""The commands that write files: `embed` and `export`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.cli import files
from desktop_app.cli.hit_files import write_hits
from desktop_app.cli.output import answer, counted, say, shown
from desktop_app.core.errors import NotBuiltYet, UsageError
from desktop_app.engine.requests import SearchRequest

if TYPE_CHECKING:
    from desktop_app.cli.session import Session


def embed(session: Session) -> int:
    """Write the vectors of a file's sentences."""
    options = session.options
    if Path(options.output).suffix.lower() != ".npy":
        raise UsageError(f"{options.output} does not end in .npy", "Vectors are written to a file of numpy's, V.npy.")
    files.refuse_to_overwrite(options.output, options.file)
    texts = files.read_lines(options.file)
    vectors, report = session.wait(session.workspace.comparing.embed(texts, raw=options.raw))
    with files.written_whole(options.output) as out:
        np.save(out, vectors)
    per_s = 1 / report.seconds if report.seconds else 0.0
    facts = {
        "rows": report.rows,
        "dim": report.dim,
        "seconds": round(report.seconds, 4),
        "sentences_per_s": round(report.rows * per_s, 1),
        "tokens_per_s": round(report.tokens * per_s, 1),
        "device": report.device.device,
        "precision": report.device.precision,
    }
    if options.json:
        answer(facts)
    else:
        rows = f"{counted(report.rows, 'row')} of {report.dim} to {shown(options.output)}"
        say(f"{rows}, {facts['sentences_per_s']:,} sentences/s")
    return 0


def export(session: Session) -> int:
    """Write the library's sentences, or what a search finds, to a file."""
    options = session.options
    if options.what not in ("sentences", "hits"):
        raise NotBuiltYet(f"`export {options.what}` is not built yet", "`export sentences` and `export hits` are.")
    if (options.query is None) == (options.what == "hits"):
        raise UsageError("A query belongs to `export hits`, and to nothing else", 'Say export hits "QUERY".')
    documents = session.wait(session.workspace.find_documents(os.path.realpath(options.output)))
    files.refuse_to_overwrite(options.output, *(each.path for each in documents))
    if options.what == "hits":
        return _export_hits(session)
    with files.occurrence_writer(options.output) as write:
        written = session.wait(session.workspace.export_occurrences(write))
    if options.json:
        answer({"written": written, "output": str(Path(options.output).absolute())})
    else:
        say(f"{counted(written, 'sentence')} to {shown(options.output)}")
    return 0


def _export_hits(session: Session) -> int:
    options = session.options
    request = SearchRequest(options.query, options.top_k, page_size=options.top_k, mode=options.mode)
    result = session.wait(session.workspace.search(request))
    write_hits(options.output, result.query, result.hits)
    if options.json:
        answer({"written": len(result.hits), "output": str(Path(options.output).absolute())})
    else:
        say(f"{counted(len(result.hits), 'hit')} to {shown(options.output)}")
    return 0
