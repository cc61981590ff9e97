"""The command `compare`: the similarity of two sentences, or of the pairs in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.cli.output import format_count, print_json, print_json_rows, print_line, print_note
from desktop_app.core.duplicates import PairVerdict
from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.escaping import flatten_cell
from desktop_app.core.language_detection import name_languages
from desktop_app.core.pair_tables import unique_column_names
from desktop_app.core.sentence_differences import describe_badge, find_badges

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="two sentences")
    parser.add_argument(
        "--pairs",
        metavar="FILE.tsv",
        help="a file of pairs: .tsv, .csv or .jsonl with a header; the column `cosine` is added",
    )
    parser.add_argument("--kinds", action="store_true", help="with --pairs: also add the columns `kind` and `badges`")


def run(session: CommandSession) -> int:
    """Print the similarity of two sentences, or of the pairs in a file."""
    options = session.options
    if options.kinds and not options.pairs:
        raise UsageError("--kinds needs --pairs", "For two sentences, the kind is always shown.")
    if options.pairs:
        if options.sentences:
            raise UsageError("Two sentences and --pairs cannot be used together", "Use one of them.")
        return _compare_file(session)
    if len(options.sentences) != 2:
        raise UsageError(
            "`compare` takes two sentences, not {count}", "Put each sentence in quotes.", count=len(options.sentences)
        )
    comparison = session.wait(session.workspace.comparison.compare(*options.sentences))
    score = comparison.score
    known = session.wait(session.workspace.comparison.find_known_texts(options.sentences))
    notes = [
        f"The model knows no word of the {which} sentence, so this score means nothing."
        for which, is_known in zip(("first", "second"), known, strict=True)
        if not is_known
    ]
    if languages := session.wait(session.workspace.comparison.find_unknown_languages(options.sentences)):
        notes.append(f"The model is not trained for {name_languages(languages)}, so this score says little.")
    if options.json:
        measured = {"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean}
        judged = {
            "percentile": _find_percentile(session, score.cosine),
            "kind": comparison.kind,
            **verdict_json(comparison.verdict),
            "tokens": _token_alignment_json(session, *options.sentences),
        }
        print_json(measured | judged | {"badges": list(find_badges(*options.sentences)), "notes": notes})
    else:
        print_line(f"cosine     {score.cosine:.4f}")
        print_line(f"dot        {score.dot:.4f}")
        print_line(f"euclidean  {score.euclidean:.4f}")
        print_line(f"kind       {comparison.kind}")
        if comparison.verdict is not None:
            print_line(_describe_verdict(comparison.verdict))
        for badge in find_badges(*options.sentences):
            print_line(f"differs in {describe_badge(badge)}")
        for text in notes:
            print_note(text)
    return 0


def _describe_verdict(verdict: PairVerdict) -> str:
    about = [f"probability {verdict.probability:.2f}"] if verdict.probability is not None else []
    about += [f"{verdict.margin:+.4f} from the model's threshold"] if verdict.margin is not None else []
    if verdict.score is not None:
        return f"expected   {verdict.score:.4f}"
    return f"label      {verdict.label} ({', '.join(about)})"


def verdict_json(verdict: PairVerdict | None) -> dict[str, object]:
    """Return what a model says of a pair as JSON; every value is null if it was not trained to."""
    found = verdict or PairVerdict()
    return {
        "label": found.label or None,
        "probability": found.probability,
        "margin": found.margin,
        "expected_score": found.score,
    }


def _token_alignment_json(session: CommandSession, a: str, b: str) -> dict[str, object] | None:
    """Return the alignment of the words of two sentences."""
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
    """Return the percentile of a cosine in the library; None without a library."""
    launch = session.command.launch(writable=False, create=False)
    if launch.shared is None and not launch.library.is_dir():
        return None
    try:
        return session.wait(session.workspace.comparison.percentile(cosine))
    except AppError:
        return None


def _compare_file(session: CommandSession) -> int:
    options = session.options
    scored = session.wait(session.workspace.comparison.score_table(options.pairs))
    table, verdicts = scored.table, scored.verdicts or ()
    if not table.has_header:
        print_note("The first row has no column names: it is read as a pair.")
    if scored.unknown_languages:
        languages = name_languages(scored.unknown_languages)
        print_note(f"The model is not trained for {languages}, so the scores of such sentences say little.")
    warn_unknown_texts(session, [text for side in (table.left, table.right) for text in table.texts(side)])
    # What the model says comes after the cosine; columns of the file keep their names.
    judged = tuple(f"model_{name}" for name in _list_answers(verdicts[0])) if verdicts else ()
    wanted = ("cosine", *judged, "kind", "badges")

    def verdict_cells(at: int) -> list[object]:
        return [*_list_answers(verdicts[at]).values()] if verdicts else []

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
                            *verdict_cells(at),
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
    # Scripts read the cosine by its position: further columns are added only on request.
    shown = len(names) if options.kinds else len(names) - 2
    print_line("\t".join([*map(flatten_cell, table.header), *names[:shown]]))
    for at, row in enumerate(table.rows):
        judged_cells = [f"{value:.6f}" if isinstance(value, float) else str(value) for value in verdict_cells(at)]
        cells = (f"{scored.cosines[at]:.6f}", *judged_cells, scored.kinds[at], " ".join(scored.badges[at]))
        print_line("\t".join([*map(flatten_cell, row), *cells[:shown]]))
    return 0


def _list_answers(verdict: PairVerdict) -> dict[str, object]:
    """Return what a model says of a pair, by name."""
    named = {
        "label": verdict.label or None,
        "probability": verdict.probability,
        "margin": verdict.margin,
        "expected_score": verdict.score,
    }
    return {name: value for name, value in named.items() if value is not None}


def warn_unknown_texts(session: CommandSession, texts: Sequence[str]) -> None:
    """Print how many texts have no word that the model knows: they are all equal to it."""
    known = session.wait(session.workspace.comparison.find_known_texts(texts))
    if count := int((~known).sum()):
        print_note(f"The model knows no word of {format_count(count, 'sentence')}, so their scores mean nothing.")
