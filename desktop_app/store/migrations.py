"""Numbered migrations that bring a library file of any older version to the current one."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_app.core.errors import LibraryBusy, LibraryDamaged, LibraryTooNew, StorageFull
from desktop_app.core.file_replacement import replace_file
from desktop_app.core.unfinished_files import record_unfinished
from desktop_app.store import legacy_messages, word_mark_migration
from desktop_app.store.library_lock import COPY_DRAFT_SUFFIX, COPY_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from desktop_app.store.database import Database

APPLICATION_ID = 0x4B494E44  # "KIND": lets `file` and Kindred tell these files from other SQLite files

DOCUMENT_STATES = ("queued", "reading", "embedding", "ready", "failed")

_SPARE_BYTES = 50_000_000
"""What a migration may need in addition to the copy."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A step to the format `version`, which is 1000 * major + minor.

    Older programs of the same major version can read and write a new minor version, but not a new major one. A step and
    its record (`PRAGMA user_version`) are one transaction: after a failure, even a power cut, the file is still
    completely of the earlier version, and the next start tries again.

    Attributes:
        statements: run first.
        convert: changes rows where statements cannot.
        is_note: changes nothing that cannot be made again: no copy is needed, and a reader can do without.
    """

    version: int
    statements: tuple[str, ...] = ()
    convert: Callable[[Connection], None] | None = None
    is_note: bool = False


# A document's row has its state and the number of its visible sentences; triggers copy both into the counters, so that
# no code path can forget to.
_COUNT_IN = (
    "UPDATE counter SET value = value + 1 WHERE new.removed_at IS NULL AND name = 'documents.' || new.state; "
    "UPDATE counter SET value = value + new.sentences WHERE new.removed_at IS NULL AND name = 'occurrences';"
)
_COUNT_OUT = (
    "UPDATE counter SET value = value - 1 WHERE old.removed_at IS NULL AND name = 'documents.' || old.state; "
    "UPDATE counter SET value = value - old.sentences WHERE old.removed_at IS NULL AND name = 'occurrences';"
)
TRIGGERS = (
    f"CREATE TRIGGER document_added AFTER INSERT ON document BEGIN {_COUNT_IN} END",
    f"CREATE TRIGGER document_erased AFTER DELETE ON document BEGIN {_COUNT_OUT} END",
    "CREATE TRIGGER document_changed AFTER UPDATE OF state, sentences, removed_at ON document "
    f"BEGIN {_COUNT_OUT} {_COUNT_IN} END",
)
COUNTERS = (
    "sentences",
    "vectors",
    "occurrences",
    "segments",
    "totals",
    "traces",
    *(f"documents.{state}" for state in DOCUMENT_STATES),
)

_FIRST = (
    "CREATE TABLE document (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL, name BLOB NOT NULL,"
    " own_title VARCHAR NOT NULL, state VARCHAR NOT NULL, reason VARCHAR, message VARCHAR NOT NULL,"
    " size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, added_at REAL NOT NULL, removed_at REAL,"
    " live_id INTEGER, building_id INTEGER, sentences INTEGER NOT NULL, UNIQUE (path))",
    "CREATE UNIQUE INDEX document_live ON document (live_id)",
    "CREATE INDEX document_building ON document (building_id) WHERE building_id IS NOT NULL",
    "CREATE INDEX document_removed ON document (removed_at) WHERE removed_at IS NOT NULL",
    "CREATE INDEX document_state ON document (state, id)",
    "CREATE INDEX ix_document_name ON document (name)",
    "CREATE TABLE version (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, document_id INTEGER NOT NULL,"
    " content_hash VARCHAR, type VARCHAR NOT NULL, title VARCHAR NOT NULL, author VARCHAR NOT NULL,"
    " page_count INTEGER, encoding VARCHAR, outline VARCHAR NOT NULL, warnings VARCHAR NOT NULL,"
    " sentences INTEGER NOT NULL, FOREIGN KEY(document_id) REFERENCES document (id))",
    "CREATE INDEX ix_version_document_id ON version (document_id)",
    "CREATE TABLE page (version_id INTEGER NOT NULL, page INTEGER NOT NULL, label VARCHAR, state VARCHAR,"
    " engine VARCHAR, quality REAL, PRIMARY KEY (version_id, page),"
    " FOREIGN KEY(version_id) REFERENCES version (id)) WITHOUT ROWID",
    "CREATE TABLE sentence (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL,"
    " text VARCHAR NOT NULL, UNIQUE (hash))",
    "CREATE TABLE occurrence (version_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, sentence_id INTEGER NOT NULL,"
    " paragraph INTEGER NOT NULL, kind VARCHAR NOT NULL, page INTEGER, start INTEGER NOT NULL, stop INTEGER NOT NULL,"
    " unit VARCHAR NOT NULL, more VARCHAR, PRIMARY KEY (version_id, ordinal),"
    " FOREIGN KEY(version_id) REFERENCES version (id), FOREIGN KEY(sentence_id) REFERENCES sentence (id))"
    " WITHOUT ROWID",
    "CREATE INDEX occurrence_sentence ON occurrence (sentence_id)",
    "CREATE TABLE model (id INTEGER NOT NULL, fingerprint VARCHAR NOT NULL, name VARCHAR NOT NULL,"
    " dim INTEGER NOT NULL, max_length INTEGER NOT NULL, pooling VARCHAR NOT NULL, normalised BOOLEAN NOT NULL,"
    " folder BLOB NOT NULL, current BOOLEAN NOT NULL, PRIMARY KEY (id), UNIQUE (fingerprint))",
    "CREATE TABLE embedding (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, sentence_id INTEGER NOT NULL,"
    " model_id INTEGER NOT NULL, vector BLOB NOT NULL, UNIQUE (sentence_id, model_id),"
    " FOREIGN KEY(sentence_id) REFERENCES sentence (id), FOREIGN KEY(model_id) REFERENCES model (id))",
    "CREATE TABLE total (version_id INTEGER NOT NULL, model_id INTEGER NOT NULL, changed INTEGER NOT NULL,"
    " vector BLOB NOT NULL, PRIMARY KEY (version_id), FOREIGN KEY(version_id) REFERENCES version (id),"
    " FOREIGN KEY(model_id) REFERENCES model (id))",
    "CREATE INDEX ix_total_changed ON total (changed)",
    "CREATE TABLE segment (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, model_id INTEGER NOT NULL,"
    " first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, file VARCHAR NOT NULL, checksum VARCHAR NOT NULL,"
    " rows INTEGER NOT NULL, dead INTEGER NOT NULL, FOREIGN KEY(model_id) REFERENCES model (id))",
    "CREATE INDEX ix_segment_model_id ON segment (model_id)",
    "CREATE TABLE loose (sentence_id INTEGER NOT NULL, PRIMARY KEY (sentence_id))",
    "CREATE TABLE counter (name VARCHAR NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (name)) WITHOUT ROWID",
    *(f"INSERT INTO counter (name, value) VALUES ('{name}', 0)" for name in COUNTERS),
    *TRIGGERS,
    f"PRAGMA application_id = {APPLICATION_ID}",
)

_SWITCHING = (
    "ALTER TABLE model ADD COLUMN switching VARCHAR NOT NULL DEFAULT ''",
    # No foreign key to `version`: an older program deletes versions and does not know this table.
    "CREATE TABLE next_total (version_id INTEGER NOT NULL, model_id INTEGER NOT NULL, changed INTEGER NOT NULL,"
    " vector BLOB NOT NULL, PRIMARY KEY (version_id))",
)

_TRUNCATED = (
    "ALTER TABLE version ADD COLUMN truncated INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE truncated (model_id INTEGER NOT NULL, sentence_id INTEGER NOT NULL,"
    " PRIMARY KEY (model_id, sentence_id), FOREIGN KEY(model_id) REFERENCES model (id),"
    " FOREIGN KEY(sentence_id) REFERENCES sentence (id)) WITHOUT ROWID",
)

# Neighbours are deleted with the vector they were computed from, whichever version of the program erases it.
NEIGHBOUR_ERASED = (
    "CREATE TRIGGER neighbour_erased AFTER DELETE ON embedding BEGIN"
    " DELETE FROM neighbour WHERE sentence_id = old.sentence_id AND model_id = old.model_id; END"
)
_NEIGHBOURS = (
    "CREATE TABLE neighbour (sentence_id INTEGER NOT NULL, model_id INTEGER NOT NULL, near BLOB NOT NULL,"
    " PRIMARY KEY (sentence_id))",
    NEIGHBOUR_ERASED,
)

# Words: an index of the sentences, and one of the documents in passages of PASSAGE_CHARACTERS sentences, so that a book
# is indexed piece by piece. Both read texts from their own tables, without a copy. Triggers remove
# deleted rows from the indexes while the text that FTS5 needs for it still exists.
# Vowel signs and other marks are parts of words, but for variation selectors, which choose the look of an emoji.
_VARIATION_SELECTORS = "".join(map(chr, range(0xFE00, 0xFE10)))
FIRST_TOKENIZER = "porter unicode61 remove_diacritics 2"
TOKENIZER = f"{FIRST_TOKENIZER} categories ''L* N* Co Mn Mc'' separators ''{_VARIATION_SELECTORS}''"
PASSAGE_CHARACTERS = 2000
_PASSAGES = (
    "CREATE TABLE passage (id INTEGER NOT NULL, version_id INTEGER NOT NULL, first INTEGER NOT NULL,"
    " PRIMARY KEY (id), FOREIGN KEY(version_id) REFERENCES version (id))",
    "CREATE UNIQUE INDEX passage_version ON passage (version_id, first)",
)
WORDS = (
    "CREATE VIRTUAL TABLE sentence_words USING fts5"
    f"(text, content = 'sentence', content_rowid = 'id', tokenize = '{TOKENIZER}')",
    "CREATE TRIGGER sentence_erased BEFORE DELETE ON sentence BEGIN"
    " INSERT INTO sentence_words (sentence_words, rowid, text) VALUES ('delete', old.id, old.text); END",
    "CREATE VIEW passage_text AS SELECT passage.id, (SELECT group_concat(text, ' ') FROM (SELECT sentence.text"
    " FROM occurrence JOIN sentence ON sentence.id = occurrence.sentence_id"
    " WHERE occurrence.version_id = passage.version_id AND occurrence.ordinal >= passage.first"
    f" AND occurrence.ordinal < passage.first + {PASSAGE_CHARACTERS} ORDER BY occurrence.ordinal))"
    " AS text FROM passage",
    "CREATE VIRTUAL TABLE passage_words USING fts5"
    f"(text, content = 'passage_text', content_rowid = 'id', tokenize = '{TOKENIZER}')",
    "CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN"
    " INSERT INTO passage_words (rowid, text) SELECT id, text FROM passage_text WHERE id = new.id; END",
    "CREATE TRIGGER passage_erased BEFORE DELETE ON passage BEGIN"
    " INSERT INTO passage_words (passage_words, rowid, text)"
    " SELECT 'delete', id, text FROM passage_text WHERE id = old.id; END",
)
_FILL_WORDS = (
    "INSERT INTO sentence_words (sentence_words) VALUES ('rebuild')",
    "INSERT INTO passage (version_id, first)"
    f" SELECT DISTINCT version_id, ordinal / {PASSAGE_CHARACTERS} * {PASSAGE_CHARACTERS} FROM occurrence"
    " WHERE version_id NOT IN (SELECT building_id FROM document WHERE building_id IS NOT NULL)",
)

_WATCHED = (
    "CREATE TABLE watched (path BLOB NOT NULL, include VARCHAR NOT NULL, exclude VARCHAR NOT NULL, PRIMARY KEY (path))",
)

_CLUSTERS = (
    "CREATE TABLE cluster (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name VARCHAR NOT NULL,"
    " members BLOB NOT NULL)",
)

# A label contains texts: labels of typed sentences are kept too. It is deleted when the library erases either sentence.
PAIR_MARK_ERASED = (
    "CREATE TRIGGER pair_mark_erased AFTER DELETE ON sentence BEGIN"
    " DELETE FROM pair_mark WHERE hash_a = old.hash OR hash_b = old.hash; END"
)
_MARKS = (
    "CREATE TABLE pair_mark (hash_a BLOB NOT NULL, hash_b BLOB NOT NULL, text_a VARCHAR NOT NULL,"
    " text_b VARCHAR NOT NULL, reviewed BOOLEAN NOT NULL, same BOOLEAN, marked_at REAL NOT NULL,"
    " PRIMARY KEY (hash_a, hash_b))",
    "CREATE INDEX pair_mark_other ON pair_mark (hash_b)",
    PAIR_MARK_ERASED,
)

_THEMES = (
    "ALTER TABLE cluster ADD COLUMN own_name BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE cluster ADD COLUMN pinned BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE cluster ADD COLUMN dormant BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE cluster ADD COLUMN keywords VARCHAR NOT NULL DEFAULT '[]'",
    "ALTER TABLE cluster ADD COLUMN closeness BLOB NOT NULL DEFAULT x''",
    "ALTER TABLE cluster ADD COLUMN keys INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE look (id INTEGER NOT NULL PRIMARY KEY, model_id INTEGER NOT NULL, granularity REAL NOT NULL,"
    " is_chosen BOOLEAN NOT NULL, min_size INTEGER NOT NULL, seen INTEGER NOT NULL, new_after INTEGER NOT NULL)",
    "CREATE TABLE map (id INTEGER NOT NULL PRIMARY KEY, model_id INTEGER NOT NULL, members BLOB NOT NULL,"
    " places BLOB NOT NULL)",
)

COLLECTED_ERASED = (
    "CREATE TRIGGER collected_erased AFTER DELETE ON document BEGIN"
    " DELETE FROM collected WHERE document_id = old.id; END"
)
_COLLECTIONS = (
    "CREATE TABLE collection (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name VARCHAR NOT NULL, UNIQUE (name))",
    # No foreign key to `document`: an older program erases documents and does not know this table.
    "CREATE TABLE collected (collection_id INTEGER NOT NULL, document_id INTEGER NOT NULL,"
    " PRIMARY KEY (collection_id, document_id), FOREIGN KEY(collection_id) REFERENCES collection (id)) WITHOUT ROWID",
    "CREATE INDEX collected_document ON collected (document_id)",
    COLLECTED_ERASED,
    "CREATE TABLE unlisted (path BLOB NOT NULL, anew BOOLEAN NOT NULL, PRIMARY KEY (path))",
)
_KEPT = (
    "CREATE TABLE asked (id INTEGER NOT NULL, text VARCHAR NOT NULL, mode VARCHAR NOT NULL, at REAL NOT NULL,"
    " PRIMARY KEY (id), UNIQUE (text))",
    "CREATE TABLE saved_search (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name VARCHAR NOT NULL,"
    " text VARCHAR NOT NULL, mode VARCHAR NOT NULL, min_score REAL NOT NULL, UNIQUE (name))",
    "CREATE TABLE saved_part (id INTEGER NOT NULL, search_id INTEGER NOT NULL, kind VARCHAR NOT NULL,"
    " key BLOB NOT NULL, name VARCHAR NOT NULL, PRIMARY KEY (id))",
    "CREATE INDEX ix_saved_part_search_id ON saved_part (search_id)",
    "CREATE INDEX ix_saved_part_key ON saved_part (key)",
    "CREATE TABLE quote (id INTEGER NOT NULL, document_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,"
    " text VARCHAR NOT NULL, page INTEGER, start INTEGER NOT NULL, stop INTEGER NOT NULL, unit VARCHAR NOT NULL,"
    " label VARCHAR, at REAL NOT NULL, PRIMARY KEY (id), UNIQUE (document_id, ordinal, text))",
    "CREATE TABLE judgement (id INTEGER NOT NULL, query VARCHAR NOT NULL, sentence_id INTEGER NOT NULL,"
    " is_relevant BOOLEAN NOT NULL, at REAL NOT NULL, PRIMARY KEY (id), UNIQUE (query, sentence_id))",
    "CREATE INDEX judgement_sentence ON judgement (sentence_id)",
    # The result of the recall meter (recall in ten thousandths), and the search width it chose.
    *(
        f"INSERT INTO counter (name, value) VALUES ('{name}', 0)"
        for name in ("ef_search", "recall", "recall_vectors", "recall_model")
    ),
)
# What a person kept of a document is erased with it, whichever program erases it.
KEPT_ERASED = (
    "CREATE TRIGGER kept_sentence_erased AFTER DELETE ON sentence BEGIN"
    " DELETE FROM judgement WHERE sentence_id = old.id OR query = old.text;"
    " DELETE FROM saved_part WHERE search_id IN (SELECT id FROM saved_search WHERE text = old.text);"
    " DELETE FROM saved_search WHERE text = old.text;"
    " DELETE FROM asked WHERE text = old.text; END",
    "CREATE TRIGGER kept_document_erased AFTER UPDATE OF path ON document WHEN new.removed_at = 0 BEGIN"
    " DELETE FROM quote WHERE document_id = new.id;"
    " DELETE FROM saved_part WHERE key = old.path; END",
)

# OCR results and corrections are deleted with their version or document, whichever program deletes it.
RECOGNISED_ERASED = (
    "CREATE TRIGGER recognised_erased AFTER DELETE ON version BEGIN"
    " DELETE FROM recognised WHERE version_id = old.id; END"
)
CORRECTION_ERASED = (
    "CREATE TRIGGER correction_erased AFTER DELETE ON document BEGIN"
    " DELETE FROM correction WHERE document_id = old.id; END"
)
CUT_ERASED = "CREATE TRIGGER cut_erased AFTER DELETE ON version BEGIN DELETE FROM cut WHERE version_id = old.id; END"

# OCR results. No foreign key to `version`, as for `next_total`.
_SCANS = (
    "ALTER TABLE document ADD COLUMN ocr VARCHAR NOT NULL DEFAULT ''",
    "CREATE TABLE recognised (version_id INTEGER NOT NULL, page INTEGER NOT NULL, text VARCHAR NOT NULL,"
    " words BLOB NOT NULL, PRIMARY KEY (version_id, page))",
    RECOGNISED_ERASED,
)
# Corrections of sentence boundaries: what to do, and the sentences as they were read.
_CORRECTIONS = (
    "CREATE TABLE correction (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, document_id INTEGER NOT NULL,"
    " action VARCHAR NOT NULL, hash BLOB NOT NULL, next_hash BLOB, at INTEGER)",
    "CREATE INDEX ix_correction_document_id ON correction (document_id)",
    CORRECTION_ERASED,
    "CREATE TABLE cut (version_id INTEGER NOT NULL, nth INTEGER NOT NULL, ordinal INTEGER NOT NULL,"
    " count INTEGER NOT NULL, originals VARCHAR NOT NULL, PRIMARY KEY (version_id, nth))",
    CUT_ERASED,
)

# A tag is a collection of another kind: a tag and a collection may share a name, and a tag is deleted with its last
# document. `name` alone was unique, which SQLite cannot change in an existing table.
TAG_ERASED = (
    "CREATE TRIGGER tag_erased AFTER DELETE ON collected BEGIN"
    " DELETE FROM collection WHERE id = old.collection_id AND kind = 'tag'"
    " AND NOT EXISTS (SELECT 1 FROM collected WHERE collection_id = old.collection_id); END"
)
_TAGS = (
    "CREATE TABLE kept_collection AS SELECT id, name FROM collection",
    "CREATE TABLE kept_collected AS SELECT collection_id, document_id FROM collected",
    "DROP TRIGGER collected_erased",
    "DROP TABLE collected",
    "DROP TABLE collection",
    # An older program does not know kinds and creates collections.
    "CREATE TABLE collection (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,"
    " kind VARCHAR NOT NULL DEFAULT 'collection', name VARCHAR NOT NULL, UNIQUE (kind, name))",
    "CREATE TABLE collected (collection_id INTEGER NOT NULL, document_id INTEGER NOT NULL,"
    " PRIMARY KEY (collection_id, document_id), FOREIGN KEY(collection_id) REFERENCES collection (id)) WITHOUT ROWID",
    "CREATE INDEX collected_document ON collected (document_id)",
    "INSERT INTO collection (id, name) SELECT id, name FROM kept_collection",
    "INSERT INTO collected (collection_id, document_id) SELECT collection_id, document_id FROM kept_collected",
    "DROP TABLE kept_collected",
    "DROP TABLE kept_collection",
    COLLECTED_ERASED,
    TAG_ERASED,
)
# The library's folder: documents that moved together with it are recognised by it.
_HOME = ("CREATE TABLE home (path BLOB NOT NULL, PRIMARY KEY (path))",)

# Line numbers of sentences in text files; documents imported earlier get them when they are read again.
_LINES = ("ALTER TABLE occurrence ADD COLUMN line INTEGER", "ALTER TABLE occurrence ADD COLUMN last_line INTEGER")

# The file system of each document in a watched folder, so that a missing disk is not taken for deleted files.
_VOLUMES = ("ALTER TABLE document ADD COLUMN volume BLOB NOT NULL DEFAULT x''",)

# Checksums of vectors, filled in by `checksums.py` where they are NULL; and sentences whose text was damaged, with the
# hash of their own text. A trigger deletes a row with its sentence, whichever program deletes it.
DAMAGED_ERASED = (
    "CREATE TRIGGER damaged_erased AFTER DELETE ON sentence BEGIN DELETE FROM damaged WHERE sentence_id = old.id; END"
)
_CHECKSUMS = (
    "ALTER TABLE embedding ADD COLUMN checksum INTEGER",
    "CREATE TABLE damaged (sentence_id INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (sentence_id))",
    DAMAGED_ERASED,
)

_OMITTED = ("ALTER TABLE version ADD COLUMN omitted VARCHAR NOT NULL DEFAULT ''",)

# What each passage is and why, where its words or a person say something else than its layout. `decided` is the version
# of the rules that decided on a version's passages: `passage_kinds.py` decides on those of earlier programs.
_PASSAGE_KINDS = (
    "ALTER TABLE occurrence ADD COLUMN passage VARCHAR",
    "ALTER TABLE occurrence ADD COLUMN reason VARCHAR",
    "CREATE INDEX occurrence_boilerplate ON occurrence (sentence_id) WHERE passage = 'boilerplate'",
    "ALTER TABLE version ADD COLUMN decided INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE correction ADD COLUMN kind VARCHAR",
)

# What tells files of the same length and time apart; scans fill it in.
_STAMPS = ("ALTER TABLE document ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0",)

# The date in a document's own metadata; NULL where an earlier version of the program read the file.
_DATES = ("ALTER TABLE version ADD COLUMN dated VARCHAR",)

# What a file says of its publication, and what a person says instead.
REFERENCE_ERASED = (
    "CREATE TRIGGER reference_erased AFTER DELETE ON document BEGIN DELETE FROM reference WHERE document_id = old.id; "
    "END"
)
_REFERENCES = (
    "ALTER TABLE version ADD COLUMN about VARCHAR",
    "CREATE TABLE reference (document_id INTEGER NOT NULL, author VARCHAR NOT NULL, dated VARCHAR NOT NULL,"
    " item VARCHAR NOT NULL, PRIMARY KEY (document_id))",
    REFERENCE_ERASED,
)

# A person's highlights and notes.
ANNOTATION_ERASED = (
    "CREATE TRIGGER annotation_erased AFTER DELETE ON document BEGIN DELETE FROM annotation"
    " WHERE document_id = old.id; END"
)
_ANNOTATIONS = (
    "CREATE TABLE annotation (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, document_id INTEGER NOT NULL,"
    " origin VARCHAR NOT NULL, kind VARCHAR NOT NULL, colour VARCHAR NOT NULL, text VARCHAR NOT NULL,"
    " comment VARCHAR NOT NULL, place VARCHAR NOT NULL, author VARCHAR NOT NULL, label VARCHAR, key VARCHAR NOT NULL,"
    " created_at REAL NOT NULL, changed_at REAL NOT NULL)",
    "CREATE INDEX annotation_document ON annotation (document_id)",
    "CREATE INDEX occurrence_note ON occurrence (version_id) WHERE kind = 'note'",
    ANNOTATION_ERASED,
)

# Exact copies of documents' files. A path belongs to one document, whichever program adds it or moves a file there,
# and is erased with its document.
FILE_COPY_ERASED = (
    "CREATE TRIGGER file_copy_erased AFTER DELETE ON document BEGIN"
    " DELETE FROM file_copy WHERE document_id = old.id; END",
    "CREATE TRIGGER file_copy_given_up AFTER UPDATE OF path ON document WHEN new.removed_at = 0 BEGIN"
    " DELETE FROM file_copy WHERE document_id = new.id; END",
    "CREATE TRIGGER file_copy_added AFTER INSERT ON document BEGIN DELETE FROM file_copy WHERE path = new.path; END",
    "CREATE TRIGGER file_copy_moved AFTER UPDATE OF path ON document BEGIN"
    " DELETE FROM file_copy WHERE path = new.path; END",
)
_FILE_COPIES = (
    "CREATE TABLE file_copy (id INTEGER NOT NULL, path BLOB NOT NULL, name BLOB NOT NULL, document_id INTEGER NOT NULL,"
    " size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, stamp INTEGER NOT NULL, volume BLOB NOT NULL,"
    " added_at REAL NOT NULL, PRIMARY KEY (id), UNIQUE (path))",
    "CREATE INDEX file_copy_document ON file_copy (document_id)",
    "CREATE INDEX ix_file_copy_name ON file_copy (name)",
    "CREATE INDEX document_size ON document (size_bytes)",
    *FILE_COPY_ERASED,
)


def _change_tokenizer(connection: Connection) -> None:
    word_mark_migration.change_tokenizer(connection, FIRST_TOKENIZER, TOKENIZER, PASSAGE_CHARACTERS)


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1000, _FIRST),
    Migration(1002, _SWITCHING),
    Migration(1003, _NEIGHBOURS),
    Migration(1006, _TRUNCATED),
    Migration(1007, (*_PASSAGES, *WORDS, *_FILL_WORDS)),
    Migration(1008, _WATCHED),
    Migration(1009, _CLUSTERS),
    Migration(1010, _MARKS),
    Migration(1011, _THEMES),
    Migration(1012, (*_KEPT, *KEPT_ERASED)),
    Migration(1013, _COLLECTIONS),
    Migration(1014, (*_SCANS, *_CORRECTIONS)),
    Migration(1015, (*_TAGS, *_HOME)),
    Migration(1019, _LINES),
    # Messages are kept as data (`Message.to_text`); an older program shows that text as it is.
    Migration(1020, convert=legacy_messages.convert_stored_texts),
    Migration(1021, _VOLUMES),
    Migration(1022, _CHECKSUMS),
    Migration(1023, _OMITTED),
    Migration(1024, _PASSAGE_KINDS),
    Migration(1025, _STAMPS),
    Migration(1026, _DATES),
    Migration(1027, _REFERENCES),
    # The broad cluster of each cluster; NULL until clusters are found again.
    Migration(1028, ("ALTER TABLE cluster ADD COLUMN broad INTEGER",)),
    Migration(1029, _ANNOTATIONS),
    Migration(1030, _FILE_COPIES),
    # When a segment's file was written that was last verified; 0 until its checksum is compared.
    Migration(1031, ("ALTER TABLE segment ADD COLUMN stamp INTEGER DEFAULT 0 NOT NULL",)),
    # Its erased rows whose vectors the file no longer has.
    Migration(1032, ("ALTER TABLE segment ADD COLUMN zeroed INTEGER DEFAULT 0 NOT NULL",)),
    # From here on vectors are stored in half precision, which an older program would take for damaged ones. Those of
    # before are still read, and converted step by step (`half_conversion.py`).
    Migration(
        2000,
        (
            "INSERT OR REPLACE INTO counter (name, value)"
            " VALUES ('whole_vectors', (SELECT coalesce(max(id), 0) FROM embedding))",
        ),
        is_note=True,
    ),
    # The word index keeps no texts, and can be made again: no copy is needed.
    Migration(2001, convert=_change_tokenizer, is_note=True),
    Migration(2002, convert=word_mark_migration.index_missing, is_note=True),
    # Only imports read the table, which write: a reader can do without.
    Migration(
        2003,
        (
            "CREATE TABLE import_folder (path BLOB NOT NULL, include VARCHAR NOT NULL, exclude VARCHAR NOT NULL,"
            " PRIMARY KEY (path))",
        ),
        is_note=True,
    ),
)


def read_format_version(connection: Connection) -> int:
    """Return the version of the file's format; 0 for an empty file."""
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def migrate(database: Database, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Bring the file to the newest version, creating what is missing.

    A file that needs a migration is copied first (`copy_before_migration`), unless nothing in it is changed; the next
    time it opens, the copy is deleted.

    Raises:
        LibraryTooNew: its major version is newer; nothing was changed.
        LibraryDamaged: it is another program's SQLite file; nothing was changed.
        StorageFull: there is no room for the copy; nothing was changed.
        LibraryBusy: it is of an older version and this process may not write.
    """
    newest = migrations[-1].version
    with database.read_transaction() as connection:
        found = read_format_version(connection)
        owner = int(connection.exec_driver_sql("PRAGMA application_id").scalar_one())
        tables = int(connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one())
    if owner != APPLICATION_ID and (owner or found or tables):
        raise LibraryDamaged(
            "{file} is a database of another program", "Choose another folder for the library.", file=database.file
        )
    if found // 1000 > newest // 1000:
        raise LibraryTooNew(
            "The library in {folder} was written by a newer version of Kindred",
            "Install the latest version of Kindred, or choose another library.",
            folder=database.file.parent,
        )
    due = [migration for migration in migrations if migration.version > found]
    changes = any(not migration.is_note for migration in due)
    if not (found or tables or database.writable):
        raise LibraryDamaged(
            "The library's database {file} is empty",
            "If it had documents, restore a backup; otherwise import documents, which creates a new library.",
            file=database.file,
        )
    if changes and not database.writable:
        raise LibraryBusy(
            "The library in {folder} must be upgraded first",
            "Open it once for writing: in the window, or with any command that changes it.",
            folder=database.file.parent,
        )
    if not database.writable:
        return
    if changes and found:
        copy_before_migration(database, found)
    else:
        with suppress(OSError):  # Windows: another program reads it; the next start deletes it
            delete_migration_copies(database.file.parent)
    for migration in due:
        with database.write_transaction() as connection:
            for statement in migration.statements:
                connection.exec_driver_sql(statement)
            if migration.convert is not None:
                migration.convert(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {migration.version}")


def copy_before_migration(database: Database, version: int) -> Path:
    """Copy the database of a library next to it; returns the copy.

    Args:
        database: open for writing, outside of a transaction.
        version: the version of its format.

    Raises:
        StorageFull: there is no room for a copy; nothing was changed.
    """
    file = database.file
    needed, free = file.stat().st_size + _SPARE_BYTES, shutil.disk_usage(file.parent).free
    if free < needed:
        raise StorageFull(
            "The library in {folder} must be upgraded, but there is not enough space for a copy of it: "
            "{needed} MB are needed, {free} MB are free",
            "Free some disk space and start again; nothing was changed.",
            folder=file.parent,
            needed=needed // 1_000_000,
            free=free // 1_000_000,
        )
    copy = file.with_name(f"{file.stem}-{version}{COPY_SUFFIX}")
    draft = copy.with_suffix(COPY_DRAFT_SUFFIX)
    draft.unlink(missing_ok=True)
    with record_unfinished(draft):
        database.copy_to(draft)
        replace_file(draft, copy)
    return copy


def delete_migration_copies(folder: Path) -> None:
    """Delete the copies: the migrated library works, or something removed from it must not survive in them."""
    for copy in folder.glob(f"*{COPY_SUFFIX}"):
        copy.unlink(missing_ok=True)
