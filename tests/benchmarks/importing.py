"""Files to searchable sentences, against the encoder alone on the same sentences; queries typed during an import."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from safetensors.torch import load_file, save_file

from desktop_app.compose import open_workspace
from desktop_app.core.settings import LaunchOptions, Settings
from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.models.bundled import bundled_model_folder
from desktop_app.engine.requests import ImportReport, ImportRequest
from desktop_app.engine.workspace import Workspace
from tests.benchmarks.harness import Bench
from tests.benchmarks.typesetting import typeset
from tests.benchmarks.typing_meanwhile import typed_meanwhile

ROUNDS = 3
NOVELS = 10
PDF_PAGES = 500

MEMORY_EVERY_S = 0.5


def run(bench: Bench) -> None:
    """Print and store the figures."""
    encoder = _tuned_encoder(bench)
    bench.say("import: the encoder", [["device", "precision", "why"], [*_told(encoder)]])
    works = {f"{NOVELS} novels": shortest_novels(bench, NOVELS), f"{PDF_PAGES} pages of PDF": _pages(bench)}
    kept: dict[str, dict] = {}
    for name, folder in works.items():
        kept[name] = _against_the_encoder(bench, encoder, name, folder)
    rows = list(next(iter(kept.values())))
    bench.say(
        "import: files to searchable", [["", *kept], *([row, *(kept[name][row] for name in kept)] for row in rows)]
    )
    kept["queries"] = typed(bench)["queries"]
    window(bench)
    priority(bench)
    if bench.large:
        kept["memory"] = _peak_memory(bench)
    bench.results["import"] = {**kept, "device": _told(encoder)}


def window(bench: Bench) -> None:
    """Print and store how late the window's event loop is while it imports 1,000 short documents (200 if not large)."""
    from tests.benchmarks.giving_way import lateness

    bench.results["import: window"] = lateness(bench)


def priority(bench: Bench) -> None:
    """Print and store the cost of low priority for an import, and its benefit for another program."""
    from tests.benchmarks.giving_way import low_priority

    bench.results["import: low priority"] = low_priority(bench)


def typed(bench: Bench) -> dict:
    """Print and store how long typed queries take while ten novels are imported, and where that time goes."""
    figures, shares = typed_meanwhile(
        bench, lambda: workspace_in(bench, "library typed"), shortest_novels(bench, NOVELS)
    )
    bench.say("a typed query, to its rows", _as_rows(figures))
    bench.say("where its time goes, ms", _as_rows(shares))
    bench.results["import: typed"] = {"queries": figures, "parts": shares}
    return bench.results["import: typed"]


def memory(bench: Bench) -> None:
    """Print and store the peak memory of an import of all novels, embedded by the bundled model's first layer alone.

    Its vectors are as long as those of the whole model, and take a sixth of the time. The weights of the other layers
    are reported separately.
    """
    folder, others_mb = _first_layer(bench)
    figures = _peak_memory(bench, "--model", str(folder))
    bench.results["import: memory"] = figures | {"the other layers' weights": others_mb}
    bench.say("the other layers, in fp32 and bf16, MB", [["weights"], [others_mb]])


PARTS = {"import-memory": memory, "import-typed": typed, "import-window": window, "import-priority": priority}


def _told(encoder: SiameseEncoder) -> list[str]:
    device = encoder.device
    return [device.device, device.precision, str(device.note)]


def _tuned_encoder(bench: Bench) -> SiameseEncoder:
    encoder = SiameseEncoder(memory=bench.work / "cache" / "precision.json")
    for _ in encoder.tune():
        pass
    encoder.encode(["warm up"] * 64)
    return encoder


@contextmanager
def workspace_in(bench: Bench, name: str) -> Iterator[Workspace]:
    """Yield a workspace on a new library, ready to import."""
    launch = LaunchOptions(Settings(), bench.work / name, writable=True, create=True, cache=bench.work / "cache")
    workspace = open_workspace(launch)
    try:
        workspace.prepare().wait()
        yield workspace
    finally:
        workspace.close()


