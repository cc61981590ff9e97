"""Labelled rows in memory: their kinds, their keys, and their division."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from desktop_app.core.errors import BadData
from desktop_app.core.labelled_data import DUPLICATE_LABELS, NLI_LABELS, DataPreview, normalize_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from desktop_app.core.labelled_data import DataKind

_EXAMPLES = 5
_SPLIT_TRIALS = 32


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """Labelled rows.

    Attributes:
        kind: of the rows.
        names: of the columns, texts first.
        texts: two or three columns of texts, each [n].
        labels: float32 [n], 0 to 1, for similarity; int64 [n], classes, for duplicates and inference; else None.
        lines: int64 [n], the line of each row in its file, from 1.
        source: the file.
        digest: SHA-256 of the file, hexadecimal.
        unlabelled: rows of the file that were skipped because the annotators did not agree on a label.
    """

    kind: DataKind
    names: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    labels: NDArray[np.float32] | NDArray[np.int64] | None
    lines: NDArray[np.int64]
    source: str = ""
    digest: str = ""
    unlabelled: int = 0

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes; empty if rows have none."""
        return {"nli": NLI_LABELS, "duplicates": DUPLICATE_LABELS}.get(self.kind, ())

    @property
    def has_variety(self) -> bool:
        """Whether there is more than one class or score, or rows have none."""
        return self.labels is None or len(np.unique(self.labels)) > 1

    def take(self, rows: ArrayLike) -> DataSet:
        """Return some of the rows, in the order given."""
        chosen = np.asarray(rows, np.int64)
        return DataSet(
            self.kind,
            self.names,
            tuple(tuple(column[row] for row in chosen) for column in self.texts),
            None if self.labels is None else self.labels[chosen],
            self.lines[chosen],
            self.source,
            self.digest,
        )

    def require_variety(self) -> None:
        """Refuse rows that cannot be used for training or measuring.

        Raises:
            BadData: all labels are of one class, or all scores are equal.
        """
        if self.has_variety or self.labels is None:
            return
        if self.kind == "similarity":
            raise BadData(
                "All {count} scores of {source} are equal",
                "The scores must differ.",
                count=len(self),
                source=self.source,
            )
        name = self.classes[int(self.labels[0])]
        raise BadData(
            "All {count} rows of {source} are {name!r}",
            "At least two classes are needed.",
            count=len(self),
            source=self.source,
            name=name,
        )


def join_datasets(sets: Sequence[DataSet]) -> DataSet:
    """Return the rows of several files as one data set.

    Raises:
        BadData: they are of different kinds.
    """
    first = sets[0]
    for other in sets[1:]:
        if other.kind != first.kind:
            raise BadData(
                "{source} contains {kind}, but {first_source} contains {first_kind}",
                "Train on one kind at a time, in stages.",
                source=other.source,
                kind=other.kind,
                first_source=first.source,
                first_kind=first.kind,
            )
    if len(sets) == 1:
        return first
    return DataSet(
        first.kind,
        first.names,
        tuple(sum((each.texts[column] for each in sets), ()) for column in range(len(first.texts))),
        None if first.labels is None else np.concatenate([each.labels for each in sets if each.labels is not None]),
        np.concatenate([each.lines for each in sets]),
        ", ".join(each.source for each in sets),
        hashlib.sha256("".join(each.digest for each in sets).encode()).hexdigest(),
        sum(each.unlabelled for each in sets),
    )


def preview_dataset(data: DataSet) -> DataPreview:
    """Return a summary of a file."""
    lengths = np.array([len(text) for column in data.texts for text in column])
    labels, scores = dict[str, int](), None
    if data.classes and data.labels is not None:
        counts = np.bincount(data.labels.astype(np.int64), minlength=len(data.classes))
        labels = dict(zip(data.classes, map(int, counts), strict=True))
    elif data.labels is not None:
        scores = (float(data.labels.min()), float(data.labels.mean()), float(data.labels.max()))
    seen: dict[tuple[str, ...], float] = {}
    repeated = contradicting = 0
    for place, row in enumerate(zip(*data.texts, strict=True)):
        label = 0.0 if data.labels is None else float(data.labels[place])
        if row in seen:
            repeated += 1
            contradicting += seen[row] != label
        else:
            seen[row] = label
    return DataPreview(
        kind=data.kind,
        columns=data.names,
        rows=len(data),
        labels=labels,
        scores=scores,
        sentences=len({text for column in data.texts for text in column}),
        characters=(int(np.median(lengths)), int(np.percentile(lengths, 95)), int(lengths.max())),
        repeated=repeated,
        contradicting=contradicting,
        examples=tuple(_describe_row(data, place) for place in range(min(_EXAMPLES, len(data)))),
        unlabelled=data.unlabelled,
    )


def _describe_row(data: DataSet, place: int) -> tuple[str, ...]:
    """Return the texts of a row, then its class or score if it has one."""
    texts = tuple(column[place] for column in data.texts)
    if data.labels is None:
        return texts
    label = data.labels[place]
    return (*texts, data.classes[int(label)] if data.classes else f"{label:.2f}")


def split_dataset(data: DataSet, share: float, seed: int) -> tuple[DataSet, DataSet, int]:
    """Divide rows into (training, validation, number of skipped rows) so that no sentence is on both sides.

    Sentences that differ only in case, blanks or a final stop are equal: see `normalize_sentence`.

    Rows that share a sentence, directly or through other rows, stay together if possible: such groups are drawn until
    the validation is large enough. If a single group has too much of the data, some of its rows are drawn, and the
    training rows that share a sentence with them are skipped.

    Args:
        data: at least 2 rows.
        share: of the rows, for validation; above 0 and below 1.
        seed: of the random numbers.

    Raises:
        BadData: too few rows to divide.
    """
    groups = _group_rows(data)
    source = np.random.default_rng([seed, len(data)])
    for _ in range(_SPLIT_TRIALS):
        kept, held = _draw_validation_groups(data, groups, max(1, round(share * len(data))), source)
        # With few rows a draw may have only one class; another draw may not.
        if not data.has_variety or all(part.has_variety for part in (kept, held)):
            break
    return kept, held, len(data) - len(kept) - len(held)


