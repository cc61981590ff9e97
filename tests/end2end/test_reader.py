"""The reader with real parts: pages of a two-column PDF, a Markdown file, a missing file."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog

from desktop_app.compose import open_workspace
from desktop_app.core.paths import Paths
from desktop_app.core.records import Hit
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.engine.requests import ImportRequest, SearchRequest
from desktop_app.gui.reader.pane import ReaderPane
from tests.end2end.conftest import DATA, Program
from tests.patience import PATIENCE_MS

pytestmark = pytest.mark.as_copies

Start = Callable[..., Program]

NOTE = """# Notes on tea

Water for green tea should not boil. Let it cool for a few minutes after the kettle has switched itself off.

## Black tea

Black tea wants water that is as hot as it can be.

    kettle --boil
"""
QUERY = "classifiers do well on known intents but have trouble with unknown ones"
FOUND = (
    "We find that while the classifiers perform well on in-scope intent classification, "
    "they struggle to identify out-of-scope queries."
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `papers`, the same for all tests, and of `base`, where they are imported once."""
    return tmp_path_factory.mktemp("reader")


@pytest.fixture
def papers(place: Path) -> Iterator[Path]:
    folder = place / "papers"
    folder.mkdir()
    shutil.copy2(DATA / "pdf" / "two_column_paper_clinc.pdf", folder)
    shutil.copy2(DATA / "pdf" / "encrypted_openpassword.pdf", folder)
    (folder / "tea.md").write_text(NOTE, "utf-8")
    os.utime(folder / "tea.md", (1_700_000_000, 1_700_000_000))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def program(start: Start, papers: Path, place: Path, tmp_path: Path, qtbot) -> Program:
    """A window on three documents, one of them imported with its password."""
    asked = ImportRequest((str(papers),), passwords=("openpassword",))
    if not (place / "base").exists():
        settings = LaunchOptions(Settings(), Paths.under(place / "base").default_library, writable=True, create=True)
        with contextlib.closing(open_workspace(settings)) as workspace:
            workspace.imports.start(asked).wait(PATIENCE_MS / 1000)
    shutil.copytree(place / "base", tmp_path / "base")
    program = start()
    qtbot.waitUntil(lambda: program.window.session.phase == "ready")
    # The documents are unchanged; the session gets the password.
    program.workspace.imports.start(asked).wait(PATIENCE_MS / 1000)
    qtbot.waitUntil(lambda: len(program.states) == 3)
    return program


def hits(program: Program, query: str, name: str) -> list[Hit]:
    """Return the hits of a search in one document, best first."""
    result = program.workspace.search.find_sentences(SearchRequest(query, top_k=1000, page_size=1000), key=None).wait(
        120
    )
    return [hit for hit in result.hits if name in hit.path]


def show(program: Program, qtbot, hit: Hit, others: list[Hit] | None = None) -> ReaderPane:
    """Show a hit and wait until it is highlighted on its page."""
    reader = program.window.reader
    program.window.reader_controller.stop()
    reader.show_hit(hit, others or [hit])
    qtbot.waitUntil(lambda: reader.mode in ("pages", "text", "locked"))
    if reader.mode == "pages":
        qtbot.waitUntil(lambda: is_drawn(reader))
    return reader


def is_drawn(reader: ReaderPane) -> bool:
    """Return whether the sentence is highlighted and its page is drawn at its size."""
    pages = reader.pages
    picture = pages.loader.picture(pages.page)
    wanted = round(pages._layout.rect(pages.page).width() * pages.devicePixelRatioF()) if pages.page else 0
    return bool(pages.current_rects()) and picture is not None and picture.width() == wanted


def shot(reader: ReaderPane) -> QImage:
    return reader.pages.viewport().grab().toImage()


def is_tinted(colour: QColor) -> bool:
    """Return whether a colour is the accent: more blue than red and green."""
    return colour.blue() > colour.red() + 8 and colour.blue() > colour.green() + 8


def share_tinted(image: QImage, rect: QRectF) -> float:
    points = [
        (x, y)
        for x in range(int(rect.left()) + 1, int(rect.right()))
        for y in range(int(rect.top()) + 1, int(rect.bottom()))
        if 0 <= x < image.width() and 0 <= y < image.height()
    ]
    return sum(is_tinted(image.pixelColor(x, y)) for x, y in points) / len(points)


