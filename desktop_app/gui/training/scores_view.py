"""Evaluations: scores side by side, curves, and the worst errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop_app.core.errors import StorageFull
from desktop_app.core.evaluation_files import write_scores
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.results.pair_text import class_name
from desktop_app.gui.training import labels
from desktop_app.gui.training.plot import LinePlot, PlotSeries
from desktop_app.gui.widgets.forms import ResponsiveRow
from desktop_app.gui.widgets.item_views import ResultTable
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.evaluation import Evaluation, MisjudgedPair
    from desktop_app.core.score_intervals import ScoreDifference
    from desktop_app.gui.base.window_context import WindowContext

    NamedEvaluation = tuple[str, dict[str, object], Evaluation | None]

_CURVE_COLOURS = ("muted", "good", "bad")


class ScoresView(QWidget):
    """Shows one or several evaluations of the same data, each under the name of its model."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        themes = context.themes
        self.setAccessibleName(self.tr("Scores"))
        self.scores = ResultTable(self.tr("Scores"), most_rows=14)
        self.intervals_hint = make_label(tone="muted", wrap=True, name=self.tr("About the intervals"))
        self.roc = LinePlot(themes, self.tr("ROC"), self.tr("false positive rate"), unit_square=True)
        self.precision = LinePlot(themes, self.tr("Precision and recall"), self.tr("recall"), unit_square=True)
        self.confusion = ResultTable(self.tr("Confusion matrix"), most_rows=4)
        self.worst_title = make_label(self.tr("Largest errors"))
        self.worst_title.setAccessibleName(self.worst_title.text())
        self.worst_hint = make_label(tone="muted", wrap=True, name=self.tr("About these pairs"))
        self.worst = ResultTable(self.tr("Pairs with the largest errors"), most_rows=6)
        self._pairs: tuple[MisjudgedPair, ...] = ()
        self._model = self._name = ""
        self.worst.cellActivated.connect(self._on_activated)
        self.plots = QWidget()
        self.plots.setAccessibleName(self.tr("Curves"))
        self._sides = ResponsiveRow(self.roc, self.precision)
        self._sides.setContentsMargins(0, 0, 0, 0)
        self.plots.setLayout(self._sides)
        make_column(
            self.scores,
            self.intervals_hint,
            self.confusion,
            self.plots,
            self.worst_title,
            self.worst_hint,
            self.worst,
            parent=self,
            spacing=12,
        )

    def set_narrow(self, is_narrow: bool) -> None:
        """Lay out the curves for a narrow or a wide pane."""
        self._sides.set_narrow(is_narrow)

    def show_evaluations(
        self,
        named: Sequence[NamedEvaluation],
        worst_of: str = "",
        model: str = "",
    ) -> None:
        """Show measures side by side, and curves and worst pairs of those that have them.

        Args:
            named: (model, measures, evaluation or None), in order.
            worst_of: the heading of the worst pairs, which are those of the last evaluation.
            model: the folder of the model that judged them, for a comparison by words; empty if it has no word vectors.
        """
        fill_score_table(self.scores, named)
        self._show_hint(named)
        curved = [(name, each.curves) for name, _, each in named if each is not None and each.curves]
        self.plots.setVisible(bool(curved))
        for plot, key in ((self.roc, "roc"), (self.precision, "precision-recall")):
            shown = []
            for at, (name, curves) in enumerate(curved):
                is_last = at == len(curved) - 1
                colour = "accent" if is_last else _CURVE_COLOURS[at % len(_CURVE_COLOURS)]
                shown.append(PlotSeries(name, curves[key].x, curves[key].y, colour, dashed=not is_last))
            plot.show_series(*shown)
        last = next((each for _, _, each in reversed(named) if each is not None), None)
        table = last.measures.get("confusion") if last is not None else None
        self.confusion.setVisible(isinstance(table, dict))
        if isinstance(table, dict):
            names = list(table)
            rows = [
                [class_name(name), *(display_text.format_number(table[name][other]) for other in names)]
                for name in names
            ]
            header = [self.tr("actual ↓ predicted →"), *map(class_name, names)]
            self.confusion.show_rows(header, rows, right=1)
        pairs = self._pairs = last.worst if last is not None else ()
        for part in (self.worst_title, self.worst_hint, self.worst):
            part.setVisible(bool(pairs))
        self._model, self._name = model, (last.model if last is not None else "") or Path(model).name
        self.worst_hint.setText(
            self.tr(
                "Double-click a pair, or press Enter, to see word by word what makes the sentences similar for this"
                " model."
            )
            if model
            else self.tr(
                "Double-click a pair, or press Enter, to see word by word what makes the sentences similar for your"
                " library's model (not the model evaluated here)."
            )
        )
        self.worst_title.setText(worst_of or self.tr("Largest errors"))
        self.worst.show_rows(
            [self.tr("line"), self.tr("sentences"), self.tr("data"), self.tr("model"), self.tr("score")],
            [_make_pair_row(pair) for pair in pairs],
            wide=(1,),
            right=4,
        )

    def _show_hint(self, named: Sequence[NamedEvaluation]) -> None:
        """Explain the intervals, and show the remarks on the evaluations."""
        notes = dict.fromkeys(note for _, _, each in named if each is not None for note in each.notes)
        lines = [f"{text[:1].upper()}{text[1:]}." for text in map(display_text.translate_message, notes)]
        if any("intervals" in found for _, found, _ in named):
            lines.append(
                self.tr(
                    "In brackets: 95% intervals. Two models differ by more than chance if the interval of the change"
                    " does not contain 0."
                )
            )
        self.intervals_hint.setText("\n".join(lines))
        self.intervals_hint.setVisible(bool(lines))

    def _on_activated(self, row: int, _column: int) -> None:
        pair = self._pairs[row]
        request = ComparisonRequest(pair.a, pair.b, model=self._model, model_name=self._name)
        self._context.navigator.compare.emit(request)


