"""The command `pairs`: similar pairs of the library or of a file of sentences."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop_app.cli import sentence_files
from desktop_app.cli.argument_types import as_nonempty, as_positive_int, as_score
from desktop_app.cli.commands.compare import verdict_json, warn_unknown_texts
from desktop_app.cli.output import escape_unprintable, format_hit_source, print_json, print_line, print_note
from desktop_app.cli.scope_options import add_passage_option, add_scope_options, build_scope, find_document_ids
from desktop_app.core.duplicates import (
    CLOSE,
    MIN_PASSAGE_CHARACTERS,
    MIN_PASSAGE_SENTENCES,
    MIN_SCORE,
    PAIR_KINDS,
    RELATED,
    PairsRequest,
    PassagesRequest,
)
from desktop_app.core.errors import UsageError
from desktop_app.core.passage_files import describe_overlap, describe_passage, format_passage_sources, passage_json
from desktop_app.core.result_files import pair_json
from desktop_app.core.sentence_differences import describe_badge

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.duplicates import PairVerdict


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--file", metavar="SENTENCES.txt", help="search this file instead of the library: one sentence per line"
    )
    parser.add_argument("--top-k", type=as_positive_int, default=100, metavar="K", help="how many (default: 100)")
    parser.add_argument(
        "--passages",
        action="store_true",
        help="find repeated passages instead of pairs: consecutive sentences that were copied, word for word or nearly",
    )
    parser.add_argument(
        "--min-sentences",
        type=as_positive_int,
        metavar="N",
        help="with --passages: least number of copied sentences (default: 2)",
    )
    add_pair_options(parser.add_argument_group("which duplicates"))
    add_scope_options(parser.add_argument_group("which part of the library (both sentences are in it)"))


def add_pair_options(group: argparse._ArgumentGroup) -> None:
    """Add the options that choose pairs of the library."""
    group.add_argument(
        "--min-score",
        type=as_score,
        metavar="S",
        help=f"minimum similarity (cosine; default: {MIN_SCORE} for pairs of the library without --kind)",
    )
    group.add_argument("--max-score", type=as_score, default=1.0, metavar="S", help="maximum similarity (cosine)")
    group.add_argument(
        "--kind",
        choices=PAIR_KINDS,
        help="exact: the same words; near: a few words differ; paraphrase: the same in other words "
        f"(cosine of at least {CLOSE}); related: at least {RELATED}; unrelated: less",
    )
    where = group.add_mutually_exclusive_group()
    where.add_argument("--across-documents", action="store_true", help="only pairs between two documents (default)")
    where.add_argument("--anywhere", action="store_true", help="also pairs within one document")
    where.add_argument("--within-document", action="store_true", help="only pairs within one document")
    group.add_argument(
        "--document",
        dest="touching",
        action="append",
        type=as_nonempty,
        default=[],
        metavar="PATH_OR_ID",
        help="only pairs with a sentence of this document; repeatable",
    )
    group.add_argument(
        "--min-length",
        type=as_positive_int,
        default=0,
        metavar="N",
        help="only pairs of sentences, or passages, with at least this many characters (passages: 100)",
    )
    group.add_argument("--unreviewed", action="store_true", help="only pairs that are not marked as reviewed")
    add_passage_option(group)


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "read" if options.file else "cache"


def run(session: CommandSession) -> int:
    """Print the most similar pairs of the library, or of the sentences in a file, or the repeated passages."""
    options = session.options
    if options.passages:
        return _list_passages(session)
    if options.min_sentences:
        raise UsageError("--min-sentences goes with --passages", "Add --passages, or omit it.")
    return _list_file_pairs(session) if options.file else _list_library_pairs(session)


def build_passages_request(session: CommandSession) -> PassagesRequest:
    """Return the request for the repeated passages that the options choose."""
    options = session.options
    if options.kind or options.unreviewed or options.min_score is not None or options.max_score < 1:
        raise UsageError(
            "Passages are copies, without a similarity or a kind of their own",
            "Omit --kind, --min-score, --max-score and --unreviewed.",
        )
    return PassagesRequest(
        options.top_k,
        "within" if options.within_document else "anywhere" if options.anywhere else "across",
        build_scope(session),
        find_document_ids(session, options.touching) if options.touching else None,
        options.min_sentences or MIN_PASSAGE_SENTENCES,
        options.min_length or MIN_PASSAGE_CHARACTERS,
    )


def _list_passages(session: CommandSession) -> int:
    if session.options.file:
        raise UsageError("Passages are found in the library, not in a file", "Import the file, or omit --passages.")
    found = session.wait(session.workspace.repeated_passages.find_passages(build_passages_request(session)))
    if session.options.json:
        rows = [passage_json(passage, rank) for rank, passage in enumerate(found.passages, start=1)]
        print_json({"passages": rows, "total": found.total, "seconds": round(found.seconds, 3)})
        return 0
    for passage in found.passages:
        print_line(describe_passage(passage))
        for place, source in zip(passage.places, format_passage_sources(passage), strict=True):
            print_line(f"       {escape_unprintable(source)}  {describe_overlap(place)}".rstrip())
        first = passage.places[0].sentences
        print_line(f"         begins: {first[0].text}\n         ends:   {first[-1].text}")
        for number, place in enumerate(passage.places[1:], start=2):
            for row in place.rows:
                if row.is_changed:
                    print_line(f"         1: {row.a.text if row.a else '-'}")
                    print_line(f"         {number}: {row.b.text if row.b else '-'}")
    if not found.passages:
        print_line("No repeated passages found.")
    elif found.total > len(found.passages):
        print_line(f"The longest {len(found.passages)} of {found.total:,}; see --top-k.")
    return 0


def build_pairs_request(session: CommandSession) -> PairsRequest:
    """Return the request for the pairs that the options choose."""
    options = session.options
    return PairsRequest(
        options.top_k,
        _choose_min_score(options, MIN_SCORE if options.kind is None else -1.0),
        "within" if options.within_document else "anywhere" if options.anywhere else "across",
        options.kind,
        build_scope(session),
        max_score=options.max_score,
        touching=find_document_ids(session, options.touching) if options.touching else None,
        unreviewed=options.unreviewed,
        min_length=options.min_length,
    )


def _choose_min_score(options: argparse.Namespace, otherwise: float) -> float:
    """Return the least similarity that a person asks for; `otherwise` without one."""
    return otherwise if options.min_score is None else float(options.min_score)


def _list_library_pairs(session: CommandSession) -> int:
    found = session.wait(session.workspace.duplicates.find_pairs(build_pairs_request(session)))
    if session.options.json:
        print_json(
            {
                "pairs": [pair_json(pair, rank) for rank, pair in enumerate(found.pairs, start=1)],
                "seconds": round(found.seconds, 3),
            }
        )
    else:
        for pair in found.pairs:
            more = "".join(f"  [{describe_badge(badge)}]" for badge in pair.badges)
            folded = f"  +{pair.folded} that differ only in numbers" if pair.folded else ""
            print_line(f"{pair.score:.3f}  {pair.kind}{more}{folded}")
            # Files of two folders may have the same name.
            is_other = pair.a.document_id != pair.b.document_id
            is_same = is_other and format_hit_source(pair.a) == format_hit_source(pair.b)
            for hit in (pair.a, pair.b):
                print_line(f"       {hit.text}\n         {format_hit_source(hit, is_path_whole=is_same)}")
        if not found.pairs:
            print_line("No duplicates found.")
        note_limit(session, len(found.pairs))
    return 0


def note_limit(session: CommandSession, count: int) -> None:
    """Say that a list of duplicates may lack some: a person takes it for all of them."""
    if count == session.options.top_k:
        print_note(f"These are the top {count:,}; for more, use --top-k.")


def _format_answer(verdict: PairVerdict) -> str:
    return verdict.label if verdict.score is None else f"{verdict.score:.4f}"


def _list_file_pairs(session: CommandSession) -> int:
    options = session.options
    has_part = options.within or options.collections or options.tags or options.languages
    has_place = options.across_documents or options.anywhere or options.within_document or options.touching
    if has_place or options.unreviewed or options.min_length or options.all_passages or has_part:
        raise UsageError(
            "The lines of a file belong to no documents and have no ratings",
            "Omit --across-documents, --anywhere, --within-document, --document, --unreviewed, --min-length, "
            "--all-passages and the options for a part of the library.",
        )
    lines = [(number, text) for number, text in enumerate(sentence_files.read_lines(options.file), 1) if text.strip()]
    numbers, texts = [number for number, _ in lines], [text for _, text in lines]
    warn_unknown_texts(session, texts)
    started = time.perf_counter()
    with sentence_files.add_line_numbers_to_errors(options.file, lambda: numbers):
        pairs = session.wait(
            session.workspace.comparison.pair_texts(
                texts, options.top_k, _choose_min_score(options, -1.0), options.kind, max_score=options.max_score
            )
        )
    if options.json:
        print_json(
            {
                "pairs": [
                    {
                        "score": pair.score,
                        "kind": pair.kind,
                        "badges": list(pair.badges),
                        **verdict_json(pair.verdict),
                        "a": {"text": pair.text_a, "line": numbers[pair.a]},
                        "b": {"text": pair.text_b, "line": numbers[pair.b]},
                    }
                    for pair in pairs
                ],
                "seconds": round(time.perf_counter() - started, 3),
            }
        )
    else:
        for pair in pairs:
            answer = f"\t{_format_answer(pair.verdict)}" if pair.verdict is not None else ""
            print_line(f"{pair.score:.4f}\t{pair.text_a}\t{pair.text_b}{answer}")
        note_limit(session, len(pairs))
    return 0
