"""A person's own labels as a data set, written to a file while a training or evaluation needs it.

Labels of pairs and relevance judgements of hits are both two texts that belong together or not.

They hold sentences of documents: a file that stayed would outlive a removed document.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.duplicates import PairLabel
from desktop_app.core.errors import BadData
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile, write_pair_labels
from desktop_app.core.query import parse_query
from desktop_app.core.training import TrainingRequest
from desktop_app.core.training_checkpoints import PAIR_LABELS_FILE
from desktop_app.engine.child_task import write_temporary_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_app.core.library import Library

RequestT = TypeVar("RequestT", DataFile, EvaluationRequest, TrainingRequest)


@contextlib.contextmanager
def with_label_file(request: RequestT, open_library: Callable[[], Library]) -> Iterator[RequestT]:
    """Yield a request in which `marks:` is a file with the person's labels; it is deleted afterwards.

    Raises:
        BadData: there are no labels yet.
    """
    if not _needs_labels(request):
        yield request
        return
    labels = collect_labelled_pairs(open_library())
    if not labels:
        raise BadData(
            "You have not rated any pairs or results yet",
            "Rate pairs in Duplicates, or results of a search, then train.",
        )
    with write_temporary_file(PAIR_LABELS_FILE, lambda place: write_pair_labels(str(place), labels)) as file:
        yield _replace_labels(request, str(file))


def collect_labelled_pairs(library: Library) -> list[PairLabel]:
    """Return the labels of pairs, and those of queries with their hits."""
    judgements = [
        PairLabel(query, each.text, same=each.is_relevant)
        for each in library.user_data.judgements()
        for query in _judged_texts(each.query, each.is_relevant)
    ]
    return [*library.pair_labels.labelled_pairs(), *judgements]


def _judged_texts(query: str, is_relevant: bool) -> list[str]:
    """Return the texts that a judgement is about, without operators, which are not part of a sentence to learn from.

    What is good for any of several queries need not be good for each, and what is not good for all may be for one.
    """
    parsed = parse_query(query)
    if parsed.parts and is_relevant != parsed.is_match_all:
        return []
    return [text for part in parsed.parts or (parsed,) if (text := " ".join(part.like))]


def _needs_labels(request: DataFile | EvaluationRequest | TrainingRequest) -> bool:
    if isinstance(request, DataFile):
        return request.path == PAIR_LABELS
    data = (*request.data, request.validation_file) if isinstance(request, TrainingRequest) else (request.data,)
    return any(file is not None and file.path == PAIR_LABELS for file in data)


def _replace_labels(request: RequestT, path: str) -> RequestT:
    if isinstance(request, DataFile):
        return DataFile(path)
    if isinstance(request, EvaluationRequest):
        return replace(request, data=DataFile(path))
    data = tuple(DataFile(path) if file.path == PAIR_LABELS else file for file in request.data)
    validation = request.validation_file
    return replace(
        request,
        data=data,
        validation_file=DataFile(path) if validation is not None and validation.path == PAIR_LABELS else validation,
    )
