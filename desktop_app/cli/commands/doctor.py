"""The command `doctor`: checks the library, and repairs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import (
    EXIT_NOT_DONE,
    escape_unprintable,
    print_json,
    print_line,
    print_note,
)

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.engine.requests import FailedFile

_IRREPARABLE_HINT = (
    "Not everything could be repaired. Restore a backup, or import your documents again into another library "
    "(--library)."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--repair", action="store_true", help="repair what is damaged")


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "write" if options.repair else "read"


def run(session: CommandSession) -> int:
    """Check the consistency of the library, and repair it on request."""
    checks = session.wait(session.workspace.maintenance.check_library(repair=session.options.repair))
    sound = all(check.ok for check in checks)
    unread: list[FailedFile] = []
    if session.options.repair and sound and not session.was_interrupted:
        # Reads documents again that could not be repaired.
        unread = session.wait(session.workspace.imports.resume()).failed
    if session.options.json:
        rows = [
            {"name": check.name, "code": check.code, "ok": check.ok, "detail": str(check.detail)} for check in checks
        ]
        print_json({"ok": sound, "checks": rows, "unread": [file.path for file in unread]})
    else:
        for check in checks:
            detail = f": {check.detail}" if check.detail else ""
            print_line(f"{'ok    ' if check.ok else 'FAILED'}  {check.name}{detail}")
        if not sound:
            print_note(_IRREPARABLE_HINT if session.options.repair else "Run `doctor --repair` to repair the library.")
        for file in unread:
            print_note(f"{escape_unprintable(file.path)} could not be read again: {file.message}")
    return 0 if sound and not unread else EXIT_NOT_DONE
