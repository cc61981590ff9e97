"""Writes clusters to files: CSV, JSON lines or Markdown, one line per sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.atomic_files import check_suffix, open_writer
from desktop_app.core.escaping import CsvWriter, escape_markdown, to_json_line
from desktop_app.core.locations import format_source
from desktop_app.core.messages import Message
from desktop_app.core.result_files import PLACE_COLUMNS, hit_json, place_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import IO

    from desktop_app.core.clusters import Cluster
    from desktop_app.core.records import Hit

    ClusterWriter = Callable[[Cluster | None, Sequence[Hit]], None]

CLUSTER_SUFFIXES = (".csv", ".jsonl", ".md")
"""Suffixes of files that clusters can be written to; `.markdown` is accepted too."""

_HINT = Message("Topics are written to .jsonl, .csv or .md.")
_COLUMNS = (
    *("cluster_id", "cluster", "keywords", "size", "documents", "new", "pinned"),
    *("is_key", "closeness", "sentence_id", *PLACE_COLUMNS),
)


def check_cluster_suffix(file: str) -> str:
    """Return the suffix of a file that clusters can be written to.

    Raises:
        UsageError: the suffix is not supported.
    """
    return check_suffix(file, CLUSTER_SUFFIXES, _HINT)


def cluster_writer(file: str) -> AbstractContextManager[ClusterWriter]:
    """Open a function that writes sentences of a cluster, or of none, in the format of the file's suffix.

    A hit's `score` is its cosine with the centre of its cluster. The sentences of a cluster may come in several calls.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    writers = {".jsonl": _jsonl_writer, ".csv": _csv_writer, ".md": _markdown_writer}
    return open_writer(file, writers, _HINT)


def _jsonl_writer(out: IO[str]) -> ClusterWriter:
    def write(cluster: Cluster | None, hits: Sequence[Hit]) -> None:
        for hit in hits:
            about = {
                "cluster_id": cluster.cluster_id if cluster is not None else None,
                "cluster": cluster.name if cluster is not None else None,
                "keywords": list(cluster.keywords) if cluster is not None else [],
                "size": cluster.size if cluster is not None else None,
                "documents": cluster.documents if cluster is not None else None,
                "new": cluster.new if cluster is not None else None,
                "pinned": cluster.pinned if cluster is not None else None,
                "is_key": _is_key(cluster, hit),
                "closeness": hit.score if cluster is not None else None,
            }
            row = {key: value for key, value in hit_json(hit).items() if key not in ("rank", "score", "matched_by")}
            out.write(to_json_line(about | row))

    return write


def _csv_writer(out: IO[str]) -> ClusterWriter:
    table = CsvWriter(out)
    table.write_row(_COLUMNS)

    def write(cluster: Cluster | None, hits: Sequence[Hit]) -> None:
        for hit in hits:
            own: tuple[object, ...] = (None,) * 7
            if cluster is not None:
                sizes = (cluster.size, cluster.documents, cluster.new, int(cluster.pinned))
                own = (cluster.cluster_id, cluster.name, _join_keywords(cluster), *sizes)
            closeness = hit.score if cluster is not None else None
            table.write_row((*own, int(_is_key(cluster, hit)), closeness, hit.sentence_id, *place_cells(hit)))

    return write


def _markdown_writer(out: IO[str]) -> ClusterWriter:
    headed: list[int] = []

    def write(cluster: Cluster | None, hits: Sequence[Hit]) -> None:
        number = cluster.cluster_id if cluster is not None else -1
        if number not in headed[-1:]:
            name = "Unassigned" if cluster is None else cluster.name or "Untitled"
            out.write(f"{chr(10) if headed else ''}## {escape_markdown(name)}\n\n")
            if cluster is not None:
                about = [f"{cluster.size} sentences in {cluster.documents} documents"]
                about += [f"{cluster.new} new"] * bool(cluster.new) + ["pinned"] * cluster.pinned
                out.write(f"{', '.join(about)}. {escape_markdown(_join_keywords(cluster))}\n\n")
            headed.append(number)
        for hit in hits:
            text = f"**{escape_markdown(hit.text)}**" if _is_key(cluster, hit) else escape_markdown(hit.text)
            out.write(f"- {text} ({escape_markdown(format_source(hit))})\n")

    return write


def _is_key(cluster: Cluster | None, hit: Hit) -> bool:
    return cluster is not None and any(key.sentence_id == hit.sentence_id for key in cluster.key_sentences)


def _join_keywords(cluster: Cluster) -> str:
    return ", ".join(cluster.keywords)
