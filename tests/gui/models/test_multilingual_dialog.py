"""One click gets a model for other languages: it is downloaded, and the library switches to it in the background."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import Offline
from desktop_app.core.messages import Message
from desktop_app.core.models import NO_CHANGES, ModelChanges, ModelEntry
from desktop_app.core.recommended_models import MULTILINGUAL_MODELS
from desktop_app.engine.requests import ImportedFile, ImportReport
from desktop_app.gui.models.multilingual_dialog import MultilingualDialog
from desktop_app.gui.search import state
from desktop_app.gui.search.state import SearchSituation, choose_empty_state
from tests.gui.conftest import Kindred, search
from tests.gui.models.test_pane import TEXTS, Windowed, windowed

if TYPE_CHECKING:
    from desktop_app.core.jobs import Steps

__all__ = ["windowed"]


def open_dialog(windowed: Windowed) -> MultilingualDialog:
    windowed.window.action_table["models.multilingual"].trigger()
    return windowed.window.findChild(MultilingualDialog)


def test_one_click_downloads_and_then_switches(windowed: Windowed, qtbot: QtBot) -> None:
    window, asked = windowed.window, []
    add = windowed.world.models.add

    def note(name: str, changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        asked.append(name)
        return add(name, changes)

    windowed.world.models.add = note
    dialog = open_dialog(windowed)
    assert dialog.chosen is MULTILINGUAL_MODELS[0]
    assert "485" in dialog.choices["recommended"].text()
    dialog.download.click()
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: windowed.active() == "turned" and not window.models.doing)
    assert asked == [MULTILINGUAL_MODELS[0].name]
    assert "now uses turned" in window.notice.text
    qtbot.keyClicks(window.search.box, TEXTS[7])
    qtbot.waitUntil(lambda: window.search_pane.model.rowCount() > 0 and not window.search.controller.is_waiting)
    assert window.search_pane.model.index(0, 0).data() == TEXTS[7]


def test_without_network_the_library_keeps_its_model_and_the_dialog_says_what_to_copy(
    windowed: Windowed, qtbot: QtBot
) -> None:
    def fail(_name: str, _changes: ModelChanges = NO_CHANGES) -> Steps[ModelEntry]:
        raise Offline("There is no network", "Copy the files.")
        yield

    windowed.world.models.add = fail
    dialog = open_dialog(windowed)
    for choice, model in (("large", MULTILINGUAL_MODELS[2]), ("small", MULTILINGUAL_MODELS[1])):
        dialog.choices[choice].click()
        assert dialog.chosen is model
        assert model.address in dialog.offline.text()
    dialog.download.click()
    qtbot.waitUntil(lambda: "There is no network. Copy the files." in windowed.window.notice.text)
    assert windowed.active() == "hashing"
    assert not windowed.window.models.doing


def test_documents_in_an_unknown_language_offer_it_once(kindred: Kindred, qtbot: QtBot) -> None:
    warning = Message("Looks like {spoken}.", spoken="German", code="unknown_language")
    report = ImportReport(imported=[ImportedFile(f"/{n}.txt", n, None, 3, (warning,)) for n in (1, 2)])
    notice = kindred.window.notice
    kindred.window.imports.finished.emit(ImportReport(imported=[ImportedFile("/0.txt", 9, None, 3, ())]))
    assert notice.isHidden()
    kindred.window.imports.finished.emit(report)
    assert notice.text == "2 documents in languages that the model doesn't know."
    notice.pressed.emit()
    dialog = kindred.window.findChild(MultilingualDialog)
    assert dialog.isVisible()
    dialog.close()
    kindred.window.imports.finished.emit(report)
    assert notice.isHidden()


def test_a_query_in_an_unknown_language_offers_it_beside_the_warning(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    search(filled, qtbot, "sea")
    pane, model = filled.window.search_pane, filled.window.search_pane.model
    assert not pane.get_model.isVisible()
    foreign = replace(model.result, is_query_known=False, foreign_language="de")
    monkeypatch.setattr(type(model), "result", property(lambda _model: foreign))
    filled.window.context.session.changed.emit()
    assert pane.get_model.isVisible()
    assert "German" in pane.remark.text()
    filled.window.resize(1600, 700)
    for width, is_beside in ((400, False), (800, True)):
        pane.setFixedWidth(width)
        qtbot.waitUntil(lambda width=width: pane.width() == width)
        QApplication.processEvents()
        assert (pane.get_model.x() > pane.remark.x()) is is_beside


@pytest.mark.parametrize(("system", "offered"), [("de_DE", True), ("en_GB", False), ("C", False)])
def test_the_first_page_offers_it_where_the_system_speaks_another_language(
    monkeypatch: pytest.MonkeyPatch, system: str, offered: bool
) -> None:
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale(system)))
    now = SearchSituation("ready", is_listed=True, is_system_english=state.is_system_english())
    first = choose_empty_state(now)
    assert first is not None
    assert ("models.multilingual" in first.actions) is offered
