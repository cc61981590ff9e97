"""The pane that checks a draft against the library: each sentence with its support and sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSignalBlocker, Qt
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QStackedWidget,
    QWidget,
)

from desktop_app.gui.base import display_text, file_dialogs
from desktop_app.gui.base.actions import ShortcutTip, shortcut_text
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.mime_data import accept_as_copy, mime_files, mime_text
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.results.scope_bar import PaneScopeController
from desktop_app.gui.trace.actions import TRACE_ACTION_IDS
from desktop_app.gui.trace.controller import TraceController
from desktop_app.gui.trace.export import ExportRow, choose_trace_export
from desktop_app.gui.trace.model import DraftTextRows
from desktop_app.gui.trace.sentence_kinds import SUPPORT_STYLES, SentenceKindBar
from desktop_app.gui.trace.sources_panel import SourcesPanel
from desktop_app.gui.trace.state_view import (
    ProgressRow,
    ProgressStateView,
    describe_skipped,
    describe_stopped_trace,
    describe_unknown_draft,
    offer_multilingual_model,
    trace_state,
)
from desktop_app.gui.trace.text_rows_view import TextRowsView
from desktop_app.gui.widgets.buttons import make_icon_button
from desktop_app.gui.widgets.drop_overlay import DropOverlay
from desktop_app.gui.widgets.fields import CheckBox
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.notice_bar import NoticeBar
from desktop_app.gui.widgets.pane import Pane
from desktop_app.gui.widgets.pane_splitter import PaneSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent

    from desktop_app.gui.base.window_context import WindowContext

_DRAFT_SHARE = 0.6  # of the pane; the rest is for the sources
_SIDE_BY_SIDE_PX = 720  # panes narrower than this have the sources below the draft


class TracePane(Pane):
    """A draft that was dropped, pasted or opened, with its sources in the library."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._actions = context.actions
        self._exact_scores = context.actions["search.exact_scores"]
        self.setProperty("surface", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Check draft"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        self.controller = TraceController(context.session, self)
        self.texts: DraftTextRows | None = None
        self._shown_draft = ("", "")  # path and text
        self._former_place: tuple[int, str] | None = None  # the row and text that were selected in the same draft
        self.state = ProgressStateView(self.tr("Stop checking (Esc)"))
        self.work = ProgressRow(self.tr("Stop checking (Esc)"))
        self.exporting = ExportRow(context)
        self.notice = NoticeBar(self.tr("Stopped"))
        self.language_notice = NoticeBar(self.tr("Language"))
        self.scope_controller = PaneScopeController(context, self, self.tr("Find sources only in…"))
        self.view = TextRowsView(context.themes, self.tr("Sentences of the draft"))
        self.sources = SourcesPanel(context.themes, self._exact_scores)
        self.kinds = SentenceKindBar(SUPPORT_STYLES, context.themes, self.tr("Coverage of the draft"))
        self.hint = DropOverlay(self)
        self.hint.setAccessibleName(self.tr("Drop to check"))
        self._lay_out()
        self._connect()
        self._refresh()

    def _lay_out(self) -> None:
        self.name = ElidedLabel(self.tr("Draft"), mode=Qt.TextElideMode.ElideMiddle)
        self.name.setFont(scale_font(self.name.font(), 1.1, self.name.font().Weight.DemiBold))
        self.about = make_label(tone="muted", factor=0.9, name=self.tr("About the draft"))
        self.previous = make_icon_button("chevron-up", "")
        self.next = make_icon_button("chevron-down", "")
        self.again = make_icon_button("rotate-ccw", "")
        self.save = make_icon_button("save", "")
        self.keep = make_icon_button("book-plus", "")
        self.other = make_icon_button("file-plus", self.tr("Check another draft"))
        named = (
            (self.previous, "trace.previous"),
            (self.next, "trace.next"),
            (self.again, "trace.again"),
            (self.save, "trace.export"),
            (self.keep, "trace.import"),
        )
        for button, action in named:
            ShortcutTip(button, self._actions[action])
        for button, action in (*named, (self.other, "trace.open")):
            button.setAccessibleName(self._actions[action].text().replace("&", "").rstrip("…"))
            button.clicked.connect(self._actions[action].trigger)
        head = make_row(
            (self.name, 1),
            self.about,
            6,
            self.scope_controller.button,
            self.previous,
            self.next,
            self.again,
            self.save,
            self.keep,
            self.other,
            spacing=6,
        )
        top = make_column(head, self.kinds, self.work, self.exporting, margins=(16, 8, 12, 6), spacing=8)
        self.skipped_notice = make_label(tone="muted", factor=0.92, wrap=True, name=self.tr("Skipped"))
        self.all_passages = CheckBox(self.tr("All passages"))
        self.all_passages.setToolTip(
            self.tr("Include headings, fragments, table rows and repeated text, in the draft and in its sources")
        )
        line = make_row((self.skipped_notice, 1), self.all_passages, spacing=12)
        line.insertStretch(1, 0)  # takes the room only while there is no notice
        top.addLayout(line)
        self.stale_notice = make_label(tone="muted", factor=0.92, wrap=True, name=self.tr("The library has changed"))
        top.addWidget(self.stale_notice)
        self.splitter = PaneSplitter(self._context)
        self.splitter.setAccessibleName(self.tr("Draft and sources"))
        self.splitter.addWidget(self.view)
        self.splitter.addWidget(self.sources)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.divide("draft", _DRAFT_SHARE)
        self.traced = QWidget()
        self.traced.setAccessibleName(self.tr("Checked draft"))
        make_column(top, self.notice, self.language_notice, (self.splitter, 1), parent=self.traced, spacing=0)
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(self.tr("Check draft"))
        self.stack.addWidget(self.state)
        self.stack.addWidget(self.traced)
        self.private_notice = ElidedLabel(self.tr("Privacy"), "muted")
        self.private_notice.setFont(scale_font(self.private_notice.font(), 0.9))
        self.private_notice.setText(self.tr("Your draft isn't saved or added to the library."))
        self.private_notice.setContentsMargins(16, 3, 16, 5)
        make_column(self.scope_controller.bar, (self.stack, 1), self.private_notice, parent=self, spacing=0)
        self._retry = QAction(self.tr("Try Again"), self)
        self._password = QAction(self.tr("Enter Password…"), self)
        self._check_all_passages = QAction(self.tr("Check All Passages"), self)

    def _connect(self) -> None:
        self.controller.changed.connect(self._refresh)
        self.scope_controller.wanted.connect(self.controller.set_scope)
        self.all_passages.toggled.connect(self.controller.set_all_passages)
        self.controller.traced.connect(self._show)
        self.controller.grown.connect(self._grow)
        self.controller.stopped.connect(lambda: self.notice.say(*describe_stopped_trace(self.controller)))
        self.state.cancelled.connect(self.controller.cancel)
        self.work.cancelled.connect(self.controller.cancel)
        self.notice.pressed.connect(self._on_notice)
        self.language_notice.pressed.connect(self._actions["models.multilingual"].trigger)
        self.view.chosen.connect(self._on_chosen)
        self.view.opened.connect(lambda row, _side: self.open_source(row))
        self.view.menu_wanted.connect(self._show_menu)
        self.kinds.picked.connect(self.view.pick)
        self.sources.citation_wanted.connect(self._context.copy)
        self.sources.opened.connect(self._context.navigator.open_hit)
        self.sources.compared.connect(lambda pair: self._context.navigator.compare.emit(ComparisonRequest(*pair)))
        self._retry.triggered.connect(self.controller.trace_again)
        self._password.triggered.connect(self.ask_password)
        self._check_all_passages.triggered.connect(lambda: self.controller.set_all_passages(True))
        self._exact_scores.toggled.connect(self._show_scores)
        self._actions["trace.again"].changed.connect(self._name_shortcut)
        self._name_shortcut()
        self._actions.add_to_pane("trace", self)

    def _name_shortcut(self) -> None:
        """Name the shortcut in the notice that the library has changed; the person can change or remove it."""
        keys = shortcut_text(self._actions["trace.again"])
        text = self.tr("Library changed. Press {keys} to check the draft again.") if keys else ""
        text = text or self.tr("Library changed. Check the draft again to see what's new.")
        self.stale_notice.setText(text.format(keys=keys))

    def _show_scores(self, shown: bool) -> None:
        if self.texts is not None:
            self.texts.shows_scores = shown
            self.view.viewport().update()

    # Visibility

    def showEvent(self, event: QShowEvent) -> None:
        """Enable the actions on a traced draft."""
        super().showEvent(event)
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:
        """Disable the actions on a traced draft."""
        super().hideEvent(event)
        self.hint.hide()
        self._actions.enable(TRACE_ACTION_IDS, False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the sources below the draft if there is no room next to it."""
        super().resizeEvent(event)
        is_wide = self.width() >= _SIDE_BY_SIDE_PX
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != wanted:
            self.about.setVisible(is_wide)
            self.splitter.setOrientation(wanted)
            self.splitter.divide("draft", _DRAFT_SHARE)

    # Display

    def _refresh(self) -> None:
        controller, had_focus = self.controller, self._has_focus()
        self.scope_controller.show(controller.scope)
        with QSignalBlocker(self.all_passages):
            self.all_passages.setChecked(controller.all_passages)
        view = trace_state(controller)
        if view is not None:
            own = {
                "trace.retry": self._retry,
                "trace.password": self._password,
                "trace.all_passages": self._check_all_passages,
            }
            self.state.show_view(view, [own.get(name) or self._actions[name] for name in view.actions])
            self.state.show_progress(controller.progress, controller.is_working)
        self.work.setVisible(controller.is_growing)
        self.work.show_progress(controller.progress)
        page = self.traced if view is None else self.state
        is_other = page is not self.stack.currentWidget()
        self.stack.setCurrentWidget(page)
        self.stale_notice.setVisible(controller.is_stale)
        if not controller.is_stopped_early:
            self.notice.hide()
        self.name.setText(controller.name)
        if had_focus and (is_other or not self._has_focus()):
            # A button or list that is hidden loses the focus: it stays in this pane.
            (self.view if page is self.traced else self).setFocus(Qt.FocusReason.OtherFocusReason)
        self._enable()

    def _has_focus(self) -> bool:
        focus = self._context.widget.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Move the focus on to the draft, if there is one."""
        super().focusInEvent(event)
        if self.stack.currentWidget() is self.traced:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        found, draft = self.controller.found, (self.controller.path, self.controller.text)
        current = self.view.current
        if draft != self._shown_draft:
            self._former_place = None
        elif current and self.texts is not None:
            self._former_place = current, self.texts.sentences[current].text
        self._shown_draft = draft
        self.texts = DraftTextRows(found, shows_scores=self._exact_scores.isChecked()) if found is not None else None
        self.view.show_texts(self.texts)
        self.sources.show_sentence(None)
        if found is not None and found.unknown_languages:
            text = describe_unknown_draft(found.unknown_languages)
            self.language_notice.say(text, offer_multilingual_model(self._actions))
        else:
            self.language_notice.hide()
        self._count()
        self._return_to_place()

    def _return_to_place(self) -> None:
        """Select the sentence that was selected before the same draft was checked again, once it is there."""
        found, texts = self.controller.found, self.texts
        if self._former_place is None or found is None or texts is None:
            return
        row, text = self._former_place
        if self.view.current:  # the first one is selected with the focus, another by the person
            self._former_place = None
        elif row < len(found.sentences) or not found.left:
            self._former_place = None
            same = [at for at, sentence in enumerate(found.sentences) if sentence.text == text]
            nearest = min(same, key=lambda at: abs(at - row), default=min(row, len(found.sentences) - 1))
            if nearest > 0:
                self.view.choose(nearest)

    def _grow(self) -> None:
        """Show the new sentences of the draft; the visible ones keep their place."""
        assert self.controller.found is not None
        self.texts = DraftTextRows(self.controller.found, shows_scores=self._exact_scores.isChecked())
        self.view.show_more(self.texts)
        self._count()
        self._return_to_place()

    def _count(self) -> None:
        found = self.controller.found
        if found is not None:
            self.kinds.show_counts(found.coverage)
            whole = display_text.count_sentences(len(found.sentences) + found.left)
            part = self.tr("{done} of {sentences}").format(
                done=display_text.format_number(len(found.sentences)), sentences=whole
            )
            self.about.setText(part if found.left else whole)
            self.skipped_notice.setText(describe_skipped(found))
            self.skipped_notice.setVisible(bool(self.skipped_notice.text()))
        self._refresh()

    def _on_notice(self) -> None:
        if self.controller.former is not None:
            self.controller.restore_former()
        else:
            self.controller.trace_again()

    def _on_chosen(self, row: int | None) -> None:
        sentence = self.texts.sentences[row] if self.texts is not None and row is not None else None
        self.sources.show_sentence(sentence)

    def _enable(self) -> None:
        is_there = self.isVisible() and self.controller.found is not None and self.stack.currentWidget() is self.traced
        self._actions.enable(TRACE_ACTION_IDS, is_there)

    # Actions

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the functions of the actions on a draft."""
        return {
            "trace.open": self.choose_file,
            "trace.paste": self.paste,
            "trace.next": lambda: self.view.step(1),
            "trace.previous": lambda: self.view.step(-1),
            "trace.again": self.controller.trace_again,
            "trace.export": self.choose_export,
            "trace.import": self.add_to_library,
        }

    def choose_file(self) -> None:
        """Ask for a draft."""
        file_dialogs.choose_file(
            self._context.widget,
            self.tr("Check draft"),
            self.controller.trace_file,
            file_dialogs.document_filters(),
        )

    def paste(self) -> None:
        """Trace the file or text on the clipboard."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self._take(data):
            self._context.tell(self.tr("The clipboard has no files or text."))

    def _take(self, data: QMimeData) -> bool:
        if files := mime_files(data):
            if len(files) > 1:
                self._context.tell(self.tr("One draft at a time: checking {name}.").format(name=Path(files[0]).name))
            self.controller.trace_file(files[0])
        elif text := mime_text(data):
            self.controller.trace_text(text)
        else:
            return False
        return True

    def open_source(self, row: int) -> None:
        """Open the best source of a sentence."""
        assert self.texts is not None
        sources = self.texts.sentences[row].sources
        if sources:
            chosen = self.sources.current if row == self.view.current else None
            self._context.navigator.open_hit.emit(chosen or sources[0])
        else:
            self._context.tell(self.tr("Nothing similar in your library."))

    def copy(self) -> None:
        """Copy the selected sentence with its best source."""
        if self.texts is not None and self.view.current is not None:
            self._context.copy(self.texts.cite_row(self.view.current))

    def choose_export(self) -> None:
        """Ask where to save the draft with its sources."""
        if self.controller.found is not None:
            title = self.tr("Export checked draft")
            name = self.tr("{name} with sources").format(name=Path(self.controller.name).stem)
            choose_trace_export(
                self._context, self, self.controller.found, title, self.exporting, name, self.controller.path
            )

    def add_to_library(self) -> None:
        """Import the file of the draft, or offer to keep its text."""
        if self.controller.path:
            self._context.navigator.import_files.emit([self.controller.path])
        elif self.controller.text:
            self._context.navigator.keep_text.emit(self.controller.text)

    def ask_password(self) -> None:
        """Ask for the password of the draft, and trace it; the password is not stored."""
        from desktop_app.gui.widgets.text_dialog import ask_text

        ask_text(
            self._context.widget,
            self.tr("Password"),
            self.tr("Password for the draft:"),
            lambda password: self.controller.trace_file(self.controller.path, password),
            secret=True,
        )

    def _show_menu(self, at: QPoint) -> None:
        row, texts = self.view.current, self.texts
        if row is None or texts is None:
            return
        menu = make_popup_menu(self, self.tr("Sentence of the draft"))
        read = menu.addAction(make_icon("book-open"), self.tr("&Open Source in Reader"))
        read.triggered.connect(lambda: self.open_source(row))
        read.setEnabled(bool(texts.sentences[row].sources))
        menu.addAction(make_icon("quote"), self.tr("&Copy with Source"), self.copy)
        text = texts.sentences[row].text
        find_similar = menu.addAction(make_icon("text-search"), self.tr("Find &Similar Sentences"))
        find_similar.triggered.connect(lambda: self._context.navigator.find_similar.emit(text))
        menu.popup(at)

    # Keys and drops

    def event(self, event: QEvent) -> bool:
        """Paste and copy for the draft while the focus is in this pane."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Paste) or event.matches(keys.Copy):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Paste a draft, copy a sentence, cancel with Esc."""
        keys = QKeySequence.StandardKey
        if event.matches(keys.Paste):
            self.paste()
        elif event.matches(keys.Copy):
            self.copy()
        elif event.key() == Qt.Key.Key_Escape and self.controller.is_working:
            self.controller.cancel()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and texts, but not from this window."""
        self._accept_drag(event)
        if event.isAccepted():
            self.hint.show_overlay(self.tr("Drop to check this draft"))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept them anywhere on the pane."""
        self._accept_drag(event)

    def _accept_drag(self, event: QDragMoveEvent) -> None:
        data = event.mimeData()
        if mime_files(data) or (event.source() is None and mime_text(data)):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Hide the hint."""
        self.hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Trace the dropped file or text."""
        self.hint.hide()
        accept_as_copy(event)
        self._take(event.mimeData())
