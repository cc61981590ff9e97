"""Maps of a graph by UMAP and openTSNE, in a separate environment: `python peer_layouts.py FOLDER NAME`.

Imports nothing from the program. Reads graph.npz (near and scores, every list full) and start.npy, writes NAME.npy,
prints one line of JSON. A small graph is laid out first, so that compilation at first use is not counted.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np

_NEEDS = {
    "umap": ("umap-learn", "pynndescent", "numba", "llvmlite"),
    "opentsne": ("openTSNE",),
}
"""Packages that each adds to those of the program."""


def main(folder: Path, name: str) -> None:
    """Lay out the graph and print its cost."""
    with np.load(folder / "graph.npz") as arrays:
        near, scores = arrays["near"], arrays["scores"]
    start = np.load(folder / "start.npy")
    before_mb = _memory_mb("VmRSS")
    lay_out = {"umap": _umap, "opentsne": _tsne}[name]
    few = 2000
    lay_out(near[:few] % few, scores[:few], start[:few])
    began, wall = time.process_time(), time.perf_counter()
    places = lay_out(near, scores, start)
    told = {
        "version": distribution(_NEEDS[name][0]).version,
        "seconds": time.process_time() - began,
        "wall": time.perf_counter() - wall,
        "more_mb": _memory_mb("VmHWM") - before_mb,
        "installed_mb": sum(map(_size_mb, _NEEDS[name])),
    }
    np.save(folder / f"{name}.npy", np.asarray(places, np.float32))
    print(json.dumps(told))


def _umap(near: Any, scores: Any, start: Any) -> Any:
    import umap

    rows = np.arange(len(near))[:, None]
    known = np.hstack([rows, near]), np.hstack([np.zeros(rows.shape), 1 - scores])  # each point first
    umap_ = umap.UMAP(n_neighbors=near.shape[1] + 1, precomputed_knn=(*known, None), init=start, random_state=0)
    return umap_.fit_transform(start)  # with given neighbours, UMAP does not use the data


def _tsne(near: Any, scores: Any, start: Any) -> Any:
    from openTSNE import TSNEEmbedding, affinity, initialization, nearest_neighbors

    known = nearest_neighbors.PrecomputedNeighbors(near, np.sqrt(np.maximum(2 - 2 * scores, 0)))
    weights = affinity.PerplexityBasedNN(knn_index=known, perplexity=near.shape[1] / 3, n_jobs=1)
    map_ = TSNEEmbedding(initialization.rescale(start), weights, n_jobs=1, random_state=0)
    map_.optimize(250, exaggeration=12, momentum=0.5, inplace=True)
    map_.optimize(500, momentum=0.8, inplace=True)
    return map_


def _memory_mb(key: str) -> float:
    """Return the memory of this process alone from /proc: `getrusage` includes its parent's."""
    return int(Path("/proc/self/status").read_text().partition(f"{key}:")[2].split()[0]) / 1024


def _size_mb(name: str) -> float:
    files = distribution(name).files or []
    return sum(Path(str(file.locate())).stat().st_size for file in files if Path(str(file.locate())).is_file()) / 2**20


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
