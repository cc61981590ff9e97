"""Streams XML events without a tree, entities or external resources, and refuses XML bombs."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn
from xml.parsers import expat

from desktop_app.core.errors import FileFailure

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

EVENTS_PER_HEARTBEAT = 2000
"""A reader yields a heartbeat after so many events."""

_MAX_DEPTH = 2_000


class XmlEvent(NamedTuple):
    """The start or end of an element (`name` is without namespace), or a piece of text (in `name`)."""

    kind: Literal["start", "end", "text"]
    name: str
    attributes: dict[str, str] = {}  # noqa: RUF012 - never changed


def iter_xml_events(chunks: Generator[bytes, None, None]) -> Iterator[XmlEvent]:
    """Yield the events of an XML document in order.

    `chunks` is closed at the end, also after an error.

    Raises:
        FileFailure: the document is damaged, nested too deeply, or declares entities.
    """
    found: list[XmlEvent] = []
    depth = 0
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise FileFailure("damaged", "The file is nested too deeply")
        local = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        found.append(XmlEvent("start", name.rpartition(" ")[2], local))

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        found.append(XmlEvent("end", name.rpartition(" ")[2]))

    def refuse(*_declaration: object) -> NoReturn:
        raise FileFailure("unsupported", "The file declares its own XML entities, which are not supported")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: found.append(XmlEvent("text", text))
    parser.EntityDeclHandler = refuse
    try:
        with contextlib.closing(chunks):
            for chunk in chunks:
                parser.Parse(chunk, False)
                yield from found
                found.clear()
        parser.Parse(b"", True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise FileFailure("damaged", "A part of the file is damaged: its XML cannot be read") from error
    yield from found
