"""Watched folders: synchronized while the window is open, and edited in the preferences.

If many files were deleted at once, the person is asked whether their documents leave the library too.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QWidget,
)

from desktop_app.core.stored_path import find_stored_path
from desktop_app.core.watch_patterns import decide_file
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import make_tooltip
from desktop_app.gui.base.file_dialogs import choose_folder
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import Job
    from desktop_app.core.library import Library
    from desktop_app.core.records import WatchedFolder
    from desktop_app.engine.file_walk import UnreadablePath
    from desktop_app.engine.requests import DeletedFile, ImportReport
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.imports.controller import ImportController

_PATTERN_SEPARATOR = "; "
_NAMES_SHOWN = 5  # of deleted files


class WatchedFoldersController(QObject):
    """Synchronizes the folders at start, after a change in one, and when a missing one returns.

    Attributes:
        folders: the watched folders.
        unreadable: paths in them that the last synchronization could not see.
        changed: the folders or their patterns changed, or what cannot be seen of them.
        looked: a synchronization ended.
        removed: documents were removed because their files were deleted; carries their ids.
    """

    changed = Signal()
    looked = Signal()
    removed = Signal(object)

    def __init__(self, context: WindowContext, imports: ImportController) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self._imports = imports
        self._is_looking = self._look_again = self._is_asking = False
        self.folders: list[WatchedFolder] = []
        self.unreadable: list[UnreadablePath] = []
        self._confirmed: frozenset[int] = frozenset()  # deleted documents that the next synchronization may remove
        self._kept: frozenset[int] = frozenset()  # deleted documents that a person chose to keep
        context.folder_moved.connect(lambda _old, _new: self.start())
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._on_state)

    def start(self) -> None:
        """Start watching once the library is open, or again after folders moved."""
        self._call(self._session.workspace.read(lambda library: library.watched_folders.folders()))

    def watch(self, folder: WatchedFolder) -> None:
        """Watch a folder, or change its patterns."""
        self._call(self._session.workspace.watched_folders.watch_folder(folder))

    def unwatch(self, path: str) -> None:
        """Stop watching a folder; its documents stay."""

        def unwatch(library: Library) -> list[WatchedFolder]:
            library.watched_folders.unwatch(path)
            return library.watched_folders.folders()

        self._call(self._session.workspace.change(unwatch))

    def _call(self, job: Job[list[WatchedFolder]]) -> None:
        self._session.bridge.call(job, self, self._take, on_error=self._context.tell_error)

    def _take(self, folders: list[WatchedFolder]) -> None:
        if folders == self.folders:
            return
        self.folders = folders
        self._begin()
        self.changed.emit()

    def _begin(self) -> None:
        callback = self._session.bridge.make_thread_safe_callback(self, self._look)
        self._session.workspace.watched_folders.start_listening(self.folders, callback)
        self._look()

    def _on_state(self, state: Qt.ApplicationState) -> None:
        is_back = state == Qt.ApplicationState.ApplicationActive and bool(self.folders)
        if is_back and self._session.workspace.watched_folders.has_volume_changed():
            self._begin()

    def _look(self) -> None:
        """Synchronize the folders; changes during that start it once more."""
        if self._is_looking:
            self._look_again = True
        elif self.folders:
            self._is_looking = True
            confirmed, self._confirmed = self._confirmed, frozenset()
            job = self._session.workspace.watched_folders.sync_folders(confirmed=confirmed)
            self._imports.follow(job, self._on_looked)

    def _on_looked(self, report: ImportReport | None) -> None:
        self._is_looking = False
        if report is not None:
            if report.removed:
                self.removed.emit([file.document_id for file in report.removed])
            if report.unreadable != self.unreadable:
                self.unreadable = report.unreadable
                self.changed.emit()
            doubtful = [file for file in report.unconfirmed if file.document_id not in self._kept]
            if doubtful and not self._is_asking:
                self._ask(doubtful)
            self.looked.emit()
        if self._look_again:
            self._look_again = False
            self._look()

    def _ask(self, files: Sequence[DeletedFile]) -> None:
        """Ask whether the documents of deleted files leave the library."""
        self._is_asking = True
        box = QMessageBox(self._context.widget)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Deleted files"))
        box.setAccessibleName(box.windowTitle())
        documents = display_text.count_documents(len(files))
        box.setText(self.tr("The files of {documents} were deleted from watched folders.").format(documents=documents))
        names = ", ".join(os.path.basename(file.path) for file in files[:_NAMES_SHOWN])
        if len(files) > _NAMES_SHOWN:
            names += ", …"
        more = self.tr("Removing the documents also removes their tags and titles. Documents you keep can still be"
" searched and are marked as missing until their files are back.")  # fmt: skip
        box.setInformativeText(f"{names}\n\n{more}")
        remove = box.addButton(self.tr("&Remove Documents"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("&Keep Documents"), QMessageBox.ButtonRole.RejectRole)
        for button in (remove, keep):
            button.setAccessibleName(button.text().replace("&", ""))
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        ids = frozenset(file.document_id for file in files)
        box.finished.connect(lambda _result: self._on_answer(ids, is_removing=box.clickedButton() is remove))
        box.open()

    def _on_answer(self, ids: frozenset[int], *, is_removing: bool) -> None:
        self._is_asking = False
        if not is_removing:
            self._kept |= ids
            job = self._session.workspace.watched_folders.keep_deleted(ids)
            self._session.bridge.call(job, self, on_error=self._context.tell_error)
        else:
            self._confirmed |= ids
            self._look()


class WatchedFoldersPage(QWidget):
    """Edits the watched folders; every change applies at once."""

    def __init__(self, watched_folders: WatchedFoldersController) -> None:
        super().__init__()
        self._watched_folders = watched_folders
        self._shown_path = ""  # the folder whose patterns are shown
        self.setAccessibleName(self.tr("Watched folders"))
        title = make_heading(self.tr("Watched folders"))
        about = self.tr(
            "Changes in these folders are imported automatically, including those made while Kindred was"
            " closed. Documents on disconnected drives are kept."
        )
        text = make_label(about, tone="muted", wrap=True, name=self.tr("About watched folders"))
        self.list = QListWidget()
        self.list.setObjectName("kinds")
        self.list.setAccessibleName(self.tr("Watched folders"))
        hint = self.tr("No watched folders yet. Add a folder, and Kindred keeps its documents up to date.")
        self.empty = make_label(hint, wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setAccessibleName(self.tr("About watched folders"))
        self.add = make_push_button(self.tr("&Add Folder…"), picture="folder-plus")
        self.remove = make_push_button(self.tr("&Stop Watching"), picture="x")
        self.include = self._field(self.tr("Only"), self.tr("all supported files, or e.g. *.pdf; 2024/*"))
        self.exclude = self._field(self.tr("Except"), self.tr("nothing, or e.g. drafts; *.txt; archive/old"))
        self.probe = self._field(self.tr("Test a path"), self.tr("Path in the folder"))
        self.verdict = make_label(tone="muted", wrap=True, name=self.tr("Result of the test"))
        self.patterns = QWidget()
        self.patterns.setAccessibleName(self.tr("Included files"))
        form = QFormLayout(self.patterns)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(14)
        for field in (self.include, self.exclude, self.probe):
            heading = make_label(field.accessibleName(), tone="muted", name=field.accessibleName())
            form.addRow(heading, field)
        form.addRow("", self.verdict)
        self.unseen = make_label(tone="muted", wrap=True, name=self.tr("Unreadable parts of the folder"))
        buttons = make_row(self.add, self.remove, "stretch", spacing=10)
        make_column(
            title,
            text,
            (self.list, 1),
            (self.empty, 1),
            self.unseen,
            self.patterns,
            4,
            buttons,
            parent=self,
            spacing=10,
        )
        self.add.clicked.connect(self._choose)
        self.remove.clicked.connect(self._on_remove)
        self.list.currentRowChanged.connect(self._show_patterns)
        self.include.editingFinished.connect(self._keep)
        self.exclude.editingFinished.connect(self._keep)
        for field in (self.include, self.exclude, self.probe):
            field.textChanged.connect(self._judge)
        watched_folders.changed.connect(self._refresh)
        self._refresh()

    def _field(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        return field

    @property
    def current(self) -> WatchedFolder | None:
        """The selected folder."""
        row = self.list.currentRow()
        return self._watched_folders.folders[row] if 0 <= row < len(self._watched_folders.folders) else None

    def follow(self, path: str) -> None:
        """Watch another folder."""
        from desktop_app.core.records import WatchedFolder

        self._watched_folders.watch(WatchedFolder(find_stored_path(path)))

    def _choose(self) -> None:
        choose_folder(self, self.tr("Select a folder to watch"), self.follow)

    def _on_remove(self) -> None:
        if (folder := self.current) is not None:
            self._watched_folders.unwatch(folder.path)

    def _refresh(self) -> None:
        chosen = self.list.currentItem()
        path = chosen.data(Qt.ItemDataRole.UserRole) if chosen is not None else ""
        self.list.blockSignals(True)
        self.list.clear()
        for folder in self._watched_folders.folders:
            item = QListWidgetItem(make_icon("folder"), folder.path)
            item.setData(Qt.ItemDataRole.UserRole, folder.path)
            item.setToolTip(make_tooltip(folder.path))
            self.list.addItem(item)
        paths = [folder.path for folder in self._watched_folders.folders]
        self.list.setCurrentRow(paths.index(path) if path in paths else len(paths) - 1)
        self.list.blockSignals(False)
        self._show_patterns()

    def _show_patterns(self) -> None:
        folder = self.current
        for part in (self.list, self.patterns, self.remove):
            part.setVisible(folder is not None)
        self.empty.setVisible(folder is None)
        path = folder.path if folder is not None else ""
        for field, patterns in (
            (self.include, folder.include if folder is not None else ()),
            (self.exclude, folder.exclude if folder is not None else ()),
        ):
            # A look at the folders may end while a pattern is being typed.
            if not (path == self._shown_path and field.isModified() and _parse_patterns(field.text()) != patterns):
                field.setText(_PATTERN_SEPARATOR.join(patterns))
        self._shown_path = path
        self._show_unseen()
        self._judge()

    def _show_unseen(self) -> None:
        """Show what cannot be seen of the selected folder; the folder itself goes before paths in it."""
        folder = self.current
        unseen = [
            each for each in self._watched_folders.unreadable if folder is not None and _is_at_or_in(each, folder)
        ]
        self.unseen.setVisible(bool(unseen))
        if unseen and folder is not None:
            first = min(unseen, key=lambda each: len(each.path))
            name = os.path.relpath(first.path, folder.path) if first.path != folder.path else first.path
            text = self.tr("Can't read {name}: {why}. Its documents are kept.").format(
                name=name, why=display_text.translate_message(first.why).rstrip(".")
            )
            if len(unseen) > 1:
                text += " " + self.tr("%Ln more items in this folder can't be read.", "", len(unseen) - 1)
            self.unseen.setText(text)

    def _written(self) -> WatchedFolder | None:
        """Return the selected folder with the patterns of the fields."""
        folder = self.current
        if folder is None:
            return None
        return replace(
            folder, include=_parse_patterns(self.include.text()), exclude=_parse_patterns(self.exclude.text())
        )

    def _keep(self) -> None:
        folder = self._written()
        if folder is not None and folder != self.current:
            self._watched_folders.watch(folder)

    def _judge(self) -> None:
        folder, path = self._written(), self.probe.text().strip()
        if folder is None or not path:
            self.verdict.setText("")
            return
        verdict = decide_file(folder, os.path.normpath(os.path.join(folder.path, path)))
        text = {
            "taken": self.tr("Included."),
            "outside": self.tr("Not in this folder."),
            "excluded": self.tr("Excluded: {pattern} matches."),
            "not_included": self.tr("Excluded: nothing under “Only” matches."),
            "unsupported": self.tr("Excluded: hidden, or not a supported file type."),
        }[verdict.why]
        self.verdict.setText(text.format(pattern=verdict.pattern))


def _is_at_or_in(unreadable: UnreadablePath, folder: WatchedFolder) -> bool:
    return unreadable.path == folder.path or unreadable.path.startswith(folder.path.rstrip(os.sep) + os.sep)


def _parse_patterns(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", ";").split(";") if part.strip())
