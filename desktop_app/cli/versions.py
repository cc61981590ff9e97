"""Versions of the program, of Python and of the main libraries."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from desktop_app import __version__
from desktop_app.cli.output import format_count

if TYPE_CHECKING:
    from desktop_app.core.records import DeviceInfo

_LIBRARIES = {
    "qt": ("Qt (PySide6)", "PySide6-Essentials"),
    "torch": ("torch", "torch"),
    "transformers": ("transformers", "transformers"),
    "hnswlib": ("hnswlib", "hnswlib"),
    "pypdfium2": ("pypdfium2", "pypdfium2"),
    "sqlalchemy": ("SQLAlchemy", "SQLAlchemy"),
}


def collect_versions(device: DeviceInfo) -> dict[str, str | int | None]:
    """Return the versions of program, Python, Qt and other libraries (None: not installed), and the device."""
    found: dict[str, str | int | None] = {
        "kindred": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
    for key, (_label, package) in _LIBRARIES.items():
        try:
            found[key] = version(package)
        except PackageNotFoundError:
            found[key] = None
    return found | {"device": device.device, "precision": device.precision, "threads": device.threads}


def format_versions(found: dict[str, str | int | None]) -> str:
    """Return the result of `collect_versions`, one per line."""
    lines = [f"Kindred {found['kindred']}", f"Python {found['python']} on {found['platform']}"]
    lines += [f"{label} {found[key] or 'is not installed'}" for key, (label, _package) in _LIBRARIES.items()]
    lines.append(f"device {found['device']} {found['precision']}, {format_count(int(found['threads'] or 0), 'thread')}")
    return "\n".join(lines)
