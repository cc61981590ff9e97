"""A library is copied to a server and back: sentences, vectors, and what people have made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_app.core.annotations import Annotation
from desktop_app.core.errors import ModelMismatch
from desktop_app.core.jobs import run_to_completion
from desktop_app.core.library import Library
from desktop_app.core.messages import Message
from desktop_app.core.records import ModelInfo
from desktop_app.core.sentence_corrections import CorrectedRange, Correction, hash_text
from desktop_app.core.user_data import SavedSearch
from desktop_app.engine.library_copy import CopyReport, LibraryCopier
from desktop_app.store.library import LocalLibrary
from tests.postgres_server import SharedLibraries
from tests.store.helpers import MODEL, add, drain, shown, spans_of, take_in, texts, vectors_of


@pytest.fixture
def local(tmp_path: Path) -> Iterator[LocalLibrary]:
    """A library with three documents, one that failed, and one of everything that a person makes."""
    with LocalLibrary.open(tmp_path / "local") as library:
        library.models.bind(MODEL)
        first = take_in(library, "papers/a.txt", ["Tea is hot.", "Water boils."])
        second = take_in(library, "papers/b.txt", [*texts("b", 700), "Tea is hot."])
        content = library.documents.get(first).content_hash
        assert library.copies.join(add(library, "copies/a.txt"), str(content)) == first
        failed = add(library, "papers/c.pdf")
        library.ingest.fail(failed, "no_text", Message("Nothing to read"))
        library.documents.set_title(first, "On tea")
        library.collections.add(library.collections.create("Kitchen"), [first, second])
        library.collections.tag([second], ["unread"])
        hits = library.search.hits(library.search.nearest(library.search.sample_vectors(1)[0], 3))
        library.user_data.add_quotes(hits[:1])
        library.user_data.remember("tea", "both")
        library.user_data.save_search(SavedSearch("Pots", "clay", "words"))
        library.user_data.judge("tea", hits[0].sentence_id, True)
        library.pair_labels.judge("Tea is hot.", "Water boils.", False)
        library.pair_labels.review([("Tea is hot.", "Tea is warm.")], True)
        library.annotations.add([Annotation(0, first, "Tea", "Which?", ordinal=0)])
        yield library


def copy(source: Library, target: Library) -> CopyReport:
    """Copy to the end and return the report."""
    return run_to_completion(LibraryCopier(source, target).run())


def describe(library: Library) -> dict[str, object]:
    """What a copy must have in common with its source."""
    names = {each.document_id: each.path for each in library.documents.fetch()}
    return {
        "documents": sorted((each.paths, each.title, each.state, each.sentences) for each in library.documents.fetch()),
        "sentences": [
            (each.path, each.ordinal, each.text, each.places, each.kind)
            for document_id in sorted(names, key=lambda each: names[each])
            for page in library.sentences.occurrences(document_id=document_id)
            for each in page
        ],
        "collections": [
            (each.kind, each.name, sorted(names[found] for found in each.document_ids))
            for each in library.collections.collections()
        ],
        "quotes": [(each.path, each.ordinal, each.text) for each in library.user_data.quotes()],
        "queries": [each.text for each in library.user_data.past_queries()],
        "searches": [(each.name, each.text, each.mode) for each in library.user_data.saved_searches()],
        "judgements": [(each.query, each.text, each.is_relevant) for each in library.user_data.judgements()],
        "labels": [
            (each.a, each.b, each.same, each.reviewed)
            for each in library.pair_labels.labelled_pairs(with_reviewed=True)
        ],
        "annotations": [(each.text, each.comment, each.path) for each in library.annotations.fetch()],
    }


def test_a_library_goes_to_a_server_and_back(
    local: LocalLibrary, shared_libraries: SharedLibraries, tmp_path: Path
) -> None:
    with shared_libraries.open() as shared, LocalLibrary.open(tmp_path / "back") as back:
        report = copy(local, shared)
        assert (report.copied, report.failed, report.checked, report.different) == (2, 1, 2, [])
        assert describe(shared) == describe(local)
        assert shared.info().vectors == local.info().vectors
        assert copy(shared, back).different == []
        assert describe(back) == describe(local)
        vector = local.search.sample_vectors(5)[3]
        nearest = [[each.score for each in each_one.search.nearest(vector, 5)] for each_one in (local, back)]
        assert np.allclose(*nearest, atol=2e-3)
    shared_libraries.reset()


def test_a_copy_that_was_interrupted_continues(local: LocalLibrary, tmp_path: Path) -> None:
    with LocalLibrary.open(tmp_path / "copy") as target:
        steps = LibraryCopier(local, target).run()
        drain(itertools.islice(steps, 4))  # within the second document
        steps.close()
        assert target.info().states != local.info().states
    with LocalLibrary.open(tmp_path / "copy") as target:
        report = copy(local, target)
        assert (report.copied, report.present) == (1, 1)
        assert describe(target) == describe(local)
        again = copy(local, target)
        assert (again.copied, again.present, again.different) == (0, 2, [])
        assert describe(target) == describe(local)


def test_corrections_are_copied_wherever_an_earlier_copy_ended(tmp_path: Path) -> None:
    with LocalLibrary.open(tmp_path / "corrected") as source:
        source.models.bind(MODEL)
        book = take_in(source, "book.txt", ["One.", "Two.", "Three."])
        for left in (["One.", "Three."], ["One."]):
            version = source.corrections.begin(book)
            source.corrections.append(book, version, spans_of(left), [], vectors_of([]))
            source.corrections.save_ranges(book, [CorrectedRange(0, len(left), tuple(spans_of(["One.", "Two."])))])
            made = Correction(0, "ignore", hash_text(left[-1]))
            source.corrections.finish(book, version, made=made, undone=None)
        corrections = [replace(each, correction_id=0) for each in source.corrections.find(book)]
        for moment in itertools.count():
            with LocalLibrary.open(tmp_path / f"copy {moment}") as target:
                steps = LibraryCopier(source, target).run()
                count = sum(1 for _ in itertools.islice(steps, moment))
                steps.close()
            with LocalLibrary.open(tmp_path / f"copy {moment}") as target:
                assert copy(source, target).different == []
                (document,) = target.documents.fetch()
                found = target.corrections.find(document.document_id)
                assert [replace(each, correction_id=0) for each in found] == corrections, moment
                assert shown(target) == ["One."]
            if count < moment:
                break


def test_a_copy_whose_connection_was_lost_for_a_moment_leaves_a_document_to_the_next_one(
    local: LocalLibrary, shared_libraries: SharedLibraries
) -> None:
    with shared_libraries.open() as shared:
        copier = LibraryCopier(local, shared)
        steps = copier.run()
        drain(itertools.islice(steps, 4))  # within the second document
        process = shared._database.connection().info.backend_pid
        with shared_libraries.server.connect(shared_libraries.database) as administrator:
            administrator.execute("SELECT pg_terminate_backend(%s, 60000)", (process,))
        drain(steps)
        assert (copier.report.copied, len(copier.report.busy), copier.report.different) == (1, 1, [])
        assert copy(local, shared).copied == 1
        assert describe(shared) == describe(local)
    shared_libraries.reset()


def test_what_the_target_has_already_stays(local: LocalLibrary, tmp_path: Path) -> None:
    with LocalLibrary.open(tmp_path / "copy") as target:
        target.models.bind(MODEL)
        own = take_in(target, "other.txt", ["Mine."])
        assert copy(local, target).different == []
        assert target.documents.get(own).sentences == 1
        assert target.info().documents == local.info().documents + 1


def test_libraries_of_different_models_do_not_mix(local: LocalLibrary, tmp_path: Path) -> None:
    with LocalLibrary.open(tmp_path / "copy") as target:
        target.models.bind(ModelInfo("other", "another", MODEL.dim, 256, "mean", True))
        take_in(target, "other.txt", ["Mine."])
        with pytest.raises(ModelMismatch):
            copy(local, target)


def test_a_copy_that_differs_is_named(local: LocalLibrary, tmp_path: Path) -> None:
    with LocalLibrary.open(tmp_path / "copy") as target:
        copier = LibraryCopier(local, target)
        steps = copier.run()
        for step in steps:
            if getattr(step, "phase", "") == "copying" and step.done == step.total:
                break
        (document,) = [each for each in target.documents.fetch() if each.path.endswith("a.txt")]
        target.documents.remove([document.document_id])
        drain(steps)
        assert [Path(path).name for path in copier.report.different] == ["a.txt"]
