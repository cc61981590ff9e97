"""Finds passages that occur in several places: runs of sentences that were copied, exactly or nearly.

Two copies of a sentence are a point (place, place). A copied passage is a chain of points that rise together; a
sentence that was skipped, inserted or rewritten leaves a gap in it. The chains are found by dynamic programming over
the points, so that the work grows with the number of copied sentences and not with the number of sentences.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel

from desktop_app.analysis.duplicates import MIN_OVERLAP
from desktop_app.analysis.word_comparison import LETTER

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from desktop_app.core.arrays import Ids
    from desktop_app.core.duplicates import PairsPlace

    Aligned = list[tuple[int | None, int | None]]

COPY_COSINE = 0.85
"""Cosine from which two sentences may be copies of each other; their words decide."""

_MAX_GAP = 2
"""Sentences between two copied ones that belong to the passage nevertheless."""

_STEPS = sorted(
    ((i, j) for i in range(1, _MAX_GAP + 2) for j in range(1, _MAX_GAP + 2)), key=lambda step: (sum(step), step)
)
_GAP_PENALTY = 0.1
_MAX_DISTANCE = 12
"""How far two copied sentences of a passage may be from each other in their document, with headings, exclamations and
rows of tables: a form has the same words above and below a long table."""
_NEXT_PLACES = 6
"""With how many further places of the same sentence each place is joined: enough for all pairs of seven copies. Of
more, each is joined with the next ones, which connects them too."""

_MIN_SHARED = 0.7
"""Share of two stretches of one document that belongs to both, from which they are one place of a passage."""

_MOSTLY = 0.9
"""Share of a passage that the repetitions of another one in it cover, from which it is only that."""

_MIN_ALIGNED = 0.5
"""Share of common words from which two sentences of a passage are beside each other."""

_MIN_CONTINUED_WORDS = 4
"""Words that must follow alike for a passage to go on with them."""

_POINTS_PER_STEP, _GROUPS_PER_STEP = 2000, 50
_MAX_ALIGNED_CELLS, _BAND = 40_000, 12
"""Larger gaps between equal sentences are aligned only near their diagonal."""

_WORD = re.compile(rf"{LETTER}+")


@dataclass(frozen=True, slots=True)
class PassageRange:
    """A stretch of the sentences in reading order: the rows from `first` to `last`, both included, of one document."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __contains__(self, other: PassageRange) -> bool:
        return self.first <= other.first and other.last <= self.last


def find_repeated_passages(
    places: Ids, copies: Ids, *, where: PairsPlace, min_sentences: int, touching: frozenset[int] | None = None
) -> Generator[None, None, list[list[PassageRange]]]:
    """Return the places of each repeated passage, in reading order; the passage with the most sentences first.

    Args:
        places: int64 [m, 3], (sentence id, document id, ordinal) of all sentences, in reading order.
        copies: int64 [n, 2], ids of different sentences that are nearly the same.
        where: the places are in two documents, in one, or either.
        min_sentences: the least number of copied sentences.
        touching: only passages with a place in one of these documents; None for all.
    """
    documents = places[:, 1]
    points = yield from _collect_points(places, copies, where, touching)
    chains = yield from _chain_points(points, documents, places[:, 2])
    ranges: list[tuple[PassageRange, PassageRange]] = []
    for number, chain in enumerate(chains):
        for part in _split_overlapping(points[chain].tolist()):
            one, other = PassageRange(part[0][0], part[-1][0]), PassageRange(part[0][1], part[-1][1])
            if len(part) >= min_sentences and len(part) * 2 >= max(len(one), len(other)):
                ranges.append((one, other))
        if number % _POINTS_PER_STEP == 0:
            yield
    yield
    groups = yield from _group_ranges(ranges)
    if touching is not None:
        groups = [each for each in groups if any(int(documents[place.first]) in touching for place in each)]
    return (yield from _keep_longest(groups))


