"""Signs and words in a query that other programs understand and Kindred does not, each with what to write here.

Ordinary texts contain such signs too: a question mark, "and/or", an address, a formula, code, a pasted sentence that
begins in the middle of a quotation. The patterns leave these alone. What a sentence could contain by chance counts only
in a query that does not read like one.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from desktop_app.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_MAX_CHARACTERS = 1000
"""The length up to which a query is looked through; what is longer was pasted."""

_MAX_QUERY_WORDS = 10
"""Words up to which a text without a full stop may be a query with signs; more are a sentence."""

_SENTENCE_END = re.compile(r"[.!?\u2026][\"'\u201d\u2019)]*(?:$|\s)|[,;]\s")
_CODE = re.compile(r"[;{}\\<>=$`|]|\w\(|::|->|//|(?<!\S)(?:--\w|\./)")
_IS_SHOUTED = re.compile(r"[^a-z\u00df-\u00ff]*")

_NEAR = re.compile(
    r"(?<!\S)(?:(?:o?near|within|adj)/\d+|adj\d+)(?!\S)|(?<=\S\s)(?:pre|w)/\d+(?=\s\S)"
    r"|(?<=\S\s)(?:NEAR|ADJ)(?=\s\S)|(?<!\S)NEAR(?=\()",
    re.IGNORECASE,
)
_NEAR_WORDS = ("NEAR", "ADJ")
_NEAR_PHRASE = re.compile(r'(?<=")~\d+(?!\S)')
_SIMILAR_SPELLING = re.compile(r"(?<!\S)[^\W\d_]{3,}~(?:[012](?:\.\d+)?)?(?!\S)")
_WEIGHT = re.compile(r"(?<!\S)(?:[^\W\d_]{3,}|\"[^\"]+\")\^\d+(?:\.\d+)?(?!\S)")
_STAR = re.compile(
    r"(?<!\S)(?:\*[a-z\u00df-\u00ff]{2,}(?!.*\w\*)|[^\W\d_]+\*[^\W\d_]{2,}\*?|[^\W\d_]{2,}\*[^\W\d_]+\*?)(?!\S)"
)
_LONE_STAR = re.compile(r"^\*$|(?<=[^\W\d_]\s)\*(?=\s[^\W\d_])")
_QUESTION_MARK = re.compile(r"(?<!\S)(?:[^\W\d_]+\?{1,3}[a-z\u00df-\u00ff]+|\?[a-z\u00df-\u00ff]{2,})(?!\S)")
_SLASHES = re.compile(r"(?<!\S)/(?=[^/]*(?:[*+?\[\](){}|\\^$]|[^\W\d]\.[^\W\d]))[^/]+/[gimsux]{0,3}(?!\S)")
_REGULAR = re.compile(
    r"(?<!\S)\S*(?:\w\.[*+](?=\w)|\\[wds][*+]|\\b\w+\\b|\[[a-z]-[a-z]\]|\[([A-Za-z])(?!\1)(?i:\1)\]\w|\((?:\w+\|)+\w+\)\w)\S*"
)
_JOINED = re.compile(r"(?<=\S\s)(?:&&|UND|ODER|NICHT)(?=\s\S)")
_INSTEAD_OF_JOINED = {"&&": "AND", "UND": "AND", "ODER": "OR", "NICHT": "NOT"}
_PREFIXED = re.compile(r"(?<!\S)[!#](?=[^\W\d_]{2})[\w-]+(?!\S)")
_MINUS_YEAR = re.compile(r"(?<!\S)-[12]\d{3}(?!\S)")
_YEAR_RANGE = re.compile(r"\[\s?(\d{4})\s(?:TO|-)\s(\d{4})\s?\]|(?i:year:)(\d{4})\s(?:[-\u2013]|to)\s(\d{4})\b")
_YEAR_BOUND = re.compile(r"(?<!\S)(?:year|date|jahr|datum)\s?([<>])=?\s?(\d{4}(?:-\d\d){0,2})(?!\S)", re.IGNORECASE)
_SINGLE_QUOTES = re.compile(r"['\u2018\u201a]([^\W_]+(?:[\s-][^\W_]+){1,2})['\u2019\u2018]")
_PREFIX = re.compile(r'(?<!\S)([^\W\d_]{2,12}):(?=["\u201c\u201e\w])("[^"]+"|\S+)')
_SPACED_FIELD = re.compile(r'(?<!\S)([a-z]{2,10}): (?=["\w])("[^"]+"|\S+)')
_SCHEMES = ("arxiv", "data", "doi", "file", "ftp", "hdl", "http", "https", "isbn", "issn", "javascript", "kindred")
_MORE_SCHEMES = ("localhost", "mailto", "pmc", "pmid", "tel", "urn", "zotero")
_FACE = re.compile(r"(?:(?<!\w)[:;=8xX]|[:;=])['\u2019]?-?[()]+|(?<!\S)[-^o]?[()]+[:;=]")
_LIST_MARK = re.compile(r"(?<!\S)(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})\)")
_EMPTY = re.compile(r"(?<!\S)\(\s?\)(?!\S)")
_EMPTY_QUOTES = re.compile(r'(?<!\S)"\s?"(?!\S)')
_PHRASE = re.compile(r'"[^"]*"')
_INCHES = re.compile(r'(?<=\d)"')

_NAMES = {
    "title": ("intitle", "allintitle", "subject", "titel", "betreff", "ti", "titre"),
    "author": ("writer", "by", "from", "creator", "autor", "autorin", "verfasser", "von", "au", "auteur"),
    "year": ("date", "published", "py", "jahr", "datum", "pubyear"),
    "after": ("since", "newer", "nach", "seit", "ab"),
    "before": ("until", "older", "vor", "bis"),
    "in": ("path", "folder", "dir", "directory", "file", "filename", "inurl", "ordner", "datei", "pfad", "source"),
    "collection": ("group", "sammlung", "shelf", "project"),
    "tag": ("label", "keyword", "keywords", "schlagwort", "markierung", "hashtag"),
    "type": ("filetype", "ext", "extension", "format", "mime", "typ", "dateityp", "art"),
    "language": ("sprache", "lg", "locale"),
}
"""Names of fields in other programs and in German, by the field they mean here."""
_FIELD_OF = {name: field for field, names in _NAMES.items() for name in names}
_DATED = ("year", "after", "before")
_LEAST_LIKENESS = 0.77
"""How like a field's name a mistyped one must be."""


