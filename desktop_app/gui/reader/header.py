"""The header of the reader: title, position and tools."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop_app.gui.base import display_text
from desktop_app.gui.base.actions import ShortcutTip
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop_app.core.records import Document
    from desktop_app.gui.base.actions import ActionTable

_SPACING_PX, _GAP_PX, _MARGINS_PX = 2, 4, (11, 9, 10, 5)
_MAX_LINKING = 40
_ZOOM_CHOICES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


class ReaderHeader(QWidget):
    """Title and position above, tools below.

    Attributes:
        stepped: go to the next hit (1) or the previous one (-1).
        zoomed: zoom in (1) or out (-1).
        zoom_chosen: a zoom was chosen; carries it.
        fit_chosen: `width` or `page` was chosen.
        dark_chosen: dark pages were switched on or off; carries the state.
        outline_wanted: show the table of contents.
        linking_chosen: open a note that links to this one; carries its Document.
        extraction_wanted: show or hide the extraction view.
        menu_wanted: open the menu of the document; carries the position on the screen.
    """

    stepped = Signal(object)
    zoomed = Signal(object)
    zoom_chosen = Signal(object)
    fit_chosen = Signal(object)
    dark_chosen = Signal(object)
    outline_wanted = Signal()
    linking_chosen = Signal(object)
    extraction_wanted = Signal()
    menu_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Reader tools"))
        self.title = ElidedLabel(self.tr("Title of the document"), mode=None)
        self.title.setFont(scale_font(self.title.font(), 1.1, QFont.Weight.DemiBold))
        self.recognised = make_label(display_text.ocr_badge_text(), factor=0.9)
        self.recognised.setProperty("surface", "badge")
        self.recognised.setAccessibleName(display_text.ocr_badge_tooltip())
        self.recognised.setToolTip(display_text.ocr_badge_tooltip())
        self.recognised.hide()
        self.place = make_label(tone="muted", name=self.tr("Page"))
        self.count = make_label(tone="muted", name=self.tr("Results in this document"))
        self.count.setToolTip(self.count.accessibleName())
        self.outline = _make_tool_button("table-of-contents", self.tr("Contents"), self.outline_wanted.emit)
        self.links = _make_tool_button("link", self.tr("Notes that link here"), self._pop_up_links)
        self.links.hide()
        self._linking: tuple[Document, ...] = ()
        self.previous = _make_tool_button(
            "chevron-up", self.tr("Previous result in this document"), lambda: self.stepped.emit(-1)
        )
        self.next = _make_tool_button(
            "chevron-down", self.tr("Next result in this document"), lambda: self.stepped.emit(1)
        )
        self.zoom_out_button = _make_tool_button("minus", self.tr("Smaller"), lambda: self.zoomed.emit(-1))
        self.zoom_in_button = _make_tool_button("plus", self.tr("Larger"), lambda: self.zoomed.emit(1))
        self.zoom = QToolButton()
        self.zoom.setAccessibleName(self.tr("Zoom"))
        self.zoom.setToolTip(self.tr("Zoom"))
        self.zoom.setMinimumWidth(self.zoom.fontMetrics().horizontalAdvance(display_text.format_percent(500)) + 18)
        self._has_steps = self._has_zoom = self._has_pages = False
        self._zooms = QMenu(self.zoom)
        self._zooms.setAccessibleName(self.tr("Zoom"))
        self._fits = [
            self._zooms.addAction(text, partial(self.fit_chosen.emit, fit))
            for text, fit in ((self.tr("Fit Width"), "width"), (self.tr("Fit Page"), "page"))
        ]
        self._zooms.addSeparator()
        for zoom in _ZOOM_CHOICES:
            self._zooms.addAction(display_text.format_percent(100 * zoom), partial(self.zoom_chosen.emit, zoom))
        # Not setMenu: the button would open the menu in its own event loop.
        self.zoom.clicked.connect(lambda: self._zooms.popup(self.zoom.mapToGlobal(self.zoom.rect().bottomLeft())))
        self.dark = _make_tool_button(
            "moon", self.tr("Dark pages"), lambda: self.dark_chosen.emit(self.dark.isChecked())
        )
        self.dark.setCheckable(True)
        self.extraction = _make_tool_button(
            "scan-text", self.tr("Show sentence boundaries"), self.extraction_wanted.emit
        )
        self.extraction.setCheckable(True)
        self.more = _make_tool_button("external-link", self.tr("Open or show the file"), self._ask_menu)

        upper = make_row((self.title, 1), self.recognised, self.place, margins=(5, 0, 6, 0), spacing=12)
        lower = make_row(
            self.outline,
            self.links,
            self.previous,
            self.next,
            _GAP_PX,
            self.count,
            "stretch",
            self.zoom_out_button,
            self.zoom,
            self.zoom_in_button,
            _GAP_PX,
            self.extraction,
            self.dark,
            self.more,
            spacing=_SPACING_PX,
        )
        make_column(upper, lower, parent=self, margins=_MARGINS_PX, spacing=4)

    def name_shortcuts(self, actions: ActionTable) -> None:
        """Name the shortcuts of the window's actions in the tips."""
        for button, action_id in (
            (self.previous, "hit.previous"),
            (self.next, "hit.next"),
            (self.zoom_out_button, "reader.zoom_out"),
            (self.zoom_in_button, "reader.zoom_in"),
            (self.extraction, "reader.extraction"),
        ):
            ShortcutTip(button, actions[action_id], button.accessibleName())

    def show_linking(self, documents: Sequence[Document]) -> None:
        """Offer the notes that link to this one."""
        self._linking = tuple(documents)
        self.links.setVisible(bool(documents))

    def _pop_up_links(self) -> None:
        menu = make_popup_menu(self, self.tr("Notes that link here"))
        menu.addSection(self.tr("Linked from"))
        for document in self._linking[:_MAX_LINKING]:
            name = display_text.document_name(document.title, document.path).replace("&", "&&")
            menu.addAction(make_icon("file-code"), name, partial(self.linking_chosen.emit, document))
        menu.popup(self.links.mapToGlobal(self.links.rect().bottomLeft()))

    def show_zoom(self, zoom: float) -> None:
        """Show the zoom."""
        self.zoom.setText(display_text.format_percent(100 * zoom))

    def show_place(self, page: int, count: int, page_label: str = "") -> str:
        """Show the current page, or nothing if `count` is 0. Return the text."""
        text = ""
        if count and page_label and page_label != str(page):
            text = self.tr("page {label} ({page} of {count})")
        elif count:
            text = self.tr("page {page} of {count}")
        text = text.format(
            label=page_label, page=display_text.format_number(page), count=display_text.format_number(count)
        )
        self.place.setText(text)
        return text

    def show_place_in_text(self, place: str) -> None:
        """Show the position of the current hit in a file without pages."""
        self.place.setText(place)

    def show_count(self, nth: int | None, count: int) -> None:
        """Show the number of the current hit, counted from 0."""
        several = nth is not None and count > 1
        text = self.tr("{nth} of {count}").format(
            nth=display_text.format_number((nth or 0) + 1), count=display_text.format_number(count)
        )
        self.count.setText(text if several else "")
        self._has_steps = several
        self._make_room()
        self.previous.setEnabled(several and nth != 0)
        self.next.setEnabled(several and nth != count - 1)

    def show_tools(self, *, pages: bool, text: bool) -> None:
        """Show the tools for pages, for text, or for neither."""
        self._has_zoom, self._has_pages = pages or text, pages
        for action in self._fits:
            action.setVisible(pages)
        self._make_room()

    def event(self, event: QEvent) -> bool:
        """Make room when a tool comes or changes its text."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._make_room()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide less important tools if there is little room."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        left, _top, right, _bottom = _MARGINS_PX
        room = self.width() - left - right - 2 * (_GAP_PX + _SPACING_PX) - _SPACING_PX  # what stretches is a gap too
        if not self.outline.isHidden():
            room -= self.outline.sizeHint().width() + _SPACING_PX
        if not self.links.isHidden():
            room -= self.links.sizeHint().width() + _SPACING_PX
        by_importance: tuple[tuple[bool, tuple[QWidget, ...]], ...] = (
            (True, (self.more,)),
            (self._has_zoom, (self.zoom,)),
            (self._has_steps, (self.previous, self.next)),
            (self._has_pages, (self.dark,)),
            (self._has_zoom, (self.extraction,)),
            (bool(self.count.text()), (self.count,)),
            (self._has_zoom, (self.zoom_out_button, self.zoom_in_button)),
        )
        for is_wanted, tools in by_importance:
            if is_wanted:
                room -= sum(max(tool.sizeHint().width(), tool.minimumWidth()) + _SPACING_PX for tool in tools)
            for tool in tools:
                tool.setVisible(is_wanted and room >= 0)

    def _ask_menu(self) -> None:
        self.menu_wanted.emit(self.more.mapToGlobal(self.more.rect().bottomLeft()))


def _make_tool_button(name: str, tip: str, pressed: Callable[[], object]) -> QToolButton:
    result = QToolButton()
    result.setIcon(make_icon(name))
    result.setIconSize(QSize(18, 18))
    result.setToolTip(tip)
    result.setAccessibleName(tip)
    result.clicked.connect(lambda _checked=False: pressed())
    return result
