"""Decides what a passage is: a sentence, or a heading, stub, form line, table row and so on, which is no evidence.

Every passage can be found by search. Only sentences support a draft, make pairs of duplicates and represent a topic or
a document, unless a person asks for all passages. The reader decides from the layout and from the words, once, when the
file is read; repetition over pages and documents is found later, in the library; a person's correction wins.

The rules on words need no parser: what tells a sentence from a title is its end mark, its length, and whether it has a
finite verb that is frequent in its language. Measured in `tests/core/test_passage_kinds.py`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from desktop_app.core.records import KindReason, PassageKind, SpanKind

RULES_VERSION = 4
"""Grows when the rules change; passages that an earlier version decided on are decided on again."""

_MIN_LETTERS = 12
_MIN_WORDS = 3
_MIN_IDEOGRAPHS = 4
_MIN_UNMARKED_IDEOGRAPHS = 12
GARBLED: PassageKind = "garbled"
"""Badly recognised text and ciphers."""

_MIN_UNMARKED_WORDS = 5
_MIN_LIST_WORDS = 6
_MANY_WORDS = 12
_LONG_TITLE = 9
_LETTERS_PER_THAI_WORD = 5
_MIN_LETTER_SHARE = 0.5
_FEW_FIELD_WORDS = 8
_FEW_LINE_WORDS = 10
_PLAIN_WORDS, _PLAIN_SHARE = 6, 0.25
_MIN_JUDGED_WORDS = 4
_ODD_SHARE, _MOSTLY_ODD_SHARE = 0.45, 0.5
_MIN_GROUPS, _MIN_GROUP_LETTERS = 6, 4
_KNOWN_SHARE = 0.12

_END = re.compile(r"[.!?…;:。！？；：؟۔।॥።][\"'”’»›“‘)\]」』）]*(?:\[?\d{1,3}\]?(?:[,–-]\d{1,3})*|\s?[⁰¹²³⁴-⁹,–-]+)?$")
_FULL_STOP = re.compile(r"[.!?…。！？؟۔।॥።][\"'”’»›“‘)\]」』）]*(?:\[?\d{1,3}\]?(?:[,–-]\d{1,3})*|\s?[⁰¹²³⁴-⁹,–-]+)?$")
_MARK = re.compile(r"^(?:[•▪‣◦●■□○➢✓–—*∙·⁃-]+|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\[\d{1,3}\])\s+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]")
_IDEOGRAPHIC_VERB = re.compile(
    r"です|ます|でした|ました|ない|った|ている|だった|である|する|した|れる|[是了在有会能要不没沒們们说說到着著]"
)
_BLANK_TO_FILL = re.compile(r"_{3,}|(?:\.\s?){6,}|(?:\s\.){5,}|…{2,}|[☐☑☒□]|\[\s?\]|[\w.,)’'] ?▶")
"""A line, dots or a box to fill in, or an arrow that points from words to one."""
_NUMBERED_LINE = re.compile(r"^\d{1,3} ?[a-z]? +(?:[a-z] +)?([A-Z][^\W\d_]+)\b")
"""The number of a form's line, without a stop behind it, and a word with a capital."""
_PARENTHESIS = re.compile(r"\([^)]*\)")
_ADDRESS = re.compile(r"\S*(?:://|@)\S+")
_LABEL = re.compile(r"^[^\W\d_][\w .'’/()&-]{0,30}[:：]\s*\S")
_PEOPLE_LABEL = re.compile(
    r"^(?:(?:also )?present|in attendance|attend(?:ees|ing)|apologies(?: for absence)?|absent|participants"
    r"|minute[ -]taker|to|from|b?cc|distribution|(?:auch )?anwesend|anwesende|abwesend|entschuldigt"
    r"|teilnehm(?:er|ende|erinnen)|teilnehmerinnen und teilnehmer|protokollführ(?:er|erin|ung)|verteiler|kopie"
    r"|présents|absents|excusés|presentes|ausentes|presenti|assenti|aanwezig|afwezig) ?[:：]\s*\S",
    re.IGNORECASE,
)
"""A label of minutes and letters with the people behind it."""
_CREDIT = re.compile(
    r"^(?-i:(?=[A-ZÜ]))"
    r"(?:(?:first |last )?(?:written|translated|edited|published|printed|compiled|illustrated|typeset|updated|modified)"
    r" (?:by|for|from|in|on|at)"
    r"|(?:zuletzt )?(?:geschrieben|übersetzt|herausgegeben|veröffentlicht|gedruckt|gesetzt|geändert|aktualisiert)"
    r" (?:von|für|aus|in|am|im|bei))\b",
    re.IGNORECASE,
)
"""The beginning of a line that says who made a text, where or when."""
CELL_SEPARATOR = " · "
"""Between the cells of a row that is read as one passage."""
_CELL_LABEL = re.compile(r"^[\w .-]{1,30}: ")

