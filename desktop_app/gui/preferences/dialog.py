"""The preferences. Every choice applies at once, or the dialog says that it needs a restart."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QSystemTrayIcon,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.ocr import OCR_MODES
from desktop_app.core.settings import DEVICES, LANGUAGES, PRECISIONS, SYSTEM_LANGUAGE, THEMES
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.preferences.library_page import LibrarySettingsPage
from desktop_app.gui.preferences.settings_page import (
    PAGE_MARGINS,
    SettingsPage,
    extend_limits,
    make_seconds_field,
)
from desktop_app.gui.widgets.buttons import make_close_button, make_push_button
from desktop_app.gui.widgets.fields import CheckBox, NumberBox
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop_app.core.paths import Paths
    from desktop_app.core.settings import Settings
    from desktop_app.engine.requests import WorkspaceStatus
    from desktop_app.gui.base.actions import ActionTable

_LIST_PX = 172
_MEMORY_RANGE_MB = (200, 64_000)
_SILENCE_RANGE_S = (1.0, 600.0)
_UNDO_RANGE_S = (1.0, 600.0)


@dataclass(frozen=True, slots=True)
class PreferencesPageSpec:
    """A page of another feature.

    Attributes:
        name: of the page in code.
        title: of the page in the list.
        icon: of the page in the list.
        build: makes the page when it is first shown, from the settings and a function that changes settings by name.
    """

    name: str
    title: str
    icon: str
    build: Callable[[Settings, Callable[[dict[str, object]], None]], QWidget]


class _OcrLanguagesValidator(QRegularExpressionValidator):
    """Takes languages of Tesseract, joined by a plus; what is incomplete is left out when the field is left."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(QRegularExpression(r"|[A-Za-z_]{2,20}(\+[A-Za-z_]{2,20})*"), parent)

    def fixup(self, text: str) -> str:
        """Return the languages that are complete: else Qt would keep the text and not say that it was entered."""
        return "+".join(code for code in text.split("+") if len(code) > 1)


