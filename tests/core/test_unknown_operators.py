"""What other programs understand in a query is said; ordinary texts with the same signs are left alone."""

from __future__ import annotations

import pytest

from desktop_app.core.query import parse_query


def remarks(typed: str) -> str:
    return " ".join(map(str, parse_query(typed).remarks))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("flood near/3 wall", "no near/3: put words that follow each other in quotation marks"),
        ("flood wall near/3", "no near/3: put words"),
        ("within/3 flood wall", "no within/3: put words"),
        ("flood w/5 wall", "no w/5: put words"),
        ("flood ADJ2 wall", "no ADJ2: put words"),
        ("flood NEAR wall", "no NEAR: put words"),
        ("NEAR(flood wall)", "no NEAR: put words"),
        ('"flood wall"~5', "no ~5: put words"),
        ("roam~1", "roam~1 is searched for as typed: Kindred does not look for similar spellings"),
        ("flood^2 wall", "flood^2 is searched for as typed: words cannot have weights"),
        ("(flood wall", "never closed; parentheses group words"),
        ("flood) wall", "has no opening one"),
        ("flood () wall", "Empty parentheses do nothing"),
        ('"flood wall', "A quotation mark has no partner"),
        ('flood wall"', "A quotation mark has no partner"),
        ("„flood wall", "A quotation mark has no partner"),
        ('flood ""', "Quotation marks need words"),
        ("'flood wall'", 'Single quotation marks are searched for as text; write "flood wall"'),
        ("titel:Meer", "“titel:Meer” is not an operator here; write title:Meer."),
        ('writer:"Virginia Woolf"', 'write author:"Virginia Woolf".'),
        ("titles:sea", "write title:sea."),
        ("filetype:pdf flood", "write type:pdf."),
        ("site:example.org flood", "“site:” is not an operator; it is searched for as words"),
        ("title: flood", "write title:flood."),
        ("year: 2019", "write year:2019."),
        ("year:2019 - 2021", "write year:2019-2021."),
        ("[2019 TO 2024] flood", "write year:2019-2024."),
        ("flood year>=2019", "write after:2019."),
        ("flood date<2019-05", "write before:2019-05."),
        ("title:(sea shore)", "after title: write one word, or put several in quotation marks"),
        ("flood -title:draft", "-title:draft is searched for as words: documents cannot be excluded"),
        ("flood && tide", "“&&” is not an operator here; write AND."),
        ("Flut ODER Hafen", "“ODER” is not an operator here; write OR."),
        ("!flood wall", "write -flood."),
        ("#flood wall", "write tag:flood."),
        ("flood -2019", 'write -"2019" to exclude it'),
        ("*", "stands for nothing when it is alone"),
        ("flood * wall", "stands for nothing when it is alone"),
        ("*ing", "* is a wildcard only at the end of a word"),
        ("wom*n", "wom*n is searched for as typed"),
        ("wom?n", "wom?n is searched for as typed: ? is not a wildcard"),
        ("?at", "? is not a wildcard"),
        ("/colou?r/i", "no regular expressions"),
        ("flood.*wall", "no regular expressions"),
        ("[Ff]lood wall", "no regular expressions"),
        (r"\bflood\b", "no regular expressions"),
        ("flood (wall -boat author:woolf, who wrote it. near the sea and the shore", "never closed"),
    ],
)
def test_signs_of_other_programs_are_said(typed: str, said: str) -> None:
    assert said in remarks(typed)


ORDINARY = r"""
What is it?
why not??
and/or
n/a
Re: x
Re: meeting at 10:30
12:30 flood
John 3:16
https://x.org/a?b=c&d=e
doi:10.1000/182
localhost:8080
std::vector<int>
main()
f(x) = 2*x
if (a && b) { return; }
x->y
C:\x
/usr/lib/python3
/r/funny/
~/papers
C#
R&D
AT&T
α*β
λ=2π/k
x^2+y^2
μ±σ
2*3
TCP/IP
m/s
1/2
:-)
flood ;)
8) it
(a) second
1) first
(713) 853-7408
Smith (2019)
[12]
[sic]
*emphasis*
* item
*Ireland
#5
6'3" tall
a 5" screen
rock 'n' roll
the '90s
„Ja“ sagte er
«oui»
¿Qué?
Wie geht's?
RESTAURANTS NEAR ME
near me
ME UND DU
-5 °C
a temperature of -20 degrees
~50 km
Note: this
Title: The Sea
Subject: hello
title:
flood "
flood (
“Come in,” he said. “The sea
(He left.
a flood near the wall, w/o a boat
coffee w/2
Costliest city to live in: Survey
year:2019–2021 flood
title:sea*
"""


@pytest.mark.parametrize("typed", ORDINARY.strip().splitlines())
def test_ordinary_texts_leave_no_remark(typed: str) -> None:
    assert remarks(typed) == ""


@pytest.mark.parametrize("typed", ["-20 degrees", "~50 km", "-1.5 glasses", "-title:draft"])
def test_numbers_and_conditions_with_a_sign_exclude_nothing(typed: str) -> None:
    query = parse_query(typed)
    assert (query.like, query.must, query.without) == ((typed,), (), ())


def test_a_number_in_quotes_can_be_excluded() -> None:
    assert [each.text for each in parse_query('flood -"20"').without] == ["20"]


def test_each_sign_is_said_once_and_few_altogether() -> None:
    assert len(parse_query("wom?n wom?n").remarks) == 1
    assert len(parse_query("a?t b?t c?t d?t e?t f?t").remarks) == 3
