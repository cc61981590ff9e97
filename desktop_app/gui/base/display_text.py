"""Messages, numbers, times, states, file types and languages as text for people. Always plain text."""

from __future__ import annotations

import html
import os
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from desktop_app.core.citation import has_printed_page
from desktop_app.core.errors import AppError, FileFailure
from desktop_app.core.formats import find_format, type_by_name
from desktop_app.core.messages import SEPARATOR, Message, fill, format_value
from desktop_app.core.same_names import tell_names_apart
from desktop_app.core.shared_address import find_unmapped_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop_app.core.errors import FailureReason
    from desktop_app.core.jobs import Progress
    from desktop_app.core.messages import Value
    from desktop_app.core.reader_events import OmissionKind, OmittedText, PageNote
    from desktop_app.core.records import DeviceInfo, Document, Hit, KindReason, PassageKind, Place
    from desktop_app.engine.requests import ImportReport, WorkspaceStatus

translate = QCoreApplication.translate

_WEEKDAY = re.compile(r"d{3,4},?\s*")
_MAX_PLACES = 5  # of a document, in a tooltip
_MESSAGES = "messages"  # the context of message templates in the translations


def translate_message(message: Message) -> str:
    """Return a message in the person's language; in English where a template has no translation.

    The template is translated first, then filled. Numbers are written as the language writes them, messages within a
    message are translated as well, and all other values stay as they are: names, paths, sentences of documents.
    """
    if not message:
        return ""
    return fill(QCoreApplication.translate(_MESSAGES, message.template), message.values, _format_message_value)


def _format_message_value(value: Value, spec: str) -> str:
    if isinstance(value, Message):
        return translate_message(value)
    if isinstance(value, tuple):
        return SEPARATOR.join(map(translate_message, value))
    text = format_value(value, spec)
    if isinstance(value, str) or not spec:
        return text
    decimals = text.partition(".")[2]
    if decimals.isdecimal():
        return QLocale().toString(float(value), "f", len(decimals))
    return QLocale().toString(round(value)) if "," in spec else text


def _translate_plural(text: str, comment: str, count: int) -> str:
    """Return a text with a number (`%Ln`) in its plural form; Qt's tools expect these parameters.

    The translation files hold the forms, also for English.
    """
    return translate("", text, comment, count)


def format_number(value: int) -> str:
    """Return `value` with its thousands grouped as in the language."""
    return QLocale().toString(value)


def format_size(size_bytes: int) -> str:
    """Return a size in kB, MB or GB, as file managers and messages do."""
    return QLocale().formattedDataSize(size_bytes, format=QLocale.DataSizeFormat.DataSizeSIFormat)


def format_decimal(value: float, decimals: int) -> str:
    """Return `value` with a fixed number of decimals, as in the language, with a minus sign in place of a hyphen."""
    return QLocale().toString(value, "f", decimals).replace("-", "\N{MINUS SIGN}")


def format_percent(value: float, decimals: int = 0) -> str:
    """Return "40%", in German "40 %"."""
    return translate("words", "{n}%").format(n=format_decimal(float(value), decimals))


def count_documents(count: int) -> str:
    """Return "3 documents"."""
    return _translate_plural("%Ln documents", "", count)


def count_sentences(count: int) -> str:
    """Return "6,800 sentences"."""
    return _translate_plural("%Ln sentences", "", count)


def count_highlights(count: int) -> str:
    """Return "12 highlights"."""
    return _translate_plural("%Ln highlights", "", count)


def count_notes(count: int) -> str:
    """Return "5 notes"."""
    return _translate_plural("%Ln notes", "", count)


def count_collections(count: int) -> str:
    """Return "4 collections"."""
    return _translate_plural("%Ln collections", "", count)


def count_pairs(count: int) -> str:
    """Return "12 pairs"."""
    return _translate_plural("%Ln pairs", "", count)


def count_passages(count: int) -> str:
    """Return "12 passages"."""
    return _translate_plural("%Ln passages", "", count)


def count_places(count: int) -> str:
    """Return "2 places"."""
    return _translate_plural("%Ln places", "", count)


def count_topics(count: int) -> str:
    """Return "24 topics"."""
    return _translate_plural("%Ln topics", "", count)


def count_rows(count: int) -> str:
    """Return "40 rows"."""
    return _translate_plural("%Ln rows", "", count)


