"""A display that does not answer is reported before Qt ends the process."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.gui.shell.display import has_display

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sockets of X and Wayland")


@pytest.fixture
def wayland(tmp_path: Path) -> Iterator[dict[str, str]]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        yield {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7"}


def test_an_answering_wayland_display_is_used(wayland: dict[str, str]) -> None:
    assert has_display(wayland)
    assert has_display({**wayland, "DISPLAY": ":9876"})
    assert not has_display({**wayland, "QT_QPA_PLATFORM": "xcb"})


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"DISPLAY": ":9876"},
        {"DISPLAY": "unix:9876.0"},
        {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/nowhere"},
        {"WAYLAND_DISPLAY": "wayland-0"},
        {"QT_QPA_PLATFORM": "wayland;xcb", "DISPLAY": ":9876"},
    ],
)
def test_a_display_that_does_not_answer_is_reported(variables: dict[str, str]) -> None:
    assert not has_display(variables)


@pytest.mark.parametrize("variables", [{"QT_QPA_PLATFORM": "offscreen"}, {"DISPLAY": "elsewhere:0"}])
def test_displays_of_other_machines_are_not_checked(variables: dict[str, str]) -> None:
    assert has_display(variables)


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_other_systems_always_have_a_display(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr("desktop_app.gui.shell.display.sys.platform", system)
    assert has_display({})


@pytest.mark.parametrize("platform", ["offscreen", "minimal:size=9", "vnc;xcb"])
def test_a_platform_without_a_display_needs_none(platform: str) -> None:
    assert has_display({"QT_QPA_PLATFORM": platform})
