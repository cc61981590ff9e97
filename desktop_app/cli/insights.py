"""The commands on the library as a whole: `clusters` and `keys`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.cli.output import answer, counted, say
from desktop_app.cli.searches import where, within
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.insight import ClustersRequest
from desktop_app.core.json_rows import hit_json
from desktop_app.core.scope import Scope

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
    """Say the sentences that carry a document."""
    options = session.options
    scope = Scope(document_ids=frozenset({one_document(session, options.document)}))
    found = session.wait(session.workspace.analysing.themes.key_sentences(options.top_k, scope=scope))
    if options.json:
        answer({"sentences": [hit_json(hit) for hit in found.sentences]})
    else:
        for hit in found.sentences:
            say(f"{hit.score:.3f}  {hit.text}\n       {where(hit)}")
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
