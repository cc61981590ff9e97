"""Tells documents of one name apart, by the files, folders or archives in which their paths differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop_app.core.records import Hit


def tell_names_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of documents, with what tells those of one name apart: "report (2022)".

    Args:
        names: by the absolute path of each document.
    """
    by_name: dict[str, list[str]] = {}
    for path, name in names.items():
        by_name.setdefault(name, []).append(path)
    apart = dict(names)
    for name, paths in by_name.items():
        for path, parts in _tell_paths_apart(paths).items():
            apart[path] = f"{name} ({parts})" if parts else name
    return apart


def tell_hits_apart(hits: Iterable[Hit]) -> list[Hit]:
    """Return hits with titles that tell their documents apart."""
    listed = list(hits)
    titles = tell_names_apart({hit.path: hit.title for hit in listed})
    return [replace(hit, title=titles[hit.path]) for hit in listed]


def _tell_paths_apart(paths: Sequence[str]) -> dict[str, str]:
    """Return the parts of each path in which it differs from the others: "2023", or "work/2023".

    They are names of files, or of the folders or archives they are in; empty for a single path, and for
    one that is the end of the others.
    """
    parts = {path: path.replace("\\", "/").split("/")[::-1] for path in paths}
    found: dict[str, list[str]] = {path: [] for path in parts}
    groups = [list(parts)]
    for level in range(max(map(len, parts.values()), default=0)):
        same_so_far, groups = groups, []
        for group in same_so_far:
            by_part: dict[str, list[str]] = {}
            for path in group:
                by_part.setdefault("".join(parts[path][level : level + 1]), []).append(path)
            for part, same in by_part.items():
                if part and len(by_part) > 1:
                    for path in same:
                        found[path].insert(0, part)
                if len(same) > 1:
                    groups.append(same)
    return {path: "/".join(each) for path, each in found.items()}
