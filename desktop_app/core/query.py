"""Parses the text of the search box: operators, phrases and plain text.

A mistake in the notation is never an error: anything that is not a valid operator is read as plain words, and a remark
says so if it looks like an operator.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.document_dates import date_to_seconds, normalise_date
from desktop_app.core.formats import spell_suffix
from desktop_app.core.messages import Message
from desktop_app.core.scope import EVERYTHING, kinds_other_than
from desktop_app.core.stop_words import content_words
from desktop_app.core.stored_text import fold_text
from desktop_app.core.unknown_operators import find_unknown_operators
from desktop_app.core.word_conditions import ExactPhrase, WordGroup, WordStart, iter_words_of
from desktop_app.core.word_marks import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.records import CollectionKind
    from desktop_app.core.scope import Scope
    from desktop_app.core.word_conditions import WordCondition

MAX_QUERY_WORDS = 64
"""Distinct words of a query to look up; a pasted page has more, and all of them would be common."""

MAX_QUERY_OPERATORS = 64
"""Operators of a query; SQLite refuses thousands of conditions. Further ones are plain words."""

MAX_HITS = 1000
"""Hits of a search that can be scrolled through, counted or exported."""

MAX_QUERY_PARTS = 8
"""Queries between bars; each is a search of its own."""

MAX_SUM_CHARACTERS = 200
"""The length up to which ` - ` and ` + ` between blanks combine texts: a pasted paragraph may contain dashes."""

_NOT_TEXT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+")
_FIELDS = (
    *("title", "author", "year", "in", "collection", "tag", "type", "after", "before", "with", "language", "lang"),
    *("kind", "match"),
)
_VALUES = {"with": ("references",), "match": ("any", "all"), "kind": ("note", "sentence")}
"""The only values of some fields."""
_MAX_REMARKS = 3
_LAST_YEAR = 9999
_WORD = re.compile(f"(?:[^\\W_]|[{MARKS}])+")
_YEARS = re.compile(r"(\d{4})(?:(?:-|\u2013|\.\.)(\d{4}))?")
# An operator begins a word; its value is a word, or is in quotes. Inside a field's value a quote is doubled: names of
# folders and titles may contain quotes.
_OPERATOR = re.compile(
    r'(?<!\S)(?:(?P<sign>[-+~])(?=["\w])|(?P<field>' + "|".join(_FIELDS) + r"):(?=\S))"
    r'(?:"(?P<quoted>(?(field)(?:[^"]++|"")*|[^"]*))"|(?P<unquoted>\S+))|"(?P<phrase>[^"]*)"'
    rf"|(?<![^\s(])(?P<start>(?:[^\W_]|[{MARKS}])+)\*(?![^\s)])",
    re.IGNORECASE,
)
# The tokens of conditions with OR and AND: quotes are those of phrases, and words are what is between.
_TOKEN = re.compile(r'(?P<open>\()|(?P<close>\))|(?P<phrase>"[^"]*")|(?P<word>[^\s()"]+)|(?P<quote>")')
_CONNECTIVES = ("OR", "AND", "NOT")
_GROUPED = re.compile(r"(?<![^\s()])(?:OR|AND|NOT)(?![^\s()])")
_GROUPED_WORD = re.compile(rf"(~?[^\W_][\w{MARKS}'\u2019-]*\*?)[.,;:!?]*")
_MAX_GROUPED_CHARACTERS = 1000
"""The length up to which OR, AND and NOT are operators: a pasted text may write them so for emphasis."""
_MIN_TITLE_WORDS = 3
"""More words than connectives in a text in capitals, from which it is a title: NATO OR EU OR UN is none."""

_MAX_DEPTH = 8
"""Parentheses inside parentheses; a query with more is read as plain words."""

_NUMBER = re.compile(r"\d+(?:[.,:]?\d+)*%?")
_NEGATED_FIELD = re.compile(rf"(?:{'|'.join(_FIELDS)}):\S.*", re.IGNORECASE)
# The tokens of a query with bars: a bar between blanks separates, but in quotes it is text.
_BAR_TOKEN = re.compile(r'"[^"]*"|(?P<open>\()|(?P<close>\))|(?P<bar>(?<!\S)\|\|?(?!\S))')
_TIGHT_BAR = re.compile(r"(?<=\w)\|\|?(?=\s?\w)|(?<=\w\s)\|\|?(?=\w)")
_LONE_SIGN = re.compile(r"(?:^|\s)[-+\u2212]\s+$")
_LONE_SIGN_LENGTH = 3
"""Characters of a lone sign with the blanks around it."""
_SUM = re.compile(r"(?:^|\s)([-+\u2212])\s+")
_MAX_SUBTRACTED_WORDS = 4
"""After a dash, more words than these are the second half of a title or sentence."""

_SAYS_TITLE_GOES_ON = """
    a an the how what when where who why part chapter volume vol
    das dem den der des die ein eine einer eines wann warum was wer wie wo band kapitel teil
