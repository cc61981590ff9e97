"""The command `train`."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from desktop_app.cli.evaluate import build_data_file, format_key_measures, worst_pairs_json
from desktop_app.cli.output import escape_unprintable, format_duration, print_json, print_line
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import Progress
from desktop_app.core.training import EpochReport, StageStarted, StepReport, TrainingNotice, TrainingRequest
from desktop_app.core.training_presets import PRESET_OF_OBJECTIVE, PRESETS, default_preset
from desktop_app.core.training_settings import (
    FROM_LIBRARY,
    MINING,
    MINING_OF,
    OBJECTIVE_OF_KIND,
    TrainingSettings,
    is_used,
    with_distance,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.training import TrainingReport
    from desktop_app.core.training_settings import Objective


_ALWAYS_USED = ("architecture", "objective", "validation")  # what all others depend on


def run_train(session: CommandSession) -> int:
    """Fine-tune a model and say what came of it."""
    options = session.options
    data = tuple(build_data_file(path, options) for path in options.data)
    if options.preview:
        return _preview_data(session, data)
    if not options.output:
        raise UsageError("--output is missing", "Name a folder for the trained model that is not there yet.")
    settings = _build_settings(session, data)
    validation_file = None
    if options.validation is not None:
        share = _parse_share(options.validation)
        if share is None:
            validation_file = build_data_file(options.validation, options)
        else:
            settings = replace(settings, validation=share)
    request = TrainingRequest(data, options.output, settings, validation_file=validation_file, resume=options.resume)
    stages = [request, *_build_later_stages(session, request)]
    _warn_unused_options(session, [each.settings for each in stages])

    report = _TrainingReporter(session)
    if len(stages) > 1:
        return _train_stages(session, stages, report)
    done = session.wait(session.workspace.training.train(request, report))
    report.warn(done.warnings)
    if options.json:
        print_json(_report_json(done))
    else:
        _print_report(done)
    return 0


class _TrainingReporter:
    """Says what a training reports while it runs: notices and epochs as lines, steps as progress."""

    def __init__(self, session: CommandSession) -> None:
        self._session = session
        self._told: set[str] = set()

    def __call__(self, found: object) -> None:
        """Say a report; called on the engine's thread."""
        session, is_told = self._session, not (self._session.options.json or self._session.options.quiet)
        if isinstance(found, StepReport):
            more = f"epoch {found.epoch}  loss {found.loss:.4f}  {found.steps_per_s:.2f} steps/s"
            left = found.remaining_s
            session.progress(Progress("training", found.step, found.steps, "steps", remaining_s=left), more)
        elif isinstance(found, EpochReport) and is_told:
            session.note(f"epoch {found.epoch}: loss {found.loss:.4f}{format_key_measures(found.validation)}")
        elif isinstance(found, TrainingNotice):
            self.warn((found.text,))
        elif isinstance(found, StageStarted):
            self._told.clear()
            which = f"stage {found.number} of {found.stages}" if not found.alone else "the last stage alone"
            if is_told:
                session.note(which)

    def warn(self, texts: Iterable[str]) -> None:
        """Say what a person should know, each once."""
        for text in texts:
            if text not in self._told:
                self._told.add(text)
                self._session.note(f"note: {text}")


def _preview_data(session: CommandSession, data: Sequence[DataFile]) -> int:
    """Say what is understood of each file."""
    found = [session.wait(session.workspace.evaluation.preview(file)) for file in data]
    if session.options.json:
        print_json({"files": [{"path": file.path, **asdict(each)} for file, each in zip(data, found, strict=True)]})
        return 0
    for file, each in zip(data, found, strict=True):
        print_line(
            f"{escape_unprintable(file.path)}: {each.rows:,} rows of {each.kind}, from {', '.join(each.columns)}"
        )
        if each.unlabelled:
            print_line(f"  rows that nobody agreed on (-), left out: {each.unlabelled:,}")
        if each.labels:
            print_line("  labels: " + ", ".join(f"{name} {count:,}" for name, count in each.labels.items()))
        if each.scores is not None:
            low, mean, high = each.scores
            print_line(f"  scores: {low:.2f} to {high:.2f}, mean {mean:.2f} (0 to 1)")
        middle, long, longest = each.characters
        print_line(f"  {each.sentences:,} different sentences; characters: half up to {middle:,}, 95 % up to {long:,}")
        print_line(f"  the longest has {longest:,}")
        print_line(f"  rows that stand there twice: {each.repeated:,}, with another label: {each.contradicting:,}")
        for row in each.examples[:3]:
            print_line("  | " + " | ".join(escape_unprintable(text) for text in row))
        usual = default_preset(each.kind, (file,))
        print_line(f"  learnt from it without --objective: {OBJECTIVE_OF_KIND[each.kind]}, as the preset {usual} does")
    return 0


