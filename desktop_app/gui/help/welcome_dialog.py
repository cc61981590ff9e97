"""The welcome dialog: what to know, and how to start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from desktop_app.gui.base.display_text import make_path_wrappable
from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from desktop_app.gui.base.actions import ActionTable

FIRST_STEPS = ("library.samples", "library.import", "library.import_folder", "library.watched")
"""The offered actions, the easiest first."""
_PICTURE_PX = 26


class WelcomeDialog(QDialog):
    """Says what Kindred does, where the data is and that nothing leaves the machine, and offers first steps.

    Args:
        folder: the folder of the library; empty if not known yet.
        actions: the actions of the window.
        parent: the window.
    """

    def __init__(self, folder: str, actions: ActionTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Welcome"))
        self.setAccessibleName(self.windowTitle())
        title = make_heading(self.tr("Welcome to Kindred"), 1.45)
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(16)
        self._rows.setVerticalSpacing(14)
        self._rows.setColumnStretch(1, 1)
        self._add_point(
            "text-search",
            self.tr("Search by meaning"),
            self.tr(
                "Ask a question or paste a sentence. Kindred finds the sentences in your documents that mean the"
                " same, even when the wording is different. It also finds duplicates and shows the topics of your"
                " documents."
            ),
        )
        where = make_path_wrappable(folder) if folder else self.tr("the folder shown in Preferences")
        self._add_point(
            "folder",
            self.tr("Your files stay where they are"),
            self.tr(
                "They are never moved, changed or copied. Their text and the search index are stored in {folder}"
            ).format(folder=where),
        )
        self._add_point(
            "lock",
            self.tr("Nothing leaves this computer"),
            self.tr("Everything runs on this computer. Kindred goes online only when you download a model."),
        )
        self._add_point(
            "folder-plus",
            self.tr("Getting started"),
            self.tr(
                "Drop files or folders on the window, or use the buttons below. Watched folders are kept up to date"
                " automatically."
            ),
        )
        self.buttons = [make_push_button(actions[each].text().replace("&", "")) for each in FIRST_STEPS]
        self.buttons[0].setProperty("tone", "primary")
        choices = QGridLayout()
        choices.setSpacing(10)
        for nth, (button, each) in enumerate(zip(self.buttons, FIRST_STEPS, strict=True)):
            button.setToolTip(actions[each].toolTip())
            # Closed first, because the action may open a dialog above the window.
            button.clicked.connect(self.accept)
            button.clicked.connect(actions[each].trigger)
            choices.addWidget(button, nth // 2, nth % 2)
        manual = make_push_button(self.tr("&Manual"))
        manual.clicked.connect(actions["app.manual"].trigger)
        foot = make_row(manual, "stretch", make_close_button(self))
        make_column(title, (self._rows, 1), choices, foot, parent=self, margins=(28, 24, 28, 18), spacing=20)
        self.buttons[0].setFocus()
        self.resize(560, self.sizeHint().height())

    def _add_point(self, picture: str, heading: str, text: str) -> None:
        head = make_label(heading, weight=QFont.Weight.DemiBold, name=heading)
        body = make_label(text, tone="muted", wrap=True, name=heading)
        body.setAccessibleDescription(text)
        texts = make_column(head, body, "stretch", spacing=2)
        row = self._rows.rowCount()
        self._rows.addWidget(_WelcomeIcon(picture, heading), row, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addLayout(texts, row, 1)


class _WelcomeIcon(QWidget):
    """An icon in the accent colour of the theme."""

    def __init__(self, name: str, meaning: str) -> None:
        super().__init__()
        self._icon = make_icon(name, Role.Accent)
        self.setAccessibleName(meaning)
        self.setFixedSize(QSize(_PICTURE_PX, _PICTURE_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon."""
        self._icon.paint(QPainter(self), QRect(0, 0, _PICTURE_PX, _PICTURE_PX))
