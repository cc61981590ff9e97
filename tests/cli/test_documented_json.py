"""The JSON of commands has the keys that the manual lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Kindred

MANUAL = Path(__file__).parents[2] / "resources" / "manual"
ROWS = {
    "search": ["search", "ice", "--by", "document"],
    "pairs": ["pairs"],
    "pairs --passages": ["pairs", "--passages"],
    "clusters": ["clusters", "--min-size", "2"],
    "keys": ["keys", "sea.txt"],
    "diff": ["diff", "sea.txt", "copy.txt"],
    "trace": ["trace", "{folder}/copy.txt"],
    "import": ["import", "{folder}/copy.txt", "{folder}/empty.txt"],
    "documents": ["documents"],
    "collections": ["collections"],
    "tags": ["tags"],
    "references": ["references"],
    "annotations": ["annotations"],
    "models": ["models"],
    "doctor": ["doctor"],
}


def _documented(language: str) -> dict[str, list[str]]:
    """The keys that the manual's second table lists for each command."""
    text = (MANUAL / language / "command-line.md").read_text("utf-8").partition("`--json`")[2]
    rows = re.findall(r"^\| (`[^|]+) \| (.+) \|$", text, re.MULTILINE)
    return {
        command: re.findall(r"`([^`]+)`", keys)
        for commands, keys in rows
        for command in re.findall(r"`([^`]+)`", commands)
    }


def _all_keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_all_keys, value.values()))
    return set().union(*map(_all_keys, value)) if isinstance(value, list) else set()


def test_the_manual_lists_keys_of_the_same_commands_in_both_languages() -> None:
    english, german = _documented("en"), _documented("de")
    assert english.keys() == german.keys() == ROWS.keys()
    assert {name: set(keys) for name, keys in english.items()} == {name: set(keys) for name, keys in german.items()}


def test_commands_have_the_documented_keys(kindred: Kindred, imported: Path) -> None:
    (imported / "copy.txt").write_text(
        "The sea level has risen by twenty centimetres since 1900. Warm water takes more room than cold water.\n\n"
        "Something else follows here, which is new.\n",
        "utf-8",
    )
    (imported / "empty.txt").write_text("")
    kindred("import", imported / "copy.txt")
    for name, keys in _documented("en").items():
        answer = kindred(*(word.format(folder=imported) for word in ROWS[name]), "--json").json
        expected = {key for key in keys if not key.startswith("-")} or {name}
        assert expected - _all_keys(answer) == set(), name
        assert (keys[0] if keys else name) in answer, name


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_sentence_has_the_documented_keys(kindred: Kindred, imported: Path, language: str) -> None:
    text = (MANUAL / language / "command-line.md").read_text("utf-8")
    paragraph = next(each for each in text.split("\n\n") if "`document_id`" in each)
    units = {"char", "pdfium", "text", "row", "ms"}
    named = set(re.findall(r"`([a-z_]+)`", paragraph)) - (units - {"text"})
    (hit,) = kindred("search", "ice", "--top-k", "1", "--json").json["hits"]
    assert named - _all_keys(hit) == set()
