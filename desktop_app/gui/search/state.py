"""The message in place of results, and the lines about results, in the search pane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from desktop_app.core.errors import AppError
from desktop_app.core.models import MODEL_NOT_HERE
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import make_path_wrappable, translate
from desktop_app.gui.widgets.state_view import StateContent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.messages import Message
    from desktop_app.engine.requests import SearchResult
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
        unknown: why the model cannot search for the query by meaning; empty if it can.
        is_only_conditions: whether the query has operators, and nothing to look for.
        remarks: on the operators of the query, such as conditions that no document satisfies.
        needs_model: whether a model for other languages would understand the query.
        is_system_english: whether the person's system speaks English, like the bundled model.
        is_shared: whether the library is on a server.
        is_writable: whether the person may change the library.
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
    unknown: str = ""
    is_only_conditions: bool = False
    remarks: str = ""
    needs_model: bool = False
    is_system_english: bool = True
    is_shared: bool = False
    is_writable: bool = True


def is_system_english() -> bool:
    """Return whether the person's system speaks English, or no language in particular."""
    return QLocale.system().language() in (QLocale.Language.English, QLocale.Language.C)


def choose_empty_state(now: SearchSituation) -> StateContent | None:
    """Return the message in place of results; None if there are results."""
    if now.error is not None:
        message, hint = display_text.describe_error(now.error)
        is_model_missing = isinstance(now.error, AppError) and now.error.message.code == MODEL_NOT_HERE
        first = ("models.fetch",) if is_model_missing else ()
        return StateContent("error", "triangle-alert", message, hint, (*first, "library.reopen"))
    if now.hits:
        return None
    if now.is_listed and not now.documents and not now.is_importing and not now.is_writable:
        return StateContent(
            "no_documents",
            "inbox",
            translate("states", "No documents yet"),
            translate("states", "What others import into this shared library appears here."),
        )
    if now.is_listed and not now.documents and not now.is_importing and now.is_shared:
        return StateContent(
            "no_documents",
            "inbox",
            translate("states", "No documents yet"),
            translate(
                "states",
                "Drop documents or folders here, or wait for what others import. Everybody who may read this shared"
                " library can search their text. The files stay where they are.",
            ),
            ("library.import", "library.import_folder"),
            "accent",
        )
    if now.is_listed and not now.documents and not now.is_importing:
        return StateContent(
            "no_documents",
            "inbox",
            translate("states", "Welcome to Kindred"),
            translate(
                "states",
                "Drop documents or folders here. Kindred finds sentences by meaning, even when the wording is"
                " different. Everything stays on this computer. Your files aren't moved; the search index is"
                " stored in {folder}",
            ).format(
                folder=make_path_wrappable(now.folder)
                if now.folder
                else translate("states", "the folder shown in Preferences.")
            ),
            (
                *("library.import", "library.import_folder", "library.samples"),
                *(() if now.is_system_english else ("models.multilingual",)),
            ),
            "accent",
        )
    if now.phase in ("opening", "loading") and (now.query or not now.is_listed):
        text = translate("states", "You can start typing. Results appear when the model has loaded.")
        if now.query:
            text = translate("states", "Results appear when the model has loaded.")
        return StateContent("getting_ready", "hourglass", translate("states", "Getting ready…"), text)
    if now.is_importing and not now.searchable:
        return StateContent(
            "first_import",
            "book-open",
            translate("states", "Importing…"),
            translate("states", "You can search as soon as the first document is ready."),
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
            translate("states", "Nothing to search yet"),
            translate("states", "None of your documents could be read. The list on the left says why."),
            ("library.import",),
        )
    if now.is_only_conditions:
        return StateContent(
            "only_conditions",
            "text-search",
            translate("states", "What are you looking for?"),
            translate("states", "Your query has only conditions. Add a word, a question or a sentence to search for."),
            ("search.notation",),
        )
    if now.is_bounded:
        return StateContent(
            "nothing_near",
            "search-x",
            translate("states", "No results above the minimum similarity"),
            translate("states", "Lower the minimum similarity to see more."),
            ("search.any_score",) + (("search.everywhere",) if now.is_scoped else ()),
        )
    if now.is_scoped:
        return StateContent(
            "nothing_here",
            "search-x",
            translate("states", "Nothing found here"),
            " ".join(filter(None, (now.remarks, translate("states", "Only part of the library is being searched.")))),
            ("search.everywhere",),
        )
    if now.is_conditional:
        return StateContent(
            "nothing_left",
            "search-x",
            translate("states", "No results match all conditions"),
            now.remarks or translate("states", "Remove a condition or change your search."),
            ("search.notation",),
        )
    text = translate("states", "Try other words, or a whole sentence.")
    if now.unknown:
        text = now.unknown + " " + translate("states", "No sentence contains these words, either.")
    if now.is_importing:
        text = translate("states", "Documents are still being imported. New results appear here.")
    actions = ("models.multilingual",) if now.needs_model else ()
    return StateContent("nothing_found", "search-x", translate("states", "Nothing found"), text, actions)


