"""The table of contents of the document in the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui.words import translate

if TYPE_CHECKING:
    from desktop_app.core.reading import OutlineEntry
    from desktop_app.gui.panes.reader import ReaderPane


class ReaderContents:
    """What the reader knows of its document's headings, and how one goes to them.

    Attributes:
        entries: the headings, in order.
    """

    def __init__(self, reader: ReaderPane) -> None:
        self._reader = reader
        self.entries: tuple[OutlineEntry, ...] = ()

    def show(self, entries: tuple[OutlineEntry, ...]) -> None:
        """Take the headings of pages."""
        self.entries = entries
        self.offer()

    def add(self, entries: tuple[OutlineEntry, ...]) -> None:
        """Take headings that were looked up; none leave those that are there."""
        self.show(entries or self.entries)

    def find_headings(self) -> None:
        """Take the headings that stand in the stored text, where the file names none."""
        from desktop_app.core.reading import OutlineEntry

        if not self.entries and (found := self._reader.text.headings):
            self.show(tuple(OutlineEntry(heading, None, 0) for heading in found))

    def forget(self) -> None:
        """Know of none."""
        self.entries = ()

    def offer(self) -> None:
        """Offer the headings where there are any."""
        self._reader.head.outline.setVisible(bool(self.entries))

    def pop_up(self) -> None:
        """Show the table of contents."""
        from desktop_app.gui.reading.outline import OutlinePopup

        if self.entries:
            reader = self._reader
            popup = OutlinePopup(reader, self.entries, reader.pages.page if reader.mode == "pages" else 0)
            popup.chosen.connect(self._go_to)
            popup.pop_up(reader.head.outline.mapToGlobal(reader.head.outline.rect().bottomLeft()))

    def _go_to(self, entry: OutlineEntry) -> None:
        reader = self._reader
        reader.view.setFocus()
        if reader.mode == "pages" and entry.page is not None:
            reader.pages.go_to(entry.page)
        elif reader.mode == "text" and not (
            reader.text.find_heading(entry.title) or (entry.page is not None and reader.text.find_page(entry.page))
        ):
            reader.tell.emit(translate("ReaderPane", "This heading is not in the text that was stored."))