def find_unknown_operators(
    text: str, fields: Collection[str], known: Collection[int], *, is_used: bool
) -> list[Message]:
    """Return remarks on what looks like an operator and is none, in the order of the text.

    Args:
        text: a cleaned query with plain quotation marks.
        fields: the names of the fields that exist.
        known: where operators that are understood begin.
        is_used: whether the query has operators other than phrases; then it is no pasted sentence.
    """
    if len(text) > _MAX_CHARACTERS:
        return []
    found = list(_find_distinct(text))
    if is_used or not _reads_as_sentence(text):
        found += _find_conditions(text, fields)
        if not _CODE.search(text):
            found += [*_find_lone_marks(text), *_find_signs(text)]
        found += _find_patterns(text)
    seen: dict[int, Message] = {}
    for at, remark in found:
        if at not in known:
            seen.setdefault(at, remark)
    return list(dict.fromkeys(seen[at] for at in sorted(seen)))


def _reads_as_sentence(text: str) -> bool:
    return len(text.split()) > _MAX_QUERY_WORDS or _SENTENCE_END.search(text) is not None


def _suggest(operator: str, instead: str) -> Message:
    return Message("“{operator}” is not an operator here; write {instead}.", operator=operator, instead=instead)


def _find_distinct(text: str) -> Iterator[tuple[int, Message]]:
    """Yield what no sentence contains."""
    is_shouted = _IS_SHOUTED.fullmatch(text) is not None
    for match in (*_NEAR.finditer(text), *_NEAR_PHRASE.finditer(text)):
        if match[0].upper() in _NEAR_WORDS and (is_shouted or match[0] not in _NEAR_WORDS):
            continue
        yield (
            match.start(),
            Message(
                "Kindred has no {operator}: put words that follow each other in quotation marks.", operator=match[0]
            ),
        )
    for match in _SIMILAR_SPELLING.finditer(text):
        yield (
            match.start(),
            Message(
                "{operator} is searched for as typed: Kindred does not look for similar spellings.", operator=match[0]
            ),
        )
    for match in _WEIGHT.finditer(text):
        yield (
            match.start(),
            Message("{operator} is searched for as typed: words cannot have weights.", operator=match[0]),
        )
    for match in _YEAR_RANGE.finditer(text):
        first, last = match[1] or match[3], match[2] or match[4]
        # It begins like the condition of a single year, and is therefore noted at its end.
        yield match.end() - 1, _suggest(match[0], f"year:{first}-{last}")
    for match in _YEAR_BOUND.finditer(text):
        yield match.start(), _suggest(match[0], f"{'after' if match[1] == '>' else 'before'}:{match[2]}")
    if not is_shouted:
        for match in _JOINED.finditer(text):
            if match[0] != "&&" or not _CODE.search(text):
                yield match.start(), _suggest(match[0], _INSTEAD_OF_JOINED[match[0]])


