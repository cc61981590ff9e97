"""The tables of a library for SQLAlchemy; `migrations.py` creates them.

A `document` is a file that a person imported. Each time it is read, its content becomes a `version`; the document's
live version is the visible one. A `sentence` is a distinct text, an `occurrence` one place in a version where it
occurs, an `embedding` its vector. A `segment` is a file with the graph of a range of embeddings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import REAL, ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from desktop_app.core.stored_text import decode_path, encode_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Dialect


class PathText(TypeDecorator[str]):
    """Any path the operating system can return, stored as its bytes; ordered as bytes."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """Return the stored bytes of a path."""
        return None if value is None else encode_path(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], str | None]:
        """Return what decodes the stored bytes of a path.

        SQLAlchemy's own way by `process_result_value` takes twice as long: a list of 10,000 documents has 30,000 paths.
        """
        return _decode_stored_path


def _decode_stored_path(value: Any) -> str | None:
    return None if value is None else decode_path(value)


class Base(DeclarativeBase):
    """Base class of all tables."""


class DocumentRow(Base):
    """A file of the library.

    `live_id` is the visible version, `building_id` the one being imported; during a first import they are the same.
    They are not foreign keys because versions refer back. `sentences` counts the live version's occurrences.
    `removed_at` is 0 while the document is being erased, -1 for what a stopped import left behind.
    """

    __tablename__ = "document"
    __table_args__ = (
        Index("document_live", "live_id", unique=True),
        Index("document_building", "building_id", sqlite_where=text("building_id IS NOT NULL")),
        Index("document_removed", "removed_at", sqlite_where=text("removed_at IS NOT NULL")),
        Index("document_state", "state", "id"),
        Index("document_size", "size_bytes"),
        {"sqlite_autoincrement": True},  # an id is never reused for another document
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(PathText, unique=True)
    name: Mapped[str] = mapped_column(PathText, index=True)
    own_title: Mapped[str]
    state: Mapped[str]
    reason: Mapped[str | None]
    message: Mapped[str]  # Message.to_text
    size_bytes: Mapped[int]
    mtime_ns: Mapped[int]
    added_at: Mapped[float] = mapped_column(REAL)
    removed_at: Mapped[float | None] = mapped_column(REAL)
    live_id: Mapped[int | None]
    building_id: Mapped[int | None]
    sentences: Mapped[int]
    # OCR languages requested for its pages.
    ocr: Mapped[str] = mapped_column(server_default=text("''"), default="")
    # `core.records.Document.volume`; it names a mount point.
    volume: Mapped[str] = mapped_column(PathText, server_default=text("x''"), default="")
    stamp: Mapped[int] = mapped_column(server_default=text("0"), default=0)


class FileCopyRow(Base):
    """A further file of a document, with the same bytes; see `core.records.FileCopy`.

    A trigger deletes rows with their document, and the row of a path that a document takes as its own.
    """

    __tablename__ = "file_copy"
    __table_args__ = (Index("file_copy_document", "document_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(PathText, unique=True)
    name: Mapped[str] = mapped_column(PathText, index=True)
    document_id: Mapped[int]
    size_bytes: Mapped[int]
    mtime_ns: Mapped[int]
    stamp: Mapped[int]
    volume: Mapped[str] = mapped_column(PathText)
    added_at: Mapped[float] = mapped_column(REAL)


class VersionRow(Base):
    """A document's content as it was read once. `content_hash` is NULL when nothing of that content is stored."""

    __tablename__ = "version"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int] = mapped_column(ForeignKey("document.id"), index=True)
    content_hash: Mapped[str | None]
    type: Mapped[str]
    title: Mapped[str]
    author: Mapped[str]
    page_count: Mapped[int | None]
    encoding: Mapped[str | None]
    outline: Mapped[str]  # JSON: [[title, page, level], ...]
    warnings: Mapped[str]  # JSON: [Message.to_text, ...]
    sentences: Mapped[int]
    # Occurrences of sentences that are longer than the current model's input.
    truncated: Mapped[int] = mapped_column(server_default=text("0"))
    # JSON: [words, [kind, page, text], ...]; empty: nothing was left out, or an older program read the file.
    omitted: Mapped[str] = mapped_column(server_default=text("''"), default="")
    # The version of the rules that decided what its passages are; 0: an older program read the file.
    decided: Mapped[int] = mapped_column(server_default=text("0"), default=0)
    # The date in its own metadata (`core.document_dates`), empty for none; NULL: an older program read the file.
    dated: Mapped[str | None]
    # What the file says of its publication (`Reference.to_json`); NULL: an older program read the file.
    about: Mapped[str | None]


