"""Reads files with one row per line completely, or refuses them and names the wrong line."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData, NotFound
from desktop_app.core.input_files import read_input_file
from desktop_app.core.messages import NOTHING, Message, system_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAX_CHARACTERS = 1_000_000
"""Characters of a text. A longer one comes from lost line ends, or from an unclosed quotation mark."""

_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_MAX_NAMES, _MAX_NAME_LENGTH = 20, 40


def read_file_bytes(path: Path) -> bytes:
    """Return the contents of a file at one moment.

    Raises:
        NotFound: it does not exist, or disappears while it is read.
        BadData: it changes while it is read, or is a device or too large.
    """
    try:
        before = path.stat()
        raw = read_input_file(path)
        after = path.stat()
    except (OSError, ValueError) as problem:
        error = getattr(problem, "strerror", None) or problem
        raise NotFound(
            "{path} cannot be read: {why}", "Check its name.", path=path, why=system_text(error)
        ) from problem
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or len(raw) != after.st_size:
        raise BadData("{path} changed while it was read", "Wait until it has been written, then try again.", path=path)
    return raw


def split_lines(text: str) -> list[str]:
    """Return the lines of a text: with LF or CR LF, or with only CR, which some spreadsheets still write."""
    if "\n" not in text:
        return text.split("\r")
    return [line.removesuffix("\r") for line in text.split("\n")]


def is_blank(text: str) -> bool:
    """Return whether a text is invisible: blanks, controls, characters without width."""
    return not any(unicodedata.category(character) not in _INVISIBLE_CATEGORIES for character in text)


def iter_json_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield number, from 1, and object of each line that is not blank.

    Raises:
        BadData: a line is not a JSON object.
    """
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadData(
                "{path}, line {number} is not JSON ({why})",
                "Write one object per line.",
                path=path,
                number=number,
                why=system_text(error),
            ) from error
        if not isinstance(value, dict):
            raise BadData(
                "{path}, line {number} is not a JSON object", "Write one object per line.", path=path, number=number
            )
        yield number, value


def describe_excess_length(line: int, text: str, name: str) -> Message:
    """Return the problem with the length of a text; nothing if there is none."""
    if len(text) <= MAX_CHARACTERS:
        return NOTHING
    return Message(
        "line {line} has {count:,} characters in {name}; the limit is {max_characters:,}",
        code="row_too_long",
        line=line,
        count=len(text),
        name=name,
        max_characters=MAX_CHARACTERS,
    )


def format_column_names(names: Iterable[str]) -> str:
    """Return names of columns as a readable list, also for a file that has none of the known forms."""
    listed = list(names)
    shown = [name if len(name) <= _MAX_NAME_LENGTH else name[:_MAX_NAME_LENGTH] + "…" for name in listed[:_MAX_NAMES]]
    return ", ".join(shown) + (", …" if len(listed) > _MAX_NAMES else "")
