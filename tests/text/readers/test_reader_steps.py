"""What is kept of a document that repeats itself."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_app.core.reader_events import SentenceSpan, SentencesRead
from desktop_app.core.records import Place
from desktop_app.text.readers.reader_steps import SpanBatches


def _repeat(lines: int, rounds: int) -> Iterator[SentenceSpan]:
    for number in range(lines * rounds):
        text = f"Line {number % lines} of the list."
        yield SentenceSpan(text, (Place(None, number, number + 1, "text"),), number)


def _keep(batches: SpanBatches, spans: Iterator[SentenceSpan]) -> list[str]:
    kept = (step for step in batches.batch(spans) if isinstance(step, SentencesRead))
    return [span.text for batch in kept for span in batch.spans]


def test_a_cycle_of_few_lines_takes_little_room_in_the_library() -> None:
    batches = SpanBatches()
    kept = _keep(batches, _repeat(lines=150, rounds=250))
    assert len(kept) == 150 + 20_000
    assert len(set(kept)) == 150
    assert [str(each) for each in batches.remarks()] == [
        "The document says little and repeats it: 17,350 repetitions were skipped"
    ]


def test_a_long_text_may_repeat_all_of_it_many_times() -> None:
    batches = SpanBatches()
    assert len(_keep(batches, _repeat(lines=1000, rounds=25))) == 25_000
    assert batches.remarks() == ()