"""
_TITLE_GOES_ON = frozenset(_SAYS_TITLE_GOES_ON.split())
"""Words that begin the second half of a title."""
_OTHER_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_QUOTES = str.maketrans(dict.fromkeys(_OTHER_QUOTES, '"'))
_QUOTE = re.compile(f'["{_OTHER_QUOTES}]')
_TWO_QUOTES = re.compile(rf"({_QUOTE.pattern})\1")


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Words to look for and to exclude; a text is a word or a phrase, in any of its forms.

    Attributes:
        any: the more of them the better.
        must: all of them.
        without: none of them.
    """

    any: tuple[str, ...] = ()
    must: tuple[WordCondition, ...] = ()
    without: tuple[WordCondition, ...] = ()

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
        must: required words, phrases, beginnings of words and groups of them.
        without: excluded words and phrases.
        titles: words in the document's title.
        folders: folders or files that contain the document, by name or path.
        collections: names of collections that contain the document.
        tags: tags of the document.
        kinds: document types, or suffixes of their files.
        authors: words in the name of the document's author.
        after: the document is of this date or later, as `core.document_dates` writes it; empty for any.
        before: the document is of an earlier date; empty for any.
        languages: guessed languages of documents, by two letters.
        references: whether to search lists of references too.
        passages: only passages of these kinds: `note` or `sentence`.
        remarks: what looks like an operator and is none.
        parts: the queries between bars, each with its own texts and words; empty if there is only one. Conditions on
            documents count for all of them.
        is_match_all: whether a result must be good for every part; otherwise for any of them.
    """

    text: str
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    must: tuple[WordCondition, ...] = ()
    without: tuple[WordCondition, ...] = ()
    titles: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    after: str = ""
    before: str = ""
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    references: bool = False
    authors: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    remarks: tuple[Message, ...] = ()
    parts: tuple[Query, ...] = ()
    is_match_all: bool = False

    @property
    def keyword_query(self) -> KeywordQuery:
        """The words to look for: content words, or all words if there are none.

        Texts to be unlike in meaning do not restrict the words.
        """
        words = content_words([word for text in self.like for word in split_words(text)])
        return KeywordQuery(tuple(words[:MAX_QUERY_WORDS]), self.must, self.without)

    @property
    def whole_words(self) -> tuple[str, ...]:
        """The texts to search for without beginnings of words such as `pira*`; with them if there are no other words.

        A beginning is no word: a model that does not know it may well know the rest.
        """
        starts = {
            fold_text(word.text)
            for condition in self.must
            for word in iter_words_of(condition)
            if isinstance(word, WordStart)
        }
        if not starts:
            return self.like
        whole = (" ".join(word for word in text.split() if fold_text(word) not in starts) for text in self.like)
        return tuple(text for text in whole if text) or self.like

    def part_of(self, part_scores: Sequence[float | None]) -> Query:
        """Return the part that a result with these scores is best for; the query itself if it has no parts."""
        if not self.parts or not part_scores:
            return self
        return max(zip(part_scores, self.parts, strict=True), key=lambda each: -2.0 if each[0] is None else each[0])[1]

    @property
    def plain_text(self) -> str:
        """The texts to search for, without conditions."""
        return " - ".join((" + ".join(self.like), *self.unlike))

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
            kinds=scope.kinds | {suffix for kind in self.kinds for suffix in spell_suffix(kind)},
            authors=scope.authors + self.authors,
            dated_after=max(scope.dated_after, self.after),
            dated_before=min(filter(None, (scope.dated_before, self.before)), default=""),
            languages=self._languages_within(scope.languages),
            without=scope.without.union(*map(kinds_other_than, self.passages)),
        )

    def _languages_within(self, languages: frozenset[str] | None) -> frozenset[str] | None:
        if not self.languages:
            return languages
        return frozenset(self.languages) if languages is None else languages.intersection(self.languages)


@dataclass(frozen=True, slots=True)
class QueryOperator:
    """An operator in a query's text: its kind, its value, and its position (half-open, in characters).

    Attributes:
        condition: on words; None for another operator.
    """

    kind: str
    value: str
    start: int
    stop: int
    condition: WordCondition | None = None


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


@lru_cache(maxsize=64)
def parse_query(typed: str) -> Query:
    """Parse a query; cached, because each part of the window asks about the same one.

    `"exact phrase"`, `~"phrase in any form"`, `+must`, `-without` (also before a phrase), `begin*`, `(this OR that)`,
    `this AND that`, `NOT this`, `title:`, `author:`, `year:`, `in:`, `collection:`, `tag:`, `type:`, `language:` or
    `lang:`, `after:`, `before:`, `kind:note`, `kind:sentence`, `with:references`, and ` - ` or ` + ` between blanks,
    which subtract or add a meaning. A bar between blanks separates several queries, `match:all` asks for results that
    are good for each. Everything else is text to search for.
    """
    text = clean_query(typed)
    spans, on_bars = _split_parts(text)
    parts = [_parse_part(text[start:stop]) for start, stop in spans]
    searched = list(dict.fromkeys(part for part in parts if part.like))
    remarks = tuple(dict.fromkeys([*on_bars, *(each for part in parts for each in part.remarks)]))[:_MAX_REMARKS]
    if len(searched) < 2:
        # Beside a bar there may be only conditions, or nothing yet.
        one = parts[0] if len(parts) == 1 else _parse_part(" ".join(text[start:stop] for start, stop in spans))
        return replace(one, text=text, remarks=remarks)
    everywhere = tuple(condition for part in parts if not part.like for condition in part.without)

    def collect(name: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(value for part in parts for value in getattr(part, name)))

    return Query(
        text,
        **{name: collect(name) for name in _COLLECTED},
        after=max(part.after for part in parts),
        before=min((part.before for part in parts if part.before), default=""),
        references=any(part.references for part in parts),
        remarks=remarks,
        parts=tuple(replace(part, without=(*part.without, *everywhere)) for part in searched),
        is_match_all=any(part.is_match_all for part in parts),
    )


_COLLECTED = (
    *("like", "unlike", "must", "without", "titles", "folders", "kinds", "collections", "tags", "languages"),
    *("authors", "passages"),
)
"""The attributes of a query that its parts have together."""


def _split_parts(text: str) -> tuple[list[tuple[int, int]], list[Message]]:
    """Return the positions (start, stop) of the queries between bars, and remarks on bars that separate nothing."""
    plain = text.translate(_QUOTES)
    if len(text) > _MAX_GROUPED_CHARACTERS or "|" not in plain:
        return [(0, len(text))], []
    tokens = list(_BAR_TOKEN.finditer(plain))
    are_balanced = sum(bool(token["open"]) - bool(token["close"]) for token in tokens) == 0
    remarks = [Message("Put a space on each side of | to search for several things at once.")]
    remarks = remarks if _TIGHT_BAR.search(re.sub(r'"[^"]*"', "", plain)) else []
    spans, start, depth = [], 0, 0
    for token in tokens:
        depth += are_balanced * (bool(token["open"]) - bool(token["close"]))
        if not token["bar"]:
            continue
        if depth > 0:
            remarks.append(Message("A bar separates whole queries; inside parentheses, use OR."))
            continue
        spans.append((start, token.start()))
        start = token.end()
    spans = [(first, stop) for first, stop in [*spans, (start, len(text))] if text[first:stop].strip()]
    if len(spans) > MAX_QUERY_PARTS:
        remarks.append(Message("Only the first {count} queries between bars are searched.", count=MAX_QUERY_PARTS))
    return spans[:MAX_QUERY_PARTS] or [(0, len(text))], remarks


def _parse_part(text: str) -> Query:
    """Parse a query without bars."""
    text = text.strip()
    rest: list[str] = []
    at = 0
    found: dict[str, list[str]] = {name: [] for name in _FIELDS}
    conditions: dict[str, list[WordCondition]] = {"must": [], "without": []}
    operators, remarks = _read_operators(text)
    for operator in operators:
        rest.append(text[at : operator.start])
        at = operator.stop
        if operator.condition is None:
            found[operator.kind].append(operator.value)
            continue
        excludes = operator.kind == "without"
        conditions["without" if excludes else "must"].append(operator.condition)
        if not excludes:
            rest.append(_plain_words(operator, text))
    rest.append(text[at:])
    like, unlike = _split_sum(" ".join(" ".join(rest).split()))
    remarks += [
        Message("“ - ” subtracts the meaning of “{text}”. If it is the dash of a title, leave it out.", text=each)
        for each in unlike
    ]
    years = [_parse_years(value) for value in found["year"]]
    after = [*map(normalise_date, found["after"]), *(first for first, _ in years)]
    before = [*map(normalise_date, found["before"]), *(next_first for _, next_first in years)]
    return Query(
        text,
        like,
        unlike,
        tuple(dict.fromkeys(conditions["must"])),
        tuple(dict.fromkeys(conditions["without"])),
        tuple(dict.fromkeys(found["title"])),
        tuple(dict.fromkeys(found["in"])),
        tuple(dict.fromkeys(kind.lower().lstrip(".") for value in found["type"] for kind in split_list(value))),
        max(after, default=""),
        min(before, default=""),
        collections=tuple(dict.fromkeys(found["collection"])),
        tags=tuple(dict.fromkeys(tag for value in found["tag"] if (tag := value.lstrip("#")))),
        languages=tuple(dict.fromkeys(code for value in found["language"] for code in split_list(value))),
        references=bool(found["with"]),
        authors=tuple(dict.fromkeys(found["author"])),
        passages=tuple(dict.fromkeys(found["kind"])),
        remarks=tuple(remarks),
        is_match_all="all" in found["match"],
    )


def split_list(value: str) -> list[str]:
    """Return the values between commas: a condition may name several types or languages, of which one is enough."""
    return [part for each in value.split(",") if (part := each.strip())]


def _plain_words(operator: QueryOperator, text: str) -> str:
    """Return the words of a condition as a text to search for by meaning."""
    typed = text[operator.start : operator.stop].translate(_QUOTES)
    if operator.kind == "group":
        typed = _GROUPED.sub(" ", typed).translate(str.maketrans("()~*", "    "))
    return typed.lstrip("+~").rstrip("*").replace('"', " ")


def find_operators(text: str) -> list[QueryOperator]:
    """Return the first operators in a cleaned query; an operator without a usable value is left out."""
    return [
        replace(operator, start=operator.start + start, stop=operator.stop + start)
        for start, stop in _split_parts(text)[0]
        for operator in _read_operators(text[start:stop])[0]
    ]


def _read_operators(text: str) -> tuple[list[QueryOperator], list[Message]]:
    """Return the first operators in a cleaned query, and what looks like one and is none."""
    plain = text.translate(_QUOTES)
    groups, remarks = _find_groups(plain)
    found: list[QueryOperator] = []
    rejected: list[Message] = []
    ahead = iter([*groups, None])
    group = next(ahead)
    is_full = False
    for match in [*_OPERATOR.finditer(plain), None]:
        while group is not None and (match is None or group.start <= match.start()):
            found.append(group)
            group = next(ahead)
        if match is None or (found and match.start() < found[-1].stop):
            continue
        before = text[max(0, match.start() - _LONE_SIGN_LENGTH) : match.start()]
        operator = _interpret_operator(match, text, is_summand=bool(_LONE_SIGN.search(before)))
        if operator.value:
            found.append(operator)
        elif (remark := _explain_rejected(match)) is not None:
            rejected.append(remark)
        if len(found) > MAX_QUERY_OPERATORS:
            is_full = True
            break
    if is_full or len(found) > MAX_QUERY_OPERATORS:
        found = found[:MAX_QUERY_OPERATORS]
        rejected.append(Message("Only the first {count} operators are used.", count=MAX_QUERY_OPERATORS))
    known = {operator.start for operator in found}
    is_used = any(not isinstance(operator.condition, ExactPhrase) for operator in found)
    unknown = find_unknown_operators(plain, _FIELDS, known, is_used=is_used)
    return found, list(dict.fromkeys([*remarks, *rejected, *unknown]))[:_MAX_REMARKS]


def _explain_rejected(match: re.Match[str]) -> Message | None:
    """Return a remark on what looks like an operator and has no usable value; None if it is ordinary text."""
    value = match["unquoted"] or ""
    if match["field"] and value.startswith("("):
        return Message(
            "A condition has one value: after {operator}: write one word, or put several in quotation marks.",
            operator=match["field"],
        )
    if match["field"]:
        return Message("{operator} is not a valid condition; it is searched for as words.", operator=match[0])
    if _NEGATED_FIELD.fullmatch(value):
        return Message(
            "{operator} is searched for as words: documents cannot be excluded, only words.", operator=match[0]
        )
    return None


def _find_groups(text: str) -> tuple[list[QueryOperator], list[Message]]:
    """Return the conditions with OR, AND and NOT, and remarks on what is wrong with others. One pass over the tokens.

    A query without these words has none: parentheses alone are text.
    """
    if len(text) > _MAX_GROUPED_CHARACTERS or _GROUPED.search(text) is None or _is_title_in_capitals(text):
        return [], []
    remarks: list[Message] = []
    # Each level: the alternatives of an OR, and where each operand begins and ends.
    levels: list[_GroupLevel] = [_GroupLevel(0)]
    for match in _TOKEN.finditer(text):
        level = levels[-1]
        if match["open"]:
            if len(levels) > _MAX_DEPTH:
                return [], [Message("Parentheses are nested too deeply; they are searched for as text.")]
            levels.append(_GroupLevel(match.start()))
        elif match["close"]:
            if len(levels) == 1:
                remarks.append(Message("A closing parenthesis has no opening one."))
                level.end_operand()
                continue
            inner = levels.pop()
            group = inner.finish(remarks, is_inner=True)
            # Parentheses around plain words are text, unless they are an operand.
            levels[-1].add(group, inner.start, match.end(), is_group=inner.has_connective)
        elif match["word"] in _CONNECTIVES:
            level.connect(match["word"], match.start())
        elif match["phrase"] and text[max(0, match.start() - 1) : match.start()] in ("", " ", "("):
            words = " ".join(split_words(match["phrase"]))
            level.add(ExactPhrase(words) if words else None, match.start(), match.end())
        elif match["word"] and (operand := _GROUPED_WORD.fullmatch(match["word"])) is not None:
            word = " ".join(split_words(operand[1]))
            is_start = operand[1].endswith("*")
            level.add(WordStart(word) if is_start else word or None, match.start(), match.end())
        else:
            level.end_operand()
    if len(levels) > 1:
        remarks.append(Message("A parenthesis is never closed, so OR, AND and NOT are searched for as words."))
        return [], remarks
    levels[0].finish(remarks)
    if sum(1 for _, condition, _, _ in levels[0].groups for _ in iter_words_of(condition)) > MAX_QUERY_OPERATORS:
        return [], [Message("Only the first {count} operators are used.", count=MAX_QUERY_OPERATORS)]
    return [
        QueryOperator(kind, " ".join(text[start:stop].split()), start, stop, condition)
        for kind, condition, start, stop in levels[0].groups
    ], remarks


def _is_title_in_capitals(text: str) -> bool:
    """Return whether a text is in capitals altogether, with more words than OR, AND and NOT join."""
    words = text.split()
    joining = sum(word in _CONNECTIVES for word in words)
    return text.isupper() and "(" not in text and '"' not in text and len(words) - 2 * joining >= _MIN_TITLE_WORDS


class _GroupLevel:
    """The operands between two parentheses, joined by OR and AND as they come; AND binds closer than OR.

    Args:
        start: position of its parenthesis.

    Attributes:
        groups: the conditions that were completed: kind, condition, start and stop.
        has_connective: whether a connective joined two operands.
    """

    def __init__(self, start: int) -> None:
        self.start = start
        self.groups: list[tuple[str, WordCondition, int, int]] = []
        self.has_connective = False
        self._alternatives: list[list[WordCondition]] = []
        self._begin = self._end = self._connected_at = 0
        self._pending = ""
        self._is_joined = False
        self._remark = False
        self._all: list[WordCondition] = []

    def connect(self, word: str, start: int) -> None:
        """Note OR, AND or NOT."""
        if word == "NOT":
            if self._pending == "AND":
                start, self._pending = self._connected_at, ""
            self.end_operand()
            self._pending, self._begin = "NOT", start
        elif not self._alternatives or self._pending:
            self._remark = True
            self.end_operand()
        else:
            self._pending, self._connected_at = word, start

    def add(self, operand: WordCondition | None, start: int, stop: int, *, is_group: bool = False) -> None:
        """Add an operand; None if it has no words."""
        if self._pending == "NOT" and operand is not None:
            self.groups.append(("without", operand, self._begin, stop))
            self._pending = ""
            return
        if self._pending and operand is not None and self._alternatives:
            if self._pending == "OR":
                self._alternatives.append([operand])
            else:
                self._alternatives[-1].append(operand)
            self._end, self._pending, self._is_joined, self.has_connective = stop, "", True, True
            self._all.append(operand)
            return
        self.end_operand()
        if operand is not None:
            self._alternatives, self._begin, self._end = [[operand]], start, stop
            self._is_joined = is_group
            self.has_connective |= is_group
            self._all.append(operand)

    def end_operand(self) -> None:
        """Complete a condition: what follows is not joined to it."""
        self._remark |= bool(self._pending)
        if self._is_joined:
            self.groups.append(("group", self._condition(), self._begin, self._end))
        self._alternatives, self._pending, self._is_joined = [], "", False

    def finish(self, remarks: list[Message], *, is_inner: bool = False) -> WordCondition | None:
        """Complete the level; return the condition of all that is inside, as an operand of the level above."""
        self.end_operand()
        if is_inner and any(kind == "without" for kind, *_ in self.groups):
            self._remark, self.has_connective = True, False
            return None
        if self._remark:
            remarks.append(
                Message("OR and AND need a word on each side; NOT needs a word after it, outside parentheses.")
            )
        if not self.groups:
            return _join(tuple(self._all), is_any=False) if self._all else None
        return _join(tuple(condition for _, condition, _, _ in self.groups), is_any=False)

    def _condition(self) -> WordCondition:
        return _join(tuple(_join(tuple(each), is_any=False) for each in self._alternatives), is_any=True)


def _join(parts: tuple[WordCondition, ...], *, is_any: bool) -> WordCondition:
    return parts[0] if len(parts) == 1 else WordGroup(parts, is_any)


def set_match(typed: str, *, is_match_all: bool) -> str:
    """Return a query of several parts that asks for results good for each, or for any."""
    text = clean_query(typed)
    for operator in reversed(find_operators(text)):
        if operator.kind == "match":
            text = f"{text[: operator.start]} {text[operator.stop :]}"
    return " ".join(text.split()) + (" match:all" if is_match_all else "")


def relocate_query_paths(typed: str, moved: Callable[[str], str | None]) -> str:
    """Return a query with the `in:` operators of moved files and folders changed to the new paths.

    Args:
        typed: the query.
        moved: returns the new path of a path, or None if it has not moved.
    """
    return _replace_values(typed, "in", lambda path: moved(os.path.normpath(os.path.expanduser(path))))


def rename_in_query(typed: str, kind: CollectionKind, before: str, now: str) -> str:
    """Return a query with the new name in the `collection:` or `tag:` operators of a renamed collection or tag."""

    def rename(value: str) -> str | None:
        name = value.lstrip("#") if kind == "tag" else value
        return now if fold_text(" ".join(name.split())) == fold_text(before) else None

    return _replace_values(typed, kind, rename)


def _replace_values(typed: str, kind: str, change: Callable[[str], str | None]) -> str:
    """Return a query with other values of its operators of one kind.

    Args:
        typed: the query.
        kind: a field whose values may be any text.
        change: returns another value; None to keep it.
    """
    text = clean_query(typed)
    pieces: list[str] = []
    at = 0
    for operator in find_operators(text):
        value = change(operator.value) if operator.kind == kind else None
        if value is not None and clean_query(value) == value:
            is_word = not re.search(r"[ ()]", value) and not _QUOTE.search(value)
            pieces += [
                text[at : operator.start],
                f"{kind}:{value}" if is_word else f'{kind}:"{_QUOTE.sub(_double_quote, value)}"',
            ]
            at = operator.stop
    return "".join((*pieces, text[at:])) if pieces else typed


def _double_quote(match: re.Match[str]) -> str:
    return 2 * match[0]


def _interpret_operator(match: re.Match[str], text: str, *, is_summand: bool) -> QueryOperator:
    """Return an operator; an empty value if it is not an operator after all.

    `text` is the matched text, with its quotes as they were typed.
    """
    kind, value = _interpret_field(match, text)
    if kind:
        return QueryOperator(kind, value, match.start(), match.end())
    unquoted = match["unquoted"] or ""
    is_number = match["sign"] in ("-", "~") and _NUMBER.fullmatch(unquoted)
    is_text = is_summand or is_number or _NEGATED_FIELD.fullmatch(unquoted)
    value = "" if is_text else " ".join(split_words(value))
    condition: WordCondition = value
    if match["start"] or unquoted.endswith("*"):
        condition = WordStart(value)
    elif match["unquoted"] is None and match["sign"] != "~":
        condition = ExactPhrase(value)
    kind = "without" if match["sign"] == "-" else "start" if match["start"] else "must"
    return QueryOperator(kind, value, match.start(), match.end(), condition)


def _interpret_field(match: re.Match[str], text: str) -> tuple[str, str]:
    """Return the name of a field, empty if it is none, and the operator's value."""
    field = (match["field"] or "").lower()
    parts = (match["quoted"], match["unquoted"], match["phrase"], match["start"])
    value = next(part for part in parts if part is not None).strip()
    if field:
        if match["quoted"] is not None:
            value = _TWO_QUOTES.sub(r"\1", text[slice(*match.span("quoted"))]).strip()
        else:
            value = "" if value.startswith("(") and ")" not in value else value.strip('"')
        if field in ("language", "lang"):
            from desktop_app.core.language_detection import language_code

            codes = [language_code(each) for each in split_list(value)]
            return "language", ",".join(codes) if all(codes) else ""
        if field in ("title", "author"):
            value = value.strip("*")  # They match parts of words anyway.
        if field in _VALUES:
            value = value.lower() if value.lower() in _VALUES[field] else ""
        if field in ("after", "before") and date_to_seconds(normalise_date(value) or "0") is None:
            value = ""
        return field, "" if field == "year" and not _parse_years(value)[0] else value
    return "", value


