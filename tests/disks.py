"""Small disks of their own for tests: filled up, or read only; and whether other accounts reach a folder."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_mount = pytest.mark.skipif(
    shutil.which("mount") is None or getattr(os, "geteuid", lambda: 1)() != 0, reason="needs the right to mount"
)


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Yield a disk of 6 MB of its own."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("a disk may not be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(disk: Path, left: int) -> None:
    """Fill a disk until there are `left` bytes."""
    (disk / "filler").write_bytes(b"\0" * max(0, shutil.disk_usage(disk).free - left))


@contextmanager
def read_only(disk: Path) -> Iterator[None]:
    """Mount a disk read only for a while: not even the superuser can write there."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)


def can_others_read(path: Path) -> bool:
    """Whether other accounts reach a file or folder: on Debian, root's home is private."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.resolve().parents)
