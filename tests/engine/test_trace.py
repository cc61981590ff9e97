"""Tracing a draft: what is reported while the rest is processed, and the final result."""

from __future__ import annotations

import itertools
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.errors import Cancelled, VectorNotFinite
from desktop_app.core.jobs import Lane
from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.reader_events import DocumentHead, ReadingDone, SentenceSpan, SentencesRead
from desktop_app.core.records import Place, SpanKind
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.trace import Diff, GrowingTrace, SkippedLine, Trace, TraceProgress
from desktop_app.engine.trace import TraceService, trace_sentences
from desktop_app.text.reader_process import ProcessReader
from tests.patience import PATIENCE_S

from .analysed_library import AnalysedLibrary
from .fakes import DIM, HashingEncoder, ScriptedReader, make_context, script

ICE = "The old ice of the north melts faster every year."


class Other(HashingEncoder):
    """Knows every text by its length alone."""

    model = replace(HashingEncoder.model, name="other", fingerprint="e" * 64)

    def encode(self, texts: list[str], **options: object) -> object:
        return super().encode([str(len(text)) for text in texts], **options)


def spans(*texts: str, page: int | None = None) -> list[SentenceSpan]:
    return [SentenceSpan(text, (Place(page, at, at + 1, "char"),), at) for at, text in enumerate(texts)]


def followed(
    analysed: AnalysedLibrary,
    encoder: HashingEncoder,
    draft: list[SentenceSpan],
    between: Callable[[Trace], object] = lambda _: None,
) -> Trace:
    """Trace a draft on the engine's thread; pass the partial result of each report to `between`."""

    def steps() -> Iterator[object]:
        found = trace_sentences(analysed.library(), encoder, draft, 3, EVERYTHING, lambda: False, time.perf_counter())
        while True:
            try:
                step = next(found)
            except StopIteration as end:
                return end.value
            if isinstance(step, TraceProgress):
                assert step.growing is not None
                between(step.growing.so_far())
            yield None

    return analysed.engine.submit("test", steps).wait(PATIENCE_S)


def test_the_first_sentences_are_reported_before_the_others_are_embedded(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE)
    draft = spans(ICE, *(f"Word{number} stands here." for number in range(400)))
    encoder, seen = HashingEncoder(), []

    def note(part: Trace) -> None:
        seen.append((part, len(encoder.embedded)))

    whole = followed(analysed, encoder, draft, note)
    parts = [(part, embedded) for part, embedded in seen if part.sentences]
    first, embedded = parts[0]
    assert first.sentences[0].support == "verbatim"
    assert embedded <= 64, "the rest waits"
    assert len(parts) > 5, "it grows in between"
    for part, _ in parts:
        assert part.sentences == whole.sentences[: len(part.sentences)]
        assert len(part.sentences) + part.left == len(draft)
    assert (len(whole.sentences), whole.left) == (401, 0)


def test_repeated_sentences_are_reported_some_at_a_time_with_their_own_pages(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE)
    draft = [*spans("Here.", ICE, page=1), *spans(*[ICE] * 9000, page=2)]
    encoder, sizes = HashingEncoder(), [0]
    whole = followed(analysed, encoder, draft, lambda part: sizes.append(len(part.sentences)))
    assert sorted(encoder.embedded) == ["Here.", ICE], "each text once"
    assert [sentence.page for sentence in whole.sentences] == [1, 1, *[2] * 9000]
    assert max(after - before for before, after in itertools.pairwise(sizes)) <= 2000


def test_an_empty_draft_has_no_trace(analysed: AnalysedLibrary) -> None:
    assert followed(analysed, HashingEncoder(), []).sentences == ()


@pytest.fixture
def tracing(analysed: AnalysedLibrary) -> TraceService:
    """Traces the file `draft.txt` of 300 sentences with the encoder of the library's model."""
    texts = [ICE, *(f"Word{number} stands here." for number in range(299))]
    encoders = {encoder.model.fingerprint: encoder for encoder in (HashingEncoder(), Other())}
    reader = ScriptedReader({"draft.txt": script(texts)})
    return TraceService(
        make_context(
            analysed.engine,
            analysed.library,
            lambda: encoders[analysed.library().models.current.fingerprint],
            start_reader=lambda: reader,
        )
    )


