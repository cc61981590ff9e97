"""Markup of notes that CommonMark does not know: that of Obsidian, Logseq, Zettlr and Pandoc.

What a note shows stays in place; each other character is replaced by `HIDDEN`, so that places do not shift.

See help.obsidian.md ("Obsidian Flavored Markdown"), docs.logseq.com and pandoc.org/MANUAL.html ("Footnotes").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop_app.core.tags import parse_tags

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = "\ue001"
"""Texts do not contain it: `clean_character` drops it."""

_CODE = r"(?P<code>(?<!`)`++[^`\n]*+`++|\\[^\n])"
_FENCED = (
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:(?! {0,3}(?P=fence))(?:[^\n]*+\n|[^\n]++\Z))*+"
    r"(?: {0,3}(?P=fence)[^\n]*+)?+"
)
_COMMENT = re.compile(rf"{_FENCED}|{_CODE}|(?<!\w)%%(?!\d)(?P<comment>(?:[^%]|%(?!%))*+)%%", re.MULTILINE)
_PAIR = re.compile(
    rf"{_CODE}|(?<![=\w])==(?=[^\s=])(?P<marked>[^=\n]++)(?<=\S)==(?![=\w])|\^\[(?P<note>[^\[\]\n]{{1,1000}}+)\]"
)
"""A highlight, and a footnote within the text."""
_LINK = re.compile(
    rf"{_CODE}|(?<!\w)(?P<embed>!?)\[\[(?P<target>[^\[\]|\n\\]{{0,300}}+)(?:\\?\|(?P<alias>[^\[\]\n]{{0,300}}+))?\]\]"
)
_MARK = re.compile(
    _CODE
    + r"|^(?P<callout>[ \t]*+(?:>[ \t]*+)++\[!\w[\w-]*+(?:\|[^\]\n]{0,100}+)?\][+-]?)"
    + r"|^(?P<task>[ \t>]*+(?:[-*+]|\d{1,9}[.)])[ \t]++)\[[ xX/-]\](?=[ \t])"
    + r"|^[ \t]*+(?:id|collapsed)::[ \t]*+\S++[ \t]*+(?=[\r\n]|\Z)"
    + r"|\[\^[^\]\s]{1,100}+\]:?"
    + r"|(?:^|(?<=[ \t]))\^(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]{3,64}(?=[ \t]*+(?:[\r\n]|\Z))"
    + r"|\(\([0-9a-fA-F-]{8,40}\)\)|\{\{(?:embed|query|renderer)\b[^{}\n]{0,300}+\}\}",
    re.MULTILINE,
)
"""Callouts, boxes of tasks, properties of blocks, marks of footnotes, ids of blocks, references to blocks."""
_SIZE = re.compile(r"\d+(?:x\d+)?")
_SHOWN = re.compile(r"[^\r\n]")
_TAG = re.compile(
    rf"{_FENCED}|{_CODE}" + r"|(?:^|(?<=[\s(]))#(?=[\w/-]*[^\W\d_])(?P<tag>\w[\w/-]{0,38}+)(?![\w/#-])", re.MULTILINE
)
_VAULT_FOLDERS = (".obsidian", "logseq")
_MAX_TAGS = 50
_TAGGED_CHARACTERS = 200_000


def hide_note_markup(text: str) -> tuple[str, list[str]]:
    """Return a text of the same length with the markup of notes hidden, and the comments that are hidden with it."""
    comments: list[str] = []

    def hide_comment(match: re.Match[str]) -> str:
        if match["comment"] is None:
            return match.group()
        comments.append(match["comment"])
        return _SHOWN.sub(HIDDEN, match.group())

    text = _COMMENT.sub(hide_comment, text)
    for pattern, hide in ((_PAIR, _hide_around), (_LINK, _hide_link), (_MARK, _hide_mark)):
        text = pattern.sub(hide, text)
    return text, comments


def _hide_around(match: re.Match[str]) -> str:
    if match["marked"] is not None:
        return HIDDEN * 2 + match["marked"] + HIDDEN * 2
    return f" {HIDDEN}{match['note']}{HIDDEN}" if match["note"] is not None else match.group()


def _hide_link(match: re.Match[str]) -> str:
    """Return the alias of a link, else its target; of what is embedded only an alias that is no size."""
    if match["target"] is None:
        return match.group()
    shown = "alias" if match["alias"] else "target"
    if match["embed"] and (shown == "target" or _SIZE.fullmatch(match["alias"])):
        return HIDDEN * len(match.group())
    before = match.start(shown) - match.start()
    text = match[shown]
    if shown == "target":
        note, _, block = text.partition("#^")
        text = note.replace("#", " ") + HIDDEN * (len(text) - len(note)) if block else text.replace("#", " ")
    return HIDDEN * before + text + HIDDEN * (len(match.group()) - before - len(text))


def _hide_mark(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return match.group()
    kept = match["task"] or ""
    if match["callout"] is not None:
        kept = match["callout"].partition("[!")[0]
    return kept + HIDDEN * (len(match.group()) - len(kept))


def find_tags(path: Path, front_matter: dict[str, Any], text: str) -> tuple[str, ...]:
    """Return the tags of a note: those in its front matter and, in a folder of notes, those in its text.

    Elsewhere `#word` may be anything: an issue, a colour, a line of a program.
    """
    named = next((value for key, value in front_matter.items() if key.lower() in ("tags", "tag")), "")
    tags = [each for each in (named if isinstance(named, list) else str(named).replace(" ", ",").split(","))]
    if _is_in_vault(path):
        tags += [match["tag"] for match in _TAG.finditer(text[:_TAGGED_CHARACTERS])]
    single = [str(each).replace(",", " ").replace(";", " ") for each in tags if isinstance(each, str)]
    return tuple(parse_tags(",".join(single))[:_MAX_TAGS])


def _is_in_vault(path: Path) -> bool:
    return any((folder / name).is_dir() for folder in path.parents for name in _VAULT_FOLDERS)
