"""The command `zotero`: imports a library of Zotero, and follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.commands.import_files import KEPT_FILES
from desktop_app.cli.output import format_count, list_remarks, print_json, print_line, print_note
from desktop_app.core.errors import Cancelled, UsageError
from desktop_app.engine import zotero
from desktop_app.engine.requests import ImportRequest

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "FOLDER is the data folder of Zotero 5 to 8, which contains zotero.sqlite and storage. Its attachments are "
        "imported with their references, citation keys (including those of Better BibTeX), annotations, notes and "
        "collections, also from groups. Zotero may be open: Kindred reads a copy of its database and changes nothing. "
        "Later, `zotero` without FOLDER imports what has changed; the window does this by itself."
    )
    parser.add_argument("folder", nargs="?", type=as_nonempty, metavar="FOLDER", help="Zotero's data folder")
    parser.add_argument(
        "--base",
        type=as_nonempty,
        metavar="FOLDER",
        help="the base folder of linked attachments (default: the one in Zotero's settings)",
    )


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "create" if options.folder else "write"


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    return KEPT_FILES


def run(session: CommandSession) -> int:
    """Import one data folder, or update those that are followed."""
    options = session.options
    folders = [options.folder] if options.folder else session.wait(session.workspace.zotero.followed())
    if not folders:
        raise UsageError(
            "No Zotero folder was imported into this library", "Specify Zotero's data folder: `zotero FOLDER`."
        )
    reports, status = [], 0
    for folder in folders:
        report, failed = _take_over(session, folder)
        reports.append(report)
        status = max(status, 1 if failed else 0)
    if options.json:
        print_json({"folders": reports})
    return status


def _take_over(session: CommandSession, folder: str) -> tuple[dict[str, Any], int]:
    """Take a data folder over; returns what was done, and how many files failed."""
    listing = session.wait(session.workspace.zotero.read(folder, session.options.base or ""))
    imported = failed = 0
    if listing.new_files:
        done = session.wait(session.workspace.imports.start(ImportRequest(listing.new_files)))
        imported, failed = len(done.imported), len(done.failed)
        for each in done.failed:
            print_note(f"{each.path}: {each.message}")
        if done.stopped:
            raise Cancelled
    report = session.wait(session.workspace.zotero.apply(listing))
    remarks = list(zotero.list_remarks(listing))
    if not session.options.json:
        print_line(
            f"{format_count(report.documents, 'document')} from Zotero, {format_count(imported, 'file')} imported, "
            f"{format_count(report.annotations, 'annotation')}, {format_count(report.notes, 'note')}, "
            f"{format_count(report.collections, 'collection')}"
        )
        for remark in remarks:
            print_note(str(remark))
    return {
        "folder": listing.library.folder,
        "documents": report.documents,
        "imported": imported,
        "failed": failed,
        "annotations": report.annotations,
        "notes": report.notes,
        "collections": report.collections,
        "missing": list(report.missing),
        "remarks": list_remarks(remarks),
    }, failed
