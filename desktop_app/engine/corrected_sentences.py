"""Applies a person's corrections to a document's sentences on their way into the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.corrections import CorrectedRange, CorrectionApplier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.corrections import CorrectedSpans, Correction
    from desktop_app.core.reader_events import SentenceSpan


class CorrectedSentences:
    """Applies corrections to a document's sentences, and records what was read where something was corrected.

    Attributes:
        kept_cuts: the recorded ranges.
    """

    def __init__(self, rules: Sequence[Correction]) -> None:
        self._cutter = CorrectionApplier(rules)
        self._ordinal = 0
        self.kept_cuts: list[CorrectedRange] = []

    def feed(self, spans: Sequence[SentenceSpan]) -> list[SentenceSpan]:
        """Return the sentences that are final after these spans."""
        return self._record_cuts([cut for span in spans for cut in self._cutter.feed(span)])

    def finish(self) -> list[SentenceSpan]:
        """Return the remaining sentences."""
        return self._record_cuts(self._cutter.finish())

    def _record_cuts(self, cuts: Sequence[CorrectedSpans]) -> list[SentenceSpan]:
        found: list[SentenceSpan] = []
        for cut in cuts:
            if cut.is_corrected:
                self.kept_cuts.append(CorrectedRange(self._ordinal, len(cut.spans), cut.originals))
            self._ordinal += len(cut.spans)
            found += cut.spans
        return found
