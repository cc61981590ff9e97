"""Real sentences of novels and their vectors, which take minutes; `--libraries FOLDER` keeps them for another run."""

from __future__ import annotations

import tarfile

import numpy as np
from numpy.typing import NDArray

from desktop_app.encoder import SiameseEncoder
from desktop_app.text.splitter import split_sentences
from tests.benchmarks.harness import Bench

_OF_A_BOOK = 5000


def embedded_novels(bench: Bench, count: int) -> tuple[SiameseEncoder, list[str], NDArray[np.float32]]:
    """Return the bundled encoder in the fastest accurate precision, sentences, and their vectors float32 [n, dim]."""
    encoder = SiameseEncoder(memory=bench.work / "precision.json")
    texts = novels(bench, count)
    kept = bench.libraries / f"novels-{encoder.model.fingerprint[:12]}.npy"
    if kept.exists() and len(vectors := np.load(kept)) >= count:
        return encoder, texts, vectors[:count]
    for _ in encoder.tune():
        pass
    vectors = encoder.encode(texts)
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.save(kept, vectors)
    return encoder, texts, vectors


def novels(bench: Bench, count: int) -> list[str]:
    """Return `count` distinct sentences of novels, at most 5,000 of each, split as an import splits them.

    A smaller count returns a prefix of a larger one.
    """
    assert bench.data is not None, "needs --data DIR"
    found: dict[str, None] = {}
    with tarfile.open(bench.data / "books" / "english_novels.tar.xz") as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(".txt") else None
            if stream is None:
                continue
            text = stream.read().decode("utf-8", "replace")
            before = len(found)
            for start, stop in split_sentences(text):
                found[" ".join(text[start:stop].split())] = None
                if len(found) - before == _OF_A_BOOK or len(found) == count:
                    break
            if len(found) == count:
                break
    return list(found)
