"""Include and exclude patterns of a watched folder, and the decision on one path."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePath, PureWindowsPath
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

from desktop_app.core.formats import find_format, is_supported, type_by_name

if TYPE_CHECKING:
    from desktop_app.core.records import WatchedFolder

WatchReason = Literal["taken", "outside", "excluded", "not_included", "unsupported"]


@dataclass(frozen=True, slots=True)
class WatchDecision:
    """The decision on a file; `pattern` is the one that decided, if any."""

    why: WatchReason
    pattern: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether the file is imported."""
        return self.why == "taken"


def decide_file(folder: WatchedFolder, path: str) -> WatchDecision:
    r"""Decide whether a file below a watched folder is imported.

    A pattern without a slash matches the name of a file or folder (`*.pdf`, `drafts`), one with a slash a path relative
    to the folder (`2024/*.pdf`; a star also matches slashes; on Windows `2024\*.pdf` too). Case is ignored. Exclusion
    overrides inclusion; without patterns every file of a readable type is imported, but for images.
    """
    file = PurePath(path)
    if not file.is_relative_to(folder.path) or file == PurePath(folder.path):
        return WatchDecision("outside")
    relative = file.relative_to(folder.path)
    is_readable = is_supported(file) or (bool(folder.include) and find_format(type_by_name(file)).is_named)
    if not is_readable or any(part.startswith(".") for part in relative.parts):
        return WatchDecision("unsupported")
    for pattern in folder.exclude:
        if _matches_pattern(relative, pattern):
            return WatchDecision("excluded", pattern)
    if not folder.include:
        return WatchDecision("taken")
    included = next((each for each in folder.include if _matches_pattern(relative, each)), None)
    return WatchDecision("taken", included) if included is not None else WatchDecision("not_included")


def _matches_pattern(relative: PurePath, pattern: str) -> bool:
    if isinstance(relative, PureWindowsPath):
        pattern = pattern.replace("\\", "/")
    # macOS keeps the accents of a name apart from its letters, a keyboard does not.
    wanted = normalize("NFC", pattern.strip().casefold()).strip("/")
    if not wanted:
        return False
    whole = normalize("NFC", relative.as_posix().casefold())
    if "/" in wanted:
        return fnmatchcase(whole, wanted) or fnmatchcase(whole, f"{wanted}/*")
    return any(fnmatchcase(part, wanted) for part in whole.split("/"))
