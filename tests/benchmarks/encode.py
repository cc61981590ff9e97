"""Sentences a second against sentence-transformers and against the bare matrix products of the same layers."""

from __future__ import annotations

import csv

import numpy as np
import torch

from desktop_app.encoder import SiameseEncoder
from desktop_app.text.splitter import split
from tests.benchmarks.harness import Bench, alternate, peak_memory_mb, ratio

COUNT = 2000


def run(bench: Bench) -> None:
    """Print and keep the figures."""
    from sentence_transformers import SentenceTransformer

    encoder = SiameseEncoder()
    peer = SentenceTransformer(encoder.model.folder, device=encoder.device.device)
    corpora = {"novel": novel_sentences(bench, COUNT)}
    if short := _short_sentences(bench):
        corpora["short (STS-B)"] = short
    rows: list[list[object]] = [
        [
            "corpus",
            "tokens each",
            "sentences/s",
            "tokens/s",
            "x peer",
            "share of matrix limit",
            "min cosine",
            "mean cosine",
        ]
    ]
    kept = {}
    for name, texts in corpora.items():
        tokens = int(encoder.count_tokens(texts).sum())
        ours = encoder.encode(texts)
        theirs = peer.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        cosines = np.einsum("ij,ij->i", ours, theirs)
        seconds = alternate(
            {
                "ours": lambda t=texts: encoder.encode(t),
                "sentence-transformers": lambda t=texts: peer.encode(t, show_progress_bar=False),
                "matrix products": lambda n=tokens: _matrix_products(n),
            }
        )
        best = float(np.median(seconds["ours"]))
        figures = {
            "tokens_each": tokens / len(texts),
            "sentences_per_s": len(texts) / best,
            "tokens_per_s": tokens / best,
            "ratio_to_sentence_transformers": ratio(seconds, "ours", "sentence-transformers"),
            "share_of_matrix_limit": ratio(seconds, "ours", "matrix products"),
            "min_cosine": float(cosines.min()),
            "mean_cosine": float(cosines.mean()),
        }
        kept[name] = figures
        rows.append([name, *figures.values()])
    device = encoder.device
    bench.say(f"encode: {device.device} {device.precision}, {device.threads} threads, peer at its defaults", rows)
    bench.results["encode"] = {
        **kept,
        "device": device.device,
        "precision": device.precision,
        "peak_mb": peak_memory_mb(),
    }


def novel_sentences(bench: Bench, count: int) -> list[str]:
    """Return the first sentences of a novel's middle, as an import would cut them."""
    text = bench.novel().read_text("utf-8", "replace")
    sentences = [" ".join(text[start:stop].split()) for start, stop in split(text)]
    return list(dict.fromkeys(sentences))[200 : 200 + count] or sentences


def _short_sentences(bench: Bench) -> list[str]:
    if bench.data is None:
        return []
    with (bench.data / "stsb" / "stsb-en-test.csv").open(encoding="utf-8", newline="") as file:
        return list(dict.fromkeys(text for row in csv.reader(file) for text in row[:2]))[:COUNT]


def _matrix_products(tokens: int, hidden: int = 384, inner: int = 1536, layers: int = 6) -> None:
    """Multiply what the layers of the bundled model multiply, without attention: nothing can be faster."""
    weights = [
        torch.ones(*shape) for shape in ((3 * hidden, hidden), (hidden, hidden), (inner, hidden), (hidden, inner))
    ]
    with torch.inference_mode():
        for start in range(0, tokens, 4096):
            count = min(4096, tokens - start)
            narrow, wide = torch.ones(count, hidden), torch.ones(count, inner)
            for _ in range(layers):
                for weight in weights:
                    torch.nn.functional.linear(wide if weight.shape[1] == inner else narrow, weight)
