"""Opening a shared library: the address, the test in plain words, the password."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import LibraryUnreachable
from desktop_app.core.shared_address import SharedAddress, SharedLogin, SharedStatus
from desktop_app.gui.shell.shared_library_dialog import PasswordDialog, SharedLibraryDialog, describe_test
from tests.gui.conftest import Kindred

ADDRESS = SharedAddress("archive", "kindred", "newsroom", "anna")
STATUS = SharedStatus(
    "18.1", "0.8.5", True, "anna", 1002, 1002, "writer", documents=3, sentences=40, model="MiniLM", is_model_here=True
)


class OneServer:
    """A server with the library `newsroom` and the password `right`."""

    def __init__(self, login: SharedLogin) -> None:
        self.login = login

    def status(self) -> SharedStatus:
        if self.login.password != "right":
            raise LibraryUnreachable("The server {server} refuses the user {user}: {why}", code="refused",
                                     server="archive", user="anna", why="no")  # fmt: skip
        return STATUS


@pytest.fixture
def dialog(kindred: Kindred) -> SharedLibraryDialog:
    object.__setattr__(kindred.workspace.context.setup, "open_administration", OneServer)
    shown = SharedLibraryDialog(kindred.window.session, None, kindred.window)
    shown.open()
    return shown


@pytest.mark.parametrize("is_pasted", [True, False])
def test_a_whole_address_can_be_pasted_or_typed(dialog: SharedLibraryDialog, qtbot: QtBot, is_pasted: bool) -> None:
    text = "postgresql://anna@archive:5433/kindred?library=newsroom&sslmode=require"
    if is_pasted:
        dialog.server.insert(text)
        dialog.server.textEdited.emit(text)
        assert dialog.library.text() == "newsroom"
    else:
        qtbot.keyClicks(dialog.server, text)
    assert dialog.address() == replace(ADDRESS, port=5433, sslmode="require")
    assert dialog.server.text() == "archive:5433"


def test_what_is_missing_is_named(dialog: SharedLibraryDialog, qtbot: QtBot) -> None:
    dialog.open_button.click()
    assert "name of the server" in dialog.outcome.text()
    dialog.server.setText("archive")
    dialog.library.setText("News Room")
    dialog.test.click()
    assert "small letters" in dialog.outcome.text()
    assert dialog.isVisible()


def test_the_test_says_what_it_finds(dialog: SharedLibraryDialog, qtbot: QtBot) -> None:
    dialog._fill(ADDRESS)
    dialog.password.setText("wrong")
    dialog.test.click()
    qtbot.waitUntil(lambda: "refuses the user anna" in dialog.outcome.text())
    dialog.password.setText("right")
    dialog.test.click()
    qtbot.waitUntil(lambda: "3 documents, 40 sentences." in dialog.outcome.text())


def test_a_long_result_leaves_the_fields_their_height(
    dialog: SharedLibraryDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = replace(STATUS, version=1000, is_model_here=False, model_bytes=10**8, model="a model with a long name " * 12)
    monkeypatch.setattr(OneServer, "status", lambda _server: long)
    dialog._fill(ADDRESS)
    before = dialog.server.height()
    dialog.test.click()
    qtbot.waitUntil(lambda: "100" in dialog.outcome.text() and dialog.outcome.isVisible())
    qtbot.waitUntil(lambda: dialog.server.height() >= before)
    assert dialog.height() >= dialog.layout().totalHeightForWidth(dialog.width())


def test_the_library_is_opened_with_the_password(dialog: SharedLibraryDialog, qtbot: QtBot) -> None:
    dialog._fill(ADDRESS)
    dialog.password.setText("right")
    with qtbot.waitSignal(dialog.signed_in) as signed_in:
        dialog.open_button.click()
    assert signed_in.args == [ADDRESS, "right", True]


def test_a_stored_password_is_used_if_none_is_typed(dialog: SharedLibraryDialog, qtbot: QtBot) -> None:
    dialog._fill(ADDRESS)
    with qtbot.waitSignal(dialog.signed_in) as signed_in:
        dialog.open_button.click()
    assert signed_in.args == [ADDRESS, None, False]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (replace(STATUS, version=None), "There is no library newsroom"),
        (replace(STATUS, version=2000), "newer version of Kindred"),
        (replace(STATUS, version=1002, newest=2000), "has to be upgraded first"),
        (replace(STATUS, version=1000), "some features need an upgrade"),
        (replace(STATUS, right="reader"), "You may search and read."),
        (replace(STATUS, is_encrypted=False), "The connection is not encrypted."),
        (replace(STATUS, is_model_here=False), "MiniLM, is not on this computer"),
    ],
)
def test_each_finding_has_its_words(status: SharedStatus, said: str) -> None:
    assert any(said in line for _tone, line in describe_test(ADDRESS, status))


@pytest.mark.parametrize(("host", "tone"), [("archive", "warn"), ("127.0.0.1", "")])
def test_a_warning_says_that_others_can_read_what_is_sent(host: str, tone: str) -> None:
    found = describe_test(replace(ADDRESS, host=host), replace(STATUS, is_encrypted=False))
    assert (tone, "The connection is not encrypted.") in found


def test_a_password_is_asked_with_the_reason(kindred: Kindred, qtbot: QtBot) -> None:
    error = LibraryUnreachable("The server {server} needs the password of {user}", code="password_needed",
                               server="archive", user="anna")  # fmt: skip
    asked = PasswordDialog(ADDRESS, error, kindred.window)
    asked.open()
    qtbot.keyClicks(asked.password, "right")
    asked.keep.setChecked(False)
    with qtbot.waitSignal(asked.signed_in) as signed_in:
        asked._enter()
    assert signed_in.args == [ADDRESS, "right", False]
