"""Makes marks parts of words in the full-text index of a library that an earlier program made.

That program cut the words of Hindi, Tamil, Thai and other scripts at vowel signs: a search for one word found others.
Only texts with such characters are indexed again. FTS5 removes a text from an index by its words, so this happens
before the index gets its new tokenizer, and they return in a transaction of their own: a table does not change its
tokenizer within one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

_STEP_ROWS = 20_000

# The UTF-8 of scripts with marks, and of everything beyond U+FFFF: a few rows too many do no harm. Bytes, because a
# damaged text may be none, and because a class of so many characters takes a hundred times as long.
_MAY_CHANGE = re.compile(
    rb"[\xcc\xcd\xd6-\xe0\xf0-\xf4]|\xd2[\x83-\x89]|\xe1[\x80-\xb7]|\xe2\x83[\x90-\xbf]|\xe2[\xb3-\xb7]"
    rb"|\xe3\x80[\xaa-\xaf]|\xe3\x82[\x99\x9a]|\xea[\x99-\xaf]|\xef\xac\x9e|\xef\xb8[\xa0-\xaf]"
)
_NOT_ASCII = (
    "SELECT id, CAST(text AS BLOB) AS content FROM sentence WHERE id > ? AND length(CAST(text AS BLOB)) > length(text)"
    " ORDER BY id LIMIT ?"
)
_PASSAGES = (
    "SELECT DISTINCT passage.id FROM json_each(?) AS changed JOIN occurrence ON occurrence.sentence_id = changed.value"
    " JOIN passage ON passage.version_id = occurrence.version_id AND passage.first <= occurrence.ordinal"
    " AND occurrence.ordinal < passage.first + ?"
)


def change_tokenizer(connection: Connection, old: str, new: str, passage_sentences: int) -> None:
    """Remove the texts whose words change from the index, and give it the new tokenizer.

    Args:
        connection: of the transaction.
        old: the tokenizer of a library that is to be changed, as its SQL has it.
        new: the one that it gets.
        passage_sentences: of a passage.
    """
    run = connection.exec_driver_sql
    is_old = "SELECT count(*) FROM sqlite_master WHERE name = 'sentence_words' AND instr(sql, ?)"
    if not run(is_old, (f"'{old}'",)).scalar_one():
        return
    changed = json.dumps(list(_iter_changed(connection)))
    passages = json.dumps(list(run(_PASSAGES, (changed, passage_sentences)).scalars()))
    for index, source, ids in (("passage_words", "passage_text", passages), ("sentence_words", "sentence", changed)):
        run(
            f"INSERT INTO {index} ({index}, rowid, text) SELECT 'delete', id, text FROM {source}"
            f" WHERE id IN (SELECT value FROM json_each(?)) AND id IN (SELECT id FROM {index}_docsize)",
            (ids,),
        )
    # Section 7 of SQLite's manual on ALTER TABLE: for changes that leave what is stored as it is.
    version = int(run("PRAGMA schema_version").scalar_one())
    run("PRAGMA writable_schema = ON")
    try:
        run(
            "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name IN ('sentence_words', 'passage_words')",
            (f"'{old}'", f"'{new}'"),
        )
        run(f"PRAGMA schema_version = {version + 1}")
    finally:
        run("PRAGMA writable_schema = OFF")


def index_missing(connection: Connection) -> None:
    """Add the texts that are not in the index."""
    for index, source in (("sentence_words", "sentence"), ("passage_words", "passage_text")):
        connection.exec_driver_sql(
            f"INSERT INTO {index} (rowid, text) SELECT id, text FROM {source}"
            f" WHERE id NOT IN (SELECT id FROM {index}_docsize)"
        )


def _iter_changed(connection: Connection) -> Iterator[int]:
    """Yield the ids of sentences whose words may change."""
    after = 0
    while rows := connection.exec_driver_sql(_NOT_ASCII, (after, _STEP_ROWS)).all():
        yield from (number for number, content in rows if _MAY_CHANGE.search(content))
        after = rows[-1].id
