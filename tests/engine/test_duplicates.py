"""Similar pairs of a whole library: listing, folding, labels, and cancelling."""

from __future__ import annotations

import csv
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_app.analysis.duplicates import SentencePlaces
from desktop_app.analysis.neighbour_graph import NEIGHBOURS
from desktop_app.core.duplicates import PairsRequest, PassagesRequest
from desktop_app.core.errors import Cancelled
from desktop_app.core.jobs import Lane
from desktop_app.core.scope import Scope
from desktop_app.engine import clusters
from desktop_app.engine.duplicates import DuplicateService
from desktop_app.engine.engine import Engine
from desktop_app.engine.neighbour_graph import NeighbourGraphCache
from desktop_app.engine.repeated_passages import RepeatedPassageService
from desktop_app.store.library import LocalLibrary
from tests.patience import PATIENCE_S

from .analysed_library import AnalysedLibrary
from .fakes import HashingEncoder, make_context

ICE = "The old ice of the north melts faster every year."
ICE_NOT = "The old ice of the north never melts faster every year."
BREAD = "A sourdough needs time and a warm place to rise."


def test_similar_pairs_of_a_library_are_found(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, "Nobody knows.", BREAD)
    analysed.put("b.txt", ICE_NOT, "Nobody knows.")
    analysed.put("c.txt", ICE)
    pairs = analysed.pairs(min_score=0.5)
    assert [(pair.kind, pair.badges) for pair in pairs[:3]] == [
        ("exact", ()),
        ("exact", ()),
        ("near", ("negation",)),
    ]
    assert {pair.a.text for pair in pairs[:2]} == {ICE, "Nobody knows."}
    assert all(pair.a.document_id != pair.b.document_id for pair in pairs)
    assert [pair.score for pair in pairs] == sorted((pair.score for pair in pairs), reverse=True)
    assert analysed.pair_texts(kind="near", min_score=0.5) == [("near", pairs[2].a.text, pairs[2].b.text)]
    assert len(analysed.pairs(top_k=1)) == 1


