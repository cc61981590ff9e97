"""The result of each file of an import, and actions on failures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.row_delegate import MARGIN_PX, RowDelegate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.engine.requests import FailedFile, ImportReport
    from desktop_app.gui.base.theme import ThemeManager


FILE_ROLE = Qt.ItemDataRole.UserRole
_MIN_KINDS_PX, _KINDS_MARGINS_PX = 240, 40


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file of the report: its path, result, hint, icon and colour."""

    path: str
    state: str
    hint: str
    icon: str
    tone: str

    @property
    def name(self) -> str:
        """The name of the file."""
        return display_text.document_name("", self.path)


class FileDelegate(RowDelegate):
    """Paints a FileRow like a document."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        row: FileRow = index.data(FILE_ROLE)
        flag = QStyle.StateFlag
        state = [bool(option.state & each) for each in (flag.State_Selected, flag.State_MouseOver, flag.State_HasFocus)]
        self.paint_ground(painter, option.rect, (state[0], state[1], state[2]))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect.adjusted(MARGIN_PX, 1, -MARGIN_PX, -1)
        self.paint_lines(painter, rect, row.icon, row.tone, row.name, row.state)
        painter.restore()


@dataclass(frozen=True, slots=True)
class ImportReportRow:
    """One file of the report."""

    row: FileRow
    failed: FailedFile | None = None


class ImportReportModel(QAbstractListModel):
    """The files with one kind of result."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: list[ImportReportRow] = []

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of files."""
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name, the text for screen readers, or the FileRow."""
        if not index.isValid() or index.row() >= len(self.lines):
            return None
        row = self.lines[index.row()].row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.name}, {row.state}".rstrip(", ")
        if role == Qt.ItemDataRole.ToolTipRole:
            return display_text.make_tooltip("\n".join(part for part in (row.path, row.state, row.hint) if part))
        return row if role == FILE_ROLE else None

    def show(self, lines: list[ImportReportRow]) -> None:
        """Show other files."""
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()


