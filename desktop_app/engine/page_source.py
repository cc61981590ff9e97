"""The process that reads pages for display, shared by everything that asks it: one request at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from desktop_app.core.errors import FileFailure
from desktop_app.core.jobs import WAITING, Steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.ports import PageSource, PendingAnswer

T = TypeVar("T")


class SharedPageSource:
    """Starts the source of pages when it is first asked, and puts requests to it one after the other.

    Args:
        start: makes the source; None where pages cannot be shown.

    Attributes:
        passwords: tried on locked files, the newest first, until the program ends. They are stored nowhere.
    """

    def __init__(self, start: Callable[[], PageSource] | None) -> None:
        self._start = start
        self._source: PageSource | None = None
        self._pending: PendingAnswer[object] | None = None
        self.passwords: tuple[str, ...] = ()

    def remember_passwords(self, passwords: Iterable[str]) -> None:
        """Try these passwords on locked files before the others."""
        self.passwords = tuple(dict.fromkeys([*passwords, *self.passwords]))

    def ask(self, ask: Callable[[PageSource], PendingAnswer[T]]) -> Steps[T]:
        """Wait until the source is free, put a request to it, and return its answer.

        Raises:
            FileFailure: pages cannot be shown here.
        """
        while self._pending is not None:
            yield WAITING
        if self._source is None:
            if self._start is None:
                raise FileFailure("unreadable", "Pages cannot be shown here")
            self._source = self._start()
        pending = self._pending = ask(self._source)
        try:
            while (answer := pending.poll()) is None:
                yield None if pending.has_partial_answer else WAITING
            return answer
        finally:
            pending.abandon()
            self._pending = None

    def find_ocr(self) -> Steps[OcrEngine | None]:
        """Return the Tesseract that is installed; None where there is none."""
        if self._source is None and self._start is None:
            return None
        (found,) = yield from self.ask(lambda source: source.find_ocr())
        return found

    def close(self) -> None:
        """End the process."""
        if self._source is not None:
            self._source.close()
