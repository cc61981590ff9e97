"""Sentences of two texts next to each other: scrolling, kinds without colour, and stepping through kinds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.records import Hit, Place
from desktop_app.core.trace import ChangeKind, Diff, DiffRow, Trace, TracedSentence
from desktop_app.gui.base.theme import DARK, LIGHT, Theme, ThemeManager
from desktop_app.gui.trace.model import DiffTextRows, DraftTextRows, TextRows, explain_support
from desktop_app.gui.trace.sentence_kinds import (
    CHANGE_STYLES,
    SUPPORT_STYLES,
    SentenceKindBar,
    explain_sentence_kind,
    sentence_kind_name,
)
from desktop_app.gui.trace.state_view import describe_skipped
from desktop_app.gui.trace.text_rows_view import TextRowsView

WORDS = ("sea", "rises", "warm", "water", "takes", "more", "room", "than", "towns", "adapt", "drains", "storms")


def sentence(seed: int) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choices(WORDS, k=rng.randint(4, 40))).capitalize() + "."


def hit(document: int, ordinal: int, text: str) -> Hit:
    place = (Place(1 + ordinal // 10, 0, 1, "char"),)
    return Hit(1, 1.0, ordinal + 1, text, "", "", document, f"doc{document}", f"/doc{document}.pdf", "pdf", ordinal,
               "body", place)  # fmt: skip


def diff(changes: Sequence[ChangeKind], moved_from: int = 0) -> Diff:
    """A diff with these changes; a moved sentence is at `moved_from` in the first document."""
    rows, a, b = [], 0, 0
    for row, change in enumerate(changes):
        one = other = None
        if change == "moved":
            one = hit(1, moved_from, sentence(row))
        elif change != "new":
            a += 1 + (a == moved_from and "moved" in changes)
            one = hit(1, a - 1, sentence(row))
        if change != "dropped":
            b += 1
            other = hit(2, b - 1, sentence(row) + (" Other." if change == "reworded" else ""))
        rows.append(DiffRow(change, 0.83 if one and other else None, one, other, ("numbers",) if one and other else ()))
    return Diff(tuple(rows), 0.1)


def draft(count: int) -> Trace:
    kinds = ("verbatim", "paraphrased", "related", "unsupported")
    return Trace(
        tuple(
            TracedSentence(sentence(at), None, kinds[at % 4], 0.9, (hit(1, at, "A source."),) if at % 4 < 3 else ())
            for at in range(count)
        ),
        0.1,
    )


@pytest.fixture
def show(themes: ThemeManager, qtbot: QtBot) -> Iterator[Callable[..., TextRowsView]]:
    shown: list[QWidget] = []

    def build(texts: TextRows, width: int = 900, height: int = 500) -> TextRowsView:
        view = TextRowsView(themes, "Texts")
        view.resize(width, height)
        view.show()
        qtbot.waitExposed(view)
        view.show_texts(texts)
        view.grab()
        shown.append(view)
        return view

    yield build
    for view in shown:
        view.close()
        view.deleteLater()


def luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def contrast(one: QColor, other: QColor) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("tones", [CHANGE_STYLES, SUPPORT_STYLES], ids=["changes", "supports"])
def test_kinds_are_readable_and_distinct_without_colour(tones: dict, theme: Theme) -> None:
    for kind, tone in tones.items():
        for ink in (tone.color(theme), theme.color("text"), theme.color("muted"), theme.color("bad")):
            assert contrast(ink, tone.fill(theme)) >= 4.5, (kind, ink.name())
        assert contrast(tone.color(theme), theme.color("raised")) >= 4.5, kind
    for what in (
        [tone.sign for tone in tones.values()],
        [*map(sentence_kind_name, tones)],
        [*map(explain_sentence_kind, tones)],
    ):
        assert len(set(what)) == len(tones)


def test_related_sentences_are_visible_together(show: Callable[..., TextRowsView]) -> None:
    changes: list[ChangeKind] = (
        ["kept", "reworded"] * 20 + ["new"] * 60 + ["kept"] * 20 + ["dropped"] * 80 + ["kept"] * 20
    )
    view = show(DiffTextRows(diff(changes)))
    for row in (0, 7, 39, 100, 110, 119, 200, 205, len(changes) - 1):
        view.choose(row)
        view.grab()
        left, right = view.rect_of(row, 0), view.rect_of(row, 1)
        assert right.top() >= 0, row
        assert right.bottom() <= 501, row
        assert abs(left.center().y() - right.center().y()) < 40, row
    bar = view.verticalScrollBar()
    bar.setValue(0)
    view.grab()
    assert (view.rect_of(0, 0).top(), view.rect_of(0, 1).top()) == (0, 0)
    bar.setValue(bar.maximum())
    view.grab()
    last = len(changes) - 1
    assert view.rect_of(last, 0).bottom() == pytest.approx(500, abs=2)
    assert view.rect_of(last, 1).bottom() == pytest.approx(500, abs=2)


def test_scrolling_never_jumps(show: Callable[..., TextRowsView]) -> None:
    changes: list[ChangeKind] = ["kept"] * 30 + ["new"] * 40 + ["kept"] * 30 + ["dropped"] * 40 + ["reworded"] * 30
    view = show(DiffTextRows(diff(changes)))
    for row in range(0, len(changes), 5):  # all rows have been visible once
        view.choose(row)
        view.grab()
    bar = view.verticalScrollBar()
    bar.setValue(0)
    view.grab()
    before = [view._offset(side) for side in (0, 1)]
    for value in range(10, bar.maximum(), 10):
        bar.setValue(value)
        now = [view._offset(side) for side in (0, 1)]
        for one, other in zip(before, now, strict=True):
            assert -1 <= other - one <= 45, value
        before = now


def test_the_visible_part_stays_when_the_window_is_resized(show: Callable[..., TextRowsView]) -> None:
    view = show(DraftTextRows(draft(2000)))
    view.choose(1000)
    view.grab()
    for width in (500, 1200, 620):
        view.resize(width, 500)
        view.grab()
        assert 0 <= view.rect_of(1000, 0).top() <= 500


@pytest.mark.parametrize("row", [0, 300, 999])
def test_the_visible_part_stays_when_more_sentences_arrive(show: Callable[..., TextRowsView], row: int) -> None:
    view = show(DraftTextRows(draft(1000)))
    chosen: list[int | None] = []
    view.choose(row)
    view.highlight(["paraphrased"])
    view.grab()
    before = view.rect_of(row, 0)
    view.chosen.connect(chosen.append)
    for count in (1500, 1510, 4000):
        view.show_more(DraftTextRows(draft(count)))
        view.grab()
        assert view.rect_of(row, 0).top() == pytest.approx(before.top(), abs=1.5)
        assert (view.current, chosen) == (row, [])
    view.choose(3999)
    view.grab()
    assert view.rect_of(3999, 0).bottom() == pytest.approx(500, abs=2)
    assert view.step(-1)
    assert view._texts.kinds[view.current] == "paraphrased", "the highlight stays"


def test_fifty_thousand_sentences_appear_at_once(show: Callable[..., TextRowsView]) -> None:
    view = show(DraftTextRows(draft(50_000)))
    assert view._geometry is not None
    assert len(view._geometry._layouts) < 60, "only visible rows are laid out"
    view.choose(49_999)
    view.grab()
    assert view.rect_of(49_999, 0).bottom() == pytest.approx(500, abs=2)
    view.choose(25_000)
    view.grab()
    assert 0 <= view.rect_of(25_000, 0).top() <= 500
    assert len(view._geometry._layouts) < 400


def test_keys_step_through_the_differences_or_one_kind(show: Callable[..., TextRowsView], qtbot: QtBot) -> None:
    changes: list[ChangeKind] = ["kept", "reworded", "kept", "new", "kept", "dropped", "kept", "new", "kept"]
    view = show(DiffTextRows(diff(changes)))
    gone = []
    for _ in range(5):
        qtbot.keyClick(view, Qt.Key.Key_N)
        gone.append(view.current)
    assert gone == [1, 3, 5, 7, 7], "after the last one it stays"
    qtbot.keyClick(view, Qt.Key.Key_P)
    assert view.current == 5
    view.highlight(["new"])
    qtbot.keyClick(view, Qt.Key.Key_P)
    assert view.current == 3
    qtbot.keyClick(view, Qt.Key.Key_N)
    assert view.current == 7
    for key, row in ((Qt.Key.Key_Down, 8), (Qt.Key.Key_Home, 0), (Qt.Key.Key_End, 8), (Qt.Key.Key_Up, 7)):
        qtbot.keyClick(view, key)
        assert view.current == row
    assert view.accessibleDescription().startswith("new, ")


def test_a_click_selects_a_sentence_and_a_double_click_opens_it(
    show: Callable[..., TextRowsView], qtbot: QtBot
) -> None:
    view = show(DiffTextRows(diff(["kept", "reworded", "new", "dropped"])))
    opened: list[tuple[int, int | None]] = []
    view.opened.connect(lambda row, side: opened.append((row, side)))
    for row, side in ((1, 0), (1, 1), (2, 1), (3, 0)):
        at = view.rect_of(row, side).center().toPoint()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert view.current == row
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert opened[-1] == (row, side)
    assert view.row_hit_at(QPoint(450, 20).toPointF()) is None, "there is nothing between both"
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened[-1] == (3, None)


def test_bands_join_related_sentences(show: Callable[..., TextRowsView], themes: ThemeManager) -> None:
    view = show(DiffTextRows(diff(["reworded", "new", "dropped", "kept"])))
    image = view.viewport().grab().toImage()
    left, right = view.rect_of(0, 0), view.rect_of(0, 1)
    middle = QPoint(round((left.right() + right.left()) / 2), round((left.center().y() + right.center().y()) / 2))
    assert image.pixelColor(middle) == CHANGE_STYLES["reworded"].band(themes.theme)
    view.highlight(["new"])
    assert view.viewport().grab().toImage().pixelColor(middle) == themes.theme.color("hover")


def test_a_band_joins_a_moved_sentence_with_its_former_place(show: Callable[..., TextRowsView]) -> None:
    texts = DiffTextRows(diff(["kept", "kept", "moved", "kept"], moved_from=0), shows_scores=True)
    assert texts.places[0].tolist() == [1, 2, 0, 3]
    assert texts.places[1].tolist() == [0, 1, 2, 3]
    view = show(texts)
    assert view.rect_of(2, 0).top() < view.rect_of(0, 0).top()
    assert view.rect_of(2, 1).top() > view.rect_of(1, 1).top()
    said = texts.describe_row(2)
    assert said.startswith("moved, similarity 0.83, numbers differ, ")


def test_nothing_and_one_sentence_can_be_shown(show: Callable[..., TextRowsView]) -> None:
    view = show(DiffTextRows(Diff((), 0.0)))
    assert view.step(1) is False
    assert view.current is None
    view.show_texts(DraftTextRows(draft(1)))
    view.grab()
    assert view.verticalScrollBar().maximum() == 0
    view.show_texts(DiffTextRows(diff(["new", "new"])))
    view.grab()
    assert view.rect_of(0, 0).isNull()


def test_counts_are_buttons_that_highlight_a_kind(themes: ThemeManager, qtbot: QtBot) -> None:
    bar = SentenceKindBar(CHANGE_STYLES, themes, "Differences")
    qtbot.addWidget(bar)
    bar.resize(700, bar.height())
    bar.show()
    bar.show_counts({"kept": 12, "reworded": 3, "moved": 0, "new": 1, "dropped": 2000})
    assert bar.buttons["reworded"].accessibleName() == "3 reworded"
    assert bar.accessibleDescription() == "12 kept, 3 reworded, 0 moved, 1 new, 2,000 dropped"
    assert not bar.buttons["moved"].isEnabled()
    with qtbot.waitSignal(bar.picked) as picked:
        bar.buttons["new"].click()
    assert picked.args == [["new"]]
    bar.resize(260, bar.height())
    bar.grab()
    assert max(button.geometry().right() for button in bar.buttons.values()) <= 290, "a narrow view leaves out names"
    assert bar.buttons["reworded"].accessibleName() == "3 reworded"


def test_a_sentence_shows_its_score_only_with_exact_scores(themes: ThemeManager) -> None:
    texts = DraftTextRows(draft(1))
    without = texts.block(0, 0).about
    texts.shows_scores = True
    score, *rest = texts.block(0, 0).about
    assert tuple(rest) == without
    assert score.startswith("0.") or score == "1.00"


def test_the_sources_of_a_draft_from_documents_of_one_name_are_told_apart(qtbot: QtBot) -> None:
    first, second = (replace(hit(at, 0, "It rises."), title="Lease", path=f"/{at}/lease.pdf") for at in (1, 2))
    rows = DraftTextRows(
        Trace(
            tuple(TracedSentence(f"{at}.", None, "related", 0.6, (each,)) for at, each in ((1, first), (2, second))), 0
        )
    )
    assert [rows.block(0, row).about for row in (0, 1)] == [("Lease (1), p. 1",), ("Lease (2), p. 1",)]
    assert "Lease (2)" in rows.cite_row(1)


def test_scores_of_compared_documents_are_shown_on_request() -> None:
    texts = DiffTextRows(diff(["reworded"]))
    assert texts.block(1, 0).about == ("p. 1",)
    assert "similarity" not in texts.describe_row(0)
    texts.shows_scores = True
    assert texts.block(1, 0).about == ("0.83", "p. 1")
    assert texts.block(0, 0).about == ("p. 1",), "facts about both are at the second"


def test_reworded_does_not_promise_that_both_say_the_same() -> None:
    assert diff(["reworded"]).rows[0].badges == ("numbers",)
    assert "say the same" not in explain_sentence_kind("reworded")


def test_a_sentence_whose_source_has_another_number_is_stepped_to(show: Callable[..., TextRowsView]) -> None:
    source = hit(1, 0, "The deposit is 2,000 euros.")
    same = TracedSentence("A deposit of 2,000 euros.", None, "paraphrased", 0.9, (source,))
    other = TracedSentence("The deposit is 3,500 euros.", None, "paraphrased", 0.98, (source,), ("numbers",))
    trace = Trace((same, other, same), 0.1)
    view = show(DraftTextRows(trace))
    assert view.step(1)
    assert view.current == 1
    assert not view.step(1)
    assert trace.differing == 1
    assert explain_support(other).endswith("not the same: numbers differ.")
    assert explain_support(same) == explain_sentence_kind("paraphrased")
    assert "Facts that differ from the source: 1 sentence." in describe_skipped(trace)
