"""Checkpoints of a training run: everything that the rest of the run needs, in one file."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import torch

from desktop_app.core.errors import BadData
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.messages import Message, join_messages, system_text
from desktop_app.core.private_files import make_private_folder, write_private
from desktop_app.core.training_checkpoints import CHECKPOINT_FILE, REQUEST_FILE, checkpoint_folder
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.core.unfinished_files import record_unfinished

if TYPE_CHECKING:
    from pathlib import Path

_DIFFERENCES = {
    "data": Message("the training data differ"),
    "model": Message("the model to start from differs"),
    "negatives": Message("the negatives from the library differ"),
    "settings": Message("the settings differ"),
    "validation": Message("the validation data differ"),
}
"""What a run that is resumed must have as before, by the names of its facts."""


def save_checkpoint(output: Path, facts: dict[str, Any], state: dict[str, Any], about: str = "") -> None:
    """Write a checkpoint completely or not at all.

    Args:
        output: of the run.
        facts: identify the run: a resumed run must have the same.
        state: tensors and plain values.
        about: the run's request as text; with it the run can be resumed from the folder alone.

    Raises:
        OSError: it cannot be written; the previous one stays.
    """
    folder = checkpoint_folder(output)
    make_private_folder(folder)
    draft = folder / (CHECKPOINT_FILE + ".new")
    try:
        # Closing the program does not wait for a large one: the next start deletes what is left of it.
        with record_unfinished(draft):
            with draft.open("wb") as out:
                torch.save({"facts": facts, **state}, out)
                out.flush()
                os.fsync(out.fileno())  # before it replaces the previous one
            if about:
                write_private(folder / REQUEST_FILE, about)
            replace_file(draft, folder / CHECKPOINT_FILE)
    except RuntimeError as error:  # torch closes its archive after the error of the disk, and fails again
        raise error.__context__ if isinstance(error.__context__, OSError) else OSError(str(error)) from error
    finally:
        draft.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()  # if it is empty: the name is free for another run


def has_checkpoint(output: Path) -> bool:
    """Return whether the run for `output` has a checkpoint."""
    return (checkpoint_folder(output) / CHECKPOINT_FILE).is_file()


def load_checkpoint(output: Path, facts: dict[str, Any]) -> dict[str, Any] | None:
    """Return the checkpoint of a run; None if there is none.

    Raises:
        BadData: it is damaged, or of another run: other data, settings or model.
    """
    file = checkpoint_folder(output) / CHECKPOINT_FILE
    if not file.is_file():
        return None
    try:
        state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
        known = state.pop("facts")
        # An older version did not know all settings, and trained with the defaults of the others.
        known["settings"] = {**asdict(TrainingSettings()), **known["settings"]}
    # torch raises any error of its unpickler; weights_only allows nothing else.
    except Exception as error:
        raise BadData(
            "The checkpoint {file} cannot be read ({why})",
            "Discard the training (start without --resume).",
            file=file,
            why=system_text(error),
        ) from error
    other = sorted(name for name in facts if known.get(name) != facts[name])
    if other:
        raise BadData(
            "The checkpoint {file} belongs to another training: {differences}",
            "Resume with the same data, model and settings, or discard the training (start without --resume).",
            file=file,
            differences=join_messages(*(_DIFFERENCES[name] for name in other)),
        )
    return state


def delete_checkpoint(output: Path) -> None:
    """Delete the checkpoint of a finished run."""
    shutil.rmtree(checkpoint_folder(output), ignore_errors=True)
