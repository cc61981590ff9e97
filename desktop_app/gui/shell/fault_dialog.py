"""Shows a fault of the program, with a report to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import set_initial_size

_MAX_SHOWN_REPORTS = 20


class FaultDialog(QDialog):
    """Shows a report; further ones are added while it is open."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = 1
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Problem in Kindred"))
        self.setAccessibleName(self.windowTitle())
        set_initial_size(self, 640, 420)
        title = make_label(self.tr("Kindred ran into a problem"), factor=1.2, weight=QFont.Weight.DemiBold)
        text = make_label(
            self.tr(
                "Your documents are safe and you can keep working. If it happens again, copy this report and send"
                " it to the developers. It contains no text from your documents."
            ),
            tone="muted",
            wrap=True,
        )
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(self.tr("Report"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.setAccessibleName(self.tr("Buttons"))
        copy = buttons.addButton(self.tr("Copy Report"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        for each, name in ((title, self.tr("What happened")), (text, self.tr("Instructions"))):
            each.setAccessibleName(name)
            column.addWidget(each)
        column.addWidget(self.report, 1)
        column.addWidget(buttons)

    def add(self, report: str) -> None:
        """Add a report; repeated ones, and too many, are only counted."""
        self._count += 1
        if self._count <= _MAX_SHOWN_REPORTS and report not in self.report.toPlainText():
            self.report.appendPlainText(f"\n{report}")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())


def show_fault_dialog(report: str, window: QWidget) -> None:
    """Show a report above `window`, in one dialog for all reports."""
    dialog = window.findChild(FaultDialog)
    if dialog is None:
        FaultDialog(report, window).open()
    else:
        dialog.add(report)
