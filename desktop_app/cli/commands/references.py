"""The command `references`: who wrote documents, when and where they were published."""

from __future__ import annotations

import argparse
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.commands.import_files import KEPT_FILES
from desktop_app.cli.output import (
    escape_unprintable,
    format_count,
    print_json,
    print_json_rows,
    print_line,
    print_note,
    print_written,
)
from desktop_app.cli.scope_options import (
    add_scope_options,
    build_scope,
    find_one_document,
    refuse_to_overwrite_documents,
)
from desktop_app.core.atomic_files import open_atomic_text
from desktop_app.core.bibliography import REFERENCE_KINDS, Reference, find_doi, split_authors, to_family_first
from desktop_app.core.citation import REFERENCE_SUFFIXES, CitedSentence, format_citations, format_reference_list
from desktop_app.core.citation_styles import CITATION_STYLES
from desktop_app.core.document_dates import normalise_date
from desktop_app.core.errors import Cancelled, NotFound, UsageError
from desktop_app.core.export_files import check_suffix
from desktop_app.core.jobs import ChangeSet
from desktop_app.engine.requests import ImportRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import Document

_ACTIONS = ("set", "reset", "import")
_FIELDS = tuple(each.name for each in fields(Reference) if each.name != "tags")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Without an action, the references of the documents are listed, all or those that are given. "
        "`set DOCUMENT FIELD=VALUE...` corrects a reference; `reset DOCUMENT` goes back to what the file says. "
        "`import FILE` reads the references of a BibTeX (.bib), RIS (.ris) or CSL-JSON (.json) file: it imports the "
        "documents they link to, and assigns references to documents by file, DOI or title. "
        f"Fields: {', '.join(_FIELDS)}. Kinds: {', '.join(REFERENCE_KINDS)}. "
        "Authors are separated by semicolons: 'authors=Woolf, Virginia; Bell, Clive'."
    )
    parser.usage = (
        "kindred references [options] [DOCUMENT... | set DOCUMENT FIELD=VALUE... | reset DOCUMENT | import FILE]"
    )
    parser.add_argument("rest", nargs="*", type=as_nonempty, metavar="DOCUMENT", help=argparse.SUPPRESS)
    parser.add_argument(
        "--style", choices=tuple(CITATION_STYLES), default="apa", help="the style of the list (default: apa)"
    )
    parser.add_argument(
        "--output",
        type=as_nonempty,
        metavar="FILE",
        help="write the references to .bib (BibTeX), .ris, .json (CSL-JSON) or .txt (in the style)",
    )
    add_scope_options(parser.add_argument_group("which part of the library"))


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    if not options.rest or options.rest[0] not in _ACTIONS:
        return "read"
    return "create" if options.rest[0] == "import" else "write"


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    return KEPT_FILES if options.rest[:1] == ["import"] else ""


def run(session: CommandSession) -> int:
    """List, write or correct references."""
    rest = session.options.rest
    if rest and rest[0] == "import":
        return _import(session, rest[1:])
    if rest and rest[0] in _ACTIONS:
        document_id = _change(session, rest[0], rest[1:])
        return _list(session, [document_id])
    return _list(session, None)


def _change(session: CommandSession, action: str, rest: Sequence[str]) -> int:
    """Correct the reference of a document; returns its id."""
    if not rest or (action == "set") == (len(rest) == 1):
        raise UsageError(
            "`references {action}` needs a document, and `set` also FIELD=VALUE",
            "See `kindred references --help`.",
            action=action,
        )
    document_id = find_one_document(session, rest[0])
    changed: Reference | None = None
    if action == "set":
        found = session.wait(session.workspace.read(lambda library: library.documents.references([document_id])))
        changed = replace(found[document_id], **dict(map(_parse_field, rest[1:])))
    changes = ChangeSet(documents=frozenset({document_id}))
    session.wait(
        session.workspace.change(lambda library: library.documents.set_reference(document_id, changed), changes)
    )
    return document_id


