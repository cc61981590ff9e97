"""Mutation testing: change the code by one small step at a time, and see whether a test of the same room notices.

`packaging/test.py --mutate PATH… [--sample N] [--seed S] [--jobs N] [--limit S]`. A change that no test notices is
printed as a difference: either a test is missing, or the changed code makes no difference and can be simpler.

cosmic-ray's operators make the changes. Each is tried in a copy of the checkout: by the tests in the file of the
module's name, then by those of the room that import it or have the words of its name, until one fails. At the end the
tests that failed run on unchanged code: what fails there too says nothing about its mutants, which count as doubtful.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from cosmic_ray.ast import Visitor, ast_nodes, get_ast
from cosmic_ray.plugins import get_operator, operator_names

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
_PYTEST = ["-q", "-p", "no:cacheprovider"]
_COPIED = ("desktop_app", "resources", "tests", "packaging", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")
_SECONDS = count(1)
_FILES_AT_ONCE = 4
"""Files of tests in one run: a run begins with their imports."""

_MOST_FILES = 13

_NO_TESTS = 5  # pytest's status

_DESELECTED = {"store": "not shared", "shared_store": "not local"}
"""Tests of a room that run for another one."""

_TESTED_WITH = {"shared_store": ("store",)}
"""Rooms of which some tests are among those of another one: both kinds of library keep the same promises."""

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
        line: the line of the change, from 1.
        operator: cosmic-ray's name of the kind of change.
        original: the source.
        changed: the changed source.
    """

    module: str
    line: int
    operator: str
    original: str
    changed: str

    @property
    def room(self) -> str:
        """The folder of desktop_app with the module."""
        return Path(self.module).parts[1]

    def difference(self) -> str:
        """Return the change as a unified difference."""
        before, after = self.original.splitlines(), self.changed.splitlines()
        return "\n".join([*difflib.unified_diff(before, after, self.module, self.module, n=2, lineterm="")][2:])


def choose(modules: list[Path], size: int, seed: int) -> list[Mutant]:
    """Return a random sample of mutants with at most one of a line, the same for the same seed.

    An operator such as `+` has a dozen replacements: drawn from all, long formulas would crowd out the rest.
    """
    chance = random.Random(seed)
    sources = {module: module.read_text("utf-8") for module in modules}
    lines = [(module, line + 1) for module in modules for line in range(sources[module].count("\n"))]
    chance.shuffle(lines)
    chosen: list[Mutant] = []
    for module, line in lines:
        if len(chosen) == size:
            break
        changes = list(_list_changes(sources[module], line))
        while changes:
            operator, node, index = chosen_change = chance.choice(changes)
            changed = _Change(get_operator(operator)(), node, index).apply(sources[module])
            if _is_code(changed):
                path = module.resolve().relative_to(ROOT).as_posix()
                chosen.append(Mutant(path, line, operator, sources[module], changed))
                break
            changes.remove(chosen_change)
    return sorted(chosen, key=lambda mutant: (mutant.module, mutant.line))


def _is_code(source: str) -> bool:
    """Return whether a source can be compiled: the star between parameters is taken for an operator."""
    try:
        compile(source, "", "exec")
    except SyntaxError:
        return False
    return True


def _list_changes(source: str, line: int) -> Iterator[tuple[str, int, int]]:
    """Yield the possible changes of a line: operator, number of the node, number of the change in the node.

    Without those that change nothing that a test could see.
    """
    declared = [each for each in _declarations(source) if each[0][0] <= line <= each[1][0]]
    for number, node in _nodes_at(source, line):
        for name, operator in _operators():
            for index, (start, _) in enumerate(operator.mutation_positions(node)):
                if (
                    start[0] == line
                    and not _SAME.search(name)
                    and not any(begin <= start < stop and kinds.search(name) for begin, stop, kinds in declared)
                ):
                    yield name, number, index


def _nodes_at(source: str, line: int) -> Iterator[tuple[int, Any]]:
    for number, node in _nodes(source):
        if node.start_pos[0] <= line <= node.end_pos[0]:
            yield number, node


@cache
def _nodes(source: str) -> list[tuple[int, Any]]:
    return list(enumerate(ast_nodes(get_ast(source))))


@cache
def _operators() -> list[tuple[str, Any]]:
    found = [(name, get_operator(name)) for name in operator_names()]
    return [(name, operator()) for name, operator in found if not operator.arguments()]


class _Change(Visitor):  # type: ignore[misc]
    """Changes one node of a syntax tree."""

    def __init__(self, operator: Any, node: int, index: int) -> None:
        self._operator, self._node, self._index = operator, node, index
        self._visited = count()

    def apply(self, source: str) -> str:
        """Return the changed source."""
        return str(self.walk(get_ast(source)).get_code())

    def visit(self, node: Any) -> Any:
        """Return a node, the chosen one changed."""
        return self._operator.mutate(node, self._index) if next(self._visited) == self._node else node


def list_tests(module: str) -> list[str]:
    """Return the files with tests of a module's room, in the order in which they are likely to notice a change.

    Its own file comes first, then those that import it, then the others; of these, those in the same folder and with
    the words of its name.
    """
    _, room, *folders, name = Path(module).parts
    words = Path(name).stem.split("_")
    rooms = [ROOT / "tests" / each for each in (room, *_TESTED_WITH.get(room, ()))]
    own = [place.joinpath(*folders, f"test_{name}") for place in rooms]

    def rank(file: Path) -> tuple[bool, bool, float]:
        text = file.read_text("utf-8").lower()
        nearness = (1 + sum(map(text.count, words))) / len(text) * (4 if file.parent == own[0].parent else 1)
        return file not in own, not _imports(file, module), -nearness

    files = [file for place in rooms for file in place.rglob("test_*.py")]
    return [file.relative_to(ROOT).as_posix() for file in sorted(files, key=rank)[:_MOST_FILES]]


