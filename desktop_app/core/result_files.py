"""Writes hits and pairs of sentences to files: tables, JSON lines, Markdown or HTML."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop_app.core.escaping import escape_html, escape_markdown, to_json_line
from desktop_app.core.export_files import open_export, write_export
from desktop_app.core.locations import format_location, format_source
from desktop_app.core.query import EMPTY_QUERY
from desktop_app.core.same_names import tell_hits_apart
from desktop_app.core.sentence_differences import describe_badge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from typing import IO

    from desktop_app.core.duplicates import Pair
    from desktop_app.core.export_files import TableWriter
    from desktop_app.core.query import Query
    from desktop_app.core.records import DocumentHit, Hit, Place

    PairWriter = Callable[[Sequence[Pair]], None]
    """Writes some more pairs of a library, best first."""

PLACE_COLUMNS = ("text", "title", "path", "page", "start", "stop", "unit")
"""The columns of `place_cells`."""

_HIT_COLUMNS = ("rank", "score", "percentile", "matched_by", *PLACE_COLUMNS)

_PAIR_COLUMNS = (
    *("score", "percentile", "kind", "badges", "folded", "reviewed", "same"),
    *(f"{name}_{side}" for side in "ab" for name in PLACE_COLUMNS),
)


def places_json(places: Sequence[Place]) -> dict[str, Any]:
    """Return the places of a sentence: the first one, its lines in a text file, and all of them."""
    first = places[0]
    return {
        "page": first.page,
        "start": first.start,
        "stop": first.stop,
        "lines": [first.line, places[-1].last_line] if first.line is not None else None,
        "places": [
            {"page": place.page, "start": place.start, "stop": place.stop, "unit": place.unit} for place in places
        ],
    }


def parts_json(part_scores: Sequence[float | None], query: Query) -> list[dict[str, Any]]:
    """Return the scores of a result for each of several queries as JSON values; empty for a single query."""
    if not part_scores:
        return []
    return [{"query": part.plain_text, "score": score} for part, score in zip(query.parts, part_scores, strict=True)]


def hit_json(hit: Hit, query: Query = EMPTY_QUERY) -> dict[str, Any]:
    """Return a hit of a query as JSON values."""
    return {
        "rank": hit.rank,
        "score": hit.score,
        "percentile": hit.percentile,
        "matched_by": list(hit.matched_by),
        "sentence_id": hit.sentence_id,
        "text": hit.text,
        "before": hit.before,
        "after": hit.after,
        "document_id": hit.document_id,
        "title": hit.title,
        "path": hit.path,
        **places_json(hit.places),
        "also_in": hit.also_in,
        "page_label": hit.page_label,
        "kind": hit.kind,
        "colour": hit.colour or None,
        "badges": list(hit.badges),
        "lifted_by": list(hit.lifted_by),
        "ocr": hit.is_recognised,
        "parts": parts_json(hit.part_scores, query),
    }


def pair_json(pair: Pair, rank: int) -> dict[str, Any]:
    """Return a pair as JSON values."""
    return {
        "score": pair.score,
        "percentile": pair.percentile,
        "kind": pair.kind,
        "badges": list(pair.badges),
        "a": hit_json(pair.a) | {"rank": rank},
        "b": hit_json(pair.b) | {"rank": rank},
        "folded": pair.folded,
        "reviewed": pair.reviewed,
        "same": pair.same,
    }


def place_cells(hit: Hit) -> tuple[object, ...]:
    """Return a hit's cells in a table, as named by PLACE_COLUMNS."""
    first = hit.places[0]
    return hit.text, hit.title, hit.path, first.page, first.start, first.stop, first.unit


def format_part_scores(hit: Hit | DocumentHit, query: Query) -> str:
    """Return the score of a result for each of several queries; empty for a single query."""
    return ", ".join(
        f"{part['query']} {'-' if part['score'] is None else format(part['score'], '.3f')}"
        for part in parts_json(hit.part_scores, query)
    )


