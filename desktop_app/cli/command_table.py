"""The commands: the name, summary and module of each. A module is imported when its command is used.

To add a command, add a row here, write its module, test it in `tests/cli`, and mention it in the README.

A module of `commands/` has two functions:

    add_options(parser)      adds the options and arguments that only this command takes
    run(session) -> int      does the work; returns the exit status

and, where the default does not fit, two more:

    choose_access(options)         a `LibraryAccess`; by default "read"
    describe_kept_work(options)    a sentence for a person who stops the command; by default none
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Literal

from desktop_app.cli.argument_types import CommandParser

if TYPE_CHECKING:
    import argparse
    from types import ModuleType

LibraryAccess = Literal["read", "cache", "write", "create"]
"""How a command opens the library: `cache` reads, and stores its results for the next run if the library can be
written; `create` writes, and creates a library that does not exist."""

COMMANDS = {
    "import": ("take in files and folders", "import_files"),
    "documents": ("list the documents", "documents"),
    "remove": ("take documents out: text, vectors and words", "remove"),
    "collections": ("documents that belong together, under names", "collections"),
    "tags": ("short words on documents", "tags"),
    "info": ("counts and settings", "info"),
    "search": ("find sentences by meaning and by words", "search"),
    "compare": ("the similarity of two sentences, or of many pairs", "compare"),
    "pairs": ("what the library, or a file of sentences, says twice", "pairs"),
    "clusters": ("what the library is about", "clusters"),
    "keys": ("the sentences that carry a document, a collection or what a search finds", "keys"),
    "diff": ("two documents aligned by meaning", "diff"),
    "trace": ("a draft's sentences and their sources in the library", "trace"),
    "embed": ("turn sentences into vectors", "embed"),
    "export": ("write sentences, hits, pairs, clusters or marks to a file", "export"),
    "train": ("fine-tune the encoder on labelled sentences", "train"),
    "evaluate": ("measure the encoder on a file of labelled sentences, or on a retrieval set", "evaluate"),
    "models": ("which encoders there are; bring one in, switch to another", "models"),
    "backup": ("write the library into one file", "backup"),
    "restore": ("make a library of a backup, in a folder of its own", "restore"),
    "relink": ("say where documents of the library lie now that their folder has moved", "relink"),
    "doctor": ("check the library against itself", "doctor"),
}
"""Summaries and modules by name, in the order of the help."""


def load_command(name: str) -> ModuleType:
    """Import the module of a command."""
    return importlib.import_module(f"desktop_app.cli.commands.{COMMANDS[name][1]}")


def build_command_parser(common: argparse.ArgumentParser, name: str) -> CommandParser:
    """Return the parser of a command, with its own options after those of `common`."""
    summary, _ = COMMANDS[name]
    parser = CommandParser(prog=f"kindred {name}", parents=[common], allow_abbrev=False)
    load_command(name).add_options(parser)
    parser.description = " ".join(filter(None, [summary[0].upper() + summary[1:] + ".", parser.description]))
    return parser


def choose_access(name: str, options: argparse.Namespace) -> LibraryAccess:
    """Return how a command opens the library."""
    choose = getattr(load_command(name), "choose_access", None)
    return choose(options) if choose is not None else "read"


def describe_kept_work(name: str | None, options: argparse.Namespace) -> str:
    """Return what remains when a person stops a command, as a sentence; empty for the window (`None`)."""
    describe = getattr(load_command(name), "describe_kept_work", None) if name is not None else None
    return describe(options) if describe is not None else ""
