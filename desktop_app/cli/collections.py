"""The commands `collections` and `tags`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.tags import clean_tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import CollectionKind, DocumentCollection


def run_collections(session: CommandSession) -> int:
    """List the collections, or change one."""
    options, collecting = session.options, session.workspace.collecting
    there = filter_by_kind(session.wait(collecting.collections()), "collection")
    if options.action is None:
        return _print_collections(session, there)
    if not options.name:
        raise UsageError(f"`collections {options.action}` needs a collection", "See `kindred collections --help`.")
    found = find_by_name(there, options.name)
    if options.action == "add":
        ids = _find_document_ids(session)
        changed = collecting.add(found.collection_id, ids) if found else collecting.make(options.name, ids)
    elif found is None:
        raise NotFound(f"There is no collection {options.name}", "`collections` lists what there is.")
    elif options.action == "take":
        changed = collecting.take_out(found.collection_id, _find_document_ids(session))
    elif options.action == "delete":
        changed = collecting.forget(found.collection_id)
    else:
        if len(options.rest) != 1:
            raise UsageError("`collections rename` needs the name and the new one", "See `kindred collections --help`.")
        changed = collecting.rename(found.collection_id, options.rest[0])
    return _print_collections(session, filter_by_kind(session.wait(changed), "collection"))


def run_tags(session: CommandSession) -> int:
    """List the tags, or put one on documents, or take it off."""
    options, collecting = session.options, session.workspace.collecting
    there = filter_by_kind(session.wait(collecting.collections()), "tag")
    if options.action is None:
        return _print_tags(session, there)
    if not options.name:
        raise UsageError(f"`tags {options.action}` needs a tag", "See `kindred tags --help`.")
    tag = clean_tag(options.name)
    found = find_by_name(there, tag)
    if options.action == "add":
        changed = collecting.tag(_find_document_ids(session), [tag])
    elif found is None:
        raise NotFound(f"There is no tag {tag}", "`tags` lists what there is.")
    elif options.action == "rename":
        if len(options.rest) != 1:
            raise UsageError("`tags rename` needs the tag and the new one", "See `kindred tags --help`.")
        changed = collecting.rename(found.collection_id, options.rest[0])
    elif options.rest:
        changed = collecting.take_out(found.collection_id, _find_document_ids(session))
    else:
        changed = collecting.forget(found.collection_id)
    return _print_tags(session, filter_by_kind(session.wait(changed), "tag"))


def filter_by_kind(there: list[DocumentCollection], kind: CollectionKind) -> list[DocumentCollection]:
    """Return the collections alone, or the tags."""
    return [each for each in there if each.kind == kind]


def find_by_name(there: Sequence[DocumentCollection], name: str) -> DocumentCollection | None:
    """Return the collection of a name, whatever the case."""
    wanted = " ".join(name.split()).casefold()
    return next((each for each in there if each.name.casefold() == wanted), None)


def _find_document_ids(session: CommandSession) -> list[int]:
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


def _print_collections(session: CommandSession, there: list[DocumentCollection]) -> int:
    if session.options.json:
        rows = [
            {"collection_id": each.collection_id, "name": each.name, "document_ids": sorted(each.document_ids)}
            for each in there
        ]
        print_json({"collections": rows})
        return 0
    for each in there:
        print_line(f"{escape_unprintable(each.name)}  ({format_count(len(each.document_ids), 'document')})")
    if not there:
        print_line("There are no collections: `collections add NAME DOCUMENT...` begins one.")
    return 0


def _print_tags(session: CommandSession, there: Sequence[DocumentCollection]) -> int:
    if session.options.json:
        print_json({"tags": [{"tag": each.name, "document_ids": sorted(each.document_ids)} for each in there]})
        return 0
    for each in there:
        print_line(f"{escape_unprintable(each.name)}  ({format_count(len(each.document_ids), 'document')})")
    if not there:
        print_line("There are no tags: `tags add WORD DOCUMENT...` puts one on documents.")
    return 0
