"""The command `search`: one query or a file of queries, ranking sentences or documents."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.cli import sentence_files
from desktop_app.cli.argument_types import TableHelpFormatter, as_positive_int, as_score
from desktop_app.cli.output import escape_unprintable, format_hit_source, print_json, print_line, print_note
from desktop_app.cli.scope_options import add_scope_options, build_scope
from desktop_app.core.errors import BadData, UsageError
from desktop_app.core.formats import TYPES
from desktop_app.core.query import split_list
from desktop_app.core.result_files import format_part_scores, hit_json, parts_json
from desktop_app.core.same_names import tell_names_apart
from desktop_app.core.sentence_differences import describe_badge
from desktop_app.engine.requests import DocumentSearchResult, SearchRequest, SearchResult
from desktop_app.engine.search_notes import CHANCE_NOTE, list_notes
from desktop_app.engine.search_run import parse_request

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.query import Query
    from desktop_app.core.records import DocumentHit, Hit
    from desktop_app.core.scope import Scope

_MIN_SCORE_HELP = "minimum similarity (not used with --mode words)"


_SEARCH_EPILOG = """\
in a query:
  "exact phrase"     must include exactly this phrase
  ~"some words"      must include these words, in any form
  begin*             must include a word that begins like this
  (this OR that)     must include one of these; also `this AND that`, `NOT this`
  +word  -word       must include this word; must not include it (also before a phrase)
  title:word         only documents with this word in the title
  author:name        only documents whose author has this name
  year:2019          only documents of this year (also 2015-2019)
  in:folder          only in this folder or file (name or path)
  collection:name    only in this collection
  tag:word           only documents with this tag
  type:pdf           only this type of document, or files with this ending; type:pdf,docx: either
  language:de        only documents in this language (also lang:, and lang:de,fr)
  after:2024-05      only documents dated then or later, by their own metadata, else by their file; before: earlier
  kind:note          only highlights and notes; kind:sentence: only sentences of documents
  with:references    include reference lists, which are excluded by default (also --references)
  this - that        results about the first but not the second; `this + that`: about both
  this | that        several searches at once, ranked by the better score; with match:all (or --match all) by the \
worse, for results that match all of them
Everything else is searched for. Put `--` before a query that starts with a dash. The queries of a file \
(--queries) are plain text.

scores:
  of a sentence: similarity in meaning (cosine), also for results found by words; with --mode words BM25+
  of a document (--by document): by meaning half its best sentence and half the mean of all; by words BM25; by both \
the sum of the two on one scale, where 0 is the mean of the documents compared
  of several searches at once: the best, or with --match all the weakest; each is shown in square brackets
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.formatter_class = TableHelpFormatter
    parser.epilog = _SEARCH_EPILOG
    parser.add_argument("query", nargs="?", metavar="QUERY")
    parser.add_argument("--queries", metavar="FILE.tsv", help="a file of queries: id<TAB>text on each line, no header")
    parser.add_argument(
        "--mode",
        choices=("meaning", "words", "both"),
        default="both",
        help="search by meaning, by words or by both (default: both)",
    )
    match_help = "of several queries (`this | that`), find results that match any or all of them (default: any)"
    parser.add_argument("--match", choices=("any", "all"), help=match_help)
    parser.add_argument("--top-k", type=as_positive_int, default=10, metavar="K", help="how many (default: 10)")
    parser.add_argument("--min-score", type=as_score, default=-1.0, metavar="S", help=_MIN_SCORE_HELP)
    add_scope_options(parser)
    parser.add_argument("--type", dest="types", action="append", default=[], metavar="TYPE", help=", ".join(TYPES))
    parser.add_argument("--references", action="store_true", help="include reference lists")
    parser.add_argument(
        "--by",
        choices=("sentence", "document"),
        default="sentence",
        help="rank sentences or whole documents (default: sentence)",
    )
    against = "compare the results with those of another model; without a query, for the saved searches"
    parser.add_argument("--against", metavar="MODEL", help=against)
    parser.add_argument(
        "--rerank", metavar="MODEL", help="re-rank the top results with a cross-encoder (name or folder)"
    )
    parser.add_argument(
        "--format", choices=("text", "trec"), default="text", help="output format of --queries (default: text)"
    )


