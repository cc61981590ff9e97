"""The command `collections`: lists and changes collections of documents."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.cli.scope_options import filter_by_kind, find_by_name, list_collections
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.jobs import ChangeSet
from desktop_app.engine.collection_names import rename_collection

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.library import CollectionStore, Library
    from desktop_app.core.records import DocumentCollection


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "A document may be in several collections. `add NAME DOCUMENT...` adds documents, and creates the "
        "collection if it does not exist; `take NAME DOCUMENT...` removes documents from it; `rename NAME NEW` "
        "renames it; `delete NAME` deletes it, and its documents stay in the library. Without an action, all "
        "collections are listed. A document is given by id ('#5'), path or file name."
    )
    parser.usage = "kindred collections [options] [add|take NAME DOCUMENT... | rename NAME NEW | delete NAME]"
    parser.add_argument(
        "action", nargs="?", choices=("add", "take", "rename", "delete"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", type=as_nonempty, metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=as_nonempty, metavar="DOCUMENT", help=argparse.SUPPRESS)


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "read" if options.action is None else "write"


def run(session: CommandSession) -> int:
    """Print the collections, or change one and print them."""
    options = session.options
    there = filter_by_kind(list_collections(session), "collection")
    if options.action is None:
        return _print_collections(session, there)
    if not options.name:
        raise UsageError(
            "`collections {action}` needs a collection", "See `kindred collections --help`.", action=options.action
        )
    found = find_by_name(there, options.name)
    if options.action == "add":
        ids = find_listed_documents(session)
        changed = change_collections(
            session, lambda store: store.add(found.collection_id if found else store.create(options.name), ids)
        )
    elif found is None:
        raise NotFound("There is no collection {name}", "`collections` lists all collections.", name=options.name)
    elif options.action == "take":
        ids = find_listed_documents(session)
        changed = change_collections(session, lambda store: store.remove(found.collection_id, ids))
    elif options.action == "delete":
        changed = change_collections(session, lambda store: store.delete(found.collection_id))
    else:
        if len(options.rest) != 1:
            raise UsageError(
                "`collections rename` needs the name and the new name", "See `kindred collections --help`."
            )
        changed = rename_listed(session, found.collection_id, options.rest[0])
    return _print_collections(session, filter_by_kind(changed, "collection"))


def find_listed_documents(session: CommandSession) -> list[int]:
    """Return the ids of the documents that follow the name on the command line."""
    if not session.options.rest:
        command, action = session.command.name, session.options.action
        raise UsageError(
            "`{command} {action}` needs documents", "Give them after the name or tag.", command=command, action=action
        )
    ids: dict[int, None] = {}
    for name in session.options.rest:
        documents = session.find_documents(name)
        if not documents:
            raise NotFound(
                "The library has no document or folder {name}", "`documents` lists all documents.", name=name
            )
        ids.update(dict.fromkeys(document.document_id for document in documents))
    return list(ids)


def change_collections(
    session: CommandSession, change: Callable[[CollectionStore], object]
) -> list[DocumentCollection]:
    """Change the collections; return all of them afterwards."""
    return _change_library(session, lambda library: change(library.collections), ChangeSet(collections=True))


def rename_listed(session: CommandSession, collection_id: int, name: str) -> list[DocumentCollection]:
    """Rename a collection or tag, also in saved searches; return all collections afterwards."""
    changes = ChangeSet(collections=True, searches=True)
    return _change_library(session, lambda library: rename_collection(library, collection_id, name), changes)


def _change_library(
    session: CommandSession, change: Callable[[Library], object], changes: ChangeSet
) -> list[DocumentCollection]:
    def change_and_list(library: Library) -> list[DocumentCollection]:
        change(library)
        return library.collections.collections()

    return session.wait(session.workspace.change(change_and_list, changes))


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
        print_line("There are no collections. `collections add NAME DOCUMENT...` creates one.")
    return 0
