"""Paints documents as two lines: title and state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_app.core.formats import find_format
from desktop_app.gui.base import display_text
from desktop_app.gui.base.icons import paint_icon
from desktop_app.gui.base.theme import ThemeManager, scale_font
from desktop_app.gui.library.model import DOCUMENT_ROLE, FOLDER_ROLE, MISSING_ROLE, PROGRESS_ROLE, TAGS_ROLE
from desktop_app.gui.widgets.card_painting import name_elide_mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop_app.core.jobs import Progress
    from desktop_app.core.records import Document
    from desktop_app.gui.library.folder_tree import FolderNode

AnyIndex = QModelIndex | QPersistentModelIndex

FILE_ROLE = Qt.ItemDataRole.UserRole

_MARGIN_PX = 6
_PAD_PX = 6
_PAD_Y_PX = 7
_ICON_PX = 18
_BAR_PX = 3
_CHIP_PAD_PX, _CHIP_GAP_PX, _MAX_CHIP_WIDTH_PX = 6, 4, 90
_MIN_CHIP_WIDTH_PX = 40  # of a tag's words that are cut
_CHIPS_SHARE = 0.62  # of the line, at most


def document_icon_and_tone(document: Document) -> tuple[str, str]:
    """Return the icon of a document's state, and the theme colour of icon and words."""
    if document.state == "failed":
        return "circle-alert", "bad"
    if document.state == "queued":
        return "clock", "muted"
    if document.state in ("reading", "embedding"):
        return "loader-circle", "accent"
    return find_format(document.type).icon, "muted"


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file of a list: where it is, what became of it, what to do, and how that looks."""

    path: str
    state: str
    hint: str
    icon: str
    tone: str

    @property
    def name(self) -> str:
        """Its name."""
        return display_text.document_name("", self.path)


class DocumentDelegate(QStyledItemDelegate):
    """Paints a document's name and, below it, its state in words; a thin bar while it is read. Folders likewise."""

    def __init__(self, view: QAbstractItemView, themes: ThemeManager) -> None:
        super().__init__(view)
        self._view = view
        self._themes = themes
        self._fonts: tuple[str, QFont, QFontMetricsF, QFontMetricsF] | None = None

    def _measures(self) -> tuple[QFont, QFontMetricsF, QFontMetricsF]:
        """Return the small font, and the measures of the view's own font and of the small one."""
        font = self._view.font()
        if self._fonts is None or self._fonts[0] != font.key():
            small = scale_font(font, 0.88)
            self._fonts = font.key(), small, QFontMetricsF(font), QFontMetricsF(small)
        return self._fonts[1:]

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the size of a row: the same for all."""
        _, measure, small = self._measures()
        return QSize(160, round(measure.height() + small.height()) + 2 * _PAD_Y_PX + 1)

    def paint_ground(self, painter: QPainter, row: QRect, state: tuple[bool, bool, bool]) -> None:
        """Paint what lies behind a row that is chosen, under the pointer, or has the focus."""
        if not any(state):
            return
        selected, hovered, focused = state
        theme = self._themes.theme
        rect = row.adjusted(_MARGIN_PX, 1, -_MARGIN_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("accent") if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("soft" if selected else "hover" if hovered else "panel"))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
        painter.restore()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        folder: FolderNode | None = index.data(FOLDER_ROLE)
        rect: QRect = option.rect.adjusted(0, 1, -_MARGIN_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if folder is not None:
            state = display_text.describe_folder_state(folder.documents, folder.failed)
            self.paint_lines(painter, rect, "folder", "muted", folder.name, state)
        else:
            document: Document = index.data(DOCUMENT_ROLE)
            progress: Progress | None = index.data(PROGRESS_ROLE)
            name, tone = document_icon_and_tone(document)
            state = display_text.describe_document_state(document, progress)
            if index.data(MISSING_ROLE):
                name, tone, state = "triangle-alert", "bad", display_text.describe_missing_file(document)
            title = index.data(Qt.ItemDataRole.DisplayRole)
            inner = self.paint_lines(painter, rect, name, tone, title, state, index.data(TAGS_ROLE) or ())
            if document.state == "reading" and progress is not None and progress.page and progress.page_count:
                self._paint_bar(painter, inner, progress.page / progress.page_count)
        painter.restore()

    def paint_lines(
        self,
        painter: QPainter,
        rect: QRect,
        icon: str,
        tone: str,
        name: str,
        state: str,
        tags: Sequence[str] = (),
    ) -> QRect:
        """Paint icon, name and state, and tags behind the state; returns where the words are."""
        theme = self._themes.theme
        at = QRect(rect.left() + _PAD_PX, rect.center().y() - _ICON_PX // 2, _ICON_PX, _ICON_PX)
        paint_icon(painter, at, icon, theme.color(tone))
        small_font, measure, small = self._measures()
        left = at.right() + 1 + _PAD_PX
        inner = rect.right() - _PAD_PX - left
        baseline = rect.center().y() + 0.5 - (measure.height() + small.height()) / 2 + measure.ascent()
        painter.setFont(self._view.font())
        painter.setPen(theme.color("text"))
        painter.drawText(QPointF(left, baseline), measure.elidedText(name, name_elide_mode(name), inner))
        painter.setFont(small_font)
        painter.setPen(theme.color("bad" if tone == "bad" else "accent" if tone == "accent" else "muted"))
        below = baseline + measure.descent() + small.ascent() + 1
        line, chips = fit_state_and_chips(state, tags, small, inner)
        painter.drawText(QPointF(left, below), line)
        self._paint_chips(painter, chips, QPointF(left + small.horizontalAdvance(line) + 2 * _CHIP_GAP_PX, below))
        return QRect(left, rect.top(), inner, rect.height())

    def _paint_chips(self, painter: QPainter, chips: Sequence[tuple[str, float]], at: QPointF) -> None:
        """Paint small chips side by side, their words on a line with `at`."""
        theme = self._themes.theme
        _, _, small = self._measures()
        for text, width in chips:
            box = QRectF(at.x(), at.y() - small.ascent() - 0.5, width, small.height() + 1)
            painter.setPen(theme.color("line"))
            painter.setBrush(theme.color("raised"))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(at.x() + _CHIP_PAD_PX, at.y()), text)
            at += QPointF(width + _CHIP_GAP_PX, 0)

    def _paint_bar(self, painter: QPainter, inner: QRect, share: float) -> None:
        theme = self._themes.theme
        bar = QRectF(inner.left(), inner.bottom() - _BAR_PX, inner.width(), _BAR_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("track"))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        bar.setWidth(inner.width() * min(share, 1.0))
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)

    # Renaming

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        """Return a field for a title."""
        field = QLineEdit(parent)
        field.setObjectName("title")
        field.setAccessibleName(display_text.translate("rows", "Title"))
        field.setPlaceholderText(display_text.translate("rows", "The title in the file"))
        field.setMaxLength(500)
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Lay the field over name and state."""
        row = option.rect
        left = row.left() + _PAD_PX + _ICON_PX
        editor.setGeometry(left, row.top() + 3, row.right() - left - _MARGIN_PX, row.height() - 6)


