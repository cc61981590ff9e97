"""Warns about documents in a language that the model was not trained for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.messages import remark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import ModelInfo

_SAMPLE_CHARS = 8000  # characters by which a document's language is told
_MIN_LETTERS = 200


def extend_sample(sample: str, spans: Iterable[SentenceSpan]) -> str:
    """Return the beginning of a document's text, with what comes next where it is still short."""
    if len(sample) >= _SAMPLE_CHARS:
        return sample
    return sample + " ".join(["", *(span.text for span in spans if span.kind == "body")])[:_SAMPLE_CHARS]


def warn_unknown_language(sample: str, model: ModelInfo | None) -> tuple[str, ...]:
    """Return what is to be said of a document in a language that the model was not made for."""
    if model is None or not model.languages or sum(map(str.isalpha, sample)) < _MIN_LETTERS:
        return ()
    from desktop_app.core.language import LANGUAGE_NAMES, guess_language

    language = guess_language(sample)
    if language in model.languages:
        return ()
    spoken = LANGUAGE_NAMES.get(language, language)
    told = f"Seems to be in {spoken}, which the model {model.name} does not know: by meaning little is found in it"
    return (remark(told),)
