"""A person's own labels as a data set, written to a file while a training or evaluation needs it.

Pairs that are the same or not, and hits that answer their query or do not: both are two texts that belong together.

They hold sentences of documents: a file that stayed would outlive a document that is removed.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.duplicates import PairLabel
from desktop_app.core.errors import BadData
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile
from desktop_app.core.pair_files import write_pair_labels
from desktop_app.core.query import parse_query
from desktop_app.core.training import TrainingRequest
from desktop_app.core.training_checkpoints import PAIR_LABELS_FILE
from desktop_app.engine.temporary_file import write_temporary_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_app.core.library import Library

RequestT = TypeVar("RequestT", DataFile, EvaluationRequest, TrainingRequest)


@contextlib.contextmanager
def with_label_file(asked: RequestT, open_library: Callable[[], Library]) -> Iterator[RequestT]:
    """Yield a request in which `marks:` is a file with what the person has said of pairs; it goes at the end.

    Raises:
        BadData: nothing was said yet.
    """
    if not _needs_marks(asked):
        yield asked
        return
    marks = collect_labelled_pairs(open_library())
    if not marks:
        raise BadData(
            "you have not said of any pair whether it means the same, nor of any hit whether it is relevant",
            "Mark pairs in the Pairs pane, or hits of a search, then train.",
        )
    with write_temporary_file(PAIR_LABELS_FILE, lambda place: write_pair_labels(str(place), marks)) as file:
        yield _replace_marks(asked, str(file))


def collect_labelled_pairs(library: Library) -> list[PairLabel]:
    """Return what the person has said of pairs, and of queries and their hits."""
    judged = [
        PairLabel(asked, each.text, same=each.is_relevant)
        for each in library.user_data.judgements()
        if (asked := _searched_text(each.query))
    ]
    return [*library.marks.judged(), *judged]


def _searched_text(query: str) -> str:
    """Return what a query looks for: its operators are no part of a sentence that one could learn from."""
    return " ".join(parse_query(query).like)


def _needs_marks(asked: DataFile | EvaluationRequest | TrainingRequest) -> bool:
    if isinstance(asked, DataFile):
        return asked.path == PAIR_LABELS
    data = (*asked.data, asked.validation_file) if isinstance(asked, TrainingRequest) else (asked.data,)
    return any(file is not None and file.path == PAIR_LABELS for file in data)


def _replace_marks(asked: RequestT, path: str) -> RequestT:
    if isinstance(asked, DataFile):
        return DataFile(path)
    if isinstance(asked, EvaluationRequest):
        return replace(asked, data=DataFile(path))
    data = tuple(DataFile(path) if file.path == PAIR_LABELS else file for file in asked.data)
    held = asked.validation_file
    return replace(
        asked, data=data, validation_file=DataFile(path) if held is not None and held.path == PAIR_LABELS else held
    )
