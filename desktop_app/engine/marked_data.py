"""A person's own marks as a data set: written for as long as a training or evaluation needs them, then gone.

Pairs that are the same or not, and hits that answer their query or do not: both are two texts that belong together.

They hold sentences of documents: a file that stayed would outlive a document that is removed.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.errors import BadData
from desktop_app.core.evaluations import EvaluationRequest
from desktop_app.core.insight import PairMark
from desktop_app.core.labelled_data import MARKS, DataFile
from desktop_app.core.pair_files import write_marks
from desktop_app.core.query import understand
from desktop_app.core.training import TrainingRequest
from desktop_app.core.unfinished import MARKS_FILE
from desktop_app.engine.passing import passed_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_app.core.library_ports import Library

Asked = TypeVar("Asked", DataFile, EvaluationRequest, TrainingRequest)


@contextlib.contextmanager
def with_marks(asked: Asked, open_library: Callable[[], Library]) -> Iterator[Asked]:
    """Yield a request in which `marks:` is a file with what the person has said of pairs; it goes at the end.

    Raises:
        BadData: nothing was said yet.
    """
    if not _wants(asked):
        yield asked
        return
    marks = own_marks(open_library())
    if not marks:
        raise BadData(
            "you have not said of any pair whether it means the same, nor of any hit whether it is relevant",
            "Mark pairs in the Pairs pane, or hits of a search, then train.",
        )
    with passed_on(MARKS_FILE, lambda place: write_marks(str(place), marks)) as file:
        yield _placed(asked, str(file))


def own_marks(library: Library) -> list[PairMark]:
    """Return what the person has said of pairs, and of queries and their hits."""
    judged = [
        PairMark(asked, each.text, same=each.is_relevant)
        for each in library.keeping.judgements()
        if (asked := _asked(each.query))
    ]
    return [*library.marks.judged(), *judged]


def _asked(query: str) -> str:
    """Return what a query looks for: its operators are no part of a sentence that one could learn from."""
    return " ".join(understand(query).like)


def _wants(asked: DataFile | EvaluationRequest | TrainingRequest) -> bool:
    if isinstance(asked, DataFile):
        return asked.path == MARKS
    data = (*asked.data, asked.validation_file) if isinstance(asked, TrainingRequest) else (asked.data,)
    return any(file is not None and file.path == MARKS for file in data)


def _placed(asked: Asked, path: str) -> Asked:
    if isinstance(asked, DataFile):
        return DataFile(path)
    if isinstance(asked, EvaluationRequest):
        return replace(asked, data=DataFile(path))
    data = tuple(DataFile(path) if file.path == MARKS else file for file in asked.data)
    held = asked.validation_file
    return replace(
        asked, data=data, validation_file=DataFile(path) if held is not None and held.path == MARKS else held
    )
