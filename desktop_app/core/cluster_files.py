"""Themes in files: CSV, JSON lines or Markdown, a line for each sentence."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import UsageError
from desktop_app.core.json_rows import hit_json
from desktop_app.core.pair_files import escaped
from desktop_app.core.writing import text_written_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import IO

    from desktop_app.core.insight import Cluster
    from desktop_app.core.records import Hit

    Part = tuple[Cluster | None, Sequence[Hit]]

CLUSTER_SUFFIXES = (".csv", ".jsonl", ".md")
"""Endings of files that themes are written to; `.markdown` is taken too."""

_COLUMNS = (
    *("cluster_id", "cluster", "keywords", "is_key", "closeness", "sentence_id", "text"),
    *("title", "path", "page", "start", "stop", "unit"),
)


def check_suffix(file: str) -> str:
    """Return the ending of a file that themes can be written to.

    Raises:
        UsageError: the ending is none of ours.
    """
    suffix = Path(file).suffix.lower()
    if suffix not in (*CLUSTER_SUFFIXES, ".markdown"):
        raise UsageError(f"{file} ends in {suffix or 'nothing'}", "Themes are written to .jsonl, .csv or .md.")
    return suffix


def write_clusters(file: str, parts: Iterable[Part]) -> int:
    """Write (theme, its sentences), or (None, sentences in no theme), as they come; returns how many sentences.

    A hit's `score` is its cosine with the centre of its theme.

    Raises:
        UsageError: the ending is none of ours.
        StorageFull: the file cannot be written.
    """
    writers = {".jsonl": _jsonl, ".csv": _csv, ".md": _markdown, ".markdown": _markdown}
    write = writers[check_suffix(file)]
    with text_written_whole(file) as out:
        return write(out, parts)


def _jsonl(out: IO[str], parts: Iterable[Part]) -> int:
    count = 0
    for cluster, hits in parts:
        for hit in hits:
            about = {
                "cluster_id": cluster.cluster_id if cluster is not None else None,
                "cluster": cluster.name if cluster is not None else None,
                "is_key": _is_key(cluster, hit),
                "closeness": hit.score if cluster is not None else None,
            }
            row = {key: value for key, value in hit_json(hit).items() if key not in ("rank", "score", "matched_by")}
            out.write(json.dumps(about | row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _csv(out: IO[str], parts: Iterable[Part]) -> int:
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    count = 0
    for cluster, hits in parts:
        for hit in hits:
            first = hit.places[0]
            own = (None, None, None) if cluster is None else (cluster.cluster_id, cluster.name, _words(cluster))
            closeness = hit.score if cluster is not None else None
            where = (hit.title, hit.path, first.page, first.start, first.stop, first.unit)
            table.writerow((*own, int(_is_key(cluster, hit)), closeness, hit.sentence_id, hit.text, *where))
            count += 1
    return count


def _markdown(out: IO[str], parts: Iterable[Part]) -> int:
    count = 0
    headed: int | None = None
    for cluster, hits in parts:
        number = cluster.cluster_id if cluster is not None else -1
        if number != headed:
            name = "Unclustered" if cluster is None else cluster.name or "Without a name"
            out.write(f"{'' if headed is None else chr(10)}## {escaped(name)}\n\n")
            if cluster is not None:
                out.write(f"{cluster.size} sentences in {cluster.documents} documents. {escaped(_words(cluster))}\n\n")
            headed = number
        for hit in hits:
            text = f"**{escaped(hit.text)}**" if _is_key(cluster, hit) else escaped(hit.text)
            page = hit.places[0].page
            source = f"{hit.title}, p. {hit.page_label or page}" if page else hit.title
            out.write(f"- {text} ({escaped(source)})\n")
            count += 1
    return count


def _is_key(cluster: Cluster | None, hit: Hit) -> bool:
    return cluster is not None and any(key.sentence_id == hit.sentence_id for key in cluster.key_sentences)


def _words(cluster: Cluster) -> str:
    return ", ".join(cluster.keywords)