def _make_pair_row(pair: MisjudgedPair) -> list[str]:
    return [
        display_text.format_number(pair.line),
        "\n".join(filter(None, (pair.a, pair.b, pair.other and f"↳ {pair.other}"))),
        class_name(pair.expected),
        class_name(pair.found),
        display_text.format_decimal(pair.score, 2),
    ]


def fill_score_table(table: ResultTable, named: Sequence[NamedEvaluation]) -> None:
    """Show measures and their 95% intervals side by side; of two columns, also the change."""
    flat = [(name, labels.label_measures(found), labels.label_intervals(found)) for name, found, _ in named]
    differences = _find_differences(named)
    rows = []
    for key in dict.fromkeys(key for _, found, _ in flat for key in found):
        values = [found.get(key) for _, found, _ in flat]
        # A score has four decimals; pairs a second do not need them.
        decimals = 4 if max(abs(value) for value in values if value is not None) < 10 else 1
        row = [key]
        for value, (_, _, intervals) in zip(values, flat, strict=True):
            text = "" if value is None else display_text.format_decimal(value, decimals)
            if value is not None and key in intervals:
                text += " " + _format_interval(*(display_text.format_decimal(end, 3) for end in intervals[key]))
            row.append(text)
        if len(flat) == 2:
            first, second = values
            text = "" if first is None or second is None else format_signed(second - first, decimals)
            if key in differences:
                # A score by words has no counterpart before the training: it is compared with the cosine.
                difference = differences[key]
                text = format_signed(difference.after - difference.before, decimals)
                text += " " + _format_interval(*(format_signed(end, 3) for end in (difference.low, difference.high)))
            row.append(text)
        rows.append(row)
    header = ["", *(name for name, _, _ in flat)]
    if len(flat) == 2:
        header.append(display_text.translate("training", "change"))
    table.show_rows(header, rows, right=1)


def _find_differences(named: Sequence[NamedEvaluation]) -> dict[str, ScoreDifference]:
    """Return the differences between two evaluations, by the names that the measures have in the table."""
    if len(named) != 2 or named[0][2] is None or named[1][2] is None:
        return {}
    return {labels.label_measure(name, named[1][1]): each for name, each in named[1][2].differences.items()}


def _format_interval(low: str, high: str) -> str:
    return display_text.translate("training", "({low} to {high})").format(low=low, high=high)


def format_signed(value: float, decimals: int = 4) -> str:
    """Format a difference with its sign."""
    return ("+" if value > 0 else "") + display_text.format_decimal(value, decimals)


def choose_score_file(
    context: WindowContext, parent: QWidget, title: str, on_chosen: Callable[[str], object], measured: str
) -> None:
    """Ask for the file to export scores to, named after what was measured; refuse a document of the library."""
    name = display_text.translate("training", "{name} - scores").format(name=measured)

    def take(file: str) -> None:
        if not context.refuse_overwrite(file):
            on_chosen(file)

    file_dialogs.choose_save_file(parent, title, {"json": "JSON", "csv": "CSV"}, take, suggestion=name)


def export_scores(context: WindowContext, file: str, named: Sequence[NamedEvaluation]) -> None:
    """Write scores to a file, and report it at the bottom of the window."""
    try:
        write_scores(Path(file), named, labels.label_measures)
    except StorageFull as error:
        context.tell_error(error)
    else:
        context.tell(display_text.translate("training", "Saved as {name}.").format(name=Path(file).name))
