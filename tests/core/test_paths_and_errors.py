"""One base folder holds everything; errors survive the transfer from another process."""

from __future__ import annotations

import pickle
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from desktop_app.core.errors import AppError, FailureReason, FileFailure, ModelMismatch, file_failure_hint
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.paths import LIBRARY_DATABASE, Paths, is_library, resources_folder
from desktop_app.store.library import LocalLibrary
from desktop_app.store.library_lock import DATABASE_FILE


def test_every_folder_is_under_the_base_and_none_is_created(tmp_path: Path) -> None:
    paths = Paths.under(tmp_path / "base")
    for field in fields(paths):
        assert getattr(paths, field.name).is_relative_to(tmp_path / "base")
    assert paths.default_library.is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_a_library_once_one_was_created_there(tmp_path: Path) -> None:
    assert DATABASE_FILE == LIBRARY_DATABASE
    assert not is_library(tmp_path)
    LocalLibrary.open(tmp_path / "library").close()
    assert is_library(tmp_path / "library")
    assert not is_library(tmp_path / "library" / LIBRARY_DATABASE)


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
