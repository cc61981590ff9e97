"""The command `import`: files and folders into the library; `--watch` follows the folders.

It also finishes an import that was interrupted, as every command does that writes to the library.
"""

from __future__ import annotations

import glob
import os
import sys
import threading
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from desktop_app.cli.argument_types import as_nonempty, as_ocr_languages, as_positive_float, as_positive_int
from desktop_app.cli.output import (
    EXIT_NOT_DONE,
    EXIT_STOPPED,
    escape_unprintable,
    flush_output,
    format_count,
    format_duration,
    list_remarks,
    print_json,
    print_line,
    print_note,
)
from desktop_app.cli.worker_processes import WorkerProcesses
from desktop_app.core.errors import Cancelled, UsageError, file_failure_hint
from desktop_app.core.ocr import OcrChoice
from desktop_app.core.records import WatchedFolder
from desktop_app.core.stored_path import find_stored_path
from desktop_app.engine.requests import DeletedFile, ImportReport, ImportRequest

if TYPE_CHECKING:
    import argparse

    from desktop_app.cli.command_table import LibraryAccess
    from desktop_app.cli.session import CommandSession
    from desktop_app.engine.import_forecast import ImportForecast

KEPT_FILES = "Files imported so far are kept; run the same command to resume."
_WAIT_SLICE_S = 0.2
_SLICES_PER_LOOK = 25  # between looks for disks that were plugged in or taken out, which the system does not report


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "paths",
        nargs="*",
        type=as_nonempty,
        metavar="PATH",
        help="files and folders; folders are imported with everything in them",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        type=as_nonempty,
        metavar="PATTERN",
        help="import only files of the folders that match: '*.pdf', a folder's name, or a path such as '2024/*.pdf'; "
        "may be given several times",
    )
    parser.add_argument(
        "--except",
        dest="leave_out",
        action="append",
        default=[],
        type=as_nonempty,
        metavar="PATTERN",
        help="leave out files of the folders that match, even if they match --only, also in archives and mail; may be "
        "given several times",
    )
    parser.add_argument(
        "--resume", action="store_true", help="finish an interrupted import; without PATH, do only that"
    )
    parser.add_argument(
        "--password", action="append", default=[], help="password of encrypted PDFs (or KINDRED_PDF_PASSWORD)"
    )
    parser.add_argument(
        "--low-priority",
        action="store_true",
        default=None,
        help="run slower, with half the threads, so that other programs stay fast",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="keep watching the folders, with these patterns, and import changes until stopped",
    )
    parser.add_argument(
        "--remove-deleted",
        action="store_true",
        help="with --watch: remove the documents of deleted files even if many are deleted at once; by default "
        "these documents stay and are marked as missing, as it may be a mistake",
    )
    parser.add_argument(
        "--ocr",
        choices=("never", "always"),
        help="whether to run OCR (Tesseract) on pages without text (default: as set in Preferences)",
    )
    parser.add_argument(
        "--ocr-languages",
        type=as_ocr_languages,
        metavar="L",
        help=(
            "languages of the pages, as Tesseract codes: eng, or eng+deu (default: the system's language and English)"
        ),
    )
    parser.add_argument(
        "--timeout", type=as_positive_float, metavar="S", help="skip a file that makes no progress for S seconds"
    )
    parser.add_argument(
        "--workers",
        type=as_positive_int,
        metavar="N",
        help="import with N processes on this computer; for shared libraries (see `work` for other computers)",
    )
    parser.add_argument("--max-memory", type=as_positive_int, metavar="MB", help="skip a file that needs more memory")


def choose_access(options: argparse.Namespace) -> LibraryAccess:
    """Return how the command opens the library."""
    return "create" if options.paths else "write"


def describe_kept_work(options: argparse.Namespace) -> str:
    """Return what remains when a person stops the command."""
    return KEPT_FILES


