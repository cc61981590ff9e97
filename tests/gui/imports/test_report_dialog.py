"""The report of an import: by reason, for one file and for all, and passwords only for the session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from desktop_app.core.jobs import Progress
from desktop_app.core.messages import NOTHING, verbatim
from desktop_app.core.records import Document
from desktop_app.engine.requests import FailedFile, ImportedFile, ImportReport
from desktop_app.gui.base import desktop
from desktop_app.gui.imports.controller import ImportSummary
from desktop_app.gui.imports.report_dialog import ImportReportDialog
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.shell import window_language
from tests.gui.conftest import Kindred, drop
from tests.gui.fakes import FakeLibrary


def kinds(dialog: ImportReportDialog) -> list[str]:
    return [dialog.kinds.item(row).text().strip() for row in range(dialog.kinds.count())]


def files(dialog: ImportReportDialog) -> list[str]:
    return [dialog.files.index(row).data() for row in range(dialog.files.rowCount())]


def choose_file(dialog: ImportReportDialog, *rows: int) -> None:
    view = dialog.view
    view.clearSelection()
    for row in rows:
        view.selectionModel().select(dialog.files.index(row), view.selectionModel().SelectionFlag.Select)


@pytest.fixture
def failing(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> Kindred:
    """A window after an import of two locked files, a broken one, a picture, and a good one."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("secret 1.pdf", "secret 2.pdf", "broken.pdf", "picture.png", "good.txt"):
        (folder / name).write_text(f"What {name} says.")
    drop(kindred.window, [folder])
    qtbot.waitUntil(lambda: kindred.is_quiet and kindred.window.job_card.details.isVisible())
    qtbot.waitUntil(lambda: len(kindred.documents) == 4 and kindred.documents.get("good") == "1 sentence")
    return kindred


def report_of(kindred: Kindred, qtbot: QtBot) -> ImportReportDialog:
    qtbot.mouseClick(kindred.window.job_card.details, Qt.MouseButton.LeftButton)
    return kindred.window.findChild(ImportReportDialog)


def test_files_are_grouped_by_outcome(failing: Kindred, qtbot: QtBot) -> None:
    dialog = report_of(failing, qtbot)
    assert kinds(dialog) == ["Failed  3", "Damaged  1", "Password-protected  2", "Ignored  1", "Imported  1"]
    assert files(dialog) == ["broken.pdf", "secret 1.pdf", "secret 2.pdf"]
    assert (dialog.retry_button.text(), dialog.ignore_button.text()) == (" &Retry All 3", " &Ignore All 3")
    dialog.kinds.setCurrentRow(2)
    assert files(dialog) == ["secret 1.pdf", "secret 2.pdf"]
    assert dialog.hint.text() == "Select the file, then enter its password."
    dialog.kinds.setCurrentRow(3)
    assert dialog.retry_button.isHidden()
    assert dialog.password_button.isHidden()
    dialog.close()


