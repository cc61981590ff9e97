"""The map of a library: painting, moving, pointing, the lasso and export."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPolygonF, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QInputDialog, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.clusters import Cluster, ClustersRequest, SentenceMap
from desktop_app.engine.context import EngineSetup
from desktop_app.engine.requests import ImportRequest
from desktop_app.engine.workspace import Workspace
from desktop_app.gui.base.theme import ThemeManager
from desktop_app.gui.clusters.map_colours import (
    COLOUR_STEPS,
    MAX_COLOURED_DOCUMENTS,
    LegendEntry,
    colour_by_date,
    colour_by_document,
    date_scale_rect,
    document_legend_rect,
    format_date_range,
    paint_document_legend,
    place_legend_lines,
)
from desktop_app.gui.clusters.map_drawing import MapLabel, MapLabelPainter, MapPicture
from desktop_app.gui.clusters.map_panel import MapPanel
from desktop_app.gui.clusters.map_view import MapView
from desktop_app.gui.clusters.pane import ClustersPane
from desktop_app.gui.widgets.buttons import ActionButton
from desktop_app.store.library import LocalLibrary
from tests.gui.clusters.test_pane import found, held, import_file, names, settled, shown, talk
from tests.gui.clusters.test_pane import talking as undrawn  # noqa: F401 - a fixture
from tests.gui.conftest import Kindred, search
from tests.gui.fakes import SUFFIXES, FakeEncoder, FakeReader, Gate
from tests.gui.painting import record
from tests.patience import PATIENCE_S

SIZE = QSize(400, 300)


def picture(count: int = 500) -> MapPicture:
    made = MapPicture()
    made.show(np.random.default_rng(0).normal(0, 3, (count, 2)).astype(np.float32))
    made.colour(np.arange(count) % 3, [QColor("#a00"), QColor("#0a0"), QColor("#00a")], QColor("#888"))
    made.fit(SIZE)
    return made


def pixel(made: MapPicture, row: int) -> QPointF:
    x, y = made.to_screen(made.places[[row]], SIZE)[0].tolist()
    return QPointF(x, y)


def test_zooming_keeps_the_place_under_the_pointer() -> None:
    made = picture()
    at = QPointF(100, 80)
    before = made.to_map(at, SIZE)
    made.zoom(3.0, at, SIZE)
    after = made.to_map(at, SIZE)
    assert (after - before).manhattanLength() < 1e-4
    made.pan(QPointF(10, -20))
    assert (made.to_map(QPointF(110, 60), SIZE) - before).manhattanLength() < 1e-3


def test_the_map_is_never_lost_by_zooming_and_moving() -> None:
    made = picture()

    def seen() -> int:
        at = made.to_screen(made.places, SIZE)
        return int(((at >= 0) & (at <= (400, 300))).all(axis=1).sum())

    for _ in range(200):
        made.zoom(0.8, QPointF(10, 10), SIZE)
    assert seen() == 500
    assert np.ptp(made.to_screen(made.places, SIZE), axis=0).max() > 100, "the points are no single dot"
    made.fit(SIZE)
    for by in (QPointF(900, 0), QPointF(0, 900), QPointF(-4000, 0), QPointF(0, -4000)):
        made.pan(by)
        assert seen() > 0, by
    made.fit(SIZE)
    for _ in range(200):
        made.zoom(1.25, pixel(made, 7), SIZE)
    assert 0 < seen() < 500


def test_every_point_is_visible_at_first_and_found_where_it_is_drawn() -> None:
    made = picture()
    seen = made.to_screen(made.places, SIZE)
    assert ((seen >= 0) & (seen <= (400, 300))).all(axis=1).mean() > 0.98
    row = int(np.argmax(made.places[:, 0]))
    assert made.nearest(pixel(made, row) + QPointF(2, 1), SIZE) == row
    assert made.nearest(QPointF(-500, -500), SIZE) is None
    assert made.nearest(QPointF(-500, -500), SIZE, anywhere=True) is not None


def test_points_have_the_colours_of_their_groups_and_can_be_highlighted() -> None:
    made = picture(60)
    image = made.points(SIZE, QColor("#111111"), QColor("#ffff00"))
    row = int(np.argmin(made.places[:, 0]))
    at = pixel(made, row).toPoint()
    assert image.pixelColor(at) == [QColor("#a00"), QColor("#0a0"), QColor("#00a")][row % 3]
    lit = np.zeros(60, np.bool_)
    lit[row] = True
    made.highlight(lit)
    image = made.points(SIZE, QColor("#111111"), QColor("#ffff00"))
    assert image.pixelColor(at) == QColor("#ffff00")
    shading = made.shading(SIZE, QColor("white"))
    assert 0 < shading.width() < 400
    pixels = [shading.pixelColor(x, y) for x in range(shading.width()) for y in range(shading.height())]
    assert QColor("white") in pixels, "empty space has the background colour"
    assert any(pixel != QColor("white") for pixel in pixels)


def test_invisible_points_do_not_change_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zoomed in, only visible cells are examined."""
    for factor, shift in ((4.0, (0, 0)), (9.0, (150, -90)), (1.5, (-40, 10)), (30.0, (2000, 0))):
        made = picture(3000)
        made._group[::5] = -1  # some are in no group, and lie below
        made.colour(made._group, [QColor("#a00"), QColor("#0a0"), QColor("#00a")], QColor("#888"))
        made.zoom(factor, QPointF(200, 150), SIZE)
        made.pan(QPointF(*shift))
        lit = np.zeros(3000, np.bool_)
        for _ in range(2):
            made.highlight(lit)
            runs = made._runs(SIZE)
            assert factor < 2 or (runs is not None and sum(stop - start for start, stop in runs) < 1500)
            quick = made.points(SIZE, QColor("#111"), QColor("#ff0")).copy()
            with monkeypatch.context() as patch:
                patch.setattr("desktop_app.gui.clusters.map_drawing._FITTED_SHARE", 0.0)
                assert made._runs(SIZE) is None
                assert made.points(SIZE, QColor("#111"), QColor("#ff0")) == quick
            lit[::7] = True


