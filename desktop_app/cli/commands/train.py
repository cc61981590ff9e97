"""The command `train`: fine-tunes a model on labelled sentences."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from desktop_app.cli.argument_types import (
    TableHelpFormatter,
    as_fraction,
    as_nonnegative_float,
    as_nonnegative_int,
    as_positive_float,
    as_positive_int,
)
from desktop_app.cli.commands.evaluate import (
    add_data_options,
    build_data_file,
    differences_json,
    format_difference,
    format_key_measures,
    worst_pairs_json,
)
from desktop_app.cli.output import escape_unprintable, format_duration, list_remarks, print_json, print_line
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import Progress
from desktop_app.core.objectives import FROM_LIBRARY, MINING, OBJECTIVES, default_objective, list_objectives_with
from desktop_app.core.training import EpochReport, StageStarted, StepReport, TrainingNotice, TrainingRequest
from desktop_app.core.training_checkpoints import has_checkpoint
from desktop_app.core.training_settings import (
    DISTANCES,
    HEADS,
    OPTIMIZERS,
    POOLINGS,
    PRESETS,
    TrainingSettings,
    default_preset,
    is_used,
    with_distance,
)
from desktop_app.core.training_verdict import judge_training, list_reasons

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from desktop_app.cli.session import CommandSession
    from desktop_app.core.labelled_data import DataFile
    from desktop_app.core.messages import Message
    from desktop_app.core.objectives import Objective
    from desktop_app.core.training import TrainingReport

_ALWAYS_USED = ("architecture", "objective", "validation")  # the others depend on them


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.formatter_class = TableHelpFormatter
    parser.epilog = "\n".join(
        (
            "objectives (u and v: the vectors of the two sentences):",
            *(f"  {name:<13}{spec.summary}" for name, spec in OBJECTIVES.items()),
            "\npresets:",
            *(f"  {key:<13}{_describe_preset(each)}" for key, each in PRESETS.items()),
        )
    )
    parser.add_argument(
        "data",
        nargs="+",
        metavar="DATA",
        help=(
            ".tsv, .csv or .jsonl files with a header, of one kind; or `marks:`, with the colon, for your ratings of "
            "pairs and results"
        ),
    )
    add_data_options(parser)
    parser.add_argument(
        "--output", default="", metavar="FOLDER", help="folder of the trained model; it must not exist yet"
    )
    parser.add_argument("--preview", action="store_true", help="show how the data is understood, without training")
    parser.add_argument("--resume", action="store_true", help="resume from the last checkpoint of the same training")
    stages = parser.add_argument_group("stages (the Sentence-BERT paper recommends inference, then similarity)")
    stages.add_argument(
        "--then", action="append", default=[], metavar="DATA", help="add a stage with this data; repeatable"
    )
    stages.add_argument(
        "--then-preset",
        action="append",
        default=[],
        choices=sorted(PRESETS),
        metavar="PRESET",
        help="preset of each --then, in the same order",
    )
    stages.add_argument("--alone", action="store_true", help="also train the last stage alone, and compare")
    parser.add_argument(
        "--architecture",
        choices=("siamese", "cross"),
        default="siamese",
        help="siamese: a vector for each sentence; cross: both sentences in one pass (default: siamese)",
    )
    what = parser.add_argument_group("what is trained (default: what fits the data)")
    what.add_argument("--objective", choices=OBJECTIVES, metavar="NAME", help="what is minimized; see below")
    what.add_argument(
        "--preset",
        choices=sorted(PRESETS),
        metavar="PRESET",
        help="a set of settings, see below; other options override it",
    )
    what.add_argument("--pooling", choices=POOLINGS, help="default: the model's own; mean-padded: mean with padding")
    what.add_argument("--concat", metavar="PARTS", help='input of the head, from u, v, abs(u-v), u*v: "u,v,abs(u-v)"')
    what.add_argument("--head", choices=HEADS, help="cosine: logistic regression on the cosine alone")
    what.add_argument("--hidden", type=as_positive_int, metavar="N", help="size of mlp's hidden layer (default: 512)")
    what.add_argument("--dropout", type=as_fraction, metavar="P", help="dropout after the hidden layer")
    what.add_argument(
        "--class-weight",
        type=as_positive_float,
        metavar="W",
        help=f"weight of pairs that are the same ({list_objectives_with('class_weight')})",
    )
    what.add_argument("--distance", choices=DISTANCES, help=f"distance of {list_objectives_with('distance')}")
    what.add_argument(
        "--margin",
        type=as_positive_float,
        metavar="M",
        help=f"margin of {list_objectives_with('margin')} (of triplet by default 1 if Euclidean, else 0.2)",
    )
    what.add_argument(
        "--temperature",
        type=as_positive_float,
        metavar="T",
        help=f"temperature of {list_objectives_with('temperature')}",
    )
    what.add_argument(
        "--order",
        type=as_nonnegative_float,
        metavar="W",
        help=f"weight of a ranking term for the pairs of a batch ({list_objectives_with('order')}; 0: none)",
    )
    what.add_argument(
        "--mining", choices=MINING, help="which pairs of a batch count; library: take negatives from the library"
    )
    what.add_argument(
        "--projection", type=as_positive_int, metavar="N", help="add a layer that gives vectors of N numbers"
    )
    what.add_argument(
        "--no-normalize",
        dest="normalize",
        action="store_const",
        const=False,
        help="train and save without the model's last layer, which scales vectors to length 1",
    )
    what.add_argument(
        "--max-length", type=as_positive_int, metavar="N", help="longest text in tokens; the rest is cut off"
    )
    how = parser.add_argument_group("how it is trained")
    how.add_argument("--optimizer", choices=OPTIMIZERS, help="adam: constant rate, no decay")
    how.add_argument("--learning-rate", type=as_positive_float, metavar="R")
    how.add_argument("--head-learning-rate", type=as_positive_float, metavar="R", help="learning rate of new layers")
    how.add_argument("--warmup", type=as_fraction, metavar="SHARE", help="share of the steps (default: 0.1)")
    how.add_argument("--weight-decay", type=as_fraction, metavar="D")
    how.add_argument("--epochs", type=as_positive_int, metavar="N")
    how.add_argument("--batch-size", type=as_positive_int, metavar="N")
    how.add_argument("--clip", type=as_positive_float, metavar="L", help="longest gradient norm (default: 1)")
    how.add_argument("--accumulation", type=as_positive_int, metavar="N", help="batches per step (default: 1)")
    how.add_argument(
        "--averaging",
        type=as_fraction,
        metavar="SHARE",
        help="average the weights over the last share of the steps, and keep them if they are better (0: never)",
    )
    how.add_argument(
        "--runs",
        type=as_positive_int,
        metavar="N",
        help="train N times from the same start, and average the weights of the runs that make the result better",
    )
    how.add_argument(
        "--words",
        action="store_const",
        const=True,
        help="learn from five more trainings, on parts of the rows, how words count beside the cosine "
        f"({list_objectives_with('words')})",
    )
    how.add_argument("--seed", type=as_nonnegative_int, metavar="N", help="default: 42")
    how.add_argument(
        "--patience", type=as_nonnegative_int, metavar="N", help="stop after N epochs without improvement (0: never)"
    )
    how.add_argument(
        "--validation",
        metavar="FILE_OR_SHARE",
        help="validation data, which selects the best epoch (default: 0.1 of the rows)",
    )
    how.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="similarity from which a pair counts as the same, stored with the model (default: the best on the "
        "validation data; none without such data)",
    )


def _describe_preset(settings: TrainingSettings) -> str:
    """Return the settings of a preset, as option names and values."""
    parts: list[str] = [settings.objective]
    spec = OBJECTIVES[settings.objective]
    if spec.head != "none":
        parts.append(f"head {settings.head}")
    if "margin" in spec.settings:
        parts.append(f"margin {settings.margin:g}")
    if settings.pooling:
        parts.append(f"pooling {settings.pooling}")
    if settings.class_weight != 1:
        parts.append(f"class-weight {settings.class_weight:g}")
    if settings.mining != "none":
        parts.append(f"mining {settings.mining}")
    parts += [f"batch-size {settings.batch_size}", f"learning-rate {settings.learning_rate:g}"]
    if settings.averaging:
        parts.append(f"averaging {settings.averaging:g}")
    if settings.order:
        parts.append(f"order {settings.order:g}")
    parts.append(f"epochs {settings.epochs}")
    if settings.runs > 1:
        parts.append(f"runs {settings.runs}")
    if settings.words:
        parts.append("words")
    return ", ".join(parts)


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    if not options.output:
        return ""
    output = Path(options.output).expanduser()
    if not has_checkpoint(output):
        return "No step was completed, so there is no checkpoint to resume from."
    return f"The checkpoint next to {output} is kept; run the same command with --resume to continue."


def run(session: CommandSession) -> int:
    """Fine-tune a model, and print the result."""
    options = session.options
    data = tuple(build_data_file(path, options) for path in options.data)
    if options.preview:
        return _preview_data(session, data)
    if not options.output:
        raise UsageError("--output is missing", "Give a folder for the trained model that does not exist yet.")
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
        print_json(_report_json(done, settings))
    else:
        _print_report(done, settings)
    return 0


class _TrainingReporter:
    """Prints the reports of a training: notices and epochs as lines, steps as progress."""

    def __init__(self, session: CommandSession) -> None:
        self._session = session
        self._printed: set[Message] = set()

    def __call__(self, found: object) -> None:
        """Print a report; called on the engine thread."""
        session, is_verbose = self._session, not (self._session.options.json or self._session.options.quiet)
        if isinstance(found, StepReport):
            more = f"epoch {found.epoch}  loss {found.loss:.4f}  {found.steps_per_s:.2f} steps/s"
            left = found.remaining_s
            session.progress(Progress("training", found.step, found.steps, "steps", remaining_s=left), more)
        elif isinstance(found, EpochReport) and is_verbose:
            session.note(f"epoch {found.epoch}: loss {found.loss:.4f}{format_key_measures(found.validation)}")
        elif isinstance(found, TrainingNotice):
            self.warn((found.text,))
        elif isinstance(found, StageStarted):
            self._printed.clear()
            which = f"stage {found.number} of {found.stages}" if not found.alone else "the last stage alone"
            if is_verbose:
                session.note(which)

    def warn(self, texts: Iterable[Message]) -> None:
        """Print notes, each once."""
        for text in texts:
            if text not in self._printed:
                self._printed.add(text)
                self._session.note(f"note: {text}")


def _preview_data(session: CommandSession, data: Sequence[DataFile]) -> int:
    """Print how each file is understood."""
    found = [session.wait(session.workspace.evaluation.preview(file)) for file in data]
    if session.options.json:
        print_json({"files": [{"path": file.path, **asdict(each)} for file, each in zip(data, found, strict=True)]})
        return 0
    for file, each in zip(data, found, strict=True):
        print_line(
            f"{escape_unprintable(file.path)}: {each.rows:,} rows of {each.kind}, from {', '.join(each.columns)}"
        )
        if each.unlabelled:
            print_line(f"  skipped rows without an agreed label (-): {each.unlabelled:,}")
        if each.labels:
            print_line("  labels: " + ", ".join(f"{name} {count:,}" for name, count in each.labels.items()))
        if each.scores is not None:
            low, mean, high = each.scores
            print_line(f"  scores: {low:.2f} to {high:.2f}, mean {mean:.2f} (0 to 1)")
        middle, long, longest = each.characters
        print_line(f"  {each.sentences:,} unique sentences; length: median {middle:,}, 95th percentile {long:,}, ")
        print_line(f"max {longest:,} characters")
        print_line(f"  duplicate rows: {each.repeated:,}, with different labels: {each.contradicting:,}")
        for row in each.examples[:3]:
            print_line("  | " + " | ".join(escape_unprintable(text) for text in row))
        usual = default_preset(each.kind, (file,))
        print_line(f"  default objective: {default_objective(each.kind)}, with the preset {usual}")
    return 0


def _build_later_stages(session: CommandSession, first: TrainingRequest) -> list[TrainingRequest]:
    """Return the trainings of the `--then` options; they write to the output of the first one."""
    options = session.options
    presets = options.then_preset
    if len(presets) > len(options.then):
        raise UsageError("Each --then-preset needs a --then", "Give the data of each stage: --then DATA.")
    if options.alone and not options.then:
        raise UsageError("--alone needs more than one stage", "Add --then DATA.")
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
    last = stages[-1].settings
    if options.json:
        # A stage of an earlier run may lack its report.
        settings = [each.settings for each in stages[-len(done.stages) :]]
        reports = [_report_json(*both) for both in zip(done.stages, settings, strict=True)]
        alone = None if done.alone is None else _report_json(done.alone, last)
        print_json({**reports[-1], "stages": reports, "alone": alone, "compared": done.compared})
        return 0
    _print_verdict(done.stages[-1], last)
    for number, each in enumerate(done.stages, start=1):
        print_line(f"stage {number}: {each.rows:,} rows, {format_duration(each.seconds)}")
    for name, measures in done.compared.items():
        print_line(f"{name:<20}{format_key_measures(measures)}")
    print_line(f"the model was saved in {Path(options.output)}")
    return 0


def _build_settings(
    session: CommandSession,
    files: Sequence[DataFile],
    preset: str | None = None,
    objective: Objective | Literal[""] | None = None,
) -> TrainingSettings:
    """Return the settings of the preset, else of the objective, else of the kind of data, changed by the options.

    Args:
        session: of the command.
        files: the data.
        preset: replaces the option; empty: none.
        objective: replaces the option; empty: none.
    """
    options = session.options
    preset = options.preset if preset is None else preset
    wanted: Objective | None = options.objective if objective is None else objective or None
    if preset:
        settings = PRESETS[preset]
        if wanted and wanted != settings.objective:
            raise UsageError(
                "The preset {preset} is for {objective}, not {wanted}",
                "Omit --preset or --objective.",
                preset=preset,
                objective=settings.objective,
                wanted=wanted,
            )
    elif wanted:
        settings = PRESETS[OBJECTIVES[wanted].preset]
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
    offered = OBJECTIVES[settings.objective].mining or MINING
    if settings.architecture == "siamese" and settings.mining not in (*offered, FROM_LIBRARY):
        raise UsageError(
            "{objective} does not support --mining {mining}",
            "It supports {offered}.",
            objective=settings.objective,
            mining=settings.mining,
            offered=" or ".join(offered),
        )
    return settings


def _warn_unused_options(session: CommandSession, stages: Sequence[TrainingSettings]) -> None:
    """Print the options that have no effect on any stage."""
    for field in fields(TrainingSettings):
        given = field.name not in _ALWAYS_USED and getattr(session.options, field.name, None) is not None
        if given and not any(is_used(field.name, settings) for settings in stages):
            learner = "a cross-encoder" if stages[0].architecture == "cross" else stages[0].objective
            name = "no-normalize" if field.name == "normalize" else field.name.replace("_", "-")
            session.note(f"note: --{name} has no effect on this training ({learner})")


def _parse_share(text: str) -> float | None:
    """Return a share of the rows; None if `text` names a file.

    Raises:
        UsageError: the number is not a share.
    """
    try:
        share = float(text)
    except ValueError:
        return None
    if not 0 <= share < 1:
        raise UsageError(
            "--validation {text} is not a share", "Give a file, or a number of at least 0 and below 1.", text=text
        )
    return share


def _report_json(done: TrainingReport, settings: TrainingSettings) -> dict[str, Any]:
    facts = asdict(replace(done, judged=None, judged_before=None))
    del facts["judged"], facts["judged_before"]
    verdict = judge_training(done)
    facts = {
        "verdict": str(verdict),
        "verdict_code": verdict.code,
        "reasons": list(map(str, list_reasons(done, settings))),
        "kept": "trained" if done.best_epoch else "initial",
        **facts,
        "differences": differences_json(done.judged) if done.judged is not None else {},
    }
    facts["warnings"], facts["remarks"] = list(map(str, done.warnings)), list_remarks(done.warnings)
    facts["stopped"], facts["stopped_code"] = str(done.stopped), done.stopped.code
    facts["worst"] = worst_pairs_json(done.judged) if done.judged is not None else []
    facts["seconds"], facts["steps_per_s"] = round(done.seconds, 2), round(done.steps_per_s, 3)
    return facts


def _print_verdict(done: TrainingReport, settings: TrainingSettings) -> None:
    """Print whether the model got better; and if not, what to look at."""
    verdict, found = judge_training(done), done.difference
    if verdict:
        print_line(str(verdict))
    if found is not None:
        print_line(format_difference(found))
    if reasons := list_reasons(done, settings):
        print_line("check:")
    for reason in reasons:
        print_line(f"  {reason}")


def _print_report(done: TrainingReport, settings: TrainingSettings) -> None:
    _print_verdict(done, settings)
    pace = f", {done.steps_per_s:.2f} steps/s" if done.steps_per_s else ""
    print_line(f"{done.rows:,} rows, {done.validation_rows:,} for validation; {format_duration(done.seconds)}{pace}")
    if done.stopped:
        print_line(f"stopped early: {done.stopped}")
    if done.combined > 1:
        print_line(f"averaged: the weights of {done.combined} of {settings.runs} runs")
    if done.before and done.after:
        print_line(f"before{format_key_measures(done.before)}")
        kept = f"epoch {done.best_epoch}{', averaged weights' * done.averaged}" if done.best_epoch else "not kept"
        print_line(f"after {format_key_measures(done.after)} ({kept})")
    if done.threshold is not None:
        print_line(f"match threshold: {done.threshold:.4f}; stored with the model")
    print_line(f"the model was saved in {Path(done.output)}; `evaluate DATA --model {done.output}` evaluates it")
