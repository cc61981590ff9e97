"""The pairs of a library, best first, as far as somebody has looked: more of them are found when they are wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop_app.analysis.differences import differences
from desktop_app.analysis.paraphrases import candidates, is_unknown, kind_of, skeleton
from desktop_app.core.badges import badges
from desktop_app.core.insight import Pair
from desktop_app.core.jobs import Progress
from desktop_app.engine.graphs import fingerprint_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.analysis.neighbours import NeighbourGraph
    from desktop_app.analysis.paraphrases import Candidate, Standing
    from desktop_app.core.insight import PairKind, PairMark, PairsRequest
    from desktop_app.core.jobs import Steps
    from desktop_app.core.library_ports import Library
    from desktop_app.core.records import Hit

_AT_ONCE = 60  # candidates that are looked at in one step
_ROWS_AT_ONCE = 25
_HIDDEN = -1  # the row of a pair that is not listed itself
_UNFOLDED_AT_MOST = 500
_PLACES_AT_MOST = 100


@dataclass(frozen=True, slots=True)
class _Found:
    """A pair before its rows are read; `row` is its place in what is folded."""

    candidate: Candidate
    row: int
    kind: PairKind
    a: str
    b: str
    mark: PairMark | None


class PairListing:
    """Pairs that were found for one request; belongs to the engine's thread.

    Of pairs that differ from each other in numbers only, the first is listed and the others are counted: running
    heads, table rows and boilerplate would otherwise fill the list. Reviewed ones that are not wanted hide theirs.

    With `can_unfold` it remembers the others too, as far as they can be shown; their texts are read when they are.
    """

    def __init__(
        self,
        request: PairsRequest,
        graph: NeighbourGraph,
        standing: Standing,
        calibration: Calibration | None,
        fingerprint: str,
        *,
        can_unfold: bool = True,
    ) -> None:
        self.request = request
        self._fingerprint = fingerprint  # of the model whose graph it is
        self._standing = standing
        self._calibration = calibration
        self._candidates = candidates(
            graph,
            standing,
            across_documents=request.across_documents,
            min_score=request.min_score,
            max_score=request.max_score,
            touching=request.touching,
        )
        self._looking_at: list[Candidate] = []  # kept here, for a job that is cancelled goes on with the next
        self._looked_at = 0
        self._waiting: list[_Found] = []
        self._ready: list[tuple[int, Pair]] = []
        self._rows: dict[tuple[str, str], int] = {}
        self._folded: list[int] = []
        self._most_folds = _UNFOLDED_AT_MOST if can_unfold else 0
        self._folds: list[list[Candidate]] = []  # what was folded into each, as far as it can be shown
        self._listed: list[int] = []  # the place in `_folded` of each pair that was handed out
        self._is_exhausted = False

    @property
    def is_complete(self) -> bool:
        """Whether there are no more pairs."""
        return self._is_exhausted and not self._waiting and not self._ready

    @property
    def folded(self) -> tuple[int, ...]:
        """For every pair that was handed out, how many more there are that differ in numbers only."""
        return tuple(self._folded[row] for row in self._listed)

    def newest(self, pairs: Sequence[Pair], first: int = 0) -> tuple[Pair, ...]:
        """Return pairs of the list, from its place `first` on, with what was folded into them since."""
        rows = self._listed[first : first + len(pairs)]
        return tuple(replace(pair, folded=self._folded[row]) for pair, row in zip(pairs, rows, strict=True))

    def more(self, library: Library, count: int) -> Steps[list[Pair]]:
        """Return up to `count` further pairs; fewer when there are no more. What a cancelled call has read stays.

        A library that has got another model has no more of them: they are found anew with that one.
        """
        if fingerprint_of(library) != self._fingerprint:
            self._is_exhausted, self._waiting, self._ready = True, [], []
        while len(self._ready) < count:
            yield from self._find(library, count - len(self._ready))
            if not self._waiting:
                break
            many = min(_ROWS_AT_ONCE, count - len(self._ready))
            some, self._waiting = self._waiting[:many], self._waiting[many:]
            self._ready += self._with_rows(library, some)
            yield None
        pairs, self._ready = self._ready[:count], self._ready[count:]
        self._listed += [row for row, _ in pairs]
        return [pair for _, pair in pairs]

    def unfolded(self, library: Library, place: int) -> Steps[list[Pair]]:
        """Return the pairs that were folded into one, by its place among those handed out; of very many the best."""
        row = self._listed[place]
        pairs: list[Pair] = []
        folds = self._folds[row]
        for top in range(0, len(folds), _ROWS_AT_ONCE):
            some = [
                _Found(pair, row, kind_of(a, b), a, b, mark)
                for pair, a, b, mark in _with_texts(library, folds[top : top + _ROWS_AT_ONCE])
            ]
            pairs += [replace(pair, folded=0) for _, pair in self._with_rows(library, some)]
            yield Progress("looking", len(pairs), self._folded[row], "pairs")
        return pairs

    def places(self, library: Library, sentence_id: int) -> Steps[list[Hit]]:
        """Return the first place of a sentence in each document that it stands in, in reading order."""
        first = {document: (document, ordinal) for document, ordinal in reversed(self._standing.places(sentence_id))}
        yield None
        wanted = sorted(first.values())[:_PLACES_AT_MOST]
        hits = library.material.hits_at([(*place, 1.0) for place in wanted])
        return [hit for hit in hits if hit is not None]

    def _find(self, library: Library, count: int) -> Steps[None]:
        """Look at candidates until so many pairs wait to be read, or there are no more."""
        while len(self._waiting) < count and not self._is_exhausted:
            for candidate in self._candidates:
                if candidate is None:
                    yield None
                else:
                    self._looking_at.append(candidate)
                    if len(self._looking_at) == _AT_ONCE:
                        break
            else:
                self._is_exhausted = True
            some, self._looking_at = self._looking_at, []
            for pair, a, b, mark in _with_texts(library, some):
                self._take(pair, a, b, mark)
            self._looked_at += len(some)
            yield Progress("looking", self._looked_at, None, "pairs")

    def _take(self, pair: Candidate, a: str, b: str, mark: PairMark | None) -> None:
        kind = kind_of(a, b)
        if self.request.kind not in (None, kind) or is_unknown(kind, pair.score):
            return
        first, second = sorted((skeleton(a), skeleton(b)))
        known = self._rows.get((first, second))
        is_done = self.request.unreviewed and mark is not None and mark.reviewed
        if known is None and is_done:
            self._rows[first, second] = _HIDDEN
        elif known is None:
            row = self._rows[first, second] = len(self._folded)
            self._folded.append(0)
            self._folds.append([])
            self._waiting.append(_Found(pair, row, kind, a, b, mark))
        elif known != _HIDDEN and not is_done:
            self._folded[known] += 1
            if len(self._folds[known]) < self._most_folds:
                self._folds[known].append(pair)

    def _with_rows(self, library: Library, some: list[_Found]) -> list[tuple[int, Pair]]:
        # The place in the document that came in first is the first one.
        ordered = [sorted(((each.candidate.place_a, each.a), (each.candidate.place_b, each.b))) for each in some]
        hits = library.material.hits_at(
            [(*place, each.candidate.score) for each, pair in zip(some, ordered, strict=True) for place, _ in pair]
        )
        pairs: list[tuple[int, Pair]] = []
        for each, ((_, text_a), (_, text_b)), a, b in zip(some, ordered, hits[::2], hits[1::2], strict=True):
            # A document may have been removed, or read anew, since its sentences were listed.
            if a is not None and b is not None and (a.text, b.text) == (text_a, text_b):
                # Of one text the documents beside both that are shown.
                shown = len({a.document_id, b.document_id}) if a.sentence_id == b.sentence_id else 1
                a, b = (replace(hit, also_in=self._standing.documents_of(hit.sentence_id) - shown) for hit in (a, b))
                pairs.append((each.row, self._pair(each, a, b)))
        return pairs

    def _pair(self, found: _Found, a: Hit, b: Hit) -> Pair:
        score, mark = found.candidate.score, found.mark
        only_a, only_b = differences(a.text, b.text)
        return Pair(
            score=score,
            kind=found.kind,
            badges=badges(a.text, b.text),
            a=a,
            b=b,
            folded=self._folded[found.row],
            percentile=self._calibration.percentile(score) if self._calibration is not None else None,
            reviewed=mark.reviewed if mark is not None else False,
            same=mark.same if mark is not None else None,
            differs_a=only_a,
            differs_b=only_b,
        )


def _with_texts(library: Library, some: Sequence[Candidate]) -> list[tuple[Candidate, str, str, PairMark | None]]:
    """Return pairs with both texts and what was said of them; those whose sentences have gone are left out."""
    texts = library.material.texts([sentence_id for pair in some for sentence_id in {pair.a, pair.b}])
    there = [(pair, texts[pair.a], texts[pair.b]) for pair in some if pair.a in texts and pair.b in texts]
    marks = library.marks.of([(a, b) for _, a, b in there])
    return [(*each, mark) for each, mark in zip(there, marks, strict=True)]
