"""The commands on the library as a whole: `clusters` and `keys`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.cli.output import answer, counted, say
from desktop_app.cli.searches import where, within
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.insight import MOST_TELLING, ClustersRequest
from desktop_app.core.json_rows import hit_json
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.requests import SearchRequest

if TYPE_CHECKING:
    from desktop_app.cli.session import Session
    from desktop_app.core.insight import Cluster


def clusters(session: Session) -> int:
    """Say what the library is about."""
    options = session.options
    found = session.wait(session.workspace.analysing.themes.clusters(clusters_request(session)))
    if options.json:
        answer(
            {
                "clusters": [cluster_json(cluster) for cluster in found.clusters],
                "unclustered": list(found.unclustered),
                "granularity": found.granularity,
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    for cluster in found.clusters:
        sizes = f"{counted(cluster.size, 'sentence')} in {counted(cluster.documents, 'document')}"
        say(f"{cluster.cluster_id:>5}  {cluster.name or 'without a name'}  ({sizes})")
        for hit in cluster.key_sentences:
            say(f"         {hit.text}")
    loose = f"{len(found.unclustered):,} unclustered"
    say(f"{counted(len(found.clusters), 'cluster')}, {loose}, granularity {found.granularity:g}")
    return 0


def clusters_request(session: Session) -> ClustersRequest:
    """Return which themes the options ask for."""
    options = session.options
    return ClustersRequest(options.granularity, options.min_size, within(session))


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


def keys(session: Session) -> int:
    """Say the sentences that carry a document, a part of the library, or what a search finds there."""
    options = session.options
    scope = within(session)
    if options.document is not None:
        if scope != EVERYTHING:
            raise UsageError("A document and a part of the library exclude each other", "Name one of them.")
        scope = Scope(document_ids=frozenset({one_document(session, options.document)}))
    elif scope == EVERYTHING and options.query is None:
        raise UsageError(
            "`keys` takes a document, a part of the library or a query", "Say keys DOCUMENT, or see `keys --help`."
        )
    among = None
    if options.query is not None:
        request = SearchRequest(options.query, MOST_TELLING, scope=scope, page_size=1)
        among = [each.sentence_id for each in session.wait(session.workspace.search(request)).found]
    themes = session.workspace.analysing.themes
    found = session.wait(themes.key_sentences(options.top_k, scope=scope, among=among))
    if options.json:
        answer({"sentences": [hit_json(hit) for hit in found.sentences]})
    else:
        for hit in found.sentences:
            say(f"{hit.score:.3f}  {hit.text}\n       {where(hit)}")
        if not found.sentences:
            say("There are no sentences here.")
    return 0


def one_document(session: Session, name: str) -> int:
    """Return the id of the one document that `name` means.

    Raises:
        NotFound: there is none.
        UsageError: there are several.
    """
    found = session.wait(session.workspace.find_documents(name))
    if not found:
        raise NotFound(f"No document is named {name}", "`documents` lists what there is.")
    if len(found) > 1:
        raise UsageError(f"{name} means {len(found)} documents", "Name one: `documents` lists their ids.")
    return found[0].document_id
