"""The translations are whole: what the window says today is in them, in every form, and they are compiled."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "resources" / "translations").glob("*.ts"))


@pytest.fixture(scope="module")
def translate() -> ModuleType:
    spec = spec_from_file_location("kindred_translate", ROOT / "packaging" / "translate.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_that_is_said_lacks_a_translation(translate: ModuleType, file: Path, tmp_path: Path) -> None:
    fresh = Path(shutil.copy(file, tmp_path))
    translate.update(fresh)
    assert translate.unfinished(fresh) == [], "run packaging/translate.py and fill in what it lists"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_filled_in_at_run_time_is_in_every_translation(translate: ModuleType, file: Path) -> None:
    def places(text: str) -> list[str]:
        return sorted(re.findall(r"\{\w*\}|%Ln", text))

    wrong = [
        text
        for (_context, text), forms in translate.messages(file).items()
        if any(places(form) != places(text) for form in forms)
    ]
    assert wrong == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_loaded_is_what_was_written(translate: ModuleType, file: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.qm"
    subprocess.run([translate.tool("lrelease"), "-silent", str(file), "-qm", str(compiled)], check=True)
    assert compiled.read_bytes() == file.with_suffix(".qm").read_bytes(), "run packaging/translate.py"
