"""Files to searchable sentences, against the encoder alone on the same sentences."""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path

from desktop_app.compose import open_workspace
from desktop_app.core.settings import Launch, Settings
from desktop_app.encoder import SiameseEncoder
from desktop_app.engine.requests import ImportRequest
from tests.benchmarks.harness import Bench, peak_memory_mb

ROUNDS = 3


def run(bench: Bench) -> None:
    """Print and keep the figures."""
    folder = _folder(bench)
    encoder = SiameseEncoder()
    encoder.encode(["warm up"] * 64)
    rates: list[float] = []
    alone: list[float] = []
    sentences = embedded = 0
    for number in range(ROUNDS):
        workspace = open_workspace(Launch(Settings(), bench.work / f"library{number}", writable=True, create=True))
        try:
            workspace.prepare().wait()
            started = time.perf_counter()
            report = workspace.import_paths(ImportRequest((str(folder),))).wait()
            seconds = time.perf_counter() - started
            texts: list[str] = []
            workspace.export_occurrences(lambda batch, t=texts: t.extend(row.text for row in batch)).wait()
        finally:
            workspace.close()
        assert not report.failed, report.failed
        distinct = list(dict.fromkeys(texts))
        sentences, embedded = report.sentences, len(distinct)
        rates.append(embedded / seconds)
        started = time.perf_counter()
        encoder.encode(distinct)
        alone.append(embedded / (time.perf_counter() - started))
    share = statistics.median(rate / limit for rate, limit in zip(rates, alone, strict=True))
    figures = {
        "files": sum(1 for path in folder.iterdir()),
        "sentences": sentences,
        "distinct": embedded,
        "sentences_per_s": statistics.median(rates),
        "encoder_alone_per_s": statistics.median(alone),
        "share_of_encoder": share,
        "peak_mb": peak_memory_mb(),
    }
    bench.say("import: files to searchable", [list(figures), list(figures.values())])
    bench.results["import"] = figures


def _folder(bench: Bench) -> Path:
    folder = bench.work / "files"
    folder.mkdir()
    here = Path(__file__).parents[1] / "data" / "pdf"
    for name in ("two_column_paper_clinc.pdf", "book_55_pages.pdf"):
        source = (bench.data / "pdf" / name) if bench.data else here / name
        if source.exists():
            shutil.copy(source, folder / name)
    shutil.copy(bench.novel(), folder / "novel.txt")
    return folder
