"""What a person last worked on in a library: the query, the open documents, the pane, and their places."""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QSettings

from desktop_app.core.scope import ScopePart
from desktop_app.gui.base import display_text
from desktop_app.gui.reader.model import HitNavigation, ReaderBookmark, ReadingPosition, ShownDocument
from desktop_app.gui.shell.library_switch import list_recent_libraries
from desktop_app.gui.shell.panes import PANE_SPECS

if TYPE_CHECKING:
    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.records import Document
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.library.model import DocumentTreeModel
    from desktop_app.gui.reader.controller import ReaderController
    from desktop_app.gui.search.feature import SearchFeature
    from desktop_app.gui.search.pane import SearchPane
    from desktop_app.gui.shell.panes import PaneStack
    from desktop_app.gui.shell.reader_link import ReaderLink

_GROUP = "work"

_log = logging.getLogger(__name__)


class WorkState(QObject):
    """Saves what a person works on in one library, and restores it in the next window of this library.

    Whatever is no longer there is left out: a removed document, a hit that is not found any more, an unknown pane. What
    the person does before everything is restored comes first.

    Attributes:
        place: of the library.
    """

    def __init__(
        self,
        context: WindowContext,
        place: LibraryPlace,
        documents: DocumentTreeModel,
        panes: PaneStack,
        search: SearchFeature,
        search_pane: SearchPane,
        reader: ReaderController,
        reader_link: ReaderLink,
    ) -> None:
        super().__init__(context.widget)
        self._context = context
        self.place = place
        self._documents = documents
        self._panes = panes
        self._search = search
        self._search_pane = search_pane
        self._reader = reader
        self._reader_link = reader_link
        self._stored: dict[str, Any] = {}
        self._is_read = False
        self._are_documents_restored = False
        self._awaits_hits = False  # the restored query has no answer yet
        search.controller.answered.connect(lambda _again: self._restore_hits())

    # Saving

    def save(self, state: QSettings) -> None:
        """Save the work in this library; forget that in libraries that are not listed any more."""
        if not self._are_documents_restored:
            return  # the library was never shown: what was stored stays
        now: dict[str, Any] = {"folders": self._documents.forest.top_names}
        if self._context.settings.restore_work:
            now |= {"pane": self._panes.current.name, **self._describe_documents(), **self._describe_search()}
        known = [self.place, self._context.paths.default_library, *list_recent_libraries(state)]
        state.beginGroup(_GROUP)
        for key in set(state.childKeys()) - {_library_key(place) for place in known}:
            state.remove(key)
        state.setValue(_library_key(self.place), json.dumps(now))
        state.endGroup()

    def _describe_search(self) -> dict[str, Any]:
        settings, pane = self._context.settings, self._search_pane
        if not settings.keep_queries:
            return {}
        if self._awaits_hits:
            hits: dict[str, Any] = {
                name: self._stored[name] for name in ("hit", "scroll", "is_hit_read") if name in self._stored
            }
        else:
            hit = pane.current
            hits = {
                "hit": hit.sentence_id if hit is not None else None,
                "scroll": pane.view.verticalScrollBar().value(),
                "is_hit_read": hit is not None and self._reader.pane.current == hit,
            }
        return {
            "query": self._search.box.text(),
            "min_score": pane.threshold.min_score,
            "parts": [[part.kind, part.key, part.name] for part in pane.scope.parts],
            **hits,
        }

    def _describe_documents(self) -> dict[str, Any]:
        documents, current = self._reader.open_documents
        return {
            "documents": [
                {
                    "path": bookmark.shown.path,
                    "is_kept": is_kept,
                    "position": _position_as_list(bookmark.position),
                }
                for bookmark, is_kept in documents
            ],
            "current": current,
        }

    # Restoring

    def restore_search(self) -> None:
        """Restore the names of folders, the pane and the query, once the library is open."""
        if self._is_read:
            return
        self._is_read = True
        self._stored = self._read()
        names = self._stored.get("folders")
        if isinstance(names, dict) and all(isinstance(name, str) for name in names.values()):
            self._documents.restore_folder_names(names)
        if not self._context.settings.restore_work:
            return
        try:
            self._restore_query()
        except (KeyError, TypeError, ValueError) as error:
            _log.warning("the last search cannot be restored: %r", error)

    def _restore_query(self) -> None:
        stored, box = self._stored, self._search.box
        query, pane = stored.get("query"), stored.get("pane")
        if isinstance(query, str) and query.strip() and not box.text():
            self._awaits_hits = True
            parts = [ScopePart(*map(str, part)) for part in stored.get("parts", ())]  # type: ignore[arg-type]
            self._search_pane.scope.set_parts(tuple(parts))
            self._search_pane.threshold.set_min_score(float(stored.get("min_score", 0.0)))
            self._search.history.take(query)  # it is remembered already
        if any(spec.name == pane for spec in PANE_SPECS):
            self._panes.show_pane(str(pane))

    def restore_documents(self) -> None:
        """Restore the open documents, once the documents of the library are listed."""
        if not self._is_read or self._are_documents_restored:
            return
        self._are_documents_restored = True
        self._documents.keep_folder_names()
        if not self._context.settings.restore_work or self._reader.pane.document is not None:
            return
        try:
            self._restore_open_documents()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            _log.warning("the open documents cannot be restored: %r", error)

    def _restore_open_documents(self) -> None:
        rows = self._stored.get("documents", [])
        paths = {row["path"] for row in rows}
        known = {document.path: document for document in self._documents.all_documents() if document.path in paths}
        current = 0
        bookmarks: list[tuple[ReaderBookmark, bool]] = []
        for at, row in enumerate(rows):
            document = known.get(row["path"])
            if document is None or not document.sentences:
                continue
            if at <= self._stored.get("current", 0):
                current = len(bookmarks)
            position = _position_from_list(row.get("position"))
            bookmark = ReaderBookmark(_as_shown(document), HitNavigation(), position)
            bookmarks.append((bookmark, bool(row.get("is_kept"))))
        if bookmarks:
            self._reader.restore_documents(bookmarks, current)

    def _restore_hits(self) -> None:
        """Select the hit that was selected, and scroll to where the list was."""
        if not self._awaits_hits:
            return
        self._awaits_hits = False
        stored, pane = self._stored, self._search_pane
        if self._search.controller.query != str(stored.get("query", "")).strip():
            return  # the person has typed another one
        sentence_id, scroll = stored.get("hit"), stored.get("scroll")
        row = pane.model.row_of(sentence_id) if isinstance(sentence_id, int) else None
        if row is not None:
            pane.view.setCurrentIndex(pane.model.index(row))
            pane.view.doItemsLayout()
            if isinstance(scroll, int):
                pane.view.verticalScrollBar().setValue(scroll)
        if self._reader.pane.document is None:
            return
        self._reader_link.stop()  # the restored document stays, and does not give way to the selected hit
        hit = pane.current
        if row is not None and hit is not None and stored.get("is_hit_read"):
            self._reader.mark_hit(hit)

    def _read(self) -> dict[str, Any]:
        state = QSettings(str(self._context.state_file), QSettings.Format.IniFormat)
        try:
            stored = json.loads(str(state.value(f"{_GROUP}/{_library_key(self.place)}") or "{}"))
        except ValueError:
            return {}
        return cast("dict[str, Any]", stored) if isinstance(stored, dict) else {}


def _library_key(place: LibraryPlace) -> str:
    """Return the key of a library's work: QSettings takes the separators of a path for groups."""
    text = str(place.absolute() if isinstance(place, Path) else place)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _as_shown(document: Document) -> ShownDocument:
    name = display_text.document_name(document.title, document.path)
    return ShownDocument(document.document_id, document.path, name, document.type)


def _position_as_list(position: ReadingPosition | None) -> list[Any] | None:
    if position is None:
        return None
    return [position.mode, position.zoom, position.fit, position.page, position.down, position.across]


def _position_from_list(values: object) -> ReadingPosition | None:
    """Return a stored position; None for anything else."""
    if not isinstance(values, list) or len(values) != 6 or values[0] not in ("pages", "text"):
        return None
    mode, zoom, fit, page, down, across = values
    if fit not in ("", "width", "page"):
        return None
    return ReadingPosition(mode, float(zoom), fit, int(page), float(down), int(across))
