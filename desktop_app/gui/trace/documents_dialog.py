"""Two documents side by side, with kept, reworded, moved, added and removed sentences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from desktop_app.core.same_names import tell_names_apart
from desktop_app.gui.base import desktop, display_text, file_dialogs
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.mime_data import accept_as_copy, mime_documents, mime_files
from desktop_app.gui.base.requests import LatestJob
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.base.window_context import ComparisonRequest
from desktop_app.gui.trace.export import ExportRow, choose_trace_export
from desktop_app.gui.trace.model import DiffTextRows
from desktop_app.gui.trace.sentence_kinds import CHANGE_STYLES, SentenceKindBar
from desktop_app.gui.trace.state_view import (
    ProgressStateView,
    describe_progress,
    describe_unknown_documents,
    documents_state,
    failure_state,
    offer_multilingual_model,
)
from desktop_app.gui.trace.text_rows_view import TextRowsView
from desktop_app.gui.widgets.buttons import make_close_button, make_icon_button, make_push_button
from desktop_app.gui.widgets.drop_overlay import DropOverlay
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size
from desktop_app.gui.widgets.menus import make_popup_menu
from desktop_app.gui.widgets.notice_bar import NoticeBar
from desktop_app.gui.widgets.state_view import StateContent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent

    from desktop_app.core.jobs import ChangeSet
    from desktop_app.core.records import Document
    from desktop_app.core.trace import Diff
    from desktop_app.gui.base.window_context import WindowContext


@dataclass(frozen=True, slots=True)
class _DocumentChoice:
    """A document of the library, by its id, or a file, by its path."""

    id_or_path: int | str
    name: str
    path: str

    @property
    def file_name(self) -> str:
        """The name without the ending of a file; a title has none, whatever follows a full stop in it."""
        return Path(self.path).stem if self.name == Path(self.path).name else self.name


class CompareDocumentsDialog(QDialog):
    """A separate window; the reader of the main window shows the sentences that are opened here.

    Args:
        context: the window's services.
        documents: at most two, the earlier one first.
    """

    def __init__(self, context: WindowContext, documents: Sequence[Document] = ()) -> None:
        super().__init__(context.widget, Qt.WindowType.Window)
        self._context = context
        self._exact_scores = context.actions["search.exact_scores"]
        self._session = context.session
        self._request: LatestJob[Diff] = LatestJob(context.session, self)
        self._sides: list[_DocumentChoice | None] = [None, None]
        self._error: BaseException | None = None
        self._was_stopped = False
        self._previous: tuple[list[_DocumentChoice | None], Diff] | None = None  # the last documents and their result
        self.found: Diff | None = None
        self.texts: DiffTextRows | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.setWindowTitle(self.tr("Compare documents"))
        self.setAccessibleName(self.windowTitle())
        self.state = ProgressStateView(self.tr("Stop comparing (Esc)"))
        self.view = TextRowsView(context.themes, self.tr("Both documents, side by side"))
        self.kinds = SentenceKindBar(CHANGE_STYLES, context.themes, self.tr("How the documents differ"))
        self.hint = DropOverlay(self)
        self.hint.setAccessibleName(self.tr("Drop to compare"))
        self._retry = QAction(self.tr("Try Again"), self)
        self._retry.triggered.connect(self.compare)
        self._choose = [QAction(self.tr("Select File…"), self) for _ in range(2)]
        self._lay_out()
        self._connect()
        set_initial_size(self, 1180, 780)
        for side, document in enumerate(documents[:2]):
            self._sides[side] = _choice_of_document(document)
        self.compare()

    def _lay_out(self) -> None:
        self.heads = DocumentPairHeader()
        self.previous = make_icon_button("chevron-up", self.tr("Previous difference (P or Shift+F8)"))
        self.previous.setAccessibleName(self.tr("Previous difference"))
        self.next = make_icon_button("chevron-down", self.tr("Next difference (N or F8)"))
        self.next.setAccessibleName(self.tr("Next difference"))
        tools = make_row((self.kinds, 1), 10, margins=(16, 4, 16, 8), spacing=6)
        bottom = Qt.AlignmentFlag.AlignBottom
        tools.addWidget(self.previous, 0, bottom)
        tools.addWidget(self.next, 0, bottom)
        self.compared = QWidget()
        self.compared.setAccessibleName(self.tr("Both documents"))
        self.language_notice = NoticeBar(self.tr("Language"))
        make_column(tools, self.language_notice, (self.view, 1), parent=self.compared, spacing=0)
        self.stack = QStackedWidget()
        self.stack.setAccessibleName(self.tr("Both documents"))
        self.stack.addWidget(self.state)
        self.stack.addWidget(self.compared)
        self.message = make_label(tone="muted", factor=0.92, wrap=True, name=self.tr("State"))
        self.exporting = ExportRow(self._context)
        self.save = make_push_button(self.tr("E&xport…"), "", "save", self.tr("Save the comparison to a file"))
        foot = make_row(
            (self.message, 1),
            (self.exporting, 1),
            self.save,
            make_close_button(self),
            margins=(16, 8, 16, 12),
            spacing=8,
        )
        make_column(self.heads, (self.stack, 1), foot, parent=self, spacing=0)

    def _connect(self) -> None:
        for side in range(2):
            self._choose[side].triggered.connect(lambda _checked=False, side=side: self.choose_file(side))
        self.heads.file_wanted.connect(self.choose_file)
        self.heads.swap.clicked.connect(self.swap_sides)
        self.previous.clicked.connect(lambda: self.view.step(-1))
        self.next.clicked.connect(lambda: self.view.step(1))
        self.state.cancelled.connect(self.cancel)
        self.kinds.picked.connect(self.view.pick)
        self.language_notice.pressed.connect(self._context.actions["models.multilingual"].trigger)
        self.view.opened.connect(self.read)
        self.view.menu_wanted.connect(self._show_menu)
        self.save.clicked.connect(self.choose_export)
        self._session.bridge.changed.connect(self._on_library_changed)
        self._exact_scores.toggled.connect(self._show_scores)
        self._context.widget.installEventFilter(self)

    # Documents

    def put(self, side: int, id_or_path: int | str) -> None:
        """Put a document of the library (by its id) or a file (by its path) on one side."""
        documents = self._context.documents
        if isinstance(id_or_path, str):
            known = next((each for each in documents.all_documents() if each.path == id_or_path), None)
            id_or_path = known.document_id if known is not None and known.sentences else id_or_path
        if isinstance(id_or_path, int):
            document = documents.document(id_or_path)
            if document is None:
                return
            self._sides[side] = _choice_of_document(document)
        else:
            self._sides[side] = _DocumentChoice(id_or_path, Path(id_or_path).name, id_or_path)
        self.compare()

    def swap_sides(self) -> None:
        """Swap both sides."""
        self._sides.reverse()
        self.compare()

    def choose_file(self, side: int) -> None:
        """Ask for a file for one side; it does not enter the library."""
        file_dialogs.choose_file(
            self, self.tr("Compare with a file"), lambda path: self.put(side, path), file_dialogs.document_filters()
        )

    def compare(self) -> None:
        """Align the documents of both sides."""
        self._request.cancel()
        self._request.drop()
        self._error, self._was_stopped = None, False
        self._show(None)
        first, second = self._sides
        if first is not None and second is not None and first.id_or_path != second.id_or_path:
            self._request.start(
                self._session.workspace.trace.diff(first.id_or_path, second.id_or_path, asker=str(id(self))),
                self._on_found,
                on_error=self._on_failed,
                on_cancelled=self._on_stopped,
                on_progress=lambda _progress: self._refresh(),
            )
        self._refresh()

    def cancel(self) -> None:
        """Stop comparing."""
        self._request.cancel()

    def _on_found(self, found: Diff) -> None:
        self._previous = list(self._sides), found
        self._show(found)
        self.message.setText(self.tr("N / P: next / previous difference. Enter: open in reader."))
        self._error = None
        self._refresh()
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, found: Diff | None) -> None:
        shows_scores = self._exact_scores.isChecked()
        self.found = found
        self.texts = DiffTextRows(found, shows_scores=shows_scores) if found is not None else None
        self.language_notice.hide()
        if found is not None:
            self.kinds.show_counts(found.counts)
            if found.unknown_languages:
                text = describe_unknown_documents(found.unknown_languages)
                self.language_notice.say(text, offer_multilingual_model(self._context.actions))
        self.view.show_texts(self.texts)

    def _show_scores(self, shown: bool) -> None:
        if self.texts is not None:
            self.texts.shows_scores = shown
            self.view.viewport().update()

    def _on_stopped(self) -> None:
        self._error, self._was_stopped = None, True
        self._refresh()
        self._restore_previous(self.tr("Stopped. Showing the previous comparison."))

    def _on_failed(self, error: BaseException) -> None:
        self._error = error
        self._refresh()
        failure = failure_state(error)
        text = self.tr("{what}. {hint} Showing the previous comparison.")
        text = text.format(what=failure.title.rstrip("."), hint=failure.text)
        self._restore_previous(text.replace("  ", " "))

    def _restore_previous(self, reason: str) -> None:
        """Show the last result again, with its documents, with the reason; does nothing if there is none."""
        if self._previous is None:
            return
        (sides, found), self._error, self._was_stopped = self._previous, None, False
        self._sides = list(sides)
        self._show(found)
        self._refresh()
        self.message.setText(reason)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_library_changed(self, changes: ChangeSet) -> None:
        if (changes.sentences or changes.listing) and self.found is not None:
            self.message.setText(self.tr("Library changed. Press F5 to compare again."))

    # Display

    def _refresh(self) -> None:
        names = tell_names_apart({side.path: side.name for side in self._sides if side is not None})
        self.heads.show_names([names[side.path] if side is not None else "" for side in self._sides])
        is_there = self.found is not None and bool(self.found.rows)
        self.save.setEnabled(is_there)
        if not is_there:
            view = self._view()
            self.state.show_view(view, [self._action(name) for name in view.actions])
            self.state.show_progress(self._request.progress, self._request.is_running)
            self.message.setText("")
        self.stack.setCurrentWidget(self.compared if is_there else self.state)

    def _action(self, name: str) -> QAction:
        return {"retry": self._retry, "choose.0": self._choose[0], "choose.1": self._choose[1]}[name]

    def _view(self) -> StateContent:
        if self._request.is_running:
            text = describe_progress(self._request.progress)
            return StateContent("comparing", "hourglass", self.tr("Comparing…"), text)
        if self._error is not None:
            return failure_state(self._error)
        if self._was_stopped:
            return StateContent("stopped", "pause", self.tr("Stopped"), "", ("retry",))
        return documents_state(*(chosen.id_or_path if chosen is not None else None for chosen in self._sides))

    # Actions

    def read(self, row: int, side: int | None) -> None:
        """Open a sentence in the main window; without a side that of the second document, if it has one."""
        if self.texts is None:
            return
        hits = [self.texts.hit(each, row) for each in (0, 1)]
        hit = hits[side] if side is not None else hits[1] or hits[0]
        if hit is None:
            return
        if hit.document_id:
            self._context.navigator.open_hit.emit(hit)
            self._context.raise_window()
        elif not desktop.open_file(hit.path):
            self.message.setText(display_text.describe_unopened_file(hit.path))

    def copy(self) -> None:
        """Copy the sentences of the current row with their places."""
        if self.texts is not None and self.view.current is not None:
            self._context.copy(self.texts.cite_row(self.view.current))

    def choose_export(self) -> None:
        """Ask where to save the alignment."""
        if self.found is not None:
            name = " - ".join(
                tell_names_apart({side.path: side.file_name for side in self._sides if side is not None}).values()
            )
            title = self.tr("Export comparison")
            choose_trace_export(self._context, self, self.found, title, self.exporting, name)

    def _show_menu(self, at: QPoint) -> None:
        row, texts = self.view.current, self.texts
        if row is None or texts is None:
            return
        menu = make_popup_menu(self, self.tr("Sentence"))
        titles = (self.tr("Open in &First Document"), self.tr("Open in &Second Document"))
        for side, title in enumerate(titles):
            action = menu.addAction(make_icon("book-open"), title)
            action.triggered.connect(lambda _checked=False, side=side: self.read(row, side))
            action.setEnabled(texts.hit(side, row) is not None)
        menu.addAction(make_icon("quote"), self.tr("&Copy with Citations"), self.copy)
        first, second = texts.hit(0, row), texts.hit(1, row)
        if first is not None and second is not None:
            request = ComparisonRequest(first.text, second.text)
            compare = menu.addAction(make_icon("scale"), self.tr("Compare &Both Sentences…"))
            compare.triggered.connect(lambda: self._context.navigator.compare.emit(request))
        menu.popup(at)

    # Keys and drops

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step through the differences, copy, compare again, cancel or close."""
        key, is_shifted = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key == Qt.Key.Key_F8:
            self.view.step(-1 if is_shifted else 1)
        elif key == Qt.Key.Key_F5:
            self.compare()
        elif key == Qt.Key.Key_Escape and self._request.is_running:
            self.cancel()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files, and documents of the library."""
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show the side on which the document would be put."""
        dropped = self._dropped(event.mimeData())
        if not dropped:
            event.ignore()
            return
        event.acceptProposedAction()
        if len(dropped) > 2:
            self.hint.show_overlay(self.tr("Drop to compare the first two"))
        elif len(dropped) == 2:
            self.hint.show_overlay(self.tr("Drop to compare both"))
        elif event.position().x() < self.width() / 2:
            self.hint.show_overlay(self.tr("Drop as the first document"))
        else:
            self.hint.show_overlay(self.tr("Drop as the second document"))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Hide the hint."""
        self.hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Put the dropped document on the side of the pointer, the first two of several on both sides."""
        self.hint.hide()
        dropped = self._dropped(event.mimeData())
        if dropped:
            accept_as_copy(event)
        if len(dropped) == 1:
            self.put(0 if event.position().x() < self.width() / 2 else 1, dropped[0])
        else:
            for side, each in enumerate(dropped[:2]):
                self.put(side, each)

    def _dropped(self, data: QMimeData) -> Sequence[int | str]:
        """Return the documents or files of a drag."""
        return mime_documents(data) or mime_files(data)

    # Closing

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close together with the main window."""
        if watched is self._context.widget and event.type() == QEvent.Type.Close:
            self.close()
        return False

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel the comparison."""
        self._request.cancel()
        self._request.drop()
        super().closeEvent(event)


