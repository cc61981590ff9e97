"""The parts of the reader: page layout, text under the pointer, selection, cached pictures, long texts, errors."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import Box, OutlineEntry, PageCharacters, PagedFile, PageImage, PageSize, SentenceToLocate
from desktop_app.core.query import parse_query
from desktop_app.core.records import Document, Occurrence, Place
from desktop_app.engine.engine import Engine
from desktop_app.engine.pages import PageService
from desktop_app.gui.base.actions import shortcut_text
from desktop_app.gui.base.bridge import Bridge
from desktop_app.gui.base.theme import DARK, LIGHT, Theme, ThemeManager, mix_colours
from desktop_app.gui.reader import page_loader, page_painting
from desktop_app.gui.reader.header import ReaderHeader
from desktop_app.gui.reader.outline import OutlinePopup
from desktop_app.gui.reader.page_canvas import GAP_PX, PageLayout, fit_scale
from desktop_app.gui.reader.page_selection import PageSelection
from desktop_app.gui.reader.page_text import PageTextIndex
from desktop_app.gui.reader.page_view import PageView, find_word_boxes
from desktop_app.gui.reader.text_view import StoredTextView
from desktop_app.gui.results.highlighting import find_highlight_terms
from tests.engine.fakes import NoScans, make_context
from tests.gui.conftest import Kindred, search
from tests.gui.fakes import Gate
from tests.gui.shell.test_main_window import contrast
from tests.patience import PATIENCE_S

SIZES = [PageSize(600, 800), PageSize(800, 600), PageSize(600, 800)]


def typed(*lines: str, left: float = 50, top: float = 100, page: int = 1) -> PageCharacters:
    """A page on which every character is 10 wide and every line 20 apart and 12 high."""
    chars: list[str] = []
    boxes = array("f")
    for row, line in enumerate(lines):
        for column, char in enumerate(f"{line}\n"):
            chars.append(char)
            x, y = left + 10 * column, top + 20 * row
            boxes.extend((0, 0, 0, 0) if char in " \n\u00ad" else (x, y, x + 10, y + 12))
    return PageCharacters(page, "".join(chars), boxes)


# --- Layout ---


def test_pages_are_stacked_and_centred() -> None:
    layout = PageLayout(SIZES, 0.5, 1000, 1.0)
    first, second, third = layout.rects
    assert first.top() == GAP_PX
    assert second.top() == first.bottom() + GAP_PX
    assert third.top() == second.bottom() + GAP_PX
    assert {rect.center().x() for rect in layout.rects} == {500.0}
    assert layout.height == third.bottom() + GAP_PX


def test_layout_finds_the_pages_at_a_height() -> None:
    layout = PageLayout(SIZES, 0.5, 1000, 1.0)
    second = layout.rect(2)
    assert list(layout.between(0, 10)) == []
    assert list(layout.between(second.top() + 1, second.bottom() - 1)) == [2]
    assert list(layout.between(0, layout.height)) == [1, 2, 3]
    assert [layout.nearest(y) for y in (0, second.center().y(), layout.height * 2)] == [1, 2, 3]
    assert PageLayout((), 1.0, 100, 1.0).nearest(5) == 0


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_a_page_is_a_whole_number_of_pixels_wide(ratio: float) -> None:
    for rect in PageLayout(SIZES, 0.7313, 640, ratio).rects:
        assert (rect.width() * ratio) == pytest.approx(round(rect.width() * ratio))


def test_points_and_boxes_are_converted_between_page_and_layout() -> None:
    layout = PageLayout(SIZES, 2.0, 100, 1.0)
    box = layout.from_page(2, Box(10, 20, 30, 40))
    assert layout.to_page(2, box.topLeft()) == QPointF(10, 20)
    assert (box.width(), box.height()) == (40, 40)


def test_pages_are_fitted_to_the_viewport() -> None:
    assert fit_scale(SIZES, 1, "width", 828, 400) == 1.0
    assert fit_scale(SIZES, 1, "page", 828, 428) == 0.5
    assert fit_scale((), 1, "width", 800, 400) == 1.0


# --- Text under the pointer ---


def test_the_nearest_position_between_characters_is_found() -> None:
    text = PageTextIndex(typed("The sea", "rises"))
    assert text.position_at(51, 105) == 0
    assert text.position_at(58, 105) == 1
    assert text.position_at(900, 105) == 7
    assert text.position_at(51, 125) == 8
    assert text.text[text.index_at(83, 105) or 0] == "e"
    assert text.index_at(83, 300) is None
    assert text.is_over_text(60, 105)
    assert not text.is_over_text(60, 300)
    assert PageTextIndex(typed()).position_at(5, 5) == 0


def test_a_word_continues_across_a_hyphen_at_the_end_of_a_line() -> None:
    text = PageTextIndex(typed("the har\u00ad", "bour wall"))
    at = text.text.index("bour")
    start, stop = text.word_at(at + 1)
    assert text.plain(start, stop) == "harbour"
    start, stop = text.line_at(at)
    assert text.plain(start, stop) == "bour wall"


def test_copied_text_is_one_line() -> None:
    text = PageTextIndex(typed("one two", "out-of-", "scope is har\u00ad", "bour"))
    assert text.plain(0, len(text.text)) == "one two out-of-scope is harbour"


def test_a_range_has_one_box_per_line() -> None:
    text = PageTextIndex(typed("The sea", "rises"))
    assert text.boxes(4, 10) == [Box(90, 100, 120, 112), Box(50, 120, 70, 132)]
    assert text.boxes(3, 3) == []


def test_a_line_without_an_end_is_no_part_of_the_next_one() -> None:
    """PDFium writes no line end between a paragraph's short last line and the next paragraph."""
    page = typed("two or three.", "Mr. Okafor asked")
    joined = PageTextIndex(PageCharacters(1, page.text.replace("\n", " "), page.boxes))
    assert joined.boxes(0, 3) == [Box(50, 100, 80, 112)]
    assert joined.boxes(7, 17) == [Box(120, 100, 180, 112), Box(50, 120, 80, 132)]
    assert joined.line_at(3) == (0, 14)


