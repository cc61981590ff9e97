"""Translation memories and files: the languages of a unit are aligned; codes and suggestions are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text import makers
from tests.text.helpers import Result, read_here

PAIRS = (("The harbour dries out.", "Der Hafen fällt trocken."), ("Boats rest.", "Boote ruhen."))


def read(tmp_path: Path, text: str | bytes, name: str = "a.tmx") -> Result:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_here(file)


def units(result: Result) -> list[tuple[int, int, str]]:
    return [(span.places[0].start, span.paragraph, span.text) for span in result.spans]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tmx", makers.tmx(*PAIRS)),
        ("a.tmx", makers.tmx(*PAIRS).replace('version="1.0"', 'version="1.0" encoding="utf-16"').encode("utf-16")),
        ("a.xlf", makers.xliff(*PAIRS)),
        ("a.xliff", makers.xliff(*PAIRS, version="2.0")),
        ("a.xml", makers.xliff(*PAIRS)),
    ],
)
def test_both_languages_of_a_unit_are_one_paragraph(name: str, text: str | bytes, tmp_path: Path) -> None:
    result = read(tmp_path, text, name)
    assert result.head.type == "translation"
    assert units(result) == [
        (1, 0, "The harbour dries out."),
        (1, 0, "Der Hafen fällt trocken."),
        (2, 1, "Boats rest."),
        (2, 1, "Boote ruhen."),
    ]


def test_codes_of_markup_are_left_out_and_words_stay_apart(tmp_path: Path) -> None:
    segment = (
        'The <bpt i="1">&lt;b></bpt>big<ept i="1">&lt;/b></ept> quay<ph>&lt;br/></ph>is <hi>dry</hi>'
        '<it pos="begin">{1}</it>. <ph>title="<sub>Sub text</sub>"</ph>'
    )
    assert read(tmp_path, makers.tmx((segment,))).texts == ["The big quay is dry. Sub text"]
    source = 'The <g id="1">big</g> quay<x id="2"/>is <pc id="3">dry</pc>.'
    assert read(tmp_path, makers.xliff((source, "")), "a.xlf").texts == ["The big quay is dry."]


def test_suggestions_are_left_out_and_notes_are_passages_of_their_own(tmp_path: Path) -> None:
    text = makers.xliff(PAIRS[0]).replace(
        "</trans-unit>",
        "<seg-source>No.</seg-source><alt-trans><source>No.</source><target>Nein.</target></alt-trans>"
        "<note>Watch the tide.</note></trans-unit>",
    )
    assert units(read(tmp_path, text, "a.xlf")) == [
        (1, 0, PAIRS[0][0]),
        (1, 0, PAIRS[0][1]),
        (1, 1, "Watch the tide."),
    ]
    second = makers.xliff(PAIRS[0], version="2.0").replace("<segment>", "<notes><note>Hurry.</note></notes><segment>")
    assert read(tmp_path, second, "a.xlf").texts == [*PAIRS[0], "Hurry."]


def test_a_text_that_was_not_translated_is_read_once(tmp_path: Path) -> None:
    assert read(tmp_path, makers.xliff(("The same.", "The same."), ("Not yet.", "")), "a.xlf").texts == [
        "The same.",
        "Not yet.",
    ]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("<tmx><body><tu><tuv><seg>Cut", "damaged"),
        ("<tmx/>", "no_text"),
        ('<!DOCTYPE tmx [<!ENTITY a "b">]><tmx><body/></tmx>', "unsupported"),
    ],
)
def test_a_damaged_or_hostile_file_fails(text: str, state: str, tmp_path: Path) -> None:
    assert read(tmp_path, text).state == state
