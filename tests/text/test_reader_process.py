"""The reader process: killed, crashed, restarted, and never blocking."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from desktop_app.core.reader_events import DocumentHead, FileUnchanged, ReaderLimits, ReadingDone
from desktop_app.text.reader_process import ProcessReader
from tests.text.helpers import PDFS, finish, until

MakeReader = Callable[..., ProcessReader]


@pytest.fixture
def doing() -> Iterator[MakeReader]:
    """Make readers whose process does something else than reading."""
    made: list[ProcessReader] = []

    def make(task: str, **limits: float) -> ProcessReader:
        tasks = {"read_document": f"tests.text.misbehaving_tasks:{task}"}
        made.append(ProcessReader(ReaderLimits(**limits), tasks=tasks))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for reader in made:
        reader.close()


def process_of(reader: ProcessReader) -> psutil.Process:
    assert reader.pid is not None
    return psutil.Process(reader.pid)


def gone(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


ANY = PDFS / "pdfa_one_page.pdf"


def test_a_file_is_read_in_another_process(reader: ProcessReader) -> None:
    result = finish(reader.start(ANY))
    assert result.state == "ready"
    assert isinstance(result.events[0], DocumentHead)
    assert isinstance(result.events[-1], ReadingDone)
    assert reader.pid not in (None, os.getpid())


def test_no_process_is_started_before_the_first_file(reader: ProcessReader) -> None:
    assert reader.pid is None


def test_one_process_serves_many_files(reader: ProcessReader) -> None:
    pids = set()
    for name in ("pdfa_one_page.pdf", "broken_beyond_repair.pdf", "scan_image_only.pdf", "ligatures.pdf"):
        finish(reader.start(PDFS / name))
        pids.add(reader.pid)
    assert len(pids) == 1


def test_a_known_file_is_unchanged(reader: ProcessReader) -> None:
    content_hash = finish(reader.start(ANY)).head.content_hash
    assert finish(reader.start(ANY, known_hashes=[content_hash])).events == [FileUnchanged(content_hash)]
    assert finish(reader.start(ANY, known_hashes=["0" * 64])).state == "ready"


def test_a_password_reaches_the_file(reader: ProcessReader) -> None:
    path = PDFS / "encrypted_openpassword.pdf"
    assert finish(reader.start(path)).state == "encrypted"
    assert finish(reader.start(path, password="openpassword")).state == "ready"


def test_a_process_killed_from_outside_while_it_waits_is_replaced(reader: ProcessReader) -> None:
    finish(reader.start(ANY))
    process = process_of(reader)
    process.kill()
    until(lambda: gone(process))
    assert finish(reader.start(ANY)).state == "ready"
    assert reader.pid != process.pid


def test_a_process_that_dies_when_a_task_is_sent_loses_nothing(reader: ProcessReader) -> None:
    finish(reader.start(ANY))
    process = process_of(reader)
    process.suspend()
    reading = reader.start(ANY)
    process.kill()
    assert finish(reading).state == "ready"


def test_a_process_killed_from_outside_while_it_reads_loses_only_that_file(doing: MakeReader) -> None:
    reader = doing("flood")
    reading = reader.start(ANY)
    until(reading.poll)
    process_of(reader).kill()
    assert finish(reading).state == "damaged"


def test_after_a_crash_the_second_engine_reads_and_nothing_is_repeated(doing: MakeReader) -> None:
    result = finish(doing("crash_on_first_engine").start(ANY))
    assert result.state == "ready"
    assert sum(isinstance(event, DocumentHead) for event in result.events) == 1
    assert result.pages_read == [1, 2]
    assert len(result.spans) == 1


def test_when_both_engines_crash_the_file_is_damaged(doing: MakeReader) -> None:
    assert finish(doing("crash_always").start(ANY)).state == "damaged"


def test_after_the_first_sentences_a_crash_ends_the_reading(doing: MakeReader) -> None:
    result = finish(doing("crash_after_sentences").start(ANY))
    assert result.state == "damaged"
    assert len(result.spans) == 1


def test_a_silent_process_times_out(doing: MakeReader) -> None:
    reader = doing("hang", silence_s=0.3)
    result = finish(reader.start(ANY))
    assert result.state == "timeout"
    assert reader.pid is None


def test_after_a_hang_the_second_engine_is_tried(doing: MakeReader) -> None:
    # Processor time: enough for a slow machine to begin with the second one.
    assert finish(doing("hang_on_first_engine", silence_s=1.0).start(ANY)).state == "ready"


def test_a_page_on_which_one_engine_hangs_comes_from_the_other(doing: MakeReader) -> None:
    result = finish(doing("hang_on_page_two", silence_s=1.0).start(PDFS / "four_pages_english.pdf"))
    assert [note.engine for note in result.done.pages] == ["pdfium", "pypdf", "pdfium", "pdfium"]
    assert all(note.state == "text" for note in result.done.pages)
    assert result.pages_read == [1, 2, 3, 4]


def test_a_page_on_which_all_engines_hang_is_skipped_and_named(doing: MakeReader) -> None:
    result = finish(doing("hang_on_page_two_in_both_engines", silence_s=1.0).start(PDFS / "four_pages_english.pdf"))
    assert [note.state for note in result.done.pages] == ["text", "none", "text", "text"]
    assert list(map(str, result.done.warnings)) == ["Page 2 was skipped: it could not be read to the end"]


def test_too_much_memory_is_too_large(doing: MakeReader) -> None:
    assert finish(doing("eat_memory", memory_bytes=300_000_000).start(ANY)).state == "too_large"


def test_the_size_of_a_silent_process_is_watched(doing: MakeReader) -> None:
    assert finish(doing("sit_on_memory", memory_bytes=300_000_000).start(ANY)).state == "too_large"


def test_running_out_of_memory_in_python_is_too_large(doing: MakeReader) -> None:
    assert finish(doing("run_out_of_memory").start(ANY)).state == "too_large"


def test_a_bug_fails_the_file_and_is_logged(doing: MakeReader, caplog: pytest.LogCaptureFixture) -> None:
    reader = doing("break_in_python")
    assert finish(reader.start(ANY)).state == "damaged"
    assert "our mistake" in caplog.text
    assert reader.pid is not None


def test_a_full_pipe_pauses_the_reader(doing: MakeReader) -> None:
    """A parent that does not read: the worker waits, and its silence is not held against it."""
    reader = doing("flood", silence_s=1.0)
    reading = reader.start(ANY)
    until(reading.poll)
    process = process_of(reader)
    until(lambda: process.status() == psutil.STATUS_SLEEPING)
    assert process.memory_info().rss < 300_000_000
    for _ in range(50):
        assert until(reading.poll) is not None


def test_cancelling_ends_the_process_and_may_be_repeated(doing: MakeReader) -> None:
    reader = doing("flood")
    reading = reader.start(ANY)
    until(reading.poll)
    process = process_of(reader)
    reading.cancel()
    reading.cancel()
    until(lambda: gone(process))
    assert reading.poll() is None


def test_a_new_reading_cancels_the_old_one(doing: MakeReader) -> None:
    reader = doing("flood")
    first = reader.start(ANY)
    until(first.poll)
    second = reader.start(ANY)
    assert isinstance(until(second.poll), DocumentHead)
    assert first.poll() is None


def test_cancelling_a_reading_that_is_over_leaves_the_process_alone(reader: ProcessReader) -> None:
    reading = reader.start(ANY)
    finish(reading)
    pid = reader.pid
    reading.cancel()
    assert finish(reader.start(ANY)).state == "ready"
    assert reader.pid == pid


def test_a_closed_reader_leaves_no_process(reader: ProcessReader) -> None:
    finish(reader.start(ANY))
    process = process_of(reader)
    reader.close()
    reader.close()
    until(lambda: gone(process))


def test_the_process_prints_nothing(doing: MakeReader, capfd: pytest.CaptureFixture[str]) -> None:
    assert finish(doing("make_noise").start(ANY)).state == "ready"
    assert capfd.readouterr() == ("", "")


@pytest.mark.from_scratch
def test_the_process_is_light_ignores_ctrl_c_and_runs_no_main_module(doing: MakeReader) -> None:
    title = finish(doing("tell_about_process").start(ANY)).head.title
    assert title.startswith("[] True")
    assert "pytest" not in title


PARENT = """
import sys
from pathlib import Path
from desktop_app.core.reader_events import ReaderLimits
from desktop_app.text.reader_process import ProcessReader

