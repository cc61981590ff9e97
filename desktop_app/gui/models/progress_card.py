"""Progress of a download of a model, or of a switch to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.model_list import switch_fraction
from desktop_app.gui.widgets.progress_card import ProgressCard

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.gui.base.model_list import ModelsController


class ModelProgressCard(ProgressCard):
    """Shows a download of a model or a switch to another one: progress, rate, time left, pause, stop."""

    def __init__(self, models: ModelsController) -> None:
        super().__init__(
            translate("ModelProgressCard", "Model"),
            title_name=translate("ModelProgressCard", "Current task"),
            detail_name=translate("ModelProgressCard", "Rate and time left"),
            stop_tip=translate("ModelProgressCard", "Stop (you can resume later)"),
        )
        self._models = models
        self.pause_toggled.connect(lambda: models.pause(not models.is_paused))
        self.stop_requested.connect(models.stop)
        models.changed.connect(self._refresh)
        models.progressed.connect(self._on_progress)
        self.hide()

    def _refresh(self) -> None:
        models = self._models
        if not models.doing:
            self.hide()
            return
        self.title.setText(self._title())
        self.show_paused(models.is_paused)
        if models.subject and self.isHidden():
            self.show_progress(None, self.tr("Preparing…"))
            self.show()

    def _title(self) -> str:
        if self._models.is_paused:
            return self.tr("Paused")
        if self._models.doing == "adding":
            return self.tr("Adding a model")
        return self.tr("Switching models")

    def _on_progress(self, progress: Progress) -> None:
        if not self._models.doing:
            return
        # A switch that resumes by itself is shown from its first report on.
        self.show()
        self.title.setText(self._title())
        known = bool(progress.total) and progress.phase in ("switching", "downloading", "sharing")
        if progress.phase in ("downloading", "sharing"):
            text = self.tr("{done} of {total} MB").format(
                done=display_text.format_number(progress.done // 1_000_000),
                total=display_text.format_number(-(-(progress.total or 0) // 1_000_000)),
            )
        elif progress.phase == "switching":
            text = self.tr("{done} of {total} sentences").format(
                done=display_text.format_number(progress.done), total=display_text.format_number(progress.total or 0)
            )
            if progress.remaining_s is not None:
                text += "\n" + display_text.format_remaining_time(progress.remaining_s)
        else:
            text = self.tr("Finishing…") if progress.phase == "indexing" else self.tr("Preparing…")
        self.show_progress(switch_fraction(progress) if known else None, text)
