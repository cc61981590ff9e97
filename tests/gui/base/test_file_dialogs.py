"""Dialogs for files open where the person last was for the same purpose, also in the next session."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.gui.base import file_dialogs


@pytest.fixture
def parent(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QWidget:
    monkeypatch.setattr(QFileDialog, "open", lambda _dialog: None)
    monkeypatch.setattr(file_dialogs, "_last_folders", {})
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def opens_in(parent: QWidget, title: str) -> str:
    return file_dialogs.choose_files(parent, title, lambda _paths: None).directory().absolutePath()


def test_each_purpose_has_a_folder_of_its_own(parent: QWidget, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    dialog = file_dialogs.choose_files(parent, "Import", lambda _paths: None)
    dialog.filesSelected.emit([str(papers / "a.pdf")])
    exports = file_dialogs.choose_files(parent, "Export", lambda _paths: None)
    exports.filesSelected.emit([str(tmp_path / "b.csv")])
    assert opens_in(parent, "Import") == str(papers)
    assert opens_in(parent, "Export") == str(tmp_path)


def test_the_folders_are_there_at_the_next_start(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file_dialogs._remember_folder("Import", [str(tmp_path / "a.pdf")])
    state = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    file_dialogs.save_folders(state)
    monkeypatch.setattr(file_dialogs, "_last_folders", {})
    file_dialogs.restore_folders(state)
    assert opens_in(parent, "Import") == str(tmp_path)
    state.setValue("folders", "no table")
    file_dialogs.restore_folders(state)


def test_the_first_dialog_opens_in_the_documents_of_the_person(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _place: str(tmp_path))
    assert opens_in(parent, "Import") == str(tmp_path)
    saved = file_dialogs.choose_save_file(parent, "Export", {"csv": "Table"}, lambda _path: None, suggestion="x")
    assert saved.directory().absolutePath() == str(tmp_path)
    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _place: str(tmp_path / "gone"))
    assert opens_in(parent, "Import") == str(Path.home())


def test_a_folder_that_is_gone_is_not_used(parent: QWidget, tmp_path: Path) -> None:
    file_dialogs._remember_folder("Import", [str(tmp_path / "gone" / "a.pdf")])
    assert opens_in(parent, "Import") != str(tmp_path / "gone")


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("bread: in the oven?", "bread in the oven"),
        ("a/b\\c\n d", "a b c d"),
        ("the " * 40, "the " * 14 + "the"),
        ("Smith et al. 2019, v1.2", "Smith et al 2019, v1-2"),
        ("...", ""),
    ],
)
def test_an_export_suggests_the_name_of_what_is_exported(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch, what: str, name: str
) -> None:
    selected: list[str] = []
    monkeypatch.setattr(QFileDialog, "selectFile", lambda _dialog, file: selected.append(file))
    file_dialogs.choose_save_file(parent, "Export", {"csv": "Table"}, lambda _file: None, suggestion=what)
    assert "".join(selected) == name


def test_a_suggested_name_gets_the_suffix_of_the_format(parent: QWidget, tmp_path: Path) -> None:
    chosen: list[str] = []
    dialog = file_dialogs.choose_save_file(
        parent, "Export", {"md": "Markdown", "csv": "Table"}, chosen.append, suggestion="Smith et al. 2019"
    )
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.accept()
    assert chosen == [str(tmp_path / "Smith et al 2019.md")]
