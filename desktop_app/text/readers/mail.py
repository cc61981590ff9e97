"""Mail (`.eml`, mbox) to events: subject, sender, recipients and the text without quotation marks.

Attached files of supported formats are documents of their own: `offer.eml/plan.pdf`, `letters.mbox/3/plan.pdf`.
"""

from __future__ import annotations

import email
import email.policy
import re
import zlib
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.parser import BytesFeedParser, BytesHeaderParser
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import FileFailure
from desktop_app.core.formats import is_supported
from desktop_app.core.messages import Message
from desktop_app.core.pages import OutlineEntry
from desktop_app.core.reader_events import DocumentHead, FileRef, PageRead, ReadingDone, SentenceSpan
from desktop_app.text.decoding import decode, decode_strictly
from desktop_app.text.passages import clean_stretch
from desktop_app.text.readers import web_page
from desktop_app.text.readers.passage_collector import PassageCollector
from desktop_app.text.readers.plain import parse_plain_text
from desktop_app.text.readers.reader_steps import (
    MAX_TITLE,
    PROGRESS_CHARACTERS,
    Heartbeat,
    SpanBatches,
    read_without_pages,
    remark_on_attachments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from pathlib import Path

    from desktop_app.text.readers.reader_steps import SpanStep, Step

    _EmailPolicy = email.policy.EmailPolicy[EmailMessage]
else:
    _EmailPolicy = email.policy.EmailPolicy

_MBOX_LINE = b"From "
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_QUOTED = re.compile(r"^(?:[ \t]?>)+[ \t]?", re.MULTILINE)
_HEADER_CHARACTERS = 2000
"""Characters of a header that are read: the email package takes squared time, and fewer are shown."""
_MESSAGE_BYTES = 100_000_000
_LINE_BYTES = 1 << 20
_MAX_DEPTH = 5
"""How deep messages within messages are read."""
_MAX_PART_DEPTH = 30
"""How deep parts within parts are read."""
_READ_TYPES = ("text/plain", "text/html", "text/enriched", "text/richtext", "text/calendar", "application/ics")
_ALTERNATIVES = ("text/plain", "text/html", "multipart/", "text/enriched", "text/richtext", "text/calendar")
"""Forms of the same text: the first of them that has any is read."""
_PARAMETER = re.compile(r"<param>[^<]*+(?:<(?!/param>)[^<]*+)*(?:</param>)?", re.IGNORECASE)
_ENRICHED_TAG = re.compile(r"<(<|/?[a-zA-Z][\w-]{0,60}>)")
_NEW_LINES = re.compile(r"\n++")
_FOLDED = re.compile(r"\r?\n[ \t]")
_CALENDAR_TEXT = re.compile(
    r"(?:SUMMARY|LOCATION|DESCRIPTION|COMMENT)(?:;[^:\"\n]*+(?:\"[^\"\n]*+\"[^:\"\n]*+)*)?:(.*)", re.IGNORECASE
)
_MAX_FILES = 5_000
"""Attached files of a mailbox that are documents."""
_MAX_FILE_NAME, _MAX_SUFFIX = 150, 20
_UNSAFE = re.compile(r'[/\\:*?"<>|]')
_NS = 1_000_000_000
_CALENDAR_ESCAPE = re.compile(r"\\([\\;,nN])")


class _ShortHeaderPolicy(_EmailPolicy):
    """The package's policy, for headers of a limited length."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Return name and value of a header; cut a long one after a blank."""
        name, value = super().header_source_parse(sourcelines)
        if len(value) > _HEADER_CHARACTERS:
            value = value[:_HEADER_CHARACTERS]
            value = value[: value.rfind(" ") + 1 or None].rstrip()
        return name, value

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """Return the parsed value of a header; one that cannot be parsed is plain text."""
        if name.lower() == "content-type":
            return _parse_content_type(self.header_factory, name, value)
        try:
            return super().header_fetch_parse(name, value)
        except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
            return value


@lru_cache(maxsize=100)
def _parse_content_type(parse: Callable[[str, str], Any], name: str, value: str) -> Any:
    """Return the parsed type of a part: the package asks for it nine times a message, and most messages have few types.

    One that cannot be parsed names a plain text.
    """
    try:
        return parse(name, value.replace("\r", "").replace("\n", ""))
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
        return parse(name, "text/plain")


_POLICY = _ShortHeaderPolicy()


@dataclass(slots=True)
class _MailMessage:
    """The parts of a message that are read.

    Attributes:
        collector: receives its text.
        subject: its subject.
        author: its sender.
        attached: names of attached files that are not read.
        files: attached files that are documents of their own; their paths are their names.
        damaged_parts: how many parts could not be read.
    """

    collector: PassageCollector
    subject: str = ""
    author: str = ""
    attached: list[str] = field(default_factory=list)
    files: list[FileRef] = field(default_factory=list)
    damaged_parts: int = 0


def read(path: Path, content_hash: str) -> Iterator[Step]:
    """Read a message, or a mailbox, where each message is a page.

    Raises:
        FileFailure: the file is damaged or has no text.
    """
    with path.open("rb") as file:
        is_box = file.read(len(_MBOX_LINE)) == _MBOX_LINE
    return _read_mbox(path, content_hash) if is_box else _read_message(path, content_hash)


def _read_message(path: Path, content_hash: str) -> Iterator[Step]:
    found = yield from _parse_message(path.read_bytes(), None)
    if found.damaged_parts and not len(found.collector):
        raise FileFailure("damaged", "The message is damaged and cannot be read")
    head = DocumentHead("email", content_hash, found.subject, found.author)
    remarks = _list_remarks(found.attached, 0, found.damaged_parts)
    for step in read_without_pages(head, found.collector.spans(), *remarks, omitted=found.collector.omitted):
        yield replace(step, attached=tuple(found.files)) if isinstance(step, ReadingDone) else step


def _read_mbox(path: Path, content_hash: str) -> Iterator[Step]:
    # Two passes: the list of subjects comes before the text, and the text is never in memory as a whole.
    subjects: list[str] = []
    for data in _iter_messages(path):
        if isinstance(data, Heartbeat):
            yield data
        else:
            subjects.append(_read_subject(data))
    outline = tuple(OutlineEntry(subject, number, 0) for number, subject in enumerate(subjects, 1) if subject)
    yield DocumentHead("email", content_hash, page_count=len(subjects), outline=outline)
    number = damaged = damaged_parts = paragraphs = 0
    attached: list[str] = []
    files: list[FileRef] = []
    batches = SpanBatches()
    for data in _iter_messages(path):
        if isinstance(data, Heartbeat):
            yield data
            continue
        number += 1
        found = yield from _parse_message(data, number)
        attached += found.attached
        files += (replace(each, path=f"{number}/{each.path}") for each in found.files)
        if len(found.collector):
            damaged_parts += found.damaged_parts
        else:
            damaged += found.damaged_parts > 0
        yield from batches.batch(_shift_paragraphs(found.collector.spans(), paragraphs))
        paragraphs += len(found.collector)
        yield PageRead(number, len(subjects))
    if not batches.sentences:
        raise FileFailure("no_text", "None of the messages has text")
    remarks = (*_list_remarks(attached, damaged, damaged_parts), *batches.remarks())
    yield ReadingDone(remarks, attached=tuple(files[:_MAX_FILES]))


def _shift_paragraphs(spans: Iterable[SpanStep], by: int) -> Iterator[SpanStep]:
    for span in spans:
        yield replace(span, paragraph=span.paragraph + by) if isinstance(span, SentenceSpan) else span


def _iter_messages(path: Path) -> Iterator[bytes | Heartbeat]:
    """Yield the messages of a mailbox (RFC 4155): each starts with a line `From ` after a blank one."""
    lines: list[bytes] = []
    length = unreported = 0
    after_blank = True
    with path.open("rb") as file:
        while line := file.readline(_LINE_BYTES):
            unreported += len(line)
            if unreported > PROGRESS_CHARACTERS:
                yield Heartbeat()
                unreported = 0
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
    try:
        return _read_header(BytesHeaderParser(EmailMessage, policy=_POLICY).parsebytes(head), "subject")
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
        return ""


def _parse_message(data: bytes, page: int | None) -> Generator[Heartbeat, None, _MailMessage]:
    """Parse a message; return what can be read of a damaged one."""
    found = _MailMessage(PassageCollector())
    if page is not None:
        found.collector.begin_page(page)
    message = yield from _feed_parser(data)
    if message is None:
        found.damaged_parts += 1
        return found
    yield from _note_files(message, found)
    yield from _collect_message(message, found, 0)
    return found


def _feed_parser(data: bytes) -> Generator[Heartbeat, None, EmailMessage | None]:
    """Return a message; None if it is damaged beyond reading."""
    try:
        parser = BytesFeedParser(EmailMessage, policy=_POLICY)
        for start in range(0, len(data), PROGRESS_CHARACTERS):
            parser.feed(data[start : start + PROGRESS_CHARACTERS])
            yield Heartbeat()
        message = parser.close()
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail; others must not suffer
        return None
    return message if isinstance(message, EmailMessage) else None


# Attached files


def _note_files(message: EmailMessage, found: _MailMessage) -> Iterator[Heartbeat]:
    """Note the attached files that are documents of their own."""
    sent_at = 0.0
    try:
        date = message["date"]
        sent_at = date.datetime.timestamp() if date is not None and date.datetime is not None else 0.0
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
        pass
    for name, part in _list_files(message):
        content = _read_content(part)
        yield Heartbeat()
        mtime_ns = int(max(sent_at, 0.0)) * _NS + zlib.crc32(content) % _NS
        found.files.append(FileRef(name, len(content), mtime_ns))


def _list_files(message: EmailMessage) -> list[tuple[str, EmailMessage]]:
    """Return the attached files that are documents of their own, by names that differ."""
    files: dict[str, tuple[str, EmailMessage]] = {}
    try:
        for part in message.walk():
            if isinstance(part, EmailMessage) and (name := _find_file_name(part)):
                stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
                count = 1
                while name.casefold() in files:
                    count += 1
                    name = f"{stem} ({count}){suffix}"
                files[name.casefold()] = (name, part)
                if len(files) >= _MAX_FILES:
                    break
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
        pass
    return list(files.values())


def _find_file_name(part: EmailMessage) -> str:
    """Return the name of a part that is a file of a supported format; empty for others.

    Pictures in the text, logos mostly, are no documents. Attached messages are read as part of the message.
    """
    try:
        kind = part.get_content_maintype()
        is_attached = part.get_content_disposition() == "attachment" or kind == "application"
        name = (part.get_filename() or "") if is_attached and not part.is_multipart() else ""
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
        return ""
    whole = PurePosixPath(_UNSAFE.sub("_", _to_line(name)).lstrip("."))
    name = whole.stem[:_MAX_FILE_NAME] + whole.suffix[:_MAX_SUFFIX]
    return name if name and is_supported(PurePosixPath(name)) else ""


def _read_content(part: EmailMessage) -> bytes:
    """Return the content of an attached file."""
    try:
        content = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail
        return b""
    return content if isinstance(content, bytes) else b""


class AttachedFiles:
    """The attached files of a message or a mailbox; implements `archives.Archive`.

    Args:
        file: the mail.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        with file.open("rb") as opened:
            self._is_box = opened.read(len(_MBOX_LINE)) == _MBOX_LINE
        self._messages: Iterator[bytes | Heartbeat] = iter(())
        self._number = 0
        self._files: dict[str, EmailMessage] = {}

    def split(self, inside: str) -> tuple[str, str] | None:
        """Return the file that a path below the mail leads to, and the rest of the path."""
        parts = inside.split("/")
        count = 2 if self._is_box else 1
        if len(parts) < count or (self._is_box and not (parts[0].isdecimal() and len(parts[0]) < 9)):
            return None
        return "/".join(parts[:count]), "/".join(parts[count:])

    def chunks(self, name: str, most: int, password: str | None) -> Iterator[bytes | Heartbeat]:
        """Yield the bytes of a file.

        Raises:
            FileFailure: there is no such file.
        """
        number, _, name = name.rpartition("/")
        yield from self._go_to_message(int(number or 1))
        part = self._files.get(name.casefold())
        if part is None:
            raise FileFailure("unreadable", "The message no longer has this attachment")
        yield _read_content(part)

    def close(self) -> None:
        """Close the file."""
        self._messages = iter(())

    def _go_to_message(self, number: int) -> Iterator[Heartbeat]:
        """Parse a message, counted from 1; mostly it is the last one, or one that follows."""
        if number == self._number:
            return
        if number < self._number or not self._number:
            self._messages, self._number = self._iter_messages(), 0
        data = b""
        for each in self._messages:
            if isinstance(each, Heartbeat):
                yield each
                continue
            self._number += 1
            if self._number == number:
                data = each
                break
        message = yield from _feed_parser(data)
        listed = _list_files(message) if message is not None else []
        self._files = {name.casefold(): part for name, part in listed}

    def _iter_messages(self) -> Iterator[bytes | Heartbeat]:
        return _iter_messages(self._file) if self._is_box else iter([self._file.read_bytes()])


# Text


def collect_saved_page(data: bytes, collector: PassageCollector) -> Iterator[Heartbeat]:
    """Collect the text of a page that was saved as a message (MHTML), without headers."""
    message = email.message_from_bytes(data, _class=EmailMessage, policy=_POLICY)
    yield from _collect_part(message, _MailMessage(collector), 0, 0)


def _collect_message(message: EmailMessage, found: _MailMessage, depth: int) -> Iterator[Heartbeat]:
    """Collect the headers and the text of a message."""
    subject, author = _read_header(message, "subject"), _read_header(message, "from")
    if depth == 0:
        found.subject, found.author = subject, author
    found.collector.add(subject, "heading", depth)
    parties = (("From", author), ("To", _read_header(message, "to")), ("Cc", _read_header(message, "cc")))
    attached = "" if depth else ", ".join(each.path for each in found.files)
    dated = (*parties, ("Date", _read_header(message, "date")), ("Attached", attached))
    found.collector.add(" · ".join(f"{name}: {value}" for name, value in dated if value), "table")
    yield from _collect_part(message, found, depth, 0)


def _collect_part(part: EmailMessage, found: _MailMessage, depth: int, part_depth: int) -> Iterator[Heartbeat]:
    """Collect the text of a part; a damaged one is counted and left out.

    Args:
        part: a message, or a part of one.
        found: receives its text.
        depth: how many messages contain the message of the part.
        part_depth: how many parts of the message contain the part.
    """
    try:
        if _find_file_name(part):
            return
        kind = part.get_content_type()
        inner = [each for each in part.iter_parts() if isinstance(each, EmailMessage)] if part.is_multipart() else []
        if kind == "message/rfc822" and inner and depth < _MAX_DEPTH:
            yield from _collect_message(inner[0], found, depth + 1)
        elif inner and kind != "message/rfc822" and part_depth < _MAX_PART_DEPTH:
            if kind == "multipart/alternative":
                yield from _collect_alternative(inner, found, depth, part_depth)
            else:
                for each in inner:
                    yield from _collect_part(each, found, depth, part_depth + 1)
        elif not inner and (kind in _READ_TYPES or kind.startswith("multipart/")):
            yield from _collect_text(part, kind, found.collector)
        else:
            found.attached.append(_to_line(part.get_filename() or kind))
    except Exception:  # noqa: BLE001 - the email package raises all sorts on damaged mail; other parts must not suffer
        found.damaged_parts += 1


def _collect_alternative(
    parts: Sequence[EmailMessage], found: _MailMessage, depth: int, part_depth: int
) -> Iterator[Heartbeat]:
    """Collect the first of several forms of the same text that has any; a blank one stands beside many a full one."""

    def rank(part: EmailMessage) -> int:
        kind = part.get_content_type()
        return next((at for at, known in enumerate(_ALTERNATIVES) if kind.startswith(known)), len(_ALTERNATIVES))

    ranked = sorted(parts, key=rank)
    before = len(found.collector)
    for part in ranked:
        if rank(part) < len(_ALTERNATIVES) and len(found.collector) > before:
            continue
        yield from _collect_part(part, found, depth, part_depth + 1)


def _collect_text(part: EmailMessage, kind: str, collector: PassageCollector) -> Iterator[Heartbeat]:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload:
        return
    charset = part.get_content_charset() or ""
    if kind == "text/html":
        page, _ = web_page.parse_page(payload, charset=charset)
        yield from web_page.collect_page_text(collector, page)
        return
    text = ((decode_strictly(payload, charset) if charset else None) or decode(payload)).text
    match kind:
        case "text/enriched" | "text/richtext":
            text = _read_enriched(text)
        case "text/calendar" | "application/ics":
            text = _read_calendar(text)
    for passage in parse_plain_text(_QUOTED.sub("", text)):
        collector.add(passage.text, passage.kind, is_cut=passage.is_cut)
        yield from collector.heartbeats()


def _read_enriched(text: str) -> str:
    """Return a text without the marks of text/enriched (RFC 1896) and text/richtext (RFC 1341)."""
    text = _PARAMETER.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    # A single line end is a blank, more of them are a paragraph.
    text = _NEW_LINES.sub(lambda match: " " if len(match.group()) == 1 else "\n\n", text)
    named = {"<": "<", "lt>": "<", "nl>": "\n", "np>": "\n\n", "/paragraph>": "\n\n", "paragraph>": "\n\n"}
    return _ENRICHED_TAG.sub(lambda match: named.get(match.group(1).lower(), ""), text)


def _read_calendar(text: str) -> str:
    """Return summaries, places and descriptions of a calendar's entries (RFC 5545), one paragraph each."""
    found: list[str] = []
    is_alarm = False
    for line in _FOLDED.sub("", text).splitlines():
        if line.upper() in ("BEGIN:VALARM", "END:VALARM"):
            is_alarm = line.upper().startswith("BEGIN")
        elif not is_alarm and (match := _CALENDAR_TEXT.fullmatch(line)):
            found.append(
                _CALENDAR_ESCAPE.sub(lambda each: "\n" if each.group(1) in "nN" else each.group(1), match.group(1))
            )
    return "\n\n".join(found)


def _read_header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message.get(name) or "")
    except Exception:  # noqa: BLE001 - a damaged header is shown as it is
        value = next((str(raw) for key, raw in message.raw_items() if key.lower() == name), "")
    return _to_line(value)


def _to_line(text: str) -> str:
    return clean_stretch(text)[0][:MAX_TITLE]


def _list_remarks(attached: Sequence[str], damaged: int, damaged_parts: int) -> tuple[Message, ...]:
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
    if damaged_parts:
        remarks.append(
            Message(
                "{count} part of a message is damaged and could not be read"
                if damaged_parts == 1
                else "{count} parts of messages are damaged and could not be read",
                code="message_parts_damaged",
                count=damaged_parts,
            )
        )
    return tuple(remarks)
