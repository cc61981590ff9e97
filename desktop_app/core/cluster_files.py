"""Writes clusters to files: tables, JSON lines or Markdown, one line per sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.core.escaping import escape_markdown, to_json_line
from desktop_app.core.export_files import TABLE_SUFFIXES, open_export
from desktop_app.core.locations import format_location, format_source
from desktop_app.core.result_files import PLACE_COLUMNS, hit_json, place_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import IO

    from desktop_app.core.clusters import BroadCluster, Cluster
    from desktop_app.core.export_files import TableWriter
    from desktop_app.core.records import Hit

    ClusterWriter = Callable[[Cluster | None, Sequence[Hit]], None]

CLUSTER_SUFFIXES = (*TABLE_SUFFIXES, ".jsonl", ".md")
"""Suffixes of files that clusters can be written to; `.markdown` is accepted too."""

_COLUMNS = (
    *("cluster_id", "cluster", "broad_id", "broad", "keywords", "size", "documents", "new", "pinned"),
    *("is_key", "closeness", "sentence_id", *PLACE_COLUMNS),
)


def describe_cluster_size(cluster: Cluster) -> str:
    """Return how many sentences and documents a cluster has, how many are new, and whether it is pinned, in English."""
    about = [f"{_format_count(cluster.size, 'sentence')} in {_format_count(cluster.documents, 'document')}"]
    return ", ".join(about + [f"{cluster.new} new"] * bool(cluster.new) + ["pinned"] * cluster.pinned)


@dataclass(frozen=True, slots=True)
class ClusterTexts:
    """The texts of clusters in files for people; the English of the command line by default.

    Attributes:
        describe_size: returns how many sentences and documents a cluster has.
        locate: returns the place of a hit; empty if it has none.
        unassigned: the heading of the sentences without a cluster.
        untitled: the heading of a cluster without a name.
    """

    describe_size: Callable[[Cluster], str] = describe_cluster_size
    locate: Callable[[Hit], str] = format_location
    unassigned: str = "Unassigned"
    untitled: str = "Untitled"


ENGLISH_CLUSTER_TEXTS = ClusterTexts()


def cluster_writer(
    file: str,
    broad: Iterable[BroadCluster] = (),
    words: ClusterTexts = ENGLISH_CLUSTER_TEXTS,
    is_abandoned: Callable[[], bool] = lambda: False,
) -> AbstractContextManager[ClusterWriter]:
    """Open a function that writes sentences of a cluster, or of none, in the format of the file's suffix.

    A hit's `score` is its cosine with the centre of its cluster. The sentences of a cluster may come in several calls,
    and the clusters of a broad one come one after the other.

    Args:
        file: its path.
        broad: the broad clusters that the clusters belong to.
        words: the texts of Markdown files.
        is_abandoned: as of `open_export`.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    names = {each.broad_id: each.name for each in broad}
    markdown = partial(_markdown_writer, broad_names=names, words=words)
    by_suffix = {".jsonl": partial(_jsonl_writer, broad_names=names), ".md": markdown}
    return open_export(file, by_suffix, partial(_table_writer, broad_names=names), is_abandoned)


def _jsonl_writer(out: IO[str], broad_names: Mapping[int, str]) -> ClusterWriter:
    def write(cluster: Cluster | None, hits: Sequence[Hit]) -> None:
        for hit in hits:
            about = {
                "cluster_id": cluster.cluster_id if cluster is not None else None,
                "cluster": cluster.name if cluster is not None else None,
                "broad_id": cluster.broad if cluster is not None else None,
                "broad": _broad_name(cluster, broad_names),
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


def _table_writer(table: TableWriter, broad_names: Mapping[int, str]) -> ClusterWriter:
    table.write_row(_COLUMNS)

    def write(cluster: Cluster | None, hits: Sequence[Hit]) -> None:
        for hit in hits:
            own: tuple[object, ...] = (None,) * 9
            if cluster is not None:
                names = (cluster.cluster_id, cluster.name, cluster.broad, _broad_name(cluster, broad_names))
                sizes = (cluster.size, cluster.documents, cluster.new, int(cluster.pinned))
                own = (*names, _join_keywords(cluster), *sizes)
            closeness = hit.score if cluster is not None else None
            table.write_row((*own, int(_is_key(cluster, hit)), closeness, hit.sentence_id, *place_cells(hit)))

    return write


def _markdown_writer(out: IO[str], broad_names: Mapping[int, str], words: ClusterTexts) -> ClusterWriter:
    headed: list[int] = []
    broad_headed: list[int] = []

    def write_heading(cluster: Cluster | None) -> None:
        out.write("\n" if headed else "")
        if cluster is None:  # in no broad cluster either
            out.write(f"{'#' if broad_headed else '##'} {words.unassigned}\n\n")
            return
        broad = cluster.broad
        if broad is not None and broad in broad_names and broad not in broad_headed[-1:]:
            out.write(f"# {escape_markdown(broad_names[broad] or words.untitled)}\n\n")
            broad_headed.append(broad)
        out.write(f"## {escape_markdown(cluster.name or words.untitled)}\n\n")
        out.write(f"{words.describe_size(cluster)}. {escape_markdown(_join_keywords(cluster))}\n\n")

    def write(cluster: Cluster | None, hits: Sequence[Hit]) -> None:
        number = cluster.cluster_id if cluster is not None else -1
        if number not in headed[-1:]:
            write_heading(cluster)
            headed.append(number)
        for hit in hits:
            text = f"**{escape_markdown(hit.text)}**" if _is_key(cluster, hit) else escape_markdown(hit.text)
            out.write(f"- {text} ({escape_markdown(format_source(hit, words.locate))})\n")

    return write


def _is_key(cluster: Cluster | None, hit: Hit) -> bool:
    return cluster is not None and any(key.sentence_id == hit.sentence_id for key in cluster.key_sentences)


def _broad_name(cluster: Cluster | None, broad_names: Mapping[int, str]) -> str | None:
    return broad_names.get(cluster.broad) if cluster is not None and cluster.broad is not None else None


def _format_count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _join_keywords(cluster: Cluster) -> str:
    return ", ".join(cluster.keywords)
