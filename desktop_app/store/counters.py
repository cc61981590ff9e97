"""Counters, updated by the same transactions that change the rows they count."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.store.database import fetch_plain_rows
from desktop_app.store.schema import CounterRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

_INCREMENT = (
    update(CounterRow).where(CounterRow.name == bindparam("counter")).values(value=CounterRow.value + bindparam("more"))
)
# Plain SQL: a search reads several counters, and building the query would take ten times as long as running it.
_SELECT_ONE = "SELECT coalesce(max(value), 0) FROM counter WHERE name = ?"
_IDENTITY, _IDENTITY_BITS = "identity", 63  # SQLite's integers have a sign
_SELECT_ALL = "SELECT name, value FROM counter"


def read_counter(connection: Connection, name: str) -> int:
    """Return a counter's value."""
    return int(fetch_plain_rows(connection, _SELECT_ONE, (name,))[0][0])


def read_counters(connection: Connection) -> dict[str, int]:
    """Return all counters."""
    return dict(fetch_plain_rows(connection, _SELECT_ALL))


def set_counter(connection: Connection, name: str, value: int) -> None:
    """Set a counter."""
    connection.execute(update(CounterRow).where(CounterRow.name == name).values(value=value))


def upsert_counter(connection: Connection, name: str, value: int) -> None:
    """Set a number that older libraries lack."""
    connection.execute(
        upsert(CounterRow)
        .values(name=name, value=value)
        .on_conflict_do_update(index_elements=["name"], set_={"value": value})
    )


def ensure_identity(connection: Connection) -> None:
    """Give the library a random number, unless it has one: links name the library by it."""
    values = {"name": _IDENTITY, "value": secrets.randbits(_IDENTITY_BITS)}
    connection.execute(upsert(CounterRow).values(values).on_conflict_do_nothing())


def format_identity(counters: Mapping[str, int]) -> str:
    """Return the library's number as 16 hexadecimal digits; empty if it has none yet."""
    return f"{counters[_IDENTITY]:016x}" if _IDENTITY in counters else ""


def mark_erased_traces(connection: Connection) -> None:
    """Record, in the transaction that erases something, that unused bytes of the file may still contain it."""
    set_counter(connection, "traces", 1)


def increment_counters(connection: Connection, **changes: int) -> None:
    """Add to counters, in the transaction that changes what they count."""
    changed = [{"counter": name, "more": more} for name, more in changes.items() if more]
    if changed:
        connection.execute(_INCREMENT, changed)
