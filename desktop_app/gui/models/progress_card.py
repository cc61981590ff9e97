"""Progress of a model that is downloaded or that the library switches to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.model_list import switch_fraction
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.labels import ElidedLabel, make_icon_button, make_label
from desktop_app.gui.widgets.progress_card import ProgressBar

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.gui.base.model_list import ModelsController


class ModelProgressCard(QFrame):
    """Shows what is under way with a model: progress, rate, time left, pause, stop."""

    def __init__(self, models: ModelsController) -> None:
        super().__init__()
        self._models = models
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Model"))
        self.title = ElidedLabel(self.tr("What runs"))
        self.title.setFont(scale_font(self.title.font(), 1.0, QFont.Weight.Medium))
        self.bar = ProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.detail = make_label(tone="muted", factor=0.9, wrap=True)
        self.detail.setAccessibleName(self.tr("Rate and time left"))
        self.pause = make_icon_button("pause", self.tr("Pause"))
        self.stop = make_icon_button("x", self.tr("Stop: it goes on from there when you want"))
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.title, 1)
        head.addWidget(self.pause)
        head.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 12)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self.detail)
        self.pause.clicked.connect(lambda: models.pause(not models.is_paused))
        self.stop.clicked.connect(models.stop)
        models.changed.connect(self._refresh)
        models.progressed.connect(self._on_progress)
        self.hide()

    def _refresh(self) -> None:
        models = self._models
        if not models.doing:
            self.hide()
            return
        self.title.setText(self._title())
        name = self.tr("Resume") if models.is_paused else self.tr("Pause")
        self.pause.setIcon(make_icon("play" if models.is_paused else "pause"))
        self.pause.setToolTip(name)
        self.pause.setAccessibleName(name)
        if models.subject and self.isHidden():
            self.bar.setRange(0, 0)
            self.detail.setText(self.tr("Getting ready…"))
            self.show()

    def _title(self) -> str:
        if self._models.is_paused:
            return self.tr("Paused")
        if self._models.doing == "adding":
            return self.tr("Bringing in a model")
        return self.tr("Switching to another model")

    def _on_progress(self, progress: Progress) -> None:
        if not self._models.doing:
            return
        # A switch that goes on by itself is seen from its first report on.
        self.show()
        self.title.setText(self._title())
        known = bool(progress.total) and progress.phase in ("switching", "downloading")
        self.bar.setRange(0, 1000 if known else 0)
        if known:
            self.bar.setValue(round(1000 * switch_fraction(progress)))
        if progress.phase == "downloading":
            text = self.tr("{done} of {total} MB").format(
                done=display_text.format_number(progress.done // 1_000_000),
                total=display_text.format_number(-(-(progress.total or 0) // 1_000_000)),
            )
        elif progress.phase == "switching":
            text = self.tr("{done} of {total} sentences").format(
                done=display_text.format_number(progress.done), total=display_text.format_number(progress.total or 0)
            )
            if progress.remaining_s is not None:
                text += "\n" + self.tr("about {time} left").format(
                    time=display_text.format_duration(progress.remaining_s)
                )
        else:
            text = self.tr("Tidying up…") if progress.phase == "indexing" else self.tr("Getting ready…")
        self.detail.setText(text)
