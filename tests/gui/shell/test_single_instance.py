"""A second start passes its files to the first window; a first one that crashed, starts or ends is no obstacle."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile, Qt
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from desktop_app.cli.window_socket import exchange_line
from desktop_app.core.errors import Cancelled, LibraryBusy
from desktop_app.core.window_address import read_window_address
from desktop_app.gui.shell import single_instance as instance_module
from desktop_app.gui.shell.single_instance import SingleInstance, decode_message, encode_message, raise_window
from desktop_app.gui.shell.start_notices import ClosingNotice, show_failed_start
from tests.gui.conftest import Kindred
from tests.patience import PATIENCE_S

Make = Callable[..., SingleInstance]


@pytest.fixture
def instances(qapp, tmp_path: Path) -> Iterator[Make]:
    """Create instances below the test's folder; all are released afterwards."""
    made: list[SingleInstance] = []

    def make(base: str = "base", library: str = "library") -> SingleInstance:
        made.append(SingleInstance(tmp_path / base, tmp_path / library))
        return made[-1]

    yield make
    for each in made:
        each.release()
        each.deleteLater()


_SECOND = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from desktop_app.core.errors import LibraryBusy
from desktop_app.gui.shell.single_instance import SingleInstance
base, library, patience_s, files = json.loads(sys.stdin.read())
print("begun", flush=True)
app = QCoreApplication([])
instance = SingleInstance(Path(base), Path(library))
try:
    print("first" if instance.claim(files, patience_s) else "taken")
except LibraryBusy as error:
    print(error.message)
