"""What stands where pairs would be, and what is said of them in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui import words
from desktop_app.gui.states import View
from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.core.jobs import Progress
    from desktop_app.gui.pairing.feed import PairFeed


def view_of(feed: PairFeed, rows: int, sentences: int) -> View | None:
    """Return what to show in place of pairs; None when there are pairs to show."""
    if rows:
        return None
    if feed.standing == "failed" and feed.error is not None:
        message, hint = words.error(feed.error)
        return View("pairs_failed", "triangle-alert", message, hint, ("pairs.retry",))
    if feed.standing in ("nothing", "opening"):
        return View("pairs_opening", "hourglass", translate("pairs", "Opening the library…"))
    if feed.standing == "stopped":
        return View(
            "pairs_stopped",
            "pause",
            translate("pairs", "Stopped"),
            translate("pairs", "What was compared so far is kept: finding the pairs goes on from there."),
            ("pairs.retry",),
        )
    if sentences < 2:
        return View(
            "pairs_empty",
            "inbox",
            translate("pairs", "Import documents to see what they say twice"),
            translate("pairs", "The same sentence in two documents, copies with some words changed, and other words."),
            ("library.import", "library.samples"),
        )
    if feed.is_working:
        return View(
            "pairs_finding",
            "hourglass",
            translate("pairs", "Looking for what is said twice…"),
            translate("pairs", "Every sentence is compared with every other one once; what was found is kept."),
        )
    if feed.is_filtered:
        return View(
            "pairs_filtered",
            "list-filter",
            translate("pairs", "No such pairs"),
            translate("pairs", "Choose other scores or kinds, or show all pairs."),
            ("pairs.reset",),
        )
    return View(
        "pairs_none",
        "circle-check",
        translate("pairs", "Nothing is said twice"),
        translate("pairs", "No two documents have sentences that are alike. Lower scores may show something."),
    )


def info_line(feed: PairFeed, rows: int, is_complete: bool) -> str:
    """Return what there is to say about the pairs as a whole."""
    if not rows:
        return ""
    if feed.is_stale:
        return translate("pairs", "The library has changed; the pairs are found anew when it rests")
    text = (
        translate("pairs", "All {count} pairs, the most similar first")
        if is_complete
        else translate("pairs", "The most similar {count} pairs; more come as you scroll")
    )
    return text.format(count=words.number(rows))


def progress_line(progress: Progress | None) -> str:
    """Return what is under way."""
    if progress is None:
        return ""
    if progress.phase == "comparing" and progress.total:
        text = translate("pairs", "Comparing sentences: {done} of {total}")
        return text.format(done=words.number(progress.done), total=words.number(progress.total))
    if progress.phase == "storing":
        return translate("pairs", "Keeping what was found…")
    if progress.phase == "exporting" and progress.total:
        text = translate("pairs", "Writing pairs: {done} of {total}")
        return text.format(done=words.number(progress.done), total=words.number(progress.total))
    return translate("pairs", "Looking at pairs: {count} so far").format(count=words.number(progress.done))
