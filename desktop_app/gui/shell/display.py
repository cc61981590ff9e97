"""Checks for a display before Qt does, which ends the process without one."""

from __future__ import annotations

import contextlib
import re
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOCAL_X_DISPLAY = re.compile(r"(?:unix)?:(?P<number>\d+)(?:\.\d+)?")
_CONNECT_TIMEOUT_S = 2.0


def has_display(environment: Mapping[str, str]) -> bool:
    """Return whether a window can be opened with these variables.

    Checks the sockets of Wayland and X on this machine; assumes that a remote display works.
    """
    if not sys.platform.startswith("linux"):
        return True
    platform = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if platform and platform not in ("xcb", "wayland"):
        return True
    wayland = environment.get("WAYLAND_DISPLAY", "")
    if wayland and platform != "xcb":
        file = Path(environment.get("XDG_RUNTIME_DIR", "/"), wayland)
        if _accepts_connection(str(file)):
            return True
    display = environment.get("DISPLAY", "")
    if not display or platform == "wayland":
        return False
    local = _LOCAL_X_DISPLAY.fullmatch(display)
    if local is None:
        return True
    name = f"/tmp/.X11-unix/X{local['number']}"
    return _accepts_connection(f"\0{name}") or _accepts_connection(name)


def _accepts_connection(address: str) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_CONNECT_TIMEOUT_S)
        client.connect(address)
        return True
    return False