def run(session: CommandSession) -> int:
    """Search, and print the hits."""
    options = session.options
    if options.json and options.format == "trec":
        raise UsageError("--format trec is a format of its own, not JSON", "Omit --json, or --format trec.")
    if options.against:
        return _compare_models(session)
    if (options.query is None) == (options.queries is None):
        raise UsageError("`search` needs a query or --queries FILE", "Put the query in quotes.")
    if options.format == "trec" and (options.queries is None or options.by != "document"):
        raise UsageError("--format trec ranks documents for many queries", "Add --queries FILE.tsv --by document.")
    if options.rerank and options.by == "document":
        raise UsageError("--rerank works on sentences, not on documents", "Omit --by document.")
    if options.match and options.queries is not None:
        raise UsageError("--match needs a query with bars; those of a file are plain text", "Omit --match.")
    if options.queries is not None:
        return _search_many(session)
    request = _build_request(session, options.query, _build_search_scope(session))
    if options.by == "document":
        by_document = session.wait(session.workspace.search.find_documents(request))
        spelling = _suggest_spelling(session, request)
        if options.json:
            rows = [_document_json(hit, by_document.understood) for hit in by_document.hits]
            print_json(
                {
                    "query": options.query,
                    "mode": by_document.mode,
                    "seconds": round(by_document.seconds, 4),
                    "hits": rows,
                    "notes": list_notes(by_document, spelling),
                }
            )
        else:
            _print_documents(by_document)
            _print_notes(by_document, spelling=spelling)
        return 0
    result, scores = _search_and_rerank(session, request)
    spelling = _suggest_spelling(session, request)
    if options.json:
        rows = _hits_json(result, scores)
        seconds = round(result.seconds, 4)
        print_json(
            {
                "query": options.query,
                "mode": result.mode,
                "seconds": seconds,
                "hits": rows,
                "notes": list_notes(result, spelling),
            }
        )
        return 0
    if result.is_chance_level:
        print_line(CHANCE_NOTE)
    names = {hit.path: f"{hit.title}\n{os.path.basename(hit.path)}" for hit in result.hits}
    apart = tell_names_apart(names)
    for place, hit in enumerate(result.hits):
        score = f"{scores[place]:.3f} ({hit.score:.3f})" if scores else f"{hit.score:.3f}"
        source = format_hit_source(hit, is_path_whole=apart[hit.path] != names[hit.path])
        print_line(
            f"{score}  {hit.text}\n       {source}{_format_part_scores(hit, result.understood)}"
            f"{_format_differences(hit)}{_format_lifting_words(hit)}"
        )
    if not result.hits:
        print_line(_explain_no_hits(result))
    _print_notes(result, spelling=spelling)
    return 0


