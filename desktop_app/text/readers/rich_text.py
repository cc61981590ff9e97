r"""RTF (Rich Text Format 1.9.1) to events: paragraphs, tables, text boxes, notes, headers and footers.

The file is a sequence of control words, characters and groups. A group inherits the state of the group around it, and
may be a destination: a place of its own for its text, or data without text.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.reader_events import DocumentHead
from desktop_app.text.cleaning import raise_numbers
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers.paragraph_kind import LIST_ITEM
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.reader_steps import MAX_TITLE, Heartbeat, read_without_pages
from desktop_app.text.readers.symbol_fonts import DINGBAT, DINGBAT_FONTS, SYMBOLS
from desktop_app.text.readers.word_fields import read_field

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.core.records import SpanKind
    from desktop_app.text.readers.reader_steps import Step

_TOKEN = re.compile(
    r"\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|(.))|([{}])|[\r\n\0]+|([^\\{}\r\n\0]+)|\\", re.DOTALL
)
_START = "{\\rtf"
_MORE = re.compile(r"[\s\0]*+(?:\{\s*+)*\\(?:par|pard|sect|sectd|plain|trowd|cell|row|line|tab|f\d{1,5}|b|i)(?![a-z])")
r"""Begins what belongs to the document, though a brace has ended it before."""
_HEARTBEAT_CHARACTERS = 50_000
_MAX_FONT_NAME = 100
_HEADING = re.compile(r"heading (\d)")
_BODY_LEVEL = 9
"""The outline level of body text."""

_CHARSETS = {
    77: "mac_roman",
    78: "shift_jis",
    79: "cp949",
    80: "gb18030",
    81: "big5",
    83: "cp1255",
    84: "mac_arabic",
    85: "mac_greek",
    86: "mac_turkish",
    87: "cp874",
    88: "mac_latin2",
    89: "mac_cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "big5hkscs",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
r"""Encodings of the character sets of fonts (`\fcharset`)."""
_CODE_PAGES = {
    0: "cp1252",
    708: "iso8859_6",
    936: "gb18030",
    1361: "johab",
    10000: "mac_roman",
    10001: "shift_jis",
    10002: "big5",
    10003: "cp949",
    10004: "mac_arabic",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10008: "gb18030",
    10029: "mac_latin2",
    10081: "mac_turkish",
    20866: "koi8_r",
    21866: "koi8_u",
    20932: "euc_jp",
    51932: "euc_jp",
    51949: "euc_kr",
    65001: "utf-8",
}
"""Encodings of the code pages that Python does not call `cpN`."""
_ISO_CODE_PAGE = 28590
_SYMBOL = "symbol"
_SYMBOL_CHARSET = 2
_DINGBATS = "dingbats"

_CHARACTERS = {
    "tab": "\t",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "bullet": DINGBAT,
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "zwj": "\u200d",
    "zwnj": "\u200c",
}
_SIGNS = {"~": " ", "_": "-", "\t": "\t", "\\": "\\", "{": "{", "}": "}"}
_BREAKS = frozenset({"par", "line", "lbr", "softline", "page", "softpage", "column", "sect", "nestcell", "nestrow"})
_ENCODINGS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}

_NOTES = frozenset({"footnote", "annotation"})
_EDGES = frozenset({"header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"})
_BOXES = frozenset({"shptxt", "dptxbxtext"})
_TRANSPARENT = frozenset(
    {"shp", "shpinst", "shpgrp", "do", "ud", "moMath", "moMathPara", "nesttableprops", "cs", "ds", "ts", "s", "f", "fs"}
    | {"b", "i", "ul", "lang", "plain", "pard", "cf", "cb", "highlight", "super", "sub", "up", "dn", "strike", "caps"}
    | {"rtlch", "ltrch", "af", "loch", "hich", "dbch", "insrsid", "charrsid"}
)
r"""Control words after `\*` whose group has text: old programs skip such a group, which knows more than they do."""
_WITHOUT_TEXT = frozenset(
    {
        "colortbl",
        "filetbl",
        "listtable",
        "listoverridetable",
        "revtbl",
        "rsidtbl",
        "generator",
        "template",
        "background",
    }
    | {"pict", "nonshppict", "objdata", "objclass", "objname", "objalias", "objsect", "objtime", "datafield"}
    | {"formfield", "bkmkstart", "bkmkend", "xe", "rxe", "txe", "tc", "tcn", "atnid", "atnauthor", "atndate", "atnref"}
    | {"atnicn", "atntime", "atnparent", "atrfstart", "atrfend", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc"}
    | {"aftncn", "sp", "shprslt", "nonesttables", "themedata", "colorschememapping", "latentstyles", "datastore"}
    | {"xmlnstbl", "mmathPict", "pnseclvl", "pgptbl", "docvar", "private", "fontemb", "fontfile", "falt", "panose"}
    | {"fname", "htmltag", "mhtmltag", "upgradefonts", "picprop", "blipuid", "keycode", "protusertbl", "userprops"}
)
_PIECES_BEFORE = 4
"""Pieces of text in which the word before a raised number is looked for."""

_MATH_PROPERTIES = re.compile(r"m[A-Za-z]+Pr")


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read an RTF file.

    Raises:
        FileFailure: the file has no text.
    """
    parser = _RtfParser(_decode_source(path.read_bytes()))
    yield from parser.parse()
    collector = PassageCollector()
    parser.collect(collector)
    title, author = (clean_stretch(each)[0][:MAX_TITLE] for each in parser.properties())
    head = DocumentHead(
        "rtf",
        content_hash,
        title,
        author,
        outline=tuple(collector.headings),
        encoding=parser.encoding,
    )
    yield from read_without_pages(head, collector.spans(), omitted=collector.omitted)


