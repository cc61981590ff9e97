"""The search of the desktop: asked over a bus of its own, as GNOME Shell and KRunner ask."""

from __future__ import annotations

import queue
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.desktop_search import BUS_NAME, OBJECT_PATH
from desktop_app.engine.desktop_search import DesktopSearch
from tests.engine.test_models import World
from tests.patience import PATIENCE_S

jeepney = pytest.importorskip("jeepney")
blocking = pytest.importorskip("jeepney.io.blocking")
pytestmark = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="needs dbus-daemon")
GNOME, KDE = "org.gnome.Shell.SearchProvider2", "org.kde.krunner1"


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    command = ["dbus-daemon", "--session", "--nofork", "--print-address", f"--address=unix:path={tmp_path / 'bus'}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        address = daemon.stdout.readline().strip()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address
        daemon.terminate()


class Desktop:
    """Asks as a desktop does."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def ask(self, interface: str, method: str, signature: str = "", *body: object) -> Any:
        address = jeepney.DBusAddress(OBJECT_PATH, BUS_NAME, interface)
        reply = self._connection.send_and_get_reply(
            jeepney.new_method_call(address, method, signature or None, body), timeout=PATIENCE_S
        )
        if reply.header.message_type is jeepney.MessageType.error:
            raise LookupError(reply.body)
        return reply.body[0] if reply.body else None


@pytest.fixture
def opened() -> queue.Queue[str]:
    return queue.Queue()


@pytest.fixture
def desktop(bus: str, opened: queue.Queue[str], tmp_path: Path) -> Iterator[Desktop]:
    world = World(tmp_path)
    world.take_in("a").wait(PATIENCE_S)
    search = DesktopSearch(world.workspace, opened.put)
    with blocking.open_dbus_connection(bus=bus) as connection:
        assert search.wait_until_asked(PATIENCE_S)
        yield Desktop(connection)
        search.stop()
    world.workspace.close()


def test_gnome_shell_finds_describes_and_opens_sentences(desktop: Desktop, opened: queue.Queue[str]) -> None:
    names = desktop.ask(GNOME, "GetInitialResultSet", "as", ["Sentence", "number", "7"])
    assert 1 <= len(names) <= 5
    assert all(name.startswith("kindred://") for name in names)
    first = desktop.ask(GNOME, "GetResultMetas", "as", [names[0], "kindred://unknown"])
    assert len(first) == 1
    assert "number 7" in first[0]["name"][1]
    assert first[0]["description"][1].startswith("a.txt")
    assert desktop.ask(GNOME, "GetSubsearchResultSet", "asas", names, ["number", "7", "of"])
    assert desktop.ask(GNOME, "GetInitialResultSet", "as", ["7"]) == []
    desktop.ask(GNOME, "ActivateResult", "sasu", names[0], ["number"], 0)
    desktop.ask(GNOME, "LaunchSearch", "asu", ["number", "7"], 0)
    assert opened.get(timeout=PATIENCE_S) == names[0]
    assert opened.get(timeout=PATIENCE_S).endswith("/search?q=number%207")


def test_krunner_finds_and_opens_sentences(desktop: Desktop, opened: queue.Queue[str]) -> None:
    name, text, icon, _kind, relevance, more = desktop.ask(KDE, "Match", "s", "Sentence number 7")[0]
    assert ("number 7" in text, icon, 0 <= relevance <= 1) == (True, "kindred", True)
    assert more["subtext"][1].startswith("a.txt")
    assert desktop.ask(KDE, "Actions") == []
    desktop.ask(KDE, "Run", "ss", name, "")
    assert opened.get(timeout=PATIENCE_S) == name


def test_nonsense_is_refused_and_the_next_is_answered(desktop: Desktop) -> None:
    for method, signature, body in (("Nothing", "", ()), ("Match", "", ()), ("GetResultMetas", "u", (7,))):
        with pytest.raises(LookupError):
            desktop.ask(KDE, method, signature, *body)
    assert desktop.ask(KDE, "Match", "s", "Sentence number 7")


def test_without_a_bus_nobody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'nothing'}")
    world = World(tmp_path)
    search = DesktopSearch(world.workspace, print)
    assert not search.wait_until_asked(PATIENCE_S)
    search.stop()
    world.workspace.close()
