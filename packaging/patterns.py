"""Collects what the rooms below the window say to a person: the patterns of errors' messages, hints and remarks.

These texts are made where the window's translations cannot reach, and some of them are kept in libraries. The window
recognises a text by its pattern (`gui/base/messages.py`) and fills in the translation. The patterns are read from the
source:
`f"There is no model {name}"` is `There is no model {name}`; where a part is one of several words, each has a pattern.
"""

from __future__ import annotations

import ast
import re
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

# Whose texts nobody sees in the window: the command line speaks English.
_SILENT = ("cli", "__main__.py")
# Which arguments of a call are texts for a person. Every other class derived from AppError has them at 0 and 1.
_CALLS = {
    "AppError": (0, 1),
    "FileFailure": (1,),
    "ProcessDied": (1,),
    "OcrFailed": (0,),
    "memory_error": (1,),
    "remark": (0,),
}
# Tables whose words are filled into patterns.
_TABLES = {("text/language.py", "NAMES"), ("text/readers/file_type.py", "_MAGIC")}
# What SQLite and the operating system say themselves, where it is part of a message or all of it. Those of the system
# come in its own language as soon as Qt has asked for that; these are what it says where it has no other.
FOREIGN = (
    "attempt to write a readonly database",
    "database disk image is malformed",
    "database is locked",
    "database or disk is full",
    "database schema has changed",
    "database table is locked",
    "disk I/O error",
    "file is not a database",
    "unable to open database file",
    "Bad file descriptor",
    "Device or resource busy",
    "Disk quota exceeded",
    "File exists",
    "File name too long",
    "File too large",
    "Input/output error",
    "Is a directory",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Stale file handle",
    "Too many open files",
    "Transport endpoint is not connected",
)
# What hands on a text that was made elsewhere.
_HANDED_ON = ("message", "hint", "told")
_NUMBER = re.compile(r",|\.?\d*[fgd]|,?\.\d*f")
_WORD = re.compile(r"[^\W\d_]{2}")
_PLACE = re.compile(r"\{(\w+)\}")


class Unclear(Exception):
    """A text for a person is made in a way that this module does not see through."""


def collect(package: Path, also: Iterable[str] = ()) -> list[str]:
    """Return the patterns of all texts, the most telling ones (most letters of their own) first.

    Args:
        package: the folder of the program's source.
        also: texts that do not stand in it.

    Raises:
        Unclear: a text is not written where it is said, as a literal or an f-string.
    """
    sources = {
        file.relative_to(package).as_posix(): ast.parse(file.read_text("utf-8"))
        for file in sorted(package.rglob("*.py"))
        if file.relative_to(package).parts[0] not in _SILENT
    }
    calls = _with_descendants(sources.values())
    found = set(also)
    for name, tree in sources.items():
        reader = _Reader(name, tree, calls)
        found |= set(reader.texts())
    # Those that differ in the names of their values alone are one for whoever reads them.
    by_name = sorted(found, key=lambda pattern: ("_number" in pattern, pattern))
    shapes = {_PLACE.sub("{}", pattern): pattern for pattern in by_name}
    return sorted(shapes.values(), key=lambda pattern: (-_letters(pattern), pattern))


def _letters(pattern: str) -> int:
    return len(_PLACE.sub("", pattern))


