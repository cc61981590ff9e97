"""The library as a whole: what is in it, what it takes, whether all its parts agree, and mending where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_app.gui import names, words
from desktop_app.gui.dialogs.buttons import close_button, push_button
from desktop_app.gui.icons import icon
from desktop_app.gui.sizing import give_size
from desktop_app.gui.widgets import label

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Check, LibraryInfo
    from desktop_app.engine.caring import Statistics
    from desktop_app.gui.session import Session


class LibraryDialog(QDialog):
    """Shows the statistics; checks and mends the library when that is asked for.

    Attributes:
        mended: documents may wait to be read again.
    """

    mended = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About this library"))
        self.setAccessibleName(self.windowTitle())
        title = label(self.tr("What is in the library"), factor=1.2, weight=QFont.Weight.DemiBold)
        title.setAccessibleName(title.text())
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.values: dict[str, QLabel] = {}
        self.summary = label(self.tr("Every part can be checked against the others."), tone="muted", wrap=True)
        self.summary.setAccessibleName(self.tr("Result of the check"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("What was checked"))
        self.list.hide()
        self.check = push_button(self.tr("&Check the Library"), picture="list-checks")
        self.mend = push_button(self.tr("&Mend"), self.tr("Mend the library"), "rotate-ccw")
        self.mend.hide()
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.check)
        buttons.addWidget(self.mend)
        buttons.addStretch(1)
        buttons.addWidget(close_button(self))
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 16)
        column.setSpacing(10)
        column.addWidget(title)
        column.addLayout(self._grid)
        column.addSpacing(6)
        column.addWidget(self.summary)
        column.addWidget(self.list, 1)
        column.addStretch(0)
        column.addLayout(buttons)
        give_size(self, 560, 420)
        self.check.clicked.connect(lambda: self._run(repair=False))
        self.mend.clicked.connect(lambda: self._run(repair=True))
        self._count()

    # Statistics

    def _count(self) -> None:
        self._session.bridge.call(self._session.workspace.caring.statistics(), self, self._show, on_error=self._fail)

    def _show(self, found: Statistics) -> None:
        info, locale = found.info, QLocale()
        types = (f"{names.document_type(kind)} {words.number(count)}" for kind, count in sorted(found.types.items()))
        failed = (f"{words.failure(reason)} {words.number(count)}" for reason, count in sorted(found.failed.items()))  # type: ignore[arg-type]
        facts = (
            (self.tr("Folder"), info.folder),
            (self.tr("Model"), info.model.name if info.model is not None else ""),
            (self.tr("Documents"), words.number(info.documents)),
            (self.tr("Types"), " · ".join(types)),
            (self.tr("Failed"), " · ".join(failed)),
            (self.tr("Pages"), words.number(found.pages) if found.pages else ""),
            (
                self.tr("Sentences"),
                self.tr("{all}, {distinct} of them different").format(
                    all=words.number(info.occurrences), distinct=words.number(info.sentences)
                ),
            ),
            (self.tr("Searchable"), words.number(info.searchable)),
            (self.tr("Found of the nearest"), _recall(info)),
            (self.tr("On disk"), locale.formattedDataSize(found.size_bytes)),
            (
                self.tr("Documents' files"),
                self.tr("{size}; they stay where they are").format(
                    size=locale.formattedDataSize(found.documents_bytes)
                ),
            ),
        )
        for heading, value in facts:
            self._say(heading, value)

    def _say(self, heading: str, value: str) -> None:
        shown = self.values.get(heading)
        if shown is None and value:
            row = len(self.values)
            left = label(heading, tone="muted")
            left.setAccessibleName(heading)
            left.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            shown = self.values[heading] = label(wrap=True)
            shown.setAccessibleName(heading)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(left, row, 0)
            self._grid.addWidget(shown, row, 1)
        if shown is not None:
            shown.setText(value)
            shown.setAccessibleDescription(value)

    # The check

    def _run(self, *, repair: bool) -> None:
        for button in (self.check, self.mend):
            button.setEnabled(False)
        self.list.clear()
        self.list.show()
        self.summary.setText(self.tr("Mending…") if repair else self.tr("Checking…"))
        self._session.bridge.call(
            self._session.workspace.doctor(repair=repair),
            self,
            lambda checks: self._show_checks(checks, mended=repair),
            on_error=self._fail,
            on_progress=self._tell,
            on_cancelled=self._may_go_on,
        )

    def _tell(self, progress: Progress) -> None:
        self.summary.setText(self.tr("Checking… {count} looked at").format(count=words.number(progress.done)))

    def _show_checks(self, checks: list[Check], *, mended: bool) -> None:
        for each in checks:
            item = QListWidgetItem(icon("circle-check" if each.ok else "circle-alert"), _line(each))
            item.setToolTip(words.tooltip(words.told(each.detail)))
            self.list.addItem(item)
        wrong = sum(not each.ok for each in checks)
        self.summary.setText(
            self.tr("Everything is as it should be.")
            if not wrong
            else self.tr("{count} of {all} are not as they should be. Mending loses nothing that can be found.").format(
                count=words.number(wrong), all=words.number(len(checks))
            )
        )
        self.mend.setVisible(wrong > 0)
        self._may_go_on()
        self._count()
        if mended:
            self.mended.emit()

    def _fail(self, error: BaseException) -> None:
        message, hint = words.error(error)
        self.summary.setText(f"{message}. {hint}".strip())
        self._may_go_on()

    def _may_go_on(self) -> None:
        for button in (self.check, self.mend):
            button.setEnabled(True)


def _recall(info: LibraryInfo) -> str:
    """Return how many of the nearest sentences a search finds: all, or what was measured."""
    found = info.recall
    if found is None:
        return words.translate("care", "all: every sentence is compared") if info.searchable else ""
    return words.translate(
        "care", "{share} % of the ten nearest, measured with {queries} queries; {width} candidates are kept"
    ).format(
        share=words.decimal(100 * found.recall, 1), queries=words.number(found.queries), width=words.number(found.ef)
    )


def _line(check: Check) -> str:
    name = {
        "database": words.translate("care", "Database"),
        "references": words.translate("care", "References"),
        "documents": words.translate("care", "Documents"),
        "vectors sound": words.translate("care", "Vectors are sound"),
        "vectors present": words.translate("care", "Vectors are there"),
        "counters": words.translate("care", "Counters"),
        "words": words.translate("care", "Words"),
        "segment files": words.translate("care", "Files of the index"),
        "index": words.translate("care", "Index"),
        "orphan files": words.translate("care", "Files that belong to nothing"),
        "recall": words.translate("care", "Recall"),
        "ocr": words.translate("care", "OCR"),
    }.get(check.name, check.name)
    return f"{name}: {words.told(check.detail)}" if check.detail else name
