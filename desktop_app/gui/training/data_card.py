"""The card that takes the training data: a file or the pairs labelled in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_app.core.errors import AppError
from desktop_app.core.labelled_data import PAIR_LABELS, DataFile, DataPreview
from desktop_app.gui.base import display_text
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.results.pair_text import class_name
from desktop_app.gui.training import labels
from desktop_app.gui.training.cards import FileChooserRow, FileDropTarget, ResultTable, TitledCard, choose_data_file
from desktop_app.gui.training.file_choice import DataFormatFields, LabelledFileField
from desktop_app.gui.widgets.dialogs import make_push_button

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.training.controller import TrainingController

_BAR_PX = 8
_LABEL_COLOURS = ("accent", "good", "muted")


class LabelDistributionBar(QWidget):
    """How often each label stands in the data, as one bar with its parts named below."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._labels: dict[str, int] = {}
        self.setAccessibleName(self.tr("Labels"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_labels(self, labels: dict[str, int]) -> None:
        """Show counts of labels; nothing where there are none."""
        self._labels = labels
        self.setAccessibleDescription("; ".join(self._texts()))
        self.setVisible(bool(labels))
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for the bar and a line of text."""
        return QSize(300, round(_BAR_PX + 8 + QFontMetricsF(scale_font(self.font(), 0.9)).height()))

    def _texts(self) -> list[str]:
        total = max(sum(self._labels.values()), 1)
        return [
            f"{class_name(name)}  {display_text.format_number(count)}"
            f" ({display_text.format_decimal(100 * count / total, 0)} %)"
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
    """Chooses a file of labelled sentences and shows what was understood of it.

    Attributes:
        changed: another file is chosen, or was understood, or was not.
        file: what is chosen; None before.
        preview: what was understood of it; None before, or where it was not.
    """

    changed = Signal()

    def __init__(self, trainings: TrainingController, themes: ThemeManager, title: str) -> None:
        super().__init__(title)
        self._trainings = trainings
        self.file: DataFile | None = None
        self.preview: DataPreview | None = None
        self.row = FileChooserRow(self.tr("&Choose a File…"), self.tr("Choose a file of labelled sentences"))
        self.hint = self.text(
            self.tr("What the data may be"),
            self.tr(
                "A table (TSV, CSV) or JSONL with a header: sentence1, sentence2 and score or label; premise,"
                " hypothesis, label; question1, question2, is_duplicate; anchor, positive and perhaps negative."
            ),
        )
        self.kind = self.text(self.tr("What was understood"), tone="")
        self.bar = LabelDistributionBar(themes)
        self.facts = self.text(self.tr("Counts"))
        self.rows = ResultTable(self.tr("First rows"), most_rows=4)
        self.reading = DataFormatFields()
        self.reading.changed.connect(self._read_anew)
        self.problem = self.text(self.tr("What is wrong with the file"), tone="bad")
        self.marks = make_push_button(
            self.tr("&My Marks"), self.tr("Train on what you said of pairs and of hits"), "list-checks"
        )
        self.marks.clicked.connect(
            lambda: self.take_file(DataFile(PAIR_LABELS), self.tr("what you said of pairs and of hits"))
        )
        self.marks.hide()
        self.row.row.insertWidget(1, self.marks)
        self.column.addWidget(self.row)
        for part in (self.hint, self.kind, self.bar, self.facts, self.rows, self.problem, self.reading):
            self.column.addWidget(part)
        for hidden in (self.kind, self.facts, self.rows, self.problem, self.reading):
            hidden.hide()
        self.row.button.clicked.connect(
            lambda: choose_data_file(self, self.tr("Choose a file of labelled sentences"), self.take)
        )
        trainings.preview_ready.connect(self._on_previewed)
        trainings.counted.connect(self._on_counted)
        self.setAcceptDrops(True)

    def _on_counted(self, marks: int) -> None:
        self.marks.setVisible(marks > 0)
        self.marks.setText(" " + self.tr("&My Marks ({count})").format(count=display_text.format_number(marks)))

    def take(self, path: str) -> None:
        """Choose the file at `path`."""
        self.reading.forget()
        self.take_file(DataFile(path))

    def _read_anew(self) -> None:
        if self.file is not None:
            self.take_file(DataFile(self.file.path, self.reading.columns, self.reading.score_range))

    def take_file(self, file: DataFile, name: str = "") -> None:
        """Choose a file; `name` is shown in place of its own."""
        self.file, self.preview = file, None
        self.row.show_path("" if file.path == PAIR_LABELS else file.path)
        if name:
            self.row.shown.setText(name)
        self.problem.hide()
        self.reading.setVisible(file.path != PAIR_LABELS)
        self.kind.setText(self.tr("Looking at it…"))
        self.kind.show()
        for each in (self.hint, self.bar, self.facts, self.rows):
            each.hide()
        self._trainings.preview(file)
        self.changed.emit()

    def show_problem(self, error: AppError) -> None:
        """Say what is wrong with the file, and what to do."""
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
            self.rows.show_rows(names, found.examples[:3], wide=range(len(names)))
            self.rows.setVisible(bool(found.examples))
        else:
            self.kind.hide()
            if isinstance(found, AppError):
                self.show_problem(found)
        self.changed.emit()


class TrainingExamplesCard(TrainingDataCard):
    """A `TrainingDataCard` with rows to validate on, once there is something to learn from.

    Attributes:
        validation: takes them; without a file a share of the data is held back.
    """

    def __init__(self, trainings: TrainingController, themes: ThemeManager, title: str) -> None:
        super().__init__(trainings, themes, title)
        self.validation = LabelledFileField(
            trainings,
            self.tr("&Validate On…"),
            self.tr("Choose rows of their own to find the best epoch by: else a share is held back"),
            self.tr("Hold back a share of the rows to validate on"),
        )
        self.column.addWidget(self.validation)
        self.validation.hide()
        self.changed.connect(lambda: self.validation.setVisible(self.preview is not None))
        self.validation.changed.connect(self.changed)

    @property
    def missing(self) -> str:
        """What a training waits for; empty when it may begin."""
        if self.preview is None:
            return self.tr("Choose the data first.")
        if self.validation.file is None:
            return ""
        if self.validation.preview is None:
            return self.tr("The rows to validate on cannot be read.")
        if self.validation.preview.kind != self.preview.kind:
            return self.tr("Validate on rows of the same kind as those that are learnt from.")
        return ""