def test_a_switch_of_models_during_the_trace_is_noticed(analysed: AnalysedLibrary, tracing: TraceService) -> None:
    analysed.put("a.txt", ICE, "Something else.")
    job = tracing.trace_file(str(Path("draft.txt")))
    growing = []

    def switch(progress: object) -> None:
        if isinstance(progress, TraceProgress) and len(progress.growing or ()):
            if not growing:
                analysed.switch(Other(), Lane.FRONT)
            if progress.growing not in growing:
                growing.append(progress.growing)

    job.on_progress(switch)
    found = job.wait(PATIENCE_S)
    assert len(growing) == 2, "it has started again"
    assert len(found.sentences) == 300
    # All of them, including the first ones, are compared by vectors of the new model.
    assert {sentence.score for sentence in found.sentences if len(sentence.text) == len("Something else.")} <= {1.0}
    assert found.sentences[0].score == pytest.approx(1.0)


def test_a_cancelled_trace_keeps_what_was_reported(analysed: AnalysedLibrary, tracing: TraceService) -> None:
    analysed.put("a.txt", ICE)
    job = tracing.trace_file("draft.txt")
    seen: list[TraceProgress] = []

    def stop(progress: object) -> None:
        if isinstance(progress, TraceProgress) and len(progress.growing or ()):
            seen.append(progress)
            job.cancel()

    job.on_progress(stop)
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    assert seen[-1].growing is not None
    part = seen[-1].growing.so_far()
    assert part.sentences[0].support == "verbatim"
    assert part.left == 300 - len(part.sentences) > 0


def span(text: str, kind: SpanKind) -> SentenceSpan:
    return SentenceSpan(text, (Place(None, 0, 1, "char"),), 0, kind, *decide_kind(kind, text))


def traced_file(analysed: AnalysedLibrary, *lines: SentenceSpan, path: str = "draft.txt", **options: object) -> Trace:
    events = [DocumentHead("text", Path(path).name), SentencesRead(lines), ReadingDone()]
    reader = ScriptedReader({Path(path).name: events})
    context = make_context(analysed.engine, analysed.library, start_reader=lambda: reader)
    return TraceService(context).trace_file(path, **options).wait(PATIENCE_S)


def test_list_items_and_sentences_in_tables_are_traced_and_the_rest_is_counted(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE)
    found = traced_file(
        analysed,
        span("About the ice", "heading"),
        span(ICE, "list"),
        span("year: 1990 · " + ICE, "table"),
        span("1990 · 1,200 · 3.5", "table"),
        span("冰融化了。", "table"),
        span("ice = melt(north)", "code"),
        span("[1] A. Author: Ice. 1990.", "reference"),
    )
    assert [sentence.text for sentence in found.sentences] == [ICE, "year: 1990 · " + ICE, "冰融化了。"]
    assert found.sentences[0].support == "verbatim"
    assert found.skipped == 4
    assert [(line.text, line.kind, line.before) for line in found.skipped_lines] == [
        ("About the ice", "heading", 0),
        ("1990 · 1,200 · 3.5", "table", 2),
        ("ice = melt(north)", "code", 3),
        ("[1] A. Author: Ice. 1990.", "reference", 3),
    ]
    alone = SkippedLine("Alone", "heading", 0, 0)
    assert traced_file(analysed, span("Alone", "heading")) == Trace(
        (), pytest.approx(0, abs=9), skipped=1, skipped_lines=(alone,)
    )


def test_titles_and_fragments_support_nothing_unless_a_person_asks_for_all_passages(analysed: AnalysedLibrary) -> None:
    title = "What sleep is for the brain"
    draft = "Sleep is for the brain what rest is."
    analysed.put("a.txt", title, layout="heading")
    analysed.put("b.txt", "To the brain.", "Sleep, brain.", layout="body")
    found = traced_file(analysed, span(draft, "body"), span("What sleep is for", "heading"))
    assert [hit.text for each in found.sentences for hit in each.sources] == []
    assert [each.support for each in found.sentences] == ["unsupported"]
    scope = Scope(all_passages=True)
    every = traced_file(analysed, span(draft, "body"), span(title, "heading"), scope=scope)
    assert every.sentences[0].sources[0].text == title
    assert every.sentences[1].support == "verbatim"


