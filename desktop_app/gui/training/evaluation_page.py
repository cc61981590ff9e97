"""Evaluates models on data, side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_app.core.evaluation import EvaluationRequest
from desktop_app.core.labelled_data import DataFile
from desktop_app.core.training_settings import POOLINGS
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.training import labels
from desktop_app.gui.training.data_card import TrainingDataCard
from desktop_app.gui.training.scores_view import ScoresView, choose_score_file, export_scores
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import CheckBox, ChoiceBox
from desktop_app.gui.widgets.forms import FormGrid, TitledCard, WheelFilter, clear_layout, fill_choices
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from desktop_app.core.evaluation import Evaluation
    from desktop_app.core.evaluation_history import PastEvaluation
    from desktop_app.core.jobs import Progress
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.training.controller import TrainingController
    from desktop_app.gui.training.scores_view import NamedEvaluation

_COLUMNS = 3
_MAX_WORST_PAIRS = 30
_WIDE_PAGE_PX = 260
_MAX_PAST_EVALUATIONS = 3  # earlier scores that are shown next to the new ones


class EvaluationPage(QWidget):
    """Chooses data and models, measures the models one after the other, and shows them side by side."""

    def __init__(self, context: WindowContext, trainings: TrainingController) -> None:
        super().__init__()
        self._context = context
        session, models, themes = context.session, context.models, context.themes
        self.setAccessibleName(self.tr("Evaluate"))
        self._session = session
        self._models = models
        self._folders: dict[str, str] = {}  # models that are not listed, by their display names
        self._folder = ""
        self._results: list[NamedEvaluation] = []
        self._explained_by = ""  # folder of the model that compares pairs word by word
        self._waiting: list[tuple[str, EvaluationRequest]] = []
        self._past_evaluations: list[PastEvaluation] = []  # of the same data, the newest first
        self._measured: set[tuple[str, str, str]] = set()  # folder, pooling and threshold of the new results
        self._evaluation: LatestJob[Evaluation] = LatestJob(session, self)
        self._past_request: LatestJob[list[PastEvaluation]] = LatestJob(session, self)
        self._forget_request: LatestJob[None] = LatestJob(session, self)
        self._guard = WheelFilter(self)
        self.boxes: dict[str, CheckBox] = {}
        self.data = TrainingDataCard(trainings, themes, self.tr("1 · Data"))
        self.retrieval = make_push_button(
            self.tr("Select &Retrieval Set…"), self.tr("Select the folder of a retrieval set"), "folder-search"
        )
        self.data.row.row.insertWidget(1, self.retrieval)
        make_column(self.data, self._choices(), self._results_card(), parent=self, spacing=14)
        self.retrieval.clicked.connect(self._choose_retrieval)
        self.other.clicked.connect(self._choose_model)
        self.measure.clicked.connect(self.start)
        self.stop.clicked.connect(self._on_stop)
        self.export.clicked.connect(self._choose_file)
        self.forget.clicked.connect(self._on_forget)
        self.data.changed.connect(self._on_data)
        models.changed.connect(self._refresh)
        self._refresh()

    def _choices(self) -> TitledCard:
        card = TitledCard(self.tr("2 · Models"))
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(24)
        self.grid.setVerticalSpacing(8)
        self.other = make_push_button(
            self.tr("&Other Model…"), self.tr("Select the folder of another model"), "folder-plus"
        )
        self.threshold = self._choice(self.tr("Duplicate threshold"))
        fill_choices(
            self.threshold,
            [(self.tr("The model's, or else the best"), ""), (self.tr("The best for this data"), "best")],
        )
        self.pooling = self._choice(self.tr("Pooling"))
        fill_choices(self.pooling, [(labels.pooling_name(name), name) for name in ("", *POOLINGS)])
        form = self._form = FormGrid(columns=2)
        form.add_field(self.tr("&Threshold"), self.threshold)
        form.add_field(self.tr("&Pooling"), self.pooling)
        self.threshold.setFixedWidth(_WIDE_PAGE_PX)
        self.measure = make_push_button(self.tr("&Evaluate"), tone="primary")
        self.stop = make_push_button(self.tr("&Stop"), self.tr("Stop the evaluation"), "x")
        self.bar = ProgressBar(self.tr("Progress of the evaluation"))
        self.detail = card.text(self.tr("Evaluation status"))
        self.problem = card.text(self.tr("Problem"), tone="bad")
        card.column.addLayout(self.grid)
        card.column.addWidget(self.other, 0, Qt.AlignmentFlag.AlignLeft)
        card.column.addLayout(form)
        card.column.addLayout(make_row(self.measure, self.stop, (self.detail, 1), spacing=12))
        card.column.addWidget(self.bar)
        card.column.addWidget(self.problem)
        for hidden in (self.stop, self.bar, self.problem):
            hidden.hide()
        return card

    def _choice(self, name: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setAccessibleName(name)
        box.installEventFilter(self._guard)
        return box

    def _results_card(self) -> TitledCard:
        self.card = TitledCard(self.tr("3 · Scores"))
        self.view = ScoresView(self._context)
        self.export = make_push_button(self.tr("E&xport Scores…"), picture="external-link")
        self.forget = make_push_button(
            self.tr("&Clear Earlier Scores"), self.tr("Clear earlier scores on this data"), "trash-2"
        )
        self.card.column.addWidget(self.view)
        self.card.column.addLayout(make_row(self.export, self.forget, "stretch", spacing=10))
        self.card.hide()
        return self.card

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay out the page for a narrow or a wide pane."""
        self._form.set_columns(1 if is_narrow else 2)
        self.view.set_narrow(is_narrow)

    # Choices

    @property
    def chosen(self) -> list[str]:
        """The names of the models to measure."""
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def _refresh(self) -> None:
        """Offer the available models; chosen ones stay chosen."""
        listed = self._models.listed
        if listed is None:
            return
        names = [state.entry.name for state in listed.models if not state.entry.problem] + list(self._folders)
        if names == list(self.boxes):
            return
        was = set(self.chosen) or {state.entry.name for state in listed.models if state.active}
        clear_layout(self.grid)
        self.boxes = {}
        for place, name in enumerate(names):
            box = CheckBox(Path(name).name, self.tr("Evaluate {name}").format(name=Path(name).name))
            box.setToolTip(display_text.make_tooltip(name))
            box.setChecked(name in was)
            box.toggled.connect(lambda _checked: self._enable())
            self.boxes[name] = box
            self.grid.addWidget(box, *divmod(place, _COLUMNS))
        self.grid.setColumnStretch(_COLUMNS, 1)
        self._enable()

    def _enable(self) -> None:
        has_data = self.data.preview is not None or bool(self._folder)
        self.measure.setEnabled(has_data and bool(self.chosen) and not self._evaluation.is_running)
        if not self._evaluation.is_running:
            self.detail.setText("" if has_data else self.tr("Select data first."))

    def _on_data(self) -> None:
        if self.data.file is not None:
            self._folder = ""
        self._reset_results()

    def _reset_results(self) -> None:
        """Show the earlier scores on the current data; an evaluation on other data ends."""
        self._evaluation.cancel()
        self._evaluation.drop()
        self._end()
        self._results, self._past_evaluations, self._measured = [], [], set()
        self.card.hide()
        self.problem.hide()  # it was with other data
        self._past_request.drop()
        self._forget_request.drop()
        if (file := self._file) is not None:
            self._past_request.start(
                self._session.workspace.evaluation.list_past_evaluations(file), self._on_past_evaluations
            )

    @property
    def _file(self) -> DataFile | None:
        """The data, once it is known to be readable."""
        if self._folder:
            return DataFile(self._folder)
        return self.data.file if self.data.preview is not None else None

    def _on_past_evaluations(self, found: list[PastEvaluation]) -> None:
        if found:
            self._past_evaluations = found
            self._show()

    def _on_forget(self) -> None:
        if self._file is not None:
            self._forget_request.start(
                self._session.workspace.evaluation.forget_scores(self._file),
                lambda _: self._on_forgotten(),
                on_error=self._show_problem,
            )

    def _on_forgotten(self) -> None:
        self.problem.hide()
        self._past_evaluations = []
        if self._results:
            self._show()
        else:
            self.card.hide()

    def take_folder(self, folder: str) -> None:
        """Choose a retrieval set."""
        self.data.file = self.data.preview = None
        self._folder = folder
        self.data.row.show_path(folder)
        for each in (
            self.data.kind,
            self.data.bar,
            self.data.facts,
            self.data.rows,
            self.data.problem,
            self.data.reading,
        ):
            each.hide()
        self._reset_results()

    def take_model(self, folder: str) -> None:
        """Add the model in a folder to the chosen ones."""
        self._folders[folder] = folder
        if self._models.listed is None:
            self._models.refresh()
        self._refresh()
        if folder in self.boxes:
            self.boxes[folder].setChecked(True)

    # Measuring

    def start(self) -> None:
        """Measure the chosen models one after the other."""
        listed = self._models.listed
        if self._evaluation.is_running or listed is None:
            return
        file = self._file
        assert file is not None, "the button waits for data"
        folders = {state.entry.name: state.entry.info.folder for state in listed.models}
        self._waiting = []
        for name in self.chosen:
            request = EvaluationRequest(
                file,
                model=folders.get(name, name),
                pooling=self.pooling.currentData(),
                threshold=self.threshold.currentData(),
                worst=_MAX_WORST_PAIRS,
            )
            shown = Path(name).name
            if request.pooling:
                shown += f" ({labels.pooling_name(request.pooling)})"
            self._waiting.append((shown, request))
        self._results = [each for each in self._results if each[0] not in {name for name, _ in self._waiting}]
        self.problem.hide()
        self._next()

    def _next(self) -> None:
        if not self._waiting:
            self._end()
            return
        name, request = self._waiting.pop(0)
        first = self._results[0][2] if self._results else None
        if first is not None:
            request = replace(request, compared_with=first.results)
        self.detail.setText(self.tr("Evaluating {name}…").format(name=name))
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop.show()
        self.measure.setEnabled(False)
        self._evaluation.start(
            self._session.workspace.evaluation.evaluate(request),
            lambda found: self._on_measured(name, request, found),
            on_error=lambda error: self._on_failed(name, error),
            on_cancelled=self._end,
            on_progress=self._on_progress,
        )

    def _on_progress(self, progress: Progress) -> None:
        if progress.total:
            self.bar.show_progress(progress)

    def _on_measured(self, name: str, request: EvaluationRequest, found: Evaluation) -> None:
        self._results.append((name, found.measures, found))
        self._measured.add((found.folder, request.pooling, request.threshold))
        # With another pooling, the model in the folder is not the measured one; a cross-encoder has no word vectors.
        self._explained_by = "" if request.pooling or found.folder in self._cross_encoders else found.folder
        self._show()
        self._next()

    @property
    def _cross_encoders(self) -> set[str]:
        listed = self._models.listed
        entries = [state.entry.info for state in listed.models] if listed is not None else []
        return {info.folder for info in entries if info.is_cross}

    def _on_failed(self, name: str, error: BaseException) -> None:
        earlier = [] if self.problem.isHidden() else [self.problem.text()]
        self.problem.setText("\n".join([*earlier, f"{name}: {labels.format_error_line(error)}"]))
        self.problem.show()
        self._next()

    def _show_problem(self, error: BaseException) -> None:
        self.problem.setText(labels.format_error_line(error))
        self.problem.show()

    def _on_stop(self) -> None:
        self._waiting = []
        self._evaluation.cancel()

    def _end(self) -> None:
        self._waiting = []
        self.bar.hide()
        self.stop.hide()
        self.detail.setText("")
        self._enable()

    @property
    def shown(self) -> list[NamedEvaluation]:
        """The scores to show side by side: earlier ones, and those measured now."""
        earlier = [
            each for each in self._past_evaluations if (each.folder, each.pooling, each.threshold) not in self._measured
        ]
        return [
            (_date_past_evaluation(each), each.measures, None) for each in reversed(earlier[:_MAX_PAST_EVALUATIONS])
        ] + self._results

    def _show(self) -> None:
        self.card.show()
        self.forget.setVisible(len(self.shown) > len(self._results))
        last = self._results[-1][0] if self._results else ""
        self.view.show_evaluations(
            self.shown, self.tr("Largest errors of {name}").format(name=last), self._explained_by
        )

    # Files

    def _choose_retrieval(self) -> None:
        file_dialogs.choose_folder(self, self.tr("Select the folder of a retrieval set"), self.take_folder)

    def _choose_model(self) -> None:
        file_dialogs.choose_folder(self, self.tr("Select the folder of a model"), self.take_model)

    def _choose_file(self) -> None:
        name = Path(self._file.path).stem if self._file is not None else ""
        choose_score_file(self._context, self, self.tr("Export scores"), self.write, name)

    def write(self, file: str) -> None:
        """Write the scores to a file."""
        export_scores(self._context, file, self.shown)


def _date_past_evaluation(past: PastEvaluation) -> str:
    """Return the heading of earlier scores: the model and the day."""
    name = past.model + (f" ({labels.pooling_name(past.pooling)})" if past.pooling else "")
    day = QDateTime.fromSecsSinceEpoch(int(past.at)).date()
    return f"{name} · {QLocale().toString(day, QLocale.FormatType.ShortFormat)}"
