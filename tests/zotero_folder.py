"""Makes data folders of Zotero: a database with the tables of a version, and a storage of attachments."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tests.text.helpers import At, made_pdf

PAPER = ("Tides are very long waves.", "The moon pulls at the sea.", "Harbours feel both of them.")
TYPES = {1: "annotation", 3: "attachment", 22: "journalArticle", 7: "book", 28: "note", 40: "webpage"}
FIELDS = {
    1: "title",
    6: "date",
    38: "publicationTitle",
    19: "volume",
    59: "DOI",
    16: "extra",
    8: "publisher",
    76: "citationKey",
}
CREATORS = {8: "author", 10: "editor", 11: "translator"}

_TABLES = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL,
    filesEditable INT NOT NULL, version INT NOT NULL DEFAULT 0);
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE, name TEXT NOT NULL,
    description TEXT NOT NULL, version INT NOT NULL);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE itemTypesCombined (itemTypeID INT NOT NULL, typeName TEXT NOT NULL, display INT, custom INT);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE fieldsCombined (fieldID INT NOT NULL, fieldName TEXT NOT NULL, label TEXT, custom INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL,
    dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    libraryID INT NOT NULL, key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT,
    charsetID INT, path TEXT, syncState INT DEFAULT 0, storageModTime INT, storageHash TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL DEFAULT 1,
    orderIndex INT NOT NULL DEFAULT 0, PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex));
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL,
    parentCollectionID INT DEFAULT NULL, libraryID INT NOT NULL, key TEXT NOT NULL, version INT NOT NULL DEFAULT 0);
CREATE TABLE collectionItems (collectionID INT NOT NULL, itemID INT NOT NULL, orderIndex INT NOT NULL DEFAULT 0);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (itemID INT NOT NULL, tagID INT NOT NULL, type INT NOT NULL, PRIMARY KEY (itemID, tagID));
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
"""
_ANNOTATIONS = """
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, type INTEGER NOT NULL,
    authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT NOT NULL,
    position TEXT NOT NULL, isExternal INT NOT NULL);
CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
"""
_SCHEMAS = {5: 107, 6: 120, 7: 123}


