"""Collections in the window: created, filled by menu and by dragging, shown alone, searched, renamed, deleted."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu
from pytestqt.qtbot import QtBot

from desktop_app.core.jobs import ChangeSet
from desktop_app.core.user_data import SavedSearch
from desktop_app.gui.base.mime_data import mime_documents, mime_files
from desktop_app.gui.library.collection_list import CollectionListView
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.results.scope import collection_part
from tests.gui.conftest import Kindred, choose, search
from tests.patience import PATIENCE_S


def shelf(kindred: Kindred) -> CollectionListView:
    return kindred.window.library_pane.collections


def lines(kindred: Kindred) -> list[str]:
    return [shelf(kindred).item(row).text() for row in range(shelf(kindred).count())]


def type_name(kindred: Kindred, name: str) -> None:
    """Answer the question for a name."""
    (dialog,) = [each for each in kindred.window.findChildren(QInputDialog) if each.isVisible()]
    dialog.setTextValue(name)
    dialog.accept()


def make(kindred: Kindred, qtbot: QtBot, name: str, *documents: str) -> None:
    """Put documents into a new collection by the menu."""
    choose(kindred, *documents)
    kindred.window.action_table["document.collect"].trigger()
    menu = next(each for each in kindred.window.findChildren(QMenu) if each.accessibleName() == "Collections")
    menu.actions()[-1].trigger()
    menu.close()
    type_name(kindred, name)
    qtbot.waitUntil(lambda: any(line.startswith(name) for line in lines(kindred)))


def drag(kindred: Kindred, name: str, row: int) -> None:
    """Drag a document of the tree onto a row of the shelf."""
    data = kindred.window.documents.mimeData([kindred.row(name)])
    assert isinstance(data, QMimeData)
    target = shelf(kindred)
    place = target.visualItemRect(target.item(row)).center() if row >= 0 else QPoint(5, 400)
    event = QDropEvent(
        place.toPointF(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    target.dropEvent(event)


def test_dragged_documents_are_files_for_other_programs_but_no_import_for_the_window(
    filled: Kindred, files: Path
) -> None:
    data = filled.window.documents.mimeData([filled.row("sea"), filled.row("tags")])
    assert {url.toLocalFile() for url in data.urls()} == {str(files / "sea.txt"), str(files / "tags.md")}
    assert mime_files(data) == []
    (files / "tags.md").unlink()
    data = filled.window.documents.mimeData([filled.row("sea"), filled.row("tags")])
    assert [url.toLocalFile() for url in data.urls()] == [str(files / "sea.txt")]
    assert len(mime_documents(data)) == 2


def test_a_collection_is_filled_and_shown_alone(filled: Kindred, qtbot: QtBot) -> None:
    assert not shelf(filled).isVisible(), "without collections the shelf is hidden"
    make(filled, qtbot, "Sea", "sea")
    assert shelf(filled).isVisible()
    assert lines(filled) == ["All documents", "Sea  1"]

    shelf(filled).setCurrentRow(1)
    assert list(filled.documents) == ["sea"]
    shelf(filled).setCurrentRow(0)
    assert len(filled.documents) == 2

    drag(filled, "tags", 1)
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "Sea  2"])
    qtbot.waitUntil(lambda: filled.window.notice.text == "Added 1 document to Sea.")
    drag(filled, "tags", 1)
    qtbot.waitUntil(lambda: filled.window.notice.text == "Already in Sea.")
    shelf(filled).setCurrentRow(1)
    choose(filled, "sea")
    filled.window.action_table["document.uncollect"].trigger()
    qtbot.waitUntil(lambda: list(filled.documents) == ["tags"])
    drag(filled, "tags", -1)
    type_name(filled, "Other")
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "Other  1", "Sea  1"])


def test_a_held_document_has_a_row_that_makes_a_new_collection(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    view = shelf(filled)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    data = filled.window.documents.mimeData([filled.row("tags")])
    before, height = lines(filled), view.height()
    for _ in range(2):
        view.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
        assert lines(filled) == [*before, "New collection"]
        assert view.height() > height
        view.dragLeaveEvent(QDragLeaveEvent())
        assert (lines(filled), view.height()) == (before, height)
    view.dragEnterEvent(QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
    drag(filled, "tags", 2)
    type_name(filled, "Other")
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "Other  1", "Sea  1"])


def hold(kindred: Kindred, name: str, row: int | QPoint) -> None:
    """Hold a document of the tree above a row or a point of the shelf."""
    data = kindred.window.documents.mimeData([kindred.row(name)])
    place = row if isinstance(row, QPoint) else shelf(kindred).visualItemRect(shelf(kindred).item(row)).center()
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    shelf(kindred).dragMoveEvent(QDragMoveEvent(place, copy, data, left, none))


def test_the_collection_that_would_receive_a_document_is_marked(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    make(filled, qtbot, "Shore", "sea")
    view = shelf(filled)
    bare = view.grab().toImage()

    def marked() -> list[int]:
        """The rows that look other than without a drag."""
        now = view.grab().toImage()
        rects = [view.visualItemRect(view.item(row)) for row in range(view.count())]
        return [row for row, rect in enumerate(rects) if now.copy(rect) != bare.copy(rect)]

    hold(filled, "tags", 1)
    assert marked() == [1]
    hold(filled, "tags", 2)
    assert marked() == [2]
    hold(filled, "tags", 0)
    assert marked() == [], "all documents are no collection"
    hold(filled, "tags", 2)
    view.dragLeaveEvent(QDragLeaveEvent())
    assert marked() == []
    hold(filled, "tags", 2)
    drag(filled, "tags", 2)
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "Sea  1", "Shore  2"])


def test_holding_a_document_at_the_edge_scrolls_to_more_collections(filled: Kindred, qtbot: QtBot) -> None:
    for name in "abcdefgh":
        filled.window.collections._create(name, ())
    view = shelf(filled)
    qtbot.waitUntil(lambda: view.count() == 9 and view.verticalScrollBar().maximum() > 0)
    edge = view.viewport().rect().bottomLeft() + QPoint(20, -3)
    hold(filled, "sea", edge)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() == view.verticalScrollBar().maximum())
    view.dragLeaveEvent(QDragLeaveEvent())


def test_a_search_stays_limited_to_a_renamed_collection(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    shelf(filled).setCurrentRow(1)
    filled.window.action_table["collection.search_here"].trigger()
    assert [part.kind for part in filled.window.search_pane.scope.parts] == ["collection"]
    search(filled, qtbot, "sea walls")
    assert filled.window.search_pane.model.result.scope.collections == ("Sea",)
    qtbot.keyClick(shelf(filled), Qt.Key.Key_F2)
    type_name(filled, "Shore & coast")
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "Shore & coast  1"])
    assert [part.key for part in filled.window.search_pane.scope.parts] == ["Shore & coast"]
    assert shelf(filled).current.name == "Shore & coast"


def test_saved_searches_follow_a_renamed_collection(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    workspace = filled.window.session.workspace
    saved = SavedSearch("Walls", "sea walls", "both", (collection_part("Sea"),))
    workspace.change(lambda library: library.user_data.save_search(saved), ChangeSet(searches=True)).wait(PATIENCE_S)
    shelf(filled).setCurrentRow(1)
    filled.window.collections.rename_current()
    type_name(filled, "Shore")
    history = filled.window.search.history
    qtbot.waitUntil(lambda: [each.parts for each in history.searches] == [(collection_part("Shore"),)])


def test_a_tag_that_gets_the_name_of_another_is_merged_into_it_and_can_be_parted(filled: Kindred, qtbot: QtBot) -> None:
    collections = filled.window.collections
    ids = [filled.row(name).data(DOCUMENT_ROLE).document_id for name in ("sea", "tags")]
    collections.tag(ids, ["unread"])
    collections.tag(ids[:1], ["to read"])
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "to read  1", "unread  2"])
    shelf(filled).setCurrentRow(1)
    filled.window.action_table["collection.search_here"].trigger()
    collections.rename_current()
    type_name(filled, "Unread")
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "unread  2"])
    assert [part.key for part in filled.window.search_pane.scope.parts] == ["unread"]
    assert filled.window.notice.text == "Merged tag to read into unread."
    filled.window.notice.pressed.emit()
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "to read  1", "unread  2"])


def test_other_panes_are_limited_to_a_collection_too(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    filled.window.action_table["pane.trace"].trigger()
    controller = filled.window.panes.currentWidget().scope_controller
    controller.scope.toggle(collection_part("Sea"))
    shelf(filled).setCurrentRow(1)
    filled.window.collections.rename_current()
    type_name(filled, "Shore")
    qtbot.waitUntil(lambda: controller.scope.parts == (collection_part("Shore"),))
    filled.window.collections.forget_current()
    qtbot.waitUntil(lambda: controller.scope.parts == ())


def test_a_deleted_collection_can_be_restored(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    shelf(filled).setCurrentRow(1)
    qtbot.keyClick(shelf(filled), Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: not shelf(filled).isVisible())
    assert len(filled.documents) == 2, "all are shown again"
    filled.window.notice.pressed.emit()
    qtbot.waitUntil(lambda: lines(filled) == ["All documents", "Sea  1"])


def test_an_invalid_name_is_reported(filled: Kindred, qtbot: QtBot) -> None:
    make(filled, qtbot, "Sea", "sea")
    filled.window.action_table["collection.new"].trigger()
    type_name(filled, "Sea")
    qtbot.waitUntil(lambda: "There is already a collection Sea" in filled.window.notice.text)
    assert not filled.window.action_table["collection.rename"].isEnabled(), (
        "the entry for all documents is no collection"
    )
    QApplication.processEvents()
