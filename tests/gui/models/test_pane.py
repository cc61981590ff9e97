"""The models in the window: switching, pausing, stopping, adding, errors; small models on a real library."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import Offline
from desktop_app.core.jobs import Job
from desktop_app.core.models import ModelChanges, ModelEntry
from desktop_app.core.paths import Paths
from desktop_app.core.records import ModelInfo
from desktop_app.core.settings import Settings
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.models.pane import ModelChangesDialog, ModelsPage
from desktop_app.gui.models.progress_card import ModelProgressCard
from desktop_app.gui.shell.main_window import MainWindow
from tests.engine.test_models import TEXTS, World, held
from tests.patience import PATIENCE_MS, PATIENCE_S


class Windowed:
    """A window with two small models and a library of sixty sentences."""

    def __init__(self, world: World, themes: ThemeManager, qtbot: QtBot) -> None:
        self.world = world
        self.qtbot = qtbot
        self.bridge = Bridge()
        paths = Paths.under(world.folder / "base")
        self.window = MainWindow(world.workspace, self.bridge, themes, Settings(theme="light"), paths, lambda _: None)
        self.window.painted.connect(self.window.start)
        self.window.show()
        qtbot.waitUntil(lambda: self.window.session.phase == "ready")
        qtbot.waitUntil(lambda: not self.window.models.doing)
        self.window.action_table["library.models"].trigger()
        self.dialog = self.window.findChild(ModelsPage)
        qtbot.waitUntil(lambda: self.dialog.list.count() == 2)

    @property
    def card(self) -> ModelProgressCard:
        return self.window.findChild(ModelProgressCard)

    def choose(self, name: str) -> None:
        names = [state.entry.name for state in self.window.models.listed.models]
        self.dialog.list.setCurrentRow(names.index(name))

    def active(self) -> str:
        return next(state.entry.name for state in self.window.models.listed.models if state.active)

    def at_first_batch(self, do: Callable[[Job], None]) -> None:
        """Call a function once the next switch has embedded its first batch."""
        models, known = self.window.models, threading.Event()

        def hook() -> None:
            assert known.wait(PATIENCE_MS / 1000)  # the engine may be faster than the window
            do(models._job)

        self.world.turned.hook = hook
        models.changed.connect(lambda: known.set() if models._job is not None else None)

    def close(self) -> None:
        self.dialog.window().close()
        self.window.close()
        self.world.workspace.close()
        self.bridge.close()
        self.window.deleteLater()
        self.bridge.deleteLater()
        QApplication.processEvents()


@pytest.fixture
def windowed(tmp_path: Path, themes: ThemeManager, qtbot: QtBot) -> Iterator[Windowed]:
    world = World(tmp_path)
    world.take_in("a").wait(PATIENCE_S)
    windowed = Windowed(world, themes, qtbot)
    yield windowed
    windowed.close()


def test_a_library_switches_its_model(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, window = windowed.dialog, windowed.window
    assert windowed.active() == "hashing"
    assert not dialog.use.isEnabled()  # the selected one is in use
    windowed.choose("turned")
    assert "32 dimensions" in dialog.details.text()
    dialog.use.click()
    assert windowed.card.isVisible()
    assert not dialog.use.isEnabled()
    qtbot.waitUntil(lambda: windowed.active() == "turned" and not window.models.doing)
    assert windowed.card.isHidden()
    assert "turned" in window.notice.text
    qtbot.waitUntil(lambda: "turned" in window.status.toolTip())
    qtbot.keyClicks(window.search.box, TEXTS[7])
    qtbot.waitUntil(lambda: window.search_pane.model.rowCount() > 0 and not window.search.controller.is_waiting)
    assert window.search_pane.model.index(0, 0).data() == TEXTS[7]


def test_a_switch_while_duplicates_clusters_or_the_map_are_shown(windowed: Windowed, qtbot: QtBot) -> None:
    window, actions = windowed.window, windowed.window.action_table
    turned = windowed.world.turned.model.fingerprint
    actions["pane.clusters"].trigger()
    themes = window.panes.pane("clusters")
    qtbot.waitUntil(lambda: themes.controller.is_known)
    actions["clusters.find"].trigger()
    qtbot.waitUntil(lambda: themes.controller.is_idle and themes.controller.found is not None)
    actions["clusters.map"].trigger()
    qtbot.waitUntil(lambda: themes.map.found is not None and not themes.map.is_drawing)
    actions["pane.pairs"].trigger()
    pairs = window.panes.pane("pairs")
    pairs.controller.change_request(where="anywhere", min_score=0.2)
    qtbot.waitUntil(lambda: pairs.controller.state == "found" and pairs.controller._shown == pairs.controller.request)
    assert pairs.controller._found.listing._fingerprint != turned
    windowed.choose("turned")
    windowed.dialog.use.click()
    qtbot.waitUntil(lambda: windowed.active() == "turned" and not window.models.doing)
    qtbot.waitUntil(lambda: pairs.controller._found.listing._fingerprint == turned)
    qtbot.waitUntil(lambda: not pairs.controller.is_working)
    assert (pairs.controller.state, pairs.controller.error) == ("found", None)
    actions["pane.clusters"].trigger()
    themes.map.refresh(force=True)
    qtbot.waitUntil(lambda: not themes.map.is_drawing)
    actions["clusters.find"].trigger()
    qtbot.waitUntil(lambda: themes.controller.is_idle)
    found = themes.controller.found
    assert sum(cluster.size for cluster in found.clusters) + len(found.unclustered) == len(themes.map.found.ids)


def test_a_switch_is_paused_stopped_and_resumed(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, models = windowed.dialog, windowed.window.models

    def target() -> str:
        return models.listed.target.switching if models.listed.target is not None else ""

    windowed.at_first_batch(lambda job: job.pause())
    windowed.choose("turned")
    dialog.use.click()
    qtbot.waitUntil(lambda: windowed.world.turned.hook is None)
    models.pause(True)
    assert windowed.card.title.text() == "Paused"
    windowed.card.stop.click()
    qtbot.waitUntil(lambda: not models.doing and target() == "stopped")
    assert windowed.active() == "hashing"
    assert dialog.cancel_switch.isVisible()
    windowed.choose("turned")
    assert "Resume" in dialog.use.text()
    dialog.use.click()
    qtbot.waitUntil(lambda: windowed.active() == "turned" and not models.doing)
    assert not dialog.cancel_switch.isVisible()


def test_an_interrupted_switch_resumes_in_the_window(tmp_path: Path, themes: ThemeManager, qtbot: QtBot) -> None:
    world = World(tmp_path)
    world.take_in("a").wait(PATIENCE_S)
    held(world, world.turned, lambda: world.workspace.models.switch("turned"))
    world.workspace.close()
    world.open()
    windowed = Windowed(world, themes, qtbot)
    qtbot.waitUntil(lambda: windowed.active() == "turned")
    windowed.close()


def test_a_switch_is_cancelled(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, models = windowed.dialog, windowed.window.models
    windowed.at_first_batch(lambda job: job.cancel())
    windowed.choose("turned")
    dialog.use.click()
    qtbot.waitUntil(lambda: not models.doing and dialog.cancel_switch.isVisible())
    dialog.cancel_switch.click()
    qtbot.waitUntil(lambda: models.listed.target is None)
    assert windowed.active() == "hashing"


def test_an_unavailable_model_is_reported_on_the_page(
    windowed: Windowed, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = windowed.dialog

    def offline(name: str, _changes: ModelChanges):  # noqa: ANN202
        yield None
        raise Offline(f"{name} cannot be fetched", "Check the connection.")

    monkeypatch.setattr(windowed.world.models, "add", offline)
    assert not dialog.download.isEnabled()
    dialog.name.setText("owner/model")
    dialog.download.click()
    qtbot.waitUntil(dialog.problem.isVisible)
    assert dialog.problem.text() == "Owner/model cannot be fetched. Check the connection."
    assert dialog.list.count() == 2
    assert windowed.card.isHidden()


def test_models_are_removed_except_the_one_in_use(windowed: Windowed, qtbot: QtBot) -> None:
    dialog = windowed.dialog
    windowed.choose("hashing")
    assert not dialog.remove.isEnabled()
    windowed.choose("turned")
    dialog.remove.click()
    qtbot.waitUntil(lambda: windowed.world.models.removed == ["turned"])


def test_a_cross_encoder_is_offered_for_reranking_only(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, window = windowed.dialog, windowed.window
    info = ModelInfo("judge", "c" * 64, 32, 64, "mean", normalised=False, folder="/models/judge", is_cross=True)
    windowed.world.models._entries.append(ModelEntry("judge", info, "linked"))
    window.models.refresh()
    qtbot.waitUntil(lambda: dialog.list.count() == 3)
    windowed.choose("turned")
    assert (dialog.use.isVisible(), dialog.rerank.isVisible()) == (True, False)
    windowed.choose("judge")
    assert (dialog.use.isVisible(), dialog.rerank.isVisible()) == (False, True)
    assert "reads query and sentence together" in dialog.details.text()
    dialog.rerank.click()
    assert window.context.settings.reranker == "judge"
    assert dialog.list.currentItem().text() == "judge · re-ranks"
    assert "used for re-ranking" in dialog.details.text()
    dialog.rerank.click()
    assert window.context.settings.reranker == ""
    dialog.rerank.click()
    dialog.remove.click()
    qtbot.waitUntil(lambda: windowed.world.models.removed == ["judge"])
    assert window.context.settings.reranker == ""


def test_the_page_describes_a_model(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, models = windowed.dialog, windowed.world.models
    info = replace(models._entries[1].info, query_prompt="query: ", passage_prompt="passage: ")
    models._entries[1] = replace(models._entries[1], info=info)
    windowed.window.models.refresh()
    windowed.choose("turned")
    qtbot.waitUntil(lambda: "query: " in dialog.details.text())
    for words in ("32 dimensions", "up to 256 tokens", "pooling: mean", "normalized", "sentence prompt: “passage: ”"):
        assert words in dialog.details.text()


def test_prompts_and_length_of_a_listed_model_are_changed(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, models = windowed.dialog, windowed.world.models
    windowed.choose("turned")
    dialog.change.click()
    asking = dialog.findChild(ModelChangesDialog)
    assert asking.length.value() == 256
    assert not asking.add.isEnabled()  # nothing has changed yet
    qtbot.keyClicks(asking.query, "query: ")
    qtbot.keyClicks(asking.passage, "passage: ")
    asking.length.setValue(128)
    asking.add.click()
    qtbot.waitUntil(lambda: models.changes == [ModelChanges("query: ", "passage: ", 128)])
    qtbot.waitUntil(lambda: not windowed.window.models.doing)


def test_prompts_are_requested_before_a_model_is_added(windowed: Windowed, qtbot: QtBot) -> None:
    dialog, models = windowed.dialog, windowed.world.models
    dialog.ask.setChecked(True)
    dialog.add("/models/e5")
    asking = dialog.findChild(ModelChangesDialog)
    assert models.changes == []
    assert asking.length.text() == "model default"
    qtbot.keyClicks(asking.query, "query: ")
    qtbot.keyClick(asking.query, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: models.changes == [ModelChanges(query_prompt="query: ")])
    qtbot.waitUntil(lambda: not windowed.window.models.doing)


def test_a_switch_resumes_after_what_the_person_began(windowed: Windowed, qtbot: QtBot) -> None:
    models, begun = windowed.window.models, list[str]()
    models.changed.connect(lambda: begun.append(models.doing))
    models.use("turned")
    models.resume()
    assert (models.doing, models.subject) == ("switching", "turned")
    qtbot.waitUntil(lambda: windowed.active() == "turned" and not models.doing)
    assert [each for each, before in zip(begun, ["", *begun], strict=False) if each != before] in (
        ["switching", "", "switching", ""],
        ["switching", ""],  # both ends were told at once
    )
    assert not models._is_resume_due
