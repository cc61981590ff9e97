"""Forecasts how long an import will take and how much disk space it will need."""

from __future__ import annotations

import json
import logging
import os
import shutil
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from desktop_app.core.jobs import Job, Progress, Steps
from desktop_app.core.messages import Message
from desktop_app.core.private_files import write_private
from desktop_app.core.reader_events import FileRef
from desktop_app.core.shared_address import is_shared_address
from desktop_app.core.watch_patterns import decide_file
from desktop_app.engine.file_walk import FileListing, FoundFile, IgnoredFile, UnreadablePath, walk_files
from desktop_app.engine.text_amount import TextAmount, estimate_text_amounts, text_kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop_app.core.records import Document, WatchedFolder
    from desktop_app.engine.context import EngineContext
    from desktop_app.engine.requests import ImportReport

log = logging.getLogger(__name__)

LONG_IMPORT_S = 600.0
"""Longer imports are confirmed by a person."""

MAX_LOCAL_SENTENCES = 5_000_000
"""A library with more of them belongs on a server."""

_MIN_FREE_BYTES = 500_000_000
_FILES_PER_STEP = 200  # files between two steps
_MIN_MEASURED_BYTES = 200_000  # a smaller import says little about this machine
_NEW_WEIGHT = 0.5  # of the newest measurement
_BYTES_PER_SENTENCE = 2_100  # a sentence on disk: its text, its vector of 384 float16, words and graph
_MEMORY_PER_SENTENCE = 1_400  # two thirds of its vector, and its neighbours in the graph
_PROGRAM_MEMORY_BYTES = 1_000_000_000  # window, model and analyses
_MEMORY_SHARE = 0.75  # of the machine's memory; the rest is for other programs


@dataclass(frozen=True, slots=True)
class ImportRates:
    """The density and speed of imports on this machine; typical values before the first import.

    Attributes:
        pdf: sentences per byte of a PDF without its large pictures.
        packed: sentences per packed byte of text in office documents, books and archives.
        other: sentences per byte of text.
        sentences_per_s: from file to stored vector.
    """

    pdf: float = 0.0012
    packed: float = 0.015
    other: float = 0.009
    sentences_per_s: float = 120.0

    def sentences(self, amount: TextAmount) -> float:
        """Return the estimated number of sentences in this much text."""
        return self.pdf * amount.pdf + self.packed * amount.packed + self.other * amount.other


@dataclass(frozen=True, slots=True)
class ImportForecast:
    """The expected cost of an import.

    Attributes:
        files: number of files that will be read.
        size_bytes: their total size.
        seconds: estimated duration.
        disk_bytes: estimated growth of the library.
        free_bytes: free space on its disk; None if it is on a server.
        sentences: estimated number of new sentences.
        sentences_before: those that the library has.
        memory_bytes: the memory of this machine; None if the library is on a server, which searches it.
        listing: all files that were found, unchanged ones too.
    """

    files: int
    size_bytes: int
    seconds: float
    disk_bytes: int
    free_bytes: int | None
    sentences: int = 0
    sentences_before: int = 0
    memory_bytes: int | None = None
    listing: FileListing = field(default_factory=FileListing)

    @property
    def is_short_of_space(self) -> bool:
        """Whether the disk will be nearly full afterwards, or is already."""
        return self.free_bytes is not None and self.disk_bytes + _MIN_FREE_BYTES > self.free_bytes

    @property
    def is_large(self) -> bool:
        """Whether a person should confirm the import."""
        return self.seconds > LONG_IMPORT_S or (bool(self.warnings) and self.files > 0)

    @property
    def warnings(self) -> tuple[Message, ...]:
        """What the import would exceed. A library that exceeded the memory before it is not told again."""
        found: list[Message] = []
        if self.is_short_of_space:
            found.append(Message("You may run out of disk space. Anything imported so far is kept."))
        after = self.sentences_before + self.sentences
        if self.memory_bytes is None:
            return tuple(found)
        if self._passes(round((_MEMORY_SHARE * self.memory_bytes - _PROGRAM_MEMORY_BYTES) / _MEMORY_PER_SENTENCE)):
            needed = _PROGRAM_MEMORY_BYTES + _MEMORY_PER_SENTENCE * after
            found.append(
                Message(
                    "A library of {sentences:,} sentences needs about {needed:.1f} GB of memory; this computer has"
                    " {memory:.1f} GB. Kindred may become slow.",
                    sentences=after,
                    needed=needed / 1e9,
                    memory=self.memory_bytes / 1e9,
                )
            )
        if self._passes(MAX_LOCAL_SENTENCES):
            found.append(
                Message(
                    "The library will have more than {sentences:,} sentences. A shared library on a server is better"
                    " for so many.",
                    sentences=MAX_LOCAL_SENTENCES,
                )
            )
        return tuple(found)

    def _passes(self, limit: int) -> bool:
        return self.sentences_before <= limit < self.sentences_before + self.sentences


