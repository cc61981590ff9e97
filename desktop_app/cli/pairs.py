"""The commands on pairs of sentences: `compare` and `pairs`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from desktop_app.cli import files
from desktop_app.cli.output import answer, answer_list, say
from desktop_app.core.errors import NotBuiltYet, UsageError

if TYPE_CHECKING:
    from desktop_app.cli.session import Session


def compare(session: Session) -> int:
    """Say the similarity of two sentences, or of many pairs."""
    options = session.options
    if options.pairs:
        if options.sentences:
            raise UsageError("Two sentences and --pairs exclude each other", "Give one of them.")
        return _compare_file(session)
    if len(options.sentences) != 2:
        raise UsageError(f"`compare` takes two sentences, not {len(options.sentences)}", "Put each in quotes.")
    comparison = session.wait(session.workspace.compare(*options.sentences))
    score = comparison.score
    if options.json:
        later = dict.fromkeys(("percentile", "label", "probability", "tokens", "badges"))
        answer({"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean, **later})
    else:
        say(f"cosine     {score.cosine:.4f}")
        say(f"dot        {score.dot:.4f}")
        say(f"euclidean  {score.euclidean:.4f}")
    return 0


def _compare_file(session: Session) -> int:
    header, rows = files.read_table(session.options.pairs)
    named = [header.index(name) for name in ("sentence1", "sentence2") if name in header]
    left, right = named if len(named) == 2 else (0, 1)
    cosines = session.wait(
        session.workspace.compare_rows([row[left] for row in rows], [row[right] for row in rows])
    ).tolist()
    if session.options.json:
        answer_list(
            "rows",
            (
                dict(zip(header, row, strict=True)) | {"cosine": cosine}
                for row, cosine in zip(rows, cosines, strict=True)
            ),
        )
        return 0
    say("\t".join([*header, "cosine"]))
    for row, cosine in zip(rows, cosines, strict=True):
        say("\t".join([*row, f"{cosine:.6f}"]))
    return 0


def pairs(session: Session) -> int:
    """Say the most similar pairs of a file's sentences."""
    options = session.options
    if not options.file:
        raise NotBuiltYet("The pairs of a library are not built yet", "`pairs --file SENTENCES.txt` pairs a file.")
    if options.kind or options.across_documents or options.anywhere:
        raise NotBuiltYet("Kinds and documents of pairs are not built yet", "Leave --kind and --across-documents away.")
    texts = files.read_lines(options.file)
    started = time.perf_counter()
    pairs = session.wait(session.workspace.pair_texts(texts, options.top_k, options.min_score))
    if options.json:
        answer(
            {
                "pairs": [
                    {
                        "score": pair.score,
                        "kind": None,
                        "badges": None,
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
