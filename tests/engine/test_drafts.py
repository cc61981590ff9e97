"""A draft is traced from its first sentence on: what is told while the rest is worked on, and what is told at last."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import Lane
from desktop_app.core.reading import SentenceSpan
from desktop_app.core.records import Place
from desktop_app.core.scope import EVERYTHING
from desktop_app.core.tracing import Trace, TraceProgress
from desktop_app.engine.drafts import traced
from desktop_app.engine.tracing import Tracing

from .fakes import HashingEncoder, ScriptedReader, script
from .shelf import WAIT_S, Shelf

ICE = "The old ice of the north melts faster every year."


class Other(HashingEncoder):
    """Knows every text by its length alone."""

    model = replace(HashingEncoder.model, name="other", fingerprint="e" * 64)

    def encode(self, texts: list[str], **options: object) -> object:
        return super().encode([str(len(text)) for text in texts], **options)


def spans(*texts: str, page: int | None = None) -> list[SentenceSpan]:
    return [SentenceSpan(text, (Place(page, at, at + 1, "char"),), at) for at, text in enumerate(texts)]


def followed(
    shelf: Shelf,
    encoder: HashingEncoder,
    draft: list[SentenceSpan],
    between: Callable[[Trace], object] = lambda _: None,
) -> Trace:
    """Trace a draft on the engine's thread; what is there of it at each report is handed to `between`."""

    def steps() -> Iterator[object]:
        found = traced(shelf.library(), encoder, draft, 3, EVERYTHING, lambda: False, time.perf_counter())
        while True:
            try:
                step = next(found)
            except StopIteration as end:
                return end.value
            if isinstance(step, TraceProgress):
                assert step.growing is not None
                between(step.growing.so_far())
            yield None

    return shelf.engine.submit("test", steps).wait(WAIT_S)


def test_the_first_sentences_are_told_while_the_others_are_not_yet_embedded(shelf: Shelf) -> None:
    shelf.put("a.txt", ICE)
    draft = spans(ICE, *(f"Word{number} stands here." for number in range(400)))
    encoder, seen = HashingEncoder(), []

    def note(part: Trace) -> None:
        seen.append((part, len(encoder.embedded)))

    whole = followed(shelf, encoder, draft, note)
    told = [(part, embedded) for part, embedded in seen if part.sentences]
    first, embedded = told[0]
    assert first.sentences[0].support == "verbatim"
    assert embedded <= 64, "the rest waits"
    assert len(told) > 5, "it grows in between"
    for part, _ in told:
        assert part.sentences == whole.sentences[: len(part.sentences)]
        assert len(part.sentences) + part.left == len(draft)
    assert (len(whole.sentences), whole.left) == (401, 0)


def test_what_is_repeated_is_told_some_at_a_time_with_its_own_page(shelf: Shelf) -> None:
    shelf.put("a.txt", ICE)
    draft = [*spans("Here.", ICE, page=1), *spans(*[ICE] * 9000, page=2)]
    encoder, sizes = HashingEncoder(), [0]
    whole = followed(shelf, encoder, draft, lambda part: sizes.append(len(part.sentences)))
    assert sorted(encoder.embedded) == ["Here.", ICE], "each text once"
    assert [sentence.page for sentence in whole.sentences] == [1, 1, *[2] * 9000]
    assert max(after - before for before, after in itertools.pairwise(sizes)) <= 2000


def test_nothing_is_traced_of_nothing(shelf: Shelf) -> None:
    assert followed(shelf, HashingEncoder(), []).sentences == ()


@pytest.fixture
def tracing(shelf: Shelf) -> Tracing:
    """What is traced with it is the file `draft.txt` of 300 sentences, with the encoder of the library's model."""
    texts = [ICE, *(f"Word{number} stands here." for number in range(299))]
    encoders = {encoder.model.fingerprint: encoder for encoder in (HashingEncoder(), Other())}
    reader = ScriptedReader({"draft.txt": script(texts)})
    return Tracing(shelf.engine, shelf.library, lambda: encoders[shelf.library().model.fingerprint], lambda: reader)


def test_a_model_that_is_switched_meanwhile_is_noticed(shelf: Shelf, tracing: Tracing) -> None:
    shelf.put("a.txt", ICE, "Something else.")
    job = tracing.trace(str(Path("draft.txt")))
    growing = []

    def switch(progress: object) -> None:
        if isinstance(progress, TraceProgress) and len(progress.growing or ()):
            if not growing:
                shelf.switch(Other(), Lane.FRONT)
            if progress.growing not in growing:
                growing.append(progress.growing)

    job.on_progress(switch)
    found = job.wait(WAIT_S)
    assert len(growing) == 2, "it has begun anew"
    assert len(found.sentences) == 300
    # All of them, the first ones too, are compared with what the new model makes of them.
    assert {sentence.score for sentence in found.sentences if len(sentence.text) == len("Something else.")} <= {1.0}
    assert found.sentences[0].score == pytest.approx(1.0)


def test_a_cancelled_draft_leaves_what_was_told(shelf: Shelf, tracing: Tracing) -> None:
    shelf.put("a.txt", ICE)
    job = tracing.trace("draft.txt")
    seen: list[TraceProgress] = []

    def stop(progress: object) -> None:
        if isinstance(progress, TraceProgress) and len(progress.growing or ()):
            seen.append(progress)
            job.cancel()

    job.on_progress(stop)
    with pytest.raises(Cancelled):
        job.wait(WAIT_S)
    assert seen[-1].growing is not None
    part = seen[-1].growing.so_far()
    assert part.sentences[0].support == "verbatim"
    assert part.left == 300 - len(part.sentences) > 0
