"""A draft traced to its sources in the library, and the differences of two documents."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from desktop_app.core.jobs import Progress
from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.records import Hit, SpanKind
    from desktop_app.core.sentence_differences import Badge

SupportKind = Literal["verbatim", "paraphrased", "related", "unsupported"]
ChangeKind = Literal["kept", "reworded", "moved", "new", "dropped"]
SUPPORT_KINDS: tuple[SupportKind, ...] = get_args(SupportKind)
_WORD = re.compile(rf"[\w{MARKS}]+")
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)


@dataclass(frozen=True, slots=True)
class TracedSentence:
    """A sentence of a draft.

    Attributes:
        text: the sentence.
        page: of the draft, from 1; None if it has no pages.
        support: `verbatim`: the library has the same words, ignoring case and punctuation; `paraphrased`: it says the
            same; `related`: it is about the same; `unsupported`: nothing is nearer than that.
        score: cosine with the best source; None without a source, or if the model knows no word of the text. A sentence
            that the library contains letter by letter is found whatever the model knows.
        sources: the best places of the library, best first: one that paraphrases it comes before one that does so but
            for a fact; none for an unsupported sentence.
        badges: how it differs from the best source nevertheless.
        paragraph: number of its paragraph in the draft, never decreasing.
        kind: of that paragraph.
    """

    text: str
    page: int | None
    support: SupportKind
    score: float | None
    sources: tuple[Hit, ...] = ()
    badges: tuple[Badge, ...] = ()
    paragraph: int = 0
    kind: SpanKind = "body"

    @property
    def differs(self) -> bool:
        """Whether its source would support it, were it not for a number, a date or a negation."""
        return bool(self.badges) and self.support in ("verbatim", "paraphrased")


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line of a draft that is no sentence and was not traced: a heading, a row of a table, code, a reference.

    Attributes:
        text: the line.
        kind: of its paragraph.
        paragraph: number of its paragraph in the draft, as for sentences.
        before: number of the traced sentence that follows it, from 0.
    """

    text: str
    kind: SpanKind
    paragraph: int
    before: int


@dataclass(frozen=True, slots=True)
class Trace:
    """A draft, sentence by sentence in reading order.

    Attributes:
        sentences: the traced ones.
        seconds: how long that took.
        left: how many sentences of the draft are not traced yet, or were not when tracing stopped.
        skipped: how many of its lines are not sentences and were not traced: headings, rows of tables, code and
            references.
        own: names of library documents that are the draft itself, which is never its own source.
        skipped_lines: the lines that were not traced, in reading order.
        unknown_languages: of some of its sentences, two letters each; the model was not trained for them, so their
            sources may be missed.
    """

    sentences: tuple[TracedSentence, ...]
    seconds: float
    left: int = 0
    skipped: int = 0
    own: tuple[str, ...] = ()
    skipped_lines: tuple[SkippedLine, ...] = ()
    unknown_languages: tuple[str, ...] = ()

    @property
    def coverage(self) -> dict[SupportKind, int]:
        """The number of sentences with each kind of support."""
        counts = Counter(sentence.support for sentence in self.sentences)
        return {support: counts[support] for support in SUPPORT_KINDS}

    @property
    def differing(self) -> int:
        """The number of sentences whose source differs in a fact."""
        return sum(sentence.differs for sentence in self.sentences)


class GrowingTrace:
    """The traced beginning of a draft. It grows on one thread, and is read on any.

    Args:
        total: sentences of the draft.
        began: when tracing began, by `time.perf_counter`.
        about: further facts about the draft.
    """

    def __init__(self, total: int, began: float, about: Trace | None = None) -> None:
        self._total = total
        self._began = began
        self._about = about or Trace((), 0.0)
        self._sentences: list[TracedSentence] = []

    def __len__(self) -> int:
        return len(self._sentences)

    def append(self, sentences: Iterable[TracedSentence]) -> None:
        """Add the next sentences."""
        # All at once, so that no reader sees half of them.
        self._sentences += list(sentences)

    def so_far(self) -> Trace:
        """Return the current state."""
        sentences = tuple(self._sentences)
        seconds, left = time.perf_counter() - self._began, self._total - len(sentences)
        return replace(self._about, sentences=sentences, seconds=seconds, left=left)


@dataclass(frozen=True, slots=True)
class TraceProgress(Progress):
    """How far a draft is traced.

    Attributes:
        growing: the traced part, which keeps growing.
    """

    growing: GrowingTrace | None = None


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A sentence of one document, of the other, or of both.

    Attributes:
        change: `kept`: the same words in the same order of sentences; `reworded`: the same in other words; `moved`: it
            is elsewhere; `new`: only in the second document; `dropped`: only in the first.
        score: cosine of both; None if there is only one.
        a: in the first document; its `document_id` is 0 for a file that is in no library.
        b: in the second document, likewise.
        badges: how both differ nevertheless.
        differs_a: (start, stop) of the words of `a` that are not in `b` at that place, if most words are the same.
        differs_b: likewise of `b`.
    """

    change: ChangeKind
    score: float | None
    a: Hit | None
    b: Hit | None
    badges: tuple[Badge, ...] = ()
    differs_a: tuple[tuple[int, int], ...] = ()
    differs_b: tuple[tuple[int, int], ...] = ()

    @property
    def is_reworded(self) -> bool:
        """Whether both say it in other words, wherever they are: a moved sentence may be reworded too."""
        if self.a is None or self.b is None:
            return False
        one, other = (_WORD.findall(hit.text.casefold()) for hit in (self.a, self.b))
        return one != other


@dataclass(frozen=True, slots=True)
class Diff:
    """Two documents in the order of the second; dropped sentences are where they were.

    Attributes:
        rows: the sentences of both.
        seconds: how long the comparison took.
        unknown_languages: of some sentences, two letters each; the model was not trained for them, so what both
            documents say may seem new or dropped.
    """

    rows: tuple[DiffRow, ...]
    seconds: float
    unknown_languages: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[ChangeKind, int]:
        """The number of rows of each kind."""
        counts = Counter(row.change for row in self.rows)
        return {change: counts[change] for change in CHANGE_KINDS}
