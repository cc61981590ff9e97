"""The command palette: one field for commands, saved searches, documents and collections."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QIcon, QKeyEvent, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from desktop_app.gui.base import display_text
from desktop_app.gui.base.actions import MENUS, plain_action_name, shortcut_text, translate_marked
from desktop_app.gui.base.icons import make_icon
from desktop_app.gui.base.theme import Theme, ThemeManager, scale_font
from desktop_app.gui.shell.action_table import ACTION_SPECS
from desktop_app.gui.widgets.item_views import NO_INDEX, AnyIndex
from desktop_app.gui.widgets.labels import make_label
from desktop_app.gui.widgets.layouts import make_column
from desktop_app.gui.widgets.row_delegate import paint_row_background

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from desktop_app.core.records import Document, DocumentCollection
    from desktop_app.core.user_data import SavedSearch
    from desktop_app.gui.base.actions import ActionTable

ENTRY_ROLE = Qt.ItemDataRole.UserRole

_EXCLUDED_ACTIONS = "app.palette"
_WIDTH_PX = 560
_TOP_PX = 40  # over the search box, below the menus
_MARGIN_PX = 24  # around the palette in a small window
_ROW_PX = 36
_MAX_ROWS = 11
_MAX_DOCUMENTS = 30
_MIN_TYPED = 2  # letters from which documents and collections are searched, too
_PAGE_STEP = 8
_MIN_INSIDE = 4  # letters: fewer inside a word are likelier initials ("dth": Dark Theme, not Fit Width)
_ICON_PX = 18
_PAD_PX = 10

_WORD_START_SCORE = 8
_CONSECUTIVE_SCORE = 9  # a literal piece matches better than initials of many words
_ANYWHERE_SCORE = 1
_GAP_PENALTY = 0.2  # for each letter between two matches: "imp" matches "Import" better than "in my paper"
_LATE_PENALTY = 0.05  # for each letter before the first match


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """A row of the palette.

    Attributes:
        name: what is typed to find it.
        place: its menu, or its kind; shown after the name.
        icon: shown before the name.
        run: called when the row is chosen.
        keys: the shortcut of a command.
        id: the id of a command's action; empty for anything else.
        places: the positions of the typed letters in the name.
    """

    name: str
    place: str
    icon: QIcon
    run: Callable[[], object]
    keys: str = ""
    id: str = ""
    places: tuple[int, ...] = ()


def list_commands(actions: ActionTable, pane: tuple[str, str] = ("", "")) -> list[PaletteEntry]:
    """Return the enabled commands in the order of the menus.

    `pane` is the name of the pane that is shown, and its title: its commands without a menu are listed, too.
    """
    name, title = pane
    menus = {menu: translate_marked(text).replace("&", "") for menu, text in MENUS}
    return [
        PaletteEntry(
            plain_action_name(action),
            menus[spec.menu] if spec.menu else title,
            action.icon(),
            action.trigger,
            shortcut_text(action),
            spec.id,
        )
        for spec in ACTION_SPECS
        if (spec.menu or (name and spec.pane == name))
        and (action := actions[spec.id]).isEnabled()
        and action.isVisible()
        and spec.id != _EXCLUDED_ACTIONS
    ]


def list_searches(searches: Iterable[SavedSearch], run: Callable[[SavedSearch], None]) -> list[PaletteEntry]:
    """Return the saved searches; `run` is called with the chosen one."""
    kind, icon = display_text.translate("PaletteModel", "Saved search"), make_icon("quote")
    return [PaletteEntry(each.name, kind, icon, partial(run, each)) for each in searches]


def list_collections(
    collections: Iterable[DocumentCollection], show: Callable[[DocumentCollection], None]
) -> list[PaletteEntry]:
    """Return the collections and tags; `show` is called with the chosen one."""
    kinds = {
        "tag": (display_text.translate("PaletteModel", "Tag"), make_icon("tag")),
        "collection": (display_text.translate("PaletteModel", "Collection"), make_icon("library")),
    }
    return [
        PaletteEntry(each.name, *kinds["tag" if each.kind == "tag" else "collection"], partial(show, each))
        for each in collections
    ]


def list_documents(documents: Iterable[Document], show: Callable[[Document], None]) -> list[PaletteEntry]:
    """Return the documents by title, with the name of their folder; `show` is called with the chosen one."""
    icon = make_icon("file-text")
    return [
        PaletteEntry(
            display_text.document_name(each.title, each.path),
            os.path.basename(os.path.dirname(each.path)),  # 10,000 times: `Path` takes ten times as long
            icon,
            partial(show, each),
        )
        for each in documents
    ]


class PaletteModel(QAbstractListModel):
    """The rows that match the typed text, the best first.

    Args:
        commands: shown before anything is typed, and found by any letters of their names.
        parent: the Qt parent.
        find_places: returns the collections and documents, which are found by words of their names. It is called when
            enough is typed, at most once.
    """

    def __init__(
        self,
        commands: Sequence[PaletteEntry],
        parent: QObject,
        find_places: Callable[[], Iterable[PaletteEntry]] = tuple,
    ) -> None:
        super().__init__(parent)
        self._commands = list(commands)
        self._find_places = find_places
        self._places: list[tuple[str, PaletteEntry]] | None = None  # with their folded names
        self._shown = self._commands

    def filter(self, typed: str) -> None:
        """Show the rows whose names match `typed`: whole names, beginnings, words; any letters if nothing else does."""
        found = [(match, entry) for entry in self._commands if (match := match_name(typed, entry.name)) is not None]
        places = []
        words = fold_text(typed).split()
        if len("".join(words)) >= _MIN_TYPED:
            places = [
                (match, entry)
                for folded, entry in self._folded_places()
                if all(word in folded for word in words) and (match := match_name(typed, entry.name)) is not None
            ]
            places.sort(key=lambda pair: pair[0].order)
        # A stable sort: equal matches stay in the order of the menus, and commands before documents.
        found = sorted(found + places[:_MAX_DOCUMENTS], key=lambda pair: pair[0].order)
        if found and found[0][0].kind < MatchKind.LETTERS:
            found = [pair for pair in found if pair[0].kind < MatchKind.LETTERS]
        self.beginResetModel()
        self._shown = [replace(entry, places=match.places) for match, entry in found]
        self.endResetModel()

    def _folded_places(self) -> list[tuple[str, PaletteEntry]]:
        if self._places is None:
            self._places = [(fold_text(entry.name), entry) for entry in self._find_places()]
        return self._places

    def rowCount(self, parent: AnyIndex = NO_INDEX) -> int:
        """Return the number of matches."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a row, its text for screen readers, or its entry."""
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        entry = self._shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (entry.name, entry.place, entry.keys) if part)
        if role == ENTRY_ROLE:
            return entry
        return None

    def entry(self, row: int) -> PaletteEntry:
        """Return the entry of a row."""
        return self._shown[row]


