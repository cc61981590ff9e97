"""Annotations: their colours and places, and how their words are found again in a document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.core.annotations import (
    COLOURS,
    DEFAULT_COLOUR,
    Annotation,
    annotation_to_hit,
    clean_colour,
    colour_name,
    contains_words,
    content_of,
    find_noted,
    locate_on_page,
    locate_text,
    make_note_spans,
    parse_colour,
    places_from_json,
    places_to_json,
    sort_by_place,
    sort_within_documents,
)
from desktop_app.core.pages import PageRect
from desktop_app.core.records import Place

TEXTS = ("The sea rises.", "Ice melts, and the sea rises.", "Towns adapt.", "The sea rises.", "It ends.")
SENTENCES = [(ordinal, text) for ordinal, text in enumerate(TEXTS, start=10)]


def test_a_new_annotation_is_the_persons_own_and_yellow() -> None:
    new = Annotation(0, 1, "the sea")
    assert (new.origin, new.kind, new.colour, new.offset, new.page, new.pages) == (
        *("own", "highlight", COLOURS["yellow"], 0),
        *(None, []),
    )


def test_an_annotation_begins_on_the_first_page_of_its_words_or_else_of_its_rectangles() -> None:
    places = (Place(4, 0, 9, "text"), Place(5, 0, 3, "text"))
    rects = (PageRect(7, 1, 2, 3, 4), PageRect(7, 1, 0, 3, 1))
    assert Annotation(1, 1, "x", places=places, rects=rects).page == 4
    assert Annotation(1, 1, "x", places=places, rects=rects).pages == [4, 5, 7]
    assert Annotation(1, 1, "", rects=rects).page == 7


@pytest.mark.parametrize(
    ("colour", "parsed", "cleaned", "name"),
    [
        ("#ffd400", (255, 212, 0), "#ffd400", "yellow"),
        (" Blue ", (255, 212, 0), "#2ea8e5", "yellow"),
        ("#2EA8E5cc", (46, 168, 229), "#2ea8e5", "blue"),
        ("fe6465", (254, 100, 101), "#fe6465", "red"),
        ("#000000", (0, 0, 0), "#000000", "green"),
        ("#12345", (255, 212, 0), "", "yellow"),
        ("#12345g", (255, 212, 0), "", "yellow"),
        ("", (255, 212, 0), "", ""),
    ],
)
def test_colours_are_understood(colour: str, parsed: tuple[int, int, int], cleaned: str, name: str) -> None:
    assert parse_colour(colour) == parsed
    assert clean_colour(colour) == cleaned
    assert colour_name(colour) == name
    assert parse_colour(DEFAULT_COLOUR) == (255, 212, 0)


def test_an_annotation_is_cited_by_its_words_else_by_its_comment() -> None:
    words = Annotation(
        *(3, 8, "the sea", "Why?\n Since when?"),
        places=(Place(4, 5, 12, "text"),),
        ordinal=0,
        page_label="iv",
        title="Seas",
        path="/seas.pdf",
        type="pdf",
    )
    hit = annotation_to_hit(words)
    assert (hit.text, hit.document_id, hit.title, hit.path, hit.type) == ("the sea", 8, "Seas", "/seas.pdf", "pdf")
    assert (hit.kind, hit.ordinal, hit.places, hit.page_label) == ("note", 0, words.places, "iv")
    note = annotation_to_hit(replace(words, text="", places=(), ordinal=None, rects=(PageRect(6, 1, 2, 3, 4),)))
    assert (note.text, note.ordinal, note.places) == ("Why? Since when?", -1, (Place(6, 0, 0, "text"),))


def test_on_each_page_only_the_words_there_are_looked_for() -> None:
    places = (Place(4, 20, 27, "text"), Place(5, 0, 5, "text"))
    whole = Annotation(1, 1, "the sea rises", places=places, rects=(PageRect(4, 1, 2, 3, 4),))
    first, second = locate_on_page(whole, 4), locate_on_page(whole, 5)
    assert (first.text, first.places, first.is_marked, first.rects) == ("the sea", places[:1], True, whole.rects)
    assert (second.text, second.places) == ("rises", places[1:])
    for other, page in ((replace(whole, text="the sea rose early"), 5), (whole, 9)):
        assert (locate_on_page(other, page).text, locate_on_page(other, page).places) == (other.text, places)


def test_a_note_leads_to_the_annotation_with_its_words_on_its_page() -> None:
    places = [(Place(page, 0, 7, "text"),) for page in (2, 6, 6)]
    kept = [Annotation(nth, 1, "The sea", "Look it up.", places=place) for nth, place in enumerate(places)]
    kept[2] = replace(kept[2], text="Ice", comment="And the sea?")
    hit = annotation_to_hit(kept[1])
    assert find_noted(kept, hit) == kept[1]
    assert find_noted(kept, replace(hit, text="look it up", places=())) == kept[0]
    assert find_noted(kept, replace(hit, text="and THE sea")) == kept[2]
    assert find_noted(kept, replace(hit, places=(Place(9, 0, 7, "text"),))) == kept[0]
    assert find_noted(kept, replace(hit, text="snow")) is None
    assert find_noted(kept, replace(hit, kind="body")) is None


def test_words_are_looked_for_in_the_marked_words_the_comment_and_the_title() -> None:
    mark = Annotation(1, 1, "the sea", "Since when?", title="On Ice")
    assert contains_words(mark, "SEA ice whe")
    assert contains_words(mark, "")
    assert not contains_words(mark, "sea snow")


def test_annotations_become_notes_at_their_places() -> None:
    marks = [
        Annotation(1, 1, "the sea", "Why?\nSince when?", places=(Place(4, 5, 12, "text"),)),
        Annotation(2, 1, "", "Here.", rects=(PageRect(6, 1, 2, 3, 4),)),
        Annotation(3, 1, "nowhere"),
    ]
    spans = list(make_note_spans(marks, 7, str.splitlines))
    assert [(span.text, span.places, span.paragraph) for span in spans] == [
        *((text, marks[0].places, 7) for text in ("the sea", "Why?", "Since when?")),
        ("Here.", (Place(6, 0, 0, "text"),), 8),
        ("nowhere", (Place(None, 0, 0, "text"),), 9),
    ]
    assert {(span.kind, span.passage, span.reason) for span in spans} == {("note", "note", "library")}


def test_annotations_stand_in_the_order_of_the_pages_and_from_top_to_bottom() -> None:
    words = [
        Annotation(nth, 1, "x", places=(Place(page, start, start + 1, "text"),), ordinal=ordinal)
        for nth, (page, start, ordinal) in enumerate([(3, 0, 9), (2, 50, None), (2, 5, None), (2, 0, 4), (2, 5, None)])
    ]
    rects = [Annotation(nth, 1, "", rects=(PageRect(1, 0, top - 9, 9, top),)) for nth, top in ((7, 100), (8, 700))]
    assert [each.annotation_id for each in sort_by_place([*words, *rects])] == [8, 7, 2, 4, 1, 3, 0]
    second = [replace(each, document_id=2) for each in words[:2]]
    mixed = [second[0], words[0], second[1], words[1]]
    assert [(each.document_id, each.annotation_id) for each in sort_within_documents(mixed)] == [
        *((2, 1), (2, 0)),
        *((1, 1), (1, 0)),
    ]


@pytest.mark.parametrize(
    ("wanted", "ordinal", "offset", "found"),
    [
        ("Ice melts", None, 0, ((11, 0), (11, 9))),
        ("ice, MELTS", None, 0, ((11, 0), (11, 9))),
        ("rises. Ice", None, 0, ((10, 8), (11, 3))),  # over the end of a sentence
        ("the sea rises", None, 0, ((10, 0), (10, 13))),
        ("the sea rises", 11, 15, ((11, 15), (11, 28))),
        ("the sea rises", 11, 0, ((10, 0), (10, 13))),  # one letter nearer
        ("the sea rises", 12, 0, ((13, 0), (13, 13))),
        ("the sea rises", 13, 0, ((13, 0), (13, 13))),
        ("the sea rises", 99, 0, ((13, 0), (13, 13))),
        ("e", 11, 26, ((11, 26), (11, 27))),  # the nearest of several in the sentence
        ("It ends.", 10, 0, ((14, 0), (14, 7))),  # far away
        ("snow", 11, 0, None),
        ("…", 11, 0, None),
    ],
)
def test_marked_words_are_found_at_the_place_nearest_to_where_they_were(
    wanted: str, ordinal: int | None, offset: int, found: object
) -> None:
    assert locate_text(SENTENCES, wanted, ordinal, offset) == found


def test_in_an_empty_document_no_words_are_found() -> None:
    assert locate_text([], "the sea", 3) is None


def test_marked_words_are_found_near_their_place_before_those_far_away() -> None:
    many = [(ordinal, "Nothing.") for ordinal in range(40)]
    many[2], many[30] = (2, "The sea rises."), (30, "The sea rises.")
    assert locate_text(many, "the sea", 28) == ((30, 0), (30, 7))
    assert locate_text(many, "the sea", 5) == ((2, 0), (2, 7))
    assert locate_text(many, "nothing the sea rises nothing nothing", 29) == ((29, 0), (32, 7))


def test_a_place_is_stored_and_read_again() -> None:
    mark = Annotation(
        *(1, 1, "x"),
        places=(Place(4, 5, 12, "text"), Place(None, 1, 2, "char", 3, 4)),
        ordinal=0,
        offset=6,
        rects=(PageRect(6, 1.5, 2, 3, 4),),
    )
    for each in (mark, replace(mark, rects=()), replace(mark, ordinal=None, offset=0)):
        read = places_from_json(places_to_json(each))
        assert read == {"places": each.places, "ordinal": each.ordinal, "offset": each.offset, "rects": each.rects}
    for damaged in ("{}", "[]", '{"places": 5}', "{", '{"places": [], "rects": [[]]}'):
        with pytest.raises(ValueError):
            places_from_json(damaged)


def test_the_content_of_an_annotation_is_all_that_somebody_could_change() -> None:
    mark = Annotation(1, 1, "the  sea", " Why? ", key="A", author="Ida", page_label="ii", ordinal=3)
    same = replace(mark, annotation_id=9, text="the sea", comment="Why?", created_at=5.0, changed_at=6.0, title="T")
    assert content_of(same) == content_of(mark)
    for other in (
        replace(mark, text="the seas"),
        replace(mark, comment=""),
        replace(mark, colour="#000000"),
        replace(mark, kind="underline"),
        replace(mark, key="B"),
        replace(mark, author=""),
        replace(mark, page_label=None),
        replace(mark, offset=1),
    ):
        assert content_of(other) != content_of(mark)