class FileDelegate(DocumentDelegate):
    """Paints a FileRow as a document is painted."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint a row."""
        row: FileRow = index.data(FILE_ROLE)
        flag = QStyle.StateFlag
        state = [bool(option.state & each) for each in (flag.State_Selected, flag.State_MouseOver, flag.State_HasFocus)]
        self.paint_ground(painter, option.rect, (state[0], state[1], state[2]))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect.adjusted(_MARGIN_PX, 1, -_MARGIN_PX, -1)
        self.paint_lines(painter, rect, row.icon, row.tone, row.name, row.state)
        painter.restore()


def fit_state_and_chips(
    state: str, tags: Sequence[str], measure: QFontMetricsF, room: float
) -> tuple[str, list[tuple[str, float]]]:
    """Return what is said below a document's name, and the chips behind it.

    Where there are tags, its first part alone is said, but that in whole words: "47 sentences" must not become "47 s…".
    """
    if not tags:
        return measure.elidedText(state, Qt.TextElideMode.ElideRight, room), []
    short = state.partition(" · ")[0]
    beside = room - measure.horizontalAdvance(short) - 3 * _CHIP_GAP_PX
    chips = fit_chips(tags, measure, min(room * _CHIPS_SHARE, beside))
    left = room - sum(width + _CHIP_GAP_PX for _, width in chips) - _CHIP_GAP_PX
    if measure.horizontalAdvance(state) > left:
        state = short
    return measure.elidedText(state, Qt.TextElideMode.ElideRight, left), chips


def fit_chips(tags: Sequence[str], measure: QFontMetricsF, room: float) -> list[tuple[str, float]]:
    """Return the words on the chips that there is room for, with their widths; the last may say how many more."""
    chips: list[tuple[str, float]] = []
    taken = 0.0
    for nth, tag in enumerate(tags):
        rest = len(tags) - nth
        more = measure.horizontalAdvance(f"+{rest}") + 2 * _CHIP_PAD_PX + _CHIP_GAP_PX
        widest = min(_MAX_CHIP_WIDTH_PX, room - taken - 2 * _CHIP_PAD_PX - (more if rest > 1 else 0))
        text = measure.elidedText(tag, Qt.TextElideMode.ElideRight, widest)
        width = measure.horizontalAdvance(text) + 2 * _CHIP_PAD_PX
        if widest < measure.horizontalAdvance(tag) and widest < _MIN_CHIP_WIDTH_PX:
            return [*chips, (f"+{rest}", more - _CHIP_GAP_PX)]
        chips.append((text, width))
        taken += width + _CHIP_GAP_PX
    return chips
