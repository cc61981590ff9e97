"""Highlights and notes in the reader: loads those of a document, finds them on its pages, changes them, with undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolButton, QWidget

from desktop_app.core.annotations import COLOURS, OWN_COLOURS, colour_name, find_noted, locate_on_page, locate_text
from desktop_app.gui.base.display_text import translate
from desktop_app.gui.base.requests import JobGroup
from desktop_app.gui.widgets.buttons import make_icon_button, make_push_button
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column, make_row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QCloseEvent

    from desktop_app.core.annotations import Annotation
    from desktop_app.core.pages import Box, SentenceToLocate
    from desktop_app.core.records import Hit, Occurrence
    from desktop_app.gui.base.session import LibrarySession
    from desktop_app.gui.reader.model import ShownDocument

    Span = tuple[int, int]

_MAX_UNDO = 50
_POPUP_WIDTH, _NOTE_HEIGHT = 320, 96
_DOT_PX = 16


class AnnotationModel(QObject):
    """The annotations of the document in a reader.

    Attributes:
        changed: the annotations, or what is known of their places, changed.
        loaded: the annotations of another document are known.
        deleted: annotations were deleted; carries how many, and a function that brings them back.
        failed: a request failed; carries the exception.
        annotations: of the document, by place.
        is_loaded: whether they are known.
        unsaved: notes that could not be stored, by the id of their annotation: they are offered again.
    """

    changed = Signal()
    loaded = Signal()
    deleted = Signal(object, object)
    failed = Signal(object)

    def __init__(self, session: LibrarySession, parent: QObject, reader: str = "") -> None:
        super().__init__(parent)
        self._reader = reader
        self._workspace = session.workspace
        self._bridge = session.bridge
        self._jobs = JobGroup(session.bridge, self)
        self._shown: ShownDocument | None = None
        self._boxes: dict[int, list[tuple[Annotation, tuple[Box, ...]]]] = {}
        self._asked: set[int] = set()
        self._undo: list[Callable[[], None]] = []
        self.annotations: tuple[Annotation, ...] = ()
        self.is_loaded = False
        self.unsaved: dict[int, str] = {}

    def show(self, shown: ShownDocument | None) -> None:
        """Load the annotations of another document, or of the same one again."""
        is_other = shown is None or self._shown is None or shown.document_id != self._shown.document_id
        self._shown = shown
        if is_other:
            self.annotations, self.is_loaded = (), False
            self._undo.clear()
        self.reload()

    def reload(self) -> None:
        """Request the annotations again."""
        self._jobs.drop()
        self._asked.clear()
        if self._shown is None:
            self._boxes.clear()
            self.changed.emit()
            return

        def take(found: list[Annotation]) -> None:
            was_loaded, self.is_loaded = self.is_loaded, True
            self.annotations = tuple(found)
            self._boxes.clear()
            self._asked.clear()
            self.changed.emit()
            if not was_loaded:
                self.loaded.emit()

        job = self._workspace.annotations.fetch(self._shown.document_id)
        self._jobs.start(job, take, on_error=_ignore)

    # Where they stand

    def request_page(self, page: int) -> None:
        """Request where the annotations of a page stand on it."""
        if self._shown is None or page in self._asked or not self.is_loaded:
            return
        self._asked.add(page)
        there = [each for each in self.annotations if page in each.pages]
        if not there:
            return

        def take(found: list[tuple[Box, ...]]) -> None:
            self._boxes[page] = [(each, boxes) for each, boxes in zip(there, found, strict=True) if boxes]
            self.changed.emit()

        wanted = [locate_on_page(each, page) for each in there]
        job = self._workspace.pages.find_boxes(
            self._shown.path, page, wanted, purpose=" annotations", reader=self._reader
        )
        self._jobs.start(job, take, on_error=_ignore)

    def on_page(self, page: int) -> list[tuple[Annotation, tuple[Box, ...]]]:
        """Return the annotations of a page with their boxes, as far as they are known."""
        return self._boxes.get(page, [])

    def at(self, page: int, x: float, y: float) -> Annotation | None:
        """Return the annotation at a point of a page; of several the smallest."""
        found = [
            (sum((box.right - box.left) * (box.bottom - box.top) for box in boxes), nth, each)
            for nth, (each, boxes) in enumerate(self.on_page(page))
            if any(box.left <= x <= box.right and box.top <= y <= box.bottom for box in boxes)
        ]
        return min(found)[2] if found else None

    def locate_in_text(
        self, rows: Mapping[int, Occurrence], pages: Mapping[int, int]
    ) -> list[tuple[Annotation, Span, Span]]:
        """Return the annotations that are found in a text, with where each begins and ends: ordinal and character.

        Args:
            rows: the sentences that are loaded, in reading order.
            pages: the first sentence of each page.
        """
        sentences = [(ordinal, row.text) for ordinal, row in rows.items()]
        found = []
        for each in self.annotations:
            ordinal = each.ordinal if each.ordinal is not None else pages.get(each.page or 0)
            if each.text and (place := locate_text(sentences, each.text, ordinal, each.offset)) is not None:
                found.append((each, *place))
        return found

    def resolve(self, sentences: Sequence[SentenceToLocate], hits: Sequence[Hit]) -> list[SentenceToLocate]:
        """Return the sentences of hits, with what was marked in place of what was written on it."""
        found = []
        for sentence, hit in zip(sentences, hits, strict=True):
            noted = find_noted(self.annotations, hit)
            page = noted.page if noted is not None else None
            found.append(locate_on_page(noted, page) if noted is not None and page is not None else sentence)
        return found

    def ordinal_of(self, hit: Hit) -> int:
        """Return the sentence in which a hit stands: for what was written on marked words that of these words."""
        noted = find_noted(self.annotations, hit)
        return noted.ordinal if noted is not None and noted.ordinal is not None else hit.ordinal

    # Changes

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._undo)

    def add(self, annotations: Sequence[Annotation], then: Callable[[int], None] | None = None) -> None:
        """Store annotations; `then` receives the id of the first one."""
        remember = self._remember_here()

        def take(ids: list[int]) -> None:
            remember(lambda: self._delete(ids))
            if then is not None and ids:
                then(ids[0])

        self._call(self._workspace.annotations.add(annotations), take)

    def change(self, annotation: Annotation, *, comment: str | None = None, colour: str | None = None) -> None:
        """Change what is written on an annotation, or its colour."""
        key, remember = annotation.annotation_id, self._remember_here()

        def take(before: Annotation) -> None:
            if comment is not None:
                self.unsaved.pop(key, None)
            remember(
                lambda: self._call(
                    self._workspace.annotations.change(key, comment=before.comment, colour=before.colour), _ignore
                )
            )

        def fail(error: BaseException) -> None:
            if comment is not None:
                self.unsaved[key] = comment
            self.failed.emit(error)

        self._call(self._workspace.annotations.change(key, comment=comment, colour=colour), take, fail)

    def delete(self, annotation_ids: Sequence[int]) -> None:
        """Delete annotations; `undo` brings them back."""
        remember = self._remember_here()

        def take(gone: list[Annotation]) -> None:
            if not gone:
                return
            count = len(gone)

            def restore() -> None:
                if restore in self._undo:
                    self._undo.remove(restore)
                back, gone[:] = list(gone), []  # once
                if back:
                    self._call(self._workspace.annotations.add(back), _ignore)

            remember(restore)
            self.deleted.emit(count, restore)

        self._call(self._workspace.annotations.delete(annotation_ids), take)

    def undo(self) -> None:
        """Undo the last change of the annotations of this document."""
        if self._undo:
            self._undo.pop()()

    def _delete(self, ids: Sequence[int]) -> None:
        self._call(self._workspace.annotations.delete(ids), _ignore)

    def _remember_here(self) -> Callable[[Callable[[], None]], None]:
        """Return what notes how to undo a change, unless another document is shown once the change is made."""
        before = self._shown

        def remember(undo: Callable[[], None]) -> None:
            now = self._shown
            if (now and now.document_id) == (before and before.document_id):
                self._undo.append(undo)
                del self._undo[:-_MAX_UNDO]

        return remember

    def _call(
        self, job: object, take: Callable[..., None], fail: Callable[[BaseException], None] | None = None
    ) -> None:
        # Not in the group: loading another document does not cancel a change.
        self._bridge.call(job, self, take, on_error=fail or self.failed.emit)  # type: ignore[arg-type]


def _ignore(_result: object) -> None:
    pass


# Colours and the popup


def colour_title(name: str) -> str:
    """Return the name of a colour for people."""
    return {
        "yellow": translate("colours", "Yellow"),
        "green": translate("colours", "Green"),
        "blue": translate("colours", "Blue"),
        "red": translate("colours", "Red"),
        "purple": translate("colours", "Purple"),
        "orange": translate("colours", "Orange"),
        "magenta": translate("colours", "Magenta"),
        "gray": translate("colours", "Grey"),
    }.get(name, "")


def make_colour_icon(colour: str) -> QIcon:
    """Return a dot of a colour."""
    picture = QPixmap(2 * _DOT_PX, 2 * _DOT_PX)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(colour).darker(130))
    painter.setBrush(QColor(colour))
    painter.drawEllipse(4, 4, 2 * _DOT_PX - 8, 2 * _DOT_PX - 8)
    painter.end()
    picture.setDevicePixelRatio(2.0)
    icon = QIcon(picture)
    icon.addPixmap(picture, QIcon.Mode.Selected)  # Qt would tint it, and red looks like purple
    return icon


class AnnotationPopup(QFrame):
    """Shows a highlight: its colours, the note on it, and a button that deletes it. What is typed is kept on closing.

    Args:
        parent: the window below it.
        annotation: the highlight.
        typed: the note that the person typed before and that could not be stored; None for the stored one.

    Attributes:
        colour_chosen: carries the colour.
        comment_changed: the note was changed; carries the text.
        delete_wanted: the person deletes the highlight.
        source_wanted: the person wants to see it in the program that it comes from.
    """

    colour_chosen = Signal(str)
    comment_changed = Signal(str)
    delete_wanted = Signal()
    source_wanted = Signal()

    def __init__(self, parent: QWidget, annotation: Annotation, typed: str | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._annotation = annotation
        self._is_own = annotation.origin == "own"
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Highlight"))
        self.note = QPlainTextEdit(annotation.comment if typed is None else typed)
        self.note.setAccessibleName(self.tr("Note"))
        self.note.setPlaceholderText(self.tr("Add a note…"))
        self.note.setTabChangesFocus(True)
        self.note.setReadOnly(not self._is_own)
        self.note.setFixedHeight(_NOTE_HEIGHT)
        if not self._is_own:
            palette = self.note.palette()
            palette.setColor(QPalette.ColorRole.Base, palette.color(QPalette.ColorRole.Window))
            self.note.setPalette(palette)
        self.colours: dict[str, QToolButton] = {}
        if self._is_own:
            delete = make_icon_button("trash-2", self.tr("Delete highlight"))
            delete.clicked.connect(self._delete)
            now = colour_name(annotation.colour)
            choices = [self._make_colour(name, checked=name == now) for name in OWN_COLOURS]
            tools = make_row(*choices, "stretch", delete, spacing=4)
        else:
            about = ", ".join(filter(None, (self.tr("From Zotero"), annotation.author)))
            show = make_push_button(self.tr("Show in Zotero"), "", "external-link")
            show.clicked.connect(self.source_wanted)
            show.clicked.connect(self.close)
            tools = make_row(make_label(about, tone="muted", factor=0.9), "stretch", show, spacing=4)
        if self._is_own or annotation.comment:
            make_column(tools, self.note, parent=self, margins=10, spacing=8)
        else:
            self.note.hide()
            make_column(tools, parent=self, margins=10)
        self.setFixedWidth(_POPUP_WIDTH)

    def _make_colour(self, name: str, *, checked: bool) -> QToolButton:
        button = make_icon_button("", colour_title(name))
        button.setIcon(make_colour_icon(COLOURS[name]))
        button.setIconSize(QSize(_DOT_PX, _DOT_PX))
        button.setCheckable(True)
        button.setAutoExclusive(True)
        button.setChecked(checked)
        button.clicked.connect(lambda: self.colour_chosen.emit(COLOURS[name]))
        self.colours[name] = button
        return button

    def pop_up(self, at: QPoint) -> None:
        """Open at a point of the screen, with the cursor in the note."""
        self.adjustSize()
        screen = self.screen().availableGeometry()
        x = min(max(at.x(), screen.left() + 4), screen.right() - self.width() - 4)
        y = at.y() if at.y() + self.height() < screen.bottom() else at.y() - self.height() - 24
        self.move(x, max(y, screen.top() + 4))
        self.show()
        self.note.setFocus()
        self.note.moveCursor(self.note.textCursor().MoveOperation.End)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Escape, and with Ctrl+Enter."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape or (is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what was typed."""
        text = self.note.toPlainText().strip()
        if self._is_own and text != self._annotation.comment:
            self.comment_changed.emit(text)
            self._is_own = False  # once
        super().closeEvent(event)

    def _delete(self) -> None:
        self._is_own = False  # nothing of it is kept
        self.delete_wanted.emit()
        self.close()
