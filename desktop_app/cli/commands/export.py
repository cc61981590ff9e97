"""The command `export`: writes sentences, hits, pairs, clusters, labels or vectors to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.cli import sentence_files
from desktop_app.cli.argument_types import CommandParser, as_nonempty, as_positive_int
from desktop_app.cli.commands.clusters import add_cluster_options, build_clusters_request
from desktop_app.cli.commands.pairs import (
    add_pair_options,
    build_pairs_request,
    build_passages_request,
    note_limit,
)
from desktop_app.cli.output import print_note, print_written
from desktop_app.cli.scope_options import add_scope_options, build_scope, refuse_to_overwrite_documents
from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.cluster_files import CLUSTER_SUFFIXES
from desktop_app.core.errors import UsageError
from desktop_app.core.export_files import check_suffix
from desktop_app.core.labelled_data import write_pair_labels
from desktop_app.core.result_files import write_hits
from desktop_app.engine.labelled_pairs import collect_labelled_pairs
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_notes import list_notes

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "what",
        choices=("sentences", "hits", "pairs", "passages", "marks", "clusters", "vectors"),
        metavar="WHAT",
        help="what to export: `sentences`; `hits`: the results of a query; `pairs`: duplicates; `passages`: "
        "passages that occur in several places; `clusters`: topics; "
        "`marks`: your ratings of pairs and results, as labelled data; `vectors`: those of the sentences, to .npy",
    )
    parser.add_argument("query", nargs="?", metavar="QUERY", help="the query of `export hits`; see `search --help`")
    parser.add_argument(
        "--mode",
        choices=("meaning", "words", "both"),
        default="both",
        help="for `hits`: search by meaning, by words or by both (default: both)",
    )
    parser.add_argument(
        "--top-k",
        type=as_positive_int,
        default=100,
        metavar="K",
        help="for `hits`, `pairs` and `passages`: how many (default: 100)",
    )
    parser.add_argument(
        "--output",
        required=True,
        type=as_nonempty,
        metavar="FILE",
        help="the file to write: .xlsx, .csv, .jsonl or .md; `hits` and `passages` also .html; `marks` .tsv, .csv or "
        ".jsonl",
    )
    parser.add_argument(
        "--min-sentences", type=as_positive_int, metavar="N", help="for `passages`: least number of copied sentences"
    )
    add_pair_options(parser.add_argument_group("which duplicates (--min-score also for `hits`)"))
    add_cluster_options(parser.add_argument_group("which topics"))
    add_scope_options(parser.add_argument_group("which part of the library (not for `marks`)"))


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "cache" if options.what in ("pairs", "passages", "clusters") else "read"


def run(session: CommandSession) -> int:
    """Write sentences, hits, pairs, clusters, labels or vectors to a file."""
    options = session.options
    if (options.query is None) == (options.what == "hits"):
        raise UsageError("`export hits` needs a query, and other exports take none", 'Use `export hits "QUERY"`.')
    _reject_unrelated_options(session)
    refuse_to_overwrite_documents(session, options.output)
    if options.what in _EXPORTERS:
        return _EXPORTERS[options.what](session)
    where = build_scope(session)
    with sentence_files.open_occurrence_writer(options.output) as write:
        written = session.wait(session.workspace.export.export_occurrences(write, where))
    return _print_written(session, written, "sentence")


def _reject_unrelated_options(session: CommandSession) -> None:
    """Refuse options that would be ignored.

    Raises:
        UsageError: an option does not apply to this export.
    """
    options, known = session.options, CommandParser(add_help=False)
    add_options(known)
    strays = [
        flag
        for name, (flag, of) in _OPTION_EXPORTS.items()
        if options.what not in of and getattr(options, name) != known.get_default(name)
    ]
    if strays:
        raise UsageError(
            "`export {what}` does not take {strays}", "Omit it.", strays=", ".join(strays), what=options.what
        )


def _export_vectors(session: CommandSession) -> int:
    output = session.options.output
    if Path(output).suffix.lower() != ".npy":
        raise UsageError(
            "{output} does not end in .npy",
            "Vectors are written in NumPy's format: use a name that ends in .npy.",
            output=output,
        )
    vectors = session.wait(session.workspace.export.read_vectors(build_scope(session)))
    with open_atomic(output) as out:
        np.save(out, vectors)
    return _print_written(session, len(vectors), "row")


def _export_hits(session: CommandSession) -> int:
    options = session.options
    request = SearchRequest(
        options.query,
        options.top_k,
        -1.0 if options.min_score is None else options.min_score,
        build_scope(session),
        page_size=options.top_k,
        mode=options.mode,
    )
    result = session.wait(session.workspace.search.find_sentences(request))
    for note in list_notes(result):
        print_note(note)
    write_hits(options.output, result.query, result.hits, result.understood)
    return _print_written(session, len(result.hits), "result")


def _export_pairs(session: CommandSession) -> int:
    count = session.wait(
        session.workspace.duplicates.export_pairs(build_pairs_request(session), session.options.output)
    )
    note_limit(session, count)
    return _print_written(session, count, "pair")


def _export_passages(session: CommandSession) -> int:
    request = build_passages_request(session)
    count = session.wait(session.workspace.repeated_passages.export_passages(request, session.options.output))
    note_limit(session, count)
    return _print_written(session, count, "passage")


def _export_marks(session: CommandSession) -> int:
    marks = session.wait(session.workspace.read(collect_labelled_pairs))
    write_pair_labels(session.options.output, marks)
    return _print_written(session, len(marks), "pair")


def _export_clusters(session: CommandSession) -> int:
    check_suffix(session.options.output, CLUSTER_SUFFIXES)
    themes = session.workspace.clusters
    request = build_clusters_request(session)
    found = session.wait(themes.find(request))
    count = session.wait(themes.export(found, session.options.output, scope=request.scope))
    return _print_written(session, count, "sentence")


def _print_written(session: CommandSession, count: int, thing: str) -> int:
    print_written(count, thing, session.options.output, as_json=session.options.json)
    return 0


_SCOPED_EXPORTS = ("sentences", "hits", "pairs", "passages", "clusters", "vectors")
_DUPLICATES = ("pairs", "passages")


_OPTION_EXPORTS = {
    "mode": ("--mode", ("hits",)),
    "top_k": ("--top-k", ("hits", *_DUPLICATES)),
    "min_sentences": ("--min-sentences", ("passages",)),
    "min_score": ("--min-score", ("hits", "pairs")),
    "max_score": ("--max-score", ("pairs",)),
    "kind": ("--kind", ("pairs",)),
    "across_documents": ("--across-documents", _DUPLICATES),
    "anywhere": ("--anywhere", _DUPLICATES),
    "touching": ("--document", _DUPLICATES),
    "within_document": ("--within-document", _DUPLICATES),
    "unreviewed": ("--unreviewed", ("pairs",)),
    "min_length": ("--min-length", _DUPLICATES),
    "all_passages": ("--all-passages", (*_DUPLICATES, "clusters")),
    "granularity": ("--granularity", ("clusters",)),
    "min_size": ("--min-size", ("clusters",)),
    "within": ("--in", _SCOPED_EXPORTS),
    "collections": ("--collection", _SCOPED_EXPORTS),
    "tags": ("--tag", _SCOPED_EXPORTS),
    "languages": ("--language", _SCOPED_EXPORTS),
}
"""The flag of each option, and the exports that it applies to."""


_EXPORTERS = {
    "hits": _export_hits,
    "pairs": _export_pairs,
    "passages": _export_passages,
    "marks": _export_marks,
    "clusters": _export_clusters,
    "vectors": _export_vectors,
}
