"""What is a sentence and what is not, measured on labelled passages of many languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_app.core.passage_kinds import decide_kind
from desktop_app.core.records import SENTENCE_KINDS, SpanKind

DATA = Path(__file__).parents[1] / "data"
LABELLED = [json.loads(line) for line in (DATA / "passages" / "labelled.jsonl").read_text("utf-8").splitlines()]


def is_sentence(text: str, layout: SpanKind = "body") -> bool:
    return decide_kind(layout, text).kind in SENTENCE_KINDS


@pytest.mark.parametrize(
    "languages", [("en",), ("de",), ("fr", "es", "it"), ("zh", "ja", "ko"), ("ru", "ar", "hi", "th")]
)
def test_labelled_passages_are_told_apart_in_every_language(languages: tuple[str, ...]) -> None:
    rows = [row for row in LABELLED if row["language"] in languages]
    found = [row["sentence"] for row in rows if is_sentence(row["text"], row["layout"])]
    labelled = sum(row["sentence"] for row in rows)
    assert sum(found) >= 0.97 * len(found), "precision"
    assert sum(found) >= 0.95 * labelled, "recall"


def test_garbled_passages_are_recognised_and_no_others() -> None:
    garbled = [row["text"] for row in LABELLED if decide_kind(row["layout"], row["text"]).kind == "garbled"]
    assert garbled == [row["text"] for row in LABELLED if row.get("kind") == "garbled"]


def test_sentences_of_the_web_are_not_garbled_and_mostly_sentences() -> None:
    """A treebank of reviews, mail and news, of which none was used to make the rules."""
    documents = map(json.loads, (DATA / "sentences" / "ud_english_ewt_test.jsonl").read_text("utf-8").splitlines())
    texts = [each["text"][start:stop] for each in documents for start, stop in each["sentences"]]
    assert not [text for text in texts if decide_kind("body", text).kind == "garbled"]
    ended = [text for text in texts if text[-1] in ".!?" and len(text.split()) >= 5]
    assert sum(map(is_sentence, ended)) >= 0.985 * len(ended)


def test_the_layout_decides_first() -> None:
    assert decide_kind("heading", "Sleep helps the brain to keep what was learnt.") == ("heading", "layout")
    assert decide_kind("code", "return the number of rows in the table.") == ("code", "layout")
    assert decide_kind("reference", "Doe, J. (2001). The sea is rising fast. Nature.") == ("reference", "layout")


def test_each_decision_has_a_reason() -> None:
    assert decide_kind("body", "Yes.") == ("stub", "short")
    assert decide_kind("body", "12,3 45,6 78,9") == ("stub", "letters")
    assert decide_kind("body", "What sleep is for") == ("stub", "title")
    assert decide_kind("body", "The Effects of Rising Seas on Small Ports") == ("stub", "unmarked")
    assert decide_kind("body", "Name: ________") == ("form", "field")
    assert decide_kind("body", "KXRMT QWPLF ZBNTV HJKCD WRTPL") == ("garbled", "words")
    assert decide_kind("table", "Rye · 12.4 · 13.1") == ("table", "layout")
    assert decide_kind("list", "• Keep the jar at a warm place, please.") == ("body", "")


@pytest.mark.parametrize(
    "text",
    [
        "This is your total income ▶ 22",
        "Add numbers on lines above ▶",
        "If someone can claim you as a dependent, do not check box 6a . . . . .",
    ],
)
def test_a_line_that_leads_to_a_box_belongs_to_a_form(text: str) -> None:
    assert decide_kind("body", text).kind == "form"


@pytest.mark.parametrize(
    "text",
    [
        "▶ The results show that the method works.",
        "He waited . . . and then he left the house.",
        "He waited, and waited, and still waited . . . .",
        "And then..... nothing happened to them at all.",
    ],
)
def test_dots_and_marks_of_prose_are_none_of_a_form(text: str) -> None:
    assert is_sentence(text)


@pytest.mark.parametrize(
    "text",
    ["44 Tax (see instructions).", "8a Taxable interest.", "15 a IRA distributions.", "60 Add lines 55 through 59."],
)
def test_a_numbered_line_without_a_verb_belongs_to_a_form(text: str) -> None:
    assert decide_kind("body", text) == ("form", "field")


@pytest.mark.parametrize(
    "text",
    [
        "44 Swedes were on the ship.",
        "12 Danes died and 3 Germans escaped.",
        "12 The applicant submits that the decision lacks a statement of reasons.",
        "7 And the people rested on the seventh day.",
        "1904 Berlin grew faster than Paris.",
        "3 people crossed the frozen river.",
        "2. Beat the eggs with the sugar.",
    ],
)
def test_a_sentence_that_begins_with_a_number_is_none_of_a_form(text: str) -> None:
    assert is_sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "Present: A. Holt, M. Iversen and J. Okafor (chair).",
        "Also present: Will Stone and the harbour master of Saltwick.",
        "Apologies: Mrs. Lindqvist, the surveyor.",
        "Anwesend: Anna Holt, Jan de Vries und die Bürgermeisterin.",
        "Entschuldigt: Herr Meyer, Frau Brandt.",
        "cc: R. Stone, the owners of the lower quay.",
        "Written for Kindred's sample library.",
        "Gedruckt in Hamburg bei Brandt und Söhne.",
    ],
)
def test_lists_of_people_and_credits_are_no_sentences(text: str) -> None:
    assert decide_kind("body", text) == ("form", "field")


@pytest.mark.parametrize(
    "text",
    [
        "Present: there are forty-one residents of the town.",
        "To everyone present: the harbour is closed.",
        "Written for children, the book was read by their parents.",
        "Printed books are cheaper than those written by hand.",
        "Apologies are of no use to anybody in this town.",
    ],
)
def test_sentences_that_begin_like_lists_of_people_and_credits_remain(text: str) -> None:
    assert is_sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "EZRXN NDARJ VTZXE WVTZE XSZTH LEVMX QZWLL MBZCS SPKVS.",
        "Th¢ wat¢~ ro1n ¢1i1k{y }ze1 the l~|ej qujy a{d the ¢}n 1|rqjll sacks to xhl dooz.",
        "¢ke wl~e~ rIs{ ~uxckly oveI the £}{er quay }nd the Ien ^jnrked xaIks to j^e ~jor.",
    ],
)
def test_groups_of_a_cipher_and_half_legible_text_are_garbled(text: str) -> None:
    assert decide_kind("body", text) == ("garbled", "words")
