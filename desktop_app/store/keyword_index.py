"""The full-text index: SQLite's FTS5 over sentences and document passages, ranked by BM25.

Words are stemmed (Porter), and case and diacritics are removed. The indexes store no texts of their own;
`migrations.py` defines their tables and the triggers that remove deleted rows from them. BM25: Robertson and Zaragoza
2009, with FTS5's k1 = 1.2 and b = 0.75. Sentences are ranked by BM25+ (Lv and Zhai 2011, "Lower-Bounding Term Frequency
Normalization"), with their delta = 1: otherwise a sentence of three words with one word of the query outranks longer
ones with all of them.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import OrderedDict
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import bindparam, delete, func, insert, select, text
from sqlalchemy.exc import DatabaseError

from desktop_app.core.index_terms import iter_terms, stem_word
from desktop_app.core.messages import Message, join_messages
from desktop_app.core.word_conditions import ExactPhrase, WordGroup, WordStart, fold_words, iter_words_of
from desktop_app.store.database import WORD_INSTANCES, fetch_plain_rows
from desktop_app.store.keyword_levels import trim_levels
from desktop_app.store.migrations import PASSAGE_CHARACTERS
from desktop_app.store.schema import PassageRow
from desktop_app.store.sentence_lengths import SentenceLengths
from desktop_app.store.vector_index import contains_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from desktop_app.core.arrays import Ids, Scores
    from desktop_app.core.jobs import Steps
    from desktop_app.core.query import KeywordQuery
    from desktop_app.core.word_conditions import WordCondition
    from desktop_app.store.database import Database


SENTENCES = "sentence_words"
PASSAGES = "passage_words"
KEYWORD_INDEXES = (SENTENCES, PASSAGES)
_SOURCES = {SENTENCES: "sentence", PASSAGES: "passage"}
_CONTENTS = {SENTENCES: "sentence", PASSAGES: "passage_text"}
_SHADOW_TABLES = ("data", "idx", "docsize")

MAX_RANKED_ROWS = 8000
"""Words are looked up from the rarest on, until so many rows match; a word that is everywhere says little."""

MAX_SCANNED_ROWS = 40_000
"""Up to so many rows are scanned, unranked, for those that are ranked; a word in more rows says nothing."""

_K1, _B = 1.2, 0.75
DELTA = 1.0
"""What a word adds to the score of a sentence, however long that is, in parts of its inverse document frequency."""
_LEAST_RARITY = 1e-6
_MERGE_PAGES = 100
_MERGES_A_FLUSH = 4  # some 200 pages of the log each; a commit moves it from 1,000 on, and waits for the disk
_EVERY_ROW = -1
_MIN_START, _LONGEST_SUFFIX = 3, 5
"""Letters of the beginning of a word that are looked up at least, and those that stemming may have changed."""
_KNOWN_COUNTS = 4096
_MOST_KEPT_ROWS = 1_000_000
"""Rows that are kept for the next search: those with required or excluded words, 8 MB; with words that rank, 16 MB."""

# One statement per index, so that each is prepared once; passed to SQLite as text because a search runs many.
_RANKED = {
    index: f"SELECT rowid, -rank FROM {index} WHERE {index} MATCH ? ORDER BY rank, rowid LIMIT ?" for index in _SOURCES
}
# The plus keeps SQLite from looking up each row by itself: scanning all rows with the words takes a twentieth of the
# time.
_RANKED_AMONG = {
    index: f"SELECT rowid, -rank FROM {index} WHERE {index} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
    for index in _SOURCES
}
_ALL_AMONG = {
    index: f"SELECT rowid FROM {index} WHERE {index} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
    for index in _SOURCES
}
_ALL = {index: f"SELECT rowid FROM {index} WHERE {index} MATCH ?" for index in _SOURCES}
_COUNT = {index: f"SELECT count(*) FROM {index} WHERE {index} MATCH ?" for index in _SOURCES}
_ANY = {index: f"SELECT 1 FROM {index} WHERE {index} MATCH ? LIMIT 1" for index in _SOURCES}
_WITH_ROWS = {
    index: f"SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM {index} WHERE {index} MATCH value)"
    for index in _SOURCES
}
_ALL_EXACT = {
    index: f"SELECT rowid FROM {index} WHERE {index} MATCH ? AND has_words({index}.text, ?)" for index in _SOURCES
}
_INSTANCES = f"SELECT doc FROM {WORD_INSTANCES} WHERE term = ?"
_INDEX_SENTENCES = text(
    f"INSERT INTO {SENTENCES} (rowid, text) SELECT id, text FROM sentence WHERE id BETWEEN :first AND :last"
)

_LAST_PASSAGE = select(func.max(PassageRow.first)).where(PassageRow.version_id == bindparam("version"))


class KeywordIndex:
    """Looks up words, and keeps the indexes in step with the stored texts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lengths = SentenceLengths(database, SENTENCES)
        self._common: dict[tuple[str, str], int] = {}
        self._rare: dict[tuple[str, str], int] = {}
        self._rare_at = (-1, -1)
        self._rows: OrderedDict[tuple[str, WordCondition], Ids] = OrderedDict()
        self._rows_at = (-1, -1)
        self._terms: dict[str, tuple[Ids, Ids]] = {}
        self._terms_at = (-1, -1)

    # Adding and removing

    def add_sentences(self, connection: Connection, first_id: int, last_id: int) -> None:
        """Index sentences that were stored in this transaction."""
        connection.execute(_INDEX_SENTENCES, {"first": first_id, "last": last_id})

    def add_passages(self, connection: Connection, version_id: int, stored: int, *, is_whole: bool) -> None:
        """Index the complete passages of a version, and its last one when the version `is_whole`."""
        last = connection.execute(_LAST_PASSAGE, {"version": version_id}).scalar_one()
        begin = 0 if last is None else last + PASSAGE_CHARACTERS
        end = stored if is_whole else stored // PASSAGE_CHARACTERS * PASSAGE_CHARACTERS
        passages = [{"version_id": version_id, "first": first} for first in range(begin, end, PASSAGE_CHARACTERS)]
        if passages:
            connection.execute(insert(PassageRow), passages)

    def remove_passages(self, connection: Connection, version_id: int, ordinal: int) -> None:
        """Remove the passages of a version that contain the sentence with an ordinal, or later ones."""
        first = ordinal // PASSAGE_CHARACTERS * PASSAGE_CHARACTERS
        connection.execute(delete(PassageRow).where(PassageRow.version_id == version_id, PassageRow.first >= first))

    def merge(self) -> Steps[None]:
        """Merge each index into one piece, step by step: only that removes deleted words from the disk."""
        self._forget_counts()
        trim_levels(self._database, KEYWORD_INDEXES)
        for index in _SOURCES:
            for number in itertools.count(1):
                if number % _MERGES_A_FLUSH == 0:
                    yield from self._database.move_log()
                with self._database.write_transaction() as connection:
                    before = _read_change_count(connection)
                    connection.exec_driver_sql(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', {-_MERGE_PAGES})")
                    # FTS5's manual: fewer than two changes mean that there was nothing to merge.
                    is_done = _read_change_count(connection) - before < 2
                yield None
                if is_done:
                    break

    # Looking up

    def fill_lengths(self) -> Steps[None]:
        """Read the lengths of all sentences, some at a time: with them, searches take a third of the time."""
        return self._lengths.fill()

    def ranked(
        self,
        connection: Connection,
        index: str,
        keyword_query: KeywordQuery,
        most: int,
        *,
        among: Ids | None = None,
        choose: Callable[[Ids], NDArray[np.bool_] | None] | None = None,
        is_restricted: bool = True,
    ) -> tuple[Ids, Scores]:
        """Return up to `most` rows with the words, best first: ids int64 [n], scores float32 [n], higher is better.

        Scores are BM25+ of sentences, BM25 of passages.

        There may be more than `most` where rows were chosen.

        Args:
            connection: of the transaction.
            index: SENTENCES or PASSAGES.
            keyword_query: the words to find and to exclude.
            most: the maximum number of rows.
            among: only these rows, even with the commonest words only; None: all rows without the commonest words.
            choose: returns for each of the rows with the words whether it is wanted, bool [n], or None for all.
            is_restricted: leave out rows without the required words, and rows with excluded ones.
        """
        words = _distinct(map(quote_phrase, keyword_query.any))
        if among is None:
            words = self._rarest(connection, index, words)
        words = _distinct([*words, *_required(keyword_query)])
        if not words:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        is_limited = is_restricted and keyword_query.is_restrictive
        limit = _EVERY_ROW if is_limited else most
        found = self._rank_by_lengths(connection, index, words, among, choose, limit)
        ids, scores = found or self._rank_by_index(connection, index, words, among, choose, limit)
        if is_limited:
            kept = self.are_allowed(connection, index, keyword_query, ids)
            ids, scores = ids[kept], scores[kept]
            if most != _EVERY_ROW:
                ids, scores = ids[:most], scores[:most]
        return ids, scores

    def _rank_by_index(
        self,
        connection: Connection,
        index: str,
        words: Sequence[str],
        among: Ids | None,
        choose: Callable[[Ids], NDArray[np.bool_] | None] | None,
        limit: int,
    ) -> tuple[Ids, Scores]:
        """Return the rows with the words, ranked with FTS5's BM25.

        It finds a row six times as fast as it ranks it, so rows are chosen first.
        """
        expression = _any_of(words)
        if among is None and choose is not None:
            matches = fetch_plain_rows(connection, _ALL[index], (expression,))
            found = np.fromiter((row[0] for row in matches), np.int64, len(matches))
            wanted = choose(found)
            among = found[wanted] if wanted is not None else None
        if among is None:
            best = _EVERY_ROW if index == SENTENCES else limit
            rows = fetch_plain_rows(connection, _RANKED[index], (expression, best))
        else:
            rows = fetch_plain_rows(connection, _RANKED_AMONG[index], (expression, json.dumps(among.tolist())))
            limit = _EVERY_ROW
        ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
        scores = np.fromiter((row[1] for row in rows), np.float64, len(rows))
        if index == SENTENCES:
            scores += self._least_scores(connection, words, ids, is_chosen=among is not None)
        return _take_best(ids, scores, limit)

    def _least_scores(
        self, connection: Connection, words: Sequence[str], ids: Ids, *, is_chosen: bool
    ) -> NDArray[np.float64]:
        """Return what BM25+ adds to BM25 of sentences: float64 [n].

        Args:
            connection: of the transaction.
            words: to count.
            ids: of the sentences.
            is_chosen: whether others may have the words too, and perhaps very many.
        """
        rows_in_all, _ = self._lengths.average(connection)
        added = np.zeros(len(ids))
        for word in words:
            term, count = _only_term(word), self._count(connection, SENTENCES, word)
            if term and count <= MAX_RANKED_ROWS:
                own, _ = self._sentences_with(connection, term)
                count = len(own)
            elif is_chosen:
                own = _read_ids(connection, _ALL_AMONG[SENTENCES], (word, json.dumps(ids.tolist())))
            else:
                own = _read_ids(connection, _ALL[SENTENCES], (word,))
                count = len(own)
            added[contains_ids(own, ids)] += _rarity(count, rows_in_all) * DELTA
        return added

    def _rank_by_lengths(
        self,
        connection: Connection,
        index: str,
        words: Sequence[str],
        among: Ids | None,
        choose: Callable[[Ids], NDArray[np.bool_] | None] | None,
        limit: int,
    ) -> tuple[Ids, Scores] | None:
        """Return what `_rank_by_index` would give, from the known lengths of sentences; None where these do not help.

        The same operations in the same order as FTS5's, so that not even the last bit of a score differs.
        """
        terms = [_only_term(word) for word in words]
        if index != SENTENCES or not self._lengths.is_filled or not all(terms):
            return None
        counted = [self._sentences_with(connection, term) for term in terms]
        ids, places = np.unique(np.concatenate([each for each, _ in counted]), return_inverse=True)
        lengths = self._lengths.of(connection, ids)
        if lengths is None:
            return None
        rows_in_all, average = self._lengths.average(connection)
        norms = _K1 * (1 - _B + _B * lengths / average)
        scores, added, first = np.zeros(len(ids)), np.zeros(len(ids)), 0
        for own, counts in counted:
            at = places[first : first + len(own)]
            first += len(own)
            rarity = _rarity(len(own), rows_in_all)
            scores[at] += rarity * (counts * (_K1 + 1.0) / (counts + norms[at]))
            added[at] += rarity * DELTA
        scores += added
        if among is not None:
            wanted: NDArray[np.bool_] | None = np.isin(ids, among)
        else:
            wanted = choose(ids) if choose is not None else None
        if wanted is not None:
            ids, scores, limit = ids[wanted], scores[wanted], _EVERY_ROW
        return _take_best(ids, scores, limit)

    def _sentences_with(self, connection: Connection, term: str) -> tuple[Ids, Ids]:
        """Return the sentences with a term, ascending, and how often each has it.

        They are kept for a while: `shares` asks for them next, and the next key leaves the words before it as they are.
        """
        if (at := self._database.state()) != self._terms_at:
            self._terms.clear()
            self._terms_at = at
        if (known := self._terms.get(term)) is None:
            rows = fetch_plain_rows(connection, _INSTANCES, (term,))
            instances = np.fromiter((row[0] for row in rows), np.int64, len(rows))
            known = self._terms[term] = np.unique(instances, return_counts=True)
            if sum(len(ids) for ids, _ in self._terms.values()) > _MOST_KEPT_ROWS:
                self._terms = {term: known}
        return known

    def are_allowed(
        self, connection: Connection, index: str, keyword_query: KeywordQuery, ids: Ids
    ) -> NDArray[np.bool_]:
        """Return for each of `ids` whether it has the required words and none of the excluded: bool [n]."""
        allowed = np.ones(len(ids), np.bool_)
        for part in keyword_query.must:
            allowed &= np.isin(ids, self.rows_with(connection, index, part))
        for part in keyword_query.without:
            allowed &= ~np.isin(ids, self.rows_with(connection, index, part))
        return allowed

    def is_common(self, connection: Connection, index: str, keyword_query: KeywordQuery) -> bool:
        """Return whether even the rarest of the words occurs in so many rows that ranking them all takes long."""
        if keyword_query.must:
            return False
        counts = [self._count(connection, index, quote_phrase(word)) for word in keyword_query.any]
        return min(filter(None, counts), default=0) > MAX_RANKED_ROWS

    def ranked_among(
        self, connection: Connection, index: str, keyword_query: KeywordQuery, ids: Sequence[int]
    ) -> dict[int, float]:
        """Return the score of those of `ids` with any of the words but the commonest; empty if all are common."""
        words = [
            word
            for word in _distinct(map(quote_phrase, keyword_query.any))
            if self._is_scanned(connection, index, word)
        ]
        if not words:
            return {}
        words = self._rarest(connection, index, words)
        found, scores = self._rank_by_index(connection, index, words, np.asarray(ids, np.int64), None, _EVERY_ROW)
        if len(found) and keyword_query.is_restrictive:
            allowed = self.are_allowed(connection, index, keyword_query, found)
            found, scores = found[allowed], scores[allowed]
        return dict(zip(found.tolist(), scores.tolist(), strict=True))

    def shares(
        self, connection: Connection, index: str, keyword_query: KeywordQuery, ids: Sequence[int], rows: int
    ) -> dict[int, float]:
        """Return the share of the words in those of `ids` with any but the commonest, out of `rows`; see `weight`."""
        words = _distinct(map(quote_phrase, keyword_query.any))
        words = [each for each in words if self._is_scanned(connection, index, each)]
        words = self._rarest(connection, index, words)
        required = [each for each in _required(keyword_query) if self._is_scanned(connection, index, each)]
        asked, found = np.asarray(ids, np.int64), np.zeros(len(ids))
        among, known = json.dumps(asked.tolist()), {}
        if index == SENTENCES and self._terms_at == self._database.state():
            known = self._terms
        for word in _distinct([*words, *required]):
            if (counted := known.get(_only_term(word))) is not None:
                has_word = contains_ids(counted[0], asked)
            else:
                matches = fetch_plain_rows(connection, _ALL_AMONG[index], (word, among))
                has_word = np.isin(asked, np.fromiter((row[0] for row in matches), np.int64, len(matches)))
            found[has_word] += _rarity(self._count(connection, index, word), rows)
        there = found > 0
        shares = np.minimum(found[there] / max(self.weight(connection, index, keyword_query, rows), _LEAST_RARITY), 1.0)
        return dict(zip(asked[there].tolist(), shares.tolist(), strict=True))

    def _is_scanned(self, connection: Connection, index: str, word: str) -> bool:
        return 0 < self._count(connection, index, word) <= MAX_SCANNED_ROWS

    def rows_with(self, connection: Connection, index: str, condition: WordCondition) -> Ids:
        """Return the ids of the rows that satisfy a condition, ascending.

        They are kept for a while: a search asks several times, and the next key leaves what is already typed as it is.
        """
        if isinstance(condition, WordGroup):
            join = np.union1d if condition.is_any else np.intersect1d
            return reduce(join, (self.rows_with(connection, index, part) for part in condition.parts))
        key = index, condition
        if (at := self._database.state()) != self._rows_at:
            self._rows.clear()
            self._rows_at = at
        if (known := self._rows.get(key)) is None:
            known = self._rows[key] = self._read_rows_with(connection, index, condition)
            kept = sum(map(len, self._rows.values()))
            while kept > _MOST_KEPT_ROWS:
                _, oldest = self._rows.popitem(last=False)
                kept -= len(oldest)
        else:
            self._rows.move_to_end(key)
        return known

    @staticmethod
    def _read_rows_with(connection: Connection, index: str, condition: str | ExactPhrase | WordStart) -> Ids:
        if isinstance(condition, str):
            rows = connection.exec_driver_sql(_ALL[index], (_expression(condition),)).scalars()
        else:
            folded = fold_words(condition.text)
            if isinstance(condition, WordStart):
                folded = folded[:-1]
            rows = connection.exec_driver_sql(_ALL_EXACT[index], (_expression(condition), folded)).scalars()
        return np.sort(np.fromiter(rows, np.int64))

    def has_word(self, connection: Connection, index: str, word: str, *, is_beginning: bool = False) -> bool:
        """Return whether a row has a word, or with `is_beginning` one that begins with it."""
        expression = quote_phrase(word) + " *" * is_beginning
        return bool(fetch_plain_rows(connection, _ANY[index], (expression,)))

    def count_words(self, connection: Connection, index: str, words: Sequence[str]) -> dict[str, int]:
        """Return in how many rows each of many words is, without those that are in none."""
        phrases = {quote_phrase(word): word for word in words}
        there = fetch_plain_rows(connection, _WITH_ROWS[index], (json.dumps(list(phrases)),))
        return {phrases[phrase]: self._count(connection, index, phrase) for (phrase,) in there}

    def weight(self, connection: Connection, index: str, keyword_query: KeywordQuery, rows: int) -> float:
        """Return the BM25 of a row of average length, out of `rows`, that contains every word once.

        The BM25 of one word in such a row is its inverse document frequency, which FTS5 keeps above 0. BM25+ of a
        sentence is 1 + DELTA times as much.
        """
        phrases = _distinct([*map(quote_phrase, keyword_query.any), *_required(keyword_query)])
        return sum(_rarity(self._count(connection, index, phrase), rows) for phrase in phrases)

    def rarities(self, connection: Connection, index: str, words: Sequence[str]) -> dict[str, float]:
        """Return the inverse frequency of each word that at least two rows have."""
        rows = int(fetch_plain_rows(connection, f"SELECT count(*) FROM {_SOURCES[index]}", ())[0][0])
        counts = {word: self._count(connection, index, quote_phrase(word)) for word in words}
        return {word: _rarity(count, rows) for word, count in counts.items() if count > 1}

    def _rarest(self, connection: Connection, index: str, words: list[str]) -> list[str]:
        """Return the rarest of some words, as long as few enough rows match; at least one that is anywhere."""
        counted = sorted((self._count(connection, index, word), word) for word in dict.fromkeys(words))
        found = [(count, word) for count, word in counted if count]
        chosen: list[str] = []
        total = 0
        for count, word in found:
            total += count
            if chosen and total > MAX_RANKED_ROWS:
                break
            chosen.append(word)
        return chosen

    def _count(self, connection: Connection, index: str, word: str) -> int:
        """Return in how many rows a word occurs, or did a moment ago: the count only decides what is too common."""
        key = index, word
        at = self._database.state()
        if at != self._rare_at:
            # Rare words are counted quickly, and an import may change their counts.
            self._rare.clear()
            self._rare_at = at
        known = self._common.get(key, self._rare.get(key))
        if known is None:
            known = int(fetch_plain_rows(connection, _COUNT[index], (word,))[0][0])
            kept = self._common if known > MAX_RANKED_ROWS // 8 else self._rare
            if len(kept) >= _KNOWN_COUNTS:
                kept.clear()
            kept[key] = known
        return known

    def _forget_counts(self) -> None:
        self._common.clear()
        self._rare.clear()

    # Maintenance

    def wrong(self, connection: Connection) -> Message:
        """Return what the indexes lack or have too much; nothing if they are correct.

        Args:
            connection: one that is closed afterwards; it need not be allowed to write.
        """

        def count(query: str) -> int:
            return int(connection.exec_driver_sql(f"SELECT count(*) FROM ({query})").scalar_one())

        wrong = []
        for index, source in _SOURCES.items():
            held, there = f"SELECT id FROM {index}_docsize", f"SELECT id FROM {source}"
            if lacking := count(f"{there} EXCEPT {held}"):
                wrong.append(
                    Message(
                        "the word index lacks {count} sentences"
                        if source == "sentence"
                        else "the word index lacks {count} passages",
                        count=lacking,
                    )
                )
            if erased := count(f"{held} EXCEPT {there}"):
                wrong.append(
                    Message(
                        "the word index still has {count} erased sentences"
                        if source == "sentence"
                        else "the word index still has {count} erased passages",
                        count=erased,
                    )
                )
            if not wrong and not _matches_texts(connection, index):
                wrong.append(
                    Message("the word index of the sentences does not match the texts")
                    if source == "sentence"
                    else Message("the word index of the passages does not match the texts")
                )
        return join_messages(*wrong)

    def rebuild(self) -> None:
        """Rebuild both indexes."""
        self._forget_counts()
        self._lengths.forget()
        with self._database.write_transaction() as connection:
            for index in _SOURCES:
                connection.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")


def _matches_texts(connection: Connection, index: str) -> bool:
    """Return whether an index has each word of the texts at its place, and no other.

    FTS5 compares them by a statement that writes nothing, but locks the library against all writers. So the index is
    copied into a temporary one over the same texts: in memory, a few percent of the library.
    """
    run = connection.exec_driver_sql
    (created,) = run("SELECT sql FROM main.sqlite_master WHERE name = ?", (index,)).one()
    content = _CONTENTS[index]
    run("PRAGMA query_only = OFF")  # it concerns temporary tables too
    run(f"CREATE TEMP VIEW {content} AS SELECT * FROM main.{content}")
    run(created.replace(index, f"temp.{index}", 1))
    for table in _SHADOW_TABLES:
        run(f"DELETE FROM temp.{index}_{table}")
        run(f"INSERT INTO temp.{index}_{table} SELECT * FROM main.{index}_{table}")
    try:
        # The 1 asks for a comparison with the texts.
        run(f"INSERT INTO temp.{index} ({index}, rank) VALUES ('integrity-check', 1)")
    except DatabaseError:
        return False
    run(f"DROP TABLE temp.{index}")
    return True


def _read_ids(connection: Connection, query: str, values: tuple[object, ...]) -> Ids:
    """Return the ids that a query finds, ascending."""
    rows = fetch_plain_rows(connection, query, values)
    return np.sort(np.fromiter((row[0] for row in rows), np.int64, len(rows)))


def _take_best(ids: Ids, scores: NDArray[np.float64], limit: int) -> tuple[Ids, Scores]:
    """Return the `limit` rows with the highest scores, best first; of equal ones the lower ids."""
    best = np.lexsort((ids, -scores))[: None if limit == _EVERY_ROW else limit]
    return ids[best], scores[best].astype(np.float32)


def _only_term(expression: str) -> str:
    """Return the term that a quoted word stands for; empty for phrases and the beginnings of words."""
    terms = [each.term for each in iter_terms(expression)]
    return terms[0] if len(terms) == 1 and not expression.endswith("*") else ""


def _rarity(count: int, rows: int) -> float:
    """Return the inverse document frequency of a word as FTS5 computes it, never below a small positive number."""
    return max(math.log(max(rows - count + 0.5, 0.5) / (count + 0.5)), _LEAST_RARITY)


def _read_change_count(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT total_changes()").scalar_one())


def quote_phrase(phrase: str) -> str:
    """Return a phrase in FTS5's syntax: nothing between quotes is an operator."""
    return '"' + phrase.replace("\0", " ").replace('"', '""') + '"'


def _any_of(expressions: Sequence[str]) -> str:
    """Return an expression of FTS5 (section 3 of its manual) for rows with any of the words."""
    return " OR ".join(dict.fromkeys(expressions))


def _required(keyword_query: KeywordQuery) -> list[str]:
    """Return expressions for the required words, phrases and beginnings."""
    return [_expression(word) for part in keyword_query.must for word in iter_words_of(part)]


def _distinct(expressions: Iterable[str]) -> list[str]:
    """Return expressions without those that find the same as an earlier one: a word in two forms would count double."""
    found: dict[tuple[bool, str], str] = {}
    for each in expressions:
        is_beginning = each.endswith("*")
        stems = " ".join(term.term for term in iter_terms(each))
        found.setdefault((is_beginning, stems), each)
    return list(found.values())


def _expression(word: str | ExactPhrase | WordStart) -> str:
    """Return an expression of FTS5 for all rows that may have a word, a phrase or the beginning of a word."""
    if isinstance(word, str):
        return quote_phrase(word)
    if isinstance(word, ExactPhrase):
        return quote_phrase(word.text)
    # The index has stems: "flie" must find "fli", the stem of "flies".
    start = word.text[: max(_MIN_START, len(word.text) - _LONGEST_SUFFIX)]
    return quote_phrase(min(start, stem_word(word.text), key=len)) + " *"