def test_a_sentence_is_highlighted_in_its_column(program: Program, qtbot) -> None:
    hit = hits(program, QUERY, "clinc")[0]
    assert hit.text == FOUND
    reader = show(program, qtbot, hit)
    rects = reader.pages.current_rects()
    view = reader.pages.viewport()
    assert len(rects) == 4
    assert all(QRectF(view.rect()).contains(rect) for rect in rects)
    assert max(rect.right() for rect in rects) < view.width() / 2 + 10
    image = shot(reader)
    tinted = [share_tinted(image, rect) for rect in rects]
    assert min(tinted) > 0.5, tinted
    page = reader.pages._layout.rect(1).translated(-reader.pages._offset())
    above = QRectF(rects[1].left(), rects[0].top() - 3 * rects[0].height(), rects[1].width(), rects[0].height())
    outside = QRectF(page.center().x() + 20, rects[1].top(), 100, 2 * rects[0].height())
    assert share_tinted(image, above) < 0.02
    assert share_tinted(image, outside) < 0.02
    assert reader.header.place.text() == "page 1 of 6"


def test_the_highlight_covers_exactly_the_sentence(program: Program, qtbot) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    pages = reader.pages
    qtbot.waitUntil(lambda: pages.loader.text(1) is not None)
    rects = pages.current_rects()
    drag(qtbot, reader, rects[0].left() + 1, rects[0].center().y(), rects[-1].right() - 1, rects[-1].center().y())
    assert pages.selection.plain() == FOUND
    qtbot.keyClick(pages, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == FOUND
    reader.menus.copy_cited()
    assert QGuiApplication.clipboard().text().startswith(f"“{FOUND}” (")
    assert QGuiApplication.clipboard().text().endswith("p. 1)")


def drag(qtbot, reader: ReaderPane, x: float, y: float, to_x: float, to_y: float) -> None:
    view = reader.pages.viewport()
    begin, end = QPointF(x, y).toPoint(), QPointF(to_x, to_y).toPoint()
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(view, left, pos=begin)
    send_move(view, end)
    qtbot.mouseRelease(view, left, pos=end)


def send_move(view, at: QPoint) -> None:
    """Move the pointer with the button down, which the test library cannot do."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    place = QPointF(at)
    left = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, view.mapToGlobal(place), Qt.MouseButton.NoButton, left, Qt.KeyboardModifier(0)
    )
    QApplication.sendEvent(view, event)


def test_two_clicks_select_a_word_and_three_a_line(program: Program, qtbot) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    pages = reader.pages
    qtbot.waitUntil(lambda: pages.loader.text(1) is not None)
    at = pages.current_rects()[1].center().toPoint()
    qtbot.mouseDClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=at)
    word = pages.selection.plain()
    assert word in FOUND.replace(",", " ").split()
    qtbot.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=at)
    line = pages.selection.plain()
    assert word in line
    assert len(line.split()) > 3
    qtbot.keyClick(pages, Qt.Key.Key_Escape)
    assert pages.selection.plain() == ""
    assert reader.chosen_text() == FOUND


def test_other_hits_are_highlighted_faintly_and_can_be_stepped_through(program: Program, qtbot) -> None:
    every = hits(program, QUERY, "clinc")[:4]
    reader = show(program, qtbot, every[0], every)
    ordered = sorted(every, key=lambda hit: hit.ordinal)
    at = ordered.index(every[0])
    assert reader.header.count.text() == f"{at + 1} of 4"
    while reader.header.next.isEnabled():
        reader.step(1)
    assert reader.current == ordered[-1]
    qtbot.waitUntil(lambda: is_drawn(reader))
    qtbot.mouseClick(reader.header.previous, Qt.MouseButton.LeftButton)
    assert reader.current == ordered[-2]
    reader.pages.setFocus()
    program.window.reader_link.step(1)
    assert reader.current == ordered[-1]


def test_zooming_keeps_the_position_and_pages_are_sharp(program: Program, qtbot) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    pages = reader.pages
    fitted = pages.zoom
    before = pages.current_rects()[0].center()
    pages.set_zoom(fitted * 2, before)
    after = pages.current_rects()[0].center()
    assert abs(after.x() - before.x()) < 3
    assert abs(after.y() - before.y()) < 3
    assert pages.horizontalScrollBar().maximum() > 0
    qtbot.waitUntil(lambda: is_drawn(reader))
    qtbot.keyClick(pages, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert pages.zoom == pytest.approx(1.0)
    assert reader.header.zoom.text() == "100%"
    reader.pages.set_fit("page")
    rect = pages._layout.rect(pages.page)
    assert rect.height() <= pages.viewport().height()
    pages.set_fit("width")
    assert pages.zoom == pytest.approx(fitted)
    assert pages.horizontalScrollBar().maximum() == 0


def test_a_tab_keeps_its_page_position_and_zoom(program: Program, qtbot) -> None:
    window = program.window
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    pages = reader.pages
    pages.set_zoom(pages.zoom * 1.6)
    pages.go_to(4)
    pages.verticalScrollBar().setValue(pages.verticalScrollBar().value() + 150)
    pages.horizontalScrollBar().setValue(60)
    left = pages.position()
    assert (left.page, left.across) == (4, 60)
    assert left.down > 20
    others = [each for each in window.documents.all_documents() if "clinc" not in each.path]
    for document in sorted(others, key=lambda each: each.path):  # another PDF, which may be locked, and a text
        window.reader_controller.open_document(document, in_new_tab=True)
        qtbot.waitUntil(lambda: reader.mode in ("pages", "text", "locked"))
    assert reader.mode == "text"
    window.reader_controller.tabs.go(1)
    qtbot.waitUntil(lambda: reader.mode == "pages" and reader.pages.position().page == 4)
    back = pages.position()
    assert back.zoom == pytest.approx(left.zoom)
    assert back.across == left.across
    assert back.down == pytest.approx(left.down, abs=5)  # less than a line: the tab bar takes room now
    assert reader.current is not None, "the hit is still highlighted, on a page further up"
    assert reader.current.text == FOUND


def test_the_keyboard_moves_through_the_pages(program: Program, qtbot) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    pages = reader.pages
    qtbot.keyClick(pages, Qt.Key.Key_End)
    assert reader.header.place.text() == "page 6 of 6"
    qtbot.keyClick(pages, Qt.Key.Key_Home)
    assert pages.verticalScrollBar().value() == 0
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_Down):
        at = pages.verticalScrollBar().value()
        qtbot.keyClick(pages, key)
        assert pages.verticalScrollBar().value() > at
    qtbot.keyClick(pages, Qt.Key.Key_Right)
    assert pages.page >= 2


def test_dark_pages_follow_the_theme_until_a_choice_is_made(program: Program, qtbot, themes) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    assert not reader.pages.is_dark
    light = shot(reader)
    themes.choose("dark")
    try:
        assert reader.pages.is_dark
        picture = reader.pages.loader.picture(1)
        qtbot.waitUntil(lambda: reader.pages.loader.picture(1) not in (None, picture))
        dark = shot(reader)
        corner = reader.pages._layout.rect(1).translated(-reader.pages._offset()).topLeft().toPoint() + QPoint(6, 6)
        corner.setY(max(corner.y(), 6))
        assert light.pixelColor(corner).lightness() > 250
        assert 20 < dark.pixelColor(corner).lightness() < 60
        reader.set_dark(False)
        assert not reader.pages.is_dark
    finally:
        themes.choose("light")


def test_a_text_is_shown_in_paragraphs_with_the_sentence_highlighted(program: Program, qtbot) -> None:
    every = hits(program, "how hot should water for tea be", "tea.md")
    hit = next(hit for hit in every if hit.text.startswith("Let it cool"))
    reader = show(program, qtbot, hit, every)
    assert reader.mode == "text"
    text = reader.text.toPlainText()
    assert text.index("Notes on tea") < text.index("Water for green tea") < text.index("kettle --boil")
    place = reader.text.sentence_place(hit.ordinal)
    assert place is not None
    assert text[slice(*place)] == hit.text
    marked = [mark.cursor.selectedText() for mark in reader.text.extraSelections()]
    assert marked[-1] == hit.text
    assert len(marked) == len(every)
    assert reader.header.place.text() == "line 3"
    qtbot.waitUntil(lambda: reader.header.outline.isVisible())
    assert [entry.title for entry in reader.outline.entries] == ["Notes on tea", "Black tea"]
    assert reader.notice.isHidden()


def test_a_missing_file_is_shown_from_the_stored_text(program: Program, papers: Path, qtbot) -> None:
    every = hits(program, QUERY, "clinc")[:3]
    (papers / "two_column_paper_clinc.pdf").unlink()
    # "Opening…" is shown between the error and the text.
    program.window.reader._loader.pages_unavailable.connect(lambda _error: program.window.reader._show_opening())
    reader = show(program, qtbot, every[0], every)
    assert reader.mode == "text"
    assert reader.notice.isVisible()
    assert "file is missing" in reader.notice.text
    assert every[0].path in reader.notice.text
    place = reader.text.sentence_place(every[0].ordinal)
    assert place is not None
    assert reader.text.toPlainText()[slice(*place)] == FOUND
    (papers / "tea.md").unlink()
    reader = show(program, qtbot, hits(program, "hot tea", "tea.md")[0])
    qtbot.waitUntil(lambda: "tea.md" in reader.notice.text and reader.notice.isVisible())


def test_a_moved_file_is_found_again(program: Program, papers: Path, tmp_path: Path, qtbot) -> None:
    hit = hits(program, "hot tea", "tea.md")[0]
    moved = (papers / "tea.md").rename(tmp_path / "tea moved.md")
    reader = show(program, qtbot, hit)
    qtbot.waitUntil(reader.notice.isVisible)
    asked: list[int] = []
    reader.file_wanted.connect(asked.append)
    reader.notice.pressed.emit()
    assert asked == [hit.document_id]
    for dialog in program.window.findChildren(QFileDialog):
        dialog.close()
    program.window.reader_controller.relink(hit.document_id, str(moved))
    qtbot.waitUntil(lambda: reader.document is not None and reader.document.path == str(moved))
    qtbot.waitUntil(lambda: reader.notice.isHidden() and reader.text.length > 0)
    found = hits(program, "hot tea", "tea moved.md")[0]
    assert (found.document_id, found.path) == (hit.document_id, str(moved))


def test_a_locked_file_opens_with_a_session_password_or_offers_its_text(program: Program, papers: Path, qtbot) -> None:
    hit = hits(program, "password", "encrypted")[0]
    reader = show(program, qtbot, hit)
    assert reader.mode == "pages"
    program.workspace.context.page_source.passwords = ()
    # Requests that still carry the password are answered before this one; none of them may open the changed file.
    program.workspace.pages.check_file_exists(hit.path).wait(PATIENCE_MS / 1000)
    os.utime(papers / "encrypted_openpassword.pdf", (1, 1))  # it is opened again
    reader.clear()
    reader.show_hit(hit)
    qtbot.waitUntil(lambda: reader.mode == "locked")
    reader._read_stored.trigger()
    qtbot.waitUntil(lambda: reader.mode == "text")
    assert hit.text in reader.text.toPlainText()


def test_similar_sentences_are_searched_and_texts_compared(program: Program, qtbot) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    with qtbot.waitSignal(reader.find_similar) as asked:
        program.window.action_table["reader.similar"].trigger()
    assert asked.args == [FOUND]
    assert program.window.search.box.text() == FOUND
    reader.compare.disconnect()
    with qtbot.waitSignal(reader.compare) as compared:
        reader.menus.request_compare()
    assert compared.args == [FOUND]


def test_the_reader_follows_the_list_and_can_be_hidden(program: Program, qtbot) -> None:
    window = program.window
    qtbot.keyClicks(window.search.box, QUERY)
    qtbot.waitUntil(lambda: window.reader.current is not None and window.reader.current.text == FOUND)
    qtbot.waitUntil(lambda: is_drawn(window.reader))
    qtbot.keyClick(window.search.box, Qt.Key.Key_Down)
    second = window.search_pane.current
    qtbot.waitUntil(lambda: window.reader.current == second)
    window.action_table["view.reader"].trigger()
    assert window.reader.isHidden()
    qtbot.keyClick(window.search.box, Qt.Key.Key_Up)
    assert window.reader.current == second
    qtbot.keyClick(window.search.box, Qt.Key.Key_Return)
    assert window.reader.isVisible()
    assert window.reader.current.text == FOUND
    assert window.search.box.hasFocus()


@pytest.mark.from_scratch
def test_a_dead_page_process_is_replaced_and_reading_continues(program: Program, qtbot) -> None:
    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    source = program.workspace.context.page_source._source
    assert source is not None
    psutil.Process(source.pid).kill()  # type: ignore[attr-defined]
    reader.pages.go_to(6)
    qtbot.waitUntil(lambda: reader.pages.loader.picture(6) is not None)
    assert reader.pages.loader.failure(6) == ""


def test_every_control_of_the_reader_has_a_name(program: Program, qtbot) -> None:
    from PySide6.QtWidgets import QScrollBar, QWidget

    reader = show(program, qtbot, hits(program, QUERY, "clinc")[0])
    nameless = [
        widget
        for widget in reader.findChildren(QWidget)
        if not widget.accessibleName()
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget, QScrollBar)
    ]
    assert nameless == []
