"""The result of a training: scores before and after, errors, and next steps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.errors import StorageFull
from desktop_app.core.training_verdict import judge_training, list_reasons
from desktop_app.gui.base import desktop, display_text
from desktop_app.gui.training import labels
from desktop_app.gui.training.plot import LinePlot
from desktop_app.gui.training.run_card import fill_training_plots
from desktop_app.gui.training.scores_view import ScoresView, choose_score_file, export_scores, format_signed
from desktop_app.gui.widgets.buttons import enable_or_explain, make_push_button
from desktop_app.gui.widgets.forms import ResponsiveRow, TitledCard
from desktop_app.gui.widgets.labels import set_tone
from desktop_app.gui.widgets.layouts import make_row

if TYPE_CHECKING:
    from desktop_app.core.training import TrainingReport
    from desktop_app.engine.training import StagesReport
    from desktop_app.gui.base.model_list import ModelsController
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.training.controller import TrainingController
    from desktop_app.gui.training.scores_view import NamedEvaluation


class TrainingResultCard(TitledCard):
    """Shows the result of a training.

    Attributes:
        compare: compare both models on the library; carries the name of the trained one.
    """

    compare = Signal(str)

    def __init__(self, context: WindowContext, trainings: TrainingController, parent: QWidget) -> None:
        super().__init__("", parent)
        self._context = context
        models, themes = context.models, context.themes
        self.setAccessibleName(self.tr("Training result"))
        self._trainings = trainings
        self._models = models
        self._shown: TrainingReport | None = None
        self.summary = self.text(self.tr("Training result"), tone="")
        self.verdict = self.text(self.tr("Change in quality"), tone="")
        self.warnings = self.text(self.tr("Notes"))
        self.use_row = UseModelRow(models)
        self.use, self.back = self.use_row.use, self.use_row.back
        self.rerank = make_push_button(
            self.tr("Use to &Re-rank"), self.tr("Re-rank search results with this model"), "rank"
        )
        self.compare_button = make_push_button(
            self.tr("&Compare on My Library"), self.tr("Compare both models on your library"), "arrow-left-right"
        )
        self.export = make_push_button(self.tr("E&xport Scores…"), picture="external-link")
        self.folder = make_push_button(self.tr("Show Fol&der"), self.tr("Show the model's folder"), "folder-open")
        self.again = make_push_button(self.tr("&New Training"), picture="plus")
        self.use_text = self.text(self.tr("Effect of using the model"))
        self.view = ScoresView(context)
        self.loss = LinePlot(themes, self.tr("Loss"), self.tr("epochs"))
        self.validation = LinePlot(themes, self.tr("Validation"), self.tr("epochs"))
        first = make_row(self.use_row, self.rerank, self.compare_button, "stretch", spacing=10)
        second = make_row(self.export, self.folder, self.again, "stretch", spacing=10)
        self._plots = ResponsiveRow(self.loss, self.validation)
        self.column.addWidget(self.verdict)
        self.column.addWidget(self.summary)
        self.column.addWidget(self.warnings)
        self.column.addLayout(first)
        self.column.addWidget(self.use_text)
        self.column.addWidget(self.view)
        self.column.addLayout(self._plots)
        self.column.addLayout(second)
        self.rerank.clicked.connect(self._on_rerank)
        self.export.clicked.connect(self._choose_file)
        self.folder.clicked.connect(self._show_folder)
        self.again.clicked.connect(trainings.clear)
        self.compare_button.clicked.connect(lambda: self.compare.emit(trainings.model_name))
        trainings.changed.connect(self._refresh)
        models.changed.connect(self._refresh)
        self._refresh()

    @property
    def named(self) -> list[NamedEvaluation]:
        """The evaluations before and after, with their names."""
        report = self._trainings.report
        if report is None or report.after is None:
            return []
        if (stages := self._trainings.stages_report) is not None:
            return self._named_stages(stages, report)
        return [
            (self.tr("before"), report.before or {}, report.judged_before),
            (self.tr("after"), report.after, report.judged),
        ]

    def _named_stages(self, stages: StagesReport, last: TrainingReport) -> list[NamedEvaluation]:
        """Return the scores on the last stage's rows: of the initial model, of each stage alone, and of all stages."""
        both = [
            (self.tr("first stage only"), last.before or {}, last.judged_before),
            (self.tr("both stages"), last.after or {}, last.judged),
        ]
        if (alone := stages.alone) is None:
            return both
        return [
            (self.tr("untrained"), alone.before or {}, alone.judged_before),
            (self.tr("second stage only"), alone.after or {}, alone.judged),
            *both,
        ]

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay out the plots for a narrow or a wide pane."""
        self._plots.set_narrow(is_narrow)
        self.view.set_narrow(is_narrow)

    def _refresh(self) -> None:
        trainings, report = self._trainings, self._trainings.report
        self.setVisible(trainings.state == "done" and report is not None)
        if report is None or trainings.state != "done":
            self._shown = None
            return
        if report is not self._shown:
            self._shown = report
            self._show(report)
        is_cross = self._is_cross
        # The weights of the start under another name are no use; those of an earlier stage are.
        is_new = report.best_epoch > 0 or trainings.stages_report is not None
        self.use_row.show_model(trainings.model_name, is_offered=not is_cross)
        is_own = self.use_row.is_used
        self.use_row.setVisible(not is_cross and is_new)
        self.rerank.setVisible(is_cross and is_new)
        self.rerank.setEnabled(bool(trainings.model_name))
        self.compare_button.setVisible(not is_cross and not is_own and is_new)
        self.compare_button.setEnabled(bool(trainings.model_name))
        if not is_new:
            text = self.tr("The saved model gives the same results as the base model.")
        elif is_cross:
            text = self.tr(
                "A cross-encoder reads the query together with each of the top results and re-ranks them; it can't"
                " search a library by itself. Turn it on or off with Search > Show Results > Re-rank the Top 50."
            )
            if trainings.error is not None:
                text = self._describe_unlisted(trainings.error)
        elif is_own:
            text = self.tr("Your library uses this model.")
        elif trainings.error is not None:
            text = self._describe_unlisted(trainings.error)
        else:
            text = self.tr(
                "Your library will be re-indexed in the background. The current model stays active until then."
            )
        self.use_text.setText(text)

    def _describe_unlisted(self, error: BaseException) -> str:
        """Return why the trained model is not in the list of models, and when it will be."""
        text = display_text.describe_error_in_sentences(error)
        if isinstance(error, StorageFull):
            text += " " + self.tr("The model stays in its folder, and is added to the list at the next start.")
        return text

    @property
    def _is_cross(self) -> bool:
        request = self._trainings.request
        return request is not None and request.settings.architecture == "cross"

    def _show(self, report: TrainingReport) -> None:
        text = self.tr("{name} is ready") if report.best_epoch else self.tr("{name} is no better than its base model")
        self.heading.setText(text.format(name=Path(report.output).name))
        parts = []
        found = labels.find_key_measure(report.after or {})
        before = labels.find_key_measure(report.before or {})
        stages = self._trainings.stages_report
        if found is not None and before is not None:
            text = self.tr("Validation: {measure} {before} → {after}.")
            if stages is not None:
                text = self.tr(
                    "Validation on the second stage's data: {measure} {before} after the first stage, {after} after"
                    " both."
                )
            parts.append(
                text.format(
                    measure=found[0],
                    before=display_text.format_decimal(before[1], 3),
                    after=display_text.format_decimal(found[1], 3),
                )
            )
        if (difference := report.difference) is not None:
            parts.append(
                self.tr("Change: {difference} (95% interval {low} to {high}).").format(
                    difference=format_signed(difference.after - difference.before, 3),
                    low=format_signed(difference.low, 3),
                    high=format_signed(difference.high, 3),
                )
            )
        for number, stage in enumerate(stages.stages[:-1] if stages is not None else (), start=1):
            text = self.tr("Stage {number}: trained on {rows} rows in {time}.")
            parts.append(
                text.format(
                    number=display_text.format_number(number),
                    rows=display_text.format_number(stage.rows),
                    time=display_text.format_duration(stage.seconds),
                )
            )
        text = self.tr("Trained on {rows} rows, validated on {held}, in {time}; best epoch: {epoch}.")
        if report.averaged:
            text = self.tr(
                "Trained on {rows} rows, validated on {held}, in {time}; best: the averaged weights after epoch"
                " {epoch}."
            )
        elif not report.best_epoch:
            text = self.tr(
                "Trained on {rows} rows, validated on {held}, in {time}; no epoch improved on the base model."
            )
        parts.append(
            text.format(
                rows=display_text.format_number(report.rows),
                held=display_text.format_number(report.validation_rows),
                epoch=display_text.format_number(report.best_epoch),
                time=display_text.format_duration(report.seconds),
            )
        )
        if report.combined > 1:
            parts.append(self.tr("These are the averaged weights of %Ln run(s).", None, report.combined))
        if report.threshold is not None:
            parts.append(
                self.tr("Match threshold: {threshold} (stored with the model).").format(
                    threshold=display_text.format_decimal(report.threshold, 3)
                )
            )
        self.summary.setText(" ".join(parts))
        self._show_verdict(report)
        stopped = [report.stopped] if report.stopped and not report.warnings else []
        warnings = [display_text.translate_message(text) for text in (*report.warnings, *stopped)]
        self.warnings.setText("\n".join(f"{text[:1].upper()}{text[1:]}." for text in warnings))
        self.warnings.setVisible(bool(warnings))
        self.view.setVisible(bool(self.named))
        self.export.setVisible(bool(self.named))
        if self.named:
            folder = "" if self._is_cross else report.output
            self.view.show_evaluations(self.named, self.tr("Largest errors"), folder)
        fill_training_plots(self._trainings, self.loss, self.validation)
        if self._models.listed is None:
            self._models.refresh()

    def _show_verdict(self, report: TrainingReport) -> None:
        """Say whether the model got better, and offer it as the main choice only if it did."""
        request, verdict, difference = self._trainings.request, judge_training(report), report.difference
        # A correlation below zero: the scores of the data are likely to mean the opposite.
        is_worse = difference is not None and (difference.after < difference.before or difference.after < 0)
        reasons = list_reasons(report, request.settings) if request is not None else []
        lines = [display_text.translate_message(verdict)]
        if reasons:
            texts = map(display_text.translate_message, reasons)
            lines += [self.tr("Things to check:"), *(f"• {text[:1].upper()}{text[1:]}." for text in texts)]
        self.verdict.setText("\n".join(lines))
        self.verdict.setVisible(bool(verdict))
        set_tone(self.verdict, "bad" if is_worse else "")
        # Without a difference nothing was held back to judge it by.
        self.use_row.set_recommended(difference is None or (difference.change == "better" and not is_worse))

    def _on_rerank(self) -> None:
        self.rerank.setEnabled(False)
        self._context.navigator.use_reranker.emit(self._trainings.model_name)

    def _choose_file(self) -> None:
        report = self._trainings.report
        name = Path(report.output).name if report is not None else ""
        choose_score_file(self._context, self, self.tr("Export scores"), self.write, name)

    def write(self, file: str) -> None:
        """Write the scores to a file."""
        export_scores(self._context, file, self.named)

    def _show_folder(self) -> None:
        report = self._trainings.report
        if report is not None and not desktop.show_in_folder(report.output):
            self._context.tell(display_text.describe_unopened_file(report.output))


class UseModelRow(QWidget):
    """Offers to use a model for the library, and to go back to the previous one.

    Attributes:
        subject: the name of the model; empty until it is listed.
        is_offered: whether a library can use it.
    """

    def __init__(self, models: ModelsController) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Use of the model"))
        self._models = models
        self.subject = ""
        self.is_offered = True
        self.use = make_push_button(
            self.tr("&Use This Model"), self.tr("Use this model for the library"), tone="primary"
        )
        self.back = make_push_button(self.tr("Rever&t"), self.tr("Revert to the previous model"), "undo-2")
        self.row = make_row(self.use, self.back, parent=self, spacing=10)
        self.use.clicked.connect(lambda: models.use(self.subject))
        self.back.clicked.connect(models.revert)
        models.changed.connect(self.refresh)
        self.refresh()

    @property
    def is_used(self) -> bool:
        """Whether the library uses the model."""
        listed = self._models.listed
        active = next((state.entry.name for state in listed.models if state.active), "") if listed else ""
        return bool(self.subject) and active == self.subject

    def set_recommended(self, is_recommended: bool) -> None:
        """Make using the model the main choice, or one like the others."""
        set_tone(self.use, "primary" if is_recommended else "")

    def show_model(self, name: str, *, is_offered: bool = True) -> None:
        """Offer another model."""
        self.subject, self.is_offered = name, is_offered
        self.refresh()

    def refresh(self) -> None:
        """Show the buttons that apply now."""
        listed, idle = self._models.listed, not self._models.doing
        previous = listed.previous if listed is not None else None
        self.use.setVisible(self.is_offered and not self.is_used)
        enable_or_explain(self.use, bool(self.subject) and idle, self._models.refusal)
        self.back.setVisible(self.is_used and previous is not None)
        enable_or_explain(self.back, idle, self._models.refusal)
        if previous is not None:
            self.back.setText(" " + self.tr("Rever&t to {name}").format(name=previous.name.rpartition("/")[2]))
