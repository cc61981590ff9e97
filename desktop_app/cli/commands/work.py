"""The command `work`: imports what waits in a shared library, next to other machines that do the same."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_positive_int
from desktop_app.cli.commands.import_files import count_waiting, print_import_report
from desktop_app.cli.output import EXIT_STOPPED, print_note
from desktop_app.core.errors import LibraryRearranged, LibraryUnreachable, UsageError
from desktop_app.core.shared_address import is_connection_lost
from desktop_app.engine.requests import ImportReport

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession

_LOOK_EVERY_S = 1.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Imports waiting documents one at a time, so that any number of computers can work on one library. If a "
        "computer is switched off or loses its connection, the others take over its documents. Each computer must "
        "reach the files under the same paths."
    )
    parser.add_argument("--until-done", action="store_true", help="stop when nothing is waiting")
    parser.add_argument("--threads", type=as_positive_int, metavar="N", help="cores to compute on (default: all)")


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "write"


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    return "Imported documents are kept; any others keep waiting."


def run(session: CommandSession) -> int:
    """Import until nothing waits, or until a person stops it."""
    if session.command.launch(writable=True, create=False).shared is None:
        raise UsageError(
            "`work` needs a shared library: a library in a folder is written by one program at a time",
            "Give its address with --library, or use `import`.",
        )
    total = ImportReport()
    pause = threading.Event()
    if not session.wait(session.workspace.open()).library.is_writable:
        raise UsageError(
            "You may only read this library, so you cannot import into it", "Ask its owner for permission to write."
        )
    is_connected = True
    try:
        while not session.was_interrupted:
            try:
                report = session.wait(session.workspace.imports.resume())
            except LibraryRearranged:  # the documents wait as before
                pause.wait(_LOOK_EVERY_S)
                continue
            except LibraryUnreachable as error:
                if not is_connection_lost(error):
                    raise
                if is_connected:
                    session.note(f"{error.message} Waiting for the server.")
                is_connected = False
                pause.wait(_LOOK_EVERY_S)
                continue
            is_connected = True
            total.add(report)
            if report.stopped or (session.options.until_done and not count_waiting(session)):
                break
            if not report.imported and not report.failed and not session.was_interrupted:
                pause.wait(_LOOK_EVERY_S)
    except KeyboardInterrupt:
        session.was_interrupted = True
    total.stopped |= session.was_interrupted
    print_import_report(session, total)
    if total.stopped:
        print_note("Documents that are not imported yet keep waiting.")
        return EXIT_STOPPED
    return 1 if total.failed else 0
