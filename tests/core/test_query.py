"""Parsing of the text in the search box."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.query import (
    MAX_SUM_CHARACTERS,
    Query,
    clean_query,
    find_operators,
    parse_query,
    relocate_query_paths,
    rename_in_query,
    set_match,
    split_words,
)
from desktop_app.core.scope import EVERYTHING, Scope
from desktop_app.core.stop_words import content_words
from desktop_app.core.word_conditions import ExactPhrase, WordCondition, WordGroup, WordStart, iter_words_of
from tests.any_text import LETTERS


def any_of(*parts: WordCondition) -> WordGroup:
    return WordGroup(parts, is_any=True)


def all_of(*parts: WordCondition) -> WordGroup:
    return WordGroup(parts, is_any=False)


def test_plain_text_is_the_text_to_search_for() -> None:
    text = "What is state-of-the-art in heat transfer?"
    query = parse_query(text)
    assert query == Query(text, like=(text,))
    assert query.keyword_query.any == ("state", "art", "heat", "transfer")
    assert not query.keyword_query.is_restrictive


@pytest.mark.parametrize(
    ("typed", "like", "must", "without"),
    [
        ('"exact phrase"', ("exact phrase",), (ExactPhrase("exact phrase"),), ()),
        ("“exact phrase” here", ("exact phrase here",), (ExactPhrase("exact phrase"),), ()),
        ('~"any form" ~word', ("any form word",), ("any form", "word"), ()),
        ("harb* -sea* tide", ("harb tide",), (WordStart("harb"),), (WordStart("sea"),)),
        ("heat +flux -steam", ("heat flux",), ("flux",), ("steam",)),
        (
            'heat -"steam engine" +"heat flux"',
            ("heat heat flux",),
            (ExactPhrase("heat flux"),),
            (ExactPhrase("steam engine"),),
        ),
        ("-steam", (), (), ("steam",)),
        ("+heat -steam -water +flux", ("heat flux",), ("heat", "flux"), ("steam", "water")),
        ("well-known e-mail", ("well-known e-mail",), (), ()),
        ("+", ("+",), (), ()),
        ('unbalanced "quote here', ('unbalanced "quote here',), (), ()),
        ('""', (), (), ()),
        ("(sea level) is it", ("(sea level) is it",), (), ()),
        ("a* OR b NEAR(c) ^d", ("a b NEAR(c) ^d",), (any_of(WordStart("a"), "b"),), ()),
        ("flood harbour OR port", ("flood harbour port",), (any_of("harbour", "port"),), ()),
        ("(harbour OR port) tide", ("harbour port tide",), (any_of("harbour", "port"),), ()),
        ('a AND b OR "c d"', ("a b c d",), (any_of(all_of("a", "b"), ExactPhrase("c d")),), ()),
        ("(a OR b) AND (c OR d)", ("a b c d",), (all_of(any_of("a", "b"), any_of("c", "d")),), ()),
        ("flood NOT river", ("flood",), (), ("river",)),
        ("flood AND rain AND NOT river", ("flood rain",), (all_of("flood", "rain"),), ("river",)),
        ("flood NOT (river OR lake)", ("flood",), (), (any_of("river", "lake"),)),
        ("\u0915\u093f\u0924*", ("\u0915\u093f\u0924",), (WordStart("\u0915\u093f\u0924"),), ()),
        ("\u0939\u093f OR \u0932\u0940", ("\u0939\u093f \u0932\u0940",), (any_of("\u0939\u093f", "\u0932\u0940"),), ()),
        ('in:"x y" OR boats', ("OR boats",), (), ()),
        ("or not and", ("or not and",), (), ()),
    ],
)
def test_words_can_be_required_or_excluded(
    typed: str, like: tuple[str, ...], must: tuple[WordCondition, ...], without: tuple[WordCondition, ...]
) -> None:
    query = parse_query(typed)
    assert (query.like, query.must, query.without) == (like, must, without)


def test_conditions_limit_documents() -> None:
    query = parse_query('waves title:"On Waves" in:papers type:.PDF type:md after:2024 before:2024-03 after:2023-12-31')
    assert query.like == ("waves",)
    assert query.titles == ("On Waves",)
    assert query.folders == ("papers",)
    assert query.kinds == ("pdf", "md")
    assert (query.after, query.before) == ("2024", "2024-03")
    scope = query.within(Scope(paths=("/a",), dated_after="2024-02"))
    assert scope == Scope(
        paths=("/a",),
        kinds=frozenset({"pdf", "md"}),
        titles=("On Waves",),
        folders=("papers",),
        dated_after="2024-02",
        dated_before="2024-03",
    )
    assert parse_query("waves").within(EVERYTHING).is_everything


def test_authors_and_years_limit_documents() -> None:
    query = parse_query('waves author:woolf author:"Virginia W" year:1925-1931 before:1930')
    assert (query.like, query.authors) == (("waves",), ("woolf", "Virginia W"))
    assert query.within(EVERYTHING) == Scope(authors=("woolf", "Virginia W"), dated_after="1925", dated_before="1930")
    assert (parse_query("a year:1925").after, parse_query("a year:1925").before) == ("1925", "1926")
    assert parse_query("a after:2024-5-7").after == "2024-05-07"
    for typed in ("a year:soon", "a year:1931-1925", "a year:0000"):
        assert not parse_query(typed).is_conditional
        assert "not a valid condition" in str(parse_query(typed).remarks[0])


def test_tags_limit_documents() -> None:
    query = parse_query('waves tag:unread tag:"to read" tag:#draft')
    assert (query.like, query.tags) == (("waves",), ("unread", "to read", "draft"))
    assert query.within(Scope(tags=("mine",))) == Scope(tags=("mine", "unread", "to read", "draft"))
    assert query.is_conditional
    assert parse_query("tag: unread").like == ("tag: unread",)


def test_languages_limit_documents() -> None:
    query = parse_query("waves language:German lang:fr")
    assert (query.like, query.languages) == (("waves",), ("de", "fr"))
    assert query.within(EVERYTHING) == Scope(languages=frozenset({"de", "fr"}))
    assert query.within(Scope(languages=frozenset({"fr", "en"}))).languages == frozenset({"fr"})
    assert query.is_conditional


def test_commas_separate_types_and_languages_of_which_one_is_enough() -> None:
    query = parse_query("waves type:pdf,.DOCX language:German,fr")
    assert (query.like, query.kinds, query.languages) == (("waves",), ("pdf", "docx"), ("de", "fr"))
    assert "not a valid condition" in str(parse_query("waves lang:de,klingon").remarks[0])


@pytest.mark.parametrize(
    "typed",
    ["after:soon", "lang:klingon", "language:", "before:2024-13", "title:", "after:0000", "in: papers", "http://x.y"],
)
def test_a_mistyped_operator_is_plain_text(typed: str) -> None:
    assert replace(parse_query(typed), remarks=()) == Query(typed, like=(typed,))


@pytest.mark.parametrize(
    ("typed", "remark"),
    [
        ("after:soon", "after:soon is not a valid condition"),
        ("site:example.org waves", "“site:” is not an operator"),
        ("wom*n", "wom*n is searched for as typed"),
        ("*ing", "*ing is searched for as typed"),
        ("roam~2", "roam~2 is searched for as typed"),
        ("sea|shore", "space on each side"),
        ("sea |shore", "space on each side"),
        ("(sea | shore) tide", "inside parentheses, use OR"),
        (" | ".join("abcdefghi"), "Only the first 8 queries"),
        ("sea | shore match:some", "match:some is not a valid condition"),
        ("OR flood", "OR and AND need a word on each side"),
        ("flood OR title:sea", "OR and AND need a word on each side"),
        ("(a NOT b) OR c", "outside parentheses"),
        ("(a OR b", "never closed"),
        ("a OR b)", "has no opening one"),
        ("(" * 20 + "a OR b" + ")" * 20, "too deeply"),
        ("sea " + "title:x " * 80, "Only the first 64 operators"),
        (" OR ".join(f"x{n}" for n in range(65)), "Only the first 64 operators"),
    ],
)
def test_what_is_not_understood_is_said(typed: str, remark: str) -> None:
    assert any(remark in str(each) for each in parse_query(typed).remarks)


@pytest.mark.parametrize(
    "typed", ["What (if anything) is it?", "http://x.y", "12:30 flood", "a OR b", "why not?", "NOT x y", "C:\\x"]
)
def test_what_is_understood_or_no_operator_leaves_no_remark(typed: str) -> None:
    assert parse_query(typed).remarks == ()


@pytest.mark.parametrize(
    ("typed", "like", "unlike"),
    [
        ("king - man + woman", ("king", "woman"), ("man",)),
        ("bank - river", ("bank",), ("river",)),
        ("bank - river -water", ("bank",), ("river",)),
        ("bank \N{MINUS SIGN} river", ("bank",), ("river",)),
        ("Climate change - a review", ("Climate change - a review",), ()),
        ("The Godfather - Part II", ("The Godfather - Part II",), ()),
        ("Was ist KI? - Eine Einführung", ("Was ist KI? - Eine Einführung",), ()),
        ("war from 1914 - 1918", ("war from 1914 - 1918",), ()),
        ("Sea level - what we know - storms", ("Sea level - what we know",), ("storms",)),
        ("Floods - causes and costs since the war", ("Floods - causes and costs since the war",), ()),
        ('bank - "the river"', ("bank",), ("the river",)),
        ("- river", ("- river",), ()),
        ("bank -", ("bank -",), ()),
        ('bank - "river side"', ("bank",), ("river side",)),
        (f"{'long ' * 60}- text", (f"{'long ' * 60}- text",), ()),
    ],
)
def test_meanings_are_added_and_subtracted(typed: str, like: tuple[str, ...], unlike: tuple[str, ...]) -> None:
    assert MAX_SUM_CHARACTERS < 300
    query = parse_query(typed)
    assert (query.like, query.unlike) == (like, unlike)


def test_a_subtracted_meaning_is_said() -> None:
    (remark,) = parse_query("Beethoven - Symphony No. 5").remarks
    assert "“Symphony No. 5”" in str(remark)
    assert parse_query("Climate change - a review").remarks == ()
    assert parse_query("king + woman").remarks == ()


@pytest.mark.parametrize("typed", ["FLOODS AND FIRES IN EUROPE", "WHY THE SEA IS NOT RISING EVERYWHERE"])
def test_a_title_in_capitals_has_no_operators(typed: str) -> None:
    query = parse_query(typed)
    assert (query.like, query.must, query.without) == ((typed,), (), ())


def test_names_in_capitals_are_joined() -> None:
    (group,) = parse_query("NATO OR EU OR UN").must
    assert isinstance(group, WordGroup)
    assert group.parts == ("NATO", "EU", "UN")
    assert parse_query("EU NOT UN").without == ("UN",)


def part_texts(typed: str) -> list[str]:
    return [part.plain_text for part in parse_query(typed).parts]


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("harbour defences | flood insurance", ["harbour defences", "flood insurance"]),
        ("a || b | c", ["a", "b", "c"]),
        ("king + woman | bank - river", ["king + woman", "bank - river"]),
        ("a | ", []),
        ("| a", []),
        ("a | a", []),
        ("a | author:woolf", []),
        ('"a | b" c', []),
        ('title:"a | b" c', []),
        ("(a | b) c", []),
        (":( a | b", [":( a", "b"]),
        ("|", []),
        ("a|b", []),
        (f"{'long ' * 300}| text", []),
    ],
)
def test_a_bar_separates_queries(typed: str, parts: list[str]) -> None:
    assert part_texts(typed) == parts
    if not parts:
        assert parse_query(typed).like


def test_each_part_has_its_own_words_and_all_share_the_documents() -> None:
    query = parse_query("harbour -boat in:papers | +flood after:2020 year:2019-2024 | -lake author:woolf match:all")
    assert [(part.like, part.must, part.without) for part in query.parts] == [
        (("harbour",), (), ("boat", "lake")),
        (("flood",), ("flood",), ("lake",)),
    ]
    assert query.like == ("harbour", "flood")
    assert query.is_match_all
    assert query.within(EVERYTHING) == Scope(
        folders=("papers",), authors=("woolf",), dated_after="2020", dated_before="2025"
    )
    assert not parse_query("harbour | flood").is_match_all
    assert parse_query("harbour | flood match:ANY").remarks == ()


def test_operators_are_found_in_every_part() -> None:
    text = 'harbour -boat | +flood in:"a | b" match:all'
    assert [text[each.start : each.stop] for each in find_operators(text)] == [
        *("-boat", "+flood", 'in:"a | b"', "match:all"),
    ]


def test_any_and_all_can_be_switched_in_a_query() -> None:
    for typed in ("sea | town", "sea match:all | town", "sea match:any | town match:all"):
        assert set_match(typed, is_match_all=True) == "sea | town match:all"
        assert set_match(typed, is_match_all=False) == "sea | town"


def test_the_part_that_a_result_is_best_for() -> None:
    query = parse_query("sea | town | lake")
    assert query.part_of((0.1, None, 0.3)).text == "lake"
    assert query.part_of(()) is query


_PIECES = st.lists(
    st.sampled_from(['"', "-", "+", " ", "title:", "in:", "type:", "after:", "2024", "word", "ä", "\0", "\ud800", "🙂"])
    | st.sampled_from(["(", ")", " OR ", " AND ", " NOT ", "*", "~", "|", " | ", "match:all"]),
    max_size=12,
).map("".join)


@given(st.one_of(st.text(LETTERS, max_size=60), _PIECES))
def test_any_input_is_parsed(typed: str) -> None:
    query = parse_query(typed)
    query.text.encode()
    for condition in (*query.must, *query.without):
        for word in iter_words_of(condition):
            assert split_words(word if isinstance(word, str) else word.text)
    if split_words(clean_query(typed)) and not (
        query.like
        or query.without
        or query.titles
        or query.folders
        or query.kinds
        or query.after
        or query.before
        or query.is_match_all
    ):
        pytest.fail("words were lost")
    assert all(text == " ".join(text.split()) for text in (*query.like, *query.unlike))
    assert parse_query(query.text) == query


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8), min_size=1, max_size=8))
def test_every_word_of_a_plain_query_is_searched(words: list[str]) -> None:
    assert set(parse_query(" ".join(words)).keyword_query.any) == set(content_words(words))


def test_ten_thousand_characters_are_parsed_quickly() -> None:
    parse_query('+"' * 5000)
    parse_query("- " * 5000)
    assert len(parse_query("abc " * 2500).keyword_query.any) == 1


def test_the_conditions_of_a_query_follow_a_moved_folder() -> None:
    home = os.path.expanduser("~")
    places = {"/old/papers": "/new disk/papers", f"{home}/notes": "/notes", "/quoted": '/say "so"'}
    places |= {"/curly": "/\u201cso\u201d", '/say "so"': "/plain", "/apart": "/two  blanks"}
    for typed, expected in (
        ("waves in:/old/papers/ -foam", 'waves in:"/new disk/papers" -foam'),
        ('in:"/old/papers" type:pdf', 'in:"/new disk/papers" type:pdf'),
        ("a in:~/notes  b", "a in:/notes b"),
        ("in:/quoted x", 'in:"/say ""so""" x'),
        ("in:/curly", 'in:"/\u201c\u201cso\u201d\u201d"'),
        ('a in:"/say ""so"""', "a in:/plain"),
        # Names, other places and a path that no query can express stay unchanged; so does a query that needs no change.
        ("in:papers  waves", "in:papers  waves"),
        ("in:/old/papers2 /old/papers", "in:/old/papers2 /old/papers"),
        ("in:/apart x", "in:/apart x"),
    ):
        assert relocate_query_paths(typed, places.get) == expected
    assert parse_query(relocate_query_paths("sea in:/quoted", places.get)).folders == ('/say "so"',)
    assert parse_query(relocate_query_paths("sea in:/curly", places.get)).folders == ("/\u201cso\u201d",)
    assert parse_query(relocate_query_paths("in:/old/papers", places.get)).folders == ("/new disk/papers",)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("sea tag:unread", "sea tag:Zu_lesen"),
        ('sea | TAG:"#Unread" wind', "sea | tag:Zu_lesen wind"),
        ("tag:unread tag:unread2 collection:unread", "tag:Zu_lesen tag:unread2 collection:unread"),
        ("what is  tag: unread", "what is  tag: unread"),
        ('"tag:unread"', '"tag:unread"'),
    ],
)
def test_a_query_follows_a_renamed_tag(typed: str, expected: str) -> None:
    assert rename_in_query(typed, "tag", "unread", "Zu_lesen") == expected


