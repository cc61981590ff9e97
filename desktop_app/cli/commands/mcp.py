"""The command `mcp`: lets an assistant read the library, by the Model Context Protocol."""

from __future__ import annotations

import contextlib
import gc
import inspect
import json
import logging
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from desktop_app import __version__
from desktop_app.core.errors import AppError, PackageMissing

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from mcp.server.context import ServerRequestContext
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, Tool
    from pydantic import BaseModel

    from desktop_app.cli.assistant_session import AssistantSession
    from desktop_app.cli.session import CommandSession

_log = logging.getLogger(__name__)

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
    with _without_garbage_collection():
        try:
            import anyio
            from mcp.server.lowlevel import Server
            from mcp.server.stdio import stdio_server
        except ImportError as error:
            raise PackageMissing(
                "The package mcp is not installed", "Install it: pip install 'kindred[mcp]'"
            ) from error
        from desktop_app.cli.assistant_session import AssistantSession

    logging.getLogger("mcp").setLevel(logging.WARNING)
    library = session.command.launch(writable=False, create=False).place
    tools = _OfferedTools(AssistantSession(session.workspace, session.command.paths.config, library))
    server = Server(
        "kindred",
        title="Kindred",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )

    async def serve() -> None:
        async with stdio_server() as (requests, answers):
            await server.run(requests, answers, server.create_initialization_options())

    anyio.run(serve)
    return 0


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Do not search what is being imported for garbage: it is a tenth of the time that importing the SDK takes."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class _OfferedTools:
    """The tools as the protocol describes and calls them; made when the assistant first asks for them."""

    def __init__(self, assistant: AssistantSession) -> None:
        self._assistant = assistant

    async def list(self, _context: ServerRequestContext[Any], _page: PaginatedRequestParams | None) -> ListToolsResult:
        """Return the descriptions of all tools."""
        from mcp.types import ListToolsResult

        return ListToolsResult(tools=[_describe_tool(name, model) for name, model in self._argument_models.items()])

    async def call(self, _context: ServerRequestContext[Any], request: CallToolRequestParams) -> CallToolResult:
        """Return the answer of a tool, or an error that says what to do."""
        import anyio.to_thread
        from pydantic import ValidationError

        model = self._argument_models.get(request.name)
        if model is None:
            return _make_error(f"There is no tool {request.name}. The tools are {', '.join(self._argument_models)}.")
        try:
            arguments = dict(model.model_validate(request.arguments or {}))
            answer = await anyio.to_thread.run_sync(partial(self._assistant.call, request.name, arguments))
        except ValidationError as error:
            wrong = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
            return _make_error(f"The arguments of {request.name} are wrong. {'; '.join(wrong)}.")
        except AppError as error:
            return _make_error(f"{error}. {error.hint}".strip(" .") + ".")
        except Exception as error:  # noqa: BLE001 - one bad request must not end the conversation
            _log.exception("an assistant's request failed")
            return _make_error(f"The request cannot be answered: {error}")
        return _make_answer(answer)

    @cached_property
    def _argument_models(self) -> dict[str, type[BaseModel]]:
        """A model of the arguments of each tool, made from the parameters of its method."""
        from pydantic import ConfigDict, create_model

        from desktop_app.engine.assistant_tools import TOOL_NAMES, AssistantTools

        models = {}
        for name in TOOL_NAMES:
            method = getattr(AssistantTools, name)
            parameters = list(inspect.signature(method, eval_str=True).parameters.values())[1:]
            fields: dict[str, Any] = {
                each.name: (each.annotation, ... if each.default is each.empty else each.default) for each in parameters
            }
            models[name] = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
        return models


def _describe_tool(name: str, model: type[BaseModel]) -> Tool:
    from mcp.types import Tool, ToolAnnotations

    from desktop_app.engine.assistant_tools import AssistantTools

    return Tool(
        name=name,
        description=inspect.getdoc(getattr(AssistantTools, name)),
        input_schema=model.model_json_schema(),
        annotations=ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False),
    )


def _make_answer(values: dict[str, Any]) -> CallToolResult:
    from mcp.types import CallToolResult, TextContent

    # The text is for clients of older versions of the protocol, which know no structured content.
    text = TextContent(type="text", text=json.dumps(values, ensure_ascii=False, indent=2))
    return CallToolResult(content=[text], structured_content=values)


def _make_error(text: str) -> CallToolResult:
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