def _against_the_encoder(bench: Bench, encoder: SiameseEncoder, name: str, folder: Path) -> dict:
    rates: list[float] = []
    alone: list[float] = []
    sentences = distinct = 0
    for number in range(ROUNDS):
        texts: list[str] = []
        with workspace_in(bench, f"library {name} {number}") as workspace:
            report = _imported(workspace, folder)
            workspace.export.export_occurrences(lambda batch, t=texts: t.extend(row.text for row in batch)).wait()
        embedded = list(dict.fromkeys(texts))
        sentences, distinct = report.sentences, len(embedded)
        rates.append(distinct / report.seconds)
        started = time.perf_counter()
        encoder.encode(embedded)
        alone.append(distinct / (time.perf_counter() - started))
    return {
        "files": sum(1 for _ in folder.iterdir()),
        "sentences": sentences,
        "distinct": distinct,
        "distinct a second": statistics.median(rates),
        "the encoder alone": statistics.median(alone),
        "share": statistics.median(rate / limit for rate, limit in zip(rates, alone, strict=True)),
    }


def _imported(workspace: Workspace, folder: Path) -> ImportReport:
    """Import; the reported time ends when the last sentence is searchable; the graph is built afterwards."""
    report = workspace.imports.start(ImportRequest((str(folder),))).wait()
    assert not report.failed, report.failed
    return report


def _as_rows(kept: dict[str, dict]) -> list[list[object]]:
    columns = list(next(iter(kept.values())))
    return [["", *columns], *([name, *(figures[column] for column in columns)] for name, figures in kept.items())]


def _peak_memory(bench: Bench, *options: str) -> dict:
    """Import all novels in a separate process."""
    folder, told = shortest_novels(bench, None), bench.work / "memory.json"
    command = [sys.executable, "-m", "desktop_app", "--basedir", str(bench.work / "memory"), "import", str(folder)]
    with told.open("w") as out:
        importing = subprocess.Popen([*command, *options, "--quiet", "--json"], stdout=out)
        peaks = _watched(importing)
    if importing.returncode:
        raise subprocess.CalledProcessError(importing.returncode, command)
    figures = {
        "megabytes of novels": round(sum(file.stat().st_size for file in folder.iterdir()) / 1e6),
        "sentences": json.loads(told.read_text("utf-8"))["sentences"],
        **peaks,
    }
    bench.say("peak memory, MB", [list(figures), list(figures.values())])
    return figures


def _watched(importing: subprocess.Popen[bytes]) -> dict[str, int]:
    """Return the peak memory of a program and its child processes in MB, sampled periodically.

    Shared memory is divided among the processes (the kernel's "proportional set size"), because a process that is just
    starting shares everything with its parent.
    """
    own = its_children = together = 0
    while importing.poll() is None:
        program, children = 0, 0
        with suppress(psutil.Error):
            process = psutil.Process(importing.pid)
            program = process.memory_full_info().pss
            for child in process.children(recursive=True):
                with suppress(psutil.Error):
                    children += child.memory_full_info().pss
        own, its_children = max(own, program), max(its_children, children)
        together = max(together, program + children)
        time.sleep(MEMORY_EVERY_S)
    names = ("the program", "its children", "together")
    return {name: round(found / 1e6) for name, found in zip(names, (own, its_children, together), strict=True)}


def _first_layer(bench: Bench) -> tuple[Path, int]:
    """Return a folder with the bundled model cut to its first layer, and the size of the other layers in MB."""
    folder = bench.work / "first layer"
    shutil.copytree(bundled_model_folder(), folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["num_hidden_layers"] = 1
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    weights = load_file(folder / "model.safetensors")
    others = {name: each for name, each in weights.items() if ".layer." in name and ".layer.0." not in name}
    save_file({name: each for name, each in weights.items() if name not in others}, folder / "model.safetensors")
    return folder, round(sum(each.numel() for each in others.values()) * (4 + 2) / 1e6)


def shortest_novels(bench: Bench, count: int | None) -> Path:
    """Return a folder with the `count` shortest novels, or with all for None."""
    folder = bench.work / f"novels {count or 'all'}"
    if not folder.exists():
        folder.mkdir()
        if bench.data is None:
            (folder / "novel.txt").write_bytes(bench.novel().read_bytes())
            return folder
        with tarfile.open(bench.data / "books" / "english_novels.tar.xz") as archive:
            files = sorted((entry for entry in archive.getmembers() if entry.isfile()), key=lambda entry: entry.size)
            for entry in files[:count]:
                source = archive.extractfile(entry)
                assert source
                (folder / Path(entry.name).name).write_bytes(source.read())
    return folder


def _pages(bench: Bench) -> Path:
    folder = bench.work / "pages"
    folder.mkdir()
    novels = sorted(shortest_novels(bench, NOVELS).iterdir())
    for novel in novels:
        typeset(novel.read_text("utf-8", "replace"), folder / f"{novel.stem}.pdf", PDF_PAGES // len(novels))
    return folder
