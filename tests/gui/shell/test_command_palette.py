"""The command palette, the sheet of shortcuts, and accessibility: names, the Tab key, contrast."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QIcon, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import verbatim
from desktop_app.core.settings import Settings
from desktop_app.engine.requests import FailedFile, ImportReport
from desktop_app.gui.base.display_text import document_name
from desktop_app.gui.base.theme import DARK, LIGHT, Theme, ThemeManager, make_style_sheet
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.compare.dialog import CompareDialog
from desktop_app.gui.help.about_dialog import AboutDialog
from desktop_app.gui.help.shortcuts_dialog import ShortcutsDialog, format_shortcuts, list_shortcut_sections
from desktop_app.gui.imports.drop_and_paste import PastedTextDialog
from desktop_app.gui.imports.report_dialog import ImportReportDialog
from desktop_app.gui.library.details_dialog import DocumentDetailsDialog
from desktop_app.gui.preferences.dialog import PreferencesDialog
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.command_palette import (
    CommandPalette,
    PaletteEntry,
    PaletteModel,
    fuzzy_match,
    list_commands,
    match_name,
)
from desktop_app.gui.shell.fault_dialog import FaultDialog
from desktop_app.gui.shell.panes import PANE_SPECS
from desktop_app.gui.widgets.layouts import fit_to_screen
from tests.gui.conftest import Kindred, search
from tests.gui.shell.test_main_window import contrast, unnamed

# Letters and names


def best(typed: str, *names: str) -> list[str]:
    found = [(fuzzy_match(typed, name), name) for name in names]
    fitting = [(score[0], name) for score, name in found if score is not None]
    return [name for _, name in sorted(fitting, key=lambda pair: -pair[0])]


def test_scattered_letters_are_listed_only_if_no_word_matches() -> None:
    entries = [
        PaletteEntry(name, "Tools", QIcon(), print) for name in ("Rental", "Score Sentence Pairs from File", "Quit")
    ]
    parent = QObject()
    model = PaletteModel(entries, parent)
    model.filter("rental")
    assert [model.entry(row).name for row in range(model.rowCount())] == ["Rental"]
    model.filter("sspf")
    assert [model.entry(row).name for row in range(model.rowCount())] == ["Score Sentence Pairs from File"]


def test_letters_match_in_order_with_any_gaps() -> None:
    assert fuzzy_match("cts", "Compare Two Sentences") is not None
    assert fuzzy_match("stcp", "Compare Two Sentences") is None
    assert fuzzy_match("", "Quit") == (0.0, ())
    assert fuzzy_match("compare two", "Compare Two Sentences") is not None, "blanks do not count"
    assert fuzzy_match("uber", "Über Kindred") is not None, "accents do not count"
    assert fuzzy_match("x", "") is None


def test_beginnings_of_words_match_best() -> None:
    assert best("imp", "Impossible", "Try with Sample Maps", "My Imports")[0] == "Impossible"
    assert best("if", "Import Folder", "Clarify")[0] == "Import Folder"
    assert best("light", "Light Theme", "Let Importing Go Home Tonight")[0] == "Light Theme"


def test_the_matching_letters_are_reported() -> None:
    assert fuzzy_match("cts", "Compare Two Sentences")[1] == (0, 8, 12)  # type: ignore[index]
    assert fuzzy_match("the", "Light Theme")[1] == (6, 7, 8)  # type: ignore[index]


def ranked(typed: str, *names: str) -> list[str]:
    found = [(match.order, name) for name in names if (match := match_name(typed, name)) is not None]
    return [name for _, name in sorted(found)]


def test_exact_prefix_and_word_matches_win_over_letters_with_gaps() -> None:
    assert ranked("back up", "Restore a Backup", "Back Up", "Black Puppet") == [
        "Back Up",
        "Restore a Backup",
        "Black Puppet",
    ]
    assert ranked("backup", "Restore a Backup", "Back Up")[0] == "Back Up"
    assert ranked("import", "Reimport", "Try an Import", "Import Files")[0] == "Import Files"
    assert ranked("folder import", "Import Folder", "Show in Folder") == ["Import Folder"]
    assert ranked("rt", "Export Topics", "Recent Tabs")[0] == "Recent Tabs", "a fragment counts less than initials"
    assert ranked("zzz", "Quit") == []


# The palette


def opened(kindred: Kindred) -> CommandPalette:
    kindred.window.action_table["app.palette"].trigger()
    palette = kindred.window.findChild(CommandPalette)
    assert palette.isVisible()
    return palette


def names(palette: CommandPalette) -> list[str]:
    return [palette.model.index(row).data() for row in range(palette.model.rowCount())]


def test_ctrl_shift_p_opens_the_palette_with_every_enabled_action(kindred: Kindred, qtbot: QtBot) -> None:
    qtbot.keySequence(kindred.window, QKeySequence("Ctrl+Shift+P"))
    palette = kindred.window.findChild(CommandPalette)
    assert palette.box.hasFocus()
    enabled = [
        spec.id
        for spec in ACTION_SPECS
        if spec.menu and spec.id != "app.palette"
        if (action := kindred.window.action_table[spec.id]).isEnabled() and action.isVisible()
    ]
    shown = [palette.model.entry(row).id for row in range(palette.model.rowCount())]
    assert shown == enabled
    assert "hit.copy" not in shown, "there is no hit to copy"
    qtbot.keySequence(kindred.window, QKeySequence("Ctrl+Shift+P"))
    assert not palette.isVisible(), "again, it closes"


def test_typing_finds_an_action_and_enter_runs_it(kindred: Kindred, qtbot: QtBot, themes: ThemeManager) -> None:
    palette = opened(kindred)
    qtbot.keyClicks(palette.box, "dth")
    assert names(palette)[0] == "Dark Theme"
    qtbot.keyClick(palette.box, Qt.Key.Key_Return)
    assert themes.theme is DARK
    assert not palette.isVisible()
    kindred.window.action_table["view.theme.light"].trigger()


def test_enter_on_back_up_backs_up(shared: Kindred, qtbot: QtBot) -> None:
    palette = opened(shared)
    qtbot.keyClicks(palette.box, "back up")
    assert names(palette)[:2] == ["Back Up", "Restore a Backup"]
    palette.leave()


def test_documents_are_found_by_words_of_their_names_and_open_in_the_reader(shared: Kindred, qtbot: QtBot) -> None:
    palette = opened(shared)
    document = next(iter(shared.window.documents.all_documents()))
    name = document_name(document.title, document.path)
    assert name not in names(palette), "nothing is typed: commands alone"
    qtbot.keyClicks(palette.box, name)
    assert names(palette)[0] == name
    qtbot.keyClick(palette.box, Qt.Key.Key_Return)
    reader = shared.window.reader
    qtbot.waitUntil(lambda: reader.shown is not None and reader.shown.document_id == document.document_id)
    assert shared.window.reader_controller.has_focus


def test_a_collection_is_shown_in_the_list_of_documents(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    first = next(iter(window.documents.all_documents()))
    window.collections._create("Household", [first.document_id])
    qtbot.waitUntil(lambda: bool(window.context.collections))
    palette = opened(filled)
    qtbot.keyClicks(palette.box, "household")
    assert palette.model.data(palette.model.index(0), Qt.ItemDataRole.AccessibleTextRole) == "Household, Collection"
    qtbot.keyClick(palette.box, Qt.Key.Key_Return)
    assert window.library_pane.collections.current.name == "Household"
    assert window.library_pane.view.hasFocus()
    assert filled.window.documents.forest.root.documents == 1


def test_arrows_select_and_wrap_around(kindred: Kindred, qtbot: QtBot) -> None:
    palette = opened(kindred)
    last = palette.model.rowCount() - 1
    qtbot.keyClick(palette.box, Qt.Key.Key_Up)
    assert palette.view.currentIndex().row() == last
    qtbot.keyClick(palette.box, Qt.Key.Key_Down)
    qtbot.keyClick(palette.box, Qt.Key.Key_Down)
    assert palette.view.currentIndex().row() == 1
    for _ in range(last):
        qtbot.keyClick(palette.box, Qt.Key.Key_PageDown)
    assert palette.view.currentIndex().row() == last
    assert palette.box.hasFocus()
    palette.leave()


def test_esc_restores_the_focus_and_runs_nothing(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    shared.window.search_pane.view.setFocus()
    palette = opened(shared)
    qtbot.keyClicks(palette.box, "quit")
    qtbot.keyClick(palette.box, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert shared.window.search_pane.view.hasFocus()
    assert shared.window.isVisible()
    assert shared.window.search.box.text() == "bread"


def test_the_commands_of_the_pane_that_is_shown_are_listed_with_its_title(kindred: Kindred) -> None:
    def places(pane: tuple[str, str]) -> dict[str, str]:
        return {entry.name: entry.place for entry in list_commands(kindred.window.action_table, pane)}

    assert "Topics as Map" not in places(("search", "Search"))
    assert places(("clusters", "Topics"))["Topics as Map"] == "Topics"


def test_the_palette_closes_only_once(kindred: Kindred, qtbot: QtBot) -> None:
    palette = opened(kindred)
    palette.leave()
    palette.leave()
    qtbot.keyClick(palette.box, Qt.Key.Key_Return)
    qtbot.keyClick(kindred.window, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert kindred.window.findChild(QDialog) is None, "nothing was run"


def test_a_click_elsewhere_closes_the_palette(kindred: Kindred, qtbot: QtBot) -> None:
    palette = opened(kindred)
    kindred.window.search.box.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not palette.isVisible()
    assert kindred.window.search.box.hasFocus()


def test_a_click_on_a_row_runs_its_action(shared: Kindred, qtbot: QtBot) -> None:
    palette = opened(shared)
    qtbot.keyClicks(palette.box, "go to documents")
    view = palette.view
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(palette.model.index(0)).center())
    assert shared.window.library_pane.view.hasFocus()


def test_enter_without_a_match_does_nothing(kindred: Kindred, qtbot: QtBot) -> None:
    palette = opened(kindred)
    qtbot.keyClicks(palette.box, "qqqq")
    assert palette.nothing.isVisible()
    assert not palette.view.isVisible()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown):
        qtbot.keyClick(palette.box, key)
    assert palette.isVisible()
    palette.box.clear()
    assert palette.view.isVisible()
    palette.leave()


def test_the_palette_stays_inside_the_window(kindred: Kindred, qtbot: QtBot) -> None:
    palette = opened(kindred)
    kindred.window.resize(620, 420)
    qtbot.waitUntil(lambda: kindred.window.rect().contains(palette.geometry()))
    palette.leave()


# The sheet


def test_the_shortcut_sheet_shows_every_shortcut(kindred: Kindred, qtbot: QtBot) -> None:
    kindred.window.action_table["app.shortcuts"].trigger()
    sheet = kindred.window.findChild(ShortcutsDialog)
    shown = {each.text() for each in sheet.findChildren(QLabel)}
    for spec in ACTION_SPECS:
        if spec.menu and spec.keys:
            action = kindred.window.action_table[spec.id]
            assert action.text().replace("&", "").rstrip("…") in shown
            keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in format_shortcuts(spec, action)]
            assert set(keys) <= shown, spec.id
    assert {"In the search box", "In lists and dialogs", "PgDown"} <= shown
    assert all(keys for _, rows in list_shortcut_sections(kindred.window.action_table) for _, keys in rows)
    sheet.close()


# Every window: names, the Tab key, contrast

_INTERACTIVE = (QAbstractButton, QLineEdit, QPlainTextEdit, QAbstractItemView, QComboBox, QAbstractSpinBox)


def out_of_reach(top: QWidget) -> list[str]:
    """Return the parts below `top` that the mouse can use but the Tab key does not reach."""
    chain, widget = set(), top.nextInFocusChain()
    while widget is not None and widget is not top:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            chain.add(widget)
        widget = widget.nextInFocusChain()
    found = []
    for each in top.findChildren(QWidget):
        inside = isinstance(each.parent(), _INTERACTIVE) or each.objectName().startswith("qt_")
        other_window = each.window() is not top.window()
        if isinstance(each, _INTERACTIVE) and each.isVisible() and not inside and not other_window:
            if isinstance(each, QAbstractItemView) and each.focusPolicy() == Qt.FocusPolicy.NoFocus:
                continue
            if each not in chain:
                found.append(f"{type(each).__name__} {each.accessibleName()}")
    return found


Maker = Callable[[Kindred], QWidget]
REPORT = ImportReport(failed=[FailedFile("/a.pdf", "encrypted", verbatim("It is protected"))], ignored=["/b.doc"])


def _triggered(action: str, kind: type[QWidget]) -> Maker:
    def build(kindred: Kindred) -> QWidget:
        kindred.window.action_table[action].trigger()
        return kindred.window.findChild(kind)

    return build


def _shown(build: Callable[[QWidget], QDialog]) -> Maker:
    def show(kindred: Kindred) -> QWidget:
        dialog = build(kindred.window)
        dialog.show()
        return dialog

    return show


def _opens(action: str) -> Maker:
    """Run an action and return the window that it opens."""

    def build(kindred: Kindred) -> QWidget:
        before = set(QApplication.topLevelWidgets())
        kindred.window.action_table[action].trigger()
        (opened,) = [each for each in QApplication.topLevelWidgets() if each not in before and each.isVisible()]
        return opened

    return build


def _page(name: str) -> Maker:
    """Open a page of the preferences."""

    def build(kindred: Kindred) -> QWidget:
        kindred.window.preferences.show(name)
        return kindred.window.findChild(PreferencesDialog)

    return build


def _pane(name: str) -> Maker:
    """Show a pane of the window."""

    def build(kindred: Kindred) -> QWidget:
        kindred.window.action_table[f"pane.{name}"].trigger()
        return kindred.window

    return build


PLACES: dict[str, Maker] = {
    "window": lambda kindred: kindred.window,
    "compare": lambda kindred: (
        kindred.window.context.navigator.compare.emit(ComparisonRequest("bread")),
        kindred.window.findChild(CompareDialog),
    )[1],
    "palette": _triggered("app.palette", CommandPalette),
    "preferences": _triggered("app.preferences", PreferencesDialog),
    "shortcuts": _triggered("app.shortcuts", ShortcutsDialog),
    "about": _shown(AboutDialog),
    "fault": _shown(lambda window: FaultDialog("report", window)),
    "keep text": _shown(lambda window: PastedTextDialog("Text", "/folder", window)),
    "details": _shown(lambda window: DocumentDetailsDialog(window.documents.forest.leaves[1].document, window)),
    "import report": _shown(lambda window: ImportReportDialog(REPORT, window._themes, window)),
    **{f"preferences, {page}": _page(page) for page in ("keyboard", "library", "models", "watched", "reading")},
    **{f"pane {pane.name}": _pane(pane.name) for pane in PANE_SPECS},
    "welcome": _opens("app.welcome"),
    "manual": _opens("app.manual"),
    "problem": _opens("app.problem"),
    "licences": _opens("app.licences"),
    "library": _opens("library.about"),
    "quotes": _opens("quotes.show"),
    "saved searches": _opens("search.saved"),
    "notation": _opens("search.notation"),
    "pair table": _opens("compare.table"),
}
FULL_HD_AT_200_PERCENT = QSize(960, 540)


# The chain of their Tab keys goes through the window itself.
PLACES_INSIDE = ("window", "palette", *(place for place in PLACES if place.startswith("pane ")))


@pytest.mark.parametrize("place", PLACES_INSIDE)
def test_every_control_of_the_window_has_a_name_is_reached_by_tab_and_fits_at_200_percent(
    filled: Kindred, qtbot: QtBot, place: str
) -> None:
    _check_controls(filled, qtbot, place)


@pytest.mark.parametrize("place", [place for place in PLACES if place not in PLACES_INSIDE])
def test_every_control_of_a_dialog_has_a_name_is_reached_by_tab_and_fits_at_200_percent(
    shared: Kindred, qtbot: QtBot, place: str
) -> None:
    _check_controls(shared, qtbot, place)


def _check_controls(kindred: Kindred, qtbot: QtBot, place: str) -> None:
    search(kindred, qtbot, "bread")
    widget = PLACES[place](kindred)
    QApplication.processEvents()
    assert unnamed(widget) == []
    assert out_of_reach(widget) == []
    # Labels that wrap know their height only once they are laid out in their width.
    qtbot.waitUntil(lambda: fit_to_screen(widget.minimumSizeHint(), FULL_HD_AT_200_PERCENT) == widget.minimumSizeHint())
    labels = widget.findChildren(QLabel)
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in labels if each.text())
    if isinstance(widget, CommandPalette):
        widget.leave()
    elif widget is not kindred.window:
        widget.close()


def rules(theme: Theme) -> list[tuple[str, dict[str, str]]]:
    """Return (selector, declarations) of the theme's style rules."""
    found = []
    for selectors, body in re.findall(r"([^{}]+){([^}]*)}", make_style_sheet(theme)):
        parts = (part.partition(":") for part in body.split(";") if ":" in part)
        found += [
            (selector.strip(), {name.strip(): value.strip() for name, _, value in parts})
            for selector in selectors.split(",")[:1]
        ]
    return found


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_of_every_style_rule_stands_out(theme: Theme) -> None:
    surfaces = [theme.ground, theme.panel, theme.raised]
    checked = 0
    for selector, style in rules(theme):
        text = style.get("color")
        own = style.get("background", "transparent")
        grounds = surfaces if own == "transparent" else [own]
        # A rule with a background and no colour of its own applies to the theme's text, or its muted text.
        texts = [text] if text else [theme.text] if own != "transparent" else []
        if selector.startswith(("QProgressBar", "QScrollBar", "QSplitter", "QMenu::separator")):
            continue
        if selector.startswith('QPushButton[tone="primary"]') and own == "transparent":
            grounds = [theme.accent]
        for each in texts:
            for ground in grounds:
                checked += 1
                assert contrast(each, ground) >= 4.5, f"{selector}: {each} on {ground}"
        chosen = style.get("selection-background-color")
        if chosen:
            checked += 1
            assert contrast(style.get("selection-color", theme.text), chosen) >= 4.5, selector
    assert checked > 20


@pytest.mark.parametrize("choice", ["light", "dark"])
@pytest.mark.parametrize("place", ["compare", "palette", "preferences", "shortcuts"])
def test_dialogs_keep_no_colour_of_the_other_theme(
    shared: Kindred, themes: ThemeManager, qtbot: QtBot, place: str, choice: str
) -> None:
    shared.window.action_table[f"view.theme.{choice}"].trigger()
    widget = PLACES[place](shared)
    QApplication.processEvents()
    image = widget.grab().toImage()
    corner = image.pixelColor(image.width() // 2, 4)
    assert (corner.lightness() < 100) == (choice == "dark")
    if isinstance(widget, CommandPalette):
        widget.leave()
    else:
        widget.close()
    shared.window.action_table["view.theme.light"].trigger()


def test_settings_and_menu_have_the_same_themes(kindred: Kindred, tmp_path: Path) -> None:
    themes_in_menu = {spec.id.rpartition(".")[2] for spec in ACTION_SPECS if spec.group == "theme"}
    assert themes_in_menu == {"system", "light", "dark"}
    assert Settings().theme in themes_in_menu
