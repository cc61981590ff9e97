"""A retrieval set: documents, queries and relevance judgements, in a folder of three files."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import BadData, NotFound
from desktop_app.core.input_files import decode_utf8
from desktop_app.core.messages import Message
from desktop_app.encoder.datasets.row_files import describe_excess_length, iter_json_rows, read_file_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE_NAMES = ("corpus.jsonl", "queries.jsonl", "qrels.tsv")
_FORMAT_HINT = Message(
    "A retrieval set is a folder with corpus.jsonl (_id, title, text), queries.jsonl (_id, text) "
    "and qrels.tsv (query-id, corpus-id, score)."
)


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Documents and queries with their grades.

    Attributes:
        document_ids: of the documents; their texts are in `documents`.
        documents: title and text of each, without repeating the title.
        query_ids: of the queries with at least one relevant document.
        queries: their texts.
        relevant: the grades of each query's documents.
    """

    document_ids: tuple[str, ...]
    documents: tuple[str, ...]
    query_ids: tuple[str, ...]
    queries: tuple[str, ...]
    relevant: dict[str, dict[str, float]]


def is_retrieval_set(path: str) -> bool:
    """Return whether `path` is a folder: only retrieval sets are."""
    return Path(path).expanduser().is_dir()


def read_retrieval_set(path: str) -> RetrievalSet:
    """Read a folder of corpus, queries and judgments.

    Raises:
        NotFound: a file is missing or cannot be read.
        BadData: a line is wrong (the message names it), or a file changes while it is read.
    """
    folder = Path(path).expanduser()
    corpus, queries, qrels = (folder / name for name in _FILE_NAMES)
    documents: dict[str, str] = {}
    for number, row in _read_objects(corpus):
        title, text = str(row.get("title") or ""), str(row.get("text") or "")
        name = _parse_id(corpus, number, row)
        documents[name] = text if text.startswith(title) else f"{title}. {text}"
    query_texts = {
        _parse_id(queries, number, row): str(row.get("text") or "") for number, row in _read_objects(queries)
    }
    relevant: dict[str, dict[str, float]] = {}
    for number, line in enumerate(_read_text(qrels).split("\n"), start=1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if number == 1 and cells[0].strip().lower() == "query-id":
            continue
        try:
            query, document, grade = cells[0], cells[1], float(cells[2])
            if not math.isfinite(grade):
                raise ValueError(grade)
        except (IndexError, ValueError) as error:
            raise BadData(
                "{qrels}, line {number} is not query-id, corpus-id, score", _FORMAT_HINT, qrels=qrels, number=number
            ) from error
        if query not in query_texts or document not in documents:
            raise BadData(
                "{qrels}, line {number} names the query {name}, which does not exist"
                if query not in query_texts
                else "{qrels}, line {number} names the document {name}, which does not exist",
                _FORMAT_HINT,
                qrels=qrels,
                number=number,
                name=query if query not in query_texts else document,
            )
        relevant.setdefault(query, {})[document] = grade
    judged = [name for name in query_texts if any(grade > 0 for grade in relevant.get(name, {}).values())]
    if not judged:
        raise BadData("{folder} has no query with a relevant document", _FORMAT_HINT, folder=folder)
    return RetrievalSet(
        tuple(documents),
        tuple(documents.values()),
        tuple(judged),
        tuple(query_texts[name] for name in judged),
        relevant,
    )


def _read_text(file: Path) -> str:
    try:
        return decode_utf8(file, read_file_bytes(file))
    except NotFound as error:
        raise NotFound(error.message, _FORMAT_HINT) from error


def _read_objects(file: Path) -> Iterator[tuple[int, dict[str, object]]]:
    for number, row in iter_json_rows(file, _read_text(file)):
        for name in ("title", "text"):
            if why := describe_excess_length(number, str(row.get(name) or ""), name):
                raise BadData(
                    "{file} has rows that cannot be used: {why}", "Correct or remove these rows.", file=file, why=why
                )
        yield number, row


def _parse_id(file: Path, number: int, row: dict[str, object]) -> str:
    if "_id" not in row:
        raise BadData("{file}, line {number} has no _id", _FORMAT_HINT, file=file, number=number)
    return str(row["_id"])
