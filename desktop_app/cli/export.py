"""The commands `embed` and `export`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.cli import sentence_files
from desktop_app.cli.arguments import build_command_parser, build_common_parser
from desktop_app.cli.clusters import build_clusters_request
from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.cli.pairs import build_pairs_request
from desktop_app.cli.search import build_scope
from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.cluster_files import check_cluster_suffix
from desktop_app.core.errors import UsageError
from desktop_app.core.hit_files import write_hits
from desktop_app.core.pair_files import write_pair_labels
from desktop_app.engine.labelled_pairs import collect_labelled_pairs
from desktop_app.engine.requests import SearchRequest

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession


def run_embed(session: CommandSession) -> int:
    """Write the vectors of a file's sentences."""
    options = session.options
    if Path(options.output).suffix.lower() != ".npy":
        raise UsageError(f"{options.output} does not end in .npy", "Vectors are written to a file of numpy's, V.npy.")
    sentence_files.refuse_to_overwrite(options.output, options.file)
    texts = sentence_files.read_lines(options.file)
    with sentence_files.add_line_numbers_to_errors(options.file, lambda: range(1, len(texts) + 1)):
        vectors, report = session.wait(session.workspace.comparison.embed(texts, raw=options.raw))
    with open_atomic(options.output) as out:
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
        print_json(facts)
    else:
        rows = f"{format_count(report.rows, 'row')} of {report.dim} to {escape_unprintable(options.output)}"
        print_line(f"{rows}, {facts['sentences_per_s']:,} sentences/s")
    return 0


def run_export(session: CommandSession) -> int:
    """Write what the library holds, what is found in it or what was said of it to a file."""
    options = session.options
    if (options.query is None) == (options.what == "hits"):
        raise UsageError("A query belongs to `export hits`, and to nothing else", 'Say export hits "QUERY".')
    _reject_unrelated_options(session)
    documents = session.find_documents(os.path.realpath(options.output))
    sentence_files.refuse_to_overwrite(options.output, *(each.path for each in documents))
    if options.what in _EXPORTERS:
        return _EXPORTERS[options.what](session)
    where = build_scope(session)
    with sentence_files.open_occurrence_writer(options.output) as write:
        written = session.wait(session.workspace.export.export_occurrences(write, where))
    return _print_written(session, written, "sentence")


def _reject_unrelated_options(session: CommandSession) -> None:
    """See to it that no option is left unheeded.

    Raises:
        UsageError: one does not belong to what is exported.
    """
    options, known = session.options, build_command_parser(build_common_parser(), "export")
    strays = [
        flag
        for name, (flag, of) in _OPTION_EXPORTS.items()
        if options.what not in of and getattr(options, name) != known.get_default(name)
    ]
    if strays:
        raise UsageError(f"{', '.join(strays)} does not belong to `export {options.what}`", "Leave it away.")


def _export_vectors(session: CommandSession) -> int:
    output = session.options.output
    if Path(output).suffix.lower() != ".npy":
        raise UsageError(f"{output} does not end in .npy", "Vectors are written to a file of numpy's, V.npy.")
    vectors = session.wait(session.workspace.export.read_vectors(build_scope(session)))
    with open_atomic(output) as out:
        np.save(out, vectors)
    return _print_written(session, len(vectors), "row")


def _export_hits(session: CommandSession) -> int:
    options = session.options
    request = SearchRequest(
        options.query,
        options.top_k,
        options.min_score,
        build_scope(session),
        page_size=options.top_k,
        mode=options.mode,
    )
    result = session.wait(session.workspace.search.find_sentences(request))
    write_hits(options.output, result.query, result.hits)
    return _print_written(session, len(result.hits), "hit")


def _export_pairs(session: CommandSession) -> int:
    count = session.wait(
        session.workspace.duplicates.export_pairs(build_pairs_request(session), session.options.output)
    )
    return _print_written(session, count, "pair")


def _export_marks(session: CommandSession) -> int:
    marks = session.wait(session.workspace.read(collect_labelled_pairs))
    write_pair_labels(session.options.output, marks)
    return _print_written(session, len(marks), "pair")


def _export_clusters(session: CommandSession) -> int:
    check_cluster_suffix(session.options.output)
    themes = session.workspace.clusters
    found = session.wait(themes.find(build_clusters_request(session)))
    return _print_written(session, session.wait(themes.export(found, session.options.output)), "sentence")


def _print_written(session: CommandSession, count: int, thing: str) -> int:
    output = session.options.output
    if session.options.json:
        print_json({"written": count, "output": str(Path(output).absolute())})
    else:
        print_line(f"{format_count(count, thing)} to {escape_unprintable(output)}")
    return 0


_SCOPED_EXPORTS = ("sentences", "hits", "pairs", "clusters", "vectors")
_OPTION_EXPORTS = {
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
    "within": ("--in", _SCOPED_EXPORTS),
    "collections": ("--collection", _SCOPED_EXPORTS),
    "tags": ("--tag", _SCOPED_EXPORTS),
    "languages": ("--language", _SCOPED_EXPORTS),
}
"""Which exports heed an option."""

_EXPORTERS = {
    "hits": _export_hits,
    "pairs": _export_pairs,
    "marks": _export_marks,
    "clusters": _export_clusters,
    "vectors": _export_vectors,
}