def _with_descendants(trees: Iterable[ast.Module]) -> dict[str, tuple[int, ...]]:
    """Return the calls whose arguments are texts: those known by name, and the classes derived from them."""
    bases = {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    calls = dict(_CALLS)
    grown = True
    while grown:
        grown = False
        for name, parents in bases.items():
            if name not in calls and (parent := next((each for each in parents if each in calls), None)):
                calls[name] = calls[parent]
                grown = True
    return calls


class _Reader:
    """Reads the texts of one module."""

    def __init__(self, name: str, tree: ast.Module, calls: dict[str, tuple[int, ...]]) -> None:
        self._name = name
        self._tree = tree
        self._calls = calls
        self._constants = _assigned(tree)

    def texts(self) -> Iterator[str]:
        for table in (name for file, name in _TABLES if file == self._name):
            for value in self._constants.get(table, []):
                yield from _words(value)
        yield from self._within(self._tree, {})

    def _within(self, node: ast.AST, scope: dict[str, list[ast.expr]]) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._within(child, {**scope, **_assigned(child)})
                continue
            if isinstance(child, ast.Call):
                yield from self._of_call(child, scope)
            yield from self._within(child, scope)

    def _of_call(self, call: ast.Call, scope: dict[str, list[ast.expr]]) -> Iterator[str]:
        places = self._calls.get(call.func.id, ()) if isinstance(call.func, ast.Name) else ()
        texts = [call.args[place] for place in places if place < len(call.args)]
        texts += [each.value for each in call.keywords if places and each.arg == "hint"]
        for text in texts:
            if isinstance(text, ast.Starred) or (isinstance(text, ast.Attribute) and text.attr in _HANDED_ON):
                continue
            if any(isinstance(part, ast.Attribute) and part.attr == "tr" for part in ast.walk(text)):
                continue  # the window's own, in its language already
            patterns = self._patterns(text, scope)
            if patterns is None:
                raise Unclear(f"{self._name}, line {text.lineno}: {ast.unparse(text)}")
            # One without a word, as "{path}: {why}", is the same in every language.
            yield from (_named_once(pattern) for pattern in patterns if _WORD.search(_PLACE.sub("", pattern)))

    def _patterns(self, node: ast.expr, scope: dict[str, list[ast.expr]]) -> list[str] | None:
        """Return what a text may be, values as `{name}`; None where it is no text that stands in the source."""
        match node:
            case ast.Constant(value=str(text)):
                if "{" in text or "}" in text:
                    raise Unclear(f"{self._name}, line {node.lineno}: a brace in {text!r}")
                return [text]
            case ast.JoinedStr(values=parts):
                return _joined([self._part(part, scope) for part in parts])
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                sides = [self._patterns(left, scope), self._patterns(right, scope)]
                if sides == [None, None]:
                    return None
                return _joined([_or_place(side, each) for side, each in zip(sides, (left, right), strict=True)])
            case ast.IfExp(body=one, orelse=other):
                either = [self._patterns(one, scope), self._patterns(other, scope)]
                if either == [None, None]:
                    return None
                return [text for side, each in zip(either, (one, other), strict=True) for text in _or_place(side, each)]
            case ast.BoolOp(op=ast.And(), values=[_, last]):
                inner = self._patterns(last, scope)
                return None if inner is None else ["", *inner]
            case ast.BoolOp(op=ast.Or(), values=[first, last]):
                inner = self._patterns(last, scope)
                return None if inner is None else [*_or_place(self._patterns(first, scope), first), *inner]
            case ast.Name(id=name):
                values = scope[name] if name in scope else self._constants.get(name, [])
                inner_scope = {**scope, name: []}  # a name that is made of itself is a value like any other
                inner_values = [self._patterns(value, inner_scope) for value in values]
                if not values or None in inner_values:
                    return None
                return [text for texts in inner_values for text in texts or ()]
        return None

    def _part(self, part: ast.expr, scope: dict[str, list[ast.expr]]) -> list[str]:
        if not isinstance(part, ast.FormattedValue):
            return self._patterns(part, scope) or []
        return _or_place(self._patterns(part.value, scope), part.value, _is_number(part))


def _assigned(scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, list[ast.expr]]:
    """Return what the names of a module or function stand for; for itself where that is not in the source."""
    found: dict[str, list[ast.expr]] = {}
    targets: set[ast.expr] = set()
    for node in _own(scope):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                | ast.NamedExpr(target=ast.Name(id=name) as target, value=value)
                | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
            ):
                found.setdefault(name, []).append(value)
                targets.add(target)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                found.setdefault(name, []).append(ast.Name(name))
            case ast.Name(id=name, ctx=ast.Store()) if node not in targets:
                found.setdefault(name, []).append(node)
    return found


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a module or function without those of the functions and classes in it."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own(child)


def _words(node: ast.expr) -> Iterator[str]:
    """Return the texts of a table: a dictionary's values, and what stands in tuples."""
    parts = node.values if isinstance(node, ast.Dict) else list(ast.walk(node))
    yield from (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _joined(parts: list[list[str]]) -> list[str]:
    return ["".join(chosen) for chosen in product(*parts)]


def _or_place(texts: list[str] | None, node: ast.expr, is_number: bool = False) -> list[str]:
    """Return texts, or in place of a value its name in braces; `first or second` has a name as well."""
    return texts if texts is not None else [f"{{{_called(node)}{'_number' if is_number else ''}}}"]


def _is_number(value: ast.FormattedValue) -> bool:
    counted = value.value
    if isinstance(counted, ast.Call) and isinstance(counted.func, ast.Name) and counted.func.id == "len":
        return True
    spec = value.format_spec
    texts = [part.value for part in ast.walk(spec) if isinstance(part, ast.Constant)] if spec is not None else []
    return bool(texts) and _NUMBER.fullmatch("".join(map(str, texts))) is not None


def _called(node: ast.expr) -> str:
    """Return what a value is called, for those who translate."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_")
        case ast.Call(func=ast.Name(id="len" | "str" | "repr" | "getattr"), args=[first, *_]):
            return _called(first)
        case ast.Call(func=ast.Attribute(attr="join"), args=[first, *_]):
            return _called(first)
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name.strip("_")
        case ast.BoolOp(values=[first, *_]) | ast.Subscript(value=first) | ast.BinOp(left=first):
            return _called(first)
    return "value"


def _named_once(pattern: str) -> str:
    """Number the places of a pattern that have the same name."""
    seen: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        name = match[1]
        seen[name] = seen.get(name, 0) + 1
        return f"{{{name}}}" if seen[name] == 1 else f"{{{name}{seen[name]}}}"

    return _PLACE.sub(number, pattern)
