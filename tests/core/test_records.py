"""Records know only what they are told."""

from __future__ import annotations

import dataclasses
from types import ModuleType

import pytest

import desktop_app.core.annotations
from desktop_app.core import bibliography, clusters, jobs, pages, records, trace, zotero

MEANT = {
    "Annotation.colour": "#ffd400",
    "Annotation.origin": "own",
    "Annotation.kind": "highlight",
    "Reference.kind": "document",
    "Clusters.is_chosen": True,
    "DocumentCollection.kind": "collection",
    "ScoredSentence.matched_by": ("meaning",),
    "Hit.matched_by": ("meaning",),
    "LibraryInfo.right": "owner",
    "LibraryInfo.is_writable": True,
    "TracedSentence.kind": "body",
}
"""What is known without being told: the usual case of a kind."""


@pytest.mark.parametrize(
    "module", [desktop_app.core.annotations, bibliography, clusters, jobs, pages, records, trace, zotero]
)
def test_what_a_record_is_not_told_is_empty(module: ModuleType) -> None:
    kinds = {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__
    }
    told = {
        f"{name}.{each.name}": each.default
        for name, kind in kinds.items()
        if not name.endswith("Request")
        for each in dataclasses.fields(kind)
        if each.default is not dataclasses.MISSING and each.default
    }
    assert told == {name: value for name, value in MEANT.items() if name.partition(".")[0] in kinds}
