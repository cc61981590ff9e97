"""Prepares the rows of a training: reads, checks and splits them into training and validation rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import BadData, UsageError
from desktop_app.core.messages import Message
from desktop_app.core.objectives import FROM_LIBRARY, OBJECTIVES
from desktop_app.core.score_intervals import ROWS_FOR_VERDICT
from desktop_app.core.training import read_negatives
from desktop_app.encoder.datasets.dataset import (
    DataSet,
    add_negatives,
    exclude_shared_sentences,
    join_datasets,
    split_dataset,
)
from desktop_app.encoder.datasets.labelled_files import read_labelled_file
from desktop_app.encoder.training.cross_encoder import CROSS_ENCODER_KINDS as CROSS_KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_app.core.training import TrainingRequest
    from desktop_app.core.training_settings import TrainingSettings

_MIN_ROWS = 4
_POSITIVE_LABELS = {"duplicates": "same", "nli": "entailment"}
"""The class of rows with two sentences that belong together."""


def read_training_rows(request: TrainingRequest) -> tuple[DataSet, DataSet | None, int, list[Message]]:
    """Return (training rows, validation rows or None, number of skipped rows, warnings).

    Raises:
        BadData: there are too few rows, they do not vary, or do not fit the objective.
    """
    settings, warnings = request.settings, list[Message]()
    data = join_datasets([read_labelled_file(file) for file in request.data])
    _warn_of_unlabelled(data, warnings)
    _require_matching_kind(data, settings)
    _require_labels(data, settings)
    if len(data) < _MIN_ROWS:
        raise BadData(
            "{count} rows are too few to learn from",
            "At least {min_rows} are needed.",
            count=len(data),
            min_rows=_MIN_ROWS,
        )
    left_out, validation = 0, None
    if request.validation_file is not None:
        validation = read_labelled_file(request.validation_file)
        if validation.kind != data.kind:
            raise BadData(
                "{source} contains {kind}, but the training rows are {data_kind}",
                "Validate on rows of the same kind.",
                source=validation.source,
                kind=validation.kind,
                data_kind=data.kind,
            )
        _warn_of_unlabelled(validation, warnings)
        _require_labels(validation, settings)
        kept = exclude_shared_sentences(data, validation)
        left_out, data = len(data) - len(kept), kept
    elif settings.validation:
        data, validation, left_out = split_dataset(data, settings.validation, settings.seed)
        _require_validation_labels(validation, settings)
    if len(data) < _MIN_ROWS:
        raise BadData(
            "{count} training rows are too few", "At least {min_rows} are needed.", count=len(data), min_rows=_MIN_ROWS
        )
    if left_out:
        warnings.append(
            Message(
                "training rows skipped because a sentence is also in the validation rows: {left_out:,}",
                code="rows_shared",
                left_out=left_out,
            )
        )
    _require_labels(data, settings)
    data = _select_training_rows(data, settings)
    if validation is not None:
        validation = _select_validation_rows(validation, settings, warnings)
        if len(validation) < ROWS_FOR_VERDICT:
            warnings.append(
                Message(
                    "with {rows} validation rows, only a large difference shows whether training helped; use at "
                    "least {enough}, or a separate validation file",
                    code="validation_too_small",
                    rows=len(validation),
                    enough=ROWS_FOR_VERDICT,
                )
            )
    if request.negatives:
        found = add_negatives(data, read_negatives(Path(request.negatives)))
        if len(found) < len(data):
            left = len(data) - len(found)
            warnings.append(
                Message(
                    "{left:,} rows have no negative in the library and are skipped",
                    code="rows_without_negative",
                    left=left,
                )
            )
        data = found
    if settings.batch_size > len(data):
        rows = len(data)
        warnings.append(
            Message(
                "the batch of {batch_size} is larger than the {rows} rows: one step per epoch",
                code="batch_too_large",
                batch_size=settings.batch_size,
                rows=rows,
            )
        )
    return data, validation, left_out, warnings


def _warn_of_unlabelled(data: DataSet, warnings: list[Message]) -> None:
    if data.unlabelled:
        warnings.append(
            Message(
                "{unlabelled:,} rows without an agreed label (-) are skipped",
                code="rows_unlabelled",
                unlabelled=data.unlabelled,
            )
        )


def _require_matching_kind(data: DataSet, settings: TrainingSettings) -> None:
    """Refuse data of a kind that the objective cannot use.

    Raises:
        BadData: the kind does not fit.
        UsageError: the settings do not fit each other.
    """
    is_cross = settings.architecture == "cross"
    if settings.mining == FROM_LIBRARY and (is_cross or FROM_LIBRARY not in OBJECTIVES[settings.objective].mining):
        raise UsageError(
            "Negatives from the library work with triplet and ranking, not with a cross-encoder"
            if is_cross
            else "Negatives from the library work with triplet and ranking, not with the objective {objective}",
            "Omit --mining library.",
            objective=settings.objective,
        )
    fitting = CROSS_KINDS if is_cross else OBJECTIVES[settings.objective].kinds
    if data.kind not in fitting:
        raise BadData(
            "{source} contains {kind}, but a cross-encoder needs {fitting}"
            if is_cross
            else "{source} contains {kind}, but the objective {objective} needs {fitting}",
            "Choose another --objective, or other data.",
            source=data.source,
            kind=data.kind,
            objective=settings.objective,
            fitting=", ".join(fitting),
        )


def _uses_positive_pairs_only(settings: TrainingSettings) -> bool:
    """Return whether only sentences that belong together are used: then labelled rows of other classes are skipped."""
    return settings.architecture == "siamese" and OBJECTIVES[settings.objective].learns_from_partners


def _find_positive_rows(data: DataSet) -> NDArray[np.int64]:
    """Return the rows with sentences that belong together: int64 [some]."""
    if data.labels is None:
        return np.arange(len(data), dtype=np.int64)
    return np.flatnonzero(data.labels == data.classes.index(_POSITIVE_LABELS[data.kind])).astype(np.int64)


def _require_labels(data: DataSet, settings: TrainingSettings) -> None:
    """Refuse rows with labels that teach nothing, or cannot be used for an evaluation.

    Raises:
        BadData: all labels are equal; or, for objectives that learn from partners, there are no partners.
    """
    if not _uses_positive_pairs_only(settings):
        if (
            data.kind in _POSITIVE_LABELS
            and settings.architecture == "siamese"
            and len(_find_positive_rows(data)) == len(data)
        ):
            raise BadData(
                "All {count} rows of {source} are {positive_labels!r}",
                "At least two classes are needed; for --objective ranking such pairs alone are enough.",
                count=len(data),
                source=data.source,
                positive_labels=_POSITIVE_LABELS[data.kind],
            )
        data.require_variety()
    elif not len(_find_positive_rows(data)):
        wanted = _POSITIVE_LABELS[data.kind]
        raise BadData(
            "None of the {count} rows of {source} is {wanted!r}, but {objective} needs such pairs",
            "Add some, or choose another --objective.",
            count=len(data),
            source=data.source,
            wanted=wanted,
            objective=settings.objective,
        )


def _require_validation_labels(held: DataSet, settings: TrainingSettings) -> None:
    if _uses_positive_pairs_only(settings):
        if not len(_find_positive_rows(held)):
            raise BadData(
                "None of the {count} validation rows is {positive_labels!r}",
                "Use more rows, a larger --validation share, or --validation 0.",
                count=len(held),
                positive_labels=_POSITIVE_LABELS[held.kind],
            )
    elif not held.has_variety:
        raise BadData(
            "All {count} validation rows have the same label",
            "Use more rows, a larger --validation share, or --validation 0.",
            count=len(held),
        )


def _select_training_rows(data: DataSet, settings: TrainingSettings) -> DataSet:
    """Return the training rows: only those that belong together, if the objective learns from partners.

    Raises:
        BadData: there are too few of them.
    """
    if not _uses_positive_pairs_only(settings) or data.labels is None:
        return data
    pairs = _to_pairs(data)
    if len(pairs) < _MIN_ROWS:
        raise BadData(
            "{count} training rows that are {positive_labels!r} are too few",
            "At least {min_rows} are needed.",
            count=len(pairs),
            positive_labels=_POSITIVE_LABELS[data.kind],
            min_rows=_MIN_ROWS,
        )
    return pairs


def _select_validation_rows(held: DataSet, settings: TrainingSettings, warnings: list[Message]) -> DataSet:
    """Return the rows for the comparison of epochs, if the objective learns from partners.

    Pairs that are the same or different say most: epochs are compared by how well they are distinguished. If all are
    the same, epochs are compared by how often a sentence finds its own partner among those of the other rows.
    """
    if (
        not _uses_positive_pairs_only(settings)
        or held.labels is None
        or (held.kind == "duplicates" and held.has_variety)
    ):
        return held
    if not held.has_variety:
        warning = Message(
            "all validation rows are positive pairs: epochs are compared by how often a sentence finds its partner",
            code="validation_one_class",
        )
        warnings.append(warning)
    return _to_pairs(held)


def _to_pairs(data: DataSet) -> DataSet:
    kept = data.take(_find_positive_rows(data))
    return DataSet("pairs", ("anchor", "positive"), kept.texts, None, kept.lines, kept.source, kept.digest)
