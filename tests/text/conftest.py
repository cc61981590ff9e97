"""Fixtures for the tests of text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_app.core.reader_events import ReaderLimits
from desktop_app.text.reader_process import ProcessReader


@pytest.fixture
def reader() -> Iterator[ProcessReader]:
    """A reader in a process of its own, with the usual limits."""
    reader = ProcessReader(ReaderLimits())
    yield reader
    reader.close()
