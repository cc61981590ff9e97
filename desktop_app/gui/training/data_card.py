"""The card that takes the training data: a file or the pairs labelled in the window."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolButton, QWidget

from desktop_app.core.errors import AppError
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile, DataPreview
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.display_text import make_tooltip, translate
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.mime_data import accept_as_copy
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.results.pair_text import class_name
from desktop_app.gui.training import labels
from desktop_app.gui.widgets.buttons import make_icon_button, make_push_button
from desktop_app.gui.widgets.forms import FormGrid, TitledCard, make_text_line
from desktop_app.gui.widgets.item_views import ResultTable
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPaintEvent

    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.training.controller import TrainingController

_BAR_PX = 8
_DATA_PATTERNS = "*.tsv *.csv *.jsonl *.ndjson"
_SCORE = r"([-−]?(?:\d+(?:[.,]\d+)?|[.,]\d+))"
_SCORE_RANGES = (
    re.compile(rf"\s*{_SCORE}(?:\s*(?:–|-|to|bis|;|,\s)\s*|\s+){_SCORE}\s*"),
    re.compile(r"\s*([-−]?\d*\.?\d+),([-−]?\d*\.?\d+)\s*"),  # "0,5" alone is two numbers
)
_LABEL_COLOURS = ("accent", "good", "muted")


class FileDropTarget:
    """A widget that accepts a single dropped file, which is then not imported."""

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a single file."""
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Choose the dropped file."""
        accept_as_copy(event)
        self.take(event.mimeData().urls()[0].toLocalFile())


def choose_data_file(parent: QWidget, title: str, on_chosen: Callable[[str], None]) -> None:
    """Let the person choose a file of labelled sentences."""
    filters = file_dialogs.make_filters(translate("training", "Labelled sentences"), _DATA_PATTERNS)
    file_dialogs.choose_file(parent, title, on_chosen, filters)


class FileChooserRow(QWidget):
    """A button that chooses a file or folder, with its name next to it."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.button = make_push_button(text, name, "folder-open")
        self.shown = ElidedLabel(name, "muted", Qt.TextElideMode.ElideMiddle)
        self.row = make_row(self.button, (self.shown, 1), parent=self, spacing=12)
        self.setAcceptDrops(True)

    def show_path(self, path: str) -> None:
        """Show the chosen file or folder."""
        self.shown.setText(os.path.basename(path.rstrip("/\\")) or path)
        self.shown.setToolTip(make_tooltip(path))


