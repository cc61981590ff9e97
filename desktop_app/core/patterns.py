"""Which files below a watched folder are taken: patterns as people write them, and the word on one path."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from desktop_app.core.formats import is_supported

if TYPE_CHECKING:
    from desktop_app.core.records import WatchedFolder

Why = Literal["taken", "outside", "excluded", "not_included", "unsupported"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a file; `pattern` is the one that decided, where one did."""

    why: Why
    pattern: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether the file is imported."""
        return self.why == "taken"


def judge(folder: WatchedFolder, path: str) -> Verdict:
    """Say whether a file below a folder is taken.

    A pattern without a slash means a file's or folder's name (`*.pdf`, `drafts`), one with a slash a path from the
    folder on (`2024/*.pdf`; a star also goes over slashes). Small and capital letters are the same. What is excluded
    stays out even where it is included too; without patterns everything of a type that is read is taken.
    """
    file = PurePath(path)
    if not file.is_relative_to(folder.path) or file == PurePath(folder.path):
        return Verdict("outside")
    relative = file.relative_to(folder.path)
    if not is_supported(file) or any(part.startswith(".") for part in relative.parts):
        return Verdict("unsupported")
    for pattern in folder.exclude:
        if _matches(relative, pattern):
            return Verdict("excluded", pattern)
    if not folder.include:
        return Verdict("taken")
    included = next((each for each in folder.include if _matches(relative, each)), None)
    return Verdict("taken", included) if included is not None else Verdict("not_included")


def _matches(relative: PurePath, pattern: str) -> bool:
    wanted = pattern.strip().casefold().strip("/")
    if not wanted:
        return False
    whole = relative.as_posix().casefold()
    if "/" in wanted:
        return fnmatchcase(whole, wanted) or fnmatchcase(whole, f"{wanted}/*")
    return any(fnmatchcase(part, wanted) for part in whole.split("/"))
