"""How desktops know of the search: the files of GNOME Shell and KRunner, and the name on the D-Bus.

GNOME: https://developer.gnome.org/documentation/tutorials/search-provider.html
KDE: https://develop.kde.org/docs/plasma/krunner/
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BUS_NAME = "org.kindred.Kindred"
OBJECT_PATH = "/org/kindred/Kindred"
GNOME_FILE = Path("gnome-shell", "search-providers", "kindred.ini")
KDE_FILE = Path("krunner", "dbusplugins", "kindred.desktop")
"""The files by which desktops know of the search, below a folder of shared data."""
MIN_CHARACTERS = 3
"""Queries with fewer are not searched."""


def is_installed(environment: Mapping[str, str] | None = None) -> bool:
    """Return whether a desktop of this computer knows of the search: its launcher was installed."""
    if sys.platform != "linux":
        return False
    known = os.environ if environment is None else environment
    home = known.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    folders = [home, *(known.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")]
    return any((Path(folder) / file).is_file() for folder in folders for file in (GNOME_FILE, KDE_FILE))


def format_gnome_file() -> str:
    """Return the file by which GNOME Shell knows of the search; it is asked only while the window is open."""
    lines = (
        "[Shell Search Provider]",
        "DesktopId=kindred.desktop",
        f"BusName={BUS_NAME}",
        f"ObjectPath={OBJECT_PATH}",
        "Version=2",
        "AutoStart=false",
    )
    return "\n".join(lines) + "\n"


def format_kde_file(comment: str) -> str:
    """Return the file by which KRunner knows of the search."""
    lines = (
        "[Desktop Entry]",
        "Type=Service",
        "Name=Kindred",
        f"Comment={comment}",
        "Icon=kindred",
        "X-KDE-ServiceTypes=Plasma/Runner",
        "X-KDE-PluginInfo-Name=kindred",
        "X-KDE-PluginInfo-EnabledByDefault=true",
        "X-Plasma-API=DBus",
        f"X-Plasma-DBusRunner-Service={BUS_NAME}",
        f"X-Plasma-DBusRunner-Path={OBJECT_PATH}",
        f"X-Plasma-Runner-Min-Letter-Count={MIN_CHARACTERS}",
    )
    return "\n".join(lines) + "\n"