def count_lines(count: int) -> str:
    """Return "3 lines"."""
    return _translate_plural("%Ln lines", "", count)


def count_pages(count: int, kind: str | None = "pdf") -> str:
    """Return "12 pages"; of a book "12 chapters", of other types "12 slides", "12 sheets" or "12 messages"."""
    unit = find_format(kind).page_unit
    if unit == "chapter":
        return _translate_plural("%Ln chapters", "", count)
    if unit == "slide":
        return _translate_plural("%Ln slides", "", count)
    if unit == "sheet":
        return _translate_plural("%Ln sheets", "", count)
    if unit == "message":
        return _translate_plural("%Ln messages", "", count)
    return _translate_plural("%Ln pages", "", count)


_FEW_SECONDS = 7.5


def format_date(date: str) -> str:
    """Return the date of a document (`2019-05-03`, `2019-05` or `2019`) as the language writes it."""
    if "-" not in date:
        return date
    year, *rest = map(int, date.split("-"))
    # The short form has a year of two digits, which is no use for a book.
    form = QLocale().dateFormat(QLocale.FormatType.LongFormat) if len(rest) > 1 else "MMMM yyyy"
    day = QDate(year, rest[0], rest[1] if len(rest) > 1 else 1)
    return QLocale().toString(day, _WEEKDAY.sub("", form))


def format_duration(seconds: float) -> str:
    """Return about how long something takes."""
    if seconds < 1:
        return translate("words", "less than a second")
    if seconds < 90:
        return _translate_plural("%Ln seconds", "", round(seconds))
    if seconds < 90 * 60:
        return _translate_plural("%Ln minutes", "", round(seconds / 60))
    return _translate_plural("%Ln hours", "", round(seconds / 3600))


def format_remaining_time(seconds: float) -> str:
    """Return "about 2 minutes left"; rounded, so that it does not change with every report."""
    if seconds < _FEW_SECONDS:
        return translate("words", "a few seconds left")
    rounded = round(seconds, -1) if seconds >= 20 else 5 * round(seconds / 5)
    return translate("words", "about {time} left").format(time=format_duration(rounded))


def explain_read_only() -> str:
    """Return why a person cannot change the library."""
    return translate("words", "You can only read this library. To change it, you need permission to write to it.")


def make_tooltip(text: str) -> str:
    """Return `text` as a tooltip that wraps and shows markup literally."""
    return f"<span>{html.escape(text)}</span>".replace("\n", "<br>") if text else ""


# Documents


def document_name(title: str, path: str) -> str:
    """Return the name of a document for people."""
    return " ".join(title.split()) or PurePath(path).name


def name_documents(hits: Iterable[Hit]) -> dict[str, str]:
    """Return, by path, the names of the documents of hits, with what tells those of one name apart."""
    return tell_names_apart({hit.path: document_name(hit.title, hit.path) for hit in hits})


def count_locations(count: int) -> str:
    """Return "in 2 locations"."""
    return _translate_plural("in %Ln locations", "", count)


def describe_document_state(document: Document, progress: Progress | None = None) -> str:
    """Return a document's state in a few words."""
    if document.state == "queued":
        return translate("words", "Waiting")
    if document.state == "failed":
        return describe_failure(document.reason, document.path)
    if document.state == "ready":
        parts = [count_sentences(document.sentences)]
        if document.pages:
            parts.insert(0, count_pages(document.pages, document.type))
        if document.copies:
            parts.append(count_locations(len(document.paths)))
        return " · ".join(parts)
    doing = translate("words", "Reading") if document.state == "reading" else translate("words", "Embedding")
    if progress is not None and progress.page and progress.page_count and document.state == "reading":
        doing = translate("words", "Reading page {page} of {count}").format(
            page=format_number(progress.page), count=format_number(progress.page_count)
        )
    return f"{doing} · {count_sentences(document.sentences)}" if document.sentences else f"{doing}…"


def describe_missing_file(document: Document) -> str:
    """Return the state of a document whose file is missing."""
    parts = [translate("words", "File not found")]
    if document.sentences:
        parts.append(count_sentences(document.sentences))
    return " · ".join(parts)


def describe_folder_state(count: int, failed: int) -> str:
    """Return "12 documents · 2 failed"."""
    parts = [count_documents(count)]
    if failed:
        parts.append(translate("words", "{count} failed").format(count=format_number(failed)))
    return " · ".join(parts)


