"""What each command does: ask the workspace, say the answer."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from desktop_app.cli import files, searches
from desktop_app.cli.output import STOPPED, ProgressLine, answer, answer_list, counted, duration, note, say
from desktop_app.cli.parser import is_later
from desktop_app.core.errors import NotBuiltYet, NotFound, UsageError
from desktop_app.engine.requests import ImportReport, ImportRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop_app.cli.parser import Command
    from desktop_app.core.jobs import Job
    from desktop_app.core.records import Document
    from desktop_app.core.settings import Launch
    from desktop_app.engine.workspace import Workspace

T = TypeVar("T")

_PAGE = 500  # documents read at once
_DAMAGED = 3


class Session:
    """One run of a command: its options, the workspace, and how it waits for jobs."""

    def __init__(self, command: Command, workspace: Workspace) -> None:
        self.command = command
        self.options = command.options
        self.workspace = workspace
        self._progress = ProgressLine(quiet=command.options.quiet)

    def wait(self, job: Job[T]) -> T:
        """Wait for a job and show its progress; Ctrl-C stops the job at its next step and waits for that."""
        job.on_progress(self._progress)
        try:
            while True:
                try:
                    # In slices: on Windows an endless wait cannot be interrupted.
                    return job.wait(0.2)
                except TimeoutError:
                    if job.is_finished:
                        raise
        except KeyboardInterrupt:
            job.cancel()
            self.workspace.wake()
            return job.wait()
        finally:
            self._progress.clear()

    def documents(self) -> Iterator[Document]:
        """Yield every document, page by page."""
        after = 0
        while page := self.wait(self.workspace.documents(after_id=after, limit=_PAGE)):
            yield from page
            after = page[-1].document_id


def run(command: Command, open_workspace: Callable[[Launch], Workspace]) -> int:
    """Run a headless command; returns the exit status."""
    name = cast("str", command.name)
    if is_later(name):
        raise NotBuiltYet(f"`{name}` is not built yet", "It comes in a later version.")
    writes = name in ("import", "remove") or (name == "doctor" and command.options.repair)
    # The person's own library is simply empty before its first import; one that was named must be there.
    create = name == "import" or not command.names_library
    launch = command.launch(writable=writes or (create and not _exists(command)), create=create)
    workspace = open_workspace(launch)
    try:
        return _COMMANDS[name](Session(command, workspace))
    finally:
        workspace.close()


def _exists(command: Command) -> bool:
    return command.launch(writable=False, create=False).library.is_dir()


def _import(session: Session) -> int:
    options = session.options
    if options.watch:
        raise NotBuiltYet("`import --watch` is not built yet", "Import the folder again to take in what changed.")
    passwords = [*options.password, *filter(None, [os.environ.get("KINDRED_PDF_PASSWORD")])]
    report = session.wait(session.workspace.import_paths(ImportRequest(tuple(options.paths), tuple(passwords))))
    if options.json:
        answer(_import_json(report))
    else:
        _import_text(report)
    if report.stopped:
        return STOPPED
    return 1 if report.failed else 0


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
        "failed": [{"path": file.path, "reason": file.reason, "message": file.message} for file in report.failed],
        "ignored": report.ignored,
        "sentences": report.sentences,
        "seconds": round(report.seconds, 3),
        "sentences_per_s": round(report.sentences / report.seconds, 1) if report.seconds else 0.0,
        "stopped": report.stopped,
    }


def _import_text(report: ImportReport) -> None:
    for file in report.imported:
        pages = f", {counted(file.pages, 'page')}" if file.pages else ""
        say(f"imported   {file.path} ({counted(file.sentences, 'sentence')}{pages})")
        for warning in file.warnings:
            say(f"           {warning}")
    for path in report.unchanged:
        say(f"unchanged  {path}")
    for path in report.ignored:
        say(f"ignored    {path}")
    for failure in report.failed:
        note(f"failed     {failure.path} [{failure.reason}]: {failure.message}")
    counts = (
        f"{len(report.imported)} imported, {len(report.unchanged)} unchanged, "
        f"{len(report.failed)} failed, {len(report.ignored)} ignored"
    )
    say(f"{counts}; {counted(report.sentences, 'sentence')} in {duration(report.seconds)}")
    if report.stopped:
        note("Stopped. What is listed as imported is kept; the same command goes on from there.")


def _documents(session: Session) -> int:
    if session.options.json:
        answer_list(
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
                }
                for document in session.documents()
            ),
        )
        return 0
    for document in session.documents():
        state = document.state if document.reason is None else f"{document.state} ({document.reason})"
        pages = f"{document.pages} p." if document.pages else "-"
        say(
            f"{document.document_id:>6}  {state:<20}  {pages:>7}  {document.sentences:>8,} sentences  "
            f"{document.title}  {document.path}"
        )
    return 0


def _remove(session: Session) -> int:
    ids: dict[int, None] = {}
    for name in session.options.documents:
        found = session.wait(session.workspace.find_documents(name))
        if not found:
            raise NotFound(f"No document is named {name}", "`documents` lists what there is.")
        ids.update(dict.fromkeys(document.document_id for document in found))
    removed = session.wait(session.workspace.remove(list(ids)))
    session.wait(session.workspace.purge())
    if session.options.json:
        answer({"removed": removed})
    else:
        say(f"{removed} removed")
    return 0


def _info(session: Session) -> int:
    status = session.wait(session.workspace.open())
    device = session.wait(session.workspace.device())
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
        "library": library.folder,
        "states": library.states,
    }
    if session.options.json:
        answer(facts)
    else:
        facts["states"] = ", ".join(f"{count:,} {state}" for state, count in library.states.items())
        for name, value in facts.items():
            shown = f"{value:,}" if isinstance(value, int) else "-" if value is None else value
            say(f"{name:<12} {shown}")
        if device.note:
            say(device.note)
    return 0


def _compare(session: Session) -> int:
    options = session.options
    if options.pairs:
        if options.sentences:
            raise UsageError("Two sentences and --pairs exclude each other", "Give one of them.")
        return _compare_file(session)
    if len(options.sentences) != 2:
        raise UsageError(f"`compare` takes two sentences, not {len(options.sentences)}", "Put each in quotes.")
    comparison = session.wait(session.workspace.compare(*options.sentences))
    score = comparison.score
    if options.json:
        later = dict.fromkeys(("percentile", "label", "probability", "tokens", "badges"))
        answer({"cosine": score.cosine, "dot": score.dot, "euclidean": score.euclidean, **later})
    else:
        say(f"cosine     {score.cosine:.4f}")
        say(f"dot        {score.dot:.4f}")
        say(f"euclidean  {score.euclidean:.4f}")
    return 0


def _compare_file(session: Session) -> int:
    header, rows = files.read_table(session.options.pairs)
    named = [header.index(name) for name in ("sentence1", "sentence2") if name in header]
    left, right = named if len(named) == 2 else (0, 1)
    cosines = session.wait(
        session.workspace.compare_rows([row[left] for row in rows], [row[right] for row in rows])
    ).tolist()
    if session.options.json:
        answer_list(
            "rows",
            (
                dict(zip(header, row, strict=True)) | {"cosine": cosine}
                for row, cosine in zip(rows, cosines, strict=True)
            ),
        )
        return 0
    say("\t".join([*header, "cosine"]))
    for row, cosine in zip(rows, cosines, strict=True):
        say("\t".join([*row, f"{cosine:.6f}"]))
    return 0


def _pairs(session: Session) -> int:
    options = session.options
    if not options.file:
        raise NotBuiltYet("The pairs of a library are not built yet", "`pairs --file SENTENCES.txt` pairs a file.")
    if options.kind or options.across_documents or options.anywhere:
        raise NotBuiltYet("Kinds and documents of pairs are not built yet", "Leave --kind and --across-documents away.")
    texts = files.read_lines(options.file)
    started = time.perf_counter()
    pairs = session.wait(session.workspace.pair_texts(texts, options.top_k, options.min_score))
    if options.json:
        answer(
            {
                "pairs": [
                    {
                        "score": pair.score,
                        "kind": None,
                        "badges": None,
                        "a": {"text": pair.text_a, "line": pair.a + 1},
                        "b": {"text": pair.text_b, "line": pair.b + 1},
                    }
                    for pair in pairs
                ],
                "seconds": round(time.perf_counter() - started, 3),
            }
        )
    else:
        for pair in pairs:
            say(f"{pair.score:.4f}\t{pair.text_a}\t{pair.text_b}")
    return 0


def _embed(session: Session) -> int:
    options = session.options
    texts = files.read_lines(options.file)
    vectors, report = session.wait(session.workspace.embed(texts, raw=options.raw))
    with files.written_whole(options.output) as out:
        np.save(out, vectors)
    per_s = 1 / report.seconds if report.seconds else 0.0
    facts = {
        "rows": report.rows,
        "dim": report.dim,
        "seconds": round(report.seconds, 4),
        "sentences_per_s": round(report.rows * per_s, 1),
        "tokens_per_s": round(report.tokens * per_s, 1),
        "device": report.device.device,
        "precision": report.device.precision,
    }
    if options.json:
        answer(facts)
    else:
        say(f"{report.rows:,} rows of {report.dim} to {options.output}, {facts['sentences_per_s']:,} sentences/s")
    return 0


def _export(session: Session) -> int:
    options = session.options
    if options.what != "sentences":
        raise NotBuiltYet(f"`export {options.what}` is not built yet", "`export sentences` is.")
    with files.occurrence_writer(options.output) as write:
        written = session.wait(session.workspace.export_occurrences(write))
    if options.json:
        answer({"written": written, "output": str(Path(options.output).absolute())})
    else:
        say(f"{written:,} sentences to {options.output}")
    return 0


def _doctor(session: Session) -> int:
    checks = session.wait(session.workspace.doctor(repair=session.options.repair))
    sound = all(check.ok for check in checks)
    if session.options.json:
        rows = [{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks]
        answer({"ok": sound, "checks": rows})
    else:
        for check in checks:
            detail = f": {check.detail}" if check.detail else ""
            say(f"{'ok   ' if check.ok else 'WRONG'}  {check.name}{detail}")
        if not sound:
            note("Run `doctor --repair` to mend what is wrong.")
    return 0 if sound else _DAMAGED


_COMMANDS: dict[str, Callable[[Session], int]] = {
    "import": _import,
    "documents": _documents,
    "remove": _remove,
    "info": _info,
    "search": searches.search,
    "compare": _compare,
    "pairs": _pairs,
    "embed": _embed,
    "export": _export,
    "doctor": _doctor,
}
