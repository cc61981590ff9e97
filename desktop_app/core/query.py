"""Parses the text of the search box: operators, phrases and plain text.

A mistake in the notation is never an error: anything that is not a valid operator is read as plain words.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from desktop_app.core.scope import EVERYTHING
from desktop_app.core.stop_words import content_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop_app.core.scope import Scope

MAX_QUERY_WORDS = 64
"""Distinct words of a query to look up; a pasted page has more, and all of them would be common."""

MAX_QUERY_OPERATORS = 64
"""Operators of a query; SQLite refuses thousands of conditions. Further ones are plain words."""

MAX_HITS = 1000
"""Hits of a search that can be scrolled through, counted or exported."""

MAX_SUM_CHARACTERS = 200
"""The length up to which ` - ` and ` + ` between blanks combine texts: a pasted paragraph may contain dashes."""

_NOT_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+")
_FIELDS = ("title", "in", "collection", "tag", "type", "after", "before", "with", "language", "lang")
_REFERENCES = "references"
_WORD = re.compile(r"[^\W_]+")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
# An operator begins a word; its value is a word, or is in quotes. Inside a field's value a quote is doubled: names of
# folders and titles may contain quotes.
_OPERATOR = re.compile(
    r'(?<!\S)(?:(?P<sign>[-+])(?=["\w])|(?P<field>' + "|".join(_FIELDS) + r"):(?=\S))"
    r'(?:"(?P<quoted>(?(field)(?:[^"]++|"")*|[^"]*))"|(?P<unquoted>\S+))|"(?P<phrase>[^"]*)"',
    re.IGNORECASE,
)
_LONE_SIGN = re.compile(r"(?:^|\s)[-+\u2212]\s+$")
_LONE_SIGN_LENGTH = 3
"""Characters of a lone sign with the blanks around it."""
_SUM = re.compile(r"(?:^|\s)([-+\u2212])\s+")
_OTHER_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_QUOTES = str.maketrans(dict.fromkeys(_OTHER_QUOTES, '"'))
_QUOTE = re.compile(f'["{_OTHER_QUOTES}]')
_TWO_QUOTES = re.compile(rf"({_QUOTE.pattern})\1")


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Words to look for and to exclude; each may be a phrase.

    Attributes:
        any: the more of them the better.
        must: all of them.
        without: none of them.
    """

    any: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def is_restrictive(self) -> bool:
        """Whether the words may exclude a text."""
        return bool(self.must or self.without)


NO_KEYWORDS = KeywordQuery()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        text: one line, as it was typed.
        like: texts to search for by meaning: everything but conditions on documents and excluded words.
        unlike: texts whose meaning is subtracted.
        must: required words and exact phrases.
        without: excluded words and phrases.
        titles: words in the document's title.
        folders: folders or files that contain the document, by name or path.
        collections: names of collections that contain the document.
        tags: tags of the document.
        kinds: document types, or suffixes of their files.
        after: seconds since 1970: the file was changed then or later.
        before: seconds since 1970: the file was changed earlier.
        languages: guessed languages of documents, by two letters.
        references: whether to search lists of references too.
    """

    text: str
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    references: bool = False

    @property
    def keyword_query(self) -> KeywordQuery:
        """The words to look for: content words, or all words if there are none.

        Texts to be unlike in meaning do not restrict the words.
        """
        words = content_words([word for text in self.like for word in split_words(text)])
        return KeywordQuery(tuple(words[:MAX_QUERY_WORDS]), self.must, self.without)

    @property
    def is_conditional(self) -> bool:
        """Whether the query may exclude sentences or documents."""
        return self.keyword_query.is_restrictive or not self.within(EVERYTHING).is_everything

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search for, only conditions."""
        return not self.like

    def within(self, scope: Scope) -> Scope:
        """Return the part of `scope` that satisfies the query's operators."""
        return replace(
            scope,
            titles=scope.titles + self.titles,
            folders=scope.folders + self.folders,
            collections=scope.collections + self.collections,
            tags=scope.tags + self.tags,
            kinds=scope.kinds | frozenset(self.kinds),
            after=self.after if scope.after is None else max(scope.after, self.after or scope.after),
            before=self.before if scope.before is None else min(scope.before, self.before or scope.before),
            languages=self._languages_within(scope.languages),
        )

    def _languages_within(self, languages: frozenset[str] | None) -> frozenset[str] | None:
        if not self.languages:
            return languages
        return frozenset(self.languages) if languages is None else languages.intersection(self.languages)


@dataclass(frozen=True, slots=True)
class QueryOperator:
    """An operator in a query's text: its kind, its value, and its position (half-open, in characters)."""

    kind: str
    value: str
    start: int
    stop: int


EMPTY_QUERY = Query("")


def clean_query(query: str) -> str:
    """Return `query` as one line of text that every library used here accepts.

    Lone surrogates (which broken clipboards produce) become U+FFFD, control characters blanks.
    """
    whole = query.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(_NOT_TEXT.sub(" ", whole).split())


def split_words(text: str) -> list[str]:
    """Return the words of a text, in order: runs of letters and digits."""
    return _WORD.findall(unicodedata.normalize("NFC", text))


