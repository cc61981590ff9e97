"""What the reader shows: a document, its hits, the reading position, and the extraction; and how they are loaded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_app.core.vaults import is_note
from desktop_app.gui.base.requests import JobGroup
from desktop_app.gui.results.highlighting import NO_HIGHLIGHTS, HighlightTerms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import Job
    from desktop_app.core.pages import Box, OutlineEntry, SentenceToLocate, TextSlice
    from desktop_app.core.reader_events import Omissions, PageNote
    from desktop_app.core.records import Document, Hit, Occurrence, PassageKind
    from desktop_app.gui.base.session import LibrarySession

ReaderMode = Literal["empty", "opening", "pages", "text", "locked"]
PageFit = Literal["width", "page", ""]

T = TypeVar("T")

_MAX_HITS = 2000


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document in the reader; `name` is its display name."""

    document_id: int
    path: str
    name: str
    type: str | None


@dataclass(frozen=True, slots=True)
class HeatStripMark:
    """A hit: its position in the document and the strength of its mark, both 0 to 1, and its sentence."""

    share: float
    strength: float
    text: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class HitNavigation:
    """The hits of one document, through which "next hit" moves.

    Attributes:
        hits: in the order of the document.
        index: the current hit; None if there are no hits.
        terms: words that are highlighted in the hits.
    """

    hits: tuple[Hit, ...] = ()
    index: int | None = None
    terms: HighlightTerms = NO_HIGHLIGHTS

    @classmethod
    def starting_at(cls, hit: Hit, of_document: Sequence[Hit], terms: HighlightTerms = NO_HIGHLIGHTS) -> HitNavigation:
        """Return the hits of a document with `hit` as the current one."""
        by_ordinal = {each.ordinal: each for each in of_document[:_MAX_HITS]}
        by_ordinal[hit.ordinal] = hit
        ordinals = sorted(by_ordinal)
        return cls(tuple(by_ordinal[ordinal] for ordinal in ordinals), ordinals.index(hit.ordinal), terms)

    @property
    def current(self) -> Hit | None:
        """The current hit."""
        return self.hits[self.index] if self.index is not None else None

    def moved_by(self, by: int) -> HitNavigation | None:
        """Return the same hits with another current one; None if there are not that many."""
        if self.index is None or not 0 <= self.index + by < len(self.hits):
            return None
        return replace(self, index=self.index + by)

    @property
    def ordinals(self) -> list[int]:
        """The positions of the hits among the sentences of the document."""
        return [hit.ordinal for hit in self.hits]

    @property
    def pages(self) -> list[int]:
        """The page on which each hit begins."""
        return [hit.places[0].page or 1 if hit.places else 1 for hit in self.hits]

    def sentences_to_locate(self) -> list[SentenceToLocate]:
        """Return the hits as sentences to mark on pages."""
        from desktop_app.core.pages import SentenceToLocate

        return [SentenceToLocate(hit.text, hit.places) for hit in self.hits]

    def heat_strip_marks(self, shares: Sequence[float]) -> list[HeatStripMark]:
        """Return the marks along the scroll bar.

        Args:
            shares: the position of each hit in the document, 0 to 1; empty while unknown.
        """
        best = max((hit.score for hit in self.hits), default=1.0)
        least = min((hit.score for hit in self.hits), default=0.0)
        spread = max(best - least, 1e-6)
        return [
            HeatStripMark(share, (hit.score - least) / spread, hit.text, index == self.index)
            for index, (share, hit) in enumerate(zip(shares, self.hits, strict=False))
        ]


@dataclass(frozen=True, slots=True)
class ReadingPosition:
    """A scroll position and zoom in pages or in a stored text.

    Attributes:
        fit: what pages are fitted to; empty for a chosen zoom, and for a text.
        page: the page at the upper edge, from 1; 0 in a text.
        down: the distance of the upper edge from the top of that page, in points; in a text, the characters above it.
        across: the horizontal scroll position of pages, in pixels.
    """

    mode: Literal["pages", "text"]
    zoom: float
    fit: PageFit
    page: int
    down: float
    across: int = 0


@dataclass(frozen=True, slots=True)
class ReaderBookmark:
    """A document with its hits and the reading position; the position is None if nothing was shown yet."""

    shown: ShownDocument
    navigation: HitNavigation
    position: ReadingPosition | None


