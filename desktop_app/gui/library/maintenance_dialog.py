"""The library as a whole: contents, size on disk, checks and repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.buttons import enable_or_explain, make_close_button, make_push_button
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import grow_to_contents, make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import CheckResult, LibraryInfo
    from desktop_app.engine.maintenance import LibraryStatistics
    from desktop_app.gui.base.session import LibrarySession


class MaintenanceDialog(QDialog):
    """Shows the statistics; checks and repairs the library on request.

    Attributes:
        repairing: the library is being repaired; carries the Job, which continues when the dialog is closed.
    """

    repairing = Signal(object)

    def __init__(self, session: LibrarySession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About this library"))
        self.setAccessibleName(self.windowTitle())
        title = make_heading(self.tr("Contents"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.values: dict[str, QLabel] = {}
        self.summary = make_label(
            self.tr("Verify the library's integrity."), tone="muted", wrap=True, name=self.tr("Result of the check")
        )
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Checks"))
        self.list.hide()
        self.check = make_push_button(self.tr("&Check the Library"), picture="list-checks")
        self.repair_button = make_push_button(self.tr("&Repair"), self.tr("Repair the library"), "rotate-ccw")
        self.repair_button.hide()
        buttons = make_row(self.check, self.repair_button, "stretch", make_close_button(self), spacing=10)
        column = make_column(
            title, self._grid, 6, self.summary, (self.list, 1), parent=self, margins=(22, 18, 22, 16), spacing=10
        )
        column.addStretch(0)
        column.addLayout(buttons)
        set_initial_size(self, 560, 420)
        self.check.clicked.connect(lambda: self._run(repair=False))
        self.repair_button.clicked.connect(lambda: self._run(repair=True))
        self._count()

    # Statistics

    def _count(self) -> None:
        self._session.bridge.call(
            self._session.workspace.maintenance.count_statistics(), self, self._show, on_error=self._fail
        )

    def _show(self, found: LibraryStatistics) -> None:
        info = found.info
        types = (
            f"{display_text.document_type_name(kind)} {display_text.format_number(count)}"
            for kind, count in sorted(found.types.items())
        )
        failed = (
            f"{display_text.describe_failure(reason)} {display_text.format_number(count)}"  # type: ignore[arg-type]
            for reason, count in sorted(found.failed.items())
        )
        facts = (
            (self.tr("Address") if info.is_shared else self.tr("Folder"), info.folder),
            (self.tr("Model"), info.model.name if info.model is not None else ""),
            (self.tr("Documents"), display_text.format_number(info.documents)),
            (self.tr("Types"), " · ".join(types)),
            (self.tr("Failed"), " · ".join(failed)),
            (self.tr("Pages"), display_text.format_number(found.pages) if found.pages else ""),
            (
                self.tr("Sentences"),
                self.tr("{all} ({distinct} unique)").format(
                    all=display_text.format_number(info.occurrences),
                    distinct=display_text.format_number(info.sentences),
                ),
            ),
            (self.tr("Searchable"), display_text.format_number(info.searchable)),
            (self.tr("Search recall"), _describe_recall(info)),
            (self.tr("Disk space used"), "" if info.is_shared else display_text.format_size(found.size_bytes)),
            (
                self.tr("Your files"),
                self.tr("{size} (linked, not copied)").format(size=display_text.format_size(found.documents_bytes)),
            ),
        )
        for heading, value in facts:
            self._show_fact(heading, value)
        grow_to_contents(self)

    def _show_fact(self, heading: str, value: str) -> None:
        shown = self.values.get(heading)
        if shown is None and value:
            row = len(self.values)
            left = make_label(heading, tone="muted", name=heading)
            left.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            shown = self.values[heading] = make_label(wrap=True)
            shown.setAccessibleName(heading)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(left, row, 0)
            self._grid.addWidget(shown, row, 1)
        if shown is not None:
            shown.setText(value)
            shown.setAccessibleDescription(value)

    # The check

    def _run(self, *, repair: bool) -> None:
        for button in (self.check, self.repair_button):
            button.setEnabled(False)
        self.list.clear()
        self.list.show()
        grow_to_contents(self)  # else the list takes lines from the counts above
        self.summary.setText(self.tr("Repairing…") if repair else self.tr("Checking…"))
        job = self._session.workspace.maintenance.check_library(repair=repair)
        if repair:
            self.repairing.emit(job)
        self._session.bridge.call(
            job,
            self,
            self._show_checks,
            on_error=self._fail,
            on_progress=self._show_progress,
            on_cancelled=self._enable_buttons,
        )

    def _show_progress(self, progress: Progress) -> None:
        self.summary.setText(self.tr("Checking… {count} done").format(count=display_text.format_number(progress.done)))

    def _show_checks(self, checks: list[CheckResult]) -> None:
        for each in checks:
            item = QListWidgetItem(make_icon("circle-check" if each.ok else "circle-alert"), _check_text(each))
            item.setToolTip(display_text.make_tooltip(display_text.translate_message(each.detail)))
            self.list.addItem(item)
        wrong = sum(not each.ok for each in checks)
        self.summary.setText(
            self.tr("No problems found.")
            if not wrong
            else self.tr("{count} of {all} checks failed. Repairing is safe.").format(
                count=display_text.format_number(wrong), all=display_text.format_number(len(checks))
            )
        )
        self.repair_button.setVisible(wrong > 0)
        self._enable_buttons()
        self._count()

    def _fail(self, error: BaseException) -> None:
        message, hint = display_text.describe_error(error)
        self.summary.setText(f"{message}. {hint}".strip())
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        self.check.setEnabled(True)
        enable_or_explain(
            self.repair_button, True, "" if self._session.is_writable else display_text.explain_read_only()
        )


def _describe_recall(info: LibraryInfo) -> str:
    """Return the recall of the search: complete, or as measured."""
    found = info.recall
    if found is None:
        return display_text.translate("care", "100%: every sentence is compared") if info.searchable else ""
    return display_text.translate("care", "{share}% (top 10, {queries} queries, {width} candidates)").format(
        share=display_text.format_decimal(100 * found.recall, 1),
        queries=display_text.format_number(found.queries),
        width=display_text.format_number(found.ef),
    )


def _check_text(check: CheckResult) -> str:
    name = {
        "database": display_text.translate("care", "Database"),
        "references": display_text.translate("care", "References"),
        "texts": display_text.translate("care", "Texts"),
        "documents": display_text.translate("care", "Documents"),
        "vectors sound": display_text.translate("care", "Vectors are valid"),
        "vectors present": display_text.translate("care", "Vectors are complete"),
        "counters": display_text.translate("care", "Counters"),
        "words": display_text.translate("care", "Words"),
        "segment files": display_text.translate("care", "Index files"),
        "index": display_text.translate("care", "Index"),
        "orphan files": display_text.translate("care", "Stray files"),
        "recall": display_text.translate("care", "Recall"),
        "neighbours": display_text.translate("care", "Neighbours"),
        "ocr": display_text.translate("care", "OCR"),
    }.get(check.name, check.name)
    return f"{name}: {display_text.translate_message(check.detail)}" if check.detail else name