class ImportForecastService:
    """Forecasts imports.

    Args:
        context: the library and the supported file types.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def forecast(self, paths: Sequence[str], folders: Sequence[WatchedFolder] = ()) -> Job[ImportForecast]:
        """Walk files and folders; files that the library has unchanged do not count. Only large files are opened.

        The forecast carries the listing, so that the import does not walk the folders again.

        Args:
            paths: files and folders.
            folders: those of the folders in which only some files count, by their patterns.
        """
        return self._context.engine.submit("forecast", lambda: self._forecast(paths, folders))

    def _forecast(self, paths: Sequence[str], folders: Sequence[WatchedFolder]) -> Steps[ImportForecast]:
        def is_wanted(path: str) -> bool:
            above = next((each for each in folders if PurePath(path).is_relative_to(each.path)), None)
            return self._context.setup.is_supported(path) if above is None else decide_file(above, path).is_taken

        known = yield from self._read_known_files()
        changed: list[FileRef] = []
        files: list[FileRef] = []
        ignored: list[str] = []
        unreadable: list[UnreadablePath] = []
        for count, item in enumerate(walk_files(paths, is_wanted), start=1):
            if isinstance(item, FoundFile):
                file = item.file
                before = known.get(file.path)
                is_changed = before is None or not file.is_same_as(before)
                if is_changed and item.is_online_only:
                    unreadable.append(UnreadablePath.online_only(file.path))
                    continue
                files.append(file)
                if is_changed:
                    changed.append(file)
            elif isinstance(item, IgnoredFile):
                ignored.append(item.path)
            elif isinstance(item, UnreadablePath):
                unreadable.append(item)
            if count % _FILES_PER_STEP == 0:
                yield Progress("looking", len(files), None, "documents")
        rates = read_rates(self._context.setup.rates_file)
        amounts = yield from estimate_text_amounts(changed)
        sentences = rates.sentences(sum(amounts, TextAmount()))
        info = self._context.open_library().info()
        free_bytes = _find_free_bytes(info.folder)
        return ImportForecast(
            files=len(changed),
            size_bytes=sum(file.size_bytes for file in changed),
            seconds=sentences / rates.sentences_per_s,
            disk_bytes=round(sentences * _BYTES_PER_SENTENCE),
            free_bytes=free_bytes,
            sentences=round(sentences),
            sentences_before=info.sentences,
            memory_bytes=_find_memory_bytes() if free_bytes is not None else None,
            listing=FileListing(tuple(files), tuple(ignored), tuple(unreadable)),
        )

    def _read_known_files(self) -> Steps[dict[str, FileRef]]:
        known: dict[str, FileRef] = {}
        after = 0
        while page := self._context.open_library().documents.fetch(after_id=after, limit=_FILES_PER_STEP):
            after = page[-1].document_id
            known |= {
                path: FileRef.of_document(each.seen_at(path))
                for each in page
                if each.state == "ready"
                for path in each.paths
            }
            yield None
        return known


def read_rates(file: Path | None) -> ImportRates:
    """Return the rates of imports on this machine; typical values if none are saved."""
    try:
        saved = json.loads(file.read_text("utf-8")) if file is not None else {}
        rates = ImportRates(**{name: float(saved[name]) for name in saved})
    except (OSError, ValueError, TypeError, AttributeError):
        return ImportRates()
    return rates if min(rates.pdf, rates.other, rates.sentences_per_s) > 0 else ImportRates()


def learn_rates(file: Path | None, report: ImportReport, documents: Sequence[Document]) -> Steps[None]:
    """Update the saved rates from a finished import and from documents that it read."""
    size = sum(document.size_bytes for document in documents)
    if file is None or size < _MIN_MEASURED_BYTES or report.seconds <= 0 or report.stopped:
        return
    rates = read_rates(file)
    measured: dict[str, float] = {"sentences_per_s": report.sentences / report.seconds}
    amounts = yield from estimate_text_amounts([FileRef.of_document(document) for document in documents])
    for kind in ("pdf", "packed", "other"):
        own = [document.sentences for document in documents if text_kind(PurePath(document.path)) == kind]
        if text_bytes := sum(getattr(amount, kind) for amount in amounts):
            measured[kind] = sum(own) / text_bytes
    names = ("pdf", "packed", "other", "sentences_per_s")
    saved = {
        name: (1 - _NEW_WEIGHT) * getattr(rates, name) + _NEW_WEIGHT * measured.get(name, getattr(rates, name))
        for name in names
    }
    try:
        write_private(file, json.dumps(saved))
    except OSError as error:
        log.warning("the speed of the import could not be saved: %s", error)


def _find_free_bytes(folder: str) -> int | None:
    """Return the free space on the disk of a folder, which need not exist; None for the address of a server."""
    if is_shared_address(folder):
        return None
    while not os.path.exists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return shutil.disk_usage(folder).free


def _find_memory_bytes() -> int:
    """Return the memory of this machine."""
    import psutil  # type: ignore[import-untyped]  # here: a window that imports nothing does not need it

    return int(psutil.virtual_memory().total)