def test_a_text_without_known_words_is_verbatim_if_the_library_has_it(analysed: AnalysedLibrary) -> None:
    here = analysed.put("a.txt", "¿…?", ICE)
    (same, other) = followed(analysed, HashingEncoder(), spans("¿…?", "!!!")).sentences
    assert (same.support, [hit.document_id for hit in same.sources]) == ("verbatim", [here])
    assert (other.support, other.sources) == ("unsupported", ())


def test_the_identical_sentence_is_the_best_source_even_if_its_vector_is_damaged(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, "The old ice of the north melts faster each year.")
    analysed.damage(ICE)
    (sentence,) = followed(analysed, HashingEncoder(), spans(ICE)).sentences
    assert (sentence.support, sentence.sources[0].text) == ("verbatim", ICE)


def test_a_draft_is_no_source_of_its_own(analysed: AnalysedLibrary) -> None:
    lines = [ICE, *(f"The old ice of the north melts faster every year, {year}." for year in range(20))]
    analysed.put("draft.txt", *lines)
    analysed.put("b.txt", "The old ice of the north melts faster each year.")
    draft = [span(text, "body") for text in lines]
    for path in ("/papers/draft.txt", "/elsewhere/draft.txt"):  # by its place, and by its content
        found = traced_file(analysed, *draft, path=path)
        assert found.own == ("draft.txt",)
        assert {hit.title for sentence in found.sentences for hit in sentence.sources} == {"b.txt"}
        assert {sentence.support for sentence in found.sentences} == {"paraphrased"}
    again = analysed.put("c.txt", ICE)
    found = traced_file(analysed, *draft, path="/papers/draft.txt")
    assert found.sentences[0].support == "verbatim", "another document has it too"
    assert found.sentences[0].sources[0].document_id == again
    found = traced_file(analysed, *draft, path="/papers/other.txt")
    assert (found.own, found.sentences[1].support) == ((), "verbatim")


def test_a_source_that_two_queries_find_is_listed_once(analysed: AnalysedLibrary) -> None:
    # To the model they are equal: sentences of the draft alone come before the one that another document has too.
    alike = [" ".join(["Rivers", *some]) + "." for some in itertools.permutations(("carry", "silt", "down", "here"))]
    analysed.put("draft.txt", *alike)
    analysed.put("b.txt", alike[-1])
    found = traced_file(analysed, span(alike[-1], "body"), path="/papers/draft.txt")
    assert [hit.title for hit in found.sentences[0].sources] == ["b.txt"]


class Quick(HashingEncoder):
    """Sees of a text nothing but a checksum: for many of them."""

    def encode(self, texts: list[str], **options: object) -> object:
        rows = np.zeros((len(texts), DIM), np.float32)
        rows[np.arange(len(texts)), [zlib.crc32(text.encode()) % DIM for text in texts]] = 1.0
        return rows


@pytest.mark.slow
def test_a_draft_of_fifty_thousand_sentences_is_stopped_in_the_middle(
    analysed: AnalysedLibrary, tmp_path: Path
) -> None:
    file = tmp_path / "long.txt"
    file.write_text("\n\n".join(f"Sentence number {number} of it says little." for number in range(50_000)), "utf-8")
    analysed.put("a.txt", "Sentence number 7 of it says little.")
    context = make_context(analysed.engine, analysed.library, lambda: Quick(64), start_reader=ProcessReader)
    job = TraceService(context).trace_file(str(file))
    growing: list[GrowingTrace] = []

    def stop(progress: object) -> None:
        if isinstance(progress, TraceProgress) and progress.growing is not None and len(progress.growing) > 25_000:
            growing.append(progress.growing)
            job.cancel()

    job.on_progress(stop)
    with pytest.raises(Cancelled):
        job.wait(600)
    part = growing[-1].so_far()
    assert 25_000 < len(part.sentences) < 30_000
    assert len(part.sentences) + part.left == 50_000
    assert [at for at, sentence in enumerate(part.sentences) if sentence.support == "verbatim"] == [7]
    assert analysed.do(lambda: analysed.library().info().documents) == 1


