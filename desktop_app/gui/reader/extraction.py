"""What was extracted from a document's pages: their state, and the boundaries of sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_app.core.pages import SentenceToLocate

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.jobs import Job
    from desktop_app.core.pages import Box
    from desktop_app.core.reader_events import PageNote
    from desktop_app.core.records import Occurrence
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.reader.document_loader import ShownDocument

T = TypeVar("T")


class ExtractionModel(QObject):
    """Asks for what is shown, remembers which sentence is chosen, and has it corrected.

    Attributes:
        changed: something else is to be drawn.
        selection_changed: another sentence is chosen, or none.
        corrected: the document was cut anew; carries the ordinal where something changed.
        failed: a correction could not be made; carries the exception.
        chosen: the sentence at hand.
        is_on: whether any of it is to be seen.
        is_busy: whether a correction is under way.
    """

    changed = Signal()
    selection_changed = Signal()
    corrected = Signal(object)
    failed = Signal(object)

    def __init__(self, workspace: Workspace, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._bridge = bridge
        self._shown: ShownDocument | None = None
        self._turn = 0
        self._rows: dict[int, list[Occurrence]] = {}
        self._boxes: dict[int, list[tuple[Box, ...]]] = {}
        self._asked: set[int] = set()
        self._notes: dict[int, PageNote] = {}
        self.chosen: Occurrence | None = None
        self.corrections = 0
        self.is_on = False
        self.is_busy = False

    def show(self, shown: ShownDocument | None) -> None:
        """Tell of another document, or of the same one as it is now."""
        if shown is None or self._shown is None or shown.document_id != self._shown.document_id:
            self.choose(None)
        self._shown = shown
        self.reload()

    def set_on(self, on: bool) -> None:
        """Let it be seen, or not."""
        self.is_on = on
        self.choose(None)
        self.reload()

    def reload(self) -> None:
        """Ask for everything anew."""
        self._turn += 1
        for kept in (self._rows, self._boxes, self._notes):
            kept.clear()
        self._asked.clear()
        if self.is_on and self._shown is not None:
            turn, document_id = self._turn, self._shown.document_id

            def take(notes: list[PageNote]) -> None:
                if turn == self._turn:
                    self._notes = {note.page: note for note in notes}
                    self.changed.emit()

            def count(corrections: int) -> None:
                if turn == self._turn:
                    self.corrections = corrections
                    self.selection_changed.emit()

            self._call(self._workspace.page_notes(document_id), take)
            self._call(self._workspace.correcting.count(document_id), count)
        self.changed.emit()

    # Pages

    def note(self, page: int) -> PageNote | None:
        """Return what became of a page; None while that is not known."""
        return self._notes.get(page)

    def want(self, page: int) -> None:
        """Ask for the sentences of a page."""
        if not self.is_on or self._shown is None or page in self._asked:
            return
        self._asked.add(page)
        turn, shown = self._turn, self._shown

        def take(rows: list[Occurrence]) -> None:
            if turn != self._turn:
                return
            self._rows[page] = rows
            sentences = [SentenceToLocate(row.text, row.places) for row in rows]

            def place(boxes: list[tuple[Box, ...]]) -> None:
                if turn == self._turn:
                    self._boxes[page] = boxes
                    self.changed.emit()

            self._call(self._workspace.viewing.boxes(shown.path, page, sentences, purpose="extraction"), place)

        self._call(self._workspace.correcting.on_page(shown.document_id, page), take)

    def sentences(self, page: int) -> list[tuple[Occurrence, tuple[Box, ...]]]:
        """Return the sentences of a page with their boxes there; nothing while they are not known."""
        if page not in self._boxes:
            return []
        return list(zip(self._rows[page], self._boxes[page], strict=True))

    def at(self, page: int, x: float, y: float) -> Occurrence | None:
        """Return the sentence at a point of a page."""
        for row, boxes in self.sentences(page):
            if any(box.left <= x <= box.right and box.top <= y <= box.bottom for box in boxes):
                return row
        return None

    # The sentence at hand

    def choose(self, sentence: Occurrence | None) -> None:
        """Choose a sentence, or none."""
        self.chosen = sentence
        self.selection_changed.emit()
        self.changed.emit()

    def step(self, by: int) -> None:
        """Choose the sentence after or before the chosen one; the first one where none is chosen."""
        if self._shown is not None:
            self._choose_ordinal(0 if self.chosen is None else self.chosen.ordinal + by)

    def _choose_ordinal(self, ordinal: int) -> None:
        if self._shown is None or ordinal < 0:
            return
        document_id = self._shown.document_id

        def take(rows: list[Occurrence]) -> None:
            if rows and self._shown is not None and self._shown.document_id == document_id:
                self.choose(rows[-1])

        self._call(self._workspace.context(document_id, ordinal, 0, 0), take)

    # Corrections

    def merge(self) -> None:
        """Make one sentence of the chosen one and the next."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.correcting.merge(*self._chosen_key()))

    def split(self, at: int) -> None:
        """Split the chosen sentence; its second part begins at the character `at`."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.correcting.split(*self._chosen_key(), at))

    def ignore(self) -> None:
        """Leave the chosen sentence out, wherever it stands in the document."""
        if self.chosen is not None and self._can_correct():
            self._correct(self._workspace.correcting.ignore(*self._chosen_key()))

    def undo(self) -> None:
        """Undo the document's last correction."""
        if self._shown is not None and self._can_correct():
            self._correct(self._workspace.correcting.undo(self._shown.document_id))

    def _can_correct(self) -> bool:
        return self.is_on and not self.is_busy

    def _chosen_key(self) -> tuple[int, int, int]:
        assert self.chosen is not None
        return self.chosen.document_id, self.chosen.ordinal, self.chosen.sentence_id

    def _correct(self, job: Job[T]) -> None:
        ordinal = self.chosen.ordinal if self.chosen is not None else 0
        self.is_busy = True
        self.selection_changed.emit()

        def done(_result: T) -> None:
            self.is_busy = False
            self.choose(None)
            self.reload()
            self._choose_ordinal(ordinal)
            self.corrected.emit(ordinal)

        def fail(error: BaseException) -> None:
            self.is_busy = False
            self.selection_changed.emit()
            self.failed.emit(error)

        self._bridge.call(job, self, done, on_error=fail)

    def _call(self, job: Job[T], take: Callable[[T], None]) -> None:
        self._bridge.call(job, self, take, on_error=lambda _error: None)