def _find_conditions(text: str, fields: Collection[str]) -> Iterator[tuple[int, Message]]:
    """Yield conditions on documents that are written in another way, or do not exist."""
    for match in _PREFIX.finditer(text):
        name = match[1].lower()
        if name in fields or name in (*_SCHEMES, *_MORE_SCHEMES) or match[2].startswith(("//", ":")):
            continue
        close = difflib.get_close_matches(name, [field for field in fields if len(field) > 3], 1, _LEAST_LIKENESS)
        field = _FIELD_OF.get(name) or next(iter(close), "")
        if field and (field not in _DATED or match[2][0].isdigit()):
            yield match.start(), _suggest(match[0], f"{field}:{match[2]}")
        elif match[1].islower() and not match[2][0].isdigit():
            yield (
                match.start(),
                Message("“{operator}:” is not an operator; it is searched for as words.", operator=match[1]),
            )
    for match in _SPACED_FIELD.finditer(text):
        is_value = match[2][0].isdigit() if match[1] in _DATED else match[1] != "in" or not match[2][0].isupper()
        if match[1] in fields and is_value:
            yield match.start(), _suggest(match[0], f"{match[1]}:{match[2]}")


def _find_signs(text: str) -> Iterator[tuple[int, Message]]:
    """Yield signs that are common in code and formulas."""
    for match in _PREFIXED.finditer(text):
        yield match.start(), _suggest(match[0], f"-{match[0][1:]}" if match[0][0] == "!" else f"tag:{match[0][1:]}")
    for match in _LONE_STAR.finditer(text):
        yield match.start(), Message("* stands for nothing when it is alone; at the end of a word it does: flood*.")
    for match in _STAR.finditer(text):
        yield (
            match.start(),
            Message(
                "{operator} is searched for as typed: * is a wildcard only at the end of a word.", operator=match[0]
            ),
        )
    for match in _QUESTION_MARK.finditer(text):
        yield (
            match.start(),
            Message(
                "{operator} is searched for as typed: ? is not a wildcard; * at the end of a word is.",
                operator=match[0],
            ),
        )
    for match in _MINUS_YEAR.finditer(text):
        yield (
            match.start(),
            Message(
                "{operator} is searched for as a number; write {instead} to exclude it.",
                operator=match[0],
                instead=f'-"{match[0][1:]}"',
            ),
        )
    quoted = _SINGLE_QUOTES.fullmatch(text)
    if quoted is not None:
        yield (
            0,
            Message(
                "Single quotation marks are searched for as text; write {instead} for an exact phrase.",
                instead=f'"{quoted[1]}"',
            ),
        )


def _find_patterns(text: str) -> Iterator[tuple[int, Message]]:
    """Yield regular expressions."""
    for match in (*_SLASHES.finditer(text), *_REGULAR.finditer(text)):
        yield (
            match.start(),
            Message("{operator} is searched for as typed: Kindred has no regular expressions.", operator=match[0]),
        )


def _find_lone_marks(text: str) -> Iterator[tuple[int, Message]]:
    """Yield parentheses and quotation marks without a partner, or with nothing inside."""
    for match in _EMPTY.finditer(text):
        yield match.start(), Message("Empty parentheses do nothing; they group words, as in (port OR quay).")
    for match in _EMPTY_QUOTES.finditer(text):
        yield match.start(), Message("Quotation marks need words between them.")
    bare = _INCHES.sub(" ", _PHRASE.sub(_blank, text))
    quote = bare.find('"')
    # One that was just typed opens a phrase.
    if quote >= 0 and bare[quote:].strip() != bare[quote - 1 :].strip():
        yield quote, Message("A quotation mark has no partner; an exact phrase has one on each side.")
    bare = _LIST_MARK.sub(_blank, _FACE.sub(_blank, bare))
    opened: list[int] = []
    for at, character in enumerate(bare):
        if character == "(":
            opened.append(at)
        elif character == ")" and opened:
            opened.pop()
        elif character == ")":
            yield at, Message("A closing parenthesis has no opening one.")
    for at in opened:
        if bare[at + 1 :].strip():
            yield at, Message("A parenthesis is never closed; parentheses group words, as in (port OR quay).")
            break


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
