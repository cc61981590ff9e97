"""Settings are written completely or not at all, and a bad file never prevents a start."""

from __future__ import annotations

import logging
import os
import tomllib
from dataclasses import replace
from pathlib import Path

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from desktop_app.core import settings as settings_module
from desktop_app.core.messages import Message
from desktop_app.core.settings import SCHEMA_VERSION, Settings, SettingsKeeper, load_settings, save_settings

TOKENS = ["theme", "threads", "shortcuts", "library", " = ", *"[]{}'.", '"', "dark", "-1", "1e9", "\n", "\0"]


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
    reported: list[Message] = []
    with caplog.at_level(logging.WARNING):
        assert load_settings(file, reported.append) == Settings()
    aside = tmp_path / "settings.broken"
    assert list(map(str, reported)) == [
        f"The settings could not be read and have been reset. The old file is kept as {aside}."
    ]
    assert aside.read_text("utf-8") == "theme = ["
    assert "not valid TOML" in caplog.text


@pytest.mark.parametrize(
    "line",
    [
        'theme = "purple"',
        "threads = -1",
        'threads = "two"',
        "threads = true",
        "library = 3",
        "shortcuts.a = 1",
        'library = "a\\u0000b"',
        'data_folder = "~no-such-user/x"',
        f'library = "/{"a" * 5_000}"',
        'model = "\\u0000"',
        f"threads = {10**400}",
        f"undo_s = {10**400}",
        "undo_s = inf",
        "reader_timeout_s = nan",
        f"theme = {'[' * 5_000}{']' * 5_000}",
        f"threads = {'9' * 50_000}",
        "theme = ",
        "theme = \x00",
        "= 3",
    ],
)
def test_an_unusable_setting_is_reported_and_left_out_and_the_others_are_kept(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    whole = f'keep_queries = false\n{line}\ndevice = "cpu"\nshortcuts."app.manual" = "F7"\n'
    file.write_text(whole, "utf-8")
    reported: list[Message] = []
    rest = Settings(device="cpu", keep_queries=False, shortcuts={"app.manual": "F7"})
    assert load_settings(file, reported.append) == rest
    name = line.partition(" =")[0] if _is_toml(line) else "line "
    (message,) = map(str, reported)
    assert message.startswith(f"Some settings could not be read and have been reset: {name}")
    assert (tmp_path / "settings.broken").read_text("utf-8") == whole
    assert load_settings(file, reported.append) == rest
    assert len(reported) == 1, "reported once"


def _is_toml(text: str) -> bool:
    try:
        return bool(tomllib.loads(text))
    except (ValueError, RecursionError):
        return False


@pytest.mark.parametrize("raw", [b"\xef\xbb\xbfdevice = 'cpu'\r\n", b"unknown = 1\ndevice = 'cpu'"])
def test_a_byte_order_mark_and_unknown_names_are_no_faults(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(raw)
    reported: list[Message] = []
    assert load_settings(file, reported.append) == Settings(device="cpu")
    assert reported == []


def test_lines_that_are_no_text_are_left_out_alone(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    broken = [
        b"library = '\xff'",
        b"device = 'cpu'",
        b"[shortcuts",
        b"a = 'F1'",
        b"[other]",
        b"device = 'cuda'",
        b"\0" * 40,
    ]
    file.write_bytes(b"\n".join(broken))
    reported: list[Message] = []
    assert load_settings(file, reported.append) == Settings(device="cpu")
    assert ": line 1; line 3; line 7." in str(reported[0])


@given(raw=st.binary(max_size=60) | st.lists(st.sampled_from(TOKENS), max_size=12).map("".join).map(str.encode))
@hypothesis.settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_content_of_the_file_is_a_reason_not_to_start(tmp_path: Path, raw: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(raw)
    reported: list[Message] = []
    settings = load_settings(file, reported.append)
    assert load_settings(file, reported.append) == settings
    assert len(reported) < 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes in folders, as POSIX has them")
def test_settings_that_are_no_file_are_put_aside(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    os.mkfifo(file)
    reported: list[Message] = []
    assert load_settings(file, reported.append) == Settings()
    assert "could not be read" in str(reported[0])


def test_a_folder_that_cannot_be_written_keeps_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('theme = "purple"\ndevice = "cpu"\n', "utf-8")
    monkeypatch.setattr(settings_module, "save_settings", _refuse)
    reported: list[Message] = []
    assert load_settings(file, reported.append) == Settings(device="cpu")
    assert str(file) in str(reported[0])
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def _refuse(_file: Path, _settings: Settings) -> None:
    raise OSError(28, "No space left on device")


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


def test_two_windows_change_the_settings_and_keep_what_the_other_one_changed(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    begun = Settings(shortcuts={"app.quit": "F4", "app.manual": "F7"})
    save_settings(file, begun)
    first, second = SettingsKeeper(file, begun, begun), SettingsKeeper(file, begun, begun)
    first.save(replace(begun, theme="dark", shortcuts={"app.quit": "F4", "app.manual": "F7", "app.about": "F9"}))
    second.save(replace(begun, citation_form="mla", shortcuts={"app.quit": "F5"}))
    assert load_settings(file) == Settings(
        theme="dark", citation_form="mla", shortcuts={"app.quit": "F5", "app.about": "F9"}
    )


@pytest.mark.parametrize("content", ["theme = [", 'theme = "purple"', "schema_version = 99", None])
def test_a_save_needs_no_file_that_can_be_read(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "settings.toml"
    if content is not None:
        file.write_text(content, "utf-8")
    SettingsKeeper(file, Settings(undo_s=9.0), Settings(undo_s=9.0)).save(Settings(undo_s=9.0, theme="dark"))
    assert load_settings(file) == Settings(undo_s=9.0, theme="dark")