def test_a_tall_sign_makes_the_other_words_of_its_line_no_taller() -> None:
    page = typed("Spouse {")
    tall = array("f", [*page.boxes[: 7 * 4], 120, 90, 130, 130, 0, 0, 0, 0])
    assert PageTextIndex(PageCharacters(1, page.text, tall)).boxes(0, 6) == [Box(50, 100, 110, 112)]


def test_a_vertical_column_is_one_line() -> None:
    boxes = array("f", [side for nth in range(4) for side in (50, 100 + 12 * nth, 62, 110 + 12 * nth)])
    assert len(PageTextIndex(PageCharacters(1, "縦書き文", boxes)).boxes(0, 4)) == 1


def test_a_selection_spans_pages() -> None:
    texts = {1: PageTextIndex(typed("end of one")), 2: PageTextIndex(typed("start of two"))}
    selection = PageSelection(texts.get)
    selection.begin(1, QPointF(50 + 7 * 10, 105), "character")
    selection.extend(2, QPointF(50 + 5 * 10, 105))
    assert selection.plain() == "one start"
    assert list(selection.pages) == [1, 2]
    selection.extend(1, QPointF(50, 105))
    assert selection.plain() == "end of"
    selection.begin(2, QPointF(112, 105), "word")
    assert selection.plain() == "of" or selection.plain() == "start"
    selection.clear()
    assert selection.is_empty


def test_nothing_can_be_selected_while_the_text_is_unknown() -> None:
    selection = PageSelection(lambda _page: None)
    selection.begin(1, QPointF(5, 5), "character")
    selection.extend(1, QPointF(50, 5))
    assert selection.is_empty
    assert selection.plain() == ""


# --- Pictures ---


