"""The citation of a result or of documents, in the styles and formats there are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.bibliography import Reference
from desktop_app.core.jobs import ChangeSet
from desktop_app.gui.results.citation_dialog import CitationDialog
from tests.gui.conftest import Kindred, choose, search

BOOK = Reference(kind="book", title="sea", authors=("Woolf, Virginia",), date="1931", publisher="Hogarth")


def open_dialog(kindred: Kindred, qtbot: QtBot, action: str) -> CitationDialog:
    kindred.window.action_table[action].trigger()
    (dialog,) = kindred.window.findChildren(CitationDialog)
    qtbot.waitUntil(lambda: dialog.copy.isEnabled())
    return dialog


def select(dialog: CitationDialog, form: str) -> str:
    dialog.form.setCurrentIndex(dialog.form.findData(form))
    return dialog.text.toPlainText()


@pytest.fixture
def cited(filled: Kindred, qtbot: QtBot) -> Kindred:
    """A window whose selected result has a reference."""
    sea = next(row.document_id for row in filled.library.rows.values() if row.title == "sea")
    filled.library.given[sea] = BOOK
    search(filled, qtbot, "bread waiting")
    return filled


def test_a_result_is_cited_in_every_form(cited: Kindred, qtbot: QtBot) -> None:
    dialog = open_dialog(cited, qtbot, "hit.cite")
    assert dialog.text.toPlainText().endswith("(Woolf, 1931)\n\nWoolf, V. (1931). sea. Hogarth.")
    forms = {dialog.form.itemData(at): dialog.form.itemText(at) for at in range(dialog.form.count())}
    assert len(forms) == 10
    for form in forms:
        assert "Bread is mostly waiting." in select(dialog, form)
    assert select(dialog, "bibtex").startswith("@book{woolf1931,")
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
    dialog.close()


def test_the_last_form_comes_back(cited: Kindred, qtbot: QtBot) -> None:
    dialog = open_dialog(cited, qtbot, "hit.cite")
    select(dialog, "mla")
    dialog.close()
    qtbot.waitUntil(lambda: not cited.window.findChildren(CitationDialog))
    assert open_dialog(cited, qtbot, "hit.cite").selected_form == "mla"


def test_documents_are_cited_as_a_list(cited: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    choose(cited, "sea", "tags")
    dialog = open_dialog(cited, qtbot, "document.cite")
    assert select(dialog, "apa") == "tags. (n.d.).\n\nWoolf, V. (1931). sea. Hogarth."
    select(dialog, "ris")
    file = tmp_path / "refs.ris"
    dialog.save_to(str(file))
    qtbot.waitUntil(lambda: "Saved" in dialog.about.text())
    assert file.read_text("utf-8").count("TY  - ") == 2
    dialog.close()


def test_many_documents_are_cited_while_the_window_is_alive(cited: Kindred, qtbot: QtBot) -> None:
    rows, window = cited.library.rows, cited.window
    rows |= {n: replace(rows[1], document_id=n, path=f"{rows[1].path}{n}", title=f"T{n}") for n in range(10, 15)}
    cited.bridge.changed.emit(ChangeSet(listing=True))
    qtbot.waitUntil(lambda: window.documents.count == len(rows))
    window.library_pane.view.selectAll()
    window.action_table["document.cite"].trigger()
    (dialog,) = window.findChildren(CitationDialog)
    qtbot.waitUntil(lambda: dialog.about.text().startswith("Formatting"))
    select(dialog, "mla")
    select(dialog, "apa")  # in place of what still runs
    qtbot.waitUntil(lambda: dialog.copy.isEnabled())
    assert dialog.text.toPlainText().count("\n\n") == len(rows) - 1
    assert "Woolf, V. (1931). sea. Hogarth." in dialog.text.toPlainText()
    select(dialog, "mla")
    assert not dialog.copy.isEnabled()
    dialog.close()  # what still runs ends


def test_a_document_is_not_overwritten(cited: Kindred, files: Path, qtbot: QtBot) -> None:
    before = (files / "tags.md").read_text()
    dialog = open_dialog(cited, qtbot, "hit.cite")
    dialog.save_to(str(files / "tags.md"))
    assert "is a document of this library" in dialog.about.text()
    assert (files / "tags.md").read_text() == before
    dialog.close()