def test_very_many_points_are_thinned_except_highlighted_ones() -> None:
    made = picture(3000)

    def dots(most: int | None) -> int:
        image = made.points(SIZE, QColor("#111"), QColor("#ff0"), 1.0, most)
        return sum(image.pixelColor(x, y).alpha() > 0 for x in range(0, 400) for y in range(0, 300))

    everything = dots(None)
    assert not made.is_thinned
    assert dots(1_000_000) == everything
    assert not made.is_thinned
    assert 0 < dots(3000) < everything * 0.6
    assert made.is_thinned
    lit = np.zeros(3000, np.bool_)
    lit[::3] = True
    made.highlight(lit)
    image = made.points(SIZE, QColor("#111"), QColor("#ff0"), 1.0, 100)
    seen = made.to_screen(made.places[::3], SIZE).astype(int)
    inside = [(x, y) for x, y in seen.tolist() if 10 < x < 390 and 10 < y < 290]
    assert len(inside) > 900
    assert all(image.pixelColor(x, y) == QColor("#ff0") for x, y in inside)
    made.fit(SIZE)
    made.points(SIZE, QColor("#111"), QColor("#ff0"))
    assert not made.is_thinned


def test_a_large_map_is_drawn_completely_when_it_stops_moving(
    themes: ThemeManager, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_app.gui.clusters.map_view._MAX_DOT_PIXELS_WHILE_MOVING", 2000)
    view = MapView(themes)
    qtbot.addWidget(view)
    view.resize(400, 300)
    places = np.random.default_rng(0).normal(0, 3, (3000, 2)).astype(np.float32)
    ids = np.arange(1, 3001)
    view.show_map(SentenceMap(ids, places, np.ones(3000, np.int64), True))
    view.show()
    view.grab()
    assert not view._picture.is_thinned
    view.zoom(1.2)
    view.grab()
    assert view._picture.is_thinned
    qtbot.waitUntil(lambda: not view._moving.isActive() and not view._picture.is_thinned)
    rested = view.grab().toImage()
    view._redraw()
    assert view.grab().toImage() == rested
    view.zoom(1.1)
    view.grab()
    assert view._picture.is_thinned
    view.picture(1.0)
    assert not view._picture.is_thinned, "a file contains every point"


def test_dates_are_coloured_from_the_oldest_to_the_newest() -> None:
    dates = np.array([5e8, 1.7e9, 0.0, 1.6e9, 1.7e9, 1.65e9])
    for dark in (False, True):
        groups, colours = colour_by_date(dates, dark)
        assert groups[0] == 0, "the oldest"
        assert groups[1] == groups[4] == COLOUR_STEPS - 1, "the newest"
        assert groups[2] == -1, "unknown"
        assert 0 < groups[3] < groups[5] < COLOUR_STEPS - 1, "by their order: a very old one leaves the others apart"
        assert len({colour.name() for colour in colours}) == COLOUR_STEPS
    assert all(any(year in name for year in ("1985", "2023")) for name in format_date_range(dates) or ("",))
    assert format_date_range(np.zeros(3)) is None
    assert colour_by_date(np.zeros(2), False)[0].tolist() == [-1, -1]
    assert colour_by_date(np.ones(2), False)[0].tolist() == [0, 0]


def test_a_lasso_selects_the_points_inside() -> None:
    made = picture()
    box = QPolygonF([QPointF(150, 100), QPointF(250, 100), QPointF(250, 200), QPointF(150, 200)])
    seen = made.to_screen(made.places, SIZE)
    inside = (seen[:, 0] > 150) & (seen[:, 0] < 250) & (seen[:, 1] > 100) & (seen[:, 1] < 200)
    assert made.within(box, SIZE).tolist() == np.flatnonzero(inside).tolist()
    assert made.within(QPolygonF(box.toList()[:2]), SIZE).tolist() == []


def test_names_do_not_overlap(qapp: QApplication) -> None:
    rng = np.random.default_rng(3)
    labels = [
        MapLabel(key, f"a long name of a theme {key}", QPointF(*rng.uniform((0, 0), (400, 300)))) for key in range(80)
    ]
    placed = MapLabelPainter().place_labels(labels, qapp.font(), SIZE)
    assert 3 < len(placed) < 80
    assert placed[0].label.key == 0, "the first name gets the first choice"
    for at, one in enumerate(placed):
        assert not any(one.area.intersects(other.area) for other in placed[at + 1 :])


def test_names_leave_room_for_the_scale_of_dates(qapp: QApplication) -> None:
    rng = np.random.default_rng(3)
    labels = [MapLabel(key, f"theme {key}", QPointF(*rng.uniform((0, 0), (400, 300)))) for key in range(80)]
    box = date_scale_rect(SIZE, ("11/25/2013", "11/22/2026"), qapp.font())
    painter = MapLabelPainter()
    assert any(one.area.intersects(box) for one in painter.place_labels(labels, qapp.font(), SIZE))
    placed = painter.place_labels(labels, qapp.font(), SIZE, box)
    assert len(placed) > 3
    assert not any(one.area.intersects(box) for one in placed)


def test_an_empty_map_draws_nothing() -> None:
    made = MapPicture()
    made.fit(SIZE)
    assert made.points(SIZE, QColor("black"), QColor("red")).width() == 400
    assert made.shading(SIZE, QColor("white")).height() > 0
    assert made.nearest(QPointF(1, 1), SIZE) is None


@pytest.fixture(scope="module")
def drawn_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with the clusters and the map of a document: laid out once, each test opens a copy."""
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "one.txt").write_text(talk(1) + "\nAlone.", "utf-8")
    workspace = Workspace(
        EngineSetup(
            open_library=lambda: LocalLibrary.open(folder / "library"),
            load_encoder=lambda _: FakeEncoder(),
            start_reader=lambda: FakeReader(Gate()),
            is_supported=lambda path: path.endswith(SUFFIXES),
            choose_device=lambda _: FakeEncoder.device,
        )
    )
    with contextlib.closing(workspace):
        workspace.imports.start(ImportRequest((str(folder / "one.txt"),))).wait(PATIENCE_S)
        workspace.clusters.find(ClustersRequest()).wait(PATIENCE_S)
        workspace.clusters.build_map().wait(PATIENCE_S)
    return folder / "library"


@pytest.fixture
def talking(make: Callable[..., Kindred], drawn_library: Path, qtbot: QtBot, tmp_path: Path) -> Kindred:
    shutil.copytree(drawn_library, tmp_path / "library")
    (tmp_path / "papers").mkdir()
    kindred = make(open_library=lambda: LocalLibrary.open(tmp_path / "library"))
    qtbot.waitUntil(lambda: kindred.window.session.phase == "ready" and len(kindred.documents) == 1)
    return kindred


@pytest.fixture
def mapped_alone(talking: Kindred, qtbot: QtBot) -> tuple[Kindred, ClustersPane, MapPanel]:
    """The pane with a visible map, in a window of the test's own."""
    talking.window.resize(1400, 900)
    pane = found(talking, qtbot)
    show_map(talking, pane, qtbot)
    return talking, pane, pane.map


def show_map(kindred: Kindred, pane: ClustersPane, qtbot: QtBot) -> None:
    kindred.window.action_table["clusters.map"].trigger()
    qtbot.waitUntil(lambda: pane.map.found is not None and pane.map.view.isVisible())


@pytest.fixture(scope="module")
def open_shared(drawn_library: Path) -> Callable[[Callable[..., Kindred], Path, QtBot], Kindred]:
    def open_drawn(make: Callable[..., Kindred], folder: Path, qtbot: QtBot) -> Kindred:
        shutil.copytree(drawn_library, folder / "library")
        kindred = make(open_library=lambda: LocalLibrary.open(folder / "library"))
        qtbot.waitUntil(lambda: kindred.window.session.phase == "ready" and len(kindred.documents) == 1)
        pane = found(kindred, qtbot)
        show_map(kindred, pane, qtbot)
        kindred.window.action_table["clusters.list"].trigger()
        search(kindred, qtbot, "glacier")  # starts the thread of queries, which stays
        kindred.window.search.box.clear()
        pane.map.highlight(())
        kindred.window.action_table["pane.search"].trigger()
        return kindred

    return open_drawn


@pytest.fixture
def mapped(shared: Kindred, qtbot: QtBot) -> Iterator[tuple[Kindred, ClustersPane, MapPanel]]:
    """As `mapped_alone`, in the window of the file; zoom, colours and selection are put back."""
    shared.window.resize(1400, 900)
    pane = shown(shared)
    show_map(shared, pane, qtbot)
    yield shared, pane, pane.map
    qtbot.keyClick(pane.map.view, Qt.Key.Key_Home)
    next(action for action in pane.map.menu.actions() if action.isCheckable()).trigger()
    pane.map.view.set_colouring("cluster")
    pane.map.highlight(())
    shared.window.action_table["clusters.list"].trigger()
    pane.choose([pane.model.cluster(pane.model.index(0)).cluster_id])


def test_a_map_is_laid_out_when_it_is_first_shown(undrawn: Kindred, qtbot: QtBot) -> None:  # noqa: F811
    pane = found(undrawn, qtbot)
    undrawn.window.action_table["clusters.map"].trigger()
    qtbot.waitUntil(lambda: pane.map.found is not None and pane.map.view.isVisible())
    assert len(pane.map.found.ids) == 37


def at_point(panel: MapPanel, row: int) -> QPoint:
    view = panel.view
    x, y = view._picture.to_screen(view._picture.places[[row]], view.size())[0].tolist()
    return QPoint(round(x), round(y))


def away_from_names(panel: MapPanel) -> int:
    """A point that no name covers."""
    panel.view.grab()
    rows = range(len(panel.found.ids))
    return next(row for row in rows if panel.view._names.cluster_at(QPointF(at_point(panel, row))) is None)


def test_a_tooltip_shows_the_sentence_under_the_pointer_and_clicks_show_it_in_the_reader(
    mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot
) -> None:
    kindred, _, panel = mapped
    row = away_from_names(panel)
    QTest.mouseMove(panel.view, at_point(panel, row) + QPoint(40, 0))
    QTest.mouseMove(panel.view, at_point(panel, row))
    qtbot.waitUntil(QToolTip.isVisible)
    assert QToolTip.text()
    followed: list = []
    panel._context.navigator.follow_hit.connect(followed.append)
    kindred.window.reader_controller.set_visible(False)
    QTest.mouseClick(panel.view, Qt.MouseButton.LeftButton, pos=at_point(panel, row))
    qtbot.waitUntil(lambda: bool(followed))
    assert kindred.window.reader.isHidden(), "a reader that was closed stays closed"
    opened: list = []
    panel._context.navigator.open_hit.connect(opened.append)
    QTest.mouseDClick(panel.view, Qt.MouseButton.LeftButton, pos=at_point(panel, row))
    qtbot.waitUntil(lambda: bool(opened))
    assert kindred.window.reader.isVisible()
    near = panel.view._picture.nearest(QPointF(at_point(panel, row)), panel.view.size())
    assert opened[0].sentence_id == int(panel.found.ids[near])
    QToolTip.hideText()


def test_a_whole_map_stays_whole_in_another_size(mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot) -> None:
    _, _, panel = mapped
    view = panel.view

    def is_whole() -> bool:
        at = view._picture.to_screen(view._picture.places, view.size())
        inside = (at >= 0) & (at <= [view.width(), view.height()])
        return bool(inside.all()) and bool(np.ptp(at, axis=0).max() > 0.6 * min(view.width(), view.height()))

    assert is_whole()
    for size in (QSize(300, 300), QSize(900, 700)):
        view.resize(size)
        view.grab()
        assert is_whole(), size
    view.zoom(3.0)
    before = view._picture.to_screen(view._picture.places, view.size())
    view.resize(QSize(880, 700))
    view.grab()
    assert not is_whole(), "a part that was chosen stays"
    assert np.allclose(view._picture.to_screen(view._picture.places, view.size()) - before, [-10, 0], atol=1)


def test_a_lasso_with_shift_lists_its_sentences(mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot) -> None:
    _, pane, panel = mapped
    view = panel.view
    shift, left = Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.LeftButton
    corners = [QPoint(2, 2), QPoint(view.width() - 2, 2), QPoint(view.width() - 2, view.height() - 2)]
    QTest.mousePress(view, left, shift, corners[0])
    for corner in (*corners[1:], QPoint(2, view.height() - 2)):
        QTest.mouseMove(view, corner)
    QTest.mouseRelease(view, left, shift, QPoint(2, view.height() - 2))
    qtbot.waitUntil(lambda: pane.sentences.title.text() == "Selected area")
    qtbot.waitUntil(lambda: pane.sentences.model.rowCount() > 20)
    changing = [pane._actions[f"clusters.{name}"] for name in ("rename", "pin", "split")]
    assert not any(each.isEnabled() for each in changing), "they would change a topic that is not shown"
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert pane.sentences.title.text() != "Selected area"
    assert all(each.isEnabled() for each in changing)


def test_a_cluster_is_renamed_on_the_map_in_a_dialog(
    mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot
) -> None:
    kindred, pane, panel = mapped
    before = names(pane)
    pane.choose([pane.model.cluster(pane.model.index(1)).cluster_id])
    pane._actions["clusters.rename"].trigger()
    (dialog,) = [each for each in kindred.window.findChildren(QInputDialog) if each.isVisible()]
    assert dialog.textValue() == before[1]
    dialog.setTextValue("My own name")
    dialog.accept()
    qtbot.waitUntil(lambda: names(pane)[1] == "My own name")
    assert panel.isVisible()
    pane._actions["clusters.undo"].trigger()
    qtbot.waitUntil(lambda: names(pane) == before)


def find_cluster(pane: ClustersPane, cluster_id: int) -> Cluster:
    return next(each for each in pane.controller.found.clusters if each.cluster_id == cluster_id)


def test_a_click_on_a_name_selects_the_cluster(mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot) -> None:
    _, pane, panel = mapped
    panel.view.grab()
    placed = panel.view._names._placed[-1]
    QTest.mouseClick(panel.view, Qt.MouseButton.LeftButton, pos=placed.area.center().toPoint())
    assert pane._chosen_ids() == [placed.label.key]
    qtbot.waitUntil(lambda: pane.sentences.title.text() == find_cluster(pane, placed.label.key).name)


def test_a_name_on_the_map_selects_a_cluster_that_the_filter_of_the_list_hides(
    mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot
) -> None:
    _, pane, panel = mapped
    panel.view.grab()
    placed = panel.view._names._placed[-1]
    hidden = find_cluster(pane, placed.label.key)
    pane.bar.field.setText(next(each.name for each in pane.controller.found.clusters if each is not hidden))
    assert hidden.name not in names(pane)
    QTest.mouseClick(panel.view, Qt.MouseButton.LeftButton, pos=placed.area.center().toPoint())
    assert pane._chosen_ids() == [placed.label.key]
    assert pane.bar.field.text() == ""
    qtbot.waitUntil(lambda: pane.sentences.title.text() == hidden.name)


def test_keys_and_wheel_move_the_map(mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot) -> None:
    kindred, _, panel = mapped
    view = panel.view
    assert kindred.window.focusWidget() is view
    scale, centre = view._picture.scale, QPointF(view._picture.centre)
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view._picture.scale > scale
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view._picture.centre.x() < centre.x()
    at = QPointF(30, 40)
    before = view._picture.to_map(at, view.size())
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(at, view.mapToGlobal(at), QPoint(), QPoint(0, 120), *none, False)
    QApplication.sendEvent(view, wheel)
    assert (view._picture.to_map(at, view.size()) - before).manhattanLength() < 1e-3
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view._picture.scale == pytest.approx(scale)
    opened: list = []
    panel._context.navigator.open_hit.connect(opened.append)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(opened))


