"""The address of a shared library: `postgresql://anna@archive/kindred?library=newsroom`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qs, quote, unquote, urlsplit

from desktop_app.core.errors import LibraryUnreachable, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

LibraryRight = Literal["reader", "writer", "owner", "none"]

PASSWORD_VARIABLE = "KINDRED_PASSWORD"
"""The environment variable that scripts put the password into."""
SCHEMES = ("postgresql://", "postgres://")
DEFAULT_PORT = 5432
DEFAULT_SSLMODE = "verify-full"
_SSLMODES = ("disable", "require", "verify-ca", "verify-full")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_SHOWN_ROOT = re.compile(r"([a-z][a-z0-9_-]+):(?:/|$)")
_PARAMETERS = frozenset({"library", "sslmode", "sslrootcert"})


@dataclass(frozen=True, slots=True)
class SharedAddress:
    """Where a shared library is, without the password.

    Attributes:
        host: name of the server.
        database: name of the database on it.
        library: name of the library in the database.
        user: name of the role; empty: that of the system's user.
        port: of the server.
        sslmode: how the connection is secured, in libpq's words.
        certificate: file with the certificates to trust; empty: the system's.
    """

    host: str
    database: str
    library: str
    user: str = ""
    port: int = DEFAULT_PORT
    sslmode: str = DEFAULT_SSLMODE
    certificate: str = ""

    @property
    def schema(self) -> str:
        """The database schema that holds the library."""
        return f"kindred_{self.library}"

    @property
    def server(self) -> str:
        """Host, and port if it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORT else f"{host}:{self.port}"

    def __str__(self) -> str:
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        more = f"&sslmode={self.sslmode}" if self.sslmode != default_sslmode(self.host) else ""
        more += f"&sslrootcert={quote(self.certificate, safe='/')}" if self.certificate else ""
        return f"postgresql://{user}{self.server}/{quote(self.database, safe='')}?library={self.library}{more}"


@dataclass(slots=True)
class SharedLogin:
    """How to sign in to a shared library.

    Attributes:
        address: of the library.
        password: that a person typed in this session; None: one that is stored. It is written nowhere.
    """

    address: SharedAddress
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SharedStatus:
    """A server and a library on it.

    Attributes:
        server: version of PostgreSQL.
        pgvector: version of the extension.
        is_encrypted: whether the connection is.
        user: the session's.
        version: of the library; None if it does not exist.
        newest: the version that this program makes.
        right: of the user in the library.
        size_bytes: of its tables.
        documents: in any state.
        sentences: distinct texts.
        queued: documents that wait to be imported.
        sessions: that may change the library at this moment.
        importers: those of them that are importing.
        partitions: of the library's vectors.
        tail: vectors that are in none yet, and are searched one by one.
        model: name of the library's model; empty while it has none.
        fingerprint: of this model.
        is_model_here: whether this computer has it; None: nobody has looked.
        model_bytes: of the model's files in the library; 0 if they are not there.
    """

    server: str
    pgvector: str
    is_encrypted: bool
    user: str
    version: int | None
    newest: int
    right: LibraryRight = "none"
    size_bytes: int = 0
    documents: int = 0
    sentences: int = 0
    queued: int = 0
    sessions: int = 0
    importers: int = 0
    partitions: int = 0
    tail: int = 0
    model: str = ""
    fingerprint: str = ""
    is_model_here: bool | None = None
    model_bytes: int = 0


def is_shared_address(text: str) -> bool:
    """Return whether a text is meant as the address of a shared library, and not as a folder."""
    return text.startswith(SCHEMES)


def parse_shared_address(text: str) -> SharedAddress:
    """Return the address that a text means.

    Raises:
        UsageError: it is no address of a library, or contains a password.
    """
    try:
        parts = urlsplit(text)
        port = parts.port or DEFAULT_PORT
    except ValueError as error:
        raise _make_usage_error(text) from error
    if parts.password is not None:
        raise UsageError(
            "The address of the library contains a password",
            "Leave it out: other users of this computer can see it, and it ends up in histories and logs. "
            "Set KINDRED_PASSWORD instead, or store the password in the system's keyring.",
        )
    given = parse_qs(parts.query, keep_blank_values=True)
    library = given.get("library", [""])[-1]
    sslmode = given.get("sslmode", [default_sslmode(parts.hostname or "")])[-1]
    is_complete = bool(parts.hostname and parts.path.strip("/"))
    if not is_complete or not _NAME.fullmatch(library) or sslmode not in _SSLMODES or not given.keys() <= _PARAMETERS:
        raise _make_usage_error(text)
    return SharedAddress(
        host=parts.hostname or "",
        database=unquote(parts.path.strip("/")),
        library=library,
        user=unquote(parts.username or ""),
        port=port,
        sslmode=sslmode,
        certificate=given.get("sslrootcert", [""])[-1],
    )


def needs_password(error: BaseException) -> bool:
    """Return whether an error says that the server wants a password, or another one."""
    return isinstance(error, LibraryUnreachable) and error.message.code in ("password_needed", "refused")


def is_connection_lost(error: BaseException) -> bool:
    """Return whether an error says that the server or the network is away: that ends by itself."""
    return isinstance(error, LibraryUnreachable) and error.message.code == "library_unreachable"


def library_roots(stored: Mapping[str, str], address: SharedAddress) -> dict[str, str]:
    """Return the folders of this computer for the roots of a library, by their names.

    Args:
        stored: those for all libraries, as in the settings.
        address: of the library; the user does not matter.
    """
    start = root_key(address, "")
    return {key.removeprefix(start): folder for key, folder in stored.items() if key.startswith(start)}


def root_key(address: SharedAddress, name: str) -> str:
    """Return under which name the settings keep the folder for a root of a library."""
    return f"{address.server}/{address.database}/{address.library}/{name}"


def find_unmapped_root(path: str) -> str:
    """Return the root in a path below one without a folder here, such as `archive:/2024/plan.pdf`; else nothing."""
    found = _SHOWN_ROOT.match(path)
    return found[1] if found is not None else ""


def is_root_name(text: str) -> bool:
    """Return whether a root may have this name: a drive of Windows has one letter."""
    return len(text) > 1 and is_library_name(text)


def parse_server(text: str) -> tuple[str, int]:
    """Return host and port that a person typed as `archive` or `archive:5433`; no host if it is neither."""
    try:
        parts = urlsplit(f"//{text}")
        return parts.hostname or "", parts.port or DEFAULT_PORT
    except ValueError:
        return "", DEFAULT_PORT


def is_library_name(text: str) -> bool:
    """Return whether a library may have this name."""
    return _NAME.fullmatch(text) is not None


def default_sslmode(host: str) -> str:
    """Return how a connection is secured if the address does not say: on this computer nobody is in between."""
    return "disable" if host in _LOOPBACK else DEFAULT_SSLMODE


def _make_usage_error(text: str) -> UsageError:
    return UsageError(
        "{text} is not the address of a library",
        "Write postgresql://USER@SERVER/DATABASE?library=NAME. A name has small letters, digits, _ and -, and begins "
        "with a letter.",
        text=text,
    )
