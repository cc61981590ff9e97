"""Reads the database of Zotero 5 and later: a copy of it, so that Zotero may be open and nothing is ever changed."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.core.annotations import DEFAULT_COLOUR, Annotation, clean_colour
from desktop_app.core.background_thread import run_in_thread
from desktop_app.core.bibliography import DOCUMENT, Reference, find_doi, to_single_name
from desktop_app.core.document_dates import normalise_date, read_written_date
from desktop_app.core.errors import UsageError
from desktop_app.core.messages import Message, system_text
from desktop_app.core.pages import PageRect
from desktop_app.core.records import Place
from desktop_app.core.tags import make_tags
from desktop_app.core.zotero import (
    OWN_LIBRARY,
    ZoteroAttachment,
    ZoteroCollection,
    ZoteroLibrary,
    ZoteroLink,
    ZoteroNote,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from desktop_app.core.annotations import AnnotationKind
    from desktop_app.core.jobs import Steps

DATABASE = "zotero.sqlite"
_CITATION_KEYS = "better-bibtex.sqlite"
_STORAGE = "storage"
_BESIDE = ("-wal", "-journal")
_COPIES = 4
"""How often the database is copied if Zotero writes meanwhile."""
_NEEDED = {
    "items",
    "itemData",
    "itemDataValues",
    "itemAttachments",
    "itemNotes",
    "itemCreators",
    "creators",
    "libraries",
}
_LINKED_URL, _EMBEDDED_IMAGE = 3, 4
_KINDS = {
    "journalArticle": "article-journal",
    "magazineArticle": "article-magazine",
    "newspaperArticle": "article-newspaper",
    "book": "book",
    "bookSection": "chapter",
    "encyclopediaArticle": "chapter",
    "dictionaryEntry": "chapter",
    "conferencePaper": "paper-conference",
    "thesis": "thesis",
    "report": "report",
    "webpage": "webpage",
    "blogPost": "webpage",
    "forumPost": "webpage",
    "manuscript": "manuscript",
    "letter": "personal_communication",
    "email": "personal_communication",
    "preprint": "manuscript",
}
_FIELDS = {
    "title": ("title", "caseName", "nameOfAct", "subject"),
    "container": (
        *("publicationTitle", "bookTitle", "proceedingsTitle", "encyclopediaTitle", "dictionaryTitle"),
        *("websiteTitle", "blogTitle", "forumTitle"),
    ),
    "volume": ("volume",),
    "issue": ("issue",),
    "pages": ("pages",),
    "publisher": ("publisher", "university", "institution", "repository"),
    "place": ("place",),
    "doi": ("DOI",),
    "isbn": ("ISBN",),
    "url": ("url",),
    "language": ("language",),
    "key": ("citationKey",),
}
_ANNOTATION_KINDS: dict[int, AnnotationKind] = {1: "highlight", 5: "underline"}
_EXTRA_KEY = re.compile(r"^\s*(?:citation key|citekey|bibtex)\s*:\s*(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
_EXTRA_DOI = re.compile(r"^\s*doi\s*:\s*(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
_ELEMENT = re.compile(r"<[^>]*>")
_FORMATTING = re.compile(r"</?(?:b|i|u|em|strong|sub|sup|span|font|code|br|p|div)\b[^<>]*>", re.IGNORECASE)
"""The elements that Zotero writes into titles, annotations and comments; `a<b` is text there."""
_PREFERENCE = re.compile(r'user_pref\("extensions\.zotero\.(dataDir|baseAttachmentPath)",\s*("(?:[^"\\]|\\.)*")\)')
_ROWS_PER_STEP = 100
"""Rows that are read in a step: of annotations, these take some 15 ms."""
_ATTACHMENTS = "SELECT itemID, parentItemID, linkMode, contentType, path FROM itemAttachments ORDER BY itemID"
_NOTES = (
    "SELECT itemNotes.*, itemAttachments.parentItemID AS attachedTo FROM itemNotes"
    " LEFT JOIN itemAttachments USING (itemID)"
)
_MAX_DEPTH = 20
_MAX_TITLE = 120


def describe_state(folder: str) -> str:
    """Return a text that is another one once Zotero has written its database; empty if there is none."""
    parts = []
    for name in (DATABASE, *(DATABASE + beside for beside in _BESIDE), _CITATION_KEYS):
        with suppress(OSError):
            status = os.stat(os.path.join(folder, name))
            parts.append(f"{name}:{status.st_size}:{status.st_mtime_ns}")
    return "|".join(parts) if parts and parts[0].startswith(DATABASE) else ""


def find_data_folder(folder: str) -> str:
    """Return the data folder of Zotero: the folder itself, the one that holds the chosen file, or one inside it.

    Raises:
        UsageError: there is no database of Zotero.
    """
    path = Path(folder)
    for candidate in (path, path.parent if path.is_file() else path, path / "Zotero", path / "zotero"):
        if (candidate / DATABASE).is_file():
            return str(candidate)
    raise UsageError(
        "{folder} is not a Zotero data folder: it contains no zotero.sqlite",
        "In Zotero, Settings > Advanced > Files and Folders shows the data folder.",
        folder=folder,
    )


def find_base_folder(folder: str, profiles: Sequence[Path] | None = None) -> str:
    """Return the base folder of linked files in the settings of the Zotero that uses a data folder; else empty.

    Args:
        folder: the data folder.
        profiles: folders of profiles; None for the usual ones.
    """
    home = Path.home()
    places = profiles or (
        home / ".zotero" / "zotero",
        home / "Library" / "Application Support" / "Zotero" / "Profiles",
        Path(os.environ.get("APPDATA", home)) / "Zotero" / "Zotero" / "Profiles",
    )
    found = ""
    for place in places:
        with suppress(OSError):
            for file in sorted(place.glob("*/prefs.js")):
                settings = {
                    name: json.loads(value) for name, value in _PREFERENCE.findall(file.read_text("utf-8", "replace"))
                }
                base, data = settings.get("baseAttachmentPath", ""), settings.get("dataDir", "")
                is_this = os.path.realpath(data or home / "Zotero") == os.path.realpath(folder)
                if base and (is_this or not found):
                    found = base if is_this else found
    return found


def read_zotero(folder: str, base: str = "") -> Steps[ZoteroLibrary]:
    """Read a data folder of Zotero, step by step.

    Args:
        folder: as `find_data_folder` returns it.
        base: the folder that linked files are relative to; empty to look in Zotero's settings.

    Raises:
        UsageError: the database is damaged, cannot be read, or is of a version that Kindred does not know.
    """
    base = base or find_base_folder(folder)
    with tempfile.TemporaryDirectory(prefix="kindred-zotero-", ignore_cleanup_errors=True) as place:
        state = yield from run_in_thread(lambda: _copy_database(folder, Path(place)))
        try:
            with closing(sqlite3.connect(Path(place) / DATABASE)) as connection:
                connection.row_factory = sqlite3.Row
                reader = _DatabaseReader(connection, Path(folder), base)
                reader.check()
                reader.read_citation_keys(Path(place) / _CITATION_KEYS)
                library = yield from reader.read()
        except sqlite3.DatabaseError as error:
            raise UsageError(
                "Zotero's database in {folder} cannot be read: {why}",
                "Start Zotero once; it repairs its database. Nothing was changed.",
                folder=folder,
                why=system_text(error),
            ) from error
    return replace(library, state=state)


def _copy_database(folder: str, place: Path) -> str:
    """Copy the database with what belongs to it; returns its state.

    Zotero locks its database while it runs, but its files can be read; if they change meanwhile, they are copied again.
    """
    try:
        for _ in range(_COPIES):
            state = describe_state(folder)
            for name in (DATABASE, *(DATABASE + beside for beside in _BESIDE), _CITATION_KEYS):
                (place / name).unlink(missing_ok=True)
                source = Path(folder) / name
                if source.is_file():
                    shutil.copyfile(source, place / name)
            if describe_state(folder) == state:
                break
    except OSError as error:
        raise UsageError(
            "Zotero's database in {folder} cannot be copied: {why}",
            "Close Zotero, or free some disk space, and try again.",
            folder=folder,
            why=system_text(error.strerror or error),
        ) from error
    return state


class _DatabaseReader:
    """Reads the copy of a database.

    Args:
        connection: to the copy.
        folder: the data folder.
        base: the folder that linked files are relative to; may be empty.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path, base: str) -> None:
        self._connection = connection
        self._folder = folder
        self._base = base
        self._tables: set[str] = set()
        self._keys: dict[tuple[int, str], str] = {}
        self._tags: dict[int, list[str]] = {}
        self._remarks: list[Message] = []

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        return self._connection.execute(query, values).fetchall()

    def _rows_in_steps(self, query: str) -> Iterator[list[sqlite3.Row]]:
        cursor = self._connection.execute(query)
        while rows := cursor.fetchmany(_ROWS_PER_STEP):
            yield rows

    def _has(self, table: str, column: str = "") -> bool:
        if table not in self._tables:
            return False
        return not column or any(row["name"] == column for row in self._rows(f"PRAGMA table_info({table})"))

    def _ids(self, table: str, column: str) -> set[int]:
        return {row[0] for row in self._rows(f"SELECT {column} FROM {table}")} if self._has(table) else set()

    def check(self) -> None:
        """Raise UsageError unless the database has the tables that are read."""
        self._tables = {row["name"] for row in self._rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        version = None
        if self._has("version"):
            version = next(
                (row["version"] for row in self._rows("SELECT version FROM version WHERE schema = 'userdata'")), None
            )
        is_known = self._tables >= _NEEDED and self._has("itemAttachments", "parentItemID")
        if not is_known:
            raise UsageError(
                "Zotero's database in {folder} has a format that Kindred does not know (version {version})",
                "Kindred reads Zotero 5 to 8. Nothing was changed.",
                folder=str(self._folder),
                version="?" if version is None else str(version),
            )

    def read_citation_keys(self, file: Path) -> None:
        """Read the citation keys that Better BibTeX has assigned, if it is there."""
        if not file.is_file():
            return
        try:
            with closing(sqlite3.connect(file)) as connection:
                tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
                if "citationkey" in tables:
                    query = "SELECT libraryID, itemKey, citationKey FROM citationkey"
                    self._keys = {
                        (int(library or 1), item): key for library, item, key in connection.execute(query) if key
                    }
                elif "better-bibtex" in tables:
                    for (data,) in connection.execute(
                        "SELECT data FROM `better-bibtex` WHERE name IN ('better-bibtex.citekey', 'citekey')"
                    ):
                        for each in json.loads(data).get("data", ()):
                            self._keys[int(each.get("libraryID") or 1), each["itemKey"]] = each["citekey"]
        except (sqlite3.DatabaseError, ValueError, KeyError, TypeError):
            self._remarks.append(Message("The citation keys of Better BibTeX could not be read"))

    def read(self) -> Steps[ZoteroLibrary]:
        """Read everything that is not in the trash."""
        libraries = self._read_libraries()
        trash = (
            {row[0] for row in self._rows("SELECT itemID FROM deletedItems")} if self._has("deletedItems") else set()
        )
        types = self._names("itemTypesCombined", "itemTypes", "itemTypeID", "typeName")
        items: dict[int, sqlite3.Row] = {}
        for rows in self._rows_in_steps("SELECT itemID, itemTypeID, libraryID, key FROM items"):
            for row in rows:
                if row["itemID"] not in trash and row["libraryID"] in libraries:
                    items[row["itemID"]] = row
            yield None
        references = yield from self._read_references(items, types)
        collections, of_items = self._read_collections(libraries)
        yield None
        annotations = yield from self._read_annotations(items)
        self._tags = self._read_tags()
        attachments, notes = [], []
        for rows in self._rows_in_steps(_ATTACHMENTS):
            for row in rows:
                found = self._attachment(row, items, libraries, references, annotations, of_items, trash)
                if found is not None:
                    attachments.append(found)
            yield None
        for rows in self._rows_in_steps(_NOTES):
            for row in rows:
                if (note := self._note(row, items, libraries, references, of_items, trash)) is not None:
                    notes.append(note)
            yield None
        return ZoteroLibrary(
            str(self._folder),
            "",
            tuple(attachments),
            tuple(notes),
            tuple(collections),
            tuple(self._remarks),
        )

    # Libraries, items

    def _read_libraries(self) -> dict[int, str]:
        """Return the libraries by id, as they are named in links; feeds are left out."""
        groups: dict[int, sqlite3.Row] = {}
        if self._has("groups"):
            groups = {row["libraryID"]: row for row in self._rows("SELECT libraryID, groupID, name FROM groups")}
        self._group_names = {f"groups/{row['groupID']}": str(row["name"]) for row in groups.values()}
        kind = "type" if self._has("libraries", "type") else "libraryType"
        found = {}
        for row in self._rows(f"SELECT libraryID, {kind} AS kind FROM libraries"):
            if row["kind"] == "user":
                found[row["libraryID"]] = OWN_LIBRARY
            elif row["kind"] == "group" and row["libraryID"] in groups:
                found[row["libraryID"]] = f"groups/{groups[row['libraryID']]['groupID']}"
        return found

    def _names(self, table: str, other: str, key: str, name: str) -> dict[int, str]:
        there = table if self._has(table) else other
        return {row[0]: row[1] for row in self._rows(f"SELECT {key}, {name} FROM {there}")} if self._has(there) else {}

    def _read_references(
        self, items: Mapping[int, sqlite3.Row], types: Mapping[int, str]
    ) -> Steps[dict[int, Reference]]:
        fields = self._names("fieldsCombined", "fields", "fieldID", "fieldName")
        values: dict[int, dict[str, str]] = defaultdict(dict)
        query = "SELECT itemData.itemID, fieldID, value FROM itemData JOIN itemDataValues USING (valueID)"
        for rows in self._rows_in_steps(query):
            for item, field, value in rows:
                if item in items and value is not None:
                    values[item][fields.get(field, "")] = str(value)
            yield None
        creators = yield from self._read_creators()
        found = {}
        for done, (item, row) in enumerate(items.items(), 1):
            if done % _ROWS_PER_STEP == 0:
                yield None
            kind = types.get(row["itemTypeID"], "")
            if kind not in ("attachment", "note", "annotation"):
                key = self._keys.get((row["libraryID"], row["key"]), "")
                found[item] = _make_reference(kind, values.get(item, {}), creators.get(item, ()), key)
        return found

    def _read_creators(self) -> Steps[dict[int, tuple[str, ...]]]:
        """Return the authors of items, else their editors."""
        kinds = self._names("creatorTypes", "creatorTypes", "creatorTypeID", "creatorType")
        query = (
            "SELECT itemCreators.itemID, creatorTypeID, firstName, lastName, fieldMode FROM itemCreators"
            " JOIN creators USING (creatorID) ORDER BY itemCreators.itemID, orderIndex"
        )
        people: dict[int, dict[bool, list[str]]] = defaultdict(lambda: {True: [], False: []})
        for rows in self._rows_in_steps(query):
            for row in rows:
                kind = kinds.get(row["creatorTypeID"], "author")
                if kind in ("translator", "reviewedAuthor", "seriesEditor"):
                    continue
                last, first = (row["lastName"] or "").strip(), (row["firstName"] or "").strip()
                name = to_single_name(last) if row["fieldMode"] == 1 or not first else f"{last}, {first}".lstrip(", ")
                if name:
                    people[row["itemID"]][kind not in ("editor", "contributor")].append(name)
            yield None
        return {item: tuple(dict.fromkeys(names[True] or names[False])) for item, names in people.items()}

    # Collections

    def _read_collections(
        self, libraries: Mapping[int, str]
    ) -> tuple[list[ZoteroCollection], dict[int, tuple[tuple[str, str], ...]]]:
        """Return the collections, and those of each item, with the ones above them."""
        if not self._has("collections"):
            return [], {}
        gone = self._ids("deletedCollections", "collectionID")
        rows = {
            row["collectionID"]: row
            for row in self._rows(
                "SELECT collectionID, collectionName, parentCollectionID, libraryID, key FROM collections"
            )
            if row["libraryID"] in libraries and row["collectionID"] not in gone
        }
        paths = {key: list(_walk_up(key, rows)) for key in rows}
        found = []
        for key, row in rows.items():
            library = libraries[row["libraryID"]]
            names = [str(rows[each]["collectionName"]) for each in reversed(paths[key])]
            group = [self._group_names[library]] if library in self._group_names else []
            found.append(ZoteroCollection((library, row["key"]), " / ".join([*group, *names])))
        of_items: dict[int, dict[tuple[str, str], None]] = defaultdict(dict)
        for row in self._rows("SELECT collectionID, itemID FROM collectionItems"):
            for each in paths.get(row["collectionID"], ()):
                of_items[row["itemID"]][libraries[rows[each]["libraryID"]], rows[each]["key"]] = None
        return found, {item: tuple(keys) for item, keys in of_items.items()}

    # Tags

    def _read_tags(self) -> dict[int, list[str]]:
        """Return the tags of items that people gave; those that come with downloaded references are left out."""
        if not (self._has("tags") and self._has("itemTags")):
            return {}
        manual = "WHERE itemTags.type = 0" if self._has("itemTags", "type") else ""
        found: dict[int, list[str]] = defaultdict(list)
        for item, name in self._rows(
            f"SELECT itemID, name FROM itemTags JOIN tags USING (tagID) {manual} ORDER BY name"
        ):
            found[item].append(str(name))
        return found

    def _tags_of(self, *items: int | None) -> tuple[str, ...]:
        return make_tags(name for item in items if item is not None for name in self._tags.get(item, ()))

    # Attachments and notes

    def _attachment(
        self,
        row: sqlite3.Row,
        items: Mapping[int, sqlite3.Row],
        libraries: Mapping[int, str],
        references: Mapping[int, Reference],
        annotations: Mapping[int, tuple[Annotation, ...]],
        of_items: Mapping[int, tuple[tuple[str, str], ...]],
        trash: set[int],
    ) -> ZoteroAttachment | None:
        item = items.get(row["itemID"])
        parent = row["parentItemID"]
        if item is None or row["linkMode"] in (_LINKED_URL, _EMBEDDED_IMAGE) or not row["path"] or parent in trash:
            return None
        above = items.get(parent)
        link = ZoteroLink(libraries[item["libraryID"]], (above or item)["key"], item["key"])
        return ZoteroAttachment(
            link,
            self._find_file(str(row["path"]), item["key"]),
            references.get(parent),
            annotations.get(row["itemID"], ()),
            of_items.get(parent if above is not None else row["itemID"], ()),
            self._tags_of(parent, row["itemID"]),
        )

    def _find_file(self, path: str, key: str) -> Path | None:
        """Return the file of an attachment; None for one in a base folder that is unknown."""
        if path.startswith("storage:"):
            name = path.removeprefix("storage:")
            # A name must not lead out of the storage.
            return self._folder / _STORAGE / key / os.path.basename(name.replace("\\", "/"))
        if path.startswith("attachments:"):
            return Path(self._base) / path.removeprefix("attachments:") if self._base else None
        return Path(path)

    def _note(
        self,
        row: sqlite3.Row,
        items: Mapping[int, sqlite3.Row],
        libraries: Mapping[int, str],
        references: Mapping[int, Reference],
        of_items: Mapping[int, tuple[tuple[str, str], ...]],
        trash: set[int],
    ) -> ZoteroNote | None:
        item = items.get(row["itemID"])
        parent = row["parentItemID"] or row["attachedTo"]  # an attachment has a note too
        if item is None or parent in trash:
            return None
        text = str(row["note"] or "")
        plain = " ".join(html.unescape(_ELEMENT.sub(" ", text)).split())
        if not plain:
            return None
        reference = references.get(parent)
        title = " ".join(str(row["title"] or "").split()) or plain
        return ZoteroNote(
            ZoteroLink(libraries[item["libraryID"]], item["key"]),
            title[:_MAX_TITLE],
            text,
            reference,
            of_items.get(parent if parent in items else row["itemID"], ()),
            self._tags_of(parent, row["itemID"]),
        )

    # Annotations

    def _read_annotations(self, items: Mapping[int, sqlite3.Row]) -> Steps[dict[int, tuple[Annotation, ...]]]:
        """Return the annotations of attachments; Zotero before version 6 has none."""
        if not self._has("itemAnnotations"):
            return {}
        found: dict[int, list[Annotation]] = defaultdict(list)
        broken = 0
        query = (
            "SELECT itemAnnotations.*, items.key AS itemKey, items.dateAdded, items.dateModified FROM itemAnnotations"
            " JOIN items USING (itemID) ORDER BY parentItemID, sortIndex, itemAnnotations.itemID"
        )
        for rows in self._rows_in_steps(query):
            for row in rows:
                # What is external is in the file itself, and read with it.
                if row["itemID"] not in items or row["isExternal"]:
                    continue
                try:
                    found[row["parentItemID"]].append(_make_annotation(row))
                except (ValueError, KeyError, TypeError, IndexError, AttributeError):
                    broken += 1
            yield None
        if broken:
            self._remarks.append(Message("Damaged annotations in Zotero, skipped: {count}", count=broken))
        return {attachment: tuple(annotations) for attachment, annotations in found.items()}


def _walk_up(collection: int, rows: Mapping[int, sqlite3.Row]) -> Iterator[int]:
    """Yield a collection and those above it, also where they form a circle."""
    seen: set[int] = set()
    at: int | None = collection
    while at in rows and at not in seen and len(seen) < _MAX_DEPTH:
        assert at is not None
        seen.add(at)
        yield at
        at = rows[at]["parentCollectionID"]


def _make_reference(kind: str, values: Mapping[str, str], authors: Sequence[str], key: str) -> Reference:
    texts: dict[str, Any] = {
        name: next((" ".join(values[each].split()) for each in fields if values.get(each)), "")
        for name, fields in _FIELDS.items()
    }
    extra = values.get("extra", "")
    if (match := _EXTRA_KEY.search(extra)) is not None:
        texts["key"] = match[1]  # pinned by a person
    texts["key"] = texts["key"] or key
    if not texts["doi"] and (match := _EXTRA_DOI.search(extra)) is not None:
        texts["doi"] = match[1]
    texts["doi"] = find_doi(texts["doi"])
    texts["title"] = html.unescape(_FORMATTING.sub("", texts["title"]))
    return Reference(kind=_KINDS.get(kind, DOCUMENT), authors=tuple(authors), date=_read_date(values), **texts)


def _read_date(values: Mapping[str, str]) -> str:
    """Return the date of an item: Zotero writes `2019-03-00 March 2019`, the first part for machines."""
    for name in ("date", "dateEnacted", "dateDecided", "issueDate"):
        if value := values.get(name, ""):
            first, _, rest = value.partition(" ")
            parts = [part for part in first.split("-") if part.strip("0")]
            return normalise_date("-".join(parts)) or read_written_date(rest or value)
    return ""


def _make_annotation(row: Any) -> Annotation:
    """Return an annotation of Zotero.

    Raises:
        ValueError, KeyError, TypeError: its place cannot be read.
    """
    position = json.loads(row["position"])
    text = " ".join(_FORMATTING.sub("", row["text"] or "").split())
    comment = html.unescape(_FORMATTING.sub("", row["comment"] or "")).strip()
    label = row["pageLabel"] or None
    places: tuple[Place, ...] = ()
    rects: tuple[PageRect, ...] = ()
    if "pageIndex" in position:
        page = int(position["pageIndex"]) + 1
        rects = tuple(PageRect(page, *map(float, rect)) for rect in position.get("rects", ()) if len(rect) == 4)
        rects += tuple(
            PageRect(page + 1, *map(float, rect)) for rect in position.get("nextPageRects", ()) if len(rect) == 4
        )
        if drawing := [float(each) for path in position.get("paths", ()) for each in path]:
            across, up = drawing[::2], drawing[1::2]
            rects += (PageRect(page, min(across), min(up), max(across), max(up)),)
        # Where the words begin in the text of the page, as far as Zotero says it.
        start = int(str(row["sortIndex"]).split("|")[1]) if str(row["sortIndex"]).count("|") == 2 else 0
        places = (Place(page, start, start + len(text), "text"),)
    if not text and not comment and not rects:
        raise ValueError("an annotation without words and place")
    return Annotation(
        0,
        0,
        text,
        comment,
        clean_colour(row["color"] or "") or DEFAULT_COLOUR,
        "zotero",
        _ANNOTATION_KINDS.get(row["type"], "note"),
        places,
        rects=rects,
        author=row["authorName"] or "",
        page_label=label,
        key=row["itemKey"],
    )