class Pages:
    """Answers at once, with grey pages; page 3 cannot be drawn."""

    def __init__(self) -> None:
        self.drawn: list[tuple[int, int]] = []

    def render_page(self, _path: str, _passwords: Sequence[str], page: int, width_px: int, _dark: Any) -> Any:
        self.drawn.append((page, width_px))
        if page == 3:
            return Now(FileFailure("damaged", "Page 3 is damaged and cannot be shown"))
        return Now(PageImage(page, width_px, 10, 4 * width_px, bytes([200]) * 40 * width_px))

    def page_boxes(self, _path: str, _passwords: Sequence[str], page: int, sentences: Sequence[Any]) -> Any:
        return Now([(Box(100, 700, 300, 712),) for _ in sentences])

    def page_characters(self, _path: str, _passwords: Sequence[str], page: int) -> Any:
        return Now(typed("the only line", page=page))

    def close(self) -> None:
        pass


class Now:
    has_partial_answer = False

    def __init__(self, value: Any) -> None:
        self._value = value

    def poll(self) -> Any:
        if isinstance(self._value, Exception):
            raise self._value
        return self._value

    def abandon(self) -> None:
        pass


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def show(themes: ThemeManager, qtbot: QtBot, pages: Pages) -> Iterator[Callable[..., PageView]]:
    """Show fake pages in a separate view."""
    engine = Engine()
    engine.start()
    bridge = Bridge()
    views: list[QWidget] = []

    def make(sizes: Sequence[PageSize] = SIZES) -> PageView:
        library = SimpleNamespace(ocr_pages=NoScans())
        view = PageView(PageService(make_context(engine, lambda: library, start_pages=lambda: pages)), bridge, themes)
        views.append(view)
        view.resize(640, 480)
        view.show()
        view.show_file("a.pdf", PagedFile(tuple(sizes)))
        qtbot.waitUntil(lambda: view.loader.picture(1) is not None)
        return view

    yield make
    engine.stop()
    bridge.close()
    for view in views:
        view.close()
        view.deleteLater()
    bridge.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_only_visible_pages_and_their_neighbours_are_drawn(show: Callable[..., PageView], pages: Pages) -> None:
    show([PageSize(600, 800)] * 500)
    assert {page for page, _ in pages.drawn} <= {1, 2}


@pytest.mark.qt_log_ignore("not accepted by receiving widget")  # releases go on to what is behind the page
def test_clicks_on_a_page_select_words_and_lines(show: Callable[..., PageView], qtbot: QtBot) -> None:
    view = show()
    qtbot.waitUntil(lambda: view.loader.text(1) is not None)
    view.selection.begin(1, QPointF(50, 105), "line")
    line = view.selection_rects()[0]
    view.selection.clear()
    word = QPoint(round(line.left() + line.width() * 5.5 / 13), round(line.center().y()))
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=word)
    assert view.selection.plain() == "only"
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=word)
    assert view.selection.plain() == "the only line", "a third click in a row"


def test_a_page_that_cannot_be_drawn_shows_why(show: Callable[..., PageView], qtbot: QtBot) -> None:
    view = show()
    view.go_to(3)
    qtbot.waitUntil(lambda: bool(view.loader.failure(3)))
    assert view.loader.failure(3) == "Page 3 is damaged and cannot be shown"
    assert not view.grab().isNull()


def test_pictures_use_bounded_memory(
    show: Callable[..., PageView], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_loader, "MAX_CACHE_BYTES", 120_000)
    view = show([PageSize(600, 800)] * 40)
    for page in (10, 20, 30, 40):
        view.go_to(page)
        qtbot.waitUntil(lambda page=page: view.loader.picture(page) is not None)
    assert view.loader.cache_bytes <= 120_000 + 2 * 40 * 700
    assert view.loader.picture(1) is None


def test_another_file_with_as_many_pages_starts_at_its_top(show: Callable[..., PageView], qtbot: QtBot) -> None:
    view = show([PageSize(960, 540)] * 3)
    view.verticalScrollBar().setValue(300)
    view.show_file("b.pdf", PagedFile((PageSize(595, 842),) * 3))
    assert (view.verticalScrollBar().value(), view.page) == (0, 1)


