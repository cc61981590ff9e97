"""The commands on pairs of sentences: `compare` and `pairs`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop_app.cli import files
from desktop_app.cli.output import answer, answer_list, counted, note, say
from desktop_app.cli.searches import document_ids, where, within
from desktop_app.core.badges import badges
from desktop_app.core.errors import AppError, UsageError
from desktop_app.core.insight import PairsRequest
from desktop_app.core.json_rows import pair_json
from desktop_app.core.pair_tables import free_names, on_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.cli.session import Session


def compare(session: Session) -> int:
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
    comparison = session.wait(session.workspace.comparing.compare(*options.sentences))
    score = comparison.score
    known = session.wait(session.workspace.comparing.know(options.sentences))
    notes = [
        f"The model knows no word of the {which} sentence: this score says nothing about it."
        for which, is_known in zip(("first", "second"), known, strict=True)
        if not is_known
    ]
    if options.json:
        measured = {"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean}
        judged = {
            "percentile": _percentile(session, score.cosine),
            "label": comparison.label,
            "probability": comparison.probability,
            "tokens": _tokens(session, *options.sentences),
        }
        answer(measured | judged | {"badges": list(badges(*options.sentences)), "notes": notes})
    else:
        say(f"cosine     {score.cosine:.4f}")
        say(f"dot        {score.dot:.4f}")
        say(f"euclidean  {score.euclidean:.4f}")
        if comparison.label is not None:
            say(f"label      {comparison.label} ({comparison.probability:.2f})")
        for badge in badges(*options.sentences):
            say(f"differs in {badge}")
        for text in notes:
            note(text)
    return 0


def _tokens(session: Session, a: str, b: str) -> dict[str, object] | None:
    """Return how the words of two sentences belong together."""
    words = session.wait(session.workspace.explaining.words(a, b))
    if words is None:
        return None
    return {
        "a": list(words.a),
        "b": list(words.b),
        "similarity": [[round(float(value), 6) for value in row] for row in words.similarity],
        "alignment": [list(pair) for pair in words.alignment],
        "is_cut": words.is_cut,
    }


def _percentile(session: Session, cosine: float) -> float | None:
    """Return where a cosine stands in the library; two sentences can be compared without one."""
    if not session.command.launch(writable=False, create=False).library.is_dir():
        return None
    try:
        return session.wait(session.workspace.percentile(cosine))
    except AppError:
        return None


def _compare_file(session: Session) -> int:
    options = session.options
    scored = session.wait(session.workspace.comparing.score_table(options.pairs))
    table, labels = scored.table, scored.labels or ()
    if not table.has_header:
        note("The first row names no columns: it is a pair like the others.")
    _note_unknown(session, [text for side in (table.left, table.right) for text in table.texts(side)])
    # What the model's head has to say stands behind the cosine; columns of the file keep their names.
    wanted = ("cosine", *(("model_label", "model_probability") if labels else ()), "kind", "badges")
    names = free_names(table.header, wanted)
    if options.json:
        answer_list(
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
    say("\t".join([*map(on_one_line, table.header), *names[:shown]]))
    for at, row in enumerate(table.rows):
        said = (f"{labels[at][0]}", f"{labels[at][1]:.6f}") if labels else ()
        cells = (f"{scored.cosines[at]:.6f}", *said, scored.kinds[at], " ".join(scored.badges[at]))
        say("\t".join([*map(on_one_line, row), *cells[:shown]]))
    return 0


def _note_unknown(session: Session, texts: Sequence[str]) -> None:
    """Say how many texts the model knows no word of: they are all alike to it."""
    known = session.wait(session.workspace.comparing.know(texts))
    if count := int((~known).sum()):
        note(f"The model knows no word of {counted(count, 'sentence')}: their scores say nothing.")


def pairs(session: Session) -> int:
    """Say the most similar pairs of the library, or of a file's sentences."""
    return _pair_file(session) if session.options.file else _pair_library(session)


def pairs_request(session: Session) -> PairsRequest:
    """Return which pairs of the library the options ask for."""
    options = session.options
    return PairsRequest(
        options.top_k,
        options.min_score,
        not options.anywhere,
        options.kind,
        within(session),
        max_score=options.max_score,
        touching=document_ids(session, options.touching) if options.touching else None,
        unreviewed=options.unreviewed,
    )


def _pair_library(session: Session) -> int:
    found = session.wait(session.workspace.analysing.pairs(pairs_request(session)))
    if session.options.json:
        answer(
            {
                "pairs": [pair_json(pair, rank) for rank, pair in enumerate(found.pairs, start=1)],
                "seconds": round(found.seconds, 3),
            }
        )
    else:
        for pair in found.pairs:
            more = "".join(f"  [{badge}]" for badge in pair.badges)
            folded = f"  and {pair.folded} more that differ in numbers" if pair.folded else ""
            say(f"{pair.score:.3f}  {pair.kind}{more}{folded}")
            for hit in (pair.a, pair.b):
                say(f"       {hit.text}\n         {where(hit)}")
        if not found.pairs:
            say("Nothing is said twice.")
    return 0


def _pair_file(session: Session) -> int:
    options = session.options
    has_part = options.within or options.collections or options.tags or options.languages
    if options.across_documents or options.anywhere or options.touching or options.unreviewed or has_part:
        raise UsageError(
            "The lines of a file stand in no documents and have no marks",
            "Leave --across-documents, --anywhere, --document, --unreviewed and the options on a part of the library "
            "away.",
        )
    texts = files.read_lines(options.file)
    _note_unknown(session, texts)
    started = time.perf_counter()
    with files.naming_lines(options.file, lambda: range(1, len(texts) + 1)):
        pairs = session.wait(
            session.workspace.comparing.pair_texts(
                texts, options.top_k, options.min_score, options.kind, max_score=options.max_score
            )
        )
    if options.json:
        answer(
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
            say(f"{pair.score:.4f}\t{pair.text_a}\t{pair.text_b}")
    return 0
