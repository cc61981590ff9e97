"""Past queries, and searches that are saved under a name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QDialog, QListWidget, QListWidgetItem, QMenu, QWidget

from desktop_app.core.links import LibraryLink, format_link
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.labels import make_heading, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.menus import make_popup_menu

if TYPE_CHECKING:
    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.user_data import PastQuery, SavedSearch
    from desktop_app.gui.base.window_context import WindowContext
    from desktop_app.gui.search.controller import SearchController
    from desktop_app.gui.search.pane import SearchPane
    from desktop_app.gui.search.search_box import SearchBox

_REMEMBER_DELAY_MS = 2500
"""Time after which an answer counts as read and its query is remembered."""

_MAX_PAST_QUERIES, _MAX_LISTED_SEARCHES = 12, 8
_MAX_MENU_CHARACTERS = 70
_MAX_QUERY_CHARACTERS = 2000
"""Longest query that is remembered; anything longer is a text."""

_SEARCH_ROLE = Qt.ItemDataRole.UserRole


class SearchHistoryController(QObject):
    """The searches that a library remembers; queries only if the person wants it.

    Attributes:
        changed: the saved searches changed.
        searches: the saved searches.
        actions: one for each saved search, which runs it.
    """

    changed = Signal()

    def __init__(self, context: WindowContext, search: SearchController, pane: SearchPane, box: SearchBox) -> None:
        super().__init__(pane)
        self._context, self._search, self._pane, self._box = context, search, pane, box
        self.searches: list[SavedSearch] = []
        self.actions: list[QAction] = []
        self._last = ""  # the last remembered query, which may still be extended
        self._taken = ""  # a sentence of a document, which is not remembered
        self._reading_timer = QTimer(self, singleShot=True, interval=_REMEMBER_DELAY_MS)
        self._reading_timer.timeout.connect(self._remember)
        search.answered.connect(self._on_answered)
        box.query_changed.connect(lambda _text: self._reading_timer.stop())
        box.recent_wanted.connect(self.show_recent)
        pane.activated.connect(lambda _hit: self._remember())
        box.opened.connect(self._on_enter)
        context.session.opened.connect(self.load)
        context.session.bridge.changed.connect(self._on_library_changed)
        context.actions.bind(
            {
                "search.save": self.choose_name,
                "search.copy_link": self.copy_link,
                "search.saved": self.show_searches,
                "search.recent": self.show_recent,
                "search.forget": self.forget,
            }
        )
        of_query = ("search.save", "search.copy_link")
        context.actions.enable(of_query, False)
        search.changed.connect(lambda: context.actions.enable(of_query, bool(search.query)))

    def stop(self) -> None:
        """Remember the current query if it waits for that, and stop."""
        if self._reading_timer.isActive():
            self._remember()
        self._reading_timer.stop()

    def load(self) -> None:
        """Read the saved searches."""
        session = self._context.session
        session.bridge.call(
            session.workspace.read(lambda library: library.user_data.saved_searches(), by_person=False),
            self,
            self._on_searches,
        )

    def take(self, text: str) -> None:
        """Search for a sentence of a document without remembering it."""
        self._taken = " ".join(text.split())
        self._box.setText(text)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if changes.searches:
            self.load()

    def copy_link(self) -> None:
        """Copy a link that repeats the search."""
        link = LibraryLink(self._context.library_identity, query=self._search.query, mode=self._search.mode)
        self._context.copy(format_link(link))

    # Queries

    def _on_answered(self, again: object) -> None:
        if not again and self._pane.model.result is not None and self._pane.model.result.found:
            self._reading_timer.start()

    def _on_enter(self) -> None:
        if self._search.is_answered:
            self._remember()

    def _remember(self) -> None:
        self._reading_timer.stop()
        result = self._pane.model.result
        text = result.query if result is not None else ""
        is_own = text and text != self._taken and len(text) <= _MAX_QUERY_CHARACTERS
        is_kept = self._context.settings.keep_queries and self._context.session.is_writable
        if not is_own or not is_kept or text == self._last:
            return
        # "sea" and then "sea level" are one query.
        before = self._last if self._last and text.startswith(self._last) else ""
        self._last = text
        mode = self._search.mode
        job = self._context.session.workspace.change(
            lambda library: library.user_data.remember(text, mode, instead_of=before), by_person=False
        )
        self._context.session.bridge.call(job, self, lambda _nothing: None, on_error=self._context.tell_error)

    def forget(self) -> None:
        """Forget all queries."""
        self._last = ""
        job = self._context.session.workspace.change(
            lambda library: library.user_data.forget_queries(), by_person=False
        )
        message = self.tr("Search history cleared.")
        self._context.session.bridge.call(
            job, self, lambda _nothing: self._context.tell(message), on_error=self._context.tell_error
        )

    def show_recent(self) -> None:
        """Show the latest queries and the saved searches below the search box."""
        session = self._context.session
        if session.status is None:
            return
        job = session.workspace.read(lambda library: library.user_data.past_queries(_MAX_PAST_QUERIES), by_person=False)
        session.bridge.call(job, self, self._show_recent, on_error=self._context.tell_error)

    def _show_recent(self, asked: list[PastQuery]) -> None:
        box = self._box
        menu = make_popup_menu(box, self.tr("Recent and saved searches"))
        menu.setMinimumWidth(min(box.width(), 480))
        for search in self.searches[:_MAX_LISTED_SEARCHES]:
            menu.addAction(make_icon("quote"), _shorten_query(search.name), partial(self.run, search))
        if asked and self.searches:
            menu.addSeparator()
        for each in asked:
            menu.addAction(make_icon("clock"), _shorten_query(each.text), partial(self.ask, each))
        if asked:
            menu.addSeparator()
            menu.addAction(self._context.actions["search.forget"])
        if menu.isEmpty():
            nothing = menu.addAction(
                self.tr("No recent searches")
                if self._context.settings.keep_queries
                else self.tr("Search history is off (Preferences)")
            )
            nothing.setEnabled(False)
        menu.popup(box.mapToGlobal(QPoint(0, box.height() + 2)))
        if first := next((action for action in menu.actions() if action.isEnabled()), None):
            menu.setActiveAction(first)

    def ask(self, asked: PastQuery) -> None:
        """Repeat a past query in its mode."""
        self._context.actions[f"search.mode.{asked.mode}"].trigger()
        self._box.setText(asked.text)
        self._box.setFocus()

    # Saved searches

    def choose_name(self) -> None:
        """Ask for the name of the current search."""
        from desktop_app.gui.widgets.text_dialog import ask_text

        if self._search.query:
            title, label = self.tr("Save search"), self.tr("Name of the search")
            ask_text(self._context.widget, title, label, self.save, self._suggest_name())

    def _suggest_name(self) -> str:
        """Return a name for the current search that takes the place of no other search."""
        wanted = self._search.query[:60].strip()
        now = (self._search.query, self._search.mode, tuple(self._pane.scope.parts), self._search.min_score)
        others = {
            each.name for each in self.searches if (each.text, each.mode, tuple(each.parts), each.min_score) != now
        }
        name, number = wanted, 2
        while name in others:
            name, number = f"{wanted} ({number})", number + 1
        return name

    def save(self, name: str) -> None:
        """Save the current search under a name; replace one of the same name."""
        name = " ".join(name.split())
        search = self._search
        if name and search.query:
            from desktop_app.core.user_data import SavedSearch

            self.save_search(SavedSearch(name, search.query, search.mode, self._pane.scope.parts, search.min_score))
            self._context.tell(self.tr("Saved as “{name}”.").format(name=name))

    def save_search(self, search: SavedSearch) -> None:
        """Save a search."""
        session = self._context.session
        job = session.workspace.change(lambda library: library.user_data.save_search(search), by_person=False)
        session.bridge.call(job, self, lambda _id: self.load(), on_error=self._context.tell_error)

    def delete_search(self, search: SavedSearch) -> None:
        """Delete a saved search."""
        session = self._context.session
        job = session.workspace.change(
            lambda library: library.user_data.delete_search(search.search_id), by_person=False
        )
        session.bridge.call(job, self, lambda _nothing: self.load(), on_error=self._context.tell_error)

    def run(self, search: SavedSearch, _checked: bool = False) -> None:
        """Run a saved search."""
        self._context.navigator.show_pane.emit("search")
        self._context.actions[f"search.mode.{search.mode}"].trigger()
        self._pane.threshold.set_min_score(search.min_score)
        self._pane.scope.set_parts(search.parts)
        self._box.setText(search.text)

    def fill(self, menu: QMenu) -> None:
        """Put the saved searches into a menu."""
        menu.clear()
        menu.addActions(self.actions)
        if not self.actions:
            menu.addAction(self.tr("None yet")).setEnabled(False)

    def in_words(self, search: SavedSearch) -> str:
        """Return the tooltip of a saved search."""
        lines = [search.text, *(part.name for part in search.parts)]
        if search.min_score > 0:
            lines.append(display_text.format_decimal(search.min_score, 2))
        return display_text.make_tooltip("\n".join(lines))

    def show_searches(self) -> None:
        """Show the saved searches."""
        SavedSearchesDialog(self, self._context.widget).open()

    def _on_searches(self, searches: list[SavedSearch]) -> None:
        if searches == self.searches:
            return
        # Others change theirs at any moment: an open menu keeps what did not change.
        known = dict(zip(self.searches, self.actions, strict=True))
        self.searches = searches
        self.actions = [known.pop(search) if search in known else self._make_action(search) for search in searches]
        for old in known.values():
            old.deleteLater()
        self.changed.emit()

    def _make_action(self, search: SavedSearch) -> QAction:
        action = QAction(make_icon("quote"), _shorten_query(search.name), self)
        action.setToolTip(self.in_words(search))
        action.triggered.connect(partial(self.run, search))
        return action


def _shorten_query(text: str) -> str:
    line = " ".join(text.split())
    cut = line if len(line) <= _MAX_MENU_CHARACTERS else f"{line[: _MAX_MENU_CHARACTERS - 1].rstrip()}…"
    return cut.replace("&", "&&")


class SavedSearchesDialog(QDialog):
    """Lists the saved searches; names are edited in the list."""

    def __init__(self, history: SearchHistoryController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Saved searches"))
        self.setAccessibleName(self.windowTitle())
        title = make_heading(self.tr("Saved searches"))
        self.about = make_label(tone="muted", wrap=True, name=self.tr("About saved searches"))
        self.list = QListWidget()
        self.list.setObjectName("quotes")
        self.list.setAccessibleName(self.tr("Saved searches"))
        self.run = make_push_button(self.tr("&Search"), self.tr("Run the selected search"), "play")
        self.rename = make_push_button(self.tr("Re&name"), picture="pencil")
        self.remove = make_push_button(self.tr("Re&move"), picture="trash-2")
        buttons = make_row(self.run, self.rename, self.remove, "stretch", make_close_button(self), spacing=10)
        make_column(title, self.about, (self.list, 1), buttons, parent=self, margins=(20, 18, 20, 16), spacing=10)
        set_initial_size(self, 520, 400)
        self.run.clicked.connect(self._run)
        self.rename.clicked.connect(lambda: self.list.editItem(self.list.currentItem()))
        self.remove.clicked.connect(self._remove)
        self.list.itemActivated.connect(lambda _item: self._run())
        self.list.itemChanged.connect(self._on_renamed)
        self.list.itemSelectionChanged.connect(self._on_selected)
        self._removed: SavedSearch | None = None  # the one that was removed here
        self._is_outdated = False  # the searches changed while a name is edited
        self.list.itemDelegate().closeEditor.connect(self._on_edited)
        history.changed.connect(self._on_searches_changed)
        self._show()
        self.list.setCurrentRow(0)

    @property
    def current(self) -> SavedSearch | None:
        """The selected search."""
        items = self.list.selectedItems()
        search: SavedSearch | None = items[0].data(_SEARCH_ROLE) if items else None
        return search

    def _on_selected(self) -> None:
        for button in (self.run, self.rename, self.remove):
            button.setEnabled(self.current is not None)

    def _on_searches_changed(self) -> None:
        # Also by another window or computer: a name that is being typed is not lost.
        self._is_outdated = self.list.state() == QAbstractItemView.State.EditingState
        if not self._is_outdated:
            self._show()

    def _on_edited(self) -> None:
        if self._is_outdated:
            QTimer.singleShot(0, self, self._on_searches_changed)  # the editor is still there

    def _show(self) -> None:
        row, selected = self.list.currentRow(), self.current
        self.list.blockSignals(True)
        self.list.clear()
        for search in self._history.searches:
            item = QListWidgetItem(make_icon("search"), search.name)
            item.setData(_SEARCH_ROLE, search)
            item.setToolTip(self._history.in_words(search))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
        self.list.blockSignals(False)
        count = self.list.count()
        # The same search, wherever it is now, or none: the next click may remove it.
        ids = [search.search_id for search in self._history.searches]
        if selected is not None and selected.search_id in ids:
            row = ids.index(selected.search_id)
        elif selected is None or selected != self._removed:
            row = -1
        self.list.setCurrentRow(min(row, count - 1))
        self._on_selected()
        self.about.setText(
            self.tr("Saved searches include the query, mode, filters and minimum similarity.")
            if count
            else self.tr("No saved searches yet. Search for something, then select Search > Save Search.")
        )

    def _run(self) -> None:
        if (search := self.current) is not None:
            self.close()
            self._history.run(search)

    def _remove(self) -> None:
        if (search := self.current) is not None:
            self._removed = search
            self._history.delete_search(search)

    def _on_renamed(self, item: QListWidgetItem) -> None:
        search, name = item.data(_SEARCH_ROLE), " ".join(item.text().split())
        is_taken = any(each.name == name and each.search_id != search.search_id for each in self._history.searches)
        if name and name != search.name and not is_taken:
            self._history.save_search(replace(search, name=name))
            return
        self._show()
        if is_taken:  # to save it would delete the other one
            self.about.setText(self.tr("Another saved search is called “{name}”.").format(name=name))
