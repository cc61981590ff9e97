"""Records of the files that are being written, so that the next start deletes what a killed process left behind.

Such files hold sentences of documents, and would outlive a document that is removed. A process that is about to write
one, wherever it is, writes a record into the program's data folder first and deletes it afterwards. It holds a lock
meanwhile, which ends with the process: a record without one names files to delete.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import StorageFull
from desktop_app.core.messages import system_text
from desktop_app.core.private_files import make_private_folder, open_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from filelock import BaseFileLock

_log = logging.getLogger(__name__)

_VARIABLE = "KINDRED_UNFINISHED"
"""The folder of the records; the environment hands it to child processes, which write files too."""

_SUFFIX = ".json"
_LOCK_SUFFIX = ".lock"
_DRAFT_SUFFIXES = (".part", ".copying", ".restoring", ".new")
_PREFIX = "kindred-"


def keep_records(folder: Path) -> None:
    """Keep records in `folder` from now on, in this process and its children, and delete what others left behind."""
    os.environ[_VARIABLE] = str(folder)
    delete_leftovers()


@contextlib.contextmanager
def record_unfinished(*paths: Path) -> Iterator[None]:
    """Record files or folders while the block writes them; the block deletes or renames them itself.

    Their names must show what they are: they end in `.part`, `.copying`, `.restoring` or `.new`, or begin with
    `kindred-`. Without `keep_records`, and where no record can be written, nothing is recorded.
    """
    drafts = [path.absolute() for path in paths]
    assert all(map(_is_draft, drafts)), "only names of drafts are ever deleted"
    folder = os.environ.get(_VARIABLE)
    with contextlib.ExitStack() as stack:
        if folder:
            try:
                stack.enter_context(_write_record(Path(folder) / f"{uuid.uuid4().hex}{_SUFFIX}", drafts))
            except OSError as error:
                _log.warning("files that are being written are not recorded: %s", error)
        yield


@contextlib.contextmanager
def _write_record(record: Path, paths: Sequence[Path]) -> Iterator[None]:
    """Hold a record's lock, which the system releases when this process is killed."""
    make_private_folder(record.parent)
    lock = _make_lock(record)
    lock.acquire(blocking=False)
    try:
        with open_private(record) as out:
            out.write(json.dumps([str(path) for path in paths]).encode())
        yield
    finally:
        for file in (record, record.with_suffix(_LOCK_SUFFIX)):
            with contextlib.suppress(OSError):  # Windows deletes the file of a lock when it is released
                file.unlink()
        lock.release()


def _make_lock(record: Path) -> BaseFileLock:
    from filelock import FileLock  # here, and not above: most runs write no such file

    return FileLock(record.with_suffix(_LOCK_SUFFIX), mode=0o600, thread_local=False)


@contextlib.contextmanager
def make_temporary_folder() -> Iterator[Path]:
    """Yield a new folder for temporary files, which no other user can open; it is deleted after the block.

    Raises:
        StorageFull: it cannot be created.
    """
    folder = Path(tempfile.gettempdir(), f"{_PREFIX}{uuid.uuid4().hex[:12]}").absolute()
    # Not `TemporaryDirectory`: the record comes first, so that no moment is left at which a kill leaves the folder.
    with record_unfinished(folder):
        with explain_temporary_errors():
            folder.mkdir(0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def explain_temporary_errors() -> Iterator[None]:
    """Turn errors of writing temporary files into StorageFull."""
    try:
        yield
    except OSError as error:
        raise StorageFull(
            "Temporary files cannot be written: {why}",
            "Free some space on the disk that holds temporary files.",
            why=system_text(error.strerror or error),
        ) from error


def delete_leftovers() -> None:
    """Delete what processes that are gone have left behind, on every disk that is there."""
    folder = Path(os.environ.get(_VARIABLE, ""))
    for file in sorted(folder.iterdir()) if folder.is_absolute() and folder.is_dir() else ():
        record = file.with_suffix(_SUFFIX)
        lock = _make_lock(record)
        try:
            lock.acquire(blocking=False)
        except (OSError, TimeoutError):
            continue  # its process runs
        try:
            is_done = _delete_recorded(record)
        finally:
            with contextlib.suppress(OSError):
                record.with_suffix(_LOCK_SUFFIX).unlink()
            lock.release()
        if is_done:
            with contextlib.suppress(OSError):
                record.unlink()


def _delete_recorded(record: Path) -> bool:
    """Delete the files that a record names; returns whether it is of no more use."""
    try:
        paths = [Path(path) for path in json.loads(record.read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        paths = []  # the process was killed before it wrote any file, or has just finished
    for path in filter(_is_draft, paths):
        _log.info("delete %s, which a process that is gone left behind", path)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    # The record stays while a file may come back with its disk.
    return not any(_is_draft(path) and (os.path.lexists(path) or not path.parent.is_dir()) for path in paths)


def _is_draft(path: Path) -> bool:
    return path.is_absolute() and (path.suffix in _DRAFT_SUFFIXES or path.name.startswith(_PREFIX))
