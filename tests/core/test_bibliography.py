"""References: names, identifiers, CSL-JSON."""

from __future__ import annotations

import pytest

from desktop_app.core.bibliography import (
    Reference,
    find_doi,
    reference_from_csl,
    reference_to_csl,
    split_authors,
    to_family_first,
)

PAPER = Reference(
    kind="article-journal",
    title="On tides",
    authors=("Darwin, George", "van der Berg, Anna", "Royal Society"),
    date="1898-05",
    container="Nature",
    volume="12",
    issue="3",
    pages="12-34",
    publisher="Macmillan",
    place="London",
    doi="10.1000/xyz",
    isbn="9780000000000",
    url="https://example.org",
    language="en",
    key="darwin1898",
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Virginia Woolf", ("Woolf, Virginia",)),
        ("Woolf, Virginia", ("Woolf, Virginia",)),
        ("Woolf, Virginia; Woolf, Leonard", ("Woolf, Virginia", "Woolf, Leonard")),
        ("García Márquez, Gabriel José; Woolf, Virginia", ("García Márquez, Gabriel José", "Woolf, Virginia")),
        ("Ada Lovelace, Charles Babbage", ("Lovelace, Ada", "Babbage, Charles")),
        ("A. Vaswani, N. Shazeer, N. Parmar", ("Vaswani, A.", "Shazeer, N.", "Parmar, N.")),
        ("Smith, J., Jones, K. L.", ("Smith, J.", "Jones, K. L.")),
        ("Ludwig van Beethoven and Ada Lovelace", ("van Beethoven, Ludwig", "Lovelace, Ada")),
        ("Martin Luther King Jr.", ("King, Martin Luther Jr.",)),
        ("Ada Lovelace & Ada Lovelace", ("Lovelace, Ada",)),
        ("Martin Luther King, Jr.", ("King, Martin Luther Jr.",)),
        ("Sammy Davis, Jr., John Smith", ("Davis, Sammy Jr.", "Smith, John")),
        ("King, Martin Luther, Jr.; Smith, John", ("King, Martin Luther Jr.", "Smith, John")),
        ("Jia Wang, Bo Li", ("Wang, Jia", "Li, Bo")),
        ("Smith, John, Doe, Jane", ("Smith, John", "Doe, Jane")),
        ("Smith JA, Doe B", ("Smith, JA", "Doe, B")),
        ("John Smith et al.", ("Smith, John", "others")),
        ("World Health Organization", ("World Health Organization",)),
        ("University of California, Berkeley; Woolf, V.", ("University of California Berkeley", "Woolf, V.")),
        ("Deutsche Bahn AG", ("Deutsche Bahn AG",)),
        ("Prof. Dr. med. Anna Schmidt, Dr. Seuss", ("Schmidt, Anna", "Seuss, Dr.")),
        ("IPCC", ("IPCC",)),
        ("Ann Müller <ann@example.org>", ("Müller, Ann",)),
        (" ", ()),
    ],
)
def test_names_are_split_and_put_family_first(text, names) -> None:
    assert split_authors(text) == names


def test_a_name_in_order_stays() -> None:
    assert to_family_first("de Beauvoir,  Simone") == "de Beauvoir, Simone"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("See https://doi.org/10.1016/j.cell.2019.01.001.", "10.1016/j.cell.2019.01.001"),
        ("(doi:10.1000/xyz)", "10.1000/xyz"),
        ("doi:10.1000/x(1)2, which", "10.1000/x(1)2"),
        ("(10.1016/S0140-6736(05)66545-0)", "10.1016/S0140-6736(05)66545-0"),
        ("arXiv:1706.03762v5 [cs.CL] 6 Dec 2017", "10.48550/arXiv.1706.03762"),
        ("Version 10.15 of 10/12", ""),
    ],
)
def test_the_first_doi_is_found(text, doi) -> None:
    assert find_doi(text) == doi


def test_a_reference_survives_csl_json_and_the_database() -> None:
    assert reference_from_csl(reference_to_csl(PAPER, "1")) == PAPER
    assert Reference.from_json(PAPER.to_json()) == PAPER
    assert Reference().to_json() == ""
    assert Reference.from_json("") == Reference()


def test_a_field_of_a_newer_program_is_left_out() -> None:
    assert Reference.from_json('{"title": "T", "shelf": "3"}') == Reference(title="T")


def test_csl_json_that_is_not_as_it_should_be_gives_what_it_can() -> None:
    item = {
        "type": 5,
        "title": ["a", "list"],
        "author": [{"family": "Woolf", "non-dropping-particle": "von", "given": "V."}, "nobody", {}],
        "issued": {"date-parts": [["1915", "13"]]},
        "DOI": "https://doi.org/10.1000/xyz",
        "volume": 3,
    }
    assert reference_from_csl(item) == Reference(kind="5", authors=("von Woolf, V.",), doi="10.1000/xyz", volume="3")
    assert reference_from_csl({"issued": {"raw": "1999-05-03"}}).date == "1999-05-03"


def test_what_a_reference_lacks_comes_from_another() -> None:
    own = Reference(title="On tides", authors=("Darwin, George",))
    assert own.merge_with(PAPER).container == "Nature"
    assert own.merge_with(PAPER).authors == ("Darwin, George",)
    assert own.merge_with(PAPER).kind == "article-journal"
    assert PAPER.merge_with(own) == PAPER


def test_authors_read_as_people_say_them() -> None:
    assert PAPER.author_line == "George Darwin, Anna van der Berg, Royal Society"


def test_the_suffix_of_a_name_stands_where_each_format_wants_it() -> None:
    reference = Reference(authors=("King, Martin Luther Jr.", "Louis, Joe"))
    assert reference.author_line == "Martin Luther King Jr., Joe Louis"
    item = reference_to_csl(reference, "x")
    assert item["author"][0] == {"family": "King", "given": "Martin Luther", "suffix": "Jr."}
    assert reference_from_csl(item).authors == reference.authors


def test_an_organisation_of_csl_json_is_not_divided_at_a_comma() -> None:
    item = {"author": [{"literal": "GitHub, Inc."}, {"family": "Health, Education and Welfare"}]}
    assert reference_from_csl(item).authors == ("GitHub Inc.", "Health Education and Welfare")


@pytest.mark.parametrize(
    ("issued", "date"),
    [({"raw": "May 2019"}, "2019"), ({"literal": "Spring 2019"}, "2019"), ({"raw": "2019-05"}, "2019-05"), ({}, "")],
)
def test_a_date_in_words_gives_its_year(issued: dict[str, str], date: str) -> None:
    assert reference_from_csl({"issued": issued}).date == date
