"""The conversation with a window by a named pipe, as on Windows."""

from __future__ import annotations

import sys
import threading
from types import TracebackType

import pytest

from desktop_app.cli import window_socket
from desktop_app.cli.window_socket import exchange_line
from tests.patience import PATIENCE_S


class Pipe:
    """A pipe whose other end answers once it is allowed to."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.closed = threading.Event()
        self.received = b""

    def __enter__(self) -> Pipe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closed.set()

    def write(self, line: bytes) -> None:
        self.received += line

    def read(self, _most: int) -> bytes:
        assert self.may_answer.wait(PATIENCE_S)
        return b"taken\n"


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Pipe:
    pipe = Pipe()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(window_socket, "_TIMEOUT_S", PATIENCE_S)
    monkeypatch.setattr(window_socket, "open", lambda _address, _mode, buffering: pipe, raising=False)
    return pipe


def test_the_line_is_answered(pipe: Pipe) -> None:
    pipe.may_answer.set()
    assert exchange_line("pipe", b"{}\n") == b"taken\n"
    assert pipe.received == b"{}\n"


def test_a_window_that_stands_still_is_not_waited_for(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_socket, "_TIMEOUT_S", 0.0)
    with pytest.raises(TimeoutError):
        exchange_line("pipe", b"{}\n")
    pipe.may_answer.set()
    assert pipe.closed.wait(PATIENCE_S)


def test_without_a_window_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_address: str, _mode: str, buffering: int) -> Pipe:
        raise FileNotFoundError

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(window_socket, "open", refuse, raising=False)
    with pytest.raises(FileNotFoundError):
        exchange_line("pipe", b"{}\n")
