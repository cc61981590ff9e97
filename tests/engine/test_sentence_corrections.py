"""Corrections of sentence boundaries, on a real library: at once, after the file is read again, and undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_app.core.errors import FileFailure, LibraryBusy, NotFound, UsageError
from desktop_app.engine.engine import Engine
from desktop_app.engine.sentence_corrections import CorrectionService
from desktop_app.store.library import LocalLibrary
from tests.engine.fakes import script
from tests.engine.test_importing import World
from tests.steps import run_steps
from tests.store.helpers import run_checks

from .fakes import make_context

TEXT = ("It was Mr.", "Holmes who came.", "He sat down; then he spoke.", "Page four.", "He went away.")


class Corrected(World):
    """A world with one document, and an engine that corrects it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.write(story=[script(TEXT, content_hash="1" * 64), script((*TEXT, "The end."), content_hash="2" * 64)])
        self.take_in()
        self.engine = Engine()
        self.correcting = CorrectionService(make_context(self.engine, lambda: self.library, lambda: self.encoder))
        (self.document,) = self.library.documents.fetch()

    def run(self, name: str, text: str, **more: int):  # noqa: ANN201 - a job's result
        (row,) = [row for batch in self.library.sentences.occurrences() for row in batch if row.text == text][:1]
        job = getattr(self.correcting, name)(self.document.document_id, row.ordinal, row.sentence_id, **more)
        self.steps()
        return job.result

    def steps(self) -> None:
        """Run the engine here: its thread would open the library in another one."""
        for _ in range(10_000):
            if not any(self.engine._lanes):
                return
            self.engine._run_turn()
        pytest.fail("the engine does not come to an end")

    def undo(self) -> bool:
        job = self.correcting.undo(self.document.document_id)
        self.steps()
        return job.result

    def faults(self) -> list[str]:
        return [str(check.detail) for check in run_checks(self.library) if not check.ok]

    def finds(self, text: str) -> bool:
        (vector,) = self.encoder.encode([text])
        return any(hit.text == text for hit in self.library.search.hits(self.library.search.nearest(vector, 5)))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Corrected]:
    made = Corrected(tmp_path)
    yield made
    made.library.close()


def test_two_sentences_are_merged_at_once(world: Corrected) -> None:
    before = list(world.encoder.embedded)
    world.run("merge", "It was Mr.")
    assert world.texts()[:2] == ["It was Mr. Holmes who came.", "He sat down; then he spoke."]
    assert world.encoder.embedded[len(before) :] == ["It was Mr. Holmes who came."]
    assert world.finds("It was Mr. Holmes who came.")
    assert not world.finds("Holmes who came.")
    assert world.states() == {"story": ("ready", None, 4)}
    assert world.faults() == []


def test_a_sentence_is_split(world: Corrected) -> None:
    world.run("split", "He sat down; then he spoke.", at=13)
    assert world.texts()[2:4] == ["He sat down;", "then he spoke."]
    rows = [row for batch in world.library.sentences.occurrences() for row in batch]
    # Their places in the file follow from the place of the whole.
    assert rows[3].places[0].start - rows[2].places[0].start == 13
    assert world.finds("then he spoke.")


def test_a_sentence_is_ignored_and_its_vector_erased(world: Corrected) -> None:
    world.run("ignore", "Page four.")
    assert "Page four." not in world.texts()
    assert not world.finds("Page four.")
    run_steps(world.library.maintenance.purge())
    info = world.library.info()
    assert info.sentences == info.vectors == info.occurrences == 4
    assert world.faults() == []


def test_corrections_stay_when_the_file_is_read_again(world: Corrected) -> None:
    world.run("merge", "It was Mr.")
    world.run("split", "He sat down; then he spoke.", at=13)
    world.run("ignore", "Page four.")
    corrected = world.texts()
    (world.files / "story.txt").write_text("it has changed", "utf-8")
    world.take_in()
    assert world.texts() == [*corrected, "The end."]
    assert world.undo()
    assert world.texts() == [*corrected[:3], "Page four.", *corrected[3:], "The end."]


def test_each_correction_can_be_undone_the_last_one_first(world: Corrected) -> None:
    world.run("merge", "It was Mr.")
    world.run("merge", "It was Mr. Holmes who came.")
    world.run("ignore", "Page four.")
    assert world.undo()
    assert world.undo()
    assert world.texts()[0] == "It was Mr. Holmes who came."
    assert world.undo()
    assert world.texts() == list(TEXT)
    assert not world.undo()
    assert world.faults() == []