def describe_unopened_file(path: str) -> str:
    """Return why a file could not be opened."""
    if PurePath(path).name and os.path.exists(path):
        text = translate("words", "No app on this computer can open {name}.")
    else:
        text = translate("words", "{name} has moved or been deleted: {path}")
        if root := find_unmapped_root(path):
            text = translate("words", "This computer has no folder for “{root}” yet: {path}").replace("{root}", root)
    return text.format(name=PurePath(path).name, path=path)


def is_maybe_scan(reason: FailureReason | None, path: str) -> bool:
    """Return whether OCR may find text in a file that has none: in a PDF or an image, not in an empty text."""
    return reason == "no_text" and find_format(type_by_name(PurePath(path))).shows_pages


def may_be_scanned(document: Document) -> bool:
    """Return whether a document is of a format that OCR can read."""
    return find_format(document.type or type_by_name(PurePath(document.path))).shows_pages


def describe_failure(reason: FailureReason | None, path: str = "") -> str:
    """Return why a file failed, in a few words."""
    if reason == "no_text" and not is_maybe_scan(reason, path):
        return translate("words", "No text found")
    return {
        "encrypted": translate("words", "Password-protected"),
        "locked": translate("words", "Protected, can't be opened here"),
        "no_text": translate("words", "No text found (scanned?)"),
        "damaged": translate("words", "Damaged"),
        "unsupported": translate("words", "Unsupported file type"),
        "too_large": translate("words", "Too large"),
        "timeout": translate("words", "Took too long to read"),
        "unreadable": translate("words", "Couldn't be opened"),
        "no_vector": translate("words", "The model can't process it"),
    }.get(reason or "", translate("words", "Failed"))


def describe_failure_remedy(reason: FailureReason | None, path: str = "") -> str:
    """Return what a person can do, in this window, about a file that failed."""
    if reason == "no_text" and not is_maybe_scan(reason, path):
        return translate("words", "Add text to it, then retry.")
    return {
        "encrypted": translate("words", "Select the file, then enter its password."),
        "locked": translate(
            "words",
            "This protection isn't supported. Save an unprotected copy if you're allowed to.",
        ),
        "no_text": translate("words", "Pages are scanned or empty. Select the file and run OCR."),
        "damaged": translate("words", "Try opening it in another app and saving a new copy."),
        "unsupported": translate("words", "Convert it to a supported format, such as PDF or plain text."),
        "too_large": translate("words", "Split it into smaller files."),
        "timeout": translate("words", "Save a new copy with another app, then retry."),
        "unreadable": translate(
            "words", "Check that the file exists and that you have permission to read it, then retry."
        ),
        "no_vector": translate("words", "Use another model. If many texts fail, the model's files may be damaged."),
    }.get(reason or "", "")


def describe_page_state(note: PageNote) -> str:
    """Return how a page's text was read: "text", "OCR, confidence 92%", "no text", "poor text, 71% readable".

    A page without text has a quality above 0 if it has characters that are not its letters.
    """
    percent = format_percent(100 * note.quality)
    if note.state == "ocr":
        return translate("words", "OCR, confidence {percent}").format(percent=percent)
    if note.state == "poor":
        return translate("words", "poor text, {percent} readable").format(percent=percent)
    if note.state == "none" and note.quality > 0:
        return translate("words", "unreadable letters (fonts without a character map)")
    return translate("words", "no text") if note.state == "none" else translate("words", "text")


def omission_kind_name(kind: OmissionKind) -> str:
    """Return why a text was left out on purpose."""
    return {
        "running": translate("words", "running head or page number"),
        "navigation": translate("words", "navigation"),
        "hidden": translate("words", "hidden text"),
        "reading": translate("words", "pronunciation"),
        "alternative": translate("words", "alternative text"),
        "metadata": translate("words", "front matter"),
    }[kind]


def list_omissions(texts: Sequence[OmittedText]) -> str:
    """Return texts that were left out on purpose, each on a line of its own with its page and reason."""
    lines = []
    for each in texts:
        page = translate("words", "p. {page}").format(page=format_number(each.page)) if each.page else ""
        lines.append(" · ".join(filter(None, (page, omission_kind_name(each.kind), each.text))))
    return "\n".join(dict.fromkeys(lines))


PASSAGE_KINDS: tuple[PassageKind, ...] = (
    *("body", "heading", "stub", "table", "form", "code", "reference", "garbled", "boilerplate"),
)
"""What a person can say that a passage is, in the order of a menu."""


