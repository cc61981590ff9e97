"""The comparison of two sentences: measures while typing, the nearest sentences of each, and every state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage, QKeySequence, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from desktop_app.core.duplicates import PairVerdict
from desktop_app.core.errors import AppError
from desktop_app.core.jobs import Job, Lane
from desktop_app.core.query import clean_query
from desktop_app.core.records import PairScore, WordComparison
from desktop_app.engine.requests import EXPLAINED_CHARACTERS, Comparison, Explanation
from desktop_app.gui.base import desktop
from desktop_app.gui.base.requests import LatestAnswer
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.compare import result_card, sentence_field
from desktop_app.gui.compare.dialog import CompareDialog
from desktop_app.gui.compare.word_view import WordAlignmentView
from desktop_app.gui.widgets.cosine_scale import CosineScaleView, judged_pair_bands
from tests.gui.conftest import Kindred, close, search
from tests.gui.fakes import FakeEncoder

SEA = "The sea rises because warm water takes more room."
LEVEL = "Warm water takes room."


@pytest.fixture
def comparing(shared: Kindred) -> Iterator[Kindred]:
    """The window of all tests; each has a dialog of its own."""
    yield shared
    controller = shared.window.compare_controller
    if "dialog" in vars(controller):
        controller.dialog.close()
        controller.dialog.deleteLater()
        del controller.dialog


def opened(kindred: Kindred) -> CompareDialog:
    kindred.window.action_table["compare.open"].trigger()
    dialog = kindred.window.findChild(CompareDialog)
    assert dialog.isVisible()
    return dialog


def test_typing_replaces_the_sentences_of_the_last_time(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    dialog.first.field.setPlainText(SEA)
    dialog.second.field.setPlainText(LEVEL)
    dialog.close()
    opened(comparing)
    assert dialog.focusWidget() is dialog.first.field
    qtbot.keyClicks(dialog.first.field, "Salt.")
    qtbot.keyClicks(dialog.second.field, "Bread.")
    assert (dialog.first.field.toPlainText(), dialog.second.field.toPlainText()) == ("Salt.", "Bread.")


def settle(dialog: CompareDialog, qtbot: QtBot) -> None:
    questions = (dialog.question, dialog.first.question, dialog.second.question, dialog.explanation)
    qtbot.waitUntil(lambda: not any(question.is_waiting for question in questions))


def compare(dialog: CompareDialog, qtbot: QtBot, first: str, second: str) -> None:
    dialog.first.field.setPlainText(first)
    dialog.second.field.setPlainText(second)
    settle(dialog, qtbot)


def figures(dialog: CompareDialog) -> list[str]:
    return [dialog.card.figures[key][0].text() for key in ("cosine", "dot", "euclidean")]


def rows(dialog: CompareDialog, side: str) -> list[str]:
    model = getattr(dialog, side).near.model
    return [model.index(row).data() for row in range(model.rowCount())]


# Figures


def test_the_measures_follow_the_typed_text(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    qtbot.keyClicks(dialog.first.field, SEA)
    qtbot.keyClicks(dialog.second.field, LEVEL)
    settle(dialog, qtbot)
    u, v = FakeEncoder().encode([SEA, LEVEL]).astype(float)
    assert figures(dialog) == [f"{u @ v:.4f}", f"{u @ v:.4f}", f"{np.linalg.norm(u - v):.4f}"]
    assert dialog.card.scale.value == pytest.approx(u @ v)
    qtbot.keyClicks(dialog.second.field, " Bread.")
    settle(dialog, qtbot)
    assert figures(dialog)[0] != f"{u @ v:.4f}"


def test_a_note_says_that_the_measures_of_a_normalising_model_agree(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    assert not dialog.card.agreement.isVisible(), "details are for those who ask"
    dialog.card.details.click()
    assert dialog.card.agreement.isVisible()
    assert "The three measures agree" in dialog.card.agreement.text()
    assert f"2\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{figures(dialog)[0]}" in dialog.card.figures["euclidean"][1].text()


def test_a_note_says_that_the_measures_of_other_models_may_differ(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(a: str, b: str, *, model: str) -> Job[Comparison]:
        job: Job[Comparison] = Job("compare", Lane.FRONT, None, lambda: None)  # type: ignore[arg-type, return-value]
        job.finish(Comparison(a, b, PairScore(-0.5, -12.0, 7.25), normalised=False, verdict=None, kind="unrelated"))
        return job

    monkeypatch.setattr(comparing.workspace.comparison, "compare", answer)
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    assert figures(dialog) == ["\N{MINUS SIGN}0.5000", "\N{MINUS SIGN}12.0000", "7.2500"]
    assert "rank pairs differently" in dialog.card.agreement.text()
    assert "√" not in dialog.card.figures["euclidean"][1].text()


def test_equal_sentences_have_cosine_one_and_no_measure_is_minus_zero(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "bread", "bread")
    assert figures(dialog) == ["1.0000", "1.0000", "0.0000"]
    compare(dialog, qtbot, "bread", "marshes")
    assert figures(dialog)[0] == "0.0000"
    shown = result_card.format_measures(
        Comparison("a", "b", PairScore(-0.00001, -0.0, 0.00001), normalised=True, verdict=None, kind="unrelated")
    )
    assert set(shown.values()) == {"0.0000"}


def test_an_empty_field_clears_the_answer(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    dialog.second.field.clear()
    assert figures(dialog) == ["–", "–", "–"]
    assert dialog.card.scale.value is None
    assert not dialog.copy_button.isEnabled()
    assert "Enter another sentence" in dialog.card.message.text()
    dialog.first.field.setPlainText(" \n ")
    assert "Enter two sentences" in dialog.card.message.text()


def test_a_long_text_is_cleaned_once_for_all_that_ask(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, cleaned = opened(comparing), []

    def clean(text: str) -> str:
        cleaned.append(text)
        return clean_query(text)

    monkeypatch.setattr(sentence_field, "clean_query", clean)
    first, second = "Nobody has imported this.", "Nor has anybody imported that."
    compare(dialog, qtbot, first, second)
    assert [cleaned.count(text) for text in (first, second)] == [1, 1]
    qtbot.keyClicks(dialog.second.field, "x")
    assert dialog.second.field.sentence in (f"x{second}", f"{second}x")
    dialog.second.field.undo()
    assert dialog.second.field.sentence == second


def test_of_a_very_long_text_the_beginning_is_explained(qtbot: QtBot, themes: ThemeManager) -> None:
    view = WordAlignmentView(themes)
    qtbot.addWidget(view)
    long = "word " * EXPLAINED_CHARACTERS
    found = Explanation(long, SEA, "unrelated", (), ((0, 4),), (), None, (True, True), None, None)
    view.show_explanation(found)
    assert len(view.texts[0]._text) == EXPLAINED_CHARACTERS + 1
    assert view.texts[1]._text == SEA
    words = WordComparison(("word",), ("The",), np.zeros((1, 1), np.float32), (), True)
    view.show_explanation(replace(found, words=words))
    assert "Differences are shown in the first 5,000 characters" in view.message.text()


def test_a_note_says_that_a_long_text_is_cut(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "many words " * 200, LEVEL)
    assert "words of a long text" in dialog.card.note.text()


def test_a_note_says_that_the_model_does_not_know_the_language(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeEncoder, "model", replace(FakeEncoder.model, languages=("en",)))
    dialog = opened(comparing)
    compare(dialog, qtbot, "The tenant pays the rent.", "桜の花が咲いています。")
    qtbot.waitUntil(lambda: "isn't trained for Japanese" in dialog.card.note.text())
    compare(dialog, qtbot, SEA, LEVEL)
    qtbot.waitUntil(lambda: "trained" not in dialog.card.note.text())


def test_any_text_survives(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    long = ("x" * 10_000, "word " * 2_000, "🌊" * 500)
    for text in (*long, "a \ud800 b", "\x00\x01", "<b>bold</b> & <img src=x>", "عربى"):
        compare(dialog, qtbot, text, SEA)
        assert dialog.question.error is None, ascii(text[:20])
        dialog.swap()
        settle(dialog, qtbot)
        assert dialog.first.field.toPlainText() == SEA, ascii(text[:20])


def test_a_lone_surrogate_survives(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "🌊 sea", SEA)
    cursor = dialog.first.field.textCursor()
    cursor.setPosition(1)
    cursor.setPosition(2, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    settle(dialog, qtbot)
    assert dialog.question.error is None
    assert dialog.question.answer is not None


# The newest answer


def test_only_the_newest_question_is_answered(comparing: Kindred, qtbot: QtBot) -> None:
    jobs: list[Job[str]] = []

    def ask() -> Job[str]:
        jobs.append(Job("question", Lane.FRONT, None, lambda: None))  # type: ignore[arg-type, return-value]
        return jobs[-1]

    question: LatestAnswer[str] = LatestAnswer(comparing.window.session, ask, comparing.window)
    question.ask(at_once=True)
    question.ask(at_once=True)
    jobs[1].finish("new")
    jobs[0].finish("old")
    done: list[object] = []
    comparing.bridge.call(comparing.workspace.read(lambda _library: None), comparing.window, done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert question.answer == "new"
    question.ask(at_once=True)
    question.clear()
    jobs[2].finish("too late")
    done.clear()
    comparing.bridge.call(comparing.workspace.read(lambda _library: None), comparing.window, done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert question.answer is None
    assert question.state == "nothing"
    question.stop()


def test_the_search_and_both_lists_do_not_cancel_each_other(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    comparing.querying.shut()
    comparing.window.search.box.setText("bread")
    dialog.first.field.setPlainText("salt marshes")
    dialog.second.field.setPlainText("drains")
    for side in (dialog.first, dialog.second):
        side.question.ask(at_once=True)
    comparing.querying.open()
    settle(dialog, qtbot)
    qtbot.waitUntil(lambda: not comparing.window.search.controller.is_waiting)
    assert comparing.hits[0].startswith("Bread")
    assert rows(dialog, "first")[0].startswith("Salt marshes")
    assert "drains" in rows(dialog, "second")[0]


# Nearest sentences


def test_the_nearest_sentences_of_a_field_leave_out_its_own(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, "sea walls")
    assert len(rows(dialog, "first")) == 4
    assert SEA not in rows(dialog, "first")
    assert rows(dialog, "second")[0] == "Sea walls cost money."


def test_a_near_sentence_is_put_into_the_other_field_and_can_be_undone(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "sea walls", "what I had typed")
    view = dialog.first.near.view
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(0, 0)).center())
    assert dialog.second.field.toPlainText() == "Sea walls cost money."
    dialog.second.field.undo()
    assert dialog.second.field.toPlainText() == "what I had typed"
    settle(dialog, qtbot)
    dialog.second.near.view.setFocus()
    best = rows(dialog, "second")[0]
    qtbot.keyClick(dialog.second.near.view, Qt.Key.Key_Return)
    assert dialog.first.field.toPlainText() == best


def test_a_near_sentence_can_be_opened(comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    paths: list[str] = []
    monkeypatch.setattr(desktop, "open_file", lambda path: paths.append(path) or True)
    dialog = opened(comparing)
    hits: list[object] = []
    comparing.window.context.navigator.open_hit.connect(hits.append)
    compare(dialog, qtbot, "sea walls", "")
    qtbot.keyClick(dialog.first.near.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [hit.text for hit in hits] == ["Sea walls cost money."]  # type: ignore[attr-defined]
    view = dialog.first.near.view
    view.customContextMenuRequested.emit(view.visualRect(view.model().index(0, 0)).center())
    menu = QApplication.activePopupWidget()
    menu.actions()[1].trigger()
    menu.close()
    assert len(hits) == 2
    view.customContextMenuRequested.emit(QPoint(1, 100_000))
    assert QApplication.activePopupWidget() is None


def test_new_documents_are_found_too(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = opened(filled)
    compare(dialog, qtbot, "lighthouse keepers", "")
    late = tmp_path / "late.txt"
    late.write_text("The lighthouse keepers sleep by day.", "utf-8")
    filled.window.imports.start([str(late)])
    qtbot.waitUntil(lambda: "The lighthouse keepers sleep by day." in rows(dialog, "first"))


# States


def test_an_empty_library_is_reported(kindred: Kindred, qtbot: QtBot) -> None:
    dialog = opened(kindred)
    assert "appear here" in dialog.first.near.message.text()
    compare(dialog, qtbot, SEA, LEVEL)
    assert dialog.first.near.message.text() == "Your library is empty."
    assert figures(dialog)[0] != "–"


def test_a_sentence_in_a_language_that_the_model_does_not_know_has_no_similar_ones(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(filled)
    compare(dialog, qtbot, SEA, LEVEL)
    question = dialog.first.question
    unknown = replace(question.answer, hits=(), found=(), is_query_known=False, foreign_language="de")
    monkeypatch.setattr(question, "answer", unknown)
    question.changed.emit()
    assert dialog.first.near.message.text() == "This model isn't trained for German."


def test_the_answer_follows_as_soon_as_the_model_is_loaded(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    kindred = make(loaded=False)
    qtbot.waitUntil(lambda: kindred.window.session.phase == "loading")
    dialog = opened(kindred)
    dialog.first.field.setPlainText(SEA)
    dialog.second.field.setPlainText(LEVEL)
    qtbot.waitUntil(lambda: dialog.question.state == "getting_ready")
    assert "Loading model" in dialog.card.message.text()
    qtbot.waitUntil(lambda: "Loading model" in dialog.first.near.message.text())
    kindred.loading.open()
    qtbot.waitUntil(lambda: figures(dialog)[0] != "–")
    settle(dialog, qtbot)


def test_an_error_is_explained(comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_named: object) -> object:
        raise AppError("The model has gone", "Bring its folder back.")

    dialog = opened(comparing)
    compare(dialog, qtbot, "bread", "sea")
    with monkeypatch.context() as broken:
        broken.setattr(FakeEncoder, "encode", refuse)
        compare(dialog, qtbot, "new words", "others")
        assert dialog.card.message.text() == "The model has gone. Bring its folder back."
        assert dialog.first.near.message.text() == "The model has gone. Bring its folder back."
        assert figures(dialog) == ["–", "–", "–"]
    compare(dialog, qtbot, "paraphrase", "sea")
    assert dialog.card.message.text() == ""
    assert figures(dialog)[0] != "–"


def test_a_library_that_cannot_be_opened_is_reported(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    def refuse() -> object:
        raise AppError("Another window has this library", "Close it first.")

    kindred = make(open_library=refuse)
    qtbot.waitUntil(lambda: kindred.window.session.phase == "failed")
    dialog = opened(kindred)
    dialog.first.field.setPlainText(SEA)
    dialog.second.field.setPlainText(LEVEL)
    qtbot.waitUntil(lambda: dialog.card.message.text() == "Another window has this library. Close it first.")


# Actions


def test_swap_copy_and_clear(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "bread waits", "the bread")
    dialog.swap_button.click()
    settle(dialog, qtbot)
    assert dialog.first.field.toPlainText() == "the bread"
    dialog.copy_button.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[:2] == ["the bread", "bread waits"]
    assert lines[3:] == [
        f"Cosine similarity: {figures(dialog)[0]}",
        f"Dot product: {figures(dialog)[1]}",
        f"Euclidean distance: {figures(dialog)[2]}",
        "Model: all-MiniLM-L6-v2",
    ]
    dialog.clear_button.click()
    assert dialog.first.field.toPlainText() == dialog.second.field.toPlainText() == ""
    assert not dialog.clear_button.isEnabled()
    assert not dialog.swap_button.isEnabled()


def test_a_hit_becomes_the_first_sentence(comparing: Kindred, qtbot: QtBot) -> None:
    assert not comparing.window.action_table["hit.compare"].isEnabled()
    search(comparing, qtbot, "bread")
    comparing.window.action_table["hit.compare"].trigger()
    dialog = comparing.window.findChild(CompareDialog)
    assert dialog.first.field.toPlainText() == "Bread is mostly waiting."
    assert dialog.focusWidget() is dialog.second.field
    dialog.second.field.setPlainText("kept")
    comparing.window.search_pane.step(1)
    comparing.window.action_table["hit.compare"].trigger()
    assert comparing.window.findChildren(CompareDialog) == [dialog]
    assert dialog.first.field.toPlainText() != "Bread is mostly waiting."
    assert dialog.second.field.toPlainText() == "kept"
    settle(dialog, qtbot)


def test_two_hits_one_after_the_other_are_compared(comparing: Kindred, qtbot: QtBot) -> None:
    search(comparing, qtbot, "bread")
    comparing.window.action_table["hit.compare"].trigger()
    dialog = comparing.window.findChild(CompareDialog)
    comparing.window.action_table["hit.compare"].trigger()
    assert dialog.second.field.toPlainText() == "", "a sentence is not compared with itself"
    comparing.window.search_pane.step(1)
    other = comparing.window.search_pane.current.text
    comparing.window.action_table["hit.compare"].trigger()
    assert dialog.first.field.toPlainText() == "Bread is mostly waiting."
    assert dialog.second.field.toPlainText() == other
    settle(dialog, qtbot)
    assert len(figures(dialog)[0]) > 1
    dialog.second.field.setPlainText("")
    dialog.close()
    comparing.window.action_table["hit.compare"].trigger()
    assert dialog.first.field.toPlainText() == other, "it was closed: it starts from the beginning"


def test_ctrl_shift_d_opens_it_and_esc_closes_it(comparing: Kindred, qtbot: QtBot) -> None:
    qtbot.keySequence(comparing.window, QKeySequence("Ctrl+Shift+D"))
    dialog = comparing.window.findChild(CompareDialog)
    assert not dialog.isModal()
    assert dialog.focusWidget() is dialog.first.field
    qtbot.keyClick(dialog.first.field, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_no_two_buttons_share_a_letter(language: str, make: Callable[..., Kindred], qtbot: QtBot) -> None:
    dialog = opened(make())
    letters = [button.shortcut().toString() for button in dialog.findChildren(QAbstractButton) if button.shortcut()]
    assert sorted(letters) == sorted(set(letters))
    assert dialog.swap_button.shortcut() == QKeySequence("Alt+S")


def test_tab_moves_through_fields_lists_and_buttons(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, "bread")
    dialog.activateWindow()
    dialog.first.field.setFocus()
    seen = []
    for _ in range(12):
        seen.append(dialog.focusWidget())
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert seen[:11] == [
        dialog.first.field,
        dialog.second.field,
        dialog.swap_button,
        dialog.card.details,
        dialog.verdict.same,
        dialog.verdict.different,
        dialog.parts.tabs[0],
        dialog.first.near.view,
        dialog.second.near.view,
        dialog.copy_button,
        dialog.clear_button,
    ]
    assert dialog.focusWidget() is dialog.first.field
    assert dialog.first.field.toPlainText() == SEA


def test_paste_inserts_plain_text(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    QGuiApplication.clipboard().setText("<b>pasted</b>")
    qtbot.keySequence(dialog.first.field, QKeySequence(QKeySequence.StandardKey.Paste))
    assert dialog.first.field.toPlainText() == "<b>pasted</b>"
    settle(dialog, qtbot)


def test_it_remembers_its_place_and_closes_with_the_window(make: Callable[..., Kindred], qtbot: QtBot) -> None:
    first = make()
    dialog = opened(first)
    dialog.resize(777, 666)
    close(first)
    second = make()
    dialog = opened(second)
    assert (dialog.width(), dialog.height()) == (777, 666)
    dialog.first.field.setPlainText("bread")
    second.window.close()
    assert not dialog.isVisible()
    assert not dialog.first.question.is_waiting


def test_it_keeps_its_texts_while_closed(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    dialog.close()
    again = opened(comparing)
    assert again is dialog
    settle(dialog, qtbot)
    assert again.first.field.toPlainText() == SEA
    assert figures(again)[0] != "–"


# Accessibility and painting


def test_measures_and_rows_have_accessible_texts(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    figure = QAccessible.queryAccessibleInterface(dialog.card.figures["cosine"][0])
    assert figure.text(QAccessible.Text.Name) == "Cosine similarity"
    assert figure.text(QAccessible.Text.Description) == figures(dialog)[0]
    row = QAccessible.queryAccessibleInterface(dialog.first.near.view).child(0)
    assert row.text(QAccessible.Text.Name).startswith(rows(dialog, "first")[0])
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in dialog.findChildren(QLabel))


def test_bands_are_shown_only_for_measured_models(comparing: Kindred, qtbot: QtBot) -> None:
    assert judged_pair_bands("another model") == ()
    bands = judged_pair_bands("all-MiniLM-L6-v2")
    assert all(-1 <= band.low < band.high <= 1 for band in bands)
    assert [band.low for band in bands] == sorted(band.low for band in bands)
    dialog = opened(comparing)
    assert not dialog.card.source.isVisible()
    assert not dialog.card.figures["dot"][0].isVisible()
    assert dialog.card.figures["cosine"][0].isVisible()
    dialog.card.details.click()
    assert dialog.card.source.isVisible()
    assert dialog.card.figures["dot"][0].isVisible()
    assert "Guidance only" in dialog.card.source.text()


@pytest.mark.parametrize("value", [-1.0, -0.3, 0.0, 0.5, 1.0, 1.0000001, None])
def test_the_mark_is_on_the_scale(themes: ThemeManager, qtbot: QtBot, value: float | None) -> None:
    scale = CosineScaleView(themes)
    qtbot.addWidget(scale)
    scale.show_bands(judged_pair_bands("all-MiniLM-L6-v2"))
    scale.resize(scale.sizeHint())
    scale.show_value(value)
    scale.grab()
    if value is not None:
        assert 0 <= scale._x(value) <= scale.width()
        assert scale._x(value) >= scale._x(-1.0)
    QApplication.sendEvent(scale, QEvent(QEvent.Type.PaletteChange))


def test_the_class_of_a_trained_head_is_shown(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    assert "trained to say" not in dialog.card.note.text()
    monkeypatch.setattr(FakeEncoder, "verdict", PairVerdict("same", 0.93))
    compare(dialog, qtbot, LEVEL, SEA)
    assert "answer: same (probability 0.93)" in dialog.card.note.text()
    assert dialog.verdict.kind.text() == "Paraphrase"


def test_the_threshold_of_a_trained_model_is_used(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(comparing)
    monkeypatch.setattr(FakeEncoder, "verdict", PairVerdict("different", margin=-0.125))
    compare(dialog, qtbot, LEVEL, SEA)
    assert "answer: different (\N{MINUS SIGN}0.13 from its threshold)" in dialog.card.note.text().replace(
        "-", "\N{MINUS SIGN}"
    )
    assert dialog.verdict.kind.text() in ("Related", "Unrelated")


def test_the_score_that_a_trained_model_expects_is_shown(
    kindred: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(kindred)
    monkeypatch.setattr(FakeEncoder, "verdict", PairVerdict(score=0.93))
    compare(dialog, qtbot, LEVEL, SEA)
    assert "The score that the model expects: 0.93 of 1." in dialog.card.note.text()


# Explanation


def test_it_shows_the_percentile_and_the_differences(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "The sea rises in May 2020.", "The sea never rises in May 2021.")
    shown = [badge for badge, chip in dialog.verdict.badges.items() if chip.isVisible()]
    assert shown == ["negation", "dates"]
    assert dialog.verdict.kind.text() == "Near-duplicate"
    assert dialog.card.figures["percentile"][0].text() == "–", "a library of a few sentences says nothing"
    assert "has 50 sentences" in dialog.card.figures["percentile"][1].text()
    dialog.second.field.clear()
    assert not any(chip.isVisible() for chip in dialog.verdict.badges.values())
    assert not dialog.verdict.same.isEnabled()


def test_it_shows_that_words_mean_the_opposite(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "The sea level rose.", "The sea level fell.")
    assert [chip.text() for chip in dialog.verdict.badges.values() if chip.isVisible()] == ["opposite words"]


def test_it_shows_that_words_are_swapped(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "The dog bit the man.", "The man bit the dog.")
    assert [chip.text() for chip in dialog.verdict.badges.values() if chip.isVisible()] == ["swapped words"]


def test_the_percentile_needs_enough_sentences(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing.workspace.comparison, "_find_percentile", lambda cosine: 99.96)
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    assert dialog.card.figures["percentile"][0].text() == "99.9%"
    assert "unlikely to be chance" in dialog.card.figures["percentile"][1].text()
    dialog.copy_button.click()
    assert "More similar than 99.9% of random pairs" in QGuiApplication.clipboard().text()


def test_words_that_belong_together_are_shown(comparing: Kindred, qtbot: QtBot, themes: ThemeManager) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "warm water rises", "cold water rises today")
    dialog.parts.tabs[1].click()
    heat = dialog.parts.words.map
    assert heat.isVisible()
    assert heat.accessibleDescription() == "water – water; rises – rises"
    assert dialog.parts.words.message.text().startswith("The stronger the colour, the more similar two words are")
    heat.setFocus(Qt.FocusReason.TabFocusReason)
    assert heat.chosen == (0, 0)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
        qtbot.keyClick(heat, key)
    assert heat.chosen == (1, 1)
    assert heat.accessibleDescription() == "“water” and “water”: 1.00, best match"
    assert heat.cell_at(heat.cell(2, 3).center().toPoint()) == (2, 3)
    assert heat.cell_at(QPoint(2, 2)) is None
    texts = dialog.parts.words.texts
    assert [text.accessibleDescription() for text in texts] == ["warm", "cold, today"]
    dialog.grab()
    dialog.second.field.clear()
    assert heat.accessibleDescription() == ""
    assert dialog.parts.words.message.text() == "Word-by-word alignment appears here."
    dialog.parts.tabs[0].click()
    compare(dialog, qtbot, SEA, LEVEL)


def test_it_fits_on_a_screen_of_eight_hundred_pixels(filled: Kindred, qtbot: QtBot) -> None:
    dialog = opened(filled)
    dialog.resize(880, 800 - 48)
    compare(dialog, qtbot, "The sea rises because " + "warm " * 12 + "water takes more room.", LEVEL)
    for tab in dialog.parts.tabs:
        tab.click()
        dialog.grab()
        assert dialog.area.verticalScrollBar().maximum() == 0, tab.text()
    # On a smaller screen, it scrolls to the selected tab.
    dialog.resize(840, 480)
    for tab in dialog.parts.tabs:
        dialog.area.verticalScrollBar().setValue(0)
        tab.click()
        qtbot.waitUntil(lambda: not dialog.parts.stack.visibleRegion().isEmpty())


def test_a_judgement_is_stored(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    with qtbot.waitSignal(comparing.window.context.pair_judged) as judged:
        dialog.verdict.different.click()
    assert judged.args == [(SEA, LEVEL, False)]
    compare(dialog, qtbot, LEVEL, "bread")
    assert not dialog.verdict.different.isChecked()
    compare(dialog, qtbot, LEVEL, SEA)
    assert dialog.verdict.different.isChecked(), "in either order"
    with qtbot.waitSignal(comparing.window.context.pair_judged) as judged:
        dialog.verdict.same.click()
    assert not dialog.verdict.different.isChecked()
    with qtbot.waitSignal(comparing.window.context.pair_judged) as judged:
        dialog.verdict.same.click()
    assert judged.args == [(LEVEL, SEA, None)]


def test_a_judgement_that_cannot_be_stored_is_undone(
    comparing: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AppError("The disk is full", "Make room.")

    monkeypatch.setattr(comparing.library.pair_labels, "judge", fail)
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    dialog.verdict.same.click()
    qtbot.waitUntil(lambda: dialog.card.message.text() == "The disk is full. Make room.")
    assert not dialog.verdict.same.isChecked()
    comparing.window.session.changed.emit()
    assert dialog.card.message.isVisible(), "the state of the library does not take the message away"
    compare(dialog, qtbot, SEA, "Bread is mostly waiting.")
    assert not dialog.card.message.isVisible()


def test_earlier_pairs_come_back(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, SEA, LEVEL)
    dialog.show_request(ComparisonRequest("bread", "waiting"))
    settle(dialog, qtbot)
    dialog.swap()
    settle(dialog, qtbot)
    lines = [dialog.history.index(row).data() for row in range(dialog.history.rowCount())]
    assert [line.split("   ")[1] for line in lines] == ["bread  –  waiting", f"{SEA}  –  {LEVEL}"]
    dialog.parts.tabs[2].click()
    dialog.parts.earlier.setCurrentIndex(dialog.history.index(2))
    dialog.parts.earlier.activated.emit(dialog.history.index(2))
    settle(dialog, qtbot)
    assert (dialog.first.field.sentence, dialog.second.field.sentence) == (SEA, LEVEL)
    assert dialog.history.rowCount() == 3
    dialog.clear()
    assert dialog.history.index(0).data().endswith(f"{SEA}  –  {LEVEL}")
    assert dialog.history.rowCount() == 3, "each pair once"


def test_a_click_in_the_history_compares_the_pair_under_the_pointer(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    for first, second in ((SEA, LEVEL), ("bread", "waiting"), ("salt", "waves"), ("kitchen", "cool")):
        dialog.show_request(ComparisonRequest(first, second))
        settle(dialog, qtbot)
    dialog.first.field.setFocus()
    dialog.parts.tabs[2].click()
    view = dialog.parts.earlier
    lines = [dialog.history.index(row).data().split("   ")[1] for row in range(dialog.history.rowCount())]
    assert lines[0] == "kitchen  –  cool", "the pair that is compared now is on top"
    at = view.visualRect(dialog.history.index(2)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(dialog, qtbot)
    assert f"{dialog.first.field.sentence}  –  {dialog.second.field.sentence}" == lines[2]
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(dialog, qtbot)
    assert f"{dialog.first.field.sentence}  –  {dialog.second.field.sentence}" == lines[2]
    qtbot.keyClicks(dialog.second.field, "!")
    settle(dialog, qtbot)
    view.clicked.emit(dialog.history.index(1))
    settle(dialog, qtbot)
    assert f"{dialog.first.field.sentence}  –  {dialog.second.field.sentence}" == lines[1]
    dialog.first.field.setFocus()
    assert dialog.history.index(0).data().split("   ")[1] != lines[0], "the later pairs are listed, too"


def test_a_pasted_picture_leaves_the_selected_text(comparing: Kindred, qtbot: QtBot) -> None:
    dialog = opened(comparing)
    compare(dialog, qtbot, "The sea level rose.", "The sea level fell.")
    field = dialog.first.field
    field.selectAll()
    QGuiApplication.clipboard().setImage(QImage(4, 4, QImage.Format.Format_RGB32))
    field.paste()
    assert field.toPlainText() == "The sea level rose."


def test_a_hit_is_dragged_into_a_field_and_the_search_box_without_its_citation(
    comparing: Kindred, qtbot: QtBot
) -> None:
    search(comparing, qtbot, "bread")
    hits = comparing.window.search_pane.model
    dragged = hits.mimeData([hits.index(0)])
    sentence = hits.index(0).data()
    assert dragged.text() == f"“{sentence}” (sea)", "for other programs"
    dialog = opened(comparing)
    dialog.first.field.insertFromMimeData(dragged)
    assert dialog.first.field.toPlainText() == sentence
    comparing.window.search.box.clear()
    comparing.window.search.box.insertFromMimeData(dragged)
    assert comparing.window.search.box.text() == sentence
    settle(dialog, qtbot)
