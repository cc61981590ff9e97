"""BERTopic's default chain on given vectors, in a separate environment: `python bertopic_chain.py FOLDER`.

Imports nothing from the program. Reads texts.json and vectors.npy, writes labels.npy, prints one line of JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from functools import wraps
from pathlib import Path
from typing import Any


def main(folder: Path) -> None:
    """Fit once on a small part, so that compilation at first use is not counted, then on everything."""
    import bertopic
    import numpy as np

    texts = json.loads((folder / "texts.json").read_text("utf-8"))
    vectors = np.load(folder / "vectors.npy")
    bertopic.BERTopic().fit_transform(texts[:1000], vectors[:1000])
    model = bertopic.BERTopic()
    parts: dict[str, float] = {}
    for name in ("_reduce_dimensionality", "_cluster_embeddings", "_extract_topics"):
        setattr(model, name, _timed(getattr(model, name), name.strip("_"), parts))
    began, wall = time.process_time(), time.perf_counter()
    labels, _ = model.fit_transform(texts, vectors)
    told = {
        "version": bertopic.__version__,
        "seconds": time.process_time() - began,
        "wall": time.perf_counter() - wall,
        "parts": parts,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    np.save(folder / "labels.npy", np.asarray(labels))
    print(json.dumps(told))


def _timed(work: Any, name: str, parts: dict[str, float]) -> Any:
    @wraps(work)
    def timed(*given: Any, **named: Any) -> Any:
        began = time.process_time()
        try:
            return work(*given, **named)
        finally:
            parts[name] = parts.get(name, 0.0) + time.process_time() - began

    return timed


if __name__ == "__main__":
    main(Path(sys.argv[1]))
