"""Highlights and notes on documents: found by search, and found again when their file is read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.annotations import Annotation
from desktop_app.core.errors import UsageError
from desktop_app.core.jobs import ChangeSet, Job
from desktop_app.core.reader_events import DocumentHead, ReadingDone, SentenceSpan, SentencesRead
from desktop_app.core.records import Occurrence, Place
from desktop_app.engine.annotations import AnnotationService
from desktop_app.engine.engine import Engine
from desktop_app.engine.importing import ImportService
from desktop_app.engine.sentence_corrections import CorrectionService
from tests.engine.fakes import script
from tests.engine.test_importing import World
from tests.store.helpers import run_checks

from .fakes import make_context

TEXT = ("The sea is rising.", "Ice melts in the north.", "The sea is rising.", "Harbours are built anew.", "The end.")
LATER = ("A new first line.", *TEXT[1:4], "Somebody added this.", "The end.")


class Annotated(World):
    """A world with one document, and an engine that annotates it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.write(story=[script(TEXT, content_hash="1" * 64), script(LATER, content_hash="2" * 64)])
        self.take_in()
        self.engine = Engine()
        context = make_context(
            self.engine, lambda: self.library, lambda: self.encoder, split_sentences=lambda text: text.split("  ")
        )
        self.annotations, self.corrections = AnnotationService(context), CorrectionService(context)
        self.imports = ImportService(context)
        (document,) = self.library.documents.fetch()
        self.document_id = document.document_id

    def wait(self, job: Job):  # type: ignore[type-arg, no-untyped-def]  # noqa: ANN201 - a job's result
        """Run the engine here: its thread would open the library in another one."""
        for _ in range(10_000):
            if not any(self.engine._lanes):
                return job.result
            self.engine._run_turn()
        pytest.fail("the engine does not come to an end")

    def rows(self) -> list[Occurrence]:
        return [row for batch in self.library.sentences.occurrences(document_id=self.document_id) for row in batch]

    def notes(self) -> list[str]:
        return [row.text for row in self.rows() if row.kind == "note"]

    def mark(self, text: str, comment: str = "", ordinal: int = 0, offset: int = 0) -> int:
        place = self.rows()[ordinal].places
        annotation = Annotation(0, self.document_id, text, comment, places=place, ordinal=ordinal, offset=offset)
        (key,) = self.wait(self.annotations.add([annotation]))
        return key

    def touch(self) -> None:
        """Let the file be read again."""
        (self.files / "story.txt").write_text(f"changed {len(self.reader.started)}", "utf-8")

    def faults(self) -> list[str]:
        return [str(check.detail) for check in run_checks(self.library) if not check.ok]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Annotated]:
    world = Annotated(tmp_path)
    yield world
    world.library.close()


