"""Tools for tests on a screen are installed where no question is needed, and never stop the set-up."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the set-up as root on a Debian without any of the packages."""
    spec = importlib.util.spec_from_file_location(
        "kindred_set_up", Path(__file__).parents[2] / "packaging" / "environment.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "_is_debian", lambda: True)
    monkeypatch.setattr(module.shutil, "which", lambda _name: None)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    return module


def test_root_on_debian_gets_missing_packages_installed(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(environment, "_install_packages", installed.extend)
    monkeypatch.setattr(environment.shutil, "which", lambda name: "/usr/bin/Xvfb" if name == "Xvfb" else None)
    environment._try_tools()
    assert installed == ["xdotool", "openbox", "xclip", "desktop-file-utils", "tesseract-ocr"]


def test_other_users_and_systems_are_not_asked(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_install_packages", lambda _packages: pytest.fail("no right to"))
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    environment._try_tools()
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(environment, "_is_debian", lambda: False)
    environment._try_tools()


def test_packages_that_cannot_be_installed_are_only_reported(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_packages: list[str]) -> None:
        raise environment.CannotGoOn("no network?")

    monkeypatch.setattr(environment, "_install_packages", refuse)
    environment._try_tools()
    assert capsys.readouterr().err == "Some tests will be skipped: no network?\n"


def test_packages_for_a_build_are_installed_before_it_begins(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(environment, "_missing_packages", lambda: ["g++"])
    monkeypatch.setattr(environment, "_install_packages", installed.extend)
    environment.complete_system({"binutils": "objdump", "xz-utils": "xz"})
    assert installed == ["g++", "binutils", "xz-utils"]


def test_on_another_system_a_build_names_its_requirements(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "_missing_packages", list)
    monkeypatch.setattr(environment, "_is_debian", lambda: False)
    with pytest.raises(environment.CannotGoOn, match="objdump"):
        environment.complete_system({"binutils": "objdump"})
    monkeypatch.setattr(environment.shutil, "which", lambda name: name)
    environment.complete_system({"binutils": "objdump"})
