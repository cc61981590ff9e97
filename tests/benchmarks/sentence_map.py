"""Clusters and map of 100,000 sentences, their graph given: seconds, memory, and a frame of the map.

With `--peer PYTHON`, a Python with umap-learn and openTSNE, also their layouts of the same graph from the same start.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np

from desktop_app.analysis.cluster_map import lay_out_graph, project_to_plane
from desktop_app.analysis.clusters import Communities
from desktop_app.analysis.neighbour_graph import NeighbourGraph, NeighbourLists
from desktop_app.core.jobs import run_to_completion
from tests.benchmarks.clusters import choose_granularity
from tests.benchmarks.harness import Bench, peak_memory_mb, percentiles_ms

MIN_SIZE = 5
FRAMES = 60
ASKED = 2000


def run(bench: Bench) -> None:
    """Print and store the figures."""
    count = 100_000 if bench.large else 20_000
    vectors, graph = made(count)
    before_mb = peak_memory_mb()
    rows: list[list[object]] = [["what", "processor seconds", "seconds"]]
    figures: dict[str, object] = {"sentences": count}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        wall, began = time.perf_counter(), time.process_time()
        result = work()
        figures[name] = round(time.process_time() - began, 2)
        rows.append([name, figures[name], round(time.perf_counter() - wall, 2)])
        return result

    communities = timed("graph to matrix", lambda: Communities(graph))
    granularity = timed("choosing the granularity", lambda: choose_granularity(communities, vectors))
    labels = timed("clusters", lambda: communities.at(granularity, MIN_SIZE))
    start = timed("principal plane", lambda: run_to_completion(project_to_plane(vectors)))
    places = timed("layout", lambda: run_to_completion(lay_out_graph(graph, start)))
    figures["clusters in all"] = round(
        sum(figures[name] for name in ("graph to matrix", "choosing the granularity", "clusters")), 2
    )
    figures["peak_mb"], figures["peak_before_mb"] = peak_memory_mb(), before_mb
    figures["neighbours that stay"] = _neighbours_that_stay(graph, places)
    rows += [["clusters in all", figures["clusters in all"], ""], ["peak memory, MB", figures["peak_mb"], ""]]
    rows += [["of the 15 nearest on the map, share among the graph's 15", figures["neighbours that stay"], ""]]
    figures["layouts"] = _layouts(bench, graph, start, figures) if bench.peer is not None else None
    bench.say(f"themes and map of {count:,} sentences, {int(labels.max()) + 1} themes", rows)
    rows = [["a frame of the map at 1100 x 800, ms", "processor p50", "p95", "wall p50", "p95"]]
    for name, (spent, seconds) in time_frames(places, labels).items():
        own, all_of_it = percentiles_ms(spent), percentiles_ms(seconds)
        figures[name] = {"processor": own, "wall": all_of_it}
        rows.append([name, own["p50_ms"], own["p95_ms"], all_of_it["p50_ms"], all_of_it["p95_ms"]])
    bench.say("frames", rows)
    bench.results["map"] = figures


def _layouts(bench: Bench, graph: NeighbourGraph, start: np.ndarray, ours: dict[str, object]) -> dict[str, object]:
    """Print and return the cost of UMAP and openTSNE for the same graph, one thread each."""
    np.savez(bench.work / "graph.npz", near=graph.lists.neighbours, scores=graph.lists.scores)
    np.save(bench.work / "start.npy", start)
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    header: list[object] = ["layout", "processor seconds", "neighbours that stay", "more memory, MB", "installed MB"]
    more_mb = round(float(ours["peak_mb"]) - float(ours["peak_before_mb"]))
    rows = [header, ["ours", ours["layout"], ours["neighbours that stay"], more_mb, 0.0]]
    told: dict[str, object] = {}
    for name in ("umap", "opentsne"):
        done = subprocess.run(
            [str(bench.peer), str(Path(__file__).with_name("peer_layouts.py")), str(bench.work), name],
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | one_thread,
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(done.stdout.splitlines()[-1])
        found["neighbours that stay"] = _neighbours_that_stay(graph, np.load(bench.work / f"{name}.npy"))
        told[name] = found
        keys = ("seconds", "neighbours that stay", "more_mb", "installed_mb")
        rows.append([f"{name} {found['version']}", *(round(found[key], 3) for key in keys)])
    bench.say("layouts of the same graph", rows)
    return told


def _neighbours_that_stay(graph: NeighbourGraph, places: np.ndarray) -> float:
    """Return the share of a point's k nearest points on the map that are its neighbours in the graph."""
    from scipy.spatial import cKDTree

    k = graph.lists.neighbours.shape[1]
    asked = np.random.default_rng(0).permutation(len(places))[:ASKED]
    nearest = cKDTree(places).query(places[asked], k + 1)[1][:, 1:]
    neighbours = graph.lists.neighbours
    shared = [np.isin(near, neighbours[row]).mean() for row, near in zip(asked.tolist(), nearest, strict=True)]
    return round(float(np.mean(shared)), 3)


