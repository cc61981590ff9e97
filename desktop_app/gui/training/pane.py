"""The Train pane: fine-tuning, evaluation, and a comparison of models on the library."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop_app.gui.training.controller import TrainingController
from desktop_app.gui.training.data_card import TrainingExamplesCard
from desktop_app.gui.training.evaluation_page import EvaluationPage
from desktop_app.gui.training.model_comparison_page import ModelComparisonPage
from desktop_app.gui.training.result_card import TrainingResultCard
from desktop_app.gui.training.run_card import TrainingProgressCard, TrainingRunCard
from desktop_app.gui.training.settings_card import TrainingSettingsCard
from desktop_app.gui.training.start_card import TrainingStageCard, TrainingStartCard, UnfinishedTrainingsCard
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.pane import Pane

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from desktop_app.core.jobs import ChangeSet
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.training.controller import TrainingState

_NARROW_PANE_PX = 800  # in a narrower pane, columns go one below the other
_MAX_TEXT_PX = 860
"""Cards grow no wider: lines stay readable."""


class TrainingPane(Pane):
    """Three pages under one heading: train, evaluate, compare on the library."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Train"))
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._context = context
        self._models = context.models
        self._has_asked = False
        self._state: TrainingState = "idle"
        self.trainings = TrainingController(context.session, context.paths.trained, self)
        self.pages = QStackedWidget()
        self.pages.setAccessibleName(self.tr("Training and evaluation"))
        self._buttons = QButtonGroup(self)
        title = make_heading(self.tr("Train a custom model"), 1.35)
        about = make_label(
            self.tr(
                "Provide sentence pairs with similarity labels. Training runs in the background on this computer;"
                " your library keeps its current model until you switch."
            ),
            tone="muted",
            wrap=True,
            name=self.tr("About training"),
        )
        tabs = QHBoxLayout()
        tabs.setSpacing(6)
        self.tabs = {
            "train": self._tab(self.tr("Train")),
            "evaluate": self._tab(self.tr("Evaluate")),
            "library": self._tab(self.tr("Compare Models")),
        }
        for tab in self.tabs.values():
            tabs.addWidget(tab)
        tabs.addStretch(1)
        head = make_column(title, about, 4, tabs, margins=(24, 18, 24, 8), spacing=6)
        make_column(head, (self.pages, 1), parent=self, spacing=0)
        self.page_stack = [self._make_scroll_area(tab.text()) for tab in self.tabs.values()]
        self._make_training_page()
        for number, tab in enumerate(self.tabs.values()):
            self._buttons.addButton(tab, number)
        self._buttons.idClicked.connect(self._show_page_number)
        self.tabs["train"].setChecked(True)
        self.data.changed.connect(self._on_data)
        self.second_stage.changed.connect(self._show_readiness)
        self.start.start.clicked.connect(self._on_start)
        self.start.model_chosen.connect(self._on_model)
        self.trainings.changed.connect(self._refresh)
        self.trainings.failed.connect(context.tell_error)
        self.trainings.listed_late.connect(self._on_listed_late)
        context.session.bridge.changed.connect(self._on_library_changed)
        self.result.compare.connect(self._on_compare)
        card = TrainingProgressCard(self.trainings)
        card.opened.connect(lambda: context.navigator.show_pane.emit("train"))
        context.card_added.emit(card)
        self.setFocusProxy(self.data.row.button)
        self._refresh()

    def _tab(self, text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setAccessibleName(text.replace("&", ""))
        button.setCheckable(True)
        button.setProperty("tone", "tab")
        return button

    def _make_training_page(self) -> None:
        page = QWidget()
        page.setAccessibleName(self.tr("Train"))
        self._fill_page(
            "train", page
        )  # while it is empty, as all that follows: Qt styles a moved widget anew, with all that it holds
        themes = self._context.themes
        self.run = TrainingRunCard(self.trainings, themes, page)
        self.result = TrainingResultCard(self._context, self.trainings, page)
        self.unfinished = UnfinishedTrainingsCard(self.trainings, page)
        self.data = TrainingExamplesCard(self.trainings, themes, self.tr("1 · Data"), page)
        self.settings = TrainingSettingsCard(themes, self.tr("2 · Settings"), page)
        self.second_stage = TrainingStageCard(self.trainings, self.tr("3 · Second stage (optional)"), page)
        self.start = TrainingStartCard(self.trainings, self._models, self.tr("4 · Start"), page)
        make_column(
            self.run,
            self.result,
            self.unfinished,
            self.data,
            self.settings,
            self.second_stage,
            self.start,
            parent=page,
            spacing=14,
        )

    @cached_property
    def evaluation(self) -> EvaluationPage:
        """The page that evaluates models; made when it is first needed, which halves the time to open this pane."""
        page = EvaluationPage(self._context, self.trainings)
        self._fill_page("evaluate", page)
        page.set_narrow(self.width() < _NARROW_PANE_PX)
        return page

    @cached_property
    def comparison(self) -> ModelComparisonPage:
        """The page that compares models on the library; made when it is first needed."""
        page = ModelComparisonPage(self._context)
        self._fill_page("library", page)
        return page

    def _make_scroll_area(self, name: str) -> QScrollArea:
        area = QScrollArea()
        area.setAccessibleName(name)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.pages.addWidget(area)
        return area

    def _fill_page(self, name: str, page: QWidget) -> None:
        area = self.page_stack[list(self.tabs).index(name)]
        inner = QWidget()
        inner.setAccessibleName(area.accessibleName())
        inner.setProperty("surface", "ground")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        page.setMaximumWidth(_MAX_TEXT_PX)
        page.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        area.setWidget(inner)  # before the page is in it, for the same reason
        make_row((page, 1000, Qt.AlignmentFlag.AlignTop), "stretch", parent=inner, margins=(24, 8, 24, 24))
        area.viewport().setAutoFillBackground(False)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.labels and self.isVisible():
            self.trainings.count_labelled_pairs()

    def _show_page_number(self, number: int) -> None:
        name = list(self.tabs)[number]
        if name != "train":
            _ = self.evaluation if name == "evaluate" else self.comparison
        self.pages.setCurrentIndex(number)

    def show_page(self, name: str) -> None:
        """Show one of the pages: `train`, `evaluate`, `library`."""
        self.tabs[name].click()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the cards for the width of the pane."""
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW_PANE_PX
        for part in (self.settings, self.run, self.result):
            part.set_narrow(is_narrow)
        if "evaluation" in self.__dict__:
            self.evaluation.set_narrow(is_narrow)

    def showEvent(self, event: QShowEvent) -> None:
        """Request models when the pane is first shown, and unfinished trainings."""
        super().showEvent(event)
        self.trainings.count_labelled_pairs()
        if not self._has_asked:
            self._has_asked = True
            self._models.refresh()
            self.trainings.list_trained_models()
        self.trainings.find_unfinished()  # the training of a library that has just closed may be one by now

    def _on_data(self) -> None:
        self.settings.show_preview(self.data.preview, self.data.file)
        self.settings.show_validation_file(self.data.validation.file is not None)
        self._show_readiness()

    def _show_readiness(self) -> None:
        self.start.show_readiness(self.data.missing or self.second_stage.missing)

    def _on_model(self) -> None:
        state = self.start.state
        self.settings.show_model_pooling(state.entry.info.pooling if state is not None else "")

    def _on_start(self) -> None:
        if self.data.file is not None and self.data.preview is not None:
            first = self.start.request(self.data.file, self.settings.settings, self.data.validation.file)
            if self.second_stage.file is None:
                self.trainings.start(first)
            else:
                settings = self.second_stage.settings_from(first)
                second = replace(first, data=(self.second_stage.file,), settings=settings, validation_file=None)
                self.trainings.start(first, second, alone=self.second_stage.alone.isChecked())
            self.setFocusProxy(self.run.pause)
            self.run.pause.setFocus()  # the button that had the focus is hidden

    def _on_listed_late(self, name: str) -> None:
        self._models.refresh()
        text = self.tr("The training of {name} was finished. You can use the model now.")
        self._context.tell(text.format(name=name))

    def _on_compare(self, model: str) -> None:
        self._models.refresh()
        self.comparison.choose_model(model)
        self.show_page("library")
        self.comparison.queries.setFocus()

    def _refresh(self) -> None:
        """Show the cards that belong to the state of the training."""
        state = self.trainings.state
        is_setting_up = state in ("idle", "stopped", "failed")
        if is_setting_up:
            self.setFocusProxy(self.data.row.button)
        for card in (self.data, self.settings, self.second_stage, self.start):
            card.setVisible(is_setting_up)
        self._show_readiness()
        if state == "idle":
            self.start.show_next_name()
        if state != self._state:  # a note on the training that runs leaves the page where it is
            self._state = state
            self.page_stack[0].verticalScrollBar().setValue(0)
        if state == "done" and self.trainings.model_name:
            self._models.refresh()
