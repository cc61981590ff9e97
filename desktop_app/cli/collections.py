"""The command on collections: documents that belong together, under names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import answer, counted, say, shown
from desktop_app.core.errors import NotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.session import Session
    from desktop_app.core.records import DocumentCollection


def collections(session: Session) -> int:
    """List the collections, or change one."""
    options, collecting = session.options, session.workspace.collecting
    there = session.wait(collecting.collections())
    if options.action is None:
        return _say(session, there)
    if not options.name:
        raise UsageError(f"`collections {options.action}` needs a collection", "See `kindred collections --help`.")
    found = named(there, options.name)
    if options.action == "add":
        ids = _documents(session)
        changed = collecting.add(found.collection_id, ids) if found else collecting.make(options.name, ids)
    elif found is None:
        raise NotFound(f"There is no collection {options.name}", "`collections` lists what there is.")
    elif options.action == "take":
        changed = collecting.take_out(found.collection_id, _documents(session))
    elif options.action == "delete":
        changed = collecting.forget(found.collection_id)
    else:
        if len(options.rest) != 1:
            raise UsageError("`collections rename` needs the name and the new one", "See `kindred collections --help`.")
        changed = collecting.rename(found.collection_id, options.rest[0])
    return _say(session, session.wait(changed))


def named(there: Sequence[DocumentCollection], name: str) -> DocumentCollection | None:
    """Return the collection of a name, whatever the case."""
    wanted = " ".join(name.split()).casefold()
    return next((each for each in there if each.name.casefold() == wanted), None)


def _documents(session: Session) -> list[int]:
    if not session.options.rest:
        raise UsageError(f"`collections {session.options.action}` needs documents", "Name them after the collection.")
    ids: dict[int, None] = {}
    for name in session.options.rest:
        documents = session.wait(session.workspace.find_documents(name))
        if not documents:
            raise NotFound(f"Nothing in the library is named {name}", "`documents` lists what there is.")
        ids.update(dict.fromkeys(document.document_id for document in documents))
    return list(ids)


def _say(session: Session, there: list[DocumentCollection]) -> int:
    if session.options.json:
        rows = [
            {"collection_id": each.collection_id, "name": each.name, "document_ids": sorted(each.document_ids)}
            for each in there
        ]
        answer({"collections": rows})
        return 0
    for each in there:
        say(f"{shown(each.name)}  ({counted(len(each.document_ids), 'document')})")
    if not there:
        say("There are no collections: `collections add NAME DOCUMENT...` begins one.")
    return 0
