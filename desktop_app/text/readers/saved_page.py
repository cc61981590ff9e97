"""Web pages that a browser saved with their pictures in one file (MHTML, RFC 2557): finds the page."""

from __future__ import annotations

import email.policy
from email.message import EmailMessage
from email.parser import BytesFeedParser
from typing import TYPE_CHECKING, NamedTuple

from desktop_app.core.errors import FileFailure
from desktop_app.text.readers.reader_steps import PROGRESS_CHARACTERS, Heartbeat

if TYPE_CHECKING:
    from collections.abc import Generator

_PAGES = ("text/html", "application/xhtml+xml")
_MAX_ADDRESS = 500


class SavedPage(NamedTuple):
    """The page of a saved file: its bytes, their encoding if the file names it, and the address that it came from."""

    content: bytes
    charset: str
    address: str


def unpack_saved_page(data: bytes) -> Generator[Heartbeat, None, SavedPage]:
    """Return the page of a saved file.

    Raises:
        FileFailure: the file has no page.
    """
    try:
        parser = BytesFeedParser(EmailMessage, policy=email.policy.default)
        for start in range(0, len(data), PROGRESS_CHARACTERS):
            parser.feed(data[start : start + PROGRESS_CHARACTERS])
            yield Heartbeat()
        message = parser.close()
        pages = [part for part in message.walk() if part.get_content_type() in _PAGES]
        # The first one, unless the file says otherwise: the others stand in frames.
        start_id = message.get_param("start")
        page = next((part for part in pages if start_id and part.get("content-id") == start_id), pages[0])
        content = page.get_payload(decode=True)
        address = str(message.get("snapshot-content-location") or page.get("content-location") or "")
        charset = page.get_content_charset() or ""
    except Exception as error:  # the email package raises all sorts on damaged files
        raise FileFailure("damaged", "The saved page is damaged and cannot be read") from error
    if not isinstance(content, bytes):
        raise FileFailure("damaged", "The saved page is damaged and cannot be read")
    return SavedPage(content, charset, address[:_MAX_ADDRESS] if address.startswith("http") else "")
