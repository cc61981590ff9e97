"""Mutation testing: change the code by one small step at a time, and see whether a test of the same room notices.

`packaging/test.py --mutate PATH… [--sample N] [--seed S] [--jobs N] [--limit S] [--quick]`. A change that no test
notices is printed as a difference: either a test is missing, or the changed code makes no difference and can be
simpler.

cosmic-ray makes the mutants. Each is tried in a copy of the checkout: first by the test file that has the module's
name, then by the files of its room that import the module, then by the whole room.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue

from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

ROOT = Path(__file__).resolve().parent.parent
_COPIED = ("desktop_app", "resources", "tests", "packaging", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
_SECONDS = count(1)


@dataclass(frozen=True)
class Mutant:
    """A module with one small change.

    Attributes:
        module: the path in the checkout, for instance desktop_app/engine/clusters.py.
        line: the line of the change, from 1.
        operator: cosmic-ray's name of the kind of change.
        occurrence: which of the places where this operator can act.
        arguments: of the operator.
    """

    module: str
    line: int
    operator: str
    occurrence: int
    arguments: tuple[tuple[str, object], ...]

    @property
    def room(self) -> str:
        """The folder of desktop_app with the module."""
        return Path(self.module).parts[1]

    def code(self) -> str:
        """Return the changed source."""
        source = (ROOT / self.module).read_text("utf-8")
        return str(mutate_code(source, get_operator(self.operator)(**dict(self.arguments)), self.occurrence))

    def difference(self) -> str:
        """Return the change as a unified difference."""
        before = (ROOT / self.module).read_text("utf-8").splitlines()
        after = self.code().splitlines()
        return "\n".join([*difflib.unified_diff(before, after, self.module, self.module, n=2, lineterm="")][2:])


def collect(modules: list[Path]) -> list[Mutant]:
    """Return all mutants of some modules, without those that change nothing that a test could see."""
    found = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        use_db(str(Path(scratch, "work.sqlite")), WorkDB.Mode.create) as work,
    ):
        init(modules, work, {})
        for item in work.work_items:
            for change in item.mutations:
                arguments = tuple(sorted(change.operator_args.items()))
                module = str(change.module_path.resolve().relative_to(ROOT))
                found.append(Mutant(module, change.start_pos[0], change.operator_name, change.occurrence, arguments))
    declared = {str(module.resolve().relative_to(ROOT)): _declarations(module) for module in modules}
    return sorted(
        (mutant for mutant in found if mutant.line not in declared[mutant.module]),
        key=lambda mutant: (mutant.module, mutant.line, mutant.operator, mutant.occurrence),
    )


def choose(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return a random sample with at most one mutant of a line, the same for the same seed.

    An operator such as `+` has a dozen replacements: drawn from all, long formulas would crowd out the rest.
    """
    chance = random.Random(seed)
    by_line: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_line[mutant.module, mutant.line].append(mutant)
    lines = chance.sample(sorted(by_line), min(size, len(by_line)))
    return [chance.choice(by_line[line]) for line in lines]


def list_steps(module: str, *, is_quick: bool = False) -> list[list[str]]:
    """Return the tests that should notice a change of a module, in turn.

    Args:
        module: its path in the checkout.
        is_quick: only those of its name and those that import it, if there are any.

    Returns:
        Steps of paths: the file of its name, the files of its room that import it, and the room.
    """
    path = Path(module)
    room = Path("tests", path.parts[1])
    own = [Path("tests", *path.parts[1:-1], f"test_{path.stem}.py")]
    package, name = ".".join(path.parts[:-1]), path.stem
    imports = re.compile(
        rf"from {package}\.{name} import|from {package} import .*\b{name}\b|import {package}\.{name}\b"
    )
    users = [
        file.relative_to(ROOT)
        for file in sorted((ROOT / room).rglob("test_*.py"))
        if imports.search(file.read_text("utf-8"))
    ]
    steps = [own if (ROOT / own[0]).exists() else [], [file for file in users if file not in own], [room]]
    if is_quick and (steps[0] or steps[1]):
        steps.pop()
    return [[*map(str, step)] for step in steps if step]