def _imports(file: Path, module: str) -> bool:
    path = Path(module)
    package, name = ".".join(path.parts[:-1]), path.stem
    pattern = rf"from {package}\.{name} import|from {package} import .*\b{name}\b|import {package}\.{name}\b"
    return re.search(pattern, file.read_text("utf-8")) is not None


def _variables() -> dict[str, str]:
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HF_HUB_OFFLINE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    variables.pop("PYTHONPATH", None)  # a copy's own packages, not this checkout's
    return variables


class Copy:
    """A copy of the checkout, and a process that runs tests there."""

    def __init__(self, target: Path) -> None:
        """Copy the checkout to a new folder."""
        self._root = target
        target.mkdir()
        for name in _COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy2(source, target / name)
        program = [sys.executable, str(ROOT / "packaging" / "warm_tests.py")]
        self._tests = subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_variables()
        )

    def close(self) -> None:
        """End the process."""
        self._tests.communicate()

    def run(self, tests: list[str], limit_s: float, *more: str) -> tuple[str, str, float]:
        """Run tests until one fails, with more arguments for pytest.

        Returns:
            "killed", "survived" or "timeout", the name of the test that failed (empty if the code did not load), and
            the processor seconds.
        """
        arguments = [*_PYTEST, "-x", "-rfE", "--basetemp", f"{self._root}.tests", *more, *tests]
        assert self._tests.stdin
        assert self._tests.stdout
        print(
            json.dumps({"arguments": arguments, "folder": str(self._root), "limit_s": limit_s}),
            file=self._tests.stdin,
            flush=True,
        )
        status, output, seconds = json.loads(self._tests.stdout.readline())
        if "file or directory not found" in output:
            raise RuntimeError(f"the tests changed meanwhile: {output}")
        failed = re.findall(r"^(?:FAILED|ERROR) (.+?::.+?)(?: - .*)?$", output, re.MULTILINE)
        outcome = "timeout" if status is None else "survived" if status in (0, _NO_TESTS) else "killed"
        return outcome, failed[0] if failed else "", seconds

    def try_one(self, mutant: Mutant, limit_s: float) -> tuple[str, str]:
        """Return the outcome for a mutant, and the name of the test that failed."""
        file = self._root / mutant.module
        changed_at = file.stat().st_mtime
        tests = list_tests(mutant.module)
        more = ("-k", _DESELECTED[mutant.room]) if mutant.room in _DESELECTED else ()
        try:
            file.write_text(mutant.changed, "utf-8")
            # Python takes compiled code for current if second and size agree: give each mutant a second of its own.
            os.utime(file, (changed_at, changed_at + next(_SECONDS)))
            outcome, failed = "survived", ""
            some, tests = tests[:1], tests[1:]
            while some and outcome == "survived" and limit_s > 0:
                outcome, failed, seconds = self.run(some, limit_s, *more)
                limit_s -= seconds
                some, tests = tests[:_FILES_AT_ONCE], tests[_FILES_AT_ONCE:]
            return outcome, failed
        finally:
            file.write_text(mutant.original, "utf-8")
            os.utime(file, (changed_at, changed_at))


@cache
def _declarations(source: str) -> list[tuple[tuple[int, int], tuple[int, int], re.Pattern[str]]]:
    """Return the places (start and stop, as line and column) that no behaviour depends on, and the operators there.

    A place begins one character early: where the @ of a decorator is.

    Annotations, imports for types, `frozen` and `slots`, protocols, memories of results, checks of `zip`, lines of a
    log, distances and sizes in a layout, and the figures among a module's constants: a test that pins a tuned figure
    only repeats it.
    """
    found: list[ast.AST | None] = []
    of_names: list[ast.AST | None] = []
    for node in ast.walk(ast.parse(source)):
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
    parser.add_argument("--limit", type=float, default=60.0, metavar="S", help="processor seconds of tests (60)")
    options = parser.parse_args(arguments)
    mutants = choose(_modules(options.paths), options.sample, options.seed)
    outcomes: dict[Mutant, str] = {}
    killers: dict[Mutant, str] = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        os.chmod(scratch, 0o755)  # a test runs the program with a second account
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(options.jobs):
            copies.put(Copy(Path(scratch, str(number))))

        def attempt(mutant: Mutant) -> None:
            copy = copies.get()
            try:
                outcomes[mutant], killers[mutant] = copy.try_one(mutant, options.limit)
            finally:
                copies.put(copy)
            print(f"{outcomes[mutant]:<9}{mutant.module}:{mutant.line} {mutant.operator} {killers[mutant]}", flush=True)
            if outcomes[mutant] == "survived":
                print(mutant.difference(), flush=True)

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(attempt, mutants))
        copy = copies.get()
        for test in sorted({*killers.values()} - {""}):
            if copy.run([test], 600.0)[0] != "survived":
                print(f"fails on unchanged code: {test}", flush=True)
                outcomes.update({mutant: "doubtful" for mutant in mutants if killers[mutant] == test})
        copies.put(copy)
        for _ in range(options.jobs):
            copies.get().close()
    kinds = ("killed", "timeout", "survived", "doubtful")
    print(f"\n{'room':<14}{'made':>9}" + "".join(f"{kind:>9}" for kind in kinds))
    for room in sorted({mutant.room for mutant in mutants}):
        counts = Counter(outcomes[mutant] for mutant in mutants if mutant.room == room)
        print(f"{room:<14}{counts.total():>9}" + "".join(f"{counts[kind]:>9}" for kind in kinds))
    noticed = sum(outcome in ("killed", "timeout") for outcome in outcomes.values())
    return 0 if noticed >= 0.9 * len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
