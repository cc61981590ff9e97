"""The server that lets `kindred mcp` use this engine: it answers whoever has the key, and survives everybody else."""

from __future__ import annotations

import json
import os
import stat
import threading
from collections.abc import Iterator
from multiprocessing.connection import Client, Listener
from pathlib import Path
from typing import Any

import pytest

from desktop_app.engine import assistant_server
from desktop_app.engine.assistant_server import AssistantServer, ask_assistant_server
from desktop_app.engine.assistant_tools import AssistantTools
from tests.engine.test_models import World
from tests.patience import PATIENCE_S


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AssistantServer]:
    world = World(tmp_path)
    world.take_in("a").wait(PATIENCE_S)
    server = AssistantServer(world.workspace)
    yield server
    server.stop()
    world.workspace.close()


def send(server: AssistantServer, content: bytes) -> dict[str, Any]:
    with Client(server.address) as connection:
        connection.send_bytes(content)
        answer: dict[str, Any] = json.loads(connection.recv_bytes())
        return answer


def test_requests_with_the_key_are_answered_and_errors_say_what_to_do(server: AssistantServer) -> None:
    listed = ask_assistant_server(server.address, server.key, "list_documents", {})
    assert [each["path"].rpartition("/")[2] for each in listed["result"]["documents"]] == ["a.txt"]
    found = ask_assistant_server(server.address, server.key, "search", {"query": "Sentence number 7", "top_k": 1})
    assert len(found["result"]["results"]) == 1
    assert found["result"]["results"][0]["link"].startswith("kindred://")
    missing = ask_assistant_server(server.address, server.key, "read_passage", {"document": "b.txt"})
    assert "b.txt does not name exactly one document" in missing["error"]


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({"sentence": 3, "before": 1, "after": 2}, [2, 3, 4, 5]),
        ({"sentence": -5, "before": 0, "after": 1}, [0, 1]),
        ({"sentence": 2, "before": -1, "after": -1}, [2]),
        ({"sentence": 1}, list(range(22))),
    ],
)
def test_passages_are_read_around_a_sentence(
    server: AssistantServer, asked: dict[str, int], numbers: list[int]
) -> None:
    found = ask_assistant_server(server.address, server.key, "read_passage", {"document": "a.txt", **asked})["result"]
    assert [each["sentence"] for each in found["sentences"]] == numbers
    assert found["sentences"][0]["text"].startswith(f"Sentence number {numbers[0]}")


def test_ten_sentences_are_found_unless_another_number_is_asked_for(server: AssistantServer) -> None:
    for asked, count in (({}, 10), ({"top_k": 3}, 3)):
        arguments = {"query": "Sentence number", **asked}
        found = ask_assistant_server(server.address, server.key, "search", arguments)["result"]
        assert len(found["results"]) == min(count, 10)


def test_sentences_are_cited_with_their_places(server: AssistantServer) -> None:
    def cite(**arguments: object) -> dict[str, Any]:
        return ask_assistant_server(server.address, server.key, "cite", {"documents": ["a.txt"], **arguments})

    assert "Sentence number 3" in cite(style="plain", sentences=[3])["result"]["citation"]
    assert "Sentence number" not in cite(style="plain")["result"]["citation"]
    for wrong in ([1, 2], [-1], [2**40]):
        assert "one sentence for each document" in cite(sentences=wrong)["error"]
    assert "no sentence with that number" in cite(sentences=[999])["error"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"[" * 100_000,
        b"[]",
        b'{"key": 1}',
        b'{"key": "KEY", "tool": "search", "arguments": []}',
        b'{"key": "KEY", "tool": "_read", "arguments": {}}',
        b'{"key": "KEY", "tool": ["search"], "arguments": {}}',
        b'{"key": "KEY", "tool": "search", "arguments": {"nonsense": 1}}',
        b'{"key": "KEY", "tool": "search", "arguments": {"query": 7}}',
        b'{"key": "wrong", "tool": "list_documents", "arguments": {}}',
        b'{"key": "\xc3\xa9", "tool": "list_documents", "arguments": {}}',
        b"\xff\xfe",
    ],
)
def test_everything_else_is_refused_and_the_next_is_answered(server: AssistantServer, content: bytes) -> None:
    assert set(send(server, content.replace(b"KEY", server.key.encode()))) == {"error"}
    assert "result" in ask_assistant_server(server.address, server.key, "list_documents", {})


def test_who_connects_and_leaves_or_sends_too_much_hinders_nobody(server: AssistantServer) -> None:
    Client(server.address).close()
    with pytest.raises((EOFError, OSError)):
        send(server, b"x" * 5_000_000)
    assert "result" in ask_assistant_server(server.address, server.key, "list_documents", {})


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows are in no folder")
def test_only_the_person_can_reach_the_socket_and_it_is_gone_afterwards(server: AssistantServer) -> None:
    folder = Path(server.address).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    server.stop()
    assert not folder.exists()
    with pytest.raises(OSError):
        ask_assistant_server(server.address, server.key, "list_documents", {})


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot stop a process like this")
def test_a_window_that_is_stopped_does_not_keep_the_assistant_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system still accepts connections for it, a few."""
    monkeypatch.setattr(assistant_server, "_SIGN_OF_LIFE_TIMEOUT_S", 0.01)
    monkeypatch.chdir(tmp_path)  # the whole path may be too long for a socket
    with Listener("socket", backlog=1):
        for _ in range(4):
            with pytest.raises(OSError):
                ask_assistant_server("socket", "", "compare", {"first": "x" * 1_000_000, "second": ""})


def test_an_answer_may_take_long_while_the_window_gives_signs_of_life(
    server: AssistantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = threading.Semaphore(0)
    check = assistant_server._check_sign_of_life

    def count(address: str) -> None:
        with monkeypatch.context() as patient:
            patient.setattr(assistant_server, "_SIGN_OF_LIFE_TIMEOUT_S", PATIENCE_S)
            check(address)
        checked.release()

    def answer_late(_tools: AssistantTools) -> dict[str, Any]:
        for _ in range(4):
            assert checked.acquire(timeout=PATIENCE_S)
        return {"documents": []}

    monkeypatch.setattr(assistant_server, "_check_sign_of_life", count)
    monkeypatch.setattr(AssistantTools, "list_documents", answer_late)
    monkeypatch.setattr(assistant_server, "_SIGN_OF_LIFE_TIMEOUT_S", 0.01)
    assert ask_assistant_server(server.address, server.key, "list_documents", {})["result"] == {"documents": []}
