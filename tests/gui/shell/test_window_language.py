"""The window is in the person's language: every text goes through the translation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_app.core.settings import LANGUAGES, SYSTEM_LANGUAGE
from desktop_app.gui.base import display_text
from desktop_app.gui.base.actions import MENUS
from desktop_app.gui.base.fault_reporter import list_versions
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.shell import window_language
from tests.gui.conftest import Kindred, search

# A text may contain another one; some are cut before the keys in their parentheses.
_MARKED = re.compile(r"⟦[^⟦⟧]*(⟦[^⟦⟧]*⟧[^⟦⟧]*)*(⟧|$)")
# Names, which are the same in every language, and texts from documents and the machine.
_NAMES = {"Kindred", "English", "Deutsch", "PDF", "Markdown", "OpenDocument", "RTF", "CPU"}
_QT = re.compile(r"Q[A-Z]")
_SHEETS = (
    *("app.about", "app.preferences", "app.shortcuts", "compare.open", "app.palette", "app.problem", "app.welcome"),
    *("library.about", "library.models", "library.watched", "quotes.show", "search.saved", "compare.table"),
)


class _Marking(QTranslator):
    """A language in which every text stands in brackets."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, comment: str | None = None, n: int = -1) -> str | None:
        # None leaves Qt's own texts unchanged.
        return f"⟦{text}⟧".replace("%Ln", str(n)) if text and not _QT.match(context) else None


@pytest.fixture
def marking(qapp: QApplication) -> Iterator[None]:
    translator = _Marking()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def speaking(qapp: QApplication, themes: ThemeManager) -> Iterator[Callable[[str], str]]:
    """Change the language; English is back after the test."""
    yield lambda choice: window_language.install_language(qapp, choice)
    window_language.install_language(qapp, "en")


def _texts(widget: QWidget) -> Iterator[str]:
    yield widget.windowTitle()
    yield widget.toolTip()
    yield widget.accessibleName()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QGroupBox):
        yield widget.title()
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        yield widget.placeholderText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(row) for row in range(widget.count()))
    for action in widget.actions():
        yield from _of_action(action)


def _of_action(action: QAction) -> Iterator[str]:
    yield action.text()
    yield action.toolTip()


def _left_out(root: QWidget, data: set[str]) -> set[str]:
    """Return the texts of the program that did not go through the translation."""
    found = set()
    for widget in [root, *root.findChildren(QWidget)]:
        if type(widget).__module__.startswith("PySide6") and widget.objectName().startswith("qt_"):
            continue  # Qt's own parts
        for text in _texts(widget):
            rest = _MARKED.sub("", text.partition("\t")[0])  # a key stands after it, in menus
            for known in sorted(data | _NAMES, key=len, reverse=True):
                rest = rest.replace(known, "")
            rest = re.sub(r"\((Ctrl|Shift|Alt|F\d|Esc|Del|\W|[A-Z0-9])+\w*\)|<[^>]*>|&\w+;", "", rest)
            is_key = bool(QKeySequence.fromString(text).toString())  # Qt translates these
            if re.search(r"[^\W\d_]{2,}", rest) and not is_key:
                found.add(f"{type(widget).__name__}: {text}")
    return found


def test_every_text_of_the_window_goes_through_the_translation(
    marking: None, make: Callable[..., Kindred], files, qtbot: QtBot
) -> None:
    kindred = make()
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.rows) >= 2)
    search(kindred, qtbot, "sea")
    qtbot.waitUntil(lambda: kindred.window.search_pane.model.rowCount() > 0)
    data = {str(files.parent), "sea.txt", "tags.md", files.name, *kindred.hits, *list_versions().splitlines()}
    data |= {"/base/data/library", "/base/data", "all-MiniLM-L6-v2", "fake", "fp32"}
    data |= {path.replace("/", "/\N{ZERO WIDTH SPACE}") for path in data}
    left_out = _left_out(kindred.window, data)
    for name in _SHEETS:
        before = set(QApplication.topLevelWidgets())
        kindred.window.action_table[name].trigger()
        sheets = [each for each in QApplication.topLevelWidgets() if each not in before and each.isVisible()]
        for sheet in sheets:
            left_out |= _left_out(sheet, data)
        for sheet in sheets:
            if isinstance(sheet, QDialog):
                sheet.reject()
            else:
                sheet.close()
    assert left_out == set()


def test_menus_numbers_and_plurals_are_in_german(speaking: Callable[[str], str], make: Callable[..., Kindred]) -> None:
    assert speaking("de") == "de"
    kindred = make(show=False)
    assert next(action.text() for action in kindred.window.menuBar().actions()) == "&Datei"
    assert display_text.count_sentences(6800) == "6.800 Sätze"
    assert display_text.count_sentences(1) == "1 Satz"
    assert display_text.format_decimal(-0.25, 2) == "\N{MINUS SIGN}0,25"
    assert len(MENUS) == len(kindred.window.menuBar().actions())


def test_english_has_plurals_and_thousands_separators(speaking: Callable[[str], str]) -> None:
    assert speaking("en") == "en"
    assert (display_text.count_documents(1), display_text.count_documents(6800)) == ("1 document", "6,800 documents")


def test_a_language_without_translation_gets_english_texts_and_its_own_numbers(
    speaking: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("fr_FR")))
    assert speaking(SYSTEM_LANGUAGE) == "en"
    assert display_text.format_decimal(0.5, 1) == "0,5"
    assert display_text.count_documents(2) == "2 documents"


def test_the_systems_language_is_the_default(speaking: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("de_AT")))
    assert speaking(SYSTEM_LANGUAGE) == "de"


def test_every_language_of_the_settings_has_a_translation(speaking: Callable[[str], str]) -> None:
    assert [speaking(each) for each in LANGUAGES if each != SYSTEM_LANGUAGE] == ["en", "de"]


def test_keys_have_the_names_of_the_keyboard_and_of_the_manual(speaking: Callable[[str], str]) -> None:
    def shown(keys: str) -> str:
        return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)

    speaking("de")
    assert [shown(keys) for keys in ("Ctrl+Return", "Alt+Down", "Del")] == ["Strg+Eingabe", "Alt+↓", "Entf"]
    speaking("en")
    assert [shown(keys) for keys in ("Ctrl+Return", "Alt+Down", "Del")] == ["Ctrl+Return", "Alt+Down", "Del"]