class PreferencesDialog(QDialog):
    """Shows the settings on pages.

    Args:
        settings: the current settings.
        started: the settings at the start of the program.
        paths: the folders of the program.
        status: the status of the library; None until it is open.
        extra_pages: pages of other features.
        parent: the window.
        actions: the actions of the window; None for no page of shortcuts.

    Attributes:
        changed: settings changed; carries a dict of settings by name.
        open_library: the person wants another library.
        new_library: the person wants a new library.
        default_wanted: the person wants the default library.
        restart: the program is to restart.
        forget: the remembered queries are to be deleted.
    """

    changed = Signal(object)
    open_library = Signal()
    new_library = Signal()
    default_wanted = Signal()
    restart = Signal()
    forget = Signal()

    def __init__(
        self,
        settings: Settings,
        started: Settings,
        paths: Paths,
        status: WorkspaceStatus | None,
        extra_pages: Sequence[PreferencesPageSpec] = (),
        parent: QWidget | None = None,
        actions: ActionTable | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._actions = actions
        self._started = started
        self._paths = paths
        self._status = status
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Preferences"))
        self.setAccessibleName(self.windowTitle())
        self._late: dict[str, Callable[[], QWidget]] = {}  # pages that are built when they are first shown
        self.pages = QListWidget()
        self.pages.setObjectName("kinds")
        self.pages.setAccessibleName(self.tr("Pages"))
        self.pages.setSpacing(2)
        self.pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(self.tr("Page"))
        self._add_general()
        self._add_library()
        self._add_searching()
        self._add_reading()
        for spec in extra_pages:
            self._add_page_lazily(spec.name, spec.title, spec.icon, partial(spec.build, self._settings, self._emit))
        self._add_computing()
        self._add_shortcuts()
        self.pages.ensurePolished()
        self.pages.setFixedWidth(max(_LIST_PX, self.pages.sizeHintForColumn(0) + 12))
        self.pages.currentItemChanged.connect(self._on_page)
        self.pages.setCurrentRow(0)
        self.pending = make_label(tone="muted", wrap=True, name=self.tr("Changes that need a restart"))
        self._can_restart = False
        self.restart_button = make_push_button(self.tr("Restart Now"))
        self.restart_button.clicked.connect(self.restart)
        foot = make_row(
            (self.pending, 1),
            (self.restart_button, 0, Qt.AlignmentFlag.AlignBottom),
            (make_close_button(self), 0, Qt.AlignmentFlag.AlignBottom),
            margins=(24, 12, 20, 14),
            spacing=16,
        )
        line = QFrame()
        line.setProperty("surface", "notice")
        line.setAccessibleName(self.tr("Buttons"))
        line.setLayout(foot)
        body = make_row(self.pages, (self.stack, 1), margins=(12, 14, 0, 0))
        make_column((body, 1), line, parent=self, spacing=0)
        set_initial_size(self, 860, 560)
        self.show_settings(settings)
        self.pages.setFocus()  # an arrow key in the first field would change it

    # Pages

    def show_page(self, name: str) -> None:
        """Show a page, by its name."""
        for row in range(self.pages.count()):
            if self.pages.item(row).data(Qt.ItemDataRole.UserRole) == name:
                self.pages.setCurrentRow(row)

    def _on_page(self, item: QListWidgetItem | None, _before: object = None) -> None:
        if item is None:
            return
        row = self.pages.row(item)
        build = self._late.pop(item.data(Qt.ItemDataRole.UserRole), None)
        if build is not None:
            sheet = self.stack.widget(row)
            assert sheet is not None
            place = sheet.layout()
            assert place is not None
            place.addWidget(build())
        self.stack.setCurrentIndex(row)

    def _add_page_lazily(self, name: str, title: str, picture: str, build: Callable[[], QWidget]) -> None:
        sheet = QWidget()
        sheet.setAccessibleName(title)
        QVBoxLayout(sheet).setContentsMargins(*PAGE_MARGINS)
        self._late[name] = build
        self._list(name, title, picture, sheet)

    def _begin_page(self, name: str, title: str, picture: str) -> SettingsPage:
        page = SettingsPage(title, self._settings)
        page.changed.connect(self.changed)
        self._list(name, title, picture, page)
        return page

    def _list(self, name: str, title: str, picture: str, page: QWidget) -> None:
        item = QListWidgetItem(make_icon(picture), title)
        item.setData(Qt.ItemDataRole.UserRole, name)
        self.pages.addItem(item)
        self.stack.addWidget(page)

    def _add_general(self) -> None:
        page = self._begin_page("general", self.tr("General"), "settings")
        page.heading(self.tr("Appearance"))
        names = {"system": self.tr("System default"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        self.theme = page.combo("theme", THEMES, names, self.tr("Theme"))
        page.row(self.tr("&Theme"), self.theme)
        # Each language by its own name, for people who cannot read the current one.
        names = {each: QLocale(each).nativeLanguageName() for each in LANGUAGES}
        names |= {SYSTEM_LANGUAGE: self.tr("System default"), "en": "English"}
        self.language = page.combo("language", LANGUAGES, names, self.tr("Language"))
        page.row(self.tr("&Language"), self.language)
        page.heading(self.tr("Start"))
        self.restore_work = CheckBox(self.tr("&Continue where I left off"))
        self.restore_work.setChecked(self._settings.restore_work)
        self.restore_work.toggled.connect(lambda checked: self._change(restore_work=checked))
        page.row("", self.restore_work, wide=True)
        page.caption(self.tr("Restores the last search and the open documents, each where you left it."))
        if QSystemTrayIcon.isSystemTrayAvailable():
            page.heading(self.tr("Quick search"))
            self.tray = CheckBox(self.tr("Show an &icon in the system tray"))
            self.tray.setChecked(self._settings.tray)
            self.tray.toggled.connect(lambda checked: self._change(tray=checked))
            page.row("", self.tray, wide=True)
            page.caption(self.tr("Click it to search for the text on the clipboard."))
        page.heading(self.tr("Removing documents"))
        self.undo = make_seconds_field(_UNDO_RANGE_S, self._settings.undo_s)
        page.spin("undo_s", self.undo, self.tr("Undo period"))
        page.row(self.tr("&Undo period"), self.undo)
        page.caption(
            self.tr("After this time, removed documents are deleted from the library. Your files aren't touched.")
        )

    def _add_library(self) -> None:
        self.library_page = LibrarySettingsPage(self._settings, self._started, self._paths, self._status)
        self.library_page.changed.connect(self.changed)
        self.library_page.open_wanted.connect(self.open_library)
        self.library_page.new_wanted.connect(self.new_library)
        self.library_page.default_wanted.connect(self.default_wanted)
        self._list("library", self.tr("Library"), "library", self.library_page)

    def _add_shortcuts(self) -> None:
        if (actions := self._actions) is not None:

            def build() -> QWidget:
                from desktop_app.gui.preferences.shortcuts_page import ShortcutsPage

                page = ShortcutsPage(actions, self._settings.shortcuts)
                page.chosen.connect(lambda chosen: self._change(shortcuts=chosen))
                return page

            self._add_page_lazily("keyboard", self.tr("Keyboard"), "keyboard", build)

    def _add_computing(self) -> None:
        page = self._begin_page("computing", self.tr("Performance"), "monitor")
        page.heading(self.tr("Performance"))
        # Each system has its own kinds of GPU; a choice made on another system stays visible.
        foreign = "cuda" if sys.platform == "darwin" else "mps"
        devices = [device for device in DEVICES if device != foreign or self._settings.device == foreign]
        names = {
            "auto": self.tr("Automatic"),
            "cpu": self.tr("Processor (CPU)"),
            "cuda": self.tr("NVIDIA graphics (CUDA)"),
            "mps": self.tr("Apple graphics (MPS)"),
        }
        self.device = page.combo("device", devices, names, self.tr("Device"))
        page.row(self.tr("D&evice"), self.device)
        names = {
            "auto": self.tr("Automatic"),
            "fp32": self.tr("32-bit (fp32)"),
            "bf16": self.tr("16-bit (bf16)"),
            "fp16": self.tr("16-bit (fp16)"),
        }
        self.precision = page.combo("precision", PRECISIONS, names, self.tr("Precision"))
        page.row(self.tr("&Precision"), self.precision)
        self.threads = NumberBox()
        self.threads.setRange(0, max(os.cpu_count() or 1, self._settings.threads))
        self.threads.setSpecialValueText(self.tr("Automatic"))
        page.spin("threads", self.threads, self.tr("Threads"))
        page.row(self.tr("T&hreads"), self.threads)
        self.low_priority = CheckBox(self.tr("&Low priority"))
        self.low_priority.setChecked(self._settings.low_priority)
        self.low_priority.toggled.connect(lambda on: self._change(low_priority=on))
        page.row("", self.low_priority, wide=True)
        text = self.tr("Low priority uses half the threads and lets other programs go first.") + "\n"
        text += self.tr("Changes take effect after a restart.")
        now = self._status.device if self._status is not None else None
        if now is not None:
            threads = self.tr("%Ln threads", "", now.threads)
            text += " " + self.tr("Currently: {device}, {threads}.").format(
                device=display_text.describe_device(now), threads=threads
            )
        page.caption(text)

    def _add_searching(self) -> None:
        page = self._begin_page("searching", self.tr("Search"), "search")
        self.queries = CheckBox(self.tr("&Keep search history"))
        self.queries.setChecked(self._settings.keep_queries)
        self.queries.toggled.connect(lambda checked: self._change(keep_queries=checked))
        self.forget_queries = make_push_button(self.tr("&Clear Now"), self.tr("Clear search history"), "eraser")
        self.forget_queries.clicked.connect(self.forget)
        page.row(self.tr("History"), make_row(self.queries, self.forget_queries, "stretch", spacing=8), wide=True)
        page.caption(self.tr("Stored only in this library. Press Down in an empty search box to see recent searches."))

    def _add_reading(self) -> None:
        page = self._begin_page("reading", self.tr("Import"), "file-text")
        page.heading(self.tr("Limits per document"))
        self.silence_limit = make_seconds_field(_SILENCE_RANGE_S, self._settings.reader_timeout_s)
        page.spin("reader_timeout_s", self.silence_limit, self.tr("Time limit without progress"))
        page.row(self.tr("&Time limit"), self.silence_limit)
        self.memory = NumberBox()
        low, high = extend_limits(_MEMORY_RANGE_MB, self._settings.reader_memory_mb)
        self.memory.setRange(round(low), round(high))
        self.memory.setSingleStep(100)
        self.memory.setGroupSeparatorShown(True)
        self.memory.setSuffix(self.tr(" MB"))
        page.spin("reader_memory_mb", self.memory, self.tr("Memory limit"))
        page.row(self.tr("&Memory limit"), self.memory)
        page.caption(
            self.tr(
                "Kindred skips a document that makes no progress for this long or needs more memory. Takes effect"
                " after a restart."
            )
        )
        page.heading(self.tr("Scanned pages"))
        names = {
            "never": self.tr("Leave as they are"),
            "ask": self.tr("Offer OCR"),
            "always": self.tr("Always run OCR"),
        }
        self.ocr = page.combo("ocr", OCR_MODES, names, self.tr("Pages without text"))
        page.row(self.tr("&Pages without text"), self.ocr)
        self.ocr_languages = QLineEdit(self._settings.ocr_languages)
        self.ocr_languages.setAccessibleName(self.tr("Languages of scanned pages"))
        self.ocr_languages.setPlaceholderText(self.tr("System and English"))
        self.ocr_languages.setValidator(_OcrLanguagesValidator(self.ocr_languages))
        self.ocr_languages.editingFinished.connect(lambda: self._change(ocr_languages=self.ocr_languages.text()))
        page.row(self.tr("Lan&guages"), self.ocr_languages)
        page.caption(
            self.tr(
                "OCR requires Tesseract, a free program, and its data for each language. Use Tesseract codes, e.g."
                " eng or deu+eng. Takes effect with the next import."
            )
        )

    # Display

    def show_settings(self, settings: Settings) -> None:
        """Update everything that depends on several settings."""
        self._settings = settings
        self.library_page.show_settings(settings)
        waiting = self._waiting()
        self.restart_button.setVisible(bool(waiting) and self._can_restart)
        if waiting:
            text = self.tr("Saved. Takes effect after a restart: {names}.").format(names=", ".join(waiting))
        else:
            text = self.tr("Changes are saved automatically.")
        self.pending.setText(text)

    def offer_restart(self, can: bool) -> None:
        """Set whether to offer a restart if a setting needs it."""
        self._can_restart = can
        self.show_settings(self._settings)

    def _waiting(self) -> list[str]:
        """Return the names of changed settings that apply at the next start."""
        names = {
            "language": self.tr("language"),
            "data_folder": self.tr("data folder"),
            "model": self.tr("model"),
            "device": self.tr("device"),
            "precision": self.tr("precision"),
            "threads": self.tr("threads"),
            "low_priority": self.tr("low priority"),
            "reader_timeout_s": self.tr("time limit"),
            "reader_memory_mb": self.tr("memory limit"),
        }
        now, then = self._settings, self._started
        return [text for name, text in names.items() if getattr(now, name) != getattr(then, name)]

    # Actions

    def _change(self, **changes: object) -> None:
        self.changed.emit(changes)

    def _emit(self, changes: dict[str, object]) -> None:
        self.changed.emit(changes)
