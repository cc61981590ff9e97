"""The card of what is learnt from: the data, and rows of their own to find the best epoch by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.training.data_card import DataCard
from desktop_app.gui.training.file_choice import FileChoice

if TYPE_CHECKING:
    from desktop_app.gui.theme import ThemeManager
    from desktop_app.gui.training.runs import Trainings


class ExamplesCard(DataCard):
    """A `DataCard` with rows to validate on, once there is something to learn from.

    Attributes:
        validation: takes them; without a file a share of the data is held back.
    """

    def __init__(self, trainings: Trainings, themes: ThemeManager, title: str) -> None:
        super().__init__(trainings, themes, title)
        self.validation = FileChoice(
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