def _split_sum(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts that are added and those that are subtracted."""
    text = text if text.strip(' "') else ""
    if len(text) > MAX_SUM_CHARACTERS:
        return ((text,) if text else ()), ()
    like: list[str] = []
    unlike: list[str] = []
    sign, at = "+", 0
    signs = list(_SUM.finditer(text))
    ends = [*(match.start() for match in signs[1:]), len(text)]
    signs = [
        match
        for match, end in zip(signs, ends, strict=False)
        if match[1] == "+" or not _is_dash_of_text(text[: match.start()], text[match.end() : end])
    ]
    for match in [*signs, None]:
        part = text[at : match.start() if match else len(text)].strip(' "')
        if part:
            (like if sign == "+" else unlike).append(part)
        if match:
            sign, at = ("+" if match[1] == "+" else "-"), match.end()
    if not like:
        # There is nothing to subtract from: then this is what the person is looking for.
        return ((text,) if text else ()), ()
    return tuple(like), tuple(unlike)


def _is_dash_of_text(before: str, after: str) -> bool:
    """Return whether a dash between blanks is that of a range or of a title, and subtracts nothing."""
    if before[-1:].isdigit() and after[:1].isdigit():
        return True
    words = after.lower().split()
    return not _QUOTE.match(after) and (len(words) > _MAX_SUBTRACTED_WORDS or not _TITLE_GOES_ON.isdisjoint(words[:1]))


def _parse_years(value: str) -> tuple[str, str]:
    """Return the first year of a range, and the one after its last; both empty if it is none."""
    match = _YEARS.fullmatch(value)
    first, last = (int(match[1]), int(match[2] or match[1])) if match is not None else (0, 0)
    return (f"{first:04}", f"{last + 1:04}") if 0 < first <= last < _LAST_YEAR else ("", "")