class _PaletteEntryDelegate(QStyledItemDelegate):
    """Paints a row: icon, name with the typed letters marked, menu or kind, shortcut."""

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._themes = themes

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row: the same for all."""
        return QSize(200, _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        entry: PaletteEntry = index.data(ENTRY_ROLE)
        theme = self._themes.theme
        rect: QRect = option.rect.adjusted(0, 1, 0, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        paint_row_background(painter, QRectF(rect), theme, selected=selected, hovered=hovered, framed=False)
        inner = rect.adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        entry.icon.paint(painter, QRect(inner.left(), inner.center().y() - _ICON_PX // 2 + 1, _ICON_PX, _ICON_PX))
        small = scale_font(option.font, 0.9)
        measure = QFontMetricsF(small)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        alignment = Qt.AlignmentFlag
        painter.drawText(inner, alignment.AlignVCenter | alignment.AlignRight, entry.keys)
        room = inner.adjusted(_ICON_PX + _PAD_PX, 0, -round(measure.horizontalAdvance(entry.keys)) - 2 * _PAD_PX, 0)
        name = _lay_out_entry(entry, option, theme)
        line = name.lineAt(0)
        after = room.adjusted(round(line.naturalTextWidth()) + _PAD_PX, 0, 0, 0)
        if after.width() > measure.horizontalAdvance(entry.place):
            painter.drawText(after, alignment.AlignVCenter | alignment.AlignLeft, entry.place)
        painter.setPen(theme.color("text"))
        painter.setClipRect(room)
        name.draw(painter, QPointF(room.left(), room.top() + (room.height() - line.height()) / 2))
        painter.restore()


def _lay_out_entry(entry: PaletteEntry, option: QStyleOptionViewItem, theme: Theme) -> QTextLayout:
    layout = QTextLayout(entry.name, option.font)
    marks = []
    for place in entry.places:
        mark = QTextLayout.FormatRange()
        mark.start, mark.length, mark.format = place, 1, QTextCharFormat()
        mark.format.setForeground(theme.color("accent"))
        mark.format.setFontWeight(600)
        marks.append(mark)
    layout.setFormats(marks)
    layout.beginLayout()
    layout.createLine().setLineWidth(10_000)
    layout.endLayout()
    return layout


class CommandPalette(QFrame):
    """Covers the window until a row is chosen, Esc is pressed, or the focus moves away."""

    def __init__(
        self,
        window: QWidget,
        themes: ThemeManager,
        commands: Sequence[PaletteEntry],
        find_places: Callable[[], Iterable[PaletteEntry]] = tuple,
    ) -> None:
        super().__init__(window)
        self._before = QApplication.focusWidget()
        self._is_closed = False
        self.setProperty("surface", "card")
        self.setAccessibleName(self.tr("Command palette"))
        shadow = QGraphicsDropShadowEffect(self, blurRadius=36, xOffset=0, yOffset=10)
        shadow.setColor(QColor(0, 0, 0, 110))
        self.setGraphicsEffect(shadow)
        self.box = QLineEdit()
        self.box.setPlaceholderText(self.tr("Type a command, or the name of a document or collection"))
        self.box.setAccessibleName(self.tr("Command, document or collection"))
        self.box.setFont(scale_font(self.box.font(), 1.1))
        self.box.installEventFilter(self)
        self.box.textChanged.connect(self._on_typed)
        self.model = PaletteModel(commands, self, find_places)
        self.view = QListView()
        self.view.setObjectName("palette")
        self.view.setAccessibleName(self.tr("Matches"))
        self.view.setModel(self.model)
        self.view.setItemDelegate(_PaletteEntryDelegate(self.view, themes))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.installEventFilter(self)
        self.view.clicked.connect(lambda index: self._trigger_entry(index.row()))
        self.nothing = make_label(self.tr("No matching command, document or collection."), tone="muted", wrap=True)
        self.nothing.setContentsMargins(_PAD_PX, 6, _PAD_PX, 8)
        make_column(self.box, (self.view, 1), self.nothing, parent=self, margins=8, spacing=6)
        window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._on_focus_changed)  # type: ignore[union-attr]
        self._on_typed("")
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.PopupFocusReason)

    # Display

    def _on_typed(self, text: str) -> None:
        self.model.filter(text)
        rows = self.model.rowCount()
        self.view.setVisible(rows > 0)
        self.nothing.setVisible(rows == 0)
        if rows:
            self.view.setCurrentIndex(self.model.index(0))
            self.view.scrollToTop()
        self._place()

    def _place(self) -> None:
        """Move below the top of the window, as large as needed and as there is room for."""
        window = self.parentWidget()
        if window is None:
            return
        width = min(_WIDTH_PX, window.width() - 2 * _MARGIN_PX)
        rows = min(self.model.rowCount(), _MAX_ROWS)
        self.view.setFixedHeight(rows * _ROW_PX)
        height = (
            self.box.sizeHint().height() + 22 + (rows * _ROW_PX if rows else self.nothing.heightForWidth(width - 16))
        )
        self.setGeometry((window.width() - width) // 2, _TOP_PX, width, min(height, window.height() - _TOP_PX - 8))

    # Keys and focus

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window; pass the keys for the list on."""
        if watched is self.parent() and event.type() == QEvent.Type.Resize:
            self._place()
        elif watched is not self.parent() and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(watched, event)
        return False

    def _on_key(self, watched: QObject, event: QKeyEvent) -> bool:
        key = Qt.Key
        steps = {key.Key_Up: -1, key.Key_Down: 1, key.Key_PageUp: -_PAGE_STEP, key.Key_PageDown: _PAGE_STEP}
        pressed = key(event.key())
        if pressed == key.Key_Escape:
            self.leave()
        elif pressed in (key.Key_Return, key.Key_Enter):
            self._trigger_entry(self.view.currentIndex().row())
        elif pressed in steps and watched is self.box:
            self._step(steps[pressed])
        else:
            return False
        return True

    def _step(self, by: int) -> None:
        rows = self.model.rowCount()
        if not rows:
            return
        row = self.view.currentIndex().row() + by
        # A step wraps around at the ends; a page stops there.
        row = row % rows if abs(by) == 1 else min(max(row, 0), rows - 1)
        self.view.setCurrentIndex(self.model.index(row))

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self.isVisible() and new is not None and new is not self and not self.isAncestorOf(new):
            self._before = None
            self.leave()

    def leave(self) -> None:
        """Close, and restore the focus."""
        if self._is_closed:
            return
        self._is_closed = True
        QApplication.instance().focusChanged.disconnect(self._on_focus_changed)  # type: ignore[union-attr]
        before, self._before = self._before, None
        if before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.hide()
        self.deleteLater()

    def _trigger_entry(self, row: int) -> None:
        if row < 0 or self._is_closed:
            return
        entry = self.model.entry(row)
        self.leave()
        entry.run()


