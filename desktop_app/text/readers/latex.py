"""LaTeX to events: paragraphs, headings, notes, captions, tables, references, each letter with its place in the source.

Commands leave their text and nothing else; short formulas are written in letters, long ones as `[…]`, displayed ones
are left out. Other files that a document names are not followed.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_app.core.document_dates import read_written_date
from desktop_app.core.language_detection import guess_language
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import DocumentHead, OmittedText
from desktop_app.text.cleaning import clean_character
from desktop_app.text.decoding import decode
from desktop_app.text.passages import MAX_PASSAGE, Passage, find_cut, locate_by_line, split_into_sentences
from desktop_app.text.readers.plain import text_unit
from desktop_app.text.readers.reader_steps import MAX_TITLE, PROGRESS_CHARACTERS, Heartbeat, read_without_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop_app.core.records import SpanKind
    from desktop_app.text.readers.reader_steps import Step

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*+(?:\n[ \t]*+)?)|\\(?P<command>[a-zA-Z@]++)(?P<star>\*?)[ \t]*+|\\(?P<symbol>[^a-zA-Z@]|\Z)"
    r"|(?P<blank>\n[ \t]*\n\s*+)|(?P<brace>[{}])|(?P<math>\$\$?)|(?P<dash>--?-?|``|''|[`'~&])"
    r"|(?P<text>[^\\%{}$~&`'\n-]++|[\s\S])"
)
_BRACE = re.compile(r"\\.|%[^\n]*+|[{}]", re.DOTALL)
_FORMULA = re.compile(r"\$([^$\\]*+(?:\\.[^$\\]*+)*)\$", re.DOTALL)
_NAME = re.compile(r"\s*\{([a-zA-Z@]+)(\*?)\}")
_OPTION = re.compile(r"\s*\[[^\[\]\n]{0,300}\]")
_ROOM = re.compile(r"\s*=?\s*-?[\d.]*\s*(?:pt|cm|mm|em|ex|in|bp|sp|\\\w+)?(?:\s+(?:plus|minus)\s+[\d.]+\w+)*")
_DEFINED = re.compile(r"\s*\\(?:[a-zA-Z@]+|.)[^{}\n]{0,100}")
_MATH_COMMAND = re.compile(r"\\([a-zA-Z]+|.)", re.DOTALL)
_BREAK = re.compile(r"\n[ \t]*\n")
_SAMPLE_CHARACTERS = 20_000
_MAX_FORMULA, _MAX_SHOWN = 2_000, 40
_CLOSING = frozenset(",.;)")
_LONG_FORMULA = "[…]"

_LEVELS = {
    "part": 0,
    "chapter": 0,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
_NOTES = frozenset({"footnote", "footnotetext", "thanks", "caption", "captionof", "marginpar", "sidenote", "endnote"})
_ABOUT = frozenset({"title", "author", "date", "subtitle"})
_DROPPED_ARGUMENTS = """
1 label ref eqref pageref autoref cref Cref vref nameref cite citep citet citealp citealt citeauthor citeyear parencite
1 textcite autocite footcite nocite fullcite bibliography bibliographystyle addbibresource documentclass usepackage
1 RequirePackage input include includeonly includegraphics graphicspath pagestyle thispagestyle index glossary
1 hypersetup geometry vspace hspace addvspace enlargethispage setcounter stepcounter pagenumbering color phantom
1 hphantom vphantom cline cmidrule selectlanguage hyphenation captionsetup lstset tikzset usetikzlibrary theoremstyle
1 pdfinfo fontsize linespread lstinputlisting subfile externaldocument institute keywords fancyhf
2 setlength addtolength addtocounter definecolor newtheorem renewcommand newcommand providecommand DeclareMathOperator
2 DeclareRobustCommand numberwithin titleformat rule
3 newenvironment renewenvironment addcontentsline
-1 href textcolor colorbox raisebox scalebox foreignlanguage parbox
-2 multicolumn multirow fcolorbox resizebox
"""
_DROPPED = {name: int(line.split()[0]) for line in _DROPPED_ARGUMENTS.strip().splitlines() for name in line.split()[1:]}
"""How many arguments of a command are dropped; of negative numbers the argument that follows is text."""
_ROOMS = frozenset({"vskip", "hskip", "kern", "parindent", "parskip", "baselineskip", "textwidth", "textheight"})
_DEFINITIONS = frozenset({"def", "gdef", "edef", "xdef", "let"})
_COLUMNS = {
    "tabular": 1,
    "array": 1,
    "longtable": 1,
    "tabularx": 2,
    "tabulary": 2,
    "minipage": 1,
    "wrapfigure": 2,
    "multicols": 1,
    "thebibliography": 1,
    "adjustbox": 1,
    "supertabular": 1,
    "tblr": 1,
}
_TABLES = frozenset({"tabular", "longtable", "tabularx", "tabulary", "supertabular", "tblr"})
_CODE = frozenset({"verbatim", "Verbatim", "lstlisting", "minted", "alltt", "BVerbatim"})
_PICTURES = frozenset({"comment", "tikzpicture", "pgfpicture", "picture", "filecontents", "pspicture", "tikzcd"})
_DISPLAYS = frozenset(
    {
        "equation",
        "align",
        "gather",
        "multline",
        "eqnarray",
        "displaymath",
        "math",
        "flalign",
        "alignat",
        "dmath",
        "IEEEeqnarray",
    }
)
_BREAKS = frozenset(
    {
        "par",
        "newpage",
        "clearpage",
        "maketitle",
        "tableofcontents",
        "hline",
        "toprule",
        "midrule",
        "bottomrule",
        "bigskip",
        "medskip",
        "smallskip",
        "appendix",
    }
)
_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    '"': "\u0308",
    "H": "\u030b",
    "u": "\u0306",
    "v": "\u030c",
    "c": "\u0327",
    "k": "\u0328",
    "d": "\u0323",
    "b": "\u0331",
    "r": "\u030a",
}
_LETTER = re.compile(r"\s*(?:\{\s*(?:\\([ij])|([^\W\d_]))\s*\}|\\([ij])(?![a-zA-Z])|([^\W\d_]))")
_SYMBOLS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "aa": "å",
    "AA": "Å",
    "i": "ı",
    "j": "ȷ",
    "ldots": "…",
    "dots": "…",
    "textellipsis": "…",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "BibTeX": "BibTeX",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "textcopyright": "©",
    "pounds": "£",
    "euro": "€",
    "texteuro": "€",
    "EUR": "€",
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textbar": "|",
    "textless": "<",
    "textgreater": ">",
    "textendash": "–",
    "textemdash": "—",
    "textquoteleft": "‘",
    "textquoteright": "’",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "glqq": "„",
    "grqq": "“",
    "flqq": "«",
    "frqq": "»",
    "textdegree": "°",
    "degree": "°",
    "textregistered": "®",
    "texttrademark": "™",
    "dag": "†",
    "ddag": "‡",
    "quad": " ",
    "qquad": " ",
    "space": " ",
    "newline": " ",
    "linebreak": " ",
    "slash": "/",
    "th": "þ",
    "dh": "ð",
    "textsection": "§",
    "textmu": "µ",
    "textbullet": "•",
}
_PLAIN_SYMBOLS = {
    "%": "%",
    "&": "&",
    "$": "$",
    "#": "#",
    "_": "_",
    "{": "{",
    "}": "}",
    " ": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    "\n": " ",
    "\t": " ",
}
_DASHES = {"---": "—", "--": "–", "-": "-", "``": "“", "''": "”", "`": "‘", "'": "’", "~": " ", "&": " "}
_MATH_SYMBOLS = {
    "times": "×",
    "cdot": "·",
    "div": "÷",
    "pm": "±",
    "mp": "∓",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "approx": "≈",
    "sim": "∼",
    "equiv": "≡",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "Rightarrow": "⇒",
    "Leftrightarrow": "⇔",
    "mapsto": "↦",
    "infty": "∞",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "partial": "∂",
    "nabla": "∇",
    "in": "∈",
    "notin": "∉",
    "subset": "⊂",
    "subseteq": "⊆",
    "cup": "∪",
    "cap": "∩",
    "emptyset": "∅",
    "forall": "∀",
    "exists": "∃",
    "neg": "¬",
    "land": "∧",
    "lor": "∨",
    "sqrt": "√",
    "circ": "∘",
    "ldots": "…",
    "dots": "…",
    "cdots": "…",
    "langle": "⟨",
    "rangle": "⟩",
    "ell": "ℓ",
    "prime": "′",
    "mid": "|",
    "star": "⋆",
    "ast": "∗",
    "propto": "∝",
    "ll": "≪",
    "gg": "≫",
    "oplus": "⊕",
    "otimes": "⊗",
    "perp": "⊥",
    "varepsilon": "ε",
    "varphi": "φ",
    "vartheta": "θ",
    "hbar": "ℏ",
    "degree": "°",
}


@dataclass(slots=True)
class _Paragraph:
    """A paragraph under construction: its characters, and the index of each in the source."""

    kind: SpanKind = "body"
    level: int = 0
    text: list[str] = field(default_factory=list)
    indices: array[int] = field(default_factory=lambda: array("i"))

    def add(self, text: str, start: int, stop: int) -> None:
        """Add text that stands between two indices of the source."""
        self.text.append(text)
        if len(text) == stop - start:
            self.indices.extend(range(start, stop))
        else:
            self.indices.extend(min(start + at, max(stop - 1, start)) for at in range(len(text)))

    def passages(self) -> Iterator[Passage]:
        """Yield the clean text, cut if it is too long."""
        letters: list[str] = []
        indices = array("i")
        blank = True
        for char, index in zip("".join(self.text), self.indices, strict=True):
            for letter in clean_character(char):
                if blank and letters and letter in _CLOSING:
                    letters.pop()  # what stood before it was dropped
                    indices.pop()
                if letter != " " or not blank:
                    letters.append(letter)
                    indices.append(index)
                blank = letter == " "
        text = "".join(letters).rstrip()
        start = 0
        while start < len(text):
            stop = find_cut(text, start) if len(text) - start > MAX_PASSAGE else len(text)
            passage = Passage(self.kind, is_cut=stop < len(text))
            passage.add(text[start:stop], indices[start:stop], None)
            yield passage
            start = stop


@dataclass(slots=True)
class _Frame:
    """An argument that becomes a paragraph of its own: where its brace closes, and for which command."""

    stop: int
    command: str
    paragraph: _Paragraph


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a LaTeX file.

    Raises:
        FileFailure: the file is binary, or has no text.
    """
    decoded = decode(path.read_bytes())
    source = decoded.text
    document = _LatexSource(source)
    yield from document.parse()
    passages = document.passages
    head = DocumentHead(
        "latex",
        content_hash,
        document.about.get("title", "") or next((entry.title for entry in document.outline), ""),
        " and ".join(filter(None, (name.strip(" ,") for name in document.about.get("author", "").split("\n")))),
        outline=tuple(document.outline),
        encoding=decoded.encoding,
        dated=read_written_date(document.about.get("date", "")),
    )
    language = guess_language(" ".join(each.text for each in passages[len(passages) // 3 :][:200])[:_SAMPLE_CHARACTERS])
    spans = locate_by_line(split_into_sentences(passages, language, lambda _: text_unit()), source)
    yield from read_without_pages(head, spans, decoded.warning, omitted=document.omitted)


class _LatexSource:
    """A LaTeX file that is read token by token.

    Attributes:
        passages: the text.
        outline: the headings.
        about: title, author and date, as the file states them.
        omitted: displayed formulas and drawings.

    Args:
        source: the text of the file.
        has_notes: whether notes are read.
    """

    def __init__(self, source: str, *, has_notes: bool = True) -> None:
        self.passages: list[Passage] = []
        self.outline: list[OutlineEntry] = []
        self.about: dict[str, str] = {}
        self.omitted: list[OmittedText] = []
        self._source = source
        self._closing: dict[int, int] = {}
        self._missing: set[str] = set()
        self._paragraph = _Paragraph()
        self._frames: list[_Frame] = []
        self._after: list[_Paragraph] = []
        self._tables = 0
        self._at = 0
        self._has_ended = False
        self._has_notes = has_notes

    def parse(self) -> Iterator[Heartbeat]:
        """Read the file."""
        yield from self._match_braces()
        start = self._source.find("\\begin{document}")
        if start >= 0:
            for match in re.finditer(r"\\(title|author|date)\b", self._source[:start]):
                self._read_about(match.group(1), match.end())
            self._at = start + len("\\begin{document}")
        reported_at = self._at
        while self._at < len(self._source) and not self._has_ended:
            token = _TOKEN.match(self._source, self._at)
            assert token is not None  # the last alternative matches anything
            self._at = token.end()
            self._read_token(token)
            if self._at - reported_at > PROGRESS_CHARACTERS // 2:
                reported_at = self._at
                yield Heartbeat()
        while self._frames:
            self._end_frame(self._frames.pop())
        self._end_paragraph()

    def _match_braces(self) -> Iterator[Heartbeat]:
        """Find the closing brace of each opening one."""
        opened: list[int] = []
        for number, match in enumerate(_BRACE.finditer(self._source)):
            if number % PROGRESS_CHARACTERS == PROGRESS_CHARACTERS - 1:
                yield Heartbeat()
            if match.group() == "{":
                opened.append(match.start())
            elif match.group() == "}" and opened:
                self._closing[opened.pop()] = match.start()

    # Tokens

    def _read_token(self, token: re.Match[str]) -> None:
        start, stop = token.span()
        match token.lastgroup:
            case "command" | "star":
                self._read_command(token["command"], start)
            case "symbol":
                self._read_symbol(token["symbol"], start)
            case "blank":
                self._break()
            case "brace":
                while self._frames and self._frames[-1].stop <= start:
                    self._end_frame(self._frames.pop())
            case "math":
                self._read_formula(token.group(), start)
            case "dash":
                if token.group() == "&" and not self._tables:
                    return
                self._target.add(_DASHES[token.group()], start, stop)
            case "text":
                self._target.add(token.group(), start, stop)

    @property
    def _target(self) -> _Paragraph:
        return self._frames[-1].paragraph if self._frames else self._paragraph

    def _read_command(self, command: str, start: int) -> None:
        if command in _ACCENTS and self._add_accent(command, start):
            return
        if (symbol := _SYMBOLS.get(command)) is not None:
            self._target.add(symbol, start, self._at)
            if self._source.startswith("{}", self._at):
                self._at += 2
        elif command in _LEVELS or command in _NOTES:
            self._skip_options()
            if command == "captionof":
                self._skip_group()
            self._begin_frame(command)
        elif command in _ABOUT:
            self._skip_options()
            self._read_about(command, self._at)
            self._skip_group()
        elif command in ("begin", "end"):
            self._read_environment(command)
        elif command == "item":
            self._break()
            self._paragraph.kind = "list"
            self._skip_brackets()
        elif command == "bibitem":
            self._break()
            self._skip_options()
            self._skip_group()
            self._paragraph.kind = "reference"
        elif command in ("verb", "lstinline"):
            self._read_inline_code()
        elif command in _BREAKS:
            self._break()
        elif command in _ROOMS:
            self._skip(_ROOM)
        elif command in _DEFINITIONS:
            self._skip(_DEFINED)
            self._skip_group()
        elif (count := _DROPPED.get(command, 0)) != 0:
            for _ in range(abs(count)):
                self._skip_options()
                self._skip_group()
            self._skip_options()
        else:
            self._skip_options()
            if command in ("tabularnewline", "cr"):
                self._end_row()

    def _read_symbol(self, symbol: str, start: int) -> None:
        if symbol in _ACCENTS and self._add_accent(symbol, start):
            return
        if symbol == "\\":
            self._skip(_OPTION)
            if self._tables:
                self._end_row()
            else:
                self._target.add(" ", start, self._at)
        elif symbol in "([":
            self._read_until("\\)" if symbol == "(" else "\\]", is_inline=symbol == "(")
        elif shown := _PLAIN_SYMBOLS.get(symbol):
            self._target.add(shown, start, self._at)

    def _add_accent(self, accent: str, start: int) -> bool:
        letter = _LETTER.match(self._source, self._at)
        # The name of an accent is followed by a brace or a blank; it may be the name of another command.
        if letter is None or (
            accent.isalpha()
            and self._source[self._at - 1 : self._at].isalpha()
            and not letter.group().lstrip().startswith(("{", "\\"))
        ):
            return False
        self._at = letter.end()
        base = next(filter(None, letter.groups()))
        shown = unicodedata.normalize("NFC", base + _ACCENTS[accent])
        self._target.add(shown, start, self._at)
        return True

    # Formulas and code

    def _read_formula(self, mark: str, start: int) -> None:
        if mark == "$$":
            self._read_until("$$", is_inline=False)
            return
        found = _FORMULA.match(self._source, start)
        if found is not None and len(found.group()) < _MAX_FORMULA and not _BREAK.search(found.group()):
            self._at = found.end()
            self._add_formula(found.group(1), start)

    def _read_until(self, end: str, *, is_inline: bool) -> None:
        """Read a formula to its end; one without an end is text."""
        start = self._at
        stop = -1 if end in self._missing else self._source.find(end, start)
        if stop < 0:
            self._missing.add(end)
            return
        self._at = stop + len(end)
        if is_inline and stop - start < _MAX_FORMULA:
            self._add_formula(self._source[start:stop], start)
        else:
            self._omit(self._source[start:stop])
            self._target.add(" ", start, self._at)

    def _add_formula(self, formula: str, start: int) -> None:
        shown = _show_formula(formula)
        self._target.add(shown if len(shown) <= _MAX_SHOWN else _LONG_FORMULA, start, self._at)

    def _omit(self, text: str) -> None:
        if text.strip():
            self.omitted.append(OmittedText("alternative", " ".join(text.split())))

    def _read_inline_code(self) -> None:
        self._skip(_OPTION)
        mark = self._source[self._at : self._at + 1]
        stop = self._source.find("}" if mark == "{" else mark, self._at + 1, self._at + 300) if mark.strip() else -1
        if stop > 0:
            self._target.add(self._source[self._at + 1 : stop], self._at + 1, stop)
            self._at = stop + 1

    # Environments

    def _read_environment(self, command: str) -> None:
        named = _NAME.match(self._source, self._at)
        if named is None:
            return
        self._at = named.end()
        name, starts = named.group(1), command == "begin"
        if name == "document":
            self._has_ended = not starts
            return
        if starts and (name in _CODE or name in _PICTURES or name in _DISPLAYS):
            self._read_raw(name, named.group(1) + named.group(2))
            return
        self._break()
        if starts:
            self._skip_options()
            for _ in range(_COLUMNS.get(name, 0) + (named.group(2) != "" and name in _TABLES)):
                self._skip_group()
                self._skip_options()
        if name in _TABLES:
            self._tables = max(self._tables + (1 if starts else -1), 0)
            if starts:
                self._paragraph.kind = "table"

    def _read_raw(self, name: str, whole: str) -> None:
        """Read an environment whose content is no text: to its end, if it has one."""
        start, end = self._at, f"\\end{{{whole}}}"
        stop = -1 if end in self._missing else self._source.find(end, start)
        if stop < 0:
            self._missing.add(end)
            return
        self._at = stop + len(end)
        if name not in _CODE:
            if name != "comment":
                self._omit(self._source[start:stop])
            self._target.add(" ", start, self._at)
            return
        self._break()
        option = _OPTION.match(self._source, start, stop)
        position = option.end() if option else start
        for line in self._source[position:stop].splitlines(keepends=True):
            self._paragraph.kind = "code"
            self._paragraph.add(line, position, position + len(line))
            position += len(line)
            self._break()

    # Paragraphs

    def _break(self) -> None:
        """End the paragraph; inside of a note, blank lines are blanks."""
        if self._frames:
            self._frames[-1].paragraph.add(" ", self._at - 1, self._at)
        else:
            self._end_paragraph()

    def _end_row(self) -> None:
        if not self._frames:
            self._end_paragraph()

    def _end_paragraph(self) -> None:
        for each in (self._paragraph, *self._after):
            self._put(each)
        self._after.clear()
        self._paragraph = _Paragraph("table" if self._tables else "body")

    def _put(self, paragraph: _Paragraph) -> None:
        passages = list(paragraph.passages())
        if passages and paragraph.kind == "heading":
            self.outline.append(OutlineEntry(passages[0].text[:MAX_TITLE], None, paragraph.level))
        self.passages += passages

    def _begin_frame(self, command: str) -> None:
        """Let the argument of a command become a paragraph of its own."""
        blanks = len(self._source[self._at : self._at + 50]) - len(self._source[self._at : self._at + 50].lstrip())
        opened = self._at + blanks
        stop = self._closing.get(opened)
        if stop is None:
            return
        self._at = opened + 1
        is_heading = command in _LEVELS
        if is_heading and not self._frames:
            self._end_paragraph()
        kind: SpanKind = "heading" if is_heading else "body"
        self._frames.append(_Frame(stop, command, _Paragraph(kind, _LEVELS.get(command, 0))))

    def _end_frame(self, frame: _Frame) -> None:
        if frame.command in _LEVELS and not self._frames:
            self._put(frame.paragraph)
        elif self._has_notes:
            self._after.append(frame.paragraph)

    def _read_about(self, name: str, at: int) -> None:
        """Note what the file says of itself: the text of the group at `at`."""
        opened = self._source.find("{", at, at + 300)
        stop = self._closing.get(opened, -1)
        if 0 <= opened < stop:
            text = self._source[opened + 1 : min(stop, opened + 4 * MAX_TITLE)].replace("\\and", "\n\n")
            inner = _LatexSource(text, has_notes=False)
            for _ in inner.parse():
                pass
            texts = [each.text for each in inner.passages]
            self.about[name] = "\n".join(texts)[:MAX_TITLE] if name == "author" else " ".join(texts)[:MAX_TITLE]

    # Skipping

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if (found := pattern.match(self._source, self._at)) is not None:
            self._at = found.end()

    def _skip_options(self) -> None:
        self._skip(_OPTION)

    def _skip_brackets(self) -> None:
        """Keep the text of an option, the label of a list item say, without its brackets."""
        if (found := _OPTION.match(self._source, self._at)) is not None:
            label = found.group().strip()
            start = found.end() - len(label)
            self._target.add(f"{label[1:-1]} ", start + 1, found.end())
            self._at = found.end()

    def _skip_group(self) -> None:
        """Skip an argument in braces, if there is one."""
        at = self._at
        while at < len(self._source) and self._source[at] in " \t\n" and at - self._at < 50:
            at += 1
        if (stop := self._closing.get(at)) is not None:
            self._at = stop + 1


def _show_formula(formula: str) -> str:
    """Return a formula in letters: `x^2 ≤ α`."""

    def show(match: re.Match[str]) -> str:
        name = match.group(1)
        if (symbol := _MATH_SYMBOLS.get(name)) is not None:
            return symbol
        if name in "%&$#_{}":
            return name
        case = "SMALL" if name.islower() else "CAPITAL"
        try:
            return unicodedata.lookup(f"GREEK {case} LETTER {name.upper()}")
        except KeyError:
            return " "

    return " ".join(_MATH_COMMAND.sub(show, formula).replace("{", "").replace("}", "").split())
