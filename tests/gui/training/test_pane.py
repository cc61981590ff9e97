"""The Train pane: reading data, following a training, using its model, evaluating and comparing models."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QScrollBar, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.compose import open_workspace
from desktop_app.core.errors import StorageFull
from desktop_app.core.evaluation import Evaluation
from desktop_app.core.jobs import WAITING, ChangeSet, Job, Steps
from desktop_app.core.labelled_data import DataFile, DataKind
from desktop_app.core.models import ModelEntry
from desktop_app.core.paths import Paths, resources_folder
from desktop_app.core.scope import ScopePart
from desktop_app.core.score_intervals import ScoreDifference
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.core.training import EpochReport, StepReport, TrainingReport, TrainingRequest
from desktop_app.core.training_checkpoints import claim_output
from desktop_app.core.training_settings import PRESETS, TrainingSettings
from desktop_app.core.user_data import SavedSearch
from desktop_app.encoder.models.registry import ModelRegistry
from desktop_app.encoder.training.tasks import train
from desktop_app.gui.base import display_text
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.library.backup_dialog import BackupDialog
from desktop_app.gui.models.pane import ModelsPage
from desktop_app.gui.shell import window_language
from desktop_app.gui.shell.main_window import MainWindow
from desktop_app.gui.training import labels
from desktop_app.gui.training.data_card import DataFormatFields, LabelledFileField
from desktop_app.gui.training.labels import describe_rows
from desktop_app.gui.training.pane import TrainingPane
from desktop_app.gui.training.plot import LinePlot, PlotSeries, choose_ticks, smooth_curve
from desktop_app.gui.training.run_card import TrainingProgressCard
from desktop_app.gui.training.scores_view import choose_score_file, fill_score_table
from desktop_app.gui.widgets.fields import ChoiceBox
from desktop_app.gui.widgets.forms import FormGrid
from desktop_app.gui.widgets.item_views import ResultTable
from tests.encoder.conftest import make_model  # noqa: F401 - a fixture
from tests.gui.conftest import Kindred, drop
from tests.in_process_work import in_process  # noqa: F401 - a fixture
from tests.patience import PATIENCE_MS, PATIENCE_S
from tests.steps import run_steps

THINGS = ["cat", "dog", "horse", "bird", "fish", "cow", "sheep", "goat", "duck", "goose", "ship", "river"]


class Trained:
    """A window on a real library and a tiny real model, with the Train pane open."""

    def __init__(self, folder: Path, model: Path, models: Path, themes: ThemeManager, qtbot: QtBot) -> None:
        self.folder, self.models, self.qtbot = folder, models, qtbot
        self.is_closed = False
        paths = Paths.under(folder / "base")
        self.models_folder = paths.models
        settings = Settings(theme="light", model=str(model), precision="fp32", threads=2)
        launch = LaunchOptions(settings, paths.default_library, "", True, True, paths.cache, paths.models)
        self.workspace = open_workspace(launch)
        self.bridge = Bridge()
        self.window = MainWindow(self.workspace, self.bridge, themes, settings, paths, lambda _: None)
        self.window.resize(1200, 900)
        self.window.painted.connect(self.window.start)
        self.window.show()
        qtbot.waitUntil(lambda: self.window.session.phase == "ready")
        self.window.action_table["pane.train"].trigger()
        self.pane: TrainingPane = self.window.panes.pane("train")
        qtbot.waitUntil(lambda: self.window.models.listed is not None and self.pane.start.model.count() > 0)

    def choose_tiny(self) -> None:
        """Train the tiny model; for an empty library the bundled one is chosen, which is 20 times as large."""
        shutil.copytree(self.models, self.models_folder, dirs_exist_ok=True)
        self.window.models.refresh()
        self.qtbot.waitUntil(lambda: self.pane.start.model.count() == 2)
        self.pane.start.model.setCurrentIndex(1)

    def fill(self) -> None:
        """Put three sentences into the library."""
        text = self.folder / "sea.txt"
        text.write_text("The sea rises.\nA cat sleeps on the wall.\nBread is mostly waiting.", "utf-8")
        self.window.imports.start([str(text)])
        self.qtbot.waitUntil(lambda: self.window.session.status.library.vectors == 3)
        self.window.models.refresh()
        self.qtbot.waitUntil(
            lambda: any(state.active for state in self.window.models.listed.models), timeout=PATIENCE_MS
        )

    def take(self, file: Path) -> None:
        assert drop(self.pane.data, [file], keys=Qt.KeyboardModifier.ShiftModifier), (
            "copied although a key asks to move"
        )
        self.qtbot.waitUntil(
            lambda: self.pane.data.preview is not None or self.pane.data.problem.isVisible(), timeout=PATIENCE_MS
        )

    def set(self, **changes: object) -> None:
        self.pane.settings.show_settings(replace(self.pane.settings.settings, **changes))

    def until(self, state: str) -> None:
        self.qtbot.waitUntil(lambda: self.pane.trainings.state == state)

    def active(self) -> str:
        return next(state.entry.name for state in self.window.models.listed.models if state.active)

    def close(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        self.window.close()
        self.workspace.close()
        self.bridge.close()
        self.window.deleteLater()
        self.bridge.deleteLater()
        QApplication.processEvents()


@pytest.fixture(scope="module")
def tiny(make_model: Callable[..., Path]) -> Path:  # noqa: F811
    return make_model()


@pytest.fixture(scope="module")
def other_tiny(make_model: Callable[..., Path]) -> Path:  # noqa: F811
    """The same weights with another pooling."""
    return make_model(pooling={"pooling_mode_cls_token": True})


@pytest.fixture(scope="module")
def models(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for models that lists the tiny one."""
    folder = tmp_path_factory.mktemp("models")
    run_steps(ModelRegistry(folder).add(str(tiny)))
    return folder


@pytest.fixture
def trained(
    tmp_path: Path,
    tiny: Path,
    models: Path,
    themes: ThemeManager,
    qtbot: QtBot,
    in_process: None,  # noqa: F811
) -> Iterator[Trained]:
    made = Trained(tmp_path, tiny, models, themes, qtbot)
    yield made
    made.close()


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    rows = []
    for number in range(40):
        thing, same = THINGS[number % 12], number % 2
        other = thing if same else THINGS[(number + 5) % 12]
        rows.append(f"the {thing} sleeps {number}\ta {other} is asleep {number}\t{same}")
    file = tmp_path / "pairs.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    return file


def test_a_training_that_learns_from_words_says_how_far_it_is(trained: Trained, tmp_path: Path) -> None:
    rows = [f"the boat has {n} stones\tthe boat had {n + n % 2} old stones\t{1 - n % 2}" for n in range(0, 1200, 3)]
    file = tmp_path / "many.tsv"
    file.write_text("sentence1\tsentence2\tlabel\n" + "\n".join(rows), "utf-8")
    pane = trained.pane
    trained.choose_tiny()
    trained.fill()
    trained.take(file)
    trained.set(epochs=1, batch_size=64, max_length=16, validation=0.2, learning_rate=1e-3, words=True)
    card = trained.window.findChild(TrainingProgressCard)
    said: list[tuple[str, str]] = []
    pane.trainings.progress_advanced.connect(lambda: said.append((pane.run.detail.text(), card.detail.text())))
    pane.start.start.click()
    trained.until("done")
    assert [both for both in said if all(text.startswith("Learning from the words: step ") for text in both)]
    assert pane.result.isVisible()


