"""Markdown to sentences without markup."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.bibliography import Reference
from desktop_app.text.readers.markdown import parse_markdown
from tests.text.helpers import letters, read_here


def kinds(source: str) -> list[tuple[str, str]]:
    return [(passage.kind, passage.text) for passage in parse_markdown(source)]


def test_blocks_have_their_kinds() -> None:
    source = (
        "# On *harbours*\n\nA first paragraph\nin two lines.\n\n- one item\n- another\n  in two lines\n\n"
        "> A quotation.\n\n```py\nx = 1\n\ny = 2\n```\n\n| a | b |\n|---|---|\n| one | two |\n"
    )
    assert kinds(source) == [
        ("heading", "On harbours"),
        ("body", "A first paragraph in two lines."),
        ("list", "one item"),
        ("list", "another in two lines"),
        ("body", "A quotation."),
        ("code", "x = 1 y = 2"),
        ("table", "a b"),
        ("table", "one two"),
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Some **bold** and _slanted_ words.", "Some bold and slanted words."),
        ('A [link to it](https://example.org/a_(b) "A link title") stands here.', "A link to it stands here."),
        ("A [named link][name] here.\n\n[name]: https://example.org", "A named link here."),
        ("The `code()` runs.", "The code() runs."),
        ("An ![image of a boat](boat.png) floats.", "An image of a boat floats."),
        ("Fish &amp; chips &mdash; twice.", "Fish & chips — twice."),
        (r"Stars \*stay\* here.", "Stars *stay* here."),
        ("Some <b>tags</b> go.", "Some tags go."),
        ("~~Struck~~ words stay.", "Struck words stay."),
        ("<https://example.org> is an address.", "https://example.org is an address."),
        ("A line  \nbroken by hand.", "A line broken by hand."),
        ("<!-- a remark -->\n\nThe text.", "The text."),
        ("<p>In a block.</p>", "In a block."),
        ("A [a](a) a [b](b) b.", "A a a b b."),
    ],
)
def test_inline_markup_is_removed(source: str, text: str) -> None:
    assert [passage.text for passage in parse_markdown(source)] == [text]


@pytest.mark.parametrize("fence", ["---", "+++"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_front_matter_is_not_text_and_may_contain_the_title(tmp_path: Path, fence: str, end: str) -> None:
    path = tmp_path / "made.md"
    title = "title: On Harbours" if fence == "---" else 'title = "On Harbours"'
    tags = "tags: [a]" if fence == "---" else 'tags = ["a"]'
    path.write_bytes(f"{fence}\n{title}\n{tags}\n{fence}\n\nThe text begins here.\n".replace("\n", end).encode())
    result = read_here(path)
    assert result.texts == ["The text begins here."]
    assert result.head.title == "On Harbours"
    (omitted,) = result.done.omitted
    assert omitted.kind == "metadata"
    assert "On Harbours" in omitted.text


@pytest.mark.parametrize(
    ("source", "author", "dated"),
    [
        ("---\nauthor: A. Writer\ndate: 2019-05-03\n---\n", "A. Writer", "2019-05-03"),
        ("---\nAuthors:\n- A. Writer\n- name: B. Other\n---\n", "A. Writer, B. Other", ""),
        ("+++\nauthor = 'A. Writer'\ndate = 2019-05-03\n+++\n", "A. Writer", "2019-05-03"),
        ("---\nauthor: {x: y}\ndate: soon\n---\n", "", ""),
        ("", "", ""),
    ],
)
def test_author_and_date_are_those_of_the_front_matter(tmp_path: Path, source: str, author: str, dated: str) -> None:
    file = tmp_path / "a.md"
    file.write_text(f"{source}The sea rises.\n", "utf-8")
    head = read_here(file).head
    assert (head.author, head.dated) == (author, dated)


def test_front_matter_gives_a_reference(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(
        "---\nauthors: [Ada Lovelace, 'Berg, Anna']\nyear: 1898\njournal: Nature\nvolume: 12\n"
        "doi: https://doi.org/10.1000/xyz\nurl: https://example.org\ncitekey: berg1898\n---\nThe sea rises.\n",
        "utf-8",
    )
    assert read_here(file).head.reference == Reference(
        kind="article-journal",
        authors=("Lovelace, Ada", "Berg, Anna"),
        date="1898",
        container="Nature",
        volume="12",
        doi="10.1000/xyz",
        url="https://example.org",
        key="berg1898",
    )


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("---\n\nBelow a rule.\n\n---\n\nBelow another.", "Below a rule. | Below another."),
        ("---\nBetween two rules.\n---\nBelow them.", "Between two rules. | Below them."),
        ("---\nFirst: a mapping?\nNo, a sentence.\n---\nThe text.", "First: a mapping? No, a sentence. | The text."),
        ("---\n- a\n- list\n---\nThe text.", "a | list | The text."),
        ("---\ntitle: Never closed\n\nThe text.", "title: Never closed | The text."),
        ("---\n\ntitle: Not at once\n\n---\n\nThe text.", "title: Not at once | The text."),
        ("+++\nNot TOML.\n+++\n\nThe text.", "+++ Not TOML. +++ | The text."),
        ('+++\ntitle = "A"\n...\n\nThe text.', '+++ title = "A" ... | The text.'),
        ("---\n" + "[" * 1000 + "\n---\n\nThe text.", "[" * 1000 + " | The text."),
        ("---\ntitle: A\n...\nThe text.", "The text."),
        ("---\ntitle: A\ntags:\n  - b\nnested: {c: d}\n--- \nThe text.", "The text."),
        ("---", ""),
    ],
)
def test_only_a_mapping_is_front_matter(source: str, text: str) -> None:
    assert " | ".join(passage.text for passage in parse_markdown(source)) == text


@pytest.mark.parametrize(
    "source",
    [
        "Before.\n\n<!-- never closed\n\nText *after* it.\n\n- An item.",
        "Before.\n\n<? never closed\n\nText *after* it, 4 > 3.\n\n- An item.",
        "Before.\n\n<![CDATA[ never closed\n\nText *after* it.\n\n- An item.",
        "Before.\n\n<!A lone sign\n\nText *after* it.\n\n- An item.",
        "Before.\n\n<script>\n\nText *after* it.\n\n- An item.",
        "Before.\n\n<STYLE>\n\nText *after* it.\n\n- An item.",
        "Before.\n\n<pre>\n\nText *after* it.\n\n- An item.",
        "<!-- closed --> Before.\n\n<!-- and never closed\n\nText *after* it.\n\n- An item.",
        "Before.\n\n<\n\nText *after* it.\n\n- An item.",
    ],
)
def test_html_that_is_never_closed_does_not_swallow_the_text_below_it(source: str) -> None:
    texts = [passage.text for passage in parse_markdown(source)]
    assert texts[0] == "Before."
    assert any(text.startswith("Text after it") for text in texts)
    assert texts[-1] == "An item."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p and some text\nof 4 > 3", "<p and some text of 4 > 3"),
        ("<div>\nif a <b or c> d\n</div>", "if a <b or c> d"),
        ("Type <your name> here.", "Type <your name> here."),
        ("<file name>\n\nis needed.", "<file name> | is needed."),
        ("<![CDATA[ kept ]]>", "kept"),
        ("<my-box wide>\n\nIn <x-y>a</x-y> box.\n\n</my-box>", "<my-box wide> | In a box."),
        ("<details open><summary>More</summary>\n\nBelow it.\n\n</details>", "More | Below it."),
        ("<div>\n<style>p {}</style><script>\nx()\n</script> Seen.\n</div>", "Seen."),
        ("<div>\n<!-- a --> Seen. <!-- b\n</div>", "Seen. <!-- b"),
        ("A NUL \0 is shown.\n<? b", "A NUL \ufffd is shown. <? b"),
        ("`<!-- code` and\n\n```\n<!-- more code\n```", "<!-- code and | <!-- more code"),
    ],
)
def test_only_tags_of_html_are_markup(source: str, text: str) -> None:
    assert " | ".join(passage.text for passage in parse_markdown(source)) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("[Note]: tomorrow\n\nThe text.", "[Note]: tomorrow | The text."),
        ("The text.\n\n[Anna]: never. 'She said so'", "The text. | [Anna]: never. 'She said so'"),
        ("The text.[^1]\n\n[^1]: Ibid.\n", "The text. | Ibid."),
        ("> [Note]: <in two words>\n\nThe text.", "[Note]: <in two words> | The text."),
        ("[a]: /one\n[a]: two\n\nThe [text][a].", "[a]: two | The text."),
        ("[a]: https://example.org 'A title'\n[b]: page.html\n[c]: #part\n\nThe text.", "The text."),
        ("[//]: # (A remark)\n[remark]: <> (Another)\n\nThe text.", "The text."),
    ],
)
def test_a_definition_that_defines_no_link_is_text(source: str, text: str) -> None:
    assert " | ".join(passage.text for passage in parse_markdown(source)) == text


def test_surplus_cells_of_a_row_are_kept() -> None:
    source = "| a | b |\n|---|---|\n| one | two | three `x` | four |\n| five |\n| 6 | 7 |\n"
    assert [text.strip() for _, text in kinds(source)] == ["a b", "one two three `x` four", "five", "6 7"]


@pytest.mark.parametrize("nested", [">" * 70 + " Deep.\n\nAfter.", "".join("  " * n + "- It.\n" for n in range(60))])
def test_text_at_any_depth_is_read(nested: str) -> None:
    texts = " ".join(passage.text for passage in parse_markdown(nested))
    assert texts.count("It.") == nested.count("It.")
    assert texts.count("Deep.") == nested.count("Deep.")


def test_the_first_heading_is_the_title(tmp_path: Path) -> None:
    path = tmp_path / "made.md"
    path.write_text("Some words before it.\n\n## The *real* title\n\nText.\n", encoding="utf-8")
    head = read_here(path).head
    assert (head.type, head.title, head.encoding, head.page_count) == ("markdown", "The real title", "utf-8", None)


SOURCE = (
    "# Title of *it*\n\nThe first sentence is **bold here**. The second has a [link](http://a.b/c) in it.\n\n"
    "- item one is [here][x]\n- item two ends `here`\n\n> quoted words go\n> over two lines. And on.\n\n[x]: http://x.y\n"
    "\n    code = 1\n\n| a | b |\n|---|---|\n| cell one | cell two |\n"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_point_to_the_words_in_the_source(tmp_path: Path, end: str, mark: str) -> None:
    source = SOURCE.replace("\n", end)
    path = tmp_path / "made.md"
    path.write_bytes((mark + source).encode())
    result = read_here(path)
    assert len(result.spans) >= 9
    for span in result.spans:
        (place,) = span.places
        found = source[place.start : place.stop]
        first, last = span.text.split()[0], span.text.split()[-1]
        assert letters(found).startswith(letters(first))
        assert letters(found).endswith(letters(last))
        for word in letters(span.text):
            assert word in found


def test_words_in_the_title_of_a_link_are_not_mistaken_for_the_text(tmp_path: Path) -> None:
    source = '[It](target "this ends now") ends now'
    path = tmp_path / "made.md"
    path.write_text(source, encoding="utf-8")
    (span,) = read_here(path).spans
    assert span.text == "It ends now"
    assert span.places[0].stop == len(source)


def test_references_are_marked_below_their_heading() -> None:
    source = (
        "Text here.\n\n# References\n\n- Smith, J. 2014. Harbours. Tides 3.\n\n# After\n\n- Smith, J. 2014 said so.\n"
    )
    assert [kind for kind, _ in kinds(source)] == ["body", "heading", "reference", "heading", "list"]


@given(st.text(alphabet=st.sampled_from("ab *_`[](){}<>#|-\n\r\t&;!?\\~>1.é\0"), max_size=150))
def test_any_source_gives_clean_passages_inside_the_file(source: str) -> None:
    for passage in parse_markdown(source):
        text = passage.text
        assert text == " ".join(text.split())
        assert len(passage.indices) == len(text)
        assert all(-1 <= index < len(source) for index in passage.indices)


BLOCKS = (
    "# Heading {n}\n",
    "```\ncode {n}\n\n# no heading\n```\n",
    "| a{n} | b |\n|---|---|\n| c{n} | d |\n",
    "- item {n}\n- item\n\n  more of it {n}\n",
    "A [link {n}][target] and *stress* on it.\nNext line &amp; more.\n",
    "Plain paragraph {n}, with é in it. Second sentence.\n",
)


def test_a_long_text_is_read_in_parts_like_one(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = random.Random(1)
    source = "\n".join(numbers.choice(BLOCKS).format(n=n) for n in range(300)) + "\n[target]: https://example.org\n"
    whole = parse_markdown(source)
    monkeypatch.setattr("desktop_app.text.readers.markdown._PART_CHARACTERS", 1000)
    parts = parse_markdown(source)
    assert [(each.kind, each.text, each.indices) for each in parts] == [
        (each.kind, each.text, each.indices) for each in whole
    ]


def test_a_long_table_stays_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_app.text.readers.markdown._PART_CHARACTERS", 500)
    source = "| a | b |\n|---|---|\n" + "".join(f"| cell {n} | words |\n" for n in range(200))
    rows = parse_markdown(source)
    assert [row.text for row in rows[1:]] == [f"cell {n} words" for n in range(200)]
    assert {row.kind for row in rows} == {"table"}
    assert [source[row.indices[0] :].partition(" |")[0] for row in rows[1:]] == [f"cell {n}" for n in range(200)]


def test_a_long_paragraph_is_divided_with_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("word " * 30_000, "utf-8")
    result = read_here(path)
    assert sum(len(text.split()) for text in result.texts) == 30_000
    assert [each.code for each in result.done.warnings] == ["paragraphs_divided"]


def test_comments_are_left_out_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("The sea rises.\n\n<!-- Check the date. -->\n\nIt <!-- often --> falls.\n" * 2, "utf-8")
    result = read_here(path)
    assert result.texts == ["The sea rises.", "It falls."] * 2
    assert [(each.kind, each.text) for each in result.done.omitted] == [
        ("hidden", "Check the date."),
        ("hidden", "often"),
    ] * 2
