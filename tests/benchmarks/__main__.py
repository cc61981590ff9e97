"""Runs benchmarks by name."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.benchmarks import (
    assistant,
    clusters,
    document_list,
    encode,
    fidelity,
    importing,
    kill,
    large_graph,
    large_library,
    library_graph,
    painted,
    pairs,
    recall,
    retrieval,
    search,
    sentence_map,
    shared,
    similarity,
    soak,
    training,
    understanding,
    window,
)
from tests.benchmarks.harness import Bench, machine, write

_BENCHMARKS = {
    "assistant": assistant.run,
    "clusters": clusters.run,
    **clusters.PARTS,
    "graph": library_graph.run,
    "graph-large": large_graph.run,
    "large-library": large_library.run,
    **large_library.PARTS,
    "map": sentence_map.run,
    "encode": encode.run,
    "fidelity": fidelity.run,
    "import": importing.run,
    **importing.PARTS,
    "kill": kill.run,
    **kill.PARTS,
    "pairs": pairs.run,
    **pairs.PARTS,
    "recall": recall.run,
    "retrieval": retrieval.run,
    "retrieval-parts": retrieval.run_parts,
    "search": search.run,
    "search-painted": painted.run,
    "shared": shared.run,
    **shared.PARTS,
    "similarity": similarity.run,
    "soak": soak.run,
    "training": training.run,
    **training.PARTS,
    "understanding": understanding.run,
    "window": window.run,
    "window-documents": document_list.run,
    "window-switching": window.run_switching,
}


def main() -> None:
    """Run the named benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="+", choices=sorted(_BENCHMARKS), metavar="NAME", help=", ".join(_BENCHMARKS))
    parser.add_argument("--data", type=Path, help="folder of the full evaluation data; for fidelity: any documents")
    parser.add_argument("--large", action="store_true", help="100,000 sentences for pairs, a million for search")
    parser.add_argument(
        "--rows",
        type=int,
        default=0,
        help="limit training rows, or documents of an import or of fidelity: a quick check that a benchmark works",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ROW",
        help="run only training rows whose names begin like this; repeatable",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="JSON", help="save training rows in this file and reuse saved ones"
    )
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="start trainings from this model")
    parser.add_argument(
        "--peer",
        type=Path,
        help="a Python with bertopic (map: umap-learn and openTSNE), which cannot share this environment",
    )
    parser.add_argument(
        "--libraries", type=Path, help="save generated libraries, or peers' texts, in this folder and reuse saved ones"
    )
    parser.add_argument("--output", type=Path, help="write the figures as JSON")
    options = parser.parse_args()
    for key, value in machine().items():
        print(f"{key}: {value}")
    with tempfile.TemporaryDirectory(prefix="kindred-bench-", ignore_cleanup_errors=True) as work:
        bench = Bench(
            options.data,
            Path(work),
            options.large,
            options.rows,
            peer=options.peer,
            kept=options.libraries,
            only=tuple(options.only),
            keep=options.keep,
            model=options.model,
        )
        for name in options.names:
            _BENCHMARKS[name](bench)
        if options.output:
            write(bench, options.output)


if __name__ == "__main__":
    main()
