"""One base folder holds everything; errors survive the transfer from another process."""

from __future__ import annotations

import pickle
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from desktop_app.core.errors import AppError, FailureReason, FileFailure, ModelMismatch, NotFound, file_failure_hint
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.paths import LIBRARY_DATABASE, Paths, is_library, resolve_folder, resources_folder
from desktop_app.store.library import LocalLibrary
from desktop_app.store.library_lock import DATABASE_FILE


def test_every_folder_is_under_the_base_and_none_is_created(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "base")
    for field in fields(paths):
        assert getattr(paths, field.name).is_relative_to(tmp_path / "base")
    base = tmp_path / "base"
    assert [paths.default_library, paths.unfinished, paths.models] == [
        base / "data" / "library",
        base / "data" / "unfinished",
        base / "data" / "models",
    ]
    assert [paths.settings_file, paths.window_state_file] == [
        base / "config" / "settings.toml",
        base / "config" / "window.ini",
    ]
    assert paths.log_file == base / "log" / "kindred.log"
    assert paths.with_data("") == paths
    assert paths.with_data(str(tmp_path / "own")).models == tmp_path / "own" / "models"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_a_library_once_one_was_created_there(tmp_path: Path) -> None:
    assert DATABASE_FILE == LIBRARY_DATABASE
    assert not is_library(tmp_path)
    LocalLibrary.open(tmp_path / "library").close()
    assert is_library(tmp_path / "library")
    assert not is_library(tmp_path / "library" / LIBRARY_DATABASE)


def test_a_name_that_no_folder_can_have_is_refused_and_a_long_one_shown_in_part() -> None:
    for name, shown in (("a\0b", "a\0b"), ("x" * 5000, "x" * 20)):
        with pytest.raises(NotFound, match="cannot be used as a folder name") as refused:
            resolve_folder(name)
        assert shown in str(refused.value)
        assert len(str(refused.value)) < 300


def test_resources_are_found_in_a_checkout() -> None:
    assert resources_folder().is_dir()


@pytest.mark.parametrize("error", [AppError("what", "do"), ModelMismatch("a", "b"), FileFailure("encrypted", "locked")])
def test_an_error_is_unchanged_after_a_pipe(error: AppError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.message, again.hint, getattr(again, "reason", None)) == (
        error.message,
        error.hint,
        getattr(error, "reason", None),
    )


@pytest.mark.parametrize("reason", get_args(FailureReason))
def test_every_failure_reason_has_advice(reason: FailureReason) -> None:
    assert str(file_failure_hint(reason)).endswith(".")


def test_change_sets_are_merged() -> None:
    joined = ChangeSet(frozenset({1}), listing=True) | ChangeSet(frozenset({2}), sentences=True)
    assert joined == ChangeSet(frozenset({1, 2}), listing=True, sentences=True)
