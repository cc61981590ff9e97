"""Cranfield through the whole program, from files to a run file: words, meaning and both, against plain peers."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing

import numpy as np

from desktop_app.__main__ import main
from desktop_app.core.query import split_words
from desktop_app.encoder import SiameseEncoder
from tests.benchmarks.harness import Bench

REACH = {"words": 0.50, "meaning": 0.49, "both": 0.56}
_DEPTH = 100

Run = dict[str, list[str]]
Relevant = dict[str, set[str]]


def run(bench: Bench) -> None:
    """Print and store the figures."""
    if bench.data is None:
        print("retrieval: needs --data")
        return
    source = bench.data / "cranfield"
    documents = [json.loads(line) for line in (source / "corpus.jsonl").read_text("utf-8").splitlines()]
    queries = [json.loads(line) for line in (source / "queries.jsonl").read_text("utf-8").splitlines()]
    relevant: Relevant = {}
    for line in (source / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query_id, document_id, score, *_ = line.split("\t")
        if float(score) > 0:
            relevant.setdefault(query_id, set()).add(document_id)
    files = bench.work / "cranfield"
    files.mkdir()
    for document in documents:
        (files / f"{document['_id']}.txt").write_text(document["text"] + "\n", "utf-8")
    lines = [f"{query['_id']}\t{' '.join(query['text'].split())}" for query in queries]
    (bench.work / "queries.tsv").write_text("\n".join(lines), "utf-8")
    kindred(bench, "import", str(files), "--quiet")
    rows: list[list[object]] = [["", "goal", "nDCG@10", "recall@100", "ms a query"]]
    kept: dict[str, dict[str, float]] = {}
    for mode, reach in REACH.items():
        started = time.perf_counter()
        out = kindred(
            bench,
            *("search", "--queries", str(bench.work / "queries.tsv"), "--mode", mode),
            *("--by", "document", "--top-k", str(_DEPTH), "--format", "trec"),
        )
        seconds = time.perf_counter() - started
        ranking: Run = {}
        for line in out.splitlines():
            query_id, _, stem, *_ = line.split()
            ranking.setdefault(query_id, []).append(stem)
        kept[mode] = _scored(ranking, relevant) | {"ms_a_query": 1000 * seconds / len(queries)}
        rows.append([mode, reach, kept[mode]["ndcg@10"], kept[mode]["recall@100"], kept[mode]["ms_a_query"]])
    for name, ranking in (("FTS5, whole documents", _by_fts5(documents, queries)), *_by_encoder(documents, queries)):
        kept[name] = _scored(ranking, relevant)
        rows.append([name, "", kept[name]["ndcg@10"], kept[name]["recall@100"], ""])
    bench.say(f"retrieval: Cranfield, {len(documents)} documents, {len(queries)} queries, through the program", rows)
    bench.results["retrieval"] = kept


def kindred(bench: Bench, *arguments: str) -> str:
    """Run a command on the benchmark's library; return what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        main(["--basedir", str(bench.work / "base"), "--library", str(bench.work / "library"), *arguments])
    return out.getvalue()


def _by_fts5(documents: Sequence[dict[str, str]], queries: Sequence[dict[str, str]]) -> Run:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61')")
        connection.executemany("INSERT INTO d VALUES (?, ?)", [(each["_id"], each["text"]) for each in documents])
        ranked = "SELECT id FROM d WHERE d MATCH ? ORDER BY rank LIMIT ?"
        return {
            query["_id"]: [
                row[0]
                for row in connection.execute(
                    ranked, (" OR ".join(f'"{word}"' for word in set(split_words(query["text"]))), _DEPTH)
                )
            ]
            for query in queries
        }


def _by_encoder(documents: Sequence[dict[str, str]], queries: Sequence[dict[str, str]]) -> list[tuple[str, Run]]:
    encoder = SiameseEncoder()
    rows = encoder.encode([document["text"] for document in documents])
    asked = encoder.encode([query["text"] for query in queries], kind="query")
    order = np.argsort(-(asked @ rows.T), axis=1, kind="stable")[:, :_DEPTH]
    ranking = {query["_id"]: [documents[at]["_id"] for at in best] for query, best in zip(queries, order, strict=True)}
    return [("the encoder, whole documents", ranking)]


def _scored(ranking: Run, relevant: Relevant) -> dict[str, float]:
    """Return means over the queries with relevant documents; gain 1, discount log2 (Jarvelin 2002)."""
    gains, recalls = [], []
    for query_id, wanted in relevant.items():
        found = ranking.get(query_id, [])
        gain = sum(1 / np.log2(at + 2) for at, stem in enumerate(found[:10]) if stem in wanted)
        gains.append(gain / sum(1 / np.log2(at + 2) for at in range(min(10, len(wanted)))))
        recalls.append(len(wanted & set(found)) / len(wanted))
    return {"ndcg@10": float(np.mean(gains)), f"recall@{_DEPTH}": float(np.mean(recalls))}
