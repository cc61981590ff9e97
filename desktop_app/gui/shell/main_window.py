"""The main window: layout, and the connections between features."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from desktop_app.core.links import is_link
from desktop_app.core.ocr import OcrChoice
from desktop_app.core.settings import THEMES
from desktop_app.core.shared_address import SharedAddress
from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.actions import ActionTable, translate_marked
from desktop_app.gui.base.model_list import ModelsController
from desktop_app.gui.base.session import LibrarySession
from desktop_app.gui.base.window_context import WindowContext
from desktop_app.gui.compare.controller import CompareController
from desktop_app.gui.help.controller import HelpController
from desktop_app.gui.imports.controller import ImportController
from desktop_app.gui.imports.drop_and_paste import DropAndPasteController
from desktop_app.gui.imports.other_importers import OtherImportersLine
from desktop_app.gui.imports.progress_card import ImportProgressCard
from desktop_app.gui.imports.watched_folders import WatchedFoldersController
from desktop_app.gui.library.collections import CollectionsController
from desktop_app.gui.library.controller import LibraryController
from desktop_app.gui.library.document_list import DocumentListController, MissingFilesController
from desktop_app.gui.library.maintenance import MaintenanceController
from desktop_app.gui.library.model import DocumentTreeModel
from desktop_app.gui.library.pane import LibraryPane
from desktop_app.gui.library.removal import RemovalController
from desktop_app.gui.library.zotero import ZoteroController
from desktop_app.gui.models.progress_card import ModelProgressCard
from desktop_app.gui.preferences.controller import PreferencesController
from desktop_app.gui.reader.controller import ReaderController
from desktop_app.gui.reader.pane import ReaderPane
from desktop_app.gui.reader.see_also import SeeAlsoController
from desktop_app.gui.search.actions import SEARCH_MODES
from desktop_app.gui.search.feature import SearchFeature
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.shell.edit_menu import EditMenuController
from desktop_app.gui.shell.focus_keeper import FocusKeeper
from desktop_app.gui.shell.library_access import describe_access, list_refusals
from desktop_app.gui.shell.library_switch import LibrarySwitch, library_name
from desktop_app.gui.shell.links import LinkController
from desktop_app.gui.shell.menus import MenuBarController
from desktop_app.gui.shell.panes import PANE_SPECS, PaneStack, PaneSwitch, TopBar
from desktop_app.gui.shell.reader_link import ReaderLink
from desktop_app.gui.shell.sidebar import ColumnSplitter, LibrarySidebar
from desktop_app.gui.shell.tray import TrayController
from desktop_app.gui.shell.work_state import WorkState
from desktop_app.gui.widgets.labels import ElidedLabel
from desktop_app.gui.widgets.layouts import make_column, order_tabs, set_initial_size
from desktop_app.gui.widgets.notice_bar import NoticeBar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QCloseEvent, QPaintEvent

    from desktop_app.core.library_place import LibraryPlace
    from desktop_app.core.messages import Message
    from desktop_app.core.paths import Paths
    from desktop_app.core.records import Document
    from desktop_app.core.settings import Settings
    from desktop_app.engine.model_sharing import SharedModel
    from desktop_app.engine.model_switch import SwitchReport
    from desktop_app.engine.requests import ImportReport
    from desktop_app.engine.workspace import Workspace
    from desktop_app.gui.base.bridge import Bridge
    from desktop_app.gui.base.theme import ThemeManager
    from desktop_app.gui.preferences.dialog import PreferencesPageSpec
    from desktop_app.gui.search.pane import SearchPane
    from desktop_app.gui.search.quick_search import QuickSearchController
    from desktop_app.gui.shell.panes import PaneSpec

_STATE_VERSION = 2
_SIZE_PX = 1280, 800
_SPLITTER_PX = [260, 460, 560]  # library, pane, reader


class MainWindow(QMainWindow):
    """Library at the left, search box on top, hits in the middle, reader at the right.

    Attributes:
        painted: the window was painted for the first time; heavy work may begin.
        context: the services of this window that features share.
        search: the search box, and the parts of the search.
    """

    painted = Signal()

    def __init__(
        self,
        workspace: Workspace,
        bridge: Bridge,
        themes: ThemeManager,
        settings: Settings,
        paths: Paths,
        save_settings: Callable[[Settings], None],
    ) -> None:
        super().__init__()
        self._themes = themes
        self._was_painted = False
        self._was_model_offered = False
        self.quick: QuickSearchController | None = None
        self._status_tip = ""
        self._server_state = (True, False)
        self._access: tuple[bool, bool] | None = None  # whether the library is shared, and may be changed
        self._files: list[str] = []
        self._offer: tuple[str, Callable[[], None]] | None = None  # the text of the offer, and what its button does
        self.session = LibrarySession(workspace, bridge, self)
        self.documents = DocumentTreeModel(self)
        self._document_list = DocumentListController(self.session, self.documents, self)
        self.models = ModelsController(self.session, self)
        self.action_table = ActionTable(self, ACTION_SPECS, settings.shortcuts)
        self.context = WindowContext(
            self,
            self.session,
            self.action_table,
            themes,
            self.models,
            self.documents,
            settings,
            paths,
            save_settings,
            self._make_reader,
        )
        # Each widget has its parent before it is filled: Qt styles everything inside anew with each new parent.
        central = QWidget(self)
        self.splitter = ColumnSplitter(central)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.panes = PaneStack(self.context, self.splitter)
        self.search_pane = cast("SearchPane", self.panes.pane("search"))
        self.search = SearchFeature(self.context, self.search_pane)
        self.imports = ImportController(self.context)
        self.drop_and_paste = DropAndPasteController(self.context)
        self.watched_folders = WatchedFoldersController(self.context, self.imports)
        self.removals = RemovalController(self.context)

        self.setWindowTitle("Kindred")
        self.setAccessibleName("Kindred")
        self._lay_out(central)
        self.missing_files = MissingFilesController(self.session, self._document_list, self.documents, self)
        self.library_controller = LibraryController(
            self.context, self.library_pane, self.documents, self.removals, self.missing_files
        )
        self.collections = CollectionsController(self.context, self.library_pane, self.documents)
        self.zotero = ZoteroController(self.context)
        self.maintenance = MaintenanceController(self.context)
        self.library_switch = LibrarySwitch(self.context)
        self.menus = MenuBarController(
            self.menuBar(), self.action_table, self.library_switch.show_recent, self.search.history.fill
        )
        self._edit_menu = EditMenuController(self, self.action_table, self.menus.menus["edit"])
        self.links = LinkController(self.context, self.library_switch)
        self.tray = TrayController(self.context)
        self.preferences = PreferencesController(self.context, self._list_preferences_pages)
        self.help = HelpController(self.context)
        self.compare_controller = CompareController(self.context)
        self.reader_controller = ReaderController(
            self.context, self.reader, self.search_pane.model, lambda: self.search_pane.sought
        )
        self.reader_link = ReaderLink(
            self.context,
            self.reader_controller,
            self.search,
            self.search_pane,
            self.library_pane,
            self.documents,
        )
        self.work_state = WorkState(
            self.context,
            paths.default_library,
            self.documents,
            self.panes,
            self.search,
            self.search_pane,
            self.reader_controller,
            self.reader_link,
        )
        self.see_also = SeeAlsoController(self.context, self.reader, self.reader_controller)
        self._focus_keeper = FocusKeeper(self, self._focus_work, self._is_transient, self.search.box)
        self._connect()
        self._restore_state()
        self._refresh()
        self.search.box.setFocus()

    # Building

    def _lay_out(self, central: QWidget) -> None:
        top = TopBar(PaneSwitch(self.action_table), self.search.box, self.action_table["view.library"])
        top.setAccessibleName(self.tr("Search bar"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

        self.job_card = ImportProgressCard(self.context, self.imports)
        self.other_importers = OtherImportersLine(self.session)
        cards = (ModelProgressCard(self.models), self.job_card, self.other_importers)
        self.library_pane = LibraryPane(self.documents, self.action_table, self._themes, cards, self.splitter)
        self.splitter.setAccessibleName(self.tr("Library and panes"))
        self.reader = ReaderPane(self.session, self._themes, parent=self.splitter, actions=self.action_table)
        columns = (self.library_pane, self.panes, self.reader)
        for column in columns:
            self.splitter.addWidget(column)
        order_tabs(columns)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setStretchFactor(2, 1)
        self.sidebar = LibrarySidebar(self.context, self.splitter, self.library_pane, self.reader, self.imports)
        self.notice = NoticeBar(self.tr("Message"), passing=True)
        self.undo_bar = NoticeBar(self.tr("Removed documents"))
        self.connection_bar = NoticeBar(self.tr("Connection"))

        central.setAccessibleName(self.tr("Kindred"))
        make_column(top, (self.splitter, 1), self.connection_bar, self.undo_bar, self.notice, parent=central, spacing=0)
        self.setCentralWidget(central)

        bar = self.statusBar()
        bar.setAccessibleName(self.tr("Status bar"))
        bar.setSizeGripEnabled(False)
        self.status = ElidedLabel(self.tr("Status"), "muted")
        self.status.setMinimumHeight(24)
        self.status.setContentsMargins(10, 0, 8, 2)
        bar.addWidget(self.status, 1)

    def _connect(self) -> None:
        self._bind_actions()
        self._connect_navigator()
        self.context.notified.connect(self.notice.say)
        self.context.offered.connect(self._on_offered)
        self.notice.pressed.connect(self._on_notice_pressed)
        self.context.settings_changed.connect(self._on_settings_changed)
        self.context.card_added.connect(self.library_pane.add_card)
        self.models.failed.connect(self.context.tell_error)
        self.models.switched.connect(self._on_switched)
        self.panes.pane_shown.connect(self._on_pane)
        self.imports.progressed.connect(self.documents.show_progress)
        self.imports.finished.connect(lambda _report: self.documents.show_progress(None))
        self.imports.finished.connect(lambda _report: self.documents.keep_folder_names())
        self.imports.finished.connect(lambda _report: self._offer_typing())
        self.imports.finished.connect(self._on_imported)
        self.imports.finished.connect(self.search.suggestion.follow_import)
        self.imports.finished.connect(self.library_controller.report_refused_passwords)
        self.library_controller.password_refused.connect(self.job_card.show_refusal)
        self.job_card.password.connect(self.library_controller.ask_password)
        self.job_card.recognise.connect(self.library_controller.choose_ocr_languages)
        self.job_card.ignored.connect(self.library_controller.ignore)
        self.maintenance.repaired.connect(self.imports.resume)
        self.imports.backup_found.connect(self.maintenance.offer_restore)
        self.removals.changed.connect(self._on_removed)
        self.removals.restored.connect(self.imports.resume)
        self.watched_folders.removed.connect(self.removals.note_deleted)
        self.watched_folders.looked.connect(self.missing_files.check_soon)
        self.undo_bar.pressed.connect(self.removals.undo)
        self.connection_bar.pressed.connect(self.session.try_again)
        self.session.changed.connect(self._on_session_changed)
        self.session.reconnected.connect(self._on_reconnected)
        self.session.opened.connect(self._on_opened)
        self._document_list.listed.connect(self.work_state.restore_documents)
        self.session.device_failed.connect(self._on_device_failed)
        for signal in (
            self.session.changed,
            self.imports.changed,
            self._document_list.listed,
            self.documents.counted,
        ):
            signal.connect(self._refresh)

    def _bind_actions(self) -> None:
        """Bind the actions of the window itself; those of a feature are bound by its controller."""
        actions = self.action_table
        actions.bind(
            {
                "library.reopen": self.start,
                "app.quit": self.close,
                "app.palette": self._show_palette,
                "search.quick": self.show_quick_search,
                "models.multilingual": self._offer_multilingual_model,
                "models.fetch": self._offer_shared_model,
                "edit.find": self._find,
                **{f"view.theme.{choice}": partial(self.apply_theme, choice) for choice in THEMES},
            }
        )
        actions[f"view.theme.{self.context.settings.theme}"].setChecked(True)

    def _show_palette(self) -> None:
        from desktop_app.gui.shell import command_palette

        def find_places() -> list[command_palette.PaletteEntry]:
            return [
                *command_palette.list_collections(self.context.collections, self.library_pane.show_collection),
                *command_palette.list_documents(self.context.documents.all_documents(), self._read_document),
            ]

        command_palette.toggle_palette(
            self,
            self._themes,
            lambda: [
                *command_palette.list_commands(
                    self.action_table, (self.panes.current.name, translate_marked(self.panes.current.title))
                ),
                *command_palette.list_searches(self.search.history.searches, self.search.history.run),
            ],
            find_places,
        )

    def _offer_multilingual_model(self) -> None:
        from desktop_app.gui.models.multilingual_dialog import MultilingualDialog

        MultilingualDialog(self.context).open()

    def _offer_shared_model(self) -> None:
        """Say how large the model of the shared library is, and fetch it if the person agrees."""
        job = self.session.workspace.models.describe_shared()
        self.session.bridge.call(job, self, self._confirm_shared_model, on_error=self.context.tell_error)

    def _confirm_shared_model(self, model: SharedModel | None) -> None:
        if model is None or model.is_here:
            self.start()
            return
        if not model.size_bytes:
            text = self.tr(
                "The library does not hold the files of {name}. Ask somebody who has the model and may write to the"
                " library to open it once, or add the model yourself: Preferences, page Models."
            )
            self.context.tell(text.format(name=model.name))
            return
        text = self.tr("The library keeps the files of {name}: {size}.")
        self.context.offer(
            text.format(name=model.name, size=display_text.format_size(model.size_bytes)),
            self.tr("Get Model"),
            lambda: self.models.fetch(model.name, self.start),
        )

    def _on_imported(self, report: ImportReport) -> None:
        """Offer another model, once in a session, for documents in languages that this one does not know."""
        foreign = [file for file in report.imported if any(each.code == "unknown_language" for each in file.warnings)]
        if foreign and not self._was_model_offered:
            self._was_model_offered = True
            text = self.tr("%Ln document(s) in a language that the model doesn't know.", "", len(foreign))
            action = self.action_table["models.multilingual"]
            self.context.offer(text, action.text().replace("&", ""), action.trigger)

    def show_quick_search(self, token: str = "") -> None:
        """Show the small search field above other programs.

        Args:
            token: activation token for Wayland, from the program that asks for it.
        """
        if self.quick is None:
            from desktop_app.gui.search.quick_search import QuickSearchController

            self.quick = QuickSearchController(self.context)
        self.quick.start(token)

    def _find(self) -> None:
        """Find words in the document of the reader that has the focus; elsewhere, search the library."""
        widget: QWidget | None = self.focusWidget()
        while widget is not None and not isinstance(widget, ReaderPane):
            widget = widget.parentWidget()
        if widget is not None and widget.shown is not None:
            widget.find_bar.start()
        else:
            self.action_table["search.focus"].trigger()

    def _read_document(self, document: Document) -> None:
        """Show a document, and continue there with the keyboard."""
        self.context.navigator.open_document.emit(document, False)
        if document.sentences:
            self.reader_controller.focus()

    def _connect_navigator(self) -> None:
        """Answer the requests of one feature to another."""
        navigator = self.context.navigator
        navigator.open_hit.connect(self.reader_link.open_hit)
        navigator.open_document.connect(
            lambda document, in_new_tab: self.reader_link.open_document(document, in_new_tab=in_new_tab)
        )
        navigator.follow_hit.connect(self.reader_controller.follow_hit)
        navigator.find_file.connect(self.reader_controller.find_file)
        navigator.search_for.connect(self.search.box.setText)
        navigator.find_similar.connect(self.search.history.take)
        navigator.show_pane.connect(self.panes.show_pane)
        navigator.show_duplicates.connect(self.panes.show_duplicates)
        navigator.compare.connect(self.compare_controller.compare)
        navigator.compare_with.connect(self.compare_controller.compare_with)
        navigator.compare_documents.connect(self._compare_documents)
        navigator.import_files.connect(self.imports.start)
        navigator.keep_text.connect(self.drop_and_paste.offer)
        navigator.open_hit_in_tab.connect(lambda hit: self.reader_link.open_hit(hit, in_new_tab=True))
        navigator.limit_search.connect(self.search.limit_to)
        navigator.import_references.connect(self.library_controller.import_references)
        navigator.import_with_options.connect(self.imports.start_with_options)
        navigator.show_preferences.connect(self.preferences.show)
        navigator.use_reranker.connect(self.search.filters.choose_reranker)

    def _compare_documents(self, documents: Sequence[Document]) -> None:
        from desktop_app.gui.trace.documents_dialog import CompareDocumentsDialog

        CompareDocumentsDialog(self.context, documents).show()

    def _make_reader(self, name: str, parent: QWidget) -> ReaderPane:
        """Return a reader whose requests go to the same features as those of the main one."""
        reader = ReaderPane(self.session, self._themes, name, parent)
        reader.find_similar.connect(self.context.navigator.find_similar)
        reader.compare.connect(self.context.navigator.compare_with)
        reader.tell.connect(self.context.tell)
        reader.file_wanted.connect(self.context.navigator.find_file)
        reader.document_wanted.connect(lambda each: self.context.navigator.open_document.emit(each, False))
        return reader

    def _list_preferences_pages(self) -> list[PreferencesPageSpec]:
        """Return the pages that features add to the preferences; their widgets are imported when first shown."""
        from desktop_app.gui.preferences.dialog import PreferencesPageSpec

        def build_models_page(settings: Settings, change: Callable[[dict[str, object]], None]) -> QWidget:
            from desktop_app.gui.models.pane import ModelsPage

            page = ModelsPage(self.models, settings.reranker)
            page.reranker_chosen.connect(lambda name: change({"reranker": name}))
            return page

        def build_watched_folders_page(_settings: Settings, _change: Callable[[dict[str, object]], None]) -> QWidget:
            from desktop_app.gui.imports.watched_folders import WatchedFoldersPage

            return WatchedFoldersPage(self.watched_folders)

        translate = display_text.translate
        return [
            PreferencesPageSpec(
                "watched",
                translate("PreferencesDialog", "Watched folders"),
                "folder-search",
                build_watched_folders_page,
            ),
            PreferencesPageSpec("models", translate("PreferencesDialog", "Models"), "sparkles", build_models_page),
        ]

    # Focus

    def _focus_work(self) -> bool:
        """Move the focus to where the person works: the search box, or the current pane; return whether it is there."""
        if self.panes.current.name == "search":
            self.search.box.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return self.panes.recover_focus()

    def _is_transient(self, widget: QWidget) -> bool:
        """Whether a widget lies in a bar or card that comes and goes."""
        return any(part.isAncestorOf(widget) for part in (self.notice, self.undo_bar, self.job_card))

    def _offer_typing(self) -> None:
        """After an import: move the focus to the empty search box, unless the person is at work elsewhere."""
        focus = self.focusWidget()
        is_working = isinstance(focus, QLineEdit | QTextEdit | QPlainTextEdit | QAbstractItemView)
        is_covered = QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None
        is_searching = self.panes.current.name != "search" or bool(self.search.box.text())
        if self.isActiveWindow() and not (is_working or is_covered or is_searching):
            self.search.box.setFocus(Qt.FocusReason.OtherFocusReason)

    # Display

    def _refresh(self) -> None:
        """Show the state of the library in the status bar and the search pane."""
        self.search.show_library_state(
            is_listed=self._document_list.is_listed,
            is_importing=self.imports.is_running and not self.imports.is_paused,
        )
        self.status.setText(self._status_text())
        status = self.session.status
        tip = display_text.make_tooltip(display_text.explain_status(status)) if status is not None else ""
        if tip != self._status_tip:
            self._status_tip = tip
            self.status.setToolTip(tip)

    def _status_text(self) -> str:
        """Return the number of documents and sentences, and what runs."""
        session = self.session
        running = {
            "opening": self.tr("Opening library…"),
            "loading": self.tr("Loading model…"),
            "ready": self.tr("Importing…") if self.imports.is_running and not self.imports.is_paused else "",
            "failed": self.tr("Model not loaded"),
        }[session.phase]
        counts = display_text.describe_status(session.status) if session.status is not None else ""
        place, library = self.library_switch.place, session.status.library if session.status is not None else None
        access = "" if session.is_writable else self.tr("read only")
        if isinstance(place, SharedAddress):
            access = describe_access(place, library, is_connected=session.is_connected)
        return " · ".join(part for part in (access, counts, running) if part)

    def _on_session_changed(self) -> None:
        """Refuse what the person may not do in this library, and show whether its server answers."""
        session = self.session
        library = session.status.library if session.status is not None else None
        if library is not None and self._access != (access := (library.is_shared, library.is_writable)):
            self._access = access
            self.action_table.refuse(list_refusals(library))
        if (state := (session.is_connected, session.is_slow)) == self._server_state:
            return
        self._server_state = state
        if session.is_connected and not session.is_slow:
            self.connection_bar.hide()
        elif session.is_connected:
            text = self.tr("{library} is answering slowly. Kindred keeps waiting; typing starts a new search.")
            self.connection_bar.say(text.format(library=self.maintenance.library_name))
        else:
            text = self.tr(
                "The connection to {library} is lost. Kindred reconnects by itself; what is shown stays until then."
            )
            self.connection_bar.say(text.format(library=self.maintenance.library_name), self.tr("Try Now"))

    def _on_reconnected(self) -> None:
        self.context.tell(self.tr("Connected to {library} again.").format(library=self.maintenance.library_name))
        if self.imports.was_interrupted and self.session.is_writable:
            self.imports.resume()

    def _on_pane(self, pane: PaneSpec) -> None:
        self.reader_controller.reserve_room(pane.has_reader)
        if pane.has_reader:
            self.sidebar.make_room()  # an import may have shown the library again

    def _on_switched(self, report: SwitchReport) -> None:
        text = self.tr("Your library now uses {name}.").format(name=report.name)
        if not report.left_out:
            self.context.tell(text)
            return
        failed = self.tr(
            "%Ln document(s) failed, because the model has no vectors for some of their sentences.",
            "",
            len(report.left_out),
        )
        self.context.offer(f"{text} {failed}", self.tr("Show Failed"), self._show_failed)

    def _show_failed(self) -> None:
        self.library_pane.wanted.emit()
        self.action_table["library.failed_only"].setChecked(True)

    def _on_device_failed(self, why: Message) -> None:
        text = self.tr("GPU error. Switched to the CPU, which is slower ({why}).")
        self.context.tell(text.format(why=display_text.translate_message(why)))

    def _on_removed(self, count: int, copies: int) -> None:
        if copies and not count:
            text = self.tr("Removed %Ln copies from the library; their documents stay.", "", copies)
            self.undo_bar.say(text, self.tr("Undo"))
        elif count:
            text = self.tr("Removed {documents} from the library. Your files aren't touched.")
            if self.removals.are_files_deleted:
                text = self.tr("Removed {documents}: deleted from watched folders.")
            self.undo_bar.say(text.format(documents=display_text.count_documents(count)), self.tr("Undo"))
        else:
            self.undo_bar.hide()

    def _on_offered(self, text: str, label: str, accept: Callable[[], None]) -> None:
        self._offer = text, accept
        self.notice.say(text, label)

    def _on_notice_pressed(self) -> None:
        if self._offer is not None and self.notice.text == self._offer[0]:
            accept, self._offer = self._offer[1], None
            self.notice.hide()
            accept()

    # Window state

    def save_state(self) -> None:
        """Save position and layout of the window."""
        state = self._open_state_file()
        state.setValue("version", _STATE_VERSION)
        state.setValue("geometry", self.saveGeometry())
        state.setValue("splitter", self.splitter.saveState())
        state.setValue("mode", self.search.controller.mode)
        if self.context.settings.restore_work:
            state.setValue("pane", self.panes.current.name)
        else:
            state.remove("pane")
        state.setValue("reader", self.reader_controller.is_wanted)
        self.library_pane.save(state)
        self.sidebar.save(state)
        self.search.filters.save(state)
        self.see_also.save(state)
        file_dialogs.save_folders(state)
        self.work_state.save(state)
        state.sync()

    def _restore_state(self) -> None:
        """Restore position and layout of the last window."""
        state = self._open_state_file()
        set_initial_size(self, *_SIZE_PX)
        self.splitter.setSizes(_SPLITTER_PX)
        if str(state.value("version")) != str(_STATE_VERSION):
            return
        self.library_pane.restore(state)
        self.sidebar.restore(state)
        self.search.filters.restore(state)
        self.see_also.restore(state)
        file_dialogs.restore_folders(state)
        if (mode := str(state.value("mode"))) in SEARCH_MODES:
            self.action_table[f"search.mode.{mode}"].trigger()
        geometry, splitter = state.value("geometry"), state.value("splitter")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(splitter, QByteArray):
            self.splitter.restoreState(splitter)
        self.reader_controller.set_visible(state.value("reader", True, bool) is not False)
        if (pane := str(state.value("pane"))) in [known.name for known in PANE_SPECS[1:]]:
            self.painted.connect(partial(self.panes.show_pane, pane))  # built after the first frame

    def _open_state_file(self) -> QSettings:
        return QSettings(str(self.context.state_file), QSettings.Format.IniFormat)

    # Start and end

    def start(self, words: Sequence[str] = ()) -> None:
        """Open the library and load its model; then import files, follow links and resume earlier imports."""
        self.search.forget_error()
        self._files += [str(Path(word).absolute()) for word in words if not is_link(word)]
        self.links.follow(list(filter(is_link, words)))
        self.session.start()

    def open_words(self, words: Sequence[str]) -> None:
        """Import files and follow links as soon as the library is open."""
        self.links.follow(list(filter(is_link, words)))
        files = [word for word in words if not is_link(word)]
        if self.session.status is None:
            self._files += files
        else:
            self.imports.start(files)

    def apply_theme(self, choice: str) -> None:
        """Change the theme and save it."""
        self._themes.choose(choice)
        self.context.change_settings(theme=choice)

    def _on_opened(self) -> None:
        self.work_state.restore_search()
        library = self.session.status.library if self.session.status is not None else None
        if library is not None and library.is_shared:
            self._offer_waiting(library.states.get("queued", 0) if library.is_writable else 0)
        else:
            self.imports.resume()
        if library is None or library.is_writable:
            self.models.resume()
            self.watched_folders.start()
        files, self._files = self._files, []
        self.imports.start(files)

    def _offer_waiting(self, count: int) -> None:
        """Offer to import what waits in a shared library: it may be other people's."""
        if count:
            text = self.tr("%Ln document(s) are waiting to be imported.", "", count)
            self.context.offer(text, self.tr("Import Here"), self.imports.resume)

    def _on_settings_changed(self, settings: Settings) -> None:
        self.session.workspace.context.ocr = OcrChoice(settings.ocr, settings.ocr_languages)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Emit `painted` after the first frame."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self._on_painted)

    def _on_painted(self) -> None:
        self.painted.emit()
        self.context.painted.emit()

    def show_library(self, place: LibraryPlace, *, is_default: bool) -> None:
        """Show the name of the library in the title, unless it is the default one."""
        self.library_switch.place = self.work_state.place = place
        name = library_name(place, self.context.paths.default_library)
        self.maintenance.library_name = name
        self.setWindowTitle("Kindred" if is_default else f"{name} \N{EM DASH} Kindred")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Save the window state; the engine stops after the window has disappeared."""
        self.save_state()
        self.context.closing.emit()
        self.tray.stop()
        if self.quick is not None:
            self.quick.stop()
        for part in (
            self.reader_link,
            self.reader_controller,
            self.see_also,
            self.search,
            self._document_list,
            self.missing_files,
            self.session,
            self.removals,
        ):
            part.stop()
        event.accept()
