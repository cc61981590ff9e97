"""Tags in the window: typed, ticked, shown on the rows, used to filter and search, removed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.library.details_dialog import DocumentDetailsDialog
from desktop_app.gui.library.model import TAGS_ROLE
from desktop_app.gui.library.tags_dialog import TagsDialog
from desktop_app.gui.results.filter_popup import FilterPopup
from desktop_app.gui.widgets.row_delegate import fit_chips, fit_state_and_chips
from tests.gui.conftest import Kindred, choose, search
from tests.gui.library.test_collections import drag, lines, shelf, type_name

ON, SOME, OFF = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked


def ask(kindred: Kindred, *documents: str) -> TagsDialog:
    """Open the dialog for some documents."""
    choose(kindred, *documents)
    kindred.window.action_table["document.tag"].trigger()
    (dialog,) = [each for each in kindred.window.findChildren(TagsDialog) if each.isVisible()]
    return dialog


def tag(kindred: Kindred, qtbot: QtBot, words: str, *documents: str) -> None:
    dialog = ask(kindred, *documents)
    qtbot.keyClicks(dialog.field, words)
    dialog.done_button.click()
    wanted = {word.strip() for word in words.split(",")}
    qtbot.waitUntil(lambda: all(wanted <= set(tags_of(kindred, name)) for name in documents))


def tags_of(kindred: Kindred, name: str) -> tuple[str, ...]:
    return tuple(kindred.row(name).data(TAGS_ROLE))


def test_tags_are_typed_and_shown_on_the_rows(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "unread, to read", "sea", "tags")
    assert tags_of(filled, "sea") == tags_of(filled, "tags") == ("to read", "unread")
    assert filled.documents["sea"].endswith(", tags: to read, unread")
    assert "Tags: to read, unread" in filled.row("sea").data(Qt.ItemDataRole.ToolTipRole)
    filled.window.library_pane.view.grab()
    choose(filled, "sea")
    filled.window.action_table["document.details"].trigger()
    (details,) = filled.window.findChildren(DocumentDetailsDialog)
    assert details.values["Tags"].text() == "to read, unread"
    details.close()


def test_ticks_show_which_documents_have_a_tag(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "both", "sea", "tags")
    tag(filled, qtbot, "one", "sea")
    dialog = ask(filled, "sea", "tags")
    assert {name: tick.checkState() for name, tick in dialog.ticks.items()} == {"both": ON, "one": SOME}
    dialog.ticks["both"].click()
    dialog.done_button.click()
    qtbot.waitUntil(lambda: tags_of(filled, "tags") == ())
    assert tags_of(filled, "sea") == ("one",), "a partial tick that is not touched stays unchanged"
    dialog = ask(filled, "sea", "tags")
    assert list(dialog.ticks) == ["one"], "a tag disappears with its last document"
    dialog.ticks["one"].click()
    assert dialog.ticks["one"].checkState() == ON
    dialog.done_button.click()
    qtbot.waitUntil(lambda: tags_of(filled, "tags") == ("one",))


def test_typing_is_completed_and_enter_closes_only_from_an_empty_line(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "physics", "sea")
    dialog = ask(filled, "tags")
    assert dialog.field.hasFocus() or dialog.focusWidget() is dialog.field
    qtbot.keyClicks(dialog.field, "phy")
    popup = dialog.field.completer().popup()
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.ticks["physics"].checkState() == ON)
    qtbot.waitUntil(lambda: dialog.field.text() == "")
    assert list(dialog.ticks) == ["physics"], "a completed prefix is no tag of its own"
    qtbot.keyClicks(dialog.field, "PHYSICS,new")
    assert dialog.field.text() == "new", "a comma ends a tag; case does not distinguish tags"
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert (dialog.isVisible(), sorted(dialog.ticks)) == (True, ["new", "physics"])
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: tags_of(filled, "tags") == ("new", "physics"))


def test_a_tag_is_ticked_when_it_is_typed_without_its_accents(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "Über", "sea")
    dialog = ask(filled, "sea")
    dialog.ticks["Über"].click()
    qtbot.keyClicks(dialog.field, "uber")
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    found = {name: tick.checkState() for name, tick in dialog.ticks.items()}
    assert found == {"Über": ON}, "the library has one of both"
    dialog.reject()


def test_a_new_tag_is_shown_whole_above_many_others(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, ",".join(f"tag {number}" for number in range(20)), "sea")
    dialog = ask(filled, "tags")
    for word in ("tag 19", "first", "second"):  # one far below, then new ones at the top
        qtbot.keyClicks(dialog.field, word)
        qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
        QApplication.processEvents()
        tick = dialog.ticks[word]
        assert tick.visibleRegion().boundingRect() == tick.rect(), word
    dialog.reject()


def test_the_list_is_filtered_by_tag(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "unread", "sea")
    field = filled.window.library_pane.findChild(QLineEdit, "filter")
    for typed, shown in (("tag:unr", ["sea"]), ("unread", ["sea"]), ("tag:sea", []), ("tag:unread wal", [])):
        field.setText(typed)
        qtbot.waitUntil(lambda shown=shown: list(filled.documents) == shown)
    field.clear()
    qtbot.waitUntil(lambda: len(filled.documents) == 2)
    assert lines(filled) == ["All documents", "unread  1"]
    shelf(filled).setCurrentRow(1)
    assert list(filled.documents) == ["sea"]
    shelf(filled).setCurrentRow(0)
    drag(filled, "tags", 1)
    qtbot.waitUntil(lambda: tags_of(filled, "tags") == ("unread",))


def test_a_search_stays_limited_to_a_renamed_tag(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "unread", "sea")
    shelf(filled).setCurrentRow(1)
    actions = filled.window.action_table
    assert actions["collection.rename"].text() == "Rename Tag…"
    actions["collection.search_here"].trigger()
    assert [(part.kind, part.key) for part in filled.window.search_pane.scope.parts] == [("tag", "unread")]
    search(filled, qtbot, "sea walls")
    assert filled.window.search_pane.model.result.scope.tags == ("unread",)
    qtbot.keyClick(shelf(filled), Qt.Key.Key_F2)
    type_name(filled, "later")
    qtbot.waitUntil(lambda: tags_of(filled, "sea") == ("later",))
    assert [part.key for part in filled.window.search_pane.scope.parts] == ["later"]
    filled.window.search_pane.scope.clear()
    search(filled, qtbot, "sea walls tag:later")
    assert filled.window.search_pane.model.result.scope.tags == ("later",)
    assert any("tagged later" in chip.accessibleName() for chip in filled.window.search_pane.query_bar.chips)


def test_tags_are_among_the_filters_of_a_search(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "unread", "sea")
    filled.window.search.filters.show_filters()
    (popup,) = filled.window.search_pane.findChildren(FilterPopup)
    qtbot.waitUntil(lambda: popup.tree.topLevelItemCount() > 0)  # languages are looked up first
    tops = [popup.tree.topLevelItem(row) for row in range(popup.tree.topLevelItemCount())]
    held = {top.text(0): [top.child(row).text(0) for row in range(top.childCount())] for top in tops}
    assert held["Tag"] == ["unread"]
    next(top for top in tops if top.text(0) == "Tag").child(0).setCheckState(0, ON)
    assert [(part.kind, part.key) for part in filled.window.search_pane.scope.parts] == [("tag", "unread")]
    popup.close()


def test_a_deleted_tag_can_be_restored(filled: Kindred, qtbot: QtBot) -> None:
    tag(filled, qtbot, "unread", "sea", "tags")
    shelf(filled).setCurrentRow(1)
    qtbot.keyClick(shelf(filled), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: tags_of(filled, "sea") == ())
    assert not shelf(filled).isVisible()
    assert "Deleted tag unread" in filled.window.notice.text
    filled.window.notice.pressed.emit()
    qtbot.waitUntil(lambda: tags_of(filled, "sea") == tags_of(filled, "tags") == ("unread",))
    shelf(filled).setCurrentRow(1)
    choose(filled, "sea")
    filled.window.action_table["document.uncollect"].trigger()
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "unread  1"])


@pytest.mark.parametrize(("room", "shown"), [(1000, ["one", "two", "three"]), (85, ["one", "+2"]), (20, ["+3"])])
def test_as_many_chips_are_shown_as_fit(qapp: QApplication, room: int, shown: list[str]) -> None:
    chips = fit_chips(["one", "two", "three"], QFontMetricsF(qapp.font()), room)
    assert [text for text, _ in chips] == shown
    assert sum(width + 4 for _, width in chips) <= room + 4 or shown == ["+3"]


def test_a_long_tag_is_elided_rather_than_left_out(qapp: QApplication) -> None:
    chips = fit_chips(["physics of waves and tides", "two"], QFontMetricsF(qapp.font()), 120)
    (first, _), (last, _) = chips
    assert first.startswith("phy")
    assert first.endswith("…")
    assert last == "+1"


@pytest.mark.parametrize("room", [150, 190, 240, 400])
def test_chips_do_not_cover_the_number_of_sentences(qapp: QApplication, room: int) -> None:
    measure = QFontMetricsF(qapp.font())
    line, chips = fit_state_and_chips(
        "147 sentences · 2 unread", ["cited in chapter two", "sea", "to read"], measure, room
    )
    assert line in ("147 sentences", "147 sentences · 2 unread")
    assert chips
    assert measure.horizontalAdvance(line) + sum(width + 4 for _, width in chips) <= room


def test_a_partial_tick_differs_from_a_full_one(themes: ThemeManager, qtbot: QtBot) -> None:
    dialog = TagsDialog("2 documents", [1, 2], {"tag": frozenset({1})})
    qtbot.addWidget(dialog)
    tick = dialog.ticks["tag"]
    tick.resize(tick.sizeHint())
    half = tick.grab().toImage()
    tick.setCheckState(ON)
    whole = tick.grab().toImage()
    tick.setCheckState(OFF)
    assert len({bytes(image.constBits()) for image in (half, whole, tick.grab().toImage())}) == 3
