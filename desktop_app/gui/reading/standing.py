"""What the reader says around its document: which hit of how many, which page, where the hits lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_app.gui import words

if TYPE_CHECKING:
    from desktop_app.gui.panes.reader import ReaderPane


class ReaderStanding:
    """Where one is in the document of a reader."""

    def __init__(self, reader: ReaderPane) -> None:
        self._reader = reader

    def show_count(self) -> None:
        """Show which of the document's hits is marked."""
        self._reader.head.show_count(self._reader.walk.at, len(self._reader.walk.hits))

    def show_heat(self) -> None:
        """Show along the scroll bar where the hits lie."""
        reader = self._reader
        shares: list[float] = []
        if reader.mode == "pages":
            shares = reader.pages.shares(reader.walk.pages)
        elif reader.mode == "text":
            shares = reader.text.shares(reader.walk.ordinals)
        reader.heat.show_marks(reader.walk.heat(shares))

    def show(self) -> None:
        """Show which page one reads, how large, and whether the marked sentence was read by OCR."""
        reader = self._reader
        page, count, page_label = 0, 0, ""
        if reader.mode == "pages" and reader.file is not None:
            page, count = reader.pages.page, len(reader.file.sizes)
            page_label = self._label(page)
        reader.pages.setAccessibleDescription(reader.head.show_place(page, count, page_label))
        if reader.mode == "text" and reader.current is not None:
            reader.head.show_place_in_text(words.place(reader.current))
        reader.head.recognised.setVisible(self._is_recognised())
        reader.head.show_zoom(reader.view.zoom)

    def page_in_words(self) -> str:
        """Return the page of what is chosen or marked: "p. 4"."""
        reader = self._reader
        if reader.mode == "pages" and (pages := reader.pages.selection.pages):
            page = pages[0]
            return words.translate("words", "p. {page}").format(page=self._label(page) or page)
        return words.place(reader.current) if reader.current is not None else ""

    def _is_recognised(self) -> bool:
        """Say whether the marked sentence was read by OCR, and its page is the one in sight."""
        reader, hit = self._reader, self._reader.current
        if hit is None or not hit.is_recognised:
            return False
        return reader.mode == "text" or (
            reader.mode == "pages" and reader.pages.page in {each.page for each in hit.places}
        )

    def _label(self, page: int) -> str:
        labels = self._reader.file.labels if self._reader.file is not None else ()
        return labels[page - 1] if 1 <= page <= len(labels) else ""
