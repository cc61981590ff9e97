"""Typing, hits, keys, pages, and the newest answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import StorageFull
from desktop_app.core.jobs import Job
from desktop_app.core.query import parse_query
from desktop_app.core.records import Hit, Place, ScoredSentence
from desktop_app.engine.requests import SearchResult
from desktop_app.engine.search import SearchService
from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.results.highlighting import find_highlight_terms, find_matches, to_utf16_spans
from desktop_app.gui.results.hit_delegate import fit_hit_facts
from desktop_app.gui.search.query_bar import SearchOperatorsDialog
from desktop_app.gui.search.state import describe_relevance
from desktop_app.gui.widgets.text_layout import elide_at_word
from tests.gui.conftest import Kindred, search


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that were opened in another program."""
    paths: list[str] = []
    monkeypatch.setattr(desktop, "open_file", lambda path: paths.append(path) or True)
    return paths


def test_typing_finds_the_nearest_sentence_first(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "why the sea rises")
    assert shared.hits[0] == "The sea rises because warm water takes more room."
    assert shared.kind == ""
    assert len(shared.hits) == 7


def test_an_empty_box_shows_help(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    shared.window.search.box.clear()
    assert shared.kind == "idle"
    assert shared.hits == []


def test_only_the_newest_answer_is_shown(shared: Kindred, qtbot: QtBot) -> None:
    answers: list[str] = []
    shared.window.search.controller.answered.connect(
        lambda _again: answers.append(shared.window.search_pane.model.result.query)
    )
    shared.querying.shut()
    shared.window.search.box.setText("bread")
    qtbot.waitUntil(lambda: "bread" in shared.querying.passed)  # the engine works on it
    shared.window.search.box.setText("marshes")
    shared.querying.open()
    qtbot.waitUntil(lambda: not shared.window.search.controller.is_waiting)
    assert answers == ["marshes"]
    assert shared.hits[0].startswith("Salt marshes")


def test_each_letter_starts_a_search_at_once_and_none_queues_up(shared: Kindred, qtbot: QtBot) -> None:
    window, asked = shared.window, shared.querying.passed
    qtbot.keyClicks(window.search.box, "w")
    assert window.search.controller.is_waiting, "the search does not wait for a pause in typing"
    qtbot.waitUntil(lambda: "w" in asked)
    shared.querying.shut()
    qtbot.keyClicks(window.search.box, "a")
    qtbot.waitUntil(lambda: "wa" in asked)  # the engine works on it
    qtbot.keyClicks(window.search.box, "lls")
    shared.querying.open()
    qtbot.waitUntil(lambda: window.search.controller.is_answered)
    assert window.search_pane.model.result.query == "walls"
    assert not {"wal", "wall"} & set(asked), "letters that were typed over are skipped"


def test_enter_opens_nothing_of_an_earlier_query(shared: Kindred, qtbot: QtBot) -> None:
    window = shared.window
    search(shared, qtbot, "bread")
    shared.querying.shut()
    read = window.reader.current  # none yet, unless it took so long that the reader followed the list
    qtbot.keyClicks(window.search.box, " waits")
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    assert window.reader.current == read
    shared.querying.open()
    qtbot.waitUntil(lambda: window.search.controller.is_answered)
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    assert window.reader.current == window.search_pane.current


def test_arrows_move_through_hits_while_the_box_keeps_the_focus(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "sea")
    box, view = shared.window.search.box, shared.window.search_pane.view
    assert view.currentIndex().row() == 0
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 1
    assert box.hasFocus()
    qtbot.keyClick(shared.window, Qt.Key.Key_F3)
    assert view.currentIndex().row() == 2
    qtbot.keyClick(shared.window, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert view.currentIndex().row() == 1


def test_ctrl_and_a_click_leave_the_hit_marked_on_which_keys_act(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    view = shared.window.search_pane.view
    place = view.visualRect(shared.window.search_pane.model.index(1)).center()
    for keys in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, place)
        assert [index.row() for index in view.selectionModel().selectedIndexes()] == [1]
    assert view.currentIndex().row() == 1


def test_enter_shows_the_hit_in_the_reader(shared: Kindred, qtbot: QtBot, opened: list[str]) -> None:
    search(shared, qtbot, "sea walls cost money")
    qtbot.keyClick(shared.window.search.box, Qt.Key.Key_Return)
    assert shared.window.reader.current is not None
    assert shared.window.reader.current.text == "Sea walls cost money."
    assert opened == []


def test_a_hit_opens_outside_by_its_action(shared: Kindred, qtbot: QtBot, opened: list[str]) -> None:
    search(shared, qtbot, "sea walls cost money")
    shared.window.action_table["hit.open"].trigger()
    assert [path.rpartition("/")[2] for path in opened] == ["tags.md"]


def test_enter_while_typing_searches_at_once_and_opens_nothing(
    shared: Kindred, qtbot: QtBot, opened: list[str]
) -> None:
    shared.window.search.box.setText("bread")
    qtbot.keyClick(shared.window.search.box, Qt.Key.Key_Return)
    assert opened == []
    qtbot.waitUntil(lambda: bool(shared.hits) and shared.hits[0] == "Bread is mostly waiting.")


def test_a_missing_document_is_reported(filled: Kindred, qtbot: QtBot, files: Path) -> None:
    search(filled, qtbot, "bread")
    (files / "sea.txt").unlink()
    filled.window.action_table["hit.open"].trigger()
    assert "has moved or been deleted" in filled.window.notice.text


def test_escape_empties_the_box(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    qtbot.keyClick(shared.window.search.box, Qt.Key.Key_Escape)
    assert shared.window.search.box.text() == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_F, Qt.Key.Key_L])
def test_one_key_moves_to_the_search_box(shared: Kindred, qtbot: QtBot, key: Qt.Key) -> None:
    search(shared, qtbot, "bread")
    shared.window.library_pane.view.setFocus()
    qtbot.keyClick(shared.window, key, Qt.KeyboardModifier.ControlModifier)
    assert shared.window.search.box.hasFocus()
    assert shared.window.search.box.selectedText() == "bread"


def test_copying_gives_the_sentence_with_its_citation(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread waiting")
    for widget in (shared.window.search.box, shared.window.search_pane.view):
        QGuiApplication.clipboard().clear()
        widget.setFocus()
        qtbot.keyClick(widget, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "“Bread is mostly waiting.” (sea)"


def test_copying_selected_text_in_the_box_copies_that_text(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    shared.window.search.box.selectAll()
    qtbot.keyClick(shared.window.search.box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "bread"


def test_a_hit_dragged_out_is_text_with_a_citation(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread waiting")
    data = shared.window.search_pane.model.mimeData([shared.window.search_pane.model.index(0)])
    assert data.text() == "“Bread is mostly waiting.” (sea)"
    assert not data.hasHtml()


def test_markup_in_a_sentence_is_shown_as_plain_text(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "this sentence holds tags")
    assert shared.hits[0] == "This sentence holds <b>tags</b> & signs."
    card = shared.window.search_pane._cards._card(shared.window.search_pane.current, 600)
    assert card.text.text() == "This sentence holds <b>tags</b> & signs."


def test_rows_beyond_the_first_page_are_fetched_on_demand(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("\n".join(f"Sentence number {n} speaks of rivers." for n in range(130)))
    kindred.window.imports.start([str(book)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)
    kindred.library.hits_read.clear()
    search(kindred, qtbot, "rivers")
    model = kindred.window.search_pane.model
    qtbot.waitUntil(lambda: len(set(kindred.library.hits_read)) == 2)  # after typing has ended
    # Some of the letters typed may have been answered before the whole word was.
    *typed, rest = kindred.library.hits_read
    assert (set(typed), rest) == ({kindred.window.search.controller.visible_row_count()}, 50)
    first = typed[0]
    qtbot.waitUntil(lambda: model.rowCount() == first + 50)
    assert model.canFetchMore(QModelIndex())
    qtbot.keyClick(kindred.window.search_pane.view, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: model.rowCount() == first + 100)
    for _ in range(14):
        qtbot.keyClick(kindred.window.search.box, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: model.rowCount() == 130)
    assert not model.canFetchMore(QModelIndex())
    assert [model.hit(model.index(row)).rank for row in range(130)] == list(range(1, 131))


@pytest.mark.parametrize("size", [(700, 500), (1400, 900), (1600, 2000)])
def test_an_answer_fills_the_list_before_more_rows_are_fetched(
    kindred: Kindred, qtbot: QtBot, tmp_path: Path, size: tuple[int, int]
) -> None:
    (tmp_path / "short.txt").write_text("\n".join(f"Sea {n}." for n in range(200)))
    window, view = kindred.window, kindred.window.search_pane.view
    window.resize(*size)
    window.imports.start([str(tmp_path / "short.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 1)
    window.search.box.setText("sea")
    with qtbot.waitSignal(window.search.controller.answered):
        pass
    last = window.search_pane.model.rowCount() - 1
    assert last < 40, "and for each letter only visible hits are read"
    assert view.visualRect(window.search_pane.model.index(last)).bottom() >= view.viewport().rect().bottom()


def test_hits_follow_an_import_and_keep_the_selection(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    search(filled, qtbot, "sea")
    filled.window.search_pane.step(2)
    chosen = filled.window.search_pane.current
    more = tmp_path / "more.txt"
    more.write_text("Sea sea sea.\nAnother thing.")
    filled.window.imports.start([str(more)])
    qtbot.waitUntil(lambda: filled.hits[0] == "Sea sea sea.")
    assert filled.window.search_pane.current.sentence_id == chosen.sentence_id
    assert filled.window.search.box.text() == "sea"


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("the sea levels of a", "The sea in this season: a search of SEA levels.", ["sea", "SEA levels"]),
        (
            "rivers rising",
            "A river rose; rivers are rising (she rises), Mr Riverside.",
            ["river", "rivers", "rising", "rises"],
        ),
        ("cafés", "Two CAFE\u0301s and a café, the cafeteria.", ["CAFE\u0301s", "café"]),
        ("resume", "His résumé was resumed.", ["résumé", "resumed"]),
        ("waves don't", "It don\u2019t wave.", ["don\u2019t wave"]),
        # The stop words of an exact phrase count inside the phrase and nowhere else.
        ('"the rise of the sea"', "The sea and the rise of the seas of old.", ["sea", "the rise of the seas"]),
        ("+sea -wave", "Waves of the sea.", ["sea"]),
        ("sea - storm", "A storm at sea.", ["sea"]),
        ("in:papers type:pdf sea", "Papers of the sea, a pdf.", ["sea"]),
        ("🌊", "🌊 sea", []),
        ("", "The sea.", []),
    ],
)
def test_words_are_highlighted_in_every_form_that_the_index_finds(query: str, text: str, marked: list[str]) -> None:
    found = find_matches(text, find_highlight_terms(parse_query(query)))
    assert [text[start : start + length] for start, length in found] == marked


def test_highlights_count_characters_like_qt() -> None:
    text = "🌊🌊 sea"
    assert to_utf16_spans(text, find_matches(text, find_highlight_terms(parse_query("sea")))) == [(5, 3)]


def test_a_page_is_shown_by_its_label_and_only_for_documents_with_pages() -> None:
    def hit(page: int | None, label: str | None = None, also_in: int = 0) -> Hit:
        place = Place(page, 0, 1, "char")
        return Hit(1, 0.5, 1, "Text.", "", "", 1, "Title", "/t", "pdf", 0, "body", (place,), label, also_in)

    assert display_text.format_location(hit(4)) == "p. 4"
    assert display_text.format_location(hit(4, "iv")) == "p. iv"
    assert display_text.format_location(hit(None)) == ""
    assert display_text.format_location(replace(hit(4), type="epub")) == "chapter 4"
    assert display_text.format_location(replace(hit(4), type="email")) == "message 4"
    assert display_text.format_location(replace(hit(4), places=(Place(None, 12, 13, "row"),))) == "row 12"
    assert display_text.describe_other_documents(hit(1, also_in=3)) == "also in 3 other documents"
    assert display_text.cite_hit(hit(4)) == "“Text.” (Title, PDF p. 4)"
    assert display_text.format_score(-0.034) == "\N{MINUS SIGN}0.03"


def test_the_menu_of_a_hit_can_be_opened(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    view = shared.window.search_pane.view
    view.customContextMenuRequested.emit(view.visualRect(view.currentIndex()).center())
    menu = QApplication.activePopupWidget()
    assert [action.objectName() for action in menu.actions() if not action.isSeparator()] == [
        "hit.copy_citation",
        "hit.copy",
        "hit.copy_markdown",
        "hit.copy_bibtex",
        "hit.cite",
        "hit.copy_link",
        "hit.pin",
        "hit.relevant",
        "hit.not_relevant",
        "hit.more",
        "hit.compare",
        "reader.open_tab",
        "hit.open",
        "hit.show_in_folder",
        "hit.keys",
    ]
    menu.close()
    view.customContextMenuRequested.emit(QPoint(1, 100_000))
    assert QApplication.activePopupWidget() is None


def test_a_search_that_failed_is_repeated_when_the_person_tries_again(
    filled: Kindred, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read() -> None:
        raise StorageFull("The library cannot be read", "Check the disk.")

    def fail(_service: SearchService, *_arguments: object, **_more: object) -> Job[None]:
        return filled.workspace.engine.submit("find", read)

    with monkeypatch.context() as patch:
        patch.setattr(SearchService, "find_sentences", fail)
        search(filled, qtbot, "bread waiting")
        qtbot.waitUntil(lambda: filled.kind == "error")
    filled.window.action_table["library.reopen"].trigger()
    qtbot.waitUntil(lambda: filled.hits[:1] == ["Bread is mostly waiting."])
    assert filled.kind == ""


def test_odd_queries_raise_no_error(shared: Kindred, qtbot: QtBot) -> None:
    for query in ("x" * 10_000, "   ", "🌊", "\x00\x01", "\ud800", "a\u2028b"):
        shared.window.search.box.setText(query)
        qtbot.waitUntil(lambda: not shared.window.search.controller.is_waiting)
        assert shared.kind in ("", "idle", "nothing_found"), ascii(query[:9])
        search(shared, qtbot, "bread waiting")
        assert shared.hits[0] == "Bread is mostly waiting.", ascii(query[:9])


class TestHowToSearch:
    def test_a_mode_is_chosen_and_each_hit_shows_what_matched_it(self, shared: Kindred, qtbot: QtBot) -> None:
        window = shared.window
        search(shared, qtbot, "sea rises")
        assert window.search.controller.mode == "both"
        assert window.search_pane.model.result.hits[0].matched_by == ("meaning", "words")
        assert display_text.describe_search_method(window.search_pane.model.result.hits[0]) == "meaning and words"
        window.action_table["search.mode.words"].trigger()
        qtbot.waitUntil(lambda: not window.search.controller.is_waiting)
        assert window.search_pane.model.result.mode == "words"
        assert 0 < len(shared.hits) < 7
        assert all("sea" in text.lower() or "rises" in text for text in shared.hits)
        assert "with these words" in window.search_pane.info.text()
        buttons = window.search_pane.query_bar._buttons[:3]
        assert [button.isChecked() for button in buttons] == [False, False, True]
        buttons[2].click()
        assert [button.isChecked() for button in buttons] == [False, False, True], "the selection stays"

    def test_operators_are_chips_that_can_be_removed(self, shared: Kindred, qtbot: QtBot) -> None:
        shared.window.resize(1000, 800)
        bar = shared.window.search_pane.query_bar
        height = bar.height()
        search(shared, qtbot, "the sea -water type:pdf")
        qtbot.waitUntil(lambda: bar.height() > height)
        assert [chip.text().strip() for chip in bar.chips] == ["without “water”  ×", "type pdf  ×"], "whole words"
        assert [chip.accessibleName() for chip in bar.chips] == ["Remove: without “water”", "Remove: type pdf"]
        bar.chips[0].click()
        qtbot.waitUntil(lambda: shared.window.search.box.text() == "the sea type:pdf")
        assert len(bar.chips) == 1
        search(shared, qtbot, "the sea")
        assert bar.chips == []
        qtbot.waitUntil(lambda: bar.height() == height)

    def test_results_of_several_queries_are_good_for_any_or_for_all(self, shared: Kindred, qtbot: QtBot) -> None:
        pane, bar, actions = shared.window.search_pane, shared.window.search_pane.query_bar, shared.window.action_table
        search(shared, qtbot, "why the sea rises")
        assert bar.match.isHidden()
        assert not actions["search.match.all"].isEnabled()
        lower = pane.view.visualRect(pane.model.index(0)).height()
        search(shared, qtbot, "why the sea rises | bread -water")
        assert bar.match.isVisible()
        assert actions["search.match.any"].isChecked()
        assert len(bar.chips) == 1
        any_hits = shared.hits
        assert pane.view.visualRect(pane.model.index(0)).height() > lower, "each score has room"
        spoken = pane.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert "why the sea rises: " in spoken
        assert "bread: " in spoken
        actions["search.match.all"].trigger()
        qtbot.waitUntil(lambda: shared.window.search.box.text() == "why the sea rises | bread -water match:all")
        qtbot.waitUntil(lambda: shared.window.search.controller.is_answered)
        assert shared.hits != any_hits
        assert len(bar.chips) == 1, "the choice is shown once"
        assert actions["search.match.all"].isChecked()
        actions["search.match.any"].trigger()
        qtbot.waitUntil(lambda: shared.window.search.box.text() == "why the sea rises | bread -water")
        search(shared, qtbot, "bread match:all")
        assert [chip.text().strip() for chip in bar.chips] == ["matching all  ×"], "one query, so it can go"

    def test_conditions_without_room_for_a_chip_are_counted(self, shared: Kindred, qtbot: QtBot) -> None:
        shared.window.resize(1100, 800)
        bar = shared.window.search_pane.query_bar
        search(shared, qtbot, "the sea -water -bread -harbour -mountains type:text before:2999")
        assert 0 < len(bar.chips) < 6
        assert bar.more.isVisible()
        assert bar.more.text() == f"+{6 - len(bar.chips)}"
        assert "before 2999" in bar.more.accessibleName()
        assert bar.chips[-1].geometry().right() < bar.more.x()
        assert bar.more.geometry().right() < bar.width()
        search(shared, qtbot, "the sea -water")
        assert not bar.more.isVisible()

    def test_a_query_whose_conditions_exclude_everything_says_so(self, shared: Kindred, qtbot: QtBot) -> None:
        search(shared, qtbot, "bread in:nowhere")
        assert shared.kind == "nothing_left"
        assert shared.window.search_pane.info.text() == "", "without hits there is no note about them"

    def test_a_query_of_conditions_alone_says_what_to_add(self, shared: Kindred, qtbot: QtBot) -> None:
        search(shared, qtbot, "in:nowhere")
        assert shared.kind == "only_conditions"
        assert shared.window.search_pane.info.text() == "", "without hits there is no note about them"
        shared.window.action_table["search.notation"].trigger()
        (dialog,) = shared.window.findChildren(SearchOperatorsDialog)
        dialog.close()


def test_cards_grow_when_the_list_becomes_narrower(filled: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    more = tmp_path / "long.txt"
    more.write_text("\n".join(f"The sea {'is wide and deep and cold and ' * 8}old, number {n}." for n in range(30)))
    filled.window.imports.start([str(more)])
    qtbot.waitUntil(lambda: filled.is_quiet and "long" in filled.documents)
    search(filled, qtbot, "the sea is old")
    view, pane = filled.window.search_pane.view, filled.window.search_pane
    qtbot.waitUntil(lambda: len(filled.hits) > 20)
    pane.step(20)
    filled.window.splitter.setSizes([200, 900, 300])
    qtbot.waitUntil(lambda: view.width() > 700)
    before = view.visualRect(view.currentIndex()).height()
    filled.window.splitter.setSizes([500, 320, 600])
    qtbot.waitUntil(lambda: view.visualRect(view.currentIndex()).height() > 1.5 * before)
    rows = [view.visualRect(filled.window.search_pane.model.index(row)) for row in range(10)]
    needed = [
        view.itemDelegate().sizeHint(None, filled.window.search_pane.model.index(row)).height() for row in range(10)
    ]
    assert [row.height() for row in rows] == needed
    assert view.viewport().rect().contains(view.visualRect(view.currentIndex()).center()), "the selection stays visible"


def test_context_of_a_sentence_is_cut_between_words(themes: ThemeManager) -> None:
    metrics = QFontMetricsF(QApplication.font())
    text = "Nobody knows how thoroughly a hand's width of water changes the view of a harbour"
    for width in range(110, 520, 7):
        for mode in (Qt.TextElideMode.ElideLeft, Qt.TextElideMode.ElideRight):
            cut = elide_at_word(metrics, text, mode, width)
            assert metrics.horizontalAdvance(cut) <= width
            assert set(cut.strip("… ").split()) <= set(text.split()), cut
    assert elide_at_word(metrics, text, Qt.TextElideMode.ElideLeft, 5000) == text


def test_a_document_name_is_elided_only_after_its_details(themes: ThemeManager) -> None:
    measure = QFontMetricsF(QApplication.font())
    facts, found_by = ["p. 3", "above 99.6%"], "meaning and words"
    wide = {count: measure.horizontalAdvance("".join(f" · {part}" for part in facts[:count])) for count in (1, 2)}
    all_of_it = wide[2] + measure.horizontalAdvance(f" · {found_by}")

    def line(name_px: float, room_px: float) -> str:
        return fit_hit_facts(facts, found_by, name_px, measure, room_px)

    assert line(200, 200 + all_of_it) == " · p. 3 · above 99.6% · meaning and words"
    assert line(200, 199 + all_of_it) == " · p. 3 · above 99.6%", (
        "the whole name is more important than how it was found"
    )
    assert line(900, 2 * wide[2]) == " · p. 3 · above 99.6%", "a long name uses at most half of the line"
    assert line(900, 2 * wide[2] - 2) == " · p. 3", "but no more"
    assert line(40, 60) == "", "a fact is left out rather than cut"


def test_a_card_shows_that_its_page_was_read_by_ocr(shared: Kindred, qtbot: QtBot, themes: ThemeManager) -> None:
    search(shared, qtbot, "nobody looked for this")
    view, model = shared.window.search_pane.view, shared.window.search_pane.model
    first = model.index(0)
    hit = model.hit(first)

    def badge() -> int:
        """The number of pixels of the first card in the colour of a badge."""
        row = view.visualRect(first)
        image = view.viewport().grab(row).toImage()
        wanted = themes.theme.color("mark").rgb()
        return sum(
            image.pixel(x, y) == wanted
            for x in range(image.width())
            for y in range(image.height() // 2, image.height())
        )

    assert badge() == 0
    assert "OCR" not in first.data(Qt.ItemDataRole.AccessibleTextRole)
    model._hits[0] = replace(hit, is_recognised=True)
    assert badge() > 100
    assert "read by OCR" in first.data(Qt.ItemDataRole.AccessibleTextRole)


def test_more_hits_are_fetched_when_scrolling_to_the_end(kindred: Kindred, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("\n".join(f"The sea on day {n} at {7 * n} o'clock." for n in range(450)), "utf-8")
    window, model = kindred.window, kindred.window.search_pane.model
    window.imports.start([str(tmp_path / "log.txt")])
    qtbot.waitUntil(lambda: kindred.is_quiet and "450" in kindred.documents.get("log", ""))
    search(kindred, qtbot, "the sea on day")
    qtbot.waitUntil(lambda: bool(kindred.hits))
    assert len(model.result.found) == 200
    assert "Top 200 of 450" in window.search_pane.info.text()
    window.search.hits.export(str(tmp_path / "all.csv"))
    qtbot.waitUntil(lambda: "Exported" in window.notice.text)
    assert len((tmp_path / "all.csv").read_text("utf-8").splitlines()) == 451, "all hits, not the first"
    nearest = [near.sentence_id for near in model.result.found]

    def scroll() -> bool:
        window.search_pane.view.scrollToBottom()
        return model.rowCount() == 450

    qtbot.waitUntil(scroll)
    assert [near.sentence_id for near in model.result.found][:200] == nearest
    assert "450" in window.search_pane.info.text()
    assert not model.canFetchMore(QModelIndex())
    search(kindred, qtbot, "the sea at")
    assert len(model.result.found) == 200, "another query starts with its nearest hits"


def test_a_message_says_that_no_hit_is_nearer_than_chance() -> None:
    found = (ScoredSentence(1, 0.05),)
    result = SearchResult("the weather tomorrow", "both", found, (), 500, 0.0, chance=0.2)
    assert "No good matches. Showing" in describe_relevance(result, ())
    assert describe_relevance(replace(result, chance=0.01), ()) == ""
    unknown = replace(result, mode="words", chance=None, is_query_known=False)
    assert describe_relevance(unknown, ()) == "The model doesn't recognize these words. Showing keyword matches."
    foreign = replace(unknown, foreign_language="ja")
    assert describe_relevance(foreign, ()) == "This model isn't trained for Japanese. Showing keyword matches."


def test_a_card_keeps_the_page_longer_than_the_words_that_lifted_it(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "nobody looked for this")
    view, model = shared.window.search_pane.view, shared.window.search_pane.model
    page = replace(model.hit(model.index(0)).places[0], page=69, line=None, unit="pdfium")
    hit = replace(model.hit(model.index(0)), type="pdf", lifted_by=("application", "type", "file"), places=(page,))
    delegate = view.itemDelegate()
    assert delegate._about(hit, "a.pdf", 900) == " · p. 69 · words matched: application, type, file"
    assert delegate._about(hit, "a.pdf", 200) == " · p. 69"