def test_a_password_opens_all_matching_files_and_is_tried_on_later_ones(
    failing: Kindred, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = report_of(failing, qtbot)
    dialog.password_button.click()
    asking = failing.window.findChild(QInputDialog)
    assert "2 documents" in asking.labelText()
    asking.setTextValue("sesame")
    asking.accept()
    qtbot.waitUntil(lambda: failing.is_quiet and "1 sentence" in failing.documents.get("secret 2", ""))
    qtbot.waitUntil(lambda: kinds(dialog)[0] == "Failed  1")
    assert files(dialog) == ["broken.pdf"]
    dialog.close()
    (tmp_path / "secret 3.pdf").write_text("Nobody may know this.")
    drop(failing.window, [tmp_path / "secret 3.pdf"])
    qtbot.waitUntil(lambda: "1 sentence" in failing.documents.get("secret 3", ""))


def test_a_password_is_written_nowhere(failing: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    failing.window.library_controller._try([str(tmp_path / "in" / "secret 1.pdf")], "sesame")
    qtbot.waitUntil(lambda: failing.is_quiet)
    failing.window.context.change_settings(theme="light")
    failing.window.close()
    held = [file for file in (tmp_path / "base").rglob("*") if file.is_file() and b"sesame" in file.read_bytes()]
    assert held == []
    assert "sesame" not in repr(failing.saved)


def test_a_file_is_listed_again_after_a_wrong_password(failing: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = report_of(failing, qtbot)
    failing.window.library_controller._try([str(tmp_path / "in" / "secret 1.pdf")], "wrong")
    qtbot.waitUntil(lambda: failing.is_quiet)
    assert files(dialog) == ["broken.pdf", "secret 1.pdf", "secret 2.pdf"]
    assert dialog.refusal.isVisible(), "the report would hide a message of the window"
    assert dialog.refusal.text() == "Wrong password for secret 1.pdf."
    assert not failing.window.notice.isVisible()
    choose_file(dialog, 1)
    dialog.password_button.click()
    assert not dialog.refusal.isVisible()
    (asking,) = (each for each in QApplication.topLevelWidgets() if isinstance(each, QInputDialog))
    asking.reject()
    dialog.close()


def test_a_file_can_be_retried_and_is_listed_again_if_it_fails(failing: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = report_of(failing, qtbot)
    choose_file(dialog, 0)
    assert dialog.retry_button.text() == " &Retry"
    failing.reading.shut()
    dialog.retry_button.click()
    assert files(dialog) == ["secret 1.pdf", "secret 2.pdf"]
    failing.reading.open()
    qtbot.waitUntil(lambda: files(dialog) == ["broken.pdf", "secret 1.pdf", "secret 2.pdf"])
    dialog.close()


def test_the_folder_of_one_file_is_shown(failing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(desktop, "show_in_folder", lambda path: shown.append(path) is None)
    dialog = report_of(failing, qtbot)
    assert dialog.show_button.isHidden(), "three files have no common folder"
    choose_file(dialog, 1)
    dialog.show_button.click()
    dialog.kinds.setCurrentRow(3)
    assert files(dialog) == ["picture.png"]
    dialog.show_button.click()
    assert [Path(path).name for path in shown] == ["secret 1.pdf", "picture.png"]
    dialog.close()


def test_an_ignored_file_leaves_the_list_and_can_be_restored(failing: Kindred, qtbot: QtBot) -> None:
    dialog = report_of(failing, qtbot)
    choose_file(dialog, 0, 1)
    dialog.activateWindow()
    dialog.view.setFocus()
    qtbot.waitUntil(dialog.view.hasFocus)
    qtbot.keyClick(dialog.view, Qt.Key.Key_Delete)
    assert files(dialog) == ["secret 2.pdf"]
    qtbot.waitUntil(lambda: list(failing.documents) == ["good", "secret 2.pdf"])
    failing.window.removals.undo()
    qtbot.waitUntil(lambda: len(failing.documents) == 4)
    dialog.close()


def test_ignoring_keeps_a_document_with_a_searchable_earlier_version(
    make: Callable[..., Kindred], qtbot: QtBot
) -> None:
    library = FakeLibrary()
    library.rows[1] = Document(1, "/d/a.pdf", "A", "pdf", 1, 40, "failed", "damaged")
    library.rows[2] = Document(2, "/d/b.pdf", "B", "pdf", 1, 0, "failed", "damaged")
    kindred = make(library=library)
    qtbot.waitUntil(lambda: len(kindred.documents) == 2)
    kindred.window.library_controller.ignore(
        [FailedFile(row.path, "damaged", NOTHING, row.document_id) for row in library.rows.values()]
        + [FailedFile("/gone", "unreadable", NOTHING)]
    )
    qtbot.waitUntil(lambda: list(kindred.documents) == ["A"])


def test_the_report_is_opened_only_once(failing: Kindred, qtbot: QtBot) -> None:
    dialog = report_of(failing, qtbot)
    failing.window.job_card.show_details()
    assert failing.window.findChildren(ImportReportDialog) == [dialog]
    dialog.close()


def test_five_hundred_failures_are_rows_not_widgets(kindred: Kindred) -> None:
    failed = [
        FailedFile(f"/d/{n:03}.pdf", "damaged" if n % 2 else "encrypted", verbatim("Why <b>not</b>"))
        for n in range(500)
    ]
    few = ImportReportDialog(ImportReport(failed=failed[:3]), kindred.window._themes, kindred.window)
    many = ImportReportDialog(ImportReport(failed=failed), kindred.window._themes, kindred.window)
    assert many.files.rowCount() == 500
    assert len(many.findChildren(QInputDialog.__mro__[2])) == len(few.findChildren(QInputDialog.__mro__[2]))
    tip = many.files.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;not&lt;/b&gt;" in tip
    for dialog in (few, many):
        dialog.close()


def test_no_password_is_asked_for_files_that_no_password_opens(kindred: Kindred) -> None:
    failed = [
        FailedFile("/d/book.epub", "locked", verbatim("The book is copy-protected (DRM)")),
        FailedFile("/d/paper.pdf", "encrypted", verbatim("The file needs a password")),
    ]
    dialog = ImportReportDialog(ImportReport(failed=failed), kindred.window._themes, kindred.window)
    dialog.show()
    assert "Protected, can't be opened here  1" in kinds(dialog)
    asked: list[object] = []
    dialog.password.connect(asked.append)
    choose_file(dialog, files(dialog).index("book.epub"))
    assert dialog.password_button.isHidden()
    assert dialog.hint.text().startswith("This protection isn't supported.")
    choose_file(dialog, *range(len(failed)))
    assert dialog.password_button.isVisible()
    dialog.password_button.click()
    assert asked == [["/d/paper.pdf"]]
    dialog.close()


def test_remarks_of_imported_files_are_listed(kindred: Kindred) -> None:
    report = ImportReport(
        imported=[ImportedFile("/d/a.pdf", 1, 3, 40, (verbatim("page 3 is empty"),))], unchanged=["/d/b.pdf"]
    )
    dialog = ImportReportDialog(report, kindred.window._themes, kindred.window)
    assert kinds(dialog) == ["Warnings  1", "Unchanged  1", "Imported  1"]
    assert dialog.files.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "a.pdf, page 3 is empty"
    dialog.close()


def test_the_card_names_the_current_document(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "sea.txt").write_text("The sea.")
    card = kindred.window.job_card
    drop(kindred.window, [tmp_path / "sea.txt"])
    qtbot.waitUntil(lambda: kindred.is_quiet and kindred.documents == {"sea": "1 sentence"})
    assert card.subject.isHidden()
    document_id = kindred.row("sea").data(DOCUMENT_ROLE).document_id
    kindred.window.imports.progressed.emit(Progress("embedding", 0, 1, "documents", document_id=document_id))
    assert not card.subject.isHidden()
    assert card.subject.text() == "sea"
    kindred.window.imports.start([str(tmp_path / "sea.txt")], force=True)
    qtbot.waitUntil(lambda: kindred.is_quiet)
    assert card.subject.isHidden()


def test_progress_is_throttled_and_its_last_message_is_shown(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "sea.txt").write_text("The sea.")
    kindred.reading.shut()
    drop(kindred.window, [tmp_path / "sea.txt"])
    imports = kindred.window.imports
    qtbot.waitUntil(lambda: bool(kindred.reading.passed))  # blocked there, so that it reports nothing itself
    QCoreApplication.processEvents()
    reported: list[int] = []
    imports.progressed.connect(lambda progress: reported.append(progress.sentences))
    for sentences in range(1000, 1200):
        imports._on_progress(imports.current, Progress("embedding", 0, 1, "documents", sentences=sentences))
    qtbot.waitUntil(lambda: 1199 in reported)
    assert len(reported) < 20
    kindred.reading.open()
    qtbot.waitUntil(lambda: kindred.is_quiet)


def test_ocr_is_offered_for_pages_and_not_for_an_empty_text(kindred: Kindred, qtbot: QtBot) -> None:
    empty = FailedFile("/d/empty.txt", "no_text", verbatim("The file is empty"))
    scan = FailedFile("/d/scan.pdf", "no_text", verbatim("No page has text (scanned or empty pages)"))
    for file, is_offered, words in ((empty, False, "No text found"), (scan, True, "No text found (scanned?)")):
        dialog = ImportReportDialog(ImportReport(failed=[file]), kindred.window.context.themes, kindred.window)
        dialog.show()
        assert dialog.recognise_button.isVisible() == is_offered
        assert ("OCR" in dialog.hint.text()) == is_offered
        assert dialog.files.lines[0].row.state == words
        dialog.close()


def test_a_file_that_was_tried_twice_is_listed_once_with_its_last_result() -> None:
    before = FailedFile("/d/a.pdf", "encrypted", verbatim("It is protected"))
    other = FailedFile("/d/b.pdf", "damaged", verbatim("It is damaged"))
    again = FailedFile("/d/a.pdf", "timeout", verbatim("It took too long"))
    reports = [ImportReport(failed=[before, other]), ImportReport(failed=[again], unchanged=["/d/c.txt"])]
    joined = ImportSummary(reports).join()
    assert joined.failed == [other, again]
    assert joined.unchanged == ["/d/c.txt"]


def test_no_name_of_an_outcome_is_cut_off(failing: Kindred, qtbot: QtBot, qapp: QApplication) -> None:
    window_language.install_language(qapp, "de")
    try:
        dialog = report_of(failing, qtbot)
        for row in range(dialog.kinds.count()):
            text = dialog.kinds.item(row).text()
            assert dialog.kinds.fontMetrics().horizontalAdvance(text) + 30 <= dialog.kinds.width(), text
    finally:
        window_language.install_language(qapp, "en")


def test_a_file_is_listed_again_when_its_retry_ends_without_a_result(failing: Kindred, qtbot: QtBot) -> None:
    dialog = report_of(failing, qtbot)
    choose_file(dialog, 0)
    failing.reading.shut()
    dialog.retry_button.click()
    assert files(dialog) == ["secret 1.pdf", "secret 2.pdf"]
    failing.window.imports.cancel()
    failing.reading.open()
    qtbot.waitUntil(lambda: files(dialog) == ["broken.pdf", "secret 1.pdf", "secret 2.pdf"])
    dialog.close()
