"""Documents by meaning: their order, and the best sentences of each."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.core.library import Library

from .helpers import MODEL, take_in, texts, vector_of, vectors_of

pytestmark = pytest.mark.every_library


@pytest.mark.parametrize("best", [1, 2, 3, 7])
def test_the_best_sentences_of_each_document_are_the_nearest_in_order(library: Library, best: int) -> None:
    library.models.bind(MODEL)
    contents = {take_in(library, f"{name}.txt", own): own for name in "abc" if (own := texts(name, 9))}
    query = vector_of("the query")
    found = library.document_ranking.nearest_documents(query, 3, best=best)
    assert {document_id for document_id, _, _ in found} == set(contents)
    assert [score for _, score, _ in found] == sorted((score for _, score, _ in found), reverse=True)
    ids = {text: key for key, text in library.analysis_reader.texts(list(range(1, 100))).items()}
    for document_id, _, sentences in found:
        own = contents[document_id]
        cosines = vectors_of(own) @ query
        order = np.argsort(-cosines)[:best]
        assert [each.sentence_id for each in sentences] == [ids[own[at]] for at in order]
        np.testing.assert_allclose([each.score for each in sentences], cosines[order], atol=1e-5)
    again = {row[0]: row[1:] for row in library.document_ranking.score_documents(query, list(contents), best=best)}
    for document_id, score, sentences in found:
        assert again[document_id][0] == pytest.approx(score, abs=1e-5)
        assert [each.sentence_id for each in again[document_id][1]] == [each.sentence_id for each in sentences]


def test_of_equal_documents_and_sentences_the_first_come_first(library: Library) -> None:
    library.models.bind(MODEL)
    own = [take_in(library, f"{name}.txt", ["One.", "Two."]) for name in "abc"]
    found = library.document_ranking.nearest_documents(vector_of("Two."), 2)
    assert [document_id for document_id, _, _ in found] == own[:2]
