"""How many files the program may have open."""

from __future__ import annotations

import pytest

from desktop_app.core.open_files import allow_many_open_files

resource = pytest.importorskip("resource", reason="needs limits as POSIX has them")
INFINITE = resource.RLIM_INFINITY


@pytest.mark.parametrize(
    ("limits", "raised"),
    [
        ((256, INFINITE), [(4096, INFINITE)]),
        ((256, 1024), [(1024, 1024)]),
        ((8192, INFINITE), []),
        ((INFINITE, INFINITE), []),
        ((1024, 1024), []),
    ],
)
def test_a_low_limit_is_raised(
    limits: tuple[int, int], raised: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _which: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _which, wanted: asked.append(wanted))
    allow_many_open_files()
    assert asked == raised


def test_a_refusal_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_which: int, _wanted: tuple[int, int]) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _which: (256, INFINITE))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    allow_many_open_files()
