"""Batches of sentences between a reader and the library."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from desktop_app.core.reader_events import SentenceSpan
from desktop_app.core.records import Place
from desktop_app.engine.sentence_batches import IncomingDocument, SentenceBatches

from .fakes import HashingEncoder

NO_DOCUMENT: Any = None


@pytest.fixture
def encoder() -> HashingEncoder:
    return HashingEncoder(batch=2)


@pytest.fixture
def batches(encoder: HashingEncoder) -> SentenceBatches:
    """Batches of a library without sentences."""
    library: Any = SimpleNamespace(ingest=SimpleNamespace(without_vector=list))
    return SentenceBatches(library, encoder, timeout_s=None)


def _spans(*texts: str) -> list[SentenceSpan]:
    return [SentenceSpan(text, (Place(None, at, at + 1, "char"),), at) for at, text in enumerate(texts)]


def _add(batches: SentenceBatches, *texts: str) -> IncomingDocument:
    arrival = IncomingDocument(NO_DOCUMENT)
    list(batches.add_batch([(arrival, _spans(*texts))]))
    return arrival


def test_a_dropped_document_leaves_the_computation_of_others_alone(
    batches: SentenceBatches, encoder: HashingEncoder
) -> None:
    _add(batches, "One.", "Two.", "Three.", "Four.")
    gone = _add(batches, "Five.", "One.")
    batches.advance()
    batches.drop_document(gone)
    while batches:
        batches.advance()
        while chunk := batches.next_chunk():
            batches.mark_stored(chunk)
    assert len(encoder.timeout_s) == 2, "each batch was given to the encoder once"


def test_texts_that_only_a_dropped_document_has_are_not_embedded(
    batches: SentenceBatches, encoder: HashingEncoder
) -> None:
    gone = IncomingDocument(NO_DOCUMENT)
    other = IncomingDocument(NO_DOCUMENT)
    list(batches.add_batch([(gone, _spans("One.", "Two.", "Three.")), (other, _spans("Two.", "Four."))]))
    batches.drop_document(gone)
    while batches.remaining:
        batches.advance()
    assert sorted(encoder.embedded) == ["Four.", "Two."]