def test_a_model_is_trained_used_and_reverted(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    trained.choose_tiny()
    pane = trained.pane
    trained.fill()
    assert not pane.start.start.isEnabled()
    trained.take(pairs)
    assert pane.data.kind.text() == "40 pairs, labelled same or different"
    assert "same  20 (50%)" in pane.data.bar.accessibleDescription()
    # Settings that suit the data are chosen.
    assert pane.settings.settings == PRESETS["duplicates"]
    trained.set(epochs=2, batch_size=8, max_length=16, validation=0.3, learning_rate=1e-3)
    assert pane.settings.preset.currentText() == "Custom"
    pane.start.name.setText("My: cats")
    begun_with = trained.active()
    pane.start.start.click()
    assert pane.run.isVisible()
    assert pane.run.isAncestorOf(trained.window.focusWidget())
    assert not pane.data.isVisible()
    trained.until("done")
    assert [type(report) for report in pane.trainings.steps] == [StepReport] * 8
    assert [type(report) for report in pane.trainings.epochs] == [EpochReport] * 2
    assert len(pane.result.validation.series[0].x) == 2
    report = pane.trainings.report
    assert Path(report.output) == trained.folder / "base" / "data" / "trained" / "My-cats"
    assert [name for name, _, _ in pane.result.named] == ["before", "after"]
    assert pane.result.view.scores.horizontalHeaderItem(3).text() == "change"
    assert pane.result.view.roc.series
    written = trained.folder / "scores.json"
    pane.result.write(str(written))
    assert json.loads(written.read_text("utf-8"))[1]["measures"]["accuracy"] == report.after["accuracy"]

    qtbot.waitUntil(lambda: pane.result.use.isEnabled())
    assert trained.active() == begun_with  # nothing has changed yet
    pane.result.use.click()
    qtbot.waitUntil(lambda: trained.active() == "My-cats" and not trained.window.models.doing)
    assert begun_with.rpartition("/")[2] in pane.result.back.text()
    pane.result.back.click()
    qtbot.waitUntil(lambda: trained.active() == begun_with and not trained.window.models.doing)
    # Again, where the result is no longer shown.
    preferences = ModelsPage(trained.window.models)
    qtbot.addWidget(preferences)
    qtbot.waitUntil(
        lambda: not preferences.back.isHidden() and "My-cats" in preferences.back.text(), timeout=PATIENCE_MS
    )
    pane.result.again.click()
    preferences.back.click()
    qtbot.waitUntil(lambda: trained.active() == "My-cats" and not trained.window.models.doing)
    assert pane.data.isVisible()
    assert pane.start.start.isEnabled()


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    rows = [
        f"the {THINGS[n % 12]} swims {n}\ta {THINGS[(n + n % 3) % 12]} is swimming {n}\t{5 - 2 * (n % 3)}.0"
        for n in range(30)
    ]
    file = tmp_path / "scores.tsv"
    file.write_text("sentence1\tsentence2\tscore\n" + "\n".join(rows), "utf-8")
    return file


def test_only_a_model_that_got_better_is_recommended(trained: Trained) -> None:
    result = trained.pane.result
    trained.pane.trainings.request = TrainingRequest((), "m", TrainingSettings("softmax"))
    for before, after, half_width, says, tone, is_main in (
        (0.70, 0.90, 0.05, "The model improved.", "", True),
        (0.70, 0.72, 0.10, "No clear change: with 20 validation rows", "", False),
        (0.90, 0.70, 0.05, "Training made the model worse.", "bad", False),
        (0.72, 0.70, 0.10, "The model scores lower than before", "bad", False),
        (-0.85, -0.47, 0.2, "The model improved, but it still scores pairs lower", "bad", False),
    ):
        gap = after - before
        difference = ScoreDifference("accuracy", before, after, gap - half_width, gap + half_width, 20)
        judged = Evaluation("nli", {"accuracy": after}, differences={"accuracy": difference})
        measures = ({"accuracy": before}, {"accuracy": after})
        result._show_verdict(TrainingReport("m", (), *measures, 1, None, 100, 20, 0, 1.0, 1.0, judged=judged))
        assert result.verdict.text().startswith(says)
        assert ("Things to check:" in result.verdict.text()) is (after < before), says
        assert result.verdict.property("tone") == tone, says
        assert (result.use.property("tone") == "primary") is is_main, says


def test_a_score_by_words_is_compared_with_the_cosine_before(qtbot: QtBot) -> None:
    before, after = {"spearman": {"cosine": 0.7}}, {"spearman": {"cosine": 0.71, "score": 0.76}}
    difference = ScoreDifference("spearman", 0.7, 0.76, 0.03, 0.09, 20)
    judged = Evaluation("similarity", after, differences={"spearman": difference})
    table = ResultTable("Scores", most_rows=14)
    qtbot.addWidget(table)
    fill_score_table(table, [("before", before, Evaluation("similarity", before)), ("after", after, judged)])
    rows = [[table.item(row, column).text() for column in range(4)] for row in range(table.rowCount())]
    assert rows == [
        ["Spearman, cosine", "0.7000", "0.7100", "+0.0100"],
        ["Spearman, score", "", "0.7600", "+0.0600 (+0.030 to +0.090)"],
    ]


def test_a_model_with_the_weights_of_the_start_is_not_offered(trained: Trained) -> None:
    result, trainings = trained.pane.result, trained.pane.trainings
    difference = ScoreDifference("accuracy", 0.9, 0.7, -0.3, -0.1, 20)
    judged = Evaluation("nli", {"accuracy": 0.7}, differences={"accuracy": difference})
    trainings.request = TrainingRequest((), "m", TrainingSettings("softmax"))
    for best_epoch in (0, 1):
        trainings.report = TrainingReport(
            "m", (), {"accuracy": 0.9}, {"accuracy": 0.7}, best_epoch, None, 100, 20, 0, 1.0, 1.0, judged=judged
        )
        trainings.state = "done"
        trainings.changed.emit()
        offered = not (result.use_row.isHidden() or result.compare_button.isHidden())
        assert offered is (best_epoch == 1)
        assert ("gives the same results" in result.use_text.text()) is (best_epoch == 0)
        assert ("no epoch improved on the base model" in result.summary.text()) is (best_epoch == 0)
        assert result.heading.text() == ("m is ready" if best_epoch else "m is no better than its base model")
        assert "Change: −0.200 (95% interval −0.300 to −0.100)." in result.summary.text()


def test_the_preview_shows_the_scores(trained: Trained, tmp_path: Path) -> None:
    file = tmp_path / "scored.tsv"
    file.write_text("sentence1\tsentence2\tscore\nA cat.\tA dog.\t4\nA bird.\tA tree.\t0\nA sea.\tA sea!\t5\n", "utf-8")
    trained.take(file)
    table = trained.pane.data.rows
    assert [table.horizontalHeaderItem(at).text() for at in range(table.columnCount())][-1] == "score"
    assert [table.item(row, 2).text() for row in range(3)] == ["0.80", "0.00", "1.00"]


def test_a_second_stage_follows_and_is_compared_with_each_alone(
    trained: Trained, pairs: Path, scores: Path, qtbot: QtBot
) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=1, batch_size=8, max_length=16, validation=0.3, learning_rate=1e-3)
    empty = scores.with_name("empty.tsv")
    empty.write_text("", "utf-8")
    pane.second_stage.take(str(empty))
    qtbot.waitUntil(pane.second_stage.choice.problem.isVisible)
    assert not pane.start.start.isEnabled()
    pane.second_stage.choice.remove.click()
    assert pane.start.start.isEnabled()
    pane.second_stage.take(str(scores))
    qtbot.waitUntil(lambda: pane.second_stage.choice.preview is not None)
    assert pane.second_stage.choice.understood.text() == "30 pairs with a similarity score"
    assert pane.second_stage.preset.currentData() == "similarity"
    pane.second_stage.alone.setChecked(True)
    headings: list[str] = []
    trainings.changed.connect(lambda: headings.append(pane.run.heading.text()))
    pane.start.start.click()
    trained.until("done")
    assert list(dict.fromkeys(headings))[1:4] == [
        "Training · last stage only, for comparison",
        "Training · stage 1 of 2",
        "Training · stage 2 of 2",
    ]
    # The plots are those of the last stage.
    assert len(trainings.epochs) == trainings.epochs_planned == PRESETS["similarity"].epochs
    named = pane.result.named
    assert [name for name, _, _ in named] == ["untrained", "second stage only", "first stage only", "both stages"]
    assert all("spearman" in measures for _, measures, _ in named)
    assert "after the first stage" in pane.result.summary.text()
    assert "Stage 1:" in pane.result.summary.text()
    output = Path(trainings.request.output)
    qtbot.waitUntil(lambda: list(output.parent.iterdir()) == [output])
    pane.result.again.click()
    assert pane.second_stage.file is not None  # the choice stays