def passage_kind_name(kind: PassageKind) -> str:
    """Return what a passage is."""
    return {
        "heading": translate("words", "heading"),
        "stub": translate("words", "fragment"),
        "form": translate("words", "form field"),
        "code": translate("words", "code"),
        "table": translate("words", "table"),
        "reference": translate("words", "list of references"),
        "garbled": translate("words", "unreadable text"),
        "boilerplate": translate("words", "repeated text"),
        "note": translate("words", "note"),
    }.get(kind, translate("words", "sentence"))


def describe_passage_kind(kind: PassageKind, reason: KindReason) -> str:
    """Return what a passage is and why: "fragment (no end mark, no verb)"."""
    if not reason and kind not in ("body", "list"):
        reason = "layout"
    why = {
        "layout": translate("words", "by its layout"),
        "short": translate("words", "too short"),
        "letters": translate("words", "too few letters"),
        "unmarked": translate("words", "no end mark and no verb"),
        "title": translate("words", "a title"),
        "field": translate("words", "a field or its label"),
        "words": translate("words", "no words of a language"),
        "repeated": translate("words", "on many pages or in many documents"),
        "person": translate("words", "corrected"),
        "library": translate("words", "kept in the library"),
    }.get(reason, "")
    name = passage_kind_name(kind)
    return translate("words", "{kind} ({reason})").format(kind=name, reason=why) if why else name


def list_tags(names: Sequence[str]) -> str:
    """Return "tags: thesis, unread", or nothing."""
    return translate("words", "tags: {tags}").format(tags=", ".join(names)) if names else ""


def describe_document(document: Document, *, is_missing: bool = False, tags: Sequence[str] = ()) -> str:
    """Return all facts about a document, for a tooltip."""
    lines = [document_name(document.title, document.path), document.path]
    lines += [translate("words", "Also at: {path}").format(path=copy.path) for copy in document.copies[:_MAX_PLACES]]
    if len(document.copies) > _MAX_PLACES:
        lines.append("…")
    if is_missing:
        lines += [
            describe_missing_file(document),
            translate("words", "Its text can still be searched. Locate the file, or remove the document."),
        ]
    elif document.state == "failed":
        lines += [
            f"{describe_failure(document.reason, document.path)}: {translate_message(document.message)}".rstrip(": "),
            describe_failure_remedy(document.reason, document.path),
        ]
    else:
        lines.append(describe_document_state(document))
    if tags:
        lines.append(translate("words", "Tags: {tags}").format(tags=", ".join(tags)))
    lines += map(translate_message, document.warnings)
    return "\n".join(line for line in lines if line)


# Hits


def format_score(value: float) -> str:
    """Return a cosine similarity with two decimals."""
    return format_decimal(value, 2)


def format_location(hit: Hit) -> str:
    """Return the location of a hit: "p. 4" (or the page's own label), "chapter 2", "row 12", "lines 3–4", "1:02:03"."""
    return format_places(hit.places, hit.type, hit.page_label)


def format_places(places: Sequence[Place], document_type: str | None, page_label: str | None = None) -> str:
    """Return the location of a passage by its places; see `format_location`."""
    if not places:
        return ""
    first = places[0]
    if first.unit == "row":
        row = translate("words", "row {row}").format(row=format_number(first.start))
        return f"{page_label}, {row}" if page_label else row
    if first.unit == "ms":
        return format_clock(first.start)
    if first.line is not None:
        return _format_line_range(first.line, places[-1].last_line or first.line)
    if first.page is None:
        return ""
    unit = find_format(document_type).page_unit
    if unit == "chapter":
        return translate("words", "chapter {chapter}").format(chapter=format_number(first.page))
    if unit == "slide":
        return translate("words", "slide {slide}").format(slide=format_number(first.page))
    if unit == "message":
        return translate("words", "message {message}").format(message=format_number(first.page))
    return translate("words", "p. {page}").format(page=page_label or first.page)


def format_extent(first: Hit, last: Hit) -> str:
    """Return the location of a passage by its first and last sentence: "lines 3–40", "p. 4 – p. 6"."""
    begin, end = format_location(first), format_location(last)
    if first.places and last.places and first.places[0].line is not None and last.places[-1].last_line is not None:
        return _format_line_range(first.places[0].line, last.places[-1].last_line)
    return begin if begin == end else f"{begin} \N{EN DASH} {end}"