def test_corrections_of_corrections_are_undone_to_the_original(world: Corrected) -> None:
    world.run("merge", "It was Mr.")
    world.run("split", "It was Mr. Holmes who came.", at=3)
    world.run("ignore", "It")
    assert world.texts()[0] == "was Mr. Holmes who came."
    for _ in range(3):
        world.undo()
    assert world.texts() == list(TEXT)


def test_all_sentences_may_be_ignored_and_restored(world: Corrected) -> None:
    for text in TEXT:
        world.run("ignore", text)
    assert world.texts() == []
    assert world.states() == {"story": ("ready", None, 0)}
    for _ in TEXT:
        world.undo()
    assert world.texts() == list(TEXT)


def test_missing_sentences_are_not_corrected(world: Corrected) -> None:
    job = world.correcting.merge(world.document.document_id, 0, 999)
    world.steps()
    with pytest.raises(NotFound):
        _ = job.result
    with pytest.raises(UsageError):
        world.run("merge", "He went away.")
    with pytest.raises(UsageError):
        world.run("split", "Page four.", at=0)
    assert world.texts() == list(TEXT)


def test_a_document_under_import_is_not_corrected(world: Corrected) -> None:
    document_id = world.document.document_id
    (row,) = world.library.sentences.context(document_id, 0, 0, 0)
    world.library.corrections.begin(document_id)
    job = world.correcting.ignore(document_id, 0, row.sentence_id)
    world.steps()
    with pytest.raises(LibraryBusy):
        _ = job.result


def test_an_interrupted_correction_leaves_the_document_as_it_was(world: Corrected) -> None:
    version_id = world.library.corrections.begin(world.document.document_id)
    spans = next(world.library.corrections.originals(world.document.document_id))
    world.library.corrections.append(world.document.document_id, version_id, spans[:2], [], world.encoder.encode([]))
    folder = world.library.folder
    world.library.close()
    world.library = LocalLibrary.open(folder)
    assert world.states() == {"story": ("ready", None, 5)}
    assert world.texts() == list(TEXT)
    assert world.library.corrections.find(world.document.document_id) == []
    assert world.faults() == []


def test_a_correction_without_a_vector_changes_nothing(world: Corrected) -> None:
    world.encoder.refused = {"It was Mr. Holmes who came."}
    with pytest.raises(FileFailure):
        world.run("merge", "It was Mr.")
    assert world.texts() == list(TEXT)
    assert world.states() == {"story": ("ready", None, 5)}
    world.run("ignore", "Page four.")  # and the next one can be made


def test_corrections_are_erased_with_their_document(world: Corrected, tmp_path: Path) -> None:
    world.run("merge", "It was Mr.")
    world.run("ignore", "Page four.")
    world.library.documents.remove([world.document.document_id])
    run_steps(world.library.maintenance.purge())
    assert world.library.corrections.find(world.document.document_id) == []
    held = [
        file.name for file in (tmp_path / "library").rglob("*") if file.is_file() and b"Page four." in file.read_bytes()
    ]
    assert held == []


def _kind(world: Corrected, text: str) -> tuple[str, str]:
    (row,) = [row for batch in world.library.sentences.occurrences() for row in batch if row.text == text]
    return row.passage or row.kind, row.reason


def test_a_persons_kind_wins_survives_a_new_reading_and_can_be_undone(world: Corrected) -> None:
    world.run("set_kind", "Page four.", kind="boilerplate")
    assert _kind(world, "Page four.") == ("boilerplate", "person")
    world.take_in(force=True)
    assert "The end." in world.texts()
    assert _kind(world, "Page four.") == ("boilerplate", "person")
    assert world.undo()
    assert _kind(world, "Page four.")[1] != "person"
    assert world.faults() == []


def test_parts_of_a_sentence_are_decided_on_anew(world: Corrected) -> None:
    world.run("split", "He sat down; then he spoke.", at=13)
    assert _kind(world, "He sat down;") == ("stub", "short")
    world.run("merge", "He sat down;")
    assert _kind(world, "He sat down; then he spoke.") == ("body", "")
