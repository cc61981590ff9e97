"""A document's reference is seen and corrected."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop_app.core.bibliography import Reference
from desktop_app.gui.library.details_dialog import DocumentDetailsDialog
from desktop_app.gui.library.reference_dialog import ReferenceDialog
from tests.gui.conftest import Kindred, choose

PAPER = Reference(
    kind="entry-encyclopedia",
    title="Tides",
    authors=("Darwin, George", "Max Planck", "IPCC"),
    date="1898",
    doi="10.1000/xyz",
)


def open_dialog(kindred: Kindred, qtbot: QtBot) -> ReferenceDialog:
    choose(kindred, "sea")
    kindred.window.action_table["document.reference"].trigger()
    qtbot.waitUntil(lambda: len(kindred.window.findChildren(ReferenceDialog)) == 1)
    (dialog,) = kindred.window.findChildren(ReferenceDialog)
    return dialog


def test_a_reference_is_corrected_and_shown(filled: Kindred, qtbot: QtBot) -> None:
    dialog = open_dialog(filled, qtbot)
    assert dialog.fields["title"].text() == "sea"
    dialog.kind.setCurrentIndex(dialog.kind.findData("book"))
    dialog.authors.setPlainText("Virginia Woolf\n\nGarcía Márquez, Gabriel José")
    for name, value in {"title": "The  Waves", "date": "1931-10", "doi": "https://doi.org/10.1000/abc"}.items():
        dialog.fields[name].setText(value)
    dialog.save.click()
    qtbot.waitUntil(lambda: len(filled.library.given) == 1)
    (given,) = filled.library.given.values()
    assert given == Reference(
        kind="book",
        title="The Waves",
        authors=("Woolf, Virginia", "García Márquez, Gabriel José"),
        date="1931-10",
        doi="10.1000/abc",
    )
    qtbot.waitUntil(lambda: "The Waves" in filled.documents)
    choose(filled, "The Waves")
    filled.window.action_table["document.details"].trigger()
    (details,) = filled.window.findChildren(DocumentDetailsDialog)
    assert details.values["Author"].text() == "Virginia Woolf, Gabriel José García Márquez"
    assert details.values["Date"].text() == "October 1931"
    details.close()


def test_what_is_not_edited_stays(qtbot: QtBot) -> None:
    dialog = ReferenceDialog(PAPER)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.accepted_reference) as saved:
        dialog.save.click()
    assert saved.args == [PAPER]


def test_a_wrong_date_or_doi_is_refused_in_words(qtbot: QtBot) -> None:
    dialog = ReferenceDialog(PAPER)
    qtbot.addWidget(dialog)
    dialog.show()
    for name, wrong, words in (("date", "in spring", "Enter the date as"), ("doi", "none", "starts with “10.”")):
        before = dialog.fields[name].text()
        dialog.fields[name].setText(wrong)
        with qtbot.assertNotEmitted(dialog.accepted_reference):
            dialog.save.click()
        assert words in dialog.about.text()
        assert dialog.about.isVisible()
        dialog.fields[name].setText(before)


def test_the_files_own_reference_comes_back(filled: Kindred, qtbot: QtBot) -> None:
    sea = next(row.document_id for row in filled.library.rows.values() if row.title == "sea")
    filled.library.given[sea] = Reference(title="sea", date="1900")
    open_dialog(filled, qtbot).reset.click()
    qtbot.waitUntil(lambda: not filled.library.given)


def test_a_list_of_references_imports_its_documents_first(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    new = tmp_path / "tides.txt"
    new.write_text("The tide rises twice a day in this bay.\n")
    file = tmp_path / "refs.bib"
    file.write_text(
        "@article{darwin, title={On the tides}, author={Darwin, George}, year={1898}, file={tides.txt}}\n"
        "@misc{nobody, title={Not in the library}}\n"
        "@misc{open, title={Never closed\n"
    )
    filled.window.imports.start([str(file)])
    qtbot.waitUntil(lambda: "On the tides" in filled.documents)
    told = "Updated the references of 1 document. 1 reference matches no document. 1 entry in the file is damaged."
    qtbot.waitUntil(lambda: told in filled.window.notice.text)
    filled.window.library_controller.import_references(str(tmp_path / "none.bib"))
    qtbot.waitUntil(lambda: "cannot be read" in filled.window.notice.text)
