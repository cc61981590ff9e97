"""Numbers that the transactions which change them keep in step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select, update

from desktop_app.store.schema import CounterRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

_VALUE = select(func.coalesce(func.max(CounterRow.value), 0)).where(CounterRow.name == bindparam("counter"))
_ADD = (
    update(CounterRow).where(CounterRow.name == bindparam("counter")).values(value=CounterRow.value + bindparam("more"))
)


def counter(connection: Connection, name: str) -> int:
    """Return a counter's value."""
    return int(connection.execute(_VALUE, {"counter": name}).scalar_one())


def all_counters(connection: Connection) -> dict[str, int]:
    """Return all counters."""
    return {row.name: row.value for row in connection.execute(select(CounterRow.name, CounterRow.value))}


def set_counter(connection: Connection, name: str, value: int) -> None:
    """Set a counter."""
    connection.execute(update(CounterRow).where(CounterRow.name == name).values(value=value))


def leave_traces(connection: Connection) -> None:
    """Note, in the transaction that erases something, that unused bytes of the file may still tell of it."""
    set_counter(connection, "traces", 1)


def add_to(connection: Connection, **changes: int) -> None:
    """Add to counters, in the transaction that changes what they count."""
    changed = [{"counter": name, "more": more} for name, more in changes.items() if more]
    if changed:
        connection.execute(_ADD, changed)
