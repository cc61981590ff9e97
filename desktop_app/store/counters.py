"""Numbers that the transactions which change them keep in step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, update
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop_app.store.prepared import plain_rows
from desktop_app.store.schema import CounterRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ADD = (
    update(CounterRow).where(CounterRow.name == bindparam("counter")).values(value=CounterRow.value + bindparam("more"))
)
# In plain SQL: a search asks for several, and to put the query together takes ten times as long as its answer.
_ONE = "SELECT coalesce(max(value), 0) FROM counter WHERE name = ?"
_ALL = "SELECT name, value FROM counter"


def counter(connection: Connection, name: str) -> int:
    """Return a counter's value."""
    return int(plain_rows(connection, _ONE, (name,))[0][0])


def all_counters(connection: Connection) -> dict[str, int]:
    """Return all counters."""
    return dict(plain_rows(connection, _ALL))


def set_counter(connection: Connection, name: str, value: int) -> None:
    """Set a counter."""
    connection.execute(update(CounterRow).where(CounterRow.name == name).values(value=value))


def note_number(connection: Connection, name: str, value: int) -> None:
    """Set a number that not every library has among its counters."""
    connection.execute(
        upsert(CounterRow)
        .values(name=name, value=value)
        .on_conflict_do_update(index_elements=["name"], set_={"value": value})
    )


def leave_traces(connection: Connection) -> None:
    """Note, in the transaction that erases something, that unused bytes of the file may still tell of it."""
    set_counter(connection, "traces", 1)


def add_to(connection: Connection, **changes: int) -> None:
    """Add to counters, in the transaction that changes what they count."""
    changed = [{"counter": name, "more": more} for name, more in changes.items() if more]
    if changed:
        connection.execute(_ADD, changed)
