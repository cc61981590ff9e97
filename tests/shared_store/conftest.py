"""Shared libraries with sessions of several users; everything is closed and emptied after a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from desktop_app.shared_store.library import SharedLibrary
from tests.postgres_server import SharedLibraries
from tests.slow_wire import SlowWire
from tests.store.helpers import MODEL

Open = Callable[..., SharedLibrary]


@pytest.fixture
def open_session(shared_libraries: SharedLibraries) -> Iterator[Open]:
    """Open a session of the library: `open_session("reader")` as a user with that right, by default its owner."""
    opened: list[SharedLibrary] = []

    def open_(right: str = "owner", user: str = "", **more: Any) -> SharedLibrary:
        address = shared_libraries.address("sessions")
        name = address.user
        if right != "owner" or user:
            name = shared_libraries.user(user or f"of_{right}")
            shared_libraries.grant("sessions", name, right)
        library = shared_libraries.open("sessions", name, **more)
        opened.append(library)
        return library

    yield open_
    for library in opened:
        library.close()
    shared_libraries.reset()


@pytest.fixture
def library(open_session: Open) -> SharedLibrary:
    """A session of the owner; the library has the tests' model."""
    library = open_session(tail_rows=1000)
    library.models.bind(MODEL)
    return library


@pytest.fixture
def wire(shared_libraries: SharedLibraries) -> Iterator[SlowWire]:
    with SlowWire(shared_libraries.server.port) as wire:
        yield wire
