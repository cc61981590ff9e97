"""Writes the repeated passages of a library to files: tables, JSON lines, Markdown or HTML."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.escaping import escape_html, escape_markdown, to_json_line
from desktop_app.core.export_files import write_export
from desktop_app.core.locations import format_extent
from desktop_app.core.result_files import places_json
from desktop_app.core.same_names import tell_names_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import IO

    from desktop_app.core.duplicates import AlignedSentences, PassagePlace, RepeatedPassage
    from desktop_app.core.export_files import TableWriter
    from desktop_app.core.records import Hit

    Spans = tuple[tuple[int, int], ...]

_COLUMNS = (
    *("passage", "place", "sentences", "overlap", "title", "path", "first_page", "last_page", "start", "stop", "unit"),
    *("begins", "ends", "text"),
)


def format_passage_sources(passage: RepeatedPassage, locate: Callable[[Hit, Hit], str] = format_extent) -> list[str]:
    """Return where a passage begins and ends in each place, with its document and file; in English by default.

    Documents of the same title in files of the same name are told apart by a folder.
    """
    firsts = [place.sentences[0] for place in passage.places]
    keys = {hit.path: f"{hit.title} ({os.path.basename(hit.path)})" for hit in firsts}
    apart = tell_names_apart(keys)
    found = []
    for place, first in zip(passage.places, firsts, strict=True):
        file, folder = os.path.basename(first.path), apart[first.path].removeprefix(keys[first.path])
        where = ", ".join(filter(None, ((first.title or file) + folder, locate(first, place.sentences[-1]))))
        found.append(f"{where} ({file})" if first.title else where)
    return found


def _sentence_json(hit: Hit | None) -> dict[str, Any] | None:
    if hit is None:
        return None
    return {"sentence_id": hit.sentence_id, "text": hit.text, "ordinal": hit.ordinal, **places_json(hit.places)}


def passage_json(passage: RepeatedPassage, rank: int) -> dict[str, Any]:
    """Return a passage as JSON values."""
    return {
        "rank": rank,
        "sentences": passage.sentences,
        "overlap": passage.least_overlap,
        "places": [_place_json(place) for place in passage.places],
    }


def _place_json(place: PassagePlace) -> dict[str, Any]:
    first = place.sentences[0]
    return {
        "document_id": first.document_id,
        "title": first.title,
        "path": first.path,
        "overlap": place.overlap,
        "sentences": [_sentence_json(hit) for hit in place.sentences],
        "differences": [
            {
                "first": _sentence_json(row.a),
                "here": _sentence_json(row.b),
                "differs_first": [list(span) for span in row.differs_a],
                "differs_here": [list(span) for span in row.differs_b],
            }
            for row in place.rows
            if row.is_changed
        ],
    }


@dataclass(frozen=True, slots=True)
class PassageTexts:
    """The texts of passages in files for people; the English of the command line by default.

    Attributes:
        title: of the whole file.
        describe: returns how long a passage is and in how many places.
        describe_overlap: returns how many words a place has in common with the first; empty for the first.
        locate: returns where a passage begins and ends by its first and last sentence.
    """

    title: str = "Repeated passages"
    describe: Callable[[RepeatedPassage], str] = lambda passage: describe_passage(passage)
    describe_overlap: Callable[[PassagePlace], str] = lambda place: describe_overlap(place)
    locate: Callable[[Hit, Hit], str] = format_extent


ENGLISH_PASSAGE_TEXTS = PassageTexts()


def write_passages(file: str, passages: Sequence[RepeatedPassage], words: PassageTexts = ENGLISH_PASSAGE_TEXTS) -> None:
    """Write passages in the format of the file's suffix.

    Raises:
        UsageError: the suffix is not supported.
        StorageFull: the file cannot be written.
    """
    writers = {".jsonl": _write_jsonl, ".md": _write_markdown, ".html": _write_html}
    write_export(file, writers, _write_table, passages, words)


def _write_jsonl(out: IO[str], passages: Sequence[RepeatedPassage], _words: PassageTexts) -> None:
    out.writelines(to_json_line(passage_json(passage, rank)) for rank, passage in enumerate(passages, start=1))


def _write_table(table: TableWriter, passages: Sequence[RepeatedPassage], _words: PassageTexts) -> None:
    table.write_row(_COLUMNS)
    for rank, passage in enumerate(passages, start=1):
        for number, place in enumerate(passage.places, start=1):
            first, last = place.sentences[0], place.sentences[-1]
            begin, end = first.places[0], last.places[-1]
            extent = (begin.page, end.page, begin.start, end.stop, begin.unit)
            text = " ".join(hit.text for hit in place.sentences)
            size = (len(place.sentences), place.overlap)
            table.write_row((rank, number, *size, first.title, first.path, *extent, first.text, last.text, text))


def describe_passage(passage: RepeatedPassage) -> str:
    """Return how long a passage is and in how many places, in English."""
    sentences = f"{passage.sentences} sentence" + "s" * (passage.sentences > 1)
    return f"{sentences} in {len(passage.places)} places"


def describe_overlap(place: PassagePlace) -> str:
    """Return how many words a place has in common with the first, rounded down: 100% are all. Empty for the first."""
    return f"{int(100 * place.overlap)}% of the words identical" if place.rows else ""


def mark_differences(row: AlignedSentences) -> tuple[tuple[Hit | None, Spans], tuple[Hit | None, Spans]]:
    """Return both sentences of a row, each with the words (start, stop) that the other copy does not have."""
    if row.a is not None and row.b is not None:
        return (row.a, row.differs_a), (row.b, row.differs_b)
    whole = [((0, len(hit.text)),) if hit is not None else () for hit in (row.a, row.b)]
    return (row.a, whole[0]), (row.b, whole[1])


def list_marks(passage: RepeatedPassage) -> list[list[tuple[Hit, Spans]]]:
    """Return the sentences of each place with the words (start, stop) that another copy does not have.

    In the first place these are the words that any of the others lacks, elsewhere those that the first lacks.
    """
    first: dict[int, set[tuple[int, int]]] = {hit.ordinal: set() for hit in passage.places[0].sentences}
    marked: list[list[tuple[Hit, Spans]]] = []
    for place in passage.places[1:]:
        own: list[tuple[Hit, Spans]] = []
        for row in place.rows:
            (a, differs_a), (b, differs_b) = mark_differences(row)
            if a is not None:
                first[a.ordinal].update(differs_a)
            if b is not None:
                own.append((b, differs_b))
        marked.append(own)
    return [[(hit, _join_spans(first[hit.ordinal])) for hit in passage.places[0].sentences], *marked]


def _join_spans(spans: Iterable[tuple[int, int]]) -> Spans:
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return tuple(joined)


def _marked_text(sentences: Sequence[tuple[Hit, Spans]], escape: Callable[[str], str], mark: tuple[str, str]) -> str:
    """Return the text of a place with marks around words."""
    return " ".join(_marked_sentence(hit.text, spans, escape, mark) for hit, spans in sentences)


def _marked_sentence(text: str, spans: Spans, escape: Callable[[str], str], mark: tuple[str, str]) -> str:
    pieces, at = [], 0
    for start, stop in (*spans, (len(text), len(text))):
        between = text[at:start]
        # Escaping trims blanks.
        blanks = between[: len(between) - len(between.lstrip())], between[len(between.rstrip()) :]
        pieces.append(blanks[0] + escape(between) + blanks[1] if between.strip() else between)
        pieces.append(mark[0] + escape(text[start:stop]) + mark[1] if stop > start else "")
        at = stop
    return "".join(pieces)


def _write_markdown(out: IO[str], passages: Sequence[RepeatedPassage], words: PassageTexts) -> None:
    for rank, passage in enumerate(passages, start=1):
        out.write(f"{'' if rank == 1 else chr(10)}## {rank}. {words.describe(passage)}\n")
        places = zip(passage.places, format_passage_sources(passage, words.locate), list_marks(passage), strict=True)
        for place, source, sentences in places:
            about = ", ".join(filter(None, (source, words.describe_overlap(place))))
            text = _marked_text(sentences, escape_markdown, ("**", "**"))
            out.write(f"\n> {text}\n>\n> {escape_markdown(about)}\n")


def _write_html(out: IO[str], passages: Sequence[RepeatedPassage], words: PassageTexts) -> None:
    title = escape_html(words.title)
    out.write(f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n<h1>{title}</h1>\n')
    for rank, passage in enumerate(passages, start=1):
        out.write(f"<h2>{rank}. {escape_html(words.describe(passage))}</h2>\n")
        places = zip(passage.places, format_passage_sources(passage, words.locate), list_marks(passage), strict=True)
        for place, source, sentences in places:
            about = ", ".join(filter(None, (source, words.describe_overlap(place))))
            text = _marked_text(sentences, escape_html, ("<mark>", "</mark>"))
            out.write(f"<blockquote><p>{text}</p><footer>{escape_html(about)}</footer></blockquote>\n")
