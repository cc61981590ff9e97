"""Two documents side by side in a dialog."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from desktop_app.core.records import Document, Hit
from desktop_app.gui.trace.documents_dialog import CompareDocumentsDialog
from tests.gui.conftest import SEA, Kindred, drop, save
from tests.gui.fakes import FakeEncoder

LINES = SEA.split("\n")


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """A later version of the document about the sea: one sentence is new, one is gone."""
    file = tmp_path / "later.txt"
    file.write_text("\n".join([*LINES[:2], "Quite another thing happened.", *LINES[3:]]), "utf-8")
    return file


def document(shared: Kindred, name: str) -> Document:
    return next(each for each in shared.window.documents.all_documents() if each.path.endswith(name))


@pytest.fixture
def dialog(shared: Kindred, qtbot: QtBot) -> CompareDocumentsDialog:
    made = CompareDocumentsDialog(shared.window.context, [document(shared, "sea.txt")])
    qtbot.addWidget(made)
    made.show()
    return made


def wait(dialog: CompareDocumentsDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: dialog.found is not None and dialog.stack.currentWidget() is dialog.compared)


def test_one_document_waits_for_the_other(dialog: CompareDocumentsDialog) -> None:
    assert dialog.found is None
    assert dialog.stack.currentWidget() is dialog.state
    assert not dialog.save.isEnabled()


def test_a_dropped_document_is_put_on_its_side_and_two_on_both(
    dialog: CompareDocumentsDialog, shared: Kindred, later: Path, qtbot: QtBot
) -> None:
    def names() -> list[str]:
        return [side.name for side in dialog._sides if side is not None]

    drop(dialog, [later])  # at the left
    assert names() == ["later.txt"]
    drop(dialog, [later, document(shared, "tags.md").path])
    assert names() == ["later.txt", "tags"]
    wait(dialog, qtbot)


def test_a_drag_says_how_many_of_its_documents_are_compared(
    dialog: CompareDocumentsDialog, shared: Kindred, later: Path
) -> None:
    tags = document(shared, "tags.md").path
    hints = []
    for dragged in ([later], [later, tags], [later, tags, document(shared, "sea.txt").path]):
        drop(dialog, dragged, let_go=False)
        hints.append(dialog.hint._text)
    assert hints == ["Drop as the first document", "Drop to compare both", "Drop to compare the first two"]
    drop(dialog, [later, tags, document(shared, "sea.txt").path])
    assert [side.name for side in dialog._sides if side is not None] == ["later.txt", "tags"]


def test_two_comparisons_do_not_stop_each_other(
    dialog: CompareDocumentsDialog, shared: Kindred, later: Path, qtbot: QtBot
) -> None:
    other = CompareDocumentsDialog(shared.window.context, [document(shared, "tags.md")])
    qtbot.addWidget(other)
    dialog.put(1, str(later))
    other.put(1, str(later))
    for each in (dialog, other):
        qtbot.waitUntil(lambda each=each: not each._request.is_running)
        assert each.found is not None


def test_a_file_is_put_beside_a_document(dialog: CompareDocumentsDialog, later: Path, qtbot: QtBot) -> None:
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    assert dialog.found is not None
    assert dialog.found.counts == {"kept": 4, "reworded": 0, "moved": 0, "new": 1, "dropped": 1}
    assert dialog.save.isEnabled()
    assert dialog.message.text().startswith("N / P")
    dialog.next.click()
    first = dialog.view.current
    dialog.next.click()
    assert dialog.view.current != first
    second = dialog.view.current
    dialog.previous.click()
    assert dialog.view.current == first
    qtbot.keyClick(dialog, Qt.Key.Key_F8)
    assert dialog.view.current == second
    qtbot.keyClick(dialog, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.view.current == first
    dialog.copy()
    assert any(line in QApplication.clipboard().text() for line in ("Quite another thing happened.", LINES[2]))


def test_a_translation_that_the_model_cannot_read_is_not_called_new_without_a_word(
    dialog: CompareDocumentsDialog, later: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeEncoder, "model", replace(FakeEncoder.model, languages=("en",)))
    file = tmp_path / "meer.txt"
    file.write_text(
        "Das Meer steigt, weil warmes Wasser mehr Platz braucht. Die Städte an der Küste sind nah.", "utf-8"
    )
    dialog.put(1, str(file))
    wait(dialog, qtbot)
    assert dialog.language_notice.isVisible()
    assert "German" in dialog.language_notice.text
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    assert not dialog.language_notice.isVisible()


def test_documents_of_the_same_name_are_told_apart(
    dialog: CompareDocumentsDialog, later: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "earlier" / later.name
    file.parent.mkdir()
    file.write_text(SEA, "utf-8")
    drop(dialog, [file, later])
    wait(dialog, qtbot)
    assert [label.text() for label in dialog.heads.names] == ["later.txt (earlier)", f"later.txt ({tmp_path.name})"]
    dialog.next.click()
    dialog.copy()
    assert f"(later ({tmp_path.name}))" in QApplication.clipboard().text()


def test_the_name_of_an_export_keeps_whole_titles(dialog: CompareDocumentsDialog, later: Path, qtbot: QtBot) -> None:
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    dialog._sides[0] = replace(dialog._sides[0], name="Smith v. Jones")
    dialog.choose_export()
    (chooser,) = (each for each in dialog.findChildren(QFileDialog) if each.isVisible())
    (chosen,) = chooser.selectedFiles()
    chooser.close()
    assert Path(chosen).stem == "Smith v Jones - later"


def test_exact_scores_follow_the_setting(
    dialog: CompareDocumentsDialog, shared: Kindred, later: Path, qtbot: QtBot
) -> None:
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    exact = shared.window.action_table["search.exact_scores"]
    shown = []
    for on in (True, False):
        exact.setChecked(on)
        shown.append(dialog.texts.shows_scores)
    assert shown == [True, False]


def test_both_sides_are_swapped(dialog: CompareDocumentsDialog, later: Path, qtbot: QtBot) -> None:
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    dialog.swap_sides()
    wait(dialog, qtbot)
    assert dialog.found is not None
    (new,) = [row for row in dialog.found.rows if row.change == "new"]
    assert new.b is not None
    assert new.b.text == LINES[2]


def test_a_path_of_the_library_is_its_document(dialog: CompareDocumentsDialog, shared: Kindred, qtbot: QtBot) -> None:
    dialog.put(1, document(shared, "tags.md").path)
    wait(dialog, qtbot)
    assert dialog.found is not None
    assert {row.b.document_id for row in dialog.found.rows if row.b} == {document(shared, "tags.md").document_id}
    dialog.put(1, 4711)
    assert dialog.found is not None, "no such document: nothing changes"
    dialog.put(1, document(shared, "sea.txt").path)
    assert dialog.found is None
    assert dialog.stack.currentWidget() is dialog.state, "a document is not compared with itself"


def test_a_file_that_cannot_be_read_leaves_the_former_comparison(
    dialog: CompareDocumentsDialog, later: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    dialog.put(0, str(tmp_path / "gone.txt"))
    qtbot.waitUntil(lambda: "previous comparison" in dialog.message.text())
    wait(dialog, qtbot)
    assert dialog.found is not None
    assert dialog.found.counts["kept"] == 4


def test_a_sentence_opens_in_the_main_window(
    dialog: CompareDocumentsDialog, shared: Kindred, later: Path, qtbot: QtBot
) -> None:
    dialog.put(1, document(shared, "tags.md").document_id)
    wait(dialog, qtbot)
    opened: list[Hit] = []
    shared.window.context.navigator.open_hit.connect(opened.append)
    assert dialog.found is not None
    row = next(at for at, each in enumerate(dialog.found.rows) if each.a is not None and each.b is None)
    dialog.read(row, None)
    dialog.read(row, 0)
    dialog.read(row, 1)
    assert [hit.document_id for hit in opened] == [document(shared, "sea.txt").document_id] * 2


def test_a_comparison_is_written_to_a_file(
    dialog: CompareDocumentsDialog, later: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog.put(1, str(later))
    wait(dialog, qtbot)
    save(dialog, tmp_path / "both.csv")
    qtbot.waitUntil((tmp_path / "both.csv").exists)
    assert "Quite another thing happened." in (tmp_path / "both.csv").read_text("utf-8")
