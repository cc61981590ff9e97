"""The commands `clusters` and `keys`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.cli.output import format_count, print_json, print_line
from desktop_app.cli.search import build_scope, format_location
from desktop_app.core.clusters import MAX_KEY_SENTENCE_HITS, ClustersRequest
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.json_rows import hit_json
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.requests import SearchRequest

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.clusters import Cluster


def run_clusters(session: CommandSession) -> int:
    """Say what the library is about."""
    options = session.options
    found = session.wait(session.workspace.clusters.find(build_clusters_request(session)))
    if options.json:
        print_json(
            {
                "clusters": [cluster_json(cluster) for cluster in found.clusters],
                "unclustered": list(found.unclustered),
                "granularity": found.granularity,
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    for cluster in found.clusters:
        sizes = f"{format_count(cluster.size, 'sentence')} in {format_count(cluster.documents, 'document')}"
        print_line(f"{cluster.cluster_id:>5}  {cluster.name or 'without a name'}  ({sizes})")
        for hit in cluster.key_sentences:
            print_line(f"         {hit.text}")
    loose = f"{len(found.unclustered):,} unclustered"
    print_line(f"{format_count(len(found.clusters), 'cluster')}, {loose}, granularity {found.granularity:g}")
    return 0


def build_clusters_request(session: CommandSession) -> ClustersRequest:
    """Return which themes the options ask for."""
    options = session.options
    return ClustersRequest(options.granularity, options.min_size, build_scope(session))


def cluster_json(cluster: Cluster) -> dict[str, Any]:
    """Return a cluster as the command line's contract names it."""
    return {
        "id": cluster.cluster_id,
        "name": cluster.name,
        "keywords": list(cluster.keywords),
        "size": cluster.size,
        "documents": cluster.documents,
        "pinned": cluster.pinned,
        "new": cluster.new,
        "key_sentences": [hit_json(hit) for hit in cluster.key_sentences],
        "sentence_ids": list(cluster.sentence_ids),
    }


def run_keys(session: CommandSession) -> int:
    """Say the sentences that carry a document, a part of the library, or what a search finds there."""
    options = session.options
    scope = build_scope(session)
    if options.document is not None:
        if scope != EVERYTHING:
            raise UsageError("A document and a part of the library exclude each other", "Name one of them.")
        scope = Scope(document_ids=frozenset({find_one_document(session, options.document)}))
    elif scope == EVERYTHING and options.query is None:
        raise UsageError(
            "`keys` takes a document, a part of the library or a query", "Say keys DOCUMENT, or see `keys --help`."
        )
    among = None
    if options.query is not None:
        request = SearchRequest(options.query, MAX_KEY_SENTENCE_HITS, scope=scope, page_size=1)
        among = [each.sentence_id for each in session.wait(session.workspace.search.find_sentences(request)).found]
    themes = session.workspace.clusters
    found = session.wait(themes.find_key_sentences(options.top_k, scope=scope, among=among))
    if options.json:
        print_json({"sentences": [hit_json(hit) for hit in found.sentences]})
    else:
        for hit in found.sentences:
            print_line(f"{hit.score:.3f}  {hit.text}\n       {format_location(hit)}")
        if not found.sentences:
            print_line("There are no sentences here.")
    return 0


def find_one_document(session: CommandSession, name: str) -> int:
    """Return the id of the one document that `name` means.

    Raises:
        NotFound: there is none.
        UsageError: there are several.
    """
    found = session.find_documents(name)
    if not found:
        raise NotFound(f"No document is named {name}", "`documents` lists what there is.")
    if len(found) > 1:
        raise UsageError(f"{name} means {len(found)} documents", "Name one: `documents` lists their ids.")
    return found[0].document_id
