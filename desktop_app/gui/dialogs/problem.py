"""A report of a problem, to be read before it is sent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import label


class ProblemDialog(QDialog):
    """Shows a report and copies it. Nothing is sent: that is for the person to do."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Report a problem"))
        self.setAccessibleName(self.windowTitle())
        what = label(
            self.tr(
                "Describe what you did and what happened, and add this report: it holds versions, counts and where the "
                "program was, but no text and no names of your documents. Nothing is sent from here."
            ),
            wrap=True,
        )
        what.setAccessibleName(self.tr("What to do"))
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(self.tr("Report"))
        copy = push_button(self.tr("&Copy report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report.toPlainText()))
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(copy)
        foot.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(what)
        column.addWidget(self.report, 1)
        column.addLayout(foot)
        give_size(self, 640, 520)
