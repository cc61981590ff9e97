"""The command `tags`: lists and changes tags of documents."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.commands.collections import change_collections, find_listed_documents, rename_listed
from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.cli.scope_options import filter_by_kind, find_by_name, list_collections
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.tags import clean_tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import DocumentCollection


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "`add WORD DOCUMENT...` adds a tag to documents; `remove WORD DOCUMENT...` removes it from them, and "
        "without documents from all; `rename WORD NEW` renames it, or merges it into the tag NEW. A tag without "
        "documents is deleted. Without an action, all tags are listed. A document is given by id ('#5'), path or file "
        "name."
    )
    parser.usage = "kindred tags [options] [add WORD DOCUMENT... | remove WORD [DOCUMENT...] | rename WORD NEW]"
    parser.add_argument(
        "action", nargs="?", choices=("add", "remove", "rename"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", type=as_nonempty, metavar="WORD", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=as_nonempty, metavar="DOCUMENT", help=argparse.SUPPRESS)


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "read" if options.action is None else "write"


def run(session: CommandSession) -> int:
    """Print the tags, or change one and print them."""
    options = session.options
    there = filter_by_kind(list_collections(session), "tag")
    if options.action is None:
        return _print_tags(session, there)
    if not options.name:
        raise UsageError("`tags {action}` needs a tag", "See `kindred tags --help`.", action=options.action)
    tag = clean_tag(options.name)
    found = find_by_name(there, tag)
    if options.action == "add":
        ids = find_listed_documents(session)
        changed = change_collections(session, lambda store: store.tag(ids, [tag]))
    elif found is None:
        raise NotFound("There is no tag {tag}", "`tags` lists all tags.", tag=tag)
    elif options.action == "rename":
        if len(options.rest) != 1:
            raise UsageError("`tags rename` needs the tag and the new tag", "See `kindred tags --help`.")
        changed = rename_listed(session, found.collection_id, options.rest[0])
    elif options.rest:
        ids = find_listed_documents(session)
        changed = change_collections(session, lambda store: store.remove(found.collection_id, ids))
    else:
        changed = change_collections(session, lambda store: store.delete(found.collection_id))
    return _print_tags(session, filter_by_kind(changed, "tag"))


def _print_tags(session: CommandSession, there: Sequence[DocumentCollection]) -> int:
    if session.options.json:
        print_json({"tags": [{"tag": each.name, "document_ids": sorted(each.document_ids)} for each in there]})
        return 0
    for each in there:
        print_line(f"{escape_unprintable(each.name)}  ({format_count(len(each.document_ids), 'document')})")
    if not there:
        print_line("There are no tags. `tags add WORD DOCUMENT...` adds one.")
    return 0