def test_a_match_of_a_former_file_is_not_shown_in_the_next_one(show: Callable[..., PageView], qtbot: QtBot) -> None:
    sizes = [PageSize(600, 800)] * 5
    view = show(sizes)
    view.reveal_found(5, 0, 3)
    view.show_file("b.pdf", PagedFile(tuple(sizes)))
    view.loader.request_text(5)
    qtbot.waitUntil(lambda: view.loader.text(5) is not None)
    assert view.verticalScrollBar().value() == 0


def test_scrolling_to_a_sentence_shows_the_text_above_it(show: Callable[..., PageView], qtbot: QtBot) -> None:
    view = show()
    view.mark([SentenceToLocate("Here.", (Place(1, 0, 5, "pdfium"),))], 0)
    qtbot.waitUntil(lambda: bool(view.current_rects()))
    rect = view.current_rects()[0]
    assert 0.2 * 480 < rect.top() < 0.4 * 480
    at = view.verticalScrollBar().value()
    view.mark([SentenceToLocate("Here.", (Place(1, 0, 5, "pdfium"),))], 0)
    assert view.verticalScrollBar().value() == at


def test_a_sentence_without_a_page_is_not_found(show: Callable[..., PageView], qtbot: QtBot) -> None:
    view = show()
    with qtbot.waitSignal(view.located) as located:
        view.mark([SentenceToLocate("Here.", (Place(99, 0, 5, "pdfium"),))], 0)
    assert located.args == [False]


def test_words_are_found_within_their_sentence_and_across_the_end_of_a_line() -> None:
    text = PageTextIndex(typed("The sea is high. The har\u00ad", "bours of the seas wait."))
    sentence = [Box(220, 100, 290, 112), Box(50, 120, 280, 132)]
    found = find_word_boxes(text, sentence, find_highlight_terms(parse_query("harbour sea")))
    assert found == [Box(260, 100, 290, 112), Box(50, 120, 100, 132), Box(180, 120, 220, 132)]
    assert find_word_boxes(text, [], find_highlight_terms(parse_query("sea"))) == []


def test_words_are_highlighted_on_a_page_once_its_characters_are_known(
    show: Callable[..., PageView], qtbot: QtBot
) -> None:
    view = show()
    sentence = SentenceToLocate("Only lines.", (Place(1, 0, 5, "pdfium"),))
    view.mark([sentence], 0, sought=find_highlight_terms(parse_query("lines")), seeks=False)
    qtbot.waitUntil(lambda: len(view.word_rects(1)) == 1)
    (word,) = view.word_rects(1)
    view.verticalScrollBar().setValue(round(word.top()) - 100)

    def is_yellow() -> bool:
        """Return whether the highlight has the colour of the list of hits; the page below may still be loading."""
        (word,) = view.word_rects(1)
        seen = view.viewport().grab().toImage().pixelColor(word.center().toPoint())
        return seen.blue() < seen.red() - 20

    qtbot.waitUntil(is_yellow)
    view.mark([sentence], 0, seeks=False)
    assert view.word_rects(1) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("dark", [False, True])
def test_marked_text_can_be_read(theme: Theme, dark: bool) -> None:
    paper, ink = page_painting.paper_colour(theme, dark=dark), page_painting.ink_colour(theme, dark=dark)
    assert contrast(paper.name(), ink.name()) >= 7
    for strength in ("current", "other", "word"):
        tint = (
            page_painting.word_highlight_tint(dark=dark)
            if strength == "word"
            else page_painting.highlight_tint(theme, strength, dark=dark)
        )
        if dark:
            blend = [1 - (1 - a) * (1 - b) for a, b in zip(paper.getRgbF()[:3], tint.getRgbF()[:3], strict=True)]
        else:
            blend = [a * b for a, b in zip(paper.getRgbF()[:3], tint.getRgbF()[:3], strict=True)]
        colour = "#" + "".join(f"{round(255 * channel):02x}" for channel in blend)
        assert contrast(colour, ink.name()) >= 4.5, (strength, colour)
    mixed = mix_colours(
        theme.color("panel"), theme.color("accent"), page_painting.TINT_STRENGTHS["current"][theme.dark] * 0.8
    )
    assert contrast(mixed.name(), theme.text) >= 4.5