@pytest.mark.parametrize("name", ["Thesis", "Sea and shore", '"so"', "(old)", "a) b(", "“curly”", "#1", "x|y", "x | y"])
def test_a_query_follows_a_renamed_collection_whatever_its_name(name: str) -> None:
    query = parse_query(
        rename_in_query('waves collection:"sea  Papers" (salt OR wind)', "collection", "Sea papers", name)
    )
    assert query.collections == (name,)
    assert query.must == parse_query("waves (salt OR wind)").must


def test_a_quotation_mark_in_a_name_is_doubled() -> None:
    query = parse_query('title:"On ""Waves"" of old" collection:"""so""" in:"a" "b" -"c""d"')
    assert (query.titles, query.collections, query.folders) == (('On "Waves" of old',), ('"so"',), ("a",))
    must, without = (ExactPhrase("b"), ExactPhrase("d")), (ExactPhrase("c"),)
    assert (query.must, query.without) == (must, without), "phrases are unchanged"
    # A mistyped query stays the same: the name ends at the quotation mark.
    assert parse_query('title:"On "Waves" of old').titles == ("On",)
    assert parse_query('title:"" sea').titles == ()


def test_a_collection_is_named_by_a_word_or_in_quotes() -> None:
    query = parse_query('waves collection:thesis collection:"Sea and shore"')
    assert query.like == ("waves",)
    assert query.collections == ("thesis", "Sea and shore")
    assert query.within(Scope(collections=("all",))).collections == ("all", "thesis", "Sea and shore")
    assert query.is_conditional


