"""Documents for the reader: pages from another process, one request at a time, and stored text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.errors import Cancelled, FileFailure, NotFound
from desktop_app.core.pages import OutlineEntry, PagedFile, PageSize, SentenceToLocate
from desktop_app.core.records import Document, Occurrence, Place
from desktop_app.engine.engine import Engine
from desktop_app.engine.pages import PageService
from desktop_app.text.page_process import PageProcess
from tests.engine.fakes import NoScans
from tests.patience import PATIENCE_S

from .fakes import make_context

PDFS = Path(__file__).parent.parent / "data" / "pdf"


class StoredText:
    """As much of a library as the viewer reads: one document with so many sentences."""

    def __init__(self, sentences: int) -> None:
        self._sentences = sentences
        self.read = 0
        self.ocr_pages = NoScans()
        self.documents = self.sentences = self

    def get(self, document_id: int) -> Document:
        if document_id != 7:
            raise NotFound("There is no such document")
        return Document(7, "/papers/a.txt", "A", "text", None, self._sentences, "ready")

    def outline(self, document_id: int) -> list[OutlineEntry]:
        return [OutlineEntry("Begin", 1, 0)]

    def occurrences(self, *, document_id: int | None = None, batch: int = 1000) -> Iterator[list[Occurrence]]:
        for start in range(0, self._sentences, batch):
            self.read += 1
            yield [
                Occurrence(
                    at, f"Sentence {at}.", 7, "/papers/a.txt", at, at // 3, "body", (Place(None, at, at + 1, "char"),)
                )
                for at in range(start, min(start + batch, self._sentences))
            ]


class Held:
    """An answer that arrives when the test releases it."""

    has_partial_answer = False

    def __init__(self, value: Any) -> None:
        self.value = value
        self.asked = threading.Event()
        self.come = threading.Event()
        self.left = threading.Event()

    def poll(self) -> Any:
        self.asked.set()
        if not self.come.is_set():
            return None
        if isinstance(self.value, Exception):
            raise self.value
        return self.value

    def abandon(self) -> None:
        self.left.set()


class ScriptedPages:
    """Gives the answers of a list, in the order of the requests."""

    def __init__(self, answers: Sequence[Held]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.closed = False

    def __getattr__(self, name: str) -> Callable[..., Held]:
        def ask(*arguments: Any) -> Held:
            self.asked.append((name, arguments))
            return self._answers.pop(0)

        return ask

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()


@pytest.fixture
def viewing(engine: Engine) -> PageService:
    """A viewer of real pages."""
    viewing = PageService(make_context(engine, lambda: StoredText(10), start_pages=PageProcess))
    engine.at_exit(viewing._context.close)
    return viewing


def scripted(engine: Engine, *answers: Held) -> tuple[PageService, ScriptedPages]:
    pages = ScriptedPages(answers)
    return PageService(make_context(engine, lambda: StoredText(10), start_pages=lambda: pages)), pages


def test_real_pages_are_opened_drawn_and_searched(viewing: PageService) -> None:
    path = str(PDFS / "two_column_lorem.pdf")
    file = viewing.open_pages(7, path).wait(PATIENCE_S)
    assert len(file.sizes) == 3
    assert file.outline == (OutlineEntry("Begin", 1, 0),)
    image = viewing.render_page(path, 1, 400).wait(PATIENCE_S)
    assert (image.page, image.width_px) == (1, 400)
    assert len(image.pixels) == image.stride_bytes * image.height_px
    chars = viewing.read_characters(path, 1).wait(PATIENCE_S)
    words = chars.text[:40].split("\n")[0]
    (found,) = viewing.find_boxes(path, 1, [SentenceToLocate(words, (Place(1, 0, 40, "text"),))]).wait(PATIENCE_S)
    assert found
    assert viewing.check_file_exists(path).wait(PATIENCE_S) is True
    assert viewing.check_file_exists(path + ".gone").wait(PATIENCE_S) is False


def test_a_process_that_was_killed_is_started_again(viewing: PageService) -> None:
    path = str(PDFS / "two_column_lorem.pdf")
    viewing.open_pages(7, path).wait(PATIENCE_S)
    source = viewing._context.page_source._source
    assert isinstance(source, PageProcess)
    first = source.pid
    source._process._child._process.kill()  # type: ignore[union-attr]
    assert viewing.render_page(path, 1, 400).wait(PATIENCE_S).width_px == 400
    assert source.pid != first


def test_a_locked_file_opens_once_its_password_is_known(viewing: PageService) -> None:
    path = str(PDFS / "encrypted_openpassword.pdf")
    with pytest.raises(FileFailure) as caught:
        viewing.open_pages(7, path).wait(PATIENCE_S)
    assert caught.value.reason == "encrypted"
    viewing._context.page_source.remember_passwords(["wrong", "openpassword"])
    assert len(viewing.open_pages(7, path).wait(PATIENCE_S).sizes) == 1


def test_the_engine_does_other_things_while_a_page_is_drawn(engine: Engine) -> None:
    answer = Held(PagedFile((PageSize(1, 1),)))
    viewing, _ = scripted(engine, answer)
    opening = viewing.open_pages(7, "a.pdf")
    assert answer.asked.wait(PATIENCE_S)
    assert engine.submit("other", lambda: "done").wait(PATIENCE_S) == "done"
    assert not opening.is_finished
    answer.come.set()
    assert opening.wait(PATIENCE_S).sizes == (PageSize(1, 1),)


def test_requests_wait_for_their_turn(engine: Engine) -> None:
    first, second = Held("one"), Held("two")
    viewing, pages = scripted(engine, first, second)
    one, two = viewing.render_page("a.pdf", 1, 100), viewing.render_page("a.pdf", 2, 100)
    assert first.asked.wait(PATIENCE_S)
    assert len(pages.asked) == 1
    second.come.set()
    first.come.set()
    assert one.wait(PATIENCE_S) == "one"
    assert two.wait(PATIENCE_S) == "two"
    assert first.left.is_set()


def test_the_latest_request_for_a_page_wins_and_the_next_is_served(engine: Engine) -> None:
    old, new = Held("coarse"), Held("crisp")
    viewing, pages = scripted(engine, old, new)
    first = viewing.render_page("a.pdf", 1, 100)
    assert old.asked.wait(PATIENCE_S)
    second = viewing.render_page("a.pdf", 1, 200)
    new.come.set()
    assert second.wait(PATIENCE_S) == "crisp"
    with pytest.raises(Cancelled):
        first.wait(PATIENCE_S)
    assert old.left.is_set()
    assert [arguments[3] for _, arguments in pages.asked] == [100, 200]


def test_a_failure_does_not_block_the_next_request(engine: Engine) -> None:
    bad, good = Held(FileFailure("damaged", "Page 1 cannot be drawn")), Held("good")
    bad.come.set()
    good.come.set()
    viewing, _ = scripted(engine, bad, good)
    with pytest.raises(FileFailure, match="Page 1"):
        viewing.render_page("a.pdf", 1, 100).wait(PATIENCE_S)
    assert viewing.render_page("a.pdf", 2, 100).wait(PATIENCE_S) == "good"


def test_stopping_in_the_middle_of_a_page_ends_it(engine: Engine) -> None:
    answer = Held("never")
    viewing, pages = scripted(engine, answer)
    engine.at_exit(viewing._context.close)
    job = viewing.render_page("a.pdf", 1, 100)
    assert answer.asked.wait(PATIENCE_S)
    engine.stop()
    assert job.was_cancelled
    assert pages.closed


def test_without_a_source_pages_cannot_be_shown(engine: Engine) -> None:
    viewing = PageService(make_context(engine, lambda: StoredText(1)))
    with pytest.raises(FileFailure):
        viewing.open_pages(7, "a.pdf").wait(PATIENCE_S)


def test_stored_text_comes_in_slices_and_is_read_once(engine: Engine) -> None:
    library = StoredText(23)
    viewing = PageService(make_context(engine, lambda: library))
    ordinals: list[int] = []
    is_last = False
    while not is_last:
        part = viewing.read_text(7, len(ordinals), 10).wait(PATIENCE_S)
        assert part.first == len(ordinals)
        ordinals += [sentence.ordinal for sentence in part.sentences]
        is_last = part.is_last
    assert ordinals == list(range(23))
    assert library.read == 3


def test_a_slice_from_the_middle_starts_there(engine: Engine) -> None:
    viewing = PageService(make_context(engine, lambda: StoredText(23)))
    part = viewing.read_text(7, 15, 10).wait(PATIENCE_S)
    assert part.sentences[0].ordinal == 15
    assert part.document.document_id == 7


def test_the_text_of_a_missing_document_is_not_found(engine: Engine) -> None:
    viewing = PageService(make_context(engine, lambda: StoredText(3)))
    with pytest.raises(NotFound):
        viewing.read_text(8).wait(PATIENCE_S)
