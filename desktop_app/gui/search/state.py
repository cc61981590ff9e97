"""What the search pane shows in place of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import make_path_wrappable, translate
from desktop_app.gui.widgets.state_view import StateContent

if TYPE_CHECKING:
    from desktop_app.gui.base.session import SessionPhase


@dataclass(frozen=True, slots=True)
class SearchSituation:
    """Everything that decides what the search pane shows.

    Attributes:
        phase: of the session.
        error: why the library cannot be used, or the latest search failed.
        is_listed: whether the list of documents is complete.
        folder: of the library; empty until it is open.
        documents: number of documents.
        searchable: number of sentences that a search reaches.
        query: the query; empty for none.
        is_searching: whether an answer is pending.
        hits: number of hits.
        is_importing: whether documents are being imported.
        is_scoped: whether only a part of the library is searched.
        is_bounded: whether only hits from a score on are shown.
        is_conditional: whether the query has operators that exclude sentences.
        is_unknown: whether the model knows no word of the query.
    """

    phase: SessionPhase
    error: BaseException | None = None
    is_listed: bool = False
    folder: str = ""
    documents: int = 0
    searchable: int = 0
    query: str = ""
    is_searching: bool = False
    hits: int = 0
    is_importing: bool = False
    is_scoped: bool = False
    is_conditional: bool = False
    is_bounded: bool = False
    is_unknown: bool = False


def search_state(now: SearchSituation) -> StateContent | None:
    """Return the message in place of results; None if there are results."""
    if now.error is not None:
        message, hint = display_text.describe_error(now.error)
        return StateContent("error", "triangle-alert", message, hint, ("library.reopen",))
    if now.hits:
        return None
    if now.is_listed and not now.documents and not now.is_importing:
        return StateContent(
            "no_documents",
            "inbox",
            translate("states", "Welcome to Kindred"),
            translate(
                "states",
                "Drop documents or folders here. Kindred finds the sentences in them that mean what you ask for, "
                "whatever their words. Nothing leaves this computer: your files stay where they are, and what Kindred "
                "keeps of them lies in {folder}",
            ).format(
                folder=make_path_wrappable(now.folder)
                if now.folder
                else translate("states", "the folder that the preferences show.")
            ),
            ("library.import", "library.import_folder", "library.samples"),
            "accent",
        )
    if now.phase in ("opening", "loading") and (now.query or not now.is_listed):
        text = translate("states", "You can type already; the search runs as soon as the model is loaded.")
        if now.query:
            text = translate("states", "Your search runs as soon as the model is loaded.")
        return StateContent("getting_ready", "hourglass", translate("states", "Getting ready…"), text)
    if now.is_importing and not now.searchable:
        return StateContent(
            "first_import",
            "book-open",
            translate("states", "Reading your documents…"),
            translate("states", "The first sentences can be searched in a moment; the rest follows while you search."),
            (),
            "accent",
        )
    if not now.query:
        return _idle_state(now)
    if now.is_searching:
        return StateContent("searching", "search", translate("states", "Searching…"))
    if not now.searchable:
        return StateContent(
            "nothing_searchable",
            "circle-alert",
            translate("states", "There is nothing to search yet"),
            translate("states", "No document could be read so far. The list at the left says why."),
            ("library.import",),
        )
    if now.is_bounded:
        return StateContent(
            "nothing_near",
            "search-x",
            translate("states", "Nothing is so near"),
            translate("states", "Only hits from a score on are shown, and none reaches it."),
            ("search.any_score",) + (("search.everywhere",) if now.is_scoped else ()),
        )
    if now.is_scoped:
        return StateContent(
            "nothing_here",
            "search-x",
            translate("states", "Nothing found here"),
            translate("states", "Only a part of the library is searched."),
            ("search.everywhere",),
        )
    if now.is_conditional:
        return StateContent(
            "nothing_left",
            "search-x",
            translate("states", "Nothing fits all of it"),
            translate("states", "Your query rules things out. Take a condition away, or look for something else."),
            ("search.notation",),
        )
    text = translate("states", "Try other words, or a whole sentence.")
    if now.is_unknown:
        text = translate("states", "The model knows no word of this, so nothing is found by its meaning.")
    if now.is_importing:
        text = translate("states", "Documents are still coming in; what is found later appears here.")
    return StateContent("nothing_found", "search-x", translate("states", "Nothing found"), text)


def _idle_state(now: SearchSituation) -> StateContent:
    text = translate(
        "states",
        "Ask a question or paste a sentence. The nearest of {sentences} come first, even when they share no word "
        "with it.",
    ).format(sentences=display_text.count_sentences(now.searchable))
    if now.is_importing:
        text = translate("states", "{sentences} can be searched already, and more are coming in.").format(
            sentences=display_text.count_sentences(now.searchable)
        )
    return StateContent("idle", "text-search", translate("states", "What are you looking for?"), text, (), "accent")