def _build_later_stages(session: CommandSession, first: TrainingRequest) -> list[TrainingRequest]:
    """Return the trainings that `--then` names; they write where the first one would."""
    options = session.options
    presets = options.then_preset
    if len(presets) > len(options.then):
        raise UsageError("--then-preset belongs to a --then", "Name the data of each stage: --then DATA.")
    if options.alone and not options.then:
        raise UsageError("--alone compares stages", "Add --then DATA.")
    later = []
    for number, path in enumerate(options.then):
        file = build_data_file(path, options)
        settings = _build_settings(
            session, (file,), preset=presets[number] if number < len(presets) else "", objective=""
        )
        share = first.settings.validation if first.validation_file is None else settings.validation
        later.append(replace(first, data=(file,), settings=replace(settings, validation=share), validation_file=None))
    return later


def _train_stages(session: CommandSession, stages: list[TrainingRequest], report: _TrainingReporter) -> int:
    options = session.options
    done = session.wait(session.workspace.training.train_stages(stages, report, alone=options.alone))
    report.warn(done.stages[-1].warnings)
    if options.json:
        whole = _report_json(done.stages[-1])
        alone = None if done.alone is None else _report_json(done.alone)
        print_json(
            {**whole, "stages": [_report_json(each) for each in done.stages], "alone": alone, "compared": done.compared}
        )
        return 0
    for number, each in enumerate(done.stages, start=1):
        print_line(f"stage {number}: {each.rows:,} rows, {format_duration(each.seconds)}")
    for name, measures in done.compared.items():
        print_line(f"{name:<20}{format_key_measures(measures)}")
    print_line(f"the model is in {Path(options.output)}")
    return 0


def _build_settings(
    session: CommandSession,
    files: Sequence[DataFile],
    preset: str | None = None,
    objective: Objective | Literal[""] | None = None,
) -> TrainingSettings:
    """Return the preset's settings, or those of the objective, or of the data's kind, changed by the options.

    Args:
        session: of the command.
        files: the data.
        preset: in place of the option's; empty: none.
        objective: likewise.
    """
    options = session.options
    preset = options.preset if preset is None else preset
    wanted: Objective | None = options.objective if objective is None else objective or None
    if preset:
        settings = PRESETS[preset]
        if wanted and wanted != settings.objective:
            raise UsageError(
                f"the preset {preset} is for {settings.objective}, not {wanted}",
                "Leave one of --preset and --objective away.",
            )
    elif wanted:
        settings = PRESETS[PRESET_OF_OBJECTIVE[wanted]]
    else:
        kind = session.wait(session.workspace.evaluation.preview(files[0])).kind
        settings = PRESETS[default_preset(kind, files)]
    given = {
        field.name: value
        for field in fields(TrainingSettings)
        if field.name not in ("validation", "objective") and (value := getattr(options, field.name, None)) is not None
    }
    if "distance" in given:
        settings = with_distance(settings, given["distance"])
    settings = replace(settings, **given)
    offered = MINING_OF.get(settings.objective, MINING)
    if settings.architecture == "siamese" and settings.mining not in (*offered, FROM_LIBRARY):
        raise UsageError(
            f"{settings.objective} takes no --mining {settings.mining}", f"It takes {' or '.join(offered)}."
        )
    return settings


def _warn_unused_options(session: CommandSession, stages: Sequence[TrainingSettings]) -> None:
    """Say which options change nothing of any stage."""
    for field in fields(TrainingSettings):
        given = field.name not in _ALWAYS_USED and getattr(session.options, field.name, None) is not None
        if given and not any(is_used(field.name, settings) for settings in stages):
            learner = "a cross-encoder" if stages[0].architecture == "cross" else stages[0].objective
            session.note(f"note: --{field.name.replace('_', '-')} changes nothing of this training ({learner})")


def _parse_share(text: str) -> float | None:
    """Return a share of the rows, None where `text` names a file.

    Raises:
        UsageError: the number is no share.
    """
    try:
        share = float(text)
    except ValueError:
        return None
    if not 0 <= share < 1:
        raise UsageError(f"--validation {text} is no share", "Give a file, or a number from 0 and below 1.")
    return share


def _report_json(done: TrainingReport) -> dict[str, Any]:
    facts = asdict(replace(done, judged=None, judged_before=None))
    del facts["judged"], facts["judged_before"]
    facts["worst"] = worst_pairs_json(done.judged) if done.judged is not None else []
    facts["seconds"], facts["steps_per_s"] = round(done.seconds, 2), round(done.steps_per_s, 3)
    return facts


def _print_report(done: TrainingReport) -> None:
    pace = f", {done.steps_per_s:.2f} steps/s" if done.steps_per_s else ""
    print_line(f"{done.rows:,} rows, {done.validation_rows:,} to validate; {format_duration(done.seconds)}{pace}")
    if done.stopped:
        print_line(f"stopped early: {done.stopped}")
    if done.before and done.after:
        print_line(f"before{format_key_measures(done.before)}")
        print_line(
            f"after {format_key_measures(done.after)} (epoch {done.best_epoch}{', averaged weights' * done.averaged})"
        )
    if done.threshold is not None:
        print_line(f"two sentences are the same from {done.threshold:.4f}; stored with the model")
    print_line(f"the model is in {Path(done.output)}; `evaluate DATA --model {done.output}` measures it")
