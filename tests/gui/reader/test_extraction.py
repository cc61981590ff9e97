"""The extraction bar: splitting at words, its buttons, and the boundaries of sentences in the text."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from desktop_app.core.reader_events import Omissions, OmittedText, PageNote
from desktop_app.core.records import Occurrence, Place
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.reader.extraction import ExtractionBar, word_start_after_letters, word_start_at
from desktop_app.gui.reader.model import ExtractionModel, ShownDocument
from desktop_app.gui.reader.text_view import StoredTextView
from tests.gui.conftest import Kindred
from tests.patience import PATIENCE_S

TEXT = "Let it cool; “then” pour."


@pytest.mark.parametrize(
    ("at", "rest"),
    [
        (0, TEXT),
        (1, TEXT),
        (3, "it cool; “then” pour."),
        (9, "cool; “then” pour."),
        (11, "“then” pour."),
        (13, "“then” pour."),
        (len(TEXT), ""),
    ],
)
def test_a_caret_splits_at_the_start_of_a_word(at: int, rest: str) -> None:
    assert TEXT[word_start_at(TEXT, at) :] == rest


def test_scripts_without_blanks_are_split_at_any_character() -> None:
    assert word_start_at("海は広い。空は青い。", 2) == 2


def test_a_number_of_letters_leads_to_the_next_word() -> None:
    assert TEXT[word_start_after_letters(TEXT, 9) :] == "“then” pour."
    assert word_start_after_letters(TEXT, 0) == 0
    assert word_start_after_letters(TEXT, 99) == len(TEXT)


def test_the_bar_describes_the_sentence_and_offers_corrections(qtbot: QtBot) -> None:
    bar = ExtractionBar()
    qtbot.addWidget(bar)
    bar.show_sentence(None, PageNote(2, "none", "pdfium", 0.0), busy=False, undoable=0)
    assert "no text" in bar.about.accessibleDescription()
    assert not any(button.isEnabled() for button in (bar.merge, bar.split, bar.ignore, bar.undo))
    sentence = Occurrence(4, "🙂 " + TEXT, 1, "/d/a.pdf", 0, 0, "reference", (Place(2, 0, 9, "text"),))
    bar.show_sentence(sentence, PageNote(2, "ocr", "tesseract", 0.92), busy=False, undoable=2)
    assert "OCR, confidence 92%" in bar.about.accessibleDescription()
    assert "list of references" in bar.about.accessibleDescription()
    assert all(button.isEnabled() for button in (bar.merge, bar.split, bar.ignore, bar.undo))
    bar.set_caret(sentence.text.index("pour"))
    assert sentence.text[bar.caret :] == "pour."
    bar.show_sentence(sentence, None, busy=True, undoable=2)
    assert not bar.merge.isEnabled()


def test_the_bar_says_what_a_passage_counts_as_and_why_and_offers_the_others(qtbot: QtBot) -> None:
    bar = ExtractionBar()
    qtbot.addWidget(bar)
    stub = Occurrence(4, "Cookie settings", 1, "/d/a.html", 0, 0, "body", (), "stub", "short")
    bar.show_sentence(stub, None, busy=False, undoable=0)
    assert bar.about.accessibleDescription() == "fragment (too short)"
    assert [action.text() for action in bar.kind.menu().actions() if action.isChecked()] == ["Fragment"]
    with qtbot.waitSignal(bar.kind_chosen) as chosen:
        next(action for action in bar.kind.menu().actions() if action.text() == "Sentence").trigger()
    assert chosen.args == ["body"]
    heading = Occurrence(4, "What sleep is for", 1, "/d/a.html", 0, 0, "heading", ())
    bar.show_sentence(heading, None, busy=True, undoable=0)
    assert bar.about.accessibleDescription() == "heading (by its layout)"
    assert not bar.kind.isEnabled()


def test_the_bar_shows_what_was_left_out(qtbot: QtBot) -> None:
    bar = ExtractionBar()
    qtbot.addWidget(bar)
    bar.show()
    bar.show_omissions(Omissions(), 1)
    assert not bar.omitted.isVisible()
    texts = (OmittedText("running", "The Gazette", 1), OmittedText("running", "The Gazette, again", 2))
    bar.show_omissions(Omissions(5, texts), 2)
    assert bar.omitted.isVisible()
    assert bar.omitted.accessibleDescription() == "5 words skipped: The Gazette, again"
    assert "p. 1 · running head or page number · The Gazette<br>" in bar.omitted.toolTip()
    bar.show_omissions(Omissions(2, (OmittedText("navigation", "Home"), OmittedText("hidden", "Go"))), None)
    assert bar.omitted.accessibleDescription() == "2 words skipped: Home · Go"
    bar.show_omissions(None, 1)
    assert not bar.omitted.isVisible()


def test_the_boundaries_of_sentences_follow_the_text(themes: ThemeManager, qtbot: QtBot) -> None:
    view = StoredTextView(themes)
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    view.begin()
    view.add(
        [
            Occurrence(n, f"Sentence {n} of many.", 1, "/d/a.txt", n, n, "body", (Place(None, n, n + 1, "char"),))
            for n in range(400)
        ]
    )
    view.set_extraction_shown(True)

    def bounded() -> set[str]:
        return {selection.cursor.selectedText() for selection in view.extraSelections()}

    assert "Sentence 0 of many." in bounded()
    view.mark((300,), 300)  # scrolls while Qt sets its cursor
    qtbot.waitUntil(lambda: {"Sentence 299 of many.", "Sentence 300 of many."} <= bounded())
    assert "Sentence 0 of many." not in bounded()


def test_the_buttons_take_as_few_rows_as_there_is_room_for(qtbot: QtBot, themes: ThemeManager) -> None:
    bar = ExtractionBar()
    qtbot.addWidget(bar)
    bar.show()
    widest = max(button.sizeHint().width() for button in bar._all_buttons) + 6
    rows = []
    for width in (6 * widest, 3 * widest + 40, 2 * widest + 40):
        bar.resize(width, 200)
        bar.layout().activate()
        rows.append(len({button.y() for button in bar._all_buttons}))
    assert rows == [1, 2, 3]


def test_a_correction_that_ends_in_another_document_selects_nothing_there(filled: Kindred, qtbot: QtBot) -> None:
    sea, tags = (
        ShownDocument(row.document_id, row.path, name, "text")
        for name in ("sea.txt", "tags.md")
        for row in filled.library.rows.values()
        if row.path.endswith(name)
    )
    model = ExtractionModel(filled.window.session, filled.window)
    model.show(sea)
    model.set_on(True)
    model.step(1)
    qtbot.waitUntil(lambda: model.chosen is not None)
    model._correct(filled.workspace.change(lambda _library: None))
    model.show(tags)
    qtbot.waitUntil(lambda: not model.is_busy)
    ended: list[None] = []
    filled.bridge.call(filled.workspace.read(lambda _library: None), model, ended.append)
    qtbot.waitUntil(lambda: ended == [None])
    assert model.chosen is None


def test_a_click_behind_an_emoji_counts_the_letters_before_it(themes: ThemeManager, qtbot: QtBot) -> None:
    view = StoredTextView(themes)
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    view.begin()
    view.add([Occurrence(0, "🙂🙂 ab cd", 1, "/d/a.txt", 0, 0, "body", (Place(None, 0, 1, "char"),))])
    cursor = QTextCursor(view.document())
    cursor.setPosition(len("🙂🙂 ab ".encode("utf-16-le")) // 2)
    with qtbot.waitSignal(view.word_chosen) as chosen:
        view._press(view.cursorRect(cursor).center())
    assert chosen.args == [2]


def test_the_caret_stays_while_the_bar_is_shown_again(qtbot: QtBot) -> None:
    bar = ExtractionBar()
    qtbot.addWidget(bar)
    sentence = Occurrence(4, "It weighs 5\u00a0kg in all.", 1, "/d/a.pdf", 0, 0, "body", (Place(2, 0, 9, "text"),))
    bar.show_sentence(sentence, None, busy=False, undoable=0)
    bar.set_caret(sentence.text.index("in"))
    bar.show_sentence(sentence, PageNote(2, "text", "pdfium", 1.0), busy=False, undoable=0)
    assert sentence.text[bar.caret :] == "in all."


def test_two_readers_select_sentences_and_find_them_on_a_page_at_once(filled: Kindred, qtbot: QtBot) -> None:
    (sea,) = (
        ShownDocument(row.document_id, row.path, "sea", "text")
        for row in filled.library.rows.values()
        if row.path.endswith("sea.txt")
    )
    models = [ExtractionModel(filled.window.session, filled.window, name) for name in ("", "preview")]
    for model in models:
        model.show(sea)
        model.set_on(True)
    hold = filled.workspace.read(lambda _library: filled.querying.pass_through())
    filled.querying.shut()
    for model in models:
        model.step(1)
    filled.querying.open()
    hold.wait(PATIENCE_S)
    qtbot.waitUntil(lambda: all(model.chosen is not None for model in models))
