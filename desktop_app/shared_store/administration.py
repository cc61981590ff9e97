"""Creates a shared library, gives rights in it, and describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.shared_address import SharedStatus
from desktop_app.shared_store.connection import LIVE_WORKERS, SharedDatabase, connect
from desktop_app.shared_store.documents import move_below_root
from desktop_app.shared_store.model_files import SharedModelFiles
from desktop_app.shared_store.passwords import find_password, store_password
from desktop_app.shared_store.paths import root_of
from desktop_app.shared_store.schema import (
    VERSION,
    check_server,
    check_version,
    create_library,
    find_right,
    grant_access,
    read_version,
    upgrade_library,
)
from desktop_app.shared_store.vectors import part_table, read_parts

if TYPE_CHECKING:
    from desktop_app.core.shared_address import LibraryRight, SharedLogin


class ServerAdministration:
    """Implements `core.ports.SharedAdministration` for the library of a login."""

    def __init__(self, login: SharedLogin) -> None:
        self._login = login
        self._address = login.address

    def create(self) -> None:
        """Create the library; see `core.ports.SharedAdministration`."""
        create_library(self._address, find_password(self._login))

    def upgrade(self) -> bool:
        """Bring the library's tables to this program's version."""
        return upgrade_library(self._address, find_password(self._login))

    def grant(self, user: str, right: LibraryRight) -> None:
        """Give a user a right, instead of the one that the user has."""
        database = self._open(writable=True)
        try:
            check_version(database)
            grant_access(database, user, right)
        finally:
            database.close()

    def use_password(self, password: str, *, store: bool) -> None:
        """Try a password, and use it from now on; see `core.ports.SharedAdministration`."""
        connect(self._address, password).close()
        self._login.password = password
        if store:
            store_password(self._address, password)

    def status(self) -> SharedStatus:
        """Describe server and library."""
        database = self._open(writable=False)
        try:
            check_server(database)
            version = read_version(database)
            server = database.row(
                "SELECT current_setting('server_version') AS server, current_user AS name,"
                " (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector"
            )
            assert server is not None, "the server answers"
            found = SharedStatus(
                server=server.server,
                pgvector=server.pgvector,
                is_encrypted=database.connection().pgconn.ssl_in_use,
                user=server.name,
                version=version,
                newest=VERSION,
            )
            return found if version is None or version // 1000 != VERSION // 1000 else self._describe(database, found)
        finally:
            database.close()

    def _describe(self, database: SharedDatabase, found: SharedStatus) -> SharedStatus:
        counted = database.row(
            "SELECT (SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r') AS bytes,"
            " (SELECT count(*) FROM document WHERE removed_at IS NULL) AS documents,"
            " (SELECT coalesce(sum(change), 0) FROM tally WHERE name = 'sentences') AS sentences,"
            " (SELECT count(*) FROM document WHERE removed_at IS NULL AND state = 'queued') AS queued,"
            " m.id AS model, m.name AS model_name, m.fingerprint"
            " FROM (SELECT) one LEFT JOIN model m ON m.current"
        )
        assert counted is not None, "an aggregate has a row"
        workers = set(database.column(LIVE_WORKERS))
        busy = database.column("SELECT DISTINCT worker FROM document WHERE worker <> 0")
        parts = [] if counted.model is None else read_parts(database, counted.model)
        tail = 0
        if counted.model is not None:
            tail = int(database.value(f"SELECT count(*) FROM {part_table(counted.model, 0)}"))
        return SharedStatus(
            server=found.server,
            pgvector=found.pgvector,
            is_encrypted=found.is_encrypted,
            user=found.user,
            version=found.version,
            newest=found.newest,
            right=find_right(database),
            size_bytes=int(counted.bytes),
            documents=counted.documents,
            sentences=int(counted.sentences),
            queued=counted.queued,
            sessions=len(workers),
            importers=len(workers.intersection(busy)),
            partitions=len(parts),
            tail=tail,
            model=counted.model_name or "",
            fingerprint=counted.fingerprint or "",
            model_bytes=sum(file.size_bytes for file in SharedModelFiles(database).find(counted.fingerprint or "")),
        )

    def find_roots(self) -> list[str]:
        """Return the names of the roots that documents of the library are below."""
        database = self._open(writable=False)
        try:
            check_version(database)
            return sorted({found for path in database.column("SELECT path FROM document") if (found := root_of(path))})
        finally:
            database.close()

    def use_root(self, name: str, folder: str) -> int:
        """Store the paths of documents in a folder below a root; see `core.ports.SharedAdministration`."""
        database = self._open(writable=True)
        try:
            check_version(database)
            if find_right(database) not in ("writer", "owner"):
                return 0
            return move_below_root(database, name, folder)
        finally:
            database.close()

    def _open(self, *, writable: bool) -> SharedDatabase:
        return SharedDatabase(self._address, find_password(self._login), writable=writable)
