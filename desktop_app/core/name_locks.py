"""Locks of the names of files and folders that take long to make: two processes would write the same draft of them."""

from __future__ import annotations

import contextlib
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from filelock import BaseFileLock

    from desktop_app.core.errors import AppError

_log = logging.getLogger(__name__)

_LOCK_SUFFIX = ".lock"


@contextlib.contextmanager
def claim_name(path: Path, claimed: AppError) -> Iterator[None]:
    """Hold the name of a future file or folder in this block, by a lock next to it.

    Args:
        path: the file or folder; need not exist.
        claimed: raised if somebody else holds it, in this process or another.

    Raises:
        AppError: somebody does.
    """
    lock = _make_lock(path)
    try:
        if path.parent.is_dir():  # else nobody is there
            lock.acquire(blocking=False)
    except TimeoutError as error:
        raise claimed from error
    except (OSError, NotImplementedError) as error:  # some network folders know no locks
        _log.warning("no lock for %s: %s", path, error)
    try:
        yield
    finally:
        _delete_lock(lock)


def is_claimed(path: Path) -> bool:
    """Return whether somebody holds the name of a future file or folder."""
    lock = _make_lock(path)
    if not Path(lock.lock_file).exists():
        return False
    try:
        lock.acquire(blocking=False)
    except TimeoutError:
        return True
    except (OSError, NotImplementedError):
        return False
    _delete_lock(lock)  # its process was killed
    return False


def _make_lock(path: Path) -> BaseFileLock:
    from filelock import FileLock  # here, and not above: the window starts without it

    return FileLock(path.with_name(path.name + _LOCK_SUFFIX), mode=0o600, thread_local=False)


def _delete_lock(lock: BaseFileLock) -> None:
    """Delete the file of a lock while it is held, if it is; Windows deletes it afterwards."""
    file = Path(lock.lock_file)
    if not lock.is_locked:
        return
    with contextlib.suppress(OSError):
        file.unlink()
    lock.release()
    if os.name == "nt":
        with contextlib.suppress(OSError):
            file.unlink()