class DocumentLoader(QObject):
    """Loads the pages or the stored text of one document at a time. The newest document wins.

    Attributes:
        pages_loaded: carries the PagedFile.
        pages_unavailable: the pages cannot be shown; carries the exception.
        stored_text_loaded: more of the stored text; carries the TextSlice.
        text_unavailable: carries the exception.
        outline_loaded: the table of contents of a text; carries a tuple of OutlineEntry.
        links_loaded: the notes that link to a text; carries a list of Document.
        file_missing: the file of a text no longer exists.
        document_reloaded: the document as the library has it now; None if it was removed.
    """

    pages_loaded = Signal(object)
    pages_unavailable = Signal(object)
    stored_text_loaded = Signal(object)
    text_unavailable = Signal(object)
    outline_loaded = Signal(object)
    links_loaded = Signal(object)
    file_missing = Signal()
    document_reloaded = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject, reader: str = "") -> None:
        super().__init__(parent)
        self._reader = reader
        self._workspace = session.workspace
        self._jobs = JobGroup(session.bridge, self)

    def stop(self) -> None:
        """Drop pending requests."""
        self._jobs.drop()

    def open_pages(self, shown: ShownDocument) -> None:
        """Request the pages of a file."""
        self._jobs.drop()
        job = self._workspace.pages.open_pages(shown.document_id, shown.path, reader=self._reader)
        self._jobs.start(job, self.pages_loaded.emit, on_error=self.pages_unavailable.emit)

    def open_text(self, shown: ShownDocument) -> None:
        """Request the stored text, slice by slice, and its table of contents."""
        self._jobs.drop()

        def take_outline(entries: list[OutlineEntry]) -> None:
            self.outline_loaded.emit(tuple(entries))

        self._load_text(shown.document_id, 0)
        self._jobs.start(
            self._workspace.read(lambda library: library.documents.outline(shown.document_id)),
            take_outline,
            on_error=_ignore,
        )
        if is_note(shown.path):
            job = self._workspace.note_links.find_linking(shown.document_id, reader=self._reader)
            self._jobs.start(job, self.links_loaded.emit, on_error=_ignore)

    def check_file_missing(self, shown: ShownDocument) -> None:
        """Check whether a file still exists."""

        def take(exists: bool) -> None:
            if not exists:
                self.file_missing.emit()

        # If the check fails, nothing is known, so nothing is shown.
        self._jobs.start(self._workspace.pages.check_file_exists(shown.path), take, on_error=_ignore)

    def reload_document(self, shown: ShownDocument) -> None:
        """Request the document as the library has it now."""

        def take(rows: list[Document]) -> None:
            self.document_reloaded.emit(rows[0] if rows else None)

        self._jobs.start(self._workspace.read_documents([shown.document_id]), take)

    def _load_text(self, document_id: int, first: int) -> None:
        def take(part: TextSlice) -> None:
            # Before the signal: its receiver may open another document, which drops this request.
            if not part.is_last and part.sentences:
                self._load_text(document_id, part.sentences[-1].ordinal + 1)
            self.stored_text_loaded.emit(part)

        job = self._workspace.pages.read_text(document_id, first, reader=self._reader)
        self._jobs.start(job, take, on_error=self.text_unavailable.emit)


