"""Sentences that libraries before schema 1020 hold, as templates: what was wrong with documents, and remarks on them.

The list is frozen: it says what those versions of the program wrote, whatever it writes today. Its templates are
translated too (`packaging/templates.py`), so that old libraries keep their remarks in every language. The same holds
for `FORMER_TEMPLATES`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING

from desktop_app.core.language_detection import LANGUAGE_NAMES
from desktop_app.core.messages import Message, system_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

# Templates and the codes of remarks; the code of a failure is the document's reason.
TEMPLATES = (
    ("A part of the file grows beyond all measure when it is unpacked", ""),
    ("A part of the file has {file_size:,} bytes; the limit is {most:,}", ""),
    ("A part of the file is damaged: its XML cannot be read", ""),
    ("A part of the file is damaged: {name}", ""),
    ("A part of the file is missing: {name}", ""),
    ("Chapters that are damaged and could not be read: {chapters}", "chapters_damaged"),
    ("It holds NUL bytes, which are no text; they are left out", "nul_bytes"),
    ("No message has text", ""),
    ("No page has text (scans, or empty pages)", ""),
    ("No page has text (scans, or empty pages); OCR failed: {why}", ""),
    ("No progress for {allowed:g} seconds", ""),
    ("Page {numbers}", ""),
    ("Pages {numbers}", ""),
    ("Row {line_num} cannot be read as a table", ""),
    (
        "Seems to be in {spoken}, which the model {name} does not know: by meaning little is found in it",
        "unknown_language",
    ),
    ("Some bytes are no {encoding}; they are shown as \ufffd", "bad_bytes"),
    ("Tesseract crashed or was ended", "ocr_failed"),
    ("Tesseract does not start: {why}", "ocr_failed"),
    ("Tesseract hangs", "ocr_failed"),
    ("Tesseract has no data for the language {first}", "ocr_missing"),
    ("Tesseract is not installed", "ocr_missing"),
    ("Tesseract refused", "ocr_failed"),
    ("Tesseract refused: {line}", "ocr_failed"),
    ("Tesseract took more than {page_s:g} seconds", "ocr_failed"),
    ("Tesseract, which reads scanned pages, is not installed", "ocr_missing"),
    ("The ZIP file has {count:,} members; the limit is {most_members:,}", ""),
    ("The ZIP file is damaged and cannot be opened", ""),
    ("The ZIP file is damaged: it points to where nothing can be", ""),
    ("The archive no longer holds this file", ""),
    ("The book has no chapters", ""),
    ("The book has no text", ""),
    ("The book is under the lock of its shop (DRM)", ""),
    ("The encoding is unknown; the text was read as Windows-1252", "encoding_guessed"),
    ("The file cannot be read ({why})", ""),
    ("The file declares entities of its own (XML), which is not read", ""),
    ("The file has no pages", ""),
    ("The file has no subtitles with times", ""),
    ("The file has no text", ""),
    ("The file has {size:,} bytes; the limit is {file_bytes:,}", ""),
    ("The file holds binary data, not text", ""),
    ("The file is a spreadsheet, a presentation or a drawing", ""),
    ("The file is damaged and cannot be opened", ""),
    ("The file is damaged in a way that is not understood", ""),
    ("The file is damaged: it is not what its name says", ""),
    ("The file is damaged: its RTF cannot be read", ""),
    ("The file is empty", ""),
    ("The file is named PDF and is a web page", ""),
    ("The file is nested too deeply", ""),
    ("The file is not there", ""),
    ("The file is packed in a way that is not read", ""),
    ("The file is protected by a password", ""),
    ("The file is {kind}", ""),
    ("The file made its reader crash", ""),
    ("The file needs a password", ""),
    ("The file needs more memory than it may have", ""),
    ("The file needs more than {megabytes:,} MB of memory", ""),
    ("The message is damaged in a way that is not understood", ""),
    ("The model {model} gives {fault} for a sentence ({where}): “{shown}”", ""),
    ("The password does not open the file", ""),
    ("This is a folder", ""),
    ("This is no ordinary file", ""),
    ("a GIF picture", ""),
    ("a JPEG picture", ""),
    ("a PNG picture", ""),
    ("a PostScript document", ""),
    ("a TIFF picture", ""),
    ("a compressed file", ""),
    ("a database", ""),
    ("a picture, sound or film", ""),
    ("a program", ""),
    ("an old office document", ""),
    ("its picture made the reader crash", "ocr_crash"),
    ("its picture needs more memory than a reader may have", "ocr_memory"),
    ("the page cannot be drawn", "ocr_failed"),
    ("the page cannot be opened", "ocr_failed"),
    ("the page has no size", "ocr_failed"),
    ("{count} attachment was not read: {names}", "attachments_unread"),
    ("{count} attachments were not read: {names}", "attachments_unread"),
    ("{damaged} message is damaged and could not be read", "messages_damaged"),
    ("{damaged} messages are damaged and could not be read", "messages_damaged"),
    ("{pages} could not be read by OCR: {why}", "ocr_failed"),
    ("{pages} has no text (scans?)", "pages_without_text"),
    ("{pages} has text that can be read only in part", "pages_poor"),
    ("{pages} have no text (scans?)", "pages_without_text"),
    ("{pages} have text that can be read only in part", "pages_poor"),
    ("{pages} was hard to read for OCR: words may be wrong", "pages_doubtful"),
    ("{pages} was read by OCR", "pages_by_ocr"),
    ("{pages} were hard to read for OCR: words may be wrong", "pages_doubtful"),
    ("{pages} were read by OCR", "pages_by_ocr"),
    ("a vector of zeros", ""),
    ("no usable vector", ""),
    ("page {page}", ""),
    ("characters {start:,} to {stop:,}", ""),
)
FORMER_TEMPLATES = (
    "A part of the file grows far beyond the limit when it is unpacked",
    "A very long paragraph was divided",
    "It is already nested in {max_depth} archives; deeper ones are not opened",
    "Its files come to {total:,} bytes; the limit is {max_archive_bytes:,}",
    "Its files grow far beyond the limit when they are unpacked",
    "Its fonts do not say which letters they show: OCR can read what its pages look like",
    "Of sentences that occur more than {most:,} times, {count:,} repetitions were left out",
    "Seems to be in {spoken}, which the model {name} does not know: search by meaning finds little in it",
    "The book is copy-protected (DRM)",
    "The file has the name of a PDF, but is a web page",
    "The file is damaged, or its name has the wrong ending",
    "The model {model} gives no usable vector for a sentence: “{text}”",
    "Very long paragraphs were divided in {count:,} places",
    "{name}: {speed:.1f} times its speed, cosine {cosine:.4f}",
    "{pages} was skipped: the reader did not come to its end",
    "{pages} were skipped: the reader did not come to their end",
)
"""Templates that libraries since schema 1020 may hold, and that are worded differently now."""

_PLACE = re.compile(r"\{(\w+)(:[^{}]*)?\}")
# Places that hold other sentences of the list, or texts of the system. All others hold names, numbers and sentences.
_NESTED = {"why", "kind", "spoken", "fault", "where", "pages"}


def convert_stored_texts(connection: Connection) -> None:
    """Replace the sentences of documents by messages; a text that is not in the list stays, and is shown as it is."""
    rows = connection.exec_driver_sql("SELECT id, reason, message FROM document WHERE message <> ''").all()
    for document_id, reason, text in rows:
        if (message := recognise_text(text)) is not None:
            values = (message.with_code(reason or "").to_text(), document_id)
            connection.exec_driver_sql("UPDATE document SET message = ? WHERE id = ?", values)
    rows = connection.exec_driver_sql("SELECT id, warnings FROM version WHERE warnings NOT IN ('', '[]')").all()
    for version_id, warnings in rows:
        texts = json.loads(warnings)
        found = [recognise_text(text) for text in texts]
        if any(message is not None for message in found):
            kept = [text if message is None else message.to_text() for text, message in zip(texts, found, strict=True)]
            connection.exec_driver_sql("UPDATE version SET warnings = ? WHERE id = ?", (json.dumps(kept), version_id))


def recognise_text(text: str) -> Message | None:
    """Return the message that a sentence was; None where it is none of the list."""
    for template, code in _by_letters():
        if match := _expression(template).fullmatch(text):
            specs = {name: spec for name, spec in _PLACE.findall(template)}
            values = {name: _value(name, specs[name], value) for name, value in match.groupdict().items()}
            return Message.of(template, values, code)
    return None


@cache
def _by_letters() -> tuple[tuple[str, str], ...]:
    """Return the list, templates with the most letters of their own first: they say most surely what a text is."""
    return tuple(sorted(TEMPLATES, key=lambda each: -len(_PLACE.sub("", each[0]))))


@cache
def _expression(template: str) -> re.Pattern[str]:
    parts = []
    end = 0
    for place in _PLACE.finditer(template):
        value = r"[-+\d.,]+" if place[2] else ".*?"
        parts += [re.escape(template[end : place.start()]), f"(?P<{place[1]}>{value})"]
        end = place.end()
    return re.compile("".join(parts) + re.escape(template[end:]), re.DOTALL)


def _value(name: str, spec: str, text: str) -> object:
    if spec:
        number = float(text.replace(",", ""))
        return int(number) if number.is_integer() else number
    if name not in _NESTED:
        return text
    if text in LANGUAGE_NAMES.values():
        return Message.of(text, {})
    return recognise_text(text) or system_text(text)