def test_thousands_of_operators_are_words() -> None:
    query = parse_query("sea " + " ".join(f"title:x{number}" for number in range(3000)))
    assert query.titles == tuple(f"x{number}" for number in range(64))
    assert query.like[0].startswith("sea title:x64 ")


def test_a_type_may_be_spelled_as_any_suffix_of_it() -> None:
    assert parse_query("a type:xliff type:jpg").within(EVERYTHING).kinds == {"xlf", "xliff", "jpg", "jpeg"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("(ash | birch) | cedar", ["(ash | birch)", "cedar"]),
        ("ash | (birch | cedar) | (dill | elm)", ["ash", "(birch | cedar)", "(dill | elm)"]),
        ("((ash | birch) | cedar) | dill", ["((ash | birch) | cedar)", "dill"]),
        ("(ash | birch)", []),
    ],
)
def test_bars_outside_of_brackets_separate_queries(text: str, parts: list[str]) -> None:
    assert [each.text for each in parse_query(text).parts] == parts


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("pira* ship", ("ship",)),
        ("(Pira* OR bucc*) ship -storm*", ("ship",)),
        ("pira*", ("pira",)),
        ("pira* + ship", ("ship",)),
        ("the ship", ("the ship",)),
        ('"ship" pira', ("ship pira",)),
    ],
)
def test_a_query_tells_its_whole_words_from_beginnings(typed: str, whole: tuple[str, ...]) -> None:
    assert parse_query(typed).whole_words == whole