instance.release()
"""


class Second:
    """A second start in its own process, waiting for the answer of the first."""

    def __init__(self, folder: Path, files: Sequence[str] = (), patience_s: float = PATIENCE_S) -> None:
        arguments = [str(folder / "base"), str(folder / "library"), patience_s, list(files)]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SECOND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._has_begun = False
        assert self._process.stdin
        self._process.stdin.write(json.dumps(arguments))
        self._process.stdin.close()

    @property
    def has_begun(self) -> bool:
        """Return whether everything is imported and the claim comes next."""
        assert self._process.stdout
        if not self._has_begun and select.select([self._process.stdout], [], [], 0)[0]:
            self._has_begun = self._process.stdout.readline() == "begun\n"
        return self._has_begun

    def wait(self, qtbot: QtBot) -> str:
        """Return its final output: `first`, `taken`, or why neither."""
        qtbot.waitUntil(lambda: self._process.poll() is not None, timeout=2000 * PATIENCE_S)
        with self._process as process:
            assert process.stdout
            return process.stdout.read().removeprefix("begun\n").strip()


NAMES = ["/a b/c d.pdf", "/line\nbreak.txt", '/"quoted" $HOME `x` %F.md', os.fsdecode(b"/not \xff utf8"), "/海/🌊.txt"]


def test_file_names_are_passed_on_unchanged(instances: Make, tmp_path: Path, qtbot: QtBot) -> None:
    first = instances()
    assert first.claim([])
    received: list[tuple[list[str], str]] = []
    first.received.connect(lambda files, token: received.append((files, token)))
    assert Second(tmp_path, NAMES).wait(qtbot) == "taken"
    qtbot.waitUntil(lambda: bool(received))
    assert [files for files, _ in received] == [NAMES]


def test_links_are_passed_on_too(instances: Make, tmp_path: Path, qtbot: QtBot) -> None:
    first = instances()
    first.claim([])
    words = ["kindred://0123456789abcdef/document/5", "/tea.txt", "KINDRED:nonsense"]
    with qtbot.waitSignal(first.received) as blocker:
        Second(tmp_path, words).wait(qtbot)
    assert blocker.args[0] == words


def test_the_command_quick_asks_for_the_search_field(instances: Make, tmp_path: Path, qtbot: QtBot) -> None:
    first = instances()
    first.claim([])
    address = read_window_address(tmp_path / "base", tmp_path / "library")
    replies: list[bytes] = []
    sender = threading.Thread(target=lambda: replies.append(exchange_line(address, b'{"quick": true, "token": "t"}\n')))
    with qtbot.waitSignal(first.quick_search_wanted) as blocker:
        sender.start()
    qtbot.waitUntil(lambda: bool(replies))
    sender.join()
    assert (blocker.args, replies) == (["t"], [b"taken\n"])


def test_a_start_without_files_is_passed_on_too(instances: Make, tmp_path: Path, qtbot: QtBot, monkeypatch) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "from the desktop")
    first = instances()
    first.claim([])
    with qtbot.waitSignal(first.received) as blocker:
        Second(tmp_path).wait(qtbot)
    assert blocker.args == [[], "from the desktop"]


def test_many_second_starts_lose_nothing(instances: Make, tmp_path: Path, qtbot: QtBot) -> None:
    first = instances()
    first.claim([])
    received: list[str] = []
    first.received.connect(lambda files, _token: received.extend(files))
    seconds = [Second(tmp_path, [f"/{number}/{n}" for n in range(500)]) for number in range(4)]
    assert [second.wait(qtbot) for second in seconds] == ["taken"] * 4
    qtbot.waitUntil(lambda: len(received) == 2000)
    assert len(set(received)) == 2000


def test_another_library_or_base_folder_is_another_instance(instances: Make) -> None:
    assert instances().claim([])
    assert instances(library="other").claim([])
    assert instances(base="elsewhere").claim([])
    with pytest.raises(LibraryBusy):
        instances(library="../" + Path(instances()._folder).parent.name + "/library").claim([], patience_s=0.1)


def test_the_first_instance_may_still_be_starting(instances: Make, tmp_path: Path, qtbot: QtBot) -> None:
    """It holds the lock and answers only later."""
    first = instances()
    lock = _lock_of(first)
    assert lock.tryLock(0)
    second = Second(tmp_path, ["/late.txt"])
    qtbot.waitUntil(lambda: second.has_begun)
    first._listen()  # its next step; releasing the lock and claiming it again would race with the second
    with qtbot.waitSignal(first.received) as blocker:
        assert second.wait(qtbot) == "taken"
    assert blocker.args[0] == ["/late.txt"]


def test_the_second_instance_replaces_a_first_that_is_ending(instances: Make, tmp_path: Path, qtbot) -> None:
    first = instances()
    first.claim([])
    first.close()  # the window is closed, its library is still closing
    second = Second(tmp_path, ["/late.txt"])
    qtbot.waitUntil(lambda: second.has_begun)
    first.release()
    assert second.wait(qtbot) == "first"


def test_the_second_instance_waits_for_a_first_that_takes_long_to_close(instances: Make) -> None:
    first, second = instances(), instances()
    first.claim([])
    first.close()
    looks: list[None] = []

    def wait() -> None:
        looks.append(None)
        if len(looks) == 3:
            first.release()

    assert second.claim([], 0.01, wait)
    assert len(looks) == 3
    third = instances()
    second.close()
    with pytest.raises(LibraryBusy, match="still closing"):
        third.claim([], 0.01)
    second.release()
    assert not list(third._folder.glob("*.address"))


def test_a_start_while_the_library_is_being_closed_says_so_until_it_is_cancelled(qapp, qtbot: QtBot) -> None:
    notice = ClosingNotice(qapp, "en")
    notice.close()
    notice.show()
    (box,) = (each for each in qapp.topLevelWidgets() if isinstance(each, QMessageBox))
    assert "still being closed" in box.text()
    notice.show()
    box.button(QMessageBox.StandardButton.Cancel).click()
    with pytest.raises(Cancelled):
        notice.show()
    notice.close()


def test_a_start_that_fails_says_why_in_the_language_of_the_person(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, str]] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append((box.text(), box.informativeText())))
    show_failed_start(qapp, "de", LibraryBusy("Kindred is already running but does not respond", ""))
    show_failed_start(qapp, "en", LibraryBusy("Kindred is already running but does not respond", "Wait."))
    assert shown == [
        ("Kindred läuft schon, antwortet aber nicht", ""),
        ("Kindred is already running but does not respond", "Wait."),
    ]


def test_an_instance_that_never_answers_is_reported(instances: Make, tmp_path: Path, qtbot: QtBot) -> None:
    lock = _lock_of(instances())
    assert lock.tryLock(0)
    assert "does not respond" in Second(tmp_path, patience_s=1.5).wait(qtbot)
    assert lock.isLocked()
    lock.unlock()


def test_after_a_crash_the_next_start_is_the_first_and_cleans_up(instances: Make, tmp_path: Path) -> None:
    crash = (
        "import os, sys; from pathlib import Path; from desktop_app.gui.shell.single_instance import SingleInstance;"
        "instance = SingleInstance(Path(sys.argv[1]), Path(sys.argv[2]));"
        "assert instance.claim([]); print(instance._server.fullServerName(), flush=True); os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", crash, str(tmp_path / "base"), str(tmp_path / "library")]
    socket = Path(subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip())
    if sys.platform != "win32":
        assert socket.exists()
    again = instances()
    assert again.claim([], patience_s=0)
    assert not socket.exists()
    assert not socket.parent.exists()


def test_a_lock_of_a_dead_process_is_taken_over_even_if_its_pid_is_in_use(instances: Make, tmp_path: Path) -> None:
    """Qt checks whether a process with that pid and name runs; here it is this very process."""
    instance = instances()
    lock = _lock_of(instance)
    assert lock.tryLock(0)
    file = Path(lock.fileName())
    content = file.read_bytes()
    lock.unlock()
    file.write_bytes(content)
    assert instance.claim([])


def test_invalid_data_is_ignored_and_the_next_message_is_received(
    instances: Make, tmp_path: Path, qtbot: QtBot, monkeypatch
) -> None:
    monkeypatch.setattr(instance_module, "MAX_MESSAGE_BYTES", 10_000)
    first = instances()
    first.claim([])
    received: list[list[str]] = []
    first.received.connect(lambda files, _token: received.append(files))
    for wrong in (b"\xff\xfe\n", b"[]\n", b"{}\n", b'{"open": ["relative.txt"]}\n', b"x" * 20_000, b"[" * 9000 + b"\n"):
        socket = QLocalSocket()
        socket.connectToServer(first._server.fullServerName())
        socket.write(wrong)
        qtbot.waitUntil(lambda s=socket: s.state() == QLocalSocket.LocalSocketState.UnconnectedState)
    assert Second(tmp_path, ["/right.txt"]).wait(qtbot) == "taken"
    qtbot.waitUntil(lambda: received == [["/right.txt"]])


@pytest.mark.parametrize(
    "message",
    [
        [],
        {"open": "x"},
        {"open": [1]},
        {"open": ["/a"], "token": 1},
        {"open": ["/zero\0byte"]},
        {"open": ["file.txt"]},
        {"open": ["http://example.org/"]},
        {"open": [["/a"]]},
    ],
)
def test_only_absolute_paths_and_links_are_accepted(message: object) -> None:
    with pytest.raises(ValueError):
        decode_message(json.dumps(message).encode())


def test_a_message_is_one_line() -> None:
    line = encode_message(NAMES, "token")
    assert line.count(b"\n") == 1
    assert decode_message(line) == (NAMES, "token")


def test_a_read_only_folder_does_not_keep_the_window_from_opening(qapp, tmp_path: Path) -> None:
    (tmp_path / "base").write_text("a file where a folder should be")
    instance = SingleInstance(tmp_path / "base", tmp_path / "library")
    assert instance.claim([])
    instance.release()


def test_a_minimised_window_is_restored_and_imports_the_files(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    window = kindred.window
    window.showMinimized()
    qtbot.waitUntil(window.isMinimized)
    window.open_words([str(files / "sea.txt")])
    raise_window(window)
    qtbot.waitUntil(lambda: not window.isMinimized() and window.isActiveWindow())
    qtbot.waitUntil(lambda: any("sentences" in state for state in kindred.documents.values()))


def test_a_maximised_window_stays_maximised(kindred: Kindred, qtbot: QtBot) -> None:
    kindred.window.showMaximized()
    kindred.window.setWindowState(kindred.window.windowState() | Qt.WindowState.WindowMinimized)
    raise_window(kindred.window)
    qtbot.waitUntil(lambda: kindred.window.isMaximized() and not kindred.window.isMinimized())


def test_files_received_before_the_library_opens_are_imported_afterwards(
    make: Callable[..., Kindred], files: Path, qtbot: QtBot
) -> None:
    kindred = make(show=False)
    kindred.window.open_words([str(files / "sea.txt")])
    kindred.window.start()
    qtbot.waitUntil(lambda: any("sentences" in state for state in kindred.documents.values()))


def _lock_of(instance: SingleInstance) -> QLockFile:
    instance._folder.mkdir(parents=True, exist_ok=True)
    lock = QLockFile(instance._lock.fileName())
    lock.setStaleLockTime(0)
    return lock


def test_on_windows_the_one_that_asked_ends_the_connection(
    instances: Make, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There the end of a pipe discards what has not been read: the reply would sometimes be lost.
    monkeypatch.setattr(instance_module, "_LOSES_UNREAD", True)
    first = instances()
    first.claim([])
    socket = QLocalSocket()
    socket.connectToServer(read_window_address(tmp_path / "base", tmp_path / "library"))
    with qtbot.waitSignal(first.received):
        socket.write(encode_message([], ""))
    qtbot.waitUntil(socket.canReadLine)
    QApplication.processEvents()
    assert socket.state() == QLocalSocket.LocalSocketState.ConnectedState
    assert socket.readLine().data() == b"taken\n"
    with qtbot.waitSignal(first.children()[-1].destroyed):
        socket.disconnectFromServer()