def test_a_second_stage_without_a_header_uses_the_typed_columns(
    trained: Trained, pairs: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    rows = tmp_path / "rows.tsv"
    rows.write_text("left\tright\tgrade\n" + "".join(f"the {a}\tone {a}\t{n % 5}\n" for n, a in enumerate(THINGS)))
    pane, choice = trained.pane, trained.pane.second_stage.choice
    trained.take(pairs)
    assert not choice.reading.isVisible()
    pane.second_stage.take(str(rows))
    qtbot.waitUntil(choice.problem.isVisible)
    assert choice.reading.names.isVisible()
    choice.reading.names.setText("1, 2, 3")
    choice.reading.names.editingFinished.emit()
    qtbot.waitUntil(lambda: choice.preview is not None)
    assert choice.understood.text() == "12 pairs with a similarity score"
    assert pane.second_stage.file.columns == ("1", "2", "3")
    assert pane.start.start.isEnabled()


def test_a_validation_file_chooses_the_best_epoch(
    trained: Trained, pairs: Path, scores: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    trained.choose_tiny()
    pane, choice = trained.pane, trained.pane.data.validation
    assert not choice.isVisible(), "nothing is to be validated before there is data"
    trained.take(scores)
    held_back = pane.settings._fields["validation"]
    trained.set(epochs=1, batch_size=8, max_length=16)
    choice.take(str(pairs))
    qtbot.waitUntil(lambda: choice.preview is not None)
    assert "of the same kind as the training data" in pane.start.missing.text()
    assert not pane.start.start.isEnabled()
    assert not held_back.isEnabled()
    own = tmp_path / "own.tsv"
    own.write_text("sentence1\tsentence2\tscore\n" + "".join(f"a {a}\tno {a}\t{n % 6}\n" for n, a in enumerate(THINGS)))
    choice.take(str(own))
    qtbot.waitUntil(pane.start.start.isEnabled)
    pane.start.start.click()
    trained.until("done")
    assert pane.trainings.request.validation_file.path == str(own)
    assert (pane.trainings.report.rows, pane.trainings.report.validation_rows) == (30, 12)
    pane.result.again.click()
    choice.remove.click()
    assert held_back.isEnabled()
    pane.show_page("evaluate")
    pane.evaluation.data.take(str(own))
    qtbot.waitUntil(lambda: pane.evaluation.data.preview is not None)
    assert not pane.evaluation.findChildren(LabelledFileField), "an evaluation has no epochs to choose from"
    assert pane.start.start.isEnabled()


def test_stopped_stages_are_resumed(
    trained: Trained, pairs: Path, scores: Path, themes: ThemeManager, qtbot: QtBot
) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=400, batch_size=4, max_length=16, validation=0.3)
    pane.second_stage.take(str(scores))
    qtbot.waitUntil(lambda: pane.second_stage.choice.preview is not None)
    pane.start.start.click()
    qtbot.waitUntil(lambda: len(trainings.steps) > 2)
    pane.run.stop.click()
    trained.until("stopped")
    model, seen = Path(trained.window.context.settings.model), trainings.steps[-1].step
    output = Path(trainings.request.output)
    trained.close()
    later = Trained(trained.folder, model, trained.models, themes, qtbot)
    try:
        qtbot.waitUntil(later.pane.unfinished.isVisible)
        (found,) = later.pane.unfinished._found
        assert [Path(stage.data[0].path) for stage in found.stages] == [pairs, scores]
        later.pane.trainings.resume(found)
        qtbot.waitUntil(lambda: len(later.pane.trainings.steps) > seen)
        # The curve starts with the steps of the earlier run.
        assert [each.step for each in later.pane.trainings.steps] == list(
            range(1, later.pane.trainings.steps[-1].step + 1)
        )
        assert later.pane.run.heading.text() == "Training · stage 1 of 2"
        later.pane.run.stop.click()
        later.until("stopped")
        later.pane.run.discard.click()
        qtbot.waitUntil(lambda: not list(output.parent.iterdir()))
    finally:
        later.close()


def test_a_trained_cross_encoder_reranks_hits(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    trained.choose_tiny()
    pane, window = trained.pane, trained.window
    trained.fill()
    trained.take(pairs)
    trained.set(architecture="cross", epochs=1, batch_size=8, max_length=24, validation=0.3)
    pane.start.start.click()
    trained.until("done")
    qtbot.waitUntil(pane.result.rerank.isEnabled)
    assert not pane.result.use.isVisible()
    name = pane.trainings.model_name
    pane.result.rerank.click()
    assert window.context.settings.reranker == name
    window.search.box.setText("a cat sleeps on a wall")
    qtbot.waitUntil(
        lambda: window.search_pane.model.result is not None and window.search_pane.model.result.reranked == 3,
        timeout=PATIENCE_MS,
    )
    assert window.search_pane.info.text().startswith(f"Top 3, re-ranked by {name}")
    # It is neither an initial model nor one to compare with the library's model.
    assert pane.start.model.findData(name) < 0
    assert pane.comparison.model.findData(name) < 0


def test_negatives_come_from_the_sources_of_the_objective(trained: Trained, tmp_path: Path) -> None:
    rows = tmp_path / "rows.tsv"
    rows.write_text("anchor\tpositive\n" + "\n".join(f"{a} {n}\tthe {a} {n}" for n, a in enumerate(THINGS)), "utf-8")
    trained.fill()
    trained.take(rows)
    card = trained.pane.settings
    card.more.setChecked(True)

    def offered() -> list[str]:
        box = card.field("mining")
        return [box.itemData(at) for at in range(box.count())] if box.isVisible() else []

    assert offered() == ["none", "library"]  # ranking
    card.objective.setCurrentIndex(card.objective.findData("triplet"))
    assert offered() == ["none", "semi-hard", "hard", "library"]
    card.field("mining").setCurrentIndex(3)
    assert card.settings.mining == "library"
    assert "most similar sentence in your library" in card.advice.text()
    trained.set(epochs=1, batch_size=6, max_length=16, validation=0.0)
    trained.pane.start.start.click()
    trained.until("done")
    assert trained.pane.trainings.report.rows >= 1


def test_a_training_is_paused_stopped_and_resumed(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=400, batch_size=4, max_length=16, validation=0.3)
    pane.start.start.click()
    qtbot.waitUntil(lambda: len(trainings.steps) > 2)
    card = trained.window.findChild(TrainingProgressCard)
    trained.window.action_table["pane.search"].trigger()
    assert card.isVisible()  # in every pane
    last = trainings.steps[-1]
    assert card.bar.value() == round(1000 * last.step / last.steps)
    card.pause.click()
    assert card.title.text() == "Training paused"
    card.open.click()
    assert pane.isVisible()
    assert pane.run.heading.text() == "Paused"
    pane.run.pause.click()
    pane.run.stop.click()
    trained.until("stopped")
    assert not card.isVisible()
    stopped_at, losses, epochs = trainings.steps[-1].step, [each.loss for each in trainings.steps], trainings.epochs
    output = Path(trainings.request.output)
    assert not output.exists()
    assert pane.data.isVisible()  # another training may be started
    pane.run.resume.click()
    qtbot.waitUntil(lambda: len(trainings.steps) > stopped_at)
    assert [each.step for each in trainings.steps] == list(range(1, trainings.steps[-1].step + 1))
    assert [each.loss for each in trainings.steps[:stopped_at]] == losses
    assert trainings.epochs[: len(epochs)] == epochs
    assert f"Resumed at step {stopped_at}." in pane.run.notice.text()
    pane.run.stop.click()
    trained.until("stopped")
    pane.run.discard.click()
    qtbot.waitUntil(lambda: not output.with_name(output.name + ".training").exists())
    assert trainings.state == "idle"


def test_a_training_whose_data_has_changed_says_what_to_do_and_waits_for_it(
    trained: Trained, pairs: Path, qtbot: QtBot
) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=400, batch_size=4, max_length=16, validation=0.3)
    pane.start.start.click()
    qtbot.waitUntil(lambda: len(trainings.steps) > 2)
    pane.run.stop.click()
    trained.until("stopped")
    seen, text = trainings.steps[-1].step, pairs.read_text("utf-8")
    pairs.write_text(text.replace("cat", "tiger"), "utf-8")
    pane.run.resume.click()
    trained.until("failed")
    assert "another training: the training data differ; the validation data differ" in pane.run.problem.text()
    assert "Resume with the same data, model and settings, or discard the training" in pane.run.problem.text()
    assert pane.run.discard.isVisible()
    pairs.write_text(text, "utf-8")
    pane.run.resume.click()
    qtbot.waitUntil(lambda: len(trainings.steps) > seen)
    pane.run.stop.click()
    trained.until("stopped")


def test_an_interrupted_training_is_offered_again(
    trained: Trained, pairs: Path, themes: ThemeManager, qtbot: QtBot
) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=400, batch_size=4, max_length=16, validation=0.3)
    pane.start.start.click()
    qtbot.waitUntil(lambda: len(trainings.epochs) > 0)  # there is a checkpoint
    qtbot.waitUntil(lambda: trainings.steps[-1].epoch > 1)
    model = Path(trained.window.context.settings.model)
    seen = trainings.steps[-1].step
    trained.close()
    later = Trained(trained.folder, model, trained.models, themes, qtbot)
    try:
        qtbot.waitUntil(later.pane.unfinished.isVisible)
        found = later.pane.unfinished._found[0]
        assert Path(found.request.data[0].path) == pairs
        later.pane.trainings.resume(found)
        qtbot.waitUntil(lambda: len(later.pane.trainings.steps) > 0)
        assert later.pane.trainings.steps[-1].step >= seen  # closing wrote a checkpoint
        assert later.pane.trainings.epochs, "and what the earlier run has reported"
        assert not later.pane.unfinished.isVisible()
    finally:
        later.close()