def format_cited_location(hit: Hit) -> str:
    """Return the location of a hit for a citation: a page that is only counted in the file says so, as "PDF p. 4"."""
    page = hit.places[0].page if hit.places else None
    if page is None or has_printed_page(hit):
        return format_location(hit)
    return translate("words", "PDF p. {page}").format(page=page)


def _format_line_range(first: int, last: int) -> str:
    if first == last:
        return translate("words", "line {line}").format(line=format_number(first))
    return translate("words", "lines {first}–{last}").format(first=format_number(first), last=format_number(last))


def format_clock(milliseconds: int) -> str:
    """Return "2:03" or "1:02:03"."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def describe_other_documents(hit: Hit) -> str:
    """Return "also in 3 other documents", or nothing."""
    if not hit.also_in:
        return _translate_plural("%Ln near-duplicates grouped", "", hit.copies) if hit.copies else ""
    return _translate_plural("also in %Ln other documents", "", hit.also_in)


def describe_hit_differences(hit: Hit) -> str:
    """Return how a close hit differs from the query: "differs in negation, numbers"; mostly empty."""
    names = {
        "negation": translate("words", "negation"),
        "opposites": translate("words", "opposite words"),
        "swapped": translate("words", "swapped words"),
        "numbers": translate("words", "numbers"),
        "dates": translate("words", "dates"),
    }
    what = ", ".join(names[badge] for badge in hit.badges)
    return translate("words", "differs in {what}").format(what=what) if what else ""


def ocr_badge_text() -> str:
    """Return the text of the badge on passages read by OCR."""
    return translate("words", "OCR")


def ocr_badge_tooltip() -> str:
    """Return the explanation of that badge."""
    return translate("words", "This page was read by OCR. Some words may be wrong.")


def describe_judgement(verdict: bool | None) -> str:
    """Return how the person judged a hit; empty if not judged."""
    if verdict is None:
        return ""
    if verdict:
        return translate("words", "You marked this as a good match")
    return translate("words", "You marked this as not a match")


def format_percentile(value: float) -> str:
    """Return "99.8%" for a share of random pairs; never 100%, because not all pairs were sampled."""
    share = round(min(value, 99.9), 1)
    return format_percent(share, 0 if share == int(share) else 1)


def describe_percentile(value: float | None) -> str:
    """Return how a score ranks among random pairs of the library; empty until that is measured."""
    if value is None:
        return ""
    text = translate("words", "More similar than {share} of random pairs in your library.")
    return text.format(share=format_percentile(value))


def describe_search_method(hit: Hit) -> str:
    """Return the search method that found a hit."""
    return {
        ("meaning", "words"): translate("words", "meaning and words"),
        ("words",): translate("words", "words"),
    }.get(hit.matched_by, translate("words", "meaning"))


def describe_lifting_words(hit: Hit) -> str:
    """Return why a hit stands above a higher score; empty if it does not."""
    return translate("words", "words matched: {words}").format(words=", ".join(hit.lifted_by)) if hit.lifted_by else ""


def describe_part_score(score: float | None, *, is_cosine: bool) -> str:
    """Return the score of a result for one of several queries, as a number."""
    if score is None:
        return "\N{EN DASH}"
    return format_score(score) if is_cosine else format_decimal(score, 1)


def cite_hit(hit: Hit) -> str:
    """Return the sentence in the quotation marks of the language, with its location."""
    source = ", ".join(part for part in (document_name(hit.title, hit.path), format_cited_location(hit)) if part)
    return f"{QLocale().quoteString(hit.text)} ({source})"


# Work


def describe_import_progress(progress: Progress, *, is_paused: bool = False) -> str:
    """Return "120 sentences added", and below it "250 sentences/s · about 2 minutes left"."""
    searchable = _translate_plural("%Ln sentences added", "", progress.sentences)
    if is_paused:
        return searchable
    parts = []
    if progress.sentences_per_s >= 1:
        parts.append(
            translate("words", "{rate} sentences/s").format(rate=format_number(round(progress.sentences_per_s)))
        )
    if progress.remaining_s is not None:
        parts.append(format_remaining_time(progress.remaining_s))
    return searchable + "\n" + (" · ".join(parts) or translate("words", "Estimating time…"))


def describe_import_result(report: ImportReport) -> str:
    """Return the result of an import, in one line."""
    copies = len(report.copies)
    counts = (
        (len(report.imported), translate("words", "imported")),
        (len(report.unchanged), translate("words", "unchanged")),
        (len(report.failed), translate("words", "failed")),
        (len(report.ignored), translate("words", "ignored")),
    )
    parts = [f"{format_number(count)} {word}" for count, word in counts if count]
    if copies:
        parts.insert(bool(report.imported), _translate_plural("%Ln exact copies", "", copies))
    if report.stopped:
        parts.append(translate("words", "stopped"))
    return " · ".join(parts) or translate("words", "No supported documents found")


def describe_status(status: WorkspaceStatus) -> str:
    """Return "3 documents · 6,800 sentences": each text counts once, as in the results of a search."""
    return f"{count_documents(status.library.documents)} · {count_sentences(status.library.visible_sentences)}"


def explain_status(status: WorkspaceStatus) -> str:
    """Return how sentences are counted, and the model and device, one line each."""
    library = status.library
    counted = translate("status", "Each sentence counts once, even if it occurs several times ({count} places in all).")
    lines = [counted.format(count=format_number(library.occurrences))]
    if status.model is not None:
        lines.append(translate("status", "Model: {name}").format(name=status.model.name))
    if status.device is not None:
        lines.append(translate("status", "Running on: {device}").format(device=describe_device(status.device)))
        lines += map(translate_message, status.device.note.parts())
    return "\n".join(lines)


def describe_device(info: DeviceInfo) -> str:
    """Return the encoder's device and precision, "CPU (fp32)"."""
    return f"{info.device.upper()} ({info.precision})"


