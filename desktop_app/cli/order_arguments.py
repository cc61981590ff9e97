"""The options of commands that put a library in order and keep it safe."""

from __future__ import annotations

import argparse

from desktop_app.cli.values import as_name, command_parser


def collections(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `collections`."""
    parser = command_parser(common, name)
    parser.description = (
        "Documents that belong together, under a name; a document may be in several. `add NAME DOCUMENT...` "
        "puts documents in, and begins the collection; `take NAME DOCUMENT...` takes them out; `rename NAME NEW`; "
        "`delete NAME` takes the collection away: its documents stay."
    )
    parser.usage = "kindred collections [options] [add|take NAME DOCUMENT... | rename NAME NEW | delete NAME]"
    parser.add_argument(
        "action", nargs="?", choices=("add", "take", "rename", "delete"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", type=as_name, metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=as_name, metavar="DOCUMENT", help=argparse.SUPPRESS)
    return parser


def tags(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `tags`."""
    parser = command_parser(common, name)
    parser.description = (
        "Short words on documents. `add WORD DOCUMENT...` puts one on documents; `remove WORD DOCUMENT...` takes it "
        "off, and without documents off all of them; `rename WORD NEW`. A tag is gone with its last document."
    )
    parser.usage = "kindred tags [options] [add WORD DOCUMENT... | remove WORD [DOCUMENT...] | rename WORD NEW]"
    parser.add_argument(
        "action", nargs="?", choices=("add", "remove", "rename"), metavar="ACTION", help=argparse.SUPPRESS
    )
    parser.add_argument("name", nargs="?", type=as_name, metavar="WORD", help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", type=as_name, metavar="DOCUMENT", help=argparse.SUPPRESS)
    return parser


def backup(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `backup`."""
    parser = command_parser(common, name)
    parser.add_argument("file", type=as_name, metavar="FILE", help="the backup, a ZIP archive; nothing is there yet")
    return parser


def restore(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `restore`."""
    parser = command_parser(common, name)
    parser.add_argument("file", type=as_name, metavar="FILE", help="a backup")
    parser.add_argument("folder", type=as_name, metavar="DIR", help="of the new library; empty, or not there yet")
    return parser


def relink(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `relink`."""
    parser = command_parser(common, name)
    parser.add_argument("old", type=as_name, metavar="OLD", help="the folder, or file, as the library knows it")
    parser.add_argument("new", type=as_name, metavar="NEW", help="where it is now")
    return parser