class PageRow(Base):
    """A page of a version: its own label, and the state of its text."""

    __tablename__ = "page"
    __table_args__ = ({"sqlite_with_rowid": False},)

    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    page: Mapped[int] = mapped_column(primary_key=True)
    label: Mapped[str | None]
    state: Mapped[str | None]
    engine: Mapped[str | None]
    quality: Mapped[float | None] = mapped_column(REAL)


class RecognisedRow(Base):
    """The OCR result of a page of a version.

    `words` is float32 little-endian, `core.pages.NUMBERS_PER_WORD` each. A trigger deletes the row with its version: an
    older program deletes versions and does not know this table.
    """

    __tablename__ = "recognised"

    version_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    page: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str]
    words: Mapped[bytes] = mapped_column(LargeBinary)


class CorrectionRow(Base):
    """A correction of sentence boundaries, applied whenever the document is read: see `core.sentence_corrections`.

    Sentences are identified by the hashes of their texts; a trigger deletes rows with their document.
    """

    __tablename__ = "correction"
    __table_args__ = ({"sqlite_autoincrement": True},)  # ids give the order of the corrections

    id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int] = mapped_column(index=True)
    action: Mapped[str]
    hash: Mapped[bytes] = mapped_column(LargeBinary)
    next_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    at: Mapped[int | None]
    kind: Mapped[str | None]


class ReferenceRow(Base):
    """The reference of a document as a person, or their reference manager, gives it: it counts instead of the file's.

    `author` and `dated` are copied from `item` (`Reference.to_json`) for searches. A trigger deletes the row with its
    document.
    """

    __tablename__ = "reference"

    document_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    author: Mapped[str]
    dated: Mapped[str]
    item: Mapped[str]


