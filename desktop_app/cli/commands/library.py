"""The command `library`: creates a shared library, gives rights in it, copies and describes it."""

from __future__ import annotations

import argparse
import getpass
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.paths import resolve_folder
from desktop_app.core.settings import SettingsKeeper
from desktop_app.core.shared_address import (
    LibraryRight,
    is_root_name,
    is_shared_address,
    library_roots,
    parse_shared_address,
    root_key,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.shared_address import SharedStatus

_ACTIONS = ("copy", "create", "grant", "password", "roots", "status", "upgrade")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = (
        "kindred library [options] [status | create | upgrade | password | grant USER RIGHT | copy --to PLACE\n"
        "                                   | roots | roots set NAME FOLDER | roots remove NAME]"
    )
    parser.description = (
        "For libraries on PostgreSQL with pgvector, given by --library "
        "postgresql://USER@SERVER/DATABASE?library=NAME. `status` describes the server and the library; `create` "
        "creates the library and its roles; `upgrade` upgrades it for this version of Kindred; `password` asks for the "
        "password and stores it in the system's keyring; `grant USER RIGHT` makes a user of the server a reader, "
        "writer or owner, or removes all rights (none). `copy --to PLACE` copies any library to a folder or to the "
        "address of a shared library, with vectors, notes, tags and your own queries, quotes and ratings; it continues "
        "where an earlier copy stopped, and compares everything at the end. `roots set NAME FOLDER` says where this "
        "computer has a folder that others reach by another path; `roots` lists these folders."
    )
    parser.add_argument("action", nargs="?", choices=_ACTIONS, default="status", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--to", type=as_nonempty, metavar="PLACE", help="where to copy to: a folder, or an address")


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    return "Copied documents are kept; the next copy continues." if options.action == "copy" else ""


def run(session: CommandSession) -> int:
    """Create, upgrade, copy or describe the library, or change rights in it."""
    options = session.options
    administration = session.workspace.administration
    action, words = options.action, options.words
    if action == "grant":
        if len(words) != 2 or words[1] not in get_args(LibraryRight):
            raise UsageError(
                "`library grant` needs a user and a right (reader, writer, owner or none)",
                "For example: library grant anna reader",
            )
        user, right = words[0], cast("LibraryRight", words[1])
        session.wait(administration.grant(user, right))
        return _report(session, user=user, right=right)
    if action == "roots":
        return _run_roots(session, words)
    if words:
        raise UsageError("`library {action}` takes no {word}", "See `library --help`.", action=action, word=words[0])
    if (action == "copy") != (options.to is not None):
        raise UsageError("`library copy` needs --to", "For example: library copy --to ~/Copies/newsroom")
    if action == "copy":
        return _copy(session)
    if action == "create":
        session.wait(administration.create())
        return _report(session, created=True)
    if action == "upgrade":
        return _report(session, upgraded=session.wait(administration.upgrade()))
    if action == "password":
        session.wait(administration.use_password(_ask_password(), store=True))
        return _report(session, stored=True)
    return _print_status(session, session.wait(administration.status()))


def _copy(session: CommandSession) -> int:
    """Copy the library and print what was done; 3 if a copy differs."""
    to = session.options.to
    place = parse_shared_address(to) if is_shared_address(to) else resolve_folder(to)
    report = session.wait(session.workspace.library_copy.copy(place))
    if session.options.json:
        print_json({"to": str(place), **asdict(report)})
    else:
        counts = [
            f"{format_count(report.copied, 'document')} copied",
            f"{report.present} already there",
            f"{report.failed} failed earlier",
            f"{report.waiting} waiting",
        ]
        print_line(", ".join(counts))
        for path in report.busy:
            print_line(f"busy       {escape_unprintable(path)} (being imported there at this moment)")
        for path in report.different:
            print_line(f"different  {escape_unprintable(path)}")
        print_line(f"{format_count(report.checked, 'document')} compared, {len(report.different)} different")
    return 3 if report.different or report.busy else 0


def _run_roots(session: CommandSession, words: Sequence[str]) -> int:
    """List, set or remove this computer's folders for the roots of the library."""
    address = session.command.launch(writable=False, create=False).shared
    if address is None:
        raise UsageError(
            "Only shared libraries have roots", "Add --library postgresql://USER@SERVER/DATABASE?library=NAME"
        )
    settings, saved = session.command.settings, session.command.saved_settings
    known = library_roots(settings.roots, address)
    keeper = SettingsKeeper(session.command.paths.settings_file, saved, settings)
    if not words:
        names = session.wait(session.workspace.administration.find_roots())
        found = {name: known.get(name) for name in sorted({*names, *known})}
        if session.options.json:
            print_json({"roots": found})
        for name, folder in found.items() if not session.options.json else ():
            print_line(f"{escape_unprintable(name)}: {escape_unprintable(folder or '-')}")
        return 0
    if len(words) == 3 and words[0] == "set":
        name, folder = words[1], str(resolve_folder(words[2]))
        if not is_root_name(name):
            raise UsageError(
                "{name} cannot be the name of a root",
                "A name has two or more small letters, digits, _ and -, and begins with a letter.",
                name=name,
            )
        if not Path(folder).is_dir():
            raise NotFound("There is no folder {folder}", "Check its path, or connect the disk.", folder=folder)
        keeper.save(replace(settings, roots={**settings.roots, root_key(address, name): folder}))
        moved = session.wait(session.workspace.administration.use_root(name, folder))
        return _report(session, root=name, folder=folder, documents=moved)
    if len(words) == 2 and words[0] == "remove" and words[1] in known:
        rest = {key: value for key, value in settings.roots.items() if key != root_key(address, words[1])}
        keeper.save(replace(settings, roots=rest))
        return _report(session, removed=words[1])
    raise UsageError(
        "`library roots` takes `set NAME FOLDER`, or `remove` and the name of a root that is set here",
        "For example: library roots set archive /mnt/archive",
    )


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
    del facts["is_model_here"]  # known only to the test in the window
    if session.options.json:
        print_json(facts)
        return 0
    for name, value in facts.items():
        words = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
        print_line(f"{name:<12} {'-' if value is None else escape_unprintable(words)}")
    return 0
