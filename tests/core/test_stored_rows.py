"""Rows of a library become records, and records rows, with every value in its place."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desktop_app.core import stored_rows
from desktop_app.core.annotations import Annotation
from desktop_app.core.bibliography import Reference
from desktop_app.core.clusters import StoredCluster
from desktop_app.core.messages import NOTHING, Message
from desktop_app.core.reader_events import OmittedText, SentenceSpan
from desktop_app.core.records import FileCopy, Occurrence, Place, ScoredSentence
from desktop_app.core.sentence_corrections import CorrectedRange
from desktop_app.core.stored_rows import (
    MIN_DOCUMENTS,
    MIN_PAGES,
    SentenceRepetitions,
    annotation_from_row,
    assert_unit_rows,
    cluster_from_row,
    cluster_values,
    copy_from_row,
    document_from_row,
    has_same_suffix,
    have_unit_length,
    hit_from_row,
    occurrence_from_row,
    omissions_to_text,
    pack_numbers,
    pack_place,
    pack_spans,
    pair_key,
    places_from_row,
    reference_from_row,
    restore_originals,
    stored_decision,
    unpack_numbers,
    unpack_spans,
)

PLACE = {"page": 7, "start": 20, "stop": 34, "unit": "pdfium", "line": None, "last_line": None, "more": None}


def row(**values: object) -> Any:
    return SimpleNamespace(**values)


@pytest.mark.parametrize(
    "place",
    [Place(7, 20, 34, "pdfium"), Place(None, 0, 5, "char", 3, 4), Place(None, 0, 5, "char", 0, 0)],
)
def test_a_place_is_packed_and_restored(place: Place) -> None:
    packed = json.loads(json.dumps(pack_place(place)))
    assert Place(*packed) == place
    assert places_from_row(row(**PLACE | {"more": json.dumps([packed, packed])})) == (
        *(Place(7, 20, 34, "pdfium"), place, place),
    )


def test_an_occurrence_has_the_values_of_its_row() -> None:
    values = {"sentence_id": 3, "text": "The sea.", "ordinal": 5, "paragraph": 2, "kind": "list", **PLACE}
    place = (Place(7, 20, 34, "pdfium"),)
    assert occurrence_from_row(row(**values, passage="stub", reason="short"), 9, "/a") == Occurrence(
        *(3, "The sea.", 9, "/a", 5, 2, "list", place, "stub", "short")
    )
    assert occurrence_from_row(row(**values, passage=None, reason=None), 9, "/a") == Occurrence(
        *(3, "The sea.", 9, "/a", 5, 2, "list", place, None, "")
    )


@pytest.mark.parametrize(
    ("layout", "passage", "reason", "stored"),
    [
        ("body", "body", "", (None, None)),
        ("heading", "heading", "layout", (None, None)),
        ("body", "stub", "short", ("stub", "short")),
        ("table", "form", "field", ("form", "field")),
        ("heading", "body", "person", ("body", "person")),
        ("body", "body", "person", (None, "person")),
    ],
)
def test_only_a_decision_against_the_layout_is_stored(layout: Any, passage: Any, reason: Any, stored: object) -> None:
    assert stored_decision(layout, passage, reason) == stored


def boilerplate(*rows: tuple[int, int, int, int, int | None, int]) -> set[tuple[int, int]]:
    repetitions = SentenceRepetitions()
    repetitions.add(rows)
    return repetitions.boilerplate()


def test_a_sentence_in_many_documents_is_boilerplate() -> None:
    many = [(1, version, 1, 1, 10, 100) for version in range(MIN_DOCUMENTS)]
    assert boilerplate(*many) == {(1, version) for version in range(MIN_DOCUMENTS)}
    assert boilerplate(*many[1:]) == set()


def test_copies_of_a_document_do_not_count_for_boilerplate() -> None:
    # Seven of its ten sentences are in all documents: version 0 is a copy. Six are not enough.
    rows = [
        (sentence, version, 1, 1, 10, 10 if version == 0 else 100)
        for sentence in range(7)
        for version in range(MIN_DOCUMENTS)
    ]
    assert boilerplate(*rows) == set()
    assert boilerplate(*(each for each in rows if each[0] < 6)) != set()
    further = [(0, MIN_DOCUMENTS, 1, 1, 10, 100)]
    assert boilerplate(*rows[:MIN_DOCUMENTS], *further, *rows[MIN_DOCUMENTS:]) == {
        (0, version) for version in range(MIN_DOCUMENTS + 1)
    }


@pytest.mark.parametrize(
    ("pages", "page_count", "found"),
    [(MIN_PAGES, 10, True), (MIN_PAGES - 1, 10, False), (6, 20, True), (5, 20, False), (MIN_PAGES, None, True)],
)
def test_a_sentence_on_many_pages_is_boilerplate(pages: int, page_count: int | None, found: bool) -> None:
    assert boilerplate((1, 4, pages, pages, page_count, 100)) == ({(1, 4)} if found else set())


def test_vectors_are_of_length_one() -> None:
    rows = np.array([[0.6, 0.8], [0.6, 0.81], [0.6, -0.8], [0, 0], [np.nan, 1], [0.5995, 0.8]], np.float32)
    assert have_unit_length(rows).tolist() == [True, False, True, False, False, True]
    assert_unit_rows(rows[:1], 1, 2)
    assert_unit_rows(np.empty((0, 7), np.float32), 0, 2)
    for wrong, count in ((rows[:1], 2), (rows[:0], 1), (rows[:, :1], 6), (rows, 6)):
        with pytest.raises(ValueError, match=r"shape|length"):
            assert_unit_rows(wrong, count, 2)


def test_texts_that_were_left_out_are_counted_and_the_first_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_rows, "_MAX_OMITTED", 20)
    omitted = [
        OmittedText("running", "Page 1 of 9", 1),
        OmittedText("running", "Page 2", 2),
        OmittedText("running", "Page 3"),
    ]
    assert json.loads(omissions_to_text(omitted)) == [8, ["running", 1, "Page 1 of 9"], ["running", 2, "Page 2"]]
    assert omissions_to_text([]) == ""


@pytest.mark.parametrize(
    ("path", "other", "same"), [("/a/x.PDF", "y.pdf", True), ("x.txt", "x.md", False), ("x", "y", True)]
)
def test_suffixes_are_compared_whatever_their_case(path: str, other: str, same: bool) -> None:
    assert has_same_suffix(path, other) is same


def test_a_document_has_the_values_of_its_row() -> None:
    values: dict[str, Any] = {
        **{"id": 3, "path": "/a/sea.pdf", "name": "sea.pdf", "own_title": "", "title": None, "type": "pdf"},
        **{"page_count": 9, "sentences": 40, "state": "failed", "reason": "damaged", "message": "It is torn."},
        **{"warnings": json.dumps(["One.", "Two."]), "author": "Ida", "dated": "1845", "encoding": "utf-8"},
        **{"size_bytes": 11, "mtime_ns": 12, "content_hash": "f0", "added_at": 13.0, "truncated": 14, "ocr": "deu"},
        **{"volume": "disk", "stamp": 15},
    }
    copy = copy_from_row(row(path="/b", size_bytes=1, mtime_ns=2, stamp=3, volume="v", added_at=4.0))
    assert copy == FileCopy("/b", 1, 2, 3, "v", 4.0)
    found = document_from_row(row(**values), (copy,))
    same = {name: value for name, value in values.items() if name not in ("id", "name", "own_title", "page_count")}
    same |= {"title": "sea.pdf", "message": Message.from_text("It is torn.")}
    same |= {"warnings": (Message.from_text("One."), Message.from_text("Two."))}
    assert {name: getattr(found, name) for name in same} == same
    assert (found.document_id, found.pages, found.copies) == (3, 9, (copy,))
    empty = dict.fromkeys(("message", "warnings", "author", "dated", "truncated"))
    plain = document_from_row(row(**values | empty | {"title": "Seas"}))
    assert (plain.title, plain.message, plain.warnings) == ("Seas", NOTHING, ())
    assert (plain.author, plain.dated, plain.truncated, plain.copies) == ("", "", 0, ())
    assert document_from_row(row(**values | {"own_title": "Mine", "title": "Seas"})).title == "Mine"


def test_a_persons_reference_comes_before_that_of_the_file() -> None:
    given = Reference("article", "Given", ("Airy, George",), "1845", tags=("sea",))
    of_file = Reference(title="File", publisher="Dover", date="1846")
    values = {"own_title": "", "title": "Seas", "name": "/a/sea.epub", "type": "epub", "own_author": "Ida Lovelace"}
    values |= {"own_date": "1900", "about": of_file.to_json(), "item": given.to_json()}
    assert reference_from_row(row(**values)) == Reference("article", "Seas", ("Airy, George",), "1845", tags=("sea",))
    found = reference_from_row(row(**values | {"item": None}))
    assert (found.kind, found.title, found.authors, found.date, found.publisher) == (
        *("book", "Seas", ("Lovelace, Ida",), "1846", "Dover"),
    )
    bare = values | {"item": None, "about": None, "title": None, "own_author": None, "own_date": None}
    assert reference_from_row(row(**bare)) == Reference("book", "sea")


def test_a_hit_has_the_values_of_its_row() -> None:
    values = {"text": "The sea.", "before": None, "after": "Ice.", "document_id": 4, "own_title": "", "title": None}
    values |= {"type": "pdf", "ordinal": 5, "kind": "body", "label": "vii", "page_state": "ocr", **PLACE}
    near = ScoredSentence(8, 0.5, ("words",), (0.25, None))
    hit = hit_from_row(row(**values), near, 2, 3, path="/a/sea.pdf", name="sea.pdf")
    assert (hit.rank, hit.score, hit.sentence_id, hit.document_id, hit.ordinal, hit.also_in) == (2, 0.5, 8, 4, 5, 3)
    assert (hit.text, hit.before, hit.after, hit.title, hit.path) == ("The sea.", "", "Ice.", "sea.pdf", "/a/sea.pdf")
    assert (hit.type, hit.kind, hit.places, hit.page_label) == ("pdf", "body", (Place(7, 20, 34, "pdfium"),), "vii")
    assert (hit.matched_by, hit.part_scores, hit.is_recognised) == (("words",), (0.25, None), True)
    values |= {"before": "Snow.", "after": None, "page_state": "text"}
    hit = hit_from_row(row(**values), near, 2, 3, path="/a/sea.pdf", name="sea.pdf")
    assert (hit.before, hit.after, hit.is_recognised) == ("Snow.", "", False)


@pytest.mark.parametrize("is_broad", [False, True])
def test_a_cluster_is_stored_and_read_again(is_broad: bool) -> None:
    members, closeness = np.array([5, 2**40, 7], np.int64), np.array([0.5, -1.0, 0.25], np.float32)
    cluster = StoredCluster(3, "Sea", members, closeness, True, True, True, ("sea", "Ebbe"), 2, 9, is_broad)
    values = cluster_values(cluster)
    found = cluster_from_row(row(id=3, **values))
    assert (found.members.tolist(), found.closeness.tolist()) == (members.tolist(), closeness.tolist())
    assert (found.members.dtype.name, found.closeness.dtype.name) == ("int64", "float32")
    assert (found.cluster_id, found.name, found.keywords, found.broad) == (3, "Sea", ("sea", "Ebbe"), 9)
    assert (found.own_name, found.pinned, found.dormant, found.is_broad) == (True, True, True, is_broad)
    assert found.keys == (0 if is_broad else 2)
    plain = cluster_from_row(row(id=3, **values | {"own_name": 0, "pinned": 0, "dormant": 0, "closeness": b""}))
    assert (plain.own_name, plain.pinned, plain.dormant, plain.closeness.tolist()) == (False, False, False, [0.0] * 3)


def test_a_pair_has_one_key_in_either_order() -> None:
    assert pair_key("the sea", "ice") == pair_key("ice", "the sea")
    assert pair_key("the sea", "ice") != pair_key("the sea", "snow")


def occurrences(*ordinals: int) -> list[Occurrence]:
    return [
        Occurrence(at, f"now {at}", 1, "/a", at, at // 2, "list", (Place(None, at, at + 1, "char"),), "stub", "short")
        for at in ordinals
    ]


def originals(*texts: str) -> tuple[SentenceSpan, ...]:
    return tuple(SentenceSpan(text, (Place(None, 0, 1, "char"),), 0) for text in texts)


def test_originals_stand_where_they_were_corrected() -> None:
    cuts = [
        CorrectedRange(0, 0, originals("dropped before the first")),
        CorrectedRange(2, 3, originals("two to four", "of old")),  # over the end of a batch
        CorrectedRange(5, 1, originals("five")),
        CorrectedRange(7, 0, originals("dropped at the end", "as well")),
    ]
    batches: Iterator[list[Occurrence]] = iter([occurrences(0, 1, 2), occurrences(3, 4, 5), occurrences(6)])
    texts = [[span.text for span in batch] for batch in restore_originals(cuts, batches)]
    assert texts == [
        ["dropped before the first", "now 0", "now 1", "two to four", "of old"],
        ["five"],
        ["now 6"],
        ["dropped at the end", "as well"],
    ]
    (kept,) = next(restore_originals([], [occurrences(3)]))
    assert kept == SentenceSpan("now 3", (Place(None, 3, 4, "char"),), 1, "list", "stub", "short")


def test_an_annotation_has_the_values_of_its_row_and_survives_a_damaged_place() -> None:
    values = {"id": 3, "document_id": 4, "text": "the sea", "comment": "Why?", "colour": "#fff000", "origin": "zotero"}
    values |= {"kind": "underline", "author": "Ida", "created_at": 5.0, "changed_at": 6.0, "label": "ii", "key": "K"}
    place = json.dumps({"places": [[7, 1, 2, "text", None, None]], "ordinal": 8, "offset": 9})
    found = annotation_from_row(row(**values, place=place), {"title": "Seas", "path": "/a", "type": "pdf"})
    same = dict(values, places=(Place(7, 1, 2, "text"),), ordinal=8, offset=9, title="Seas", path="/a", type="pdf")
    same |= {"annotation_id": same.pop("id"), "page_label": same.pop("label")}
    assert found == Annotation(**same)  # type: ignore[arg-type]
    damaged = annotation_from_row(row(**values, place="{"), {})
    assert (damaged.text, damaged.places, damaged.ordinal) == ("the sea", (), None)


def test_sentences_are_packed_and_decided_on_again() -> None:
    spans = [
        SentenceSpan("The sea rises twice a day.", (Place(1, 2, 3, "text"), Place(2, 0, 1, "text")), 4),
        SentenceSpan("Tides", (Place(None, 5, 6, "char", 7, 8),), 5, "heading"),
    ]
    first, second = unpack_spans(pack_spans(spans))
    assert (first.text, first.places, first.paragraph, first.kind) == (*(spans[0].text, spans[0].places, 4, "body"),)
    assert (second.text, second.places, second.paragraph, second.kind) == ("Tides", spans[1].places, 5, "heading")
    assert (first.is_sentence, second.is_sentence) == (True, False)


def test_numbers_are_stored_as_float32() -> None:
    assert pack_numbers(array("d", [1.0, -0.5])) == bytes.fromhex("0000803f000000bf")
    assert unpack_numbers(bytes.fromhex("0000803f000000bf")).tolist() == [1.0, -0.5]
