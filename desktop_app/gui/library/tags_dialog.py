"""Asks for the tags of some documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QCompleter,
    QDialog,
    QFrame,
    QLineEdit,
    QListView,
    QScrollArea,
    QWidget,
)

from desktop_app.core.stored_text import fold_text
from desktop_app.core.tags import MAX_TAG_CHARACTERS, parse_tags
from desktop_app.gui.base import display_text
from desktop_app.gui.widgets.buttons import make_push_button
from desktop_app.gui.widgets.fields import CheckBox
from desktop_app.gui.widgets.labels import ElidedLabel, make_label
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_TICKS_PX = 190
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class TagField(QLineEdit):
    """A field for tags with completion.

    Attributes:
        typed: tags were entered; carries them.
    """

    typed = Signal(object)

    def __init__(self, known: Sequence[str]) -> None:
        super().__init__()
        self.setPlaceholderText(self.tr("Add a tag"))
        self.setAccessibleName(self.tr("Tag"))
        self.setToolTip(self.tr("Press Enter or comma to add it"))
        self.setMaxLength(10 * MAX_TAG_CHARACTERS)
        completer = QCompleter(QStringListModel(list(known), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._popup = QListView()
        self._popup.setObjectName("completions")
        self._popup.setAccessibleName(self.tr("Existing tags"))
        completer.setPopup(self._popup)
        self.setCompleter(completer)
        # Later: the field first inserts the completion.
        completer.activated.connect(lambda _text: self.take(), Qt.ConnectionType.QueuedConnection)
        self.textEdited.connect(self._on_edited)

    def take(self) -> None:
        """Emit the typed tags."""
        if tags := parse_tags(self.text()):
            self.clear()
            self.typed.emit(tags)

    def _on_edited(self, text: str) -> None:
        if "," in text or ";" in text:
            self.take()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take a tag with Enter; without text Enter goes to the dialog."""
        popup = self._popup
        if event.key() not in _ENTER_KEYS or not self.text().strip():
            super().keyPressEvent(event)
        elif popup.isVisible() and popup.currentIndex().isValid():
            event.ignore()  # the completer handles it
        else:
            popup.hide()
            self.take()
            event.accept()


class TagsDialog(QDialog):
    """Check boxes for tags; a tag of some documents is half checked, and stays so until changed.

    Args:
        name: the name of the documents.
        document_ids: the documents.
        known: the document ids of every tag of the library.

    Attributes:
        chosen: carries the tags to add, and those to remove.
        ticks: check boxes by tag.
    """

    chosen = Signal(object, object)

    def __init__(
        self,
        name: str,
        document_ids: Collection[int],
        known: Mapping[str, frozenset[int]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Tags"))
        self.setAccessibleName(self.tr("Tags of documents"))
        title = ElidedLabel(self.tr("Documents"), mode=Qt.TextElideMode.ElideMiddle)
        title.setFont(make_label(factor=1.2, weight=QFont.Weight.DemiBold).font())
        title.setText(self.tr("Tags of {name}").format(name=name))
        title.setToolTip(display_text.make_tooltip(name))
        self.field = TagField(list(known))
        self.field.typed.connect(self.add)
        self._inside = QWidget()
        self._inside.setAccessibleName(self.tr("Tags"))
        self._rows = make_column("stretch", parent=self._inside, margins=2, spacing=6)
        self.ticks: dict[str, CheckBox] = {}
        self._before: dict[str, Qt.CheckState] = {}
        ids = frozenset(document_ids)
        for tag in sorted(known, key=lambda each: not ids & known[each]):  # their own tags first; the others by name
            self._add_tick(tag, _tick_state(ids, known[tag]))
        self.nothing = make_label(self.tr("No tags yet. Type one."), tone="muted", wrap=True)
        self.nothing.setAccessibleName(self.nothing.text())
        self.nothing.setVisible(not known)
        area = QScrollArea()
        area.setAccessibleName(self.tr("Tags"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumHeight(_TICKS_PX)
        area.setWidget(self._inside)
        self._area = area
        leave = make_push_button(self.tr("Cancel"))
        leave.clicked.connect(self.reject)
        self.done_button = make_push_button(self.tr("&Set Tags"), tone="primary")
        self.done_button.setDefault(True)
        self.done_button.clicked.connect(self._on_done)
        row = make_row("stretch", leave, self.done_button, spacing=10)
        make_column(title, self.field, self.nothing, (area, 1), row, parent=self, margins=(20, 18, 20, 16), spacing=10)
        set_initial_size(self, 380, 360)
        self.field.setFocus()

    def add(self, tags: Sequence[str]) -> None:
        """Check tags; new ones are listed first."""
        for tag in tags:
            there = next((name for name in self.ticks if fold_text(name) == fold_text(tag)), None)
            tick = self.ticks[there] if there is not None else self._add_tick(tag, Qt.CheckState.Unchecked, first=True)
            tick.setCheckState(Qt.CheckState.Checked)
            self._scroll_to(tick)
        self.nothing.hide()

    def _scroll_to(self, tick: CheckBox) -> None:
        """Show a tick whole, also a new one, which would get its place only later."""
        tick.show()
        self._rows.activate()
        self._inside.resize(self._area.viewport().width(), self._inside.sizeHint().height())
        self._area.ensureWidgetVisible(tick)

    def _add_tick(self, tag: str, state: Qt.CheckState, *, first: bool = False) -> CheckBox:
        tick = CheckBox(self.fontMetrics().elidedText(tag, Qt.TextElideMode.ElideRight, 300).replace("&", "&&"), tag)
        tick.setTristate(state == Qt.CheckState.PartiallyChecked)
        tick.setCheckState(state)
        if state == Qt.CheckState.PartiallyChecked:
            tick.setToolTip(self.tr("Some of the documents have this tag"))
        self._rows.insertWidget(0 if first else self._rows.count() - 1, tick)
        self.ticks[tag] = tick
        self._before[tag] = state
        return tick

    def _on_done(self) -> None:
        self.field.take()
        changed = {tag: tick.checkState() for tag, tick in self.ticks.items() if tick.checkState() != self._before[tag]}
        add = [tag for tag, state in changed.items() if state == Qt.CheckState.Checked]
        take = [tag for tag, state in changed.items() if state == Qt.CheckState.Unchecked]
        self.chosen.emit(add, take)
        self.accept()


def _tick_state(ids: frozenset[int], tagged: frozenset[int]) -> Qt.CheckState:
    """Return whether all, some or none of the documents have a tag."""
    if ids <= tagged:
        return Qt.CheckState.Checked
    return Qt.CheckState.PartiallyChecked if ids & tagged else Qt.CheckState.Unchecked
