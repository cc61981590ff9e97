"""Sentences per second against sentence-transformers and against the bare matrix products of the same layers.

Peers: sentence-transformers at its defaults (fp32, batches of 32, torch's own number of threads) and at its best
(bf16, batches of 128; it sorts by length itself); OpenVINO in bf16, where it is installed (`bench` extra). The limit is
the products of the layers' weights alone, laid out and spread over threads like the encoder's own.

Load slows the peers more, so ratios are only given if nothing else ran on the machine before the start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch

from desktop_app.encoder import SiameseEncoder
from desktop_app.encoder.device import torch_dtype
from desktop_app.encoder.inference.linear import PrepackedLinear
from desktop_app.encoder.inference.precision_benchmark import measure_precision
from desktop_app.text.splitter import split_sentences
from tests.benchmarks import peers
from tests.benchmarks.harness import Bench, alternate, percentiles_ms, ratio
from tests.benchmarks.similarity import quora

COUNT = 2000
PEER_SHARE = 8  # a peer embeds every eighth sentence: only rates are compared, and the peers are slow
QUERIES = 200
PASS_TOKENS = 512
MAX_LOAD = 0.3  # average of the last minute

_RATIOS = {
    "x its defaults",
    "x its bf16, sorted, batches of 128",
    "x OpenVINO bf16, sorted",
    "share of the matrix products' rate",
    "fp32: x its defaults",
    "fp32: share of the matrix products' rate",
}

_MEMORY = """
import sys
from pathlib import Path
from desktop_app.encoder import SiameseEncoder
SiameseEncoder(device="cpu", precision=sys.argv[1]).encode(Path(sys.argv[2]).read_text("utf-8").splitlines())
# Not ru_maxrss: a new process inherits its parent's.
print(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024)
"""


def run(bench: Bench) -> None:
    """Print and store the figures."""
    load = os.getloadavg()[0]
    encoder = SiameseEncoder()
    started = time.perf_counter()
    for _ in measure_precision(encoder):
        pass
    measured_s = time.perf_counter() - started
    device = encoder.device
    whole = SiameseEncoder(device=device.device, precision="fp32")
    tuned = SiameseEncoder(device=device.device, precision=device.precision)
    named = peers.sentence_transformers(encoder)
    if rival := peers.openvino(encoder):
        named["openvino"] = rival
    corpora = {"novel": novel_sentences(bench, COUNT)}
    if bench.data is not None:
        corpora |= {"abstracts": _sentences_of_abstracts(bench.data), "questions": _questions(bench.data)}
    kept: dict[str, Any] = {}
    for name, texts in corpora.items():
        kept[name] = _corpus(tuned, whole, named, texts)
        if load >= MAX_LOAD:
            kept[name] = {figure: found for figure, found in kept[name].items() if figure not in _RATIOS}
    if load >= MAX_LOAD:
        print(f"encode: no ratios, because the load average was {load:.2f} before the start (below {MAX_LOAD} needed)")
    figures = list(next(iter(kept.values())))
    bench.say(
        f"encode: {device.device}, {device.threads} threads; {device.note or device.precision}",
        [["", *kept], *([figure, *(kept[name][figure] for name in kept)] for figure in figures)],
    )
    query = _queries(tuned)
    bench.say("one query, warm", [list(query), list(query.values())])
    file = bench.work / "sentences.txt"
    file.write_text("\n".join(corpora["novel"]), "utf-8")
    peak = {precision: _peak_mb(precision, str(file)) for precision in dict.fromkeys(("fp32", device.precision))}
    bench.say(f"peak memory of {COUNT} sentences, a process of its own, MB", [list(peak), list(peak.values())])
    bench.results["encode"] = {
        **kept,
        "query": query,
        "device": device.device,
        "precision": device.precision,
        "note": str(device.note),
        "threads": device.threads,
        "measuring_precision_s": measured_s,
        "peak_mb": peak,
    }


def _corpus(
    tuned: SiameseEncoder, whole: SiameseEncoder, named: dict[str, peers.Embed], texts: list[str]
) -> dict[str, float]:
    tokens = int(tuned.count_tokens(texts).sum())
    few = texts[::PEER_SHARE]
    share = len(texts) / len(few)
    exact = whole.encode(texts)
    against_whole = np.einsum("ij,ij->i", tuned.encode(texts), exact)
    against_peer = np.einsum("ij,ij->i", exact[::PEER_SHARE], named["defaults"](few))
    precision, threads = tuned.device.precision, tuned.device.threads
    limits = {name: _Products(tuned, name, threads) for name in ("fp32", precision)}
    seconds = alternate(
        {
            "ours": lambda: tuned.encode(texts),
            "limit": lambda: limits[precision].multiply(tokens),  # beside ours: the share is the most exact figure
            "defaults": lambda: named["defaults"](few),
            "bf16 peer": lambda: named["bf16 peer"](few),
            **({"openvino": lambda: named["openvino"](texts)} if "openvino" in named else {}),
            "ours fp32": lambda: whole.encode(texts),
            "limit fp32": lambda: limits["fp32"].multiply(tokens),
        }
    )
    ours, ours_fp32 = float(np.median(seconds["ours"])), float(np.median(seconds["ours fp32"]))
    return {
        "tokens each": tokens / len(texts),
        "sentences/s": len(texts) / ours,
        "tokens/s": tokens / ours,
        "sentences/s of sentence-transformers": len(few) / float(np.median(seconds["defaults"])),
        "x its defaults": share * ratio(seconds, "ours", "defaults"),
        "x its bf16, sorted, batches of 128": share * ratio(seconds, "ours", "bf16 peer"),
        "x OpenVINO bf16, sorted": ratio(seconds, "ours", "openvino") if "openvino" in named else float("nan"),
        "share of the matrix products' rate": ratio(seconds, "ours", "limit"),
        "fp32: sentences/s": len(texts) / ours_fp32,
        "fp32: x its defaults": share * ratio(seconds, "ours fp32", "defaults"),
        "fp32: share of the matrix products' rate": ratio(seconds, "ours fp32", "limit fp32"),
        "smallest cosine to fp32": float(against_whole.min()),
        "mean cosine to fp32": float(against_whole.mean()),
        "smallest cosine of fp32 to sentence-transformers": float(against_peer.min()),
    }


def _queries(encoder: SiameseEncoder) -> dict[str, float]:
    seconds = []
    for number in range(QUERIES):
        started = time.perf_counter()
        encoder.encode([f"where did the captain bury chest number {number}"], kind="query")
        seconds.append(time.perf_counter() - started)
    return percentiles_ms(seconds)


def _peak_mb(precision: str, file: str) -> float:
    if not Path("/proc/self/status").exists():
        return float("nan")
    done = subprocess.run([sys.executable, "-c", _MEMORY, precision, file], capture_output=True, text=True, check=True)
    return round(float(done.stdout), 1)


def novel_sentences(bench: Bench, count: int) -> list[str]:
    """Return sentences from the middle of a novel, split as an import splits them."""
    text = bench.novel().read_text("utf-8", "replace")
    sentences = [" ".join(text[start:stop].split()) for start, stop in split_sentences(text)]
    return list(dict.fromkeys(sentences))[200 : 200 + count] or sentences


def _sentences_of_abstracts(data: Path) -> list[str]:
    with (data / "cranfield" / "corpus.jsonl").open(encoding="utf-8") as file:
        abstracts = [json.loads(line)["text"] for line in file]
    found = (" ".join(text[start:stop].split()) for text in abstracts for start, stop in split_sentences(text))
    return list(dict.fromkeys(found))[:COUNT]


def _questions(data: Path) -> list[str]:
    pairs, _ = quora(data)
    return list(dict.fromkeys(pairs.texts[0]))[:COUNT]


class _Products:
    """The matrix products of the model's layers, without attention or anything else: an upper bound on speed."""

    def __init__(self, encoder: SiameseEncoder, precision: str, threads: int) -> None:
        config, device = encoder.checkpoint.config, encoder.device.device
        hidden, inner = int(config["hidden_size"]), int(config["intermediate_size"])
        self._layers, self._threads, dtype = int(config["num_hidden_layers"]), threads, torch_dtype(precision)
        shapes = ((3 * hidden, hidden), (hidden, hidden), (inner, hidden), (hidden, inner))
        self._products = [
            (PrepackedLinear(torch.rand(shape), torch.zeros(shape[0]), dtype, device), shape[1]) for shape in shapes
        ]
        self._inputs = {width: torch.rand(PASS_TOKENS, width, device=device).to(dtype) for width in (hidden, inner)}

    def multiply(self, tokens: int) -> None:
        """Multiply as many tokens as a corpus has, in parallel passes."""

        def one_pass(_: int) -> None:
            torch.set_num_threads(1)
            with torch.inference_mode():
                for _ in range(self._layers):
                    for product, width in self._products:
                        product(self._inputs[width])

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(one_pass, range(round(tokens / PASS_TOKENS))))
        if torch.cuda.is_available():
            torch.cuda.synchronize()
