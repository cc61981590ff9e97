"""Finds the most similar pairs of sentences in a library, best first and as many as requested."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from desktop_app.analysis.duplicates import classify_pair, is_unknown_words_pair, iter_duplicates, mask_numbers
from desktop_app.analysis.word_comparison import find_word_differences
from desktop_app.core.duplicates import MorePairs, Pair, PairList, PairsRequest
from desktop_app.core.export_files import write_in_steps
from desktop_app.core.jobs import Progress
from desktop_app.core.result_files import ENGLISH_PAIR_TEXTS, pair_writer
from desktop_app.core.sentence_differences import find_badges
from desktop_app.engine.clusters import read_sentence_places
from desktop_app.engine.neighbour_graph import model_fingerprint, restart_on_model_change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.analysis.calibration import Calibration
    from desktop_app.analysis.duplicates import DuplicateCandidate, SentencePlaces
    from desktop_app.analysis.neighbour_graph import NeighbourGraph
    from desktop_app.core.duplicates import PairKind, PairLabel
    from desktop_app.core.jobs import Job, Steps
    from desktop_app.core.library import Library
    from desktop_app.core.records import Hit
    from desktop_app.core.result_files import PairTexts, PairWriter
    from desktop_app.engine.context import EngineContext

_PAIRS_PER_WRITE = 100

_CANDIDATES_PER_STEP = 60  # candidates that are processed in one step
_ROWS_PER_STEP = 25
_HIDDEN_ROW = -1  # the row of a pair that is hidden
_MAX_UNFOLDED = 500
_MAX_PLACES = 100


class DuplicateService:
    """Finds and exports similar pairs of the library.

    Args:
        context: the library and the neighbour graph that the jobs use.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def find_pairs(self, request: PairsRequest) -> Job[PairList]:
        """Find the most similar pairs of the library. The latest wins."""

        def find(library: Library) -> Steps[PairList]:
            started = time.perf_counter()
            listing = yield from self._listing(library, request)
            pairs = yield from listing.find_more(library, request.top_k)
            return PairList(
                listing.with_fold_counts(pairs), time.perf_counter() - started, listing, listing.is_complete
            )

        def steps() -> Steps[PairList]:
            library = self._context.open_library_for_vectors()
            return (yield from restart_on_model_change(library, lambda: find(library)))

        return self._context.engine.submit("pairs", steps, key="pairs")

    def export_pairs(self, request: PairsRequest, file: str, words: PairTexts = ENGLISH_PAIR_TEXTS) -> Job[int]:
        """Write the most similar pairs to a file, in the format of its ending; returns how many.

        Raises (the job):
            UsageError: no format has this ending.
            StorageFull: the file cannot be written.
        """

        def gather(library: Library) -> Steps[tuple[PairSearch, list[Pair]]]:
            listing = yield from self._listing(library, request, can_unfold=False)
            return listing, (yield from listing.find_more(library, request.top_k))

        def export(write: PairWriter) -> Steps[int]:
            library = self._context.open_library_for_vectors()
            # An export that a switch of models cuts short must not replace an existing file.
            listing, pairs = yield from restart_on_model_change(library, lambda: gather(library))
            for top in range(0, len(pairs), _PAIRS_PER_WRITE):
                write(listing.with_fold_counts(pairs[top : top + _PAIRS_PER_WRITE], top))
                yield Progress("exporting", top, len(pairs), "pairs")
            return len(pairs)

        def steps() -> Steps[int]:
            return (yield from write_in_steps(partial(pair_writer, file, words), export))

        return self._context.engine.submit("export pairs", steps)

    def _listing(self, library: Library, request: PairsRequest, *, can_unfold: bool = True) -> Steps[PairSearch]:
        graph = yield from self._context.neighbour_graphs.graph(library)
        sentence_places = yield from read_sentence_places(library, request.scope.of_sentences)
        yield None
        calibration = yield from self._context.calibrator.calibrate(library, len(graph.ids))
        return PairSearch(
            request, graph, sentence_places, calibration, model_fingerprint(library), can_unfold=can_unfold
        )

    def unfold(self, found: PairList, place: int) -> Job[list[Pair]]:
        """Return the pairs that were folded into one of a list, by its index in the list as it was found."""

        def steps() -> Steps[list[Pair]]:
            listing: PairSearch = found.listing  # type: ignore[assignment]
            return (yield from listing.read_folded(self._context.open_library(), place))

        return self._context.engine.submit("unfold pairs", steps)

    def find_places(self, found: PairList, sentence_id: int) -> Job[list[Hit]]:
        """Return the first occurrence in each document of a sentence in a list."""

        def steps() -> Steps[list[Hit]]:
            listing: PairSearch = found.listing  # type: ignore[assignment]
            return (yield from listing.find_places(self._context.open_library(), sentence_id))

        return self._context.engine.submit("places", steps)

    def find_more_pairs(self, before: PairList, count: int) -> Job[MorePairs]:
        """Find up to `count` further pairs of the list that `find_pairs` started. A new list wins."""

        def steps() -> Steps[MorePairs]:
            listing: PairSearch = before.listing  # type: ignore[assignment]
            pairs = yield from listing.find_more(self._context.open_library(), count)
            return MorePairs(tuple(pairs), listing.fold_counts, listing.is_complete)

        return self._context.engine.submit("more pairs", steps, key="pairs")


