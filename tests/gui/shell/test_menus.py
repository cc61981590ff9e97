"""Mnemonics: each letter of a menu selects one entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.shell import window_language
from desktop_app.gui.shell.menus import choose_mnemonics, find_mnemonic
from tests.gui.conftest import Kindred


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest, qapp: QApplication, themes: ThemeManager) -> Iterator[str]:
    yield window_language.install_language(qapp, request.param)
    window_language.install_language(qapp, "en")


def _menus(bar: QMenuBar) -> Iterator[QMenu | QMenuBar]:
    yield bar
    for action in bar.actions():
        menu = action.menu()
        assert isinstance(menu, QMenu)
        yield menu


def test_no_two_entries_of_a_menu_share_a_letter(language: str, make: Callable[..., Kindred]) -> None:
    bar = make(show=False).window.menuBar()
    for menu in _menus(bar):
        texts = [action.text() for action in menu.actions() if not action.isSeparator()]
        letters = Counter(find_mnemonic(text) for text in texts)
        del letters[""]
        assert [letter for letter, times in letters.items() if times > 1] == []
        # An entry may have none only when no letters are left.
        spare = [text for text in texts if not find_mnemonic(text)]
        assert all(set(filter(str.isalpha, text.lower())) <= set(letters) for text in spare), spare


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["&Copy", "&Paste"], ["&Copy", "&Paste"]),
        (["&Paste", "&Preferences…"], ["&Paste", "P&references…"]),
        (["Open", "&Often"], ["O&pen", "&Often"]),  # a text that has a letter keeps it
        (["Show in &Folder", "&Filters"], ["Show in &Folder", "F&ilters"]),
        (["Re&d", "&Dark Theme"], ["Re&d", "Dark &Theme"]),  # the beginning of a word before any other letter
        (["&a", "a"], ["&a", "a"]),
        (["&Öffnen", "&öfter"], ["&Öffnen", "ö&fter"]),
    ],
)
def test_the_first_entry_keeps_its_letter(texts: list[str], expected: list[str]) -> None:
    assert choose_mnemonics(texts) == expected
