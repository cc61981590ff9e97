"""Imports: drops, states, jobs, failures, removal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLabel
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.jobs import Progress
from desktop_app.core.records import Document
from desktop_app.engine.requests import CopiedFile, ImportedFile, ImportReport
from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.imports.controller import list_sample_files
from desktop_app.gui.library import document_list
from desktop_app.gui.search.state import SearchSituation, choose_empty_state
from tests.gui.conftest import Kindred, choose, close, drop, search
from tests.gui.fakes import FakeLibrary

# Adding


@pytest.mark.parametrize("where", ["window", "box", "filter", "hits", "documents", "status"])
def test_files_can_be_dropped_anywhere(kindred: Kindred, qtbot: QtBot, files: Path, where: str) -> None:
    window = kindred.window
    widget = {
        "window": window,
        "box": window.search.box,
        "filter": window.library_pane.filter,
        "hits": window.search_pane.view.viewport(),
        "documents": window.library_pane.view.viewport(),
        "status": window.status,
    }[where]
    assert drop(widget, [files / "sea.txt"])
    qtbot.waitUntil(lambda: kindred.documents == {"sea": "5 sentences"})
    assert window.search.box.text() == window.library_pane.filter.text() == ""


def test_a_folder_can_be_dropped(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    assert drop(kindred.window, [files])
    qtbot.waitUntil(lambda: kindred.documents == {"sea": "5 sentences", "tags": "2 sentences"})


def test_a_hint_covers_the_window_while_files_are_dragged_over_it(kindred: Kindred, files: Path) -> None:
    assert drop(kindred.window, [files], let_go=False)
    hint = kindred.window.drop_and_paste.hint
    assert hint.isVisible()
    assert hint.size() == kindred.window.size()
    assert drop(kindred.window, [files])
    assert not hint.isVisible()


def test_files_can_be_pasted_into_the_search_box_and_text_too(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(files))])
    data.setText(str(files))
    QGuiApplication.clipboard().setMimeData(data)
    qtbot.keySequence(kindred.window.search.box, QKeySequence(QKeySequence.StandardKey.Paste))
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    assert kindred.window.search.box.text() == ""
    QGuiApplication.clipboard().setText("bread")
    qtbot.keySequence(kindred.window.search.box, QKeySequence(QKeySequence.StandardKey.Paste))
    assert kindred.window.search.box.text() == "bread"


def test_pasted_text_that_is_no_file_goes_to_the_search_box(kindred: Kindred) -> None:
    assert not drop(kindred.window, [])
    assert not kindred.window.drop_and_paste.hint.isVisible()


def test_files_named_on_the_command_line_are_imported(make: Callable[..., Kindred], qtbot: QtBot, files: Path) -> None:
    kindred = make(files=[str(files / "sea.txt")])
    qtbot.waitUntil(lambda: kindred.documents == {"sea": "5 sentences"})


def test_a_dialog_opens_for_files_and_for_folders(
    kindred: Kindred, qtbot: QtBot, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def accept(dialog: QFileDialog) -> None:
        dialog.fileSelected.emit(str(files))
        dialog.filesSelected.emit([str(files)])

    monkeypatch.setattr(QFileDialog, "open", accept)
    kindred.window.action_table["library.import_folder"].trigger()
    qtbot.waitUntil(lambda: len(kindred.documents) == 2 and kindred.is_quiet)
    kindred.window.action_table["library.import"].trigger()
    qtbot.waitUntil(lambda: kindred.is_quiet)
    for dialog in kindred.window.findChildren(QFileDialog):
        dialog.deleteLater()


def test_the_samples_can_be_imported(kindred: Kindred, qtbot: QtBot) -> None:
    assert {file.rpartition(".")[2] for file in list_sample_files()} == {"pdf", "md", "txt"}
    texts = [file for file in list_sample_files() if not file.endswith(".pdf")]
    kindred.window.imports.start(texts)
    qtbot.waitUntil(lambda: len(kindred.documents) == len(texts) and kindred.is_quiet)


def test_each_document_passes_through_its_states(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    kindred.reading.shut()
    (files / "broken.pdf").write_text("?")
    drop(kindred.window, [files])
    qtbot.waitUntil(lambda: len(kindred.documents) == 3)
    assert set(kindred.documents.values()) == {"Waiting"}
    assert kindred.kind == "first_import"
    assert kindred.window.job_card.isVisible()
    kindred.reading.open()
    qtbot.waitUntil(lambda: kindred.is_quiet)
    qtbot.waitUntil(lambda: kindred.documents == {"broken.pdf": "Damaged", "sea": "5 sentences", "tags": "2 sentences"})
    assert kindred.window.job_card.detail.text().startswith("2 imported · 1 failed")


def test_a_failure_shows_reason_and_advice_as_plain_text(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_text("?")
    drop(kindred.window, [tmp_path / "broken.pdf"])
    qtbot.waitUntil(lambda: kindred.documents == {"broken.pdf": "Damaged"})
    tip = kindred.row("broken.pdf").data(Qt.ItemDataRole.ToolTipRole)
    assert "It is no &lt;b&gt;PDF&lt;/b&gt; inside" in tip
    assert "saving a new copy" in tip


def test_a_protected_document_opens_with_its_password(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "secret.pdf").write_text("Nobody may know this.")
    drop(kindred.window, [tmp_path / "secret.pdf"])
    qtbot.waitUntil(lambda: kindred.documents == {"secret.pdf": "Password-protected"})
    choose(kindred, "secret.pdf")
    kindred.window.action_table["document.password"].trigger()
    dialog = kindred.window.findChild(QInputDialog)
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in dialog.findChildren(QLabel))
    dialog.setTextValue("sesame")
    dialog.accept()
    qtbot.waitUntil(lambda: kindred.documents == {"secret": "1 page · 1 sentence"})


def test_a_wrong_password_is_reported(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "secret.pdf").write_text("Nobody may know this.")
    drop(kindred.window, [tmp_path / "secret.pdf"])
    qtbot.waitUntil(lambda: kindred.is_quiet and kindred.documents == {"secret.pdf": "Password-protected"})
    assert not kindred.window.notice.isVisible()
    choose(kindred, "secret.pdf")
    kindred.window.action_table["document.password"].trigger()
    dialog = kindred.window.findChild(QInputDialog)
    dialog.setTextValue("abracadabra")
    dialog.accept()
    qtbot.waitUntil(lambda: kindred.window.notice.text == "Wrong password for secret.pdf.")


def test_an_import_can_be_paused_and_resumed(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    kindred.reading.shut()
    drop(kindred.window, [files])
    qtbot.waitUntil(lambda: len(kindred.documents) == 2)
    card = kindred.window.job_card
    qtbot.mouseClick(card.pause, Qt.MouseButton.LeftButton)
    assert card.pause.accessibleName() == "Resume"
    assert card.title.text() == "Paused"
    kindred.reading.open()
    assert kindred.window.imports.is_running
    qtbot.mouseClick(card.pause, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kindred.is_quiet)
    qtbot.waitUntil(lambda: kindred.documents == {"sea": "5 sentences", "tags": "2 sentences"})


def test_an_import_can_be_cancelled(kindred: Kindred, qtbot: QtBot, files: Path) -> None:
    kindred.reading.shut()
    drop(kindred.window, [files])
    qtbot.waitUntil(lambda: len(kindred.documents) == 2)
    qtbot.mouseClick(kindred.window.job_card.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kindred.is_quiet and kindred.documents == {})
    assert kindred.window.job_card.title.text() == "Import stopped"
    assert "2 documents skipped" in kindred.window.job_card.detail.text()
    qtbot.waitUntil(lambda: kindred.kind == "no_documents")


def test_searching_works_during_an_import(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "late.txt").write_text("Late.")
    filled.reading.shut()
    drop(filled.window, [tmp_path / "late.txt"])
    qtbot.waitUntil(lambda: len(filled.documents) == 3)
    search(filled, qtbot, "bread waiting")
    assert filled.hits[0] == "Bread is mostly waiting."
    assert filled.window.search_pane.info.text() == "All 7 sentences so far"


def test_documents_queued_by_an_earlier_run_are_imported(
    make: Callable[..., Kindred], qtbot: QtBot, files: Path
) -> None:
    library = FakeLibrary()
    path = str(files / "sea.txt")
    library.rows[1] = Document(1, path, "", None, None, 0, "queued")
    kindred = make(library=library)
    qtbot.waitUntil(lambda: kindred.documents == {"sea": "5 sentences"})


def test_five_hundred_documents_are_listed_by_name(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    library = FakeLibrary()
    for n in range(1, 1202):
        library.rows[n] = Document(n, f"/d/{n}.txt", f"Report {1300 - n}", "text", None, n, "ready")
    kindred = make(library=library)
    qtbot.waitUntil(lambda: len(kindred.documents) == 1201)
    names = list(kindred.documents)
    assert (names[0], names[-1]) == ("Report 99", "Report 1299")


# Removing


def test_del_removes_and_undo_brings_back(filled: Kindred, qtbot: QtBot) -> None:
    search(filled, qtbot, "bread waiting")
    choose(filled, "sea")
    qtbot.keyClick(filled.window.library_pane.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: list(filled.documents) == ["tags"] and filled.window.undo_bar.isVisible())
    qtbot.waitUntil(lambda: "Bread is mostly waiting." not in filled.hits)
    assert filled.window.action_table["document.undo_remove"].isEnabled()
    filled.window.undo_bar._button.click()
    qtbot.waitUntil(lambda: list(filled.documents) == ["sea", "tags"])
    qtbot.waitUntil(lambda: "Bread is mostly waiting." in filled.hits)
    assert filled.library.purged == 0


def test_removed_documents_are_erased_when_the_undo_time_is_over(
    make: Callable[..., Kindred], qtbot: QtBot, files: Path
) -> None:
    kindred = make(undo_s=0.0, files=[str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and {"sea", "tags"} <= set(kindred.documents))
    choose(kindred, "sea", "tags")
    kindred.window.action_table["document.remove"].trigger()
    qtbot.waitUntil(lambda: kindred.library.rows == {} and kindred.library.purged == 1)
    assert not kindred.window.undo_bar.isVisible()
    qtbot.waitUntil(lambda: kindred.kind == "no_documents")


def test_undo_says_how_many_documents_are_erased_already(filled: Kindred, qtbot: QtBot) -> None:
    choose(filled, "sea", "tags")
    filled.window.action_table["document.remove"].trigger()
    qtbot.waitUntil(filled.window.undo_bar.isVisible)
    filled.library.erase(min(filled.library.removed))
    filled.window.undo_bar._button.click()
    qtbot.waitUntil(filled.window.notice.isVisible)
    assert filled.window.notice.text == "1 document is already erased and can't be brought back."
    qtbot.waitUntil(lambda: len(filled.documents) == 1)


def test_del_in_the_search_box_removes_letters_only(filled: Kindred, qtbot: QtBot) -> None:
    choose(filled, "sea")
    filled.window.search.box.setFocus()
    qtbot.keyClick(filled.window.search.box, Qt.Key.Key_Delete)
    assert not filled.window.undo_bar.isVisible()


def test_the_menu_of_a_document_can_be_opened(filled: Kindred) -> None:
    choose(filled, "sea")
    view = filled.window.library_pane.view
    view.customContextMenuRequested.emit(view.visualRect(filled.row("sea")).center())
    menu = QApplication.activePopupWidget()
    names = [action.objectName().removeprefix("document.") for action in menu.actions() if not action.isSeparator()]
    about = [
        "open",
        "search_here",
        "details",
        "keys",
        "pairs",
        "compare",
        "rename",
        "cite",
        "reference",
        "show_in_folder",
    ]
    assert names == [*about, "copy_path", "copy_link", "collect", "tag", "relink", "retry", "remove"]
    menu.close()


# States


def test_a_library_in_use_is_reported_and_can_be_retried(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    problems = [LibraryBusy("Another window has this library open", "Close it, then try again.")]
    library = FakeLibrary()

    def open_library() -> FakeLibrary:
        if problems:
            raise problems.pop()
        return library

    kindred = make(open_library=open_library)
    qtbot.waitUntil(lambda: kindred.kind == "error")
    assert kindred.window.search_pane.state.title.text() == "Another window has this library open"
    assert kindred.window.search_pane.state.text.text() == "Close it, then try again."
    kindred.window.action_table["library.reopen"].trigger()
    qtbot.waitUntil(lambda: kindred.kind == "no_documents" and kindred.window.session.phase == "ready")


def test_a_query_typed_before_the_model_is_loaded_runs_afterwards(
    make: Callable[..., Kindred], qtbot: QtBot, files: Path
) -> None:
    library = FakeLibrary()
    first = make(library=library, files=[str(files)])
    qtbot.waitUntil(lambda: first.is_quiet and len(first.documents) == 2)
    second = make(library=library, loaded=False)
    qtbot.waitUntil(lambda: second.window.session.phase == "loading" and len(second.documents) == 2)
    assert second.window.status.text().endswith("Loading model…")
    second.window.search.box.setText("bread waiting")
    qtbot.waitUntil(lambda: second.kind == "getting_ready")
    second.loading.open()
    qtbot.waitUntil(lambda: second.hits[:1] == ["Bread is mostly waiting."])


@pytest.mark.parametrize(
    ("situation", "kind"),
    [
        (SearchSituation("opening"), "getting_ready"),
        (SearchSituation("loading", is_listed=True), "no_documents"),
        (SearchSituation("loading", is_listed=True, documents=2, searchable=9), "idle"),
        (SearchSituation("loading", is_listed=True, documents=2, searchable=9, query="x"), "getting_ready"),
        (SearchSituation("ready", is_listed=True), "no_documents"),
        (SearchSituation("ready", is_listed=True, is_importing=True), "first_import"),
        (SearchSituation("ready", is_listed=True, documents=2, searchable=9, is_importing=True), "idle"),
        (
            SearchSituation("ready", is_listed=True, documents=2, searchable=9, query="x", is_searching=True),
            "searching",
        ),
        (SearchSituation("ready", is_listed=True, documents=2, searchable=9, query="x"), "nothing_found"),
        (SearchSituation("ready", is_listed=True, documents=2, query="x"), "nothing_searchable"),
        (
            SearchSituation("ready", is_listed=True, documents=2, searchable=9, query="-moor", is_only_conditions=True),
            "only_conditions",
        ),
        (SearchSituation("failed", error=LibraryBusy("Busy")), "error"),
        (SearchSituation("ready", is_listed=True, documents=2, searchable=9, query="x", hits=3), ""),
    ],
)
def test_states_look_different(situation: SearchSituation, kind: str) -> None:
    view = choose_empty_state(situation)
    assert (view.kind if view is not None else "") == kind


def test_the_status_line_shows_counts(filled: Kindred, qtbot: QtBot) -> None:
    status = filled.window.status
    qtbot.waitUntil(lambda: status.text() == "2 documents · 7 sentences")
    for said in ("Each sentence counts once", "7 places", "all-MiniLM-L6-v2", "CPU (fp32)"):
        assert said in status.toolTip()


def test_the_status_line_says_what_runs(filled: Kindred, files: Path, qtbot: QtBot) -> None:
    filled.reading.shut()
    (files / "more.txt").write_text("Rye needs sour dough.", "utf-8")
    filled.window.imports.start([str(files / "more.txt")])
    qtbot.waitUntil(lambda: filled.window.status.text().endswith(" · Importing…"))
    filled.reading.open()
    qtbot.waitUntil(lambda: filled.window.status.text() == "3 documents · 8 sentences")


# Words and lists


def test_progress_and_summary_are_in_words(themes: ThemeManager) -> None:
    progress = Progress("embedding", 1, 3, "documents", sentences=1200, sentences_per_s=250.4, remaining_s=130)
    assert (
        display_text.describe_import_progress(progress)
        == "1,200 sentences added\n250 sentences/s · about 2 minutes left"
    )
    assert display_text.describe_import_progress(progress, is_paused=True) == "1,200 sentences added"
    assert (
        display_text.describe_import_result(ImportReport(unchanged=["a"], ignored=["b", "c"]))
        == "1 unchanged · 2 ignored"
    )
    assert display_text.describe_import_result(ImportReport()) == "No supported documents found"


@pytest.mark.parametrize(
    ("copies", "words"),
    [(1, {"en": "1 exact copy", "de": "1 exakte Kopie"}), (2, {"en": "2 exact copies", "de": "2 exakte Kopien"})],
)
def test_the_summary_counts_copies_in_the_right_number(language: str, copies: int, words: dict[str, str]) -> None:
    imported, unchanged = {"en": ("1 imported", "1 unchanged"), "de": ("1 importiert", "1 unverändert")}[language]
    report = ImportReport(
        imported=[ImportedFile("a", 1, None, 1, ())],
        copies=[CopiedFile(f"c{n}", 1) for n in range(copies)],
        unchanged=["b"],
    )
    assert display_text.describe_import_result(report) == f"{imported} · {words[language]} · {unchanged}"


def test_the_current_document_shows_its_page() -> None:
    document = Document(1, "/a.pdf", "A", "pdf", 9, 40, "reading")
    progress = Progress("reading", document_id=1, page=4, page_count=9)
    assert display_text.describe_document_state(document, progress) == "Reading page 4 of 9 · 40 sentences"
    assert display_text.describe_document_state(document) == "Reading · 40 sentences"


def test_documents_are_visible_while_the_model_is_loading(
    filled: Kindred, make: Callable[..., Kindred], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_list, "_FIRST_ROWS", 1)
    close(filled)
    again = make(library=filled.library, loaded=False)
    qtbot.waitUntil(lambda: len(again.documents) == 2)
    assert again.window.session.phase == "loading"


def test_an_import_of_nothing_but_lists_of_references_ends_at_once(
    kindred: Kindred, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    imports = kindred.window.imports
    kindred.window.context.navigator.import_references.disconnect()
    kindred.window.context.navigator.import_references.connect(read.append)
    ended: list[None] = []
    imports.start([str(tmp_path / "own.bib")], then=lambda: ended.append(None))
    assert (read, ended) == ([str(tmp_path / "own.bib")], [None])


@pytest.mark.parametrize(
    ("dropped", "ignored", "is_offered"),
    [
        ("old.zip", ("old.zip/library.db", "old.zip/about.json"), True),
        ("again.zip", ("again.zip/My library/library.db", "again.zip/My library/about.json"), True),
        ("both.zip", ("both.zip/library.db", "both.zip/inside.zip/about.json"), False),
        (
            "several.zip",
            tuple(f"several.zip/{each}/{name}" for each in "ab" for name in ("library.db", "about.json")),
            False,
        ),
        ("packed.zip", ("packed.zip/old.zip/library.db", "packed.zip/old.zip/about.json"), False),
        ("other.zip", ("other.zip/about.json",), False),
        ("backups", ("backups/old.zip/library.db", "backups/old.zip/about.json"), False),
        ("unpacked", ("unpacked/library.db", "unpacked/about.json"), False),
    ],
)
def test_a_dropped_backup_is_offered_to_be_restored(
    filled: Kindred,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    dropped: str,
    ignored: tuple[str, ...],
    is_offered: bool,
) -> None:
    window = filled.window
    report = ImportReport(ignored=[str(tmp_path / each) for each in ignored])
    monkeypatch.setattr(
        filled.workspace.imports, "start", lambda _request: filled.workspace.engine.submit("import", lambda: report)
    )
    restored: list[Path] = []
    monkeypatch.setattr(window.maintenance, "choose_restore_folder", restored.append)
    ended: list[None] = []
    window.imports.start([str(tmp_path / dropped)], then=lambda: ended.append(None))
    qtbot.waitUntil(lambda: ended == [None])
    assert (f"{dropped} is a backup" in window.notice.text) == is_offered
    if is_offered:
        window.notice.pressed.emit()
    assert restored == [tmp_path / dropped] * is_offered