def test_hits_of_a_search_are_highlighted(mapped: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot) -> None:
    kindred, _, panel = mapped
    assert panel.view.highlighted_count == 0
    search(kindred, qtbot, "glacier")
    kindred.window.action_table["pane.clusters"].trigger()
    qtbot.waitUntil(lambda: panel.view.highlighted_count > 0)
    assert "in the search results" in panel.summary.text()
    kindred.window.search.box.clear()
    qtbot.waitUntil(lambda: panel.view.highlighted_count == 0)
    assert "in the search results" not in panel.summary.text()


def test_new_sentences_appear_and_the_others_keep_their_places(
    mapped_alone: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot, tmp_path: Path
) -> None:
    kindred, pane, panel = mapped_alone
    before = dict(zip(panel.found.ids.tolist(), map(tuple, panel.found.places), strict=True))
    file = tmp_path / "papers" / "two.txt"
    file.write_text(talk(2, each=4), "utf-8")
    import_file(kindred, qtbot, file)
    pane.controller.find_again()
    settled(pane, qtbot)
    qtbot.waitUntil(lambda: len(panel.found.ids) == 49)
    after = dict(zip(panel.found.ids.tolist(), map(tuple, panel.found.places), strict=True))
    assert {key: after[key] for key in before} == before


