"""Exports a traced draft or two aligned documents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale
from shiboken6 import isValid

from desktop_app.core.citation_styles import CITATION_STYLES
from desktop_app.core.stored_path import find_stored_path
from desktop_app.core.trace import Trace
from desktop_app.core.trace_texts import TraceTexts
from desktop_app.gui.base import display_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.file_dialogs import choose_save_file
from desktop_app.gui.trace.model import describe_differences
from desktop_app.gui.trace.sentence_kinds import sentence_kind_name
from desktop_app.gui.trace.state_view import (
    ProgressRow,
    describe_differing_sentences,
    describe_own_documents,
    describe_skipped_lines,
    describe_unknown_draft,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop_app.core.citation_styles import CitationStyle
    from desktop_app.core.jobs import Job, Progress
    from desktop_app.core.trace import Diff
    from desktop_app.gui.base.window_context import WindowContext


class ExportRow(ProgressRow):
    """Shows how far a file is written, with a button that stops it. An export that is quick does not show it."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(translate("tracing", "Stop export"))
        self._context = context
        self._job: Job[int] | None = None
        self.cancelled.connect(self.cancel_export)

    def follow(self, job: Job[int], on_written: Callable[[int], None]) -> None:
        """Show the progress of a job until it ends.

        Args:
            job: writes the file.
            on_written: receives the number of rows, even if this row is deleted before.
        """
        self.cancel_export()
        self._job = job

        def end(follow: Callable[[], None] = lambda: None) -> None:
            if self._job is job:
                self._job = None
                if isValid(self):
                    self.hide()
            follow()

        def show(progress: Progress) -> None:
            if self._job is job and isValid(self):
                self.show_progress(progress)
                self.show()

        self._context.session.bridge.call(
            job,
            self._context.widget,
            lambda count: end(lambda: on_written(count)),
            on_error=lambda error: end(lambda: self._context.tell_error(error)),
            on_cancelled=end,
            on_progress=show,
        )

    def cancel_export(self) -> None:
        """Stop writing; a file that was to be replaced stays."""
        if self._job is not None:
            self._job.cancel()


def make_trace_texts(form: str) -> TraceTexts:
    """Return the texts of an exported file, in the language of the window.

    Args:
        form: the style or format in which the person cited last; footnotes cite in it if it is a style.
    """
    style: CitationStyle = next((each for each in CITATION_STYLES if each == form), "chicago-notes")
    return TraceTexts(
        style=style,
        language=QLocale().name()[:2],
        see_also=translate("tracing", "See also"),
        sources=translate("tracing", "Sources"),
        remarks=translate("tracing", "About this check"),
        kind=sentence_kind_name,
        differs=lambda badges: describe_differences(list(badges)),
        locate=display_text.format_cited_location,
        stopped=lambda left: translate("tracing", "Stopped early: {sentences} of the draft not checked.").format(
            sentences=display_text.count_sentences(left)
        ),
        differing=describe_differing_sentences,
        skipped=describe_skipped_lines,
        own=describe_own_documents,
        unknown_languages=describe_unknown_draft,
    )


def choose_trace_export(
    context: WindowContext, parent: QWidget, found: Trace | Diff, title: str, row: ExportRow, name: str, draft: str = ""
) -> None:
    """Ask for a file, and write to it.

    Args:
        context: the window's services.
        parent: the window below the dialog.
        found: the result to write.
        title: of the dialog.
        row: shows the progress.
        name: of the result, which the name of the file begins with.
        draft: path of the draft, which must not be overwritten.
    """
    formats = {
        "md": translate("tracing", "Markdown, with citations"),
        "xlsx": translate("tracing", "Excel workbook"),
        "csv": translate("tracing", "Table"),
        "jsonl": translate("tracing", "JSON lines"),
    }
    if isinstance(found, Trace):
        formats = {
            "docx": translate("tracing", "Word document, sources in footnotes"),
            "html": translate("tracing", "Web page, sources in footnotes"),
            **formats,
            "bib": translate("tracing", "BibTeX, sources only"),
        }
    choose_save_file(
        parent, title, formats, lambda file: export_trace(context, found, file, row, draft), suggestion=name
    )


def export_trace(context: WindowContext, found: Trace | Diff, file: str, row: ExportRow, draft: str = "") -> None:
    """Write to a file, unless that would overwrite a document of the library or the draft itself."""
    if draft and find_stored_path(file) == find_stored_path(draft):
        context.tell(translate("tracing", "{name} is the draft itself. Select another name.").format(name=file))
        return
    if context.refuse_overwrite(file):
        return

    def tell(count: int) -> None:
        text = translate("tracing", "Exported {rows} to {name}.")
        context.tell(text.format(rows=display_text.count_rows(count), name=os.path.basename(file)))

    texts = make_trace_texts(context.settings.citation_form)
    row.follow(context.session.workspace.trace.export(found, file, texts), tell)
