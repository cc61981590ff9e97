"""A report that helps to understand a problem, without any text of documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from desktop_app.core.licences import list_packages
from desktop_app.gui.base.fault_reporter import list_versions
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.engine.requests import WorkspaceStatus

_MAX_LOG_BYTES = 40_000
_MAX_LOG_LINES = 200
# Log lines start with a time and a level. Continuation lines, which may quote or name files, are left out.
_HEAD = re.compile(r"^\d{4}-\d\d-\d\d [\d:,]+ (?P<level>[A-Z]+) (?P<thread>\S+) (?P<name>[\w.]+): ")
_FRAME = re.compile(r'^\s+File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)$')
_RAISED = re.compile(r"^(?P<kind>[\w.]+(?:Error|Exception|Warning|Interrupt|Failure|Died|Failed))\b")


def make_problem_report(status: WorkspaceStatus | None, log_file: Path) -> str:
    """Return the report.

    Args:
        status: the status of the library; None if none is open.
        log_file: the log of the program.
    """
    lines = [list_versions(), *(f"{part.name} {part.version}" for part in list_packages())]
    if status is not None:
        counts = status.library
        lines += ["", f"documents {counts.documents}, searchable sentences {counts.searchable}"]
        if status.device is not None:
            lines.append(f"device {status.device.device} {status.device.precision}, {status.device.threads} threads")
    return "\n".join([*lines, "", *_summarize_log(log_file)])


def _summarize_log(file: Path) -> list[str]:
    """Return time, level and code location of log lines; messages, which may quote files, are left out."""
    try:
        with file.open("rb") as stream:
            stream.seek(max(0, file.stat().st_size - _MAX_LOG_BYTES))
            text = stream.read().decode("utf-8", "replace")
    except OSError as error:
        return [f"no log: {type(error).__name__}"]
    found: list[str] = []
    for line in text.splitlines():
        if head := _HEAD.match(line):
            found.append(head[0].rstrip(": "))
        elif frame := _FRAME.match(line):
            found.append(f"  {Path(frame['file']).name}:{frame['line']} in {frame['function']}")
        elif raised := _RAISED.match(line):
            found.append(f"  {raised['kind']}")
    return found[-_MAX_LOG_LINES:]


class ProblemReportDialog(QDialog):
    """Shows a report to copy. Nothing is sent: that is up to the person."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Report a problem"))
        self.setAccessibleName(self.windowTitle())
        what = make_label(
            self.tr(
                "Describe what you did and what happened, and attach this report. It contains versions, counts and"
                " the places in the program where errors occurred, but no text or names from your documents."
                " Kindred sends nothing by itself."
            ),
            wrap=True,
            name=self.tr("Instructions"),
        )
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(self.tr("Report"))
        copy = make_push_button(self.tr("&Copy Report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report.toPlainText()))
        foot = make_row("stretch", copy, make_close_button(self))
        make_column(what, (self.report, 1), foot, parent=self, margins=(20, 18, 20, 16), spacing=12)
        set_initial_size(self, 640, 520)