def test_the_map_is_exported_as_png_and_svg(mapped: tuple[Kindred, ClustersPane, MapPanel], tmp_path: Path) -> None:
    kindred, pane, panel = mapped
    size = panel.view.size()
    panel.save(str(tmp_path / "map.png"))
    assert QImage(str(tmp_path / "map.png")).size() == size * 2
    panel.save(str(tmp_path / "map.svg"))
    text = (tmp_path / "map.svg").read_text("utf-8")
    assert text.count("h0") == 37
    assert pane.controller.found.clusters[0].name.split(",")[0] in text
    assert "linearGradient" not in text
    panel.highlight(panel.found.ids[:5].tolist())
    panel.view.set_colouring("date")
    panel.save(str(tmp_path / "map.svg"))
    drawing = ElementTree.fromstring((tmp_path / "map.svg").read_text("utf-8"))
    dots = {path.get("stroke"): path.get("d").count("h0") for path in drawing.iter("{http://www.w3.org/2000/svg}path")}
    accent = kindred.window.context.themes.theme.accent
    assert dots.pop(accent) == 5, "hits of a search are highlighted in the file too"
    assert sum(dots.values()) == 32
    assert panel.view._scale is not None
    texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert set(panel.view._scale) <= set(texts), "and the file has a legend"
    panel.save(str(tmp_path / "nowhere" / "map.png"))
    assert "does not exist" in kindred.window.notice.text