class ImportReportDialog(QDialog):
    """Lists the files of an import by result; stays open while some are tried again.

    Attributes:
        retry: paths to import again; carries a list of str.
        password: locked files need a password; carries a list of their paths.
        recognise: files without text need OCR; carries a list of their paths.
        ignored: failed files are dismissed; carries a list of FailedFile.
        shown_in_folder: the person opens the folder of a file; carries the path.
    """

    retry = Signal(object)
    password = Signal(object)
    recognise = Signal(object)
    ignored = Signal(object)
    shown_in_folder = Signal(object)

    def __init__(self, report: ImportReport, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self._retried: dict[str, FailedFile] = {}  # not listed while they are imported again
        self._offers_ocr = True
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import report"))
        self.setAccessibleName(self.tr("Import report"))
        set_initial_size(self, 820, 520)
        self.title = make_label(factor=1.2, weight=QFont.Weight.DemiBold, wrap=True, name=self.tr("Summary"))
        self.hint = make_label(tone="muted", wrap=True, name=self.tr("What to do"))
        self.refusal = make_label(tone="bad", wrap=True, name=self.tr("Wrong password"))
        self.refusal.hide()
        self.kinds = QListWidget()
        self.kinds.setObjectName("kinds")
        self.kinds.setAccessibleName(self.tr("File types"))
        self.kinds.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.kinds.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files = ImportReportModel(self)
        self.view = QListView()
        self.view.setAccessibleName(self.tr("Files"))
        self.view.setModel(self.files)
        self.view.setItemDelegate(FileDelegate(self.view, themes))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._show_menu)

        self.retry_button = make_push_button(self.tr("&Retry"), picture="rotate-ccw")
        self.password_button = make_push_button(self.tr("Enter &Password…"), picture="key-round")
        self.recognise_button = make_push_button(self.tr("Run &OCR…"), picture="scan-text")
        self.recognise_button.setToolTip(self.tr("Recognize text in scanned pages"))
        self.recognise_button.clicked.connect(self._on_recognise)
        self.show_button = make_push_button(self.tr("Show in &Folder"), picture="folder-open")
        self.show_button.clicked.connect(self._on_show)
        self.ignore_button = make_push_button(self.tr("&Ignore"), picture="trash-2")
        self.retry_button.setToolTip(self.tr("Import these files again"))
        self.password_button.setToolTip(self.tr("Try a password; it isn't stored"))
        self.ignore_button.setToolTip(
            self.tr("Remove these files from the list; the files themselves aren't touched (Del)")
        )
        self.retry_button.clicked.connect(self._on_retry)
        self.password_button.clicked.connect(self._on_password)
        self.ignore_button.clicked.connect(self._on_ignore)
        QShortcut(QKeySequence("Del"), self.view, self._on_ignore, context=Qt.ShortcutContext.WidgetShortcut)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        self._buttons = (
            self.retry_button,
            self.password_button,
            self.recognise_button,
            self.show_button,
            self.ignore_button,
        )
        for button in self._buttons:
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(make_close_button(self))
        lists = make_row(self.kinds, (self.view, 1), spacing=12)
        make_column(
            self.title,
            self.hint,
            self.refusal,
            (lists, 1),
            4,
            buttons,
            parent=self,
            margins=(20, 18, 20, 16),
            spacing=8,
        )
        self.kinds.currentRowChanged.connect(self._on_kind)
        self.view.selectionModel().selectionChanged.connect(self._on_chosen)
        self._groups: list[tuple[str, list[ImportReportRow]]] = []
        self._fill()

    def add(self, report: ImportReport) -> None:
        """Add the results of files that were tried again."""
        tried = {file.path for file in report.failed} | {file.path for file in report.imported}
        tried |= {*report.unchanged, *(file.path for file in report.copies)}
        before = self._report
        self._report = replace(
            before,
            failed=[file for file in before.failed if file.path not in tried] + report.failed,
            imported=[file for file in before.imported if file.path not in tried] + report.imported,
            unchanged=list(dict.fromkeys([*before.unchanged, *report.unchanged])),
            copies=[*before.copies, *report.copies],
            ignored=list(dict.fromkeys([*before.ignored, *report.ignored])),
        )
        self._fill()

    def restore_untried(self, paths: Iterable[str]) -> None:
        """List files again whose retry has ended without a result, as when the import was stopped."""
        report = self._report
        known = {*report.ignored, *report.unchanged}
        known |= {each.path for each in report.failed} | {each.path for each in report.imported}
        known |= {each.path for each in report.copies}
        waiting = [self._retried.pop(path) for path in paths if path in self._retried]
        if untried := [file for file in waiting if file.path not in known]:
            self._report = replace(report, failed=[*report.failed, *untried])
            self._fill()

    def show_refusal(self, text: str) -> None:
        """Say that a password was wrong, until the next attempt."""
        self.refusal.setText(text)
        self.refusal.show()

    def offer_ocr(self, offer: bool) -> None:
        """Set whether to offer OCR for files without text."""
        self._offers_ocr = offer
        self._on_chosen()

    # What is shown

    def _fill(self) -> None:
        """Update the report; keep the kind of result if it still has files."""
        row = self.kinds.currentRow()
        before = self._groups[row][0] if 0 <= row < len(self._groups) else ""
        self.title.setText(display_text.describe_import_result(self._report))
        self._groups = self._grouped()
        self.kinds.blockSignals(True)
        self.kinds.clear()
        for name, lines in self._groups:
            item = QListWidgetItem(f"{name}  {display_text.format_number(len(lines))}")
            item.setSizeHint(QSize(0, 34))
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{name.strip()}, {display_text.format_number(len(lines))}"
            )
            self.kinds.addItem(item)
        texts = [self.kinds.item(row).text() for row in range(self.kinds.count())]
        widest = max(map(self.kinds.fontMetrics().horizontalAdvance, texts), default=0)
        self.kinds.setFixedWidth(max(_MIN_KINDS_PX, widest + _KINDS_MARGINS_PX))
        names = [name for name, _ in self._groups]
        self.kinds.setCurrentRow(names.index(before) if before in names else 0)
        self.kinds.blockSignals(False)
        self._on_kind(self.kinds.currentRow())

    def _grouped(self) -> list[tuple[str, list[ImportReportRow]]]:
        report = self._report
        failed = [
            ImportReportRow(_failed_file_row(file), file) for file in sorted(report.failed, key=lambda file: file.path)
        ]
        groups = [(self.tr("Failed"), failed)]
        reasons = dict.fromkeys(line.row.state for line in failed)
        if len(reasons) > 1:
            for reason in reasons:
                groups.append((f"    {reason}", [line for line in failed if line.row.state == reason]))
        remarks = [
            (file.path, "; ".join(map(display_text.translate_message, file.warnings)))
            for file in report.imported
            if file.warnings
        ]
        groups.append((self.tr("Warnings"), _report_rows(remarks, "info")))
        ignored = [(path, self.tr("Unsupported file type")) for path in report.ignored]
        groups.append((self.tr("Ignored"), _report_rows(ignored, "minus")))
        unchanged = [(path, self.tr("Already in the library")) for path in report.unchanged]
        groups.append((self.tr("Unchanged"), _report_rows(unchanged, "file-text")))
        copies = [(file.path, self.tr("The library has a document with the same content")) for file in report.copies]
        groups.append((self.tr("Exact copies"), _report_rows(copies, "copy")))
        imported = [(file.path, display_text.count_sentences(file.sentences)) for file in report.imported]
        groups.append((self.tr("Imported"), _report_rows(imported, "circle-check")))
        return [(name, lines) for name, lines in groups if lines]

    def _on_kind(self, row: int) -> None:
        self.files.show(self._groups[row][1] if 0 <= row < len(self._groups) else [])
        self._on_chosen()

    def _selected_files(self) -> list[FailedFile]:
        """Return the selected failed files; all listed ones if none is selected."""
        chosen = sorted(index.row() for index in self.view.selectionModel().selectedIndexes())
        lines = [self.files.lines[row] for row in chosen] or self.files.lines
        return [line.failed for line in lines if line.failed is not None]

    def _single_selected_path(self) -> str:
        """Return the path of the only selected or listed file; empty if there are several."""
        chosen = [index.row() for index in self.view.selectionModel().selectedIndexes()] or range(len(self.files.lines))
        return self.files.lines[chosen[0]].row.path if len(chosen) == 1 else ""

    def _on_chosen(self) -> None:
        files = self._selected_files()
        locked = [file for file in files if file.reason == "encrypted"]
        pictures = [file for file in files if self._offers_ocr and display_text.is_maybe_scan(file.reason, file.path)]
        count = display_text.format_number(len(files))
        is_choice = bool(self.view.selectionModel().selectedIndexes()) or len(files) == 1
        self.retry_button.setText(" " + (self.tr("&Retry") if is_choice else self.tr("&Retry All {n}")).format(n=count))
        self.ignore_button.setText(
            " " + (self.tr("&Ignore") if is_choice else self.tr("&Ignore All {n}")).format(n=count)
        )
        for button, needed in (
            (self.retry_button, files),
            (self.ignore_button, files),
            (self.password_button, locked),
            (self.recognise_button, pictures),
        ):
            button.setVisible(bool(needed))
        self.show_button.setVisible(bool(self._single_selected_path()))
        remedies = {display_text.describe_failure_remedy(file.reason, file.path) for file in files}
        self.hint.setText(remedies.pop() if len(remedies) == 1 else "")
        self.hint.setVisible(bool(self.hint.text()))

    def _show_menu(self, at: QPoint) -> None:
        if not self.view.indexAt(at).isValid() or all(button.isHidden() for button in self._buttons):
            return
        menu = make_popup_menu(self, self.tr("File"))
        for button in self._buttons:
            if not button.isHidden():
                menu.addAction(button.icon(), button.text().strip(), button.click)
        menu.popup(self.view.viewport().mapToGlobal(at))

    # What is done

    def _on_retry(self) -> None:
        self._retried |= {file.path: file for file in self._selected_files()}
        paths = [file.path for file in self._selected_files()]
        self._drop(paths)
        self.retry.emit(paths)

    def _on_show(self) -> None:
        self.shown_in_folder.emit(self._single_selected_path())

    def _on_password(self) -> None:
        self.refusal.hide()
        self.password.emit([file.path for file in self._selected_files() if file.reason == "encrypted"])

    def _on_recognise(self) -> None:
        files = self._selected_files()
        self.recognise.emit([file.path for file in files if display_text.is_maybe_scan(file.reason, file.path)])

    def _on_ignore(self) -> None:
        if files := self._selected_files():
            self._drop(file.path for file in files)
            self.ignored.emit(files)

    def _drop(self, paths: Iterable[str]) -> None:
        """Remove files from the list; those that are tried again come back."""
        dropped = set(paths)
        self.refusal.hide()
        self._report = replace(self._report, failed=[f for f in self._report.failed if f.path not in dropped])
        self._fill()


def _failed_file_row(file: FailedFile) -> FileRow:
    remedy = display_text.describe_failure_remedy(file.reason, file.path)
    hint = f"{display_text.translate_message(file.message)}. {remedy}".replace("..", ".")
    return FileRow(file.path, display_text.describe_failure(file.reason, file.path), hint, "circle-alert", "bad")


def _report_rows(files: Iterable[tuple[str, str]], icon: str) -> list[ImportReportRow]:
    return [ImportReportRow(FileRow(path, state, "", icon, "muted")) for path, state in files]