# --- Stored text ---


def stored(
    count: int, *, first: int = 0, text: str = "A sentence of a usual length stands here, number {}."
) -> list[Occurrence]:
    return [
        Occurrence(at, text.format(at), 1, "/a.txt", at, at // 4, "body", (Place(None, at, at + 1, "char"),))
        for at in range(first, first + count)
    ]


@pytest.fixture
def text_view(themes: ThemeManager) -> Iterator[StoredTextView]:
    view = StoredTextView(themes)
    view.resize(600, 500)
    view.show()
    yield view
    view.close()
    view.deleteLater()


def test_a_distant_sentence_is_shown_when_its_slice_arrives(text_view: StoredTextView) -> None:
    text_view.begin()
    text_view.add(stored(500))
    text_view.mark([700], 700)
    text_view.add(stored(500, first=500))
    place = text_view.sentence_place(700)
    assert place is not None
    assert text_view.toPlainText()[slice(*place)].endswith("number 700.")
    assert 0 <= text_view.cursorRect().top() <= text_view.viewport().height() * 0.5


def test_a_book_of_thirty_thousand_sentences_is_shown_in_slices(text_view: StoredTextView) -> None:
    text_view.begin()
    for first in range(0, 30_000, 500):
        text_view.add(stored(500, first=first))
    assert text_view.length == 30_000
    text_view.mark([29_999], 29_999)
    assert text_view.verticalScrollBar().value() > 0.9 * text_view.verticalScrollBar().maximum()


def test_words_are_highlighted_in_the_hits_of_a_text(text_view: StoredTextView) -> None:
    text_view.begin()
    text_view.add(stored(4, text="\U0001f30a The seas of number {} are rising, the sea rises."))
    text_view.mark([1, 2], 2, sought=find_highlight_terms(parse_query("sea rise")))

    def marked() -> list[str]:
        return [each.cursor.selectedText() for each in text_view.extraSelections()]

    sentence = "\U0001f30a The seas of number {} are rising, the sea rises."
    words = ["seas", "rising", "sea rises"]
    assert marked() == [sentence.format(1), *words, sentence.format(2), *words]
    text_view.mark([1], 1)
    assert marked() == [sentence.format(1)]


def test_markup_in_a_text_is_shown_as_plain_text(text_view: StoredTextView) -> None:
    text_view.begin()
    text_view.add(stored(1, text="<img src='file:///etc/hostname'> <b>bold</b> & more {}"))
    assert text_view.toPlainText() == "<img src='file:///etc/hostname'> <b>bold</b> & more 0"


def test_a_chapter_without_a_heading_is_found_by_its_number(text_view: StoredTextView) -> None:
    text_view.begin()
    for at in range(40):
        place = Place(1 + at // 20, 0, 9, "text")
        text_view.add([Occurrence(at, "What is told. " * 9, 1, "a", at, at, "body", (place,))])
    assert text_view.find_page(2)
    assert text_view.textCursor().position() == text_view.sentence_place(20)[0]
    assert not text_view.find_page(3)


def test_rows_and_times_are_shown_in_the_gutter(text_view: StoredTextView) -> None:
    for unit, start, text in (("row", 1204, "1,204"), ("ms", 3_723_004, "1:02:03"), ("ms", 61_000, "1:01")):
        text_view.begin()
        text_view.add([Occurrence(1, "What is said.", 1, "a", 0, 0, "body", (Place(None, start, start + 1, unit),))])
        assert text_view.gutter.text_at(0) == text
        assert text_view.viewportMargins().left() >= text_view.gutter.room > 0
        text_view.grab()
    text_view.begin()
    text_view.add([Occurrence(1, "What is said.", 1, "a", 0, 0, "body", (Place(None, 3, 9, "char"),))])
    assert text_view.gutter.room == 0


def test_zooming_a_text_keeps_its_position(text_view: StoredTextView) -> None:
    text_view.begin()
    text_view.add(stored(400))
    text_view.mark([200], 200)
    text_view.step_zoom(1)
    assert text_view.zoom == pytest.approx(1.1)
    text_view.set_zoom(100)
    assert text_view.zoom == 3.0
    text_view.set_zoom(1.0)
    assert text_view.sentence_place(200) is not None


def test_notes_that_link_to_the_open_one_are_offered(qtbot: QtBot, themes: ThemeManager) -> None:
    header = ReaderHeader()
    qtbot.addWidget(header)
    assert header.links.isHidden()
    note = Document(7, "/notes/Tides & storms.md", "Tides & storms", "markdown", None, 3, "ready")
    header.show_linking([note])
    assert not header.links.isHidden()
    header.links.click()
    menu = header.findChild(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert menu is not None
    with qtbot.waitSignal(header.linking_chosen) as chosen:
        menu.actions()[-1].trigger()
    assert chosen.args == [note]
    menu.close()
    header.show_linking([])
    assert header.links.isHidden()


def test_headings_are_filtered_and_chosen(qtbot: QtBot, themes: ThemeManager) -> None:
    owner = QWidget()
    entries = [OutlineEntry("One", 1, 0), OutlineEntry("Below one", 2, 1), OutlineEntry("Two", 5, 0)]
    popup = OutlinePopup(owner, entries, 3)
    assert popup.tree.currentItem().text(0) == "Below one"
    popup._filter.setText("two")
    assert [popup.tree.topLevelItem(nth).isHidden() for nth in range(2)] == [True, False]
    with qtbot.waitSignal(popup.chosen) as chosen:
        popup.tree.itemActivated.emit(popup.tree.topLevelItem(1), 0)
    assert chosen.args == [entries[2]]
    owner.deleteLater()


def test_headings_are_filtered_and_chosen_by_keyboard(qtbot: QtBot, themes: ThemeManager) -> None:
    owner = QWidget()
    entries = [OutlineEntry("One", 1, 0), OutlineEntry("Below one", 2, 1), OutlineEntry("Two", 5, 0)]
    popup = OutlinePopup(owner, entries, 3)
    popup.pop_up(QPoint(50, 50))
    popup._filter.setFocus()
    qtbot.keyClicks(popup._filter, "two")
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(popup._filter, Qt.Key.Key_Return)
    assert chosen.args == [entries[2]]
    owner.deleteLater()


def test_the_headings_pop_up_on_the_screen(qtbot: QtBot, themes: ThemeManager) -> None:
    owner = QWidget()
    popup = OutlinePopup(owner, [OutlineEntry(f"Chapter {n}", n, 0) for n in range(1, 30)], 3)
    screen = popup.screen().availableGeometry()
    popup.pop_up(screen.bottomRight() - QPoint(20, 20))
    assert screen.contains(popup.geometry())
    popup.close()
    owner.deleteLater()


# --- In the window ---


def test_the_reader_is_empty_before_the_first_hit(kindred: Kindred) -> None:
    reader = kindred.window.reader
    assert reader.mode == "empty"
    assert "Nothing open" in reader.state.title.text()
    assert reader.chosen_text() == ""


def test_a_hit_is_shown_in_the_stored_text(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    reader = shared.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text" and reader.text.length == 5)
    assert reader.current is not None
    assert reader.chosen_text() == "Bread is mostly waiting."
    with qtbot.waitSignal(reader.find_similar):
        reader.menus.request_similar()
    assert shared.window.search.box.text() == "Bread is mostly waiting."


def test_selected_text_is_cited_from_where_it_stands(filled: Kindred, qtbot: QtBot) -> None:
    search(filled, qtbot, "bread")
    reader = filled.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text" and reader.text.length == 5)
    rows = [
        replace(row, places=(Place(None, n, n + 1, "char", line=10 + n, last_line=10 + n),))
        for n, row in enumerate(reader.text.rows.values())
    ]
    reader.text.begin()
    reader.text.add(rows)
    cursor = reader.text.textCursor()
    cursor.setPosition(reader.text.sentence_place(1)[0])
    cursor.setPosition(reader.text.sentence_place(1)[1], QTextCursor.MoveMode.KeepAnchor)
    reader.text.setTextCursor(cursor)
    reader.menus.copy_cited()
    assert reader.current.ordinal != 1
    assert QApplication.clipboard().text() == f"“{rows[1].text}” (sea, line 11)"


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_document_that_was_slow_to_open_takes_the_focus_only_from_where_it_was(
    filled: Kindred, qtbot: QtBot, goes_on: bool
) -> None:
    window, reader, gate = filled.window, filled.window.reader, Gate(is_open=False)
    (sea,) = [each for each in filled.library.rows.values() if each.path.endswith("sea.txt")]
    window.library_pane.view.setFocus()
    held = filled.workspace.read(lambda _library: gate.pass_through())
    window.reader_link.open_document(sea)
    reader.take_focus()
    assert reader.mode == "opening"
    if goes_on:
        window.search.box.setFocus()
    gate.open()
    held.wait(PATIENCE_S)
    qtbot.waitUntil(lambda: reader.mode == "text")
    assert (window.search.box if goes_on else reader.text).hasFocus()


def test_the_words_of_the_query_are_highlighted_in_the_reader(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "costs of a sea wall")
    text = shared.window.reader.text
    qtbot.waitUntil(
        lambda: shared.window.reader.mode == "text" and text.toPlainText().endswith("Sea walls cost money.")
    )
    marked = [each.cursor.selectedText() for each in text.extraSelections()]
    assert marked[-2:] == ["Sea walls cost money.", "Sea walls cost"]


def test_the_header_says_that_a_sentence_was_read_by_ocr(shared: Kindred, qtbot: QtBot) -> None:
    search(shared, qtbot, "bread")
    reader = shared.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text" and reader.text.length == 5)
    badge = reader.header.recognised
    assert not badge.isVisible()
    reader.show_hit(replace(reader.current, is_recognised=True))
    assert (badge.isVisible(), badge.text()) == (True, "OCR")
    assert "may be wrong" in badge.toolTip()
    reader.clear()
    assert not badge.isVisible()


def test_a_pdf_whose_pages_cannot_be_shown_is_shown_as_text(
    make: Callable[..., Kindred], qtbot: QtBot, files: Any
) -> None:
    (files / "paper.pdf").write_text("Glaciers melt slowly.\nRivers carry the water.", "utf-8")
    kindred = make()
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready")
    kindred.window.imports.start([str(files)])
    qtbot.waitUntil(lambda: kindred.is_quiet and len(kindred.documents) == 3)
    search(kindred, qtbot, "glaciers melt")
    reader = kindred.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text")
    assert "Glaciers melt slowly." in reader.text.toPlainText()
    assert reader.notice.isVisible()


def test_the_menus_of_the_reader_can_be_opened(shared: Kindred, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QApplication

    search(shared, qtbot, "bread")
    reader = shared.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text")
    for opened in (reader.menus.show_for_text, reader.menus.show_for_file):
        opened(reader.mapToGlobal(reader.rect().center()))
        menu = QApplication.activePopupWidget()
        assert menu is not None
        assert menu.accessibleName()
        menu.close()


@pytest.mark.parametrize("first", [(640, 480), (1500, 1000)])
def test_a_sentence_stays_visible_when_the_window_is_resized(
    show: Callable[..., PageView], qtbot: QtBot, first: tuple[int, int]
) -> None:
    view = show()
    view.resize(*first)
    view.mark([SentenceToLocate("Here.", (Place(2, 0, 5, "pdfium"),))], 0)
    qtbot.waitUntil(lambda: bool(view.current_rects()))
    for width, height in ((1400, 1100), (300, 200), (1900, 300), (260, 900), (640, 480)):
        view.resize(width, height)
        QCoreApplication.processEvents()
        rect = view.current_rects()[0]
        assert 0 <= rect.top() < rect.bottom() <= view.viewport().height(), (width, height)


def test_a_sentence_of_a_text_stays_visible_when_the_view_is_resized(text_view: StoredTextView) -> None:
    text_view.begin()
    text_view.add(stored(500))
    text_view.mark([300], 300)
    for width, height in ((1400, 900), (300, 200), (900, 250), (600, 500)):
        text_view.resize(width, height)
        QCoreApplication.processEvents()
        assert 0 <= text_view.cursorRect().top() < text_view.viewport().height(), (width, height)


def test_a_selection_in_a_text_stays_when_the_view_is_resized(text_view: StoredTextView) -> None:
    text_view.resize(400, 300)
    text_view.show()
    text_view.add(stored(40))
    text_view.mark([1], 1)
    cursor = text_view.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    text_view.setTextCursor(cursor)
    text_view.resize(400, 260)
    assert (text_view.textCursor().anchor(), text_view.textCursor().position()) == (3, 9)


def test_a_removed_document_leaves_the_reader(filled: Kindred, qtbot: QtBot) -> None:
    search(filled, qtbot, "bread")
    reader = filled.window.reader
    qtbot.waitUntil(lambda: reader.mode == "text")
    assert reader.current is not None
    filled.window.removals.remove([reader.current.document_id])
    filled.window.search.box.setText("")
    qtbot.waitUntil(lambda: reader.mode == "empty")
    assert reader.text.toPlainText() == ""


@pytest.mark.parametrize("width", [236, 300, 380, 600])
def test_the_tools_of_the_header_do_not_overlap(qtbot: QtBot, themes: ThemeManager, width: int) -> None:
    header = ReaderHeader()
    qtbot.addWidget(header)
    header.resize(width, 80)
    header.show_tools(pages=True, text=False)
    header.show_count(3, 12)
    header.show_zoom(4.0)
    header.outline.show()
    header.show()
    QApplication.processEvents()
    tools = [tool for tool in header.findChildren(QToolButton) if tool.isVisible()]
    tools.sort(key=lambda tool: tool.x())
    assert all(left.geometry().right() < right.x() for left, right in pairwise(tools)), width
    assert tools[-1].geometry().right() < width
    assert {header.zoom, header.more} <= set(tools)
    assert header.count.isVisible() == (width >= 380)


# --- Actions ---


def test_actions_change_how_pages_are_drawn(shared: Kindred) -> None:
    reader, actions = shared.window.reader, shared.window.action_table
    assert not reader.pages.is_dark
    for dark in (True, False):
        actions["reader.dark"].trigger()
        assert (reader.pages.is_dark, reader.header.dark.isChecked()) == (dark, dark)
    for fit in ("page", "width"):
        actions[f"reader.fit_{fit}"].trigger()
        assert reader.pages.fit == fit


def test_the_tips_of_the_main_reader_name_the_shortcuts_in_force(kindred: Kindred) -> None:
    window, actions = kindred.window, kindred.window.action_table
    header, bar, extraction = window.reader.header, window.search_pane.scope_bar, window.reader.extraction

    def tips() -> list[str]:
        named = (header.next, header.zoom_in_button, header.extraction, bar.everywhere, extraction.bar.merge)
        return [each.toolTip().removeprefix(each.accessibleName()) for each in named[:-1]] + [named[-1].toolTip()]

    def merge_entry() -> str:
        menu = QMenu()
        extraction.model.is_on = True
        extraction.add_to_menu(menu)
        return menu.actions()[0].text()

    usual = ["hit.next", "reader.zoom_in", "reader.extraction", "search.everywhere"]
    keys = [shortcut_text(actions[each]) for each in usual]
    assert tips() == [*(f" ({each})" for each in keys), "Join this sentence and the next (Ctrl+Alt+M)"]
    assert merge_entry() == "Merge with Next\tCtrl+Alt+M"
    actions.assign(dict.fromkeys(usual, "") | {"reader.merge": "F7"})
    assert tips() == ["", "", "", "", "Join this sentence and the next (F7)"]
    assert merge_entry() == "Merge with Next\tF7"
    actions.assign({"reader.merge": ""})
    assert merge_entry() == "Merge with Next"
    beside = window._make_reader("a", window)
    assert beside.header.zoom_in_button.toolTip() == "Larger", "the shortcuts act on the main reader"
