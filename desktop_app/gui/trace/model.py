"""The rows of a traced draft or of two aligned documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.results.pair_text import badge_name
from desktop_app.gui.trace.sentence_kinds import (
    CHANGE_STYLES,
    SUPPORT_STYLES,
    explain_sentence_kind,
    sentence_kind_name,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from desktop_app.core.records import Hit
    from desktop_app.core.trace import Diff, Trace, TracedSentence
    from desktop_app.gui.trace.sentence_kinds import SentenceKindStyle

    Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SentenceBlock:
    """A sentence to paint.

    Attributes:
        text: the sentence.
        kind: the key of its style.
        about: the text below it, after the name of the kind; None to leave out both.
        warning: a difference that is easily overlooked.
        marks: (start, stop) of words that differ.
    """

    text: str
    kind: str
    about: tuple[str, ...] | None = None
    warning: str = ""
    marks: tuple[tuple[int, int], ...] = ()


class TextRows(Protocol):
    """Rows of sentences in one column or two.

    Attributes:
        styles: the style of each kind.
        kinds: the kind of each row.
        places: for each column int64 [rows], the index of the row's sentence in the column; -1 for none.
        anchors: bool [rows], whether the sentences of a row are shown next to each other.
        lengths: for each column int64 [sentences], in characters.
    """

    styles: Mapping[str, SentenceKindStyle]
    kinds: Sequence[str]
    places: tuple[Places, ...]
    anchors: NDArray[np.bool_]
    lengths: tuple[Places, ...]

    def is_notable(self, row: int) -> bool:
        """Return whether to step to a row unless kinds are chosen."""

    def block(self, side: int, row: int) -> SentenceBlock:
        """Return a sentence of a row that has one on this side."""

    def describe_row(self, row: int) -> str:
        """Return the text of a row for screen readers."""

    def cite_row(self, row: int) -> str:
        """Return the text to copy of a row."""


class DiffTextRows:
    """Two aligned documents."""

    def __init__(self, diff: Diff, *, shows_scores: bool = False) -> None:
        self.shows_scores = shows_scores
        self.styles: Mapping[str, SentenceKindStyle] = CHANGE_STYLES
        self.rows = diff.rows
        self.kinds: Sequence[str] = [row.change for row in diff.rows]
        self.anchors: NDArray[np.bool_] = np.array([row.change in ("kept", "reworded") for row in diff.rows], np.bool_)
        sides = ([row.a for row in diff.rows], [row.b for row in diff.rows])
        self._titles = display_text.name_documents(hit for hits in sides for hit in hits if hit is not None)
        self.places: tuple[Places, ...] = tuple(_sentence_order(hits) for hits in sides)
        self.lengths: tuple[Places, ...] = tuple(
            _count_characters([hit.text if hit else "" for hit in hits], places)
            for hits, places in zip(sides, self.places, strict=True)
        )

    def is_notable(self, row: int) -> bool:
        """Return whether both documents differ there."""
        return self.kinds[row] != "kept"

    def hit(self, side: int, row: int) -> Hit | None:
        """Return the sentence of a row in one of the documents."""
        return (self.rows[row].a, self.rows[row].b)[side]

    def block(self, side: int, row: int) -> SentenceBlock:
        """Return a sentence of a row that has one on this side."""
        entry, hit = self.rows[row], self.hit(side, row)
        assert hit is not None
        if entry.change == "kept":
            return SentenceBlock(hit.text, "kept")
        # Facts about both sentences are shown at the second.
        is_second = side == 1 and entry.score is not None
        has_score = self.shows_scores and is_second
        score = display_text.format_score(entry.score) if has_score and entry.score is not None else ""
        also = sentence_kind_name("reworded") if entry.change == "moved" and entry.is_reworded else ""
        about = tuple(part for part in (also, score, display_text.format_location(hit)) if part)
        return SentenceBlock(
            hit.text,
            entry.change,
            about,
            describe_differences(entry.badges) if is_second else "",
            (entry.differs_a, entry.differs_b)[side],
        )

    def describe_row(self, row: int) -> str:
        """Return the text of a row for screen readers."""
        entry = self.rows[row]
        parts = [sentence_kind_name(entry.change)]
        if entry.change == "moved" and entry.is_reworded:
            parts.append(sentence_kind_name("reworded"))
        if self.shows_scores and entry.score is not None and entry.change != "kept":
            parts += [translate("tracing", "similarity {score}").format(score=display_text.format_score(entry.score))]
        parts.append(describe_differences(entry.badges))
        for hit in (entry.a, None if entry.change == "kept" else entry.b):
            if hit is not None:
                parts += [hit.text, display_text.format_location(hit)]
        return ", ".join(part for part in parts if part)

    def cite_row(self, row: int) -> str:
        """Return both sentences of a row with their places."""
        hits = [hit for hit in (self.rows[row].a, self.rows[row].b) if hit is not None]
        return "\n".join(display_text.cite_hit(replace(hit, title=self._titles[hit.path])) for hit in hits)


class DraftTextRows:
    """A traced draft."""

    def __init__(self, trace: Trace, *, shows_scores: bool = False) -> None:
        self.shows_scores = shows_scores
        self.styles: Mapping[str, SentenceKindStyle] = SUPPORT_STYLES
        self.sentences = trace.sentences
        self.kinds: Sequence[str] = [sentence.support for sentence in trace.sentences]
        self.anchors: NDArray[np.bool_] = np.ones(len(self.kinds), np.bool_)
        self._titles = display_text.name_documents(hit for each in trace.sentences for hit in each.sources)
        self.places: tuple[Places, ...] = (np.arange(len(self.kinds), dtype=np.int64),)
        self.lengths: tuple[Places, ...] = (np.array([len(sentence.text) for sentence in trace.sentences], np.int64),)

    def is_notable(self, row: int) -> bool:
        """Return whether the library does not support the sentence, or differs from it in a fact."""
        return self.kinds[row] in ("related", "unsupported") or self.sentences[row].differs

    def block(self, side: int, row: int) -> SentenceBlock:
        """Return a sentence of the draft."""
        sentence = self.sentences[row]
        about: tuple[str, ...] = ()
        if sentence.sources and sentence.score is not None:
            best = sentence.sources[0]
            source = ", ".join(p for p in (self._titles[best.path], display_text.format_location(best)) if p)
            about = (display_text.format_score(sentence.score), source) if self.shows_scores else (source,)
        return SentenceBlock(sentence.text, sentence.support, about, describe_differences(sentence.badges))

    def describe_row(self, row: int) -> str:
        """Return the text of a sentence for screen readers."""
        block = self.block(0, row)
        parts = (block.text, sentence_kind_name(block.kind), *(block.about or ()), block.warning)
        return ", ".join(part for part in parts if part)

    def cite_row(self, row: int) -> str:
        """Return a sentence and its best source."""
        sentence = self.sentences[row]
        best = [replace(hit, title=self._titles[hit.path]) for hit in sentence.sources[:1]]
        return "\n".join([sentence.text, *map(display_text.cite_hit, best)])


def explain_row_kind(texts: TextRows, row: int) -> str:
    """Return the meaning of the kind of a row."""
    kind = texts.kinds[row]
    explanation = explain_support(texts.sentences[row]) if isinstance(texts, DraftTextRows) else ""
    explanation = explanation or explain_sentence_kind(kind)
    return f"{sentence_kind_name(kind)[:1].upper()}{sentence_kind_name(kind)[1:]}. {explanation}"


def explain_support(sentence: TracedSentence) -> str:
    """Return how the library supports a sentence of a draft."""
    if not sentence.differs:
        return explain_sentence_kind(sentence.support)
    text = translate("tracing", "The library says something similar, but not the same: {differences}.")
    return text.format(differences=describe_differences(sentence.badges))


def describe_differences(badges: Sequence[str]) -> str:
    """Return the differences of two sentences as text."""
    return ", ".join(map(badge_name, badges))


def _sentence_order(hits: Sequence[Hit | None]) -> Places:
    """Return int64 [rows]: the index of each row's sentence among the shown sentences of its document; -1 for none."""
    places = np.full(len(hits), -1, np.int64)
    rows = [row for row, hit in enumerate(hits) if hit is not None]
    ordinals = np.array([hit.ordinal for hit in hits if hit is not None], np.int64)
    places[np.array(rows, np.int64)[np.argsort(ordinals, kind="stable")]] = np.arange(len(rows))
    return places


def _count_characters(texts: Sequence[str], places: Places) -> Places:
    lengths = np.zeros(int((places >= 0).sum()), np.int64)
    for text, place in zip(texts, places.tolist(), strict=True):
        if place >= 0:
            lengths[place] = len(text)
    return lengths
