"""Shows and hides the library at the left of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QResizeEvent

    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.imports.controller import ImportController
    from desktop_app.gui.library.pane import LibraryPane
    from desktop_app.gui.reader.pane import ReaderPane

_NARROW_PX = 1100
"""Below this width, three columns leave less than half of its size to a page of A4."""

_LIBRARY_PX, _RESULTS_SHARE = 240, 0.44  # of a narrow window; the share is of what the library leaves
_WIDE_LIBRARY_PX = 260


class ColumnSplitter(QSplitter):
    """The columns of the window.

    Attributes:
        resized: the columns have another width together.
    """

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Report the new width once the columns have theirs."""
        super().resizeEvent(event)
        self.resized.emit()


class LibrarySidebar(QObject):
    """Folds the library of a narrow window, so that a page in the reader can be read.

    In a wide window the library is shown unless the person hides it. In a narrow one it makes room when the reader
    shows a document, and comes back when the person asks for it (then it stays) or imports something.

    Args:
        context: the services of the window.
        splitter: holds the library, the panes and the reader.
        library: the library.
        reader: the reader.
        imports: an import is followed in the library.
    """

    def __init__(
        self,
        context: WindowContext,
        splitter: ColumnSplitter,
        library: LibraryPane,
        reader: ReaderPane,
        imports: ImportController,
    ) -> None:
        super().__init__(context.widget)
        self._splitter, self._library, self._reader, self._imports = splitter, library, reader, imports
        self._action = context.actions["view.library"]
        self._action.setChecked(True)
        self._is_narrow = False
        self._is_wanted = True  # in a wide window
        self._is_pinned = False  # in a narrow one
        self._wide_sizes: list[int] = []
        context.actions.bind({"view.library": self._toggle})
        library.wanted.connect(self._pin)
        reader.document_shown.connect(self.make_room)
        imports.changed.connect(self._on_import)
        splitter.resized.connect(self._on_resized)

    def _on_resized(self) -> None:
        width = self._splitter.width()
        if (width < _NARROW_PX) == self._is_narrow:
            return
        self._is_narrow = not self._is_narrow
        if self._is_narrow:
            self._wide_sizes = self._splitter.sizes()
            results = round((width - _LIBRARY_PX) * _RESULTS_SHARE)
            self._splitter.setSizes([_LIBRARY_PX, results, width - _LIBRARY_PX - results])
            self.make_room()
        else:
            self._show(self._is_wanted)
            self._splitter.setSizes(self._wide_sizes or [_WIDE_LIBRARY_PX, width // 3, width // 2])

    def _toggle(self) -> None:
        if self._is_narrow:
            self._is_pinned = self._action.isChecked()
        else:
            self._is_wanted = self._action.isChecked()
        self._show(self._action.isChecked())

    def _pin(self) -> None:
        if self._library.isHidden():
            self._action.trigger()

    def make_room(self) -> None:
        """Hide the library of a narrow window if the reader shows a document and the library is not in use."""
        focus = self._library.window().focusWidget()
        is_used = self._imports.is_running or (focus is not None and self._library.isAncestorOf(focus))
        has_use = self._reader.document is not None  # of the room
        if self._is_narrow and has_use and not self._is_pinned and not is_used:
            self._show(False)

    def _on_import(self) -> None:
        if self._imports.is_running and self._is_narrow:
            self._show(True)

    def _show(self, shown: bool) -> None:
        has_changed = shown == self._library.isHidden()
        _library, *others = self._splitter.sizes()
        self._library.setVisible(shown)
        self._action.setChecked(shown)
        if has_changed and self._is_narrow and all(others):
            # By itself the splitter takes the whole room from the reader.
            left = self._splitter.width() - (_LIBRARY_PX if shown else 0)
            results = round(left * others[0] / sum(others))
            self._splitter.setSizes([_LIBRARY_PX if shown else 0, results, left - results])

    def save(self, state: QSettings) -> None:
        """Save whether the library is shown."""
        state.setValue("library/narrow", self._is_narrow)
        state.setValue("library/shown", not self._library.isHidden())
        state.setValue("library/wanted", self._is_wanted)
        state.setValue("library/pinned", self._is_pinned)

    def restore(self, state: QSettings) -> None:
        """Restore whether the library is shown; the columns keep the widths that are restored with the window."""
        self._is_narrow = state.value("library/narrow", False, bool) is True
        self._is_wanted = state.value("library/wanted", True, bool) is not False
        self._is_pinned = state.value("library/pinned", False, bool) is True
        self._show(state.value("library/shown", True, bool) is not False)
