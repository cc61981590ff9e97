"""Runs a command: opens its library, waits for its jobs and shows their progress."""

from __future__ import annotations

import contextlib
import getpass
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_app.cli.command_table import choose_access, load_command
from desktop_app.cli.output import ProgressLine, format_count, print_note
from desktop_app.core.atomic_files import check_folder
from desktop_app.core.errors import AppError, LibraryUnreachable
from desktop_app.core.messages import NOTHING
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.shared_address import PASSWORD_VARIABLE, needs_password

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from desktop_app.cli.command_line import Command
    from desktop_app.core.jobs import Job
    from desktop_app.core.records import Document
    from desktop_app.core.settings import LaunchOptions
    from desktop_app.engine.workspace import Workspace

T = TypeVar("T")

_RESULT_FILES = ("output", "rows")  # options that name a file to be written
_PAGE_SIZE = 500  # documents per request
_END_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]


class CommandSession:
    """One run of a command: its options and workspace; waits for jobs and shows their progress."""

    def __init__(self, command: Command, workspace: Workspace) -> None:
        self.command = command
        self.options = command.options
        self.workspace = workspace
        self.progress = ProgressLine(quiet=command.options.quiet)
        self.was_interrupted = False
        self._told_failure = NOTHING

    def wait(self, job: Job[T]) -> T:
        """Wait for a job and show its progress; Ctrl+C stops the job at its next step, and waits for it.

        A job may finish all the same, and return its full result: `was_interrupted` tells a command to begin nothing
        long any more.
        """
        job.on_progress(self.progress)
        try:
            while True:
                try:
                    # In slices: on Windows a wait without time limit cannot be interrupted.
                    return job.wait(0.2)
                except TimeoutError:
                    # It may have finished just after the wait, or have failed with this very error.
                    if job.is_finished:
                        return job.result
        except KeyboardInterrupt:
            self.was_interrupted = True
            job.cancel()
            return job.wait()
        finally:
            self.progress.clear()
            self._print_device_failure()

    def note(self, text: str) -> None:
        """Write a line to standard error during a job."""
        self.progress.clear()
        print_note(text)

    def _print_device_failure(self) -> None:
        """Print that a graphics processor has failed: it explains why everything takes longer from then on."""
        failure = self.workspace.context.device_failure
        if failure and failure != self._told_failure:
            self._told_failure = failure
            print_note(f"{failure}, which is slower.")

    def find_documents(self, name: str) -> list[Document]:
        """Return the documents that match a name, path or id."""
        return self.wait(self.workspace.read(lambda library: library.documents.find(name)))

    def documents(self, scope: Scope = EVERYTHING) -> Iterator[Document]:
        """Yield every document of a part of the library, page by page."""
        after = 0
        while page := self._read_page(after, scope):
            yield from page
            after = page[-1].document_id

    def _read_page(self, after: int, scope: Scope) -> list[Document]:
        return self.wait(
            self.workspace.read(lambda library: library.documents.fetch(after_id=after, limit=_PAGE_SIZE, scope=scope))
        )


def run_command(command: Command, open_workspace: Callable[[LaunchOptions], Workspace]) -> int:
    """Run a command other than the window; return its exit status.

    On a terminal it asks for the password of a shared library if the server wants one.
    """
    try:
        return _run_command(command, open_workspace)
    except LibraryUnreachable as error:
        address = command.launch(writable=False, create=False).shared
        if address is None or not needs_password(error) or not sys.stdin.isatty() or command.options.json:
            raise
        print_note(str(error.message))
        # For this process and those that it starts.
        os.environ[PASSWORD_VARIABLE] = getpass.getpass(f"Password of {address.user} on {address.server}: ")
    return _run_command(command, open_workspace)


def _run_command(command: Command, open_workspace: Callable[[LaunchOptions], Workspace]) -> int:
    assert command.name is not None
    for file in (getattr(command.options, name, None) for name in _RESULT_FILES):
        if file and command.name != "train":  # that makes a folder, with those above it
            check_folder(file)
    access = choose_access(command.name, command.options)
    writable = access in ("write", "create")
    # The default library is simply empty before the first import; a library that the person names must exist.
    create = access == "create" or (not command.has_chosen_library and (writable or not _library_exists(command)))
    workspace = open_workspace(command.launch(writable=writable, create=create))
    if access == "cache" and not writable:
        workspace = _reopen_writable(command, workspace, open_workspace)
    session = CommandSession(command, workspace)
    try:
        with stop_when_terminated():
            status: int = load_command(command.name).run(session)
            # The documents that wait in a shared library may be other people's.
            is_own = not _is_shared(command)
            if access == "write" and command.name != "import" and is_own and not session.was_interrupted:
                _finish_interrupted_import(session)
        return status
    except KeyboardInterrupt:
        session.was_interrupted = True
        raise
    finally:
        workspace.close(hurry=session.was_interrupted)


def _finish_interrupted_import(session: CommandSession) -> None:
    """Import what an earlier run left queued; if that is impossible, the work of the command stays done."""
    try:
        waiting = session.wait(session.workspace.open()).library.states.get("queued", 0)
        folders = session.wait(session.workspace.read(lambda library: library.watched_folders.interrupted_listings()))
        if not waiting and not folders:
            return
        print_note(f"Finishing an import that was interrupted ({format_count(waiting, 'document')} waiting).")
        report = session.wait(session.workspace.imports.resume())
    except AppError as error:
        print_note(f"The import that was interrupted cannot be finished: {error}")
        return
    print_note(f"{len(report.imported)} imported, {len(report.failed)} failed")


@contextlib.contextmanager
def stop_when_terminated() -> Iterator[None]:
    """Treat the system's request to end (SIGTERM, or a closed terminal) like Ctrl+C: the job ends with a report."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Any] = {}
    for number in _END_SIGNALS:
        # An ignored signal (nohup) stays ignored.
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _reopen_writable(
    command: Command, reading: Workspace, open_workspace: Callable[[LaunchOptions], Workspace]
) -> Workspace:
    """Return a workspace that can store results, or `reading` while another process writes the library."""
    writing = open_workspace(command.launch(writable=True, create=False))
    try:
        writing.open().wait()
    except AppError:
        writing.close()
        return reading
    reading.close()
    return writing


def _library_exists(command: Command) -> bool:
    return _is_shared(command) or command.launch(writable=False, create=False).library.is_dir()


def _is_shared(command: Command) -> bool:
    return command.launch(writable=False, create=False).shared is not None
