"""The command `keys`: the sentences that represent a document, a part of the library or the hits of a query."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty, as_positive_int
from desktop_app.cli.output import format_count, format_hit_source, print_json, print_line, print_note
from desktop_app.cli.scope_options import add_passage_option, add_scope_options, build_scope, find_one_document
from desktop_app.core.clusters import MAX_KEY_SENTENCE_HITS
from desktop_app.core.errors import UsageError
from desktop_app.core.query import EMPTY_QUERY
from desktop_app.core.result_files import hit_json
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_notes import list_notes

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = (
        "Listed in reading order. The number is the similarity (cosine) to the mean of all sentences, or with --query "
        "to the query."
    )
    parser.add_argument(
        "document", nargs="?", type=as_nonempty, metavar="DOCUMENT", help="id ('#5'), path or file name"
    )
    parser.add_argument(
        "--query", metavar="TEXT", help="key sentences of the results of this search, in the document or part"
    )
    parser.add_argument("--top-k", type=as_positive_int, default=10, metavar="K", help="how many (default: 10)")
    add_passage_option(parser)
    add_scope_options(parser.add_argument_group("which part of the library, instead of a document"))


def run(session: CommandSession) -> int:
    """Print the sentences that represent a document, a part of the library, or the hits of a query there."""
    options = session.options
    scope = build_scope(session)
    if options.document is not None:
        if not scope.is_everything:
            raise UsageError("A document and a part of the library cannot be used together", "Use one of them.")
        scope = replace(scope, document_ids=frozenset({find_one_document(session, options.document)}))
    elif scope.is_everything and options.query is None:
        raise UsageError(
            "`keys` needs a document, a part of the library or a query",
            "Use: keys DOCUMENT; see `kindred keys --help`.",
        )
    among, query = None, EMPTY_QUERY
    if options.query is not None:
        request = SearchRequest(options.query, MAX_KEY_SENTENCE_HITS, scope=scope, page_size=1, mode="both")
        result = session.wait(session.workspace.search.find_sentences(request))
        for note in list_notes(result):
            print_note(note)
        among = [each.sentence_id for each in result.answers]
        query = result.understood if result.is_query_known else EMPTY_QUERY  # the others were found by words
    themes = session.workspace.clusters
    found = session.wait(themes.find_key_sentences(options.top_k, scope=scope, among=among, query=query))
    if options.json:
        print_json({"sentences": [hit_json(hit) for hit in found.sentences], "total": found.total})
    else:
        for hit in found.sentences:
            print_line(f"{hit.score:.3f}  {hit.text}\n       {format_hit_source(hit)}")
        if not found.sentences:
            print_line("There are no sentences here.")
        elif options.query is not None:
            shown = f"; {len(found.sentences):,} are shown" if len(found.sentences) < found.total else ""
            shown += ", the others say much the same" if len(found.sentences) < min(options.top_k, found.total) else ""
            print_line(f"{format_count(found.total, 'sentence')} found close to the query{shown}")
    return 0
