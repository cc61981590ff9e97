"""Searches limited to a part of the library, and the context that unfolds on a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.library.model import DOCUMENT_ROLE
from desktop_app.gui.results.scope_bar import ScopeChip
from tests.gui.conftest import Kindred, choose, open_filled, search


@pytest.fixture(scope="module")
def open_shared() -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    def open_shelves(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
        kindred = open_filled(make, folder, qtbot)
        papers = folder / "papers"
        (papers / "inner").mkdir()
        (papers / "inner" / "rivers.txt").write_text("A river finds the sea.\nThe sea finds a river.")
        (papers / "book.txt").write_text(
            "\n".join(f"Sentence {n} of it is about rivers, seas, and those who live by them." for n in range(20))
        )
        kindred.window.imports.start([str(papers)])
        counts = {"rivers": "2 sentences", "book": "20 sentences"}
        qtbot.waitUntil(lambda: kindred.is_quiet and counts.items() <= kindred.documents.items())
        return kindred

    return open_shelves


@pytest.fixture
def shelves(shared: Kindred) -> Kindred:
    """A window with four documents in two folders."""
    return shared


def inner_folder(kindred: Kindred) -> str:
    return str(Path(kindred.row("rivers").data(DOCUMENT_ROLE).path).parent)


def found(kindred: Kindred) -> set[str]:
    model = kindred.window.search_pane.model
    return {model.hit(model.index(row)).title for row in range(model.rowCount())}


def settled(kindred: Kindred, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not kindred.window.search.controller.is_waiting)


def test_a_search_is_limited_to_the_chosen_documents(shelves: Kindred, qtbot: QtBot) -> None:
    search(shelves, qtbot, "the sea")
    assert found(shelves) == {"sea", "tags", "rivers"}
    choose(shelves, "tags", "rivers")
    shelves.window.action_table["document.search_here"].trigger()
    settled(shelves, qtbot)
    assert found(shelves) == {"tags", "rivers"}
    assert shelves.window.search.box.hasFocus()
    bar = shelves.window.search_pane.scope_bar
    assert bar.isVisible()
    qtbot.waitUntil(lambda: [chip.text() for chip in bar.chips] == [" rivers · 2  ×", " tags · 2  ×"])
    assert shelves.window.search_pane.info.text() == "Filtered: 4 sentences"


def test_a_folder_includes_all_its_documents(shelves: Kindred, qtbot: QtBot) -> None:
    search(shelves, qtbot, "the sea")
    choose(shelves, "inner")
    shelves.window.action_table["document.search_here"].trigger()
    settled(shelves, qtbot)
    assert found(shelves) == {"rivers"}
    assert shelves.window.search.controller.scope == Scope(paths=(inner_folder(shelves),))


def test_one_chip_and_all_chips_can_be_removed(shelves: Kindred, qtbot: QtBot) -> None:
    search(shelves, qtbot, "the sea")
    choose(shelves, "tags", "rivers")
    shelves.window.action_table["document.search_here"].trigger()
    bar = shelves.window.search_pane.scope_bar
    qtbot.mouseClick(bar.chips[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(bar.chips) == 1)
    settled(shelves, qtbot)
    assert found(shelves) == {"tags"}
    shelves.window.action_table["search.everywhere"].trigger()
    settled(shelves, qtbot)
    assert found(shelves) == {"sea", "tags", "rivers"}
    assert not bar.isVisible()
    assert shelves.window.search.controller.scope is EVERYTHING
    assert not shelves.window.action_table["search.everywhere"].isEnabled()


def test_a_search_is_limited_to_file_types(shelves: Kindred, qtbot: QtBot) -> None:
    search(shelves, qtbot, "the sea")
    shelves.window.action_table["search.type.markdown"].trigger()
    settled(shelves, qtbot)
    assert found(shelves) == {"tags"}
    choose(shelves, "inner")
    shelves.window.action_table["document.search_here"].trigger()
    settled(shelves, qtbot)
    assert shelves.kind == "nothing_here"
    assert shelves.window.search_pane.state.title.text() == "Nothing found here"
    shelves.window.action_table["search.type.markdown"].trigger()
    settled(shelves, qtbot)
    assert found(shelves) == {"rivers"}


def test_many_parts_do_not_widen_the_pane(shelves: Kindred, qtbot: QtBot) -> None:
    from desktop_app.gui.results.scope import folder_part

    pane = shelves.window.search_pane
    before = pane.minimumSizeHint().width()
    shelves.window.search_pane.scope.limit_to([folder_part(f"/folders/with a long name {n}") for n in range(40)])
    bar = pane.scope_bar
    assert pane.minimumSizeHint().width() == before
    assert bar.chips[-1].text().endswith(f"{41 - len(bar.chips)} more  ×")
    QApplication.processEvents()
    assert bar.everywhere.geometry().right() <= bar.width()
    assert all(chip.geometry().right() < bar.everywhere.x() for chip in bar.chips)
    bar.chips[-1].click()
    qtbot.waitUntil(lambda: len(shelves.window.search_pane.scope.parts) == len(bar.chips))


# Context


@pytest.fixture
def book(shared: Kindred, qtbot: QtBot) -> Iterator[Kindred]:
    """A window with a hit in the middle of a document of twenty sentences; its context is folded afterwards."""
    shared.window.search.box.setFocus()
    search(shared, qtbot, "sentence 10 of it")
    assert shared.window.search_pane.current.text.startswith("Sentence 10 of it")
    yield shared
    shared.window.search_pane.show_less_context()


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split() if word.isdigit()]


def test_a_key_unfolds_more_and_more_context(book: Kindred, qtbot: QtBot) -> None:
    pane, cards = book.window.search_pane, book.window.search_pane._cards
    box = book.window.search.box
    height = pane.view.visualRect(pane.view.currentIndex()).height()
    qtbot.keyClick(box, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: cards.context is not None)
    assert (numbers(cards.context.before), numbers(cards.context.after)) == ([7, 8, 9], [11, 12, 13])
    assert pane.view.visualRect(pane.view.currentIndex()).height() > height
    for _ in range(3):
        qtbot.keyClick(box, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        QApplication.processEvents()
    qtbot.waitUntil(lambda: cards.context.is_whole)
    assert (numbers(cards.context.before), numbers(cards.context.after)) == (list(range(10)), list(range(11, 20)))
    qtbot.keyClick(box, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert cards.context is None
    assert pane.view.visualRect(pane.view.currentIndex()).height() == height
    assert box.hasFocus()


def test_a_click_unfolds_context(book: Kindred, qtbot: QtBot) -> None:
    pane, cards = book.window.search_pane, book.window.search_pane._cards
    row = pane.view.visualRect(pane.view.currentIndex())
    _, area = cards._context_button(cards._card_rect(row))
    qtbot.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=area.center().toPoint())
    qtbot.waitUntil(lambda: cards.context is not None)


def test_a_press_on_another_card_does_not_click_what_unfolds_under_it(book: Kindred, qtbot: QtBot) -> None:
    pane, cards = book.window.search_pane, book.window.search_pane._cards
    wanted: list[object] = []
    pane.context_wanted.connect(wanted.append)
    view = pane.view
    press = view.visualRect(book.window.search_pane.model.index(1)).center()
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=press)
    _, area = cards._context_button(cards._card_rect(view.visualRect(view.currentIndex())))
    at = QPointF(area.center())
    up = QMouseEvent(QEvent.Type.MouseButtonRelease, at, view.viewport().mapToGlobal(at), Qt.MouseButton.LeftButton,
                     Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)  # fmt: skip
    QApplication.sendEvent(view.viewport(), up)
    assert view.currentIndex().row() == 1
    assert wanted == []


def test_selecting_another_hit_folds_the_context(book: Kindred, qtbot: QtBot) -> None:
    pane, cards = book.window.search_pane, book.window.search_pane._cards
    pane.show_more_context()
    qtbot.waitUntil(lambda: cards.context is not None)
    first = pane.view.currentIndex()
    unfolded = pane.view.visualRect(first).height()
    pane.step(1)
    assert cards.context is None
    assert pane.view.visualRect(first).height() < unfolded


def test_late_context_of_a_former_hit_is_ignored(book: Kindred, qtbot: QtBot) -> None:
    pane, cards = book.window.search_pane, book.window.search_pane._cards
    arrived: list[object] = []
    book.window.search._hit_contexts.arrived.connect(arrived.append)
    pane.show_more_context()
    pane.step(1)
    qtbot.waitUntil(lambda: bool(arrived))
    assert cards.context is None


def test_context_is_not_taken_from_a_reimported_document(book: Kindred, qtbot: QtBot) -> None:
    spans = book.library.spans[book.row("book").data(DOCUMENT_ROLE).document_id]
    before = list(spans)
    spans[:] = spans[5:] + spans[:5]
    arrived: list[object] = []
    book.window.search._hit_contexts.arrived.connect(arrived.append)
    book.window.search_pane.show_more_context()
    done = book.workspace.read(lambda _library: None)
    qtbot.waitUntil(lambda: done.is_finished)
    QApplication.processEvents()
    spans[:] = before
    assert arrived == []


def test_moving_to_another_hit_measures_only_two_cards(book: Kindred, monkeypatch: pytest.MonkeyPatch) -> None:
    pane, cards = book.window.search_pane, book.window.search_pane._cards
    pane.view.doItemsLayout()
    measured: list[int] = []
    size = cards._size
    monkeypatch.setattr(cards, "_size", lambda index: (measured.append(index.row()), size(index))[1])
    pane.step(1)
    pane.view.visualRect(pane.view.currentIndex())
    assert set(measured) <= {0, 1}
    book.window.resize(book.window.width() + 60, 700)
    pane.view.doItemsLayout()
    assert len(set(measured)) == book.window.search_pane.model.rowCount()
    assert pane.view.indexAt(QPoint(30, 30)).isValid()


@pytest.mark.parametrize(
    "text", ["title contains “harbour”", "in collection “Dissertation”", "Titel enthält „Hafenstadt“"]
)
def test_a_chip_shows_some_words_whole(qtbot: QtBot, themes: ThemeManager, text: str) -> None:
    chip = ScopeChip(text, "Remove", "tag", "")
    qtbot.addWidget(chip)
    assert text in chip.text()


def test_a_chip_names_the_whole_path_and_what_a_click_does(shelves: Kindred, qtbot: QtBot) -> None:
    choose(shelves, "inner")
    shelves.window.action_table["document.search_here"].trigger()
    (chip,) = shelves.window.search_pane.scope_bar.chips
    assert f"{inner_folder(shelves)}<br>Click to remove" in chip.toolTip()
    assert chip.accessibleName().startswith("Remove filter inner")
