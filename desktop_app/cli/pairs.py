"""The commands `compare` and `pairs`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop_app.cli import sentence_files
from desktop_app.cli.output import format_count, print_json, print_json_rows, print_line, print_note
from desktop_app.cli.search import build_scope, find_document_ids, format_location
from desktop_app.core.badges import find_badges
from desktop_app.core.duplicates import PairsRequest
from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.json_rows import pair_json
from desktop_app.core.pair_tables import flatten_cell, unique_column_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.session import CommandSession


def run_compare(session: CommandSession) -> int:
    """Say the similarity of two sentences, or of many pairs."""
    options = session.options
    if options.kinds and not options.pairs:
        raise UsageError("--kinds belongs to --pairs", "Two sentences are told with what they differ in.")
    if options.pairs:
        if options.sentences:
            raise UsageError("Two sentences and --pairs exclude each other", "Give one of them.")
        return _compare_file(session)
    if len(options.sentences) != 2:
        raise UsageError(f"`compare` takes two sentences, not {len(options.sentences)}", "Put each in quotes.")
    comparison = session.wait(session.workspace.comparison.compare(*options.sentences))
    score = comparison.score
    known = session.wait(session.workspace.comparison.check_known(options.sentences))
    notes = [
        f"The model knows no word of the {which} sentence: this score says nothing about it."
        for which, is_known in zip(("first", "second"), known, strict=True)
        if not is_known
    ]
    if options.json:
        measured = {"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean}
        judged = {
            "percentile": _find_percentile(session, score.cosine),
            "label": comparison.label,
            "probability": comparison.probability,
            "tokens": _token_alignment_json(session, *options.sentences),
        }
        print_json(measured | judged | {"badges": list(find_badges(*options.sentences)), "notes": notes})
    else:
        print_line(f"cosine     {score.cosine:.4f}")
        print_line(f"dot        {score.dot:.4f}")
        print_line(f"euclidean  {score.euclidean:.4f}")
        if comparison.label is not None:
            print_line(f"label      {comparison.label} ({comparison.probability:.2f})")
        for badge in find_badges(*options.sentences):
            print_line(f"differs in {badge}")
        for text in notes:
            print_note(text)
    return 0


def _token_alignment_json(session: CommandSession, a: str, b: str) -> dict[str, object] | None:
    """Return how the words of two sentences belong together."""
    words = session.wait(session.workspace.comparison.compare_words(a, b))
    if words is None:
        return None
    return {
        "a": list(words.a),
        "b": list(words.b),
        "similarity": [[round(float(value), 6) for value in row] for row in words.similarity],
        "alignment": [list(pair) for pair in words.alignment],
        "is_cut": words.is_cut,
    }


def _find_percentile(session: CommandSession, cosine: float) -> float | None:
    """Return where a cosine stands in the library; two sentences can be compared without one."""
    if not session.command.launch(writable=False, create=False).library.is_dir():
        return None
    try:
        return session.wait(session.workspace.comparison.percentile(cosine))
    except AppError:
        return None


def _compare_file(session: CommandSession) -> int:
    options = session.options
    scored = session.wait(session.workspace.comparison.score_table(options.pairs))
    table, labels = scored.table, scored.labels or ()
    if not table.has_header:
        print_note("The first row names no columns: it is a pair like the others.")
    _warn_unknown_texts(session, [text for side in (table.left, table.right) for text in table.texts(side)])
    # What the model's head has to say stands behind the cosine; columns of the file keep their names.
    wanted = ("cosine", *(("model_label", "model_probability") if labels else ()), "kind", "badges")
    names = unique_column_names(table.header, wanted)
    if options.json:
        print_json_rows(
            "rows",
            (
                dict(zip(table.header, row, strict=True))
                | dict(
                    zip(
                        names,
                        (
                            scored.cosines[at],
                            *(labels[at] if labels else ()),
                            scored.kinds[at],
                            list(scored.badges[at]),
                        ),
                        strict=True,
                    )
                )
                for at, row in enumerate(table.rows)
            ),
        )
        return 0
    # Scripts read the cosine by its place: what is more comes when it is asked for.
    shown = len(names) if options.kinds else len(names) - 2
    print_line("\t".join([*map(flatten_cell, table.header), *names[:shown]]))
    for at, row in enumerate(table.rows):
        said = (f"{labels[at][0]}", f"{labels[at][1]:.6f}") if labels else ()
        cells = (f"{scored.cosines[at]:.6f}", *said, scored.kinds[at], " ".join(scored.badges[at]))
        print_line("\t".join([*map(flatten_cell, row), *cells[:shown]]))
    return 0


def _warn_unknown_texts(session: CommandSession, texts: Sequence[str]) -> None:
    """Say how many texts the model knows no word of: they are all alike to it."""
    known = session.wait(session.workspace.comparison.check_known(texts))
    if count := int((~known).sum()):
        print_note(f"The model knows no word of {format_count(count, 'sentence')}: their scores say nothing.")


def run_pairs(session: CommandSession) -> int:
    """Say the most similar pairs of the library, or of a file's sentences."""
    return _list_file_pairs(session) if session.options.file else _list_library_pairs(session)


def build_pairs_request(session: CommandSession) -> PairsRequest:
    """Return which pairs of the library the options ask for."""
    options = session.options
    return PairsRequest(
        options.top_k,
        options.min_score,
        not options.anywhere,
        options.kind,
        build_scope(session),
        max_score=options.max_score,
        touching=find_document_ids(session, options.touching) if options.touching else None,
        unreviewed=options.unreviewed,
    )


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
            more = "".join(f"  [{badge}]" for badge in pair.badges)
            folded = f"  and {pair.folded} more that differ in numbers" if pair.folded else ""
            print_line(f"{pair.score:.3f}  {pair.kind}{more}{folded}")
            for hit in (pair.a, pair.b):
                print_line(f"       {hit.text}\n         {format_location(hit)}")
        if not found.pairs:
            print_line("Nothing is said twice.")
    return 0


def _list_file_pairs(session: CommandSession) -> int:
    options = session.options
    has_part = options.within or options.collections or options.tags or options.languages
    if options.across_documents or options.anywhere or options.touching or options.unreviewed or has_part:
        raise UsageError(
            "The lines of a file stand in no documents and have no marks",
            "Leave --across-documents, --anywhere, --document, --unreviewed and the options on a part of the library "
            "away.",
        )
    texts = sentence_files.read_lines(options.file)
    _warn_unknown_texts(session, texts)
    started = time.perf_counter()
    with sentence_files.add_line_numbers_to_errors(options.file, lambda: range(1, len(texts) + 1)):
        pairs = session.wait(
            session.workspace.comparison.pair_texts(
                texts, options.top_k, options.min_score, options.kind, max_score=options.max_score
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
                        "a": {"text": pair.text_a, "line": pair.a + 1},
                        "b": {"text": pair.text_b, "line": pair.b + 1},
                    }
                    for pair in pairs
                ],
                "seconds": round(time.perf_counter() - started, 3),
            }
        )
    else:
        for pair in pairs:
            print_line(f"{pair.score:.4f}\t{pair.text_a}\t{pair.text_b}")
    return 0
