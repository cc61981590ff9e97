"""What Kindred knows of a library of Zotero: attachments with their references, annotations, notes and collections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.bibliography import Reference
    from desktop_app.core.messages import Message

OWN_LIBRARY = "library"
"""The person's own library in links to Zotero; a group's is `groups/NUMBER`."""


@dataclass(frozen=True, slots=True)
class ZoteroLink:
    """The place of a document in Zotero.

    Attributes:
        library: `library`, or `groups/NUMBER`.
        item: key of the item.
        attachment: key of its attachment; empty for a note.
    """

    library: str
    item: str
    attachment: str = ""

    @property
    def select_address(self) -> str:
        """The address that shows the item in Zotero."""
        return f"zotero://select/{self.library}/items/{self.item}"

    def open_address(self, page: int | None = None, annotation: str = "") -> str:
        """Return the address that opens the attachment in Zotero's reader."""
        if not self.attachment:
            return self.select_address
        parts = (f"page={page}" if page else "", f"annotation={annotation}" if annotation else "")
        query = "&".join(filter(None, parts))
        return f"zotero://open-pdf/{self.library}/items/{self.attachment}" + (f"?{query}" if query else "")


@dataclass(frozen=True, slots=True)
class ZoteroAttachment:
    """A file of an item.

    Attributes:
        link: its place in Zotero.
        path: its file, which may be missing; None if it cannot be known where it is.
        reference: of its item; None for a file without an item.
        annotations: made in Zotero, in the order of their places; their documents are unknown.
        collections: keys (library, key) of the collections of its item.
        tags: those that people gave it and its item.
    """

    link: ZoteroLink
    path: Path | None
    reference: Reference | None = None
    annotations: tuple[Annotation, ...] = ()
    collections: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoteroNote:
    """A note.

    Attributes:
        link: its place in Zotero; its item is the note itself.
        title: of the note.
        html: its text.
        reference: of the item that it belongs to; None for a note of its own.
        collections: as for an attachment.
        tags: as for an attachment.
    """

    link: ZoteroLink
    title: str
    html: str
    reference: Reference | None = None
    collections: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ZoteroCollection:
    """A collection of Zotero.

    Attributes:
        key: (library, key).
        name: with the names of those above it: `Thesis / Chapter 1`.
    """

    key: tuple[str, str]
    name: str


@dataclass(frozen=True, slots=True)
class ZoteroLibrary:
    """A data folder of Zotero that was read.

    Attributes:
        folder: the data folder.
        state: of the database; another one once it has changed.
        remarks: what could not be read.
    """

    folder: str
    state: str
    attachments: tuple[ZoteroAttachment, ...] = ()
    notes: tuple[ZoteroNote, ...] = ()
    collections: tuple[ZoteroCollection, ...] = ()
    remarks: tuple[Message, ...] = ()
