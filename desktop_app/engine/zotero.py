"""Takes a library of Zotero over: references, annotations, collections and notes; nothing is written to Zotero.

A data folder is followed as a watched folder whose only file is the database: what is deleted in it is removed as in
any watched folder, and what has changed in the database is taken over again.
"""

from __future__ import annotations

import html
import os
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.bibliography import Reference
from desktop_app.core.errors import NotFound, UsageError
from desktop_app.core.formats import type_by_name
from desktop_app.core.jobs import ChangeSet, Job, Lane, Progress, Steps
from desktop_app.core.private_files import make_private_folder, write_private
from desktop_app.core.reader_events import FileRef
from desktop_app.core.records import WatchedFolder
from desktop_app.core.stored_text import drop_direction_controls, fold_text
from desktop_app.core.zotero import ZoteroLink
from desktop_app.engine.annotations import has_notes, refresh_notes
from desktop_app.engine.document_pages import iter_documents
from desktop_app.engine.zotero_database import DATABASE, describe_state, find_data_folder, read_zotero

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.library import Library
    from desktop_app.core.messages import Message
    from desktop_app.core.records import Document
    from desktop_app.core.zotero import ZoteroAttachment, ZoteroLibrary, ZoteroNote
    from desktop_app.engine.context import EngineContext

COLLECTION_PREFIX = "Zotero / "
"""Begins the names of collections that follow those of Zotero."""
_NOTES_FOLDER = "zotero-notes"
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class ZoteroListing:
    """A data folder of Zotero that was read.

    Attributes:
        library: what is in it.
        new_files: files that are there, that Kindred can read, and that are not in the library as they are now.
        missing: files of attachments that are not there.
        without_base: how many linked files cannot be found, because the base folder is unknown.
        unsupported: how many attachments are of types that Kindred does not read.
    """

    library: ZoteroLibrary
    new_files: tuple[str, ...]
    missing: tuple[str, ...]
    without_base: int
    unsupported: int


@dataclass(frozen=True, slots=True)
class ZoteroReport:
    """What was taken over from Zotero.

    Attributes:
        documents: how many documents come from Zotero.
        annotations: how many annotations they have.
        notes: how many notes of Zotero are documents.
        collections: how many collections follow those of Zotero.
        missing: files of attachments that are not there.
    """

    documents: int
    annotations: int
    notes: int
    collections: int
    missing: tuple[str, ...]


