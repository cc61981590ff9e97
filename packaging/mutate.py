"""Mutation testing: change the code by one small step at a time, and see whether a test of the same room notices.

`packaging/test.py --mutate PATH… [--sample N] [--seed S] [--jobs N] [--limit S]`. A change that no test notices is
printed as a difference: either a test is missing, or the changed code makes no difference and can be simpler.

The tests of a room run once with coverage, which tells what line each of them runs and how long it takes; the record
is kept until the room or its tests change. cosmic-ray makes the mutants. Each is tried in a copy of the checkout by
the tests that run its line.
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

import coverage
from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

ROOT = Path(__file__).resolve().parent.parent
_PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
_COPIED = ("desktop_app", "resources", "tests", "packaging", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
_RECORDED = ROOT / ".venv" / "mutation"
_SECONDS = count(1)
# An identity in place of an equality, or the reverse, differs by how the interpreter keeps its objects.
_SAME = re.compile(r"ReplaceComparisonOperator_(Eq_Is|Is_Eq|NotEq_IsNot|IsNot_NotEq)$")

_LOOKS = re.compile(
    r"set\w*(Margins|Spacing|Stretch|StretchFactor|Indentation|HandleWidth)|(add|insert)(Spacing|Stretch)"
    r"|set(Minimum|Maximum|Fixed)(Width|Height|Size)"
)
# The order of texts or members of an enumeration, of which a value is one of a few, decides nothing.
_ORDERED = re.compile(r"ReplaceComparisonOperator_(Eq|NotEq)_[LG]tE?$")


@dataclass(frozen=True)
class Mutant:
    """A module with one small change.

    Attributes:
        module: the path in the checkout, for instance desktop_app/engine/clusters.py.
        line: the line of the change, from 1; `column` from 0.
        operator: cosmic-ray's name of the kind of change.
        occurrence: which of the places where this operator can act.
        arguments: of the operator.
    """

    module: str
    line: int
    column: int
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
                line, column = change.start_pos
                found.append(Mutant(module, line, column, change.operator_name, change.occurrence, arguments))
    declared = {str(module.resolve().relative_to(ROOT)): _declarations(module) for module in modules}
    return sorted(
        (
            mutant
            for mutant in found
            if not _SAME.search(mutant.operator)
            and not any(
                start <= (mutant.line, mutant.column) < stop and operators.search(mutant.operator)
                for start, stop, operators in declared[mutant.module]
            )
        ),
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


class Recording:
    """Which lines each test of a room runs, and how long it takes."""

    def __init__(self, room: str, folder: Path, jobs: int) -> None:
        """Read the recording of a room; run its tests first if there is none, or an older one than its files."""
        self._room, self._data, log = room, folder / f"{room}.coverage", folder / f"{room}.log"
        files = [*(ROOT / "desktop_app" / room).rglob("*.py"), *(ROOT / "tests" / room).rglob("*.py")]
        if not log.exists() or log.stat().st_mtime < max(file.stat().st_mtime for file in files):
            folder.mkdir(parents=True, exist_ok=True)
            print(f"running the tests of {room} once to see which lines each of them runs", flush=True)
            command = [*_PYTEST, "-n", str(jobs), "--dist", "worksteal", "-vv", "--durations=0", "--durations-min=0"]
            command += ["--cov=desktop_app", "--cov-context=test", "--cov-report=", str(Path("tests", room))]
            done = subprocess.run(
                command, cwd=ROOT, env=_variables(COVERAGE_FILE=str(self._data)), capture_output=True, text=True
            )
            log.write_text(done.stdout, "utf-8")
        self._seconds: dict[str, float] = defaultdict(float)
        text = log.read_text("utf-8")
        for seconds, test in re.findall(r"^(\d+\.\d+)s (?:setup|call|teardown) +(.+)$", text, re.MULTILINE):
            self._seconds[test] += float(seconds)
        failed = re.findall(r"^(?:FAILED|ERROR) (.+)$", text, re.MULTILINE)
        for test in [test for test in self._seconds if any(line.startswith(test) for line in failed)]:
            del self._seconds[test]
        coverage_data = coverage.CoverageData(str(self._data))
        coverage_data.read()
        self._tests: dict[str, dict[int, list[str]]] = {}
        for file in coverage_data.measured_files():
            _, _, module = file.rpartition("/desktop_app/")
            self._tests[f"desktop_app/{module}"] = coverage_data.contexts_by_lineno(file)

    def select(self, module: str, line: int, limit_s: float) -> tuple[list[str], float]:
        """Return the tests that should notice a change of a line, those in the file of the module's name first.

        Args:
            module: its path in the checkout.
            line: from 1.
            limit_s: the seconds that all of them may take.

        Returns:
            Names of tests, for pytest, and the seconds that they took.
        """
        of_line = self._tests.get(module, {})
        running = {
            context.rpartition("|")[0] for each in _reach(ROOT / module, line) for context in of_line.get(each, [])
        }
        own = f"{_own_tests(module).relative_to(ROOT).as_posix()}::"
        # The child processes that read files or encode are not recorded: the tests beside the module may start one.
        order = sorted(
            (test for test in self._seconds if test in running or test.startswith(own)),
            key=lambda test: (test not in running, not test.startswith(own), self._seconds[test]),
        )
        selected, total = [], 0.0
        for test in order or self._list_users(module):
            if total + self._seconds[test] <= limit_s:
                selected.append(test)
                total += self._seconds[test]
        return selected, total

    def _list_users(self, module: str) -> list[str]:
        """Return the tests of a module that only child processes run, or of modules that import it.

        Those in files that have their names or import them.
        """
        modules = [module, *(each for each in self._tests if _imports(ROOT / each, module))]
        files = [
            file.relative_to(ROOT).as_posix()
            for file in (ROOT / "tests" / self._room).rglob("test_*.py")
            if any(file == _own_tests(each) or _imports(file, each) for each in modules)
        ]
        return sorted(
            (test for test in self._seconds if test.partition("::")[0] in files), key=self._seconds.__getitem__
        )


def _own_tests(module: str) -> Path:
    """Return the file with the tests of a module."""
    path = Path(module)
    return ROOT / Path("tests", *path.parts[1:-1], f"test_{path.stem}.py")


def _imports(file: Path, module: str) -> bool:
    path = Path(module)
    package, name = ".".join(path.parts[:-1]), path.stem
    pattern = rf"from {package}\.{name} import|from {package} import .*\b{name}\b|import {package}\.{name}\b"
    return re.search(pattern, file.read_text("utf-8")) is not None


def _reach(module: Path, line: int) -> set[int]:
    """Return the lines of which one runs if a line matters.

    Those of its statement; for the head of a function, those of its body, and for a constant, those of all functions.
    """
    tree = ast.parse(module.read_text("utf-8"))
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    around = [each for each in functions if _first(each) <= line <= (each.end_lineno or 0)]
    if not around:
        return {each for function in functions for each in _lines(function.body)}
    function = max(around, key=lambda each: each.lineno)
    if line < function.body[0].lineno:
        return _lines(function.body)
    statements = [
        each
        for each in ast.walk(function)
        if isinstance(each, ast.stmt) and each != function and line in _lines([each])
    ]
    innermost = max(statements, key=lambda each: (each.lineno, -(each.end_lineno or 0)))
    body = getattr(innermost, "body", None)
    return set(range(innermost.lineno, body[0].lineno)) | {line} if body else _lines([innermost])


def _first(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


def _lines(statements: list[ast.stmt]) -> set[int]:
    return {line for each in statements for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)}


def _variables(**more: str) -> dict[str, str]:
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HF_HUB_OFFLINE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        **more,
    }
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def try_one(mutant: Mutant, copy: Path, tests: list[str], limit_s: float) -> str:
    """Run tests on a mutant in a copy of the checkout; return "killed", "survived" or "timeout"."""
    file, names = copy / mutant.module, copy.with_suffix(".names")
    original, changed_at = file.read_bytes(), file.stat().st_mtime
    variables = _variables(PYTHONPATH=str(copy), PYTHONPYCACHEPREFIX=f"{copy}.bytecode")
    try:
        file.write_text(mutant.code(), "utf-8")
        # Python takes compiled code for current if the second and the size agree: give each mutant a second of its own.
        os.utime(file, (changed_at, changed_at + next(_SECONDS)))
        names.write_text("\n".join(tests), "utf-8")
        command = [*_PYTEST, "-x", "--basetemp", f"{copy}.tests", f"@{names}"]
        done = subprocess.run(command, cwd=copy, env=variables, capture_output=True, text=True, timeout=limit_s)
        if "ERROR: not found:" in done.stderr:
            raise RuntimeError(f"record the tests again: {done.stderr}")
        return "killed" if done.returncode else "survived"
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        file.write_bytes(original)
        os.utime(file, (changed_at, changed_at))


def _declarations(module: Path) -> list[tuple[tuple[int, int], tuple[int, int], re.Pattern[str]]]:
    """Return the places (start and stop, as line and column) that no behaviour depends on, and the operators there.

    A place begins one character early: where the @ of a decorator is.

    Annotations, imports for types, `frozen` and `slots`, protocols, memories of results, checks of `zip`, lines of a
    log, distances and sizes in a layout, and the figures among a module's constants: a test that pins a tuned figure
    only repeats it.
    """
    found: list[ast.AST | None] = []
    of_names: list[ast.AST | None] = []
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [node.returns, *(each for each in node.decorator_list if _name(each) in ("cache", "lru_cache"))]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
        elif isinstance(node, ast.If) and _name(node.test) == "TYPE_CHECKING":
            found.append(node)
        elif isinstance(node, ast.ClassDef):
            found += node.decorator_list
            if any(_name(base) == "Protocol" for base in node.bases):
                found.append(node)
        elif isinstance(node, ast.Module):
            found += [each.value for each in node.body if isinstance(each, ast.Assign) and _is_figure(each.value)]
        elif isinstance(node, ast.keyword) and node.arg in ("strict", "factor"):  # `factor`: of the size of a font
            found.append(node)
        elif isinstance(node, ast.Call) and (_is_logging(node) or _LOOKS.fullmatch(_name(node))):
            found += node.args
        elif isinstance(node, ast.Compare) and any(map(_is_name, (node.left, *node.comparators))):
            of_names.append(node)
    return [
        ((each.lineno, each.col_offset - 1), (each.end_lineno or each.lineno, each.end_col_offset or 0), operators)
        for places, operators in ((found, re.compile("")), (of_names, _ORDERED))
        for each in places
        if isinstance(each, ast.expr | ast.stmt | ast.keyword)
    ]


def _name(node: ast.expr) -> str:
    """Return the last name of a name, an attribute or a call of one."""
    if isinstance(node, ast.Call):
        return _name(node.func)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_name(node: ast.expr) -> bool:
    """Return whether an expression is a text or a member of an enumeration."""
    if isinstance(node, ast.Attribute):
        return node.attr[0].isupper()
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_logging(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and _name(call.func.value) in ("log", "_log", "logging")


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
    parser.add_argument("--limit", type=float, default=60.0, metavar="S", help="seconds of tests for a mutant (60)")
    parser.add_argument("--recorded", type=Path, default=_RECORDED, metavar="DIR", help="what tests run is kept here")
    options = parser.parse_args(arguments)
    mutants = choose(collect(_modules(options.paths)), options.sample, options.seed)
    rooms = sorted({mutant.room for mutant in mutants})
    recordings = {room: Recording(room, options.recorded.resolve(), options.jobs) for room in rooms}
    results: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            copies.put(_copy_checkout(Path(scratch, str(number))))

        def attempt(mutant: Mutant) -> None:
            copy = copies.get()
            try:
                tests, seconds = recordings[mutant.room].select(mutant.module, mutant.line, options.limit)
                outcome = try_one(mutant, copy, tests, 60.0 + 3.0 * seconds) if tests else "survived"
            finally:
                copies.put(copy)
            results[mutant.room][outcome] += 1
            print(f"{outcome:<9}{mutant.module}:{mutant.line} {mutant.operator} {len(tests)} tests", flush=True)
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
