"""The rows of a training: read, fitted to what is learnt, divided into those to learn from and those held back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import BadData, UsageError
from desktop_app.core.negatives import read_negatives
from desktop_app.core.remarks import remark
from desktop_app.core.training_settings import FROM_LIBRARY, KINDS_OF_OBJECTIVE, MINING_OF
from desktop_app.encoder.training.cross import KINDS as CROSS_KINDS
from desktop_app.encoder.training.data_files import read_data
from desktop_app.encoder.training.dataset import DataSet, joined, split, with_negatives, without_shared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.core.training import TrainingRequest
    from desktop_app.core.training_settings import TrainingSettings

_FEWEST_ROWS = 4
_BELONGING = {"duplicates": "same", "nli": "entailment"}
"""The class of the rows whose two sentences belong together."""


def read_rows(request: TrainingRequest) -> tuple[DataSet, DataSet | None, int, list[str]]:
    """Return (training rows, validation rows or None, how many were left out, warnings).

    Raises:
        BadData: there are too few rows, they do not vary, or do not fit the objective.
    """
    settings, warnings = request.settings, list[str]()
    data = joined([read_data(file) for file in request.data])
    _tell_unlabelled(data, warnings)
    _require_fitting(data, settings)
    _require_labels(data, settings)
    if len(data) < _FEWEST_ROWS:
        raise BadData(f"{len(data)} rows are too few to learn from", f"Give at least {_FEWEST_ROWS}.")
    left_out, validation = 0, None
    if request.validation_file is not None:
        validation = read_data(request.validation_file)
        if validation.kind != data.kind:
            raise BadData(
                f"{validation.source} holds {validation.kind}, and the training rows are {data.kind}",
                "Validate on rows of the same kind.",
            )
        _tell_unlabelled(validation, warnings)
        _require_labels(validation, settings)
        kept = without_shared(data, validation)
        left_out, data = len(data) - len(kept), kept
    elif settings.validation:
        data, validation, left_out = split(data, settings.validation, settings.seed)
        _require_labels_held_back(validation, settings)
    if len(data) < _FEWEST_ROWS:
        raise BadData(f"{len(data)} training rows are too few", f"Give at least {_FEWEST_ROWS}.")
    if left_out:
        warnings.append(remark(f"{left_out:,} training rows share a sentence with validation rows and are left out"))
    _require_labels(data, settings)
    data = _to_learn_from(data, settings)
    if validation is not None:
        validation = _to_judge_by(validation, settings, warnings)
    if request.negatives:
        found = with_negatives(data, read_negatives(Path(request.negatives)))
        if len(found) < len(data):
            left = len(data) - len(found)
            warnings.append(remark(f"{left:,} rows have no negative in the library and are left out"))
        data = found
    if settings.batch_size > len(data):
        rows = len(data)
        warnings.append(remark(f"the batch of {settings.batch_size} is larger than the {rows} rows: one step an epoch"))
    return data, validation, left_out, warnings


def _tell_unlabelled(data: DataSet, warnings: list[str]) -> None:
    if data.unlabelled:
        warnings.append(remark(f"{data.unlabelled:,} rows that nobody agreed on (-) are left out"))


def _require_fitting(data: DataSet, settings: TrainingSettings) -> None:
    """Refuse data of a kind that is not learnt from.

    Raises:
        BadData: it is.
        UsageError: the settings do not fit each other.
    """
    is_cross = settings.architecture == "cross"
    if settings.mining == FROM_LIBRARY and (is_cross or FROM_LIBRARY not in MINING_OF.get(settings.objective, ())):
        other = "a cross-encoder" if is_cross else f"the objective {settings.objective}"
        raise UsageError(f"negatives from the library are for triplet and ranking, not for {other}", "Leave it away.")
    fitting = CROSS_KINDS if is_cross else KINDS_OF_OBJECTIVE[settings.objective]
    if data.kind not in fitting:
        learner = "a cross-encoder" if is_cross else f"the objective {settings.objective}"
        raise BadData(
            f"{data.source} holds {data.kind}, and {learner} learns from {', '.join(fitting)}",
            "Choose another --objective, or other data.",
        )


def _takes_partners(settings: TrainingSettings) -> bool:
    """Whether only sentences that belong together are learnt from: labelled rows of other classes are passed over."""
    return settings.architecture == "siamese" and settings.objective in ("ranking", "triplet")


def _belonging(data: DataSet) -> NDArray[np.int64]:
    """Return which labelled rows hold sentences that belong together: int64 [some]."""
    if data.labels is None:
        return np.arange(len(data), dtype=np.int64)
    return np.flatnonzero(data.labels == data.classes.index(_BELONGING[data.kind])).astype(np.int64)


def _require_labels(data: DataSet, settings: TrainingSettings) -> None:
    """Refuse rows whose labels teach nothing, or by which nothing can be judged.

    Raises:
        BadData: they are all alike; of those who learn from partners: there are none.
    """
    if not _takes_partners(settings):
        if data.kind in _BELONGING and settings.architecture == "siamese" and len(_belonging(data)) == len(data):
            raise BadData(
                f"all {len(data)} rows of {data.source} are {_BELONGING[data.kind]!r}",
                "At least two classes are needed; for --objective ranking such pairs alone are enough.",
            )
        data.require_variety()
    elif not len(_belonging(data)):
        wanted = _BELONGING[data.kind]
        raise BadData(
            f"none of the {len(data)} rows of {data.source} is {wanted!r}, and {settings.objective} needs such pairs",
            "Add some, or choose another --objective.",
        )


def _require_labels_held_back(held: DataSet, settings: TrainingSettings) -> None:
    if _takes_partners(settings):
        if not len(_belonging(held)):
            raise BadData(
                f"none of the {len(held)} rows held back to validate is {_BELONGING[held.kind]!r}",
                "Give more rows, a larger --validation share, or --validation 0.",
            )
    elif not held.varies:
        raise BadData(
            f"of the rows held back to validate ({len(held)}) all have the same label",
            "Give more rows, a larger --validation share, or --validation 0.",
        )


def _to_learn_from(data: DataSet, settings: TrainingSettings) -> DataSet:
    """Return what is learnt from: of labelled rows those that belong together, where an objective takes these alone.

    Raises:
        BadData: there are too few of them.
    """
    if not _takes_partners(settings) or data.labels is None:
        return data
    pairs = _as_pairs(data)
    if len(pairs) < _FEWEST_ROWS:
        raise BadData(
            f"{len(pairs)} training rows that are {_BELONGING[data.kind]!r} are too few",
            f"Give at least {_FEWEST_ROWS}.",
        )
    return pairs


def _to_judge_by(held: DataSet, settings: TrainingSettings, warnings: list[str]) -> DataSet:
    """Return what epochs are compared by, where partners alone are learnt from.

    Pairs that are the same or not tell most: how well the two are told apart is judged. Where all of them are the same,
    it is how often a sentence finds its own partner among those of the other rows.
    """
    if not _takes_partners(settings) or held.labels is None or (held.kind == "duplicates" and held.varies):
        return held
    if not held.varies:
        told = remark("all rows held back belong together: epochs are judged by who finds its own partner among them")
        warnings.append(told)
    return _as_pairs(held)


def _as_pairs(data: DataSet) -> DataSet:
    kept = data.take(_belonging(data))
    return DataSet("pairs", ("anchor", "positive"), kept.texts, None, kept.lines, kept.source, kept.digest)
