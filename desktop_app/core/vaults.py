"""Obsidian vaults: the link that opens a note there, and where the links between notes lead.

A vault is a folder that holds `.obsidian`. Links are resolved as Obsidian does: by the path from the vault or from the
note; else by the name, where the shortest path wins; else by an alias in the front matter of a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARK = ".obsidian"
_SUFFIXES = (".md", ".markdown")
_CODE = (
    r"(?:^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:(?! {0,3}(?P=fence))(?:[^\n]*+\n|[^\n]++\Z))*)"
    r"|(?<!`)`++[^`\n]*+`++"
)
_LINK = re.compile(
    rf"{_CODE}|\[\[(?P<wiki>[^\[\]|\n\\]{{1,300}}+)(?:\\?\|[^\[\]\n]{{0,300}}+)?\]\]"
    r"|\]\((?:<(?P<angled>[^<>\n]{1,300})>|(?P<plain>[^\s()<>]{1,300}))(?:\s+\"[^\"\n]{0,300}\")?\)",
    re.MULTILINE,
)
_FRONT_MATTER = re.compile(
    r"\ufeff?---[ \t]*\r?\n(?P<text>(?:(?!---[ \t]*\r?$).*\n){0,500}?)---[ \t]*\r?$", re.MULTILINE
)
_ALIASES = re.compile(r"^alias(?:es)?[ \t]*:[ \t]*(?P<same>[^\n]*)(?P<below>(?:\n[ \t]*-[ \t]+[^\n]*)*)", re.MULTILINE)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_MAX_LINKS = 10_000


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """What a note says of itself and of others: its aliases, and the targets of its links, without headings."""

    aliases: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def find_vault(path: str) -> Path | None:
    """Return the innermost vault that holds a file; None if there is none."""
    return next((folder for folder in Path(path).parents if (folder / _MARK).is_dir()), None)


def make_obsidian_link(path: str) -> str:
    """Return the link that opens a file in Obsidian; empty if it is in no vault, or in an archive."""
    vault = find_vault(path)
    if vault is None or not Path(path).is_file():
        return ""
    inside = Path(path).relative_to(vault).as_posix()
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(inside.removesuffix('.md'), safe='')}"


def is_note(path: str) -> bool:
    """Return whether a file is a note, by its name."""
    return path.lower().endswith(_SUFFIXES)


def read_links(text: str) -> NoteLinks:
    """Return the aliases of a note, and where its links lead; those in code are none."""
    targets: dict[str, None] = {}
    for match in _LINK.finditer(text):
        target = match["wiki"] or unquote(match["angled"] or match["plain"] or "")
        target = target.partition("#")[0].strip()
        is_file = match["wiki"] is not None or target.lower().endswith(_SUFFIXES)
        if target and is_file and not _SCHEME.match(target):
            targets[target] = None
        if len(targets) >= _MAX_LINKS:
            break
    return NoteLinks(_read_aliases(text), tuple(targets))


def _read_aliases(text: str) -> tuple[str, ...]:
    front = _FRONT_MATTER.match(text)
    found = _ALIASES.search(front["text"].replace("\r", "")) if front is not None else None
    if found is None:
        return ()
    named = found["same"].strip()
    listed = named[1:-1].split(",") if named.startswith("[") and named.endswith("]") else [named]
    listed += [line.strip().removeprefix("-") for line in found["below"].split("\n")]
    return tuple(alias for each in listed if (alias := each.strip().strip("\"'")))


class NoteResolver:
    """Finds the note that a link means.

    Args:
        notes: the paths of the notes of a vault, relative to it, and their aliases.
    """

    def __init__(self, notes: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        self._by_alias: dict[str, str] = {}
        ordered = sorted(notes, key=lambda note: (note[0].count("/"), note[0].casefold()))
        for path, aliases in ordered:
            plain = _drop_suffix(path)
            self._by_path.setdefault(plain, path)
            self._by_name.setdefault(plain.rpartition("/")[2], []).append(path)
            for alias in aliases:
                self._by_alias.setdefault(alias.casefold(), path)

    def find(self, target: str, source: str) -> str | None:
        """Return the path of the note that a link means; None if there is none.

        Args:
            target: of the link, without heading and alias.
            source: the path of the note that has the link.
        """
        plain = _drop_suffix(target.replace("\\", "/"))
        whole = _join(source.rpartition("/")[0], plain)
        if target.startswith(("./", "../")):
            return self._by_path.get(whole)
        plain = plain.lstrip("/")
        for path in (plain, whole):
            if path in self._by_path:
                return self._by_path[path]
        named = self._by_name.get(plain.rpartition("/")[2], ())
        ending = "/" + plain
        found = next((path for path in named if ("/" + _drop_suffix(path)).endswith(ending)), None)
        return found or self._by_alias.get(target.casefold())


def _drop_suffix(path: str) -> str:
    small = path.casefold()
    return next((small.removesuffix(each) for each in _SUFFIXES if small.endswith(each)), small)


def _join(folder: str, path: str) -> str:
    """Return a path from a folder, both relative to the vault and in lower case."""
    parts: list[str] = list(PurePosixPath(folder.casefold()).parts)
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