def _choice_of_document(document: Document) -> _DocumentChoice:
    name = display_text.document_name(document.title, document.path)
    return _DocumentChoice(document.document_id, name, document.path)


class DocumentPairHeader(QWidget):
    """Two names side by side, each with a button for a file; a button between them swaps both.

    Attributes:
        file_wanted: the person wants to choose a file; carries the side, 0 or 1.
        names: the labels.
        choosers: the buttons for a file.
        swap: the button between them.
    """

    file_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Both documents"))
        sides = (self.tr("First document"), self.tr("Second document"))
        choose = (self.tr("Select the first document"), self.tr("Select the second document"))
        self._nothing = (self.tr("No first document"), self.tr("No second document"))
        self.names = [ElidedLabel(side, mode=Qt.TextElideMode.ElideMiddle) for side in sides]
        self.choosers = [make_icon_button("folder-open", self.tr("Select a file to compare")) for _ in sides]
        self.swap = make_icon_button("arrow-left-right", self.tr("Swap both documents"))
        row = make_row(parent=self, margins=(16, 12, 16, 4), spacing=4)
        for side, (name, chooser) in enumerate(zip(self.names, self.choosers, strict=True)):
            name.setFont(scale_font(name.font(), 1.08, QFont.Weight.DemiBold))
            chooser.setAccessibleName(choose[side])
            chooser.clicked.connect(lambda _checked=False, side=side: self.file_wanted.emit(side))
            row.addWidget(name, 1)
            row.addWidget(chooser)
            if side == 0:
                row.addSpacing(12)
                row.addWidget(self.swap)
                row.addSpacing(12)

    def show_names(self, names: Sequence[str]) -> None:
        """Show the names of both documents; an empty name for a side without one."""
        for label, name, nothing in zip(self.names, names, self._nothing, strict=True):
            label.setText(name or nothing)
            label.setToolTip(display_text.make_tooltip(name) if name else "")
        self.swap.setEnabled(any(names))
