"""The program on a screen of its own, under a window manager, driven by keyboard and mouse alone."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from desktop_app.core.errors import AppError
from desktop_app.core.paths import Paths
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S

T = TypeVar("T")

_NOTHING = threading.Event()
_TOOLS = {"Xvfb": "xvfb", "xdotool": "xdotool", "openbox": "openbox", "xclip": "xclip"}
_MISSING = [package for tool, package in _TOOLS.items() if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11"),
    pytest.mark.skipif(bool(_MISSING), reason=f"needs the system packages {' '.join(_MISSING)}"),
]

TEA = "# Notes on tea\n\nWater for green tea should not boil. Black tea wants water that is as hot as it can be.\n"
BREAD = "A dough rests overnight in a cool kitchen.\n\nThe crust turns brown in a very hot oven.\n"
FOG = "The lighthouse keeper lit the lamp long before the fog came in.\n"


def until(holds: Callable[[], T], what: str) -> T:
    """Wait for a result and return it; it comes from another process, which takes its time."""
    end = time.monotonic() + PATIENCE_S
    while not (held := holds()):
        assert time.monotonic() < end, f"this never happened: {what}"
        _NOTHING.wait(0.05)  # each look starts a process: without a pause it would take time from the program
    return held


class Screen:
    """A display with a window manager, and a person's actions on it."""

    def __init__(self, number: int, environment: dict[str, str]) -> None:
        self.display = f":{number}"
        self.environment = environment

    def tool(self, *command: str) -> str:
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        return done.stdout.strip()

    def xdotool(self, *arguments: str) -> str:
        return self.tool("xdotool", *arguments)

    def window(self) -> str:
        """The program's window, empty while there is none on the screen."""
        return self.xdotool("search", "--onlyvisible", "--class", "^kindred$").partition("\n")[0]

    def press(self, *keys: str) -> None:
        self.xdotool("key", "--delay", "20", *keys)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", "5", text)

    def clipboard(self) -> str:
        return self.tool("xclip", "-selection", "clipboard", "-out")

    def active(self) -> str:
        return self.xdotool("getactivewindow")


def _server() -> tuple[subprocess.Popen[bytes], int]:
    """Start an X server; return it and its display number. Of two with the same number one gives up."""
    for _ in range(5):
        reading, writing = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(writing,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            if number := pipe.readline():
                return server, int(number)
        server.wait()
    raise AssertionError("no X server starts")


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    """Start an X server on a free display, and a window manager on it."""
    server, number = _server()
    environment = {**os.environ, "DISPLAY": f":{number}", "HOME": str(tmp_path), "QT_QPA_PLATFORM": "xcb"}
    environment.pop("WAYLAND_DISPLAY", None)
    manager = subprocess.Popen(
        ["openbox"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    screen = Screen(number, environment)
    try:
        # The number of desktops is known only if a window manager manages them.
        until(lambda: screen.xdotool("get_num_desktops").isdigit(), "a window manager")
        yield screen
    finally:
        manager.kill()
        manager.wait()
        server.terminate()
        server.wait()


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "base"


@pytest.fixture
def start(screen: Screen, base: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start the program like a person; processes that still run after the test are killed."""
    running: list[subprocess.Popen[bytes]] = []

    def begin(*files: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "desktop_app", "--basedir", str(base), *map(str, files)]
        running.append(subprocess.Popen(command, env=screen.environment, start_new_session=True))
        return running[-1]

    yield begin
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _ready(base: Path) -> set[str]:
    """The names of the documents that are ready, read beside the window."""
    try:
        library = LocalLibrary.open(Paths.under(base).default_library, writable=False, create=False)
    except AppError:
        return set()  # it is just being created
    with contextlib.closing(library):
        return {Path(each.path).name for each in library.documents.fetch() if each.state == "ready"}


def _listed(base: Path) -> set[str]:
    """The same by a command."""
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(base), "--json", "documents"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return {Path(each["path"]).name for each in json.loads(done.stdout)["documents"] if each["state"] == "ready"}


def _copied(screen: Screen, sentence: str) -> bool:
    """Copy the selected hit with its citation, and return whether it is that of the sentence."""
    screen.press("ctrl+c")
    return sentence in screen.clipboard()


def test_a_person_searches_navigates_passes_a_file_and_closes(
    screen: Screen, start: Callable[..., subprocess.Popen[bytes]], base: Path, tmp_path: Path
) -> None:
    tea, bread, fog = tmp_path / "tea.md", tmp_path / "bread.txt", tmp_path / "fog at sea.txt"
    tea.write_text(TEA, "utf-8")
    bread.write_text(BREAD, "utf-8")
    fog.write_text(FOG, "utf-8")
    program = start(tea, bread)
    # Checked once: while the window manager frames it, it is invisible for a moment.
    window = until(screen.window, "a window")
    assert "Kindred" in until(lambda: screen.xdotool("getwindowname", window), "the window's title")
    until(lambda: screen.active() == window, "the window has the keyboard")
    # Typing goes to the search box at once, while the program is still loading.
    screen.type("how hot should water for green tea be")
    until(lambda: _ready(base) == {"tea.md", "bread.txt"}, "both documents are ready")
    assert _listed(base) == {"tea.md", "bread.txt"}, "a command works beside the window"
    until(lambda: _copied(screen, "Water for green tea should not boil."), "the best hit is copied")
    assert "Notes on tea" in screen.clipboard()  # its document's title

    # The next hit by the arrow key, and back. A busy machine may copy after the next key only, so the keys return.
    keys = itertools.cycle(["Down"] * 3 + ["Up"] * 3)
    until(lambda: screen.press(next(keys)) or _copied(screen, "Black tea wants water"), "the next hit")
    until(lambda: screen.press("Up") or _copied(screen, "Water for green tea"), "the hit before it")

    # A hit by the mouse: a card further down becomes the selected one, and the keyboard follows it.
    first = screen.clipboard()
    x, y, width, height = _geometry(screen, window)
    below = itertools.cycle(range(y + 150, y + height - 60, 20))

    def click_chooses_another() -> bool:
        screen.xdotool("mousemove", str(x + width * 45 // 100), str(next(below)), "click", "1")
        screen.press("ctrl+c")
        return screen.clipboard() not in ("", first)

    until(click_chooses_another, "a click chooses another hit")

    # The window is hidden, and a second start with a file restores it.
    screen.xdotool("windowminimize", window)
    until(lambda: not screen.window(), "the window is minimised")
    second = start(fog)
    assert second.wait(PATIENCE_S) == 0
    until(lambda: screen.active() == window, "the window is in front again")
    until(lambda: "fog at sea.txt" in _ready(base), "the file of the second start is ready")
    screen.press("ctrl+f")
    screen.type("a lamp in the mist")
    until(lambda: screen.press("ctrl+f", "Right") or _copied(screen, "The lighthouse keeper"), "its sentence is found")

    # The window manager asks the window to close.
    screen.press("alt+F4")
    assert program.wait(PATIENCE_S) == 0
    assert _ready(base) == {"tea.md", "bread.txt", "fog at sea.txt"}


def _geometry(screen: Screen, window: str) -> tuple[int, int, int, int]:
    shell = screen.xdotool("getwindowgeometry", "--shell", window)
    values = dict(line.split("=", 1) for line in shell.splitlines() if "=" in line)
    return int(values["X"]), int(values["Y"]), int(values["WIDTH"]), int(values["HEIGHT"])
