"""Which folders a tree of documents shows, and what they are called."""

from __future__ import annotations

import os
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


def shape(folders: Collection[str]) -> dict[str, str | None]:
    """Return the folders to show, each with the one that it is shown in; None for those at the top.

    A folder is shown when it holds documents, or when ways to such folders part there; whatever lies between is left
    out, so that the tree is as shallow as it can be. Where all ways part first is no news, and left out too.

    Args:
        folders: absolute paths of those that hold documents.

    Returns:
        parents by path, those above before those below them.
    """
    ordered = sorted(folders, key=lambda path: path.split(os.sep))
    shown = set(ordered)
    for one, other in pairwise(ordered):
        try:
            shown.add(os.path.commonpath((one, other)))
        except ValueError:  # different drives have nothing in common
            continue
    parents = {path: _nearest_above(path, shown) for path in sorted(shown, key=lambda path: path.split(os.sep))}
    tops = [path for path, parent in parents.items() if parent is None]
    if len(tops) == 1 and tops[0] not in folders:
        del parents[tops[0]]
        parents = {path: None if parent == tops[0] else parent for path, parent in parents.items()}
    return parents


def _nearest_above(path: str, among: set[str]) -> str | None:
    while (above := os.path.dirname(path)) != path:
        if above in among:
            return above
        path = above
    return None


def names(parents: dict[str, str | None]) -> dict[str, str]:
    """Return what each folder is called: its way from the one it is shown in; at the top, as much as tells it apart."""
    result = {
        path: path[len(parent) :].strip(os.sep) if parent is not None else os.path.basename(path) or path
        for path, parent in parents.items()
    }
    tops = [path for path, parent in parents.items() if parent is None]
    for parts in range(2, 40):
        alike = Counter(result[path] for path in tops)
        if max(alike.values(), default=1) == 1:
            break
        for path in tops:
            if alike[result[path]] > 1:
                result[path] = os.sep.join(path.split(os.sep)[-parts:])
    return result