_VERB_WORDS = """
am is are was were be been being has have had do does did can could may might must shall should will would
isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't mustn't shouldn't won't wouldn't
i'm you're he's she's it's we're they're i've you've we've they've i'll you'll he'll she'll it'll we'll they'll that's
there's let's said says say came come comes went goes go got gets get made makes make took takes take gave gives give
found finds find knew knows know thought thinks think saw sees see seemed seems seem became becomes become kept keeps
keep began begins begin felt feels feel left leaves held holds hold brought brings bring wrote writes write stood stands
stand told tells tell need needs needed want wants wanted help helps helped show shows showed shown cause causes caused
ist sind war waren bin bist sein wird werden wurde wurden würde würden hat haben hatte hatten hätte kann können konnte
konnten könnte muss müssen musste mussten soll sollen sollte sollten will wollen wollte darf dürfen durfte mag möchte
gibt gab kommt kam geht ging macht machte lässt ließ steht stand liegt lag sagt sagte sieht sah weiß wusste bleibt blieb
est sont était étaient sera seront serait soit fut furent suis es êtes a ont avait avaient aura auront aurait ai as avez
avons peut peuvent pouvait doit doivent devait fait font faisait va vont allait dit disait c'est n'est n'a j'ai qu'il
es son era eran fue fueron será está están estaba ha han había hay tiene tienen tenía puede pueden podía debe hace dijo
è sono erano fu sarà sta stanno hanno aveva può possono deve devono fa disse c'è
é são foi foram será está estão estava tem têm tinha há pode podem deve faz disse
zijn wordt worden werd werden heeft hebben had kan kunnen kon moet moeten moest zal zullen zou zouden gaat doet
jest są był była było były będzie będą ma mają może mogą musi
är var blir blev har hade kan ska skulle måste finns er blev bliver havde skal skulle må kom
on oli ovat olivat ole voi pitää je jsou byl byla bylo byli má mají může musí
был была было были есть будет будут может могут должен должна нет сказал сказала є було були має мають може
είναι ήταν έχει έχουν είχε μπορεί πρέπει
"""
_VERBS = frozenset(_VERB_WORDS.split())
"""Frequent finite verbs of fourteen languages, in lower case."""

_INTERROGATIVES = """
what why how when where who which whether was warum wie wann wo wer welche welcher welches weshalb wieso pourquoi
comment quand où qui quel quelle quels quelles qué cómo cuándo dónde quién perché come quando dove chi porque como onde
quem wat waarom hoe wanneer waar wie dlaczego jak kiedy gdzie kto varför hur när var vem hvorfor hvordan hvornår hvor
почему как когда где кто что
"""
_QUESTION_WORDS = frozenset(_INTERROGATIVES.split())

_APOSTROPHES = str.maketrans("’", "'")
_VOWELS = frozenset("aeiouyæœøıəåäöüáéíóúàèìòùâêîôûãõëïÿýąęůűőāēīōūăș")
_LONG_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxzßçñ]{5,}")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_TOKEN = re.compile(r"\S+")
_OUTER_MARKS = ".,;:!?…\"'“”‘’«»‹›()[]{}*–—-/"
_ODD_INSIDE = re.compile(
    r"[A-Za-zÀ-ɏ][^\w\s'’.\-/&@_:,()–—][A-Za-zÀ-ɏ]|[a-zà-ɏ][0-9]+[a-zà-ɏ]|[a-zà-ɏ][A-ZÀ-Þ][a-zà-ɏ]?$"
    r"|[A-Za-zÀ-ɏ][~^|{}¢¬¦£\\]|[~^|{}¢¬¦£\\][A-Za-zÀ-ɏ]|[a-zà-ɏ]I+[a-zà-ɏ]"
)
_ODD_ALONE = re.compile(r"^[^\w\s]{2,}$|^[~^|\\<>{}=+#§¢¬¦]$")


