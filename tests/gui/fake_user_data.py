"""A person's data and the occurrences of sentences, in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_app.core.records import DocumentCount
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.user_data import Judgement, PastQuery, Quote, SavedSearch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from desktop_app.core.ports import Vectors
    from desktop_app.core.records import Hit, SearchMode
    from desktop_app.core.scope import Scope
    from tests.gui.fakes import FakeLibrary


class FakeAnalysisReader:
    """Texts of sentences and the documents that contain them; it is empty for analyses."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library

    def nodes(self, known: object = None) -> Iterator[NDArray[np.int64]]:
        return iter(())

    def vectors(self) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
        return iter(())

    def neighbours(self, k: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], Vectors]]:
        return iter(())

    def save_neighbours(self, ids: NDArray[np.int64], near: NDArray[np.int64], scores: Vectors) -> None:
        pass

    def occurrences_in_order(self, scope: Scope = EVERYTHING) -> Iterator[NDArray[np.int64]]:
        return iter(())

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        return {i: text for text, i in self._library.texts.items() if i in ids}

    def languages(self) -> dict[int, str]:
        rows = self._library.rows.values()
        return {row.document_id: "de" if "deutsch" in row.path else "en" for row in rows}

    def documents_of(
        self, sentence_ids: Sequence[int], scope: Scope = EVERYTHING, *, with_ids: bool = False
    ) -> list[DocumentCount]:
        own: dict[int, list[int]] = {}
        for i in sentence_ids:
            for d in {d for d, _ in self._library.stands.get(i, ()) if self._library._in(scope, d)}:
                own.setdefault(d, []).append(i)
        rows = ((self._library.rows[d], ids) for d, ids in sorted(own.items(), key=lambda each: -len(each[1])))
        languages = self.languages()
        return [
            DocumentCount(
                d.document_id,
                d.path,
                d.title,
                d.type or "",
                d.mtime_ns / 1e9,
                len(ids),
                languages.get(d.document_id, ""),
                tuple(ids) if with_ids else (),
            )
            for d, ids in rows
        ]

    def count_documents(self, groups: Mapping[int, Sequence[int]]) -> dict[int, int]:
        stands = self._library.stands
        return {group: len({d for i in ids for d, _ in stands.get(i, ())}) for group, ids in groups.items()}


class FakeUserData:
    """Implements `core.library.UserDataStore` in memory."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library
        self.queries: list[PastQuery] = []
        self.kept: dict[int, SavedSearch] = {}
        self.aside: list[Quote] = []
        self._judgements: list[Judgement] = []

    def past_queries(self, limit: int = 50) -> list[PastQuery]:
        return self.queries[::-1][:limit]

    def remember(self, text: str, mode: SearchMode, *, instead_of: str = "") -> None:
        self.queries = [each for each in self.queries if each.text not in (text, instead_of)]
        self.queries.append(PastQuery(text, mode))

    def forget_queries(self) -> None:
        self.queries.clear()

    def saved_searches(self) -> list[SavedSearch]:
        return sorted(self.kept.values(), key=lambda each: each.name.lower())

    def save_search(self, search: SavedSearch) -> int:
        same = next((each.search_id for each in self.kept.values() if each.name == search.name), None)
        number = search.search_id or same or len(self.kept) + 1
        self.kept[number] = replace(search, search_id=number)
        return number

    def delete_search(self, search_id: int) -> None:
        self.kept.pop(search_id, None)

    def quotes(self) -> list[Quote]:
        return list(self.aside)

    def add_quotes(self, hits: Sequence[Hit]) -> int:
        known = {(each.document_id, each.ordinal) for each in self.aside}
        new = [hit for hit in hits if (hit.document_id, hit.ordinal) not in known]
        for hit in new:
            self.aside.append(
                Quote(len(self.aside) + 1, hit.text, hit.document_id, hit.ordinal, hit.title, hit.path, hit.type,
                      hit.places[0], hit.page_label)
            )  # fmt: skip
        return len(new)

    def delete_quotes(self, quote_ids: Sequence[int]) -> None:
        self.aside = [each for each in self.aside if each.quote_id not in quote_ids]

    def judgements(self, query: str | None = None) -> list[Judgement]:
        return [each for each in self._judgements if query in (None, each.query)]

    def judge(self, query: str, sentence_id: int, is_relevant: bool | None) -> None:
        self._judgements = [each for each in self._judgements if (each.query, each.sentence_id) != (query, sentence_id)]
        if is_relevant is not None:
            text = next(text for text, i in self._library.texts.items() if i == sentence_id)
            self._judgements.append(Judgement(query, sentence_id, text, is_relevant))
