"""Cites hits with the references of their documents, in the language of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from desktop_app.core.citation import CitedSentence, cite_hit, format_citations
from desktop_app.gui.base import display_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop_app.core.bibliography import Reference
    from desktop_app.core.citation import CitationForm
    from desktop_app.core.records import Hit
    from desktop_app.gui.base.window_context import WindowContext


def cite_hits(hits: Sequence[Hit], form: CitationForm, references: Mapping[int, Reference]) -> str:
    """Return hits with their sources as one text.

    Args:
        hits: the sentences.
        form: what to write.
        references: those of the hits' documents, by id.
    """
    return format_cited(
        [cite_hit(hit, references.get(hit.document_id), display_text.format_cited_location(hit)) for hit in hits],
        form,
    )


def format_cited(cited: Sequence[CitedSentence], form: CitationForm) -> str:
    """Return sentences or documents with their sources, in the language of the window."""
    return format_citations(cited, form, QLocale().name()[:2])


def read_citations(
    context: WindowContext, hits: Sequence[Hit], form: CitationForm, then: Callable[[str], None]
) -> None:
    """Read the references of the hits' documents; `then` receives the citations as one text."""
    ids = sorted({hit.document_id for hit in hits})
    session = context.session
    session.bridge.call(
        session.workspace.read(lambda library: library.documents.references(ids), by_person=False),
        context.widget,
        lambda references: then(cite_hits(hits, form, references)),
        on_error=context.tell_error,
    )
