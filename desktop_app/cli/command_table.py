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

import argparse
import importlib
from typing import TYPE_CHECKING, Literal

from desktop_app.cli.argument_types import CommandParser, TableHelpFormatter

if TYPE_CHECKING:
    from types import ModuleType

LibraryAccess = Literal["read", "cache", "write", "create"]
"""How a command opens the library: `cache` reads, and stores its results for the next run if the library can be
written; `create` writes, and creates a library that does not exist."""

COMMANDS = {
    "import": ("import files and folders", "import_files"),
    "documents": ("list the documents of the library", "documents"),
    "remove": ("remove documents from the library; their files are not touched", "remove"),
    "collections": ("list and edit collections of documents", "collections"),
    "tags": ("list and edit the tags of documents", "tags"),
    "references": ("list, correct and export the references of documents", "references"),
    "zotero": ("import a Zotero library with its annotations and collections, and keep it up to date", "zotero"),
    "annotations": ("list and export highlights and notes, and copy PDFs with them", "annotations"),
    "info": ("show counts and settings of the library", "info"),
    "search": ("search by meaning and by words", "search"),
    "compare": ("compare two sentences, or many pairs, by meaning", "compare"),
    "pairs": ("find duplicates in the library or in a file of sentences", "pairs"),
    "clusters": ("find the topics of the library", "clusters"),
    "keys": ("list the key sentences of a document, a collection or a search", "keys"),
    "diff": ("compare two documents by meaning", "diff"),
    "trace": ("check a draft: find the source of each sentence in the library", "trace"),
    "embed": ("turn sentences into vectors", "embed"),
    "export": ("export sentences, results, duplicates, topics or ratings to a file", "export"),
    "train": ("train a model on labelled sentences", "train"),
    "evaluate": ("evaluate a model on labelled sentences or a retrieval set", "evaluate"),
    "models": ("list, add, use and remove models", "models"),
    "mcp": ("let an assistant read the library (Model Context Protocol)", "mcp"),
    "quick": ("show the small search field on top of other windows", "quick"),
    "backup": ("back up the library to one file", "backup"),
    "library": ("create and manage a shared library on PostgreSQL", "library"),
    "work": ("import what is waiting in a shared library, alongside other computers", "work"),
    "restore": ("restore a backup to a new library", "restore"),
    "relink": ("locate documents whose file or folder has moved", "relink"),
    "doctor": ("check the library's integrity, and repair it", "doctor"),
}
"""Summaries and modules by name, in the order of the help."""

_COMMON_OPTIONS_NOTE = "For the options of every command, such as --library FOLDER and --json, see `kindred --help`."


def load_command(name: str) -> ModuleType:
    """Import the module of a command."""
    return importlib.import_module(f"desktop_app.cli.commands.{COMMANDS[name][1]}")


def build_command_parser(common: argparse.ArgumentParser, name: str) -> CommandParser:
    """Return the parser of a command, with its own options and those of `common`, which its help does not repeat."""
    summary, _ = COMMANDS[name]
    parser = CommandParser(
        prog=f"kindred {name}", parents=[common], allow_abbrev=False, formatter_class=TableHelpFormatter
    )
    for action in common._actions:  # argparse has no public way to hide them in the help of one parser
        action.help = argparse.SUPPRESS
    load_command(name).add_options(parser)
    parser.epilog = "\n\n".join(filter(None, [parser.epilog, _COMMON_OPTIONS_NOTE]))
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
