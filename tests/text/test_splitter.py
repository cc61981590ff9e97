"""Sentence boundaries."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.language_detection import guess_language
from desktop_app.text.splitter import MAX_LENGTH, split_sentences
from tests.text.helpers import SENTENCES


def parts(text: str, language: str = "en") -> list[str]:
    return [text[start:stop] for start, stop in split_sentences(text, language)]


def lines_of(name: str) -> list[str]:
    return (SENTENCES / name).read_text(encoding="utf-8").splitlines()


def test_at_least_43_of_the_48_english_golden_rules_hold() -> None:
    rules = [json.loads(line) for line in lines_of("golden_rules_en.jsonl")]
    held = [rule["id"] for rule in rules if parts(rule["text"]) == [one.strip() for one in rule["sentences"]]]
    assert len(rules) == 48
    assert len(held) >= 44


def test_boundaries_on_english_web_text_reach_an_f1_of_0_90() -> None:
    """Ends of sentences, without the ends of documents, which everyone finds."""
    right = found = wanted = 0
    for line in lines_of("ud_english_ewt_test.jsonl"):
        document = json.loads(line)
        length = len(document["text"])
        ours = {stop for _, stop in split_sentences(document["text"]) if stop < length}
        theirs = {stop for _, stop in document["sentences"] if stop < length}
        right += len(ours & theirs)
        found += len(ours)
        wanted += len(theirs)
    assert 2 * right / (found + wanted) >= 0.90


@given(st.text(alphabet=st.sampled_from('ab .!?\n"“”()1。，;:é😀Fig'), max_size=300))
def test_spans_are_ordered_disjoint_trimmed_and_complete(text: str) -> None:
    spans = split_sentences(text)
    assert all(start < stop for start, stop in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    assert all(text[start:stop] == text[start:stop].strip() for start, stop in spans)
    assert "".join("".join(text[a:b] for a, b in spans).split()) == "".join(text.split())


def test_paragraphs_are_never_joined() -> None:
    assert parts("A heading without an end\n\nThen the text goes on.") == [
        "A heading without an end",
        "Then the text goes on.",
    ]


def test_a_stray_quotation_mark_does_not_swallow_the_rest() -> None:
    text = 'He said "this and left. ' + "The room was quiet and nobody spoke at all. " * 8 + 'Then "it rained.'
    assert len(parts(text)) >= 9


def test_a_footnote_number_stays_with_the_sentence_before_it() -> None:
    assert parts("That was how it ended.1 Then the others came in.") == [
        "That was how it ended.1",
        "Then the others came in.",
    ]


@pytest.mark.parametrize(
    "text", ["See Fig. 3 for the curve.", "It follows from Eq. (4) at once.", "Compare Refs. [5, 6]."]
)
def test_a_reference_to_a_figure_or_equation_is_not_cut(text: str) -> None:
    assert parts(text) == [text]


def test_chinese_is_cut_before_a_digit() -> None:
    assert parts("他们来了。2020年开始。", "zh") == ["他们来了。", "2020年开始。"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The barrier was opened by the mayor in May.", "Intent classifiers struggle."),
        ("He turned and looked at me.", "Holmes laughed."),
        ("The answer was no.", "Barrymore had never left the house."),
    ],
)
def test_a_word_that_is_also_an_abbreviation_ends_a_sentence(first: str, second: str) -> None:
    assert parts(f"{first} {second}") == [first, second]


def test_a_numbered_thing_is_not_cut_after_its_abbreviation() -> None:
    text = "The rule in no. IV of the list holds."
    assert parts(text) == [text]


def test_sentences_are_capped_preferably_at_semicolons() -> None:
    text = ", ".join(["word"] * 60) + "; " + " ".join(["more"] * 200)
    found = parts(text)
    assert max(map(len, found)) <= MAX_LENGTH
    assert found[0].endswith(";")


def test_a_text_without_any_mark_is_capped_too() -> None:
    assert [len(part) for part in parts("x" * 1500)] == [600, 600, 300]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The cat sat on the mat and it was happy with that.", "en"),
        ("Der Hund lief über die Straße und der Mann sah ihm nach, weil er nicht hören wollte.", "de"),
        ("Le chat est sur la table et il ne veut pas descendre dans le jardin avec les autres.", "fr"),
        ("Мы не знали, что они придут вечером.", "ru"),
        ("これは日本語の文章です。", "ja"),
        ("这是一个中文句子。", "zh"),
        ("هذه جملة عربية قصيرة", "ar"),
        ("", "en"),
        ("12345 67", "en"),
        ("qwrt zxcv", "en"),
    ],
)
def test_the_language_is_guessed_and_english_by_default(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_a_title_stays_with_its_name() -> None:
    text = "Several said so. Ms. Adeyemi warned them. Mx. Lee agreed with Mmes. Roux and Petit."
    assert [text[start:stop] for start, stop in split_sentences(text)] == [
        "Several said so.",
        "Ms. Adeyemi warned them.",
        "Mx. Lee agreed with Mmes. Roux and Petit.",
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ich bitte um eine Frist bis zum 30. September, um die Belege nachzureichen.", "de"),
        ("Am 5. Dezember, einem Sonntag, regnete es.", "en"),
    ],
)
def test_a_german_date_is_not_divided(text: str, language: str) -> None:
    assert split_sentences(text, language) == [(0, len(text))]


def test_an_english_sentence_may_begin_with_a_month() -> None:
    text = "He scored 30. September was cold."
    assert [text[start:stop] for start, stop in split_sentences(text)] == ["He scored 30.", "September was cold."]


@pytest.mark.parametrize(
    "text",
    [
        "Im 17. und 18. Jahrhundert wuchs die Stadt.",
        "Funde aus dem 1. -3. Jahrhundert nach Christus liegen im Museum.",
        "Der 2. Weltkrieg endete 1945.",
        "Zu seinem 60. Geburtstag kamen alle.",
        "Er verlor in der 1. Bundesliga gegen den 1. FC Köln.",
        "Berlin, 3. Auflage 1999.",
        "Am 5. Sept. kam er zurück.",
        "Der Preis versteht sich zzgl. Versand und gem. Vertrag.",
        "Frau Huber, geb. Meier, schrieb an Hrn. Schmidt.",
        "Dipl.-Ing. Meier und Dipl.-Kfm. Huber kamen.",
    ],
)
def test_a_german_ordinal_or_abbreviation_stays_with_its_noun(text: str) -> None:
    assert parts(text, "de") == [text]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Der Kurs beginnt am 5.", "Danach ist Pause."),
        ("Das Ergebnis ist 30.", "Meier freut sich."),
        ("Das gilt für das 19. Jh.", "Die Stadt wuchs."),
        ("Er wohnt in Zimmer 12.", "Teile davon sind neu."),
    ],
)
def test_a_german_sentence_may_end_with_a_number_or_abbreviation(first: str, second: str) -> None:
    assert parts(f"{first} {second}", "de") == [first, second]


@pytest.mark.parametrize(
    "text", ["See Chap. IV for the proof.", "It follows from Thm. 3 and Prop. 5 at once.", "A 0.5-in.-diameter sphere."]
)
def test_a_reference_to_a_numbered_part_is_not_cut(text: str) -> None:
    assert parts(text) == [text]
