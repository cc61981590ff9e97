"""Highlights and notes in the reader: marked by a person, shown where they stand, edited, deleted, listed, exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from desktop_app.core.annotations import COLOURS, Annotation
from desktop_app.core.errors import StorageFull
from desktop_app.core.records import Place
from desktop_app.gui.reader.annotations import AnnotationPopup
from desktop_app.gui.reader.annotations_dialog import AnnotationsDialog
from desktop_app.gui.reader.pane import ReaderPane
from tests.gui.conftest import SEA, Kindred

MARKED = "Coastal towns have to adapt"


@pytest.fixture
def reader(filled: Kindred, qtbot: QtBot) -> ReaderPane:
    """The reader with the text of sea.txt."""
    (document,) = [each for each in filled.library.rows.values() if each.path.endswith("sea.txt")]
    filled.window.reader_link.open_document(document)
    reader = filled.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text" and reader.text.length == 5 and reader.annotations.is_loaded)
    return reader


def select(reader: ReaderPane, text: str) -> None:
    cursor = QTextCursor(reader.text.document())
    start = reader.text.toPlainText().index(text)
    cursor.setPosition(start)
    cursor.setPosition(start + len(text), QTextCursor.MoveMode.KeepAnchor)
    reader.text.setTextCursor(cursor)


def mark(filled: Kindred, reader: ReaderPane, qtbot: QtBot, text: str = MARKED, colour: str = "") -> Annotation:
    """Highlight a text like a person."""
    before = set(filled.library.annotations.rows)
    select(reader, text)
    reader.marker.highlight(colour)
    qtbot.waitUntil(lambda: len(filled.library.annotations.rows) > len(before) and is_shown(filled, reader))
    (key,) = set(filled.library.annotations.rows) - before
    return filled.library.annotations.rows[key]


def is_shown(filled: Kindred, reader: ReaderPane) -> bool:
    stored = {(key, each.colour, each.comment) for key, each in filled.library.annotations.rows.items()}
    return stored == {(each.annotation_id, each.colour, each.comment) for each in reader.annotations.annotations}


def select_row(dialog: AnnotationsDialog, row: int) -> None:
    """Select only this row, like a click: `setCurrentRow` leaves others selected once the list was filled again."""
    dialog.list.setCurrentRow(row, QItemSelectionModel.SelectionFlag.ClearAndSelect)


def tints(reader: ReaderPane) -> dict[str, str]:
    """The marked texts and their backgrounds."""
    marks = reader.text.extraSelections()
    return {each.cursor.selectedText(): each.format.background().color().name() for each in marks}  # type: ignore[attr-defined]


def popup() -> AnnotationPopup:
    (found,) = [each for each in QApplication.topLevelWidgets() if isinstance(each, AnnotationPopup)]
    return found


def test_selected_text_is_highlighted_where_it_stands(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    made = mark(filled, reader, qtbot, colour=COLOURS["green"])
    assert (made.text, made.ordinal, made.offset, made.colour) == (MARKED, 1, 0, COLOURS["green"])
    assert set(tints(reader)) == {MARKED}
    assert not reader.text.textCursor().hasSelection()
    other = mark(filled, reader, qtbot, "the waves. Bread is")
    assert (other.ordinal, other.offset, other.colour) == (2, 32, COLOURS["green"])  # the colour of the last one
    assert set(tints(reader)) == {MARKED, "the waves. Bread is"}


def test_a_sentence_is_highlighted_without_a_selection(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    select(reader, "Salt")
    cursor = reader.text.textCursor()
    cursor.clearSelection()
    reader.text.setTextCursor(cursor)
    filled.window.context.actions["annotation.add"].trigger()
    qtbot.waitUntil(lambda: bool(filled.library.annotations.rows))
    (made,) = filled.library.annotations.rows.values()
    assert made.text == SEA.splitlines()[2]


def test_a_note_is_written_in_the_popup_and_kept_on_closing(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    select(reader, MARKED)
    filled.window.context.actions["annotation.note"].trigger()
    qtbot.waitUntil(lambda: any(isinstance(each, AnnotationPopup) for each in QApplication.topLevelWidgets()))
    shown = popup()
    qtbot.keyClicks(shown.note, "Which towns?")
    qtbot.mouseClick(shown.colours["blue"], Qt.MouseButton.LeftButton)
    qtbot.keyClick(shown.note, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: [each.comment for each in filled.library.annotations.rows.values()] == ["Which towns?"])
    qtbot.waitUntil(lambda: is_shown(filled, reader))
    assert reader.annotations.annotations[0].colour == COLOURS["blue"]


def test_a_click_opens_the_popup_which_deletes_and_undoes(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    made = mark(filled, reader, qtbot)
    cursor = QTextCursor(reader.text.document())
    cursor.setPosition(reader.text.toPlainText().index("towns") + 2)
    reader.text.ensureCursorVisible()
    qtbot.mouseClick(
        reader.text.viewport(), Qt.MouseButton.LeftButton, pos=reader.text.cursorRect(cursor).center() + QPoint(1, 0)
    )
    shown = popup()
    qtbot.keyClicks(shown.note, "never mind")
    written: list[str] = []
    shown.comment_changed.connect(written.append)
    (delete,) = (each for each in shown.findChildren(QToolButton) if each.toolTip().startswith("Delete"))
    qtbot.mouseClick(delete, Qt.MouseButton.LeftButton)
    assert not written, "a note on what is deleted is not kept"
    qtbot.waitUntil(lambda: not filled.library.annotations.rows and not reader.annotations.annotations)
    assert tints(reader) == {}
    assert filled.window.context.actions["annotation.undo"].isEnabled()
    qtbot.keyClick(reader.text, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: list(filled.library.annotations.rows) == [made.annotation_id])
    qtbot.waitUntil(lambda: set(tints(reader)) == {MARKED})


def test_the_menu_offers_colours_and_what_a_highlight_can(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    mark(filled, reader, qtbot)
    select(reader, MARKED)
    menu = QMenu()
    at = reader.text.viewport().mapToGlobal(reader.text.cursorRect().center() - QPoint(3, 0))
    reader.marker.add_to_menu(menu, at)
    assert [action.text().replace("&", "") for action in menu.actions()] == [
        *("Highlight", "Highlight and Add Note…", "Edit Highlight…", "Delete Highlight"),
    ]
    colours = menu.actions()[0].menu()
    assert [each.text() for each in colours.actions()] == ["Yellow", "Green", "Blue", "Red", "Purple"]  # type: ignore[attr-defined]
    menu.deleteLater()


def test_words_of_a_note_lead_to_what_it_was_written_on(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    from dataclasses import replace

    from desktop_app.core.annotations import annotation_to_hit

    made = mark(filled, reader, qtbot)
    filled.library.annotations.rows[made.annotation_id] = replace(made, comment="Quite another word.")
    reader.annotations.reload()
    qtbot.waitUntil(lambda: is_shown(filled, reader))
    hit = replace(annotation_to_hit(made), text="Quite another word.", ordinal=99)
    filled.window.reader_controller.open_hit(hit)
    qtbot.waitUntil(lambda: reader.text._marks.current == 1)


def test_the_list_is_searched_edited_and_emptied(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    mark(filled, reader, qtbot, colour=COLOURS["red"])
    mark(filled, reader, qtbot, "Bread is mostly waiting.", COLOURS["blue"])
    other = next(each for each in filled.library.rows.values() if each.path.endswith("tags.md"))
    filled.library.annotations.in_files = [Annotation(0, other.document_id, "", "In the file", "", "file", "note")]
    filled.window.context.actions["annotation.show"].trigger()
    dialog = filled.window.findChild(AnnotationsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.list.count() == 2)
    assert dialog.about.text() == "2 highlights"
    dialog.where.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.list.count() == 3)
    qtbot.keyClicks(dialog.search, "BREAD wait")
    assert [each.text for each in dialog.listed()] == ["Bread is mostly waiting."]
    dialog.search.clear()
    dialog.colour.setCurrentIndex(dialog.colour.findData("red"))
    assert [each.text for each in dialog.listed()] == [MARKED]
    dialog.colour.setCurrentIndex(0)
    dialog.list.clearSelection()
    (file_row,) = [nth for nth, each in enumerate(dialog.listed()) if each.origin == "file"]
    select_row(dialog, file_row)
    assert not dialog.remove.isEnabled()
    assert not dialog.edit.isEnabled()
    dialog.list.selectAll()
    dialog.delete_chosen()
    qtbot.waitUntil(lambda: dialog.list.count() == 1 and dialog.undo.isVisible())
    dialog.undo_deletion()
    qtbot.waitUntil(lambda: dialog.list.count() == 3)
    select_row(dialog, 0)
    dialog.edit_chosen()
    qtbot.keyClicks(popup().note, "Now written")
    popup().close()
    qtbot.waitUntil(lambda: "Now written" in {each.comment for each in dialog.listed()})
    dialog.close()


def test_the_popup_deletes_its_own_highlight_also_when_the_list_has_changed(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot
) -> None:
    mine = mark(filled, reader, qtbot, colour=COLOURS["red"])
    other = mark(filled, reader, qtbot, "Bread is mostly waiting.", COLOURS["red"])
    dialog = AnnotationsDialog(filled.window.context, reader.shown)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.list.count() == 2)
    dialog.colour.setCurrentIndex(dialog.colour.findData("red"))
    select_row(dialog, [each.annotation_id for each in dialog.listed()].index(mine.annotation_id))
    dialog.edit_chosen()
    shown = popup()
    shown.colours["green"].click()  # it leaves the list, and the other one is selected
    qtbot.waitUntil(lambda: [each.annotation_id for each in dialog.listed()] == [other.annotation_id])
    shown._delete()
    qtbot.waitUntil(lambda: list(filled.library.annotations.rows) == [other.annotation_id])


def test_highlights_are_copied_and_exported_as_markdown(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot, tmp_path: Path
) -> None:
    mark(filled, reader, qtbot)
    filled.window.context.actions["annotation.show"].trigger()
    dialog = filled.window.findChild(AnnotationsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    dialog.copy_chosen()
    qtbot.waitUntil(lambda: f"> {MARKED}" in QGuiApplication.clipboard().text())
    file = tmp_path / "marks.md"
    dialog.export_to(str(file))
    qtbot.waitUntil(file.exists)
    assert f"> {MARKED}" in file.read_text("utf-8")
    original = next(each.path for each in filled.library.rows.values() if each.path.endswith("sea.txt"))
    dialog.export_to(original)
    assert "is a document of this library" in dialog.about.text()
    with qtbot.waitSignal(dialog.opened) as opened:
        dialog.open_chosen()
    assert opened.args is not None
    assert opened.args[0].text == MARKED
    dialog.close()


def test_what_cannot_be_highlighted_is_said(filled: Kindred, qtbot: QtBot) -> None:
    reader = filled.window.reader
    with qtbot.waitSignal(reader.tell) as told:
        reader.marker.highlight()
    assert told.args == ["Select the text to highlight first."]
    filled.window.reader_controller.choose_annotated_copy()
    assert not filled.window.context.actions["annotation.save_copy"].isEnabled()


def test_an_annotation_of_zotero_cannot_be_changed(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    assert reader.shown is not None
    place = (Place(None, 0, 5, "char"),)
    theirs = Annotation(
        0, reader.shown.document_id, MARKED, "By Ida", origin="zotero", author="Ida", places=place, ordinal=1, key="ABC"
    )
    filled.library.annotations.add([theirs])
    reader.annotations.reload()
    qtbot.waitUntil(lambda: is_shown(filled, reader))
    reader.marker.open_popup(reader.annotations.annotations[0], QPoint(20, 20))
    shown = popup()
    assert shown.note.isReadOnly()
    assert not shown.colours
    with qtbot.waitSignal(filled.window.context.navigator.show_in_zotero) as asked:
        shown.source_wanted.emit()
    assert asked.args == [reader.shown.document_id, "ABC", None]
    shown.close()


def test_undo_beside_a_deletion_brings_back_just_that_highlight(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot
) -> None:
    first = mark(filled, reader, qtbot)
    other = mark(filled, reader, qtbot, "Salt marshes")
    reader.annotations.delete([first.annotation_id])
    notice = filled.window.notice
    qtbot.waitUntil(lambda: "Deleted 1 highlight" in notice.text and is_shown(filled, reader))
    reader.annotations.change(other, comment="Which ones?")
    qtbot.waitUntil(lambda: len(reader.annotations._undo) == 4 and is_shown(filled, reader))
    notice._button.click()
    rows = filled.library.annotations.rows
    qtbot.waitUntil(lambda: set(rows) == {first.annotation_id, other.annotation_id} and is_shown(filled, reader))
    assert rows[other.annotation_id].comment == "Which ones?"
    reader.annotations.undo()
    qtbot.waitUntil(lambda: not rows[other.annotation_id].comment)
    assert first.annotation_id in rows


def test_a_deletion_is_undone_also_once_another_document_is_open(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot
) -> None:
    made = mark(filled, reader, qtbot)
    reader.annotations.delete([made.annotation_id])
    notice = filled.window.notice
    qtbot.waitUntil(lambda: not filled.library.annotations.rows and "Deleted 1 highlight" in notice.text)
    other = next(each for each in filled.library.rows.values() if each.path.endswith("tags.md"))
    filled.window.reader_link.open_document(other)
    qtbot.waitUntil(lambda: reader.mode == "text" and reader.text.length == 2 and reader.annotations.is_loaded)
    notice._button.click()
    qtbot.waitUntil(lambda: list(filled.library.annotations.rows) == [made.annotation_id])


def test_a_change_that_ends_in_another_document_is_not_undone_there(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot
) -> None:
    made = mark(filled, reader, qtbot)
    reader.annotations.change(made, comment="Which towns?")
    shown, reader.annotations._shown = reader.annotations._shown, None
    reader.annotations.show(None)
    qtbot.waitUntil(lambda: filled.library.annotations.rows[made.annotation_id].comment == "Which towns?")
    ended: list[None] = []
    filled.bridge.call(filled.workspace.change(lambda _library: None), reader, ended.append)
    qtbot.waitUntil(lambda: ended == [None])
    assert not reader.annotations.can_undo
    reader.annotations.show(shown)


def test_undo_in_the_list_undoes_the_deletion_and_no_later_edit(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot
) -> None:
    gone = mark(filled, reader, qtbot)
    stays = mark(filled, reader, qtbot, "Bread is mostly waiting.")
    dialog = AnnotationsDialog(filled.window.context, reader.shown)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.list.count() == 2)
    dialog._model.delete([gone.annotation_id])
    qtbot.waitUntil(lambda: dialog.list.count() == 1 and dialog.undo.isVisible())
    dialog._model.change(stays, comment="Not bread")
    qtbot.waitUntil(lambda: [each.comment for each in dialog.listed()] == ["Not bread"])
    dialog.undo.click()
    qtbot.waitUntil(lambda: dialog.list.count() == 2 and not dialog.undo.isVisible())
    assert {each.comment for each in dialog.listed()} == {"", "Not bread"}


def test_the_edited_highlight_stays_selected(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    mark(filled, reader, qtbot)
    mark(filled, reader, qtbot, SEA[4], "red")
    dialog = AnnotationsDialog(filled.window.context, reader.shown)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.list.count() == 2)
    select_row(dialog, 1)
    edited = dialog._chosen()[0].annotation_id
    dialog._model.change(dialog._chosen()[0], comment="Written now")
    qtbot.waitUntil(lambda: any(each.comment == "Written now" for each in dialog.listed()))
    assert [each.annotation_id for each in dialog._chosen()] == [edited]
    assert dialog.list.currentRow() == 1


def test_the_list_stays_where_it_was_scrolled_to(filled: Kindred, reader: ReaderPane, qtbot: QtBot) -> None:
    document_id = reader.document.document_id
    for n in range(41):
        filled.library.annotations.add([Annotation(0, document_id, f"More words {n}")])
    dialog = AnnotationsDialog(filled.window.context, reader.shown)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.list.count() == 41)
    dialog.list.setCurrentRow(30)
    dialog.list.verticalScrollBar().setValue(dialog.list.verticalScrollBar().maximum() // 2)
    before = dialog.list.verticalScrollBar().value()
    assert before > 0
    dialog._fill()
    assert (dialog.list.verticalScrollBar().value(), dialog.list.currentRow()) == (before, 30)


def test_a_note_that_could_not_be_stored_is_offered_again(
    filled: Kindred, reader: ReaderPane, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = mark(filled, reader, qtbot)

    def fail(*_args: object, **_changes: object) -> Annotation:
        raise StorageFull("The disk is full", "Make room.")

    with monkeypatch.context() as patch:
        patch.setattr(filled.library.annotations, "change", fail)
        reader.marker.open_popup(mine, QPoint(50, 50))
        qtbot.keyClicks(popup().note, "A long thought")
        popup().close()
        qtbot.waitUntil(lambda: "The disk is full" in filled.window.notice.text)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    reader.marker.open_popup(mine, QPoint(50, 50))
    assert popup().note.toPlainText() == "A long thought"
    popup().close()
    qtbot.waitUntil(lambda: filled.library.annotations.rows[mine.annotation_id].comment == "A long thought")
    qtbot.waitUntil(lambda: not reader.annotations.unsaved)
