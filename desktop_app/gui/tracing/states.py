"""What stands where a traced draft or two aligned documents would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.core.errors import FileFailure
from desktop_app.gui import words
from desktop_app.gui.states import View
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import Progress
    from desktop_app.core.tracing import Trace
    from desktop_app.gui.tracing.feed import TraceFeed


def view_of_trace(feed: TraceFeed) -> View | None:
    """Return what to show in place of a traced draft; None when there is one to show, or the beginning of one."""
    if feed.standing == "working" and not feed.is_growing:
        title = translate("tracing", "Tracing {name}…").format(name=feed.name)
        return View("trace_working", "hourglass", title, progress_line(feed.progress))
    if feed.standing == "failed" and feed.error is not None:
        is_locked = isinstance(feed.error, FileFailure) and feed.error.reason == "encrypted"
        first = ("trace.password",) if is_locked else ()
        return View("trace_failed", "triangle-alert", *_told(feed.error), (*first, "trace.retry", "trace.open"))
    if feed.standing == "stopped":
        return View("trace_stopped", "pause", translate("tracing", "Stopped"), "", ("trace.retry", "trace.open"))
    if feed.is_growing or (feed.found is not None and feed.found.sentences):
        return None
    if feed.found is not None:
        return View(
            "trace_empty",
            "inbox",
            translate("tracing", "There are no sentences in this draft"),
            translate("tracing", "Headings, tables and code alone are not traced. Try another file or text."),
            ("trace.open", "trace.paste"),
        )
    if not feed.has_documents:
        return View(
            "trace_no_documents",
            "inbox",
            translate("tracing", "Import documents to trace a draft to"),
            translate("tracing", "Each sentence of a draft is looked for in the documents of the library."),
            ("library.import", "library.samples"),
        )
    return View(
        "trace_nothing",
        "list-checks",
        translate("tracing", "Drop or paste a draft here"),
        translate(
            "tracing",
            "Kindred says of each of its sentences whether the library has it verbatim, says the same in other words, "
            "is only related, or does not support it, and where.",
        ),
        ("trace.open", "trace.paste"),
        "accent",
    )


def stopped_line(feed: TraceFeed) -> tuple[str, str]:
    """Return that what is shown is but the beginning of a draft, and what is offered: what was shown before, if any."""
    found, former = feed.found, feed.former
    done = len(found.sentences) if found is not None else 0
    total = done + (found.left if found is not None else 0)
    text = translate("tracing", "Stopped: the first {done} of {total} sentences are traced.")
    offer = translate("tracing", "Trace Again") if former is None else translate("tracing", "Back to the Draft Before")
    return text.format(done=words.number(done), total=words.number(total)), offer


def aside_line(found: Trace | None) -> str:
    """Return what of a draft was not looked for, and which documents are no sources of it; empty where nothing is."""
    if found is None:
        return ""
    parts = [skipped_line(found.skipped) if found.skipped else "", own_line(found.own) if found.own else ""]
    return " ".join(part for part in parts if part)


def skipped_line(count: int) -> str:
    """Return that so many lines of a draft were not looked for."""
    said = translate("tracing", "Not looked for, being no sentences (headings, table rows, code, references): {count}.")
    return said.format(count=words.number(count))


def own_line(names: Sequence[str]) -> str:
    """Return that documents are no sources, being the draft itself."""
    return translate("tracing", "No source, for it is the draft itself: {names}.").format(names=", ".join(names))


def view_of_sides(first: int | str | None, second: int | str | None) -> View:
    """Return what to show where two documents would be aligned, while there is nothing to align.

    Args:
        first: a document's id, or the path of a file; None: none is chosen yet.
        second: likewise.
    """
    missing = 1 if first is not None else 0
    if first is None or second is None:
        return View(
            "missing",
            "side-by-side",
            translate("tracing", "Two documents, sentence by sentence"),
            translate(
                "tracing",
                "Drag a document from the library or drop a file on the left or right half of this window, or "
                "choose one. A file that is not in the library does not enter it.",
            ),
            (f"choose.{missing}",),
            "accent",
        )
    if first == second:
        return View(
            "same",
            "equal",
            translate("tracing", "Both are the same document"),
            translate("tracing", "Drop another one on the left or on the right half."),
            (f"choose.{missing}",),
        )
    return View("empty", "inbox", translate("tracing", "Neither document has sentences"))


def failed(error: BaseException, action: str) -> View:
    """Return what is shown of something that could not be done."""
    return View("failed", "triangle-alert", *_told(error), (action,))


def _told(error: BaseException) -> tuple[str, str]:
    if isinstance(error, FileFailure):
        # What helps a document of the library does not always help a file that is in none.
        own = {"encrypted": "", "no_text": translate("tracing", "Its pages are pictures, or empty.")}
        hint = own.get(error.reason)
        return words.failure(error.reason), words.failure_hint(error.reason) if hint is None else hint
    return words.error(error)


def progress_line(progress: Progress | None) -> str:
    """Return what is under way, and how far it is."""
    if progress is None:
        return translate("tracing", "Reading…")
    numbers = {"done": words.number(progress.done), "total": words.number(progress.total or 0)}
    if progress.phase == "reading" and progress.total:
        return translate("tracing", "Reading page {done} of {total}").format(**numbers)
    if progress.phase == "embedding" and progress.total:
        return translate("tracing", "Understanding sentences: {done} of {total}").format(**numbers)
    if progress.phase == "comparing" and progress.total:
        return translate("tracing", "Looking for sentences in the library: {done} of {total}").format(**numbers)
    if progress.phase == "comparing":
        return translate("tracing", "Aligning the sentences…")
    if progress.phase == "exporting":
        return translate("tracing", "Writing: {done} of {total}").format(**numbers)
    return translate("tracing", "Reading…")
