"""Finds Tesseract and runs it on page images, as a watched child process."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import psutil  # type: ignore[import-untyped]

from desktop_app.core.messages import Message, system_text
from desktop_app.core.ocr import OcrEngine
from desktop_app.text.child_program import NO_WINDOW, find_program, make_die_with_parent
from desktop_app.text.readers.reader_steps import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

PROGRAM_VARIABLE = "KINDRED_TESSERACT"
"""The environment variable with the path of the program if it is in an unusual place; empty: use none."""
PAGE_TIMEOUT_S = 180.0
"""A page that takes longer is skipped, even while Tesseract is busy."""
STUCK_TIMEOUT_S = 20.0
"""Tesseract hangs if it uses no processor time for so long."""
PLAIN_LAYOUT, ROTATED_LAYOUT = "3", "1"
"""Layouts (Tesseract's --psm): upright pages; pages that may be rotated."""

_POLL_INTERVAL_S = 0.2
_QUERY_TIMEOUT_S = 10.0
_ELSEWHERE = (
    r"C:\Program Files\Tesseract-OCR\tesseract.exe",
    r"C:\Program Files (x86)\Tesseract-OCR\tesseract.exe",
    "/opt/homebrew/bin/tesseract",
    "/usr/local/bin/tesseract",
    "/opt/local/bin/tesseract",
)


class OcrFailed(Exception):
    """A page could not be read.

    Attributes:
        message: why, for a person.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        self.message = Message.of(template, values, "ocr_failed")
        super().__init__(str(self.message))


@dataclass(frozen=True, slots=True)
class GreyImage:
    """A page as grey pixels, one byte each, row by row."""

    width_px: int
    height_px: int
    dpi: float
    pixels: bytes


class OcrWord(NamedTuple):
    """A word, in pixels of the image; words with the same `line` are on one line, in reading order."""

    line: tuple[int, int, int]
    text: str
    left: int
    top: int
    right: int
    bottom: int
    confidence: float


def find_tesseract() -> OcrEngine | None:
    """Return the Tesseract of this machine; None if none runs."""
    file = _find_program()
    if file is None:
        return None
    version = _run_for_output(file, "--version")
    languages = _run_for_output(file, "--list-langs")
    if version is None or languages is None:
        return None
    # "tesseract 5.3.0", and a header line before the languages.
    number = version.splitlines()[0].split()[-1] if version.split() else "?"
    return OcrEngine(number, file, tuple(line.strip() for line in languages.splitlines()[1:] if line.strip()))


def find_ocr() -> Iterator[tuple[OcrEngine | None]]:
    """Find Tesseract, as a task of the child process; yields a tuple, because None would mean "no answer yet"."""
    yield (find_tesseract(),)


def _find_program() -> str | None:
    named = os.environ.get(PROGRAM_VARIABLE)
    if named is not None:
        return shutil.which(named) if named else None
    return find_program("tesseract") or next((each for each in _ELSEWHERE if Path(each).is_file()), None)


def _run_for_output(file: str, option: str) -> str | None:
    try:
        done = subprocess.run(
            [file, option],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_QUERY_TIMEOUT_S,
            check=False,
            creationflags=NO_WINDOW,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def run_tesseract(
    file: str, picture: GreyImage, languages: str, layout: str = PLAIN_LAYOUT, *, page_s: float = PAGE_TIMEOUT_S
) -> Generator[Heartbeat, None, list[OcrWord]]:
    """Run OCR on an image; yield while it runs.

    Args:
        file: the program.
        picture: the image of a page.
        languages: joined by a plus.
        layout: PLAIN or TURNED.
        page_s: time limit in seconds.

    Raises:
        OcrFailed: Tesseract hangs, takes too long, crashes or refuses the image.
    """
    command = [file, "stdin", "stdout", "-l", languages, "--psm", layout, "--dpi", str(round(picture.dpi)), "tsv"]
    given = tempfile.TemporaryFile()  # noqa: SIM115 - closed below, when the process has ended
    try:
        given.write(b"P5\n%d %d\n255\n" % (picture.width_px, picture.height_px))
        given.write(picture.pixels)
        given.seek(0)
        process = subprocess.Popen(
            command,
            # A file, because `communicate` forgets the unwritten rest when it is called again (fixed in Python 3.12).
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # more cores help it little, and other work needs them
            creationflags=NO_WINDOW,
            preexec_fn=make_die_with_parent(),
        )
    except OSError as error:
        given.close()
        raise OcrFailed("Tesseract does not start: {why}", why=system_text(error.strerror or error)) from error
    try:
        out, complaint = yield from _wait_for_output(process, page_s)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (given, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
    if process.returncode < 0:
        raise OcrFailed("Tesseract crashed or was stopped")
    if process.returncode > 0:
        lines = complaint.decode("utf-8", "replace").strip().splitlines()
        if lines:
            raise OcrFailed("Tesseract failed: {line}", line=lines[0][:200])
        raise OcrFailed("Tesseract failed")
    return parse_words(out.decode("utf-8", "replace"))


def _wait_for_output(
    process: subprocess.Popen[bytes], page_s: float
) -> Generator[Heartbeat, None, tuple[bytes, bytes]]:
    started = moved = time.monotonic()
    computed = 0.0
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_POLL_INTERVAL_S)
        now = time.monotonic()
        with suppress(psutil.Error):
            times = psutil.Process(process.pid).cpu_times()
            if times.user + times.system > computed:
                computed, moved = times.user + times.system, now
        if now - started > page_s:
            raise OcrFailed("Tesseract took more than {page_s:g} seconds", page_s=page_s)
        if now - moved > min(STUCK_TIMEOUT_S, page_s):
            raise OcrFailed("Tesseract does not respond")
        yield Heartbeat()


def parse_words(table: str) -> list[OcrWord]:
    """Parse Tesseract's TSV; skip rows that are not words or are invalid."""
    found: list[OcrWord] = []
    for row in table.splitlines():
        cells = row.split("\t", 11)
        if len(cells) < 12 or cells[0] != "5" or not (text := cells[11].strip()):
            continue
        try:
            block, paragraph, line = (int(cell) for cell in cells[2:5])
            left, top, width, height = (int(cell) for cell in cells[6:10])
            confidence = float(cells[10])
        except ValueError:
            continue
        if width > 0 and height > 0 and confidence >= 0:
            found.append(
                OcrWord((block, paragraph, line), text, left, top, left + width, top + height, min(confidence, 100.0))
            )
    return found
