"""The tables of what a person adds to a library; `migrations.py` creates them."""

from __future__ import annotations

from sqlalchemy import REAL, ForeignKey, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from desktop_app.store.schema import Base, PathText


class PairMarkRow(Base):
    """What a person said of two texts; `hash_a` is not above `hash_b`, so that a pair has one row in either order."""

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
    """Documents that a person put together under a name, or (`kind`) that have a tag."""

    __tablename__ = "collection"
    # An id must never come to mean another collection.
    __table_args__ = (UniqueConstraint("kind", "name"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(server_default=text("'collection'"), default="collection")
    name: Mapped[str]


class CollectedRow(Base):
    """A document in a collection; a trigger takes it out when the document is erased, and a tag with its last one."""

    __tablename__ = "collected"
    __table_args__ = (Index("collected_document", "document_id"), {"sqlite_with_rowid": False})

    collection_id: Mapped[int] = mapped_column(ForeignKey("collection.id"), primary_key=True)
    document_id: Mapped[int] = mapped_column(primary_key=True)


class AskedRow(Base):
    """A query that was asked. One that is the text of a sentence goes with that sentence."""

    __tablename__ = "asked"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(unique=True)
    mode: Mapped[str]
    at: Mapped[float] = mapped_column(REAL)


class SavedSearchRow(Base):
    """A search under a name."""

    __tablename__ = "saved_search"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    text: Mapped[str]
    mode: Mapped[str]
    min_score: Mapped[float] = mapped_column(REAL)


class SavedPartRow(Base):
    """One thing that a saved search is kept to; one that names a document goes with it."""

    __tablename__ = "saved_part"

    id: Mapped[int] = mapped_column(primary_key=True)
    search_id: Mapped[int] = mapped_column(index=True)
    kind: Mapped[str]
    key: Mapped[str] = mapped_column(PathText, index=True)
    name: Mapped[str]


class QuoteRow(Base):
    """A sentence that was put aside; it goes with its document."""

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
    """Whether a sentence answers a query, as a person said; it goes with the sentence."""

    __tablename__ = "judgement"
    __table_args__ = (UniqueConstraint("query", "sentence_id"), Index("judgement_sentence", "sentence_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    query: Mapped[str]
    sentence_id: Mapped[int]
    is_relevant: Mapped[bool]
    at: Mapped[float] = mapped_column(REAL)
