"""Tasks for the reader process that behave like libraries on hostile files."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from desktop_app.core.reader_events import DocumentHead, PageRead, ReadingDone, SentenceSpan, SentencesRead
from desktop_app.core.records import Place
from desktop_app.text.readers import read_document
from desktop_app.text.readers.pdf_engines import PdfiumEngine, PdfPageText, PypdfEngine
from desktop_app.text.readers.reader_steps import RetryWith, Step

HEAD = DocumentHead("pdf", "hash", page_count=2)
SPAN = SentenceSpan("A sentence of some length stands here.", (Place(1, 0, 38, "pdfium"),), 0)


def crash_on_first_engine(*, engine: str = "both", **_: Any) -> Iterator[Step]:
    """Crash after head and page; the second engine reads everything."""
    yield RetryWith({"engine": "pypdf"})
    yield HEAD
    yield PageRead(1, 2)
    if engine == "both":
        _die()
    yield PageRead(2, 2)
    yield SentencesRead((SPAN,))
    yield ReadingDone()


def crash_always(**_: Any) -> Iterator[Step]:
    yield RetryWith({"engine": "pypdf"})
    yield HEAD
    _die()


def crash_once(*, path: str, **_: Any) -> Iterator[str]:
    """Crash in the middle, the first time: `path` remembers it."""
    is_first = not Path(path).exists()
    Path(path).touch()
    yield "begun"
    if is_first:
        _die()
    yield "done"


def crash_after_sentences(**_: Any) -> Iterator[Step]:
    yield RetryWith({"engine": "pypdf"})
    yield HEAD
    yield SentencesRead((SPAN,))
    _die()


def hang(**_: Any) -> Iterator[Step]:
    yield HEAD
    while True:
        pass


def hang_on_first_engine(*, engine: str = "both", **_: Any) -> Iterator[Step]:
    yield RetryWith({"engine": "pypdf"})
    if engine == "both":
        yield from hang()
    yield HEAD
    yield SentencesRead((SPAN,))
    yield ReadingDone()


def hang_on_page_two(*, path: Path, **options: Any) -> Iterator[Step]:
    """Read a PDF with a PDFium that hangs on its second page."""
    PdfiumEngine.page = _hanging_on_page_two(PdfiumEngine.page)  # type: ignore[method-assign]
    yield from read_document(path, **options)


def hang_on_page_two_in_both_engines(*, path: Path, **options: Any) -> Iterator[Step]:
    PypdfEngine.page = _hanging_on_page_two(PypdfEngine.page)  # type: ignore[method-assign]
    yield from hang_on_page_two(path=path, **options)


def _hanging_on_page_two(read: Callable[[Any, int], PdfPageText]) -> Callable[[Any, int], PdfPageText]:
    def page(self: Any, number: int) -> PdfPageText:
        while number == 2:
            pass
        return read(self, number)

    return page


def eat_memory(**_: Any) -> Iterator[Step]:
    yield HEAD
    eaten = []
    while True:
        eaten.append(bytearray(b"x" * 5_000_000))
        yield PageRead(len(eaten), 10**6)


def sit_on_memory(**_: Any) -> Iterator[Step]:
    """Take more than the limit, less than the system would refuse, and stay."""
    yield HEAD
    eaten = bytearray(b"x" * 500_000_000)
    while eaten:
        pass


def run_out_of_memory(**_: Any) -> Iterator[Step]:
    yield HEAD
    raise MemoryError


def break_in_python(**_: Any) -> Iterator[Step]:
    yield HEAD
    raise ZeroDivisionError("our mistake")


def flood(**_: Any) -> Iterator[Step]:
    """Send more than a pipe holds, endlessly."""
    yield HEAD
    while True:
        yield SentencesRead((SPAN,) * 200)


def make_noise(**_: Any) -> Iterator[Step]:
    sys.stdout.write("noise\n")
    sys.stderr.write("noise\n")
    os.write(1, b"noise\n")
    os.write(2, b"noise\n")
    yield HEAD
    yield SentencesRead((SPAN,))
    yield ReadingDone()


def tell_about_process(**_: Any) -> Iterator[Step]:
    """Return the loaded modules of the process and its handling of Ctrl+C as the title."""
    heavy = {"torch", "PySide6", "transformers", "sqlalchemy", "hnswlib"} & set(sys.modules)
    ignores = signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    main = Path(getattr(sys.modules["__main__"], "__file__", "") or "").name
    yield DocumentHead("text", "hash", title=f"{sorted(heavy)} {ignores} {main}")
    yield SentencesRead((SPAN,))
    yield ReadingDone()


def _die() -> None:
    """End like a crash in C."""
    os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
