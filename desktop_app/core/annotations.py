"""Annotations: text of a document that somebody marked in a colour, with what they wrote on it.

They are a person's own, kept in the library, or come from Zotero; notes in a file itself are passages of the document.
Annotations find their text again by its words and by its place, so that they survive when the file is read again.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

# The window starts without the records: they are imported where they are made.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from desktop_app.core.formats import DocumentType
    from desktop_app.core.pages import PageRect, SentenceToLocate
    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import Hit, Place

AnnotationOrigin = Literal["own", "zotero", "file"]
"""Who keeps an annotation: this library, Zotero, or the file of the document (then it is only text)."""
AnnotationKind = Literal["highlight", "underline", "note"]
"""`note`: it stands on the page without marking text."""

COLOURS: dict[str, str] = {
    "yellow": "#ffd400",
    "green": "#5fb236",
    "blue": "#2ea8e5",
    "red": "#ff6666",
    "purple": "#a28ae5",
    "orange": "#f19837",
    "magenta": "#e56eee",
    "gray": "#aaaaaa",
}
"""Names of colours, as reference managers use them."""
OWN_COLOURS = ("yellow", "green", "blue", "red", "purple")
"""Those that the reader offers."""
DEFAULT_COLOUR = COLOURS["yellow"]

MAX_MARKED_CHARACTERS = 20_000
MAX_COMMENT_CHARACTERS = 100_000
_NEAR = 3
"""Sentences around the place of an annotation that are looked at first."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A mark on a document and what is written on it.

    Attributes:
        annotation_id: 0 for one that is not stored yet, and for a note of the file.
        colour: `#rrggbb`; empty if unknown.
        text: the marked words, one line; empty for a note.
        comment: what somebody wrote on it; may have several lines.
        places: of the marked words; of pages those with the unit `text`.
        ordinal: of the sentence in which the marked words begin; None if it is known by its page only.
        offset: characters before the marked words in that sentence.
        rects: where it stands on pages, for an annotation that is known by its place only.
        author: empty for the person's own.
        created_at: seconds since 1970.
        page_label: the page's own label, if it has one.
        key: of the annotation in Zotero.
        title: of its document, its `path` and `type`; filled in when it is read.
    """

    annotation_id: int
    document_id: int
    text: str
    comment: str = ""
    colour: str = DEFAULT_COLOUR
    origin: AnnotationOrigin = "own"
    kind: AnnotationKind = "highlight"
    places: tuple[Place, ...] = ()
    ordinal: int | None = None
    offset: int = 0
    rects: tuple[PageRect, ...] = ()
    author: str = ""
    created_at: float = 0.0
    changed_at: float = 0.0
    page_label: str | None = None
    key: str = ""
    title: str = ""
    path: str = ""
    type: DocumentType | None = None

    @property
    def page(self) -> int | None:
        """The page on which it begins."""
        if self.places:
            return self.places[0].page
        return self.rects[0].page if self.rects else None

    @property
    def pages(self) -> list[int]:
        """The pages on which it stands."""
        pages = [*(place.page for place in self.places), *(rect.page for rect in self.rects)]
        return sorted({page for page in pages if page is not None})


def colour_name(colour: str) -> str:
    """Return the name of a colour; of another one that of the nearest, and of none an empty text."""
    if not colour:
        return ""
    wanted = parse_colour(colour)
    return min(
        COLOURS, key=lambda name: sum((a - b) ** 2 for a, b in zip(parse_colour(COLOURS[name]), wanted, strict=True))
    )


def parse_colour(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of `#rrggbb`, 0 to 255; of anything else those of the first colour."""
    try:
        number = int(colour.lstrip("#")[:6], 16) if len(colour.lstrip("#")) >= 6 else -1
    except ValueError:
        number = -1
    if number < 0:
        number = int(DEFAULT_COLOUR[1:], 16)
    return number >> 16, number >> 8 & 0xFF, number & 0xFF


def clean_colour(colour: str) -> str:
    """Return a colour as `#rrggbb`: by its name, or as it is; empty if it is none."""
    colour = colour.strip().lower()
    if colour in COLOURS:
        return COLOURS[colour]
    digits = colour.removeprefix("#")
    is_colour = len(digits) in (6, 8) and all(each in "0123456789abcdef" for each in digits)
    return f"#{digits[:6]}" if is_colour else ""


