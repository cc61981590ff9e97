"""Stopped trainings are found by what they left."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training import TrainingRequest
from desktop_app.core.training_checkpoints import (
    CHECKPOINT_FILE,
    REQUEST_FILE,
    checkpoint_folder,
    find_unfinished_trainings,
    finished_stages,
    has_checkpoint,
    request_from_json,
    request_to_json,
    stages_folder,
    write_stages,
)
from desktop_app.core.training_settings import PRESETS


def request(output: Path) -> TrainingRequest:
    data = DataFile("/data/pairs.tsv", ("1", "2", "3"), (0.0, 5.0))
    return TrainingRequest((data,), str(output), PRESETS["duplicates"], validation_file=DataFile("/data/own.tsv"))


def stop(wanted: TrainingRequest, at_s: int, text: str | None = None) -> None:
    """Leave what a stopped training leaves."""
    folder = checkpoint_folder(Path(wanted.output))
    folder.mkdir()
    (folder / CHECKPOINT_FILE).write_bytes(b"weights")
    (folder / REQUEST_FILE).write_text(request_to_json(wanted) if text is None else text, "utf-8")
    os.utime(folder / CHECKPOINT_FILE, (at_s, at_s))


def test_a_request_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert request_from_json(request_to_json(request(tmp_path / "m"))) == request(tmp_path / "m")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"data": [], "settings": {"unheard": 1}, "output": "m"}', "nonsense"]
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        request_from_json(text)


def test_stopped_trainings_are_found_the_latest_first(tmp_path: Path) -> None:
    early, late = request(tmp_path / "early"), request(tmp_path / "late")
    stop(early, 1000)
    stop(late, 2000)
    found = find_unfinished_trainings(tmp_path)
    assert [(each.request, each.stopped_at, each.stages) for each in found] == [(late, 2000, ()), (early, 1000, ())]
    assert has_checkpoint(tmp_path / "early")
    assert not has_checkpoint(tmp_path / "never")


@pytest.mark.parametrize("text", ["", "nonsense", "{}", '{"data": 3}'])
def test_a_damaged_one_hides_no_other(tmp_path: Path, text: str) -> None:
    stop(request(tmp_path / "damaged"), 2000, text)
    stop(request(tmp_path / "sound"), 1000)
    stages = stages_folder(tmp_path / "staged")
    stages.mkdir()
    (stages / "stages.json").write_text(text, "utf-8")
    assert [each.request for each in find_unfinished_trainings(tmp_path)] == [request(tmp_path / "sound")]


def test_the_stages_of_a_training_are_one(tmp_path: Path) -> None:
    last = request(tmp_path / "staged")
    first = replace(last, output=str(stages_folder(tmp_path / "staged") / "1"))
    write_stages(stages_folder(tmp_path / "staged"), [first, last], alone=True)
    assert find_unfinished_trainings(tmp_path) == [], "nothing of it is there to go on with"
    made = stages_folder(tmp_path / "staged") / "1"
    made.mkdir()
    os.utime(made, (1000, 1000))
    assert finished_stages(stages_folder(tmp_path / "staged")) == [made]
    (found,) = find_unfinished_trainings(tmp_path)
    assert (found.request, found.stages, found.alone, found.stopped_at) == (last, (first, last), True, 1000)
    stop(last, 2000)
    (found,) = find_unfinished_trainings(tmp_path)
    assert (found.request, found.stages, found.stopped_at) == (last, (first, last), 2000)
