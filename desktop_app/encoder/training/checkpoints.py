"""Checkpoints of a training run: all that the rest of the run depends on, in one file."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING, Any

import torch

from desktop_app.core.errors import BadData
from desktop_app.core.messages import system_text
from desktop_app.core.training_checkpoints import CHECKPOINT_FILE, REQUEST_FILE, checkpoint_folder

if TYPE_CHECKING:
    from pathlib import Path


def save_checkpoint(output: Path, facts: dict[str, Any], state: dict[str, Any], about: str = "") -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        output: of the run.
        facts: what makes the run: a resumed one must have the same.
        state: tensors and plain values.
        about: the run's request as text; with it the run can be taken up by who only finds the folder.

    Raises:
        OSError: it cannot be written; the one before stays.
    """
    folder = checkpoint_folder(output)
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / (CHECKPOINT_FILE + ".new")
    try:
        # torch raises RuntimeError where it cannot write on; an ordinary file raises OSError.
        with draft.open("wb") as out:
            torch.save({"facts": facts, **state}, out)
        if about:
            (folder / REQUEST_FILE).write_text(about, "utf-8")
        os.replace(draft, folder / CHECKPOINT_FILE)
    except RuntimeError as error:
        raise OSError(str(error)) from error
    finally:
        draft.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            folder.rmdir()  # where nothing is in it: the name is free for another run


def has_checkpoint(output: Path) -> bool:
    """Whether a run that will make `output` has left a checkpoint."""
    return (checkpoint_folder(output) / CHECKPOINT_FILE).is_file()


def load_checkpoint(output: Path, facts: dict[str, Any]) -> dict[str, Any] | None:
    """Return the checkpoint of a run, None where there is none.

    Raises:
        BadData: it is damaged, or of another run: other data, settings or model.
    """
    file = checkpoint_folder(output) / CHECKPOINT_FILE
    if not file.is_file():
        return None
    try:
        state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
        known = state.pop("facts")
    # torch raises whatever its unpickler stumbles over; weights_only lets nothing else happen.
    except Exception as error:
        raise BadData(
            "the checkpoint {file} cannot be read ({why})", "Start without --resume.", file=file, why=system_text(error)
        ) from error
    other = sorted(name for name in facts if known.get(name) != facts[name])
    if other:
        raise BadData(
            "the checkpoint {file} is of another training: {other} differ",
            "Resume with the same data, model and settings, or start without --resume.",
            file=file,
            other=", ".join(other),
        )
    return state


def delete_checkpoint(output: Path) -> None:
    """Remove the checkpoint of a run that is over."""
    shutil.rmtree(checkpoint_folder(output), ignore_errors=True)
