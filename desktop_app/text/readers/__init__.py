"""One module per format. The content of a file, then its name, decides which module reads it."""

from __future__ import annotations

import errno
import hashlib
import importlib
import os
import stat
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import FORMATS
from desktop_app.core.messages import Message, system_text
from desktop_app.core.reader_events import FileUnchanged, ReadingDone
from desktop_app.core.unfinished_files import explain_temporary_errors
from desktop_app.text import archives, office_converter
from desktop_app.text.readers.file_type import HEAD_BYTES, detect_file_type
from desktop_app.text.readers.reader_steps import Heartbeat

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterator
    from pathlib import Path

    from desktop_app.core.formats import DocumentType
    from desktop_app.text.office_converter import LegacyKind
    from desktop_app.text.readers.reader_steps import Step

_CHUNK_BYTES = 1 << 20
_HEARTBEAT_S = 1.0


def read_document(
    path: Path,
    *,
    password: str | None = None,
    known_hashes: Collection[str] = (),
    file_bytes: int = 2_000_000_000,
    engine: str = "both",
    ocr: str = "",
    ocr_without: tuple[int, ...] = (),
    pdfium_without: tuple[int, ...] = (),
    pypdf_without: tuple[int, ...] = (),
) -> Iterator[Step]:
    """Read a file of any supported format.

    Args:
        path: the file, or a member of an archive, whose path continues the archive's.
        password: for an encrypted PDF or archive.
        known_hashes: the SHA-256 of contents that the library has.
        file_bytes: the largest file that is opened.
        engine: for PDFs, see `readers.pdf.read`; likewise the two arguments after it.
        ocr: languages in which pages without text are read by OCR.
        ocr_without: pages that OCR skips.
        pdfium_without: pages that PDFium skips.
        pypdf_without: pages that pypdf skips.

    Yields:
        `FileUnchanged`, or the events of a reading, with steps for the process that runs it.

    Raises:
        FileFailure: the file cannot be read.
    """
    own_file: Path | None = None
    try:
        if not path.exists() and archives.split_archive_path(path) is not None:
            own_file = yield from archives.extract_member(path, password)
        else:
            archives.close_cached_archive()
        file = own_file or path
        before = os.stat(file)
        _check_size(before, file_bytes)
        content_hash = yield from _hash_file(file)
        if content_hash in known_hashes:
            yield FileUnchanged(content_hash)
            return
        with file.open("rb") as opened:
            head = opened.read(HEAD_BYTES)
        kind = detect_file_type(file, head)
        if kind == "archive":
            yield (yield from archives.list_members(path, file, file_bytes))
        else:
            for_pdf = {
                "password": password,
                "engine": engine,
                "ocr": ocr,
                "ocr_without": ocr_without,
                "pdfium_without": pdfium_without,
                "pypdf_without": pypdf_without,
            }
            if head.startswith(office_converter.OLE):
                steps = _read_converted(file, content_hash, kind)
            else:
                steps = _read_with_format_reader(file, content_hash, kind, for_pdf if FORMATS[kind].shows_pages else {})
            for step in _notice_change(file, before, steps):
                if isinstance(step, ReadingDone) and step.attached:
                    step = replace(step, attached=archives.place_attached(path, step.attached))
                yield step
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):  # where a member of an archive is unpacked
            with explain_temporary_errors():
                raise
        raise FileFailure(
            "unreadable", "The file cannot be read ({why})", why=system_text(error.strerror or error)
        ) from error
    except MemoryError as error:
        raise FileFailure("too_large", "The file needs more memory than it may have") from error
    finally:
        if own_file is not None:
            own_file.unlink(missing_ok=True)


def _read_with_format_reader(
    path: Path, content_hash: str, kind: DocumentType, options: dict[str, Any]
) -> Iterator[Step]:
    # The libraries of a format are imported for its first file.
    reader = importlib.import_module(f"{__name__}.{FORMATS[kind].reader}")
    steps: Iterator[Step] = reader.read(path, content_hash, **options)
    return steps


def _read_converted(path: Path, content_hash: str, kind: DocumentType) -> Iterator[Step]:
    """Read a document of an old Office format, converted to a newer one."""
    with office_converter.make_profile() as folder:
        converted = yield from office_converter.convert_document(path, cast("LegacyKind", kind), folder)
        yield from _read_with_format_reader(converted, content_hash, kind, {})


def _notice_change(path: Path, before: os.stat_result, steps: Iterator[Step]) -> Iterator[Step]:
    """Yield the steps of a reading, and say so if the file is another one at its end.

    The text that was read is kept: a log that grows all the time has to be found, too. The library compares size and
    time of the file at the next import, and reads it again.

    Raises:
        FileFailure: the file has changed, and could not be read for that reason.
    """
    try:
        for step in steps:
            if isinstance(step, ReadingDone) and _has_changed(path, before):
                remark = Message(
                    "The file changed while it was read; import it again when it is written", code="changed"
                )
                step = replace(step, warnings=(*step.warnings, remark))
            yield step
    except Exception as error:
        if _has_changed(path, before):
            raise FileFailure("unreadable", "The file changed while it was read") from error
        raise


def _has_changed(path: Path, before: os.stat_result) -> bool:
    """Return whether there is another file than before; one that is gone did not change."""
    try:
        now = os.stat(path)
    except OSError:
        return False
    return any(getattr(now, fact) != getattr(before, fact) for fact in ("st_size", "st_mtime_ns", "st_ino", "st_dev"))


def _check_size(status: os.stat_result, file_bytes: int) -> None:
    """Check the length of a regular file. A pipe or device is never opened: it might block for ever."""
    if not stat.S_ISREG(status.st_mode):
        raise FileFailure(
            "unreadable", "This is a folder" if stat.S_ISDIR(status.st_mode) else "This is not a regular file"
        )
    if status.st_size == 0:
        raise FileFailure("no_text", "The file is empty")
    if status.st_size > file_bytes:
        raise FileFailure(
            "too_large",
            "The file has {size:,} bytes; the limit is {file_bytes:,}",
            size=status.st_size,
            file_bytes=file_bytes,
        )


def _hash_file(path: Path) -> Generator[Step, None, str]:
    digest = hashlib.sha256()
    reported_at = time.monotonic()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
            if time.monotonic() - reported_at > _HEARTBEAT_S:
                yield Heartbeat()
                reported_at = time.monotonic()
    return digest.hexdigest()
