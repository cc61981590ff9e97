"""Vaults of notes: the link that opens a note in Obsidian, and where links between notes lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.vaults import NoteResolver, find_vault, make_obsidian_link, read_links

NOTES = (
    ("Tides.md", ()),
    ("sea/Harbour.md", ("Port", "The old port")),
    ("sea/deep/Harbour.md", ()),
    ("sea/deep/Boats.md", ()),
    ("land/Boats.md", ()),
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "My notes" / ".obsidian").mkdir(parents=True)
    (tmp_path / "My notes" / "sea").mkdir()
    return tmp_path / "My notes"


def test_a_note_in_a_vault_has_a_link(vault: Path) -> None:
    note = vault / "sea" / "A & B.md"
    note.write_text("x")
    assert find_vault(str(note)) == vault
    assert make_obsidian_link(str(note)) == "obsidian://open?vault=My%20notes&file=sea%2FA%20%26%20B"
    (vault / "a.pdf").write_text("x")
    assert make_obsidian_link(str(vault / "a.pdf")) == "obsidian://open?vault=My%20notes&file=a.pdf"


def test_other_files_have_none(vault: Path) -> None:
    assert make_obsidian_link(str(vault / "gone.md")) == ""
    (vault.parent / "a.md").write_text("x")
    assert make_obsidian_link(str(vault.parent / "a.md")) == ""


def test_links_and_aliases_are_found_but_not_in_code() -> None:
    text = (
        "---\ntitle: x\naliases: [Port, 'The old port']\n---\nSee [[Tides]], [[sea/Harbour#Low water|the harbour]],\n"
        '![[Boats#^ab1]], [a](Other%20note.md#x), [b](<../c d.md> "t"), [w](https://a.b/c.md), [p](a.png).\n'
        "`[[no]]`\n```\n[[never]]\n```\n[[#here]] [[Tides]]\n"
    )
    links = read_links(text)
    assert links.aliases == ("Port", "The old port")
    assert links.targets == ("Tides", "sea/Harbour", "Boats", "Other note.md", "../c d.md")


@pytest.mark.parametrize(
    ("front", "aliases"),
    [
        ('aliases:\n  - Port\n  - "Old port"\ntags: x', ("Port", "Old port")),
        ("alias: Port", ("Port",)),
        ("aliases:", ()),
        ("title: aliases", ()),
    ],
)
def test_aliases_stand_in_a_line_or_a_list(front: str, aliases: tuple[str, ...]) -> None:
    assert read_links(f"---\n{front}\n---\nText.").aliases == aliases


@pytest.mark.parametrize(
    ("target", "source", "found"),
    [
        ("Tides", "sea/deep/Boats.md", "Tides.md"),
        ("tides.md", "sea/Harbour.md", "Tides.md"),
        ("Harbour", "land/Boats.md", "sea/Harbour.md"),
        ("deep/Harbour", "land/Boats.md", "sea/deep/Harbour.md"),
        ("sea/deep/Harbour", "Tides.md", "sea/deep/Harbour.md"),
        ("./Harbour", "sea/deep/Boats.md", "sea/deep/Harbour.md"),
        ("../Harbour.md", "sea/deep/Boats.md", "sea/Harbour.md"),
        ("Boats", "Tides.md", "land/Boats.md"),
        ("Boats", "sea/deep/Harbour.md", "sea/deep/Boats.md"),
        ("the OLD port", "Tides.md", "sea/Harbour.md"),
        ("Nowhere", "Tides.md", None),
        ("../../../Tides", "sea/Harbour.md", "Tides.md"),
        ("./Tides", "sea/Harbour.md", None),
    ],
)
def test_a_link_leads_where_obsidian_leads(target: str, source: str, found: str | None) -> None:
    assert NoteResolver(NOTES).find(target, source) == found
