"""Pages from a child process that can be killed: the parent side of `page_tasks`."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from desktop_app.core.child_process import TaskCrashed, TaskFailed
from desktop_app.core.errors import FileFailure
from desktop_app.core.pages import PageImage
from desktop_app.core.reader_events import ReaderLimits
from desktop_app.text.task_process import ProcessDied, TaskEnded, TaskProcess, TaskYielded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.ocr import OcrEngine
    from desktop_app.core.pages import (
        AnnotationToWrite,
        Box,
        DarkPageColors,
        PageCharacters,
        PagedFile,
        SentenceToLocate,
    )

T = TypeVar("T")
_log = logging.getLogger(__name__)


class PageProcess:
    """Implements `core.ports.PageSource`."""

    def __init__(self, limits: ReaderLimits | None = None, *, tasks: dict[str, str] | None = None) -> None:
        self._process = TaskProcess(limits or ReaderLimits(), tasks)

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._process.pid

    def look_at_file(self, path: str) -> PageRequest[bool]:
        """Request whether a file exists."""
        return self._ask("look_at_file", path=path)

    def open_pages(self, path: str, passwords: Sequence[str]) -> PageRequest[PagedFile]:
        """Request the sizes and labels of a file's pages."""
        return self._ask("open_pages", path=path, passwords=tuple(passwords))

    def render_page(
        self, path: str, passwords: Sequence[str], page: int, width_px: int, dark: DarkPageColors | None
    ) -> PageRequest[PageImage]:
        """Request the image of a page."""
        return self._ask("render_page", path=path, passwords=tuple(passwords), page=page, width_px=width_px, dark=dark)

    def page_boxes(
        self, path: str, passwords: Sequence[str], page: int, sentences: Sequence[SentenceToLocate]
    ) -> PageRequest[list[tuple[Box, ...]]]:
        """Request the boxes of sentences on a page."""
        return self._ask("page_boxes", path=path, passwords=tuple(passwords), page=page, sentences=tuple(sentences))

    def page_characters(self, path: str, passwords: Sequence[str], page: int) -> PageRequest[PageCharacters]:
        """Request the characters of a page."""
        return self._ask("page_characters", path=path, passwords=tuple(passwords), page=page)

    def write_annotations(
        self, path: str, passwords: Sequence[str], annotations: Sequence[AnnotationToWrite]
    ) -> PageRequest[bytes]:
        """Request a copy of a file with annotations."""
        return self._ask("write_annotations", path=path, passwords=tuple(passwords), annotations=tuple(annotations))

    def find_ocr(self) -> PageRequest[tuple[OcrEngine | None]]:
        """Request which Tesseract is installed."""
        return self._ask("find_ocr")

    def close(self) -> None:
        """End the process."""
        self._process.kill()

    def _ask(self, task: str, **arguments: Any) -> PageRequest[Any]:
        return PageRequest(self._process, task, arguments)


class PageRequest(Generic[T]):
    """One request. If the process dies on it, it is restarted and the request is repeated once."""

    def __init__(self, process: TaskProcess, task: str, arguments: dict[str, Any]) -> None:
        self._process = process
        self._task = (task, arguments)
        self._was_repeated = False
        self._image: PageImage | None = None
        self._pieces: list[bytes] = []
        self._answer: Any = None
        self._begin()

    @property
    def has_partial_answer(self) -> bool:
        """Whether a part of the answer has arrived."""
        return self._image is not None or bool(self._pieces)

    def poll(self) -> T | None:
        """Return the answer, or None while there is none. Never blocks.

        Raises:
            FileFailure: the file or page cannot be shown.
        """
        try:
            message = self._process.poll()
        except ProcessDied as death:
            if death.reason != "damaged" or self._was_repeated:
                raise FileFailure(death.reason, death.message) from death
            self._was_repeated = True
            self._begin()
            return None
        match message:
            case TaskYielded(value=PageImage() as image):
                self._image = image
            case TaskYielded(value=bytes() as piece):
                self._pieces.append(piece)
            case TaskYielded(value=value):
                self._answer = value
            case TaskEnded():
                return self._complete()
            case TaskFailed(error=error):
                raise error
            case TaskCrashed(details=details):
                _log.error("a page could not be shown:\n%s", details)
                raise FileFailure("damaged", "The page is damaged and cannot be read")
        return None

    def abandon(self) -> None:
        """Cancel the request. Does nothing after its end."""
        self._process.leave()

    def _begin(self) -> None:
        self._image, self._pieces, self._answer = None, [], None
        self._process.begin(*self._task)

    def _complete(self) -> T:
        if self._image is not None:
            return replace(self._image, pixels=b"".join(self._pieces))  # type: ignore[return-value]
        if self._pieces:
            return b"".join(self._pieces)  # type: ignore[return-value]
        return self._answer  # type: ignore[no-any-return]
