"""Components of a bundle other than packages have their licences too."""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def licences() -> Iterator[ModuleType]:
    """The module; packaging/ is no Python package. The program that starts a bundle is not installed for tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PACKAGING))
        module = import_module("licences")
        starter = {"name": "PyInstaller", "version": "1", "licence": "GPL", "text": "with an exception"}
        patch.setattr(module, "_starter", lambda: starter)
        yield module


def _written(licences: ModuleType, files: list[str], target: Path) -> tuple[dict[str, dict[str, str]], list[str]]:
    unknown = licences.write(files, target)
    return {part["name"]: part for part in json.loads(target.read_text("utf-8"))}, unknown


@pytest.mark.skipif(not Path("/usr/share/doc/libxcb1/copyright").is_file(), reason="needs a Debian with libxcb1")
@pytest.mark.skipif(shutil.which("dpkg") is None, reason="needs dpkg")
def test_system_libraries_are_listed_by_source_package(licences: ModuleType, tmp_path: Path) -> None:
    (file, *_) = Path("/usr/lib").rglob("libxcb.so.1")
    found, unknown = _written(licences, [str(file)], tmp_path / "bundle.json")
    assert unknown == []
    assert "Permission is hereby granted" in found["libxcb"]["text"]
    assert found["libxcb"]["version"]


def test_python_itself_is_listed(licences: ModuleType, tmp_path: Path) -> None:
    found, unknown = _written(licences, [sys.executable], tmp_path / "bundle.json")
    assert unknown == []
    (python,) = [part for name, part in found.items() if "python" in name.lower()]
    assert "PYTHON SOFTWARE FOUNDATION" in python["text"].upper()


def test_packages_bring_their_licences_and_unknown_files_are_named(licences: ModuleType, tmp_path: Path) -> None:
    package = Path(sysconfig.get_path("platlib"), "numpy", "core.so")
    stray = tmp_path / "libstray.so"
    stray.write_bytes(b"")
    found, unknown = _written(licences, [str(package), str(stray)], tmp_path / "bundle.json")
    assert unknown == [str(stray)]
    assert "numpy" not in found
