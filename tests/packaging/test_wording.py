"""Every text that a person sees uses the words of the window: no former names, and no translated turns of phrase."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from desktop_app.store.legacy_messages import FORMER_TEMPLATES, TEMPLATES

ROOT = Path(__file__).resolve().parents[2]
FORMER = {*FORMER_TEMPLATES, *(template for template, _code in TEMPLATES)}
MANUAL = sorted((ROOT / "resources" / "manual" / "en").glob("*.md"))

# What is not written, and what is written instead.
INSTEAD = {
    r"\banew\b": "again",
    r"\bmeanwhile\b": "in the meantime, while it runs",
    r"\bof which\b": "a sentence of its own",
    r"\bgoe?s? on\b": "continue, resume",
    r"\bof before\b": "earlier, previous",
    r"\bbecame of\b": "result",
    r"\btakes? (?:it|that|them) back\b|(?-i:\bTake Back\b)": "undo",
    r"\btake (?:it )?out of\b": "remove from",
    r"\bput aside\b": "save",
    r"\bmend(?:s|ed)?\b": "repair",
    r"\b(?:stands?|lies) there\b": "is",
    r"\blibrary answers\b": "the library uses",
    r"\bhits?\b": "result",
    r"\b(?:themes|(?:a|each|no|this) theme)\b": "topic (a theme has the colours of the window)",
    r"\bsaid twice\b": "duplicates",
    r"\bnear copies\b": "near-duplicates",
    r"\bmost wrongly\b": "largest errors",
    r"\bleast score\b": "minimum similarity",
    r"\d %": "99.9%, without a blank",
    r"\bconcordance\b": "keyword in context",
    r"(?-i:Rank Documents|Fold Near|Pairs of What|Pairs within the|Its File Has|Import Again)": "the entry of the menu",
    r"(?-i:Search Only Here|Search Notation|Show Extraction|Export Marks|This Answers It)": "the entry of the menu",
    r"(?-i:Compare by Meaning|Read by OCR)": "the entry of the menu",
}
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def _window() -> list[str]:
    """Return the texts of the window, and the templates of messages."""
    sources = ElementTree.parse(ROOT / "resources" / "translations" / "kindred_de.ts").iter("source")
    return [text.replace("&", "") for source in sources if (text := source.text or "") not in FORMER]


def _command_line() -> list[str]:
    """Return the literals of the commands, without docstrings and without names of options and keys."""
    found = []
    for file in (ROOT / "desktop_app" / "cli").rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                found.append(node.value)
    return [text for text in found if " " in text.strip()]


def _page(file: Path) -> list[str]:
    return file.read_text("utf-8").split("\n\n")


def _faults(texts: list[str]) -> list[str]:
    return [
        f"{found[0]!r} in {text!r}: {instead}"
        for text in (_CODE.sub("", text) for text in texts)
        for pattern, instead in INSTEAD.items()
        if (found := re.search(pattern, text, re.IGNORECASE))
    ]


def test_the_texts_of_the_window_and_its_messages() -> None:
    assert not _faults(_window())


def test_the_texts_of_the_command_line() -> None:
    assert not _faults(_command_line())


@pytest.mark.parametrize("file", [ROOT / "README.md", *MANUAL], ids=lambda file: file.stem)
def test_a_page(file: Path) -> None:
    assert not _faults(_page(file))
