"""An assistant reads the library through the protocol's own client, as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.conftest import Kindred
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from mcp.client.client import Client

Ask = Callable[..., dict[str, Any]]
TOOLS = {"search", "read_passage", "list_documents", "compare", "check_draft", "topics", "cite"}


def talk(base: Path, conversation: Callable[[Client], Awaitable[None]]) -> None:
    """Start the command, hold a conversation with it, and end it."""
    import anyio  # here, as in no other file: the client takes a second to import
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "desktop_app", "--basedir", str(base), "mcp"], env=dict(os.environ)
    )

    async def run() -> None:
        async with Client(stdio_client(server, errlog=sys.__stderr__)) as client:
            await conversation(client)

    anyio.run(run)


async def ask(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return dict(answer.structured_content or {})


async def fail(client: Client, tool: str, **arguments: object) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return " ".join(getattr(part, "text", "") for part in answer.content)


def test_an_assistant_searches_reads_and_cites_and_goes_on_after_mistakes(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    kindred("references", "set", "sea.txt", "authors=Berg, Anna", "date=1998")

    async def conversation(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        assert all(tool.annotations.read_only_hint and tool.description for tool in tools)
        found = await ask(client, "search", query="how much did the ocean rise", top_k=2)
        best = found["results"][0]
        assert best["text"] == "The sea level has risen by twenty centimetres since 1900."
        assert (best["author"], best["place"]) == ("Anna Berg", "line 1")
        assert best["citation"].endswith("(Anna Berg, sea, 1998, line 1)")
        passage = await ask(client, "read_passage", document=best["document"], sentence=best["sentence"], after=1)
        assert [each["text"] for each in passage["sentences"]] == [best["text"], best["after"]]
        documents = await ask(client, "search", query="sourdough", by="document", top_k=1)
        assert documents["results"][0]["title"] == "On bread"
        only = await ask(client, "search", query="how fast does ice melt", documents=["bread.md"])
        assert {each["title"] for each in only["results"]} == {"On bread"}
        for language in ("en-US", "English", "EN"):
            assert (await ask(client, "search", query="how fast does ice melt", language=language))["results"]
        listed = await ask(client, "list_documents", author="berg")
        assert [each["date"] for each in listed["documents"]] == ["1998"]
        cited = await ask(client, "cite", documents=["sea.txt"], style="apa")
        assert cited == {"citation": "Berg, A. (1998). sea."}
        compared = await ask(client, "compare", first="The sea is rising.", second="Ocean levels increase.")
        assert compared["kind"] in ("paraphrase", "related")
        draft = await ask(client, "check_draft", text="The crust turns brown in a very hot oven.")
        assert draft["sentences"][0]["support"] == "verbatim"
        assert "topics" in await ask(client, "topics")
        await make_mistakes(client)
        assert (await ask(client, "list_documents"))["documents"]

    async def make_mistakes(client: Client) -> None:
        assert "nothing.pdf" in await fail(client, "read_passage", document="nothing.pdf")
        assert "no document or folder" in await fail(client, "search", query="ice", documents=["nothing.pdf"])
        assert "query" in await fail(client, "search")
        assert "two letters" in await fail(client, "search", query="ice", language="Klingonese")
        assert "mode" in await fail(client, "search", query="ice", mode="by magic")
        assert "colour: " in await fail(client, "search", query="ice", colour="red")
        assert "no tool remove" in await fail(client, "remove", document="#1")
        nonsense = await ask(client, "search", query="asdkjh qweoiu zxmnb")
        assert nonsense["notes"]

    talk(tmp_path / "base", conversation)


def test_an_assistant_that_came_before_the_first_import_keeps_nobody_from_writing(
    kindred: Kindred, papers: Path, tmp_path: Path
) -> None:
    async def conversation(client: Client) -> None:
        assert (await ask(client, "list_documents"))["documents"] == []
        assert kindred("import", papers).status == 0
        assert len((await ask(client, "list_documents"))["documents"]) == 2

    talk(tmp_path / "base", conversation)


def test_an_assistant_is_answered_with_the_model_that_the_library_was_switched_to(
    kindred: Kindred, imported: Path, tmp_path: Path
) -> None:
    kindred("models", "add", "all-MiniLM-L6-v2", "--passage-prompt", "passage: ")

    async def conversation(client: Client) -> None:
        before = await ask(client, "search", query="ice", mode="meaning", top_k=1)
        assert kindred("models", "use", "all-MiniLM-L6-v2-adapted").status == 0
        after = await ask(client, "search", query="ice", mode="meaning", top_k=1)
        assert before["results"][0]["text"] == after["results"][0]["text"]
        assert before["results"][0]["score"] != after["results"][0]["score"]

    talk(tmp_path / "base", conversation)


def test_a_client_that_sends_nonsense_is_answered_afterwards(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(tmp_path / "base"), "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b'nonsense\n\n[]\n{"jsonrpc":"2.0"}\n\xff\xfe\x00\n{"id":')
        server.stdin.write(b"[" * 100_000 + b"\n")
        for message in (
            {"id": 1, "method": "no/such"},
            {"id": 2, "method": "initialize", "params": hello},
            {"method": "notifications/initialized"},
            {"id": 3, "method": "tools/call", "params": {"name": ["search"], "arguments": 5}},
            {"id": 4, "method": "tools/list"},
            {"id": 5, "method": "tools/call", "params": {"name": "list_documents", "arguments": {}}},
            {"id": 6, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "ice"}}},
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
        read = [json.loads(server.stdout.readline()) for _ in range(6)]
        server.stdin.close()
        assert server.wait(PATIENCE_S) == 0
    answers = {answer["id"]: answer for answer in read}
    assert ["result" in answers[number] for number in range(1, 5)] == [False, True, False, True]
    # Its library is empty, and says so.
    assert answers[5]["result"]["structuredContent"] == {"documents": [], "has_more": False}
    assert answers[6]["result"]["structuredContent"]["results"] == []


def test_without_the_package_the_command_says_how_to_get_it(
    kindred: Kindred, imported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    answer = kindred("mcp")
    assert (answer.status, "pip install 'kindred[mcp]'" in answer.err) == (3, True)
