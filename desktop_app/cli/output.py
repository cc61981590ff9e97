"""Output of commands: answers to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import AppError, Cancelled
from desktop_app.core.locations import format_source
from desktop_app.core.messages import system_text
from desktop_app.core.unfinished_files import explain_temporary_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop_app.core.jobs import Progress
    from desktop_app.core.messages import Message
    from desktop_app.core.records import Hit

EXIT_NOT_DONE = 3
EXIT_BUG = 70
EXIT_STOPPED = 130

_SHOW_EVERY_S = 0.1  # between two updates of the progress line
_MAX_SPOOLED_CHARS = 8_000_000  # characters of a long answer that are kept in memory; a longer one goes to a file
# Characters that move a terminal's cursor, end a line or reverse the writing direction, and surrogates.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

_PHASE_LABELS = {
    "looking": "Scanning",
    "reading": "Reading",
    "embedding": "Embedding",
    "indexing": "Indexing",
    "exporting": "Writing",
    "checking": "Checking",
    "opening": "Opening",
    "comparing": "Comparing",
    "downloading": "Downloading",
    "sharing": "Storing the model in the library",
    "switching": "Embedding",
    "storing": "Storing",
    "clustering": "Finding topics",
    "naming": "Naming topics",
    "judging": "Evaluating",
    "mining": "Finding negatives",
    "training": "Training",
    "parts": "Training on parts",
}


@dataclass(slots=True)
class RunEnd:
    """The end of a run.

    Attributes:
        status: the exit status.
        describe_kept: called when a person stops the run; returns a sentence about what remains, empty if nothing does.
    """

    status: int = 0
    describe_kept: Callable[[], str] = str


class OutputFailed(AppError):
    """Standard output cannot be written."""

    kind = "output"


class _PipeClosed(Exception):
    """The reader of standard output has closed the pipe (`| head`)."""


@contextlib.contextmanager
def report_errors(*, as_json: bool, debug: bool) -> Iterator[RunEnd]:
    """Yield a `RunEnd`; report exceptions of the block and set the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # File names and texts may contain characters that the terminal cannot encode; that is no reason to fail.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    end = RunEnd()
    try:
        try:
            yield end
        except SystemExit as asked:  # argparse has printed its help
            end.status = int(asked.code or 0)
        flush_output()
    except AppError as error:
        end.status = error.exit_status
        _print_error(as_json, error.kind, str(error.message), str(error.hint), error.message.code)
        if debug:
            traceback.print_exc()
    except (KeyboardInterrupt, Cancelled):
        end.status = EXIT_STOPPED
        _print_error(as_json, "stopped", "Stopped", end.describe_kept())
    except _PipeClosed:
        end.status = 0  # nobody reads the output
    except Exception as error:  # noqa: BLE001 - the last place where a bug can be reported
        end.status = EXIT_BUG
        where = "".join(traceback.format_exception(error))
        _print_error(
            as_json,
            "bug",
            f"Kindred ran into a problem (a bug): {type(error).__name__}: {error}",
            "Run the command again with --debug and report its output." if not debug else "",
        )
        if debug:
            print_note(where)
    finally:
        _flush_or_discard()


def _print_error(as_json: bool, kind: str, message: str, hint: str, code: str = "") -> None:
    if as_json:
        try:
            print_json({"error": {"kind": kind, "code": code or kind, "message": message, "hint": hint}})
            flush_output()
        except _PipeClosed:
            return
        except OutputFailed:
            as_json = False
    if not as_json:
        one_line = " ".join(f"{message.rstrip('.')}. {hint}".split())
        print_note(f"kindred: {escape_unprintable(one_line)}")


def list_remarks(messages: Iterable[Message]) -> list[dict[str, str]]:
    """Return messages for JSON: each with its stable code and its English text."""
    return [{"code": part.code, "text": str(part)} for message in messages for part in message.parts()]


@contextlib.contextmanager
def _translate_write_errors() -> Iterator[None]:
    """Turn errors of writing to standard output into exceptions of their own.

    Raises:
        OutputFailed: the device is full or gone.
        _PipeClosed: the other end of the pipe is closed.
    """
    try:
        yield
    except BrokenPipeError as error:
        raise _PipeClosed from error
    except OSError as error:
        if error.errno == errno.EINVAL and sys.platform == "win32":  # a closed pipe on Windows
            raise _PipeClosed from error
        raise OutputFailed(
            "The output cannot be written: {why}",
            "Write it elsewhere, or free some disk space.",
            why=system_text(error.strerror or error),
        ) from error


