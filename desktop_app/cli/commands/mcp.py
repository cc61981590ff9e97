"""The command `mcp`: lets an assistant read the library, by the Model Context Protocol."""

from __future__ import annotations

import functools
import logging
from typing import TYPE_CHECKING, Any

from desktop_app import __version__
from desktop_app.core.errors import AppError, PackageMissing

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from desktop_app.cli.session import CommandSession

_INSTRUCTIONS = (
    "The person's own documents, searched by meaning on their computer. Search first, then read the passage around a "
    "result before you rely on it. Quote sentences exactly and cite them as the results do. If the notes say that "
    "results are no better than chance, say that the library has nothing on it."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options of its own."""
    parser.description = (
        "An assistant that speaks the Model Context Protocol starts this command and talks to it over standard input "
        "and output. It can search and read the library, and change nothing. Needs the extra `mcp`: "
        "pip install 'kindred[mcp]'."
    )


def run(session: CommandSession) -> int:
    """Serve until the assistant closes standard input."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise PackageMissing("The package mcp is not installed", "Install it: pip install 'kindred[mcp]'") from error
    from desktop_app.cli.assistant_tools import AssistantTools

    logging.getLogger("mcp").setLevel(logging.WARNING)
    server = MCPServer("kindred", title="Kindred", instructions=_INSTRUCTIONS, version=__version__)
    tools = AssistantTools(session.workspace)
    annotations = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    for tool in (
        tools.search,
        tools.read_passage,
        tools.list_documents,
        tools.compare,
        tools.check_draft,
        tools.topics,
        tools.cite,
    ):
        server.add_tool(_report_errors(tool), annotations=annotations)
    server.run("stdio")
    return 0


def _report_errors(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return a tool whose errors say what happened and what to do."""
    from mcp.server.mcpserver.exceptions import ToolError

    @functools.wraps(tool)
    def call(*args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            return tool(*args, **kwargs)
        except AppError as error:
            raise ToolError(f"{error}. {error.hint}".strip()) from error

    return call