def toggle_palette(
    window: QWidget,
    themes: ThemeManager,
    commands: Callable[[], Sequence[PaletteEntry]],
    find_places: Callable[[], Iterable[PaletteEntry]],
) -> None:
    """Open the palette, or close the one that is open."""
    palette = window.findChild(CommandPalette)
    if palette is not None and palette.isVisible():
        palette.leave()
    else:
        CommandPalette(window, themes, commands(), find_places)


class MatchKind(IntEnum):
    """How typed words match a name, the best first."""

    EXACT = 0
    PREFIX = 1
    WORDS = 2
    INSIDE = 3
    LETTERS = 4


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A match: its kind, a score among matches of the same kind (higher is better), and the positions to mark."""

    kind: MatchKind
    score: float
    places: tuple[int, ...]

    @property
    def order(self) -> tuple[int, float]:
        """The key to sort by: the best match first."""
        return int(self.kind), -self.score


def match_name(typed: str, name: str) -> NameMatch | None:
    """Return how well `typed` matches `name`; None without a match. Nothing typed matches everything equally.

    The whole name is the best match ("backup" is "Back Up", too), then its beginning, then beginnings of words in any
    order, then words inside words. Only then do letters with gaps count, as in `fuzzy_match`.
    """
    folded, words = fold_text(name), fold_text(typed).split()
    if not words:
        return NameMatch(MatchKind.LETTERS, 0.0, ())
    if "".join(words) == "".join(folded.split()):
        return NameMatch(MatchKind.EXACT, 0.0, tuple(range(len(name))))
    text = " ".join(words)
    if folded.startswith(text):
        return NameMatch(MatchKind.PREFIX, -float(len(name)), tuple(range(len(text))))
    starts = [at for at in range(len(folded)) if folded[at].isalnum() and _is_word_start(folded, at)]
    if (at := next((at for at in starts if folded.startswith(text, at)), None)) is not None:
        return NameMatch(MatchKind.WORDS, 1.0 - _LATE_PENALTY * at, tuple(range(at, at + len(text))))
    begun = [next((at for at in starts if folded.startswith(word, at)), -1) for word in words]
    if min(begun) >= 0:
        return NameMatch(MatchKind.WORDS, -_LATE_PENALTY * sum(begun), _mark_words(begun, words))
    inside = [folded.find(word) for word in words]
    if min(inside) >= 0 and len(text) >= _MIN_INSIDE:
        return NameMatch(MatchKind.INSIDE, -_LATE_PENALTY * sum(inside), _mark_words(inside, words))
    fuzzy = fuzzy_match(typed, name)
    return NameMatch(MatchKind.LETTERS, *fuzzy) if fuzzy is not None else None


def _mark_words(starts: Sequence[int], words: Sequence[str]) -> tuple[int, ...]:
    return tuple(
        sorted({at for start, word in zip(starts, words, strict=True) for at in range(start, start + len(word))})
    )


def fold_text(text: str) -> str:
    """Return a text without case and accents, of the same length."""
    return text.lower() if text.isascii() else "".join(map(_fold_letter, text))


def fuzzy_match(typed: str, name: str) -> tuple[float, tuple[int, ...]] | None:
    """Return how well `typed` matches `name`.

    `name` must contain the letters of `typed` in their order, not necessarily adjacent; case, accents and spaces are
    ignored. Initials of words and letters after a match count more.

    Returns:
        a score (higher is better) and the matching positions in `name`; None without a match. An empty `typed` matches
        everything equally.
    """
    wanted = [letter for letter in map(_fold_letter, typed) if letter.strip()]
    letters = [_fold_letter(letter) for letter in name]
    if not wanted:
        return 0.0, ()
    # best[i]: score and positions of the letters so far if the last of them is at i
    best: dict[int, tuple[float, tuple[int, ...]]] = {}
    for nth, want in enumerate(wanted):
        found: dict[int, tuple[float, tuple[int, ...]]] = {}
        for at, letter in enumerate(letters):
            if letter != want:
                continue
            own = _WORD_START_SCORE if _is_word_start(name, at) else _ANYWHERE_SCORE
            if nth == 0:
                found[at] = (own - _LATE_PENALTY * at, (at,))
                continue
            choices = [
                (
                    score + max(own, _CONSECUTIVE_SCORE if before == at - 1 else 0) - _GAP_PENALTY * (at - before - 1),
                    (*places, at),
                )
                for before, (score, places) in best.items()
                if before < at
            ]
            if choices:
                found[at] = max(choices, key=lambda choice: choice[0])
        if not found:
            return None
        best = found
    return max(best.values(), key=lambda choice: choice[0])


def _fold_letter(letter: str) -> str:
    """Return a letter without case and accent, as one character."""
    return unicodedata.normalize("NFD", letter)[:1].casefold()[:1]


def _is_word_start(name: str, at: int) -> bool:
    return at == 0 or not name[at - 1].isalnum()
