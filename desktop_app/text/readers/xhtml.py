"""XHTML to HTML: an XML parser reads a page as XML means it, so that an HTML parser understands it.

In HTML a slash at the end of a tag has no meaning: `<title/>` or `<script/>` opens an element that swallows the text
after it, and a CDATA section is a comment.
"""

from __future__ import annotations

import re
from html import escape
from html.entities import html5
from xml.parsers import expat

_START = re.compile(
    r"\s*+(?:<\?xml\b|<!doctype\s++html\s++public\s++[\"']-//W3C//DTD XHTML"
    r"|(?:<!doctype\b[^<>\[]*+(?:\[[^\]]*+\]\s*+)?>\s*+)?<html\b[^<>]{0,2000}\bxmlns\s*=)",
    re.IGNORECASE,
)
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
"""Elements of HTML that have no end tag."""
_WITHOUT_TEXT = frozenset({"script", "style", "iframe", "noembed"})
_AS_TEXT = {"xmp": "pre", "plaintext": "pre", "listing": "pre", "noframes": "div"}
"""Elements whose content HTML does not parse, and others for them."""
_SELF_CLOSED = re.compile(
    r"(?<![\"'`\\])<(title|script|style|iframe|textarea|noscript|noframes|noembed|xmp|plaintext|template|object|video"
    r"|audio|canvas|select|datalist|button|nav|head|rt|rp|rtc)"
    r"((?:\s++[^\s\"'<>/=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))?)*)\s*+/>",
    re.IGNORECASE,
)
_CONTAINER = re.compile(
    r"<(/?)(address|article|aside|blockquote|center|details|dir|div|dl|fieldset|figcaption|figure|footer|header|hgroup"
    r"|main|menu|nav|ol|pre|rt|ruby|search|section|summary|ul)\b[^<>]*+>",
    re.IGNORECASE,
)
_MAX_DEPTH = 500
"""As in browsers. The parser needs time with the square of the depth."""
_DECLARATIONS = re.compile(r"\s*+<!doctype\b[^<>\[]*+\[[^\]]*+\]\s*+>", re.IGNORECASE)
_CDATA = "<![CDATA["
_HARMLESS_CHARACTERS = 100_000
"""What entities may add to any page."""


def is_xhtml(text: str) -> bool:
    """Return whether a page says that it is XHTML."""
    return _START.match(text) is not None


def convert_xhtml(text: str) -> str:
    """Return a page as HTML, without scripts and styles; if it is no XML, what `repair_html` returns."""
    pieces: list[str] = []
    skipped = 0
    room = 2 * len(text) + _HARMLESS_CHARACTERS

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal skipped
        name = name.rpartition(":")[2]
        if skipped or name.lower() in _WITHOUT_TEXT:
            skipped += 1
            return
        values = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
        pieces.append(f"<{_AS_TEXT.get(name.lower(), name)}{values}>")

    def end(name: str) -> None:
        nonlocal skipped
        name = name.rpartition(":")[2]
        if skipped:
            skipped -= 1
        elif name.lower() not in _VOID:
            pieces.append(f"</{_AS_TEXT.get(name.lower(), name)}>")

    def add(text: str) -> None:
        nonlocal room
        room -= len(text)
        if room < 0:
            raise ValueError("Entities that multiply the text")
        if not skipped:
            pieces.append(escape(text, quote=False))

    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.UseForeignDTD(True)  # the entities of HTML are known without their DTD
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = add
    parser.SkippedEntityHandler = lambda name, is_parameter: None if is_parameter else add(html5.get(f"{name};", ""))
    try:
        parser.Parse(text.lstrip().encode(), True)
    except (expat.ExpatError, ValueError):
        return repair_html(text)
    return "<!DOCTYPE html>" + "".join(pieces)


def limit_depth(html: str) -> str:
    """Return HTML in which elements that are nested too deeply are only breaks between paragraphs."""
    depth = readings = 0
    is_too_deep = False

    def flatten(match: re.Match[str]) -> str:
        nonlocal depth, readings, is_too_deep
        closes, name = bool(match.group(1)), match.group(2).lower()
        if name in ("ruby", "rt"):
            # The end of ruby text ends its readings, too.
            readings = readings + 1 if name == "rt" and not closes else 0
            is_deep = readings > _MAX_DEPTH
        else:
            is_deep = depth + (not closes) > _MAX_DEPTH
            depth = max(depth + (-1 if closes else 1), 0)
        is_too_deep = is_too_deep or is_deep
        return "<br><br>" if is_deep else match.group()

    flat = _CONTAINER.sub(flatten, html)
    return flat if is_too_deep else html


def repair_html(text: str) -> str:
    """Return HTML in which self-closed tags that would swallow text are closed, and CDATA sections are text."""
    text = _DECLARATIONS.sub("<!DOCTYPE html>", text, count=1) if _DECLARATIONS.match(text) else text
    if "/>" in text:
        text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    if _CDATA not in text:
        return text
    first, *others = text.split(_CDATA)
    pieces = [first]
    for other in others:
        content, end, rest = other.partition("]]>")
        pieces.append(escape(content, quote=False) + rest if end else _CDATA + other)
    return "".join(pieces)
