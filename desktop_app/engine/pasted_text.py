"""Saves pasted or dropped text as a file that can be imported."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from desktop_app.core.errors import StorageFull, UsageError
from desktop_app.core.messages import system_text
from desktop_app.core.private_files import make_private_folder, write_private

if TYPE_CHECKING:
    from pathlib import Path

_MAX_NAME_WORDS = 7
_MAX_NAME_CHARS = 60  # characters; leaves room for time and number within the limit of 255 bytes of every file system
_FORBIDDEN_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ud800-\udfff\u2028\u2029]+')
_MARKUP = re.compile(r"^[#>*\-+\s`_]+")


def make_file_stem(text: str) -> str:
    """Return the first words of a text, suitable for a file name; empty if there are none."""
    words: list[str] = []
    for line in text.splitlines():
        words += _FORBIDDEN_IN_NAMES.sub(" ", _MARKUP.sub("", line)).split()
        if words:
            break
    name = ""
    for word in words[:_MAX_NAME_WORDS]:
        longer = f"{name} {word}".strip()
        if len(longer) > _MAX_NAME_CHARS:
            break
        name = longer
    # Windows drops dots and blanks at the end of names.
    return (name or "".join(words[:1])[:_MAX_NAME_CHARS]).strip(" .")


def write_text_file(folder: Path, text: str, *, markdown: bool = False, now: float | None = None) -> str:
    """Write `text` into a new file of `folder`, whole or not at all.

    Args:
        folder: created if it does not exist.
        text: to be written; lone surrogates become U+FFFD.
        markdown: whether its signs mean headings, lists and the like.
        now: seconds since 1970; None: the present.

    Returns:
        the file's path.

    Raises:
        UsageError: the text is nothing but white space.
        StorageFull: the folder cannot be written.
    """
    if not text.strip():
        raise UsageError("There is no text to save", "Copy some text first.")
    moment = time.strftime("%Y-%m-%d %H.%M.%S", time.localtime(now))
    stem = " ".join(part for part in (make_file_stem(text), moment) if part)
    content = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    suffix = ".md" if markdown else ".txt"
    try:
        make_private_folder(folder)
        file, number = folder / f"{stem}{suffix}", 1
        while file.exists():
            number += 1
            file = folder / f"{stem} ({number}){suffix}"
        write_private(file, content)
    except OSError as error:
        raise StorageFull(
            "The text could not be written to {folder}: {why}",
            "Free some space there, then try again.",
            folder=folder,
            why=system_text(error.strerror or error),
        ) from error
    return str(file)
