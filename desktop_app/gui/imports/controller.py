"""Asks before a large import, runs imports one after the other, and reports their progress."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox

from desktop_app.core.formats import is_supported
from desktop_app.core.paths import resources_folder
from desktop_app.core.reference_files import LIST_SUFFIXES
from desktop_app.gui.base import display_text
from desktop_app.gui.base.file_dialogs import choose_files, choose_folder, document_filters
from desktop_app.gui.base.throttle import Throttle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.jobs import Job, Progress
    from desktop_app.engine.import_forecast import ImportForecast
    from desktop_app.engine.requests import ImportReport, ImportRequest
    from desktop_app.gui.base.window_context import ImportOptions, WindowContext

_MAX_PASSWORDS = 20  # each is tried on every locked file
_MIN_FORECAST_FILES = 200  # paths without a known suffix may be folders; this must not read the disk
_PROGRESS_INTERVAL_MS = 100  # short documents report hundreds of times a second, which nobody can read


@dataclass(eq=False)
class _RunningImport:
    """An import, from its forecast on. Resumed imports are quiet until they find something.

    Attributes:
        job: the forecast, then the import.
        is_asking: whether the person is asked to confirm it.
    """

    job: Job[ImportForecast] | Job[ImportReport]
    quiet: bool
    then: Callable[[ImportReport | None], None]
    progress: Progress | None = None
    is_asking: bool = False


@dataclass
class ImportSummary:
    """The results of the imports since the last summary."""

    reports: list[ImportReport] = field(default_factory=list)

    def join(self) -> ImportReport:
        """Return all results as one: of a file that was read twice, the latest."""
        from desktop_app.engine.requests import ImportReport

        total = ImportReport()
        for report in self.reports:
            again = {*report.unchanged, *report.ignored, *(file.path for file in report.failed)}
            again |= {file.path for file in report.imported} | {file.path for file in report.copies}
            total.imported = [file for file in total.imported if file.path not in again]
            total.failed = [file for file in total.failed if file.path not in again]
            total.unchanged = [path for path in total.unchanged if path not in again]
            total.ignored = [path for path in total.ignored if path not in again]
            total.copies = [file for file in total.copies if file.path not in again]
            total.imported += report.imported
            total.unchanged += report.unchanged
            total.copies += report.copies
            total.failed += report.failed
            total.ignored += report.ignored
            total.sentences += report.sentences
            total.embedded += report.embedded
            total.seconds += report.seconds
            total.stopped = total.stopped or report.stopped
            total.left_out += report.left_out
            total.removed += report.removed
        return total


class ImportController(QObject):
    """Starts imports one after the other and reports their progress.

    Attributes:
        changed: an import started, was paused or ended.
        progressed: the latest progress of the current import, a few times a second; carries a Progress.
        finished: the last of the running imports ended; carries the joined ImportReport.
        failed: an import failed as a whole; carries the exception.
        backup_found: what was to be imported is a backup of a library; carries its path.
    """

    changed = Signal()
    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    backup_found = Signal(str)

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.widget)
        self._context = context
        self._session = context.session
        self._running: list[_RunningImport] = []
        self._summary = ImportSummary()
        self._passwords: list[str] = []  # never written anywhere
        self.is_paused = False
        self.was_interrupted = False
        self._progress_throttle = Throttle(_PROGRESS_INTERVAL_MS, self)
        self._progress_throttle.due.connect(self._emit_progress)
        self.failed.connect(context.tell_error)
        context.actions.bind(
            {
                "library.import": self.choose_files,
                "library.import_folder": self.choose_folder,
                "library.samples": lambda: self.start(list_sample_files()),
            }
        )

    def choose_files(self) -> None:
        """Ask for files to import."""
        choose_files(self._context.widget, self.tr("Import files"), self.start, document_filters())

    def choose_folder(self) -> None:
        """Ask for a folder to import."""
        choose_folder(self._context.widget, self.tr("Import a folder"), lambda folder: self.start([folder]))

    def start(
        self,
        paths: Sequence[str],
        passwords: Sequence[str] = (),
        *,
        force: bool = False,
        ocr: str | None = None,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Import files and folders; lists of references bring what they link.

        Args:
            paths: the files and folders.
            passwords: passwords to try on locked files; later imports try them too until the window closes.
            force: whether to read unchanged files again.
            ocr: languages in which OCR reads pages without text; None for the preferred ones.
            then: called when the import has ended, however it ended; at once if there are only lists of references.
        """
        if not self._session.is_writable and paths:
            self._context.tell(display_text.explain_read_only())
            then()
            return
        self._passwords = list(dict.fromkeys([*passwords, *self._passwords]))[:_MAX_PASSWORDS]
        lists = [path for path in paths if Path(path).suffix.lower() in LIST_SUFFIXES]
        for path in lists:
            self._context.navigator.import_references.emit(path)
        if paths := [path for path in paths if path not in lists]:
            from desktop_app.engine.requests import ImportRequest

            request = ImportRequest(tuple(paths), tuple(self._passwords), force, ocr)

            def end(report: ImportReport | None) -> None:
                then()
                for path in paths:
                    if report is not None and report.is_backup(path):
                        self.backup_found.emit(path)

            if len(paths) > _MIN_FORECAST_FILES or not all(is_supported(Path(path)) for path in paths):
                self._forecast(request, end)
            else:
                self._add(self._session.workspace.imports.start(request), quiet=False, then=end)
        else:
            then()

    def start_with_options(self, paths: Sequence[str], options: ImportOptions) -> None:
        """Import files and folders; see `start`."""
        self.start(paths, options.passwords, force=options.force, ocr=options.ocr, then=options.then)

    def resume(self) -> None:
        """Resume the imports of an earlier run, and those that a lost connection has interrupted."""
        self.was_interrupted = False
        self._add(self._session.workspace.imports.resume(), quiet=True)

    def follow(self, job: Job[ImportReport], then: Callable[[ImportReport | None], None]) -> None:
        """Show the import of watched folders once it finds something; `then` receives its report."""
        self._add(job, quiet=True, then=then)

    @property
    def offers_ocr(self) -> bool:
        """Whether to offer OCR."""
        return self._session.workspace.context.ocr.mode != "never"

    @property
    def is_running(self) -> bool:
        """Whether an import runs that is not quiet."""
        return self.current is not None

    @property
    def current(self) -> _RunningImport | None:
        """The current import."""
        return next((running for running in self._running if not running.quiet), None)

    @property
    def waiting(self) -> int:
        """Number of imports that wait for the current one."""
        return max(sum(not running.quiet for running in self._running) - 1, 0)

    def pause(self, paused: bool) -> None:
        """Pause or resume every import."""
        self.is_paused = paused
        for running in self._running:
            running.job.pause(paused)
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel every import; documents that are ready stay."""
        for running in self._running:
            if not running.quiet:
                running.job.cancel()
        for running in [each for each in self._running if each.is_asking]:
            self._on_stopped(running)
        self.changed.emit()

    def _forecast(self, request: ImportRequest, then: Callable[[ImportReport | None], None]) -> None:
        """Forecast an import, then start it with the listed files."""
        job = self._session.workspace.import_forecast.forecast(request.paths)
        running = _RunningImport(job, False, then)
        self._running.append(running)
        job.pause(self.is_paused)
        self._session.bridge.call(
            job,
            self,
            lambda forecast: self._on_forecast(running, request, forecast),
            on_error=lambda _error: self._start(running, self._session.workspace.imports.start(request)),
            on_cancelled=lambda: self._on_stopped(running),
            on_progress=lambda progress: self._on_progress(running, progress),
        )
        self.changed.emit()

    def _on_forecast(self, running: _RunningImport, request: ImportRequest, forecast: ImportForecast) -> None:
        request = replace(request, listing=forecast.listing)

        def answer(is_confirmed: bool) -> None:
            if running not in self._running:
                return  # it was cancelled meanwhile
            running.is_asking = False
            if is_confirmed:
                self._start(running, self._session.workspace.imports.start(request))
            else:
                self._on_stopped(running)

        if forecast.is_large:
            running.is_asking = True
            self._confirm_large_import(forecast, answer)
        else:
            answer(True)

    def _confirm_large_import(self, forecast: ImportForecast, answer: Callable[[bool], None]) -> None:
        """Show the cost of an import, and call `answer` with whether to start it."""
        size = display_text.format_size
        box = QMessageBox(self._context.widget)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("A large import"))
        box.setAccessibleName(box.windowTitle())
        box.setText(
            self.tr("Importing {documents} will take about {time} and {size} of disk space.").format(
                documents=display_text.count_documents(forecast.files),
                time=display_text.format_duration(forecast.seconds),
                size=size(forecast.disk_bytes),
            )
        )
        room = self.tr("{size} free.").format(size=size(forecast.free_bytes)) if forecast.free_bytes is not None else ""
        more = self.tr("You can search documents as soon as they are imported. You can stop at any time; the import"
" resumes at the next start.")  # fmt: skip
        if warnings := forecast.warnings:
            more = "\n\n".join(map(display_text.translate_message, warnings))
        box.setInformativeText(f"{room} {more}")
        go_on = box.addButton(self.tr("&Import"), QMessageBox.ButtonRole.AcceptRole)
        stop = box.addButton(self.tr("&Cancel"), QMessageBox.ButtonRole.RejectRole)
        for button in (go_on, stop):
            button.setAccessibleName(button.text().replace("&", ""))
        box.setDefaultButton(go_on)
        box.setEscapeButton(stop)
        box.finished.connect(lambda _result: answer(box.clickedButton() is go_on))
        box.open()

    def _add(
        self, job: Job[ImportReport], *, quiet: bool, then: Callable[[ImportReport | None], None] = lambda _: None
    ) -> None:
        running = _RunningImport(job, quiet, then)
        self._running.append(running)
        self._start(running, job)

    def _start(self, running: _RunningImport, job: Job[ImportReport]) -> None:
        running.job = job
        job.pause(self.is_paused)
        self._session.bridge.call(
            job,
            self,
            lambda report: self._on_done(running, report),
            on_error=lambda error: self._on_error(running, error),
            on_cancelled=lambda: self._on_stopped(running),
            on_progress=lambda progress: self._on_progress(running, progress),
        )
        self.changed.emit()

    def _on_progress(self, running: _RunningImport, progress: Progress) -> None:
        running.progress = progress
        # Maintenance of the index is not started by a person.
        if running.quiet and progress.phase in ("reading", "embedding"):
            running.quiet = False
            self.changed.emit()
        if running is self.current:
            self._progress_throttle.request()

    def _emit_progress(self) -> None:
        if self.current is not None and self.current.progress is not None:
            self.progressed.emit(self.current.progress)

    def _on_stopped(self, running: _RunningImport) -> None:
        from desktop_app.engine.requests import ImportReport

        self._on_done(running, ImportReport(stopped=True))

    def _on_done(self, running: _RunningImport, report: ImportReport) -> None:
        if not running.quiet or report.imported or report.failed:
            self._summary.reports.append(report)
        self._end(running)
        running.then(report)

    def _on_error(self, running: _RunningImport, error: BaseException) -> None:
        self.was_interrupted = self._session.note_loss(error) or self.was_interrupted
        self._end(running)
        self.failed.emit(error)
        running.then(None)

    def _end(self, running: _RunningImport) -> None:
        self._running.remove(running)
        if not self._running:
            self.is_paused = False
        self.changed.emit()
        if self.current is None and self._summary.reports:
            report, self._summary = self._summary.join(), ImportSummary()
            self.finished.emit(report)


def list_sample_files() -> list[str]:
    """Return the sample documents that come with the program."""
    folder = resources_folder() / "samples"
    return sorted(str(file) for file in folder.glob("*") if is_supported(file))
