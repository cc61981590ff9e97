"""The server for assistants: how soon it answers, beside a server of the SDK that does nothing."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.harness import Bench

STARTS = 9

_BARE_SERVER = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import ListToolsResult, Tool
async def list_tools(context, page):
    return ListToolsResult(tools=[Tool(name="nothing", input_schema={"type": "object"})])
async def serve():
    server = Server("bare", on_list_tools=list_tools)
    async with stdio_server() as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())
anyio.run(serve)
"""
"""The peer: the least that a server with the SDK does."""

_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}


def run(bench: Bench) -> None:
    """Print and store the seconds from the start of the process to its first answers."""
    programs = {
        "kindred mcp": [sys.executable, "-m", "desktop_app", "--basedir", str(bench.work / "assistant"), "mcp"],
        "a bare server of the SDK": [sys.executable, "-c", _BARE_SERVER],
    }
    starts: dict[str, list[list[float]]] = {name: [] for name in programs}
    for number in range(STARTS + 1):
        for name, command in programs.items():
            seconds = _start(bench, command)
            if number:  # the first start writes the bytecode that every installation has
                starts[name].append(seconds)
    columns = ["initialized_s", "tools_listed_s", "of_the_processor_s"]
    figures: dict[str, Any] = {
        name: dict(
            zip(columns, [round(statistics.median(each), 3) for each in zip(*seconds, strict=True)], strict=True)
        )
        for name, seconds in starts.items()
    }
    ours, bare = starts.values()
    ratios = [[a / b for a, b in zip(*pair, strict=True)] for pair in zip(ours, bare, strict=True)]
    figures["ratio"] = dict(
        zip(columns, [round(statistics.median(each), 2) for each in zip(*ratios, strict=True)], strict=True)
    )
    bench.say(f"start, median of {STARTS}", [["", *columns], *([name, *row.values()] for name, row in figures.items())])
    bench.results["assistant"] = figures


def _start(bench: Bench, command: list[str]) -> list[float]:
    """Return the seconds until the greeting is answered, until the tools are listed, and those of the processor."""
    variables = os.environ | {"PYTHONPYCACHEPREFIX": str(bench.work / "bytecode")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables) as server:
        seconds = []
        for message in ({"id": 1, "method": "initialize", "params": _HELLO}, {"id": 2, "method": "tools/list"}):
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
            server.stdin.flush()
            assert "result" in json.loads(server.stdout.readline())
            seconds.append(time.perf_counter() - began)
        computed = _processor_seconds(server.pid)
        assert server.stdin is not None
        server.stdin.close()
    return [*seconds, computed]


def _processor_seconds(process: int) -> float:
    """Return the seconds of the processor that a running process has taken; on Linux, as its clock ticks tell."""
    values = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")
