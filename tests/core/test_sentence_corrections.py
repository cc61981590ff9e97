"""Corrections of sentence boundaries: each applies to the result of those before it, at every place of the sentence."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.reader_events import SentenceSpan
from desktop_app.core.records import Place
from desktop_app.core.sentence_corrections import (
    CorrectedSpans,
    Correction,
    CorrectionApplier,
    hash_text,
    merge_spans,
    split_span,
)


def spans(*texts: str) -> list[SentenceSpan]:
    found, start = [], 0
    for text in texts:
        place = Place(1, start, start + len(text), "char")
        found.append(SentenceSpan(text, (place,), 0, "body", *decide_kind("body", text)))
        start += len(text) + 1
    return found


def merge(first: str, second: str) -> Correction:
    return Correction(0, "merge", hash_text(first), hash_text(second))


def split(text: str, at: str) -> Correction:
    return Correction(0, "split", hash_text(text), at=text.index(at))


def ignore(text: str) -> Correction:
    return Correction(0, "ignore", hash_text(text))


def cuts(rules: list[Correction], *texts: str) -> list[CorrectedSpans]:
    cutter = CorrectionApplier(rules)
    return [cut for span in spans(*texts) for cut in cutter.feed(span)] + cutter.finish()


def texts(found: list[CorrectedSpans]) -> list[str]:
    return [span.text for cut in found for span in cut.spans]


def test_without_corrections_nothing_changes() -> None:
    found = cuts([], "A.", "B.")
    assert texts(found) == ["A.", "B."]
    assert not any(cut.is_corrected for cut in found)


def test_two_sentences_become_one_and_one_becomes_two() -> None:
    assert texts(cuts([merge("A.", "B.")], "A.", "B.", "C.")) == ["A. B.", "C."]
    assert texts(cuts([split("A. b.", "b.")], "A. b.", "C.")) == ["A.", "b.", "C."]
    assert texts(cuts([ignore("B.")], "A.", "B.", "C.", "B.")) == ["A.", "C."]


def test_a_pair_is_merged_only_where_both_exist_and_overlapping_pairs_only_once() -> None:
    assert texts(cuts([merge("A.", "B.")], "A.", "C.", "B.", "A.")) == ["A.", "C.", "B.", "A."]
    assert texts(cuts([merge("A.", "A.")], "A.", "A.", "A.")) == ["A. A.", "A."]


def test_later_corrections_apply_to_the_result_of_earlier_ones() -> None:
    rules = [merge("A.", "B."), split("A. B.", ". B."), ignore("A")]
    assert texts(cuts(rules, "A.", "B.", "C.")) == [". B.", "C."]
    assert texts(cuts([ignore("X."), merge("A.", "B.")], "A.", "X.", "B.")) == ["A. B."]
    # In the other order there is nothing to merge yet when the first one applies.
    assert texts(cuts([merge("A.", "B."), ignore("X.")], "A.", "X.", "B.")) == ["A.", "B."]


def test_each_result_names_the_sentences_it_came_from() -> None:
    rules = [ignore("X."), merge("A.", "B."), split("C d.", "d."), ignore("E.")]
    found = cuts(rules, "A.", "X.", "B.", "C d.", "E.", "F.")
    changes = [([span.text for span in cut.originals], [span.text for span in cut.spans]) for cut in found]
    assert changes == [
        (["A.", "X.", "B."], ["A. B."]),
        (["C d."], ["C", "d."]),
        (["E."], []),
        (["F."], ["F."]),
    ]
    assert [cut.is_corrected for cut in found] == [True, True, True, False]


def test_places_move_with_their_words() -> None:
    first, second = spans("One two.", "Three four.")
    whole = merge_spans(first, second)
    assert (whole.text, whole.places) == ("One two. Three four.", (Place(1, 0, 20, "char"),))
    parts = split_span(whole, whole.text.index("Three"))
    assert [(part.text, part.places) for part in parts] == [(each.text, each.places) for each in (first, second)]
    far = replace(second, places=(Place(2, 5, 16, "char"),))
    assert merge_spans(first, far).places == (Place(1, 0, 8, "char"), Place(2, 5, 16, "char"))
    assert split_span(merge_spans(first, far), 9) == (first, far)


def test_lines_move_with_their_sentences() -> None:
    first = SentenceSpan("One two.", (Place(None, 0, 8, "char", 3, 4),), 0)
    second = SentenceSpan("Three.", (Place(None, 9, 15, "char", 4, 6),), 0)
    whole = merge_spans(first, second)
    assert whole.places == (Place(None, 0, 15, "char", 3, 6),)
    # It is unknown in which of them a part begins.
    assert [(part.places[0].line, part.places[0].last_line) for part in split_span(whole, 9)] == [(3, 6), (3, 6)]


def test_wide_scripts_are_joined_without_a_blank_and_rows_are_not_split() -> None:
    first, second = spans("海は広い。", "空は青い。")
    assert merge_spans(first, second).text == "海は広い。空は青い。"
    row = SentenceSpan("name 5 kg", (Place(None, 3, 4, "row"),), 0, "table")
    assert [part.places for part in split_span(row, 5)] == [row.places, row.places]


def test_a_split_at_an_end_changes_nothing() -> None:
    (span,) = spans("One two.")
    assert split_span(span, 0) == split_span(span, 8) == (span,)
