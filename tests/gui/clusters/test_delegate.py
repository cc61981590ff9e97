"""What a row of the list of topics shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QRect, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from desktop_app.core.clusters import Cluster
from desktop_app.core.records import Hit
from desktop_app.gui.base.theme import ThemeManager, scale_font
from desktop_app.gui.clusters.delegate import ClusterDelegate
from desktop_app.gui.clusters.model import CLUSTER_ROLE, UNCLUSTERED, cluster_colour
from tests.gui.painting import Painting, paint

Row = Callable[[Cluster], QModelIndex]


def hit(text: str) -> Hit:
    return Hit(1, 0.9, 1, text, "", "", 1, "a", "a.txt", "text", 0, "body", ())


TIDES = Cluster(3, "Tides, moon", ("tides",), (hit("The moon pulls\nat the sea."),), range(128), 14)


def end_of(painted: Painting, text: str, font: QFont) -> float:
    """Where a text ends."""
    return painted.place(text).x() + QFontMetricsF(font).horizontalAdvance(text)


@pytest.fixture
def view(qtbot: QtBot) -> QListView:
    view = QListView()
    qtbot.addWidget(view)
    view.setModel(QStandardItemModel(view))
    return view


@pytest.fixture
def delegate(view: QListView, themes: ThemeManager) -> ClusterDelegate:
    return ClusterDelegate(view, themes)


@pytest.fixture
def row(view: QListView) -> Row:
    def add(cluster: Cluster) -> QModelIndex:
        model = view.model()
        assert isinstance(model, QStandardItemModel)
        item = QStandardItem()
        item.setData(cluster, CLUSTER_ROLE)
        model.appendRow(item)
        return item.index()

    return add


def test_a_topic_has_its_colour_name_size_and_first_sentence(
    delegate: ClusterDelegate, row: Row, themes: ThemeManager
) -> None:
    painted = paint(delegate, row(TIDES))
    size = "128 sentences \N{MIDDLE DOT} 14 documents"
    assert painted.words() == [size, "Tides, moon", "The moon pulls at the sea."]
    ((dot, colour),) = painted.areas
    assert colour == cluster_colour(3, themes.theme.dark).name()
    assert dot.right() < painted.place("Tides, moon").x()
    assert painted.place("Tides, moon").y() == painted.place(size).y()
    assert painted.place("The moon pulls at the sea.").x() == painted.place("Tides, moon").x()
    assert painted.place("The moon pulls at the sea.").y() > painted.place(size).y()
    assert painted.color("Tides, moon") == themes.theme.color("text").name()
    assert painted.color(size) == themes.theme.color("muted").name()


def test_a_pinned_topic_has_a_pin_at_its_end(
    view: QListView, delegate: ClusterDelegate, row: Row, themes: ThemeManager
) -> None:
    plain = paint(delegate, row(TIDES))
    painted = paint(delegate, row(replace(TIDES, pinned=True)))
    pin = painted.find_icon("pin", themes.theme.color("muted"))
    size = "128 sentences \N{MIDDLE DOT} 14 documents \N{MIDDLE DOT} pinned"
    assert pin is not None
    assert plain.find_icon("pin", themes.theme.color("muted")) is None
    assert end_of(painted, size, scale_font(view.font(), 0.9)) < pin.left()
    assert 600 - 30 < pin.right() < 600 - 6
    assert abs(pin.center().y() - plain.areas[0][0].center().y()) <= 1.5


def test_a_broad_topic_has_the_names_of_its_topics_and_no_colour(delegate: ClusterDelegate, row: Row) -> None:
    painted = paint(delegate, row(replace(TIDES, cluster_id=-7, keywords=("tides", "harbours"), key_sentences=())))
    assert painted.words()[1:] == ["Tides, moon", "tides \N{MIDDLE DOT} harbours"]
    assert painted.words()[0].startswith("2 topics")
    assert painted.areas == ()


def test_a_topic_without_words_is_untitled_and_the_rest_unassigned(delegate: ClusterDelegate, row: Row) -> None:
    assert paint(delegate, row(replace(TIDES, name="", key_sentences=()))).words()[1:] == ["Untitled"]
    assert paint(delegate, row(replace(TIDES, cluster_id=UNCLUSTERED, key_sentences=()))).words()[1:] == ["Unassigned"]


@pytest.mark.parametrize("width", [240, 400, 1000])
def test_nothing_leaves_the_row_or_covers_another_text(
    view: QListView, delegate: ClusterDelegate, row: Row, width: int
) -> None:
    name, sentence = "A topic with a rather long name " * 4, "A sentence that is longer than the list is wide. " * 5
    painted = paint(delegate, row(replace(TIDES, name=name, key_sentences=(hit(sentence),), new=3, pinned=True)), width)
    size, shown_name, shown_sentence = painted.words()
    assert (size == "128 sentences") == (width < 700)
    assert painted.place(size).x() >= width / 3
    bold, small = scale_font(view.font(), 1.0, QFont.Weight.DemiBold), scale_font(view.font(), 0.9)
    assert end_of(painted, shown_name, bold) <= painted.place(size).x() - 10
    assert end_of(painted, shown_sentence, small) <= width - 6
    assert shown_sentence.endswith("\N{HORIZONTAL ELLIPSIS}")
    assert len(shown_sentence) > len(shown_name)


def test_a_short_name_leaves_room_for_the_size(view: QListView, delegate: ClusterDelegate, row: Row) -> None:
    small = QFontMetricsF(scale_font(view.font(), 0.9))
    whole, shorter = "128 sentences · 14 documents · 3 new", "128 sentences · 14 documents"
    width = round(small.horizontalAdvance(whole)) + 140
    index = row(replace(TIDES, name="Moon", new=3))
    assert paint(delegate, index, width).words()[0] == whole
    assert paint(delegate, index, width - 60).words()[0] == shorter, "what matters least is left out"


def test_the_chosen_row_and_the_one_below_the_mouse_are_marked(
    delegate: ClusterDelegate, row: Row, themes: ThemeManager
) -> None:
    state = QStyle.StateFlag
    index = row(TIDES)
    for flags, colour in ((state.State_Selected, "soft"), (state.State_MouseOver, "hover")):
        area, painted = paint(delegate, index, state=state.State_Enabled | flags).areas[0]
        assert painted == themes.theme.color(colour).name()
        assert QRectF(QRect(0, 0, 600, delegate.sizeHint(QStyleOptionViewItem(), index).height())).contains(area)
        assert area.width() > 580
