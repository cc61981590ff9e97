"""Negatives from a library: near an anchor, but not matching it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.errors import AppError, BadData, StorageFull
from desktop_app.core.jobs import Progress
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.reader_events import ReadingDone
from desktop_app.core.training import NegativesRequest, TrainingRequest, read_negatives, write_negatives
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.encoder import SiameseEncoder
from desktop_app.engine import negative_mining
from desktop_app.engine.engine import Engine
from desktop_app.engine.negative_mining import mine_negatives
from desktop_app.engine.training import TrainingService
from desktop_app.store.library import LocalLibrary
from tests.encoder.conftest import make_model  # noqa: F401 - a fixture
from tests.in_process_work import InProcessWork
from tests.patience import PATIENCE_S
from tests.store.helpers import add, head, spans_of

from .fakes import make_context

SENTENCES = [
    "How do I get a new card?",
    "How do I get a replacement card?",
    "How can I order a new card, please?",
    "My new card has not arrived.",
    "Why was I charged for the transfer?",
    "The weather in the mountains was cold.",
]
ANCHOR, POSITIVE = "How do I get a new card?", "How can I order a new card?"
NEAR = "My new card has not arrived."


@pytest.fixture(scope="module")
def encoder() -> SiameseEncoder:
    """The bundled model."""
    return SiameseEncoder(device="cpu", precision="fp32", threads=1)


def open_library(folder: Path, encoder: SiameseEncoder, sentences: list[str]) -> LocalLibrary:
    """Return a library of one document."""
    made = LocalLibrary.open(folder, writable=True, create=True)
    made.models.bind(encoder.model)
    if sentences:
        document = add(made, "cards.txt")
        made.ingest.begin(document, head())
        made.ingest.append(document, spans_of(sentences), sentences, encoder.encode(sentences))
        made.ingest.finish(document, ReadingDone())
    return made


@pytest.fixture
def library(tmp_path, encoder):  # noqa: ANN201
    made = open_library(tmp_path / "library", encoder, SENTENCES)
    yield made
    made.close()


def run(steps):  # noqa: ANN201
    while True:
        try:
            assert isinstance(next(steps), Progress)
        except StopIteration as end:
            return end.value


def test_the_nearest_sentence_that_does_not_match_a_row_is_its_negative(library, encoder) -> None:
    found = run(mine_negatives(library, encoder, NegativesRequest(((ANCHOR, POSITIVE),)), lambda: False))
    # Neither itself nor a paraphrase: that is as near as the positive, or a copy of it.
    assert found == {(ANCHOR, POSITIVE): NEAR}
    a, p, n = encoder.encode([ANCHOR, POSITIVE, NEAR])
    assert a @ n < (1 - negative_mining.NEGATIVE_MARGIN) * (a @ p)


def test_validation_rows_and_matches_of_other_rows_are_no_negatives(library, encoder) -> None:
    held = run(
        mine_negatives(library, encoder, NegativesRequest(((ANCHOR, POSITIVE),), frozenset({NEAR})), lambda: False)
    )
    assert held[ANCHOR, POSITIVE] in SENTENCES[4:]
    also = NegativesRequest(((ANCHOR, POSITIVE), (ANCHOR, NEAR.upper())))
    assert run(mine_negatives(library, encoder, also, lambda: False))[ANCHOR, POSITIVE] in SENTENCES[4:]


def test_more_sentences_are_tried_if_the_nearest_all_mean_the_same(library, encoder, monkeypatch) -> None:
    monkeypatch.setattr(negative_mining, "_NEIGHBOUR_COUNTS", (2, 50))
    assert run(mine_negatives(library, encoder, NegativesRequest(((ANCHOR, POSITIVE),)), lambda: False)) == {
        (ANCHOR, POSITIVE): NEAR
    }
    monkeypatch.setattr(negative_mining, "_NEIGHBOUR_COUNTS", (2,))
    with pytest.raises(BadData, match="no suitable negatives"):
        run(mine_negatives(library, encoder, NegativesRequest(((ANCHOR, POSITIVE),)), lambda: False))


def test_negatives_are_read_from_their_file_unchanged(tmp_path) -> None:
    found = {("a\tb", "c\u2028d"): "e\r\nf", ("\ud800", "ü"): '"'}
    write_negatives(tmp_path / "negatives.jsonl", found)
    assert read_negatives(tmp_path / "negatives.jsonl") == found


def _no_room(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_training_uses_the_librarys_negatives_from_a_temporary_file(
    encoder,
    tmp_path,
    make_model,  # noqa: F811
    monkeypatch,
) -> None:
    rows = [(f"How do I get a new {thing}?", f"How can I order a new {thing}?") for thing in ("card", "key", "pin")]
    rows += [("Why did the transfer cost money?", "What was the fee of the transfer?"), ("a cat", "the cat")]
    file = tmp_path / "rows.tsv"
    file.write_text("anchor\tpositive\n" + "\n".join("\t".join(row) for row in rows), "utf-8")
    seen: list[Path] = []

    def start(task: str, request: TrainingRequest) -> InProcessWork:
        if request.negatives:
            seen.append(Path(request.negatives))
            assert NEAR in read_negatives(seen[0]).values()
        return InProcessWork(task, request)

    engine, opened = Engine(), dict[str, LocalLibrary]()

    def library_of(name: str, sentences: list[str]) -> LocalLibrary:
        if name not in opened:
            opened[name] = open_library(tmp_path / name, encoder, sentences)
            engine.at_exit(opened[name].close)
        return opened[name]

    settings = TrainingSettings("triplet", mining="library", epochs=1, batch_size=4, validation=0.0, max_length=24)
    asked = TrainingRequest(
        (DataFile(str(file)),), str(tmp_path / "made"), settings, model=str(make_model()), device="cpu", threads=1
    )
    engine.start()
    try:
        tuning = TrainingService(
            make_context(engine, lambda: library_of("full", SENTENCES), lambda: encoder, start_task=start)
        )
        report = tuning.train(asked).wait(PATIENCE_S)
        assert Path(report.output).is_dir()
        assert 4 <= report.rows <= len(rows)
        assert len(seen) == 1
        assert not seen[0].exists()  # sentences of documents do not outlive the training
        with monkeypatch.context() as patched:
            patched.setattr(Path, "write_text", _no_room)
            with pytest.raises(StorageFull, match="No space left"):
                tuning.train(replace(asked, output=str(tmp_path / "other"))).wait(PATIENCE_S)
        assert not (tmp_path / "other").exists()
        empty = TrainingService(
            make_context(engine, lambda: library_of("empty", []), lambda: encoder, start_task=start)
        )
        with pytest.raises(AppError, match="no sentences to use as negatives"):
            empty.train(asked).wait(PATIENCE_S)
    finally:
        engine.stop()
