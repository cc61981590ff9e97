"""The options of `train` and `evaluate`, loaded only for these commands."""

from __future__ import annotations

import argparse

from desktop_app.cli.argument_types import (
    as_fraction,
    as_nonnegative_int,
    as_positive_float,
    as_positive_int,
    new_command_parser,
)
from desktop_app.core.evaluation import TASKS
from desktop_app.core.training_presets import PRESETS
from desktop_app.core.training_settings import (
    DISTANCES,
    HEADS,
    MINING,
    OBJECTIVES,
    OPTIMIZERS,
    POOLINGS,
    Objective,
    TrainingSettings,
)

_OBJECTIVE_HELP: dict[Objective, str] = {
    "softmax": "a layer on u, v and |u-v| names the class of the pair (inference; same or different)",
    "binary": "a head on both vectors says how probably the two are the same (duplicates)",
    "cosine": "the cosine of u and v has to come out as the score of the pair (similarity)",
    "contrastive": "pairs that are the same are pulled together, others pushed a margin apart (duplicates)",
    "triplet": "the anchor has to lie nearer to its positive than to its negative, by a margin (triplets, pairs)",
    "ranking": "each sentence has to find its own partner among those of the batch (pairs, triplets)",
}


def build_train_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `build_train_parser`."""
    parser = new_command_parser(common, name)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(
        (
            "objectives (u and v: the vectors of the two sentences):",
            *(f"  {name:<12}{text}" for name, text in _OBJECTIVE_HELP.items()),
            "\npresets:",
            *(f"  {key:<12}{_describe_preset(each)}" for key, each in PRESETS.items()),
        )
    )
    parser.add_argument(
        "data",
        nargs="+",
        metavar="DATA",
        help=".tsv, .csv or .jsonl with a header, of one kind; or marks:, what you said of pairs and hits",
    )
    _add_data_options(parser)
    parser.add_argument("--output", default="", metavar="FOLDER", help="of the trained model; nothing is there yet")
    parser.add_argument("--preview", action="store_true", help="say what is understood of the data, and train nothing")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint of the same training")
    stages = parser.add_argument_group("stages (inference, then similarity is what the paper found best)")
    stages.add_argument("--then", action="append", default=[], metavar="DATA", help="train on with this; repeatable")
    stages.add_argument(
        "--then-preset", action="append", default=[], choices=sorted(PRESETS), help="of each --then, in their order"
    )
    stages.add_argument("--alone", action="store_true", help="train the last stage alone too, and compare")
    parser.add_argument(
        "--architecture", choices=("siamese", "cross"), default="siamese", help="cross: both sentences in one pass"
    )
    what = parser.add_argument_group("what is learnt (default: what suits the data)")
    what.add_argument("--objective", choices=OBJECTIVES, help="what is minimised; each is told below")
    what.add_argument("--preset", choices=sorted(PRESETS), help="all settings at once; options after it change them")
    what.add_argument("--pooling", choices=POOLINGS, help="default: the model's own; mean-padded: over padding too")
    what.add_argument("--concat", metavar="PARTS", help='what a head sees, of u, v, abs(u-v), u*v: "u,v,abs(u-v)"')
    what.add_argument("--head", choices=HEADS, help="cosine: logistic regression on the cosine alone")
    what.add_argument("--hidden", type=as_positive_int, metavar="N", help="of the hidden layer of mlp (default: 512)")
    what.add_argument("--dropout", type=as_fraction, metavar="P", help="after it")
    what.add_argument("--class-weight", type=as_positive_float, metavar="W", help="of pairs that are the same (binary)")
    what.add_argument("--distance", choices=DISTANCES, help="of contrastive, triplet, ranking")
    what.add_argument(
        "--margin", type=as_positive_float, metavar="M", help="of contrastive, triplet (there 1 if Euclidean, else 0.2)"
    )
    what.add_argument("--temperature", type=as_positive_float, metavar="T", help="of ranking")
    what.add_argument("--mining", choices=MINING, help="which pairs of a batch count; library: negatives out of it")
    what.add_argument("--projection", type=as_positive_int, metavar="N", help="add a layer: vectors of N numbers")
    what.add_argument("--max-length", type=as_positive_int, metavar="N", help="tokens at which texts are cut")
    how = parser.add_argument_group("how")
    how.add_argument("--optimizer", choices=OPTIMIZERS, help="adam: constant rate, no decay")
    how.add_argument("--learning-rate", type=as_positive_float, metavar="R")
    how.add_argument(
        "--head-learning-rate", type=as_positive_float, metavar="R", help="of layers that begin from nothing"
    )
    how.add_argument("--warmup", type=as_fraction, metavar="SHARE", help="of the steps (default: 0.1)")
    how.add_argument("--weight-decay", type=as_fraction, metavar="D")
    how.add_argument("--epochs", type=as_positive_int, metavar="N")
    how.add_argument("--batch-size", type=as_positive_int, metavar="N")
    how.add_argument("--clip", type=as_positive_float, metavar="L", help="longest gradient (default: 1)")
    how.add_argument("--accumulation", type=as_positive_int, metavar="N", help="batches of a step (default: 1)")
    how.add_argument(
        "--averaging",
        type=as_fraction,
        metavar="SHARE",
        help="average the weights over that share of the steps; kept where it is better (0: not)",
    )
    how.add_argument("--seed", type=as_nonnegative_int, metavar="N", help="default: 42")
    how.add_argument(
        "--patience", type=as_nonnegative_int, metavar="N", help="stop after N epochs that were no better (0: never)"
    )
    how.add_argument("--validation", metavar="FILE_OR_SHARE", help="rows that choose the epoch (default: 0.1)")
    how.add_argument(
        "--threshold", type=float, metavar="T", help="from which pairs are the same (default: the best on those rows)"
    )
    return parser


def build_evaluate_parser(common: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    """Return the parser of `build_evaluate_parser`."""
    parser = new_command_parser(common, name)
    parser.add_argument("data", metavar="DATA", help=".tsv, .csv or .jsonl with a header; for retrieval a folder")
    _add_data_options(parser)
    parser.add_argument("--task", choices=TASKS, help="default: from the columns")
    parser.add_argument("--architecture", choices=("siamese", "cross"), help="refuse a model of the other kind")
    parser.add_argument("--pooling", choices=POOLINGS, help="in place of the model's own, to see what it does")
    parser.add_argument(
        "--threshold",
        metavar="T/stored/best",
        help="cosine from which pairs are the same (default: the model's own, else the best on this file)",
    )
    parser.add_argument(
        "--beside", action="append", default=[], metavar="MODEL", help="measure this one too, side by side; repeatable"
    )
    parser.add_argument(
        "--output", metavar="FILE", help="write the scores too: .json with curves and worst pairs, or .csv"
    )
    parser.add_argument(
        "--rows",
        metavar="FILE",
        help="write every row: label, what is found, score, the head's probabilities (.tsv, .csv, .jsonl)",
    )
    parser.add_argument("--earlier", action="store_true", help="list what was measured on this data before")
    parser.add_argument(
        "--rerank", metavar="MODEL", help="of retrieval: see what a cross-encoder gains on the first 50 (name, folder)"
    )
    parser.add_argument(
        "--worst", type=as_nonnegative_int, metavar="N", help="how many of the most wrongly judged pairs to list"
    )
    return parser


def _add_data_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--columns", metavar="A,B,SCORE", help="columns to use, by name or number, in this order")
    parser.add_argument("--score-range", metavar="LOW,HIGH", help="of similarity (default: 0,5 or 0,1 by the scores)")


def _describe_preset(settings: TrainingSettings) -> str:
    """Return what makes a preset, in the words of the options."""
    parts: list[str] = [settings.objective]
    if settings.objective in ("softmax", "binary"):
        parts.append(f"head {settings.head}")
    if settings.objective in ("contrastive", "triplet"):
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
    parts.append(f"epochs {settings.epochs}")
    return ", ".join(parts)
