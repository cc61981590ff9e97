"""The queries that were asked, and the searches that are kept under a name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_app.gui import words
from desktop_app.gui.icons import icon

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.keeping import AskedQuery, SavedSearch
    from desktop_app.gui.main_window import MainWindow

_STOOD_MS = 2500
"""Time after which an answer was read and its query is worth remembering."""

_MOST_ASKED, _MOST_SAVED = 12, 8
_WIDEST_LETTERS = 70
_LONGEST = 2000
"""Characters of a query that is remembered: what is longer is a text."""


class SearchMemory(QObject):
    """What one window remembers of searches, in its library; of queries only where the person wants it.

    Attributes:
        changed: other searches are kept under a name.
        searches: those that are.
        actions: one for each, that runs it.
    """

    changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.searches: list[SavedSearch] = []
        self.actions: list[QAction] = []
        self._last = ""  # what was remembered last, and may be typed on
        self._taken = ""  # a sentence of a document: not the person's own words
        self._asked: list[AskedQuery] = []
        self._standing = QTimer(self, singleShot=True, interval=_STOOD_MS)
        self._standing.timeout.connect(self._remember)
        window.search.answered.connect(self._on_answered)
        window.search_box.textChanged.connect(lambda _text: self._standing.stop())
        window.search_box.recent_wanted.connect(self.show_recent)
        window.search_pane.activated.connect(lambda _hit: self._remember())
        window.search_box.opened.connect(self._on_enter)
        window.session.opened.connect(self.load)
        window.session.bridge.changed.connect(self._on_library_changed)
        window.actions_table.bind(
            {
                "search.save": self.choose_name,
                "search.saved": self.show_searches,
                "search.recent": self.show_recent,
                "search.forget": self.forget,
            }
        )
        window.actions_table.enable(("search.save",), False)
        window.search.changed.connect(lambda: window.actions_table.enable(("search.save",), bool(window.search.query)))

    def stop(self) -> None:
        """Remember what stands, and nothing further."""
        if self._standing.isActive():
            self._remember()
        self._standing.stop()

    def load(self) -> None:
        """Read the saved searches."""
        session = self._window.session
        session.bridge.call(session.workspace.keeping.searches(), self, self._on_searches)

    def take(self, text: str) -> None:
        """Search for a sentence of a document; it is not remembered as one's own words."""
        self._taken = " ".join(text.split())
        self._window.search_box.setText(text)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.searches:
            self.load()

    # Queries

    def _on_answered(self, again: object) -> None:
        if not again and self._window.hits.result is not None and self._window.hits.result.found:
            self._standing.start()

    def _on_enter(self) -> None:
        if self._window.search.is_answered:
            self._remember()

    def _remember(self) -> None:
        self._standing.stop()
        window, result = self._window, self._window.hits.result
        text = result.query if result is not None else ""
        is_own = text and text != self._taken and len(text) <= _LONGEST
        if not is_own or not window.settings.keep_queries or text == self._last:
            return
        # "sea" and then "sea level" are one query, typed to its end.
        before = self._last if self._last and text.startswith(self._last) else ""
        self._last = text
        job = window.session.workspace.keeping.remember(text, window.search.mode, instead_of=before)
        window.session.bridge.call(job, self, lambda _nothing: None, on_error=window.tell_error)

    def forget(self) -> None:
        """Forget all queries."""
        self._last = ""
        window = self._window
        job = window.session.workspace.keeping.forget_asked()
        told = self.tr("The queries of this library are forgotten.")
        window.session.bridge.call(job, self, lambda _nothing: window.tell(told), on_error=window.tell_error)

    def show_recent(self) -> None:
        """Show the latest queries and the saved searches below the search box."""
        session = self._window.session
        if session.status is None:
            return
        job = session.workspace.keeping.asked(_MOST_ASKED)
        session.bridge.call(job, self, self._show_recent, on_error=self._window.tell_error)

    def _show_recent(self, asked: list[AskedQuery]) -> None:
        window, box = self._window, self._window.search_box
        menu = QMenu(box)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(self.tr("Recent and saved searches"))
        menu.setMinimumWidth(min(box.width(), 480))
        for search in self.searches[:_MOST_SAVED]:
            menu.addAction(icon("quote"), _short(search.name), partial(self.run, search))
        if asked and self.searches:
            menu.addSeparator()
        for each in asked:
            menu.addAction(icon("clock"), _short(each.text), partial(self.ask, each))
        if asked:
            menu.addSeparator()
            menu.addAction(window.actions_table["search.forget"])
        if menu.isEmpty():
            nothing = menu.addAction(
                self.tr("No query is remembered yet")
                if window.settings.keep_queries
                else self.tr("Queries are not remembered (Preferences)")
            )
            nothing.setEnabled(False)
        menu.popup(box.mapToGlobal(QPoint(0, box.height() + 2)))
        if first := next((action for action in menu.actions() if action.isEnabled()), None):
            menu.setActiveAction(first)

    def ask(self, asked: AskedQuery) -> None:
        """Ask a query once more, as it was asked."""
        window = self._window
        window.actions_table[f"search.mode.{asked.mode}"].trigger()
        window.search_box.setText(asked.text)
        window.search_box.setFocus()

    # Saved searches

    def choose_name(self) -> None:
        """Let the person name the search that is shown."""
        from PySide6.QtWidgets import QInputDialog, QLineEdit

        search = self._window.search
        if not search.query:
            return
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Save search"))
        dialog.setLabelText(self.tr("Name of this search"))
        dialog.setTextValue(search.query[:60])
        for field in dialog.findChildren(QLineEdit):
            field.setAccessibleName(self.tr("Name of this search"))
        dialog.textValueSelected.connect(self.save)
        dialog.open()

    def save(self, name: str) -> None:
        """Keep the search that is shown under a name; one that has the name already is replaced."""
        name = " ".join(name.split())
        search = self._window.search
        if name and search.query:
            from desktop_app.core.keeping import SavedSearch

            self.keep(SavedSearch(name, search.query, search.mode, self._window.scope.parts, search.min_score))
            self._window.tell(self.tr("Saved as “{name}”.").format(name=name))

    def keep(self, search: SavedSearch) -> None:
        """Keep a search."""
        session = self._window.session
        job = session.workspace.keeping.save_search(search)
        session.bridge.call(job, self, lambda _id: self.load(), on_error=self._window.tell_error)

    def drop(self, search: SavedSearch) -> None:
        """Keep a search no longer."""
        session = self._window.session
        job = session.workspace.keeping.drop_search(search.search_id)
        session.bridge.call(job, self, lambda _nothing: self.load(), on_error=self._window.tell_error)

    def run(self, search: SavedSearch, _checked: bool = False) -> None:
        """Search as it was saved."""
        window = self._window
        window.panes.show_pane("search")
        window.actions_table[f"search.mode.{search.mode}"].trigger()
        window.search_pane.threshold.set_least(search.min_score)
        window.scope.set_parts(search.parts)
        window.search_box.setText(search.text)

    def fill(self, menu: QMenu) -> None:
        """Put the saved searches into a menu."""
        menu.clear()
        menu.addActions(self.actions)
        if not self.actions:
            menu.addAction(self.tr("None yet")).setEnabled(False)

    def in_words(self, search: SavedSearch) -> str:
        """Return what a saved search asks for, as a tooltip."""
        lines = [search.text, *(part.name for part in search.parts)]
        if search.min_score > 0:
            lines.append(words.decimal(search.min_score, 2))
        return words.tooltip("\n".join(lines))

    def show_searches(self) -> None:
        """Show the saved searches."""
        from desktop_app.gui.dialogs.saved_searches import SavedSearchesDialog

        SavedSearchesDialog(self, self._window).open()

    def _on_searches(self, searches: list[SavedSearch]) -> None:
        self.searches = searches
        for old in self.actions:
            old.deleteLater()
        self.actions = []
        for search in searches:
            action = QAction(icon("quote"), _short(search.name), self)
            action.setToolTip(self.in_words(search))
            action.triggered.connect(partial(self.run, search))
            self.actions.append(action)
        self.changed.emit()


def _short(text: str) -> str:
    line = " ".join(text.split())
    cut = line if len(line) <= _WIDEST_LETTERS else f"{line[: _WIDEST_LETTERS - 1].rstrip()}…"
    return cut.replace("&", "&&")
