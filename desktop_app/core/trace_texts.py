"""The texts in files of traced drafts and of document differences, and the citations of their sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.citation import CitationForm, CitedSentence, cite_hit, format_citations, format_cited_location
from desktop_app.core.language_detection import name_languages
from desktop_app.core.sentence_differences import describe_badge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.citation_styles import CitationStyle
    from desktop_app.core.records import Hit
    from desktop_app.core.trace import Trace


@dataclass(frozen=True, slots=True)
class TraceTexts:
    """The texts in files for people; the English of the command line by default.

    Attributes:
        kind: returns the name of a kind of support or change.
        differs: returns a description of the badges of two sentences; empty for none.
        locate: returns the place of a hit; empty if it has none.
        differing: returns the note that the sources of so many sentences differ in a fact.
        stopped: returns the note that so many sentences were not checked.
        skipped: returns the note that so many lines were skipped.
        own: returns the note that documents with these names are the draft itself.
        unknown_languages: returns the note that the model was not trained for languages (two letters) of the draft.
        references: of the documents that are cited, by id.
        see_also: begins a footnote whose source is about the same, but does not say it.
        sources: the heading of the list of references.
        remarks: the heading of the notes about the check itself.
        style: in which footnotes cite.
        language: of the terms in that style, `en` or `de`.
    """

    kind: Callable[[str], str] = str
    differs: Callable[[Iterable[str]], str] = lambda badges: ", ".join(
        f"differs in {describe_badge(badge)}" for badge in badges
    )
    locate: Callable[[Hit], str] = format_cited_location
    differing: Callable[[int], str] = lambda count: (
        f"Facts differ from the source in {count} sentence{'s' * (count != 1)}."
    )
    stopped: Callable[[int], str] = lambda left: (
        f"Stopped early: {left} sentence{'s' * (left != 1)} of the draft not checked."
    )
    skipped: Callable[[int], str] = lambda count: (
        f"Skipped {count} line{'s' * (count != 1)}: headings, fragments, table rows, code and references."
    )
    own: Callable[[Sequence[str]], str] = lambda names: f"Ignored as a source (same file): {', '.join(names)}."
    unknown_languages: Callable[[Sequence[str]], str] = lambda codes: (
        f"Some sentences look like {name_languages(codes)}, which the model is not trained for: sources may be missed."
    )
    references: Mapping[int, Reference] = field(default_factory=dict)
    see_also: str = "See also"
    sources: str = "Sources"
    remarks: str = "About this check"
    style: CitationStyle = "chicago-notes"
    language: str = "en"

    def cite(self, hits: Sequence[Hit], form: CitationForm) -> str:
        """Return sentences with their sources, in a citation form."""
        return format_citations([self.cite_hit(hit) for hit in hits], form)

    def cite_hit(self, hit: Hit) -> CitedSentence:
        """Return a sentence with its source."""
        return cite_hit(hit, self.references.get(hit.document_id), self.locate(hit))

    def list_remarks(self, trace: Trace) -> list[str]:
        """Return what a file says of the check: how many sentences have which support, and what was not checked."""
        notes = [", ".join(f"{count} {self.kind(support)}" for support, count in trace.coverage.items())]
        if trace.differing:
            notes.append(self.differing(trace.differing))
        if trace.left:
            notes.append(self.stopped(trace.left))
        if trace.skipped:
            notes.append(self.skipped(trace.skipped))
        if trace.own:
            notes.append(self.own(trace.own))
        if trace.unknown_languages:
            notes.append(self.unknown_languages(trace.unknown_languages))
        return notes


ENGLISH_TEXTS = TraceTexts()