def test_the_next_start_makes_searchable_what_a_run_stored_that_ended_at_once(
    world: Annotated, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = world.mark("rising", "Kept from before.")
    new = Annotation(0, world.document_id, "Ice", "Just written.", ordinal=1, offset=0, places=world.rows()[1].places)
    (gone,) = world.library.annotations.add([new])
    world.wait(world.imports.resume())
    assert sorted(world.notes()) == ["Ice", "Just written.", "Kept from before.", "rising"]
    with monkeypatch.context() as patch:
        patch.delattr(type(world.library.ingest), "replace_notes")  # nothing is left to do
        world.wait(world.imports.resume())
    world.library.annotations.delete([kept, gone])
    world.wait(world.imports.resume())
    assert world.notes() == []
    assert world.faults() == []


def test_the_words_of_an_annotation_become_notes(world: Annotated) -> None:
    changes: list[ChangeSet] = []
    world.engine.listen(changes.append)
    key = world.mark("Ice melts", "Since when?  Look it up.", ordinal=1)
    assert world.notes() == ["Ice melts", "Since when?", "Look it up."]
    assert any(each.annotations for each in changes)
    assert any(each.sentences for each in changes)
    (document,) = world.library.documents.fetch()
    assert document.sentences == len(TEXT) + 3
    assert any(world.document_id in each.annotated for each in changes), "lists show how many sentences it has"
    assert not any(each.documents for each in changes), "its text is not read again"
    before = world.wait(world.annotations.change(key, comment="Done."))
    assert before.comment == "Since when?  Look it up."
    assert world.notes() == ["Ice melts", "Done."]
    (gone,) = world.wait(world.annotations.delete([key]))
    assert world.notes() == []
    world.wait(world.annotations.add([gone]))
    assert world.notes() == ["Ice melts", "Done."]
    assert world.faults() == []


def test_an_unchanged_document_is_left_alone(world: Annotated) -> None:
    world.mark("Ice melts", "Why?", ordinal=1)
    before, embedded = world.library.documents.get(world.document_id), list(world.encoder.embedded)
    world.wait(world.annotations.refresh())
    assert world.library.documents.get(world.document_id) == before
    assert world.encoder.embedded == embedded


def test_annotations_move_with_their_words_when_the_file_is_read_again(world: Annotated) -> None:
    for ordinal, text in ((1, "Ice melts"), (2, "sea is rising"), (3, "built anew. The end"), (0, "The sea")):
        world.mark(text, f"on {text}", ordinal, offset=4 if ordinal == 2 else 0)
    world.touch()
    world.take_in()
    found = {each.text: each for each in world.library.annotations.fetch(world.document_id)}
    rows = world.rows()
    assert rows[2].text == "The sea is rising."
    assert (found["sea is rising"].ordinal, found["sea is rising"].offset) == (2, 4)
    assert found["The sea"].ordinal == 2  # its own sentence is gone: the other one is the nearest
    assert found["The sea"].places == rows[2].places
    assert found["built anew. The end"].ordinal == 3  # lost: somebody wrote between the two sentences
    assert set(world.notes()) >= {"Ice melts", "on Ice melts", "on The sea"}
    assert world.faults() == []


def test_highlights_on_notes_of_the_file_move_too(world: Annotated) -> None:
    def spans(*texts: str) -> list[object]:
        made = [
            SentenceSpan(text, (Place(None, 50 * at, 50 * at + len(text), "char"),), at, kind, kind)
            for at, (text, kind) in enumerate(zip(texts, ("body", "body", "note"), strict=True))
        ]
        return [DocumentHead("text", texts[0].ljust(64, "0")), SentencesRead(tuple(made)), ReadingDone()]

    read = spans("The sea is rising.", "Ice melts.", "A comment on ice: the sea is calm.")
    again = spans("New. The sea is rising.", "Ice melts.", "New: a comment on ice: the sea is calm.")
    world.write(story=[read, again])
    world.take_in()
    for text, offset in (("the sea", 18), ("comment", 2)):
        world.mark(text, ordinal=2, offset=offset)
    world.touch()
    world.take_in()
    assert [(each.text, each.ordinal, each.offset) for each in world.library.annotations.fetch()] == [
        ("the sea", 2, 23),
        ("comment", 2, 7),
    ]


def test_a_mark_on_a_page_moves_only_to_another_page(world: Annotated) -> None:
    def pages(*pages: int) -> list[object]:
        spans = [
            SentenceSpan(text, (Place(page, 10 * at, 10 * at + 9, "pdfium"),), at)
            for at, (text, page) in enumerate(zip(TEXT, pages, strict=True))
        ]
        head = DocumentHead("pdf", str(pages).ljust(64, "0"), page_count=4)
        return [head, SentencesRead(tuple(spans)), ReadingDone()]

    world.write(story=[pages(1, 1, 2, 2, 2), pages(1, 3, 4, 4, 4)])
    world.take_in()
    places = (Place(1, 40, 49, "text"),), (Place(2, 7, 16, "text"),)
    marks = [
        Annotation(0, world.document_id, text, places=place)
        for text, place in zip((TEXT[1], TEXT[3]), places, strict=True)
    ]
    world.wait(world.annotations.add(marks))
    assert [each.places for each in world.library.annotations.fetch()] == [*places]
    world.touch()
    world.take_in()
    now = [each.places for each in world.library.annotations.fetch()]
    assert now == [(Place(3, 10, 19, "text"),), (Place(4, 30, 39, "text"),)]


def test_a_correction_keeps_annotations(world: Annotated) -> None:
    world.mark("Ice melts", "Why?", ordinal=1)
    row = world.rows()[3]
    world.wait(world.corrections.ignore(world.document_id, row.ordinal, row.sentence_id))
    texts = [each.text for each in world.rows()]
    assert texts == [
        "The sea is rising.",
        "Ice melts in the north.",
        "The sea is rising.",
        "The end.",
        "Ice melts",
        "Why?",
    ]
    world.wait(world.corrections.undo(world.document_id))
    assert [each.text for each in world.rows()] == [*TEXT, "Ice melts", "Why?"]
    assert world.faults() == []


def test_a_text_without_a_vector_is_left_out(world: Annotated) -> None:
    world.encoder.refused.add("Odd.")
    world.mark("Ice melts", "Odd.  Even.", ordinal=1)
    assert world.notes() == ["Ice melts", "Even."]
    assert world.faults() == []


def test_only_pdfs_are_copied_with_annotations(world: Annotated, tmp_path: Path) -> None:
    job = world.annotations.save_copy(world.document_id, str(tmp_path / "copy.pdf"))
    with pytest.raises(UsageError, match="Only copies of PDF"):
        world.wait(job)
