"""Stores annotations of documents: a person's own, and those that come from Zotero."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select, update

from desktop_app.core.annotations import (
    MAX_COMMENT_CHARACTERS,
    MAX_MARKED_CHARACTERS,
    Annotation,
    content_of,
    places_to_json,
    sort_within_documents,
)
from desktop_app.core.errors import NotFound
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stored_rows import annotation_from_row, places_from_row
from desktop_app.core.stored_text import display_title, to_storable_text
from desktop_app.store.counters import mark_erased_traces
from desktop_app.store.documents import find_versions
from desktop_app.store.schema import (
    AnnotationRow,
    DocumentRow,
    OccurrenceRow,
    PageRow,
    SentenceRow,
    VersionRow,
)
from desktop_app.store.scope_conditions import is_document_in_scope, is_not_removed, values_subquery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Connection

    from desktop_app.core.annotations import AnnotationOrigin
    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.store.database import Database

_TITLES = (DocumentRow.own_title, DocumentRow.name, DocumentRow.path, VersionRow.title, VersionRow.type)


class LocalAnnotationStore:
    """Implements `core.library.AnnotationStore`."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def fetch(self, document_id: int | None = None, *, scope: Scope = EVERYTHING) -> list[Annotation]:
        """Return the annotations of a document, or of a part of the library."""
        query = (
            select(AnnotationRow.__table__, *_TITLES)
            .join_from(AnnotationRow, DocumentRow, DocumentRow.id == AnnotationRow.document_id)
            .outerjoin(VersionRow, VersionRow.id == DocumentRow.live_id)
            .where(is_not_removed(), is_document_in_scope(scope))
            .order_by(AnnotationRow.document_id, AnnotationRow.id)
        )
        if document_id is not None:
            query = query.where(AnnotationRow.document_id == document_id)
        with self._database.read_transaction() as connection:
            found = [_annotation_from_row(row) for row in connection.execute(query)]
        return sort_within_documents(found)

    def file_notes(self, document_id: int | None = None, *, scope: Scope = EVERYTHING) -> list[Annotation]:
        """Return the notes and highlights that are in the files of documents, each with its passages as one text."""
        query = (
            select(OccurrenceRow.__table__, SentenceRow.text, DocumentRow.id.label("document_id"), *_TITLES)
            .add_columns(PageRow.label.label("printed"))
            .join_from(OccurrenceRow, DocumentRow, DocumentRow.live_id == OccurrenceRow.version_id)
            .join(VersionRow, VersionRow.id == DocumentRow.live_id)
            .join(SentenceRow, SentenceRow.id == OccurrenceRow.sentence_id)
            .outerjoin(PageRow, (PageRow.version_id == OccurrenceRow.version_id) & (PageRow.page == OccurrenceRow.page))
            .where(OccurrenceRow.kind == "note", OccurrenceRow.reason.is_distinct_from("library"))
            .where(is_not_removed(), is_document_in_scope(scope))
            .order_by(DocumentRow.id, OccurrenceRow.ordinal)
        )
        if document_id is not None:
            query = query.where(DocumentRow.id == document_id)
        found: dict[tuple[int, int], Annotation] = {}
        with self._database.read_transaction() as connection:
            for row in connection.execute(query):
                key = (row.document_id, row.paragraph)
                known = found.get(key)
                found[key] = Annotation(
                    0,
                    row.document_id,
                    "",
                    row.text if known is None else f"{known.comment} {row.text}",
                    "",
                    "file",
                    "note",
                    places=places_from_row(row) if known is None else known.places,
                    ordinal=row.ordinal if known is None else known.ordinal,
                    page_label=row.printed,
                    **_source(row),
                )
        return list(found.values())

    def add(self, annotations: Sequence[Annotation]) -> list[int]:
        """Store annotations and return their ids; one with an id gets it back."""
        ids = []
        with self._database.write_transaction(is_aside=True) as connection:
            for each in annotations:
                find_versions(connection, each.document_id)
                ids.append(self._insert(connection, each))
        return ids

    def change(self, annotation_id: int, *, comment: str | None = None, colour: str | None = None) -> Annotation:
        """Change what is written on an annotation, or its colour; returns it as it was."""
        values: dict[str, Any] = {"changed_at": self._clock()}
        if comment is not None:
            values["comment"] = to_storable_text(comment.strip()[:MAX_COMMENT_CHARACTERS])
        if colour is not None:
            values["colour"] = colour
        with self._database.write_transaction(is_aside=True) as connection:
            (before,) = self._require(connection, [annotation_id])
            connection.execute(update(AnnotationRow).where(AnnotationRow.id == annotation_id).values(values))
            mark_erased_traces(connection)  # of what was written before
        return before

    def move(self, annotation: Annotation) -> None:
        """Store another place of an annotation; does nothing if it is gone."""
        with self._database.write_transaction(is_aside=True) as connection:
            place = places_to_json(annotation)
            connection.execute(
                update(AnnotationRow).where(AnnotationRow.id == annotation.annotation_id).values(place=place)
            )

    def delete(self, annotation_ids: Sequence[int]) -> list[Annotation]:
        """Delete annotations and return them; those that are gone already are left out."""
        with self._database.write_transaction(is_aside=True) as connection:
            found = self._find(connection, annotation_ids)
            self._erase(connection, [each.annotation_id for each in found])
        return found

    def replace(self, document_id: int, origin: AnnotationOrigin, annotations: Sequence[Annotation]) -> bool:
        """Replace the annotations of a document that come from elsewhere; returns whether something changed."""
        with self._database.write_transaction(is_aside=True) as connection:
            find_versions(connection, document_id)
            query = select(AnnotationRow.id).where(
                AnnotationRow.document_id == document_id, AnnotationRow.origin == origin
            )
            known = self._find(connection, list(connection.execute(query).scalars()))
            if sorted(map(content_of, known)) == sorted(map(content_of, annotations)):
                return False
            self._erase(connection, [each.annotation_id for each in known])
            for each in annotations:
                self._insert(connection, each)
        return True

    def _insert(self, connection: Connection, annotation: Annotation) -> int:
        now = self._clock()
        values = {
            "document_id": annotation.document_id,
            "origin": annotation.origin,
            "kind": annotation.kind,
            "colour": annotation.colour,
            "text": to_storable_text(" ".join(annotation.text.split())[:MAX_MARKED_CHARACTERS]),
            "comment": to_storable_text(annotation.comment.strip()[:MAX_COMMENT_CHARACTERS]),
            "place": places_to_json(annotation),
            "author": to_storable_text(annotation.author),
            "label": annotation.page_label and to_storable_text(annotation.page_label),
            "key": to_storable_text(annotation.key),
            "created_at": annotation.created_at or now,
            "changed_at": annotation.changed_at or now,
        }
        if annotation.annotation_id:
            values["id"] = annotation.annotation_id
        return int(connection.execute(insert(AnnotationRow).values(values).returning(AnnotationRow.id)).scalar_one())

    def _find(self, connection: Connection, annotation_ids: Iterable[int]) -> list[Annotation]:
        query = select(AnnotationRow.__table__).where(AnnotationRow.id.in_(values_subquery(annotation_ids)))
        return [_annotation_from_row(row) for row in connection.execute(query.order_by(AnnotationRow.id))]

    def _require(self, connection: Connection, annotation_ids: Sequence[int]) -> list[Annotation]:
        found = self._find(connection, annotation_ids)
        if len(found) < len(annotation_ids):
            raise NotFound("The highlight no longer exists", "It may have been deleted in the meantime.")
        return found

    def _erase(self, connection: Connection, annotation_ids: Iterable[int]) -> None:
        connection.execute(delete(AnnotationRow).where(AnnotationRow.id.in_(values_subquery(annotation_ids))))
        mark_erased_traces(connection)


def _source(row: AnyRow) -> dict[str, Any]:
    return {"title": display_title(row.own_title, row.title or "", row.name), "path": row.path, "type": row.type}


def _annotation_from_row(row: AnyRow) -> Annotation:
    return annotation_from_row(row, _source(row) if hasattr(row, "own_title") else {})
