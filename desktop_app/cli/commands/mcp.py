"""The command `mcp`: lets an assistant read the library, by the Model Context Protocol."""

from __future__ import annotations

import inspect
import logging
from typing import TYPE_CHECKING, Any

from desktop_app import __version__
from desktop_app.core.errors import AppError, PackageMissing

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from desktop_app.cli.assistant_session import AssistantSession
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
        "and output. It can search and read the library, but change nothing. While the library is open in the window, "
        "the window's engine answers, so that the model is in memory only once. Needs the extra `mcp`: "
        "pip install 'kindred[mcp]'."
    )


def run(session: CommandSession) -> int:
    """Serve until the assistant closes standard input."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise PackageMissing("The package mcp is not installed", "Install it: pip install 'kindred[mcp]'") from error
    from desktop_app.cli.assistant_session import AssistantSession
    from desktop_app.engine.assistant_tools import TOOL_NAMES, AssistantTools

    logging.getLogger("mcp").setLevel(logging.WARNING)
    server = MCPServer("kindred", title="Kindred", instructions=_INSTRUCTIONS, version=__version__)
    library = session.command.launch(writable=False, create=False).library
    assistant = AssistantSession(session.workspace, session.command.paths.config, library)
    annotations = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    for name in TOOL_NAMES:
        server.add_tool(_make_tool(name, getattr(AssistantTools, name), assistant), annotations=annotations)
    server.run("stdio")
    return 0


def _make_tool(
    name: str, method: Callable[..., dict[str, Any]], assistant: AssistantSession
) -> Callable[..., dict[str, Any]]:
    """Return a tool with the parameters and the description of a method; its errors say what to do."""
    from mcp.server.mcpserver.exceptions import ToolError

    def call(**arguments: Any) -> dict[str, Any]:
        try:
            return assistant.call(name, arguments)
        except AppError as error:
            raise ToolError(f"{error}. {error.hint}".strip(" .") + ".") from error

    # The SDK describes the tool by these; the names of types in the annotations are those of the method's module.
    signature = inspect.signature(method, eval_str=True)
    parameters = list(signature.parameters.values())[1:]
    call.__name__, call.__doc__ = name, method.__doc__
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": dict[str, Any]}
    return call
