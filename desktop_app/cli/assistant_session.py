"""Answers an assistant by the engine of the running window; without one, by an engine of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop_app.cli.window_socket import exchange_line
from desktop_app.core.errors import UsageError
from desktop_app.core.messages import verbatim
from desktop_app.core.window_address import read_window_address

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.engine.workspace import Workspace


class AssistantSession:
    """Calls tools by their names.

    Args:
        workspace: of this process; nothing of it is opened while a window answers.
        settings_folder: where the address of the window is.
        library: where the library is.
    """

    def __init__(self, workspace: Workspace, settings_folder: Path, library: LibraryPlace) -> None:
        self._workspace = workspace
        self._settings_folder = settings_folder
        self._library = library
        self._server: tuple[str, str] | None = None  # address and key of the window's server

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of a tool.

        Raises:
            AppError: it cannot be given.
        """
        answer = self._ask_window(tool, arguments)
        if answer is None:
            from desktop_app.engine.assistant_tools import AssistantTools

            result: dict[str, Any] = getattr(AssistantTools(self._workspace), tool)(**arguments)
            return result
        if "error" in answer:
            raise UsageError(verbatim(str(answer["error"])))
        return dict(answer["result"])

    def _ask_window(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer of the window; None if there is none."""
        for is_last in (False, True):
            if self._server is None:
                self._server = self._find_server()
            if self._server is None:
                return None
            from desktop_app.engine.assistant_server import ask_assistant_server

            try:
                return ask_assistant_server(*self._server, tool, arguments)
            except OSError:
                self._server = None  # that window is closed; there may be another one
                if is_last:
                    return None
        return None

    def _find_server(self) -> tuple[str, str] | None:
        """Ask the window of the library to answer assistants; return the address and the key of its server."""
        address = read_window_address(self._settings_folder, self._library)
        if not address:
            return None
        try:
            reply = json.loads(exchange_line(address, b'{"assistant": true}\n'))
            return str(reply["address"]), str(reply["key"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
