"""Scores that a person reads are exact; the fastest way to compute is found in the background."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import VectorNotFinite
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.messages import verbatim
from desktop_app.core.reader_events import DocumentHead, FileRef, ReadingDone, SentenceSpan
from desktop_app.core.records import DeviceInfo, Place
from desktop_app.engine import compare, embedding
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.workspace import Workspace
from desktop_app.store.library import LocalLibrary
from tests.engine.fakes import HashingEncoder, ScriptedReader, TunableEncoder
from tests.patience import PATIENCE_S
from tests.steps import run_steps


def nobody() -> bool:
    """Report that nobody is typing."""
    return False


def test_the_scores_of_pairs_are_computed_in_full_precision() -> None:
    encoder = HashingEncoder()
    run_steps(compare.compare_texts(encoder, "one", "two"))
    run_steps(compare.compare_rows(encoder, ["one"], ["two"], nobody))
    run_steps(compare.find_text_pairs(encoder, ["one", "two", "one"], 10, (-1.0, 1.0), None, nobody))
    assert encoder.exact == [True, True, True]


def test_a_matrix_is_computed_in_the_fastest_precision() -> None:
    encoder = TunableEncoder()
    _, report = run_steps(compare.embed_and_measure(encoder, [f"text {n}" for n in range(1024)], nobody, raw=False))
    assert (report.device.precision, set(encoder.exact), encoder.before) == ("bf16", {False}, [])


def test_a_few_lines_are_not_worth_tuning() -> None:
    encoder = TunableEncoder()
    run_steps(compare.embed_and_measure(encoder, ["one", "two"], nobody, raw=False))
    assert encoder.steps == 0


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[tuple[Workspace, TunableEncoder]]:
    encoder = TunableEncoder()
    workspace = Workspace(
        EngineSetup(
            open_library=lambda: LocalLibrary.open(tmp_path / "library", writable=True, create=True),
            load_encoder=lambda _model: encoder,
            start_reader=lambda: ScriptedReader({}),
            is_supported=lambda _path: True,
            choose_device=lambda _model: encoder.device,
        )
    )
    yield workspace, encoder
    workspace.close()


def test_the_encoder_is_tuned_once_the_program_is_ready(
    workspace: tuple[Workspace, TunableEncoder],
) -> None:
    kindred, encoder = workspace
    reported = threading.Event()
    kindred.engine.listen(lambda changes: reported.set() if changes.encoder else None)
    assert kindred.prepare().wait(PATIENCE_S).device == HashingEncoder.device
    assert reported.wait(PATIENCE_S)
    assert kindred.status().wait(PATIENCE_S).device == encoder.device
    assert str(encoder.device.note) == "bf16: twice as fast"


@pytest.mark.parametrize("sentences", [1200, 20])
def test_a_search_is_rehearsed_if_the_first_would_be_slow(
    workspace: tuple[Workspace, TunableEncoder], tmp_path: Path, sentences: int
) -> None:
    kindred, encoder = workspace
    texts = [f"Sentence {n} of a book about {n % 7} rivers." for n in range(sentences)]
    with LocalLibrary.open(tmp_path / "library") as library:
        library.models.bind(encoder.model)
        document = library.documents.add([FileRef("/papers/book", 1, 1)])[0]
        library.ingest.begin(document.document_id, DocumentHead("text", "b"))
        spans = [SentenceSpan(text, (Place(None, 0, 1, "char"),), 0) for text in texts]
        library.ingest.append(document.document_id, spans, texts, encoder.encode(texts))
        library.ingest.finish(document.document_id, ReadingDone())
    kindred._tune(encoder).wait(PATIENCE_S)
    is_measured = kindred.context.calibrator._measured is not None
    assert is_measured is (sentences >= 1000), "what scores mean is known before anybody asks"


def test_no_change_is_reported_if_the_device_stays() -> None:
    encoder = TunableEncoder()
    assert ChangeSet(encoder=True) in list(embedding.tune_encoder(encoder))
    assert list(embedding.tune_encoder(encoder)) == []


def test_rows_are_embedded_in_short_steps_and_leave_a_core_free() -> None:
    encoder = HashingEncoder()
    encoder.device = DeviceInfo("cpu", "fp32", 4)
    run_steps(compare.compare_rows(encoder, [f"text {n}" for n in range(40)], ["two"] * 40, lambda: True))
    assert encoder.timeout_s
    assert None not in encoder.timeout_s
    assert set(encoder.threads[:-1]) == {3}
    assert encoder.threads[-1] == 0, "afterwards all compute again"


def test_a_text_without_a_vector_is_named_with_its_place() -> None:
    encoder = HashingEncoder()
    encoder.refused = {"bad"}
    for steps in (
        compare.embed_and_measure(encoder, ["one", "one", "two", "bad"], nobody, raw=False),
        compare.find_text_pairs(encoder, ["one", "one", "two", "bad"], 3, (-1.0, 1.0), None, nobody),
        compare.compare_rows(encoder, ["one", "one", "two", "two"], ["two", "two", "one", "bad"], nobody),
    ):
        with pytest.raises(VectorNotFinite, match="“bad”") as caught:
            run_steps(steps)
        assert (caught.value.text, caught.value.sentence) == (3, "bad")


def test_a_row_of_a_table_without_a_vector_is_named(tmp_path: Path) -> None:
    encoder = HashingEncoder()
    encoder.refused = {"bad"}
    file = tmp_path / "pairs.tsv"
    file.write_text("sentence1\tsentence2\none\ttwo\n\none\tbad\n", "utf-8")
    with pytest.raises(VectorNotFinite, match="line 4 of "):
        run_steps(compare.score_table(encoder, str(file), nobody))


def test_a_failed_graphics_processor_is_reported_after_the_request(
    workspace: tuple[Workspace, TunableEncoder],
) -> None:
    kindred, encoder = workspace
    kindred.prepare().wait(PATIENCE_S)
    while encoder.steps < 1 or kindred.engine.has_job("tune"):
        kindred.status().wait(PATIENCE_S)
    told = threading.Event()
    kindred.engine.listen(lambda changes: told.set() if changes.encoder else None)
    encode = encoder.encode

    def failing(texts: Sequence[str], **more: Any) -> Any:
        encoder.device = replace(
            encoder.device, device="cpu", failure=verbatim("cuda failed (gone): switched to the CPU")
        )
        return encode(texts, **more)

    encoder.encode = failing  # type: ignore[method-assign]
    kindred.comparison.compare("the sea", "the shore").wait(PATIENCE_S)
    assert told.wait(PATIENCE_S)
    assert str(kindred.context.device_failure) == "cuda failed (gone): switched to the CPU"
