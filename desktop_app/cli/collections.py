"""The commands `collections` and `tags`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.tags import clean_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.library import CollectionStore, Library
    from desktop_app.core.records import CollectionKind, DocumentCollection


def run_collections(session: CommandSession) -> int:
    """List the collections, or change one."""
    options = session.options
    there = filter_by_kind(list_collections(session), "collection")
    if options.action is None:
        return _print_collections(session, there)
    if not options.name:
        raise UsageError(f"`collections {options.action}` needs a collection", "See `kindred collections --help`.")
    found = find_by_name(there, options.name)
    if options.action == "add":
        ids = _find_document_ids(session)
        changed = _change(
            session, lambda store: store.add(found.collection_id if found else store.make(options.name), ids)
        )
    elif found is None:
        raise NotFound(f"There is no collection {options.name}", "`collections` lists what there is.")
    elif options.action == "take":
        ids = _find_document_ids(session)
        changed = _change(session, lambda store: store.take_out(found.collection_id, ids))
    elif options.action == "delete":
        changed = _change(session, lambda store: store.forget(found.collection_id))
    else:
        if len(options.rest) != 1:
            raise UsageError("`collections rename` needs the name and the new one", "See `kindred collections --help`.")
        changed = _change(session, lambda store: store.rename(found.collection_id, options.rest[0]))
    return _print_collections(session, filter_by_kind(changed, "collection"))


def run_tags(session: CommandSession) -> int:
    """List the tags, or put one on documents, or take it off."""
    options = session.options
    there = filter_by_kind(list_collections(session), "tag")
    if options.action is None:
        return _print_tags(session, there)
    if not options.name:
        raise UsageError(f"`tags {options.action}` needs a tag", "See `kindred tags --help`.")
    tag = clean_tag(options.name)
    found = find_by_name(there, tag)
    if options.action == "add":
        ids = _find_document_ids(session)
        changed = _change(session, lambda store: store.tag(ids, [tag]))
    elif found is None:
        raise NotFound(f"There is no tag {tag}", "`tags` lists what there is.")
    elif options.action == "rename":
        if len(options.rest) != 1:
            raise UsageError("`tags rename` needs the tag and the new one", "See `kindred tags --help`.")
        changed = _change(session, lambda store: store.rename(found.collection_id, options.rest[0]))
    elif options.rest:
        ids = _find_document_ids(session)
        changed = _change(session, lambda store: store.take_out(found.collection_id, ids))
    else:
        changed = _change(session, lambda store: store.forget(found.collection_id))
    return _print_tags(session, filter_by_kind(changed, "tag"))


def list_collections(session: CommandSession) -> list[DocumentCollection]:
    """Return every collection, by name; then the tags."""
    return session.wait(session.workspace.read(lambda library: library.collecting.collections()))


def _change(session: CommandSession, change: Callable[[CollectionStore], object]) -> list[DocumentCollection]:
    """Change the collections, and return all of them as they are then."""

    def change_and_list(library: Library) -> list[DocumentCollection]:
        change(library.collecting)
        return library.collecting.collections()

    return session.wait(session.workspace.change(change_and_list, ChangeSet(collections=True)))


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
        documents = session.find_documents(name)
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
