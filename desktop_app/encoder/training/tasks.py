"""What the workshop is asked for: a look at a file, a training."""

from __future__ import annotations

import time
from dataclasses import asdict, astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch

from desktop_app.core.errors import AppError, StorageFull
from desktop_app.core.jobs import Progress
from desktop_app.core.remarks import remark
from desktop_app.core.training import Anchors, Notice, TrainingReport
from desktop_app.core.training_settings import FROM_LIBRARY
from desktop_app.core.unfinished import as_text
from desktop_app.encoder.bundled import resolve_model
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.cross_encoder import PairModel, write_cross_encoder
from desktop_app.encoder.files import file_sha256
from desktop_app.encoder.heads import save_head
from desktop_app.encoder.notes import Notes, write_notes
from desktop_app.encoder.saving import save, write_whole
from desktop_app.encoder.training.card import model_card
from desktop_app.encoder.training.computing import choose, settle_precision
from desktop_app.encoder.training.cross import CrossObjective, build_cross, cross_objective
from desktop_app.encoder.training.data_files import read_data
from desktop_app.encoder.training.dataset import DataSet, preview
from desktop_app.encoder.training.loop import Loop
from desktop_app.encoder.training.model import TrainedModel, build
from desktop_app.encoder.training.objectives import Objective, make_objective
from desktop_app.encoder.training.rows import read_rows
from desktop_app.encoder.training.states import clear_state, has_state, load_state

if TYPE_CHECKING:
    from collections.abc import Generator

    from desktop_app.core.jobs import Steps
    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.core.training import TrainingRequest
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.cross_encoder import CrossHead
    from desktop_app.encoder.training.computing import Computing


def preview_file(file: DataFile) -> Steps[DataPreview]:
    """Tell what is understood of a file of labelled sentences.

    Raises:
        AppError: it cannot be read.
    """
    data = read_data(file)
    yield None
    return preview(data)


def anchors(request: TrainingRequest) -> Steps[Anchors]:
    """Tell what of a training's rows negatives are wanted for.

    Raises:
        AppError: the data cannot be read, or does not fit.
    """
    yield Progress("reading")
    data, validation, _, _ = read_rows(replace(request, negatives=""))
    held = frozenset(text for column in validation.texts for text in column) if validation is not None else frozenset()
    return Anchors(tuple(dict.fromkeys(zip(data.texts[0], data.texts[1], strict=True))), held)


def train(request: TrainingRequest) -> Generator[object, None, TrainingReport]:
    """Fine-tune a model and write it into a folder.

    Yields:
        StepReport, EpochReport, Resumed, Notice and Progress.

    Raises:
        AppError: data, settings or model do not fit; nothing is written then.
        StorageFull: the trained model cannot be written; its checkpoint stays, if one could be written.
        Cancelled: it was stopped; a checkpoint stays once a step was done.
    """
    started = time.monotonic()
    settings, output = request.settings, Path(request.output).expanduser().absolute()
    if output.exists():
        raise AppError(f"{output} exists already", "Name a folder that is not there yet (--output).")
    if settings.mining == FROM_LIBRARY and not request.negatives:
        raise AppError("no negatives were gathered from a library", "Train without them: --mining none.")
    yield Progress("reading")
    data, validation, left_out, warnings = read_rows(request)
    yield None
    base = read_checkpoint(resolve_model(request.model))
    facts = _facts(request, data, validation, base.fingerprint())
    state, told = _taken_up(request, output, facts)
    computing = choose(request, state.get("computing") if state else None, told)
    torch.set_num_threads(1)
    yield Progress("opening")
    model, objective = _made(request, output.name, data, computing)
    if computing.precision == "auto":
        yield from settle_precision(model, objective, data, settings.seed, told)
    warnings += [*told, *_advice(settings, data, model)]
    for text in warnings:  # before the first step, where somebody may still think better of it
        yield Notice(text)
    loop = Loop(model, objective, data, validation, settings, output, facts, as_text(request))
    resumed_at = 0
    if state is not None:
        yield loop.restore(state)
        resumed_at = loop.step
        yield Notice(remark(f"resumed at step {resumed_at}"))
    yield from loop.run()
    _write(output, model, objective, base.name, loop, data, validation, settings)
    clear_state(output)
    return TrainingReport(
        output=str(output),
        epochs=tuple(loop.epochs),
        before=loop.before,
        after=loop.after,
        best_epoch=loop.best_epoch,
        threshold=loop.threshold,
        rows=len(data),
        validation_rows=len(validation) if validation is not None else 0,
        left_out=left_out,
        seconds=time.monotonic() - started,
        steps_per_s=loop.steps_per_s,
        resumed_at=resumed_at,
        stopped=loop.stopped,
        warnings=tuple(warnings + loop.warnings),
        judged=loop.judged,
        judged_before=loop.judged_before,
        averaged=loop.averaged,
    )


