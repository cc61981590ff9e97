"""A card shows a hit: what is painted where. Card backgrounds look the same whether drawn or copied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QListView, QStyle
from pytestqt.qtbot import QtBot

from desktop_app.core.query import parse_query
from desktop_app.core.records import Hit, SearchMode
from desktop_app.engine.requests import SearchResult
from desktop_app.gui.base.theme import LIGHT, ThemeManager
from desktop_app.gui.results import hit_delegate
from desktop_app.gui.results.hit_delegate import CardBackground, HitCardDelegate
from desktop_app.gui.results.hit_model import HIT_ROLE, NAME_ROLE
from tests.gui.painting import Painting, paint

LINE, GROUND = QColor("#5060c0"), QColor("#f0f0ff")


def picture(rect: QRectF, ratio: float, width: float, ground: CardBackground | None) -> QImage:
    image = QImage(round(300 * ratio), round(220 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    smooth = QPainter.RenderHint.SmoothPixmapTransform
    painter.setRenderHint(smooth)  # as a view does
    if ground is None:
        hit_delegate._draw_background(painter, rect, LINE, width, GROUND)
    else:
        ground.paint(painter, rect, LINE, width, GROUND)
    assert painter.testRenderHint(smooth), "whatever is painted next is smooth"
    painter.end()
    return image


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [1.0, 1.5])
def test_a_copied_background_equals_a_drawn_one(qapp: QApplication, ratio: float, width: float) -> None:
    ground = CardBackground()
    for left, height in ((12.5, 100), (12.5, 101), (12.5, 24), (13.0, 180), (12.5, 100), (12.5, 30)):
        rect = QRectF(left, 8.5, 260, height)
        drawn, copied = picture(rect, ratio, width, None), picture(rect, ratio, width, ground)
        if drawn == copied:
            continue
        for y in range(drawn.height()):
            for x in range(drawn.width()):
                if drawn.pixel(x, y) != copied.pixel(x, y):
                    a, b = drawn.pixelColor(x, y), copied.pixelColor(x, y)
                    far = max(abs(a.red() - b.red()), abs(a.green() - b.green()), abs(a.blue() - b.blue()))
                    assert far <= 2, f"({x}, {y}) of a card {height} high: {b.name()} for {a.name()}"


def test_few_pictures_are_cached(qapp: QApplication) -> None:
    ground = CardBackground()
    for width in range(100, 200):
        picture(QRectF(2.5, 2.5, width, 90), 1.0, 1.0, ground)
    assert len(ground._strips) <= 16


SEA = Hit(
    rank=1,
    score=0.81,
    sentence_id=7,
    text="Warm \N{GRINNING FACE} seas rise slowly.",
    before="It was warm.",
    after="Ice melts.",
    document_id=1,
    title="Tides",
    path="/made/up/tides.txt",
    type="txt",
    ordinal=3,
    kind="prose",
    places=(),
)
Card = Callable[..., Painting]


class _Themes:
    theme = LIGHT


@pytest.fixture
def card(qapp: QApplication, qtbot: QtBot) -> Card:
    """Return a function that paints the card of a hit."""
    view = QListView()
    qtbot.addWidget(view)
    view.resize(620, 400)
    delegate = HitCardDelegate(view, cast("ThemeManager", _Themes()))

    def painted(
        hit: Hit = SEA,
        query: str = "sea",
        mode: SearchMode = "meaning",
        judged: dict[int, bool] | None = None,
        state: QStyle.StateFlag = QStyle.StateFlag.State_Enabled,
        **attributes: object,
    ) -> Painting:
        model, item = QStandardItemModel(view), QStandardItem()
        item.setData(hit, HIT_ROLE)
        item.setData(hit.title, NAME_ROLE)
        model.appendRow(item)
        for name, value in attributes.items():
            setattr(delegate, name, value)
        understood = parse_query(query)
        delegate.set_result(
            SearchResult(query, mode, (), (hit,), 1, 0.1, understood=understood, judged=judged or {}, chance=0.3)
        )
        delegate.clear_sizes()
        return paint(delegate, model.index(0, 0), state=state)

    return painted


def test_a_card_shows_the_sentence_between_its_neighbours_and_its_document(card: Card) -> None:
    seen = card()
    assert seen.words()[0] == "It was warm."
    lines = ["It was warm.", "Warm ", "Ice melts.", "Tides"]
    heights = [seen.place(line).y() for line in lines]
    assert heights == sorted(heights)
    assert len(set(heights)) == len(lines), "each on a line of its own"
    assert {seen.place(line).x() for line in lines} == {seen.place("Warm ").x()}, "one below the other"
    score = seen.place("strong")
    assert score.x() < seen.place("Warm ").x()
    assert abs(score.y() - seen.place("Warm ").y()) < 2, "beside the sentence"
    assert seen.color("Warm ") == LIGHT.text
    assert seen.color("It was warm.") == seen.color("Ice melts.") == LIGHT.muted


def test_a_card_at_the_start_of_a_document_has_no_empty_line(card: Card) -> None:
    seen, without = card(), card(replace(SEA, before=""))
    assert without.place("Warm ").y() < seen.place("Warm ").y()
    assert without.place("Ice melts.").y() - without.place("Warm ").y() == pytest.approx(
        seen.place("Ice melts.").y() - seen.place("Warm ").y(), abs=0.1
    )


def test_the_found_word_is_marked_also_behind_an_emoji(card: Card) -> None:
    marks = [area for area, color in card().areas if color == LIGHT.mark]
    (mark,) = marks
    painted = card()
    behind = painted.place(" seas rise slowly.").x()
    font = QListView().font()
    assert mark.left() > behind, "the space before it is not marked"
    assert 0 < mark.left() - behind < QFontMetricsF(font).horizontalAdvance("s")
    assert not [area for area, color in card(query="tide").areas if color == LIGHT.mark]


@pytest.mark.parametrize(
    ("verdict", "icon", "color"), [(True, "check", LIGHT.accent), (False, "x", LIGHT.bad)], ids=["relevant", "not"]
)
def test_a_judged_hit_has_a_tick_or_a_cross_below_its_score(card: Card, verdict: bool, icon: str, color: str) -> None:
    seen = card(judged={SEA.sentence_id: verdict})
    place = seen.find_icon(icon, QColor(color))
    assert place is not None
    assert place.top() > seen.place("strong").y()
    assert place.right() < seen.place("Warm ").x()
    assert abs(place.left() - seen.place("strong").x()) <= 1
    others = card(judged={SEA.sentence_id + 1: verdict})
    assert others.find_icon("check", QColor(LIGHT.accent)) is None
    assert others.find_icon("x", QColor(LIGHT.bad)) is None


@pytest.mark.parametrize(
    ("score", "word", "bars"), [(0.81, "strong", 3), (0.5, "related", 2), (0.2, "weak", 1)], ids=["81", "50", "20"]
)
def test_a_score_is_a_word_and_as_many_bars_or_a_number(card: Card, score: float, word: str, bars: int) -> None:
    seen = card(replace(SEA, score=score), query="tide")
    place = seen.place(word)
    below = [(area.left(), color) for area, color in seen.areas if 0 < area.top() - place.y() < 20]
    assert [color for _, color in sorted(below)] == [LIGHT.accent] * bars + [LIGHT.track] * (3 - bars)
    assert min(below)[0] == pytest.approx(place.x(), abs=0.5)
    number = card(replace(SEA, score=score), query="tide", shows_numbers=True)
    assert f"{score:.2f}" in number.words()
    assert word not in number.words()


def test_a_selected_card_has_another_ground(card: Card) -> None:
    def ground(state: QStyle.StateFlag) -> QColor:
        _, image = card(state=state).icons[1]
        return image.pixelColor(image.width() // 2, image.height() // 2)

    enabled = QStyle.StateFlag.State_Enabled
    assert ground(enabled) == QColor(LIGHT.raised)
    assert ground(enabled | QStyle.StateFlag.State_MouseOver) == QColor(LIGHT.hover)
    assert ground(enabled | QStyle.StateFlag.State_Selected) == QColor(LIGHT.soft)
    assert ground(enabled | QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver) == QColor(LIGHT.soft)
