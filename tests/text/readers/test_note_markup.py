"""The markup of Obsidian, Logseq and Zettlr leaves no debris in sentences, and every letter keeps its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.text.readers.markdown import parse_markdown
from desktop_app.text.readers.note_markup import hide_note_markup
from tests.text.helpers import read_here


def shown(source: str) -> str:
    return " | ".join(passage.text for passage in parse_markdown(source))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("See [[Other note|the other one]] now.", "See the other one now."),
        ("See [[Note]], [[Note#Part]] and [[Note#^a1b2c3]].", "See Note, Note Part and Note."),
        ("[[#Here]] it is, **[[bold|in bold]]**.", "Here it is, in bold."),
        ("A picture ![[a.png|300]] and ![[b.png]] here.", "A picture and here."),
        ("A picture ![[a.png|of the sea]] here.", "A picture of the sea here."),
        ("| a | b |\n|---|---|\n| [[One\\|two]] | ==c== |", "a b | two c"),
        ("A claim that is linked to. ^claim-1", "A claim that is linked to."),
        ("The paragraph.\n\n^abc123\n\nNext.", "The paragraph. | Next."),
        ("> [!warning]- Mind the tide\n> It rises.", "Mind the tide | It rises."),
        ("> [!note]\n> It rises.", "It rises."),
        ("> [!a] One\n> > [!b]- Two\n> > It rises.\n> It falls.", "One | Two | It rises. It falls."),
        ("Read:\n![[Note|this one]]\nThen go on.", "Read: | this one | Then go on."),
        ("It rises ==very fast== here.", "It rises very fast here."),
        ("It rises.[^1]\n\n[^1]: In spring, as I saw.", "It rises. | In spring, as I saw."),
        ("It rises^[in spring] twice.", "It rises in spring twice."),
        ("Seen. %%not seen%% Seen again.", "Seen. Seen again."),
        ("Seen.\n\n%%\nNot seen.\n\nNor this.\n%%\n\nSeen again.", "Seen. | Seen again."),
        ("- [ ] Buy bread\n- [x] Bake it\n1. [ ] Eat", "Buy bread | Bake it | Eat"),
        ("- A block\n  id:: 64f0a1b2-11\n- ((64f0a1b2-11)) again {{embed ((64f0a1b2-11))}}", "A block | again"),
        ("- [x] Paint it 🔼 🔁 every week ✅ 2024-04-02\n- [ ] Sell it 📅 2024-05-01", "Paint it | Sell it"),
        ("- TODO [#A] Measure it\n  SCHEDULED: <2024-05-01 Wed>\n- DONE Sell it", "Measure it | Sell it"),
        ("- A\n  :LOGBOOK:\n  CLOCK: [2024-05-01 Wed]\n  :END:\n  background-color:: red\n- B", "A | B"),
        ("The state.\nstatus:: half done\nIt goes on.", "The state. | status: half done | It goes on."),
        ("It has [rating:: 5] points (source:: Berg).", "It has rating: 5 points Berg."),
        ("- #+BEGIN_QUOTE\n  It is quoted.\n  #+END_QUOTE", "It is quoted."),
        ("It ^^rises^^ {{cloze fast}}. {{video https://a.org}}", "It rises fast."),
        ("![](a.png){:height 30, :width 40} Seen.", "Seen."),
        ("::: warning\nMind the [tide]{.mark}.\n:::\n\n# Title {#t .x}\n", "Mind the tide. | Title"),
        ("<%* tR += 1 %> Seen <% tp.date.now() %>today.", "Seen today."),
        ("Seen.\n\n```dataview\nTABLE x FROM #a\n```\n\nDone.", "Seen. | Done."),
    ],
)
def test_markup_of_notes_is_not_shown(source: str, text: str) -> None:
    assert shown(source) == text


@pytest.mark.parametrize(
    "text",
    [
        "Half of 50%% and 60%% of it.",
        "If a == b == c, or x==y, stop.",
        "The list x[[1]] and the array [[1, 2], [3]].",
        "Two to the power of 2 ^3",
        "An open [[bracket and an open == mark.",
        "One %% alone.",
        "A caret ^[ alone.",
        "std::string is a type, and a::b too.",
        "Tick the box ✅ and go on.",
        "At <% the start of it {.x} is text.",
        "NOW we start, TODO or not.",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    assert shown(text) == text


def test_code_stays_as_it_is() -> None:
    assert shown("Type `[[a|b]] ==c==` here.") == "Type [[a|b]] ==c== here."
    source = "```\n[[a|b]] %%c%% ==d== ^abc\n```"
    assert shown(source) == "[[a|b]] %%c%% ==d== ^abc"
    assert hide_note_markup(source)[1] == []


def test_letters_keep_their_places() -> None:
    source = "---\ntitle: A\n---\nSee [[Other|the other]] %%no%% ==here==.[^1] ^abc123\n"
    (passage,) = parse_markdown(source)
    assert "".join(source[at] for at in passage.indices).replace("\n", " ") == passage.text == "See the other here."


def test_comments_are_reported_as_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Seen. %%not seen%%", "utf-8")
    assert [(each.kind, each.text) for each in read_here(tmp_path / "a.md").done.omitted] == [("hidden", "not seen")]


def test_properties_of_logseq_are_front_matter(tmp_path: Path) -> None:
    (tmp_path / "logseq").mkdir()
    note = tmp_path / "a.md"
    note.write_text("title:: Tides\ntags:: sea, [[moon phase]]\nauthor:: Anna Berg\n\n- It rises. #day\n", "utf-8")
    head = read_here(note).head
    assert (head.title, head.author, head.tags) == ("Tides", "Anna Berg", ("sea", "moon phase", "day"))
    assert shown(note.read_text("utf-8")) == "It rises. #day"


NOTE = "---\ntags: [sea, high tide]\n---\n# Heading\n\nAbout #waves/big, not #1 or a#b or `#code`.\n\n```\n#no\n```\n"


def test_tags_of_the_front_matter_are_read_and_in_a_vault_those_of_the_text(tmp_path: Path) -> None:
    note = tmp_path / "notes" / "a.md"
    note.parent.mkdir()
    note.write_text(NOTE, "utf-8")
    assert read_here(note).head.tags == ("sea", "high tide")
    (tmp_path / ".obsidian").mkdir()
    assert read_here(note).head.tags == ("sea", "high tide", "waves/big")
    note.write_text("---\ntag: sea, tide waves\n---\nText.\n", "utf-8")
    assert read_here(note).head.tags == ("sea", "tide", "waves")