def _taken_up(request: TrainingRequest, output: Path, facts: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the checkpoint to go on from, None to begin anew; and what a person did not expect of that."""
    if not request.resume:
        if not has_state(output):
            return None, []
        told = remark("this begins anew and replaces the checkpoint of an earlier run (--resume goes on from that)")
        return None, [told]
    state = load_state(output, facts)
    return state, [] if state is not None else [remark("there is no checkpoint to resume from: it begins anew")]


def _made(request: TrainingRequest, name: str, data: DataSet, computing: Computing) -> tuple[TrainedModel, Objective]:
    """Return what is trained: a model and what is minimised with it."""
    settings, where = request.settings, astuple(computing)
    if settings.architecture == "cross":
        cross = build_cross(request.model, name, settings, *where)
        return cross, cross_objective(data, settings, cross.checkpoint.hidden)
    model = build(request.model, name, settings, *where)
    dim, normalised = model.checkpoint.dim, model.checkpoint.normalised
    return model, make_objective(settings, data.classes, dim, normalised=normalised)


def _advice(settings: TrainingSettings, data: DataSet, model: TrainedModel) -> list[str]:
    found: list[str] = []
    if settings.architecture == "cross":
        return found
    if "max" in model.checkpoint.modes and settings.objective == "cosine":
        told = remark("max pooling does poorly with the cosine objective (Sentence-BERT, table 6: 69.9 against 87.4)")
        found.append(told)
    if settings.objective == "triplet" and data.kind == "pairs" and settings.mining == "none":
        found.append(remark("the data has no negatives: semi-hard ones are taken from each batch"))
    return found


def _facts(request: TrainingRequest, data: DataSet, validation: DataSet | None, fingerprint: str) -> dict[str, Any]:
    facts = {
        "settings": asdict(request.settings),
        "data": data.digest,
        "validation": validation.digest if validation is not None else "",
        "model": fingerprint,
    }
    if request.negatives:  # a library that has changed since gives others
        facts["negatives"] = file_sha256(Path(request.negatives))
    return facts


def _kept(loop: Loop) -> dict[str, Any]:
    return {"best_epoch": loop.best_epoch, "weights": "average" if loop.averaged else "last of the epoch"}


def _write(
    output: Path,
    model: TrainedModel,
    objective: Objective,
    base: str,
    loop: Loop,
    data: DataSet,
    validation: DataSet | None,
    settings: TrainingSettings,
) -> None:
    parts = [data] if validation is None or validation.digest == data.digest else [data, validation]
    is_cross = isinstance(objective, CrossObjective)
    notes = Notes(
        architecture="cross" if is_cross else "siamese",
        threshold=loop.threshold,
        settings={**asdict(settings), "precision": model.precision, **_kept(loop)},
        data=[{"name": Path(each.source).name, "rows": len(each), "sha256": each.digest} for each in parts],
        scores={"before": loop.before, "after": loop.after},
    )

    def beside(folder: Path) -> None:
        if isinstance(objective, CrossObjective):
            pair_model = PairModel(model.checkpoint, model.network, model.tokenizer)
            write_cross_encoder(pair_model, cast("CrossHead", objective.head), folder)
        elif objective.head is not None:
            save_head(objective.head, folder)
        write_notes(notes, folder)
        card = model_card(output.name, base, model.checkpoint.dim, model.checkpoint.max_length, notes)
        (folder / "README.md").write_text(card, "utf-8")

    model.network.eval()
    try:
        if is_cross:
            write_whole(output, beside)
        else:
            save(model, output, beside)
    except OSError as error:
        hint = "Make room and run the same command with --resume."
        if loop.saved_step < loop.step:
            hint = "Make room and train anew: no checkpoint of it could be written either."
            if loop.saved_step:
                hint = "Make room and run the same command with --resume: the last steps are done again."
        message = f"the trained model cannot be written to {output}: {error.strerror or error}"
        raise StorageFull(message, hint) from error
