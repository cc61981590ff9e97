"""Writes highlights and notes to files: Markdown (with citations), tables or JSON lines."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from desktop_app.core.annotations import annotation_to_hit, colour_name
from desktop_app.core.bibliography import Reference
from desktop_app.core.citation import cite_hit, format_cited_location
from desktop_app.core.citation_styles import format_in_style
from desktop_app.core.escaping import escape_markdown, to_json_line
from desktop_app.core.export_files import TABLE_SUFFIXES, write_export

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.citation_styles import CitationStyle
    from desktop_app.core.export_files import TableWriter
    from desktop_app.core.records import Hit

ANNOTATION_SUFFIXES = (".md", *TABLE_SUFFIXES, ".jsonl")
"""Suffixes of files that annotations can be written to; `.markdown` is accepted too."""

_COLUMNS = (
    *("document_id", "title", "path", "page", "location", "kind", "origin", "colour", "text", "comment", "author"),
    *("created", "changed"),
)


def annotation_json(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation as JSON values."""
    return {
        "annotation_id": annotation.annotation_id or None,
        "document_id": annotation.document_id,
        "title": annotation.title,
        "path": annotation.path,
        "page": annotation.page,
        "page_label": annotation.page_label,
        "location": format_cited_location(annotation_to_hit(annotation)),
        "kind": annotation.kind,
        "origin": annotation.origin,
        "colour": annotation.colour or None,
        "colour_name": colour_name(annotation.colour) or None,
        "text": annotation.text,
        "comment": annotation.comment,
        "author": annotation.author,
        "created": _moment(annotation.created_at),
        "changed": _moment(annotation.changed_at),
    }


def write_annotations(
    file: str,
    annotations: Sequence[Annotation],
    references: Mapping[int, Reference],
    style: CitationStyle | None = None,
    language: str = "en",
) -> None:
    """Write annotations in the format of the file's suffix.

    Args:
        file: its name.
        annotations: those of a document together.
        references: of their documents, by id.
        style: of citations in Markdown; None for author, title and page.
        language: of the terms in a style, `en` or `de`.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    writers: dict[str, Callable[..., None]] = {".jsonl": _write_jsonl, ".md": _write_markdown}
    write_export(file, writers, _write_table, annotations, references, style, language)


def format_markdown(
    annotations: Sequence[Annotation],
    references: Mapping[int, Reference],
    style: CitationStyle | None = None,
    language: str = "en",
    locate: Callable[[Hit], str] = format_cited_location,
) -> str:
    """Return annotations as Markdown: a heading for each document, marked words as quotes, comments as text.

    Args:
        annotations: those of a document together.
        references: of their documents, by id.
        style: of citations; with one, a list of references follows. None for the page alone.
        language: of the terms in a style, `en` or `de`.
        locate: returns the place of a hit in words.
    """
    lines: list[str] = []
    cites, entries = _cite(annotations, references, style, language, locate)
    by_document = groupby(zip(annotations, cites, strict=True), key=lambda each: each[0].document_id)
    for document_id, group in by_document:
        members = list(group)
        first = members[0][0]
        reference = references.get(document_id) or Reference(title=first.title or PurePath(first.path).name)
        lines += [f"## {escape_markdown(reference.title or PurePath(first.path).name)}", ""]
        if about := ", ".join(filter(None, (reference.author_line, reference.date[:4]))):
            lines += [escape_markdown(about), ""]
        for annotation, cite in members:
            lines += [*_to_markdown(annotation, cite), ""]
    if entries:
        heading = "Literatur" if language == "de" else "References"
        lines += [f"## {heading}", "", *(f"- {escape_markdown(entry)}" for entry in entries), ""]
    return "\n".join(lines)


def _to_markdown(annotation: Annotation, cite: str) -> list[str]:
    comment = [escape_markdown(line) for line in annotation.comment.splitlines()]
    where = f" ({escape_markdown(cite)})" if cite and not cite.startswith("(") else f" {escape_markdown(cite)}".rstrip()
    if not annotation.text:
        return [*comment[:-1], f"{comment[-1] if comment else ''}{where}".strip()]
    quoted = f"> {escape_markdown(annotation.text)}{where}"
    return [quoted, "", *comment] if comment else [quoted]


def _cite(
    annotations: Sequence[Annotation],
    references: Mapping[int, Reference],
    style: CitationStyle | None,
    language: str,
    locate: Callable[[Hit], str],
) -> tuple[list[str], list[str]]:
    """Return a citation for each annotation, and the entries of the list of references."""
    hits = [annotation_to_hit(each) for each in annotations]
    if style is None or not hits:
        return [locate(hit) for hit in hits], []
    cited = [cite_hit(hit, references.get(hit.document_id), locate(hit)) for hit in hits]
    return format_in_style([(each.reference, each.unit, each.number) for each in cited], style, language)


def _write_markdown(
    out: IO[str],
    annotations: Sequence[Annotation],
    references: Mapping[int, Reference],
    style: CitationStyle | None,
    language: str,
) -> None:
    out.write(format_markdown(annotations, references, style, language))


def _write_table(table: TableWriter, annotations: Sequence[Annotation], *_rest: object) -> None:
    table.write_row(_COLUMNS)
    for each in map(annotation_json, annotations):
        table.write_row(each["colour_name" if name == "colour" else name] for name in _COLUMNS)


def _write_jsonl(out: IO[str], annotations: Sequence[Annotation], *_rest: object) -> None:
    out.writelines(to_json_line(annotation_json(each)) for each in annotations)


def _moment(seconds: float) -> str | None:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(timespec="seconds") if seconds else None