def _idle_state(now: SearchSituation) -> StateContent:
    text = translate(
        "states",
        "Ask a question or paste a sentence. Kindred searches {sentences} by meaning.",
    ).format(sentences=display_text.count_sentences(now.searchable))
    if now.is_importing:
        text = translate("states", "{sentences} ready to search. Still importing…").format(
            sentences=display_text.count_sentences(now.searchable)
        )
    return StateContent("idle", "text-search", translate("states", "What are you looking for?"), text, (), "accent")


def describe_order(result: SearchResult, is_ordering: bool) -> str:
    """Return a note on the order of the hits; empty for the order of the search."""
    if is_ordering:
        return translate("search", "Re-ranking the top results…")
    if not result.reranked:
        return ""
    return translate("search", "Top {count}, re-ranked by {model}").format(
        count=display_text.format_number(result.reranked), model=result.reranked_by
    )


def describe_result(result: SearchResult, is_importing: bool) -> str:
    """Return a line about all hits; `is_importing`: more documents may come in."""
    shown, searchable = len(result.found), result.searchable
    if not shown and not result.documents:
        return ""  # the message in place of hits says why there are none
    if result.documents:
        text = translate("search", "{documents}, best match first")
        if result.has_more:
            text = translate("search", "Top {documents}")
        return text.format(documents=display_text.count_documents(len(result.documents)))
    if result.mode == "words":
        text = translate("search", "{sentences} with these words, best match first")
        if result.has_more:
            text = translate("search", "Top {count} with these words")
        return text.format(count=display_text.format_number(shown), sentences=display_text.count_sentences(shown))
    if not result.scope.has_every_document:
        text = translate("search", "Filtered: {sentences}")
        if result.has_more:
            text = translate("search", "Filtered: top {count}")
        return text.format(count=display_text.format_number(shown), sentences=display_text.count_sentences(shown))
    if shown >= searchable:
        text = translate("search", "All {sentences}, most similar first")
        if is_importing:
            text = translate("search", "All {sentences} so far")
    else:
        text = translate("search", "Top {count} of {total}")
        if is_importing:
            text = translate("search", "Top {count} of {total} so far")
    return text.format(
        count=display_text.format_number(shown),
        total=display_text.format_number(searchable),
        sentences=display_text.count_sentences(searchable),
    )


def describe_relevance(result: SearchResult, remarks: Iterable[Message]) -> str:
    """Return a warning about the query and the hits, such as that none is nearer than random ones; mostly empty.

    Args:
        result: the answer.
        remarks: those of its remarks on operators that can be shown now.
    """
    said = [display_text.translate_message(remark) for remark in remarks]
    if not result.is_query_known:
        said += [
            display_text.describe_unknown_query(result.foreign_language),
            translate("search", "Showing keyword matches."),
        ]
    elif result.is_chance_level:
        said.append(translate("search", "No good matches. Showing the closest sentences anyway."))
    return " ".join(said)
