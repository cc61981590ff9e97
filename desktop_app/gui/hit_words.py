"""What is said about the hits of a search: as a whole, and about the score of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui import names, words

if TYPE_CHECKING:
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.engine.requests import SearchResult


def order_line(result: SearchResult, is_ordering: bool) -> str:
    """Return what there is to say about their order; nothing where it is that of the search."""
    if is_ordering:
        return words.translate("search", "Re-ranking the first hits…")
    if not result.reranked:
        return ""
    return words.translate("search", "First {count} re-ranked by {model}").format(
        count=words.number(result.reranked), model=result.reranked_by
    )


def info_line(result: SearchResult, is_importing: bool) -> str:
    """Return what there is to say about the hits as a whole; `is_importing`: more may come in."""
    shown, searchable = len(result.found), result.searchable
    if not shown and not result.documents:
        return ""  # what stands in place of hits says why there are none
    if result.documents:
        text = words.translate("search", "{documents}, the best first")
        if result.is_cut:
            text = words.translate("search", "The best {documents}")
        return text.format(documents=words.documents(len(result.documents)))
    if result.mode == "words":
        text = words.translate("search", "{sentences} with these words, the best first")
        if result.is_cut:
            text = words.translate("search", "The best {count} with these words")
        return text.format(count=words.number(shown), sentences=words.sentences(shown))
    if not result.scope.has_every_document:
        text = words.translate("search", "All {sentences} in this part of the library, the nearest first")
        if result.is_cut:
            text = words.translate("search", "The nearest {count} in this part of the library")
        return text.format(count=words.number(shown), sentences=words.sentences(shown))
    if shown >= searchable:
        text = words.translate("search", "All {sentences}, the nearest first")
        if is_importing:
            text = words.translate("search", "All {sentences} so far, the nearest first; more are coming in")
    else:
        text = words.translate("search", "The nearest {count} of {sentences}")
        if is_importing:
            text = words.translate("search", "The nearest {count} of {sentences} so far; more are coming in")
    return text.format(count=words.number(shown), sentences=words.sentences(searchable))


def remark_on(result: SearchResult) -> str:
    """Return what one should know of the hits: where none is nearer than random sentences; empty where all is well."""
    if not result.known:
        return words.translate("search", "The model knows no word of this; below is what has the words.")
    if not result.is_chance:
        return ""
    if not result.foreign:
        return words.translate("search", "Nothing closer than chance; what comes nearest is below.")
    text = words.translate(
        "search", "Nothing closer than chance: the model may not know {language}. What comes nearest is below."
    )
    return text.format(language=names.language(result.foreign))


def score_explained(hit: Hit, mode: SearchMode = "meaning") -> str:
    """Return what a score means."""
    if mode == "words":
        return words.translate(
            "cards",
            "BM25 {score}: the rarer the words that stand here, and the shorter the sentence, the higher. "
            "It compares hits of this search only.",
        ).format(score=words.decimal(hit.score, 2))
    lines = [
        words.translate("cards", "Cosine similarity {score}.").format(score=words.decimal(hit.score, 4)),
        words.translate(
            "cards",
            "How alike the model finds the two sentences: 1 means the same, about 0 means nothing to do with each "
            "other. It is not a percentage.",
        ),
    ]
    if standing := words.standing(hit):
        lines.append(words.translate("cards", "{standing} of random pairs in this library.").format(standing=standing))
    return "\n".join(lines)