def flush_output() -> None:
    """Flush standard output, so that a program at the other end of a pipe gets it at once.

    Raises:
        OutputFailed: it cannot be written.
    """
    if sys.stdout is not None:
        with _translate_write_errors():
            sys.stdout.flush()


def _flush_or_discard() -> None:
    """Flush both streams; redirect one that fails to nowhere, or Python would complain about it at exit."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def print_line(text: str) -> None:
    """Write a line to standard output.

    Raises:
        OutputFailed: it cannot be written.
    """
    with _translate_write_errors():
        print(text)  # noqa: T201


def print_note(text: str) -> None:
    """Write a line to standard error, if there is one."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr)  # noqa: T201


def escape_unprintable(name: str) -> str:
    """Return a name or title with escapes for characters that would break the line or forge another one."""
    return _UNPRINTABLE.sub(lambda sign: sign[0].encode("unicode_escape").decode("ascii"), name)


def print_json(document: object) -> None:
    """Write one JSON document to standard output."""
    print_line(json.dumps(document, ensure_ascii=False))


def print_json_rows(key: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write `{key: [rows]}` to standard output once all rows are complete: an error must be the only output.

    The rows of a library may not fit into memory, so they are collected in a file.
    """
    with tempfile.SpooledTemporaryFile(
        _MAX_SPOOLED_CHARS, "w+", encoding="utf-8", errors="surrogatepass", newline=""
    ) as whole:
        with explain_temporary_errors():
            whole.write(f'{{"{key}": [')
            for number, row in enumerate(rows):
                whole.write((", " if number else "") + json.dumps(row, ensure_ascii=False))
            whole.write("]}\n")
            whole.seek(0)
        with _translate_write_errors():
            shutil.copyfileobj(whole, sys.stdout)


class ProgressLine:
    """The progress of a job as one line on standard error, if that is a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._width = 0
        self._last = 0.0

    def __call__(self, progress: Progress, more: str = "") -> None:
        """Show a report and additional text, at most ten times a second."""
        now = time.monotonic()
        if not self._shown or now - self._last < _SHOW_EVERY_S:
            return
        self._last = now
        self._write("  ".join(filter(None, (format_progress(progress), more))))

    def clear(self) -> None:
        """Clear the line."""
        if self._shown and self._width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
            self._width = 0

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)


def format_progress(progress: Progress) -> str:
    """Return a report as one short line."""
    parts = [_PHASE_LABELS.get(progress.phase, progress.phase.capitalize())]
    if progress.total:
        bar = round(20 * progress.done / progress.total)
        parts.append("[" + "#" * bar + "." * (20 - bar) + "]")
        parts.append(f"{progress.done:,} of {progress.total:,} {progress.unit}")
    elif progress.done:
        parts.append(f"{progress.done:,} {progress.unit}")
    if progress.page and progress.page_count:
        parts.append(f"page {progress.page} of {progress.page_count}")
    if progress.sentences_per_s:
        parts.append(f"{progress.sentences_per_s:,.0f} sentences/s")
    if progress.remaining_s is not None:
        parts.append(f"about {format_duration(progress.remaining_s)} left")
    return "  ".join(parts)


def format_count(count: int, thing: str) -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def format_duration(seconds: float) -> str:
    """Return a duration in words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def print_written(count: int, thing: str, file: str, *, as_json: bool) -> None:
    """Print how many things were written to a file."""
    if as_json:
        print_json({"written": count, "output": os.path.abspath(file)})
    else:
        print_line(f"{format_count(count, thing)} written to {escape_unprintable(file)}")


def format_hit_source(hit: Hit, *, is_path_whole: bool = False) -> str:
    """Return the document of a hit, with the name or the whole path of its file, and its place in words."""
    file = escape_unprintable(hit.path if is_path_whole else os.path.basename(hit.path))
    read = ", read by OCR" if hit.is_recognised else ""
    also = f", also in {format_count(hit.also_in, 'other document')}" if hit.also_in else ""
    return f"{escape_unprintable(format_source(hit))} ({file}){read}{also}"