def _decode_source(data: bytes) -> str:
    """Return the file with one character for each byte; a file in UTF-16 was saved by a text editor."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            data = data.decode(encoding, "replace").encode("utf-8", "replace")
    return data.decode("latin-1")


def _find_code_page(number: int) -> str:
    name = _CODE_PAGES.get(number) or (
        f"iso8859_{number - _ISO_CODE_PAGE}" if _ISO_CODE_PAGE < number <= _ISO_CODE_PAGE + 16 else f"cp{number}"
    )
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


@dataclass(slots=True)
class _RtfFont:
    charset: int | None = None
    code_page: int | None = None
    name: str = ""


@dataclass(slots=True)
class _RtfParagraph:
    text: str
    kind: SpanKind = "body"
    level: int = 0


@dataclass(slots=True)
class _RtfFlow:
    """The text of a destination: the body, a note, a text box.

    Attributes:
        rows: paragraphs that are finished, each as a row of one cell; table rows have more cells.
        cells: cells of the open row.
        cell: paragraphs of the open cell.
        pieces: text of the open paragraph.
        raw: bytes of it that are not decoded yet, in `encoding`, one character for each byte.
        boxes: text boxes in the open paragraph.
        raised_from: the first piece of superscript text that is still open; -1 for none.
    """

    rows: list[list[list[_RtfParagraph]]] = field(default_factory=list)
    cells: list[list[_RtfParagraph]] = field(default_factory=list)
    cell: list[_RtfParagraph] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    encoding: str = "cp1252"
    is_list: bool = False
    boxes: list[_RtfFlow] = field(default_factory=list)
    raised_from: int = -1

    def set_raised(self, is_raised: bool) -> None:
        """Begin superscript text, or end it: its numbers are references or exponents."""
        if is_raised == (self.raised_from >= 0):
            return
        self.decode_raw()
        if is_raised:
            self.raised_from = len(self.pieces)
            return
        first, self.raised_from = self.raised_from, -1
        before = "".join(self.pieces[max(first - _PIECES_BEFORE, 0) : first])
        self.pieces[first:] = [raise_numbers(before, "".join(self.pieces[first:]))]

    def add_raw(self, text: str, encoding: str) -> None:
        """Append bytes."""
        if encoding != self.encoding:
            self.decode_raw()
            self.encoding = encoding
        self.raw.append(text)

    def add(self, text: str) -> None:
        """Append text."""
        if self.raw:
            self.decode_raw()
        self.pieces.append(text)

    def decode_raw(self) -> None:
        """Decode the bytes."""
        raw = "".join(self.raw)
        self.raw.clear()
        if raw.isascii() and self.encoding not in (_SYMBOL, _DINGBATS):
            self.pieces.append(raw)
        elif raw:
            self.pieces.append(_decode_bytes(raw.encode("latin-1"), self.encoding))

    def end_paragraph(self, level: int | None, is_list: bool, in_table: bool) -> None:
        """Finish the open paragraph: in a table it joins the open cell."""
        if not in_table and self.cells:
            self.end_row()
        self._take_paragraph(level, is_list)
        if not in_table:
            self.end_row()

    def _take_paragraph(self, level: int | None, is_list: bool) -> None:
        self.decode_raw()
        self.set_raised(False)
        text = "".join(self.pieces)
        self.pieces.clear()
        if text.strip():
            kind: SpanKind = "body"
            if level is not None:
                kind = "heading"
            elif is_list or self.is_list or LIST_ITEM.match(text.strip()):
                kind = "list"
            self.cell.append(_RtfParagraph(_join_surrogates(text), kind, level or 0))
        self.is_list = False

    def end_cell(self) -> None:
        """Finish the open cell."""
        self.cells.append(self.cell)
        self.cell = []

    def end_row(self) -> None:
        """Finish the open row, or the paragraph outside a table; the text boxes in it follow."""
        self._close_row()
        waiting = self.boxes[::-1]
        self.boxes.clear()
        while waiting:  # boxes in boxes, to any depth
            box = waiting.pop()
            box._close_row()
            box._take_paragraph(None, False)
            box._close_row()
            self.rows += box.rows
            waiting += reversed(box.boxes)

    def _close_row(self) -> None:
        if self.cell:
            self.end_cell()
        if self.cells:
            self.rows.append(self.cells)
            self.cells = []

    def end(self) -> None:
        """Finish everything."""
        self.end_paragraph(None, False, False)

    def size(self) -> tuple[int, int, int]:
        """Return how much text there is; it differs once anything is added."""
        return len(self.rows), len(self.pieces), len(self.raw)

    def text(self) -> str:
        """Return the whole text."""
        return "\n".join(paragraph.text for row in self.rows for cell in row for paragraph in cell)

    def collect(self, collector: PassageCollector) -> None:
        """Put everything into a collector."""
        for row in self.rows:
            if len(row) > 1 and all(len(cell) <= 1 for cell in row):
                collector.add_row([cell[0].text if cell else "" for cell in row])
            else:
                for cell in row:
                    for paragraph in cell:
                        collector.add(paragraph.text, paragraph.kind, paragraph.level)


def _decode_bytes(data: bytes, encoding: str) -> str:
    if encoding == _SYMBOL:
        return "".join(SYMBOLS.get(byte, chr(byte) if byte < 0x80 else "") for byte in data)
    if encoding == _DINGBATS:
        return "".join(" " if byte == 0x20 else DINGBAT for byte in data)
    if encoding.startswith("cp125"):
        # RTF forbids bytes beyond ASCII; some programs write UTF-8 all the same.
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-8")
    return data.decode(encoding, "replace")


def _join_surrogates(text: str) -> str:
    r"""Join the halves of characters that `\u` gives one by one."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(slots=True)
