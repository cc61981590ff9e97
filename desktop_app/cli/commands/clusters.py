"""The command `clusters`: groups of similar sentences, with names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_app.cli.argument_types import as_positive_float, as_positive_int
from desktop_app.cli.output import format_count, print_json, print_line
from desktop_app.cli.scope_options import add_passage_option, add_scope_options, build_scope
from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.result_files import hit_json

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.clusters import BroadCluster, Cluster


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    group = parser.add_argument_group("which topics")
    add_cluster_options(group)
    add_scope_options(group)
    add_passage_option(group)


def add_cluster_options(group: argparse._ArgumentGroup) -> None:
    """Add the options that choose clusters."""
    group.add_argument(
        "--granularity",
        type=as_positive_float,
        metavar="G",
        help="larger numbers give more topics (default: chosen for the library)",
    )
    group.add_argument("--min-size", type=as_positive_int, metavar="N", help="fewest sentences of a topic (default: 5)")


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "cache"


def run(session: CommandSession) -> int:
    """Print the clusters."""
    options = session.options
    found = session.wait(session.workspace.clusters.find(build_clusters_request(session)))
    if options.json:
        print_json(
            {
                "clusters": [cluster_json(cluster) for cluster in found.clusters],
                "broad": [broad_json(broad) for broad in found.broad],
                "unclustered": list(found.unclustered),
                "granularity": found.granularity,
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    clusters = {cluster.cluster_id: cluster for cluster in found.clusters}
    for broad in found.broad:
        topics = format_count(len(broad.cluster_ids), "topic")
        print_line(f"{broad.name}  ({topics}, {_format_sizes(broad)})")
        for cluster_id in broad.cluster_ids:
            _print_cluster(clusters.pop(cluster_id))
    for cluster in clusters.values():
        _print_cluster(cluster)
    loose = f"{len(found.unclustered):,} sentences without a topic"
    total = format_count(len(found.clusters), "topic")
    if found.broad:
        total += f" in {format_count(len(found.broad), 'broad topic')}"
    print_line(f"{total}, {loose}, granularity {found.granularity:g}")
    return 0


def _print_cluster(cluster: Cluster) -> None:
    print_line(f"{cluster.cluster_id:>5}  {cluster.name or 'untitled'}  ({_format_sizes(cluster)})")
    for hit in cluster.key_sentences:
        print_line(f"         {hit.text}")


def _format_sizes(found: Cluster | BroadCluster) -> str:
    return f"{format_count(found.size, 'sentence')} in {format_count(found.documents, 'document')}"


def build_clusters_request(session: CommandSession) -> ClustersRequest:
    """Return the request for the clusters that the options choose."""
    options = session.options
    return ClustersRequest(options.granularity, options.min_size, build_scope(session))


def cluster_json(cluster: Cluster) -> dict[str, Any]:
    """Return a cluster with the documented JSON keys."""
    return {
        "id": cluster.cluster_id,
        "name": cluster.name,
        "keywords": list(cluster.keywords),
        "size": cluster.size,
        "documents": cluster.documents,
        "pinned": cluster.pinned,
        "new": cluster.new,
        "broad": cluster.broad,
        "key_sentences": [hit_json(hit) for hit in cluster.key_sentences],
        "sentence_ids": list(cluster.sentence_ids),
    }


def broad_json(broad: BroadCluster) -> dict[str, Any]:
    """Return a broad cluster with the documented JSON keys."""
    return {
        "id": broad.broad_id,
        "name": broad.name,
        "own_name": broad.own_name,
        "size": broad.size,
        "documents": broad.documents,
        "clusters": list(broad.cluster_ids),
    }