def test_searches_are_answered_while_the_places_of_sentences_are_sorted(
    analysed: AnalysedLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed.put("a.txt", ICE)
    analysed.put("b.txt", ICE)
    begun, answered = threading.Event(), threading.Event()

    def sort(places: NDArray[np.int64]) -> SentencePlaces:
        begun.set()
        assert answered.wait(PATIENCE_S)
        return SentencePlaces(places)

    monkeypatch.setattr(clusters, "SentencePlaces", sort)
    job = analysed.duplicates.find_pairs(PairsRequest(10))
    assert begun.wait(PATIENCE_S)
    assert analysed.engine.submit("search", lambda: "found", lane=Lane.FRONT).wait(PATIENCE_S / 2) == "found"
    answered.set()
    assert len(job.wait(PATIENCE_S).pairs) == 1


@pytest.mark.parametrize("documents", [(), (("one.txt", "Alone."),), (("a.txt",), ("b.txt",))])
def test_a_tiny_library_has_no_pairs(analysed: AnalysedLibrary, documents: tuple[tuple[str, ...], ...]) -> None:
    for name, *texts in documents:
        analysed.put(name, *texts)
    assert analysed.pairs() == []
    assert analysed.pairs(where="anywhere") == []


def test_twenty_times_the_same_sentence_is_one_pair(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *[ICE] * 20)
    assert analysed.pairs() == []
    (pair,) = analysed.pairs(where="anywhere")
    assert (pair.kind, pair.a.ordinal, pair.b.ordinal) == ("exact", 0, 1)


def test_pairs_within_one_document_only(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, BREAD, ICE_NOT, BREAD)
    analysed.put("b.txt", ICE)
    found = analysed.pairs(where="within", min_score=0.5)
    assert {(pair.a.text, pair.b.text) for pair in found} == {(BREAD, BREAD), (ICE, ICE_NOT)}
    assert all(pair.a.document_id == pair.b.document_id for pair in found)


def test_short_pairs_are_left_out_on_request(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, "Nobody knows.")
    analysed.put("b.txt", ICE, "Nobody knows.")
    assert [pair.a.text for pair in analysed.pairs(min_length=20)] == [ICE]


def test_headings_and_fragments_are_no_pairs_unless_a_person_asks_for_all_passages(analysed: AnalysedLibrary) -> None:
    for name in ("a.txt", "b.txt"):
        analysed.put(name, "Cookie settings", "See you.", ICE, layout="body")
        analysed.put(f"title of {name}", "A heading that stands in two documents.", layout="heading")
    assert [pair.a.text for pair in analysed.pairs()] == [ICE]
    assert len(analysed.pairs(scope=Scope(all_passages=True), kind="exact")) == 4


def test_boilerplate_that_differs_in_numbers_is_listed_once(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *[f"Annual report of the institute, page {page} of 40" for page in range(1, 8)])
    analysed.put("b.txt", *[f"Annual report of the institute, page {page} of 40" for page in range(8, 15)])
    (pair,) = analysed.pairs(min_score=0.5)
    assert pair.badges == ("numbers",)
    assert pair.folded > 0


def test_a_removed_document_is_in_no_pair(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, BREAD)
    gone = analysed.put("b.txt", ICE_NOT, BREAD)
    assert len(analysed.pairs(min_score=0.5)) == 2
    analysed.do(lambda: analysed.library().documents.remove([gone]))
    assert analysed.pairs(min_score=0.5) == []
    analysed.do(lambda: list(analysed.library().maintenance.purge()))
    assert analysed.pairs(min_score=0.5) == []
    analysed.put("b.txt", ICE_NOT)
    ((kind, *texts),) = analysed.pair_texts(min_score=0.5)
    assert (kind, set(texts)) == ("near", {ICE, ICE_NOT})


def test_pairs_can_be_limited_to_scores_and_documents(analysed: AnalysedLibrary) -> None:
    a = analysed.put("a.txt", ICE, BREAD)
    b = analysed.put("b.txt", ICE_NOT, "Nobody knows.")
    c = analysed.put("c.txt", ICE, "Nobody knows.")
    everything = analysed.pairs(min_score=0.5)
    assert [pair.score for pair in everything] == pytest.approx([1, 1, everything[2].score])
    assert analysed.pair_texts(min_score=0.5, max_score=0.99) == [("near", everything[2].a.text, everything[2].b.text)]
    of_b = analysed.pairs(min_score=0.5, touching=frozenset({b}))
    assert {pair.a.text for pair in of_b if pair.kind == "exact"} == {"Nobody knows."}
    assert all(b in (pair.a.document_id, pair.b.document_id) for pair in of_b)
    # The shown place is the one in the requested document.
    for pair in analysed.pairs(min_score=0.5, touching=frozenset({c}), max_score=0.99):
        assert c in (pair.a.document_id, pair.b.document_id)
    assert analysed.pairs(touching=frozenset({a, 99}), kind="near")[0].a.document_id != b
    assert analysed.pairs(touching=frozenset()) == []


def test_a_sentence_in_three_documents_is_shown_in_the_requested_one(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE)
    analysed.put("b.txt", ICE)
    c = analysed.put("c.txt", ICE)
    (pair,) = analysed.pairs(touching=frozenset({c}))
    assert c in (pair.a.document_id, pair.b.document_id)


def prose(seed: int, count: int) -> list[str]:
    """Sentences of made-up words; none differs from another in numbers only."""
    rng = np.random.default_rng(seed)
    some = ["".join(rng.choice(list("aeioulmnrst"), 5)) for _ in range(40)]
    return [" ".join(rng.choice(some, 8)) + "." for _ in range(count)]


def test_a_list_of_pairs_continues_where_it_ended(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *prose(1, 60))
    analysed.put("b.txt", *prose(1, 60)[:5], *prose(2, 60))
    whole = analysed.pairs(top_k=1000)
    first = analysed.duplicates.find_pairs(PairsRequest(top_k=7)).wait(PATIENCE_S)
    assert len(first.pairs) == 7
    assert not first.is_complete
    listed = list(first.pairs)
    while len(listed) < 2000:
        more = analysed.duplicates.find_more_pairs(first, 25).wait(PATIENCE_S)
        listed += more.pairs
        assert len(more.folded) == len(listed)
        if more.is_complete:
            break
    assert [(pair.a.text, pair.b.text, pair.score) for pair in listed] == [
        (pair.a.text, pair.b.text, pair.score) for pair in whole
    ]
    assert list(more.folded) == [pair.folded for pair in whole]
    assert analysed.duplicates.find_more_pairs(first, 5).wait(PATIENCE_S).pairs == ()


def test_a_list_continues_without_a_document_removed_meanwhile(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *prose(1, 30))
    gone = analysed.put("b.txt", *prose(1, 30))
    kept = analysed.put("c.txt", *prose(1, 30)[:3])
    first = analysed.duplicates.find_pairs(PairsRequest(top_k=2)).wait(PATIENCE_S)
    analysed.do(lambda: analysed.library().documents.remove([gone]))
    more = analysed.duplicates.find_more_pairs(first, 1000).wait(PATIENCE_S)
    assert more.is_complete
    assert all(gone not in (pair.a.document_id, pair.b.document_id) for pair in more.pairs)
    analysed.do(lambda: list(analysed.library().maintenance.purge()))
    assert all(kept in (pair.a.document_id, pair.b.document_id) for pair in analysed.pairs(kind="exact"))


def test_reviewed_pairs_are_marked_and_can_be_left_out(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, *[f"Report, page {page} of the whole" for page in range(5)])
    analysed.put("b.txt", ICE_NOT, *[f"Report, page {page} of the whole" for page in range(5, 10)])
    ice, report = analysed.pairs(min_score=0.5)
    assert report.folded > 1
    analysed.do(lambda: analysed.library().pair_labels.judge(ice.b.text, ice.a.text, False))
    analysed.do(lambda: analysed.library().pair_labels.review([(report.b.text, report.a.text)], True))
    assert [(pair.reviewed, pair.same) for pair in analysed.pairs(min_score=0.5)] == [(False, False), (True, None)]
    # Folded pairs are read on request, with their labels added since.
    found = analysed.duplicates.find_pairs(PairsRequest(min_score=0.5)).wait(PATIENCE_S)
    some = analysed.duplicates.unfold(found, 1).wait(PATIENCE_S)[:2]
    analysed.do(lambda: analysed.library().pair_labels.review([(pair.a.text, pair.b.text) for pair in some], True))
    assert [pair.reviewed for pair in analysed.duplicates.unfold(found, 1).wait(PATIENCE_S)] == [True] * 2 + [False] * (
        report.folded - 2
    )
    # Pairs folded into the reviewed one do not appear in its place.
    assert [pair.a.text for pair in analysed.pairs(min_score=0.5, unreviewed=True)] == [ice.a.text]
    assert [
        (mark.a, mark.b, mark.same) for mark in analysed.do(lambda: analysed.library().pair_labels.labelled_pairs())
    ] == [(ice.b.text, ice.a.text, False)]
    # Where the best one is to be looked at, those that were looked at are not counted with it.
    analysed.do(lambda: analysed.library().pair_labels.review([(report.a.text, report.b.text)], False))
    assert analysed.pairs(min_score=0.5, unreviewed=True)[1].folded == report.folded - 2


def test_a_pair_has_its_percentile_and_its_differences(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, *words(1, 60))
    analysed.put("b.txt", ICE_NOT)
    (pair,) = analysed.pairs(kind="near")
    assert pair.percentile == pytest.approx(100.0)
    with_not, only = (pair.a, pair.differs_a) if pair.a.text == ICE_NOT else (pair.b, pair.differs_b)
    assert [with_not.text[start:stop] for start, stop in only] == ["never"]


def words(seed: int, count: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(f"w{word}" for word in rng.integers(0, 60, 8)) + f" {seed}-{at}." for at in range(count)]


def kept(analysed: AnalysedLibrary) -> dict[int, list[int]]:
    return analysed.do(
        lambda: {
            int(key): near.tolist()
            for ids, lists, _ in analysed.library().analysis_reader.neighbours(NEIGHBOURS)
            for key, near in zip(ids, lists, strict=True)
        }
    )


def test_the_graph_is_saved_and_only_changes_are_computed_again(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *words(1, 300))
    analysed.pairs()
    first = kept(analysed)
    assert len(first) == 300
    analysed.put("b.txt", *words(2, 20))
    analysed.pairs()
    grown = kept(analysed)
    assert len(grown) == 320
    # A reopened library has the same graph.
    fresh = analysed.do(lambda: NeighbourGraphCache().graph(analysed.library()))
    analysed.forget_neighbours()
    reopened = analysed.do(lambda: NeighbourGraphCache().graph(analysed.library()))
    np.testing.assert_array_equal(fresh.ids, reopened.ids)
    np.testing.assert_array_equal(fresh.lists.neighbours, reopened.lists.neighbours)
    assert kept(analysed) == grown


def test_a_cancelled_search_for_pairs_can_be_continued(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *words(1, 1200))
    seen = []
    with analysed.held():
        job = analysed.duplicates.find_pairs(PairsRequest())
        job.on_progress(lambda progress: (seen.append(progress.phase), job.cancel()))
    with pytest.raises(Cancelled):
        job.wait(PATIENCE_S)
    assert seen
    analysed.put("b.txt", *words(2, 50))
    whole = analysed.do(lambda: NeighbourGraphCache().graph(analysed.library()))
    analysed.forget_neighbours()
    reopened = analysed.do(lambda: NeighbourGraphCache().graph(analysed.library()))
    np.testing.assert_array_equal(whole.lists.neighbours, reopened.lists.neighbours)


def test_a_read_only_process_finds_pairs_and_saves_nothing(analysed: AnalysedLibrary, tmp_path: Path) -> None:
    analysed.put("a.txt", ICE)
    analysed.put("b.txt", ICE_NOT)
    engine = Engine()
    opened: list[LocalLibrary] = []

    def reader() -> LocalLibrary:
        if not opened:
            opened.append(LocalLibrary.open(tmp_path / "library", writable=False))
        return opened[0]

    engine.at_exit(lambda: opened[0].close())
    engine.start()
    try:
        found = DuplicateService(make_context(engine, reader)).find_pairs(PairsRequest()).wait(PATIENCE_S)
        assert [pair.kind for pair in found.pairs] == ["near"]
    finally:
        engine.stop()
    assert kept(analysed) == {}


def test_pairs_are_found_on_a_full_disk(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *words(1, 300), ICE)
    analysed.put("b.txt", ICE_NOT)

    def limit(pages: int) -> None:
        raw = analysed.library()._database._raw
        raw.execute(f"PRAGMA max_page_count = {pages or raw.execute('PRAGMA page_count').fetchone()[0]}")

    analysed.do(lambda: limit(0))
    found = analysed.pairs()
    assert found
    assert len(kept(analysed)) < 302, "the graph is not saved, or not whole"
    analysed.do(lambda: limit(10**6))
    analysed.duplicates = DuplicateService(analysed.context)
    assert analysed.pairs() == found


def test_a_damaged_vector_excludes_only_its_own_sentence(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", ICE, BREAD)
    analysed.put("b.txt", ICE_NOT)

    analysed.damage(BREAD)
    assert [text for pair in analysed.pair_texts() for text in pair[1:]].count(BREAD) == 0
    assert len(analysed.pair_texts()) == 1


def test_a_list_of_an_earlier_model_does_not_continue(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *prose(1, 30))
    analysed.put("b.txt", *prose(1, 30))
    first = analysed.duplicates.find_pairs(PairsRequest(top_k=5)).wait(PATIENCE_S)
    assert not first.is_complete
    other = replace(HashingEncoder.model, name="other", fingerprint="e" * 64)

    def switch() -> None:
        with analysed.library()._database.write_transaction() as connection:
            connection.exec_driver_sql("DELETE FROM embedding")
            connection.exec_driver_sql("UPDATE counter SET value = 0 WHERE name = 'vectors'")
        analysed.library().models.bind(other)

    analysed.do(switch)
    more = analysed.duplicates.find_more_pairs(first, 50).wait(PATIENCE_S)
    assert (more.pairs, more.is_complete, len(more.folded)) == ((), True, 5)


def test_a_switch_of_models_during_the_search_is_noticed(analysed: AnalysedLibrary) -> None:
    analysed.put("a.txt", *words(1, 600))
    analysed.put("b.txt", ICE, ICE_NOT)
    other = replace(HashingEncoder.model, name="other", fingerprint="e" * 64, dim=16)

    def switch() -> None:
        with analysed.library()._database.write_transaction() as connection:
            connection.exec_driver_sql("DELETE FROM embedding")
            connection.exec_driver_sql("UPDATE counter SET value = 0 WHERE name = 'vectors'")
        analysed.library().models.bind(other)

    switched = []
    with analysed.held():
        job = analysed.duplicates.find_pairs(PairsRequest())
        job.on_progress(lambda _: switched or switched.append(analysed.engine.submit("s", switch, lane=Lane.FRONT)))
    assert job.wait(PATIENCE_S).pairs == ()
    assert switched
    assert kept(analysed) == {}


class Turned(HashingEncoder):
    """Knows a text by its first two words alone."""

    model = replace(HashingEncoder.model, name="turned", fingerprint="e" * 64)

    def encode(self, texts: list[str], **options: object) -> object:
        return super().encode([" ".join(text.split()[:2]) for text in texts], **options)


def test_an_export_is_of_one_model(analysed: AnalysedLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.engine.engine._REPORT_EVERY_S", 0.0)  # a fast machine looks for less than that
    pages = [f"Annual report of the institute, page {page} of 40" for page in range(8)]
    analysed.put("a.txt", *prose(1, 130), *pages[:4])
    analysed.put("b.txt", *prose(1, 130), *pages[4:])
    file = tmp_path / "pairs.csv"
    switched = []
    with analysed.held():
        job = analysed.duplicates.export_pairs(PairsRequest(top_k=1000), str(file))
        job.on_progress(
            lambda progress: (
                switched.append(analysed.switch(Turned(), Lane.FRONT))
                if progress.phase == "looking" and not switched
                else None
            )
        )
    count = job.wait(PATIENCE_S)
    switched[0].wait(PATIENCE_S)
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    expected = analysed.pairs(top_k=1000)
    assert count == len(rows) == len(expected) > 130
    assert [(row["text_a"], row["text_b"], int(row["folded"])) for row in rows] == [
        (pair.a.text, pair.b.text, pair.folded) for pair in expected
    ]
    assert any(pair.folded for pair in expected)


def _passages(analysed: AnalysedLibrary, **request: object) -> list[list[list[str]]]:
    """The texts at the places of each repeated passage."""
    service = RepeatedPassageService(analysed.context)
    found = service.find_passages(PassagesRequest(min_length=20, **request)).wait(PATIENCE_S)
    return [[[hit.text for hit in place.sentences] for place in passage.places] for passage in found.passages]


def test_copied_passages_of_a_library_are_found(analysed: AnalysedLibrary) -> None:
    changed = "A sourdough needs much time and a warm place to rise."
    analysed.put("a.txt", "It begins here.", ICE, "Nobody knows.", BREAD, "It ends here.")
    analysed.put("b.txt", "Quite another beginning.", ICE, "Somebody put this in.", "Nobody knows.", changed)
    analysed.put("c.txt", "Nobody knows.", "No copy follows here.")
    (passage,) = _passages(analysed)
    assert passage == [[ICE, "Nobody knows.", BREAD], [ICE, "Somebody put this in.", "Nobody knows.", changed]]
    service = RepeatedPassageService(analysed.context)
    (found,) = service.find_passages(PassagesRequest(min_length=20)).wait(PATIENCE_S).passages
    rows = found.places[1].rows
    assert [(row.a and row.a.text, row.b and row.b.text, row.is_changed) for row in rows] == [
        (ICE, ICE, False),
        (None, "Somebody put this in.", True),
        ("Nobody knows.", "Nobody knows.", False),
        (BREAD, changed, True),
    ]
    assert [changed[slice(*span)] for span in rows[3].differs_b] == ["much"]
    assert 0.7 < found.least_overlap < 1
    assert _passages(analysed, where="within") == []
    assert _passages(analysed, min_sentences=4) == []
    assert (
        RepeatedPassageService(analysed.context)
        .find_passages(PassagesRequest(min_length=1000))
        .wait(PATIENCE_S)
        .passages
        == ()
    )


def test_a_passage_includes_what_stands_between_its_sentences(analysed: AnalysedLibrary) -> None:
    for name, own in (("a.txt", "It begins here."), ("b.txt", "Quite another beginning.")):
        analysed.put(name, own, ICE, "Perfectly sound!", BREAD, layout="body")
    whole = [ICE, "Perfectly sound!", BREAD]
    assert _passages(analysed) == [[whole, whole]]


def test_a_passage_goes_on_where_the_copy_divides_its_sentences_in_another_way(analysed: AnalysedLibrary) -> None:
    first, second, last = "The tide came in at noon.", "Nobody saw the old boat.", "It was never seen again."
    merged, long = "The tide came in at noon; nobody saw the old boat.", "It was never seen again, as everybody says."
    analysed.put("a.txt", "One begins.", first, second, ICE, BREAD, last, "One ends.")
    analysed.put("b.txt", merged, ICE, BREAD, long, "The other ends.")
    (passage,) = _passages(analysed)
    assert passage == [[first, second, ICE, BREAD, last], [merged, ICE, BREAD, long]]


def test_a_passage_does_not_go_on_into_its_next_place(analysed: AnalysedLibrary) -> None:
    end = f"{ICE[:-1]}, as was told to everybody who lived there long enough to hear it."
    analysed.put("a.txt", "Something begins it.", ICE, BREAD, ICE, BREAD, end)
    assert _passages(analysed, where="within") == [[[ICE, BREAD], [ICE, BREAD]]]


def test_a_passage_that_many_documents_have_is_found(analysed: AnalysedLibrary) -> None:
    for name in ("apple", "bread", "chair", "dance", "eagle", "field", "grass", "house", "inlet", "juice"):
        own = f"The {name} {name}s every {name}.", f"It is {name} that {name}s.", f"{name.title()} is {name}."
        analysed.put(f"{name}.txt", *own, ICE, BREAD, layout="body")
    analysed.do(lambda: list(analysed.library().maintenance.run()))
    assert analysed.pairs(kind="exact") == []  # repeated text
    (passage,) = _passages(analysed)
    assert passage == [[ICE, BREAD]] * 10


def test_what_the_pages_of_a_document_repeat_does_not_end_a_passage(analysed: AnalysedLibrary) -> None:
    footer = ("Downloaded by the library of Rivertown.", "All use is subject to its terms.", "Please print it seldom.")
    texts = [f"The {word} harbour is the deepest one in the north." for word in ("first", "second", "third", "fourth")]
    pages = [text for page, each in enumerate([*texts, ICE]) for text in (each, *footer, f"Sheet number {page}.")]
    analysed.put("a.txt", *pages, layout="body")
    analysed.put("b.txt", *texts, layout="body")
    for name in "cdefghijk":
        analysed.put(f"{name}.txt", *footer, f"And {name} goes on.", f"It ends with {name}.", layout="body")
    analysed.do(lambda: list(analysed.library().maintenance.run()))
    passage = next(each for each in _passages(analysed) if each[1] == texts)
    assert (passage[0][0], passage[0][-1]) == (texts[0], texts[-1])


def test_a_manuscript_that_repeats_itself(analysed: AnalysedLibrary, tmp_path: Path) -> None:
    analysed.put("a.txt", ICE, BREAD, "Then something else.", "And more of it.", "And still more.", ICE, BREAD)
    assert _passages(analysed) == []
    assert _passages(analysed, where="within") == [[[ICE, BREAD], [ICE, BREAD]]]
    file = tmp_path / "report.csv"
    request = PassagesRequest(where="within", min_length=20)
    assert RepeatedPassageService(analysed.context).export_passages(request, str(file)).wait(PATIENCE_S) == 1
    assert len(list(csv.DictReader(file.read_text("utf-8-sig").splitlines()))) == 2
