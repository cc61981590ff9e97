"""Rows of a library as the records of the domain, and records in the form of rows.

Every kind of library stores these columns under the same names; only the database differs.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from desktop_app.core.annotations import Annotation, places_from_json
from desktop_app.core.bibliography import Reference, kind_of_type, split_authors
from desktop_app.core.clusters import StoredCluster
from desktop_app.core.duplicates import PairLabel
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.reader_events import SentenceSpan
from desktop_app.core.records import Document, FileCopy, Hit, ModelInfo, Occurrence, Place
from desktop_app.core.sentence_corrections import hash_text
from desktop_app.core.stored_text import display_title, to_storable_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.reader_events import OmittedText
    from desktop_app.core.records import DocumentState, KindReason, PassageKind, ScoredSentence, SpanKind
    from desktop_app.core.sentence_corrections import CorrectedRange

AnyRow: TypeAlias = Any
"""A row of a query's result, with the columns as attributes; its type differs between SQLAlchemy 2.0 and 2.1."""

COPY_COLUMNS = ("path", "size_bytes", "mtime_ns", "stamp", "volume", "added_at")
"""Columns of `document` and `file_copy` that tell of a file."""
HALFWAY: tuple[DocumentState, ...] = ("reading", "embedding")
"""States of a document while it is imported."""
UNDER_WAY, STOPPED = "under way", "stopped"
"""States of a switch to another model."""

MIN_DOCUMENTS = 8
"""A sentence in so many documents, which are not copies of each other, is boilerplate."""
MIN_PAGES, _PAGE_SHARE = 5, 0.3
"""So is one on so many pages of a document, and on such a share of them."""
_COPY_SHARE = 0.6
"""A document with such a share of sentences that others repeat is a copy or a draft of them: it is not counted."""

_UNIT_TOLERANCE = 1e-3
_MAX_OMITTED = 50_000
"""Characters of text that was left out on purpose; more of a document is only counted."""


def places_from_row(row: AnyRow) -> tuple[Place, ...]:
    """Return the places of an occurrence's row."""
    first = Place(row.page, row.start, row.stop, row.unit, row.line, row.last_line)
    return (first, *(Place(*place) for place in json.loads(row.more))) if row.more else (first,)


def pack_place(place: Place) -> list[int | str | None]:
    """Return a place as a JSON list; `Place(*packed)` restores it."""
    lines = (place.line, place.last_line) if place.line is not None else ()
    return [place.page, place.start, place.stop, place.unit, *lines]


def occurrence_from_row(row: AnyRow, document_id: int, path: str) -> Occurrence:
    """Return an occurrence from its row, which includes the sentence's text."""
    return Occurrence(
        sentence_id=row.sentence_id,
        text=row.text,
        document_id=document_id,
        path=path,
        ordinal=row.ordinal,
        paragraph=row.paragraph,
        kind=row.kind,
        places=places_from_row(row),
        passage=row.passage,
        reason=row.reason or "",
    )


def stored_decision(
    layout: SpanKind, passage: PassageKind | None, reason: KindReason
) -> tuple[str | None, KindReason | None]:
    """Return what a passage is and why, as it is stored: NULL where it is what its layout says."""
    return (None if passage == layout else passage), (None if reason in ("", "layout") else reason)


class SentenceRepetitions:
    """Counts of the sentences that occur several times, over documents and over the pages of each."""

    def __init__(self) -> None:
        self._versions: dict[int, list[int]] = defaultdict(list)  # of each sentence in many documents
        self._sizes: dict[int, int] = {}
        self._shared: Counter[int] = Counter()
        self._on_pages: set[tuple[int, int]] = set()

    def add(self, rows: Iterable[tuple[int, int, int, int, int | None, int]]) -> None:
        """Add rows of `_REPEATED`; all those of a sentence come together."""
        counts: dict[int, dict[int, int]] = defaultdict(dict)
        for sentence_id, version_id, count, pages, page_count, sentences in rows:
            counts[sentence_id][version_id] = count
            self._sizes[version_id] = sentences
            if pages >= max(MIN_PAGES, _PAGE_SHARE * (page_count or 0)):
                self._on_pages.add((sentence_id, version_id))
        for sentence_id, versions in counts.items():
            if len(versions) >= MIN_DOCUMENTS:
                self._versions[sentence_id] = list(versions)
                self._shared.update(versions)

    def boilerplate(self) -> set[tuple[int, int]]:
        """Return (sentence id, version id) of all boilerplate."""
        copies = {version for version, shared in self._shared.items() if shared > _COPY_SHARE * self._sizes[version]}
        found = set(self._on_pages)
        for sentence_id, versions in self._versions.items():
            if len(versions) - len(copies.intersection(versions)) >= MIN_DOCUMENTS:
                found.update((sentence_id, version) for version in versions)
        return found


