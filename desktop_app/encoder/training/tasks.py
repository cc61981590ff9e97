"""The training tasks of the child process: preview of a data file, anchors, training."""

from __future__ import annotations

import functools
import time
from dataclasses import asdict, astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch

from desktop_app.core.errors import AppError, StorageFull, UsageError
from desktop_app.core.jobs import Progress
from desktop_app.core.messages import Message, system_text
from desktop_app.core.objectives import FROM_LIBRARY
from desktop_app.core.training import NegativesRequest, TrainingNotice, TrainingReport
from desktop_app.core.training_checkpoints import request_to_json
from desktop_app.core.training_settings import is_used
from desktop_app.encoder.checkpoint import read_checkpoint
from desktop_app.encoder.checkpoint_writer import save, write_folder_atomically
from desktop_app.encoder.classification_head import save_head
from desktop_app.encoder.cross_encoder import CrossEncoderParts, write_cross_encoder
from desktop_app.encoder.datasets.dataset import DataSet, preview_dataset
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.models.bundled import resolve_model
from desktop_app.encoder.models.model_card import build_model_card
from desktop_app.encoder.models.model_files import file_sha256
from desktop_app.encoder.training.checkpoints import delete_checkpoint, has_checkpoint, load_checkpoint
from desktop_app.encoder.training.compute_plan import choose_compute_plan
from desktop_app.encoder.training.cross_encoder import (
    CrossEncoderObjective,
    build_cross_encoder_model,
    make_cross_encoder_objective,
)
from desktop_app.encoder.training.gradients import verify_training_precision
from desktop_app.encoder.training.loop import TrainingLoop
from desktop_app.encoder.training.objectives import Objective, make_objective
from desktop_app.encoder.training.trained_model import TrainedModel, build_siamese_model
from desktop_app.encoder.training.training_rows import read_training_rows
from desktop_app.encoder.training.word_training import Part, fit_word_judge, make_parts
from desktop_app.encoder.training_notes import TrainingNotes, write_training_notes
from desktop_app.encoder.word_judge import WORDS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from desktop_app.core.jobs import Steps
    from desktop_app.core.labelled_data import DataFile, DataPreview
    from desktop_app.core.training import TrainingRequest
    from desktop_app.core.training_settings import TrainingSettings
    from desktop_app.encoder.cross_encoder import CrossEncoderHead
    from desktop_app.encoder.training.compute_plan import ComputePlan


def preview_file(file: DataFile) -> Steps[DataPreview]:
    """Return a preview of a file of labelled sentences.

    Raises:
        AppError: it cannot be read.
    """
    data = read_labelled_file(file)
    yield None
    return preview_dataset(data)


def list_anchors(request: TrainingRequest) -> Steps[NegativesRequest]:
    """Return the anchors and positives of a training that need negatives.

    Raises:
        AppError: the data cannot be read or used.
    """
    yield Progress("reading")
    data, validation, _, _ = read_training_rows(replace(request, negatives=""))
    held = frozenset(text for column in validation.texts for text in column) if validation is not None else frozenset()
    return NegativesRequest(tuple(dict.fromkeys(zip(data.texts[0], data.texts[1], strict=True))), held)


