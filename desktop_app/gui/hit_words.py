"""What is said about the hits of a search as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui import words
from desktop_app.gui.searching import TOP_K

if TYPE_CHECKING:
    from desktop_app.core.records import SearchMode
    from desktop_app.engine.requests import SearchResult


def order_line(result: SearchResult, is_ordering: bool) -> str:
    """Return what there is to say about their order; nothing where it is that of the search."""
    if is_ordering:
        return words.translate("search", "reading the first hits for a new order…")
    if not result.reranked:
        return ""
    return words.translate("search", "the first {count} ordered anew by {model}").format(
        count=words.number(result.reranked), model=result.reranked_by
    )


def info_line(
    shown: int,
    searchable: int,
    is_importing: bool,
    is_scoped: bool = False,
    mode: SearchMode = "meaning",
    is_chance: bool = False,
) -> str:
    """Return what there is to say about the hits as a whole.

    Args:
        shown: how many hits there are.
        searchable: how many sentences were searched.
        is_importing: whether more come in.
        is_scoped: whether a part of the library was searched.
        mode: how.
        is_chance: whether nothing was found that random sentences could not be.
    """
    if is_chance:
        return words.translate("search", "Nothing closer than chance; what comes nearest is below")
    if mode == "words":
        text = words.translate("search", "{sentences} with these words, the best first")
        if shown >= TOP_K:
            text = words.translate("search", "The best {count} with these words")
        return text.format(count=words.number(shown), sentences=words.sentences(shown))
    if is_scoped:
        text = words.translate("search", "All {sentences} in this part of the library, the nearest first")
        if shown >= TOP_K:
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