def _import(session: CommandSession, rest: Sequence[str]) -> int:
    """Import the documents that a list links, and give documents the references of the list."""
    if len(rest) != 1:
        raise UsageError("`references import` needs one file", "See `kindred references --help`.")
    listed = session.wait(session.workspace.references.read(rest[0]))
    for line in listed.damaged_lines:
        print_note(f"{rest[0]}, line {line}: the entry is damaged; what could be read of it is used")
    failed = 0
    if listed.new_files:
        report = session.wait(session.workspace.imports.start(ImportRequest(listed.new_files)))
        failed = len(report.failed)
        for each in report.failed:
            print_note(f"{each.path}: {each.message}")
        if report.stopped:
            raise Cancelled
    matches = session.wait(session.workspace.references.apply(listed.entries))
    if session.options.json:
        print_json(
            {
                "entries": len(listed.entries),
                "imported": len(listed.new_files) - failed,
                "failed": failed,
                "documents": list(matches.documents),
                "unmatched": list(matches.unmatched),
                "ambiguous": list(matches.ambiguous),
                "damaged_lines": list(listed.damaged_lines),
            }
        )
    else:
        print_line(
            f"{format_count(len(listed.entries), 'reference')} read, "
            f"{format_count(len(matches.documents), 'document')} with a reference from it, "
            f"{format_count(len(listed.new_files) - failed, 'document')} imported"
        )
        for title in matches.unmatched:
            why = "several documents" if title in matches.ambiguous else "no document"
            print_line(f"{why}: {escape_unprintable(title)}")
    return 1 if failed else 0


def _parse_field(text: str) -> tuple[str, Any]:
    """Return the name and value of `FIELD=VALUE`.

    Raises:
        UsageError: there is no such field, or the value cannot be one.
    """
    name, sign, value = text.partition("=")
    name, value = name.strip().lower(), " ".join(value.split())
    if not sign or name not in _FIELDS:
        raise UsageError(
            "{text} is not FIELD=VALUE with a field of a reference",
            "The fields are: {fields}.",
            text=text,
            fields=", ".join(_FIELDS),
        )
    if name == "authors":
        return name, tuple(map(to_family_first, filter(None, map(str.strip, value.split(";"))))) or split_authors(value)
    if name == "kind" and value not in REFERENCE_KINDS:
        raise UsageError(
            "{value} is not a kind", "The kinds are: {kinds}.", value=value, kinds=", ".join(REFERENCE_KINDS)
        )
    read = {"date": normalise_date, "doi": find_doi}.get(name)
    if read is not None and value and not read(value):
        raise UsageError(
            "{value} is not a {field}",
            "Dates are written 1931, 1931-10 or 1931-10-08, and a DOI like 10.1000/xyz.",
            value=value,
            field=name,
        )
    return name, read(value) if read is not None else value


def _list(session: CommandSession, ids: Sequence[int] | None) -> int:
    options = session.options
    suffix = ""
    if options.output:
        suffix = check_suffix(options.output, (*REFERENCE_SUFFIXES, ".txt"))
        refuse_to_overwrite_documents(session, options.output)
    documents = _find_documents(session, ids)
    wanted = [document.document_id for document in documents]
    found = session.wait(session.workspace.read(lambda library: library.documents.references(wanted)))
    known = [(document, found[document.document_id]) for document in documents if document.document_id in found]
    if options.output:
        with open_atomic_text(options.output) as out:
            out.write(_format(known, suffix, options.style) + "\n")
        print_written(len(known), "reference", options.output, as_json=options.json)
    elif options.json:
        rows = ({"document_id": document.document_id, "path": document.path} | asdict(each) for document, each in known)
        print_json_rows("references", rows)
    else:
        for entry in format_reference_list([reference for _, reference in known], options.style):
            print_line(escape_unprintable(entry))
        if not known:
            print_line("There are no documents here.")
    return 0


def _find_documents(session: CommandSession, ids: Sequence[int] | None) -> list[Document]:
    scope = build_scope(session)
    names = session.options.rest if ids is None else []
    if names and not scope.is_everything:
        raise UsageError("Documents and a part of the library cannot be used together", "Use one of them.")
    if ids is None and not names:
        return list(session.documents(scope))
    found: dict[int, Document] = {}
    for name in names or [f"#{each}" for each in ids or ()]:
        documents = session.find_documents(name)
        if not documents:
            raise NotFound(
                "The library has no document or folder {name}", "`documents` lists all documents.", name=name
            )
        found |= {document.document_id: document for document in documents}
    return list(found.values())


def _format(known: Sequence[tuple[Document, Reference]], suffix: str, style: str) -> str:
    if suffix == ".txt":
        return "\n".join(format_reference_list([each for _, each in known], style))  # type: ignore[arg-type]
    cited = [CitedSentence("", reference, str(Path(document.path))) for document, reference in known]
    return format_citations(cited, REFERENCE_SUFFIXES[suffix])
