"""The command `library`: creates a shared library, gives rights in it, and describes it."""

from __future__ import annotations

import argparse
import getpass
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, cast, get_args

from desktop_app.cli.output import escape_unprintable, print_json, print_line
from desktop_app.core.errors import UsageError
from desktop_app.core.shared_address import LibraryRight

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.shared_address import SharedStatus

_ACTIONS = ("create", "grant", "password", "status", "upgrade")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "kindred library [options] [status | create | upgrade | password | grant USER RIGHT]"
    parser.description = (
        "For libraries on PostgreSQL with pgvector, given by --library "
        "postgresql://USER@SERVER/DATABASE?library=NAME. `status` describes the server and the library; `create` "
        "creates the library and its roles; `upgrade` upgrades it for this version of Kindred; `password` asks for the "
        "password and stores it in the system's keyring; `grant USER RIGHT` makes a user of the server a reader, "
        "writer or owner, or removes all rights (none)."
    )
    parser.add_argument("action", nargs="?", choices=_ACTIONS, default="status", help=argparse.SUPPRESS)
    parser.add_argument("user", nargs="?", metavar="USER", help=argparse.SUPPRESS)
    parser.add_argument("right", nargs="?", choices=get_args(LibraryRight), help=argparse.SUPPRESS)


def run(session: CommandSession) -> int:
    """Create, upgrade or describe the library, or change rights in it."""
    options = session.options
    administration = session.workspace.administration
    if (options.action == "grant") != (options.right is not None):
        raise UsageError("`library grant` needs a user and a right", "For example: library grant anna reader")
    if options.action == "create":
        session.wait(administration.create())
        return _report(session, created=True)
    if options.action == "upgrade":
        return _report(session, upgraded=session.wait(administration.upgrade()))
    if options.action == "grant":
        right = cast("LibraryRight", options.right)
        session.wait(administration.grant(options.user, right))
        return _report(session, user=options.user, right=right)
    if options.action == "password":
        session.wait(administration.use_password(_ask_password(), store=True))
        return _report(session, stored=True)
    return _print_status(session, session.wait(administration.status()))


def _ask_password() -> str:
    """Return the password that a person types, or the first line of the input of a script."""
    return getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _report(session: CommandSession, **facts: object) -> int:
    if session.options.json:
        print_json(facts)
    else:
        print_line(", ".join(f"{name}: {escape_unprintable(str(value))}" for name, value in facts.items()))
    return 0


def _print_status(session: CommandSession, status: SharedStatus) -> int:
    facts = asdict(status)
    if session.options.json:
        print_json(facts)
        return 0
    for name, value in facts.items():
        words = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
        print_line(f"{name:<12} {'-' if value is None else escape_unprintable(words)}")
    return 0