def _compare_models(session: CommandSession) -> int:
    """Print what another model finds for the query, those of a file, or without either the saved searches."""
    options = session.options
    if options.queries is not None and options.query is not None:
        raise UsageError("A query and --queries FILE cannot be used together", "Use one of them.")
    if options.rerank or options.format == "trec":
        raise UsageError("--against shows the results of both models as they are", "Omit --rerank and --format.")
    within: dict[SearchRequest, str] = {}
    if options.queries is not None or options.query is not None:
        texts = [options.query] if options.queries is None else [text for _, text in _read_queries(options.queries)]
        scope = _build_search_scope(session)
        searches = [_build_request(session, text, scope) for text in texts]
        if options.min_score > -1 or options.by == "document":
            print_note("note: models are compared sentence by sentence, without minimum similarity")
    elif not _build_search_scope(session).is_everything:
        raise UsageError(
            "Saved searches have their own filters",
            "Give a query in quotes, or omit the options for a part of the library.",
        )
    else:
        saved = session.wait(
            session.workspace.read(lambda library: library.user_data.saved_searches(), by_person=False)
        )
        by_meaning = [each for each in saved if each.mode != "words"]  # searches for words use no model
        searches = [SearchRequest(each.text, scope=each.scope, mode=each.mode) for each in by_meaning]
        within = {
            search: ", ".join(part.name for part in each.parts)
            for search, each in zip(searches, by_meaning, strict=True)
            if each.parts
        }
        if names := ", ".join(escape_unprintable(each.name) for each in saved if each.mode == "words"):
            print_note(f"note: skipped, as searches by words do not depend on the model: {names}")
        if names := ", ".join(escape_unprintable(each.name) for each in by_meaning if each.min_score > -1):
            print_note(f"note: compared without their minimum similarity: {names}")
        if not searches:
            raise UsageError("There are no saved searches to compare the models with", "Give a query in quotes.")
    found = session.wait(session.workspace.model_comparison.run(searches, options.against, options.top_k))
    if options.json:
        rows = [
            {
                "query": each.query,
                "in": within.get(each.search, ""),
                "shared": each.shared_fraction,
                "before": [hit_json(hit) for hit in each.before],
                "after": [hit_json(hit) | {"moved": each.rank_change(hit)} for hit in each.after],
            }
            for each in found.queries
        ]
        print_json({"before": found.before, "after": found.after, "queries": rows, "sentences": found.sentences})
        return 0
    for each in found.queries:
        for remark in parse_request(each.search)[0].remarks:
            print_note(str(remark))
        where_in = f"  [{escape_unprintable(within[each.search])}]" if each.search in within else ""
        stays = "nothing found" if each.is_empty else f"{100 * each.shared_fraction:.0f}% of the results stay"
        print_line(f"{each.query}{where_in}  ({stays})")
        for hit in each.after:
            moved = each.rank_change(hit)
            sign = "new" if moved is None else f"+{moved}" if moved > 0 else str(moved) if moved else "="
            print_line(f"  {hit.rank:>2}  {sign:>4}  {hit.score:.3f}  {hit.text}")
        for hit in each.lost_hits:
            print_line(f"      gone  {hit.score:.3f}  {hit.text}")
    print_line(f"before: {found.before}; after: {found.after}")
    return 0


def _search_and_rerank(
    session: CommandSession, request: SearchRequest, key: str | None = "search"
) -> tuple[SearchResult, list[float]]:
    """Return the result of a search and, with `--rerank`, the scores of the cross-encoder."""
    model = session.options.rerank
    if not model:
        return session.wait(session.workspace.search.find_sentences(request, key=key)), []
    from desktop_app.engine.reranking import RERANK_DEPTH

    looked_at = max(RERANK_DEPTH, request.top_k)
    wider = replace(request, top_k=looked_at, page_size=looked_at)
    result = session.wait(session.workspace.search.find_sentences(wider, key=key))
    reranked = session.wait(session.workspace.reranking.rerank(result, model, request.top_k))
    return replace(result, hits=reranked.hits), list(reranked.scores)


def _format_differences(hit: Hit) -> str:
    """Return how a close hit differs from the query nevertheless; mostly empty."""
    return "".join(f"  [differs in {describe_badge(badge)}]" for badge in hit.badges)


def _format_lifting_words(hit: Hit) -> str:
    """Return why a hit stands above a higher score; empty if it does not."""
    return f"  [words matched: {', '.join(hit.lifted_by)}]" if hit.lifted_by else ""


def _format_part_scores(hit: Hit | DocumentHit, query: Query) -> str:
    """Return the scores of a result for each of several queries; empty for a single query."""
    scores = format_part_scores(hit, query)
    return f"  [{escape_unprintable(scores)}]" if scores else ""


def _hits_json(result: SearchResult, scores: Sequence[float]) -> list[dict[str, Any]]:
    """Return the hits of a search as JSON values, with what reranking adds to each."""
    rows = [hit_json(hit, result.understood) for hit in result.hits]
    return [row | {"rerank_score": score} for row, score in zip(rows, scores, strict=True)] if scores else rows


def _suggest_spelling(session: CommandSession, request: SearchRequest) -> str:
    """Return another spelling of the query, also where it led to a search by words; empty if there is none."""
    if request.mode == "words":
        return ""
    return session.wait(session.workspace.search.suggest_spelling(request.query))


def _print_notes(result: SearchResult | DocumentSearchResult, query_id: str = "", spelling: str = "") -> None:
    for text in list_notes(result, spelling):
        if text != CHANCE_NOTE or query_id:  # for a single query it is printed above the hits
            print_note(f"{query_id}: {text}" if query_id else text)