@pytest.mark.parametrize("is_full", [False, True])
def test_a_trained_model_that_could_not_be_listed_is_listed_at_the_next_start(
    trained: Trained, pairs: Path, themes: ThemeManager, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=1, batch_size=8, max_length=16, validation=0.0)
    with monkeypatch.context() as patch:
        if is_full:  # the disk
            patch.setattr("desktop_app.encoder.models.registry.write_private", Mock(side_effect=OSError(28, "full")))
        pane.start.start.click()
        trained.until("done")
        if is_full:
            qtbot.waitUntil(lambda: trainings.error is not None, timeout=PATIENCE_MS)
            assert "full. Free some disk space" in pane.result.use_text.text()
            assert "added to the list at the next start" in pane.result.use_text.text()
        assert not trainings.model_name  # else the window closes too late
        model, output = Path(trained.window.context.settings.model), Path(trainings.request.output)
        trained.close()
    later = Trained(trained.folder, model, trained.models, themes, qtbot)
    try:
        qtbot.waitUntil(
            lambda: output.name in [state.entry.name for state in later.window.models.listed.models],
            timeout=PATIENCE_MS,
        )
        assert f"The training of {output.name} was finished" in later.window.notice.text
        qtbot.waitUntil(lambda: list(output.parent.iterdir()) == [output])  # it is not listed once more
    finally:
        later.close()