def _collect_points(
    places: Ids, copies: Ids, where: PairsPlace, touching: frozenset[int] | None
) -> Generator[None, None, Ids]:
    """Return the pairs of rows with copies of a sentence: int64 [n, 2], ascending, the first row before the second.

    Args:
        places: as in `find_repeated_passages`.
        copies: of sentences.
        where: the rows are in two documents, in one, or either.
        touching: only sentences that one of these documents has, or a copy of; None for all. Pairs in other documents
            belong to it: a place that is not joined with one in these documents is found through them.
    """
    order = np.argsort(places[:, 0], kind="stable")
    ascending = places[order, 0]
    yield
    found: list[Ids] = []
    rows: Ids = np.arange(len(order))
    before, after = rows - 1, rows + 1
    if where == "across" and len(order):
        # Places in the same document do not count: of a sentence that it has ten times they would be all the next ones.
        owners = places[order, 1]
        is_first = np.r_[True, (ascending[1:] != ascending[:-1]) | (owners[1:] != owners[:-1])]
        firsts = np.flatnonzero(is_first)
        group = np.cumsum(is_first) - 1
        before, after = firsts[group] - 1, np.r_[firsts[1:], len(order)][group]
    for others in (before, *(after + ahead for ahead in range(_NEXT_PLACES))):
        at = np.flatnonzero((others >= 0) & (others < len(order)))
        at = at[ascending[at] == ascending[others[at]]]
        found.append(np.sort(np.stack([order[at], order[others[at]]], axis=1), axis=1))
        yield
    starts = np.searchsorted(ascending, copies, "left")
    stops = np.searchsorted(ascending, copies, "right")
    yield
    near: list[tuple[int, int]] = []
    for number, ((a, b), (end_a, end_b)) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        rows_a, rows_b = order[a : min(end_a, a + _NEXT_PLACES)], order[b : min(end_b, b + _NEXT_PLACES)]
        near += [(min(x, y), max(x, y)) for x in rows_a.tolist() for y in rows_b.tolist()]
        if number % _POINTS_PER_STEP == 0:
            yield
    points = np.concatenate([*found, np.array(near, np.int64).reshape(-1, 2)])
    documents = places[:, 1][points]
    if where != "anywhere":
        points = points[(documents[:, 0] == documents[:, 1]) == (where == "within")]
    if touching is not None:
        own = places[np.isin(places[:, 1], np.fromiter(touching, np.int64, len(touching))), 0]
        yield
        own = np.union1d(own, copies[np.isin(copies, own).any(axis=1)])
        points = points[np.isin(places[:, 0], own)[points].all(axis=1)]
    yield
    ordered = np.unique(points[:, 0] * len(places) + points[:, 1])  # as one number each: that sorts ten times as fast
    yield
    return np.stack([ordered // max(len(places), 1), ordered % max(len(places), 1)], axis=1)


def _chain_points(points: Ids, documents: Ids, ordinals: Ids) -> Generator[None, None, list[list[int]]]:
    """Return chains of points, as their rows, ascending; each point is in one chain, the longest chains first."""
    scores = np.ones(len(points))
    back = np.full(len(points), -1, np.int64)
    row_of: dict[tuple[int, int], int] = {}
    for row, (p, q) in enumerate(points.tolist()):
        best, before = 0.0, -1
        for i, j in _STEPS:
            earlier = row_of.get((p - i, q - j))
            if earlier is None or documents[p - i] != documents[p] or documents[q - j] != documents[q]:
                continue
            if max(ordinals[p] - ordinals[p - i], ordinals[q] - ordinals[q - j]) > _MAX_DISTANCE:
                continue
            score = scores[earlier] - _GAP_PENALTY * (i + j - 2)
            if score > best:
                best, before = score, earlier
        scores[row] += best
        back[row] = before
        row_of[p, q] = row
        if row % _POINTS_PER_STEP == 0:
            yield
    taken = np.zeros(len(points), np.bool_)
    chains: list[list[int]] = []
    for number, end in enumerate(np.argsort(-scores, kind="stable").tolist()):
        chain = []
        at = end
        while at >= 0 and not taken[at]:
            taken[at] = True
            chain.append(at)
            at = int(back[at])
        if len(chain) > 1:
            chains.append(chain[::-1])
        if number % _POINTS_PER_STEP == 0:
            yield
    return chains


def _split_overlapping(chain: Sequence[Sequence[int]]) -> list[list[Sequence[int]]]:
    """Return the parts of a chain in which the first copy ends before the second begins.

    A text that is repeated many times in a row is near to itself at the distance of one repetition, all along.
    """
    parts: list[list[Sequence[int]]] = [[]]
    for point in chain:
        if parts[-1] and point[0] >= parts[-1][0][1]:
            parts.append([])
        parts[-1].append(point)
    return parts


def _group_ranges(
    ranges: Sequence[tuple[PassageRange, PassageRange]],
) -> Generator[None, None, list[list[PassageRange]]]:
    """Return the places of each passage: pairs with a place in common belong together."""
    every = sorted({each for pair in ranges for each in pair}, key=lambda each: (each.first, each.last))
    yield
    place: dict[PassageRange, PassageRange] = {}
    group: list[PassageRange] = []
    for number, each in enumerate(every):
        if number % _POINTS_PER_STEP == 0:
            yield
        # Documents do not share rows, so neither do places in two of them.
        if not group or _shared(group, each) < _MIN_SHARED:
            group = []
        group.append(each)
        place[each] = group[0]
    leader = {each: each for each in set(place.values())}

    def find(each: PassageRange) -> PassageRange:
        while leader[each] != each:
            leader[each] = leader[leader[each]]
            each = leader[each]
        return each

    for number, (one, other) in enumerate(ranges):
        if number % _POINTS_PER_STEP == 0:
            yield
        leader[find(place[one])] = find(place[other])
    extent: dict[PassageRange, PassageRange] = {}
    for each in every:
        own = extent.get(place[each], each)
        extent[place[each]] = PassageRange(min(own.first, each.first), max(own.last, each.last))
    yield
    groups: dict[PassageRange, list[PassageRange]] = {}
    for first, whole in extent.items():
        groups.setdefault(find(first), []).append(whole)
    yield
    joined = [_join_overlapping(found) for found in groups.values()]
    yield
    return [found for found in joined if len(found) > 1]


def _join_overlapping(group: Sequence[PassageRange]) -> list[PassageRange]:
    """Return places of one passage, those that overlap as one."""
    joined: list[PassageRange] = []
    for each in sorted(group, key=lambda each: each.first):
        if joined and each.first <= joined[-1].last:
            joined[-1] = PassageRange(joined[-1].first, max(joined[-1].last, each.last))
        else:
            joined.append(each)
    return joined


def _shared(group: Sequence[PassageRange], other: PassageRange) -> float:
    first, last = group[0].first, max(each.last for each in group)
    both = min(last, other.last) - max(first, other.first) + 1
    return both / (max(last, other.last) - min(first, other.first) + 1)


def _keep_longest(groups: Sequence[list[PassageRange]]) -> Generator[None, None, list[list[PassageRange]]]:
    """Return passages without those that lie in a longer one at all of their places, the longest first.

    And without those that are themselves a passage several times in a row.
    """
    starting: dict[int, list[list[PassageRange]]] = {}
    for group in groups:
        for each in group:
            starting.setdefault(each.first, []).append(group)
    single: list[list[PassageRange]] = []
    for number, group in enumerate(groups):
        if number % _GROUPS_PER_STEP == 0:
            yield
        if not any(_repeats(group, other) for other in starting[group[0].first] if other is not group):
            single.append(group)
    kept: list[list[PassageRange]] = []
    holders: dict[int, set[int]] = {}  # by row: the kept passages there
    for number, group in enumerate(sorted(single, key=lambda each: (-max(map(len, each)), each[0].first))):
        if number % _GROUPS_PER_STEP == 0:
            yield
        around = set.intersection(*(holders.get(each.first, set()) for each in group))
        if any(all(any(each in whole for whole in kept[number]) for each in group) for number in around):
            continue
        for each in group:
            for row in range(each.first, each.last + 1):
                holders.setdefault(row, set()).add(len(kept))
        kept.append(sorted(group, key=lambda each: each.first))
    return kept


def _repeats(group: Sequence[PassageRange], other: Sequence[PassageRange]) -> bool:
    """Return whether each place of a passage consists of several places of the other."""
    for each in group:
        inside = [len(part) for part in other if part in each]
        if len(inside) < 2 or sum(inside) < _MOSTLY * len(each):
            return False
    return True


def align_passages(a: Sequence[str], b: Sequence[str]) -> Aligned:
    """Return which sentences of two copies of a passage correspond: (row of `a`, row of `b`), in order.

    Equal sentences first; between them those with mostly the same words. A row is None beside a sentence that the other
    copy does not have.
    """
    words_a, words_b = [_words(text) for text in a], [_words(text) for text in b]
    joined: list[tuple[int, int]] = []
    start_a = start_b = 0
    for step in [*Indel.opcodes([" ".join(w) for w in words_a], [" ".join(w) for w in words_b]), None]:
        if step is not None and step.tag != "equal":
            continue
        stop_a, stop_b = (step.src_start, step.dest_start) if step is not None else (len(a), len(b))
        joined += _align_near(words_a, words_b, range(start_a, stop_a), range(start_b, stop_b))
        if step is not None:
            joined += zip(range(step.src_start, step.src_end), range(step.dest_start, step.dest_end), strict=True)
            start_a, start_b = step.src_end, step.dest_end
    rows: Aligned = []
    at_a = at_b = 0
    for row_a, row_b in [*joined, (len(a), len(b))]:
        rows += [(row, None) for row in range(at_a, row_a)] + [(None, row) for row in range(at_b, row_b)]
        rows.append((row_a, row_b))
        at_a, at_b = row_a + 1, row_b + 1
    return rows[:-1]


def _align_near(
    words_a: Sequence[list[str]], words_b: Sequence[list[str]], rows_a: range, rows_b: range
) -> list[tuple[int, int]]:
    """Return which of these rows have mostly the same words, without crossing and with the most words in common."""
    n, m = len(rows_a), len(rows_b)
    if not n or not m:
        return []
    is_banded = n * m > _MAX_ALIGNED_CELLS
    best = np.zeros((n + 1, m + 1), np.float32)
    for i in range(n):
        near = np.zeros(m, np.float32)
        middle = i * m // n
        low, high = (max(0, middle - _BAND), min(m, middle + _BAND + 1)) if is_banded else (0, m)
        for j in range(low, high):
            overlap = Indel.normalized_similarity(words_a[rows_a[i]], words_b[rows_b[j]], score_cutoff=_MIN_ALIGNED)
            near[j] = overlap
        candidate = best[i].copy()
        candidate[1:] = np.maximum(candidate[1:], np.where(near > 0, best[i, :-1] + near, 0))
        best[i + 1] = np.maximum.accumulate(candidate)
    found = []
    i, j = n, m
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            found.append((rows_a[i], rows_b[j]))
    return found[::-1]


def count_continued(neighbours: Sequence[Sequence[str]], *, backwards: bool = False) -> list[int]:
    """Return how many of the sentences next to the places of a passage belong to it, too, word for word.

    Where a text has two sentences and its copy one, neither is a copy of the other, and the passage ends before them.
    A sentence belongs to it as soon as a place has all of its words, and the others the same words there.

    Args:
        neighbours: for each place, the sentences after it, or before it, the nearest first.
        backwards: whether they are before it.
    """
    words = [[_words(text)[:: -1 if backwards else 1] for text in texts] for texts in neighbours]
    columns = zip(*([word for sentence in each for word in sentence] for each in words), strict=False)
    equal = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    ends = [list(accumulate(map(len, each))) for each in words]
    reached = max((end for each in ends for end in each if _MIN_CONTINUED_WORDS <= end <= equal), default=0)
    return [bisect_left(each, reached) + 1 if reached else 0 for each in ends]


def measure_overlap(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the share of words, in order, that two passages have in common: 0 to 1."""
    words_a, words_b = ([word for text in texts for word in _words(text)] for texts in (a, b))
    return float(Indel.normalized_similarity(words_a, words_b))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def are_copies(a: str, b: str) -> bool:
    """Return whether two sentences have mostly the same words."""
    return bool(Indel.normalized_similarity(_words(a), _words(b), score_cutoff=MIN_OVERLAP) > 0)