def write_hits(file: str, title: str, hits: Sequence[Hit], query: Query = EMPTY_QUERY) -> None:
    """Write hits of a query under a title in the format of the file's suffix.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    writers = {".jsonl": _write_jsonl, ".md": _write_markdown, ".html": _write_html}
    write_export(file, writers, _write_table, title, hits, query)


def _write_jsonl(out: IO[str], title: str, hits: Sequence[Hit], query: Query) -> None:
    out.writelines(to_json_line({"query": title, **hit_json(hit, query)}) for hit in hits)


def _write_table(table: TableWriter, _title: str, hits: Sequence[Hit], query: Query) -> None:
    table.write_row((*_HIT_COLUMNS, *(f"score: {part.plain_text}" for part in query.parts)))
    for hit in hits:
        found = (hit.rank, hit.score, hit.percentile, " ".join(hit.matched_by), *place_cells(hit))
        table.write_row((*found, *hit.part_scores))


def _format_score(hit: Hit, query: Query) -> str:
    return "; ".join(filter(None, (f"{hit.score:.3f}", format_part_scores(hit, query))))


def _write_markdown(out: IO[str], title: str, hits: Sequence[Hit], query: Query) -> None:
    out.write(f"# {escape_markdown(title)}\n")
    out.writelines(
        f"\n> {escape_markdown(hit.text)}\n>\n"
        f"> {escape_markdown(format_source(hit))} ({escape_markdown(_format_score(hit, query))})\n"
        for hit in tell_hits_apart(hits)
    )


def _write_html(out: IO[str], title: str, hits: Sequence[Hit], query: Query) -> None:
    title = escape_html(title)
    out.write(f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n<h1>{title}</h1>\n')
    for hit in tell_hits_apart(hits):
        out.write(
            f"<blockquote><p>{escape_html(hit.text)}</p>"
            f"<footer>{escape_html(format_source(hit))} ({escape_html(_format_score(hit, query))})</footer>"
            "</blockquote>\n"
        )


def describe_pair(pair: Pair) -> str:
    """Return how similar a pair is, its kind and its differences, in English."""
    badges = "".join(f", differs in {describe_badge(badge)}" for badge in pair.badges)
    folded = f", +{pair.folded} that differ only in numbers" if pair.folded else ""
    return f"{pair.score:.3f}, {pair.kind}{badges}{folded}"


@dataclass(frozen=True, slots=True)
class PairTexts:
    """The texts of pairs in files for people; the English of the command line by default.

    Attributes:
        describe: returns how similar a pair is, its kind and its differences.
        locate: returns the place of a hit; empty if it has none.
    """

    describe: Callable[[Pair], str] = describe_pair
    locate: Callable[[Hit], str] = format_location


ENGLISH_PAIR_TEXTS = PairTexts()


def pair_writer(
    file: str, words: PairTexts = ENGLISH_PAIR_TEXTS, is_abandoned: Callable[[], bool] = lambda: False
) -> AbstractContextManager[PairWriter]:
    """Open a writer for pairs of a library in the format of the file's suffix.

    Args:
        file: its name.
        words: the texts of Markdown files.
        is_abandoned: as of `open_export`.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    markdown = partial(_markdown_pair_writer, words=words)
    return open_export(file, {".jsonl": _jsonl_pair_writer, ".md": markdown}, _table_pair_writer, is_abandoned)


def _jsonl_pair_writer(out: IO[str]) -> PairWriter:
    ranks = itertools.count(1)

    def write(pairs: Sequence[Pair]) -> None:
        out.writelines(to_json_line(pair_json(pair, next(ranks))) for pair in pairs)

    return write


def _table_pair_writer(table: TableWriter) -> PairWriter:
    table.write_row(_PAIR_COLUMNS)

    def write(pairs: Sequence[Pair]) -> None:
        for pair in pairs:
            same = "" if pair.same is None else int(pair.same)
            marks = (" ".join(pair.badges), pair.folded, int(pair.reviewed), same)
            places = (*place_cells(pair.a), *place_cells(pair.b))
            table.write_row((pair.score, pair.percentile, pair.kind, *marks, *places))

    return write


def _markdown_pair_writer(out: IO[str], words: PairTexts) -> PairWriter:
    ranks = itertools.count(1)

    def write(pairs: Sequence[Pair]) -> None:
        for pair in pairs:
            rank = next(ranks)
            out.write(f"{'' if rank == 1 else chr(10)}## {rank}. {words.describe(pair)}\n")
            for hit in tell_hits_apart((pair.a, pair.b)):
                source = escape_markdown(format_source(hit, words.locate))
                out.write(f"\n> {escape_markdown(hit.text)}\n>\n> {source}\n")

    return write
