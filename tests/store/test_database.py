"""The connection to the file of a library."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_app.store.database import make_reading_uri


def test_where_nothing_can_be_written_a_database_is_read_with_its_log_and_also_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "library.db"
    with closing(sqlite3.connect(file)) as writer:
        writer.execute("PRAGMA journal_mode = wal")
        writer.execute("CREATE TABLE document (id)")
        monkeypatch.setattr(os, "access", lambda *_: False)
        with closing(sqlite3.connect(make_reading_uri(file), uri=True)) as reader:
            assert reader.execute("SELECT name FROM sqlite_master").fetchall() == [("document",)]
    assert make_reading_uri(file).endswith("?mode=ro&immutable=1")
