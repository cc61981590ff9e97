"""Checks of a build before it publishes anything: the source of a clean root, and required processors."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from desktop_app.core.formats import FORMATS

PACKAGING = Path(__file__).parents[2] / "packaging"
DEBIAN = 'ID=debian\nVERSION_CODENAME=trixie\nPRETTY_NAME="Debian"\n'


@pytest.fixture
def module() -> Iterator[Callable[[str], ModuleType]]:
    """Import modules of packaging/, which is no Python package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PACKAGING))
        yield import_module


def _etc(folder: Path, release: str, **files: str) -> Path:
    (folder / "apt" / "sources.list.d").mkdir(parents=True)
    (folder / "os-release").write_text(release, "utf-8")
    for name, text in files.items():
        place = folder / "apt" if name == "sources_list" else folder / "apt" / "sources.list.d"
        (place / name.replace("_", ".")).write_text(text, "utf-8")
    return folder


STANZA = """\
Types: deb
# http://elsewhere.example/debian
URIs: http://mirror.example/debian/
Suites: trixie trixie-updates
Components: main contrib

Types: deb
URIs: http://mirror.example/debian-security
Suites: trixie-security
Components: main
"""
LINES = """\
# deb http://old.example/debian trixie main
deb http://security.example/debian-security trixie-security main
deb [signed-by=/usr/share/keyrings/x.gpg] https://mirror.example/debian trixie main
"""


@pytest.mark.parametrize(
    ("files", "mirror"),
    [
        ({"debian_sources": STANZA}, "http://mirror.example/debian"),
        ({"sources_list": LINES}, "https://mirror.example/debian"),
        ({"other_list": "deb https://other.example/apt other main\n"}, "http://deb.debian.org/debian"),
    ],
    ids=["stanzas", "lines", "none of Debian's own"],
)
def test_a_clean_root_uses_the_systems_package_sources(
    module, tmp_path: Path, files: dict[str, str], mirror: str
) -> None:
    assert module("smoke").own_debian(_etc(tmp_path, DEBIAN, **files)) == (mirror, "trixie")


def test_other_systems_get_a_usual_debian_root(module, tmp_path: Path) -> None:
    etc = _etc(tmp_path, "ID=ubuntu\nVERSION_CODENAME=jammy\n", sources_list="deb http://u.example/ubuntu jammy main\n")
    assert module("smoke").own_debian(etc) == ("http://deb.debian.org/debian", "bookworm")


CODE = "void add(float *a, const float *b) { for (int i = 0; i < 64; i++) a[i] += b[i]; }\n"


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("objdump")), reason="needs gcc and objdump")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="instructions of other processors")
@pytest.mark.parametrize(
    ("folder", "flags", "refused"),
    [
        (".", "-msse2", False),
        (".", "-mavx2", True),
        (".", "-mavx512f -mprefer-vector-width=512", True),
        ("fast_index", "-mavx2", False),
        ("fast_index", "-mavx512f -mprefer-vector-width=512", True),
    ],
)
def test_the_index_requires_only_instructions_of_its_processors(
    module, tmp_path: Path, folder: str, flags: str, refused: bool
) -> None:
    build = module("build")
    source, place = tmp_path / "code.c", tmp_path / folder
    source.write_text(CODE, "utf-8")
    place.mkdir(exist_ok=True)
    command = ["gcc", "-O3", "-shared", "-fPIC", *flags.split(), str(source), "-o", str(place / "hnswlib.so")]
    subprocess.run(command, check=True)
    if refused:
        with pytest.raises(module("environment").CannotGoOn, match="older processors lack"):
            build.check_instructions(tmp_path)
    else:
        build.check_instructions(tmp_path)


def test_windows_offers_kindred_for_every_readable_format(module) -> None:
    build = module("build")
    script = PACKAGING / "bundle" / "kindred.iss"
    (included,) = re.findall(r'^#include "(.+)"$', script.read_text("utf-8"), re.MULTILINE)
    assert (script.parent / included.replace("\\", "/")).resolve() == build.WORK / "file_types.iss"
    offered = re.findall(r'^#emit Offer\("(\.\w+)"\)$', build.offer_file_types(), re.MULTILINE)
    assert offered == [suffix for each in FORMATS.values() for suffix in each.suffixes]


def test_no_library_of_the_program_is_left_out_of_a_bundle() -> None:
    spec = (PACKAGING / "bundle" / "kindred.spec").read_text("utf-8")
    left_out = set(re.findall(r'"([\w.]+)"', spec.partition("NEVER = [")[2].partition("*(")[0]))
    assert "tkinter" in left_out
    project = tomllib.loads((PACKAGING.parent / "pyproject.toml").read_text("utf-8"))["project"]
    named = {re.match(r"[\w.-]+", each)[0].lower().replace("_", "-") for each in project["dependencies"]}  # type: ignore[index]
    modules = {
        module
        for module, owners in importlib.metadata.packages_distributions().items()
        if named & {owner.lower().replace("_", "-") for owner in owners}
    }
    assert {"PIL", "torch", "yaml"} <= modules
    assert not modules & left_out