def assert_unit_rows(vectors: NDArray[np.float32], rows: int, dim: int) -> None:
    """Raise ValueError unless `vectors` are float32 [rows, dim], each of length 1."""
    if vectors.shape != (rows, dim) and not (rows == 0 and vectors.size == 0):
        raise ValueError(f"vectors have the shape {vectors.shape} instead of ({rows}, {dim})")
    if rows and not have_unit_length(vectors).all():
        raise ValueError("vectors are not of length 1")


def have_unit_length(vectors: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return for each row of `vectors`, float32 [n, dim], whether its length is 1: bool [n]; false for NaN too."""
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
        found: NDArray[np.bool_] = np.abs(lengths - 1.0) <= _UNIT_TOLERANCE
    return found


def omissions_to_text(omitted: Sequence[OmittedText]) -> str:
    """Return the words that were left out, and the first texts, as they are stored."""
    if not omitted:
        return ""
    texts: list[list[str | int | None]] = []
    characters = 0
    for each in omitted:
        characters += len(each.text)
        if characters > _MAX_OMITTED:
            break
        texts.append([each.kind, each.page, to_storable_text(each.text)])
    return json.dumps([sum(len(each.text.split()) for each in omitted), *texts])


def copy_from_row(row: AnyRow) -> FileCopy:
    """Return a copy of a document's file; the paths are decoded."""
    return FileCopy(row.path, row.size_bytes, row.mtime_ns, row.stamp, row.volume, row.added_at)


def has_same_suffix(path: str, other: str) -> bool:
    """Return whether the suffixes of two files are the same, so that their contents are read alike."""
    return PurePath(path).suffix.lower() == PurePath(other).suffix.lower()


def document_from_row(row: AnyRow, copies: tuple[FileCopy, ...] = ()) -> Document:
    """Return a document with the copies of its file; `path` and `name` are decoded."""
    return Document(
        document_id=row.id,
        path=row.path,
        title=display_title(row.own_title, row.title, row.name),
        type=row.type,
        pages=row.page_count,
        sentences=row.sentences,
        state=row.state,
        reason=row.reason,
        message=Message.from_text(row.message) if row.message else NOTHING,
        warnings=_warnings_from_text(row.warnings),
        author=row.author or "",
        dated=row.dated or "",
        encoding=row.encoding,
        size_bytes=row.size_bytes,
        mtime_ns=row.mtime_ns,
        content_hash=row.content_hash,
        added_at=row.added_at,
        truncated=row.truncated or 0,
        ocr=row.ocr,
        volume=row.volume,
        stamp=row.stamp,
        copies=copies,
    )


def _warnings_from_text(stored: str | None) -> tuple[Message, ...]:
    if not stored or stored == "[]":  # as of most documents: a list of 10,000 would be parsed in vain
        return ()
    return tuple(map(Message.from_text, json.loads(stored)))


def reference_from_row(row: AnyRow) -> Reference:
    """Return a document's reference: as a person gave it, else as its file does."""
    title = display_title(row.own_title, row.title, PurePath(row.name).stem)
    if row.item is not None:
        return replace(Reference.from_json(row.item), title=title)
    of_file = Reference(
        kind=kind_of_type(row.type), authors=split_authors(row.own_author or ""), date=row.own_date or ""
    )
    return replace(Reference.from_json(row.about).merge_with(of_file), title=title)


def hit_from_row(row: AnyRow, near: ScoredSentence, rank: int, also_in: int, *, path: str, name: str) -> Hit:
    """Return a hit; `path` and `name` are those of its document's file."""
    return Hit(
        rank=rank,
        score=near.score,
        sentence_id=near.sentence_id,
        text=row.text,
        before=row.before or "",
        after=row.after or "",
        document_id=row.document_id,
        title=display_title(row.own_title, row.title, name),
        path=path,
        type=row.type,
        ordinal=row.ordinal,
        kind=row.kind,
        places=places_from_row(row),
        page_label=row.label,
        also_in=also_in,
        matched_by=near.matched_by,
        is_recognised=row.page_state == "ocr",
        part_scores=near.part_scores,
    )


def model_info_from_row(row: AnyRow) -> ModelInfo:
    """Return the record of a row of `model`."""
    return ModelInfo(row.name, row.fingerprint, row.dim, row.max_length, row.pooling, row.normalised, row.folder)


_BROAD_KEYS = -1
"""The number of key sentences in a row that keeps the name of a broad cluster."""


def cluster_values(cluster: StoredCluster) -> dict[str, object]:
    """Return the column values of a cluster, without its id."""
    return {
        "name": cluster.name,
        "members": cluster.members.astype("<i8").tobytes(),
        "own_name": cluster.own_name,
        "pinned": cluster.pinned,
        "dormant": cluster.dormant,
        "keywords": json.dumps(cluster.keywords, ensure_ascii=False),
        "closeness": cluster.closeness.astype("<f4").tobytes(),
        "keys": _BROAD_KEYS if cluster.is_broad else cluster.keys,
        "broad": cluster.broad,
    }


def cluster_from_row(row: AnyRow) -> StoredCluster:
    """Return a cluster."""
    members = np.frombuffer(row.members, "<i8").astype(np.int64)
    closeness = np.frombuffer(row.closeness, "<f4").astype(np.float32)
    if len(closeness) != len(members):  # stored before `closeness` existed
        closeness = np.zeros(len(members), np.float32)
    return StoredCluster(
        cluster_id=row.id,
        name=row.name,
        members=members,
        closeness=closeness,
        own_name=bool(row.own_name),
        pinned=bool(row.pinned),
        dormant=bool(row.dormant),
        keywords=tuple(json.loads(row.keywords)),
        keys=max(0, row.keys),
        broad=row.broad,
        is_broad=row.keys == _BROAD_KEYS,
    )


def pair_key(a: str, b: str) -> tuple[bytes, bytes]:
    """Return the key of a pair of texts: the same in either order."""
    first, second = sorted((hash_text(a), hash_text(b)))
    return first, second


def neighbours_type(k: int) -> np.dtype[np.void]:
    """Return the type of a row of stored neighbours."""
    return np.dtype([("ids", "<i8", (k,)), ("scores", "<f4", (k,))])


def label_from_row(row: AnyRow) -> PairLabel:
    """Return the label of a pair."""
    return PairLabel(row.text_a, row.text_b, row.reviewed, row.same, row.marked_at)


def span_of(found: Occurrence) -> SentenceSpan:
    """Return an occurrence as a reader returned it."""
    return SentenceSpan(found.text, found.places, found.paragraph, found.kind, found.passage, found.reason)


def restore_originals(cuts: list[CorrectedRange], batches: Iterable[list[Occurrence]]) -> Iterator[list[SentenceSpan]]:
    """Yield the sentences of a document as they were read, batch by batch.

    Args:
        cuts: the corrected ranges, in order.
        batches: the sentences as they are now, in order.
    """
    left = cuts[::-1]
    until = 0  # ordinals below this one are covered by originals already yielded
    for batch in batches:
        spans: list[SentenceSpan] = []
        for each in batch:
            while left and left[-1].first <= each.ordinal:
                cut = left.pop()
                spans += cut.originals
                until = max(until, cut.first + cut.count)
            if each.ordinal >= until:
                spans.append(span_of(each))
        yield spans
    if left:
        yield [span for cut in reversed(left) for span in cut.originals]


def annotation_from_row(row: AnyRow, source: Mapping[str, Any]) -> Annotation:
    """Return a highlight or note.

    Args:
        row: of the table `annotation`.
        source: title, path and type of its document; empty if they are not needed.
    """
    try:
        place: dict[str, Any] = places_from_json(row.place)
    except ValueError:
        place = {}  # the doctor says so; the words are still there
    return Annotation(
        row.id,
        row.document_id,
        row.text,
        row.comment,
        row.colour,
        row.origin,
        row.kind,
        author=row.author,
        created_at=row.created_at,
        changed_at=row.changed_at,
        page_label=row.label,
        key=row.key,
        **source,
        **place,
    )


def pack_spans(spans: Sequence[SentenceSpan]) -> str:
    """Return sentences as JSON."""
    return json.dumps(
        [
            [to_storable_text(span.text), [pack_place(place) for place in span.places], span.paragraph, span.kind]
            for span in spans
        ]
    )


def unpack_spans(content: str) -> tuple[SentenceSpan, ...]:
    """Return the sentences of such JSON."""
    return tuple(
        SentenceSpan(text, tuple(Place(*place) for place in places), paragraph, kind, *decide_kind(kind, text))
        for text, places, paragraph, kind in json.loads(content)
    )


def pack_numbers(numbers: array[float]) -> bytes:
    """Return numbers as float32 little-endian."""
    numbers = array("f", numbers)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def unpack_numbers(content: bytes) -> array[float]:
    """Return the numbers of such bytes."""
    numbers = array("f", content)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