def try_one(mutant: Mutant, copy: Path, limit_s: float, *, is_quick: bool = False) -> str:
    """Run the tests on a mutant in a copy of the checkout; return "killed", "survived" or "timeout"."""
    file = copy / mutant.module
    original, changed_at = file.read_bytes(), file.stat().st_mtime
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(copy),
        "PYTHONPYCACHEPREFIX": f"{copy}.bytecode",
    }
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--basetemp", f"{copy}.tests"]
    try:
        file.write_text(mutant.code(), "utf-8")
        # Python takes compiled code for current if the second and the size agree: give each mutant a second of its own.
        os.utime(file, (changed_at, changed_at + next(_SECONDS)))
        for tests in list_steps(mutant.module, is_quick=is_quick):
            try:
                done = subprocess.run([*command, *tests], cwd=copy, env=variables, capture_output=True, timeout=limit_s)
            except subprocess.TimeoutExpired:
                return "timeout"
            if done.returncode != 0:
                return "killed"
        return "survived"
    finally:
        file.write_bytes(original)
        os.utime(file, (changed_at, changed_at))


def _declarations(module: Path) -> set[int]:
    """Return the lines that no behaviour depends on.

    Annotations, imports for types, `frozen` and `slots`, protocols, and the figures among a module's constants: a test
    that pins a tuned figure only repeats it.
    """
    lines: set[int] = set()
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        found: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = [node.returns]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            found = [node.annotation]
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            found = [node]
        elif isinstance(node, ast.ClassDef):
            found = [*node.decorator_list]
            if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
                found.append(node)
        elif isinstance(node, ast.Module):
            found = [each.value for each in node.body if isinstance(each, ast.Assign) and _is_figure(each.value)]
        for each in found:
            if isinstance(each, ast.expr | ast.stmt):
                lines.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    return lines


def _is_figure(value: ast.expr) -> bool:
    """Return whether an expression is a number, or numbers that are combined."""
    return all(
        isinstance(each, ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop)
        or (isinstance(each, ast.Constant) and isinstance(each.value, int | float) and not isinstance(each.value, bool))
        or (isinstance(each, ast.Tuple | ast.expr_context))
        for each in ast.walk(value)
    )


def _modules(paths: list[str]) -> list[Path]:
    return [each for path in map(Path, paths) for each in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


def main(arguments: list[str]) -> int:
    """Try the mutants; return 0 if nine in ten were noticed."""
    parser = argparse.ArgumentParser(prog="test.py --mutate", description=__doc__)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="modules or folders of desktop_app")
    parser.add_argument("--sample", type=int, default=30, metavar="N", help="mutants to try (30)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="draws another sample")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="mutants tried at a time (2)")
    parser.add_argument("--limit", type=float, default=600.0, metavar="S", help="seconds for each step of tests (600)")
    parser.add_argument("--quick", action="store_true", help="never run a whole room: some noticed ones count as not")
    options = parser.parse_args(arguments)
    mutants = choose(collect(_modules(options.paths)), options.sample, options.seed)
    results: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            copies.put(_copy_checkout(Path(scratch, str(number))))

        def attempt(mutant: Mutant) -> None:
            copy = copies.get()
            try:
                outcome = try_one(mutant, copy, options.limit, is_quick=options.quick)
            finally:
                copies.put(copy)
            results[mutant.room][outcome] += 1
            print(f"{outcome:<9}{mutant.module}:{mutant.line} {mutant.operator}", flush=True)
            if outcome == "survived":
                print(mutant.difference(), flush=True)

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(attempt, mutants))
    print(f"\n{'room':<12}{'made':>6}{'noticed':>9}")
    for room, counts in sorted(results.items()):
        print(f"{room:<12}{counts.total():>6}{counts.total() - counts['survived']:>9}")
    survived = sum(counts["survived"] for counts in results.values())
    return 0 if survived <= 0.1 * len(mutants) else 1


def _copy_checkout(target: Path) -> Path:
    target.mkdir()
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, target / name)
    return target


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