class Decision(NamedTuple):
    """What a passage is, and why."""

    kind: PassageKind
    reason: KindReason


_SENTENCE = Decision("body", "")


def decide_kind(layout: SpanKind, text: str) -> Decision:
    """Return what a passage is, from its layout and its words.

    Args:
        layout: the kind of its paragraph, as the reader found it.
        text: its text, one line.
    """
    if layout in ("heading", "code", "reference", "note"):
        return Decision(layout, "layout")
    if layout == "table":
        return _decide_row(text)
    if _is_plain_sentence(text):
        return _SENTENCE
    return _decide_text(text, is_item=layout == "list")


def _is_plain_sentence(text: str) -> bool:
    """Return whether a text is a sentence at first sight, like most of a book: this takes a fifth of the time."""
    if (
        text[-1:] not in (".", "!", "?", '"')
        or text[:1].isdigit()
        or ".." in text
        or "__" in text
        or not text.isascii()
        or "[ ]" in text
        or " . . . ." in text
        or _PEOPLE_LABEL.match(text)
        or _CREDIT.match(text)
    ):
        return False
    words = text.lower().split()
    known = sum(map(STOP_WORDS.__contains__, words))
    return len(words) >= _PLAIN_WORDS and known >= _PLAIN_SHARE * len(words) and _FULL_STOP.search(text) is not None


