"""The command `diff`: two documents, sentence by sentence."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.commands.trace import read_password
from desktop_app.cli.output import format_count, print_json, print_line
from desktop_app.cli.scope_options import find_one_document, refuse_to_overwrite_documents
from desktop_app.cli.sentence_files import refuse_to_overwrite
from desktop_app.core.errors import UsageError
from desktop_app.core.export_files import check_suffix
from desktop_app.core.language_detection import name_languages
from desktop_app.core.sentence_differences import describe_badge
from desktop_app.core.trace_files import TRACE_SUFFIXES, diff_row_json

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession

_CHANGE_SIGNS = {"kept": "=", "reworded": "~", "moved": ">", "new": "+", "dropped": "-"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = (
        "Signs: = kept; ~ reworded; > moved; + new, only in the later version; - dropped, only in the earlier one. "
        "The number is the similarity in meaning (cosine); the second line is that of the later version."
    )
    for side, what in (("first", "the earlier version"), ("second", "the later version")):
        parser.add_argument(
            side,
            type=as_nonempty,
            metavar="DOCUMENT",
            help=f"{what}: id ('#5'), path or name; a file that is not in the library works too",
        )
    parser.add_argument("--password", help="password of encrypted files (or KINDRED_PDF_PASSWORD)")
    parser.add_argument("--output", type=as_nonempty, metavar="FILE", help="write to .xlsx, .csv, .jsonl or .md")


def run(session: CommandSession) -> int:
    """Print how two documents, or files outside the library, differ in meaning."""
    options = session.options
    if options.output:
        check_suffix(options.output, TRACE_SUFFIXES)
        refuse_to_overwrite(options.output, options.first, options.second)
        refuse_to_overwrite_documents(session, options.output)
    a, b = _find_side(session, options.first), _find_side(session, options.second)
    if a == b:
        raise UsageError("Both are the same document", "Give two different documents; `documents` lists all.")
    found = session.wait(session.workspace.trace.diff(a, b, password=read_password(session)))
    if options.output:
        session.wait(session.workspace.trace.export(found, options.output))
    if options.json:
        print_json(
            {
                "rows": [diff_row_json(row) for row in found.rows],
                "counts": found.counts,
                "unknown_languages": list(found.unknown_languages),
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    if options.output:
        print_line(f"{format_count(len(found.rows), 'row')} written to {options.output}")
    else:
        for row in found.rows:
            differs = "".join(f"  (differs in {describe_badge(badge)})" for badge in row.badges)
            if row.change in ("reworded", "moved") and row.a is not None and row.b is not None:
                print_line(f"{_CHANGE_SIGNS[row.change]} {row.score:.3f}  {row.a.text}{differs}\n         {row.b.text}")
            else:
                hit = row.b or row.a
                print_line(f"{_CHANGE_SIGNS[row.change]}        {hit.text if hit else ''}")
    print_line(", ".join(f"{count:,} {change}" for change, count in found.counts.items()))
    if found.unknown_languages:
        languages = name_languages(found.unknown_languages)
        print_line(
            f"some sentences look like {languages}, which the model is not trained for: what both documents say may "
            "seem new or dropped"
        )
    return 0


def _find_side(session: CommandSession, name: str) -> int | str:
    """Return a document, or the path of a file that is not in the library."""
    if os.path.isfile(name) and not name.startswith("#"):
        if name.isdigit():
            session.find_documents(name)  # raises if it is an id too
        path = os.path.abspath(name)
        known = session.find_documents(path)
        same = [each.document_id for each in known if each.path == path and each.sentences]
        return same[0] if same else path
    return find_one_document(session, name)