@pytest.mark.parametrize("fails", [False, True])
def test_a_model_that_is_listed_late_is_not_taken_for_that_of_the_next_training(
    trained: Trained, pairs: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    trained.choose_tiny()
    pane, trainings = trained.pane, trained.pane.trainings
    trained.take(pairs)
    trained.set(epochs=1, batch_size=8, max_length=16, validation=0.0)
    plain, go_on = ModelRegistry.add, threading.Event()

    def add_late(self: ModelRegistry, *arguments: str) -> Steps[ModelEntry]:
        while not go_on.is_set():
            yield WAITING
        if fails:
            raise StorageFull("The list cannot be written")
        return (yield from plain(self, *arguments))

    monkeypatch.setattr(ModelRegistry, "add", add_late)
    pane.start.start.click()
    trained.until("done")
    first = Path(trainings.request.output).name
    pane.result.again.click()
    trained.set(epochs=400, batch_size=8, max_length=16, validation=0.0)
    pane.start.start.click()
    qtbot.waitUntil(lambda: len(trainings.steps) > 1)
    go_on.set()
    told = "The list cannot be written" if fails else f"The training of {first} was finished"
    qtbot.waitUntil(lambda: told in trained.window.notice.text, timeout=PATIENCE_MS)
    assert (trainings.model_name, trainings.error, trainings.state) == ("", None, "running")
    pane.run.stop.click()
    trained.until("stopped")


def test_a_training_that_ends_elsewhere_is_offered_when_the_pane_is_shown_again(
    trained: Trained, pairs: Path, tiny: Path, qtbot: QtBot
) -> None:
    """A library that was left for this one writes its checkpoint while this one is shown."""
    output = trained.pane.trainings.folder / "left"
    settings = TrainingSettings("binary", epochs=2, batch_size=8, max_length=16)
    steps = train(TrainingRequest((DataFile(str(pairs)),), str(output), settings, str(tiny)))
    while not isinstance(next(steps), StepReport):
        pass
    steps.close()
    trained.window.action_table["pane.search"].trigger()
    assert not trained.pane.unfinished.isVisibleTo(trained.pane)
    trained.window.action_table["pane.train"].trigger()
    qtbot.waitUntil(trained.pane.unfinished.isVisible)
    assert [each.request.output for each in trained.pane.unfinished._found] == [str(output)]


def test_a_name_that_another_window_trains_is_not_suggested(trained: Trained) -> None:
    trainings = trained.pane.trainings
    trainings.folder.mkdir(parents=True)
    with claim_output(trainings.folder / "sea"):
        assert trainings.choose_output_folder("sea").name == "sea-2"
    assert trainings.choose_output_folder("sea").name == "sea"


def test_an_unreadable_data_file_is_reported_with_its_lines(trained: Trained, tmp_path: Path) -> None:
    bad = tmp_path / "bad.tsv"
    bad.write_text("sentence1\tsentence2\tlabel\na\tb\n\tc\t1\nd\te\t7\n", "utf-8")
    trained.take(bad)
    message = trained.pane.data.problem.text()
    assert "line 2 has 2 columns" in message
    assert "line 3 has no text" in message
    assert "line 4 has the label '7'" in message
    assert not trained.pane.start.start.isEnabled()


def test_columns_and_score_range_can_be_typed(trained: Trained, tmp_path: Path) -> None:
    rows = tmp_path / "rows.tsv"
    text = "".join(f"{n}\tthe {a}\tone {a}\t{1 + n % 5}\n" for n, a in enumerate(THINGS))
    rows.write_text("id\tleft\tright\tgrade\n" + text, "utf-8")
    data = trained.pane.data
    assert not data.reading.isVisible()
    trained.take(rows)
    assert "has the columns id, left, right, grade" in data.problem.text()
    assert data.reading.names.isVisible()  # expanded because of the error
    data.reading.names.setText("left, right, grade")
    data.reading.names.editingFinished.emit()
    trained.qtbot.waitUntil(lambda: data.preview is not None)
    assert data.kind.text() == "12 pairs with a similarity score"
    assert data.preview.scores[0] == pytest.approx(0.2)
    data.reading.range.setText("1-5")
    data.reading.range.editingFinished.emit()
    trained.qtbot.waitUntil(lambda: data.preview is not None)
    assert data.preview.scores[0] == 0.0
    assert data.reading.range.text() == "1 – 5"
    data.reading.range.setText("much")
    data.reading.range.editingFinished.emit()
    assert (data.reading.score_range, data.reading.range.text()) == ((1.0, 5.0), "1 – 5")
    assert trained.pane.start.request(data.file, PRESETS["similarity"], None).data[0].score_range == (1.0, 5.0)
    data.take(str(rows))  # another file is read as its header says
    assert (data.reading.columns, data.reading.score_range, data.reading.names.text()) == ((), None, "")


def test_a_failed_training_says_why_and_the_library_keeps_its_model(
    trained: Trained, pairs: Path, qtbot: QtBot
) -> None:
    lines = pairs.read_text("utf-8").splitlines()
    one_class = pairs.with_name("one.tsv")
    one_class.write_text("\n".join([lines[0], *(line for line in lines[1:] if line.endswith("1"))]), "utf-8")
    trained.fill()
    trained.take(one_class)
    before = trained.active()
    trained.pane.start.start.click()
    trained.until("failed")
    assert "are 'same'. At least two classes" in trained.pane.run.problem.text()
    assert trained.pane.data.isVisible()
    assert trained.active() == before
    assert not Path(trained.pane.trainings.request.output).exists()


def test_pairs_that_all_belong_together_are_evaluated_by_retrieval(trained: Trained, pairs: Path) -> None:
    lines = pairs.read_text("utf-8").splitlines()
    same = pairs.with_name("same.tsv")
    same.write_text("\n".join([lines[0], *(line for line in lines[1:] if line.endswith("1"))]), "utf-8")
    trained.choose_tiny()
    trained.take(same)
    card = trained.pane.settings
    assert (
        "nothing to distinguish. The objective “Find the partner (ranking)” works with such pairs" in card.advice.text()
    )
    card.objective.setCurrentIndex(card.objective.findData("ranking"))
    assert "how often a sentence finds its partner" in card.advice.text()
    trained.set(epochs=1, batch_size=8, max_length=16, validation=0.3)
    trained.pane.start.start.click()
    trained.until("done")
    result = trained.pane.result
    assert "MRR@10" in result.summary.text()
    assert "All validation rows are positive pairs" in result.warnings.text()


def test_a_full_disk_is_reported_during_a_training(
    trained: Trained, pairs: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained.choose_tiny()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("desktop_app.encoder.training.loop.save_checkpoint", full)
    trained.take(pairs)
    trained.set(epochs=400, batch_size=8, max_length=16, validation=0.3)
    run = trained.pane.run
    trained.pane.start.start.click()
    assert not run.notice.isVisible()
    why = "A checkpoint could not be written (No space left on device)"
    qtbot.waitUntil(lambda: run.notice.isVisible() and why in run.notice.text())
    assert trained.pane.trainings.state == "running"
    run.stop.click()
    trained.until("stopped")
    assert not run.notice.isVisible()


def test_a_note_on_a_training_leaves_the_page_where_it_is(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    trained.take(pairs)
    trained.pane.settings.more.click()
    bar = trained.pane.page_stack[0].verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    trained.pane.trainings.changed.emit()
    assert bar.value() == bar.maximum()
    trained.pane.trainings.state = "failed"
    trained.pane.trainings.changed.emit()
    assert bar.value() == 0, "the card that says so is at the top"


def test_few_rows_are_named_where_the_scores_have_no_interval(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    page = trained.pane.evaluation
    trained.fill()
    trained.pane.show_page("evaluate")
    few = pairs.with_name("few.tsv")
    few.write_text("\n".join(pairs.read_text("utf-8").splitlines()[:11]), "utf-8")
    page.data.take(str(few))
    qtbot.waitUntil(lambda: page.measure.isEnabled())
    page.measure.click()
    qtbot.waitUntil(lambda: len(page._results) == 1 and not page._evaluation.is_running)
    assert page.view.intervals_hint.text() == ("With fewer than 20 rows or queries, scores have no interval.")


def test_scores_of_other_data_are_not_shown(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    page = trained.pane.evaluation
    trained.fill()
    trained.pane.show_page("evaluate")
    page.data.take(str(pairs))
    qtbot.waitUntil(lambda: page.measure.isEnabled())
    few = pairs.with_name("few.tsv")
    few.write_text("\n".join(pairs.read_text("utf-8").splitlines()[:11]), "utf-8")
    page.measure.click()
    page.data.take(str(few))  # while the model is evaluated
    assert not page.stop.isVisible()
    qtbot.waitUntil(lambda: page.measure.isEnabled())
    assert (page._results, page.card.isVisible()) == ([], False)


def test_the_manual_describes_presets_correctly() -> None:
    text = (resources_folder() / "manual" / "en" / "training.md").read_text("utf-8")
    presets = {labels.preset_name(name): settings for name, settings in PRESETS.items()}
    rows = re.findall(r"^- \*\*([^*]+)\*\*(.*?)(?=^- |^$)", text, re.MULTILINE | re.DOTALL)
    described = [(presets[title], row) for title, row in rows if title in presets]
    assert len(described) >= 8
    for settings, row in described:
        assert f"{settings.epochs} epochs" in row
        assert ("averaged weights" in " ".join(row.split())) == bool(settings.averaging)


def test_only_settings_of_the_objective_are_shown_with_advice(trained: Trained, pairs: Path) -> None:
    card = trained.pane.settings
    trained.take(pairs)
    card.more.setChecked(True)
    assert not card.field("margin").isVisible()
    assert not card.field("hidden").isVisible()
    trained.set(head="mlp")
    assert card.field("hidden").isVisible()
    card.objective.setCurrentIndex(card.objective.findData("contrastive"))
    assert card.settings == PRESETS["contrastive"]
    assert card.field("margin").isVisible()
    assert "pushed apart" in card.explanation.text()
    assert "d = 1 − cos" in card.picture.accessibleDescription()
    card.objective.setCurrentIndex(card.objective.findData("cosine"))
    assert not card.advice.text().startswith("Maximum")
    card.field("pooling").setCurrentIndex(card.field("pooling").findData("max"))
    assert card.settings.pooling == "max"
    assert "69.9 against 87.4" in card.advice.text()
    # The usual margin follows the distance; a typed one stays.
    card.objective.setCurrentIndex(card.objective.findData("triplet"))
    distance = card.field("distance")
    distance.setCurrentIndex(distance.findData("euclidean"))
    assert (card.settings.distance, card.settings.margin) == ("euclidean", 1.0)
    trained.set(margin=0.7)
    distance.setCurrentIndex(distance.findData("cosine"))
    assert (card.settings.distance, card.settings.margin) == ("cosine", 0.7)
    # Rows of two classes cannot train inference with three.
    assert card.preset.findData("triplet") >= 0
    assert card.preset.findData("nli") >= 0
    rate = card.field("learning_rate")
    rate.setText("5e-6")
    rate.editingFinished.emit()
    assert card.settings.learning_rate == 5e-6
    rate.setText("quick")
    rate.editingFinished.emit()
    assert rate.text() == "5e-6"


def test_models_are_evaluated_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
    trained: Trained,
    pairs: Path,
    other_tiny: Path,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    page = trained.pane.evaluation
    trained.fill()
    trained.pane.show_page("evaluate")
    assert not page.measure.isEnabled()
    page.data.take(str(pairs))
    qtbot.waitUntil(lambda: page.measure.isEnabled())
    other = tmp_path / "another"
    shutil.copytree(other_tiny, other)
    page.take_model(str(other))
    assert len(page.chosen) == 2
    page.measure.click()
    qtbot.waitUntil(lambda: len(page._results) == 2 and not page._evaluation.is_running)
    header = [page.view.scores.horizontalHeaderItem(n).text() for n in range(4)]
    assert header[2:] == ["another", "change"]
    shown = [page.view.scores.item(0, n).text() for n in range(4)]
    assert shown[0] == "accuracy"
    assert all(re.fullmatch(r"[−+]?[\d.]+ \([−+]?[\d.]+ to [−+]?[\d.]+\)", text) for text in shown[1:]), shown
    assert page._results[1][2].differences["accuracy"].before == page._results[0][1]["accuracy"]
    assert "95% intervals" in page.view.intervals_hint.text()
    assert [series.name for series in page.view.roc.series][1] == "another"
    # A misjudged pair is compared word by word.
    pair = page._results[-1][2].worst[0]
    page.view.worst.setCurrentCell(0, 1)
    page.view.worst.cellActivated.emit(0, 1)
    dialog = trained.window.compare_controller.dialog
    assert [side.field.toPlainText() for side in (dialog.first, dialog.second)] == [pair.a, pair.b]
    # With the model that judged it, until the person chooses the library's or compares something else.
    figure = dialog.card.figures["cosine"][0]
    qtbot.waitUntil(lambda: dialog.question.state == "answered" and not dialog.question.is_waiting)
    assert "for this model" in page.view.worst_hint.text()
    assert "another" in dialog.by.text()
    by_other = dialog.question.answer.score.cosine
    assert by_other == pytest.approx(pair.score, abs=2e-3)
    qtbot.waitUntil(lambda: dialog.explanation.answer is not None)
    assert dialog.explanation.answer.percentile is None
    assert dialog.explanation.answer.words is not None
    assert "only for the library's model" in dialog.card.figures["percentile"][1].text()
    dialog.copy()
    assert QApplication.clipboard().text().endswith("Model: another")
    dialog.by_own_model.click()
    qtbot.waitUntil(lambda: dialog.question.answer.score.cosine != by_other)
    assert not dialog.compare_by_row.isVisible()
    assert figure.text() != display_text.format_decimal(by_other, 4)
    page.view.worst.cellActivated.emit(0, 1)
    qtbot.waitUntil(lambda: dialog.question.answer.score.cosine == by_other)
    assert dialog.compare_by_row.isVisible()
    trained.window.context.navigator.compare.emit(
        ComparisonRequest("A cat sleeps on the wall.", "Bread is mostly waiting.")
    )
    assert not dialog.compare_by_row.isVisible()
    own = trained.window.session.status.model
    trained.window.context.navigator.compare.emit(
        ComparisonRequest(pair.a, pair.b, model=own.folder, model_name=own.name)
    )  # the library's own model needs no remark
    assert not dialog.compare_by_row.isVisible()
    dialog.close()
    page.write(str(tmp_path / "scores.csv"))
    rows = (tmp_path / "scores.csv").read_text("utf-8-sig").splitlines()
    assert rows[0].startswith("measure,")
    assert any(row.startswith("average precision,") for row in rows)
    assert not page.forget.isVisible()
    # The same data later: earlier scores are shown at once, and can be forgotten.
    copy = tmp_path / "copy.tsv"
    copy.write_bytes(pairs.read_bytes())
    page.data.take(str(copy))
    qtbot.waitUntil(lambda: page.card.isVisible())
    names = [name for name, *_ in page.shown]
    assert [name.partition(" · ")[0] for name in names] == [trained.active(), "another"]
    page.measure.click()
    qtbot.waitUntil(lambda: len(page._results) == 2 and not page._evaluation.is_running)
    assert [name for name, *_ in page.shown] == [trained.active(), "another"]
    page.data.take(str(pairs))
    qtbot.waitUntil(lambda: page.forget.isVisible())
    with monkeypatch.context() as full:
        full.setattr("desktop_app.core.evaluation_history.write_private", Mock(side_effect=OSError(28, "full")))
        page.forget.click()
        qtbot.waitUntil(lambda: page.problem.isVisible())
    assert "The earlier scores could not be cleared" in page.problem.text()
    assert page.card.isVisible()
    page.forget.click()
    qtbot.waitUntil(lambda: not page.card.isVisible())
    page.data.take(str(copy))
    qtbot.waitUntil(lambda: page.data.preview is not None)
    kept = trained.workspace.evaluation.list_past_evaluations(page.data.file)
    qtbot.waitUntil(lambda: kept.is_finished)
    assert kept.result == []


def test_each_model_that_cannot_be_evaluated_is_named(
    trained: Trained, pairs: Path, other_tiny: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    page = trained.pane.evaluation
    trained.fill()
    page.data.take(str(pairs))
    qtbot.waitUntil(lambda: page.measure.isEnabled())
    for name in ("without-weights", "good", "without-words"):
        shutil.copytree(other_tiny, tmp_path / name)
        page.take_model(str(tmp_path / name))
    (tmp_path / "without-weights" / "model.safetensors").unlink()
    shutil.rmtree(tmp_path / "without-words")
    trained.pane.show_page("evaluate")
    page.measure.click()
    qtbot.waitUntil(lambda: not page._evaluation.is_running, timeout=PATIENCE_MS)
    assert [name for name, *_ in page._results] == [trained.active(), "good"]
    first, second = page.problem.text().splitlines()
    assert first.startswith("without-weights: ")
    assert second.startswith("without-words: ")
    copy = tmp_path / "copy.tsv"
    copy.write_bytes(pairs.read_bytes())
    page.data.take(str(copy))
    assert not page.problem.isVisible()


def test_every_widget_has_a_name_and_is_reachable_by_keyboard(trained: Trained, pairs: Path) -> None:
    trained.take(pairs)
    nameless = [
        child
        for child in trained.pane.findChildren(QWidget)
        if not child.accessibleName()
        and not child.objectName().startswith("qt_")
        and child.isVisible()
        and not isinstance(child, QScrollBar)
    ]
    assert not nameless
    reachable = [trained.pane.data.row.button, trained.pane.settings.preset, trained.pane.start.start]
    assert all(widget.focusPolicy() & Qt.FocusPolicy.TabFocus for widget in reachable)


def test_curves_are_drawn_and_show_values_at_the_pointer(themes: ThemeManager, qtbot: QtBot) -> None:
    plot = LinePlot(themes, "Loss", "epochs")
    qtbot.addWidget(plot)
    plot.resize(320, 210)
    plot.show()
    empty = plot.grab().toImage()
    plot.show_series(PlotSeries("loss", [0.0, 1.0, 2.0], [0.9, 0.4, 0.2]))
    drawn = plot.grab().toImage()
    assert drawn != empty
    assert plot.accessibleDescription() == "loss: 0.2000"
    qtbot.mouseMove(plot, QPoint(150, 100))
    qtbot.waitUntil(lambda: plot.grab().toImage() != drawn)


@pytest.mark.parametrize(
    ("low", "high", "whole"),
    [(0.0, 1.0, False), (0.013, 0.92, False), (3.0, 3.0, False), (1.0, 7.0, True), (0, 1e-6, False)],
)
def test_ticks_are_round_and_enclose_the_values(low: float, high: float, whole: bool) -> None:
    ticks = choose_ticks(low, high, whole=whole)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 2 <= len(ticks) <= 7
    assert not whole or all(tick == int(tick) for tick in ticks)
    assert all(isinstance(tick, float) for tick in ticks)


def test_a_running_mean_starts_at_the_first_value() -> None:
    assert smooth_curve([4.0, 4.0, 4.0]) == pytest.approx([4.0, 4.0, 4.0])
    assert smooth_curve([4.0, 0.0])[1] < 4.0


def test_two_models_are_compared_on_the_library(
    trained: Trained,
    other_tiny: Path,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    pane, page = trained.pane, trained.pane.comparison
    trained.fill()
    for search in (
        SavedSearch("Cats", "a cat on a wall", "meaning"),
        SavedSearch("Exactly", "wall", "words"),
        SavedSearch("Notes", "bread type:text", "both", (ScopePart("type", "pdf", "PDF"),), 0.4),
    ):
        trained.workspace.change(lambda library, search=search: library.user_data.save_search(search)).wait(PATIENCE_S)
    pane.show_page("library")
    # Saved searches that depend on the model are offered; ignored parts of them are reported.
    qtbot.waitUntil(lambda: page.asked == ["a cat on a wall", "bread type:text"])
    assert "don't depend on the model: Exactly." in page.limits.text()
    assert "without their minimum similarity: Notes." in page.limits.text()
    page.queries.setPlainText("a cat on a wall")
    assert "Notes" not in page.limits.text()
    other = tmp_path / "another"
    shutil.copytree(other_tiny, other)
    trained.window.models.add(str(other))
    qtbot.waitUntil(lambda: page.model.findData("another") >= 0)
    page.choose_model("another")
    page.queries.appendPlainText("\nbread\nbread type:text")
    page.compare.click()
    qtbot.waitUntil(lambda: len(page.tables) == 3)
    assert [table.rowCount() for table in page.tables] == [3, 3, 0]
    nothing = page.results.itemAt(2).widget()
    assert nothing.heading.text() == "bread type:text · PDF"
    assert any("No results with either model" in each.text() for each in nothing.findChildren(QLabel))
    table = page.tables[0]
    assert [table.horizontalHeaderItem(n).text() for n in (2, 3)] == ["another", "moved"]
    assert table.rowCount() == 3
    assert {table.item(row, 2).text().partition("  ")[2] for row in range(3)} == {
        "The sea rises.",
        "A cat sleeps on the wall.",
        "Bread is mostly waiting.",
    }
    opened = []
    trained.window.context.navigator.open_hit.connect(opened.append)
    table.cellActivated.emit(0, 2)
    assert opened[0].text == table.item(0, 2).text().partition("  ")[2]
    begun_with = trained.active()
    assert begun_with != "another"
    # The other model can be used, and reverted, from here.
    assert page.outcome.isVisible()
    assert "stay the same with another" in page.summary.text()
    page.use_row.use.click()
    qtbot.waitUntil(lambda: trained.active() == "another" and not trained.window.models.doing)
    assert not page.use_row.use.isVisible()
    page.use_row.back.click()
    qtbot.waitUntil(lambda: trained.active() == begun_with and not trained.window.models.doing)
    assert page.use_row.use.isVisible()


def test_judged_pairs_are_training_data(trained: Trained, pairs: Path, qtbot: QtBot) -> None:
    trained.choose_tiny()
    pane = trained.pane
    assert not pane.data.marks.isVisible()
    for number in range(6):
        pair = (f"a {THINGS[number]}", f"one {THINGS[number]}", bool(number % 2))
        job = trained.workspace.change(lambda library, pair=pair: library.pair_labels.judge(*pair))
        job.wait(PATIENCE_S)
    pane._context.session.bridge.changed.emit(ChangeSet(labels=True))  # by another session
    qtbot.waitUntil(pane.data.marks.isVisible)
    assert "(6)" in pane.data.marks.text()
    pane.data.marks.click()
    qtbot.waitUntil(lambda: pane.data.preview is not None)
    assert pane.data.kind.text() == "6 pairs, labelled same or different"
    assert pane.settings.settings == PRESETS["marks"]
    assert pane.settings.preset.currentData() == "marks"
    assert pane.start.start.isEnabled()
    # A second stage can use them too, and they can validate a training on other rows.
    pane.second_stage.choice.marks.click()
    qtbot.waitUntil(lambda: pane.second_stage.choice.preview is not None)
    assert pane.second_stage.preset.currentData() == "marks"
    assert not pane.second_stage.choice.reading.isVisible()
    assert not pane.second_stage.choice.marks.isVisible()
    pane.second_stage.choice.remove.click()
    assert pane.second_stage.choice.marks.isVisible()
    trained.take(pairs)
    trained.set(epochs=1, batch_size=8, max_length=16, learning_rate=1e-3)
    pane.data.validation.marks.click()
    qtbot.waitUntil(lambda: pane.data.validation.preview is not None)
    pane.start.start.click()
    trained.until("done")
    assert pane.trainings.report.validation_rows == 6
    assert pane.trainings.report.rows == 40


def test_a_form_of_one_column_takes_no_extra_room(qtbot: QtBot) -> None:
    """The room kept for a second column made cards wider than a narrow pane."""
    form, holder = FormGrid(columns=2), QWidget()
    qtbot.addWidget(holder)
    holder.setLayout(form)
    fields = [QLineEdit() for _ in range(4)]
    for number, field in enumerate(fields):
        form.add_field(f"Field {number}", field)
    wide = holder.minimumSizeHint().width()
    form.set_columns(1)
    assert holder.minimumSizeHint().width() < wide / 2 + 20


def test_a_long_choice_is_elided_in_its_box_and_complete_in_the_list(qtbot: QtBot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.setFixedWidth(240)
    box.addItems(["Short", "Paare anziehen und voneinander abstoßen (kontrastiv), mit Rand"])
    box.show()
    assert box.shown_text == "Short"
    box.setCurrentIndex(1)
    assert box.shown_text.endswith("…")
    assert box.fontMetrics().horizontalAdvance(box.shown_text) < 240
    box.showPopup()
    assert box.view().viewport().width() >= box.fontMetrics().horizontalAdvance(box.currentText())
    box.hidePopup()


def test_scores_and_backups_never_overwrite_a_document(filled: Kindred, files: Path) -> None:
    chosen: list[str] = []
    choose_score_file(filled.window.context, filled.window.library_pane, "Scores", chosen.append, "data")
    dialog = next(each for each in filled.window.findChildren(QFileDialog) if each.isVisible())
    dialog.fileSelected.emit(str(files / "sea.txt"))
    assert not chosen
    assert "is a document of this library" in filled.window.notice.text
    dialog.fileSelected.emit(str(files / "scores.json"))
    assert chosen == [str(files / "scores.json")]
    dialog.close()
    before = (files / "sea.txt").read_bytes()
    filled.window.maintenance.back_up_to(files / "sea.txt")
    assert (files / "sea.txt").read_bytes() == before
    assert not filled.window.findChildren(BackupDialog)


@pytest.mark.parametrize("kind", ["similarity", "duplicates", "nli", "triplets", "pairs"])
def test_one_row_is_described_in_the_singular(qapp: QApplication, kind: DataKind) -> None:
    window_language.install_language(qapp, "en")
    text = describe_rows(kind, 1)
    assert "1 pairs" not in text
    assert text.startswith("1 pair ") or text.startswith("1 pair,") or text.endswith(": 1")


def test_a_training_that_cannot_be_discarded_says_why(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    filled.window.action_table["pane.train"].trigger()
    pane: TrainingPane = filled.window.panes.pane("train")
    for error in (None, StorageFull("the folder of the training cannot be deleted")):

        def submit(*_: object, error: Exception | None = error) -> Job[None]:
            def work() -> None:
                if error is not None:
                    raise error

            return filled.workspace.context.engine.submit("discard", work)

        pane.trainings.request = TrainingRequest((), str(tmp_path / "sea"), TrainingSettings())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(filled.workspace.training, "discard", submit)
            pane.trainings.discard()
        if error is None:
            assert not filled.window.notice.isVisible()
        else:
            qtbot.waitUntil(lambda: "cannot be deleted" in filled.window.notice.text)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("1-5", (1.0, 5.0)),
        ("0,5 – 5", (0.5, 5.0)),
        ("0,5 bis 4,5", (0.5, 4.5)),
        ("0.5 to 4.5", (0.5, 4.5)),
        ("0,5; 5", (0.5, 5.0)),
        ("−1 1", (-1.0, 1.0)),
        ("0,5", (0.0, 5.0)),
        ("0.5,5", (0.5, 5.0)),
        ("0, 5", (0.0, 5.0)),
        ("0,5,5", None),
        ("0.5.1 – 3", None),
        ("5 – 1", None),
    ],
)
def test_the_score_range_takes_decimals_of_either_language(
    language: str, qtbot: QtBot, typed: str, found: tuple[float, float] | None
) -> None:
    fields = DataFormatFields()
    qtbot.addWidget(fields)
    fields.range.setText(typed)
    fields.range.editingFinished.emit()
    assert fields.score_range == found
    shown = fields.range.text()
    assert ("," in shown) == (language == "de" and found is not None and any(each % 1 for each in found))
    fields.range.editingFinished.emit()
    assert (fields.score_range, fields.range.text()) == (found, shown)
