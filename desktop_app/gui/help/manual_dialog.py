"""The window of the manual."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QFont,
    QImage,
    QKeySequence,
    QPalette,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from desktop_app.gui.base.icons import Role, make_icon
from desktop_app.gui.base.theme import scale_font
from desktop_app.gui.help.manual_pages import PAGES, ManualSection, find_sections, manual_folder, read_sections
from desktop_app.gui.widgets.layouts import make_column, make_row, set_initial_size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextBlock

    from desktop_app.gui.base.theme import ThemeManager

_SIZE_PX = 1020, 720
_CONTENTS_PX = 270
_COLUMN_PX = 660  # longer lines are hard to read
_MARGIN_PX = 28
_LINE_HEIGHT = 132  # per cent
_CELL_PADDING_PX = 5
_PICTURE = QTextDocument.ResourceType.ImageResource
_SECTION_ROLE = Qt.ItemDataRole.UserRole


class ManualDialog(QDialog):
    """Shows the manual in a window of its own, to try things while reading.

    It has no parent: a dialog of the main window, whose page it may show, would block it otherwise.

    Args:
        language: the language of the manual; English if there is none.
        themes: for the colours of what a search finds.
    """

    def __init__(self, language: str, themes: ThemeManager) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._themes = themes
        self._folder = manual_folder(language)
        self._sections = read_sections(self._folder)
        self._listed = self._sections
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.setWindowTitle(self.tr("Kindred Manual"))
        self.setAccessibleName(self.windowTitle())
        self.search = QLineEdit()
        self.search.setAccessibleName(self.tr("Search the manual"))
        self.search.setPlaceholderText(self.tr("Search the manual"))
        self.search.addAction(make_icon("search", Role.PlaceholderText), QLineEdit.ActionPosition.LeadingPosition)
        clear = self.search.addAction(make_icon("x", Role.PlaceholderText), QLineEdit.ActionPosition.TrailingPosition)
        clear.triggered.connect(self.search.clear)
        clear.setVisible(False)
        self.search.textChanged.connect(lambda text: clear.setVisible(bool(text)))
        for button in self.search.findChildren(QToolButton):
            is_clear = button.defaultAction() is clear
            button.setAccessibleName(self.tr("Clear the search") if is_clear else self.search.accessibleName())
        self.search.setMaximumWidth(420)
        self.contents = QTreeWidget()
        self.contents.setObjectName("outline")
        self.contents.setAccessibleName(self.tr("Contents"))
        self.contents.setHeaderHidden(True)
        self.contents.setIndentation(14)
        self.contents.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.text = _ManualBrowser()
        self.text.setAccessibleName(self.tr("Page of the manual"))
        self._lay_out()
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(self.show_next_result)
        self.contents.currentItemChanged.connect(self._on_item)
        self.contents.itemClicked.connect(self._on_item)  # again, to return to a heading after scrolling
        self.text.historyChanged.connect(self._on_page)  # at sourceChanged the source is still the old one
        themes.changed.connect(self._on_theme)
        self._find()
        self.contents.setFocus()

    @property
    def page(self) -> str:
        """The name of the page that is shown; empty for none."""
        return self.text.source().fileName().removesuffix(".md")

    def show_page(self, name: str) -> None:
        """Show a page from its beginning."""
        self._go_to(next(section for section in self._sections if section.page == name))

    def show_next_result(self) -> None:
        """Show the next section that the search has found; first one with the words in its heading, if there is one."""
        query = self.search.text()
        found = [(item, section) for item, section in self._items() if section in self._listed]
        if not query.strip() or not found:
            return
        items = [item for item, _section in found]
        current = self.contents.currentItem()
        if current in items:
            following = items[(items.index(current) + 1) % len(items)]
        else:
            in_headings = (item for item, section in found if find_sections([replace(section, text="")], query))
            following = next(in_headings, items[0])
        self.contents.setCurrentItem(following)

    # Building

    def _lay_out(self) -> None:
        back = self._make_step("chevron-left", self.tr("Back"), QKeySequence.StandardKey.Back)
        back.triggered.connect(self.text.backward)
        self.text.backwardAvailable.connect(back.setEnabled)
        forward = self._make_step("chevron-right", self.tr("Forward"), QKeySequence.StandardKey.Forward)
        forward.triggered.connect(self.text.forward)
        self.text.forwardAvailable.connect(forward.setEnabled)
        find = QAction(self.search.placeholderText(), self)
        find.setShortcut(QKeySequence.StandardKey.Find)
        find.triggered.connect(self._focus_search)
        self.addAction(find)
        top = QWidget()
        top.setObjectName("top")
        top.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        top.setAccessibleName(self.search.accessibleName())
        make_row(*map(_make_button, (back, forward)), (self.search, 3), "stretch", parent=top, margins=(12, 10, 16, 10))
        side = QWidget()
        side.setAccessibleName(self.contents.accessibleName())
        make_column(self.contents, parent=side, margins=(10, 10, 4, 8))
        splitter = QSplitter()
        splitter.setAccessibleName(self.tr("Contents and page"))
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(side)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([_CONTENTS_PX, _SIZE_PX[0] - _CONTENTS_PX])
        make_column(top, (splitter, 1), parent=self, spacing=0)
        set_initial_size(self, *_SIZE_PX)

    def _make_step(self, picture: str, text: str, key: QKeySequence.StandardKey) -> QAction:
        action = QAction(make_icon(picture), text, self)
        action.setShortcut(key)
        action.setEnabled(False)
        action.setToolTip(f"{text} ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})")
        self.addAction(action)
        return action

    # Contents and search

    def _items(self) -> Iterator[tuple[QTreeWidgetItem, ManualSection]]:
        """Yield the rows of the contents from top to bottom."""
        iterator = QTreeWidgetItemIterator(self.contents)
        while (item := iterator.value()) is not None:
            if (section := item.data(0, _SECTION_ROLE)) is not None:
                yield item, section
            iterator += 1

    def _find(self) -> None:
        """List the sections that contain the words of the field; without words, all."""
        query = self.search.text()
        self._listed = find_sections(self._sections, query) if query.strip() else self._sections
        with QSignalBlocker(self.contents):
            self.contents.clear()
            for page in PAGES:
                found = [section for section in self._listed if section.page == page]
                if found:
                    self._add_page(page, found)
            if not self._listed:
                nothing = QTreeWidgetItem(self.contents, [self.tr("Nothing found")])
                nothing.setDisabled(True)
            if query.strip():
                self.contents.expandAll()
            else:
                self._select_page()
        self._mark()

    def _add_page(self, page: str, found: list[ManualSection]) -> None:
        first = next(section for section in self._sections if section.page == page)
        top = QTreeWidgetItem(self.contents, [first.title])
        top.setData(0, _SECTION_ROLE, first)
        for section in found:
            if section is not first:
                item = QTreeWidgetItem(top, [section.title])
                item.setData(0, _SECTION_ROLE, section)
                item.setToolTip(0, section.title)

    def _on_item(self, item: QTreeWidgetItem | None) -> None:
        section = item.data(0, _SECTION_ROLE) if item is not None else None
        if section is not None:
            self._go_to(section)

    def _select_page(self) -> None:
        """Select the shown page in the contents, and open its headings."""
        current = self.contents.currentItem()
        if current is not None and current.data(0, _SECTION_ROLE).page == self.page:
            return
        for item, section in self._items():
            if section.page == self.page and item.parent() is None:
                with QSignalBlocker(self.contents):
                    self.contents.setCurrentItem(item)
                if not self.search.text().strip():
                    self.contents.collapseAll()
                item.setExpanded(True)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    # Page

    def _go_to(self, section: ManualSection) -> None:
        if self.page != section.page:
            self.text.setSource(QUrl.fromLocalFile(str(self._folder / f"{section.page}.md")))
        find_block = self.text.document().findBlockByNumber
        self.text.scroll_to(find_block(section.start))
        self._show_first_match(find_block(section.start), find_block(section.stop))

    def _on_theme(self) -> None:
        bar = self.text.verticalScrollBar()
        place = bar.value()
        self.text.reload()
        bar.setValue(place)
        self._mark()

    def _on_page(self) -> None:
        self._select_page()
        self._mark()

    def _matches(self) -> list[QTextCursor]:
        words = "|".join(map(re.escape, self.search.text().split()))
        found = []
        for match in re.finditer(words, self.text.document().toPlainText(), re.IGNORECASE) if words else ():
            cursor = QTextCursor(self.text.document())
            cursor.setPosition(match.start())
            cursor.setPosition(match.end(), QTextCursor.MoveMode.KeepAnchor)
            found.append(cursor)
        return found

    def _mark(self) -> None:
        """Mark the words of the search on the page."""
        marks = []
        for cursor in self._matches():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format.setBackground(self._themes.theme.color("mark"))
            mark.format.setForeground(self._themes.theme.color("on_mark"))
            marks.append(mark)
        self.text.setExtraSelections(marks)

    def _show_first_match(self, begin: QTextBlock, end: QTextBlock) -> None:
        """Scroll to the first word found in a section, if it is not visible with the section's heading on top."""
        for cursor in self._matches():
            if begin.position() <= cursor.position() and not (end.isValid() and end.position() <= cursor.position()):
                if not self.text.viewport().rect().contains(self.text.cursorRect(cursor)):
                    self.text.scroll_to(cursor.block())
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Escape empty the search field first."""
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        else:
            super().keyPressEvent(event)


def _make_button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setAccessibleName(action.text())
    return button


class _ManualBrowser(QTextBrowser):
    """Shows a page in a column that is not too wide, with its pictures fitted into it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenExternalLinks(True)
        self.document().setDocumentMargin(_MARGIN_PX)
        self._pictures: list[QUrl] = []  # of the page
        self.sourceChanged.connect(self._set_style)

    def scroll_to(self, block: QTextBlock) -> None:
        """Show a block at the top."""
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - _MARGIN_PX // 2 if block.blockNumber() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Centre the column, and fit the pictures into it again."""
        super().resizeEvent(event)
        for url in self._pictures:
            self.document().addResource(_PICTURE.value, url, self.loadResource(_PICTURE.value, url))
        self._centre()
        self.document().markContentsDirty(0, self.document().characterCount())

    def _centre(self) -> None:
        side = max(_MARGIN_PX, (self.viewport().width() - _COLUMN_PX) / 2)
        page = self.document().rootFrame()
        margins = page.frameFormat()
        margins.setLeftMargin(side)
        margins.setRightMargin(side)
        page.setFrameFormat(margins)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the manual as wide as the column, in the pixels of the screen."""
        found = super().loadResource(kind, QUrl(name))
        if kind != _PICTURE.value:
            return found
        picture = found if isinstance(found, QImage) else QImage.fromData(found)
        ratio = self.devicePixelRatioF()
        column = min(_COLUMN_PX, max(2, self.viewport().width() - 2 * _MARGIN_PX)) - 1  # less what is rounded up
        width = min(picture.width(), round(column * ratio))
        picture = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(ratio)
        return picture

    def _set_style(self) -> None:
        """Give the page the fonts and colours of the window, and its headings and lines more space."""
        document = self.document()
        self._pictures.clear()
        self._centre()
        shade = self.palette().color(QPalette.ColorRole.Mid)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                table = frame.format()
                table.setBorder(0)
                table.setCellPadding(_CELL_PADDING_PX)
                frame.setFormat(table)
        for block in map(document.findBlockByNumber, range(document.blockCount())):
            level = block.blockFormat().headingLevel()
            line_height = _LINE_HEIGHT
            for part in [each.fragment() for each in block]:  # type: ignore[attr-defined]
                cursor = QTextCursor(document)
                cursor.setPosition(part.position())
                cursor.setPosition(part.position() + part.length(), QTextCursor.MoveMode.KeepAnchor)
                letters = part.charFormat()
                if letters.isImageFormat():
                    self._pictures.append(document.baseUrl().resolved(QUrl(letters.toImageFormat().name())))
                    line_height = 100
                elif letters.fontFixedPitch():
                    letters.setFont(self.font())
                    letters.setBackground(shade)
                elif level or letters.fontWeight() > QFont.Weight.DemiBold:
                    factor = {1: 1.7, 2: 1.2}.get(level, 1.0)
                    letters.setFont(scale_font(self.font(), factor, QFont.Weight.DemiBold))
                cursor.setCharFormat(letters)
            style = block.blockFormat()
            style.setLineHeight(line_height, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            if level:
                style.setTopMargin(0 if block.blockNumber() == 0 else 20)
                style.setBottomMargin(4)
            QTextCursor(block).setBlockFormat(style)
