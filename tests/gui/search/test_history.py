"""Past queries, saved searches, quotes and judgements, and the export and citation of hits."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLineEdit, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from desktop_app.core.bibliography import Reference
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.records import Hit, Place
from desktop_app.core.user_data import SavedSearch
from desktop_app.gui.base.icons import tinted_pixmap
from desktop_app.gui.results.citation import cite_hits
from desktop_app.gui.results.scope import type_part
from desktop_app.gui.search.history import SavedSearchesDialog
from desktop_app.gui.search.quotes_dialog import QuotesDialog
from desktop_app.gui.shell.command_palette import CommandPalette, PaletteModel, list_searches
from tests.gui.conftest import Kindred, search
from tests.gui.fakes import FakeLibrary


def remembered(kindred: Kindred) -> list[str]:
    return [each.text for each in kindred.library.user_data.past_queries()]


def recent(kindred: Kindred, qtbot: QtBot) -> QMenu:
    kindred.window.search.box.clear()
    kindred.window.search.box.setFocus()
    qtbot.keyClick(kindred.window.search.box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def read(kindred: Kindred, qtbot: QtBot, text: str) -> None:
    """Search and open the first hit, so that the query is remembered."""
    search(kindred, qtbot, text)
    qtbot.keyClick(kindred.window.search.box, Qt.Key.Key_Return)


class TestQueries:
    def test_past_queries_are_offered_in_an_empty_box(self, shared: Kindred, qtbot: QtBot) -> None:
        read(shared, qtbot, "bread")
        read(shared, qtbot, "sea")
        qtbot.waitUntil(lambda: remembered(shared) == ["sea", "bread"])
        menu = recent(shared, qtbot)
        assert [action.text() for action in menu.actions()][:2] == ["sea", "bread"]
        qtbot.keyClick(menu, Qt.Key.Key_Down)
        qtbot.keyClick(menu, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: bool(shared.hits) and shared.hits[0] == "Bread is mostly waiting.")
        assert shared.window.search.box.text() == "bread"

    def test_a_query_typed_letter_by_letter_is_stored_once(self, shared: Kindred, qtbot: QtBot) -> None:
        read(shared, qtbot, "sea")
        shared.window.search.box.setText("sea walls")
        qtbot.waitUntil(lambda: not shared.window.search.controller.is_waiting)
        qtbot.keyClick(shared.window.search.box, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: remembered(shared) == ["sea walls"])

    def test_past_queries_can_be_cleared_and_turned_off(self, shared: Kindred, qtbot: QtBot) -> None:
        read(shared, qtbot, "bread")
        qtbot.waitUntil(lambda: remembered(shared) == ["bread"])
        shared.window.action_table["search.forget"].trigger()
        qtbot.waitUntil(lambda: remembered(shared) == [])
        shared.window.context.change_settings(keep_queries=False)
        read(shared, qtbot, "sea")
        menu = recent(shared, qtbot)
        assert [action.text() for action in menu.actions()] == ["Search history is off (Preferences)"]
        menu.close()
        assert remembered(shared) == []

    def test_a_sentence_of_a_document_is_not_remembered_as_a_query(self, shared: Kindred, qtbot: QtBot) -> None:
        shared.window.search.history.take("Bread is mostly waiting.")
        qtbot.waitUntil(lambda: bool(shared.hits))
        qtbot.keyClick(shared.window.search.box, Qt.Key.Key_Return)
        assert remembered(shared) == []

    def test_an_empty_history_says_so(self, shared: Kindred, qtbot: QtBot) -> None:
        menu = recent(shared, qtbot)
        assert [action.text() for action in menu.actions()] == ["No recent searches"]
        menu.close()


class TestSavedSearches:
    def saved(self, kindred: Kindred, qtbot: QtBot) -> None:
        window = kindred.window
        search(kindred, qtbot, "sea")
        window.search_pane.scope.toggle(type_part("markdown"))
        window.search_pane.threshold.set_min_score(0.2)
        window.action_table["search.save"].trigger()
        (dialog,) = window.findChildren(QInputDialog)
        dialog.setTextValue("Walls & waves")
        dialog.accept()
        qtbot.waitUntil(lambda: [each.name for each in window.search.history.searches] == ["Walls & waves"])

    def test_a_saved_search_runs_as_it_was_saved(self, shared: Kindred, qtbot: QtBot) -> None:
        self.saved(shared, qtbot)
        window = shared.window
        window.search.box.clear()
        window.search_pane.scope.clear()
        window.search_pane.threshold.set_min_score(-1.0)
        menu = recent(shared, qtbot)
        assert menu.actions()[0].text() == "Walls && waves"
        menu.actions()[0].trigger()
        menu.close()
        qtbot.waitUntil(lambda: shared.hits == ["Sea walls cost money."])
        assert window.search_pane.scope.parts == (type_part("markdown"),)
        assert window.search.controller.min_score == pytest.approx(0.2)

    def test_saved_searches_are_in_the_menu_and_the_palette(self, shared: Kindred, qtbot: QtBot) -> None:
        self.saved(shared, qtbot)
        window = shared.window
        window.menus.saved.aboutToShow.emit()
        manage = window.action_table["search.saved"].text()
        assert [action.text() for action in window.menus.saved.actions()] == ["Walls && waves", "", manage]
        model = PaletteModel(list_searches(window.search.history.searches, window.search.history.run), window)
        model.filter("walls")
        assert model.index(0).data(Qt.ItemDataRole.AccessibleTextRole).endswith("Saved search")

    def test_a_saved_search_is_renamed_and_removed(self, shared: Kindred, qtbot: QtBot) -> None:
        self.saved(shared, qtbot)
        shared.window.action_table["search.saved"].trigger()
        (dialog,) = shared.window.findChildren(SavedSearchesDialog)
        dialog.list.item(0).setText("  Coast ")
        qtbot.waitUntil(lambda: [each.name for each in shared.window.search.history.searches] == ["Coast"])
        dialog.list.item(0).setText("  ")
        assert dialog.list.item(0).text() == "Coast", "an empty name is not accepted"
        dialog.remove.click()
        qtbot.waitUntil(lambda: shared.window.search.history.searches == [])
        assert not dialog.run.isEnabled()
        dialog.close()

    def test_a_new_name_takes_no_other_search_away(self, shared: Kindred, qtbot: QtBot) -> None:
        self.saved(shared, qtbot)
        self.changed_elsewhere(shared, qtbot, SavedSearch("Alps", "mountain", "words"))
        shared.window.action_table["search.saved"].trigger()
        (dialog,) = shared.window.findChildren(SavedSearchesDialog)
        dialog.list.item(1).setText("Alps")
        assert dialog.about.text() == "Another saved search is called “Alps”."
        assert [dialog.list.item(row).text() for row in range(2)] == ["Alps", "Walls & waves"]
        dialog.close()

    def test_the_suggested_name_is_that_of_no_other_search(self, shared: Kindred, qtbot: QtBot) -> None:
        self.saved(shared, qtbot)
        self.changed_elsewhere(shared, qtbot, SavedSearch("sea", "sea", "words"))
        shared.window.action_table["search.save"].trigger()
        (dialog,) = shared.window.findChildren(QInputDialog)
        assert dialog.textValue() == "sea (2)"
        dialog.reject()

    def changed_elsewhere(
        self, kindred: Kindred, qtbot: QtBot, *searches: SavedSearch, removed: SavedSearch | None = None
    ) -> None:
        """Save searches, and remove one, as another window does."""
        history = kindred.window.search.history

        def save(library: FakeLibrary) -> None:
            for each in searches:
                library.user_data.save_search(each)
            if removed is not None:
                library.user_data.delete_search(removed.search_id)

        with qtbot.waitSignal(history.changed):
            kindred.workspace.change(save, ChangeSet(searches=True))

    def test_searches_that_another_window_saved_are_in_the_menu_and_the_list(
        self, shared: Kindred, qtbot: QtBot
    ) -> None:
        self.saved(shared, qtbot)
        window = shared.window
        window.action_table["search.saved"].trigger()
        (dialog,) = window.findChildren(SavedSearchesDialog)
        self.changed_elsewhere(shared, qtbot, SavedSearch("Alps", "mountain", "words"))
        window.menus.saved.aboutToShow.emit()
        assert [action.text() for action in window.menus.saved.actions()][:2] == ["Alps", "Walls && waves"]
        assert [dialog.list.item(row).text() for row in range(2)] == ["Alps", "Walls & waves"]
        assert dialog.current is not None
        assert dialog.current.name == "Walls & waves", "the next click removes the search that was selected"
        dialog.close()

    def test_a_saved_search_in_an_open_palette_runs_after_another_window_changed_it(
        self, shared: Kindred, qtbot: QtBot
    ) -> None:
        self.saved(shared, qtbot)
        window = shared.window
        window.search.box.clear()
        window.action_table["app.palette"].trigger()
        palette = window.findChild(CommandPalette)
        qtbot.keyClicks(palette.box, "walls")
        (search,) = window.search.history.searches
        self.changed_elsewhere(shared, qtbot, replace(search, name="Coast"))
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qtbot.keyClick(palette.box, Qt.Key.Key_Return)
        assert window.search.box.text() == "sea"

    def test_an_open_menu_keeps_the_searches_that_another_window_did_not_change(
        self, shared: Kindred, qtbot: QtBot
    ) -> None:
        self.saved(shared, qtbot)
        menu = shared.window.menus.saved
        menu.aboutToShow.emit()
        shown = [action.text() for action in menu.actions()]
        self.changed_elsewhere(shared, qtbot, SavedSearch("Alps", "mountain", "words"))
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert [action.text() for action in menu.actions()] == shown

    def test_after_another_window_removed_the_selected_search_none_is_selected(
        self, shared: Kindred, qtbot: QtBot
    ) -> None:
        self.saved(shared, qtbot)
        window = shared.window
        self.changed_elsewhere(
            shared, qtbot, *(SavedSearch(name, "mountain", "words") for name in ("Alps", "Bay", "Cape"))
        )
        window.action_table["search.saved"].trigger()
        (dialog,) = window.findChildren(SavedSearchesDialog)
        buttons = (dialog.run, dialog.rename, dialog.remove)
        assert dialog.current is not None
        assert dialog.current.name == "Alps"
        self.changed_elsewhere(shared, qtbot, removed=dialog.current)
        assert dialog.current is None, "the next click removes no other search"
        assert not any(button.isEnabled() for button in buttons)
        self.changed_elsewhere(shared, qtbot, SavedSearch("Dune", "sand", "words", search_id=9))
        assert dialog.current is None
        dialog.list.setCurrentRow(0)
        assert all(button.isEnabled() for button in buttons)
        dialog.remove.click()
        names = ["Cape", "Dune", "Walls & waves"]
        qtbot.waitUntil(lambda: [dialog.list.item(row).text() for row in range(dialog.list.count())] == names)
        assert dialog.current is not None
        assert dialog.current.name == "Cape", "after one that was removed here, the next is selected"
        dialog.close()

    def test_a_name_that_is_being_typed_survives_a_change_by_another_window(
        self, shared: Kindred, qtbot: QtBot
    ) -> None:
        self.saved(shared, qtbot)
        shared.window.action_table["search.saved"].trigger()
        (dialog,) = shared.window.findChildren(SavedSearchesDialog)
        dialog.rename.click()
        (editor,) = dialog.list.findChildren(QLineEdit)
        editor.setText("Coast")
        self.changed_elsewhere(shared, qtbot, SavedSearch("Alps", "mountain", "words"))
        assert dialog.list.findChildren(QLineEdit) == [editor]
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        names = ["Alps", "Coast"]
        qtbot.waitUntil(lambda: [each.name for each in shared.window.search.history.searches] == names)
        qtbot.waitUntil(lambda: [dialog.list.item(row).text() for row in range(dialog.list.count())] == names)
        dialog.rename.click()
        (editor,) = dialog.list.findChildren(QLineEdit)
        self.changed_elsewhere(shared, qtbot, SavedSearch("Bay", "water", "words"))
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
        names = ["Alps", "Bay", "Coast"]
        qtbot.waitUntil(lambda: [dialog.list.item(row).text() for row in range(dialog.list.count())] == names)
        dialog.close()


def a_hit(text: str, title: str = "On {tea}", page: int | None = 4) -> Hit:
    return Hit(1, 0.5, 1, text, "", "", 1, title, "/home/tea_100%.pdf", "pdf", 0, "body", (Place(page, 0, 1, "char"),))


class TestCiting:
    def test_citations_have_several_forms(self) -> None:
        hit = a_hit("It *boils* at 100% & {more}.")
        assert cite_hits([hit], "plain", {}) == "“It *boils* at 100% & {more}.” (On {tea}, PDF p. 4)"
        assert (
            cite_hits([hit], "markdown", {})
            == "> It \\*boils\\* at 100% & \\{more\\}.\n>\n> — *On \\{tea\\}*, PDF p. 4"
        )
        assert cite_hits([hit], "bibtex", {}) == (
            "@misc{on-tea,\n"
            "  title = {On \\textbraceleft{}tea\\textbraceright{}},\n"
            "  howpublished = {tea\\_100\\%.pdf},\n"
            "  note = {PDF p. 4: It *boils* at 100\\% \\& \\textbraceleft{}more\\textbraceright{}.}\n"
            "}"
        )

    def test_a_citation_works_without_title_and_page(self) -> None:
        hit = a_hit("Text\nin two lines.", title="", page=None)
        assert cite_hits([hit], "plain", {}) == "“Text in two lines.” (tea_100%.pdf)"

    def test_a_style_uses_the_documents_reference(self) -> None:
        reference = Reference(kind="book", title="Tea", authors=("Li, Ann",), date="1999", publisher="Brew")
        assert cite_hits([a_hit("It boils.")], "apa", {1: reference}) == (
            "“It boils.” (Li, 1999, p. 4 [PDF])\n\nLi, A. (1999). Tea. Brew."
        )

    def test_the_actions_copy_citations(self, shared: Kindred, qtbot: QtBot) -> None:
        search(shared, qtbot, "bread waiting")
        shared.window.action_table["hit.copy_markdown"].trigger()
        cited = "> Bread is mostly waiting.\n>\n> — *sea*"
        qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == cited)
        shared.window.action_table["hit.copy_bibtex"].trigger()
        qtbot.waitUntil(lambda: QGuiApplication.clipboard().text().startswith("@misc{sea,"))


class TestExport:
    @pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".md", ".html"])
    def test_all_hits_are_exported(self, shared: Kindred, qtbot: QtBot, tmp_path: Path, suffix: str) -> None:
        search(shared, qtbot, "sea <b>")
        file = tmp_path / f"hits{suffix}"
        shared.window.search.hits.export(str(file))
        qtbot.waitUntil(file.is_file)
        qtbot.waitUntil(lambda: "7 sentences" in shared.window.notice.text)
        text = file.read_text("utf-8")
        assert "Sea walls cost money." in text
        if suffix == ".jsonl":
            assert len([json.loads(line) for line in text.splitlines()]) == 7

    def test_a_document_is_not_written_over(self, filled: Kindred, qtbot: QtBot, files: Path) -> None:
        search(filled, qtbot, "sea")
        before = (files / "tags.md").read_text()
        filled.window.search.hits.export(str(files / "tags.md"))
        assert "Select another name" in filled.window.notice.text
        assert (files / "tags.md").read_text() == before

    def test_a_failed_export_is_reported(self, shared: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
        search(shared, qtbot, "sea")
        shared.window.search.hits.export(str(tmp_path / "none" / "hits.csv"))
        qtbot.waitUntil(lambda: "does not exist" in shared.window.notice.text)


class TestMarks:
    @pytest.mark.parametrize("suffix", [".tsv", ".csv", ".jsonl"])
    def test_labels_of_hits_and_pairs_are_exported(
        self, shared: Kindred, qtbot: QtBot, tmp_path: Path, suffix: str
    ) -> None:
        window = shared.window
        search(shared, qtbot, "sea")
        first = shared.hits[0]
        window.action_table["hit.not_relevant"].trigger()
        qtbot.waitUntil(lambda: bool(shared.library.user_data.judgements()))
        shared.library.pair_labels.judge("Bread waits.", "Dough rests.", True)
        window.action_table["marks.export"].trigger()
        (dialog,) = window.findChildren(QFileDialog)
        file = tmp_path / f"marks{suffix}"
        dialog.fileSelected.emit(str(file))
        dialog.close()
        qtbot.waitUntil(lambda: window.notice.text == f"Exported 2 ratings to marks{suffix}.")
        lines = file.read_text("utf-8-sig").splitlines()
        if suffix == ".jsonl":
            rows = [tuple(json.loads(line).values()) for line in lines]
        else:
            rows = list(csv.reader(lines, delimiter="\t" if suffix == ".tsv" else ","))[1:]
        assert [(a, b, int(label)) for a, b, label in rows] == [("Bread waits.", "Dough rests.", 1), ("sea", first, 0)]

    def test_without_labels_no_file_is_written(self, shared: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
        shared.window.search.hits.export_marks(str(tmp_path / "marks.tsv"))
        qtbot.waitUntil(lambda: "No ratings yet" in shared.window.notice.text)
        assert not (tmp_path / "marks.tsv").exists()

    def test_a_document_is_not_written_over(self, filled: Kindred, files: Path) -> None:
        before = (files / "tags.md").read_text()
        filled.window.search.hits.export_marks(str(files / "tags.md"))
        assert "Select another name" in filled.window.notice.text
        assert (files / "tags.md").read_text() == before


class TestQuotes:
    def test_a_quote_is_saved_read_exported_and_removed(self, shared: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
        window = shared.window
        search(shared, qtbot, "bread waiting")
        window.action_table["hit.pin"].trigger()
        qtbot.waitUntil(lambda: "Quote saved" in window.notice.text)
        window.action_table["hit.pin"].trigger()
        qtbot.waitUntil(lambda: "Already" in window.notice.text)
        window.action_table["quotes.show"].trigger()
        (dialog,) = window.findChildren(QuotesDialog)
        qtbot.waitUntil(lambda: dialog.list.count() == 1)
        dialog.copy_as("plain")
        qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == "“Bread is mostly waiting.” (sea)")
        dialog.export_to(str(tmp_path / "quotes.bib"))
        qtbot.waitUntil(lambda: "Exported" in dialog.about.text())
        assert (tmp_path / "quotes.bib").read_text("utf-8").startswith("@misc{sea,")
        dialog.open_chosen()
        qtbot.waitUntil(lambda: window.reader.current is not None)
        assert window.reader.current.text == "Bread is mostly waiting."
        dialog.remove.click()
        qtbot.waitUntil(lambda: dialog.list.count() == 0)
        assert "No quotes yet" in dialog.about.text()
        window.action_table["hit.pin"].trigger()
        qtbot.waitUntil(lambda: len(shared.library.user_data.quotes()) == 1)
        window.session.bridge.changed.emit(ChangeSet(quotes=True))  # by another session
        qtbot.waitUntil(lambda: dialog.list.count() == 1)
        dialog.close()


class TestJudging:
    def test_a_rejected_hit_moves_to_the_end_and_can_be_restored(self, shared: Kindred, qtbot: QtBot) -> None:
        window = shared.window
        search(shared, qtbot, "sea")
        first = shared.hits[0]
        window.action_table["hit.not_relevant"].trigger()
        qtbot.waitUntil(lambda: shared.hits[-1] == first)
        assert [(each.query, each.text, each.is_relevant) for each in shared.library.user_data.judgements()] == [
            ("sea", first, False)
        ]
        window.search_pane.step(100)
        assert window.search_pane.current.text == first
        assert window.action_table["hit.not_relevant"].isChecked()
        view = window.search_pane.view
        assert "not a match" in view.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
        score = view.visualRect(view.currentIndex()).topLeft() + QPoint(30, 20)
        QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, score, view.mapToGlobal(score)))
        assert "not a match" in QToolTip.text()
        bad = window.context.themes.theme.color("bad")
        view.scrollTo(view.currentIndex())
        QApplication.processEvents()
        row = view.visualRect(view.currentIndex())
        row.setWidth(60)  # the column of scores
        assert _is_painted(view.viewport().grab(row), "x", bad)
        assert not _is_painted(view.viewport().grab(row), "check", bad)
        window.action_table["hit.not_relevant"].trigger()
        qtbot.waitUntil(lambda: shared.hits[0] == first)
        assert shared.library.user_data.judgements() == []
        assert "answer" not in window.search_pane.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)

    def test_hits_of_a_search_by_words_are_not_judged(self, shared: Kindred, qtbot: QtBot) -> None:
        shared.window.action_table["search.mode.words"].trigger()
        search(shared, qtbot, "sea")
        assert not shared.window.action_table["hit.relevant"].isEnabled()
        assert shared.window.action_table["hit.pin"].isEnabled()


def _is_painted(rows: QPixmap, name: str, color: QColor) -> bool:
    """Whether rows show an icon in a colour, on a ground of one colour."""
    icon, shown = _points(tinted_pixmap(name, color, QSize(14, 14))), _points(rows)[..., :3]
    parts = np.lib.stride_tricks.sliding_window_view(shown, icon.shape[:2], axis=(0, 1))
    opacity = icon[..., 3] / 255
    ground = parts[..., :1, :1]  # the icon's corner is clear
    inked = np.array([color.blue(), color.green(), color.red()])[:, None, None] * opacity + ground * (1 - opacity)
    return bool((np.abs(inked - parts) < 4).all(axis=(-1, -2, -3)).any())


def _points(pixmap: QPixmap) -> NDArray[np.uint8]:
    """The points of a picture: blue, green, red, alpha, uint8 [height, width, 4]."""
    image = pixmap.toImage().convertToFormat(QImage.Format.Format_ARGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()
