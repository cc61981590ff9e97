"""Dialogs in which a person chooses files and folders. None of them blocks: each calls a function with the choice."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog

from desktop_app.core.formats import name_patterns
from desktop_app.gui.base.display_text import translate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget


_NOT_IN_FILE_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f…]')
_DOT_IN_WORD = re.compile(r"(?<=\w)\.(?=\w)")
_MAX_NAME_CHARACTERS = 60

_last_folders: dict[str, str] = {}
"""Where the person was last, by the title of the dialog, which names its purpose."""


def save_folders(state: QSettings) -> None:
    """Save the folders of the dialogs."""
    state.setValue("folders", json.dumps(_last_folders))


def restore_folders(state: QSettings) -> None:
    """Restore the folders of the dialogs; anything that is no such table is ignored."""
    try:
        folders = json.loads(str(state.value("folders") or "{}"))
    except ValueError:
        return
    if isinstance(folders, dict):
        _last_folders.update({str(title): str(folder) for title, folder in folders.items()})


def _remember_folder(title: str, paths: Sequence[str]) -> None:
    if paths:
        _last_folders[title] = str(Path(paths[0]).parent)


def make_filters(name: str, patterns: str) -> list[str]:
    """Return the filters of a dialog: files of one kind, then all files.

    Args:
        name: the name of this kind of files.
        patterns: patterns of their names, separated by spaces, such as `*.csv *.tsv`.
    """
    return [f"{name} ({patterns})", translate("file_dialogs", "All files (*)")]


def document_filters() -> list[str]:
    """Return the filters for documents that the program can read."""
    return make_filters(translate("file_dialogs", "Documents"), name_patterns())


def choose_file(
    parent: QWidget, title: str, on_chosen: Callable[[str], object], filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for one file that exists."""
    dialog = _make_dialog(parent, title, QFileDialog.FileMode.ExistingFile, filters)
    dialog.fileSelected.connect(on_chosen)
    dialog.open()
    return dialog


def choose_files(
    parent: QWidget, title: str, on_chosen: Callable[[list[str]], object], filters: Sequence[str] = ()
) -> QFileDialog:
    """Ask for files that exist."""
    dialog = _make_dialog(parent, title, QFileDialog.FileMode.ExistingFiles, filters)
    dialog.filesSelected.connect(on_chosen)
    dialog.open()
    return dialog


def choose_folder(parent: QWidget, title: str, on_chosen: Callable[[str], object]) -> QFileDialog:
    """Ask for a folder."""
    dialog = _make_dialog(parent, title, QFileDialog.FileMode.Directory, ())
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(on_chosen)
    dialog.open()
    return dialog


def choose_save_file(
    parent: QWidget,
    title: str,
    formats: Mapping[str, str],
    on_chosen: Callable[[str], object],
    *,
    suggestion: str,
    folder: str = "",
) -> QFileDialog:
    """Ask where to save a file.

    Before it writes, the function that receives the choice calls `WindowContext.refuse_overwrite` or
    `overwrite_refusal`: the system's dialog asks only whether to replace a file, not whether it is a document.

    Args:
        parent: the window below the dialog.
        title: the title of the dialog.
        formats: names of the formats by their suffixes without the dot, such as `csv`; the first is the default. A
            name that ends in a pattern, such as `Tables (*.tsv *.csv)`, is used as it is.
        on_chosen: receives the path; its suffix is that of the chosen format unless the person typed another.
        suggestion: the name of what is saved, to begin the file name with; what a file name cannot have is left out.
        folder: the folder to begin in the first time; empty for the person's documents.
    """
    dialog = _make_dialog(
        parent,
        title,
        QFileDialog.FileMode.AnyFile,
        [name if name.endswith(")") else f"{name} (*.{suffix})" for suffix, name in formats.items()],
    )
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    if folder and title not in _last_folders:
        dialog.setDirectory(folder)
    dialog.setDefaultSuffix(next(iter(formats)))
    if len(formats) > 1:
        suffixes = dict(zip(dialog.nameFilters(), formats, strict=True))
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(suffixes[chosen]))
    if name := _make_file_name(suggestion):
        dialog.selectFile(name)
    dialog.fileSelected.connect(on_chosen)
    dialog.open()
    return dialog


def _make_file_name(text: str) -> str:
    """Return a text as a file name that every system takes: short, on one line, without special characters.

    It has no dots either: Qt adds no suffix to a name with one, such as "Smith et al. 2019".
    """
    plain = " ".join(_NOT_IN_FILE_NAMES.sub(" ", text).split())
    plain = _DOT_IN_WORD.sub("-", plain).replace(".", "")
    if len(plain) > _MAX_NAME_CHARACTERS:
        plain = plain[:_MAX_NAME_CHARACTERS].rpartition(" ")[0] or plain[:_MAX_NAME_CHARACTERS]
    return plain.strip()


def _make_dialog(parent: QWidget, title: str, mode: QFileDialog.FileMode, filters: Sequence[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(mode)
    # The first time the person's documents; by itself Qt takes the folder that the program was started in.
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    for folder in (_last_folders.get(title), documents, str(Path.home())):
        if folder and Path(folder).is_dir():
            dialog.setDirectory(folder)
            break
    if mode != QFileDialog.FileMode.AnyFile:  # there the name of a filter tells its format
        # Qt's own dialog shows the name of the filter behind the patterns of all formats, which do not fit.
        dialog.setOption(QFileDialog.Option.HideNameFilterDetails)
    dialog.filesSelected.connect(partial(_remember_folder, title))
    if filters:
        dialog.setNameFilters(list(filters))
    return dialog