def annotation_to_hit(annotation: Annotation) -> Hit:
    """Return an annotation as a hit, which can be cited and shown in the reader: its marked words, else its comment."""
    from desktop_app.core.records import Hit, Place

    places = annotation.places or tuple(Place(page, 0, 0, "text") for page in annotation.pages[:1])
    return Hit(
        rank=1,
        score=1.0,
        sentence_id=0,
        text=annotation.text or " ".join(annotation.comment.split()),
        before="",
        after="",
        document_id=annotation.document_id,
        title=annotation.title,
        path=annotation.path,
        type=annotation.type or "text",
        ordinal=annotation.ordinal if annotation.ordinal is not None else -1,
        kind="note",
        places=places,
        page_label=annotation.page_label,
    )


def locate_on_page(annotation: Annotation, page: int) -> SentenceToLocate:
    """Return what to look for on a page to find an annotation there."""
    from desktop_app.core.pages import SentenceToLocate

    places, text = annotation.places, annotation.text
    lengths = [place.stop - place.start for place in places]
    if len(places) > 1 and sum(lengths) + len(lengths) - 1 == len(text):
        # The length of each place is that of its part of the words, with a blank between two of them.
        nth = next((nth for nth, place in enumerate(places) if place.page == page), None)
        if nth is not None:
            start = sum(lengths[:nth]) + nth
            text, places = text[start : start + lengths[nth]], (places[nth],)
    return SentenceToLocate(text, places, is_marked=True, rects=annotation.rects)


def find_noted(annotations: Sequence[Annotation], hit: Hit) -> Annotation | None:
    """Return the annotation of a document whose words a hit is; None if the hit is no note, or one of the file."""
    if hit.kind != "note":
        return None
    wanted = _letters(hit.text)
    page = hit.places[0].page if hit.places else None
    found = [each for each in annotations if wanted in _letters(each.text) or wanted in _letters(each.comment)]
    return next((each for each in found if each.page == page), found[0] if found else None)


def contains_words(annotation: Annotation, words: str) -> bool:
    """Return whether an annotation contains all of some words, or beginnings of words, whatever their case."""
    text = f"{annotation.text} {annotation.comment} {annotation.title}".casefold()
    return all(word in text for word in words.casefold().split())


# Passages


def make_note_spans(
    annotations: Iterable[Annotation], paragraph: int, split: Callable[[str], Iterable[str]]
) -> Iterator[SentenceSpan]:
    """Yield annotations as passages of the kind `note`: their marked words, then their comments.

    Args:
        annotations: of one document, in the order of their places.
        paragraph: the first that is free; each annotation is a paragraph.
        split: cuts a text into sentences, each one line.
    """
    from desktop_app.core.reader_events import SentenceSpan
    from desktop_app.core.records import Place

    for nth, each in enumerate(annotations, paragraph):
        places = each.places or tuple(Place(page, 0, 0, "text") for page in each.pages[:1])
        places = places or (Place(None, 0, 0, "text"),)
        for text in (each.text, each.comment):
            for sentence in split(text):
                yield SentenceSpan(sentence, places, nth, "note", "note", "library")