# Two documents next to each other


def aligner(analysed: AnalysedLibrary, **files: list[str]) -> TraceService:
    """The aligner; its files are named like the arguments."""
    reader = ScriptedReader({name: script(texts) for name, texts in files.items()})
    encoders = {encoder.model.fingerprint: encoder for encoder in (HashingEncoder(), Other())}
    return TraceService(
        make_context(
            analysed.engine,
            analysed.library,
            lambda: encoders[analysed.library().models.current.fingerprint],
            start_reader=lambda: reader,
        )
    )


def changes(found: Diff) -> dict[str, int]:
    return {change: count for change, count in found.counts.items() if count}


TWENTY = [ICE] * 20


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([], [], {}),
        ([], [ICE], {"new": 1}),
        ([ICE], [], {"dropped": 1}),
        (TWENTY, TWENTY, {"kept": 20}),
        (TWENTY, TWENTY[:5], {"kept": 5, "dropped": 15}),
        (["One.", *TWENTY], [*TWENTY, "One."], {"kept": 20, "moved": 1}),
        ([ICE + "." * at for at in range(9)], [ICE + "!" * at for at in range(9)], {"kept": 9}),
    ],
)
def test_tiny_and_uniform_documents_are_aligned(
    analysed: AnalysedLibrary, a: list[str], b: list[str], expected: dict[str, int]
) -> None:
    empty = aligner(analysed, a=a, b=b).diff("a", "b").wait(PATIENCE_S)
    assert changes(empty) == expected, "two files, while the library is empty"
    ids = [analysed.put("a.txt", *a), analysed.put("b.txt", *b)]
    assert changes(aligner(analysed).diff(*ids).wait(PATIENCE_S)) == expected, "two documents"
    assert changes(aligner(analysed, b=b).diff(ids[0], "b").wait(PATIENCE_S)) == expected
    assert changes(aligner(analysed, a=a).diff("a", ids[1]).wait(PATIENCE_S)) == expected


def test_no_cosine_of_two_documents_exceeds_one(analysed: AnalysedLibrary) -> None:
    texts = [f"The {number}th sentence has {number} words of its own, or {number + 1}." for number in range(40)]
    found = aligner(analysed).diff(analysed.put("a.txt", *texts), analysed.put("b.txt", *texts)).wait(PATIENCE_S)
    assert {row.score for row in found.rows if row.score is not None and row.score > 1} == set()


def test_a_sentence_with_a_damaged_vector_is_matched_to_itself(analysed: AnalysedLibrary) -> None:
    a, b = analysed.put("a.txt", "One.", ICE), analysed.put("b.txt", ICE, "Another one.")
    analysed.damage(ICE)
    found = aligner(analysed).diff(a, b).wait(PATIENCE_S)
    assert [row.change for row in found.rows if row.b and row.b.text == ICE] == ["kept"]


def test_moved_and_changed_sentences_show_their_differing_words(analysed: AnalysedLibrary) -> None:
    rest = ["Bread is mostly waiting.", "Salt is salt."]
    a = analysed.put("a.txt", ICE, *rest)
    b = analysed.put("b.txt", *rest, ICE.replace("faster", "slower"))
    (row,) = (row for row in aligner(analysed).diff(a, b).wait(PATIENCE_S).rows if row.change == "moved")
    assert row.is_reworded
    assert row.a is not None
    assert row.b is not None
    assert [row.a.text[start:stop] for start, stop in row.differs_a] == ["faster"]
    assert [row.b.text[start:stop] for start, stop in row.differs_b] == ["slower"]


def test_a_switch_of_models_during_the_alignment_is_noticed(analysed: AnalysedLibrary) -> None:
    texts = [f"Word{number} stands here." for number in range(300)]
    a, b = analysed.put("a.txt", *texts), analysed.put("b.txt", *reversed(texts))
    before = aligner(analysed).diff(a, b).wait(PATIENCE_S)
    switching: list[object] = []
    with analysed.held():
        job = aligner(analysed).diff(a, b)
        job.on_progress(lambda _: switching or switching.append(analysed.switch(Other(), Lane.FRONT)))
    found = job.wait(PATIENCE_S)
    assert switching
    assert changes(found) == changes(aligner(analysed).diff(a, b).wait(PATIENCE_S)), "all of it is the new model's"
    assert changes(found) != changes(before)


