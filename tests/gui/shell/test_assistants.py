"""`kindred mcp` uses the engine of the window while that is open."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.cli.assistant_session import AssistantSession
from desktop_app.core.errors import UsageError
from tests.gui.shell.test_libraries import Desk, desk

__all__ = ["desk"]


class NoWorkspace:
    """Fails the test if the command opens anything itself."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was used")


def ask(desk: Desk, qtbot: QtBot, session: AssistantSession, tool: str, **arguments: object) -> Any:
    """Call a tool as another process would, while the window goes on."""
    answers: list[Any] = []

    def call() -> None:
        try:
            answers.append(session.call(tool, dict(arguments)))
        except (AssertionError, UsageError) as error:
            answers.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    qtbot.waitUntil(lambda: bool(answers))
    thread.join()
    return answers[0]


@pytest.fixture
def session(desk: Desk) -> Callable[[Path], AssistantSession]:
    config = desk.window.context.paths.config
    return lambda folder: AssistantSession(cast("Any", NoWorkspace()), config, folder)


def test_the_window_answers_and_is_not_disturbed(
    desk: Desk, qtbot: QtBot, session: Callable[[Path], AssistantSession], files: Path
) -> None:
    desk.window.imports.start([str(files / "sea.txt")])
    qtbot.waitUntil(lambda: not desk.window.imports.is_running)
    desk.window.showMinimized()
    assistant = session(desk.window.library_switch.place)
    answer = ask(desk, qtbot, assistant, "compare", first="Bread rises.", second="Bread rises.")
    assert answer["cosine"] == pytest.approx(1.0, abs=1e-3)
    refused = ask(desk, qtbot, assistant, "check_draft", text="Bread rises. " * 20_000)
    assert isinstance(refused, UsageError)
    assert "Check it in parts." in str(refused)
    assert desk.window.isMinimized()
    assert desk.window.search.box.text() == ""


def test_without_a_window_the_command_uses_its_own_engine(
    desk: Desk, qtbot: QtBot, session: Callable[[Path], AssistantSession]
) -> None:
    answer = ask(desk, qtbot, session(desk.folder("other")), "list_documents")
    assert "was used" in str(answer)


def test_an_assistant_follows_the_library_to_another_window_and_back(
    desk: Desk, qtbot: QtBot, session: Callable[[Path], AssistantSession]
) -> None:
    default, other = desk.window.library_switch.place, desk.folder("other")
    assistant = session(default)
    assert "cosine" in ask(desk, qtbot, assistant, "compare", first="Bread.", second="Tea.")
    desk.window.library_switch.use_library(other, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(other))
    assert "was used" in str(ask(desk, qtbot, assistant, "compare", first="Bread.", second="Tea."))
    desk.window.library_switch.use_library(default, new=False)
    qtbot.waitUntil(lambda: desk.is_shown(default))
    assert "cosine" in ask(desk, qtbot, assistant, "compare", first="Bread.", second="Tea.")
