"""What the reader has to remark on its document: that its file is gone, or is no longer what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.gui.panes.reader import ReaderPane
    from desktop_app.gui.widgets import NoticeBar


class ReaderRemarks:
    """The line above a document, and what its button does.

    Attributes:
        is_gone: the file was not there when the document was opened.
    """

    def __init__(self, reader: ReaderPane, notice: NoticeBar) -> None:
        self._reader = reader
        self._notice = notice
        self.is_gone = False
        notice.pressed.connect(self._on_pressed)

    def forget(self) -> None:
        """Say nothing: another document is opened."""
        self.is_gone = False
        self._notice.hide()

    def gone(self) -> None:
        """Say that the file of what is shown is no longer there."""
        shown = self._reader.opened
        assert shown is not None
        self.is_gone = True
        text = translate("ReaderPane", "The file is no longer there; this is the text that was stored.")
        self._notice.say(f"{text}\n{shown.path}", translate("ReaderPane", "Find the File…"))

    def no_pages(self, why: str) -> None:
        """Say why text is shown in place of pages."""
        self._notice.say(translate("ReaderPane", "{why}; this is the text that was stored.").format(why=why))

    def located(self, found: bool) -> None:
        """Say so when a sentence was not found on its page."""
        if not found:
            self._notice.say(
                translate(
                    "ReaderPane", "This sentence was not found on its page: the file has changed since it was read."
                ),
                translate("ReaderPane", "Read the Stored Text"),
            )
        elif self._reader.mode == "pages":
            self._notice.hide()

    def _on_pressed(self) -> None:
        shown = self._reader.opened
        if self.is_gone and shown is not None:
            self._reader.file_wanted.emit(shown.document_id)
        else:
            self._reader.reload_text()
