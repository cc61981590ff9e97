"""The focus stays where the person works when the focused control disappears."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.conftest import Kindred, search


def focused(kindred: Kindred) -> QWidget | None:
    QApplication.processEvents()
    return kindred.window.focusWidget()


def offers(pane: QWidget) -> list[QPushButton]:
    return [button for button in pane.findChildren(QPushButton) if button.isVisible()]


def offer(pane: QWidget) -> QPushButton:
    return offers(pane)[0]


def test_after_an_import_from_the_empty_library_the_search_box_has_the_focus(
    kindred: Kindred, files: Path, qtbot: QtBot
) -> None:
    window = kindred.window
    offer(window.search_pane).setFocus()
    kindred.reading.shut()
    window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.kind != "no_documents")
    assert focused(kindred) is window.search.box, "the button went with its message"
    qtbot.keyClicks(focused(kindred), "bre")
    kindred.reading.open()
    qtbot.waitUntil(lambda: kindred.is_quiet)
    qtbot.keyClicks(focused(kindred), "ad")
    assert window.search.box.text() == "bread", "no letter is lost"


def test_after_an_import_from_elsewhere_the_search_box_has_the_focus(
    kindred: Kindred, files: Path, qtbot: QtBot
) -> None:
    window = kindred.window
    button = next(each for each in window.findChildren(QWidget) if each.accessibleName() == "Add documents")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setFocus()
    window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 2)
    qtbot.waitUntil(lambda: focused(kindred) is window.search.box)


def test_an_import_leaves_the_focus_of_a_person_at_work_alone(filled: Kindred, tmp_path: Path, qtbot: QtBot) -> None:
    window = filled.window
    search(filled, qtbot, "bread")
    window.search_pane.view.setFocus()
    more = tmp_path / "more.txt"
    more.write_text("Rye needs sour dough.", "utf-8")
    window.imports.start([str(more)])
    qtbot.waitUntil(lambda: filled.is_quiet and len(filled.documents) == 3)
    assert focused(filled) is window.search_pane.view


def test_a_bar_that_closes_gives_the_focus_back(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    search(filled, qtbot, "bread")
    window.search_pane.view.setFocus()
    window.context.offer("Something", "Show", lambda: None)
    button = offer(window.notice)
    button.setFocus()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert focused(filled) is window.search_pane.view


def test_a_disabled_or_deleted_control_of_a_pane_leaves_the_focus_in_the_pane(filled: Kindred, qtbot: QtBot) -> None:
    window = filled.window
    for vanish in (lambda each: each.setEnabled(False), lambda each: each.hide(), lambda each: each.deleteLater()):
        for name in ("search", "pairs", "trace", "train"):
            window.action_table[f"pane.{name}"].trigger()
            pane = window.panes.pane(name)
            control = QPushButton("Go", pane)
            control.setAccessibleName("Go")
            control.show()
            control.setFocus()
            assert control.hasFocus()
            vanish(control)
            # Qt passes the focus to its next widget first.
            qtbot.waitUntil(
                lambda gone=control, pane=pane: (
                    (now := focused(filled)) is window.search.box
                    or (now not in (None, gone) and pane.isAncestorOf(now))
                )
            )


def test_an_offer_that_gives_way_to_other_controls_leaves_the_focus_in_the_pane(
    kindred: Kindred, files: Path, qtbot: QtBot
) -> None:
    """The buttons of the empty pane disappear before what replaces them is there."""
    window = kindred.window
    window.action_table["pane.pairs"].trigger()
    pane = window.panes.pane("pairs")
    qtbot.waitUntil(lambda: bool(offers(pane)))
    offer(pane).setFocus()
    window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and not offers(pane))
    assert pane.isAncestorOf(focused(kindred))
