"""Markup of notes that CommonMark does not know: that of Obsidian, Logseq, Zettlr and Pandoc.

What a note shows stays in place; each other character is replaced by `HIDDEN` or `OWN_LINE`, so that places do not
shift.

See help.obsidian.md ("Obsidian Flavored Markdown"), docs.logseq.com, pandoc.org/MANUAL.html ("Footnotes", "Divs and
Spans"), and the Obsidian plugins Dataview, Tasks and Templater.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop_app.core.tags import parse_tags

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = "\ue001"
"""Texts do not contain it: `clean_character` drops it."""
OWN_LINE = "\ue002"
"""Is hidden too, and makes its line a paragraph of its own."""
QUERY_LANGUAGES = frozenset({"dataview", "dataviewjs", "tasks", "query", "base", "button"})
"""Blocks of code in these are questions to a plugin, not text."""

_CODE = r"(?P<code>(?<!`)`++[^`\n]*+`++|\\[^\n])"
_FENCED = (
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:(?! {0,3}(?P=fence))(?:[^\n]*+\n|[^\n]++\Z))*"
    r"(?: {0,3}(?P=fence)[^\n]*+)?"
)
_COMMENT = re.compile(
    rf"{_FENCED}|{_CODE}|(?<!\w)%%(?!\d)(?P<comment>[^%]*+(?:%(?!%)[^%]*+)*)%%"
    r"|<%(?P<template>(?:[^%<]|%(?!>)|<(?!%)){0,2000})%>"
    r"|^[ \t]*+:LOGBOOK:[ \t]*+\n(?P<logbook>(?:(?![ \t]*+:END:)[^\n]*+\n){0,200})[ \t]*+:END:",
    re.MULTILINE,
)
_PAIR = re.compile(
    rf"{_CODE}|(?<![=\w])==(?=[^\s=])(?P<marked>[^=\n]++)(?<=\S)==(?![=\w])|\^\[(?P<note>[^\[\]\n]{{1,1000}}+)\]"
    r"|\^\^(?=[^\s^])(?P<lit>[^^\n]++)(?<=\S)\^\^"
    r"|\[(?P<span>[^\[\]\n]{1,300}+)\]\{[.#][^{}\n]{1,200}+\}"
    r"|\[(?P<name>[A-Za-z][\w -]{0,40}+)::(?P<value>[^\[\]\n]{1,300}+)\](?![(\[])"
    r"|\((?P<unnamed>[A-Za-z][\w -]{0,40}+)::(?P<alone>[^()\n]{1,300}+)\)"
    r"|\{\{cloze (?P<cloze>[^{}\n]{1,300}+)\}\}"
)
"""Highlights, a footnote within the text, a span with attributes, fields within the text, a gap to learn."""
_LINK = re.compile(
    rf"{_CODE}|(?<!\w)(?P<embed>!?)\[\[(?P<target>[^\[\]|\n\\]{{0,300}}+)(?:\\?\|(?P<alias>[^\[\]\n]{{0,300}}+))?\]\]"
)
_DATED, _REPEATED, _PRIORITY = "📅⏳🛫➕✅❌", "🔁", "🔺⏫🔼🔽⏬"
_INNER = (
    "id|collapsed|background-color|created-at|updated-at|heading|icon|ls-type|public|template|filters"
    "|template-including-parent|query-[a-z-]{1,30}|card-[a-z-]{1,30}|hl-[a-z-]{1,30}|logseq\\.[\\w.-]{1,40}"
)
"""Properties that say nothing to a person."""
_MARK = re.compile(
    _CODE
    + r"|^(?P<callout>[ \t]*+(?:>[ \t]*+)+\[!\w[\w-]*+(?:\|[^\]\n]{0,100}+)?\][+-]?)"
    + r"|^(?P<task>[ \t>]*+(?:[-*+]|\d{1,9}[.)])[ \t]++)(?:\[[ xX/-]\](?=[ \t])"
    + r"|(?:TODO|DOING|DONE|LATER|NOW|WAITING|CANCELL?ED)(?:[ \t]++\[#[ABC]\]|(?![ \t]++\[#[ABC]\]))(?=[ \t]))"
    + rf"|[{_DATED}]\ufe0f?+[ \t]?\d{{4}}-\d\d-\d\d|[{_PRIORITY}]\ufe0f?+(?=[ \t]*+(?:[{_DATED}{_REPEATED}\r\n]|\Z))"
    + rf"|[{_REPEATED}]\ufe0f?+[ \t]?every [^\r\n{_DATED}{_PRIORITY}]{{1,40}}+"
    + r"|^[ \t]*+(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*+[<\[][^\r\n]{0,60}+"
    + r"|^(?P<bullet>[ \t>]*+(?:[-*+][ \t]++)?)(?:#\+(?:BEGIN|END|begin|end)_\w{1,20}+[^\r\n]{0,60}+"
    + rf"|(?:{_INNER})::[ \t]*+[^\r\n]*+"
    + r"|(?P<property>[A-Za-z][\w-]{0,40}+:):(?=[ \t]++\S))"
    + r"|^[ \t>]*+:{3,}+[ \t]*+(?:\{[^{}\r\n]{0,200}+\}|\w[\w-]{0,40}+)?"
    + r"|(?<=[)\]])\{(?:[.#]|:(?:height|width))[^{}\r\n]{0,200}+\}"
    + r"|(?<=[ \t])\{[.#]\w[^{}\r\n]{0,200}+\}(?=[ \t]*+(?:[\r\n]|\Z))"
    + r"|\[\^[^\]\s]{1,100}+\]:?"
    + r"|(?:^|(?<=[ \t]))\^(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]{3,64}(?=[ \t]*+(?:[\r\n]|\Z))"
    + r"|\(\([0-9a-fA-F-]{8,40}\)\)"
    + r"|\{\{(?:embed|query|renderer|video|youtube|tweet|twitter|namespace)\b[^{}\n]{0,300}+\}\}",
    re.MULTILINE,
)
"""Callouts, boxes, states and dates of tasks, fenced blocks, properties, attributes, marks of footnotes, ids of blocks,
references to blocks."""
_SIZE = re.compile(r"\d+(?:x\d+)?")
_SHOWN = re.compile(r"[^\r\n]")
_TAG = re.compile(
    rf"{_FENCED}|{_CODE}" + r"|(?:^|(?<=[\s(]))#(?=[\w/-]*[^\W\d_])(?P<tag>\w[\w/-]{0,38}+)(?![\w/#-])", re.MULTILINE
)
_VAULT_FOLDERS = (".obsidian", "logseq")
_MAX_TAGS = 50
_TAG_FIELDS = ("tags", "tag", "keywords")
_PAGE_PROPERTY = re.compile(
    r"(?P<key>[A-Za-z][\w-]{0,40}+)::(?=[ \t\r\n]|\Z)[ \t]*+(?P<value>[^\r\n]*+)(?:\r\n?|\n|\Z)"
)
_PAGE_LIST = re.compile(r"[ \t]*+,[ \t]*+")
_PAGE_LISTS = ("tags", "alias", "aliases", "author", "authors")
_TAGGED_CHARACTERS = 200_000


def hide_note_markup(text: str) -> tuple[str, list[str]]:
    """Return a text of the same length with the markup of notes hidden, and the comments that are hidden with it."""
    comments: list[str] = []

    def hide_comment(match: re.Match[str]) -> str:
        hidden = next((match[name] for name in ("comment", "template", "logbook") if match[name] is not None), None)
        if hidden is None:
            return match.group()
        comments.append(hidden)
        return _SHOWN.sub(HIDDEN, match.group())

    text = _COMMENT.sub(hide_comment, text)
    for pattern, hide in ((_PAIR, _hide_around), (_LINK, _hide_link), (_MARK, _hide_mark)):
        text = pattern.sub(hide, text)
    return text, comments


def _hide_around(match: re.Match[str]) -> str:
    if match["note"] is not None:
        return f" {HIDDEN}{match['note']}{HIDDEN}"
    if match["name"] is not None:
        return f"{HIDDEN}{match['name']}:{HIDDEN}{match['value']}{HIDDEN}"
    shown = next((name for name in ("marked", "lit", "span", "alone", "cloze") if match[name] is not None), None)
    if shown is None:
        return match.group()
    before, after = match.start(shown) - match.start(), match.end() - match.end(shown)
    return HIDDEN * before + match[shown] + HIDDEN * after


def _hide_link(match: re.Match[str]) -> str:
    """Return the alias of a link, else its target; of what is embedded only an alias that is no size."""
    if match["target"] is None:
        return match.group()
    shown = "alias" if match["alias"] else "target"
    if match["embed"] and (shown == "target" or _SIZE.fullmatch(match["alias"])):
        return HIDDEN * len(match.group())
    before = match.start(shown) - match.start()
    text = match[shown]
    if match["embed"] and _is_alone(match):
        return HIDDEN * (before - 1) + OWN_LINE + text + HIDDEN * (len(match.group()) - before - len(text))
    if shown == "target":
        note, _, block = text.partition("#^")
        text = note.replace("#", " ") + HIDDEN * (len(text) - len(note)) if block else text.replace("#", " ")
    return HIDDEN * before + text + HIDDEN * (len(match.group()) - before - len(text))


def _is_alone(match: re.Match[str]) -> bool:
    """Return whether there is nothing but a match in its line."""
    text = match.string
    line = text[max(0, match.start() - 100) : match.start()].rpartition("\n")[2]
    rest = text[match.end() : match.end() + 100].partition("\n")[0]
    return not line.strip(" \t>-*+") and not rest.strip()


def _hide_mark(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return match.group()
    kept = match["task"] or match["bullet"] or ""
    if match["callout"] is not None:
        kept = match["callout"].partition("[!")[0]
    elif match["property"] is not None:
        kept += match["property"]
    else:
        return kept + HIDDEN * (len(match.group()) - len(kept))
    return kept + OWN_LINE + HIDDEN * (len(match.group()) - len(kept) - 1)


def read_page_properties(text: str) -> tuple[int, dict[str, Any]]:
    """Return the length of the properties at the top of a page of Logseq, and their values; (0, {}) without any."""
    values: dict[str, Any] = {}
    end = 0
    while len(values) < _MAX_TAGS and (match := _PAGE_PROPERTY.match(text, end)) is not None:
        key, value = match["key"].lower(), match["value"].replace("[[", "").replace("]]", "").strip()
        parts = [part.strip("# ") for part in _PAGE_LIST.split(value)]
        values[key] = [part for part in parts if part] if key in _PAGE_LISTS else value
        end = match.end()
    return end, values


def find_tags(path: Path, front_matter: dict[str, Any], text: str) -> tuple[str, ...]:
    """Return the tags of a note: those in its front matter and, in a folder of notes, those in its text.

    Elsewhere `#word` may be anything: an issue, a colour, a line of a program.
    """
    named = next((value for key, value in front_matter.items() if key.lower() in _TAG_FIELDS and value), "")
    tags = [each for each in (named if isinstance(named, list) else str(named).replace(" ", ",").split(","))]
    if _is_in_vault(path):
        tags += [match["tag"] for match in _TAG.finditer(text[:_TAGGED_CHARACTERS])]
    single = [str(each).replace(",", " ").replace(";", " ") for each in tags if isinstance(each, str)]
    return tuple(parse_tags(",".join(single))[:_MAX_TAGS])


def _is_in_vault(path: Path) -> bool:
    return any((folder / name).is_dir() for folder in path.parents for name in _VAULT_FOLDERS)
