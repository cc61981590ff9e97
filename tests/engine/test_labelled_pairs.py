"""A person's labels as a data set: in a file while it is needed, and deleted afterwards."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from desktop_app.core.errors import BadData, StorageFull
from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile
from desktop_app.core.training import TrainingRequest
from desktop_app.core.training_checkpoints import request_from_json, request_to_json
from desktop_app.core.training_settings import TrainingSettings
from desktop_app.core.user_data import Judgement
from desktop_app.engine import labelled_pairs
from desktop_app.engine.engine import Engine
from desktop_app.engine.evaluation import EvaluationService
from desktop_app.engine.labelled_pairs import collect_labelled_pairs
from desktop_app.engine.training import TrainingService
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S

from .fakes import make_context


class Reads:
    """Work that reads its data at once."""

    def __init__(self, request) -> None:
        file = request.data[0] if isinstance(request, TrainingRequest) else getattr(request, "data", request)
        self.is_finished = False
        self.path = Path(file.path)
        self._text = self.path.read_text("utf-8")

    def poll(self):  # noqa: ANN201
        self.is_finished = True
        return self._text, self.path

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def parts(tmp_path):  # noqa: ANN201
    engine, library = Engine(), []

    def open_library() -> LocalLibrary:
        if not library:
            library.append(LocalLibrary.open(tmp_path / "library", writable=True, create=True))
            engine.at_exit(library[0].close)
        return library[0]

    engine.start()
    yield engine, open_library
    engine.stop()


def test_labels_are_a_file_while_they_are_needed(parts) -> None:
    engine, open_library = parts
    tuning = TrainingService(make_context(engine, open_library, start_task=lambda _task, request: Reads(request)))
    judging = EvaluationService(make_context(engine, open_library, start_task=lambda _task, request: Reads(request)))
    asked = TrainingRequest((DataFile(PAIR_LABELS),), "out", TrainingSettings())
    with pytest.raises(BadData, match="not rated any pairs"):
        tuning.train(asked).wait(PATIENCE_S)
    engine.submit("judge", lambda: open_library().pair_labels.judge("A cat.", "One cat.", True)).wait(PATIENCE_S)
    engine.submit("judge", lambda: open_library().pair_labels.judge("A cat.", "A dog.", False)).wait(PATIENCE_S)
    for job in (
        tuning.train(asked),
        judging.preview(DataFile(PAIR_LABELS)),
        judging.evaluate(EvaluationRequest(DataFile(PAIR_LABELS))),
    ):
        text, path = job.wait(PATIENCE_S)
        header, *rows = text.splitlines()
        assert header.split("\t") == ["sentence1", "sentence2", "label"]
        assert sorted(row.rpartition("\t")[2] for row in rows) == ["0", "1"]
        assert not path.exists()


@pytest.mark.parametrize("where", ["folder", "file"])
def test_no_space_for_labels_is_reported_and_leaves_nothing(parts, monkeypatch, tmp_path, where) -> None:
    engine, open_library = parts
    make_folder = Path.mkdir

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def refuse_temporary(path: Path, *mode: int, **options: bool) -> None:
        if path.name.startswith("kindred-"):
            refuse()
        make_folder(path, *mode, **options)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if where == "folder":
        monkeypatch.setattr(Path, "mkdir", refuse_temporary)
    else:
        monkeypatch.setattr(labelled_pairs, "write_pair_labels", refuse)
    engine.submit("judge", lambda: open_library().pair_labels.judge("A cat.", "One cat.", True)).wait(PATIENCE_S)
    tuning = TrainingService(make_context(engine, open_library, start_task=lambda _task, request: Reads(request)))
    with pytest.raises(StorageFull, match="No space left") as caught:
        tuning.train(TrainingRequest((DataFile(PAIR_LABELS),), "out", TrainingSettings())).wait(PATIENCE_S)
    assert "Free some space" in str(caught.value.hint)
    assert not list(tmp_path.glob("kindred-*"))


def test_judged_hits_are_labels_too(parts) -> None:
    engine, open_library = parts

    class Kept:
        pair_labels = property(lambda _self: open_library().pair_labels)
        user_data = property(lambda self: self)

        def judgements(self) -> list[Judgement]:
            return [
                Judgement("cats type:pdf -dog", 1, "A cat sleeps.", True),
                Judgement("cats", 2, "Bread.", False),
                Judgement("type:pdf", 3, "Only a condition was asked.", True),
                Judgement("cats | dogs", 4, "It is good for one of them.", True),
                Judgement("cats | dogs", 5, "It is good for neither.", False),
                Judgement("cats | dogs match:all", 6, "It is good for both.", True),
                Judgement("cats | dogs match:all", 7, "It is not good for one of them.", False),
            ]

    engine.submit("judge", lambda: open_library().pair_labels.judge("A cat.", "One cat.", True)).wait(PATIENCE_S)
    found = engine.submit("marks", lambda: collect_labelled_pairs(Kept())).wait(PATIENCE_S)
    assert [(each.a, each.b, each.same) for each in found][1:] == [
        ("cats", "A cat sleeps.", True),
        ("cats", "Bread.", False),
        *((query, "It is good for neither.", False) for query in ("cats", "dogs")),
        *((query, "It is good for both.", True) for query in ("cats", "dogs")),
    ]
    assert {found[0].a, found[0].b} == {"A cat.", "One cat."}


def test_a_stopped_training_on_labels_finds_them_again() -> None:
    request = TrainingRequest((DataFile("/nowhere/my-marks.tsv"),), "out", TrainingSettings())
    assert request_from_json(request_to_json(request)).data == (DataFile(PAIR_LABELS),)
    other = TrainingRequest((DataFile("pairs.tsv", ("a", "b"), (0.0, 5.0)),), "out", TrainingSettings("softmax"))
    assert request_from_json(request_to_json(other)) == other
    with pytest.raises(ValueError, match="no request"):
        request_from_json('{"data": 3}')
