"""The library as a tree: folders as on disk, filter, order, titles, and a stable state while documents come and go."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import StorageFull
from desktop_app.core.jobs import ChangeSet, Progress
from desktop_app.core.records import Document, FileCopy
from desktop_app.gui.base import desktop
from desktop_app.gui.library import folder_tree, tree_view
from desktop_app.gui.library.details_dialog import DocumentDetailsDialog, format_page_ranges
from desktop_app.gui.library.folder_tree import DocumentFilter, natural_sort_key
from desktop_app.gui.library.model import DOCUMENT_ROLE, FOLDER_ROLE, TAGS_ROLE, DocumentTreeModel
from desktop_app.gui.widgets.row_delegate import MARGIN_PX
from tests.gui.conftest import Kindred, choose, close
from tests.gui.fakes import FakeLibrary


def at(path: str) -> str:
    return os.path.join(os.sep, *path.split("/"))


def document(number: int, path: str = "", title: str = "", state: str = "ready", **more: Any) -> Document:
    path = at(path or f"d/{number}.txt")
    return Document(number, path, title or f"T{number}", "text", None, 1, state, **more)  # type: ignore[arg-type]


@pytest.fixture
def model() -> Iterator[DocumentTreeModel]:
    """A model that is checked at every step."""
    model = DocumentTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    del tester


def outline(model: DocumentTreeModel, parent: QModelIndex | None = None) -> list[Any]:
    """The tree as nested lists: a folder is its name and its contents."""
    parent = parent or QModelIndex()
    rows = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
    return [[row.data(), *outline(model, row)] if row.data(FOLDER_ROLE) is not None else row.data() for row in rows]


# Which folders are shown


def test_intermediate_folders_and_the_common_root_are_left_out() -> None:
    a, b, c = at("home/ada/papers/a/x"), at("home/ada/papers/b"), at("home/ada/papers/b/deep/er")
    assert folder_tree.find_folder_parents({a, b, c}) == {a: None, b: None, c: b}
    assert folder_tree.name_folders(folder_tree.find_folder_parents({a, b, c})) == {
        a: "x",
        b: "b",
        c: os.path.join("deep", "er"),
    }
    assert folder_tree.find_folder_parents({a}) == {a: None}
    assert folder_tree.find_folder_parents(set()) == {}


def test_a_folder_with_several_children_is_shown_within_others() -> None:
    other, one, two = at("x/y"), at("p/q/one"), at("p/q/two")
    assert folder_tree.find_folder_parents({other, one, two}) == {
        at("p/q"): None,
        one: at("p/q"),
        two: at("p/q"),
        other: None,
    }


def test_folders_with_the_same_name_are_distinguished() -> None:
    one, two = at("home/ada/notes"), at("home/bob/notes")
    assert list(folder_tree.name_folders(folder_tree.find_folder_parents({one, two})).values()) == [
        os.path.join("ada", "notes"),
        os.path.join("bob", "notes"),
    ]


def test_a_sibling_with_the_same_prefix_is_no_subfolder() -> None:
    assert folder_tree.find_folder_parents({at("a/b"), at("a/bc")}) == {at("a/b"): None, at("a/bc"): None}


# The model


def test_documents_are_listed_in_their_folders_by_name(model: DocumentTreeModel) -> None:
    paths = ["p/b/1.txt", "p/a/2.txt", "p/b/c/3.txt", "p/b/4.txt"]
    model.replace([document(n, path, f"Report {11 - n}") for n, path in enumerate(paths, 1)])
    assert outline(model) == [["a", "Report 9"], ["b", ["c", "Report 8"], "Report 7", "Report 10"]]


def test_files_of_zotero_are_listed_without_the_folder_that_each_has(model: DocumentTreeModel) -> None:
    paths = ["Zotero/storage/ABCD2345/1.txt", "Zotero/storage/XYZW6789/2.txt", "Zotero/storage/sub/3.txt"]
    model.replace([document(n, path) for n, path in enumerate(paths, 1)])
    assert outline(model) == [["storage", ["sub", "T3"], "T1", "T2"]]


def test_rows_are_added_and_removed_and_persistent_indexes_stay_valid(model: DocumentTreeModel) -> None:
    model.replace([document(n) for n in (1, 2, 4, 10)])
    resets: list[int] = []
    model.modelReset.connect(lambda: resets.append(1))
    first, last = QPersistentModelIndex(model.index_of(1)), QPersistentModelIndex(model.index_of(10))
    model.replace([document(n) for n in (1, 3, 5, 10, 11)])
    assert outline(model) == [["d", "T1", "T3", "T5", "T10", "T11"]]
    assert (first.data(), last.data(), last.row()) == ("T1", "T10", 3)
    model.update([document(10, title="A new name")])
    assert outline(model) == [["d", "A new name", "T1", "T3", "T5", "T11"]]
    assert (first.row(), last.row(), last.data()) == (1, 0, "A new name")
    assert resets == []


def test_another_folder_structure_is_rebuilt(model: DocumentTreeModel) -> None:
    model.replace([document(1, "p/a/1.txt")])
    model.replace([document(1, "p/a/1.txt"), document(2, "p/b/2.txt")])
    assert outline(model) == [["a", "T1"], ["b", "T2"]]
    model.replace([document(2, "p/b/2.txt")])
    assert outline(model) == [["b", "T2"]]
    model.replace([])
    assert outline(model) == []


def test_many_documents_are_added_at_once(model: DocumentTreeModel) -> None:
    model.replace([document(n, f"p/{n % 7}/{n}.txt") for n in range(1, 1500)])
    assert model.forest.root.documents == 1499
    assert [row[0] for row in outline(model)] == list("0123456")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("title", ["A", "B", "C", "D"]),
        ("added", ["C", "D", "A", "B"]),
        ("state", ["D", "B", "C", "A"]),
        ("sentences", ["B", "D", "C", "A"]),
    ],
)
def test_documents_are_sorted_in_each_order(model: DocumentTreeModel, order: Any, expected: list[str]) -> None:
    def made(number: int, title: str, state: str, added: int, sentences: int) -> Document:
        path = at(f"d/{number}")
        return Document(number, path, title, "text", None, sentences, state, added_at=added)  # type: ignore[arg-type]

    model.replace(
        [made(1, "A", "ready", 2, 1), made(2, "B", "failed", 1, 9), made(3, "C", "queued", 9, 2),
         made(4, "D", "reading", 5, 4)]
    )  # fmt: skip
    model.arrange(order)
    assert outline(model) == [["d", *expected]]


def test_sorting_by_state_follows_the_states(model: DocumentTreeModel) -> None:
    model.replace([document(n) for n in (1, 2, 3)])
    model.arrange("state")
    held = QPersistentModelIndex(model.index_of(3))
    model.update([document(3, state="reading")])
    assert outline(model) == [["d", "T3", "T1", "T2"]]
    assert (held.row(), held.data()) == (0, "T3")


def test_the_filter_matches_titles_and_paths(model: DocumentTreeModel) -> None:
    model.replace(
        [document(1, "p/sea/x.txt", "Bread"), document(2, "p/b/y.txt", "Sea walls"), document(3, "p/b/z.txt")]
    )
    model.arrange(filter_=DocumentFilter("SEA"))
    assert outline(model) == [["b", "Sea walls"], ["sea", "Bread"]]
    model.arrange(filter_=DocumentFilter("sea wal"))
    assert outline(model) == [["b", "Sea walls"]]
    model.arrange(filter_=DocumentFilter("nothing like it"))
    assert outline(model) == []
    model.update([document(3, "p/b/z.txt", "nothing like it")])
    assert outline(model) == [["b", "nothing like it"]]


def test_failed_documents_appear_and_disappear_under_the_filter(model: DocumentTreeModel) -> None:
    model.replace([document(1), document(2, state="failed")])
    model.arrange(filter_=DocumentFilter(failed_only=True))
    assert outline(model) == [["d", "T2"]]
    model.update([document(1, state="failed")])
    assert outline(model) == [["d", "T1", "T2"]]
    model.update([document(1), document(2)])
    assert outline(model) == []
    assert (model.forest.failed, len(model.forest.leaves)) == (0, 2)


def test_changes_in_a_hidden_folder_stay_hidden(model: DocumentTreeModel) -> None:
    model.replace([document(1, "p/a/1.txt", state="failed"), document(2, "p/b/2.txt")])
    model.arrange(filter_=DocumentFilter(failed_only=True))
    changed: list[QModelIndex] = []
    model.dataChanged.connect(lambda first, _last: changed.append(first))
    model.update([document(2, "p/b/2.txt", state="embedding")])
    assert outline(model) == [["a", "T1"]]
    assert all(index.isValid() for index in changed)


def test_folders_count_their_documents(model: DocumentTreeModel) -> None:
    model.replace([document(1, "p/1.txt"), document(2, "p/a/2.txt", state="failed"), document(3, "p/a/3.txt")])
    folder = model.index_of_folder(at("p"))
    assert folder.data(Qt.ItemDataRole.AccessibleTextRole) == "p, 3 documents · 1 failed"
    model.update([document(2, "p/a/2.txt")])
    assert folder.data(Qt.ItemDataRole.AccessibleTextRole) == "p, 3 documents"


def test_names_are_sorted_naturally() -> None:
    assert sorted(["b10", "B9", "a"], key=natural_sort_key) == ["a", "B9", "b10"]
    assert sorted(["Zebra", "Äpfel", "apart", "Birne"], key=natural_sort_key) == ["apart", "Äpfel", "Birne", "Zebra"]


def test_the_filter_finds_accents_however_they_are_written(model: DocumentTreeModel) -> None:
    decomposed = unicodedata.normalize("NFD", "Über Flüsse")  # as macOS writes the name of a file
    model.replace([document(1, title=decomposed), document(2, title="Übersicht"), document(3, title="Straße")])
    model.show_tags({3: ("café",)})
    for text, shown in (
        ("über", [decomposed, "Übersicht"]),
        ("UBER flus", [decomposed]),
        (decomposed[:5], [decomposed, "Übersicht"]),
        ("strasse", ["Straße"]),
        ("tag:cafe", ["Straße"]),
    ):
        model.arrange(filter_=DocumentFilter(text))
        assert outline(model) == [["d", *shown]], text


# The pane


@pytest.fixture
def shelves(make: Callable[..., Kindred], qtbot: QtBot) -> Kindred:
    """A window on a library of two folders."""
    library = FakeLibrary()
    for n in range(1, 7):
        library.rows[n] = document(n, f"p/{'ab'[n % 2]}/{n}.txt", state="failed" if n == 6 else "ready", reason=None)
    kindred = make(library=library)
    qtbot.waitUntil(lambda: len(kindred.documents) == 6 and kindred.window.session.phase == "ready")
    return kindred


def test_tags_and_titles_that_change_are_filtered_and_sorted_as_they_are_now(model: DocumentTreeModel) -> None:
    model.replace([document(number) for number in range(1, 5)])
    model.arrange(filter_=DocumentFilter("tag:sea"))
    assert outline(model) == []
    model.show_tags({2: ("Sea",), 4: ("sea wall",)})
    assert outline(model) == [["d", "T2", "T4"]]
    model.update([document(4, title="A wall")])
    assert outline(model) == [["d", "A wall", "T2"]]
    model.arrange("added", DocumentFilter("wall"))
    assert outline(model) == [["d", "A wall"]]
    model.arrange("title", DocumentFilter())
    assert outline(model) == [["d", "A wall", "T1", "T2", "T3"]]


def test_tags_of_many_documents_change_while_the_tree_stays(model: DocumentTreeModel) -> None:
    model.replace([document(number, f"d/{number % 3}/{number}.txt") for number in range(1, 202)])
    rebuilt: list[bool] = []
    repainted: set[int] = set()
    model.modelReset.connect(lambda: rebuilt.append(True))
    model.dataChanged.connect(
        lambda first, last: repainted.update(
            first.siblingAtRow(row).data(DOCUMENT_ROLE).document_id for row in range(first.row(), last.row() + 1)
        )
    )
    model.show_tags({number: ("Sea",) for number in range(1, 202, 2)})
    assert not rebuilt
    assert repainted >= set(range(1, 202, 2))
    assert model.index_of(1).data(TAGS_ROLE) == ("Sea",)
    assert model.index_of(2).data(TAGS_ROLE) == ()
    model.arrange(filter_=DocumentFilter("tag:sea"))
    model.show_tags({1: ("Sea",), 4: ("Sea",)})
    assert outline(model) == [["1", "T1", "T4"]]
    assert model.forest.root.documents == 2


def test_a_closed_folder_stays_closed_during_imports_and_at_the_next_start(
    make: Callable[..., Kindred], shelves: Kindred, qtbot: QtBot
) -> None:
    window = shelves.window
    window.library_pane.view.collapse(shelves.row("a"))
    window.action_table["library.sort.added"].trigger()
    window.documents._build()
    assert not window.library_pane.view.isExpanded(shelves.row("a"))
    assert window.library_pane.view.isExpanded(shelves.row("b"))
    close(shelves)
    again = make(library=shelves.library)
    qtbot.waitUntil(lambda: len(again.documents) == 6)
    assert not again.window.library_pane.view.isExpanded(again.row("a"))
    assert again.window.library_pane.view.isExpanded(again.row("b"))
    assert again.window.documents.forest.order == "added"


def test_the_selection_stays_when_the_tree_is_rebuilt(shelves: Kindred) -> None:
    choose(shelves, "T2", "T4", "b")
    shelves.window.documents._build()
    pane = shelves.window.library_pane
    assert [document.title for document in pane.selected_documents()] == ["T2", "T4", "T1", "T3", "T5"]
    assert pane.view.currentIndex().data() == "b"


def test_everything_is_selected_once_and_searched_by_its_top_folders(shelves: Kindred) -> None:
    pane = shelves.window.library_pane
    pane.view.selectAll()
    shown = [row.data() for row in shelves.rows if row.data(DOCUMENT_ROLE) is not None]
    assert [document.title for document in pane.selected_documents()] == shown
    assert [node.path for node in pane.view.selected_tops()] == [  # type: ignore[union-attr]
        folder.path for folder in shelves.window.documents.forest.root.folders
    ]
    choose(shelves, "T2", "b")
    assert [document.title for document in pane.selected_documents()] == ["T2", "T1", "T3", "T5"]


def test_a_long_list_is_complete_before_the_model_is_loaded(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    library = FakeLibrary()
    library.rows = {number: document(number) for number in range(1, 1202)}
    kindred = make(library=library, loaded=False)
    qtbot.waitUntil(lambda: kindred.window.documents.count == 1201)
    assert not kindred.loading.is_open
    assert kindred.window.session.phase == "loading"


def test_typing_filters_and_escape_shows_all(shelves: Kindred, qtbot: QtBot) -> None:
    window = shelves.window
    window.action_table["library.filter"].trigger()
    assert window.library_pane.filter.hasFocus()
    qtbot.keyClicks(window.library_pane.filter, "T3")
    qtbot.waitUntil(lambda: list(shelves.documents) == ["T3"])
    assert window.library_pane.count.text() == "1 of 6"
    qtbot.keyClick(window.library_pane.filter, Qt.Key.Key_Down)
    assert window.library_pane.view.hasFocus()
    window.library_pane.filter.setText("nowhere")
    qtbot.waitUntil(window.library_pane.nothing.isVisible)
    qtbot.keyClick(window.library_pane.filter, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(shelves.documents) == 6)


def test_failed_documents_are_shown_with_one_click(shelves: Kindred, qtbot: QtBot) -> None:
    pane = shelves.window.library_pane
    assert pane.failed.text() == "1 failed"
    qtbot.mouseClick(pane.failed, Qt.MouseButton.LeftButton)
    assert list(shelves.documents) == ["T6"]
    qtbot.mouseClick(pane.failed, Qt.MouseButton.LeftButton)
    assert len(shelves.documents) == 6


def test_f2_renames_and_an_empty_title_restores_the_files_own(shelves: Kindred, qtbot: QtBot) -> None:
    view = shelves.window.library_pane.view
    for typed, shown in (("  My\tsea ", "My sea"), ("", "2")):
        choose(shelves, "T2" if typed else "My sea")
        qtbot.keyClick(view, Qt.Key.Key_F2)
        field = view.findChild(QLineEdit, "title")
        field.setText(typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda shown=shown: shown in shelves.documents)
        # Qt may delete the field after the title arrives: the next key would go to this one.
        qtbot.waitUntil(lambda: view.findChild(QLineEdit, "title") is None)
    choose(shelves, "a")
    qtbot.keyClick(view, Qt.Key.Key_F2)
    assert view.state() != view.State.EditingState


def test_a_title_that_is_typed_survives_changes_of_the_list(shelves: Kindred, qtbot: QtBot) -> None:
    window, view = shelves.window, shelves.window.library_pane.view
    qtbot.waitUntil(lambda: window.documents.forest.missing_count == 6)
    choose(shelves, "T2")
    qtbot.keyClick(view, Qt.Key.Key_F2)
    view.findChild(QLineEdit, "title").setText("My sea")
    window.documents.show_progress(Progress("read", 1, 2, document_id=2))
    window.documents.mark_missing(frozenset())
    window.documents.update([document(2, "p/a/2.txt", reason="changed")])
    assert view.indexWidget(shelves.row("T2")).text() == "My sea"
    view.indexWidget(shelves.row("T2")).setCursorPosition(2)
    more = [document(n, f"p/c/{n}.txt") for n in range(7, 9)]  # a new folder rebuilds the tree
    window.documents.replace([*window.documents.all_documents(), *more])
    field = view.indexWidget(shelves.row("T2"))
    assert (field.text(), field.cursorPosition(), field.hasFocus()) == ("My sea", 2, True)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    window.documents.mark_missing(frozenset({2}))  # before Qt reads the field
    qtbot.waitUntil(lambda: "My sea" in shelves.documents)


def test_the_selected_document_is_renamed_and_not_the_one_that_was_deselected_last(
    shelves: Kindred, qtbot: QtBot
) -> None:
    view, left = shelves.window.library_pane.view, Qt.MouseButton.LeftButton
    places = [view.visualRect(shelves.row(name)).center() for name in ("T2", "T4")]
    qtbot.mouseClick(view.viewport(), left, pos=places[0])
    for _ in range(2):
        qtbot.mouseClick(view.viewport(), left, Qt.KeyboardModifier.ControlModifier, places[1])
    qtbot.keyClick(view, Qt.Key.Key_F2)
    assert [editor.text() for editor in view.viewport().findChildren(QLineEdit)] == ["T2"]


def test_renaming_again_keeps_the_open_editor(shelves: Kindred, qtbot: QtBot) -> None:
    choose(shelves, "T2")
    for _ in range(2):  # Qt would warn of the second time, and a warning fails the test
        shelves.window.action_table["document.rename"].trigger()
    editors = shelves.window.library_pane.view.viewport().findChildren(QLineEdit)
    assert [editor.text() for editor in editors] == ["T2"]


def test_enter_closes_and_opens_a_folder(shelves: Kindred, qtbot: QtBot) -> None:
    view = shelves.window.library_pane.view
    choose(shelves, "a")
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert not view.isExpanded(shelves.row("a"))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert view.isExpanded(shelves.row("a"))


def test_a_folder_is_removed_with_the_documents_shown_in_it(shelves: Kindred, qtbot: QtBot) -> None:
    choose(shelves, "a")
    qtbot.keyClick(shelves.window.library_pane.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: list(shelves.documents) == ["T1", "T3", "T5"])
    shelves.window.action_table["document.undo_remove"].trigger()
    qtbot.waitUntil(lambda: len(shelves.documents) == 6)
    shelves.window.library_pane.filter.setText("T4")
    qtbot.waitUntil(lambda: list(shelves.documents) == ["T4"])
    choose(shelves, "a")
    qtbot.keyClick(shelves.window.library_pane.view, Qt.Key.Key_Delete)
    shelves.window.library_pane.filter.clear()
    qtbot.waitUntil(lambda: list(shelves.documents) == ["T2", "T6", "T1", "T3", "T5"])


def test_a_removal_can_still_be_undone_after_an_undo_that_failed(
    shelves: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_removed: object) -> int:
        raise StorageFull("The disk is full", "Make room.")

    window = shelves.window
    choose(shelves, "a")
    qtbot.keyClick(window.library_pane.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: list(shelves.documents) == ["T1", "T3", "T5"])
    with monkeypatch.context() as failing:
        failing.setattr(type(shelves.library.copies), "restore", lambda _copies, removed: fail(removed))
        window.action_table["document.undo_remove"].trigger()
        qtbot.waitUntil(lambda: "The disk is full" in window.notice.text)
    assert window.undo_bar.isVisible()
    window.action_table["document.undo_remove"].trigger()
    qtbot.waitUntil(lambda: len(shelves.documents) == 6)


def test_paths_are_copied_and_folders_shown(shelves: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(desktop, "open_file", lambda path: shown.append(path) or True)
    monkeypatch.setattr(desktop, "show_in_folder", lambda path: shown.append(path) or True)
    choose(shelves, "a", "T1")
    shelves.window.action_table["document.copy_path"].trigger()
    assert QGuiApplication.clipboard().text() == f"{at('p/a')}\n{at('p/b/1.txt')}"
    shelves.window.action_table["document.show_in_folder"].trigger()
    choose(shelves, "T1")
    shelves.window.action_table["document.show_in_folder"].trigger()
    assert shown == [at("p/a"), at("p/b/1.txt")]


def test_documents_are_read_again_even_if_unchanged(filled: Kindred, qtbot: QtBot) -> None:
    asked: list[object] = []
    start = filled.workspace.imports.start
    filled.workspace.imports.start = lambda request: (asked.append(request), start(request))[1]  # type: ignore[method-assign]
    choose(filled, "sea")
    filled.window.action_table["document.retry"].trigger()
    qtbot.waitUntil(lambda: filled.is_quiet and filled.window.job_card.isVisible())
    assert [(request.force, [Path(path).name for path in request.paths]) for request in asked] == [(True, ["sea.txt"])]
    qtbot.waitUntil(lambda: filled.window.job_card.detail.text().startswith("1 imported"))


def test_details_show_everything_known(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "book.pdf").write_text("\n".join(f"Sentence {n}." for n in range(35)))
    kindred.window.imports.start([str(tmp_path / "book.pdf")])
    qtbot.waitUntil(lambda: kindred.documents == {"book": "4 pages · 35 sentences"})
    choose(kindred, "book")
    qtbot.keyClick(kindred.window.library_pane.view, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    dialog = kindred.window.findChild(DocumentDetailsDialog)
    qtbot.waitUntil(lambda: "Read with" in dialog.values)
    details = {heading: value.text() for heading, value in dialog.values.items()}
    assert details["Path"].replace("\N{ZERO WIDTH SPACE}", "") == str(tmp_path / "book.pdf")
    assert (details["Type"], details["Length"], details["Sentences"]) == ("PDF", "4 pages", "35")
    assert (details["Read with"], details["Pages without text"]) == ("PDFium (4 pages)", "3")
    dialog.close()


def test_the_list_follows_a_count_that_a_note_changes(filled: Kindred, qtbot: QtBot) -> None:
    document = next(iter(filled.library.rows.values()))
    name = filled.window.documents.index_of(document.document_id).data()
    filled.library.rows[document.document_id] = replace(document, sentences=41)
    filled.bridge.changed.emit(ChangeSet(annotations=True, annotated=frozenset({document.document_id})))
    qtbot.waitUntil(lambda: filled.documents[name] == "41 sentences")


def test_details_show_the_date_and_count_sentences_longer_than_the_model_reads(kindred: Kindred) -> None:
    document = Document(1, "/papers/a.txt", "a", "text", None, 9, "ready", truncated=1200, dated="2024-05")
    dialog = DocumentDetailsDialog(document, kindred.window)
    assert dialog.values["Date"].text() == "May 2024"
    assert dialog.values["Truncated sentences"].text().startswith("1,200: too long for the model")
    dialog.close()


def test_pages_are_joined_to_ranges() -> None:
    assert format_page_ranges([3, 7, 8, 9, 11]) == "3, 7–9, 11"
    assert format_page_ranges(range(1, 100, 2)).endswith("23, …")


# Names that a person has seen


def test_names_of_top_folders_stay_when_documents_come_from_elsewhere(model: DocumentTreeModel) -> None:
    first = [document(1, "home/ada/texts/papers/one.txt"), document(2, "home/ada/texts/papers/in/two.txt")]
    model.replace(first)
    assert [row[0] for row in outline(model)] == ["papers"]
    model.keep_folder_names()
    second = [*first, document(3, "home/ada/texts/letters/drafts/three.txt"), document(4, "mnt/papers/four.txt")]
    model.replace(second)
    assert outline(model) == [
        ["drafts", "T3"],
        [os.path.join("mnt", "papers"), "T4"],
        ["papers", ["in", "T2"], "T1"],
    ]
    model.keep_folder_names()
    model.replace([*second, document(5, "home/ada/texts/five.txt")])
    assert [row[0] for row in outline(model)] == [os.path.join("mnt", "papers"), "texts"]
    assert outline(model)[1][2] == ["papers", ["in", "T2"], "T1"], "a folder with documents takes in those below it"


def test_names_of_top_folders_come_back_at_the_next_start(
    make: Callable[..., Kindred], shelves: Kindred, qtbot: QtBot
) -> None:
    assert [row.data() for row in shelves.rows if row.data(FOLDER_ROLE) is not None] == ["a", "b"]
    shelves.library.rows[7] = document(7, "p/7.txt")
    shelves.library.rows[8] = document(8, "q/deep/8.txt")
    close(shelves)
    again = make(library=shelves.library)
    qtbot.waitUntil(lambda: len(again.documents) == 8)
    tops = [row.data() for row in again.rows if not row.parent().isValid()]
    assert tops == ["deep", "p"]


def test_the_arrow_of_a_folder_lies_inside_the_frame_of_its_row(
    filled: Kindred, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrows: list[QRect] = []
    monkeypatch.setattr(tree_view, "paint_icon", lambda _painter, at, *_: arrows.append(at))
    filled.window.library_pane.view.grab()
    ink = min(at.left() + at.width() // 4 for at in arrows)  # the icon leaves a quarter of its width free
    assert ink > MARGIN_PX + 1


# Documents in several places


def _copied(number: int, path: str, *copies: str, **more: Any) -> Document:
    return document(number, path, copies=tuple(FileCopy(at(copy)) for copy in copies), **more)


def test_a_document_is_shown_in_each_of_its_places(model: DocumentTreeModel) -> None:
    model.replace([_copied(1, "r/a/x.txt", "r/b/y.txt"), document(2, "r/b/2.txt"), document(3, "r/c/3.txt")])
    assert outline(model) == [["a", "T1"], ["b", "T1", "T2"], ["c", "T3"]]
    assert (model.count, model.forest.root.documents) == (3, 3)
    assert [each.document_id for each in model.all_documents()] == [1, 2, 3]
    row = model.index_of(at("r/b/y.txt"))
    assert row.data(DOCUMENT_ROLE).path == at("r/b/y.txt")
    assert at("r/a/x.txt") in row.data(Qt.ItemDataRole.ToolTipRole)
    assert row.parent().data() == "b"
    assert model.index_of(1).data(DOCUMENT_ROLE).path == at("r/a/x.txt")
    assert "in 2 locations" in model.index_of(1).data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_document_without_a_title_has_the_name_of_its_file_at_each_place(model: DocumentTreeModel) -> None:
    model.replace([_copied(1, "r/a/x.txt", "r/b/y.txt", title="x.txt"), _copied(2, "r/a/2.txt", "r/b/3.txt")])
    assert outline(model) == [["a", "T2", "x.txt"], ["b", "T2", "y.txt"]]


def test_places_come_go_and_change_roles(model: DocumentTreeModel) -> None:
    others = [document(2, "r/b/2.txt"), document(3, "r/a/3.txt")]
    model.replace([document(1, "r/a/x.txt"), *others])
    model.replace([_copied(1, "r/a/x.txt", "r/b/y.txt"), *others])
    assert outline(model) == [["a", "T1", "T3"], ["b", "T1", "T2"]]
    model.replace([_copied(1, "r/b/y.txt", "r/a/x.txt"), *others])
    assert outline(model) == [["a", "T1", "T3"], ["b", "T1", "T2"]]
    assert model.index_of(1).data(DOCUMENT_ROLE).path == at("r/b/y.txt")
    model.replace([document(1, "r/b/y.txt"), *others])
    assert outline(model) == [["a", "T3"], ["b", "T1", "T2"]]


def test_a_document_counts_once_in_each_folder(model: DocumentTreeModel) -> None:
    model.replace([_copied(1, "r/a/x.txt", "r/a/y.txt", "r/b/z.txt", state="failed"), document(2, "r/b/2.txt")])
    a, b = (model.index(row, 0).data(FOLDER_ROLE) for row in range(2))
    assert [(each.documents, each.failed) for each in (a, b, model.forest.root)] == [(1, 1), (2, 1), (2, 1)]
    model.arrange(filter_=DocumentFilter("y.txt"))
    assert outline(model) == [["a", "T1"]]
    model.mark_missing(frozenset({1}))
    assert model.forest.missing_count == 1


def test_states_and_tags_change_at_every_place(model: DocumentTreeModel) -> None:
    model.replace([_copied(1, "r/a/x.txt", "r/b/y.txt", state="reading")])
    model.show_tags({1: ("green",)})
    model.update([_copied(1, "r/a/x.txt", "r/b/y.txt", state="ready")])
    for name in (1, at("r/b/y.txt")):
        assert model.index_of(name).data(TAGS_ROLE) == ("green",)
        assert model.index_of(name).data(DOCUMENT_ROLE).state == "ready"


@pytest.fixture
def copied(shelves: Kindred, qtbot: QtBot) -> Kindred:
    """The window with the document T1, which has a copy in the folder `a`."""
    library = shelves.library
    library._set(1, copies=(FileCopy(at("p/a/copy.txt")),))
    shelves.bridge.changed.emit(ChangeSet(listing=True))
    qtbot.waitUntil(lambda: shelves.window.documents.index_of(at("p/a/copy.txt")).isValid())
    return shelves


def test_no_export_overwrites_a_copy_of_a_document(copied: Kindred) -> None:
    for path in (*copied.library.rows[1].paths, at("p/a/new.txt")):
        assert bool(copied.window.context.overwrite_refusal(path)) == (path != at("p/a/new.txt"))


def _select(kindred: Kindred, name: int | str) -> None:
    kindred.window.library_pane.view.choose([name])
    kindred.window.library_pane.view.setFocus()


def test_removing_a_row_removes_the_file_there(copied: Kindred, qtbot: QtBot) -> None:
    window, library = copied.window, copied.library
    main = library.rows[1].path
    _select(copied, at("p/a/copy.txt"))
    qtbot.keyClick(window.library_pane.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: not window.documents.index_of(at("p/a/copy.txt")).isValid())
    assert library.rows[1].paths == (main,)
    assert window.undo_bar.text == "Removed 1 copy from the library; its document stays."
    window.action_table["document.undo_remove"].trigger()
    qtbot.waitUntil(lambda: window.documents.index_of(at("p/a/copy.txt")).isValid())
    _select(copied, 1)
    qtbot.keyClick(window.library_pane.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: library.rows[1].paths == (at("p/a/copy.txt"),))
    assert library.removed == set()


def test_the_menu_leads_to_the_other_places(copied: Kindred, qtbot: QtBot) -> None:
    pane = copied.window.library_pane
    _select(copied, 1)
    pane.view.customContextMenuRequested.emit(pane.view.visualRect(copied.window.documents.index_of(1)).center())
    menu = QApplication.activePopupWidget()
    (places,) = (action.menu() for action in menu.actions() if action.menu() is not None)
    assert (places.title(), [each.text() for each in places.actions()]) == ("Also At", [at("p/a/copy.txt")])
    places.actions()[0].trigger()
    menu.close()
    assert [node.document.path for node in pane.view.selected_nodes()] == [at("p/a/copy.txt")]


def test_the_details_name_every_place(qtbot: QtBot) -> None:
    dialog = DocumentDetailsDialog(_copied(1, "r/a/x.txt", "r/b/y.txt", "r/c/z.txt"))
    qtbot.addWidget(dialog)
    shown = dialog.values["Also at"].accessibleDescription()
    assert shown.split("\n") == [at("r/b/y.txt"), at("r/c/z.txt")]
