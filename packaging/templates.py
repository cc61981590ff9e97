"""Collect the templates of messages from the program's source, so that they can be translated.

A template is the literal first argument of `Message(...)`, or the literal first or second argument of an error derived
from `AppError`. Anything else there is an error, reported with file and line: a sentence that is assembled earlier
cannot be translated, and scripts cannot recognise it. So is an error whose class is in a variable. The names of a
call's values must be those of the places in its templates.
"""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

# Parts whose messages the window never shows: the command line is in English.
_SILENT = ("cli", "__main__.py")


class Texts(NamedTuple):
    """The positions of a call's templates, and its keywords that are not values.

    Attributes:
        places: the positions of the templates.
        options: keywords with another purpose, or that fill a place by themselves.
    """

    places: tuple[int, ...]
    options: frozenset[str] = frozenset()


# Derived classes have the same arguments.
_CALLS = {
    "Message": Texts((0,), frozenset({"code"})),
    "AppError": Texts((0, 1), frozenset({"code"})),
    "FileFailure": Texts((1,)),
    "VectorNotFinite": Texts((0, 1), frozenset({"code", "model", "is_zero", "sentence"})),
    "ProcessDied": Texts((1,)),
    "OcrFailed": Texts((0,)),
}
# Constants whose texts are templates too: (file, name).
_TABLES = (
    ("core/language_detection.py", "LANGUAGE_NAMES"),
    ("core/messages.py", "SYSTEM_TEXTS"),
    ("store/legacy_messages.py", "TEMPLATES"),
    ("store/legacy_messages.py", "FORMER_TEMPLATES"),
)
_CLASS = re.compile(r"^[ \t]*class (\w+)\(([^()]*)\):", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]{2}")
_PLACE = re.compile(r"\{[^{}]*\}")


class NotLiteral(Exception):
    """A template is not a literal, or does not fit its values."""


def collect(package: Path) -> list[str]:
    """Return all templates that contain words, in alphabetical order.

    Args:
        package: the folder of the program's source.

    Raises:
        NotLiteral: a template is not a literal, or its places and values differ.
    """
    sources = {
        file.relative_to(package).as_posix(): file.read_text("utf-8")
        for file in sorted(package.rglob("*.py"))
        if file.relative_to(package).parts[0] not in _SILENT
    }
    calls = _with_descendants(sources.values())
    found: set[str] = set()
    for file, table in _TABLES:
        if file in sources:
            found.update(_texts_of(ast.parse(sources[file]), table))
    a_call = re.compile(rf"\b(?:{'|'.join(calls)})\(")
    for name, source in sources.items():
        if a_call.search(source):  # to parse all of them takes three times as long
            found.update(_Reader(name, ast.parse(source), calls).templates())
    return sorted(template for template in found if _WORD.search(_PLACE.sub("", template)))


def _with_descendants(sources: Iterable[str]) -> dict[str, Texts]:
    bases = {
        found[1]: [base.strip() for base in found[2].split(",")]
        for source in sources
        for found in _CLASS.finditer(source)
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


def _texts_of(tree: ast.Module, name: str) -> Iterator[str]:
    """Yield the texts of a table: a dictionary's values, the first item of each tuple, or the elements themselves."""
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == name:
            table = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            each = table.values() if isinstance(table, dict) else table
            yield from (value if isinstance(value, str) else value[0] for value in each)


class _Reader:
    """Reads the templates of one module."""

    def __init__(self, name: str, tree: ast.Module, calls: dict[str, Texts]) -> None:
        self._name = name
        self._tree = tree
        self._calls = calls

    def templates(self) -> Iterator[str]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self._calls:
                yield from self._of_call(node, self._calls[node.func.id])
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(id=name)) as call) if name in self._variables:
                    raise NotLiteral(f"{self._name}, line {call.lineno}: {name} hides the class of the error")

    def _of_call(self, call: ast.Call, texts: Texts) -> Iterator[str]:
        given = [call.args[place] for place in texts.places if place < len(call.args)]
        found = [template for each in given for template in self._literals(each, each)]
        values = {each.arg for each in call.keywords}
        if None not in values:
            places = {place for template in found for place in self._places(call, template)}
            if strange := (values - places - texts.options) | (places - values - texts.options):
                raise NotLiteral(f"{self._name}, line {call.lineno}: {', '.join(sorted(map(str, strange)))}")
        yield from found

    def _literals(self, node: ast.expr, whole: ast.expr) -> list[str]:
        """Return the templates of an argument; none if it is a message that was made elsewhere."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp(body=one, orelse=other):
                return self._literals(one, whole) + self._literals(other, whole)
            case ast.Call(func=ast.Name(id="Message")) | ast.Attribute(attr="message" | "hint"):
                return []
            case ast.Call(func=ast.Name(id=name)) if name in self._returning:
                return []
            case ast.Name(id=name) if name in self._messages:
                return []
        raise NotLiteral(f"{self._name}, line {whole.lineno}: {ast.unparse(whole)}")

    @property
    def _variables(self) -> set[str]:
        """The names in this module that get a value, and are neither imported nor defined."""
        names = (node for node in ast.walk(self._tree) if isinstance(node, ast.Name))
        return {node.id for node in names if isinstance(node.ctx, ast.Store)}

    @property
    def _returning(self) -> set[str]:
        """The functions of this module that return messages."""
        functions = (node for node in ast.walk(self._tree) if isinstance(node, ast.FunctionDef))
        return {node.name for node in functions if node.returns is not None and "Message" in ast.unparse(node.returns)}

    @property
    def _messages(self) -> set[str]:
        """The names in this module that hold messages, by their annotation or by their assigned value."""
        found = set()
        for node in ast.walk(self._tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="Message"))):
                    found.add(name)
                case ast.arg(arg=name, annotation=ast.expr() as kind) if "Message" in ast.unparse(kind):
                    found.add(name)
        return found

    def _places(self, call: ast.Call, template: str) -> set[str]:
        try:
            return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
        except ValueError as error:
            raise NotLiteral(f"{self._name}, line {call.lineno}: {error} in {template!r}") from error