@dataclass(frozen=True, slots=True)
class _FoundPair:
    """A pair before its rows are read; `row` is its index in the fold counts."""

    candidate: DuplicateCandidate
    row: int
    kind: PairKind
    a: str
    b: str
    label: PairLabel | None


class PairSearch:
    """The pairs found for one request; used on the engine's thread.

    Of pairs that differ from each other only in numbers, the first is listed and the others are counted: running heads,
    table rows and boilerplate would otherwise fill the list. Reviewed pairs that are not wanted hide the others too.

    With `can_unfold`, the others are remembered up to a limit; their texts are read when they are shown.
    """

    def __init__(
        self,
        request: PairsRequest,
        graph: NeighbourGraph,
        sentence_places: SentencePlaces,
        calibration: Calibration | None,
        fingerprint: str,
        *,
        can_unfold: bool = True,
    ) -> None:
        self.request = request
        self._fingerprint = fingerprint  # of the model whose graph it is
        self._sentence_places = sentence_places
        self._calibration = calibration
        self._candidates = iter_duplicates(
            graph,
            sentence_places,
            where=request.where,
            min_score=request.min_score,
            max_score=request.max_score,
            touching=request.touching,
        )
        self._batch: list[
            DuplicateCandidate
        ] = []  # kept here because the job after a cancelled one continues with the next
        self._examined_count = 0
        self._waiting: list[_FoundPair] = []
        self._ready: list[tuple[int, Pair]] = []
        self._rows: dict[tuple[str, str], int] = {}
        self._folded: list[int] = []
        self._max_folds = _MAX_UNFOLDED if can_unfold else 0
        self._folds: list[list[DuplicateCandidate]] = []  # the candidates folded into each row, up to a limit
        self._listed: list[int] = []  # the index in `_folded` of each pair that was returned
        self._is_exhausted = False

    @property
    def is_complete(self) -> bool:
        """Whether there are no more pairs."""
        return self._is_exhausted and not self._waiting and not self._ready

    @property
    def fold_counts(self) -> tuple[int, ...]:
        """For every returned pair, how many further pairs differ from it only in numbers."""
        return tuple(self._folded[row] for row in self._listed)

    def with_fold_counts(self, pairs: Sequence[Pair], first: int = 0) -> tuple[Pair, ...]:
        """Return pairs of the list, starting at index `first`, with their current fold counts."""
        rows = self._listed[first : first + len(pairs)]
        return tuple(replace(pair, folded=self._folded[row]) for pair, row in zip(pairs, rows, strict=True))

    def find_more(self, library: Library, count: int) -> Steps[list[Pair]]:
        """Return up to `count` further pairs; fewer when there are no more. What a cancelled call has read is kept.

        After the library has changed its model there are no more pairs: they must be found again.
        """
        if model_fingerprint(library) != self._fingerprint:
            self._is_exhausted, self._waiting, self._ready = True, [], []
        while len(self._ready) < count:
            yield from self._find(library, count - len(self._ready))
            if not self._waiting:
                break
            many = min(_ROWS_PER_STEP, count - len(self._ready))
            some, self._waiting = self._waiting[:many], self._waiting[many:]
            self._ready += self._with_rows(library, some)
            yield None
        pairs, self._ready = self._ready[:count], self._ready[count:]
        self._listed += [row for row, _ in pairs]
        return [pair for _, pair in pairs]

    def read_folded(self, library: Library, place: int) -> Steps[list[Pair]]:
        """Return the pairs that were folded into one, by its index among those returned; of very many, the best."""
        row = self._listed[place]
        pairs: list[Pair] = []
        folds = self._folds[row]
        for top in range(0, len(folds), _ROWS_PER_STEP):
            some = [
                _FoundPair(pair, row, classify_pair(a, b, pair.score), a, b, label)
                for pair, a, b, label in _read_texts(library, folds[top : top + _ROWS_PER_STEP])
            ]
            pairs += [replace(pair, folded=0) for _, pair in self._with_rows(library, some)]
            yield Progress("looking", len(pairs), self._folded[row], "pairs")
        return pairs

    def find_places(self, library: Library, sentence_id: int) -> Steps[list[Hit]]:
        """Return the first occurrence of a sentence in each document, in reading order."""
        first = {
            document: (document, ordinal) for document, ordinal in reversed(self._sentence_places.places(sentence_id))
        }
        yield None
        wanted = sorted(first.values())[:_MAX_PLACES]
        hits = library.search.hits_at([(*place, 1.0) for place in wanted])
        return [hit for hit in hits if hit is not None]

    def _find(self, library: Library, count: int) -> Steps[None]:
        """Examine candidates until enough pairs wait to be read, or there are no more."""
        while len(self._waiting) < count and not self._is_exhausted:
            for candidate in self._candidates:
                if candidate is None:
                    yield None
                else:
                    self._batch.append(candidate)
                    if len(self._batch) == _CANDIDATES_PER_STEP:
                        break
            else:
                self._is_exhausted = True
            some, self._batch = self._batch, []
            for pair, a, b, label in _read_texts(library, some):
                self._list_or_fold(pair, a, b, label)
            self._examined_count += len(some)
            yield Progress("looking", self._examined_count, None, "pairs")

    def _list_or_fold(self, pair: DuplicateCandidate, a: str, b: str, label: PairLabel | None) -> None:
        kind = classify_pair(a, b, pair.score)
        if self.request.kind not in (None, kind) or is_unknown_words_pair(kind, pair.score):
            return
        if min(len(a), len(b)) < self.request.min_length:
            return
        first, second = sorted((mask_numbers(a), mask_numbers(b)))
        known = self._rows.get((first, second))
        is_reviewed = self.request.unreviewed and label is not None and label.reviewed
        if known is None and is_reviewed:
            self._rows[first, second] = _HIDDEN_ROW
        elif known is None:
            row = self._rows[first, second] = len(self._folded)
            self._folded.append(0)
            self._folds.append([])
            self._waiting.append(_FoundPair(pair, row, kind, a, b, label))
        elif known != _HIDDEN_ROW and not is_reviewed:
            self._folded[known] += 1
            if len(self._folds[known]) < self._max_folds:
                self._folds[known].append(pair)

    def _with_rows(self, library: Library, some: list[_FoundPair]) -> list[tuple[int, Pair]]:
        # The occurrence in the document that was imported first comes first.
        ordered = [sorted(((each.candidate.place_a, each.a), (each.candidate.place_b, each.b))) for each in some]
        hits = library.search.hits_at(
            [(*place, each.candidate.score) for each, pair in zip(some, ordered, strict=True) for place, _ in pair]
        )
        pairs: list[tuple[int, Pair]] = []
        for each, ((_, text_a), (_, text_b)), a, b in zip(some, ordered, hits[::2], hits[1::2], strict=True):
            # A document may have been removed, or read again, since its sentences were listed.
            if a is not None and b is not None and (a.text, b.text) == (text_a, text_b):
                # For one text: the documents other than the two that are shown.
                shown = len({a.document_id, b.document_id}) if a.sentence_id == b.sentence_id else 1
                a, b = (
                    replace(hit, also_in=self._sentence_places.documents_of(hit.sentence_id) - shown) for hit in (a, b)
                )
                pairs.append((each.row, self._pair(each, a, b)))
        return pairs

    def _pair(self, found: _FoundPair, a: Hit, b: Hit) -> Pair:
        score, label = found.candidate.score, found.label
        only_a, only_b = find_word_differences(a.text, b.text)
        return Pair(
            score=score,
            kind=found.kind,
            badges=find_badges(a.text, b.text),
            a=a,
            b=b,
            folded=self._folded[found.row],
            percentile=self._calibration.percentile(score) if self._calibration is not None else None,
            reviewed=label.reviewed if label is not None else False,
            same=label.same if label is not None else None,
            differs_a=only_a,
            differs_b=only_b,
        )


def _read_texts(
    library: Library, some: Sequence[DuplicateCandidate]
) -> list[tuple[DuplicateCandidate, str, str, PairLabel | None]]:
    """Return pairs with both texts and their label; pairs with an erased sentence are left out."""
    texts = library.analysis_reader.texts([sentence_id for pair in some for sentence_id in {pair.a, pair.b}])
    known_pairs = [(pair, texts[pair.a], texts[pair.b]) for pair in some if pair.a in texts and pair.b in texts]
    labels = library.pair_labels.find([(a, b) for _, a, b in known_pairs])
    return [(*each, label) for each, label in zip(known_pairs, labels, strict=True)]
