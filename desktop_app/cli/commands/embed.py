"""The command `embed`: vectors of the sentences in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.cli import sentence_files
from desktop_app.cli.argument_types import as_nonempty
from desktop_app.cli.output import escape_unprintable, format_count, print_json, print_line
from desktop_app.core.atomic_files import open_atomic
from desktop_app.core.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("file", metavar="FILE", help="a text file with one sentence per line")
    parser.add_argument(
        "--output", required=True, type=as_nonempty, metavar="V.npy", help="the file to write: float32 [n, dim]"
    )
    parser.add_argument(
        "--raw", action="store_true", help="keep the model's own output instead of scaling rows to length 1"
    )


def run(session: CommandSession) -> int:
    """Write the vectors of a file's sentences."""
    options = session.options
    if Path(options.output).suffix.lower() != ".npy":
        raise UsageError(
            "{output} does not end in .npy",
            "Vectors are written in NumPy's format: use a name that ends in .npy.",
            output=options.output,
        )
    sentence_files.refuse_to_overwrite(options.output, options.file)
    texts = sentence_files.read_lines(options.file)
    with sentence_files.add_line_numbers_to_errors(options.file, lambda: range(1, len(texts) + 1)):
        vectors, report = session.wait(session.workspace.comparison.embed(texts, raw=options.raw))
    with open_atomic(options.output) as out:
        np.save(out, vectors)
    per_s = 1 / report.seconds if report.seconds else 0.0
    facts = {
        "rows": report.rows,
        "dim": report.dim,
        "seconds": round(report.seconds, 4),
        "sentences_per_s": round(report.rows * per_s, 1),
        "tokens_per_s": round(report.tokens * per_s, 1),
        "device": report.device.device,
        "precision": report.device.precision,
    }
    if options.json:
        print_json(facts)
    else:
        rows = f"{format_count(report.rows, 'row')} of {report.dim} numbers"
        print_line(f"{rows} written to {escape_unprintable(options.output)}, {facts['sentences_per_s']:,} sentences/s")
    return 0
