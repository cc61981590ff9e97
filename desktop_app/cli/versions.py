"""What the program stands on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from desktop_app import __version__
from desktop_app.cli.output import counted

if TYPE_CHECKING:
    from desktop_app.core.records import DeviceInfo


def versions(device: DeviceInfo) -> str:
    """Return the versions of program, Python, Qt and the libraries that matter, and the device, a line each."""
    lines = [f"Kindred {__version__}", f"Python {platform.python_version()} on {platform.platform()}"]
    for label, package in (
        ("Qt (PySide6)", "PySide6-Essentials"),
        ("torch", "torch"),
        ("transformers", "transformers"),
        ("hnswlib", "hnswlib"),
        ("pypdfium2", "pypdfium2"),
        ("SQLAlchemy", "SQLAlchemy"),
    ):
        try:
            lines.append(f"{label} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{label} is not installed")
    lines.append(f"device {device.device} {device.precision}, {counted(device.threads, 'thread')}")
    return "\n".join(lines)