def test_the_largest_documents_have_a_colour_and_the_others_are_grey() -> None:
    documents = np.repeat(np.arange(1, 31), np.arange(31, 1, -1))
    for dark in (False, True):
        groups, colours, largest = colour_by_document(documents, dark)
        assert largest == list(range(1, MAX_COLOURED_DOCUMENTS + 1))
        assert len({colour.name() for colour in colours}) == MAX_COLOURED_DOCUMENTS
        assert [int((groups == at).sum()) for at in range(MAX_COLOURED_DOCUMENTS)] == list(
            range(31, 31 - MAX_COLOURED_DOCUMENTS, -1)
        )
        assert set(documents[groups < 0].tolist()) == set(range(MAX_COLOURED_DOCUMENTS + 1, 31))
    groups, colours, largest = colour_by_document(np.empty(0, np.int64), False)
    assert (len(groups), colours, largest) == (0, [], [])


def test_a_legend_says_which_document_a_colour_means(
    mapped_alone: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot, tmp_path: Path
) -> None:
    kindred, _, panel = mapped_alone
    (tmp_path / "papers" / "other <x>.txt").write_text(talk(9, 8), "utf-8")
    import_file(kindred, qtbot, tmp_path / "papers" / "other <x>.txt")
    panel.refresh(force=True)
    qtbot.waitUntil(lambda: not panel.is_drawing)
    assert panel.view._legend == []
    panel.set_colouring("document")
    qtbot.waitUntil(lambda: len(panel.view._legend) == 2)
    assert [line.text for line in panel.view._legend] == ["one", "other <x>"]
    first, second = (line.colour for line in panel.view._legend)
    assert first != second
    points = panel.view._picture
    drawn = {colour.name(): len(rows) for colour, rows in points.points_by_colour(np.ones(len(points), np.bool_))}
    assert drawn == {first.name(): 37, second.name(): 24}
    panel.view.grab()
    panel.save(str(tmp_path / "map.svg"))
    text = (tmp_path / "map.svg").read_text("utf-8")
    drawing = ElementTree.fromstring(text)
    assert "other <x>" in [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")]
    dots = [each.get("fill") for each in drawing.iter("{http://www.w3.org/2000/svg}circle")]
    assert dots == [first.name(), second.name()]
    # As many lines as fit, the largest documents first; the legend never covers the map.
    many = [LegendEntry(first, f"A document with a rather long name, number {at}, of many") for at in range(11)]
    many.append(LegendEntry(second, "others"))
    for height in (160, 400, 900):
        size = QSize(600, height)
        box = document_legend_rect(size, many, panel.view.font())
        assert QRectF(0, 0, 600, height).contains(box)
        assert box.height() <= max(0.45 * height, 40)
        placed = place_legend_lines(size, many, panel.view.font())
        assert all("…" in line for _, _, line in placed[:-1])
        assert placed[-1][1:] == (second, "others")
        assert len(placed) == 12 or height < 900


@pytest.mark.parametrize("size", [QSize(600, 400), QSize(200, 900)])
def test_each_line_of_the_legend_stands_beside_its_dot_on_a_panel(themes: ThemeManager, size: QSize) -> None:
    font, theme = QApplication.font(), themes.theme
    colours = ("#b0413e", "#2f7d6b", "#6c7080")
    lines = [LegendEntry(QColor(colour), text) for colour, text in zip(colours, ("one", "two", "others"), strict=True)]
    painted = record(size, lambda painter: paint_document_legend(painter, size, lines, theme, font))
    (panel, panel_colour), *dots = painted.areas
    assert panel_colour == theme.color("panel").name()
    assert QRectF(0, 0, size.width(), size.height()).contains(panel)
    assert painted.words() == ["one", "two", "others"]
    assert [colour for _, colour in dots] == list(colours)
    for (dot, _), text, below in zip(dots, painted.words(), (*dots[1:], (panel, "")), strict=True):
        assert panel.contains(dot)
        assert dot.width() == dot.height() == 9
        assert dot.right() + 4 <= painted.place(text).x() <= dot.right() + 10
        assert dot.top() < painted.place(text).y() <= dot.bottom() + 4
        assert dot.bottom() < below[0].bottom()
        assert painted.color(text) == theme.color("text").name()


def test_the_legend_counts_the_other_documents(themes: ThemeManager, qtbot: QtBot) -> None:
    for others, text in ((1, "1 other"), (3, "3 others")):
        ids = np.arange(MAX_COLOURED_DOCUMENTS + others, dtype=np.int64)
        view = MapView(themes)
        qtbot.addWidget(view)
        view.show_map(SentenceMap(ids, np.zeros((len(ids), 2), np.float32), ids, False))
        view.set_colouring("document")
        view.name_documents({number: f"Document {number}" for number in view.largest_documents})
        assert [line.text for line in view._legend][-1] == text
        assert len(view._legend) == MAX_COLOURED_DOCUMENTS + 1


def test_colours_by_document_and_names_for_every_button(
    mapped: tuple[Kindred, ClustersPane, MapPanel],
) -> None:
    _, _, panel = mapped
    chosen = [action for action in panel.menu.actions() if action.isCheckable()]
    assert [action.isChecked() for action in chosen] == [True, False, False]
    chosen[1].trigger()
    assert [action.isChecked() for action in chosen] == [False, True, False]
    assert panel.view.colouring == "document"
    assert len(set(panel.view._picture._group.tolist())) == 1
    panel.view.set_colouring("date")
    assert set(panel.view._picture._group.tolist()) == {0}
    assert panel.view._scale is not None
    panel.view.grab()
    panel.view.set_colouring("cluster")
    assert panel.view._scale is None
    assert len(set(panel.view._picture._group.tolist())) == 4
    assert all(button.accessibleName() for button in panel.findChildren(QAbstractButton))


def plain_map(themes: ThemeManager, qtbot: QtBot, count: int) -> MapView:
    view = MapView(themes)
    qtbot.addWidget(view)
    view.resize(SIZE)
    show_points(view, count)
    view.show()
    view.grab()
    return view


def show_points(view: MapView, count: int) -> None:
    places = np.random.default_rng(0).normal(0, 3, (count, 2)).astype(np.float32)
    view.show_map(SentenceMap(np.arange(count), places, np.ones(count, np.int64), is_new=True))


def test_a_smaller_map_may_follow_while_the_pointer_is_on_a_sentence(themes: ThemeManager, qtbot: QtBot) -> None:
    view = plain_map(themes, qtbot, 50)
    view._hovered = 49
    show_points(view, 5)
    view.grab()
    assert view._hovered is None


def test_nothing_moves_after_escape_or_once_the_map_was_hidden(themes: ThemeManager, qtbot: QtBot) -> None:
    view = plain_map(themes, qtbot, 50)
    middle = QPoint(200, 150)
    for leave in (lambda: QTest.keyClick(view, Qt.Key.Key_Escape), lambda: (view.hide(), view.show())):
        QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, middle)
        QTest.mouseMove(view, middle + QPoint(30, 0))
        leave()
        centre = QPointF(view._picture.centre)
        QTest.mouseMove(view, middle + QPoint(60, 40))
        assert view._picture.centre == centre
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)


