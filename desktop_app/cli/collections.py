"""The commands on collections and tags: documents that belong together, under names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import answer, counted, say, shown
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.tags import clean_tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.session import Session
    from desktop_app.core.records import CollectionKind, DocumentCollection


def collections(session: Session) -> int:
    """List the collections, or change one."""
    options, collecting = session.options, session.workspace.collecting
    there = of_kind(session.wait(collecting.collections()), "collection")
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
    return _say(session, of_kind(session.wait(changed), "collection"))


def tags(session: Session) -> int:
    """List the tags, or put one on documents, or take it off."""
    options, collecting = session.options, session.workspace.collecting
    there = of_kind(session.wait(collecting.collections()), "tag")
    if options.action is None:
        return _say_tags(session, there)
    if not options.name:
        raise UsageError(f"`tags {options.action}` needs a tag", "See `kindred tags --help`.")
    tag = clean_tag(options.name)
    found = named(there, tag)
    if options.action == "add":
        changed = collecting.tag(_documents(session), [tag])
    elif found is None:
        raise NotFound(f"There is no tag {tag}", "`tags` lists what there is.")
    elif options.action == "rename":
        if len(options.rest) != 1:
            raise UsageError("`tags rename` needs the tag and the new one", "See `kindred tags --help`.")
        changed = collecting.rename(found.collection_id, options.rest[0])
    elif options.rest:
        changed = collecting.take_out(found.collection_id, _documents(session))
    else:
        changed = collecting.forget(found.collection_id)
    return _say_tags(session, of_kind(session.wait(changed), "tag"))


def of_kind(there: list[DocumentCollection], kind: CollectionKind) -> list[DocumentCollection]:
    """Return the collections alone, or the tags."""
    return [each for each in there if each.kind == kind]


def named(there: Sequence[DocumentCollection], name: str) -> DocumentCollection | None:
    """Return the collection of a name, whatever the case."""
    wanted = " ".join(name.split()).casefold()
    return next((each for each in there if each.name.casefold() == wanted), None)


def _documents(session: Session) -> list[int]:
    if not session.options.rest:
        command, action = session.command.name, session.options.action
        raise UsageError(f"`{command} {action}` needs documents", "Name them after the name or tag.")
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


def _say_tags(session: Session, there: Sequence[DocumentCollection]) -> int:
    if session.options.json:
        answer({"tags": [{"tag": each.name, "document_ids": sorted(each.document_ids)} for each in there]})
        return 0
    for each in there:
        say(f"{shown(each.name)}  ({counted(len(each.document_ids), 'document')})")
    if not there:
        say("There are no tags: `tags add WORD DOCUMENT...` puts one on documents.")
    return 0
