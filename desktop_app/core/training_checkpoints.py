"""Finds stopped trainings by the requests stored next to their checkpoints."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile
from desktop_app.core.name_locks import claim_name, is_claimed
from desktop_app.core.private_files import write_private
from desktop_app.core.training import TrainingRequest, UnfinishedTraining
from desktop_app.core.training_settings import TrainingSettings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

CHECKPOINT_SUFFIX = ".training"
"""Appended to the future model's name, it names the folder of the checkpoint."""

PAIR_LABELS_FILE = "my-marks.tsv"
"""The name of the file that a person's pair labels are written into for a training."""

CHECKPOINT_FILE = "checkpoint.pt"
REQUEST_FILE = "request.json"
STAGES_SUFFIX = ".stages"
"""Appended to the model's name, it names the folder of earlier stages until the last is done."""

UNLISTED_SUFFIX = ".unlisted"
"""Appended to the model's name, it names an empty file that stays until the model is in the list of models."""

_STAGES_FILE = "stages.json"


def request_to_json(request: TrainingRequest) -> str:
    """Return a request as JSON."""
    return json.dumps(asdict(request), indent=1, ensure_ascii=False)


def request_from_json(text: str) -> TrainingRequest:
    """Return the request that `request_to_json` wrote.

    Raises:
        ValueError: it is not a request, or has settings that this version does not know.
    """
    try:
        return _request_from_facts(json.loads(text))
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no request of a training: {error}") from error


def write_stages(folder: Path, requests: Sequence[TrainingRequest], *, alone: bool) -> None:
    """Write the requests of all stages, completely or not at all, into the folder of the stages, which is created.

    Raises:
        OSError: it cannot be written.
    """
    facts = {"stages": [asdict(request) for request in requests], "alone": alone}
    write_private(folder / _STAGES_FILE, json.dumps(facts, indent=1, ensure_ascii=False))


def _request_from_facts(facts: dict[str, Any]) -> TrainingRequest:
    facts["data"] = tuple(map(_data_file_from_facts, facts["data"]))
    facts["settings"] = TrainingSettings(**facts["settings"])
    if facts.get("validation_file") is not None:
        facts["validation_file"] = _data_file_from_facts(facts["validation_file"])
    return TrainingRequest(**facts)


def find_unfinished_trainings(folder: Path) -> list[UnfinishedTraining]:
    """Return the trainings below a folder that can be resumed, the latest first; not those that run."""
    found = {}
    for place in folder.glob("*" + CHECKPOINT_SUFFIX):
        try:
            stopped_at = (place / CHECKPOINT_FILE).stat().st_mtime
            request = request_from_json((place / REQUEST_FILE).read_text("utf-8"))
            found[request.output] = UnfinishedTraining(request, stopped_at)
        except (OSError, ValueError):
            continue  # of the command line, of another version, or partly deleted
    for place in folder.glob("*" + STAGES_SUFFIX):
        try:
            staged = _read_stages(place)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            continue
        # The last stage's own checkpoint is a part of it.
        last = found.pop(staged.request.output, None)
        if last is not None or staged.stopped_at:
            stopped_at = max(staged.stopped_at, last.stopped_at if last is not None else 0.0)
            found[staged.request.output] = replace(staged, stopped_at=stopped_at)
    stopped = [each for each in found.values() if not is_claimed(Path(each.request.output))]
    return sorted(stopped, key=lambda each: -each.stopped_at)


def _read_stages(place: Path) -> UnfinishedTraining:
    """Return a training of several stages; `stopped_at` is 0 if nothing of the earlier stages exists."""
    facts = json.loads((place / _STAGES_FILE).read_text("utf-8"))
    requests = tuple(map(_request_from_facts, facts["stages"]))
    begun = [each.stat().st_mtime for each in place.iterdir() if each.is_dir()]
    return UnfinishedTraining(requests[-1], max(begun, default=0.0), requests, bool(facts["alone"]))


def checkpoint_folder(output: Path) -> Path:
    """Return the checkpoint folder of the run that will make `output`."""
    return output.with_name(output.name + CHECKPOINT_SUFFIX)


def stages_folder(output: Path) -> Path:
    """Return the folder of earlier stages of the run that will make `output`."""
    return output.with_name(output.name + STAGES_SUFFIX)


def claim_output(output: Path) -> AbstractContextManager[None]:
    """Hold the name of a future model in a block: two windows would write the same checkpoint.

    Raises (on entry):
        AppError: another training holds it.
    """
    return claim_name(
        output,
        AppError(
            "The model {output} is being trained already, in another window or by a command",
            "Wait until that ends, or choose another name.",
            output=output,
        ),
    )


def unlisted_file(output: Path) -> Path:
    """Return the file that says that the model `output` is to be listed once it is trained."""
    return output.with_name(output.name + UNLISTED_SUFFIX)


def find_unlisted_models(folder: Path) -> list[Path]:
    """Return the trained models below a folder that are to be listed, and are not yet, by name."""
    found = [place.with_name(place.name.removesuffix(UNLISTED_SUFFIX)) for place in folder.glob("*" + UNLISTED_SUFFIX)]
    return sorted(output for output in found if output.is_dir())


def finished_stages(folder: Path) -> list[Path]:
    """Return the models that earlier runs of the stages in `folder` have made there."""
    return sorted(each for each in folder.glob("*") if each.is_dir() and not each.suffix)


def has_checkpoint(output: Path) -> bool:
    """Return whether the run that will make `output` has left anything to resume."""
    folder = stages_folder(output)
    return (checkpoint_folder(output) / CHECKPOINT_FILE).is_file() or any(each.is_dir() for each in folder.glob("*"))


def _data_file_from_facts(facts: dict[str, Any]) -> DataFile:
    score_range = facts.get("score_range")
    if Path(facts["path"]).name == PAIR_LABELS_FILE and not Path(facts["path"]).exists():
        return DataFile(PAIR_LABELS)  # that file is gone; the labels are still in the library
    return DataFile(facts["path"], tuple(facts.get("columns", ())), None if score_range is None else tuple(score_range))
