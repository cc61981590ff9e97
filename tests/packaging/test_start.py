"""The start of a bundle: which of the two indexes a processor gets."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

START = Path(__file__).parents[2] / "packaging" / "bundle" / "start.py"
HASWELL = "fpu sse sse2 ssse3 fma movbe sse4_2 avx f16c abm bmi1 avx2 bmi2"


@pytest.fixture
def start() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kindred_start", START)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.platform == "win32", reason="Windows is asked otherwise")
@pytest.mark.parametrize(
    ("flags", "is_fast"),
    [
        (HASWELL, True),
        (HASWELL + " avx512f", True),
        (HASWELL.replace("avx2 ", ""), False),
        (HASWELL.replace("fma ", ""), False),
        ("fpu sse sse2 sse4_2", False),
    ],
)
def test_only_a_processor_with_every_instruction_set_gets_the_fast_index(
    start: ModuleType, tmp_path: Path, flags: str, is_fast: bool
) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(f"processor\t: 0\nmodel name\t: avx2 in its name\nflags\t\t: {flags}\n\nprocessor\t: 1\n")
    assert start.has_avx2(str(file)) is is_fast


def test_a_system_without_processor_information_gets_the_general_index(start: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nFeatures\t: fp asimd\n")
    assert not start.has_avx2(str(tmp_path / "cpuinfo"))
    assert not start.has_avx2(str(tmp_path / "missing"))


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="this system has no list of what its processor has")
def test_detected_features_of_this_machine_equal_numpys(start: ModuleType) -> None:
    from numpy._core._multiarray_umath import __cpu_features__

    if not __cpu_features__.get("SSE2"):
        pytest.skip("another kind of processor")
    assert start.has_avx2() == (__cpu_features__["AVX2"] and __cpu_features__["FMA3"])


@pytest.mark.parametrize(("wish", "is_first"), [("", True), ("anywhere", False)])
def test_the_fast_index_comes_first_unless_disabled(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: str, is_first: bool
) -> None:
    fast = tmp_path / "fast_index"
    fast.mkdir()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(start, "has_avx2", lambda: True)
    monkeypatch.setenv("KINDRED_INDEX", wish)
    start._choose_index()
    assert (sys.path[0] == os.fspath(fast)) is is_first
    monkeypatch.delenv("KINDRED_INDEX")
    monkeypatch.setattr(start, "has_avx2", lambda: False)
    before = list(sys.path)
    start._choose_index()
    assert sys.path == before