class ZoteroService:
    """Reads data folders of Zotero, and follows them.

    Args:
        context: the library that it fills.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._states: dict[str, str] = {}

    def read(self, folder: str, base: str = "") -> Job[ZoteroListing]:
        """Read a data folder, write its notes as files, and list what is to be imported.

        Args:
            folder: the data folder, or its zotero.sqlite.
            base: the folder that linked files are relative to; empty to look in Zotero's settings.

        Raises (the job):
            UsageError: it is no data folder of Zotero, or its database cannot be read.
        """

        def steps() -> Steps[ZoteroListing]:
            found = yield from read_zotero(find_data_folder(folder), base)
            library = self._context.open_library()
            notes = self._notes_folder(library)
            new: dict[str, None] = {}
            missing: list[str] = []
            known: dict[str, Document] = {}
            for document in iter_documents(library):
                known |= {_real(path): document.seen_at(path) for path in document.paths}
                yield None
            without_base = unsupported = 0
            for done, attachment in enumerate(found.attachments):
                path = attachment.path
                if path is None:
                    without_base += 1
                elif not path.is_file():
                    missing.append(str(path))
                elif type_by_name(path) is None:
                    unsupported += 1
                elif _is_new(known.get(_real(path)), path):
                    new[str(path)] = None
                if done % 200 == 0:
                    yield Progress("listing", done, len(found.attachments), "documents")
            for note in found.notes if notes is not None else ():
                assert notes is not None
                file = _note_file(notes, note)
                if _write_note(file, note) or _real(file) not in known:
                    new[str(file)] = None
                yield None
            return ZoteroListing(found, tuple(new), tuple(missing), without_base, unsupported)

        return self._context.engine.submit("read zotero", steps)

    def apply(self, listing: ZoteroListing) -> Job[ZoteroReport]:
        """Give documents their references, annotations and collections. An import that is under way ends first."""

        def steps() -> Steps[ZoteroReport]:
            library = self._context.open_library()
            found = listing.library
            by_path: dict[str, int] = {}
            own: set[int] = set()
            below = os.path.join(_real(found.folder), "")
            for document in iter_documents(library):
                paths = [_real(path) for path in document.paths]
                for path in paths:
                    by_path.setdefault(path, document.document_id)
                # Somebody else's data folder may have the same path on another computer: its files are not on this one.
                if all(path.startswith(below) and os.path.isfile(path) for path in paths):
                    own.add(document.document_id)
                yield None
            members: dict[tuple[str, str], set[int]] = {}
            annotations = 0
            documents: dict[int, ZoteroAttachment] = {}
            for attachment in found.attachments:
                document_id = by_path.get(_real(attachment.path)) if attachment.path is not None else None
                if document_id is None:
                    continue
                documents[document_id] = _join_attachments(documents.get(document_id), attachment)
                for key in attachment.collections:
                    members.setdefault(key, set()).add(document_id)
            for done, (document_id, attachment) in enumerate(documents.items()):
                annotations += len(attachment.annotations)
                with suppress(NotFound):  # removed in the meantime
                    yield from self._apply_attachment(library, document_id, attachment)
                yield Progress("reading", done, len(documents), "documents")
            notes = self._notes_folder(library)
            note_ids = []
            for note in found.notes if notes is not None else ():
                assert notes is not None
                document_id = by_path.get(_real(_note_file(notes, note)))
                if document_id is not None:
                    note_ids.append(document_id)
                    with suppress(NotFound):
                        _set_reference(library, document_id, replace(_note_reference(note), tags=note.tags))
                    for key in note.collections:
                        members.setdefault(key, set()).add(document_id)
                yield None
            count = yield from _apply_collections(library, found, members, own.union(note_ids))
            removed = _remove_old_notes(library, notes, found, by_path)
            library.watched_folders.watch(WatchedFolder(found.folder, (DATABASE,)))
            self._states[found.folder] = found.state
            yield ChangeSet(
                documents=frozenset({*documents, *note_ids}),
                listing=bool(removed),
                sentences=True,
                collections=True,
                annotations=True,
            )
            return ZoteroReport(len(documents), annotations, len(note_ids), count, listing.missing)

        return self._context.engine.submit("apply zotero", steps, chain="import")

    def find_changed(self) -> Job[list[str]]:
        """Return the followed data folders whose database has changed since it was last read here."""

        def find() -> list[str]:
            library = self._context.open_library()
            if not library.writable:
                return []
            folders = [each.path for each in library.watched_folders.folders() if DATABASE in each.include]
            return [path for path in folders if describe_state(path) not in ("", self._states.get(path))]

        return self._context.engine.submit("look at zotero", find, by_person=False)

    def followed(self) -> Job[list[str]]:
        """Return the followed data folders."""

        def find() -> list[str]:
            folders = self._context.open_library().watched_folders.folders()
            return [each.path for each in folders if DATABASE in each.include]

        return self._context.engine.submit("list zotero", find, lane=Lane.FRONT)

    def find_link(self, document_id: int) -> Job[ZoteroLink | None]:
        """Return where a document is in Zotero; None if it does not come from there."""

        def find() -> ZoteroLink | None:
            found = self._context.open_library().documents.references([document_id])
            return parse_source(found[document_id].source) if document_id in found else None

        return self._context.engine.submit("find in zotero", find, lane=Lane.FRONT)

    # On the engine's thread

    def _apply_attachment(self, library: Library, document_id: int, attachment: ZoteroAttachment) -> Steps[None]:
        source = format_source(attachment.link)
        reference = attachment.reference or library.documents.references([document_id]).get(document_id)
        if reference is not None:
            _set_reference(library, document_id, replace(reference, source=source, tags=attachment.tags))
        own = [_own_annotation(each, document_id) for each in attachment.annotations]
        split = self._context.setup.split_sentences
        is_changed = library.annotations.replace(document_id, "zotero", own)
        if is_changed or not has_notes(library, document_id, split):  # an earlier run may have ended in between
            yield from refresh_notes(library, self._context.library_encoder, document_id, split)

    def _notes_folder(self, library: Library) -> Path | None:
        """Return where notes are kept as files; None for a shared library, which has no folder."""
        folder = Path(library.info().folder)
        return folder / _NOTES_FOLDER if folder.is_dir() else None


def format_source(link: ZoteroLink) -> str:
    """Return a place in Zotero as it is kept in a reference."""
    return f"zotero:{link.library}:{link.item}:{link.attachment}"


def parse_source(text: str) -> ZoteroLink | None:
    """Return the place in Zotero that `format_source` wrote; None for another text."""
    parts = text.split(":")
    return ZoteroLink(*parts[1:]) if len(parts) == 4 and parts[0] == "zotero" and parts[2] else None


def _join_attachments(first: ZoteroAttachment | None, other: ZoteroAttachment) -> ZoteroAttachment:
    """Return what a document has of the attachments that are the same file: all tags and annotations, and one item.

    That is the first one's, unless it belongs to no item and the other does.
    """
    if first is None:
        return other
    tags = tuple(dict.fromkeys((*first.tags, *other.tags)))
    source = other if first.reference is None and other.reference is not None else first
    return replace(source, annotations=(*first.annotations, *other.annotations), tags=tags)


def _own_annotation(annotation: Annotation, document_id: int) -> Annotation:
    return replace(annotation, document_id=document_id)


def _set_reference(library: Library, document_id: int, reference: Reference) -> None:
    """Give a document its reference, and the tags that are new there; take off those that Zotero no longer has.

    What a person does with the tags of the document in Kindred stays.
    """
    known = library.documents.references([document_id]).get(document_id)
    if not reference.title and known is not None:
        reference = replace(reference, title=known.title)
    if known == reference:
        return
    before = {fold_text(tag): tag for tag in (known.tags if known is not None else ())}
    after = {fold_text(tag): tag for tag in reference.tags}
    add = [tag for folded, tag in after.items() if folded not in before]
    take = [tag for folded, tag in before.items() if folded not in after]
    if add or take:
        library.collections.tag([document_id], add, take)
    library.documents.set_reference(document_id, reference)  # last: its tags say what was done before


def _is_new(document: Document | None, path: Path) -> bool:
    """Return whether a file is not in the library as it is now."""
    if document is None or document.state == "failed":
        return document is None
    return not FileRef.on_disk(str(path), path.stat()).has_time_of(FileRef.of_document(document))


# Collections


def _apply_collections(
    library: Library, found: ZoteroLibrary, members: dict[tuple[str, str], set[int]], own: set[int]
) -> Steps[int]:
    """Let collections follow those of Zotero; returns how many there are.

    Other data folders may fill the same collections; in a shared library, each computer has its own. Then only
    documents that no other folder can have brought are taken out, and only collections of such documents are deleted.

    Args:
        library: has the collections.
        found: what is in Zotero.
        members: the documents of Zotero's collections, by their keys.
        own: documents all of whose files are in this data folder, and notes from it.
    """
    sources = [each for each in library.watched_folders.folders() if DATABASE in each.include]
    is_only = not library.is_shared and all(_real(each.path) == _real(found.folder) for each in sources)
    wanted: dict[str, tuple[str, set[int]]] = {}
    for each in found.collections:
        name = " ".join(drop_direction_controls(f"{COLLECTION_PREFIX}{each.name}").split())  # as it is stored
        folded = fold_text(name)
        first, ids = wanted.setdefault(folded, (name, set()))
        wanted[folded] = (first, ids | members.get(each.key, set()))
    there = {
        fold_text(each.name): each
        for each in library.collections.collections()
        if each.kind == "collection" and fold_text(each.name).startswith(fold_text(COLLECTION_PREFIX))
    }
    for folded, (name, ids) in wanted.items():
        known = there.get(folded)
        collection_id = known.collection_id if known is not None else library.collections.create(name)
        before = known.document_ids if known is not None else frozenset()
        if more := ids - before:
            library.collections.add(collection_id, sorted(more))
        less = before - ids
        if less := less if is_only else less & own:
            library.collections.remove(collection_id, sorted(less))
        yield None
    for folded, old in there.items():
        if folded in wanted:
            continue
        less = old.document_ids & own
        if is_only or (less and less == old.document_ids):
            library.collections.delete(old.collection_id)
        elif less:
            library.collections.remove(old.collection_id, sorted(less))
    return len(wanted)


# Notes


def _note_file(folder: Path, note: ZoteroNote) -> Path:
    return folder / _UNSAFE.sub("-", note.link.library) / f"{_UNSAFE.sub('-', note.link.item)}.html"


def _note_reference(note: ZoteroNote) -> Reference:
    source = format_source(note.link)
    if note.reference is None:
        return Reference(kind="manuscript", title=note.title, source=source)
    about = note.reference
    return Reference(kind="manuscript", title=note.title, container=about.title, date=about.date, source=source)


def _write_note(file: Path, note: ZoteroNote) -> bool:
    """Write a note as a web page; returns whether it has changed.

    Raises:
        UsageError: it cannot be written.
    """
    title = html.escape(note.title)
    page = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head><body>{note.html}</body></html>'
    )
    content = page.encode("utf-8", "replace")
    try:
        if file.is_file() and file.read_bytes() == content:
            return False
        make_private_folder(file.parent)
        write_private(file, content)
    except OSError as error:
        raise UsageError(
            "The notes from Zotero could not be written to {folder}: {why}",
            "Free some disk space, and check that you have permission to write there.",
            folder=str(file.parent),
            why=str(error.strerror or error),
        ) from error
    return True


def _remove_old_notes(
    library: Library, folder: Path | None, found: ZoteroLibrary, by_path: dict[str, int]
) -> list[int]:
    """Remove documents of notes that Zotero no longer has, with their files; returns their ids."""
    if folder is None or not folder.is_dir():
        return []
    wanted = {_real(_note_file(folder, note)) for note in found.notes}
    libraries = {_note_file(folder, note).parent for note in found.notes}
    gone = []
    for file in folder.glob("*/*.html"):
        if _real(file) not in wanted and (file.parent in libraries or not found.notes):
            with suppress(OSError):
                file.unlink()
            if (document_id := by_path.get(_real(file))) is not None:
                gone.append(document_id)
    if gone:
        library.documents.remove(gone)
    return gone


def _real(path: str | Path | None) -> str:
    return os.path.realpath(path) if path is not None else ""


def list_remarks(listing: ZoteroListing) -> Iterable[Message]:
    """Return what to tell a person of a data folder that was read."""
    from desktop_app.core.messages import Message

    yield from listing.library.remarks
    if listing.missing:
        yield Message(
            "Files missing in Zotero: {count}, for example {file}", count=len(listing.missing), file=listing.missing[0]
        )
    if listing.without_base:
        yield Message(
            "Linked files not found, because Zotero's base folder for them is unknown: {count}",
            count=listing.without_base,
        )
    if listing.unsupported:
        yield Message("Attachments with a file type that Kindred does not read: {count}", count=listing.unsupported)
