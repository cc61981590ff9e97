"""Trainings that were stopped: what was asked for lies beside their checkpoints, so that they can be taken up."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop_app.core.training import MARKS, DataFile, TrainingRequest, TrainingSettings, UnfinishedTraining

SUFFIX = ".training"
"""What the name of a checkpoint's folder has after that of the model it will be."""

MARKS_FILE = "my-marks.tsv"
"""What a file is called that a person's marks are written into for a training."""

CHECKPOINT = "checkpoint.pt"
REQUEST = "request.json"


def as_text(request: TrainingRequest) -> str:
    """Return a request as JSON."""
    return json.dumps(asdict(request), indent=1, ensure_ascii=False)


def from_text(text: str) -> TrainingRequest:
    """Return the request that `as_text` wrote.

    Raises:
        ValueError: it is none; also one with settings that this version does not know.
    """
    try:
        facts = json.loads(text)
        facts["data"] = tuple(map(_data_file, facts["data"]))
        facts["settings"] = TrainingSettings(**facts["settings"])
        if facts.get("validation_file") is not None:
            facts["validation_file"] = _data_file(facts["validation_file"])
        return TrainingRequest(**facts)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no request of a training: {error}") from error


def unfinished(folder: Path) -> list[UnfinishedTraining]:
    """Return the trainings below a folder that can be taken up, the latest first."""
    found = []
    for place in folder.glob("*" + SUFFIX):
        try:
            stopped_at = (place / CHECKPOINT).stat().st_mtime
            found.append(UnfinishedTraining(from_text((place / REQUEST).read_text("utf-8")), stopped_at))
        except (OSError, ValueError):
            continue  # of the command line, of another version, or half removed
    return sorted(found, key=lambda each: -each.stopped_at)


def checkpoint_folder(output: Path) -> Path:
    """Return the folder of the checkpoint of the run that will make `output`."""
    return output.with_name(output.name + SUFFIX)


def _data_file(facts: dict[str, Any]) -> DataFile:
    score_range = facts.get("score_range")
    if Path(facts["path"]).name == MARKS_FILE and not Path(facts["path"]).exists():
        return DataFile(MARKS)  # that file is gone; the marks are where they were
    return DataFile(facts["path"], tuple(facts.get("columns", ())), None if score_range is None else tuple(score_range))
