"""In which language a document is, as far as that matters to the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.remarks import remark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.reading import SentenceSpan
    from desktop_app.core.records import ModelInfo

_SAMPLE = 8000  # characters by which a document's language is told
_LEAST_LETTERS = 200


def sampled(sample: str, spans: Iterable[SentenceSpan]) -> str:
    """Return the beginning of a document's text, with what comes next where it is still short."""
    if len(sample) >= _SAMPLE:
        return sample
    return sample + " ".join(["", *(span.text for span in spans if span.kind == "body")])[:_SAMPLE]


def unknown_language(sample: str, model: ModelInfo | None) -> tuple[str, ...]:
    """Return what is to be said of a document in a language that the model was not made for."""
    if model is None or not model.languages or sum(map(str.isalpha, sample)) < _LEAST_LETTERS:
        return ()
    from desktop_app.core.language import NAMES, guess_language

    language = guess_language(sample)
    if language in model.languages:
        return ()
    spoken = NAMES.get(language, language)
    told = f"Seems to be in {spoken}, which the model {model.name} does not know: by meaning little is found in it"
    return (remark(told),)