class ZoteroFolder:
    """A data folder; items are added to it as a person adds them in Zotero."""

    def __init__(self, folder: Path, version: int = 7) -> None:
        self.folder = folder
        self.file = folder / "zotero.sqlite"
        (folder / "storage").mkdir(parents=True)
        self._next = 1
        with self.open() as connection:
            connection.executescript(_TABLES + (_ANNOTATIONS if version > 5 else ""))
            connection.execute("INSERT INTO version VALUES ('userdata', ?)", (_SCHEMAS[version],))
            connection.execute("INSERT INTO libraries VALUES (1, 'user', 1, 1, 0)")
            for table, other, names in (
                ("itemTypes", "itemTypesCombined", TYPES),
                ("fields", "fieldsCombined", FIELDS),
            ):
                connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", names.items())
                connection.executemany(f"INSERT INTO {other} VALUES (?, ?, NULL, 0)", names.items())
            connection.executemany("INSERT INTO creatorTypes VALUES (?, ?)", CREATORS.items())

    def open(self) -> closing[sqlite3.Connection]:
        """Open the database for a change, as a context."""
        return _Closing(self.file)

    def run(self, statement: str, *values: object) -> None:
        with self.open() as connection:
            connection.execute(statement, values)

    def add_group(self, number: int, name: str) -> int:
        """Add a group library and return its id."""
        with self.open() as connection:
            connection.execute("INSERT INTO libraries VALUES (?, 'group', 1, 1, 0)", (number + 1,))
            connection.execute("INSERT INTO groups VALUES (?, ?, ?, '', 0)", (number, number + 1, name))
        return number + 1

    def add_item(self, kind: str, key: str, library: int = 1, authors: Sequence[str] = (), **fields: str) -> int:
        """Add an item; fields by Zotero's names. Returns its id."""
        item, self._next = self._next, self._next + 1
        type_id = next(number for number, name in TYPES.items() if name == kind)
        with self.open() as connection:
            connection.execute(
                "INSERT INTO items (itemID, itemTypeID, libraryID, key) VALUES (?, ?, ?, ?)",
                (item, type_id, library, key),
            )
            for name, value in fields.items():
                number = next(number for number, field in FIELDS.items() if field == name)
                connection.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
                connection.execute(
                    "INSERT INTO itemData SELECT ?, ?, valueID FROM itemDataValues WHERE value = ?",
                    (item, number, value),
                )
            for at, author in enumerate(authors):
                last, _, first = author.partition(", ")
                (creator,) = connection.execute(
                    "INSERT INTO creators (firstName, lastName, fieldMode) VALUES (?, ?, ?) RETURNING creatorID",
                    (first, last, 0 if first else 1),
                ).fetchone()
                connection.execute("INSERT INTO itemCreators VALUES (?, ?, 8, ?)", (item, creator, at))
        return item

    def add_attachment(self, key: str, parent: int | None, path: str, mode: int = 0, library: int = 1) -> int:
        """Add an attachment and return its id."""
        item = self.add_item("attachment", key, library)
        self.run(
            "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path) VALUES (?, ?, ?, ?, ?)",
            *(item, parent, mode, "application/pdf", path),
        )
        return item

    def add_pdf(self, key: str, parent: int | None, name: str = "paper.pdf", library: int = 1) -> int:
        """Add a PDF of three pages to the storage and return its id."""
        folder = self.folder / "storage" / key
        folder.mkdir()
        mark = f"% {key}\n".encode()  # no two of them are the same file
        (folder / name).write_bytes(made_pdf([[At(72, 700, text)] for text in PAPER]) + mark)
        return self.add_attachment(key, parent, f"storage:{name}", library=library)

    def add_note(self, key: str, parent: int | None, html: str, title: str = "", library: int = 1) -> int:
        """Add a note and return its id."""
        item = self.add_item("note", key, library)
        self.run("INSERT INTO itemNotes VALUES (?, ?, ?, ?)", item, parent, html, title)
        return item

    def annotate(self, key: str, attachment: int, text: str, comment: str = "", page: int = 1, **more: object) -> int:
        """Add an annotation and return its id."""
        item = self.add_item("annotation", key)
        position = json.dumps({"pageIndex": page - 1, "rects": [[72.0, 697.0, 200.0, 712.0]]})
        values = {"kind": 1, "colour": "#5fb236", "author": "", "label": str(page), "position": position, "external": 0}
        values |= more
        self.run(
            "INSERT INTO itemAnnotations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(item, attachment, values["kind"], values["author"], text, comment, values["colour"], values["label"]),
            *(f"{page - 1:05}|000000|00080", values["position"], values["external"]),
        )
        return item

    def add_tag(self, item: int, name: str, automatic: bool = False) -> None:
        """Put a tag on an item."""
        with self.open() as connection:
            connection.execute("INSERT OR IGNORE INTO tags (name) VALUES (?)", (name,))
            connection.execute(
                "INSERT INTO itemTags SELECT ?, tagID, ? FROM tags WHERE name = ?", (item, int(automatic), name)
            )

    def add_collection(
        self, number: int, name: str, key: str, *items: int, parent: int | None = None, library: int = 1
    ) -> None:
        """Add a collection with items."""
        with self.open() as connection:
            connection.execute(
                "INSERT INTO collections VALUES (?, ?, ?, ?, ?, 0)", (number, name, parent, library, key)
            )
            connection.executemany("INSERT INTO collectionItems VALUES (?, ?, 0)", [(number, item) for item in items])


class _Closing(closing):  # type: ignore[type-arg]
    """A connection that commits and closes at the end of its block."""

    def __init__(self, file: Path) -> None:
        super().__init__(sqlite3.connect(file))

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self.thing.commit()
        super().__exit__(*error)
