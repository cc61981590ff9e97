"""The commands that write files: `embed` and `export`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.cli import files
from desktop_app.cli.arguments import everywhere, parser_of
from desktop_app.cli.insights import clusters_request
from desktop_app.cli.output import answer, counted, say, shown
from desktop_app.cli.pairs import pairs_request
from desktop_app.cli.searches import within
from desktop_app.core.cluster_files import check_suffix
from desktop_app.core.errors import UsageError
from desktop_app.core.hit_files import write_hits
from desktop_app.core.pair_files import write_marks
from desktop_app.core.writing import written_whole
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
    with files.naming_lines(options.file, lambda: range(1, len(texts) + 1)):
        vectors, report = session.wait(session.workspace.comparing.embed(texts, raw=options.raw))
    with written_whole(options.output) as out:
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
    """Write what the library holds, what is found in it or what was said of it to a file."""
    options = session.options
    if (options.query is None) == (options.what == "hits"):
        raise UsageError("A query belongs to `export hits`, and to nothing else", 'Say export hits "QUERY".')
    _refuse_strays(session)
    documents = session.wait(session.workspace.find_documents(os.path.realpath(options.output)))
    files.refuse_to_overwrite(options.output, *(each.path for each in documents))
    if options.what in _OTHERS:
        return _OTHERS[options.what](session)
    where = within(session)
    with files.occurrence_writer(options.output) as write:
        written = session.wait(session.workspace.export_occurrences(write, where))
    return _written(session, written, "sentence")


def _refuse_strays(session: Session) -> None:
    """See to it that no option is left unheeded.

    Raises:
        UsageError: one does not belong to what is exported.
    """
    options, known = session.options, parser_of(everywhere(), "export")
    strays = [
        flag
        for name, (flag, of) in _BELONGS.items()
        if options.what not in of and getattr(options, name) != known.get_default(name)
    ]
    if strays:
        raise UsageError(f"{', '.join(strays)} does not belong to `export {options.what}`", "Leave it away.")


def _export_vectors(session: Session) -> int:
    output = session.options.output
    if Path(output).suffix.lower() != ".npy":
        raise UsageError(f"{output} does not end in .npy", "Vectors are written to a file of numpy's, V.npy.")
    vectors = session.wait(session.workspace.analysing.vectors(within(session)))
    with written_whole(output) as out:
        np.save(out, vectors)
    return _written(session, len(vectors), "row")


def _export_hits(session: Session) -> int:
    options = session.options
    request = SearchRequest(
        options.query,
        options.top_k,
        options.min_score,
        within(session),
        page_size=options.top_k,
        mode=options.mode,
    )
    result = session.wait(session.workspace.search(request))
    write_hits(options.output, result.query, result.hits)
    return _written(session, len(result.hits), "hit")


def _export_pairs(session: Session) -> int:
    count = session.wait(session.workspace.analysing.export_pairs(pairs_request(session), session.options.output))
    return _written(session, count, "pair")


def _export_marks(session: Session) -> int:
    marks = session.wait(session.workspace.marking.labelled())
    write_marks(session.options.output, marks)
    return _written(session, len(marks), "pair")


def _export_clusters(session: Session) -> int:
    check_suffix(session.options.output)
    themes = session.workspace.analysing.themes
    found = session.wait(themes.clusters(clusters_request(session)))
    return _written(session, session.wait(themes.export(found, session.options.output)), "sentence")


def _written(session: Session, count: int, thing: str) -> int:
    output = session.options.output
    if session.options.json:
        answer({"written": count, "output": str(Path(output).absolute())})
    else:
        say(f"{counted(count, thing)} to {shown(output)}")
    return 0


_PARTS = ("sentences", "hits", "pairs", "clusters", "vectors")
_BELONGS = {
    "mode": ("--mode", ("hits",)),
    "top_k": ("--top-k", ("hits", "pairs")),
    "min_score": ("--min-score", ("hits", "pairs")),
    "max_score": ("--max-score", ("pairs",)),
    "kind": ("--kind", ("pairs",)),
    "across_documents": ("--across-documents", ("pairs",)),
    "anywhere": ("--anywhere", ("pairs",)),
    "touching": ("--document", ("pairs",)),
    "unreviewed": ("--unreviewed", ("pairs",)),
    "granularity": ("--granularity", ("clusters",)),
    "min_size": ("--min-size", ("clusters",)),
    "within": ("--in", _PARTS),
    "collections": ("--collection", _PARTS),
    "tags": ("--tag", _PARTS),
    "languages": ("--language", _PARTS),
}
"""Which exports heed an option."""

_OTHERS = {
    "hits": _export_hits,
    "pairs": _export_pairs,
    "marks": _export_marks,
    "clusters": _export_clusters,
    "vectors": _export_vectors,
}