def sort_by_place(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Return annotations of a document in the order in which they stand."""

    def place(each: Annotation) -> tuple[int, int, float, int, int]:
        first = each.places[0] if each.places else None
        top = -max((rect.top for rect in each.rects if rect.page == each.page), default=0.0)
        start = first.start if first is not None else 0
        return each.page or 0, each.ordinal or 0, top if first is None else 0.0, start, each.annotation_id

    return sorted(annotations, key=place)


# Finding marked words again


def locate_text(
    sentences: Sequence[tuple[int, str]], wanted: str, ordinal: int | None, offset: int = 0
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find marked words among the sentences of a document, by their letters.

    Args:
        sentences: ordinals and texts in reading order.
        wanted: the marked words.
        ordinal: of the sentence in which they began; None if unknown.
        offset: characters before them in that sentence.

    Returns:
        The first sentence and the character in it where they begin, the last sentence and one past the last character;
        None if they are not there. Of several places the one nearest to the known one.
    """
    if ordinal is not None:
        at = bisect_right(sentences, ordinal, key=lambda each: each[0]) - 1
        letters = sum(map(str.isalnum, wanted))
        first = stop = max(at - _NEAR, 0)
        while stop < len(sentences) and (stop <= at + _NEAR or letters > 0):
            letters -= sum(map(str.isalnum, sentences[stop][1])) if stop > at else 0
            stop += 1
        if (found := _locate_among(sentences[first:stop], wanted, ordinal, offset)) is not None:
            return found
    return _locate_among(sentences, wanted, ordinal, offset)


def _locate_among(
    sentences: Sequence[tuple[int, str]], wanted: str, ordinal: int | None, offset: int
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    sought = _letters(wanted)
    if not sought:
        return None
    parts = [_letters(text) for _, text in sentences]
    starts, total = [], 0
    for part in parts:
        starts.append(total)
        total += len(part)
    expected = 0
    if ordinal is not None and sentences:
        nth = min(max(bisect_right(sentences, ordinal, key=lambda each: each[0]) - 1, 0), len(sentences) - 1)
        expected = starts[nth] + len(_letters(sentences[nth][1][:offset]))
    whole = "".join(parts)
    best = -1
    at = whole.find(sought)
    while at >= 0:
        if best < 0 or abs(at - expected) < abs(best - expected):
            best = at
        at = whole.find(sought, at + 1)
    if best < 0:
        return None
    last = best + len(sought) - 1
    first_nth, last_nth = bisect_right(starts, best) - 1, bisect_right(starts, last) - 1
    begin = _character_of_letter(sentences[first_nth][1], best - starts[first_nth])
    end = _character_of_letter(sentences[last_nth][1], last - starts[last_nth]) + 1
    return (sentences[first_nth][0], begin), (sentences[last_nth][0], end)


def _letters(text: str) -> str:
    return "".join(each.casefold()[:1] for each in text if each.isalnum())


def _character_of_letter(text: str, nth: int) -> int:
    """Return the index of the `nth` letter of a text, from 0."""
    for index, each in enumerate(text):
        if each.isalnum():
            if nth == 0:
                return index
            nth -= 1
    return len(text)


# As it is stored


def places_to_json(annotation: Annotation) -> str:
    """Return the place of an annotation as it is stored."""
    places = [
        [place.page, place.start, place.stop, place.unit, place.line, place.last_line] for place in annotation.places
    ]
    rects = [[rect.page, rect.left, rect.bottom, rect.right, rect.top] for rect in annotation.rects]
    known: dict[str, object] = {"places": places, "rects": rects} if rects else {"places": places}
    if annotation.ordinal is not None:
        known |= {"ordinal": annotation.ordinal, "offset": annotation.offset}
    return json.dumps(known)


def content_of(annotation: Annotation) -> tuple[str, ...]:
    """Return what makes an annotation another one when it comes from elsewhere again."""
    label = annotation.page_label or ""
    words = (" ".join(annotation.text.split()), annotation.comment.strip(), annotation.colour, annotation.kind)
    return (annotation.key, *words, annotation.author, label, places_to_json(annotation))


def sort_within_documents(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Return annotations with those of each document in the order in which they stand."""
    groups: dict[int, list[Annotation]] = {}
    for each in annotations:
        groups.setdefault(each.document_id, []).append(each)
    return [each for group in groups.values() for each in sort_by_place(group)]


def places_from_json(text: str) -> dict[str, object]:
    """Return the fields of an annotation that `places_to_json` wrote.

    Raises:
        ValueError: the text is damaged.
    """
    from desktop_app.core.pages import PageRect
    from desktop_app.core.records import Place

    try:
        values = json.loads(text)
        return {
            "places": tuple(Place(*place) for place in values["places"]),
            "ordinal": values.get("ordinal"),
            "offset": int(values.get("offset", 0)),
            "rects": tuple(PageRect(int(page), *map(float, rest)) for page, *rest in values.get("rects", ())),
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from error
