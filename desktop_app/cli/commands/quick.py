"""The command `quick`: shows the small search field of the running window above other programs."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from desktop_app.cli.window_socket import exchange_line
from desktop_app.core.errors import AppError
from desktop_app.core.window_address import read_window_address

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.session import CommandSession


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options of its own."""
    parser.description = (
        "It is filled with the text on the clipboard. Kindred must be running. Bind this command to a key in the "
        "settings of your desktop."
    )


def run(session: CommandSession) -> int:
    """Ask the window to show the field."""
    library = session.command.launch(writable=False, create=False).place
    address = read_window_address(session.command.paths.config, library)
    request = {"quick": True, "token": os.environ.get("XDG_ACTIVATION_TOKEN", "")}
    try:
        is_shown = bool(address) and exchange_line(address, json.dumps(request).encode() + b"\n") == b"taken\n"
    except OSError:
        is_shown = False
    if not is_shown:
        raise AppError("Kindred is not running", "Start Kindred, then run this command again.")
    return 0
