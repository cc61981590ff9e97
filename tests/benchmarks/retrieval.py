"""Cranfield through the whole program, from files to a run file: words, meaning and both, against plain peers.

And what each part of the ranking adds, on Cranfield and on Quora's questions, which must find their duplicates.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import numpy as np

from desktop_app.__main__ import main
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.query import split_words
from desktop_app.encoder import SiameseEncoder
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import SearchRequest
from desktop_app.engine.search_run import Searcher
from desktop_app.store.library import LocalLibrary
from tests.benchmarks.harness import Bench

REACH = {"words": 0.50, "meaning": 0.49, "both": 0.575}
_DEPTH = 100
_QUESTIONS, _ASKED_QUESTIONS = 9000, 300

Run = dict[str, list[str]]
Relevant = dict[str, set[str]]


def run(bench: Bench) -> None:
    """Print and store the figures."""
    if bench.data is None:
        print("retrieval: needs --data")
        return
    documents, queries, relevant = _read_cranfield(bench.data)
    files = bench.work / "cranfield"
    _write_files(files, {document["_id"]: document["text"] for document in documents})
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


def run_parts(bench: Bench) -> None:
    """Print and store what each part of the ranking adds, on two collections."""
    if bench.data is None:
        print("retrieval-parts: needs --data")
        return
    documents, queries, relevant = _read_cranfield(bench.data)
    questions, duplicates = _read_questions(bench.data)
    of_cranfield = {query["_id"]: " ".join(query["text"].split()) for query in queries if query["_id"] in relevant}
    of_questions = {stem: questions[stem] for stem in duplicates}
    kept: dict[str, dict[str, dict[str, float]]] = {}
    for name, texts, asked, wanted in (
        ("Cranfield", {document["_id"]: document["text"] for document in documents}, of_cranfield, relevant),
        ("questions", questions, of_questions, duplicates),
    ):
        library = bench.libraries / f"retrieval-{name.lower()}"
        if not library.exists():
            _write_files(bench.work / name, texts)
            kindred(bench, "import", str(bench.work / name), "--quiet", library=library)
        kept[name] = _measure_parts(library, asked, wanted)
    rows: list[list[object]] = [["nDCG@10: all (every second query; the others)", *kept]]
    for part in kept["Cranfield"]:
        figures = (kept[name][part] for name in kept)
        rows.append([part, *(f"{each['all']:.4f} ({each['first']:.4f}; {each['second']:.4f})" for each in figures)])
    bench.say("retrieval-parts", rows)
    bench.results["retrieval-parts"] = kept


def _measure_parts(folder: Path, queries: dict[str, str], relevant: Relevant) -> dict[str, dict[str, float]]:
    """Return nDCG@10 of each part: of all queries, and of every second one (on which weights were chosen)."""
    library = LocalLibrary.open(folder, writable=False, create=False)
    encoder, vectors = SiameseEncoder(), QueryVectors(len(queries))
    module = "desktop_app.engine.part_search"

    def sentences(mode: str, query: str) -> list[str]:
        request = SearchRequest(query, top_k=_DEPTH, page_size=_DEPTH, mode=mode, has_operators=False)
        hits = Searcher(library, lambda: encoder, vectors, request).search().hits
        return list(dict.fromkeys(Path(hit.path).stem for hit in hits))

    def ranked(mode: str, query: str) -> list[str]:
        request = SearchRequest(query, top_k=_DEPTH, mode=mode, best=0, has_operators=False)
        searcher = Searcher(library, lambda: encoder, vectors, request)
        return [Path(hit.path).stem for hit in run_to_completion(searcher.document_search_steps()).hits]

    def without(name: str, value: object) -> Callable[[str], list[str]]:
        def find(query: str) -> list[str]:
            with patch(f"{module}.{name}", value):
                return ranked("both", query)

        return find

    parts: dict[str, Callable[[str], list[str]]] = {
        "best sentence by words": lambda query: sentences("words", query),
        "best sentence by meaning": lambda query: sentences("meaning", query),
        "best sentence by both": lambda query: sentences("both", query),
        "documents by words (BM25)": lambda query: ranked("words", query),
        "documents by meaning (best sentence and mean)": lambda query: ranked("meaning", query),
        "both, fused": without("MIN_DOCUMENTS_FOR_FEEDBACK", 10**9),
        "both, query moved towards the best documents": without("mix_word_scores", lambda words, added, share: words),
        "both, and their words added (the program)": lambda query: ranked("both", query),
    }
    kept: dict[str, dict[str, float]] = {}
    for part, find in parts.items():
        # A question is in the collection itself; the numbers of Cranfield's queries are not those of its documents.
        ranking = {key: [stem for stem in find(text) if stem != key or stem.isdigit()] for key, text in queries.items()}
        halves = [dict(list(relevant.items())[at::2]) for at in (0, 1)]
        scores = [_scored(ranking, half)["ndcg@10"] for half in (relevant, *halves)]
        kept[part] = dict(zip(("all", "first", "second"), scores, strict=True))
    library.close()
    return kept


def _read_cranfield(data: Path) -> tuple[list[dict[str, str]], list[dict[str, str]], Relevant]:
    """Return the documents, the queries and the ids of the documents relevant for each."""
    source = data / "cranfield"
    documents = [json.loads(line) for line in (source / "corpus.jsonl").read_text("utf-8").splitlines()]
    queries = [json.loads(line) for line in (source / "queries.jsonl").read_text("utf-8").splitlines()]
    relevant: Relevant = {}
    for line in (source / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query_id, document_id, score, *_ = line.split("\t")
        if float(score) > 0:
            relevant.setdefault(query_id, set()).add(document_id)
    return documents, queries, relevant


def _read_questions(data: Path) -> tuple[dict[str, str], Relevant]:
    """Return 9,000 of Quora's questions by a name, all with duplicates among them, and the duplicates of 300."""
    lines = (data / "qqp" / "qqp_10000.tsv").read_text("utf-8").splitlines()[1:]
    leader: dict[str, str] = {}

    def find(question: str) -> str:
        while leader.setdefault(question, question) != question:
            question = leader[question]
        return question

    for line in lines:
        _, a, b, is_duplicate = line.split("\t")
        first, second = find(" ".join(a.split())), find(" ".join(b.split()))
        if is_duplicate == "1":
            leader[first] = second
    groups: dict[str, list[str]] = {}
    for question in leader:
        groups.setdefault(find(question), []).append(question)
    repeated = [group for group in groups.values() if len(group) > 1]
    single = [group[0] for group in groups.values() if len(group) == 1]
    random.Random(5).shuffle(single)
    in_groups = [question for group in repeated for question in group]
    chosen = [*in_groups, *single[: max(0, _QUESTIONS - len(in_groups))]]
    names = {question: f"q{number}" for number, question in enumerate(chosen)}
    asked = random.Random(6).sample(in_groups, _ASKED_QUESTIONS)
    duplicates = {
        names[question]: {names[other] for other in groups[find(question)] if other != question} for question in asked
    }
    return {name: question for question, name in names.items()}, duplicates


def _write_files(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text + "\n", "utf-8")


def kindred(bench: Bench, *arguments: str, library: Path | None = None) -> str:
    """Run a command on a library, or on the benchmark's own; return what it prints."""
    folder = library or bench.work / "library"
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        main(["--basedir", str(bench.work / "base"), "--library", str(folder), *arguments])
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
