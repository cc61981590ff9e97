"""The states shown in place of a traced draft or two aligned documents, and their progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.core.errors import FileFailure
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.buttons import make_icon_button
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_row
from desktop_app.gui.widgets.progress_card import ProgressBar
from desktop_app.gui.widgets.state_view import StateContent, StateView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import Progress
    from desktop_app.core.trace import Trace
    from desktop_app.gui.base.actions import ActionTable
    from desktop_app.gui.trace.controller import TraceController

_WIDTH_PX = 260


def trace_state(controller: TraceController) -> StateContent | None:
    """Return the state to show in place of a traced draft; None if at least the beginning of one is there."""
    if controller.state == "working" and not controller.is_growing:
        title = translate("tracing", "Checking “{name}”…").format(name=controller.name)
        return StateContent("trace_working", "hourglass", title, describe_progress(controller.progress))
    if controller.state == "failed" and controller.error is not None:
        is_locked = isinstance(controller.error, FileFailure) and controller.error.reason == "encrypted"
        first = ("trace.password",) if is_locked else ()
        return StateContent(
            "trace_failed", "triangle-alert", *_describe_error(controller.error), (*first, "trace.retry", "trace.open")
        )
    if controller.state == "stopped":
        return StateContent(
            "trace_stopped", "pause", translate("tracing", "Stopped"), "", ("trace.retry", "trace.open")
        )
    # In an empty library everything is unsupported, which says nothing about the draft.
    is_compared = controller.has_documents or controller.has_scores
    if controller.is_growing or (controller.found is not None and controller.found.sentences and is_compared):
        return None
    if controller.found is not None and is_compared:
        return StateContent(
            "trace_empty",
            "inbox",
            translate("tracing", "No sentences in this draft"),
            translate("tracing", "Headings, tables and code aren't checked. Try another file or text."),
            (*(("trace.all_passages",) if controller.found.skipped else ()), "trace.open", "trace.paste"),
        )
    if not is_compared:
        return StateContent(
            "trace_no_documents",
            "inbox",
            translate("tracing", "Import documents to check a draft"),
            translate("tracing", "Kindred finds sources for each sentence of a draft in your library."),
            ("library.import", "library.samples"),
        )
    return StateContent(
        "trace_nothing",
        "list-checks",
        translate("tracing", "Drop or paste a draft here"),
        translate(
            "tracing",
            "Kindred checks every sentence against your library and shows its source: verbatim, paraphrased, "
            "related or unsupported.",
        ),
        ("trace.open", "trace.paste"),
        "accent",
    )


def describe_stopped_trace(controller: TraceController) -> tuple[str, str]:
    """Return the notice that only the beginning of a draft is traced, and the text of its button."""
    found, former = controller.found, controller.former
    done = len(found.sentences) if found is not None else 0
    total = done + (found.left if found is not None else 0)
    text = translate("tracing", "Stopped after {done} of {total} sentences.")
    offer = translate("tracing", "Check Again") if former is None else translate("tracing", "Back to Previous Draft")
    return text.format(done=display_text.format_number(done), total=display_text.format_number(total)), offer


def describe_skipped(found: Trace | None) -> str:
    """Return what else to know of a checked draft; mostly empty.

    How many sentences differ in a fact from their source, which lines were skipped, and which documents are no sources.
    """
    if found is None:
        return ""
    parts = [
        describe_differing_sentences(found.differing) if found.differing else "",
        describe_skipped_lines(found.skipped) if found.skipped else "",
        describe_own_documents(found.own) if found.own else "",
    ]
    return " ".join(part for part in parts if part)


def describe_differing_sentences(count: int) -> str:
    """Return that the sources of a number of sentences differ in a fact."""
    text = translate("tracing", "Facts that differ from the source: {sentences}.")
    return text.format(sentences=display_text.count_sentences(count))


def describe_skipped_lines(count: int) -> str:
    """Return that a number of lines of a draft were skipped."""
    text = translate("tracing", "{lines} skipped (headings, fragments, table rows, code, references).")
    return text.format(lines=display_text.count_lines(count))


def describe_own_documents(names: Sequence[str]) -> str:
    """Return that documents are no sources because they are the draft itself."""
    return translate("tracing", "Ignored as a source (same file): {names}.").format(names=", ".join(names))


def describe_unknown_draft(languages: Sequence[str]) -> str:
    """Return that the model was not trained for languages (two letters) of a draft; empty if it was."""
    text = translate("tracing", "The model isn't trained for {languages}, so sources may be missed.")
    return text.format(languages=display_text.name_languages(languages)) if languages else ""


def describe_unknown_documents(languages: Sequence[str]) -> str:
    """Return that the model was not trained for languages (two letters) of two documents; empty if it was."""
    text = translate(
        "tracing",
        "The model isn't trained for {languages}: sentences that say the same may appear as new or dropped.",
    )
    return text.format(languages=display_text.name_languages(languages)) if languages else ""


def offer_multilingual_model(actions: ActionTable) -> str:
    """Return the text of a button that gets a multilingual model; empty if this library cannot have another one."""
    action = actions["models.multilingual"]
    return action.text().replace("&", "") if action.isEnabled() else ""


def documents_state(first: int | str | None, second: int | str | None) -> StateContent:
    """Return the state to show in place of two aligned documents.

    Args:
        first: a document's id, or the path of a file; None if none is chosen yet.
        second: likewise.
    """
    missing = 1 if first is not None else 0
    if first is None or second is None:
        return StateContent(
            "missing",
            "side-by-side",
            translate("tracing", "Compare two documents, sentence by sentence"),
            translate(
                "tracing",
                "Drop a document on each side, or select one. Files aren't added to your library.",
            ),
            (f"choose.{missing}",),
            "accent",
        )
    if first == second:
        return StateContent(
            "same",
            "equal",
            translate("tracing", "Both are the same document"),
            translate("tracing", "Drop another document on either side."),
            (f"choose.{missing}",),
        )
    return StateContent("empty", "inbox", translate("tracing", "No sentences in either document"))


def failure_state(error: BaseException) -> StateContent:
    """Return the state to show for an error."""
    return StateContent("failed", "triangle-alert", *_describe_error(error), ("retry",))


def _describe_error(error: BaseException) -> tuple[str, str]:
    if isinstance(error, FileFailure):
        # A remedy for a document of the library does not always help with a file outside of it.
        own = {"encrypted": "", "no_text": translate("tracing", "Its pages are scanned or empty.")}
        hint = own.get(error.reason)
        return display_text.describe_failure(error.reason), display_text.describe_failure_remedy(
            error.reason
        ) if hint is None else hint
    return display_text.describe_error(error)


def describe_progress(progress: Progress | None) -> str:
    """Return the text of a progress."""
    if progress is None:
        return translate("tracing", "Reading…")
    numbers = {
        "done": display_text.format_number(progress.done),
        "total": display_text.format_number(progress.total or 0),
    }
    if progress.phase == "reading" and progress.total:
        return translate("tracing", "Reading page {done} of {total}").format(**numbers)
    if progress.phase == "embedding" and progress.total:
        return translate("tracing", "Processing sentences: {done} of {total}").format(**numbers)
    if progress.phase == "comparing" and progress.total:
        return translate("tracing", "Searching the library: {done} of {total}").format(**numbers)
    if progress.phase == "comparing":
        return translate("tracing", "Aligning sentences…")
    if progress.phase == "exporting":
        return translate("tracing", "Exporting: {done} of {total}").format(**numbers)
    return translate("tracing", "Reading…")


class ProgressStateView(StateView):
    """A state with a progress bar and a button that cancels.

    Attributes:
        cancelled: the person cancels the job.
    """

    cancelled = Signal()

    def __init__(self, stop: str) -> None:
        super().__init__()
        self.bar = ProgressBar()
        self.bar.setFixedWidth(_WIDTH_PX)
        self.stop = make_icon_button("square", stop)
        self.stop.setAccessibleName(stop.partition(" (")[0])
        self.stop.clicked.connect(self.cancelled)
        row = make_row("stretch", self.bar, self.stop, "stretch")
        column = self._inner.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertLayout(column.count() - 1, row)
        self.show_progress(None, False)

    def show_progress(self, progress: Progress | None, is_working: bool) -> None:
        """Show the progress while a job runs."""
        self.bar.setVisible(is_working)
        self.stop.setVisible(is_working)
        self.bar.show_progress(progress)


class ProgressRow(QWidget):
    """One line with a text, a progress bar and a button that cancels.

    Attributes:
        cancelled: the person cancels the job.
    """

    cancelled = Signal()

    def __init__(self, stop: str) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Current task"))
        self.text = ElidedLabel(self.tr("Current task"), "muted")
        self.text.setFont(scale_font(self.text.font(), 0.92))
        self.bar = ProgressBar()
        self.stop = make_icon_button("square", stop)
        self.stop.setAccessibleName(stop.partition(" (")[0])
        self.stop.clicked.connect(self.cancelled)
        make_row((self.text, 3), (self.bar, 2), self.stop, parent=self, spacing=10)
        self.hide()

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress."""
        self.text.setText(describe_progress(progress))
        self.bar.show_progress(progress)
