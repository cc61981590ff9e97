"""The pane that checks a draft: its sentences, their sources, and what one can do with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.records import Hit
from desktop_app.core.scope import Scope
from desktop_app.gui.models.multilingual_dialog import MultilingualDialog
from desktop_app.gui.trace.actions import TRACE_ACTION_IDS
from desktop_app.gui.trace.pane import TracePane
from desktop_app.gui.widgets.buttons import ActionButton
from desktop_app.store.library import LocalLibrary
from tests.gui.conftest import Kindred, import_files, save, write_files
from tests.gui.fakes import FakeEncoder

SEA = "The sea rises because warm water takes more room."
NEAR = "Coastal towns have to adapt drains."
DRAFT = f"{SEA}\n{NEAR}\nNothing like it."


@pytest.fixture
def pane(stored: Kindred) -> TracePane:
    stored.window.context.navigator.show_pane.emit("trace")
    pane = stored.window.panes.pane("trace")
    assert isinstance(pane, TracePane)
    return pane


@pytest.fixture
def checked(shared: Kindred, qtbot: QtBot) -> TracePane:
    """The pane with a checked draft, in the window of the file."""
    shared.window.context.navigator.show_pane.emit("trace")
    pane = shared.window.panes.pane("trace")
    assert isinstance(pane, TracePane)
    check(pane, qtbot)
    return pane


def check(pane: TracePane, qtbot: QtBot, text: str = DRAFT) -> None:
    pane.controller.trace_text(text)
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert pane.controller.state == "found"


def test_a_draft_is_counted_and_each_sentence_shows_its_sources(pane: TracePane, stored: Kindred, qtbot: QtBot) -> None:
    actions = stored.window.action_table
    assert not any(actions[name].isEnabled() for name in TRACE_ACTION_IDS)
    check(pane, qtbot)
    assert all(actions[name].isEnabled() for name in TRACE_ACTION_IDS)
    assert (pane.name.text(), pane.about.text()) == ("Pasted text", "3 sentences")
    assert not pane.skipped_notice.isVisible()
    assert not pane.stale_notice.isVisible()
    assert not pane.notice.isVisible()
    assert not pane.work.isVisible()
    assert pane.texts is not None
    assert pane.texts.kinds == ["verbatim", "paraphrased", "unsupported"]
    explanation = pane.sources.explanation
    for row, source in ((0, SEA), (1, "Coastal towns have to adapt their drains."), (2, None)):
        pane.view.choose(row)
        current = pane.sources.current
        assert (current.text if current is not None else None) == source
    assert "The most similar sentence scores" in explanation.text()
    pane.view.choose(0)
    assert "The most similar sentence scores" not in explanation.text()
    pane.sources.show_sentence(None)
    assert "Select a sentence" in explanation.text()


def test_steps_go_through_the_sentences_without_a_source(checked: TracePane, shared: Kindred, qtbot: QtBot) -> None:
    check(checked, qtbot, f"{DRAFT}\n{SEA}\nQuite another matter.")
    seen = []
    for action in ("next", "next", "next", "previous", "previous"):
        shared.window.action_table[f"trace.{action}"].trigger()
        seen.append(checked.view.current)
    assert seen == [2, 4, 4, 2, 2]


def test_a_kind_that_is_picked_is_highlighted(checked: TracePane, qtbot: QtBot) -> None:
    checked.kinds.picked.emit(["unsupported"])
    assert checked.view.current == 2
    checked.kinds.picked.emit(["verbatim"])
    assert checked.view.current == 0, "above the current sentence"


def test_a_source_is_opened_and_copied(checked: TracePane, shared: Kindred, qtbot: QtBot) -> None:
    opened: list[Hit] = []
    shared.window.context.navigator.open_hit.connect(opened.append)
    checked.view.opened.emit(0, None)
    assert [hit.text for hit in opened] == [SEA]
    checked.view.opened.emit(2, None)
    assert len(opened) == 1, "there is none"
    checked.view.choose(0)
    checked.copy()
    assert QApplication.clipboard().text().startswith(SEA)
    assert "sea" in QApplication.clipboard().text().removeprefix(SEA)
    checked.sources.copy()
    assert SEA in QApplication.clipboard().text()


def test_a_draft_comes_from_the_clipboard_as_text_or_as_a_file(
    pane: TracePane, stored: Kindred, tmp_path: Path, qtbot: QtBot
) -> None:
    QApplication.clipboard().setText(NEAR)
    pane.paste()
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert (pane.name.text(), pane.about.text()) == ("Pasted text", "1 sentence")
    (tmp_path / "draft.txt").write_text(f"{SEA}\nNothing like it.", "utf-8")
    sea = next(each for each in stored.window.documents.all_documents() if each.path.endswith("sea.txt"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "draft.txt")), QUrl.fromLocalFile(sea.path)])
    QApplication.clipboard().setMimeData(data)
    pane.paste()
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert (pane.name.text(), pane.about.text()) == ("draft.txt", "2 sentences"), "the first of several files"
    QApplication.clipboard().clear()
    pane.paste()
    assert pane.name.text() == "draft.txt"


def test_a_draft_that_cannot_be_read_is_reported_in_its_place(
    pane: TracePane, stored: Kindred, tmp_path: Path, qtbot: QtBot
) -> None:
    check(pane, qtbot)
    pane.controller.trace_file(str(tmp_path / "gone.txt"))
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert (pane.controller.state, pane.name.text()) == ("failed", "gone.txt")
    assert pane.stack.currentWidget() is pane.state
    assert not stored.window.action_table["trace.export"].isEnabled()
    check(pane, qtbot)
    assert pane.stack.currentWidget() is pane.traced
    assert stored.window.action_table["trace.export"].isEnabled()


def test_sources_can_be_looked_for_in_one_document(pane: TracePane, stored: Kindred, qtbot: QtBot) -> None:
    check(pane, qtbot)
    tags = next(each for each in stored.window.documents.all_documents() if each.path.endswith("tags.md"))
    pane.controller.set_scope(Scope(document_ids=frozenset([tags.document_id])))
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert pane.controller.found is not None
    assert pane.controller.found.coverage["verbatim"] == 0
    pane.all_passages.setChecked(True)
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert pane.controller.scope.document_ids == {tags.document_id}
    assert pane.controller.all_passages


def test_the_former_result_returns_with_its_choice_of_passages(pane: TracePane, qtbot: QtBot) -> None:
    check(pane, qtbot)
    controller = pane.controller
    former = controller._shown
    pane.all_passages.setChecked(True)
    qtbot.waitUntil(lambda: not controller.is_working)
    assert controller._shown is not None
    controller._shown = replace(controller._shown, trace=replace(controller._shown.trace, left=5))
    controller.former = former  # as after stopping
    controller.restore_former()
    assert controller._shown is former
    assert not pane.all_passages.isChecked()
    assert not controller.all_passages
    assert not controller.is_working


def test_a_change_of_the_library_is_noted_until_the_draft_is_checked_again(
    pane: TracePane, stored: Kindred, tmp_path: Path, qtbot: QtBot
) -> None:
    check(pane, qtbot)
    (tmp_path / "more.txt").write_text("Nothing like it.", "utf-8")
    stored.window.imports.start([str(tmp_path / "more.txt")])
    qtbot.waitUntil(lambda: stored.is_quiet and len(stored.documents) == 3)
    qtbot.waitUntil(pane.stale_notice.isVisible)
    stored.window.action_table["trace.again"].trigger()
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    assert not pane.stale_notice.isVisible()
    assert pane.texts is not None
    assert pane.texts.kinds == ["verbatim", "paraphrased", "verbatim"]


def test_the_note_of_a_change_names_the_shortcut_in_force(pane: TracePane, stored: Kindred) -> None:
    actions = stored.window.action_table
    assert pane.stale_notice.text() == "Library changed. Press F5 to check the draft again."
    actions.assign({"trace.again": "F7"})
    assert pane.stale_notice.text() == "Library changed. Press F7 to check the draft again."
    assert pane.again.toolTip().endswith("(F7)")
    actions.assign({"trace.again": ""})
    assert pane.stale_notice.text() == "Library changed. Check the draft again to see what's new."
    assert not pane.again.toolTip().endswith(")")


def test_a_draft_is_written_with_its_sources(checked: TracePane, tmp_path: Path, qtbot: QtBot) -> None:
    save(checked, tmp_path / "draft.md")
    qtbot.waitUntil((tmp_path / "draft.md").exists)
    text = (tmp_path / "draft.md").read_text("utf-8")
    assert f"{SEA} [^1]" in text or f"{SEA}[^1]" in text
    assert "Nothing like it.\n" in text


def test_a_draft_enters_the_library_as_its_file_or_text(
    pane: TracePane, stored: Kindred, tmp_path: Path, qtbot: QtBot
) -> None:
    kept: list[str] = []
    imported: list[list[str]] = []
    navigator = stored.window.context.navigator
    navigator.keep_text.disconnect()
    navigator.import_files.disconnect()
    navigator.keep_text.connect(kept.append)
    navigator.import_files.connect(imported.append)
    check(pane, qtbot)
    pane.add_to_library()
    assert (kept, imported) == ([DRAFT], [])
    (tmp_path / "draft.txt").write_text(SEA, "utf-8")
    pane.controller.trace_file(str(tmp_path / "draft.txt"))
    qtbot.waitUntil(lambda: not pane.controller.is_working)
    pane.add_to_library()
    assert imported == [[str(tmp_path / "draft.txt")]]
    assert len(kept) == 1


def test_a_hidden_pane_has_no_enabled_actions_and_a_narrow_one_its_sources_below(
    pane: TracePane, stored: Kindred, qtbot: QtBot
) -> None:
    check(pane, qtbot)
    for width, is_wide in ((719, False), (720, True)):
        pane.setMaximumWidth(width)
        pane.resize(width, 500)
        qtbot.waitUntil(lambda is_wide=is_wide: pane.about.isVisible() == is_wide)
        assert (pane.sources.x() > pane.view.x()) == is_wide
    stored.window.context.navigator.show_pane.emit("search")
    assert not any(stored.window.action_table[name].isEnabled() for name in TRACE_ACTION_IDS)


def test_a_draft_in_a_language_that_the_model_does_not_know_says_so(
    checked: TracePane, shared: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeEncoder, "model", replace(FakeEncoder.model, languages=("en",)))
    assert not checked.language_notice.isVisible()
    lease = "Der Mieter zahlt die Miete am ersten Tag jedes Monats. Haustiere sind in der Wohnung nicht erlaubt.\n" * 2
    check(checked, qtbot, lease)
    assert checked.language_notice.isVisible()
    assert "German" in checked.language_notice.text
    checked.language_notice.pressed.emit()
    (dialog,) = shared.window.findChildren(MultilingualDialog)
    dialog.close()
    check(checked, qtbot)
    assert not checked.language_notice.isVisible()


def test_nothing_is_called_unsupported_by_an_empty_library(
    make: Callable[..., Kindred], tmp_path: Path, qtbot: QtBot
) -> None:
    empty = make(open_library=lambda: LocalLibrary.open(tmp_path / "empty", writable=True, create=True))
    qtbot.waitUntil(lambda: empty.window.session.phase == "ready" and empty.kind == "no_documents")
    empty.window.context.navigator.show_pane.emit("trace")
    pane = empty.window.panes.pane("trace")
    assert isinstance(pane, TracePane)
    check(pane, qtbot)
    assert pane.stack.currentWidget() is pane.state
    assert pane.state.title.text() == "Import documents to check a draft"
    import_files(empty, write_files(tmp_path), qtbot)
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.traced)
    assert pane.stale_notice.isVisible()


def test_a_draft_of_headings_alone_can_be_checked_after_all(pane: TracePane, tmp_path: Path, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: pane.controller.has_documents)
    check(pane, qtbot, DRAFT)
    found = replace(pane.controller.found, sentences=(), skipped=3)
    pane.controller._shown = replace(pane.controller._shown, trace=found)
    pane.controller.changed.emit()
    assert pane.state.title.text() == "No sentences in this draft"

    def offered() -> list[ActionButton]:
        buttons = pane.state.findChildren(ActionButton)
        return [each for each in buttons if each.isVisible() and each.text() == "Check All Passages"]

    qtbot.waitUntil(lambda: len(offered()) == 1)
    offered()[0].click()
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.traced)
    assert pane.controller.all_passages


def test_a_draft_that_is_checked_again_stays_at_its_sentence(pane: TracePane, tmp_path: Path, qtbot: QtBot) -> None:
    file = tmp_path / "draft.txt"
    lines = [f"Sentence number {number} is about bread." for number in range(60)]
    file.write_text("\n".join(lines), "utf-8")

    def check_file() -> None:
        pane.controller.trace_file(str(file))
        qtbot.waitUntil(lambda: not pane.controller.is_working)

    check_file()
    pane.view.choose(50)
    file.write_text("\n".join(["Another one comes first.", *lines]), "utf-8")
    check_file()
    assert pane.texts.sentences[pane.view.current].text == lines[50], "also if it has moved"
    file.write_text("\n".join(lines[:20]), "utf-8")
    check_file()
    assert pane.view.current == 19, "near its place if it is gone"
    check(pane, qtbot)
    assert not pane.view.current, "another draft begins at its beginning"
