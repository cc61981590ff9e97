"""The command `annotations`: lists and exports highlights and notes, and writes them to copies of PDFs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import (
    escape_unprintable,
    format_count,
    print_json,
    print_json_rows,
    print_line,
    print_written,
)
from desktop_app.cli.scope_options import (
    add_scope_options,
    build_scope,
    find_document_ids,
    find_one_document,
    refuse_to_overwrite_documents,
)
from desktop_app.core.annotation_files import ANNOTATION_SUFFIXES, annotation_json, write_annotations
from desktop_app.core.annotations import COLOURS, annotation_to_hit, colour_name, contains_words
from desktop_app.core.citation import format_cited_location
from desktop_app.core.citation_styles import CITATION_STYLES
from desktop_app.core.errors import UsageError
from desktop_app.core.export_files import check_suffix
from desktop_app.core.messages import Message
from desktop_app.core.scope import Scope

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.annotations import Annotation


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Lists the highlights and notes of all documents, or of those given: your own, those from Zotero, and those in "
        "the files themselves. `copy DOCUMENT --output FILE.pdf` writes a copy of a PDF with your highlights and those "
        "from Zotero as standard annotations; the original is never changed. "
        "`search QUERY kind:note` finds them by meaning."
    )
    parser.usage = "kindred annotations [options] [DOCUMENT... | copy DOCUMENT --output FILE.pdf]"
    parser.add_argument("rest", nargs="*", type=as_nonempty, metavar="DOCUMENT", help=argparse.SUPPRESS)
    parser.add_argument("--find", type=as_nonempty, metavar="WORDS", help="only those that contain these words")
    parser.add_argument("--colour", choices=tuple(COLOURS), help="only those of this colour")
    parser.add_argument("--origin", choices=("own", "zotero", "file"), help="only your own, Zotero's, or the files'")
    parser.add_argument(
        "--output",
        type=as_nonempty,
        metavar="FILE",
        help="write them to .md (Markdown), .xlsx, .csv or .jsonl; with `copy`, the PDF to write",
    )
    parser.add_argument(
        "--style", choices=tuple(CITATION_STYLES), help="cite them in this style, with references (Markdown only)"
    )
    parser.add_argument(
        "--author", type=as_nonempty, metavar="NAME", help="with `copy`: author of your own highlights (default: you)"
    )
    add_scope_options(parser.add_argument_group("which part of the library"))


def run(session: CommandSession) -> int:
    """List or export annotations, or write a copy of a PDF."""
    options = session.options
    if options.rest[:1] == ["copy"]:
        return _copy(session)
    suffix = ""
    if options.output:
        suffix = check_suffix(options.output, ANNOTATION_SUFFIXES)
        refuse_to_overwrite_documents(session, options.output)
    if options.style and suffix != ".md":
        raise UsageError("--style needs --output FILE.md", "Citations are written to Markdown.")
    found = _find(session)
    if options.output:
        ids = sorted({each.document_id for each in found})
        references = session.wait(session.workspace.read(lambda library: library.documents.references(ids)))
        write_annotations(options.output, found, references, options.style)
        print_written(len(found), "highlight", options.output, as_json=options.json)
    elif options.json:
        print_json_rows("annotations", map(annotation_json, found))
    else:
        for each in found:
            _print(each)
        if not found:
            print_line("No highlights or notes found.")
    return 0


def _find(session: CommandSession) -> list[Annotation]:
    options, scope = session.options, build_scope(session)
    if options.rest:
        if not scope.is_everything:
            raise UsageError("Documents and a part of the library cannot be used together", "Use one of them.")
        scope = Scope(document_ids=find_document_ids(session, options.rest))
    found = session.wait(session.workspace.annotations.fetch(scope=scope, with_file=True))
    return [
        each
        for each in found
        if (not options.find or contains_words(each, options.find))
        and (not options.colour or colour_name(each.colour) == options.colour)
        and (not options.origin or each.origin == options.origin)
    ]


def _print(annotation: Annotation) -> None:
    where = format_cited_location(annotation_to_hit(annotation))
    origin = {"zotero": "Zotero", "file": "in the file"}.get(annotation.origin, "")
    about = ", ".join(filter(None, (annotation.title, where, colour_name(annotation.colour), origin)))
    print_line(escape_unprintable(about))
    for text in filter(None, (f"“{annotation.text}”" if annotation.text else "", *annotation.comment.splitlines())):
        print_line(f"    {escape_unprintable(text)}")


def _copy(session: CommandSession) -> int:
    options = session.options
    if len(options.rest) != 2 or not options.output:
        raise UsageError("`annotations copy` needs a document and --output FILE.pdf", "See `annotations --help`.")
    check_suffix(options.output, (".pdf",), Message("The copy is a PDF: give it the ending .pdf."))
    refuse_to_overwrite_documents(session, options.output)
    document_id = find_one_document(session, options.rest[1])
    copy = session.workspace.annotations.save_copy(document_id, options.output, author=options.author or "")
    count = session.wait(copy)
    if options.json:
        print_json({"annotations": count, "output": options.output})
    else:
        print_line(f"{format_count(count, 'highlight')} written to {options.output}")
    return 0
