"""Stores a person's highlights and notes in a shared library; nobody else sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from desktop_app.core.stored_text import display_title
from desktop_app.shared_store.connection import TELL_ANNOTATIONS
from desktop_app.shared_store.documents import find_versions
from desktop_app.shared_store.scope_conditions import VISIBLE, ScopeCondition
from desktop_app.shared_store.stored_values import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.annotations import AnnotationOrigin
    from desktop_app.core.scope import Scope
    from desktop_app.core.stored_rows import AnyRow
    from desktop_app.shared_store.connection import SharedDatabase
    from desktop_app.shared_store.paths import PathCodec

_ADD = (
    "INSERT INTO annotation (id, document_id, origin, kind, colour, text, comment, place, author, label, key,"
    " created_at, changed_at) VALUES (coalesce(%(id)s, nextval(pg_get_serial_sequence('annotation', 'id'))),"
    " %(document)s, %(origin)s, %(kind)s, %(colour)s, %(text)s, %(comment)s, %(place)s, %(author)s, %(label)s,"
    " %(key)s, %(created)s,"
    " %(changed)s) RETURNING id"
)
_TITLES = "d.own_title, d.name, d.path, v.title, v.type"


class SharedAnnotationStore:
    """Implements `core.library.AnnotationStore`."""

    def __init__(self, database: SharedDatabase, paths: PathCodec, clock: Callable[[], float]) -> None:
        self._database = database
        self._paths = paths
        self._clock = clock

    @property
    def _is_there(self) -> bool:
        """Whether the library has a table of annotations: one of the first version of the program has none."""
        return not self._database.is_older or bool(self._database.value("SELECT to_regclass('annotation') IS NOT NULL"))

    def fetch(self, document_id: int | None = None, *, scope: Scope = EVERYTHING) -> list[Annotation]:
        """Return the person's annotations of a document, or of a part of the library."""
        if not self._is_there:
            return []
        where = ScopeCondition(scope, self._paths)
        rows = self._database.rows(
            f"SELECT a.*, {_TITLES} FROM annotation a JOIN document d ON d.id = a.document_id"
            f" LEFT JOIN version v ON v.id = d.live_id WHERE {VISIBLE} AND {where.of_document}"
            " AND (%(document)s::bigint IS NULL OR d.id = %(document)s) ORDER BY a.document_id, a.id",
            document=document_id,
            **where.values,
        )
        return sort_within_documents(self._annotation(row) for row in rows)

    def file_notes(self, document_id: int | None = None, *, scope: Scope = EVERYTHING) -> list[Annotation]:
        """Return the notes and highlights that are in the files of documents."""
        where = ScopeCondition(scope, self._paths)
        rows = self._database.rows(
            f"SELECT o.*, s.text, d.id AS document_id, {_TITLES}, p.label AS printed FROM occurrence o"
            " JOIN document d ON d.live_id = o.version_id JOIN version v ON v.id = d.live_id"
            " JOIN sentence s ON s.id = o.sentence_id"
            " LEFT JOIN page p ON p.version_id = o.version_id AND p.page = o.page"
            f" WHERE o.kind = 'note' AND {VISIBLE} AND {where.of_document}"
            " AND (%(document)s::bigint IS NULL OR d.id = %(document)s) ORDER BY d.id, o.ordinal",
            document=document_id,
            **where.values,
        )
        found: dict[tuple[int, int], Annotation] = {}
        for row in rows:
            known = found.get((row.document_id, row.paragraph))
            text = row.text if known is None else f"{known.comment} {row.text}"
            found[row.document_id, row.paragraph] = Annotation(
                0,
                row.document_id,
                "",
                text,
                "",
                "file",
                "note",
                places=places_from_row(row) if known is None else known.places,
                ordinal=row.ordinal if known is None else known.ordinal,
                page_label=row.printed,
                **self._source(row),
            )
        return list(found.values())

    def add(self, annotations: Sequence[Annotation]) -> list[int]:
        """Store annotations and return their ids; one with an id gets it back."""
        with self._database.write_transaction():
            for each in annotations:
                find_versions(self._database, each.document_id)
            self._database.value(TELL_ANNOTATIONS)
            return [self._insert(each) for each in annotations]

    def change(self, annotation_id: int, *, comment: str | None = None, colour: str | None = None) -> Annotation:
        """Change what is written on an annotation, or its colour; returns it as it was."""
        with self._database.write_transaction():
            before = self._find([annotation_id])
            if not before:
                raise NotFound("The highlight no longer exists", "It may have been deleted in the meantime.")
            self._database.run(
                "UPDATE annotation SET comment = coalesce(%(comment)s, comment), colour = coalesce(%(colour)s, colour),"
                " changed_at = %(now)s WHERE id = %(id)s",
                id=annotation_id,
                comment=None if comment is None else clean_text(comment.strip()[:MAX_COMMENT_CHARACTERS]),
                colour=colour,
                now=self._clock(),
            )
            self._database.value(TELL_ANNOTATIONS)
        return before[0]

    def move(self, annotation: Annotation) -> None:
        """Store another place of an annotation; does nothing if it is gone."""
        with self._database.write_transaction():
            place = places_to_json(annotation)
            self._database.run(
                "UPDATE annotation SET place = %(place)s WHERE id = %(id)s", place=place, id=annotation.annotation_id
            )
            self._database.value(TELL_ANNOTATIONS)

    def delete(self, annotation_ids: Sequence[int]) -> list[Annotation]:
        """Delete annotations and return them; those that are gone already are left out."""
        with self._database.write_transaction():
            found = self._find(annotation_ids)
            self._erase(found)
        return found

    def replace(self, document_id: int, origin: AnnotationOrigin, annotations: Sequence[Annotation]) -> bool:
        """Replace the annotations of a document that come from elsewhere; returns whether something changed."""
        if self._is_known(document_id, origin, annotations)[0]:
            return False
        with self._database.write_transaction():
            # Locked: another session of the person may replace them by the same ones at this moment.
            find_versions(self._database, document_id)
            is_known, known = self._is_known(document_id, origin, annotations)
            if is_known:
                return False
            self._erase(known)
            self.add(annotations)
        return True

    def _is_known(
        self, document_id: int, origin: AnnotationOrigin, annotations: Sequence[Annotation]
    ) -> tuple[bool, list[Annotation]]:
        """Return whether these are the annotations of a document that come from elsewhere, and those there are."""
        known = [each for each in self.fetch(document_id) if each.origin == origin]
        return sorted(map(content_of, known)) == sorted(map(content_of, annotations)), known

    def _insert(self, annotation: Annotation) -> int:
        now = self._clock()
        return int(
            self._database.value(
                _ADD,
                id=annotation.annotation_id or None,
                document=annotation.document_id,
                origin=annotation.origin,
                kind=annotation.kind,
                colour=annotation.colour,
                text=clean_text(" ".join(annotation.text.split())[:MAX_MARKED_CHARACTERS]),
                comment=clean_text(annotation.comment.strip()[:MAX_COMMENT_CHARACTERS]),
                place=places_to_json(annotation),
                author=clean_text(annotation.author),
                label=annotation.page_label and clean_text(annotation.page_label),
                key=clean_text(annotation.key),
                created=annotation.created_at or now,
                changed=annotation.changed_at or now,
            )
        )

    def _find(self, annotation_ids: Sequence[int]) -> list[Annotation]:
        if not self._is_there:
            return []
        rows = self._database.rows(
            f"SELECT a.*, {_TITLES} FROM annotation a JOIN document d ON d.id = a.document_id"
            " LEFT JOIN version v ON v.id = d.live_id WHERE a.id = ANY(%(ids)s::bigint[]) ORDER BY a.id",
            ids=list(annotation_ids),
        )
        return [self._annotation(row) for row in rows]

    def _erase(self, annotations: Sequence[Annotation]) -> None:
        ids = [each.annotation_id for each in annotations]
        self._database.run("DELETE FROM annotation WHERE id = ANY(%(ids)s::bigint[])", ids=ids)
        self._database.value(TELL_ANNOTATIONS)

    def _source(self, row: AnyRow) -> dict[str, Any]:
        name, path = self._paths.decode(row.name), self._paths.decode(row.path)
        return {"title": display_title(row.own_title, row.title or "", name), "path": path, "type": row.type}

    def _annotation(self, row: AnyRow) -> Annotation:
        return annotation_from_row(row, self._source(row))