def test_a_map_that_was_stopped_says_so_and_can_be_drawn(
    mapped_alone: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot
) -> None:
    kindred, _pane, _panel = mapped_alone
    panel = MapPanel(kindred.window.context)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    panel.show()
    with held(kindred):
        panel.refresh()
        panel.cancel()
    qtbot.waitUntil(lambda: not panel.is_drawing)
    assert panel.state.title.text() == "The map isn't drawn yet"
    (button,) = panel.state.findChildren(ActionButton)
    button.click()
    qtbot.waitUntil(lambda: panel.found is not None)


def test_a_map_that_was_hidden_shows_new_sentences_when_it_is_shown_again(
    mapped_alone: tuple[Kindred, ClustersPane, MapPanel], qtbot: QtBot, tmp_path: Path
) -> None:
    kindred, pane, panel = mapped_alone
    kindred.window.action_table["clusters.list"].trigger()
    before = len(panel.found.ids)
    file = tmp_path / "papers" / "two.txt"
    file.write_text(talk(2), "utf-8")
    import_file(kindred, qtbot, file)
    kindred.window.action_table["clusters.find"].trigger()
    settled(pane, qtbot)
    kindred.window.action_table["clusters.map"].trigger()
    qtbot.waitUntil(lambda: len(panel.found.ids) > before)


def test_tab_leaves_the_map(mapped: tuple[Kindred, ClustersPane, MapPanel]) -> None:
    kindred, pane, panel = mapped
    chain: list[QWidget] = [panel.view]
    while (following := chain[-1].nextInFocusChain()) is not panel.view:
        chain.append(following)
    for each in (pane.sentences.field, kindred.window.search.box, panel.lasso_button):
        assert each in chain, each.accessibleName()