def train(request: TrainingRequest) -> Generator[object, None, TrainingReport]:
    """Fine-tune a model and write it into a folder.

    Yields:
        StepReport, EpochReport, TrainingResumed, TrainingNotice and Progress.

    Raises:
        AppError: data, settings or model do not fit; nothing is written.
        UsageError: the model is a cross-encoder, and vectors are to be trained.
        StorageFull: the trained model cannot be written; its checkpoint stays, if there is one.
        Cancelled: it was stopped; a checkpoint stays if a step was done.
    """
    started = time.monotonic()
    settings, output = request.settings, Path(request.output).expanduser().absolute()
    if output.exists():
        raise AppError("{output} already exists", "Give a folder that does not exist yet (--output).", output=output)
    if settings.mining == FROM_LIBRARY and not request.negatives:
        raise AppError("No negatives were collected from a library", "Train without them: --mining none.")
    yield Progress("reading")
    data, validation, left_out, warnings = read_training_rows(request)
    judges_words = settings.words and is_used("words", settings)
    parts = make_parts(data, settings) if judges_words else []
    yield None
    base = read_checkpoint(resolve_model(request.model))
    if base.is_cross and settings.architecture == "siamese":  # nothing could open the result
        raise UsageError(
            "{name} is a cross-encoder or classifier, which gives no vectors that could be trained",
            "Train a cross-encoder from it (--architecture cross), or start from another model.",
            name=base.name,
        )
    facts = _describe_run(request, data, validation, base.fingerprint())
    state, messages = _load_checkpoint(request, output, facts)
    compute_plan = choose_compute_plan(request, state.get("computing") if state else None, messages)
    torch.set_num_threads(1)
    yield Progress("opening")
    model, objective = _build_model_and_objective(request, output.name, data, compute_plan)
    if compute_plan.precision == "auto":
        yield from verify_training_precision(model, objective, data, settings.seed, messages)
    warnings += [*messages, *_list_advice(settings, data, validation, model)]
    for text in warnings:  # before the first step, so that a person can still stop
        yield TrainingNotice(text)
    loop = TrainingLoop(model, objective, data, validation, settings, output, facts, request_to_json(request))
    resumed_at = 0
    if state is not None:
        yield loop.restore(state)
        resumed_at = loop.step
        yield TrainingNotice(Message("resumed at step {resumed_at}", code="resumed", resumed_at=resumed_at))
    yield from loop.run()
    if judges_words:
        build = functools.partial(_build_model_and_objective, request, output.name, data, model.compute_plan)
        loop.warnings += yield from _learn_words(loop, data, parts, settings, build)
    _write_model(output, model, objective, base.name, loop, data, validation, settings)
    delete_checkpoint(output)
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
        combined=loop.combined,
    )


def _learn_words(
    loop: TrainingLoop,
    data: DataSet,
    parts: list[Part],
    settings: TrainingSettings,
    build: Callable[[], tuple[TrainedModel, Objective]],
) -> Generator[object, None, list[Message]]:
    """Give the trained model a word judge, and return why it has none."""
    if not loop.best_epoch:
        why = Message("the original weights were kept")
    else:
        loop.free()
        try:
            words = yield from fit_word_judge(data, parts, settings, loop, build)
            if (yield from loop.judge_words(words.judge, words.threshold, words.weights, words.share)):
                return []
            why = Message("the validation rows say that the model is better without them")
        except (AppError, MemoryError, torch.OutOfMemoryError) as error:  # the trained model is not lost with it
            why = error.message if isinstance(error, AppError) else Message("there is too little memory")
    return [Message("words do not count: {why}", code="words_not_learnt", why=why)]


def _load_checkpoint(
    request: TrainingRequest, output: Path, facts: dict[str, Any]
) -> tuple[dict[str, Any] | None, list[Message]]:
    """Return the checkpoint to resume from, None for a new run; and messages about that for the person."""
    if not request.resume:
        if not has_checkpoint(output):
            return None, []
        message = Message(
            "this starts a new run and replaces the checkpoint of an earlier run (--resume continues it)",
            code="checkpoint_replaced",
        )
        return None, [message]
    state = load_checkpoint(output, facts)
    return state, [] if state is not None else [
        Message("there is no checkpoint to resume from: a new run starts", code="no_checkpoint")
    ]


def _build_model_and_objective(
    request: TrainingRequest, name: str, data: DataSet, compute_plan: ComputePlan
) -> tuple[TrainedModel, Objective]:
    """Return the model and the objective of a training."""
    settings, where = request.settings, astuple(compute_plan)
    if settings.architecture == "cross":
        cross = build_cross_encoder_model(request.model, name, settings, *where)
        return cross, make_cross_encoder_objective(data, settings, cross.checkpoint.hidden)
    model = build_siamese_model(request.model, name, settings, *where)
    dim, normalised = model.checkpoint.dim, model.checkpoint.normalised
    return model, make_objective(settings, data.classes, dim, normalised=normalised)


