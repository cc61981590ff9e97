"""Patterns of watched folders: which files are imported, which are not, and which pattern decides."""

from __future__ import annotations

from pathlib import PureWindowsPath
from unicodedata import normalize

import pytest

from desktop_app.core import watch_patterns
from desktop_app.core.records import WatchedFolder
from desktop_app.core.watch_patterns import decide_file


@pytest.mark.parametrize(
    ("include", "exclude", "path", "why", "pattern"),
    [
        ((), (), "/w/a.pdf", "taken", ""),
        ((), (), "/w/deep/a.TXT", "taken", ""),
        ((), (), "/w/a.exe", "unsupported", ""),
        ((), (), "/w/.hidden/a.pdf", "unsupported", ""),
        ((), (), "/other/a.pdf", "outside", ""),
        ((), (), "/w", "outside", ""),
        ((), ("drafts",), "/w/Drafts/a.pdf", "excluded", "drafts"),
        ((), ("*.txt",), "/w/deep/a.txt", "excluded", "*.txt"),
        ((), ("2024/*.pdf",), "/w/2024/a.pdf", "excluded", "2024/*.pdf"),
        ((), ("2024/*.pdf",), "/w/2025/2024/a.pdf", "taken", ""),
        ((), ("/2024/",), "/w/2024/deep/a.pdf", "excluded", "/2024/"),
        ((), ("deep/2024",), "/w/deep/2024/a.pdf", "excluded", "deep/2024"),
        (("*.pdf",), (), "/w/a.txt", "not_included", ""),
        (("*.md", "*.pdf"), (), "/w/a.pdf", "taken", "*.pdf"),
        (("*.pdf",), ("draft*",), "/w/draft 1.pdf", "excluded", "draft*"),
        ((), ("", " ", "/"), "/w/a.pdf", "taken", ""),
    ],
)
def test_patterns_decide_about_a_file(include, exclude, path: str, why: str, pattern: str) -> None:
    verdict = decide_file(WatchedFolder("/w", include, exclude), path)
    assert (verdict.why, verdict.pattern) == (why, pattern)
    assert verdict.is_taken == (why == "taken")


@pytest.mark.parametrize("pattern", ["private\\*", "private\\letters", "private/*.pdf", "\\private\\"])
def test_on_windows_a_pattern_may_have_backslashes(monkeypatch: pytest.MonkeyPatch, pattern: str) -> None:
    monkeypatch.setattr(watch_patterns, "PurePath", PureWindowsPath)
    folder = WatchedFolder("C:\\w", (), (pattern,))
    assert decide_file(folder, "C:\\w\\Private\\letters\\a.pdf").why == "excluded"
    assert decide_file(folder, "C:\\w\\other\\letters\\a.pdf").is_taken


@pytest.mark.parametrize(("typed", "stored"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_pattern_matches_a_name_however_its_accents_are_stored(typed: str, stored: str) -> None:
    folder = WatchedFolder("/w", (), (normalize(typed, "Entwürfe"),))
    assert decide_file(folder, normalize(stored, "/w/Entwürfe/a.pdf")).why == "excluded"
