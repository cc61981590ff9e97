"""Reads the files of a model folder, JSON and hashes, without torch."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import ModelMissing
from desktop_app.core.messages import system_text

if TYPE_CHECKING:
    from pathlib import Path

_MAX_SHOWN = 60  # characters of a value in a message
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"

_digests: dict[tuple[str, int, int], str] = {}  # (path, size, mtime_ns) -> SHA-256, for this process's life


def file_sha256(path: Path) -> str:
    """Return a file's SHA-256, hexadecimal; cached in this process while size and time stay the same."""
    status = path.stat()
    key = (str(path.resolve()), status.st_size, status.st_mtime_ns)  # a folder may be reached by a link
    if key not in _digests:
        with path.open("rb") as file:
            _digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _digests[key]


def is_file(path: Path) -> bool:
    """Return whether a file exists; False also for impossible names."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def shorten_for_error(text: str) -> str:
    """Return text of a model's file, shortened and printable, for an error message."""
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def refuse_lfs_pointer(file: Path) -> None:
    """Refuse the placeholder that git leaves for a large file that was not fetched.

    Raises:
        ModelMissing: `file` is such a placeholder.
    """
    try:
        with file.open("rb") as opened:
            begins = opened.read(len(_LFS_POINTER))
    except OSError:
        return
    if begins == _LFS_POINTER:
        raise ModelMissing(
            "{file} is a git-lfs pointer, not the file itself",
            "Run `git lfs pull` in the folder, or copy the model again.",
            file=file,
        )


class JsonFields:
    """The fields of a JSON object in a model's folder, with a check of their types.

    Args:
        file: of the object; a missing file gives an empty object.

    Raises:
        ModelMissing: from each method, for a value of the wrong type.

    Attributes:
        values: all fields.
    """

    def __init__(self, file: Path, values: dict[str, Any] | None = None) -> None:
        self.file = file
        self.values = read_json(file) if values is None else values

    def number(self, name: str) -> int | None:
        """Return a whole number; None if the field is missing."""
        value = self.values.get(name)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return None if value is None else int(self._of(name, value, int, "a whole number"))

    def text(self, name: str, otherwise: str = "") -> str:
        """Return a text."""
        value = self.values.get(name)
        return otherwise if value is None else str(self._of(name, value, str, "a text"))

    def flag(self, name: str, *, otherwise: bool = False) -> bool:
        """Return yes or no."""
        value = self.values.get(name)
        return otherwise if value is None else bool(self._of(name, value, (bool, int), "true or false", flag=True))

    def table(self, name: str) -> JsonFields:
        """Return an object inside this one; empty if there is none."""
        value = self.values.get(name)
        return JsonFields(self.file, {} if value is None else self._of(name, value, dict, "an object"))

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; a single text gives a list of one."""
        value = self.values.get(name)
        if isinstance(value, str):
            return [value]
        found = [] if value is None else self._of(name, value, list, "a list of texts")
        return [str(self._of(name, each, str, "a list of texts")) for each in found]

    def texts_by_name(self) -> dict[str, str]:
        """Return all fields as texts, by name; skips null."""
        return {name: self.text(name) for name, text in self.values.items() if text is not None}

    def _of(self, name: str, value: Any, kind: Any, what: str, *, flag: bool = False) -> Any:
        if isinstance(value, kind) and (flag or not isinstance(value, bool)):
            return value
        raise ModelMissing(
            "{file} has {text} for {name}, which is not {what}",
            "Copy the model again.",
            file=self.file,
            name=shorten_for_error(name),
            text=shorten_for_error(json.dumps(value)),
            what=what,
        )


def read_json(file: Path) -> dict[str, Any]:
    """Return a JSON object; empty if the file does not exist."""
    value = _load_json(file) if is_file(file) else {}
    if not isinstance(value, dict):
        raise ModelMissing("{file} is not in the expected format", "Copy the model again.", file=file)
    return value


def read_json_list(file: Path) -> list[Any]:
    """Return a JSON array."""
    value = _load_json(file)
    if not isinstance(value, list):
        raise ModelMissing("{file} is not in the expected format", "Copy the model again.", file=file)
    return value


def _load_json(file: Path) -> Any:
    refuse_lfs_pointer(file)
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelMissing(
            "{file} cannot be read ({why})", "Copy the model again.", file=file, why=system_text(error)
        ) from error
