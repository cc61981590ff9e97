"""Says which conditions of a query no document satisfies, when nothing was found."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from desktop_app.core.messages import Message
from desktop_app.core.query import split_list
from desktop_app.core.scope import Scope
from desktop_app.core.stored_text import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop_app.core.library import Library
    from desktop_app.core.query import Query
    from desktop_app.core.records import CollectionKind

_MAX_NAMES = 3
_LEAST_LIKENESS = 0.6
_DIGITS_OF_YEAR = 4


def find_unmet_conditions(library: Library, query: Query) -> list[Message]:
    """Return a remark for each condition of a query on documents that no document of the library satisfies.

    If every one is satisfied by some document but no document satisfies all, a remark that says so.
    """
    alone = list(_list_conditions(query))
    if not alone:
        return []
    there = library.collections.collections() if query.collections or query.tags else []
    names: dict[CollectionKind, list[str]] = {"collection": [], "tag": []}
    for each in there:
        names[each.kind].append(each.name)
    remarks: list[Message] = []
    for operator, scope in alone:
        missing = _find_missing_name(scope, names)
        if missing is not None:
            remarks.append(_remark_on_name(*missing, names[missing[0]]))
        elif not library.documents.fetch(limit=1, scope=scope):
            remarks.append(Message("No document matches {operator}.", operator=operator))
    if not remarks and len(alone) > 1 and not library.documents.fetch(limit=1, scope=query.within(Scope())):
        remarks.append(Message("Each condition matches documents, but no document matches all of them."))
    return remarks


def _list_conditions(query: Query) -> Iterator[tuple[str, Scope]]:
    """Yield each condition on documents as it is written, and the scope with that condition alone."""
    for value in query.titles:
        yield _spell("title", value), Scope(titles=(value,))
    for value in query.authors:
        yield _spell("author", value), Scope(authors=(value,))
    for value in query.folders:
        yield _spell("in", value), Scope(folders=(value,))
    for value in query.collections:
        yield _spell("collection", value), Scope(collections=(value,))
    for value in query.tags:
        yield _spell("tag", value), Scope(tags=(value,))
    if query.kinds:
        only = type(query)("", kinds=query.kinds)
        yield _spell("type", ",".join(query.kinds)), only.within(Scope())
    if query.languages:
        yield _spell("language", ",".join(query.languages)), Scope(languages=frozenset(query.languages))
    if query.after or query.before:
        yield _spell_period(query.after, query.before), Scope(dated_after=query.after, dated_before=query.before)


def _spell_period(after: str, before: str) -> str:
    """Return a condition on dates as it is written: `year:2024` is stored as its first day and the next year's."""
    if len(after) == len(before) == _DIGITS_OF_YEAR:
        first, last = after, f"{int(before) - 1:04}"
        return f"year:{first}" if first == last else f"year:{first}-{last}"
    return " ".join(f"{field}:{date}" for field, date in (("after", after), ("before", before)) if date)


def _spell(field: str, value: str) -> str:
    return f"{field}:{value}" if " " not in value else f'{field}:"{value}"'


def _find_missing_name(scope: Scope, names: dict[CollectionKind, list[str]]) -> tuple[CollectionKind, str] | None:
    """Return the kind and name of the collection or tag of a condition if there is none with this name."""
    kind: CollectionKind
    for kind, wanted in (("collection", scope.collections), ("tag", scope.tags)):
        for name in wanted:
            if fold_text(" ".join(name.split())) not in set(map(fold_text, names[kind])):
                return kind, name
    return None


def _remark_on_name(kind: CollectionKind, name: str, there: Sequence[str]) -> Message:
    parts = [each for each in split_list(name) if fold_text(each) in set(map(fold_text, there))]
    if parts and "," in name:
        operators = " ".join(_spell(kind, each) for each in parts)
        return Message("A condition has one name; for several write {operators}.", operators=operators)
    near = _find_near_names(name, there)
    quoted = ", ".join(f"“{each}”" for each in near)
    if kind == "tag":
        if quoted:
            return Message("There is no tag “{name}”. Similar: {names}.", name=name, names=quoted)
        return Message("There is no tag “{name}”.", name=name)
    if quoted:
        return Message("There is no collection “{name}”. Similar: {names}.", name=name, names=quoted)
    return Message("There is no collection “{name}”.", name=name)


def _find_near_names(name: str, there: Sequence[str]) -> list[str]:
    """Return the names that a person may have meant: those that contain the text, then those of similar spelling."""
    wanted = fold_text(name)
    folded = {fold_text(each): each for each in there}
    within = [each for each in folded if wanted in each or each in wanted]
    close = difflib.get_close_matches(wanted, folded, _MAX_NAMES, _LEAST_LIKENESS)
    return [folded[each] for each in dict.fromkeys([*within, *close])][:_MAX_NAMES]