class ExtractionModel(QObject):
    """The extracted sentences of a document: loads them, keeps the selected one, and corrects it.

    Attributes:
        changed: the drawing has changed.
        selection_changed: another sentence is selected, or none.
        corrected: the document was cut again; carries the ordinal of the first change.
        failed: a correction failed; carries the exception.
        chosen: the selected sentence.
        is_on: whether the extraction is shown.
        is_busy: whether a correction is running.
    """

    changed = Signal()
    selection_changed = Signal()
    corrected = Signal(object)
    failed = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject, reader: str = "") -> None:
        super().__init__(parent)
        self._reader = reader
        self._workspace = session.workspace
        self._bridge = session.bridge
        self._jobs = JobGroup(session.bridge, self)
        self._shown: ShownDocument | None = None
        self._rows: dict[int, list[Occurrence]] = {}
        self._boxes: dict[int, list[tuple[Box, ...]]] = {}
        self._asked: set[int] = set()
        self._notes: dict[int, PageNote] = {}
        self.omissions: Omissions | None = None
        self.chosen: Occurrence | None = None
        self.corrections = 0
        self.is_on = False
        self.is_busy = False

    def show(self, shown: ShownDocument | None) -> None:
        """Show another document, or the same one as it is now."""
        if shown is None or self._shown is None or shown.document_id != self._shown.document_id:
            self.choose(None)
        self._shown = shown
        self.reload()

    def set_on(self, on: bool) -> None:
        """Show or hide the extraction."""
        self.is_on = on
        self.choose(None)
        self.reload()

    def reload(self) -> None:
        """Request everything again."""
        self._jobs.drop()
        for cache in (self._rows, self._boxes, self._notes):
            cache.clear()
        self._asked.clear()
        self.omissions = None
        if self.is_on and self._shown is not None:
            document_id = self._shown.document_id

            def take_notes(notes: list[PageNote]) -> None:
                self._notes = {note.page: note for note in notes}
                self.changed.emit()

            def take_omissions(omissions: Omissions) -> None:
                self.omissions = omissions
                self.selection_changed.emit()

            def take_count(corrections: int) -> None:
                self.corrections = corrections
                self.selection_changed.emit()

            self._jobs.start(
                self._workspace.read(lambda library: library.documents.page_notes(document_id)),
                take_notes,
                on_error=_ignore,
            )
            self._jobs.start(
                self._workspace.read(lambda library: library.documents.omissions(document_id), by_person=False),
                take_omissions,
                on_error=_ignore,
            )
            self._jobs.start(
                self._workspace.read(lambda library: len(library.corrections.find(document_id)), by_person=False),
                take_count,
                on_error=_ignore,
            )
        self.changed.emit()

    # Pages

    def note(self, page: int) -> PageNote | None:
        """Return the state of a page; None while it is unknown."""
        return self._notes.get(page)

    def request_page(self, page: int) -> None:
        """Request the sentences of a page."""
        from desktop_app.core.pages import SentenceToLocate

        if not self.is_on or self._shown is None or page in self._asked:
            return
        self._asked.add(page)
        shown = self._shown

        def take_rows(rows: list[Occurrence]) -> None:
            self._rows[page] = rows
            sentences = [SentenceToLocate(row.text, row.places) for row in rows]

            def take_boxes(boxes: list[tuple[Box, ...]]) -> None:
                self._boxes[page] = boxes
                self.changed.emit()

            job = self._workspace.pages.find_boxes(
                shown.path, page, sentences, purpose=" extraction", reader=self._reader
            )
            self._jobs.start(job, take_boxes, on_error=_ignore)

        self._jobs.start(
            self._workspace.read(lambda library: library.corrections.on_page(shown.document_id, page), by_person=False),
            take_rows,
            on_error=_ignore,
        )

    def sentences(self, page: int) -> list[tuple[Occurrence, tuple[Box, ...]]]:
        """Return the sentences of a page with their boxes on it; none while they are unknown."""
        if page not in self._boxes:
            return []
        return list(zip(self._rows[page], self._boxes[page], strict=True))

    def at(self, page: int, x: float, y: float) -> Occurrence | None:
        """Return the sentence at a point of a page."""
        for row, boxes in self.sentences(page):
            if any(box.left <= x <= box.right and box.top <= y <= box.bottom for box in boxes):
                return row
        return None

    # The selected sentence

    def choose(self, sentence: Occurrence | None) -> None:
        """Select a sentence, or none."""
        self.chosen = sentence
        self.selection_changed.emit()
        self.changed.emit()

    def step(self, by: int) -> None:
        """Select the next or previous sentence; the first one if none is selected."""
        if self._shown is not None:
            self._choose_ordinal(0 if self.chosen is None else self.chosen.ordinal + by)

    def _choose_ordinal(self, ordinal: int) -> None:
        if self._shown is None or ordinal < 0:
            return
        document_id = self._shown.document_id

        def take(rows: list[Occurrence]) -> None:
            if rows and self._shown is not None and self._shown.document_id == document_id:
                self.choose(rows[-1])

        # Not in the group: reloading does not cancel a selection.
        self._bridge.call(
            self._workspace.read(
                lambda library: library.sentences.context(document_id, ordinal, 0, 0),
                key=f"extracted sentence {self._reader}",
            ),
            self,
            take,
            on_error=_ignore,
        )

    # Corrections

    def merge(self) -> None:
        """Merge the selected sentence with the next one."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.corrections.merge(*self._chosen_key()))

    def split(self, at: int) -> None:
        """Split the selected sentence before the character `at`."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.corrections.split(*self._chosen_key(), at))

    def ignore(self) -> None:
        """Ignore the selected sentence everywhere in the document."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.corrections.ignore(*self._chosen_key()))

    def set_kind(self, kind: PassageKind) -> None:
        """Say what the selected passage is, everywhere in the document."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.corrections.set_kind(*self._chosen_key(), kind))

    def undo(self) -> None:
        """Undo the document's last correction."""
        if self._shown is not None and self._can_correct():
            self._correct(self._workspace.corrections.undo(self._shown.document_id))

    def _can_correct(self) -> bool:
        return self.is_on and not self.is_busy

    def _chosen_key(self) -> tuple[int, int, int]:
        assert self.chosen is not None
        return self.chosen.document_id, self.chosen.ordinal, self.chosen.sentence_id

    def _correct(self, job: Job[T]) -> None:
        ordinal = self.chosen.ordinal if self.chosen is not None else 0
        shown = self._shown
        self.is_busy = True
        self.selection_changed.emit()

        def done(_result: T) -> None:
            self.is_busy = False
            if self._shown is None or shown is None or self._shown.document_id != shown.document_id:
                self.selection_changed.emit()
                return  # another document is open: its sentences are the same as before
            self.choose(None)
            self.reload()
            self._choose_ordinal(ordinal)
            self.corrected.emit(ordinal)

        def fail(error: BaseException) -> None:
            self.is_busy = False
            self.selection_changed.emit()
            self.failed.emit(error)

        self._bridge.call(job, self, done, on_error=fail)


def _ignore(_error: BaseException) -> None:
    pass