@lru_cache(maxsize=1 << 14)
def _decide_text(text: str, *, is_item: bool) -> Decision:
    bare = _MARK.sub("", text)
    letters = sum(map(str.isalpha, bare))
    solid = len(bare) - bare.count(" ")
    if _BLANK_TO_FILL.search(bare):
        return Decision("form", "field")
    if letters < _MIN_LETTER_SHARE * solid or not letters or _ADDRESS.fullmatch(bare):
        return Decision("stub", "letters")
    ideographs = len(_IDEOGRAPH.findall(bare))
    if ideographs > letters // 2:
        return _decide_ideographs(bare, ideographs)
    words = _WORD.findall(bare)
    count = len(words)
    if unspaced := len(_UNSPACED.findall(bare)):
        count = max(count, unspaced // _LETTERS_PER_THAI_WORD)
    is_marked = _END.search(bare) is not None
    small = [word.lower().translate(_APOSTROPHES) for word in words]
    functions = sum(word in STOP_WORDS and len(word) > 1 for word in small)
    is_known = functions >= 2 and functions >= _KNOWN_SHARE * len(small)
    if _is_garbled(bare, _MOSTLY_ODD_SHARE if is_known else _ODD_SHARE):
        return Decision(GARBLED, "words")
    if count < _MIN_WORDS or letters < _MIN_LETTERS - (2 if bare.isascii() else 5) * is_marked:
        return Decision("form", "field") if bare.endswith((":", "：")) else Decision("stub", "short")
    has_verb = not _VERBS.isdisjoint(small)
    line = _NUMBERED_LINE.match(bare)
    if line is not None and count <= _FEW_LINE_WORDS and _is_field(bare[line.start(1) :]):
        return Decision("form", "field")
    if _is_line_about_people(bare, words):
        return Decision("form", "field")
    if _FULL_STOP.search(bare) is not None:
        return Decision("body", "")
    if small[0] in _QUESTION_WORDS and count <= _LONG_TITLE:
        return Decision("stub", "title")
    if count <= _FEW_FIELD_WORDS and (is_marked or _LABEL.match(bare)) and not has_verb:
        return Decision("form", "field")
    if _is_sentence_without_mark(words, count, functions, has_verb=has_verb, is_item=is_item):
        return Decision("body", "")
    return Decision("stub", "unmarked")


def _is_line_about_people(text: str, words: list[str]) -> bool:
    """Return whether a text lists people behind a label, or says who made a text: "Present: A. Holt, W. Stone."."""
    is_credit = len(words) <= _FEW_LINE_WORDS and _CREDIT.match(text) is not None
    # A verb with a capital is an initial or a name here: "A." is French for has, "Will" a person.
    return (is_credit or _PEOPLE_LABEL.match(text) is not None) and _VERBS.isdisjoint(words)


def _is_field(text: str) -> bool:
    """Return whether the text behind a number names a field: "Tax (see page 9)", but not "Swedes drowned"."""
    words = _WORD.findall(_PARENTHESIS.sub("", text).lower())
    is_told = any(word in _VERBS or word.endswith("ed") for word in words)
    return not is_told and words[0] not in STOP_WORDS


def _is_sentence_without_mark(words: list[str], count: int, functions: int, *, has_verb: bool, is_item: bool) -> bool:
    """Return whether words without an end mark are a sentence: a subtitle, a verse, a line of a data set, an item."""
    if count >= _MANY_WORDS:
        return functions >= 2 or not _has_latin(words)
    if not _has_latin(words):
        return has_verb or count >= _LONG_TITLE
    capitals = sum(word[0].isupper() for word in words[1:] if word.lower() not in STOP_WORDS)
    others = sum(word.lower() not in STOP_WORDS for word in words[1:])
    if others and capitals == others and others > 1 and count < _LONG_TITLE:
        return False  # each word has a capital: a title or a list of names
    if has_verb:
        return count >= _MIN_UNMARKED_WORDS
    return is_item and count >= _MIN_LIST_WORDS and functions >= 2


def _has_latin(words: list[str]) -> bool:
    return any(word[0] < "\u0250" for word in words)


def _decide_ideographs(text: str, ideographs: int) -> Decision:
    """Chinese and Japanese are counted in characters; a Japanese sentence ends in a verb, often without a mark."""
    if _FULL_STOP.search(text) is not None:
        return Decision("body", "") if ideographs >= _MIN_IDEOGRAPHS else Decision("stub", "short")
    if ideographs >= _MIN_UNMARKED_IDEOGRAPHS and _IDEOGRAPHIC_VERB.search(text):
        return Decision("body", "")
    if _LABEL.match(text) or text.endswith(("：", ":")):
        return Decision("form", "field")
    return Decision("stub", "short" if ideographs < _MIN_IDEOGRAPHS else "unmarked")


def _decide_row(text: str) -> Decision:
    """A row counts as a sentence if one of its cells is one."""
    for cell in text.split(CELL_SEPARATOR):
        if _decide_text(_CELL_LABEL.sub("", cell), is_item=False).kind == "body":
            return Decision("body", "")
    return Decision("table", "layout")


def _is_garbled(text: str, share: float) -> bool:
    """Return whether most words of a text in Latin letters are none of any language: bad OCR, or a cipher.

    Odd are words without vowels or with five consonants in a row, letters joined by symbols or digits, and capitals
    inside words.

    Args:
        text: one line.
        share: of odd words, from which on it is garbled.
    """
    tokens = [token for raw in _TOKEN.findall(text) if (token := raw.strip(_OUTER_MARKS)) or len(raw) > 1]
    latin = [token for token in tokens if _LATIN_WORD.search(token)]
    if len(latin) < _MIN_JUDGED_WORDS or sum(map(len, latin)) < 0.5 * sum(map(len, tokens)):
        return False
    if len(latin) >= _MIN_GROUPS and len({*map(len, latin)}) == 1 and len(latin[0]) >= _MIN_GROUP_LETTERS:
        return True  # the groups of a cipher
    is_shouted = sum(token.isupper() for token in latin) > 0.8 * len(latin)
    odd = sum(_is_odd(token, is_shouted=is_shouted) for token in tokens)
    return odd >= share * len(tokens)


def _is_odd(token: str, *, is_shouted: bool) -> bool:
    if not token or _ODD_ALONE.match(token):
        return True
    if _ODD_INSIDE.search(token):
        return True
    word = "".join(_LATIN_WORD.findall(token))
    if len(word) < 2 or (word.isupper() and len(word) <= 5 and not is_shouted):
        return False
    plain = unicodedata.normalize("NFD", word.lower())
    if len(word) > 2 and _VOWELS.isdisjoint(plain):
        return True
    return _LONG_CLUSTER.search(plain) is not None
