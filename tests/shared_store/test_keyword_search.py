"""Searches by words of which the best sentences are not visible."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from desktop_app.core.query import KeywordQuery
from desktop_app.shared_store.library import SharedLibrary
from tests.store.helpers import take_in


def test_the_server_looks_through_sentences_that_are_not_visible(
    library: SharedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [f"The sea is the sea, wrote the sailor number {at}." for at in range(3)]
    take_in(library, "kept.txt", seen)
    library.documents.remove([take_in(library, "gone.txt", [f"Sea sea {at}." for at in range(300)])])
    find_visible, asked = library.search.find_visible, list[int]()

    def count(ids: Any, scope: Any) -> Any:
        asked.append(len(ids))
        return find_visible(ids, scope)

    monkeypatch.setattr(library.search, "find_visible", count)
    found = library.keyword_search.find_sentences(KeywordQuery(("sea",)), 2)
    ids = library.sentences.ids(seen)
    assert len(found) == 2
    assert {each.sentence_id for each in found} <= set(ids.values())
    assert sum(asked) < 100, "the others stay on the server"
    assert np.all(np.diff([each.score for each in found]) <= 0)
