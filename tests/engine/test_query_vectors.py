"""Vectors of queries are kept for a while."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from desktop_app.core.query import parse_query
from desktop_app.engine.query_vectors import QueryVectors

from .fakes import HashingEncoder


class Recording(HashingEncoder):
    """Remembers every text that it embeds, also those of queries."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def encode(self, texts: list[str], **options: Any) -> Any:
        self.asked += texts
        return super().encode(texts, **options)


def test_the_queries_used_last_are_kept() -> None:
    encoder, vectors = Recording(), QueryVectors(size=2)
    for query in ("a", "b", "a", "c", "a", "b"):
        vectors.embed(encoder, query)
    assert encoder.asked == ["a", "b", "c", "b"], "b was not used for longest when c came"


def test_a_query_has_a_vector_of_each_model() -> None:
    vectors = QueryVectors()
    encoder, other = Recording(), Recording()
    other.model = replace(HashingEncoder.model, fingerprint="e" * 64)
    for each in (encoder, other, encoder):
        vectors.embed(each, "a")
    assert (encoder.asked, other.asked) == (["a"], ["a"])


def test_a_query_that_is_computed_ahead_is_not_computed_again() -> None:
    encoder, vectors, query = Recording(), QueryVectors(), parse_query("ice not like: snow")
    vectors.embed_ahead(encoder, query)
    vectors.embed_query(encoder, query)
    vectors.embed_ahead(encoder, query)
    vectors.close()
    assert sorted(encoder.asked) == sorted({*query.like, *query.unlike})
    QueryVectors().close()


def test_what_to_avoid_is_subtracted_by_half() -> None:
    encoder, vectors = Recording(), QueryVectors()
    query = replace(parse_query("ice"), unlike=("snow",))
    ice, snow = encoder.encode(["ice", "snow"])
    wanted = ice - 0.5 * snow
    assert np.allclose(vectors.embed_query(encoder, query), wanted / np.linalg.norm(wanted), atol=1e-6)
    assert np.allclose(vectors.embed_query(encoder, parse_query("ice")), ice, atol=1e-6)
