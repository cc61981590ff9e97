"""The history of evaluations: numbers and names only, never a sentence of the data."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.private_files import make_private_folder, open_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_EVALUATIONS = 2000  # the oldest are dropped
_MAX_BYTES = 2_000_000  # from here on, evaluations that count no more are dropped too
_CHUNK = 1 << 20
_RETRIEVAL_FILES = ("corpus.jsonl", "queries.jsonl", "qrels.tsv")


@dataclass(frozen=True, slots=True)
class PastEvaluation:
    """A past evaluation.

    Attributes:
        at: when, seconds since 1970.
        model: its name.
        folder: the model's folder.
        data: name of the file or folder.
        digest: of its contents; see `hash_data_in_steps`.
        task: the task.
        pooling: replaces the model's own; empty: its own.
        threshold: as requested; empty: the model's own, else the best.
        measures: as in `Evaluation`.
    """

    at: float
    model: str
    folder: str
    data: str
    digest: str
    task: str
    pooling: str
    threshold: str
    measures: dict[str, object]

    @property
    def subject(self) -> tuple[str, ...]:
        """What was measured: a later evaluation of the same subject replaces this one."""
        return self.folder, self.digest, self.task, self.pooling, self.threshold


def hash_data_in_steps(path: str) -> Iterator[str]:
    """Yield an empty string for each short step, finally the SHA-256 of a file or of a retrieval set's files.

    Raises:
        OSError: it cannot be read.
    """
    place, found = Path(path).expanduser(), hashlib.sha256()
    for part in [place / name for name in _RETRIEVAL_FILES] if place.is_dir() else [place]:
        with part.open("rb") as file:
            while chunk := file.read(_CHUNK):
                found.update(chunk)
                yield ""
    yield found.hexdigest()


def read_history(file: Path) -> list[PastEvaluation]:
    """Return the stored evaluations, the latest first; unreadable lines and a missing file are skipped."""
    found: dict[tuple[str, ...], PastEvaluation] = {}
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    for line in lines:
        try:
            kept = _parse_evaluation(json.loads(line))
        except (ValueError, TypeError, KeyError):
            continue
        found.pop(kept.subject, None)
        found[kept.subject] = kept
    return list(reversed(found.values()))


def add_to_history(file: Path, evaluation: PastEvaluation) -> None:
    """Store an evaluation; the latest one of the same model on the same data counts.

    It is appended, so that evaluations which end at the same time, in several processes, are all stored.

    Raises:
        OSError: it cannot be written; the stored history stays.
    """
    make_private_folder(file.parent)
    with open_private(file, "a+b") as out:
        line = f"{json.dumps(asdict(evaluation))}\n".encode()
        if out.tell():
            out.seek(-1, os.SEEK_END)
            if out.read(1) != b"\n":  # a line that was written by half, on a full disk
                line = b"\n" + line
        out.write(line)
        out.flush()
        size = out.tell()
    if size > _MAX_BYTES:
        _write_history(file, read_history(file)[:_MAX_EVALUATIONS])


def forget_data(file: Path, digest: str) -> None:
    """Delete the history of some data.

    Raises:
        OSError: it cannot be written.
    """
    _write_history(file, [each for each in read_history(file) if each.digest != digest])


def _parse_evaluation(facts: dict[str, Any]) -> PastEvaluation:
    kept = PastEvaluation(**facts)
    if not isinstance(kept.measures, dict) or not isinstance(kept.at, int | float):
        raise TypeError("no measures")
    return kept


def _write_history(file: Path, kept: Sequence[PastEvaluation]) -> None:
    write_private(file, "".join(json.dumps(asdict(each)) + "\n" for each in reversed(kept)))
