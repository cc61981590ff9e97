"""The number of cores this process may use: present, allowed, and granted by its control group."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import psutil  # type: ignore[import-untyped]  # its stubs are a package of their own

_ROOT = Path("/")


def default_threads() -> int:
    """Return the number of cores this process may use, at least 1.

    Hyper-threads do not count: two of them share the units that multiply matrices. While a person types, use one core
    fewer: `SiameseEncoder.set_threads`.
    """
    cores: int = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = min(cores, len(os.sched_getaffinity(0)))
    quota = quota_cores()
    if quota is not None:
        # One thread too many makes all of them stall for the rest of each period: round down.
        cores = min(cores, int(quota))
    return max(1, cores)


def quota_cores(root: Path = _ROOT) -> float | None:
    """Return the number of cores whose time a control group of Linux grants this process: the lowest of all groups.

    A container with all cores of a machine may get the time of only two.

    Args:
        root: of the file system.

    Returns:
        None if there is no limit.
    """
    try:
        lines = (root / "proc/self/cgroup").read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    found: list[float] = []
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if not controllers:  # version 2
            mount, quota_of = root / "sys/fs/cgroup", _quota_v2
        elif "cpu" in controllers.split(","):
            mounts = [root / "sys/fs/cgroup" / name for name in (controllers, "cpu")]
            mount, quota_of = next((each for each in mounts if each.is_dir()), mounts[0]), _quota_v1
        else:
            continue
        # Inside a container its group may be the visible root: then the path does not exist, and the root is read
        # anyway.
        parts = [part for part in PurePosixPath(group).parts if part not in ("/", "..")]
        for depth in range(len(parts) + 1):
            quota = quota_of(mount.joinpath(*parts[:depth]))
            if quota is not None:
                found.append(quota)
    return min(found, default=None)


def _quota_v2(folder: Path) -> float | None:
    words = _read_words(folder / "cpu.max")
    return _quota_ratio(*words) if len(words) == 2 else None


def _quota_v1(folder: Path) -> float | None:
    quota, period = _read_words(folder / "cpu.cfs_quota_us"), _read_words(folder / "cpu.cfs_period_us")
    return _quota_ratio(quota[0], period[0]) if quota and period else None


def _quota_ratio(quota: str, period: str) -> float | None:
    """Return the number of cores; None if there is no limit: `max`, or -1."""
    if not (quota.isdecimal() and period.isdecimal() and int(period)):
        return None
    return int(quota) / int(period)


def _read_words(file: Path) -> list[str]:
    try:
        return file.read_text("ascii", "replace").split()
    except OSError:
        return []