class AnnotationRow(Base):
    """A mark on a document with what is written on it; see `core.annotations.Annotation`.

    `place` is JSON by `places_to_json`. A trigger deletes rows with their document.
    """

    __tablename__ = "annotation"
    __table_args__ = (Index("annotation_document", "document_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int]
    origin: Mapped[str]
    kind: Mapped[str]
    colour: Mapped[str]
    text: Mapped[str]
    comment: Mapped[str]
    place: Mapped[str]
    author: Mapped[str]
    label: Mapped[str | None]
    key: Mapped[str]
    created_at: Mapped[float] = mapped_column(REAL)
    changed_at: Mapped[float] = mapped_column(REAL)


class CutRow(Base):
    """A corrected range of a version: `count` occurrences from `ordinal` on, and the sentences that were read there.

    `originals` is JSON: [[text, [[page, start, stop, unit], ...], paragraph, kind], ...]. A trigger deletes rows with
    their version.
    """

    __tablename__ = "cut"

    version_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    nth: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    ordinal: Mapped[int]
    count: Mapped[int]
    originals: Mapped[str]


class SentenceRow(Base):
    """A distinct text; `hash` is its 16-byte BLAKE2b."""

    __tablename__ = "sentence"
    __table_args__ = ({"sqlite_autoincrement": True},)  # graphs refer to sentences by id: ids are never reused

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    text: Mapped[str]


class OccurrenceRow(Base):
    """One place where a sentence occurs; `more` has the places after the first as JSON, NULL if there are none.

    `passage` is what it is, where its words or a person say something else than `kind`, the layout; `reason` is why.
    """

    __tablename__ = "occurrence"
    __table_args__ = (
        Index("occurrence_sentence", "sentence_id"),
        Index("occurrence_boilerplate", "sentence_id", sqlite_where=text("passage = 'boilerplate'")),
        Index("occurrence_note", "version_id", sqlite_where=text("kind = 'note'")),
        {"sqlite_with_rowid": False},
    )

    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    sentence_id: Mapped[int] = mapped_column(ForeignKey("sentence.id"))
    paragraph: Mapped[int]
    kind: Mapped[str]
    page: Mapped[int | None]
    start: Mapped[int]
    stop: Mapped[int]
    unit: Mapped[str]
    more: Mapped[str | None]
    # First and last line; NULL except in text files, and where an earlier version of the program read the file.
    line: Mapped[int | None]
    last_line: Mapped[int | None]
    passage: Mapped[str | None]
    reason: Mapped[str | None]


class PassageRow(Base):
    """A range of a version's occurrences, from the ordinal `first`, whose words are indexed together."""

    __tablename__ = "passage"
    __table_args__ = (Index("passage_version", "version_id", "first", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"))
    first: Mapped[int]


class ModelRow(Base):
    """An encoder; `current` is 1 for the library's own.

    `switching` is the state of a switch to this model: `under way`, `stopped` by a person, or empty.
    """

    __tablename__ = "model"

    id: Mapped[int] = mapped_column(primary_key=True)
    fingerprint: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    dim: Mapped[int]
    max_length: Mapped[int]
    pooling: Mapped[str]
    normalised: Mapped[bool]
    folder: Mapped[str] = mapped_column(PathText)
    current: Mapped[bool]
    switching: Mapped[str] = mapped_column(server_default=text("''"), default="")


class EmbeddingRow(Base):
    """A sentence's vector, float16 little-endian. Ids only grow, so that a segment is a range of them.

    Earlier versions of the program stored float32: `half_conversion.py` converts these vectors.

    `checksum` is the CRC-32 of the vector's bytes; NULL where an earlier version of the program stored it, until
    `checksums.py` fills it in.
    """

    __tablename__ = "embedding"
    __table_args__ = (UniqueConstraint("sentence_id", "model_id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    sentence_id: Mapped[int] = mapped_column(ForeignKey("sentence.id"))
    model_id: Mapped[int] = mapped_column(ForeignKey("model.id"))
    vector: Mapped[bytes] = mapped_column(LargeBinary)
    checksum: Mapped[int | None]


class DamagedRow(Base):
    """A sentence whose text was damaged: it waits until its documents are read again. `hash` is that of its own text.

    A trigger deletes the row with its sentence.
    """

    __tablename__ = "damaged"

    sentence_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    hash: Mapped[bytes] = mapped_column(LargeBinary)


class TruncatedRow(Base):
    """A sentence that is longer than a model's input."""

    __tablename__ = "truncated"
    __table_args__ = ({"sqlite_with_rowid": False},)

    model_id: Mapped[int] = mapped_column(ForeignKey("model.id"), primary_key=True)
    sentence_id: Mapped[int] = mapped_column(ForeignKey("sentence.id"), primary_key=True)


class TotalRow(Base):
    """The sum of the vectors of a version's occurrences; `changed` grows with every change of any row."""

    __tablename__ = "total"

    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey("model.id"))
    changed: Mapped[int] = mapped_column(index=True)
    vector: Mapped[bytes] = mapped_column(LargeBinary)


class NextTotalRow(Base):
    """A version's future `total` when the library switches to another model; `changed` is copied from `total`."""

    __tablename__ = "next_total"

    version_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    model_id: Mapped[int]
    changed: Mapped[int]
    vector: Mapped[bytes] = mapped_column(LargeBinary)


class SegmentRow(Base):
    """A file with the graph of the embeddings `first_id` to `last_id` of a model; `dead` of its `rows` are erased.

    The file has zeros as the vectors of `zeroed` of these. `stamp` is the time (ns since 1970) at which the file was
    written that was last verified by its checksum; 0 if the checksum was not compared since.
    """

    __tablename__ = "segment"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey("model.id"), index=True)
    first_id: Mapped[int]
    last_id: Mapped[int]
    file: Mapped[str]
    checksum: Mapped[str]  # SHA-256 of the file, hexadecimal
    rows: Mapped[int]
    dead: Mapped[int]
    stamp: Mapped[int] = mapped_column(server_default=text("0"), default=0)
    zeroed: Mapped[int] = mapped_column(server_default=text("0"), default=0)


class WatchedRow(Base):
    """A watched folder; patterns as JSON lists."""

    __tablename__ = "watched"

    path: Mapped[str] = mapped_column(PathText, primary_key=True)
    include: Mapped[str]
    exclude: Mapped[str]


class UnlistedRow(Base):
    """A folder whose files are being added as documents; `force` if unchanged files are to be read again.

    The row stays until the listing is complete: an interrupted listing starts again.
    """

    __tablename__ = "unlisted"

    path: Mapped[str] = mapped_column(PathText, primary_key=True)
    force: Mapped[bool] = mapped_column("anew", key="force")


class ImportFolderRow(Base):
    """A folder of an unfinished import that takes only some of its files; patterns as JSON lists."""

    __tablename__ = "import_folder"

    path: Mapped[str] = mapped_column(PathText, primary_key=True)
    include: Mapped[str]
    exclude: Mapped[str]


class HomeRow(Base):
    """The library's folder when it was last opened for writing: one row."""

    __tablename__ = "home"

    path: Mapped[str] = mapped_column(PathText, primary_key=True)


class LooseRow(Base):
    """A sentence that lost an occurrence and may have none left; the purge checks and erases it."""

    __tablename__ = "loose"

    sentence_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class CounterRow(Base):
    """A number maintained by the transactions that change it, so that nothing is counted by scanning."""

    __tablename__ = "counter"
    __table_args__ = ({"sqlite_with_rowid": False},)

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[int]


class NeighbourRow(Base):
    """The nearest neighbours of a sentence, best first; a cache that can be recomputed.

    `near` is k int64 sentence ids (0 where there are fewer), then k float32 cosines, both little-endian.
    """

    __tablename__ = "neighbour"

    sentence_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    model_id: Mapped[int]
    near: Mapped[bytes] = mapped_column(LargeBinary)


class ClusterRow(Base):
    """A cluster of the library; see `core.clusters.StoredCluster`.

    `members` is int64 sentence ids, `closeness` as many float32, both little-endian. Name and keywords may reveal any
    sentence of the cluster: words that no sentence of it contains any more are dropped, unless a person chose them as a
    name. A cluster without members is deleted. `keys` is -1 in a row that only keeps the chosen name of a broad
    cluster.
    """

    __tablename__ = "cluster"
    __table_args__ = ({"sqlite_autoincrement": True},)  # an id is never reused for another cluster

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    members: Mapped[bytes] = mapped_column(LargeBinary)
    own_name: Mapped[bool] = mapped_column(server_default=text("0"), default=False)
    pinned: Mapped[bool] = mapped_column(server_default=text("0"), default=False)
    dormant: Mapped[bool] = mapped_column(server_default=text("0"), default=False)
    keywords: Mapped[str] = mapped_column(server_default=text("'[]'"), default="[]")  # JSON: [word, ...]
    closeness: Mapped[bytes] = mapped_column(LargeBinary, server_default=text("x''"), default=b"")
    keys: Mapped[int] = mapped_column(server_default=text("0"), default=0)
    broad: Mapped[int | None] = mapped_column(default=None)


class LookRow(Base):
    """The only row about the last division into clusters; see `core.clusters.StoredDivision`."""

    __tablename__ = "look"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int]
    granularity: Mapped[float] = mapped_column(REAL)
    is_chosen: Mapped[bool]
    min_size: Mapped[int]
    seen: Mapped[int]
    new_after: Mapped[int]


class MapRow(Base):
    """A part of the map: sentence ids int64, then x and y of each as float32, little-endian; see `store.clusters`."""

    __tablename__ = "map"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int]
    members: Mapped[bytes] = mapped_column(LargeBinary)
    places: Mapped[bytes] = mapped_column(LargeBinary)


class PairMarkRow(Base):
    """A person's label of two texts; `hash_a` <= `hash_b`, so that a pair has one row in either order."""

    __tablename__ = "pair_mark"
    __table_args__ = (Index("pair_mark_other", "hash_b"),)

    hash_a: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    hash_b: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    text_a: Mapped[str]
    text_b: Mapped[str]
    reviewed: Mapped[bool]
    same: Mapped[bool | None]
    marked_at: Mapped[float] = mapped_column(REAL)


class CollectionRow(Base):
    """A named group of documents: a collection or (`kind`) a tag."""

    __tablename__ = "collection"
    # An id is never reused for another collection.
    __table_args__ = (UniqueConstraint("kind", "name"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(server_default=text("'collection'"), default="collection")
    name: Mapped[str]


class CollectedRow(Base):
    """A document in a collection; a trigger deletes it with the document, and a tag with its last one."""

    __tablename__ = "collected"
    __table_args__ = (Index("collected_document", "document_id"), {"sqlite_with_rowid": False})

    collection_id: Mapped[int] = mapped_column(ForeignKey("collection.id"), primary_key=True)
    document_id: Mapped[int] = mapped_column(primary_key=True)


class AskedRow(Base):
    """A past query. One that is the text of a sentence is deleted with that sentence."""

    __tablename__ = "asked"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(unique=True)
    mode: Mapped[str]
    at: Mapped[float] = mapped_column(REAL)


class SavedSearchRow(Base):
    """A saved search."""

    __tablename__ = "saved_search"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    text: Mapped[str]
    mode: Mapped[str]
    min_score: Mapped[float] = mapped_column(REAL)


class SavedPartRow(Base):
    """One part of a saved search's scope; one that names a document is deleted with it."""

    __tablename__ = "saved_part"

    id: Mapped[int] = mapped_column(primary_key=True)
    search_id: Mapped[int] = mapped_column(index=True)
    kind: Mapped[str]
    key: Mapped[str] = mapped_column(PathText, index=True)
    name: Mapped[str]


class QuoteRow(Base):
    """A sentence kept as a quote; deleted with its document."""

    __tablename__ = "quote"
    __table_args__ = (UniqueConstraint("document_id", "ordinal", "text"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[int]
    ordinal: Mapped[int]
    text: Mapped[str]
    page: Mapped[int | None]
    start: Mapped[int]
    stop: Mapped[int]
    unit: Mapped[str]
    label: Mapped[str | None]
    at: Mapped[float] = mapped_column(REAL)


class JudgementRow(Base):
    """A person's judgement whether a sentence answers a query; deleted with the sentence."""

    __tablename__ = "judgement"
    __table_args__ = (UniqueConstraint("query", "sentence_id"), Index("judgement_sentence", "sentence_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    query: Mapped[str]
    sentence_id: Mapped[int]
    is_relevant: Mapped[bool]
    at: Mapped[float] = mapped_column(REAL)
