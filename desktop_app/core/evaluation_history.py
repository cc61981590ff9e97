"""The history of evaluations: numbers and names only, never a sentence of the data."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_EVALUATIONS = 2000  # the oldest go
_CHUNK = 1 << 20
_RETRIEVAL_FILES = ("corpus.jsonl", "queries.jsonl", "qrels.tsv")


@dataclass(frozen=True, slots=True)
class PastEvaluation:
    """An evaluation that was done.

    Attributes:
        at: when, seconds since 1970.
        model: its name.
        folder: where it lies.
        data: name of the file or folder.
        digest: of its contents; see `hash_data_in_steps`.
        task: which one.
        pooling: in place of the model's own; empty: its own.
        threshold: that was asked for; empty: the model's own, else the best.
        measures: as `Evaluation` has them.
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
        """What was measured: a later one of the same takes its place."""
        return self.folder, self.digest, self.task, self.pooling, self.threshold


def hash_data_in_steps(path: str) -> Iterator[str]:
    """Tell a file, or a retrieval set's files, by their contents: yields short steps, the SHA-256 last, else empty.

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
    """Return what is kept, the latest first; lines that are none are passed over, and so is a file that is missing."""
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
    """Keep an evaluation, in place of an earlier one of the same model on the same data.

    Raises:
        OSError: it cannot be written; what was kept stays.
    """
    others = [each for each in read_history(file) if each.subject != evaluation.subject]
    _write_history(file, [evaluation, *others][:_MAX_EVALUATIONS])


def forget_data(file: Path, digest: str) -> None:
    """Keep nothing of some data any more.

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
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".new")
    try:
        draft.write_text("".join(json.dumps(asdict(each)) + "\n" for each in reversed(kept)), "utf-8")
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)
