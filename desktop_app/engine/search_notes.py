"""Remarks on the results of a search, in English, for commands and assistants."""

from __future__ import annotations

from desktop_app.core.language_detection import LANGUAGE_NAMES
from desktop_app.engine.requests import DocumentSearchResult, SearchResult

CHANCE_NOTE = "No good matches: these are no more similar to the query than random sentences."


def list_notes(result: SearchResult | DocumentSearchResult, spelling: str = "") -> list[str]:
    """Return remarks on a search for the person; `spelling` is another one to suggest."""
    remarks = [f"Did you mean `{spelling}`?"] if spelling else []
    remarks += [str(remark) for remark in result.remarks]
    if not result.is_query_known:
        why = "The model does not recognize these words"
        if result.foreign_language:
            why = f"The query looks like {LANGUAGE_NAMES[result.foreign_language]}, which the model does not know"
        return [*remarks, f"{why}, so it cannot search by meaning."]
    return [*remarks, CHANCE_NOTE] if isinstance(result, SearchResult) and result.is_chance_level else remarks
