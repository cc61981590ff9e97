"""The parser of commands, and the types that convert and check the values of options."""

from __future__ import annotations

import argparse
import difflib
import math
import re
import textwrap
from typing import NoReturn

from desktop_app.cli.output import print_line
from desktop_app.core.errors import UsageError
from desktop_app.core.messages import Message, verbatim

_UNKNOWN = "unrecognized arguments: "  # argparse's own words
_LIKENESS = 0.7  # of two spellings: "--exlude" and "--resume" have 0.63
_GUESSED_OPTIONS = {
    "--limit": "--top-k",
    "--count": "--top-k",
    "--number": "--top-k",
    "-k": "--top-k",
    "-n": "--top-k",
    "--folder": "--in",
    "--include": "--only",
    "--exclude": "--except",
    "--out": "--output",
    "-o": "--output",
}
"""What other programs call an option, where the spelling does not show which one is meant."""


_FIRST_COLUMN = re.compile(r"\s*\S.*\s{2,}")


class TableHelpFormatter(argparse.HelpFormatter):
    """Keeps the lines of descriptions, and wraps long ones below the second column of their table."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        for line in text.splitlines():
            first = _FIRST_COLUMN.match(line)
            column = first.end() if first else len(line) - len(line.lstrip())
            below = indent + " " * column
            lines += textwrap.wrap(
                line, width, initial_indent=indent, subsequent_indent=below, break_on_hyphens=False
            ) or [""]
        return "\n".join(lines)


class CommandParser(argparse.ArgumentParser):
    """Raises the errors that argparse would print, so that they are reported like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise a usage error; of an unknown option it names the one that the person probably means."""
        hint = Message("See `{program} --help`.", program=self.prog)
        takes_query = any(action.dest == "query" for action in self._get_positional_actions())
        if takes_query and message.startswith(_UNKNOWN) and not message.startswith(f"{_UNKNOWN}-"):
            hint = Message("Put the query in quotes. See `{program} --help`.", program=self.prog)
        if near := self._find_similar_option(message.removeprefix(_UNKNOWN) if message.startswith(_UNKNOWN) else ""):
            hint = Message("Did you mean `{near}`?", near=near)
        raise UsageError(verbatim(message[0].upper() + message[1:]), hint)

    def _find_similar_option(self, arguments: str) -> str:
        """Return the option that is probably meant by the first one of several arguments; empty if none is."""
        word = next((each.partition("=")[0] for each in arguments.split() if each.startswith("-")), "")
        known = self._option_string_actions  # argparse has no public list of its options
        meant = {each: each for each in known if each.startswith("--")}
        meant |= {guess: option for guess, option in _GUESSED_OPTIONS.items() if option in known}
        if word.startswith("--"):
            word = next(iter(difflib.get_close_matches(word.lower(), meant, n=1, cutoff=_LIKENESS)), "")
        return meant.get(word, "")

    def print_help(self, file: object = None) -> None:
        """Print the help like an answer, so that a failure to write it is reported."""
        # argparse itself ignores that its help cannot be written.
        print_line(self.format_help().rstrip())


def as_nonempty(text: str) -> str:
    """Return a name that is not empty."""
    # An unset variable in a script must not mean the current folder.
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def as_nonnegative_int(text: str) -> int:
    """Return a whole number from 0."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def as_positive_int(text: str) -> int:
    """Return a whole number above 0."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def as_language_code(text: str) -> str:
    """Return the two-letter code of a language."""
    from desktop_app.core.language_detection import LANGUAGE_NAMES, language_code

    if not (code := language_code(text)):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a supported language; supported: {', '.join(LANGUAGE_NAMES)}"
        )
    return code


def as_ocr_languages(text: str) -> str:
    """Return the languages of OCR, joined by a plus."""
    if not re.fullmatch(r"[A-Za-z_]{2,20}([+,][A-Za-z_]{2,20})*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of languages, such as eng or eng+deu")
    return text.replace(",", "+")


def parse_float(text: str) -> float:
    """Return a number; NaN if the text is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def as_positive_float(text: str) -> float:
    """Return a number above 0."""
    value = parse_float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def as_nonnegative_float(text: str) -> float:
    """Return a number of at least 0."""
    value = parse_float(text)
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 0")
    return value


def as_score(text: str) -> float:
    """Return a cosine, -1 to 1."""
    value = parse_float(text)
    if not -1 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from -1 to 1")
    return value


def as_fraction(text: str) -> float:
    """Return a share, from 0 to below 1."""
    value = parse_float(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 0 and below 1")
    return value