def test_sentences_of_a_file_have_its_name_and_place(analysed: AnalysedLibrary) -> None:
    number = analysed.put("b.txt", "Bread is mostly waiting.")
    found = aligner(analysed, **{"a.txt": [ICE, "Salt is salt."]}).diff("a.txt", number).wait(PATIENCE_S)
    hits = [row.a for row in found.rows if row.a is not None]
    assert [(hit.rank, hit.ordinal, hit.text, hit.document_id) for hit in hits] == [
        (1, 0, ICE, 0),
        (2, 1, "Salt is salt.", 0),
    ]
    assert {(hit.title, hit.path, hit.type) for hit in hits} == {("a.txt", "a.txt", "text")}


def test_an_empty_draft_has_no_sentences(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE)
    assert aligner(analysed).trace_text(" \n").wait(PATIENCE_S).sentences == ()


def test_results_are_written_with_the_documents_that_they_cite(analysed: AnalysedLibrary, tmp_path: Path) -> None:
    a, b = analysed.put("a.txt", ICE, "Salt is salt."), analysed.put("b.txt", ICE)
    service = aligner(analysed)
    assert service.export(service.diff(a, b).wait(PATIENCE_S), str(tmp_path / "diff.csv")).wait(PATIENCE_S) == 2
    assert len((tmp_path / "diff.csv").read_text("utf-8").splitlines()) == 3
    found = followed(analysed, HashingEncoder(), spans(ICE, "Quite another matter."))
    assert service.export(found, str(tmp_path / "draft.jsonl")).wait(PATIENCE_S) == 2
    assert len((tmp_path / "draft.jsonl").read_text("utf-8").splitlines()) == 2
    service.export(found, str(tmp_path / "draft.bib")).wait(PATIENCE_S)
    assert "a.txt" in (tmp_path / "draft.bib").read_text("utf-8")


def test_a_sentence_that_the_model_cannot_embed_is_named_with_its_place_in_the_file(
    analysed: AnalysedLibrary,
) -> None:
    number, encoder = analysed.put("b.txt", ICE), HashingEncoder()
    encoder.refused = {"Salt is salt."}
    reader = ScriptedReader({"a.txt": script([ICE, "Salt is salt."])})
    service = TraceService(
        make_context(analysed.engine, analysed.library, lambda: encoder, start_reader=lambda: reader)
    )
    with pytest.raises(VectorNotFinite, match=r"sentence 2 of a\.txt"):
        service.diff("a.txt", number).wait(PATIENCE_S)


def test_progress_counts_each_sentence_once(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE)
    draft = spans(*(f"Word{number} stands here." for number in range(300)))
    steps = trace_sentences(
        analysed.library(), HashingEncoder(), draft, 3, EVERYTHING, lambda: False, time.perf_counter()
    )
    done = [step.done for step in analysed.do(lambda: list(steps)) if isinstance(step, TraceProgress)]
    assert done == sorted(done)
    assert done[-1] == 300
    assert done[0] < 300


def test_a_source_that_says_the_same_comes_before_a_nearer_one_with_another_number(analysed: AnalysedLibrary) -> None:
    nearer, same = (
        "The deposit for the flat is 2000 euros.",
        "So the whole deposit for the flat is now just 3500 euros.",
    )
    draft = spans("The deposit for the flat is 3500 euros.")
    analysed.put("a.txt", nearer)
    (alone,) = followed(analysed, HashingEncoder(), draft).sentences
    assert (alone.support, alone.badges, alone.differs) == ("paraphrased", ("numbers",), True)
    analysed.put("b.txt", same)
    found = followed(analysed, HashingEncoder(), draft)
    (sentence,) = found.sentences
    assert [hit.text for hit in sentence.sources] == [same, nearer]
    assert sentence.sources[0].score < sentence.sources[1].score
    assert (sentence.badges, sentence.score, found.differing) == ((), sentence.sources[0].score, 0)
    assert [hit.badges for hit in sentence.sources] == [(), ("numbers",)], "each says how it differs"
