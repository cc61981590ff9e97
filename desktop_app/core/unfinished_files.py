"""Records of the files that are being written, so that the next start deletes what a killed process left behind.

Such files hold sentences of documents, and would outlive a document that is removed. A process that is about to write
one, wherever it is, writes a record into the program's data folder first and deletes it afterwards. A record whose
process is gone names files to delete.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import tempfile
import uuid
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import StorageFull
from desktop_app.core.messages import system_text
from desktop_app.core.private_files import make_private_folder, open_private

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

_VARIABLE = "KINDRED_UNFINISHED"
"""The folder of the records; the environment hands it to child processes, which write files too."""

_SUFFIXES = (".part", ".copying", ".restoring", ".new")
_PREFIX = "kindred-"
_SAME_START_S = 3600.0
"""How far the start of the same process may seem to move, as its figure follows the system's clock."""


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
    assert all(map(_is_draft, paths)), "only names of drafts are ever deleted"
    folder = os.environ.get(_VARIABLE)
    record = Path(folder) / f"{uuid.uuid4().hex}.json" if folder else None
    if record is not None:
        facts = {"pid": os.getpid(), "started": _start_time(os.getpid()), "paths": [str(path) for path in paths]}
        try:
            make_private_folder(record.parent)
            with open_private(record) as out:
                out.write(json.dumps(facts).encode())
        except OSError as error:
            _log.warning("files that are being written are not recorded: %s", error)
    try:
        yield
    finally:
        if record is not None:
            with contextlib.suppress(OSError):
                record.unlink()


@contextlib.contextmanager
def make_temporary_folder() -> Iterator[Path]:
    """Yield a new folder for temporary files, which no other user can open; it is deleted after the block.

    Raises:
        StorageFull: it cannot be created.
    """
    with contextlib.ExitStack() as stack:
        with explain_temporary_errors():
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True))
        stack.enter_context(record_unfinished(Path(folder).absolute()))
        yield Path(folder)


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
    folder = os.environ.get(_VARIABLE)
    for record in sorted(Path(folder).glob("*.json")) if folder else ():
        try:
            facts = json.loads(record.read_text("utf-8"))
            is_running = _start_time(int(facts["pid"])) - float(facts["started"]) < _SAME_START_S
            paths = [Path(path) for path in facts["paths"]]
        except FileNotFoundError:
            continue  # its process has just finished
        except (OSError, ValueError, TypeError, KeyError):
            is_running, paths = False, []  # the process was killed while it wrote the record, before any file
        if is_running:
            continue
        for path in filter(_is_draft, paths):
            _log.info("delete %s, which a process that is gone left behind", path)
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    path.unlink()
        # The record stays while a file may come back with its disk.
        if not any(os.path.lexists(path) or not path.parent.is_dir() for path in paths):
            with contextlib.suppress(OSError):
                record.unlink()


def _is_draft(path: Path) -> bool:
    return path.is_absolute() and (path.suffix in _SUFFIXES or path.name.startswith(_PREFIX))


def _start_time(pid: int) -> float:
    """Return when a process started, in seconds since 1970; infinity if there is none."""
    return _own_start_time(pid) if pid == os.getpid() else _read_start_time(pid)


@lru_cache(1)
def _own_start_time(pid: int) -> float:
    return _read_start_time(pid)


def _read_start_time(pid: int) -> float:
    import psutil  # type: ignore[import-untyped]  # here, and not above: most runs write no such file

    try:
        return float(psutil.Process(pid).create_time())
    except psutil.Error:
        return float("inf")