def parse_query(typed: str) -> Query:
    """Parse a query.

    `"exact phrase"`, `+must`, `-without` (also before a phrase), `title:`, `in:`, `collection:`, `tag:`, `type:`,
    `language:` or `lang:`, `after:`, `before:`, `with:references`, and ` - ` or ` + ` between blanks, which subtract or
    add a meaning. Everything else is text to search for.
    """
    text = clean_query(typed)
    rest: list[str] = []
    at = 0
    found: dict[str, list[str]] = {name: [] for name in ("must", "without", *_FIELDS)}
    for operator in find_operators(text):
        found[operator.kind].append(operator.value)
        rest.append(text[at : operator.start])
        if operator.kind == "must":
            rest.append(text[operator.start : operator.stop].lstrip("+").translate(_QUOTES).replace('"', " "))
        at = operator.stop
    rest.append(text[at:])
    like, unlike = _split_sum(" ".join(" ".join(rest).split()))
    after = [day for value in found["after"] if (day := _parse_date(value)) is not None]
    before = [day for value in found["before"] if (day := _parse_date(value)) is not None]
    return Query(
        text,
        like,
        unlike,
        tuple(dict.fromkeys(found["must"])),
        tuple(dict.fromkeys(found["without"])),
        tuple(dict.fromkeys(found["title"])),
        tuple(dict.fromkeys(found["in"])),
        tuple(dict.fromkeys(value.lower().lstrip(".") for value in found["type"])),
        max(after, default=None),
        min(before, default=None),
        collections=tuple(dict.fromkeys(found["collection"])),
        tags=tuple(dict.fromkeys(tag for value in found["tag"] if (tag := value.lstrip("#")))),
        languages=tuple(dict.fromkeys(found["language"])),
        references=bool(found["with"]),
    )


def find_operators(text: str) -> list[QueryOperator]:
    """Return the first operators in a cleaned query; an operator without a usable value is left out."""
    found: list[QueryOperator] = []
    for match in _OPERATOR.finditer(text.translate(_QUOTES)):
        before = text[max(0, match.start() - _LONE_SIGN_LENGTH) : match.start()]
        kind, value = _interpret_operator(match, text, is_summand=bool(_LONE_SIGN.search(before)))
        if value:
            if len(found) == MAX_QUERY_OPERATORS:
                break
            found.append(QueryOperator(kind, value, match.start(), match.end()))
    return found


def relocate_query_paths(typed: str, moved: Callable[[str], str | None]) -> str:
    """Return a query with the `in:` operators of moved files and folders changed to the new paths.

    Args:
        typed: the query.
        moved: returns the new path of a path, or None if it has not moved.
    """
    text = clean_query(typed)
    pieces: list[str] = []
    at = 0
    for operator in find_operators(text):
        path = moved(os.path.normpath(os.path.expanduser(operator.value))) if operator.kind == "in" else None
        if path is not None and clean_query(path) == path:
            is_word = " " not in path and not _QUOTE.search(path)
            pieces += [
                text[at : operator.start],
                f"in:{path}" if is_word else f'in:"{_QUOTE.sub(_double_quote, path)}"',
            ]
            at = operator.stop
    return "".join((*pieces, text[at:])) if pieces else typed


def _double_quote(match: re.Match[str]) -> str:
    return 2 * match[0]


def _interpret_operator(match: re.Match[str], text: str, *, is_summand: bool) -> tuple[str, str]:
    """Return an operator's kind and value; an empty value if it is not an operator after all.

    `text` is the matched text, with its quotes as they were typed.
    """
    field = (match["field"] or "").lower()
    value = next(part for part in (match["quoted"], match["unquoted"], match["phrase"]) if part is not None).strip()
    if field:
        if match["quoted"] is not None:
            value = _TWO_QUOTES.sub(r"\1", text[slice(*match.span("quoted"))]).strip()
        else:
            value = value.strip('"')
        if field in ("language", "lang"):
            from desktop_app.core.language_detection import language_code

            return "language", language_code(value)
        if field == "with" and value.lower() != _REFERENCES:
            value = ""
        return field, "" if field in ("after", "before") and _parse_date(value) is None else value
    kind = "without" if match["sign"] == "-" else "must"
    return kind, "" if is_summand else " ".join(split_words(value))


def _split_sum(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts that are added and those that are subtracted."""
    text = text if text.strip(' "') else ""
    if len(text) > MAX_SUM_CHARACTERS:
        return ((text,) if text else ()), ()
    like: list[str] = []
    unlike: list[str] = []
    sign, at = "+", 0
    for match in [*_SUM.finditer(text), None]:
        part = text[at : match.start() if match else len(text)].strip(' "')
        if part:
            (like if sign == "+" else unlike).append(part)
        if match:
            sign, at = ("+" if match[1] == "+" else "-"), match.end()
    if not like:
        # There is nothing to subtract from: then this is what the person is looking for.
        return ((text,) if text else ()), ()
    return tuple(like), tuple(unlike)


def _parse_date(value: str) -> float | None:
    """Return the first moment of a year, a month or a day in local time, as seconds since 1970."""
    match = _DATE.fullmatch(value)
    if match is None:
        return None
    try:
        return datetime(int(match[1]), int(match[2] or 1), int(match[3] or 1)).astimezone().timestamp()
    except (ValueError, OverflowError, OSError):
        return None