class LabelledFileField(FileDropTarget, QWidget):
    """Chooses a file, describes its content, and can remove it again.

    Args:
        trainings: reads the file.
        button: the text of the button that chooses the file.
        name: the purpose of the file, as a sentence.
        removal: the effect of removing the file.

    Attributes:
        changed: another file is chosen, or its preview has arrived or failed.
        file: the chosen file, or None.
        preview: the content of the file; None until it is read, or if that failed.
    """

    changed = Signal()

    def __init__(self, trainings: TrainingController, button: str, name: str, removal: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._trainings = trainings
        self.file: DataFile | None = None
        self.preview: DataPreview | None = None
        self.row = FileChooserRow(button, name)
        self._marks = 0
        self.marks = make_push_button(
            self.tr("My Ratings"), self.tr("Use your ratings of pairs and results"), "list-checks"
        )
        self.marks.clicked.connect(self.use_pair_labels)
        self.row.row.insertWidget(1, self.marks)
        self.remove = make_icon_button("x", removal)
        self.remove.clicked.connect(self.clear)
        self.row.row.addWidget(self.remove)
        self.understood = make_text_line(self.tr("Content of the file"), tone="")
        self.problem = make_text_line(self.tr("Problem with the file"), tone="bad")
        self.reading = DataFormatFields()
        self.reading.changed.connect(self._read_again)
        make_column(self.row, self.understood, self.problem, self.reading, parent=self, spacing=10)
        self.row.button.clicked.connect(lambda: choose_data_file(self, name, self.take))
        trainings.preview_ready.connect(self._on_previewed)
        trainings.pairs_counted.connect(self._on_counted)
        self.setAcceptDrops(True)
        self._refresh()

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.reading.reset()
        self._preview_file(DataFile(path))

    def use_pair_labels(self) -> None:
        """Choose the pairs and hits that the person has judged."""
        self.reading.reset()
        self._preview_file(DataFile(PAIR_LABELS))

    def _on_counted(self, marks: int) -> None:
        self._marks = marks
        self._refresh()

    def clear(self) -> None:
        """Remove the file."""
        self.file, self.preview = None, None
        self.row.show_path("")
        self.problem.setText("")
        self._refresh()
        self.changed.emit()
        self.row.button.setFocus()

    def _read_again(self) -> None:
        if self.file is not None:
            self._preview_file(DataFile(self.file.path, self.reading.columns, self.reading.score_range))

    def _preview_file(self, file: DataFile) -> None:
        self.file, self.preview = file, None
        self.row.show_path("" if file.path == PAIR_LABELS else file.path)
        if file.path == PAIR_LABELS:
            self.row.shown.setText(self.tr("your ratings of pairs and results"))
        self.problem.setText("")
        self.understood.setText(self.tr("Reading file…"))
        self._trainings.preview(file)
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self.remove.setVisible(self.file is not None)
        self.reading.setVisible(self.file is not None and self.file.path != PAIR_LABELS)
        self.marks.setVisible(self._marks > 0 and self.file is None)
        self.understood.setVisible(self.file is not None and not self.problem.text())
        self.problem.setVisible(bool(self.problem.text()))

    def _on_previewed(self, file: DataFile, found: object) -> None:
        if file != self.file:
            return
        if isinstance(found, DataPreview):
            self.preview = found
            self.understood.setText(labels.describe_rows(found.kind, found.rows))
        elif isinstance(found, AppError):
            self.problem.setText(display_text.describe_error_in_sentences(found))
            self.reading.unfold.setChecked(True)
        self._refresh()
        self.changed.emit()


class DataFormatFields(QWidget):
    """Takes columns and a range of scores; collapsed until they are needed.

    Attributes:
        changed: the columns or the range have changed.
        columns: the columns to use, by name or number, in order; empty to use the header.
        score_range: lowest and highest score; None to derive the range from the largest score.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Columns and scores"))
        self.columns: tuple[str, ...] = ()
        self.score_range: tuple[float, float] | None = None
        self.unfold = QToolButton()
        self.unfold.setCheckable(True)
        self.unfold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.unfold.setText(" " + self.tr("Columns and scores"))
        self.unfold.setAccessibleName(self.tr("Set columns and scores"))
        self.names = QLineEdit()
        self.names.setAccessibleName(self.tr("Columns to use"))
        self.names.setPlaceholderText(self.tr("e.g. left, right, score or 1, 2, 4"))
        self.range = QLineEdit()
        self.range.setAccessibleName(self.tr("Lowest and highest score"))
        self.range.setPlaceholderText(self.tr("e.g. 1 to 5"))
        self._fields = QWidget()
        self._fields.setAccessibleName(self.tr("Columns and scores"))
        form = FormGrid()
        form.setContentsMargins(0, 0, 0, 0)
        form.add_field(self.tr("Columns"), self.names)
        form.add_field(self.tr("Scores"), self.range)
        self._fields.setLayout(form)
        make_column((self.unfold, 0, Qt.AlignmentFlag.AlignLeft), self._fields, parent=self, spacing=8)
        self.unfold.toggled.connect(self._on_unfolded)
        self.names.editingFinished.connect(self._take)
        self.range.editingFinished.connect(self._take)
        self._on_unfolded(False)

    def reset(self) -> None:
        """Go back to the header of the file for columns and scores."""
        self.columns, self.score_range = (), None
        self._show()
        self.unfold.setChecked(False)

    def _take(self) -> None:
        columns = tuple(name.strip() for name in self.names.text().split(",") if name.strip())
        score_range = self.score_range if self.range.text().strip() else None
        if found := next(filter(None, (each.fullmatch(self.range.text()) for each in _SCORE_RANGES)), None):
            low, high = (float(each.replace(",", ".").replace("\N{MINUS SIGN}", "-")) for each in found.groups())
            score_range = (low, high) if low < high else score_range
        is_new = (columns, score_range) != (self.columns, self.score_range)
        self.columns, self.score_range = columns, score_range
        self._show()
        if is_new:
            self.changed.emit()

    def _show(self) -> None:
        self.names.setText(", ".join(self.columns))
        text = "" if self.score_range is None else "{:g} – {:g}".format(*self.score_range)
        self.range.setText(text.replace(".", QLocale().decimalPoint()))

    def _on_unfolded(self, is_open: bool) -> None:
        self._fields.setVisible(is_open)
        self.unfold.setIcon(make_icon("chevron-down" if is_open else "chevron-right"))


class LabelDistributionBar(QWidget):
    """The share of each label in the data, as one bar with a legend below."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._labels: dict[str, int] = {}
        self.setAccessibleName(self.tr("Labels"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_labels(self, labels: dict[str, int]) -> None:
        """Show the counts of labels; nothing if there are none."""
        self._labels = labels
        self.setAccessibleDescription("; ".join(self._texts()))
        self.setVisible(bool(labels))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the bar and a line of text."""
        return QSize(300, round(_BAR_PX + 8 + QFontMetricsF(scale_font(self.font(), 0.9)).height()))

    def _texts(self) -> list[str]:
        total = max(sum(self._labels.values()), 1)
        return [
            f"{class_name(name)}  {display_text.format_number(count)}"
            f" ({display_text.format_percent(100 * count / total)})"
            for name, count in self._labels.items()
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar and its legend."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, total = self._themes.theme, max(sum(self._labels.values()), 1)
        painter.setPen(Qt.PenStyle.NoPen)
        left = 0.0
        for count, colour in zip(self._labels.values(), _LABEL_COLOURS, strict=False):
            width = self.width() * count / total
            painter.setBrush(theme.color(colour))
            painter.drawRoundedRect(QRectF(left, 0, max(width - 2, 1), _BAR_PX), 3, 3)
            left += width
        painter.setFont(scale_font(self.font(), 0.9))
        measure = QFontMetricsF(painter.font())
        left = 0.0
        for text, colour in zip(self._texts(), _LABEL_COLOURS, strict=False):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(colour))
            middle = _BAR_PX + 8 + measure.height() / 2
            painter.drawEllipse(QRectF(left, middle - 4, 8, 8))
            painter.setPen(theme.color("text"))
            painter.drawText(
                QRectF(left + 13, _BAR_PX + 8, self.width() - left, measure.height()), Qt.AlignmentFlag.AlignLeft, text
            )
            left += 13 + measure.horizontalAdvance(text) + 20


class TrainingDataCard(FileDropTarget, TitledCard):
    """Chooses a file of labelled sentences and shows its content.

    Attributes:
        changed: another file is chosen, or its preview has arrived or failed.
        file: the chosen file, or None.
        preview: the content of the file; None until it is read, or if that failed.
    """

    changed = Signal()

    def __init__(
        self, trainings: TrainingController, themes: ThemeManager, title: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self._trainings = trainings
        self.file: DataFile | None = None
        self.preview: DataPreview | None = None
        self.row = FileChooserRow(self.tr("Select &File…"), self.tr("Select a file of labelled sentences"))
        self.hint = self.text(
            self.tr("Supported data"),
            self.tr(
                "A table (TSV, CSV) or JSONL file with these columns: sentence1, sentence2 and score or label; or"
                " premise, hypothesis, label; or question1, question2, is_duplicate; or anchor, positive and"
                " optionally negative."
            ),
        )
        self.kind = self.text(self.tr("Content of the file"), tone="")
        self.bar = LabelDistributionBar(themes)
        self.facts = self.text(self.tr("Statistics"))
        self.rows = ResultTable(self.tr("First rows"), most_rows=4)
        self.reading = DataFormatFields()
        self.reading.changed.connect(self._read_again)
        self.problem = self.text(self.tr("Problem with the file"), tone="bad")
        self.marks = make_push_button(
            self.tr("&My Ratings"), self.tr("Use your ratings of pairs and results"), "list-checks"
        )
        self.marks.clicked.connect(
            lambda: self.take_file(DataFile(PAIR_LABELS), self.tr("your ratings of pairs and results"))
        )
        self.marks.hide()
        self.row.row.insertWidget(1, self.marks)
        self.column.addWidget(self.row)
        for part in (self.hint, self.kind, self.bar, self.facts, self.rows, self.problem, self.reading):
            self.column.addWidget(part)
        for hidden in (self.kind, self.facts, self.rows, self.problem, self.reading):
            hidden.hide()
        self.row.button.clicked.connect(
            lambda: choose_data_file(self, self.tr("Select a file of labelled sentences"), self.take)
        )
        trainings.preview_ready.connect(self._on_previewed)
        trainings.pairs_counted.connect(self._on_counted)
        self.setAcceptDrops(True)

    def _on_counted(self, marks: int) -> None:
        self.marks.setVisible(marks > 0)
        self.marks.setText(" " + self.tr("&My Ratings ({count})").format(count=display_text.format_number(marks)))

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.reading.reset()
        self.take_file(DataFile(path))

    def _read_again(self) -> None:
        if self.file is not None:
            self.take_file(DataFile(self.file.path, self.reading.columns, self.reading.score_range))

    def take_file(self, file: DataFile, name: str = "") -> None:
        """Choose a file; `name` is shown instead of its own name."""
        self.file, self.preview = file, None
        self.row.show_path("" if file.path == PAIR_LABELS else file.path)
        if name:
            self.row.shown.setText(name)
        self.problem.hide()
        self.reading.setVisible(file.path != PAIR_LABELS)
        self.kind.setText(self.tr("Reading file…"))
        self.kind.show()
        for each in (self.hint, self.bar, self.facts, self.rows):
            each.hide()
        self._trainings.preview(file)
        self.changed.emit()

    def show_problem(self, error: AppError) -> None:
        """Show the problem of the file, and its remedy."""
        self.problem.setText(display_text.describe_error_in_sentences(error))
        self.problem.show()
        self.hint.show()
        self.reading.unfold.setChecked(True)

    def _on_previewed(self, file: DataFile, found: object) -> None:
        if file != self.file:
            return
        if isinstance(found, DataPreview):
            self.preview = found
            self.kind.setText(labels.describe_rows(found.kind, found.rows))
            self.bar.show_labels(found.labels)
            self.facts.setText("\n".join(labels.describe_preview(found)))
            self.facts.show()
            names = found.columns[: len(found.examples[0])] if found.examples else ()
            rows = [_localize_label(found, row) for row in found.examples[:3]]
            texts = len(names) - (bool(found.labels) or found.scores is not None)
            self.rows.show_rows(names, rows, wide=range(texts), right=texts if found.scores is not None else 0)
            self.rows.setVisible(bool(found.examples))
        else:
            self.kind.hide()
            if isinstance(found, AppError):
                self.show_problem(found)
        self.changed.emit()


def _localize_label(preview: DataPreview, row: tuple[str, ...]) -> tuple[str, ...]:
    """Return a row of a preview with its class or score in the language of the window."""
    if preview.scores is not None:
        return (*row[:-1], display_text.format_decimal(float(row[-1]), 2))
    return (*row[:-1], class_name(row[-1])) if preview.labels else row


class TrainingExamplesCard(TrainingDataCard):
    """A `TrainingDataCard` that also chooses rows to validate on once the training data is read.

    Attributes:
        validation: the file to validate on; without one, a share of the data is held back.
    """

    def __init__(self, trainings: TrainingController, themes: ThemeManager, title: str, parent: QWidget) -> None:
        super().__init__(trainings, themes, title, parent)
        self.validation = LabelledFileField(
            trainings,
            self.tr("&Validation Data…"),
            self.tr("Select separate validation data (otherwise part of the training data is used)"),
            self.tr("Remove, and validate on part of the training data"),
        )
        self.column.addWidget(self.validation)
        self.validation.hide()
        self.changed.connect(lambda: self.validation.setVisible(self.preview is not None))
        self.validation.changed.connect(self.changed)

    @property
    def missing(self) -> str:
        """The missing input of a training, as text; empty if it can start."""
        if self.preview is None:
            return self.tr("Select data first.")
        if self.validation.file is None:
            return ""
        if self.validation.preview is None:
            return self.tr("The validation data can't be read.")
        if self.validation.preview.kind != self.preview.kind:
            return self.tr("Validation data must be of the same kind as the training data.")
        return ""