class _RtfGroup:
    """The state that a group inherits and changes.

    Attributes:
        flow: the destination of its text.
        table: "fonts", "styles" or "info" inside these groups.
        silent: it has no text.
        other_form: inside the first form of `upr`, which repeats the second for old programs.
        hidden: it is hidden text, or text that was deleted while changes were tracked.
        starred: the next control word is a destination that old programs skip.
        font: number of its font.
        associated: the next `af` sets the font, as it is text of East Asia.
        encoding: of its bytes.
        fallback: number of characters after `u` that stand for the same character.
        in_table: it is in a table.
        level: of the heading, from 0.
        is_list: it is a list item.
        is_raised: it is superscript.
        is_instruction: in the instruction of a field; its flow is no text of the document.
        field_text: what a field shows unless its result follows, and how much text there was before.
    """

    flow: _RtfFlow
    table: str = ""
    silent: bool = False
    other_form: bool = False
    hidden: bool = False
    starred: bool = False
    font: int | None = None
    associated: bool = False
    encoding: str = "cp1252"
    fallback: int = 1
    in_table: bool = False
    level: int | None = None
    is_list: bool = False
    is_raised: bool = False
    is_instruction: bool = False
    field_text: tuple[str, tuple[int, int, int]] | None = None

    def inner(self) -> _RtfGroup:
        """Return the state of a group that begins here."""
        return _RtfGroup(
            self.flow,
            self.table,
            self.silent,
            self.other_form,
            self.hidden,
            False,
            self.font,
            self.associated,
            self.encoding,
            self.fallback,
            self.in_table,
            self.level,
            self.is_list,
            self.is_raised,
            self.is_instruction,
        )

    @property
    def has_text(self) -> bool:
        """Whether characters are text of the document."""
        return not (self.silent or self.hidden or self.other_form)


