"""The card of an import: what it says afterwards, when it leaves, and how it tells the time."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import LibraryBusy
from desktop_app.core.jobs import Progress
from desktop_app.core.messages import verbatim
from desktop_app.engine.requests import FailedFile, ImportReport
from desktop_app.gui.base import display_text
from tests.gui.conftest import Kindred

FAILED = FailedFile("/a.pdf", "damaged", verbatim("The file is damaged"))


def test_the_card_of_a_success_leaves_by_itself(filled: Kindred, qtbot: QtBot) -> None:
    card = filled.window.job_card
    assert card.title.text() == "Import finished"
    assert card.leaving.isActive()
    card.leaving.timeout.emit()
    assert not card.isVisible()
    card.leaving.stop()


def test_the_card_stays_while_the_person_is_at_it(filled: Kindred, qtbot: QtBot) -> None:
    card = filled.window.job_card
    button = QPushButton("Here", card)
    button.setAccessibleName("Here")
    button.show()
    button.setFocus()
    card.leaving.timeout.emit()
    assert card.isVisible()
    card.leaving.stop()


def test_the_title_counts_once_there_is_a_count(kindred: Kindred) -> None:
    card = kindred.window.job_card
    card._on_progress(Progress("reading", done=0, total=0))
    assert card.title.text() == "Importing…"
    card._on_progress(Progress("reading", done=2, total=22))
    assert card.title.text() == "Importing 3 of 22"


def test_an_import_in_which_every_file_failed_is_called_failed_and_stays(kindred: Kindred) -> None:
    card = kindred.window.job_card
    card._on_finished(ImportReport(failed=[FAILED]))
    assert card.title.text() == "Import failed"
    assert not card.leaving.isActive()
    card._on_finished(ImportReport(failed=[FAILED], unchanged=["/b.pdf"]))
    assert card.title.text() == "Import finished"
    assert not card.leaving.isActive()


def test_the_time_left_is_smoothed_and_never_a_moment(kindred: Kindred) -> None:
    card = kindred.window.job_card
    shown = [card._smooth_remaining(seconds) for seconds in (100.0, 300.0, 90.0)]
    assert shown[0] == 100
    assert 100 < shown[1] < 180  # type: ignore[operator]

    def says(seconds: float) -> str:
        progress = Progress("embedding", done=1, total=2, sentences=3, remaining_s=seconds)
        return display_text.describe_import_progress(progress)

    assert says(0.4).endswith("a few seconds left")
    assert says(7).endswith("a few seconds left")
    assert says(47).endswith("about 50 seconds left")
    assert says(118).endswith("about 2 minutes left")


def test_a_pasted_list_of_paths_is_imported(kindred: Kindred, files: Path, qtbot: QtBot) -> None:
    from PySide6.QtGui import QGuiApplication

    names = f'"{files / "sea.txt"}"\n{(files / "tags.md").as_uri()}\n'
    QGuiApplication.clipboard().setText(names)
    kindred.window.drop_and_paste.paste()
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    QGuiApplication.clipboard().setText(f"{files / 'sea.txt'}\nis where I keep it")
    kindred.window.drop_and_paste.paste()
    (dialog,) = [each for each in kindred.window.children() if type(each).__name__ == "PastedTextDialog"]
    dialog.close()  # type: ignore[attr-defined]


def test_an_import_that_ends_without_a_report_is_called_failed(kindred: Kindred) -> None:
    card = kindred.window.job_card
    card.show()
    card.title.setText("Importing…")
    kindred.window.imports.failed.emit(LibraryBusy("another program writes"))
    assert (card.title.text(), card.details.isHidden()) == ("Import failed", True)
    assert "nother program writes" in card.detail.text()
    card.hide()
