"""The buttons that make a model the library's own, and go back to the one that it had before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_app.gui.dialogs.buttons import push_button

if TYPE_CHECKING:
    from desktop_app.gui.models import Models


class UseRow(QWidget):
    """Offers to use a model, and where it is used to leave it again.

    Attributes:
        subject: name of the model; empty while it is not in the list.
        is_offered: whether it can be a library's own.
    """

    def __init__(self, models: Models) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What to do with the model"))
        self._models = models
        self.subject = ""
        self.is_offered = True
        self.use = push_button(self.tr("&Use This Model"), self.tr("Use this model for the library"), "circle-check")
        self.use.setProperty("tone", "primary")
        self.use.setIcon(self.use.icon().__class__())
        self.use.setText(self.tr("&Use This Model"))
        self.back = push_button(self.tr("Go &Back"), self.tr("Go back to the model of before"), "undo-2")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(10)
        self.row.addWidget(self.use)
        self.row.addWidget(self.back)
        self.use.clicked.connect(lambda: models.use(self.subject))
        self.back.clicked.connect(models.go_back)
        models.changed.connect(self.refresh)
        self.refresh()

    @property
    def is_used(self) -> bool:
        """Whether the library answers to the model."""
        listed = self._models.listed
        active = next((state.entry.name for state in listed.models if state.active), "") if listed else ""
        return bool(self.subject) and active == self.subject

    def show_model(self, name: str, *, is_offered: bool = True) -> None:
        """Be about another model."""
        self.subject, self.is_offered = name, is_offered
        self.refresh()

    def refresh(self) -> None:
        """Show what can be done now."""
        listed, idle = self._models.listed, not self._models.doing
        previous = listed.previous if listed is not None else None
        self.use.setVisible(self.is_offered and not self.is_used)
        self.use.setEnabled(bool(self.subject) and idle)
        self.back.setVisible(self.is_used and previous is not None)
        self.back.setEnabled(idle)
        if previous is not None:
            self.back.setText(" " + self.tr("Go &Back to {name}").format(name=previous.name.rpartition("/")[2]))
