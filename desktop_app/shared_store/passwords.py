"""The password of a shared library: as typed, or from the environment, for scripts, else from the system's keyring.

Without either, libpq looks for one by itself (`.pgpass`), or the server needs none.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import keyring
from keyring.errors import KeyringError, NoKeyringError

from desktop_app.core.errors import StorageFull
from desktop_app.core.messages import system_text
from desktop_app.core.shared_address import PASSWORD_VARIABLE

if TYPE_CHECKING:
    from desktop_app.core.shared_address import SharedAddress, SharedLogin

_SERVICE = "Kindred"


def find_password(login: SharedLogin) -> str | None:
    """Return the password of a login; None if none is known."""
    if login.password is not None:
        return login.password
    if (given := os.environ.get(PASSWORD_VARIABLE)) is not None:
        return given
    try:
        return keyring.get_password(_SERVICE, _key_of(login.address))
    except KeyringError:
        return None  # a server without a desktop has no keyring


def store_password(address: SharedAddress, password: str) -> None:
    """Store the password for an address in the system's keyring.

    Raises:
        StorageFull: the system has no keyring, or it is locked.
    """
    try:
        keyring.set_password(_SERVICE, _key_of(address), password)
    except NoKeyringError as error:
        raise StorageFull(
            "The password is not stored: this computer has no keyring",
            "Kindred asks for it each time. For commands, set KINDRED_PASSWORD, or use a file .pgpass.",
            code="no_keyring",
        ) from error
    except KeyringError as error:
        raise StorageFull(
            "The password cannot be stored: {why}",
            "Set KINDRED_PASSWORD instead, or use a file .pgpass.",
            code="no_keyring",
            why=system_text(error),
        ) from error


def _key_of(address: SharedAddress) -> str:
    """Return under which name a password is stored: one for each user of a server."""
    return f"{address.user}@{address.server}"