def describe_error(problem: BaseException) -> tuple[str, str]:
    """Return an error message and a hint."""
    if isinstance(problem, FileFailure):
        return translate_message(problem.message), describe_failure_remedy(problem.reason)
    if isinstance(problem, AppError):
        return translate_message(problem.message), translate_message(problem.hint)
    return (
        translate("words", "Kindred ran into a problem"),
        translate("words", "A report has been opened; you can copy it."),
    )


def describe_error_in_sentences(problem: BaseException) -> str:
    """Return message and hint as sentences."""
    message, hint = describe_error(problem)
    return f"{message[:1].upper()}{message[1:]}. {hint}".strip()


def document_type_name(kind: str) -> str:
    """Return the name of a type of documents."""
    name = find_format(kind).name
    return translate("", name) if name else kind


def language_name(code: str) -> str:
    """Return the name of a language, given its two letters."""
    return {
        "ar": translate("words", "Arabic"),
        "cs": translate("words", "Czech"),
        "da": translate("words", "Danish"),
        "de": translate("words", "German"),
        "el": translate("words", "Greek"),
        "en": translate("words", "English"),
        "es": translate("words", "Spanish"),
        "fi": translate("words", "Finnish"),
        "fr": translate("words", "French"),
        "he": translate("words", "Hebrew"),
        "hi": translate("words", "Hindi"),
        "it": translate("words", "Italian"),
        "ja": translate("words", "Japanese"),
        "ko": translate("words", "Korean"),
        "nl": translate("words", "Dutch"),
        "pl": translate("words", "Polish"),
        "pt": translate("words", "Portuguese"),
        "ru": translate("words", "Russian"),
        "sv": translate("words", "Swedish"),
        "th": translate("words", "Thai"),
        "tr": translate("words", "Turkish"),
        "uk": translate("words", "Ukrainian"),
        "zh": translate("words", "Chinese"),
    }.get(code, code)


def describe_unknown_query(language: str) -> str:
    """Return that the model knows no query in a language (two letters), or not these words if it is empty."""
    if not language:
        return translate("search", "The model doesn't recognize these words.")
    return translate("search", "This model isn't trained for {language}.").format(language=language_name(language))


def name_languages(codes: Iterable[str]) -> str:
    """Return the names of languages, given by two letters each."""
    return ", ".join(map(language_name, codes))


def make_path_wrappable(path: str) -> str:
    """Return a path in which lines can break after each separator except a leading one."""
    root = path[:1] if path[:1] in ("/", "\\") else ""
    parts = path[len(root) :].replace("/", "/\N{ZERO WIDTH SPACE}").replace("\\", "\\\N{ZERO WIDTH SPACE}")
    return f"{root}\N{WORD JOINER}{parts}" if root else parts