def _list_advice(
    settings: TrainingSettings, data: DataSet, validation: DataSet | None, model: TrainedModel
) -> list[Message]:
    found: list[Message] = []
    judged = data if validation is None else validation
    if settings.threshold is not None and judged.kind != "duplicates":
        message = Message(
            "the threshold has no effect: this training judges no pairs that are labelled as the same or different",
            code="threshold_unused",
        )
        found.append(message)
    if (model.checkpoint.folder / WORDS_FOLDER).is_dir() and not settings.words:
        message = Message(
            "the model also judges by words; the new one does not, unless it learns that again",
            code="words_not_kept",
        )
        found.append(message)
    if settings.architecture == "cross":
        return found
    if "max" in model.checkpoint.pooling_modes and settings.objective == "cosine":
        message = Message(
            "max pooling performs poorly with the cosine objective (Sentence-BERT, table 6: 69.9 against 87.4)",
            code="max_pooling",
        )
        found.append(message)
    if settings.objective == "triplet" and data.kind == "pairs" and settings.mining == "none":
        found.append(
            Message("the data has no negatives: semi-hard ones are taken from each batch", code="negatives_from_batch")
        )
    return found


def _describe_run(
    request: TrainingRequest, data: DataSet, validation: DataSet | None, fingerprint: str
) -> dict[str, Any]:
    facts = {
        "settings": asdict(request.settings),
        "data": data.digest,
        "validation": validation.digest if validation is not None else "",
        "model": fingerprint,
    }
    if request.negatives:  # a library that has changed since has others
        facts["negatives"] = file_sha256(Path(request.negatives))
    return facts


def _describe_result(loop: TrainingLoop) -> dict[str, Any]:
    weights = "average" if loop.averaged else "last of the epoch" if loop.best_epoch else "initial"
    return {"best_epoch": loop.best_epoch, "weights": weights}


def _write_model(
    output: Path,
    model: TrainedModel,
    objective: Objective,
    base: str,
    loop: TrainingLoop,
    data: DataSet,
    validation: DataSet | None,
    settings: TrainingSettings,
) -> None:
    parts = [data] if validation is None or validation.digest == data.digest else [data, validation]
    is_cross = isinstance(objective, CrossEncoderObjective)
    notes = TrainingNotes(
        architecture="cross" if is_cross else "siamese",
        threshold=loop.threshold,
        settings={
            **asdict(settings),
            "words": model.judge is not None,
            "precision": model.precision,
            **_describe_result(loop),
        },
        data=[{"name": Path(each.source).name, "rows": len(each), "sha256": each.digest} for each in parts],
        scores={"before": loop.before, "after": loop.after if loop.best_epoch else loop.before},
    )

    def write_more(folder: Path) -> None:
        if isinstance(objective, CrossEncoderObjective):
            pair_model = CrossEncoderParts(model.checkpoint, model.network, model.tokenizer)
            write_cross_encoder(pair_model, cast("CrossEncoderHead", objective.head), folder)
        elif objective.head is not None:
            save_head(objective.head, folder)
        if model.judge is not None:
            model.judge.save(folder)
        write_training_notes(notes, folder)
        card = build_model_card(output.name, base, model.checkpoint.dim, model.checkpoint.max_length, notes)
        (folder / "README.md").write_text(card, "utf-8")

    model.network.eval()
    try:
        if is_cross:
            write_folder_atomically(output, write_more)
        else:
            save(model, output, write_more)
    except OSError as error:
        if loop.saved_step == loop.step:
            hint = Message("Free some disk space and resume the training (--resume).")
        elif loop.saved_step:
            hint = Message("Free some disk space and resume the training (--resume): the last steps are repeated.")
        else:
            hint = Message("Free some disk space and train again: no checkpoint could be saved either.")
        raise StorageFull(
            "The trained model cannot be written to {output}: {why}",
            hint,
            output=output,
            why=system_text(error.strerror or error),
        ) from error
