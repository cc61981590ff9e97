"""A real library with the sentences of a test. Apart from `fakes.py`, which the window's tests load: no store there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import Place, SpanKind
from desktop_app.store.library import LocalLibrary

from .fakes import HashingEncoder


def open_filled(
    folder: Path,
    documents: Mapping[str, Sequence[str]],
    *,
    kind: SpanKind = "body",
    kinds: Mapping[str, SpanKind] = MappingProxyType({}),
) -> LocalLibrary:
    """Open a new library with documents of these names and sentences, embedded by a `HashingEncoder`.

    `kind` is that of all paragraphs but those with sentences in `kinds`.
    """
    encoder = HashingEncoder()
    library = LocalLibrary.open(folder)
    library.models.bind(encoder.model)
    for name, texts in documents.items():
        (document,) = library.documents.add([FileRef(str(Path("/papers").absolute() / name), 1, 1)])
        library.ingest.begin(document.document_id, DocumentHead("text", hashlib.sha256(name.encode()).hexdigest()))
        spans = [
            SentenceSpan(text, (Place(None, 0, 1, "char"),), at, kinds.get(text, kind)) for at, text in enumerate(texts)
        ]
        library.ingest.append(document.document_id, spans, texts, encoder.encode(texts))
        library.ingest.finish(document.document_id, ReadingDone())
    return library