def _explain_no_hits(result: SearchResult | DocumentSearchResult) -> str:
    """Return why there are no hits."""
    if not result.searchable:
        return "The library is empty. Import documents first: `kindred import PATH`."
    if result.understood.is_empty:
        if not result.query:
            return "The query is empty. Add a word or a sentence to search for."
        return "The query has only conditions. Add a word or a sentence to search for."
    return "Nothing found." if result.scope.has_every_document else "Nothing found in this part of the library."


def _document_json(hit: DocumentHit, query: Query) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "score": hit.score,
        "document_id": hit.document_id,
        "title": hit.title,
        "path": hit.path,
        "best": [hit_json(best, query) for best in hit.best],
        "parts": parts_json(hit.part_scores, query),
    }


def _build_request(session: CommandSession, query: str, scope: Scope) -> SearchRequest:
    options = session.options
    return SearchRequest(
        query,
        options.top_k,
        options.min_score,
        scope,
        page_size=options.top_k,
        mode=options.mode,
        # Queries of a file are plain text: their quotes and dashes are not operators.
        has_operators=options.queries is None,
        best=0 if options.format == "trec" else 3,
        references=options.references,
        is_match_all=None if options.match is None else options.match == "all",
    )


def _build_search_scope(session: CommandSession) -> Scope:
    """Return where to search: each `--in` adds documents, `--type` and `--language` narrow."""
    types = [kind for value in session.options.types for kind in split_list(value)]
    for kind in types:
        if kind not in TYPES:
            raise UsageError(
                "There is no document type {kind}", "Types are {types}.", kind=kind, types=", ".join(TYPES)
            )
    where = build_scope(session)
    return replace(where, types=frozenset(types))


def _search_many(session: CommandSession) -> int:
    options = session.options
    scope = _build_search_scope(session)
    queries = list(_read_queries(options.queries))
    answers: list[dict[str, Any]] = []
    for query_id, text in queries:
        request = _build_request(session, text, scope)
        if options.by == "document":
            by_document = session.wait(session.workspace.search.find_documents(request, key=None))
            _print_notes(by_document, query_id)
            if options.format == "trec":
                _print_trec_run(query_id, by_document.hits)
                continue
            rows = [_document_json(hit, by_document.understood) for hit in by_document.hits]
        else:
            found, scores = _search_and_rerank(session, request, key=None)
            _print_notes(found, query_id)
            rows = _hits_json(found, scores)
        if options.json:
            answers.append({"id": query_id, "query": text, "hits": rows})
        else:
            for row in rows:
                what = row["title"] if options.by == "document" else row["text"]
                print_line(f"{query_id}\t{row['rank']}\t{row['score']:.4f}\t{escape_unprintable(what)}")
    if options.json:
        print_json({"mode": options.mode, "queries": answers})
    return 0


def _read_queries(file: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(sentence_files.read_lines(file), start=1):
        if not line.strip():
            continue
        query_id, tab, text = line.partition("\t")
        if not tab or not query_id.strip() or " " in query_id.strip():
            raise BadData(
                "{file}, line {number} is not id<TAB>text",
                "Give each query an id without spaces.",
                file=file,
                number=number,
            )
        yield query_id.strip(), text


def _print_trec_run(query_id: str, hits: tuple[DocumentHit, ...]) -> None:
    """Print the lines of a TREC run file; a stem shared by two documents is ranked once, at its best."""
    seen: set[str] = set()
    for hit in hits:
        stem = "_".join(Path(hit.path).stem.split())
        if stem not in seen:
            seen.add(stem)
            print_line(f"{query_id} Q0 {escape_unprintable(stem)} {len(seen)} {hit.score:.6f} kindred")


def _print_documents(result: DocumentSearchResult) -> None:
    for hit in result.hits:
        scores = _format_part_scores(hit, result.understood)
        print_line(f"{hit.score:.3f}  {escape_unprintable(hit.title)}  {escape_unprintable(hit.path)}{scores}")
        for best in hit.best:
            print_line(f"         {best.score:.3f}  {best.text}")
    if not result.hits:
        print_line(_explain_no_hits(result))
