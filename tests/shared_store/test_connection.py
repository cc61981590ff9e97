"""Connections to servers: certificates, passwords, and what is said when one cannot be opened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from desktop_app.core.errors import LibraryRearranged, LibraryUnreachable
from desktop_app.core.shared_address import SharedAddress, SharedLogin
from desktop_app.shared_store.administration import ServerAdministration
from desktop_app.shared_store.connection import SharedDatabase, explain_connect_error
from desktop_app.shared_store.library import SharedLibrary
from tests.postgres_server import SharedLibraries
from tests.tls_proxy import make_certificate, serve_tls


@pytest.fixture
def address(shared_libraries: SharedLibraries) -> SharedAddress:
    return shared_libraries.address("sessions")


def test_the_certificate_of_a_server_is_checked(
    address: SharedAddress, shared_libraries: SharedLibraries, tmp_path: Path
) -> None:
    password = shared_libraries.server.password
    certificate, key = make_certificate(tmp_path, "localhost", "127.0.0.1")
    with serve_tls(address.port, certificate, key) as port:
        secure = replace(address, host="localhost", port=port, sslmode="verify-full", certificate=str(certificate))
        with SharedLibrary.open(secure, password) as library:
            assert library.info().documents == 0
        assert ServerAdministration(SharedLogin(secure, password)).status().is_encrypted
        with pytest.raises(LibraryUnreachable, match="not from an authority") as unknown:
            SharedLibrary.open(replace(secure, certificate=""), password)
        assert unknown.value.message.code == "certificate"
        with pytest.raises(LibraryUnreachable, match="file with certificates cannot be read"):
            SharedLibrary.open(replace(secure, certificate=str(tmp_path / "none.pem")), password)
        with SharedLibrary.open(replace(secure, sslmode="require", certificate=""), password):
            pass
    with pytest.raises(LibraryUnreachable, match="does not encrypt"):
        SharedLibrary.open(replace(address, sslmode="verify-full", certificate=str(certificate)), password)


def test_a_certificate_for_another_name_is_refused(
    address: SharedAddress, shared_libraries: SharedLibraries, tmp_path: Path
) -> None:
    certificate, key = make_certificate(tmp_path, "archive.example.org")
    with serve_tls(address.port, certificate, key) as port:
        wrong = replace(address, host="localhost", port=port, sslmode="verify-full", certificate=str(certificate))
        with pytest.raises(LibraryUnreachable, match=r"archive\.example\.org.*localhost") as refused:
            SharedLibrary.open(wrong, shared_libraries.server.password)
        assert "for another name" in str(refused.value)


def test_an_expired_certificate_is_refused(
    address: SharedAddress, shared_libraries: SharedLibraries, tmp_path: Path
) -> None:
    certificate, key = make_certificate(tmp_path, "localhost", days=-1)
    with serve_tls(address.port, certificate, key) as port:
        old = replace(address, host="localhost", port=port, sslmode="verify-full", certificate=str(certificate))
        with pytest.raises(LibraryUnreachable, match="expired"):
            SharedLibrary.open(old, shared_libraries.server.password)


def test_a_deadlock_is_not_a_lost_connection(address: SharedAddress, shared_libraries: SharedLibraries) -> None:
    database = SharedDatabase(address, shared_libraries.server.password, writable=True)
    try:
        connection = database.connection()
        with (
            pytest.raises(LibraryRearranged, match="changing the same part of the library sessions"),
            database.write_transaction(),
        ):
            database.run("DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$")
        with database.write_transaction():
            assert database.value("SELECT 1") == 1
        assert database.connection() is connection
    finally:
        database.close()


def test_the_password_may_be_in_a_password_file(
    address: SharedAddress, shared_libraries: SharedLibraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LibraryUnreachable, match="needs the password") as missing:
        SharedLibrary.open(address, None)
    assert missing.value.message.code == "password_needed"
    file = tmp_path / "passwords"
    file.write_text(f"{address.host}:{address.port}:*:{address.user}:{shared_libraries.server.password}\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    SharedLibrary.open(address, None).close()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            'connection failed: connection to server at "10.0.0.1", port 5432 failed: Connection refused\n'
            "\tIs the server running on that host and accepting TCP/IP connections?",
            "cannot be reached: Connection refused",
        ),
        (
            'connection failed: connection to server at "127.0.0.1", port 5 failed: FATAL:  password authentication'
            ' failed for user "anna"',
            'refuses the user anna: password authentication failed for user "anna"',
        ),
        ("[Errno -2] Name or service not known", "cannot be reached: [Errno -2] Name or service not known"),
    ],
)
def test_errors_of_the_network_are_short(said: str, shown: str) -> None:
    address = SharedAddress("archive", "kindred", "newsroom", "anna")
    assert shown in str(explain_connect_error(address, psycopg.OperationalError(said)))
