"""The pages of the manual: complete, the same in every language, and with the names that the window has."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from desktop_app import gui
from desktop_app.cli.command_table import COMMANDS
from desktop_app.core.formats import FORMATS
from desktop_app.core.paths import resources_folder
from desktop_app.gui.base.actions import MENUS
from desktop_app.gui.help.manual_pages import PAGE_OF_CLASS, PAGES, find_page, find_sections, read_sections
from desktop_app.gui.search.query_bar import list_search_operators
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.menu_layout import MENU_LAYOUT, RECENT_LIBRARIES, SAVED_SEARCHES, Submenu
from tests.gui.conftest import Kindred

MANUAL = resources_folder() / "manual"
LANGUAGES = ("en", "de")
PAGES_AND_LANGUAGES = [(language, page) for language in LANGUAGES for page in PAGES]
# Each has a page, or is a part of something that has one.
_HAVE_PAGES = re.compile(r"\w+(Pane|Page|Dialog|Panel|Popup|Palette)$")
_BASES = {"Pane", "SettingsPage"}
_KEYS_WITHOUT_ACTION = ("Ctrl+Up", "Ctrl+Down", "Shift+Return", "Alt+Left", "Alt+Right")
_FILLED = {RECENT_LIBRARIES: "&Recent Libraries", SAVED_SEARCHES: "Save&d Searches"}
_KEYS = {
    "Strg": "Ctrl", "Umschalt": "Shift", "Eingabe": "Return", "Enter": "Return", "Entf": "Del",
    "Auf": "Up", "Ab": "Down", "Links": "Left", "Rechts": "Right", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right",
}  # fmt: skip


def source(language: str, page: str) -> str:
    return (MANUAL / language / f"{page}.md").read_text("utf-8")


def test_every_language_has_every_page_with_the_same_headings_lists_and_pictures() -> None:
    def shape(language: str, page: str) -> list[str]:
        text = re.sub(r"\]\([^)]*\)", lambda found: found[0].replace(f"{language}/", ""), source(language, page))
        return re.findall(r"^#+|^ *(?:-|[0-9]+\.) |^\|(?=[^-])|(?:!|(?<=\]))\([^)]+\)", text, re.MULTILINE)

    for language in LANGUAGES:
        assert {file.stem for file in (MANUAL / language).glob("*.md")} == set(PAGES)
    for page in PAGES:
        assert shape("en", page) == shape("de", page), page


@pytest.mark.parametrize(("language", "page"), PAGES_AND_LANGUAGES)
def test_a_page_has_one_title_and_its_links_and_pictures_exist(language: str, page: str) -> None:
    text = source(language, page)
    assert re.findall(r"^(#+) ", text, re.MULTILINE)[0] == "#"
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (MANUAL / language / target).is_file(), target


def widget_classes() -> Iterator[type[QWidget]]:
    """Every class of a widget in the program."""
    for module in pkgutil.walk_packages(gui.__path__, "desktop_app.gui."):
        for each in vars(importlib.import_module(module.name)).values():
            if isinstance(each, type) and issubclass(each, QWidget) and each.__module__ == module.name:
                yield each


def test_every_pane_and_dialog_has_a_page() -> None:
    classes = {each.__name__ for each in widget_classes()}
    assert {name for name in classes if _HAVE_PAGES.match(name)} - _BASES - PAGE_OF_CLASS.keys() == set()
    assert PAGE_OF_CLASS.keys() - classes == set(), "no such class"
    assert set(PAGE_OF_CLASS.values()) <= set(PAGES)


def test_the_page_is_that_of_the_innermost_part_with_the_focus(kindred: Kindred) -> None:
    window = kindred.window
    assert find_page(window.search.box) == PAGE_OF_CLASS["SearchBox"]
    assert find_page(window.library_pane.view) == PAGE_OF_CLASS["LibraryPane"]
    assert find_page(window.reader) == PAGE_OF_CLASS["ReaderPane"]
    assert find_page(window) == find_page(None) == PAGES[0]


# Searching


def test_a_search_finds_sections_with_every_word_on_any_page() -> None:
    sections = read_sections(MANUAL / "en")
    assert [section.page for section in sections if section.start == 0] == list(PAGES)
    assert find_sections(sections, "  ") == []
    assert find_sections(sections, "neverwritten") == []
    (backup, *_) = find_sections(sections, "BACKUP restor")
    assert backup.page == "libraries"
    for section in find_sections(sections, "pdf password"):
        text = f"{section.title}\n{section.text}".lower()
        assert "pdf" in text
        assert "password" in text


# Names of the window


def plain(text: str) -> str:
    return re.sub(r"&(?!&)", "", text).strip()


@functools.cache
def translate(language: str) -> Callable[[str], str]:
    """Return a function that translates a text of the menus."""
    if language == "en":
        return lambda text: text
    known = {
        message.findtext("source", ""): message.findtext("translation", "")
        for context in window_texts(language)
        if context.findtext("name") in ("", "MainWindow")
        for message in context.iter("message")
    }
    return lambda text: known[text]


def window_texts(language: str) -> Iterator[ET.Element]:
    """The contexts of translated texts."""
    return ET.parse(resources_folder() / "translations" / f"kindred_{language}.ts").getroot().iter("context")


@functools.cache
def labels(language: str) -> set[str]:
    """Every text of the window, without the marks of shortcuts and the signs at its end."""
    found = set()
    for context in window_texts("de"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            if translation.get("type") not in ("vanished", "obsolete"):
                found.add(plain((message.findtext("source") if language == "en" else translation.text) or ""))
    return {text.rstrip("…:") for text in found}


@functools.cache
def menu_paths(language: str) -> dict[tuple[str, ...], str]:
    """Every path of the menus, with the id of its action; empty for a menu."""
    tr = translate(language)
    names = {spec.id: plain(tr(spec.text)) for spec in ACTION_SPECS}
    titles = {name: plain(tr(title)) for name, title in MENUS}
    found: dict[tuple[str, ...], str] = {}
    for menu, entries in MENU_LAYOUT.items():
        found[(titles[menu],)] = ""
        for entry in entries:
            if isinstance(entry, Submenu):
                inside = (titles[menu], plain(tr(entry.title)))
                found[inside] = ""
                found |= {(*inside, names[action]): action for action in entry.entries if action in names}
            elif entry in names:
                found[(titles[menu], names[entry])] = entry
            elif entry in _FILLED:
                found[(titles[menu], plain(tr(_FILLED[entry])))] = ""
    return found


def quoted(language: str, page: str, pattern: str) -> list[str]:
    text = re.sub(r"`[^`]*`", "", source(language, page))
    return [" ".join(each.split()) for each in re.findall(pattern, text)]


_MENU = r"(?<!\*)\*([^*]+ ▸ [^*]+)\*(?!\*)"


@pytest.mark.parametrize(("language", "page"), PAGES_AND_LANGUAGES)
def test_the_manual_uses_the_names_of_the_menus(language: str, page: str) -> None:
    paths = menu_paths(language)
    assert {path for path in quoted(language, page, _MENU) if tuple(path.split(" ▸ ")) not in paths} == set()


@pytest.mark.parametrize(("language", "page"), PAGES_AND_LANGUAGES)
def test_the_manual_uses_the_names_of_panes_buttons_and_fields(language: str, page: str) -> None:
    known = labels(language)
    names = quoted(language, page, r"\*\*([^*]+)\*\*")
    names += [name for name in quoted(language, page, r"(?<!\*)\*([^*]+)\*(?!\*)") if " ▸ " not in name]
    assert {name for name in names if name.rstrip("…:") not in known} == set()


def sequences(*keys: str | QKeySequence.StandardKey) -> list[QKeySequence]:
    """The shortcuts of an action; a standard key can stand for several."""
    return [
        sequence
        for key in keys
        for sequence in (
            QKeySequence.keyBindings(key) if isinstance(key, QKeySequence.StandardKey) else [QKeySequence(key)]
        )
    ]


def shortcut(named: str) -> QKeySequence:
    """A shortcut as a page names it."""
    return QKeySequence("+".join(_KEYS.get(key, key) for key in re.split(r"(?<=.)\+(?=.)", named)))


@pytest.mark.parametrize(("language", "page"), PAGES_AND_LANGUAGES)
def test_the_manual_gives_the_shortcuts_of_the_actions_that_it_names(language: str, page: str) -> None:
    paths = menu_paths(language)
    keys = {spec.id: sequences(*spec.keys) for spec in ACTION_SPECS}
    text = " ".join(source(language, page).split())
    for path, named in re.findall(rf"{_MENU} \(`([^`]+)`\)", text):
        assert shortcut(named) in keys[paths[tuple(path.split(" ▸ "))]], f"{path}: {named}"
    known = {key for each in keys.values() for key in each} | set(sequences(*_KEYS_WITHOUT_ACTION))
    combinations = re.findall(r"`((?:Ctrl|Strg|Alt|Shift|Umschalt)\+[^`]+|F\d+)`", text)
    assert [named for named in combinations if shortcut(named) not in known] == []


# Lists that are complete


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manual_lists_every_command_operator_and_file_format(language: str) -> None:
    first_cells = re.findall(r"^\|(.*?)\|", source(language, "command-line"), re.MULTILINE)
    assert {each.split()[0] for each in re.findall(r"`([^`]+)`", "\n".join(first_cells))} == COMMANDS.keys()

    def shape(example: str) -> str:
        return re.sub(r"\b(?!\w+:|OR\b)\w+", "word", example)

    examples = re.findall(r"`([^`]+)`", source(language, "operators"))
    assert {shape(example) for example, _meaning in list_search_operators()} <= {shape(each) for each in examples}
    formats = source(language, "import")
    for kind, each in FORMATS.items():
        assert kind in ("text", "markdown") or each.suffixes[0].removeprefix(".").upper() in formats, kind
