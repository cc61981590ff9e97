"""The single entry point through which the window and the command line reach the program.

Every method returns at once with a job; the work is done on the engine's thread (see `context.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.jobs import WAITING, ChangeSet, Job, Lane, Progress, Steps
from desktop_app.core.ocr import make_missing_error as ocr_missing
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.engine.context import EngineContext

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from desktop_app.core.pages import OutlineEntry
    from desktop_app.core.ports import Encoder
    from desktop_app.core.reader_events import PageNote
    from desktop_app.core.records import CheckResult, DeviceInfo, Document, Hit, Occurrence
    from desktop_app.engine.requests import (
        DocumentSearchResult,
        ImportReport,
        ImportRequest,
        SearchRequest,
        SearchResult,
        WorkspaceStatus,
    )

T = TypeVar("T")

_WARM_UP_QUERY = "what is it about"
_MIN_SENTENCES_TO_WARM_UP = 1000
"""Sentences of a library whose first search is felt to take longer than the next."""


class Workspace(EngineContext):
    """Use cases over one library; what it is made of stands in `EngineContext`."""

    def listen(self, listener: Callable[[ChangeSet], None]) -> None:
        """Call `listener` on the engine's thread with every change of the library."""
        self._engine.listen(listener)

    def wake(self) -> None:
        """Let the engine look at jobs that were cancelled, paused or let go."""
        self._engine.wake()

    def close(self) -> None:
        """Stop every job, write what is left, close files and processes, and wait for it."""
        for end in self._endings:
            end()
        self._engine.stop()

    # What a person waits for

    def prepare(self) -> Job[WorkspaceStatus]:
        """Open the library and load its encoder, so that the first search is quick."""

        def steps() -> Steps[WorkspaceStatus]:
            self._open().keep_index_loaded()
            yield Progress("opening")
            encoder = self._ready_encoder()
            self._tune(encoder)
            return self._status()

        return self._engine.submit("prepare", steps, lane=Lane.FRONT)

    def open(self) -> Job[WorkspaceStatus]:
        """Open the library without loading an encoder; documents that moved with it are found."""

        def steps() -> Steps[WorkspaceStatus]:
            yield from self._settle()
            return self._status()

        return self._engine.submit("open", steps, lane=Lane.FRONT)

    def status(self) -> Job[WorkspaceStatus]:
        """Return counts, model and device; loads nothing."""
        return self._front("status", self._status, key="status", by_person=False)

    def device(self) -> Job[DeviceInfo]:
        """Return what the encoder computes on, or would."""

        def device() -> DeviceInfo:
            if self._encoder is not None:
                return self._encoder.device
            return self._choose_device(self._library.model if self._library else None)

        return self._front("device", device)

    def search(self, request: SearchRequest, *, key: str | None = "search", again: bool = False) -> Job[SearchResult]:
        """Find sentences. With a key, the latest search wins; `again` when nobody typed, the library has changed."""
        return self._engine.submit(
            "search", lambda: self._make_searcher(request).steps(), lane=Lane.FRONT, key=key, by_person=not again
        )

    def search_documents(self, request: SearchRequest, *, key: str | None = "search") -> Job[DocumentSearchResult]:
        """Find documents."""
        return self._engine.submit(
            "search documents", lambda: self._make_searcher(request).document_steps(), lane=Lane.FRONT, key=key
        )

    def search_grouped(self, request: SearchRequest, *, again: bool = False) -> Job[SearchResult]:
        """Find documents, with their best sentences as hits; takes the place of a `search` that is under way."""
        return self._engine.submit(
            "search documents",
            lambda: self._make_searcher(request).grouped(),
            lane=Lane.FRONT,
            key="search",
            by_person=not again,
        )

    def read_hits(self, result: SearchResult, first: int, count: int) -> Job[list[Hit]]:
        """Read the rows of what a search found, from the index `first` on."""
        return self._front("more hits", lambda: self._rows(result, first, count))

    def percentile(self, cosine: float) -> Job[float | None]:
        """Return the share of random pairs of the library below a cosine, 0 to 100; None where nobody knows."""
        return self._front("percentile", lambda: self._percentile(cosine))

    def documents(self, *, after_id: int = 0, limit: int = 500, scope: Scope = EVERYTHING) -> Job[list[Document]]:
        """Return documents in the order of their ids."""
        return self._front(
            "documents", lambda: self._open().documents(after_id=after_id, limit=limit, scope=scope), by_person=False
        )

    def documents_by_id(self, document_ids: Sequence[int]) -> Job[list[Document]]:
        """Return the documents with these ids that are still there."""
        wanted = frozenset(document_ids)
        return self.documents(limit=max(len(wanted), 1), scope=Scope(document_ids=wanted))

    def find_documents(self, name: str) -> Job[list[Document]]:
        """Return the documents that a name, path or id means."""
        return self._front("find documents", lambda: self._open().find_documents(name))

    def outline(self, document_id: int) -> Job[list[OutlineEntry]]:
        """Return a document's table of contents."""
        return self._front("outline", lambda: self._open().outline(document_id))

    def page_notes(self, document_id: int) -> Job[list[PageNote]]:
        """Return what became of each page of a document when it was read."""
        return self._front("page notes", lambda: self._open().page_notes(document_id))

    def context(self, document_id: int, ordinal: int, before: int, after: int) -> Job[list[Occurrence]]:
        """Return a sentence and those around it, in reading order. The latest request wins."""
        return self._front("context", lambda: self._open().context(document_id, ordinal, before, after), key="context")

    def keep_text(self, folder: Path, text: str, *, markdown: bool = False) -> Job[str]:
        """Write a text that came without a file into a file of its own; returns its path, ready to be imported."""

        def keep() -> str:
            from desktop_app.engine.pasted_text import write_text_file

            return write_text_file(folder, text, markdown=markdown)

        return self._front("keep text", keep)

    def set_title(self, document_id: int, title: str) -> Job[None]:
        """Give a document the person's own title."""

        def steps() -> Steps[None]:
            self._open().set_title(document_id, title)
            yield ChangeSet(documents=frozenset({document_id}))

        return self._engine.submit("set title", steps, lane=Lane.FRONT)

    def remove(self, document_ids: Sequence[int]) -> Job[int]:
        """Take documents out of sight; `restore` brings them back until `purge`."""
        return self._change_listing("remove", lambda: self._open().remove_documents(document_ids))

    def restore(self, document_ids: Sequence[int]) -> Job[int]:
        """Bring removed documents back."""
        return self._change_listing("restore", lambda: self._open().restore_documents(document_ids))

    # What runs in the background

    def import_paths(self, request: ImportRequest) -> Job[ImportReport]:
        """Take in files and folders, then take care of the index."""
        self.viewing.remember_passwords(request.passwords)

        return self._engine.submit("import", lambda: self._take_in(request), chain="import")

    def resume(self) -> Job[ImportReport]:
        """Take in what an earlier run left queued; does nothing when there is nothing."""

        def steps() -> Steps[ImportReport]:
            queued: list[Document] = []
            while page := self._open().documents(after_id=queued[-1].document_id if queued else 0, state="queued"):
                queued += page
                yield None
            from desktop_app.engine.requests import ImportReport

            report = ImportReport()
            # Folders whose files were still being entered when it was interrupted are walked again.
            interrupted_listings = self._open().watching.interrupted_listings()
            if queued or interrupted_listings:
                report = yield from self._importer().resume(queued, interrupted_listings)
            yield from self._run_maintenance(self._open().maintain())
            return report

        return self._engine.submit("resume", steps, chain="import")

    def prioritize(self, document_id: int) -> None:
        """Read a document that waits to be imported before the others."""
        self._first.append(document_id)

    def purge(self) -> Job[None]:
        """Erase removed documents from every file."""
        return self._engine.submit("purge", lambda: self._run_maintenance(self._open().purge()), key="purge")

    def maintain(self) -> Job[None]:
        """Seal what has come in since, rebuild what is bad."""
        return self._engine.submit("maintain", lambda: self._run_maintenance(self._open().maintain()), key="maintain")

    def export_occurrences(self, write: Callable[[Sequence[Occurrence]], None], scope: Scope = EVERYTHING) -> Job[int]:
        """Hand every sentence of a part of the library to `write`, in reading order, by batches; returns how many."""

        def steps() -> Steps[int]:
            done = 0
            total = self._open().info().occurrences if scope.has_every_document else None
            for batch in self._open().occurrences(scope=scope):
                write(batch)
                done += len(batch)
                yield Progress("exporting", done, total, "sentences")
            return done

        return self._engine.submit("export", steps)

    def doctor(self, *, repair: bool) -> Job[list[CheckResult]]:
        """Check the library against itself; documents that `repair` could not mend wait for `resume` to read them."""

        def steps() -> Steps[list[CheckResult]]:
            from desktop_app.core.records import CheckResult

            checks: list[CheckResult] = []
            for check in self._open().check(repair=repair):
                checks.append(check)
                yield Progress("checking", len(checks), None, "checks")
            if repair:
                yield ChangeSet(listing=True, sentences=True)
            found = yield from self.viewing.find_ocr()
            checks.append(CheckResult("ocr", True, found.told if found is not None else ocr_missing().message))
            return checks

        return self._engine.submit("doctor", steps)

    # On the engine's thread

    def _front(self, name: str, work: Callable[[], T], *, key: str | None = None, by_person: bool = True) -> Job[T]:
        return self._engine.submit(name, work, lane=Lane.FRONT, key=key, by_person=by_person)

    def _change_listing(self, name: str, change: Callable[[], int]) -> Job[int]:
        def steps() -> Steps[int]:
            count = change()
            yield ChangeSet(listing=True, sentences=True)
            return count

        return self._engine.submit(name, steps, lane=Lane.FRONT)

    def _tune(self, encoder: Encoder) -> Job[None]:
        """Let the encoder find out in the background what is fastest, and search once, while nobody types."""

        def steps() -> Steps[None]:
            from desktop_app.engine.embedding import tune_encoder

            for part in (tune_encoder(encoder), self._warm_up()):
                for step in part:
                    yield step
                    while self._engine.is_user_active:
                        yield WAITING

        return self._engine.submit("tune", steps, key="tune")

    def _warm_up(self) -> Steps[None]:
        """Search for nobody: what a first search loads, compiles and measures takes twenty searches."""
        from desktop_app.engine.requests import SearchRequest

        finder = self._make_searcher(SearchRequest(_WARM_UP_QUERY, use_feedback=True, fold_copies=True))
        yield None
        if self._open().info().searchable >= _MIN_SENTENCES_TO_WARM_UP:
            yield from finder.steps()

    def _status(self) -> WorkspaceStatus:
        encoder = self._encoder
        info = self._open().info()
        from desktop_app.engine.requests import WorkspaceStatus

        return WorkspaceStatus(info, encoder.model if encoder else info.model, encoder.device if encoder else None)
