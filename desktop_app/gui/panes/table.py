"""The panes of the window, in one table. Each is built when it is first shown: the first frame does not wait for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.gui.action_spec import ActionSpec
from desktop_app.gui.action_spec import mark as _tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_app.gui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """A pane.

    Attributes:
        action: shows it; the part of its id after the dot is the pane's name.
        title: on its button.
        build: makes it for a window. Its focus proxy is what the keyboard goes to when it is shown.
        has_reader: whether the reader stands beside it.
    """

    action: ActionSpec
    title: str
    build: Callable[[MainWindow], QWidget]
    has_reader: bool = True

    @property
    def name(self) -> str:
        """What the pane is called in code and in the window's state."""
        return self.action.id.partition(".")[2]


def _search(window: MainWindow) -> QWidget:
    return window.search_pane


def _pairs(window: MainWindow) -> QWidget:
    from desktop_app.gui.panes.pairs import PairsPane

    return PairsPane(window)


def _clusters(window: MainWindow) -> QWidget:
    from desktop_app.gui.panes.clusters import ClustersPane

    return ClustersPane(window)


def _train(window: MainWindow) -> QWidget:
    from desktop_app.gui.panes.training import TrainPane
    from desktop_app.gui.training.job_card import TrainingCard

    pane = TrainPane(window.session, window.models, window.themes, window.paths.data / "trained")
    pane.told.connect(window.tell)
    pane.opened.connect(window.commands.open_hit)
    pane.reranker_chosen.connect(window.search_desk.choose_reranker)
    pane.compared.connect(lambda asked: window.tools.compare(*asked))
    card = TrainingCard(pane.trainings)
    card.shown.connect(lambda: window.panes.show_pane("train"))
    window.library_pane.add_card(card)
    # What was searched last is what one wants to see under another model.
    window.search.answered.connect(lambda _again: pane.comparing.suggest([window.search.query]))
    pane.comparing.suggest([window.search.query] if window.search.query else [])
    return pane


def _trace(window: MainWindow) -> QWidget:
    from desktop_app.gui.panes.tracing import TracePane

    return TracePane(window)


PANES: tuple[PaneSpec, ...] = (
    PaneSpec(
        ActionSpec(
            "pane.search",
            _tr("&Search"),
            "view",
            ("Ctrl+1",),
            "search",
            _tr("Show what the search found"),
            group="pane",
        ),
        _tr("Search"),
        _search,
    ),
    PaneSpec(
        ActionSpec(
            "pane.pairs",
            _tr("S&aid Twice"),
            "view",
            ("Ctrl+2",),
            "pairs",
            _tr("Show the sentences that the library says twice, or nearly so"),
            group="pane",
        ),
        _tr("Said Twice"),
        _pairs,
        has_reader=False,
    ),
    PaneSpec(
        ActionSpec(
            "pane.clusters",
            _tr("&Themes"),
            "view",
            ("Ctrl+3",),
            "shapes",
            _tr("Show what the library is about"),
            group="pane",
        ),
        _tr("Themes"),
        _clusters,
    ),
    PaneSpec(
        ActionSpec(
            "pane.train",
            _tr("&Train"),
            "view",
            ("Ctrl+4",),
            "graduation-cap",
            _tr("Train a model on your own pairs, and see how good models are"),
            group="pane",
        ),
        _tr("Train"),
        _train,
        has_reader=False,
    ),
    PaneSpec(
        ActionSpec(
            "pane.trace",
            _tr("Tra&ce"),
            "view",
            ("Ctrl+5",),
            "list-checks",
            _tr("Trace a draft: see of each sentence what in the library it rests on"),
            group="pane",
        ),
        _tr("Trace"),
        _trace,
        has_reader=False,
    ),
)