def _draw_validation_groups(
    data: DataSet, groups: NDArray[np.int64], wanted: int, source: np.random.Generator
) -> tuple[DataSet, DataSet]:
    order = source.permutation(int(groups.max()) + 1)
    sizes = np.bincount(groups)
    chosen: list[int] = []
    count = 0
    for group in order:
        if count + sizes[group] <= wanted:
            chosen.append(int(group))
            count += int(sizes[group])
    held = np.isin(groups, chosen)
    if count < wanted / 2:
        rest = np.flatnonzero(~held)
        held[source.permutation(rest)[: wanted - count]] = True
    texts = {normalize_sentence(column[row]) for row in np.flatnonzero(held) for column in data.texts}
    kept = np.array([row for row in np.flatnonzero(~held) if not _shares_text(data, int(row), texts)], np.int64)
    if not len(kept) or not held.any():
        raise BadData(
            "{count} rows that share their sentences are too few to split",
            "Add rows, or use a separate validation file (--validation FILE).",
            count=len(data),
        )
    return data.take(kept), data.take(np.flatnonzero(held))


def divide_rows(data: DataSet, count: int, seed: int) -> NDArray[np.int64]:
    """Return the part of each row, of `count` of about the same size: int64 [n], from 0.

    Rows that share a sentence are in one part, unless together they are more than a part.
    """
    groups = _group_rows(data)
    sizes = np.bincount(groups)
    source = np.random.default_rng([seed, len(data)])
    part_of = source.permutation(len(data)) % count
    is_large = sizes > len(data) / count
    filled = np.bincount(part_of[is_large[groups]], minlength=count)
    part_of_group = np.zeros(len(sizes), np.int64)
    for group in source.permutation(np.flatnonzero(~is_large)):
        smallest = int(filled.argmin())
        part_of_group[group] = smallest
        filled[smallest] += sizes[group]
    return np.where(is_large[groups], part_of, part_of_group[groups])


def exclude_shared_sentences(data: DataSet, other: DataSet) -> DataSet:
    """Return the rows that share no sentence with `other`; sentences are compared as in `split_dataset`."""
    texts = {normalize_sentence(text) for column in other.texts for text in column}
    return data.take([row for row in range(len(data)) if not _shares_text(data, row, texts)])


def add_negatives(data: DataSet, found: Mapping[tuple[str, str], str]) -> DataSet:
    """Return triplets: the rows that had a negative, then the rows with the negatives that were found for them.

    Skips pairs without a negative.

    Args:
        data: pairs or triplets.
        found: a negative by anchor and positive.
    """
    negatives = [found.get(pair, "") for pair in zip(data.texts[0], data.texts[1], strict=True)]
    rows = [row for row, negative in enumerate(negatives) if negative]
    kept = data.take(rows)
    texts = (*kept.texts[:2], tuple(negatives[row] for row in rows))
    if data.kind == "triplets":
        texts = tuple(own + more for own, more in zip(data.texts, texts, strict=True))
    lines = np.concatenate([data.lines, kept.lines]) if data.kind == "triplets" else kept.lines
    return DataSet("triplets", ("anchor", "positive", "negative"), texts, None, lines, data.source, data.digest)


def text_keys(data: DataSet) -> list[NDArray[np.int64]]:
    """Return a number for each text of each column: int64 [n]; texts with the same number are no negatives.

    Equal texts have the same number. In pairs and triplets so do texts that belong together, directly or through other
    rows: only some questions of one intent share a row. If that would join more than half of the rows, nothing would
    be left to distinguish, and only equal texts have the same number.
    """
    numbers: dict[str, int] = {}
    keys = [np.array([numbers.setdefault(text, len(numbers)) for text in column], np.int64) for column in data.texts]
    if data.kind not in ("pairs", "triplets"):
        return keys
    leader = list(range(len(numbers)))
    for anchor, positive in zip(keys[0].tolist(), keys[1].tolist(), strict=True):
        leader[_find_leader(leader, anchor)] = _find_leader(leader, positive)
    groups = np.array([_find_leader(leader, number) for number in range(len(leader))], np.int64)
    joint = [groups[column] for column in keys]
    return keys if np.bincount(joint[0]).max() > len(data) / 2 else joint


def _find_leader(leader: list[int], row: int) -> int:
    """Return the representative of a row's group."""
    while leader[row] != row:
        leader[row] = leader[leader[row]]
        row = leader[row]
    return row


def _shares_text(data: DataSet, row: int, texts: set[str]) -> bool:
    return any(normalize_sentence(column[row]) in texts for column in data.texts)


def _group_rows(data: DataSet) -> NDArray[np.int64]:
    """Return the group of each row: int64 [n], from 0; rows that share a sentence are in one group."""
    leader = list(range(len(data)))
    first: dict[str, int] = {}
    for row, texts in enumerate(zip(*data.texts, strict=True)):
        for text in texts:
            leader[_find_leader(leader, row)] = _find_leader(leader, first.setdefault(normalize_sentence(text), row))
    _, groups = np.unique([_find_leader(leader, row) for row in range(len(data))], return_inverse=True)
    return groups.astype(np.int64)
