"""Mail (`.eml`, mbox) to events: subject, sender, recipients and the text without quotation marks."""

from __future__ import annotations

import email
import email.policy
import re
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from desktop_app.core.errors import FileFailure
from desktop_app.core.messages import Message
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import DocumentHead, PageRead, ReadingDone
from desktop_app.text.cleaning import clean_character
from desktop_app.text.decoding import decode
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers import web_page
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.plain import parse_plain_text
from desktop_app.text.readers.reader_steps import Heartbeat, batch_sentences, read_without_pages, remark_on_attachments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import FileFacts, Step

_MBOX_LINE = b"From "
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_QUOTED = re.compile(r"^(?:[ \t]?>)+[ \t]?", re.MULTILINE)
_MAX_TITLE = 500
_MESSAGE_BYTES = 100_000_000
_LINE_BYTES = 1 << 20
_MAX_DEPTH = 5
"""How deep messages within messages are read."""
_HEARTBEAT_MESSAGES = 500
"""Messages between two heartbeats."""


@dataclass(slots=True)
class _MailMessage:
    """The parts of a message that are read."""

    collector: PassageCollector
    subject: str = ""
    author: str = ""
    attached: list[str] = field(default_factory=list)


def read(path: Path, facts: FileFacts) -> Iterator[Step]:
    """Read a message, or a mailbox, where each message is a page.

    Raises:
        FileFailure: the file is damaged or has no text.
    """
    with path.open("rb") as file:
        is_box = file.read(len(_MBOX_LINE)) == _MBOX_LINE
    return _read_mbox(path, facts) if is_box else _read_message(path.read_bytes(), facts)


def _read_message(data: bytes, facts: FileFacts) -> Iterator[Step]:
    message = _parse_message(data, None)
    if message is None:
        raise FileFailure("damaged", "The message is damaged and cannot be read")
    head = DocumentHead("email", facts.content_hash, facts.size_bytes, message.subject, message.author)
    return read_without_pages(head, message.collector.spans(), *_list_remarks(message.attached, 0))


def _read_mbox(path: Path, facts: FileFacts) -> Iterator[Step]:
    # Two passes: the list of subjects comes before the text, and the text is never in memory as a whole.
    subjects: list[str] = []
    for number, data in enumerate(_iter_messages(path), 1):
        subjects.append(_read_subject(data))
        if number % _HEARTBEAT_MESSAGES == 0:
            yield Heartbeat()
    outline = tuple(OutlineEntry(subject, number, 0) for number, subject in enumerate(subjects, 1) if subject)
    yield DocumentHead("email", facts.content_hash, facts.size_bytes, page_count=len(subjects), outline=outline)
    found = damaged = paragraphs = 0
    attached: list[str] = []
    for number, data in enumerate(_iter_messages(path), 1):
        message = _parse_message(data, number)
        if message is None:
            damaged += 1
        else:
            attached += message.attached
            spans = [replace(span, paragraph=span.paragraph + paragraphs) for span in message.collector.spans()]
            found += len(spans)
            paragraphs = spans[-1].paragraph + 1 if spans else paragraphs
            yield from batch_sentences(spans)
        yield PageRead(number, len(subjects))
    if not found:
        raise FileFailure("no_text", "No message has text")
    yield ReadingDone(_list_remarks(attached, damaged))


def _iter_messages(path: Path) -> Iterator[bytes]:
    """Yield the messages of a mailbox (RFC 4155): each starts with a line `From ` after a blank one."""
    lines: list[bytes] = []
    length = 0
    after_blank = True
    with path.open("rb") as file:
        while line := file.readline(_LINE_BYTES):
            if after_blank and line.startswith(_MBOX_LINE):
                if lines:
                    yield _ESCAPED.sub(rb"\1", b"".join(lines))
                lines, length = [], 0
            elif length < _MESSAGE_BYTES:
                lines.append(line)
                length += len(line)
            after_blank = not line.strip()
    if lines:
        yield _ESCAPED.sub(rb"\1", b"".join(lines))


def _read_subject(data: bytes) -> str:
    head = data[: 64 * 1024].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = _parse_message(head, None)
    return message.subject if message is not None else ""


def _parse_message(data: bytes, page: int | None) -> _MailMessage | None:
    """Parse a message; return None if it is damaged beyond parsing."""
    found = _MailMessage(PassageCollector())
    if page is not None:
        found.collector.begin_page(page)
    try:
        message = email.message_from_bytes(data, _class=EmailMessage, policy=email.policy.default)
        _collect_part(message, found, 0)
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail; others must not suffer
        return None
    return found


def _collect_part(message: EmailMessage, found: _MailMessage, depth: int) -> None:
    subject, author = _read_header(message, "subject"), _read_header(message, "from")
    if depth == 0:
        found.subject, found.author = subject, author
    found.collector.add(subject, "heading", depth)
    parties = (("From", author), ("To", _read_header(message, "to")), ("Cc", _read_header(message, "cc")))
    dated = (*parties, ("Date", _read_header(message, "date")))
    found.collector.add(" · ".join(f"{name}: {value}" for name, value in dated if value), "table")
    body = message.get_body(("plain", "html"))
    if isinstance(body, EmailMessage):
        _collect_body(body, found.collector)
    for part in message.iter_attachments() if message.is_multipart() else ():
        inner = part.get_content() if part.get_content_type() == "message/rfc822" else None
        if isinstance(inner, EmailMessage) and depth < _MAX_DEPTH:
            _collect_part(inner, found, depth + 1)
        else:
            found.attached.append(_to_line(part.get_filename() or part.get_content_type()))


def _collect_body(body: EmailMessage, collector: PassageCollector) -> None:
    payload = body.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload:
        return
    if body.get_content_type() == "text/html":
        web_page.collect_page_text(
            collector, LexborHTMLParser(_decode_body(payload, body.get_content_charset(), is_page=True))
        )
        return
    text = _QUOTED.sub("", _decode_body(payload, body.get_content_charset()))
    for passage in parse_plain_text(text):
        collector.add(passage.text, passage.kind)


def _decode_body(payload: bytes, charset: str | None, *, is_page: bool = False) -> str:
    """Decode a body in the encoding that it declares, if that is correct."""
    if charset:
        try:
            return payload.decode(charset)
        except (LookupError, ValueError):
            pass
    return (web_page.decode_page(payload) if is_page else decode(payload)).text


def _read_header(message: EmailMessage, name: str) -> str:
    return _to_line(str(message.get(name) or ""))


def _to_line(text: str) -> str:
    return clean_stretch(text, 0, clean_character)[0][:_MAX_TITLE]


def _list_remarks(attached: Sequence[str], damaged: int) -> tuple[Message, ...]:
    remarks = [*remark_on_attachments(attached)]
    if damaged:
        remarks.append(
            Message(
                "{damaged} message is damaged and could not be read"
                if damaged == 1
                else "{damaged} messages are damaged and could not be read",
                code="messages_damaged",
                damaged=damaged,
            )
        )
    return tuple(remarks)