def run(session: CommandSession) -> int:
    """Import files and folders."""
    options = session.options
    if sys.platform == "win32":
        options.paths = [each for path in options.paths for each in _expand_pattern(path)]
    if not options.paths and not options.resume:
        raise UsageError("`kindred import` needs a file or folder", "Give one, or `--resume`.")
    paths = [find_stored_path(path) for path in options.paths if os.path.isdir(path)]
    if (options.only or options.leave_out) and not paths:
        raise UsageError("`--only` and `--except` need a folder", "A file is imported whatever its name.")
    if options.remove_deleted and not options.watch:
        raise UsageError("`--remove-deleted` needs `--watch`", "To remove documents, use `kindred remove`.")
    if options.watch and not paths:
        raise UsageError("`import --watch` needs a folder to watch", "Give a folder.")
    is_shared = session.command.launch(writable=False, create=False).shared is not None
    workers = (options.workers or 1) - 1
    if workers and not (is_shared and options.paths):
        raise UsageError(
            "`import --workers` needs files or folders, and a shared library",
            "A library in a folder is written by one program at a time.",
        )
    known = session.wait(session.workspace.read(lambda library: library.watched_folders.folders()))
    folders = _choose_patterns(session, paths, known)
    passwords = [*options.password, *filter(None, [os.environ.get("KINDRED_PDF_PASSWORD")])]
    ocr = _choose_ocr_languages(session)
    report = ImportReport()
    if options.watch and any(each.path in paths for each in known):
        # Files that were renamed in the meantime would be new files for the import.
        report = session.wait(session.workspace.watched_folders.sync_folders(remove_many=options.remove_deleted))
        report.stopped |= session.was_interrupted
        report.unconfirmed, report.unreadable = [], []  # repeated when the watch begins
    if options.paths and not report.stopped:
        forecast = session.wait(session.workspace.import_forecast.forecast(options.paths, folders))
        if session.was_interrupted:
            raise KeyboardInterrupt
        _print_forecast(forecast)
        # A folder whose listing is interrupted is walked again without patterns: only its files are named.
        named = [path for path in options.paths if not (folders and os.path.isdir(path))]
        request = ImportRequest(
            tuple(named), tuple(passwords), ocr=ocr, listing=forecast.listing, folders=tuple(folders)
        )
        with ExitStack() as stack:
            if workers:
                threads = max(1, (session.command.settings.threads or os.cpu_count() or 1) // (workers + 1))
                stack.enter_context(WorkerProcesses(session.command, workers, threads))
            report.add(session.wait(session.workspace.imports.start(request)))
            report.stopped |= session.was_interrupted  # it may have finished all the same: what it did is reported
            while workers and not report.stopped and count_waiting(session):
                # Others may still work on the last documents, and leave them behind.
                report.add(session.wait(session.workspace.imports.resume()))
                time.sleep(_WAIT_SLICE_S)
    # The documents that wait in a shared library may be other people's.
    if not report.stopped and (options.resume or not is_shared):
        report.add(session.wait(session.workspace.imports.resume()))
        report.stopped |= session.was_interrupted
    nothing = _has_failed(report)
    print_import_report(session, report)
    for path in options.paths:
        if report.is_backup(os.path.realpath(path)):
            print_note(f"{escape_unprintable(path)} is a backup of a library: `restore` makes a library of it.")
    if report.stopped:
        return EXIT_STOPPED
    if options.watch:
        flush_output()
        return _watch_folders(session, folders or [WatchedFolder(path) for path in paths])
    if nothing:
        return EXIT_NOT_DONE
    return 1 if report.failed else 0


def _expand_pattern(path: str) -> list[str]:
    """Return the files and folders that match a pattern such as `*.pdf`: the shells of Windows leave that to programs.

    What matches nothing stays as it is, for the report. Brackets are ordinary characters there.
    """
    if "*" not in path and "?" not in path:
        return [path]
    return sorted(glob.glob(path.replace("[", "[[]"))) or [path]


def count_waiting(session: CommandSession) -> int:
    """Return how many documents of the library are not imported yet."""
    states = session.wait(session.workspace.read(lambda library: library.info().states))
    return sum(count for state, count in states.items() if state not in ("ready", "failed"))


def print_import_report(session: CommandSession, report: ImportReport) -> None:
    """Print the result of an import."""
    if session.options.json:
        print_json(_import_json(report) | ({"error": _total_failure_json(report)} if _has_failed(report) else {}))
    else:
        _print_import(report)


def _has_failed(report: ImportReport) -> bool:
    """Return whether every file failed."""
    has_succeeded = report.imported or report.unchanged or report.copies
    return bool(report.failed) and not has_succeeded and not report.stopped


def _choose_patterns(session: CommandSession, paths: list[str], known: list[WatchedFolder]) -> list[WatchedFolder]:
    """Return the folders in which only some files are imported, each with its patterns.

    A folder that is watched already (`known`) keeps its patterns unless others are given.
    """
    options = session.options
    if options.only or options.leave_out:
        return [WatchedFolder(path, tuple(options.only), tuple(options.leave_out)) for path in paths]
    if not options.watch:
        return []
    patterns = {each.path: each for each in known}
    return [patterns.get(path, WatchedFolder(path)) for path in paths]


def _choose_ocr_languages(session: CommandSession) -> str | None:
    """Return the languages of OCR for pages without text; empty: no OCR; None: as in the settings."""
    options = session.options
    if options.ocr == "never":
        return ""
    if options.ocr or options.ocr_languages:
        return OcrChoice("always", options.ocr_languages or session.workspace.context.ocr.languages).requested_languages
    return None


def _print_forecast(forecast: ImportForecast) -> None:
    """Print the time and space that a large import needs, before it starts."""
    if not forecast.is_large:
        return
    size = f"{forecast.disk_bytes / 1e9:.1f} GB"
    free = f" ({forecast.free_bytes / 1e9:.1f} GB are free)" if forecast.free_bytes is not None else ""
    print_note(
        f"{format_count(forecast.files, 'file')}, {forecast.size_bytes / 1e6:,.0f} MB: "
        f"about {format_duration(forecast.seconds)}, "
        f"{size} of disk space{free}"
    )
    for warning in forecast.warnings:
        print_note(str(warning))


def _total_failure_json(report: ImportReport) -> dict[str, str]:
    """Return the error of an import in which every file failed, like that of other commands."""
    first = report.failed[0]
    hint = str(file_failure_hint(first.reason, first.path))
    message = (
        str(first.message) if len(report.failed) == 1 else f"None of the {len(report.failed):,} files could be imported"
    )
    return {"kind": "file", "code": first.reason, "message": message, "hint": hint}


def _watch_folders(session: CommandSession, folders: list[WatchedFolder]) -> int:
    """Import what changes in folders until a person stops it; they stay watched folders of the library."""
    watched_folders = session.workspace.watched_folders
    happened = threading.Event()
    happened.set()  # for changes during the import
    waited = 0
    known_doubts: tuple[object, ...] = ([], [])
    try:
        watched = [session.wait(watched_folders.watch_folder(folder)) for folder in folders][-1]
        watched_folders.start_listening(watched, happened.set)
        print_note("Watching the folders. Press Ctrl+C to stop.")
        while not session.was_interrupted:
            # In slices: on Windows a wait without time limit cannot be interrupted.
            if not happened.wait(_WAIT_SLICE_S):
                waited += 1
                if waited % _SLICES_PER_LOOK == 0 and watched_folders.has_volume_changed():
                    watched_folders.start_listening(watched, happened.set)
                    happened.set()
                continue
            happened.clear()
            report = session.wait(watched_folders.sync_folders(remove_many=session.options.remove_deleted))
            doubts = (report.unconfirmed, report.unreadable)
            is_news, known_doubts = doubts != known_doubts, doubts
            has_changed = report.imported or report.failed or report.removed or report.moved
            if has_changed or report.copies or report.removed_copies or is_news:
                if session.options.json:
                    print_json(_import_json(report))
                else:
                    _print_import(report)
                flush_output()
    except (KeyboardInterrupt, Cancelled):  # cancelled: the person stopped it before a look at the folders began
        pass
    print_note("Stopped. The folders are checked again when the window opens.")
    return EXIT_STOPPED


def _import_json(report: ImportReport) -> dict[str, Any]:
    return {
        "imported": [
            {
                "path": file.path,
                "document_id": file.document_id,
                "pages": file.pages,
                "sentences": file.sentences,
                "warnings": list(map(str, file.warnings)),
                "remarks": list_remarks(file.warnings),
            }
            for file in report.imported
        ],
        "copies": [{"path": file.path, "document_id": file.document_id} for file in report.copies],
        "unchanged": report.unchanged,
        "failed": [
            {
                "path": file.path,
                "reason": file.reason,
                "code": file.message.code or file.reason,
                "message": str(file.message),
                "hint": str(file_failure_hint(file.reason, file.path)),
            }
            for file in report.failed
        ],
        "ignored": report.ignored,
        "moved": [
            {"old_path": file.old_path, "path": file.path, "document_id": file.document_id} for file in report.moved
        ],
        "removed": [_deleted_json(file) for file in report.removed],
        "removed_copies": [_deleted_json(file) for file in report.removed_copies],
        "unconfirmed": [_deleted_json(file) for file in report.unconfirmed],
        "unreadable": [{"path": each.path, "message": str(each.why)} for each in report.unreadable],
        "sentences": report.sentences,
        "seconds": round(report.seconds, 3),
        "sentences_per_s": round(report.sentences / report.seconds, 1) if report.seconds else 0.0,
        "stopped": report.stopped,
    }


def _deleted_json(file: DeletedFile) -> dict[str, Any]:
    return {"path": file.path, "document_id": file.document_id}


def _print_import(report: ImportReport) -> None:
    for file in report.imported:
        pages = f", {format_count(file.pages, 'page')}" if file.pages else ""
        print_line(f"imported   {escape_unprintable(file.path)} ({format_count(file.sentences, 'sentence')}{pages})")
        for warning in file.warnings:
            print_line(f"           {escape_unprintable(str(warning))}")
    for copy in report.copies:
        print_line(f"copy       {escape_unprintable(copy.path)} (of document #{copy.document_id})")
    for path in report.unchanged:
        print_line(f"unchanged  {escape_unprintable(path)}")
    for path in report.ignored:
        print_line(f"ignored    {escape_unprintable(path)}")
    for moved in report.moved:
        print_line(f"renamed    {escape_unprintable(moved.old_path)} to {escape_unprintable(moved.path)}")
    for gone in report.removed:
        print_line(f"removed    {escape_unprintable(gone.path)} (its file was deleted)")
    for gone in report.removed_copies:
        print_line(f"removed    {escape_unprintable(gone.path)} (a copy of document #{gone.document_id}, which stays)")
    for gone in report.unconfirmed:
        print_note(f"missing    {escape_unprintable(gone.path)}")
    if report.unconfirmed:
        print_note(
            f"{format_count(len(report.unconfirmed), 'document')} kept although their files were deleted: "
            "this many at once may be a mistake. `--remove-deleted` removes them."
        )
    for each in report.unreadable:
        print_note(f"unseen     {escape_unprintable(each.path)}: {escape_unprintable(str(each.why))}")
    for failure in report.failed:
        print_note(
            f"failed     {escape_unprintable(failure.path)} [{failure.reason}]: "
            f"{escape_unprintable(str(failure.message))}"
        )
    hints = {(failure.reason, str(file_failure_hint(failure.reason, failure.path))) for failure in report.failed}
    for reason, hint in sorted(hints):
        print_note(f"{reason}: {hint}")
    counts = (
        f"{len(report.imported)} imported, {len(report.unchanged)} unchanged, "
        f"{len(report.failed)} failed, {len(report.ignored)} ignored"
    )
    if report.copies:
        counts += f", {len(report.copies):,} exact {'copy' if len(report.copies) == 1 else 'copies'}"
    counts += f", {len(report.moved)} renamed" if report.moved else ""
    counts += f", {len(report.removed)} removed" if report.removed else ""
    print_line(f"{counts}; {format_count(report.sentences, 'sentence')} in {format_duration(report.seconds)}")
    if report.stopped:
        print_note("Stopped. Files listed as imported are kept; run the same command to resume.")
