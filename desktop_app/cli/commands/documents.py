"""The command `documents`: the list of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import (
    escape_unprintable,
    print_json_rows,
    print_line,
)
from desktop_app.cli.scope_options import filter_by_kind, list_collections
from desktop_app.engine.relocation import exists_on_disk

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options of its own."""


def run(session: CommandSession) -> int:
    """Print the documents."""
    if session.options.json:
        there = filter_by_kind(
            list_collections(session),
            "tag",
        )
        print_json_rows(
            "documents",
            (
                {
                    "document_id": document.document_id,
                    "title": document.title,
                    "path": document.path,
                    "copies": [copy.path for copy in document.copies],
                    "type": document.type,
                    "author": document.author,
                    "date": document.dated,
                    "pages": document.pages,
                    "sentences": document.sentences,
                    "state": document.state,
                    "reason": document.reason,
                    "missing": not any(map(exists_on_disk, document.paths)),
                    "truncated": document.truncated,
                    "tags": [each.name for each in there if document.document_id in each.document_ids],
                }
                for document in session.documents()
            ),
        )
        return 0
    any_there = False
    for document in session.documents():
        any_there = True
        note = document.reason or (None if any(map(exists_on_disk, document.paths)) else "missing")
        state = document.state if note is None else f"{document.state} ({note})"
        pages = f"{document.pages} p." if document.pages else "-"
        noun = "sentence " if document.sentences == 1 else "sentences"
        print_line(
            f"{f'#{document.document_id}':>6}  {state:<20}  {pages:>7}  {document.sentences:>8,} {noun}  "
            f"{escape_unprintable(document.title)}  {escape_unprintable(document.path)}"
        )
        for copy in document.copies:
            print_line(f"{'':>6}  also at {escape_unprintable(copy.path)}")
    if not any_there:
        print_line("The library is empty. Import documents first: `kindred import PATH`.")
    return 0
