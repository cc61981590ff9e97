"""Imports files into the library, and continues interrupted imports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import Job, Lane, Steps
from desktop_app.core.ocr import make_missing_error as make_ocr_missing_error
from desktop_app.core.scope import Scope
from desktop_app.engine.document_pages import iter_document_pages
from desktop_app.engine.maintenance import run_maintenance

if TYPE_CHECKING:
    from desktop_app.core.library import Library
    from desktop_app.core.records import Document
    from desktop_app.engine.context import EngineContext
    from desktop_app.engine.import_run import Importer
    from desktop_app.engine.requests import ImportReport, ImportRequest

_MEASURED_DOCUMENTS = 50  # documents of an import whose sizes are learned from


class ImportService:
    """Starts imports; they run one after the other.

    Args:
        context: the library, encoder and reader that it uses.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._has_failed = False

    def start(self, request: ImportRequest) -> Job[ImportReport]:
        """Import files and folders, then maintain the index; then what an earlier import left queued that failed."""
        self._context.page_source.remember_passwords(request.passwords)

        def steps() -> Steps[ImportReport]:
            # A shared library whose connection was lost is resumed when that is there again.
            try:
                report = yield from run_import(self._context, request)
                library = self._context.open_library()
                if self._has_failed and not report.stopped and not library.is_shared:
                    if queued := (yield from _list_queued(library)):
                        report.add((yield from _make_importer(self._context).resume(queued)))
                    self._has_failed = report.stopped
            except Exception as error:
                self._has_failed = self._has_failed or not isinstance(error, Cancelled)
                raise
            return report

        return self._context.engine.submit("import", steps, chain="import")

    def resume(self) -> Job[ImportReport]:
        """Import what an earlier run left queued, and make annotations searchable that it did not.

        Documents of a shared library whose files this computer does not reach are left to others.
        """

        def steps() -> Steps[ImportReport]:
            from desktop_app.engine.requests import ImportReport

            library = self._context.open_library()
            if library.writable:
                library.ingest.recover()
            queued = yield from _list_queued(library)
            if library.is_shared:
                queued = [document for document in queued if is_reachable(document.path)]
            report = ImportReport()
            # Folders whose files were still being entered are walked again.
            interrupted_listings = library.watched_folders.interrupted_listings()
            if queued or interrupted_listings or library.watched_folders.import_folders():
                report = yield from _make_importer(self._context).resume(queued, interrupted_listings)
            if not report.stopped:  # otherwise the program may be about to end
                if library.writable and library.models.current is not None:
                    from desktop_app.engine.annotations import refresh_unfinished_notes

                    encoder, split = self._context.library_encoder, self._context.setup.split_sentences
                    yield from refresh_unfinished_notes(library, encoder, split)
                yield from run_maintenance(library.maintenance.run())
            return report

        return self._context.engine.submit("resume", steps, chain="import")

    def prioritize(self, document_id: int) -> None:
        """Read a document that waits to be imported before the others."""
        self._context.prioritized.append(document_id)

    def save_text(self, folder: Path, text: str, *, markdown: bool = False) -> Job[str]:
        """Write a text that has no file into a new file; returns its path, ready to be imported."""

        def save() -> str:
            from desktop_app.engine.pasted_text import write_text_file

            return write_text_file(folder, text, markdown=markdown)

        return self._context.engine.submit("save text", save, lane=Lane.FRONT)


def _list_queued(library: Library) -> Steps[list[Document]]:
    """Return the documents that wait to be imported."""
    queued: list[Document] = []
    for page in iter_document_pages(library, state="queued"):
        queued += page
        yield None
    return queued


def is_reachable(path: str) -> bool:
    """Return whether this computer reaches the file of a document, which may be inside an archive or a message."""
    return any(part.is_file() for part in (Path(path), *Path(path).parents))


def run_import(context: EngineContext, request: ImportRequest) -> Steps[ImportReport]:
    """Import files and folders, maintain the index, and learn how fast imports are on this machine.

    Raises:
        OcrMissing: OCR is requested and Tesseract is not installed.
    """
    if request.ocr:
        # Checked before any file is read again.
        found = yield from context.page_source.find_ocr()
        if found is None:
            raise make_ocr_missing_error()
        found.choose_languages(request.ocr)
    yield from context.relocate_library()  # otherwise documents that moved with the library would be imported twice
    library = context.open_library()
    requeue_unfinished(library)
    report = yield from _make_importer(context).run(request)
    newest = frozenset(file.document_id for file in report.imported[-_MEASURED_DOCUMENTS:])
    if newest:
        from desktop_app.engine.import_forecast import learn_rates

        documents = library.documents.fetch(limit=len(newest), scope=Scope(document_ids=newest))
        yield from learn_rates(context.setup.rates_file, report, documents)
    if report.imported and not report.stopped:
        yield from run_maintenance(library.maintenance.run())
        yield from _share_model(context)
    return report


def requeue_unfinished(library: Library) -> None:
    """Queue what an import left unfinished that failed on a full disk, where it could not be queued either."""
    states = library.info().states
    if library.writable and (states.get("reading") or states.get("embedding")):
        library.ingest.recover()


def _share_model(context: EngineContext) -> Steps[None]:
    """Let other computers get the model of a shared library, which this import may have chosen."""
    library, encoder = context.open_library(), context.loaded_encoder
    if library.is_shared and encoder is not None and context.setup.open_models is not None:
        from desktop_app.engine.model_sharing import share_model

        yield from share_model(library, encoder.model, context.setup.open_models())


def _make_importer(context: EngineContext) -> Importer:
    from desktop_app.engine.import_forecast import read_rates
    from desktop_app.engine.import_run import Importer

    return Importer(
        context.open_library(),
        context.library_encoder,
        context.open_reader(),
        context.setup.is_supported,
        context.engine.is_user_active,
        context.ocr.requested_languages if context.ocr.mode == "always" else "",
        image_ocr=context.ocr.requested_languages if context.ocr.mode != "never" else "",
        prioritized=context.prioritized,
        is_person_waiting=lambda: context.engine.foreground_gate.is_closed,
        rates=read_rates(context.setup.rates_file),
        split=context.setup.split_sentences,
    )