raise_if_run_twice = Path({marker!r}).open("x")
reader = ProcessReader(ReaderLimits(), tasks={{"read_document": "tests.text.misbehaving_tasks:{task}"}})
reading = reader.start(Path({path!r}))
while reading.poll() is None:
    pass
print(reader.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("task", ["hang", "flood"])
def test_the_process_ends_with_its_parent(task: str, tmp_path: Path) -> None:
    """Busy in a loop or blocked in the pipe; the parent is a plain script without a main guard."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(task=task, path=str(ANY), marker=str(tmp_path / "once")), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as parent:
        assert parent.stdout is not None
        worker = psutil.Process(int(parent.stdout.readline()))
        assert worker.is_running()
        parent.kill()
        until(lambda: gone(worker))


def test_names_of_every_kind_are_read(reader: ProcessReader, tmp_path: Path) -> None:
    for name in ('it\'s "quoted".txt', "new\nline.txt", "Ünïcödé 文書 😀.txt", "-dash.txt", "per%20cent;&.txt"):
        path = tmp_path / name
        try:
            path.write_text("A sentence of some length stands here.", encoding="utf-8")
        except OSError:
            continue  # this file system has no such names
        assert finish(reader.start(path)).texts == ["A sentence of some length stands here."]


def test_folders_and_missing_files_are_unreadable(reader: ProcessReader, tmp_path: Path) -> None:
    assert finish(reader.start(tmp_path)).state == "unreadable"
    assert finish(reader.start(tmp_path / "vanished.pdf")).state == "unreadable"
    assert finish(reader.start(tmp_path / ("long" * 100))).state == "unreadable"
    (tmp_path / "dangling.txt").symlink_to(tmp_path / "nowhere.txt")
    assert finish(reader.start(tmp_path / "dangling.txt")).state == "unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_does_not_block(reader: ProcessReader, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert finish(reader.start(tmp_path / "pipe.txt")).state == "unreadable"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_is_unreadable(reader: ProcessReader, tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("A sentence.", encoding="utf-8")
    path.chmod(0)
    assert finish(reader.start(path)).state == "unreadable"


def test_a_file_beyond_the_limit_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_text("A sentence. " * 100, encoding="utf-8")
    reader = ProcessReader(ReaderLimits(file_bytes=100))
    try:
        assert finish(reader.start(path)).state == "too_large"
    finally:
        reader.close()


def test_an_empty_file_has_no_text(reader: ProcessReader, tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").touch()
    assert finish(reader.start(tmp_path / "empty.pdf")).state == "no_text"
