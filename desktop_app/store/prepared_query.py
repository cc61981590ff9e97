"""Queries compiled once and then passed to SQLite as text.

SQLAlchemy looks through a query whenever it is executed, also when what it compiled is kept: for those of a search that
takes longer than SQLite's answer, and who types asks them with every letter.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy.dialects.sqlite import pysqlite
from sqlalchemy.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from desktop_app.store.schema import AnyRow

AnySelect: TypeAlias = Any
"""A `Select`: its type parameters differ between SQLAlchemy 2.0 and 2.1."""

_DIALECT = pysqlite.dialect(paramstyle="named")
_named: Any = namedtuple  # mypy wants the names written out


class PreparedQuery:
    """A query whose parameters are given by name; what it answers is as SQLite gives it, without SQLAlchemy's types.

    One with values that SQLite does not take as they are (paths) is left to SQLAlchemy.
    """

    def __init__(self, query: AnySelect) -> None:
        self._query = query
        compiled = query.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
        assert isinstance(compiled, SQLCompiler), "a query is SQL"
        types = (bind.type.dialect_impl(_DIALECT) for bind in compiled.binds.values())
        is_plain = all(each.bind_processor(_DIALECT) is None for each in types)
        self._sql = compiled.string if is_plain else ""
        self._values = dict(compiled.params)
        self._row: Any = _named("Row", query.selected_columns.keys(), rename=True)

    def rows(self, connection: Connection, **values: object) -> Sequence[AnyRow]:
        """Return the rows, all at once: one by one each would wait for the interpreter's lock."""
        if not self._sql:
            return connection.execute(self._query, values).all()
        return list(map(self._row._make, fetch_plain_rows(connection, self._sql, self._values | values)))


def fetch_plain_rows(
    connection: Connection, sql: str, values: Sequence[object] | Mapping[str, object] = ()
) -> list[tuple[Any, ...]]:
    """Return what SQLite answers to a statement, in the transaction of `connection` but past SQLAlchemy.

    That takes longer to make a result of it than SQLite to find it, where a search asks for some rows.
    """
    raw: Any = connection.connection.driver_connection
    rows: list[tuple[Any, ...]] = raw.execute(sql, values).fetchall()
    return rows
