"""Addresses of shared libraries."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import UsageError
from desktop_app.core.shared_address import SharedAddress, is_shared_address, parse_shared_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (
            "postgresql://anna@archive/kindred?library=newsroom",
            SharedAddress("archive", "kindred", "newsroom", "anna"),
        ),
        ("postgres://archive:5433/a%20b?library=x", SharedAddress("archive", "a b", "x", "", 5433)),
        ("postgresql://localhost/k?library=x", SharedAddress("localhost", "k", "x", sslmode="disable")),
        (
            "postgresql://u%40x@[::1]/k?library=x&sslmode=require&sslrootcert=/ca.pem",
            SharedAddress("::1", "k", "x", "u@x", sslmode="require", certificate="/ca.pem"),
        ),
    ],
)
def test_an_address_is_read_and_written(text: str, address: SharedAddress) -> None:
    assert parse_shared_address(text) == address
    assert parse_shared_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://archive/kindred",
        "postgresql:///kindred?library=x",
        "postgresql://archive?library=x",
        "postgresql://archive/kindred?library=x&options=-csearch_path",
        "postgresql://archive/kindred?library=X",
        'postgresql://archive/kindred?library=x"; DROP',
        "postgresql://archive:port/kindred?library=x",
        "postgresql://archive/kindred?library=x&sslmode=allow",
        "postgresql://archive/kindred?library=",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    assert is_shared_address(text)
    with pytest.raises(UsageError, match="not the address"):
        parse_shared_address(text)


def test_a_password_in_an_address_is_refused_without_being_repeated() -> None:
    with pytest.raises(UsageError, match="password") as caught:
        parse_shared_address("postgresql://anna:secret@archive/kindred?library=x")
    assert "secret" not in str(caught.value) + str(caught.value.hint)
    assert not is_shared_address("/home/anna/library")
