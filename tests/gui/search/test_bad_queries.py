"""Bad queries raise nothing, give honest answers, and the window continues to work."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.gui.results.scope import days_part, folder_part, type_part
from tests.bad_queries import BAD_QUERIES
from tests.gui.conftest import Kindred, search

MODES = ("both", "meaning", "words")


def test_any_query_is_answered_and_so_is_the_next(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    answers = ("", "idle", "nothing_found", "nothing_left", "only_conditions")
    for name, query in BAD_QUERIES.items():
        for mode in MODES:
            window.action_table[f"search.mode.{mode}"].trigger()
            window.search.box.setText(query)
            qtbot.waitUntil(lambda: not window.search.controller.is_waiting)
            assert shared.kind in answers, f"{name}: an answer, not an error"
            result = window.search_pane.model.result
            if result is not None:
                assert len({near.sentence_id for near in result.found}) == len(result.found), name
                assert all("\n" not in each for each in (result.query, window.search_pane.info.text())), name
        window.action_table["search.mode.both"].trigger()
        search(shared, qtbot, "bread waiting")
        assert shared.hits[0] == "Bread is mostly waiting.", name


def test_a_query_of_stop_words_finds_sentences_with_them(shared: Kindred, qtbot: QtBot) -> None:
    shared.window.action_table["search.mode.words"].trigger()
    search(shared, qtbot, "is")
    assert shared.hits == ["Bread is mostly waiting."]


@pytest.mark.parametrize(
    "parts", [[type_part("pdf")], [folder_part("/nowhere/at all"), days_part(7)]], ids=["type", "two"]
)
def test_a_filter_that_excludes_everything_can_be_removed(shared: Kindred, qtbot: QtBot, parts: list) -> None:
    for mode in MODES:
        shared.window.action_table[f"search.mode.{mode}"].trigger()
        search(shared, qtbot, "sea")
        shared.window.search_pane.scope.set_parts(parts)
        qtbot.waitUntil(lambda: shared.kind == "nothing_here")
        assert "search.everywhere" in shared.window.search_pane.state._view.actions
        shared.window.action_table["search.everywhere"].trigger()
        qtbot.waitUntil(lambda: len(shared.hits) > 0)


def test_a_hit_of_a_vanished_document_is_reported_and_not_shown_again(
    filled: Kindred, qtbot: QtBot, files: Path
) -> None:
    window = filled.window
    search(filled, qtbot, "sea walls cost money")
    assert filled.hits[0] == "Sea walls cost money."
    (files / "tags.md").unlink()
    window.action_table["hit.open"].trigger()
    assert "has moved or been deleted" in window.notice.text
    document = window.search_pane.current.document_id
    window.removals.remove([document])
    qtbot.waitUntil(lambda: document in filled.library.removed)
    search(filled, qtbot, "sea walls cost")
    assert "Sea walls cost money." not in filled.hits
    assert filled.hits
