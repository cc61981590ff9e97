"""What a person may not do in a shared library is gray and says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import NOTHING
from desktop_app.core.records import CheckResult
from desktop_app.gui.library.maintenance_dialog import MaintenanceDialog
from desktop_app.gui.models.pane import ModelsPage
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.library_access import CHANGING_ACTIONS
from desktop_app.gui.training.result_card import UseModelRow
from tests.gui.conftest import Kindred
from tests.gui.fakes import FakeLibrary


def open_shared(make: Callable[..., Kindred], qtbot: QtBot, **access: object) -> Kindred:
    library = FakeLibrary()
    library.access = {"is_shared": True, **access}
    library.writable = bool(access.get("is_writable", True))
    kindred = make(library=library)
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
    return kindred


def test_every_refused_action_is_one_of_the_table() -> None:
    assert set(CHANGING_ACTIONS) <= {spec.id for spec in ACTION_SPECS}


def test_a_reader_changes_nothing(make: Callable[..., Kindred], qtbot: QtBot, files: Path) -> None:
    kindred = open_shared(make, qtbot, is_writable=False, right="reader")
    table = kindred.window.action_table
    for name in CHANGING_ACTIONS:
        assert not table[name].isEnabled(), name
        assert "only read" in table[name].toolTip()
    assert table["library.open"].isEnabled()
    table["library.import"].setEnabled(True)  # a feature does not know of rights
    assert not table["library.import"].isEnabled()
    kindred.window.imports.start([str(files)])
    assert "only read" in kindred.window.notice.text
    assert kindred.is_quiet
    assert kindred.kind == "no_documents"


def test_a_reader_cannot_switch_the_model_or_repair(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    window = open_shared(make, qtbot, is_writable=False, right="reader").window
    window.action_table["library.models"].trigger()
    page = window.findChild(ModelsPage)
    offer = UseModelRow(window.models)
    dialog = MaintenanceDialog(window.session, window)
    dialog._show_checks([CheckResult("counters", False, NOTHING)])
    offer.show_model("mine")
    for button in (page.use, offer.use, dialog.repair_button):
        assert not button.isEnabled()
        assert "only read" in button.toolTip()
    assert page.add_folder.isEnabled(), "for trainings and comparisons"
    page.window().close()
    dialog.close()
    offer.deleteLater()


def test_a_writer_is_refused_only_what_a_server_does(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    table = open_shared(make, qtbot).window.action_table
    assert table["library.import"].isEnabled()
    assert not table["library.backup"].isEnabled()
    assert "server" in table["library.backup"].toolTip()


def test_documents_of_others_are_not_imported_unasked(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    kindred = open_shared(make, qtbot)
    kindred.window._offer_waiting(3)
    assert kindred.window.notice.text == "3 documents are waiting to be imported."
    assert kindred.is_quiet


@pytest.mark.parametrize("is_shared", [True, False])
def test_an_empty_library_says_where_text_is_stored(
    make: Callable[..., Kindred], qtbot: QtBot, is_shared: bool
) -> None:
    kindred = open_shared(make, qtbot, is_shared=is_shared)
    qtbot.waitUntil(lambda: kindred.kind == "no_documents")
    assert ("stays on this computer" in kindred.window.search_pane.state._view.text) != is_shared
