"""Writes search hits to files: CSV, JSON lines, Markdown or HTML."""

from __future__ import annotations

import csv
import html
import json
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.atomic_files import open_atomic_text
from desktop_app.core.errors import UsageError
from desktop_app.core.json_rows import hit_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

    from desktop_app.core.records import Hit

_COLUMNS = ("rank", "score", "percentile", "matched_by", "text", "title", "path", "page", "start", "stop", "unit")


def write_hits(file: str, query: str, hits: Sequence[Hit]) -> None:
    """Write hits in the format of the file's suffix.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    suffix = Path(file).suffix.lower()
    writers = {
        ".jsonl": _write_jsonl,
        ".csv": _write_csv,
        ".md": _write_markdown,
        ".markdown": _write_markdown,
        ".html": _write_html,
        ".htm": _write_html,
    }
    if suffix not in writers:
        raise UsageError(
            "{file} has the extension {suffix}" if suffix else "{file} has no file extension",
            "Hits are written to .jsonl, .csv, .md or .html.",
            file=file,
            suffix=suffix,
        )
    with open_atomic_text(file) as out:
        writers[suffix](out, query, hits)


def _write_jsonl(out: IO[str], query: str, hits: Sequence[Hit]) -> None:
    out.writelines(json.dumps({"query": query, **hit_json(hit)}, ensure_ascii=False) + "\n" for hit in hits)


def _write_csv(out: IO[str], query: str, hits: Sequence[Hit]) -> None:
    table = csv.writer(out)
    table.writerow(_COLUMNS)
    for hit in hits:
        first = hit.places[0]
        found_by, where = " ".join(hit.matched_by), (first.page, first.start, first.stop, first.unit)
        table.writerow((hit.rank, hit.score, hit.percentile, found_by, hit.text, hit.title, hit.path, *where))


def _format_source(hit: Hit) -> str:
    page = hit.places[0].page
    return f"{hit.title}, p. {hit.page_label or page}" if page else hit.title


def _write_markdown(out: IO[str], query: str, hits: Sequence[Hit]) -> None:
    out.write(f"# {query}\n")
    out.writelines(f"\n> {hit.text}\n>\n> {_format_source(hit)} ({hit.score:.3f})\n" for hit in hits)


def _write_html(out: IO[str], query: str, hits: Sequence[Hit]) -> None:
    title = html.escape(query)
    out.write(f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n<h1>{title}</h1>\n')
    for hit in hits:
        out.write(
            f"<blockquote><p>{html.escape(hit.text)}</p>"
            f"<footer>{html.escape(_format_source(hit))} ({hit.score:.3f})</footer></blockquote>\n"
        )
