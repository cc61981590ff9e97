"""Conditions for visible documents and sentences, as text with parameters: live, not removed, within a scope.

The statements that use them call `document` d and `occurrence` o.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.core.document_dates import date_to_seconds, to_nanoseconds
from desktop_app.core.stored_text import fold_text

if TYPE_CHECKING:
    from desktop_app.core.scope import Scope
    from desktop_app.shared_store.paths import PathCodec

_INDEXED_BYTES = 500
_OWN_DATE = "coalesce((SELECT r.dated FROM reference r WHERE r.document_id = d.id), v.dated, '')"
VISIBLE = "d.removed_at IS NULL"


class ScopeCondition:
    """A condition on documents (and occurrences), and the values of its parameters.

    Attributes:
        of_document: the condition on `d`.
        of_passage: the condition on `o` alone: the kind of its passage.
        of_occurrence: the condition on `d` and `o`.
        values: of the parameters, by name.
    """

    def __init__(self, scope: Scope, paths: PathCodec) -> None:
        self._paths = paths
        self.values: dict[str, object] = {}
        self._parts: list[str] = []
        self._of_version: list[str] = []
        self._add(scope)
        parts = [*self._parts]
        if self._of_version:
            held = " AND ".join(self._of_version)
            parts.append(f"EXISTS (SELECT FROM version v WHERE v.id = d.live_id AND {held})")
        self.of_document = " AND ".join(f"({part})" for part in parts) or "true"
        self.of_passage = "true"
        self.of_occurrence = self.of_document
        if scope.without:
            self.of_passage = f"coalesce(o.passage, o.kind) <> ALL({self._value(sorted(scope.without))})"
            self.of_occurrence += f" AND {self.of_passage}"

    def _value(self, value: object) -> str:
        """Return a new parameter with a value."""
        name = f"scope_{len(self.values)}"
        self.values[name] = value
        return f"%({name})s"

    def _add(self, scope: Scope) -> None:
        if scope.document_ids is not None:
            self._parts.append(f"d.id = ANY({self._value(sorted(scope.document_ids))}::bigint[])")
        if scope.not_document_ids:
            self._parts.append(f"d.id <> ALL({self._value(sorted(scope.not_document_ids))}::bigint[])")
        if scope.paths:
            self._parts.append(" OR ".join(self.is_at_or_below(path) for path in scope.paths))
        if scope.types:
            self._of_version.append(f"v.type = ANY({self._value(sorted(scope.types))})")
        for title in scope.titles:
            # The person's own, else the file's, else the file's name.
            shown = "coalesce(nullif(d.own_title_folded, ''), nullif(v.title_folded, ''), d.name_folded)"
            self._of_version.append(f"strpos({shown}, {self._value(fold_text(title))}) > 0")
        for author in scope.authors:
            given = "coalesce((SELECT r.author_folded FROM reference r WHERE r.document_id = d.id), v.author_folded)"
            self._of_version.append(f"strpos({given}, {self._value(fold_text(author))}) > 0")
        if scope.dated_after:
            self._of_version.append(self._is_dated(scope.dated_after, is_earlier=False))
        if scope.dated_before:
            self._of_version.append(self._is_dated(scope.dated_before, is_earlier=True))
        for folder in scope.folders:
            part = f"/{fold_text(folder).replace(os.sep, '/').strip('/')}/"
            wanted = self._value(part)
            named = f"strpos('/' || d.path_folded || '/', {wanted}) > 0"
            copied = self._has_copy(f"strpos('/' || c.path_folded || '/', {wanted}) > 0")
            at = self.is_at_or_below(os.path.abspath(os.path.expanduser(folder)))
            self._parts.append(f"{at} OR {named} OR {copied}")
        if scope.kinds:
            types = self._value(sorted(scope.kinds))
            of_type = f"EXISTS (SELECT FROM version v WHERE v.id = d.live_id AND v.type = ANY({types}))"
            endings = [
                f"right(d.name_folded, length({(ending := self._value(f'.{kind}'))}::text)) = {ending}::text"
                for kind in sorted(scope.kinds)
            ]
            self._parts.append(" OR ".join([of_type, *endings]))
        for kind, names in (("collection", scope.collections), ("tag", scope.tags)):
            for name in names:
                folded = self._value(fold_text(" ".join(name.split())))
                self._parts.append(
                    "d.id IN (SELECT c.document_id FROM collected c JOIN collection n ON n.id = c.collection_id"
                    f" WHERE n.kind = '{kind}' AND n.folded = {folded})"
                )
        if scope.languages is not None:
            self._of_version.append(f"v.language = ANY({self._value(sorted(scope.languages))}::text[])")
        if scope.after is not None:
            self._parts.append(f"d.mtime_ns >= {self._value(to_nanoseconds(scope.after))}")
        if scope.before is not None:
            self._parts.append(f"d.mtime_ns < {self._value(to_nanoseconds(scope.before))}")

    def is_at_or_below(self, path: str) -> str:
        """Return the condition that a file of a document is the file `path` or is inside the folder `path`."""
        copied = self._has_copy(self._is_path_at_or_below("c", path)) if self._paths.has_copies else "false"
        return f"({self._is_path_at_or_below('d', path)} OR {copied})"

    def _is_path_at_or_below(self, table: str, path: str) -> str:
        """Return the condition that the path of a row is this file or is inside this folder.

        The beginnings of paths are indexed; they narrow the range, and the whole paths decide.
        """
        found = []
        for own, first, end in self._paths.encode_below(path):
            begin, last = self._value(first[:_INDEXED_BYTES]), self._value(end[:_INDEXED_BYTES])
            start = f"substring({table}.path FROM 1 FOR {_INDEXED_BYTES})"
            found.append(
                f"{table}.path = {self._value(own)} AND {start} = substring({self._value(own)}::bytea FROM 1 FOR"
                f" {_INDEXED_BYTES}) OR {start} >= {begin} AND {start} <= {last}"
                f" AND {table}.path >= {self._value(first)} AND {table}.path < {self._value(end)}"
            )
        return "(" + " OR ".join(found) + ")"

    def _has_copy(self, condition: str) -> str:
        """Return the condition that a document has a copy (`c`) that satisfies another condition."""
        if not self._paths.has_copies:
            return "false"
        return f"d.id IN (SELECT c.document_id FROM file_copy c WHERE {condition})"

    def is_at(self, path: str) -> str:
        """Return the condition that a document has the file `path`."""
        own = self._value(self._paths.encode(path))
        return f"(sha256(d.path) = sha256({own}::bytea) OR {self._has_copy(f'sha256(c.path) = sha256({own}::bytea)')})"

    def _is_dated(self, date: str, *, is_earlier: bool) -> str:
        """Return the condition that a document is earlier than a date, or not; without its own date its file is."""
        sign = "<" if is_earlier else ">="
        limit = self._value(to_nanoseconds(date_to_seconds(date) or 0.0))
        return (
            f"CASE WHEN {_OWN_DATE} <> '' THEN {_OWN_DATE} COLLATE \"C\" {sign} {self._value(date)}"
            f" ELSE d.mtime_ns {sign} {limit} END"
        )


HAS_NO_OWN_DATE = f"{_OWN_DATE} = ''"
"""The condition that a document (`d`, with its live version `v`) has no date of its own, besides that of its file."""