def made(count: int) -> tuple[np.ndarray, NeighbourGraph]:
    """Return generated vectors float32 [n, 384] around centres, and their graph, mostly within the same cluster."""
    rng = np.random.default_rng(0)
    themes = max(int(np.sqrt(count)), 1)
    centres = rng.standard_normal((themes, 384)).astype(np.float32)
    of = np.sort(rng.integers(0, themes, count))
    vectors = centres[of] + 1.2 * rng.standard_normal((count, 384), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    lists = NeighbourLists.empty(count)
    starts = np.searchsorted(of, np.arange(themes + 1))
    for theme in range(themes):
        # Compare with the same cluster and the next one.
        rows = np.arange(starts[theme], starts[theme + 1])
        others = np.arange(starts[theme], starts[min(theme + 2, themes)])
        scores = vectors[rows] @ vectors[others].T
        scores[np.arange(len(rows)), np.arange(len(rows))] = -1
        k = min(lists.neighbours.shape[1], len(others) - 1)
        best = np.argsort(-scores, axis=1)[:, :k]
        lists.neighbours[rows, :k] = others[best]
        lists.scores[rows, :k] = np.clip(np.take_along_axis(scores, best, axis=1), 1e-3, 1)
    order = rng.permutation(count)
    back = np.empty(count + 1, np.int32)
    back[order], back[-1] = np.arange(count), -1
    mixed = NeighbourLists(back[lists.neighbours[order]], lists.scores[order])
    return vectors[order], NeighbourGraph(np.arange(1, count + 1), mixed)


def time_frames(places: np.ndarray, labels: np.ndarray) -> dict[str, tuple[list[float], list[float]]]:
    """Return this thread's processor seconds and the wall seconds of frames, by kind of movement."""
    from PySide6.QtCore import QPointF
    from PySide6.QtWidgets import QApplication

    from desktop_app.core.clusters import Cluster, Clusters, SentenceMap
    from desktop_app.core.settings import Settings
    from desktop_app.gui.clusters.map_view import MapView
    from desktop_app.gui.shell import app

    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(["kindred"])
    view = MapView(app.prepare_application(application, Settings(theme="light")))
    ids = np.arange(1, len(places) + 1)
    clusters = tuple(
        Cluster(at + 1, f"theme {at}, of words", (), (), tuple(ids[labels == at].tolist()), 1)
        for at in range(int(labels.max()) + 1)
    )
    view.show_map(SentenceMap(ids, places, np.ones(len(ids), np.int64), is_new=True))
    view.show_clusters(Clusters(clusters, (), 1.0, 0.0))
    view.resize(1100, 800)
    view.show()
    application.processEvents()

    def frames(move: Callable[[int], None]) -> tuple[list[float], list[float]]:
        spent: list[float] = []
        seconds: list[float] = []
        for number in range(FRAMES):
            wall, began = time.perf_counter(), time.thread_time()
            move(number)
            view.repaint()
            spent.append(time.thread_time() - began)
            seconds.append(time.perf_counter() - wall)
        return spent, seconds

    def pan(_number: int) -> None:
        view._picture.pan(QPointF(3, 2))
        view._move()

    def rest(_number: int) -> None:
        # The frame after the map stops moving: every point.
        view._picture.is_thinned = True
        view._settle()

    kept: dict[str, tuple[list[float], list[float]]] = {}
    for times in (1, 2, 4, 8):
        view.fit()
        view.zoom(float(times))
        at = f"{times} times as near"
        kept[f"panning, {at}"] = frames(pan)
        kept[f"coming to rest: every point, {at}"] = frames(rest)
    view.fit()
    kept["zooming in and out"] = frames(lambda number: view.zoom(1.06 if number < FRAMES // 2 else 1 / 1.06))
    view.highlight(range(1, 101))
    kept["zooming, a hundred hits highlighted"] = frames(
        lambda number: view.zoom(1.06 if number < FRAMES // 2 else 1 / 1.06)
    )
    view.fit()
    kept["nothing new"] = frames(lambda _number: None)
    view.close()
    view.deleteLater()
    return kept