class _RtfParser:
    """Reads a file from beginning to end.

    Attributes:
        encoding: of the bytes in fonts without one of their own.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self.encoding = "cp1252"
        self._body = _RtfFlow()
        self._notes: list[_RtfFlow] = []
        self._edges: list[_RtfFlow] = []
        self._title, self._author, self._hidden = _RtfFlow(), _RtfFlow(), _RtfFlow()
        self._fonts: dict[int, _RtfFont] = {}
        self._uses_charsets = False
        self._encodings: dict[int | None, str] = {}
        self._default_font: int | None = None
        self._levels: dict[int, int] = {}
        self._style: int | None = None
        self._style_name = ""
        self._group = _RtfGroup(self._body)
        self._outer: list[_RtfGroup] = []
        self._fallback_left = 0

    def parse(self) -> Iterator[Heartbeat]:
        """Read the file; yield regularly."""
        source, match_token = self._source, _TOKEN.match
        start = source.find(_START)
        position = reported = max(start, 0)
        while (match := match_token(source, position)) is not None:
            position = match.end()
            word, number, byte, sign, brace, text = match.groups()
            if text is not None:
                self._add_text(text)
            elif word is not None:
                if word == "bin":
                    position = self._skip_binary(position, number)
                elif self._fallback_left and word in _CHARACTERS:
                    self._fallback_left -= 1
                else:
                    self._apply_word(word, int(number) if number is not None else None)
            elif byte is not None:
                self._add_text(chr(int(byte, 16)))
            elif brace == "{":
                self._begin_group()
            elif brace == "}":
                self._end_group()
                if not self._outer and start >= 0 and not _MORE.match(source, position):
                    # Programs ignore the rest, unless it is another document, or a brace too many ended this one.
                    position = source.find(_START, position)
                    if position < 0:
                        break
            elif sign is not None:
                self._apply_sign(sign)
            if position - reported >= _HEARTBEAT_CHARACTERS:
                reported = position
                yield Heartbeat()
        for flow in (self._body, *self._notes, *self._edges, self._title, self._author, self._hidden):
            flow.end()

    def collect(self, collector: PassageCollector) -> None:
        """Put the text into a collector: the body, the notes, each header and footer once."""
        for flow in (self._body, *self._notes):
            flow.collect(collector)
        known: set[str] = set()
        for flow in self._edges:
            if flow.text() not in known:
                known.add(flow.text())
                flow.collect(collector)
            else:
                collector.omit("running", flow.text())
        collector.omit("hidden", self._hidden.text())

    def properties(self) -> tuple[str, str]:
        """Return title and author."""
        return self._title.text(), self._author.text()

    def _skip_binary(self, position: int, number: str | None) -> int:
        """Return the position after binary data; only groups without text have them."""
        length = int(number or 0)
        return min(position + length, len(self._source)) if self._group.silent and length > 0 else position

    def _begin_group(self) -> None:
        self._fallback_left = 0
        self._outer.append(self._group)
        self._group = self._group.inner()
        if self._group.table == "styles":
            self._style = None

    def _end_group(self) -> None:
        self._fallback_left = 0
        if not self._outer:
            return
        ended, self._group = self._group, self._outer.pop()
        if ended.is_instruction and not self._group.is_instruction:
            ended.flow.end()
            self._group.field_text = read_field(ended.flow.text()), self._group.flow.size()
        elif ended.field_text is not None and ended.field_text[1] == ended.flow.size() and ended.has_text:
            ended.flow.add(ended.field_text[0])
        if ended.table == "fonts" != self._group.table:
            self._uses_charsets = any(font.charset not in (None, 0, 1, 2) for font in self._fonts.values())
            self._encodings.clear()
            self._group.encoding = self._font_encoding(self._group.font)

    def _add_text(self, text: str) -> None:
        group = self._group
        group.starred = False
        if self._fallback_left:
            skipped = min(self._fallback_left, len(text))
            self._fallback_left -= skipped
            text = text[skipped:]
        if group.table == "fonts" and group.font in self._fonts:
            font = self._fonts[group.font]
            font.name = (font.name + text)[:_MAX_FONT_NAME]
        elif group.table == "styles":
            self._add_style_name(text)
        elif group.has_text:
            group.flow.set_raised(group.is_raised)
            group.flow.add_raw(text, group.encoding)
        elif group.hidden and not (group.silent or group.other_form):
            self._hidden.add_raw(text, group.encoding)

    def _add(self, text: str) -> None:
        group = self._group
        if group.has_text:
            group.flow.set_raised(group.is_raised)
            group.flow.add(text)

    def _apply_sign(self, sign: str) -> None:
        if sign == "*":
            self._group.starred = True
        elif self._fallback_left:
            self._fallback_left -= 1
        elif sign in "\\{}":
            self._add_text(sign)
        elif sign in "\r\n":
            self._end_paragraph()
        elif sign in _SIGNS:
            self._add(_SIGNS[sign])

    def _apply_word(self, word: str, number: int | None) -> None:
        group = self._group
        starred, group.starred = group.starred, False
        if word in _CHARACTERS:
            self._add(_CHARACTERS[word])
        elif word == "u":
            self._add_unicode(number or 0)
        elif word in _BREAKS:
            self._end_paragraph()
        elif group.table in ("fonts", "styles") and self._describe(word, number):
            pass
        elif not self._open_destination(word) and not self._format(word, number):
            if word in _WITHOUT_TEXT or _MATH_PROPERTIES.fullmatch(word) or (starred and word not in _TRANSPARENT):
                group.silent = True
            elif starred and word == "ud":
                group.other_form = False

    def _open_destination(self, word: str) -> bool:
        """Start a destination with text, or with a table; return whether it is one."""
        group = self._group
        if word in _NOTES or word in _EDGES or word in _BOXES:
            flow = _RtfFlow()
            if not group.silent and word in _BOXES:
                group.flow.boxes.append(flow)
            elif not group.silent:
                (self._notes if word in _NOTES else self._edges).append(flow)
            group.flow, group.in_table, group.level, group.is_list = flow, False, None, False
            group.is_raised = False  # a note in the text is raised, what it says is not
        elif word in ("title", "author") and group.table == "info":
            group.flow = self._title if word == "title" else self._author
            group.silent = False
        elif word in ("fonttbl", "stylesheet", "info"):
            group.table = {"fonttbl": "fonts", "stylesheet": "styles", "info": "info"}[word]
            group.silent, group.font = True, None
        elif word == "fldinst":
            group.flow, group.is_instruction = _RtfFlow(), True
        elif word in ("listtext", "pntext"):
            group.flow.is_list = True
        elif word == "upr":
            group.other_form = True
        else:
            return False
        return True

    def _describe(self, word: str, number: int | None) -> bool:
        """Apply a control word in the table of fonts or styles; return whether it is one of them."""
        if self._group.table == "fonts":
            if word == "f" and number is not None:
                self._group.font = number
                self._fonts[number] = _RtfFont()
            elif word in ("fcharset", "cpg") and self._group.font in self._fonts:
                font = self._fonts[self._group.font]
                if word == "cpg":
                    font.code_page = number
                else:
                    font.charset = number
            else:
                return False
        elif word in ("s", "cs", "ds", "ts"):
            self._style, self._style_name = (number if word == "s" else None), ""
        elif word == "outlinelevel" and self._style is not None and number is not None and 0 <= number < _BODY_LEVEL:
            self._levels[self._style] = number
        else:
            return False
        return True

    def _add_style_name(self, text: str) -> None:
        self._style_name = (self._style_name + text)[:_MAX_FONT_NAME]
        heading = _HEADING.match(self._style_name.strip().lower())
        if heading is not None and self._style is not None:
            self._levels[self._style] = max(int(heading.group(1)) - 1, 0)

    def _format(self, word: str, number: int | None) -> bool:
        """Apply a control word that changes how text is read; return whether it is one."""
        group = self._group
        match word:
            case "f" | "af":
                if word == "f" or group.associated:
                    group.font, group.associated = number, False
                    group.encoding = self._font_encoding(number)
            case "dbch" | "loch" | "hich":
                group.associated = True
            case "rtlch" | "ltrch":
                group.associated = False
            case "plain":
                group.font, group.hidden, group.associated = self._default_font, False, False
                group.is_raised = False
                group.encoding = self._font_encoding(group.font)
            case "super" | "up":
                group.is_raised = number != 0
            case "nosupersub" | "sub" | "dn":
                group.is_raised = False
            case "deff":
                self._default_font = group.font = number
            case "ansi" | "mac" | "pc" | "pca":
                self._set_encoding(_ENCODINGS[word])
            case "ansicpg":
                self._set_encoding(_find_code_page(number or 0))
            case "uc":
                group.fallback = max(number or 0, 0)
            case "v" | "deleted":
                group.hidden = number != 0
                self._hidden.add(" ")
            case "pard":
                group.in_table, group.level, group.is_list = False, None, False
            case "intbl":
                group.in_table = True
            case "ls":
                group.is_list = bool(number)
            case "s":
                group.level = self._levels.get(number or 0)
            case "outlinelevel":
                group.level = number if number is not None and 0 <= number < _BODY_LEVEL else None
            case "trowd" | "cell" | "row":
                self._change_table(word)
            case _:
                return False
        return True

    def _change_table(self, word: str) -> None:
        group = self._group
        if group.silent or group.other_form:
            return
        if word == "trowd":
            if not group.in_table and not group.flow.cells:
                self._end_paragraph()
            return
        group.flow.end_paragraph(group.level, group.is_list, True)
        if word == "cell":
            group.flow.end_cell()
        else:
            group.flow.end_row()

    def _end_paragraph(self) -> None:
        group = self._group
        self._fallback_left = 0
        if not (group.silent or group.other_form):
            group.flow.end_paragraph(group.level, group.is_list, group.in_table)

    def _add_unicode(self, code: int) -> None:
        code += 0x10000 if code < 0 else 0
        group = self._group
        if 0xF020 <= code <= 0xF0FF:  # a symbol font by its bytes
            encoding = group.encoding if group.encoding in (_SYMBOL, _DINGBATS) else _DINGBATS
            self._add(_decode_bytes(bytes((code - 0xF000,)), encoding))
        elif 0 < code <= 0x10FFFF:
            self._add(chr(code))
        self._fallback_left = group.fallback

    def _set_encoding(self, encoding: str) -> None:
        self.encoding = encoding
        self._encodings.clear()
        self._group.encoding = self._font_encoding(self._group.font)

    def _font_encoding(self, number: int | None) -> str:
        """Return the encoding of the bytes in a font."""
        found = self._encodings.get(number)
        if found is None:
            font = self._fonts.get(number) if number is not None else None
            found = self._encodings[number] = self._find_encoding(font) if font is not None else self.encoding
        return found

    def _find_encoding(self, font: _RtfFont) -> str:
        name = font.name.strip().lower()
        if font.code_page:
            return _find_code_page(font.code_page)
        if name.startswith(DINGBAT_FONTS):
            return _DINGBATS
        if font.charset == _SYMBOL_CHARSET and name.startswith("symbol"):
            return _SYMBOL
        if font.charset == 0 and self._uses_charsets:
            # A program that knows no character sets writes 0 for all fonts: then the code page of the file holds.
            return "cp1252"
        return _CHARSETS.get(font.charset or 0, self.encoding)
