"""The same documents have the same clusters in any order of import."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_app.compose import open_workspace
from desktop_app.core.clusters import ClustersRequest
from desktop_app.core.records import Occurrence
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.engine.requests import ImportRequest
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.as_copies

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


def clusters_of(library: Path, files: list[Path]) -> dict[str, int]:
    """Import files one after the other; return the cluster of each sentence, -1 for none."""
    workspace = open_workspace(LaunchOptions(Settings(), library, writable=True, create=True))
    texts: dict[int, str] = {}

    def note(batch: list[Occurrence]) -> None:
        texts.update((each.sentence_id, each.text) for each in batch)

    try:
        for file in files:
            report = workspace.imports.start(ImportRequest((str(file),))).wait(PATIENCE_S)
            assert not report.failed
        found = workspace.clusters.find(ClustersRequest()).wait(PATIENCE_S)
        workspace.export.export_occurrences(note).wait(PATIENCE_S)
    finally:
        workspace.close()
    themes = {texts[key]: number for number, each in enumerate(found.clusters) for key in each.sentence_ids}
    return themes | {texts[key]: -1 for key in found.unclustered}


def adjusted_rand(first: list[int], second: list[int]) -> float:
    """Return the adjusted Rand index (Hubert & Arabie 1985) of two partitions of the same things."""
    table = np.zeros((max(first) + 2, max(second) + 2))
    np.add.at(table, (np.array(first), np.array(second)), 1)  # -1 is the last row

    def pairs(counts: np.ndarray) -> float:
        return float((counts * (counts - 1) / 2).sum())

    both, one, other = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    by_chance = one * other / pairs(np.array([len(first)]))
    return (both - by_chance) / ((one + other) / 2 - by_chance)


def test_documents_imported_in_reverse_order_have_the_same_clusters(tmp_path: Path) -> None:
    files = sorted(file for file in SAMPLES.iterdir() if file.name != "LICENSE")
    forth = clusters_of(tmp_path / "forth", files)
    back = clusters_of(tmp_path / "back", files[::-1])
    assert set(forth) == set(back)
    assert len(set(forth.values())) > 3
    texts = sorted(forth)
    assert adjusted_rand([forth[text] for text in texts], [back[text] for text in texts]) >= 0.98


def test_the_similarity_of_partitions_is_the_adjusted_rand_index() -> None:
    assert adjusted_rand([0, 0, 1, 1], [1, 1, 0, 0]) == 1.0
    assert adjusted_rand([0, 0, 1, 2], [0, 0, 1, 1]) == pytest.approx(4 / 7)
    assert abs(adjusted_rand([0, 1, 0, 1], [0, 0, 1, 1])) > 0.4
