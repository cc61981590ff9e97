"""Settings are written completely or not at all, and a bad file never prevents a start."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.core.settings import SCHEMA_VERSION, Settings, SettingsKeeper, load_settings, save_settings


def test_saved_settings_are_loaded(tmp_path: Path) -> None:
    settings = Settings(
        library='/a "b" ü', device="cpu", threads=3, theme="dark", undo_s=5.0, shortcuts={"app.manual": "F7"}
    )
    save_settings(tmp_path / "deep" / "settings.toml", settings)
    assert load_settings(tmp_path / "deep" / "settings.toml") == settings
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["settings.toml"]


def test_a_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "none.toml") == Settings()


def test_a_broken_file_gives_the_defaults_and_a_copy_is_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("theme = [", "utf-8")
    reported: list[Path] = []
    with caplog.at_level(logging.WARNING):
        assert load_settings(file, reported.append) == Settings()
    assert reported == [tmp_path / "settings.broken"]
    assert reported[0].read_text("utf-8") == "theme = ["
    assert "cannot be read" in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        'theme = "purple"',
        "threads = -1",
        'threads = "two"',
        "threads = true",
        "library = 3",
        "unknown = 1",
        "shortcuts = {a = 1}",
    ],
)
def test_an_unusable_value_gets_its_default_and_the_others_are_kept(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'{line}\ndevice = "cpu"\n', "utf-8")
    assert load_settings(file) == Settings(device="cpu")


def test_a_whole_number_is_accepted_for_seconds(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"schema_version = {SCHEMA_VERSION}\nreader_timeout_s = 5\n", "utf-8")
    assert load_settings(file) == Settings(reader_timeout_s=5.0)


def test_settings_overridden_on_the_command_line_are_not_saved(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    shown = Settings(device="cpu", precision="bf16")
    keeper = SettingsKeeper(file, Settings(device="cpu", undo_s=9.0), shown)
    keeper.save(shown := replace(shown, theme="dark"))
    assert load_settings(file) == Settings(device="cpu", undo_s=9.0, theme="dark")
    keeper.save(shown := replace(shown, precision="fp32"))
    keeper.save(replace(shown, precision="bf16"))
    assert load_settings(file).precision == "bf16", "a choice in the window is saved"
