"""The map with its tools and its export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QStandardPaths, Qt, Signal
from PySide6.QtGui import QActionGroup, QImageWriter
from PySide6.QtWidgets import QHBoxLayout, QMenu, QStackedLayout, QToolButton, QWidget

from desktop_app.core.records import ScoredSentence
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.clusters.map_view import MapView
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.state_view import StateContent, StateView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QAction, QShowEvent

    from desktop_app.core.clusters import Clusters, SentenceMap
    from desktop_app.core.records import Document, Hit
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.clusters.map_view import MapColouring


class MapPanel(QWidget):
    """The map of the library; it is loaded when it is first shown.

    Attributes:
        progressed: the map is being drawn; carries a Progress, None when it is done.
        found: the map; None before it is loaded.
    """

    progressed = Signal(object)

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._session = context.session
        self._request: LatestJob[SentenceMap] = LatestJob(context.session, self)
        self._clusters: Clusters | None = None
        self._highlighted: tuple[int, ...] = ()
        self._is_focus_due = False
        self._is_stale = False  # sentences may have come while it was hidden
        self._has_requested_names = False  # the names of the largest documents
        self.found: SentenceMap | None = None
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Map"))
        self.view = MapView(context.themes)
        self.view.pointed.connect(self._on_pointed)
        self.view.clicked.connect(lambda key: self._read(key, context.navigator.follow_hit.emit))
        self.view.opened.connect(lambda key: self._read(key, context.navigator.open_hit.emit))
        self.state = StateView()
        self.summary = ElidedLabel(self.tr("About the map"), "muted")
        self._stack = QStackedLayout()
        self._stack.addWidget(self.state)
        self._stack.addWidget(self.view)
        make_column((self._stack, 1), self._make_tools(), parent=self, spacing=0)
        # After the layout: with a menu made before its other children, setFocusProxy cuts these off from the tab order
        # of the window (Qt 6.11).
        self.menu = self._make_menu()
        self.setFocusProxy(self.view)
        self._show_state()

    def _make_tools(self) -> QHBoxLayout:
        row = make_row((self.summary, 1), margins=(12, 2, 12, 4), spacing=2)
        self.lasso_button = self._make_tool("lasso", self.tr("Select an area (or Shift and drag)"), self._set_lasso)
        self.lasso_button.setCheckable(True)
        row.addWidget(self.lasso_button)
        zoom_out = self.tr("Zoom out ({key})").format(key="\N{MINUS SIGN}")
        row.addWidget(self._make_tool("minus", zoom_out, lambda: self.view.zoom(0.8)))
        row.addWidget(self._make_tool("plus", self.tr("Zoom in (+)"), lambda: self.view.zoom(1.25)))
        row.addWidget(self._make_tool("unfold-vertical", self.tr("Show all (Home)"), self.view.fit))
        more = self._make_tool(
            "ellipsis", self.tr("More"), lambda: self.menu.popup(more.mapToGlobal(more.rect().topLeft()))
        )
        row.addWidget(more)
        return row

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("More map commands"))
        names: dict[MapColouring, str] = {
            "cluster": self.tr("Colour by &Topic"),
            "document": self.tr("Colour by &Document"),
            "date": self.tr("Colour by Document D&ate"),
        }
        colours = QActionGroup(self)
        for colouring, name in names.items():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(colouring == self.view.colouring)
            action.setActionGroup(colours)
            action.triggered.connect(lambda _checked=False, colouring=colouring: self.set_colouring(colouring))
        menu.addSeparator()
        menu.addAction(make_icon("download"), self.tr("Save as &Picture…")).triggered.connect(self.choose_file)
        self._redraw = menu.addAction(make_icon("rotate-ccw"), self.tr("&Redraw Map"))
        self._redraw.triggered.connect(lambda: self.refresh(force=True))
        return menu

    def _make_tool(self, picture: str, name: str, do: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setIcon(make_icon(picture))
        button.setToolTip(name)
        button.setAccessibleName(name.partition(" (")[0])
        button.clicked.connect(lambda: do())
        return button

    def _set_lasso(self) -> None:
        self.view.is_lasso = self.lasso_button.isChecked()

    # Display

    @property
    def is_drawing(self) -> bool:
        """Whether the map is being drawn."""
        return self._request.is_running

    def show_clusters(self, found: Clusters | None) -> None:
        """Colour and name the clusters; a visible map is loaded again, with new sentences."""
        if found is self._clusters:
            return
        self._clusters = found
        self.view.show_clusters(found)
        if self.isVisible():
            self.refresh()
        else:
            self._is_stale = self.found is not None

    def showEvent(self, event: QShowEvent) -> None:
        """Load the map again if its sentences have changed while it was hidden."""
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    def highlight(self, sentence_ids: Iterable[int]) -> None:
        """Highlight the hits of a search."""
        self._highlighted = tuple(sentence_ids)
        self.view.highlight(self._highlighted)
        self._show_counts()

    def refresh(self, *, force: bool = False) -> None:
        """Ask for the map; the former one stays visible meanwhile. With `force`, it is laid out from scratch."""
        self._is_stale = False

        def end(then: Callable[[], None] = lambda: None) -> None:
            self.progressed.emit(None)
            then()
            self._show_state()

        self._request.start(
            self._session.workspace.clusters.build_map(force=force),
            lambda found: end(lambda: self._show(found)),
            on_error=lambda error: end(lambda: self._context.tell_error(error)),
            on_cancelled=end,
            on_progress=self.progressed.emit,
        )
        self._show_state()

    def take_focus(self) -> None:
        """Move the keyboard focus to the map, as soon as there is one."""
        self._is_focus_due = self._stack.currentIndex() == 0
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def cancel(self) -> None:
        """Cancel drawing; the former map stays."""
        self._request.cancel()

    def _show(self, found: SentenceMap) -> None:
        self.found, self._has_requested_names = found, False
        self.view.show_map(found)
        self._name_documents()
        if self._highlighted:
            self.view.highlight(self._highlighted)
        self._show_counts()

    def set_colouring(self, colouring: MapColouring) -> None:
        """Give each cluster or each document a colour, or each date one of a scale."""
        self.view.set_colouring(colouring)
        self._name_documents()

    def _name_documents(self) -> None:
        """Ask for the names of the largest documents, once they have colours: the legend shows them."""
        if self.view.colouring != "document" or self._has_requested_names or self.found is None:
            return
        self._has_requested_names = True

        def name(documents: list[Document]) -> None:
            self.view.name_documents(
                {each.document_id: display_text.document_name(each.title, each.path) for each in documents}
            )

        ids = self.view.largest_documents
        job = self._session.workspace.read_documents(ids)
        self._session.bridge.call(job, self, name, on_error=self._context.tell_error)

    def _show_counts(self) -> None:
        parts = [display_text.count_sentences(len(self.found.ids))] if self.found is not None else []
        if self.view.highlighted_count:
            parts.append(
                self.tr("{count} in the search results").format(
                    count=display_text.format_number(self.view.highlighted_count)
                )
            )
        self.summary.setText(" · ".join(parts))

    def _show_state(self) -> None:
        if self.found is not None and len(self.found.ids):
            self._stack.setCurrentIndex(1)
            if self._is_focus_due:
                self.take_focus()
            return
        actions: tuple[QAction, ...] = ()
        if self._request.is_running:
            text = self.tr("Placing similar sentences close together. You can keep searching.")
            view = StateContent("drawing", "hourglass", self.tr("Drawing the map…"), text)
        elif self.found is None:  # stopped, or failed
            view = StateContent("no_map", "map", self.tr("The map isn't drawn yet"))
            actions = (self._redraw,)
        else:
            view = StateContent("no_map", "map", self.tr("Nothing to show"), self.tr("No sentences yet."))
        self.state.show_view(view, actions)
        self._stack.setCurrentIndex(0)

    # Pointing

    def _read(self, sentence_id: int, then: Callable[[Hit], None]) -> None:
        def show(hits: list[Hit]) -> None:
            for hit in hits:
                then(hit)

        job = self._session.workspace.read(lambda library: library.search.hits([ScoredSentence(sentence_id, 0.0)]))
        self._session.bridge.call(job, self, show, on_error=self._context.tell_error)

    def _on_pointed(self, sentence_id: int | None) -> None:
        if sentence_id is not None:
            self._read(sentence_id, lambda hit: self.view.show_tooltip(sentence_id, display_text.cite_hit(hit)))

    # Files

    def choose_file(self) -> None:
        """Ask where to save the picture."""
        file_dialogs.choose_save_file(
            self.window(),
            self.tr("Save map as picture"),
            {"png": self.tr("Picture"), "svg": self.tr("Vector drawing")},
            self.save,
            suggestion=self.tr("map"),
            folder=QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation),
        )

    def save(self, file: str) -> None:
        """Write the visible part of the map as PNG or SVG, unless that would overwrite a document."""
        from desktop_app.core.atomic_files import open_atomic
        from desktop_app.core.errors import StorageFull

        if self._context.refuse_overwrite(file):
            return
        suffix = Path(file).suffix.lower().lstrip(".")
        try:
            with open_atomic(file) as out:
                if suffix == "svg":
                    out.write(self.view.svg().encode("utf-8", "backslashreplace"))
                else:
                    buffer = QBuffer()
                    if not QImageWriter(buffer, QByteArray(suffix.encode())).write(self.view.picture()):
                        raise StorageFull("{file} cannot be written", file=file)
                    out.write(buffer.data().data())
        except StorageFull as error:
            self._context.tell_error(error)
            return
        self._context.tell(self.tr("Saved to {file}").format(file=file))
