"""The commands `import`, `documents`, `remove`, `info` and `doctor`."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from desktop_app.cli.collections import filter_by_kind, list_collections
from desktop_app.cli.output import (
    EXIT_STOPPED,
    escape_unprintable,
    flush_output,
    format_count,
    format_duration,
    print_json,
    print_json_rows,
    print_line,
    print_note,
)
from desktop_app.core.errors import NotFound, UsageError, file_failure_hint
from desktop_app.core.jobs import ChangeSet
from desktop_app.core.ocr import OcrChoice
from desktop_app.core.records import WatchedFolder
from desktop_app.engine.requests import ImportReport, ImportRequest

if TYPE_CHECKING:
    from desktop_app.cli.session import CommandSession
    from desktop_app.core.records import Recall

_EXIT_NOT_DONE = 3
_WAIT_SLICE_S = 0.2
_IRREPARABLE_HINT = (
    "Not everything could be mended. Put back a copy of the library's folder, or import your documents anew into "
    "another one (--library)."
)


def run_import(session: CommandSession) -> int:
    """Take files and folders in."""
    options = session.options
    folders = [path for path in options.paths if os.path.isdir(path)]
    if options.watch and not folders:
        raise UsageError("`import --watch` follows folders, and none was named", "Name the folder of the files.")
    passwords = [*options.password, *filter(None, [os.environ.get("KINDRED_PDF_PASSWORD")])]
    request = ImportRequest(tuple(options.paths), tuple(passwords), ocr=_choose_ocr_languages(session))
    _print_forecast(session)
    report = session.wait(session.workspace.imports.start(request))
    nothing = bool(report.failed) and not report.imported and not report.unchanged and not report.stopped
    if options.json:
        print_json(_import_json(report) | ({"error": _total_failure_json(report)} if nothing else {}))
    else:
        _print_import(report)
    if report.stopped:
        return EXIT_STOPPED
    if options.watch:
        flush_output()
        return _watch_folders(session, folders)
    if nothing:
        return _EXIT_NOT_DONE
    return 1 if report.failed else 0


def _choose_ocr_languages(session: CommandSession) -> str | None:
    """Return the languages in which pages without text are read by OCR; empty: not so; None: as is preferred."""
    options = session.options
    if options.ocr == "never":
        return ""
    if options.ocr or options.ocr_languages:
        return OcrChoice("always", options.ocr_languages or session.workspace.ocr.languages).requested_languages
    return None


def _print_forecast(session: CommandSession) -> None:
    """Say what a large import will take, before it begins."""
    forecast = session.wait(session.workspace.import_forecast.forecast(session.options.paths))
    if not forecast.is_large:
        return
    size, free = f"{forecast.disk_bytes / 1e9:.1f} GB", f"{forecast.free_bytes / 1e9:.1f} GB"
    print_note(
        f"{format_count(forecast.files, 'file')}, {forecast.size_bytes / 1e6:,.0f} MB: "
        f"about {format_duration(forecast.seconds)}, "
        f"and {size} of the {free} that are free"
    )
    if forecast.is_short_of_space:
        print_note("The disk may get full. What is taken in until then is kept.")


def _total_failure_json(report: ImportReport) -> dict[str, str]:
    """Return what other commands say when they could not be done."""
    first = report.failed[0]
    message = first.message if len(report.failed) == 1 else f"None of {len(report.failed):,} files was taken in"
    return {"kind": "file", "message": message, "hint": file_failure_hint(first.reason)}


def _watch_folders(session: CommandSession, folders: list[str]) -> int:
    """Take in what changes in folders until a person stops it; they stay watched folders of the library."""
    watched_folders = session.workspace.watched_folders
    happened = threading.Event()
    happened.set()  # what came while the folders were read
    try:
        watched = [
            session.wait(watched_folders.watch_folder(WatchedFolder(os.path.abspath(path)))) for path in folders
        ][-1]
        watched_folders.start_listening(watched, happened.set)
        print_note("Following the folders; Ctrl+C ends it.")
        while True:
            # In slices: on Windows an endless wait cannot be interrupted.
            if not happened.wait(_WAIT_SLICE_S):
                continue
            happened.clear()
            report = session.wait(watched_folders.sync_folders())
            if report.imported or report.failed:
                if session.options.json:
                    print_json(_import_json(report))
                else:
                    _print_import(report)
                flush_output()
            if report.stopped:
                return EXIT_STOPPED
    except KeyboardInterrupt:
        print_note("Stopped. The folders are looked through again when the window opens.")
        return EXIT_STOPPED


def _import_json(report: ImportReport) -> dict[str, Any]:
    return {
        "imported": [
            {
                "path": file.path,
                "document_id": file.document_id,
                "pages": file.pages,
                "sentences": file.sentences,
                "warnings": list(file.warnings),
            }
            for file in report.imported
        ],
        "unchanged": report.unchanged,
        "failed": [
            {
                "path": file.path,
                "reason": file.reason,
                "message": file.message,
                "hint": file_failure_hint(file.reason),
            }
            for file in report.failed
        ],
        "ignored": report.ignored,
        "sentences": report.sentences,
        "seconds": round(report.seconds, 3),
        "sentences_per_s": round(report.sentences / report.seconds, 1) if report.seconds else 0.0,
        "stopped": report.stopped,
    }


def _print_import(report: ImportReport) -> None:
    for file in report.imported:
        pages = f", {format_count(file.pages, 'page')}" if file.pages else ""
        print_line(f"imported   {escape_unprintable(file.path)} ({format_count(file.sentences, 'sentence')}{pages})")
        for warning in file.warnings:
            print_line(f"           {escape_unprintable(warning)}")
    for path in report.unchanged:
        print_line(f"unchanged  {escape_unprintable(path)}")
    for path in report.ignored:
        print_line(f"ignored    {escape_unprintable(path)}")
    for failure in report.failed:
        print_note(
            f"failed     {escape_unprintable(failure.path)} [{failure.reason}]: {escape_unprintable(failure.message)}"
        )
    for reason in sorted({failure.reason for failure in report.failed}):
        print_note(f"{reason}: {file_failure_hint(reason)}")
    counts = (
        f"{len(report.imported)} imported, {len(report.unchanged)} unchanged, "
        f"{len(report.failed)} failed, {len(report.ignored)} ignored"
    )
    print_line(f"{counts}; {format_count(report.sentences, 'sentence')} in {format_duration(report.seconds)}")
    if report.stopped:
        print_note("Stopped. What is listed as imported is kept; the same command goes on from there.")


def run_documents(session: CommandSession) -> int:
    """List the documents."""
    if session.options.json:
        there = filter_by_kind(
            list_collections(session),
            "tag",
        )
        print_json_rows(
            "documents",
            (
                {
                    "document_id": document.document_id,
                    "title": document.title,
                    "path": document.path,
                    "type": document.type,
                    "pages": document.pages,
                    "sentences": document.sentences,
                    "state": document.state,
                    "reason": document.reason,
                    "truncated": document.truncated,
                    "tags": [each.name for each in there if document.document_id in each.document_ids],
                }
                for document in session.documents()
            ),
        )
        return 0
    any_there = False
    for document in session.documents():
        any_there = True
        state = document.state if document.reason is None else f"{document.state} ({document.reason})"
        pages = f"{document.pages} p." if document.pages else "-"
        noun = "sentence " if document.sentences == 1 else "sentences"
        print_line(
            f"{document.document_id:>6}  {state:<20}  {pages:>7}  {document.sentences:>8,} {noun}  "
            f"{escape_unprintable(document.title)}  {escape_unprintable(document.path)}"
        )
    if not any_there:
        print_line("The library is empty: `import` something first.")
    return 0


def run_remove(session: CommandSession) -> int:
    """Take documents out, and erase them."""
    ids: dict[int, None] = {}
    for name in session.options.documents:
        found = session.find_documents(name)
        if not found:
            raise NotFound(f"No document is named {name}", "`documents` lists what there is.")
        ids.update(dict.fromkeys(document.document_id for document in found))
    removed = session.wait(
        session.workspace.change(
            lambda library: library.remove_documents(list(ids)), ChangeSet(listing=True, sentences=True)
        )
    )
    session.wait(session.workspace.maintenance.purge())
    if session.options.json:
        print_json({"removed": removed})
    else:
        print_line(f"{removed} removed")
    return 0


def run_info(session: CommandSession) -> int:
    """Say counts and settings."""
    status = session.wait(session.workspace.open())
    device = session.wait(session.workspace.device())
    ocr = session.wait(session.workspace.pages.find_ocr_engine())
    library = status.library
    facts = {
        "documents": library.documents,
        "sentences": library.sentences,
        "occurrences": library.occurrences,
        "vectors": library.vectors,
        "searchable": library.searchable,
        "model": library.model.name if library.model else None,
        "fingerprint": library.model.fingerprint if library.model else None,
        "device": device.device,
        "precision": device.precision,
        "threads": device.threads,
        "why": device.note or None,
        "ocr": ocr.told if ocr is not None else None,
        "library": library.folder,
        "states": library.states,
        "recall": _recall_json(library.recall),
    }
    if session.options.json:
        print_json(facts)
    else:
        facts["states"] = ", ".join(f"{count:,} {state}" for state, count in library.states.items())
        if library.recall is not None:
            found = library.recall
            facts["recall"] = f"{found.recall:.4f} of the 10 nearest (ef {found.ef}, {found.queries} queries)"
        for name, value in facts.items():
            words = f"{value:,}" if isinstance(value, int) else "-" if value is None else escape_unprintable(str(value))
            print_line(f"{name:<12} {words}")
    return 0


def _recall_json(found: Recall | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {"recall@10": found.recall, "ef": found.ef, "queries": found.queries, "vectors": found.vectors}


def run_doctor(session: CommandSession) -> int:
    """Check the library against itself."""
    checks = session.wait(session.workspace.maintenance.check_library(repair=session.options.repair))
    sound = all(check.ok for check in checks)
    if session.options.repair and sound:
        session.wait(session.workspace.imports.resume())  # what could not be mended is read again
    if session.options.json:
        rows = [{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks]
        print_json({"ok": sound, "checks": rows})
    else:
        for check in checks:
            detail = f": {check.detail}" if check.detail else ""
            print_line(f"{'ok   ' if check.ok else 'WRONG'}  {check.name}{detail}")
        if not sound:
            print_note(_IRREPARABLE_HINT if session.options.repair else "Run `doctor --repair` to mend what is wrong.")
    return 0 if sound else _EXIT_NOT_DONE
