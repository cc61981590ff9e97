"""The command `trace`: the sources of each sentence of a draft."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desktop_app.cli.argument_types import as_nonempty, as_positive_int
from desktop_app.cli.output import format_count, format_hit_source, print_json, print_line
from desktop_app.cli.scope_options import (
    add_passage_option,
    add_scope_options,
    build_scope,
    refuse_to_overwrite_documents,
)
from desktop_app.cli.sentence_files import refuse_to_overwrite
from desktop_app.core.citation_styles import CITATION_STYLES
from desktop_app.core.errors import UsageError
from desktop_app.core.export_files import check_suffix
from desktop_app.core.language_detection import name_languages
from desktop_app.core.sentence_differences import describe_badge
from desktop_app.core.trace_files import DRAFT_SUFFIXES, traced_sentence_json
from desktop_app.core.trace_texts import TraceTexts

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "file",
        type=as_nonempty,
        metavar="FILE",
        help="a draft of any supported file type; it is not added to the library",
    )
    parser.add_argument(
        "--top-k", type=as_positive_int, default=3, metavar="K", help="sources per sentence (default: 3)"
    )
    add_scope_options(parser, "search only there")
    add_passage_option(parser)
    parser.add_argument("--password", help="password of an encrypted draft (or KINDRED_PDF_PASSWORD)")
    parser.add_argument(
        "--output",
        type=as_nonempty,
        metavar="FILE",
        help="write to .docx or .html (the draft with its sources in footnotes), .xlsx, .csv, .jsonl or .md, "
        "or only the sources to .bib",
    )
    parser.add_argument(
        "--style",
        choices=tuple(CITATION_STYLES),
        default="chicago-notes",
        help="the citation style of footnotes (default: chicago-notes)",
    )


def run(session: CommandSession) -> int:
    """Print the sources in the library of each sentence of a draft."""
    options = session.options
    if os.path.isdir(options.file):
        raise UsageError("{file} is a folder", "Give a file.", file=options.file)
    if options.output:
        check_suffix(options.output, DRAFT_SUFFIXES)
        refuse_to_overwrite(options.output, options.file)
        refuse_to_overwrite_documents(session, options.output)
    found = session.wait(
        session.workspace.trace.trace_file(
            options.file, password=read_password(session), sources=options.top_k, scope=build_scope(session)
        )
    )
    if options.output:
        session.wait(session.workspace.trace.export(found, options.output, TraceTexts(style=options.style)))
    if options.json:
        print_json(
            {
                "sentences": [traced_sentence_json(sentence) for sentence in found.sentences],
                "coverage": found.coverage,
                "skipped": found.skipped,
                "own": list(found.own),
                "unknown_languages": list(found.unknown_languages),
                "seconds": round(found.seconds, 3),
            }
        )
        return 0
    if options.output:
        print_line(f"{format_count(len(found.sentences), 'sentence')} written to {options.output}")
    else:
        for sentence in found.sentences:
            score = f" {sentence.score:.3f}" if sentence.score is not None else ""
            differs = "".join(f", differs in {describe_badge(badge)}" for badge in sentence.badges)
            print_line(f"{sentence.support}{score}{differs}: {sentence.text}")
            for hit in sentence.sources:
                print_line(f"    {hit.score:.3f}  {hit.text}\n           {format_hit_source(hit)}")
    print_line(", ".join(f"{count:,} {support}" for support, count in found.coverage.items()))
    if found.differing:
        print_line(f"facts differ from the source in {format_count(found.differing, 'sentence')}")
    if found.coverage["related"]:
        print_line("related is no support: the library covers the subject, but does not say this")
    if found.skipped:
        print_line(
            f"skipped {format_count(found.skipped, 'line')}: headings, fragments, table rows, code and references"
        )
    if found.own:
        print_line(f"ignored as a source (same file): {', '.join(found.own)}")
    if found.unknown_languages:
        languages = name_languages(found.unknown_languages)
        print_line(f"some sentences look like {languages}, which the model is not trained for: sources may be missed")
    return 0


def read_password(session: CommandSession) -> str | None:
    """Return the password of a file: the option's, else the environment's."""
    return session.options.password or os.environ.get("KINDRED_PDF_PASSWORD")
